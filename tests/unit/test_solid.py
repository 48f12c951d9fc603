"""`jd.Solid`: against theory, other bodies and the digest's identities; its fields, files and looks."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.polynomial import legendre

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.bodies.finite_element.solid import SolidWarning
from jourdain.describe.solids.outer_surface import spread

STEEL = jd.Material(E=2e11, nu=0.3, density=7800.0)
SOFT = jd.Material(E=1e6, nu=0.3, density=1000.0)
L, B, H = 1.0, 0.04, 0.02
ENDS = {"root": lambda x: x[0] < 1e-9, "tip": lambda x: x[0] > L - 1e-9}


def bar(cells=(10, 1, 1), **given) -> jd.Solid:
    return jd.Solid("bar", jd.mesh.block((L, B, H), cells), **{"material": STEEL, "surfaces": ENDS} | given)


def cantilever(roots=(1.87510407, 4.69409113, 7.85475744)) -> np.ndarray:
    """Circular frequencies of Euler's beam that bends about its weak axis [rad/s]."""
    return np.array(roots) ** 2 * np.sqrt(STEEL.E * H**2 / (12.0 * STEEL.density)) / L**2


def test_a_held_bar_has_the_frequencies_of_a_beam():
    """Poisson's effect at the held face and shear remain: below 1 % at a slenderness of 50, falling with the mesh."""
    coarse, fine = (bar(cells, modes=6, reference="root").clamped_frequencies() for cells in ((10, 1, 1), (20, 2, 2)))
    expected = cantilever()[0]
    assert fine[0] == pytest.approx(expected, rel=6e-3) and fine[1] == pytest.approx(2.0 * expected, rel=6e-3)
    assert abs(fine[0] - expected) < abs(coarse[0] - expected)


def test_other_bodies_of_the_same_part_have_its_frequencies():
    """`ReducedBody` from the same matrices to rounding; `Beam` of the same section but for shear and rotary inertia,
    which lower the first frequency by (pi / slenderness)^2 in order of size, 3 h^2 / L^2 and 3 b^2 / L^2 about."""
    body = bar((20, 2, 2), modes=8, reference="root", material=jd.Material(E=STEEL.E, nu=0.0, density=STEEL.density))
    found = body.clamped_frequencies()
    root = np.flatnonzero(body.nodes[:, 0] < 1e-9).tolist()
    same = jd.ReducedBody("part", body.mass_matrix, body.stiffness_matrix, body.nodes, {"root": root}, modes=8)
    assert found == pytest.approx(same.clamped_frequencies(), rel=1e-8)
    section, weak, strong = B * H, B * H**3 / 12.0, H * B**3 / 12.0
    modes = jd.Modes(bending_y=3, bending_z=3, torsion=0)
    beam = jd.Beam("beam", L, mass_per_length=STEEL.density * section, EA=STEEL.E * section, GJ=1.0,
                   EI=(STEEL.E * weak, STEEL.E * strong), modes=modes)  # fmt: skip
    first = np.sort(beam.clamped_frequencies())[:2]
    assert 1.0 - found[:2] / first == pytest.approx([0.0, 0.0], abs=3.0 * (B / L) ** 2)
    assert np.all(found[:2] < first)


def free_plate(nu, degree, count):
    """Frequencies, times a^2 sqrt(rho h / D), of a thin free square plate by Ritz, with products of Legendre
    polynomials up to a degree in the energies of Kirchhoff's plate (Leissa 1969, NASA SP-160)."""
    x, w = legendre.leggauss(degree + 2)
    one = np.eye(degree + 1)
    P = [np.array([legendre.legval(x, legendre.legder(row, k)) for row in one]) for k in range(3)]
    G = [[(P[i] * w) @ P[j].T for j in range(3)] for i in range(3)]
    mass = np.kron(G[0][0], G[0][0])
    stiff = np.kron(G[2][2], G[0][0]) + np.kron(G[0][0], G[2][2]) + 2.0 * (1.0 - nu) * np.kron(G[1][1], G[1][1])
    stiff += nu * (np.kron(G[2][0], G[0][2]) + np.kron(G[0][2], G[2][0]))
    size = 1.0 / np.sqrt(np.diag(mass))
    return 4.0 * np.sqrt(np.linalg.eigvalsh(stiff * size[:, None] * size)[3 : 3 + count])


