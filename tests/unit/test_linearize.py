"""`model.linearize`: against theory, differences, simulations, and what it says of wrong questions."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def cart_pole():
    system = jd.System("cart-pole", gravity=(0, 0, -G))
    system.add(jd.RigidBody("cart", 1.5), jd.Prismatic("slide", axis="x", damping=0.2))
    pole = jd.RigidBody("pole", 0.3, (0, 0, 0.5), (0.02, 0.02, 0.0), {"top": (0, 0, 1.0)})
    system.add(pole, jd.Revolute("hinge", axis="y"), to="cart.origin")
    return system.compile()


def mixed():
    """Every joint with a quaternion, springs, a drive, a force that follows its body."""
    system = jd.System("mixed", gravity=(1.0, -2.0, -9.0))
    base = jd.RigidBody("base", 5.0, (0.1, 0.0, 0.2), (0.5, 0.6, 0.7), {"tip": (0.3, 0.2, 0.1)})
    system.add(base, jd.Free("free"))
    drive = jd.Drive(gear=20.0, rotor_inertia=1e-4, stiffness=60.0, damping=0.3)
    joint = jd.Revolute("turn", axis=(1, 2, 2), stiffness=3.0, damping=0.2, drive=drive)
    system.add(jd.RigidBody("arm", 2.0, (0.2, 0, 0), (0.1, 0.2, 0.2), {"tip": (0.5, 0, 0)}), joint, to="base.tip")
    system.add(jd.RigidBody("hand", 1.0, (0.1, 0.1, 0), (0.1, 0.1, 0.1)), jd.Spherical("ball"), to="arm.tip")
    system.force("push", at="hand.origin", force=(0.3, -1.0, 2.0), axes="body")
    return system.compile()


def some_state(model, rng, size=0.3):
    q = model.neutral + size * rng.normal(size=model.nq)
    for j, _, free in model.arrays.rotations.array:
        at = j + 3 * free
        q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    return model.state(q=q, v=size * rng.normal(size=model.nv))


def test_cart_pole_against_theory():
    """(M + m) x'' + m l t'' = F - d x', (I + m l^2) t'' + m l x'' = m g l t, about the upright pole."""
    model = cart_pole()
    M, m, l, I = 1.5, 0.3, 0.5, 0.02
    mass = np.array([[M + m, m * l], [m * l, I + m * l * l]])
    linear = model.linearize(model.state(), inputs=["slide"], outputs=["slide", "pole.top.x", "v:hinge"])
    stiff = np.linalg.solve(mass, np.array([[0, 0], [0, m * G * l]]))
    damp = np.linalg.solve(mass, np.array([[-0.2, 0], [0, 0]]))
    assert linear.A == pytest.approx(np.block([[np.zeros((2, 2)), np.eye(2)], [stiff, damp]]), abs=1e-9)
    assert linear.B[:, 0] == pytest.approx([0, 0, *np.linalg.solve(mass, [1, 0])], abs=1e-12)
    assert linear.C == pytest.approx(np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]), abs=1e-12)
    assert linear.states == ("x:slide", "x:hinge", "v:slide", "v:hinge")
    assert linear.inputs == ("slide",) and linear.outputs == ("slide", "pole.top.x", "v:hinge")
    assert linear.f0 == pytest.approx(np.zeros(4), abs=1e-12) and linear.y0 == pytest.approx([0, 0, 0])
    assert "an equilibrium" in repr(linear) and "x:slide" in repr(linear)
    assert linear.controllable() and linear.observable()


def test_a_chain_of_springs_has_its_frequencies():
    k, m = 40.0, 2.0
    system = jd.System("chain")
    to = "world"
    for i in range(4):
        system.add(jd.RigidBody(f"b{i}", m), jd.Prismatic(f"s{i}", axis="x", stiffness=k, damping=0.1), to=to)
        to = f"b{i}.origin"
    model = system.compile()
    linear = model.linearize(model.state())
    chain = 2 * np.eye(4) - np.eye(4, k=1) - np.eye(4, k=-1)
    chain[3, 3] = 1
    squares = np.linalg.eigvalsh(chain)
    expected = np.concatenate([np.roots([m, 0.1 * s, k * s]) for s in squares])
    assert np.sort(np.abs(linear.eigenvalues)) == pytest.approx(np.sort(np.abs(expected)), rel=1e-9)
    assert linear.frequencies().rad == pytest.approx(np.sqrt(k / m * squares), rel=1e-9)


