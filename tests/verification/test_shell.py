"""Plates, shells and membranes against theory.

The element is bicubic and its slopes are continuous, so that frequencies of bending converge with the fourth power of
the side of an element, those of a membrane with the sixth; tolerances follow from that.
"""

from __future__ import annotations

import numpy as np
import pytest
from nato_shells import bending, stiffness, thin
from scipy.integrate import solve_bvp
from scipy.optimize import brentq

import jourdain as jd
from tests.shells import edge_points, laid, rested, settled


@pytest.mark.parametrize("nu", [0.0, 0.3])
def test_frequencies_of_a_supported_plate_converge_with_the_fourth_power(nu):
    # omega = pi^2 (i^2 + j^2) sqrt(D / rho t) / a^2; the thick element with twist of the digest: 1.035, 1.003 at nu 0.3
    exact = np.pi**2 * np.array([2.0, 5.0, 5.0, 8.0, 10.0, 10.0]) * np.sqrt(stiffness(nu) / 27.0)
    errors = np.array([bending(thin(n, nu), 6) / exact - 1.0 for n in (4, 8)])
    assert errors[1, 0] < 1e-5
    assert np.all(errors[1] < 1.1e-3)
    assert np.all(errors > 0.0)
    assert errors[0] / errors[1] == pytest.approx(np.full(6, 16.0), rel=0.15)


def test_frequencies_of_a_square_membrane():
    # omega = pi sqrt(T / m) sqrt(i^2 + j^2) / a, sixth order
    exact = np.pi * np.sqrt(50.0 / 0.2) * np.sqrt([2.0, 5.0, 5.0, 8.0])
    errors = []
    for n in (4, 8):
        mesh = jd.mesh.sheet((1.0, 1.0), (n, n))
        rim = lambda x: (np.abs(x[0] - 0.5) > 0.499) | (np.abs(x[1] - 0.5) > 0.499)  # noqa: E731
        body = jd.Membrane(
            "drum", mesh, 1e-3, jd.Material(1e9, 0.3, 200.0), 50.0, regions={"rim": rim}, held={"rim": "pinned"}
        )
        errors.append(body.natural_frequencies(4) / exact - 1.0)
    assert errors[1][0] < 5e-8
    assert np.max(errors[1]) < 3e-6
    assert errors[0][0] / errors[1][0] == pytest.approx(64.0, rel=0.2)


# ---------------------------------------------------------------------- large deflections of a strip

YOUNG, THICK, WIDE = 1e9, 1e-3, 0.1
EI = YOUNG * WIDE * THICK**3 / 12.0


def strip(n, **load):
    """A strip of 1 m, clamped at x = 0, with an even load on its other end."""
    body = jd.Plate("strip", (1.0, WIDE), THICK, jd.Material(YOUNG, 0.0, 1000.0), (n, 1), held={"x0": "clamped"})
    system = jd.System("strip", gravity=(0.0, 0.0, 0.0))
    system.add(body, joint=jd.Weld("hold"))
    for i, (y, w) in enumerate(edge_points(0.0, WIDE)):
        system.force(f"load[{i}]", f"strip.1.0,{y!r}", **{what: w * np.array(one) for what, one in load.items()})
    return body, system.compile()


def closed(n):
    """How far the ends of a strip under 2 pi EI / L are apart [m]."""
    body, model = strip(n, moment=(0.0, -2.0 * np.pi * EI, 0.0))
    k = 2.0 * np.pi
    state = laid(
        model,
        body,
        lambda x, y: (np.sin(k * x) / k, y, (1.0 - np.cos(k * x)) / k),
        lambda x, y: (np.cos(k * x), 0.0, np.sin(k * x)),
        lambda x, y: (0.0, 1.0, 0.0),
    )
    tip = model.pose("strip.tip", rested(model, state).q)
    return float(np.linalg.norm(tip.position - (0.0, 0.5 * WIDE, 0.0)))


@pytest.mark.slow
def test_a_strip_under_a_moment_closes_into_a_circle():
    # M = 2 pi EI / L, nu = 0 (digest B 1, test e)
    assert closed(16) < 3e-4
    assert closed(20) < 1e-4


def elastica(load):
    """EI theta'' + P cos theta = 0 of a cantilever under a force across it: theta, theta', x, z of s."""
    s = np.linspace(0.0, 1.0, 201)
    found = solve_bvp(
        lambda s, y: np.stack([y[1], -load * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])]),
        lambda a, b: np.array([a[0], b[1], a[2], a[3]]),
        s,
        np.stack([1.2 * np.sin(s), 1.2 * np.cos(s), s, 0.5 * s]),
        tol=1e-10,
        max_nodes=20000,
    )
    assert found.success
    return found.sol


def test_a_cantilever_strip_bends_as_the_elastica():
    # digest A 9: P L^2 / EI = 3, tip at 0.60325 up and 0.25442 back; E A L^2 / EI = 1.2e7 does not lock it
    exact = elastica(3.0)
    body, model = strip(12, force=(0.0, 0.0, 3.0 * EI))
    state = laid(
        model,
        body,
        lambda x, y: (exact(x)[2], y, exact(x)[3]),
        lambda x, y: (np.cos(exact(x)[0]), 0.0, np.sin(exact(x)[0])),
        lambda x, y: (0.0, 1.0, 0.0),
    )
    x, _, z = model.pose("strip.tip", rested(model, state).q).position
    assert (z, 1.0 - x) == pytest.approx((0.60325, 0.25442), abs=1e-4)


