"""What each method keeps: drift, partitions, energy; cases (a) to (e) of Terze & Lefeber 2002."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import four_bar, four_bar_state

import jourdain as jd
from jourdain.kernels.constraints.partition_selection import chosen_entries
from jourdain.kernels.constraints.sparsity import IDLE, NEEDED
from jourdain.run.plan import Plan

pytestmark = pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")


def point_pendulum(gravity: object = (0.0, -9.81, 0.0)) -> jd.Model:
    """A mass in the plane (x, y) on a rod of 1 m to the origin: two slides carry it."""
    one = jd.System("point", gravity=gravity)
    one.add(jd.RigidBody("slider", mass=1e-12, inertia=(1e-12,) * 3), jd.Prismatic("x", axis="x"))
    one.add(jd.RigidBody("bob", mass=1.0, inertia=(1.0,) * 3), jd.Prismatic("y", axis="y"), to="slider.origin")
    one.connect(jd.constraints.Rod("rod", length=1.0), "bob.origin", "world")
    return one.compile()


def chosen(model: jd.Model, state: jd.State) -> tuple[list[str], list[str]]:
    """Coordinates that the optimal partition moves, for positions and for velocities."""
    plan = Plan(model, state, 1.0, 0.5, constraints=jd.constraints.Projection(partition="optimal")).prepare()
    rows = model.constraints.rows
    out = np.zeros(2 + 2 * rows, np.int64)
    chosen_entries.ready(model.features).python(
        model.arrays, plan.task(), state.time, plan.q, plan.v, plan.workspace(), out
    )
    names = model.names.v
    return [names[k] for k in out[1 : 1 + out[0]]], [names[k] for k in out[2 + rows : 2 + rows + out[1 + rows]]]


@pytest.mark.parametrize(("angle", "moves"), [(10.0, "x"), (44.0, "x"), (46.0, "y"), (80.0, "y"), (130.0, "y")])
def test_the_partition_follows_the_larger_coordinate(angle: float, moves: str):
    """Case (a): ratio_x = |cos|, ratio_y = |sin|, so that the choice changes at 45 degrees."""
    model = point_pendulum()
    a = np.radians(angle)
    state = model.state(q={"x": np.cos(a), "y": np.sin(a)})
    assert chosen(model, state) == ([moves], [moves])


def test_projection_is_to_rounding_and_disturbs_least_where_it_should():
    """Cases (a), (b): a radial error e at 80 degrees; moving y leaves a tangential error e cot, moving x one e tan."""
    model = point_pendulum()
    a, e = np.radians(80.0), 1e-7
    at = np.array([np.cos(a), np.sin(a)])
    from jourdain.model.run_stages import assemble

    left = {}
    for partition in (("x",), ("y",), "optimal", "mass"):
        method = jd.constraints.Projection(partition=partition)
        plan = Plan(model, model.state(q=dict(zip("xy", at, strict=True))), 1.0, 0.5, constraints=method).prepare()
        q, v = (1.0 + e) * at, np.array([0.3, 0.4])
        stages = assemble(model, plan.laws, kept=plan.constraint_functions)
        assert stages.settle.python(model.arrays, plan.task(), 0.0, q, v, plan.z, plan.workspace()) == 0
        assert abs(np.hypot(*q) - 1.0) < 1e-12 and abs(q @ v) < 1e-12
        left[partition] = abs(q @ np.array([-at[1], at[0]])) / e
    assert left[("x",)] == pytest.approx(np.tan(a), rel=1e-5)
    assert left[("y",)] == pytest.approx(1.0 / np.tan(a), rel=1e-5)
    assert left["optimal"] == left[("y",)]
    assert left["mass"] < 1e-6


def test_energy_is_kept_better_by_the_optimal_partition():
    """Case (c): a pendulum that swings for 100 s, 15 degrees from where moving x becomes singular.

    Its radial errors become tangential ones tan 75 = 3.7 times as large, those of the optimal choice 0.27 times. Most
    of the error of energy is the method's own and the same for both: moving x is worse by half, not by ten.
    """
    lean = np.radians(-75.0)
    model = point_pendulum(gravity=9.81 * np.array([np.cos(lean), np.sin(lean), 0.0]))
    a = lean + np.radians(10.0)
    state = model.state(q={"x": np.cos(a), "y": np.sin(a)})
    errors = {}
    for partition in ("optimal", ("x",)):
        run = jd.simulate(
            model, state, 100.0, step=0.02, output=0.1, constraints=jd.constraints.Projection(partition=partition)
        )
        errors[partition] = float(np.max(np.abs(run.energy["balance"])))
        assert float(np.max(np.abs(run.constraint["rod"].gap))) < 1e-12
    assert errors[("x",)] > 1.2 * errors["optimal"]


def test_velocities_have_a_partition_of_their_own_where_rows_are_not_holonomic():
    """Case (d): a disk that rolls has one dependent coordinate of position and three of velocity."""
    one = jd.System("disk", gravity=(0.0, 0.0, -9.81))
    one.add(jd.RigidBody("disk", mass=2.0, inertia=(0.05, 0.1, 0.05)), jd.Free("place"), position=(0.0, 0.0, 0.3))
    one.connect(jd.constraints.Rolling("roll", radius=0.3, axis="y"), "disk.origin", "world")
    model = one.compile()
    positions, velocities = chosen(model, model.state())
    assert (len(positions), len(velocities)) == (1, 3)
    state = model.state(v={"place": [0.0, 2.0, 0.0, 0.6, 0.0, 0.0]})
    run = jd.simulate(model, state, 2.0, step=1e-3, constraints=jd.constraints.Projection(partition="optimal"))
    assert float(np.max(np.abs(run.constraint["roll"].gap))) < 1e-12
    assert float(np.max(np.abs(run.constraint["roll"].slip))) < 1e-11
    np.testing.assert_allclose(run.frame("disk.origin").position.values[-1], (1.2, 0.0, 0.3), atol=1e-9)


def test_redundant_rows_are_found():
    """Case (e): a revolute between planar bars has five rows of which two are needed."""
    model = four_bar().compile()
    plan = Plan(model, four_bar_state(model), 1.0, 0.5).prepare()
    assert plan.roles is not None and np.sum(plan.roles.roles == NEEDED) == 2 and np.sum(plan.roles.roles == IDLE) == 3


def unstabilised(step: float, until: float) -> tuple[np.ndarray, np.ndarray]:
    """Time and largest gap of a four-bar without stabilisation."""
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), until, step=step, output=until / 50, constraints="unstabilised")
    return run.record.time, np.max(np.abs(run.constraint["pin"].gap.values), axis=1)


def test_drift_without_stabilisation_grows_as_the_square_of_time():
    """g'' = 0 but for errors: an error of velocity made early grows as t, and errors made all the time as t^2.

    The method's error is periodic with the motion, so that single samples scatter about the law; over a decade of time
    the exponent of the largest gap so far lies between 1 and 2.5, and the drift falls as the method's order, four.
    """
    t, gap = unstabilised(5e-3, 40.0)
    most = np.maximum.accumulate(gap)
    late = t > 4.0
    slope = np.polyfit(np.log(t[late]), np.log(most[late]), 1)[0]
    assert 1.0 < slope < 2.5
    _, finer = unstabilised(2.5e-3, 40.0)
    assert np.max(gap) / np.max(finer) > 2.0**3.5


def test_baumgarte_stays_at_its_bound():
    """The gap stays where it is, at any rate well below 1 / step, while it grows four orders larger without."""
    model = four_bar().compile()
    most = {}
    for rate in (10.0, 40.0):
        run = jd.simulate(
            model, four_bar_state(model), 40.0, step=5e-3, output=0.4, constraints=jd.constraints.Baumgarte(rate=rate)
        )
        gap = np.max(np.abs(run.constraint["pin"].gap.values), axis=1)
        first, second = gap[: len(gap) // 2].max(), gap[len(gap) // 2 :].max()
        assert 0.2 < first / second < 5.0
        most[rate] = gap.max()
    _, drift = unstabilised(5e-3, 40.0)
    assert max(most.values()) < 1e-3 * drift.max()


@pytest.mark.parametrize("steps", [10_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_drift_of_projection_is_rounding_however_long_the_run(steps: int):
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), 1e-3 * steps, step=1e-3, output=1e-3 * steps / 100)
    assert float(np.max(np.abs(run.constraint["pin"].gap))) < 1e-12
    assert float(np.max(np.abs(run.constraint["pin"].slip))) < 1e-11
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-6
