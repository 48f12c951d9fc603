"""Cartesian feedback linearisation, impedance and accommodation: exact to rounding, and in contact."""

import numpy as np
import pytest
from control_arms import (
    SPATIAL,
    TOUCHING,
    flexible_arm,
    planar_arm,
    random_state,
    spatial_arm,
    touching_arm,
)
from scipy.spatial.transform import Rotation

import jourdain as jd

POSE = {"j0": 0.3, "j1": 0.8, "j2": -0.4}


@pytest.fixture(scope="module")
def arm():
    return planar_arm()


def tip_acceleration(model, tip, state, effort):
    return model.acceleration(tip, state, model.forward_dynamics(state, effort))


@pytest.mark.parametrize("redundancy", ["inertia", "euclidean"])
def test_the_tip_has_the_designed_acceleration(arm, redundancy):
    """x'' = x_d'' + kd e' + kp e to rounding, gravity, springs and velocity products compensated."""
    for seed in range(4):
        state = random_state(arm, POSE, seed)
        control = jd.control.Cartesian(
            arm, "l2.tip", [4.0, 9.0], {"x": 3.0, "y": 5.0}, {"x": jd.Sine(0.2, 0.3)},
            directions="xy", redundancy=redundancy, start=POSE,
        )  # fmt: skip
        found = tip_acceleration(arm, "l2.tip", state, control.effort(arm, 0.5, state.q, state.v))[3:5]
        begin, here = arm.pose("l2.tip", arm.state(POSE)).position, arm.pose("l2.tip", state).position
        velocity = arm.velocity("l2.tip", state)[3:5]
        w = 2 * np.pi * 0.3
        e = begin[:2] + [0.2 * np.sin(w * 0.5), 0.0] - here[:2]
        de = np.array([0.2 * w * np.cos(w * 0.5), 0.0]) - velocity
        wanted = [-0.2 * w * w * np.sin(w * 0.5) + 3.0 * de[0] + 4.0 * e[0], 5.0 * de[1] + 9.0 * e[1]]
        assert found == pytest.approx(wanted, abs=1e-11)


def test_the_pseudoinverse_is_the_one_of_least_kinetic_energy(arm):
    """Kim 1999, eq. 5.39 written out: J^T Gamma (x''_wanted - J' q') + h."""
    state = random_state(arm, POSE, 5)
    control = jd.control.Cartesian(arm, "l2.tip", 4.0, 3.0, directions="xy", start=POSE)
    J, M = arm.jacobian("l2.tip", state)[3:5], arm.mass_matrix(state)
    gamma = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    drift = arm.acceleration("l2.tip", state, np.zeros(3))[3:5]
    e = (arm.pose("l2.tip", arm.state(POSE)).position - arm.pose("l2.tip", state).position)[:2]
    effort = J.T @ gamma @ (4.0 * e - 3.0 * J @ state.v - drift) + arm.bias(state)
    assert control.effort(arm, 0.0, state.q, state.v) == pytest.approx(effort, rel=1e-11)


@pytest.mark.parametrize("redundancy", ["inertia", "euclidean"])
def test_null_space_motion_does_not_move_the_tip(arm, redundancy):
    state = random_state(arm, POSE, 2)
    found, efforts = [], []
    for more in ({}, {"null_damping": 3.0, "null_stiffness": 7.0, "posture": {"j1": 1.5}}):
        control = jd.control.Cartesian(
            arm, "l2.tip", 4.0, 3.0, directions="xy", redundancy=redundancy, start=POSE, **more
        )
        efforts.append(control.effort(arm, 0.0, state.q, state.v))
        found.append(tip_acceleration(arm, "l2.tip", state, efforts[-1])[3:5])
    assert np.max(np.abs(efforts[1] - efforts[0])) > 0.1
    assert found[1] == pytest.approx(found[0], abs=1e-11)


