"""`jd.control.HandController`: tip rates become joint rates, joint rates are joint rates, thrust is thrust."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.train import plant

POSE = {
    "shoulder_yaw": 0.3,
    "shoulder_pitch": -1.0,
    "elbow": 1.6,
    "wrist_pitch": -0.5,
    "wrist_yaw": 0.2,
    "wrist_roll": 0.4,
}
WIDTH = 12 + len(plant.JOINTS)


@pytest.fixture(scope="module")
def arm():
    model = plant.arm_model()

    return model, model.state(q=POSE)


def pilot(arm, commands, **more):
    model, state = arm
    return jd.control.HandController(
        model, "hand.tip", plant.JOINTS, kp=0.0, kd=1.0, commands=commands, start=state, singular=1e-9, **more
    )


def spoken(arm, t=0.0, z=None, **options):
    """Efforts, and rates of the commanded joints."""
    model, state = arm
    bound = pilot(arm, **options).bind(model)
    return bound.speak(t, state.q, state.v, bound.start if z is None else z, np.zeros(0), model.nv)


def test_joint_rates_give_the_tip_its_rates_in_its_own_axes(arm):
    model, state = arm
    wanted = np.array([0.02, -0.03, 0.05, 0.04, -0.06, 0.01])
    _, rates = spoken(arm, commands=[[*wanted, *np.zeros(WIDTH - 6)]])
    J = model.jacobian("hand.tip", state.q)[:, [model.index.v[name] for name in plant.JOINTS]]
    R = model.pose("hand.tip", state.q).rotation
    found = J @ rates
    np.testing.assert_allclose([*(R.T @ found[:3]), *(R.T @ found[3:])], wanted, atol=1e-12)


def test_joint_rates_and_thrust_pass_through(arm):
    model, _ = arm
    joints = np.array([0.01, 0.02, -0.03, 0.04, -0.05, 0.06])
    row = [*np.zeros(9), 10.0, -20.0, 30.0, *joints]
    effort, rates = spoken(arm, commands=[row], craft="craft")
    np.testing.assert_allclose(rates, joints, atol=1e-15)
    np.testing.assert_allclose(effort[[model.index.v[name] for name in plant.JOINTS]], joints, atol=1e-15)
    first = model.index.v["craft.vx"]
    np.testing.assert_array_equal(effort[first : first + 3], [10.0, -20.0, 30.0])
    assert not np.any(spoken(arm, commands=[row])[0][first : first + 3])


def test_the_craft_turns_at_the_commanded_rate_within_a_limit(arm):
    row = [*np.zeros(6), 0.1, 0.0, -0.02, *np.zeros(WIDTH - 9)]
    effort, _ = spoken(arm, commands=[row], craft="craft", turn_gain=100.0, turn_limit=5.0)
    first = arm[0].index.v["craft.wx"]
    np.testing.assert_allclose(effort[first : first + 3], [5.0, 0.0, -2.0], atol=1e-14)


def test_rows_follow_each_other_and_the_last_one_stays(arm):
    rows = np.zeros((3, WIDTH))
    rows[:, 12] = (0.01, 0.02, 0.03)
    for t, wanted in ((0.0, 0.01), (0.019, 0.01), (0.021, 0.02), (0.059, 0.03), (9.0, 0.03)):
        assert spoken(arm, t, commands=rows)[1][0] == wanted
    # a row that is taken late is not yet there at its own time
    assert spoken(arm, 0.02, commands=rows, late=5e-4)[1][0] == 0.01
    assert spoken(arm, 0.021, commands=rows, late=5e-4)[1][0] == 0.02


def test_a_command_stops_where_the_servo_is_at_its_limit(arm):
    model, state = arm
    row = [*np.zeros(12), 0.05, -0.05, *np.zeros(WIDTH - 14)]
    law = jd.control.HandController(
        model, "hand.tip", plant.JOINTS, kp=100.0, kd=0.0, limit=1.0, commands=[row], start=state, singular=1e-9
    ).bind(model)
    ahead = law.start.copy()
    ahead[:2] += 0.02  # 2 N m of lead: beyond the limit
    effort, rates = law.speak(0.0, state.q, state.v, ahead, np.zeros(0), model.nv)
    assert rates[0] == 0.0 and rates[1] == pytest.approx(-0.05)
    assert effort[model.index.v["shoulder_yaw"]] == 1.0


def test_what_is_wrong_is_named(arm):
    model, _ = arm
    with pytest.raises(jd.errors.ModelError, match=f"rows of {WIDTH} numbers"):
        pilot(arm, np.zeros((2, 3)))
    with pytest.raises(jd.errors.ModelError, match="period"):
        pilot(arm, None, period=0.0)
    with pytest.raises(jd.errors.ModelError, match="free joint"):
        pilot(arm, None, craft="elbow").bind(model)


def test_its_commands_are_inputs_of_an_export(arm):
    law = jd.control.Sampled(pilot(arm, None, craft="craft"), period=1e-3)
    bound = law.bind(arm[0])
    names = list(bound.inputs)
    assert names[:2] == ["pilot.tip.wx", "pilot.tip.wy"] and names[-1] == "pilot.wrist_roll"
    assert [bound.inputs[name][1] for name in ("pilot.tip.vx", "pilot.craft.fx", "pilot.elbow")] == [
        "m/s",
        "N",
        "rad/s",
    ]
    at = bound.inputs["pilot.tip.wx"][0]
    assert len(bound.parameters) == at + WIDTH
