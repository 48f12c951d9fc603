"""Forces along cables and beams: loads a length, and the force of the Earth's field on a current."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.bodies.floating_frame.quadrature import gauss
from jourdain.errors import ModelError
from jourdain.kernels.algebra import Quaternion, rotation_matrix
from jourdain.model.bodies import body_of
from jourdain.results.channels import UnknownNameError

ORBIT = jd.Orbit(400e3, eccentricity=0.01, inclination=0.9, argument_of_perigee=0.7, node=0.4, true_anomaly=0.3)
EARTH_SPIN = 7.292115e-5
ORDER = {"cable": 1e-6, "beam": 1e-5}
"""Of a cable the digits of forces of 10 kN in it; a beam is right to second order in its slope, 8e-3 here."""


def tether(kind, force):
    """A tether of 1 km and 20 kg on a free hub of 500 kg, as a cable or as a beam."""
    system = jd.System("tether", environment=ORBIT)
    system.add(jd.RigidBody("hub", mass=500.0, inertia=(200.0, 220.0, 240.0)), jd.Free("free"))
    if kind == "cable":
        line = jd.Cable("tether", 1000.0, 0.02, EA=2e5, EI=10.0, elements=8)
    elif kind == "nodal beam":
        line = jd.NodalBeam("tether", 1000.0, 0.02, EA=2e5, EI=10.0, GJ=10.0, elements=4)
    else:
        line = jd.Beam("tether", 1000.0, 0.02, EA=2e5, EI=1e4, GJ=1e3, modes=jd.Modes(bending=2))
    system.add(line, jd.Weld("reel"), to="hub.origin")
    system.force("drag", "tether", force)
    return system.compile()


def bent(model, size):
    """A state with a bent and moving line, displaced by about `size` [m]."""
    random = np.random.default_rng(3)
    state = model.state({"free.x": 12.0}, time=500.0)
    for name, k in model.index.q.items():
        if name.startswith("tether."):
            state.q[k] = size * random.normal() * (1e-3 if ".d" in name else 1.0)
    state.v[:] = 1e-3 * random.normal(size=model.nv)
    return state


def field(orbit, t, place):
    """B [T] at a place in the orbital frame: the dipole in inertial axes, by rotation matrices."""
    c, s = np.cos, np.sin
    now = orbit.frame(t)

    def about_z(a):
        return np.array([[c(a), -s(a), 0], [s(a), c(a), 0], [0, 0, 1]])

    def about_x(a):
        return np.array([[1, 0, 0], [0, c(a), -s(a)], [0, s(a), c(a)]])

    earth = about_z(EARTH_SPIN * t - orbit.node)  # inertial x at the node
    frame = about_x(orbit.inclination) @ about_z(orbit.argument_of_perigee + now.true_anomaly)
    d, r = frame.T @ earth @ np.array(orbit.dipole), np.array([now.radius, 0, 0]) + place
    pole = frame.T @ np.array([0, 0, 1.0])
    R = np.linalg.norm(r)
    return (3 * (d @ r) * r / R**2 - d) / R**3, r, EARTH_SPIN * pole


def test_the_field_is_that_of_the_earths_dipole():
    """0.3 gauss at the magnetic equator and twice that at the pole; the tilt is 9.41 degrees (IGRF-13)."""
    d = np.array(ORBIT.dipole)
    assert np.linalg.norm(d) / 6371.2e3**3 == pytest.approx(29.806e-6, rel=1e-4)
    assert np.degrees(np.arccos(-d[2] / np.linalg.norm(d))) == pytest.approx(9.41, abs=0.01)
    north = jd.Orbit(400e3, dipole=(0, 0, -7.7e15))
    B, R = north.magnetic_field(), north.frame().radius
    np.testing.assert_allclose(B, (0, 0, 7.7e15 / R**3), rtol=1e-12)  # to the north over the equator
    over = jd.Orbit(400e3, inclination=np.pi / 2, true_anomaly=np.pi / 2, dipole=(0, 0, -7.7e15)).magnetic_field()
    np.testing.assert_allclose(over, (-2 * 7.7e15 / R**3, 0, 0), atol=1e-17)  # down over the north pole
    place = np.array([100.0, -2e3, 3e3])
    np.testing.assert_allclose(ORBIT.magnetic_field(777.0, place), field(ORBIT, 777.0, place)[0], rtol=1e-12)


def drawn(model, line, state, v):
    """Places, slopes and velocities (m, 3) of the line in world axes, and lengths (m,), of velocities v: by the body's
    own description of its shape, which knows no kernels."""
    edges = np.linspace(0.0, 1000.0, line.elements + 1 if isinstance(line, jd.Cable) else 9)
    s, ds = gauss(edges, 12)
    e = state.q[[model.index.q[f"tether.{name}"] for name in line.internal]]
    rate = v[[model.index.v[f"tether.{name}"] for name in line.internal]]

    def shape(e, s):
        return np.stack([s, 0 * s, 0 * s], axis=1) + line.deflection(e[None], s)[1][0]

    h, near = 1e-3, np.stack([s - 1e-2, s + 1e-2])
    slope = (shape(e, near[1]) - shape(e, near[0])) / 2e-2
    moving = (shape(e + h * rate, s) - shape(e - h * rate, s)) / (2 * h)
    hub = model.frame_path("hub.origin", state.q[None], v[None])[0]
    R = np.reshape(rotation_matrix(Quaternion(*hub[3:7])).numbers, (3, 3))
    arm = shape(e, s) @ R.T
    return hub[:3] + arm, slope @ R.T, hub[10:] + np.cross(hub[7:10], arm) + moving @ R.T, ds


@pytest.mark.parametrize("kind", ["cable", "beam"])
def test_force_and_emf_are_integrals_along_the_line(kind):
    """Generalised force, by virtual velocities, and emf of a bent and moving line against sums in NumPy."""
    model, without = (tether(kind, jd.Electrodynamic(current=current)) for current in (3.0, 0.0))
    line = body_of(model, "tether")
    state = bent(model, 20.0 if kind == "cable" else 2.5)
    force = model.mass_matrix(state) @ (model.forward_dynamics(state) - without.forward_dynamics(state))
    place, slope, velocity, ds = drawn(model, line, state, state.v)
    fields = [field(ORBIT, state.time, one) for one in place]
    B, r, turn = (np.array([one[k] for one in fields]) for k in range(3))
    now = ORBIT.frame(state.time)
    u = velocity + np.cross((0, 0, now.rate), r) + (now.radius_rate, 0, 0) - np.cross(turn, r)
    emf = np.sum(np.cross(u, B) * slope * ds[:, None])
    push = 3.0 * np.cross(slope, B) * ds[:, None]
    for seed in range(4):
        w = np.random.default_rng(seed).normal(size=model.nv)
        power = np.sum(push * drawn(model, line, state, w)[2])
        assert force @ w == pytest.approx(power, rel=ORDER[kind])
    run = jd.simulate(model, state, until=state.time + 1e-3, method="rk4", step=1e-3, progress=False)
    assert jd.quantity(run, "emf:drag").values[0] == pytest.approx(emf, rel=ORDER[kind])
    assert jd.quantity(run, "current:drag").values[0] == 3.0
    assert jd.quantity(run, "power:drag").values[0] == pytest.approx(3.0 * emf, rel=ORDER[kind])


def test_a_nodal_beam_carries_a_current_as_a_cable_does():
    """A straight tether that moves with its hub: emf, and force on the hub, are those of a straight cable."""
    told = []
    for kind in ("cable", "nodal beam"):
        model, without = (tether(kind, jd.Electrodynamic(current=current)) for current in (3.0, 0.0))
        state = model.state({"free.x": 12.0}, time=500.0, v={"free.vy": 0.3, "free.wz": 1e-3})
        force = model.mass_matrix(state) @ (model.forward_dynamics(state) - without.forward_dynamics(state))
        run = jd.simulate(model, state, until=state.time + 1e-3, method="rk4", step=1e-3, progress=False)
        told.append([jd.quantity(run, "emf:drag").values[0], *force[:6]])
    assert abs(told[0][0]) > 50.0
    np.testing.assert_allclose(told[1], told[0], rtol=1e-9, atol=1e-9 * np.max(np.abs(told[0])))


def test_the_balance_closes_with_a_resistance_and_states_of_a_law():
    """Work of the field is booked, of a current by Ohm's law and of one with a state of its own."""

    @jd.law(states=1)
    def inductive(t, q, v, z, s, p, effort, dz):
        dz[0] = (s[s.size - 1] - p[0] * z[0]) / p[1]
        effort[0] += z[0]

    for current in (jd.Electrodynamic(resistance=100.0, supply=-20.0), jd.Electrodynamic(inductive(100.0, 50.0))):
        model = tether("beam", current)
        run = jd.simulate(model, bent(model, 5.0), until=560.0, progress=False)
        moved = np.ptp(run.energy["total"].values)
        assert abs(run.energy["balance"].values[-1]) < 1e-7 * moved and moved > 1.0
    np.testing.assert_array_equal(jd.quantity(run, "current:drag").values, run.record.z[:, 0])