def test_a_free_plate_has_the_frequencies_of_theory():
    """A square plate, thickness 1/50 of its side, Poisson's ratio 0.3, against Ritz, which is converged to 1e-4 at
    degree 8. Shear and rotary inertia lower frequencies by 0.4 % at most here (12 x 12 cells); 8 x 8 cells are stiffer
    by up to 0.7 %."""
    a, h = 1.0, 0.02
    plate = jd.Solid("plate", jd.mesh.block((a, a, h), (8, 8, 1)), STEEL, modes=5)
    D = STEEL.E * h**3 / (12.0 * (1.0 - STEEL.nu**2))
    found = plate.clamped_frequencies() * a**2 * np.sqrt(STEEL.density * h / D)
    theory = free_plate(STEEL.nu, 8, 5)
    assert theory == pytest.approx(free_plate(STEEL.nu, 10, 5), rel=1e-4)
    assert found == pytest.approx(theory, rel=0.01)


def test_linear_elements_are_too_stiff_in_bending():
    stiff = bar((20, 2, 2), element="linear", modes=2, reference="root").clamped_frequencies()[0]
    assert 1.5 < stiff / cantilever()[0] < 2.5


def test_a_floating_bar_has_no_momentum_in_its_modes():
    body = bar((12, 1, 1), modes=6)
    assert np.max(np.abs(body.modal.P)) < 1e-12 * body.mass and np.max(np.abs(body.modal.H)) < 1e-12 * body.mass
    assert body.clamped_frequencies()[0] == pytest.approx(cantilever((4.73004074,))[0], rel=2e-3)


def test_many_nodes_give_the_modes_of_few(rng):
    """The sparse way to the modes of a free body and the dense one agree."""
    mesh = jd.mesh.block((0.3, 0.2, 0.1), (4, 3, 2))
    body = jd.Solid("b", mesh, SOFT, modes=8)
    M, K = (one.toarray() for one in (body.mass_matrix, body.stiffness_matrix))
    from scipy.linalg import eigh

    squares = eigh(K, M, eigvals_only=True, subset_by_index=(6, 13))
    assert body.clamped_frequencies() == pytest.approx(np.sqrt(squares), rel=1e-8)


@pytest.mark.parametrize("reference", ["nodes", "root", "mean"])
def test_inertia_is_that_of_the_deformed_mesh(reference, rng):
    """Mass, first moment, inertia and coupling of the floating frame (digest of Kim 1999, section 2.1) by direct sums
    over the node-pair masses of the deformed mesh."""
    body = jd.Solid("b", jd.mesh.block((0.3, 0.2, 0.1), (2, 1, 1), "tet"), SOFT, modes=5, reference=reference,
                    surfaces={"root": lambda x: x[0] < 1e-9})  # fmt: skip
    e, rates = 0.02 * rng.normal(size=5), rng.normal(size=5)
    m = body.mass_matrix.toarray()[::3, ::3]
    d = body.nodes + body.recover(e)
    u = body.recover(rates)
    modal = body.modal
    assert [modal.mass, modal.mass] == pytest.approx([m.sum(), SOFT.density * 0.006], rel=1e-10)
    assert modal.moment + e @ modal.P == pytest.approx(m.sum(axis=0) @ d, rel=1e-10)
    pairs = np.einsum("ab,ai,bj->ij", m, d, d)
    J = modal.inertia + np.einsum("k,kab->ab", e, modal.D) + 0.5 * np.einsum("k,l,klab->ab", e, e, modal.B)
    assert J == pytest.approx(np.trace(pairs) * np.eye(3) - pairs, rel=1e-10)
    H = rates @ (modal.H + np.einsum("kla,l->ka", modal.nu, e))
    cross = np.einsum("ab,ai,bj->ij", m, d, u)
    moments = np.array([cross[1, 2] - cross[2, 1], cross[2, 0] - cross[0, 2], cross[0, 1] - cross[1, 0]])
    assert H == pytest.approx(moments, rel=1e-10, abs=1e-12 * float(np.max(np.abs(cross))))


