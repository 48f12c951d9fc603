"""Motion in orbit against theory: relative motion, libration, tethers, exchange with the orbit, the Jacobi integral."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import jourdain as jd
from jourdain.describe.joints import Joint

ORBIT = jd.Orbit(altitude=400e3)
n = ORBIT.mean_motion


def particle(orbit: jd.Orbit) -> jd.Model:
    system = jd.System("particle", environment=orbit)
    system.add(jd.RigidBody("p", mass=3.0, inertia=(1e-9,) * 3), jd.Free("free"))
    return system.compile()


def satellite(inertia, joint: Joint, orbit: jd.Orbit = ORBIT) -> jd.Model:
    system = jd.System("satellite", environment=orbit)
    system.add(jd.RigidBody("s", mass=1000.0, inertia=inertia), joint)
    return system.compile()


def inertial(orbit: jd.Orbit, time: float, x, u) -> tuple[np.ndarray, np.ndarray]:
    """Geocentric position and velocity of a place and velocity in the orbital frame."""
    f = orbit.frame(time)
    spin = np.array([0.0, 0.0, f.rate])
    return f.position + f.rotation @ x, f.velocity + f.rotation @ (u + np.cross(spin, x))


def test_clohessy_wiltshire():
    """The closed form of relative motion, linear in the distance: the difference is of second order in it.

    Clohessy & Wiltshire 1960: x = (4 - 3c) x0 + s/n u0 + 2/n (1 - c) v0, and so on.
    """
    model = particle(ORBIT)
    x0, u0 = np.array([1.0, -2.0, 0.5]), n * np.array([0.3, -0.4, 0.7])
    t = 1.2 * ORBIT.period
    s, c = np.sin(n * t), np.cos(n * t)
    place = np.array([[4 - 3 * c, 0, 0], [6 * (s - n * t), 1, 0], [0, 0, c]])
    speed = np.array([[s, 2 * (1 - c), 0], [-2 * (1 - c), 4 * s - 3 * n * t, 0], [0, 0, s]]) / n
    misses = []
    for scale in (100.0, 50.0):
        state = model.state(q={"free": jd.Pose(scale * x0)}, v={"free": [0, 0, 0, *(scale * u0)]})
        end = jd.simulate(model, state, until=t, output=t, rtol=1e-12, atol=1e-10).q.values[-1, :3]
        misses.append(end / scale - place @ x0 - speed @ u0)
    assert np.max(np.abs(misses[0])) < 1e-2
    np.testing.assert_allclose(misses[0], 2 * misses[1], atol=1e-3 * np.max(np.abs(misses[0])))


def kepler(mu: float, r, v, t: float) -> np.ndarray:
    """Position on a particle's own ellipse after a time, by Lagrange's coefficients, in extended precision."""
    r, v = np.asarray(r, np.longdouble), np.asarray(v, np.longdouble)
    r0, s = np.sqrt(r @ r), (r @ v) / np.sqrt(np.longdouble(mu))
    a = 1 / (2 / r0 - (v @ v) / mu)
    w = np.sqrt(mu / a**3)
    E = w * t
    for _ in range(50):
        f = E - (1 - r0 / a) * np.sin(E) + s / np.sqrt(a) * (1 - np.cos(E)) - w * t
        E -= f / (1 - (1 - r0 / a) * np.cos(E) + s / np.sqrt(a) * np.sin(E))
    return (1 - a / r0 * (1 - np.cos(E))) * r + (t + (np.sin(E) - E) / w) * v


@pytest.mark.parametrize(("eccentricity", "anomaly"), [(0.0, 0.0), (0.05, 2.0), (0.6, -1.0)])
def test_two_body_truth(eccentricity, anomaly):
    """A particle 120 m off on its own ellipse, one orbit: 7 to 61 km of drift, right to a micrometre."""
    orbit = jd.Orbit(altitude=400e3, eccentricity=eccentricity, true_anomaly=anomaly)
    model = particle(orbit)
    x, u = np.array([100.0, -50.0, 30.0]), np.array([0.1, 0.2, -0.3])
    state = model.state(q={"free": jd.Pose(x)}, v={"free": [0, 0, 0, *u]})
    t = orbit.period
    run = jd.simulate(model, state, until=t, output=t, rtol=1e-12, atol=1e-10)
    f = orbit.frame(t)
    truth = kepler(orbit.mu, *inertial(orbit, 0.0, x, u), t)
    np.testing.assert_allclose(run.q.values[-1, :3], f.rotation.T @ (truth - f.position).astype(float), atol=1e-6)
    scale = np.max(np.abs(run.energy["kinetic"].values))
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9 * scale


def test_oblateness():
    """A particle at the frame's origin against the plain equations of motion about an oblate Earth, one orbit."""
    orbit = jd.Orbit(400e3, 0.01, 0.4, J2=1.08262668e-3, inclination=0.9, argument_of_perigee=0.6)
    model = particle(orbit)
    t = orbit.period
    run = jd.simulate(model, model.state(), until=t, output=t / 4, rtol=1e-12, atol=1e-9)
    i, w = orbit.inclination, orbit.argument_of_perigee
    pole = np.array([np.sin(i) * np.sin(w), np.sin(i) * np.cos(w), np.cos(i)])

    def rates(_, y):
        r = np.sqrt(y[:3] @ y[:3])
        s = y[:3] @ pole / r
        oblate = 1.5 * orbit.J2 * orbit.mu * orbit.radius**2 / r**4
        return np.r_[y[3:], -orbit.mu * y[:3] / r**3 + oblate * ((5 * s * s - 1) * y[:3] / r - 2 * s * pole)]

    f = orbit.frame(0.0)
    start = np.r_[f.position, f.velocity]
    truth = solve_ivp(rates, (0, t), start, "DOP853", run.time.values, rtol=2.5e-14, atol=1e-7).y[:3].T
    for time, there, found in zip(run.time.values, truth, run.q.values[:, :3]):
        f = orbit.frame(time)
        np.testing.assert_allclose(found, f.rotation.T @ (there - f.position), atol=1e-5)
    assert np.linalg.norm(run.q.values[-1, :3]) > 10e3
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9 * np.ptp(run.energy["gravity"].values)


