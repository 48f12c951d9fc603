"""`jourdain warmup`: compile the kernels ahead of time."""

from __future__ import annotations

from .exits import epilogue

EPILOGUE = epilogue(
    "jourdain warmup",
    notes=(
        "Kernels are compiled when first needed and kept in the user's cache folder (JOURDAIN_CACHE_DIR names",
        "another one). This does it now.",
    ),
)


def warmup() -> None:
    """Compile the kernels now, for faster first runs."""
