"""What two shapes have in common, asked from Python: for looking at geometry and for tests."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..pose import Pose
from ..shapes import Shape
from .cells import make_room, room_for, volume_data


class OverlapPart(NamedTuple):
    """One connected piece of the overlap of two shapes, world axes.

    volume      [m^3]
    centroid    (3,) [m]
    inertia     (3, 3), volume inertia about the centroid, integral of (r.r 1 - r r^T) dV [m^5]
    normal      (3,), guess of the contact normal: the direction of the push on the first shape
    area        of the surface of the second within the first, along the normal [m^2]
    key         names the cells that meet
    """

    volume: float
    centroid: np.ndarray
    inertia: np.ndarray
    normal: np.ndarray
    area: float
    key: int


class Overlap:
    """Two shapes with flat faces whose overlap is asked for at several poses."""

    def __init__(self, first: Shape, second: Shape) -> None:
        one, two = volume_data(first, "first"), volume_data(second, "second")
        self.integers = np.concatenate([one[0], two[0]])
        self.floats = np.concatenate([one[1], two[1]])
        self.begin = len(one[1]), len(one[0])
        self.room = make_room(*room_for(one[0], two[0]))

    def parts(self, first: Pose, second: Pose) -> list[OverlapPart]:
        """The connected parts of the overlap, the shapes being at these poses."""
        from ..kernels.contact.volumes import layout as L
        from ..kernels.contact.volumes.cells import flat_parts

        poses = [tuple(v.ravel().tolist()) for p in (first, second) for v in (p.rotation, p.position)]
        count = flat_parts(self.floats, self.integers, *self.begin, *poses, self.room)
        if count < 0:
            raise RuntimeError("more cells are near each other than there is room for")
        out = []
        for row in self.room.parts[:count]:
            xx, yy, zz, xy, xz, yz = row[L.INERTIA : L.INERTIA + 6]
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            centroid, normal = row[L.CENTROID : L.CENTROID + 3].copy(), row[L.GUESS : L.GUESS + 3].copy()
            out.append(OverlapPart(row[L.VOLUME], centroid, inertia, normal, row[L.AREA], int(row[L.KEY])))
        return out
