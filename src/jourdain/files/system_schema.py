"""Schema entries of systems: bodies, joints, shapes, laws of contact, motions, connections."""

from __future__ import annotations

import math
from typing import Any

from ..basics.composite_types import IN_FILES, Converted, ListOf, MappingOf, Nullable, Union
from ..basics.value_types import (
    INVALID,
    Array,
    Boolean,
    FileName,
    Integer,
    Number,
    PoseType,
    Rotation,
    Text,
    ValueType,
)
from ..describe import bodies, joints, shapes
from ..kernels import kind_registry
from .diagnostics import Diagnostics
from .schema_entry import Keys, ObjectType, SchemaEntry, SingleObjectType, register
from .yaml import Node

NAME, NUMBER, ANGLE, FLAG, FILE = Text(), Number(), Number(angle=True), Boolean(), FileName()
VECTOR, PAIR, ROWS, ADDRESS = Array(3), Array(2), Array(depth=2), Text(names='an address, such as "link1.tip"')
DRIVE = SchemaEntry("Drive", "describe.drives")
POSE_TABLE = SchemaEntry("PoseTable", "describe.joints", {"grids": ListOf(Array(), least=1)})
MODES = SchemaEntry("Modes", "describe.bodies")
ORBIT = SchemaEntry("Orbit", "describe.environment")
MATERIAL = SchemaEntry("Material", "describe.contact.materials")
PAINT = SchemaEntry("Paint", "describe.shapes")
PROFILE = SchemaEntry("Profile", "describe.contact.wheel_rail")
ROLLING_PATCH = SchemaEntry("RollingPatch", "describe.contact.rolling")
ROAD = SchemaEntry("Road", "describe.contact.tyres")
FIXED = (DRIVE, POSE_TABLE, MODES, ORBIT, MATERIAL, PAINT, PROFILE, ROLLING_PATCH, ROAD)
"""Entries of classes that stand where nothing else can, so that files need not say their kind."""
IN_FILES.update({entry.name: SingleObjectType(entry) for entry in FIXED})
IN_FILES.update({"Pose": PoseType(), "Motion": ObjectType("motion")})
IN_FILES.update(dict.fromkeys(("SolidMesh", "ShellMesh"), ObjectType("mesh")))
JOINTS = [SchemaEntry(one.__name__, "describe.joints") for one in joints.JOINTS.classes(kind_registry.JOINTS)]
SURFACE: dict[str, ValueType] = {"vertices": ROWS, "triangles": ListOf(ListOf(Integer()))}
IN_A_CELL: Keys = {"position": (VECTOR, "of the shape in the cell [m]"), "rotation": (Rotation(), "of the shape there")}
MEMBERS = {"members": ListOf(Converted(ObjectType("shape", IN_A_CELL), lambda value, *_: _member(value)), least=1)}
SHAPES = [
    *(
        SchemaEntry(one.__name__, "describe.shapes")
        for one in shapes.SHAPES.classes(kind_registry.SHAPES)
        if one.in_files
    ),
    SchemaEntry("Mesh", "describe.shapes", SURFACE),
    SchemaEntry("Looks", "describe.shapes", SURFACE | {"painted": ListOf(Integer()), "uv": ROWS}),
    SchemaEntry("ConvexMesh", "describe.shapes", SURFACE),
    *(SchemaEntry(f"{name}.from_file", "describe.shapes", {"path": FILE}) for name in ("Looks", "Mesh", "ConvexMesh")),
    SchemaEntry("Cell", "files.adapters:cell", MEMBERS),
    SchemaEntry("Cells", "describe.shapes", MEMBERS),
]


