"""The order of bodies: parents before children."""

from __future__ import annotations

import heapq

from ..describe.system import Attachment


def inside_first(attachments: list[Attachment]) -> list[Attachment]:
    """The attachments, parents before children, otherwise in the order in which they were added."""
    children: dict[str, list[int]] = {}
    for i, item in enumerate(attachments):
        children.setdefault(item.parent, []).append(i)
    ready = list(children.get("world", []))
    heapq.heapify(ready)
    order = []
    while ready:
        i = heapq.heappop(ready)
        order.append(attachments[i])
        for child in children.get(attachments[i].body.name, []):
            heapq.heappush(ready, child)
    return order
