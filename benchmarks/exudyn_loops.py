"""Closed chains in Exudyn: its planar rigid bodies in its planar joints, and a floating-frame rod in a slider-crank."""

from __future__ import annotations

from typing import Any

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    GenericJoint,
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    NodeRigidBody2D,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
    SensorBody,
)
from exudyn_flexible import ExudynArm


def solve(system: Any, steps: int, step: float, solver: Any) -> None:
    """`steps` of generalized alpha with its defaults for constraints, and Newton matrices that are kept."""
    settings = exu.SimulationSettings()
    time = settings.timeIntegration
    time.numberOfSteps = steps
    time.endTime = steps * step
    time.verboseMode = 0
    time.stepInformation = 0
    time.newton.useModifiedNewton = True
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = solver
    system.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha, storeSolver=False)


class ExudynFourBars:
    """N four-bars in the plane, bars of 1 m and 1 kg, upright, all moving along x at 1 m/s, gravity along -y."""

    def __init__(self, count: int, gravity: float) -> None:
        self.container = exu.SystemContainer()
        system = self.system = self.container.AddSystem()
        self.gravity = gravity
        ground = system.AddObject(ObjectGround())
        tip = None
        for i in range(count + 1):
            bar, (foot, head) = self._bar((i, 0.5), 0.5 * np.pi, (0.5, 0.0), -1.0)
            if tip is None:
                self.first = system.AddSensor(
                    SensorBody(
                        bodyNumber=bar,
                        localPosition=[0.5, 0.0, 0.0],
                        outputVariableType=exu.OutputVariableType.Position,
                        writeToFile=False,
                    )
                )
            pivot = system.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[i, 0.0, 0.0]))
            system.AddObject(ObjectJointRevolute2D(markerNumbers=[pivot, foot]))
            if tip is not None:
                _, (left, right) = self._bar((i - 0.5, 1.0), 0.0, (1.0, 0.0), 0.0)
                system.AddObject(ObjectJointRevolute2D(markerNumbers=[tip, left]))
                system.AddObject(ObjectJointRevolute2D(markerNumbers=[right, head]))
            tip = head
        system.Assemble()

    def _bar(self, place: Any, angle: float, velocity: Any, turning: float) -> tuple[int, tuple[int, ...]]:
        """A bar of 1 m with its centre at `place`, and markers at its two ends."""
        system = self.system
        node = system.AddNode(
            NodeRigidBody2D(referenceCoordinates=[*place, angle], initialVelocities=[*velocity, turning])
        )
        number = system.AddObject(ObjectRigidBody2D(mass=1.0, inertia=1.0 / 12.0, nodeNumber=node))
        centre = system.AddMarker(MarkerBodyMass(bodyNumber=number))
        system.AddLoad(LoadMassProportional(markerNumber=centre, loadVector=[0.0, -self.gravity, 0.0]))
        ends = tuple(
            system.AddMarker(MarkerBodyPosition(bodyNumber=number, localPosition=[x, 0.0, 0.0])) for x in (-0.5, 0.5)
        )
        return number, ends

    def run(self, steps: int, step: float, solver: Any = exu.LinearSolverType.EigenSparse) -> np.ndarray:
        """Position of the head of the first bar."""
        solve(self.system, steps, step, solver)
        return np.array(self.system.GetSensorValues(self.first))[:2]


class ExudynCrank(ExudynArm):
    """Crank, flexible rod and slider in the x-z plane, stretched along x, the slider led along x."""

    gravity = (0.0, 0.0, -9.81)

    def _close(self, tips: dict[str, int]) -> None:
        # the plane forbids the other motions already, and redundant rows stop its solvers
        lead = GenericJoint(markerNumbers=[tips["world"], tips["slider"]], constrainedAxes=[0, 0, 1, 0, 1, 0])
        lead.visualization["show"] = False
        self.system.AddObject(lead)
