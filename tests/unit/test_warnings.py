"""Warnings point at the line of whoever called, through however many functions of the package."""

import inspect
import pathlib
import re
import warnings

import numpy as np
import pytest

import jourdain as jd

PACKAGE = pathlib.Path(jd.__file__).parent


def line():
    """The line that calls this."""
    return inspect.currentframe().f_back.f_lineno


def only(caught, kind, where):
    """The one warning of this kind, which points at a line of this file."""
    found = [one for one in caught if issubclass(one.category, kind)]
    assert len(found) == 1, [str(one.message) for one in caught]
    assert (pathlib.Path(found[0].filename).name, found[0].lineno) == (pathlib.Path(__file__).name, where)
    return str(found[0].message)


def door(**joint):
    system = jd.System("door", gravity=(0, 0, -9.81))
    leaf = jd.RigidBody("leaf", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
    system.add(leaf, joint=jd.Revolute("hinge", axis="y", **joint))
    return system.compile()


@pytest.fixture
def caught():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        yield found


def test_nothing_warns_but_by_the_one_function():
    for path in PACKAGE.rglob("*.py"):
        if path != PACKAGE / "basics" / "warn.py":
            assert not re.search(r"warnings\.warn|stacklevel", path.read_text()), path


def test_a_run_that_is_not_trusted(caught):
    model = door()
    here = line() + 1
    jd.simulate(model, model.state(q={"hinge": 1.0}), 5.0, 0.25, method="euler")
    only(caught, jd.errors.TrustWarning, here)


def test_a_run_within_a_study(caught):
    scenario = jd.study.Scenario("door", SYSTEM(), until=5.0, step=0.25, method="euler", q={"hinge": 1.0})
    here = line() + 1
    scenario.simulate()
    only(caught, jd.errors.TrustWarning, here)


def SYSTEM():
    system = jd.System("door", gravity=(0, 0, -9.81))
    system.add(
        jd.RigidBody("leaf", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2)), joint=jd.Revolute("hinge", axis="y")
    )
    return system


def test_cases_that_are_not_trusted(caught):
    model = door()
    states = [model.state(q={"hinge": x}) for x in (0.5, 1.0)]
    here = line() + 1
    jd.simulate_many(model, states, 5.0, 0.25, method="euler", workers=1)
    only(caught, jd.errors.TrustWarning, here)


def test_an_event_that_does_not_happen(caught):
    model = door()
    event = jd.Event(when=("hinge", ">", 100.0), lock="hinge", name="never")
    here = line() + 1
    jd.simulate(model, model.state(), 0.1, 0.01, events=[event])
    assert "never" in only(caught, jd.errors.EventWarning, here)


def test_names_of_a_namespace_are_hinted_at():
    with pytest.raises(AttributeError, match=r"no attribute 'ModelError'; it is jd\.errors\.ModelError"):
        jd.ModelError  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'Sytem'; did you mean System\?"):
        jd.Sytem  # noqa: B018


def test_a_journal_that_is_newer(caught, tmp_path):
    from jourdain.results.journal import Journal

    model = door()
    run = jd.simulate(model, model.state(), 0.1, 0.01)
    run.save(tmp_path / "run.nc")
    journal = Journal(tmp_path / "run.nc", model, run.options)
    journal.append(run.record)
    journal.release()
    here = line() + 1
    jd.load(tmp_path / "run.nc")
    only(caught, jd.errors.RunFileWarning, here)


def test_a_body_beyond_its_range(caught):
    system = jd.System("soft")
    section = {"length": 1.0, "EI": 1.0, "GJ": 1.0, "EA": 1e4, "mass_per_length": 1.0}
    system.add(jd.Beam("b", **section, modes=jd.Modes(bending_y=2), fidelity="inconsistent"), jd.Weld("root"))
    system.force("pull", "b.tip", force=(0.0, 1e3, 0.0))
    model = system.compile()
    here = line() + 1
    jd.simulate(model, model.state(), 0.1, 2e-3, energy_tolerance=np.inf)
    only(caught, jd.errors.RangeWarning, here)


def test_a_state_outside_the_limits_of_a_joint(caught):
    model = door(limits=(-0.5, 0.5))
    here = line() + 1
    state = model.state(q={"hinge": 0.75})
    said = only(caught, jd.errors.JointLimitWarning, here)
    assert all(one in said for one in ('"hinge"', "0.75 rad", "-0.5", "0.5 rad", "limits="))
    jd.simulate(model, state, 0.01, 0.001)
    jd.simulate(model, state.copy(), 0.01, 0.001)
    assert len(caught) == 1, "said once"


def test_a_start_outside_the_limits_of_a_joint(caught):
    model = door(limits=(0.5, 1.5))
    state = model.state()
    assert not caught, "nobody gave the coordinate"
    here = line() + 1
    jd.simulate(model, state, 0.01, 0.001)
    assert "at the start" in only(caught, jd.errors.JointLimitWarning, here)
    other = model.state(q=[1.0])
    other.q[0] = 3.0
    here = line() + 1
    jd.simulate_many(model, [model.state(q=[0.6]), other, other], 0.01, 0.001, workers=1)
    assert "at 3 rad" in only(caught[1:], jd.errors.JointLimitWarning, here)


def test_a_joint_at_rest_on_its_stop_is_no_mistake(caught):
    model = door(limits=(-0.5, 0.5), damping=5.0)
    run = jd.simulate(model, model.state(), 3.0, 1e-3)
    assert run.q.column("hinge")[-1] > 0.5, "it hangs on its stop"
    jd.simulate(model, run.state(), 3.01, 1e-3)
    jd.simulate(model, model.equilibrium(run.state()).state, 3.01, 1e-3)
    assert not caught
    near = np.nextafter(0.5, 1.0)
    model.state(q={"hinge": near})
    assert not caught
