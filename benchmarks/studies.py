"""Studies: ten thousand variants in one call against MuJoCo's rollout, and many short contact runs on all cores."""

from __future__ import annotations

import os
from pathlib import Path

import models
import mujoco
import numpy as np
from mujoco import rollout
from peers.with_mujoco import Mujoco
from results import Row
from simulations import AGREEMENT, CHECKED, STEP
from timing import whole_runs

import jourdain as jd
from jourdain.study.demo import SCENARIOS

SWEEP_TARGET, CORES_TARGET = 3.0, 1.7


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def slews(variants: int, steps: int) -> tuple[jd.study.Scenario, dict[str, jd.study.Parameter], jd.study.Design]:
    """The 7-axis arm slewing at rates of its own in every variant."""
    system = models.arm_system()
    scenario = jd.study.Scenario("slews", system, steps * STEP, step=STEP, method="rk4", output=steps * STEP)
    names = scenario.model.names.v
    varied = {f"state.v.{name}": jd.study.Parameter(range=(-1.0, 1.0)) for name in names}
    return scenario, varied, jd.study.Design("random", variants, seed=5)


def throughput(rounds: int, variants: int, steps: int) -> list[Row]:
    """One call of `jd.sweep` against one of the rollout, both by RK4 on all cores."""
    threads = cores()

    def ours(n: int = steps) -> np.ndarray:
        scenario, varied, design = slews(variants, n)
        ends = {name: jd.study.Criterion(name, "final") for name in scenario.model.names.q}
        found = jd.sweep(scenario, varied, design=design, criteria=ends, workers=threads, progress=False)
        return np.column_stack([found[name].values for name in ends])

    scenario, varied, design = slews(variants, steps)
    other = Mujoco(scenario.model, STEP)
    data = [mujoco.MjData(other.model) for _ in range(threads)]
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    initial = np.empty((variants, mujoco.mj_stateSize(other.model, kind)))
    some = [jd.study.Parameter(one.at, range=one.range, name=name) for name, one in varied.items()]
    for i, rates in enumerate(design.rows(some)):
        other.set(scenario.state.q, np.array(rates))
        mujoco.mj_getState(other.model, other.data, initial[i], kind)
    # every step of ten thousand runs would take gigabytes: as many runs at once as the others do
    at_once = min(variants, 1000)
    every = np.empty((at_once, steps, initial.shape[1]))
    sensed = np.empty((at_once, steps, 0))
    nq = scenario.model.nq

    with rollout.Rollout(nthread=threads) as pool:

        def theirs(n: int = steps) -> np.ndarray:
            ends = []
            for a in range(0, variants, at_once):
                begin = initial[a : a + at_once]
                k = len(begin)
                arrays = {"state": every[:k], "sensordata": sensed[:k]} if n == steps else {}
                states = pool.rollout(other.model, data, begin, nstep=n, **arrays)[0]
                ends.append(states[:, -1, 1 : 1 + nq].copy())
            return np.concatenate(ends)

        error = float(np.max(np.abs(ours(CHECKED) - theirs(CHECKED))))
        assert error < AGREEMENT, f"the codes are {error:.3g} apart after {CHECKED} steps"
        best = whole_runs({"ours": ours, "mujoco": theirs}, rounds)
    name = f"sweep of {variants} slews of 7 axes, {steps} RK4 steps each, {threads} threads"
    return [Row(name, "MuJoCo rollout", best["ours"], best["mujoco"], SWEEP_TARGET)]


def contact_runs(rounds: int, variants: int) -> list[Row]:
    """Short contact runs with another friction each, in processes: all cores against one."""
    study = {
        "scenario": "touch_plate.yaml",
        # a controller with a model of its own is compiled for that model: here without, so that runs are compared
        "set": {"simulation.until": 2.5, "controller.feedforward": None, "controller.model": None},
        "parameters": {
            "friction": {
                "at": "system.contacts.touch.friction.kinetic",
                "range": [0.02, 0.2],
                "count": variants,
            }
        },
    }
    many = jd.study.load_study(study, root=Path(SCENARIOS))
    threads = cores()

    def run(workers: int) -> None:
        jd.sweep(many, workers=workers, mode="processes", progress=False)

    best = whole_runs({"all": lambda: run(threads), "one": lambda: run(1)}, rounds)
    name = f"{variants} short contact runs in {threads} processes"
    return [Row(name, "ours in one process", best["all"], best["one"], CORES_TARGET if threads > 1 else None)]


def measure(rounds: int, quick: bool) -> list[Row]:
    """Both."""
    rows = throughput(max(1, rounds // 5), 500 if quick else 10_000, 1000)
    return rows + contact_runs(2, 40 if quick else 100)
