"""Reduced finite-element parts: every term of their inertia against sums over nodes, frames, loads, and bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest
from elements import beam_elements, spring_lattice
from scipy.sparse import csr_array
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.bodies import body_from_dict
from jourdain.describe.bodies.floating_frame.interfaces import rigid_motions
from jourdain.describe.description import from_dict, to_dict
from jourdain.kernels import forward_dynamics, workspace

BEAM = dict(mass_per_length=0.8, EA=2e5, EI=(900.0, 700.0), GJ=500.0, inertia_per_length=2e-3)
GRAVITY = np.array([1.0, -2.0, -9.0])
ROOT, TIP = [0, 1, 2, 3], [12, 13, 14, 15]


def close(a, b, digits=1e-10):
    np.testing.assert_allclose(a, b, rtol=digits, atol=digits * (1.0 + np.max(np.abs(b))))


def lattice(consistent=False, **options):
    M, K, nodes = spring_lattice(np.random.default_rng(2), consistent=consistent)
    options = {"modes": 5, "damping": (0.3, 1e-3), "frames": {"camera": 9, "plate": [5, 8, 10]}} | options
    return jd.ReducedBody("part", M, K, nodes, {"root": ROOT, "tip": TIP, "side": 6}, **options)


def lumped_beam(**options):
    """Masses and rotary inertias at the nodes of a beam, no two directions alike in rotation."""
    M, K, nodes = beam_elements(3.0, 8, **BEAM)
    M = np.zeros_like(M)
    rng = np.random.default_rng(3)
    for k in range(len(nodes)):
        M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = rng.uniform(0.2, 0.6) * np.eye(3)
        mix = rng.normal(size=(3, 3))
        M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = 1e-2 * (mix @ mix.T + np.eye(3))
    return jd.ReducedBody("part", M, K, nodes, {"root": 0, "tip": 8}, **{"modes": 4, "damping": 0.02, **options})


PARTS = {
    "lumped": lambda: lattice(),
    "consistent": lambda: lattice(True),
    "held elsewhere": lambda: lattice(True, held="tip"),
    "rotations": lumped_beam,
    "guyan": lambda: lattice(modes=None, method="guyan"),
}


def skew(a):
    return np.cross(np.eye(3), a)


def random_state(model, size=0.05):
    rng = np.random.default_rng(4)
    q = model.neutral + size * rng.normal(size=model.nq)
    for j, _, free in model.arrays.rotations.array:
        j += 3 * free
        q[j : j + 4] = Rotation.from_rotvec(rng.normal(size=3)).as_quat(scalar_first=True)
    return model.state(q, rng.normal(size=model.nv))


@pytest.mark.parametrize("kind", PARTS)
def test_sum_over_nodes(kind):
    """The mass matrix and the bias force of a free part, from the velocities and accelerations of its nodes."""
    body = PARTS[kind]()
    system = jd.System("free part", gravity=GRAVITY)
    system.add(body, jd.Free("free"))
    model = system.compile()
    state = random_state(model)
    n, d = len(body.internal), body.dofs_per_node
    e, omega, v, rates = state.q[7:], state.v[:3], state.v[3:6], state.v[6:]
    R = Rotation.from_quat(state.q[3:7], scalar_first=True).as_matrix()
    M, K = body.mass_matrix.toarray(), body.stiffness_matrix.toarray()
    moved, moving = body.recover(e), body.recover(rates)
    shapes = body.recover(np.eye(n)).transpose(1, 2, 0)
    origin = body.nodes[list(body.interfaces[body.held])].mean(axis=0)

    J = np.zeros((len(body.nodes), d, 6 + n))
    A = np.zeros((len(body.nodes), d))
    rotary = np.zeros(3)
    for i, place in enumerate(body.nodes - origin + moved[:, :3]):
        J[i, :3, :3], J[i, :3, 3:6] = -skew(place), np.eye(3)
        A[i, :3] = np.cross(omega, v + np.cross(omega, place) + 2.0 * moving[i, :3]) - R.T @ GRAVITY
        if d == 6:
            J[i, 3:, :3] = np.eye(3)
            own = M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6]
            rotary += np.cross(omega, own @ (omega + moving[i, 3:]))
    J[:, :, 6:] = shapes
    J = J.reshape(-1, 6 + n)
    bias = J.T @ M @ A.ravel()
    bias[:3] += rotary
    flat = shapes.reshape(-1, n)
    bias[6:] += flat.T @ K @ flat @ e + body.parts.modal.C @ rates
    close(model.mass_matrix(state), J.T @ M @ J)
    close(model.bias(state), bias)
    close(model.energy(state).kinetic, 0.5 * state.v @ J.T @ M @ J @ state.v)
    close(model.energy(state).strain, 0.5 * moved.ravel() @ K @ moved.ravel())
    inertial = np.split(R @ (J.T @ M @ J @ state.v)[:6].reshape(2, 3).T, 2, axis=1)
    close(model.momentum(state, about=state.q[:3]).angular, inertial[0][:, 0])
    close(model.momentum(state).linear, inertial[1][:, 0])


def arm(body, at="tip", joint=None):
    system = jd.System("arm", gravity=GRAVITY)
    system.add(jd.RigidBody("base", 5.0, (0.1, 0, 0), (1, 2, 3), {"mount": (0.3, 0.1, 0)}), jd.Free("free"))
    turn = Rotation.from_rotvec([0.3, -0.2, 0.5])
    system.add(body, joint or jd.Universal("shoulder", axes=("x", (0, 1, 1))), to="base.mount", rotation=turn)
    system.add(
        jd.RigidBody("hand", 2.0, (0.1, 0.2, 0.0), (0.1, 0.2, 0.15), {"end": (0.1, 0, 0)}),
        jd.Revolute("wrist", axis=(1, 2, 2)),
        to=f"{body.name}.{at}",
        position=(0.1, -0.2, 0.1),
        rotation=turn,
    )
    system.add(jd.RigidBody("eye", 0.3, (0, 0.1, 0), (0.02, 0.02, 0.02)), jd.Weld("glue"), to=f"{body.name}.camera")
    return system.compile()


@pytest.mark.parametrize("kind", ["consistent", "rotations"])
def test_formulations_agree(kind):
    body = lattice(True) if kind == "consistent" else lumped_beam(frames={"camera": 5})
    model = arm(body)
    state = random_state(model)
    effort = np.random.default_rng(6).normal(size=model.nv)
    a = model.forward_dynamics(state, effort)
    close(model.mass_matrix(state) @ a + model.bias(state), effort)
    close(model.inverse_dynamics(state, a), effort)
    fixed = {name: 0.7 for name in model.names.v[::3]}
    hybrid = model.hybrid_dynamics(state, effort, fixed)
    close(model.inverse_dynamics(state, hybrid.acceleration), hybrid.effort)


@pytest.mark.slow
def test_complex_step():
    """The kernels of modal bodies take complex numbers: a complex step is the derivative."""
    model = arm(lattice(True))
    state = random_state(model)
    rng = np.random.default_rng(9)
    dq, dv, effort = rng.normal(size=model.nq), rng.normal(size=model.nv), rng.normal(size=model.nv)
    out = np.zeros(model.nv, complex)
    h = 1e-30
    ws = workspace(model.arrays, np.complex128)
    forward_dynamics(model.arrays, ws, state.q + 1j * h * dq, state.v + 1j * h * dv, effort + 0j, out)
    sides = np.zeros((2, model.nv))
    for side, s in zip(sides, (1e-6, -1e-6), strict=True):
        forward_dynamics(model.arrays, workspace(model.arrays), state.q + s * dq, state.v + s * dv, effort, side)
    step = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(out.imag / h, step, rtol=1e-6, atol=1e-6 * np.max(np.abs(step)))


def test_markers():
    """Poses of interfaces and frames from the displacements of the nodes, and their derivatives from their paths."""
    body = lattice()
    model = arm(body)
    state = random_state(model, 0.02)
    e = state.q[[model.index.q[f"part.{name}"] for name in body.internal]]
    u = body.recover(e)
    origin = model.pose("part.origin", state)
    for name, nodes in {"tip": TIP, "side": [6], "camera": [9], "plate": [5, 8, 10]}.items():
        nodes = list(nodes)
        place = (body.nodes[nodes] + u[nodes]).mean(axis=0) - body.nodes[ROOT].mean(axis=0)
        close(model.pose(f"part.{name}", state).position, origin.apply(place))
    turn = origin.rotation.T @ model.pose("part.tip", state).rotation
    close(Rotation.from_matrix(turn).as_rotvec(), e[3:6])
    arms = body.nodes[TIP] - body.nodes[TIP].mean(axis=0)
    close(u[TIP] - u[TIP].mean(axis=0), np.cross(e[3:6], arms))
    close(model.pose("part.side", state).rotation, origin.rotation)
    close(u[ROOT], np.zeros((4, 3)))
    a = model.forward_dynamics(state)
    for address in ("part.plate", "part.tip", "hand.end"):
        close(model.jacobian(address, state) @ state.v, model.velocity(address, state))
        h = 1e-6
        sides = []
        for s in (h, -h):
            q = state.q.copy()
            q[model.arrays.q_index[6:]] += s * state.v[6:] + 0.5 * s * s * a[6:]
            sides.append(model.velocity(address, model.state(q, np.r_[np.zeros(6), state.v[6:] + s * a[6:]])))
        still = model.state(state.q, np.r_[np.zeros(6), state.v[6:]])
        rate = model.acceleration(address, still, np.r_[np.zeros(6), a[6:]])
        np.testing.assert_allclose((sides[0] - sides[1]) / (2.0 * h), rate, rtol=1e-6, atol=1e-6 * np.max(np.abs(rate)))


def test_least_squares_rotation_of_a_frame():
    """A frame on untied nodes follows the rigid motion that fits them best: exactly, where they move rigidly."""
    body = lattice(frames={"plate": [12, 14, 15]})
    e = 0.01 * np.random.default_rng(1).normal(size=len(body.internal))
    e[:6] = [0.01, -0.02, 0.03, 0.01, 0.02, -0.03]
    station, tip = body.parts.stations["plate"], body.parts.stations["tip"]
    close(e @ station.theta, e[3:6], 1e-12)
    close(e @ station.psi, e[:3] + np.cross(e[3:6], station.position - tip.position), 1e-12)


@pytest.mark.parametrize("kind", ["lattice", "beam"])
def test_rigid_limit(kind):
    """Undeformed and without coordinates, or with their accelerations held, it is the rigid body of its nodes."""
    M, K, nodes = spring_lattice(np.random.default_rng(2)) if kind == "lattice" else beam_elements(3.0, 6, **BEAM)
    d = len(M) // len(nodes)
    root = {"root": ROOT if d == 3 else 0}
    origin = nodes[ROOT].mean(axis=0) if d == 3 else nodes[0]
    motions = rigid_motions(nodes - origin, d)
    inertia = motions.T @ M @ motions
    mass = inertia[0, 0]
    com = np.array([inertia[1, 5], inertia[2, 3], inertia[0, 4]]) / mass
    about = inertia[3:, 3:] - mass * (com @ com * np.eye(3) - np.outer(com, com))
    bodies = [
        jd.ReducedBody("part", M, K, nodes, root, modes=0),
        jd.RigidBody("part", mass, com, 0.5 * (about + about.T)),
        jd.ReducedBody("part", M, K, nodes, root, modes=4),
    ]
    assert bodies[0].internal == ()
    results = []
    for body in bodies:
        system = jd.System("arm", gravity=GRAVITY)
        system.add(jd.RigidBody("base", 5.0, (0.1, 0, 0), (1, 2, 3), {"mount": (0.3, 0.1, 0)}), jd.Free("free"))
        system.add(body, jd.Universal("shoulder", axes=("x", (0, 1, 1))), to="base.mount")
        model = system.compile()
        rng = np.random.default_rng(8)
        state = model.state(q={"shoulder": [0.3, -0.5]}, v={"free": rng.normal(size=6), "shoulder": [1.0, 2.0]})
        fixed = {f"part.{name}": 0.0 for name in body.internal}
        results.append(model.hybrid_dynamics(state, None, fixed).acceleration[:8])
    close(results[0], results[1])
    close(results[2], results[1])


def test_interface_loads():
    """What the hand and the eye pull on the part with, and what the part pulls on the base with."""
    body = lattice()
    system = jd.System("arm", gravity=GRAVITY)
    system.add(jd.RigidBody("base", 5.0, (0.1, 0, 0), (1, 2, 3)), jd.Free("free"))
    system.add(body, jd.Weld("shoulder"), to="base.origin", at="root")
    hand = dict(mass=2.0, com=(0.1, 0.2, 0.0), inertia=np.diag([0.1, 0.2, 0.15]))
    system.add(jd.RigidBody("hand", **hand), jd.Weld("wrist"), to="part.tip")
    model = system.compile()
    state = random_state(model, 0.1)
    acceleration = model.forward_dynamics(state)
    loads = body.interface_loads(model, state)

    def wrench(name, mass, com, inertia):
        """Moment about the body's origin and force, world axes, that the body needs to move so."""
        R = model.pose(f"{name}.origin", state).rotation
        omega = model.velocity(f"{name}.origin", state)[:3]
        alpha, a = np.split(model.acceleration(f"{name}.origin", state, acceleration), 2)
        c, J = R @ np.asarray(com), R @ inertia @ R.T
        force = mass * (a - GRAVITY + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c)))
        return np.r_[J @ alpha + np.cross(omega, J @ omega) + np.cross(c, force), force]

    R = model.pose("part.origin", state).rotation
    pulled = {name: np.r_[R @ load[:3], R @ load[3:]] for name, load in loads.items()}
    close(pulled["tip"], -wrench("hand", **hand))
    close(pulled["root"], -wrench("base", 5.0, (0.1, 0, 0), np.diag([1.0, 2.0, 3.0])))
    close(pulled["side"], np.zeros(6), 1e-8)
    assert list(loads) == ["root", "tip", "side"]


