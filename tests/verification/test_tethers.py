"""Tethers against theory: libration, tension, deployment, current, collision; and the short electrodynamic tether of
Valverde, Escalona, Mayo & Dominguez (NATO ASI 2002), with the numbers of its digest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.model.bodies import body_of

ORBIT = jd.Orbit(altitude=400e3)
n = ORBIT.mean_motion
LENGTH, LINE, END = 1000.0, 0.02, 100.0
"""Length [m], mass a length [kg/m] and end mass [kg] of a tether."""


def hanging(orbit: jd.Orbit = ORBIT) -> jd.Model:
    """A tether on the local vertical, its lower end on the orbit and a subsatellite at the other."""
    system = jd.System("hanging", environment=orbit)
    system.add(jd.Cable("tether", LENGTH, LINE, EA=1e5, EI=0.0, elements=8, root="pinned"), jd.Weld("station"))
    small = jd.RigidBody("sub", mass=END, inertia=(1e-3,) * 3)
    system.add(small, jd.Spherical("swivel"), to="tether.tip")
    return system.compile()


def test_a_tether_librates_and_is_under_tension():
    """sqrt(3) n in the plane and 2 n across it; T(x) = 3 n^2 (m L + rho (L^2 - x^2) / 2), all to L / R = 1.5e-4."""
    model = hanging()
    at = model.equilibrium(model.state()).state
    line = body_of(model, "tether")
    x = np.linspace(0.0, LENGTH, 9)
    own = [model.index.q[f"tether.{name}"] for name in line.internal]
    _, tension = line.tension(at.q[None, own], np.zeros((1, len(own))), x)
    wanted = 3.0 * n**2 * (END * LENGTH + 0.5 * LINE * (LENGTH**2 - x**2))
    np.testing.assert_allclose(tension[0], wanted, rtol=1e-3)
    modes = model.frequencies(at).rad / n
    for theory in (np.sqrt(3.0), 2.0):
        assert np.min(np.abs(modes - theory)) < 1e-3


@pytest.mark.parametrize("rate", [0.3, -0.15])
def test_in_plane_angle_while_the_length_changes(rate):
    """theta'' + 2 (l'/l) (theta' + n) + 3 n^2 sin theta cos theta = 0 of a dumbbell whose end on the orbit pays out
    or winds in exponentially, l = l_0 exp(c t): out, it rests at sin 2 theta = -4 c / (3 n); in, it swings up."""
    c = rate * n
    times = np.linspace(0.0, 0.6 * ORBIT.period, 400)
    lengths = 200.0 * np.exp(c * times)
    system = jd.System("paid out", environment=ORBIT)
    system.add(jd.RigidBody("reel", mass=1e-6, inertia=(1e-6,) * 3), jd.Revolute("pitch", axis="z"))
    system.add(jd.RigidBody("sub", mass=END, inertia=(1e-3,) * 3), jd.Prismatic("line", axis="x"), to="reel.origin")
    model = system.compile()
    rest = 0.5 * np.arcsin(-4.0 * rate / 3.0)
    paid = jd.Table(times, lengths, speeds=(c * lengths[0], c * lengths[-1]))
    for first in (rest, 0.2):
        state = model.state({"pitch": first, "line": lengths[0]}, {"line": c * lengths[0]})
        run = jd.simulate(model, state, until=times[-1], motions={"line": paid}, progress=False, output=times[-1] / 50)

        def dumbbell(t, y):
            return [y[1], -2.0 * c * (y[1] + n) - 3.0 * n**2 * np.sin(y[0]) * np.cos(y[0])]

        truth = solve_ivp(dumbbell, (0.0, times[-1]), [first, 0.0], t_eval=run.time, rtol=1e-10, atol=1e-12).y[0]
        # what is left out is l / R, and the moment of inertia of the reel
        assert np.max(np.abs(run.q["pitch"].values - truth)) < 5e-4
        if first == rest:
            assert np.max(np.abs(run.q["pitch"].values - rest)) < 5e-4


def test_a_current_tilts_a_tether():
    """In an equatorial orbit in the field of an axial dipole B is constant, and the tether rests where the moment of
    the force, I B L^2 / 2, is that of the gravity gradient, 3/2 n^2 J sin 2 theta."""
    current = 2.0
    orbit = jd.Orbit(400e3, dipole=(0.0, 0.0, -7.7e15))
    system = jd.System("tilted", environment=orbit)
    stiff = jd.Beam("tether", LENGTH, LINE, EA=1e9, EI=1e9, GJ=1e9, modes=jd.Modes(bending=1))
    system.add(stiff, jd.Revolute("pitch", axis="z"))
    system.add(jd.RigidBody("sub", mass=END, inertia=(1e-3,) * 3), jd.Weld("end"), to="tether.tip")
    system.force("drag", "tether", jd.Electrodynamic(current=current))
    model = system.compile()
    pitch = model.equilibrium(model.state()).state.q[model.index.q["pitch"]]
    B = np.linalg.norm(orbit.magnetic_field())
    J = END * LENGTH**2 + LINE * LENGTH**3 / 3.0
    # I t x B is backwards for a current upwards in a field to the north
    assert pitch == pytest.approx(-0.5 * np.arcsin(current * B * LENGTH**2 / 2.0 / (1.5 * n**2 * J)), rel=2e-3)


def test_a_law_of_the_current_damps_the_libration():
    """Current by the libration's own rate takes its energy: I = k theta' on 10 km, a half of its decay time pi / 2."""

    @jd.law(markers=("tether.tip",))
    def damper(t, q, v, z, s, p, effort, dz):
        x, y = s[0], s[1]
        effort[0] += p[0] * (x * s[11] - y * s[10]) / (x * x + y * y)

    amplitudes = []
    for gain in (0.0, 2e3):
        orbit = jd.Orbit(400e3, dipole=(0.0, 0.0, -7.7e15))
        system = jd.System("damped", environment=orbit)
        stiff = jd.Beam("tether", LENGTH, LINE, EA=1e9, EI=1e9, GJ=1e9, modes=jd.Modes(bending=0))
        system.add(stiff, jd.Revolute("pitch", axis="z"))
        system.add(jd.RigidBody("sub", mass=END, inertia=(1e-3,) * 3), jd.Weld("end"), to="tether.tip")
        system.force("drag", "tether", jd.Electrodynamic(current=damper(gain)))
        model = system.compile()
        run = jd.simulate(model, model.state({"pitch": 0.05}), until=ORBIT.period, progress=False, output=20.0)
        swing = run.q["pitch"].values
        amplitudes.append(np.ptp(swing[-160:]) / 2.0)
    # J theta'' + k B L^2 / 2 theta' + 3 n^2 J theta = 0
    J = END * LENGTH**2 + LINE * LENGTH**3 / 3.0
    decay = 2e3 * np.linalg.norm(orbit.magnetic_field()) * LENGTH**2 / 2.0 / (2.0 * J)
    assert amplitudes[0] == pytest.approx(0.05, rel=5e-3)
    assert decay * ORBIT.period > 0.3
    last = ORBIT.period - 160 * 20.0
    assert 0.9 * np.exp(-decay * ORBIT.period) < amplitudes[1] / 0.05 < np.exp(-decay * last)


def test_a_tether_meets_a_body():
    """A flying cable with balls along it meets a free ball: momentum is kept, and the balance closes."""
    system = jd.System("meeting")
    system.add(jd.Cable("tether", 4.0, 0.1, EA=200.0, EI=0.01, elements=8, root="free"), jd.Weld("w"))
    system.add(jd.RigidBody("ball", mass=0.5, inertia=(2e-3,) * 3), jd.Free("free"), position=(2.0, 0.5, 0.0))
    law = jd.contact.LinearContact(stiffness=2e3, damping=1.0)
    for k in range(9):
        balls = jd.Sphere(0.05).at(f"tether.node[{k}]"), jd.Sphere(0.2).at("ball.origin")
        system.contact(f"touch{k}", *balls, normal=law)
    model = system.compile()
    state = model.state()
    for name, k in model.index.v.items():
        if name.startswith("tether.y["):
            state.v[k] = 1.0
    run = jd.simulate(model, state, until=1.5, method="rk4", step=2e-4, output=0.01, progress=False)
    first, last = (model.momentum(run.state(i)) for i in (0, -1))
    np.testing.assert_allclose(last.linear, first.linear, atol=1e-9)
    assert np.max(jd.quantity(run, "contact:touch4.force").values) > 1.0
    assert run.frame("ball.origin").path[-1, 11] > 0.2
    assert abs(run.energy["balance"].values[-1]) < 1e-5  # of 0.2 J, at a step of 0.2 ms
