"""Arms with flexible links, described once: for Jourdain, and for Exudyn as floating-frame bodies in joints."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import jourdain as jd

GRAVITY = (0.02, 0.03, -0.05)
"""Small, so that booms of a space arm bend by centimetres [m/s^2]."""
BOOM = dict(mass_per_length=21.56, EA=2.79e8, EI=4.046e6, GJ=2.04e6, inertia_per_length=0.0625)
"""A boom of the Shuttle's arm: Damaren & Sharf 1995, table 2."""
LIMB = dict(mass_per_length=12.0, EA=1.0e8, EI=3.0e5, GJ=2.0e5, inertia_per_length=0.03)


@dataclass(frozen=True)
class Link:
    """A body at the end of another, all axes parallel at the start.

    body    along x from its origin, with the frame `tip`
    axis    of the joint that holds it, x, y or z, or "" for a weld
    to      the body that carries it, or "world"
    """

    body: jd.RigidBody | jd.Beam
    axis: str
    to: str


def rod(name: str, length: float, mass: float, radius: float = 0.15) -> jd.RigidBody:
    """A homogeneous cylinder along x."""
    across = mass * (length**2 / 12.0 + radius**2 / 4.0)
    inertia = (0.5 * mass * radius**2, across, across)
    return jd.RigidBody(name, mass, (0.5 * length, 0.0, 0.0), inertia, frames={"tip": (length, 0.0, 0.0)})


def large_arm(modes: jd.Modes) -> list[Link]:
    """Seven joints, two booms."""
    bodies = [
        (rod("shoulder1", 0.4, 40.0), "z"),
        (rod("shoulder2", 0.4, 40.0), "x"),
        (jd.Beam("boom1", 6.4, modes=modes, **BOOM), "y"),
        (jd.Beam("boom2", 7.0, modes=modes, **BOOM), "y"),
        (rod("wrist1", 0.5, 20.0), "y"),
        (rod("wrist2", 0.6, 20.0), "z"),
        (rod("wrist3", 0.6, 40.0), "x"),
    ]
    links, to = [], "world"
    for body, axis in bodies:
        links.append(Link(body, axis, to))
        to = body.name
    return links


def arm_27() -> list[Link]:
    """The large arm with a payload; 7 joints and 10 coordinates a boom."""
    links = large_arm(jd.Modes(bending=4, axial=1, torsion=1))
    drum = jd.RigidBody("payload", 1500.0, (2.0, 0.0, 0.0), (3e3, 4e3, 4e3), frames={"tip": (4.0, 0.0, 0.0)})
    return [*links, Link(drum, "", "wrist3")]


def robot_50() -> list[Link]:
    """The large arm with a robot of two arms at its tip: 22 joints, and 7 coordinates in each of four beams."""
    modes = jd.Modes(bending=3, torsion=1)
    links = large_arm(modes)
    links.append(Link(rod("torso", 1.0, 200.0, 0.3), "x", "wrist3"))
    for side in ("left", "right"):
        to = "torso"
        for i, axis in enumerate("zxyyxyx"):
            name = f"{side}{i}"
            body = jd.Beam(name, 1.8, modes=modes, **LIMB) if i == 2 else rod(name, 0.3, 12.0, 0.08)
            links.append(Link(body, axis, to))
            to = name
        links.append(Link(rod(f"{side}_tool", 0.5, 50.0, 0.1), "", to))
    return links


def compiled(name: str, links: list[Link], **options: str) -> jd.Model:
    """The model, its beams with other options of `jd.Beam` where there are any."""
    system = jd.System(name, gravity=GRAVITY)
    for link in links:
        body = replace(link.body, **options) if isinstance(link.body, jd.Beam) else link.body
        joint = jd.Revolute(f"{body.name}_joint", axis=link.axis) if link.axis else jd.Weld(f"{body.name}_weld")
        system.add(body, joint, to="world" if link.to == "world" else f"{link.to}.tip")
    return system.compile()


def three_links(modes: jd.Modes | None) -> jd.Model:
    """Three links of 2 m on revolutes with a load: beams, or rigid without modes."""
    system = jd.System("three links", gravity=(0.0, 0.0, -9.81))
    to = "world"
    for i, axis in enumerate("zyy"):
        name = f"link{i}"
        beam = jd.Beam(name, 2.0, 3.0, EA=7e7, EI=3e4, GJ=2e4, modes=modes or jd.Modes())
        system.add(rod(name, 2.0, 6.0, 0.03) if modes is None else beam, jd.Revolute(f"axis{i}", axis=axis), to=to)
        to = f"{name}.tip"
    system.add(jd.RigidBody("load", 5.0, (0.1, 0.0, 0.0), (0.1, 0.1, 0.1)), jd.Weld("grip"), to=to)
    return system.compile()


def moving_state(model: jd.Model, seed: int = 1) -> jd.State:
    """A random state, joints at moderate angles and speeds, deflections of centimetres."""
    rng = np.random.default_rng(seed)
    at = model.state()
    at.q[:] = rng.uniform(-0.5, 0.5, model.nq)
    at.v[:] = 0.5 * rng.normal(size=model.nv)
    at.q[[i for i, name in enumerate(model.names.q) if "[" in name]] *= 0.02
    at.v[[i for i, name in enumerate(model.names.v) if "[" in name]] *= 0.02
    return at
