"""The model functions against each other, against differences, and against an independent formulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import displaced
from oracle import forward_dynamics as maximal_coordinates
from scipy.spatial.transform import Rotation
from strategies import MOVING, Case, systems

import jourdain as jd
from jourdain.errors import ModelError

STEP = 1e-5
"""Of central differences [s]; the motions are of the order of one, so that they are good to about 1e-9."""


def effort_scale(M, a, *efforts):
    """The efforts that a sum of them is made of, in the maximum norm: |M| |a| + |b| + ..."""
    return np.max(np.abs(M) @ np.abs(a) + sum(np.abs(e) for e in efforts))


def moved(case: Case, h: float, a: np.ndarray | None = None) -> jd.State:
    """The state a time h later, at the acceleration a, to second order."""
    state = case.state.copy()
    model = case.model
    a = np.zeros(model.nv) if a is None else a
    for item in case.system.attachments:
        joint = item.joint
        iq = [model.index.q[name] for name in joint.q_names()]
        iv = [model.index.v[name] for name in joint.v_names()]
        if iv:
            state.q[iq] = displaced(joint, state.q[iq], state.v[iv] + 0.5 * h * a[iv], h)
    state.v = state.v + h * a
    return state


@given(systems(forces=2))
def test_articulated_newton_euler_and_composite_agree(case):
    model, state = case.model, case.state
    effort = case.vector(5.0)
    a = model.forward_dynamics(state, effort)
    M, bias = model.mass_matrix(state), model.bias(state)
    loads = sum(
        model.jacobian(f.at, state).T @ np.concatenate([R @ f.moment, R @ f.force])
        for f in case.system.forces
        for R in [model.pose(f"{f.at.partition('.')[0]}.origin", state).rotation if f.axes == "body" else np.eye(3)]
    )
    scale = effort_scale(M, a, bias, effort, loads)
    assert np.max(np.abs(M @ a + bias - effort - loads)) < 1e-10 * scale
    assert np.max(np.abs(model.inverse_dynamics(state, a) - effort)) < 1e-10 * scale


@given(systems(passive=False, friction=True))
def test_friction_enters_through_the_state(case):
    model, state = case.model, case.state
    state.z = state.q[[model.index.q[name.removesuffix(".friction")] for name in model.names.z]]
    at_rest = jd.State(state.time, state.q, 0.0 * state.v, state.z)
    a = model.forward_dynamics(at_rest)
    assert np.allclose(model.inverse_dynamics(at_rest, a), 0.0, atol=1e-10 * (1 + np.max(np.abs(a))))
    holding = model.inverse_dynamics(state, a) - model.mass_matrix(state) @ a - model.bias(state)
    for item in case.system.attachments:
        if item.joint.kind in ("revolute", "prismatic", "screw"):
            k = model.index.v[item.joint.name]
            assert abs(holding[k]) <= item.joint.friction * (1 + 1e-9) + 1e-9 * np.max(np.abs(holding))
            assert holding[k] * state.v[k] >= 0.0 or abs(holding[k]) < 1e-9


@given(systems())
def test_the_bias_acceleration_of_a_frame_is_what_the_jacobian_leaves(case):
    """acceleration = J a + bias, and at constant velocities the bias is the rate of the frame's velocity."""
    model, state, frame = case.model, case.state, case.frame()
    a, bias = case.vector(), model.bias_acceleration(frame, state)
    found = model.jacobian(frame, state) @ a + bias
    scale = 1.0 + np.max(np.abs(found))
    assert found == pytest.approx(model.acceleration(frame, state, a), abs=1e-12 * scale)
    V = [model.velocity(frame, moved(case, h)) for h in (-STEP, STEP)]
    assert bias == pytest.approx((V[1] - V[0]) / (2.0 * STEP), abs=1e-7 * scale)
    both = [state, moved(case, 0.1)]
    assert np.array_equal(model.bias_acceleration(frame, both)[1], model.bias_acceleration(frame, both[1]))


