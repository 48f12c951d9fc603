"""The inertia of a beam's sections turns with them: spinning shafts, a disc on a shaft, Lagrange's equations."""

from __future__ import annotations

import numpy as np
import pytest
from derivative_cases import both
from rotors import cantilever_whirl, element_whirl
from scipy.linalg import expm
from strategies import Case

import jourdain as jd

SHAFT = {"length": 1.0, "mass_per_length": 1.0, "EA": 1e4, "EI": 100.0, "GJ": 80.0}


def spinning(spin: float, disc: jd.RigidBody | None = None, **options) -> np.ndarray:
    """Frequencies seen from a shaft that is held at its root and spun about its axis, without torsion [rad/s]."""
    system = jd.System("rotor")
    modes = options.pop("modes", jd.Modes(bending=8))
    system.add(jd.Beam("shaft", **{**SHAFT, **options}, modes=modes), jd.Revolute("spin", axis="x"))
    if disc is not None:
        system.add(disc, jd.Weld("fit"), to="shaft.tip")
    model = system.compile()
    return 2 * np.pi * model.frequencies(model.state(v={"spin": spin}), hold=("spin",)).hz


WHIRLS = [(0.0, None, "auto"), (20.0, None, "auto"), (60.0, None, "auto"), (60.0, (0.012, 0.01, 0.01), "auto"),
          (60.0, None, "modes"), (60.0, None, "dual")]  # fmt: skip


@pytest.mark.parametrize(("spin", "inertia", "axial"), WHIRLS)
def test_whirl_of_a_shaft_is_that_of_rayleigh(spin, inertia, axial):
    """Forward and backward, two of each: eight polynomials have the second frequency to 1e-8, four the first one to
    1e-5. Four are enough for a dual beam, which has as many axial functions as pairs of them."""
    section = {"rotary_inertia": True} if inertia is None else {"inertia_per_length": inertia}
    jx, j, _ = inertia or (0.02, 0.01, 0.01)
    whirls, modes = (1, jd.Modes(bending=4)) if axial == "dual" else (2, jd.Modes(bending=8))
    wanted = np.sort(np.abs(cantilever_whirl(1.0, 1.0, 100.0, jx, j, spin, whirls) - spin))
    found = spinning(spin, axial=axial, modes=modes, **section)
    np.testing.assert_allclose(found[: 2 * whirls], wanted, rtol=1e-5 if axial == "dual" else 1e-7)


@pytest.mark.parametrize("fidelity", ["consistent", "inconsistent", "ruthless"])
def test_whirl_by_fidelity(fidelity):
    """Only a ruthless beam leaves the turn of its sections out: shortening plays no part in the whirl of a shaft."""
    wanted = np.sort(np.abs(cantilever_whirl(1.0, 1.0, 100.0, 0.02, 0.01, 20.0, 1) - 20.0))
    found = spinning(20.0, rotary_inertia=True, fidelity=fidelity)[:2]
    error = np.max(np.abs(found / wanted - 1.0))
    assert error > 1e-3 if fidelity == "ruthless" else error < 1e-8


@pytest.mark.parametrize("spin", [0.0, 40.0, 150.0])
def test_a_thick_disc_on_a_shaft(spin):
    """A disc of 2 kg, its centre 5 cm beyond the tip, on a shaft with rotary inertia of its own: against finite
    elements in axes that do not turn, which have the first four to 1e-6."""
    disc = jd.RigidBody("disc", 2.0, com=(0.05, 0, 0), inertia=(0.04, 0.03, 0.03))
    found = spinning(spin, disc, rotary_inertia=True)
    speeds = element_whirl(1.0, 1.0, 100.0, 0.02, 0.01, spin, (2.0, 0.04, 0.03, 0.05))
    wanted = np.sort(np.abs(speeds - spin))[:4]
    np.testing.assert_allclose(found[:4], wanted, rtol=2e-6)


