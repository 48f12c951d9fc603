"""Rigid problems for `precision.py`: the free chain, and four-bars that close a loop each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import models
import mujoco
import numpy as np
import pinocchio as pin
import pydrake.all as drake
from closed_chains import FALL, GRAVITY, exact_head, four_bars
from peers.links import links
from peers.with_mujoco import Mujoco
from peers.with_pinocchio import Pinocchio
from precision import Problem, Series, halved, tolerances
from scipy.integrate import solve_ivp

import jourdain as jd

BODIES, UNTIL, BARS = 40, 1.0, 5
Run = Callable[[float], np.ndarray]


def ours(model: jd.Model, at: jd.State, until: float, read: Callable[[jd.State], np.ndarray], method: Any) -> Run:
    """A run of ours by a step or, for methods that choose theirs, by a tolerance."""

    def run(setting: float) -> np.ndarray:
        if method in ("dop853", "dopri5", "radau", "bdf"):
            options = {"rtol": setting, "atol": setting}
        else:
            options = {"step": setting}
        made = jd.simulate(model, at, until=until, method=method, output=until, progress=False, **options)
        return read(made.state())

    return run


def chain() -> Problem:
    """Base and hinges of the free chain after a second."""
    model = models.chain(BODIES)
    at = models.state(model)

    def read(state: jd.State) -> np.ndarray:
        return np.concatenate([state.q[:3], state.q[7:]])

    exact = ours(model, at, UNTIL, read, "dop853")(1e-13)
    other = pinocchio_chain(model, at, "DOP853")(1e-12)
    rough, steps = tolerances(2, 12), halved(0.05, 9)
    series = [
        Series("Jourdain", "dop853", ours(model, at, UNTIL, read, "dop853"), rough),
        Series("Jourdain", "rk4", ours(model, at, UNTIL, read, "rk4"), steps),
        Series("Jourdain", "radau", ours(model, at, UNTIL, read, "radau"), rough),
        Series("MuJoCo", "RK4", mujoco_chain(model, at, "RK4"), steps),
        Series("MuJoCo", "implicitfast", mujoco_chain(model, at, "IMPLICITFAST"), steps),
        Series("Drake", "runge_kutta5", drake_chain(model, at, "runge_kutta5"), rough),
        Series("Drake", "runge_kutta3", drake_chain(model, at, "runge_kutta3"), rough),
        Series("Drake", "radau3", drake_chain(model, at, "radau3"), rough),
        Series("Exudyn", "RK4", exudyn_chain(model, at, "RK44"), steps),
        Series("Exudyn", "DOPRI5", exudyn_chain(model, at, "DOPRI5"), rough),
        Series("Exudyn", "generalized alpha", exudyn_chain(model, at, "GeneralizedAlpha"), steps),
        Series("Pinocchio with SciPy", "DOP853", pinocchio_chain(model, at, "DOP853"), rough),
        Series("Pinocchio with SciPy", "RK45", pinocchio_chain(model, at, "RK45"), rough),
    ]
    known = (
        f"A free chain of {BODIES} rods, 45 degrees of freedom, for {UNTIL:g} s; position of the base and angles of "
        f"all hinges. Reference: dop853 at 1e-13; Pinocchio's equations with SciPy's DOP853 at 1e-12 end "
        f"{np.max(np.abs(exact - other)):.0e} beside it."
    )
    trust = float(np.max(np.abs(exact - other)))
    return Problem("chain", "Chain", exact, known, trust, 1e-6, "m, rad", series)


def mujoco_chain(model: jd.Model, at: jd.State, integrator: str) -> Run:
    """MuJoCo at a step."""
    peer = Mujoco(model)
    peer.model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")

    def run(step: float) -> np.ndarray:
        steps = round(UNTIL / step)
        peer.model.opt.timestep = UNTIL / steps
        peer.set(at.q, at.v)
        mujoco.mj_step(peer.model, peer.data, nstep=steps)
        return np.concatenate([peer.data.qpos[:3], peer.data.qpos[7:]])

    return run


def pinocchio_chain(model: jd.Model, at: jd.State, method: str) -> Run:
    """Pinocchio's articulated bodies in SciPy's integrator; the base's quaternion as four numbers."""
    peer = Pinocchio(model)
    own, data, n = peer.model, peer.data, peer.model.nq
    effort = np.zeros(own.nv)
    begin = np.concatenate([peer.coordinates.position(at.q), peer.coordinates.map(at.q) @ at.v])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:n], y[n:]
        x, y_, z, w = q[3:7]
        turn = pin.Quaternion(w, x, y_, z).normalized().matrix()
        a, b, c = v[3:6]
        out = np.empty_like(y)
        out[:3] = turn @ v[:3]
        out[3:7] = (
            0.5 * (w * a + y_ * c - z * b),
            0.5 * (w * b + z * a - x * c),
            0.5 * (w * c + x * b - y_ * a),
            -0.5 * (x * a + y_ * b + z * c),
        )
        out[7:n] = v[6:]
        unit = q.copy()
        unit[3:7] /= np.linalg.norm(q[3:7])
        out[n:] = pin.aba(own, data, unit, v, effort)
        return out

    def run(tolerance: float) -> np.ndarray:
        end = solve_ivp(rates, (0.0, UNTIL), begin, method, rtol=tolerance, atol=tolerance, t_eval=[UNTIL]).y[:n, -1]
        return np.concatenate([end[:3], end[7:]])

    return run


