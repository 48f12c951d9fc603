"""Cables beside Exudyn's ANCF cables: a flexible pendulum and a flexible double pendulum, elements and method the same.

Both codes have the element of Gerstmayr & Irschik 2008 but for the points at which they integrate the stretch, and both
take generalized-alpha: what is left between them is of fourth order in the element, and far below what moves.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd

pytestmark = pytest.mark.peer

MASS, EA, EI, G, PART = 0.5, 500.0, 5e-3, 9.81, 0.5
STEP, UNTIL = 2.5e-4, 0.3


def exudyn_tip(lines: int, elements: int) -> np.ndarray:
    """Place of the last tip of so many strips of length PART, hinged in a row and let go from the side."""
    exu = pytest.importorskip("exudyn")
    from exudyn import itemInterface as item

    system = exu.SystemContainer().AddSystem()
    ground = system.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=system.AddNode(item.NodePointGround()), coordinate=0)
    )
    tip = None
    for line in range(lines):
        at = [PART * (line + k / elements) for k in range(elements + 1)]
        nodes = [system.AddNode(item.NodePointSlope1(referenceCoordinates=[x, 0.0, 0.0, 1.0, 0.0, 0.0])) for x in at]
        for k in range(elements):
            cable = item.ObjectANCFCable(
                length=PART / elements,
                massPerLength=MASS,
                bendingStiffness=EI,
                axialStiffness=EA,
                nodeNumbers=nodes[k : k + 2],
            )
            marker = system.AddMarker(item.MarkerBodyMass(bodyNumber=system.AddObject(cable)))
            system.AddLoad(item.LoadMassProportional(markerNumber=marker, loadVector=[0.0, 0.0, -G]))
        for axis in range(3):
            held = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=axis))
            by = ground
            if tip is not None:
                by = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=tip, coordinate=axis))
            # coordinates count from the reference, where hinged ends are in one place
            system.AddObject(item.CoordinateConstraint(markerNumbers=[by, held]))
        tip = nodes[-1]
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(UNTIL / STEP)
    settings.timeIntegration.endTime = UNTIL
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.verboseMode = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        settings.solutionSettings.writeSolutionToFile = False
    system.SolveDynamic(settings)
    return np.array(system.GetNodeOutput(tip, exu.OutputVariableType.Position))


def own_tip(lines: int, elements: int) -> np.ndarray:
    """The same by cables that loops hinge."""
    system = jd.System("pendulum", gravity=(0.0, 0.0, -G))
    for line in range(lines):
        strip = jd.Cable(f"c{line}", PART, MASS, EA, EI, elements=elements, root="free" if line else "pinned")
        system.add(strip, joint=jd.Weld(f"on{line}"), position=(PART * line, 0.0, 0.0))
        if line:
            system.connect(jd.Spherical(f"hinge{line}"), f"c{line - 1}.tip", f"c{line}.root")
    model = system.compile()
    method = jd.implicit.GeneralizedAlpha(spectral_radius=0.9)
    run = jd.simulate(model, model.state(), until=UNTIL, method=method, step=STEP, output=UNTIL, progress=False)
    return model.pose(f"c{lines - 1}.tip", run.state(-1).q).position


@pytest.mark.parametrize("lines", [1, 2])
def test_flexible_pendulums(lines):
    ours, theirs = (np.array([tip(lines, elements) for elements in (8, 16)]) for tip in (own_tip, exudyn_tip))
    assert np.linalg.norm(theirs[1] - (PART * lines, 0.0, 0.0)) > 0.3
    apart = np.linalg.norm(ours - theirs, axis=1)
    assert apart[1] < 5e-6
    assert apart[0] > 8.0 * apart[1]
