"""Random trees: any joint kinds, branched, several roots, frames at random poses on both sides of every joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import jourdain as jd
from jourdain.describe.joints import Joint


def rotation(rng: np.random.Generator) -> np.ndarray:
    """A random unit quaternion."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def pose(rng: np.random.Generator) -> jd.Pose:
    """A random pose within about a metre."""
    return jd.Pose(rng.uniform(-0.5, 0.5, 3), rotation(rng))


def body(rng: np.random.Generator, name: str) -> jd.RigidBody:
    """A body of a few random point masses, so that a real body could have its inertia."""
    masses = rng.uniform(0.1, 1.0, 6)
    points = rng.uniform(-0.3, 0.3, (6, 3))
    com = masses @ points / masses.sum()
    r = points - com
    inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, r))
    return jd.RigidBody(name, masses.sum(), com, inertia, frames={"a": pose(rng), "b": pose(rng)})


def joint(rng: np.random.Generator, kind: str, name: str, springs: bool = False) -> Joint:
    """A joint of a kind with random axes, and springs and dampers where asked for and possible."""
    passive = {}
    if springs:
        passive = {"stiffness": rng.uniform(1.0, 20.0), "damping": rng.uniform(0.1, 2.0), "rest": rng.uniform(-1, 1)}
    if kind == "revolute":
        return jd.Revolute(name, axis=rng.normal(size=3), **passive)
    if kind == "prismatic":
        return jd.Prismatic(name, axis=rng.normal(size=3), **passive)
    if kind == "screw":
        return jd.Screw(name, axis=rng.normal(size=3), pitch=rng.uniform(-0.3, 0.3), **passive)
    if kind == "cylindrical":
        return jd.Cylindrical(name, axis=rng.normal(size=3))
    if kind == "universal":
        a, b = rng.normal(size=(2, 3))
        return jd.Universal(name, axes=(a, np.cross(a, b) if rng.random() < 0.5 else b))
    if kind == "planar":
        return jd.Planar(name, normal=rng.normal(size=3))
    return {"spherical": jd.Spherical, "free": jd.Free, "weld": jd.Weld}[kind](name)


def tree(
    seed: int, kinds: Sequence[str], floating: bool = False, springs: bool = False, bodies: int | None = None
) -> jd.System:
    """A random tree of up to a dozen bodies, added in a random order.

    kinds       of joints to draw from; the first body hangs on one that moves
    floating    the first body hangs on a free joint
    springs     one-axis joints have springs and dampers
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 13)) if bodies is None else bodies
    moving = [kind for kind in kinds if kind != "weld"]
    system = jd.System(f"tree {seed}", gravity=rng.uniform(-10, 10, 3))
    items = []
    for i in range(count):
        kind = "free" if i == 0 and floating else str(rng.choice(moving if i == 0 else list(kinds)))
        root = i == 0 or rng.random() < 0.15
        to = "world" if root else f"b{rng.integers(i)}.{rng.choice(['origin', 'a', 'b'])}"
        place = pose(rng)
        at = str(rng.choice(["origin", "a", "b"]))
        items.append((body(rng, f"b{i}"), joint(rng, kind, f"j{i}", springs), to, place, at))
    for i in rng.permutation(count):
        own, held, to, place, at = items[i]
        system.add(own, held, to=to, position=place.position, rotation=place.rotation, at=at)
    return system


def state(model: jd.Model, seed: int) -> jd.State:
    """A random state: every coordinate and every velocity is in motion."""
    rng = np.random.default_rng([seed, 1])
    q = rng.uniform(-3.0, 3.0, model.nq)
    for j, _, free in model.arrays.rotations.array:
        first = j + 3 * free
        q[first : first + 4] = rotation(rng)
    return model.state(q=q, v=rng.normal(size=model.nv))
