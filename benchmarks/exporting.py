"""Exported models: what a step costs from C, against one inside the compiled loop of a simulation."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import models
import numpy as np
from exported import Instance, Library
from results import Limit
from timing import whole_runs

import jourdain as jd
from jourdain.kernels.entries import entry
from jourdain.run.loop import loop
from jourdain.run.plan import Plan
from jourdain.study.demo import shipped

SHARE = 0.10
"""How much of one core a model at 1 kHz may take."""


def step_times(
    model: jd.Model, state: jd.State, step: float, steps: int, rounds: int, **options
) -> tuple[float, float]:
    """Seconds of a step from C and of one inside the loop of a simulation, the same steps."""
    from jourdain.kernels.integrate.records import tape

    with tempfile.TemporaryDirectory() as folder:
        jd.export.c(model, folder, state=state, step=step, target="native", inputs=(), **options)
        one = Instance(Library(Path(folder)))

    def from_c() -> None:
        one.lib.init(one.self)
        assert one.step(steps) == 0

    def in_loop() -> None:
        plan = Plan(model, state, state.time + steps * step, step, "rk4", **options)
        run = loop(plan, plan.workspace())
        run = run._replace(tape=tape(2, model.nq, model.nv, len(model.names.z) + plan.laws.states))
        go = entry(plan.stepper, model.features).python
        begun = time.process_time()
        go(run, plan.start, plan.step, 0, steps, 2**62, 2**62, 0)
        taken.append(time.process_time() - begun)

    taken: list[float] = []
    best = whole_runs({"c": from_c, "python": in_loop}, rounds, clock=time.process_time)
    return best["c"] / steps, min(taken) / steps


def limits(quick: bool) -> list[Limit]:
    """The 7-axis arm and the demonstration: flexible arm in orbit, contact, impedance, loop that damps its links."""
    rounds, steps = (5, 2000) if quick else (30, 10_000)
    arm = models.arm()
    mine, theirs = step_times(arm, arm.state(v=np.full(7, 0.1)), 1e-4, steps, rounds)
    one = shipped("flagship")
    whole, inside = step_times(one.model, one.state, 1e-3, steps // 4, rounds, controller=one.controller)
    return [
        Limit("an RK4 step of the arm from C, over one inside a simulation", mine / theirs, "", 1.02),
        Limit("an RK4 step of the demonstration from C, over one inside a simulation", whole / inside, "", 1.02),
        Limit("an RK4 step of the arm from C", mine, "s"),
        Limit("an RK4 step of the demonstration from C, of 1 ms", whole, "s", SHARE * 1e-3),
    ]


if __name__ == "__main__":
    for limit in limits(quick=True):
        print(" | ".join(limit.cells()))
