"""Meshes of solids: elements, matrices, simple bodies, files, and what can be wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.solids.assembly import matrices, strains_at_nodes
from jourdain.describe.solids.elements import ELEMENTS

STEEL = jd.Material(E=2e11, nu=0.3, density=7800.0)


@pytest.mark.parametrize("name", ELEMENTS)
def test_shape_functions_are_one_at_their_node_and_their_partials_are_their_derivatives(name, rng):
    element = ELEMENTS[name]
    assert element.shapes(element.nodes) == pytest.approx(np.eye(element.size), abs=1e-12)
    x, h = rng.random((6, element.dimensions)), 1e-6
    assert element.shapes(x).sum(axis=1) == pytest.approx(1.0)
    for a, step in enumerate(h * np.eye(element.dimensions)):
        difference = (element.shapes(x + step) - element.shapes(x - step)) / (2.0 * h)
        assert element.partials(x)[:, :, a] == pytest.approx(difference, abs=1e-8)


@pytest.mark.parametrize("name", ELEMENTS)
def test_sides_point_outwards(name):
    """The divergence theorem: the sum of x . n over the sides is the volume times the dimensions."""
    element = ELEMENTS[name]
    d, corners = element.dimensions, len(element.corners)
    total = 0.0
    for side in element.sides:
        x = element.nodes[[node for node in side if node < corners]]
        if d == 2:
            total += x[0, 0] * x[1, 1] - x[1, 0] * x[0, 1]
            continue
        for a, b in zip(range(1, len(x) - 1), range(2, len(x))):
            total += np.dot(x[0], np.cross(x[a] - x[0], x[b] - x[0])) / 2.0
    assert total == pytest.approx(d * element.quadrature[1].sum())


@pytest.mark.parametrize("kind, element", [("tet", "ElementTetP1"), ("tet", "ElementTetP2"), ("tri", "ElementTriP1"),
                                           ("tri", "ElementTriP2"), ("quad", "ElementQuad1"),
                                           ("quad", "ElementQuadS2"), ("hex", "ElementHex1")])  # fmt: skip
def test_matrices_are_those_of_scikit_fem(kind, element):
    import skfem
    from skfem.helpers import ddot, dot, eye, sym_grad, trace

    flat = kind in ("tri", "quad")
    mesh = jd.mesh.rectangle((1.0, 0.5), (3, 2), kind) if flat else jd.mesh.block((1.0, 0.5, 0.3), (3, 2, 2), kind)
    other = {"tet": skfem.MeshTet, "tri": skfem.MeshTri, "quad": skfem.MeshQuad}
    if kind == "hex":
        theirs = skfem.MeshHex.init_tensor(*(np.linspace(0, a, n + 1) for a, n in ((1.0, 3), (0.5, 2), (0.3, 2))))
    else:
        theirs = other[kind](mesh.points.T, mesh.cells.T)
    basis = skfem.Basis(theirs, skfem.ElementVector(getattr(skfem, element)()), intorder=6)
    E, nu = 2e11, 0.3
    mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))

    @skfem.BilinearForm
    def stiffness(u, v, w):
        e = sym_grad(u)
        return ddot(2.0 * mu * e + lam * eye(trace(e), 2 if flat else 3), sym_grad(v))

    K = stiffness.assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: 7800.0 * dot(u, v)).assemble(basis)
    mesh = mesh.quadratic() if "P2" in element or "S2" in element else mesh
    own = matrices(mesh, STEEL, 7800.0, "strain" if flat else None, 1.0)
    for mine, their in zip(own, (M, K)):
        ours, expected = (np.linalg.eigvalsh(one.toarray()) for one in (mine, their))
        assert ours == pytest.approx(expected, abs=1e-12 * expected[-1])


def test_meshes_of_scikit_fem_are_taken_with_their_corners_in_order():
    import skfem

    for kind, volume in ((skfem.MeshHex, 1.0), (skfem.MeshTet, 1.0), (skfem.MeshQuad, 1.0), (skfem.MeshTri, 1.0)):
        given = kind().refined(1)
        plane = {"plane": "stress", "thickness": 1.0} if kind in (skfem.MeshQuad, skfem.MeshTri) else {}
        solid = jd.Solid("s", given, STEEL, modes=2, **plane)
        assert not solid.check() and solid.mass == pytest.approx(7800.0 * volume)


@pytest.mark.parametrize("mesh, volume, order", [
    (lambda n: jd.mesh.disc(2.0, 4 * n, 3 * n), 4.0 * np.pi, 2),
    (lambda n: jd.mesh.half_disc(2.0, 4 * n, 3 * n, grade=0.3), 2.0 * np.pi, 2),
    (lambda n: jd.mesh.ball(2.0, 3 * n, 2 * n), 32.0 * np.pi / 3.0, 2),
    (lambda n: jd.mesh.ball(2.0, 3 * n, 2 * n, grade=0.3), 32.0 * np.pi / 3.0, 2),
    (lambda n: jd.mesh.half_ball(2.0, 4 * n, 2 * n), 16.0 * np.pi / 3.0, 2),
    (lambda n: jd.mesh.half_ball(2.0, 4 * n, 2 * n, grade=0.5), 16.0 * np.pi / 3.0, 2),
])  # fmt: skip
def test_round_bodies_fill_their_volume_at_second_order(mesh, volume, order):
    errors = []
    for n in (1, 2, 4):
        one = mesh(n)
        assert not one.check("mesh") and not one.quadratic().check("mesh")
        errors.append(volume - one.volume)
    assert errors[0] > errors[1] > errors[2] > 0.0
    assert np.log2(errors[1] / errors[2]) == pytest.approx(order, abs=0.25)


def test_a_graded_ball_is_finest_where_it_should_be():
    mesh = jd.mesh.ball(1.0, 4, 3, grade=0.7, towards=(1.0, 0.0, 0.0))
    middles = mesh.points[mesh.cells].mean(axis=1)
    near = np.linalg.norm(middles - [1.0, 0.0, 0.0], axis=1) < 0.4
    assert mesh.volumes[near].mean() < 0.05 * mesh.volumes[~near].mean()
    assert np.max(np.abs(np.linalg.norm(mesh.points[mesh.surface_nodes], axis=1) - 1.0)) < 1e-12


def test_a_polygon_need_not_be_convex():
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    mesh = jd.mesh.polygon(corners, 0.2)
    assert not mesh.check("mesh") and mesh.volume == pytest.approx(3.0)
    assert jd.mesh.polygon(corners[::-1], 0.2).volume == pytest.approx(3.0)


@pytest.mark.parametrize("kind", ["hex", "tet"])
@pytest.mark.parametrize("quadratic", [False, True])
def test_a_linear_displacement_is_strained_evenly(kind, quadratic, rng):
    """The patch test: any mesh knows constant strains exactly, and has no force inside."""
    mesh = jd.mesh.block((1.0, 1.0, 1.0), (3, 2, 2), kind)
    inside = np.setdiff1d(np.arange(len(mesh.points)), mesh.surface_nodes)
    points = mesh.points.copy()
    points[inside] += 0.05 * rng.normal(size=(len(inside), 3))
    mesh = jd.mesh.SolidMesh(points, mesh.cells)
    mesh = mesh.quadratic() if quadratic else mesh
    G = rng.normal(size=(3, 3))
    u = mesh.points @ G.T
    strain = (strains_at_nodes(mesh) @ u.ravel()).reshape(-1, 6)
    e = 0.5 * (G + G.T)
    assert strain == pytest.approx(np.tile([*np.diag(e), 2 * e[0, 1], 2 * e[1, 2], 2 * e[2, 0]], (len(strain), 1)))
    _, K = matrices(mesh, STEEL, 1.0, None, 1.0)
    force = (K @ u.ravel()).reshape(-1, 3)
    inner = np.setdiff1d(np.arange(len(mesh.points)), mesh.surface_nodes)
    assert np.max(np.abs(force[inner])) < 1e-10 * np.max(np.abs(force))


def test_cells_that_are_inside_out_are_named_and_put_right():
    mesh = jd.mesh.block((1.0, 1.0, 1.0), (2, 1, 1)).quadratic()
    cells = mesh.cells.copy()
    order = [0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17]
    cells[1] = cells[1][order]
    wrong = jd.mesh.SolidMesh(mesh.points, cells)
    (problem,) = wrong.check("part")
    assert "cell 1 is inside out" in str(problem) and "mesh.turned()" in str(problem)
    assert not wrong.turned().check("part") and wrong.turned().volume == pytest.approx(1.0)


def test_files_are_read_and_refused(tmp_path):
    meshio = pytest.importorskip("meshio")
    mesh = jd.mesh.block((100.0, 20.0, 10.0), (4, 2, 1), "tet")
    meshio.Mesh(mesh.points, [("tetra", mesh.cells)]).write(tmp_path / "part.vtk")
    read = jd.mesh.read(tmp_path / "part.vtk", scale=1e-3)
    assert read.volume == pytest.approx(2e-5) and read.element.name == "tet4"
    meshio.Mesh(mesh.points, [("triangle", mesh.triangles())]).write(tmp_path / "skin.vtk")
    with pytest.raises(ModelError, match="surface in space"):
        jd.mesh.read(tmp_path / "skin.vtk")
    with pytest.raises(ModelError, match="no such file"):
        jd.mesh.read(tmp_path / "none.msh")
    (tmp_path / "junk.msh").write_bytes(b"\x00junk")
    with pytest.raises(ModelError, match="meshio cannot read it"):
        jd.mesh.read(tmp_path / "junk.msh")
    (tmp_path / "part.what").write_text("x")
    with pytest.raises(ModelError, match="meshio cannot read it"):
        jd.mesh.read(tmp_path / "part.what")


@pytest.mark.parametrize("make, match", [
    (lambda: jd.mesh.block((1, 1), (1, 1, 1)), "lengths.*give 3 positive numbers"),
    (lambda: jd.mesh.block((1, 1, 0), (1, 1, 1)), "lengths"), (lambda: jd.mesh.block((1, 1, 1), (1, 0, 1)), "cells"),
    (lambda: jd.mesh.block((1, 1, 1), (1, 1, 1), "quad"), "of: got.*'hex' or 'tet'"),
    (lambda: jd.mesh.ball(-1.0), "radius"), (lambda: jd.mesh.ball(1.0, grade=1.0), "grade.*0 to below 1"),
    (lambda: jd.mesh.half_ball(1.0, 3), "even"), (lambda: jd.mesh.half_disc(1.0, 3), "even"),
    (lambda: jd.mesh.disc(1.0, towards=(0, 0), grade=0.5), "towards"),
    (lambda: jd.mesh.polygon([(0, 0), (1, 0)], 0.1), "corners"),
    (lambda: jd.mesh.polygon([(0, 0), (1, 0), (0, 1)], 0), "size"),
    (lambda: jd.mesh.SolidMesh(np.zeros((4, 3)), [[0, 1, 2]]), "3 nodes each in 3 dimensions; known are 4"),
    (lambda: jd.mesh.SolidMesh(np.zeros((4, 4)), [[0, 1, 2, 3]]), "points"),
    (lambda: jd.mesh.SolidMesh(np.zeros((4, 3)), [[0.5, 1, 2, 3]]), "cells"),
])  # fmt: skip
def test_bad_input_is_refused(make, match):
    with pytest.raises(ModelError, match=match):
        make()


def test_cells_with_different_numbers_of_nodes_are_told():
    """As a file may have them."""
    with pytest.raises(jd.errors.ModelError, match="cells: rows of different lengths"):
        jd.mesh.SolidMesh(np.zeros((4, 3)), [[0, 1, 2, 3], [0, 1]])
