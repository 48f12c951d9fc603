"""The held bodies in Drake: a box on an incline, and a capsule pinched between pads. Drake is an optional peer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import pydrake.all as drake
except ImportError:
    drake = None  # type: ignore[assignment]

MODULUS = 1e7
"""Hydroelastic modulus of the compliant body [Pa]; the other one is rigid."""
DISSIPATION = 20.0
"""Hunt & Crossley's, of a pair [s/m]."""
SOLVERS = ("SAP", "lagged")


def missing() -> str:
    """Why Drake is not measured; nothing where it is."""
    return "" if drake is not None else 'not measured: `pip install "jourdain[peers]"` brings it'


class _Scene:
    """A plant with hydroelastic contact and one of its solvers; point contact has one point a pair, too few here."""

    def __init__(self, solver: str, step: float, gravity: Any) -> None:
        self.builder = drake.DiagramBuilder()
        config = drake.MultibodyPlantConfig(time_step=step)
        config.discrete_contact_approximation = solver.lower()
        config.contact_model = "hydroelastic"
        self.plant, _ = drake.AddMultibodyPlant(config, self.builder)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, float))

    def properties(self, friction: float, compliant: bool, size: float) -> Any:
        """What a geometry says of its contact."""
        out = drake.ProximityProperties()
        drake.AddContactMaterial(DISSIPATION, None, drake.CoulombFriction(friction, friction), out)
        if compliant:
            drake.AddCompliantHydroelasticProperties(size, MODULUS, out)
        else:
            drake.AddRigidHydroelasticProperties(size, out)
        return out

    def body(self, name: str, inertia: Any, shape: Any, properties: Any) -> Any:
        """A body with one shape at its origin."""
        body = self.plant.AddRigidBody(name, inertia)
        self.plant.RegisterCollisionGeometry(body, drake.RigidTransform(), shape, name, properties)
        return body

    def path(self, body: Any, times: list[float], start: Callable[[Any, Any], None]) -> np.ndarray:
        """Positions (len(times), 3) of a body."""
        diagram = self.builder.Build()
        context = diagram.CreateDefaultContext()
        inside = self.plant.GetMyMutableContextFromRoot(context)
        start(self.plant, inside)
        simulator = drake.Simulator(diagram, context)
        out = []
        for time in times:
            simulator.AdvanceTo(time)
            out.append(self.plant.EvalBodyPoseInWorld(inside, body).translation())
        return np.array(out)


def dropped(solver: str, step: float, friction: float, size: Any, height: float, times: list[float]) -> Any:
    """Positions of a box of 1 kg, compliant, that falls from a height on a rigid floor."""
    scene = _Scene(solver, step, (0.0, 0.0, -9.81))
    size = np.array(size, float)
    inertia = drake.SpatialInertia.SolidBoxWithMass(1.0, *size)
    body = scene.body("box", inertia, drake.Box(*size), scene.properties(friction, True, float(size.min()) / 2))
    floor = drake.RigidTransform(np.array([0.0, 0.0, -0.5]))
    scene.plant.RegisterCollisionGeometry(
        scene.plant.world_body(), floor, drake.Box(4.0, 4.0, 1.0), "floor", scene.properties(friction, False, 1.0)
    )
    scene.plant.Finalize()

    def start(plant: Any, context: Any) -> None:
        plant.SetFreeBodyPose(context, body, drake.RigidTransform(np.array([0.0, 0.0, 0.5 * size[2] + height])))

    return scene.path(body, times, start)


def box(solver: str, step: float, friction: float, gravity: Any, size: Any, times: list[float]) -> Any:
    """Positions of a box of 1 kg, compliant, dropped from half a millimetre on a rigid floor."""
    scene = _Scene(solver, step, gravity)
    size = np.array(size, float)
    inertia = drake.SpatialInertia.SolidBoxWithMass(1.0, *size)
    body = scene.body("box", inertia, drake.Box(*size), scene.properties(friction, True, float(size.min()) / 2))
    floor = drake.RigidTransform(np.array([0.0, 0.0, -0.5]))
    scene.plant.RegisterCollisionGeometry(
        scene.plant.world_body(), floor, drake.Box(4.0, 4.0, 1.0), "floor", scene.properties(friction, False, 1.0)
    )
    scene.plant.Finalize()

    def start(plant: Any, context: Any) -> None:
        plant.SetFreeBodyPose(context, body, drake.RigidTransform(np.array([0.0, 0.0, size[2] / 2 + 5e-4])))

    return scene.path(body, times, start)


def capsule(
    solver: str, step: float, friction: float, grip: float, radius: float, length: float, times: list[float]
) -> Any:
    """Positions of a capsule of 45 g, compliant, its flanks between a fixed pad and one that is pushed."""
    scene = _Scene(solver, step, (0.0, 0.0, -9.81))
    inertia = drake.SpatialInertia.SolidCapsuleWithMass(0.045, radius, length, np.array([0.0, 0.0, 1.0]))
    held = scene.properties(friction, True, radius / 2)
    body = scene.body("capsule", inertia, drake.Capsule(radius, length), held)
    pads = drake.Box(0.02, 0.2, 0.2)
    wall = drake.RigidTransform(np.array([-0.01, 0.0, 0.0]))
    flat = scene.properties(friction, False, 0.05)
    scene.plant.RegisterCollisionGeometry(scene.plant.world_body(), wall, pads, "wall", flat)
    moving = scene.plant.AddRigidBody("pad", drake.SpatialInertia.SolidBoxWithMass(0.2, 0.02, 0.2, 0.2))
    offset = drake.RigidTransform(np.array([0.01, 0.0, 0.0]))
    scene.plant.RegisterCollisionGeometry(moving, offset, pads, "pad", flat)
    joint = scene.plant.AddJoint(
        drake.PrismaticJoint("grip", scene.plant.world_frame(), moving.body_frame(), np.array([1.0, 0.0, 0.0]))
    )
    scene.plant.AddJointActuator("push", joint)
    scene.plant.Finalize()
    push = scene.builder.AddSystem(drake.ConstantVectorSource(np.array([-grip])))
    scene.builder.Connect(push.get_output_port(), scene.plant.get_actuation_input_port())

    def start(plant: Any, context: Any) -> None:
        plant.SetFreeBodyPose(context, body, drake.RigidTransform(np.array([radius, 0.0, 0.0])))
        joint.set_translation(context, 2 * radius)

    return scene.path(body, times, start)