def _member(value: Any) -> Any:
    """A shape at its place in a Cell."""
    shape, place = value
    if shape is INVALID or any(one is INVALID for one in place.values()):
        return INVALID
    return shape.moved(place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


def _placed(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """A shape on a frame."""
    shape, place = value
    if shape is INVALID or any(one is INVALID for one in place.values()):
        return INVALID
    if "at" not in place:
        return diagnostics.wrong(
            node, at, 'the shape has no "at"; give the frame that it sits on, such as at: link1.tip'
        )
    return shape.at(place["at"], place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


def _looks(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """The shape of a body: at its origin where nothing else is said."""
    shape, place = value
    if shape is INVALID or any(one is INVALID for one in place.values()):
        return INVALID
    return shape.at(place.get("at", "origin"), place.get("position", (0.0, 0.0, 0.0)), place.get("rotation"))


ON_A_FRAME: Keys = {
    "at": (ADDRESS, "address of the frame that the shape sits on; on a body the name of its frame"),
    "position": (VECTOR, "of the shape in that frame [m]"),
    "rotation": (Rotation(), "of the shape in that frame"),
}
PLACED = Converted(ObjectType("shape", ON_A_FRAME), _placed)
LOOKS = Converted(ObjectType("shape", ON_A_FRAME), _looks)
IN_FILES.update(dict.fromkeys(("Placed", "Shape | Placed"), LOOKS))
LAYERS: dict[str, ValueType] = {
    **{"cells": Integer(1, 500), "layers": Integer(1, 500)},
    "keep": Text(("radius", "volume")),
}
GENERATORS = "describe.solids.mesh_generators"
MESHES = [
    SchemaEntry("block", GENERATORS, dict.fromkeys(("lengths", "start"), VECTOR)),
    SchemaEntry("rectangle", GENERATORS, dict.fromkeys(("lengths", "start"), PAIR)),
    SchemaEntry("disc", GENERATORS, LAYERS | {"towards": PAIR}),
    SchemaEntry("ball", GENERATORS, LAYERS | {"towards": VECTOR}),
    *(SchemaEntry(name, GENERATORS, LAYERS) for name in ("half_ball", "half_disc")),
    SchemaEntry("polygon", GENERATORS, {"corners": ROWS}),
    SchemaEntry("read", "describe.solids.reading", {"path": FILE}),
    SchemaEntry(
        "sheet", "describe.shells.shell_mesh", {"lengths": PAIR} | dict.fromkeys(("start", "first", "second"), VECTOR)
    ),
    SchemaEntry("tube", "describe.shells.shell_mesh"),
    SchemaEntry("grid", "describe.shells.shell_mesh", {"points": Array(depth=3)}),
]


def _nodes(given: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """Numbers of nodes, or two corners of a box."""
    corners = bool(given) and isinstance(given[0], list)
    return given if corners else ListOf(Integer()).read(node, at, diagnostics)


NODES = MappingOf(Converted(Array(), _nodes))
BODIES = [
    *(SchemaEntry(one.__name__, "describe.bodies") for one in bodies.BODIES.classes(kind_registry.BODIES)),
    SchemaEntry("RigidBody.from_shape", "describe.bodies"),
    SchemaEntry("ReducedBody", "files.adapters:reduced_body", {"path": FILE}),
    *(SchemaEntry(name, "describe.bodies", {"regions": NODES}) for name in ("Shell", "Membrane")),
    SchemaEntry(
        "Solid", "describe.bodies", {"surfaces": NODES, "masters": Union(NAME, ListOf(Union(Integer(), NAME)))}
    ),
]
STIFFNESS = Union(NUMBER, Converted(Text(("rigid",)), lambda *_: math.inf))
POINTWISE = ("HertzContact", "HuntCrossleyContact", "LankaraniNikraveshContact", "LinearContact", "PressureContact")
NORMALS = [
    *(SchemaEntry(name, "describe.contact.normal") for name in POINTWISE),
    SchemaEntry("MultiplierContact", "describe.contact.multipliers"),
    SchemaEntry(
        "VolumetricContact",
        "describe.contact.volumetric",
        {
            "stiffness": Union(NUMBER, ListOf(STIFFNESS)),
            "material": ListOf(Nullable(SingleObjectType(MATERIAL))),
        },
    ),
]
FRICTIONS = [SchemaEntry(name, "describe.contact.friction") for name in ("BristleFriction", "CoulombFriction")]
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
register("body", BODIES)
register("mesh", MESHES)
register("joint", JOINTS)
register("shape", SHAPES)
register("normal law", NORMALS)
register("friction law", FRICTIONS)
register("environment", [ORBIT])
register("force element", FORCE_ELEMENTS)
register("motion", MOTIONS)
register("connection", CONNECTIONS)
