"""Words: what `kind:` may say in a file, which constructor of the library it stands for, and with which arguments.

Everything that a file can make is in the tables below and in `control_words`. A word is one line: its name, as Python
has it, where its constructor lives, and the kind of each argument. Which arguments must be given is read off the
constructor, and what they mean off its docstring. A name out of a file is looked up in these tables and nowhere else.
"""

from __future__ import annotations

import importlib
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from ..errors import ModelError
from ..values import suggestion
from .book import WRONG, Book, step
from .kinds import (
    Axis,
    ByName,
    Either,
    Flag,
    Kind,
    Listed,
    Maybe,
    Number,
    Numbers,
    Place,
    Read,
    Rotation,
    Text,
    Whole,
)
from .units import entries, units_of
from .yaml_reader import Node

UNFORESEEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a constructor may raise when it meets values that it was not written for."""


PLACED_UNITS = {"position": ("m",)}
"""Units of keys that stand beside those of a word."""


class Implied(Kind):
    """A kind with a value of its own where a file says nothing."""

    @abstractmethod
    def implied(self, book: Book) -> Any:
        """That value, or `WRONG` without a mistake where it is not known because of others."""


class Later(ABC):
    """A value that depends on the other arguments of the same word."""

    @abstractmethod
    def settle(self, values: dict[str, Any]) -> Any:
        """The value."""


class Word:
    """A constructor that files may use.

    name    as in Python: "Beam", "RigidBody.from_shape"
    home    its module under `jourdain`; "module:function" where the constructor has another name
    args    the kind of each argument
    slow    whether making it takes compiled kernels
    """

    def __init__(self, name: str, home: str, args: Mapping[str, Kind], *, slow: bool = False) -> None:
        self.name, self.home, self.args, self.slow = name, home, dict(args), slow

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
        return tuple(name for name in bare if not isinstance(self.args[name], Implied))

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

    def read(self, node: Node, at: str, book: Book, extra: Mapping[str, Kind] | None = None) -> Any:
        """What a mapping describes, and with `extra` the values of those further keys: (object, dict)."""
        extra = extra or {}
        known = {**self.args, **extra}
        values: dict[str, Any] = {}
        for key, one in node.value.items():
            where = step(at, key)
            if key == "kind":
                continue
            if key not in known:
                book.wrong_key(node, key, where, f'unknown key "{key}" of {self.name}; {suggestion(key, known)}')
                values[key] = WRONG
            elif one.value is None and key not in self.required:
                continue
            else:
                own = self.units.get(key) if key in self.args else PLACED_UNITS.get(key)
                with book.expecting(own or (), book.named):
                    values[key] = known[key].read(one, where, book)
        for key, one in self.args.items():
            if key not in values and isinstance(one, Implied):
                values[key] = one.implied(book)
        for key in self.required:
            if key not in values:
                meaning = self.meanings.get(key, "")
                why = f": {meaning}" if meaning else ""
                book.wrong(node, at, f'"{key}" is missing; {self.name} needs it{why}')
                values[key] = WRONG
        rest = {key: values.pop(key) for key in list(values) if key in extra}
        made: Any = WRONG
        if not any(value is WRONG for value in values.values()) and not (self.slow and book.quick):
            made = self._made(values, node, at, book)
        return (made, rest) if extra else made

    def _made(self, values: dict[str, Any], node: Node, at: str, book: Book) -> Any:
        try:
            values = {k: one.settle(values) if isinstance(one, Later) else one for k, one in values.items()}
            return self.make(**values)
        except ModelError as error:
            book.place(error.problems, node, at)
        except UNFORESEEN as error:
            book.wrong(node, at, f"{self.name} cannot be made of this: {error}")
        return WRONG

    def schema(self, extra: Mapping[str, Kind] | None = None, kind: bool = True) -> dict[str, Any]:
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


class Fixed(Kind):
    """A mapping that can only be one word, so that it needs no `kind`."""

    def __init__(self, word: Word, extra: Mapping[str, Kind] | None = None) -> None:
        self.word, self.extra = word, extra
        self.words = f"a mapping of {', '.join(list(word.args)[:4])} ..."

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, book: Book) -> Any:
        if node.get("kind") is not None and node.value["kind"].value == self.word.name:
            return self.word.read(node, at, book, self.extra)
        if "kind" in node.value:
            return book.wrong_key(node, "kind", step(at, "kind"), f"this is always a {self.word.name}; leave kind out")
        return self.word.read(node, at, book, self.extra)

    def schema(self) -> dict[str, Any]:
        return self.word.schema(self.extra, kind=False)


class Made(Kind):
    """A mapping whose `kind` is a word of a category; with `extra` it gives (object, values of those keys)."""

    def __init__(self, category: str, extra: Mapping[str, Kind] | None = None) -> None:
        self.category, self.extra = category, extra or {}
        self.words = f"a mapping with kind: and the arguments of a {category}"

    @property
    def table(self) -> dict[str, Word]:
        """The words of the category."""
        return table(self.category)

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, book: Book) -> Any:
        kind = node.value.get("kind")
        known = self.table
        if kind is None or not kind.is_text:
            got = '"kind" is missing' if kind is None else f"kind is {kind.shown()}"
            book.wrong(kind or node, at, f"{got}; a {self.category} is one of {', '.join(known)}")
            return self._nothing(node, at, book)
        if kind.value not in known:
            others = [other for other in CATEGORIES if kind.value in table(other)]
            hint = f"that is a {others[0]}; " if others else ""
            near = suggestion(kind.value, known)
            book.wrong(kind, step(at, "kind"), f"{kind.shown()} is no kind of {self.category}; {hint}{near}")
            return self._nothing(node, at, book)
        return known[kind.value].read(node, at, book, self.extra)

    def _nothing(self, node: Node, at: str, book: Book) -> Any:
        """No object, and the further keys as far as they can be read."""
        given = {key: one for key, one in self.extra.items() if node.get(key) is not None}
        rest = {key: one.read(node.value[key], step(at, key), book) for key, one in given.items()}
        return (WRONG, rest) if self.extra else WRONG

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.category.replace(' ', '_')}"}


def meanings(make: Callable[..., Any]) -> dict[str, str]:
    """Arguments and what a docstring says of them, those of base classes too."""
    return {name: text for names, text in entries(make) for name in names}


def _file(value: str, node: Node, at: str, book: Book) -> Any:
    return book.files.resolve(node, book.folder(node), at)


FILE = Read(Text(words="the name of a file beside this one"), _file)
"""The path of a file that is named, allowed to be read."""
NAME, NUMBER, ANGLE, FLAG = Text(), Number(), Number(angle=True), Flag()
VECTOR, ADDRESS = Numbers(3), Text(words='an address, such as "link1.tip"')
SECTION = Either(NUMBER, Numbers(depth=2))
PAIR = Numbers(2)

ONE_AXIS = (
    {"name": NAME, "axis": Axis()}
    | dict.fromkeys(("stiffness", "damping"), NUMBER)
    | {
        "rest": ANGLE,
        "friction": NUMBER,
        "limits": Numbers(2, angle=True),
        "limit_stiffness": NUMBER,
        "limit_damping": NUMBER,
        "friction_stiffness": NUMBER,
        "armature": NUMBER,
    }
)
GEARED = ("gear", "rotor_inertia", "stiffness", "damping", "friction", "torque_limit", "friction_stiffness")
DRIVE = Word("Drive", "drives", dict.fromkeys(GEARED, NUMBER))
MODES = Word("Modes", "bodies", dict.fromkeys(("bending", "bending_y", "bending_z", "axial", "torsion"), Whole(0, 100)))
ORBIT = Word("Orbit", "environment", dict.fromkeys(("altitude", "eccentricity", "mu", "radius", "J2"), NUMBER)
             | dict.fromkeys(("true_anomaly", "inclination", "argument_of_perigee"), ANGLE))  # fmt: skip
MATERIAL = Word("Material", "contact.materials", {"E": NUMBER, "nu": NUMBER})
AXIAL = {"name": NAME, "axis": Axis()}

JOINTS = [
    Word("Revolute", "joints", ONE_AXIS | {"drive": Fixed(DRIVE)}),
    Word("Prismatic", "joints", ONE_AXIS | {"rest": NUMBER, "limits": PAIR, "drive": Fixed(DRIVE)}),
    Word("Screw", "joints", ONE_AXIS | {"pitch": NUMBER, "drive": Fixed(DRIVE)}),
    Word("Rail", "joints", {k: v for k, v in ONE_AXIS.items() if k != "axis"} | {"rest": NUMBER, "limits": PAIR}),
    Word("Cylindrical", "joints", AXIAL),
    Word("Universal", "joints", {"name": NAME, "axes": Listed(Axis())}),
    Word("Spherical", "joints", {"name": NAME}),
    Word("Planar", "joints", {"name": NAME, "normal": Axis()}),
    Word("Free", "joints", {"name": NAME}),
    Word("Weld", "joints", {"name": NAME}),
]

ROUND = {"radius": NUMBER, "length": NUMBER}
SURFACE = {"vertices": Numbers(depth=2), "triangles": Read(Numbers(depth=2), lambda rows, *_: _corners(rows))}
IN_A_CELL = {"position": VECTOR, "rotation": Rotation()}
MEMBERS = Listed(Read(Made("shape", IN_A_CELL), lambda value, *_: _member(value)), least=1)
SHAPES = [
    Word("Sphere", "shapes", {"radius": NUMBER}),
    Word("Box", "shapes", {"lengths": VECTOR, "inside": FLAG}),
    Word("Cylinder", "shapes", ROUND | {"inside": FLAG}),
    Word("Cone", "shapes", ROUND | {"inside": FLAG}),
    Word("Capsule", "shapes", ROUND),
    Word("Plane", "shapes", {"normal": VECTOR, "offset": NUMBER}),
    Word("Edge", "shapes", {"n1": VECTOR, "n2": VECTOR}),
    Word("Mesh", "shapes", SURFACE),
    Word("Looks", "shapes", SURFACE),
    Word("Looks.from_file", "shapes", {"path": FILE, "scale": NUMBER}),
    Word("ConvexMesh", "shapes", SURFACE | {"inside": FLAG}),
    Word("Mesh.from_file", "shapes", {"path": FILE, "scale": NUMBER}),
    Word("ConvexMesh.from_file", "shapes", {"path": FILE, "scale": NUMBER}),
    Word("Cell", "formats.adapters:cell", {"members": MEMBERS}),
    Word("Cells", "shapes", {"members": MEMBERS}),
]


def _member(value: Any) -> Any:
    """A shape at its place in a Cell."""
    shape, place = value
    if shape is WRONG or any(one is WRONG for one in place.values()):
        return WRONG
    return shape.moved(place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


def _corners(rows: list[list[float]]) -> Any:
    """Triangles as whole numbers."""
    if any(not float(x).is_integer() for row in rows for x in row):
        raise ModelError.at("", "has numbers that are not whole; give the vertices' numbers, from 0")
    return [[int(x) for x in row] for row in rows]


def _placed(value: Any, node: Node, at: str, book: Book) -> Any:
    """A shape on a frame."""
    shape, place = value
    if shape is WRONG or any(one is WRONG for one in place.values()):
        return WRONG
    if "at" not in place:
        return book.wrong(node, at, 'the shape has no "at"; give the frame that it sits on, such as at: link1.tip')
    return shape.at(place["at"], place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


def _looks(value: Any, node: Node, at: str, book: Book) -> Any:
    """The shape of a body: at its origin where nothing else is said."""
    shape, place = value
    if shape is WRONG or any(one is WRONG for one in place.values()):
        return WRONG
    return shape.at(place.get("at", "origin"), place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


ON_A_FRAME = {"at": ADDRESS, "position": VECTOR, "rotation": Rotation()}
PLACED = Read(Made("shape", ON_A_FRAME), _placed)
LOOKS = Read(Made("shape", ON_A_FRAME), _looks)

RIGID = {"name": NAME, "mass": NUMBER, "com": VECTOR, "inertia": Numbers(), "frames": ByName(Place()), "shape": LOOKS}
BEAM = {
    "name": NAME,
    "length": NUMBER,
    "mass_per_length": SECTION,
    "EA": SECTION,
    "EI": Either(NUMBER, Listed(SECTION)),
    "GJ": SECTION,
    "modes": Fixed(MODES),
    "basis": NAME,
    "fidelity": NAME,
    "axial": NAME,
    "tip_rotation": NAME,
    "damping": Either(NUMBER, PAIR),
    "inertia_per_length": Either(NUMBER, Listed(Either(NUMBER, Numbers()))),
    "tip_mass": NUMBER,
    "frames": ByName(NUMBER),
    "rotary_inertia": FLAG,
}
DEPLOYABLE = {k: BEAM[k] for k in ("name", "modes", "basis", "damping", "tip_mass", "frames")} | {
    "length": PAIR,
    "EI": Either(NUMBER, PAIR),
    "deployment": NAME,
}
DEPLOYABLE |= dict.fromkeys(
    ("mass", "mass_per_length", "EA", "GJ", "inertia_per_length", "limit_stiffness", "limit_damping"), NUMBER
)
BODIES = [
    Word("RigidBody", "bodies", RIGID),
    Word(
        "RigidBody.from_shape",
        "bodies",
        {k: RIGID[k] for k in ("name", "shape", "frames", "mass")} | {"density": NUMBER},
    ),
    Word("Beam", "bodies", BEAM),
    Word("DeployableBeam", "bodies", DEPLOYABLE),
    Word("ReducedBody", "formats.adapters:reduced_body", {"name": NAME, "path": FILE}),
]

HERTZ = dict.fromkeys(("stiffness", "restitution", "slow_speed", "relaxation", "exponent"), NUMBER) | {
    "material": Listed(Fixed(MATERIAL)),
    "adhesive": FLAG,
}
NORMALS = [
    Word("HertzContact", "contact.normal", HERTZ),
    Word("HuntCrossleyContact", "contact.normal", HERTZ),
    Word("LankaraniNikraveshContact", "contact.normal", HERTZ),
    Word(
        "LinearContact",
        "contact.normal",
        dict.fromkeys(("stiffness", "damping", "relaxation"), NUMBER) | {"adhesive": FLAG},
    ),
]
STIFFNESS = Either(NUMBER, Read(Text(("rigid",)), lambda *_: math.inf))
NORMALS.append(
    Word(
        "VolumetricContact",
        "contact.volumetric",
        dict.fromkeys(("restitution", "slow_speed", "relaxation", "spin_factor"), NUMBER)
        | {
            "stiffness": Either(NUMBER, Listed(STIFFNESS)),
            "material": Listed(Maybe(Fixed(MATERIAL))),
            "depth": Either(NUMBER, PAIR),
            "hertz": FLAG,
            "contensou": Text(("ansatz", "integrated")),
            "parts": Whole(1, 10_000),
        },
    )
)
FRICTIONS = [
    Word(
        "BristleFriction",
        "contact.friction",
        dict.fromkeys(("static", "kinetic", "stiffness", "damping", "viscous", "stribeck", "dwell"), NUMBER),
    ),  # fmt: skip
    Word("CoulombFriction", "contact.friction", dict.fromkeys(("kinetic", "transition_speed"), NUMBER)),
]
ENVIRONMENTS = [ORBIT]

MOTIONS = [
    Word("Cycloid", "motions", {"to": ANGLE, "duration": NUMBER, "start": NUMBER}),
    Word("Sine", "motions", {"amplitude": ANGLE, "frequency": NUMBER, "phase": ANGLE, "offset": ANGLE}),
    Word("Polynomial", "motions", {"coefficients": Numbers(depth=1, angle=True)}),
    Word(
        "Table",
        "motions",
        {"times": Numbers(depth=1), "values": Numbers(depth=1, angle=True), "speeds": Numbers(2, angle=True)},
    ),
]

CONNECTIONS = [
    *(word for word in JOINTS if word.name not in ("Free", "Rail")),
    Word("Rod", "constraints.connections", {"name": NAME, "length": Either(NUMBER, Made("motion"))}),
    Word("Rolling", "constraints.connections", {"name": NAME, "radius": NUMBER, "axis": Axis()}),
    Word("NoSlip", "constraints.connections", {"name": NAME, "direction": Axis()}),
    Word(
        "Spring",
        "constraints.connections",
        {"name": NAME} | dict.fromkeys(("stiffness", "length", "damping", "force"), NUMBER),
    ),
]

TABLES: dict[str, list[Word]] = {
    "body": BODIES,
    "joint": JOINTS,
    "shape": SHAPES,
    "normal law": NORMALS,
    "friction law": FRICTIONS,
    "environment": ENVIRONMENTS,
    "motion": MOTIONS,
    "connection": CONNECTIONS,
}
CATEGORIES = (*TABLES, "controller", "path", "sensor", "filter")
"""What `kind:` may be a kind of."""


@cache
def table(category: str) -> dict[str, Word]:
    """The words of a category by name."""
    from .control_words import CONTROL_TABLES

    return {word.name: word for word in (*TABLES.get(category, ()), *CONTROL_TABLES.get(category, ()))}
