"""A hanging cable let go from the side: Jourdain's `Cable` and Exudyn's ANCF cable, with the same elements and steps.

    python benchmarks/cables.py

Both are absolute nodal coordinates with the material curvature, generalized-alpha with a spectral radius of 0.9 at
infinity; errors are the tip's against a run with half the step of our own explicit method. Then the cost of a step of
ours against the number of elements. One thread each, the processes' own time, the least of several runs.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

import jourdain as jd  # noqa: E402

L, MASS, EA, EI, G = 1.0, 0.78, 1e4, 1.0, 9.81
UNTIL = 0.5


def ours(elements: int, length: float = L) -> jd.Model:
    """The cable, pinned at its root, from the side."""
    system = jd.System("swing", gravity=(0.0, 0.0, -G))
    system.add(jd.Cable("line", length, MASS, EA, EI, elements=elements, root="pinned"), joint=jd.Weld("hook"))
    return system.compile()


def swing(model: jd.Model, method: str, step: float, until: float = UNTIL) -> np.ndarray:
    """Where the tip ends."""
    state = model.state()
    run = jd.simulate(model, state, until=until, method=method, step=step, output=until, progress=False)
    return model.pose("line.tip", run.state(-1).q).position


def exudyn(elements: int) -> Callable[[float], np.ndarray]:
    """The same in Exudyn: a function of the step that gives the tip's place."""
    import exudyn as exu
    from exudyn import itemInterface as item

    container = exu.SystemContainer()
    system = container.AddSystem()
    part = L / elements
    nodes = [
        system.AddNode(item.NodePointSlope1(referenceCoordinates=[k * part, 0.0, 0.0, 1.0, 0.0, 0.0]))
        for k in range(elements + 1)
    ]
    for k in range(elements):
        cable = system.AddObject(
            item.ObjectANCFCable(
                length=part,
                massPerLength=MASS,
                bendingStiffness=EI,
                axialStiffness=EA,
                nodeNumbers=nodes[k : k + 2],
            )
        )
        marker = system.AddMarker(item.MarkerBodyMass(bodyNumber=cable))
        system.AddLoad(item.LoadMassProportional(markerNumber=marker, loadVector=[0.0, 0.0, -G]))
    ground = system.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=system.AddNode(item.NodePointGround()), coordinate=0)
    )
    for axis in range(3):
        held = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=axis))
        system.AddObject(item.CoordinateConstraint(markerNumbers=[ground, held]))
    system.Assemble()

    def run(step: float) -> np.ndarray:
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(UNTIL / step)
        settings.timeIntegration.endTime = UNTIL
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = UNTIL
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        settings.displayComputationTime = False
        system.SolveDynamic(settings)
        return np.array(system.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position))

    return run


def least(run: Callable[[], Any], count: int = 3) -> tuple[float, Any]:
    """The least time of several runs [s], and what the last one gave."""
    best, found = np.inf, None
    for _ in range(count):
        start = time.process_time()
        found = run()
        best = min(best, time.process_time() - start)
    return best, found


def against_exudyn() -> None:
    print("elements  step [s]   Jourdain [s]  its error [m]   Exudyn [s]  its error [m]   faster by")
    for elements in (10, 40):
        model = ours(elements)
        swing(model, "generalized-alpha", 1e-3)  # compiled
        exact = swing(model, "rk4", 2e-5 if elements == 10 else 5e-6)
        for step in (1e-3, 2.5e-4):
            mine, tip = least(lambda model=model, step=step: swing(model, "generalized-alpha", step))
            peer = exudyn(elements)
            theirs, other = least(lambda peer=peer, step=step: peer(step))
            errors = [np.linalg.norm(one - exact) for one in (tip, other)]
            print(
                f"{elements:8d}  {step:8.2g}  {mine:12.4f}  {errors[0]:13.2e}  {theirs:11.4f}  {errors[1]:13.2e}"
                f"  {theirs / mine:9.1f}",
                flush=True,
            )


def against_elements() -> None:
    print("elements  explicit, rk4  implicit, newmark   [us a step and element]")
    for elements in (50, 500, 5000):
        model = ours(elements, 0.05 * elements)
        row = []
        for method, step, steps in (("rk4", 2e-5, 20000 // elements + 20), ("newmark", 1e-3, 10000 // elements + 20)):
            taken = []
            for count in (10, 10 + steps):
                taken.append(least(lambda m=model, k=method, h=step, n=count: swing(m, k, h, n * h), 4)[0])
            row.append(1e6 * (taken[1] - taken[0]) / (steps * elements))
        print(f"{elements:8d}  {row[0]:13.3f}  {row[1]:17.3f}", flush=True)


if __name__ == "__main__":
    against_exudyn()
    against_elements()