@pytest.mark.parametrize("joint", [jd.Spherical("a"), jd.Free("a")], ids=["prescribed orbit", "coupled"])
def test_libration_frequencies(joint):
    """Pitch n sqrt(3 (Iy - Ix) / Iz), x vertical and z along the orbit normal; roll and yaw from
    s^4 - (1 + 3 k_r + k_y k_r) s^2 + 4 k_y k_r = 0 (Hughes 1986, section 9.2); in-plane and cross-track motion at n."""
    x, y, z = 300.0, 900.0, 1000.0
    found = satellite((x, y, z), joint)
    found = found.frequencies(found.state())
    roll, yaw = (z - x) / y, (z - y) / x
    coupled = np.sqrt(np.roots([1, -(1 + 3 * roll + yaw * roll), 4 * yaw * roll]))
    expected = [*coupled, np.sqrt(3 * (y - x) / z), *([1, 1] if joint.kind == "free" else [])]
    np.testing.assert_allclose(found.rad / n, np.sort(expected), rtol=1e-7)
    np.testing.assert_allclose(found.damping, 0, atol=1e-9)


def test_an_unstable_attitude_is_found():
    """The stable axis across: the yaw-roll product is negative, and the motion grows."""
    model = satellite((300.0, 1100.0, 1000.0), jd.Spherical("a"))
    found = model.frequencies(model.state())
    assert np.sum(found.damping < -0.99) == 1


@pytest.mark.parametrize("amplitude", [0.1, 0.8, 1.4])
def test_large_pitch(amplitude):
    """psi'' + 3/2 n^2 k sin 2 psi = 0: a pendulum, of period 4 K(sin^2 a) / (n sqrt(3 k))."""
    x, y, z = 300.0, 900.0, 1000.0
    model = satellite((x, y, z), jd.Revolute("pitch", axis="z"))
    period = 4 * ellipk(np.sin(amplitude) ** 2) / (n * np.sqrt(3 * (y - x) / z))
    run = jd.simulate(model, model.state(q={"pitch": amplitude}), until=period, output=period / 4, rtol=1e-11)
    np.testing.assert_allclose(run.q["pitch"].values, amplitude * np.array([1, 0, -1, 0, 1]), atol=1e-7)