def test_a_disc_as_sections_of_the_shaft():
    """The last 4 % of a shaft, as heavy and as thick as a disc, whirls as the disc of the same inertia welded there:
    one has its inertia in integrals over sections, the other in a rigid body on a marker. Between the two is what the
    last 4 % bend, 1e-4 of the frequency."""
    span, spin = 0.04, 60.0
    edges = [0.0, 1 - span - 1e-9, 1 - span, 1.0]
    table = {"mass_per_length": (edges, [1, 1, 21, 21]), "EI": (edges, [100, 100, 1e6, 1e6])}
    sections = {"modes": jd.Modes(bending=8), "inertia_per_length": [(edges, [a, a, b, b]) for a, b in
                ((2e-3, 0.802), (1e-3, 0.501), (1e-3, 0.501))]}  # fmt: skip
    table["EI"] = (table["EI"], table["EI"])
    within = spinning(spin, **table, **sections, basis="polynomial")
    # 20 kg/m over 0.04 m about their centre, with what they are long
    own = np.array([0.8, 0.5, 0.5]) * span + np.array([0, 1, 1]) * 20 * span**3 / 12
    disc = jd.RigidBody("disc", 20 * span, com=(-span / 2, 0, 0), inertia=own)
    welded = spinning(
        spin,
        disc,
        inertia_per_length=(2e-3, 1e-3, 1e-3),
        EI=(table["EI"][0], table["EI"][1]),
        modes=jd.Modes(bending=8),
    )
    np.testing.assert_allclose(within[:3], welded[:3], rtol=1e-3)


UNEVEN = {"length": 1.2, "mass_per_length": 2.0, "EA": 1e5, "EI": (90.0, 60.0), "GJ": 50.0}
INERTIA = (0.09, 0.07, 0.05)


def gimbal(**options) -> jd.Model:
    """An uneven beam behind three hinges: rates of the coordinates are the velocities."""
    system = jd.System("gimbal", gravity=(0.0, 0.0, 0.0))
    to = "world"
    for axis in "zy":
        system.add(jd.RigidBody(f"ring_{axis}", 0.2, inertia=(0.02, 0.03, 0.04)), jd.Revolute(axis, axis=axis), to=to)
        to = f"ring_{axis}.origin"
    modes = jd.Modes(bending=2, torsion=1, axial=1)
    options = {"inertia_per_length": INERTIA, "modes": modes, **options}
    system.add(jd.Beam("b", **UNEVEN, **options), jd.Revolute("x", axis="x"), to=to)
    return system.compile()


def deformed(model: jd.Model, size: float, seed: int = 3) -> jd.State:
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=model.nq), 3.0 * rng.normal(size=model.nv)
    internal = [name.startswith("b.") for name in model.names.q]
    return model.state(np.where(internal, size * q, q), v)


@pytest.mark.parametrize("options", [{}, {"axial": "modes"}, {"fidelity": "inconsistent"}], ids=str)
def test_bias_is_lagranges(options):
    """M' v - d/dq (1/2 v . M v) by fourth-order differences of the mass matrix, and the elastic forces at rest."""
    model = gimbal(**options)
    state, h = deformed(model, 0.05), 1e-3
    partials = []
    for j in range(model.nq):
        by = h * np.eye(model.nq)[j]
        sides = [model.mass_matrix(state.q + k * by) for k in (1, -1, 2, -2)]
        partials.append((8 * (sides[0] - sides[1]) - (sides[2] - sides[3])) / (12 * h))
    dM = np.array(partials)
    wanted = np.einsum("jkl,j,l->k", dM, state.v, state.v) - 0.5 * np.einsum("jkl,k,l->j", dM, state.v, state.v)
    found = model.bias(state.q, state.v) - model.bias(state.q, 0.0 * state.v)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.max(np.abs(wanted)))


