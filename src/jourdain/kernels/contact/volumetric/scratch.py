"""Size of the scratch arrays that the overlaps of volumetric contacts need."""

from __future__ import annotations

import numpy as np

from ...rows import Table
from ..overlap_volumes.overlap_layout import CellPair, ClipPoint, ClipVertex, NodePair, OverlapPart

LINE_SCRATCH = 32  # at least the numbers of a plane, and of the line and the pieces of a side that it leaves in a slice
BREAK_SCRATCH = 1024  # at least the heights where slices change, the parts in a hole, what is found, and a polygon


def scratch_sizes(contacts: Table) -> tuple[int, int]:
    """Numbers of floats and integers for the contact that needs most; zero without volumetric contacts."""
    index = contacts.columns
    points, pairs, stack = index.capacity_points, index.capacity_pairs, index.capacity_stack
    if not np.any(points):
        return 0, 0
    floats = (ClipPoint.size + LINE_SCRATCH) * points + OverlapPart.size * pairs + BREAK_SCRATCH
    integers = ClipVertex.size * points + 2 * CellPair.size * pairs + NodePair.size * stack
    return int(np.max(floats)), int(np.max(integers))
