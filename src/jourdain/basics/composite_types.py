"""Value types made of others: lists, mappings, unions, objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ModelError
from .value_types import INVALID, Array, Number, Schema, ValueType, is_a, step
from .values import expect_list, is_list, is_series, shown, suggestion, with_article

if TYPE_CHECKING:
    from ..files.diagnostics import Diagnostics
    from ..files.yaml import Node

MOST_CHECKED = 1000
"""Elements of a list of Python values that are looked at."""
PLURAL = {"text": "texts", "a number": "numbers", "a whole number": "whole numbers"}


@dataclass(frozen=True)
class ListOf(ValueType):
    """A list of values of one type.

    single    whether one value alone is a list of one
    least     how many there must be
    series    whether Python may give anything that is gone through once
    """

    of: ValueType
    single: bool = False
    least: int = 0
    series: bool = False

    def words(self, python: bool = False) -> str:
        each = self.of.words(python)
        if not python:
            return f"a list, each {each}"
        return f"a list of {PLURAL.get(each, each)}"

    def accepts(self, value: Any) -> bool:
        if not (is_series(value) if self.series else is_list(value)):
            return False
        if isinstance(value, np.ndarray | Sequence | set | frozenset | Mapping):
            many = value.size if isinstance(value, np.ndarray) else len(value)
            return many > MOST_CHECKED or all(self.of.accepts(one) for one in value)
        return True  # a generator can be gone through only once

    def from_description(self, data: Any, address: str) -> Any:
        entries = enumerate(expect_list(data, address))
        return tuple(None if one is None else self.of.from_description(one, f"{address}[{i}]") for i, one in entries)

    def fits(self, node: Node) -> bool:
        return node.is_list or (self.single and self.of.fits(node))

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if not node.is_list:
            one = self.of.read(node, at, diagnostics)
            return INVALID if one is INVALID else [one]
        if len(node.value) < self.least:
            return diagnostics.wrong(node, at, f"has {len(node.value)} entries; give {self.least} at least")
        found = [self.of.read(one, step(at, i, one), diagnostics) for i, one in enumerate(node.value)]
        return INVALID if any(one is INVALID for one in found) else found

    def schema(self) -> Schema:
        several = {"type": "array", "items": self.of.schema()}
        return {"anyOf": [several, self.of.schema()]} if self.single else several


@dataclass(frozen=True)
class MappingOf(ValueType):
    """A mapping from names to values of one type.

    refers    what the names are names of, where they must exist in the model
    known     the names that there are, where they are few
    """

    of: ValueType
    refers: str = ""
    known: tuple[str, ...] = ()

    def words(self, python: bool = False) -> str:
        return "a mapping" if python else f"a mapping from names, each to {self.of.words()}"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping)

    def from_description(self, data: Any, address: str) -> Any:
        if not isinstance(data, Mapping):
            raise ModelError.at(address, f"got {shown(data)}; give a mapping of names to values")
        return {key: self.of.from_description(one, f"{address}.{key}") for key, one in data.items()}

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        out = {}
        for key, one in node.value.items():
            where = step(at, key)
            if self.known and key not in self.known:
                diagnostics.wrong_key(node, key, where, f'"{key}" is unknown; {suggestion(key, self.known)}')
                out[key] = INVALID
                continue
            if self.refers:
                diagnostics.refer(self.refers, key, node.key(key), where)
            with diagnostics.expecting(diagnostics.expected, key if self.refers else diagnostics.coordinate):
                out[key] = self.of.read(one, where, diagnostics)
        return INVALID if any(one is INVALID for one in out.values()) else out

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.of.schema()}


@dataclass(frozen=True)
class Nullable(ValueType):
    """A value that may be None, in a file null."""

    of: ValueType

    def words(self, python: bool = False) -> str:
        return f"{self.of.words(python)}{' or None' if python else ', or null'}"

    def accepts(self, value: Any) -> bool:
        return value is None or self.of.accepts(value)

    def from_description(self, data: Any, address: str) -> Any:
        return None if data is None else self.of.from_description(data, address)

    def fits(self, node: Node) -> bool:
        return node.value is None or self.of.fits(node)

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return None if node.value is None else self.of.read(node, at, diagnostics)

    def schema(self) -> Schema:
        return {"anyOf": [self.of.schema(), {"type": "null"}]}


@dataclass(frozen=True, init=False)
class Union(ValueType):
    """One of several types: in a file the first that a value looks like, or that it names by its keys."""

    types: tuple[ValueType, ...]

    def words(self, python: bool = False) -> str:
        return (" or " if python else "; or ").join(dict.fromkeys(one.words(python) for one in self.types))

    def __init__(self, *types: ValueType) -> None:
        object.__setattr__(self, "types", types)

    def accepts(self, value: Any) -> bool:
        return any(one.accepts(value) for one in self.types)

    def from_description(self, data: Any, address: str) -> Any:
        made = [one for one in self.types if isinstance(one, ObjectOf)]
        return made[0].from_description(data, address) if made and isinstance(data, Mapping) else data

    def fits(self, node: Node) -> bool:
        return any(one.fits(node) for one in self.types)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        fitting = [one for one in self.types if one.fits(node)]
        return next((one for one in fitting if one.identifies(node)), fitting[0]).read(node, at, diagnostics)

    def schema(self) -> Schema:
        return {"anyOf": [one.schema() for one in self.types]}


IN_FILES: dict[str, ValueType] = {}
"""How files say values whose annotation is one of these names: of a class, of what a registry has, or of a type of
`basics.types`."""


@dataclass(frozen=True)
class ObjectOf(ValueType):
    """An object: of a class, of a class that is not loaded, by its name, or of one of a registry of classes."""

    of: Any

    def words(self, python: bool = False) -> str:
        return with_article(self.name) if python else self.in_file.words()

    @property
    def name(self) -> str:
        """The name of the class, or of what the registry has."""
        return self.of if isinstance(self.of, str) else str(getattr(self.of, "what", None) or self.of.__name__)

    @property
    def in_file(self) -> ValueType:
        """How files say it."""
        if self.name not in IN_FILES:
            raise TypeError(f"{with_article(self.name)} cannot stand in a file; give the argument a value type")
        return IN_FILES[self.name]

    def accepts(self, value: Any) -> bool:
        if isinstance(self.of, type):
            return isinstance(value, self.of)
        return is_a(value, self.name)

    def from_description(self, data: Any, address: str) -> Any:
        return self.of.from_dict(data, address) if hasattr(self.of, "from_dict") else data

    def fits(self, node: Node) -> bool:
        return self.in_file.fits(node)

    def identifies(self, node: Node) -> bool:
        return self.in_file.identifies(node)

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return self.in_file.read(node, at, diagnostics)

    def schema(self) -> Schema:
        return self.in_file.schema()


@dataclass(frozen=True)
class Converted(ValueType):
    """A type of file values made of another by a function that turns its value into what is wanted, or raises a
    `ModelError`."""

    of: ValueType
    convert: Callable[[Any, Node, str, Diagnostics], Any]
    names: str = ""

    def words(self, python: bool = False) -> str:
        return self.names or self.of.words(python)

    def fits(self, node: Node) -> bool:
        return self.of.fits(node)

    def identifies(self, node: Node) -> bool:
        return self.of.identifies(node)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        value = self.of.read(node, at, diagnostics)
        if value is INVALID:
            return INVALID
        try:
            return self.convert(value, node, at, diagnostics)
        except ModelError as error:
            return diagnostics.place(error.problems, node, at)

    def schema(self) -> Schema:
        return self.of.schema()


def as_angle(of: ValueType) -> ValueType:
    """The same type, whose numbers may be angles."""
    match of:
        case Number() | Array():
            return replace(of, angle=True)
        case ListOf() | MappingOf() | Nullable():
            return replace(of, of=as_angle(of.of))
        case Union():
            return Union(*(as_angle(one) for one in of.types))
    return of


def union(types: Iterable[ValueType]) -> ValueType:
    """One of several types, and a type alone where there is one."""
    found = list(types)
    return found[0] if len(found) == 1 else Union(*found)
