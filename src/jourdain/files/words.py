"""The words of systems: bodies, joints, shapes, laws of contact, motions, connections."""

from __future__ import annotations

import math
from typing import Any

from ..basics.errors import ModelError
from .book import WRONG, Book
from .kinds import Axis, ByName, Either, Flag, Listed, Maybe, Number, Numbers, Place, Read, Rotation, Text, Whole
from .word import FILE, Fixed, Made, Word, register
from .yaml import Node

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
DRIVE = Word("Drive", "describe.drives", dict.fromkeys(GEARED, NUMBER))
MODES = Word(
    "Modes", "describe.bodies", dict.fromkeys(("bending", "bending_y", "bending_z", "axial", "torsion"), Whole(0, 100))
)
ORBIT = Word("Orbit", "describe.environment", dict.fromkeys(("altitude", "eccentricity", "mu", "radius", "J2"), NUMBER)
             | dict.fromkeys(("true_anomaly", "inclination", "argument_of_perigee"), ANGLE))  # fmt: skip
MATERIAL = Word("Material", "describe.contact.materials", dict.fromkeys(("E", "nu", "density"), NUMBER))
AXIAL = {"name": NAME, "axis": Axis()}

JOINTS = [
    Word("Revolute", "describe.joints", ONE_AXIS | {"drive": Fixed(DRIVE)}),
    Word("Prismatic", "describe.joints", ONE_AXIS | {"rest": NUMBER, "limits": PAIR, "drive": Fixed(DRIVE)}),
    Word("Screw", "describe.joints", ONE_AXIS | {"pitch": NUMBER, "drive": Fixed(DRIVE)}),
    Word(
        "Rail", "describe.joints", {k: v for k, v in ONE_AXIS.items() if k != "axis"} | {"rest": NUMBER, "limits": PAIR}
    ),
    Word("Cylindrical", "describe.joints", AXIAL),
    Word("Universal", "describe.joints", {"name": NAME, "axes": Listed(Axis())}),
    Word("Spherical", "describe.joints", {"name": NAME}),
    Word("Planar", "describe.joints", {"name": NAME, "normal": Axis()}),
    Word("Free", "describe.joints", {"name": NAME}),
    Word("Weld", "describe.joints", {"name": NAME}),
]

