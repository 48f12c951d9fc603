"""Derivatives of the dynamics: the recursion against the complex step, and the complex step against differences."""

from __future__ import annotations

import numpy as np
import pytest
from derivative_cases import SOFT, agree, arm, bent, both
from elements import spring_lattice
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, random_body, random_joint, random_pose, random_state, systems

import jourdain as jd
from jourdain.describe.joints import JOINTS
from jourdain.kernels.derivatives.derivative_layout import partials
from jourdain.kernels.derivatives.dynamics_derivatives import inverse_derivatives
from jourdain.kernels.model_arrays import workspace
from jourdain.kernels.tree.model_functions import inverse_state
from jourdain.model.derivatives import analytical, displacements, tree_derivatives
from jourdain.model.displacement import displaced

SCHEMES = ("exponential", "linear", "euler-321", "euler-123", "integrated")
FIDELITIES = ({}, {"axial": "dual"}, {"axial": "modes"}, {"fidelity": "consistent"}, {"fidelity": "inconsistent"})
BASES = ("polynomial", "clamped-free", "pinned-free", "free-free", "finite-element")

KINDS = {kind: JOINTS[kind] for kind in JOINTS if kind not in ("rail", "winch")}
"""Rails take the complex step, winches bodies of their own."""


def central(model, state, acceleration, x, dv, step=1e-5):
    """Inverse dynamics along a displacement and a change of velocity, by central differences."""
    sides = []
    for s in (step, -step):
        by = s * np.array(x)
        for j, k, free in model.arrays.rotations.array:
            if free:
                by[k + 3 : k + 6] = jd.Pose(rotation=state.q[j + 3 : j + 7]).rotation @ by[k + 3 : k + 6]
        moved = jd.State(state.time, displaced(model, state.q, by), state.v + s * dv, state.z)
        sides.append(model.inverse_dynamics(moved, acceleration))
    return (sides[0] - sides[1]) / (2.0 * step)


@settings(max_examples=15)
@given(systems(friction=True, forces=2))
def test_complex_step_against_central_differences(case):
    model, state = case.model, case.state
    a, x, dv = case.vector(), case.vector(), case.vector()
    K, C, _ = model.inverse_dynamics_derivatives(state, a, method="complex-step")
    wanted = central(model, state, a, x, dv)
    scale = np.max(np.abs(K)) + np.max(np.abs(C))
    # second order in a step of 1e-5, and rounding over it
    np.testing.assert_allclose(K @ x + C @ dv, wanted, rtol=0, atol=1e-6 * scale)


@given(systems(friction=True, forces=3))
def test_rigid_trees(case):
    both(case)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "weld"])
def test_every_joint_under_every_other(kind):
    rng = np.random.default_rng(4)
    system = jd.System("pairs", gravity=(0.4, -3.0, -9.0))
    system.add(random_body(rng, "base"), random_joint(rng, kind, "first", True, False), to="world")
    to = "base.tip"
    for other in KINDS:
        system.add(random_body(rng, other), random_joint(rng, other, f"j_{other}", True, False), to=to)
        system.add(
            random_body(rng, f"{other}_end"), random_joint(rng, kind, f"k_{other}", True, True), to=f"{other}.tip"
        )
        to = f"{other}.grip"
    model = system.compile()
    both(Case(system, model, random_state(model, rng), rng))


