"""`jourdain warmup`: compile the kernels ahead of time."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .exits import epilogue

EPILOGUE = epilogue(
    "jourdain warmup",
    "jourdain warmup --all                      whatever you may run later",
    notes=(
        "Kernels are compiled when first needed and kept in the user's cache folder (JOURDAIN_CACHE_DIR names",
        "another one). This does it now. The functions that you write yourself are compiled in each run.",
    ),
)


def warmup(
    everything: Annotated[
        bool, typer.Option("--all", help="Every kernel there is, not only those of the scenarios that come with it.")
    ] = False,
) -> None:
    """Compile the kernels now, for faster first runs.

    Without --all, those that the scenarios which come with Jourdain need, and the model functions of their models.
    """
    from ..basics.errors import JourdainError
    from ..kernels import entries
    from ..kernels.compiling.descriptors import store
    from ..kernels.compiling.parallel_compilation import every, prepare

    needed = entries.everything() if everything else of_scenarios()
    prepare(needed)
    if store().complaint:
        raise JourdainError(f"nothing is cached: {store().complaint}")
    count = len(every(needed))
    typer.echo(f"{count} kernels are compiled, in {store().folder}" + ("" if everything else "; --all compiles all"))


def of_scenarios() -> list[Any]:
    """What the scenarios of the package need compiled."""
    from ..kernels.entries import model_functions
    from ..run.loop import needed
    from ..study.demo import SCENARIOS, shipped

    found: list[Any] = []
    for path in sorted(SCENARIOS.glob("*.yaml")):
        plan = shipped(path.stem).plan()
        found += needed(plan) + model_functions(plan.model.features)
    return found
