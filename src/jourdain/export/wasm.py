"""A WebAssembly object made into a module that a browser runs: a linker for one object, which needs no tool.

LLVM lays an object out as if it stood alone at address 0, with its functions and its table numbered as they stay. So
there is little to link: the memory, the table and the stack's pointer, which an object imports, are defined; constants
move up behind the stack, and with them every address that a relocation names. What remains imported are functions of
C's library of mathematics, module "env" (WebAssembly "Object file linking" of the tool conventions, and the core
specification, chapter 5).

Addresses have 64 bits, as they have in kernels that were typed for this machine: the module needs a browser with
memory64 (Chromium 133, Firefox 134, or later).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..basics.errors import ModelError

MAGIC = b"\0asm\x01\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
ORDER = (TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, DATA_COUNT, CODE, DATA)
FUNCTION_KIND, TABLE_KIND, MEMORY_KIND, GLOBAL_KIND = range(4)
SYMBOL_TABLE = 8
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
MOVED = {3: ("leb", 5), 4: ("sleb", 5), 5: ("word", 4), 14: ("leb", 10), 15: ("sleb", 10), 16: ("word", 8)}
"""Relocations of addresses in memory, how they are written and how many bytes they take."""
KEPT = frozenset({0, 1, 2, 6, 7, 18, 19, 20, 24})
"""Relocations of functions, of places in the table, types, globals and tables: their numbers stay."""
ADDEND = frozenset({3, 4, 5, 8, 9, 14, 15, 16, 22})
"""Relocations that have an addend."""
CONSTANT = 0x42  # i64.const
INTEGER, FUNCTIONS = b"\x7e", b"\x70"  # types: i64, a reference of a function
WIDE = b"\x04"  # limits with addresses of 64 bits and no greatest size
PAGE = 65536
STACK = 4 * PAGE
"""Size of the stack [bytes], below everything else: where it runs over, the machine stops."""


class _WasmReader:
    """Reads numbers and names of the format."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self, signed: bool = False) -> int:
        """A number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def signed(self) -> int:
        return self.unsigned(signed=True)

    def some(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.some(self.unsigned()).decode()

    def limits(self) -> tuple[int, int | None]:
        flags = self.unsigned()
        return self.unsigned(), self.unsigned() if flags & 1 else None

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


def unsigned(value: int, width: int = 0) -> bytes:
    """A number in LEB128, padded to a width."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        last = value == 0 and len(out) + 1 >= width
        out.append(byte if last else byte | 0x80)
        if last:
            return bytes(out)


