"""What a run must be like for surfaces that touch by multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from ..model.bodies import body_of
from ..model.surface_contact import gaps_of, is_by_impulse
from .partitioned import is_partitioned

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Timing

METHODS = ("newmark", "generalized-alpha")
INSIDE = 1e-3
"""How deep a node may be inside at the start, over the size of its solid: the first step moves it out."""
INLINE = 1e-9
"""How far two bodies of revolution that touch may be off one axis, over their size, and how their axes may differ."""


def check_touching(model: Model, timing: Timing) -> None:
    """Contact by multipliers is for methods that meet it at the end of a step of fixed length."""
    if model.touching is None:
        return
    names = [one["name"] for one in model.description["touching"]]
    known = " or ".join(f'"{name}"' for name in METHODS)
    if timing.implicit is None or timing.implicit.family != "alpha":
        why = f'touches by multipliers, which "{timing.method}" cannot meet'
        raise ModelError([Problem(names[0], f"{why}; give method={known} with step= [s]")])
    schemes = {one["normal"]["scheme"] for one in model.description["touching"]}
    if len(schemes) > 1:
        raise ModelError([Problem(names[0], f"contacts have the schemes {' and '.join(sorted(schemes))}; give one")])
    if not timing.fixed:
        raise ModelError([Problem(names[0], "touches by multipliers, which takes fixed steps; give step= [s]")])


def contact_kernels(model: Model) -> dict[str, Any]:
    """Kernels of the surface contact of a model, by the fields of `loop_records.Method`."""
    if model.touching is None:
        return {}
    from ..kernels.surface_contact.impulse_step import impulse_correction
    from ..kernels.surface_contact.momentum_balance import balance, begin_balance
    from ..kernels.surface_contact.saddle_point import resume_contact, saddle_point_correction, store_contact

    found = {"store": store_contact, "begin": begin_balance, "balance": balance}
    if is_by_impulse(model):
        return {"correct": impulse_correction, **found}
    return {"correct": saddle_point_correction, "resume": resume_contact, **found}


def operator_kernels(model: Model) -> dict[str, Any]:
    """Kernels of the linear operator of its corrections, by the fields of `LinearOperator`."""
    if model.touching is None:
        return {}
    if is_partitioned(model):
        from ..kernels.surface_contact import partitioned_operator as own

        found = {
            "refactor": own.partitioned_refactor,
            "residual": own.partitioned_residual,
            "correct": own.partitioned_correct,
            "solve": own.partitioned_solve,
            "compliance": own.partitioned_compliance,
            "multiply": own.partitioned_multiply,
        }
    else:
        from ..kernels.surface_contact import dense_operator as dense

        found = {
            "refactor": dense.dense_refactor,
            "residual": dense.dense_residual,
            "correct": dense.dense_correct,
            "solve": dense.dense_solve,
            "compliance": dense.dense_compliance,
            "multiply": dense.dense_multiply,
        }
    return found if is_by_impulse(model) else {**found, "multiply": None}


def node_name(model: Model, i: int) -> str:
    """What node i of those that touch by multipliers is called: the contact, and the number of its node."""
    from ..kernels.surface_contact.surface_layout import SurfaceNode

    tables = model.touching or {}
    return str(model.names.z[int(tables["nodes"][i, SurfaceNode.columns.latched])].removesuffix(".region"))


def why_surfaces(model: Model, surfaces: Any) -> tuple[str, str, str] | None:
    """(why, remedy, contact) where surfaces that touch kept a step from being made; None where they did not."""
    from ..kernels.surface_contact.surface_layout import (
        CAPACITY_EXCEEDED,
        CLOSED_AT_MOST,
        NO_STATES,
        OPEN,
    )

    if model.touching is None or surfaces is None:
        return None
    touching = np.flatnonzero((surfaces.state.columns.region != OPEN) | (surfaces.state.columns.closed == 1))
    fault, node = surfaces.fault.reason, surfaces.fault.node
    if fault == CAPACITY_EXCEEDED:
        why = f"more than {CLOSED_AT_MOST} nodes touch at once, and their forces are found by a dense matrix"
        return why, "name only the part of a surface that touches, take a coarser mesh there, or PressureContact", ""
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
    for one in model.description["touching"]:
        if one["first"].get("rings", False):
            check_one_axis(model, one, q)
    gaps = gaps_of(model, q[None], v[None])[0]
    worst = int(np.argmin(gaps))
    size = min(extent(model, one) for one in model.description["touching"])
    if gaps[worst] < -INSIDE * size:
        raise ModelError.at(
            node_name(model, worst),
            f"starts {-gaps[worst]:.3g} m inside of what it touches; move the bodies apart in the state",
        )


def check_one_axis(model: Model, one: dict[str, Any], q: np.ndarray) -> None:
    """Bodies of revolution that touch each other have one axis, and nothing moves one off that of the other: forces at
    a ring are taken at the half section, along the radius too."""
    bodies = [f"{one[which]['body']}.origin" for which in ("first", "second")]
    a, b = (model.pose(body, q) for body in bodies)
    apart, axis = b.position - a.position, a.rotation[:, 1]
    off = float(np.linalg.norm(apart - (apart @ axis) * axis))
    moved = model.jacobian(bodies[1], q) - model.jacobian(bodies[0], q)
    moved[3:] -= np.outer(axis, axis @ moved[3:])
    size = extent(model, one)
    remedy = "give both bodies the same axes, and joints that move them along y alone (Weld, Prismatic)"
    if off > INLINE * size or np.max(np.abs(b.rotation - a.rotation)) > INLINE:
        raise ModelError.at(one["name"], f"touches two bodies of revolution that are not on one axis; {remedy}")
    if np.any(np.abs(moved) > INLINE):
        free = model.names.v[int(np.argmax(np.max(np.abs(moved), axis=0)))]
        why = f'touches two bodies of revolution, and "{free}" takes one off the axis of the other'
        raise ModelError.at(one["name"], f"{why}; {remedy}")


def extent(model: Model, one: dict[str, Any]) -> float:
    """Size of the smaller solid of a contact by multipliers [m]; 1 without a solid."""
    sizes = [1.0]
    for side in (one["first"], one["second"]):
        if "surface" in side:
            body: Any = body_of(model, side["body"])
            sizes.append(float(np.max(np.ptp(body.nodes, axis=0))))
    return min(sizes)
