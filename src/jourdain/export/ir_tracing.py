"""A model function carried out on numbers that are not known yet: what is left are its operations, one after the other.

The kernels of the package are walked through as LLVM text, with the model's own tables in memory: loops over bodies,
choices by kind and addresses are settled on the way, and only arithmetic on the caller's numbers is left. Where the way
itself depends on such a number, both ways are walked to where they meet, and what differs becomes a choice by that
number; a way that only reports a failure becomes a check.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from ..basics.errors import ModelError
from .expression_graph import Graph, Operation
from .ir_reader import PRIMITIVES, Instruction, IrListing, TypeTable, followers, meetings, number

ALLOCATED = 1 << 52
"""Where addresses of a function's own variables begin; no memory of this process is there."""
DEEPEST = 24
"""Choices within choices; more are a loop that ends by a number."""
MATHEMATICS = {
    "llvm.sqrt.f64": "sqrt", "llvm.sin.f64": "sin", "llvm.cos.f64": "cos", "llvm.fabs.f64": "fabs",
    "llvm.exp.f64": "exp", "llvm.log.f64": "log", "llvm.floor.f64": "floor", "llvm.pow.f64": "pow",
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2",
    "sqrt": "sqrt", "exp": "exp", "log": "log", "pow": "pow", "floor": "floor", "fabs": "fabs", "llvm.tan.f64": "tan",
    "llvm.atan2.f64": "atan2", "llvm.atan.f64": "atan", "llvm.asin.f64": "asin", "llvm.acos.f64": "acos",
}  # fmt: skip
ORDERED = {"olt": ("<", 0), "ole": ("<=", 0), "ogt": ("<", 1), "oge": ("<=", 1), "oeq": ("==", 0), "une": ("!=", 0)}
ORDERED |= {"ult": ("<", 0), "ule": ("<=", 0), "ugt": ("<", 1), "uge": ("<=", 1), "one": ("!=", 0), "ueq": ("==", 0)}


class TraceState:
    """Where one stands: what names mean, and what is in memory."""

    def __init__(self, names: dict[str, Any], memory: dict[int, Any]) -> None:
        self.names, self.memory = names, memory

    def fork(self) -> TraceState:
        """Another that goes on from here."""
        return TraceState(dict(self.names), dict(self.memory))