def test_dumbbell():
    """Two masses on a line: sqrt(3) n in the plane of the orbit, 2 n across it."""
    model = satellite((1e-9, 1000.0, 1000.0), jd.Universal("u", axes=("z", "y")))
    np.testing.assert_allclose(model.frequencies(model.state()).rad / n, [np.sqrt(3), 2.0], rtol=1e-8)


def rods(count: int, length: float = 1000.0) -> jd.Model:
    """A free chain of equal rods along the vertical, hinged in the plane."""
    system = jd.System("rods", environment=ORBIT)
    l, m = length / count, length / count
    joint, to, at = jd.Free("free"), "world", (-0.5 * length, 0, 0)
    for i in range(count):
        across = m * l**2 / 12
        rod = jd.RigidBody(f"r{i}", m, (0.5 * l, 0, 0), (1e-3, across, across), frames={"tip": (l, 0, 0)})
        system.add(rod, joint, to=to, position=at)
        joint, to, at = jd.Revolute(f"hinge{i + 1}", axis="z"), f"r{i}.tip", (0, 0, 0)
    return system.compile()


def in_plane(found, keep: float = 1.5) -> np.ndarray:
    """Frequencies over n without those of the centre's own relative motion, n."""
    rad = found.rad / n
    return rad[rad > keep]


def test_hinged_rods():
    """Stroe 2002: two equal rods on the vertical, sqrt(3) n together and sqrt(12) n in opposition."""
    model = rods(2)
    found = in_plane(model.frequencies(model.state(), hold=("free.wx", "free.wy", "free.vz")))
    np.testing.assert_allclose(found, [np.sqrt(3), np.sqrt(12)], rtol=1e-6)


def test_a_tether_of_rods():
    """A string under the tension 3/2 rho n^2 (l^2 - x^2) of its own gradient: w^2 = 3/2 j (j + 1) n^2, Legendre's
    polynomials; a chain of rods comes near as 1 / count^2."""
    j = np.arange(1, 5)
    exact = np.sqrt(1.5 * j * (j + 1))
    errors = []
    for count in (16, 32):
        model = rods(count)
        found = in_plane(model.frequencies(model.state(), hold=("free.wx", "free.wy", "free.vz")))[:4]
        errors.append(found / exact - 1)
    assert np.all(np.abs(errors[1]) < 0.015)
    np.testing.assert_allclose(errors[0][1:3] / errors[1][1:3], 4.0, rtol=0.05)


@pytest.mark.parametrize(("plane", "shift"), [("bending_y", 0.0), ("bending_z", 1.0)])
def test_a_beam_as_a_tether(plane, shift):
    """A limp beam has the same modes: in the plane w^2 = 3/2 j (j + 1) n^2, across it n^2 more. The tension acts
    through the foreshortening that bending makes. Its shapes being polynomials, the first modes are exact."""
    system = jd.System("limp", environment=ORBIT)
    limp = jd.Beam("b", 1000.0, 1.0, 1e3, 1e-3, 1e3, modes=jd.Modes(**{plane: 8}), inertia_per_length=1e-3)
    system.add(limp, jd.Free("free"), position=(-500.0, 0, 0))
    model = system.compile()
    found = model.frequencies(model.state(), hold=("free.wx",))
    j = np.arange(2, 6)
    exact = np.sqrt(1.5 * j * (j + 1) + shift)
    rad = found.rad / n
    nearest = [rad[np.argmin(np.abs(rad - one))] for one in exact]
    np.testing.assert_allclose(nearest, exact, rtol=2e-4)


