"""Value types: what a value may be, said once for files, Python arguments, descriptions, JSON Schema and documentation.

A type follows from an annotation (`basics.annotations`), or stands in a table where the annotation says less. Each has
four sides: `accepts`, whether a Python value is one; `from_description`, the value that `to_dict` wrote; `read`, the
value at a node of a file, with units, and with the line and column of what is wrong; and `schema`, JSON Schema.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import units
from .errors import ModelError
from .pose import Pose, as_rotation
from .values import (
    AXES,
    as_axis,
    expect_text,
    is_list,
    is_number,
    is_numeric,
    is_real,
    is_whole,
    suggestion,
)

if TYPE_CHECKING:
    from ..files.diagnostics import Diagnostics
    from ..files.yaml import Node

MOST_NUMBERS = 100_000
"""Most entries of one list of numbers in a file."""
QUANTITY = r"^\s*[-+]?[0-9.][0-9.eE+-]*\s*[A-Za-zµ°]"
"""JSON Schema's pattern of a number with a unit."""
ANY_UNIT = ("any",)
"""In place of units: a number keeps the one that it has, which is checked later."""
Schema = dict[str, Any]


class _Invalid:
    """What stands for a value that could not be read; why is in the diagnostics."""

    def __repr__(self) -> str:
        return "INVALID"


INVALID = _Invalid()


def step(address: str, key: str | int, node: Node | None = None) -> str:
    """The address of a part: of an item of a list its name where it has one."""
    if isinstance(key, int):
        name = node.get("name") if node is not None else None
        if name is None or not name.is_text:
            return f"{address}[{key}]"
        key = name.value
    return f"{address}.{key}" if address else str(key)


def is_a(value: Any, name: str) -> bool:
    """Whether a value is of a class, which may not be loaded, by its name."""
    return any(base.__name__ == name for base in type(value).__mro__)


class ValueType:
    """A type of values; this one has them all."""

    def words(self, python: bool = False) -> str:
        """What to give, in a file or to a function: "a number"."""
        return "a value"

    def accepts(self, value: Any) -> bool:
        """Whether a Python value is of the type."""
        return True

    def from_description(self, data: Any, address: str) -> Any:
        """The value that a description has at an address; most are read as they are, for the constructor to judge."""
        return data

    def fits(self, node: Node) -> bool:
        """Whether a node of a file is of the type, by its form alone."""
        return True

    def identifies(self, node: Node) -> bool:
        """Whether a node that fits can hardly be meant as another of several types that it fits too."""
        return True

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """The value of a node that fits; `INVALID` where more is wrong."""
        return node.plain()

    def schema(self) -> Schema:
        """JSON Schema."""
        return {}

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """The value at a node; `INVALID` where it is none, and why is in the diagnostics."""
        if not self.fits(node):
            return diagnostics.misfit(node, at, f"got {node.shown()}{_hint(node)}; give {self.words()}")
        return self.take(node, at, diagnostics)


def _hint(node: Node) -> str:
    """Why a text that looks like a number, or like true and false, is none."""
    if not node.is_text:
        return ""
    text = node.value.strip()
    if re.fullmatch(r"[-+]?\.?(inf|nan)", text, re.IGNORECASE) or re.fullmatch(r"[-+]?[0-9.]+[eE][+-]?[0-9]+", text):
        return ", which is not finite"
    if re.fullmatch(r"[-+]?0[0-9_.]+", text):
        return ", which has leading zeros"
    if re.fullmatch(r"[-+]?[0-9][0-9_,.]*[0-9]", text) or text.lower() in ("yes", "no", "on", "off", "y", "n"):
        return ", which is text"
    return ""


@dataclass(frozen=True)
class PythonOnly(ValueType):
    """What only Python has: functions, complex numbers, mappings of anything."""

    test: Callable[[Any], bool]
    names: str

    def words(self, python: bool = False) -> str:
        return self.names

    def accepts(self, value: Any) -> bool:
        return self.test(value)

    def fits(self, node: Node) -> bool:
        raise TypeError(f"{self.names} cannot stand in a file; give the argument a value type")


