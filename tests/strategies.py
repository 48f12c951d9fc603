"""Random systems for Hypothesis: trees of every kind of joint, at any pose on both sides, and states of them.

Hypothesis draws the shape of a system, which it can then shrink; the numbers come from a generator that it seeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import jourdain as jd
from jourdain.describe.joints import JOINTS, Joint, PoseTable

ONE_AXIS = ("revolute", "prismatic", "screw")
TREE = tuple(kind for kind in JOINTS if kind not in ("rail", "winch"))  # with bodies of their own
MOVING = tuple(kind for kind in TREE if kind != "weld")


@dataclass
class Case:
    """A system with its model and a state of it; `rng` draws whatever else a test needs."""

    system: jd.System
    model: jd.Model
    state: jd.State
    rng: np.random.Generator

    def __repr__(self) -> str:
        return f"{self.system!r}\nq = {self.state.q.tolist()}\nv = {self.state.v.tolist()}"

    def frame(self) -> str:
        """The address of a frame, the world left out."""
        return str(self.rng.choice(self.model.frame_names[1:]))

    def vector(self, scale: float = 1.0) -> np.ndarray:
        """One number for each velocity."""
        return scale * self.rng.normal(size=self.model.nv)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A unit quaternion (w, x, y, z), uniform over all rotations."""
    quaternion = rng.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


def random_pose(rng: np.random.Generator, reach: float = 0.7) -> jd.Pose:
    """Any rotation, at most `reach` [m] away along each axis."""
    return jd.Pose(rng.uniform(-reach, reach, 3), random_rotation(rng))


def random_body(rng: np.random.Generator, name: str) -> jd.RigidBody:
    """A body with the inertia of three pairs of points on random axes, and two frames."""
    x, y, z = rng.uniform(0.05, 0.5, 3)
    turn = jd.Pose(rotation=random_rotation(rng)).rotation
    return jd.RigidBody(
        name,
        mass=rng.uniform(0.5, 5.0),
        com=rng.uniform(-0.5, 0.5, 3),
        inertia=turn @ np.diag([y + z, z + x, x + y]) @ turn.T,
        frames={"tip": random_pose(rng), "grip": random_pose(rng)},
    )


def random_axis(rng: np.random.Generator) -> np.ndarray:
    """Three numbers, of any length."""
    return rng.normal(size=3) + 0.1


def random_table(rng: np.random.Generator) -> tuple[tuple[str, ...], PoseTable]:
    """Names and poses of one or two inputs, cubic polynomials, so that splines are these polynomials everywhere."""
    count = int(rng.integers(1, 3))
    grids = [np.sort(rng.uniform(-2.0, 2.0, 5)) + np.linspace(0.0, 1.0, 5) for _ in range(count)]
    f = rng.normal(size=(*[4] * count, 7)) * 0.3
    for axis, grid in enumerate(grids):
        powers = grid[:, None] ** np.arange(4) / np.array([1.0, 1.0, 4.0, 20.0])
        f = np.moveaxis(np.tensordot(powers, f, (1, axis)), 0, axis)
    # neighbours less than half a turn apart, or signs of quaternions would be turned round
    f[..., 3] = 3.0
    f[..., 4:] *= 1.5 / max(1.5, np.abs(f[..., 4:]).max())
    return ("heave", "steer")[:count], PoseTable(grids, f[..., :3], f[..., 3:])


def random_joint(rng: np.random.Generator, kind: str, name: str, passive: bool, friction: bool) -> Joint:
    """A joint of that kind; with `passive`, one-axis ones may have a spring, a damper and limits."""
    cls = JOINTS[kind]
    options: dict = {}
    if kind == "universal":
        first = random_axis(rng)
        options["axes"] = first, np.cross(first, random_axis(rng)) + 0.4 * first
    elif kind == "planar":
        options["normal"] = random_axis(rng)
    elif kind in (*ONE_AXIS, "cylindrical"):
        options["axis"] = random_axis(rng)
    if kind == "tabled":
        options["inputs"], options["table"] = random_table(rng)
    if kind == "screw":
        options["pitch"] = rng.uniform(-0.3, 0.3) + 0.5
    if kind in ONE_AXIS and passive:
        if rng.random() < 0.6:
            options |= {"stiffness": rng.uniform(0.0, 20.0), "rest": rng.normal()}
        if rng.random() < 0.6:
            options["damping"] = rng.uniform(0.0, 3.0)
        if rng.random() < 0.5:
            options |= {"limits": (-0.5, 0.5), "limit_stiffness": 50.0, "limit_damping": 0.2}
    if kind in ONE_AXIS and friction:
        options["friction"] = rng.uniform(0.1, 2.0)
    return cls(name, **options)


def random_state(model: jd.Model, rng: np.random.Generator, speed: float = 1.0) -> jd.State:
    """Coordinates and velocities of the order of one."""
    q = rng.normal(size=model.nq)
    for j in (*(j + 3 * free for j, _, free in model.arrays.rotations.array), *model.arrays.paths[:, 0]):
        q[j : j + 4] = random_rotation(rng)
    return model.state(q, speed * rng.normal(size=model.nv))


@st.composite
def systems(
    draw: st.DrawFn,
    kinds: tuple[str, ...] = TREE,
    most: int = 7,
    passive: bool = True,
    friction: bool = False,
    gravity: bool = True,
    forces: int = 0,
) -> Case:
    """Trees of `kinds` with at most `most` bodies, branches and several roots among them.

    passive     springs, dampers and limits on one-axis joints
    friction    dry friction on every one-axis joint
    forces      constant forces and moments at random frames, in world or body axes
    """
    count = draw(st.integers(1, most), label="bodies")
    chosen = [draw(st.sampled_from(kinds), label="joint") for _ in range(count)]
    if all(kind == "weld" for kind in chosen):
        chosen[0] = next(kind for kind in kinds if kind != "weld")
    parents = [draw(st.integers(-1, i - 1), label="parent") for i in range(count)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    system = jd.System("random", gravity=rng.normal(size=3) * 5.0 if gravity else (0.0, 0.0, 0.0))
    for i, (kind, parent) in enumerate(zip(chosen, parents)):
        place = random_pose(rng)
        system.add(
            random_body(rng, f"b{i}"),
            random_joint(rng, kind, f"j{i}", passive, friction),
            to="world" if parent < 0 else f"b{parent}.{rng.choice(['origin', 'tip', 'grip'])}",
            position=place.position,
            rotation=place.rotation,
            at=str(rng.choice(["origin", "tip", "grip"])),
        )
    for i in range(forces):
        at = f"b{rng.integers(count)}.{rng.choice(['origin', 'tip', 'grip'])}"
        system.force(f"f{i}", at, rng.normal(size=3), rng.normal(size=3), axes=str(rng.choice(["world", "body"])))
    model = system.compile()
    return Case(system, model, random_state(model, rng), rng)
