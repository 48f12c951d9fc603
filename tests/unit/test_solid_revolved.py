"""Bodies of revolution, `jd.Solid(..., plane="axisymmetric")`: against theory, scikit-fem, and bodies in space."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.solids.assembly import matrices, strains_at_nodes

STEEL = jd.Material(E=2e11, nu=0.3, density=7800.0)
SOFT = jd.Material(E=1e6, nu=0.3, density=1000.0)
CORK = jd.Material(E=5e6, nu=0.0, density=200.0)
A, B, HEIGHT = 0.05, 0.10, 0.02


def solid(mesh, material=STEEL, **given) -> jd.Solid:
    return jd.Solid("part", mesh, material, plane="axisymmetric", **given)


def cylinder(radius, height, cells, material=STEEL, of="quad", **given) -> jd.Solid:
    """Its foot is at y = 0."""
    ends = {"foot": lambda x: x[1] < 1e-9, "top": lambda x: x[1] > height - 1e-9}
    return solid(jd.mesh.rectangle((radius, height), cells, of), material, **{"surfaces": ends} | given)


@pytest.mark.parametrize("element, order", [("ElementQuad1", 3), ("ElementQuadS2", 5)])
def test_matrices_of_a_section_are_those_of_scikit_fem(element, order):
    """The same weak form in cylindrical coordinates with the same integration points."""
    import skfem
    from skfem.helpers import dot, grad

    mesh = jd.mesh.rectangle((1.0, 0.5), (3, 2), start=(0.4, 0.1))
    theirs = skfem.MeshQuad(mesh.points.T, mesh.cells.T)
    basis = skfem.Basis(theirs, skfem.ElementVector(getattr(skfem, element)()), intorder=order)
    mu, lam = 2e11 / 2.6, 2e11 * 0.3 / (1.3 * 0.4)

    def strains(u, w):
        g = grad(u)
        return g[0, 0], g[1, 1], u[0] / w.x[0], g[0, 1] + g[1, 0]

    @skfem.BilinearForm
    def stiffness(u, v, w):
        e, d = strains(u, w), strains(v, w)
        normal = sum(2.0 * mu * e[i] * d[i] for i in range(3)) + lam * (e[0] + e[1] + e[2]) * (d[0] + d[1] + d[2])
        return 2.0 * np.pi * w.x[0] * (normal + mu * e[3] * d[3])

    K = stiffness.assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: 2.0 * np.pi * w.x[0] * 7800.0 * dot(u, v)).assemble(basis)
    mesh = mesh.quadratic() if "S2" in element else mesh
    for mine, their in zip(matrices(mesh, STEEL, 7800.0, "axisymmetric", 1.0), (M, K)):
        ours, expected = (np.linalg.eigvalsh(one.toarray()) for one in (mine, their))
        assert ours == pytest.approx(expected, abs=1e-12 * expected[-1])
    values = np.linalg.eigvalsh(K.toarray())
    assert np.count_nonzero(values < 1e-9 * values[-1]) == 1  # along the axis


@pytest.mark.parametrize("kind", ["quad", "tri"])
@pytest.mark.parametrize("element", ["linear", "quadratic", "bbar"])
def test_a_section_that_widens_is_strained_evenly(kind, element, rng):
    """The patch test: u = (a x, b y) has the strains (a, b, a, 0) everywhere, and no force inside."""
    mesh = jd.mesh.rectangle((1.0, 1.0), (3, 3), kind)
    inside = np.setdiff1d(np.arange(len(mesh.points)), mesh.surface_nodes)
    points = mesh.points.copy()
    points[inside] += 0.05 * rng.normal(size=(len(inside), 2))
    mesh = jd.mesh.SolidMesh(points, mesh.cells)
    mesh = mesh.quadratic() if element == "quadratic" else mesh
    u = mesh.points * np.array([0.7, -0.4])
    strain = (strains_at_nodes(mesh, "axisymmetric", element == "bbar") @ u.ravel()).reshape(-1, 4)
    assert strain == pytest.approx(np.tile([0.7, -0.4, 0.7, 0.0], (len(strain), 1)), abs=1e-12)
    _, K = matrices(mesh, STEEL, 1.0, "axisymmetric", 1.0, element == "bbar")
    force = (K @ u.ravel()).reshape(-1, 2)
    inner = np.setdiff1d(np.arange(len(mesh.points)), mesh.surface_nodes)
    assert np.max(np.abs(force[inner])) < 1e-10 * np.max(np.abs(force))


def pressed_tube(cells: int, element: str, of: str = "quad", nu: float = 0.3) -> tuple[jd.Solid, np.ndarray]:
    """A thick tube under internal pressure 1 MPa, its ends held along the axis: displacements of all nodes."""
    bore = {"bore": lambda x: x[0] < A + 1e-9}
    mesh = jd.mesh.rectangle((B - A, HEIGHT), (cells, 1 if of == "quad" else cells // 2), of, start=(A, 0.0))
    body = solid(mesh, jd.Material(E=2e11, nu=nu, density=7800.0), element=element, surfaces=bore)
    surface = body.surface("bore")
    assert surface.areas.sum() == pytest.approx(2.0 * np.pi * A * HEIGHT)
    force = np.zeros(3 * len(body.nodes))
    force[3 * surface.nodes] = 1e6 * surface.areas
    held = np.flatnonzero((body.nodes[:, 1] < 1e-9) | (body.nodes[:, 1] > HEIGHT - 1e-9))
    free = np.concatenate([3 * np.arange(len(body.nodes)), 3 * np.setdiff1d(np.arange(len(body.nodes)), held) + 1])
    u = np.zeros_like(force)
    u[free] = np.linalg.solve(body.stiffness_matrix.toarray()[np.ix_(free, free)], force[free])
    return body, u


def lame(r: np.ndarray, nu: float) -> np.ndarray:
    """Radial displacement of a thick tube in plane strain [m] (Lame 1852)."""
    return (1.0 + nu) * 1e6 * A**2 / (2e11 * (B**2 - A**2)) * ((1.0 - 2.0 * nu) * r + B**2 / r)


@pytest.mark.parametrize("element, of, order, within", [("linear", "quad", 2, 2e-3), ("linear", "tri", 2, 2e-3),
                                                        ("quadratic", "quad", 4, 1e-6)])  # fmt: skip
def test_a_tube_under_pressure_widens_as_lame_says(element, of, order, within):
    errors = []
    for cells in (6, 12):
        body, u = pressed_tube(cells, element, of)
        expected = lame(body.nodes[:, 0], 0.3)
        errors.append(np.linalg.norm(u[::3] - expected) / np.linalg.norm(expected))
    assert errors[1] < within and np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_stresses_of_a_tube_under_pressure():
    """Radial, axial and hoop stress; recovered ones are of second order."""
    body, u = pressed_tube(12, "quadratic")
    e = np.linalg.lstsq(body.shapes, u, rcond=None)[0]
    assert body.recover(e).ravel() == pytest.approx(u, abs=1e-18)
    stress, unit, _, names = body.field(e[None], "stress")
    assert unit == "Pa" and names[:4] == ("xx", "yy", "zz", "xy")
    r = body.nodes[:, 0]
    base = 1e6 * A**2 / (B**2 - A**2)
    for i, expected in ((0, base * (1 - B**2 / r**2)), (2, base * (1 + B**2 / r**2)), (1, 0.6 * base + 0.0 * r)):
        assert stress[0, :, i] == pytest.approx(expected, abs=0.02e6)
    assert body.field(e[None], "strain")[0][0, :, 2] == pytest.approx(lame(r, 0.3) / r, rel=0.01)


@pytest.mark.parametrize("of, within", [("quad", 2e-3), ("tri", 1e-2)])
def test_averaged_changes_of_volume_do_not_lock(of, within):
    """At a Poisson's ratio of 0.4999 linear elements hardly widen; with "bbar" they are as good as at 0.3."""
    errors = {}
    for element in ("linear", "bbar"):
        body, u = pressed_tube(8, element, of, nu=0.4999)
        expected = lame(body.nodes[:, 0], 0.4999)
        errors[element] = np.linalg.norm(u[::3] - expected) / np.linalg.norm(expected)
    assert errors["bbar"] < within and errors["linear"] > 0.5


