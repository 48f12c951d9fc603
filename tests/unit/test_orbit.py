"""The orbital frame: gravity and frame forces against sums over particles, energy, time, description and bad input."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from elements import spring_lattice
from hypothesis import given, settings
from scipy.spatial.transform import Rotation
from strategies import systems

import jourdain as jd
from jourdain.describe.description import from_dict, to_dict
from jourdain.kernels import forward_dynamics, inverse_dynamics, workspace

PLANET = dict(altitude=0.1e6, radius=9.9e6, mu=1e21)
"""A strange heavy planet, n = 1 rad/s at a radius of 1e7 m, so that what an orbit does is not small."""
ORBITS = {
    "circular": jd.Orbit(**PLANET),
    "elliptic": jd.Orbit(**PLANET, eccentricity=0.3, true_anomaly=0.7),
    "oblate": jd.Orbit(**PLANET, J2=0.1, inclination=0.8, argument_of_perigee=0.4, true_anomaly=0.3),
    "all": jd.Orbit(**PLANET, eccentricity=0.2, true_anomaly=-1.1, J2=0.05, inclination=2.0, argument_of_perigee=1.0),
}


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def pole(orbit: jd.Orbit, time: float) -> np.ndarray:
    u, i = orbit.argument_of_perigee + orbit.frame(time).true_anomaly, orbit.inclination
    return np.array([np.sin(i) * np.sin(u), np.sin(i) * np.cos(u), np.cos(i)])


def gravity(orbit: jd.Orbit, place: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Acceleration at a place from the centre, in extended precision."""
    place = np.asarray(place, np.longdouble)
    r = np.sqrt(place @ place)
    s = place @ axis / r
    oblate = 1.5 * orbit.J2 * orbit.mu * orbit.radius**2 / r**4
    return -orbit.mu * place / r**3 + oblate * ((5 * s * s - 1) * place / r - 2 * s * axis)


def frame_field(orbit: jd.Orbit, time: float, p: np.ndarray, u: np.ndarray) -> np.ndarray:
    """What a particle at p with velocity u, relative to the frame, feels beyond forces [m/s^2]."""
    f = orbit.frame(time)
    origin, axis = np.array([f.radius, 0.0, 0.0], np.longdouble), pole(orbit, time)
    central = jd.Orbit(orbit.altitude, mu=orbit.mu, radius=orbit.radius)
    falling = gravity(orbit, origin + p, axis) - gravity(central, origin, axis)
    spin, spin_rate = np.array([0, 0, f.rate]), np.array([0, 0, f.rate_rate])
    return falling.astype(float) - 2 * cross(spin, u) - cross(spin, cross(spin, p)) - cross(spin_rate, p)


def turned(model: jd.Model, size: float = 0.1, seed: int = 4, time: float = 0.3) -> jd.State:
    """A random state: all rotations, deformations of some `size`."""
    rng = np.random.default_rng(seed)
    q = model.neutral + size * rng.normal(size=model.nq)
    for name, ends in model.ranges.items():
        q[model.index.q[name]] = np.mean(ends)
    for j, _, free in model.arrays.rotations.array:
        j += 3 * free
        q[j : j + 4] = Rotation.from_rotvec(rng.normal(size=3)).as_quat(scalar_first=True)
    return model.state(q, rng.normal(size=model.nv), time=time)


def particles(system: jd.System, environment: jd.Orbit | None) -> jd.Model:
    system.environment = environment
    return system.compile()


def beam_system(roll: float = 1e-9) -> tuple[jd.System, dict[str, float]]:
    """A free beam that carries another: frames at Gauss points, and the mass that each stands for.

    roll    inertia of the sections [kg m], none where the beam is to be a line of particles
    """
    x, w = np.polynomial.legendre.leggauss(14)
    fractions, weights = 0.5 * (1 + x), 0.5 * w
    system = jd.System("beams")
    masses = {}
    to, joint = "world", jd.Free("free")
    for name, length in (("inner", 3.0), ("outer", 2.0)):
        frames = {f"p{i}": float(s) for i, s in enumerate(fractions)}
        system.add(
            jd.Beam(
                name, length, mass_per_length=2.0, EA=1e6, EI=(900.0, 700.0), GJ=500.0, frames=frames,
                modes=jd.Modes(bending=2, torsion=1, axial=1), inertia_per_length=roll,
            ),
            joint, to=to,
        )  # fmt: skip
        masses |= {f"{name}.p{i}": 2.0 * length * weight for i, weight in enumerate(weights)}
        to, joint = f"{name}.tip", jd.Spherical("elbow")
    return system, masses


