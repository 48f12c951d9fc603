"""Indices in a user's compiled functions mean what they mean in Python; one outside an array stops the run and says so.

Random laws against the interpreter are in `random_laws`; 2,000 of them in tests/verification/test_random_laws.py.
"""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest
import random_laws

import jourdain as jd
from jourdain import kernels
from jourdain.errors import LawIndexError, ModelError, SimulationError


def arm(links: int = 3) -> jd.Model:
    system, to = jd.System("arm", gravity=(0, 0, -9.81)), "world"
    for k in range(links):
        link = jd.RigidBody(f"b{k}", mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1), frames={"tip": (1, 0, 0)})
        system.add(link, jd.Revolute(f"h{k}", axis="y"), to=to)
        to = f"b{k}.tip"
    return system.compile()


@pytest.fixture(scope="module")
def three() -> jd.Model:
    return arm()


@pytest.fixture(scope="module")
def one() -> jd.Model:
    return arm(1)


def ball(law: jd.contact.NormalLaw, friction=None, count: int = 1, slide: float = 0.0) -> tuple[jd.Model, jd.State]:
    """Balls that fall 5 cm onto a floor."""
    system, sphere, floor = jd.System("drop", gravity=(0, 0, -9.81)), jd.Sphere(0.1), jd.Plane((0, 0, 1)).at("world")
    for k in range(count):
        body = jd.RigidBody.from_shape(f"ball{k}", sphere, density=1000.0)
        system.add(body, jd.Free(f"f{k}"), position=(0.3 * k, 0, 0.15))
    shapes = [sphere.at(f"ball{k}.origin") for k in range(count)]
    if count == 1:
        system.contact("touch", shapes[0], floor, normal=law, friction=friction)
    else:
        system.collide("heap", [floor, *shapes], normal=law)
    model = system.compile()
    return model, model.state(v={f"f{k}.vx": slide for k in range(count)})


@jd.law
def from_the_end(t, q, v, z, s, p, effort, dz):
    effort[2] -= p[0] * v[-1]
    for k in range(1, len(v)):
        effort[k - 3] -= 0.1 * v[k - 1] * v[-2:][-1]


@jd.law
def from_the_start(t, q, v, z, s, p, effort, dz):
    effort[2] -= p[0] * v[2]
    for k in range(1, 3):
        effort[k] -= 0.1 * v[k - 1] * v[2]


@jd.law
def late(t, q, v, z, s, p, effort, dz):
    k = 2 if t < 0.25 else 4000
    effort[k] -= v[-1]


@numba.njit
def entry(a, k=-1):
    return a[k]


@jd.law
def helped(t, q, v, z, s, p, effort, dz):
    effort[-1] -= entry(v) + entry(v, k=int(t * 10))


@pytest.mark.parametrize("how", [{"step": 1e-3}, {}, {"method": "radau"}])
def test_a_negative_index_counts_from_the_end(three, how):
    runs = [
        jd.simulate(three, three.state(), 0.3, controller=law(2.0), **how) for law in (from_the_end, from_the_start)
    ]
    assert np.array_equal(runs[0].record.q, runs[1].record.q) and runs[0].trusted


def test_the_last_effort_of_one_joint_is_its_effort(one):
    @jd.law
    def last(t, q, v, z, s, p, effort, dz):
        effort[-1] -= p[-1] * v[-1]

    @jd.law
    def first(t, q, v, z, s, p, effort, dz):
        effort[0] -= p[0] * v[0]

    runs = [jd.simulate(one, one.state(), 0.3, 1e-3, controller=law(0.5)).record.q for law in (last, first)]
    assert np.array_equal(*runs)


def test_an_index_outside_stops_the_run_with_law_array_index_and_time(three):
    with pytest.raises(SimulationError, match='at "late": index 4000 is outside of effort, .* 3 entries') as caught:
        jd.simulate(three, three.state(), 0.5, 1e-3, controller=late())
    error = caught.value
    assert error.time == 0.25 and error.culprit == "late" and "t = 0.25 s" in str(error)
    whole = jd.simulate(three, three.state(), 0.249, 1e-3, controller=late()).record
    assert error.partial.partial and np.array_equal(error.partial.record.q, whole.q)
    cause = error.__cause__
    assert isinstance(cause, LawIndexError) and isinstance(cause, IndexError)
    assert (cause.law, cause.array, cause.index, cause.entries, cause.time) == ("late", "effort", 4000, 3, 0.25)
    again = pickle.loads(pickle.dumps(cause))
    assert str(again) == str(cause) and again.line == cause.line
    assert "effort[k] -= v[-1]" in open(cause.file).read().splitlines()[cause.line - 1]


