"""Problems with contact for `precision.py`: a ball between two walls, and a ball that slides until it rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pydrake.all as drake
from precision import Problem, Series, halved, tolerances
from precision_rigid import integrate
from scipy.integrate import solve_ivp

import jourdain as jd

Run = Callable[[float], np.ndarray]
STIFFNESS, GAP, SPEED, RATTLED = 1e5, 0.1, 1.0, 2.0
"""Of the walls [N/m], way between them, speed [m/s] and time of the ball of 1 kg [s]."""
RADIUS, FRICTION, GRAVITY, SLID, STIFF = 0.05, 0.2, 9.81, 0.5, 1e7
"""Of the ball of 1 kg that slides at first with SPEED; time [s], and stiffness of the floor [N/m]."""
DAMPED = 2.0 * 0.5 * np.sqrt(STIFF)
"""Half of critical damping, where a law is linear [N s/m]."""
SMOOTH = 1e-4
"""Speed below which a friction law that is a function of speed is made smooth [m/s]."""


def exact_place() -> float:
    """Where the ball between the walls is: straight flights, and half periods of the spring between them."""
    turn, time, place, way = np.pi / np.sqrt(STIFFNESS), 0.0, -0.5 * GAP, 1.0
    while True:
        if time + GAP / SPEED > RATTLED:
            return place + way * SPEED * (RATTLED - time)
        time, place = time + GAP / SPEED, -place
        if time + turn > RATTLED:
            return place + way * SPEED / np.sqrt(STIFFNESS) * np.sin(np.sqrt(STIFFNESS) * (RATTLED - time))
        time, way = time + turn, -way


def simulated(model: jd.Model, at: jd.State, until: float, method: Any, name: str) -> Run:
    """One coordinate of ours at the end, by a step or a tolerance."""

    def run(setting: float) -> np.ndarray:
        adaptive = method in ("dop853", "dopri5", "radau", "bdf")
        options = {"rtol": setting, "atol": setting} if adaptive else {"step": setting, "step_check": "warn"}
        made = jd.simulate(model, at, until=until, method=method, output=until, progress=False, **options)
        return made.state().q[[model.index.q[name]]]

    return run


def impacts() -> Problem:
    """The ball between two walls without gravity: springs that push."""
    system = jd.System("walls")
    ball = jd.Sphere(RADIUS)
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1e-3,) * 3), jd.Prismatic("x", axis="x"))
    law = jd.HertzContact(stiffness=STIFFNESS, restitution=1.0, exponent=1.0)
    for name, way in (("left", 1.0), ("right", -1.0)):
        wall = jd.Plane((way, 0, 0)).at("world", position=(-way * (0.5 * GAP + RADIUS), 0, 0))
        system.contact(name, ball.at("ball.origin"), wall, normal=law)
    model = system.compile()
    at = model.state(q={"x": -0.5 * GAP}, v={"x": SPEED})
    rough, steps = tolerances(2, 12), halved(4e-3, 9)
    series = [
        Series("Jourdain", "dop853", simulated(model, at, RATTLED, "dop853", "x"), rough),
        Series("Jourdain", "rk4", simulated(model, at, RATTLED, "rk4", "x"), steps),
        Series("Jourdain", "radau", simulated(model, at, RATTLED, "radau", "x"), rough),
        Series("MuJoCo", "RK4", mujoco_walls("RK4"), steps),
        Series("MuJoCo", "implicitfast", mujoco_walls("implicitfast"), steps),
        Series("Drake", "runge_kutta3", drake_walls("runge_kutta3"), rough),
        Series("Drake", "radau3", drake_walls("radau3"), rough),
        Series("Drake", "SAP", drake_walls("SAP"), steps),
        Series("Exudyn", "generalized alpha", exudyn_walls("GeneralizedAlpha"), steps),
        Series("Exudyn", "trapezoidal, index 2", exudyn_walls("TrapezoidalIndex2"), steps),
        Series("Pinocchio with SciPy", "DOP853, from event to event", pinocchio_walls(), rough),
    ]
    known = (
        f"A ball of 1 kg flies at {SPEED:g} m/s between two walls {GAP:g} m apart, springs of {STIFFNESS:g} N/m, "
        f"for {RATTLED:g} s, {int(RATTLED / (GAP / SPEED + np.pi / np.sqrt(STIFFNESS)))} impacts, no energy lost; its "
        "place. Reference: closed form, flights and half periods."
    )
    return Problem("impacts", "Impact series", np.array([exact_place()]), known, 1e-14, 1e-6, "m", series)


def mujoco_walls(integrator: str) -> Run:
    """Contacts in direct stiffness, without damping, impedance at its bound of 0.9999, which is made up for."""
    words = f'solref="{-STIFFNESS / 0.9999} 0" solimp="0.9999 0.9999 1e-6" condim="1"'
    far = 0.5 * GAP + RADIUS
    text = f"""<mujoco><option gravity="0 0 0" integrator="{integrator}" tolerance="1e-14" iterations="100"/><worldbody>
    <geom type="plane" size="1 1 1" pos="{-far} 0 0" zaxis="1 0 0" {words}/>
    <geom type="plane" size="1 1 1" pos="{far} 0 0" zaxis="-1 0 0" {words}/>
    <body><joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="1" diaginertia="1e-3 1e-3 1e-3"/>
    <geom type="sphere" size="{RADIUS}" {words}/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)

    def run(step: float) -> np.ndarray:
        model.opt.timestep = step
        data = mujoco.MjData(model)
        data.qpos[0], data.qvel[0] = -0.5 * GAP, SPEED
        mujoco.mj_step(model, data, nstep=round(RATTLED / step))
        return data.qpos.copy()

    return run


