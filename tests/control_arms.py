"""Arms for the tests of controllers."""

from __future__ import annotations

import numpy as np

import jourdain as jd


def rod(name: str, mass: float, length: float = 1.0) -> jd.RigidBody:
    across = mass * length**2 / 12
    return jd.RigidBody(name, mass, (length / 2, 0, 0), (0.02 * mass, across, across), frames={"tip": (length, 0, 0)})


def planar_arm(count: int = 3, masses: float = 1.0, gravity: float = 9.81, base: bool = False) -> jd.Model:
    """`count` rods of 1 m in a vertical plane, on the world or on a free-floating base."""
    system = jd.System("planar arm", gravity=(0.0, -gravity, 0.0))
    to = "world"
    if base:
        system.add(jd.RigidBody("craft", 40.0, inertia=(6, 7, 8)), jd.Planar("drift", normal="z"))
        to = "craft.origin"
    for i in range(count):
        joint = jd.Revolute(f"j{i}", axis="z", damping=0.2, stiffness=0.5)
        system.add(rod(f"l{i}", (5.0 - i) * masses), joint, to=to)
        to = f"l{i}.tip"
    return system.compile()


def spatial_arm() -> jd.Model:
    """Seven axes, none parallel to the next."""
    system = jd.System("seven axes", gravity=(0.0, 0.0, -9.81))
    to = "world"
    for i, axis in enumerate("zyzyzyz"):
        length = 0.4 - 0.03 * i
        body = jd.RigidBody(
            f"l{i}", 6.0 - 0.6 * i, (0.1, 0.02, 0.15), (0.1, 0.12, 0.08), frames={"tip": (0.05, 0.0, length)}
        )
        system.add(body, jd.Revolute(f"j{i}", axis=axis, damping=0.3), to=to)
        to = f"l{i}.tip"
    return system.compile()


SPATIAL = {f"j{i}": x for i, x in enumerate((0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2))}


def flexible_arm(modes: int = 2, stiffness: float = 1.0, payload: float = 3.0) -> jd.Model:
    """Two links, the second a beam; without modes it is rigid."""
    system = jd.System("flexible arm", gravity=(0.0, -9.81, 0.0))
    system.add(rod("upper", 5.0), jd.Revolute("shoulder", axis="z"))
    bending = jd.Modes(bending_y=modes)
    beam = jd.Beam("fore", 1.5, 0.8, 2e6, 90.0 * stiffness, 70.0, bending, damping=0.01)
    system.add(beam, jd.Revolute("elbow", axis="z"), to="upper.tip")
    system.add(jd.RigidBody("payload", payload, inertia=(0.1, 0.1, 0.1)), jd.Weld("grip"), to="fore.tip")
    return system.compile()


def touching_arm(wall: float, stiffness: float, damping: float = 1.0) -> jd.Model:
    """A planar arm of three rods without gravity whose tip, a small ball, can press on a wall at y = `wall`."""
    system = jd.System("touching arm")
    to = "world"
    for i in range(3):
        system.add(rod(f"l{i}", 5.0 - i), jd.Revolute(f"j{i}", axis="z"), to=to)
        to = f"l{i}.tip"
    system.contact(
        "touch",
        jd.Sphere(0.02).at("l2.tip"),
        jd.Plane((0, -1, 0), -wall - 0.02).at("world"),
        normal=jd.contact.LinearContact(stiffness=stiffness, damping=damping),
    )
    return system.compile()


TOUCHING = {"j0": 0.2, "j1": 0.9, "j2": 0.5}


def random_state(model: jd.Model, q: dict[str, float] | None = None, seed: int = 1, size: float = 0.5) -> jd.State:
    """A state near the one given, moving."""
    state = model.state(q=q)
    numbers = np.random.default_rng(seed)
    for k, j in enumerate(model.arrays.q_index):
        if j >= 0:
            small = 0.02 if "bending" in model.names.v[k] else 1.0
            state.q[j] += size * small * numbers.uniform(-1, 1)
            state.v[k] = small * numbers.uniform(-1, 1)
    return state
