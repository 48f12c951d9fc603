"""Scenes of many bodies in contact, for Jourdain and for MuJoCo: balls that fall on a plane, boxes that stand on it."""

from __future__ import annotations

import mujoco
import numpy as np

import jourdain as jd

RADIUS, DENSITY, HALF = 0.05, 1000.0, 0.05
FRICTION = 0.5
GAP = 0.2
"""Between neighbours at first, over the radius."""
NORMAL = jd.HertzContact(stiffness=1e5, restitution=0.3, slow_speed=0.1)
BRISTLES = jd.BristleFriction(kinetic=FRICTION, stiffness=200.0, damping=2.0, stribeck=0.2)
"""Soft enough for 1 ms under the load of some ten balls, and for the box that stands on its corners."""


def grid(n: int, layers: int, pitch: float, height: float, seed: int = 0) -> np.ndarray:
    """Places (n, 3) in layers over a square, a little off the grid, the lowest at `height`."""
    side = int(np.ceil(np.sqrt(n / layers)))
    i = np.arange(n)
    places = pitch * np.column_stack([i % side, i // side % side, i // side**2]).astype(float)
    places[:, :2] += np.random.default_rng(seed).uniform(-0.02, 0.02, (n, 2)) * pitch
    return places + [0.0, 0.0, height]


def balls(n: int, layers: int = 4) -> tuple[jd.Model, np.ndarray]:
    """n balls just above a plane, in layers that fall onto each other, and where they are."""
    places = grid(n, layers, (2.0 + GAP) * RADIUS, 1.05 * RADIUS)
    system = jd.System(f"{n} balls", gravity=(0, 0, -9.81))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    ball = jd.Sphere(RADIUS)
    mass = DENSITY * ball.volume
    for i, place in enumerate(places):
        body = jd.RigidBody(f"ball{i}", mass=mass, inertia=(0.4 * mass * RADIUS**2,) * 3)
        system.add(body, jd.Free(f"free{i}"), position=place)
        shapes.append(ball.at(f"ball{i}.origin"))
    system.collide("pile", shapes, normal=NORMAL, friction=BRISTLES)
    return system.compile(), places


def boxes(n: int) -> tuple[jd.Model, np.ndarray]:
    """n boxes that drop by a millimetre onto a plane, each a contact of its own, and where they are."""
    places = grid(n, 1, 4.0 * HALF, HALF + 1e-3)
    system = jd.System(f"{n} boxes", gravity=(0, 0, -9.81))
    box = jd.Box((2 * HALF,) * 3)
    for i, place in enumerate(places):
        body = jd.RigidBody.from_shape(f"box{i}", box, density=DENSITY)
        system.add(body, jd.Free(f"free{i}"), position=place)
        floor = jd.Plane((0, 0, 1)).at("world")
        system.contact(f"feet{i}", box.at(f"box{i}.origin"), floor, normal=NORMAL, friction=BRISTLES)
    return system.compile(), places


def in_mujoco(places: np.ndarray, geom: str, step: float, solver: str = "Newton") -> mujoco.MjModel:
    """The same bodies in MuJoCo, with its default compliance, elliptic cones off."""
    bodies = "".join(
        f'<body pos="{x:.9g} {y:.9g} {z:.9g}"><freejoint/><geom {geom} density="{DENSITY}"/></body>'
        for x, y, z in places
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" solver="{solver}"/><size memory="4G"/>'
        f'<default><geom friction="{FRICTION} 0.005 0.0001" condim="3"/></default>'
        f'<worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody></mujoco>'
    )


BALL_GEOM = f'type="sphere" size="{RADIUS}"'
BOX_GEOM = f'type="box" size="{HALF} {HALF} {HALF}"'