def point_contact(stiffness: float, dissipation: float, friction: float) -> Any:
    """Properties of one of two equal geometries whose pair has this stiffness."""
    out = drake.ProximityProperties()
    drake.AddContactMaterial(dissipation, 2.0 * stiffness, drake.CoulombFriction(friction, friction), out)
    return out


def drake_plant(step: float) -> tuple[Any, Any]:
    """A plant with point contact."""
    builder = drake.DiagramBuilder()
    config = drake.MultibodyPlantConfig(time_step=step, contact_model="point")
    config.discrete_contact_approximation = "sap"
    return builder, drake.AddMultibodyPlant(config, builder)[0]


def advanced(diagram: Any, context: Any, until: float, scheme: str, setting: float) -> None:
    """To the end: a discrete plant by its steps, a continuous one by an integrator."""
    if scheme == "SAP":
        simulator = drake.Simulator(diagram, context)
        simulator.Initialize()
        simulator.AdvanceTo(until)
    else:
        integrate(diagram, context, until, scheme, setting)


def half_space(normal: Any, distance: float) -> Any:
    """Pose of a half space whose surface has this normal and lies this far from the origin, against it."""
    return drake.HalfSpace.MakePose(np.array(normal, float), -distance * np.array(normal, float))


def drake_walls(scheme: str) -> Run:
    """Compliant point contact without dissipation: a continuous plant, or the discrete one with SAP."""
    kept: dict[float, Any] = {}

    def made(step: float) -> tuple[Any, Any, Any]:
        builder, plant = drake_plant(step)
        plant.mutable_gravity_field().set_gravity_vector(np.zeros(3))
        body = plant.AddRigidBody("ball", drake.SpatialInertia.SolidSphereWithMass(1.0, RADIUS))
        joint = plant.AddJoint(
            drake.PrismaticJoint("x", plant.world_frame(), body.body_frame(), np.array([1.0, 0.0, 0.0]))
        )
        words = point_contact(STIFFNESS, 0.0, 0.0)
        plant.RegisterCollisionGeometry(body, drake.RigidTransform(), drake.Sphere(RADIUS), "ball", words)
        for name, way in (("left", 1.0), ("right", -1.0)):
            place = half_space((way, 0.0, 0.0), 0.5 * GAP + RADIUS)
            plant.RegisterCollisionGeometry(plant.world_body(), place, drake.HalfSpace(), name, words)
        plant.Finalize()
        return builder.Build(), plant, joint

    def run(setting: float) -> np.ndarray:
        step = setting if scheme == "SAP" else 0.0
        if step not in kept:
            kept[step] = made(step)
        diagram, plant, joint = kept[step]
        context = diagram.CreateDefaultContext()
        inside = plant.GetMyMutableContextFromRoot(context)
        joint.set_translation(inside, -0.5 * GAP)
        joint.set_translation_rate(inside, SPEED)
        advanced(diagram, context, RATTLED, scheme, setting)
        return np.array([joint.get_translation(inside)])

    return run


