"""Where the numbers of surfaces that touch by multipliers stand.

A pair is a surface whose nodes touch, and what they touch: a rigid shape, or facets of another surface. A node's gap
is linear in the places of the points around it, n . sum_k weights[k] x_k, less the shape's own place.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..model_arrays import ModelArrays
from ..records import Record, f64, i64

# Touching.pairs
PAIR_SHAPE = 0  # row of the shape that is touched, -1 where it is a surface
PAIR_FACET = 1  # first facet that is touched
PAIR_FACETS = 2
PAIR_OWN = 3  # first facet of the surface whose nodes touch
PAIR_OWNS = 4
PAIR_NODE = 5  # first node
PAIR_NODES = 6
PAIR_FORM = 7  # NODE or MORTAR
PAIR_PLANE = 8  # marker whose z axis is across the plane of the segments, -1 in space
PAIR_FRICTION = 9  # 1 where there is friction
PAIR_GROUP = 10  # first group of the facets that are touched
PAIR_GROUPS = 11
PAIR_FELT = 12  # row of Workspace.felt
PAIR_SIGN = 13  # 1 where the nodes are those of the first body named, -1 of the second
PAIR_BODY = 14  # marker at the origin of the first body
PAIR_COLUMNS = 15
NODE, MORTAR = 0, 1

# Touching.numbers, of a pair
MU_STATIC, MU_KINETIC, MU_SPEED = 0, 1, 2
REACH = 3  # how deep behind a facet is still inside of it [m]
ALLOWED = 4  # gap that may be left where a gap is to be met [m]
SOFTENED = 5  # compliance of a normal force that is added to its own, over the mean
PAIR_NUMBERS = 6

# Touching.nodes
NODE_POINT, NODE_PAIR, NODE_LATCHED = 0, 1, 2
NODE_COLUMNS = 3

# Touching.facets: how many points, their numbers, the nodes of its pair that are there, -1 where none, and where the
# surface ends or turns away, in bits (`search.GONE`)
FACET_POINT, FACET_NODE, FACET_RIM = 1, 5, 9
FACET = 10
TOGETHER = 8
"""Facets of a group, which lie beside each other: those of a far group are not looked at."""

# Touching.node: what is known of a node at the last evaluation
NODE_GAP = 0  # [m]
NODE_NORMAL = 1  # out of what is touched, world axes
NODE_ALONG = 4  # tangents
NODE_ACROSS = 7
NODE_SLIP = 10  # velocity relative to what is touched, along both tangents [m/s]
NODE_FORCE = 12  # on the node, world axes [N]
NODE_OUT = 15  # outward normal of the surface at the node; zero where it has no facets
NODE_SIDE = 18  # unit slip against which friction acts, along both tangents
NODE_RADIUS = 20  # of the ball around it, 0 of a node [m]
NODE_AREA = 21  # mortar: of the part of the surface that its gap is the mean of [m^2 or m]
NODE_RATE = 22  # of the gap [m/s]
NODE_START = 23  # rate and slips at the start of the step [m/s]
NODE_PUSH = 26  # what meets its gap, of the last correction [N s^2]
NODE_SEEN = 27  # normal at the start of the step, zero where there is none yet
NODE_FLOATS = 30

# Touching.state: regions of the friction law (Kim 1999, section 4.2.4) now, at the start of the step, and the facet
REGION, REGION_START, REGION_BEFORE, ON_FACET = 0, 1, 2, 3
CLOSED = 4  # 1 where its gap is met, so that velocities are too
TWIN = 5  # 1 more than the node that it meets, and that touches in its place; 0 where there is none
STATE_COLUMNS = 6
OPEN, STICK, SLIPPING, SLIDING, REVERSING = 0, 1, 2, 3, 4

# Touching.fault: why the last step could not be made, and a node that has to do with it
FAULT, FAULT_NODE = 0, 1
NO_FAULT, NO_STATES, NO_ROOM, UNSETTLED = 0, 1, 2, 3

# Touching.balance: wrenches and momenta of a tree (angular or moment, linear or force), about the world's origin
OF_MOMENTUM = 0  # at the start of the step
OF_WRENCH, OF_MEAN = 6, 12  # what acts there, and its mean as the method has it
OF_TRIAL_WRENCH, OF_TRIAL_MEAN = 18, 24  # the same at the end
OF_SURFACES = 30  # forces of surfaces
OF_TRIAL = 36  # what is lacking
BALANCE_COLUMNS = 42

# what is kept of a node from step to step: region, force (3), normal (3)
LATCHED_NODE = ("region", "force.x", "force.y", "force.z", "normal.x", "normal.y", "normal.z")

# Touching.kept: of the factors in `matrix`
KEPT_NODES, KEPT_UNKNOWNS = 0, 1

MOST = 1000
"""Nodes that can touch at once: their forces are found by a dense matrix, three rows a node."""


class SurfaceContact(Record, name="F"):
    """Tables and scratch of the surfaces of a run."""

    pairs = i64(2)  # (pairs, PAIR_COLUMNS)
    numbers = f64(2)  # (pairs, PAIR_NUMBERS)
    nodes = i64(2)  # (n, NODE_COLUMNS)
    points = i64(1)  # (k,) markers
    facets = i64(2)  # (facets, FACET)
    groups = i64(2)  # (groups, 2) first facet and how many
    place = f64(2)  # (k, 6) places and velocities of the points
    weights = f64(2)  # (n, k)
    arrows = f64(2)  # (n, 3 k) of the mortar form: how a gap changes with the points, a direction each
    node = f64(2)  # (n, NODE_FLOATS)
    state = i64(2)  # (n, STATE_COLUMNS)
    active = i64(1)  # (most,) nodes that touch or may
    rows = f64(2)  # (3 most, nv) derivatives of gap and slip of those
    columns = f64(2)  # (3 most, m) what a unit force does to the unknowns of a correction
    compliance = f64(2)  # (3 most, 3 most) what a unit force does to gap and slip
    free = f64(1)  # (3 most,) gap and slip without forces
    force = f64(1)  # (3 most,)
    matrix = f64(2)  # (4 most, 4 most) factors of what is unknown of forces and pushes
    right = f64(1)
    sizes = f64(1)
    pivots = i64(1)
    unknown = i64(1)  # (4 most,) what is unknown
    column = i64(1)  # (4 most,) entries of it in `force` and `push`
    kept = i64(1)  # (2,) what the factors in `matrix` are of, -1 where none are kept
    kept_node = i64(1)  # (most,)
    kept_unknown = i64(1)  # (4 most,)
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
    old = f64(1)  # (3 most,) impulses and pushes of the last correction
    old_push = f64(1)  # (most,)
    jump = f64(2)  # (4, nv): displacement and velocity that impulses make in this step; scratch
    response = f64(2)  # (3 most, nv) what a unit impulse does to velocities
    damped = f64(2)  # (3 most, m) what damping makes of that
    mass = f64(2)  # (nv + nr, nv + nr) factors of mass and constraints
    mass_pivots = i64(1)
    mass_right = f64(1)
    driven = f64(1)  # (3 most,) rates of gaps and slips of the active nodes by prescribed entries
    loss = f64(1)  # (2,) what surfaces take in this step, and what moves prescribed entries against them, both apart
    # from rates that the books have [J]
    floor = f64(1)  # (1,) size of a correction that may be rounding
    known = i64(1)  # (1,) derivatives that the factors are of
    boxes = f64(2)  # (groups, 6) least and largest places of the points of a group
    polygon = f64(2)  # (20, 10) scratch of the mortar form in space: two polygons
    fault = i64(1)  # (2,)
    trees = i64(1)  # (trees,) roots of the trees whose momentum is kept
    balance = f64(2)  # (trees, BALANCE_COLUMNS)
    by_impulse = i64(1)  # (1,) 1 where surfaces touch by impulses
    energy = f64(1)  # (2,) at the start of the step: all, and that of motion and strain [J]
    turn = f64(2)  # (trees, 6) velocity that each root is given in this step
    turned = f64(2)  # (trees, 6) scratch
    root = f64(2)  # (6, 6) inertia of a tree by the entries of its root
    root_right = f64(1)
    root_sizes = f64(1)
    root_pivots = i64(1)


def touching(
    arrays: ModelArrays | None,
    tables: dict[str, np.ndarray],
    unknowns: int,
    rows: int,
    partitioned: bool = False,
    trees: tuple[int, ...] = (),
    by_impulse: bool = True,
) -> SurfaceContact:
    """Room for a run whose corrections have so many unknowns, `rows` of them multipliers of constraints; none of the
    arrays with an entry for every unknown where these are parted (`kernels/integrate/partitioned/solver_layout.py`).
    trees: roots of those whose momentum is kept (`kernels/surface_contact/momentum_balance.py`)."""
    nv = 0 if arrays is None else len(arrays.q_index)
    n, k = len(tables["nodes"]), len(tables["points"])
    jumps = nv if n > 0 else 0
    if partitioned:
        nv, unknowns, rows = 0, 0, 0
    # arrays of nodes that touch have room for so many; no node is over a facet yet
    most = min(n, MOST)
    node = np.zeros((n, NODE_FLOATS))
    node[:, NODE_RADIUS] = tables["radius"]
    state = np.zeros((n, STATE_COLUMNS), np.int64)
    state[:, ON_FACET] = -1
    return SurfaceContact(
        *(np.array(tables[name], order="C") for name in ("pairs", "numbers", "nodes", "points", "facets", "groups")),
        np.zeros((k, 6)),
        np.zeros((n, k)),
        np.zeros((n if np.any(tables["pairs"][:, PAIR_FORM] == MORTAR) else 0, 3 * k)),
        node,
        state,
        np.zeros(most, np.int64),
        np.zeros((3 * most, nv)),
        np.zeros((3 * most, unknowns)),
        np.zeros((3 * most, 3 * most)),
        np.zeros(3 * most),
        np.zeros(3 * most),
        np.zeros((4 * most, 4 * most)),
        np.zeros(4 * most),
        np.zeros(3 * most),
        np.zeros(4 * most, np.int64),
        np.zeros(4 * most, np.int64),
        np.zeros(4 * most, np.int64),
        np.full(2, -1, np.int64),
        np.zeros(most, np.int64),
        np.zeros(4 * most, np.int64),
        np.zeros(3 * most),
        np.zeros(most),
        np.zeros(most, np.int64),
        np.zeros((most, most)),
        np.zeros((most, 3 * most)),
        np.zeros((3 * most, most)),
        np.zeros(most),
        np.zeros(most),
        np.zeros(3 * most),
        np.zeros(most),
        np.zeros(3 * most),
        np.zeros(3 * most),
        np.zeros(most),
        np.zeros((4, jumps)),
        np.zeros((3 * most, nv)),
        np.zeros((3 * most, unknowns)),
        np.zeros((nv + rows, nv + rows)),
        np.zeros(nv + rows, np.int64),
        np.zeros(nv + rows),
        np.zeros(3 * most),
        np.zeros(2),
        np.zeros(1),
        np.full(1, -1, np.int64),
        np.zeros((len(tables["groups"]), 6)),
        np.zeros((20, 10)),
        np.zeros(2, np.int64),
        np.array(trees, np.int64),
        np.zeros((len(trees), BALANCE_COLUMNS)),
        np.full(1, by_impulse, np.int64),
        np.zeros(2),
        np.zeros((len(trees), 6)),
        np.zeros((len(trees), 6)),
        np.zeros((6, 6)),
        np.zeros(6),
        np.zeros(6),
        np.zeros(6, np.int64),
    )


@cache
def no_surfaces() -> SurfaceContact:
    """The record of a run whose unknowns are parted and that has no surfaces: nothing in it is ever written, so that
    all such runs have the same."""
    return touching(None, no_tables(), 0, 0, True)


def no_tables() -> dict[str, np.ndarray]:
    """The tables of a run without surfaces that touch."""
    widths = {"pairs": PAIR_COLUMNS, "nodes": NODE_COLUMNS, "facets": FACET, "groups": 2}
    tables: dict[str, np.ndarray] = {name: np.zeros((0, width), np.int64) for name, width in widths.items()}
    return tables | {
        "numbers": np.zeros((0, PAIR_NUMBERS)),
        "points": np.zeros(0, np.int64),
        "groups": np.zeros((0, 2), np.int64),
        "radius": np.zeros(0),
    }
