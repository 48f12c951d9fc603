"""Schema entries: what `kind:` may say in a file, which constructor of the library it stands for, and its arguments.

An entry is one row: its name, as Python has it, and where its constructor lives. Which arguments there are, of which
types, and which of them must be given, is read off the constructor, and what they mean off its docstring; types that
the annotation does not say stand in the row. Everything that a file can make is a row of `system_schema` or of
`control_schema`, and a name out of a file is looked up there and nowhere else.
"""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ..basics.composite_types import IN_FILES, Nullable, as_angle
from ..basics.errors import ModelError
from ..basics.fields import Described, fields_of, parameter_type
from ..basics.units import bracketed, entries, units_of
from ..basics.value_types import INVALID, ValueType, step
from ..basics.values import suggestion
from .diagnostics import Diagnostics
from .yaml import Node

UNFORESEEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a constructor may raise when it meets values that it was not written for."""


Keys = Mapping[str, tuple[ValueType, str]]
"""Keys of a mapping in a file, each with the type of its value and its meaning, which has the unit in brackets."""


class DefaultedType(ValueType):
    """A value type with a value of its own where a file says nothing."""

    @abstractmethod
    def implied(self, diagnostics: Diagnostics) -> Any:
        """That value, or `INVALID` where it is not known because of mistakes elsewhere."""


class DeferredValue(ABC):
    """A value that depends on the other arguments of the same entry."""

    @abstractmethod
    def settle(self, values: dict[str, Any]) -> Any:
        """The value."""


def parameters(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The named arguments of a constructor, those that it hands on to that of its base class too."""
    found = inspect.signature(make).parameters
    own = {name: one for name, one in found.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    if len(own) < len(found) and inspect.isclass(make) and any(one.kind == one.VAR_KEYWORD for one in found.values()):
        return own | {name: one for name, one in parameters(make.__mro__[1]).items() if name not in own}
    return own


def _said(make: Callable[..., Any], one: inspect.Parameter) -> ValueType | None:
    """The value type that files have for an annotation, None taken off."""
    found = IN_FILES.get(str(one.annotation).removesuffix(" | None")) or parameter_type(make, one)
    return found.of if isinstance(found, Nullable) else found


class SchemaEntry:
    """A constructor that files may use.

    name    as in Python: "Beam", "RigidBody.from_shape"
    home    its module under `jourdain`; "module:function" where the constructor has another name
    args    types of arguments where they do not follow from the annotation; None for one that files do not have
    slow    whether making it takes compiled kernels
    """

    def __init__(
        self, name: str, home: str, args: Mapping[str, ValueType | None] | None = None, *, slow: bool = False
    ) -> None:
        self.name, self.home, self.slow = name, home, slow
        self._given = dict(args or {})

    @cached_property
    def args(self) -> dict[str, ValueType]:
        """The value type of each argument."""
        make, given = self.make, self._given
        own = parameters(make)
        types: dict[str, ValueType | None] = {name: _said(make, one) for name, one in own.items()}
        if inspect.isclass(make) and issubclass(make, Described):
            types = {name: field.type for name, field in fields_of(make).items()}
        found = {}
        for name, said in types.items():
            one = given.get(name, as_angle(said) if said is not None and "rad" in self.units.get(name, ()) else said)
            if one is None and name not in given or type(one) is ValueType:
                raise TypeError(f"the annotation of {name} of {self.name} says no value type; give one in its entry")
            if one is not None:
                found[name] = one
        return found

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
        own, none = parameters(self.make), inspect.Parameter.empty
        bare = [name for name in self.args if name in own and own[name].default is none]
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

    def read(self, node: Node, at: str, diagnostics: Diagnostics, extra: Keys = MappingProxyType({})) -> Any:
        """What a mapping describes, and with `extra` the values of those further keys: (object, dict)."""
        known = {**self.args, **{key: type_ for key, (type_, _) in extra.items()}}
        values: dict[str, Any] = {}
        for key, one in node.value.items():
            where = step(at, key)
            if key == "kind":
                continue
            if key not in known:
                diagnostics.wrong_key(node, key, where, f'unknown key "{key}" of {self.name}; {suggestion(key, known)}')
                values[key] = INVALID
            elif one.value is None and key not in self.required:
                continue
            else:
                own = self.units.get(key) if key in self.args else bracketed(extra[key][1])
                with diagnostics.expecting(own or (), diagnostics.coordinate):
                    values[key] = known[key].read(one, where, diagnostics)
        for key, one in self.args.items():
            if key not in values and isinstance(one, DefaultedType):
                values[key] = one.implied(diagnostics)
        for key in self.required:
            if key not in values:
                meaning = self.meanings.get(key, "")
                why = f": {meaning}" if meaning else ""
                diagnostics.wrong(node, at, f'"{key}" is missing; {self.name} needs it{why}')
                values[key] = INVALID
        rest = {key: values.pop(key) for key in list(values) if key in extra}
        made: Any = INVALID
        if not any(value is INVALID for value in values.values()) and not (self.slow and diagnostics.quick):
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
        return INVALID

    def schema(self, extra: Keys = MappingProxyType({}), kind: bool = True) -> dict[str, Any]:
        """JSON Schema of a mapping that describes it."""
        properties: dict[str, Any] = {"kind": {"const": self.name}} if kind else {}
        for name, one in {**self.args, **{key: type_ for key, (type_, _) in extra.items()}}.items():
            meaning = self.meanings.get(name) or (extra[name][1] if name in extra else "")
            schema = one.schema() if name in self.required else Nullable(one).schema()
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
    """A mapping that can only be one entry, so that it needs no `kind`."""

    def __init__(self, entry: SchemaEntry) -> None:
        self.entry = entry

    def words(self, python: bool = False) -> str:
        return f"a mapping of {', '.join(list(self.entry.args)[:4])} ..."

    def fits(self, node: Node) -> bool:
        return node.is_map

    def identifies(self, node: Node) -> bool:
        return any(key in node.value for key in self.entry.required)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if "kind" in node.value and node.value["kind"].value != self.entry.name:
            stated = f"this is always a {self.entry.name}; leave kind out"
            return diagnostics.wrong_key(node, "kind", step(at, "kind"), stated)
        return self.entry.read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        return self.entry.schema(kind=False)


class ObjectType(ValueType):
    """A mapping whose `kind` is an entry of a category; with `extra` it gives (object, values of those keys)."""

    def __init__(self, category: str, extra: Keys = MappingProxyType({})) -> None:
        self.category, self.extra = category, extra

    def words(self, python: bool = False) -> str:
        return f"a mapping with kind: and the arguments of a {self.category}"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def identifies(self, node: Node) -> bool:
        return "kind" in node.value

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        kind, known = node.value.get("kind"), table(self.category)
        if kind is not None and kind.is_text and kind.value in known:
            return known[kind.value].read(node, at, diagnostics, self.extra)
        if kind is None or not kind.is_text:
            got = '"kind" is missing' if kind is None else f"kind is {kind.shown()}"
            diagnostics.wrong(kind or node, at, f"{got}; a {self.category} is one of {', '.join(known)}")
        else:
            others = [f"that is a {other}; " for other in CATEGORIES if kind.value in table(other)]
            near = "".join(others[:1]) + suggestion(kind.value, known)
            diagnostics.wrong(kind, step(at, "kind"), f"{kind.shown()} is no kind of {self.category}; {near}")
        given = {key: one for key, (one, _) in self.extra.items() if node.get(key) is not None}
        rest = {key: one.read(node.value[key], step(at, key), diagnostics) for key, one in given.items()}
        return (INVALID, rest) if self.extra else INVALID

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.category.replace(' ', '_')}"}


def meanings(make: Callable[..., Any]) -> dict[str, str]:
    """Arguments and what a docstring says of them, those of base classes too."""
    return {name: text for names, text in entries(make) for name in names}


CATEGORIES = (
    *("body", "mesh", "joint", "shape", "normal law", "friction law", "environment", "force element", "motion"),
    *("connection", "controller", "path", "sensor", "filter"),
)
"""What `kind:` may be a kind of."""
_KNOWN: dict[str, dict[str, SchemaEntry]] = {category: {} for category in CATEGORIES}


IN_FILES.update({category: ObjectType(category) for category in CATEGORIES})


def register(category: str, entries: Iterable[SchemaEntry]) -> None:
    """Lets files use these entries where something of the category is wanted."""
    _KNOWN[category].update({entry.name: entry for entry in entries})


def table(category: str) -> dict[str, SchemaEntry]:
    """The entries of a category by name."""
    return _KNOWN[category]
