"""Winches against theory: drum and weight, hanging cable, spinning and orbiting tethers, two weights over a pulley."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
"""Turns x downwards."""
G = 9.81
MU, EARTH = 3.986004418e14, 6378137.0


def hanging(name, elements, length, load, density, EA, pull):
    """Coordinates of a straight cable with a load on its end, in the steady state under an acceleration [m/s^2]."""
    q = {}
    for k, x in enumerate(np.linspace(0.0, length, elements + 1)):
        q[f"{name}.dx[{k}]"] = pull * (load + density * (length - x)) / EA
        if k:
            q[f"{name}.x[{k}]"] = pull * (load * x + density * (length * x - 0.5 * x**2)) / EA
    return q


@pytest.mark.parametrize("EA", [1e4, 1e5])
def test_a_weight_turns_the_drum(EA):
    # a = m g R^2 / (I + m R^2) of the weight; the cable stretches by eps and has 1 to 2 thousandths of its mass: the
    # angle is off by a few of both
    m, R, inertia, density = 10.0, 0.2, 0.3, 1e-2
    system = jd.System("hoist", gravity=(0, 0, -G))
    rope = jd.Cable("rope", length=4.0, mass_per_length=density, EA=EA, EI=1e-3, elements=1)
    system.add(rope, jd.Winch("drum", radius=R, inertia=inertia, deployed=1.0), rotation=DOWN)
    system.add(jd.RigidBody("load", m, inertia=(0.1, 0.1, 0.1)), jd.Weld("hook"), to="rope.tip")
    model = system.compile()
    a = m * G * R**2 / (inertia + m * R**2)
    stretch = m * (G - a) / EA
    state = model.state(q=hanging("rope", 1, 1.0, m, 0.0, EA, G - a))
    run = jd.simulate(model, state, until=0.6, method="rk4", step=5e-5, output=0.1)
    exact = 0.5 * a / R * run.time.values**2
    # the cable out, 1 to 2.3 m, adds its mass: rho l (1 to 2.3 m) of I / R^2 + m
    allowed = 3.0 * stretch + 2.3 * density / m
    assert abs(run.q["drum"].values[-1] / exact[-1] - 1.0) < allowed
    assert np.max(np.abs(run.energy["balance"])) < 1e-7


def test_a_cable_that_is_let_out_hangs_on_its_weight():
    # at a steady rate every particle moves without acceleration: the tension is the weight below
    density, load, EA, rate, R = 0.5, 2.0, 5e4, 1.0, 0.5
    system = jd.System("well", gravity=(0, 0, -G))
    rope = jd.Cable("rope", 8.0, density, EA, EI=1e-3, elements=4, root="pinned", damping=2e-3)
    system.add(rope, jd.Winch("drum", radius=R, inertia=0.1, deployed=4.0), rotation=DOWN)
    system.add(jd.RigidBody("load", load, inertia=(1e-3, 1e-3, 1e-3)), jd.Weld("hook"), to="rope.tip")
    model = system.compile()
    state = model.state(q=hanging("rope", 4, 4.0, load, density, EA, G), v={"drum": rate / R})
    motion = {"drum": jd.Polynomial((0.0, rate / R))}
    run = jd.simulate(model, state, until=3.0, method="rk4", step=2e-4, output=0.5, motions=motion)
    length = jd.quantity(run, "length:rope").values
    np.testing.assert_allclose(length, 4.0 + rate * run.time)
    # the start, without the speeds of the stretch, rings at 68 rad/s and dies as exp(-4.6 t): 1e-3 at first, 1e-6 then;
    # the load gains speed by the stretch of what comes off the drum, n' / EA l = 1e-4 m/s a second: 1e-5 g
    tension = run.tension("rope", [0.0, 0.5, 1.0]).values[3:]
    weight = G * (load + density * length[3:, None] * np.array([1.0, 0.5, 0.0]))
    np.testing.assert_allclose(tension, weight, rtol=2e-5)
    # the drum feels R n (1 + eps / 2)
    n = weight[:, 0]
    np.testing.assert_allclose(run.effort["drum"].values[3:], -R * n * (1.0 + 0.5 * n / EA), rtol=2e-5)
    # the motor takes what the weight loses
    assert np.max(np.abs(run.energy["balance"])) < 1e-10 * np.max(np.abs(run.energy["work"]))


@pytest.mark.parametrize("elements", [2, 4])
def test_a_spinning_tether_spins_up_as_it_is_wound_in(elements):
    # no moment about the outlet: (rho l r^2 / 3 + m r^2) omega is kept, r the stretched radius of the end; without
    # the mass that leaves, omega would rise by 4.00 and not by 4.19
    m, density, EA, l = 2.0, 0.06, 2e5, 10.0
    system = jd.System("tether")
    rope = jd.Cable("rope", l, density, EA, EI=1e-4, elements=elements, root="pinned")
    system.add(rope, jd.Winch("drum", radius=1.0))
    system.add(jd.RigidBody("load", m), jd.Weld("hook"), to="rope.tip")
    model = system.compile()
    q, v = {}, {}
    for k, x in enumerate(np.linspace(0.0, l, elements + 1)):
        stretch = (m * l + 0.5 * density * (l**2 - x**2)) / EA
        moved = (m * l * x + 0.5 * density * (l**2 * x - x**3 / 3.0)) / EA
        q[f"rope.dx[{k}]"], v[f"rope.dy[{k}]"] = stretch, 1.0 + stretch
        if k:
            q[f"rope.x[{k}]"], v[f"rope.y[{k}]"] = moved, x + moved
    state = model.state(q=q, v=v)
    motion = {"drum": jd.Cycloid(to=-5.0, duration=10.0)}
    run = jd.simulate(model, state, until=10.0, method="rk4", step=4e-4 / elements, output=1.0, motions=motion)
    kept = [model.momentum(run.state(i)).angular[2] for i in (0, 5, 10)]
    np.testing.assert_allclose(kept, kept[0], rtol=1e-10)
    assert np.max(np.abs(run.energy["balance"])) < 1e-8 * run.energy["kinetic"].values[0]
    end = run.frame("load.origin")
    r, u = end.position.values, end.velocity.values
    radius = np.linalg.norm(r, axis=1)
    omega = np.cross(r, u)[:, 2] / radius**2
    out = jd.quantity(run, "length:rope").values
    expected = kept[0] / ((density * out / 3.0 + m) * radius**2)
    # the Coriolis force 2 rho l' omega bows the cable out by rho l' / (4 m omega) of its length, 4e-3 at l' = 1 m/s,
    # and the cable has a tenth of the inertia
    np.testing.assert_allclose(omega, expected, rtol=4e-4)
    assert omega[-1] == pytest.approx(4.19, rel=2e-3)


@pytest.mark.parametrize("rate", [0.2, -0.2])
def test_a_tether_leans_while_its_length_grows(rate):
    # theta'' + 2 (l' / l) (theta' + n) + 3 n^2 sin theta cos theta = 0: with l' = c l, sin 2 theta = -4 c / (3 n)
    radius = EARTH + 400e3
    n = np.sqrt(MU / radius**3)
    m, EA, near, far = 10.0, 20.0, 100.0, 200.0
    first, last = (near, far) if rate > 0 else (far, near)
    system = jd.System("deployment", environment=jd.Orbit(altitude=400e3))
    tether = jd.Cable("tether", 201.0, 1e-6, EA, EI=1e-3, elements=2, root="pinned", damping=0.2)
    tether = system.add(tether, jd.Winch("reel", axis="z", radius=1.0, deployed=first))
    system.add(jd.RigidBody("satellite", m), jd.Weld("clamp"), to="tether.tip")
    model = system.compile()
    theta, c = -0.5 * np.arcsin(4.0 * rate / 3.0), rate * n
    tension = m * first * n**2 * (3.0 * np.cos(theta) ** 2 - rate**2)
    along = (1.0 + tension / EA) * np.array([np.cos(theta), np.sin(theta), 0.0])
    v = {"reel": c * first}
    for k in (1, 2):
        moved = 0.5 * k * c * first * (along - [1.0, 0.0, 0.0])
        v |= {f"tether.{axis}[{k}]": one for axis, one in zip("xyz", moved)}
    state = model.state(q=tether.laid(lambda s: s * along), v=v)
    until = np.log(2.0) / abs(c)
    times = np.linspace(0.0, until, 400)
    law = jd.Table(times, first * (np.exp(c * times) - 1.0), speeds=(c * first, c * last))
    run = jd.simulate(
        model, state, until=until, method="radau", rtol=1e-7, atol=1e-9, output=until / 10, motions={"reel": law}
    )
    place = run.frame("satellite.origin").position.values
    angle = np.arctan2(place[:, 1], place[:, 0])
    # the tether stretches by 4e-4, which the law of its length does not know: in winding in it swings by a fraction
    np.testing.assert_allclose(angle, theta, rtol=1e-3)
    found = run.tension("tether", [0.0]).values[:, 0]
    np.testing.assert_allclose(found, tension * jd.quantity(run, "length:tether").values / first, rtol=2e-3)


def test_two_weights_over_a_pulley():
    # y'' = g (m1 - m2 + rho (l1 - l2 + 2 y)) / (m1 + m2 + I / R^2 + rho (l1 + l2)): cosh; off by the stretch, 1.5e-4
    R, inertia, density, EA, sides = 0.2, 0.3, 0.1, 2e5, {"left": (3.0, 2.0), "right": (2.0, 3.0)}
    system = jd.System("Atwood", gravity=(0, 0, -G))
    (m1, l1), (m2, l2) = sides.values()
    moving = m1 + m2 + inertia / R**2 + density * (l1 + l2)
    a, k = G * (m1 - m2 + density * (l1 - l2)) / moving, np.sqrt(2.0 * density * G / moving)
    q = {}
    for name, (m, l) in sides.items():
        turns = inertia if name == "left" else 0.0
        drum = jd.Winch(name, radius=R, inertia=turns, deployed=l, stored=False)
        rope = jd.Cable(f"{name} rope", 5.0, density, EA, EI=1e-4, elements=1, root="pinned")
        system.add(rope, drum, position=(0.0, R if name == "left" else -R, 0.0), rotation=DOWN)
        load = jd.RigidBody(f"{name} load", m, inertia=(1e-3, 1e-3, 1e-3))
        system.add(load, jd.Weld(f"{name} hook"), to=f"{name} rope.tip")
        q |= hanging(f"{name} rope", 1, l, m, density, EA, G - a if name == "left" else G + a)
    system.couple("pulley", {"left": 1.0, "right": 1.0})
    model = system.compile()
    run = jd.simulate(model, model.state(q=q), until=1.0, method="rk4", step=1e-4, output=0.2)
    exact = a / k**2 * (np.cosh(k * run.time.values) - 1.0)
    np.testing.assert_allclose(R * run.q["left"].values[1:], exact[1:], rtol=1.5e-4)
    np.testing.assert_allclose(run.q["right"], -run.q["left"], atol=1e-9)


@pytest.mark.slow
def test_errors_fall_with_the_fourth_power_of_the_elements():
    def end(elements):
        density, load, EA, l = 0.5, 0.5, 3e3, 4.0
        system = jd.System("swing", gravity=(0, 0, -G))
        rope = jd.Cable("rope", l, density, EA, EI=1.0, elements=elements, root="pinned", damping=5e-3)
        system.add(rope, jd.Winch("drum", radius=0.5), rotation=DOWN)
        system.add(jd.RigidBody("load", load, inertia=(0.01, 0.01, 0.01)), jd.Spherical("hook"), to="rope.tip")
        model = system.compile()
        v = {f"rope.y[{k}]": (k / elements) ** 2 for k in range(1, elements + 1)}
        v |= {f"rope.dy[{k}]": 2.0 * k / elements / l for k in range(elements + 1)}
        state = model.state(q=hanging("rope", elements, l, load, density, EA, G), v=v)
        motion = {"drum": jd.Cycloid(to=-1.0, duration=2.0)}
        run = jd.simulate(model, state, until=2.0, method="rk4", step=1e-4, output=1.0, motions=motion)
        return run.frame("load.origin").position.values[-1]

    exact = end(16)
    errors = [np.linalg.norm(end(count) - exact) for count in (2, 4, 8)]
    assert errors[0] < 2e-3
    assert np.all(np.log2(np.divide(errors[:-1], errors[1:])) > 3.8), errors