ROUND = {"radius": NUMBER, "length": NUMBER}
SURFACE = {"vertices": Numbers(depth=2), "triangles": Read(Numbers(depth=2), lambda rows, *_: _corners(rows))}
IN_A_CELL = {"position": VECTOR, "rotation": Rotation()}
MEMBERS = Listed(Read(Made("shape", IN_A_CELL), lambda value, *_: _member(value)), least=1)
SHAPES = [
    Word("Sphere", "describe.shapes", {"radius": NUMBER}),
    Word("Point", "describe.shapes", {}),
    Word("Box", "describe.shapes", {"lengths": VECTOR, "inside": FLAG}),
    Word("Cylinder", "describe.shapes", ROUND | {"inside": FLAG}),
    Word("Cone", "describe.shapes", ROUND | {"inside": FLAG}),
    Word("Capsule", "describe.shapes", ROUND),
    Word("Plane", "describe.shapes", {"normal": VECTOR, "offset": NUMBER}),
    Word("Edge", "describe.shapes", {"n1": VECTOR, "n2": VECTOR}),
    Word("Mesh", "describe.shapes", SURFACE),
    Word("Looks", "describe.shapes", SURFACE),
    Word("Looks.from_file", "describe.shapes", {"path": FILE, "scale": NUMBER}),
    Word("ConvexMesh", "describe.shapes", SURFACE | {"inside": FLAG}),
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
COUNTS = Read(Numbers(), lambda row, *_: _counts(row))
ROUND_MESH = {"radius": NUMBER, "cells": Whole(1, 500), "layers": Whole(1, 500), "grade": NUMBER}
MESHES = [
    Word("block", "describe.solids.makers", {"lengths": VECTOR, "cells": COUNTS, "of": NAME, "start": VECTOR}),
    Word("rectangle", "describe.solids.makers", {"lengths": PAIR, "cells": COUNTS, "of": NAME, "start": PAIR}),
    Word("disc", "describe.solids.makers", ROUND_MESH | {"towards": PAIR}),
    Word("ball", "describe.solids.makers", ROUND_MESH | {"towards": VECTOR}),
    Word("half_ball", "describe.solids.makers", ROUND_MESH),
    Word("half_disc", "describe.solids.makers", ROUND_MESH),
    Word("polygon", "describe.solids.makers", {"corners": Numbers(depth=2), "size": NUMBER}),
    Word("read", "describe.solids.reading", {"path": FILE, "scale": NUMBER}),
]


def _counts(row: list[float]) -> list[int]:
    """Numbers of cells, which are whole."""
    if any(not float(x).is_integer() for x in row):
        raise ModelError.at("", "has numbers that are not whole; give how many cells there are along each side")
    return [int(x) for x in row]


def _nodes(given: Any) -> Any:
    """Numbers of nodes, or two corners of a box."""
    return given if given and isinstance(given[0], list) else _counts(given)


SOLID = {
    "name": NAME,
    "mesh": Made("mesh"),
    "material": Fixed(MATERIAL),
    "plane": Text(("stress", "strain", "axisymmetric")),
    "thickness": NUMBER,
    "element": Text(("auto", "linear", "bbar", "quadratic")),
    "modes": Whole(0, 300),
    "masters": Either(NAME, Listed(NAME)),
    "reference": NAME,
    "surfaces": ByName(Read(Numbers(), lambda given, *_: _nodes(given))),
    "frames": ByName(VECTOR),
    "damping": Either(NUMBER, PAIR),
    "inertia": Text(("full", "rotated", "constant")),
    "gyroscopic": FLAG,
}
BODIES = [
    Word("RigidBody", "describe.bodies", RIGID),
    Word(
        "RigidBody.from_shape",
        "describe.bodies",
        {k: RIGID[k] for k in ("name", "shape", "frames", "mass")} | {"density": NUMBER},
    ),
    Word("Beam", "describe.bodies", BEAM),
    Word("DeployableBeam", "describe.bodies", DEPLOYABLE),
    Word("ReducedBody", "files.adapters:reduced_body", {"name": NAME, "path": FILE}),
    Word("Solid", "describe.bodies", SOLID),
]

HERTZ = dict.fromkeys(("stiffness", "restitution", "slow_speed", "relaxation", "exponent"), NUMBER) | {
    "material": Listed(Fixed(MATERIAL)),
    "adhesive": FLAG,
}
NORMALS = [
    Word("HertzContact", "describe.contact.normal", HERTZ),
    Word("HuntCrossleyContact", "describe.contact.normal", HERTZ),
    Word("LankaraniNikraveshContact", "describe.contact.normal", HERTZ),
    Word(
        "LinearContact",
        "describe.contact.normal",
        dict.fromkeys(("stiffness", "damping", "relaxation"), NUMBER) | {"adhesive": FLAG},
    ),
]
NORMALS.append(Word("PressureContact", "describe.contact.normal", dict.fromkeys(("stiffness", "damping"), NUMBER)))
NORMALS.append(
    Word(
        "MultiplierContact",
        "describe.contact.multipliers",
        {
            "form": Text(("node", "mortar")),
            "passes": Whole(1, 2),
            "scheme": Text(("impulse", "acceleration")),
            "tolerance": NUMBER,
        },
    )
)
STIFFNESS = Either(NUMBER, Read(Text(("rigid",)), lambda *_: math.inf))
NORMALS.append(
    Word(
        "VolumetricContact",
        "describe.contact.volumetric",
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
        "describe.contact.friction",
        dict.fromkeys(("static", "kinetic", "stiffness", "damping", "viscous", "stribeck", "dwell"), NUMBER),
    ),  # fmt: skip
    Word(
        "CoulombFriction", "describe.contact.friction", dict.fromkeys(("kinetic", "transition_speed", "static"), NUMBER)
    ),
]
ENVIRONMENTS = [ORBIT]

MOTIONS = [
    Word("Cycloid", "describe.motions", {"to": ANGLE, "duration": NUMBER, "start": NUMBER}),
    Word("Sine", "describe.motions", {"amplitude": ANGLE, "frequency": NUMBER, "phase": ANGLE, "offset": ANGLE}),
    Word("Polynomial", "describe.motions", {"coefficients": Numbers(depth=1, angle=True)}),
    Word(
        "Table",
        "describe.motions",
        {"times": Numbers(depth=1), "values": Numbers(depth=1, angle=True), "speeds": Numbers(2, angle=True)},
    ),
]

CONNECTIONS = [
    *(word for word in JOINTS if word.name not in ("Free", "Rail")),
    Word("Rod", "describe.constraints.connections", {"name": NAME, "length": Either(NUMBER, Made("motion"))}),
    Word("Rolling", "describe.constraints.connections", {"name": NAME, "radius": NUMBER, "axis": Axis()}),
    Word("NoSlip", "describe.constraints.connections", {"name": NAME, "direction": Axis()}),
    Word(
        "Spring",
        "describe.constraints.connections",
        {"name": NAME} | dict.fromkeys(("stiffness", "length", "damping", "force"), NUMBER),
    ),
]

for _category, _rows in {
    "body": BODIES,
    "mesh": MESHES,
    "joint": JOINTS,
    "shape": SHAPES,
    "normal law": NORMALS,
    "friction law": FRICTIONS,
    "environment": ENVIRONMENTS,
    "motion": MOTIONS,
    "connection": CONNECTIONS,
}.items():
    register(_category, _rows)
