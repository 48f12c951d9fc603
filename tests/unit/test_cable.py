"""`jd.Cable`: what it says of itself, what it refuses, and what a run of it gives."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.bodies import body_from_dict
from jourdain.model.derivatives import tree_derivatives
from jourdain.results.quantities import known_quantities

GIVEN = {"length": 2.0, "mass_per_length": 0.5, "EA": 200.0, "EI": 0.4}


def cable(**told):
    return jd.Cable("tether", **({"elements": 5} | GIVEN | told))


def hung(body=None, gravity=(0.0, 0.0, -9.81)):
    system = jd.System("hung", gravity=gravity)
    system.add(cable(root="pinned", damping=2e-3) if body is None else body, joint=jd.Weld("hook"))
    return system


@pytest.mark.parametrize(("root", "count"), [("clamped", 31), ("pinned", 33), ("free", 36)])
def test_coordinates_are_those_that_the_root_leaves(root, count):
    names = cable(root=root).internal
    assert len(names) == count
    assert names[-6:] == ("x[5]", "y[5]", "z[5]", "dx[5]", "dy[5]", "dz[5]")
    assert names[0] == {"clamped": "dx[0]", "pinned": "dx[0]", "free": "x[0]"}[root]


def test_a_description_makes_it_again():
    body = cable(
        damping=(1e-3, 2e-3), pretension=3.0, radius=0.01, root="free", rest_curvature=0.4, frames={"mid": 0.5}
    )
    again = body_from_dict(body.to_dict())
    assert again.to_dict() == body.to_dict()
    assert again.internal == body.internal


def test_frames_by_name_node_and_number():
    body = cable(frames={"mid": 0.5})
    for name, x in (("root", 0.0), ("tip", 2.0), ("mid", 1.0), ("node[2]", 0.8), ("1.25", 1.25), ("origin", 0.0)):
        assert body.has_frame(name)
        assert body.frame(name).position == pytest.approx((x, 0.0, 0.0), abs=1e-15)
    for name in ("node[6]", "2.5", "-1", "end"):
        assert not body.has_frame(name)


def test_a_rest_curvature_bends_the_line_without_deformation():
    tip = cable(elements=20, rest_curvature=np.pi / 4.0).frame("tip")
    radius = 4.0 / np.pi
    assert tip.position == pytest.approx((radius, radius, 0.0), abs=1e-6)
    assert tip.rotation @ (1, 0, 0) == pytest.approx((0, 1, 0), abs=1e-12)
    model = hung(cable(rest_curvature=np.pi / 4.0), gravity=(0, 0, 0)).compile()
    assert np.max(np.abs(model.forward_dynamics(model.state()))) < 1e-9


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"length": 0.0}, "length"),
        ({"EI": -1.0}, "EI"),
        ({"elements": 0}, "elements is 0; give a whole number of 1 or more"),
        ({"root": "glued"}, "allowed are clamped, pinned, free"),
        ({"damping": -1e-3}, "none negative"),
        ({"rest_curvature": 3.0}, "give elements=10 or more"),
        ({"rest_curvature": 0.1, "EI": 0.0}, "give EI"),
        ({"pretension": -1.0, "EI": 0.0, "root": "pinned"}, "does not keep it straight"),
        ({"EI": 0.0}, 'root="pinned"'),
        ({"sharpest": 3.0}, r"\(sharpest\), and 0.6 are the most; give elements=10 or more"),
        ({"wavelength": 0.5}, "5 elements, too few for a wave of 0.5 m; give elements=13 or more"),
        ({"wavelength": 0.0}, "wavelength"),
        ({"frames": {"tip": 0.2}}, "choose another name"),
        ({"frames": {"far": 1.2}}, "give 0 to 1"),
    ],
)
def test_bad_input_is_refused_with_its_remedy(told, words):
    with pytest.raises(jd.errors.ModelError, match=words):
        hung(cable(**told)).compile()


def test_enough_elements_carry_the_wave_that_is_asked():
    assert not cable(elements=13, wavelength=0.5, sharpest=3.0).check()
    # pinned at both ends, k = 2 pi / 0.5 m: the frequency is 1 % too high at most
    k, l = 2.0 * np.pi / 0.5, 2.0 / 13
    system = jd.System("wave")
    system.add(cable(elements=13, EA=1e6, root="free"), joint=jd.Weld("nowhere"))
    model = system.compile()
    exact = k**2 * np.sqrt(GIVEN["EI"] / GIVEN["mass_per_length"])
    s = np.linspace(0.0, 2.0, 14)
    q = dict.fromkeys(model.names.q, 0.0)
    q |= {f"tether.y[{j}]": 1e-6 * np.sin(k * x) for j, x in enumerate(s)}
    q |= {f"tether.dy[{j}]": 1e-6 * k * np.cos(k * x) for j, x in enumerate(s)}
    wave = np.array([q[name] for name in model.names.q])
    state = model.state()
    state.q[:] = wave
    v = model.state()
    v.v[:] = wave
    squared = model.energy(state).strain / model.energy(v).kinetic  # Rayleigh's quotient
    assert exact < np.sqrt(squared) < 1.01 * exact
    assert np.sqrt(squared) / exact - 1.0 == pytest.approx((k * l) ** 4 / 1440.0, rel=0.2)


def test_a_root_that_moves_by_itself_takes_a_weld():
    system = jd.System("spun")
    system.add(cable(root="pinned"), joint=jd.Revolute("turn", axis=(0, 0, 1)))
    with pytest.raises(jd.errors.ModelError, match="give jd.Weld"):
        system.compile()


def test_a_joint_about_a_straight_line_has_no_inertia():
    system = jd.System("spun")
    system.add(cable(), joint=jd.Revolute("turn", axis=(1, 0, 0)))
    with pytest.raises(jd.errors.ModelError, match="turn"):
        system.compile()


@pytest.fixture(scope="module")
def swung():
    model = hung().compile()
    return jd.simulate(model, model.state(), until=0.2, method="newmark", step=2e-3, output=0.05, progress=False)


def test_implicit_methods_that_cannot_step_it_are_refused(swung):
    model = swung.model
    with pytest.raises(jd.errors.ModelError, match="newmark"):
        jd.simulate(model, model.state(), until=0.1, method="radau", progress=False)


def test_tension_has_the_force_of_damping(swung):
    run = swung
    tension = run.tension("tether", [0.3, 2.0])
    assert tension.attrs["units"] == "N"
    assert tension.shape == (5, 2)
    q, v = run.record.q, run.record.v
    body = cable(root="pinned", damping=2e-3)
    before, after = (body.strain(q + x * v, [0.3, 2.0])[1]["axial"][0] for x in (-1e-6, 1e-6))
    damping = 200.0 * 2e-3 * (after - before) / 2e-6
    assert tension.values == pytest.approx(run.strain("tether", [0.3, 2.0])["force"].values + damping, abs=1e-7)
    with pytest.raises(jd.errors.ModelError, match="a jd.Cable has"):
        jd.RigidBody("ball", mass=1.0).tension(np.zeros((1, 0)), np.zeros((1, 0)))


def test_the_peak_tension_is_a_quantity_with_its_place(swung):
    found = jd.quantity(swung, "tension:tether")
    fine = swung.tension("tether", np.linspace(0.0, 2.0, 21)).values
    assert found.unit == "N" and found.values == pytest.approx(fine.max(axis=1), rel=1e-12)
    assert found.place(-1) == f"{0.1 * np.argmax(fine[-1]):.4g} m along tether"
    assert "tension:tether" in set(known_quantities(swung.model))
    assert jd.quantity(swung, "strain:tether.curvature").unit == "1/m"
    with pytest.raises(KeyError, match="tether"):
        jd.quantity(swung, "tension:teter")
    with pytest.raises(KeyError, match="moment"):
        jd.quantity(swung, "strain:tether.moment_y")


def test_a_cable_that_hangs_at_rest_bears_its_weight_at_each_place():
    # straight down N(s) = mu g (L - s), and r' = 1 + N / EA: a cubic holds the parabola of places exactly
    system = jd.System("plumb", gravity=(9.81, 0.0, 0.0))
    system.add(cable(root="pinned"), joint=jd.Weld("hook"))
    model = system.compile()
    found = model.equilibrium(model.state()).state
    run = jd.simulate(model, found, until=1e-3, method="newmark", step=1e-3, progress=False)
    at = np.array([0.0, 0.3, 1.0, 2.0])
    assert run.tension("tether", at).values[0] == pytest.approx(0.5 * 9.81 * (2.0 - at), abs=1e-9)


def test_deflection_and_skeleton_follow_the_line(swung):
    run, model = swung, swung.model
    tip = model.pose("tether.tip", run.state(-1).q)
    assert run.deflection("tether", [2.0]).values[-1, 0] == pytest.approx(tip.position - (2.0, 0, 0), abs=1e-12)
    body = cable(root="pinned", damping=2e-3)
    bones = body.skeleton(run.record.q[-1:, :])
    pose = bones.poses[-1, bones.frames["tip"]]
    assert pose[:3] == pytest.approx(tip.position, abs=1e-12)
    (tube,) = body.surfaces()
    assert np.ptp(tube.vertices[:, 0]) == pytest.approx(2.0)


def test_derivatives_of_a_marker_are_those_of_its_pose():
    # the frame is turned the shortest way from its rest: its angular velocity is that of the turning
    model = hung(cable(root="free", rest_curvature=0.5, frames={"some": 0.37}), (0, 0, 0)).compile()
    rng = np.random.default_rng(2)
    state = model.state()
    state.q += 0.2 * rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    h = 1e-6
    before, after = (model.pose("tether.some", state.q + x * h * state.v) for x in (-1.0, 1.0))
    angular, linear = np.split(model.velocity("tether.some", state), 2)
    assert (after.position - before.position) / (2.0 * h) == pytest.approx(linear, abs=1e-8)
    W = (after.rotation - before.rotation) @ model.pose("tether.some", state.q).rotation.T / (2.0 * h)
    assert (W[2, 1], W[0, 2], W[1, 0]) == pytest.approx(tuple(angular), abs=1e-7)


def test_the_mass_is_constant_and_rigid_motion_makes_no_force():
    """Digest A 9."""
    body = cable(root="free", damping=2e-3)
    model = hung(body, gravity=(0, 0, 0)).compile()
    turn = np.array([[2.0, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3.0
    state = model.state(q=body.laid(lambda s: np.array([0.3, -2.0, 5.0]) + s * turn[:, 0]))
    M = model.mass_matrix(model.state())
    assert np.array_equal(M, model.mass_matrix(state))
    up = np.array([name.startswith("tether.z[") for name in model.names.q], float)
    assert up @ M @ up == pytest.approx(1.0, rel=1e-12)
    assert np.max(np.abs(model.inverse_dynamics(state, np.zeros(model.nv)))) < 1e-10 * GIVEN["EA"]


def test_the_forces_are_those_of_the_energy():
    for told in ({"root": "free", "rest_curvature": 0.5, "pretension": 2.0}, {"root": "clamped"}):
        model = hung(cable(**told), (0, 0, 0)).compile()
        rng = np.random.default_rng(4)
        state = model.state()
        state.q += 0.05 * rng.standard_normal(model.nq)
        way = rng.standard_normal(model.nq)
        ends = []
        for x in (-1e-6, 1e-6):
            moved = model.state()
            moved.q[:] = state.q + x * way
            ends.append(model.energy(moved).strain)
        force = model.inverse_dynamics(state, np.zeros(model.nv))
        assert (ends[1] - ends[0]) / 2e-6 == pytest.approx(force @ way, rel=1e-7)
        K, C, _ = tree_derivatives(model, state, np.zeros(model.nv))
        assert np.max(np.abs(K - K.T)) < 1e-12 * np.max(np.abs(K))


def test_the_matrix_of_a_step_is_exact():
    """S = M + C / mu + K / (mu nu) that an implicit step takes, against complex steps of the forces."""
    from jourdain.kernels.bodies.ancf_cable_tangent import cable_step_matrix
    from jourdain.kernels.bodies.nodal_layout import CABLE_BLOCK

    for told in ({"root": "clamped", "rest_curvature": 0.5, "pretension": 2.0}, {"root": "free", "damping": 1e-2}):
        model = hung(cable(**told), (0, 0, 0)).compile()
        rng = np.random.default_rng(6)
        state = model.state()
        state.q += 0.05 * rng.standard_normal(model.nq)
        K, C, M = tree_derivatives(model, state, np.zeros(model.nv))
        mu, nu = 3.0, 2.0
        n = model.nv
        blocks, below = np.zeros((6, CABLE_BLOCK)), np.tril_indices(6)
        cable_step_matrix(model.arrays, 1, state.q, state.v, mu, nu, 1.0, blocks.reshape(-1))
        S = np.zeros((36, 36))
        for k in range(6):
            beside, own = blocks[k, :36].reshape(6, 6), np.zeros((6, 6))
            own[below] = blocks[k, 36:]
            S[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = own + np.tril(own, -1).T
            if k > 0:
                S[6 * k : 6 * k + 6, 6 * k - 6 : 6 * k] = beside
                S[6 * k - 6 : 6 * k, 6 * k : 6 * k + 6] = beside.T
        free = np.arange(36) >= 36 - n
        free[:6] = [False] * 3 + [True, False, False] if told["root"] == "clamped" else True
        assert np.array_equal(S[~free], np.eye(36)[~free])
        S = S[np.ix_(free, free)]
        exact = M + C / mu + K / (mu * nu)
        assert np.max(np.abs(S - exact)) < 1e-12 * np.max(np.abs(exact))
