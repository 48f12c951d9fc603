"""Wrong calls of simulate and its kin are refused in words, and lose nothing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import jourdain as jd


@jd.law
def lift(t, q, v, z, s, p, effort, dz):
    effort[5] += 2.0


@jd.law
def too_far(t, q, v, z, s, p, effort, dz):
    effort[7] += 1.0


@jd.law
def too_many(t, q, v, z, s, p, effort, dz):
    effort[0] += p[3]


def slider(law=None):
    system = jd.System("slider")
    system.add(jd.RigidBody("block", 2.0), jd.Prismatic("rail", axis="z"))
    if law is not None:
        system.force("lift", at="block.origin", force=law)
    return system.compile()


@pytest.fixture(scope="module")
def model():
    return slider()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"until": "a"}, "until: got 'a'"),
        ({"until": None}, "until: got None"),
        ({"until": 1.0, "step": True}, "step: got True"),
        ({"until": 1.0, "motions": ["rail"]}, "motions: got list"),
        ({"until": 1.0, "events": ["lock"]}, r"events\[0\]: got .lock.; give jd.Event"),
        ({"until": 1.0, "controller": too_far}, "too_far: index 7 is out of bounds"),
        ({"until": 1.0, "controller": too_many(1.0)}, "too_many: index 3 is out of bounds"),
    ],
)
def test_bad_options(model, options, says):
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.simulate(model, model.state(), **options)


@pytest.mark.parametrize("state", [None, np.zeros(2)])
def test_no_state(model, state):
    with pytest.raises(jd.errors.ModelError, match="state: got .*model.state"):
        jd.simulate(model, state, until=1.0)


def test_state_at_no_time(model):
    state = model.state()
    state.time = np.nan
    with pytest.raises(jd.errors.ModelError, match="time: the state's time is nan"):
        jd.simulate(model, state, until=1.0)


def test_prescribed_accelerations_need_names(model):
    with pytest.raises(jd.errors.ModelError, match="acceleration: got ndarray; give a dict"):
        model.hybrid_dynamics(model.state(), None, np.zeros(1))


def test_bad_ensemble(model):
    with pytest.raises(jd.errors.ModelError, match="workers: got -3"):
        jd.simulate_many(model, model.state(), until=0.1, step=0.01, workers=-3)
    many = jd.simulate_many(model, [model.state()] * 2, until=0.1, step=0.01)
    with pytest.raises(TypeError, match="a case is a whole number"):
        many[0:1]


def test_a_bare_law_is_a_force_everywhere():
    model = slider(lift)
    assert model.forward_dynamics(model.state()) == pytest.approx([1.0])
    again = pickle.loads(pickle.dumps(model))
    assert again.hash == model.hash
    assert again.forward_dynamics(again.state()) == pytest.approx([1.0])


def test_a_force_law_that_senses_nothing_there_is_refused():
    law = jd.law(lambda t, q, v, z, s, p, effort, dz: None, markers=("blok.origin",))
    with pytest.raises(jd.errors.ModelError, match='lift: its law senses "blok.origin".*block.origin'):
        slider(law)


def test_the_end_is_kept(model):
    state = model.state(v={"rail": 1.0})
    for options in ({"step": 0.01}, {"method": "dopri5", "output": 0.1}, {"method": "dop853", "output": 0.03}):
        run = jd.simulate(model, state, until=0.7, **options)
        assert run.record.time[-1] == 0.7
        assert run.record.q[-1, 0] == pytest.approx(0.7, rel=1e-12)
    many = jd.simulate_many(model, [state] * 2, until=0.7, output=0.3)
    assert many.time.tolist() == pytest.approx([0.0, 0.3, 0.6, 0.7])
    assert many.record.q[1, -1, 0] == pytest.approx(0.7, rel=1e-12)