# ---------------------------------------------------------------------- folded


def test_two_plates_at_a_right_angle_keep_momentum_and_energy():
    # digest B 1, test d: they share nodes through the slope transform
    mesh = jd.mesh.sheet((0.5, 0.4), (1, 1)).joined(
        jd.mesh.sheet((0.4, 0.5), (1, 1), first=(0.0, 1.0, 0.0), second=(0.0, 0.0, 1.0))
    )
    body = jd.Shell("angle", mesh, 0.01, jd.Material(1e7, 0.3, 500.0))
    system = jd.System("flight", gravity=(0.0, 0.0, 0.0))
    system.add(body, joint=jd.Weld("hold"))
    model = system.compile()
    state = model.state()
    sheet, spin = body.nodal, np.array([3.0, -2.0, 4.0])
    rate = np.cross(spin, sheet.nodes) + np.outer(sheet.carried, (0.5, 0.2, -0.1))
    state.v[:] = np.einsum("kc,kc->k", sheet.ways, rate[sheet.owner])
    run = jd.simulate(model, state, until=5e-3, method="rk4", step=1e-5, output=1e-3, progress=False)
    first, last = model.momentum(run.state(0)), model.momentum(run.state(-1))
    assert np.max(np.abs(last.linear - first.linear)) < 1e-12
    assert np.max(np.abs(last.angular - first.angular)) < 1e-11
    total = run.energy["total"].values
    assert np.max(np.abs(total / total[0] - 1.0)) < 1e-9
    assert run.energy["strain"].values[-1] > 1e-6 * total[0]  # it does deform


def test_a_folded_edge_carries_its_moment():
    # an angle as a cantilever: the tip of the upright part turns by M L / EI of the flat part and by M / k of the fold
    mesh = jd.mesh.sheet((1.0, 0.2), (4, 1)).joined(
        jd.mesh.sheet((0.5, 0.2), (2, 1), (1.0, 0.0, 0.0), first=(0.0, 0.0, 1.0), second=(0.0, 1.0, 0.0))
    )
    root = {"root": lambda x: x[0] < 1e-9}
    places = {f"a{i}": (1.0, y, 0.5) for i, (y, _) in enumerate(edge_points(0.0, 0.2))}
    body = jd.Shell("angle", mesh, 0.01, jd.Material(1e9, 0.0, 1000.0), regions=root, held={"root": "clamped"},
                    fold=200.0, frames=places)  # fmt: skip
    system = jd.System("angle", gravity=(0.0, 0.0, 0.0))
    system.add(body, joint=jd.Weld("hold"))
    for i, (_, w) in enumerate(edge_points(0.0, 0.2)):
        system.force(f"load[{i}]", f"angle.a{i}", force=(w * 1e-3, 0.0, 0.0))
    model = system.compile()
    state = rested(model, model.state())
    moment = 1e-3 * 0.5
    D = 1e9 * 0.01**3 / 12.0 * 0.2
    tip = model.pose("angle.a1", state.q).position
    exact = moment * 1.0 / D * 0.5 + moment / (200.0 * 0.2) * 0.5 + 1e-3 * 0.5**3 / (3.0 * D)
    assert tip[0] - 1.0 == pytest.approx(exact, rel=1e-4)


# ---------------------------------------------------------------------- membranes


def pulled(first, second, shear=0.0):
    """Forces over the length in a membrane that is strained evenly by so much."""
    body = jd.Membrane("sail", jd.mesh.sheet((1.0, 1.0), (1, 1)), 1e-3, jd.Material(1e9, 0.3, 200.0))
    sheet = body.nodal
    F = np.array([[1.0 + first, shear, 0.0], [0.0, 1.0 + second, 0.0], [0.0, 0.0, 1.0]])
    moved = sheet.nodes @ F.T
    e = np.einsum("kc,kc->k", sheet.ways, (moved - sheet.nodes)[sheet.owner])
    found = body.strain(e[None])[1]
    return np.array([found[f"force_{ends}"][0][0, 0] for ends in ("11", "22", "12")]), body, e


def test_a_wrinkled_membrane_carries_no_pressure():
    # pulled along x and pushed together across: N_11 = E t E_11 alone, as a field of threads
    (along, across, shear), body, e = pulled(0.01, -0.02)
    E11 = 0.5 * (1.01**2 - 1.0)
    assert along == pytest.approx(1e6 * E11, rel=1e-12)
    assert (across, shear) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert body.field(e[None], "taut")[0] == pytest.approx(np.full((1, 4), 0.5))
    # let loose it carries nothing, and pulled both ways it is a sheet in plane stress
    assert pulled(-0.01, -0.02)[0] == pytest.approx(np.zeros(3), abs=1e-9)
    taut = pulled(0.01, 0.005)[0]
    E22 = 0.5 * (1.005**2 - 1.0)
    assert taut[:2] == pytest.approx(1e6 / 0.91 * np.array([E11 + 0.3 * E22, E22 + 0.3 * E11]), rel=1e-12)
    # sheared: N is uniaxial along the principal direction, its determinant vanishes
    along, across, shear = pulled(0.0, 0.0, 0.02)[0]
    assert along * across - shear**2 == pytest.approx(0.0, abs=1e-6 * shear**2)
    assert along + across > 0.0


