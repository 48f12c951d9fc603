"""A walker in space after Wojtyra 2002, and patterns of joint angles by Fourier series.

Wojtyra, M. (2002): Multibody model of human walking. Eight rigid parts: the trunk in two, and a thigh, a shank and a
foot a leg; three revolute axes a hip, two a knee, two an ankle and one in the trunk: 21 degrees of freedom. Five points
a foot.

Compliant feet: points that press into level ground and rub on it (Wojtyra 2002).

    F_z = max(0, k p + c(p) dp/dt),   c = c_max (3 p^2 / h^2 - 2 p^3 / h^3) below the depth h, c_max beyond it
    T = mu (2 / pi) arctan(v / lambda) F_z against the slip; at rest it creeps: there is no stiction

The formula of F_z is missing in the paper; this is the one that its text describes. It never pulls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import VectorLike
from ...basics.values import as_number, shown
from ...describe.bodies import RigidBody
from ...describe.contact.user_laws import friction_law, normal_law
from ...describe.joints import Free, Joint, Revolute, Universal
from ...describe.shapes import Plane, Sphere
from ...describe.system import System
from .segments import Segment, Segments, segments
from .skeleton import SIDES, drawn_segment, foot, limb, trunk_part

SOLE = ((-0.20, 0.0), (0.45, 0.16), (0.45, -0.16), (0.68, 0.10), (0.68, -0.10))
"""Points of a foot, forward and to the left of the ankle over the foot's length: heel, ball and toes (our choice)."""


@checked
def walker(
    height: float = 1.741,
    mass: float = 73.0,
    sex: str = "male",
    *,
    root: Joint | None = None,
    pressure: object = None,
    friction: object = None,
    gravity: VectorLike = (0.0, 0.0, -9.81),
    name: str = "walker",
) -> System:
    """Eight rigid parts with 21 degrees of freedom on level ground, z = 0, after Wojtyra 2002.

    height, mass, sex     of the person (`segments`); head and arms are part of the upper trunk
    root                  joint that holds the pelvis, between the hips; None: ``Free("root")``
    pressure, friction    laws of the points of the feet (`stand`)
    gravity               [m/s^2]

    Axes are forward, left and up; at zero it is upright and the hips stand at z = 0, so a state lifts the root. Bodies:
    pelvis, upper, and with _l and _r thigh, shank, foot. Joints: ``waist`` about the up axis; ``hip_l.a`` flexion,
    ``hip_l.b`` abduction to the left, ``turn_l`` about the thigh; ``knee_l.a`` flexion, ``knee_l.b`` about the shank;
    ``ankle_l.a`` toes up, ``ankle_l.b`` about the forward axis. Contacts are "foot_l 0" to "foot_r 4".
    """
    body = segments(height, mass, sex)
    system = System(name, gravity=gravity)
    system.add(trunk_part("pelvis", body, "end"), root if root is not None else Free("root"))
    upper = _upper(body)
    frames = {"top": (0.0, 0.0, upper.length)}
    solid = RigidBody("upper", upper.mass, upper.com, upper.inertia, frames, drawn_segment(upper, upper.length / 2))
    system.add(solid, Revolute("waist", axis="z"), to="pelvis.end")
    back, up = (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)
    for side, way in SIDES.items():
        # a massless ball between the two axes of flexion and abduction and the third, about the thigh
        ball = RigidBody(f"ball_{side}", 0.0)
        hip = Universal(f"hip_{side}", axes=(back, (1.0, 0.0, 0.0)))
        system.add(ball, hip, to="pelvis.origin", position=(0.0, way * body.hips / 2, 0.0))
        system.add(limb("thigh", side, body), Revolute(f"turn_{side}", axis="z"), to=f"ball_{side}.origin")
        knee = Universal(f"knee_{side}", axes=((0.0, 1.0, 0.0), up))
        system.add(limb("shank", side, body), knee, to=f"thigh_{side}.end")
        ankle = Universal(f"ankle_{side}", axes=(back, (1.0, 0.0, 0.0)))
        system.add(foot(side, body), ankle, to=f"shank_{side}.end")
    long = body.parts["foot"].length
    points = [(x * long, y * long, -body.ankle) for x, y in SOLE]
    stand(system, {f"foot_{side}.origin": points for side in SIDES}, pressure=pressure, friction=friction)
    return system


