"""How packets travel: by UDP, or through a file that two processes map into their memory."""

from __future__ import annotations

import mmap
import os
import socket
import struct
from typing import Protocol

from ..basics.errors import JourdainError
from ..basics.platforms import is_own
from .packets import HEAD, MOST

LARGEST = HEAD.size + 8 * MOST
AT_ONCE = 64
"""Most datagrams that are taken in one tick."""


class Link(Protocol):
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
ROOM = SLOT.size + LARGEST + TAIL.size


class SharedMemory:
    """A mapped file with a slot for each direction, each holding the newest packet.

    File: "JDSM", uint16 version 1, uint16 0, uint32 bytes of a slot, uint32 0; from byte 64 slot 0, behind it slot 1. A
    slot: uint64 count before, uint32 length, 4 bytes, the packet, and as its last 8 bytes uint64 count after. A writer
    raises the first count, writes, and sets the last to the same; a reader takes a packet where both are equal and new.

    path     of the file; on Linux in /dev/shm it is memory alone
    mine     the slot that is written here: 0 for the live process, 1 for the other
    """

    def __init__(self, path: str | os.PathLike[str], mine: int = 0) -> None:
        size = 64 + 2 * ROOM
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except (OSError, ValueError) as error:
            told = getattr(error, "strerror", None) or "is no name of a file"
            raise JourdainError(f"{path}: {told}; give a file that can be written") from error
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
        told = MARK.pack(b"JDSM", 1, 0, ROOM, 0)
        if had and self.map[: MARK.size] not in (told, b"\0" * MARK.size):
            raise JourdainError(f"{path}: is a file of something else; give another name")
        self.map[: MARK.size] = told
        self.mine, self.theirs = 64 + mine * ROOM, 64 + (1 - mine) * ROOM
        self.count = SLOT.unpack_from(self.map, self.mine)[0]
        self.taken = TAIL.unpack_from(self.map, self.theirs + ROOM - TAIL.size)[0]

    def send(self, raw: bytes) -> None:
        """Puts a packet into this side's slot."""
        if len(raw) > LARGEST:
            raise JourdainError(f"a packet of {len(raw)} bytes does not go into a slot of {LARGEST}")
        self.count += 1
        SLOT.pack_into(self.map, self.mine, self.count, len(raw))
        self.map[self.mine + SLOT.size : self.mine + SLOT.size + len(raw)] = raw
        TAIL.pack_into(self.map, self.mine + ROOM - TAIL.size, self.count)

    def receive(self) -> list[bytes]:
        """The packet of the other side, where it is whole and new."""
        after = TAIL.unpack_from(self.map, self.theirs + ROOM - TAIL.size)[0]
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
