"""What is flown in every lesson: a craft in orbit with an arm of two flexible booms, and a satellite that floats free.

Axes of craft, arm and satellite: x ahead, z up (away from the Earth), y to the left. The arm has six joints; its hand
takes the satellite by a grapple of six struts, which closes where the pilot pulls the trigger within the envelope,
draws the two together and holds. A second one, of the same kind, berths the satellite on the craft's cradle.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..basics.pose import Pose
from ..describe.bodies import Beam, Modes, RigidBody
from ..describe.constraints.connections import Spring
from ..describe.contact.normal import LinearContact
from ..describe.environment import Orbit
from ..describe.joints import Free, Revolute
from ..describe.shapes import Box, Cells, Cone, Cylinder, Sphere
from ..describe.system import System

if TYPE_CHECKING:
    from ..control.hand_controller import HandController
    from ..model.model import Model
    from ..model.state import State

JOINTS = ("shoulder_yaw", "shoulder_pitch", "elbow", "wrist_pitch", "wrist_yaw", "wrist_roll")
TURNED = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""From the craft's axes to those of the orbit: x ahead along the orbit, z outward."""
STEP = 1e-3
"""Of the model, and period of its digital controller [s]."""
PERIOD = 0.02
"""Of the pilot's commands [s]."""
RADIUS, DEPTH = 0.3, 0.4
"""Of the rings that the struts of a grapple end on, and from the one to the other [m]."""
GRAPPLES = {
    "grapple": ("hand.tip", "target.fixture"),
    "lock": ("hand.tip", "target.fixture"),
    "berth": ("craft.cradle", "target.port"),
}
"""What each of them joins: the frames that come together. A lock is a grapple that has been drawn tight."""
STRUTS = {"grapple": (800.0, 300.0), "lock": (1.0e5, 3000.0), "berth": (800.0, 300.0)}
"""Stiffness and damping of each strut [N/m, N s/m]."""
RINGS = {"grapple": "grapple", "lock": "grapple", "berth": "berth"}
"""Beginning of the names of the frames on the rings of each."""
CONTACTS = ("hand", "wrist", "hull", "cradle")
BOOM = {"length": 3.0, "mass_per_length": 9.0, "EA": 5.0e7, "EI": 9.0e4, "GJ": 7.0e4, "damping": 0.01}


def struts(name: str) -> list[str]:
    """Names of the six struts of a grapple."""
    return [f"{name}{i}" for i in range(1, 7)]


def ring(behind: float, first: float) -> list[np.ndarray]:
    """Three points of a ring around x, `behind` the frame that it belongs to, the first at an angle [rad]."""
    angles = first + 2.0 * np.pi / 3.0 * np.arange(3)
    return [np.array([-behind, RADIUS * np.cos(a), RADIUS * np.sin(a)]) for a in angles]


def ends() -> list[tuple[int, int]]:
    """Of each strut: which point of the first ring and which of the second it joins; they are 60 degrees apart."""
    return [(i, j % 3) for i in range(3) for j in (i, i + 2)]


def strut_length() -> float:
    """Free length of the struts: where the two frames are one [m]."""
    first, second = ring(DEPTH, 0.0), ring(0.0, np.pi / 3.0)
    i, j = ends()[0]
    return float(np.linalg.norm(second[j] - first[i]))


def _grapple_frames(name: str, pose: Pose, behind: float, first: float) -> dict[str, Pose]:
    return {f"{name}{i}": pose @ Pose(point) for i, point in enumerate(ring(behind, first), 1)}


def _turn(axis: str) -> np.ndarray:
    """Rotation by a right angle about x or y."""
    return np.array({"x": [[1, 0, 0], [0, 0, -1], [0, 1, 0]], "y": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]}[axis], float)


DOWN = _turn("y")
"""A frame whose x looks down."""


def system(closed: tuple[str, ...] = ()) -> System:
    """The craft, its arm and the satellite, with these grapples closed."""
    all_of = System("capture trainer", environment=Orbit(altitude=400e3))
    _add_craft(all_of)
    _add_arm(all_of)
    _add_target(all_of)
    for name, (first, second) in GRAPPLES.items():
        for strut, (i, j) in zip(struts(name), ends(), strict=True):
            stiffness, damping = STRUTS[name]
            spring = Spring(strut, stiffness=stiffness, damping=damping, length=strut_length())
            a, b = (f"{address.partition('.')[0]}.{RINGS[name]}" for address in (first, second))
            all_of.connect(spring, f"{a}{i + 1}", f"{b}{j + 1}", active=name in closed)
    bumper = LinearContact(stiffness=2.0e4, damping=300.0)
    body = Box((1.6, 1.6, 1.6)).at  # a place of its own for each contact
    all_of.contact("hand", Sphere(0.12).at("hand.tip", position=(-0.12, 0, 0)), body("target.origin"), normal=bumper)
    all_of.contact("wrist", Sphere(0.16).at("wrist.origin"), body("target.origin"), normal=bumper)
    all_of.contact("hull", Sphere(0.9).at("target.origin"), Box((2.6, 1.8, 1.8)).at("craft.origin"), normal=bumper)
    all_of.contact("cradle", Sphere(0.1).at("craft.cradle", position=(0.2, 0, 0)), body("target.origin"), normal=bumper)
    return all_of