def test_against_differences_of_forward_dynamics(rng):
    """Along tangent directions, at a state in motion: accelerations change as A and B say."""
    from jourdain.model.displacement import moved_along

    model = mixed()
    state = some_state(model, rng)
    effort = rng.normal(size=model.nv)
    linear = model.linearize(state, effort)
    n, h = model.nv, 1e-4

    def slope(change):
        f = [model.forward_dynamics(*change(s * h)) for s in (-2, -1, 1, 2)]
        return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h)

    scale = np.max(np.abs(linear.A))
    for k in range(n):
        unit = np.eye(n)[k]
        x = slope(lambda s, k=k: (jd.State(0.0, moved_along(model, state.q, k, s), state.v, state.z), effort))
        v = slope(lambda s, unit=unit: (jd.State(0.0, state.q, state.v + s * unit, state.z), effort))
        u = slope(lambda s, unit=unit: (state, effort + s * unit))
        assert linear.A[n : 2 * n, k] == pytest.approx(x, abs=1e-8 * scale)
        assert linear.A[n : 2 * n, n + k] == pytest.approx(v, abs=1e-8 * scale)
        assert linear.B[n : 2 * n, k] == pytest.approx(u, abs=1e-8 * scale)
    assert linear.f0 == pytest.approx(np.concatenate([state.v, model.forward_dynamics(state, effort)]), abs=1e-9)


def test_a_neighbouring_motion_deviates_as_the_linear_model_says(rng):
    """Two motions side by side: the difference of the second from the first is that of x' = A x along the first."""
    from jourdain.model.displacement import moved_along

    model = mixed()
    state = some_state(model, rng)
    n, h, k, small = model.nv, 0.02, 1, 1e-5
    near = jd.State(0.0, moved_along(model, state.q, k, small), state.v, state.z)
    A = model.linearize(state).A
    runs = [jd.simulate(model, one, until=h, step=h / 20, progress=False) for one in (state, near)]
    half = model.linearize(runs[0].state(10)).A
    end = model.linearize(runs[0].state()).A
    d = np.eye(2 * n)[k]
    a = A @ d
    b = half @ (d + 0.5 * h * a)
    c = half @ (d + 0.5 * h * b)
    e = end @ (d + h * c)
    predicted = d + h / 6 * (a + 2 * b + 2 * c + e)
    found = (runs[1].state().v - runs[0].state().v) / small
    assert found == pytest.approx(predicted[n:], abs=1e-4 * np.max(np.abs(predicted[n:])))