def test_a_bar_swings_along_its_axis_as_theory_says():
    """Without Poisson's effect the modes are those of a string: (k + 1/2) pi c / L held at one end, k pi c / L free."""
    bar = cylinder(0.01, 1.0, (1, 20), jd.Material(E=2e11, nu=0.0, density=7800.0), modes=3, reference="foot")
    c = np.sqrt(2e11 / 7800.0)
    assert bar.clamped_frequencies() == pytest.approx(np.array([0.5, 1.5, 2.5]) * np.pi * c, rel=3e-5)
    assert bar.internal == ("mode[0]", "mode[1]", "mode[2]")
    free = cylinder(0.01, 1.0, (1, 20), jd.Material(E=2e11, nu=0.0, density=7800.0), modes=2)
    assert free.clamped_frequencies() == pytest.approx(np.array([1.0, 2.0]) * np.pi * c, rel=1e-5)
    assert np.max(np.abs(free.modal.P)) < 1e-12 * free.mass and np.all(free.modal.H == 0.0)


def rounded(mesh: jd.mesh.SolidMesh, radius: float) -> jd.mesh.SolidMesh:
    """A ball or half disc of quadratic cells, all nodes of its round surface on it."""
    mesh = mesh.quadratic()
    points, r = mesh.points.copy(), np.linalg.norm(mesh.points, axis=1)
    outer = mesh.surface_nodes[r[mesh.surface_nodes] > 0.97 * radius]
    points[outer] *= radius / r[outer, None]
    return jd.mesh.SolidMesh(points, mesh.cells)


