"""A peg of 20 mm pushed into a chamfered hole 0.05 mm wider, two degrees askew: ours, MuJoCo and Drake.

The wrist is the same chain of springs in all three. Ours has the round hole. MuJoCo has a ring of convex
pieces whose faces touch bore and chamfer; Drake a rigid mesh of it and a compliant peg with the same k_v. What counts
as deep is found from the peg's pose alone. A code qualifies at a step if the peg goes in and is never deeper.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import contact_drake
import mujoco
import numpy as np
from contact_drake import drake
from results import Row
from scipy.spatial.transform import Rotation
from timing import whole_runs

import jourdain as jd
from jourdain.methods import worksites

LENGTH, DEPTH, CHAMFER, BORE, RADIUS = 0.06, 0.04, 0.002, 0.010025, 0.01
TILT, FRICTION, STIFFNESS = np.radians(2.0), 0.05, 5e12
AHEAD, ASIDE, TURN = (500.0, 25.0), (2000.0, 50.0), (0.3, 0.012)
"""Stiffness and damping of the wrist along its feed, across it, and of its hinges."""
STROKE, DURATION, UNTIL = 0.03, 1.2, 1.3
START = (LENGTH * np.sin(TILT), 0.0, LENGTH * np.cos(TILT) + RADIUS * np.sin(TILT) + DEPTH + 5e-4)
DEEPEST, THROUGH = 1e-5, 0.025
"""Deepest that the peg may be in the wall, and how far it must go in [m]."""
STEPS = (1e-3, 5e-4, 2.5e-4, 1e-4)
FASTER = {"Drake": 3.0, "MuJoCo": 1.0}
Motion = tuple[np.ndarray, np.ndarray]
"""Places of the peg's lower end and its orientations, at every step."""


def sunk(path: Motion) -> tuple[float, float]:
    """How deep it was at the worst, its rim in the wall or the bore's in it, and how far it went in [m]."""
    places, turned = path
    angle = np.radians(np.arange(0.0, 360.0, 5.0))
    circle = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    low = places[:, :, None]
    rim = low + RADIUS * turned @ circle
    out = np.hypot(rim[:, 0], rim[:, 1]) - BORE
    above = rim[:, 2] - (DEPTH - CHAMFER)
    wall = np.where(above < 0.0, out, np.where(above < CHAMFER, (out - above) / np.sqrt(2.0), -1.0))
    seen = turned.transpose(0, 2, 1) @ (BORE * circle + [[0.0], [0.0], [DEPTH - CHAMFER]] - low)
    peg = np.where(seen[:, 2] > 0.0, RADIUS - np.hypot(seen[:, 0], seen[:, 1]), -1.0)
    return float(max(wall.max(), peg.max())), float(DEPTH - places[-1, 2])


def fed(times: np.ndarray) -> np.ndarray:
    """What the feed adds to the force of the spring ahead and of its damper, along +z [N]."""
    s = np.minimum(times / DURATION, 1.0)
    place = STROKE * (s - np.sin(2.0 * np.pi * s) / (2.0 * np.pi))
    rate = STROKE / DURATION * (1.0 - np.cos(2.0 * np.pi * s))
    return -AHEAD[0] * place - AHEAD[1] * rate


