"""Reduced parts against the full matrices, against beams, and over time."""

from __future__ import annotations

import numpy as np
import pytest
from elements import beam_elements, spring_lattice
from scipy.linalg import block_diag, eigh

import jourdain as jd

LENGTH, COUNT = 3.0, 12
SECTION = dict(mass_per_length=0.8, EA=2e4, EI=(900.0, 700.0), GJ=500.0, inertia_per_length=2e-2)
PAYLOAD = dict(mass=5.0, com=(0.2, 0.1, -0.1), inertia=np.diag([0.3, 0.4, 0.5]))


def reduced(count=COUNT, **options):
    M, K, nodes = beam_elements(LENGTH, count, **SECTION)
    return jd.ReducedBody("boom", M, K, nodes, {"root": 0, "tip": count}, **options)


def whole(count=COUNT):
    """All coordinates of the finite elements: nothing is left out but the truncation of the inertia's second order."""
    return reduced(count, modes=6 * (count - 1))


def beam(count=COUNT):
    modes = jd.Modes(bending=2 * count, axial=count, torsion=count)
    options = dict(basis="finite-element", fidelity="inconsistent", tip_rotation="linear")
    return jd.Beam("boom", LENGTH, **SECTION, modes=modes, **options)


def as_beam(nodal):
    """Coordinates of a finite-element `Beam` from displacements and rotations of all nodes."""
    u, v, w, twist, about_y, about_z = nodal[1:].T
    bending = [np.column_stack([v, about_z]).ravel(), np.column_stack([w, -about_y]).ravel()]
    return np.concatenate([*bending, u, twist])


def payload_matrix():
    m, c = PAYLOAD["mass"], np.array(PAYLOAD["com"])
    cross = np.cross(np.eye(3), c)
    return np.block([[m * np.eye(3), -m * cross], [m * cross, PAYLOAD["inertia"] - m * cross @ cross]])


def frequencies(body, stiffness, loaded):
    """Natural frequencies of a body welded to the world at its root, with or without a payload [rad/s]."""
    system = jd.System("boom")
    system.add(body, jd.Weld("base"))
    if loaded:
        system.add(jd.RigidBody("payload", **PAYLOAD), jd.Weld("grapple"), to="boom.tip")
    model = system.compile()
    return np.sqrt(eigh(stiffness, model.mass_matrix(model.neutral), eigvals_only=True))


def full_frequencies(loaded):
    M, K, _ = beam_elements(LENGTH, COUNT, **SECTION)
    if loaded:
        M[-6:, -6:] += payload_matrix()
    return np.sqrt(eigh(K[6:, 6:], M[6:, 6:], eigvals_only=True))


@pytest.mark.parametrize("loaded", [False, True], ids=["clamped", "payload"])
def test_frequencies_of_the_full_matrices(loaded):
    """They converge from above with the number of modes, and all of them are there with all modes."""
    full = full_frequencies(loaded)
    errors = []
    for modes in (0, 4, 8, 16, 32):
        body = reduced(modes=modes)
        ours = frequencies(body, body.parts.modal.K, loaded)[:6]
        assert np.all(ours > full[:6] * (1.0 - 1e-9))
        errors.append(np.max(ours / full[:6] - 1.0))
    assert np.all(np.diff(errors) < 0.0)
    assert errors[2] < 2e-3 and errors[-1] < 1e-4
    body = whole()
    np.testing.assert_allclose(frequencies(body, body.parts.modal.K, loaded), full, rtol=1e-8)


def test_frequencies_of_the_model():
    """What `model.frequencies` says of a boom with a payload is what the full matrices say."""
    system = jd.System("boom")
    system.add(reduced(modes=16, damping=0.01), jd.Weld("base"))
    system.add(jd.RigidBody("payload", **PAYLOAD), jd.Weld("grapple"), to="boom.tip")
    model = system.compile()
    np.testing.assert_allclose(model.frequencies(model.state()).rad[:6], full_frequencies(True)[:6], rtol=1e-4)


@pytest.mark.parametrize("loaded", [False, True], ids=["clamped", "payload"])
def test_frequencies_of_a_beam(loaded):
    """The same elements as a `Beam`: one matrix, two ways through the code."""
    ours = frequencies(whole(), whole().parts.modal.K, loaded)
    theirs = frequencies(beam(), beam().stiffness, loaded)
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)