def test_static_recovery():
    """A load at an interface bends the reduced part exactly as the whole one, also without normal modes."""
    for body in (lattice(), lattice(modes=None, method="guyan")):
        K = body.stiffness_matrix.toarray()
        load = np.zeros((16, 3))
        load[6] = 3.0, -1.0, 2.0
        modal = body.parts.modal
        e = np.linalg.solve(modal.K, np.einsum("ia,kia->k", load, body.recover(np.eye(len(body.internal)))))
        tie = np.zeros((48, 24 + 6))
        interior = np.arange(12, 36)
        tie[interior, np.arange(24)] = 1.0
        arms = body.nodes[TIP] - body.nodes[TIP].mean(axis=0)
        tie[36:, 24:] = rigid_motions(arms, 3)
        u = tie @ np.linalg.solve(tie.T @ K @ tie, tie.T @ load.ravel())
        close(body.recover(e).ravel(), u)
        forces = body.nodal_forces(e)
        close(forces[6], load[6])
        close(forces[ROOT].sum(axis=0), -load[6])
        close(np.delete(forces, [*ROOT, *TIP, 6], axis=0), np.zeros((7, 3)))


def test_coordinates_are_documented():
    body = lattice()
    assert body.internal[:3] == ("constraint[0]", "constraint[1]", "constraint[2]") and body.internal[-1] == "mode[4]"
    assert body.coordinates[0] == "tip displacement x [m]" and body.coordinates[5] == "tip rotation z [rad]"
    assert body.coordinates[6:9] == tuple(f"side displacement {axis} [m]" for axis in "xyz")
    frequency = np.sqrt(body.reduction.squares) / (2.0 * np.pi)
    assert body.coordinates[9] == f"normal mode at {frequency[0]:.6g} Hz, interfaces fixed [m]"
    assert np.all(np.diff(frequency) > 0.0)
    unit = body.recover(np.eye(len(body.internal)))
    close(np.linalg.norm(unit[9:], axis=2).max(axis=1), np.ones(5))
    close(unit[6:9, 6], np.eye(3))
    assert body.frame_names() == ("origin", "root", "tip", "side", "camera", "plate")
    M, K, nodes = beam_elements(3.0, 8, **(BEAM | {"GJ": 300.0}))
    modes = jd.ReducedBody("boom", M, K, nodes, {"root": 0}, modes=8).recover(np.eye(8))
    twists = [one for one in modes if np.max(np.abs(one[:, :3])) < 1e-6]
    assert twists and all(np.max(np.abs(one[:, 3:])) == pytest.approx(1.0) for one in twists)


