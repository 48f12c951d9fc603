"""One table of fields for each class that descriptions and files hold.

The table of a class is its constructor's arguments, each with its *sort*: what it holds. `to_dict`, `from_dict`, the
check of keys and the words of files (`files/schema_entry.py`) come from it. A sort follows from the annotation, or
stands in
`sorts` of the class where the annotation says less.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from .errors import ModelError, Problem
from .values import expect_keys, expect_list, expect_text, shown

T = TypeVar("T", bound="Described")


class FieldType:
    """What a field holds. Most are read as they are, for the constructor to judge."""

    def read(self, data: Any, address: str) -> Any:
        """The value that a description has at an address."""
        return data


Judge = Callable[[Any, str], Any]
"""Makes a value of what a description has at an address, or refuses it there."""


@dataclass(frozen=True)
class Number(FieldType):
    """A number; with a judge refused at its place in a description, and not by the constructor."""

    judge: Judge | None = None

    def read(self, data: Any, address: str) -> Any:
        return data if self.judge is None else self.judge(data, address)


@dataclass(frozen=True)
class Whole(FieldType):
    """A whole number."""

    low: int = 0
    high: int = 2**53


@dataclass(frozen=True)
class Flag(FieldType):
    """True or false."""


@dataclass(frozen=True)
class Text(FieldType):
    """Text, or one of some words."""

    choices: tuple[str, ...] = ()

    def read(self, data: Any, address: str) -> Any:
        return expect_text(data, address)


@dataclass(frozen=True)
class Numbers(FieldType):
    """A list of so many numbers, or numbers in lists of lists; `judge` as of a `Number`."""

    size: int | None = None
    depth: int | None = None
    judge: Judge | None = None

    def read(self, data: Any, address: str) -> Any:
        return data if self.judge is None else self.judge(data, address)


@dataclass(frozen=True)
class Axis(FieldType):
    """A direction: a letter or three numbers."""


@dataclass(frozen=True)
class Many(FieldType):
    """A list of values of one sort; some may be None."""

    sort: FieldType

    def read(self, data: Any, address: str) -> Any:
        entries = enumerate(expect_list(data, address))
        return tuple(None if one is None else self.sort.read(one, f"{address}[{i}]") for i, one in entries)


@dataclass(frozen=True)
class ByName(FieldType):
    """Values of one sort by name."""

    sort: FieldType

    def read(self, data: Any, address: str) -> Any:
        if not isinstance(data, Mapping):
            raise ModelError.at(address, f"got {shown(data)}; give a mapping of names to values")
        return {key: self.sort.read(one, f"{address}.{key}") for key, one in data.items()}


class Readable(Protocol):
    """What reads back a description: a class, or a registry of them (`basics.registry.Kinds`)."""

    def from_dict(self, data: Any, address: str) -> Any:
        """What `to_dict` wrote."""


@dataclass(frozen=True)
class Made(FieldType):
    """Something with a description of its own."""

    of: Readable

    def read(self, data: Any, address: str) -> Any:
        return self.of.from_dict(data, address)


@dataclass(frozen=True, init=False)
class Either(FieldType):
    """One of several sorts; what is described by a mapping is the one that is made."""

    sorts: tuple[FieldType, ...]

    def __init__(self, *sorts: FieldType) -> None:
        object.__setattr__(self, "sorts", sorts)

    def read(self, data: Any, address: str) -> Any:
        made = [sort for sort in self.sorts if isinstance(sort, Made)]
        return made[0].read(data, address) if made and isinstance(data, Mapping) else data


BY_ANNOTATION: dict[str, FieldType] = {
    "float": Number(),
    "int": Whole(),
    "bool": Flag(),
    "str": Text(),
    "AxisLike": Axis(),
    "Sequence[AxisLike]": Many(Axis()),
    "tuple[float, float]": Numbers(2),
    "tuple[float, float, float]": Numbers(3),
}
"""Sorts by annotation, None taken off."""


class Field(NamedTuple):
    """A row of the table.

    sort       what it holds
    default    `inspect.Parameter.empty` where it must be given
    absent     whether it may be None
    """

    sort: FieldType
    default: Any
    absent: bool = False

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty


class Described:
    """A class with a table of fields, which are the arguments of its constructor.

    kind     the word that its descriptions begin with, where it is one of a registry
    sorts    of fields whose annotation does not tell
    spare    fields that a description leaves out where they have their default; they come last
    whole    whether a description must have all other fields, those with defaults too
    """

    sorts: ClassVar[Mapping[str, FieldType]] = {}
    spare: ClassVar[tuple[str, ...]] = ()
    whole: ClassVar[bool] = False

    def described_value(self, name: str) -> Any:
        """The value of a field."""
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, numbers and text; with its ``kind``, where it has one."""
        kind = getattr(self, "kind", None)
        data: dict[str, Any] = {} if kind is None else {"kind": kind}
        table = table_of(type(self))
        data |= {name: plain(self.described_value(name)) for name in table if name not in self.spare}
        others = {name: self.described_value(name) for name in self.spare if name in table}
        return data | {name: plain(value) for name, value in others.items() if value != table[name].default}

    @classmethod
    def from_dict(cls: type[T], data: Any, address: str = "") -> T:
        """What `to_dict` wrote. Unknown and missing keys are refused."""
        address = address or cls.__name__
        table = table_of(cls)
        needed = ["kind"] if hasattr(cls, "kind") else []
        needed += [name for name, field in table.items() if field.needed or (cls.whole and name not in cls.spare)]
        given = expect_keys(data, address, needed, [name for name in table if name not in needed])
        values = {
            name: None if given[name] is None and field.absent else field.sort.read(given[name], f"{address}.{name}")
            for name, field in table.items()
            if name in given
        }
        try:
            return cls._made(**values)
        except ModelError as error:
            if "name" in table:  # then it says itself what it is about
                raise
            raise ModelError([Problem(address, str(problem)) for problem in error.problems]) from None

    @classmethod
    def _made(cls: type[T], **values: Any) -> T:
        """An object of the values of its fields."""
        return cls(**values)


_TABLES: dict[type, dict[str, Field]] = {}


def table_of(cls: type[Described]) -> dict[str, Field]:
    """The fields of a class by name."""
    if cls not in _TABLES:
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        _TABLES[cls] = {
            one.name: _field(one, cls.sorts.get(one.name))
            for one in inspect.signature(cls).parameters.values()
            if one.kind in named or one.name in cls.sorts
        }
    return _TABLES[cls]


def _field(one: inspect.Parameter, sort: FieldType | None) -> Field:
    said = str(one.annotation)
    absent = said.endswith(" | None") or one.default is None
    # what no annotation tells is for the constructor to judge
    return Field(sort or BY_ANNOTATION.get(said.removesuffix(" | None"), FieldType()), one.default, absent)


def plain(value: Any) -> Any:
    """A value as descriptions hold it: arrays and tuples as lists, objects as they describe themselves (`to_dict`, or
    `plain` where that is no mapping)."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if hasattr(value, "plain"):
        return value.plain()
    return value.to_dict() if hasattr(value, "to_dict") else value
