"""Beams that deploy and loads that travel: against independent references, theory, and the numbers of Chen (1999)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from emerging_elements import emerge
from scipy.integrate import solve_ivp

import jourdain as jd

EI, DENSITY = 10.0, 0.5
LENGTHS = (0.9, 2.1)


def cycloid(start, end, duration):
    """The profile of `jd.Cycloid`: value, rate, acceleration."""

    def profile(t):
        x, w = min(max(t / duration, 0.0), 1.0), 2 * np.pi
        rise = (end - start) / duration
        value = start + rise * duration * (x - np.sin(w * x) / w)
        return value, rise * (1 - np.cos(w * x)), rise / duration * w * np.sin(w * x)

    return profile


def eigenmode(length):
    """Deflection and slope of a cantilever in its first mode, 10 mm at the tip: smooth, so that references converge."""
    beam = jd.Beam("mode", length, 1.0, EA=1.0, EI=1.0, GJ=1.0, modes=jd.Modes(bending_y=1), basis="clamped-free")
    return lambda x: (0.01 * beam.shapes(x).v[0], 0.01 * beam.shapes(x, 1).v[0])


@cache
def deployed(start, end, modes=4, tip_mass=0.0, duration=1.0, until=2.0, deployment="emerging", basis="polynomial"):
    """A run of a cantilever that deploys, in its first mode, or what its shapes make of that, at first."""
    system = jd.System("boom")
    boom = jd.DeployableBeam(
        "boom", length=LENGTHS, mass_per_length=DENSITY, EA=1e6, EI=EI, GJ=1.0, basis=basis,
        modes=jd.Modes(bending_y=modes), deployment=deployment,
    )  # fmt: skip
    system.add(boom, jd.Weld("guide"))
    if tip_mass:
        system.add(jd.RigidBody("tip", tip_mass), jd.Weld("grip"), to="boom.tip")
    model = system.compile()
    xi = np.linspace(0.0, 1.0, 201)
    amplitudes = np.linalg.lstsq(boom.unit.shapes(xi).v.T, eigenmode(start)(start * xi)[0])[0]
    bent = {f"boom.bending_y[{k}]": e for k, e in enumerate(amplitudes)}
    state = model.state(q={"boom.length": start} | bent)
    motions = {"boom.length": jd.Cycloid(to=end, duration=duration)}
    return jd.simulate(model, state, until=until, motions=motions, output=0.01)


def tip_of(run):
    return run.frame("boom.tip").position.sel(axis="y").values


@pytest.mark.parametrize(
    ("start", "end", "tip_mass"),
    [
        pytest.param(1.0, 2.0, 0.3, id="extension-0.3"),
        pytest.param(2.0, 1.0, 0.0, id="retrieval-0.0"),
        pytest.param(1.0, 2.0, 0.0, id="extension-0.0", marks=pytest.mark.slow),
        pytest.param(2.0, 1.0, 0.3, id="retrieval-0.3", marks=pytest.mark.slow),
    ],
)
def test_against_elements_fixed_to_the_material(start, end, tip_mass):
    """Fast: the beam doubles or halves its length within one or two of its periods.

    The reference, with elements of a twentieth of a metre, is itself converged to 0.03 % of the amplitude, and five
    shapes with a tip mass to 0.08 %.
    """
    run = deployed(start, end, 5, tip_mass)
    path = emerge(cycloid(start, end, 1.0), eigenmode(start), EI, DENSITY, 2.0, 0.05, 1e-3, tip_mass)
    theirs = np.interp(run.time, path.time, path.tip)
    assert np.max(np.abs(tip_of(run) - theirs)) < 0.002 * np.max(np.abs(theirs))
    # of the motion across, once the length rests; retrieval puts energy in, extension takes it out
    energy = run.energy["strain"][-1] + run.energy["kinetic"][-1]
    growth = float(energy / run.energy["strain"][0])
    assert growth == pytest.approx(path.energy[-1] / path.energy[0], rel=0.002)
    assert growth > 3.0 if end < start else growth < 0.4


def test_more_shapes_converge():
    fine = tip_of(deployed(2.0, 1.0, 7))
    errors = [np.max(np.abs(tip_of(deployed(2.0, 1.0, n)) - fine)) / np.max(np.abs(fine)) for n in (1, 2, 3, 4)]
    assert all(after < 0.5 * before for before, after in zip(errors, errors[1:], strict=False))
    assert errors[3] < 2e-3


@pytest.mark.parametrize(("deployment", "power"), [("emerging", 0.5), ("stretch", 0.75)])
@pytest.mark.parametrize(("start", "end"), [(1.0, 2.0), (2.0, 1.0)], ids=["extension", "retrieval"])
def test_slow_deployment_keeps_the_action(deployment, power, start, end):
    """E / omega is an adiabatic invariant (Einstein 1911; Landau & Lifshitz, Mechanics, section 49).

    The frequency is as l^-2 of a beam that emerges (its mass grows) and l^-3/2 of one that stretches, so the amplitude
    is as l^1/2 and l^3/4. Errors are of the order of the change of the length in a period.
    """
    run = deployed(start, end, 1, 0.0, 40.0, 44.0, deployment)
    amplitude = np.max(np.abs(tip_of(run)[run.time.values > 40.0]))
    assert amplitude / abs(tip_of(run)[0]) == pytest.approx((end / start) ** power, rel=1e-3)
    energy = run.energy["strain"] + run.energy["kinetic"]
    exponent = -2.0 if deployment == "emerging" else -1.5
    assert float(energy[-1] / energy[0]) == pytest.approx((end / start) ** exponent, rel=1e-3)


@cache
def module(modes=1):
    """Case 4-11: a module of two links at the tip of the flexible platform, payload 400 kg, joint 1e4 N m/rad."""
    system = jd.System("4-11")
    platform = jd.Beam(
        "platform", 120.0, 1000.0, EA=1e12, EI=5.5e8, GJ=1e9, modes=jd.Modes(bending_y=1), basis="free-free",
        frames={"base": 1.0}, inertia_per_length=1000.0,
    )  # fmt: skip
    system.add(platform, jd.Free("orbit"))
    system.add(
        jd.RigidBody("rotor", 20.0, inertia=(10, 10, 10)), jd.Weld("base"), to="platform.base", position=(0, 1.5, 0)
    )
    link = jd.DeployableBeam(
        "module", length=(7.5, 15.0), mass=400.0, EA=1e9, EI=5.5e4, GJ=1e5, modes=jd.Modes(bending_y=modes),
        basis="clamped-free", deployment="stretch", inertia_per_length=1.0,
    )  # fmt: skip
    quarter = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    joint = jd.Revolute("twist", axis="z", stiffness=1e4)
    system.add(link, joint, to="rotor.origin", rotation=quarter)
    system.add(jd.RigidBody("payload", 400.0), jd.Weld("grip"), to="module.tip")
    return system.compile()


def module_lines(length):
    """Frequencies of the module's own motion, joint and link [Hz]: the first two above the platform's rigid ones."""
    model = module()
    found = model.frequencies(model.state(q={"module.length": length}), hold=("module.length",))
    return found.hz


def test_frequencies_of_a_deploying_module():
    """Digest, test 7: e_3 at 1.68 Hz (and 0.077) before, 0.675 Hz (and 0.03 to 0.04) after deployment, to 3 %."""
    before, after = module_lines(7.5), module_lines(15.0)
    assert np.min(np.abs(before / 1.68 - 1.0)) < 0.03
    assert np.min(np.abs(after / 0.675 - 1.0)) < 0.03
    assert np.min(np.abs(before / 0.077 - 1.0)) < 0.05


@pytest.mark.slow
def test_amplitude_of_a_deploying_module():
    """Digest, test 7: from 0.10 m to 0.19 m, within 10 %; the joint from 1.06 to 0.78 degrees.

    The platform moves by 1.2 mm at most: its tip against mid-length, where the free-free function is -0.608, is 1.608
    times that.
    """
    orbit = 2 * np.pi / 1.1314e-3
    model = module()
    state = model.state(q={"module.length": 7.5, "module.bending_y[0]": 0.1})
    start, rise = 0.005 * orbit, 0.005 * orbit
    motions = {"module.length": jd.Cycloid(to=15.0, duration=rise, start=start)}
    run = jd.simulate(model, state, until=0.02 * orbit, motions=motions, output=0.02)
    e3, t = run.q["module.bending_y[0]"].values, run.time.values
    assert np.max(np.abs(e3[t < start])) == pytest.approx(0.10, rel=0.02)
    assert np.max(np.abs(e3[t > start + rise])) == pytest.approx(0.19, rel=0.10)
    twist = np.rad2deg(np.abs(run.q["twist"].values))
    assert np.max(twist[t < start]) == pytest.approx(1.06, rel=0.03)
    assert np.max(twist[t > start + rise]) == pytest.approx(0.78, rel=0.10)
    platform = run.deflection("platform", x=[60.0]).sel(axis="y").values
    assert np.max(np.abs(platform)) / 1.608 == pytest.approx(1.2e-3, rel=0.03)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-7 * float(run.energy["total"][0])


def bridge(modes, mass, gravity, basis="clamped-free"):
    system = jd.System("bridge", gravity=(0.0, -gravity, 0.0))
    beam = jd.Beam("beam", 5.0, 20.0, EA=1e9, EI=4e4, GJ=1e4, modes=modes, basis=basis)
    system.add(beam, jd.Weld("clamp"))
    system.add(jd.RigidBody("car", mass), jd.Rail("rail"), to="beam")
    return system.compile(), beam


@pytest.mark.parametrize(("mass", "speed"), [pytest.param(0.1, 4.0, marks=pytest.mark.slow), (60.0, 4.0), (60.0, -6.0)])
def test_moving_mass_on_a_cantilever(mass, speed):
    """Modal equations of a mass that runs along a beam (Akin & Mofid 1989, eq. 8), solved by themselves:

    (M + m phi phi^T) q'' + 2 m U phi phi'^T q' + (K + m U^2 phi phi''^T) q = -(m g) phi - (own weight).
    The lightest is the moving force of Krylov and Timoshenko. Foreshortening, which those equations leave out, is of
    the square of the slopes.
    """
    weight = 0.04
    model, beam = bridge(jd.Modes(bending_y=4), mass, weight)
    start = 0.2 if speed > 0.0 else 4.8
    until = 4.5 / abs(speed)
    M, K = beam.mass_matrix, beam.stiffness
    x, w = np.polynomial.legendre.leggauss(40)
    own = 20.0 * weight * 2.5 * (beam.shapes(2.5 * (x + 1.0)).v @ w)

    def rates(t, y):
        at = np.array([start + speed * t])
        f, f1, f2 = (beam.shapes(at, d).v[:, 0] for d in range(3))
        load = mass * (weight + 2 * speed * f1 @ y[4:] + speed**2 * f2 @ y[:4])
        return np.concatenate([y[4:], np.linalg.solve(M + mass * np.outer(f, f), -K @ y[:4] - own - load * f)])

    theirs = solve_ivp(rates, (0.0, until), np.zeros(8), "DOP853", rtol=1e-10, atol=1e-14, dense_output=True)
    state = model.state(q={"rail": start}, v={"rail": speed})
    run = jd.simulate(model, state, until=until, motions={"rail": jd.Polynomial((start, speed))}, output=until / 50)
    ours = np.stack([run.q[f"beam.bending_y[{k}]"] for k in range(4)])
    expected = theirs.sol(run.time.values)[:4]
    size = np.max(np.abs(expected))
    assert 1e-5 < size < 0.05
    assert np.max(np.abs(ours - expected)) < 2.0 * (size / 5.0) ** 2 * size + 1e-7 * size


def test_slow_load_bends_the_beam_statically():
    """Under a load P at x a cantilever gives P x^3 / 3 EI there, here by the shapes under the car and the stiffness.

    Polynomials have no kink in their curvature; elements do at their nodes.
    """
    model, beam = bridge(jd.Modes(bending_y=40), 0.1, 0.0, "finite-element")
    own = [i for name, i in model.index.v.items() if name.startswith("beam")]
    for x in (1.0, 2.5, 4.25, 5.0):
        shapes = model.jacobian("car.origin", model.state(q={"rail": x}))[4, own]
        deflection = float(shapes @ np.linalg.solve(beam.stiffness, shapes))
        assert deflection == pytest.approx(x**3 / (3 * 4e4), rel=1e-9)


def test_platform_recoils_from_what_travels_on_it():
    """A car that runs by d along a free platform moves it by -m d / (m + M), however it bends."""
    system = jd.System("platform")
    beam = jd.Beam("platform", 20.0, 5.0, EA=1e8, EI=3e4, GJ=1e4, modes=jd.Modes(bending_y=3), basis="free-free")
    system.add(beam, jd.Free("free"))
    system.add(jd.RigidBody("car", 30.0), jd.Rail("rail"), to="platform", position=(0.0, 0.5, 0.0))
    model = system.compile()
    state = model.state(q={"rail": -8.0})
    run = jd.simulate(model, state, until=20.0, motions={"rail": jd.Cycloid(to=8.0, duration=10.0)}, output=0.1)
    centre = [model.centre_of_mass(run.state(i)) for i in range(0, len(run.time), 20)]
    np.testing.assert_allclose(centre, np.broadcast_to(centre[0], (len(centre), 3)), atol=1e-8)
    moved = float(run.q["free.x"][-1] - run.q["free.x"][0])
    # up to what the turn of the platform, and the vibration that remains, make of it
    assert moved == pytest.approx(-30.0 * 16.0 / 130.0, rel=0.02)
    assert np.max(np.abs(run.q["platform.bending_y[0]"].values)) > 1e-4
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * float(run.energy["kinetic"].max())