def _upper(body: Segments) -> Segment:
    """Thorax, head and hanging arms as one, by the parallel axis theorem; products of inertia vanish by symmetry."""
    parts = body.parts
    placed = [(parts["thorax"], (0.0, 0.0, 0.0)), (parts["head"], (0.0, 0.0, parts["thorax"].length))]
    for way in SIDES.values():
        down = body.shoulder
        for name in ("upper_arm", "forearm", "hand"):
            placed.append((parts[name], (0.0, way * body.shoulders / 2, down)))
            down -= parts[name].length
    masses = np.array([part.mass for part, _ in placed])
    centres = np.array([np.add(part.com, at) for part, at in placed])
    middle = masses @ centres / masses.sum()
    inertia = np.sum([part.inertia for part, _ in placed], axis=0)
    for m, off in zip(masses, centres - middle, strict=True):
        inertia += m * (off @ off - off**2)
    length = parts["thorax"].length + parts["head"].length
    x, y, z = (float(value) for value in middle)
    a, b, c = (float(value) for value in inertia)
    return Segment(length, float(masses.sum()), (x, y, z), (a, b, c))


@checked
@dataclass(frozen=True)
class Pattern:
    """A periodic curve by its Fourier series over a period of 1, angles over the phase of a stride, say.

    mean      its mean [rad]
    cosines   of 1, 2, ... waves a period [rad]
    sines     the same of the sines [rad]

    p(x) = mean + sum_k cosines_k cos(2 pi k x) + sines_k sin(2 pi k x). Called with the phase it gives the value;
    `slope` is its derivative by the phase, `later` the same curve by a part of the period later: that of the other leg
    of a symmetric gait is ``pattern.later(0.5)``.
    """

    mean: float
    cosines: tuple[float, ...]
    sines: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", as_number(self.mean, "mean"))
        for what in ("cosines", "sines"):
            given = getattr(self, what)
            if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
                raise ModelError.at(what, f"got {shown(given)}; give a list of numbers")
            object.__setattr__(self, what, tuple(as_number(value, what) for value in given))
        if len(self.cosines) != len(self.sines):
            raise ModelError.at("sines", f"{len(self.sines)} beside {len(self.cosines)} cosines; give as many")

    @classmethod
    def through(cls, values: VectorLike, harmonics: int) -> Pattern:
        """The series with so many harmonics nearest to values at equal phases 0, 1/n, ... (least squares) [rad]."""
        try:
            given = np.asarray(values, float)
        except (TypeError, ValueError):
            raise ModelError.at("values", f"got {shown(values)}; give a list of numbers") from None
        if given.ndim != 1 or not np.all(np.isfinite(given)):
            raise ModelError.at("values", f"got {shown(values)}; give a list of finite numbers")
        most = (len(given) - 1) // 2
        if isinstance(harmonics, bool) or not isinstance(harmonics, int | np.integer) or not 0 <= harmonics <= most:
            raise ModelError.at("harmonics", f"got {shown(harmonics)}; {len(given)} values tell 0 to {most}")
        waves = np.fft.rfft(given)[: harmonics + 1] * 2.0 / len(given)
        return cls(float(waves[0].real) / 2.0, tuple(waves[1:].real.tolist()), tuple((-waves[1:].imag).tolist()))

    def __call__(self, phase: float) -> float:
        """Value at a phase [rad]."""
        angle = _turn(phase, "phase")
        pairs = enumerate(zip(self.cosines, self.sines, strict=True), 1)
        return self.mean + sum(a * math.cos(k * angle) + b * math.sin(k * angle) for k, (a, b) in pairs)

    def slope(self, phase: float) -> float:
        """Derivative by the phase [rad a period]; over the period it is the rate [rad/s]."""
        angle = _turn(phase, "phase")
        pairs = enumerate(zip(self.cosines, self.sines, strict=True), 1)
        return sum(2.0 * math.pi * k * (b * math.cos(k * angle) - a * math.sin(k * angle)) for k, (a, b) in pairs)

    def later(self, part: float) -> Pattern:
        """The curve moved by a part of the period: ``later(part)(x)`` is ``p(x - part)``."""
        turn = _turn(part, "part")
        pairs = list(enumerate(zip(self.cosines, self.sines, strict=True), 1))
        cosines = tuple(a * math.cos(k * turn) - b * math.sin(k * turn) for k, (a, b) in pairs)
        return Pattern(
            self.mean, cosines, tuple(b * math.cos(k * turn) + a * math.sin(k * turn) for k, (a, b) in pairs)
        )


