"""LLVM text as tables that a program can walk through: functions, blocks, instructions.

Only what the kernels are made of is read; anything else is an error that names the line.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from ..kernels.compiler import Overload, linked_overloads, rare_garbage_collection
from ..kernels.compiling import object_code
from ..kernels.compiling.descriptors import overload_of
from ..kernels.compiling.numba_private import global_compiler_lock, module_of

PRIMITIVES = ("sine_cosine", "near_sine_cosine")
"""Kernels that are not walked through: sine and cosine are called by their names in C."""
NAME = r'[%@](?:"[^"]*"|[-\w.$]+)'
_TOKEN = re.compile(rf'{NAME}|c"(?:[^"\\]|\\.)*"|[-+\w.]+|\S')
FLAGS = frozenset(
    "nsz arcp contract nnan ninf afn reassoc fast nuw nsw exact disjoint nneg samesign inbounds nusw inrange volatile "
    "tail musttail notail fastcc ccc noundef nonnull zeroext signext readonly readnone writeonly noalias nocapture "
    "writable local_unnamed_addr unnamed_addr immarg".split()
)
BRACKETED = ("align", "dereferenceable", "captures", "range", "dereferenceable_or_null", "memory", "initializes")


class Instruction(NamedTuple):
    """One line.

    result    name of what it gives, or ""
    op        LLVM's opcode
    words     the rest, cut into words; flags that do not matter here are left out
    """

    result: str
    op: str
    words: tuple[str, ...]


class IrFunction(NamedTuple):
    """Names of its parameters, and its instructions by block, in order; the first block is where it begins."""

    parameters: tuple[str, ...]
    blocks: dict[str, list[Instruction]]


def functions(text: str) -> dict[str, IrFunction]:
    """The functions that a module defines, by name."""
    found: dict[str, IrFunction] = {}
    body: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("define "):
            head, body = line, []
        elif line == "}" and body is not None:
            name, parameters = _head(head)
            found[name] = IrFunction(parameters, _blocks(body))
            body = None
        elif body is not None:
            body.append(line)
    return found


def _head(line: str) -> tuple[str, tuple[str, ...]]:
    at = re.search(r'@(?:"[^"]*"|[-\w.$]+)\(', line)
    assert at is not None, line
    inside, _ = _closed(line, at.end() - 1)
    names = [found[-1] if (found := re.findall(NAME, one)) else "" for one in split(inside)]
    return unquoted(at[0][:-1]), tuple(unquoted(one) for one in names)


def _closed(text: str, at: int) -> tuple[str, int]:
    """What is inside the bracket that opens at a place, and where it closes."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "([{<") - (text[place] in ")]}>")
        if depth == 0:
            return text[at + 1 : place], place
    raise ValueError(text)


