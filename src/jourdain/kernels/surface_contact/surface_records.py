"""Records of surface contact: tables and scratch of the nodes, the rows of their gaps and slips, cached compliances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kind_registry import NODAL
from ..model_arrays import ModelArrays
from ..records import NestedRecord, Record, f64, i64, row
from ..records import rows as table
from .surface_layout import (
    CLOSED_AT_MOST,
    MORTAR,
    CachedColumns,
    CachedFactors,
    Facet,
    FacetBox,
    FacetGroup,
    Fault,
    NodeContact,
    NodeState,
    PolygonCorner,
    SurfaceLaw,
    SurfaceNode,
    SurfacePair,
    SurfacePoint,
    TreeMomentum,
)

FACET_POINTS = 5
"""Points of a row: a node, and the corners of a facet."""


class ContactRows(Record, name="X"):
    """The derivatives P of gaps and slips by the velocities: three rows for each node that may touch.

    A row is dense over the coordinates of no sparse body, `others`, which in models without such bodies are all, and
    has few entries on those of sparse bodies.
    """

    others = i64(1)  # (r,) entries of v
    dense = f64(2)  # (3 most, r)
    dofs = i64(1)  # (c,) entries of v, in sparse bodies, that rows may have
    number = i64(1)  # (nv,) their numbers, -1 elsewhere
    count = i64(1)  # (3 most,) entries of each row there
    entries = i64(2)  # (3 most, wide) numbers of these
    values = f64(2)  # (3 most, wide)
    driven = f64(1)  # (3 most,) rates by prescribed entries: with impulses by their mean velocity over the step
    row = f64(1)  # (nv,) zero between calls


class ComplianceColumns(Record, name="Cc"):
    """What a partitioned operator remembers, so that Delassus operators are not made anew in every correction.

    What a unit force on a coordinate of a sparse body does to the others that a surface may touch with is constant in
    body axes: such columns of S^-1 and M^-1 are cached from the first time that they are needed. The operators
    themselves serve as long as their rows hardly turn.
    """

    left = f64(2)  # (3 most, s) what a row makes of the unknowns of the small matrix
    right = f64(2)  # (3 most, s) the unknowns of the small matrix for a unit force
    step_slot = i64(1)  # (c,) where the column of a coordinate is cached, -1 where it is not
    mass_slot = i64(1)
    step_columns = f64(2)  # (slots, c) of S^-1
    mass_columns = f64(2)  # of M_ee^-1
    cached = row(CachedColumns)
    laid_node = i64(1)  # (most,)
    laid_count = i64(1)  # (3 most,) as `ContactRows`
    laid_entries = i64(2)
    laid_values = f64(2)
    laid_dense = f64(2)
    unit = f64(1)  # (nv,) zero between calls


class SurfaceContact(Record, name="F"):
    """Tables and scratch of the surfaces of a run."""

    pairs = table(SurfacePair)
    laws = table(SurfaceLaw)
    nodes = table(SurfaceNode)
    points = i64(1)  # (k,) markers
    facets = table(Facet)
    groups = table(FacetGroup)
    rows = NestedRecord(ContactRows)
    columns = NestedRecord(ComplianceColumns)  # None where matrices are dense
    place = table(SurfacePoint)
    weights = f64(2)  # (n, k)
    arrows = f64(2)  # (n, 3 k) of the mortar form: how a gap changes with the points, a direction each
    node = table(NodeContact)
    state = table(NodeState)
    active = i64(1)  # (most,) nodes that touch or may
    compliance = f64(2)  # (3 most, 3 most) gap and slip by a unit force
    inertial = f64(2)  # (3 most, 3 most) P M^-1 P^T: rate and slip by a unit impulse
    damped = f64(2)  # P S^-1 C M^-1 P^T / mu: what the smooth motion loses by the damping of that
    stiffened = f64(2)  # P S^-1 K M^-1 P^T / mu: and by a displacement M^-1 P^T
    free = f64(1)  # (3 most,) gap and slip without forces
    force = f64(1)  # (3 most,)
    matrix = f64(2)  # (4 most, 4 most) factors of what is unknown of forces and pushes
    right = f64(1)
    sizes = f64(1)
    pivots = i64(1)
    unknown = i64(1)  # (4 most,) what is unknown
    column = i64(1)  # (4 most,) entries of it in `force` and `push`
    cached = row(CachedFactors)
    cached_node = i64(1)  # (most,)
    cached_unknown = i64(1)  # (4 most,)
    moved = f64(1)  # (3 most,) gap or rate, and slip, under the forces
    mu = f64(1)  # (most,) coefficients of sliding nodes
    mark = i64(1)  # (most,) 1 where a node cannot stick
    closing = f64(2)  # (most, most) what a unit push does to gaps
    couple = f64(2)  # (most, 3 most) what a unit impulse does to them
    back = f64(2)  # (3 most, most) what a unit push does to rates and slips
    gap = f64(1)  # (most,) gaps without pushes
    gap_free = f64(1)  # (most,) and without impulses
    rate_free = f64(1)  # (3 most,) rates and slips without both
    push = f64(1)  # (most,) what meets gaps [N s^2]
    before = f64(1)  # (3 most,) forces of the last turn
    old = f64(1)  # (3 most,) impulses and pushes that the trial was made with
    old_push = f64(1)  # (most,)
    jump = f64(2)  # (6, nv): displacement and velocity that impulses make in this step; scratch
    effort = f64(1)  # (nv,) scratch: generalised forces
    answer = f64(1)  # (m,) scratch: all unknowns of a dense correction, else velocities
    mass = f64(2)  # (nv + nr, nv + nr) dense factors of mass and constraints
    mass_pivots = i64(1)
    mass_right = f64(1)
    known = i64(1)  # (1,) derivatives that these factors are of
    loss = f64(1)  # (2,) what surfaces take in this step, and what moves prescribed entries against them, both apart
    # from rates that the ledger has [J]
    floor = f64(1)  # (1,) size of a correction that may be rounding
    boxes = table(FacetBox)  # of the groups
    polygon = table(PolygonCorner)  # scratch of the mortar form in space: two polygons of ten corners
    fault = row(Fault)
    trees = i64(1)  # (trees,) roots of the trees whose momentum is conserved
    balance = table(TreeMomentum)
    by_impulse = i64(1)  # (1,) 1 where surfaces touch by impulses
    energy = f64(1)  # (2,) at the start of the step: all, and that of motion and strain [J]
    turn = f64(2)  # (trees, 6) velocity that each root is given in this step
    turned = f64(2)  # (trees, 6) scratch
    turned_by = f64(1)  # (1,) last change of `turn`, over the tolerances
    root = f64(2)  # (6, 6) inertia of a tree by the entries of its root
    root_right = f64(1)
    root_sizes = f64(1)
    root_pivots = i64(1)


def other_entries(arrays: ModelArrays) -> np.ndarray:
    """Entries of v that belong to no sparse body."""
    inside = np.zeros(len(arrays.q_index), bool)
    for node in arrays.tree:
        if node.kind == NODAL:
            inside[node.ev : node.ev + node.ne] = True
    return np.flatnonzero(~inside).astype(np.int64)


def carried_dofs(arrays: ModelArrays, marker: int) -> list[int]:
    """Entries of v, in sparse bodies, that move a marker."""
    from ..bodies.nodal_layout import STATION_COUNT, STATION_ENTRY

    tree, found = arrays.tree, []

    def entries(body: int, at: int) -> None:
        if tree[body].kind == NODAL and tree[body].ne > 0:
            first = at + STATION_COUNT + 1
            count = int(arrays.floats[at + STATION_COUNT])
            numbers = arrays.floats[first : first + STATION_ENTRY * count : STATION_ENTRY]
            found.extend((tree[body].ev + numbers.astype(np.int64)).tolist())

    body = arrays.markers[marker].body
    entries(body, arrays.markers[marker].station)
    while body > 0:
        entries(tree[body].parent, tree[body].station)
        body = tree[body].parent
    return found


def contact_rows(arrays: ModelArrays, tables: dict[str, np.ndarray]) -> ContactRows:
    """Rows of the nodes that may touch at once."""
    nv, most = len(arrays.q_index), min(len(tables["nodes"]), CLOSED_AT_MOST)
    shapes = [row for row in tables["pairs"][:, SurfacePair.columns.shape].tolist() if row >= 0]
    markers = [*tables["points"].tolist(), *(arrays.shapes[row].marker for row in shapes)]
    moved = [carried_dofs(arrays, m) for m in markers]
    dofs = np.unique(np.array([one for some in moved for one in some], np.int64))
    number = np.full(nv, -1, np.int64)
    number[dofs] = np.arange(len(dofs))
    # the row of a mortar has the nodes of several facets
    facets = 8 if np.any(tables["pairs"][:, SurfacePair.columns.form] == MORTAR) else 1
    wide = min(len(dofs), facets * (FACET_POINTS + 1) * max(map(len, moved), default=0))
    others = other_entries(arrays)
    shapes_of = {"count": 3 * most, "entries": (3 * most, wide), "values": (3 * most, wide)}
    shapes_of |= {"dense": (3 * most, len(others)), "driven": 3 * most, "row": nv}
    return ContactRows.zeros(shapes_of, others=others, dofs=dofs, number=number)


def compliance_columns(rows: ContactRows, small: int) -> ComplianceColumns:
    """For the rows of a run, where the small matrix of the partition has the size `small`."""
    n, dofs = len(rows.count), len(rows.dofs)
    slots = min(dofs, 6 * (n // 3))
    shapes: dict[str, Any] = dict.fromkeys(("step_columns", "mass_columns"), (slots, dofs))
    shapes |= {"left": (n, small), "right": (n, small)}
    shapes |= {"laid_node": n // 3, "laid_count": n, "laid_entries": rows.entries.shape}
    shapes |= {"laid_values": rows.values.shape, "laid_dense": rows.dense.shape, "unit": len(rows.row)}
    unlaid = CachedColumns.made(laid_nodes=-1, laid_jacobian=-1, laid_mu=-1.0, laid_nu=-1.0).numbers
    return ComplianceColumns.zeros(shapes, step_slot=np.full(dofs, -1), mass_slot=np.full(dofs, -1), cached=unlaid)


def surface_contact(
    arrays: ModelArrays,
    tables: dict[str, np.ndarray],
    unknowns: int,
    multipliers: int = 0,
    small: int = -1,
    trees: tuple[int, ...] = (),
    by_impulse: bool = True,
) -> SurfaceContact:
    """The record of a run.

    unknowns      of a correction
    multipliers   of constraints among those
    small         where the unknowns are partitioned, the size of the small matrix (`solver_layout`), else -1
    trees         roots of those whose momentum is conserved (`momentum_balance.py`)
    """
    nv, n, k = len(arrays.q_index), len(tables["nodes"]), len(tables["points"])
    most = min(n, CLOSED_AT_MOST)  # nodes that may touch at once
    square = nv + multipliers if small < 0 and by_impulse else 0
    rows = contact_rows(arrays, tables)
    node = np.zeros((n, NodeContact.size))
    node[:, NodeContact.columns.radius] = tables["radius"]
    state = np.zeros((n, NodeState.size), np.int64)
    state[:, NodeState.columns.facet] = -1  # no node is over a facet yet
    laid = ("pairs", "laws", "nodes", "points", "facets", "groups")
    of_nodes: dict[str, int | tuple[int, ...]] = dict.fromkeys(("active", "cached_node", "mu", "mark"), most)
    of_nodes |= dict.fromkeys(("gap", "gap_free", "push", "old_push"), most)
    of_nodes |= dict.fromkeys(("free", "force", "sizes", "moved", "rate_free", "before", "old"), 3 * most)
    of_nodes |= {"compliance": (3 * most, 3 * most)}
    impulses = 3 * most if by_impulse else 0
    of_nodes |= dict.fromkeys(("inertial", "damped", "stiffened"), (impulses, impulses))
    of_nodes |= dict.fromkeys(("right", "pivots", "unknown", "column", "cached_unknown"), 4 * most)
    of_nodes |= {"matrix": (4 * most, 4 * most), "closing": (most, most)}
    of_nodes |= {"couple": (most, 3 * most), "back": (3 * most, most)}
    mortar = np.any(tables["pairs"][:, SurfacePair.columns.form] == MORTAR)
    places = {"place": (k, SurfacePoint.size), "weights": (n, k), "arrows": (n if mortar else 0, 3 * k)}
    system: dict[str, Any] = {"jump": (6, nv), "effort": nv, "answer": nv if small >= 0 else unknowns}
    system |= {"mass": (square, square), "mass_pivots": square, "mass_right": square}
    scratch: dict[str, Any] = {
        "boxes": (len(tables["groups"]), FacetBox.size),
        "polygon": (20, PolygonCorner.size),
        "fault": 2,
        "loss": 2,
        "floor": 1,
        "energy": 2,
    }
    momentum: dict[str, Any] = {
        "balance": (len(trees), TreeMomentum.size),
        "turn": (len(trees), 6),
        "turned": (len(trees), 6),
    }
    momentum |= {"turned_by": 1, "root": (6, 6), "root_right": 6, "root_sizes": 6, "root_pivots": 6}
    return SurfaceContact.zeros(
        {**of_nodes, **places, **system, **scratch, **momentum},
        **{name: np.array(tables[name], order="C") for name in laid},
        rows=rows,
        columns=compliance_columns(rows, small) if small >= 0 else None,
        node=node,
        state=state,
        cached=np.full(2, -1, np.int64),
        known=np.full(1, -1, np.int64),
        trees=np.array(trees, np.int64),
        by_impulse=np.full(1, by_impulse, np.int64),
    )
