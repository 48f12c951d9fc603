"""Scenes of volumetric contact for timing: patches, a dropped box, a peg pushed into its hole, a battery box."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.methods import worksites

BRISTLES = jd.BristleFriction(kinetic=0.3, stiffness=1e4, stribeck=1e-2)
SIZE, DROP = (0.2, 0.2, 0.1), 0.02
"""Of the dropped box [m]; its weight is 1 kg."""


def patch(pair: str, touching: bool) -> tuple[jd.Model, jd.State]:
    """A ball on a plane or a box on a box, pressed in, or the same body alone."""
    shape = jd.Sphere(0.1) if pair == "ball" else jd.Box((0.2, 0.2, 0.2))
    ground = jd.Plane((0, 0, 1)) if pair == "ball" else jd.Box((1.0, 1.0, 0.2))
    system = jd.System(pair, gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("body", shape, density=1000.0), jd.Free("free"))
    if touching:
        normal = jd.VolumetricContact(stiffness=1e8, restitution=0.5)
        place = ground.at("world") if pair == "ball" else ground.at("world", position=(0, 0, -0.1))
        system.contact("touch", shape.at("body.origin"), place, normal=normal, friction=BRISTLES)
    model = system.compile()
    tilted = (0.98, 0.01, 0.015, 0.19)  # a quaternion, made unit
    return model, model.state(q={"free": jd.Pose((0, 0, 0.095), np.array(tilted) / np.linalg.norm(tilted))})


def dropped_box() -> tuple[jd.Model, jd.State]:
    """A box of 1 kg over a floor."""
    box = jd.Box(SIZE)
    system = jd.System("box", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("box", box, density=1.0 / box.volume), jd.Free("free"))
    floor = jd.Box((4.0, 4.0, 1.0)).at("world", position=(0, 0, -0.5))
    normal = jd.VolumetricContact(stiffness=1e8, restitution=0.3, slow_speed=0.05)
    system.contact("floor", box.at("box.origin"), floor, normal=normal, friction=BRISTLES)
    model = system.compile()
    return model, model.state(q={"free": jd.Pose((0, 0, 0.5 * SIZE[2] + DROP))})


def battery_box() -> tuple[jd.Model, jd.State]:
    """The battery box of Gonthier 2007, section 5.2.2, over its worksite."""
    parts = worksites.battery_box()
    system = jd.System("battery box", gravity=(1.0, 0, 0))
    system.add(jd.RigidBody.from_shape("box", parts.box, density=100.0 / parts.box.volume), jd.Free("free"))
    system.contact(
        "fit",
        parts.box.at("box.origin"),
        parts.worksite.at("world"),
        normal=jd.VolumetricContact(
            stiffness=1e9, restitution=0.6, slow_speed=0.05, relaxation=1.0, parts=32, normal="inertia"
        ),
        friction=jd.BristleFriction(0.3, 0.3, stiffness=1e5, damping=np.sqrt(1e5), stribeck=0.1, dwell=1e-3),
    )
    model = system.compile()
    c, s = np.cos(np.radians(2.0)), np.sin(np.radians(2.0))
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return model, model.state(q={"free": jd.Pose((-0.35, 0, -0.095), turned)})