def split(text: str) -> list[str]:
    """Parts between commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _blocks(body: list[str]) -> dict[str, list[Instruction]]:
    blocks: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    joined = ""
    for line in body:
        line = line.partition(" ;")[0].rstrip() if not joined else line
        label = re.match(r'^("[^"]*"|[-\w.$]+):', line)
        if label:
            current = blocks.setdefault(label[1].strip('"'), [])
        elif line.strip():
            joined += " " + line.strip()
            if joined.count("[") > joined.count("]"):
                continue  # the cases of a switch
            if not blocks:
                blocks["0"] = current
            current.append(_instruction(joined.strip()))
            joined = ""
    return blocks


def _instruction(line: str) -> Instruction:
    line = re.sub(r",? ![\w.]+ ![\w.]+|,? !\w+|, align \d+$", "", line)
    result = ""
    found = re.match(rf"({NAME}) = ", line)
    if found:
        result, line = unquoted(found[1]), line[found.end() :]
    words = _TOKEN.findall(line)
    while words[0] in FLAGS:
        words = words[1:]
    return Instruction(result, words[0], tuple(_plain(words[1:])))


def _plain(words: list[str]) -> list[str]:
    """Words without flags and attributes."""
    kept: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        if word in BRACKETED:
            place += 1
            if place < len(words) and words[place] == "(":
                depth = 1
                while depth:
                    place += 1
                    depth += (words[place] == "(") - (words[place] == ")")
            elif word != "align":
                place -= 1
        elif word == "#" or re.fullmatch(r"#\d+", word):
            break
        elif word not in FLAGS:
            kept.append(unquoted(word))
        place += 1
    return kept


def unquoted(name: str) -> str:
    """A name without the quotes that LLVM puts round odd letters."""
    return name[0] + name[2:-1] if name[:2] in ('%"', '@"') else name


@lru_cache(None)
def number(word: str, kind: str) -> Any:
    """A literal: a float of kind "double", else an integer; None for what is undefined."""
    if word in ("undef", "poison"):
        return 0.0 if kind == "double" else 0
    if word in ("null", "false", "zeroinitializer"):
        return 0.0 if kind == "double" else 0
    if word == "true":
        return 1
    if kind == "double":
        return struct.unpack(">d", bytes.fromhex(word[2:]))[0] if word.startswith("0x") else float(word)
    return int(word)


class TypeTable:
    """Types in a row of words: their sizes, and where their parts are."""

    @staticmethod
    def read(words: tuple[str, ...], at: int) -> tuple[Any, int]:
        """A type that begins at a word, and where the next word is. Arrays are (count, type), structures are lists."""
        word = words[at]
        if word == "[":
            count, at = int(words[at + 1]), at + 3
            inner, at = TypeTable.read(words, at)
            return (count, inner), at + 1
        if word == "{":
            parts, at = [], at + 1
            while words[at] != "}":
                part, at = TypeTable.read(words, at)
                parts.append(part)
                at += words[at] == ","
            return parts, at + 1
        return word, at + 1

    @staticmethod
    def size(kind: Any) -> int:
        """Bytes, with what fills them up."""
        if isinstance(kind, tuple):
            return kind[0] * TypeTable.size(kind[1])
        if isinstance(kind, list):
            return TypeTable.offset(kind, len(kind))
        if kind in ("double", "ptr"):
            return 8
        if re.fullmatch(r"i\d+", kind):
            return max(1, int(kind[1:]) // 8)
        raise ValueError(f"the type {kind} is not known here")

    @staticmethod
    def aligned(kind: Any) -> int:
        """What its address is a multiple of."""
        if isinstance(kind, tuple):
            return TypeTable.aligned(kind[1])
        return (
            max((TypeTable.aligned(one) for one in kind), default=1) if isinstance(kind, list) else TypeTable.size(kind)
        )

    @staticmethod
    def offset(kind: Any, index: int) -> int:
        """Where an entry of a structure or array begins; of the one behind the last, the whole size."""
        if isinstance(kind, tuple):
            return index * TypeTable.size(kind[1])
        place = 0
        for one in kind[:index]:
            step = TypeTable.aligned(one)
            place = -(-place // step) * step + TypeTable.size(one)
        step = TypeTable.aligned(kind[index]) if index < len(kind) else TypeTable.aligned(kind)
        return -(-place // step) * step


class IrListing:
    """The text of a kernel and of all that it calls in models with some features."""

    def __init__(self, main: Overload, features: Iterable[str]) -> None:
        self.features = frozenset(features)
        self.functions: dict[str, IrFunction] = {}
        self.parts: dict[str, str | None] = {}
        self._seen: set[str] = set()
        with global_compiler_lock, rare_garbage_collection():
            self._add(main)

    def _add(self, one: Overload) -> None:
        if one.symbol in self._seen:
            return
        self._seen.add(one.symbol)
        found, outside = _text(one)
        self.functions |= found
        for unit in outside:
            if unit.kernel.linkage != "optional":
                self._add(unit)
                continue
            there = unit.kernel.feature in self.features
            self.parts[f"@{unit.symbol}.cell"] = f"@{unit.symbol}" if there else None
            if there:
                self._add(unit)


@cache
def _text(one: Overload) -> tuple[dict[str, IrFunction], list[Overload]]:
    """The functions of a unit, and the units and parts that it calls."""
    inner = [other for other in linked_overloads(one) if other.kernel.__name__ not in PRIMITIVES]
    modules = [other.module() for other in inner]
    foreign = {id(library): library for other in inner for library in other.libraries}
    whole = object_code.linked([*modules, *(module_of(library).clone() for library in foreign.values())], {one.symbol})
    # numbers one by one, loops as they are: they are walked through
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(object_code.this_machine(), tuning)
    builder.getModulePassManager().run(whole, builder)
    return functions(str(whole)), [overload_of(descriptor) for other in inner for descriptor in other.lower().external]


def followers(function: IrFunction) -> dict[str, list[str]]:
    """The blocks that may follow each block; "" is the end."""
    found = {}
    for name, body in function.blocks.items():
        last = body[-1]
        if last.op in ("ret", "unreachable"):
            found[name] = [""]
        else:
            places = [last.words[i + 1] for i, word in enumerate(last.words) if word == "label"]
            found[name] = [place.removeprefix("%") for place in places]
    return found


def meetings(after: dict[str, list[str]]) -> dict[str, str]:
    """Immediate post-dominators (Cooper, Harvey and Kennedy 2001, on the reversed graph)."""
    order: list[str] = []
    seen = {""}
    before: dict[str, list[str]] = {}
    for one, others in after.items():
        for other in others:
            before.setdefault(other, []).append(one)
    waiting = [("", iter(before.get("", [])))]
    while waiting:
        name, rest = waiting[-1]
        for other in rest:
            if other not in seen:
                seen.add(other)
                waiting.append((other, iter(before.get(other, []))))
                break
        else:
            order.append(name)
            waiting.pop()
    place = {name: k for k, name in enumerate(order)}
    found = {"": ""}
    changed = True
    while changed:
        changed = False
        for name in reversed(order[:-1]):
            known = [other for other in after[name] if other in found]
            best = known[0]
            for other in known[1:]:
                while best != other:
                    if place[best] < place[other]:
                        best = found[best]
                    else:
                        other = found[other]
            if found.get(name) != best:
                found[name], changed = best, True
    return found