def drake_tree(model: jd.Model, step: float = 0.0) -> tuple[Any, Any, Any, dict[str, Any]]:
    """A plant with our links, free, revolute and welded: (builder, plant, scene graph, bodies)."""
    builder = drake.DiagramBuilder()
    config = drake.MultibodyPlantConfig(time_step=step)
    config.discrete_contact_approximation = "sap"
    plant, scene = drake.AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(np.array(model.arrays.gravity))
    bodies = {"world": plant.world_body()}
    for link in links(model):
        own = link.body
        J = np.array(own.inertia)
        moments = drake.RotationalInertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        inertia = drake.SpatialInertia.MakeFromCentralInertia(own.mass, np.array(own.com), moments)
        body = bodies[link.name] = plant.AddRigidBody(link.name, inertia)
        if link.joint.kind == "revolute":
            place = drake.RigidTransform(drake.RotationMatrix(link.carrier.rotation), np.array(link.carrier.position))
            frame = drake.FixedOffsetFrame(f"{link.joint.name}_at", bodies[link.parent].body_frame(), place)
            axis = np.array(link.joint.axis, float)
            plant.AddJoint(drake.RevoluteJoint(link.joint.name, plant.AddFrame(frame), body.body_frame(), axis))
    return builder, plant, scene, bodies


def integrate(diagram: Any, context: Any, until: float, scheme: str, accuracy: float) -> None:
    """Drake's simulator with an integrator that chooses its steps."""
    simulator = drake.Simulator(diagram, context)
    drake.ResetIntegratorFromFlags(simulator, scheme, until)
    simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    simulator.Initialize()
    simulator.AdvanceTo(until)


def drake_chain(model: jd.Model, at: jd.State, scheme: str) -> Run:
    """Drake's continuous plant."""
    builder, plant, _, bodies = drake_tree(model)
    plant.Finalize()
    diagram = builder.Build()
    names = [link.joint.name for link in links(model)[1:]]

    def run(accuracy: float) -> np.ndarray:
        context = diagram.CreateDefaultContext()
        inside = plant.GetMyMutableContextFromRoot(context)
        plant.SetFreeBodyPose(inside, bodies["link0"], drake.RigidTransform(at.q[:3]))
        plant.SetFreeBodySpatialVelocity(inside, bodies["link0"], drake.SpatialVelocity(at.v[:3], at.v[3:6]))
        for k, name in enumerate(names):
            joint = plant.GetJointByName(name)
            joint.set_angle(inside, at.q[7 + k])
            joint.set_angular_rate(inside, at.v[6 + k])
        integrate(diagram, context, UNTIL, scheme, accuracy)
        place = plant.EvalBodyPoseInWorld(inside, bodies["link0"]).translation()
        return np.concatenate([place, [plant.GetJointByName(name).get_angle(inside) for name in names]])

    return run


