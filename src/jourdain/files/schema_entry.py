"""Words: what `kind:` may say in a file, which constructor of the library it stands for, and with which arguments.

A word is one row: its name, as Python has it, where its constructor lives, and the kind of each argument. Which
arguments must be given is read off the constructor, and what they mean off its docstring. Everything that a file can
make is a row of `system_schema` or of `control_schema`, and a name out of a file is looked up there and nowhere else.
"""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from ..basics import fields
from ..basics.errors import ModelError
from ..basics.fields import Described, FieldType
from ..basics.registry import Kinds
from ..basics.values import suggestion
from . import value_types
from .diagnostics import WRONG, Diagnostics, step
from .units import entries, units_of
from .value_types import Maybe, Read, Text, ValueType
from .yaml import Node

UNFORESEEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a constructor may raise when it meets values that it was not written for."""


PLACED_UNITS = {"position": ("m",)}
"""Units of keys that stand beside those of a word."""


class DefaultedType(ValueType):
    """A kind with a value of its own where a file says nothing."""

    @abstractmethod
    def implied(self, diagnostics: Diagnostics) -> Any:
        """That value, or `WRONG` without a mistake where it is not known because of others."""


class DeferredValue(ABC):
    """A value that depends on the other arguments of the same word."""

    @abstractmethod
    def settle(self, values: dict[str, Any]) -> Any:
        """The value."""


class SchemaEntry:
    """A constructor that files may use.

    name    as in Python: "Beam", "RigidBody.from_shape"
    home    its module under `jourdain`; "module:function" where the constructor has another name
    args    the kinds of arguments. Of a class with a table of fields (`basics.fields`) only those that a file says in
            another way than Python; the others follow from the table
    slow    whether making it takes compiled kernels
    """

    def __init__(
        self, name: str, home: str, args: Mapping[str, ValueType] | None = None, *, slow: bool = False
    ) -> None:
        self.name, self.home, self.slow = name, home, slow
        self._given = dict(args or {})

    @cached_property
    def args(self) -> dict[str, ValueType]:
        """The kind of each argument."""
        if not (inspect.isclass(self.make) and issubclass(self.make, Described)):
            return self._given
        return {
            name: self._given.get(name) or kind_of(field.sort, "rad" in self.units.get(name, ()))
            for name, field in fields.table_of(self.make).items()
        }

    @cached_property
    def make(self) -> Callable[..., Any]:
        """The constructor."""
        module, _, other = self.home.partition(":")
        found: Any = importlib.import_module(f"jourdain.{module}")
        for part in (other or self.name).split("."):
            found = getattr(found, part)
        return found

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Arguments that a file must give: those without a default that nothing implies."""
        parameters = inspect.signature(self.make).parameters
        none = inspect.Parameter.empty
        bare = [name for name in self.args if name in parameters and parameters[name].default is none]
        return tuple(name for name in bare if not isinstance(self.args[name], DefaultedType))

    @cached_property
    def meanings(self) -> dict[str, str]:
        """What the docstring says of each argument."""
        return meanings(self.make)

    @cached_property
    def units(self) -> dict[str, tuple[str, ...]]:
        """The units of each argument, as the docstring says."""
        return units_of(self.make)

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.make) or self.name).split("\n\n")[0].replace("\n", " ")

    def read(self, node: Node, at: str, diagnostics: Diagnostics, extra: Mapping[str, ValueType] | None = None) -> Any:
        """What a mapping describes, and with `extra` the values of those further keys: (object, dict)."""
        extra = extra or {}
        known = {**self.args, **extra}
        values: dict[str, Any] = {}
        for key, one in node.value.items():
            where = step(at, key)
            if key == "kind":
                continue
            if key not in known:
                diagnostics.wrong_key(node, key, where, f'unknown key "{key}" of {self.name}; {suggestion(key, known)}')
                values[key] = WRONG
            elif one.value is None and key not in self.required:
                continue
            else:
                own = self.units.get(key) if key in self.args else PLACED_UNITS.get(key)
                with diagnostics.expecting(own or (), diagnostics.named):
                    values[key] = known[key].read(one, where, diagnostics)
        for key, one in self.args.items():
            if key not in values and isinstance(one, DefaultedType):
                values[key] = one.implied(diagnostics)
        for key in self.required:
            if key not in values:
                meaning = self.meanings.get(key, "")
                why = f": {meaning}" if meaning else ""
                diagnostics.wrong(node, at, f'"{key}" is missing; {self.name} needs it{why}')
                values[key] = WRONG
        rest = {key: values.pop(key) for key in list(values) if key in extra}
        made: Any = WRONG
        if not any(value is WRONG for value in values.values()) and not (self.slow and diagnostics.quick):
            made = self._made(values, node, at, diagnostics)
        return (made, rest) if extra else made

    def _made(self, values: dict[str, Any], node: Node, at: str, diagnostics: Diagnostics) -> Any:
        try:
            values = {k: one.settle(values) if isinstance(one, DeferredValue) else one for k, one in values.items()}
            return self.make(**values)
        except ModelError as error:
            diagnostics.place(error.problems, node, at)
        except UNFORESEEN as error:
            diagnostics.wrong(node, at, f"{self.name} cannot be made of this: {error}")
        return WRONG

    def schema(self, extra: Mapping[str, ValueType] | None = None, kind: bool = True) -> dict[str, Any]:
        """JSON Schema of a mapping that describes it."""
        properties: dict[str, Any] = {"kind": {"const": self.name}} if kind else {}
        for name, one in {**self.args, **(extra or {})}.items():
            meaning = self.meanings.get(name)
            schema = one.schema() if name in self.required else Maybe(one).schema()
            properties[name] = schema | ({"description": meaning} if meaning else {})
        needed = [*(["kind"] if kind else []), *self.required]
        return {
            "type": "object",
            "description": self.summary,
            "properties": properties,
            "required": needed,
            "additionalProperties": False,
        }