def test_all_six_directions_of_a_seven_axis_arm():
    """Position and orientation, with the rotation vector of the error; on the path errors stay within the tolerance."""
    model = spatial_arm()
    start = model.state(q=SPATIAL)
    pose = model.pose("l6.tip", start)
    turned = jd.Pose(
        pose.position + [0.1, -0.05, 0.08], Rotation.from_rotvec([0.2, 0.3, -0.1]).as_matrix() @ pose.rotation
    )
    path = jd.control.Line(pose, turned, duration=2.0)
    directions = ("rx", "ry", "rz", "x", "y", "z")
    control = jd.control.Cartesian(model, "l6.tip", 25.0, 10.0, path, directions=directions, start=start)
    run = jd.simulate(model, start, until=2.5, output=0.1, controller=control, progress=False)
    tip = run.frame("l6.tip")
    assert np.max(np.abs(tip.position.values - path.position(run.time.values))) < 1e-8
    wanted = path.quaternion(run.time.values)
    apart = np.abs(np.sum(wanted * tip.quaternion.values, axis=1))
    assert np.max(1.0 - apart) < 1e-13

    off = random_state(model, SPATIAL, 3, size=0.2)
    effort = control.effort(model, 1.0, off.q, off.v)
    found = tip_acceleration(model, "l6.tip", off, effort)
    sample, here = path.sample(1.0), model.pose("l6.tip", off)
    R = Rotation.from_quat(np.roll(sample[9:13], -1)).as_matrix()
    e = np.concatenate([Rotation.from_matrix(R @ here.rotation.T).as_rotvec(), sample[:3] - here.position])
    de = np.concatenate([sample[13:16], sample[3:6]]) - model.velocity("l6.tip", off)
    wanted = np.concatenate([sample[16:], sample[6:9]]) + 10.0 * de + 25.0 * e
    assert found == pytest.approx(wanted, abs=1e-9)


def test_an_arm_on_a_free_base_moves_its_tip_by_the_generalised_jacobian():
    model = planar_arm(gravity=0.0, base=True)
    state = random_state(model, POSE, 4)
    control = jd.control.Cartesian(
        model, "l2.tip", 4.0, 3.0, directions=("x", "y", "rz"), joints=["j0", "j1", "j2"], start=POSE
    )
    effort = control.effort(model, 0.0, state.q, state.v)
    assert np.all(effort[[i for i, name in enumerate(model.names.v) if name.startswith("drift")]] == 0.0)
    found = tip_acceleration(model, "l2.tip", state, effort)
    e = model.pose("l2.tip", model.state(POSE)).position - model.pose("l2.tip", state).position
    wanted = 4.0 * e - 3.0 * model.velocity("l2.tip", state)[3:]
    assert found[3:5] == pytest.approx(wanted[:2], abs=1e-11)


def test_a_flexible_tip_is_linearised_with_its_modes_measured():
    """feedback="flexible": the tip itself, bent link included, has the designed acceleration."""
    model = flexible_arm(1)
    pose = {"shoulder": 0.5, "elbow": 0.9}
    state = random_state(model, pose, 6)
    control = jd.control.Cartesian(
        model,
        "payload.origin",
        4.0,
        3.0,
        directions="xy",
        joints=["shoulder", "elbow"],
        feedback="flexible",
        start=pose,
    )
    found = tip_acceleration(model, "payload.origin", state, control.effort(model, 0.0, state.q, state.v))
    e = model.pose("payload.origin", model.state(pose)).position - model.pose("payload.origin", state).position
    wanted = 4.0 * e - 3.0 * model.velocity("payload.origin", state)[3:]
    assert found[3:5] == pytest.approx(wanted[:2], abs=1e-9)


def test_rigid_feedback_sees_no_bending_and_the_measured_tip_does():
    model = flexible_arm(1)
    pose = {"shoulder": 0.5, "elbow": 0.9}
    straight, bent = model.state(pose), model.state({**pose, "fore.bending_y[0]": 0.03})
    for feedback, same in (("rigid", True), ("tip", False)):
        control = jd.control.Cartesian(
            model, "payload.origin", 4.0, 3.0, directions="xy", feedback=feedback, start=pose
        )
        one, two = (control.effort(model, 0.0, state.q, state.v) for state in (straight, bent))
        assert np.allclose(one, two, rtol=1e-13) is same


def test_impedance_shapes_the_inertia_felt():
    """With the force measured, A e'' + D e' + K e = -f holds to rounding, whatever the force."""
    model = touching_arm(wall=3.0, stiffness=1e4)
    state = random_state(model, TOUCHING, 3)
    A, D, K = np.array([[8.0, 1.0], [1.0, 5.0]]), np.diag([20.0, 30.0]), np.diag([40.0, 60.0])
    control = jd.control.Impedance(model, "l2.tip", A, D, K, directions="xy", contact="touch", start=TOUCHING)
    felt = np.array([3.0, -7.0, 0.0])
    effort = control.effort(model, 0.0, state.q, state.v, s=np.concatenate([felt, np.zeros(3)]))
    J = model.jacobian("l2.tip", state)
    found = np.linalg.solve(model.mass_matrix(state), effort - model.bias(state) + J[3:].T @ felt)
    acceleration = model.acceleration("l2.tip", state, found)[3:5]
    e = (model.pose("l2.tip", state).position - model.pose("l2.tip", model.state(TOUCHING)).position)[:2]
    assert A @ acceleration + D @ (J[3:5] @ state.v) + K @ e == pytest.approx(felt[:2], abs=1e-10)