def test_a_load_a_length_bends_a_cantilever():
    """f L^4 / (8 EI) at the tip, of a beam, a cable and a nodal beam, which has f L^2 / (2 GA) besides; a law and
    numbers do the same."""

    @jd.law
    def steady(t, q, v, z, s, p, effort, dz):
        effort[5] += p[0]

    for line, sheared in (
        (jd.Beam("line", 2.0, 1.0, EA=1e6, EI=10.0, GJ=5.0, modes=jd.Modes(bending=4)), 0.0),
        (jd.Cable("line", 2.0, 1.0, EA=1e6, EI=10.0, elements=4), 0.0),
        (jd.NodalBeam("line", 2.0, 1.0, EA=1e6, EI=10.0, GJ=5.0, GA=1e5, elements=4), 1e-3 * 2.0**2 / 2e5),
    ):
        accelerations = []
        for force in ((0.0, 0.0, 1e-3), steady(1e-3)):
            system = jd.System("cantilever")
            system.add(line, jd.Weld("wall"))
            system.force("wind", "line", force, along=True)
            model = system.compile()
            accelerations.append(model.forward_dynamics(model.state()))
        np.testing.assert_array_equal(*accelerations)
        at = model.equilibrium(model.state()).state
        assert model.pose("line.tip", at).position[2] == pytest.approx(1e-3 * 2.0**4 / 80.0 + sheared, rel=1e-5)


