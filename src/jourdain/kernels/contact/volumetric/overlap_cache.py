"""Overlap parts that are asked for again where the shapes have not moved: after an accepted step, for derivatives.

A step ends where the next begins, and what a method looks at last it often looks at once more. Finding the parts of an
overlap takes longer than all else of an evaluation, so a run keeps those that it found last, with the poses that they
are of. Slots and normals change with what is latched, which is when a step is accepted; parts keep theirs then.
"""

from __future__ import annotations

from ...compiler import kernel
from ..contact_layout import (
    CONTACT_FIRST,
    CONTACT_SECOND,
    FOUND_FIRST,
    FOUND_HOW_MANY,
    FOUND_NONE,
    FOUND_SECOND,
    PATCHES,
    SHAPE_R,
    SITE,
    SLOTS,
)

POSE = 12
"""Numbers of a pose: rotation, then position."""


@kernel
def forget_parts(model, ws):
    """A run begins: nothing is kept yet, but will be."""
    if ws.found.shape[0] > 0:
        for c in range(model.contact_index.shape[0]):
            ws.found[ws.patches.shape[0] + c, FOUND_HOW_MANY] = FOUND_NONE


@kernel
def kept_parts(row, ws, c):
    """Lays the parts of contact c into ws.sites where they are kept of the poses of now; their number, else -1."""
    head = ws.found[ws.patches.shape[0] + c]
    count = int(head[FOUND_HOW_MANY]) - FOUND_NONE - 1
    if count < 0:
        return -1
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    for k in range(POSE):
        if head[FOUND_FIRST + k] != ws.shapes[a, SHAPE_R + k] or head[FOUND_SECOND + k] != ws.shapes[b, SHAPE_R + k]:
            return -1
    for s in range(count):
        for k in range(SITE):
            ws.sites[s, k] = ws.found[row[PATCHES] + s, k]
    return count


@kernel
def keep_parts(row, ws, c, count):
    """Keeps the `count` parts of contact c that were found, in a run."""
    head = ws.found[ws.patches.shape[0] + c]
    if head[FOUND_HOW_MANY] < FOUND_NONE:
        return
    if count > row[SLOTS]:
        head[FOUND_HOW_MANY] = FOUND_NONE
        return
    head[FOUND_HOW_MANY] = FOUND_NONE + 1 + count
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    for k in range(POSE):
        head[FOUND_FIRST + k] = ws.shapes[a, SHAPE_R + k]
        head[FOUND_SECOND + k] = ws.shapes[b, SHAPE_R + k]
    for s in range(count):
        for k in range(SITE):
            ws.found[row[PATCHES] + s, k] = ws.sites[s, k]
