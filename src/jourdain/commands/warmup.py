"""`jourdain warmup`: compile the kernels ahead of time."""

from __future__ import annotations

import typer

from .exits import epilogue

EPILOGUE = epilogue(
    "jourdain warmup",
    notes=(
        "Kernels are compiled when first needed and kept in the user's cache folder (JOURDAIN_CACHE_DIR names",
        "another one). This does it now, for rigid models; what beams and contact need follows with their first run.",
    ),
)


def warmup() -> None:
    """Compile the kernels now, for faster first runs."""
    from ..kernels.compiler import cache_folder
    from ..kernels.entries import FUNCTIONS, first_class

    for name in FUNCTIONS:
        typer.echo(f"compiling {name}")
        first_class(name)
    typer.echo(f"ready, in {cache_folder()}")
