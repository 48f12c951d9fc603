"""Parallel robots as ready systems: a planar platform on legs, a platform on rails, a hexapod.

The dimensions are our own; Belda, Bohm & Valasek 2002 and Sika, Valasek, Bauma & Vampola 2002 print none.
"""

from __future__ import annotations

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import is_number, is_whole, shown
from ...describe.bodies.rigid import RigidBody
from ...describe.constraints.connections import Rod
from ...describe.joints.one_axis import Prismatic, Revolute
from ...describe.joints.several_axes import Free, Planar, Spherical, Universal
from ...describe.system import System

G = 9.81


@checked
def planar_robot(
    legs: int = 4, base: float = 0.6, platform: float = 0.1, upper: float = 0.35, lower: float = 0.35,
    masses: tuple[float, float, float] = (2.0, 0.5, 0.4),
) -> System:  # fmt: skip
    """A planar platform on legs of two links, the inner ones driven; of four drives one is redundant.

    legs            3 or more
    base            radius of the circle of the pivots in the world [m]
    platform        radius of that of the pivots on the platform [m]
    upper, lower    lengths of the links [m]
    masses          of the platform, of an upper and of a lower link [kg]

    Coordinates: "platform.x", "platform.y", "platform.angle", and of leg i "drive{i}", "elbow{i}", which a state has
    yet to close (`model.assemble`). No gravity: it lies flat.
    """
    _legs(legs, 3)
    _lengths(base=base, platform=platform, upper=upper, lower=lower)
    system = System(f"parallel robot with {legs} legs")
    corners = {f"corner{i}": tuple(platform * _corner(i, legs)) for i in range(legs)}
    turning = masses[0] * platform**2
    body = RigidBody("platform", masses[0], inertia=(0.5 * turning, 0.5 * turning, turning), frames=corners)
    system.add(body, joint=Planar("platform"))
    for i in range(legs):
        at = tuple(base * _corner(i, legs))
        system.add(_link(f"upper{i}", upper, masses[1]), joint=Revolute(f"drive{i}"), position=at)
        system.add(_link(f"lower{i}", lower, masses[2]), joint=Revolute(f"elbow{i}"), to=f"upper{i}.tip")
        system.connect(Revolute(f"pin{i}"), f"lower{i}.tip", f"platform.corner{i}")
    return system


@checked
def sliding_platform(
    legs: int = 3, radius: float = 0.5, length: float = 1.0, mass: float = 5.0, carriage: float = 1.0
) -> System:
    """A platform that does not turn, a point, on rods from carriages that slide on upright rails: a sliding delta.

    legs        3, or more for a redundant one
    radius      of the circle of the rails [m]
    length      of the rods, longer than the radius [m]; they have no mass
    mass        of the platform [kg]
    carriage    mass of a carriage [kg]

    Coordinates: "x", "y", "z" of the platform, 0 in the middle, and "slide{i}" along z. All zero is closed.
    """
    _legs(legs, 3)
    _lengths(radius=radius, length=length)
    if length <= radius:
        raise ModelError.at("length", f"got {length:g} m; give more than the radius of {radius:g} m")
    system = System(f"platform on {legs} rails", gravity=(0, 0, -G))
    system.add(RigidBody("along x", 0.0), joint=Prismatic("x", axis="x"))
    system.add(RigidBody("along y", 0.0), joint=Prismatic("y", axis="y"), to="along x.origin")
    system.add(RigidBody("platform", mass), joint=Prismatic("z", axis="z"), to="along y.origin")
    height = np.sqrt(length**2 - radius**2)
    for i in range(legs):
        at = tuple(radius * _corner(i, legs) + [0.0, 0.0, height])
        system.add(RigidBody(f"carriage{i}", carriage), joint=Prismatic(f"slide{i}", axis="z"), position=at)
        system.connect(Rod(f"rod{i}", length=length), f"carriage{i}.origin", "platform.origin")
    return system