def test_a_ball_breathes_as_lamb_says_and_swings_as_one_in_space():
    """Lamb 1882: the roots of tan x / x = 1 / (1 - x^2 c_l^2 / (4 c_t^2)) are omega R / c_l of radial modes; the lowest
    symmetric mode, poles out and equator in, at 0.840 pi c_t / R, is one of five equal ones in space."""
    material = jd.Material(E=1e6, nu=0.25, density=1000.0)
    R, ratio = 0.1, 3.0
    c_l = np.sqrt(material.E * 0.75 / (1.25 * 0.5) / material.density)
    from scipy.optimize import brentq

    x = brentq(lambda x: np.tan(x) / x - 1.0 / (1.0 - 0.25 * ratio * x * x), 2.0, 3.0)
    assert x == pytest.approx(0.8160 * np.pi, rel=1e-4)
    ours = solid(rounded(jd.mesh.half_disc(R, 8, 4), R), material, modes=6).clamped_frequencies()
    assert np.min(np.abs(ours / (x * c_l / R) - 1.0)) < 1e-4
    assert ours[0] == pytest.approx(0.840 * np.pi * c_l / np.sqrt(ratio) / R, rel=1e-3)
    space = jd.Solid("ball", rounded(jd.mesh.ball(R, 4, 1), R), material, modes=12).clamped_frequencies()
    assert np.count_nonzero(np.abs(space / ours[0] - 1.0) < 1e-3) == 5


def test_mass_and_inertia_of_a_ball_are_of_second_order():
    errors = []
    for n in (1, 2, 4):
        body = solid(jd.mesh.half_disc(0.1, 4 * n, 3 * n, grade=0.2).moved((0.0, 0.3)), SOFT, element="linear", modes=1)
        mass = 4e3 / 3.0 * np.pi * 0.1**3
        modal = body.modal
        assert body.mass == pytest.approx(modal.mass)
        assert body.com[[0, 2]] == pytest.approx(0.0) and body.com[1] == pytest.approx(0.3, abs=2e-3)
        inertia = np.diag([0.4e-2 * mass + 0.09 * mass, 0.4e-2 * mass, 0.4e-2 * mass + 0.09 * mass])
        assert modal.inertia == pytest.approx(inertia, abs=0.1 * inertia[0, 0])
        errors.append([mass - modal.mass, inertia[1, 1] - modal.inertia[1, 1]])
    assert np.log2(np.divide(errors[1], errors[2])) == pytest.approx([2.0, 2.0], abs=0.2)