def _add_craft(all_of: System) -> None:
    cradle = Pose((4.9, 0.0, 0.2), DOWN)
    panels = [Box((1.4, 4.0, 0.04)).moved((-0.4, side * 3.1, 0.0)) for side in (1.0, -1.0)]
    struts_of = [Box((0.1, 0.2, 0.1)).moved((-0.4, side * 1.0, 0.0)) for side in (1.0, -1.0)]
    outrigger = Box((3.8, 0.24, 0.16)).moved((3.2, 0.0, -0.1))
    saddle = Box((0.6, 0.6, 0.08)).moved((4.9, 0.0, 0.02))
    engine = Cone(0.55, 0.7).moved((-1.65, 0.0, 0.0), _turn("y"))
    craft = RigidBody(
        "craft", mass=1600.0, com=(0.05, 0.0, 0.0), inertia=(1300.0, 1600.0, 2300.0),
        shape=Cells([Box((2.6, 1.8, 1.8)), *panels, *struts_of, outrigger, saddle, engine]),
        frames={"mount": (0.6, 0.0, 0.9), "cradle": cradle, "nose": (1.3, 0.0, 1.2)}
        | _grapple_frames("berth", cradle, DEPTH, 0.0),
    )  # fmt: skip
    all_of.add(craft, joint=Free("craft"), rotation=TURNED)


def _add_arm(all_of: System) -> None:
    base = RigidBody.from_shape("shoulder", Cylinder(0.16, 0.4), mass=25.0, frames={"out": (0.0, 0.0, 0.2)})
    all_of.add(base, joint=Revolute("shoulder_yaw", axis="z"), to="craft.mount", position=(0.0, 0.0, 0.2))
    modes = Modes(bending_y=1, bending_z=1)
    all_of.add(Beam("upper", **BOOM, modes=modes), joint=Revolute("shoulder_pitch", axis="y"), to="shoulder.out")
    all_of.add(Beam("fore", **BOOM, modes=modes), joint=Revolute("elbow", axis="y"), to="upper.tip")
    across = Cylinder(0.11, 0.3).at("origin", rotation=_turn("x"))
    wrist = RigidBody.from_shape("wrist", across, mass=12.0, frames={"out": (0.25, 0.0, 0.0)})
    all_of.add(wrist, joint=Revolute("wrist_pitch", axis="y"), to="fore.tip")
    knuckle = RigidBody.from_shape("knuckle", Cylinder(0.1, 0.28), mass=12.0, frames={"out": (0.2, 0.0, 0.0)})
    all_of.add(knuckle, joint=Revolute("wrist_yaw", axis="z"), to="wrist.out")
    tip = Pose((0.6, 0.0, 0.0))
    dip = np.radians(15.0)  # the camera looks down to where the hand goes
    down = np.array([[np.cos(dip), 0.0, np.sin(dip)], [0.0, 1.0, 0.0], [-np.sin(dip), 0.0, np.cos(dip)]])
    camera = Pose((0.48, 0.0, 0.25), down)
    hand = RigidBody(
        "hand", mass=22.0, com=(0.3, 0.0, 0.0), inertia=(0.4, 1.1, 1.1),
        shape=Cylinder(0.13, 0.6).at("origin", (0.3, 0.0, 0.0), _turn("y")),
        frames={"tip": tip, "camera": camera} | _grapple_frames("grapple", tip, DEPTH, 0.0),
    )  # fmt: skip
    all_of.add(hand, joint=Revolute("wrist_roll", axis="x"), to="knuckle.out")


def _add_target(all_of: System) -> None:
    fixture, port = Pose((-1.05, 0.0, 0.0)), Pose((0.0, 0.0, -0.9), DOWN)
    wings = [Box((0.04, 2.6, 1.2)).moved((0.2, side * 2.2, 0.0)) for side in (1.0, -1.0)]
    pin = Cylinder(0.04, 0.22).moved((-0.94, 0.0, 0.0), _turn("y"))
    plate = Cylinder(0.34, 0.03).moved((-0.815, 0.0, 0.0), _turn("y"))
    foot = Cylinder(0.3, 0.1).moved((0.0, 0.0, -0.85))
    target = RigidBody(
        "target", mass=700.0, inertia=(420.0, 300.0, 440.0),
        shape=Cells([Box((1.6, 1.6, 1.6)), *wings, pin, plate, foot]),
        frames={"fixture": fixture, "port": port}
        | _grapple_frames("grapple", fixture, 0.0, np.pi / 3.0)
        | _grapple_frames("berth", port, 0.0, np.pi / 3.0),
    )  # fmt: skip
    all_of.add(target, joint=Free("target"), rotation=TURNED)


@cache
def model(closed: tuple[str, ...] = ()) -> Model:
    """The compiled system, with these grapples closed."""
    return system(closed).compile()


@cache
def arm_model() -> Model:
    """The arm as its controller knows it: rigid in the kinematics, without the satellite."""
    alone = System("arm", environment=Orbit(altitude=400e3))
    _add_craft(alone)
    _add_arm(alone)
    return alone.compile()


def hand_controller(state: State, commands: np.ndarray | None = None) -> HandController:
    """The pilot's controller; `commands` (rows, 18), one row a `PERIOD`, or None for one that is set from outside."""
    from ..control.hand_controller import HandController

    stiff = {"shoulder_yaw": 1.0, "shoulder_pitch": 1.0, "elbow": 0.8, "wrist_pitch": 0.15, "wrist_yaw": 0.1}
    share = {**stiff, "wrist_roll": 0.05}
    return HandController(
        arm_model(), "hand.tip", JOINTS, kp={j: 9000.0 * share[j] for j in JOINTS},
        kd={j: 3000.0 * share[j] for j in JOINTS},
        limit={j: max(600.0 * share[j], 60.0) for j in JOINTS}, craft="craft", turn_gain=6000.0, turn_limit=60.0,
        commands=commands, period=PERIOD, late=0.0 if commands is None else 0.5 * STEP, start=state,
    )  # fmt: skip
