"""Worksites of space robotics as shapes for volumetric contact: what goes in, and what it goes into.

Every function returns the shapes of two partners, each in axes of its own, placed so that the two frames coincide when
the task is done; put them on bodies with `shape.at(...)` and take masses with `RigidBody.from_shape`. Insertion is
along +z, but for the battery box, which goes in along +x as in Gonthier 2007, section 5.2.2. Dimensions are in metres;
the defaults are round numbers of the size that such hardware has, not those of any flight article, unless a source is
named.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..describe.shapes import Box, Cell, Cells, Cone, ConvexMesh, Cylinder, Plane, Shape, Sphere
from ..describe.shapes.polyhedra import hull

__all__ = ["BatteryBox", "Capture", "Docking", "PegInHole", "battery_box", "docking", "grapple", "peg_in_hole"]

FLIPPED = (0.0, 1.0, 0.0, 0.0)
"""Half a turn about x: what pointed up points down."""


@checked
class PegInHole(NamedTuple):
    """A peg and the block with its hole; frames at the bottom of the peg and of the hole, z out of the hole."""

    peg: Shape
    block: Shape


@checked
class BatteryBox(NamedTuple):
    """A box and the frame that takes it; frames in the middle of the box and of its place, x into the frame."""

    box: Shape
    worksite: Shape


@checked
class Capture(NamedTuple):
    """A grapple fixture, the fingers that close on its pin, and the funnel that guides it.

    fixture    frame at the foot of the pin, z along it
    fingers    each in the axes of its root hinge: z along the finger, x towards the pin, turned about y
    funnel     frame at its throat, z towards the fixture
    """

    fixture: Shape
    fingers: tuple[Shape, ...]
    funnel: Shape


@checked
class Docking(NamedTuple):
    """A probe and the drogue that takes it; frames at the tip of the seated probe, z out of the drogue."""

    probe: Shape
    drogue: Shape


def _sized(**lengths: float) -> None:
    for name, value in lengths.items():
        if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0.0):
            raise ModelError.at("worksites", f"{name} is {value!r}; give a length above 0 [m]")


@checked
def peg_in_hole(
    diameter: float = 0.02,
    clearance: float = 5e-5,
    depth: float = 0.04,
    length: float = 0.06,
    chamfer: float = 0.002,
    width: float = 0.08,
    square: bool = False,
) -> PegInHole:
    """A peg in a hole with a chamfer of 45 degrees.

    diameter     of the peg, or its width where it is square
    clearance    of the hole, diametral
    depth        of the hole, which goes through the block
    length       of the peg
    chamfer      of the hole's rim, its width and its depth
    width        of the block
    """
    _sized(diameter=diameter, clearance=clearance, depth=depth, length=length, chamfer=chamfer, width=width)
    bore = diameter + clearance
    if chamfer >= depth or bore + 2.0 * chamfer >= width:
        text = (
            f"chamfer {chamfer:g} m does not fit a hole {depth:g} m deep in a block {width:g} m wide; make it smaller"
        )
        raise ModelError.at("worksites.peg_in_hole", text)
    block = Box((width, width, depth)).moved((0, 0, 0.5 * depth))
    if not square:
        wide = 0.5 * bore + chamfer
        rim = Cone(wide, wide, inside=True).moved((0, 0, 0), FLIPPED).moved((0, 0, depth - 0.5 * wide))
        hole = Cylinder(0.5 * bore, 2.0 * depth, inside=True).moved((0, 0, 0.5 * depth))
        return PegInHole(_resting(Cylinder(0.5 * diameter, length), length), Cell(block, hole, rim))
    top = _frustum(bore, bore + 2.0 * chamfer, depth - chamfer, depth)
    hole = Box((bore, bore, 2.0 * depth), inside=True).moved((0, 0, 0.5 * depth))
    return PegInHole(
        _resting(Box((diameter, diameter, length)), length), Cell(block, hole, ConvexMesh(top, inside=True))
    )


def _resting(shape: Shape, length: float) -> Shape:
    """A shape along z, standing on its frame."""
    return Cells([shape.moved((0, 0, 0.5 * length))])


def _frustum(low: float, high: float, z0: float, z1: float) -> np.ndarray:
    """Corners of a square frustum: widths at two heights."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.5
    return np.array([(*(w * c), z) for w, z in ((low, z0), (high, z1)) for c in square])


