"""Connections and couplings laid flat for the kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..describe.constraints.connections import Connection, Coupling
from ..describe.motions import Motion
from ..kernels.kind_registry import COUPLING, RATE_COUPLING


class ConstraintTables(NamedTuple):
    """The arrays of `kernels.model_arrays.ModelArrays`, and the names of constraints and springs in their order."""

    constraints: np.ndarray
    constraint_floats: np.ndarray
    coupled_entries: np.ndarray
    strut_markers: np.ndarray
    strut_parameters: np.ndarray
    names: tuple[str, ...]
    struts_named: tuple[str, ...]


def lay_constraints(
    connections: list[Connection],
    couplings: list[Coupling],
    markers: Mapping[Any, int],
    entries: Callable[[str, bool], tuple[int, int]],
    neutral: np.ndarray,
    distance: Callable[[Connection], float],
) -> ConstraintTables:
    """Lays all of them flat.

    markers     numbers of the addresses, and of the second frames of connections that have a place of their own
    entries     entries of q and of v of a name, the first -1 for a coupling of velocities
    neutral     q of the zero configuration
    distance    of the two frames of a connection in the zero configuration [m]
    """
    from ..kernels.constraints.constraint_layout import MOVES, Constraint, CoupledEntry
    from ..kernels.tree.tree_rows import Strut

    table: list[np.ndarray] = []
    floats: list[float] = []
    coupled: list[tuple[int, int, int]] = []
    struts: list[tuple[int, int, list[float]]] = []
    row = 0

    def begin(code: int, rows: int, holonomic: int, numbers: Any) -> Constraint:
        nonlocal row
        one = Constraint(np.full(Constraint.size, -1, np.int64))
        one.kind, one.row, one.rows, one.holonomic = code, row, rows, holonomic
        one.floats, one.entry, one.entries = len(floats), len(coupled), 0
        floats.extend(np.asarray(numbers, float).tolist())
        row += rows
        table.append(one.numbers)
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
        if e.kind == "rod" and e.length is None and not far > 0.0 and one.active:
            raise ModelError.at(
                e.name, "its frames are in one place in the zero configuration; give length=, or Spherical"
            )
        code, numbers = e.closing(far)
        laid = begin(code, e.rows[0], e.rows[1], numbers)
        laid.marker_A, laid.marker_B = ends
        if e.kind == "rod" and isinstance(e.length, Motion):
            laid.motion, laid.motion_floats = move(e.length, far, e.name)
        if one.moves is not None:
            moved = [(-1.0, 0.0) if motion is None else move(motion, 0.0, e.name) for motion in one.moves]
            laid.motion, laid.motion_floats = MOVES, len(floats)
            floats.extend(np.array(moved, float).ravel().tolist())
    for coupling in couplings:
        goal = 0.0 if isinstance(coupling.value, Motion) else coupling.value
        code = RATE_COUPLING if coupling.rates else COUPLING
        laid = begin(code, 1, 0 if coupling.rates else 1, [goal, *coupling.terms.values()])
        start = 0.0
        for j, (name, k) in enumerate(coupling.terms.items()):
            at_q, at_v = entries(name, coupling.rates)
            coupled.append((at_q, at_v, laid.floats + 1 + j))
            start += 0.0 if coupling.rates else k * neutral[at_q]
        laid.entries = len(coupling.terms)
        if isinstance(coupling.value, Motion):
            laid.motion, laid.motion_floats = move(coupling.value, start, coupling.name)
    return ConstraintTables(
        constraints=np.array(table, np.int64).reshape(-1, Constraint.size),
        constraint_floats=np.array(floats, np.float64),
        coupled_entries=np.array(coupled, np.int64).reshape(-1, CoupledEntry.size),
        strut_markers=np.array([(a, b) for a, b, _ in struts], np.int64).reshape(-1, 2),
        strut_parameters=np.array([numbers for *_, numbers in struts], np.float64).reshape(-1, Strut.size),
        names=(*(one.name for one in connections if one.constrains), *(one.name for one in couplings)),
        struts_named=tuple(one.name for one in connections if not one.constrains),
    )
