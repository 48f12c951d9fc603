"""How fast held bodies creep: a box on an incline and a pinched capsule, beside MuJoCo and Drake."""

from __future__ import annotations

from functools import partial

import contact_drake
import mujoco
import numpy as np
from results import Limit

import jourdain as jd

FRICTION, SLOPE = 0.7, np.radians(10.0)
DOWNHILL = (9.81 * np.sin(SLOPE), 0.0, -9.81 * np.cos(SLOPE))
SIZE = (0.2, 0.2, 0.1)
RADIUS, LENGTH, HELD_MASS, PAD_MASS = 0.01, 0.04, 0.045, 0.2
GRIPS = (12.0, 60.0)
TIMES = [2.0, 3.0]
"""Drift is taken between these [s]."""
STILL = 1e-9
"""What the project asks for [m/s]."""
SETS = {
    "stiff, step 50 us": (5e-5, 1e6, {"stiffness": 1e5, "damping": 316.0, "stribeck": 1e-3}, 1e-3),
    "soft, step 1 ms": (1e-3, 1e5, {"stiffness": 1e4, "damping": 64.0, "stribeck": 1e-2}, 0.05),
}
CONES = {
    "MuJoCo, pyramids (default)": {},
    "MuJoCo, elliptic cones, impratio 10": {"cone": "elliptic", "impratio": "10"},
}


DEFAULT, STIFFEST = "0.02 1", "0.002 1"
"""MuJoCo's time constants of contact: its default; and two steps, the least, without which the pads sink in by mm."""


def drift(places: np.ndarray) -> float:
    """Speed between the two times, in any direction [m/s]."""
    return float(np.linalg.norm(places[1] - places[0]) / (TIMES[1] - TIMES[0]))


