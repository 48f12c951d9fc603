"""Beams against theory, against material points coded apart from them, and against themselves in random trees."""

import itertools

import numpy as np
import pytest
from finite_segments import add_segments, seen_from
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from strategies import Case, random_body, random_joint, random_pose, random_state

import jourdain as jd
from jourdain.describe.joints import JOINTS, Joint

BASES = ("polynomial", "clamped-free", "pinned-free", "free-free", "finite-element")
FIDELITIES = ("exact", "consistent", "inconsistent", "ruthless")
SCHEMES = ("exponential", "none", "linear", "euler-321", "euler-123", "integrated")
SPUN = {"length": 10.0, "mass_per_length": 1.2, "EA": 3.1724e7, "EI": 1.4004e4, "GJ": 1e4}


def one(joint: Joint, gravity=(0, 0, 0), at: str = "origin", **options) -> tuple[jd.Beam, jd.Model]:
    """A beam `b` on a joint."""
    beam = jd.Beam("b", **{**SPUN, **options})
    system = jd.System("one beam", gravity=gravity)
    system.add(beam, joint, at=at)
    return beam, system.compile()


# Random trees


@st.composite
def flexible_trees(draw: st.DrawFn) -> Case:
    """Trees of beams and rigid bodies on any joints, with bases, fidelities and schemes mixed."""
    count = draw(st.integers(1, 4), label="bodies")
    flexible = [draw(st.booleans(), label="beam") for _ in range(count)]
    flexible[0] = True
    parents = [draw(st.integers(-1, i - 1), label="parent") for i in range(count)]
    kinds = [kind for kind in JOINTS if kind not in ("rail", "winch")]
    chosen = [draw(st.sampled_from(kinds), label="joint") for _ in range(count)]
    options = [
        {
            "basis": draw(st.sampled_from(BASES), label="basis"),
            "fidelity": draw(st.sampled_from(FIDELITIES), label="fidelity"),
            "axial": draw(st.sampled_from(("auto", "dual", "modes")), label="axial"),
            "tip_rotation": draw(st.sampled_from(SCHEMES), label="scheme"),
            "modes": jd.Modes(2, axial=draw(st.integers(0, 1)), torsion=draw(st.integers(0, 1))),
        }
        for _ in range(count)
    ]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    system = jd.System("random", gravity=rng.normal(size=3) * 5.0)
    for i in range(count):
        body = random_body(rng, f"b{i}")
        if flexible[i]:
            numbers = rng.uniform(0.5, 2.0, 6)
            body = jd.Beam(
                f"b{i}",
                length=numbers[0],
                mass_per_length=numbers[1],
                EA=1e4 * numbers[2],
                EI=(50.0 * numbers[3], 50.0 * numbers[4]),
                GJ=40.0 * numbers[5],
                damping=0.01,
                rotary_inertia=bool(rng.integers(2)),
                frames={"grip": rng.uniform(0.2, 0.9)},
                **options[i],
            )
        place = random_pose(rng)
        parent = parents[i]
        system.add(
            body,
            random_joint(rng, chosen[i], f"j{i}", passive=True, friction=False),
            to="world" if parent < 0 else f"b{parent}.{rng.choice(['origin', 'tip', 'grip'])}",
            position=place.position,
            rotation=place.rotation,
            at="origin" if flexible[i] else str(rng.choice(["origin", "tip", "grip"])),
        )
    model = system.compile()
    state = random_state(model, rng)
    for name, j in model.index.q.items():
        if "[" in name:
            state.q[j] *= 0.05
    for name, j in model.index.v.items():
        if "[" in name:
            state.v[j] *= 0.3
    return Case(system, model, state, rng)


@given(case=flexible_trees())
def test_forward_inverse_and_composite_agree(case):
    """Residuals below 1e-10 of the efforts in them."""
    model, state = case.model, case.state
    effort = case.vector(10.0)
    a = model.forward_dynamics(state, effort)
    M, b = model.mass_matrix(state.q), model.bias(state.q, state.v)
    size = np.max(np.abs(M) @ np.abs(a) + np.abs(b) + np.abs(effort))
    assert np.max(np.abs(M @ a + b - effort)) < 1e-10 * size
    assert np.max(np.abs(model.inverse_dynamics(state, a) - effort)) < 1e-10 * size
    assert np.max(np.abs(M - M.T)) < 1e-12 * np.max(np.abs(M))
    assert np.linalg.eigvalsh(M)[0] > 0.0


def test_thirty_links_by_three_ways():
    """Digest A 9: a chain of rigid and flexible links, by articulated and composite bodies and by inverse dynamics;
    each residual below 1e-10 of the efforts in it."""
    system, at = jd.System("chain", gravity=(0.3, -9.81, 0.7)), "world"
    for k in range(30):
        if k % 2:
            body = jd.Beam(f"l{k}", 0.4, 1.0, 1e5, 30.0, 20.0, modes=jd.Modes(bending=1, torsion=1))
        else:
            body = jd.RigidBody(f"l{k}", 0.5, (0.2, 0.01, 0), (0.01, 0.02, 0.02), frames={"tip": (0.4, 0, 0)})
        system.add(body, jd.Revolute(f"j{k}", axis="xyz"[k % 3]), to=at)
        at = f"l{k}.tip"
    model = system.compile()
    rng = np.random.default_rng(9)
    size = np.array([0.01 if "[" in name else 1.0 for name in model.names.v])
    state, effort = model.state(), rng.standard_normal(model.nv)
    state.q[:], state.v[:] = 0.5 * size * rng.standard_normal(model.nq), size * rng.standard_normal(model.nv)
    a = model.forward_dynamics(state, effort)
    M, b = model.mass_matrix(state), model.bias(state.q, state.v)
    most = np.max(np.abs(M) @ np.abs(a) + np.abs(b) + np.abs(effort))
    assert np.max(np.abs(M @ a + b - effort)) < 1e-10 * most
    assert np.max(np.abs(model.inverse_dynamics(state, a) - effort)) < 1e-10 * most


