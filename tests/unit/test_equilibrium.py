"""`model.equilibrium`: against statics, with springs, beams, contacts, drives, trims and spins; or there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd

G = 9.81


def quadratic(history):
    """Whether the errors fall with an order near two once they are small, as long as rounding lets them."""
    e = history / np.max(history)
    e = e[(e > 1e-13) & (e < 0.5)]
    return len(e) < 2 or np.log(e[-1]) / np.log(e[-2]) > 1.6


def hung(stiffness=30.0):
    """Two links with springs under gravity."""
    system = jd.System("links", gravity=(0, 0, -G))
    body = dict(mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1), frames={"tip": (1, 0, 0)})
    system.add(jd.RigidBody("upper", **body), jd.Revolute("shoulder", axis="y", stiffness=stiffness))
    system.add(jd.RigidBody("lower", **body), jd.Revolute("elbow", axis="y", stiffness=stiffness), to="upper.tip")
    return system.compile()


def test_a_pendulum_falls_to_where_it_hangs():
    system = jd.System("pendulum", gravity=(0, 0, -G))
    system.add(jd.RigidBody("bob", 2.0, (0, 0, -1.2), (0.1, 0.1, 0.1)), jd.Revolute("pivot", axis="y"))
    model = system.compile()
    found = model.equilibrium(model.state(q={"pivot": 1.0}, v={"pivot": 3.0}))
    assert found.state.q == pytest.approx([0.0], abs=1e-12) and found.state.v == pytest.approx([0.0])
    level = model.equilibrium(model.state(q={"pivot": 0.5 * np.pi}))
    assert np.sin(level.state.q[0]) == pytest.approx(0.0, abs=1e-12)
    up = model.equilibrium(model.state(q={"pivot": 3.0}))
    assert up.state.q == pytest.approx([np.pi], abs=1e-12)


def test_springs_against_gravity_quadratically():
    model = hung()
    found = model.equilibrium(model.state(q={"shoulder": 0.4, "elbow": 0.2}))
    assert model.inverse_dynamics(found.state) == pytest.approx(np.zeros(2), abs=1e-10)
    assert found.residual < 1e-10 and found.iterations < 8 and quadratic(found.history)
    assert "iterations" in repr(found)


def test_coordinates_at_given_efforts_and_efforts_at_given_coordinates():
    model = hung(stiffness=0.0)
    state = model.state(q={"shoulder": 0.3, "elbow": -0.5})
    trim = model.equilibrium(state, hold=("shoulder", "elbow"))
    assert trim.state.q == pytest.approx(state.q) and trim.found == ("shoulder", "elbow")
    assert trim.effort == pytest.approx(model.inverse_dynamics(state), abs=1e-10)
    back = model.equilibrium(model.state(q={"shoulder": 0.2, "elbow": -0.4}), effort=trim.effort)
    assert model.inverse_dynamics(back.state) == pytest.approx(trim.effort, abs=1e-9)
    mixed = model.equilibrium(state, effort={"elbow": 3.0}, hold=("shoulder",))
    assert mixed.state.q[0] == 0.3 and mixed.effort[1] == 3.0
    assert model.inverse_dynamics(mixed.state) == pytest.approx(mixed.effort, abs=1e-9)


def test_an_effort_elsewhere_holds_a_coordinate():
    """The lower link is to be level with nothing at the elbow but its spring: the shoulder turns until it is."""
    model = hung()
    state = model.state(q={"shoulder": -0.3, "elbow": 0.3})
    found = model.equilibrium(state, hold=("elbow",), efforts=("shoulder",))
    assert found.state.q[1] == 0.3 and found.found == ("shoulder",) and found.effort[1] == 0.0
    assert model.inverse_dynamics(found.state) == pytest.approx(found.effort, abs=1e-9)


def test_a_held_joint_with_a_drive_is_held_by_its_motor():
    system = jd.System("driven", gravity=(0, 0, -G))
    drive = jd.Drive(gear=50.0, rotor_inertia=1e-4, stiffness=200.0, damping=0.1)
    arm = jd.RigidBody("arm", 3.0, (0.6, 0, 0), (0.1, 0.1, 0.1))
    system.add(arm, jd.Revolute("shoulder", axis="y", drive=drive))
    model = system.compile()
    found = model.equilibrium(model.state(q={"shoulder": 0.4}), hold=("shoulder",))
    torque = -3.0 * G * 0.6 * np.cos(0.4)
    assert found.found == ("shoulder.motor",) and found.effort == pytest.approx([0.0, torque / 50.0], rel=1e-9)
    q = dict(zip(model.names.q, found.state.q, strict=True))
    assert q["shoulder"] == 0.4 and q["shoulder.motor"] / 50.0 - 0.4 == pytest.approx(torque / 200.0, rel=1e-9)


def test_a_cantilever_sags_as_beams_do():
    """Tip deflection w L^4 / 8 EI + P L^3 / 3 EI; three static shapes hold it to 0.1 % while it is small."""
    system = jd.System("cantilever", gravity=(0, 0, -G))
    beam = jd.Beam("beam", 2.0, 0.5, 1e8, 9000.0, 1e3, jd.Modes(bending=3))
    system.add(beam, jd.Weld("root"))
    system.add(jd.RigidBody("load", 3.0), jd.Weld("tip"), to="beam.tip")
    model = system.compile()
    found = model.equilibrium(model.state())
    expected = 0.5 * G * 2.0**4 / (8 * 9000.0) + 3.0 * G * 2.0**3 / (3 * 9000.0)
    assert -model.pose("load.origin", found.state).position[2] == pytest.approx(expected, rel=1e-3)
    assert quadratic(found.history) and found.residual < 1e-10


def test_a_spinning_pendulum_stands_out():
    """A conical pendulum: w^2 = g / (l cos a) for a point mass; the spin is held."""
    system = jd.System("governor", gravity=(0, 0, -G))
    system.add(jd.RigidBody("shaft", 1.0, inertia=(1, 1, 1)), jd.Revolute("spin", axis="z"))
    system.add(jd.RigidBody("bob", 2.0, (0, 0, -0.7)), jd.Revolute("arm", axis="y"), to="shaft.origin")
    model = system.compile()
    rate = 6.0
    found = model.equilibrium(model.state(q={"arm": 0.8}, v={"spin": rate, "arm": 1.0}), hold=("spin",))
    assert np.cos(found.state.q[1]) == pytest.approx(G / (0.7 * rate**2), rel=1e-10)
    assert found.state.v == pytest.approx([rate, 0.0]) and found.effort == pytest.approx([0.0, 0.0], abs=1e-9)


def sphere(friction=None, restitution=0.5, relaxation=None, **gravity):
    system = jd.System("ball", gravity=gravity.get("gravity", (0, 0, -G)))
    system.add(jd.RigidBody("ball", 2.0, inertia=(0.1, 0.1, 0.1)), jd.Free("free"))
    normal = jd.HertzContact(stiffness=1e6, restitution=restitution, relaxation=relaxation)
    ground = jd.Plane((0, 0, 1)).at("world")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), ground, normal=normal, friction=friction)
    return system.compile()


@pytest.mark.parametrize("height", [0.3, 0.09])
@pytest.mark.parametrize("relaxation", [None, 0.1])
def test_a_ball_finds_the_ground(height, relaxation):
    """k d^1.5 = m g, from above and from too deep; relaxation passes."""
    model = sphere(relaxation=relaxation)
    found = model.equilibrium(model.state(q={"free": jd.Pose((0.2, -0.1, height))}))
    depth = (2.0 * G / 1e6) ** (2 / 3)
    assert found.state.q[:3] == pytest.approx([0.2, -0.1, 0.1 - depth], abs=1e-12)
    assert found.residual < 1e-9 and quadratic(found.history)
    assert model.forward_dynamics(found.state) == pytest.approx(np.zeros(6), abs=1e-8)
    run = jd.simulate(model, found.state, until=0.1, step=1e-5, output=0.05, progress=False)
    assert run.record.q[-1] == pytest.approx(found.state.q, abs=1e-10)


def test_bristles_bend_until_they_hold():
    """Pushed sideways by less than the friction: the bristles bend by F / (N s0), and the run stays there."""
    s0 = 1e4
    friction = jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=s0, damping=100.0)
    system = jd.System("block", gravity=(0, 0, -G))
    system.add(jd.RigidBody("carrier", 0.5), jd.Prismatic("slide", axis="x"))
    system.add(jd.RigidBody("ball", 1.5), jd.Prismatic("press", axis="z"), to="carrier.origin")
    normal, ground = jd.HertzContact(stiffness=1e6, restitution=0.5), jd.Plane((0, 0, 1)).at("world")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), ground, normal=normal, friction=friction)
    model = system.compile()
    depth = (1.5 * G / 1e6) ** (2 / 3)
    found = model.equilibrium(model.state(q={"press": 0.1 - depth}), effort={"slide": 2.0})
    bent = 2.0 / (1.5 * G * s0)
    assert found.state.q == pytest.approx([bent, 0.1 - depth], rel=1e-9)
    assert found.state.z[model.index.z["touch.bristle.x"]] == pytest.approx(bent, rel=1e-9)
    assert model.forward_dynamics(found.state, {"slide": 2.0}) == pytest.approx([0, 0], abs=1e-9)


def test_a_spring_presses_against_a_wall():
    """Preload: where the pull of a spring and the push of a stiff contact meet."""
    system = jd.System("preload")
    joint = jd.Prismatic("slide", axis="x", stiffness=500.0, rest=0.3)
    system.add(jd.RigidBody("probe", 1.0), joint)
    normal, wall = jd.HertzContact(stiffness=1e7, restitution=0.9), jd.Plane((-1, 0, 0), offset=-0.2).at("world")
    system.contact("wall", jd.Sphere(0.05).at("probe.origin"), wall, normal=normal)
    model = system.compile()
    found = model.equilibrium(model.state())
    x = brentq(lambda x: 500.0 * (0.3 - x) - 1e7 * (x - 0.15) ** 1.5, 0.15, 0.3, xtol=1e-15)
    assert found.state.q == pytest.approx([x], abs=1e-12)
    modes = model.frequencies(found.state)
    assert np.prod(modes.eigenvalues * modes.eigenvalues.conj()).real ** (1 / len(modes)) == pytest.approx(
        500.0 + 1.5e7 * (x - 0.15) ** 0.5, rel=1e-6
    )


@jd.law(states=1)
def integrator(t, q, v, z, s, p, effort, dz):
    dz[0] = p[0] - q[0]
    effort[0] += p[1] * z[0] + p[2] * (p[0] - q[0]) - p[3] * v[0]


def test_an_integrator_settles():
    model = hung(stiffness=5.0)
    state = model.state(q={"shoulder": 0.3, "elbow": 1.2})
    found = model.equilibrium(state, controller=integrator(0.25, 40.0, 100.0, 5.0))
    assert found.state.q[0] == pytest.approx(0.25, abs=1e-10)
    held = model.inverse_dynamics(jd.State(0.0, found.state.q, found.state.v, np.zeros(0)))
    assert held == pytest.approx([40.0 * found.state.z[0], 0.0], abs=1e-9)


def test_dry_friction_holds_and_then_slips():
    system = jd.System("rough", gravity=(0, 0, -G))
    joint = jd.Prismatic("slide", axis="z", friction=5.0, friction_stiffness=800.0, stiffness=100.0)
    system.add(jd.RigidBody("load", 2.0), joint)
    model = system.compile()
    found = model.equilibrium(model.state())
    assert found.state.q == pytest.approx([-(2.0 * G - 5.0) / 100.0], rel=1e-9)
    assert found.state.z[0] - found.state.q[0] == pytest.approx(5.0 / 800.0, rel=1e-9)


def test_what_floats_is_already_in_equilibrium():
    system = jd.System("floating")
    system.add(jd.RigidBody("base", 5.0, inertia=(1, 1, 1)), jd.Free("free"))
    arm = jd.RigidBody("arm", 1.0, (0.5, 0, 0), (0.1, 0.1, 0.1))
    system.add(arm, jd.Revolute("joint", axis="z", stiffness=3.0, rest=0.4), to="base.origin")
    model = system.compile()
    found = model.equilibrium(model.state(q={"free": jd.Pose((1, 2, 3))}))
    assert found.state.q[7] == pytest.approx(0.4, abs=1e-12)


def test_a_mechanism_that_nothing_holds_is_named():
    model = sphere(gravity=(0, 0, G))
    with pytest.raises(
        jd.errors.ModelError, match=r'free.vz: no equilibrium .* nothing holds the model along "free.vz"'
    ):
        model.equilibrium(model.state(q={"free": jd.Pose((0, 0, 0.3))}))
    hanging = hung(stiffness=0.0)
    with pytest.raises(jd.errors.ModelError, match="shoulder|elbow"):
        hanging.equilibrium(hanging.state(), effort={"shoulder": 1e3})


def test_bad_questions():
    model = hung()
    with pytest.raises(jd.errors.ModelError, match='elbo: hold: no such velocity; did you mean "elbow"'):
        model.equilibrium(model.state(), hold=("elbo",))
    with pytest.raises(
        jd.errors.ModelError, match="efforts: 1 are to be found and 0 coordinates are held; name as many"
    ):
        model.equilibrium(model.state(), efforts=("elbow",))
    with pytest.raises(jd.errors.ModelError, match="state: got ndarray; give a State"):
        model.equilibrium(model.state().q)


def test_an_equilibrium_says_whether_it_is_stable():
    """A pendulum leaves its upper equilibrium at sqrt(m g l / I); damped, at the positive root of s^2 + c s - w^2."""
    for damping in (0.0, 3.0):
        system = jd.System("pendulum", gravity=(0, 0, -G))
        bob = jd.RigidBody("bob", 2.0, (0, 0, -1.2), (0.1, 0.1, 0.1))
        system.add(bob, jd.Revolute("pivot", axis="y", damping=damping))
        model = system.compile()
        hangs = model.equilibrium(model.state(q={"pivot": 0.3}))
        assert hangs.stable and hangs.growth == 0.0 and hangs.leaving == () and "stable" in repr(hangs)
        stands = model.equilibrium(model.state(q={"pivot": 3.0}))
        inertia = 0.1 + 2.0 * 1.2**2
        square, half = 2.0 * G * 1.2 / inertia, 0.5 * damping / inertia
        assert not stands.stable and stands.leaving == ("pivot",)
        assert stands.growth == pytest.approx(np.sqrt(square + half**2) - half, rel=1e-9)
        assert 'unstable, leaves along "pivot" at' in repr(stands)
        assert model.equilibrium(stands.state, hold=("pivot",)).stable, "what is held stays held"


@pytest.mark.parametrize(("part", "stable"), [(0.99, True), (1.01, False)])
def test_a_column_at_eulers_load(part, stable):
    """Upright under 0.99 and 1.01 of pi^2 EI / 4 L^2. Beyond it the load is a force along the world's axis."""
    system = jd.System("column")
    system.add(jd.Beam("column", 2.0, 1.0, 1e7, 100.0, 80.0, modes=jd.Modes(bending_y=3)), jd.Weld("foot"))
    load = part * np.pi**2 * 100.0 / (4 * 2.0**2)
    system.force("load", "column.tip", force=(-load, 0, 0))
    model = system.compile()
    found = model.equilibrium(model.state())
    assert found.stable is stable
    if not stable:
        assert found.leaving == ("column.bending_y[0]",) and 0.05 < found.growth < 1.0


@pytest.mark.parametrize(("spin", "stable"), [(0.95, True), (1.05, False)])
def test_a_pendulum_on_a_turning_axis(spin, stable):
    """It hangs straight up to spin^2 = m g l / (I_across - I_along), and beyond leaves at the root of the excess."""
    system = jd.System("governor", gravity=(0, 0, -G))
    system.add(jd.RigidBody("head", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Revolute("spin", axis="z"))
    bob = jd.RigidBody("bob", 2.0, (0, 0, -1.2), (0.1, 0.1, 0.02))
    system.add(bob, jd.Revolute("pivot", axis="y"), to="head.origin")
    model = system.compile()
    across, along = 0.1 + 2.0 * 1.2**2, 0.02
    critical = np.sqrt(2.0 * G * 1.2 / (across - along))
    found = model.equilibrium(model.state(v={"spin": spin * critical}), hold=("spin",))
    assert found.stable is stable
    if not stable:
        square = ((spin * critical) ** 2 * (across - along) - 2.0 * G * 1.2) / across
        assert found.growth == pytest.approx(np.sqrt(square), rel=1e-8)
