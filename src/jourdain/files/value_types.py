"""Kinds of values in a file: what each looks like, how it is read, and how an editor is told of it."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose, as_rotation
from ..basics.values import AXES, as_axis, suggestion
from . import units
from .diagnostics import WRONG, Diagnostics, step
from .yaml import Node

MANY = 100_000
"""Most entries of one list of numbers."""


class ValueType(ABC):
    """A kind of value.

    words    what to give, for messages: "a number"
    """

    words: str

    @abstractmethod
    def fits(self, node: Node) -> bool:
        """Whether a node looks like this kind, by its form alone."""

    @abstractmethod
    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """The value of a node that fits; `WRONG` where more is wrong, with the mistake in the book."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """JSON Schema."""

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """The value; `WRONG` where it is none, with the mistake in the book."""
        if not self.fits(node):
            return diagnostics.misfit(node, at, f"got {node.shown()}{_hint(node)}; give {self.words}")
        return self.take(node, at, diagnostics)


def _hint(node: Node) -> str:
    """Why a text that looks like a number, or a word for yes or no, is none."""
    if not node.is_text:
        return ""
    text = node.value.strip()
    if re.fullmatch(r"[-+]?\.?(inf|nan)", text, re.IGNORECASE) or re.fullmatch(r"[-+]?[0-9.]+[eE][+-]?[0-9]+", text):
        return ", which is not finite"
    if re.fullmatch(r"[-+]?0[0-9_.]+", text):
        return ", which has leading zeros"
    if re.fullmatch(r"[-+]?[0-9][0-9_,.]*[0-9]", text):
        return ", which is text"
    if text.lower() in ("yes", "no", "on", "off", "y", "n"):
        return ", which is text"
    return ""


class Number(ValueType):
    """A finite number in SI, or one with a unit, "80 Nm", where the book says which dimension is expected.

    angle    whether it may be an angle, "30 deg", also where the book does not say
    """

    def __init__(self, angle: bool = False) -> None:
        self.angle = angle
        self.words = 'a number, or such as "30 deg"' if angle else "a number"

    def fits(self, node: Node) -> bool:
        return node.is_number or (node.is_text and bool(units.QUANTITY.match(node.value.strip())))

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if not node.is_text:
            return float(node.value)
        try:
            value, unit, written = units.read(node.value)  # type: ignore[misc]
        except units.UnknownUnitError as error:
            return diagnostics.misfit(node, at, f"got {node.shown()}: {error}")
        allowed = diagnostics.expected or (("rad",) if self.angle else ())
        if not allowed:
            return diagnostics.misfit(node, at, f"got {node.shown()}; this has no unit: give {self.words}")
        if allowed != ANY and not units.fits(unit, allowed):
            wanted = " or ".join(dict.fromkeys(allowed))
            return diagnostics.misfit(
                node, at, f"got {node.shown()}; give it in {wanted}, or a number alone, which is SI"
            )
        if not math.isfinite(value):
            return diagnostics.misfit(node, at, f"got {node.shown()}, which is not finite; give {self.words}")
        if len(allowed) > 1 and diagnostics.named:
            diagnostics.measure(diagnostics.named, unit, node, at)
        return units.Measured(value, written, node.value.strip()) if allowed == ANY else value

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": PATTERN}]}


PATTERN = r"^\s*[-+]?[0-9.][0-9.eE+-]*\s*[A-Za-zµ°]"
ANY = ("any",)
"""In place of units: one that is checked later, and remembered."""


class Quantity(Number):
    """A number in SI, or one with any unit, which it remembers: its dimension is checked where that is known."""

    words = 'a number, or one with its unit, such as "30 deg" or "2 mm"'

    def __init__(self) -> None:
        super().__init__(angle=True)
        self.words = type(self).words

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        with diagnostics.expecting(ANY):
            return super().take(node, at, diagnostics)


class Whole(ValueType):
    """A whole number."""

    def __init__(self, low: int = 0, high: int = 2**53) -> None:
        self.low, self.high = low, high
        self.words = f"a whole number from {low} to {high}"

    def fits(self, node: Node) -> bool:
        return node.is_number and float(node.value).is_integer() and self.low <= node.value <= self.high

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> int:
        return int(node.value)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Flag(ValueType):
    """True or false."""

    words = "true or false"

    def fits(self, node: Node) -> bool:
        return isinstance(node.value, bool)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> bool:
        return bool(node.value)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Text(ValueType):
    """Text; with `choices` one of some words; with `refers` a name that must exist in the model."""

    def __init__(self, choices: Iterable[str] = (), refers: str = "", words: str = "text") -> None:
        self.choices, self.refers = tuple(choices), refers
        self.words = f"one of {', '.join(self.choices)}" if self.choices else words

    def fits(self, node: Node) -> bool:
        return node.is_text

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.is_number or isinstance(node.value, bool):
            return diagnostics.misfit(
                node, at, f"got {node.shown()}; give {self.words}, in quotes where it looks like a number"
            )
        return super().read(node, at, diagnostics)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if self.choices and node.value not in self.choices:
            return diagnostics.misfit(node, at, f"got {node.shown()}; {suggestion(node.value, self.choices)}")
        if self.refers:
            diagnostics.refer(self.refers, node.value, node, at)
        return node.value

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)} if self.choices else {"type": "string"}


class Numbers(ValueType):
    """Numbers in lists, of any depth up to three, all rows as long as the others; `size` fixes a plain list."""

    def __init__(self, size: int | None = None, depth: int | None = None, angle: bool = False) -> None:
        self.size = size
        self.depth = 1 if size is not None else depth
        self.number = Number(angle)
        self.words = f"a list of {size} numbers" if size is not None else "a list of numbers"
        if self.depth == 2:
            self.words = "a list of rows of numbers"

    def fits(self, node: Node) -> bool:
        return node.is_list

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.size > MANY:
            return diagnostics.misfit(node, at, f"has {node.size} entries; at most {MANY} are read")
        out = self._rows(node, at, diagnostics, 3)
        if out is WRONG:
            return WRONG
        try:
            shape = np.shape(np.array(out, dtype=np.float64))
        except ValueError:
            return diagnostics.misfit(node, at, f"has rows of different lengths; give {self.words}")
        if self.size is not None and shape != (self.size,):
            got = f"{shape[0]} numbers" if len(shape) == 1 else f"numbers of shape {shape}"
            return diagnostics.misfit(node, at, f"got {got}; give {self.words}")
        if self.depth is not None and len(shape) != self.depth:
            return diagnostics.misfit(node, at, f"got {len(shape)} levels of lists; give {self.words}")
        return out

    def _rows(self, node: Node, at: str, diagnostics: Diagnostics, depth: int) -> Any:
        if node.is_list and depth:
            rows = [self._rows(one, f"{at}[{i}]", diagnostics, depth - 1) for i, one in enumerate(node.value)]
            return WRONG if any(row is WRONG for row in rows) else rows
        return self.number.read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        if self.size is not None:
            return {"type": "array", "items": self.number.schema(), "minItems": self.size, "maxItems": self.size}
        return {"type": "array"}


class Axis(ValueType):
    """A direction: "x", "y", "z" or three numbers."""

    words = "x, y, z or three numbers"

    def fits(self, node: Node) -> bool:
        return node.is_text or node.is_list

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.is_text:
            if node.value not in AXES:
                return diagnostics.wrong(node, at, f"got {node.shown()}; give {self.words}")
            return node.value
        return Numbers(3).read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": list(AXES)}, Numbers(3).schema()]}


class Rotation(ValueType):
    """A rotation: a quaternion [w, x, y, z], three rows of three, or {axis: z, angle: 30 deg}."""

    words = "a quaternion [w, x, y, z], three rows of three numbers, or {axis: z, angle: 30 deg}"

    def fits(self, node: Node) -> bool:
        return node.is_list or (node.is_map and set(node.value) == {"axis", "angle"})

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        with diagnostics.expecting(("rad",)):
            return self._take(node, at, diagnostics)

    def _take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        try:
            if node.is_list:
                value = Numbers().read(node, at, diagnostics)
                if value is WRONG:
                    return WRONG
                if np.shape(value) not in ((4,), (3, 3)):
                    return diagnostics.wrong(node, at, f"got {len(node.value)} entries; give {self.words}")
                return as_rotation(value, at)
            axis = Axis().read(node.value["axis"], step(at, "axis"), diagnostics)
            angle = Number(angle=True).read(node.value["angle"], step(at, "angle"), diagnostics)
            if axis is WRONG or angle is WRONG:
                return WRONG
            u = np.asarray(as_axis(axis), float)
            length = float(np.linalg.norm(u))
            if not length > 0.0:
                return diagnostics.wrong(node.value["axis"], step(at, "axis"), "has no length; give a direction")
            half = 0.5 * angle
            return as_rotation(np.concatenate([[math.cos(half)], math.sin(half) * u / length]), at)
        except ModelError as error:
            return diagnostics.wrong(node, at, error.problems[0].message)

    def schema(self) -> dict[str, Any]:
        turn = {"axis": Axis().schema(), "angle": Number(angle=True).schema()}
        about = {"type": "object", "properties": turn, "required": list(turn), "additionalProperties": False}
        return {"anyOf": [{"type": "array", "minItems": 3, "maxItems": 4}, about]}


class Listed(ValueType):
    """A list of values of one kind; with `single` one value alone is a list of one."""

    def __init__(self, kind: ValueType, single: bool = False, least: int = 0) -> None:
        self.kind, self.single, self.least = kind, single, least
        self.words = f"a list, each {kind.words}"

    def fits(self, node: Node) -> bool:
        return node.is_list or (self.single and self.kind.fits(node))

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if not node.is_list:
            one = self.kind.read(node, at, diagnostics)
            return WRONG if one is WRONG else [one]
        if len(node.value) < self.least:
            return diagnostics.wrong(node, at, f"has {len(node.value)} entries; give {self.least} at least")
        found = [self.kind.read(one, step(at, i, one), diagnostics) for i, one in enumerate(node.value)]
        return WRONG if any(one is WRONG for one in found) else found

    def schema(self) -> dict[str, Any]:
        several = {"type": "array", "items": self.kind.schema()}
        return {"anyOf": [several, self.kind.schema()]} if self.single else several


class ByName(ValueType):
    """A mapping from names to values of one kind; with `refers` the names must exist in the model."""

    def __init__(self, kind: ValueType, refers: str = "", known: Iterable[str] = ()) -> None:
        self.kind, self.refers, self.known = kind, refers, tuple(known)
        self.words = f"a mapping from names, each to {kind.words}"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        out = {}
        for key, one in node.value.items():
            where = step(at, key)
            if self.known and key not in self.known:
                diagnostics.wrong_key(node, key, where, f'"{key}" is unknown; {suggestion(key, self.known)}')
                out[key] = WRONG
                continue
            if self.refers:
                line, column = node.places.get(key, (node.line, node.column))
                diagnostics.refer(self.refers, key, Node(key, node.file, line, column), where)
            with diagnostics.expecting(diagnostics.expected, key if self.refers else diagnostics.named):
                out[key] = self.kind.read(one, where, diagnostics)
        return WRONG if any(one is WRONG for one in out.values()) else out

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.kind.schema()}


class Maybe(ValueType):
    """A value that may be null."""

    def __init__(self, kind: ValueType) -> None:
        self.kind = kind
        self.words = f"{kind.words}, or null"

    def fits(self, node: Node) -> bool:
        return node.value is None or self.kind.fits(node)

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return None if node.value is None else self.kind.read(node, at, diagnostics)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return self.read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.kind.schema(), {"type": "null"}]}


class Either(ValueType):
    """The first of several kinds that a value looks like."""

    def __init__(self, *kinds: ValueType) -> None:
        self.kinds = kinds
        self.words = "; or ".join(kind.words for kind in kinds)

    def fits(self, node: Node) -> bool:
        return any(kind.fits(node) for kind in self.kinds)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return next(kind for kind in self.kinds if kind.fits(node)).read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


class Having(ValueType):
    """A kind that a value is of where it is a mapping with a certain key."""

    def __init__(self, key: str, kind: ValueType) -> None:
        self.key, self.kind, self.words = key, kind, kind.words

    def fits(self, node: Node) -> bool:
        return node.is_map and self.key in node.value

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return self.kind.read(node, at, diagnostics)

    def schema(self) -> dict[str, Any]:
        return self.kind.schema()


class Place(ValueType):
    """A pose: three numbers, or {position: [x, y, z], rotation: ...}."""

    words = "three numbers, or {position: [x, y, z], rotation: ...}"

    def __init__(self, bare: bool = True) -> None:
        self.bare = bare

    def fits(self, node: Node) -> bool:
        turned = node.is_map and bool(node.value) and set(node.value) <= {"position", "rotation"}
        return turned or (self.bare and node.is_list)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.is_list:
            with diagnostics.expecting(("m",)):
                return Numbers(3).read(node, at, diagnostics)
        position, rotation = (0.0, 0.0, 0.0), None
        if node.get("position") is not None:
            with diagnostics.expecting(("m",)):
                position = Numbers(3).read(node.value["position"], step(at, "position"), diagnostics)
        if node.get("rotation") is not None:
            rotation = Rotation().read(node.value["rotation"], step(at, "rotation"), diagnostics)
        return WRONG if position is WRONG or rotation is WRONG else Pose(position, rotation)

    def schema(self) -> dict[str, Any]:
        keys = {"position": Numbers(3).schema(), "rotation": Rotation().schema()}
        turned = {"type": "object", "properties": keys, "additionalProperties": False, "minProperties": 1}
        return {"anyOf": [turned, Numbers(3).schema()]} if self.bare else turned


class Read(ValueType):
    """A kind made of another by a function that turns its value into what is wanted, or raises a `ModelError`."""

    def __init__(self, kind: ValueType, turn: Callable[[Any, Node, str, Diagnostics], Any], words: str = "") -> None:
        self.kind, self.turn, self.words = kind, turn, words or kind.words

    def fits(self, node: Node) -> bool:
        return self.kind.fits(node)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        value = self.kind.read(node, at, diagnostics)
        if value is WRONG:
            return WRONG
        try:
            return self.turn(value, node, at, diagnostics)
        except ModelError as error:
            diagnostics.place(error.problems, node, at)
            return WRONG

    def schema(self) -> dict[str, Any]:
        return self.kind.schema()