def test_sparse_and_dense_are_the_same():
    body = lattice()
    sparse = lattice()
    other = jd.ReducedBody(
        "part",
        csr_array(body.mass_matrix),
        csr_array(body.stiffness_matrix).tocoo(),
        body.nodes.tolist(),
        {"root": np.array(ROOT), "tip": TIP, "side": 6},
        modes=5,
        damping=(0.3, 1e-3),
        frames={"camera": 9, "plate": [5, 8, 10]},
        dofs_per_node=3,
    )
    assert sparse.to_dict() == body.to_dict() == other.to_dict()


def test_description_keeps_the_reduced_part(tmp_path):
    model = arm(lattice(damping=0.01))
    written = json.loads(json.dumps(model.description))
    assert "nodes" not in json.dumps(written)
    again = from_dict(written).compile()
    assert again.hash == model.hash
    body = body_from_dict(written["bodies"][1]["body"])
    assert body.to_dict() == lattice(damping=0.01).to_dict()
    close(body.clamped_frequencies(), lattice().clamped_frequencies(), 1e-14)
    assert body.can_be_held("root") and not body.can_be_held("tip")
    state = random_state(model, 0.01)
    for name, load in body.interface_loads(model, state).items():
        close(load, lattice(damping=0.01).interface_loads(model, state)[name], 1e-12)
    with pytest.raises(jd.errors.ModelError, match="rebuilt from a description"):
        body.recover(np.zeros(len(body.internal)))
    run = jd.simulate(model, state, until=0.01, step=1e-4)
    run.save(tmp_path / "run.nc")
    assert jd.load(tmp_path / "run.nc").model.hash == model.hash
    assert to_dict(from_dict(written)) == written


