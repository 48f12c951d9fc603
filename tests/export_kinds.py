"""A model of each kind of body, joint, contact, loop and controller, small and moving, for exports."""

from __future__ import annotations

import math

import numpy as np
from control_arms import TOUCHING, flexible_arm, planar_arm, random_state, touching_arm
from elements import spring_lattice
from mechanisms import four_bar, four_bar_state
from random_systems import draw

import jourdain as jd
from jourdain.study.demo import SCENARIOS

GROUND = jd.Plane((0, 0, 1)).at("world")
BRISTLES = jd.BristleFriction(0.3, 0.2, 1e3, 10.0, stribeck=0.05)


def body(kind: str):
    """A beam, a boom, a reduced part, a solid, a cable, one on a winch, a nodal beam or a plate that swings under
    gravity."""
    system = jd.System(kind, gravity=(0.0, 0.0, -9.81))
    beam = dict(length=1.2, mass_per_length=1.5, EA=1e5, EI=(80.0, 60.0), GJ=40.0)
    modes = jd.Modes(bending=2, torsion=1)
    if kind in ("stretch", "emerging"):
        made = jd.DeployableBeam("part", (0.5, 3.0), 1.5, EA=1e5, EI=(80.0, 60.0), GJ=40.0, modes=modes,
                                 deployment=kind)  # fmt: skip
    elif kind == "reduced":
        M, K, nodes = spring_lattice(np.random.default_rng(2))
        made = jd.ReducedBody("part", M, K, nodes, {"root": [0, 1, 2, 3]}, modes=5)
    elif kind == "solid":
        soft = jd.Material(E=5e7, nu=0.3, density=1000.0)
        made = jd.Solid("part", jd.mesh.block((1.0, 0.1, 0.1), (6, 1, 1)), soft, modes=4)
    elif kind == "nodes":
        soft = jd.Material(E=5e5, nu=0.3, density=1000.0)
        made = jd.Solid("part", jd.mesh.block((1.0, 0.2, 0.2), (3, 1, 1)), soft)
    elif kind == "winch":
        return winch(system)
    elif kind == "cable":
        made = jd.Cable("part", length=1.2, mass_per_length=0.5, EA=2e3, EI=2.0, elements=4)
    elif kind == "rod":
        made = jd.NodalBeam("part", length=1.2, mass_per_length=0.5, EA=2e3, EI=(8.0, 6.0), GJ=4.0, elements=2)
    elif kind == "plate":
        made = jd.Plate("part", (1.0, 0.5), thickness=0.02, material=jd.Material(E=2e5, nu=0.3, density=1000.0),
                        elements=(2, 1), held={"x0": "clamped"})  # fmt: skip
    elif kind == "sections":
        made = jd.Beam("part", **beam, modes=modes, inertia_per_length=(2e-3, 1e-3, 1e-3))
    else:
        made = jd.Beam("part", **beam, modes=modes, damping=0.01, tip_rotation=kind)
    system.add(made, jd.Revolute("hinge", axis=(0, 1, 0.2)))
    model = system.compile()
    length = {"part.length": 1.5} if "part.length" in model.names.q else {}
    return model, model.state(q={"hinge": 0.4, **length}, v={"hinge": 0.3}), {}


def winch(system):
    """A load on a cable that runs off the drum of a winch."""
    rope = jd.Cable("rope", length=2.0, mass_per_length=0.5, EA=2e3, EI=2.0, elements=3, root="pinned")
    system.add(rope, jd.Winch("drum", radius=0.1, inertia=0.05, deployed=1.0))
    system.add(jd.RigidBody("load", 1.0, inertia=(0.01, 0.01, 0.01)), jd.Spherical("hook"), to="rope.tip")
    model = system.compile()
    return model, model.state(q={"drum": 0.5}, v={"drum": 0.3}), {}