def test_frames_and_wrenches(rng):
    """Outputs at an address against differences of the motion; a wrench pushes through the Jacobian."""
    from jourdain.model.displacement import moved_along

    model = mixed()
    state = some_state(model, rng)
    parts = [*"xyz", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz"]
    outputs = [f"hand.origin.{part}" for part in parts]
    linear = model.linearize(state, inputs=["hand.origin.fy", "hand.mz", "turn.motor"], outputs=outputs)
    at = {"x": 0, "y": 1, "z": 2, "qw": 3, "qx": 4, "qy": 5, "qz": 6, "wx": 7, "wy": 8, "wz": 9}
    at |= {"vx": 10, "vy": 11, "vz": 12}
    columns = [at[part] for part in parts]

    def motion(q, v):
        return model.frame_path("hand.origin", q[None], v[None])[0, columns]

    h, n = 1e-5, model.nv
    for k in range(n):
        x = [motion(moved_along(model, state.q, k, s * h), state.v) for s in (-1, 1)]
        v = [motion(state.q, state.v + s * h * np.eye(n)[k]) for s in (-1, 1)]
        assert linear.C[:, k] == pytest.approx((x[1] - x[0]) / (2 * h), abs=1e-8)
        assert linear.C[:, n + k] == pytest.approx((v[1] - v[0]) / (2 * h), abs=1e-8)
    assert linear.y0 == pytest.approx(motion(state.q, state.v))
    J = model.jacobian("hand.origin", state)
    expected = np.linalg.solve(
        model.mass_matrix(state), np.array([J[4], J[2], np.eye(n)[model.index.v["turn.motor"]]]).T
    )
    assert linear.B[n:] == pytest.approx(expected, abs=1e-9)
    turns = model.linearize(state, outputs=[f"hand.origin.{part}" for part in ("rx", "ry", "rz")])
    assert turns.C[:, :n] == pytest.approx(J[:3]) and not np.any(turns.y0)


def test_coordinates_of_a_free_joint(rng):
    """A joint's name stands for all its entries; quaternions change by half the turn."""
    model = mixed()
    state = some_state(model, rng)
    linear = model.linearize(state, inputs=["free"], outputs=["free", "x:ball", "v:ball"])
    assert linear.outputs[:4] == ("free.x", "free.y", "free.z", "free.qw") and len(linear.inputs) == 6
    assert linear.outputs[7:] == ("x:ball.wx", "x:ball.wy", "x:ball.wz", "v:ball.wx", "v:ball.wy", "v:ball.wz")
    w, x, y, z = state.q[3:7]
    expected = 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
    assert linear.C[3:7, :3] == pytest.approx(expected, abs=1e-12)
    assert linear.C[:3, 3:6] == pytest.approx(jd.Pose(rotation=state.q[3:7]).rotation, abs=1e-12)


def test_held_velocities_leave_the_state(rng):
    model = cart_pole()
    state = model.state(q={"hinge": 0.4}, v={"slide": 2.0})
    linear = model.linearize(state, hold=("slide",))
    assert linear.states == ("x:hinge", "v:hinge") and linear.inputs == ("hinge",)
    inertia = 0.02 + 0.3 * 0.25
    assert linear.A == pytest.approx(np.array([[0, 1], [0.3 * G * 0.5 * np.cos(0.4) / inertia, 0]]), rel=1e-9)
    assert linear.f0[1] == pytest.approx(0.3 * G * 0.5 * np.sin(0.4) / inertia)
    with pytest.raises(jd.errors.ModelError, match="slide: inputs: it is held"):
        model.linearize(state, hold=("slide",), inputs=["slide"])
    with pytest.raises(jd.errors.ModelError, match="v:slide: outputs: it is held"):
        model.linearize(state, hold=("slide",), outputs=["v:slide"])


@jd.law(states=1, markers=("pole.top",))
def keeper(t, q, v, z, s, p, effort, dz):
    effort[0] += p[0] * q[1] + p[1] * v[1] + p[2] * z[0] + p[3] * s[0]
    dz[0] = q[1] - 2.0 * z[0]


def test_a_controller_closes_the_loop():
    model = cart_pole()
    gains = np.array([50.0, 8.0, 3.0, 1.5])
    opened = model.linearize(model.state(), inputs=["slide"])
    closed = model.linearize(model.state(), controller=keeper(*gains))
    # (x, hinge, v, w, z): the top of the pole is at slide + 1.0 * hinge
    A = np.zeros((5, 5))
    A[:4, :4] = opened.A
    A[:4] += opened.B @ np.array([[gains[3], gains[0] + gains[3], 0, gains[1], gains[2]]])
    A[4, 1], A[4, 4] = 1.0, -2.0
    assert closed.A == pytest.approx(A, abs=1e-11)
    assert closed.states[-1] == "z:keeper.z[0]"
    found = model.frequencies(model.state(), controller=keeper(*gains))
    poles = np.linalg.eigvals(A)
    expected = np.sort_complex(poles[(poles.imag >= 0) & (np.abs(poles) > 1e-5)])
    assert np.sort_complex(found.eigenvalues) == pytest.approx(expected, rel=1e-6)


@jd.law
def wind(t, q, v, z, s, p, effort, dz):
    effort[3] += p[0] * (p[1] - v[0])


def test_a_force_that_is_a_law_counts():
    system = jd.System("sail")
    system.add(jd.RigidBody("boat", 2.0), jd.Prismatic("slide", axis="x"))
    system.force("wind", at="boat.origin", force=wind(3.0, 5.0))
    model = system.compile()
    linear = model.linearize(model.state())
    assert linear.A == pytest.approx(np.array([[0, 1], [0, -1.5]]), abs=1e-9)
    assert linear.f0 == pytest.approx([0.0, 7.5])


def test_along_a_run_and_a_list_of_states():
    model = cart_pole()
    state = model.state(q={"hinge": 0.5})
    run = jd.simulate(model, state, until=0.5, step=1e-3, controller=keeper(50.0, 8.0, 0.0, 0.0), progress=False)
    path = model.linearize(run, times=[0.0, 0.25, 0.5])
    assert path.A.shape == (3, 4, 4) and path.B.shape == (3, 4, 2) and len(path) == 3
    assert path.time == pytest.approx([0.0, 0.25, 0.5])
    middle = jd.State(0.25, run.record.q[250], run.record.v[250], np.zeros(0))
    one = model.linearize(middle, run.record.effort[250])
    assert path.A[1] == pytest.approx(one.A, abs=1e-9) and path.f0[1] == pytest.approx(one.f0, abs=1e-9)
    states = [model.state(q={"hinge": a}) for a in (0.1, 0.2)]
    listed = model.linearize(states, effort=[[1.0, 0.0], [2.0, 0.0]])
    assert listed.A[1] == pytest.approx(model.linearize(states[1], [2.0, 0.0]).A, abs=1e-12)
    assert listed[0].states == listed.states and "2 times" in repr(listed)
    with pytest.raises(jd.errors.ModelError, match="times: 0.7 s is not in the run, 0 to 0.5 s"):
        model.linearize(run, times=[0.7])
    with pytest.raises(jd.errors.ModelError, match="effort: has 3 rows for 2 states"):
        model.linearize(states, effort=np.zeros((3, 2)))


def ball(friction=None, **normal):
    """A ball on the ground, free to slide and press but not to roll."""
    system = jd.System("ball", gravity=(0, 0, -G))
    system.add(jd.RigidBody("carrier", 0.5), jd.Prismatic("slide", axis="x"))
    system.add(jd.RigidBody("ball", 1.5), jd.Prismatic("press", axis="z"), to="carrier.origin")
    law = jd.HertzContact(stiffness=1e6, restitution=1.0, **normal)
    ground = jd.Plane((0, 0, 1)).at("world")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), ground, normal=law, friction=friction)
    return system.compile()