def test_elliptic_libration():
    """Pitch in an elliptic orbit: Beletsky's equation
    (1 + e cos f) psi'' - 2 e sin f psi' + 3 k sin psi cos psi = 2 e sin f, primes by the true anomaly f; in the linear
    regime its forced amplitude is 2 e / (3 k - 1)."""
    x, y, z = 300.0, 1000.0, 1050.0
    k = (y - x) / z
    for e in (0.2, 1e-3):
        orbit = jd.Orbit(altitude=400e3, eccentricity=e)
        model = satellite((x, y, z), jd.Revolute("pitch", axis="z"), orbit)
        start = [0.0, 2 * e / (3 * k - 1)]
        rate = start[1] * orbit.frame(0.0).rate
        state = model.state(v={"pitch": rate})
        t = 1.5 * orbit.period
        run = jd.simulate(model, state, until=t, output=t / 40, rtol=1e-12, atol=1e-13)

        def beletsky(f, y, e=e):
            s, c = np.sin(f), np.cos(f)
            return [y[1], (2 * e * s * (1 + y[1]) - 3 * k * np.sin(y[0]) * np.cos(y[0])) / (1 + e * c)]

        anomaly = np.unwrap([orbit.frame(time).true_anomaly for time in run.time.values])
        truth = solve_ivp(beletsky, (0, anomaly[-1]), start, "DOP853", anomaly, rtol=1e-13, atol=1e-14).y[0]
        np.testing.assert_allclose(run.q["pitch"].values, truth, atol=1e-9)
        assert np.max(np.abs(run.energy["balance"].values)) < 1e-9 * np.ptp(run.energy["work"].values)
    forced = start[1] * np.sin(n * run.time.values * (ORBIT.semi_major_axis / orbit.semi_major_axis) ** 1.5)
    np.testing.assert_allclose(run.q["pitch"].values, forced, atol=5 * e * start[1])


