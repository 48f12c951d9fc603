"""What a run must be like for surfaces that touch by multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..basics.errors import ModelError, Problem

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Timing

METHODS = ("newmark", "generalized-alpha")


def check_touching(model: Model, timing: Timing) -> None:
    """Contact by multipliers is for methods that meet it at the end of a step of fixed length."""
    if model.touching is None:
        return
    names = [one["name"] for one in model.description["touching"]]
    known = " or ".join(f'"{name}"' for name in METHODS)
    if timing.implicit is None or timing.implicit.kernel != "alpha":
        why = f'touches by multipliers, which "{timing.method}" cannot meet'
        raise ModelError([Problem(names[0], f"{why}; give method={known} with step= [s]")])
    schemes = {one["normal"]["scheme"] for one in model.description["touching"]}
    if len(schemes) > 1:
        raise ModelError([Problem(names[0], f"contacts have the schemes {' and '.join(sorted(schemes))}; give one")])
    if not timing.fixed:
        raise ModelError([Problem(names[0], "touches by multipliers, which takes fixed steps; give step= [s]")])


def by_scheme(model: Model) -> tuple[str | None, ...]:
    """Names of the functions by which the surfaces of a model touch."""
    if model.description["touching"][0]["normal"]["scheme"] == "impulse":
        return "press_impulse", "keep_forces", None
    return "press", "keep_forces", "resume"
