"""
Model of Chen's planar arm
==========================

The planar arm of chapter 6 of Y. Chen's thesis (University of British Columbia 1999): a module that slews, and one that
slews and extends, on a fixed base.
"""

import numpy as np

import jourdain as jd

RATIOS = {"1": (250.0, 7.5), "0.33": (375.0, 11.25), "0.2": (416.67, 12.5)}
"""Mass ratio of the modules: mass and length of the first; together they have 500 kg and 15 m."""
TARGET = np.array([12.61, 5.12])
"""Where the tip goes from (0, 15 m)."""


def rod(name: str, mass: float, length: float, begins: float = 0.0) -> jd.RigidBody:
    """A slender rod along y, which begins at a place of its own frame."""
    across = mass * length**2 / 12
    return jd.RigidBody(
        name,
        mass,
        (0, begins + length / 2, 0),
        (across, 1e-3 * across, across),
        frames={"tip": (0, begins + length, 0)},
    )


def arm(ratio: str = "1") -> jd.Model:
    """The arm along y; angles turn it towards x, and `l2` is the length of the second module."""
    mass, length = RATIOS[ratio]
    half, short = (500.0 - mass) / 2, (15.0 - length) / 2
    system = jd.System(f"Chen's arm, R = {ratio}")
    system.add(rod("module 1", mass, length), jd.Revolute("beta1", axis=(0, 0, -1)))
    system.add(rod("slewing link", half, short), jd.Revolute("beta2", axis=(0, 0, -1)), to="module 1.tip")
    system.add(rod("deployable link", half, short, -short), jd.Prismatic("l2", axis="y"), to="slewing link.origin")
    return system.compile()


def ends(ratio: str = "1") -> dict[str, float]:
    """Angles and length at the target: the second module 5 % shorter than at the beginning, its elbow to the left."""
    first = RATIOS[ratio][1]
    second = 0.95 * (15.0 - first)
    far = np.linalg.norm(TARGET)
    elbow = np.arccos((far**2 - first**2 - second**2) / (2 * first * second))
    towards = np.arctan2(TARGET[0], TARGET[1])
    return {
        "beta1": towards - np.arctan2(second * np.sin(elbow), first + second * np.cos(elbow)),
        "beta2": elbow,
        "l2": second,
    }


def problem(ratio: str, weights: tuple[float, float, float, float], end: dict[str, float] | None = None, **more):
    """From rest to rest in 60 s; weights of T1^2, |F1|^2, T2^2, F2^2 (the thesis has the first two only)."""
    model = arm(ratio)
    w1, w2, w3, w4 = weights
    o = jd.optimal
    cost = o.effort({"beta1": w1, "beta2": w3, "l2": w4})
    cost += w2 * (o.square("reaction:beta1.force.x") + o.square("reaction:beta1.force.y"))
    start = model.state(q={"l2": 15.0 - RATIOS[ratio][1]})
    return o.Problem(model, start, until=60.0, end=end or ends(ratio), cost=cost, **more)