def test_damping():
    """The ratio is that of every mode of the held part; the power lost is what the dampers take."""
    body = lattice(damping=0.03)
    modal = body.parts.modal
    n = len(modal.M)
    A = np.block(
        [[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(modal.M, modal.K), -np.linalg.solve(modal.M, modal.C)]]
    )
    roots = np.linalg.eigvals(A)
    close(-roots.real / np.abs(roots), np.full(2 * n, 0.03), 1e-8)
    modal = lattice().parts.modal
    close(modal.C, 0.3 * modal.M + 1e-3 * modal.K)


def broken(change=None, **options):
    """A sound lattice with one thing wrong."""
    M, K, nodes = spring_lattice(np.random.default_rng(2))
    given = dict(mass_matrix=M, stiffness_matrix=K, nodes=nodes, interfaces={"root": ROOT, "tip": TIP}) | options
    if change is not None:
        change(given)
    return jd.ReducedBody("part", **given)


def put(what, i, j, value):
    def change(given):
        given[what][i, j] = value

    return change


def turned_sign(given):
    given["stiffness_matrix"][30, 30] *= -1.0


def upper(given):
    given["stiffness_matrix"] = np.triu(given["stiffness_matrix"])


def loose(given):
    K = given["stiffness_matrix"]
    K[15:18], K[:, 15:18] = 0.0, 0.0
    for j in range(16):  # what the lost springs held their other ends with
        K[3 * j : 3 * j + 3, 3 * j : 3 * j + 3] -= sum(K[3 * j : 3 * j + 3, 3 * k : 3 * k + 3] for k in range(16))


