"""What a run must be like for surfaces that touch by multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from ..model.bodies import body_of
from ..model.touching import gaps_of, is_by_impulse

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
    if is_by_impulse(model):
        return "press_impulse", "keep_forces", None, "begin_balance", "balance"
    return "press", "keep_forces", "resume", "begin_balance", "balance"


def node_name(model: Model, i: int) -> str:
    """What node i of those that touch by multipliers is called: the contact, and the number of its node."""
    from ..kernels.touching.layout import NODE_LATCHED

    tables = model.touching or {}
    return str(model.names.z[int(tables["nodes"][i, NODE_LATCHED])].removesuffix(".region"))


def why_surfaces(model: Model, surfaces: Any) -> tuple[str, str, str] | None:
    """(why, remedy, contact) where surfaces that touch kept a step from being made; None where they did not."""
    from ..kernels.touching.layout import CLOSED, FAULT, FAULT_NODE, MOST, NO_ROOM, NO_STATES, OPEN, REGION

    if model.touching is None or surfaces is None:
        return None
    touching = np.flatnonzero((surfaces.state[:, REGION] != OPEN) | (surfaces.state[:, CLOSED] == 1))
    fault, node = int(surfaces.fault[FAULT]), int(surfaces.fault[FAULT_NODE])
    if fault == NO_ROOM:
        return f"more than {MOST} nodes touch at once", "take a coarser mesh, or smaller surfaces", ""
    if node < 0:
        return None
    named = node_name(model, node)
    others = [node_name(model, int(i)) for i in touching[:6]]
    more = "" if len(touching) <= 6 else f" and {len(touching) - 6} more"
    about = f"touching are {', '.join(others) or 'none in the end'}{more}"
    if fault == NO_STATES:
        why = f"no set of states, open, sticking or sliding, was found for the nodes that touch ({about})"
        return why, "give a shorter step, passes=1, or less friction", named
    why = f"the nodes that touch open and close in turn, however short the step ({about})"
    return why, "give a shorter step, more damping of the solids, or a finer mesh where they touch", named


def check_apart(model: Model, q: np.ndarray, v: np.ndarray) -> None:
    """Nodes that are inside of what they touch at the start would be thrown out by the first step."""
    if model.touching is None:
        return
    gaps = gaps_of(model, q[None], v[None])[0]
    worst = int(np.argmin(gaps))
    size = min(extent(model, one) for one in model.description["touching"])
    if gaps[worst] < -INSIDE * size:
        raise ModelError.at(
            node_name(model, worst),
            f"starts {-gaps[worst]:.3g} m inside of what it touches; move the bodies apart in the state",
        )


def extent(model: Model, one: dict[str, Any]) -> float:
    """Size of the smaller solid of a contact by multipliers [m]; 1 without a solid."""
    sizes = [1.0]
    for side in (one["first"], one["second"]):
        if "surface" in side:
            body: Any = body_of(model, side["body"])
            sizes.append(float(np.max(np.ptp(body.nodes, axis=0))))
    return min(sizes)
