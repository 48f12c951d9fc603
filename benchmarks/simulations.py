"""Whole simulations: the free chain against MuJoCo and Exudyn, and many arms against MuJoCo's rollout, all by RK4."""

from __future__ import annotations

import os
from functools import partial

import models
import mujoco
import numpy as np
from mujoco import rollout
from peers.with_mujoco import Mujoco
from results import Row
from timing import whole_runs

import jourdain as jd

STEP = 1e-3
CHECKED = 200
"""Steps after which the trajectories must still agree."""
AGREEMENT = 1e-6
"""Of coordinates [m, rad]: the codes treat the rotation of the base differently, each at the order of its method."""
MUJOCO_TARGET, EXUDYN_TARGET, ENSEMBLE_TARGET = 3.0, 20.0, 3.0


def final(model: jd.Model, at: jd.State, steps: int) -> np.ndarray:
    """Our coordinates after some steps."""
    end = steps * STEP
    return jd.simulate(model, at, until=end, step=STEP, method="rk4", output=end, progress=False).record.q[-1]


def against(mine: np.ndarray, theirs: np.ndarray, who: str) -> None:
    """The coordinates agree."""
    error = float(np.max(np.abs(mine - theirs)))
    assert error < AGREEMENT, f"{who} is {error:.3g} off after {CHECKED} steps"


def chain_run(rounds: int, steps: int) -> list[Row]:
    """`steps` steps of the chain of 40 bodies."""
    from with_exudyn import SOLVERS, ExudynChain

    model = models.chain(40)
    at = models.state(model)
    other, third = Mujoco(model, STEP), ExudynChain(model, at)
    mine = final(model, at, CHECKED)
    other.set(at.q, at.v)
    mujoco.mj_step(other.model, other.data, nstep=CHECKED)
    against(other.coordinates.position(mine), other.data.qpos, "MuJoCo")
    against(np.concatenate([mine[:3], mine[7:]]), np.concatenate(third.run(CHECKED, STEP)), "Exudyn")

    def run_mujoco() -> None:
        other.set(at.q, at.v)
        mujoco.mj_step(other.model, other.data, nstep=steps)

    contestants = {"ours": lambda: final(model, at, steps), "mujoco": run_mujoco}
    long, short = max(100, steps // 10), 20
    for label, solver in SOLVERS.items():
        for n in (long, short):
            contestants[f"{label} {n}"] = partial(third.run, n, STEP, solver)
    best = whole_runs(contestants, rounds)
    name = f"{steps} RK4 steps, chain of 40"
    rows = [Row(name, "MuJoCo", best["ours"], best["mujoco"], MUJOCO_TARGET)]
    for label in SOLVERS:
        # Exudyn makes fewer steps; the difference of two runs leaves out the start of its solver.
        theirs = steps * (best[f"{label} {long}"] - best[f"{label} {short}"]) / (long - short)
        rows.append(Row(name, f"Exudyn, {label}", best["ours"], theirs, EXUDYN_TARGET))
    return rows


def ensemble(rounds: int, cases: int, steps: int) -> list[Row]:
    """Many trajectories of the arm, on all cores in both codes."""
    model = models.arm()
    states = [models.state(model, seed) for seed in range(cases)]
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    other = Mujoco(model, STEP)
    data = [mujoco.MjData(other.model) for _ in range(threads)]
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    initial = np.empty((cases, mujoco.mj_stateSize(other.model, kind)))
    for i, at in enumerate(states):
        other.set(at.q, at.v)
        mujoco.mj_getState(other.model, other.data, initial[i], kind)
    every = np.empty((cases, steps, initial.shape[1]))
    sensed = np.empty((cases, steps, 0))

    def ours(**options: float) -> np.ndarray:
        end = steps * STEP
        many = jd.simulate_many(model, states, until=end, step=STEP, method="rk4", workers=threads, **options)
        return many.record.q[:, -1]

    with rollout.Rollout(nthread=threads) as pool:

        def theirs(n: int = steps) -> np.ndarray:
            pool.rollout(other.model, data, initial, nstep=n, state=every[:, :n], sensordata=sensed[:, :n])
            return every[:, n - 1, 1 : 1 + model.nq]

        def anew() -> np.ndarray:
            return pool.rollout(other.model, data, initial, nstep=steps)[0][:, -1, 1 : 1 + model.nq]

        short = jd.simulate_many(model, states, until=CHECKED * STEP, step=STEP, method="rk4", workers=threads)
        first = pool.rollout(other.model, data, initial, nstep=CHECKED)[0][:, -1, 1 : 1 + model.nq]
        against(short.record.q[:, -1], first, "MuJoCo's rollout")
        every_step = {"every": lambda: ours(output=STEP), "mujoco": anew}
        best = whole_runs({"ends": ours, "mujoco, arrays": theirs, **every_step}, rounds)
    name = f"{cases} arms, {steps} RK4 steps each, {threads} threads"
    kept = f"{name}, every step kept with its energies"
    return [
        Row(name, "MuJoCo rollout, arrays given", best["ends"], best["mujoco, arrays"], ENSEMBLE_TARGET),
        Row(kept, "MuJoCo rollout", best["every"], best["mujoco"], ENSEMBLE_TARGET),
        Row(kept, "MuJoCo rollout, arrays given", best["every"], best["mujoco, arrays"]),
    ]


def measure(rounds: int, quick: bool) -> list[Row]:
    """Both."""
    rows = chain_run(rounds, 1000 if quick else 10_000)
    return rows + ensemble(max(2, rounds // 2), 100 if quick else 1000, 1000)
