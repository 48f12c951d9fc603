"""Cache of overlap parts: the parts found last are used again where the shapes have the same poses.

A step begins at the state where the last one ended, and derivatives are taken at a state that was just evaluated. The
narrow phase of volumetric contact costs more than all else of an evaluation, so a run stores the parts found last with
the poses of the two shapes. Slots and normals depend on the latched values, which change when a step is accepted; the
cached geometry stays valid then.
"""

from __future__ import annotations

from ...compiler import kernel, optional_kernel
from ...rows import copy_row, table_of
from ..contact_rows import Site

FOUND_NONE = 1
"""FoundParts.count where nothing is known; 0 outside of runs."""
sites_of = table_of(Site)


@optional_kernel("patches")
def forget_parts(model, ws):
    """At the beginning of a run: empties the cache of parts and switches it on."""
    for c in range(len(model.contacts)):
        ws.found[len(ws.patches) + c].count = FOUND_NONE


@kernel
def kept_parts(row, ws, c):
    """Copies the cached parts of contact c into ws.sites where they are of the present poses; their number, else -1."""
    head = ws.found[len(ws.patches) + c]
    count = head.count - FOUND_NONE - 1
    if count < 0:
        return -1
    # exact comparison of R_WA, p_WoAo and R_WB, p_WoBo
    pose_A, pose_B = ws.shapes[row.first].pose, ws.shapes[row.second].pose
    for k in range(pose_A.size):
        if head.pose_A[k] != pose_A[k] or head.pose_B[k] != pose_B[k]:
            return -1
    parts = sites_of(ws.found_parts)
    for s in range(count):
        copy_row(ws.sites[s], parts[row.patches + s])
    return count


@kernel
def keep_parts(row, ws, c, count):
    """Caches the `count` parts of contact c that were found; nothing outside of a run."""
    head = ws.found[len(ws.patches) + c]
    if head.count < FOUND_NONE:
        return
    if count > row.slots:
        head.count = FOUND_NONE
        return
    head.count = FOUND_NONE + 1 + count
    pose_A, pose_B = ws.shapes[row.first].pose, ws.shapes[row.second].pose
    for k in range(pose_A.size):
        head.pose_A[k], head.pose_B[k] = pose_A[k], pose_B[k]
    parts = sites_of(ws.found_parts)
    for s in range(count):
        copy_row(parts[row.patches + s], ws.sites[s])
