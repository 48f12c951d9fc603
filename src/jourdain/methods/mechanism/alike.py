"""Whether two closures of a mechanism are one: the same places of everything, links that idle aside.

A link between spherical and universal joints can be put in turned about the line through them, and nothing else moves:
a universal joint has the angles (a, b) and (a + pi, pi - b) for one direction of its second shaft's axis. Two closures
are the same where all frames of all bodies are at the same places, and a body that is directed otherwise is held,
against bodies that are not turned as it is, by spherical and universal joints and rods alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...basics.pose import matrix_from_quaternion

if TYPE_CHECKING:
    from ...model.model import Model

ALIKE = 1e-6
"""Difference of frames' places [m] and of directions below which they are the same."""
POINTS = ("spherical", "universal", "rod", "free")
"""Joints that hold a point of a body, or nothing: about a line through their points it may be turned."""


class Places:
    """What distinguishes closures of a model.

    turned    whether links that idle distinguish them too
    """

    def __init__(self, model: Model, turned: bool = False) -> None:
        self.model = model
        self.frames = [name for name in model.frame_names if name != "world"]
        self.origins = [self.frames.index(f"{body}.origin") for body in model.bodies]
        number = {body: i for i, body in enumerate(model.bodies)}
        told = model.description
        pairs = [(one["to"], one["body"]["name"], one["joint"]["kind"]) for one in told.get("bodies", ())]
        pairs += [(one["first"], one["second"], one["element"]["kind"]) for one in told.get("connections", ())]
        self.joints = [
            (*(number.get(str(end).partition(".")[0], -1) for end in (first, second)), kind in POINTS)
            for first, second, kind in pairs
            if kind != "spring"
        ]
        held = [sum(i in joint[:2] for joint in self.joints) for i in range(len(number))]
        self.idle = np.array([not turned and count > 1 for count in held], bool)
        """Bodies that may be turned: those of one joint are ends, whose direction is what they are for."""

    def of(self, q: np.ndarray) -> np.ndarray:
        """Places and quaternions of all frames (frames, 7)."""
        return self.model.frame_path(self.frames, q[None], np.zeros((1, self.model.nv)))[0, :, :7]

    def same(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether two closures are one."""
        if np.max(np.abs(one[:, :3] - other[:, :3]), initial=0.0) > ALIKE:
            return False
        a, b = one[self.origins, 3:], other[self.origins, 3:]
        apart = np.minimum(np.max(np.abs(a - b), axis=1), np.max(np.abs(a + b), axis=1)) > ALIKE
        if not np.any(apart):
            return True
        if np.any(apart & ~self.idle):
            return False
        turns = {int(i): matrix_from_quaternion(b[i]) @ matrix_from_quaternion(a[i]).T for i in np.flatnonzero(apart)}
        still = np.eye(3)
        return all(
            loose or np.max(np.abs(turns.get(first, still) - turns.get(second, still))) < ALIKE
            for first, second, loose in self.joints
        )