def accelerations(count):
    """Accelerations of a bent, moving boom on a free base: of a reduced part, and of a beam with the same shapes."""
    part = reduced(count, modes=4)
    n = len(part.internal)
    loads = np.zeros((2, n))
    loads[:, :6] = [[40.0, 15.0, -9.0, 12.0, 8.0, 6.0], [90.0, -60.0, 80.0, 90.0, 20.0, -30.0]]
    e, rates = np.linalg.solve(part.parts.modal.K, loads.T).T
    shapes = np.array([as_beam(one) for one in part.recover(np.eye(n))]).T
    out = []
    for body, to_internal in ((part, np.eye(n)), (beam(count), shapes)):
        system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
        system.add(jd.RigidBody("base", 40.0, inertia=(9, 8, 7)), jd.Free("free"))
        system.add(body, jd.Weld("shoulder"), to="base.origin", position=(0.4, 0, 0))
        system.add(jd.RigidBody("payload", **PAYLOAD), jd.Revolute("wrist", axis="y"), to="boom.tip")
        model = system.compile()
        state = model.state(q={"wrist": 0.5}, v={"free": [1.3, -0.8, 1.5, 0.1, 0.2, 0.3], "wrist": 2.0})
        state.q[7:-1], state.v[6:-1] = to_internal @ e, to_internal @ rates
        T = block_diag(np.eye(6), to_internal, np.eye(1))
        out.append(np.linalg.solve(T.T @ model.mass_matrix(state) @ T, -T.T @ model.bias(state)))
        if body is part:
            np.testing.assert_allclose(out[0], model.forward_dynamics(state), rtol=1e-8, atol=1e-8)
    return out


