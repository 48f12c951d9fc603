"""The systems that are measured: a 7-axis arm, a free chain and a humanoid-sized tree. Links are slender rods."""

from __future__ import annotations

import numpy as np

import jourdain as jd

GRAVITY = (0.0, 0.0, -9.81)


def rod(name: str, length: float, mass: float, axis: str = "z", radius: float = 0.04) -> jd.RigidBody:
    """A homogeneous cylinder from its origin along an axis, with the frame `tip` at its end."""
    along = np.eye(3)["xyz".index(axis)]
    across = mass * (length**2 / 12.0 + radius**2 / 4.0)
    inertia = np.full(3, across) + (0.5 * mass * radius**2 - across) * along
    return jd.RigidBody(name, mass, 0.5 * length * along, inertia, frames={"tip": length * along})


def arm_system() -> jd.System:
    """A 7-axis arm on a fixed base: seven bodies, seven revolutes."""
    system = jd.System("arm", gravity=GRAVITY)
    to = "world"
    for i, (axis, length, mass) in enumerate(
        zip("zyzyzyz", (0.3, 0.3, 0.3, 0.3, 0.3, 0.2, 0.1), (5.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.0))
    ):
        system.add(rod(f"link{i}", length, mass), jd.Revolute(f"axis{i}", axis=axis), to=to)
        to = f"link{i}.tip"
    return system


def arm() -> jd.Model:
    """The 7-axis arm, compiled."""
    return arm_system().compile()


def chain(bodies: int = 40) -> jd.Model:
    """A free chain: one body on a free joint, the others on revolutes about y and z in turn; no gravity."""
    system = jd.System(f"chain of {bodies}")
    system.add(rod("link0", 0.2, 1.0, "x"), jd.Free("base"))
    for i in range(1, bodies):
        joint = jd.Revolute(f"hinge{i}", axis="yz"[i % 2])
        system.add(rod(f"link{i}", 0.2, 1.0, "x"), joint, to=f"link{i - 1}.tip")
    return system.compile()


def humanoid() -> jd.Model:
    """A free pelvis with a back of three axes, a neck of two, arms of seven and legs of six: 32 bodies."""
    system = jd.System("humanoid", gravity=GRAVITY)
    system.add(rod("pelvis", 0.15, 8.0), jd.Free("base"))

    def limb(name: str, to: str, at: tuple[float, float, float], axes: str, lengths: dict[int, float]) -> None:
        """A limb of one body an axis; those without a length of their own are short."""
        position = at
        for i, axis in enumerate(axes):
            length = lengths.get(i, 0.05)
            link = rod(f"{name}{i}", length, 0.5 + 6.0 * length)
            system.add(link, jd.Revolute(f"{name}_axis{i}", axis=axis), to=to, position=position)
            to, position = f"{name}{i}.tip", (0.0, 0.0, 0.0)

    limb("back", "pelvis.tip", (0.0, 0.0, 0.0), "zyx", {2: 0.35})
    limb("neck", "back2.tip", (0.0, 0.0, 0.0), "zy", {1: 0.2})
    for side, y in (("left", 0.2), ("right", -0.2)):
        limb(f"{side}_arm", "back2.tip", (0.0, y, 0.0), "yxzyzyx", {2: 0.3, 4: 0.25, 6: 0.1})
        limb(f"{side}_leg", "pelvis.origin", (0.0, 0.5 * y, 0.0), "zxyyyx", {2: 0.4, 3: 0.4, 5: 0.1})
    return system.compile()


def state(model: jd.Model, seed: int = 0, speed: float = 0.5) -> jd.State:
    """A random state at moderate angles and speeds."""
    rng = np.random.default_rng(seed)
    at = model.state(q=None, v=speed * rng.normal(size=model.nv))
    plain = model.arrays.q_index[model.arrays.q_index >= 0]
    at.q[plain] = rng.uniform(-0.5, 0.5, len(plain))
    return at
