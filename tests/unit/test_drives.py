"""Flexible geared drives against the two-inertia oscillator and a tree with the rotor as a body; their books."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd

J, GEAR, ROTOR, K, C = 3.0, 50.0, 2e-3, 800.0, 4.0


@jd.law
def push(t, q, v, z, s, p, effort, dz):
    effort[int(p[0])] += p[1]


def one_axis(drive, joint=jd.Revolute, **options):
    system = jd.System("two inertias")
    system.add(jd.RigidBody("link", 2.0, inertia=(J, J, J)), joint("elbow", axis="z", drive=drive, **options))
    return system.compile()


@pytest.fixture(scope="module")
def model():
    return one_axis(jd.Drive(GEAR, ROTOR, K, C))


def test_names(model):
    assert model.names.q == model.names.v == ("elbow", "elbow.motor")
    assert model.owners == ("elbow", "elbow")
    assert model.bodies == ("link",)


def test_a_motor_that_is_not_named_follows_its_joint(model):
    state = model.state(q={"elbow": 0.2}, v={"elbow": -0.1})
    assert state.q.tolist() == [0.2, 0.2 * GEAR]
    assert state.v.tolist() == [-0.1, -0.1 * GEAR]
    assert model.energy(state).strain == 0.0
    assert model.state(q={"elbow": 0.2, "elbow.motor": 1.0}).q.tolist() == [0.2, 1.0]
    assert model.state(q={"elbow.motor": 1.0}).q.tolist() == [0.0, 1.0]
    assert model.state(q=[0.2, 0.0]).q.tolist() == [0.2, 0.0]


def test_free_vibration_is_that_of_two_inertias(model):
    """x = motor / gear - joint: x'' = -(1/J + 1/(gear^2 rotor)) (K x + C x'), and J q' + gear rotor m' is kept."""
    inverse = 1.0 / J + 1.0 / (GEAR**2 * ROTOR)
    w = np.sqrt(K * inverse)
    ratio = 0.5 * C * inverse / w
    x0 = 0.01
    run = jd.simulate(model, model.state(q={"elbow.motor": GEAR * x0}), until=2.0, output=0.01, rtol=1e-11, atol=1e-13)
    t = run.record.time
    damped = w * np.sqrt(1.0 - ratio**2)
    x = x0 * np.exp(-ratio * w * t) * (np.cos(damped * t) + ratio * w / damped * np.sin(damped * t))
    q, motor = run.record.q.T
    assert motor / GEAR - q == pytest.approx(x, abs=1e-10)
    kept = J * q + GEAR * ROTOR * motor
    assert kept == pytest.approx(np.full(len(t), kept[0]), rel=1e-9)
    assert abs(run.energy["balance"]).max() < 1e-9 * run.energy["total"][0]
    assert run.energy["strain"][0] == pytest.approx(0.5 * K * x0**2)
    assert run.energy["dissipated"][-1] > 0.2 * run.energy["total"][0]


def test_frequencies_are_those_of_two_inertias(model):
    inverse = 1.0 / J + 1.0 / (GEAR**2 * ROTOR)
    free = model.frequencies(model.state())
    assert free.rad == pytest.approx([np.sqrt(K * inverse)], rel=1e-8)
    assert free.damping == pytest.approx([0.5 * C * inverse / free.rad[0]], rel=1e-8)
    assert free.rigid == 1
    locked = model.frequencies(model.state(), hold=("elbow.motor",))
    assert locked.rad == pytest.approx([np.sqrt(K / J)], rel=1e-8)
    assert locked.damping == pytest.approx([0.5 * C / np.sqrt(K * J)], rel=1e-8)


def test_a_gear_is_an_inertia_multiplied_by_its_square():
    geared = one_axis(jd.Drive(GEAR, ROTOR, K, C, friction=0.02, torque_limit=0.3))
    plain = one_axis(jd.Drive(1.0, ROTOR * GEAR**2, K, C, friction=0.02 * GEAR, torque_limit=0.3 * GEAR))
    runs = [
        jd.simulate(m, m.state(v={"elbow": 0.3}), until=1.0, step=1e-3, controller=push(1, torque))
        for m, torque in ((geared, 0.2), (plain, 0.2 * GEAR))
    ]
    scale = [1.0, GEAR]
    assert runs[0].record.q == pytest.approx(runs[1].record.q * scale, rel=1e-9, abs=1e-12)
    assert runs[0].record.energy == pytest.approx(runs[1].record.energy, rel=1e-8, abs=1e-10)


def test_a_negative_gear_turns_the_motor_the_other_way():
    there, back = (one_axis(jd.Drive(g, ROTOR, K, C)) for g in (GEAR, -GEAR))
    runs = [
        jd.simulate(m, m.state(), until=0.5, step=1e-3, controller=push(1, torque)).record.q
        for m, torque in ((there, 0.2), (back, -0.2))
    ]
    assert runs[0] == pytest.approx(runs[1] * [1.0, -1.0], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("joint", "options"), [(jd.Prismatic, {}), (jd.Screw, {"pitch": 0.05})])
def test_other_one_axis_joints(joint, options):
    """The spring acts on the joint's own coordinate, whose inertia is m, or J + m pitch^2."""
    model = one_axis(jd.Drive(GEAR, ROTOR, K), joint, **options)
    inertia = model.mass_matrix(model.state())[0, 0]
    assert inertia == pytest.approx(2.0 if joint is jd.Prismatic else J + 2.0 * 0.05**2)
    expected = np.sqrt(K * (1.0 / inertia + 1.0 / (GEAR**2 * ROTOR)))
    assert model.frequencies(model.state()).rad == pytest.approx([expected], rel=1e-8)
    run = jd.simulate(model, model.state(), until=0.1, step=1e-3)
    assert run.q["elbow.motor"].attrs["units"] == "rad" and run.effort["elbow.motor"].attrs["units"] == "N m"


BASE = dict(mass=8.0, com=(0.1, 0.0, -0.1), frames={"hip": jd.Pose((0.4, 0.1, 0.2), Rotation.from_rotvec([0.3, 0, 1]))})
LINK = dict(mass=2.0, com=(0.3, 0.1, 0.0), inertia=(0.1, 0.2, 0.25), frames={"tip": (0.6, 0, 0)})
TURN = dict(position=(0.1, 0.0, 0.05), rotation=Rotation.from_rotvec([0.2, -0.5, 0.1]))


def chain(drive):
    """A free base, two links, the first driven: by a drive, or by a spring to a rotor that is a body of the tree."""
    across = 0.5 * ROTOR * np.eye(3)
    inertia = np.diag([0.9, 0.7, 0.8])
    system = jd.System("chain", gravity=(0.3, -0.2, -9.81))
    if drive:
        # The rotor's inertia across its axis belongs to the base; it is the same in all directions of the joint's x-y.
        R = (jd.Pose(rotation=BASE["frames"]["hip"].rotation) @ jd.Pose(rotation=TURN["rotation"])).rotation
        inertia = inertia + R @ (across * [1, 1, 0]) @ R.T
    system.add(jd.RigidBody("base", inertia=inertia, **BASE), jd.Free("free"))
    joint = jd.Revolute("hip", axis="z", drive=jd.Drive(GEAR, ROTOR, K, C) if drive else None)
    system.add(jd.RigidBody("link", **LINK), joint, to="base.hip", **TURN)
    if not drive:
        rotor = jd.RigidBody("rotor", 0.0, inertia=(0.5 * ROTOR, 0.5 * ROTOR, ROTOR))
        system.add(rotor, jd.Revolute("rotor", axis="z"), to="base.hip", **TURN)
    system.add(jd.RigidBody("last", **LINK), jd.Revolute("knee", axis="y"), to="link.tip")
    return system.compile()


@pytest.fixture(scope="module")
def pair():
    return chain(True), chain(False)


def drawn(pair, rng):
    """The same state of both, and where the entries of v of the first stand in the second."""
    ours, theirs = pair
    order = [theirs.index.v["rotor" if name == "hip.motor" else name] for name in ours.names.v]
    q_order = [theirs.index.q["rotor" if name == "hip.motor" else name] for name in ours.names.q]
    q, v = rng.normal(size=ours.nq), rng.normal(size=ours.nv)
    q[3:7] /= np.linalg.norm(q[3:7])
    q[ours.index.q["hip.motor"]] = GEAR * q[ours.index.q["hip"]] + 0.1
    v[ours.index.v["hip.motor"]] *= GEAR
    q2, v2 = np.empty_like(q), np.empty_like(v)
    q2[q_order], v2[order] = q, v
    return ours.state(q, v), theirs.state(q2, v2), order


def spring(model, state, motor):
    """Efforts of the drive's spring, by hand."""
    q, v, effort = state.q, state.v, np.zeros(model.nv)
    joint = model.index.q["hip"], model.index.v["hip"]
    rotor = model.index.q[motor], model.index.v[motor]
    torque = K * (q[rotor[0]] / GEAR - q[joint[0]]) + C * (v[rotor[1]] / GEAR - v[joint[1]])
    effort[joint[1]], effort[rotor[1]] = torque, -torque / GEAR
    return effort


def test_the_rotor_is_a_body_of_the_tree(pair, rng):
    """Mass matrix, accelerations, momentum and kinetic energy, gyroscopic moment on a turning base included."""
    ours, theirs = pair
    for _ in range(5):
        a, b, order = drawn(pair, rng)
        assert ours.mass_matrix(a) == pytest.approx(theirs.mass_matrix(b)[np.ix_(order, order)], rel=1e-12, abs=1e-12)
        effort = rng.normal(size=ours.nv)
        other = np.empty_like(effort)
        other[order] = effort
        mine = ours.forward_dynamics(a, effort)
        explicit = theirs.forward_dynamics(b, other + spring(theirs, b, "rotor"))
        assert mine == pytest.approx(explicit[order], rel=1e-9, abs=1e-9)
        assert np.concatenate(ours.momentum(a)) == pytest.approx(np.concatenate(theirs.momentum(b)), rel=1e-12)
        assert ours.energy(a).kinetic == pytest.approx(theirs.energy(b).kinetic, rel=1e-12)


def test_all_formulations_agree(pair, rng):
    ours = pair[0]
    for _ in range(5):
        state, _, _ = drawn(pair, rng)
        effort = rng.normal(size=ours.nv)
        acceleration = ours.forward_dynamics(state, effort)
        assert ours.inverse_dynamics(state, acceleration) == pytest.approx(effort, abs=1e-10)
        assert ours.mass_matrix(state) @ acceleration + ours.bias(state) == pytest.approx(effort, abs=1e-10)
        given = {"hip.motor": 3.0}
        found = ours.hybrid_dynamics(state, effort, given)
        assert found.acceleration[ours.index.v["hip.motor"]] == 3.0
        needed = effort.copy()
        needed[ours.index.v["hip.motor"]] = found.effort[ours.index.v["hip.motor"]]
        assert ours.forward_dynamics(state, needed) == pytest.approx(found.acceleration, abs=1e-9)


def test_momentum_is_kept_while_the_motor_works():
    system = jd.System("floating")
    system.add(jd.RigidBody("base", inertia=(0.9, 0.7, 0.8), **BASE), jd.Free("free"))
    drive = jd.Drive(GEAR, ROTOR, K, C, friction=0.01)
    system.add(jd.RigidBody("link", **LINK), jd.Revolute("hip", axis="z", drive=drive), to="base.hip")
    model = system.compile()
    motor = model.index.v["hip.motor"]
    state = model.state(v={"free": [0.3, -0.2, 0.5, 0.1, 0.0, 0.2], "hip": 0.4})
    run = jd.simulate(model, state, until=1.0, step=5e-4, controller=push(motor, 0.05))
    before, after = model.momentum(state), model.momentum(run.state())
    assert np.concatenate(after) == pytest.approx(np.concatenate(before), rel=1e-8, abs=1e-9)
    assert run.energy.error < 1e-5
    assert run.energy["work"][-1] > 0.0


def test_torque_limit_is_what_the_run_shows():
    model = one_axis(jd.Drive(GEAR, ROTOR, K, C, torque_limit=0.2))
    free = one_axis(jd.Drive(GEAR, ROTOR, K, C))
    state = model.state()
    for asked, given in ((0.15, 0.15), (5.0, 0.2), (-5.0, -0.2)):
        run = jd.simulate(model, state, until=0.2, step=1e-3, controller=push(1, asked))
        assert run.effort["elbow.motor"].values == pytest.approx(np.full(len(run), given))
        same = jd.simulate(free, state, until=0.2, step=1e-3, controller=push(1, given))
        assert run.record.q == pytest.approx(same.record.q, abs=1e-15)
        assert run.energy.error < 1e-8
    # The joint has no motor of its own: a torque on it from outside is not limited.
    run = jd.simulate(model, state, until=0.2, step=1e-3, controller=push(0, 5.0))
    assert run.effort["elbow"].values == pytest.approx(np.full(len(run), 5.0))


def test_a_prescribed_motor_takes_what_it_needs():
    model = one_axis(jd.Drive(GEAR, ROTOR, K, C, torque_limit=1e-6))
    run = jd.simulate(
        model, model.state(), until=2.0, step=1e-3, motions={"elbow.motor": jd.Cycloid(to=10.0, duration=1.0)}
    )
    motor = run.q["elbow.motor"].values
    assert motor[-1] == pytest.approx(10.0)
    assert abs(run.effort["elbow.motor"]).max() > 0.01
    assert run.energy.error < 1e-6
    # J q'' = -K (q - motor / gear) - C (...): after the motor stops the joint rings down to motor / gear
    assert run.q["elbow"].values[-1] == pytest.approx(10.0 / GEAR, abs=0.05)


def test_a_motor_sticks_below_its_friction_and_slides_above():
    friction = 0.1
    model = one_axis(jd.Drive(GEAR, ROTOR, K, C, friction=friction))
    assert model.names.z == ("elbow.motor.friction",)
    stuck = jd.simulate(model, model.state(), until=5.0, step=1e-3, controller=push(1, 0.8 * friction))
    reach = friction / model.arrays.joint_springs.array[0, 4]
    assert abs(stuck.q["elbow.motor"]).max() < 2.0 * reach
    sliding = jd.simulate(model, model.state(), until=5.0, step=1e-3, controller=push(1, 1.5 * friction))
    # Both inertias together under what is left of the torque: J q'' + gear rotor m'' = gear (T - F)
    total = J * sliding.q["elbow"] + GEAR * ROTOR * sliding.q["elbow.motor"]
    assert total.values[-1] == pytest.approx(0.5 * GEAR * 0.5 * friction * 25.0, rel=5e-3)
    assert sliding.energy["dissipated"][-1] == pytest.approx(friction * sliding.q["elbow.motor"].values[-1], rel=1e-2)
    assert sliding.energy.error < 1e-6


def test_a_motor_that_sticks_holds_the_drive_stiffness():
    model = one_axis(jd.Drive(GEAR, ROTOR, K, friction=1.0))
    slow = model.frequencies(model.state()).rad[0]
    assert 0.9 * np.sqrt(K / J) < slow < np.sqrt(K / J)


def test_a_drive_on_a_beam():
    """A motor at the tip of a flexible body: recursions agree, momentum and energy are kept."""
    system = jd.System("mast")
    system.add(jd.RigidBody("base", 20.0, inertia=(2, 2, 2)), jd.Free("free"))
    beam = jd.Beam("mast", 2.0, 1.5, 1e6, (900.0, 700.0), 500.0, modes=jd.Modes(bending=2, torsion=1))
    system.add(beam, jd.Revolute("root", axis="y", drive=jd.Drive(20.0, 0.01, 4e3)), to="base.origin")
    system.add(jd.RigidBody("head", **LINK), jd.Revolute("pan", axis="x", drive=jd.Drive(30.0, 5e-3, K)), to="mast.tip")
    model = system.compile()
    rng = np.random.default_rng(3)
    state = model.state(
        q={"root": 0.4, "pan": 0.3, "pan.motor": 9.2, "mast.bending_z[0]": 0.03}, v=0.3 * rng.normal(size=model.nv)
    )
    effort = rng.normal(size=model.nv)
    acceleration = model.forward_dynamics(state, effort)
    assert model.inverse_dynamics(state, acceleration) == pytest.approx(effort, abs=1e-9)
    assert model.mass_matrix(state) @ acceleration + model.bias(state) == pytest.approx(effort, abs=1e-9)
    run = jd.simulate(model, state, until=0.5, step=2e-4)
    before, after = model.momentum(state), model.momentum(run.state())
    assert np.concatenate(after) == pytest.approx(np.concatenate(before), rel=1e-6, abs=1e-7)
    assert run.energy.error < 1e-5


def test_description_and_file_keep_the_drive(model, tmp_path):
    drive = jd.Drive(GEAR, ROTOR, K, C, 0.02, 0.3)
    same = jd.Model.from_description(one_axis(drive).description)
    assert same.hash == one_axis(drive).hash != model.hash
    run = jd.simulate(same, same.state(), until=0.1, step=1e-3, controller=push(1, 0.1))
    loaded = jd.load(run.save(tmp_path / "run.nc"))
    assert loaded.q["elbow.motor"].values.tolist() == run.q["elbow.motor"].values.tolist()
    assert loaded.model.hash == same.hash


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gear": 0.0}, "elbow: drive: gear is 0"),
        ({"gear": np.nan}, "elbow: drive: gear is nan, which is not a finite number"),
        ({"rotor_inertia": 0.0}, "elbow: drive: rotor_inertia is 0; it must be greater than 0"),
        ({"stiffness": -1.0}, "elbow: drive: stiffness is -1; it must be greater than 0"),
        ({"damping": -1.0}, "elbow: drive: damping is -1; it must be at least 0"),
        ({"friction": np.inf}, "elbow: drive: friction is inf"),
        ({"torque_limit": 0.0}, "elbow: drive: torque_limit is 0; it must be greater than 0"),
        ({"friction_stiffness": -2.0}, "elbow: drive: friction_stiffness is -2"),
    ],
)
def test_bad_numbers_are_named(change, says):
    drive = jd.Drive(**({"gear": GEAR, "rotor_inertia": ROTOR, "stiffness": K} | change))
    with pytest.raises(jd.errors.ModelError, match=says):
        one_axis(drive)


def test_what_is_no_drive_is_refused():
    with pytest.raises(jd.errors.ModelError, match="elbow: drive is 3.0; give jd.Drive"):
        jd.Revolute("elbow", drive=3.0)
    with pytest.raises(jd.errors.ModelError, match="drive: gear: got 'fast'; give real numbers"):
        jd.Drive("fast", 1.0, 1.0)
    with pytest.raises(TypeError, match="drive"):
        jd.Spherical("ball", drive=jd.Drive(1.0, 1.0, 1.0))