def section_energy(beam: jd.Beam, omega: np.ndarray, e: np.ndarray, rates: np.ndarray) -> float:
    """Kinetic energy of the sections about their centres, each turned by exp(b) exp(phi d), without expansions."""

    def skew(a):
        return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    nodes, weights = np.polynomial.legendre.leggauss(12)
    x, h, energy = 0.5 * beam.length * (nodes + 1), 1e-4, 0.0
    here, slope = beam.shapes(x), beam.shapes(x, 1)

    def twists(e):
        """phi of second order: -1/2 int w' v'' - v' w'' dx from the root, by Gauss points of its own."""
        out = []
        for end in x:
            s = 0.5 * end * (nodes + 1)
            first, second = beam.shapes(s, 1), beam.shapes(s, 2)
            product = (e @ first.w) * (e @ second.v) - (e @ first.v) * (e @ second.w)
            out.append(-0.5 * np.sum(0.5 * end * weights * product))
        return np.array(out)

    def rotations(e):
        phi = e @ here.twist + twists(e)
        bend = np.stack([0 * x, -(e @ slope.w), e @ slope.v], axis=1)
        return [expm(skew(b)) @ expm(skew(np.array([p, 0, 0]))) for b, p in zip(bend, phi, strict=True)]

    sides = [rotations(e + k * h * rates) for k in (1, -1, 2, -2)]
    for i, R in enumerate(rotations(e)):
        dR = (8 * (sides[0][i] - sides[1][i]) - (sides[2][i] - sides[3][i])) / (12 * h)
        W = R.T @ dR
        turn = R.T @ omega + np.array([W[2, 1], W[0, 2], W[1, 0]])
        energy += 0.5 * 0.5 * beam.length * weights[i] * turn @ (np.array(INERTIA) * turn)
    return float(energy)


def test_kinetic_energy_is_that_of_turned_sections():
    """Against sections turned by whole rotations, their angular velocities by differences. The inertia of the sections
    is told from the rest by a beam with half of it. What their four places leave is of second order in the deflection:
    with rates of 3 m/s, so much more than the deflections, it shows them all."""
    whole, half = gimbal(), gimbal(inertia_per_length=tuple(0.5 * one for one in INERTIA))
    beam = jd.Beam("b", **UNEVEN, modes=jd.Modes(bending=2, torsion=1, axial=1), inertia_per_length=INERTIA)
    internal = [name.startswith("b.") for name in whole.names.v]
    errors = []
    for size in (0.0, 0.002, 0.004):
        state = deformed(whole, size)
        found = 2.0 * (whole.energy(state)["kinetic"] - half.energy(state)["kinetic"])
        spin = whole.pose("b.origin", state).rotation.T @ whole.velocity("b.origin", state)[:3]
        wanted = section_energy(beam, spin, state.q[internal], state.v[internal])
        errors.append(abs(found / wanted - 1.0))
    assert errors[0] < 1e-12 and errors[2] < 1e-6 and errors[2] / errors[1] > 3.5, errors


def test_the_mass_matrix_stays_positive():
    """However far the beam bends and however thick it is: 0.45 m of gyration on 1.3 m, slopes of 1."""
    system = jd.System("thick")
    beam = jd.Beam("b", 1.3, 2.0, 40.0, (3.0, 5.0), 2.0, rotary_inertia=True, modes=jd.Modes(bending=2, torsion=1))
    system.add(beam, jd.Free("free"))
    model = system.compile()
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = model.neutral + np.concatenate([np.zeros(7), 0.5 * rng.normal(size=model.nq - 7)])
        assert np.linalg.eigvalsh(model.mass_matrix(q))[0] > 0.0


def test_a_free_spinning_beam_keeps_energy_and_angular_momentum():
    system = jd.System("tumbling", gravity=(0, 0, 0))
    beam = jd.Beam("b", **UNEVEN, inertia_per_length=INERTIA, modes=jd.Modes(bending=2, torsion=1), basis="free-free")
    system.add(beam, jd.Free("free"))
    model = system.compile()
    state = model.state(v={"free": (9.0, 1.0, -2.0, 0, 0, 0), "b.bending_y[0]": 0.4})
    run = jd.simulate(model, state, until=1.0, rtol=1e-10, atol=1e-12, output=0.1, progress=False)
    energy = run.energy["balance"].values
    assert np.max(np.abs(energy)) < 1e-8 * run.energy["kinetic"].values[0]
    first, last = (model.momentum(run.state(k)) for k in (0, -1))
    np.testing.assert_allclose(last.angular, first.angular, rtol=0, atol=1e-8 * np.linalg.norm(first.angular))


