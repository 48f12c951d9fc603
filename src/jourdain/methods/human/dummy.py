"""A seated dummy for vibrational comfort: twelve bodies on springs between seat, pedals and steering wheel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.values import suggestion
from ...describe.bodies import RigidBody
from ...describe.constraints.connections import Spring
from ...describe.joints import Joint, Planar, Prismatic, Revolute, Spherical
from ...describe.system import System
from .segments import HEEL, Segment, segments
from .skeleton import SIDES

Springs = dict[str, tuple[float, float]]
SPRINGS: Springs = {
    "buttock": (30e3, 600.0),
    "thigh": (8e3, 200.0),
    "back": (15e3, 400.0),
    "foot": (1e5, 500.0),
    "hand": (1e5, 300.0),
    "torso": (60e3, 1200.0),
    "elbow": (20.0, 2.0),
}
"""Stiffness and damping of each spring [N/m, N s/m; of the elbow N m/rad, N m s/rad]: our choice, which puts the first
resonance where seated people have it, 4 to 6 Hz; the paper has none."""

THIGH, ARM = math.radians(8.0), math.radians(35.0)
"""Thighs up from level, upper arms forward from hanging."""
WAYS = {"x": (-1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, -1.0)}
LEVER = 0.5
"""Length of springs [m]: so long that they keep their directions."""


@checked
def dummy(
    height: float = 1.741,
    mass: float = 73.0,
    sex: str = "male",
    *,
    lean: float = math.radians(20.0),
    knee: float = math.radians(105.0),
    elbow: float = math.radians(42.0),
    pedals: float = math.radians(20.0),
    springs: Springs | None = None,
) -> System:
    """A driver after Valentini & Vita 2002 (DAViD), who sits: fifteen bodies, three of them seat, pedals and wheel.

    height, mass, sex    of the driver (`segments`)
    lean                 of the trunk, backwards from upright [rad]
    knee                 between thigh and shank [rad]
    elbow                flexion of the arms [rad]
    pedals               of the soles from the floor [rad]
    springs              other (stiffness, damping) by name: buttock, thigh, back, foot, hand, torso, elbow

    Joints as in the paper: hips and shoulders spherical, knees, ankles and elbows revolute, trunk on pelvis prismatic;
    the pelvis stays in its plane (eq. 3 there). Joints "seat", "pedals" and "wheel" lift the environment. The zero
    configuration is the posture; `model.equilibrium(model.state(), hold=["seat", "pedals", "wheel"])` sinks in.
    Where the driver touches the car, three springs of 0.5 m act along the axes of the car.
    """
    body = segments(height, mass, sex)
    given = SPRINGS | (springs or {})
    unknown = [name for name in given if name not in SPRINGS]
    if unknown:
        raise ModelError.at("springs", f"{unknown[0]} is unknown; {suggestion(unknown[0], SPRINGS)}")
    seat = _Seat(System("seated dummy", gravity=(0.0, 0.0, -9.81)))
    parts, hip, behind = body.parts, 0.5 * body.hips, body.parts["foot"].length * HEEL
    up, trunk, thigh = parts["pelvis"].length, -lean, -math.pi / 2 - THIGH
    buttocks = {f"buttock_{s}": (0.0, w * hip, -0.5 * up) for s, w in SIDES.items()}
    pelvis = {"end": (0.0, 0.0, up)} | buttocks
    pelvis |= {f"hip_{s}": (0.0, w * hip, 0.0) for s, w in SIDES.items()}
    seat.add("pelvis", [(parts["pelvis"], 0.0)], Planar("plane", normal="y"), pelvis, "", trunk)
    torso = Prismatic("torso", axis="z", stiffness=given["torso"][0], damping=given["torso"][1])
    upper = {
        "back": (-0.1, 0.0, 0.6 * body.shoulder),
        "head": (0.0, 0.0, parts["thorax"].length + 0.5 * parts["head"].length),
    }
    upper |= {f"shoulder_{s}": (0.0, w * body.shoulders / 2, body.shoulder) for s, w in SIDES.items()}
    seat.add(
        "upper", [(parts["thorax"], 0.0), (parts["head"], parts["thorax"].length)], torso, upper, "pelvis.end", trunk
    )
    for s in SIDES:
        long, low = parts["thigh"].length, parts["shank"].length
        ends = {"end": (0.0, 0.0, -long), "seat": (0.0, 0.0, -0.3 * long)}
        seat.add(f"thigh_{s}", [(parts["thigh"], 0.0)], Spherical(f"hip_{s}"), ends, f"pelvis.hip_{s}", thigh)
        shank = thigh + math.pi - knee
        bend = Revolute(f"knee_{s}", axis="y")
        seat.add(f"shank_{s}", [(parts["shank"], 0.0)], bend, {"end": (0.0, 0.0, -low)}, f"thigh_{s}.end", shank)
        ends = {
            "heel": (-behind, 0.0, -body.ankle),
            "toe": (3 * behind, 0.0, -body.ankle),
            "side": (behind, 0.05, -body.ankle),
        }
        tilt = Revolute(f"ankle_{s}", axis="y")
        seat.add(f"foot_{s}", [(parts["foot"], 0.0)], tilt, ends, f"shank_{s}.end", -pedals)
        arm, fore = parts["upper_arm"].length, parts["forearm"].length
        ball = Spherical(f"shoulder_{s}")
        seat.add(
            f"upper_arm_{s}", [(parts["upper_arm"], 0.0)], ball, {"end": (0, 0, -arm)}, f"upper.shoulder_{s}", -ARM
        )
        spring = Revolute(f"elbow_{s}", axis=(0.0, -1.0, 0.0), stiffness=given["elbow"][0], damping=given["elbow"][1])
        both = [(parts["forearm"], 0.0), (parts["hand"], -fore)]
        seat.add(f"forearm_{s}", both, spring, {"hand": (0, 0, -fore)}, f"upper_arm_{s}.end", -ARM - elbow)
    cushion = {"upper.back": "back"} | {f"pelvis.buttock_{s}": "buttock" for s in SIDES}
    seat.mount("seat", cushion | {f"thigh_{s}.seat": "thigh" for s in SIDES}, given)
    seat.mount("pedals", {f"foot_{s}.{end}": "foot" for s in SIDES for end in ("heel", "toe", "side")}, given)
    seat.mount("wheel", {f"forearm_{s}.hand": "hand" for s in SIDES}, given)
    return seat.system


class _Seat:
    """A system whose frames are known in world axes while it is put together."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.at: dict[str, Pose] = {"": Pose()}

    def add(
        self,
        name: str,
        parts: Sequence[tuple[Segment, float]],
        joint: Joint,
        frames: Mapping[str, Sequence[float]],
        to: str,
        pitch: float,
    ) -> None:
        """A body of segments, each that high on it, turned by `pitch` about the left axis."""
        here = self.at[to]
        turned = Pose((0.0, 0.0, 0.0), (math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0))
        mass = sum(part.mass for part, _ in parts)
        centres = [np.add(part.com, (0.0, 0.0, rise)) for part, rise in parts]
        com = sum(part.mass * c for (part, _), c in zip(parts, centres, strict=True)) / mass
        inertia = np.zeros((3, 3))
        for (part, _), c in zip(parts, centres, strict=True):
            d = c - com
            inertia += np.diag(part.inertia) + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        body = RigidBody(name, mass, com, inertia, dict(frames))
        self.system.add(body, joint, to=to or "world", rotation=here.rotation.T @ turned.rotation)
        pose = Pose(here.position, turned.rotation)
        self.at |= {f"{name}.{frame}": pose @ Pose(place) for frame, place in frames.items()}

    def mount(self, name: str, held: Mapping[str, str], springs: Springs) -> None:
        """A body of the car, lifted by a joint of its name, with springs to frames of the dummy where these are."""
        frames = {
            f"{address.replace('.', '_')}_{axis}": self.at[address].position + LEVER * np.array(way)
            for address in held
            for axis, way in WAYS.items()
        }
        self.system.add(RigidBody(name, 10.0, inertia=(1.0, 1.0, 1.0), frames=frames), Prismatic(name, axis="z"))
        for address, kind in held.items():
            stiffness, damping = springs[kind]
            for axis in WAYS:
                frame = f"{address.replace('.', '_')}_{axis}"
                self.system.connect(Spring(frame, stiffness=stiffness, damping=damping), address, f"{name}.{frame}")
