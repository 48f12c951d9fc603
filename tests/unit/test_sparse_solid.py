"""Solids with all nodes as coordinates and sparse matrices: equal to the dense ones, and to theory where those end."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.contact import CoulombFriction, MultiplierContact, PressureContact
from jourdain.describe.bodies.finite_element.nested_dissection import Factor, dissected, structure_of

RUBBER = jd.Material(E=1e7, nu=0.3, density=1000.0)
DAMPING = jd.Rayleigh(0.3, 1e-4)


def carried(matrices, plane=None, child=False, reference="auto", gravity=9.81, **given):
    """A free solid, with a hinged and a ball-jointed body on it where asked for."""
    shape = {"plane": plane, "thickness": 0.1} if plane else {}
    mesh = jd.mesh.rectangle((1.0, 0.5), (3, 2)) if plane else jd.mesh.block((1.0, 0.5, 0.5), (3, 2, 2))
    left, right = mesh.points[:, 0].min(), mesh.points[:, 0].max()
    body = jd.Solid("body", mesh, RUBBER, element="linear", matrices=matrices, damping=DAMPING, reference=reference,
                    surfaces={"left": lambda x: x[0] < left + 1e-9, "right": lambda x: x[0] > right - 1e-9},
                    frames={"tip": (right, *np.zeros(mesh.dimensions - 1))}, **shape, **given)  # fmt: skip
    system = jd.System("carried", gravity=(0.0, 0.0, -gravity))
    system.add(body, joint=jd.Free("flight"))
    if child:
        hand = jd.RigidBody("hand", 30.0, com=(0.1, 0.05, 0.0), inertia=(1.0, 2.0, 3.0))
        system.add(hand, joint=jd.Revolute("hinge", axis=(0, 1, 0)), to="body.tip")
        ball = jd.RigidBody("ball", 20.0, com=(0.1, 0.05, 0.0), inertia=(1.0, 2.0, 3.0))
        system.add(ball, joint=jd.Spherical("socket"), to="body.right")
    return system.compile()


def somewhere(model, size=0.02):
    """A state off the zero configuration."""
    rng = np.random.default_rng(7)
    start = model.state(q={name: size * rng.normal() for name in model.names.q if ".node" in name})
    return model.state(q=dict(zip(model.names.q, start.q, strict=True)),
                       v=dict(zip(model.names.v, rng.normal(size=model.nv), strict=True)))  # fmt: skip


CASES = (
    {},
    {"child": True},
    {"plane": "stress"},
    {"plane": "strain", "child": True},
    {"reference": "left", "child": True},
    {"reference": "left", "inertia": "constant"},
    {"gyroscopic": False},
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_equal_to_dense_matrices(case):
    """Accelerations, mass matrix, efforts, energy and momentum to rounding: the same body by sums over pairs of nodes
    and a sparse factor, and by modal integrals."""
    dense, sparse = carried("dense", **case), carried("sparse", **case)
    assert "nodal" in sparse.features and "nodal" not in dense.features
    state = somewhere(dense)
    assert dense.names.q == sparse.names.q
    for function in ("forward_dynamics", "mass_matrix", "inverse_dynamics"):
        one, other = getattr(dense, function)(state), getattr(sparse, function)(state)
        assert other == pytest.approx(one, rel=1e-10, abs=1e-11 * np.max(np.abs(one)))
    one, other = dense.energy(state), sparse.energy(state)
    for kind in ("kinetic", "gravity", "strain"):
        assert getattr(other, kind) == pytest.approx(getattr(one, kind), rel=1e-12)
    for one, other in zip(dense.momentum(state), sparse.momentum(state), strict=True):
        assert other == pytest.approx(one, rel=1e-12, abs=1e-11)


@pytest.mark.parametrize("case", [{"gravity": 0.0}, {"child": True}], ids=str)
def test_implicit_runs_equal_those_of_dense_matrices(case):
    """Modified corrections with other derivatives end at the same step: to the tolerance of the corrections."""
    runs = []
    for matrices in ("dense", "sparse"):
        model = carried(matrices, **case)
        state = model.state(v={"flight.wx": 1.0, "flight.wy": 0.5, "flight.vz": 0.2})
        runs.append(jd.simulate(model, state, until=0.02, step=1e-3, method="newmark", rtol=1e-10, atol=1e-12))
    dense, sparse = runs
    assert sparse.record.q == pytest.approx(dense.record.q, abs=1e-11)
    assert sparse.record.v == pytest.approx(dense.record.v, abs=1e-8)
    made = sparse.options["statistics"]
    assert made["jacobians"] <= 2 and made["unconverged"] == 0


def test_free_flight_keeps_momentum_and_energy():
    """Of a spinning body, at the order of the method: halving the step leaves a quarter of the error."""
    model = carried("sparse", gravity=0.0)
    drift = []
    for step in (2e-3, 1e-3):
        state = model.state(v={"flight.wx": 1.0, "flight.wy": 2.0, "flight.wz": 3.0})
        run = jd.simulate(model, state, until=0.1, step=step, method="newmark", rtol=1e-9, atol=1e-11)
        first, last = (model.momentum(one) for one in (state, run.state()))
        drift.append([float(np.linalg.norm(b - a) / np.linalg.norm(a)) for a, b in zip(first, last, strict=True)])
    for coarse, fine in zip(*drift, strict=True):  # angular, linear
        assert fine < 1e-4 and coarse / fine == pytest.approx(4.0, rel=0.3)
    explicit = jd.simulate(model, state, until=0.01, step=1e-5)
    before, after = model.momentum(state), model.momentum(explicit.state())
    assert after[0] == pytest.approx(before[0], rel=1e-10)
    energy = explicit.record.energy[:, :5].sum(axis=1)
    assert energy == pytest.approx(energy[0], rel=1e-8)


@pytest.fixture(scope="module")
def beam():
    """A clamped bar of 1 m with a square section of 0.1 m, HEX20, its root held."""
    mesh = jd.mesh.block((1.0, 0.1, 0.1), (16, 2, 2))
    left, right = mesh.points[:, 0].min(), mesh.points[:, 0].max()
    return jd.Solid("beam", mesh, jd.Material(E=1e8, nu=0.0, density=1000.0), reference="root",
                    damping=jd.Rayleigh(20.0, 0.0), frames={"tip": (right, 0.0, 0.0)},
                    surfaces={"root": lambda x: x[0] < left + 1e-9})  # fmt: skip


def test_a_cantilever_of_more_coordinates_than_dense_matrices_take(beam):
    """Static deflection m g L^3 / (8 EI) + m g L / (2 k GA) (Timoshenko, k = 5/6) within 0.5 %, the first frequency
    within 1 % of (1.8751 / L)^2 sqrt(EI / rho A), lowered by shear and rotary inertia."""
    system = jd.System("cantilever", gravity=(0.0, 0.0, -1.0))
    system.add(beam, joint=jd.Weld("clamp"), at="root")
    model = system.compile()
    assert model.nv > 1000
    run = jd.simulate(model, model.state(), until=8.0, step=0.05, method=jd.implicit.GeneralizedAlpha(0.0),
                      rtol=1e-6, atol=1e-8)  # fmt: skip
    E, rho, L, h = 1e8, 1000.0, 1.0, 0.1
    inertia, area, weight = h**4 / 12.0, h * h, rho * h * h
    moved = beam.recover(run.record.q[-1])
    tip = moved[int(np.argmin(np.linalg.norm(beam.nodes - beam.frames["tip"], axis=1)))]
    theory = weight * L**4 / (8.0 * E * inertia) + weight * L**2 / (2.0 * 5.0 / 6.0 * 0.5 * E * area)
    assert len(moved) == len(beam.nodes) and -tip[2] == pytest.approx(theory, rel=5e-3)
    slender = (1.875104 / L) ** 2 * np.sqrt(E * inertia / weight)
    assert beam.clamped_frequencies()[0] == pytest.approx(slender, rel=2e-2)
    assert run.field("beam", "von_mises").shape == (len(run.record.time), len(beam.nodes))


def frequencies(cells, element, of="hex"):
    """First frequencies of a short clamped block on meshes that become finer [rad/s]."""
    found = []
    for n in cells:
        mesh = jd.mesh.block((2.0, 1.0, 1.0), (2 * n, n, n), of)
        left = mesh.points[:, 0].min()
        body = jd.Solid("block", mesh, RUBBER, element=element, reference="root", matrices="sparse",
                        surfaces={"root": lambda x, left=left: x[0] < left + 1e-9})  # fmt: skip
        found.append(body.clamped_frequencies()[0])
    return found


def test_orders_of_convergence():
    """Of frequencies: HEX8 and TET4 errors fall as h^2 where the field is smooth; at a clamped edge with Poisson's
    ratio it is singular, which lowers the order to between 1 and 2. Both come to the same frequency from above, and
    quadratic elements on a coarse mesh are nearer to it than linear ones on one twice as fine."""
    limits = []
    for of in ("hex", "tet"):
        linear = frequencies((1, 2, 4, 8), "linear", of)
        differences = -np.diff(linear)
        rate = np.log2(differences[:-1] / differences[1:])
        assert np.all(differences > 0.0) and rate[0] < rate[-1] and 1.2 < rate[-1] < 2.2
        limits.append(linear[-1] - differences[-1] / (2.0 ** rate[-1] - 1.0))
        quadratic = frequencies((2,), "quadratic", of)[0]
        assert abs(quadratic - limits[-1]) < abs(linear[-2] - limits[-1])
    assert limits[0] == pytest.approx(limits[1], rel=2e-2)


def dropped(matrices, normal, method, friction=None, until=0.03, step=1e-3, v=-0.3, **given):
    """A block that falls flat on a floor."""
    mesh = jd.mesh.block((0.3, 0.3, 0.2), (3, 3, 2))
    low = float(mesh.points[:, 2].min())
    pad = jd.Solid("pad", mesh, jd.Material(E=1e6, nu=0.3, density=1000.0), element="linear", matrices=matrices,
                   surfaces={"sole": lambda x: x[2] < low + 1e-9}, damping=jd.Rayleigh(0.0, 5e-4))  # fmt: skip
    system = jd.System("drop", gravity=(0.0, 0.0, -9.81))
    system.add(pad, joint=jd.Free("flight"))
    floor = jd.Plane((0, 0, 1)).at("world", position=(0.0, 0.0, low - 1e-3))
    system.contact("floor", pad.surface("sole"), floor, normal, friction)
    model = system.compile()
    return jd.simulate(model, model.state(v={"flight.vz": v}), until=until, step=step, method=method, **given), pad


@pytest.mark.parametrize("scheme", [pytest.param("acceleration", marks=pytest.mark.slow), "impulse"])
def test_a_block_lands_as_with_dense_matrices(scheme):
    """The same states of all nodes, and motion to what the corrections leave, until nodes begin to let go."""
    method = jd.implicit.Newmark(0.5, 1.0) if scheme == "acceleration" else "generalized-alpha"
    dense, _ = dropped("dense", MultiplierContact(scheme=scheme), method, until=0.012)
    sparse, _ = dropped("sparse", MultiplierContact(scheme=scheme), method, until=0.012)
    assert sparse.contact["floor"].force.values[-1, 2] > 0.0
    assert np.array_equal(dense.contact["floor"].sites.values, sparse.contact["floor"].sites.values)
    assert sparse.record.q == pytest.approx(dense.record.q, abs=1e-9)


def test_a_block_comes_to_rest_on_its_weight():
    """Force on the floor m g, and no node below it."""
    run, pad = dropped("sparse", MultiplierContact(), jd.implicit.GeneralizedAlpha(0.0), until=1.0, step=5e-3, v=-0.05,
                       rtol=1e-6, atol=1e-8)  # fmt: skip
    touch = run.contact["floor"]
    assert touch.force.values[-1, 2] == pytest.approx(9.81 * pad.mass, rel=1e-3)
    assert float(touch.gap.min()) > -1e-9


def test_corrections_do_not_grow_with_the_mesh():
    """A cube that lands on its whole face, 192 and 2,187 velocities: three corrections a step, the least for a first
    one that is far off. Without moments of forces and the deformation of now in the rows of the frame it was 3.7 and
    4.2, and more with every finer mesh."""
    for cells in (3, 8):
        mesh = jd.mesh.block((0.2, 0.2, 0.2), (cells,) * 3)
        pad = jd.Solid("pad", mesh, jd.Material(E=1e6, nu=0.3, density=1000.0), element="linear", matrices="sparse",
                       surfaces={"sole": lambda x: x[2] < 1e-9}, damping=jd.Rayleigh(0.0, 5e-4))  # fmt: skip
        system = jd.System("drop", gravity=(0.0, 0.0, -9.81))
        system.add(pad, joint=jd.Free("flight"))
        floor = jd.Plane((0, 0, 1)).at("world", position=(0.0, 0.0, -1e-6))
        system.contact("floor", pad.surface("sole"), floor, MultiplierContact(scheme="acceleration"))
        model = system.compile()
        run = jd.simulate(model, model.state(v={"flight.vz": -0.01}), until=0.01, step=5e-4, rtol=1e-6, atol=1e-8,
                          method=jd.implicit.Newmark(0.5, 1.0))  # fmt: skip
        assert run.options["statistics"]["iterations"] <= 3.1 * run.options["statistics"]["steps"]


def test_a_bed_of_springs_bears_a_sparse_block():
    """PressureContact with an explicit method: the same as with dense matrices."""
    law = PressureContact(1e8, 1e4)
    runs = [dropped(one, law, "rk4", until=0.006, step=2e-5)[0] for one in ("dense", "sparse")]
    assert runs[0].contact["floor"].force.values[-1, 2] > 1.0
    assert runs[1].record.q == pytest.approx(runs[0].record.q, abs=1e-12)
    assert runs[1].record.v == pytest.approx(runs[0].record.v, abs=1e-8)


def test_sparse_factors_are_those_of_the_matrix():
    """Of random symmetric matrices on a grid: solutions to rounding, and None of a matrix that is not positive."""
    rng = np.random.default_rng(3)
    places = np.array([(x, y, 0.0) for x in range(9) for y in range(7)], float)
    near = np.linalg.norm(places[:, None] - places[None], axis=2) < 1.5
    A = np.where(near, rng.normal(size=near.shape), 0.0)
    A = A + A.T + 20.0 * np.eye(len(A))
    matrix = coo_array(A)
    structure = structure_of(matrix.tocsc(), dissected(coo_array(near.astype(float)).tocsr(), places))
    assert structure.values < len(A) * (len(A) + 1) // 2
    b = rng.normal(size=(len(A), 2))
    assert Factor(matrix, structure).solve(b) == pytest.approx(np.linalg.solve(A, b), rel=1e-10)
    with pytest.raises(RuntimeError, match="positive"):
        Factor(coo_array(A - 40.0 * np.eye(len(A))), structure)


def test_what_sparse_matrices_cannot_do():
    """Each refusal names the culprit and what to do."""
    mesh = jd.mesh.block((1.0, 0.5, 0.5), (2, 2, 2))
    for given, words in (
        ({"damping": 0.02}, "Rayleigh"),
        ({"modes": 3}, "leave matrices= out"),
        ({"reference": "mean"}, 'reference="mean"'),
    ):
        body = jd.Solid("body", mesh, RUBBER, element="linear", matrices="sparse", **given)
        assert any(words in str(one) for one in body.check())
    model = carried("sparse")
    for method, given in (("bdf", {}), ("radau", {"step": 1e-3}), ("newmark", {})):
        with pytest.raises(ModelError, match="sparse matrices"):
            jd.simulate(model, model.state(), until=0.1, method=method, **given)
    name = next(name for name in model.names.v if ".node" in name)
    with pytest.raises(ModelError, match="cannot be prescribed"):
        jd.simulate(model, model.state(), until=0.1, step=1e-3, motions={name: jd.Polynomial(0.0)})
    model = looped("sparse")
    with pytest.raises(ModelError, match='give form="index-2"'):
        jd.simulate(model, model.state(), until=0.1, method="newmark", step=1e-3, form="index-1")


def looped(matrices):
    """A block that flies, pinned to the world at a corner by a constraint."""
    mesh = jd.mesh.block((1.0, 0.5, 0.5), (2, 2, 2))
    system = jd.System("loop", gravity=(0.0, 0.0, -9.81))
    system.add(jd.Solid("body", mesh, RUBBER, element="linear", matrices=matrices, frames={"tip": (1.0, 0.0, 0.0)}),
               joint=jd.Free("flight"))  # fmt: skip
    system.connect(jd.Spherical("pin"), "body.tip", "world", position=(1.0, 0.0, 0.0))
    return system.compile()


@pytest.mark.parametrize("method", ["rk4", "newmark"])
def test_a_loop_moves_sparse_matrices_as_dense_ones(method):
    """Multipliers by the sparse factor, in an implicit step beside parted unknowns, against those by the elimination of
    single coordinates."""
    ends = []
    for matrices in ("sparse", "dense"):
        model = looped(matrices)
        start = model.state(v={"flight": (0.0, 0.4, 0.0, 0.0, 0.0, 0.4)})
        told = {"rtol": 1e-12, "atol": 1e-14}  # of the corrections
        run = jd.simulate(model, start, until=2e-3, method=method, step=1e-4, output=2e-3, progress=False, **told)
        ends.append(dict(zip(model.names.q, run.state(-1).q, strict=True)))
    assert ends[0].keys() == ends[1].keys()
    moved = np.array([[one[name] for name in ends[0]] for one in ends])
    assert np.max(np.abs(moved[0, 7:])) > 1e-7
    assert np.max(np.abs(moved[0] - moved[1])) < 1e-12


def test_friction_on_an_incline():
    """A plane block that sticks: friction is the share of the weight along the floor."""
    pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (4, 2)), RUBBER, "stress", thickness=0.1, element="linear",
                   matrices="sparse", surfaces={"sole": lambda x: x[1] < 1e-9},
                   damping=jd.Rayleigh(0.0, 5e-4))  # fmt: skip
    angle = np.radians(10.0)
    system = jd.System("incline", gravity=(9.81 * np.sin(angle), -9.81 * np.cos(angle), 0.0))
    system.add(pad, joint=jd.Planar("move"))
    friction = CoulombFriction(kinetic=0.25, static=0.3)
    system.contact("floor", pad.surface("sole"), jd.Plane((0, 1, 0)).at("world"), MultiplierContact(), friction)
    model = system.compile()
    run = jd.simulate(model, model.state(), until=0.3, step=1e-3, method="generalized-alpha")
    along, up = pad.mass * 9.81 * np.sin(angle), pad.mass * 9.81 * np.cos(angle)
    assert run.contact["floor"].force.values[-1] == pytest.approx([-along, up, 0.0], rel=1e-3, abs=1e-5)
