"""Contact: what a touching ball adds to an evaluation, how piles of balls grow, and scenes beside MuJoCo."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import contact_loops
import contact_scenes as scenes
import mujoco
import numpy as np
from results import Curve, Limit, Row, seconds
from timing import in_turn, together, whole_runs

import jourdain as jd

ADDED = 0.2e-6
"""What a ball on a plane may add to an evaluation [s]."""
GROWTH, PILES = 1.1, (2000, 8000, 64_000)
"""The largest power of the number of balls with which the time of a step may grow, and where it is taken."""
STEP, STEPS = 1e-3, {"balls": 1e-3, "boxes": 2e-3}
"""Of the piles; of the scenes, the longest round one at which their contacts are stable [s]."""
DEFAULT_STEP = 2e-3
"""Of MuJoCo [s]."""
PREPARING = 180.0
"""Time that a pile may take to be made and to settle; on a machine too busy for that the largest is left out [s]."""
METHOD = "rk3"
"""Our cheapest method that is stable with both stiffness and damping: three evaluations a step."""
SETTLED = 0.4
"""From when on, and for how long, the scenes are timed [s]."""
SINK = 0.1
"""How far the codes may differ in the mean height once settled, over the radius or half length."""
SOLVERS = {"MuJoCo, its default solver": "Newton", "MuJoCo, its CG solver": "CG"}
FASTEST = "MuJoCo, its CG solver"


def one_ball(touching: bool) -> jd.Model:
    """A free ball that presses on a plane with bristle friction, or has none to press on."""
    system = jd.System("ball", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.1), density=1000.0), jd.Free("free"))
    if touching:
        ball, floor = jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world")
        system.contact("touch", ball, floor, normal=scenes.NORMAL, friction=scenes.BRISTLES)
    return system.compile()


def added(rounds: int) -> Limit:
    """Difference of the right-hand sides with and without contact, called from a compiled loop."""
    runs: dict[str, Callable[[int], object]] = {}
    for name, touching in (("free", False), ("touching", True)):
        model = one_ball(touching)
        at = model.state(q={"free": jd.Pose((0, 0, 0.1 - 5e-3))}, v={"free.vx": 1e-3})
        force = contact_loops.RightHandSide(model, at)
        if touching:
            assert force.acceleration()[5] > -5.0, "the ball does not touch"
        else:
            assert abs(force.acceleration()[5] + 9.81) < 1e-12
        runs[name] = force.evaluate
    best = in_turn(runs, rounds)
    return Limit("a ball on a plane, added to an evaluation", best["touching"] - best["free"], "s", ADDED)


def cpu(run: Callable[[], object]) -> float:
    """Processor time of one call [s]; all codes here run on one thread."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def final(model: jd.Model, at: jd.State, duration: float, step: float = STEP) -> jd.State:
    """State after a time."""
    until = at.time + duration
    return jd.simulate(
        model, at, until=until, step=step, method=METHOD, output=duration, progress=False, step_check="warn"
    ).state()


def growth(rounds: int, quick: bool) -> tuple[list[tuple[str, ...]], list[Limit], list[Curve]]:
    """Rows (balls, compile, a step while they fall, the same once they lie), powers of the number of balls, curves."""
    sizes = PILES[:2] if quick else PILES
    steps = 10
    piles = {}
    rows = []
    taken_last = 0.0
    for n in sizes:
        if piles and taken_last * n / max(piles) > PREPARING:
            break
        begun = time.monotonic()
        made = []
        compiling = cpu(lambda n=n, made=made: made.append(scenes.balls(n)[0]))
        model = made[0]
        fallen = final(model, model.state(), 0.05)
        settled = final(model, fallen, SETTLED)
        piles[n] = model, {"falling": fallen, "settled": settled}, compiling
        taken_last = time.monotonic() - begun
    sizes = tuple(piles)
    runs = {
        (n, name, count): partial(final, model, at, count * STEP)
        for n, (model, states, _) in piles.items()
        for name, at in states.items()
        for count in (steps, 3 * steps)
    }
    taken = whole_runs(runs, rounds, time.process_time)
    # the difference of two runs leaves out what starting a run takes
    best = {
        (n, name): (taken[n, name, 3 * steps] - taken[n, name, steps]) / (2 * steps)
        for n in piles
        for name in ("falling", "settled")
    }
    for n, (_, _, compiling) in piles.items():
        rows.append((f"{n}", seconds(compiling), seconds(best[n, "falling"]), seconds(best[n, "settled"])))
    limits = []
    for name in ("falling", "settled"):
        power = together(
            lambda *times: float(np.polyfit(np.log(sizes), np.log(times), 1)[0]), *(best[n, name] for n in sizes)
        )
        limits.append(
            Limit(f"time of a step grows as N^p, {sizes[0]} to {sizes[-1]} balls, {name}: p", power, "", GROWTH)
        )
    curves = [
        Curve(f"a step, balls on a plane, {name}", sizes, tuple(best[n, name] for n in sizes), "balls")
        for name in ("falling", "settled")
    ]
    return rows, limits, curves


