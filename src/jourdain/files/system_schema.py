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
from .diagnostics import WRONG, Diagnostics
from .schema_entry import FILE, READ_AS, ObjectType, SchemaEntry, SingleObjectType, register
from .value_types import ByName, Either, Flag, Listed, Maybe, Number, Numbers, Place, Read, Rotation, Text, Whole
from .yaml import Node

NAME, NUMBER, ANGLE, FLAG = Text(), Number(), Number(angle=True), Flag()
VECTOR, ADDRESS = Numbers(3), Text(words='an address, such as "link1.tip"')
PAIR = Numbers(2)

DRIVE = SchemaEntry("Drive", "describe.drives")
POSE_TABLE = SchemaEntry(
    "PoseTable",
    "describe.joints",
    {
        "grids": Listed(Numbers(), least=1),
        "position": Numbers(),
        "rotation": Numbers(),
        "compliance": Maybe(Numbers()),
    },
)
MODES = SchemaEntry("Modes", "describe.bodies")
ORBIT = SchemaEntry("Orbit", "describe.environment")
MATERIAL = SchemaEntry("Material", "describe.contact.materials")
PAINT = SchemaEntry("Paint", "describe.shapes", {"colour": Numbers(4)})
JOINTS = [SchemaEntry(one.__name__, "describe.joints") for one in joints.JOINTS.classes(kind_registry.JOINTS)]