def test_forward_dynamics_of_a_beam():
    """Terms of second order in the deformation take the displacements of the nodes: the square of their distance.

    What remains is of third order in the rotation at the tip: a rotation vector there, a normalised quaternion here.
    """
    gaps = []
    for count in (4, 8, 16, 32):
        ours, theirs = accelerations(count)
        gaps.append(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
    steps = -np.diff(gaps)
    assert steps[0] / steps[1] > 3.5 and steps[1] / steps[2] > 3.5
    assert gaps[-1] < 4e-3


def test_static_tip_deflection():
    """Static shapes of the interfaces: a load at the tip bends the part as theory has it, whatever the modes."""
    force, moment = np.array([2.0, 3.0, -4.0]), np.array([0.5, 1.0, -2.0])
    EIy, EIz = SECTION["EI"]
    L = LENGTH
    expected = [
        force[0] * L / SECTION["EA"],
        force[1] * L**3 / (3 * EIy) + moment[2] * L**2 / (2 * EIy),
        force[2] * L**3 / (3 * EIz) - moment[1] * L**2 / (2 * EIz),
        moment[0] * L / SECTION["GJ"],
        moment[1] * L / EIz - force[2] * L**2 / (2 * EIz),
        moment[2] * L / EIy + force[1] * L**2 / (2 * EIy),
    ]
    for options in (dict(modes=0), dict(modes=5), dict(method="guyan")):
        body = reduced(**options)
        load = np.zeros(len(body.internal))
        load[:6] = *force, *moment
        e = np.linalg.solve(body.parts.modal.K, load)
        np.testing.assert_allclose(e[:6], expected, rtol=1e-9)
        np.testing.assert_allclose(e[6:], 0.0, atol=1e-12)
        np.testing.assert_allclose(body.nodal_forces(e)[-1], [*force, *moment], rtol=1e-6, atol=1e-7)


def test_guyan():
    """Guyan's cantilever is a single cubic: 3.5327 and 34.807 instead of 3.516 and 22.03 (the one-element beam)."""
    body = reduced(method="guyan")
    assert len(body.internal) == 6
    scale = np.sqrt(SECTION["EI"][0] / SECTION["mass_per_length"] / LENGTH**4)
    bending = body.parts.modal.K[np.ix_([1, 5], [1, 5])], body.parts.modal.M[np.ix_([1, 5], [1, 5])]
    np.testing.assert_allclose(np.sqrt(eigh(*bending, eigvals_only=True)) / scale, [3.5327, 34.807], rtol=1e-4)
    M, K, _ = beam_elements(LENGTH, COUNT, **SECTION)
    inner, outer = slice(6, -6), slice(-6, None)
    static = -np.linalg.solve(K[inner, inner], K[inner, outer])
    T = np.vstack([static, np.eye(6)])
    np.testing.assert_allclose(body.parts.modal.K, T.T @ K[6:, 6:] @ T, rtol=1e-8, atol=1e-5)
    np.testing.assert_allclose(body.parts.modal.M, T.T @ M[6:, 6:] @ T, rtol=1e-8, atol=1e-8)


def tumbling(kind):
    system = jd.System("tumbling")
    if kind == "boom":
        part, tip = reduced(modes=4), "boom.tip"
        start = {"boom.constraint[1]": 0.1, "boom.constraint[2]": -0.15, "boom.constraint[3]": 0.1}
    else:
        M, K, nodes = spring_lattice(np.random.default_rng(2), consistent=True)
        interfaces = {"root": [0, 1, 2, 3], "tip": [12, 13, 14, 15]}
        part, tip = jd.ReducedBody("boom", M, K, nodes, interfaces, modes=6), "boom.tip"
        start = {"boom.constraint[1]": 0.03, "boom.constraint[4]": 0.05, "boom.mode[0]": 0.02}
    system.add(part, jd.Free("free"))
    system.add(jd.RigidBody("payload", **PAYLOAD), jd.Revolute("wrist", axis=(1, 2, 2)), to=tip)
    model = system.compile()
    return model, model.state(q=start, v={"free": [1.0, -2.0, 1.5, 0.3, -0.2, 0.1], "wrist": 2.0, "boom.mode[1]": 0.5})


@pytest.mark.parametrize("kind", ["boom", "lattice"])
def test_free_flight(kind):
    """Energy and momentum are kept at the order of the method: the inertia's velocity terms are those of its energy."""
    model, state = tumbling(kind)
    before = model.momentum(state)
    errors = []
    for step in (5e-4, 2.5e-4):
        run = jd.simulate(model, state, until=0.5, step=step, method="rk4", progress=False)
        total = run.energy["total"].values
        drift = np.max(np.abs(total - total[0])) / total[0]
        after = model.momentum(model.state(run.record.q[-1], run.record.v[-1]))
        lost = [np.max(np.abs(b - a)) / np.max(np.abs(a)) for a, b in zip(before, after, strict=True)]
        errors.append([drift, *lost])
    assert np.all(np.array(errors[1]) < [3e-6, 3e-6, 3e-6])
    assert np.all(np.array(errors[0]) > 10.0 * np.array(errors[1]))


def test_damped_boom_comes_to_rest_where_statics_has_it():
    """A payload on a boom in gravity: the damped motion ends in the static deflection, and the books close."""
    system = jd.System("sag", gravity=(0.0, 0.0, -1.0))
    body = reduced(modes=3, damping=0.3)
    system.add(body, jd.Weld("base"))
    system.add(jd.RigidBody("payload", 2.0, inertia=(0.1, 0.1, 0.1)), jd.Weld("grapple"), to="boom.tip")
    model = system.compile()
    run = jd.simulate(model, model.state(), until=8.0, method="dop853", progress=False)
    weight, own = 2.0, SECTION["mass_per_length"]
    sag = weight * LENGTH**3 / (3 * SECTION["EI"][1]) + own * LENGTH**4 / (8 * SECTION["EI"][1])
    assert run.q["boom.constraint[2]"].values[-1] == pytest.approx(-sag, rel=2e-3)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-6


@pytest.mark.slow
def test_scikit_fem_solid():
    """A solid of quadratic bricks from scikit-fem: slender, it is the beam of its section."""
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    length, side, E, nu, density = 2.0, 0.1, 7e7, 0.0, 100.0
    mesh = skfem.MeshHex.init_tensor(np.linspace(0, length, 21), np.linspace(0, side, 2), np.linspace(0, side, 2))
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex2()))
    K = linear_elasticity(*lame_parameters(E, nu)).assemble(basis)
    mass = skfem.BilinearForm(lambda u, v, w: density * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2])).assemble(basis)
    interfaces = {
        "root": lambda x: x[0] < 1e-9,
        "tip": lambda x: x[0] > length - 1e-9,
    }
    body = jd.ReducedBody.from_skfem("block", basis, mass, K, interfaces, modes=4)
    assert body.check() == []
    assert body.parts.modal.mass == pytest.approx(density * length * side**2)
    bending = 1.8751**2 * np.sqrt(E * side**2 / 12 / density / length**4)
    np.testing.assert_allclose(body.clamped_frequencies()[:2], bending, rtol=5e-3)
