"""Closed chains against Exudyn: both at the longest step that keeps the same error, so that order counts.

Forty four-bars have one degree of freedom, and their exact motion is that of one angle. The flexible slider-crank is
compared with our own at a tenth of the step; Exudyn's bodies do not foreshorten, so for this neither does ours.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from flexible_models import Link, rod
from results import Curve, Limit, Row
from scipy.integrate import solve_ivp
from timing import together, whole_runs

import jourdain as jd

TARGET = 5.0
GRAVITY = 9.81
BARS = 40
FALL = 0.5
"""Time of the four-bars, before they first lie flat, where Exudyn's constraints become dependent [s]."""
STROKE = 0.2
"""Time of the slider-crank [s]."""
ALLOWED = 1e-5
"""Error of a position at the end that both may make [m]."""
FINER = 20
"""How many times as many of our steps are timed."""
START = 3e-3
"""How long the start of a run of the four-bars may take, from a state that no run began from before [s]."""
STEPS = [n * 2**k for k in range(3, 14) for n in (2, 3)]
"""Numbers of steps that are tried, the smallest first."""


def four_bars(count: int) -> tuple[jd.Model, jd.State]:
    """N four-bars: bars of 1 m and 1 kg, upright, heads moving along x at 1 m/s (IFToMM benchmark A02)."""
    system = jd.System(f"{count} four-bars", gravity=(0.0, -GRAVITY, 0.0))

    def bar(name: str) -> jd.RigidBody:
        return jd.RigidBody(name, 1.0, (0.5, 0, 0), (0.0, 1 / 12, 1 / 12), frames={"tip": (1.0, 0, 0)})

    upright, level = (np.array([np.sqrt(0.5), 0, 0, sign * np.sqrt(0.5)]) for sign in (1, -1))
    for i in range(count + 1):
        system.add(bar(f"bar{i}"), jd.Revolute(f"foot{i}"), position=(i, 0, 0), rotation=upright)
        if i < count:
            system.add(bar(f"coupler{i}"), jd.Revolute(f"head{i}"), to=f"bar{i}.tip", rotation=level)
    for i in range(count):
        system.connect(jd.Revolute(f"pin{i}"), f"coupler{i}.tip", f"bar{i + 1}.tip")
    model = system.compile()
    feet = {f"foot{i}": -1.0 for i in range(count + 1)}
    return model, model.state(v=feet | {f"head{i}": 1.0 for i in range(count)})


def turned(model: jd.Model, count: int, angle: float) -> jd.State:
    """The four-bars at rest, all turned by an angle from upright."""
    places = {f"foot{i}": angle for i in range(count + 1)} | {f"head{i}": -angle for i in range(count)}
    return model.state(q=places)


def start(rounds: int) -> Limit:
    """Processor time of a run of one step, each from another state."""
    model, _ = four_bars(BARS)
    states = iter([turned(model, BARS, 1e-3 * k) for k in range(10 * rounds + 2)])
    run_ours(model, next(states), "bar0.tip", 1e-3, 1)
    found = whole_runs(
        {"start": lambda: run_ours(model, next(states), "bar0.tip", 1e-3, 1)}, 10 * rounds, time.process_time
    )
    return Limit(f"{BARS} four-bars, start of a run from a new state, with one step", found["start"], "s", START)


def exact_head(count: int, end: float) -> np.ndarray:
    """Where the head of the first bar is: all bars turn as one, ((N+1)/3 + N) a'' = -((N+1)/2 + N) g cos a."""
    pull = ((count + 1) / 2 + count) * GRAVITY / ((count + 1) / 3 + count)
    path = solve_ivp(
        lambda t, y: (y[1], -pull * np.cos(y[0])), (0, end), (np.pi / 2, -1.0), "DOP853", rtol=1e-13, atol=1e-13
    )
    return np.array([np.cos(path.y[0, -1]), np.sin(path.y[0, -1])])


def slider_crank(fidelity: str = "exact") -> list[Link]:
    """A crank, a rod of aluminium with two bending functions, and a slider, stretched along x."""
    strip = dict(mass_per_length=0.27, EA=7e6, EI=(60.0, 60.0), GJ=50.0, inertia_per_length=1e-5)
    beam = jd.Beam("rod", 0.6, modes=jd.Modes(bending_z=2), fidelity=fidelity, **strip)
    return [
        Link(rod("crank", 0.2, 0.5, 0.02), "y", "world"),
        Link(beam, "y", "crank"),
        Link(rod("slider", 0.1, 1.0, 0.04), "y", "rod"),
    ]