def test_all_nodal_displacements_and_a_frame_are_six_too_many():
    body = jd.Solid("b", jd.mesh.block((0.3, 0.2, 0.1), (1, 1, 1)), SOFT, element="linear")
    M = body.mass_matrix.toarray()
    from jourdain.describe.bodies.floating_frame.interfaces import rigid_motions

    W = np.hstack([rigid_motions(body.nodes, 3), np.eye(24)])
    whole = W.T @ M @ W
    assert np.linalg.matrix_rank(whole, tol=1e-9 * np.max(whole)) == 24
    kept = np.hstack([rigid_motions(body.nodes, 3), body.shapes])
    assert len(body.internal) == 18
    assert np.linalg.eigvalsh(kept.T @ M @ kept)[0] > 0.0


@pytest.mark.parametrize("nu, within", [(0.0, 1e-3), (0.3, 1.5e-2)])
def test_a_static_load_bends_it_as_theory_says(nu, within):
    """Without Poisson's effect shear is left, 3e-4; with it the face that is held cannot narrow, which stiffens the bar
    by 1.1 % on this mesh and by half as much on one twice as fine (the number of modes does not matter)."""
    system = jd.System("shelf", gravity=(0.0, 0.0, -9.81))
    material = jd.Material(E=STEEL.E, nu=nu, density=STEEL.density)
    system.add(bar((20, 1, 2), modes=8, material=material, reference="root", damping=0.02), jd.Weld("wall"))
    model = system.compile()
    state = model.equilibrium(model.state()).state
    down = model.pose("bar.tip", state).position[2] - 0.5 * H
    load = STEEL.density * B * H * 9.81
    assert down == pytest.approx(-load * L**4 / (8.0 * STEEL.E * B * H**3 / 12.0), rel=within)


def test_masters_and_modes_and_all_nodes_agree_on_a_static_load():
    """Guyan's reduction is exact for loads on masters."""
    tip = []
    for given in ({}, {"masters": "tip"}, {"masters": "tip", "modes": 3}):
        system = jd.System("pull")
        body = jd.Solid("bar", jd.mesh.block((0.2, 0.05, 0.05), (2, 1, 1)), SOFT, reference="root", surfaces={
            "root": lambda x: x[0] < 1e-9, "tip": lambda x: x[0] > 0.2 - 1e-9}, **given)  # fmt: skip
        system.add(body, jd.Weld("wall"))
        system.force("pull", "bar.tip", force=(1.0, 0.5, 0.2))
        model = system.compile()
        tip.append(model.pose("bar.tip", model.equilibrium(model.state()).state).position)
    assert tip[1] == pytest.approx(tip[0], abs=1e-9) and tip[2] == pytest.approx(tip[0], abs=1e-9)
    assert np.linalg.norm(tip[0] - [0.2, 0.025, 0.025]) > 1e-4


def test_it_keeps_momentum_and_energy_in_free_flight(rng):
    system = jd.System("blob")
    system.add(jd.Solid("blob", jd.mesh.block((0.3, 0.2, 0.1), (2, 1, 1), "tet"), SOFT, modes=6), jd.Free("base"))
    model = system.compile()
    v = np.concatenate([[3.0, 1.0, -2.0, 0.1, 0.2, 0.3], 0.01 * rng.normal(size=6)])
    run = jd.simulate(model, model.state(v=v), 0.5, output=0.1, rtol=1e-10, atol=1e-12)
    momentum = model.momentum(run.states)
    for one in (momentum.angular, momentum.linear):
        assert np.max(np.abs(np.asarray(one) - np.asarray(one)[0])) < 1e-10
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9