def rail():
    """A car on a beam that bends under it."""
    system = jd.System("railway", gravity=(0.0, 0.0, -9.81))
    beam = jd.Beam("track", 3.0, 2.0, EA=1e5, EI=(80.0, 60.0), GJ=40.0, modes=jd.Modes(bending=2))
    system.add(beam, jd.Revolute("hinge", axis=(0, 1, 0.2)))
    system.add(jd.RigidBody("car", 0.5, inertia=(0.01, 0.01, 0.01)), jd.Rail("rail"), to="track.origin")
    model = system.compile()
    return model, model.state(q={"hinge": 0.4, "rail": 1.0}, v={"rail": 0.5}), {}


def dropped(shape, ground, law, friction=None, height=0.0, **more):
    """A free body that falls on another shape with some spin."""
    system = jd.System("drop", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody.from_shape("thing", shape, density=500.0), jd.Free("free"))
    system.contact("touch", shape.at("thing.origin"), ground, normal=law, friction=friction)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0.013, -0.007, height))}, v={"free": [0.2, 0.3, 0.1, 0.1, 0.05, -0.4]})
    return model, state, {"steps": 300, "step": 2.0**-13, **more}


def contact(family: str):
    hertz, volume = jd.contact.LinearContact(2e4, damping=0.5), jd.VolumetricContact(stiffness=1e7, restitution=0.5)
    box, ball, can = jd.Box((0.2, 0.2, 0.2)), jd.Sphere(0.1), jd.Cylinder(0.05, 0.2)
    if family == "round":
        return dropped(ball, GROUND, hertz, BRISTLES, 0.101)
    if family == "points":
        return dropped(box, GROUND, hertz, jd.CoulombFriction(0.3), 0.102, steps=3000, step=2.0**-16)
    if family == "meshes":
        corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.08, 0.08) for z in (-0.09, 0.09)]
        return dropped(jd.shapes.ConvexMesh(corners), GROUND, hertz, BRISTLES, 0.092)
    if family == "mixed":
        table = jd.Cells([jd.Box((0.5, 0.5, 0.2)).moved((x, 0.0, -0.1)) for x in (-0.25, 0.25)])
        return dropped(ball, table.at("world"), volume, BRISTLES, 0.1005)
    if family == "caps":
        return dropped(ball, GROUND, volume, BRISTLES, 0.1005)
    if family == "flats":
        return dropped(box, jd.Box((1, 1, 0.5)).at("world", position=(0, 0, -0.25)), volume, BRISTLES, 0.1005)
    if family == "balls":
        return dropped(ball, jd.Sphere(0.3).at("world", position=(0, 0, -0.3)), volume, None, 0.1005)
    if family == "rolls":
        return dropped(can, GROUND, volume, BRISTLES, 0.1005)
    if family == "user":
        return dropped(ball, GROUND, stiff(2e4, 0.5), sliding(0.3), 0.1005)
    raise KeyError(family)


@jd.contact.normal_law(states=1)
def stiff(depth, rate, impact_speed, z, p, dz):
    dz[0] = depth
    return max(p[0] * depth * math.sqrt(depth) * (1.0 + p[1] * rate), 0.0)


@jd.contact.friction_law
def sliding(load, slip, z, p, dz):
    return (-p[0] * load * slip[0], -p[0] * load * slip[1], -p[0] * load * slip[2])


@jd.law(states=1, markers=("l2.tip",))
def spring(t, q, v, z, s, p, effort, dz):
    dz[0] = s[0] - z[0]
    effort[0] += p[0] * math.sin(t) - p[1] * z[0] - 0.2 * v[0]