@checked
def hexapod(
    base: float = 0.5, platform: float = 0.3, height: float = 0.6, apart: float = 0.35, mass: float = 20.0,
    inertia: tuple[float, float, float] = (0.5, 0.5, 0.9), leg_mass: float = 1.0,
) -> System:  # fmt: skip
    """A Stewart platform: a free platform on six legs, each a universal joint, a sliding joint "leg{i}" and, closed by
    `connect`, a spherical joint.

    base, platform    radii of the circles of the joints [m]
    height            of the platform above the base where all coordinates are zero; it is closed there [m]
    apart             half the angle between the joints of a pair [rad]
    mass, inertia     of the platform [kg, kg m^2]
    leg_mass          of each half of a leg [kg]

    Coordinates: "pose" of the platform, "gimbal{i}.a", "gimbal{i}.b" and "leg{i}". Frames: "platform.corner{i}".
    """
    _lengths(base=base, platform=platform, height=height)
    system = System("hexapod", gravity=(0, 0, -G))
    low, high = hexapod_joints(base, platform, apart)
    corners = {f"corner{i}": tuple(p) for i, p in enumerate(high)}
    system.add(
        RigidBody("platform", mass, inertia=inertia, frames=corners), joint=Free("pose"), position=(0, 0, height)
    )
    for i in range(6):
        along = high[i] + [0, 0, height] - low[i]
        half = 0.5 * float(np.linalg.norm(along))
        gimbal = Universal(f"gimbal{i}", axes=("y", "z"))
        system.add(
            _link(f"lower{i}", half, leg_mass), joint=gimbal, position=tuple(low[i]), rotation=_shortest_turn(along)
        )
        sliding = Prismatic(f"leg{i}", axis="x")
        system.add(_link(f"upper{i}", half, leg_mass, start=half), joint=sliding, to=f"lower{i}.origin")
        system.connect(Spherical(f"ball{i}"), f"upper{i}.tip", f"platform.corner{i}")
    return system


@checked
def hexapod_joints(base: float = 0.5, platform: float = 0.3, apart: float = 0.35) -> tuple[np.ndarray, np.ndarray]:
    """Joints of the legs of `hexapod` on the base and on the platform, in the platform's own axes, each (6, 3) [m]."""
    middle = 2.0 * np.pi * (np.arange(6) // 2) / 3.0
    side = np.where(np.arange(6) % 2, 1.0, -1.0)
    low, high = middle + side * apart, middle + side * (np.pi / 3.0 - apart)
    flat = np.zeros(6)
    return (
        base * np.column_stack([np.cos(low), np.sin(low), flat]),
        platform * np.column_stack([np.cos(high), np.sin(high), flat]),
    )


def _link(name: str, length: float, mass: float, start: float = 0.0) -> RigidBody:
    """A slender link along x from `start`, with a frame "tip" at its end."""
    across = mass * length**2 / 12.0
    tip = {"tip": (start + length, 0.0, 0.0)}
    return RigidBody(name, mass, (start + 0.5 * length, 0, 0), (1e-3 * across, across, across), frames=tip)


def _corner(i: int, legs: int) -> np.ndarray:
    angle = 2.0 * np.pi * (i + 0.5) / legs
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _shortest_turn(along: np.ndarray) -> np.ndarray:
    """The rotation that brings x to a direction by the shortest way."""
    x = along / np.linalg.norm(along)
    axis = np.cross([1.0, 0.0, 0.0], x)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + K + K @ K / (1.0 + x[0])


def _legs(legs: int, least: int) -> None:
    if not is_whole(legs) or legs < least:
        raise ModelError.at("legs", f"got {shown(legs)}; give {least} or more")


def _lengths(**given: float) -> None:
    for name, value in given.items():
        if not is_number(value) or not value > 0.0:
            raise ModelError.at(name, f"got {shown(value)}; give a positive length [m]")