def exudyn_settings(step: float, until: float) -> Any:
    """Steps on one thread, writing nothing."""
    import exudyn as exu

    settings = exu.SimulationSettings()
    time = settings.timeIntegration
    time.numberOfSteps, time.endTime = round(until / step), until
    time.verboseMode = time.stepInformation = 0
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    return settings


def exudyn_walls(method: str) -> Run:
    """A mass of one coordinate and two coordinate contacts."""
    import exudyn as exu
    from exudyn import itemInterface as item

    container = exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(
        item.Node1D(referenceCoordinates=[0.0], initialCoordinates=[-0.5 * GAP], initialVelocities=[SPEED])
    )
    system.AddObject(item.ObjectMass1D(physicsMass=1.0, nodeNumber=node))
    held = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=system.AddNode(item.NodePointGround()), coordinate=0))
    moved = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    # the gap is the second marker less the first, plus the offset
    for markers in ([held, moved], [moved, held]):
        data = system.AddNode(item.NodeGenericData(initialCoordinates=[1.0], numberOfDataCoordinates=1))
        system.AddObject(
            item.ObjectContactCoordinate(
                markerNumbers=markers, nodeNumber=data, contactStiffness=STIFFNESS, offset=-0.5 * GAP
            )
        )
    system.Assemble()

    def run(step: float) -> np.ndarray:
        settings = exudyn_settings(step, RATTLED)
        system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method), storeSolver=False)
        return np.array([system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)]).reshape(-1)

    return run


def pinocchio_walls() -> Run:
    """Pinocchio's model of a slide, the springs written by the user; SciPy finds when the ball touches and parts."""
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelPX(), pin.SE3.Identity(), "x")
    model.appendBodyToJoint(joint, pin.Inertia(1.0, np.zeros(3), 1e-3 * np.eye(3)), pin.SE3.Identity())
    model.gravity = pin.Motion.Zero()
    data = model.createData()

    half = np.pi / np.sqrt(STIFFNESS)

    def depth(t: float, y: np.ndarray, way: float, touching: bool) -> float:
        return way * y[0] - 0.5 * GAP

    def rates(t: float, y: np.ndarray, way: float, touching: bool) -> np.ndarray:
        force = -STIFFNESS * way * depth(t, y, way, touching) if touching else 0.0
        return np.array([y[1], pin.aba(model, data, y[:1], y[1:], np.array([force]))[0]])

    def run(tolerance: float) -> np.ndarray:
        time, y, way, touching = 0.0, np.array([-0.5 * GAP, SPEED]), 1.0, False
        words = {"method": "DOP853", "rtol": tolerance, "atol": tolerance, "events": depth}
        depth.terminal = True
        while time < RATTLED:
            depth.direction = -1.0 if touching else 1.0
            longest = 0.3 * half if touching else np.inf  # so that no step passes over the whole impact
            found = solve_ivp(rates, (time, RATTLED), y, max_step=longest, args=(way, touching), **words)
            time, y = found.t[-1], found.y[:, -1]
            way, touching = -way if touching else way, not touching
        return y[:1]

    return run


def rolled() -> float:
    """How far a ball on a hard floor comes: it slides until 2 v / (7 mu g), then rolls with 5/7 of its speed."""
    end = 2.0 * SPEED / (7.0 * FRICTION * GRAVITY)
    return SPEED * end - 0.5 * FRICTION * GRAVITY * end**2 + 5.0 / 7.0 * SPEED * (SLID - end)