def rigid_system() -> tuple[jd.System, dict[str, float]]:
    """A chain of rigid bodies made of particles."""
    rng = np.random.default_rng(8)
    system, masses = jd.System("chain"), {}
    to = "world"
    for i, joint in enumerate([jd.Free("free"), jd.Revolute("r", axis=(1, 2, 2)), jd.Spherical("b"), jd.Free("two")]):
        places, m = rng.normal(size=(6, 3)), rng.uniform(1, 2, 6)
        com = m @ places / m.sum()
        d = places - com
        inertia = np.einsum("i,ijk->jk", m, np.einsum("ij,ij->i", d, d)[:, None, None] * np.eye(3))
        inertia = inertia - np.einsum("i,ij,ik->jk", m, d, d)
        frames = {f"p{k}": place for k, place in enumerate(places)}
        system.add(jd.RigidBody(f"b{i}", m.sum(), com, inertia, frames=frames), joint, to=to)
        masses |= {f"b{i}.p{k}": float(mass) for k, mass in enumerate(m)}
        to = "world" if i == 2 else f"b{i}.p0"
    return system, masses


def reduced_system() -> tuple[jd.System, dict[str, float]]:
    """A reduced lattice of lumped masses."""
    M, K, nodes = spring_lattice(np.random.default_rng(2))
    frames = {f"p{k}": k for k in range(len(nodes))}
    part = jd.ReducedBody("part", M, K, nodes, {"root": [0, 1, 2, 3]}, modes=5, frames=frames)
    system = jd.System("lattice")
    system.add(part, jd.Free("free"))
    return system, {f"part.p{k}": float(M[3 * k, 3 * k]) for k in range(len(nodes))}


def deploying_system(deployment: str, bulk: float = 1e-9) -> tuple[jd.System, dict[str, float]]:
    """A free hub with a beam of 8 kg that deploys and carries a load: frames at Gauss points, and the mass of each.

    bulk    inertia of hub, load [kg m^2] and sections [kg m], none where all is to be particles
    """
    x, w = np.polynomial.legendre.leggauss(14)
    frames = {f"p{i}": float(0.5 * (1 + s)) for i, s in enumerate(x)}
    system = jd.System(deployment)
    system.add(jd.RigidBody("hub", 3.0, inertia=(bulk,) * 3), jd.Free("free"))
    boom = jd.DeployableBeam(
        "boom", length=(1.0, 4.0), mass=8.0, EA=1e6, EI=(900.0, 700.0), GJ=500.0, frames=frames, deployment=deployment,
        modes=jd.Modes(bending=2, torsion=1, axial=1), inertia_per_length=bulk,
    )  # fmt: skip
    system.add(boom, jd.Spherical("shoulder"), to="hub.origin", position=(0.2, 0.1, -0.1))
    system.add(jd.RigidBody("load", 2.0, inertia=(bulk,) * 3), jd.Weld("grip"), to="boom.tip")
    masses = {f"boom.p{i}": 4.0 * float(weight) for i, weight in enumerate(w)}
    return system, masses | {"hub.origin": 3.0, "load.origin": 2.0}


def stretching_system(bulk: float = 1e-9) -> tuple[jd.System, dict[str, float]]:
    return deploying_system("stretch", bulk)


def emerging_system(bulk: float = 1e-9) -> tuple[jd.System, dict[str, float]]:
    return deploying_system("emerging", bulk)


@pytest.mark.parametrize("build", [rigid_system, beam_system, reduced_system, stretching_system])
@pytest.mark.parametrize("kind", ORBITS)
def test_forces_are_the_sum_over_particles(build, kind):
    """Gravity at the place of every particle and the frame's inertial forces, in all coordinates; the field is linear
    over a body, so that bodies of 3 m at 1e7 m are right to a few 1e-7."""
    system, masses = build()
    orbit = ORBITS[kind]
    still, moving = particles(system, None), particles(system, orbit)
    state = turned(still, 0.1 if build is rigid_system else 0.02)
    found = still.inverse_dynamics(state) - moving.inverse_dynamics(state)
    expected = np.zeros(still.nv)
    for address, m in masses.items():
        J = still.jacobian(address, state)[3:]
        p, u = still.pose(address, state).position, still.velocity(address, state)[3:]
        expected += m * J.T @ frame_field(orbit, state.time, p, u)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6 * np.max(np.abs(expected)))


