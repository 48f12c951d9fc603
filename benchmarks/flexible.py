"""Arms with flexible links: against the same arm with rigid links, and against Exudyn's floating-frame bodies."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import flexible_models as models
import numpy as np
from dynamics import ours
from flexible_models import Link
from results import Limit, Row
from timing import in_turn, whole_runs

import jourdain as jd

RIGID_LIMIT = 10.0
"""How many times as long as the rigid arm's the right-hand side of the flexible arm may take."""
EXUDYN_TARGET, ALPHA_TARGET = 10.0, 12.0
ALPHA = "Exudyn, generalized alpha, its fastest solver"
STEP_LIMIT = 1e-4
"""Time of one RK4 step of the model of 50 coordinates [s]: 10,000 steps a second."""
STEP, EXPLICIT_STEP, CHECK_STEP = 2.5e-4, 1e-5, 1e-3
"""Of our RK4; of Exudyn's RK4, whose joints are stiff springs; its implicit one where results are compared [s]."""
OUR_STEPS, EXUDYN_STEPS = (40, 240), (5, 25)
"""Short runs fit between the interruptions of a shared machine; a step is the difference of two."""
CHECKED = 1.0
"""Time after which the tips must still agree [s]."""
AGREEMENT = 1e-6
"""Of the position of the tip, which has moved by centimetres [m]: the order of both methods."""
MODES = {
    "4 modes a link, bending": jd.Modes(bending=2),
    "4 modes a link, with stretch and twist": jd.Modes(bending=1, axial=1, torsion=1),
    "7 modes a link, the default": jd.Modes(bending=3, torsion=1),
}


def against_rigid(rounds: int) -> list[Limit]:
    """Forward dynamics of three flexible links over that of three rigid ones."""
    arms = {"rigid": models.three_links(None)} | {name: models.three_links(modes) for name, modes in MODES.items()}
    calls = {name: ours(model, models.moving_state(model))["forward dynamics"] for name, model in arms.items()}
    best = in_turn(calls, rounds)
    rows = [Limit("forward dynamics, 3 rigid links", best["rigid"], "s")]
    for name in MODES:
        rows.append(Limit(f"the same, {name}", best[name], "s"))
        limit = RIGID_LIMIT if name.startswith("4") else None
        rows.append(Limit(f"flexible over rigid, {name}", best[name] / best["rigid"], "", limit))
    return rows


def run_ours(model: jd.Model, steps: int, step: float) -> jd.Run:
    """From rest."""
    end = steps * step
    return jd.simulate(model, model.state(), until=end, step=step, method="rk4", output=end, progress=False)


def check(name: str, links: list[Link], peer: Callable[[int, float], np.ndarray]) -> None:
    """The tips agree: Exudyn's bodies do not foreshorten, so for this neither do ours."""
    model = models.compiled(name, links, fidelity="inconsistent")
    run = run_ours(model, round(CHECKED / STEP), STEP)
    mine = model.pose(f"{links[-1].body.name}.tip", run.state()).position
    error = float(np.max(np.abs(mine - peer(round(CHECKED / CHECK_STEP), CHECK_STEP))))
    assert error < AGREEMENT, f"{name}: Exudyn is {error:.3g} m off after {CHECKED} s"


def against_exudyn(name: str, links: list[Link], rounds: int) -> list[Row]:
    """One step of the model in both codes."""
    import exudyn as exu
    from exudyn_flexible import SOLVERS, ExudynArm

    model = models.compiled(name, links)
    held, sprung = ExudynArm(links), ExudynArm(links, penalty=True)
    check(name, links, held.run)
    methods: dict[str, Callable[[int], object]] = {"ours": partial(run_ours, model, step=STEP)}
    for label, solver in SOLVERS.items():
        methods[f"Exudyn, generalized alpha, {label}"] = partial(held.run, step=STEP, solver=solver)
        method = exu.DynamicSolverType.RK44
        methods[f"Exudyn, RK4, {label}"] = partial(sprung.run, step=EXPLICIT_STEP, method=method, solver=solver)
    counts = {label: OUR_STEPS if label == "ours" else EXUDYN_STEPS for label in methods}
    runs = {(label, n): partial(methods[label], n) for label in methods for n in counts[label]}
    best = whole_runs(runs, rounds, time.process_time)
    # the difference of two runs is what a step takes, without the start of a run
    cost = {label: (best[label, long] - best[label, short]) / (long - short) for label, (short, long) in counts.items()}
    return [
        Row(f"a step, {name}", label, cost["ours"], theirs, ALPHA_TARGET if label == ALPHA else EXUDYN_TARGET)
        for label, theirs in cost.items()
        if label != "ours"
    ]


def measure(rounds: int) -> tuple[list[Row], list[Limit]]:
    """Everything."""
    limits = against_rigid(rounds)
    rows = against_exudyn("arm of 27 coordinates", models.arm_27(), rounds)
    more = against_exudyn("robot of 50 coordinates", models.robot_50(), rounds)
    limits.append(Limit("an RK4 step, robot of 50 coordinates", more[0].ours, "s", STEP_LIMIT))
    return rows + more, limits
