"""Which rows share coordinates, worked out once: paths to the root, the order of the rows and the skyline of S.

S = A M^-1 A^T has an entry for two rows only where their constraints have a coordinate on both their paths to the
root. Constraints are ordered by reverse Cuthill-McKee (Cuthill & McKee 1969, George 1971), so that the factor of S
stays within a narrow skyline: in a chain of loops its width does not grow with their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiler import kernel
from ..rows import Row, Table, table_of

if TYPE_CHECKING:
    from ..model_arrays import ModelArrays


class SolveLayout(Row):
    """`Workspace.layout`, the head of `solve_links`: where lists begin behind it, and numbers in `Workspace.solve`."""

    paths: int  # a `ConstraintPath` a constraint
    places: int  # place of a row in S, -1 of one that does nothing
    begins: int  # first place of the skyline of a place
    lines: int  # where place 0 of the line of a place would be, counted from S or L
    pairs: int  # of constraints that share coordinates: `SharedEntries`
    pair_count: int
    bodies: int  # that multipliers can move, outward
    body_count: int
    # in Workspace.solve
    S: int  # S by lines of its skyline
    L: int  # its factor
    inverse: int  # inverses of the pivots, zero of rows that depend on others
    right: int  # right side and solution, by places
    share: int  # inverse inertias times y, as far behind y as this
    wrench: int  # wrenches of the rows of one constraint on their way inward
    rest: int  # (nv) what multipliers leave of efforts
    delta: int  # (nv) what they change
    push: int  # (nv) and of the efforts on entries whose acceleration is known
    motion: int  # (bodies, 6) motion of bodies under changes of v
    state: int  # (nq) coordinates on trial
    own: int  # where the part of a method begins
    own_links: int  # and in solve_links
    skyline: int  # numbers of S and of its factor
    bound: int  # what the diagonal of S would be, row by row, did no wrench pass a joint by
    place_count: int  # places in S
    least: int  # pivots below which a place is singular, 0 where none was given; then those of the start
    taken: int  # in solve_links: 1 of a row that gets a multiplier, 0 of others; then the same at the start
    spare: int  # places less rank: 0 where no row can be exchanged for another
    rank: int  # rows taken
    holonomic_rank: int  # and of them the holonomic ones
    changed: bool  # whether rows were exchanged and a method has yet to notice
    choice: int  # pivots of the rows taken at their largest, by places; weights of the rows; then room for a dense S
    worst: int  # a `WorstViolation`
    near: int  # time of the last accepted step; then, place by place, `Nearness` and, of small models, q and v
    near_width: int  # numbers of a place there


class ConstraintPath(Row):
    """The way inward of a constraint, in solve_links; its lists stand there too, but for y."""

    stations: int  # a `PathStation` for each body on its way to the root, outermost first
    count: int  # how many there are
    y: int  # where y of its rows begins in Workspace.solve
    width: int  # entries of y of a row
    entries: int  # which entries of v they are
    station_A: int  # its markers' bodies on the path, -1 for the world
    station_B: int
    coupled: int  # entries of y that it couples
    active: int  # its rows that have a place, counted from its first
    active_count: int


class PathStation(Row):
    """A body of a path."""

    body: int
    carrier: int  # the place of its carrier on the path, -1 for the world
    joint: int  # where the entries of its joint begin in y
    internal: int  # and its internal coordinates


class SharedEntries(Row):
    """Two constraints that share coordinates."""

    first: int
    second: int
    shared: int  # where the places of those begin, in the y of both
    count: int


class WorstViolation(Row):
    """In `Workspace.solve`: the largest violation of a row since the start."""

    value: float  # [m, rad]
    time: float
    row: int


class Nearness(Row):
    """In `Workspace.solve`: where a place came nearest to a singular configuration since the start."""

    ratio: float  # its pivot there, over the largest before
    time: float
    step: float  # time since the accepted step before
    most: float  # the largest pivot since the start


paths_at, stations_at, shared_at = map(table_of, (ConstraintPath, PathStation, SharedEntries))
worst_at, nearness_at = map(table_of, (WorstViolation, Nearness))

SMALL = 100
"""Velocities of a model that is small."""

# roles of rows
NEEDED, SURPLUS, IDLE = 0, 1, 2  # taken at the start; not taken, but can be exchanged for one that is; does nothing


@kernel
def path_of(ws, c):
    """The way inward of constraint c."""
    return paths_at(ws.solve_links, ws.layout.paths)[c]


def solving_layout(
    arrays: ModelArrays,
    dtype: type,
    own: tuple[np.ndarray, np.ndarray] | None = None,
    roles: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Workspace.solve and Workspace.solve_links of a model.

    own      what the part of the run's method begins with
    roles    (rows,) NEEDED, SURPLUS or IDLE, None where all are needed; idle ones have no place in S
    """
    if not len(arrays.constraints):
        return (np.zeros(0, dtype), np.zeros(0, np.int64)) if own is None else (own[0].astype(dtype), own[1])
    roles = np.full(int(np.sum(arrays.constraints.columns.rows)), NEEDED) if roles is None else np.asarray(roles)
    known = arrays.__dict__.setdefault("structures", {})  # of a model, which does not change
    key = roles.astype(np.int8).tobytes()
    if key not in known:
        known[key] = _structure(arrays, roles)
    links, end = known[key]
    floats, integers = own if own is not None else (np.zeros(0), np.zeros(0, np.int64))
    solve = np.zeros(end + len(floats), dtype)
    solve[end:] = floats
    return solve, np.concatenate([links, integers.astype(np.int64)])