@given(systems())
def test_hybrid_dynamics_keeps_what_is_prescribed(case):
    model, state = case.model, case.state
    known = case.rng.random(model.nv) < 0.5
    wanted, effort = case.vector(), case.vector(5.0)
    given_ = {name: wanted[k] for k, name in enumerate(model.names.v) if known[k]}
    result = model.hybrid_dynamics(state, effort, given_)
    assert np.array_equal(result.acceleration[known], wanted[known])
    scale = effort_scale(model.mass_matrix(state), result.acceleration, model.bias(state), result.effort)
    assert np.max(np.abs(result.effort - effort)[~known], initial=0.0) < 1e-10 * scale
    assert np.max(np.abs(model.inverse_dynamics(state, result.acceleration) - result.effort)) < 1e-10 * scale


@given(systems())
def test_mass_matrix_is_symmetric_positive_definite_and_gives_the_kinetic_energy(case):
    model, state = case.model, case.state
    M = model.mass_matrix(state)
    assert np.max(np.abs(M - M.T)) <= 1e-13 * np.max(np.abs(M))
    assert np.all(np.linalg.eigvalsh(M) > 0.0)
    kinetic = 0.5 * state.v @ M @ state.v
    assert model.energy(state).kinetic == pytest.approx(kinetic, rel=1e-10)


@given(systems())
def test_jacobian_gives_velocity_and_velocity_is_the_rate_of_the_pose(case):
    model, state, address = case.model, case.state, case.frame()
    V = model.velocity(address, state)
    J = model.jacobian(address, state)
    scale = 1.0 + np.max(np.abs(J) @ np.abs(state.v))
    assert np.max(np.abs(J @ state.v - V)) < 1e-12 * scale
    before, now, after = (model.pose(address, moved(case, h)) for h in (-STEP, 0.0, STEP))
    turning = (after.rotation - before.rotation) @ now.rotation.T / (2 * STEP)
    found = np.concatenate(
        [[turning[2, 1], turning[0, 2], turning[1, 0]], (after.position - before.position) / STEP / 2]
    )
    assert np.max(np.abs(found - V)) < 1e-8 * scale**3


@given(systems())
def test_acceleration_is_the_rate_of_the_velocity(case):
    model, state, address = case.model, case.state, case.frame()
    a = case.vector()
    A = model.acceleration(address, state, a)
    before, after = (model.velocity(address, moved(case, h, a)) for h in (-STEP, STEP))
    scale = 1.0 + np.max(np.abs(model.jacobian(address, state)) @ (np.abs(state.v) + np.abs(a)))
    assert np.max(np.abs((after - before) / (2 * STEP) - A)) < 1e-8 * scale**3
    # without accelerations given, those of forward dynamics are meant
    fallen = model.acceleration(address, state, model.forward_dynamics(state))
    assert np.array_equal(model.acceleration(address, state), fallen)


@given(systems())
def test_momentum_is_that_of_all_bodies(case):
    model, state = case.model, case.state
    about = case.rng.normal(size=3)
    linear, angular, first, mass = np.zeros(3), np.zeros(3), np.zeros(3), 0.0
    for body in case.system.bodies:
        pose, V = (f(f"{body.name}.origin", state) for f in (model.pose, model.velocity))
        c = pose.apply(body.com)
        p = body.mass * (V[3:] + np.cross(V[:3], pose.rotation @ body.com))
        linear += p
        angular += np.cross(c - about, p) + pose.rotation @ body.inertia @ pose.rotation.T @ V[:3]
        first += body.mass * c
        mass += body.mass
    momentum = model.momentum(state, about)
    assert np.allclose(momentum.linear, linear, rtol=1e-11, atol=1e-11 * np.max(np.abs(linear)))
    assert np.allclose(momentum.angular, angular, rtol=1e-11, atol=1e-10 * (1 + np.max(np.abs(angular))))
    assert np.allclose(model.centre_of_mass(state), first / mass, rtol=1e-12, atol=1e-12)