@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
def test_a_deploying_beam_falls_as_its_particles(deployment):
    """The potential summed over particles, those still in the guide included, differentiated by every coordinate.

    U less its terms linear in the place, -mu / r^3 (3/2 x^2 - p^2 / 2), is what the frame feels to second order over
    the radius; Gauss points stand for the particles, as many as are out at the length of the moment.
    """
    from jourdain.model.displacement import displaced

    orbit = ORBITS["circular"]
    system, masses = deploying_system(deployment)
    still, moving = particles(system, None), particles(system, orbit)
    state = turned(still, 0.05)
    state.v[:] = 0.0
    x, w = np.polynomial.legendre.leggauss(2)
    length = still.index.q["boom.length"]

    def potential(q: np.ndarray) -> float:
        at = still.state(q)
        out = q[length] / 4.0 if deployment == "emerging" else 1.0
        points = [still.pose(address, at).position for address in masses]
        weights = [m * (out if address.startswith("boom") else 1.0) for address, m in masses.items()]
        if deployment == "emerging":
            root = still.pose("boom.root", at)
            behind = 4.0 - q[length]
            points += [root.position - 0.5 * behind * (1 + s) * root.rotation[:, 0] for s in x]
            weights += [2.0 * behind * 0.5 * s for s in w]
        place, m = np.array(points), np.array(weights)
        return -1.5 * float(m @ (place[:, 0] ** 2)) + 0.5 * float(m @ place[:, 2] ** 2)

    found = still.inverse_dynamics(state) - moving.inverse_dynamics(state)
    axes = np.eye(still.nv)
    axes[3:6, 3:6] = Rotation.from_quat(state.q[3:7], scalar_first=True).as_matrix()
    h = 1e-3
    for i in range(still.nv):
        e = [potential(displaced(still, state.q, s * h * axes[:, i])) for s in (-2, -1, 1, 2)]
        slope = (8 * (e[2] - e[1]) - (e[3] - e[0])) / (12 * h)
        assert found[i] == pytest.approx(-slope, abs=5e-6 * np.max(np.abs(found)))


@pytest.mark.parametrize("build", [rigid_system, beam_system, reduced_system, stretching_system, emerging_system])
@pytest.mark.parametrize("kind", ORBITS)
def test_forces_derive_from_the_potential(build, kind):
    """At rest, without the angular acceleration of the frame, to the error of central differences."""
    from jourdain.model.displacement import displaced

    system, _ = build()
    orbit = ORBITS[kind]
    model, still = particles(system, orbit), particles(system, None)
    at = turned(model, 0.05)
    state = model.state(at.q, np.zeros(model.nv), time=0.0 if kind in ("circular", "oblate") else apsis(orbit))
    force = still.inverse_dynamics(state) - model.inverse_dynamics(state)
    axes = np.eye(model.nv)
    for j, k, free in model.arrays.rotations.array:
        if free:
            R = Rotation.from_quat(at.q[j + 3 : j + 7], scalar_first=True).as_matrix()
            axes[k + 3 : k + 6, k + 3 : k + 6] = R
    h = 1e-4
    for i in range(model.nv):
        e = [model.energy(model.state(displaced(model, at.q, s * h * axes[:, i]), time=state.time)).gravity
             for s in (-2, -1, 1, 2)]  # fmt: skip
        slope = (8 * (e[2] - e[1]) - (e[3] - e[0])) / (12 * h)
        assert force[i] == pytest.approx(-slope, abs=1e-8 * np.max(np.abs(force)) + 1e-16 * abs(e[0]) / h)


def apsis(orbit: jd.Orbit) -> float:
    """A time at which the frame is farthest out, where it does not accelerate its turning."""
    mean = orbit.numbers()[3]
    return (np.pi - mean) / orbit.mean_motion


@pytest.mark.parametrize("kind", ORBITS)
@pytest.mark.parametrize("build", [rigid_system, beam_system])
def test_balance_closes(build, kind):
    """The Jacobi integral in a circular orbit, the work of the frame in all others."""
    model = particles(build()[0] if build is rigid_system else build(0.5)[0], ORBITS[kind])
    run = jd.simulate(model, turned(model, 0.01), until=0.5, rtol=1e-11, atol=1e-11, output=0.1)
    scale = np.ptp(run.energy["gravity"].values)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * scale
    work = np.max(np.abs(run.energy["work"].values))
    assert work == 0.0 if kind == "circular" else work > 1e-3 * scale