def _structure(arrays: ModelArrays, roles: np.ndarray) -> tuple[np.ndarray, int]:
    """Workspace.solve_links, and how many numbers Workspace.solve has, without the part of a method."""
    constraints, tree = arrays.constraints, arrays.tree
    nv, nq = len(arrays.q_index), arrays.nq
    # the body of every entry of v
    owner = np.zeros(nv, np.int64)
    for i in range(1, len(tree)):
        node = tree[i]
        owner[node.v : node.v + node.nv] = i
        owner[node.ev : node.ev + node.ne] = i
    links: list[int] = [0] * SolveLayout.size

    def keep(numbers: object) -> int:
        at = len(links)
        links.extend(np.asarray(numbers, np.int64).ravel().tolist())
        return at

    # which rows have a place in S, and which of them a multiplier at first
    nr = len(roles)
    left_out, taken = roles == IDLE, roles == NEEDED
    holonomic = np.concatenate([np.arange(one.rows) < one.holonomic for one in constraints])
    spare = int(np.sum(roles == SURPLUS))
    active = [np.flatnonzero(~left_out[one.row : one.row + one.rows]) for one in constraints]
    # the way inward of every constraint: the bodies that it passes, and their entries of v
    records = np.zeros((len(constraints), ConstraintPath.size), np.int64)
    lists: list[list[int]] = []
    roots: set[int] = set()
    at = scratch = 0
    for c, one in enumerate(constraints):
        markers = [arrays.markers[m].body if m >= 0 else 0 for m in (one.marker_A, one.marker_B)]
        coupled = arrays.coupled_entries.columns.v[one.entry : one.entry + one.entries]
        bodies: set[int] = set()
        for i in (*markers, *(int(owner[k]) for k in coupled)):
            while i > 0:
                bodies.add(i)
                if tree[i].parent == 0:
                    roots.add(i)
                i = tree[i].parent
        # of each body on the way: its neighbour inward, and its entries, internal ones first
        path = sorted(bodies, reverse=True)
        place = {i: j for j, i in enumerate(path)}
        stations: list[Any] = []
        entries: list[Any] = []
        for i in path:
            node, inside = tree[i], len(entries)
            entries += range(node.ev, node.ev + node.ne)
            stations.append((i, place.get(node.parent, -1), len(entries), inside))
            entries += range(node.v, node.v + node.nv)
        # the record of the constraint: where its lists stand, and its block of rows times entries
        where = {k: j for j, k in enumerate(entries)}
        lists.append(entries)
        records[c] = (
            keep(stations), len(path), at, len(entries), keep(entries),
            place.get(markers[0], -1), place.get(markers[1], -1), keep([where[k] for k in coupled]),
            keep(active[c]), len(active[c]),
        )  # fmt: skip
        at += len(active[c]) * len(entries)
        scratch = max(scratch, 6 * len(active[c]) * len(path))
    # places in S, in an order that keeps its skyline low, and the pairs that are not zero in it
    shared = _shared(lists, nv)
    order = reverse_cuthill_mckee([set(near) for near in shared])
    places, begins, lines, size = _skyline(constraints, order, shared, active)
    pairs = []
    for a in range(len(constraints)):
        for b, both in shared[a].items():
            if b < a and len(active[a]) and len(active[b]):
                pairs.append((a, b, keep(both), len(both)))
    # bodies of the trees that have constraints at all
    moved = []
    for i in range(1, len(tree)):
        if i in roots or tree[i].parent in moved:
            moved.append(i)
    # the heads of the lists, then where each table begins in `solve`
    head = SolveLayout(np.zeros(SolveLayout.size, np.int64))
    head.paths, head.places, head.begins = keep(records), keep(places), keep(begins)
    head.lines, head.pairs, head.pair_count = keep(lines), keep(pairs), len(pairs)
    head.bodies, head.body_count, head.skyline = keep(moved), len(moved), size
    head.share, head.place_count = at, len(begins)
    head.taken, head.spare = keep([taken, taken]), spare
    head.rank, head.holonomic_rank = int(np.sum(taken)), int(np.sum(taken & holonomic))
    head.near_width = Nearness.size + (nq + nv if nv <= SMALL else 0)
    sizes = {
        "S": size, "L": size, "inverse": nr, "right": nr, "bound": nr, "least": 2 * nr, "wrench": scratch,
        "rest": nv, "delta": nv, "push": nv, "motion": 6 * len(tree), "state": nq, "worst": WorstViolation.size,
        "near": 1 + len(begins) * head.near_width, "choice": len(begins) * (1 + len(begins)) + nr if spare else 0,
    }  # fmt: skip
    end = 2 * at
    for name, count in sizes.items():
        setattr(head, name, end)
        end += count
    # what the method of the run needs besides comes last
    head.own, head.own_links = end, len(links)
    links[: SolveLayout.size] = head.numbers.tolist()
    return np.array(links, np.int64), end


