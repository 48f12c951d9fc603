"""How packets travel: by UDP, or through a file that two processes map into their memory.

Packets between a live model, its controller and a robot: one layout, little endian, with a version and a checksum.

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
import mmap
import os
import socket
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..basics.errors import JourdainError
from ..basics.platforms import is_own

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
        stated = (MAGIC, VERSION, kind, self.layout, flags, self.session, self.sequence, answers, time, len(numbers))
        body = numbers.tobytes()
        check = zlib.crc32(body, zlib.crc32(HEAD.pack(*stated, 0)))
        return HEAD.pack(*stated, check) + body


class PacketReader:
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


LARGEST = HEAD.size + 8 * MOST
AT_ONCE = 64
"""Most datagrams that are taken in one tick."""


class Transport(Protocol):
    """What brings packets to another process and back; nothing here waits."""

    def send(self, raw: bytes) -> None:
        """Sends a packet; it may get lost."""

    def receive(self) -> list[bytes]:
        """What has come since the last call."""

    def close(self) -> None:
        """Ends it."""


class Udp:
    """Datagrams.

    local     (host, port) to listen at; port 0 for any
    remote    (host, port) to send to, from where alone packets are taken. None: whoever sends a packet that `learn` is
              called for, as a robot that waits for its controller
    """

    def __init__(self, local: tuple[str, int] = ("127.0.0.1", 0), remote: tuple[str, int] | None = None) -> None:
        family = socket.AF_INET6 if ":" in local[0] else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        try:
            self.socket.bind(local)
        except OSError as error:
            self.socket.close()
            raise JourdainError(f"{local[0]}:{local[1]}: {error.strerror}; give another port") from error
        self.remote = remote
        self.fixed = remote is not None
        self.last: tuple[str, int] | None = None

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return self.socket.getsockname()[1]

    def send(self, raw: bytes) -> None:
        """Sends a packet, where somebody is there to send it to."""
        if self.remote is None:
            return
        try:
            self.socket.sendto(raw, self.remote)
        except OSError:  # as if it were lost on the way: nobody listens yet, or the buffer is full
            return

    def receive(self) -> list[bytes]:
        """Datagrams that are waiting, at most 64."""
        found: list[bytes] = []
        for _ in range(AT_ONCE):
            try:
                raw, sender = self.socket.recvfrom(LARGEST + 1)
            except (BlockingIOError, ConnectionError):
                break
            if self.fixed and sender[:2] != self.remote:
                continue
            self.last = sender[:2]
            found.append(raw)
        return found

    def learn(self) -> None:
        """The last packet was good: its sender is who to answer, where nobody was named."""
        if not self.fixed:
            self.remote = self.last

    def close(self) -> None:
        """Closes the socket."""
        self.socket.close()


MARK = struct.Struct("<4sHHII")
SLOT = struct.Struct("<QI4x")
TAIL = struct.Struct("<Q")
CAPACITY = SLOT.size + LARGEST + TAIL.size


class SharedMemory:
    """A mapped file with a slot for each direction, each holding the newest packet.

    File: "JDSM", uint16 version 1, uint16 0, uint32 bytes of a slot, uint32 0; from byte 64 slot 0, behind it slot 1. A
    slot: uint64 count before, uint32 length, 4 bytes, the packet, and as its last 8 bytes uint64 count after. A writer
    raises the first count, writes, and sets the last to the same; a reader takes a packet where both are equal and new.

    path     of the file; on Linux in /dev/shm it is memory alone
    mine     the slot that is written here: 0 for the live process, 1 for the other
    """

    def __init__(self, path: str | os.PathLike[str], mine: int = 0) -> None:
        size = 64 + 2 * CAPACITY
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except (OSError, ValueError) as error:
            stated = getattr(error, "strerror", None) or "is no name of a file"
            raise JourdainError(f"{path}: {stated}; give a file that can be written") from error
        try:
            if not is_own(handle):
                raise JourdainError(f"{path}: belongs to another user, who could drive the robot; give another name")
            had = os.fstat(handle).st_size
            if had not in (0, size):
                raise JourdainError(f"{path}: is a file of something else, {had} bytes; give another name")
            os.ftruncate(handle, size)
            self.map = mmap.mmap(handle, size)
        except OSError as error:  # a pipe, a device
            raise JourdainError(f"{path}: {error.strerror}; give a plain file") from error
        finally:
            os.close(handle)
        stated = MARK.pack(b"JDSM", 1, 0, CAPACITY, 0)
        if had and self.map[: MARK.size] not in (stated, b"\0" * MARK.size):
            raise JourdainError(f"{path}: is a file of something else; give another name")
        self.map[: MARK.size] = stated
        self.mine, self.theirs = 64 + mine * CAPACITY, 64 + (1 - mine) * CAPACITY
        self.count = SLOT.unpack_from(self.map, self.mine)[0]
        self.taken = TAIL.unpack_from(self.map, self.theirs + CAPACITY - TAIL.size)[0]

    def send(self, raw: bytes) -> None:
        """Puts a packet into this side's slot."""
        if len(raw) > LARGEST:
            raise JourdainError(f"a packet of {len(raw)} bytes does not go into a slot of {LARGEST}")
        self.count += 1
        SLOT.pack_into(self.map, self.mine, self.count, len(raw))
        self.map[self.mine + SLOT.size : self.mine + SLOT.size + len(raw)] = raw
        TAIL.pack_into(self.map, self.mine + CAPACITY - TAIL.size, self.count)

    def receive(self) -> list[bytes]:
        """The packet of the other side, where it is whole and new."""
        after = TAIL.unpack_from(self.map, self.theirs + CAPACITY - TAIL.size)[0]
        if after == self.taken:
            return []
        before, length = SLOT.unpack_from(self.map, self.theirs)
        raw = bytes(self.map[self.theirs + SLOT.size : self.theirs + SLOT.size + min(length, LARGEST)])
        if before != after or SLOT.unpack_from(self.map, self.theirs)[0] != after or length > LARGEST:
            return []
        self.taken = after
        return [raw]

    def learn(self) -> None:
        """There is nobody else to answer."""

    def close(self) -> None:
        """Unmaps the file, which stays."""
        self.map.close()
