"""What should hold holds: a box on an incline, a pinched capsule; and Painleve's rod, which cannot slide on."""

import numpy as np
import pytest

import jourdain as jd

SLOPE = np.radians(10.0)
SETS = {
    "25 us": (2.5e-5, {"stiffness": 1e6}, {"stiffness": 1e5, "damping": 316.0, "stribeck": 1e-3}),
    "0.5 ms": (5e-4, {"stiffness": 1e5, "slow_speed": 0.05}, {"stiffness": 1e4, "damping": 64.0, "stribeck": 1e-2}),
}


def box(normal: jd.HertzContact, friction) -> jd.Model:
    """1 kg on a plane that gravity leaves by 10 degrees, on four corners."""
    system = jd.System("box", gravity=(9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    shape = jd.Box((0.2, 0.2, 0.1))
    system.add(jd.RigidBody.from_shape("box", shape, density=1.0 / shape.volume), joint=jd.Free("free"))
    ground = jd.Plane((0, 0, 1)).at("world")
    system.contact("feet", shape.at("box.origin"), ground, normal=normal, friction=friction)
    return system.compile()


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
@pytest.mark.parametrize("name", SETS)
def test_box_on_an_incline_does_not_creep(name):
    """Dropped from 0.5 mm; once settled, nothing moves any more, to the last digit."""
    step, normal, friction = SETS[name]
    model = box(jd.HertzContact(restitution=0.5, **normal), jd.BristleFriction(kinetic=0.7, **friction))
    run = jd.simulate(model, model.state(q={"free": jd.Pose((0, 0, 0.0505))}), until=8.0, step=step, output=0.5)
    place, t = run.frame("box.origin").position.values, run.record.time
    settled = t >= 2.0
    drift = np.ptp(place[settled], axis=0) / np.ptp(t[settled])
    assert drift.max() < 1e-12  # asked for: 1e-9 m/s
    assert np.abs(run.record.v[settled]).max() < 1e-12
    assert 0.0 < place[-1, 0] < 5e-4
    force = run.contact["feet"].force.values[-1]
    assert force == pytest.approx([-9.81 * np.sin(SLOPE), 0.0, 9.81 * np.cos(SLOPE)], rel=1e-9, abs=1e-9)
    assert run.contact["feet"].sites.values[-1] == 4


def test_energy_of_the_falling_box():
    """A corner strikes at 0.1 m/s: the adaptive method closes the balance, fixed steps as they resolve the impact."""
    _, normal, friction = SETS["0.5 ms"]
    model = box(jd.HertzContact(restitution=0.5, **normal), jd.BristleFriction(kinetic=0.7, **friction))
    state = model.state(q={"free": jd.Pose((0, 0, 0.0505))})
    assert jd.simulate(model, state, until=1.0).energy.error < 1e-6
    coarse, fine = (jd.simulate(model, state, until=1.0, step=h).energy.error for h in (5e-4, 5e-5))
    assert fine < coarse / 30.0


def test_regularised_coulomb_creeps():
    """It has no memory: v = v_t g sin / (1.5 mu g cos) of the smooth passage, for comparison."""
    _, normal, _ = SETS["0.5 ms"]
    model = box(jd.HertzContact(restitution=0.5, **normal), jd.CoulombFriction(0.7, 1e-2))
    run = jd.simulate(model, model.state(q={"free": jd.Pose((0, 0, 0.05))}), until=2.0, step=4e-4, output=0.4)
    r = run.v["free.vx"].values[-1] / 1e-2
    assert r * (1.5 - 0.5 * r * r) == pytest.approx(np.tan(SLOPE) / 0.7, rel=1e-6)


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
@pytest.mark.parametrize("grip", [12.0, 60.0])
def test_pinched_capsule_does_not_creep(grip):
    """45 g held by its flanks between two pads, mu 0.7; bristles critically damped under the load."""
    system = jd.System("pinch", gravity=(0, 0, -9.81))
    capsule = jd.Capsule(0.01, 0.04)
    body = jd.RigidBody.from_shape("capsule", capsule, density=0.045 / capsule.volume)
    system.add(body, joint=jd.Free("free"))
    system.add(jd.RigidBody("pad", mass=0.2, inertia=(1, 1, 1)), joint=jd.Prismatic("grip", axis="x"))
    system.force("squeeze", at="pad.origin", force=(-grip, 0, 0))
    damping = 2.0 * np.sqrt(1e4 * 0.045 / (2.0 * grip))
    friction = jd.BristleFriction(kinetic=0.7, stiffness=1e4, damping=damping, stribeck=0.05)
    stiffness = 1e7
    normal = jd.HertzContact(stiffness=stiffness, restitution=0.5, slow_speed=0.2)
    left, right = jd.Plane((1, 0, 0)).at("world"), jd.Plane((-1, 0, 0)).at("pad.origin")
    system.contact("left", capsule.at("capsule.origin"), left, normal=normal, friction=friction)
    system.contact("right", capsule.at("capsule.origin"), right, normal=normal, friction=friction)
    model = system.compile()
    depth = (0.5 * grip / stiffness) ** (2 / 3)
    state = model.state(q={"free": jd.Pose((0.01 - depth, 0, 0)), "grip": 0.02 - 2 * depth})
    run = jd.simulate(model, state, until=3.0, step=2e-5, output=0.25)
    place, t = run.frame("capsule.origin").position.values, run.record.time
    settled = t >= 1.0
    assert (np.ptp(place[settled], axis=0) / np.ptp(t[settled])).max() < 1e-12  # asked for: 1e-9 m/s
    # each pad bears half the weight with bristles of grip * 1e4 N/m; what slid while they bent is 3 % of that
    assert place[-1, 2] == pytest.approx(-0.045 * 9.81 / (2 * grip * 1e4), rel=0.05)
    assert run.contact["left"].force.values[-1] == pytest.approx([grip, 0, 0.045 * 9.81 / 2], rel=1e-6, abs=1e-9)
    assert run.energy.error < 1e-5  # friction asks 0.6 of the 2.8 that rk4 bears


HALF, MASS = 0.5, 1.0  # a = m l^2 / I = 3, so the critical friction is 2 sqrt(1 + a) / a = 4/3


def rod(mu: float) -> jd.Model:
    """Painleve: a rod that slides on its lower tip."""
    system = jd.System("rod", gravity=(0, 0, -9.81))
    J = MASS * HALF**2 / 3
    body = jd.RigidBody("rod", mass=MASS, inertia=(1e-3, J, J), frames={"tip": (-HALF, 0, 0)})
    system.add(body, joint=jd.Free("free"))
    normal = jd.HertzContact(stiffness=1e8, restitution=0.9, slow_speed=0.5)
    friction = jd.BristleFriction(kinetic=mu, stiffness=1e5, damping=100.0, stribeck=1e-2)
    ground = jd.Plane((0, 0, 1), -1e-6).at("world")
    system.contact("tip", jd.Sphere(1e-6).at("rod.tip"), ground, normal=normal, friction=friction)
    return system.compile()


def leaning(angle: float) -> jd.Pose:
    """The rod at an angle to the ground, its tip at the origin and its centre towards +x."""
    turn = (np.cos(angle / 2), 0.0, -np.sin(angle / 2), 0.0)
    return jd.Pose((HALF * np.cos(angle), 0.0, HALF * np.sin(angle)), turn)


def worst(mu: float) -> float:
    """Angle at which friction turns the rod into the ground the most."""
    return 0.5 * (np.pi - np.arctan(mu))


def test_mobility_of_painleves_rod_changes_sign_at_four_thirds():
    """Acceleration of the tip out of the ground per normal force, with mu of it as friction, by model functions.

    1 + a / 2 - a / 2 sqrt(1 + mu^2) at the worst angle, over m.
    """
    model = rod(1.0)

    def mobility(mu: float) -> float:
        state = model.state(q={"free": leaning(worst(mu))})
        J = model.jacobian("rod.tip", state.q)[3:]
        answer = model.forward_dynamics(state, J.T @ [mu, 0.0, 1.0]) - model.forward_dynamics(state)
        return float(J[2] @ answer)

    for mu in (0.5, 1.0, 1.3, 1.4, 2.0):
        assert mobility(mu) == pytest.approx((2.5 - 1.5 * np.sqrt(1.0 + mu**2)) / MASS, abs=1e-12)
    assert mobility(4.0 / 3.0) == pytest.approx(0.0, abs=1e-12)


def slide(mu: float):
    """The rod, set sliding at 3 m/s towards its tip at the worst angle: time, load, velocity of the tip, run."""
    model = rod(mu)
    angle = worst(mu)
    velocity = 3.0 * np.array([0, 0, 0, -np.cos(angle), 0, np.sin(angle)])  # -x, in the axes of the rod
    run = jd.simulate(model, model.state(q={"free": leaning(angle)}, v={"free": velocity}), until=0.1)
    assert run.energy.error < 1e-6
    return run.record.time, run.contact["tip"].normal_force.values, run.frame("rod.tip").velocity.values, run


@pytest.mark.parametrize("mu", [0.5, 0.8, 1.0])
def test_painleves_rod_slides_on_below_the_critical_friction(mu):
    """The load is that of the rigid rod whose tip does not leave the ground, but for the ringing of the contact."""
    t, load, v, run = slide(mu)
    sine = run.frame("rod.origin").position.values[:, 2] / HALF
    cosine = np.sqrt(1.0 - sine**2)
    spin = run.frame("rod.origin").angular_velocity.values[:, 1]
    rigid = (9.81 - HALF * sine * spin**2) * MASS / (1.0 + 3.0 * cosine * (cosine - mu * sine))
    early = t < 0.05
    assert np.trapezoid(load[early], t[early]) == pytest.approx(np.trapezoid(rigid[early], t[early]), rel=0.1)
    assert load[early].max() < 3.0 * rigid[early].max()
    assert np.interp(0.01, t, v[:, 0]) < -2.0  # still sliding


@pytest.mark.parametrize("mu", [1.4, 1.6, 2.0])
def test_painleves_rod_jams_above_the_critical_friction(mu):
    """An impact without a collision: the force grows until the tip stands, and throws it off."""
    t, load, v, _ = slide(mu)
    stands = t[np.flatnonzero(v[:, 0] > -1e-2)[0]]
    assert stands < 0.02
    assert load.max() > 50.0 * MASS * 9.81
    thrown = (t > stands) & (load == 0.0)
    assert thrown.any() and v[thrown, 2].max() > 0.1
