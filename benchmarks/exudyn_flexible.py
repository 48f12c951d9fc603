"""Arms with flexible links in Exudyn: reduced-order floating-frame bodies and rigid bodies, held by joints.

A beam is given the masses and shapes that ours has: four nodes around each of its slices, their displacements by each
coordinate as columns of the mode matrix, and the stiffness of the coordinates. Exudyn's bodies have no foreshortening,
so the model to compare results with is ours with fidelity="inconsistent".
"""

from __future__ import annotations

from typing import Any

import exudyn as exu
import numpy as np
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
from exudyn.itemInterface import (
    GenericJoint,
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyRigid,
    MarkerSuperElementRigid,
    NodeRigidBodyEP,
    NodeRigidBodyRxyz,
    ObjectConnectorRigidBodySpringDamper,
    ObjectGround,
    ObjectRigidBody,
    SensorMarker,
)
from flexible_models import GRAVITY, Link
from scipy.sparse import csr_matrix

import jourdain as jd
from jourdain.describe.bodies.floating_frame.quadrature import gauss

PENALTY = (1e7, 1e3)
"""Stiffness and damping that hold a joint where constraints are not allowed [N/m, N s/m; N m, N m s]."""
SOLVERS = {"its default solver": exu.LinearSolverType.EXUdense, "its fastest solver": exu.LinearSolverType.EigenSparse}
"""Solvers of linear systems; its third, EigenDense, is level with the last in the small model, slower in the large."""


