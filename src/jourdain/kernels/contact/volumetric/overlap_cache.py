"""Cache of overlap parts: the parts found last are used again where the shapes have the same poses.

A step begins at the state where the last one ended, and derivatives are taken at a state that was just evaluated. The
narrow phase of volumetric contact costs more than all else of an evaluation, so a run stores the parts found last with
the poses of the two shapes. Slots and normals depend on the latched values, which change when a step is accepted; the
cached geometry stays valid then.
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
    """At the beginning of a run: empties the cache of parts and switches it on."""
    if ws.found.shape[0] > 0:
        for c in range(model.contact_index.shape[0]):
            ws.found[ws.patches.shape[0] + c, FOUND_HOW_MANY] = FOUND_NONE


@kernel
def kept_parts(row, ws, c):
    """Copies the cached parts of contact c into ws.sites where they are of the present poses; their number, else -1."""
    head = ws.found[ws.patches.shape[0] + c]
    count = int(head[FOUND_HOW_MANY]) - FOUND_NONE - 1
    if count < 0:
        return -1
    # exact comparison of R_WA, p_WoAo and R_WB, p_WoBo
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
    """Caches the `count` parts of contact c that were found; nothing outside of a run."""
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
