"""Controllers, limits and plots that name a joint with a drive: the same numbers as by hand on the motor."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.control.parameters import coordinates
from jourdain.results.quantities import quantity
from jourdain.view.plots import plot

GEAR, ROTOR, K, C = -40.0, 2e-3, 2e4, 30.0
MOVE = jd.Cycloid(to=0.8, duration=0.5)
MOTOR_MOVE = jd.Cycloid(to=0.8 * GEAR, duration=0.5)


def arm(drive=True, stiffness=K, armature=0.0):
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    gear = jd.Drive(GEAR, ROTOR, stiffness, C) if drive else None
    link = dict(mass=2.0, com=(0.3, 0.0, 0.0), inertia=(0.02, 0.05, 0.05), frames={"tip": (0.6, 0, 0)})
    system.add(jd.RigidBody("upper", **link), jd.Revolute("shoulder", axis="y", drive=gear, armature=armature))
    system.add(jd.RigidBody("fore", **link), jd.Revolute("elbow", axis="y"), to="upper.tip")
    return system.compile()


@pytest.fixture(scope="module")
def model():
    return arm()


def run(model, controller, until=0.6, **options):
    return jd.simulate(model, model.state(), until=until, step=2e-4, output=2e-3, controller=controller, **options)


def test_the_joint_is_the_motor_by_the_gear(model):
    """kp / gear^2, limit / |gear|, reference times gear: what a user had to do by hand."""
    by_joint = jd.control.PID(
        ["shoulder", "elbow"],
        kp={"shoulder": 900.0, "elbow": 200.0},
        kd={"shoulder": 90.0, "elbow": 20.0},
        ki={"shoulder": 300.0, "elbow": 50.0},
        reference={"shoulder": MOVE, "elbow": 0.3},
        limit={"shoulder": 60.0, "elbow": 30.0},
    )
    by_motor = jd.control.PID(
        ["shoulder.motor", "elbow"],
        kp={"shoulder.motor": 900.0 / GEAR**2, "elbow": 200.0},
        kd={"shoulder.motor": 90.0 / GEAR**2, "elbow": 20.0},
        ki={"shoulder.motor": 300.0 / GEAR**2, "elbow": 50.0},
        reference={"shoulder.motor": MOTOR_MOVE, "elbow": 0.3},
        limit={"shoulder.motor": 60.0 / abs(GEAR), "elbow": 30.0},
    )
    mine, theirs = run(model, by_joint), run(model, by_motor)
    assert np.ptp(mine.record.q[:, 0]) > 0.5
    # the same operations in another order: rounding, grown by a stiff loop over 3000 steps
    assert mine.record.q == pytest.approx(theirs.record.q, rel=1e-9, abs=1e-9)
    assert mine.record.effort == pytest.approx(theirs.record.effort, rel=1e-7, abs=1e-7)
    assert np.max(np.abs(mine.effort["shoulder"].values)) == 0.0
    converted = quantity(mine, "effort:shoulder")
    assert converted.values == pytest.approx(GEAR * mine.effort["shoulder.motor"].values) and converted.unit == "N m"
    assert np.max(np.abs(converted.values)) == pytest.approx(60.0)  # the limit, in the joint's own unit
    (line,) = plot(mine, "effort:shoulder", figure=Figure()).axes[0].lines
    assert np.max(np.abs(line.get_ydata())) == pytest.approx(60.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda m: jd.control.PD(
            ["shoulder", "elbow"], 400.0, 40.0, reference={"shoulder": MOVE}, feedforward="computed torque", model=m
        ),
        lambda m: jd.control.ComputedTorque(m, ["shoulder", "elbow"], 400.0, 40.0, {"shoulder": MOVE, "elbow": 0.2}),
    ],
    ids=["feedforward", "computed torque"],
)
def test_a_stiff_drive_is_an_armature(make):
    """With K -> infinity the plant is the joint with armature gear^2 rotor_inertia, and the error vanishes as 1 / K."""
    rigid = arm(drive=False, armature=GEAR**2 * ROTOR)
    expected = run(rigid, make(rigid)).record.q
    gaps = []
    for stiffness in (1e6, 4e6):
        model = arm(stiffness=stiffness)
        gaps.append(float(np.max(np.abs(run(model, make(model)).record.q[:, [0, 2]] - expected))))
    assert gaps[0] < 1e-3 and gaps[1] < 0.3 * gaps[0]


@pytest.mark.slow
@pytest.mark.parametrize("feedback", ["rigid", "tip"])
def test_a_tip_is_controlled_through_gears(feedback):
    """Cartesian control of a driven arm goes to that of the arm with armatures as 1 / K."""

    def control(model):
        goal = {"x": jd.Cycloid(to=0.9, duration=0.4), "z": jd.Cycloid(to=-0.4, duration=0.4)}
        start = model.state(q={"shoulder": 0.4, "elbow": 0.6})
        return jd.control.Cartesian(model, "fore.tip", reference=goal, kp=400.0, kd=40.0, directions="xz", start=start,
                                    joints=["shoulder", "elbow"], feedback=feedback)  # fmt: skip

    def moved(model):
        state = model.state(q={"shoulder": 0.4, "elbow": 0.6})
        run = jd.simulate(model, state, until=0.5, step=2e-4, output=2e-3, controller=control(model))
        return run.frame("fore.tip").path[:, :3]

    expected = moved(arm(drive=False, armature=GEAR**2 * ROTOR))
    assert np.max(np.ptp(expected, axis=0)) > 0.1
    gaps = [float(np.max(np.abs(moved(arm(stiffness=stiffness)) - expected))) for stiffness in (1e6, 4e6)]
    assert gaps[0] < 1e-3 and gaps[1] < 0.3 * gaps[0]


def test_gravity_is_carried_through_the_gear(model):
    """At rest the motor gives the joint what gravity asks for where the encoder sees it: no error is left."""
    control = jd.control.PD(["shoulder", "elbow"], 900.0, 120.0, feedforward="gravity", model=model)
    found = run(model, control, until=3.0)
    q, motor = found.record.q[-1, 0], found.q["shoulder.motor"].values[-1]
    held = arm(drive=False)
    seen = held.inverse_dynamics(held.state(q={"shoulder": motor / GEAR, "elbow": found.record.q[-1, 2]}))[0]
    torque = quantity(found, "effort:shoulder").values[-1]
    assert torque == pytest.approx(seen - 900.0 * motor / GEAR, rel=1e-6)
    assert torque == pytest.approx(K * (motor / GEAR - q), rel=1e-4)


def test_filters_and_encoders_are_on_the_motor(model):
    base = jd.control.PD(["shoulder", "elbow"], 400.0, 40.0, reference={"shoulder": MOVE})
    by_hand = jd.control.PD(
        ["shoulder.motor", "elbow"],
        {"shoulder.motor": 400.0 / GEAR**2, "elbow": 400.0},
        {"shoulder.motor": 40.0 / GEAR**2, "elbow": 40.0},
        reference={"shoulder.motor": MOTOR_MOVE},
    )
    low = jd.control.Filter.low_pass(20.0)
    one = run(model, jd.control.Filtered(base, low, on=["shoulder"]), until=0.2)
    other = run(model, jd.control.Filtered(by_hand, low, on=["shoulder.motor"]), until=0.2)
    assert one.record.q == pytest.approx(other.record.q, rel=1e-9, abs=1e-9)
    assert np.max(np.abs(one.record.q - run(model, base, until=0.2).record.q)) > 1e-5
    sampled = [
        jd.control.Sampled(base, 2e-3, quantisation={"shoulder": 1e-3}),
        jd.control.Sampled(by_hand, 2e-3, quantisation={"shoulder.motor": 1e-3 * abs(GEAR)}),
    ]
    one, other = (run(model, law, until=0.2) for law in sampled)
    assert one.record.q == pytest.approx(other.record.q, rel=1e-9, abs=1e-9)


def test_linear_regulators_act_on_the_motor(model):
    state = model.equilibrium(model.state(q={"elbow": 0.1}), hold=("shoulder.motor", "elbow")).state
    named = jd.control.LQR(model, state, 1.0, 1.0, inputs=["shoulder", "elbow"])
    assert named.inputs == ("shoulder.motor", "elbow")
    gain = np.ones((1, 2 * model.nv))
    spoken = jd.control.StateFeedback(gain, state, ["shoulder"]).effort(model, 0.0, state.q + 0.01, state.v)
    motor = jd.control.StateFeedback(gain / GEAR, state, ["shoulder.motor"]).effort(model, 0.0, state.q + 0.01, state.v)
    assert spoken == pytest.approx(motor) and spoken[0] == 0.0 and spoken[1] != 0.0


def test_one_of_the_two_names(model):
    with pytest.raises(ModelError, match='is the motor of "shoulder", which is named too'):
        coordinates(model, ["shoulder", "shoulder.motor"], "pd")


SCENARIO = """\
jourdain: 1
name: A geared arm
system:
  gravity: [0, 0, -9.81]
  bodies:
    - kind: RigidBody
      name: upper
      mass: 2.0
      com: [0.3, 0, 0]
      inertia: [0.02, 0.05, 0.05]
      joint:
        {kind: Revolute, name: shoulder, axis: y, drive: {gear: 50, rotor_inertia: 0.002, stiffness: 2e4, damping: 30}}