def finite_elements(beam: jd.Beam) -> tuple[FEMinterface, list[int], list[int]]:
    """The beam as nodes, mode matrix, mass and stiffness; the nodes of its root and of its tip."""
    y, z, axial, torsion = beam.modes.counts()
    # polynomials of degree p = modes + 1: shapes times foreshortening, of degree 3 p - 1, are exact
    points = max(4, -(-3 * (max(y, z) + 1) // 2), axial + 1, torsion + 1)
    x, weight = gauss(np.array([beam.start, beam.start + beam.length]), points)
    masses = np.concatenate([beam.mass_per_length((x - beam.start) / beam.length) * weight, [0.0, 0.0]])
    places = np.concatenate([x, [beam.start, beam.start + beam.length]])
    radius = np.sqrt(beam.inertia_per_length(0.5) / beam.mass_per_length(0.5))
    around = radius * np.array([(0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
    here, slope = beam.shapes(places), beam.shapes(places, 1)
    psi = np.stack([here.u, here.v, here.w], axis=-1)  # (n, places, 3)
    theta = np.stack([here.twist, -slope.w, slope.v], axis=-1)
    moved = psi[:, :, None, :] + np.cross(theta[:, :, None, :], around)
    fem = FEMinterface()
    fem.nodes = {"Position": (np.outer(places, (1, 0, 0))[:, None, :] + around).reshape(-1, 3)}
    modes = moved.reshape(len(psi), -1).T
    inverse = np.linalg.pinv(modes)
    fem.massMatrix = csr_matrix(np.diag(np.repeat(masses / 4.0, 12)))
    fem.stiffnessMatrix = csr_matrix(inverse.T @ beam.stiffness @ inverse)
    fem.modeBasis = {"matrix": modes, "type": "NormalModes"}
    count = 4 * len(places)
    return fem, list(range(count - 8, count - 4)), list(range(count - 4, count))


class ExudynArm:
    """Links in Exudyn, from rest.

    penalty    hold joints by stiff springs and describe rotations by three angles, so that nothing is algebraic and
               explicit methods can be used
    """

    gravity = GRAVITY

    def __init__(self, links: list[Link], penalty: bool = False) -> None:
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.penalty = penalty
        tips = {"world": self.system.AddMarker(MarkerBodyRigid(bodyNumber=self.system.AddObject(ObjectGround())))}
        places = {"world": np.zeros(3)}
        for link in links:
            at = places[link.to]
            add = self._beam if isinstance(link.body, jd.Beam) else self._rigid
            root, tips[link.body.name] = add(link.body, at)
            places[link.body.name] = at + link.body.frame("tip").position
            self._join(tips[link.to], root, link.axis)
        self._close(tips)
        self.last = self.system.AddSensor(
            SensorMarker(
                markerNumber=tips[links[-1].body.name],
                outputVariableType=exu.OutputVariableType.Position,
                writeToFile=False,
            )
        )
        self.system.Assemble()

    def _close(self, tips: dict[str, int]) -> None:
        """Constraints besides the joints of the tree."""

    def _rigid(self, body: jd.RigidBody, at: np.ndarray) -> tuple[int, int]:
        """Markers at the origin and at the tip of a rigid body, whose node is its centre of mass."""
        system = self.system
        if self.penalty:
            node = NodeRigidBodyRxyz(referenceCoordinates=[*(at + body.com), 0.0, 0.0, 0.0])
        else:
            node = NodeRigidBodyEP(referenceCoordinates=[*(at + body.com), 1.0, 0.0, 0.0, 0.0])
        J = body.inertia
        six = [J[0, 0], J[1, 1], J[2, 2], J[1, 2], J[0, 2], J[0, 1]]
        item = ObjectRigidBody(physicsMass=body.mass, physicsInertia=six, nodeNumber=system.AddNode(node))
        item.visualization["show"] = False
        number = system.AddObject(item)
        mass = system.AddMarker(MarkerBodyMass(bodyNumber=number))
        system.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=list(self.gravity)))
        root, tip = (
            system.AddMarker(MarkerBodyRigid(bodyNumber=number, localPosition=list(place - body.com)))
            for place in (np.zeros(3), body.frame("tip").position)
        )
        return root, tip

    def _beam(self, body: jd.Beam, at: np.ndarray) -> tuple[int, int]:
        """Markers at the root and at the tip of a floating-frame body."""
        fem, root, tip = finite_elements(body)
        kind = "NodeType.RotationRxyz" if self.penalty else "NodeType.RotationEulerParameters"
        made = ObjectFFRFreducedOrderInterface(fem, rigidBodyNodeType=kind).AddObjectFFRFreducedOrder(
            self.system, positionRef=list(at), gravity=list(self.gravity)
        )
        markers = (
            self.system.AddMarker(
                MarkerSuperElementRigid(
                    bodyNumber=made["oFFRFreducedOrder"], meshNodeNumbers=nodes, weightingFactors=[0.25] * 4
                )
            )
            for nodes in (root, tip)
        )
        return tuple(markers)

    def _join(self, inner: int, outer: int, axis: str) -> None:
        fixed = [1, 1, 1, *(0 if one == axis else 1 for one in "xyz")]
        if not self.penalty:
            joint = GenericJoint(markerNumbers=[inner, outer], constrainedAxes=fixed)
        else:
            stiffness, damping = (np.diag(value * np.array(fixed, float)) for value in PENALTY)
            joint = ObjectConnectorRigidBodySpringDamper(
                markerNumbers=[inner, outer], stiffness=stiffness, damping=damping
            )
        joint.visualization["show"] = False
        self.system.AddObject(joint)

    def run(
        self, steps: int, step: float, method: Any = None, solver: Any = exu.LinearSolverType.EXUdense
    ) -> np.ndarray:
        """Position of the last tip after `steps` from rest; by generalized alpha, or an explicit method."""
        settings = exu.SimulationSettings()
        time = settings.timeIntegration
        time.numberOfSteps = steps
        time.endTime = steps * step
        time.verboseMode = 0
        time.stepInformation = 0
        time.explicit.computeEndOfStepAccelerations = False
        time.newton.useModifiedNewton = True
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolver.solverType = solver
        kind = exu.DynamicSolverType.GeneralizedAlpha if method is None else method
        self.system.SolveDynamic(settings, solverType=kind, storeSolver=False)
        return np.array(self.system.GetSensorValues(self.last))