def our_box(step: float, stiffness: float, bristles: dict[str, float], slow_speed: float) -> float:
    """Drift of a box of 1 kg that fell by half a millimetre [m/s]."""
    system = jd.System("box", gravity=DOWNHILL)
    shape = jd.Box(SIZE)
    system.add(jd.RigidBody.from_shape("box", shape, density=1.0 / shape.volume), joint=jd.Free("free"))
    normal = jd.HertzContact(stiffness=stiffness, restitution=0.5, slow_speed=slow_speed)
    friction = jd.BristleFriction(kinetic=FRICTION, **bristles)
    system.contact("feet", shape.at("box.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=friction)
    model = system.compile()
    at = model.state(q={"free": jd.Pose((0.0, 0.0, SIZE[2] / 2 + 5e-4))})
    run = jd.simulate(
        model, at, until=TIMES[1], step=step, output=TIMES[1] - TIMES[0], progress=False, step_check="warn"
    )
    return drift(run.frame("box.origin").position.values[-2:])


def our_capsule(grip: float) -> float:
    """Drift of a capsule of 45 g held by its flanks; bristles critically damped under the load [m/s]."""
    system = jd.System("pinch", gravity=(0, 0, -9.81))
    capsule, stiffness = jd.Capsule(RADIUS, LENGTH), 1e7
    system.add(jd.RigidBody.from_shape("capsule", capsule, density=HELD_MASS / capsule.volume), joint=jd.Free("free"))
    system.add(jd.RigidBody("pad", mass=PAD_MASS, inertia=(1, 1, 1)), joint=jd.Prismatic("grip", axis="x"))
    system.force("squeeze", at="pad.origin", force=(-grip, 0, 0))
    damping = 2.0 * float(np.sqrt(1e4 * HELD_MASS / (2.0 * grip)))
    laws = {
        "normal": jd.HertzContact(stiffness=stiffness, restitution=0.5, slow_speed=0.2),
        "friction": jd.BristleFriction(kinetic=FRICTION, stiffness=1e4, damping=damping, stribeck=0.05),
    }
    system.contact("left", capsule.at("capsule.origin"), jd.Plane((1, 0, 0)).at("world"), **laws)
    system.contact("right", capsule.at("capsule.origin"), jd.Plane((-1, 0, 0)).at("pad.origin"), **laws)
    model = system.compile()
    depth = (0.5 * grip / stiffness) ** (2 / 3)
    at = model.state(q={"free": jd.Pose((RADIUS - depth, 0, 0)), "grip": 2 * RADIUS - 2 * depth})
    run = jd.simulate(
        model, at, until=TIMES[1], step=2e-5, output=TIMES[1] - TIMES[0], progress=False, step_check="warn"
    )
    return drift(run.frame("capsule.origin").position.values[-2:])


HEAD = """<mujoco><compiler autolimits="true"/>
<option timestep="0.001" gravity="{gravity}" cone="{cone}" impratio="{impratio}"/>
<default><geom solref="{solref}" friction="{friction} 0.005 0.0001"/></default>
<worldbody>{bodies}</worldbody></mujoco>"""
BOX = """<geom type="plane" size="5 5 1"/>
<body pos="0 0 {height}"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1"/></body>"""
PINCH = """<geom type="box" size="0.01 0.1 0.1" pos="-0.01 0 0"/>
<body pos="0.02 0 0"><joint type="slide" axis="1 0 0"/><geom type="box" size="0.01 0.1 0.1" pos="0.01 0 0"
mass="0.2"/></body><body pos="0.01 0 0"><freejoint/><geom type="capsule" size="0.01 0.02" mass="0.045"/></body>"""


def in_mujoco(
    bodies: str, gravity: str, held: int, push: float, solref: str, cone: str = "pyramidal", impratio: str = "1"
) -> float:
    """Drift of body `held` in MuJoCo at 1 ms; `push` acts along the first slide, `solref` is its compliance [m/s]."""
    text = HEAD.format(gravity=gravity, cone=cone, impratio=impratio, solref=solref, friction=FRICTION, bodies=bodies)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    if push:
        data.qfrc_applied[0] = -push
    places = []
    for time in TIMES:
        while data.time < time - 1e-9:
            mujoco.mj_step(model, data)
        places.append(data.xpos[held].copy())
    return drift(np.array(places))


def measure() -> tuple[list[tuple[str, ...]], list[Limit]]:
    """Rows (what, code, drift), ours with a verdict and as limits, the peers at 1 ms."""
    gravity = " ".join(f"{x:.15g}" for x in DOWNHILL)
    boxes = {f"ours, {name}": partial(our_box, *numbers) for name, numbers in SETS.items()}
    body = BOX.format(height=SIZE[2] / 2 + 5e-4)
    boxes |= {name: partial(in_mujoco, body, gravity, 1, 0.0, DEFAULT, **cone) for name, cone in CONES.items()}
    times = list(TIMES)
    if not contact_drake.missing():
        for solver in contact_drake.SOLVERS:
            run = partial(contact_drake.box, solver, 1e-3, FRICTION, DOWNHILL, SIZE, times)
            boxes[f"Drake, hydroelastic, {solver}"] = lambda run=run: drift(run())
    cases = [("box on a 10-degree incline", name, run) for name, run in boxes.items()]
    for grip in GRIPS:
        held = {"ours, step 20 us": partial(our_capsule, grip)}
        held |= {
            name: partial(in_mujoco, PINCH, "0 0 -9.81", 2, grip, STIFFEST, **cone) for name, cone in CONES.items()
        }
        if not contact_drake.missing():
            for solver in contact_drake.SOLVERS:
                run = partial(contact_drake.capsule, solver, 1e-3, FRICTION, grip, RADIUS, LENGTH, times)
                held[f"Drake, hydroelastic, {solver}"] = lambda run=run: drift(run())
        cases += [(f"capsule pinched with {grip:g} N", name, run) for name, run in held.items()]
    rows, limits = [], []
    for what, name, run in cases:
        speed, verdict = run(), ""
        if name.startswith("ours"):
            limits.append(Limit(f"drift of a {what}, {name}", 1e6 * speed, "um/s", 1e6 * STILL))
            verdict = limits[-1].verdict
        rows.append((what, name, f"{speed * 1e6:.3g} um/s", verdict))
    if contact_drake.missing():
        rows.append(("both", "Drake", contact_drake.missing(), ""))
    return rows, limits


HELD = ("what", "code", "drift", f"< {STILL * 1e6:g} um/s")