def rolling() -> Problem:
    """A ball thrown flat on a stiff floor, at the depth at which it rests."""
    system = jd.System("floor", gravity=(0, 0, -GRAVITY))
    ball = jd.Sphere(RADIUS)
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(0.4 * RADIUS**2,) * 3), jd.Free("free"))
    normal = jd.HertzContact(stiffness=STIFF, exponent=1.0, restitution=0.5, slow_speed=1e-2)
    friction = jd.CoulombFriction(kinetic=FRICTION, transition_speed=SMOOTH)
    system.contact("floor", ball.at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=friction)
    model = system.compile()
    rest = RADIUS - GRAVITY / STIFF
    at = model.state(q={"free": jd.Pose((0, 0, rest))}, v={"free.vx": SPEED})
    rough, steps = tolerances(2, 12), halved(4e-3, 10)
    series = [
        Series("Jourdain", "dop853", simulated(model, at, SLID, "dop853", "free.x"), rough),
        Series("Jourdain", "radau", simulated(model, at, SLID, "radau", "free.x"), rough),
        Series("Jourdain", "bdf", simulated(model, at, SLID, "bdf", "free.x"), rough),
        Series("Jourdain", "rk3", simulated(model, at, SLID, "rk3", "free.x"), steps),
        Series("MuJoCo", "implicitfast, elliptic cones", mujoco_floor("implicitfast"), steps),
        Series("MuJoCo", "RK4, elliptic cones", mujoco_floor("RK4"), steps),
        Series("Drake", "SAP", drake_floor("SAP"), steps),
        Series("Drake", "radau3", drake_floor("radau3"), rough),
        Series("Exudyn", "generalized alpha", exudyn_floor("GeneralizedAlpha"), steps),
        Series("Exudyn", "trapezoidal, index 2", exudyn_floor("TrapezoidalIndex2"), steps),
        Series("Pinocchio with SciPy", "Radau", pinocchio_floor("Radau"), rough),
        Series("Pinocchio with SciPy", "LSODA", pinocchio_floor("LSODA"), rough),
    ]
    known = (
        f"A ball of 1 kg is set flat on a floor of {STIFF:g} N/m with {SPEED:g} m/s, slides with friction {FRICTION:g} "
        f"and rolls after {2.0 * SPEED / (7.0 * FRICTION * GRAVITY):.3f} s; how far it is after {SLID:g} s. Reference: "
        "Coulomb's friction on a hard floor, closed form. Laws that are functions of speed are smooth below "
        f"{1e3 * SMOOTH:g} mm/s; MuJoCo's contact is as stiff as its step allows."
    )
    return Problem("rolling", "Stiff contact with friction", np.array([rolled()]), known, 0.0, 1e-5, "m", series)


def mujoco_floor(integrator: str) -> Run:
    """Contact with a time constant of two steps, the least, and friction nearly without slip."""

    def run(step: float) -> np.ndarray:
        if step not in kept:
            words = f'solref="{2 * step} 1" solimp="0.9999 0.9999 1e-6" friction="{FRICTION} 0 0" condim="3"'
            kept[step] = mujoco.MjModel.from_xml_string(
                f"""<mujoco><option timestep="{step}" integrator="{integrator}" cone="elliptic" impratio="100"
                tolerance="1e-14" iterations="100" gravity="0 0 {-GRAVITY}"/><worldbody>
                <geom type="plane" size="9 9 1" {words}/><body pos="0 0 {RADIUS}"><freejoint/>
                <inertial pos="0 0 0" mass="1" diaginertia="{0.4 * RADIUS**2} {0.4 * RADIUS**2} {0.4 * RADIUS**2}"/>
                <geom type="sphere" size="{RADIUS}" {words}/></body></worldbody></mujoco>"""
            )
        data = mujoco.MjData(kept[step])
        data.qvel[0] = SPEED
        mujoco.mj_step(kept[step], data, nstep=round(SLID / step))
        return data.qpos[:1].copy()

    kept: dict[float, Any] = {}
    return run


def drake_floor(scheme: str) -> Run:
    """Compliant point contact by Hunt and Crossley; the continuous plant's friction is smooth below its stiction."""
    kept: dict[float, Any] = {}

    def made(step: float) -> tuple[Any, Any, Any]:
        builder, plant = drake_plant(step)
        plant.mutable_gravity_field().set_gravity_vector(np.array([0.0, 0.0, -GRAVITY]))
        body = plant.AddRigidBody("ball", drake.SpatialInertia.SolidSphereWithMass(1.0, RADIUS))
        words = point_contact(STIFF, 20.0, FRICTION)
        plant.RegisterCollisionGeometry(body, drake.RigidTransform(), drake.Sphere(RADIUS), "ball", words)
        floor = half_space((0.0, 0.0, 1.0), 0.0)
        plant.RegisterCollisionGeometry(plant.world_body(), floor, drake.HalfSpace(), "floor", words)
        plant.Finalize()
        plant.set_stiction_tolerance(SMOOTH)
        return builder.Build(), plant, body

    def run(setting: float) -> np.ndarray:
        step = setting if scheme == "SAP" else 0.0
        if step not in kept:
            kept[step] = made(step)
        diagram, plant, body = kept[step]
        context = diagram.CreateDefaultContext()
        inside = plant.GetMyMutableContextFromRoot(context)
        plant.SetFreeBodyPose(inside, body, drake.RigidTransform(np.array([0.0, 0.0, RADIUS - GRAVITY / STIFF])))
        velocity = drake.SpatialVelocity(np.zeros(3), np.array([SPEED, 0.0, 0.0]))
        plant.SetFreeBodySpatialVelocity(inside, body, velocity)
        advanced(diagram, context, SLID, scheme, setting)
        return plant.EvalBodyPoseInWorld(inside, body).translation()[:1].copy()

    return run