def test_a_stiff_one_moves_as_a_rigid_body():
    stiff = jd.Material(E=1e14, nu=0.3, density=1000.0)
    mesh = jd.mesh.block((0.3, 0.2, 0.1), (2, 1, 1))
    box = jd.RigidBody.from_shape("b", jd.Box((0.3, 0.2, 0.1)), density=1000.0)
    ends = []
    for body in (jd.Solid("b", mesh.moved((-0.15, -0.1, -0.05)), stiff, modes=1, damping=1.0), box):
        system = jd.System("tumble")
        system.add(body, jd.Free("base"))
        model = system.compile()
        v = np.zeros(model.nv)
        v[:3] = 1.0, 2.0, 3.0
        run = jd.simulate(model, model.state(v=v), 2.0, output=2.0, method="radau" if model.nv > 6 else "dop853",
                          rtol=1e-8, atol=1e-10)  # fmt: skip
        ends.append(run.record.q[-1, :7])
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


@pytest.mark.parametrize("plane, factor", [("stress", 1.0), ("strain", 1.0 / np.sqrt(1.0 - 0.3**2))])
def test_plane_parts_bend_as_beams_and_plates(plane, factor):
    body = jd.Solid("strip", jd.mesh.rectangle((L, H), (24, 2)), STEEL, plane, thickness=B, modes=3, reference="root",
                    surfaces={"root": ENDS["root"]})  # fmt: skip
    assert body.mass == pytest.approx(STEEL.density * L * B * H)
    assert body.clamped_frequencies()[0] == pytest.approx(factor * cantilever()[0], rel=5e-3)
    assert np.all(body.recover(np.ones(3))[:, 2] == 0.0)


def test_stresses_of_a_bent_bar():
    system = jd.System("shelf", gravity=(0.0, 0.0, -9.81))
    system.add(bar((20, 1, 2), modes=30, reference="root"), jd.Weld("wall"))
    model = system.compile()
    state = model.equilibrium(model.state()).state
    run = jd.simulate(model, state, 2e-6, step=1e-6)
    stress = run.field("bar", "stress")
    assert stress.dims == ("time", "node", "component") and stress.attrs["units"] == "Pa"
    for x in (0.3, 0.5):
        top = (np.abs(stress.x - x) < 1e-9) & (np.abs(stress.z - H) < 1e-9)
        moment = STEEL.density * B * H * 9.81 * (L - x) ** 2 / 2.0
        expected = moment * 0.5 * H / (B * H**3 / 12.0)
        assert float(stress.sel(component="xx")[0, top].mean()) == pytest.approx(expected, rel=0.03)
    mises = run.field("bar")
    assert float(mises[0].max()) == pytest.approx(float(np.abs(stress.sel(component="xx")[0]).max()), rel=0.2)
    assert run.field("bar", "strain").sizes["component"] == 6
    with pytest.raises(ModelError, match='no field "streß"'):
        run.field("bar", "streß")


def test_runs_with_solids_are_saved_and_loaded_and_shown(tmp_path):
    system = jd.System("shelf", gravity=(0.0, 0.0, -9.81))
    body = bar(
        (6, 1, 1), modes=3, reference="root", frames={"middle": (0.5, 0.02, 0.02)}, damping=jd.Rayleigh(0.1, 1e-5)
    )
    system.add(body, jd.Weld("wall"))
    system.add(jd.RigidBody("lamp", mass=0.1), jd.Weld("hook"), to="bar.tip")
    model = system.compile()
    run = jd.simulate(model, model.state(), 0.01, output=5e-3)
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.model.hash == model.hash
    assert np.array_equal(again.field("bar").values, run.field("bar").values)
    lists = run.to_vtu(tmp_path / "out" / "shelf")
    assert [one.name for one in lists] == ["shelf_bar.pvd"] and lists[0].read_text().count("<DataSet") == 3
    meshio = pytest.importorskip("meshio")
    read = meshio.read(tmp_path / "out" / "shelf_bar" / "0002.vtu")
    assert read.point_data["von_mises"].ravel() == pytest.approx(run.field("bar").values[2])
    assert read.points == pytest.approx(body.nodes + run.field("bar", "displacement").values[2], abs=1e-12)
    surface, skeleton = body.surfaces()[0], body.skeleton(run.record.q[:, :3])
    assert surface.faces.max() < len(surface.vertices) and surface.bones.max() < skeleton.poses.shape[1]
    assert skeleton.poses[:, skeleton.frames["tip"], :3] == pytest.approx(
        np.array([model.pose("bar.tip", run.state(i)).position for i in range(3)]), abs=1e-12
    )
    with pytest.raises(jd.JourdainError, match="no body with a mesh"):
        rigid = jd.System("r")
        rigid.add(jd.RigidBody("a", mass=1.0), jd.Prismatic("f"))
        other = rigid.compile()
        jd.simulate(other, other.state(), 0.1, step=0.1).to_vtu(tmp_path / "x")


