"""Scenarios read from files: the same objects as Python would make, variants, control models, and what a run keeps."""

import json

import numpy as np
import pytest
from broken_scenarios import SOUND

import jourdain as jd
from jourdain.files.problems import ScenarioError
from jourdain.study.scenario.limits import judge
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario

HEAD = "jourdain: 1\nname: test\nsimulation: {until: 1}\n"
ARM = """\
system:
  name: arm
  bodies:
    - {kind: RigidBody, name: upper, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2], frames: {tip: [1, 0, 0]},
       joint: {kind: Revolute, name: shoulder, axis: z, damping: 0.1}}
    - {kind: RigidBody, name: fore, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], frames: {tip: [1, 0, 0]},
       joint: {kind: Revolute, name: elbow, axis: z}, to: upper.tip, rotation: {axis: z, angle: 30 deg}}
"""


def arm():
    system = jd.System("arm")
    upper = jd.RigidBody("upper", 2.0, (0.5, 0, 0), (0.01, 0.2, 0.2), {"tip": (1, 0, 0)})
    system.add(upper, jd.Revolute("shoulder", axis="z", damping=0.1))
    fore = jd.RigidBody("fore", 1.0, (0.5, 0, 0), (0.01, 0.1, 0.1), {"tip": (1, 0, 0)})
    turn = np.radians(30) / 2
    system.add(fore, jd.Revolute("elbow", axis="z"), "upper.tip", rotation=(np.cos(turn), 0, 0, np.sin(turn)))
    return system


def load(folder, text, name="task.yaml"):
    (folder / name).write_text(text)
    return load_scenario(folder / name)


def test_it_is_what_python_would_build(tmp_path):
    scenario = load(tmp_path, HEAD + ARM + "state: {q: {shoulder: 90 deg}, v: {elbow: 0.5}, time: 0.25}\n")
    assert scenario.model.hash == arm().compile().hash
    assert scenario.state.q.tolist() == [np.radians(90), 0.0]
    assert scenario.state.v.tolist() == [0.0, 0.5]
    assert scenario.state.time == 0.25
    assert (scenario.until, scenario.step, scenario.method, scenario.controller) == (1.0, None, None, None)


def test_names_and_places_of_free_joints_and_balls(tmp_path):
    text = (
        HEAD
        + """\
system:
  environment: {altitude: 400e3, true_anomaly: 10 deg}
  bodies:
    - {kind: RigidBody.from_shape, name: a, density: 1000, shape: {kind: Box, lengths: [1, 1, 1]},
       joint: {kind: Free, name: free}}
    - {kind: RigidBody, name: b, mass: 1, inertia: [1, 1, 1], joint: {kind: Spherical, name: ball}, to: a.origin}
state:
  q:
    free: {position: [1, 2, 3], rotation: {axis: [0, 0, 2], angle: 90 deg}}
    ball: {axis: x, angle: 180 deg}
  v: {free: [0, 0, 1, 0, 0, 0]}
"""
    )
    scenario = load(tmp_path, text)
    half = np.sqrt(0.5)
    assert np.allclose(scenario.state.q, [1, 2, 3, half, 0, 0, half, 0, 1, 0, 0], atol=1e-15)
    assert scenario.model.in_orbit
    assert scenario.system.environment.true_anomaly == np.radians(10)
    assert scenario.system.body("a").mass == 1000.0


def test_motions_events_outputs_limits_and_replay(tmp_path):
    scenario = load(tmp_path, SOUND)
    assert scenario.motions == {"elbow": jd.Cycloid(to=np.radians(90), duration=1.0)}
    assert scenario.events[0].at == 1.5 and scenario.events[0].release == ("elbow",)
    assert scenario.events[1].when == ("elbow", ">", np.radians(80))
    assert [(one.title, one.quantities) for one in scenario.figures] == [
        ("Angles", ("shoulder", "elbow")),
        ("Force", ("contact:touch.force",)),
    ]
    assert scenario.limits[1].within == 200.0 and scenario.limits[1].after == 0.5
    assert scenario.replay.camera == "base.cam" and scenario.replay.ghost == "soft"
    assert scenario.export == {
        "inputs": ["effort:elbow"],
        "outputs": ["fore.tip.x", "contact:touch.force"],
        "step": 1e-3,
    }
    assert scenario.frames == ["fore.tip"]
    assert scenario.task == "Reach out, touch the wall and hold."


