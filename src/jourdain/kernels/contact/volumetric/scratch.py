"""Size of the scratch arrays that the overlaps of volumetric contacts need."""

from __future__ import annotations

import numpy as np

from ..contact_layout import ROOM_PAIRS, ROOM_POINTS, ROOM_STACK
from ..overlap_volumes.overlap_layout import LINK, PAIR_SIZE, PART_SIZE, POINT_SIZE

LINE_ROOM = 32  # at least the numbers of a plane, and of the line and the pieces of a side that it leaves in a slice
BREAK_ROOM = 1024  # at least the heights where slices change, the parts in a hole, what is found, and a polygon


def room_sizes(contact_index: np.ndarray) -> tuple[int, int]:
    """Numbers of floats and integers for the contact that needs most; zero without volumetric contacts."""
    points, pairs, stack = (contact_index[:, k] for k in (ROOM_POINTS, ROOM_PAIRS, ROOM_STACK))
    if not np.any(points):
        return 0, 0
    floats = (POINT_SIZE + LINE_ROOM) * points + PART_SIZE * pairs + BREAK_ROOM
    return int(np.max(floats)), int(np.max(LINK * points + 2 * PAIR_SIZE * pairs + 2 * stack))
