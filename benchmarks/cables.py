"""Cables: Jourdain's `Cable` beside Exudyn's ANCF cable and PyElastica's rod, and its cost against the elements.

    python benchmarks/cables.py

A hanging cable is let go from the side. Exudyn's has the same elements, steps and method (absolute nodal coordinates
with the material curvature, generalized-alpha with a spectral radius of 0.9 at infinity); errors are the tip's against
our own explicit method with a short step. PyElastica's rod (Cosserat, of second order) is clamped and as long, heavy
and stiff; errors are the tip's against a finer run of each code's own. One thread each, the process's own time with the
start of a run, in turn, the least of several runs.

The cost of an element is that of a wave: cables of all lengths have elements of 5 cm, no weight, and the same sine of
transverse velocity, so that every element of every cable does the same and steps take equally many corrections. (Of a
cable that is let go from the side only the part near its hook moves at first, and the longer it is, the fewer
corrections its steps take.) What a run takes besides its steps is taken off.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import importlib.util  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable  # noqa: E402
from functools import partial  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from results import COMPARED, LIMITED, Curve, Limit, Row, table  # noqa: E402
from timing import Measured, together, whole_runs  # noqa: E402

import jourdain as jd  # noqa: E402
from jourdain.implicit import GeneralizedAlpha  # noqa: E402

L, MASS, EA, EI, G = 1.0, 0.78, 1e4, 1.0, 9.81
UNTIL, SWUNG = 0.5, 0.25
METHOD = GeneralizedAlpha(spectral_radius=0.9)
SIZES = (50, 500, 5000)
COSTS = ("elements", "explicit, rk4", "implicit, generalized-alpha")
FLAT = 15.0
"""How much more an element of a long cable may cost than one of a short one [%]."""
FASTER = 5.0
PART, SPEED = 0.05, 0.3
"""Length of an element [m] and largest speed of the wave [m/s] by which elements are compared."""
SAME = 2.0
"""Errors of codes that are compared are within this factor."""


def ours(elements: int, root: str = "pinned") -> jd.Model:
    """The cable from the side."""
    system = jd.System("swing", gravity=(0.0, 0.0, -G))
    system.add(jd.Cable("line", L, MASS, EA, EI, elements=elements, root=root), joint=jd.Weld("hook"))
    return system.compile()


def swing(model: jd.Model, method: Any, step: float, until: float = UNTIL) -> np.ndarray:
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings.solutionSettings.writeSolutionToFile = False
            settings.solutionSettings.sensorsWritePeriod = UNTIL
            settings.linearSolverType = exu.LinearSolverType.EigenSparse
            settings.displayComputationTime = False
        system.SolveDynamic(settings)
        return np.array(system.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position))

    return run


def elastica(elements: int, step: float) -> np.ndarray:
    """The tip of PyElastica's rod, clamped, after SWUNG; sections that make the same EA and EI."""
    import elastica as ea

    class Scene(ea.BaseSystemCollection, ea.Constraints, ea.Forcing):
        pass

    radius = 2.0 * np.sqrt(EI / EA)
    area = np.pi * radius**2
    young = EA / area
    scene = Scene()
    rod = ea.CosseratRod.straight_rod(
        elements,
        start=np.zeros(3),
        direction=np.array([1.0, 0.0, 0.0]),
        normal=np.array([0.0, 1.0, 0.0]),
        base_length=L,
        base_radius=radius,
        density=MASS / area,
        youngs_modulus=young,
        shear_modulus=young / 2.6,
    )
    scene.append(rod)
    scene.constrain(rod).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    scene.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0.0, 0.0, -G]))
    scene.finalize()
    ea.integrate(ea.PositionVerlet(), scene, SWUNG, round(SWUNG / step), progress_bar=False)
    return rod.position_collection[:, -1].copy()


def against_exudyn(rounds: int) -> list[Row]:
    rows = []
    for elements in (10, 40):
        model = ours(elements)
        swing(model, METHOD, 1e-3)  # compiled
        exact = swing(model, "rk4", 2e-5 if elements == 10 else 5e-6)
        for step in (1e-3, 2.5e-4):
            peer = exudyn(elements)
            runs = {"ours": partial(swing, model, METHOD, step), "theirs": partial(peer, step)}
            error, its = (float(np.linalg.norm(run() - exact)) for run in runs.values())
            best = whole_runs(runs, 3 * rounds, time.process_time)
            if error > SAME * its:
                raise RuntimeError(f"{elements} elements, step {step}: error {error:.2e} m, Exudyn's {its:.2e} m")
            what = f"{elements} elements, {round(UNTIL / step)} steps, error {error:.1e} and {its:.1e} m"
            rows.append(Row(what, "Exudyn", best["ours"], best["theirs"], FASTER))
    return rows


