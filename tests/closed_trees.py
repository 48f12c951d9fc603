"""Trees with two branches that tests close, rigid and flexible, and states of them."""

from __future__ import annotations

import numpy as np
from strategies import random_body, random_joint, random_pose

import jourdain as jd
from jourdain.describe.bodies import Body
from jourdain.model.displacement import displaced


def beam(name: str) -> jd.Beam:
    """A beam with a few shapes of every kind."""
    return jd.Beam(
        name,
        length=1.1,
        mass_per_length=2.0,
        EA=1e5,
        EI=(40.0, 60.0),
        GJ=30.0,
        modes=jd.Modes(bending_y=2, bending_z=1, torsion=1),
        frames={"inner": 0.6},
    )


def branched(seed: int, flexible: bool, base: str = "free") -> jd.System:
    """Bodies base; a1, a2 on it; b1, b2 on it: all joints random, "a2.tip" and "b2.tip" are the ends."""
    rng = np.random.default_rng(seed)
    one = jd.System("tree")

    def add(body: Body, kind: str, to: str) -> None:
        pose = random_pose(rng)
        joint = random_joint(rng, kind, f"{body.name}-{kind}", passive=False, friction=False)
        one.add(body, joint, to=to, position=pose.position, rotation=pose.rotation)

    add(random_body(rng, "base"), base, "world")
    add(beam("a1") if flexible else random_body(rng, "a1"), "universal", "base.tip")
    add(random_body(rng, "a2"), "spherical", "a1.tip")
    add(random_body(rng, "b1"), "cylindrical", "base.tip")
    add(beam("b2") if flexible else random_body(rng, "b2"), "revolute", "b1.tip")
    return one


def random_state(model: jd.Model, seed: int, size: float = 0.5) -> jd.State:
    """Coordinates and velocities at random."""
    rng = np.random.default_rng(100 + seed)
    q = displaced(model, model.neutral.copy(), size * rng.uniform(-1.0, 1.0, model.nv))
    return model.state(q=q, v=rng.uniform(-1.0, 1.0, model.nv), time=0.37)
