"""Boxes on bodies: how far they are apart, by separating axes. For collisions over a workspace.

Two boxes do not overlap where some axis has their shadows apart; fifteen axes are enough, the three of either and the
nine products of two edges (Gottschalk, Lin & Manocha 1996). Sika et al. 2002 test edges of one against faces of the
other, which is the same question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown
from ...describe.shapes.shape import Placed
from ...describe.shapes.solids import Box

if TYPE_CHECKING:
    from ...model.model import Model


class Boxes:
    """Boxes on the frames of a model, and the pairs of them that may collide.

    parts    ``[jd.Box((0.4, 0.05, 0.05)).at("upper0.origin", position=(0.2, 0, 0)), ...]``, several to a body

    Boxes of one body, and of two moving bodies that a joint or a connection holds together, are no pair; boxes in the
    world are obstacles to all.
    """

    def __init__(self, model: Model, parts: Sequence[Placed]) -> None:
        wrong = [one for one in parts if not isinstance(one, Placed) or not isinstance(one.shape, Box)]
        if wrong:
            raise ModelError.at("parts", f'got {shown(wrong[0])}; give boxes on bodies, jd.Box(...).at("body.frame")')
        self.model, self.parts = model, list(parts)
        owners = [_body(one.address) for one in parts]
        joined = _joined(model.description)
        self.pairs = [
            (i, j)
            for i in range(len(parts))
            for j in range(i + 1, len(parts))
            if owners[i] != owners[j] and frozenset((owners[i], owners[j])) not in joined
        ]
        self.half = np.array([0.5 * np.array(one.shape.lengths) for one in parts if isinstance(one.shape, Box)])

    def clearance(self, q: np.ndarray) -> float:
        """Least of the pairs' distances [m]: below zero the depth of an overlap, above at most the distance."""
        if not self.pairs:
            return np.inf
        places = [_place(self.model, one, q) for one in self.parts]
        centre = np.array([one[0] for one in places])
        turn = np.array([one[1] for one in places])
        a, b = np.array(self.pairs).T
        return float(np.min(box_distance(centre[a], turn[a], self.half[a], centre[b], turn[b], self.half[b])))


def box_distance(
    first: np.ndarray, turn: np.ndarray, half: np.ndarray, second: np.ndarray, other: np.ndarray, halves: np.ndarray
) -> np.ndarray:
    """Distances of boxes (k,) along the best of the fifteen axes; below zero where two overlap.

    first, turn, half    centres (k, 3), rotations (k, 3, 3), half lengths (k, 3) of the ones; then of the others
    """
    U, V = np.swapaxes(turn, 1, 2), np.swapaxes(other, 1, 2)  # edges in rows
    crossed = np.cross(U[:, :, None, :], V[:, None, :, :]).reshape(len(U), 9, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    crossed = np.where(size > 1e-9, crossed / np.maximum(size, 1e-300), U[:, :1])  # parallel edges: an axis again
    axes = np.concatenate([U, V, crossed], axis=1)
    reach = np.einsum("kae,ke->ka", np.abs(np.einsum("kai,kei->kae", axes, U)), half)
    reach += np.einsum("kae,ke->ka", np.abs(np.einsum("kai,kei->kae", axes, V)), halves)
    return np.max(np.abs(np.einsum("kai,ki->ka", axes, second - first)) - reach, axis=1)


def _place(model: Model, part: Placed, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own = part.pose
    if part.address == "world":
        return np.asarray(own.position), np.asarray(own.rotation)
    frame = model.pose(part.address, q)
    return frame.position + frame.rotation @ own.position, frame.rotation @ own.rotation


def _body(address: str) -> str:
    return address.partition(".")[0]


def _joined(description: dict[str, Any]) -> set[frozenset[str]]:
    """Pairs of moving bodies that a joint or a connection holds together."""
    pairs = [(item["body"]["name"], item["to"]) for item in description.get("bodies", ())]
    pairs += [(item["first"], item["second"]) for item in description.get("connections", ())]
    return {frozenset((_body(a), _body(b))) for a, b in pairs if "world" not in (a, b)}