def massless(given):
    given["mass_matrix"][12:, 12:] = 0.0
    given |= {"interfaces": {"root": ROOT, "side": 6}, "method": "guyan"}


def grounded(given):
    given["stiffness_matrix"] += 10.0 * np.eye(48)


def millimetres(given):
    M, K, nodes = beam_elements(3.0, 8, **BEAM)
    given |= dict(mass_matrix=M, stiffness_matrix=K, nodes=1e3 * nodes, interfaces={"root": 0})


def anisotropic(given):
    given["mass_matrix"][3, 3] *= 2.0


BAD = {
    "not square": (lambda g: g.update(mass_matrix=np.eye(48)[:, :40]), r"mass_matrix has shape \(48, 40\); .*square"),
    "too small": (lambda g: g.update(stiffness_matrix=np.eye(30)), r"16 nodes with 3 degrees of freedom .* \(48, 48\)"),
    "not symmetric": (upper, r"stiffness_matrix is not symmetric: entry \(\d+, \d+\) is .* not a triangle"),
    "indefinite stiffness": (turned_sign, "stiffness_matrix is not positive semi-definite: its least eigenvalue is -"),
    "indefinite mass": (put("mass_matrix", 7, 7, -0.1), "mass_matrix is not positive .* least eigenvalue is -0.1,"),
    "not a number": (put("mass_matrix", 4, 5, np.nan), r"mass_matrix: entry \(4, 5\) is nan; give finite"),
    "infinite": (put("stiffness_matrix", 4, 5, np.inf), r"stiffness_matrix: entry \(4, 5\) is inf; give finite"),
    "no mass": (lambda g: g.update(mass_matrix=np.zeros((48, 48))), "holds a mass of 0 kg; it must be positive"),
    "mass by direction": (anisotropic, "does not move as the mass of one body"),
    "supports": (grounded, "resists the rigid displacement x of the whole part; leave out supports"),
    "unit of nodes": (millimetres, "resists the rigid rotation y .* order and the unit of the matrices"),
    "loose node": (loose, 'singular with "root" held: node 5 can move without resistance; join loose parts'),
    "massless": (massless, r"part\.constraint\[0\]: \(side displacement x \[m\]\) moves no mass"),
    "no such node": (dict(interfaces={"root": ROOT, "tip": [12, 16]}), "part.tip: interface at node 16; .* 0 to 15"),
    "negative node": (dict(frames={"eye": -1}), "part.eye: frame at node -1; the nodes are 0 to 15"),
    "no node": (dict(interfaces={"root": []}), "part.root: interface at node none; the nodes are 0 to 15"),
    "node twice": (dict(interfaces={"root": [0, 1, 2, 2]}), "part.root: interface names a node twice"),
    "shared node": (dict(interfaces={"root": ROOT, "tip": 3}), 'part.tip: shares node 3 with the interface "root"'),
    "single node held": (dict(interfaces={"root": 0}), "part.root: a single node without rotations cannot hold"),
    "on a line": (dict(interfaces={"root": ROOT, "tip": [12, 13]}), "part.tip: its 2 nodes lie on a line"),
    "no interface": (dict(interfaces={}), "interfaces is empty"),
    "no such interface": (dict(held="rot"), "held is 'rot'; did you mean \"root\""),
    "name taken": (dict(frames={"tip": 9}), "part.tip: .* choose another name"),
    "own name": (dict(frames={"origin": 9}), 'part.origin: "origin" is the body\'s own'),
    "too many modes": (dict(modes=25), "modes is 25; with its interfaces fixed the part has 24"),
    "negative modes": (dict(modes=-1), "modes is -1; give a whole number"),
    "modes of guyan": (dict(modes=3, method="guyan"), 'modes is 3, but "guyan" keeps none; use "craig-bampton"'),
    "method": (dict(method="craig"), "method is 'craig'; allowed are craig-bampton, guyan"),
    "damping": (dict(damping=-0.1), "damping is -0.1; give a ratio"),
    "node lost": (put("nodes", 5, 1, np.nan), r"node 5 is at \(.*nan.*\); give finite positions"),
    "degrees of freedom": (dict(dofs_per_node=4), "dofs_per_node is 4; it must be 2, 3 or 6"),
    "six asked for": (dict(dofs_per_node=6), r"16 nodes with 6 degrees of freedom each need \(96, 96\)"),
}