@pytest.mark.parametrize("depth", [1e-6, 1e-4, 5e-3])
def test_stiffness_of_hertz(depth):
    """dF/dx = 1.5 k sqrt(d), whatever the depth; without losses there is no damping."""
    model = ball()
    linear = model.linearize(model.state(q={"press": 0.1 - depth}), outputs=["touch.fz", "press"])
    depth = 0.1 - (0.1 - depth)  # as rounding leaves it
    stiffness = 1.5 * 1e6 * depth**0.5
    assert linear.A[3, 1] == pytest.approx(-stiffness / 1.5, rel=1e-13)
    assert linear.A[3, 3] == pytest.approx(0.0, abs=1e-13 * stiffness)
    assert linear.C[0] == pytest.approx([0, -stiffness, 0, 0], rel=1e-13, abs=1e-13 * stiffness)
    assert linear.y0[0] == pytest.approx(1e6 * depth**1.5, rel=1e-13)


def test_damping_of_hertz():
    """F = k d^1.5 (1 + a d'), with a from the restitution at the latched impact speed."""
    system = jd.System("ball")
    system.add(jd.RigidBody("ball", 1.5), jd.Prismatic("press", axis="z"))
    law = jd.HertzContact(stiffness=1e6, restitution=0.6, slow_speed=1e-2)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    depth, h = 2e-4, 1e-4
    A = model.linearize(model.state(q={"press": 0.1 - depth})).A
    begun = model.state(q={"press": 0.1 - depth}, z={"touch.touching": 1.0})
    begun.v[0] = h
    faster = model.forward_dynamics(begun)
    begun.v[0] = -h
    assert A[1, 1] == pytest.approx((faster - model.forward_dynamics(begun))[0] / (2 * h), rel=1e-7)
    assert A[1, 1] < -1.0


def test_what_does_not_touch_does_not_act():
    """A gap far below the usual step of differences is not jumped over."""
    model = ball(jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=1e4, damping=100.0))
    linear = model.linearize(model.state(q={"press": 0.1 + 1e-6}))
    expected = np.zeros((4, 4))
    expected[:2, 2:] = np.eye(2)
    assert linear.A == pytest.approx(expected, abs=1e-12) and len(linear.states) == 4


