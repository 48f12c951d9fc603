"""The partition of the unknowns of an implicit step: those of bodies with sparse matrices, and all the rest.

With r the rest, e the coordinates of the sparse bodies, and U the shapes of the ports, the markers at which they carry
other bodies of inertia Q, the matrix of a correction (`implicit_layout`, displacements eliminated) is

    [ A  B               ]      S = M_ee + C_ee / mu + K_ee / (mu nu),
    [ C  S + U Q U^T     ]

S constant in body axes, sparse, factored once a step size. With p = Q U^T x_e as unknowns too, the elimination of x_e
leaves a small dense matrix, the Schur complement (Kim 1999, section 4.3.1, with rest and ports in the place of the
frame's turning):

    x_e = S^-1 (b_e - C x_r - U p),    (A - B S^-1 C) x_r - B S^-1 U p = b_r - B S^-1 b_e,
                                       (1 + Q U^T S^-1 U) p + Q U^T S^-1 C x_r = Q U^T S^-1 b_e.

A and C are columns of M + C / mu + K / (mu nu), the derivatives K and C by differences; B is M alone, with surface
contact also what moments of forces change by (`matrix_updates`), and S has what is elastic. What that leaves out are
forces of velocities and weights that change with e: of the order of the step times the angular velocity, so that
corrections converge as fast.

What else acts on sparse bodies, contacts, springs and laws, changes with few of their coordinates only
(`applied_forces`): with E their columns of the unit matrix, and X_E the true columns, by differences, of a whole matrix
that is X0 + (X_E - X0 E) E^T, Woodbury's formula gives, without products with X0,

    x = x0 - Z (E^T X0^-1 X_E)^-1 E^T x0,    x0 = X0^-1 b,    Z = X0^-1 X_E - E.

Multipliers of loops are unknowns too (`correction`): with X the whole matrix above and A the rows of the loops, both of
the last derivatives, X x = b + A^T l and A x = g leave A X^-1 A^T l = g - A X^-1 b, a dense matrix of the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...bodies.nodal_layout import STEP_FACTOR
from ...kind_registry import NODAL
from ...linalg.supernodal_cholesky import FactorHeader
from ...model_arrays import ModelArrays
from ...parallel.sparse_solve_layout import Solving
from ...records import Function, NestedRecord, Record, f64, i64, row
from ...rows import Row
from ...surface_contact.surface_records import carried_dofs, other_entries


class FactorsAtHand(Row):
    """`Partition.at_hand`; -1 where there is none."""

    mu: float  # of the factor S
    nu: float
    step: int  # number of the Jacobian that the small matrix of the step is of
    mass: int  # and that of the mass


MOST_APPLIED = 480
"""Coordinates at most by which forces on sparse bodies are differentiated; of more the matrix has the first ones, and
stiff contacts at the others let corrections diverge."""


class FactorColumns(Record, name="Y"):
    """What one matrix, that of a step or the mass, answers to.

    answer    (r + 6 ports, nv) S^-1 C and S^-1 U
    row       (r, nv) B
    back      (r, nv) S^-1 B^T
    whole     (r + 6 ports, same) the small matrix
    small     its factors
    change    by how much it changes with the deformation, scratch
    """

    answer = f64(2)
    row = f64(2)
    back = f64(2)
    whole = f64(2)
    small = f64(2)
    change = f64(2)
    pivots = i64(1)
    right = f64(1)
    sizes = f64(1)


class Loops(Record, name="Q"):
    """Rows of the constraints at the last derivatives, and what their forces do.

    count     (nr,) entries of each row that are not prescribed
    entries   (nr, wide) their places in v
    values    (nr, wide)
    answer    (nr, nv) X^-1 A^T
    small     (nr, nr) factors of A X^-1 A^T
    """

    count = i64(1)
    entries = i64(2)
    values = f64(2)
    answer = f64(2)
    small = f64(2)
    pivots = i64(1)
    right = f64(1)
    sizes = f64(1)


class SparseBodyForces(Record, name="E"):
    """Coordinates of sparse bodies by which what acts on them changes, and what that does.

    shapes    rows of the shapes that such bodies carry
    always    markers on them at which something acts at all times
    count     (1,) how many coordinates there are now, after the last factorisation
    entries   (most,) their places in v
    mark      (nv,) 1 for those
    columns   (most, nv) Z
    small     (most, most) factors of E^T X0^-1 X_E
    """

    shapes = i64(1)
    always = i64(1)
    count = i64(1)
    entries = i64(1)
    mark = i64(1)
    columns = f64(2)
    small = f64(2)
    pivots = i64(1)
    right = f64(1)
    sizes = f64(1)


ANSWER = Function(types.none, ModelArrays, "N", types.int64, types.float64[::1], types.float64[::1])
FACTOR_OF = Function(types.int64, ModelArrays, "N", types.int64)


class Partition(Record, name="N"):
    """Tables and scratch of the partition of a run."""

    at_hand = row(FactorsAtHand)
    bodies = i64(1)  # rows of the sparse bodies
    rest = i64(1)  # (r,) entries of v that belong to none of them
    place = i64(1)  # (nv,) place of an entry among those, -1 elsewhere
    ports = i64(1)  # bodies that they carry
    values = f64(1)  # factors of all S
    value_at = i64(1)  # (nb,) where that of a body begins
    links = i64(1)  # scratch of a factorisation
    update = f64(1)
    spare = f64(1)
    mass = f64(2)  # (r, nv) columns of the mass matrix
    placed = f64(1)  # (nv,) coordinates of the sparse bodies that these are of
    stiffness = f64(2)  # (r, nv) of the derivatives by displacements
    damping = f64(2)  # (r, nv) by velocities
    shapes = f64(2)  # (6 ports, nv) U^T
    inertia = f64(2)  # (6 ports, 6) Q
    motion = f64(2)  # (nb, 12) motion of the bodies and what it takes
    vectors = f64(2)  # (6, nv) scratch
    step = NestedRecord(FactorColumns)
    weight = NestedRecord(FactorColumns)
    loops = NestedRecord(Loops)
    applied = NestedRecord(SparseBodyForces)
    answer = ANSWER  # of several threads: solves with the factors
    factor = FACTOR_OF  # of several threads: makes one
    solving = NestedRecord(Solving)  # what these share, None for one thread


def loops(arrays: ModelArrays, rows: int, rest: int) -> Loops:
    """For the rows of the constraints; `rest` unknowns are not of sparse bodies."""
    nv, wide = len(arrays.q_index), 0
    for one in arrays.constraints if rows else ():
        markers = [m for m in (one.marker_A, one.marker_B) if m >= 0]
        inside = sum(len(carried_dofs(arrays, m)) for m in markers)
        wide = max(wide, min(nv, rest + inside + one.entries))
    shapes = dict.fromkeys(("count", "pivots", "right", "sizes"), rows)
    return Loops.zeros(
        shapes | {"entries": (rows, wide), "values": (rows, wide), "answer": (rows, nv), "small": (rows, rows)}
    )


def applied_forces(arrays: ModelArrays, markers: list[int]) -> SparseBodyForces:
    """For what acts at shapes, at the ends of springs, and at the markers `markers`."""
    nv = len(arrays.q_index)
    touched, pulled = arrays.shapes.columns.marker.tolist(), [*arrays.strut_markers.array.ravel().tolist(), *markers]
    carried = {m: len(carried_dofs(arrays, m)) for m in {*touched, *pulled}}
    most = min(MOST_APPLIED, sum(carried.values()))
    shapes = dict.fromkeys(("entries", "pivots", "right", "sizes"), most)
    return SparseBodyForces.zeros(
        shapes | {"count": 1, "mark": nv, "columns": (most, nv), "small": (most, most)},
        shapes=np.array([i for i, m in enumerate(touched) if carried[m]], np.int64),
        always=np.array([m for m in dict.fromkeys(pulled) if carried[m]], np.int64),
    )


def factor_columns(nv: int, rest: int, small: int) -> FactorColumns:
    """For one matrix, of `small` unknowns after the elimination of sparse bodies."""
    shapes = dict.fromkeys(("whole", "small", "change"), (small, small)) | dict.fromkeys(("row", "back"), (rest, nv))
    return FactorColumns.zeros(shapes | {"answer": (small, nv), "pivots": small, "right": small, "sizes": small})


def partition(arrays: ModelArrays, rows: int, markers: list[int]) -> Partition:
    """The record of a run of a model that has sparse bodies.

    rows        of constraints whose multipliers are unknowns
    acting      markers at which laws act
    """
    node, nv = arrays.tree.columns, len(arrays.q_index)
    # where the factor of each sparse body begins, and the scratch that the largest takes
    bodies = np.flatnonzero((node.kind == NODAL) & (node.ne > 0))
    value_at, total = np.zeros(len(arrays.tree), np.int64), 0
    links = update = spare = 1
    for i in bodies:
        own = node.integers[i]
        header = FactorHeader(arrays.integers[own + arrays.integers[own + STEP_FACTOR] :])
        value_at[i], total = total, total + header.values
        links, update = max(links, 3 * header.panels + header.n), max(update, header.widest)
        spare = max(spare, 2 * int(node.ne[i]))
    # the other unknowns, and the bodies that sparse ones carry, whose joints are ports
    rest = other_entries(arrays)
    place = np.full(nv, -1, np.int64)
    place[rest] = np.arange(len(rest))
    ports = np.flatnonzero(np.isin(node.parent, bodies) & (np.arange(len(arrays.tree)) > 0))
    r, p = len(rest), 6 * len(ports)
    shapes: dict[str, Any] = dict.fromkeys(("mass", "stiffness", "damping"), (r, nv))
    shapes |= {"shapes": (p, nv), "inertia": (p, 6)}
    shapes |= {"values": total, "links": links, "update": update, "spare": spare}
    return Partition.zeros(
        shapes | {"placed": nv, "motion": (len(arrays.tree), 12), "vectors": (6, nv)},
        at_hand=np.full(FactorsAtHand.size, -1.0),
        bodies=bodies.astype(np.int64),
        rest=rest,
        place=place,
        ports=ports.astype(np.int64),
        value_at=value_at,
        step=factor_columns(nv, r, r + p),
        weight=factor_columns(nv, r, r + p),
        loops=loops(arrays, rows, r),
        applied=applied_forces(arrays, markers),
        answer=None,
        factor=None,
        solving=None,
    )
