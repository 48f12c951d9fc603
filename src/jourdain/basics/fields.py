"""The fields of classes that descriptions and files hold.

The fields of a class are its constructor's arguments, each with its value type, which follows from the annotation, or
stands in `field_types` of the class where the annotation says less. `to_dict`, `from_dict`, the check of keys and the
entries of files (`files/schema_entry.py`) come from them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from .annotations import value_type
from .arguments import checked
from .composite_types import Nullable
from .errors import ModelError, Problem
from .value_types import ValueType
from .values import expect_keys

T = TypeVar("T", bound="Described")


class Field(NamedTuple):
    """A field.

    type        of its values
    default     `inspect.Parameter.empty` where it must be given
    nullable    whether it may be None
    """

    type: ValueType
    default: Any
    nullable: bool = False

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty


@checked
class Described:
    """A class with fields, which are the arguments of its constructor.

    kind              the word that its descriptions begin with, where it is one of a registry
    field_types       value types of fields whose annotation does not say them
    optional_fields   fields that a description leaves out where they have their default; they come last
    complete          whether a description must have all other fields, those with defaults too
    """

    field_types: ClassVar[Mapping[str, ValueType]] = {}
    optional_fields: ClassVar[tuple[str, ...]] = ()
    complete: ClassVar[bool] = False

    def described_value(self, name: str) -> Any:
        """The value of a field as a description has it."""
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, numbers and text; with its ``kind``, where it has one."""
        kind = getattr(self, "kind", None)
        data: dict[str, Any] = {} if kind is None else {"kind": kind}
        fields = fields_of(type(self))
        data |= {name: plain(self.described_value(name)) for name in fields if name not in self.optional_fields}
        others = {name: self.described_value(name) for name in self.optional_fields if name in fields}
        return data | {name: plain(value) for name, value in others.items() if value != fields[name].default}

    @classmethod
    def from_dict(cls: type[T], data: Any, address: str = "") -> T:
        """What `to_dict` wrote. Unknown and missing keys are refused."""
        address = address or cls.__name__
        fields = fields_of(cls)
        required = ["kind"] if hasattr(cls, "kind") else []
        demanded = () if not cls.complete else [name for name in fields if name not in cls.optional_fields]
        required += [name for name, field in fields.items() if field.required or name in demanded]
        given = expect_keys(data, address, required, [name for name in fields if name not in required])
        values = {
            name: None
            if given[name] is None and field.nullable
            else field.type.from_description(given[name], f"{address}.{name}")
            for name, field in fields.items()
            if name in given
        }
        try:
            return cls._from_fields(**values)
        except ModelError as error:
            if "name" in fields:  # then it says itself what it is about
                inside = [one for one in error.problems if ": " in one.address and one.argument in given]
                if not inside:
                    raise
                raise ModelError([one._replace(address=f"{address}.{one.argument}") for one in inside]) from None
            raise ModelError([Problem(address, str(problem), problem.field) for problem in error.problems]) from None

    @classmethod
    def _from_fields(cls: type[T], **values: Any) -> T:
        """An object of the values of its fields."""
        return cls(**values)


_FIELDS: dict[type, dict[str, Field]] = {}


def fields_of(cls: type[Described]) -> dict[str, Field]:
    """The fields of a class by name."""
    if cls not in _FIELDS:
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        _FIELDS[cls] = {
            one.name: _field(cls, one)
            for one in inspect.signature(cls).parameters.values()
            if one.kind in named or one.name in cls.field_types
        }
    return _FIELDS[cls]


def _field(cls: type[Described], one: inspect.Parameter) -> Field:
    said = cls.field_types.get(one.name) or parameter_type(cls, one) or ValueType()
    nullable = isinstance(said, Nullable) or str(one.annotation).endswith(" | None") or one.default is None
    return Field(said.of if isinstance(said, Nullable) else said, one.default, nullable)


def parameter_type(make: Any, one: inspect.Parameter) -> ValueType | None:
    """The value type that a constructor's annotation of a parameter says; None where it says nothing."""
    if not isinstance(one.annotation, str):
        return None
    owners = inspect.getmro(make) if inspect.isclass(make) else ()
    saying = [owner for owner in owners if one.name in vars(owner).get("__annotations__", {})]
    saying += [owner for owner in owners if one.name in getattr(vars(owner).get("__init__"), "__annotations__", {})]
    return value_type(one.annotation, vars(sys.modules[(saying or [make])[0].__module__]))


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
