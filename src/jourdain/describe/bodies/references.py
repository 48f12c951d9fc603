"""What the frame of an elastic body is fixed to: nodal displacements without rigid motion.

With the position of the frame and all nodal displacements as coordinates, six of them (three in a plane) would be too
many. They go by conditions on three nodes, by a group of nodes that is held, or by mean axes (Tisserand), in which the
deformation has no momentum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from .interfaces import rigid_motions
from .matrices import factor
from .reduction import Reduction, mode_scale, normal_modes

WAYS = "xyz"


class Reference(NamedTuple):
    """Conditions on nodal displacements.

    word     "nodes", "mean", or the name of what is held
    fixed    nodes that do not move
    partly   nodes that move along some directions only, {node: (directions, 3)}
    """

    word: str
    fixed: tuple[int, ...]
    partly: dict[int, np.ndarray]

    def columns(self, masters: Iterable[int], count: int, plane: bool) -> tuple[Any, list[str]]:
        """The map (3 N, free) from what can move to all displacements, masters first, and names of the masters' ones,
        "" of the others."""
        from scipy.sparse import csc_array

        first = [int(node) for node in masters]
        rest = np.setdiff1d(np.arange(count), first).tolist()
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        names: list[str] = []
        for node in (*first, *rest):
            if node in self.fixed:
                continue
            ways = self.partly.get(node, np.eye(3)[:2] if plane else np.eye(3))
            for way in ways:
                at = np.flatnonzero(way)
                rows += (3 * node + at).tolist()
                columns += [len(names)] * len(at)
                values += way[at].tolist()
                single = len(at) == 1 and node not in self.partly
                word = WAYS[int(at[0])] if single else f"along{len([n for n in names if f'[{node}]' in n])}"
                names.append(f"node[{node}].{word}" if node in set(first) else "")
        return csc_array((values, (rows, columns)), shape=(3 * count, len(names))), names

    def floating(self, M: Any, K: Any, nodes: np.ndarray, count: int, plane: bool) -> tuple[Reduction, tuple[str, ...]]:
        """The lowest normal modes of the free body: they have no momentum."""
        keep = np.arange(3 * len(nodes))
        if plane:
            keep = keep[keep % 3 != 2]
        rigid = 3 if plane else 6
        m, k = M[keep][:, keep].tocsc(), K[keep][:, keep].tocsc()
        count = min(count, len(keep) - rigid)
        motions = rigid_motions(nodes - nodes.mean(axis=0), 3)[keep]
        motions = motions[:, [0, 1, 5]] if plane else motions
        momentum = m @ motions
        squares, vectors = _elastic_modes(m, k, rigid, count)
        vectors = vectors - motions @ np.linalg.solve(motions.T @ momentum, momentum.T @ vectors)
        shapes = np.zeros((3 * len(nodes), count))
        shapes[keep] = vectors
        units = []
        for i in range(count):
            size, unit = mode_scale(shapes[:, i], nodes, 3)
            shapes[:, i] *= size
            units.append(unit)
        return Reduction(shapes, 0, squares, tuple(units)), tuple(f"mode[{i}]" for i in range(count))


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
    word: str, held: tuple[int, ...] | None, nodes: np.ndarray, plane: bool, address: str, known: Mapping[str, Any]
) -> Reference:
    """The conditions of a word, or of nodes that are held."""
    if word == "mean":
        return Reference(word, (), {})
    if held is not None:
        apart = nodes[list(held)] - nodes[list(held)].mean(axis=0)
        if np.linalg.matrix_rank(apart, tol=1e-6 * float(np.max(np.ptp(nodes, axis=0)))) < (1 if plane else 2):
            raise ModelError.at(
                address, f'"{word}" has nodes on a line or at one place, and cannot hold a body; give more'
            )
        return Reference(word, tuple(held), {})
    if word != "nodes":
        raise ModelError.at(address, f"got {shown(word)}; {suggestion(str(word), ['auto', 'nodes', 'mean', *known])}")
    a = int(np.argmin(np.linalg.norm(nodes, axis=1)))
    b = int(np.argmax(np.linalg.norm(nodes - nodes[a], axis=1)))
    along = (nodes[b] - nodes[a]) / np.linalg.norm(nodes[b] - nodes[a])
    if plane:
        return Reference(word, (a,), {b: along[None]})
    across = nodes - nodes[a] - np.outer((nodes - nodes[a]) @ along, along)
    c = int(np.argmax(np.linalg.norm(across, axis=1)))
    second = across[c] / np.linalg.norm(across[c])
    return Reference(word, (a,), {b: along[None], c: np.stack([along, second])})
