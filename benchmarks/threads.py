"""One large model on several threads: `jd.simulate(..., workers=2)` against one thread, and from which size on it pays.

Piles of balls as in `contact_scenes`, arms of seven links that stand side by side, and a block of soft rubber with all
its nodes as coordinates that lands on a floor (`solids`). Times are on the wall, of a step: that of a longer run less
that of a shorter one. The control is work in registers, shared out to as many threads (`cores`).
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from typing import Any

import contact_scenes
import cores
import models
import solids
from results import Limit, seconds
from timing import Measured, in_rounds

import jourdain as jd

THREADS = 2
PAYS = 1.05
"""How many times as fast it must be to pay: less than that is noise."""
PILES, QUICK_PILES = (48, 100, 250, 500, 2000, 8000), (48, 100, 500)
ARMS, QUICK_ARMS = (8, 16, 32, 64, 128, 512), (8, 32, 128)
CELLS, QUICK_CELLS = (3, 4, 6, 8, 10, 14), (3, 4, 6)
SHARED = ("scene", "size", "a step, one thread", f"a step, {THREADS} threads", "times as fast")

Scene = tuple[jd.Model, jd.State, dict[str, Any], int]
"""What is run, from where, how, and how many steps."""


def pile(balls: int) -> Scene:
    """Balls that fall in layers onto each other."""
    model = contact_scenes.balls(balls)[0]
    return model, model.state(), {"step": 1e-3, "method": "rk3"}, max(20, min(400, 60_000 // balls))


def arms(count: int) -> Scene:
    """Arms of seven links that swing."""
    system = jd.System(f"{count} arms", gravity=(0.0, 0.0, -9.81))
    for a in range(count):
        to = "world"
        for k in range(7):
            joint = jd.Revolute(f"axis{a}_{k}", axis="z" if k % 2 else "y", damping=0.1)
            system.add(models.rod(f"link{a}_{k}", 0.4, 2.0), joint, to=to)
            to = f"link{a}_{k}.tip"
    model = system.compile()
    return model, model.state(), {"step": 1e-3, "method": "rk4"}, max(20, 60_000 // (7 * count))


def block(cells: int) -> Scene:
    """A block that lands: implicit steps."""
    model, state = solids.block(cells)
    how = {"step": solids.STEP, "method": jd.implicit.Newmark(0.5, 1.0), "rtol": 1e-6, "atol": 1e-8}
    return model, state, how, max(10, min(200, 200_000 // model.nv))


def steps_of(scene: Scene, rounds: int) -> dict[int, Measured]:
    """Time of a step on the wall by the number of threads [s]."""
    model, state, how, steps = scene
    few = 6

    def timed(workers: int, count: int) -> Callable[[], float]:
        end = state.time + count * how["step"]

        def once() -> float:
            begun = time.perf_counter()
            jd.simulate(model, state, until=end, output=count * how["step"], workers=workers, **how)
            return time.perf_counter() - begun

        return once

    runs = {(workers, n): timed(workers, n) for workers in (1, THREADS) for n in (few, few + steps)}
    for run in runs.values():
        run()
    best = in_rounds(runs, rounds)
    return {workers: (best[workers, few + steps] - best[workers, few]) / steps for workers in (1, THREADS)}


def measure(rounds: int, quick: bool) -> tuple[list[tuple[str, ...]], list[Limit]]:
    """Rows of a table, and what the machine gives and from which sizes on two threads are faster."""
    warnings.simplefilter("ignore")
    cores.spin(10)
    best = in_rounds({n: lambda n=n: cores.control(n) for n in (1, THREADS)}, rounds)
    limits = [Limit("a control in registers, times as fast", best[1] / best[THREADS], "")]
    rows: list[tuple[str, ...]] = []
    for name, make, sizes, what in (
        ("pile", pile, QUICK_PILES if quick else PILES, "balls"),
        ("arms", arms, QUICK_ARMS if quick else ARMS, "bodies"),
        ("a solid that lands, implicit", block, QUICK_CELLS if quick else CELLS, "coordinates"),
    ):
        pays = math.inf
        for size in sizes:
            scene = make(size)
            found = steps_of(scene, rounds)
            ratio = found[1] / found[THREADS]
            count = scene[0].nv if make is block else size * (7 if make is arms else 1)
            pays = math.inf if ratio < PAYS else min(pays, count)
            spread = "" if ratio.spread is None else f" ± {100.0 * ratio.spread:.2g} %"
            rows.append((name, f"{count:,} {what}", *(seconds(found[w]) for w in (1, THREADS)), f"{ratio:.2f}{spread}"))
            print(" ", rows[-1], flush=True)
        limits.append(Limit(f"{name}: {THREADS} threads are faster from so many {what} on", pays, ""))
        limits.append(Limit(f"{name}: times as fast with the most of them", ratio, ""))
    return rows, limits
