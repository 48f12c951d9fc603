"""Nodal beams against Simo and Reissner's rod, solved by itself, against Timoshenko's beam and other codes.

An element has parabolas and two points of Gauss, so that places and turns converge with the fourth power of its length;
of an element that turns by 2 phi, K is too small by phi^4 / 30, and a beam under a moment turns too far by phi^4 / 5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.linalg import eigh, expm
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.describe.bodies.nodal_coordinates.beam_tables import helix
from jourdain.model.derivatives import tree_derivatives


def held(body, load=None, gravity=(0.0, 0.0, 0.0)):
    """A beam welded to the world, and a load on its tip."""
    system = jd.System("held", gravity=gravity)
    system.add(body, joint=jd.Weld("hold"))
    if load is not None:
        system.force("load", "rod.tip", **load)
    return system.compile()


def laid(model, body, places, axes):
    """A state whose nodes are at places (N, 3) with axes (N, 3, 3), in columns."""
    vectors = np.stack([places, axes[:, :, 1], axes[:, :, 2]], axis=1).reshape(-1, 3) - body.nodal.nodes
    state = model.state()
    state.q[:] = np.einsum("kc,kc->k", body.nodal.ways, vectors[body.nodal.owner])
    return state


def matrices(q):
    """Rotations (n, 3, 3) of quaternions (4, n)."""
    return Rotation.from_quat(q[[1, 2, 3, 0]].T).as_matrix()


def reissner(length, stiffness, force, moment=(0.0, 0.0, 0.0), bent=(0.0, 0.0, 0.0), parts=8):
    """A cantilever of Simo and Reissner under dead loads at its tip: r' = R (1 + Gamma), R' = R K~, m' + K x m +
    Gamma x n = 0 in its own axes, by collocation; the load is raised in parts. Places and quaternions along it."""
    force, moment, bent, D = (np.array(one, float) for one in (force, moment, bent, stiffness))

    def partials(part):
        def f(s, y):
            R = matrices(y[3:7])
            n = np.einsum("nij,i->nj", R, part * force)
            gamma, kappa = n / D[:3] + (1.0, 0.0, 0.0), y[7:].T / D[3:] + bent
            w, u = y[3], y[4:7].T
            dq = 0.5 * np.concatenate([-np.sum(u * kappa, axis=1)[None], (w[:, None] * kappa + np.cross(u, kappa)).T])
            dm = -np.cross(kappa, y[7:].T) - np.cross(gamma, n)
            return np.concatenate([np.einsum("nij,nj->in", R, gamma), dq, dm.T])

        return f

    s = np.linspace(0.0, length, 41)
    places, axes = helix(s, bent)
    turns = Rotation.from_matrix(axes).as_quat()[:, [3, 0, 1, 2]]
    y = np.concatenate([places.T, turns.T, np.zeros((3, len(s)))])
    for part in np.linspace(1.0 / parts, 1.0, parts):

        def ends(a, b, part=part):
            free = b[7:] - matrices(b[3:7, None])[0].T @ (part * moment)
            return np.concatenate([a[:3], a[3:7] - (1.0, 0.0, 0.0, 0.0), free])

        found = solve_bvp(partials(part), ends, s, y, tol=1e-9 if part == 1.0 else 1e-3, max_nodes=40000)
        assert found.success
        s, y = found.x, found.y
    return found.sol


def tip_of(body, load, exact):
    """The tip in equilibrium, from the exact shape on."""
    model = held(body, load)
    y = exact(np.linspace(0.0, body.length, 2 * body.elements + 1))
    found = model.equilibrium(laid(model, body, y[:3].T, matrices(y[3:7]))).state
    return model.pose("rod.tip", found.q).position


# ---------------------------------------------------------------------- statics


def test_roll_up():
    """Simo & Vu-Quoc 1986: M = 2 pi EI / L closes the beam to a circle, the tip is displaced by -L."""
    L, EI, apart = 10.0, 86.9e3, []
    for elements in (12, 24):
        body = jd.NodalBeam("rod", L, 1.0, EA=1e8, EI=EI, GJ=EI, GA=4e7, elements=elements)
        model = held(body, {"moment": (0.0, 0.0, 2.0 * np.pi * EI / L)})
        start = helix(np.linspace(0.0, L, 2 * elements + 1), np.array([0.0, 0.0, 2.0 * np.pi / L]))
        found = model.equilibrium(laid(model, body, *start)).state
        apart.append(np.linalg.norm(model.pose("rod.tip", found.q).position) / L)
    assert apart[1] < 1e-4
    assert apart[1] == pytest.approx((np.pi / 24.0) ** 4 / 5.0, rel=0.02)
    assert apart[0] / apart[1] == pytest.approx(16.0, rel=0.02)


BEND = {"EA": 1e7, "EI": 8.333e5, "GJ": 8.333e5, "GA": 41.6667e5, "rest_curvature": 0.01}
"""Bathe & Bolourchi 1979: radius 100, 45 degrees, section 1 x 1, E 1e7, nu 0."""


def test_curved_cantilever():
    length = 25.0 * np.pi
    exact = reissner(length, (1e7, 41.6667e5, 41.6667e5, 8.333e5, 8.333e5, 8.333e5), (0, 0, 600.0), bent=(0, 0, 0.01))
    errors = []
    for elements in (4, 8):
        body = jd.NodalBeam("rod", length, 1.0, elements=elements, **BEND)
        tip = tip_of(body, {"force": (0.0, 0.0, 600.0)}, exact)
        errors.append(np.linalg.norm(tip - exact(length)[:3]))
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.15)
    assert errors[1] < 1e-4 * length
    moved = tip - body.frame("tip").position
    assert moved == pytest.approx((-23.561, -13.605, 53.476), abs=0.01)
    # their own mesh, and a spectral element of another code, of the same data: figures scatter by 1 %
    assert np.abs(moved[[1, 0, 2]]) == pytest.approx((13.4, 23.5, 53.4), rel=0.02)
    assert np.abs(moved[[1, 0, 2]]) == pytest.approx((13.72080060, 23.64597160, 53.57764506), rel=0.01)


E, NU, HIGH, WIDE, LONG = 71.7e9, 0.31, 12.377e-3, 3.2024e-3, 0.508
"""The Princeton beam (Dowell & Traybar 1975)."""


def princeton(elements):
    area, G = HIGH * WIDE, 0.5 * E / (1.0 + NU)
    ratio = WIDE / HIGH
    torsion = HIGH * WIDE**3 * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio**4 / 12.0))
    EI = (E * WIDE * HIGH**3 / 12.0, E * HIGH * WIDE**3 / 12.0)
    body = jd.NodalBeam(
        "rod", LONG, 2700.0 * area, E * area, EI, G * torsion, GA=5.0 / 6.0 * G * area, elements=elements
    )
    return body, body._stiffness(np.zeros(1))[0]


@pytest.mark.parametrize("load", [4.448, 13.345])
@pytest.mark.parametrize("roll", [0, 30, 60, 90])
def test_princeton_beam(load, roll):
    """Flap, lag and twist are coupled where the load is neither along nor across: to 1e-4 of the length."""
    body, stiffness = princeton(6)
    force = -load * np.array([0.0, np.cos(np.radians(roll)), np.sin(np.radians(roll))])
    exact = reissner(LONG, stiffness, force)
    assert tip_of(body, {"force": force}, exact) == pytest.approx(exact(LONG)[:3], abs=1e-4 * LONG)


@pytest.mark.parametrize("slender", [3.0, 1e2, 1e4])
def test_short_beams_are_timoshenkos_and_thin_ones_do_not_lock(slender):
    """One element: P L^3 / 3 EI + P L / GA, T L / GJ and N L / EA, exact at its nodes while it moves little."""
    EA, EI, GA, GJ = 1.0, (1.0 / slender**2, 2.0 / slender**2), (0.3, 0.2), 0.5 / slender**2
    body = jd.NodalBeam("rod", 1.0, 1.0, EA, EI, GJ, GA=GA, elements=1)
    force, moment = 1e-6 * np.array([1.0, EI[0], EI[1]]), (1e-6 * GJ, 0.0, 0.0)
    K = body.nodal.stiffness().toarray()
    model = held(body, {"force": force, "moment": moment})
    load = -model.inverse_dynamics(model.state(), np.zeros(model.nv))
    e = dict(zip(body.internal, np.linalg.solve(K, load), strict=True))
    bent = [1e-6 * (1.0 / 3.0 + one / shear) for one, shear in zip(EI, GA, strict=True)]
    assert [e[f"{axis}[2]"] for axis in "xyz"] == pytest.approx((1e-6, *bent), rel=1e-6)
    assert e["z_dy[2]"] == pytest.approx(1e-6, rel=1e-6)


def test_thin_beams_bend_far_without_locking():
    """The error with 4 elements at P L^2 / EI = 3 does not grow with the slenderness, 1e2 to 1e4."""
    errors = []
    for slender in (1e2, 1e4):
        stiff = 12.0 * slender**2
        exact = reissner(1.0, (stiff, 0.4 * stiff, 0.4 * stiff, 1.0, 1.0, 1.0), (0.0, 3.0, 0.0))
        # statics do not feel the inertia of sections, but with little of it the matrices are badly scaled
        inertia = (2e-3, 1e-3, 1e-3)
        body = jd.NodalBeam("rod", 1.0, 1.0, stiff, 1.0, 1.0, 0.4 * stiff, elements=4, inertia_per_length=inertia)
        errors.append(np.linalg.norm(tip_of(body, {"force": (0.0, 3.0, 0.0)}, exact) - exact(1.0)[:3]))
        assert exact(1.0)[:2] == pytest.approx((1.0 - 0.25442, 0.60325), abs=3e-4)  # digest A 9, inextensible
    assert errors[0] == pytest.approx(errors[1], rel=0.02)
    assert errors[1] < 1e-3


def softest(model, state):
    K = tree_derivatives(model, state, np.zeros(model.nv))[0]
    return np.linalg.eigvalsh(0.5 * (K + K.T))[0]


def test_a_column_with_shear_buckles():
    # of a rod that stretches and shears P (1 - P / EA + P / GA) = pi^2 EI / (4 L^2): Reissner 1972, dead load
    EA, EI, GA = 100.0, 1.0, 20.0
    body = jd.NodalBeam("rod", 1.0, 1.0, EA, (EI, 4.0), 1.0, GA=GA, elements=8)
    model = held(body)
    s = np.linspace(0.0, 1.0, 17)
    axes = np.tile(np.eye(3), (17, 1, 1))

    def pressed(load):
        return softest(model, laid(model, body, np.outer((1.0 - load / EA) * s, (1.0, 0.0, 0.0)), axes))

    exact = brentq(lambda p: p * (1.0 - p / EA + p / GA) - 0.25 * np.pi**2 * EI, 1.0, 4.0)
    assert brentq(pressed, 1.5, 3.0, xtol=1e-7) == pytest.approx(exact, rel=1e-4)


@pytest.mark.slow
def test_a_narrow_cantilever_tips_over_sideways():
    # 4.0126 sqrt(EI GJ) / L^2 (Timoshenko & Gere 1961, section 6.4), its deflection before being small
    inertia = (0.02, 0.01, 0.01)
    body = jd.NodalBeam("rod", 1.0, 1.0, 1e7, (1e4, 1.0), 0.8, GA=4e6, elements=8, inertia_per_length=inertia)

    def loaded(load):
        model = held(body, {"force": (0.0, load, 0.0)})
        return softest(model, model.equilibrium(model.state()).state)

    assert brentq(loaded, 3.4, 3.8, xtol=1e-5) == pytest.approx(4.0126 * np.sqrt(0.8), rel=5e-4)


# ---------------------------------------------------------------------- vibration


def timoshenko(m, j, EI, GA, count=2):
    """The lowest frequencies [rad/s] of a cantilever of length 1 (Timoshenko 1921): w' = V / GA + phi, phi' = M / EI,
    M' = -V - j omega^2 phi, V' = -m omega^2 w."""

    def gap(omega):
        A = np.array(
            [
                [0.0, 1.0, 0.0, 1.0 / GA],
                [0.0, 0.0, 1.0 / EI, 0.0],
                [0.0, -j * omega**2, 0.0, -1.0],
                [-m * omega**2, 0.0, 0.0, 0.0],
            ]
        )
        return np.linalg.det(expm(A)[2:, 2:])

    tried = np.linspace(0.1, 25.0 * np.sqrt(EI / m), 400)
    signs = np.sign([gap(one) for one in tried])
    at = np.flatnonzero(signs[1:] != signs[:-1])[:count]
    return np.array([brentq(gap, tried[k], tried[k + 1], rtol=1e-14) for k in at])


@pytest.mark.parametrize("slender", [10.0, 200.0])
def test_frequencies_are_timoshenkos(slender):
    EA = slender**2
    body = jd.NodalBeam("rod", 1.0, 1.0, EA, (1.0, 2.0), 0.8, GA=0.3 * EA, elements=12)
    found = np.sqrt(eigh(body.nodal.stiffness().toarray(), body.nodal.M.toarray(), eigvals_only=True))
    for stiff in (1.0, 2.0):
        for omega in timoshenko(1.0, stiff / EA, stiff, 0.3 * EA):
            assert np.min(np.abs(found / omega - 1.0)) < (1e-5 if omega < 5.0 else 2e-4)
    for omega in (0.5 * np.pi * np.sqrt(0.8 / (3.0 / EA)), 0.5 * np.pi * slender):  # twist, stretch
        assert np.min(np.abs(found / omega - 1.0)) < 1e-5
    assert body.natural_frequencies(4) == pytest.approx(found[:4], rel=1e-6)
    if slender == 200.0:
        modal = jd.Beam("b", 1.0, 1.0, EA, (1.0, 2.0), 0.8, modes=jd.Modes(bending=6))
        assert found[:4] == pytest.approx(modal.clamped_frequencies()[:4], rel=5e-3)  # without shear


def test_waves_are_too_fast_by_what_is_refused():
    # pinned at both ends, thin: too fast by (k l)^4 / 480
    for elements in (4, 8):
        body = jd.NodalBeam("rod", 1.0, 1.0, 1e6, 1.0, 1.0, GA=4e5, elements=elements, root="free")
        K, M = body.nodal.stiffness().toarray(), body.nodal.M.toarray()
        ends = ("y[0]", f"y[{2 * elements}]")
        at = [i for i, one in enumerate(body.internal) if one.startswith(("y[", "x_dy[")) and one not in ends]
        omega = np.sqrt(eigh(K[np.ix_(at, at)], M[np.ix_(at, at)], eigvals_only=True)[0])
        exact = np.pi**2 * (1.0 - 0.5 * np.pi**2 * (1.0 / 4e5 + 1e-6))  # shear and inertia of sections
        assert omega / exact - 1.0 == pytest.approx((np.pi / elements) ** 4 / 480.0, rel=0.05)