def pressed(stiffness: float, wall: float, **options) -> tuple[jd.Run, float]:
    """An arm that presses on a wall 20 mm above its tip, 50 mm into it by its reference; and where the wall is."""
    begin = touching_arm(10.0, 1e4)
    height = begin.pose("l2.tip", begin.state(TOUCHING)).position[1]
    model = touching_arm(height + 0.02, wall, damping=200.0)
    control = jd.control.Impedance(
        model, "l2.tip", 4.0, 2 * np.sqrt(4.0 * stiffness), stiffness, {"y": jd.Cycloid(height + 0.07, 1.0)},
        directions="xy", contact="touch", null_damping=2.0, start=TOUCHING, **options,
    )  # fmt: skip
    run = jd.simulate(model, model.state(TOUCHING), until=8.0, step=5e-4, method="rk4", output=0.01, controller=control,
                      progress=False)  # fmt: skip
    return run, height + 0.02


@pytest.mark.parametrize("wall", [1e3, 1e5])
def test_steady_force_is_target_and_wall_in_series(wall):
    """50 mm of reference behind the wall on K_d = 400 N/m: K_d K_w / (K_d + K_w) 0.05, and no limit cycle."""
    run, _ = pressed(400.0, wall)
    force = -run.contact["touch"].force.values[:, 1]
    assert force[-1] == pytest.approx(400.0 * wall / (400.0 + wall) * 0.05, rel=1e-4)
    assert np.ptp(force[-100:]) < 1e-3 * force[-1]


def test_a_force_command_and_its_correction():
    """25 N commanded through the reference come out short by the wall's compliance; the integral makes them up."""
    short, _ = pressed(400.0, 1e3, force={"y": 5.0})
    right, _ = pressed(400.0, 1e3, force={"y": 25.0}, correction=2.0, correction_limit=0.2)
    series = 400.0 * 1e3 / 1400.0
    assert -short.contact["touch"].force.values[-1, 1] == pytest.approx(series * (0.05 + 5.0 / 400.0), rel=1e-4)
    assert -right.contact["touch"].force.values[-1, 1] == pytest.approx(25.0, rel=1e-4)
    bounded, _ = pressed(400.0, 1e3, force={"y": 60.0}, correction=2.0, correction_limit=0.01)
    assert -bounded.contact["touch"].force.values[-1, 1] == pytest.approx(
        series * (0.05 + 60.0 / 400.0 + 0.01), rel=1e-3
    )


def test_a_reference_on_a_moving_frame(arm):
    """The tip follows a body that drifts and turns: errors stay those of the frame's acceleration, here none."""
    system = jd.System("arm and target")
    for i in range(3):
        body = jd.RigidBody(f"l{i}", 5.0 - i, (0.5, 0, 0), (0.1, 0.4, 0.4), frames={"tip": (1.0, 0, 0)})
        system.add(body, jd.Revolute(f"j{i}", axis="z"), to=f"l{i - 1}.tip" if i else "world")
    system.add(jd.RigidBody("target", 10.0, inertia=(1, 1, 1)), jd.Planar("drift", normal="z"))
    model = system.compile()
    start = model.state(POSE | {"drift.x": 1.0, "drift.y": 1.0}, {"drift.x": 0.05, "drift.y": -0.03})
    control = jd.control.Cartesian(
        model, "l2.tip", 25.0, 10.0, directions="xy", joints=["j0", "j1", "j2"], frame="target.origin", start=start
    )
    state = model.state(start.q, start.v)
    tip = model.jacobian("l2.tip", state)[3:5]
    state.v[:3] += np.linalg.pinv(tip[:, :3]) @ np.array([0.05, -0.03])
    run = jd.simulate(model, state, until=4.0, output=0.1, controller=control, progress=False)
    apart = (run.frame("l2.tip").position - run.frame("target.origin").position).values
    assert np.max(np.abs(apart - apart[0])) < 1e-8

    turning = random_state(model, POSE, 3)
    effort = control.effort(model, 0.0, turning.q, turning.v)
    found = tip_acceleration(model, "l2.tip", turning, effort)[3:5]
    F, r = model.pose("target.origin", turning), control_offset(model, start)
    o = np.array([0.0, 0.0, turning.v[model.index.v["drift.angle"]]])
    arm_w = F.rotation @ r
    u = model.velocity("target.origin", turning)[3:] + np.cross(o, arm_w)
    e = F.position + arm_w - model.pose("l2.tip", turning).position
    de = u - model.velocity("l2.tip", turning)[3:]
    assert found == pytest.approx((np.cross(o, np.cross(o, arm_w)) + 10.0 * de + 25.0 * e)[:2], abs=1e-11)