def mean_height(q: np.ndarray, places: np.ndarray) -> float:
    """Mean height of free bodies [m]; ours are relative to where they were added."""
    return float(np.mean(q.reshape(-1, 7)[:, 2] + places[:, 2]))


def scene(n: int, kind: str, rounds: int, solvers: dict[str, str] = SOLVERS) -> list[Row]:
    """A scene in both codes: agreement of the settled heights, then the same simulated time in turn."""
    model, places = scenes.balls(n) if kind == "balls" else scenes.boxes(n)
    step_of_ours = STEPS[kind]
    size, geom = (scenes.RADIUS, scenes.BALL_GEOM) if kind == "balls" else (scenes.HALF, scenes.BOX_GEOM)
    settled = final(model, model.state(), SETTLED, step_of_ours)
    mine = mean_height(settled.q, places)
    duration = 0.4
    runs: dict[str, Callable[[], object]] = {"ours": lambda: final(model, settled, duration, step_of_ours)}
    rows = []
    for step in sorted({step_of_ours, DEFAULT_STEP}):
        for label, solver in solvers.items():
            other = scenes.in_mujoco(places, geom, step, solver)
            data = mujoco.MjData(other)
            mujoco.mj_step(other, data, nstep=round(SETTLED / step))
            theirs = float(np.mean(data.qpos.reshape(-1, 7)[:, 2]))
            assert abs(mine - theirs) < SINK * size, f"{n} {kind}: heights {mine:.5g} m and {theirs:.5g} m ({label})"
            start = np.zeros(mujoco.mj_stateSize(other, mujoco.mjtState.mjSTATE_INTEGRATION))
            mujoco.mj_getState(other, data, start, mujoco.mjtState.mjSTATE_INTEGRATION)

            def run(other=other, data=data, start=start, step=step) -> None:
                mujoco.mj_setState(other, data, start, mujoco.mjtState.mjSTATE_INTEGRATION)
                mujoco.mj_step(other, data, nstep=round(duration / step))

            runs[f"{label}, step {1e3 * step:g} ms"] = run
    best = whole_runs(runs, rounds, time.process_time)
    for name in list(runs)[1:]:
        rows.append(Row(f"{n} {kind}, 0.4 s at {1e3 * step_of_ours:g} ms", name, best["ours"], best[name], 1.0))
    return rows


def measure(rounds: int, quick: bool) -> tuple[list[tuple[str, ...]], list[Limit], list[Row], list[Curve]]:
    """Piles of growing size, limits, scenes beside MuJoCo, and curves of the piles."""
    limits = [added(rounds)]
    few = max(2, rounds // 20)
    piles, powers, curves = growth(few, quick)
    rows = scene(500, "balls", few) + scene(200, "boxes", few)
    if not quick:
        rows += scene(2000, "balls", 2, {FASTEST: SOLVERS[FASTEST]})  # its default solver takes minutes a run
    return piles, limits + powers, rows, curves


PILE = ("balls", "description to model", "a step, falling", "a step, settled")