def test_inertia_is_that_of_the_deformed_body_around_the_axis(rng):
    """Mass, moments, momentum and their couplings by sums over many copies of the section around the axis."""
    body = solid(jd.mesh.rectangle((0.2, 0.3), (2, 2), start=(0.05, -0.1)), SOFT, modes=5, reference="nodes")
    e, rates = 0.01 * rng.normal(size=5), rng.normal(size=5)
    m, modal = body.mass_matrix.toarray()[::3, ::3], body.modal
    d, u = body.nodes + body.recover(e), body.recover(rates)
    pairs, cross, momentum, moment = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for angle in np.linspace(0.0, 2.0 * np.pi, 7)[:-1]:
        c, s = np.cos(angle), np.sin(angle)
        R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        x, v = d @ R.T, u @ R.T
        pairs += x.T @ m @ x / 6.0
        cross += x.T @ m @ v / 6.0
        momentum += m.sum(axis=0) @ v / 6.0
        moment += m.sum(axis=0) @ x / 6.0
    J = modal.inertia + np.einsum("k,kab->ab", e, modal.D) + 0.5 * np.einsum("k,l,klab->ab", e, e, modal.B)
    assert J == pytest.approx(np.trace(pairs) * np.eye(3) - pairs, rel=1e-10, abs=1e-12)
    assert rates @ modal.P == pytest.approx(momentum, abs=1e-12)
    assert modal.moment + e @ modal.P == pytest.approx(moment, abs=1e-12)
    assert cross == pytest.approx(cross.T, abs=1e-12) and np.all(modal.nu == 0.0)
    assert modal.M == pytest.approx(body.shapes.T @ body.mass_matrix @ body.shapes, abs=1e-12)


def test_a_spinning_disc_grows_as_theory_says():
    """u(R) = (1 - nu) rho omega^2 R^3 / (4 E) of a thin disc (Timoshenko & Goodier 1970, section 32)."""
    R, omega = 0.2, 300.0
    disc = cylinder(R, 0.004, (10, 1), reference="nodes", frames={"rim": (0.0, 0.002, R)})
    load = -disc.modal.forces(*(np.zeros(len(disc.internal)),) * 3, np.array([0.0, omega, 0.0]),
                              np.zeros(3), np.zeros(3)).efforts  # fmt: skip
    e = np.linalg.solve(disc.modal.K, load)
    expected = 0.7 * 7800.0 * omega**2 * R**3 / (4.0 * 2e11)
    rim = np.argmin(np.linalg.norm(disc.nodes - [R, 0.002, 0.0], axis=1))
    assert disc.recover(e)[rim, 0] == pytest.approx(expected, rel=2e-3)
    rim = disc.skeleton(e[None])
    moved = rim.poses[0, rim.frames["rim"], :3] - disc.frames["rim"]
    assert moved[2] == pytest.approx(expected, rel=2e-3) and abs(moved[0]) < 1e-12 * R


def test_a_body_of_revolution_keeps_momentum_and_energy_in_free_flight(rng):
    system = jd.System("blob")
    system.add(cylinder(0.1, 0.3, (2, 3), SOFT, modes=6), jd.Free("base"))
    model = system.compile()
    v = np.concatenate([[3.0, 8.0, -2.0, 0.1, 0.2, 0.3], 0.01 * rng.normal(size=6)])
    run = jd.simulate(model, model.state(v=v), 0.5, output=0.1, rtol=1e-10, atol=1e-12)
    momentum = model.momentum(run.states)
    for one in (momentum.angular, momentum.linear):
        assert np.max(np.abs(np.asarray(one) - np.asarray(one)[0])) < 1e-10
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9


