"""Logs of robots in MCAP files (mcap.dev/spec, version 0), read from front to end and bounded in what they hold.

A chunk is unpacked as far as it says, and not further; the whole as far as a log of its size can need. What is read
besides messages (channels, schemas) is bounded by the file, and all else in it is left where it is.
"""

from __future__ import annotations

import re
import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ...basics.errors import JourdainError, ModelError
from ...basics.storage import json_value
from .log_files import LARGEST_UNPACKED, LONGEST_NAME, MOST_COLUMNS, MOST_NUMBERS, Columns, foreign, too_many

MAGIC = b"\x89MCAP0\r\n"
SCHEMA, CHANNEL, MESSAGE, CHUNK, FOOTER = 3, 4, 5, 6, 2
LARGEST_CHUNK = 2**27
"""Bytes of a chunk that is unpacked."""
LARGEST_MESSAGE = 2**23
"""Bytes of a message that is looked into; pictures and point clouds are larger, and no numbers over time."""
LARGEST_SCHEMA = 2**18
RATIO, LEAST = 200, 2**26
"""A log is unpacked to so many times its size at most, and to so many bytes in any case."""
HELP = 'MCAP files are read with mcap: pip install "jourdain[logs]"'
_DEEPEST = 6
_JOINTS = {"position": "", "velocity": "v:", "effort": "effort:"}
"""Fields of a message on joints with the prefix of the quantity that each is."""
_NOTHING = re.compile(r"\[(?:<=)?0*\s*0\]")
"""An array of no elements in a ROS definition: many of them take no bytes, so that no file would bound them."""


class McapChannel(NamedTuple):
    """What messages of a topic are.

    decode    a message as plain values; None where nothing reads it
    """

    topic: str
    encoding: str
    decode: Any


class Fields:
    """The fields of a record, one after the other; an error where they go beyond its end."""

    def __init__(self, data: memoryview, place: str) -> None:
        self.data, self.place, self.at = data, place, 0

    def bytes(self, count: int) -> memoryview:
        """So many bytes."""
        if count > len(self.data) - self.at:
            raise ModelError.at(self.place, "a record ends before what it says that it holds")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str) -> int:
        """A whole number: H, I or Q of `struct`."""
        return int(struct.unpack(f"<{form}", self.bytes(struct.calcsize(form)))[0])

    def text(self) -> str:
        """A text with its length before it."""
        raw = self.bytes(self.number("I"))
        with foreign(self.place, "text in UTF-8"):
            return str(raw, "utf-8")

    def pairs(self) -> dict[str, str]:
        """A mapping from text to text."""
        inner = Fields(self.bytes(self.number("I")), self.place)
        found = {}
        while inner.at < len(inner.data):
            key = inner.text()
            found[key] = inner.text()
        return found


def read_mcap(path: Path) -> Columns:
    """Numbers of all messages, at the times at which they were logged, counted from the first [s]."""
    log = _Log(path)
    with path.open("rb") as file:
        log.read(file)
    return log.columns()


