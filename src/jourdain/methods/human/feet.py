"""Compliant feet: points that press into level ground and rub on it (Wojtyra 2002).

    F_z = max(0, k p + c(p) dp/dt),   c = c_max (3 p^2 / h^2 - 2 p^3 / h^3) below the depth h, c_max beyond it
    T = mu (2 / pi) arctan(v / lambda) F_z against the slip; at rest it creeps: there is no stiction

The formula of F_z is missing in the paper; this is the one that its text describes. It never pulls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown
from ...describe.contact.user_laws import friction_law, normal_law
from ...describe.shapes import Plane, Sphere
from ...describe.system import System

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