def test_descriptions_and_files_keep_it(tmp_path):
    model = tether("beam", jd.Electrodynamic(resistance=120.0, supply=3.0))
    system = jd.System("again", environment=jd.Orbit(400e3, node=1.0, spin=0.0))
    system.add(jd.Beam("line", 10.0, 1.0, EA=1e6, EI=10.0, GJ=5.0, modes=jd.Modes(bending=1)), jd.Weld("w"))
    system.force("drag", "line", jd.Electrodynamic(current=2.0))
    system.force("wind", "line", (0, 1e-3, 0), along=True)
    read = jd.System.load(system.save(tmp_path / "line.yaml"))
    assert read.compile().hash == system.compile().hash
    run = jd.simulate(model, model.state(), until=0.1, progress=False)
    loaded = jd.load(run.save(tmp_path / "run.nc"))
    assert loaded.model.hash == model.hash and not loaded.model.absent_forces
    np.testing.assert_array_equal(jd.quantity(loaded, "emf:drag").values, jd.quantity(run, "emf:drag").values)
    varied = model.with_parameters({"tether.EI": 2e4})
    assert varied.law_forces[0].law.parameters[1] == pytest.approx(1 / 120.0)
    # an orbit says nothing of what it was not told
    assert {"node", "dipole", "spin"}.isdisjoint(jd.Orbit(400e3).to_dict())


def test_bad_input_is_refused():
    def problems(force=None, at="line", orbit=ORBIT, body=None, **more):
        system = jd.System("bad", environment=orbit)
        system.add(body or jd.Cable("line", 10.0, 1.0, 1e4, 1.0, elements=2), jd.Weld("w"))
        system.force("drag", at, jd.Electrodynamic(current=1.0) if force is None else force, **more)
        return " ".join(str(one) for one in system.check())

    assert problems() == ""
    assert "environment=jd.Orbit" in problems(orbit=None)
    rigid = jd.RigidBody("line", mass=1.0, inertia=(1, 1, 1))
    assert "has no length" in problems(body=rigid) and "a Beam or a NodalBeam" in problems(body=rigid)
    assert "current is nan A" in problems(jd.Electrodynamic(current=float("nan")))
    assert "above 0" in problems(jd.Electrodynamic(resistance=0.0))
    assert "got neither" in problems(jd.Electrodynamic())
    assert "got both" in problems(jd.Electrodynamic(current=1.0, resistance=1.0))
    assert "give resistance= too" in problems(jd.Electrodynamic(current=1.0, supply=2.0))
    assert "give its name, line" in problems(at="line.tip")
    assert 'did you mean "line"' in problems(at="lime")
    assert "has its own" in problems(axes="body")
    assert "dipole" in " ".join(str(one) for one in jd.Orbit(4e5, dipole=(0, 0, float("inf"))).check())
    with pytest.raises(ModelError, match="current"):
        jd.Electrodynamic(current="much")
    with pytest.raises(UnknownNameError, match="electrodynamic force"):
        model = tether("beam", jd.Electrodynamic(current=1.0))
        jd.quantity(jd.simulate(model, model.state(), until=0.01, progress=False), "emf:thrust")
