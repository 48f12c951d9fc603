"""Connections and couplings laid flat for the kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..errors import ModelError
from ..joints import plane_axes, unit
from ..motions import Motion
from .connections import Connection
from .couplings import Coupling

JOINT_ROWS = {
    "weld": 6,
    "revolute": 5,
    "prismatic": 5,
    "screw": 5,
    "cylindrical": 4,
    "universal": 4,
    "spherical": 3,
    "planar": 3,
}
"""Rows of the joints that close loops."""


class Laid(NamedTuple):
    """The arrays of `kernels.layout.ModelArrays`, and the names of constraints and springs in their order."""

    constraint_index: np.ndarray
    constraint_floats: np.ndarray
    constraint_entries: np.ndarray
    strut_index: np.ndarray
    struts: np.ndarray
    names: tuple[str, ...]
    struts_named: tuple[str, ...]


def rows_of(connection: Connection) -> tuple[int, int]:
    """How many rows a connection has, and how many of these are holonomic."""
    kind = connection.element.kind
    if kind in JOINT_ROWS:
        return JOINT_ROWS[kind], JOINT_ROWS[kind]
    return {"rod": (1, 1), "rolling": (3, 1), "no-slip": (1, 0), "spring": (0, 0)}[kind]


def lay_constraints(
    connections: list[Connection],
    couplings: list[Coupling],
    markers: Mapping[Any, int],
    entries: Callable[[str, bool], tuple[int, int]],
    neutral: np.ndarray,
    distance: Callable[[Connection], float],
) -> Laid:
    """Lays all of them flat.

    markers     numbers of the addresses, and of the second frames of connections that have a place of their own
    entries     entries of q and of v of a name, the first -1 for a coupling of velocities
    neutral     q of the zero configuration
    distance    of the two frames of a connection in the zero configuration [m]
    """
    from ..kernels.constraints import layout as C

    index: list[np.ndarray] = []
    floats: list[float] = []
    coupled: list[tuple[int, int, int]] = []
    struts: list[tuple[int, int, list[float]]] = []
    row = 0

    def begin(code: int, rows: int, holonomic: int, numbers: Any) -> np.ndarray:
        nonlocal row
        one = np.full(C.CONSTRAINT, -1, np.int64)
        one[[C.CODE, C.ROW, C.ROWS, C.HOLONOMIC, C.FLOATS]] = code, row, rows, holonomic, len(floats)
        one[[C.ENTRIES, C.COUNT]] = len(coupled), 0
        floats.extend(np.asarray(numbers, float).tolist())
        row += rows
        index.append(one)
        return one

    def move(motion: Motion, value: float, name: str) -> tuple[int, int]:
        at = len(floats)
        floats.extend(motion.numbers(value, name).tolist())
        return motion.code, at

    for one in connections:
        e, ends = one.element, (markers[one.first], markers[one if one.placed else one.second])
        if not one.constrains:
            length = distance(one) if e.length is None else e.length
            struts.append((*ends, [e.stiffness, length, e.damping, e.force]))
            continue
        far = distance(one) if e.kind == "rod" and not isinstance(e.length, float) else 0.0
        if e.kind == "rod" and e.length is None and not far > 0.0:
            raise ModelError.at(
                e.name, "its frames are in one place in the zero configuration; give length=, or Spherical"
            )
        code, numbers = _numbers(e, far)
        laid = begin(code, *rows_of(one), numbers)
        laid[[C.FIRST, C.SECOND]] = ends
        if e.kind == "rod" and isinstance(e.length, Motion):
            laid[[C.MOTION, C.MOTION_FLOATS]] = move(e.length, far, e.name)
        if one.moves is not None:
            moved = [(-1.0, 0.0) if motion is None else move(motion, 0.0, e.name) for motion in one.moves]
            laid[[C.MOTION, C.MOTION_FLOATS]] = C.MOVES, len(floats)
            floats.extend(np.array(moved, float).ravel().tolist())
    for one in couplings:
        goal = 0.0 if isinstance(one.value, Motion) else one.value
        code = C.RATE_COUPLING if one.rates else C.COUPLING
        laid = begin(code, 1, 0 if one.rates else 1, [goal, *one.terms.values()])
        start = 0.0
        for j, (name, k) in enumerate(one.terms.items()):
            at_q, at_v = entries(name, one.rates)
            coupled.append((at_q, at_v, int(laid[C.FLOATS]) + C.GOAL + 1 + j))
            start += 0.0 if one.rates else k * neutral[at_q]
        laid[C.COUNT] = len(one.terms)
        if isinstance(one.value, Motion):
            laid[[C.MOTION, C.MOTION_FLOATS]] = move(one.value, start, one.name)
    return Laid(
        np.array(index, np.int64).reshape(-1, C.CONSTRAINT),
        np.array(floats, np.float64),
        np.array(coupled, np.int64).reshape(-1, C.ENTRY),
        np.array([(a, b) for a, b, _ in struts], np.int64).reshape(-1, 2),
        np.array([numbers for *_, numbers in struts], np.float64).reshape(-1, C.STRUT),
        (*(one.name for one in connections if one.constrains), *(one.name for one in couplings)),
        tuple(one.name for one in connections if not one.constrains),
    )


def _numbers(e: Any, far: float) -> tuple[int, Any]:
    """Kind of a constraint between two frames, and its numbers."""
    from ..kernels import layout as L
    from ..kernels.constraints import layout as C

    if e.kind == "rod":
        return C.ROD, [e.length if isinstance(e.length, float) else far]
    if e.kind == "rolling":
        axis = np.zeros(3) if e.axis is None else unit(e.axis)
        return C.ROLLING, [e.radius, 0.0 if e.axis is None else 1.0, *axis]
    if e.kind == "no-slip":
        return C.NO_SLIP, unit(e.direction)
    code = getattr(L, e.kind.upper())
    if e.kind == "universal":
        a, b = (unit(axis) for axis in e.axes)
        return code, [*a, *b, a @ b, 1.0 / np.linalg.norm(np.cross(a, b))]
    if e.kind in ("weld", "spherical"):
        return code, np.eye(3).ravel()
    z = unit(e.normal if e.kind == "planar" else e.axis)
    x, y = plane_axes(z)
    axes = np.column_stack([x, y, z]).ravel()
    return code, [*axes, e.pitch] if e.kind == "screw" else axes
