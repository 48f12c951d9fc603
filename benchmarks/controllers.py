"""Controllers in the loop: what calling them costs beyond their own arithmetic, compiled and in plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable

import models
import numpy as np
from results import Limit
from timing import in_turn, whole_runs

import jourdain as jd
from jourdain.kernels import entry_point
from jourdain.kernels.compiler import Kernel
from jourdain.kernels.stage_functions import WITHOUT_MODEL
from jourdain.kernels.user_functions import KINDS, user_function

ADDED = 1e-6
"""What a compiled controller may add to a step beyond its own arithmetic [s]."""
SLOWDOWN = 2.0
"""How many times as long as without it a run may take with a Python controller, the time of its own taken off."""
CHECKED = 50e-9
"""What checks of indices may add to a call of a law of 49 indices [s]: 1 % of a step of rk4 of the arm."""
STEP, PERIOD = 1e-4, 1e-3
"""Of the simulation and of the Python controller [s]."""


@jd.law
def idle(t, q, v, z, s, p, effort, dz):
    pass


def damped(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A controller as a user writes it."""
    return -0.2 * v


def regulator(t, q, v, z, s, p, effort, dz):
    """A law of seven joints that looks up 49 entries, each of which may be anywhere in its array."""
    for k in range(7):
        j = int(q[k]) * 3 % 7
        effort[j] -= p[k] * q[j] + p[7 + j] * v[k]


@entry_point
def calls(address, q, v, p, effort, none, times):
    """Calls of a law as the loop calls it."""
    law = WITHOUT_MODEL(address)
    for i in range(times):
        effort[i % 7] = 0.0
        law(1e-3 * i, q, v, none, none, p, effort, none)


def checks(rounds: int) -> Limit:
    """The law as users' laws are compiled, against the same with indices that are trusted, as kernels' are."""
    arguments = ("t", "q", "v", "z", "s", "p", "effort", "dz")
    wrap, kind = KINDS[" ".join(arguments)]
    trusted = wrap(Kernel(regulator, "kernel", allocates=True))
    trusted.__name__ = "trusted"
    laws = {
        "checked": user_function(regulator, arguments),
        "trusted": Kernel(trusted, "user", allocates=True).overload(kind.signature.args).ready(frozenset()),
    }
    arrays = np.ones(7), np.ones(7), np.full(14, 1e-3), np.zeros(7), np.zeros(0)
    best = in_turn({name: lambda n, a=one.address: calls(a, *arrays, n) for name, one in laws.items()}, rounds)
    return Limit("checks of the 49 indices of a law, added to a call", best["checked"] - best["trusted"], "s", CHECKED)


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
        checks(10 if quick else 50),
        Limit("a Python controller at 1 kHz, times as long as without it", ratio, "", SLOWDOWN),
    ]