def test_bristles_enter_and_hold():
    """Sticking, a load N bends bristles: m x'' = -N (s0 z + s1 z'), z' = x'."""
    s0, s1 = 1e4, 40.0
    model = ball(jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=s0, damping=s1, dwell=0.3))
    depth = (1.5 * G / 1e6) ** (2 / 3)
    state = model.state(q={"press": 0.1 - depth})
    linear = model.linearize(state)
    assert linear.states[4:] == tuple(f"z:touch.{name}" for name in ("bristle.x", "bristle.y", "bristle.z", "dwell"))
    load, mass = 1.5 * G, 2.0
    assert linear.A[4, 2] == pytest.approx(1.0, rel=1e-13) and linear.A[4, 0] == pytest.approx(0.0, abs=1e-13)
    assert linear.A[2, 4] == pytest.approx(-load * s0 / mass, rel=1e-11)
    assert linear.A[2, 2] == pytest.approx(-load * s1 / mass, rel=1e-11)
    found = model.frequencies(state)
    expected = np.roots([mass, load * s1, load * s0])
    for root in expected[expected.imag > 0]:
        assert np.min(np.abs(found.eigenvalues - root)) < 1e-6 * abs(root)
    assert found.rigid == 0


def test_relaxation_enters():
    model = ball(relaxation=0.05)
    name = model.names.z[model.latched]
    state = model.state(q={"press": 0.1 - 5e-4}, z={"touch.touching": 1.0, name: 1e-4})
    linear = model.linearize(state)
    assert linear.states[-1] == f"z:{name}" and linear.A[4, 4] == pytest.approx(-1 / 0.05, rel=1e-9)
    stiffness = 1.5 * 1e6 * (4e-4) ** 0.5
    assert linear.A[3, 1] == pytest.approx(-stiffness / 1.5, rel=1e-12)
    assert linear.A[3, 4] == pytest.approx(-stiffness / 1.5, rel=1e-12)


def test_states_of_contacts_along_a_path():
    """Where a site touches at some times only, its states are there at all of them, at rest where it does not."""
    model = ball(jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=1e4, damping=100.0))
    path = model.linearize([model.state(q={"press": height}) for height in (0.15, 0.0999)])
    assert path.A.shape == (2, 7, 7)
    assert not np.any(path.A[0, 4:]) and np.any(path.A[1, 4:])


def test_modes_that_cannot_be_reached_are_named():
    """Two equal pendulums on one cart swing against each other unseen by it."""
    system = jd.System("pendulums", gravity=(0, 0, -G))
    system.add(jd.RigidBody("cart", 3.0), jd.Prismatic("slide", axis="x"))
    for side in ("left", "right"):
        bob = jd.RigidBody(f"{side}bob", 1.0, (0, 0, -1.0), (0.1, 0.1, 0.1))
        system.add(bob, jd.Revolute(side, axis="y"), to="cart.origin")
    system.add(jd.RigidBody("wheel", 1.0, inertia=(1, 1, 1)), jd.Revolute("spin", axis="z"), position=(9, 0, 0))
    model = system.compile()
    linear = model.linearize(model.state(), inputs=["slide"], outputs=["slide"])
    found = linear.controllable()
    assert not found and len(found.modes) == 2
    still, swing = found.modes
    assert still.eigenvalue == 0 and still.states == ("v:spin",)
    assert swing.eigenvalue == pytest.approx(1j * np.sqrt(G / 1.1), rel=1e-6)
    assert {name.split(":")[1] for name in swing.states} == {"left", "right"}
    assert "not controllable" in repr(found) and "left" in repr(found)
    unseen = linear.observable()
    assert {name for mode in unseen.modes for name in mode.states} >= {"x:spin"} and not unseen
    whole = model.linearize(model.state())
    assert whole.controllable() and whole.observable() and "all modes" in repr(whole.controllable())


def test_bad_questions():
    model = cart_pole()
    state = model.state()
    with pytest.raises(jd.errors.ModelError, match='slid: inputs: no such input; did you mean "slide"'):
        model.linearize(state, inputs=["slid"])
    with pytest.raises(jd.errors.ModelError, match='pole.topp.x: outputs: no such output; did you mean "pole.top.x"'):
        model.linearize(state, outputs=["pole.topp.x"])
    with pytest.raises(jd.errors.ModelError, match="slide: inputs: named twice"):
        model.linearize(state, inputs=["slide", "slide"])
    with pytest.raises(jd.errors.ModelError, match="inputs: got 'slide'; give a list of names"):
        model.linearize(state, inputs="slide")
    with pytest.raises(jd.errors.ModelError, match="effort: got shape"):
        model.linearize(state, effort=[1.0])
    with pytest.raises(jd.errors.ModelError, match="state: got .*; give a State, a list of States, or a Run"):
        model.linearize(state.q)
    with pytest.raises(jd.errors.ModelError, match="times: are for a Run"):
        model.linearize(state, times=[0.0])
    with pytest.raises(jd.errors.ModelError, match='hing: hold: no such velocity; did you mean "hinge"'):
        model.linearize(state, hold=("hing",))
    with pytest.raises(jd.errors.ModelError, match="controller: got int"):
        model.linearize(state, controller=3)