def closed(links: list[Link]) -> tuple[jd.Model, jd.State]:
    """The links, the last of them led along x, from rest."""
    system = jd.System("slider-crank", gravity=(0.0, 0.0, -GRAVITY))
    for link in links:
        to = link.to if link.to == "world" else f"{link.to}.tip"
        system.add(link.body, jd.Revolute(f"{link.body.name}_angle", axis=link.axis), to=to)
    system.connect(jd.Prismatic("lead", axis="x"), "slider.tip", "world")
    model = system.compile()
    return model, model.state()


def run_ours(model: jd.Model, state: jd.State, address: str, step: float, steps: int) -> np.ndarray:
    """Position of a frame after `steps` of rk4 with projection."""
    end = steps * step
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.constraints.ConstraintWarning)
        run = jd.simulate(model, state, until=end, step=step, method="rk4", output=end, progress=False)
    return model.pose(address, run.state()).position


def fewest(name: str, run: Callable[[float, int], np.ndarray], end: float, exact: np.ndarray) -> int:
    """The fewest steps of `STEPS` that keep the error."""
    for steps in STEPS:
        try:
            error = float(np.max(np.abs(run(end / steps, steps)[: len(exact)] - exact)))
        except Exception:
            continue
        if error <= ALLOWED:
            return steps
    raise AssertionError(f"{name} does not come within {ALLOWED:g} m in {STEPS[-1]} steps")


def compare(
    what: str, runs: dict[str, Callable[[float, int], Any]], end: float, exact: np.ndarray, rounds: int
) -> list[Row]:
    """Two rows for each peer: what the steps take, and the whole call with its start, which a short run feels."""
    counts = {name: fewest(f"{what}, {name}", run, end, exact) for name, run in runs.items()}
    # the difference of two runs is what steps take, without the start of a run; ours are so few and short that they
    # are measured on finer ones, which cost the same
    timed = {name: FINER * n if name == "ours" else n for name, n in counts.items()}
    parts: dict[Any, Callable[[], Any]] = {
        (name, n): partial(run, end / timed[name], n)
        for name, run in runs.items()
        for n in (timed[name] // 4, timed[name])
    }
    parts |= {(name, "whole"): partial(run, end / counts[name], counts[name]) for name, run in runs.items()}
    best = whole_runs(parts, rounds, time.process_time)
    whole = {name: best[name, "whole"] for name in runs}
    cost = {name: (best[name, n] - best[name, n // 4]) / (n - n // 4) * counts[name] for name, n in timed.items()}
    rows = []
    for name in runs:
        if name != "ours":
            ours, theirs = f"{what}, {counts['ours']} steps", f"{name}, {counts[name]} steps"
            rows.append(Row(ours, theirs, cost["ours"], cost[name], TARGET))
            rows.append(Row(f"{ours}, with the start of the run", theirs, whole["ours"], whole[name]))
    return rows


def measure(rounds: int) -> tuple[list[Row], list[Limit], Curve]:
    """Everything."""
    from exudyn_flexible import SOLVERS
    from exudyn_loops import ExudynCrank, ExudynFourBars

    model, state = four_bars(BARS)
    peer = ExudynFourBars(BARS, GRAVITY)
    runs: dict[str, Callable[[float, int], Any]] = {"ours": partial(run_ours, model, state, "bar0.tip")}
    fastest = SOLVERS["its fastest solver"]
    runs["Exudyn, generalized alpha, its fastest solver"] = lambda step, n: peer.run(n, step, fastest)
    rows = compare(f"{BARS} four-bars, {FALL} s", runs, FALL, exact_head(BARS, FALL), rounds)

    links = slider_crank("inconsistent")
    model, state = closed(links)
    crank = ExudynCrank(links)
    exact = run_ours(model, state, "slider.tip", STROKE / 20_000, 20_000)
    runs = {"ours": partial(run_ours, model, state, "slider.tip")}
    for label, solver in SOLVERS.items():
        runs[f"Exudyn, generalized alpha, {label}"] = lambda step, n, solver=solver: crank.run(n, step, solver=solver)
    rows += compare(f"flexible slider-crank, {STROKE} s", runs, STROKE, exact, rounds)

    costs = {}
    for count in (20, 40, 80):
        model, state = four_bars(count)
        short, long = (partial(run_ours, model, state, "bar0.tip", 1e-3, steps) for steps in (10, 210))
        best = whole_runs({"short": short, "long": long}, max(3, rounds // 5), time.process_time)
        costs[count] = (best["long"] - best["short"]) / 200 / count
    growth = together(lambda *each: max(each) / min(each), *costs.values())
    curve = Curve("a step, four-bars", tuple(costs), tuple(n * cost for n, cost in costs.items()), "four-bars")
    limits = [Limit("time of a step a four-bar, 20 to 80 of them: largest over smallest", growth, "", 1.5)]
    return rows, [start(rounds), *limits], curve
