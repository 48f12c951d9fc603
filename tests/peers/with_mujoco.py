"""A model in MuJoCo, asked the questions that ours answers, in our conventions."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from jourdain import Model, Pose
from jourdain.basics.pose import quaternion_from_matrix
from jourdain.describe.joints import plane_axes, unit
from peers.coordinates import Coordinates, FixedAxes, Same
from peers.links import Link, links

HINGE, SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
BALL, FREE = mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_FREE


def joints_of(link: Link) -> tuple[list[tuple[Any, np.ndarray]], Same]:
    """The joints that make ours, in the order in which they turn each other, and how coordinates follow."""
    joint = link.joint
    if joint.kind == "revolute":
        return [(HINGE, joint.axis)], Same(1, 1)
    if joint.kind == "prismatic":
        return [(SLIDE, joint.axis)], Same(1, 1)
    if joint.kind == "cylindrical":
        return [(HINGE, joint.axis), (SLIDE, joint.axis)], Same(2, 2)
    if joint.kind == "universal":
        return [(HINGE, axis) for axis in joint.axes], Same(2, 2)
    if joint.kind == "spherical":
        return [(BALL, np.zeros(3))], Same(4, 3)
    if joint.kind == "planar":
        x, y = plane_axes(joint.normal)
        return [(SLIDE, x), (SLIDE, y), (HINGE, joint.normal)], Same(3, 3)
    if joint.kind == "free" and link.parent == "world":
        return [(FREE, np.zeros(3))], FixedAxes(7, 6, link.carrier)
    if joint.kind == "free":
        # Its own free joint exists only in the world.
        return [(SLIDE, axis) for axis in np.eye(3)] + [(BALL, np.zeros(3))], FixedAxes(7, 6)
    if joint.kind == "weld":
        return [], Same(0, 0)
    raise ValueError(f"{joint.name}: no joint of MuJoCo for {joint.kind}")


def linear(before: Any, value: float) -> Any:
    """A stiffness or damping as MuJoCo's version takes it: a number, or the coefficients of a polynomial (from 4.0)."""
    return value if np.ndim(before) == 0 else np.array([value, 0.0, 0.0])


def place(element: Any, pose: Pose) -> None:
    """Puts an element of a specification at a pose in its body."""
    element.pos = pose.position
    element.quat = quaternion_from_matrix(pose.rotation)


def specification(model: Model, chain: list[Link], step: float) -> Any:
    """The model as MuJoCo's own specification, without contact, constraints and anything else that costs time."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = np.array(model.arrays.gravity)
    spec.option.timestep = step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    off = mujoco.mjtDisableBit
    spec.option.disableflags = (
        off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT | off.mjDSBL_ACTUATION | off.mjDSBL_SENSOR | off.mjDSBL_AUTORESET
    )
    bodies = {"world": spec.worldbody}
    for link in chain:
        body = bodies[link.name] = bodies[link.parent].add_body(name=link.name)
        place(body, link.carrier)
        inverse = link.held.inverse()
        moments, axes = np.linalg.eigh(inverse.rotation @ link.body.inertia @ inverse.rotation.T)
        axes[:, 2] *= np.linalg.det(axes)
        body.explicitinertial = True
        body.mass = link.body.mass
        body.ipos = inverse.apply(link.body.com)
        body.iquat = quaternion_from_matrix(axes)
        body.inertia = moments
        for i, (kind, axis) in enumerate(joints_of(link)[0]):
            joint = body.add_joint(name=f"{link.joint.name}.{i}", type=kind)
            if kind in (HINGE, SLIDE):
                joint.axis = unit(axis)
                joint.stiffness = linear(joint.stiffness, getattr(link.joint, "stiffness", 0.0))
                joint.damping = linear(joint.damping, getattr(link.joint, "damping", 0.0))
                joint.springref = getattr(link.joint, "rest", 0.0)
        for address, pose in link.frames().items():
            place(body.add_site(name=address), pose)
    return spec


class Mujoco:
    """A model of ours in MuJoCo, to be integrated by RK4 at `step` [s].

    model, data    MuJoCo's own
    coordinates    how its coordinates follow from ours
    """

    def __init__(self, model: Model, step: float = 1e-3) -> None:
        chain = links(model)
        self.model = specification(model, chain, step).compile()
        self.data = mujoco.MjData(self.model)
        self.coordinates = Coordinates(self.model.nq, self.model.nv)
        for link in chain:
            kinds, block = joints_of(link)
            if kinds:
                joint = self.model.joint(f"{link.joint.name}.0")
                self.coordinates.add(block, link.q, link.v, int(joint.qposadr[0]), int(joint.dofadr[0]))

    def set(self, q: np.ndarray, v: np.ndarray | None = None) -> None:
        """Puts our state into MuJoCo's data."""
        self.data.qpos[:] = self.coordinates.position(q)
        self.data.qvel[:] = 0.0 if v is None else self.coordinates.map(q) @ v

    def _positions(self, q: np.ndarray) -> None:
        self.set(q)
        mujoco.mj_fwdPosition(self.model, self.data)

    def pose(self, address: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation of a frame in the world."""
        self._positions(q)
        site = self.data.site(address)
        return site.xpos.copy(), site.xmat.reshape(3, 3).copy()

    def jacobian(self, address: str, q: np.ndarray) -> np.ndarray:
        """Jacobian (6, nv) of a frame, (angular, linear), world axes."""
        self._positions(q)
        linear, angular = np.zeros((2, 3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, linear, angular, self.model.site(address).id)
        return np.vstack([angular, linear]) @ self.coordinates.map(q)

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix (nv, nv), by composite inertias."""
        self._positions(q)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        T = self.coordinates.map(q)
        return T.T @ M @ T

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Efforts (nv,), beyond what springs and dampers do."""
        self.set(q, v)
        T = self.coordinates.map(q)
        self.data.qacc[:] = T @ a + self.coordinates.drift(q, v)
        mujoco.mj_inverse(self.model, self.data)
        return T.T @ self.data.qfrc_inverse

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> np.ndarray:
        """Accelerations (nv,), by the factorised mass matrix."""
        self.set(q, v)
        T = self.coordinates.map(q)
        self.data.qfrc_applied[:] = np.linalg.solve(T.T, effort)
        mujoco.mj_forward(self.model, self.data)
        self.data.qfrc_applied[:] = 0.0
        return np.linalg.solve(T, self.data.qacc - self.coordinates.drift(q, v))

    def centre_of_mass(self, q: np.ndarray) -> np.ndarray:
        """Centre of mass (3,), world axes."""
        self._positions(q)
        return self.data.subtree_com[0].copy()

    def energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Kinetic energy, and potential energy with that of springs [J]."""
        self._positions(q)
        self.set(q, v)
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angular momentum about the centre of mass and linear momentum, world axes."""
        self._positions(q)
        self.set(q, v)
        mujoco.mj_fwdVelocity(self.model, self.data)
        mujoco.mj_subtreeVel(self.model, self.data)
        mass = float(np.sum(self.model.body_mass))
        return self.data.subtree_angmom[0].copy(), mass * self.data.subtree_linvel[0]
