"""The manipulator experiment of Gonthier 2007, section 5.1.4, on a stand-in arm with the contact of Table 5.4.

The record of the experiment is lost. What is left of it: stiffness 2.5413e8 N/m^1.5, restitution 0.85, static and
kinetic friction 0.16 and 0.10; commands of -2 mm/s and +1 mm/s; force accommodation with a dead band of 10 N and 10 N
for each mm/s.
"""

import math

import numpy as np
import pytest

import jourdain as jd

LENGTHS, MASSES = (0.9, 0.7, 0.3), (40.0, 25.0, 8.0)
START = (1.1, -1.2, -1.0)
STIFFNESS, LOAD, RADIUS, GAP = 2.5413e8, 30.0, 0.03, 1e-3
TIP = sum(l * np.sin(a) for l, a in zip(LENGTHS, np.cumsum(START)))
NORMAL = jd.HertzContact(stiffness=STIFFNESS, restitution=0.85, slow_speed=1e-3)


def arm() -> jd.Model:
    """Three joints in the horizontal plane; a plate 1 mm from the ball at the tip, its normal +y."""
    system = jd.System("stand-in arm")
    to = "world"
    for k, (length, mass) in enumerate(zip(LENGTHS, MASSES)):
        across = mass * length**2 / 12
        link = jd.RigidBody(
            f"link{k}", mass, (length / 2, 0, 0), (0.02, across, across), frames={"tip": (length, 0, 0)}
        )
        system.add(link, joint=jd.Revolute(f"joint{k}", axis="z"), to=to)
        to = f"link{k}.tip"
    plate = jd.Plane((0, 1, 0), TIP - RADIUS - GAP).at("world")
    friction = jd.BristleFriction(0.16, 0.10, stiffness=1e5 / LOAD, damping=300.0 / LOAD, stribeck=0.1, dwell=0.01)
    system.contact("plate", jd.Sphere(RADIUS).at(to), plate, normal=NORMAL, friction=friction)
    return system.compile()


@jd.law(states=4, contacts=("plate",))
def accommodate(t, q, v, z, s, p, effort, dz):
    """Stiff PD joints; the first two follow the commanded tip velocity, which gives way to the filtered force z[3].

    p: gains, speed along the plate, time at which the command turns from -2 to +1 mm/s, share of accommodation
    """
    dz[3] = (s[1] - z[3]) / 0.01
    x = p[2] if 1.5 < t < p[3] else 0.0
    y = (-0.002 if t < p[3] else 0.001) + p[4] * 1e-4 * max(z[3] - 10.0, 0.0)
    a1 = START[0] + z[0]
    a2 = a1 + START[1] + z[1]
    a3 = a2 + START[2] + z[2]
    b = -0.7 * math.sin(a2) - 0.3 * math.sin(a3)
    d = 0.7 * math.cos(a2) + 0.3 * math.cos(a3)
    a, c = b - 0.9 * math.sin(a1), d + 0.9 * math.cos(a1)
    dz[0], dz[1], dz[2] = (d * x - b * y) / (a * d - b * c), (a * y - c * x) / (a * d - b * c), 0.0
    for k in range(3):
        gain = 1.0 if k == 0 else 0.3 if k == 1 else 0.1
        effort[k] += gain * (p[0] * (START[k] + z[k] - q[k]) + p[1] * (dz[k] - v[k]))


def press(along: float = 0.0, share: float = 1.0, until: float = 4.0, turn: float = 2.5):
    model = arm()
    law = accommodate(2e6, 2e4, along, turn, share)
    run = jd.simulate(model, model.state(q=START), until=until, step=1e-4, output=1e-2, controller=law)
    return run, run.record.time, run.contact["plate"].force.values


def test_pressed_at_two_millimetres_a_second_it_settles_at_30_newton():
    run, t, force = press()
    on = t[np.flatnonzero(force[:, 1] > 0.0)]
    assert on[0] == pytest.approx(GAP / 2e-3, abs=0.02)  # reached after 0.5 s
    settled = (t > 1.2) & (t < 2.4)
    assert force[settled, 1] == pytest.approx(30.0, abs=0.01)
    depth = run.contact["plate"].depth.values[settled]
    assert depth == pytest.approx((30.0 / STIFFNESS) ** (2 / 3), rel=1e-3)
    assert force[:, 1].max() < 40.0
    assert np.all(force[t > 2.7] == 0.0)  # lifted at 1 mm/s
    assert run.energy.error < 1e-3  # the command jumps within a step


def test_moved_along_the_plate_it_rubs_with_the_identified_friction():
    """mu_C + (mu_S - mu_C) s, s = exp(-(v / v_s)^2): close to static at 10 mm/s, close to kinetic at 250 mm/s."""
    for along, until in ((0.010, 2.4), (0.25, 2.0)):
        run, t, force = press(along, turn=9.0, until=until)
        friction = -force[-1, 0] / force[-1, 1]
        # pressed: the tip turns with the link, so that it slips a little more or less than it is told
        slip = float(run.contact["plate"].slip.values[-1])
        assert slip == pytest.approx(along, rel=0.1)
        assert friction == pytest.approx(0.10 + 0.06 * np.exp(-((slip / 0.1) ** 2)), abs=1e-3)
        assert force[-1, 1] == pytest.approx(30.0, rel=0.05)


def test_without_accommodation_force_grows_with_the_stiffness_in_series():
    """Rigid command of 2 mm/s: joints and contact are springs in a row."""
    run, t, force = press(share=0.0, until=1.0, turn=9.0)
    model = run.model
    J = model.jacobian("link2.tip", run.record.q[-1])[3:5]
    joints = J @ np.diag([1 / 2e6, 1 / 6e5, 1 / 2e5]) @ J.T
    late = t > 0.8
    rate = np.polyfit(t[late], force[late, 1], 1)[0]
    load = float(np.mean(force[late, 1]))
    contact = 1.0 / (1.5 * STIFFNESS ** (2 / 3) * load ** (1 / 3))
    assert rate == pytest.approx(2e-3 / (joints[1, 1] + contact), rel=0.1)  # friction takes its part


def test_stiffness_from_a_kinematic_replay():
    """As the thesis identified it: the recorded approach replayed as a prescribed motion, force over depth fitted."""
    system = jd.System("replay")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("y", axis="y"))
    system.contact("plate", jd.Sphere(RADIUS).at("ball.origin"), jd.Plane((0, 1, 0)).at("world"), normal=NORMAL)
    model = system.compile()
    state = model.state(q={"y": RADIUS + 1e-5}, v={"y": -2e-5})
    motions = {"y": jd.Polynomial((RADIUS + 1e-5, -2e-5))}
    run = jd.simulate(model, state, until=2.0, motions=motions, output=0.01)
    force, depth = run.contact["plate"].normal_force.values, run.contact["plate"].depth.values
    pressed = depth > 1e-6
    exponent, logarithm = np.polyfit(np.log(depth[pressed]), np.log(force[pressed]), 1)
    damping = 1.0 + NORMAL.factor() * 2e-5 / 1e-3  # of so slow a press
    assert exponent == pytest.approx(1.5, abs=1e-9)
    assert np.exp(logarithm) / damping == pytest.approx(STIFFNESS, rel=1e-8)
