"""Packets between a live model, its controller and a robot: one layout, little endian, with a version and a checksum.

offset  type     what
0       4 bytes  "JDLV"
4       uint16   version, 1
6       uint16   kind: 1 state, 2 effort, 3 command
8       uint32   layout: CRC-32 of the names that the numbers stand for, so that two models are not mixed up
12      uint32   flags: 1 hold, 2 resume, 4 reset, 8 stop
16      uint64   session: when the sender began, nanoseconds since 1970
24      uint64   sequence: 1, 2, 3 ... within the session
32      uint64   answers: the sequence of the packet that this one follows from, 0 for none
40      float64  time of the model [s]
48      uint32   count of the numbers that follow
52      uint32   CRC-32 of the whole packet with zeros here
56      float64  the numbers
"""

from __future__ import annotations

import math
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

MAGIC, VERSION = b"JDLV", 1
HEAD = struct.Struct("<4sHHIIQQQdII")
STATE, EFFORT, COMMAND = 1, 2, 3
HOLD, RESUME, RESET, STOP = 1, 2, 4, 8
MOST = 4096
"""Most numbers in a packet."""
WINDOW = 64
"""How far behind the newest packet one is distinguished from a packet that was there already."""
REASONS = ("short", "long", "magic", "version", "kind", "layout", "size", "checksum", "not finite", "old session",
           "replayed", "late")  # fmt: skip
"""Why packets are ignored."""


@dataclass(frozen=True)
class Packet:
    """A packet that was accepted."""

    kind: int
    flags: int
    session: int
    sequence: int
    answers: int
    time: float
    values: np.ndarray


def layout_of(names: Iterable[str]) -> int:
    """The number that stands for a list of names."""
    return zlib.crc32("\n".join(names).encode())


class Writer:
    """Makes the packets of one sender.

    layout     of the names of the numbers
    session    when the sender began [ns since 1970]
    """

    def __init__(self, layout: int, session: int) -> None:
        self.layout, self.session, self.sequence = layout, session, 0

    def pack(
        self, kind: int, time: float, values: Sequence[float] | np.ndarray, flags: int = 0, answers: int = 0
    ) -> bytes:
        """The next packet."""
        self.sequence += 1
        numbers = np.ascontiguousarray(values, "<f8")
        told = (MAGIC, VERSION, kind, self.layout, flags, self.session, self.sequence, answers, time, len(numbers))
        body = numbers.tobytes()
        check = zlib.crc32(body, zlib.crc32(HEAD.pack(*told, 0)))
        return HEAD.pack(*told, check) + body


class Reader:
    """Takes packets of others, and ignores and counts what is wrong with them.

    layout     that packets must have
    sizes      how many numbers each kind of packet has; others are not taken
    counts     packets by what became of them: "accepted", or one of `REASONS`
    """

    def __init__(self, layout: int, sizes: dict[int, int]) -> None:
        self.layout, self.sizes = layout, sizes
        self.counts: Counter[str] = Counter()
        self.session = self.newest = self.seen = 0

    def read(self, raw: bytes) -> Packet | None:
        """The packet in some bytes; None where it is ignored."""
        why, packet = self._judge(raw)
        self.counts[why] += 1
        return packet

    @property
    def ignored(self) -> int:
        """How many packets were ignored."""
        return sum(count for why, count in self.counts.items() if why != "accepted")

    def _judge(self, raw: bytes) -> tuple[str, Packet | None]:
        if len(raw) < HEAD.size:
            return "short", None
        if len(raw) > HEAD.size + 8 * MOST:
            return "long", None
        magic, version, kind, layout, flags, session, sequence, answers, time, count, check = HEAD.unpack_from(raw)
        if magic != MAGIC:
            return "magic", None
        if version != VERSION:
            return "version", None
        if len(raw) != HEAD.size + 8 * count:
            return "short" if len(raw) < HEAD.size + 8 * count else "long", None
        body = memoryview(raw)[HEAD.size :]
        if zlib.crc32(body, zlib.crc32(b"\0\0\0\0", zlib.crc32(raw[: HEAD.size - 4]))) != check:
            return "checksum", None
        if kind not in self.sizes:
            return "kind", None
        if layout != self.layout:
            return "layout", None
        if count != self.sizes[kind]:
            return "size", None
        values = np.frombuffer(body, "<f8")
        if not math.isfinite(time) or not bool(np.isfinite(values).all()):
            return "not finite", None
        why = self._order(session, sequence)
        if why:
            return why, None
        return "accepted", Packet(kind, flags, session, sequence, answers, time, values.astype(float))

    def _order(self, session: int, sequence: int) -> str:
        """Whether a packet comes after those before it; "" where it does, and is remembered then."""
        if session < self.session:
            return "old session"
        if session > self.session:
            self.session, self.newest, self.seen = session, 0, 0
        if sequence > self.newest:
            self.seen = ((self.seen << min(WINDOW, sequence - self.newest)) | 1) & ((1 << WINDOW) - 1)
            self.newest = sequence
            return ""
        behind = self.newest - sequence
        if sequence < 1 or behind >= WINDOW:
            return "late"
        if self.seen >> behind & 1:
            return "replayed"
        self.seen |= 1 << behind
        return "late"