@pytest.mark.parametrize("how", [{}, {"method": "bdf"}])
def test_methods_that_choose_their_steps_stop_too(three, how):
    with pytest.raises(SimulationError, match="index 4000 is outside of effort") as caught:
        jd.simulate(three, three.state(), 0.5, controller=late(), **how)
    kept = caught.value.partial.record
    assert kept.time[-1] < 0.25 <= caught.value.time < 0.5 and np.all(np.isfinite(kept.q))


def test_functions_that_a_law_calls_are_checked_too(three):
    with pytest.raises(
        SimulationError, match=r'"helped": index 3 is outside of a, which has 3.*in entry, line'
    ) as caught:
        jd.simulate(three, three.state(), 0.5, 1.0 / 1024.0, controller=helped())
    assert 0.3 <= caught.value.time <= 0.302
    assert entry(np.arange(3.0)) == 2.0  # as it was compiled by the user, for calls from Python
    assert not entry.targetoptions.get("boundscheck")


def test_tuples_and_lists_too(one):
    @jd.law
    def constants(t, q, v, z, s, p, effort, dz):
        effort[0] -= (1.0, 2.0)[-1 - int(t * 10)]

    @jd.law
    def listed(t, q, v, z, s, p, effort, dz):
        effort[0] -= [1.0, 2.0][int(t * 10)]

    with pytest.raises(
        SimulationError, match='"constants": index -3 is outside of a tuple, which has 2 entries'
    ) as got:
        jd.simulate(one, one.state(), 0.5, 1.0 / 64.0, controller=constants())
    assert 0.2 <= got.value.time <= 0.21
    with pytest.raises(SimulationError, match='"listed": getitem out of range'):
        jd.simulate(one, one.state(), 0.5, 1.0 / 64.0, controller=listed())


def test_an_array_is_not_changed_by_one_of_another_shape(one):
    """Numba takes what comes behind in memory; Python raises."""

    @jd.law
    def short(t, q, v, z, s, p, effort, dz):
        room = np.ones(4)
        room -= np.ones(4 if t < 0.1 else 2)
        np.add(room, np.ones(4 if t < 0.2 else 3), room)
        effort += v

    with pytest.raises(ValueError, match="broadcast") as caught:
        jd.simulate(one, one.state(), 0.5, 1.0 / 64.0, controller=short())
    assert "raised by the law short at t = 0.1" in caught.value.__notes__[0]
    assert caught.value.partial.record.time[-1] < 0.11


def test_what_a_law_raises_itself_says_when(one):
    @jd.law
    def limited(t, q, v, z, s, p, effort, dz):
        if t > p[0]:
            raise ValueError("too late")

    with pytest.raises(ValueError, match="too late") as caught:
        jd.simulate(one, one.state(), 0.5, 1e-2, controller=limited(0.2))
    assert len(caught.value.partial.record.time) == 21 and "the law limited" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "written",
    [
        "effort.flat[0] -= v[0]",
        "effort[0] -= np.lib.stride_tricks.as_strided(v, (5,), (8,))[4]",
        "effort[0] -= twice(v[0])",
    ],
)
def test_what_cannot_be_checked_is_refused(one, written):
    names = {"__name__": __name__, "np": np, "twice": numba.vectorize(["f8(f8)"])(lambda x: 2.0 * x)}
    exec(f"def unchecked(t, q, v, z, s, p, effort, dz):\n    {written}", names)
    with pytest.raises(ModelError, match="(?s)unchecked: the law does not compile.*cannot be checked"):
        jd.simulate(one, one.state(), 0.1, 1e-2, controller=jd.law(names["unchecked"])())


