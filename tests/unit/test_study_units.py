"""Numbers with units in studies: read as scenarios read them, and refused where the dimension is another."""

import pickle

import numpy as np
import pytest
import yaml
from studies import SCENARIO, write

import jourdain as jd
from jourdain.basics import units
from jourdain.basics.units import Measured
from jourdain.files.problems import ScenarioError
from jourdain.study.sweeps.designs import Parameter

COM = "system.bodies.link.com[0]"


def study(folder, parameters, **more):
    """A study of the pendulum with these parameters, one a line, and the line of each."""
    told = "".join(f"  {name}: {one}\n" for name, one in parameters.items())
    rest = yaml.safe_dump(more) if more else ""
    text = f"jourdain: 1\nname: Pendulums\nscenario: pendulum.yaml\nset: {{simulation.until: 0.1}}\nparameters:\n{told}"
    return write(folder, text + rest, SCENARIO.replace("{until: 1,", "{until: 0.1,"))


def check(folder, parameters, **more):
    return [(one.line, one.message) for one in jd.study.check_study(study(folder, parameters, **more))]


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("values: [10 mm, 20 mm]", [0.01, 0.02]),
        ("values: [10 mm, 0.02]", [0.01, 0.02]),
        ("values: [1 cm, 20 mm]", [0.01, 0.02]),
        ("range: [10 mm, 2 cm], count: 2", [0.01, 0.02]),
        ("range: [10 mm, 40 mm], count: 3, scale: log", [0.01, 0.02, 0.04]),
    ],
)
def test_a_length_in_millimetres_is_one_in_metres(tmp_path, given, values):
    path = study(tmp_path, {"place": f"{{at: '{COM}', {given}}}"})
    assert jd.study.check_study(path) == []
    found = jd.study.load_study(path)
    (one,) = found.parameters
    assert one.numeric and [row[0] for row in found.rows] == pytest.approx(values, rel=1e-15)
    assert all(type(row[0]) is float for row in found.rows)
    made = [found.base.scenario(row).system.attachments[0].body.com[0] for row in found.rows]
    assert made == [row[0] for row in found.rows]


def test_results_are_in_si_and_say_so(tmp_path):
    data = jd.sweep(study(tmp_path, {"place": f"{{at: '{COM}', values: [100 mm, 20 cm]}}"}), workers=1, progress=False)
    assert data["place"].values.tolist() == [0.1, 0.2] and data["place"].attrs["units"] == "m"
    assert (data["status"] == 1).all()


def test_values_that_are_no_numbers_have_labels_before_they_are_run(tmp_path):
    from jourdain.study.progress import ProgressReporter
    from jourdain.study.sweeps.run_study import run_study

    path = study(tmp_path, {"way": "{at: simulation.method, values: [rk4, heun]}"})
    found = run_study(
        path, tmp_path / "out", workers=1, mode="threads", report=False, reporter=ProgressReporter(quiet=True)
    )
    assert found.status == "done" and found.data["way"].values.tolist() == ["rk4", "heun"]


@pytest.mark.parametrize(
    ("name", "one", "words"),
    [
        ("length", f"{{at: '{COM}', values: [2 deg, 3 deg]}}", 'got "2 deg"; give it in m'),
        ("length", f"{{at: '{COM}', range: [2 deg, 3 deg], count: 2}}", 'got "2 deg"; give it in m'),
        ("length", f"{{at: '{COM}', values: [1, 3 deg]}}", 'got "3 deg"; give it in m'),
        ("length", f"{{at: '{COM}', values: [1 m, 3 deg]}}", "in one dimension"),
        ("angle", "{at: state.q.hinge, values: [10 mm, 20 mm]}", "hinge is in rad"),
        ("angle", "{at: state.q.hinge, range: [10 mm, 20 mm], count: 2}", "hinge is in rad"),
        ("rate", "{at: state.v.hinge, values: [1 deg, 2 deg]}", "give it in rad/s or m/s"),
        ("mass", "{at: system.bodies.link.mass, values: [1 kg, heavy]}", 'got "heavy"; give a number'),
        ("mass", "{at: system.bodies.link.mass, values: [1, [1, 2]]}", "give a number"),
        ("mass", "{at: system.bodies.link.mass, values: [1, 10 furlongs]}", '"furlongs" is no unit'),
        ("end", "{at: simulation.until, values: [0.1 s, 100 m]}", "in one dimension"),
        ("end", "{at: simulation.until, values: [0.1, 100 m]}", "give it in s"),
        ("way", "{at: simulation.method, values: [rk4, rk7]}", '"rk7" does not exist'),
        ("limit", "{at: limits.depth.at_least, values: [-1.2 deg, -1]}", "link.tip.z is in m"),
        ("whole", "{at: system.bodies.link.com, values: [[1, 0, 0], [10 mm, 0, 3 s]]}", 'got "3 s"; give it in m'),
        ("state.q.hinge", "[10 mm, 20 mm]", "hinge is in rad"),
    ],
)
def test_another_dimension_is_refused_at_its_line(tmp_path, name, one, words):
    found = check(tmp_path, {"inertia": "{at: 'system.bodies.link.inertia[0]', values: [0.01]}"} | {name: one})
    assert len(found) == 1 and words in found[0][1] and found[0][0] == 7, found
    with pytest.raises(ScenarioError, match="study.yaml:7"):
        jd.study.load_study(tmp_path / "study.yaml")


def test_a_random_design_is_checked_too(tmp_path):
    design = {"method": "random", "samples": 4}
    assert check(tmp_path, {"place": f"{{at: '{COM}', normal: [10 mm, 1 mm]}}"}, design=design) == []
    found = check(tmp_path, {"place": f"{{at: '{COM}', normal: [10 deg, 1 deg]}}"}, design=design)
    assert len(found) == 1 and found[0][0] == 6 and "give it in m" in found[0][1]


