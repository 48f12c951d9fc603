"""The Space Shuttle arm of Damaren & Sharf 1995, section 4.2 and Table 2: as beams, rigid, or as chains of segments.

Links are uniform rods about x, their inertias about the inboard joint, the payload a drum of 10 m welded to the last.
Of the stiffnesses the table keeps one row; EI of the second boom follows from its first frequency, and EA = 2.79e8 N is
the more likely of the two readings.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from finite_segments import add_segments, seen_from

import jourdain as jd
from jourdain.describe.bodies import Body
from jourdain.results.channels import ENERGY
from jourdain.results.run import Record

LINKS = {  # length [m], mass [kg], inertia about its axis [kg m^2], axis of its joint
    "link1": (0.9, 95.0, 0.2, "z"),
    "boom2": (6.4, 138.0, 0.4, "y"),
    "boom3": (7.0, 85.0, 0.4, "y"),
    "link4": (0.5, 8.0, 0.2, "y"),
    "link5": (0.8, 44.0, 0.2, "z"),
    "link6": (0.6, 41.0, 0.2, "x"),
}
JOINTS = [f"j{i}" for i in range(1, 7)]
EI = {"boom2": 4.046e6, "boom3": 2.807e6}
GJ, EA = 2.04e6, 2.79e8
PAPER = {"modes": jd.Modes(2, axial=1, torsion=1), "basis": "clamped-free", "axial": "modes"}
ELEMENT = {"modes": jd.Modes(2, axial=1, torsion=1), "basis": "finite-element", "axial": "modes"}
SCHEMES = ("exponential", "linear", "euler-321", "euler-123", "integrated", "none")
"""Tip rotations that every model is run with."""
ANGLE = 0.4
"""What every joint of the rigid arm turns in a manoeuvre of class I [rad]."""


DRUM = {"mass": 15000.0, "inertia": (3e4, 1.4e5, 1.4e5)}
"""The payload; its centre is 5 m from where it is held."""


def link(name: str, EA: float = EA, **options) -> Body:
    """A link, a boom with options of `jd.Beam`; rigid with `modes=None`."""
    l, m, roll, _ = LINKS[name]
    if name in EI and options.get("modes", ...) is not None:
        return jd.Beam(name, l, m / l, EA, EI[name], GJ, inertia_per_length=roll / l, **options)
    across = m * l**2 / 12 + roll / 2
    return jd.RigidBody(name, m, (l / 2, 0, 0), (roll, across, across), frames={"tip": (l, 0, 0)})


def shuttle_arm(kind: str = "beams", EA: float = EA, count: int = 8, **options) -> jd.Model:
    """The arm with its payload: "beams" with options of `jd.Beam`, "rigid", or "segments", `count` a boom."""
    system = jd.System(f"Shuttle arm, {kind}")
    to = "world"
    for name, (l, m, roll, axis) in LINKS.items():
        joint = jd.Revolute(f"j{name[-1]}", axis=axis)
        if name in EI and kind == "segments":
            numbers = {"mass_per_length": m / l, "EI": EI[name], "GJ": GJ, "EA": EA, "polar": roll / l}
            to = add_segments(system, name + "_", joint, l, count=count, to=to, **numbers)
            continue
        system.add(link(name, EA, **({"modes": None} if kind == "rigid" else options)), joint, to=to)
        to = f"{name}.tip"
    system.add(jd.RigidBody("payload", com=(5, 0, 0), **DRUM), jd.Weld("grapple"), to=to)
    return system.compile()


@cache
def rigid_torques(points: int = 2001) -> np.ndarray:
    """Torques [N m] that turn the rigid arm by the cycloid in 20 s, (points, 6); in T s they are (20 / T)^2 of that."""
    model = shuttle_arm("rigid")
    x = np.linspace(0.0, 1.0, points)
    turn = 2 * np.pi * x
    q, v = ANGLE * (x - np.sin(turn) / (2 * np.pi)), ANGLE / 20 * (1 - np.cos(turn))
    a = ANGLE * 2 * np.pi / 400 * np.sin(turn)
    ones = np.ones(6)
    return np.array(
        [model.inverse_dynamics(model.state(qi * ones, vi * ones), ai * ones) for qi, vi, ai in zip(q, v, a)]
    )


STEPS = np.array([2.0e3, 3.5e3, 2.0e3, 1.0e3, 0.5e3, 0.01e3])


@cache
def profile() -> Any:
    """The law of class I, made when it is first asked for: p is the duration, then where the joints are in v."""
    torques = rigid_torques()

    @jd.law
    def profile(t, q, v, z, s, p, effort, dz):
        x = 2000.0 * t / p[0]
        i = min(int(x), 1999)
        for k in range(6):
            share = torques[i, k] + (x - i) * (torques[i + 1, k] - torques[i, k])
            effort[int(p[1 + k])] += (20.0 / p[0]) ** 2 * share

    return profile


@jd.law
def steps(t, q, v, z, s, p, effort, dz):
    """Class II: p is the share of the torques, then where the joints are."""
    for k in range(6):
        effort[int(p[1 + k])] += p[0] * STEPS[k]


RECORD = ("time", "q", "v", "z", "effort", "energy")
MANOEUVRES = {"I-f": 20.0, "I-s": 60.0, "II-f": 20.0, "II-s": 60.0}


def manoeuvre(model: jd.Model, name: str, step: float | None = None) -> jd.Run:
    """One of I-f, I-s (profiles of 20 and 60 s), II-f, II-s (constant torques for half of the time).

    step    of rk4 [s], for models that may blow up: an adaptive method would follow them with ever shorter steps
    """
    T = MANOEUVRES[name]
    where = [float(model.index.v[joint]) for joint in JOINTS]
    options = {"output": 0.05, "progress": False} | ({"rtol": 1e-7, "atol": 1e-9} if step is None else {"step": step})
    if name.startswith("I-"):
        return jd.simulate(model, model.state(), T, controller=profile()(T, *where), **options)
    share = 1.0 if name == "II-f" else 0.1
    first = jd.simulate(model, model.state(), T / 2, controller=steps(share, *where), **options)
    second = jd.simulate(model, first.state(), T, **options)
    both = {what: np.concatenate([getattr(first.record, what)[:-1], getattr(second.record, what)]) for what in RECORD}
    for column in (ENERGY.index("work"), ENERGY.index("dissipated")):  # each run counts these from its own start
        both["energy"][len(first) - 1 :, column] += first.record.energy[-1, column]
    return jd.Run(model, Record(**both), second.options)


def joint_angles(run: jd.Run) -> np.ndarray:
    """Angles of the six joints, (time, 6) [rad]."""
    return np.stack([run.record.q[:, run.model.index.q[joint]] for joint in JOINTS], axis=1)


def drift(run: jd.Run) -> float:
    """e_RMS of the paper's eqs. 30 to 32: energy balance over the largest energy [%]."""
    balance, total = run.energy["balance"].values, run.energy["total"].values
    return 100.0 * float(np.sqrt(np.mean(balance**2)) / np.max(np.abs(total)))


def boom_tip(run: jd.Run, count: int = 8) -> np.ndarray:
    """Displacement of the tip of the first boom in the frame of its root, (time, 3) [m]."""
    segments = "boom2_0.origin" in run.model.frame_names
    root, tip = ("boom2_0.origin", f"boom2_{count}.tip") if segments else ("boom2.root", "boom2.tip")
    return seen_from(run, root, tip) - np.array([6.4, 0.0, 0.0])
