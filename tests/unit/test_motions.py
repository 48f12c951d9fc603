"""Prescribed motions: profiles whose rates are the rates of their values, and the efforts that they take."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

import jourdain as jd
from jourdain.describe.motions import Motion, motion_from_dict
from jourdain.kernels.tree.motions import profile

PROFILES = {
    "cycloid": jd.Cycloid(to=1.5, duration=2.0, start=0.5),
    "sine": jd.Sine(amplitude=0.4, frequency=0.7, phase=0.3),
    "sine about a value": jd.Sine(amplitude=0.4, frequency=0.7, phase=0.3, offset=0.1),
    "polynomial": jd.Polynomial([0.2, -0.3, 0.5, 0.1, -0.05]),
    "constant": jd.Polynomial([0.2]),
    "numbers": jd.Polynomial(0.2, -0.3, 0.5),
    "table": jd.Table([-1.0, 0.0, 0.4, 1.1, 3.0], [0.2, 0.3, -0.4, 0.8, 0.5]),
    "line": jd.Table([0.0, 2.0], [0.2, 1.0]),
    "table with speeds": jd.Table([-1.0, 0.0, 0.4, 1.1, 3.0], [0.2, 0.3, -0.4, 0.8, 0.5], speeds=(0.7, -1.3)),
}


def values(motion: Motion, times, start: float = 0.2) -> np.ndarray:
    """Value, rate and acceleration at each time, (n, 3)."""
    numbers = motion.numbers(start, "x")
    return np.array([profile.py_func(motion.code, numbers, 0, float(t)) for t in times])


@pytest.mark.parametrize("name", PROFILES)
def test_rates_and_accelerations_are_derivatives(name):
    motion, h = PROFILES[name], 1e-5
    kinks = np.array([-1.0, 0.0, 0.4, 0.5, 1.1, 2.0, 2.5, 3.0])
    times = np.array([t for t in np.linspace(-2.0, 4.0, 301) if np.min(np.abs(t - kinks)) > 2 * h])
    here, before, after = (values(motion, times + d) for d in (0.0, -h, h))
    assert (after[:, 0] - before[:, 0]) / (2 * h) == pytest.approx(here[:, 1], abs=1e-8)
    assert (after[:, 1] - before[:, 1]) / (2 * h) == pytest.approx(here[:, 2], abs=1e-7)
    assert np.max(np.abs(np.diff(values(motion, np.linspace(-2, 4, 6001))[:, :2], axis=0))) < 0.02  # no jumps


def test_cycloid_rests_at_both_ends():
    x = values(PROFILES["cycloid"], [-3.0, 0.5, 1.5, 2.5, 9.0])
    assert x[:, 0] == pytest.approx([0.2, 0.2, 0.85, 1.5, 1.5])
    assert x[:, 1] == pytest.approx([0.0, 0.0, 1.3, 0.0, 0.0], abs=1e-15)
    assert x[:, 2] == pytest.approx(np.zeros(5), abs=1e-14)


def test_sine_starts_from_the_states_value():
    assert values(PROFILES["sine"], [0.0])[0, 0] == pytest.approx(0.2)
    assert values(PROFILES["sine about a value"], [0.0])[0, 0] == pytest.approx(0.1 + 0.4 * np.sin(0.3))
    assert values(PROFILES["sine"], [0.37])[0] == pytest.approx(
        values(PROFILES["sine"], [0.37 + 1 / 0.7])[0], abs=1e-13
    )


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=8), st.integers(0, 2**16))
def test_table_is_the_clamped_spline_held_beyond_its_ends(heights, seed):
    times = np.cumsum(np.random.default_rng(seed).uniform(0.2, 1.0, len(heights)))
    motion = jd.Table(times, heights)
    spline = CubicSpline(times, heights, bc_type="clamped")
    inside = np.linspace(times[0], times[-1], 53)[1:-1]
    truth = np.column_stack([spline(inside, k) for k in range(3)])
    assert values(motion, inside) == pytest.approx(truth, rel=1e-9, abs=1e-9)
    assert values(motion, times)[:, 0] == pytest.approx(heights, abs=1e-12)
    outside = values(motion, [times[0] - 1.0, times[-1] + 1.0])
    assert outside[:, 0] == pytest.approx([heights[0], heights[-1]], abs=1e-12) and np.all(outside[:, 1:] == 0.0)


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=8), st.floats(-3, 3), st.floats(-3, 3), st.integers(0, 2**16))
def test_a_table_begins_and_ends_with_its_speeds_and_goes_on_at_them(heights, first, last, seed):
    times = np.cumsum(np.random.default_rng(seed).uniform(0.2, 1.0, len(heights)))
    motion = jd.Table(times, heights, speeds=(first, last))
    spline = CubicSpline(times, heights, bc_type=((1, first), (1, last)))
    inside = np.linspace(times[0], times[-1], 53)[1:-1]
    truth = np.column_stack([spline(inside, k) for k in range(3)])
    assert values(motion, inside) == pytest.approx(truth, rel=1e-9, abs=1e-9)
    away = np.array([0.0, 1e-9, 0.3, 40.0])
    before, behind = values(motion, times[0] - away), values(motion, times[-1] + away)
    assert before[:, 0] == pytest.approx(heights[0] - first * away, abs=1e-12)
    assert behind[:, 0] == pytest.approx(heights[-1] + last * away, abs=1e-12)
    assert before[:, 1] == pytest.approx(np.full(4, first), abs=1e-12)
    assert behind[:, 1] == pytest.approx(np.full(4, last), abs=1e-12)
    assert np.all(before[1:, 2] == 0.0) and np.all(behind[1:, 2] == 0.0)


def test_coefficients_are_numbers_or_one_list():
    listed, given = jd.Polynomial([5.0, 0.05]), jd.Polynomial(5.0, 0.05)
    assert given.to_dict() == listed.to_dict() == {"kind": "Polynomial", "coefficients": [5.0, 0.05]}
    assert values(given, [2.0])[0] == pytest.approx([5.1, 0.05, 0.0])
    assert jd.Polynomial(coefficients=[5.0, 0.05]) == listed
    for wrong in ([1.0, 2.0], "x", None, [[1.0], [2.0, 3.0]]):
        with pytest.raises(jd.errors.ModelError, match="Polynomial: coefficients"):
            jd.Polynomial(wrong, 0.05)


@pytest.mark.parametrize("motion", [jd.Table([0, 1], [0, 2.0], (1.0, 3.0)), jd.Polynomial(1.0, -2.0)])
def test_a_profile_is_read_back_as_it_was_written(motion):
    again = motion_from_dict(motion.to_dict())
    assert again.to_dict() == motion.to_dict()
    assert values(again, [-1.0, 0.3, 4.0]) == pytest.approx(values(motion, [-1.0, 0.3, 4.0]), abs=0.0)


def test_a_run_starts_with_the_speed_of_its_table_and_goes_on_behind_it(model):
    """A coordinate in motion is handed over without a jump, and the balance closes past the end of the table."""
    table = jd.Table([0.0, 0.2, 0.5], [0.3, 0.2, 0.4], speeds=(-0.8, 1.5))
    moving = model.state(q={"elbow": 0.3}, v={"elbow": -0.8})
    run = jd.simulate(model, moving, until=0.8, motions={"elbow": table}, output=0.1)
    assert run.v["elbow"].values[[0, -1]] == pytest.approx([-0.8, 1.5], abs=1e-12)
    assert run.q["elbow"].values[-1] == pytest.approx(0.4 + 1.5 * 0.3, abs=1e-12)
    assert run.energy.error < 1e-6
    with pytest.raises(jd.errors.ModelError, match="the profile starts with v = -0.8, the state with 0"):
        jd.simulate(model, model.state(q={"elbow": 0.3}), until=0.8, motions={"elbow": table}, output=0.1)


def test_a_table_that_ends_with_a_speed_is_not_shaped():
    with pytest.raises(jd.errors.ModelError, match="begins or ends with a speed cannot be shaped"):
        jd.control.Shaper(frequency=1.0).shape(jd.Table([0, 1], [0, 1], speeds=(0.0, 1.0)))


@pytest.fixture(scope="module")
def model() -> jd.Model:
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    joints = (
        jd.Revolute("shoulder", axis="y", stiffness=3.0, damping=0.4),
        jd.Revolute("elbow", axis="y"),
        jd.Cylindrical("wrist", axis="x"),
    )
    for i, joint in enumerate(joints):
        arm.add(jd.RigidBody(f"link{i}", **link), joint=joint, to=f"link{i - 1}.tip" if i else "world")
    return arm.compile()


@pytest.mark.parametrize("how", [{"step": 1e-3}, {"method": "dop853"}, {"method": "dopri5", "output": 0.05}], ids=str)
def test_the_effort_is_that_of_inverse_dynamics(model, how):
    """Two of four coordinates prescribed: they follow their profiles, and the rest feels it."""
    motions = {"elbow": jd.Cycloid(to=-1.2, duration=0.8), "wrist.slide": jd.Sine(0.1, 1.0, phase=np.pi / 2)}
    run = jd.simulate(model, model.state(v={"wrist.angle": 1.0}), until=1.0, motions=motions, **how)
    assert run.options["motions"]["elbow"] == {"kind": "Cycloid", "to": -1.2, "duration": 0.8, "start": 0.0}
    assert list(run.options["motions"]) == ["elbow", "wrist.slide"]
    for name, motion in motions.items():
        truth = values(motion, run.record.time, start=0.0)
        assert run.q[name].values == pytest.approx(truth[:, 0], abs=1e-14)
        assert run.v[name].values == pytest.approx(truth[:, 1], abs=1e-14)
    known = [model.index.v[name] for name in motions]
    free = [k for k in range(model.nv) if k not in known]
    for i in range(0, len(run), max(1, len(run) // 10)):
        state = run.state(i)
        a = {name: values(motion, [state.time], start=0.0)[0, 2] for name, motion in motions.items()}
        hybrid = model.hybrid_dynamics(state, None, a)
        assert run.record.effort[i] == pytest.approx(hybrid.effort, rel=1e-9, abs=1e-9)
        assert run.record.effort[i][free] == pytest.approx(0.0, abs=1e-10)
        efforts = model.inverse_dynamics(state, hybrid.acceleration)
        assert run.record.effort[i][known] == pytest.approx(efforts[known], rel=1e-9, abs=1e-9)
    assert run.energy.error < 1e-7


def test_all_coordinates_prescribed(model):
    """Then nothing is integrated but the work."""
    names = ("shoulder", "elbow", "wrist.angle", "wrist.slide")
    motions = {name: jd.Cycloid(to=0.3 * (i + 1), duration=1.0) for i, name in enumerate(names)}
    run = jd.simulate(model, model.state(), until=2.0, step=1e-2, motions=motions)
    assert run.record.q[-1] == pytest.approx([0.3, 0.6, 0.9, 1.2], abs=1e-15)
    assert np.all(run.record.v[-1] == 0.0)
    holding = model.inverse_dynamics(run.state(), np.zeros(4))
    assert run.record.effort[-1] == pytest.approx(holding, abs=1e-12)
    assert run.energy.error < 1e-6


def test_an_effort_on_a_prescribed_coordinate_changes_nothing_but_who_supplies_it(model):
    elbow = model.index.v["elbow"]

    @jd.law
    def fight(t, q, v, z, s, p, effort, dz):
        effort[elbow] += p[0]

    motions = {"elbow": jd.Cycloid(to=1.0, duration=1.0)}
    alone = jd.simulate(model, model.state(), until=1.0, step=1e-3, motions=motions)
    fought = jd.simulate(model, model.state(), until=1.0, step=1e-3, motions=motions, controller=fight(50.0))
    assert fought.record.q == pytest.approx(alone.record.q, abs=1e-12)
    assert fought.record.effort == pytest.approx(alone.record.effort, abs=1e-9)
    assert fought.energy["work"].values == pytest.approx(alone.energy["work"].values, abs=1e-9)


def test_work_of_a_lift_is_the_gain_of_height():
    """A slow lift at rest at both ends: work = m g h."""
    lift = jd.System("lift", gravity=(0, 0, -9.81))
    lift.add(jd.RigidBody("cabin", mass=3.0, inertia=(1, 1, 1)), joint=jd.Prismatic("rope", axis="z"))
    model = lift.compile()
    run = jd.simulate(model, model.state(), until=3.0, motions={"rope": jd.Cycloid(to=2.0, duration=2.0)}, output=0.1)
    assert run.energy["work"].values[-1] == pytest.approx(3.0 * 9.81 * 2.0, rel=1e-9)
    closed = 3.0 * (9.81 + values(jd.Cycloid(2.0, 2.0), run.record.time, 0.0)[:, 2])
    assert run.effort["rope"].values == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize(
    ("motion", "says"),
    [
        (jd.Cycloid(to=np.nan, duration=1.0), "Cycloid: to is nan"),
        (jd.Cycloid(to=1.0, duration=0.0), "Cycloid: duration is 0 s; give more than zero"),
        (jd.Cycloid(to=1.0, duration=-1.0), "Cycloid: duration is -1 s"),
        (jd.Sine(amplitude=np.inf, frequency=1.0), "Sine: amplitude is inf"),
        (jd.Polynomial([]), "Polynomial: coefficients"),
        (jd.Polynomial([0.0, np.nan]), "Polynomial: coefficients"),
        (jd.Table([0.0, 1.0], [0.0]), "give as many of both"),
        (jd.Table([0.0], [0.0]), "two at least"),
        (jd.Table([0.0, 1.0, 1.0], [0.0, 1.0, 2.0]), "times must increase; 1 is followed by 1"),
        (jd.Table([0.0, np.nan], [0.0, 1.0]), "not finite"),
        (jd.Table([0.0, 1.0], [0.0, 1.0], speeds=(0.0,)), "speeds is .* give two finite numbers"),
        (jd.Table([0.0, 1.0], [0.0, 1.0], speeds=3.0), "speeds is 3.0; give two finite numbers"),
        (jd.Table([0.0, 1.0], [0.0, 1.0], speeds=(0.0, np.nan)), "speeds is .* give two finite numbers"),
        (jd.Table([0.0, 1.0], [0.5, 1.0]), "the profile starts with q = 0.5, the state with 0"),
    ],
)
def test_profiles_that_cannot_be(model, motion, says):
    with pytest.raises(jd.errors.ModelError, match=says) as caught:
        jd.simulate(model, model.state(), until=1.0, step=0.1, motions={"elbow": motion})
    assert caught.value.problems[0].address == "elbow"


def test_a_motion_without_a_profile_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Motion()
