"""The words of systems: bodies, joints, shapes, laws of contact, motions, connections."""

from __future__ import annotations

import math
from typing import Any

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..describe import bodies, joints, shapes
from ..describe.bodies import Modes
from ..describe.contact.materials import Material
from ..describe.contact.rolling import RollingPatch
from ..describe.contact.tyres import Road
from ..describe.contact.wheel_rail import Profile
from ..describe.drives import Drive
from ..describe.joints import PoseTable
from ..describe.shapes import Placed
from ..describe.shells.shell_mesh import ShellMesh
from ..describe.solids.fe_mesh import SolidMesh
from ..kernels import kind_registry
from .diagnostics import WRONG, Book
from .schema_entry import FILE, READ_AS, Fixed, Made, Word, register
from .value_types import ByName, Either, Flag, Listed, Maybe, Number, Numbers, Place, Read, Rotation, Text, Whole
from .yaml import Node

NAME, NUMBER, ANGLE, FLAG = Text(), Number(), Number(angle=True), Flag()
VECTOR, ADDRESS = Numbers(3), Text(words='an address, such as "link1.tip"')
PAIR = Numbers(2)

DRIVE = Word("Drive", "describe.drives")
POSE_TABLE = Word(
    "PoseTable",
    "describe.joints",
    {
        "grids": Listed(Numbers(), least=1),
        "position": Numbers(),
        "rotation": Numbers(),
        "compliance": Maybe(Numbers()),
    },
)
MODES = Word("Modes", "describe.bodies")
ORBIT = Word("Orbit", "describe.environment")
MATERIAL = Word("Material", "describe.contact.materials")
PAINT = Word("Paint", "describe.shapes", {"colour": Numbers(4)})
JOINTS = [Word(one.__name__, "describe.joints") for one in joints.JOINTS.classes(kind_registry.JOINTS)]

