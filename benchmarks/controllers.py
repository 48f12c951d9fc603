"""Controllers in the loop: what calling them costs beyond their own arithmetic, compiled and in plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable

import models
import numpy as np
from results import Limit
from timing import whole_runs

import jourdain as jd

ADDED = 1e-6
"""What a compiled controller may add to a step beyond its own arithmetic [s]."""
SLOWDOWN = 2.0
"""How many times as long as without it a run may take with a Python controller, the time of its own taken off."""
STEP, PERIOD = 1e-4, 1e-3
"""Of the simulation and of the Python controller [s]."""


@jd.law
def idle(t, q, v, z, s, p, effort, dz):
    pass


def damped(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A controller as a user writes it."""
    return -0.2 * v


def own_time(calls: int) -> float:
    """Processor time of as many calls of the Python controller, from Python [s]."""
    q, v = np.zeros(7), np.ones(7)
    best = float("inf")
    for _ in range(5):
        begun = time.process_time()
        for _ in range(calls):
            damped(0.0, q, v)
        best = min(best, time.process_time() - begun)
    return best


def limits(quick: bool) -> list[Limit]:
    """The 7-axis arm, rk4 at 10 kHz: processor time of whole runs."""
    model = models.arm()
    state = model.state(v=np.full(7, 0.1))
    duration = 0.5 if quick else 2.0
    steps, samples = round(duration / STEP), round(duration / PERIOD) + 1

    def run(controller: object) -> Callable[[], object]:
        return lambda: jd.simulate(model, state, until=duration, step=STEP, output=duration, controller=controller)

    contestants = {
        "none": run(None),
        "idle": run(idle),
        "sampled": run(jd.control.Sampled(idle, PERIOD)),
        "python": run(jd.control.Sampled(damped, PERIOD)),
    }
    for one in contestants.values():
        one()
    best = whole_runs(contestants, 5 if quick else 20, clock=time.process_time)
    ratio = (best["python"] - own_time(samples)) / best["none"]
    return [
        Limit("a compiled controller, added to a step of rk4", (best["idle"] - best["none"]) / steps, "s", ADDED),
        Limit("the same, sampled at 1 kHz", (best["sampled"] - best["none"]) / steps, "s", ADDED),
        Limit("a Python controller at 1 kHz, times as long as without it", ratio, "", SLOWDOWN),
    ]