def control_offset(model, start):
    return (model.pose("target.origin", start).inverse() @ model.pose("l2.tip", start)).position


def test_sensibility_of_a_turning_and_twice_sliding_arm():
    """Kostadinov & Boiadjiev 2002: J^T J has the eigenvalues 0, 1 and 1 + q2^2 + a^2; the first is a self-motion."""
    system = jd.System("R T T")
    system.add(jd.RigidBody("turning", 2.0, inertia=(0.1, 0.1, 0.1)), jd.Revolute("q1", axis="z"))
    system.add(jd.RigidBody("across", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("q2", axis="y"), to="turning.origin")
    system.add(jd.RigidBody("along", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Prismatic("q3", axis="x"), to="across.origin")
    model = system.compile()
    pose = {"q1": 0.4, "q2": 0.3, "q3": 0.9}
    J = model.jacobian("along.origin", model.state(pose))[3:5]
    assert np.linalg.eigvalsh(J.T @ J) == pytest.approx([0.0, 1.0, 1.9], abs=1e-14)
    self_motion = np.array([1 / 0.3, -0.9 / 0.3, 1.0])
    assert np.max(np.abs(J @ self_motion)) < 1e-14
    control = jd.control.Cartesian(model, "along.origin", 4.0, 3.0, directions="xy", start=pose)
    found = control.effort(model, 0.0, model.state(pose).q, 0.2 * self_motion)
    state = model.state(pose)
    state.v[:] = 0.2 * self_motion
    assert np.max(np.abs(tip_acceleration(model, "along.origin", state, found)[3:5])) < 1e-12


def test_a_singular_pose_is_damped_and_said(arm):
    stretched = arm.state()
    with pytest.warns(jd.control.SingularTaskWarning, match="along x"):
        control = jd.control.Cartesian(arm, "l2.tip", 4.0, 3.0, {"x": 2.5}, directions="xy").bind(arm)
    with pytest.warns(jd.control.SingularTaskWarning):
        effort = jd.control.Cartesian(arm, "l2.tip", 4.0, 3.0, {"x": 2.5}, directions="xy").effort(
            arm, 0.0, stretched.q, stretched.v
        )
    assert control.states == 0 and np.all(np.isfinite(effort)) and np.max(np.abs(effort)) < 1e6


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"directions": "xyz"}, "cannot accelerate l2.tip along z"),
        ({"directions": "xw"}, "direction 'w' is unknown"),
        ({"directions": "xx"}, "each once"),
        ({"mass": -3.0}, "mass has the eigenvalue -3"),
        ({"mass": [1.0, 2.0, 3.0]}, r"mass has shape \(3,\)"),
        ({"damping": [[1.0, 2.0], [0.0, 1.0]]}, "damping .*symmetric"),
        ({"stiffness": {"x": 1.0}}, "stiffness is given for x"),
        ({"contact": "tuch"}, 'did you mean "touch"'),
        ({"contact": "backwards"}, "name the shape of the tip's body first"),
        ({"correction": 1.0}, "needs a measured force"),
        ({"stiffness": 0.0, "force": {"y": 1.0}}, "give a stiffness"),
        ({"feedback": "elastic"}, 'give "rigid", "tip" or "flexible"'),
        ({"redundancy": "none"}, 'give "inertia"'),
        ({"joints": ["j0", "j9"]}, "j9: .*no such coordinate"),
        ({"joints": ["j0"]}, "cannot accelerate"),
        ({"reference": {"z": 1.0}}, "z: .*does not have"),
        ({"reference": 3.0}, "give a path or a dict"),
        ({"posture": {"j7": 0.0}}, "j7: .*not driven"),
        ({"at": "l2.tup"}, "no such address"),
        ({"frame": "targit"}, "no such address"),
        ({"limit": [1.0]}, "limit has shape"),
    ],
)
def test_mistakes_are_named(options, says):
    system = jd.System("arm")
    for i in range(3):
        body = jd.RigidBody(f"l{i}", 5.0 - i, (0.5, 0, 0), (0.1, 0.4, 0.4), frames={"tip": (1.0, 0, 0)})
        system.add(body, jd.Revolute(f"j{i}", axis="z"), to=f"l{i - 1}.tip" if i else "world")
    ball, wall = jd.Sphere(0.1).at("l2.tip"), jd.Plane((0, -1, 0), -5.0).at("world")
    system.contact("touch", ball, wall, normal=jd.contact.LinearContact(1e4))
    system.contact("backwards", wall, ball, normal=jd.contact.LinearContact(1e4))
    model = system.compile()
    given = {"model": model, "at": "l2.tip", "mass": 1.0, "damping": 1.0, "stiffness": 1.0, "directions": "xy"}
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.control.Impedance(**{**given, "start": POSE, **options}).bind(model)