controller:
  kind: PD
  joints: shoulder
  kp: 900
  kd: 90
  limit: {shoulder: 60}
  reference: {shoulder: {kind: Cycloid, to: 30 deg, duration: 0.2}}
  feedforward: gravity
  model: plant
simulation: {until: 0.4, step: 2.0e-4}
outputs: {figures: {Torque: ["effort:shoulder"]}}
limits:
  - {name: torque, quantity: "effort:shoulder", within: 61}
  - {name: moves, quantity: "effort:shoulder", at_least: 30, by: 0.4}
"""


def test_check_and_run_take_the_joint(tmp_path):
    path = tmp_path / "geared.yaml"
    path.write_text(SCENARIO)
    from jourdain.study.scenario.scenario_file import check_scenario, load_scenario

    assert check_scenario(path, thorough=True) == []
    scenario = load_scenario(path)
    judged = jd.study.judge(scenario.simulate())
    assert all(one.passed for one in judged)


def test_check_finds_what_run_would_refuse(tmp_path):
    """A gain for a joint that the controller does not have shows when it is laid out for the plant."""
    from jourdain.study.scenario.scenario_file import check_scenario

    path = tmp_path / "geared.yaml"
    path.write_text(SCENARIO.replace("kp: 900", "kp: {shoulder.motor: 900}"))
    (mistake,) = check_scenario(path)
    assert mistake.line == 16 and "kp for a name it does not have" in mistake.message
    path.write_text(SCENARIO.replace('"effort:shoulder", within', '"z:pid.z[7]", within'))
    assert check_scenario(path) == []
    (mistake,) = check_scenario(path, thorough=True)
    assert mistake.line == 25 and 'there is no state "pid.z[7]"' in mistake.message


def test_the_command_checks_all_that_run_will(tmp_path):
    from typer.testing import CliRunner

    from jourdain.commands.cli import app

    path = tmp_path / "geared.yaml"
    path.write_text(SCENARIO.replace('"effort:shoulder", within', '"z:pid.z[7]", within'))
    assert CliRunner().invoke(app, ["check", str(path), "--quick"]).exit_code == 0
    assert CliRunner().invoke(app, ["check", str(path)]).exit_code == 2
