"""`jd.NodalBeam`: what it says of itself, what it refuses, its forces, and what a run of it gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.bodies import body_from_dict
from jourdain.model.derivatives import tree_derivatives

GIVEN = {"length": 2.0, "mass_per_length": 0.5, "EA": 200.0, "EI": (2.0, 3.0), "GJ": 1.5, "GA": (60.0, 50.0)}


def beam(**told):
    return jd.NodalBeam("rod", **({"elements": 2} | GIVEN | told))


def held(body, gravity=(0.0, 0.0, 0.0)):
    system = jd.System("held", gravity=gravity)
    system.add(body, joint=jd.Weld("hold"))
    return system.compile()


@pytest.mark.parametrize(("root", "count"), [("clamped", 36), ("pinned", 42), ("free", 45)])
def test_coordinates_are_those_that_the_root_leaves(root, count):
    names = beam(root=root).internal
    assert len(names) == count
    assert names[-9:] == tuple(f"{axis}{one}[4]" for one in ("", "_dy", "_dz") for axis in "xyz")
    assert names[0] == {"clamped": "x[1]", "pinned": "x_dy[0]", "free": "x[0]"}[root]


def test_files_and_descriptions_make_it_again(tmp_path):
    body = beam(
        damping=(1e-3, 2e-3), root="free", rest_curvature=(0.1, 0.2, 0.3), frames={"mid": 0.5},
        inertia_per_length=(3e-3, 1e-3, 2e-3), EA=((0.0, 1.0), (200.0, 150.0)), rigidity=2.0,
    )  # fmt: skip
    again = body_from_dict(body.to_dict())
    assert again.to_dict() == body.to_dict() and again.internal == body.internal
    system = jd.System("kept")
    system.add(body, joint=jd.Weld("hold"))
    system.save(tmp_path / "kept.yaml")
    assert jd.System.load(tmp_path / "kept.yaml").body("rod").to_dict() == body.to_dict()


def test_frames_by_name_node_and_number():
    body = beam(frames={"mid": 0.5})
    for name, x in (("root", 0.0), ("tip", 2.0), ("mid", 1.0), ("node[3]", 1.5), ("1.25", 1.25), ("origin", 0.0)):
        assert body.has_frame(name)
        assert body.frame(name).position == pytest.approx((x, 0.0, 0.0), abs=1e-15)
    assert not any(body.has_frame(name) for name in ("node[5]", "2.5", "-1", "end"))


def test_a_rest_curvature_makes_a_helix_without_force():
    body = beam(elements=4, rest_curvature=(0.4, -0.3, 0.6))
    tip = body.frame("tip")
    turn = Rotation.from_rotvec(2.0 * np.array([0.4, -0.3, 0.6])).as_matrix()
    assert tip.rotation == pytest.approx(turn, abs=1e-12)
    s = np.linspace(0.0, 2.0, 20001)
    tangent = Rotation.from_rotvec(np.outer(s, (0.4, -0.3, 0.6))).as_matrix()[:, :, 0]
    assert tip.position == pytest.approx(np.trapezoid(tangent, s, axis=0), abs=1e-8)
    model = held(body)
    assert np.max(np.abs(model.forward_dynamics(model.state()))) < 1e-9


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"length": 0.0}, "length"),
        ({"EI": (2.0, 0.0)}, r"EI\[1\] is 0.0; give numbers above zero"),
        ({"GJ": 0.0}, "GJ is 0.0; give numbers above zero"),
        ({"GA": (0.0, 50.0)}, r"GA\[0\] is 0.0; give numbers above zero"),
        ({"elements": 0}, "elements is 0; give a whole number of 1 or more"),
        ({"root": "glued"}, "allowed are clamped, pinned, free"),
        ({"damping": -1e-3}, "none negative"),
        ({"rigidity": 0.0}, "rigidity"),
        ({"rest_curvature": 3.0}, "give elements=10 or more"),
        ({"rest_curvature": (1.0, 2.0)}, "give a number, towards y, or three"),
        ({"sharpest": 3.0}, r"\(sharpest\), and 0.6 are the most; give elements=10 or more"),
        ({"wavelength": 0.5}, "2 elements, too few for a wave of 0.5 m; give elements=17 or more"),
        ({"inertia_per_length": (3e-3, 2e-3, 2e-3)}, "a section is flat, give 0.004 about x"),
        ({"frames": {"tip": 0.2}}, "choose another name"),
        ({"frames": {"far": 1.2}}, "give 0 to 1"),
    ],
)
def test_bad_input_is_refused_with_its_remedy(told, words):
    with pytest.raises(jd.errors.ModelError, match=words):
        held(beam(**told))


def test_a_root_that_moves_by_itself_takes_a_weld():
    system = jd.System("spun")
    system.add(beam(root="pinned"), joint=jd.Revolute("turn", axis=(0, 0, 1)))
    with pytest.raises(jd.errors.ModelError, match="give jd.Weld"):
        system.compile()


def test_an_element_that_is_turned_too_far_is_told():
    body = beam(elements=2, root="free")
    nodes = body.nodal.nodes.reshape(-1, 3, 3).copy()
    turn = Rotation.from_rotvec((2.5, 0.0, 0.0)).as_matrix()
    nodes[2:, 1:] = nodes[2:, 1:] @ turn.T
    e = (nodes.reshape(-1, 3) - body.nodal.nodes).reshape(1, -1)
    found = {one.what: one for one in body.excesses(e)}
    assert found["turn"].values[0] == pytest.approx(2.5) and found["turn"].limit == 1.0
    assert found["turn"].remedy == "give more elements"
    assert found["strain"].values[0] > found["strain"].limit


# ---------------------------------------------------------------------- forces

BODIES = {
    "straight": lambda: beam(),
    "helix": lambda: beam(root="free", rest_curvature=(0.2, -0.3, 0.4), damping=1e-2),
    "tapered": lambda: beam(root="pinned", EA=((0.0, 1.0), (200.0, 100.0)), mass_per_length=((0, 1), (0.5, 0.3))),
}


@pytest.fixture(scope="module")
def models():
    made = {name: make() for name, make in BODIES.items()}
    return {name: (body, held(body)) for name, body in made.items()}


def shaken(model, seed=4, size=0.1):
    rng = np.random.default_rng(seed)
    state = model.state()
    state.q += size * rng.standard_normal(model.nq)
    return state, rng


def energy_of(body, q):
    """As in the docstring of the kernels, written again: nodes, parabolas, two points of Gauss."""
    nodes = np.zeros(3 * len(body.nodal.nodes))
    nodes[:] = body.nodal.nodes.ravel() + body.nodal.shapes @ q
    nodes = nodes.reshape(-1, 3, 3)
    rest = body.nodal.nodes.reshape(-1, 3, 3)

    y, z = body._inertia(np.array([0.0]))[0, 1:]

    def directors(x):
        out = []
        for _, a, b in x:  # across both; about that the best fit, weighted with the inertia
            t1 = np.cross(a, b) / np.linalg.norm(np.cross(a, b))
            basis = a / np.linalg.norm(a)
            angles = np.arctan2(
                y * a @ np.cross(t1, basis) - z * b @ basis, y * a @ basis + z * b @ np.cross(t1, basis)
            )
            turn = Rotation.from_rotvec(angles * t1).as_matrix()
            out.append((turn @ basis, turn @ np.cross(t1, basis)))
        return np.array(out)

    l, total = body.length / body.elements, 0.0
    omega = body.rigidity * np.sqrt(max(GIVEN["GA"][0] / y, GIVEN["GA"][1] / z))
    for k in range(body.elements):
        at = slice(2 * k, 2 * k + 3)
        for x in (0.5 - 0.5 / np.sqrt(3.0), 0.5 + 0.5 / np.sqrt(3.0)):
            N = np.array([(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)])
            D = np.array([4 * x - 3, 4 - 8 * x, 4 * x - 1]) / l
            found = []
            for where in (nodes, rest):
                t = directors(where[at])
                u, (a, b), (da, db) = D @ where[at, 0], np.tensordot(N, t, 1), np.tensordot(D, t, 1)
                d = np.cross(a, b)
                found.append([d @ u, a @ u, b @ u, 0.5 * (b @ da - a @ db), d @ db, -d @ da])
            strain = np.subtract(*found)
            EI = GIVEN["EI"]
            total += 0.25 * l * strain**2 @ (GIVEN["EA"], *GIVEN["GA"], GIVEN["GJ"], EI[1], EI[0])
        for share, (_, a, b) in zip((1, 4, 1), nodes[at], strict=True):
            E = (0.5 * (a @ a - 1.0), 0.5 * (b @ b - 1.0), a @ b)
            total += share * l / 12.0 * omega**2 * np.square(E) @ (y, z, 0.25 * (y + z))
    return total


@pytest.mark.parametrize("name", ["straight", "helix"])
def test_the_energy_is_that_of_the_formulas(models, name):
    body, model = models[name]
    state, _ = shaken(model)
    assert model.energy(state).strain == pytest.approx(energy_of(body, state.q), rel=1e-12)


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
    from jourdain.kernels.bodies.simo_reissner_tangent import rod_step_matrix
    from jourdain.kernels.linalg.supernodal_cholesky import FactorHeader

    integers = body.nodal.arrays[0]
    header = FactorHeader(integers[6])
    values, update = np.zeros(header.values), np.zeros(header.widest)
    rod_step_matrix(model.arrays, 1, state.q, state.v, mu, nu, 1.0, values, update)
    row, column, *_ = body.nodal.pairs()
    lower = integers[7] >= 0
    S = np.zeros((model.nv, model.nv))
    S[row[lower], column[lower]] = S[column[lower], row[lower]] = values[integers[7][lower]]
    return S


@pytest.mark.parametrize("name", list(BODIES))
def test_the_matrix_of_a_step_is_exact(models, name):
    body, model = models[name]
    state, _ = shaken(model, 6)
    K, C, M = tree_derivatives(model, state, np.zeros(model.nv))
    exact = M + C / 3.0 + K / 6.0
    assert np.max(np.abs(K - K.T)) < 1e-12 * np.max(np.abs(K))
    assert np.max(np.abs(step_matrix(body, model, state, 3.0, 2.0) - exact)) < 1e-12 * np.max(np.abs(exact))
    K0 = tree_derivatives(model, model.state(), np.zeros(model.nv))[0]
    assert np.max(np.abs(body.nodal.stiffness() - K0)) < 1e-12 * np.max(np.abs(K0))
    assert np.max(np.abs(body.nodal.M - M)) < 1e-13


def test_rigid_motion_makes_no_force(models):
    body, model = models["helix"]
    strand, state = body.nodal, model.state()
    turn = Rotation.from_rotvec((1.0, 1.7, -0.5)).as_matrix()
    moved = strand.nodes @ turn.T + np.outer(strand.carried, (0.3, -2.0, 5.0))
    state.q[:] = (moved - strand.nodes).ravel()
    assert np.max(np.abs(model.inverse_dynamics(state, np.zeros(model.nv)))) < 1e-11
    assert abs(model.energy(state).strain) < 1e-24


def test_derivatives_of_a_marker_are_those_of_its_pose():
    model = held(beam(root="free", rest_curvature=(0.2, 0.1, 0.5), frames={"some": 0.37}))
    state, rng = shaken(model, 2)
    state.v[:] = rng.standard_normal(model.nv)
    h = 1e-6
    before, after = (model.pose("rod.some", state.q + x * h * state.v) for x in (-1.0, 1.0))
    angular, linear = np.split(model.velocity("rod.some", state), 2)
    assert (after.position - before.position) / (2.0 * h) == pytest.approx(linear, abs=1e-8)
    W = (after.rotation - before.rotation) @ model.pose("rod.some", state.q).rotation.T / (2.0 * h)
    assert (W[2, 1], W[0, 2], W[1, 0]) == pytest.approx(tuple(angular), abs=1e-7)


# ---------------------------------------------------------------------- runs


@pytest.fixture(scope="module")
def swung():
    model = held(beam(damping=2e-3, rest_curvature=0.2), (0.0, 0.3, -1.0))
    return jd.simulate(model, model.state(), until=0.2, method="newmark", step=2e-3, output=0.05, progress=False)


def test_tension_has_the_force_of_damping(swung):
    x = [0.3, 2.0]
    q, v = swung.record.q, swung.record.v
    body = beam(damping=2e-3, rest_curvature=0.2)
    before, after = (body.strain(q + h * v, x)[1]["axial"][0] for h in (-1e-6, 1e-6))
    damping = 200.0 * 2e-3 * (after - before) / 2e-6
    assert swung.tension("rod", x).values == pytest.approx(swung.strain("rod", x)["force"].values + damping, abs=1e-7)
    assert jd.quantity(swung, "tension:rod").unit == "N"
    assert jd.quantity(swung, "strain:rod.shear_z").unit == "1"


def test_deflection_and_skeleton_follow_the_markers(swung):
    model, body = swung.model, beam(damping=2e-3, rest_curvature=0.2)
    tip, rest = model.pose("rod.tip", swung.state(-1).q), body.frame("tip")
    assert swung.deflection("rod", [2.0]).values[-1, 0] == pytest.approx(tip.position - rest.position, abs=1e-12)
    bones = body.skeleton(swung.record.q[-1:, :])
    pose = bones.poses[-1, bones.frames["tip"]]
    assert pose[:3] == pytest.approx(tip.position, abs=1e-12)
    turn = Rotation.from_quat(pose[[4, 5, 6, 3]]).as_matrix()
    assert turn @ rest.rotation == pytest.approx(tip.rotation, abs=1e-12)
    (tube,) = body.surfaces()
    assert np.max(tube.vertices[:, 0]) == pytest.approx(rest.position[0], abs=0.1)
    assert np.max(np.abs(swung.energy["balance"].values)) < 1e-4 * np.max(swung.energy["kinetic"].values)


def test_a_ball_at_its_tip_touches_the_ground_and_an_orbit_moves_it():
    system = jd.System("touch", gravity=(0.0, 0.0, -1.0))
    system.add(beam(damping=0.02), joint=jd.Weld("hold"))
    ground = jd.Plane((0, 0, 1)).at("world", position=(0, 0, -0.05))
    system.contact("tap", jd.Sphere(0.02).at("rod.tip"), ground, normal=jd.contact.LinearContact(1e4, damping=0.5))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=0.8, method="rk4", step=5e-4, output=0.05, progress=False)
    assert run.contact["tap"].force.values.max() > 0.0
    assert model.pose("rod.tip", run.state(-1).q).position[2] > -0.035
    orbit = jd.System("orbit", environment=jd.Orbit(altitude=400e3))
    orbit.add(beam(root="free"), joint=jd.Weld("hold"))
    orbit.add(jd.RigidBody("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), joint=jd.Free("fly"))
    model = orbit.compile()
    state = model.state(q={"fly": jd.Pose((1.0, 0.0, 0.0))})
    names = dict(zip(model.names.v, model.forward_dynamics(state), strict=True))
    # at rest in the frame the tide is linear, to 1 m over the radius: the middle falls as a ball there does
    ball = [names[f"fly.v{axis}"] for axis in "xyz"]
    assert [names[f"rod.{axis}[2]"] for axis in "xyz"] == pytest.approx(ball, rel=3e-7, abs=1e-15)
    assert np.max(np.abs(ball)) > 1e-6