@given(systems())
def test_potential_energies_change_by_the_work_of_their_forces(case):
    model, state = case.model, case.state
    still = jd.State(0.0, state.q, np.zeros(model.nv), state.z)
    power = model.bias(still) @ state.v  # what gravity and springs take; dampers are at rest
    before, after = (model.energy(moved(case, h)) for h in (-STEP, STEP))
    change = (after.gravity + after.strain - before.gravity - before.strain) / (2 * STEP)
    kinks = sum(50.0 * v**2 * STEP for v in state.v)  # a limit may begin within the step
    scale = 1.0 + np.abs(model.bias(still)) @ np.abs(state.v) + abs(before.gravity) + abs(before.strain)
    assert abs(change - power) < 1e-7 * scale * (1.0 + np.max(np.abs(state.v))) ** 2 + kinks


@given(systems(gravity=False, passive=False))
def test_bias_is_quadratic_in_the_velocities(case):
    model, state = case.model, case.state
    twice = jd.State(0.0, state.q, 2.0 * state.v, state.z)
    bias = model.bias(state)
    assert np.allclose(model.bias(twice), 4.0 * bias, rtol=1e-11, atol=1e-11 * (1.0 + np.max(np.abs(bias))))


@pytest.mark.parametrize("axes", ["world", "body"])
@given(systems(most=4))
@settings(max_examples=15)
def test_an_applied_force_enters_as_the_transposed_jacobian(axes, case):
    force, moment = case.rng.normal(size=(2, 3))
    address = case.frame()

    @jd.law
    def push(t, q, v, z, s, p, effort, dz):
        for i in range(6):
            effort[i] += p[i]

    bare, state = case.model, case.state
    case.system.force("push", address, force, moment, axes=axes)
    constant = case.system.compile()
    case.system.forces.clear()
    case.system.force("push", address, push(*moment, *force), axes=axes)
    law = case.system.compile()
    R = bare.pose(f"{address.partition('.')[0]}.origin", state).rotation if axes == "body" else np.eye(3)
    effort = bare.jacobian(address, state).T @ np.concatenate([R @ moment, R @ force])
    wanted = bare.forward_dynamics(state, effort)
    scale = 1.0 + np.max(np.abs(wanted))
    assert np.allclose(constant.forward_dynamics(state), wanted, rtol=0.0, atol=1e-10 * scale)
    assert np.allclose(law.forward_dynamics(state), wanted, rtol=0.0, atol=1e-10 * scale)
    scale = np.max(np.abs(bare.mass_matrix(state)) @ np.abs(wanted) + np.abs(bare.bias(state)) + np.abs(effort))
    assert np.max(np.abs(constant.inverse_dynamics(state, wanted))) < 1e-10 * scale


def held_against_maximal_coordinates(case: Case) -> None:
    model, state = case.model, case.state
    effort = case.vector(5.0)
    a = model.forward_dynamics(state, effort)
    truth = maximal_coordinates(case.system, model, state, effort)
    scale = max(1.0, np.max(np.abs(truth.acceleration)), *(np.max(np.abs(A)) for A in truth.bodies.values()))
    assert np.max(np.abs(a - truth.acceleration)) < 1e-8 * scale
    for name, A in truth.bodies.items():
        assert np.max(np.abs(model.acceleration(f"{name}.origin", state, a) - A)) < 1e-8 * scale


@pytest.mark.parametrize("kind", MOVING)
def test_each_kind_of_joint_against_maximal_coordinates(kind):
    @given(systems(kinds=(kind,), most=3, forces=1))
    @settings(max_examples=10)
    def check(case):
        held_against_maximal_coordinates(case)

    check()


@given(systems(forces=2))
def test_random_trees_against_maximal_coordinates(case):
    held_against_maximal_coordinates(case)


@pytest.fixture(scope="module")
def arm() -> jd.Model:
    system = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    system.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", axis="y", stiffness=3.0, damping=0.5))
    system.add(jd.RigidBody("fore", **link), joint=jd.Spherical("elbow"), to="upper.tip")
    return system.compile()


