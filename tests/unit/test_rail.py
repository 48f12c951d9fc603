"""Rails: a joint that travels along a beam that bends under it, against mass points; energy, momentum, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from particles import BeamFunctions, cluster, equations, turn

import jourdain as jd
from jourdain.describe.bodies.floating_frame.beam_tables import beam_rail
from jourdain.kernels import forward_dynamics, workspace

STIFF = dict(EA=4e4, EI=(900.0, 700.0), GJ=300.0)
GRAVITY = np.array([0.5, -0.3, -9.0])
LENGTH, DENSITY = 3.0, 2.0
CAR, LOAD = (2.0, (0.1, 0.2, -0.1), (0.3, 0.2, 0.4)), (1.0, (0.3, 0.0, 0.0), (0.1, 0.2, 0.15))
STAND = np.array([0.1, -0.05, 0.2])
AXIS = np.array([0.0, 0.6, 0.8])
HINGE = np.array([1.0, 2.0, 2.0]) / 3.0


def track(modes, basis="polynomial", **more):
    return jd.Beam("track", LENGTH, DENSITY, **STIFF, modes=modes, basis=basis, **more)


def system(parent, joint=None, gravity=GRAVITY, root=None, rotation=None):
    out = jd.System("railway", gravity=gravity)
    out.add(parent, root or jd.Revolute("hinge", axis=HINGE))
    rail = joint or jd.Rail("rail")
    out.add(
        jd.RigidBody("car", *CAR, frames={"top": (0.1, 0, 0)}),
        rail,
        to="track.origin",
        position=STAND,
        rotation=rotation,
    )
    out.add(jd.RigidBody("load", *LOAD), jd.Revolute("elbow", axis=AXIS), to="car.top")
    return out


def oracle(body, q, v):
    names = ["hinge", *(f"track.{name}" for name in body.internal), "rail", "elbow"]
    n = len(body.internal)
    unit = jd.Beam("unit", 1.0, 1.0, **STIFF, modes=body.modes, basis=body.basis)
    shapes = BeamFunctions(unit)
    # the beam's own slices: as few as integrate all but the square of foreshortening
    slices = [one for one in body.slices if one.mass]
    xi = np.array([one.station.position[0] for one in slices]) / LENGTH
    masses = np.array([one.mass for one in slices])
    car_m, car_p = cluster(*CAR)
    load_m, load_p = cluster(*LOAD)
    every = np.concatenate([masses, car_m, load_m])

    def places(x):
        hinge, e, rail, elbow = x[0], x[1 : 1 + n], x[1 + n], x[2 + n]
        R = turn(HINGE, hinge)
        axis = shapes.axis(e, LENGTH)
        at = rail / LENGTH
        R_car = R @ shapes.section(e, LENGTH, at)
        car = R @ axis(np.array([at]))[0] + R_car @ STAND
        R_load = R_car @ turn(AXIS, elbow)
        top = car + R_car @ np.array([0.1, 0, 0])
        return np.concatenate([axis(xi) @ R.T, car + car_p @ R_car.T, top + load_p @ R_load.T])

    def potential(x):
        strain = shapes.strain(x[1 : 1 + n], LENGTH, STIFF["EA"], STIFF["EI"], STIFF["GJ"])
        return strain - every @ (places(x) @ GRAVITY)

    return names, *equations(every, places, potential, q, v)


MODES = {
    "plane": jd.Modes(bending_y=2),
    "space": jd.Modes(bending=2),
    "all": jd.Modes(bending_y=2, bending_z=3, axial=1, torsion=1),
}


@pytest.mark.parametrize("modes", MODES)
def test_equations_of_mass_points(modes):
    body = track(MODES[modes], inertia_per_length=1e-13)
    model = system(body).compile()
    rng = np.random.default_rng(4)
    n = len(body.internal)
    q = np.concatenate([[0.4], 0.05 * rng.normal(size=n), [1.9, -0.5]])
    v = np.concatenate([[0.8], 0.8 * rng.normal(size=n), [1.3, -0.6]])
    names, M, bias = oracle(body, q, v)
    state = model.state(q=dict(zip(names, q)), v=dict(zip(names, v)))
    order = [model.index.v[name] for name in names]
    np.testing.assert_allclose(model.mass_matrix(state)[np.ix_(order, order)], M, rtol=1e-9, atol=1e-12 * M.max())
    effort = rng.normal(size=len(names))
    full = np.zeros(model.nv)
    full[order] = effort
    ours, theirs = model.forward_dynamics(state, full)[order], np.linalg.solve(M, effort - bias)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-10 * np.abs(theirs).max())
    np.testing.assert_allclose(model.inverse_dynamics(state, model.forward_dynamics(state, full)), full, atol=1e-9)


@pytest.mark.parametrize("basis", ["polynomial", "clamped-free", "pinned-free", "free-free", "finite-element"])
def test_shapes_along_the_rail(basis):
    """The stated errors of the polynomials that stand for the shapes and their products."""
    count = 4 if basis == "finite-element" else (6 if basis == "polynomial" else 12)
    beam = track(jd.Modes(bending=count, torsion=2), basis)
    rail = beam_rail(beam.tables)
    f = rail.floats
    pieces, degree, n = int(f[0]), int(f[1]), len(beam.internal)
    x = np.linspace(rail.low, rail.high, 301)
    piece = np.minimum((x - f[2]) * f[3], pieces - 1).astype(int)
    t = 2.0 * ((x - f[2]) * f[3] - piece) - 1.0
    table = f[10:].reshape(pieces, -1, degree + 1)
    for derivative, error in ((0, 1e-11), (1, 1e-11), (2, 1e-8), (3, 1e-5)):
        here = beam.shapes(x, derivative)
        exact = here.u + here.v + here.w + here.twist
        if basis == "finite-element" and derivative >= 1:
            continue  # which side of a node counts is not said
        found = np.empty_like(exact)
        for i in range(len(x)):
            for k in range(n):
                poly = np.polynomial.Polynomial(table[piece[i], k])
                found[k, i] = (poly.deriv(derivative) if derivative else poly)(t[i]) * (2.0 * f[3]) ** derivative
        if derivative == 3:  # only bending takes it
            exact, found = exact[: 2 * count], found[: 2 * count]
        largest = np.max(np.abs(exact), axis=1, keepdims=True)
        assert np.max(np.abs(found - exact) / np.where(largest > 0.0, largest, 1.0)) < error
    chi = np.array([one.chi[0, 0] for one in beam.tables.stations(x)])
    ours = [np.polynomial.Polynomial(table[p, n])(s) for p, s in zip(piece, t)]
    np.testing.assert_allclose(ours, chi, atol=1e-11 * np.abs(chi).max())


@pytest.mark.parametrize("rotation", [None, (0.5, 0.5, -0.5, 0.5)])
def test_on_a_rigid_body_it_is_prismatic(rotation):
    rod = jd.RigidBody("track", 6.0, (1.5, 0, 0), (0.1, 4.5, 4.5))
    slider = jd.Prismatic("rail", axis=(1, 0, 0) if rotation is None else jd.Pose(rotation=rotation).rotation.T[:, 0])
    models = [system(rod, joint, rotation=rotation).compile() for joint in (jd.Rail("rail"), slider)]
    q, v = {"hinge": 0.3, "rail": 1.2, "elbow": 0.4}, {"hinge": 1.0, "rail": 0.7, "elbow": -0.3}
    a, b = (model.forward_dynamics(model.state(q=q, v=v)) for model in models)
    np.testing.assert_allclose(a, b, rtol=1e-12)
    # a beam without shapes is a rigid rod too, and ends
    model = system(track(jd.Modes())).compile()
    assert model.ranges == {"rail": (0.0, LENGTH)}
    assert not model.flexible


def test_stiff_beam_is_a_prismatic_joint():
    stiff = {key: 1e7 * np.asarray(value) for key, value in STIFF.items()}
    beam = jd.Beam("track", LENGTH, DENSITY, **(stiff | {"EI": tuple(stiff["EI"])}), modes=jd.Modes(bending=1))
    q, v = {"hinge": 0.3, "rail": 1.2, "elbow": 0.4}, {"hinge": 1.0, "rail": 0.7, "elbow": -0.3}
    flexible, rigid = system(beam).compile(), system(track(jd.Modes())).compile()
    held = {name: 0.0 for name in flexible.names.v if name.startswith("track")}
    a = flexible.hybrid_dynamics(flexible.state(q=q, v=v), np.zeros(flexible.nv), held).acceleration
    b = rigid.forward_dynamics(rigid.state(q=q, v=v))
    keep = [flexible.index.v[name] for name in rigid.names.v]
    # but for the sections' own inertia across, which the rod has and the beam leaves out
    np.testing.assert_allclose(a[keep], b, rtol=1e-9)


@pytest.mark.parametrize("how", ["free", "prescribed"])
def test_energy_and_momentum_on_a_free_platform(how):
    platform = track(jd.Modes(bending=3, torsion=1), "free-free", damping=0.01)
    model = system(platform, gravity=(0, 0, 0), root=jd.Free("free")).compile()
    assert model.ranges == {"rail": (-0.5 * LENGTH, 0.5 * LENGTH)}
    start = {"rail": 0.0} if how == "prescribed" else {"rail": 1.0}
    state = model.state(
        q={"rail": -1.0, "track.bending_y[0]": 0.1},
        v={"free": (0.1, 0.3, -0.2, 0.2, 0.1, 0.0), "elbow": 0.7} | start,
    )
    motions = {"rail": jd.Cycloid(to=1.2, duration=1.5)} if how == "prescribed" else None
    run = jd.simulate(model, state, until=1.5, motions=motions)
    assert np.ptp(run.q["rail"].values) > 1.0
    scale = float(np.ptp(run.energy["strain"].values)) + float(np.ptp(run.energy["kinetic"].values))
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-7 * scale
    before, after = (model.momentum(one) for one in (state, run.state()))
    np.testing.assert_allclose(after.angular, before.angular, atol=1e-7)
    np.testing.assert_allclose(after.linear, before.linear, atol=1e-7)


def test_jacobian_and_acceleration_of_what_travels():
    model = system(track(jd.Modes(bending=2, torsion=1))).compile()
    rng = np.random.default_rng(1)
    q, v = 0.05 * rng.normal(size=model.nq), rng.normal(size=model.nv)
    q[model.index.q["rail"]] = 1.4
    state = model.state(q, v)
    np.testing.assert_allclose(
        model.jacobian("load.origin", state) @ v, model.velocity("load.origin", state), rtol=1e-12
    )
    a = model.forward_dynamics(state)

    def moved(h):
        return model.velocity("load.origin", model.state(q + h * v + 0.5 * h * h * a, v + h * a))

    h = 1e-4
    slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)
    np.testing.assert_allclose(model.acceleration("load.origin", state), slope, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
def test_complex_step():
    model = system(track(jd.Modes(bending=2, torsion=1))).compile()
    rng = np.random.default_rng(2)
    q, v, effort = 0.05 * rng.normal(size=model.nq), *rng.normal(size=(2, model.nv))
    q[model.index.q["rail"]] = 1.4
    direction = rng.normal(size=model.nq)
    out, ws = np.zeros(model.nv, complex), workspace(model.arrays, np.complex128)
    forward_dynamics(model.arrays, ws, q + 1e-30j * direction, v + 0j, effort + 0j, out)
    real, sides = workspace(model.arrays), []
    for h in (1e-6, -1e-6):
        side = np.zeros(model.nv)
        forward_dynamics(model.arrays, real, q + h * direction, v, effort, side)
        sides.append(side)
    slope = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(out.imag / 1e-30, slope, rtol=1e-6, atol=1e-6 * np.abs(slope).max())


def test_stops_at_the_ends_of_the_beam():
    model = system(track(jd.Modes(bending=1)), gravity=(0, 0, 0), root=jd.Weld("clamp")).compile()
    run = jd.simulate(model, model.state(q={"rail": 2.8}, v={"rail": 1.0}), until=1.0)
    assert LENGTH < float(run.q["rail"].max()) < LENGTH + 0.02
    assert float(run.q["rail"][-1]) < LENGTH


def test_the_parent_s_name_is_enough():
    out = jd.System("short")
    out.add(track(jd.Modes(bending=1)), jd.Weld("clamp"))
    out.add(jd.RigidBody("car", 1.0), jd.Rail("rail"), to="track")
    assert out.compile().names.q == ("track.bending_y[0]", "track.bending_z[0]", "rail")


def test_described_and_rebuilt():
    model = system(track(jd.Modes(bending=1)), jd.Rail("rail", limits=(0.5, 2.5), friction=1.0, damping=0.1)).compile()
    assert jd.Model.from_description(model.description).hash == model.hash
    assert model.state().q[model.index.q["rail"]] == 0.5


def test_bad_input():
    model = system(track(jd.Modes(bending=1))).compile()
    with pytest.raises(jd.errors.ModelError, match=r"rail: q is 3.5 m; it must lie between 0 and 3 m"):
        model.state(q={"rail": 3.5})
    with pytest.raises(jd.errors.ModelError, match=r"rail: motions: the profile is at .* between 0 and 3 m"):
        jd.simulate(model, model.state(), until=1.0, motions={"rail": jd.Cycloid(to=3.2, duration=1.0)})
    with pytest.raises(jd.errors.ModelError, match=r"rail: limits are 1 and 4 m; \"track\" reaches from 0 to 3 m"):
        system(track(jd.Modes(bending=1)), jd.Rail("rail", limits=(1.0, 4.0))).compile()
    with pytest.raises(jd.errors.ModelError, match="tip_rotation"):
        system(track(jd.Modes(bending=1), tip_rotation="linear")).compile()
    with pytest.raises(TypeError):
        jd.Rail("rail", axis="y")
    boom = jd.DeployableBeam("track", length=(1.0, 3.0), mass=6.0, **STIFF)
    with pytest.raises(jd.errors.ModelError, match="nothing can travel along a DeployableBeam"):
        system(boom).compile()
    wrong = jd.System("wrong")
    wrong.add(track(jd.Modes(bending=1)), jd.Weld("clamp"))
    wrong.add(jd.RigidBody("car", 1.0), jd.Rail("rail"), to="track.tip")
    with pytest.raises(jd.errors.ModelError, match='a rail runs along the whole body; write to="track"'):
        wrong.compile()