@checked
def battery_box(
    size: tuple[float, float, float] = (0.4, 0.5, 0.3),
    clearance: float = 0.002,
    bevel: float = 0.02,
    depth: float = 0.06,
    lead_in: tuple[float, float] = (0.28, 0.13),
    wall: float = 0.02,
) -> BatteryBox:
    """A battery box and the frame that it is pushed into, along +x.

    size         of the box along x, y, z
    clearance    of the frame, from wall to wall, over the box
    bevel        of the box's leading edges, at 45 degrees
    depth        of the straight walls
    lead_in      length of the flared plates before the walls, along x, and how far they open sideways
    wall         thickness of walls and floor

    It stands in for the box of Gonthier 2007, section 5.2.2, whose drawing is lost: 100 kg, falling along +x at 1 m/s^2
    from (-0.35, 0, -0.095) m, turned by 2 degrees about y and then about x. As there, both are bodies of many cells:
    the box is cut in four, the frame is a floor, four walls and four flared plates. The plates stand 25 degrees off the
    way in. Blunt ones catch the box as it tips: with `depth=0.25, lead_in=(0.12, 0.13)`, 47 degrees, it does not go in.
    """
    a, b, c = size
    flare, opening = lead_in
    _sized(size_x=a, size_y=b, size_z=c, clearance=clearance, bevel=bevel, depth=depth, flare=flare, wall=wall)
    if bevel >= 0.5 * min(b, c) or depth > a:
        text = f"bevel {bevel:g} m or depth {depth:g} m does not fit a box of {a:g} x {b:g} x {c:g} m; make it smaller"
        raise ModelError.at("worksites.battery_box", text)
    partials = []
    for axis, half in ((1, 0.5 * b), (2, 0.5 * c)):
        for sign in (-1.0, 1.0):
            normal = (1.0, sign, 0.0) if axis == 1 else (1.0, 0.0, sign)
            partials.append(Plane(normal, (0.5 * a + half - bevel) / math.sqrt(2.0)))
    quarters = [
        Cell(Box(size), *partials, Plane((0, sy, 0)), Plane((0, 0, sz))) for sy in (-1.0, 1.0) for sz in (-1.0, 1.0)
    ]
    floor, mouth = 0.5 * a, 0.5 * a - depth
    y, z = 0.5 * (b + clearance), 0.5 * (c + clearance)
    parts = [Box((wall, 2 * (y + wall), 2 * (z + wall))).moved((floor + 0.5 * wall, 0, 0))]
    for sign in (-1.0, 1.0):
        parts.append(Box((depth, wall, 2 * (z + wall))).moved((floor - 0.5 * depth, sign * (y + 0.5 * wall), 0)))
        parts.append(Box((depth, 2 * y, wall)).moved((floor - 0.5 * depth, 0, sign * (z + 0.5 * wall))))
    solids: list = list(parts)
    for axis, half, across in ((1, y, z), (2, z, y)):
        for sign in (-1.0, 1.0):
            profile = [(mouth, half), (mouth, half + wall), (mouth - flare, half + opening)]
            profile.append((mouth - flare, half + opening + wall))
            corners = np.zeros((8, 3))
            for k, (x, h) in enumerate(profile):
                for j, side in enumerate((-across, across)):
                    corners[2 * k + j, [0, axis, 3 - axis]] = x, sign * h, side
            solids.append(ConvexMesh(corners))
    return BatteryBox(Cells(quarters), Cells(solids))