def test_efforts_and_accelerations_by_name(arm):
    state = arm.state(q={"shoulder": 0.3}, v={"elbow": (1, 2, 3)})
    assert np.array_equal(arm.forward_dynamics(state, {"elbow.wy": 2.0}), arm.forward_dynamics(state, [0, 0, 2, 0]))
    assert np.array_equal(arm.forward_dynamics(state), arm.forward_dynamics(state, np.zeros(4)))
    assert np.array_equal(arm.inverse_dynamics(state, {"shoulder": 2.0}), arm.inverse_dynamics(state, [2, 0, 0, 0]))
    assert np.array_equal(arm.bias(state), arm.bias(state.q, state.v))
    assert np.array_equal(arm.mass_matrix(state), arm.mass_matrix(state.q))
    energy = arm.energy(state)
    assert energy["total"] == energy.total == energy.kinetic + energy.gravity + energy.strain + energy.contact
    assert energy.strain == pytest.approx(0.5 * 3.0 * 0.3**2)


def test_a_body_is_its_origin_and_the_world_stands_still(arm):
    state = arm.state(q={"shoulder": 0.3}, v={"elbow": (1, 2, 3)})
    assert arm.pose("fore", state) == arm.pose("fore.origin", state)
    assert arm.pose("world", state) == jd.Pose()
    for still in (arm.velocity("world", state), arm.acceleration("world", state), arm.jacobian("world", state)):
        assert not np.any(still)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda m, s: m.pose("fore.tp", s), 'fore.tp: no such address; did you mean "fore.tip"'),
        (lambda m, s: m.forward_dynamics(s, [1.0]), r"effort: got shape \(1,\); this model has 4 entries"),
        (lambda m, s: m.forward_dynamics(s, {"elbow.wq": 1.0}), "elbow.wq: no such velocity; did you mean"),
        (lambda m, s: m.inverse_dynamics(s, np.zeros(5)), r"acceleration: got shape \(5,\)"),
        (lambda m, s: m.hybrid_dynamics(s, None, {"knee": 1.0}), "knee: no such velocity"),
        (lambda m, s: m.mass_matrix([0.0]), r"q: got shape \(1,\); this model has 5 entries"),
        (lambda m, s: m.velocity("fore.tip", s.q), "state: give a State"),
        (lambda m, s: m.momentum(s, about=(0, 0)), r"about: got shape \(2,\)"),
        (lambda m, s: m.frequencies(s, hold=("elbo",)), 'elbo: hold: no such velocity; did you mean "elbow'),
        (lambda m, s: m.linearize(s.q), "state: got .*; give a State"),
    ],
)
def test_wrong_questions_are_answered_with_what_would_be_right(arm, call, says):
    with pytest.raises(jd.errors.ModelError, match=says):
        call(arm, arm.state())


def test_energies_have_names(arm):
    with pytest.raises(KeyError, match="energies are kinetic, gravity, strain"):
        arm.energy(arm.state())["heat"]


def test_the_kernel_form_is_the_model_function(arm):
    """For compiled user code: arrays in, a workspace, results into `out`."""
    import numba

    kernels = jd.kernels
    state = arm.state(q={"shoulder": 0.3}, v={"elbow": (1, 2, 3)})
    effort, out, ws = np.ones(4), np.empty(4), kernels.workspace(arm.arrays)
    for scale in (2.0, 1.0):  # the second call goes straight to the C function of the first
        kernels.forward_dynamics(arm.arrays, ws, state.q, state.v, scale * effort, out)
        assert np.array_equal(out, arm.forward_dynamics(state, scale * effort))
    with pytest.raises(TypeError):
        kernels.forward_dynamics(arm.arrays, ws, state.q, state.v, effort)
    motion = np.empty(13)
    kernels.marker_motion(arm.arrays, ws, arm.marker("fore.tip"), state.q, state.v, motion)
    assert np.array_equal(motion[:3], arm.pose("fore.tip", state).position)
    forward_dynamics = kernels.forward_dynamics

    @numba.njit
    def twice(arrays, ws, q, v, effort, out):
        for _ in range(2):
            forward_dynamics(arrays, ws, q, v, effort, out)
            effort[0] += 1.0
        return out.sum()

    total = twice(arm.arrays, ws, state.q, state.v, effort.copy(), out)
    assert total == pytest.approx(np.sum(arm.forward_dynamics(state, [2, 1, 1, 1])), rel=1e-14)