def test_control_models_are_changed_copies(tmp_path):
    scenario = load(tmp_path, SOUND)
    pd, impedance = scenario.controller
    assert "float.x" not in impedance.model.names.q and "float.x" in scenario.model.names.q
    fore = next(one["body"] for one in impedance.model.description["bodies"] if one["body"]["name"] == "fore")
    assert fore["mass"] == 2.5
    assert impedance.model.contacts.names == ("touch",)
    assert pd.start is scenario.state or np.array_equal(pd.start.q, scenario.state.q)


def test_a_control_model_from_another_model_and_from_a_file(tmp_path):
    arm().save(tmp_path / "arm.yaml")
    models = "models:\n  light: {set: {bodies.fore.mass: 0.5}}\n  lighter: {from: light, set: {bodies.upper.mass: 1}}\n"
    models += "  other: {file: arm.yaml}\n"
    template = "controller: {kind: ComputedTorque, model: %s, joints: [shoulder, elbow], kp: 4, kd: 4}\n"
    masses = {}
    for name in ("plant", "light", "lighter", "other"):
        model = load(tmp_path, HEAD + ARM + models + template % name).controller.model
        masses[name] = [one["body"]["mass"] for one in model.description["bodies"]]
    assert masses == {"plant": [2, 1], "light": [2, 0.5], "lighter": [1, 0.5], "other": [2, 1]}


def test_leaving_a_body_out_takes_what_hangs_on_it(tmp_path):
    text = HEAD + ARM + "models: {stump: {without: upper}}\n"
    (tmp_path / "task.yaml").write_text(text)
    (mistake,) = check_scenario(tmp_path / "task.yaml")
    assert "no bodies" in mistake.message and mistake.address.startswith("models.stump")


def test_variants_differ_where_they_say(tmp_path):
    scenario = load(tmp_path, SOUND)
    ((name, soft),) = scenario.variants.items()
    assert (name, soft.variant, scenario.variant) == ("soft", "soft", "")
    assert soft.controller[0].kp == 50.0 and scenario.controller[0].kp == 100.0
    assert soft.system.body("upper").EI[0].plain() == 500.0
    assert soft.limits == scenario.limits and soft.hash == scenario.hash
    assert soft.model.hash != scenario.model.hash


def test_a_whole_controller_can_be_exchanged_by_an_alias(tmp_path):
    text = (
        HEAD
        + ARM
        + """\
controller:
  kind: Sampled
  period: 0.01
  controller: &inner {kind: PD, joints: [shoulder, elbow], kp: 10, kd: 5}
variants:
  continuous: {controller: *inner}
  none: {controller: null}
"""
    )
    scenario = load(tmp_path, text)
    assert type(scenario.controller).__name__ == "Sampled"
    assert type(scenario.variants["continuous"].controller).__name__ == "PD"
    assert scenario.variants["none"].controller is None


