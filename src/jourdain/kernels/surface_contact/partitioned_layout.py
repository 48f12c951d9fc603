"""Where the numbers of surfaces that touch stand in a run whose unknowns are parted
(`kernels/integrate/partitioned/solver_layout.py`).

Rows of gaps and slips are dense over the rest, and have few entries on the coordinates of sparse bodies. What a unit
force on one such coordinate does to the others that a surface may touch with is constant in body axes, and is kept from
the first time that it is needed.
"""

from __future__ import annotations

import numpy as np

from ..columns import EV, KIND, PARENT, STATION, N
from ..contact.contact_layout import SHAPE_MARKER
from ..kind_registry import NODAL
from ..model_arrays import ModelArrays
from ..records import Record, f64, i64
from .surface_layout import MOST, PAIR_SHAPE

FACET_POINTS = 5
"""Points of a row: a node, and the corners of a facet."""

# PartedSurfaces.kept
KEPT_STEP, KEPT_MASS = 0, 1  # how many columns are kept
KEPT_MU, KEPT_NU = 2, 3  # of the step that they are of
LAID_NODES, LAID_PARTIALS, LAID_MU, LAID_NU = 4, 5, 6, 7  # nodes, derivatives and step of `by_step` and `by_mass`
TURNED_BY = 8  # last change of what roots are given, over the tolerances
KEPT = 9


class PartitionedSurfaces(Record, name="X"):
    """Rows and answers of the nodes that touch."""

    dofs = i64(1)  # (c,) entries of v, in sparse bodies, that rows may have
    number = i64(1)  # (nv,) their numbers, -1 elsewhere
    count = i64(1)  # (3 most,) entries of each row
    entries = i64(2)  # (3 most, wide) numbers of these
    values = f64(2)  # (3 most, wide)
    rest = f64(2)  # (3 most, r) its other entries
    driven = f64(1)  # (3 most,) rate of a gap or slip by prescribed entries: the mean of the step where impulses act
    left = f64(2)  # (3 most, s) what a row makes of the unknowns of the small matrix
    right = f64(2)  # (3 most, s) the unknowns of the small matrix for a unit force
    step_slot = i64(1)  # (c,) where the column of a coordinate is kept, -1 where it is not
    mass_slot = i64(1)
    step_columns = f64(2)  # (slots, c) of S^-1
    mass_columns = f64(2)  # of M_ee^-1
    kept = f64(1)  # (KEPT,)
    laid_node = i64(1)  # (most,) nodes and rows of `by_step` and `by_mass`
    laid_count = i64(1)
    laid_entries = i64(2)
    laid_values = f64(2)
    laid_rest = f64(2)
    by_step = f64(2)  # (3 most, 3 most) gaps and slips by forces, of the matrix of the step
    by_mass = f64(2)  # of the mass
    row = f64(1)  # (nv,) zero between calls
    unit = f64(1)  # (nv,) zero between calls
    answer = f64(1)  # (nv,) scratch
    more = f64(1)


def carried_dofs(arrays: ModelArrays, marker: int) -> list[int]:
    """Entries of v, in sparse bodies, that move a marker."""
    from ..bodies.nodal_layout import STATION_COUNT, STATION_ENTRY

    table, found = arrays.table, []

    def entries(body: int, at: int) -> None:
        if table[body, KIND] == NODAL and table[body, N] > 0:
            first = at + STATION_COUNT + 1
            count = int(arrays.floats[at + STATION_COUNT])
            numbers = arrays.floats[first : first + STATION_ENTRY * count : STATION_ENTRY]
            found.extend((int(table[body, EV]) + numbers.astype(np.int64)).tolist())

    body, at = (int(one) for one in arrays.marker_index[marker])
    entries(body, at)
    while body > 0:
        entries(int(table[body, PARENT]), int(table[body, STATION]))
        body = int(table[body, PARENT])
    return found


def partitioned_surfaces(
    arrays: ModelArrays, tables: dict[str, np.ndarray], rest: int, small: int
) -> PartitionedSurfaces:
    """Room for a run; `rest` unknowns are not of sparse bodies, and the small matrix has the size `small`."""
    nv = len(arrays.q_index)
    points = tables["points"].tolist()
    shapes = [row for row in tables["pairs"][:, PAIR_SHAPE].tolist() if row >= 0]
    moved = [
        carried_dofs(arrays, m) for m in [*points, *(int(arrays.shape_index[row, SHAPE_MARKER]) for row in shapes)]
    ]
    dofs = np.unique(np.array([one for some in moved for one in some], np.int64))
    number = np.full(nv, -1, np.int64)
    number[dofs] = np.arange(len(dofs))
    mortar = any(arrays_form(tables))
    widest = max([len(one) for one in moved], default=0)
    wide = min(len(dofs), (8 if mortar else 1) * (FACET_POINTS + 1) * widest)
    most = min(len(tables["nodes"]), MOST)
    slots = min(len(dofs), 6 * most)
    return PartitionedSurfaces(
        dofs,
        number,
        np.zeros(3 * most, np.int64),
        np.zeros((3 * most, wide), np.int64),
        np.zeros((3 * most, wide)),
        np.zeros((3 * most, rest)),
        np.zeros(3 * most),
        np.zeros((3 * most, small)),
        np.zeros((3 * most, small)),
        np.full(len(dofs), -1, np.int64),
        np.full(len(dofs), -1, np.int64),
        np.zeros((slots, len(dofs))),
        np.zeros((slots, len(dofs))),
        np.full(KEPT, -1.0) * (np.arange(KEPT) >= LAID_NODES),
        np.zeros(most, np.int64),
        np.zeros(3 * most, np.int64),
        np.zeros((3 * most, wide), np.int64),
        np.zeros((3 * most, wide)),
        np.zeros((3 * most, rest)),
        np.zeros((3 * most, 3 * most)),
        np.zeros((3 * most, 3 * most)),
        np.zeros(nv),
        np.zeros(nv),
        np.zeros(nv),
        np.zeros(nv),
    )


def arrays_form(tables: dict[str, np.ndarray]) -> list[bool]:
    """Whether each pair is a mortar: its rows have the nodes of several facets."""
    from .surface_layout import MORTAR, PAIR_FORM

    return (tables["pairs"][:, PAIR_FORM] == MORTAR).tolist()
