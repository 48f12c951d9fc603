"""A quadruped dropped on a floor, beside MuJoCo: 12 joints held by springs and dampers, feet that touch with friction.

Both codes have the same masses, joints, armatures, springs and dampers, and balls as feet on a plane with the same
friction. Each code takes the longest of STEPS at which, with one of its contact stiffnesses, no foot is deeper than
DEEPEST, the trunk stands still in the end, its height is that of the shortest step within ACCURATE all the time, and,
of ours, the run is trusted.
MuJoCo is timed with its defaults too, whose feet are some 10 mm deep.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import mujoco
import numpy as np
from results import Row
from timing import whole_runs

import jourdain as jd

TRUNK, TRUNK_MASS = (0.4, 0.2, 0.1), 9.0
LINKS = {"hip": ("x", 0.04, 0.5), "thigh": ("y", 0.2, 1.0), "shank": ("y", 0.2, 0.3)}
"""Of each leg, outwards: axis of the joint, length downwards [m], mass [kg]."""
REST = {"hip": 0.0, "thigh": 0.8, "shank": -1.6}
"""Angles that the springs pull to [rad]."""
STIFFNESS, DAMPING, ARMATURE = 100.0, 2.0, 0.01
FOOT, FRICTION, DROP, UNTIL = 0.02, 0.6, 0.1, 2.0
"""Radius of a foot [m]; friction; height of the feet above the floor at first [m]; time [s]."""
DEEPEST = 2e-3
"""How deep a foot may be [m]."""
ACCURATE = 1e-3
"""How far the height of the trunk may be from that of the shortest step [m]."""
STILL, APART = 5e-3, 1e-2
"""Speed of the trunk in the end at most [m/s], and how far the codes' heights may differ then [m]."""
STEPS = (5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5)
EVERY = 0.01
"""Heights of the trunk are compared so often [s]."""
DEFAULT_STEP = 2e-3
"""Of MuJoCo [s]."""
HIP = {"fl": (0.2, 0.12), "fr": (0.2, -0.12), "rl": (-0.2, 0.12), "rr": (-0.2, -0.12)}
HEIGHT = LINKS["hip"][1] + sum(LINKS[name][1] for name in ("thigh", "shank")) * np.cos(REST["thigh"]) + FOOT + DROP
"""Of the trunk at first [m]."""
METHOD = "generalized-alpha"
"""Ours: explicit methods take 0.1 ms at most here."""
BRISTLES = jd.BristleFriction(kinetic=FRICTION, stiffness=1e3, damping=10.0, stribeck=0.05)
STIFFNESSES = (1e6, 2e6, 5e6)
"""Of ours [N/m^1.5]."""
SOLREFS = ("0.02 1", "0.01 1", "0.005 1", "0.002 1", "0.001 1")
"""MuJoCo's time constants and damping ratios of contact, its default first."""


def rod(name: str) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Centre of mass and principal moments of inertia of a link, a thin rod downwards with a little about its axis."""
    _, length, mass = LINKS[name]
    across = mass * length**2 / 12.0 + 1e-4
    return (0.0, 0.0, -0.5 * length), (across, across, 1e-4)


def ours(stiffness: float) -> jd.Model:
    """The quadruped and its floor."""
    system = jd.System("quadruped", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody.from_shape("trunk", jd.Box(TRUNK), mass=TRUNK_MASS), jd.Free("base"))
    normal = jd.HertzContact(stiffness=stiffness, restitution=0.1, slow_speed=0.1)
    for leg, (x, y) in HIP.items():
        to, place = "trunk.origin", (x, y, 0.0)
        for name, (axis, length, mass) in LINKS.items():
            com, inertia = rod(name)
            link = jd.RigidBody(f"{name}_{leg}", mass, com, inertia, frames={"end": (0.0, 0.0, -length)})
            joint = jd.Revolute(
                f"{name}_{leg}_joint", axis, stiffness=STIFFNESS, damping=DAMPING, rest=REST[name], armature=ARMATURE
            )
            system.add(link, joint, to=to, position=place)
            to, place = f"{name}_{leg}.end", (0.0, 0.0, 0.0)
        foot, floor = jd.Sphere(FOOT).at(to), jd.Plane((0, 0, 1)).at("world")
        system.contact(f"foot_{leg}", foot, floor, normal=normal, friction=BRISTLES)
    return system.compile()


def start(model: jd.Model) -> jd.State:
    """At rest above the floor, the joints at their springs' angles."""
    angles = {f"{name}_{leg}_joint": angle for leg in HIP for name, angle in REST.items()}
    return model.state(q={"base": jd.Pose((0.0, 0.0, HEIGHT))} | angles)