SURFACE = {"vertices": Numbers(depth=2), "triangles": Read(Numbers(depth=2), lambda rows, *_: _corners(rows))}
PAINTED = {
    "paints": Listed(Fixed(PAINT)),
    "painted": Read(Numbers(), lambda row, *_: _whole(row)),
    "uv": Numbers(depth=2),
}
IN_A_CELL = {"position": VECTOR, "rotation": Rotation()}
MEMBERS = Listed(Read(Made("shape", IN_A_CELL), lambda value, *_: _member(value)), least=1)
SHAPES = [
    *(Word(one.__name__, "describe.shapes") for one in shapes.SHAPES.classes(kind_registry.SHAPES) if one.in_files),
    Word("Mesh", "describe.shapes", SURFACE),
    Word("Looks", "describe.shapes", SURFACE | PAINTED),
    Word("Looks.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    Word("ConvexMesh", "describe.shapes", SURFACE),
    Word("Mesh.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    Word("ConvexMesh.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    Word("Cell", "files.adapters:cell", {"members": MEMBERS}),
    Word("Cells", "describe.shapes", {"members": MEMBERS}),
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


def _whole(row: list[float]) -> list[int]:
    """Whole numbers."""
    if any(not float(x).is_integer() for x in row):
        raise ModelError.at("", "has numbers that are not whole; give the paints' numbers, from 0")
    return [int(x) for x in row]


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

READ_AS.update(
    {
        Drive: Fixed(DRIVE),
        Modes: Fixed(MODES),
        PoseTable: Fixed(POSE_TABLE),
        Material: Fixed(MATERIAL),
        Pose: Place(),
        Placed: LOOKS,
        SolidMesh: Made("mesh"),
        ShellMesh: Made("mesh"),
    }
)
FROM_SHAPE = {"name": NAME, "shape": LOOKS, "frames": ByName(Place()), "mass": NUMBER, "density": NUMBER}
COUNTS = Read(Numbers(), lambda row, *_: _counts(row))
ROUND_MESH = {
    **{"radius": NUMBER, "cells": Whole(1, 500), "layers": Whole(1, 500), "grade": NUMBER},
    "keep": Text(("radius", "volume")),
}
SHEET = ("start", "first", "second")
MESHES = [
    Word("block", "describe.solids.mesh_generators", {"lengths": VECTOR, "cells": COUNTS, "of": NAME, "start": VECTOR}),
    Word("rectangle", "describe.solids.mesh_generators", {"lengths": PAIR, "cells": COUNTS, "of": NAME, "start": PAIR}),
    Word("disc", "describe.solids.mesh_generators", ROUND_MESH | {"towards": PAIR}),
    Word("ball", "describe.solids.mesh_generators", ROUND_MESH | {"towards": VECTOR}),
    Word("half_ball", "describe.solids.mesh_generators", ROUND_MESH),
    Word("half_disc", "describe.solids.mesh_generators", ROUND_MESH),
    Word("polygon", "describe.solids.mesh_generators", {"corners": Numbers(depth=2), "size": NUMBER}),
    Word("read", "describe.solids.reading", {"path": FILE, "scale": NUMBER}),
    Word("sheet", "describe.shells.shell_mesh", {"lengths": PAIR, "cells": COUNTS} | dict.fromkeys(SHEET, VECTOR)),
    Word("tube", "describe.shells.shell_mesh", {"radius": NUMBER, "length": NUMBER, "cells": COUNTS, "angle": NUMBER}),
    Word("grid", "describe.shells.shell_mesh", {"points": Numbers(depth=3)}),
]


def _counts(row: list[float]) -> list[int]:
    """Numbers of cells, which are whole."""
    if any(not float(x).is_integer() for x in row):
        raise ModelError.at("", "has numbers that are not whole; give how many cells there are along each side")
    return [int(x) for x in row]


def _nodes(given: Any) -> Any:
    """Numbers of nodes, or two corners of a box."""
    return given if given and isinstance(given[0], list) else _counts(given)


REGIONS = {"regions": ByName(Read(Numbers(), lambda given, *_: _nodes(given)))}
BODIES = [
    *(Word(one.__name__, "describe.bodies") for one in bodies.BODIES.classes(kind_registry.BODIES)),
    Word("RigidBody.from_shape", "describe.bodies", FROM_SHAPE),
    Word("ReducedBody", "files.adapters:reduced_body", {"name": NAME, "path": FILE}),
    Word("Plate", "describe.bodies", {"elements": COUNTS}),
    Word("Shell", "describe.bodies", REGIONS),
    Word("Membrane", "describe.bodies", REGIONS),
    Word(
        "Solid",
        "describe.bodies",
        {
            "surfaces": ByName(Read(Numbers(), lambda given, *_: _nodes(given))),
            "masters": Either(NAME, Listed(Either(Whole(), NAME))),
        },
    ),
]

STIFFNESS = Either(NUMBER, Read(Text(("rigid",)), lambda *_: math.inf))
POINTWISE = ("HertzContact", "HuntCrossleyContact", "LankaraniNikraveshContact", "LinearContact", "PressureContact")
NORMALS = [
    *(Word(name, "describe.contact.normal") for name in POINTWISE),
    Word("MultiplierContact", "describe.contact.multipliers"),
    Word(
        "VolumetricContact",
        "describe.contact.volumetric",
        {"stiffness": Either(NUMBER, Listed(STIFFNESS)), "material": Listed(Maybe(Fixed(MATERIAL)))},
    ),
]
FRICTIONS = [
    Word("BristleFriction", "describe.contact.friction"),
    Word("CoulombFriction", "describe.contact.friction"),
]
ENVIRONMENTS = [ORBIT]
PROFILE = Word("Profile", "describe.contact.wheel_rail")
ROLLING_PATCH = Word("RollingPatch", "describe.contact.rolling")
ROAD = Word("Road", "describe.contact.tyres")
READ_AS |= {Road: Fixed(ROAD), Profile: Fixed(PROFILE), RollingPatch: Fixed(ROLLING_PATCH)}
FORCE_ELEMENTS = [
    Word("Electrodynamic", "describe.line_loads"),
    Word("Wheelset", "describe.contact.wheel_rail"),
    Word("Tyre", "describe.contact.tyres"),
]

MOTIONS = [Word(name, "describe.motions") for name in ("Cycloid", "Sine", "Polynomial", "Table")]
CONNECTIONS = [
    *(Word(one.__name__, "describe.joints") for one in joints.JOINTS.classes(kind_registry.JOINTS) if one.closes),
    *(Word(name, "describe.constraints.connections") for name in ("Rod", "Rolling", "NoSlip", "Spring")),
]

for _category, _rows in {
    "body": BODIES,
    "mesh": MESHES,
    "joint": JOINTS,
    "shape": SHAPES,
    "normal law": NORMALS,
    "friction law": FRICTIONS,
    "environment": ENVIRONMENTS,
    "force element": FORCE_ELEMENTS,
    "motion": MOTIONS,
    "connection": CONNECTIONS,
}.items():
    register(_category, _rows)
