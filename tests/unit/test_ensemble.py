"""`jd.simulate_many`: the same as one after the other, whatever the threads, and one failure is one case's."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.channels import ENERGY


@pytest.fixture(scope="module")
def model() -> jd.Model:
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    arm.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", axis="y", stiffness=5.0, friction=0.5))
    arm.add(jd.RigidBody("fore", **link), joint=jd.Spherical("elbow"), to="upper.tip")
    return arm.compile()


@pytest.fixture
def states(model, rng) -> list[jd.State]:
    return [model.state(q={"shoulder": x}, v={"elbow": w}) for x, w in zip(rng.normal(size=7), rng.normal(size=(7, 3)))]


@jd.law(states=1)
def servo(t, q, v, z, s, p, effort, dz):
    """A spring, a damper and an integral on the first coordinate."""
    dz[0] = q[0]
    effort[0] -= p[0] * q[0] + p[1] * v[0] + z[0]


def assert_same(case: jd.Run, single: jd.Run) -> None:
    assert np.array_equal(case.record.time, single.record.time)
    for name in ("q", "v", "z", "effort", "energy"):
        assert np.array_equal(getattr(case.record, name), getattr(single.record, name)), name


@pytest.mark.parametrize("method", ["euler", "heun", "rk3", "rk4", "rk5"])
def test_fixed_steps_are_bit_for_bit_those_of_single_runs(model, states, method):
    many = jd.simulate_many(model, states, until=0.2, step=1e-3, method=method, output=0.05, controller=servo(4.0, 1.0))
    assert len(many) == 7 and many.record.q.shape == (7, 5, 5) and not many.failed
    for case, state in zip(many, states):
        single = jd.simulate(model, state, 0.2, step=1e-3, method=method, output=0.05, controller=servo(4.0, 1.0))
        assert_same(case, single)


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_adaptive_steps_are_those_of_single_runs(model, states, method):
    many = jd.simulate_many(model, states, until=0.5, method=method, output=0.1)
    for case, state in zip(many, states):
        assert_same(case, jd.simulate(model, state, 0.5, method=method, output=0.1))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(model, states, workers):
    one = jd.simulate_many(model, states, until=0.2, step=1e-3, output=0.1, workers=1)
    other = jd.simulate_many(model, states, until=0.2, step=1e-3, output=0.1, workers=workers)
    for name in ("q", "v", "z", "effort", "energy"):
        assert np.array_equal(getattr(one.record, name), getattr(other.record, name))


def test_without_output_the_ends_are_kept(model, states):
    many = jd.simulate_many(model, states, until=0.2, step=1e-3)
    assert many.time == pytest.approx([0.0, 0.2])
    assert np.array_equal(many.record.q[3, -1], jd.simulate(model, states[3], 0.2, step=1e-3).record.q[-1])


def test_parameters_one_row_a_case(model, states):
    gains = np.array([[1.0, 0.1], [4.0, 1.0], [20.0, 3.0]])
    many = jd.simulate_many(
        model, states[0], until=0.2, step=1e-3, output=0.1, controller=servo(0, 0), parameters=gains
    )
    assert len(many) == 3
    for case, row in zip(many, gains):
        assert_same(case, jd.simulate(model, states[0], 0.2, step=1e-3, output=0.1, controller=servo(*row)))
    both = jd.simulate_many(model, states[:3], until=0.2, step=1e-3, controller=servo(0, 0), parameters=gains)
    single = jd.simulate(model, states[2], 0.2, step=1e-3, output=0.2, controller=servo(*gains[2]))
    assert_same(both[2], single)


def test_a_case_that_fails_is_alone():
    """One body thrown too far: its spring, which hardens, is too stiff for the step there."""

    @jd.law
    def hardening(t, q, v, z, s, p, effort, dz):
        effort[0] -= q[0] + q[0] ** 3

    system = jd.System("hard")
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x"))
    model = system.compile()
    starts = [model.state(q={"x": x}) for x in (0.5, 1e3, 1.0, 2.0)]
    for how in ({"step": 0.1, "output": 0.1}, {"step": 0.1}):
        many = jd.simulate_many(model, starts, until=5.0, controller=hardening, **how)
        assert list(many.failed) == [1] and 0.0 <= many.failed[1] < 5.0
        for i in (0, 2, 3):
            assert_same(many[i], jd.simulate(model, starts[i], 5.0, controller=hardening, **{"output": 5.0} | how))
            assert not many[i].partial
        reached = len(many[1].record.time)
        for column in (many.record.q, many.record.v, many.record.effort, many.record.energy):
            assert np.isnan(column[1, reached:]).all() and np.isfinite(column[[0, 2, 3]]).all()
        assert many[1].partial and np.all(np.isfinite(many[1].record.q))
        assert many[1].record.time[-1] == pytest.approx(many.failed[1], abs=0.1 if "output" in how else 5.0)
        assert "1 failed" in repr(many)


def test_labels(model, states):
    many = jd.simulate_many(model, states, until=0.2, step=1e-3, output=0.1)
    assert many.q["shoulder"].dims == ("case", "time") and many.q["shoulder"].shape == (7, 3)
    assert set(many.v) == set(model.names.v) == set(many.effort)
    assert set(many.energy) == {*ENERGY, "total", "balance"}
    assert np.max(np.abs(many.energy["balance"])) < 1e-6
    assert np.array_equal(many.q["shoulder"].values[2], many[2].q["shoulder"].values)
    assert np.array_equal(many[-1].record.q, many[6].record.q)
    assert len(list(many)) == 7 and repr(many).startswith("<Ensemble of 'arm': 7 cases, 3 samples")


def test_the_states_given_are_left_alone(model, states):
    before = [state.copy() for state in states]
    jd.simulate_many(model, states, until=0.2, step=1e-3)
    assert all(np.array_equal(a.q, b.q) and np.array_equal(a.v, b.v) for a, b in zip(states, before))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"states": []}, "states: got none"),
        ({"method": "dop853", "step": None}, 'output: "dop853" chooses its steps; give output='),
        ({"parameters": [[1.0]]}, "parameters: rows of 1 numbers; the laws take 2"),
        ({"parameters": [[1.0, np.nan]]}, "parameters: some are not finite"),
        ({"parameters": [[1.0, 2.0]] * 3}, "parameters: 3 of them for 7 cases"),
        ({"motions": {"shoulder": jd.Cycloid(1.0, 1.0)}}, "motions: a profile starts from the state's value"),
        ({"step": 0.3}, "step: 1 s is not a whole number of steps"),
        ({"method": "newmark"}, '"newmark" is for jd.simulate'),
    ],
    ids=str,
)
def test_refusals(model, states, change, says):
    options = {"states": states, "until": 1.0, "step": 0.1, "controller": servo(1.0, 1.0)} | change
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.simulate_many(model, **options)


def test_a_bad_state_among_good_ones_is_refused(model, states):
    states[4].q[0] = np.nan
    with pytest.raises(jd.errors.ModelError, match="shoulder: q is not a finite number"):
        jd.simulate_many(model, states, until=1.0, step=0.1)
    states[4] = model.state(time=0.5)
    with pytest.raises(jd.errors.ModelError, match="2 different times"):
        jd.simulate_many(model, states, until=1.0, step=0.1)