def test_a_hanging_blanket_is_a_catenary():
    # hung between two bars: H by Irvine (1981) for an elastic catenary of length 1 m and weight w over its length
    span, weight, stiff, n = 0.8, 0.2 * 9.81 * 0.1, 1e2, 12
    up, s = 0.5 * weight, np.linspace(0.0, 1.0, n + 1)

    def pulled_by(EA):
        return brentq(lambda h: h / EA + 2.0 * h / weight * np.arcsinh(up / h) - span, 1e-4, 10.0)

    def line(H, EA):
        v = weight * s - up
        x = H / weight * (np.arcsinh(v / H) + np.arcsinh(up / H)) + H * s / EA
        high = H / weight * (np.sqrt(1.0 + (v / H) ** 2) - np.sqrt(1.0 + (up / H) ** 2))
        return x, high + (v**2 - up**2) / (2.0 * EA * weight)

    x, z = line(pulled_by(1e12), 1e12)
    points = np.stack([np.tile(x, (2, 1)).T, np.tile([0.0, 0.1], (n + 1, 1)), np.tile(z, (2, 1)).T], axis=2)
    ends = {"bars": lambda p: (p[0] < 1e-9) | (p[0] > span - 1e-9)}
    body = jd.Membrane("blanket", jd.mesh.grid(points), 1e-3, jd.Material(1e6, 0.0, 200.0), regions=ends,
                       held={"bars": "pinned"}, wrinkles=False)  # fmt: skip
    system = jd.System("hung", gravity=(0.0, 0.0, -9.81))
    system.add(body, joint=jd.Weld("hold"))
    model = system.compile()
    H = pulled_by(stiff)
    x, z = line(H, stiff)
    v = weight * s - up
    pull = np.hypot(H, v)
    slope = np.stack([H / pull, 0.0 * s, v / pull], axis=1) * (1.0 + pull / stiff)[:, None]
    state = laid(
        model,
        body,
        lambda a, y: (np.interp(a, points[:, 0, 0], x), y, np.interp(a, points[:, 0, 0], z)),
        lambda a, y: slope[np.argmin(np.abs(points[:, 0, 0] - a))],
        lambda a, y: (0.0, 1.0, 0.0),
    )
    state = settled(model, state, still=1e-7)
    middle = points[n // 2, 0] + body.deflection(state.q[None], [n])[1][0, 0]
    # the mesh has circles between its nodes, and is longer than the line by 1e-5
    assert middle[2] == pytest.approx(z[n // 2], abs=5e-5)
    # tension of the middle, over its width: 5.6 % and 1.3 % off with 6 and 12 elements, 0.2 % with 24
    assert body.strain(state.q[None])[1]["force_11"][0][0, n] == pytest.approx(H / 0.1, rel=0.015)


def under_weight(elements, held, thickness, nu, size):
    """Stress along x at the bottom of a plate under its weight, over the nodes [Pa], and the weight over its area."""
    system = jd.System("weight", gravity=(0.0, 0.0, -9.81))
    body = jd.Plate("p", size, thickness, jd.Material(70e9, nu, density=2700.0), elements=elements, held=held)
    system.add(body, joint=jd.Weld("hold"))
    model = system.compile()
    state = rested(model, model.state())
    return body.field(state.q[None], "stress_bottom")[0][0, :, 0], body.mesh.points, 2700.0 * 9.81 * thickness


def test_stresses_at_nodes_are_of_a_higher_order_than_the_curvature_of_an_element():
    """Of a cantilever under its weight 3 q (L - x)^2 / t^2, with three elements: the curvature of an element itself is
    q l^2 / 12 off at its ends, here 1.9 % of that of the root; what is left is the shortening of the lever. Of a
    supported square plate 0.047886 q a^2 in the middle (Timoshenko & Woinowsky-Krieger 1959, table 8): 7.7e-3 off with
    4 x 4 elements, 7.7e-4 with 8 x 8."""
    found, points, q = under_weight((3, 1), {"x0": "clamped"}, 0.01, 0.0, (1.0, 0.2))
    exact = -3.0 * q * (1.0 - points[:, 0]) ** 2 / 0.01**2
    assert np.max(np.abs(found - exact)) < 1e-4 * np.max(np.abs(exact))
    sides = dict.fromkeys(("x0", "x1", "y0", "y1"), "supported")
    found, points, q = under_weight((4, 4), sides, 0.02, 0.3, (1.0, 1.0))
    middle = np.argmin(np.linalg.norm(points[:, :2] - 0.5, axis=1))
    assert found[middle] * 0.02**2 / 6.0 == pytest.approx(0.047886 * q, rel=1e-2)