@dataclass(frozen=True)
class Number(ValueType):
    """A finite number in SI; in a file one with a unit, "80 Nm", where the diagnostics say which are expected.

    angle      whether it may be an angle, "30 deg", also where no unit is expected
    any_unit   whether it keeps any unit that it has, whose dimension is checked where that is known
    """

    angle: bool = False
    any_unit: bool = False

    def words(self, python: bool = False) -> str:
        if python or not (self.angle or self.any_unit):
            return "a number"
        return "a number, or " + (
            'one with its unit, such as "30 deg" or "2 mm"' if self.any_unit else 'such as "30 deg"'
        )

    accepts = staticmethod(is_number)

    def fits(self, node: Node) -> bool:
        return node.is_number or (node.is_text and bool(units.QUANTITY.match(node.value.strip())))

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if not node.is_text:
            return float(node.value)
        try:
            value, unit, written = units.read(node.value)  # type: ignore[misc]
        except units.UnknownUnitError as error:
            return diagnostics.misfit(node, at, f"got {node.shown()}: {error}")
        allowed = ANY_UNIT if self.any_unit else diagnostics.expected or (("rad",) if self.angle else ())
        if not allowed:
            return diagnostics.misfit(node, at, f"got {node.shown()}; this has no unit: give {self.words()}")
        if allowed != ANY_UNIT and not units.fits(unit, allowed):
            stated = f"give it in {' or '.join(dict.fromkeys(allowed))}, or a number alone, which is SI"
            return diagnostics.misfit(node, at, f"got {node.shown()}; {stated}")
        if not math.isfinite(value):
            return diagnostics.misfit(node, at, f"got {node.shown()}, which is not finite; give {self.words()}")
        if len(allowed) > 1 and diagnostics.coordinate:
            diagnostics.measure(diagnostics.coordinate, unit, node, at)
        return units.Measured(value, written, node.value.strip()) if allowed == ANY_UNIT else value

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": QUANTITY}]}