def test_drives_stops_and_sliding_friction():
    system = jd.System("driven", gravity=(0, 0, -9.0))
    drive = jd.Drive(gear=50.0, rotor_inertia=1e-3, stiffness=300.0, damping=2.0, friction=0.1)
    stops = dict(limits=(-0.2, 0.3), limit_stiffness=400.0, limit_damping=0.3, stiffness=3.0, damping=0.4)
    to = "world"
    rng = np.random.default_rng(2)
    for i in range(3):
        joint = jd.Revolute(f"j{i}", axis=(1, i, 0), drive=drive) if i < 2 else jd.Revolute("j2", friction=0.5, **stops)
        system.add(random_body(rng, f"b{i}"), joint, to=to)
        to = f"b{i}.tip"
    model = system.compile()
    for angle, rate in ((0.5, 0.4), (0.5, -4.0), (-0.4, -1.0), (0.1, 0.2), (0.1, -3.0)):
        state = random_state(model, rng)
        state.q[model.index.q["j2"]], state.v[model.index.v["j2"]] = angle, rate
        for slip in (0.0, 0.01, -1.0):  # sticking, near it, sliding
            z = state.z + slip
            both(Case(system, model, jd.State(0.0, state.q, state.v, z), rng))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_rotation_schemes(scheme):
    both(arm(tip_rotation=scheme))
    both(arm(tip_rotation=scheme, axial="modes", kind="universal"))


@pytest.mark.slow
@pytest.mark.parametrize("options", FIDELITIES, ids=str)
def test_fidelities(options):
    both(arm(**options))
    both(arm(kind="free", rotary_inertia=True, damping=0.02, **options))


@pytest.mark.slow
@pytest.mark.parametrize("basis", BASES)
def test_bases(basis):
    both(arm(basis=basis))


@pytest.mark.slow
def test_beams_whose_tip_does_not_turn_are_left_to_the_complex_step():
    for options in ({"tip_rotation": "none"}, {"fidelity": "ruthless"}):
        carrying = arm(**options)
        assert not analytical(carrying.model)
        both(carrying)
        system = jd.System("leaf", gravity=(1.0, 0.5, -9.0))
        system.add(random_body(carrying.rng, "base"), jd.Free("free"))
        system.add(jd.Beam("leaf", **SOFT, **options), jd.Spherical("ball"), to="base.tip")
        system.force("end", "leaf.tip", (1.0, 2.0, 3.0), (0.3, 0.2, 0.1))
        model = system.compile()
        assert analytical(model)
        both(Case(system, model, bent(model, carrying.rng), carrying.rng))


def part(name, rng):
    """A lattice of springs, reduced to six coordinates."""
    M, K, nodes = spring_lattice(rng, consistent=True)
    return jd.ReducedBody(name, M, 1e-3 * K, nodes, {"root": [0, 1, 2, 3], "tip": [12, 13, 14, 15]}, modes=6)


@pytest.mark.slow
def test_modal_bodies():
    rng = np.random.default_rng(3)
    system = jd.System("parts", gravity=(1.0, -2.0, -9.0))
    system.add(part("inner", rng), jd.Free("free"), at="root")
    system.add(part("outer", rng), jd.Universal("cross"), to="inner.tip", at="root", position=(0.1, 0.2, 0.3))
    system.add(random_body(rng, "hand"), jd.Revolute("wrist", axis=(1, 2, 3)), to="outer.tip")
    system.add(jd.Beam("boom", **SOFT), jd.Revolute("hinge", axis="y"), to="inner.tip")
    for i, (at, axes) in enumerate([("inner.tip", "world"), ("outer.tip", "body"), ("outer.tip", "world")]):
        system.force(f"f{i}", at, rng.normal(size=3), rng.normal(size=3), axes=axes)
    model = system.compile()
    both(Case(system, model, bent(model, rng, 0.1), rng))


