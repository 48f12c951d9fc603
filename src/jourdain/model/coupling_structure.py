"""Which entries of v couple, in what order they are best eliminated, and which columns may share a difference.

The pattern is exact: it follows from the tree, struts, contacts and constraints, and does not depend on the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kernels.kind_registry import PILE

if TYPE_CHECKING:
    from .model import Model


class Ordering(NamedTuple):
    """An order of the unknowns (new place -> old index), and how far from the diagonal the pattern then reaches."""

    order: np.ndarray
    below: int
    above: int


def paths(model: Model) -> list[np.ndarray]:
    """Entries of v that move each body of `arrays.tree` as a whole, row 0, the world, among them: its joint, and the
    joints and internal coordinates of all that carries it."""
    tree = model.arrays.tree
    out = [np.zeros(0, int)]
    for i in range(1, len(tree)):
        node, carrier = tree[i], tree[tree[i].parent]
        own = np.arange(node.v, node.v + node.nv)
        carrying = np.arange(carrier.ev, carrier.ev + carrier.ne)
        out.append(np.concatenate([out[node.parent], carrying, own]))
    return out


def marker_paths(model: Model) -> list[np.ndarray]:
    """Entries of v that move each marker: those that move its body, and the body's internal coordinates."""
    tree, moving = model.arrays.tree, paths(model)
    return [
        np.concatenate([moving[body], np.arange(tree[body].ev, tree[body].ev + tree[body].ne)])
        for body in model.arrays.markers.columns.body
    ]


def sparsity(model: Model) -> np.ndarray:
    """Whether an effort (row) depends on a coordinate, velocity or acceleration (column), (nv, nv).

    Two entries of the tree couple where one carries the other. A strut, a contact or a constraint couples all entries
    that move one of its two markers; so do the shapes of a pile, and a force by a law, which may read anything, couples
    all entries.
    """
    arrays = model.arrays
    out = np.eye(model.nv, dtype=bool)

    def together(entries: np.ndarray) -> None:
        out[np.ix_(entries, entries)] = True

    for body, moving in enumerate(paths(model)):
        own = arrays.tree[body]
        together(np.concatenate([moving, np.arange(own.ev, own.ev + own.ne)]))
    for at in arrays.drive_entries:
        together(np.array([at.joint_v, at.motor_v]))
    if model.law_forces:
        out[:] = True
        return out
    markers = marker_paths(model)
    for ends in arrays.strut_markers:
        together(np.union1d(markers[ends.first], markers[ends.second]))
    for row in arrays.contacts:
        between = range(row.first, row.second) if row.family == PILE else (row.first, row.second)
        acting = [markers[arrays.shapes[shape].marker] for shape in between]
        together(np.unique(np.concatenate(acting)))
    for entries in constrained(model):
        together(entries)
    return out


def constrained(model: Model) -> list[np.ndarray]:
    """Entries of v that each constraint depends on: those that move its markers, or those that it couples."""
    arrays, markers = model.arrays, marker_paths(model)
    out = []
    for one in arrays.constraints:
        entries = [markers[m] for m in (one.marker_A, one.marker_B) if m >= 0]
        entries.append(arrays.coupled_entries.columns.v[one.entry : one.entry + one.entries])
        out.append(np.unique(np.concatenate(entries)).astype(int))
    return out


def with_multipliers(model: Model, rows: int) -> np.ndarray:
    """`sparsity` of the velocities and the multipliers of so many rows, (nv + rows, nv + rows)."""
    out = np.eye(model.nv + rows, dtype=bool)
    out[: model.nv, : model.nv] = sparsity(model)
    starts = [*model.arrays.constraints.columns.row, rows]
    for first, last, entries in zip(starts, starts[1:], constrained(model), strict=False):
        own = np.arange(model.nv + first, model.nv + last)
        out[np.ix_(own, entries)] = True
        out[np.ix_(entries, own)] = True
    return out


def bandwidth(pattern: np.ndarray) -> tuple[int, int]:
    """How far the pattern reaches below and above the diagonal."""
    rows, columns = np.nonzero(pattern)
    if not len(rows):
        return 0, 0
    return int(max(0, np.max(rows - columns))), int(max(0, np.max(columns - rows)))


def ordering(pattern: np.ndarray) -> Ordering:
    """The order of reverse Cuthill & McKee (1969), or the given one where that is no worse."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    pattern = np.asarray(pattern, bool)
    natural = Ordering(np.arange(len(pattern)), *bandwidth(pattern))
    order = np.asarray(reverse_cuthill_mckee(csr_matrix(pattern | pattern.T), symmetric_mode=True), int)
    found = Ordering(order, *bandwidth(pattern[np.ix_(order, order)]))
    return found if found.below + found.above < natural.below + natural.above else natural


def groups(pattern: np.ndarray) -> np.ndarray:
    """The group of each column: columns of one group have no common row, and share one difference.

    Greedy (Coleman, Garbow & More 1984, ACM TOMS 10, 329), in the given order, by falling number of entries and in the
    order of smallest last; the fewest groups of the three count. A row with k entries needs k groups at least.
    """
    pattern = np.asarray(pattern, bool)
    meet = (pattern.T.astype(np.int32) @ pattern.astype(np.int32)) > 0
    np.fill_diagonal(meet, False)
    tries = [np.arange(len(meet)), np.argsort(-meet.sum(axis=0), kind="stable"), _smallest_last(meet)]
    return min((_greedy(meet, order) for order in tries), key=lambda colours: int(np.max(colours, initial=-1)))


def _greedy(meet: np.ndarray, order: np.ndarray) -> np.ndarray:
    colours = np.full(len(meet), -1)
    for k in order:
        taken = set(colours[meet[k]].tolist())
        colours[k] = next(colour for colour in range(len(meet) + 1) if colour not in taken)
    return colours


def _smallest_last(meet: np.ndarray) -> np.ndarray:
    """The order in which a greedy colouring takes the columns: each meets the least of those before it."""
    degree = meet.sum(axis=0)
    left = np.ones(len(meet), bool)
    order = []
    for _ in range(len(meet)):
        k = int(np.argmin(np.where(left, degree, len(meet) + 1)))
        left[k] = False
        degree = degree - meet[k]
        order.append(k)
    return np.array(order[::-1], int)