@checked
def grapple(
    pin: tuple[float, float] = (0.0127, 0.25),
    knob: float = 0.022,
    plate: tuple[float, float] = (0.17, 0.02),
    finger: tuple[float, float, float] = (0.03, 0.02, 0.2),
    hook: float = 0.03,
    mouth: float = 0.12,
    throat: float = 0.035,
    funnel: float = 0.1,
    segments: int = 12,
) -> Capture:
    """A grapple fixture with pin and knob, three fingers that close behind the knob, and a capture cone.

    pin         radius and length
    knob        radius of the ball at its end
    plate       radius and thickness of the plate at its foot
    finger      width, thickness and length of a finger
    hook        how far the end of a finger reaches inwards
    mouth       radius of the capture cone at its mouth
    throat      and at its throat
    funnel      its height
    segments    flat pieces that it is made of, at least 6
    """
    radius, length = pin
    _sized(pin=radius, pin_length=length, knob=knob, plate=plate[0], hook=hook, throat=throat, funnel=funnel)
    if not (throat > knob > radius and mouth > throat and segments >= 6):
        text = f"needs pin {radius:g} < knob {knob:g} < throat {throat:g} < mouth {mouth:g} [m] and 6 segments or more"
        raise ModelError.at("worksites.grapple", text)
    fixture = Cells(
        [
            Cylinder(plate[0], plate[1]).moved((0, 0, -0.5 * plate[1])),
            Cylinder(radius, length).moved((0, 0, 0.5 * length)),
            Sphere(knob).moved((0, 0, length)),
        ]
    )
    wide, thick, reach = finger
    one = Cells(
        [
            Box((thick, wide, reach)).moved((0, 0, 0.5 * reach)),
            Box((hook, wide, thick)).moved((0.5 * (thick + hook), 0, reach - 0.5 * thick)),
        ]
    )
    return Capture(fixture, (one, one, one), _ring(throat, mouth, funnel, thick, segments))


def _ring(low: float, high: float, height: float, wall: float, segments: int) -> Cells:
    """A conical shell of flat pieces: inner radius at either height, thickness outwards."""
    pieces = []
    turn = 2.0 * np.pi * np.arange(segments + 1) / segments
    for first, last in zip(turn[:-1], turn[1:], strict=True):
        corners = [
            ((r + w) * math.cos(angle), (r + w) * math.sin(angle), z)
            for r, z in ((low, 0.0), (high, height))
            for w in (0.0, wall)
            for angle in (first, last)
        ]
        solid = hull(np.array(corners))
        assert solid is not None
        pieces.append(ConvexMesh(solid.vertices))
    return Cells(pieces)


@checked
def docking(
    probe: tuple[float, float] = (0.03, 0.4),
    head: float = 0.045,
    mouth: float = 0.3,
    socket: tuple[float, float] = (0.046, 0.08),
    height: float = 0.25,
    width: float = 0.8,
) -> Docking:
    """A probe with a round head, and the drogue, a block with a conical mouth that ends in a cylindrical socket.

    probe     radius and length of its rod
    head      radius of the ball at its end
    mouth     radius of the cone at the face of the block
    socket    radius and depth
    height    of the block, mouth and socket together
    width     of the block
    """
    radius, length = probe
    _sized(probe=radius, length=length, head=head, mouth=mouth, socket=socket[0], depth=socket[1], height=height)
    if not (radius < head < socket[0] < mouth < 0.5 * width and socket[1] < height):
        text = (
            f"needs probe {radius:g} < head {head:g} < socket {socket[0]:g} < mouth {mouth:g} < half of {width:g} [m]"
        )
        raise ModelError.at("worksites.docking", text)
    rod = Cylinder(radius, length).moved((0, 0, head + 0.5 * length))
    reach = height - socket[1]
    apex = mouth * reach / (mouth - socket[0])
    cone = Cone(mouth, apex, inside=True).moved((0, 0, 0), FLIPPED).moved((0, 0, height - 0.5 * apex))
    hole = Cylinder(socket[0], height, inside=True).moved((0, 0, 0.5 * height))
    # a floor under the socket, so that the seated head rests on the frame's origin
    block = Box((width, width, height + 0.02)).moved((0, 0, 0.5 * height - 0.01))
    return Docking(Cells([Sphere(head).moved((0, 0, head)), rod]), Cell(block, hole, cone))