def against_elastica(rounds: int) -> list[Row]:
    """Four elements of ours against 50 of PyElastica's, whose error is still the larger one: its rod is of first order
    at the clamp."""
    if importlib.util.find_spec("elastica") is None:
        return []
    model, fine = ours(4, root="clamped"), ours(16, root="clamped")
    exact = swing(fine, "rk4", 2e-5, SWUNG)
    swing(model, METHOD, 1e-3, SWUNG)
    runs = {"ours": partial(swing, model, METHOD, 1e-3, SWUNG), "theirs": partial(elastica, 50, 4e-5)}
    answers = exact, elastica(200, 1e-5)
    error, its = (float(np.linalg.norm(run() - one)) for run, one in zip(runs.values(), answers, strict=True))
    best = whole_runs(runs, rounds, time.process_time)
    if error > SAME * its:
        raise RuntimeError(f"PyElastica: error {error:.2e} m, its own {its:.2e} m")
    what = f"4 elements against 50, error {error:.1e} and {its:.1e} m"
    return [Row(what, "PyElastica", best["ours"], best["theirs"], FASTER)]


def waving(elements: int) -> tuple[jd.Model, jd.State]:
    """A pinned cable of elements of 5 cm without weight, with a sine of velocity across it, 10 elements long."""
    length = PART * elements
    system = jd.System("wave")
    system.add(jd.Cable("line", length, MASS, EA, EI, elements=elements, root="pinned"), joint=jd.Weld("hook"))
    model = system.compile()
    number, s = 2.0 * np.pi / (10.0 * PART), np.linspace(0.0, length, elements + 1)
    speeds = {f"line.z[{k}]": SPEED * np.sin(number * x) for k, x in enumerate(s) if k > 0}
    speeds |= {f"line.dz[{k}]": SPEED * number * np.cos(number * x) for k, x in enumerate(s)}
    return model, model.state(v=speeds)


def per_element(elements: int, method: Any, step: float, rounds: int) -> Measured:
    """Time of an element and a step [s], of 200 steps less what a run takes besides."""
    model, state = waving(elements)

    def steps(n: int) -> None:
        jd.simulate(model, state, until=n * step, method=method, step=step, output=n * step, progress=False)

    runs = {n: partial(steps, n) for n in (10, 210)}
    best = whole_runs(runs, rounds, time.process_time)
    return (best[210] - best[10]) / (200 * elements)


def against_elements(rounds: int) -> tuple[list[tuple[str, ...]], list[Limit], list[Curve]]:
    """Cost a step and element of each size, how much more it is at most than at least, and curves of a step."""
    costs = []
    for elements in (*SIZES, 10000):
        some = rounds if elements >= 5000 else 12 * rounds
        costs.append([per_element(elements, *method, some) for method in (("rk4", 2e-5), (METHOD, 1e-3))])
    lines = [
        (str(elements), *(f"{1e6 * one:.3f} us" for one in cost))
        for elements, cost in zip((*SIZES, 10000), costs, strict=True)
    ]
    limits = []
    for k, what in enumerate(COSTS[1:]):
        spread = [cost[k] for cost in costs[: len(SIZES)]]
        grown = together(lambda *each: 100.0 * (max(each) / min(each) - 1.0), *spread)
        limits.append(Limit(f"a cable's element, {SIZES[0]} to {SIZES[-1]} of them, {what}", grown, "%", FLAT))
    sizes = (*SIZES, 10000)
    curves = [
        Curve(
            f"a step of a cable, {what}",
            sizes,
            tuple(n * cost[k] for n, cost in zip(sizes, costs, strict=True)),
            "elements",
        )
        for k, what in enumerate(COSTS[1:])
    ]
    return lines, limits, curves


def measure(quick: bool) -> tuple[list[Row], list[tuple[str, ...]], list[Limit], list[Curve]]:
    """Rows against peers, costs by size, limits of these, and their curves."""
    rounds = 2 if quick else 5
    return against_exudyn(rounds) + against_elastica(rounds), *against_elements(rounds)


if __name__ == "__main__":
    found, costs, grown, _ = measure(False)
    print(table(COMPARED, [row.cells() for row in found]))
    print(table(COSTS, costs))
    print(table(LIMITED, [limit.cells() for limit in grown]))