@dataclass(frozen=True)
class Integer(ValueType):
    """A whole number."""

    low: int = 0
    high: int = 2**53

    def words(self, python: bool = False) -> str:
        return "a whole number" + ("" if python else f" from {self.low} to {self.high}")

    accepts = staticmethod(is_whole)

    def fits(self, node: Node) -> bool:
        return node.is_number and float(node.value).is_integer() and self.low <= node.value <= self.high

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> int:
        return int(node.value)

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Boolean(ValueType):
    """True or false."""

    def words(self, python: bool = False) -> str:
        return "True or False" if python else "true or false"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool | np.bool_)

    def fits(self, node: Node) -> bool:
        return isinstance(node.value, bool)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> bool:
        return bool(node.value)

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Text(ValueType):
    """Text.

    choices    what it may be, where that is not any text
    refers     what it is a name of, where that must exist in the model
    names      what to give, for messages
    """

    choices: tuple[str, ...] = ()
    refers: str = ""
    names: str = "text"

    def words(self, python: bool = False) -> str:
        if python:
            return " or ".join(f'"{one}"' for one in self.choices) or "text"
        return f"one of {', '.join(self.choices)}" if self.choices else self.names

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and (not self.choices or value in self.choices)

    def from_description(self, data: Any, address: str) -> Any:
        return expect_text(data, address)

    def fits(self, node: Node) -> bool:
        return node.is_text

    def read(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.is_number or isinstance(node.value, bool):
            stated = f"give {self.words()}, in quotes where it looks like a number"
            return diagnostics.misfit(node, at, f"got {node.shown()}; {stated}")
        return super().read(node, at, diagnostics)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if self.choices and node.value not in self.choices:
            return diagnostics.misfit(node, at, f"got {node.shown()}; {suggestion(node.value, self.choices)}")
        if self.refers:
            diagnostics.refer(self.refers, node.value, node, at)
        return node.value

    def schema(self) -> Schema:
        return {"enum": list(self.choices)} if self.choices else {"type": "string"}


class FileName(Text):
    """The name of a file beside the one that it stands in; its value is the path."""

    def words(self, python: bool = False) -> str:
        return "the name of a file" + ("" if python else " beside this one")

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        try:
            return diagnostics.files.resolve(node, diagnostics.folder(node), at)
        except ModelError as error:
            return diagnostics.place(error.problems, node, at)


@dataclass(frozen=True)
class Array(ValueType):
    """Numbers in lists, of any depth up to three, all rows as long as the others; `size` fixes a plain list."""

    size: int | None = None
    depth: int | None = None
    angle: bool = False

    def words(self, python: bool = False) -> str:
        if self.size is not None:
            return f"{'' if python else 'a list of '}{self.size} numbers"
        if python and self.depth is None:
            return "numbers"
        return "a list of rows of numbers" if self.depth == 2 else "a list of numbers"

    def accepts(self, value: Any) -> bool:
        if self.size is not None:
            return is_list(value) and is_numeric(value) and len(value) == self.size
        return is_real(value) if self.depth is None else is_list(value) and is_real(value)

    def fits(self, node: Node) -> bool:
        return node.is_list

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if node.size > MOST_NUMBERS:
            return diagnostics.misfit(node, at, f"has {node.size} entries; at most {MOST_NUMBERS} are read")
        out = self._rows(node, at, diagnostics, 3)
        if out is INVALID:
            return INVALID
        try:
            shape = np.shape(np.array(out, dtype=np.float64))
        except ValueError:
            return diagnostics.misfit(node, at, f"has rows of different lengths; give {self.words()}")
        if self.size is not None and shape != (self.size,):
            got = f"{shape[0]} numbers" if len(shape) == 1 else f"numbers of shape {shape}"
            return diagnostics.misfit(node, at, f"got {got}; give {self.words()}")
        if self.depth is not None and len(shape) != self.depth:
            return diagnostics.misfit(node, at, f"got {len(shape)} levels of lists; give {self.words()}")
        return out

    def _rows(self, node: Node, at: str, diagnostics: Diagnostics, depth: int) -> Any:
        if node.is_list and depth:
            rows = [self._rows(one, f"{at}[{i}]", diagnostics, depth - 1) for i, one in enumerate(node.value)]
            return INVALID if any(row is INVALID for row in rows) else rows
        return Number(self.angle).read(node, at, diagnostics)

    def schema(self) -> Schema:
        if self.size is None:
            return {"type": "array"}
        return {"type": "array", "items": Number().schema(), "minItems": self.size, "maxItems": self.size}


class Axis(ValueType):
    """A direction: "x", "y", "z" or three numbers."""

    def words(self, python: bool = False) -> str:
        return '"x" or "y" or "z" or numbers' if python else "x, y, z or three numbers"

    def accepts(self, value: Any) -> bool:
        return (isinstance(value, str) and value in AXES) or is_real(value)

    def fits(self, node: Node) -> bool:
        return node.is_text or node.is_list

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        if not node.is_text:
            return Array(3).read(node, at, diagnostics)
        if node.value in AXES:
            return node.value
        return diagnostics.wrong(node, at, f"got {node.shown()}; give {self.words()}")

    def schema(self) -> Schema:
        return {"anyOf": [{"enum": list(AXES)}, Array(3).schema()]}


class Rotation(ValueType):
    """A rotation: a quaternion [w, x, y, z], three rows of three, or {axis: z, angle: 30 deg}."""

    def words(self, python: bool = False) -> str:
        if python:
            return "numbers or a Rotation"
        return "a quaternion [w, x, y, z], three rows of three numbers, or {axis: z, angle: 30 deg}"

    def accepts(self, value: Any) -> bool:
        return is_real(value) or is_a(value, "Rotation")

    def fits(self, node: Node) -> bool:
        return node.is_list or (node.is_map and set(node.value) == {"axis", "angle"})

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        with diagnostics.expecting(("rad",)):
            value = self._numbers(node, at, diagnostics)
        try:
            return INVALID if value is INVALID else as_rotation(value, at)
        except ModelError as error:
            return diagnostics.wrong(node, at, error.problems[0].message)

    def _numbers(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        """A quaternion or a matrix."""
        if node.is_list:
            value = Array().read(node, at, diagnostics)
            if value is not INVALID and np.shape(value) not in ((4,), (3, 3)):
                return diagnostics.wrong(node, at, f"got {len(node.value)} entries; give {self.words()}")
            return value
        axis = Axis().read(node.value["axis"], step(at, "axis"), diagnostics)
        angle = Number(angle=True).read(node.value["angle"], step(at, "angle"), diagnostics)
        if axis is INVALID or angle is INVALID:
            return INVALID
        u = np.asarray(as_axis(axis), float)
        length = float(np.linalg.norm(u))
        if not length > 0.0:
            return diagnostics.wrong(node.value["axis"], step(at, "axis"), "has no length; give a direction")
        half = 0.5 * angle
        return np.concatenate([[math.cos(half)], math.sin(half) * u / length])

    def schema(self) -> Schema:
        turn = {"axis": Axis().schema(), "angle": Number(angle=True).schema()}
        about = {"type": "object", "properties": turn, "required": list(turn), "additionalProperties": False}
        return {"anyOf": [{"type": "array", "minItems": 3, "maxItems": 4}, about]}


@dataclass(frozen=True)
class PoseType(ValueType):
    """A pose: {position: [x, y, z], rotation: ...}, and where it may be `bare` three numbers alone."""

    bare: bool = True

    def words(self, python: bool = False) -> str:
        return "numbers or a Pose" if python else "three numbers, or {position: [x, y, z], rotation: ...}"

    def accepts(self, value: Any) -> bool:
        return is_real(value) or isinstance(value, Pose)

    def from_description(self, data: Any, address: str) -> Any:
        return Pose.from_dict(data, address)

    def fits(self, node: Node) -> bool:
        turned = node.is_map and bool(node.value) and set(node.value) <= {"position", "rotation"}
        return turned or (self.bare and node.is_list)

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        parts = {"position": node} if node.is_list else node.value
        position, rotation = (0.0, 0.0, 0.0), None
        if "position" in parts and parts["position"].value is not None:
            with diagnostics.expecting(("m",)):
                where = at if node.is_list else step(at, "position")
                position = Array(3).read(parts["position"], where, diagnostics)
        if node.get("rotation") is not None:
            rotation = Rotation().read(node.value["rotation"], step(at, "rotation"), diagnostics)
        if node.is_list:
            return position
        return INVALID if position is INVALID or rotation is INVALID else Pose(position, rotation)

    def schema(self) -> Schema:
        keys = {"position": Array(3).schema(), "rotation": Rotation().schema()}
        turned = {"type": "object", "properties": keys, "additionalProperties": False, "minProperties": 1}
        return {"anyOf": [turned, Array(3).schema()]} if self.bare else turned