class _Log:
    """What has been read of a log."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.schemas: dict[int, tuple[str, str, bytes]] = {}
        self.channels: dict[int, McapChannel] = {}
        self.found: dict[str, tuple[array[int], array[float]]] = {}
        self.homes: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.unread: set[str] = set()
        self.count, self.unpacked = 0, 0
        self.ros = _ros_decoders()

    def read(self, file: BinaryIO) -> None:
        """All records of a file."""
        size = file.seek(0, 2)
        file.seek(0)
        self.most = min(LARGEST_UNPACKED, max(LEAST, RATIO * size))
        if file.read(len(MAGIC)) != MAGIC:
            raise ModelError.at(str(self.path), "cannot be read as MCAP: it does not begin as such a file does")
        while True:
            at = file.tell()
            place = f"{self.path}: byte {at}"
            raw = file.read(9)
            if len(raw) < 9:
                raise ModelError.at(place, "cannot be read as MCAP: it is cut off, as where recording was broken off")
            kind, length = struct.unpack("<BQ", raw)
            if length > size - at - 9:
                raise ModelError.at(place, f"cannot be read as MCAP: it is cut off, or no record has {length} bytes")
            if kind == FOOTER:
                return
            if kind not in (SCHEMA, CHANNEL, MESSAGE, CHUNK):
                if kind == 0:
                    raise ModelError.at(place, "cannot be read as MCAP: no record begins with 0")
                file.seek(length, 1)
                continue
            body = memoryview(file.read(length))
            if kind == CHUNK:
                self._chunk(Fields(body, place))
            else:
                self._record(kind, Fields(body, place))

    def _chunk(self, fields: Fields) -> None:
        """The records of a chunk: times, size, checksum, compression, data."""
        fields.bytes(16)
        size, checksum = fields.number("Q"), fields.number("I")
        packing = fields.text()
        data = fields.bytes(fields.number("Q"))
        self.unpacked += size
        if size > LARGEST_CHUNK or self.unpacked > self.most:
            most = f"{LARGEST_CHUNK:,} bytes of a chunk and {self.most:,} of this file"
            raise ModelError.at(fields.place, f"unpacks to more than is read: {most}; cut it into parts")
        whole = _unpacked(data, packing, size, fields.place)
        if len(whole) != size or (checksum and zlib.crc32(whole) != checksum):
            raise ModelError.at(fields.place, "cannot be read as MCAP: a chunk is not what its checksum says: damaged")
        inner = Fields(memoryview(whole), f"{fields.place}, in a chunk")
        while inner.at < size:
            kind, length = inner.number("B"), inner.number("Q")
            body = inner.bytes(length)
            if kind in (SCHEMA, CHANNEL, MESSAGE):
                self._record(kind, Fields(body, inner.place))

    def _record(self, kind: int, fields: Fields) -> None:
        if kind == MESSAGE:
            self._message(fields)
            return
        number = fields.number("H")
        if kind == SCHEMA:
            name, encoding = fields.text(), fields.text()
            data = fields.bytes(fields.number("I"))
            if len(data) <= LARGEST_SCHEMA:
                self.schemas[number] = name, encoding, bytes(data)
            return
        schema = fields.number("H")
        topic, encoding, stated = fields.text(), fields.text(), fields.pairs()
        self.channels[number] = McapChannel(topic, encoding, self._decoder(encoding, schema, fields.place))
        self.units |= {key[5:]: text for key, text in stated.items() if key.startswith("unit:")}

    def _decoder(self, encoding: str, schema: int, place: str) -> Any:
        if encoding == "json":
            return lambda data: json_value(data, place)
        if self.ros is None or schema not in self.schemas:
            return None
        from mcap.records import Schema

        name, language, data = self.schemas[schema]
        if _NOTHING.search(data.decode("utf-8", "replace")):
            return None
        with foreign(place, "a definition of ROS"):
            return self.ros.decoder_for(encoding, Schema(schema, data, language, name))

    def _message(self, fields: Fields) -> None:
        """A message: channel, number, when it was logged and published, data."""
        number = fields.number("H")
        fields.bytes(4)
        when = fields.number("Q")
        fields.bytes(8)
        data = fields.data[fields.at :]
        channel = self.channels.get(number)
        if channel is None:
            raise ModelError.at(
                fields.place, f"cannot be read as MCAP: a message is of channel {number}; there is none"
            )
        if channel.decode is None or len(data) > LARGEST_MESSAGE:
            self.unread.add(f"{channel.topic[:80]} ({channel.encoding[:20]})")
            return
        place = f"{fields.place}, topic {channel.topic[:80]}"
        with foreign(place, f"a message in {channel.encoding[:20]}"):
            value = channel.decode(bytes(data))
        for name, one in _leaves(channel.topic, value, place):
            if self.homes.setdefault(name, channel.topic) != channel.topic:
                continue  # a joint that another topic tells too
            if name not in self.found:
                self._named(name, place)
            times, values = self.found[name]
            times.append(when)
            values.append(one)
            self.count += 1
        if self.count > MOST_NUMBERS // 2:  # each has its time
            raise too_many(place, MOST_NUMBERS // 2)

    def _named(self, name: str, place: str) -> None:
        if len(name) > LONGEST_NAME:
            raise ModelError.at(place, f"has a name of {len(name)} characters; {LONGEST_NAME} is the most")
        if len(self.found) >= MOST_COLUMNS:
            raise ModelError.at(place, f"has more than {MOST_COLUMNS:,} names of numbers; cut it into parts")
        self.found[name] = array("Q"), array("d")

    def columns(self) -> Columns:
        """What was read; messages in the order in which they were logged, however they stand in the file."""
        if not self.found:
            more = f"; {', '.join(sorted(self.unread)[:4])} need mcap-ros2-support" if self.unread else ""
            raise ModelError.at(str(self.path), f"has no message with numbers{more}")
        first = min(min(times) for times, _ in self.found.values())
        out = {}
        for name, (times, values) in self.found.items():
            stamps, numbers = np.frombuffer(times, np.uint64), np.frombuffer(values)
            order = np.argsort(stamps, kind="stable")
            out[name] = (stamps[order] - np.uint64(first)) * 1e-9, numbers[order]
        return out, {name: text for name, text in self.units.items() if name in out}


def _unpacked(data: memoryview, packing: str, size: int, place: str) -> bytes:
    """The bytes of a chunk: as many as it says, and one more where it has more."""
    if packing == "":
        return bytes(data)
    if packing not in ("zstd", "lz4"):
        raise ModelError.at(place, f"is packed by {packing[:20]!r}; zstd and lz4 are read")
    try:
        if packing == "zstd":
            import zstandard
        else:
            import lz4.frame
    except ImportError:
        raise JourdainError(HELP) from None
    with foreign(place, f"MCAP ({packing})"):
        if packing == "zstd":
            with zstandard.ZstdDecompressor().stream_reader(data) as stream:
                return bytes(stream.read(size + 1))
        return bytes(lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=size + 1))


def _ros_decoders() -> Any:
    try:
        from mcap_ros2.decoder import DecoderFactory
    except ImportError:
        return None
    return DecoderFactory()


def _leaves(topic: str, data: Any, place: str) -> Iterator[tuple[str, float]]:
    """(name, number) of all that a message holds."""
    names = _field(data, "name")
    if isinstance(names, list | tuple) and names and all(isinstance(one, str) for one in names):
        for key, prefix in _JOINTS.items():
            values = _field(data, key)
            if _is_list(values) and len(values) == len(names):
                yield from (
                    (prefix + name, _float(x, place)) for name, x in zip(names, values) if isinstance(x, int | float)
                )
        return
    yield from _numbers(topic.strip("/").replace("/", "."), data, 0, place)


def _is_list(values: Any) -> bool:
    return hasattr(values, "__len__") and hasattr(values, "__iter__") and not isinstance(values, str | bytes | Mapping)


def _field(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, Mapping) else getattr(data, key, None)


def _float(value: float, place: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ModelError.at(place, "has a whole number that is beyond the largest float, 1.8e308") from None


def _numbers(name: str, data: Any, depth: int, place: str) -> Iterator[tuple[str, float]]:
    if isinstance(data, bool | int | float):
        yield name, _float(data, place)
    elif isinstance(data, Mapping) and depth < _DEEPEST:
        plain = name == "quantities"
        for key, value in data.items():
            yield from _numbers(str(key) if plain else f"{name}.{key}", value, depth + 1, place)
    elif isinstance(data, list | tuple) and depth < _DEEPEST:
        for i, value in enumerate(data):
            yield from _numbers(f"{name}.{i}", value, depth + 1, place)
    elif hasattr(data, "__slots__") and depth < _DEEPEST:
        for key in data.__slots__:
            yield from _numbers(f"{name}.{key}", getattr(data, key), depth + 1, place)
