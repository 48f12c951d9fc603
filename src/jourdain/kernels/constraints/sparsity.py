"""Which rows share coordinates, worked out once: paths to the root, the order of the rows and the skyline of S.

S = A M^-1 A^T has an entry for two rows only where their constraints have a coordinate on both their paths to the
root. Constraints are ordered by reverse Cuthill-McKee (Cuthill & McKee 1969, George 1971), so that the factor of S
stays within a narrow skyline: in a chain of loops its width does not grow with their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .constraint_layout import (
    CONSTRAINT_COUNT,
    CONSTRAINT_FIRST,
    CONSTRAINT_ROW,
    CONSTRAINT_ROWS,
    CONSTRAINT_SECOND,
    ENTRIES,
    HOLONOMIC,
)

if TYPE_CHECKING:
    from ..model_arrays import ModelArrays

# Workspace.solve_links: heads, then what they point to
RECORDS = 0  # a record a constraint
SOLVE_PLACES = 1  # place of a row in S, -1 of one that does nothing
BEGINS = 2  # first place of the skyline of a place
LINES = 3  # where place 0 of the line of a place would be, counted from S_AT or L_AT
PAIRS = 4  # two constraints that share coordinates, where the shared ones begin, and how many
PAIR_COUNT = 5
SOLVE_BODIES = 6  # bodies that multipliers can move, outward
SOLVE_BODY_COUNT = 7
# and, in Workspace.solve,
S_AT = 8  # S by lines of its skyline
L_AT = 9  # its factor
INVERSE_AT = 10  # inverses of the pivots, zero of rows that depend on others
RIGHT_AT = 11  # right side and solution, by places
SHARE_AT = 12  # inverse inertias times y, as far behind y as this
WRENCH_AT = 13  # wrenches of the rows of one constraint on their way inward
REST_AT = 14  # (nv) what multipliers leave of efforts
DELTA_AT = 15  # (nv) what they change
PUSH_AT = 16  # (nv) and of the efforts on entries whose acceleration is known
MOTION_AT = 17  # (bodies, 6) motion of bodies under changes of v
STATE_AT = 18  # (nq) coordinates on trial
SOLVE_OWN = 19  # where the part of a method begins in Workspace.solve
OWN_LINKS = 20  # and in Workspace.solve_links
SKYLINE = 21  # numbers of S and of its factor
BOUND_AT = 22  # what the diagonal of S would be, row by row, did no wrench pass a joint by
PLACE_COUNT = 23  # places in S
LEAST_AT = 24  # pivots below which a place is singular, 0 where none was given; then those of the start
TAKEN = 25  # 1 of a row that gets a multiplier, 0 of others; then the same at the start
SPARE = 26  # places less rank: 0 where no row can be exchanged for another
SOLVE_RANK = 27  # rows taken, and of them the holonomic ones
RANK_HOLONOMIC = 28
SOLVE_CHANGED = 29  # 1 where rows were exchanged and a method has yet to notice
CHOICE_AT = 30  # pivots of the rows taken at their largest, by places; weights of the rows; then room for a dense S
GAP_AT = 31  # the largest violation of a row since the start, when, and which row
NEAR_AT = 32  # time of the last accepted step; then, place by place, NEAR_RATIO ... and, of small models, q and v
NEAR_WIDTH = 33  # numbers of a place there
HEADS = 34

# where a place came nearest to a singular configuration since the start
NEAR_RATIO = 0  # its pivot there, over the largest before
NEAR_TIME = 1
NEAR_STEP = 2  # time since the accepted step before
NEAR_MOST = 3  # the largest pivot since the start
NEAR_STATE = 4  # where q begins
SMALL = 100
"""Velocities of a model that is small."""

# roles of rows
NEEDED, SURPLUS, IDLE = 0, 1, 2  # taken at the start; not taken, but can be exchanged for one that is; does nothing

# a record: places in solve_links but for Y
LINK_PATH = 0  # bodies on its way to the root, outermost first
PATH_COUNT = 1
Y = 2  # where y of its rows begins in Workspace.solve
LINK_WIDTH = 3  # entries of y of a row
OF_V = 4  # which entries of v they are
AT_FIRST = 5  # its markers' bodies on the path, -1 for the world
AT_SECOND = 6
COUPLED = 7  # entries of y that it couples
ACTIVE = 8  # its rows that have a place, counted from its first
ACTIVE_COUNT = 9
LINK_RECORD = 10

# a body of a path
LINK_BODY, UP, OF_JOINT, INSIDE = 0, 1, 2, 3  # its row, its carrier on the path, where its entries begin in y
LINK_STATION = 4

LINK_PAIR = 4


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
    index = arrays.constraint_index
    if not len(index):
        return (np.zeros(0, dtype), np.zeros(0, np.int64)) if own is None else (own[0].astype(dtype), own[1])
    roles = np.full(int(np.sum(index[:, CONSTRAINT_ROWS])), NEEDED) if roles is None else np.asarray(roles)
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
    from ..columns import DOFS, EV, PARENT, N, V

    index, table = arrays.constraint_index, arrays.table
    nv, nq = len(arrays.q_index), arrays.nq
    # the body of every entry of v
    owner = np.zeros(nv, np.int64)
    for i in range(1, len(table)):
        owner[table[i, V] : table[i, V] + table[i, DOFS]] = i
        owner[table[i, EV] : table[i, EV] + table[i, N]] = i
    links: list[int] = [0] * HEADS

    def keep(numbers: object) -> int:
        at = len(links)
        links.extend(np.asarray(numbers, np.int64).ravel().tolist())
        return at

    # which rows have a place in S, and which of them a multiplier at first
    nr = len(roles)
    left_out, taken = roles == IDLE, roles == NEEDED
    holonomic = np.concatenate([np.arange(row[CONSTRAINT_ROWS]) < row[HOLONOMIC] for row in index])
    spare = int(np.sum(roles == SURPLUS))
    active = [
        np.flatnonzero(~left_out[row[CONSTRAINT_ROW] : row[CONSTRAINT_ROW] + row[CONSTRAINT_ROWS]]) for row in index
    ]
    # the way inward of every constraint: the bodies that it passes, and their entries of v
    records = np.zeros((len(index), LINK_RECORD), np.int64)
    lists: list[list[int]] = []
    roots: set[int] = set()
    at = scratch = 0
    for c, row in enumerate(index):
        markers = [int(arrays.marker_index[m, 0]) if m >= 0 else 0 for m in row[[CONSTRAINT_FIRST, CONSTRAINT_SECOND]]]
        coupled = arrays.constraint_entries[row[ENTRIES] : row[ENTRIES] + row[CONSTRAINT_COUNT], 1]
        bodies: set[int] = set()
        for i in (*markers, *(int(owner[k]) for k in coupled)):
            while i > 0:
                bodies.add(i)
                if table[i, PARENT] == 0:
                    roots.add(i)
                i = int(table[i, PARENT])
        # of each body on the way: its neighbour inward, and its entries, internal ones first
        path = sorted(bodies, reverse=True)
        place = {i: j for j, i in enumerate(path)}
        stations: list[Any] = []
        entries: list[Any] = []
        for i in path:
            inside = len(entries)
            entries += range(table[i, EV], table[i, EV] + table[i, N])
            stations.append((i, place.get(int(table[i, PARENT]), -1), len(entries), inside))
            entries += range(table[i, V], table[i, V] + table[i, DOFS])
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
    places, begins, lines, size = _skyline(index, order, shared, active)
    pairs = []
    for a in range(len(index)):
        for b, both in shared[a].items():
            if b < a and len(active[a]) and len(active[b]):
                pairs.append((a, b, keep(both), len(both)))
    # bodies of the trees that have constraints at all
    moved = []
    for i in range(1, len(table)):
        if i in roots or int(table[i, PARENT]) in moved:
            moved.append(i)
    # the heads of the lists, then where each table begins in `solve`
    links[RECORDS], links[SOLVE_PLACES], links[BEGINS] = keep(records), keep(places), keep(begins)
    links[LINES], links[PAIRS], links[PAIR_COUNT] = keep(lines), keep(pairs), len(pairs)
    links[SOLVE_BODIES], links[SOLVE_BODY_COUNT], links[SKYLINE] = keep(moved), len(moved), size
    links[SHARE_AT], links[PLACE_COUNT] = at, len(begins)
    links[TAKEN], links[SPARE] = keep([taken, taken]), spare
    links[SOLVE_RANK], links[RANK_HOLONOMIC] = int(np.sum(taken)), int(np.sum(taken & holonomic))
    width = NEAR_STATE + (nq + nv if nv <= SMALL else 0)
    links[NEAR_WIDTH] = width
    sizes = {
        S_AT: size, L_AT: size, INVERSE_AT: nr, RIGHT_AT: nr, BOUND_AT: nr, LEAST_AT: 2 * nr, WRENCH_AT: scratch,
        REST_AT: nv, DELTA_AT: nv, PUSH_AT: nv, MOTION_AT: 6 * len(table), STATE_AT: nq, GAP_AT: 3,
        NEAR_AT: 1 + len(begins) * width, CHOICE_AT: len(begins) * (1 + len(begins)) + nr if spare else 0,
    }  # fmt: skip
    end = 2 * at
    for head, count in sizes.items():
        links[head] = end
        end += count
    # what the method of the run needs besides comes last
    links[SOLVE_OWN], links[OWN_LINKS] = end, len(links)
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
    index: np.ndarray, order: list[int], shared: list[dict[int, np.ndarray]], active: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Places of the rows, first place and line of each place, and numbers in all lines."""
    places = np.full(int(np.sum(index[:, CONSTRAINT_ROWS])), -1, np.int64)
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
            places[index[c, CONSTRAINT_ROW] + r], begins[p], lines[p] = p, begin, size - begin
            size += p - begin + 1
    return places, begins, lines, size