def exudyn_chain(model: jd.Model, at: jd.State, method: str) -> Run:
    """Exudyn's kinematic tree: by a step, or DOPRI5 by a tolerance."""
    import exudyn as exu
    from with_exudyn import SOLVERS, ExudynChain

    peer = ExudynChain(model, at)

    def run(setting: float) -> np.ndarray:
        adaptive = method == "DOPRI5"
        steps = 20 if adaptive else round(UNTIL / setting)
        settings = peer.settings(steps, UNTIL / steps, SOLVERS["its fastest solver"])
        time = settings.timeIntegration
        time.automaticStepSize = adaptive
        if adaptive:
            time.relativeTolerance = time.absoluteTolerance = setting
        time.newton.useModifiedNewton = True
        peer.system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method), storeSolver=False)
        q = np.array(peer.system.GetNodeOutput(peer.node, exu.OutputVariableType.Coordinates))
        return np.concatenate([q[:3], q[6:]])

    return run


def loop() -> Problem:
    """The head of the first of some four-bars after their fall."""
    model, at = four_bars(BARS)

    def read(state: jd.State) -> np.ndarray:
        return model.pose("bar0.tip", state).position[:2]

    exact = exact_head(BARS, FALL)
    rough, steps = tolerances(2, 12), halved(FALL / 8, 10)
    series = [
        Series("Jourdain", "dop853, projection", ours(model, at, FALL, read, "dop853"), rough),
        Series("Jourdain", "rk4, projection", ours(model, at, FALL, read, "rk4"), steps),
        Series("Jourdain", "radau", ours(model, at, FALL, read, "radau"), rough),
        Series(
            "Jourdain",
            "generalized-alpha, index 3",
            ours(model, at, FALL, read, "generalized-alpha"),
            steps,
        ),
        Series("MuJoCo", "RK4, stiffest connections", mujoco_loop("RK4"), steps),
        Series("MuJoCo", "implicitfast, stiffest connections", mujoco_loop("implicitfast"), steps),
        Series("Drake", "SAP, ball constraints", drake_loop(model, at), steps),
        Series("Exudyn", "generalized alpha", exudyn_loop(None), steps),
        Series("Exudyn", "trapezoidal, index 2", exudyn_loop("TrapezoidalIndex2"), steps),
        Series("Pinocchio with SciPy", "constraintDynamics, DOP853", pinocchio_loop(model, at), rough),
    ]
    known = (
        f"{BARS} four-bars in a row (IFToMM's A02) fall for {FALL:g} s; the first bar's head. Reference: all bars turn "
        "as one, whose angle is integrated at 1e-13."
    )
    return Problem("loop", "Closed loop", exact, known, 1e-12, 1e-5, "m", series)


def mujoco_loop(integrator: str) -> Run:
    """Hinges in a plane and equality constraints, whose time constant is the least that a step allows: two of them."""

    def made(step: float) -> Any:
        words = f'solref="{2 * step} 1" solimp="0.9999 0.9999 1e-6"'
        bars = "".join(
            f"""<body name="bar{i}" pos="{i} 0 0"><joint axis="0 0 1"/><inertial pos="0 0.5 0" mass="1"
            diaginertia="{1 / 12} 1e-9 {1 / 12}"/>"""
            + (
                f"""<body name="coupler{i}" pos="0 1 0"><joint axis="0 0 1"/><inertial pos="0.5 0 0" mass="1"
                diaginertia="1e-9 {1 / 12} {1 / 12}"/></body>"""
                if i < BARS
                else ""
            )
            + "</body>"
            for i in range(BARS + 1)
        )
        pins = "".join(f'<connect body1="coupler{i}" body2="bar{i + 1}" anchor="1 0 0" {words}/>' for i in range(BARS))
        return mujoco.MjModel.from_xml_string(
            f"""<mujoco><compiler balanceinertia="true"/><option timestep="{step}" integrator="{integrator}"
            gravity="0 {-GRAVITY} 0" tolerance="1e-14" iterations="200"/><worldbody>{bars}</worldbody>
            <equality>{pins}</equality></mujoco>"""
        )

    kept: dict[float, Any] = {}

    def run(step: float) -> np.ndarray:
        if step not in kept:
            kept[step] = made(step)
        data = mujoco.MjData(kept[step])
        data.qvel[:] = [-1.0, 1.0] * BARS + [-1.0]
        mujoco.mj_step(kept[step], data, nstep=round(FALL / step))
        return np.array([-np.sin(data.qpos[0]), np.cos(data.qpos[0])])

    return run