@st.composite
def flexible_systems(draw):
    """Trees of beams, reduced parts and rigid bodies on any joints, with forces."""
    count = draw(st.integers(1, 4), label="bodies")
    what = [draw(st.sampled_from(("beam", "beam", "part", "rigid")), label="body") for _ in range(count)]
    parents = [draw(st.integers(-1, i - 1), label="parent") for i in range(count)]
    kinds = [draw(st.sampled_from(list(KINDS)), label="joint") for _ in range(count)]
    options = [draw(st.sampled_from(FIDELITIES)) | {"tip_rotation": draw(st.sampled_from(SCHEMES))} for _ in what]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    what[0] = "beam" if what[0] == "rigid" else what[0]
    system = jd.System("random", gravity=5.0 * rng.normal(size=3))
    for i, kind in enumerate(what):
        if kind == "beam":
            modes = jd.Modes(bending=2, axial=int(rng.integers(2)), torsion=int(rng.integers(2)))
            body = jd.Beam(f"b{i}", **SOFT, modes=modes, **options[i])
        else:
            body = part(f"b{i}", rng) if kind == "part" else random_body(rng, f"b{i}")
        place = random_pose(rng)
        system.add(
            body,
            random_joint(rng, kinds[i], f"j{i}", True, True),
            to="world" if parents[i] < 0 else f"b{parents[i]}.tip",
            position=place.position,
            rotation=place.rotation,
            at="root" if kind == "part" else "origin",
        )
    for i in range(2):
        at = f"b{rng.integers(count)}.tip"
        system.force(f"f{i}", at, rng.normal(size=3), rng.normal(size=3), axes=str(rng.choice(["world", "body"])))
    model = system.compile()
    return Case(system, model, bent(model, rng, 0.1), rng)


@pytest.mark.slow
@settings(max_examples=20)
@given(flexible_systems())
def test_flexible_trees(case):
    both(case)


@pytest.mark.slow
def test_at_rest_under_gravity_the_stiffness_is_symmetric():
    """K is then the second derivative of a potential, where the point is an equilibrium of every rotation."""
    system = jd.System("hanging", gravity=(0, 0, -9.81))
    system.add(jd.Beam("upper", **SOFT), jd.Revolute("shoulder", axis=(0, 1, 1), stiffness=2.0))
    system.add(jd.Beam("fore", **SOFT, tip_rotation="euler-321"), jd.Universal("elbow"), to="upper.tip")
    system.add(jd.RigidBody("load", 2.0, (0.1, 0.2, 0), (1, 1, 1)), jd.Revolute("wrist"), to="fore.tip")
    model = system.compile()
    state = bent(model, np.random.default_rng(5))
    state.v[:] = 0.0
    K, C, _ = tree_derivatives(model, state, np.zeros(model.nv))
    assert np.max(np.abs(K - K.T)) < 1e-12 * np.max(np.abs(K))
    assert np.max(np.abs(C)) < 1e-12 * np.max(np.abs(K))


def test_a_world_that_turns():
    """Row 0 of the workspace may move: columns of the first joints see its velocity and acceleration."""
    rng = np.random.default_rng(9)
    system = jd.System("turning", gravity=(0.3, 0.2, -9.0))
    system.add(random_body(rng, "a"), jd.Universal("u"), position=(1.0, 2.0, 0.5))
    system.add(random_body(rng, "b"), jd.Free("f"), to="a.tip")
    model = system.compile()
    state, a, motion = random_state(model, rng), rng.normal(size=model.nv), rng.normal(size=9)
    z = np.zeros(0)
    spaces = workspace(model.arrays), workspace(model.arrays, np.complex128)
    for ws in spaces:
        world = ws.bodies.columns
        world.omega[0], world.velocity[0], world.acceleration[0, :3] = motion.reshape(3, 3)
    out = tuple(np.empty((model.nv, model.nv)) for _ in range(3))
    inverse_derivatives(model.arrays, spaces[0], partials(model.arrays), state.q, state.v, a, z, *out)
    for which, directions in enumerate((displacements(model, state.q), np.eye(model.nv))):
        wanted = np.empty((model.nv, model.nv))
        for k in range(model.nv):
            given_to = [state.q + 0j, state.v + 0j, a + 0j]
            given_to[which] += 1e-40j * directions[:, k]
            effort = np.empty(model.nv, complex)
            inverse_state(model.arrays, spaces[1], *given_to, z, effort)
            wanted[:, k] = effort.imag / 1e-40
        agree([out[which]], [wanted])