def test_a_ball_of_rubber_bounces_by_the_laws_of_contact():
    """Its frames carry shapes as those of any body: a sphere at the pole presses on a floor."""
    system = jd.System("bounce", gravity=(0.0, 0.0, -9.81))
    rubber = jd.Material(E=2e6, nu=0.45, density=1100.0)
    mesh = jd.mesh.ball(0.1, 3, 2)
    system.add(
        jd.Solid("ball", mesh, rubber, modes=10, frames={"pole": (0.0, 0.0, -0.1)}, damping=0.02), jd.Free("base")
    )
    system.contact("floor", jd.Sphere(0.02).at("ball.pole"), jd.Plane((0, 0, 1)).at("world", position=(0, 0, -0.121)),
                   normal=jd.HertzContact(stiffness=1e6, restitution=0.9))  # fmt: skip
    model = system.compile()
    run = jd.simulate(model, model.state(v={"base.vz": -1.0}), 0.05, step=2e-5, output=1e-3)
    assert run.record.v[-1, 5] > 0.2
    assert np.max(np.abs(run.energy["strain"].values)) > 1e-3
    assert run.trusted


def press(element: str = "linear", nu: float = 0.0, friction: object = None, **given) -> tuple[jd.Model, jd.Solid]:
    """A block on a ram that comes down on a floor."""
    material = jd.Material(E=5e6, nu=nu, density=1100.0)
    faces = {"back": lambda x: x[2] > 0.0499, "face": lambda x: x[2] < 1e-9}
    block = jd.Solid("pad", jd.mesh.block((0.1, 0.1, 0.05), (2, 2, 2)), material, element=element, reference="back",
                     surfaces=faces, **{"masters": "face", "damping": 1.0} | given)  # fmt: skip
    system = jd.System("press")
    system.add(jd.RigidBody("cart", mass=1.0), jd.Prismatic("along", axis="x"))
    system.add(jd.RigidBody("ram", mass=1.0), jd.Prismatic("slide", axis="z"), to="cart.origin")
    system.add(block, jd.Weld("mount"), to="ram.origin")
    floor = jd.Plane((0, 0, 1)).at("world")
    law = jd.contact.PressureContact(stiffness=1e10, damping=1e5)
    system.contact("touch", block.surface("face"), floor, normal=law, friction=friction)
    return system.compile(), block


def test_a_pressed_block_presses_evenly_back():
    """Without Poisson's effect the nodes of linear elements share the pressure of a bar in series with its bed."""
    model, block = press()
    down = 1e-3
    motions = {"slide": jd.Cycloid(to=-down, duration=0.02), "along": jd.Polynomial(0.0)}
    run = jd.simulate(model, model.state(), 0.1, output=0.1, motions=motions, method="radau", rtol=1e-8, atol=1e-12)
    touch = run.contact["touch"]
    expected = down / (0.05 / 5e6 + 1e-10)
    assert touch.pressure.values[-1] == pytest.approx(expected, rel=1e-4)
    assert touch.force.values[-1] == pytest.approx([0.0, 0.0, 0.01 * expected], abs=0.01)
    assert touch.areas.sum() == pytest.approx(0.01) and touch.sites.values[-1] == 9
    assert run.field("pad", "stress").sel(component="zz")[-1].values == pytest.approx(-expected, rel=1e-3)
    assert touch.depth.values[-1] == pytest.approx(expected / 1e10, rel=1e-3)
    assert touch.gap.values[-1] == pytest.approx(-touch.depth.values[-1])
    assert touch.forces.sum("node").values == pytest.approx(touch.force.values)
    assert touch.energy.values[-1] > 0.0 and touch.slip.values[-1] < 1e-9 and "9 nodes" in repr(touch)
    assert "touch" in run.contact and f"touch[{touch.nodes[0]}]" in run.contact