def _shared(lists: list[list[int]], nv: int) -> list[dict[int, np.ndarray]]:
    """For each constraint, those that share coordinates with it, and the shared ones: their places in both lists."""
    users: list[list[tuple[int, int]]] = [[] for _ in range(nv)]
    for c, entries in enumerate(lists):
        for place, k in enumerate(entries):
            users[k].append((c, place))
    out: list[dict[int, np.ndarray]] = []
    for c, entries in enumerate(lists):
        both: dict[int, list[tuple[int, int]]] = {}
        for k in sorted(range(len(entries)), key=entries.__getitem__):
            for other, place in users[entries[k]]:
                if other != c:
                    both.setdefault(other, []).append((k, place))
        out.append({other: np.array(both[other], np.int64) for other in sorted(both)})
    return out


def reverse_cuthill_mckee(near: list[set[int]]) -> list[int]:
    """Order of the nodes of a graph that keeps neighbours close; `near` are the neighbours of each node."""
    left = set(range(len(near)))
    out: list[int] = []
    while left:
        front = [_far(near, min(left, key=lambda i: (len(near[i]), i)))]
        left.discard(front[0])
        while front:
            out += front
            following: list[int] = []
            for i in front:
                fresh = sorted(near[i] & left, key=lambda j: (len(near[j]), j))
                left -= set(fresh)
                following += fresh
            front = following
    return out[::-1]


def _far(near: list[set[int]], start: int) -> int:
    """A node at the end of the graph that `start` is in: the one of least degree in the last level (George & Liu)."""
    depth = -1
    while True:
        seen, level, levels = {start}, [start], 0
        while True:
            following = sorted({j for i in level for j in near[i]} - seen)
            if not following:
                break
            seen.update(following)
            level, levels = following, levels + 1
        if levels <= depth:
            return start
        depth, start = levels, min(level, key=lambda i: (len(near[i]), i))


def _skyline(
    constraints: Table, order: list[int], shared: list[dict[int, np.ndarray]], active: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Places of the rows, first place and line of each place, and numbers in all lines."""
    places = np.full(int(np.sum(constraints.columns.rows)), -1, np.int64)
    first: dict[int, int] = {}
    count = 0
    for c in order:
        first[c] = count
        count += len(active[c])
    begins, lines = np.zeros(count, np.int64), np.zeros(count, np.int64)
    size = 0
    for c in order:
        begin = min([first[c], *(first[other] for other in shared[c])])
        for a, r in enumerate(active[c]):
            p = first[c] + a
            places[constraints[c].row + r], begins[p], lines[p] = p, begin, size - begin
            size += p - begin + 1
    return places, begins, lines, size