def signed(value: int, width: int = 0) -> bytes:
    """A number with its sign in LEB128, padded to a width."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        done = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        last = bool(done) and len(out) + 1 >= width
        out.append(byte if last else byte | 0x80)
        if last:
            return bytes(out)


def _named(text: str) -> bytes:
    return unsigned(len(text.encode())) + text.encode()


def _vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return unsigned(len(listed)) + b"".join(listed)


def _constant(value: int) -> bytes:
    """An expression that gives a constant."""
    return bytes([CONSTANT]) + signed(value) + b"\x0b"


class _Object:
    """The sections of an object file."""

    def __init__(self, code: bytes) -> None:
        if code[:8] != MAGIC:
            raise ModelError.at("wasm", "the object is no WebAssembly")
        self.sections: dict[int, bytearray] = {}
        self.numbers: list[int] = []
        self.custom: list[tuple[str, bytes]] = []
        reader = _WasmReader(code, 8)
        while reader.more:
            kind = reader.byte()
            body = reader.some(reader.unsigned())
            self.numbers.append(kind)
            if kind == CUSTOM:
                inner = _WasmReader(body)
                name = inner.name()
                self.custom.append((name, body[inner.at :]))
            else:
                self.sections[kind] = bytearray(body)

    def imports(self) -> list[tuple[str, bytes]]:
        """Functions that are imported: name, and the import as it is written."""
        reader, functions = _WasmReader(bytes(self.sections.get(IMPORT, b"\0"))), []
        for _ in range(reader.unsigned()):
            first = reader.at
            reader.name()
            name, kind = reader.name(), reader.byte()
            if kind == FUNCTION_KIND:
                reader.unsigned()
                functions.append((name, reader.data[first : reader.at]))
            elif kind == TABLE_KIND:
                reader.byte()
                reader.limits()
            elif kind == MEMORY_KIND:
                reader.limits()
            else:
                reader.some(2)
                if name != "__stack_pointer":
                    raise ModelError.at("wasm", f"the object imports the global {name}, which is not known here")
        return functions

    def table(self) -> int:
        """How many places the table of functions has; that of the number 0 is no function's."""
        reader, size = _WasmReader(bytes(self.sections.get(ELEMENT, b"\0"))), 1
        for _ in range(reader.unsigned()):
            if reader.unsigned() != 0 or reader.byte() != CONSTANT:
                raise ModelError.at("wasm", "the object has elements that are not in its table")
            first = reader.signed()
            reader.byte()
            count = reader.unsigned()
            for _ in range(count):
                reader.unsigned()
            size = max(size, first + count)
        return size

    def functions(self) -> dict[str, int]:
        """Functions that are defined and have a name, by name."""
        found = {}
        body = next(body for name, body in self.custom if name == "linking")
        reader = _WasmReader(body)
        reader.unsigned()
        while reader.more:
            kind, part = reader.byte(), _WasmReader(reader.some(reader.unsigned()))
            if kind != SYMBOL_TABLE:
                continue
            for _ in range(part.unsigned()):
                sort, flags = part.byte(), part.unsigned()
                if sort == 1:  # data
                    part.name()
                    if not flags & UNDEFINED:
                        part.unsigned(), part.unsigned(), part.unsigned()
                    continue
                index = part.unsigned()
                if sort == 3:  # a section
                    continue
                if not flags & UNDEFINED or flags & EXPLICIT_NAME:
                    name = part.name()
                    if sort == 0 and not flags & UNDEFINED:
                        found[name] = index
        return found

    def move(self, base: int) -> None:
        """Adds `base` to every address of data."""
        for name, body in self.custom:
            if not name.startswith("reloc."):
                continue
            reader = _WasmReader(body)
            number = reader.unsigned()
            kind = self.numbers[number]
            for _ in range(reader.unsigned()):
                sort, offset = reader.byte(), reader.unsigned()
                reader.unsigned()
                if sort in ADDEND:
                    reader.signed()
                if kind == CUSTOM or sort in KEPT:
                    continue
                if sort not in MOVED:
                    raise ModelError.at("wasm", f"the object has a relocation of kind {sort}, which is not known here")
                section, (way, size) = self.sections[kind], MOVED[sort]
                there = slice(offset, offset + size)
                inner = _WasmReader(bytes(section[there]))
                if way == "word":
                    section[there] = (int.from_bytes(inner.data, "little") + base).to_bytes(size, "little")
                elif way == "leb":
                    section[there] = unsigned(inner.unsigned() + base, size)
                else:
                    section[there] = signed(inner.signed() + base, size)

    def data(self, base: int) -> tuple[bytes, int]:
        """The section of data `base` further up, and where it ends."""
        reader, out, end = _WasmReader(bytes(self.sections.get(DATA, b"\0"))), [], base
        for _ in range(reader.unsigned()):
            flags = reader.unsigned()
            if flags != 0 or reader.byte() != CONSTANT:
                raise ModelError.at("wasm", "the object has data that are not in its memory")
            at = reader.signed() + base
            reader.byte()
            content = reader.some(reader.unsigned())
            out.append(b"\0" + _constant(at) + unsigned(len(content)) + content)
            end = max(end, at + len(content))
        return _vector(out), end


def module(code: bytes, exported: Iterable[str]) -> tuple[bytes, list[str]]:
    """A module of an object's code, and the functions that it imports from "env".

    It exports these functions, "memory", and "heap": the first address that is free [bytes].
    """
    one = _Object(code)
    functions = one.imports()
    known = one.functions()
    one.move(STACK)
    data, end = one.data(STACK)
    heap = -(-end // 64) * 64
    pages = -(-heap // PAGE) + 1
    sections = {kind: bytes(body) for kind, body in one.sections.items()}
    sections[IMPORT] = _vector(text for _, text in functions)
    sections[TABLE] = _vector([FUNCTIONS + WIDE + unsigned(one.table())])
    sections[MEMORY] = _vector([WIDE + unsigned(pages)])
    sections[GLOBAL] = _vector([INTEGER + b"\x01" + _constant(STACK), INTEGER + b"\0" + _constant(heap)])
    names = [_named(name) + b"\0" + unsigned(known[name]) for name in sorted(exported)]
    sections[EXPORT] = _vector([*names, _named("memory") + b"\x02\0", _named("heap") + b"\x03\x01"])
    sections[DATA] = data
    body = b"".join(
        bytes([kind]) + unsigned(len(sections[kind])) + sections[kind] for kind in ORDER if kind in sections
    )
    return MAGIC + body, [name for name, _ in functions]