# Material points, coded apart


def turn(vector: np.ndarray) -> np.ndarray:
    """exp of a rotation vector, analytic."""
    x, y, z = vector
    K = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])
    s = x * x + y * y + z * z
    a = sum((-s) ** k / float(np.prod(np.arange(1, 2 * k + 2))) for k in range(12))
    c = sum((-s) ** k / float(np.prod(np.arange(1, 2 * k + 3))) for k in range(12))
    return np.eye(3) + a * K + c * K @ K


def section_turn(scheme: str, theta: np.ndarray) -> np.ndarray:
    x, y, z = (turn(theta * np.eye(3)[k]) for k in range(3))
    if scheme == "exponential":
        return turn(theta * np.array([0, 1, 1])) @ x
    if scheme == "linear":
        half = theta / 2
        K = np.array([[0, -half[2], half[1]], [half[2], 0, -half[0]], [-half[1], half[0], 0]])
        return np.eye(3) + 2 * (K + K @ K) / (1 + half @ half)
    return z @ y @ x if scheme == "euler-321" else x @ y @ z


def points_of(beam: jd.Beam, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights, so many on each twelfth of the beam: no edge of 1, 2, 3, 4 or 6 elements is crossed."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    h = beam.length / 12
    return (beam.start + h * (np.arange(12)[:, None] + 0.5 * (nodes + 1.0))).ravel(), np.tile(0.5 * h * weights, 12)


class Points:
    """A hub on a hinge, a beam hinged to it across, a hinge and a payload at its tip: everything as functions of q.

    q = (hub angle about z, beam angle about y, e ..., payload angle about x).
    """

    HUB, PAYLOAD = (3.0, np.diag([0.4, 0.5, 0.6])), (2.0, np.diag([0.1, 0.2, 0.25]))
    ARM, CENTRE = np.array([0.3, 0.1, -0.2]), np.array([0.2, -0.1, 0.05])
    GRAVITY = np.array([1.0, -2.0, 3.0])

    def __init__(self, beam: jd.Beam) -> None:
        self.beam, self.n = beam, len(beam.internal)
        heavy = [one for one in beam.slices if one.mass]
        self.x = np.array([one.station.position[0] for one in heavy])
        self.weights = np.array([one.mass for one in heavy]) / beam.mass_per_length(0.0)
        self.dense = points_of(beam, 32)
        self.shapes = [beam.shapes(self.x, d) for d in range(2)]
        self.partials = [beam.shapes(self.dense[0], d) for d in range(3)]
        self.tip = [beam.shapes(np.array([beam.length]), d) for d in range(2)]
        self.shortens = beam.fidelity == "exact" and beam.axial == "auto"

    def short(self, x: float, e: np.ndarray) -> tuple[complex, complex]:
        """-1/2 int (v'^2 + w'^2) and the turn -int (p w' v'' - q v' w'') without elastic twist, up to x."""
        if not self.shortens:
            return 0.0, 0.0
        nodes, weights = np.polynomial.legendre.leggauss(20)
        edges = [0.0, x]
        if self.beam.basis == "finite-element" and x > 0.5 * self.beam.length:
            edges = [0.0, 0.5 * self.beam.length, x]
        p, q = {"exponential": (0.5, 0.5), "linear": (0.5, 0.5), "euler-321": (1, 0), "euler-123": (0, 1)}[
            self.beam.tip_rotation
        ]
        length, twist = 0.0, 0.0
        for low, high in itertools.pairwise(edges):
            s = low + 0.5 * (high - low) * (nodes + 1)
            w8 = 0.5 * (high - low) * weights
            first, second = self.beam.shapes(s, 1), self.beam.shapes(s, 2)
            v, w, vv, ww = e @ first.v, e @ first.w, e @ second.v, e @ second.w
            length += -0.5 * np.sum(w8 * (v * v + w * w))
            twist += -np.sum(w8 * (p * w * vv - q * v * ww))
        return length, twist

    def section(self, x: float, at: list, k: int, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and rotation in the beam's frame."""
        here, slope = at[0], at[1]
        length, twist = self.short(x, e)
        r = np.array([x + e @ here.u[:, k] + length, e @ here.v[:, k], e @ here.w[:, k]])
        phi, v, w = e @ here.twist[:, k], e @ slope.v[:, k], e @ slope.w[:, k]
        s = {"linear": 0.5, "euler-123": 1.0}.get(self.beam.tip_rotation, 0.0) if self.shortens else 0.0
        theta = np.array([phi + twist, -w + s * phi * v, v + s * phi * w])
        return r, section_turn(self.beam.tip_rotation, theta)

    def bodies(self, q: np.ndarray) -> list[tuple[float, np.ndarray, np.ndarray, np.ndarray]]:
        """(mass, inertia, position, rotation) of the hub, the beam's points and the payload, in the world.

        A section's own inertia about x stays aligned with the beam's frame: see `spins`.
        """
        e = q[2 : 2 + self.n]
        R = turn(q[0] * np.array([0, 0, 1]))
        out = [(*self.HUB, np.zeros(3) * q[0], R)]
        p = R @ self.ARM
        R = R @ turn(q[1] * np.array([0, 1, 0]))
        for k, x in enumerate(self.x):
            r, _ = self.section(x, self.shapes, k, e)
            m = self.weights[k] * self.beam.mass_per_length(0.0)
            out.append((m, np.zeros((3, 3)), p + R @ r, R))
        r, S = self.section(self.beam.length, self.tip, 0, e)
        R_payload = R @ S @ turn(q[-1] * np.array([1, 0, 0]))
        out.append((*self.PAYLOAD, p + R @ r + R_payload @ self.CENTRE, R_payload))
        return out

    def spins(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix and bias of the sections' own inertia: momentum i (omega_x + d phi / dt) along the frame's x."""
        polar = self.beam.mass_per_length(0.0) * (self.beam.EI[0](0.0) + self.beam.EI[1](0.0)) / self.beam.EA(0.0)
        angle, rate = q[1], v[1]
        rows = np.zeros((3, len(q)))  # omega in the beam's frame: turn about its y, after the hub's turn about z
        rows[:, 0], rows[1, 1] = [-np.sin(angle), 0.0, np.cos(angle)], 1.0
        slope = rate * np.array([-np.cos(angle), 0.0, -np.sin(angle)]) * v[0]
        M, b = np.zeros((len(q), len(q))), np.zeros(len(q))
        for k, weight in enumerate(self.weights):
            line = rows[0].copy()
            line[2 : 2 + self.n] += self.shapes[0].twist[:, k]
            momentum = polar * weight * np.array([line @ v, 0.0, 0.0])
            M += polar * weight * np.outer(line, line)
            b += polar * weight * slope[0] * line + rows.T @ np.cross(rows @ v, momentum)
        return M, b

    def velocities(self, q: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Linear and angular velocities (bodies, directions, 3) by complex step, rotations' skew part R' R^T."""
        linear, angular = [], []
        for v in directions:
            there = self.bodies(q + 1e-30j * v)
            linear.append([p.imag / 1e-30 for _, _, p, _ in there])
            spins = [R.imag / 1e-30 @ R.real.T for _, _, _, R in there]
            angular.append([[W[2, 1], W[0, 2], W[1, 0]] for W in spins])
        return np.array(linear).transpose(1, 0, 2), np.array(angular).transpose(1, 0, 2)

    def strain_force(self, e: np.ndarray) -> np.ndarray:
        """Gradient of the strain energy by complex step."""

        def energy(e: np.ndarray) -> complex:
            here, first, second = self.partials
            b = self.beam
            u, v, w, phi = e @ first.u, e @ first.v, e @ first.w, e @ first.twist
            if b.fidelity == "exact" and not self.shortens:
                u = u + 0.5 * (v * v + w * w)
            vv, ww, roll = e @ second.v, e @ second.w, e @ here.twist
            EI = b.EI[0](0.0), b.EI[1](0.0)
            bend = EI[0] * vv**2 + EI[1] * ww**2
            if b.fidelity == "exact":
                bend = bend + (EI[0] - EI[1]) * (2.0 * roll * vv * ww + roll**2 * (ww**2 - vv**2))
            return 0.5 * np.sum(self.dense[1] * (b.EA(0.0) * u**2 + bend + b.GJ(0.0) * phi**2))

        return np.array([energy(e + 1e-30j * row).imag / 1e-30 for row in np.eye(self.n)])

    def equations(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix and bias by d'Alembert over all points."""
        J, W = self.velocities(q, np.eye(len(q)))
        h = 1e-3
        linear, angular = zip(*(self.velocities(q + k * h * v, v[None]) for k in (1, 2, 3, -1, -2, -3)))
        acceleration, spin = (
            (45 * (x[0] - x[3]) - 9 * (x[1] - x[4]) + (x[2] - x[5]))[:, 0] / (60 * h) for x in (linear, angular)
        )
        M, b = np.zeros((len(q), len(q))), np.zeros(len(q))
        for k, (m, inertia, _, R) in enumerate(self.bodies(q)):
            I = R @ inertia @ R.T
            omega = v @ W[k]
            M += m * J[k] @ J[k].T + W[k] @ I @ W[k].T
            b += m * J[k] @ (acceleration[k] - self.GRAVITY) + W[k] @ (I @ spin[k] + np.cross(omega, I @ omega))
        b[2 : 2 + self.n] += self.strain_force(q[2 : 2 + self.n])
        own_M, own_b = self.spins(q, v)
        return M + own_M, b + own_b

    def model(self) -> jd.Model:
        """The same in Jourdain's words."""
        system = jd.System("points", gravity=tuple(self.GRAVITY))
        hub = jd.RigidBody("hub", self.HUB[0], inertia=self.HUB[1], frames={"arm": tuple(self.ARM)})
        payload = jd.RigidBody("payload", self.PAYLOAD[0], com=tuple(self.CENTRE), inertia=self.PAYLOAD[1])
        system.add(hub, jd.Revolute("hub-hinge", axis="z"))
        system.add(self.beam, jd.Revolute("beam-hinge", axis="y"), to="hub.arm")
        system.add(payload, jd.Revolute("payload-hinge", axis="x"), to="b.tip")
        return system.compile()


@pytest.mark.parametrize(
    ("basis", "modes"),
    [("polynomial", jd.Modes(3, axial=1, torsion=1)), ("finite-element", jd.Modes(4, axial=2, torsion=2))]
    + [(basis, jd.Modes(2, axial=1, torsion=1)) for basis in ("clamped-free", "pinned-free")],
    ids=["polynomial", "finite-element", "clamped-free", "pinned-free"],
)
@pytest.mark.parametrize("scheme", ["exponential", "linear", "euler-321", "euler-123"])
@pytest.mark.parametrize(("fidelity", "axial"), [("exact", "auto"), ("exact", "modes"), ("inconsistent", "auto")])
def test_equations_are_those_of_material_points(basis, modes, scheme, fidelity, axial, rng):
    """Mass matrix and bias at a random state, 3-D, against d'Alembert over points coded apart from the kernels."""
    beam = jd.Beam("b", 2.0, 0.8, 2e4, (90.0, 60.0), 40.0, modes, basis, fidelity, axial, scheme)
    points = Points(beam)
    model = points.model()
    order = [model.index.q[name] for name in ("hub-hinge", "beam-hinge", *(f"b.{e}" for e in beam.internal))]
    order.append(model.index.q["payload-hinge"])
    q, v = rng.normal(size=len(order)), rng.normal(size=len(order))
    q[2:-1] *= 0.05
    ours_q, ours_v = np.zeros(model.nq), np.zeros(model.nv)
    ours_q[order], ours_v[order] = q, v
    M, b = points.equations(q, v)
    # differences of sixth order over 1e-3 s add rounding only; the membrane points integrate eigenfunctions to 1e-9
    close = 1e-11 if basis in ("polynomial", "finite-element") else 1e-10
    assert np.max(np.abs(model.mass_matrix(ours_q)[np.ix_(order, order)] - M)) < 1e-13 * np.max(np.abs(M))
    assert np.max(np.abs(model.bias(ours_q, ours_v)[order] - b)) < close * np.max(np.abs(b))


@pytest.mark.parametrize(
    ("basis", "close"),
    [
        ("polynomial", 1e-11),
        ("finite-element", 1e-11),
        ("clamped-free", 1e-8),
        ("pinned-free", 1e-8),
        ("free-free", 1e-8),
    ],
)
@pytest.mark.parametrize("count", [2, 4, 6])
def test_slices_integrate_the_mass(basis, close, count):
    """Mass matrix of the slices against 32 Gauss points on each twelfth of the beam."""
    beam = jd.Beam("b", 2.0, 0.8, 2e4, 90.0, 40.0, jd.Modes(bending_y=count, axial=count, torsion=count), basis)
    x, weights = points_of(beam, 32)
    here = beam.shapes(x)
    dense = 0.8 * ((here.v * weights) @ here.v.T + (here.u * weights) @ here.u.T)
    dense += 0.8 * 180.0 / 2e4 * (here.twist * weights) @ here.twist.T
    assert np.max(np.abs(beam.mass_matrix - dense)) < close * np.max(np.abs(dense))


def test_slices_of_a_tapered_beam_are_as_few_and_as_exact():
    """Gauss points of the mass itself: a table with kinks costs no slice and loses no digit."""
    table = ((0.0, 0.15, 0.7, 1.0), (2.0, 0.5, 0.8, 0.3))
    even, tapered = (jd.Beam("b", 2.0, mass, 2e4, 90.0, 40.0, jd.Modes(bending_y=3)) for mass in (0.8, table))
    heavy = [one for one in tapered.slices if one.mass]
    assert len(heavy) == sum(1 for one in even.slices if one.mass) == 6
    edges, (nodes, weights) = 2.0 * np.array(table[0]), np.polynomial.legendre.leggauss(12)
    dense = np.zeros((3, 3))
    for low, high in itertools.pairwise(edges):
        x = low + 0.5 * (high - low) * (nodes + 1.0)
        here = tapered.shapes(x).v
        dense += (here * (0.5 * (high - low) * weights * np.interp(x / 2.0, *table))) @ here.T
    assert np.max(np.abs(tapered.mass_matrix - dense)) < 1e-13 * np.max(np.abs(dense))


# Frequencies


CLAMPED = np.array([1.875104069, 4.694091133, 7.854757438, 10.99554073]) ** 2
UNIT = np.sqrt(SPUN["EI"] / SPUN["mass_per_length"]) / SPUN["length"] ** 2


@pytest.mark.parametrize(
    ("basis", "count", "first", "second"),
    [
        ("polynomial", 3, 1e-3, 1e-2),
        ("polynomial", 5, 1e-7, 1e-4),
        ("clamped-free", 3, 1e-6, 1e-6),
        ("finite-element", 8, 1e-4, 2e-3),
    ],
)
def test_clamped_frequencies(basis, count, first, second):
    """First and second bending frequency of a cantilever, and above the theory's as Rayleigh has it."""
    beam = jd.Beam("b", **SPUN, basis=basis, modes=jd.Modes(bending_y=count))
    ours = beam.clamped_frequencies()[:2] / UNIT
    assert ours == pytest.approx(CLAMPED[:2], rel=second)
    assert ours[0] == pytest.approx(CLAMPED[0], rel=first)
    assert np.all(ours > CLAMPED[:2] * (1 - 1e-9))


@pytest.mark.parametrize("basis", BASES)
def test_rod_frequencies(basis):
    """First stretch and torsion frequency: sqrt(EA / rho A) pi / 2 l, sqrt(GJ / rho I) pi / 2 l (or pi / l free)."""
    beam = jd.Beam("b", **SPUN, basis=basis, inertia_per_length=2e-3, modes=jd.Modes(axial=4, torsion=4))
    M, K = beam.mass_matrix, beam.stiffness
    squares = [np.linalg.eigvals(np.linalg.solve(M[s, s], K[s, s])).real.min() for s in (slice(4), slice(4, 8))]
    half = np.pi / beam.length * (1.0 if basis == "free-free" else 0.5)
    theory = [half * np.sqrt(SPUN["EA"] / 1.2), half * np.sqrt(SPUN["GJ"] / 2e-3)]
    assert np.sqrt(squares) == pytest.approx(theory, rel=1e-2)


def moving_frequencies(joint: Joint, basis: str, count: int) -> np.ndarray:
    """Two lowest bending frequencies of a beam that its joint lets move, in units of sqrt(EI / rho A) / l^2."""
    beam, model = one(joint, basis=basis, modes=jd.Modes(bending_y=count))
    K = np.zeros((model.nv, model.nv))
    at = [model.index.v[f"b.{e}"] for e in beam.internal]
    K[np.ix_(at, at)] = beam.stiffness
    squares = np.sort(np.linalg.eigvals(np.linalg.pinv(model.mass_matrix(model.state().q)) @ K).real)
    return np.sqrt(squares[-count:][:2]) / UNIT


@pytest.mark.parametrize(("basis", "count", "close"), [("free-free", 3, 2e-3), ("polynomial", 7, 2e-3)])
def test_free_beam_has_the_free_frequencies(basis, count, close):
    """Free in space: beta l = 4.7300, 7.8532 whatever frame the shapes are measured from."""
    ours = moving_frequencies(jd.Free("free"), basis, count)
    assert ours == pytest.approx([4.730041**2, 7.853205**2], rel=close)


@pytest.mark.parametrize(("basis", "count", "close"), [("pinned-free", 2, 1e-4), ("polynomial", 7, 2e-3)])
def test_hinged_beam_has_the_pinned_frequencies(basis, count, close):
    """On a hinge: tan b = tanh b, b = 3.9266, 7.0686."""
    ours = moving_frequencies(jd.Revolute("hinge", axis="z"), basis, count)
    assert ours == pytest.approx([3.926602**2, 7.068583**2], rel=close)


def test_default_adds_no_axial_frequency():
    """A default beam is as fast as its linear bending; the dual functions are more than ten times faster."""
    options = {**SPUN, "modes": jd.Modes(bending=3)}
    default, linear = jd.Beam("b", **options), jd.Beam("b", **options, fidelity="inconsistent")
    assert len(default.internal) == 6
    assert default.clamped_frequencies() == pytest.approx(linear.clamped_frequencies(), rel=1e-12)
    dual = jd.Beam("b", **options, axial="dual")
    assert dual.clamped_frequencies()[-1] > 10 * default.clamped_frequencies()[-1]


# Statics


def hang(model: jd.Model, force: np.ndarray, tip: str, addresses: list[str]) -> jd.State:
    """The state at rest under a force on the tip, by Newton's method on the internal coordinates."""
    q = model.state().q
    at = [model.index.q[name] for name in addresses]

    def out_of_balance(q: np.ndarray) -> np.ndarray:
        return (model.bias(q, np.zeros(model.nv)) - model.jacobian(tip, q)[3:].T @ force)[at]

    for _ in range(30):
        r = out_of_balance(q)
        K = np.zeros((len(at), len(at)))
        for column, j in enumerate(at):
            step = np.zeros(model.nq)
            step[j] = 1e-6
            K[:, column] = (out_of_balance(q + step) - out_of_balance(q - step)) / 2e-6
        change = np.linalg.solve(K, r)
        q[at] -= change
        if np.max(np.abs(change)) < 1e-11:
            return model.state(q)
    raise AssertionError("no equilibrium found")


def deflected(load: float, **options) -> np.ndarray:
    """Displacement of the tip of the welded beam under a transverse force [m]."""
    beam, model = one(jd.Weld("root"), **options)
    state = hang(model, np.array([0.0, load, 0.0]), "b.tip", [f"b.{e}" for e in beam.internal])
    return model.pose("b.tip", state.q).position - np.array([beam.length, 0.0, 0.0])


def segments_deflected(load: float, count: int) -> np.ndarray:
    system = jd.System("segments")
    tip = add_segments(system, "b", jd.Weld("root"), 10.0, 1.2, SPUN["EI"], count)
    model = system.compile()
    state = hang(model, np.array([0.0, load, 0.0]), tip, list(model.names.q))
    return model.pose(tip, state.q).position - np.array([10.0, 0.0, 0.0])


ELASTICA = [(0.25, 0.08275, 0.00412, 2e-3), (1.0, 0.30172, 0.05643, 2e-4)]


@pytest.mark.parametrize(("parameter", "across", "along", "tolerance"), [*ELASTICA, (5.0, 0.71379, 0.38763, 2e-4)])
def test_segment_chain_is_the_elastica(parameter, across, along, tolerance):
    """Table of P L^2 / EI, extrapolated from 20 and 40 segments."""
    load = parameter * SPUN["EI"] / 100.0
    coarse, fine = segments_deflected(load, 20), segments_deflected(load, 40)
    d = fine + (fine - coarse) / 3
    assert [d[1] / 10, -d[0] / 10] == pytest.approx([across, along], rel=tolerance)


def test_cantilever_under_20_newton():
    """Elastica 0.4749 m across, 13.5 mm along; a second-order theory gives the linear 0.4761 m back."""
    d = deflected(20.0, modes=jd.Modes(bending_y=3))
    assert d[1] == pytest.approx(0.4761, rel=1e-3)
    assert d[1] == pytest.approx(0.4749, rel=5e-3)
    assert -d[0] == pytest.approx(0.0135, rel=2e-2)


@pytest.mark.parametrize(
    ("options", "across"),
    [
        ({"basis": "clamped-free", "modes": jd.Modes(bending_y=2, axial=1), "axial": "modes"}, 0.1121),
        ({"basis": "clamped-free", "modes": jd.Modes(bending_y=2, axial=4), "axial": "modes"}, 0.189),
        ({"basis": "finite-element", "modes": jd.Modes(bending_y=2, axial=1), "axial": "modes"}, 0.1315),
        ({"modes": jd.Modes(bending_y=2), "axial": "dual"}, 0.4761),
    ],
    ids=["1 rod mode", "4 rod modes", "1 element", "dual"],
)
def test_locked_cantilevers_of_the_digest(options, across):
    """What axial functions that cannot follow the foreshortening do to a beam under 20 N."""
    assert deflected(20.0, **options)[1] == pytest.approx(across, rel=5e-3)


@pytest.mark.parametrize(("parameter", "across", "along", "_"), ELASTICA)
def test_small_loads_of_the_elastica_table(parameter, across, along, _):
    """A second-order theory errs by the slope squared: 0.3 % at a tip slope of 0.12 rad, 10 % at 0.46."""
    d = deflected(parameter * SPUN["EI"] / 100.0, modes=jd.Modes(bending_y=3)) / 10
    slope = parameter / 2
    assert abs(d[1] / across - 1) < 0.5 * slope**2
    assert abs(-d[0] / along - 1) < 1.5 * slope**2


def twisted(model: jd.Model, tip: str, load: np.ndarray, moment: float, addresses: list[str]) -> np.ndarray:
    """Displacement and rotation vector of the tip at rest under a force and a moment about the tip's own axis."""
    q, at = model.state().q, [model.index.q[name] for name in addresses]

    def out_of_balance(q: np.ndarray) -> np.ndarray:
        J, axis = model.jacobian(tip, q), model.pose(tip, q).rotation[:, 0]
        return (model.bias(q, np.zeros(model.nv)) - J[3:].T @ load - J[:3].T @ (moment * axis))[at]

    for _ in range(40):
        K = np.zeros((len(at), len(at)))
        for column, j in enumerate(at):
            step = np.zeros(model.nq)
            step[j] = 1e-6
            K[:, column] = (out_of_balance(q + step) - out_of_balance(q - step)) / 2e-6
        change = np.linalg.solve(K, out_of_balance(q))
        q[at] -= change
        if np.max(np.abs(change)) < 1e-10:
            break
    pose = model.pose(tip, q)
    return np.concatenate([pose.position - [2.0, 0.0, 0.0], Rotation.from_matrix(pose.rotation).as_rotvec()])


def twisted_segments(EI: float | tuple[float, float], load: np.ndarray, moment: float) -> np.ndarray:
    """`twisted` of a chain with GJ = 80, from 6, 12 and 24 segments.

    Hinges about y and z one behind the other do not commute: with bending in two planes the chain errs as h first.
    """
    chains = []
    for count in (6, 12, 24):
        system = jd.System("segments")
        tip = add_segments(system, "b", jd.Weld("root"), 2.0, 1.0, EI, count, GJ=80.0, polar=0.01)
        model = system.compile()
        chains.append(twisted(model, tip, load, moment, list(model.names.q)))
    return (8 * chains[2] - 6 * chains[1] + chains[0]) / 3


def twisted_beam(EI: float | tuple[float, float], load: np.ndarray, moment: float, **options) -> np.ndarray:
    """`twisted` of the same beam as one body."""
    numbers = {"length": 2.0, "mass_per_length": 1.0, "EA": 1e6, "EI": EI, "GJ": 80.0, "inertia_per_length": 0.01}
    beam, model = one(jd.Weld("root"), **numbers, modes=jd.Modes(3, torsion=3), **options)
    return twisted(model, "b.tip", load, moment, [f"b.{e}" for e in beam.internal])


@pytest.mark.parametrize("options", [{}, {"tip_rotation": "euler-321"}, {"axial": "dual"}], ids=str)
def test_bent_and_twisted_cantilever(options):
    """The twist turns about the bent axis, and the tip is where the segments have it, to 1.5 % at 0.37 rad.

    Its shortening, of second order itself, errs by as much as that of the elastica: 1.5 times the slope squared.
    """
    load, moment = np.array([0.0, 5.0, -6.0]), 15.0
    truth = twisted_segments(100.0, load, moment)
    ours = twisted_beam(100.0, load, moment, **options)
    assert ours[1:] == pytest.approx(truth[1:], rel=0.015)
    assert ours[0] == pytest.approx(truth[0], rel=1.5 * 0.156**2)


@pytest.mark.parametrize("scheme", ["exponential", "linear", "euler-321", "euler-123"])
def test_all_schemes_turn_alike_to_second_order(scheme):
    """Half the load, an eighth of the difference from 3-2-1 angles: what is left is of third order."""
    load, moment = np.array([0.0, 5.0, -6.0]), 15.0
    large, small = (
        twisted_beam(100.0, f * load, f * moment, tip_rotation=scheme)
        - twisted_beam(100.0, f * load, f * moment, tip_rotation="euler-321")
        for f in (0.25, 0.125)
    )
    assert np.all(np.abs(small) < 1e-9 + np.abs(large).max() / 6.0)


@pytest.mark.parametrize("axial", ["auto", "dual"])
def test_flat_strip_bent_in_two_planes_twists(axial):
    """EI = (1000, 100): 0.0245 rad of twist that no torque makes, and 6 % more deflection along z.

    A second-order theory errs by the slope squared, 0.107^2, here by twice that.
    """
    load = np.array([0.0, 30.0, -5.0])
    truth = twisted_segments((1000.0, 100.0), load, 0.0)
    assert truth[3] == pytest.approx(0.02447, abs=1e-4)
    assert twisted_beam((1000.0, 100.0), load, 0.0, axial=axial)[1:] == pytest.approx(truth[1:], rel=0.025)
    half = twisted_segments((1000.0, 100.0), 0.5 * load, 0.0)
    assert twisted_beam((1000.0, 100.0), 0.5 * load, 0.0, axial=axial)[1:] == pytest.approx(half[1:], rel=0.025 / 4)


# Energy and momentum in free flight


def flight(fidelity: str, step: float, scheme: str = "exponential", axial: str = "auto", size: float = 1.0) -> jd.Run:
    """Two beams hinged to each other, thrown with a tumble, bent and twisted."""
    numbers = {"mass_per_length": 0.8, "EA": 2e4, "EI": (900.0, 500.0), "GJ": 300.0, "inertia_per_length": 0.05}
    options = {"fidelity": fidelity, "modes": jd.Modes(2, torsion=1), "axial": axial, "tip_rotation": scheme}
    system = jd.System("free flight")
    system.add(jd.Beam("a", 2.0, **numbers, **options), jd.Free("free"))
    system.add(jd.Beam("b", 1.5, **numbers, **options), jd.Revolute("hinge", axis=(1, 2, 3)), to="a.tip")
    system.add(jd.RigidBody("load", 1.0, inertia=(0.1, 0.2, 0.15)), jd.Weld("grip"), to="b.tip")
    model = system.compile()
    state = model.state(
        q={"a.bending_y[0]": 0.1 * size, "b.bending_z[0]": -0.08 * size, "a.torsion[0]": 0.1 * size, "hinge": 0.7},
        v={"free": (0.6, -0.4, 0.5, 0.3, 0.0, -0.2), "hinge": 0.8, "b.bending_y[0]": 0.5 * size},
    )
    return jd.simulate(model, state, until=1.0, step=step, method="rk4", progress=False)


def losses(run: jd.Run) -> tuple[float, float]:
    """Change of energy, and the largest change of a component of momentum, both relative."""
    begin, end = (run.model.momentum(run.state(i)) for i in (0, -1))
    change = max(np.max(np.abs(x - y)) for x, y in zip(begin, end))
    total = run.energy["total"].values
    return abs(total[-1] - total[0]) / total[0], change / np.max(np.abs(begin.angular))


@pytest.mark.parametrize("fidelity", ["exact", "inconsistent"])
@pytest.mark.parametrize("scheme", ["exponential", "linear", "euler-321", "euler-123", "integrated"])
def test_free_flight_conserves_at_the_order_of_the_method(fidelity, scheme):
    """Halving the step divides the losses by 2^4 or more."""
    coarse, fine = (losses(flight(fidelity, step, scheme)) for step in (2e-4, 1e-4))
    for a, b in zip(coarse, fine):
        assert a < 1e-4
        assert b < 1e-12 or a / b > 10.0


@pytest.mark.parametrize("axial", ["dual", "modes"])
def test_free_flight_conserves_with_axial_coordinates(axial):
    energy, momentum = losses(flight("exact", 5e-5, axial=axial))
    assert energy < 1e-6 and momentum < 1e-6


@pytest.mark.parametrize("fidelity", ["consistent", "ruthless"])
def test_balance_of_models_that_do_not_conserve_is_reported(fidelity):
    """By construction they gain or lose energy: the balance says how much, whatever the step."""
    runs = [flight(fidelity, step, size=0.1) for step in (2e-4, 1e-4)]
    coarse, fine = (run.energy["balance"].values[-1] for run in runs)
    assert abs(fine) > 1e-3 * runs[0].energy["total"].values[0]
    assert coarse == pytest.approx(fine, rel=1e-2)


# Rotations that depend on the way


def two_links(scheme: str, **options) -> jd.Model:
    """A beam on a hinge that carries another one and a load."""
    system = jd.System("links", gravity=(0, -9.81, 0))
    numbers = {"mass_per_length": 0.8, "EA": 2e4, "EI": (90.0, 50.0), "GJ": 30.0, "inertia_per_length": 0.05}
    for name, hinge, to in (("a", "shoulder", "world"), ("b", "elbow", "a.tip")):
        beam = jd.Beam(name, 1.5, **numbers, modes=jd.Modes(2, torsion=1), tip_rotation=scheme, **options)
        system.add(beam, jd.Revolute(hinge, axis="z"), to=to)
    system.add(jd.RigidBody("load", 1.0, (0.2, 0, 0), (0.1, 0.2, 0.15)), jd.Weld("grip"), to="b.tip")
    return system.compile()


def test_integrated_rotation_in_a_plane_is_the_exponential():
    """There the order of turns does not matter: the same motion to rounding, the tip's angle being its slope."""
    runs = []
    for scheme in ("exponential", "integrated"):
        model = two_links(scheme)
        state = model.state({"shoulder": 0.3, "elbow": -0.5, "a.bending_y[0]": 0.1, "b.bending_y[1]": -0.05})
        runs.append(jd.simulate(model, state, until=0.5, step=1e-3, method="rk4", progress=False))
    paths = [run.frame("load.origin").path for run in runs]
    assert np.max(np.abs(paths[0] - paths[1])) < 1e-11
    model, q = runs[1].model, runs[1].record.q[-1]
    beam = jd.Beam("a", 1.5, 0.8, 2e4, (90.0, 50.0), 30.0, jd.Modes(2, torsion=1))
    slope = beam.shapes(np.array([1.5]), 1).v[:, 0] @ [q[model.index.q[f"a.{e}"]] for e in beam.internal]
    angle = 2.0 * np.arctan2(q[model.index.q["a.tip.qz"]], q[model.index.q["a.tip.qw"]])
    assert angle == pytest.approx(slope, abs=1e-12)


@pytest.mark.parametrize("scheme", ["exponential", "integrated"])
def test_a_loop_of_partials_leaves_a_turn_behind(scheme):
    """Slopes round a circle of radius s and back: the integrated tip is left turned about x by the area pi s^2."""
    _, model = one(jd.Weld("root"), length=2.0, modes=jd.Modes(bending=1), tip_rotation=scheme)
    t, s = np.linspace(0.0, 1.0, 401), 0.1
    angle = 2 * np.pi * (t - np.sin(2 * np.pi * t) / (2 * np.pi))
    unit = 2.0 / 1.5  # a tip deflection of 1 m makes a slope of 3 / (2 l)
    circle = {"b.bending_y[0]": s * unit * (np.cos(angle) - 1.0), "b.bending_z[0]": s * unit * np.sin(angle)}
    motions = {name: jd.Table(t, values) for name, values in circle.items()}
    run = jd.simulate(model, model.state(), until=1.0, step=1e-3, method="rk4", motions=motions, progress=False)
    turn = Rotation.from_matrix(model.pose("b.tip", run.state().q).rotation).as_rotvec()
    left = np.pi * s**2 if scheme == "integrated" else 0.0
    assert abs(turn[0]) == pytest.approx(left, rel=s**2, abs=1e-9)
    assert np.max(np.abs(turn[1:])) < s * left + 1e-9


def test_integrated_rotation_keeps_the_order_of_the_method():
    """Three-dimensional motion: the tip after a second at three steps, fourth order."""
    ends = []
    for step in (4e-3, 2e-3, 1e-3):
        model = two_links("integrated", fidelity="inconsistent")
        state = model.state(
            {"shoulder": 0.3, "a.bending_y[0]": 0.1, "a.bending_z[0]": 0.12, "a.torsion[0]": 0.2},
            {"elbow": 1.0, "b.bending_z[0]": 1.0},
        )
        run = jd.simulate(model, state, until=0.4, step=step, method="rk4", progress=False)
        ends.append(run.frame("load.origin").path[-1, :7])
        quaternion = run.record.q[-1, model.index.q["a.tip.qw"] :][:4]
        assert np.linalg.norm(quaternion) == pytest.approx(1.0, abs=1e-14)
    assert np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2]) > 10.0


def test_a_state_of_integrated_rotations_starts_on_the_straight_way():
    """Named coordinates bend the beam from zero in a straight line; a quaternion that is named is taken as given."""
    model, other = two_links("integrated"), two_links("exponential")
    bent = {"a.bending_y[0]": 0.1, "a.bending_z[0]": -0.05}
    poses = [m.pose("load.origin", m.state(bent)) for m in (model, other)]
    np.testing.assert_allclose(poses[0].position, poses[1].position, atol=1e-3)
    plain = model.state(bent | {"a.tip.qw": 1.0, "a.tip.qx": 0.0, "a.tip.qy": 0.0, "a.tip.qz": 0.0})
    np.testing.assert_array_equal(model.pose("a.tip", plain).rotation, np.eye(3))
    assert [name for name in model.names.q if ".q" in name] == [f"{b}.tip.q{x}" for b in "ab" for x in "wxyz"]
    with pytest.raises(jd.errors.ModelError, match="a.tip: quaternion .* give length one"):
        model.state({"a.tip.qw": 0.5})


# Limits


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_stiff_beam_is_the_rigid_body(fidelity):
    """EI a million times up: accelerations of the joints are those of rigid rods, to 1e-5."""
    numbers = {"mass_per_length": 0.8, "EA": 1e12, "EI": 1e10, "GJ": 1e10, "inertia_per_length": 0.02}

    def chain(flexible: bool) -> jd.Model:
        system = jd.System("limit", gravity=(0, 0, -9.81))
        for i, (axis, to) in enumerate((("z", "world"), ("y", "l0.tip"), ((1, 1, 0), "l1.tip"))):
            if flexible:
                link = jd.Beam(f"l{i}", 1.5, **numbers, modes=jd.Modes(2, torsion=1), fidelity=fidelity)
            else:
                across = 1.2 * 1.5**2 / 12
                link = jd.RigidBody(f"l{i}", 1.2, (0.75, 0, 0), (0.03, across, across), frames={"tip": (1.5, 0, 0)})
            system.add(link, jd.Revolute(f"j{i}", axis=axis), to=to)
        return system.compile()

    angles, rates = {"j0": 0.3, "j1": -0.8, "j2": 1.1}, {"j0": 0.5, "j1": -0.7, "j2": 0.9}
    soft, hard = chain(True), chain(False)
    efforts = {"j0": 3.0, "j1": -2.0, "j2": 1.0}
    rigid = hard.forward_dynamics(hard.state(angles, rates), efforts)
    # in equilibrium with the rigid motion: elastic accelerations zero, amplitudes from the stiffness
    state = soft.state(angles, rates)
    elastic = [name for name in soft.names.v if "[" in name]
    q = state.q.copy()
    for _ in range(3):
        held = soft.hybrid_dynamics(soft.state(q, state.v), efforts, {name: 0.0 for name in elastic})
        for name in elastic:
            body = soft.index.q[name]
            beam = jd.Beam("x", 1.5, **numbers, modes=jd.Modes(2, torsion=1), fidelity=fidelity)
            k = beam.internal.index(name.split(".")[1])
            q[body] -= held.effort[soft.index.v[name]] / beam.stiffness[k, k]
    ours = soft.forward_dynamics(soft.state(q, state.v), efforts)
    assert [ours[soft.index.v[f"j{i}"]] for i in range(3)] == pytest.approx(rigid, rel=1e-5)


def test_stiff_beam_swings_as_the_rigid_pendulum():
    """A second under gravity, 1e-6 rad."""
    _, soft = one(jd.Revolute("hinge", axis="z"), (0, -9.81, 0), EI=1e9, modes=jd.Modes(bending_y=1))
    system = jd.System("rigid", gravity=(0, -9.81, 0))
    system.add(jd.RigidBody("b", 12.0, (5, 0, 0), (0, 100, 100)), jd.Revolute("hinge", axis="z"))
    hard = system.compile()
    ends = [jd.simulate(m, m.state(), until=1.0, progress=False).record.q[-1, 0] for m in (soft, hard)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_tip_is_seen_where_its_coordinate_says():
    """A clamped-free bending amplitude is the tip's deflection in metres."""
    _, model = one(jd.Weld("root"), basis="clamped-free", modes=jd.Modes(2))
    run = jd.simulate(model, model.state({"b.bending_y[0]": 0.02}), until=1e-4, step=1e-4, progress=False)
    d = seen_from(run, "b.root", "b.tip")[0]
    assert d[1] == pytest.approx(0.02, rel=1e-12) and d[0] < 10.0