SURFACE = {"vertices": Numbers(depth=2), "triangles": Read(Numbers(depth=2), lambda rows, *_: _corners(rows))}
PAINTED = {
    "paints": Listed(SingleObjectType(PAINT)),
    "painted": Read(Numbers(), lambda row, *_: _whole(row)),
    "uv": Numbers(depth=2),
}
IN_A_CELL = {"position": VECTOR, "rotation": Rotation()}
MEMBERS = Listed(Read(ObjectType("shape", IN_A_CELL), lambda value, *_: _member(value)), least=1)
SHAPES = [
    *(
        SchemaEntry(one.__name__, "describe.shapes")
        for one in shapes.SHAPES.classes(kind_registry.SHAPES)
        if one.in_files
    ),
    SchemaEntry("Mesh", "describe.shapes", SURFACE),
    SchemaEntry("Looks", "describe.shapes", SURFACE | PAINTED),
    SchemaEntry("Looks.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    SchemaEntry("ConvexMesh", "describe.shapes", SURFACE),
    SchemaEntry("Mesh.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    SchemaEntry("ConvexMesh.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    SchemaEntry("Cell", "files.adapters:cell", {"members": MEMBERS}),
    SchemaEntry("Cells", "describe.shapes", {"members": MEMBERS}),
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


def _placed(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """A shape on a frame."""
    shape, place = value
    if shape is WRONG or any(one is WRONG for one in place.values()):
        return WRONG
    if "at" not in place:
        return diagnostics.wrong(
            node, at, 'the shape has no "at"; give the frame that it sits on, such as at: link1.tip'
        )
    return shape.at(place["at"], place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


def _looks(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """The shape of a body: at its origin where nothing else is said."""
    shape, place = value
    if shape is WRONG or any(one is WRONG for one in place.values()):
        return WRONG
    return shape.at(place.get("at", "origin"), place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


ON_A_FRAME = {"at": ADDRESS, "position": VECTOR, "rotation": Rotation()}
PLACED = Read(ObjectType("shape", ON_A_FRAME), _placed)
LOOKS = Read(ObjectType("shape", ON_A_FRAME), _looks)

READ_AS.update(
    {
        Drive: SingleObjectType(DRIVE),
        Modes: SingleObjectType(MODES),
        PoseTable: SingleObjectType(POSE_TABLE),
        Material: SingleObjectType(MATERIAL),
        Pose: Place(),
        Placed: LOOKS,
        SolidMesh: ObjectType("mesh"),
        ShellMesh: ObjectType("mesh"),
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
    SchemaEntry(
        "block", "describe.solids.mesh_generators", {"lengths": VECTOR, "cells": COUNTS, "of": NAME, "start": VECTOR}
    ),
    SchemaEntry(
        "rectangle", "describe.solids.mesh_generators", {"lengths": PAIR, "cells": COUNTS, "of": NAME, "start": PAIR}
    ),
    SchemaEntry("disc", "describe.solids.mesh_generators", ROUND_MESH | {"towards": PAIR}),
    SchemaEntry("ball", "describe.solids.mesh_generators", ROUND_MESH | {"towards": VECTOR}),
    SchemaEntry("half_ball", "describe.solids.mesh_generators", ROUND_MESH),
    SchemaEntry("half_disc", "describe.solids.mesh_generators", ROUND_MESH),
    SchemaEntry("polygon", "describe.solids.mesh_generators", {"corners": Numbers(depth=2), "size": NUMBER}),
    SchemaEntry("read", "describe.solids.reading", {"path": FILE, "scale": NUMBER}),
    SchemaEntry(
        "sheet", "describe.shells.shell_mesh", {"lengths": PAIR, "cells": COUNTS} | dict.fromkeys(SHEET, VECTOR)
    ),
    SchemaEntry(
        "tube", "describe.shells.shell_mesh", {"radius": NUMBER, "length": NUMBER, "cells": COUNTS, "angle": NUMBER}
    ),
    SchemaEntry("grid", "describe.shells.shell_mesh", {"points": Numbers(depth=3)}),
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
    *(SchemaEntry(one.__name__, "describe.bodies") for one in bodies.BODIES.classes(kind_registry.BODIES)),
    SchemaEntry("RigidBody.from_shape", "describe.bodies", FROM_SHAPE),
    SchemaEntry("ReducedBody", "files.adapters:reduced_body", {"name": NAME, "path": FILE}),
    SchemaEntry("Plate", "describe.bodies", {"elements": COUNTS}),
    SchemaEntry("Shell", "describe.bodies", REGIONS),
    SchemaEntry("Membrane", "describe.bodies", REGIONS),
    SchemaEntry(
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
    *(SchemaEntry(name, "describe.contact.normal") for name in POINTWISE),
    SchemaEntry("MultiplierContact", "describe.contact.multipliers"),
    SchemaEntry(
        "VolumetricContact",
        "describe.contact.volumetric",
        {"stiffness": Either(NUMBER, Listed(STIFFNESS)), "material": Listed(Maybe(SingleObjectType(MATERIAL)))},
    ),
]
FRICTIONS = [
    SchemaEntry("BristleFriction", "describe.contact.friction"),
    SchemaEntry("CoulombFriction", "describe.contact.friction"),
]
ENVIRONMENTS = [ORBIT]
PROFILE = SchemaEntry("Profile", "describe.contact.wheel_rail")
ROLLING_PATCH = SchemaEntry("RollingPatch", "describe.contact.rolling")
ROAD = SchemaEntry("Road", "describe.contact.tyres")
READ_AS |= {
    Road: SingleObjectType(ROAD),
    Profile: SingleObjectType(PROFILE),
    RollingPatch: SingleObjectType(ROLLING_PATCH),
}
FORCE_ELEMENTS = [
    SchemaEntry("Electrodynamic", "describe.line_loads"),
    SchemaEntry("Wheelset", "describe.contact.wheel_rail"),
    SchemaEntry("Tyre", "describe.contact.tyres"),
]

MOTIONS = [SchemaEntry(name, "describe.motions") for name in ("Cycloid", "Sine", "Polynomial", "Table")]
CONNECTIONS = [
    *(
        SchemaEntry(one.__name__, "describe.joints")
        for one in joints.JOINTS.classes(kind_registry.JOINTS)
        if one.closes
    ),
    *(SchemaEntry(name, "describe.constraints.connections") for name in ("Rod", "Rolling", "NoSlip", "Spring")),
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