def test_orbit_and_libration_exchange():
    """A free dumbbell of 200 km: gravity's torque about the Earth's centre is none, so that the angular momentum of
    libration comes out of the orbit; and so does its energy."""
    orbit = jd.Orbit(altitude=2000e3)
    length, m = 200e3, 500.0
    system = jd.System("dumbbell", environment=orbit)
    system.add(jd.RigidBody("a", m, inertia=(1.0,) * 3, frames={"b": (length, 0, 0)}), jd.Free("free"))
    system.add(jd.RigidBody("b", m, inertia=(1e-9,) * 3), jd.Weld("rod"), to="a.b")
    model = system.compile()
    angle = 0.6
    half = 0.5 * length * np.array([np.cos(angle), np.sin(angle), 0])
    turn = jd.Pose(-half, [np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    t = orbit.period
    run = jd.simulate(model, model.state(q={"free": turn}), until=t, output=t / 20, rtol=1e-13, atol=1e-10)
    ends = [run.frame("a.origin"), run.frame("a.b")]
    total, orbital, energy = [], [], []
    for i, time in enumerate(run.time.values):
        rv = [inertial(orbit, time, end.position.values[i], end.velocity.values[i]) for end in ends]
        total.append(sum(m * np.cross(r, v)[2] for r, v in rv))
        r, v = (0.5 * (first + second) for first, second in zip(*rv))
        orbital.append(2 * m * np.cross(r, v)[2])
        energy.append(sum(m * (0.5 * v @ v - orbit.mu / np.linalg.norm(r)) for r, v in rv))
    total, orbital, energy = np.array(total), np.array(orbital), np.array(energy)
    exchanged = np.ptp(orbital)
    assert exchanged > 1e-5 * total[0]
    assert np.ptp(total) < 1e-6 * exchanged
    assert np.ptp(energy) < 1e-11 * abs(energy[0])
    assert np.ptp(run.energy["total"].values) < 1e-9 * np.ptp(run.energy["kinetic"].values)


def test_size_moves_the_orbit():
    """A body of any size circles a little faster than a particle: the second order of its attraction.

    With x the vertical, it is pulled inward by 3/2 mu / R^4 (tr J - 3 Jx) more."""
    J = np.array([1e9, 5e9, 6e9])
    model = satellite(J, jd.Free("free"))
    found = model.forward_dynamics(model.state())
    r = ORBIT.semi_major_axis
    np.testing.assert_allclose(found[3], -1.5 * ORBIT.mu / r**4 * (J.sum() - 3 * J[0]) / 1000.0, rtol=1e-9)


@pytest.mark.slow
def test_jacobi_integral_over_a_hundred_orbits():
    """A satellite with a hinged boom, tumbling: the integral is kept to what the tolerance of the method gives."""
    system = jd.System("satellite with a boom", environment=ORBIT)
    bus = jd.RigidBody("bus", 500.0, inertia=(60.0, 80.0, 100.0), frames={"side": (0.5, 0.4, 0.2)})
    boom = jd.RigidBody("boom", 20.0, (3.0, 0, 0), (0.1, 60.0, 60.0))
    system.add(bus, jd.Free("free"))
    system.add(boom, jd.Revolute("hinge", axis=(0, 1, 1)), to="bus.side")
    model = system.compile()
    state = model.state(q={"hinge": 0.3}, v={"free": [2e-4, 5e-4, -3e-4, 1e-3, -2e-3, 5e-4], "hinge": 1e-3})
    run = jd.simulate(model, state, until=100 * ORBIT.period, output=ORBIT.period, rtol=1e-12, atol=1e-13)
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-8 * np.max(run.energy["kinetic"].values)
    assert np.max(np.abs(run.energy["work"].values)) == 0.0


def test_a_free_platform_keeps_its_modes():
    """The thesis's platform (Chen 1999, section 4.1) with the orbit on: 0.1834 Hz, nodes 33.10 m from the centre, and a
    pitch period of 0.5788 orbits."""
    places = np.linspace(0.5, 1.0, 41)
    frames = {f"p{i}": float(s) for i, s in enumerate(places)}
    roll = 0.005 * 120e3 * 120.0 / 12
    beam = jd.Beam(
        "platform", 120.0, 1000.0, 1e8, 5.5e8, 5.5e8, modes=jd.Modes(bending_y=3), basis="free-free",
        inertia_per_length=roll, frames=frames,
    )  # fmt: skip
    system = jd.System("platform", environment=ORBIT)
    system.add(beam, jd.Planar("plane"))
    model = system.compile()
    state = model.state()
    found = model.frequencies(state)
    bends = int(np.argmin(np.abs(found.hz - 0.1834)))
    assert found.hz[bends] == pytest.approx(4.730041**2 / (2 * np.pi) * np.sqrt(5.5e8 / 1000 / 120**4), rel=1e-5)
    pitch = np.argmin(np.abs(found.rad / n - np.sqrt(3 * 0.995)))
    assert n / found.rad[pitch] == pytest.approx(1 / np.sqrt(3 * 0.995), rel=1e-5)
    shape = [(model.jacobian(f"platform.p{i}", state) @ found.shapes[:, bends])[4].real for i in range(len(places))]
    k = np.flatnonzero(np.diff(np.sign(shape)))[0]
    node = 120.0 * (places[k] - 0.5 - shape[k] * (places[k + 1] - places[k]) / (shape[k + 1] - shape[k]))
    assert node == pytest.approx(33.10, abs=0.01)


def test_spinning_tether():
    """Valverde et al. 2002: a limp tether with a tip disk, spun about its axis beyond its critical speed, grows by its
    internal damping; between the two critical speeds it does so without."""
    mass, radius, thickness = 3.0, 0.2, 0.01
    across = mass * (3 * radius**2 + thickness**2) / 12
    system = jd.System("tether")
    tether = jd.Beam(
        "t", 30.0, 8250 * 4.16e-6, 132e9 * 4.16e-6, (38.0, 21.0), 10.0, modes=jd.Modes(bending=3),
        damping=(0.0, 0.1 / np.sqrt(0.02682 * 0.03608)), inertia_per_length=1e-4,
    )  # fmt: skip
    system.add(tether, jd.Revolute("spin", axis="x"))
    system.add(jd.RigidBody("disk", mass, inertia=(0.5 * mass * radius**2, across, across)), jd.Weld("w"), to="t.tip")
    model = system.compile()
    still = model.frequencies(model.state(), hold=("spin",))
    np.testing.assert_allclose(still.rad[:2], [0.02682, 0.03608], rtol=2e-4)
    for spin, growth in ((0.02, -5.6e-4), (0.03, 4.3e-3), (0.1, 3.3e-3)):
        found = model.frequencies(model.state(v={"spin": spin}), hold=("spin",))
        assert np.max(found.eigenvalues.real) == pytest.approx(growth, rel=0.08)
