"""Normal and friction laws in a run: built-in ones, the same written by hand, and those of a user's own."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.contact.normal import damping_factor

BALL = jd.Sphere(0.1)
GROUND = jd.Plane((0, 0, 1)).at("world")


@jd.contact.normal_law
def hertz(depth, rate, impact_speed, z, p, dz):
    elastic = p[0] * depth * math.sqrt(depth)
    return max(elastic + elastic * p[1] / max(impact_speed, p[2]) * rate, 0.0)


@jd.contact.normal_law
def kelvin(depth, rate, impact_speed, z, p, dz):
    return max(p[0] * depth + p[1] * rate, 0.0)


@jd.contact.normal_law(states=1)
def counting(depth, rate, impact_speed, z, p, dz):
    force = p[0] * depth
    dz[0] = force
    return force


@jd.contact.friction_law(states=4)
def bristles(load, slip, z, p, dz):
    """The bristle model on a plane that does not turn; p: static, kinetic, s0, s1, viscous, v_s, dwell."""
    static, kinetic, s0, s1, viscous, vs, slow = p[0], p[1], p[2], p[3], p[4], p[5], p[6]
    speed = math.sqrt(slip[0] ** 2 + slip[1] ** 2 + slip[2] ** 2)
    small = 0.01 * vs
    stick = math.exp(-(speed**2) / vs**2)
    k = 1.0 / speed if speed >= small else (1.5 - 0.5 * (speed / small) ** 2) / small
    dz[3] = (stick - z[3]) / (slow if stick >= z[3] else s1 / s0)
    most = kinetic + (static - kinetic) * z[3]
    size = 0.0
    for i in range(3):
        sliding = kinetic / s1 * k * slip[i] - s0 / s1 * z[i]
        dz[i] = stick * slip[i] + (1.0 - stick) * sliding
        size += (s0 * z[i] + s1 * dz[i]) ** 2
    size = math.sqrt(size)
    cut = min(1.0, most / size) if size > 0.0 else 1.0
    pull = (cut * (s0 * z[0] + s1 * dz[0]), cut * (s0 * z[1] + s1 * dz[1]), cut * (s0 * z[2] + s1 * dz[2]))
    if cut < 1.0:
        for i in range(3):
            dz[i] = (pull[i] - s0 * z[i]) / s1
    return (
        -load * (pull[0] + viscous * slip[0]),
        -load * (pull[1] + viscous * slip[1]),
        -load * (pull[2] + viscous * slip[2]),
    )


@jd.contact.friction_law
def belt(load, slip, z, p, dz):
    """Viscous friction with a belt that carries the first body along x at the speed p[1]."""
    return (-p[0] * load * (slip[0] - p[1]), -p[0] * load * slip[1], -p[0] * load * slip[2])


@jd.law(states=6, markers=("ball.origin",), contacts=("touch",))
def feel(t, q, v, z, s, p, effort, dz):
    for k in range(6):
        dz[k] = s[13 + k]


@jd.law(contacts=("touch",))
def answer(t, q, v, z, s, p, effort, dz):
    for k in range(6):
        effort[k] -= p[0] * s[3 + k] if k < 3 else p[0] * s[k - 3]


def ball(normal, friction=None, gravity=9.81, swapped=False):
    system = jd.System("ball", gravity=(0, 0, -gravity))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    pair = (BALL.at("ball.origin"), GROUND)
    system.contact("touch", *(pair[::-1] if swapped else pair), normal=normal, friction=friction)
    return system


def thrown(model, height, v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0)):
    return model.state(q={"free": jd.Pose((0, 0, 0.1 + height))}, v={"free": [*w, *v]})


THROW = {"height": 1e-3, "v": (0.05, 0.02, -0.2), "w": (0.3, 0.4, 0.1)}
FRICTION = {
    "static": 0.4, "kinetic": 0.3, "stiffness": 1e4, "damping": 50.0, "viscous": 0.02, "stribeck": 5e-3, "dwell": 0.05,
}  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True])
def test_laws_by_hand_are_the_built_in_ones(swapped):
    """In the compiled loop, states and all; a square root and a product apart, the same arithmetic."""
    built_in = ball(
        jd.HertzContact(stiffness=1e6, restitution=0.6), jd.BristleFriction(**FRICTION), swapped=swapped
    ).compile()
    by_hand = ball(hertz(1e6, damping_factor(0.6), 1e-3), bristles(*FRICTION.values()), swapped=swapped).compile()
    runs = [jd.simulate(m, thrown(m, **THROW), until=0.05, step=1e-4) for m in (built_in, by_hand)]
    assert runs[0].contact["touch"].normal_force.max() > 90.0
    assert runs[0].record.q == pytest.approx(runs[1].record.q, abs=1e-13)
    assert runs[0].record.v == pytest.approx(runs[1].record.v, abs=1e-11)
    sign = -1.0 if swapped else 1.0
    for k, axis in enumerate("xyz"):
        own = runs[1].z[f"touch.friction[{k}]"].values
        assert sign * own == pytest.approx(runs[0].z[f"touch.bristle.{axis}"].values, abs=1e-14)
    assert np.max(np.abs(runs[0].z["touch.bristle.x"])) > 1e-6
    assert runs[1].z["touch.friction[3]"].values == pytest.approx(runs[0].z["touch.dwell"].values, abs=1e-12)
    assert runs[0].contact["touch"].force.values == pytest.approx(runs[1].contact["touch"].force.values, abs=1e-6)
    # a law of one's own does not say what it stores: all of it counts as dissipated, and the balance closes
    assert np.all(runs[1].contact["touch"].energy == 0.0)
    for run in runs:
        assert np.max(np.abs(run.energy["balance"])) < 1e-6 * float(run.energy["kinetic"][0])


def test_several_laws_of_ones_own_in_one_model():
    """Each contact calls its own, with its own parameters and states."""
    system = jd.System("row")
    laws = {"a": hertz(1e6, 0.0, 1e-3), "b": kelvin(1e4, 3.0), "c": counting(2e4), "d": kelvin(3e4, 0.0)}
    for name, law in laws.items():
        system.add(jd.RigidBody(name, mass=1.0), jd.Prismatic(f"z_{name}", axis="z"))
        friction = belt(1.0, 0.0) if name == "b" else None
        system.contact(f"touch_{name}", BALL.at(f"{name}.origin"), GROUND, normal=law, friction=friction)
    model = system.compile()
    z = {f"z_{name}": 0.0999 for name in laws}
    run = jd.simulate(model, model.state(q=z, v={f"z_{n}": -0.01 for n in laws}), until=2e-4, step=1e-4)
    first = {name: float(run.contact[f"touch_{name}"].force[0, 2]) for name in laws}
    assert first["a"] == pytest.approx(1e6 * 1e-4**1.5, rel=1e-9)
    assert first["b"] == pytest.approx(1e4 * 1e-4 + 3.0 * 0.01, rel=1e-9)
    assert first["c"] == pytest.approx(2e4 * 1e-4, rel=1e-9)
    assert first["d"] == pytest.approx(3e4 * 1e-4, rel=1e-9)


def test_states_of_a_normal_law_are_integrated_and_reset():
    """The state that sums up the force is the momentum that it gave, as long as the ball touches."""
    model = ball(counting(1e5), gravity=0.0).compile()
    run = jd.simulate(model, thrown(model, 1e-4, (0, 0, -0.2)), until=0.03, step=1e-4)
    impulse, touching = run.z["touch.normal[0]"].values, run.z["touch.touching"].values == 1.0
    gained = 2.0 * (run.v["free.vz"].values + 0.2)
    first = int(np.argmax(touching))
    last = first + int(np.argmin(touching[first:]))
    assert impulse[first:last] - impulse[first] == pytest.approx(gained[first:last] - gained[first], abs=1e-13)
    assert impulse[last - 1] > 0.7
    assert np.all(impulse[last:] == 0.0)


@pytest.mark.parametrize("swapped", [False, True])
def test_friction_of_ones_own_acts_on_the_first_body(swapped):
    """A belt that carries the ball along; named the other way round it carries the ground, and the ball goes back."""
    model = ball(jd.HertzContact(stiffness=1e6), belt(2.0, 0.5), swapped=swapped).compile()
    depth = (2.0 * 9.81 / 1e6) ** (2 / 3)
    state = thrown(model, -depth)
    a = model.forward_dynamics(state)
    assert a[3] == pytest.approx((-1.0 if swapped else 1.0) * 2.0 * 0.5 * 9.81, rel=1e-9)
    run = jd.simulate(model, state, until=1e-3, step=1e-4)
    force = run.contact["touch"].force.values[0]
    assert force == pytest.approx((2.0 * 9.81, 0.0, -19.62 if swapped else 19.62), rel=1e-9)


def test_a_law_senses_force_and_torque():
    """What it sums up is the momentum gained, and the spin, since torques are about the centre of the ball."""
    model = ball(jd.HertzContact(stiffness=1e6, restitution=0.6), jd.BristleFriction(**FRICTION)).compile()
    state = thrown(model, 1e-4, (0.05, 0.0, -0.2), (0.0, 0.4, 0.0))
    run = jd.simulate(model, state, until=0.02, step=1e-4, controller=feel)
    frame = run.frame("ball.origin")
    linear = 2.0 * (frame.velocity.values - frame.velocity.values[0])
    linear[:, 2] += 2.0 * 9.81 * run.record.time
    felt = run.record.z[:, -6:]
    assert np.abs(felt[-1, :3]).max() > 0.1 and abs(felt[-1, 4]) > 1e-4
    # velocities are in the axes of the body, which turns: equal to the order of rk4
    assert felt[:, :3] == pytest.approx(linear, abs=1e-9)
    spin = 0.008 * (frame.angular_velocity.values - frame.angular_velocity.values[0])
    assert felt[:, 3:] == pytest.approx(spin, abs=1e-12)


def test_a_law_answers_what_it_senses():
    """A controller that takes the contact force back lets the ball fall through the ground."""
    model = ball(jd.HertzContact(stiffness=1e6, restitution=0.6)).compile()
    run = jd.simulate(model, thrown(model, 1e-4, (0, 0, -0.2)), until=0.02, step=1e-4, controller=answer(1.0))
    t = run.record.time
    assert run.q["free.z"].values == pytest.approx(0.1001 - 0.2 * t - 0.5 * 9.81 * t**2, abs=1e-12)
    assert run.contact["touch"].normal_force.max() > 10.0


def test_a_law_that_senses_no_such_contact():
    model = ball(jd.HertzContact(stiffness=1e6)).compile()
    wrong = jd.law(contacts=("tuoch",))(lambda t, q, v, z, s, p, effort, dz: None)
    with pytest.raises(jd.errors.ModelError, match='tuoch: no such contact; did you mean "touch"'):
        jd.simulate(model, model.state(), until=1.0, step=0.1, controller=wrong)


def test_adhesion():
    """A damped spring pulls while the shapes part, if it may; then it takes more energy."""
    leaving = {}
    for adhesive in (False, True):
        model = ball(jd.contact.LinearContact(stiffness=1e5, damping=200.0, adhesive=adhesive), gravity=0.0).compile()
        run = jd.simulate(model, thrown(model, 1e-5, (0, 0, -0.2)), until=0.05, step=1e-5)
        least = float(run.contact["touch"].normal_force.min())
        assert (least < -1.0) if adhesive else (least == 0.0)
        assert np.max(np.abs(run.energy["balance"])) < 1e-3 * float(run.energy["kinetic"][0])
        leaving[adhesive] = run.record.v[-1, 5]
    # m x'' + c x' + k x = 0 from x = 0 back to x = 0: exp(-pi zeta / sqrt(1 - zeta^2))
    zeta = 200.0 / (2.0 * math.sqrt(1e5 * 2.0))
    assert leaving[True] == pytest.approx(0.2 * math.exp(-math.pi * zeta / math.sqrt(1 - zeta**2)), rel=1e-3)
    assert leaving[False] > leaving[True]


@pytest.mark.filterwarnings("ignore::jourdain.errors.TrustWarning")
@pytest.mark.parametrize("law", [jd.HertzContact, jd.contact.LinearContact])
def test_relaxation_keeps_coarse_steps_from_making_energy(law):
    """Two steps an impact: how deep the first finds the ball decides how it leaves, up to faster than it came.

    Relaxed, the ball leaves as if it had been found at the surface, wherever that was.
    """
    leaving = {}
    for relaxation in (None, 0.5):
        if law is jd.HertzContact:
            normal = law(stiffness=1e7, restitution=1.0, relaxation=relaxation)
        else:
            normal = law(stiffness=5e5, relaxation=relaxation)
        model = ball(normal, gravity=0.0).compile()
        states = [thrown(model, h, (0, 0, -0.5)) for h in np.linspace(1e-5, 1.96e-3, 16)]
        many = jd.simulate_many(model, states, until=0.1, step=4e-3)
        leaving[relaxation] = many.v["free.vz"].values[:, -1] / 0.5
    assert leaving[None].max() > 1.1
    assert leaving[0.5].max() < 1.0
    assert np.ptp(leaving[0.5]) < 0.1 * np.ptp(leaving[None])


def test_laws_and_models_pickle():
    model = ball(hertz(1e6, 0.3, 1e-3), bristles(*FRICTION.values())).compile()
    copy = pickle.loads(pickle.dumps(model))
    assert copy.hash == model.hash
    state = thrown(model, **THROW)
    one, other = (jd.simulate(m, state, until=0.01, step=1e-4) for m in (model, copy))
    assert np.array_equal(one.record.v, other.record.v)


def test_what_a_law_prints():
    assert repr(hertz(1e6, 0.5, 1e-3)) == "hertz(1e+06, 0.5, 0.001)"
    assert repr(hertz) == "contact law hertz"
