"""Mechanisms with loops that tests share."""

from __future__ import annotations

import numpy as np

import jourdain as jd

FOUR_BAR = {"crank": (0.20, 0.3, 0.001), "coupler": (0.60, 0.8, 0.024), "rocker": (0.50, 0.7, 0.0146)}
"""Length [m], mass [kg] and inertia about the middle [kg m^2] of the bars of a planar four-bar."""
BASE = 0.55
"""Distance of its ground pivots [m]."""


def bar(name: str) -> jd.RigidBody:
    """A bar of the four-bar along x, with a frame at its far end."""
    length, mass, inertia = FOUR_BAR[name]
    return jd.RigidBody(
        name, mass=mass, inertia=(inertia,) * 3, com=(0.5 * length, 0.0, 0.0), frames={"tip": (length, 0.0, 0.0)}
    )


def four_bar_angles(crank: float) -> tuple[float, float]:
    """Angles of coupler and rocker with the x axis in the open assembly, from triangles [rad]."""
    a, b, c = (FOUR_BAR[name][0] for name in ("crank", "coupler", "rocker"))
    tip = a * np.array([np.cos(crank), np.sin(crank)])
    along = np.array([BASE, 0.0]) - tip
    span = np.hypot(*along)
    x = (b * b - c * c + span * span) / (2.0 * span)
    e = along / span
    pin = tip + x * e + np.sqrt(b * b - x * x) * np.array([-e[1], e[0]])
    return float(np.arctan2(*(pin - tip)[::-1])), float(np.arctan2(pin[1], pin[0] - BASE))


def four_bar(pin: object | None = None) -> jd.System:
    """The four-bar, gravity along -y, closed between coupler and rocker by a revolute or what is given."""
    one = jd.System("four-bar", gravity=(0.0, -9.81, 0.0))
    one.add(bar("crank"), jd.Revolute("crank", axis="z"))
    one.add(bar("coupler"), jd.Revolute("elbow", axis="z"), to="crank.tip")
    one.add(bar("rocker"), jd.Revolute("rocker", axis="z"), position=(BASE, 0.0, 0.0))
    one.connect(jd.Revolute("pin", axis="z") if pin is None else pin, "coupler.tip", "rocker.tip")
    return one


def four_bar_state(model: jd.Model, crank: float = 1.0) -> jd.State:
    """At rest, the crank at an angle [rad]."""
    coupler, rocker = four_bar_angles(crank)
    return model.state(q={"crank": crank, "elbow": coupler - crank, "rocker": rocker})


def row_of_four_bars(count: int) -> tuple[jd.Model, jd.State]:
    """Parallelograms side by side: uniform rods of 1 m and 1 kg, upright, the tops moving at 1 m/s."""
    one = jd.System("four-bars", gravity=(0.0, -9.81, 0.0))

    def rod(name: str) -> jd.RigidBody:
        return jd.RigidBody(
            name, mass=1.0, inertia=(1e-6, 1 / 12, 1 / 12), com=(0.5, 0.0, 0.0), frames={"tip": (1.0, 0.0, 0.0)}
        )

    for i in range(count + 1):
        one.add(rod(f"rod{i}"), jd.Revolute(f"r{i}", axis="z"), position=(float(i), 0.0, 0.0))
    for i in range(count):
        one.add(rod(f"bar{i}"), jd.Revolute(f"b{i}", axis="z"), to=f"rod{i}.tip")
        one.connect(jd.Revolute(f"pin{i}", axis="z"), f"bar{i}.tip", f"rod{i + 1}.tip")
    model = one.compile()
    q = {f"r{i}": 0.5 * np.pi for i in range(count + 1)} | {f"b{i}": -0.5 * np.pi for i in range(count)}
    v = {f"r{i}": -1.0 for i in range(count + 1)} | {f"b{i}": 1.0 for i in range(count)}
    return model, model.state(q=q, v=v)