def _turn(phase: float, what: str) -> float:
    """A phase as an angle of one turn at most [rad]."""
    if not math.isfinite(as_number(phase, what)):
        raise ModelError.at(what, f"is {shown(phase)}; give a number")
    return 2.0 * math.pi * (float(phase) % 1.0)


RADIUS = 0.03
"""Of the balls that stand for points [m]."""


@normal_law
def _pressing(depth, rate, impact_speed, z, p, dz):
    x = min(depth / p[2], 1.0)
    return max(p[0] * depth + p[1] * x * x * (3.0 - 2.0 * x) * rate, 0.0)


@friction_law
def _rubbing(load, slip, z, p, dz):
    speed = math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2])
    grip = -p[0] * load * (2.0 / math.pi) * math.atan(speed / p[1]) / (speed + 1e-12)
    return (grip * slip[0], grip * slip[1], grip * slip[2])


@checked
def foot_pressure(stiffness: float = 5e4, damping: float = 1500.0, depth: float = 0.01) -> Any:
    """Normal law of a point of the foot: k [N/m], c_max [N s/m] and the depth h at which it is reached [m]."""
    return _pressing(*_above_zero(stiffness=stiffness, damping=damping, depth=depth))


@checked
def foot_friction(coefficient: float = 0.8, speed: float = 0.01) -> Any:
    """Friction law of a point of the foot: mu, and the slip lambda at which half of it acts [m/s]."""
    return _rubbing(*_above_zero(coefficient=coefficient, speed=speed))


@checked
def stand(
    system: System,
    points: Mapping[str, Sequence[tuple[float, float, float]]],
    *,
    pressure: Any = None,
    friction: Any = None,
) -> list[str]:
    """Let points of bodies touch level ground, z = 0; names of the contacts.

    points      places by address of a frame: ``{"foot_l.origin": [(-0.06, 0, -0.07), (0.19, 0, -0.07)]}`` [m]
    pressure    normal law; None: `foot_pressure()`
    friction    friction law; None: `foot_friction()`
    """
    ground = Plane((0.0, 0.0, 1.0), offset=-RADIUS).at("world")  # a ball touches when its centre is on the ground
    names = []
    for address, places in points.items():
        for i, place in enumerate(places):
            names.append(f"{address.partition('.')[0]} {i}")
            ball = Sphere(RADIUS).at(address, position=place)
            law = foot_pressure() if pressure is None else pressure
            system.contact(
                names[-1], ball, ground, normal=law, friction=foot_friction() if friction is None else friction
            )
    if not names:
        raise ModelError.at("points", f"got {shown(points)}; give places by address")
    return names


def _above_zero(**given: float) -> list[float]:
    for what, value in given.items():
        if not math.isfinite(as_number(value, what)) or value <= 0.0:
            raise ModelError.at(what, f"is {shown(value)}; give a number above 0")
    return [float(value) for value in given.values()]