class Trace:
    """Carries out a kernel.

    memory     by address, what is there instead of what this process has there: the caller's numbers
    checks     (truth, code): conditions under which the function goes on, and what it returns where one does not hold
    """

    def __init__(self, listing: IrListing, graph: Graph, what: str) -> None:
        self.listing, self.graph, self.what = listing, graph, what
        self.checks: list[tuple[Any, int]] = []
        self._next_place = ALLOCATED
        self._meeting: dict[tuple[str, str], str] = {}
        self._deep = 0

    def run(self, symbol: str, arguments: list[Any], memory: dict[int, Any]) -> dict[int, Any]:
        """The memory after a call; arguments are integers, addresses among them."""
        way = TraceState({}, dict(memory))
        status = self._carried_out(f"@{symbol}", [0, self._allocate(8), *arguments], way)
        if status != 0:
            raise ModelError.at(self.what, f"the kernel returns {status} for this model; it cannot be written out")
        return way.memory

    def _allocate(self, size: int) -> int:
        place = self._next_place
        self._next_place += -(-size // 16) * 16
        return place

    def _carried_out(self, name: str, arguments: list[Any], way: TraceState) -> Any:
        """What a function returns."""
        function = self.listing.functions.get(name)
        if function is None:
            return self._outside(name.removeprefix("@"), arguments, way)
        outer, way.names = way.names, dict(zip(function.parameters, arguments, strict=True))
        result = self._walk(name, next(iter(function.blocks)), "", "", way)
        way.names = outer
        return result[1]

    def _walk(self, name: str, block: str, before: str, stop: str, way: TraceState) -> tuple[str, Any]:
        """Goes from a block until the function returns, or to the block `stop`: (block before it, None)."""
        function = self.listing.functions[name]
        while True:
            body = function.blocks[block]
            self._phis(body, before, way)
            for one in body:
                if one.op not in ("phi", "br", "switch", "ret"):
                    self._do(one, way)
            last = body[-1]
            if last.op == "ret":
                return block, None if last.words[0] == "void" else self._value(last.words[1], last.words[0], way)
            before, block = block, self._next(last, way)
            if not isinstance(block, str):
                block, before, done = self._both(name, before, block, stop, way)
                if done is not None:
                    return before, done[0]
            if block == stop:
                return before, None

    def _phis(self, body: list[Instruction], before: str, way: TraceState) -> None:
        found = {}
        for one in body:
            if one.op != "phi":
                break
            if one.result in way.names and before == "":  # settled where two ways met
                continue
            for value, place in zip(one.words[2::6], one.words[4::6], strict=False):
                if place.removeprefix("%") == before:
                    found[one.result] = self._value(value, one.words[0], way)
        way.names |= found

    def _next(self, one: Instruction, way: TraceState) -> Any:
        """Name of the next block, or (truth, one, other)."""
        words = one.words
        if one.op == "switch":
            value, way_out = self._value(words[1], words[0], way), words[4]
            if isinstance(value, Operation):
                raise Unknown("a choice among several ways depends on the caller's numbers")
            cases = {number(v, "i64"): place for v, place in zip(words[7::5], words[10::5], strict=False)}
            return cases.get(value, way_out).removeprefix("%")
        if words[0] == "label":
            return words[1].removeprefix("%")
        truth = self._value(words[1], "i1", way)
        left, right = words[4].removeprefix("%"), words[7].removeprefix("%")
        return (truth, left, right) if isinstance(truth, Operation) else left if truth else right

    def _both(self, name: str, before: str, fork: Any, stop: str, way: TraceState) -> tuple[str, str, Any]:
        """Walks two ways to where they meet: (that block, "", None), or the result where both return."""
        truth, *places = fork
        for place, other, holds in ((places[0], places[1], self.graph.inverse(truth)), (places[1], places[0], truth)):
            code = self._failure(name, place)
            if code is not None:
                self.checks.append((holds, code))
                return other, before, None
        if self._deep >= DEEPEST:
            raise Unknown("a loop ends by the caller's numbers")
        self._deep += 1
        meeting = self._meets(name, before)
        ways, ends = [way.fork(), way.fork()], []
        for side, place in zip(ways, places, strict=True):
            ends.append((before, None) if place == meeting else self._walk(name, place, before, meeting, side))
        self._deep -= 1
        self._merge(truth, ways, way)
        if not meeting:
            return "", "", (self._chosen(truth, ends[0][1], ends[1][1]),)
        for one in self.listing.functions[name].blocks[meeting]:
            if one.op != "phi":
                break
            values = []
            for each, (last, _) in zip(ways, ends, strict=True):
                if last == "":  # two ways met there already
                    values.append(each.names[one.result])
                    continue
                (word,) = [v for v, p in zip(one.words[2::6], one.words[4::6], strict=False) if p == f"%{last}"]
                values.append(self._value(word, one.words[0], each))
            way.names[one.result] = self._chosen(truth, *values)
        return meeting, "", None

    def _chosen(self, truth: Operation, one: Any, other: Any) -> Any:
        if isinstance(one, int) and isinstance(other, int) and one == other:
            return one
        if any(isinstance(each, int) and not isinstance(each, bool) for each in (one, other)):
            if one in (0, 1) and other in (0, 1):  # truths as LLVM writes them
                return self.graph.either(
                    self.graph.both(truth, bool(one)), self.graph.both(self.graph.inverse(truth), bool(other))
                )
            if {isinstance(one, Operation), isinstance(other, Operation)} == {True, False}:
                return self.graph.either(
                    self.graph.both(truth, bool(one) if isinstance(one, int) else one),
                    self.graph.both(self.graph.inverse(truth), bool(other) if isinstance(other, int) else other),
                )
            raise Unknown("an index depends on the caller's numbers")
        return self.graph.select(truth, one, other)

    def _merge(self, truth: Operation, ways: list[TraceState], way: TraceState) -> None:
        one, other = ways
        for place in one.memory.keys() | other.memory.keys():
            values = [each.memory.get(place) for each in ways]
            values = [self._outer(place, values[1 - k]) if one is None else one for k, one in enumerate(values)]
            way.memory[place] = self._chosen(truth, *values) if values[0] is not values[1] else values[0]

    def _outer(self, place: int, other: Any) -> Any:
        """What is in memory that only one of two ways wrote to: variables of its own matter to nobody else."""
        if place >= ALLOCATED or place < LEAST:
            return other
        return known(place, "i64" if isinstance(other, int) else "double")

    def _failure(self, name: str, block: str) -> int | None:
        """The code that a way returns which does nothing but that, else None."""
        seen = set()
        function, before = self.listing.functions[name], ""
        while block not in seen:
            seen.add(block)
            body = function.blocks[block]
            if any(one.op == "store" and one.words[0] == "double" or one.op == "call" for one in body):
                return None
            last = body[-1]
            if last.op == "ret" and len(last.words) > 1:
                word = last.words[1]
                for one in body:
                    if one.op == "phi" and one.result == word:
                        pairs = zip(one.words[2::6], one.words[4::6], strict=False)
                        word = next((v for v, place in pairs if place == f"%{before}"), word)
                return int(word) if word.lstrip("-").isdigit() and int(word) != 0 else None
            if last.op != "br" or last.words[0] != "label":
                return None
            before, block = block, last.words[1].removeprefix("%")
        return None

    def _meets(self, name: str, block: str) -> str:
        """The block that all ways from a block come through, nearest first; "" where that is the end."""
        if (name, block) not in self._meeting:
            after = followers(self.listing.functions[name])
            self._meeting |= {(name, one): two for one, two in meetings(after).items()}
        return self._meeting[name, block]

    def _do(self, one: Instruction, way: TraceState) -> None:
        found = getattr(self, f"_{one.op}", None)
        if found is None:
            found = self._arithmetic if one.op in OPERATIONS else None
        if found is None:
            raise Unknown(f"the instruction {one.op} {' '.join(one.words[:6])} is not known")
        made = found(one, way)
        if one.result:
            way.names[one.result] = made

    def _value(self, word: str, kind: str, way: TraceState) -> Any:
        if word[0] == "%":
            return way.names[word]
        if word[0] == "@":
            return word
        return number(word, kind)

    def _arithmetic(self, one: Instruction, way: TraceState) -> Any:
        kind, a, b = one.words[0], one.words[1], one.words[3]
        left, right = self._value(a, kind, way), self._value(b, kind, way)
        return OPERATIONS[one.op](self.graph, left, right)

    def _fneg(self, one: Instruction, way: TraceState) -> Any:
        return self.graph.negative(self._value(one.words[1], "double", way))

    def _fcmp(self, one: Instruction, way: TraceState) -> Any:
        if one.words[0] in ("ord", "uno"):  # numbers are numbers
            return int(one.words[0] == "ord")
        how, swapped = ORDERED[one.words[0]]
        pair = [self._value(word, "double", way) for word in (one.words[2], one.words[4])]
        return self.graph.compare(how, *(pair[::-1] if swapped else pair))

    def _icmp(self, one: Instruction, way: TraceState) -> Any:
        how, kind, a, b = one.words[0], one.words[1], one.words[2], one.words[4]
        left, right = self._value(a, kind, way), self._value(b, kind, way)
        if isinstance(left, Operation) or isinstance(right, Operation):
            raise Unknown("an index depends on the caller's numbers")
        if isinstance(left, str) or isinstance(right, str):
            return int((left == right) == (how == "eq"))
        if how[0] == "u":
            left, right = left % (1 << 64), right % (1 << 64)
        return int({"eq": left == right, "ne": left != right, "lt": left < right, "le": left <= right,
                    "gt": left > right, "ge": left >= right}[how if how in ("eq", "ne") else how[1:]])  # fmt: skip

    def _select(self, one: Instruction, way: TraceState) -> Any:
        words = one.words
        truth = self._value(words[1], "i1", way)
        kind, at = TypeTable.read(words, 3)
        left, right = self._value(words[at], str(kind), way), self._value(words[at + 3], str(kind), way)
        return self._chosen(truth, left, right) if isinstance(truth, Operation) else left if truth else right

    def _freeze(self, one: Instruction, way: TraceState) -> Any:
        return self._value(one.words[1], one.words[0], way)

    def _turned(self, one: Instruction, way: TraceState) -> Any:
        return self._value(one.words[1], one.words[0], way)

    _bitcast = _ptrtoint = _inttoptr = _turned

    def _trunc(self, one: Instruction, way: TraceState) -> Any:
        value = self._value(one.words[1], one.words[0], way)
        return value if isinstance(value, Operation) else value & ((1 << int(one.words[3][1:])) - 1)

    def _sext(self, one: Instruction, way: TraceState) -> Any:
        value = self._value(one.words[1], one.words[0], way)
        return -value if one.words[0] == "i1" else value

    def _zext(self, one: Instruction, way: TraceState) -> Any:
        value = self._value(one.words[1], one.words[0], way)
        return value if isinstance(value, Operation) else int(value) % (1 << int(one.words[0][1:]))

    def _sitofp(self, one: Instruction, way: TraceState) -> Any:
        value = self._value(one.words[1], one.words[0], way)
        if isinstance(value, Operation):
            return self.graph.select(value, -1.0 if one.words[0] == "i1" and one.op == "sitofp" else 1.0, 0.0)
        return float(value)

    _uitofp = _sitofp

    def _fptosi(self, one: Instruction, way: TraceState) -> Any:
        value = self._value(one.words[1], "double", way)
        if isinstance(value, Operation):
            raise Unknown("an index depends on the caller's numbers")
        return int(value)

    def _alloca(self, one: Instruction, way: TraceState) -> int:
        return self._allocate(TypeTable.size(TypeTable.read(one.words, 0)[0]))

    def _getelementptr(self, one: Instruction, way: TraceState) -> Any:
        words = one.words
        kind, at = TypeTable.read(words, 0)
        place = self._value(words[at + 2], "ptr", way)
        first = True
        for index in range(at + 5, len(words), 3):
            entry = self._value(words[index], words[index - 1], way)
            if isinstance(entry, Operation) or isinstance(place, str):
                raise Unknown("an index depends on the caller's numbers")
            if first:
                place, first = place + entry * TypeTable.size(kind), False
            else:
                place += TypeTable.offset(kind, entry)
                kind = kind[1] if isinstance(kind, tuple) else kind[entry]
        return place

    def _load(self, one: Instruction, way: TraceState) -> Any:
        kind, place = one.words[0], self._value(one.words[3], "ptr", way)
        if isinstance(place, str):
            part = self.listing.parts.get(place)
            if part is None:
                raise Unknown(f"{place} is not there")
            return part
        if isinstance(place, Operation):
            raise Unknown("an address depends on the caller's numbers")
        if place in way.memory:
            return as_kind(way.memory[place], kind)
        return as_kind(0, kind) if place >= ALLOCATED else known(place, kind)

    def _store(self, one: Instruction, way: TraceState) -> None:
        words = one.words
        place = self._value(words[4], "ptr", way)
        if isinstance(place, Operation | str):
            raise Unknown("an address depends on the caller's numbers")
        way.memory[place] = self._value(words[1], words[0], way)

    def _call_words(self, words: tuple[str, ...]) -> tuple[str, list[tuple[str, str]]]:
        at = next(i for i, word in enumerate(words) if word[0] in "@%")
        given, place = [], at + 2
        while words[place] != ")":
            kind, place = TypeTable.read(words, place)
            given.append((str(kind), words[place]))
            place += 1 + (words[place + 1] == ",")
        return words[at], given

    def _call(self, one: Instruction, way: TraceState) -> Any:
        word, given = self._call_words(one.words)
        name = self._value(word, "ptr", way)
        if not isinstance(name, str):
            raise Unknown("it calls a function by its address")
        return self._carried_out(name, [self._value(value, kind, way) for kind, value in given], way)

    def _unreachable(self, one: Instruction, way: TraceState) -> None:
        raise Unknown("it comes to where it should not")

    def _outside(self, name: str, arguments: list[Any], way: TraceState) -> Any:
        """What is not the package's own: functions of C and LLVM, and the primitives."""
        graph = self.graph
        if name in MATHEMATICS:
            return graph.function(MATHEMATICS[name], *arguments)
        if name in ("llvm.fma.f64", "llvm.fmuladd.f64"):
            return graph.add(graph.multiply(arguments[0], arguments[1]), arguments[2])
        if name.startswith(("llvm.lifetime", "llvm.assume", "llvm.experimental.noalias")):
            return None
        if name.startswith(("llvm.memset", "llvm.memcpy", "llvm.memmove")):
            return self._moved(name, arguments, way)
        if name in ("llvm.maxnum.f64", "llvm.minnum.f64", "llvm.maximum.f64", "llvm.minimum.f64"):
            a, b = arguments if "min" in name else arguments[::-1]
            return graph.select(graph.compare("<", a, b), *arguments)
        if name.startswith(("llvm.smax", "llvm.umax")):
            return max(arguments)
        if name.startswith(("llvm.smin", "llvm.umin")):
            return min(arguments)
        if name.startswith("llvm.abs"):
            return abs(arguments[0])
        if name.startswith("llvm.copysign"):
            positive = graph.compare("<=", 0.0, arguments[1])
            size = graph.function("fabs", arguments[0])
            return graph.select(positive, size, graph.negative(size))
        if any(f".{one}." in name for one in PRIMITIVES):
            back, _, angle = arguments
            way.memory[back], way.memory[back + 8] = graph.function("sin", angle), graph.function("cos", angle)
            return 0
        raise Unknown(f"it calls {name}")

    def _moved(self, name: str, arguments: list[Any], way: TraceState) -> None:
        place, what, size = arguments[:3]
        if "memset" in name:
            if what != 0:
                raise Unknown("memory is filled with something else than zero")
            way.memory.update((place + k, 0) for k in range(0, size, 8))
            return
        words = [
            way.memory[what + k] if what + k in way.memory else 0 if what >= ALLOCATED else known(what + k, "i64")
            for k in range(0, size, 8)
        ]
        way.memory.update((place + 8 * k, word) for k, word in enumerate(words))


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
    if isinstance(value, Operation | str):
        return value
    if kind == "double" and isinstance(value, int):
        return struct.unpack("<d", struct.pack("<q", value))[0]
    if kind != "double" and isinstance(value, float):
        return struct.unpack("<q", struct.pack("<d", value))[0]
    return value


def _whole(work: Any) -> Any:
    """An operation on integers."""

    def done(graph: Graph, a: Any, b: Any) -> Any:
        if isinstance(a, Operation) or isinstance(b, Operation):
            raise Unknown("an index depends on the caller's numbers")
        return work(a, b)

    return done


def _logic(name: str, work: Any) -> Any:
    """And, or, xor of truths or of integers."""

    def done(graph: Graph, a: Any, b: Any) -> Any:
        if isinstance(a, Operation) or isinstance(b, Operation):
            if name == "xor":
                known, other = (a, b) if not isinstance(a, Operation) else (b, a)
                if isinstance(known, Operation):
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
