"""Records of a ball pressed and dragged over a plate as told, simulated once, with noise added afterwards."""

from functools import cache

import numpy as np
from scipy.integrate import cumulative_trapezoid

import jourdain as jd
from jourdain.methods.identification.contact import ContactRecord

NORMAL = jd.HertzContact(stiffness=2.5413e8, restitution=0.85, slow_speed=1e-3)
FRICTION = jd.BristleFriction(
    static=0.16, kinetic=0.10, stiffness=4e3, damping=40.0, viscous=0.0, stribeck=1e-2, dwell=0.3
)
TRUTH = {
    "stiffness": 2.5413e8,
    "restitution": 0.85,
    "surface": 0.0,
    "static": 0.16,
    "kinetic": 0.10,
    "bristle_stiffness": 4e3,
    "bristle_damping": 40.0,
    "stribeck": 1e-2,
    "dwell": 0.3,
}
"""Stiffness, restitution and the coefficients of friction of Gonthier 2007, table 5.4; bristles that 2 um can show."""

RATE, DURATION = 500.0, 9.0
BLEND = 0.3
"""Time in which a commanded speed is reached [s]: that of a robot that tracks to a few hertz."""

APPROACH = ((0.1, 0.3, -2.05e-3), (2.9, 2.95, 1e-3), (3.4, 3.43, -2e-3), (8.0, 8.4, 1e-3))
PRESLIDING = ((0.9, 1.1, 1.5e-4), (1.4, 1.6, -1.5e-4))
SLIDES = (
    (1.9, 2.3, 6e-3),
    (2.3, 2.7, 4e-2),
    (3.2, 3.6, -4e-2),
    (4.1, 4.5, 8e-3),
    (4.5, 4.8, 4e-2),
    (6.1, 6.4, 1.2e-2),
    (6.4, 6.8, -4e-2),
    (7.2, 7.7, 1e-2),
)
"""Pieces of constant speed along the normal and along the surface: from, to [s], speed [m/s]."""
SPACING = {"normal": 0.035, "friction": 0.035}
"""Of knots, near to what records of these motions ask for [s]."""


def profile(start: float, pieces) -> jd.Table:
    """Position from `start` through pieces of constant speed (from, to, speed), blended smoothly [s, m/s]."""
    t = np.linspace(0.0, DURATION, 18001)
    speed = np.zeros_like(t)
    for begin, end, value in pieces:
        for at, sign in ((begin, 1.0), (end, -1.0)):
            x = np.clip((t - at) / BLEND, 0.0, 1.0)
            speed += sign * value * (x - np.sin(2.0 * np.pi * x) / (2.0 * np.pi))
    position = start + cumulative_trapezoid(speed, t, initial=0.0)
    return jd.Table(t[::20], position[::20])


@cache
def clean(approach=APPROACH, slides=(*PRESLIDING, *SLIDES), normal=NORMAL, friction=FRICTION) -> ContactRecord:
    """The record without noise, of a ball of 50 mm that starts 0.3 mm above the plate."""
    rig = jd.System("rig", gravity=(0.0, 0.0, 0.0))
    rig.add(jd.RigidBody("carriage", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("drag", axis="x"))
    rig.add(
        jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("press", axis="z"), to="carriage.origin"
    )
    plate = jd.Plane((0, 0, 1), offset=-0.05).at("world")
    rig.contact("touch", jd.Sphere(0.05).at("ball.origin"), plate, normal=normal, friction=friction)
    model = rig.compile()
    motions = {"press": profile(3e-4, approach), "drag": profile(0.0, slides)}
    start = model.state(q={"press": 3e-4})
    run = jd.simulate(model, start, until=DURATION, step=5e-5, output=1.0 / RATE, motions=motions, progress=False)
    force = run.contact["touch"].force.values
    return ContactRecord(run.record.time, run.q["press"].values, force[:, 2], run.q["drag"].values, force[:, 0])
