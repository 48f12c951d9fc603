"""Other values at addresses of a file: "system.bodies.link1.EI", "controller.slow.mass", "events[0].at"."""

from __future__ import annotations

import re

from ..basics.values import suggestion
from .diagnostics import Diagnostics
from .yaml import Node

_PART = re.compile(r"([^.\[\]]+)|\[([0-9]{1,6})\]")


def parts(address: str) -> list[str | int] | None:
    """The steps of an address: keys and names of items, or numbers of items; None where it is none."""
    out: list[str | int] = []
    at = 0
    while at < len(address):
        found = _PART.match(address, at)
        if found is None or (found.group(1) is not None and out and address[at - 1] != "."):
            return None
        out.append(found.group(1) if found.group(1) is not None else int(found.group(2)))
        at = found.end()
        if at < len(address) and address[at] == ".":
            at += 1
            if at == len(address):
                return None
    return out or None


def override(root: Node, address: str, value: Node, at: Node, where: str, diagnostics: Diagnostics) -> Node:
    """The document with another value at an address; the same one where the address leads nowhere.

    at, where    the node and address of the override itself, for mistakes
    """
    way = parts(address)
    if way is None:
        diagnostics.wrong(at, where, f'"{address}" is no address; write such as system.bodies.link1.EI or events[0].at')
        return root
    return _set(root, way, 0, value, at, where, diagnostics)


def _set(node: Node, way: list[str | int], i: int, value: Node, at: Node, where: str, diagnostics: Diagnostics) -> Node:
    if i == len(way):
        return value
    key = way[i]
    if node.is_map and isinstance(key, str):
        inner = node.value.get(key)
        if inner is None or (inner.value is None and i + 1 < len(way)):
            if i + 1 < len(way):
                diagnostics.wrong(at, where, f'there is no "{key}" there; {suggestion(key, node.value)}')
                return node
            inner = value
        places = node.places if key in node.places else node.places | {key: (at.line, at.column)}
        new = node.value | {key: _set(inner, way, i + 1, value, at, where, diagnostics)}
        return Node(new, node.file, node.line, node.column, places, node.size)
    if node.is_list:
        named = [(one.get("name"), j) for j, one in enumerate(node.value)]
        names = {name.value: j for name, j in named if name is not None and name.is_text}
        number = key if isinstance(key, int) else names.get(key)
        if number is None or number >= len(node.value):
            some = suggestion(str(key), names) if names else f"it has {len(node.value)}"
            diagnostics.wrong(at, where, f"there is no item {key!r} there; {some}")
            return node
        items = list(node.value)
        items[number] = _set(items[number], way, i + 1, value, at, where, diagnostics)
        return Node(items, node.file, node.line, node.column, node.places, node.size)
    diagnostics.wrong(at, where, f'there is nothing to go into at "{key}": it is {node.shown()}')
    return node