SERVO = {"kp": [4e4, 2e4, 5e3], "kd": [2e3, 800.0, 100.0]}


def test_accommodation_gives_way_until_the_force_is_what_was_asked():
    """A command of 10 mm/s into a wall with 1 mm/s given for each newton beyond a dead zone of 2 N: 12 N."""
    begin = touching_arm(10.0, 1e4)
    height = begin.pose("l2.tip", begin.state(TOUCHING)).position[1]
    model = touching_arm(height + 0.01, 2e3, damping=50.0)
    common = {**SERVO, "directions": "xy", "axes": "world", "start": TOUCHING, "dead_zone": 2.0}
    control = jd.control.ForceMomentAccommodation(
        model, "l2.tip", [(0.5, 12.0, {"y": 0.01})], 1e-3, ["touch"], filter=0.02, **common
    )
    options = {"step": 1e-3, "method": "rk4", "output": 0.02, "progress": False}
    run = jd.simulate(model, model.state(TOUCHING), until=10.0, controller=control, **options)
    force = -run.contact["touch"].force.values[:, 1]
    assert force[0] == 0.0 and force[-1] == pytest.approx(12.0, rel=1e-3)
    assert np.max(np.abs(run.frame("l2.tip").position.values[:, 0] - run.frame("l2.tip").position.values[0, 0])) < 5e-3

    held = jd.control.ForceMomentAccommodation(
        model, "l2.tip", {"y": 0.01}, 0.0, "touch", force_limit={"y": 5.0}, rate_limit=0.004, **common
    )
    run = jd.simulate(model, model.state(TOUCHING), until=10.0, controller=held, **options)
    force = -run.contact["touch"].force.values[:, 1]
    assert 4.0 < force[-1] < 6.5, "the command stops at the limit; what the servo lags by still presses"
    free = run.time.values < 2.0
    assert np.max(run.frame("l2.tip").velocity.values[free, 1]) < 0.0045


def test_a_python_hand_controller_is_read_beforehand():
    model = touching_arm(10.0, 1e4)
    hand = jd.control.ForceMomentAccommodation(
        model, "l2.tip", lambda t: {"x": 0.02 if t < 1.0 else 0.0}, 0.0, (),
        directions="xy", axes="world", until=2.0, period=0.05, start=TOUCHING, **SERVO,
    )  # fmt: skip
    run = jd.simulate(model, model.state(TOUCHING), until=3.0, step=1e-3, method="rk4", controller=hand, progress=False)
    tip = run.frame("l2.tip").position.values
    assert tip[-1] - tip[0] == pytest.approx([0.02, 0.0, 0.0], abs=2e-4)
    with pytest.raises(jd.errors.ModelError, match="give until="):
        jd.control.ForceMomentAccommodation(model, "l2.tip", lambda t: {}, 0.0, (), 1.0, 1.0, directions="xy").bind(
            model
        )
    with pytest.raises(jd.errors.ModelError, match="does not come after"):
        jd.control.ForceMomentAccommodation(
            model, "l2.tip", [(1.0, 2.0, {}), (0.5, 3.0, {})], 0.0, (), 1.0, 1.0, directions="xy", start=TOUCHING
        ).bind(model)