def ours() -> tuple[jd.Model, jd.State]:
    """The peg on its wrist; the feed is a force on its first slide, as it is for the others."""
    system = jd.System("peg")
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    ahead, aside, turn = ({"stiffness": k, "damping": c} for k, c in (AHEAD, ASIDE, TURN))
    system.add(jd.RigidBody("stage_z", **small), jd.Prismatic("z", "z", **ahead), position=START)
    system.add(jd.RigidBody("stage_x", **small), jd.Prismatic("x", "x", **aside), to="stage_z.origin")
    system.add(jd.RigidBody("stage_y", **small), jd.Prismatic("y", "y", **aside), to="stage_x.origin")
    ring = jd.RigidBody("ring", mass=0.02, inertia=(1e-5,) * 3)
    system.add(ring, jd.Revolute("roll", "x", **turn), to="stage_y.origin")
    held = {"com": (0, 0, 0.5 * LENGTH), "frames": {"grip": (0, 0, LENGTH)}}
    peg = jd.RigidBody("peg", mass=1.0, inertia=(3.25e-4, 3.25e-4, 5e-5), **held)
    system.add(peg, jd.Revolute("pitch", "y", rest=TILT, **turn), to="ring.origin", at="grip")
    kit = worksites.peg_in_hole(2 * RADIUS, 2 * (BORE - RADIUS), DEPTH, LENGTH, CHAMFER)
    normal = jd.VolumetricContact(stiffness=STIFFNESS, restitution=0.3, slow_speed=0.1)
    friction = jd.BristleFriction(kinetic=FRICTION, stiffness=1e5, damping=20.0, stribeck=1e-2)
    system.contact("fit", kit.peg.at("peg.origin"), kit.block.at("world"), normal=normal, friction=friction)
    model = system.compile()
    return model, model.state(q={"pitch": TILT})


@jd.law(states=0)
def feed(t, q, v, z, s, p, effort, dz):
    part = min(t / p[1], 1.0)
    turn = 2.0 * np.pi * part
    effort[0] -= p[2] * p[0] * (part - np.sin(turn) / (2.0 * np.pi)) + p[3] * p[0] / p[1] * (1.0 - np.cos(turn))


def run_ours(model: jd.Model, state: jd.State, step: float, every: float) -> Motion:
    """Implicit steps that leave nothing of what vibrates faster than they are long, as MuJoCo's and Drake's do."""
    law, method = feed(STROKE, DURATION, *AHEAD), jd.implicit.GeneralizedAlpha(spectral_radius=0.0)
    words = {"method": method, "rtol": 1e-6, "atol": 1e-9, "controller": law, "progress": False}
    run = jd.simulate(model, state, until=UNTIL, step=step, output=every, **words)
    pose = run.frame("peg.origin")
    return pose.position.values, Rotation.from_quat(pose.quaternion.values, scalar_first=True).as_matrix()