class SingleObjectType(ValueType):
    """A mapping that can only be one word, so that it needs no `kind`."""

    def __init__(self, word: SchemaEntry, extra: Mapping[str, ValueType] | None = None) -> None:
        self.word, self.extra = word, extra

    @property
    def words(self) -> str:  # type: ignore[override]
        """The first of its keys."""
        return f"a mapping of {', '.join(list(self.word.args)[:4])} ..."

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.get("kind") is not None and node.value["kind"].value == self.word.name:
            return self.word.read(node, at, diagnostics, self.extra)
        if "kind" in node.value:
            return diagnostics.wrong_key(
                node, "kind", step(at, "kind"), f"this is always a {self.word.name}; leave kind out"
            )
        return self.word.read(node, at, diagnostics, self.extra)

    def schema(self) -> dict[str, Any]:
        return self.word.schema(self.extra, kind=False)


class ObjectType(ValueType):
    """A mapping whose `kind` is a word of a category; with `extra` it gives (object, values of those keys)."""

    def __init__(self, category: str, extra: Mapping[str, ValueType] | None = None) -> None:
        self.category, self.extra = category, extra or {}
        self.words = f"a mapping with kind: and the arguments of a {category}"

    @property
    def table(self) -> dict[str, SchemaEntry]:
        """The words of the category."""
        return table(self.category)

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        kind = node.value.get("kind")
        known = self.table
        if kind is None or not kind.is_text:
            got = '"kind" is missing' if kind is None else f"kind is {kind.shown()}"
            diagnostics.wrong(kind or node, at, f"{got}; a {self.category} is one of {', '.join(known)}")
            return self._nothing(node, at, diagnostics)
        if kind.value not in known:
            others = [other for other in CATEGORIES if kind.value in table(other)]
            hint = f"that is a {others[0]}; " if others else ""
            near = suggestion(kind.value, known)
            diagnostics.wrong(kind, step(at, "kind"), f"{kind.shown()} is no kind of {self.category}; {hint}{near}")
            return self._nothing(node, at, diagnostics)
        return known[kind.value].read(node, at, diagnostics, self.extra)

    def _nothing(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """No object, and the further keys as far as they can be read."""
        given = {key: one for key, one in self.extra.items() if node.get(key) is not None}
        rest = {key: one.read(node.value[key], step(at, key), diagnostics) for key, one in given.items()}
        return (WRONG, rest) if self.extra else WRONG

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.category.replace(' ', '_')}"}


READ_AS: dict[Any, ValueType] = {}
"""Kinds of things that a file says in a way of its own, by their class."""


def kind_of(sort: FieldType, angle: bool = False) -> ValueType:
    """How a file says what a field of this sort holds; angle: whether its numbers may be angles."""
    match sort:
        case fields.Number():
            return value_types.Number(angle)
        case fields.Whole():
            return value_types.Whole(sort.low, sort.high)
        case fields.Flag():
            return value_types.Flag()
        case fields.Text():
            return Text(sort.choices)
        case fields.Numbers():
            return value_types.Numbers(sort.size, sort.depth, angle)
        case fields.Axis():
            return value_types.Axis()
        case fields.Many():
            return value_types.Listed(kind_of(sort.sort, angle))
        case fields.ByName():
            return value_types.ByName(kind_of(sort.sort, angle))
        case fields.Either():
            return value_types.Either(*(kind_of(one, angle) for one in sort.sorts))
        case fields.Made() if sort.of in READ_AS:
            return READ_AS[sort.of]
        case fields.Made() if isinstance(sort.of, Kinds):
            return ObjectType(sort.of.what)
    raise TypeError(f"no kind of value in a file stands for {sort}; give one in the table of words")


def meanings(make: Callable[..., Any]) -> dict[str, str]:
    """Arguments and what a docstring says of them, those of base classes too."""
    return {name: text for names, text in entries(make) for name in names}


def _file(value: str, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    return diagnostics.files.resolve(node, diagnostics.folder(node), at)


FILE = Read(Text(words="the name of a file beside this one"), _file)
"""The path of a file that is named, allowed to be read."""


CATEGORIES = (
    *("body", "mesh", "joint", "shape", "normal law", "friction law", "environment", "force element", "motion"),
    *("connection", "controller", "path", "sensor", "filter"),
)
"""What `kind:` may be a kind of."""
_KNOWN: dict[str, dict[str, SchemaEntry]] = {category: {} for category in CATEGORIES}


def register(category: str, words: Iterable[SchemaEntry]) -> None:
    """Lets files use these words where something of the category is wanted."""
    _KNOWN[category].update({word.name: word for word in words})


def table(category: str) -> dict[str, SchemaEntry]:
    """The words of a category by name."""
    return _KNOWN[category]
