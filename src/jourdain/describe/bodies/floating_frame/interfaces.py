"""Interfaces of finite-element parts: which nodes they are, how those move as one, and what can be wrong with them.

Degrees of freedom are ordered node by node: displacements x, y, z, then, with six a node, rotations x, y, z. A plane
part deforms along x and y only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....basics.errors import ModelError, Problem
from ....basics.values import name_problems, shown, suggestion
from .modal_tables import ModalStation

DIRECTIONS = tuple(f"{what} {axis}" for what in ("displacement", "rotation") for axis in "xyz")
"""The six coordinates of an interface."""
WAYS = {3: (0, 1, 2), 6: (0, 1, 2, 3, 4, 5)}
"""Directions of interfaces with so many coordinates, in space."""
IN_PLANE = (0, 1, 5)
"""Those of several nodes of a plane part; a single node has the first two."""
ON_A_LINE = 1e-6
"""Nodes whose second largest extent is below this, relative to the largest, lie on a line."""


def node_lists(given: Any, address: str, what: str) -> dict[str, tuple[int, ...]]:
    """Names with the indices of their nodes; a `ModelError` where they are none."""
    if not isinstance(given, Mapping):
        raise ModelError.at(f"{address}: {what}", f"got {shown(given)}; give a dict of names to nodes")
    out = {}
    for key, value in given.items():
        index = np.atleast_1d(np.asarray(value))
        if index.size and (index.dtype.kind not in "iu" or index.ndim != 1):
            raise ModelError.at(
                f"{address}.{key}", f"got {shown(value)}; give the index of a node, or a list of indices"
            )
        out[key] = tuple(int(node) for node in index)
    return out


@dataclass(frozen=True, eq=False)
class Group:
    """Nodes that move as one, tied rigidly to their mean position.

    nodes        indices, (k,)
    position     mean position of the nodes, (3,) [m]
    directions   in which it can move, of `DIRECTIONS`: all, or no rotations for a single node without them
    """

    nodes: np.ndarray
    position: np.ndarray
    directions: tuple[int, ...]

    @classmethod
    def of(cls, nodes: Sequence[int] | np.ndarray, positions: np.ndarray, dofs: int, plane: bool = False) -> Group:
        index = np.array(nodes, np.int64)
        ways = WAYS[3 if dofs == 3 and len(index) == 1 else 6]
        if plane:
            ways = IN_PLANE[:2] if len(index) == 1 else IN_PLANE
        return cls(index, positions[index].mean(axis=0), ways)

    @property
    def coordinates(self) -> int:
        """How many."""
        return len(self.directions)

    def rows(self, dofs: int) -> np.ndarray:
        """Degrees of freedom of the nodes, in order."""
        return (dofs * self.nodes[:, None] + np.arange(dofs)).ravel()

    def tie(self, positions: np.ndarray, dofs: int) -> np.ndarray:
        """Displacements of the nodes, as `rows`, for units of the coordinates: u = x + theta x (r - position)."""
        return rigid_motions(positions[self.nodes] - self.position, dofs)[:, list(self.directions)]

    def spread(self, positions: np.ndarray) -> float:
        """Second largest extent of the nodes over their largest: zero for nodes on a line."""
        size = np.linalg.svd(positions[self.nodes] - self.position, compute_uv=False)
        return float(size[1] / size[0]) if len(size) > 1 and size[0] > 0.0 else 0.0

    def station(self, shapes: np.ndarray, positions: np.ndarray, dofs: int, origin: np.ndarray) -> ModalStation:
        """The mean motion of the nodes, not tied; without rotations the rigid one that fits them best.

        shapes    nodal displacements for a unit of each coordinate, (N dofs, n)
        origin    what positions are relative to
        """
        place = self.position - origin
        moved = shapes[self.rows(dofs)].reshape(len(self.nodes), dofs, -1)
        psi = moved[:, :3].mean(axis=0).T
        if dofs == 6:
            return ModalStation(place, psi, moved[:, 3:].mean(axis=0).T)
        if len(self.nodes) == 1:
            return ModalStation(place, psi, np.zeros_like(psi))
        arm = positions[self.nodes] - self.position
        turned = np.sum(np.cross(arm[:, None], np.swapaxes(moved, 1, 2)), axis=0)
        second = np.sum(arm * arm) * np.eye(3) - arm.T @ arm
        return ModalStation(place, psi, (np.linalg.pinv(second, rcond=ON_A_LINE**2, hermitian=True) @ turned.T).T)


def rigid_motions(arms: np.ndarray, dofs: int) -> np.ndarray:
    """Nodal displacements (len(arms) * dofs, 6) of three unit displacements and three unit rotations about zero."""
    out = np.zeros((len(arms), dofs, 6))
    out[:, :3, :3] = np.eye(3)
    x, y, z = arms.T
    out[:, 0, 4], out[:, 0, 5] = z, -y
    out[:, 1, 3], out[:, 1, 5] = -z, x
    out[:, 2, 3], out[:, 2, 4] = y, -x
    if dofs == 6:
        out[:, 3:, 3:] = np.eye(3)
    return out.reshape(-1, 6)


def interface_problems(
    interfaces: Mapping[str, tuple[int, ...]],
    frames: Mapping[str, tuple[int, ...]],
    held: str,
    positions: np.ndarray,
    dofs: int,
    address: str,
    plane: bool = False,
) -> list[Problem]:
    """Nodes that do not exist, names taken twice, nodes of two interfaces, and groups without a rotation."""
    if not interfaces:
        return [Problem(address, 'interfaces is empty; give at least the one to hold, {"root": 0}')]
    problems = []
    if held not in interfaces:
        problems.append(Problem(address, f"held is {shown(held)}; {suggestion(str(held), interfaces)}", "held"))
    owner: dict[int, str] = {}
    for key, nodes in interfaces.items():
        where = f"{address}.{key}"
        found = _node_problems(key, nodes, positions, dofs, where, "interface", plane)
        if not found and dofs == 3 and len(nodes) == 1 and key == held:
            found = [
                Problem(
                    where,
                    "a single node without rotations cannot hold the body, which could still turn about it; give "
                    + ("two nodes or more" if plane else "three nodes or more that are not on a line"),
                )
            ]
        shared = [node for node in nodes if node in owner]
        if shared:
            found.append(Problem(where, f'shares node {shared[0]} with the interface "{owner[shared[0]]}"; part them'))
        owner |= dict.fromkeys(nodes, key)
        problems += found
    for key, nodes in frames.items():
        where = f"{address}.{key}"
        if key in interfaces:
            problems.append(Problem(where, f'"{key}" is an interface, and a frame already; choose another name'))
        problems += _node_problems(key, nodes, positions, dofs, where, "frame", plane)
    return problems


def _node_problems(
    key: str, nodes: tuple[int, ...], positions: np.ndarray, dofs: int, where: str, what: str, plane: bool
) -> list[Problem]:
    problems = name_problems(key, where, what)
    if key == "origin":
        problems.append(Problem(where, '"origin" is the body\'s own; choose another name'))
    last = len(positions) - 1
    wrong = ", ".join(str(node) for node in nodes if not 0 <= node <= last)
    if wrong or not nodes:
        return [*problems, Problem(where, f"{what} at node {wrong or 'none'}; the nodes are 0 to {last}")]
    if len(set(nodes)) < len(nodes):
        return [*problems, Problem(where, f"{what} names a node twice; name each once", what)]
    if plane:
        if len(nodes) > 1 and not np.any(np.ptp(positions[list(nodes)], axis=0) > 0.0):
            problems.append(Problem(where, f"its {len(nodes)} nodes are at one place; give nodes that are apart"))
    elif dofs == 3 and len(nodes) > 1 and Group.of(nodes, positions, 3).spread(positions) < ON_A_LINE:
        problems.append(
            Problem(
                where,
                f"its {len(nodes)} nodes lie on a line, and have no rotation about it; give three or more that do not, "
                "or a single node, which has no rotation; a plane model has dofs_per_node=2, and edges as interfaces",
            )
        )
    return problems