CONTROLLERS = {
    "PID": "{kind: PID, joints: elbow, kp: 3, kd: {elbow: 2}, ki: [1], feedforward: gravity, model: plant, limit: 9}",
    "JointImpedance": "{kind: JointImpedance, joints: [elbow], stiffness: 3, damping: 1}",
    "Antagonists": "{kind: Antagonists, joint: elbow, radius: 0.05, linear: 10, quadratic: 5, co_contraction: 0.1}",
    "ComputedTorque": "{kind: ComputedTorque, model: plant, joints: [elbow], kp: 4, kd: 4, loop: quasi-open}",
    "Cartesian": "{kind: Cartesian, model: plant, at: fore.tip, kp: 4, kd: 4, directions: [x, y], reference: {x: 1.2}}",
    "Accommodation": "{kind: ForceMomentAccommodation, model: plant, at: fore.tip, rate_command: {x: 0.1}, gain: 0.1, "
    "contacts: [], kp: 4, kd: 4, directions: xy}",
    "HandController": "{kind: HandController, model: plant, at: fore.tip, joints: [shoulder, elbow], kp: 4, kd: 4, "
    "commands: [[0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0]]}",
    "StateFeedback": "{kind: StateFeedback, gain: [[1, 2, 3, 4], [1, 2, 3, 4]], inputs: [shoulder, elbow]}",
    "Observed": "{kind: StateFeedback, gain: [[1, 2, 3, 4]], inputs: [elbow], measured: [elbow], observer: "
    "{A: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], B: [[0], [0], [0], [1]], C: [[0, 1, 0, 0]], "
    "gain: [[1], [1], [1], [1]]}}",
    "Filtered": "{kind: Filtered, controller: {kind: PD, joints: [elbow], kp: 1, kd: 1}, on: [elbow], signal: effort, "
    "filter: {kind: Filter.notch, hz: 2, width: 0.3}}",
    "Muscles": "{kind: Muscles, muscles: [{name: flexor, path: [upper.origin, fore.tip], strength: 500 N, "
    "optimal_length: 20 cm, slack: 1.7, wrap: {at: upper.tip, radius: 0.02}}], excitation: {flexor: {kind: Sine, "
    "amplitude: 0.2, frequency: 2, offset: 0.3}}}",
    "Sampled": "{kind: Sampled, period: 0.01, delay: 0.002, seed: 3, "
    "controller: {kind: PD, joints: elbow, kp: 1, kd: 1}, "
    "quantisation: {elbow: 1e-3}, sensors: [{kind: JointSensor, names: [elbow], noise: 1e-4}, "
    "{kind: ForceSensor, joint: elbow, force_noise: 0.1}]}",
    "paths": "{kind: Cartesian, model: plant, at: fore.tip, kp: 4, kd: 4, directions: xy, reference: {kind: Sequence, "
    "pause: 0.1, paths: [{kind: Via, points: [[1, 1, 0], [1.2, 1, 0], [1, 1, 0]], times: [0, 1, 2]}, "
    "{kind: Circle, centre: [1, 1.5, 0], start: [1, 1, 0], duration: 1, angle: 90 deg}]}}",
    "shaped": "{kind: PD, joints: [elbow], kp: 1, kd: 1, reference: {elbow: {kind: Shaped, frequency: 2, shaper: ZVD, "
    "motion: {kind: Cycloid, to: 1, duration: 1}}}}",
    "table": "{kind: PD, joints: [elbow], kp: 1, kd: 1, reference: {kind: Table, times: [0, 1], values: [0, 20 deg]}}",
}


@pytest.mark.parametrize("name", CONTROLLERS)
def test_controllers_are_made(tmp_path, name):
    scenario = load(tmp_path, HEAD + ARM + f"controller: {CONTROLLERS[name]}\n")
    assert hasattr(scenario.controller, "bind")


@pytest.mark.parametrize("kind", ["LQR", "LQG", "Predictive"])
def test_designs_that_take_kernels_wait_until_they_are_needed(tmp_path, kind, monkeypatch):
    from jourdain.control import predictive, state_feedback

    def never(*_, **__):
        raise AssertionError("a check must not design")

    monkeypatch.setattr(state_feedback, "linear_plant", never)
    monkeypatch.setattr(predictive, "linear_plant", never)
    more = {
        "LQR": "Q: {elbow: [1, 2]}, R: 0.1",
        "LQG": "Q: 1, R: {shoulder: 1, elbow: 1}, W: 1, V: 1e-6, measured: [shoulder, elbow]",
        "Predictive": "horizon: 9, penalty: 0.1, period: 0.1, reference: {elbow: {kind: Cycloid, to: 1, duration: 1}}",
    }
    text = HEAD + ARM + f"controller: {{kind: {kind}, model: plant, {more[kind]}}}\n"
    scenario = load(tmp_path, text)
    with pytest.raises(AssertionError, match="must not design"):
        _ = scenario.controller