@pytest.mark.parametrize("build", [stretching_system, emerging_system])
def test_balance_closes_over_a_deployment(build):
    """From 1.5 to 3.5 m in a sixth of an orbit, ringing; what is left falls as the tolerance does."""
    model = particles(build(0.5)[0], ORBITS["circular"])
    state = turned(model, 0.01)
    state.q[model.index.q["boom.length"]], state.v[model.index.v["boom.length"]] = 1.5, 0.0
    out = {"boom.length": jd.Cycloid(to=3.5, duration=1.0, start=state.time)}
    left = []
    for tolerance in (1e-7, 1e-9, 1e-11):
        run = jd.simulate(model, state, until=1.3, rtol=tolerance, atol=tolerance, output=0.1, motions=out)
        left.append(np.max(np.abs(run.energy["balance"].values)))
    assert np.ptp(run.energy["gravity"].values) > 40.0
    assert left[1] < left[0] / 30.0 and left[2] < left[1] / 30.0
    assert left[2] < 1e-9 * np.ptp(run.energy["kinetic"].values)


@given(systems(most=4))
@settings(max_examples=15)
def test_the_model_functions_agree(case):
    """Forward, inverse dynamics, mass matrix and bias of random trees in orbit."""
    case.system.gravity = (0, 0, 0)
    case.system.environment = ORBITS["all"]
    model = case.system.compile()
    state = model.state(case.state.q, case.state.v, time=0.4)
    effort = np.linspace(-1, 1, model.nv)
    acceleration = model.forward_dynamics(state, effort)
    scale = 1 + np.max(np.abs(model.bias(state)))
    np.testing.assert_allclose(model.inverse_dynamics(state, acceleration), effort, atol=1e-7 * scale)
    found = model.mass_matrix(state) @ acceleration + model.bias(state)
    np.testing.assert_allclose(found, effort, atol=1e-7 * scale)


def test_lone_bodies_move_as_chains_do():
    """A body that floats by itself is solved apart; with something welded to it, it is not."""
    rows = []
    for welded in (False, True):
        system = jd.System("one", environment=ORBITS["all"])
        system.add(jd.RigidBody("a", 2.0, (0.1, 0.2, 0.3), (0.5, 0.6, 0.7)), jd.Free("free"))
        if welded:
            system.add(jd.RigidBody("b", 1e-12, inertia=(1e-12,) * 3), jd.Weld("w"), to="a.origin")
        model = system.compile()
        rows.append(model.forward_dynamics(turned(model)))
    np.testing.assert_allclose(*rows, rtol=1e-9)


def test_velocities_and_accelerations_are_relative():
    """What is fixed to the world has none, and accelerations are the slopes of velocities."""
    system = jd.System("fixed", environment=ORBITS["elliptic"])
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Weld("w"), position=(5, 2, 1))
    system.add(jd.RigidBody("b", 1.0, inertia=(1, 2, 3), frames={"tip": (1, 1, 0)}), jd.Free("free"))
    model = system.compile()
    state = turned(model)
    assert np.max(np.abs(model.velocity("a.origin", state))) < 1e-14
    assert np.max(np.abs(model.acceleration("a.origin", state))) < 1e-13
    step = 1e-3
    run = jd.simulate(model, state, until=state.time + 4 * step, rtol=1e-12, atol=1e-12, output=step)
    tip = run.frame("b.tip")
    rates = np.hstack([tip.angular_velocity.values, tip.velocity.values])
    slope = (8 * (rates[3] - rates[1]) - (rates[4] - rates[0])) / (12 * step)
    middle = model.state(run.q.values[2], run.v.values[2], time=run.time.values[2])
    np.testing.assert_allclose(model.acceleration("b.tip", middle), slope, atol=1e-7)
    moved = (tip.position.values[3] - tip.position.values[1]) / (2 * step)
    np.testing.assert_allclose(moved, tip.velocity.values[2], atol=1e-5)