def test_rates_of_states_begin_at_zero(one):
    """A law that adds to dz, or leaves some of it out, has nothing of an earlier call."""

    @jd.law(states=2)
    def adding(t, q, v, z, s, p, effort, dz):
        if t < 0.5:
            dz[-1] += 1.0

    run = jd.simulate(one, one.state(), 1.0, 1.0 / 64.0, controller=adding())
    assert run.record.z[-1] == pytest.approx([0.0, 0.5], abs=1.0 / 64.0)


def test_contact_laws(three):
    @jd.contact.normal_law
    def last(depth, rate, impact_speed, z, p, dz):
        return p[-1] * depth

    @jd.contact.normal_law
    def first(depth, rate, impact_speed, z, p, dz):
        return p[0] * depth

    @jd.contact.friction_law
    def rub(load, slip, z, p, dz):
        k = int(20.0 * abs(slip[-3]))
        return (-p[k] * load, p[-1] * slip[1], p[-2] * slip[2])

    ends = [jd.simulate(*ball(law(1e4)), 0.2, 1e-4).record.q[-1] for law in (last, first)]
    assert np.array_equal(*ends) and ends[0][2] > -0.1
    with pytest.raises(SimulationError, match='"rub": index 2 is outside of p, which has 2 entries') as caught:
        jd.simulate(*ball(first(1e4), rub(0.1, 0.0), slide=0.1), 0.2, 1e-4)
    assert caught.value.time == pytest.approx(np.sqrt(2 * 0.05 / 9.81), abs=2e-4)  # when it touches


@jd.contact.normal_law
def sinking(depth, rate, impact_speed, z, p, dz):
    return p[int(1e4 * depth)] * depth


def test_a_contact_law_stops_a_run_of_several_threads():
    """Whichever of them comes to it: nobody waits for one that has stopped."""
    model, state = ball(sinking(1e4), count=60)
    found = []
    for workers in (1, 2, 3):
        with pytest.raises(SimulationError, match='"sinking": index [0-9]+ is outside of p, .* 1 entry') as caught:
            jd.simulate(model, state, 0.2, 1e-3, workers=workers)
        found.append((caught.value.time, len(caught.value.partial.record.time)))
    assert found[0] == found[1] == found[2]


def test_a_law_that_raises_stops_a_run_of_several_threads():
    @jd.contact.normal_law
    def raising(depth, rate, impact_speed, z, p, dz):
        if depth > p[0]:
            raise ValueError("too deep")
        return 1e4 * depth

    model, state = ball(raising(1e-4), count=60)
    for workers in (1, 2, 3):
        with pytest.raises(ValueError, match="too deep") as caught:
            jd.simulate(model, state, 0.2, 1e-3, workers=workers)
        assert "raised by the law raising" in caught.value.__notes__[0]


def test_conditions(three):
    @jd.condition
    def last(t, q, v, z, s, p):
        return abs(q[-1]) - 0.3

    @jd.condition
    def outside(t, q, v, z, s, p):
        return q[-1 if t < 0.1 else -4] - 9.0

    run = jd.simulate(three, three.state(), 0.5, events=[jd.Event(when=last(), lock="h0")])
    at = run.events[0].time
    there = jd.simulate(three, three.state(), at).record.q[-1]
    assert abs(there[2]) == pytest.approx(0.3, abs=1e-6) and abs(abs(there[0]) - 0.3) > 1e-3
    with pytest.raises(SimulationError, match='"outside": index -4 is outside of q, which has 3 entries') as caught:
        jd.simulate(three, three.state(), 0.5, 1e-3, events=[jd.Event(when=outside(), lock="h0")])
    assert caught.value.time == pytest.approx(0.1, abs=1e-9)


def test_sampled_controllers(three):
    with pytest.raises(SimulationError, match='"late": index 4000 is outside of effort') as caught:
        jd.simulate(three, three.state(), 0.5, controller=jd.control.Sampled(late(), period=0.01))
    assert caught.value.time == 0.25