def drake_loop(model: jd.Model, at: jd.State) -> Run:
    """Drake's discrete plant, the only one that has constraints, which its SAP solver keeps nearly rigid."""
    kept: dict[float, Any] = {}
    index = model.index.v

    def made(step: float) -> tuple[Any, Any, Any]:
        builder, plant, _, bodies = drake_tree(model, step)
        tip = np.array([1.0, 0.0, 0.0])
        for i in range(BARS):
            plant.AddBallConstraint(bodies[f"coupler{i}"], tip, bodies[f"bar{i + 1}"], tip)
        plant.Finalize()
        return builder.Build(), plant, bodies["bar0"]

    def run(step: float) -> np.ndarray:
        if step not in kept:
            kept[step] = made(step)
        diagram, plant, bar = kept[step]
        context = diagram.CreateDefaultContext()
        inside = plant.GetMyMutableContextFromRoot(context)
        for link in links(model):
            plant.GetJointByName(link.joint.name).set_angular_rate(inside, at.v[index[link.joint.name]])
        simulator = drake.Simulator(diagram, context)
        simulator.Initialize()
        simulator.AdvanceTo(FALL)
        return plant.EvalBodyPoseInWorld(inside, bar).multiply(np.array([1.0, 0.0, 0.0]))[:2]

    return run


def exudyn_loop(method: str | None) -> Run:
    """Exudyn's planar bodies and joints at a step."""
    import exudyn as exu
    from exudyn_loops import ExudynFourBars

    peer = ExudynFourBars(BARS, GRAVITY)

    def run(step: float) -> np.ndarray:
        if method is None:
            return peer.run(round(FALL / step), step)
        settings = exu.SimulationSettings()
        time = settings.timeIntegration
        time.numberOfSteps, time.endTime = round(FALL / step), FALL
        time.verboseMode = time.stepInformation = 0
        time.newton.useModifiedNewton = True
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        peer.system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method), storeSolver=False)
        return np.array(peer.system.GetSensorValues(peer.first))[:2]

    return run


def pinocchio_loop(model: jd.Model, at: jd.State) -> Run:
    """Pinocchio's dynamics with loop constraints (proximal, Baumgarte's stabilisation) in SciPy's DOP853."""
    peer = Pinocchio(model)
    own, data = peer.model, peer.data
    pins, held = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for i in range(BARS):
        ends = [own.frames[peer.frames[f"{name}.tip"]] for name in (f"coupler{i}", f"bar{i + 1}")]
        pin_ = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D,
            own,
            ends[0].parentJoint,
            ends[0].placement,
            ends[1].parentJoint,
            ends[1].placement,
            pin.ReferenceFrame.LOCAL,
        )
        pin_.m_baumgarte_parameters.Kp, pin_.m_baumgarte_parameters.Kd = 400.0, 40.0
        pins.append(pin_)
        held.append(pin_.createData())
    pin.initConstraintDynamics(own, data, pins, held)
    proximal = pin.ProximalSettings(1e-12, 1e-10, 20)
    n, effort = own.nq, np.zeros(own.nv)
    begin = np.concatenate([peer.coordinates.position(at.q), peer.coordinates.map(at.q) @ at.v])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        a = pin.constraintDynamics(own, data, y[:n], y[n:], effort, pins, held, proximal)
        return np.concatenate([y[n:], a])

    def run(tolerance: float) -> np.ndarray:
        end = solve_ivp(rates, (0.0, FALL), begin, "DOP853", rtol=tolerance, atol=tolerance, t_eval=[FALL]).y[:n, -1]
        pin.framesForwardKinematics(own, data, end)
        return data.oMf[peer.frames["bar0.tip"]].translation[:2].copy()

    return run