def test_a_pad_is_dragged_with_friction(tmp_path):
    model, _ = press(nu=0.3, friction=jd.BristleFriction(static=0.4, kinetic=0.3, stribeck=1e-3))
    motions = {"slide": jd.Cycloid(to=-5e-4, duration=0.02), "along": jd.Table([0.0, 0.03, 0.08], [0.0, 0.0, 0.01])}
    run = jd.simulate(model, model.state(), 0.06, output=0.005, motions=motions, method="radau", rtol=1e-5, atol=1e-9)
    force = run.contact["touch"].force.values[-1]
    assert force[2] > 100.0 and force[0] == pytest.approx(-0.3 * force[2], rel=5e-3)
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.contact["touch"].force.values[-1] == pytest.approx(force)
    assert again.model.hash == model.hash  # its nodes meet one plane, which the file has once for each


def test_surfaces_that_cannot_touch_are_refused():
    model, block = press()
    other = jd.System("other")
    other.add(block, jd.Free("f"))
    ground, law = jd.Plane((0, 0, 1)).at("world"), jd.contact.PressureContact(1e9)
    with pytest.raises(ModelError, match="both surfaces are of .pad."):
        other.contact("c", block.surface("face"), block.surface("back"), normal=law)
    with pytest.raises(ModelError, match="has no surface 'side'"):
        block.surface("side")
    other.contact("c", jd.Sphere(0.1).at("pad.origin"), ground, normal=law)
    with pytest.raises(ModelError, match="acts on a surface of a solid"):
        other.compile()
    with pytest.raises(ModelError, match="no whole side"):
        jd.Solid("b", jd.mesh.block((1, 1, 1), (1, 1, 1)), SOFT, modes=1, surfaces={"edge": [0, 1]}).surface("edge")


@pytest.mark.parametrize("given, match", [
    ({"material": jd.Material(E=1e9, nu=0.3)}, "its material has no density"),
    ({"material": jd.Material(E=1e9, nu=0.5, density=1.0)}, "at most 0.4999; give that, and element="),
    ({"plane": "stress"}, "thickness"), ({"thickness": 0.1}, "thickness"),
    ({"modes": -1}, "modes is -1"), ({"modes": 2.5}, "modes is 2.5"), ({"damping": -0.1}, "damping is -0.1"),
    ({"reference": "rooot"}, "rooot"), ({"modes": 400}, "400 coordinates, and 300 are the most"),
    ({"frames": {"origin": (0, 0, 0)}}, '"origin" is the body'),
    ({"frames": {"root": (0, 0, 0)}}, "is a surface and a frame"), ({"modes": 0}, "no coordinates left"),
    ({"modes": None, "masters": [0]}, "masters.*too few.*give more of them"),
    ({"modes": None, "masters": "root", "reference": "root"}, "masters.*too few.*give more of them"),
    ({"surfaces": {"one": [0]}, "masters": [0, 1, 2], "reference": "one"}, "cannot hold a body; give more"),
])  # fmt: skip
def test_what_is_wrong_is_said(given, match):
    problems = bar((2, 1, 1), **{"modes": 2} | given).check()
    assert problems and any(re.search(match, str(one)) for one in problems), problems