@pytest.mark.parametrize("what", BAD)
def test_refused_by_name(what):
    change, message = BAD[what]
    body = broken(**change) if isinstance(change, dict) else broken(change)
    system = jd.System("bad")
    system.add(body, jd.Revolute("hinge"))
    with pytest.raises(jd.errors.ModelError, match=message) as caught:
        system.compile()
    assert len(caught.value.problems) <= 2
    assert all(problem.address.split(".")[0] == "part" for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (dict(mass_matrix="heavy"), "part: mass_matrix: got 'heavy'"),
        (dict(stiffness_matrix=np.ones(48)), "part: stiffness_matrix: .* give a square matrix"),
        (dict(mass_matrix=csr_array(np.eye(48) * 1j)), "part: mass_matrix: .* give real numbers"),
        (dict(nodes=np.zeros((16, 2))), r"part: nodes: got an array of shape \(16, 2\)"),
        (dict(interfaces=[0, 1]), "part: interfaces: got .* give a dict of names to nodes"),
        (dict(interfaces={"root": 1.5}), "part.root: got 1.5; give the index of a node"),
        (dict(damping="low"), "part: damping"),
    ],
)
def test_refused_at_once(given, message):
    with pytest.raises(jd.errors.ModelError, match=message):
        broken(**given)


def test_large_indefinite_matrix():
    """Beyond the size of dense eigenvalues the signs of the pivots tell, and the eigenvalue is still reported."""
    M, K, nodes = beam_elements(3.0, 150, **BEAM)
    good = jd.ReducedBody("part", csr_array(M), csr_array(K), nodes, {"root": 0, "tip": 150})
    assert good.check() == []
    K[300, 300] *= 0.5
    (problem,) = jd.ReducedBody("part", csr_array(M), csr_array(K), nodes, {"root": 0}).check()
    assert "least eigenvalue is -" in problem.message


def test_only_the_held_interface_is_held():
    system = jd.System("bad")
    system.add(lattice(), jd.Revolute("hinge"), at="tip")
    with pytest.raises(
        jd.errors.ModelError, match='at="tip": the body deforms there; its joint can hold "origin", "root"'
    ):
        system.compile()


@pytest.mark.parametrize("key", ["interfaces", "n", "units", "modal", "stations"])
def test_damaged_description(key):
    data = json.loads(json.dumps(lattice().to_dict()))
    data[key] = [["tip", 7]] if key != "n" else -1
    with pytest.raises(jd.errors.ModelError, match=f"body.{key}"):
        body_from_dict(data)
    del data[key]
    with pytest.raises(jd.errors.ModelError, match=f'"{key}" is missing'):
        body_from_dict(data)


def test_recover_needs_all_coordinates():
    with pytest.raises(jd.errors.ModelError, match="give 14 coordinates"):
        lattice().recover(np.zeros(3))
    assert lattice().recover(np.zeros((7, 14))).shape == (7, 16, 3)


