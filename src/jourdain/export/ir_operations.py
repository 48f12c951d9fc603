"""What instructions do to numbers that may not be known yet, and what memory holds."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from .expression_graph import Graph, Node

LEAST = 4096
"""Addresses below are none."""


class Unknown(Exception):
    """A step of a way that cannot be settled: what it depends on."""


_FORMATS = {"double": "<d", "i64": "<q", "ptr": "<q", "i32": "<i", "i8": "<b", "i1": "<b", "i16": "<h"}


def known(place: int, kind: str) -> Any:
    """What this process has at an address."""
    if place < LEAST:
        raise Unknown("an address is not known")
    form = _FORMATS[kind]
    return struct.unpack(form, ctypes.string_at(place, struct.calcsize(form)))[0]


def as_kind(value: Any, kind: str) -> Any:
    """A word of memory as a number of this kind."""
    if isinstance(value, Node | str):
        return value
    if kind == "double" and isinstance(value, int):
        return struct.unpack("<d", struct.pack("<q", value))[0]
    if kind != "double" and isinstance(value, float):
        return struct.unpack("<q", struct.pack("<d", value))[0]
    return value


def _whole(work: Any) -> Any:
    """An operation on integers."""

    def done(graph: Graph, a: Any, b: Any) -> Any:
        if isinstance(a, Node) or isinstance(b, Node):
            raise Unknown("an index depends on the caller's numbers")
        return work(a, b)

    return done


def _logic(name: str, work: Any) -> Any:
    """And, or, xor of truths or of integers."""

    def done(graph: Graph, a: Any, b: Any) -> Any:
        if isinstance(a, Node) or isinstance(b, Node):
            if name == "xor":
                known, other = (a, b) if not isinstance(a, Node) else (b, a)
                if isinstance(known, Node):
                    raise Unknown("two truths are compared")
                return graph.inverse(other) if known else other
            return (graph.both if name == "and" else graph.either)(a, b)
        return work(int(a), int(b))

    return done


OPERATIONS = {
    "fadd": Graph.add,
    "fsub": Graph.subtract,
    "fmul": Graph.multiply,
    "fdiv": Graph.divide,
    "add": _whole(lambda a, b: a + b),
    "sub": _whole(lambda a, b: a - b),
    "mul": _whole(lambda a, b: a * b),
    "shl": _whole(lambda a, b: a << b),
    "lshr": _whole(lambda a, b: (a % (1 << 64)) >> b),
    "ashr": _whole(lambda a, b: a >> b),
    "sdiv": _whole(lambda a, b: int(a / b)),
    "udiv": _whole(lambda a, b: a // b),
    "srem": _whole(lambda a, b: a - b * int(a / b)),
    "urem": _whole(lambda a, b: a % b),
    "and": _logic("and", lambda a, b: a & b),
    "or": _logic("or", lambda a, b: a | b),
    "xor": _logic("xor", lambda a, b: a ^ b),
}