def test_the_kernel_form_checks_sizes(arm):
    """What does not fit is an error that names the argument, from Python and from compiled code; nothing is written."""
    import numba

    from jourdain.kernels.model_arrays import Workspace

    kernels, arrays, state = jd.kernels, arm.arrays, arm.state(q={"shoulder": 0.3}, v={"elbow": (1, 2, 3)})
    nq, nv, ws = arm.nq, arm.nv, kernels.workspace(arm.arrays)
    small = jd.System("small")
    small.add(jd.RigidBody("b", mass=1.0, inertia=(1, 1, 1)), jd.Revolute("j", axis="x"))
    other = kernels.workspace(small.compile().arrays)
    q, v, x = state.q, state.v, np.ones(nv)
    fits = {
        "forward_dynamics": (q, v, x, np.empty(nv)),
        "inverse_dynamics": (q, v, x, np.empty(nv)),
        "bias": (q, v, np.empty(nv)),
        "mass_matrix": (q, np.empty((nv, nv))),
        "jacobian": (1, q, np.empty((6, nv))),
        "marker_motion": (1, q, v, np.empty(13)),
        "acceleration": (1, q, v, x, np.empty(6)),
        "energy": (q, v, np.zeros(0), np.empty(3)),
        "momentum": (q, v, np.zeros(3), np.empty(6)),
        "centre_of_mass": (q, np.empty(3)),
    }
    for name, fitting in fits.items():
        call = getattr(kernels, name)
        call(arrays, ws, *fitting)
        with pytest.raises(ModelError, match=f"{name}: ws: the workspace is of another model.*kernels.workspace"):
            call(arrays, other, *fitting)
        for k, one in enumerate(fitting):
            if name == "energy" and k == 2:
                continue  # latched values, of which there may be any number
            if isinstance(one, int):
                wrong, told = (-1, 10**6), "this model has .* markers"
            else:
                wrong, told = (one[:1].copy(), np.zeros(np.array(one.shape) + 1)), r"got shape .*wants \("
            for bad in wrong:
                with pytest.raises(ModelError, match=told):
                    call(arrays, ws, *fitting[:k], bad, *fitting[k + 1 :])
        call(arrays, ws, *fitting)
    with pytest.raises(ModelError, match="forward_dynamics: q: got list; give a contiguous array of float64"):
        kernels.forward_dynamics(arrays, ws, list(q), v, x, np.empty(nv))
    with pytest.raises(ModelError, match="forward_dynamics: out: got an array of int64"):
        kernels.forward_dynamics(arrays, ws, q, v, x, np.zeros(nv, int))
    with pytest.raises(ModelError, match="forward_dynamics: effort: got an array that is not contiguous"):
        kernels.forward_dynamics(arrays, ws, q, v, np.ones(2 * nv)[::2], np.empty(nv))
    with pytest.raises(ModelError, match=r"forward_dynamics: model: got Model; give model\.arrays"):
        kernels.forward_dynamics(arm, ws, q, v, x, np.empty(nv))
    assert isinstance(other, Workspace) and len(q) == nq
    forward_dynamics = kernels.forward_dynamics

    @numba.njit
    def compiled(arrays, ws, q, v, effort, out):
        forward_dynamics(arrays, ws, q, v, effort, out)

    out = np.zeros(nv)
    compiled(arrays, ws, q, v, x, out)
    assert np.array_equal(out, arm.forward_dynamics(state, x))
    for workspace, short in ((other, out), (ws, out[:1])):
        with pytest.raises(ValueError, match="the sizes of the arguments of a model function"):
            compiled(arrays, workspace, q, v, x, short)