def test_units_of_the_coordinates(tmp_path):
    """A run knows the unit of every coordinate, after it was saved too; a mode in which nodes only turn is radians."""
    M, K, nodes = beam_elements(3.0, 8, **(BEAM | {"GJ": 300.0}))
    body = jd.ReducedBody("boom", M, K, nodes, {"root": 0, "tip": 8}, modes=8)
    turns = [np.max(np.abs(one[:, :3])) < 1e-6 for one in body.recover(np.eye(14)[6:])]
    wanted = ["m"] * 3 + ["rad"] * 3 + ["rad" if turn else "m" for turn in turns]
    assert any(turns) and not all(turns)
    assert [text[text.rindex("[") + 1 : -1] for text in body.coordinates] == wanted
    system = jd.System("arm")
    system.add(body, jd.Revolute("hinge"))
    system.add(jd.RigidBody("hand", 1.0, inertia=(1, 1, 1)), jd.Weld("grip"), to="boom.tip")
    model = system.compile()
    run = jd.simulate(model, model.state(v={"hinge": 0.1}), until=1e-3, step=1e-4, method="rk4", progress=False)
    run.save(tmp_path / "run.nc")
    for one in (run, jd.load(tmp_path / "run.nc")):
        assert list(one.q.units) == ["rad", *wanted]
        assert one.v.units[1] == "m/s" and one.effort.units[4] == "N m"


def test_damaged_units():
    data = lattice().to_dict()
    data["units"]["mode[0]"] = "inch"
    with pytest.raises(jd.errors.ModelError, match=r"body\.units: .* a unit is m or rad"):
        body_from_dict(data)


def skfem_block(element):
    """A block of tetrahedra from scikit-fem: its basis, mass and stiffness."""
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    mesh = skfem.MeshTet.init_tensor(np.linspace(0, 1, 4), np.linspace(0, 0.4, 3), np.linspace(0, 0.3, 2))
    basis = skfem.Basis(mesh, skfem.ElementVector(getattr(skfem, element)()))
    K = linear_elasticity(*lame_parameters(7e7, 0.3)).assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: 100.0 * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2])).assemble(basis)
    return basis, M, K


@pytest.mark.parametrize("element", ["ElementTetP1", "ElementTetP2"])
def test_scikit_fem(element):
    """Nodes and degrees of freedom are put in order: mass, inertia, and the frequencies that scikit-fem's own have."""
    from scipy.linalg import eigh

    basis, M, K = skfem_block(element)
    body = jd.ReducedBody.from_skfem("block", basis, M, K, {"root": lambda x: x[0] < 1e-9}, modes=4)
    assert body.check() == [] and body.internal == tuple(f"mode[{i}]" for i in range(4))
    close(body.parts.modal.mass, 100.0 * 0.4 * 0.3)
    close(body.parts.modal.moment, 12.0 * np.array([0.5, 0.0, 0.0]))
    close(body.parts.modal.inertia[0, 0], 12.0 * (0.4**2 + 0.3**2) / 12.0)
    free = np.setdiff1d(np.arange(K.shape[0]), basis.get_dofs(lambda x: x[0] < 1e-9).all())
    K, M = (A.toarray()[np.ix_(free, free)] for A in (K, M))
    squares = eigh(K, M, eigvals_only=True, subset_by_index=(0, 3))
    close(body.clamped_frequencies(), np.sqrt(squares), 1e-8)


def test_scikit_fem_given_wrongly():
    basis, M, K = skfem_block("ElementTetP1")
    for given, message in (
        ((None, M, K, {"root": 0}), "block: basis: got None; give the scikit-fem Basis"),
        ((basis, M, K, ["root"]), "block: interfaces: got .* give a dict"),
        ((basis, np.eye(6), K, {"root": 0}), r"block: mass_matrix: has shape \(6, 6\); the basis has 72 degrees"),
    ):
        with pytest.raises(jd.errors.ModelError, match=message):
            jd.ReducedBody.from_skfem("block", *given)


def sheet():
    """A plane strip of scikit-fem, 1 m by 0.1 m, in plane stress: its basis, mass (20 kg/m^2) and stiffness."""
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import linear_elasticity

    mesh = skfem.MeshQuad.init_tensor(np.linspace(0, 1, 21), np.linspace(0, 0.1, 3))
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementQuad2()))
    E, nu, h = 7e7, 0.3, 0.01
    K = h * linear_elasticity(E * nu / (1 - nu**2), E / (2 * (1 + nu))).assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: 20.0 * (u[0] * v[0] + u[1] * v[1])).assemble(basis)
    return basis, M, K


