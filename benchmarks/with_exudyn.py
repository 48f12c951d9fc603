"""The free chain in Exudyn: a kinematic tree in minimal coordinates, its free base made of six one-axis joints.

Exudyn's tree has revolute and prismatic joints only, so the base slides along x, y, z and then turns about x, y, z,
with massless bodies in between: the same motion, and 45 coordinates as in ours.
"""

from __future__ import annotations

from typing import Any

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree
from peers.links import links

import jourdain as jd

SOLVERS = {"its default solver": exu.LinearSolverType.EXUdense, "its fastest solver": exu.LinearSolverType.EigenDense}
"""Solvers of the linear system of each stage, mass matrix times accelerations."""


class ExudynChain:
    """The model of `models.chain` in Exudyn, at a state whose base has not turned."""

    def __init__(self, model: jd.Model, state: jd.State) -> None:
        kinds = exu.JointType
        joints = [kinds.PrismaticX, kinds.PrismaticY, kinds.PrismaticZ]
        joints += [kinds.RevoluteX, kinds.RevoluteY, kinds.RevoluteZ]
        masses, coms, inertias, offsets = [0.0] * 5, [np.zeros(3)] * 5, [np.zeros((3, 3))] * 5, [np.zeros(3)] * 6
        for i, link in enumerate(links(model)):
            if i > 0:
                axis = int(np.argmax(np.abs(link.joint.axis)))
                joints.append((kinds.RevoluteX, kinds.RevoluteY, kinds.RevoluteZ)[axis])
                offsets.append(link.carrier.position)
            masses.append(link.body.mass)
            coms.append(link.body.com)
            inertias.append(link.body.inertia)
        n = self.n = len(joints)
        turned = state.q[3:7]
        assert abs(turned[0] - 1.0) < 1e-15, "the base must not be turned at the start"
        q = np.concatenate([state.q[:3], np.zeros(3), state.q[7:]])
        v = np.concatenate([state.v[3:6], state.v[:3], state.v[6:]])
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        node = self.system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=q.tolist(),
                initialCoordinates_t=v.tolist(),
                numberOfODE2Coordinates=n,
            )
        )
        self.node = node
        tree = ObjectKinematicTree(
            nodeNumber=node,
            gravity=list(model.arrays.gravity),
            jointTypes=joints,
            linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList([np.array(x) for x in offsets]),
            linkInertiasCOM=exu.Matrix3DList([np.array(x) for x in inertias]),
            linkCOMs=exu.Vector3DList([np.array(x) for x in coms]),
            linkMasses=masses,
        )
        tree.visualization["show"] = False
        self.system.AddObject(tree)
        self.system.Assemble()

    def settings(self, steps: int, step: float, solver: Any) -> Any:
        """Explicit RK4 on one thread, writing nothing."""
        settings = exu.SimulationSettings()
        time = settings.timeIntegration
        time.numberOfSteps = steps
        time.endTime = steps * step
        time.verboseMode = 0
        time.stepInformation = 0
        time.explicit.computeEndOfStepAccelerations = False
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolver.solverType = solver
        return settings

    def run(
        self, steps: int, step: float, solver: Any = exu.LinearSolverType.EXUdense
    ) -> tuple[np.ndarray, np.ndarray]:
        """Position of the base (3,) and angles of the hinges after `steps` from the initial state."""
        settings = self.settings(steps, step, solver)
        self.system.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44, storeSolver=False)
        q = np.array(self.system.GetNodeOutput(self.node, exu.OutputVariableType.Coordinates))
        return q[:3], q[6:]