def test_the_world_does_not_rub():
    """A ball at rest in the orbital frame on a plate of that frame feels no friction there."""
    orbit = jd.Orbit(altitude=400e3)
    n = orbit.mean_motion
    system = jd.System("plate", environment=orbit)
    system.add(jd.RigidBody("ball", 3.0, inertia=(0.1,) * 3), jd.Free("free"))
    system.contact(
        "touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world", position=(0, 0, 10)),
        normal=jd.HertzContact(stiffness=1e3, restitution=0.5, slow_speed=1e-3),
        friction=jd.CoulombFriction(0.5, 1e-3),
    )  # fmt: skip
    model = system.compile()
    depth = (3.0 * n**2 * 10.1 / 1e3) ** (2 / 3)
    state = model.state(q={"free": jd.Pose((0, 0, 10.1 - depth))})
    run = jd.simulate(model, state, until=10.0, step=0.01, output=1.0)
    force = run.contact["touch"].force.values
    np.testing.assert_allclose(force[:, 2], 3 * n**2 * 10.1, rtol=1e-3)
    # gravity 10 m beside the orbital plane points a little inward: 3/2 m n^2 z^2 / R, and the ball creeps by that
    assert np.max(np.abs(force[:, :2])) < 1.5 * 3.0 * n**2 * 10.0**2 / orbit.semi_major_axis


@pytest.mark.parametrize("kind", ["elliptic", "oblate"])
def test_interface_loads(kind):
    """What holds a part in orbit is what its carrier needs to move as it does, and nothing acts on a free interface."""
    M, K, nodes = spring_lattice(np.random.default_rng(2))
    part = jd.ReducedBody("part", M, K, nodes, {"root": [0, 1, 2, 3], "tip": [12, 13, 14, 15]}, modes=4)
    system = jd.System("arm", environment=ORBITS[kind])
    mass, com, inertia = 5.0, np.array([0.1, 0, 0]), np.diag([1.0, 2.0, 3.0])
    system.add(jd.RigidBody("base", mass, com, inertia), jd.Free("free"))
    system.add(part, jd.Weld("shoulder"), to="base.origin")
    model = system.compile()
    state = turned(model, 0.05)
    acceleration = model.forward_dynamics(state)
    loads = part.interface_loads(model, state)
    (omega, alpha, a), pull = model.body_motion("base", state, acceleration)
    R = model.pose("base.origin", state).rotation
    c, J = R @ com, R @ inertia @ R.T
    force = mass * (a + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c))) - pull[3:]
    J_origin = J + mass * (c @ c * np.eye(3) - np.outer(c, c))
    moment = J_origin @ alpha + np.cross(omega, J_origin @ omega) + mass * np.cross(c, a) - pull[:3]
    turn = model.pose("part.origin", state).rotation
    held = np.r_[turn @ loads["root"][:3], turn @ loads["root"][3:]]
    scale = np.max(np.abs(held))
    np.testing.assert_allclose(held, -np.r_[moment, force], atol=1e-8 * scale)
    np.testing.assert_allclose(loads["tip"], 0, atol=1e-8 * scale)


def test_momentum_in_turning_and_unturning_axes():
    system = jd.System("m", environment=ORBITS["circular"])
    system.add(jd.RigidBody("a", 2.0, inertia=(1, 2, 3)), jd.Free("free"))
    model = system.compile()
    state = model.state(q={"free": jd.Pose((3, 0, 0))})
    assert np.max(np.abs(model.momentum(state).linear)) < 1e-14
    absolute = model.momentum(state, unturning=True)
    np.testing.assert_allclose(absolute.linear, (0, 6, 0), atol=1e-12)
    np.testing.assert_allclose(absolute.angular, (0, 0, 3 + 2 * 9), atol=1e-12)


@pytest.mark.parametrize("eccentricity", [0.0, 1e-9, 0.1, 0.7, 0.99])
def test_the_frame_moves_on_the_ellipse(eccentricity):
    """Vis viva, the polar equation, angular momentum and the slopes of what is given as rates."""
    orbit = jd.Orbit(altitude=400e3, eccentricity=eccentricity, true_anomaly=2.0)
    h = np.sqrt(orbit.mu * (1 + eccentricity) * (orbit.radius + orbit.altitude))
    assert orbit.frame(0.0).true_anomaly == pytest.approx(2.0, abs=1e-12)
    for t in np.linspace(-1.3, 2.2, 40) * orbit.period:
        f = orbit.frame(t)
        assert f.radius == pytest.approx(h**2 / orbit.mu / (1 + eccentricity * np.cos(f.true_anomaly)), rel=1e-11)
        speed = f.velocity @ f.velocity
        assert speed == pytest.approx(orbit.mu * (2 / f.radius - 1 / orbit.semi_major_axis), rel=1e-9)
        assert f.radius**2 * f.rate == pytest.approx(h, rel=1e-12)
        d = 1e-4 * orbit.period * (1 - eccentricity) ** 2
        a, b = orbit.frame(t - d), orbit.frame(t + d)
        assert (b.rate - a.rate) / (2 * d) == pytest.approx(f.rate_rate, rel=1e-3, abs=1e-6 * f.rate**2)
        assert (b.radius - a.radius) / (2 * d) == pytest.approx(f.radius_rate, rel=1e-3, abs=1e-6 * f.radius * f.rate)
    again = orbit.frame(orbit.period)
    np.testing.assert_allclose(again.position, orbit.frame().position, atol=1e-6)


