"""A model in Pinocchio, asked the questions that ours answers, in our conventions."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from jourdain import Model, Pose
from jourdain.describe.joints import plane_axes, unit
from peers.coordinates import Coordinates, LinearFirst, Same, ScalarLast, TurningPlane
from peers.links import Link, links


def se3(pose: Pose) -> pin.SE3:
    """A pose as Pinocchio's."""
    return pin.SE3(np.array(pose.rotation), np.array(pose.position))


def one_axis(name: str, axis: np.ndarray, *more: float) -> pin.JointModel:
    """A joint about or along an axis: Pinocchio's own for x, y or z, which is faster, or the one for any axis."""
    short = {"Revolute": "R", "Prismatic": "P", "Helical": "H"}[name]
    for letter, direction in zip("XYZ", np.eye(3)):
        if np.array_equal(axis, direction):
            return getattr(pin, f"JointModel{short}{letter}")(*more)
    return getattr(pin, f"JointModel{name}Unaligned")(unit(axis), *more)


def joint_of(link: Link) -> tuple[pin.JointModel, Same]:
    """The joint, and how its coordinates follow from ours."""
    joint = link.joint
    if joint.kind == "revolute":
        return one_axis("Revolute", joint.axis), Same(1, 1)
    if joint.kind == "prismatic":
        return one_axis("Prismatic", joint.axis), Same(1, 1)
    if joint.kind == "screw":
        return one_axis("Helical", joint.axis, joint.pitch), Same(1, 1)
    if joint.kind == "cylindrical":
        both = pin.JointModelComposite(one_axis("Revolute", joint.axis))
        both.addJoint(one_axis("Prismatic", joint.axis))
        return both, Same(2, 2)
    if joint.kind == "universal":
        a, b = (unit(axis) for axis in joint.axes)
        if abs(a @ b) < 1e-12:
            return pin.JointModelUniversal(a, b), Same(2, 2)
        both = pin.JointModelComposite(one_axis("Revolute", a))
        both.addJoint(one_axis("Revolute", b))
        return both, Same(2, 2)
    if joint.kind == "spherical":
        return pin.JointModelSpherical(), ScalarLast()
    if joint.kind == "planar":
        return pin.JointModelPlanar(), TurningPlane()
    if joint.kind == "free":
        return pin.JointModelFreeFlyer(), LinearFirst()
    raise ValueError(f"{joint.name}: no joint of Pinocchio for {joint.kind}")


def plane_turn(link: Link) -> Pose:
    """Rotation from Pinocchio's axes of a planar joint, whose normal is z, to ours."""
    if link.joint.kind != "planar":
        return Pose()
    x, y = plane_axes(link.joint.normal)
    return Pose(rotation=np.column_stack([x, y, unit(link.joint.normal)]))


class Pinocchio:
    """A model of ours in Pinocchio.

    model, data    Pinocchio's own
    coordinates    how its coordinates follow from ours
    frames         from our addresses to its frames
    """

    def __init__(self, model: Model) -> None:
        self.model = pin.Model()
        self.model.gravity = pin.Motion(np.array(model.arrays.gravity), np.zeros(3))
        self.frames: dict[str, int] = {}
        places = {"world": (0, Pose())}
        blocks = []
        for link in links(model):
            parent, offset = places[link.parent]
            if link.joint.kind == "weld":
                joint, place = parent, offset @ link.carrier
            else:
                kind, block = joint_of(link)
                turn = plane_turn(link)
                at = se3(offset @ link.carrier @ turn)
                joint, place = self.model.addJoint(parent, kind, at, link.joint.name), turn.inverse()
                blocks.append((joint, block, link))
            places[link.name] = joint, place
            own = link.body
            inertia = pin.Inertia(own.mass, np.array(own.com), np.array(own.inertia))
            self.model.appendBodyToJoint(joint, inertia, se3(place @ link.held.inverse()))
            for address, pose in link.frames().items():
                frame = pin.Frame(address, joint, 0, se3(place @ pose), pin.FrameType.OP_FRAME)
                self.frames[address] = self.model.addFrame(frame)
        self.data = self.model.createData()
        self.coordinates = Coordinates(self.model.nq, self.model.nv)
        for joint, block, link in blocks:
            self.coordinates.add(block, link.q, link.v, self.model.joints[joint].idx_q, self.model.joints[joint].idx_v)

    def _velocity(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.coordinates.position(q), self.coordinates.map(q) @ v

    def _acceleration(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.coordinates.map(q) @ a + self.coordinates.drift(q, v)

    def pose(self, address: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation of a frame in the world."""
        pin.framesForwardKinematics(self.model, self.data, self.coordinates.position(q))
        place = self.data.oMf[self.frames[address]]
        return place.translation.copy(), place.rotation.copy()

    def jacobian(self, address: str, q: np.ndarray) -> np.ndarray:
        """Jacobian (6, nv) of a frame, (angular, linear), world axes."""
        frame = self.frames[address]
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = pin.computeFrameJacobian(self.model, self.data, self.coordinates.position(q), frame, axes)
        return np.vstack([J[3:], J[:3]]) @ self.coordinates.map(q)

    def acceleration(self, address: str, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Acceleration (6,) of a frame, (angular, linear), world axes."""
        Q, V = self._velocity(q, v)
        pin.forwardKinematics(self.model, self.data, Q, V, self._acceleration(q, v, a))
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        A = pin.getFrameClassicalAcceleration(self.model, self.data, self.frames[address], axes)
        return np.concatenate([A.angular, A.linear])

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix (nv, nv), by composite inertias."""
        M = np.triu(pin.crba(self.model, self.data, self.coordinates.position(q)))
        T = self.coordinates.map(q)
        return T.T @ (M + M.T - np.diag(np.diag(M))) @ T

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Efforts (nv,), by the recursive Newton-Euler method."""
        Q, V = self._velocity(q, v)
        return self.coordinates.map(q).T @ pin.rnea(self.model, self.data, Q, V, self._acceleration(q, v, a))

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> np.ndarray:
        """Accelerations (nv,), by articulated inertias."""
        Q, V = self._velocity(q, v)
        T = self.coordinates.map(q)
        A = pin.aba(self.model, self.data, Q, V, np.linalg.solve(T.T, effort))
        return np.linalg.solve(T, A - self.coordinates.drift(q, v))

    def centre_of_mass(self, q: np.ndarray) -> np.ndarray:
        """Centre of mass (3,), world axes. Pinocchio leaves out what is welded to the world; here it counts."""
        centre = pin.centerOfMass(self.model, self.data, self.coordinates.position(q))
        moving, still = self.data.mass[0], self.model.inertias[0]
        return (moving * centre + still.mass * still.lever) / (moving + still.mass)

    def energy(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        """Kinetic and potential energy [J], with that of what is welded to the world."""
        Q, V = self._velocity(q, v)
        kinetic = pin.computeKineticEnergy(self.model, self.data, Q, V)
        still = self.model.inertias[0]
        potential = pin.computePotentialEnergy(self.model, self.data, Q)
        return kinetic, potential - still.mass * float(self.model.gravity.linear @ still.lever)

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angular momentum about the centre of mass and linear momentum, world axes."""
        h = pin.computeCentroidalMomentum(self.model, self.data, *self._velocity(q, v))
        arm = pin.centerOfMass(self.model, self.data, self.coordinates.position(q)) - self.centre_of_mass(q)
        return h.angular + np.cross(arm, h.linear), h.linear.copy()