def deflected(basis, K) -> np.ndarray:
    """Displacement x, y and rotation of the far edge, which stays straight, under 1 N along y: by the elements."""
    x = np.concatenate([basis.nodal_dofs[0], basis.facet_dofs[0], basis.interior_dofs[0]])
    y = np.concatenate([basis.nodal_dofs[1], basis.facet_dofs[1], basis.interior_dofs[1]])
    place = basis.doflocs[:, x]
    tip, root = place[0] > 1 - 1e-9, place[0] < 1e-9
    inside = np.concatenate([x[~tip & ~root], y[~tip & ~root]])
    T = np.zeros((K.shape[0], 3 + len(inside)))
    T[x[tip], 0], T[y[tip], 1], T[x[tip], 2] = 1.0, 1.0, -(place[1, tip] - np.mean(place[1, tip]))
    T[inside, 3 + np.arange(len(inside))] = 1.0
    load = np.zeros(T.shape[1])
    load[1] = 1.0
    return np.linalg.solve(T.T @ K.toarray() @ T, load)[:3]


def test_a_plane_model_held_by_an_edge():
    """A strip clamped at an edge: Euler's cantilever to the 1 % that its depth makes, and moved by a force at the other
    edge as the elements themselves; it moves in space as a thin plate does."""
    basis, M, K = sheet()
    ends = {"root": lambda x: x[0] < 1e-9, "tip": lambda x: x[0] > 1 - 1e-9}
    body = jd.ReducedBody.from_skfem("strip", basis, M, K, ends, modes=4, frames={"middle": [0, 1]})
    assert body.check() == [] and len(body.internal) == 3 + 4
    assert [one.split(" [")[0] for one in body.coordinates[:3]] == [
        "tip displacement x", "tip displacement y", "tip rotation z"]  # fmt: skip
    close(body.mass, 2.0)
    close(body.com, [0.5, 0.0, 0.0])
    close(np.diag(body.parts.modal.inertia), [2 * 0.1**2 / 12, 2 / 3, 2 / 3 + 2 * 0.1**2 / 12], 1e-9)
    EI, m = 7e7 * 0.01 * 0.1**3 / 12, 2.0
    euler = 1.8751040687**2 * np.sqrt(EI / m)
    assert body.clamped_frequencies()[0] == pytest.approx(euler, rel=1e-2)

    system = jd.System("strip", gravity=(0, 0, 0))
    system.add(body, jd.Revolute("hinge", axis="x"))
    system.force("load", "strip.tip", force=(0.0, 1.0, 0.0), axes="body")
    model = system.compile()
    rest = model.equilibrium(model.state(), hold=("hinge",))
    wanted = deflected(basis, K)
    found = [rest.state.q[model.index.q[f"strip.constraint[{i}]"]] for i in range(3)]
    # the force turns with the edge, by 1e-2, which pulls along x and takes 1e-4 of its moment
    assert found[1:] == pytest.approx(wanted[1:], rel=3e-4) and abs(found[0]) < 1e-6
    assert wanted[1] == pytest.approx(1 / (3 * EI), rel=1e-2)
    assert model.pose("strip.tip", rest.state).rotation[1, 0] == pytest.approx(np.sin(found[2]), rel=1e-9)
    loads = body.interface_loads(model, rest.state, np.zeros(model.nv))
    assert loads["root"][[2, 4]] == pytest.approx([-1.0, -1.0], rel=1e-3) and abs(loads["tip"][2]) < 1e-9
    again = body_from_dict(json.loads(json.dumps(body.to_dict())))
    assert again.to_dict() == body.to_dict() and again.coordinates == body.coordinates


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (dict(interfaces={"root": 0}), "single node .* give two nodes or more"),
        (dict(nodes=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.5], [1, 1, 0]])), "must have one z"),
        (dict(mass_matrix=np.eye(6)), r"has shape \(6, 6\); 4 nodes with 2 degrees of freedom each need \(8, 8\)"),
    ],
)
def test_plane_models_given_wrongly(change, told):
    nodes = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    given = dict(mass_matrix=np.eye(8), stiffness_matrix=np.zeros((8, 8)), nodes=nodes, interfaces={"root": [0, 2]})
    with pytest.raises(jd.errors.ModelError, match=told):
        body = jd.ReducedBody("sheet", **given | change, dofs_per_node=2)
        raise jd.errors.ModelError(body.check())
