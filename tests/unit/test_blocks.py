"""`model.to_control`: a model as a block of python-control, linearised, simulated and connected there."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

control = pytest.importorskip("control")
G = 9.81


def cart_pole():
    system = jd.System("cart-pole", gravity=(0, 0, -G))
    system.add(jd.RigidBody("cart", 1.5), jd.Prismatic("slide", axis="x", damping=0.2))
    pole = jd.RigidBody("pole", 0.3, (0, 0, 0.5), (0.02, 0.02, 0.0), {"top": (0, 0, 1.0)})
    system.add(pole, jd.Revolute("hinge", axis="y"), to="cart.origin")
    return system.compile()


def floating():
    system = jd.System("floating", gravity=(0, 0, -1.0))
    body = jd.RigidBody("base", 5.0, (0.1, 0.0, 0.2), (0.5, 0.6, 0.7), {"tip": (0.3, 0.2, 0.1)})
    system.add(body, jd.Free("free"))
    arm = jd.RigidBody("arm", 2.0, (0.2, 0, 0), (0.1, 0.2, 0.2), {"tip": (0.5, 0, 0)})
    system.add(arm, jd.Spherical("ball"), to="base.tip")
    return system.compile()


@jd.law(states=1)
def regulator(t, q, v, z, s, p, effort, dz):
    effort[0] += p[0] * q[1] + p[1] * v[1] + p[2] * z[0]
    dz[0] = q[1] - z[0]


def test_names_and_start():
    model = cart_pole()
    block = model.to_control(inputs=["slide", "pole.top.fx"], outputs=["hinge", "v:hinge", "pole.top.z"], name="plant")
    assert isinstance(block, control.NonlinearIOSystem) and block.name == "plant"
    assert block.input_labels == ["slide", "pole_top_fx"] and block.output_labels == ["hinge", "v_hinge", "pole_top_z"]
    assert block.state_labels == ["slide", "hinge", "v_slide", "v_hinge"]
    state = model.state(q={"hinge": 0.3}, v={"slide": 1.0})
    x = block.start(state)
    assert x == pytest.approx([0.0, 0.3, 1.0, 0.0])
    assert block.output(0.0, x, [0, 0]) == pytest.approx([0.3, 0.0, np.cos(0.3)])
    assert block.state(x, 2.0).time == 2.0 and np.array_equal(block.state(x).q, state.q)
    default = model.to_control()
    assert default.output_labels == ["slide", "hinge", "v_slide", "v_hinge"] and default.name == "cart-pole"


def test_rates_are_those_of_the_model(rng):
    """Efforts and a wrench at an address; rotations in quaternions whose length does not matter."""
    model = floating()
    names = [*model.names.v, "arm.tip.fy", "arm.tip.mx"]
    block = model.to_control(inputs=names)
    q = model.neutral + 0.3 * rng.normal(size=model.nq)
    q[3:7] /= np.linalg.norm(q[3:7])
    q[7:11] /= np.linalg.norm(q[7:11])
    state = model.state(q=q, v=rng.normal(size=model.nv))
    u = rng.normal(size=len(names))
    x = block.start(state)
    rates = block.dynamics(0.0, x, u)
    J = model.jacobian("arm.tip", state)
    effort = u[: model.nv] + u[-2] * J[4] + u[-1] * J[0]
    assert rates[model.nq :] == pytest.approx(model.forward_dynamics(state, effort), abs=1e-9)
    from jourdain.model.displacement import moved

    h = 1e-6
    ahead, behind = (moved(model, state.q, s * h * state.v) for s in (1, -1))
    assert rates[: model.nq] == pytest.approx((ahead - behind) / (2 * h), abs=1e-8)
    longer = x.copy()
    longer[3:7] *= 1.1
    again = block.dynamics(0.0, longer, u)
    assert again[model.nq :] == pytest.approx(rates[model.nq :], abs=1e-9)
    assert again[3:7] == pytest.approx(1.1 * rates[3:7], abs=1e-12)


def test_linearised_there_as_here():
    """python-control takes forward differences with a step of 1e-6."""
    model = cart_pole()
    state = model.state(q={"slide": 0.2, "hinge": 0.4}, v={"hinge": 0.5})
    block = model.to_control(inputs=["slide"], outputs=["hinge", "pole.top.x", "pole.top.vz"])
    theirs = control.linearize(block, block.start(state), [2.0])
    ours = model.linearize(state, {"slide": 2.0}, inputs=["slide"], outputs=["hinge", "pole.top.x", "pole.top.vz"])
    for mine, other in ((ours.A, theirs.A), (ours.B, theirs.B), (ours.C, theirs.C), (ours.D, theirs.D)):
        assert mine == pytest.approx(other, abs=2e-5)


def test_linearised_with_a_law_inside():
    model = cart_pole()
    law = regulator(40.0, 6.0, 3.0)
    block = model.to_control(inputs=["slide"], controller=law)
    assert block.state_labels[-1] == "z_regulator_z[0]"
    theirs = control.linearize(block, block.start(model.state()), [0.0])
    assert model.linearize(model.state(), controller=law).A == pytest.approx(theirs.A, abs=2e-5)
    other = control.linearize(block, block.start(model.state()), [0.0], params={"regulator": (1.0, 2.0, 3.0)})
    weaker = model.linearize(model.state(), controller=regulator(1.0, 2.0, 3.0))
    assert weaker.A == pytest.approx(other.A, abs=2e-5)
    with pytest.raises(jd.errors.ModelError, match=r"regulator: params has \(2,\) numbers; the law has \(3,\)"):
        control.linearize(block, block.start(model.state()), [0.0], params={"regulator": (1.0, 2.0)})


def test_response_and_interconnection_are_the_simulation():
    """A PD block of python-control around the plant does what the same law does inside the compiled loop."""
    model = cart_pole()
    plant = model.to_control(inputs=["slide"], outputs=["hinge", "v:hinge"], name="plant")
    pd = control.ss([], [], [], [[40.0, 6.0]], inputs=["hinge", "v_hinge"], outputs=["slide"], name="pd")
    loop = control.interconnect([plant, pd], inputs=None, outputs=["hinge", "slide"])
    state = model.state(q={"hinge": 0.2})
    times = np.linspace(0.0, 1.0, 11)
    answer = control.input_output_response(
        loop, times, 0, plant.start(state), solve_ivp_kwargs={"rtol": 1e-10, "atol": 1e-12}
    )
    run = jd.simulate(model, state, until=1.0, output=0.1, controller=regulator(40.0, 6.0, 0.0), progress=False)
    assert answer.states[:2].T == pytest.approx(run.record.q, abs=1e-7)
    assert answer.outputs[0] == pytest.approx(run.record.q[:, 1], abs=1e-7)
    assert answer.outputs[1] == pytest.approx(run.record.effort[:, 0], abs=1e-5)


def test_a_contact_that_holds():
    """A ball pressed on the ground: the force is an output, and the block rests where the equilibrium is."""
    system = jd.System("ball", gravity=(0, 0, -G))
    system.add(jd.RigidBody("ball", 2.0), jd.Prismatic("press", axis="z"))
    normal, ground = jd.HertzContact(stiffness=1e6, restitution=0.5), jd.Plane((0, 0, 1)).at("world")
    friction = jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=1e4, damping=100.0)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), ground, normal=normal, friction=friction)
    model = system.compile()
    rest = model.equilibrium(model.state(q={"press": 0.2}))
    block = model.to_control(outputs=["touch.fz", "press"], state=rest.state)
    x = block.start(rest.state)
    assert block.state_labels[2:] == ["z_touch_bristle_x", "z_touch_bristle_y", "z_touch_bristle_z"]
    assert block.dynamics(0.0, x, [0.0]) == pytest.approx(np.zeros(5), abs=1e-9)
    assert block.output(0.0, x, [0.0]) == pytest.approx([2.0 * G, rest.state.q[0]], rel=1e-9)
    assert block.dynamics(0.0, x, [3.0])[1] == pytest.approx(1.5, rel=1e-9)
    theirs = control.linearize(block, x, [0.0], eps=1e-8)
    assert model.linearize(rest.state).A[1, 0] == pytest.approx(theirs.A[1, 0], rel=1e-4)


def test_the_limit_of_a_motor_cuts_the_input():
    system = jd.System("driven")
    drive = jd.Drive(gear=10.0, rotor_inertia=1e-3, stiffness=50.0, torque_limit=0.5)
    system.add(jd.RigidBody("arm", 1.0, inertia=(1, 1, 1)), jd.Revolute("joint", axis="z", drive=drive))
    model = system.compile()
    block = model.to_control(inputs=["joint.motor"])
    x = block.start(model.state())
    motor = model.nq + model.index.v["joint.motor"]
    assert block.dynamics(0, x, [0.4])[motor] == pytest.approx(400.0)
    assert block.dynamics(0, x, [7.0])[motor] == pytest.approx(500.0)


def test_bad_questions():
    model = cart_pole()
    with pytest.raises(jd.errors.ModelError, match='hing: outputs: no such output; did you mean "hinge"'):
        model.to_control(outputs=["hing"])
    with pytest.raises(jd.errors.ModelError, match="x:hinge: outputs: no such output"):
        model.to_control(outputs=["x:hinge"])
    with pytest.raises(jd.errors.ModelError, match="name: got 'a.b'; give text without dots"):
        model.to_control(name="a.b")
    pile = jd.System("pile")
    shapes = []
    for i in range(3):
        pile.add(jd.RigidBody(f"b{i}", 1.0, inertia=(1, 1, 1)), jd.Free(f"f{i}"), position=(i, 0, 0))
        shapes.append(jd.Sphere(0.1).at(f"b{i}.origin"))
    pile.collide("heap", shapes, normal=jd.HertzContact(stiffness=1e6, restitution=0.5))
    with pytest.raises(jd.errors.ModelError, match="heap: a pile has no fixed list"):
        pile.compile().to_control()