@pytest.mark.parametrize("given, match", [
    ({"material": 3.0}, "material"), ({"plane": "axis"}, "plane"), ({"element": "cubic"}, "element"),
    ({"surfaces": {"face": lambda x: x[0] > 99.0}}, "holds for no node"),
    ({"surfaces": {"face": lambda x: x}}, "its function returned"),
    ({"surfaces": {"face": lambda x: 1 / 0}}, "its function failed"),
    ({"surfaces": {"face": [10000]}}, "names node 10000"), ({"surfaces": 3}, "by name"),
    ({"masters": "nowhere"}, 'no surface is called "nowhere"'), ({"frames": {"a": (0, 0)}}, "place"),
    ({"mesh": 3}, "mesh"), ({"reference": 3}, "reference"),
])  # fmt: skip
def test_what_cannot_be_is_refused(given, match):
    with pytest.raises(ModelError, match=match):
        jd.Solid(**{"name": "bar", "mesh": jd.mesh.block((L, B, H), (2, 1, 1)), "material": STEEL} | given)


def test_parts_that_hang_together_nowhere_are_found():
    one = jd.mesh.block((0.1, 0.1, 0.1), (1, 1, 1))
    two = jd.mesh.SolidMesh(np.vstack([one.points, one.points + 0.5]), np.vstack([one.cells, one.cells + 8]))
    (problem,) = jd.Solid("b", two, SOFT, modes=2).check()
    assert "can move without resistance" in str(problem)
    loose = jd.mesh.SolidMesh(np.vstack([one.points, [[9.0, 9.0, 9.0]]]), one.cells)
    (problem,) = jd.Solid("b", loose, SOFT, element="linear", modes=2).check()
    assert "no cell has node 8" in str(problem)
    (problem,) = jd.Solid("b", jd.mesh.SolidMesh(one.points, one.cells[:, [0, 3, 2, 1, 4, 7, 6, 5]]), SOFT).check()
    assert "cell 0 is inside out" in str(problem) and "mesh.turned()" in str(problem)


def test_a_mesh_in_millimetres_is_noticed():
    with pytest.warns(SolidWarning, match="millimetres"):
        jd.Solid("b", jd.mesh.block((100.0, 100.0, 100.0), (1, 1, 1)), STEEL, modes=1).check()


def test_places_are_spread(rng):
    points = rng.random((500, 3))
    chosen = spread(points, 40)
    assert len(set(chosen.tolist())) == 40
    gaps = np.linalg.norm(points[chosen][:, None] - points[chosen][None], axis=2) + np.eye(40)
    assert gaps.min() > 0.1


@pytest.mark.parametrize("given", [{"modes": 4}, {"element": "linear", "matrices": "sparse"}], ids=["modes", "sparse"])
def test_a_bar_held_by_a_face_away_from_its_origin_moves_as_one_held_at_it(given):
    """The joint holds the middle of the root, wherever the mesh has its origin. Accelerations of the joint are those of
    elastic forces a thousand times as large, which round."""
    found = []
    for start, at in (((0.0, -0.05, -0.03), "origin"), ((0.7, 0.2, -0.3), "root")):
        root = {"root": lambda x, low=start[0]: x[0] < low + 1e-9}
        mesh = jd.mesh.block((1.0, 0.1, 0.06), (3, 1, 1), start=start)
        system = jd.System("pendulum", gravity=(0.0, 0.0, -9.81))
        body = jd.Solid("bar", mesh, STEEL, reference="root", surfaces=root, **given)
        system.add(body, jd.Spherical("ball"), at=at)
        model = system.compile()
        random = np.random.default_rng(3)
        state = model.state()
        state.q[:4] = 0.5, 0.5, -0.5, 0.5
        state.v[:3] = random.normal(size=3)
        wave = body.recover(np.eye(model.nv - 3)).sum(axis=(1, 2))  # signs of modes are free
        state.q[4:] = 1e-3 * np.sign(wave)
        found.append((model.mass_matrix(state)[:3, :3], model.forward_dynamics(state)[:3], model.energy(state).gravity))
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-6 * np.max(np.abs(one)))