CRITERIA = {"late": {"quantity": "hinge", "take": "settling", "target": "10 deg", "band": "1 deg"}}
MASS = {"mass": "{at: system.bodies.link.mass, values: [1 kg, 2 kg]}"}


def test_criteria_scores_and_goals_have_the_units_of_their_quantities(tmp_path):
    score = {"variable": "late", "best": "10 ms", "worst": "0.1 s"}
    path = study(tmp_path, MASS, criteria=CRITERIA, score=score)
    assert jd.study.check_study(path) == []
    found = jd.study.load_study(path)
    assert found.criteria[0].target == pytest.approx(np.pi / 18, rel=1e-15)
    assert (found.score["best"], found.score["worst"]) == (pytest.approx(0.01), 0.1)
    search = {"minimise": "late", "goal": "20 ms"}
    ranged = {"mass": "{at: system.bodies.link.mass, range: [1 kg, 2 kg]}"}
    path = study(tmp_path, ranged, criteria=CRITERIA, search=search)
    assert jd.study.check_study(path) == [] and jd.study.load_study(path).search.goal == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"criteria": {"late": CRITERIA["late"] | {"target": "10 mm"}}}, "hinge is in rad"),
        ({"criteria": {"late": CRITERIA["late"] | {"band": "1 s"}}}, "hinge is in rad"),
        ({"criteria": {"late": CRITERIA["late"] | {"after": "1 m"}}}, "give it in s"),
        ({"criteria": CRITERIA, "score": {"variable": "late", "best": "1 deg", "worst": "2 deg"}}, "late is in s"),
        ({"score": {"variable": "margin", "best": "1 s", "worst": "2 s"}}, "margin has no unit"),
        (
            {"score": {"parts": {"a.b": {"variable": "depth", "bounds": ["1 s"], "grades": [[1, 1], [1, 1]]}}}},
            "depth is in m",
        ),
    ],
)
def test_units_of_others_are_refused(tmp_path, more, words):
    found = check(tmp_path, MASS, **more)
    assert found and all(words in message for _, message in found) and all(line > 6 for line, _ in found)


def test_the_goal_of_several_variables_has_no_unit(tmp_path):
    ranged = {"mass": "{at: system.bodies.link.mass, range: [1 kg, 2 kg]}"}
    for search, words in (
        ({"minimise": "late", "goal": "20 mm"}, "late is in s"),
        ({"minimise": {"late": 1, "margin": 1}, "goal": "20 ms"}, "a sum of several variables has no unit"),
    ):
        ((_, message),) = check(tmp_path, ranged, criteria=CRITERIA, search=search)
        assert words in message


def test_scores_of_a_dataset_take_units():
    import xarray as xr

    data = xr.Dataset({"force": ("variant", np.array([10.0, 20.0, 30.0]), {"units": "N"})}, {"variant": range(3)})
    plain = jd.study.score(data, {"variable": "force", "best": 10.0, "worst": 30.0})
    told = jd.study.score(data, {"variable": "force", "best": "10 N", "worst": "0.03 kN"})
    assert told["score"].values.tolist() == plain["score"].values.tolist() == [1.0, 0.5, 0.0]
    with pytest.raises(jd.errors.ModelError, match="force is in N"):
        jd.study.score(data, {"variable": "force", "best": "10 mm", "worst": "30 mm"})


def arm():
    system = jd.System("arm", gravity=(0, 0, -9.81))
    link = jd.RigidBody("link", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
    system.add(link, joint=jd.Revolute("hinge", axis="y"))
    return jd.study.Scenario("arm", system, until=0.1, step=0.01)


def test_scenarios_made_in_python_take_units():
    data = jd.sweep(arm(), {"link.com.x": ["500 mm", "0.6 m"], "state.q.hinge": ["90 deg"]}, workers=1, progress=False)
    assert data["link.com.x"].values.tolist() == [0.5, 0.6]
    assert data["state.q.hinge"].values == pytest.approx([np.pi / 2, np.pi / 2])
    for given, words in (
        ({"link.com.x": ["2 deg", "3 deg"]}, "link.com.x is in m"),
        ({"state.q.hinge": ["10 mm"]}, "state.q.hinge is in rad"),
        ({"state.v.hinge": ["10 deg", "fast"]}, "got '10 deg'; give numbers"),
        ({"state.v.hinge": ["1 rad/s", 10**400]}, "give finite numbers"),
    ):
        with pytest.raises(jd.errors.ModelError, match=words):
            jd.sweep(arm(), given, workers=1, progress=False)


def test_what_is_measured_survives_a_copy_and_another_process():
    one = Measured(0.01, "mm", "10 mm")
    two = pickle.loads(pickle.dumps(one))
    assert (two, two.unit, two.text) == (0.01, "mm", "10 mm")
    parameter = pickle.loads(pickle.dumps(Parameter("a", ["10 mm", "2 cm"], name="a")))
    assert parameter.choices == (0.01, 0.02) and parameter.unit == "mm"
    assert [parameter.written(x) for x in (0.01, 0.02, 0.015)] == ["10 mm", "2 cm", "0.015 m"]


@pytest.mark.parametrize("written", ["mm", "deg", "kN", "Nm", "N m/(rad s)", "rpm", "kg m^2", "1/s", "GPa", "m/m", "h"])
def test_si_units_have_a_factor_of_one(written):
    one, same = units.unit(written), units.unit(units.in_si(written))
    assert same.dimension == one.dimension and same.factor == 1.0


def test_more_steps_than_can_be_counted_are_refused():
    model = arm().model
    with pytest.raises(jd.errors.ModelError, match="1e15 steps"):
        jd.simulate(model, model.state(), 1e30, 0.01)
