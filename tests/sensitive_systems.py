"""Random systems by whose parameters and states tests differentiate runs and steps."""

from __future__ import annotations

import numpy as np
from strategies import random_body

import jourdain as jd


def rigid(rng: np.random.Generator) -> jd.System:
    """Three random bodies on damped springs."""
    system = jd.System("rigid", gravity=(0.3, -0.2, -9.81))
    for i in range(3):
        to = "world" if i == 0 else f"b{i - 1}.origin"
        joint = jd.Revolute(f"j{i}", axis=rng.normal(size=3), stiffness=3.0, damping=0.2)
        system.add(random_body(rng, f"b{i}"), joint, to=to, position=rng.normal(size=3))
    return system


def flexible(rng: np.random.Generator) -> jd.System:
    """A beam with a payload on a hinge."""
    system = jd.System("flexible", gravity=(0.0, 0.0, -9.81))
    modes = jd.Modes(bending=1)
    beam = jd.Beam("b0", length=1.0, mass_per_length=2.0, EA=1e5, EI=60.0, GJ=40.0, modes=modes, damping=0.02)
    system.add(beam, jd.Revolute("j0", axis="y", damping=0.1))
    system.add(random_body(rng, "b1"), jd.Revolute("j1", axis="z", damping=0.1), to="b0.tip")
    return system


def orbiting(rng: np.random.Generator) -> jd.System:
    """Two bodies hinged to the frame of an orbit."""
    system = jd.System("orbiting", environment=jd.Orbit(altitude=400e3))
    for i in range(2):
        to = "world" if i == 0 else "b0.origin"
        joint = jd.Revolute(f"j{i}", axis=rng.normal(size=3), damping=0.3)
        system.add(random_body(rng, f"b{i}"), joint, to=to, position=rng.normal(size=3))
    return system


def driven(rng: np.random.Generator) -> jd.System:
    """A geared, elastic drive."""
    system = jd.System("driven", gravity=(0.0, 0.0, -9.81))
    drive = jd.Drive(gear=20.0, rotor_inertia=1e-3, stiffness=300.0, damping=1.0)
    system.add(random_body(rng, "b0"), jd.Revolute("j0", axis="y", drive=drive))
    system.add(random_body(rng, "b1"), jd.Revolute("j1", axis="x", damping=0.1), to="b0.origin", position=(1, 0, 0))
    return system


def looped(rng: np.random.Generator) -> tuple[jd.Model, jd.State]:
    """Two branches of four hinges whose tips are one point, tied by a rod and to the world by another: three loops
    and three degrees of freedom. Closed where it is, and moving at random."""
    system = jd.System("looped", gravity=(0.3, -0.2, -9.81))
    for branch in "ab":
        for i in range(4):
            to = "world" if i == 0 else f"{branch}{i - 1}.tip"
            joint = jd.Revolute(f"{branch}{i}-hinge", axis=rng.normal(size=3), stiffness=3.0, damping=2.0)
            system.add(random_body(rng, f"{branch}{i}"), joint, to=to)
    tree = system.compile()
    q = 0.2 * rng.normal(size=tree.nq)
    a, b = (tree.pose(f"{branch}3.tip", tree.state(q)) for branch in "ab")
    system.connect(jd.Spherical("knot"), "a3.tip", "b3.tip", position=b.rotation.T @ (a.position - b.position))
    first, second, third = (tree.pose(f"{one}.grip", tree.state(q)).position for one in ("a1", "b1", "a2"))
    system.connect(jd.constraints.Rod("tie", float(np.linalg.norm(first - second))), "a1.grip", "b1.grip")
    system.connect(jd.constraints.Rod("stay", float(np.linalg.norm(third))), "a2.grip", "world")
    model = system.compile()
    return model, model.assemble(model.state(q, 0.5 * rng.normal(size=model.nv)))


def started(make, rng: np.random.Generator) -> tuple[jd.Model, jd.State]:
    """A model of one of the trees, and a state: rotors turn with their joints, and beams are bent a little."""
    model = make(rng).compile()
    q, v = 0.2 * rng.normal(size=model.nq), 0.5 * rng.normal(size=model.nv)
    if make is driven:
        q[list(model.names.q).index("j0.motor")] = 20.0 * q[model.index.q["j0"]]
        v[list(model.names.v).index("j0.motor")] = 20.0 * v[model.index.v["j0"]]
    if make is flexible:
        q[2:], v[2:] = 0.01 * q[2:], 0.01 * v[2:]
    return model, model.state(q, v)