def exudyn_floor(method: str) -> Run:
    """A sphere on a large triangle, with linear damping and friction that is smooth below a speed."""
    import exudyn as exu
    from exudyn import itemInterface as item

    container = exu.SystemContainer()
    system = container.AddSystem()
    moment = 0.4 * RADIUS**2
    node = system.AddNode(
        item.NodeRigidBodyRotVecLG(
            referenceCoordinates=[0.0, 0.0, RADIUS - GRAVITY / STIFF, 0.0, 0.0, 0.0],
            initialVelocities=[SPEED, 0.0, 0.0, 0.0, 0.0, 0.0],
        )
    )
    body = system.AddObject(
        item.ObjectRigidBody(physicsMass=1.0, physicsInertia=[moment] * 3 + [0.0] * 3, nodeNumber=node)
    )
    ground = system.AddMarker(item.MarkerBodyRigid(bodyNumber=system.AddObject(item.ObjectGround())))
    ball = system.AddMarker(item.MarkerBodyRigid(bodyNumber=body))
    mass = system.AddMarker(item.MarkerBodyMass(bodyNumber=body))
    system.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=[0.0, 0.0, -GRAVITY]))
    data = system.AddNode(item.NodeGenericData(initialCoordinates=[0.0] * 4, numberOfDataCoordinates=4))
    system.AddObject(
        item.ObjectContactSphereTriangle(
            markerNumbers=[ball, ground],
            nodeNumber=data,
            sphereRadius=RADIUS,
            trianglePoints=exu.Vector3DList([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]),
            dynamicFriction=FRICTION,
            frictionProportionalZone=SMOOTH,
            contactStiffness=STIFF,
            contactDamping=DAMPED,
        )
    )
    system.Assemble()

    def run(step: float) -> np.ndarray:
        settings = exudyn_settings(step, SLID)
        system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method), storeSolver=False)
        return np.array(system.GetNodeOutput(node, exu.OutputVariableType.Position))[:1]

    return run


def pinocchio_floor(method: str) -> Run:
    """Pinocchio's model of two slides and a turn, the contact written by the user, in an implicit method of SciPy."""
    model = pin.Model()
    joint = 0
    for kind in (pin.JointModelPX(), pin.JointModelPZ(), pin.JointModelRY()):
        joint = model.addJoint(joint, kind, pin.SE3.Identity(), f"joint{joint}")
    model.appendBodyToJoint(joint, pin.Inertia(1.0, np.zeros(3), 0.4 * RADIUS**2 * np.eye(3)), pin.SE3.Identity())
    model.gravity = pin.Motion(np.array([0.0, 0.0, -GRAVITY]), np.zeros(3))
    data = model.createData()

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        load = max(0.0, STIFF * (RADIUS - y[1]) - DAMPED * y[4])
        slip = y[3] - RADIUS * y[5]
        rub = -FRICTION * load * np.tanh(slip / SMOOTH)
        effort = np.array([rub, load, -RADIUS * rub])
        return np.concatenate([y[3:], pin.aba(model, data, y[:3], y[3:], effort)])

    def run(tolerance: float) -> np.ndarray:
        begin = np.array([0.0, RADIUS - GRAVITY / STIFF, 0.0, SPEED, 0.0, 0.0])
        scale = tolerance * np.array([1.0, 1e-3, 1.0, 1.0, 1.0, 1.0])
        return solve_ivp(rates, (0.0, SLID), begin, method, rtol=tolerance, atol=scale, t_eval=[SLID]).y[:1, -1]

    return run
