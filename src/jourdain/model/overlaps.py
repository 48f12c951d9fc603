"""What two shapes have in common, asked from Python: for looking at geometry and for tests."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..describe.shapes import Shape
from ..describe.shapes.cell_tables import (
    cells_data,
    is_flat,
    make_scratch,
    make_slices,
    pair_problems,
    scratch_capacity,
    slices_for,
)
from ..describe.shapes.cells import solid_cells


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
    """Two shapes whose overlap is asked for at several poses."""

    def __init__(self, first: Shape, second: Shape) -> None:
        cells = solid_cells(first, "first"), solid_cells(second, "second")
        problems = pair_problems(*cells, "overlap")
        if problems:
            raise ModelError(problems)
        one, two = (cells_data(some) for some in cells)
        self.integers = np.concatenate([one[0], two[0]])
        self.floats = np.concatenate([one[1], two[1]])
        for table in (self.integers, self.floats):
            table.setflags(write=False)  # as those of a model, so that both run the same machine code
        self.begin = len(one[1]), len(one[0])
        self.scratch = make_scratch(*scratch_capacity(one[0], two[0]))
        flat = is_flat(cells[0]) and is_flat(cells[1])
        self.slices = None if flat else make_slices(*slices_for(one[0], two[0]))

    def parts(self, first: Pose, second: Pose) -> list[OverlapPart]:
        """The connected parts of the overlap, the shapes being at these poses."""
        from ..kernels.contact.overlap_volumes.overlap_layout import OverlapPart as Row

        poses = [tuple(v.ravel().tolist()) for p in (first, second) for v in (p.rotation, p.position)]
        if self.slices is None:
            from ..kernels.contact.overlap_volumes.cell_overlap import flat_parts

            count = flat_parts(self.floats, self.integers, *self.begin, *poses, self.scratch)
        else:
            from ..kernels.contact.overlap_volumes.mixed_overlap import mixed_parts

            count = mixed_parts(self.floats, self.integers, *self.begin, *poses, self.scratch, self.slices)
        if count < 0:
            raise RuntimeError("more cells are near each other than there is room for")
        out = []
        for row in map(Row, self.scratch.parts[:count]):
            J = row.inertia
            inertia = np.array([[J.xx, J.xy, J.xz], [J.xy, J.yy, J.yz], [J.xz, J.yz, J.zz]])
            centroid, normal = np.array(tuple(row.centroid)), np.array(tuple(row.guess))
            out.append(OverlapPart(row.volume, centroid, inertia, normal, row.area, row.key))
        return out
