"""Systems of differential equations for the tests of trajectory optimisation."""

from __future__ import annotations

import numpy as np

import jourdain as jd


def cart_rates(t, x, u, p, dx):
    dx[0] = x[1]
    dx[1] = u[0]


def swing_rates(t, x, u, p, dx):
    dx[0] = x[1]
    dx[1] = u[0] - p[0] * np.sin(x[0])


def odd_rates(t, x, u, p, dx):
    """Nothing in it is affine, and time is in it."""
    dx[0] = x[1] * (1.0 + 0.1 * t)
    dx[1] = u[0] * np.cos(0.1 * u[0]) - p[0] * np.sin(x[0]) + t * t * x[1]


def odd_outputs(t, x, u, p, y):
    y[0] = x[0] * x[1] + u[0] ** 2 * p[0] + np.sin(t)


def bead_rates(t, x, u, p, dx):
    dx[0] = x[2] * np.sin(u[0])
    dx[1] = x[2] * np.cos(u[0])
    dx[2] = 9.81 * np.cos(u[0])


def oscillator_rates(t, x, u, p, dx):
    dx[0] = (1.0 - x[1] * x[1]) * x[0] - x[1] + u[0]
    dx[1] = x[0]


def rocket_rates(t, x, u, p, dx):
    h, v, m = x[0], x[1], x[2]
    dx[0] = v
    dx[1] = (u[0] - 310.0 * v * v * np.exp(-500.0 * (h - 1.0))) / m - 1.0 / (h * h)
    dx[2] = -2.0 * u[0]


def runaway_rates(t, x, u, p, dx):
    dx[0] = 3.0 * x[0] + u[0]


CART = jd.optimal.Ode(cart_rates, ("x", "v"), ("u",), name="cart")
SWING = jd.optimal.Ode(swing_rates, ("x", "v"), ("u",), {"k": 9.0}, name="swing")
ODD = jd.optimal.Ode(odd_rates, ("x", "v"), ("u",), {"k": 9.0}, odd_outputs, ("power",), name="odd")
BEAD = jd.optimal.Ode(bead_rates, ("x", "y", "v"), ("angle",), name="bead")
OSCILLATOR = jd.optimal.Ode(oscillator_rates, ("x1", "x2"), ("u",), name="Van der Pol")
RUNAWAY = jd.optimal.Ode(runaway_rates, ("x",), ("u",), name="runaway")
ROCKET = jd.optimal.Ode(rocket_rates, ("h", "v", "m"), ("thrust",), name="Goddard's rocket")


def free_flyer():
    """A craft with one link, free in space."""
    system = jd.System("free flyer")
    system.add(jd.RigidBody("craft", 10.0, inertia=(3, 4, 5)), jd.Free("base"))
    link = jd.RigidBody("link", 2.0, (0.5, 0, 0), (0.1, 0.2, 0.2), frames={"tip": (1, 0, 0)})
    system.add(link, jd.Revolute("elbow", axis="z"), to="craft.origin")
    return system.compile()


def flyer_reach():
    """It turns by a right angle in three seconds, and moves aside."""
    model = free_flyer()
    there = jd.Pose((0.1, 0.2, 0.3), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]))
    return jd.optimal.Problem(
        model, model.state(), until=3.0, end={"base": there, "elbow": 0.3}, inputs=("base", "elbow"),
        cost=jd.optimal.effort(),
    )  # fmt: skip


def hopper():
    """A mass over a foot on a springy floor, where it stands, and the state."""
    system = jd.System("hopper", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("body", 4.0, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("height", axis="z"))
    foot = jd.RigidBody("foot", 0.5, inertia=(0.01, 0.01, 0.01))
    system.add(foot, jd.Prismatic("leg", axis="z"), to="body.origin")
    law = jd.contact.LinearContact(2e4, 100.0)
    system.contact("floor", jd.Sphere(0.05).at("foot.origin"), jd.Plane((0, 0, 1), 0.0).at("world"), law)
    model = system.compile()
    return model, model.state(q={"height": 0.55 - 4.5 * 9.81 / 2e4, "leg": -0.5})