RUN = (
    HEAD.replace("{until: 1}", "{until: 0.2, step: 0.01}")
    + ARM
    + """\
controller: {kind: PD, joints: [shoulder, elbow], kp: 20, kd: 5, reference: {shoulder: 20 deg}, name: servo}
outputs: {figures: {Angles: [shoulder]}}
limits: [{name: torque, quantity: effort:shoulder, within: 1000}]
"""
)


def test_a_run_keeps_what_its_report_needs(tmp_path):
    scenario = load(tmp_path, RUN)
    run = scenario.simulate(save=tmp_path / "run.nc", progress=False)
    assert run.q["shoulder"].values[-1] > 0.01
    again = jd.load(tmp_path / "run.nc")
    about = again.options["scenario"]
    assert about == json.loads(json.dumps(scenario.about()))
    assert about["name"] == "test" and about["text"] == RUN and about["file"] == "task.yaml"
    (found,) = judge(again)
    assert found.passed and found.limit.name == "torque"


def test_muscles_of_a_file_are_those_of_python(tmp_path):
    """The same run, and their quantities as figures and limits name them."""
    text = RUN.replace("{until: 0.2, step: 0.01}", "{until: 0.02}").replace("[shoulder]}}", '["muscle:flexor.force"]}}')
    text = text.replace("effort:shoulder, within: 1000", "muscle:flexor.fibre_length, at_most: 0.4")
    before, after = text.split("controller: {"), text.split("name: servo}\n")[1]
    scenario = load(tmp_path, before[0] + f"controller: {CONTROLLERS['Muscles']}\n" + after)
    wrap = jd.human.Wrap("upper.tip", 0.02)
    flexor = jd.human.Muscle("flexor", ("upper.origin", "fore.tip"), 500.0, 0.2, 1.7, wrap=wrap)
    excited = {"flexor": jd.Sine(0.2, 2.0, offset=0.3)}
    model = arm().compile()
    other = jd.simulate(model, model.state(), until=0.02, controller=jd.human.Muscles([flexor], excited))
    run = scenario.simulate(save=tmp_path / "run.nc", progress=False)
    np.testing.assert_array_equal(run.muscle["flexor"].force.values, other.muscle["flexor"].force.values)
    assert run.muscle["flexor"].force.values[0] > 10.0 and judge(jd.load(tmp_path / "run.nc"))[0].passed


def test_what_a_run_refuses_has_its_line(tmp_path):
    text = RUN.replace("joints: [shoulder, elbow]", "joints: [shoulder, shoulder]")
    with pytest.raises(ScenarioError, match="named twice"):
        load(tmp_path, text)
    once = "controller: {kind: Sampled, period: 0.00017, controller: {kind: PD, joints: [elbow], kp: 20, kd: 5}}\n"
    text = RUN.replace(RUN[RUN.index("controller:") : RUN.index("outputs:")], once)
    scenario = load(tmp_path, text)
    with pytest.raises(ScenarioError) as caught:
        scenario.simulate(progress=False)
    (mistake,) = caught.value.problems
    assert "no whole number of steps" in mistake.message
    assert mistake.line == text[: text.index("controller:")].count("\n") + 1
    (mistake,) = check_scenario(tmp_path / "task.yaml", thorough=True)
    assert "no whole number of steps" in mistake.message


def test_shipped_scenarios_are_sound():
    from importlib.resources import as_file, files

    folder = files("jourdain").joinpath("scenarios")
    with as_file(folder) as here:
        found = sorted(here.glob("*.yaml"))
        assert found
        for path in found:
            assert check_scenario(path) == [], path.name