@pytest.mark.parametrize("options", [{}, {"fidelity": "consistent"}, {"fidelity": "inconsistent"}], ids=str)
def test_derivatives(options):
    """The recursion against the complex step, with a spinning body on the beam's tip."""
    system = jd.System("rotor", gravity=(0.3, -2.0, -9.0))
    system.add(jd.Beam("b", **UNEVEN, inertia_per_length=INERTIA, modes=jd.Modes(bending=2, torsion=1), **options),
               jd.Free("free"))  # fmt: skip
    system.add(jd.RigidBody("disc", 1.0, com=(0.1, 0, 0), inertia=(0.04, 0.03, 0.03)), jd.Revolute("r", axis="x"),
               to="b.tip")  # fmt: skip
    model = system.compile()
    rng = np.random.default_rng(5)
    q = model.neutral + np.array([0.05 if "[" in name else 0.3 for name in model.names.q]) * rng.normal(size=model.nq)
    q[3:7] /= np.linalg.norm(q[3:7])
    both(Case(system, model, model.state(q, rng.normal(size=model.nv)), rng))


def test_gravity_in_an_orbit_turns_sections():
    """Forces on the coordinates at rest are the slopes of the potential, sections' inertia included."""
    system = jd.System("orbit", environment=jd.Orbit(altitude=400e3))
    wide = tuple(3e3 * one for one in INERTIA)  # wide, so that the field's gradient over them counts
    beam = jd.Beam("b", **UNEVEN, inertia_per_length=wide, modes=jd.Modes(bending=2, torsion=1))
    system.add(beam, jd.Spherical("ball"), position=(3.0, 1.0, 2.0))
    model = system.compile()
    rng = np.random.default_rng(2)
    turn = rng.normal(size=4)
    state = model.state(np.concatenate([turn / np.linalg.norm(turn), 0.05 * rng.normal(size=model.nq - 4)]))
    internal = [j for j, name in enumerate(model.names.q) if name.startswith("b.")]

    def potential(j, by):
        q = np.array(state.q)
        q[j] += by
        energy = model.energy(model.state(q, 0.0 * state.v))
        return energy["gravity"] + energy["strain"]

    h = 1e-2
    partials = [(8 * (potential(j, h) - potential(j, -h)) - potential(j, 2 * h) + potential(j, -2 * h)) / (12 * h)
              for j in internal]  # fmt: skip
    found = model.bias(state.q, 0.0 * state.v)[[model.index.v[model.names.q[j]] for j in internal]]
    strain = beam.stiffness @ state.q[internal]
    np.testing.assert_allclose(
        found - strain, np.array(partials) - strain, rtol=0, atol=1e-6 * np.max(np.abs(found - strain))
    )


def test_three_numbers_travel_and_are_checked(tmp_path):
    given = (0.09, ([0.0, 1.0], [0.07, 0.06]), 0.05)
    system = jd.System("file")
    system.add(jd.Beam("b", **UNEVEN, inertia_per_length=given), jd.Weld("root"))
    system.save(tmp_path / "shaft.yaml")
    assert jd.System.load(tmp_path / "shaft.yaml").compile().hash == system.compile().hash
    for wrong, told in (
        ((0.2, 0.07, 0.05), "too much about x"),
        ((0.01, 0.07, 0.05), "too much about y"),
        ((0.1, 0.0, 0.1), r"inertia_per_length\[1\] is 0.0"),
        ((0.1, 0.1), "three, about x, y and z"),
    ):
        with pytest.raises(jd.errors.ModelError, match=told):
            bad = jd.System("bad")
            bad.add(jd.Beam("b", **UNEVEN, inertia_per_length=wrong), jd.Weld("root"))
            bad.compile()


def test_one_number_is_divided_as_the_stiffness_is():
    """A flat section has about x what it has about y and z together, whatever the number says of its size."""
    modes = jd.Modes(bending=3, torsion=1)
    one = jd.Beam("b", **UNEVEN, modes=modes, inertia_per_length=0.03, rotary_inertia=True)
    three = jd.Beam("b", **UNEVEN, modes=modes, inertia_per_length=(0.03, 0.03 * 60 / 150, 0.03 * 90 / 150))
    np.testing.assert_allclose(one.mass_matrix, three.mass_matrix, rtol=1e-13)
    plain = jd.Beam("b", **UNEVEN, modes=modes, rotary_inertia=True)
    about_y, about_z = 2.0 * 60 / 1e5, 2.0 * 90 / 1e5
    same = jd.Beam("b", **UNEVEN, modes=modes, inertia_per_length=(about_y + about_z, about_y, about_z))
    np.testing.assert_allclose(plain.mass_matrix, same.mass_matrix, rtol=1e-13)