def in_mujoco(step: float, solref: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The same of MuJoCo."""
    legs = []
    for x, y in HIP.values():
        text = f'<geom type="sphere" size="{FOOT}" pos="0 0 {-LINKS["shank"][1]}" mass="0"/>'
        for name, (axis, _, mass) in reversed(LINKS.items()):
            com, inertia = rod(name)
            at = {"hip": (x, y, 0.0), "thigh": (0, 0, -LINKS["hip"][1]), "shank": (0, 0, -LINKS["thigh"][1])}[name]
            text = f"""<body pos="{at[0]} {at[1]} {at[2]}"><inertial pos="0 0 {com[2]}" mass="{mass}"
            diaginertia="{inertia[0]:.12g} {inertia[1]:.12g} {inertia[2]:.12g}"/>
            <joint axis="{int(axis == "x")} {int(axis == "y")} 0" stiffness="{STIFFNESS}" damping="{DAMPING}"
            springref="{REST[name]}" armature="{ARMATURE}"/>{text}</body>"""
        legs.append(text)
    half = " ".join(f"{0.5 * x:g}" for x in TRUNK)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><compiler angle="radian"/><option timestep="{step}" gravity="0 0 -9.81" integrator="implicitfast"/>
        <default><geom friction="{FRICTION} 0.005 0.0001" solref="{solref}" condim="3"/></default>
        <worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 {HEIGHT:.12g}"><freejoint/>
        <geom type="box" size="{half}" mass="{TRUNK_MASS}" contype="0" conaffinity="0"/>{"".join(legs)}</body>
        </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    data.qpos[7:] = [angle for _ in HIP for angle in REST.values()]
    mujoco.mj_forward(model, data)
    return model, data


Path = tuple[np.ndarray, np.ndarray]
"""Heights of the trunk, EVERY apart, and the lowest point of the feet at every step or every millisecond [m]."""


def our_path(model: jd.Model, step: float) -> Path:
    """Of ours; infinitely deep where the run is not trusted."""
    every = max(step, 1e-3)
    run = jd.simulate(model, start(model), until=UNTIL, step=step, method=METHOD, output=every, progress=False)
    feet = [run.frame(f"shank_{leg}.end").position.values[:, 2] for leg in HIP]
    low = np.min(feet, axis=0) - (FOOT if run.trusted else np.inf)
    between = round(EVERY / every)
    return run.frame("trunk.origin").position.values[between::between, 2], low


def mujoco_path(step: float, solref: str) -> Path:
    """Of MuJoCo."""
    model, data = in_mujoco(step, solref)
    feet = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_SPHERE)
    trunk, low = [], []
    for _ in range(round(UNTIL / step)):
        mujoco.mj_step(model, data)
        trunk.append(data.qpos[2])
        low.append(data.geom_xpos[feet, 2].min() - FOOT)
    between = round(EVERY / step)
    return np.array(trunk[between - 1 :: between]), np.array(low)


def holds(path: Callable[[], Path], reference: np.ndarray) -> bool:
    """Whether the feet stay above DEEPEST, and the trunk on its path until it stands still."""
    try:
        trunk, low = path()
    except jd.errors.SimulationError:
        return False
    still = np.ptp(trunk[-len(trunk) // 10 :]) <= STILL * 0.1 * UNTIL
    return bool(still and np.min(low) >= -DEEPEST and np.max(np.abs(trunk - reference)) <= ACCURATE)


def longest(settings: tuple[Any, ...], path: Callable[[float, Any], Path]) -> tuple[float, Any] | None:
    """The longest step that holds with any of the settings, and the first of them that does."""
    references = {one: path(STEPS[-1], one)[0] for one in settings}
    for step in STEPS:
        for one in settings:
            if holds(lambda step=step, one=one: path(step, one), references[one]):
                return step, one
    return None


def measure(rounds: int) -> list[Row]:
    """Rows against MuJoCo at equal penetration and with its defaults; processor time of a whole call."""
    models = {stiffness: ours(stiffness) for stiffness in STIFFNESSES}
    mine, theirs = longest(STIFFNESSES, lambda step, one: our_path(models[one], step)), longest(SOLREFS, mujoco_path)
    if mine is None or theirs is None:
        raise RuntimeError("no step holds the feet")
    peers = {
        f"MuJoCo, step {1e3 * theirs[0]:g} ms": theirs,
        f"MuJoCo, its defaults, step {1e3 * DEFAULT_STEP:g} ms": (DEFAULT_STEP, SOLREFS[0]),
    }
    ends = [our_path(models[mine[1]], mine[0])[0][-1], *(mujoco_path(*one)[0][-1] for one in peers.values())]
    if np.ptp(ends) > APART:
        raise RuntimeError(f"trunks stand at {', '.join(f'{one:.4f}' for one in ends)} m")
    model = models[mine[1]]
    at = start(model)

    def run_ours() -> object:
        return jd.simulate(model, at, until=UNTIL, step=mine[0], method=METHOD, output=UNTIL, progress=False)

    def run_mujoco(step: float, solref: str) -> None:
        other, data = in_mujoco(step, solref)
        mujoco.mj_step(other, data, nstep=round(UNTIL / step))

    runs: dict[str, Callable[[], object]] = {"ours": run_ours}
    runs |= {label: partial(run_mujoco, *one) for label, one in peers.items()}
    best = whole_runs(runs, rounds, time.process_time)
    what = f"a quadruped dropped on a floor, {UNTIL:g} s, feet {1e3 * DEEPEST:g} mm deep at most"
    what += f", step {1e3 * mine[0]:g} ms"
    return [Row(what, label, best["ours"], best[label]) for label in peers]


if __name__ == "__main__":
    for item in measure(3):
        print(*item.cells(), sep=" | ")