def test_an_ensemble_loses_the_case_alone(three):
    @jd.law
    def later(t, q, v, z, s, p, effort, dz):
        effort[-1 if t < p[0] else -4] -= v[-1]

    rows = [[9.0], [0.25], [9.0], [0.1], [9.0]]
    for how in ({"step": 1.0 / 64.0, "output": 1.0 / 32.0}, {"output": 1.0 / 32.0}):
        for workers in (1, 2):
            many = jd.simulate_many(
                three, three.state(), 0.5, parameters=rows, controller=later(9.0), workers=workers, **how
            )
            assert set(many.failed) == {1, 3} and "index -4 is outside of effort" in many.reasons[1]
            alone = jd.simulate(three, three.state(), 0.5, controller=later(9.0), **how).record.q
            for case in (0, 2, 4):
                assert np.array_equal(many[case].record.q, alone)
            stopped = many[1].record
            assert stopped.time[-1] < 0.25 and np.array_equal(stopped.q, alone[: len(stopped.time)])


def test_exported_models_stop_by_their_status(one):
    @jd.law
    def brief(t, q, v, z, s, p, effort, dz):
        effort[-1 if t < 0.05 else 7] -= v[-1]

    instance = jd.export.Instance(one, controller=brief(), inputs=(), step=1.0 / 128.0)
    instance.step(steps=6)
    same = jd.simulate(one, one.state(), 6.0 / 128.0, 1.0 / 128.0, controller=brief()).record
    assert instance["h0"] == same.q[-1, 0]
    with pytest.raises(SimulationError, match='"brief": index 7 is outside of effort, which has 1 entry'):
        instance.step(steps=10)


def test_plants_of_optimal_control():
    def rates(t, x, u, p, dx):
        dx[-2] = x[-1]
        dx[-1] = u[-1] - p[-1] * x[-2 + int(2.0 * t)]

    plant = jd.optimal.Ode(rates, ("x", "v"), ("u",), {"k": 1.0})
    with pytest.raises(LawIndexError, match="rates at t = .*: index 2 is outside of x, which has 2 entries"):
        jd.optimal.Problem(plant, {"x": 0, "v": 0}, until=3.0, end={"x": 1.0}, cost=jd.optimal.effort()).solve()


@kernels.entry_point
def reversed_effort(model, ws, q, v, effort, out, k):
    kernels.forward_dynamics(model, ws, q, v, effort[::-1].copy(), out)
    ws.effort[-1] = len(model.joint_springs)
    return out[k] + model.q_index[-1] - model.q_index[model.q_index.size - 1]


def test_kernels_of_a_users_own(three):
    """Indices of arrays and of records are checked; what they call is as it is elsewhere."""
    ws, state, out = kernels.workspace(three.arrays), three.state(v={"h0": 1.0}), np.zeros(3)
    effort = np.array([1.0, 2.0, 3.0])
    wanted = three.forward_dynamics(state, effort[::-1])
    for k in (0, 2, -1, -3):
        assert reversed_effort(three.arrays, ws, state.q, state.v, effort, out, k) == wanted[k]
    with pytest.raises(LawIndexError, match="index 3 is outside of out, which has 3 entries"):
        reversed_effort(three.arrays, ws, state.q, state.v, effort, out, 3)

    @kernels.entry_point
    def of_a_record(ws, k):
        return ws.effort[k]

    with pytest.raises(LawIndexError, match=r"index -4 is outside of ws\.effort"):
        of_a_record(ws, -4)

    @kernels.entry_point
    def of_a_row(ws, k):
        return ws.bodies[k].p_WB @ ws.bodies[k].p_WB

    last = tuple(ws.bodies[3].p_WB)
    assert of_a_row(ws, -1) == of_a_row(ws, 3) == pytest.approx(np.dot(last, last))
    with pytest.raises(LawIndexError, match=r"index 4 is outside of ws\.bodies, which has 4 entries"):
        of_a_row(ws, 4)


def test_kernels_of_a_users_own_are_not_taken_from_an_earlier_program():
    """Two functions of one name: the second is not the first."""
    found = []
    for factor in (2.0, 3.0):
        names = {"entry_point": kernels.entry_point, "__name__": "program"}
        exec(f"def times(x):\n    return {factor} * x\nmade = entry_point(times)", names)
        found.append(names["made"](5.0))
    assert found == [10.0, 15.0]


def test_random_laws_agree_with_the_interpreter(tmp_path):
    cases = random_laws.check(7, 12, tmp_path)
    assert any(case.index for case in cases) and any(case.state is not None for case in cases)