def pile():
    system = jd.System("pile", gravity=(0.0, 0.0, -9.81))
    shapes = []
    for i in range(6):
        ball = jd.Sphere(0.05)
        system.add(jd.RigidBody.from_shape(f"b{i}", ball, density=500.0), jd.Free(f"f{i}"))
        shapes.append(ball.at(f"b{i}.origin"))
    system.collide("pile", [*shapes, GROUND], normal=jd.contact.LinearContact(5e3, damping=0.5), friction=BRISTLES)
    model = system.compile()
    q = {f"f{i}": jd.Pose((0.03 * (i % 2), 0.09 * (i // 2), 0.06 + 0.11 * (i % 2))) for i in range(6)}
    return model, model.state(q=q), {"steps": 1200, "step": 2.0**-13}


METHODS = {
    "projection": lambda: jd.constraints.Projection(),
    "baumgarte": lambda: jd.constraints.Baumgarte(rate=50.0),
    "unstabilised": lambda: jd.constraints.Unstabilised(),
    "null space": lambda: jd.constraints.NullSpace(),
    "orthogonal": lambda: jd.constraints.Orthogonal(),
    "partitioning": lambda: jd.constraints.Partitioning(),
    "momenta": lambda: jd.constraints.Momenta(),
    "conjugate gradients": lambda: jd.constraints.ConjugateGradients(),
}


def loop(method: str):
    model = four_bar().compile()
    return model, four_bar_state(model), {"constraints": METHODS[method](), "inputs": ()}


JOINTS = ["j0", "j1", "j2"]
REACH = {name: jd.Cycloid(to=0.5, duration=1.0) for name in JOINTS}


def controller(kind: str):
    arm = planar_arm()
    state = random_state(arm)
    goal = {"j0": 0.3, "j1": 0.5, "j2": -0.2}
    pd = jd.control.PD(JOINTS, 60.0, 12.0, reference=goal)
    if kind == "flexible LQR":
        arm = flexible_arm()
        rest = arm.equilibrium(arm.state(q={"shoulder": 0.2, "elbow": 0.4}), hold=("shoulder", "elbow")).state
        return arm, random_state(arm, {"shoulder": 0.2, "elbow": 0.4}, size=0.02), {
            "controller": jd.control.LQR(arm, rest, 1.0, 0.1)}  # fmt: skip
    if kind == "predictive":
        state = arm.state(q={"j0": 0.2, "j1": 0.1, "j2": 0.3})
    if kind == "impedance":
        arm = touching_arm(2.089, 1e4)
        state = arm.state(q=TOUCHING)
    law = {
        "PD": lambda: pd,
        "PID": lambda: jd.control.PID(JOINTS, 60.0, 20.0, 12.0, reference=goal, limit=80.0),
        "PD with gravity": lambda: jd.control.PD(JOINTS, 60.0, 12.0, reference=goal, model=arm),
        "computed torque": lambda: jd.control.ComputedTorque(arm, JOINTS, 25.0, 10.0, goal),
        "cartesian": lambda: jd.control.Cartesian(arm, "l2.tip", 25.0, 10.0, {"x": 2.0}, directions="xy", start=state),
        "impedance": lambda: jd.control.Impedance(
            arm, "l2.tip", 4.0, 40.0, 100.0, directions="xy", contact="touch", start=TOUCHING
        ),
        "LQR": lambda: jd.control.LQR(arm, arm.state(q=goal), 1.0, 0.1),
        "LQG": lambda: jd.control.LQG(arm, arm.state(q=goal), 1.0, 0.1, W=1e-2, V=1e-6, measured=JOINTS),
        "predictive": lambda: jd.control.Sampled(
            jd.control.Predictive(arm, state, 10, 1e-3, 2.0**-6, REACH), 2.0**-6
        ),
        "sampled": lambda: jd.control.Sampled(
            pd, 2.0**-8, delay=2.0**-9, sensors=[jd.control.JointSensor(JOINTS, noise=1e-3, resolution=1e-4)]
        ),
        "sampled law": lambda: jd.control.Sampled(spring(3.0, 1.0), 2.0**-8),
        "filtered": lambda: jd.control.Filtered(pd, jd.control.Filter.low_pass(20.0), signal="velocity"),
        "filtered twice": lambda: jd.control.Sampled(
            jd.control.Filtered(
                jd.control.ComputedTorque(arm, JOINTS, 25.0, 10.0, goal), jd.control.Filter.low_pass(20.0),
                signal="velocity",
            ),
            2.0**-8,
        ),
        "user law": lambda: spring(3.0, 1.0),
        "two": lambda: [pd, spring(3.0, 1.0)],
    }[kind]()  # fmt: skip
    return arm, state, {"controller": law}


def drawn(seed: int):
    one = draw(seed)
    model = one.system.compile()
    return model, model.state(one.q, one.v), {"motions": one.motions, "steps": 400, "step": 2.0**-12}


def scenario(name: str):
    from jourdain.study.scenario.scenario_file import load_scenario

    one = load_scenario(SCENARIOS / f"{name}.yaml")
    given = {"motions": one.motions, "controller": one.controller}
    steps = {"flagship": 12_000, "peg_in_hole": 2_400, "touch_plate": 16_000}.get(name, 4_000)
    step = {"flagship": 2.0**-9, "peg_in_hole": 2.0**-12, "touch_plate": 2.0**-13}.get(name, 2.0**-10)
    return one.model, one.state, {"steps": steps, "step": step, **{key: value for key, value in given.items() if value}}


def orbit():
    system = jd.System("orbiter", environment=jd.Orbit(altitude=500e3, eccentricity=0.2))
    system.add(jd.RigidBody("hub", 10.0, inertia=(3, 4, 5), frames={"port": (1, 0, 0)}), jd.Free("free"))
    beam = jd.Beam("boom", 3.0, 0.5, 1e6, 80.0, 40.0, modes=jd.Modes(bending=1, torsion=1), tip_rotation="integrated")
    system.add(beam, jd.Revolute("hinge"), to="hub.port")
    model = system.compile()
    return model, model.state(q={"hinge": 0.3}, v={"hinge": 0.05, "free": [0.01, 0.02, 0.0, 0.1, 0.0, 0.0]}), {}


def swinging(joint):
    """Two rods, the second on the joint."""
    rng = np.random.default_rng(5)
    system = jd.System("joint", gravity=(0.0, 0.3, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0.01, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    system.add(jd.RigidBody("upper", **link), jd.Revolute("shoulder", axis="y", friction=0.2))
    system.add(jd.RigidBody("fore", **link), joint, to="upper.tip")
    model = system.compile()
    state = model.state(q={"shoulder": 0.2})
    state.v[:] = 0.5 * rng.normal(size=model.nv)
    return model, state, {}


def joint(kind: str):
    made = {
        "revolute": lambda: jd.Revolute("j", axis="z", limits=(-0.1, 0.1), limit_stiffness=500.0),
        "drive": lambda: jd.Revolute("j", drive=jd.Drive(gear=10.0, rotor_inertia=1e-4, stiffness=1e3)),
        "prismatic": lambda: jd.Prismatic("j", axis="x", stiffness=50.0, damping=1.0),
        "screw": lambda: jd.Screw("j", pitch=0.3),
        "cylindrical": lambda: jd.Cylindrical("j"),
        "universal": lambda: jd.Universal("j", axes=("x", "y")),
        "spherical": lambda: jd.Spherical("j"),
        "planar": lambda: jd.Planar("j"),
        "free": lambda: jd.Free("j"),
        "weld": lambda: jd.Weld("j"),
        "tabled": lambda: jd.TableJoint("j", ("angle",), arc()),
        "lagged": lambda: jd.TableJoint("j", ("angle",), arc(np.diag([1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-4]))),
    }
    model, state, options = swinging(made[kind]())
    return model, state, {"controller": jd.control.LaggedCompliance(2.0**-8)} if kind == "lagged" else options


def arc(compliance=None):
    """A frame on an arc that turns half as much as it goes."""
    a = np.linspace(-2.0, 2.0, 15)
    place = np.column_stack([np.cos(a) - 1.0, 0 * a, np.sin(a)])
    turn = np.column_stack([np.cos(a / 4), 0 * a, np.sin(a / 4), 0 * a])
    return jd.mechanism.PoseTable([a], place, turn, compliance)