def test_a_stiff_body_of_revolution_moves_as_a_rigid_one():
    stiff = jd.Material(E=1e14, nu=0.3, density=1000.0)
    whole = jd.RigidBody.from_shape("part", jd.Cylinder(0.1, 0.3), density=1000.0)
    turned = whole.inertia[np.ix_([1, 2, 0], [1, 2, 0])]  # its axis is z
    ends = []
    for body in (cylinder(0.1, 0.3, (1, 1), stiff, modes=1, damping=1.0),
                 jd.RigidBody("part", mass=whole.mass, com=(0.0, 0.15, 0.0), inertia=turned)):  # fmt: skip
        system = jd.System("tumble")
        system.add(body, jd.Free("base"))
        model = system.compile()
        v = np.zeros(model.nv)
        v[:3] = 1.0, 2.0, 3.0
        run = jd.simulate(model, model.state(v=v), 2.0, output=2.0, method="radau" if model.nv > 6 else "dop853",
                          rtol=1e-8, atol=1e-10)  # fmt: skip
        ends.append(run.record.q[-1, :7])
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


def test_a_pressed_cylinder_presses_evenly_back(tmp_path):
    """Without Poisson's effect every ring has the pressure of a bar in series with its bed; fields, files and looks."""
    R, height, down = 0.05, 0.04, 1e-3
    pad = cylinder(R, height, (3, 2), CORK, element="linear", masters="foot", reference="top", damping=1.0,
                   frames={"side": (0.03, 0.02, 0.04)})  # fmt: skip
    system = jd.System("press")
    system.add(jd.RigidBody("ram", mass=1.0), jd.Prismatic("slide", axis="y"))
    system.add(pad, jd.Weld("mount"), to="ram.origin")
    law = jd.contact.PressureContact(stiffness=1e10, damping=1e5)
    system.contact("touch", pad.surface("foot"), jd.Plane((0, 1, 0)).at("world"), normal=law)
    model = system.compile()
    motions = {"slide": jd.Cycloid(to=-down, duration=0.02)}
    run = jd.simulate(model, model.state(), 0.1, output=0.1, motions=motions, method="radau", rtol=1e-8, atol=1e-12)
    touch = run.contact["touch"]
    expected = down / (height / CORK.E + 1e-10)
    assert touch.pressure.values[-1] == pytest.approx(expected, rel=1e-4)
    assert touch.force.values[-1] == pytest.approx([0.0, np.pi * R**2 * expected, 0.0], abs=0.01)
    assert run.field("part", "stress").sel(component="yy")[-1].values == pytest.approx(-expected, rel=1e-3)

    run.save(tmp_path / "run.nc")
    assert np.array_equal(jd.load(tmp_path / "run.nc").field("part").values, run.field("part").values)
    assert [one.name for one in run.to_vtu(tmp_path / "out" / "press")] == ["press_part.pvd"]
    again = jd.Solid.from_dict(pad.to_dict())
    assert again.to_dict() == pad.to_dict() and np.array_equal(again.modal.K, pad.modal.K)

    surface, skeleton = pad.surfaces()[0], pad.skeleton(run.record.q[:, 1:])
    x = surface.vertices[surface.faces]
    volume = np.sum(np.cross(x[:, 0], x[:, 1]) * x[:, 2]) / 6.0
    assert volume == pytest.approx(np.pi * R**2 * height, rel=7e-3)  # of the polygon with 32 corners
    assert surface.bones.max() < skeleton.poses.shape[1]
    pose = model.pose("part.side", run.state(-1)).position - model.pose("part.origin", run.state(-1)).position
    assert skeleton.poses[-1, skeleton.frames["side"], :3] == pytest.approx(pose, abs=1e-12)


def test_a_section_beyond_the_axis_is_refused():
    (problem,) = solid(jd.mesh.rectangle((1.0, 1.0), (1, 1), start=(-0.5, 0.0)), modes=1).check()
    assert "x = -0.5" in str(problem) and "half with x >= 0" in str(problem)
    (problem,) = solid(jd.mesh.rectangle((1.0, 1.0), (1, 1)), modes=1, thickness=0.1).check()
    assert "thickness" in str(problem)
