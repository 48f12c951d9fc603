"""Model functions over many states: row by row what they are of one state, on any number of threads."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import random_state, systems

import jourdain as jd
from jourdain.kernels.compiling.descriptors import overload_of
from jourdain.kernels.tree import batch as rows
from jourdain.kernels.tree import model_functions as functions
from jourdain.model.model import batch

FUNCTIONS = {
    "mass_matrix": lambda model, s, x: model.mass_matrix(s),
    "bias": lambda model, s, x: model.bias(s),
    "forward_dynamics": lambda model, s, x: model.forward_dynamics(s, x),
    "inverse_dynamics": lambda model, s, x: model.inverse_dynamics(s, x),
    "position": lambda model, s, x: model.pose(model.frame_names[-1], s).position,
    "velocity": lambda model, s, x: model.velocity(model.frame_names[-1], s),
    "acceleration": lambda model, s, x: model.acceleration(model.frame_names[-1], s, x),
    "jacobian": lambda model, s, x: model.jacobian(model.frame_names[-1], s),
    "total energy": lambda model, s, x: model.energy(s).total,
    "contact energy": lambda model, s, x: model.energy(s)["contact"],
    "angular momentum": lambda model, s, x: model.momentum(s, about=(0.1, 0.2, 0.3)).angular,
    "linear momentum": lambda model, s, x: model.momentum(s).linear,
    "centre_of_mass": lambda model, s, x: model.centre_of_mass(s),
}


def stacked(states: list[jd.State]) -> batch.States:
    columns = (np.array([getattr(one, what) for one in states]) for what in ("time", "q", "v", "z"))
    return batch.States(*columns)


def assert_rows(model: jd.Model, states: list[jd.State], rng: np.random.Generator, only: tuple[str, ...] = ()) -> None:
    """All functions of many states against the same of each; the same kernels, so the same to rounding."""
    x = rng.normal(size=(len(states), model.nv))
    for name in only or FUNCTIONS:
        found = FUNCTIONS[name](model, stacked(states), x)
        truth = np.array([FUNCTIONS[name](model, one, row) for one, row in zip(states, x, strict=True)])
        scale = 1.0 + np.max(np.abs(truth), initial=0.0)
        assert found.shape == truth.shape, name
        assert np.max(np.abs(found - truth), initial=0.0) < 1e-13 * scale, name


@settings(max_examples=15)
@given(systems(friction=True, forces=2))
def test_rows_of_random_trees_are_single_states(case):
    assert_rows(case.model, [case.state, *(random_state(case.model, case.rng) for _ in range(3))], case.rng)


@settings(max_examples=10)
@given(systems())
def test_some_accelerations_are_given_for_all_rows(case):
    model, rng = case.model, case.rng
    states = [random_state(model, rng) for _ in range(3)]
    name, effort = model.names.v[int(rng.integers(model.nv))], rng.normal(size=model.nv)
    column = rng.normal(size=3)
    found = model.hybrid_dynamics(stacked(states), effort, {name: column})
    for i, state in enumerate(states):
        one = model.hybrid_dynamics(state, effort, {name: column[i]})
        assert found.acceleration[i] == pytest.approx(one.acceleration, rel=1e-12, abs=1e-12)
        assert found.effort[i] == pytest.approx(one.effort, rel=1e-12, abs=1e-9)
    assert np.all(model.workspace().known == 0)
    free = model.forward_dynamics(stacked(states), effort)  # nothing stays known
    assert free[0] == pytest.approx(model.forward_dynamics(states[0], effort), rel=1e-12, abs=1e-12)


def rigid() -> jd.System:
    one = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    drive = jd.Drive(gear=10.0, rotor_inertia=1e-4, stiffness=1e3)
    one.add(jd.RigidBody("upper", **link), jd.Revolute("shoulder", axis="y", friction=0.2, drive=drive))
    one.add(jd.RigidBody("fore", **link), jd.Revolute("elbow", axis="z"), to="upper.tip")
    one.add(jd.RigidBody("hand", **link), jd.Spherical("wrist"), to="fore.tip")
    return one


def touching() -> jd.System:
    """Contact, and forces by laws that sense a frame and the contact."""
    one = rigid()

    @jd.law(states=1, markers=("hand.tip",), contacts=("touch",))
    def push(t, q, v, z, s, p, effort, dz):
        effort[3] += p[0] * s[10] + 0.1 * s[13 + 2] + z[0] + t
        dz[0] = 1.0

    one.force("push", at="fore.tip", force=push(0.7), axes="body")
    ball, floor = jd.Sphere(0.1).at("hand.tip"), jd.Plane((0, 0, 1)).at("world", position=(0, 0, -0.9))
    friction = jd.BristleFriction(0.5, 0.4, 100.0, 0.1, stribeck=0.1)
    one.contact("touch", ball, floor, jd.contact.LinearContact(2e3, damping=1.0), friction)
    return one


def orbiting() -> jd.System:
    one = jd.System("orbiter", environment=jd.Orbit(altitude=500e3, eccentricity=0.2))
    one.add(jd.RigidBody("hub", 10.0, inertia=(3, 4, 5), frames={"port": (1, 0, 0)}), jd.Free("free"))
    beam = jd.Beam("boom", 3.0, 0.5, 1e6, 80.0, 40.0, modes=jd.Modes(bending=1, torsion=1), tip_rotation="integrated")
    one.add(beam, jd.Revolute("hinge"), to="hub.port")
    return one


@pytest.mark.parametrize("make", [rigid, touching, orbiting])
def test_rows_of_all_that_a_model_may_have(make):
    model, rng = make().compile(), np.random.default_rng(2)
    states = []
    for i in range(5):
        state = random_state(model, rng, 0.3)
        state.time = 300.0 * i
        states.append(state)
    if model.contacts.names:  # what contacts remember, and the state of the law, are of a run
        start = model.state(q={"shoulder": 0.3, "shoulder.motor": 3.0})
        run = jd.simulate(model, start, until=0.6, step=2e-4, output=0.02)
        assert np.max(run.contact["touch"].depth.values) > 0.0
        states = list(run.states)
        assert model.energy(run.states).contact == pytest.approx(run.energy["contact"].values, abs=1e-12)
        assert model.energy(run.states).total == pytest.approx(run.energy["total"].values, rel=1e-12)
    assert_rows(model, states, rng)
    if model.in_orbit:
        unturning = model.momentum(stacked(states), unturning=True).angular
        assert unturning[3] == pytest.approx(model.momentum(states[3], unturning=True).angular, rel=1e-12)
        assert np.ptp(model.bias(batch.States(np.arange(5) * 300.0, *(np.array([x] * 5) for x in (
            states[0].q, states[0].v, states[0].z)))), axis=0).max() > 0.0  # fmt: skip


def test_a_pile_with_more_pairs_than_there_was_room_for():
    one, rng = jd.System("heap"), np.random.default_rng(0)
    for i in range(36):
        one.add(jd.RigidBody(f"b{i}", 1.0, inertia=(1, 1, 1)), jd.Prismatic(f"p{i}", axis=rng.normal(size=3)))
    shapes = [jd.Sphere(0.1).at(f"b{i}.origin") for i in range(36)]
    one.collide("heap", shapes, jd.contact.LinearContact(stiffness=10.0), sites=1000)
    model = one.compile()
    states = [model.state(q=0.03 * rng.normal(size=36)) for _ in range(2)]
    assert_rows(model, states, rng, ("forward_dynamics", "inverse_dynamics", "contact energy"))
    assert np.max(np.abs(model.forward_dynamics(stacked(states)))) > 0.1
    assert model.scratch.acting.pool.pairs > 12


@pytest.mark.parametrize("cores", [1, 3])
def test_any_number_of_threads_gives_the_same(cores, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    model, rng = rigid().compile(), np.random.default_rng(5)
    states = model.states(q={"elbow": rng.normal(size=1000), "shoulder": 0.2}, v={"elbow": rng.normal(size=1000)})
    found = model.inverse_dynamics(states, {"elbow": 1.0})
    assert len(model.scratch.acting.pool.made) == cores
    for i in (0, 1, 499, 999):
        assert found[i] == pytest.approx(model.inverse_dynamics(states[i], {"elbow": 1.0}), rel=1e-13, abs=1e-13)
    assert model.mass_matrix(states.q)[-1] == pytest.approx(model.mass_matrix(states[-1]), rel=1e-13, abs=1e-15)
    assert model.mass_matrix(states.q[:0]).shape == (0, model.nv, model.nv)


def test_states_are_made_as_one_state_is():
    model = rigid().compile()
    names = {"shoulder": np.array([0.1, -0.4]), "elbow": 0.3}
    made = model.states(q=names, v={"shoulder": [1.0, 2.0]}, time=[0.0, 5.0])
    for i in range(2):
        one = model.state(q={"shoulder": names["shoulder"][i], "elbow": 0.3}, v={"shoulder": 1.0 + i}, time=5.0 * i)
        for what in ("time", "q", "v", "z"):
            assert np.array_equal(getattr(made[i], what), getattr(one, what)), what
    assert len(list(made)) == 2 and made[-1].time == 5.0
    listed = model.inverse_dynamics([made[0], made[1]])
    assert np.array_equal(listed, model.inverse_dynamics(made))
    doubled = made.q.copy()
    doubled[:, 3:] *= 1.0 + 1e-9
    assert np.linalg.norm(model.states(doubled).q[:, 3:], axis=1) == pytest.approx(1.0, abs=1e-15)
    flexible = orbiting().compile()
    bent = {"boom.bending_y[0]": np.array([0.1, 0.2])}
    one = flexible.state(q={"boom.bending_y[0]": 0.2})
    assert np.array_equal(flexible.states(q=bent).q[1], one.q)  # rotations along a path follow too
    ensemble = jd.simulate_many(model, model.states(q=names), until=0.01, step=1e-3)
    assert ensemble[1].q["shoulder"].values[0] == -0.4


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda m, s: m.mass_matrix(s.q[:, :3]), r"q: got shape \(4, 3\); give \(N, 7\), a row a state"),
        (lambda m, s: m.bias(s.q, s.v[:2]), r"v: got shape \(2, 6\) with q of \(4, 7\); give \(4, 6\)"),
        (lambda m, s: m.inverse_dynamics(s.q), r"state: got an array of shape \(4, 7\); give many states, model"),
        (lambda m, s: m.inverse_dynamics(s, np.zeros((3, 6))), r"acceleration: got shape \(3, 6\); give \(4, 6\)"),
        (lambda m, s: m.forward_dynamics(s, np.zeros(5)), r"effort: got shape \(5,\); give \(4, 6\).* or \(6,\)"),
        (lambda m, s: m.forward_dynamics(s, {"elbow": [1, 2]}), r"elbow: effort has shape \(2,\); give .* \(4,\)"),
        (lambda m, s: m.forward_dynamics(s, {"elbw": 1.0}), 'elbw: no such entry in effort; did you mean "elbow"'),
        (lambda m, s: m.jacobian("hand.tp", s), 'hand.tp: no such address; did you mean "hand.tip"'),
        (lambda m, s: m.energy([s[0], jd.State(0.0, np.zeros(3), np.zeros(6))]), r"states\[1\]: q has shape \(3,\)"),
        (lambda m, s: m.states(np.zeros((4, 7))), "wrist: its quaternion in row 0 of q has length 0"),
        (lambda m, s: m.states(s.q, s.v[:2]), "q, v and time have 2, 4 rows; give as many of each"),
        (lambda m, s: m.states(s.q[:, :5]), r"q: got shape \(4, 5\); give \(4, 7\), a row a state"),
        (lambda m, s: m.states({"elbow": [0.0, np.nan]}), "elbow: q is nan in row 1; give finite numbers"),
        (lambda m, s: m.states({"elbw": 0.0}), "elbw: no such entry in q"),
        (lambda m, s: m.states(s.q, z=np.zeros((2, 1))), r"z: got shape \(2, 1\); give \(4, 1\), a row a state"),
        (lambda m, s: m.states("x"), "q: got 'x'; give real numbers"),
        (lambda m, s: m.states(s.q, time="now"), "time: got 'now'; give real numbers"),
        (lambda m, s: m.states(s.q, time=[]), r"time: got shape \(0,\); give one for all, or one a state"),
        (lambda m, s: m.states(s.q, time=np.zeros((2, 2))), r"time: got shape \(2, 2\); give one for all"),
        (lambda m, s: m.states([[1.0], [1.0, 2.0]]), "q: rows of different lengths"),
        (lambda m, s: m.states({"elbow": [[1.0], [1.0, 2.0]]}), "elbow: q: rows of different lengths"),
        (lambda m, s: m.states(v=object()), "v: got <object"),
        (lambda m, s: m.states(3.0), r"q: got shape \(\); give \(1, 7\), a row a state"),
        (lambda m, s: jd.simulate(m, s, until=1.0, step=0.1), "state"),
    ],
)  # fmt: skip
def test_errors_name_the_argument_and_its_shape(call, says):
    model = rigid().compile()
    rows = model.states(q={"elbow": np.arange(4.0)})
    with pytest.raises(jd.errors.ModelError, match=says):
        call(model, rows)


def test_a_state_without_what_contacts_remember_is_refused():
    """Compiled code would read past the end of it."""
    model = touching().compile()
    state = model.state()
    bare = jd.State(0.0, state.q, state.v)
    for call in (model.forward_dynamics, model.inverse_dynamics, model.energy):
        for states in (bare, [bare, bare]):
            with pytest.raises(jd.errors.ModelError, match="z: .*shape"):
                call(states)


def reached(kernel) -> set[str]:
    """Kernels that the machine code of an entry calls by their symbols, all the way down."""
    found, waiting = set(), [kernel.ready()]
    while waiting:
        one = waiting.pop()
        for descriptor in (*one.build().separate, *one.build().optional):
            if descriptor.symbol not in found:
                found.add(descriptor.symbol)
                waiting.append(overload_of(descriptor))
    return found


def test_many_states_cost_single_ones_nothing():
    """No function of one state reaches those of rows, which call the same machine code."""
    own = (functions.mass_matrix, functions.bias, functions.jacobian, functions.energy)
    for one in (*own, functions.forward_state, functions.inverse_state):
        assert not any(".batch." in symbol for symbol in reached(one)), one
    assert any(".model_functions.mass_matrix." in symbol for symbol in reached(rows.mass_matrix_rows))
    assert any(".newton_euler." in symbol for symbol in reached(rows.inverse_rows))