@pytest.mark.parametrize("build", [rigid_system, pytest.param(beam_system, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kernel", [forward_dynamics, inverse_dynamics], ids=["forward", "inverse"])
def test_complex_step(build, kernel):
    model = particles(beam_system(0.5)[0] if build is beam_system else build()[0], ORBITS["all"])
    state = turned(model, 0.05)
    rng = np.random.default_rng(1)
    dq, dv, given = rng.normal(size=model.nq), rng.normal(size=model.nv), rng.normal(size=model.nv)
    real, steps = workspace(model.arrays), workspace(model.arrays, np.complex128)
    real.ledger.time = steps.ledger.time = state.time
    out = np.zeros(model.nv, complex)
    kernel(model.arrays, steps, state.q + 1e-30j * dq, state.v + 1e-30j * dv, given + 0j, out)
    sides = []
    for h in (1e-6, -1e-6):
        side = np.zeros(model.nv)
        kernel(model.arrays, real, state.q + h * dq, state.v + h * dv, given, side)
        sides.append(side)
    slope = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(out.imag / 1e-30, slope, atol=2e-6 * np.max(np.abs(slope)))


def test_description_and_pickle_keep_the_orbit(tmp_path):
    system, _ = rigid_system()
    system.environment = ORBITS["all"]
    again = from_dict(to_dict(system))
    assert again.environment == ORBITS["all"]
    assert "in Orbit(altitude=100000.0" in repr(system)
    model = system.compile()
    assert again.compile().hash == model.hash
    assert pickle.loads(pickle.dumps(model)).hash == model.hash
    run = jd.simulate(model, model.state(), until=0.01, step=1e-3)
    run.save(tmp_path / "run.nc")
    assert jd.load(tmp_path / "run.nc").model.hash == model.hash
    system.environment = None
    assert system.compile().hash != model.hash
    assert from_dict(to_dict(system)).environment is None


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"altitude": -1e3}, "orbit: altitude is -1000 m, which is below the surface"),
        ({"altitude": 0.0}, "below the surface"),
        ({"altitude": 1e5, "eccentricity": 1.0}, "eccentricity is 1; give one from 0"),
        ({"altitude": 1e5, "eccentricity": -0.1}, "eccentricity is -0.1"),
        ({"altitude": 1e5, "eccentricity": np.nan}, "eccentricity is nan"),
        ({"altitude": np.inf}, "altitude is inf"),
        ({"altitude": 1e5, "mu": 0.0}, "mu .* is 0; it must be greater than 0"),
        ({"altitude": 1e5, "radius": -1.0}, "radius .* must be greater than 0"),
        ({"altitude": 1e5, "true_anomaly": np.nan}, "true_anomaly is nan"),
    ],
)
def test_orbits_that_cannot_be(options, text):
    system = jd.System("station", environment=jd.Orbit(**options))
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Free("free"))
    with pytest.raises(jd.errors.ModelError, match=text) as caught:
        system.compile()
    assert caught.value.problems[0].address == "station"


def test_what_is_no_environment():
    with pytest.raises(jd.errors.ModelError, match="give an Orbit"):
        jd.System("s", environment="orbit")
    with pytest.raises(jd.errors.ModelError, match="one real number"):
        jd.Orbit(altitude=(1, 2))
    with pytest.raises(jd.errors.ModelError, match='the environments are: "orbit"'):
        jd.Orbit.from_dict({"kind": "moon", "altitude": 1.0})
    system = jd.System("both", gravity=(0, 0, -9.81), environment=jd.Orbit(altitude=400e3))
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Free("free"))
    with pytest.raises(jd.errors.ModelError, match="there is an orbit; give gravity= or environment="):
        system.compile()