def test_to_control_has_the_names():
    control = pytest.importorskip("control")
    model = cart_pole()
    linear = model.linearize(model.state(), inputs=["slide", "pole.top.fx"], outputs=["pole.top.x", "v:hinge"])
    system = linear.to_control()
    assert isinstance(system, control.StateSpace) and system.name == "cart-pole"
    assert system.input_labels == ["slide", "pole_top_fx"] and system.output_labels == ["pole_top_x", "v_hinge"]
    assert system.state_labels == ["x_slide", "x_hinge", "v_slide", "v_hinge"]
    assert np.array_equal(system.A, linear.A) and np.array_equal(system.B, linear.B)
    gain, _, poles = control.lqr(system, np.eye(4), np.eye(2))
    assert np.all(poles.real < 0.0) and gain.shape == (2, 4)


def test_without_python_control(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "control", None)
    model = cart_pole()
    with pytest.raises(
        jd.errors.ModelError, match=r'control: python-control is not installed; pip install "jourdain\[control\]"'
    ):
        model.linearize(model.state()).to_control()


def test_a_singular_mass_matrix_is_named():
    """A point mass slid onto the axis that turns it has no inertia about it."""
    system = jd.System("singular")
    system.add(jd.RigidBody("arm", 0.0), jd.Revolute("turn", axis="z"))
    system.add(jd.RigidBody("point", 1.0), jd.Prismatic("slide", axis="x"), to="arm.origin", position=(1, 0, 0))
    model = system.compile()
    with pytest.raises(jd.errors.ModelError, match='"turn".*singular|singular.*"turn"'):
        model.linearize(model.state(q={"slide": -1.0}))
    assert model.linearize(model.state()).controllable()


def test_a_digital_controller_is_refused():
    model = cart_pole()
    sampled = jd.control.Sampled(keeper(1.0, 1.0, 1.0, 1.0), period=1e-2)
    with pytest.raises(jd.errors.ModelError, match="it is digital and has no rate of change"):
        model.linearize(model.state(), controller=sampled)


def test_a_pile_that_rests():
    """Two balls on each other on the ground, each held to its vertical: a chain of two contact springs."""
    k, m = 1e6, 1.2
    system = jd.System("pile", gravity=(0, 0, -G))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    for i in range(2):
        ball = jd.RigidBody(f"ball{i}", m, inertia=(0.1, 0.1, 0.1))
        system.add(ball, jd.Free(f"free{i}"), position=(0, 0, 0.1 + 0.2 * i))
        shapes.append(jd.Sphere(0.1).at(f"ball{i}.origin"))
    system.collide("heap", shapes, normal=jd.HertzContact(stiffness=k, restitution=1.0))
    model = system.compile()
    hold = tuple(name for name in model.names.v if not name.endswith(".vz"))
    above = {"free0": jd.Pose((0, 0, 0.01)), "free1": jd.Pose((0, 0, 0.03))}
    rest = model.equilibrium(model.state(q=above), hold=hold)
    low, high = ((n * m * G / k) ** (2 / 3) for n in (2, 1))
    assert rest.state.q[[2, 9]] == pytest.approx([-low, -low - high], abs=1e-11)
    a, b = 1.5 * k * low**0.5, 1.5 * k * high**0.5
    expected = np.linalg.eigvalsh(np.array([[a + b, -b], [-b, b]]) / m)
    assert model.frequencies(rest.state, hold=hold).rad == pytest.approx(np.sqrt(expected), rel=1e-7)


@jd.contact.friction_law(states=3)
def strings(load, slip, z, p, dz):
    for k in range(3):
        dz[k] = slip[k]
    return (-load * p[0] * z[0], -load * p[0] * z[1], -load * p[0] * z[2])


def test_states_of_own_contact_laws_enter():
    model = ball(strings(300.0))
    depth = (1.5 * G / 1e6) ** (2 / 3)
    linear = model.linearize(model.state(q={"press": 0.1 - depth}))
    assert len(linear.states) == 7 and linear.states[4].startswith("z:touch.")
    assert linear.A[4, 2] == pytest.approx(1.0, rel=1e-7)
    assert linear.A[2, 4] == pytest.approx(-1.5 * G * 300.0 / 2.0, rel=1e-7)
