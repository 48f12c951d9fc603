"""What the frame of an elastic body is fixed to: nodal displacements without rigid motion.

With the position of the frame and all nodal displacements as coordinates, six of them (three in a plane, one in the
section of a body of revolution) would be too many. They go by conditions on three nodes, by a group of nodes that is
held, or by mean axes (Tisserand), in which the deformation has no momentum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ....basics.errors import ModelError
from ....basics.values import shown, suggestion
from .craig_bampton import ModalReduction, mode_scale, normal_modes
from .interfaces import rigid_motions
from .matrices import factor

WAYS = "xyz"
ON_AXIS = 1e-9
"""A node is on the axis of a body of revolution when its radius is below this, over the extent of the body."""


class NodeMotion(NamedTuple):
    """How the nodes of a body can move.

    ways     directions of a node, (w, 3)
    rigid    which of the six `rigid_motions` they can follow together
    """

    ways: np.ndarray
    rigid: tuple[int, ...]

    @property
    def revolved(self) -> bool:
        """Whether it is that of a section, which moves as a whole along the axis only."""
        return self.rigid == (1,)


_IN_PLANE = NodeMotion(np.eye(3)[:2], (0, 1, 5))
DOFS = {
    None: NodeMotion(np.eye(3), (0, 1, 2, 3, 4, 5)),
    "stress": _IN_PLANE,
    "strain": _IN_PLANE,
    "axisymmetric": NodeMotion(np.eye(3)[:2], (1,)),
}
"""By `plane` of a solid."""


def on_axis(nodes: np.ndarray) -> np.ndarray:
    """Nodes of the half section of a body of revolution that are on its axis."""
    return np.flatnonzero(nodes[:, 0] < ON_AXIS * float(np.max(np.ptp(nodes, axis=0))))


class ReferenceConditions(NamedTuple):
    """Conditions on nodal displacements.

    word     "nodes", "mean", or the name of what is held
    fixed    nodes that do not move
    partly   nodes that move along some directions only, {node: (directions, 3)}
    freedom  of the others
    """

    word: str
    fixed: tuple[int, ...]
    partly: dict[int, np.ndarray]
    freedom: NodeMotion

    def columns(self, masters: Iterable[int], count: int) -> tuple[Any, list[str]]:
        """The map (3 N, free) from what can move to all displacements, masters first, and names of the masters' ones,
        "" of the others."""
        from scipy.sparse import csc_array

        first = [int(node) for node in masters]
        rest = np.setdiff1d(np.arange(count), first).tolist()
        named, fixed = set(first), set(self.fixed)
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        names: list[str] = []
        for node in (*first, *rest):
            if node in fixed:
                continue
            ways = self.partly.get(node, self.freedom.ways)
            for number, way in enumerate(ways):
                at = np.flatnonzero(way)
                rows += (3 * node + at).tolist()
                columns += [len(names)] * len(at)
                values += way[at].tolist()
                single = len(at) == 1 and (node not in self.partly or self.freedom.revolved)
                word = WAYS[int(at[0])] if single else f"along{number}"
                names.append(f"node[{node}].{word}" if node in named else "")
        return csc_array((values, (rows, columns)), shape=(3 * count, len(names))), names

    def floating(self, M: Any, K: Any, nodes: np.ndarray, count: int) -> tuple[ModalReduction, tuple[str, ...]]:
        """The lowest normal modes of the free body: they have no momentum."""
        B, _ = self.columns((), len(nodes))
        rigid = len(self.freedom.rigid)
        m, k = (B.T @ M @ B).tocsc(), (B.T @ K @ B).tocsc()
        count = min(count, B.shape[1] - rigid)
        motions = B.T @ rigid_motions(nodes - nodes.mean(axis=0), 3)[:, list(self.freedom.rigid)]
        momentum = m @ motions
        squares, vectors = _elastic_modes(m, k, rigid, count)
        vectors = vectors - motions @ np.linalg.solve(motions.T @ momentum, momentum.T @ vectors)
        shapes = B @ vectors
        units = []
        for i in range(count):
            size, unit = mode_scale(shapes[:, i], nodes, 3)
            shapes[:, i] *= size
            units.append(unit)
        return ModalReduction(shapes, 0, squares, tuple(units)), tuple(f"mode[{i}]" for i in range(count))


def _elastic_modes(m: Any, k: Any, rigid: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest normal modes of a free body behind its rigid ones, rising: squares of frequencies, and shapes."""
    size = k.shape[0]
    if size <= 400 or 3 * (count + rigid) > size:
        from scipy.linalg import eigh

        squares, vectors = eigh(k.toarray(), m.toarray(), subset_by_index=(0, count + rigid - 1))
        return squares[rigid:], vectors[:, rigid:]
    # a small multiple of the mass makes the stiffness regular: the modes are the same, their squares shifted
    shift = 1e-6 * float(np.max(k.diagonal() / np.maximum(m.diagonal(), 1e-300))) / size
    raised = (k + shift * m).tocsc()
    squares, vectors = normal_modes(m, raised, factor(raised), count + rigid)
    return squares[rigid:] - shift, vectors[:, rigid:]


def reference_of(
    word: str,
    held: tuple[int, ...] | None,
    nodes: np.ndarray,
    plane: str | None,
    address: str,
    known: Mapping[str, Any],
) -> ReferenceConditions:
    """The conditions of a word, or of nodes that are held, on a body with such a `plane`."""
    freedom = DOFS[plane]
    partly = dict.fromkeys(on_axis(nodes).tolist(), np.eye(3)[1:2]) if freedom.revolved else {}
    if word == "mean":
        return ReferenceConditions(word, (), partly, freedom)
    if held is not None:
        apart = nodes[list(held)] - nodes[list(held)].mean(axis=0)
        rank = np.linalg.matrix_rank(apart, tol=1e-6 * float(np.max(np.ptp(nodes, axis=0))))
        if rank < {6: 2, 3: 1, 1: 0}[len(freedom.rigid)]:
            raise ModelError.at(
                address, f'"{word}" has nodes on a line or at one place, and cannot hold a body; give more'
            )
        return ReferenceConditions(word, tuple(held), partly, freedom)
    if word != "nodes":
        raise ModelError.at(address, f"got {shown(word)}; {suggestion(str(word), ['auto', 'nodes', 'mean', *known])}")
    a = int(np.argmin(np.linalg.norm(nodes, axis=1)))
    if freedom.revolved:
        if a in partly:
            return ReferenceConditions(word, (a,), partly, freedom)
        return ReferenceConditions(word, (), partly | {a: np.eye(3)[:1]}, freedom)
    b = int(np.argmax(np.linalg.norm(nodes - nodes[a], axis=1)))
    line = (nodes[b] - nodes[a]) / np.linalg.norm(nodes[b] - nodes[a])
    if plane is not None:
        return ReferenceConditions(word, (a,), {b: line[None]}, freedom)
    across = nodes - nodes[a] - np.outer((nodes - nodes[a]) @ line, line)
    c = int(np.argmax(np.linalg.norm(across, axis=1)))
    second = across[c] / np.linalg.norm(across[c])
    return ReferenceConditions(word, (a,), {b: line[None], c: np.stack([line, second])}, freedom)