def test_a_model_is_immutable_and_survives_pickling(arm):
    import pickle

    again = pickle.loads(pickle.dumps(arm))
    state = arm.state(q={"shoulder": 0.3}, v={"elbow": (1, 2, 3)})
    assert again.hash == arm.hash
    assert np.array_equal(again.forward_dynamics(state), arm.forward_dynamics(state))
    for model in (arm, again):
        with pytest.raises(AttributeError, match="a Model does not change"):
            model.name = "other"
        with pytest.raises(ValueError, match="read-only"):
            model.arrays.bodies.array[0, 0] = 1.0


def test_long_chains_agree_too():
    """A hundred links: the recursions lose no digits on the way."""
    rng = np.random.default_rng(5)
    chain = jd.System("chain", gravity=(0, 0, -9.81))
    for i in range(100):
        link = jd.RigidBody(f"b{i}", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02), frames={"tip": (0.2, 0, 0)})
        chain.add(link, jd.Revolute(f"j{i}", axis=rng.normal(size=3)), to=f"b{i - 1}.tip" if i else "world")
    model = chain.compile()
    state = model.state(rng.normal(size=100), 0.1 * rng.normal(size=100))
    effort = rng.normal(size=100)
    a, M, bias = model.forward_dynamics(state, effort), model.mass_matrix(state), model.bias(state)
    assert np.max(np.abs(M @ a + bias - effort)) < 1e-10 * effort_scale(M, a, bias, effort)


def test_threads_do_not_disturb_each_other(arm):
    """Every thread has a workspace of its own."""
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(6)
    states = [
        arm.state(q={"shoulder": x}, v={"elbow": w}) for x, w in zip(rng.normal(size=64), rng.normal(size=(64, 3)))
    ]
    alone = [arm.forward_dynamics(state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(arm.forward_dynamics, states))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together))


def test_bias_acceleration_is_the_rate_of_the_jacobian_times_v():
    """J' v by central differences along the motion, rotations on the group, through a flexible body."""
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("base", 5.0, (0.1, 0, 0), (1, 1, 1), frames={"port": (0.3, 0.1, 0)}), jd.Free("free"))
    beam = jd.Beam("boom", 2.0, 1.0, 1e6, 100.0, 50.0, modes=jd.Modes(bending=2, torsion=1))
    system.add(beam, jd.Revolute("hinge", axis="y"), to="base.port")
    model = system.compile()
    rng = np.random.default_rng(3)
    q = model.neutral + 0.05 * rng.normal(size=model.nq)
    q[3:7] /= np.linalg.norm(q[3:7])
    state = model.state(q, rng.normal(size=model.nv))
    h, sides = 1e-4, []
    for side in (1.0, -1.0):
        # constant v: along the free joint a twist, so that the pose moves by its exponential
        turn = Rotation.from_quat(q[3:7], scalar_first=True)
        moved = q.copy()
        w, u = state.v[:3], state.v[3:6]
        s = side * h
        moved[:3] += turn.apply(s * u + 0.5 * s * s * np.cross(w, u))
        moved[3:7] = (turn * Rotation.from_rotvec(s * w)).as_quat(scalar_first=True)
        moved[7:] += s * state.v[6:]
        sides.append(model.velocity("boom.tip", model.state(moved, state.v)))
    wanted = (sides[0] - sides[1]) / (2 * h)
    np.testing.assert_allclose(model.bias_acceleration("boom.tip", state), wanted, rtol=0, atol=1e-6)
    a = rng.normal(size=model.nv)
    whole = model.acceleration("boom.tip", state, a)
    parts = model.jacobian("boom.tip", state) @ a + model.bias_acceleration("boom.tip", state)
    np.testing.assert_allclose(whole, parts, rtol=0, atol=1e-12 * np.max(np.abs(whole)))
