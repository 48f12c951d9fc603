"""`jd.Plate`, `jd.Shell` and `jd.Membrane`: what they say of themselves, what they refuse, what a run gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.bodies import body_from_dict
from jourdain.model.derivatives import tree_derivatives

MATERIAL = jd.Material(1e6, 0.3, 100.0)
FLAT = jd.mesh.sheet((1.0, 0.8), (2, 2))
ARROW = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.2, 0.2, 0.0), (0.0, 1.0, 0.0))
UP = jd.mesh.sheet((0.8, 0.5), (2, 1), first=(0, 1, 0), second=(0, 0, 1))


def plate(**told):
    return jd.Plate("panel", (1.0, 0.8), **({"thickness": 0.05, "material": MATERIAL, "elements": (2, 2)} | told))


def shell(mesh=None, **told):
    return jd.Shell("panel", FLAT if mesh is None else mesh, **({"thickness": 0.05, "material": MATERIAL} | told))


def sail(**told):
    return jd.Membrane("panel", FLAT, **({"thickness": 0.05, "material": MATERIAL} | told))


def folded(**told):
    """An angle, clamped at one end of its flat part."""
    rim = {"rim": [[0.99, -1.0, -1.0], [1.01, 1.0, 1.0]]}
    return shell(FLAT.joined(UP), regions=rim, held={"rim": "clamped"}, **told)


def model_of(body, gravity=(0.0, 0.0, 0.0)):
    system = jd.System("held", gravity=gravity)
    system.add(body, joint=jd.Weld("hold"))
    return system.compile()


BODIES = {
    "plate": lambda: plate(damping=1e-3, tension=30.0),
    "solid law": lambda: plate(elasticity="solid", held={"x0": "clamped"}),
    "folded": lambda: folded(damping=(2e-3, 1e-3)),
    "tube": lambda: shell(jd.mesh.tube(0.5, 1.0, (1, 10), 2.0)),
    "sail": lambda: sail(tension=3000.0, damping=1e-3),
    "sheet": lambda: sail(tension=(3000.0, 1000.0, 200.0), wrinkles=False),
}


@pytest.fixture(scope="module")
def models():
    return {name: (body := make(), model_of(body)) for name, make in BODIES.items()}


# ---------------------------------------------------------------------- what it says of itself


def test_coordinates_are_those_that_the_frame_does_not_hold():
    assert len(plate().internal) == 9 * 12
    names = plate(held={"x0": "clamped"}).internal
    assert names[:4] == ("x1[0]", "y1[0]", "x12[0]", "y12[0]")  # stretch and shear of the clamped edge are free
    assert len(names) == 6 * 12 + 3 * 4
    assert len(plate(held={"x0": "pinned"}).internal) == 6 * 12 + 3 * 6
    assert len(plate(held={"x0": "supported"}).internal) == 6 * 12 + 3 * 10


@pytest.mark.parametrize("name", list(BODIES))
def test_a_description_makes_it_again(name):
    body = BODIES[name]()
    again = body_from_dict(body.to_dict())
    assert again.to_dict() == body.to_dict()
    assert again.internal == body.internal


def test_frames_by_name_node_and_pair():
    body = plate(frames={"lamp": (0.3, 0.1)})
    for name, place in (
        ("root", (0, 0.4)),
        ("tip", (1, 0.4)),
        ("lamp", (0.3, 0.1)),
        ("node[5]", (0.5, 0.8)),
        ("0.25,0.75", (0.25, 0.75)),
        ("origin", (0, 0)),
    ):
        assert body.has_frame(name)
        assert body.frame(name).position == pytest.approx((*place, 0.0), abs=1e-12)
    for name in ("node[9]", "2.0,0.1", "0.1", "end"):
        assert not body.has_frame(name)


def test_a_tube_is_round_between_its_nodes():
    # a cubic with tangents as long as the arc of a rad is a^4 / 384 of the radius off in its middle
    body = shell(jd.mesh.tube(0.5, 1.0, (1, 10), 2.0), frames={"side": (0.5, 0.5 * np.cos(0.9), 0.5 * np.sin(0.9))})
    pose = body.frame("side")
    assert np.hypot(*pose.position[1:]) == pytest.approx(0.5 * (1.0 - 0.2**4 / 384.0), abs=1e-8)
    assert pose.rotation[:, 2] == pytest.approx(-np.append(0.0, pose.position[1:]) / 0.5, abs=1e-4)
    assert body.mass == pytest.approx(100.0 * 0.05 * 0.5 * 2.0, rel=1e-5)
    assert body.surface.gradients.folds == []


def test_mass_and_inertia_of_an_angle_are_those_of_two_plates():
    data = folded().data(jd.Pose())
    m1, m2 = 100.0 * 0.05 * 0.8, 100.0 * 0.05 * 0.4
    assert data.mass == pytest.approx(m1 + m2, rel=1e-13)
    assert data.com * data.mass == pytest.approx((0.5 * m1, 0.4 * (m1 + m2), 0.25 * m2), rel=1e-12)
    y = 0.8**2 / 3.0 * (m1 + m2)
    assert np.diag(data.inertia) == pytest.approx(
        (y + m2 * 0.25 / 3.0, m1 / 3.0 + m2 * 0.25 / 3.0, m1 / 3.0 + y), rel=1e-12
    )


# ---------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: plate(thickness=0.0), "thickness"),
        (lambda: plate(material=jd.Material(1e6, 0.3)), "density"),
        (lambda: plate(damping=-1.0), "none negative"),
        (lambda: plate(elasticity="soft"), "plane-stress, solid"),
        (lambda: plate(elasticity=-np.eye(3)), "not positive"),
        (lambda: plate(held={"x2": "clamped"}), "x0, x1, y0, y1"),
        (lambda: plate(held={"x0": "glued"}), "clamped, pinned, supported"),
        (lambda: plate(frames={"tip": (0.1, 0.1)}), "choose another name"),
        (lambda: plate(frames={"far": (2.0, 0.1)}), "off the surface"),
        (lambda: shell(fold=-1.0), "not negative"),
        (lambda: sail(regions={"a": [0, 1]}, held={"a": "clamped"}), "does not resist bending"),
        (lambda: shell(jd.mesh.ShellMesh(FLAT.points, FLAT.cells[:, [0, 2, 1, 3]])), "has no area"),
        (lambda: shell(jd.mesh.ShellMesh(ARROW, [[0, 1, 2, 3]])), "twisted or folded over"),
        (lambda: shell(jd.mesh.ShellMesh(FLAT.points, [[0, 3, 4, 1], [4, 5, 2, 1][::-1]])), "no cell has node"),
        (lambda: shell(jd.mesh.ShellMesh(FLAT.points[:6], [[0, 3, 4, 1], [4, 1, 2, 5]])), "inverted against cell 0"),
        (lambda: shell(jd.mesh.ShellMesh(FLAT.points[:6], [[0, 3, 4, 1], [1, 2, 1, 2]])), "no cell has node 5"),
    ],
)
def test_bad_input_is_refused_with_its_remedy(make, words):
    with pytest.raises(jd.errors.ModelError, match=words):
        model_of(make())


def test_cells_without_area_are_refused():
    flat = np.zeros((4, 3))
    flat[:, 0] = np.arange(4)
    with pytest.raises(jd.errors.ModelError, match="has no area"):
        model_of(shell(jd.mesh.ShellMesh(flat, [[0, 1, 2, 3]])))


def test_a_plate_that_moves_by_itself_takes_a_weld():
    system = jd.System("spun")
    system.add(plate(held={"x0": "supported"}), joint=jd.Revolute("turn", axis=(0, 0, 1)))
    with pytest.raises(jd.errors.ModelError, match="give jd.Weld"):
        system.compile()


# ---------------------------------------------------------------------- forces


def shaken(model, seed=4, size=0.05):
    rng = np.random.default_rng(seed)
    state = model.state()
    state.q += size * rng.standard_normal(model.nq)
    return state, rng


@pytest.mark.parametrize("name", list(BODIES))
def test_the_forces_are_those_of_the_energy(models, name):
    model = models[name][1]
    state, rng = shaken(model)
    way, ends = rng.standard_normal(model.nq), []
    for x in (-1e-6, 1e-6):
        moved = model.state()
        moved.q[:] = state.q + x * way
        ends.append(model.energy(moved).strain)
    force = model.inverse_dynamics(state, np.zeros(model.nv))
    assert (ends[1] - ends[0]) / 2e-6 == pytest.approx(force @ way, rel=1e-7)


def step_matrix(body, model, state, mu, nu):
    """S = M + C / mu + K / (mu nu) that an implicit step takes."""
    from jourdain.kernels.bodies.ancf_shell_tangent import shell_step_matrix
    from jourdain.kernels.linalg.supernodal_cholesky import FactorHeader

    integers = body.nodal.arrays[0]
    header = FactorHeader(integers[6])
    values, update = np.zeros(header.values), np.zeros(header.widest)
    shell_step_matrix(model.arrays, model.workspace(), 1, state.q, state.v, mu, nu, 1.0, values, update)
    row, column, *_ = body.nodal.pairs()
    lower = integers[7] >= 0
    S = np.zeros((model.nv, model.nv))
    S[row[lower], column[lower]] = S[column[lower], row[lower]] = values[integers[7][lower]]
    return S


@pytest.mark.parametrize("name", ["plate", "tube", "sail"])
def test_the_matrix_of_a_step_is_exact(models, name):
    body, model = models[name]
    state, _ = shaken(model, 6)
    K, C, M = tree_derivatives(model, state, np.zeros(model.nv))
    exact = M + C / 3.0 + K / 6.0
    assert np.max(np.abs(K - K.T)) < 1e-12 * np.max(np.abs(K))
    assert np.max(np.abs(step_matrix(body, model, state, 3.0, 2.0) - exact)) < 1e-12 * np.max(np.abs(exact))


@pytest.mark.parametrize("name", ["folded", "sheet"])
def test_stiffness_without_deformation(models, name):
    body, model = models[name]
    K, _, M = tree_derivatives(model, model.state(), np.zeros(model.nv))
    assert np.max(np.abs(body.nodal.stiffness() - K)) < 1e-12 * np.max(np.abs(K))
    assert np.max(np.abs(body.nodal.M - M)) < 1e-13
    S = step_matrix(body, model, model.state(), 3.0, 2.0)
    C = body.nodal.stiffness() * body.damping_pair[0] if name == "sheet" else None
    if C is None:  # without deformation a fold has no moment, and its matrix is exact too
        C = tree_derivatives(model, model.state(), np.zeros(model.nv))[1]
    assert np.max(np.abs(S - M - C / 3.0 - K / 6.0)) < 1e-12 * np.max(np.abs(K))


def test_rigid_motion_makes_no_force(models):
    turn = jd.Pose((0.3, -2.0, 5.0), rotation=Rotation.from_rotvec((1.0, 1.7, -0.5)).as_matrix())
    body, model = models["tube"]
    sheet, state = body.nodal, model.state()
    moved = sheet.nodes @ turn.rotation.T + np.outer(sheet.carried, turn.position)
    state.q[:] = np.einsum("kc,kc->k", sheet.ways, (moved - sheet.nodes)[sheet.owner])
    force = model.inverse_dynamics(state, np.zeros(model.nv))
    assert np.max(np.abs(force)) < 1e-9
    assert abs(model.energy(state).strain) < 1e-12 * MATERIAL.E * 0.05**3  # digest B 1, test (a)


def test_the_mass_is_constant_and_its_rows_sum_to_that_of_the_body(models):
    """Digest B 1, tests (a) and (b)."""
    body, model = models["tube"]
    sheet = body.nodal
    M = model.mass_matrix(model.state())
    assert np.array_equal(M, model.mass_matrix(shaken(model, 3, 0.2)[0]))
    for way in np.eye(3):
        along = sheet.carried[sheet.owner] * (sheet.ways @ way)
        assert along @ M @ along == pytest.approx(body.mass, rel=1e-12)


def test_derivatives_of_a_marker_are_those_of_its_pose():
    model = model_of(plate(frames={"some": (0.37, 0.61)}))
    state, rng = shaken(model, 2, 0.2)
    state.v[:] = rng.standard_normal(model.nv)
    h = 1e-6
    before, after = (model.pose("panel.some", state.q + x * h * state.v) for x in (-1.0, 1.0))
    angular, linear = np.split(model.velocity("panel.some", state), 2)
    assert (after.position - before.position) / (2.0 * h) == pytest.approx(linear, abs=1e-8)
    W = (after.rotation - before.rotation) @ model.pose("panel.some", state.q).rotation.T / (2.0 * h)
    assert (W[2, 1], W[0, 2], W[1, 0]) == pytest.approx(tuple(angular), abs=1e-6)


# ---------------------------------------------------------------------- results


@pytest.fixture(scope="module")
def swung():
    body = plate(held={"x0": "clamped"}, damping=2e-3)
    model = model_of(body, (0.0, 0.0, -9.81))
    run = jd.simulate(model, model.state(), until=0.2, method="newmark", step=2e-3, output=0.05, progress=False)
    return body, run


def test_fields_and_deflections(swung):
    body, run = swung
    tip = run.model.pose("panel.tip", run.state(-1).q)
    assert run.deflection("panel", [7]).values[-1, 0] == pytest.approx(tip.position - (1.0, 0.4, 0.0), abs=1e-12)
    field = run.field("panel", "stress_top")
    assert field.shape == (5, 9, 6)
    assert field.attrs["units"] == "Pa"
    top, bottom = (run.field("panel", what).values[-1, 1, 0] for what in ("stress_top", "stress_bottom"))
    assert top > 0.0 > bottom  # it hangs down: its upper face is pulled
    assert run.field("panel").values.min() >= 0.0
    strain = run.strain("panel")
    assert strain["moment_11"].attrs["units"] == "N"
    assert top - bottom == pytest.approx(-12.0 / 0.05**2 * strain["moment_11"].values[-1, 1], rel=1e-9)
    with pytest.raises(jd.errors.ModelError, match="has no field"):
        run.field("panel", "colour")


def test_the_skeleton_follows_the_markers(swung):
    body, run = swung
    bones = body.skeleton(run.record.q[-1:])
    for name in ("tip", "root"):
        pose, bone = run.model.pose(f"panel.{name}", run.state(-1).q), bones.poses[-1, bones.frames[name]]
        assert bone[:3] == pytest.approx(pose.position, abs=1e-12)
        assert Rotation.from_quat(bone[[4, 5, 6, 3]]).as_matrix() == pytest.approx(pose.rotation, abs=1e-9)
    (faces,) = body.surfaces()
    assert np.ptp(faces.vertices, axis=0) == pytest.approx((1.0, 0.8, 0.05))


def test_energy_is_accounted_for(swung):
    # what the damping of stretch and curvature takes is in the balance
    _, run = swung
    assert run.trusted
    assert run.energy["dissipated"].values[-1] > 0.01 * run.energy["strain"].values[-1]
