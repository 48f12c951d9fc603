"""Records of a run as they lie in an exported model: what never changes as constants, the rest in the instance.

A record is a table of words: addresses and shapes of its arrays, addresses of records and functions
(`kernels.records`). Constant tables have symbols for addresses. Those of an instance are a template, and a list of the
words that become addresses when an instance is bound to where it lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..kernels.records import ArrayField, Function, NestedRecord, Record
from .object_code import Linker

CONSTANT = ("M", "T", "R", "S", "U", "H")
"""Records that never change while a run goes on: model, task, method's table, stages, what contact calls, method."""
ALIGNED = 16
"""Arrays in an instance begin at multiples of this [bytes]."""


class MemoryPlace(NamedTuple):
    """Where a table or an array lies: a symbol, or so many bytes behind the beginning of an instance."""

    symbol: str = ""
    offset: int = 0


class Image:
    """Constants and template of an exported model.

    linker       has the functions whose addresses are in records
    functions    what is called by addresses that are numbers in arrays, by address
    """

    def __init__(self, linker: Linker, functions: Mapping[int, Any]) -> None:
        self.linker, self.functions = linker, functions
        self.definitions: list[str] = []
        self.size = 0
        self.numbers: list[tuple[int, bytes]] = []
        self.inner: list[tuple[int, int]] = []  # words that hold the address of another place in the instance
        self.outer: list[tuple[int, str]] = []  # words that hold the address of a symbol
        self.floats: list[tuple[int, str]] = []  # the same as a number, where a law's scratch names the law behind it
        self.kept: list[Any] = []
        self.changing: list[tuple[int, np.ndarray]] = []  # what a run writes: where it lies in the instance, and it
        self._records: dict[int, MemoryPlace] = {}
        self._arrays: dict[int, MemoryPlace] = {}

    def reserve(self, size: int) -> int:
        """So many bytes of the instance, zero at first; where they begin."""
        at = -(-self.size // ALIGNED) * ALIGNED
        self.size = at + size
        return at

    def record(self, record: Record) -> MemoryPlace:
        """Where a record lies; it is laid with all that it holds."""
        found = self._records.get(id(record))
        if found is None:
            self.kept.append(record)
            words = [self._words(record, key, field) for key, field in record.fields.items()]
            flat = [word for one in words for word in one]
            found = self._records[id(record)] = self._table(flat, record.name in CONSTANT)
        return found

    def array(self, array: np.ndarray, constant: bool = False) -> MemoryPlace:
        """Where an array lies, with the numbers in it."""
        key = array.__array_interface__["data"][0]
        found = self._arrays.get(key) if array.size else None
        if found is None:
            self.kept.append(array)
            found = self._constant(array) if constant else self._variable(array)
            if array.size:
                self._arrays[key] = found
        return found

    def _words(self, record: Record, key: str, field: Any) -> list[Any]:
        value = record.__dict__[key]
        if isinstance(field, ArrayField):
            if key == "control_workspaces" and len(value):
                place = self._control_workspaces(record, value)
            else:
                place = self.array(value, record.name in CONSTANT)
            return [place, *value.shape]
        if isinstance(field, NestedRecord):
            return [0 if value is None else self.record(value)]
        assert isinstance(field, Function)
        return [0 if value is None else MemoryPlace(self.linker.symbol(value))]

    def _table(self, words: list[Any], constant: bool) -> MemoryPlace:
        if constant:
            return self._named(words)
        at = self.reserve(8 * len(words))
        for number, word in enumerate(words):
            here = at + 8 * number
            if not isinstance(word, MemoryPlace):
                if word:
                    self.numbers.append((here, int(word).to_bytes(8, "little", signed=True)))
            elif word.symbol:
                self.outer.append((here, word.symbol))
            else:
                self.inner.append((here, word.offset))
        return MemoryPlace(offset=at)

    def _named(self, words: list[Any]) -> MemoryPlace:
        """A constant table; words are numbers and symbols."""
        name = f"jd.table.{len(self.definitions)}"
        kinds, values = [], []
        for word in words:
            if isinstance(word, MemoryPlace):
                assert word.symbol, "a constant cannot hold the address of something in an instance"
                kinds.append("ptr")
                values.append(f'ptr @"{word.symbol}"')
                if self.linker.target.bits == 32:
                    kinds.append("i32")
                    values.append("i32 0")
            else:
                kinds.append("i64")
                values.append(f"i64 {int(word)}")
        kind = f"<{{ {', '.join(kinds)} }}>"
        self.definitions.append(f'@"{name}" = internal constant {kind} <{{ {", ".join(values)} }}>, align 16')
        return MemoryPlace(name)

    def _constant(self, array: np.ndarray) -> MemoryPlace:
        if array.dtype == np.int64 and any(int(word) in self.functions for word in array.ravel()):
            words = [self._address(int(word)) for word in array.ravel()]
            return self._named(words)
        return MemoryPlace(self.data(np.ascontiguousarray(array).tobytes()))

    def _address(self, word: int) -> Any:
        one = self.functions.get(word)
        return word if one is None else MemoryPlace(self.linker.symbol(one))

    def data(self, data: bytes, name: str = "") -> str:
        """A constant of these bytes, little endian; its symbol."""
        name = name or f"jd.data.{len(self.definitions)}"
        text = "".join(f"\\{byte:02X}" for byte in data or b"\0" * 8)
        size = len(data) or 8
        self.definitions.append(f'@"{name}" = internal constant [{size} x i8] c"{text}", align 64')
        return name

    def _variable(self, array: np.ndarray) -> MemoryPlace:
        at = self.reserve(array.nbytes)
        if array.size:
            self.changing.append((at, array))
        if np.any(array):
            flat = np.ascontiguousarray(array)
            if flat.dtype == np.float64:
                flat = self._laws_behind(flat, at)
            self.numbers.append((at, flat.tobytes()))
        return MemoryPlace(offset=at)

    def _laws_behind(self, numbers: np.ndarray, at: int) -> np.ndarray:
        """Numbers without those that are addresses of functions, which are noted."""
        out = numbers.copy()
        known = {float(address): one for address, one in self.functions.items()}
        for place, value in enumerate(numbers.ravel()):
            one = known.get(float(value))
            if one is not None:
                self.floats.append((at + 8 * place, self.linker.symbol(one)))
                out.ravel()[place] = 0.0
        return out

    def _control_workspaces(self, record: Record, addresses: np.ndarray) -> MemoryPlace:
        """Control models and their workspaces, which a workspace knows by address."""
        models, workspaces = record.__dict__["owned"]
        words = [self.record(one) for pair in zip(models, workspaces, strict=True) for one in pair]
        assert len(words) == addresses.size
        return self._table(words, constant=False)

    def template(self) -> tuple[np.ndarray, bytes]:
        """What is not zero in a new instance: rows (where, where in the data, bytes), and the data."""
        rows, data = [], b""
        for at, numbers in self.numbers:
            words = np.frombuffer(numbers.ljust(-(-len(numbers) // 8) * 8, b"\0"), np.uint64)
            edges = np.flatnonzero(np.diff(np.concatenate([[0], words != 0, [0]]).astype(np.int8)))
            for first, last in edges.reshape(-1, 2):
                piece = words[first:last].tobytes()
                rows.append((at + 8 * int(first), len(data), len(piece)))
                data += piece
        return np.array(rows, np.int64).reshape(-1, 3), data
