"""A skeleton of fifteen segments, ready by height and mass."""

from __future__ import annotations

import math

from ...basics.arguments import checked
from ...basics.types import VectorLike
from ...describe.bodies import RigidBody
from ...describe.joints import Free, Joint, Revolute, Spherical, Universal
from ...describe.shapes import Box, Cylinder
from ...describe.shapes.shape import Placed
from ...describe.system import System
from .segments import HEEL, Segment, Segments, segments

SIDES = {"l": 1.0, "r": -1.0}
"""The left is along y."""


@checked
def skeleton(
    height: float = 1.741,
    mass: float = 73.0,
    sex: str = "male",
    *,
    root: Joint | None = None,
    gravity: VectorLike = (0.0, 0.0, -9.81),
    name: str = "skeleton",
) -> System:
    """A standing body as a system of fifteen rigid segments, which goes on to be edited as any other.

    height, mass    [m], [kg]
    sex             "male" or "female": the people of the table (`segments`)
    root            joint that holds the pelvis, between the hips; None: ``Free("root")``
    gravity         [m/s^2]

    Axes are forward, left and up, the zero configuration is upright with hanging arms, the origin between the hips.
    Bodies are pelvis, thorax, head, and with _l and _r thigh, shank, foot, upper_arm, forearm, hand. Joints: lumbar,
    neck, hip and shoulder spherical; knee and elbow revolute, positive in flexion; ankle and wrist universal, about the
    left axis, then the forward one. Every segment has a frame "end" at its far joint; the foot has heel, toe and sole.
    """
    body = segments(height, mass, sex)
    system = System(name, gravity=gravity)
    system.add(trunk_part("pelvis", body, "end"), root if root is not None else Free("root"))
    system.add(trunk_part("thorax", body, "end"), Spherical("lumbar"), to="pelvis.end")
    system.add(trunk_part("head", body, "top"), Spherical("neck"), to="thorax.end")
    for side, way in SIDES.items():
        arm = (0.0, way * body.shoulders / 2, body.shoulder)
        leg = (0.0, way * body.hips / 2, 0.0)
        across = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
        system.add(limb("upper_arm", side, body), Spherical(f"shoulder_{side}"), to="thorax.origin", position=arm)
        elbow = Revolute(f"elbow_{side}", axis=(0.0, -1.0, 0.0))
        system.add(limb("forearm", side, body), elbow, to=f"upper_arm_{side}.end")
        system.add(limb("hand", side, body), Universal(f"wrist_{side}", axes=across), to=f"forearm_{side}.end")
        system.add(limb("thigh", side, body), Spherical(f"hip_{side}"), to="pelvis.origin", position=leg)
        knee = Revolute(f"knee_{side}", axis=(0.0, 1.0, 0.0))
        system.add(limb("shank", side, body), knee, to=f"thigh_{side}.end")
        system.add(foot(side, body), Universal(f"ankle_{side}", axes=across), to=f"shank_{side}.end")
    return system


def trunk_part(name: str, body: Segments, end: str) -> RigidBody:
    part = body.parts[name]
    frames = {end: (0.0, 0.0, part.length)}
    return RigidBody(name, part.mass, part.com, part.inertia, frames, drawn_segment(part, part.length / 2))


def limb(name: str, side: str, body: Segments) -> RigidBody:
    part = body.parts[name]
    frames = {"end": (0.0, 0.0, -part.length)}
    return RigidBody(f"{name}_{side}", part.mass, part.com, part.inertia, frames, drawn_segment(part, -part.length / 2))


def foot(side: str, body: Segments) -> RigidBody:
    part = body.parts["foot"]
    back, front = -HEEL * part.length, (1.0 - HEEL) * part.length
    frames = {"heel": (back, 0.0, -body.ankle), "toe": (front, 0.0, -body.ankle), "sole": (0.0, 0.0, -body.ankle)}
    block = Box((part.length, 0.35 * part.length, body.ankle)).at(
        "origin", (back + part.length / 2, 0, -body.ankle / 2)
    )
    return RigidBody(f"foot_{side}", part.mass, part.com, part.inertia, frames, block)


def drawn_segment(part: Segment, middle: float) -> Placed:
    """A cylinder of the segment's length, as thick as water of its mass."""
    radius = math.sqrt(part.mass / (1000.0 * math.pi * part.length))
    return Cylinder(radius, part.length).at("origin", position=(0.0, 0.0, middle))