def cross(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def pogorelov(model, state, acceleration):
    """J^q and J^v of a chain of revolute joints by Pogorelov 2003, eq. 2, sums over paths and all, corrected.

    Motions are (linear, angular) about the world's origin; bodies are taken at their centres of mass. Gravity enters as
    an acceleration of the world.
    """
    q, v, n = state.q, state.v, model.nv
    names = list(model.bodies)
    J = [model.jacobian(f"{b}.origin", q) for b in names]
    omega, eps = np.zeros(3), np.zeros(3)
    parent = np.zeros(3)
    gravity = np.array([0.0, 0.0, 9.81])
    Om, PiA, PiV = np.zeros((6, 3)), np.zeros((6, 3)), np.zeros((6, 3))
    star = {key: [] for key in ("S", "Sa", "Sw", "Om", "Pa", "Pv", "b", "bpi", "M", "G", "kw", "kp", "r")}

    def to_origin(r, X):
        top = X[:3] + cross(r) @ X[3:]
        return np.concatenate([top, X[3:]])

    previous = parent
    for i, name in enumerate(names):
        origin = model.pose(f"{name}.origin", q).position
        com = model.pose(f"{name}.com", q).position
        b = J[i][:3, i]
        rel, d = com - previous, np.cross(b, com - origin)
        # seen from the carrier: a joint's axis through `origin` moves the centre of mass on a circle
        v_r, w_r = d * v[i], b * v[i]
        a_r = d * acceleration[i] + np.cross(w_r, v_r)
        e_r = b * acceleration[i]
        # derivatives at a fixed parent
        v_q, a_q = np.cross(b, v_r), np.cross(b, a_r)
        W = cross(omega) @ cross(omega) + cross(eps)
        Sa = np.concatenate([W @ d + 2 * cross(omega) @ v_q + a_q, 0 * b])
        Sw = np.concatenate([2 * cross(omega) @ d + 2 * np.cross(w_r, d), cross(omega) @ b])
        O = np.vstack(
            [2 * np.outer(rel, omega) + 2 * cross(v_r) - np.outer(omega, rel) - omega @ rel * np.eye(3), cross(w_r)]
        )
        Pa = np.vstack(
            [W @ cross(rel) + 2 * cross(omega) @ cross(v_r) + cross(a_r), cross(omega) @ cross(w_r) + cross(e_r)]
        )
        Pv = np.vstack([cross(omega) @ cross(rel) + cross(v_r), cross(w_r)])
        PiA = PiA + to_origin(com, Pa) - to_origin(com, O) @ PiV[3:]
        PiV = PiV + to_origin(com, Pv)
        Om = Om + to_origin(com, O)
        omega, eps = omega + w_r, eps + np.cross(omega, w_r) + e_r
        R = model.pose(f"{name}.origin", q).rotation
        inertia = R @ INERTIA @ R.T
        a_com = model.acceleration(f"{name}.com", state, acceleration)[3:] + gravity
        C = np.block([[np.eye(3), -cross(com)], [np.zeros((3, 3)), np.eye(3)]])
        Mj = np.block([[MASS * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]])
        G = np.concatenate([MASS * a_com, inertia @ eps + np.cross(omega, inertia @ omega)])
        kw = cross(omega) @ inertia - cross(inertia @ omega)
        kp = (
            inertia @ cross(eps)
            - cross(inertia @ eps)
            + cross(omega) @ (inertia @ cross(omega) - cross(inertia @ omega))
        )
        for key, value in (
            ("S", to_origin(com, np.concatenate([d, b]))),
            ("Sa", to_origin(com, Sa)),
            ("Sw", to_origin(com, Sw)),
            ("Om", Om),
            ("Pa", PiA),
            ("Pv", PiV),
            ("b", b),
            ("bpi", PiV[3:] @ b),
            ("M", C.T @ Mj @ C),
            ("G", G),
            ("kw", kw),
            ("kp", kp - kw @ PiV[3:]),
            ("r", com),
        ):
            star[key].append(value)
        previous = com
    s = star
    Jq, Jv = np.zeros((n, n)), np.zeros((n, n))
    for k in range(n):
        for m in range(n):
            outer = range(max(k, m), n)
            I = sum(s["M"][j] for j in outer)
            IO = sum(s["M"][j] @ s["Om"][j] for j in outer)
            IP = sum(s["M"][j] @ s["Pa"][j] for j in outer)
            kw = np.concatenate([np.zeros((3, 3)), sum(s["kw"][j] for j in outer)])
            kp = np.concatenate([np.zeros((3, 3)), sum(s["kp"][j] for j in outer)])
            Jv[k, m] = s["S"][k] @ (I @ (s["Sw"][m] + s["Om"][m] @ s["b"][m]) - IO @ s["b"][m] + kw @ s["b"][m])
            inner = I @ (s["Sa"][m] + s["Om"][m] @ s["bpi"][m] + s["Pa"][m] @ s["b"][m])
            inner += (kp - IP) @ s["b"][m] + (kw - IO) @ s["bpi"][m]
            for j in range(k, n) if m <= k else range(m, n):
                g, moment, r = s["G"][j][:3], s["G"][j][3:], s["r"][j]
                # C_0j^T G_j = (g, moment + r x g)
                if m <= k:
                    about = moment + np.cross(r, g)
                    tilde = np.block(
                        [[np.zeros((3, 3)), cross(g)], [np.zeros((3, 3)), cross(g) @ cross(r) + cross(about)]]
                    )
                else:
                    tilde = np.block([[np.zeros((3, 6))], [-cross(g), cross(g) @ cross(r)]])
                inner += tilde @ s["S"][m]
            Jq[k, m] = s["S"][k] @ inner
    return Jq, Jv


MASS, INERTIA, CENTRE = 2.0, np.diag([0.3, 0.5, 0.4]), (0.3, 0.1, -0.2)


def test_against_pogorelov():
    system = jd.System("chain", gravity=(0, 0, -9.81))
    to = "world"
    for i in range(4):
        body = jd.RigidBody(f"b{i}", MASS, CENTRE, INERTIA, {"tip": (0.6, 0.1, 0.2), "com": CENTRE})
        system.add(body, jd.Revolute(f"j{i}", axis=(1, i, 2 - i)), to=to)
        to = f"b{i}.tip"
    model = system.compile()
    rng = np.random.default_rng(8)
    state, a = random_state(model, rng), rng.normal(size=model.nv)
    agree(model.inverse_dynamics_derivatives(state, a)[:2], pogorelov(model, state, a))


def test_bad_input():
    system = jd.System("one")
    system.add(jd.RigidBody("body", 1.0), jd.Prismatic("slide"))
    model = system.compile()
    with pytest.raises(jd.errors.ModelError, match="method: got 'guess'; allowed are analytical, complex-step"):
        model.inverse_dynamics_derivatives(model.state(), method="guess")
    with pytest.raises(jd.errors.ModelError, match="acceleration: got shape"):
        model.inverse_dynamics_derivatives(model.state(), np.zeros(3))
    with pytest.raises(jd.errors.ModelError, match="state: give a State"):
        model.forward_dynamics_derivatives(np.zeros(1))


def test_contacts_are_refused_by_name():
    system = jd.System("ball", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Free("free"))
    floor = jd.Plane((0, 0, 1)).at("world")
    system.contact(
        "touch", jd.Sphere(0.1).at("ball.origin"), floor, normal=jd.HertzContact(stiffness=1e6, restitution=0.6)
    )
    model = system.compile()
    with pytest.raises(
        jd.errors.ModelError, match="touch: inverse_dynamics_derivatives knows no derivatives of contacts"
    ):
        model.inverse_dynamics_derivatives(model.state())
