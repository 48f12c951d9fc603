"""What a run must be like for surfaces that touch by multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from ..model.bodies import body_of
from ..model.touching import gaps_of

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Timing

METHODS = ("newmark", "generalized-alpha")
INSIDE = 1e-3
"""How deep a node may be inside at the start, over the size of its solid: the first step moves it out."""


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


def check_apart(model: Model, q: np.ndarray, v: np.ndarray) -> None:
    """Nodes that are inside of what they touch at the start would be thrown out by the first step."""
    if model.touching is None:
        return
    from ..kernels.touching.layout import NODE_LATCHED

    gaps = gaps_of(model, q[None], v[None])[0]
    worst = int(np.argmin(gaps))
    size = min(extent(model, one) for one in model.description["touching"])
    if gaps[worst] < -INSIDE * size:
        name = model.names.z[int(model.touching["nodes"][worst, NODE_LATCHED])].removesuffix(".region")
        raise ModelError.at(
            name, f"starts {-gaps[worst]:.3g} m inside of what it touches; move the bodies apart in the state"
        )


def extent(model: Model, one: dict[str, Any]) -> float:
    """Size of the smaller solid of a contact by multipliers [m]; 1 without a solid."""
    sizes = [1.0]
    for side in (one["first"], one["second"]):
        if "surface" in side:
            body: Any = body_of(model, side["body"])
            sizes.append(float(np.max(np.ptp(body.nodes, axis=0))))
    return min(sizes)
