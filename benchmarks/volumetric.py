"""Volumetric contact: what a patch adds, a battery box; a dropped box and a peg beside Drake and MuJoCo."""

from __future__ import annotations

import time
from collections.abc import Callable

import contact_drake
import contact_loops
import mujoco
import numpy as np
import volumetric_peg
import volumetric_scenes as scenes
from results import Limit, Row
from timing import in_turn, whole_runs

import jourdain as jd

ADDED = {"ball": 1e-6, "box": 10e-6}
"""What a ball on a plane and a box on a box may add to an evaluation [s]."""
DEEPEST = 5e-4
"""How deep the dropped box may sink at most [m]; every code takes the longest of STEPS that holds it."""
STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4)
UNTIL = 1.0
FASTER = {"Drake": 3.0, "MuJoCo": 1.5}
"""How many times as fast as the others the box should be."""


def patches(rounds: int) -> list[Limit]:
    """Difference of the right-hand sides with and without contact, called from a compiled loop."""
    out = []
    for pair, what in (("ball", "a ball on a plane"), ("box", "a box on a box, tilted")):
        runs: dict[str, Callable[[int], object]] = {}
        for touching in (False, True):
            model, at = scenes.patch(pair, touching)
            runs["touching" if touching else "free"] = contact_loops.RightHandSide(model, at).evaluate
        best = in_turn(runs, rounds)
        text = f"{what}, volumetric, added to an evaluation"
        out.append(Limit(text, best["touching"] - best["free"], "s", ADDED[pair]))
    return out


def battery_box() -> Limit:
    """Processor time of a simulated second, rk3 at 0.25 ms, while the box rattles in."""
    model, state = scenes.battery_box()
    words = {"method": "rk3", "step": 2.5e-4, "output": 0.05, "progress": False, "step_check": "warn"}
    jd.simulate(model, state, until=0.05, **words)
    best = whole_runs({"box": lambda: jd.simulate(model, state, until=3.0, **words)}, 3, time.process_time)
    taken = best["box"] / 3.0
    return Limit("battery box, processor time of a simulated second, rk3 at 0.25 ms", taken, "s", 1.0)


def _longest(deepest: Callable[[float], float]) -> float:
    """The longest step that holds the box above DEEPEST."""
    for step in STEPS:
        try:
            if deepest(step) <= DEEPEST:
                return step
        except jd.errors.SimulationError:
            continue
    return STEPS[-1]


def _mujoco(step: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    half = 0.5 * np.array(scenes.SIZE)
    sizes = " ".join(f"{x:g}" for x in half)
    text = f"""<mujoco><option timestep="{step}" gravity="0 0 -9.81"/><worldbody>
    <geom type="box" size="2 2 0.5" pos="0 0 -0.5" friction="0.3"/>
    <body pos="0 0 {half[2] + scenes.DROP:g}"><freejoint/>
    <geom type="box" size="{sizes}" mass="1" friction="0.3"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def _sunk(height: np.ndarray) -> float:
    """How deep the box sank [m]; infinite where it does not lie still in the end, or rose above where it fell from."""
    above = height - 0.5 * scenes.SIZE[2]
    quiet = np.ptp(above[-len(above) // 10 :]) < 0.1 * DEEPEST and abs(above[-1]) <= DEEPEST
    return float(np.max(-above)) if quiet and np.max(above) <= 1.01 * scenes.DROP else np.inf


def box(rounds: int) -> list[Row]:
    """A box dropped on a floor, one second: ours, MuJoCo, and Drake where it is there."""
    model, state = scenes.dropped_box()

    def ours(step: float) -> np.ndarray:
        run = jd.simulate(model, state, until=UNTIL, step=step, output=step, progress=False, step_check="warn")
        return run.frame("box.origin").position.values[:, 2]

    def in_mujoco(step: float) -> np.ndarray:
        other, data = _mujoco(step)
        out = []
        for _ in range(round(UNTIL / step)):
            mujoco.mj_step(other, data)
            out.append(data.qpos[2])
        return np.array(out)

    steps = {"ours": _longest(lambda step: _sunk(ours(step)))}
    steps["MuJoCo"] = _longest(lambda step: _sunk(in_mujoco(step)))

    def run_ours() -> object:
        return jd.simulate(
            model, state, until=UNTIL, step=steps["ours"], output=UNTIL, progress=False, step_check="warn"
        )

    def run_mujoco() -> None:
        other, data = _mujoco(steps["MuJoCo"])
        mujoco.mj_step(other, data, nstep=round(UNTIL / steps["MuJoCo"]))

    runs: dict[str, Callable[[], object]] = {"ours": run_ours, "MuJoCo": run_mujoco}
    if not contact_drake.missing():

        def in_drake(step: float, every: float) -> np.ndarray:
            times = list(np.arange(1, round(UNTIL / every) + 1) * every)
            return contact_drake.dropped("SAP", step, 0.3, scenes.SIZE, scenes.DROP, times)[:, 2]

        steps["Drake"] = _longest(lambda step: _sunk(in_drake(step, step)))
        runs["Drake"] = lambda: in_drake(steps["Drake"], UNTIL)
    best = whole_runs(runs, rounds, time.process_time)
    what = f"a box dropped on a floor, {UNTIL:g} s, sinks {1e3 * DEEPEST:g} mm at most, step {1e3 * steps['ours']:g} ms"
    return [
        Row(
            what,
            f"{peer}, step {1e3 * steps[peer]:g} ms",
            best["ours"],
            best[peer],
            FASTER[peer],
        )
        for peer in runs
        if peer != "ours"
    ]


def measure(rounds: int) -> tuple[list[Row], list[Limit]]:
    """Rows of the dropped box and the peg, and limits of the patches and the battery box."""
    return [*box(3), *volumetric_peg.measure(2)], [*patches(rounds), battery_box()]


if __name__ == "__main__":
    found, limits = measure(20)
    for item in (*found, *limits):
        print(*item.cells(), sep=" | ")