def in_mujoco(step: float, segments: int = 16, constant: float = 8.0) -> Motion:
    """Contacts with a time constant of so many steps and impedance up to its bound.

    With 24 pieces and more it wedges on their seams, where the normals of two neighbours contradict each other, or is
    too deep, at every step and time constant. Of 8 to 32 pieces and 2 to 16 steps, this is the roundest hole that
    serves, at the longest step.
    """
    words = f'friction="{FRICTION} 0 0" condim="3" solref="{constant * step} 1" solimp="0.999 0.9999 1e-6"'
    profile = ((BORE, 0.0), (BORE, DEPTH - CHAMFER), (BORE + CHAMFER, DEPTH), (0.03, DEPTH), (0.03, 0.0))
    slant = np.tan(np.pi / segments)
    corners = " ".join(f"{r:.9g} {side * r * slant:.9g} {z:.9g}" for r, z in profile for side in (-1, 1))
    turns = 2.0 * np.pi * np.arange(segments) / segments
    geoms = [f'<body euler="0 0 {angle}"><geom type="mesh" mesh="wall" {words}/></body>' for angle in turns]
    ahead, aside, turn = (f'stiffness="{k}" damping="{d}"' for k, d in (AHEAD, ASIDE, TURN))
    small = '<inertial pos="0 0 0" mass="0.1" diaginertia="1e-4 1e-4 1e-4"/>'
    text = f"""<mujoco><compiler angle="radian" eulerseq="XYZ"/>
    <option timestep="{step}" gravity="0 0 0" cone="elliptic" impratio="10" integrator="implicitfast"
    iterations="100" tolerance="1e-12"/><asset><mesh name="wall" vertex="{corners}"/></asset><worldbody>{"".join(geoms)}
    <body pos="{START[0]} {START[1]} {START[2]}">{small}<joint type="slide" axis="0 0 1" {ahead}/>
    <body>{small}<joint type="slide" axis="1 0 0" {aside}/><body>{small}<joint type="slide" axis="0 1 0" {aside}/>
    <body><inertial pos="0 0 0" mass="0.02" diaginertia="1e-5 1e-5 1e-5"/><joint axis="1 0 0" {turn}/>
    <body name="peg"><inertial pos="0 0 {-0.5 * LENGTH}" mass="1" diaginertia="3.25e-4 3.25e-4 5e-5"/>
    <joint axis="0 1 0" springref="{TILT}" {turn}/>
    <geom type="cylinder" size="{RADIUS} {0.5 * LENGTH}" pos="0 0 {-0.5 * LENGTH}" {words}/>
    </body></body></body></body></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[4] = TILT
    count = round(UNTIL / step)
    pushes = fed(step * np.arange(count))
    places, turned = np.empty((count, 3)), np.empty((count, 3, 3))
    body = model.body("peg").id
    place, matrix, push = data.xpos[body], data.xmat[body], data.qfrc_applied
    for k in range(count):
        push[0] = pushes[k]
        mujoco.mj_step(model, data)
        places[k], turned[k] = place, matrix.reshape(3, 3)
    return places - LENGTH * turned[:, :, 2], turned


def _block(path: Path, segments: int) -> None:
    """The drilled block with its chamfer, as a mesh: a square outside, flats that touch the bore inside."""
    angle = 2.0 * np.pi * (np.arange(segments) + 0.5) / segments
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    square = 0.04 * unit / np.max(np.abs(unit), axis=1)[:, None]
    outer = 1.0 / np.cos(np.pi / segments)
    levels = (
        (square, 0.0),
        (BORE * outer * unit, 0.0),
        (BORE * outer * unit, DEPTH - CHAMFER),
        ((BORE + CHAMFER) * outer * unit, DEPTH),
        (square, DEPTH),
    )
    lines = [f"v {x:.12g} {y:.12g} {z:.12g}" for ring, z in levels for x, y in ring]
    for level in range(5):
        for k in range(segments):
            a, b = level * segments + k + 1, level * segments + (k + 1) % segments + 1
            c, d = (level + 1) % 5 * segments + k + 1, (level + 1) % 5 * segments + (k + 1) % segments + 1
            lines += [f"f {a} {c} {b}", f"f {b} {c} {d}"]
    path.write_text("\n".join(lines) + "\n")


def in_drake(step: float, every: float, segments: int = 72) -> Motion:
    """SAP, hydroelastic: a compliant peg with modulus k_v times its radius, in a rigid block.

    72 facets are as few as make a peg that is round to 10 um.
    """
    builder = drake.DiagramBuilder()
    config = drake.MultibodyPlantConfig(time_step=step)
    config.discrete_contact_approximation, config.contact_model = "sap", "hydroelastic"
    plant, _ = drake.AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(np.zeros(3))

    def inertia(mass: float, com: Any, *moments: float) -> Any:
        return drake.SpatialInertia.MakeFromCentralInertia(mass, com, drake.RotationalInertia(*moments))

    small, origin = (1e-4, 1e-4, 1e-4), np.zeros(3)
    stages = [plant.AddRigidBody(name, inertia(0.1, origin, *small)) for name in ("z", "x", "y")]
    ring = plant.AddRigidBody("ring", inertia(0.02, origin, 1e-5, 1e-5, 1e-5))
    peg = plant.AddRigidBody("peg", inertia(1.0, np.array([0, 0, -0.5 * LENGTH]), 3.25e-4, 3.25e-4, 5e-5))
    first = plant.AddFrame(drake.FixedOffsetFrame("start", plant.world_frame(), drake.RigidTransform(np.array(START))))
    frames = [first, *(body.body_frame() for body in (*stages, ring, peg))]
    kinds = [("z", AHEAD, 2), ("x", ASIDE, 0), ("y", ASIDE, 1), ("roll", TURN, 0), ("pitch", TURN, 1)]
    for k, (name, (stiffness, damping), axis) in enumerate(kinds):
        turning = name in ("roll", "pitch")
        kind = drake.RevoluteJoint if turning else drake.PrismaticJoint
        joint = plant.AddJoint(kind(name, frames[k], frames[k + 1], np.eye(3)[axis], damping=damping))
        spring = drake.RevoluteSpring if turning else drake.PrismaticSpring
        plant.AddForceElement(spring(joint, TILT if name == "pitch" else 0.0, stiffness))
    plant.AddJointActuator("feed", plant.GetJointByName("z"))

    def properties(compliant: bool) -> Any:
        out = drake.ProximityProperties()
        friction = drake.CoulombFriction(FRICTION, FRICTION)
        drake.AddContactMaterial(contact_drake.DISSIPATION, None, friction, out)
        if compliant:
            drake.AddCompliantHydroelasticProperties(2.0 * np.pi * RADIUS / segments, STIFFNESS * RADIUS, out)
        else:
            drake.AddRigidHydroelasticProperties(0.01, out)
        return out

    middle = drake.RigidTransform(np.array([0, 0, -0.5 * LENGTH]))
    plant.RegisterCollisionGeometry(peg, middle, drake.Cylinder(RADIUS, LENGTH), "peg", properties(True))
    with tempfile.TemporaryDirectory() as folder:
        mesh = Path(folder) / "block.obj"
        _block(mesh, segments)
        block, world = drake.Mesh(str(mesh)), plant.world_body()
        plant.RegisterCollisionGeometry(world, drake.RigidTransform(), block, "block", properties(False))
        plant.Finalize()
        times = np.linspace(0.0, UNTIL, 261)
        force = drake.PiecewisePolynomial.CubicShapePreserving(times, fed(times)[None], True)
        source = builder.AddSystem(drake.TrajectorySource(force))
        builder.Connect(source.get_output_port(), plant.get_actuation_input_port())
        diagram = builder.Build()
        context = diagram.CreateDefaultContext()
    inside = plant.GetMyMutableContextFromRoot(context)
    plant.GetJointByName("pitch").set_angle(inside, TILT)
    simulator = drake.Simulator(diagram, context)
    places, turned = [], []
    for k in range(1, round(UNTIL / every) + 1):
        simulator.AdvanceTo(k * every)
        pose = plant.EvalBodyPoseInWorld(inside, peg)
        places.append(pose.translation() - LENGTH * pose.rotation().matrix()[:, 2])
        turned.append(pose.rotation().matrix())
    return np.array(places), np.array(turned)


def _longest(path: Callable[[float], Motion]) -> tuple[float, float] | None:
    """The longest step at which the peg goes in and stays within DEEPEST, and how deep it is then."""
    for step in STEPS:
        try:
            deep, through = sunk(path(step))
        except jd.errors.SimulationError:
            continue
        if deep <= DEEPEST and through >= THROUGH:
            return step, deep
    return None


def measure(rounds: int) -> list[Row]:
    """Processor time of the whole insertion, each code at its longest step; a code that has none gives no row."""
    model, state = ours()
    codes: dict[str, Callable[[float, float], Motion]] = {
        "ours": lambda step, every: run_ours(model, state, step, every),
        "MuJoCo": lambda step, every: in_mujoco(step),
    }
    if not contact_drake.missing():
        codes["Drake"] = in_drake
    found = {name: _longest(lambda step, path=path: path(step, step)) for name, path in codes.items()}
    steps = {name: best for name, best in found.items() if best is not None}
    if "ours" not in steps:
        return []
    runs = {name: (lambda name=name: codes[name](steps[name][0], UNTIL)) for name in steps}
    best = whole_runs(runs, rounds, time.process_time)

    def words(name: str) -> str:
        return f"step {1e3 * steps[name][0]:g} ms, {1e6 * steps[name][1]:.1f} um"

    what = f"a peg into a hole, {UNTIL:g} s, {1e6 * DEEPEST:g} um deep at most, {words('ours')}"
    return [
        Row(what, f"{peer}, {words(peer)}", best["ours"], best[peer], FASTER[peer]) for peer in steps if peer != "ours"
    ]
