"""The ellipsograph of the seed (digest A 9, second example) in plain NumPy, with the strains of the digest and ours.

Minimal coordinates: what the slides hold is left out, and the pendulum has one angle. No recursion, no multipliers and
no station has a part in it.
"""

from __future__ import annotations

import numpy as np
import pytest

L, MASS, EA, EI, G = 1.0, 0.78, 1e4, 1.0, 9.81
BOB, INERTIA, ARM = 0.2, 0.1, 0.25
N = 20
PART = L / N
DIGEST = np.array(
    [
        (0.741303, 0.666133, 0.346850, 0.306369, 0.002978, 0.033316),
        (0.812831, 0.532612, 0.349101, 0.177597, 0.001951, 0.281786),
        (0.895752, 0.282886, 0.401134, -0.005667, -0.021182, 0.607533),
        (0.957999, -0.232389, 0.502167, -0.192190, -0.064728, 0.463253),
        (0.610334, -0.785262, 0.332382, -0.411837, 0.013633, 0.156100),
    ]
)
ENDS = 2 * np.arange(N)[:, None] + np.arange(4)


def cubics(x, derivative):
    l = PART
    if derivative == 0:
        rows = [1 - 3 * x**2 + 2 * x**3, l * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3, l * (x**3 - x**2)]
    elif derivative == 1:
        rows = [(6 * x**2 - 6 * x) / l, 1 - 4 * x + 3 * x**2, (6 * x - 6 * x**2) / l, 3 * x**2 - 2 * x]
    else:
        rows = [(12 * x - 6) / l**2, (6 * x - 4) / l, (6 - 12 * x) / l**2, (6 * x - 2) / l]
    return np.stack(rows, axis=1)


def gauss(count):
    x, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (x + 1.0), 0.5 * PART * w


def elastic(c, green):
    """Force (42, 2) and energy; stretch 1/2 (r' . r' - 1) or |r'| - 1, curvature r' x r'' / |r'|^2, three points."""
    x, w = gauss(3)
    first, second = cubics(x, 1), cubics(x, 2)
    u, v = (np.einsum("pa,kac->kpc", one, c[ENDS]) for one in (first, second))
    square = np.sum(u * u, axis=-1)
    stretch = 0.5 * (square - 1.0) if green else np.sqrt(square) - 1.0
    along = u if green else u / np.sqrt(square)[..., None]
    area = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    kappa = area / square
    m = (EI * w * kappa / square)[..., None]
    to_u = (EA * w * stretch)[..., None] * along
    to_u += m * np.stack([v[..., 1], -v[..., 0]], axis=-1) - 2.0 * m * kappa[..., None] * u
    to_v = m * np.stack([-u[..., 1], u[..., 0]], axis=-1)
    f = np.einsum("kpc,pa->kac", to_u, first) + np.einsum("kpc,pa->kac", to_v, second)
    out = np.zeros_like(c)
    np.add.at(out, ENDS, f)
    return out, 0.5 * np.sum(w * (EA * stretch**2 + EI * kappa**2))


def ellipsograph(green, step=1e-4):
    """Rows of the digest's table: x_A, y_B, middle, angle of the pendulum, strain energy."""
    x, w = gauss(4)
    S = cubics(x, 0)
    line, weight = np.zeros((2 * N + 2, 2 * N + 2)), np.zeros(2 * N + 2)
    for ends in ENDS:
        line[np.ix_(ends, ends)] += MASS * (S.T * w) @ S
        weight[ends] += MASS * (w @ S)
    size = 4 * N + 5
    still = np.zeros((size, size))
    still[:-1, :-1] = np.kron(line, np.eye(2))
    hinge = 2 * N
    still[hinge, hinge] += BOB
    still[hinge + 1, hinge + 1] += BOB
    still[-1, -1] = INERTIA + BOB * ARM**2
    free = np.setdiff1d(np.arange(size), [1, 4 * N])

    def acceleration(y, v):
        f, _ = elastic(y[:-1].reshape(-1, 2), green)
        right = np.append(-f.ravel(), 0.0)
        right[1:-1:2] -= G * weight
        s, c = ARM * np.sin(y[-1]), ARM * np.cos(y[-1])
        right[hinge] += BOB * v[-1] ** 2 * s
        right[hinge + 1] -= BOB * (v[-1] ** 2 * c + G)
        right[-1] -= BOB * G * s
        M = still.copy()
        M[-1, hinge] = M[hinge, -1] = BOB * c
        M[-1, hinge + 1] = M[hinge + 1, -1] = BOB * s
        a = np.zeros(size)
        a[free] = np.linalg.solve(M[np.ix_(free, free)], right[free])
        return a

    s = np.linspace(0.0, 1.0, N + 1)
    c = np.zeros((2 * N + 2, 2))
    c[0::2] = np.sqrt(0.5) * np.stack([1.0 - s, s], axis=1)
    c[1::2] = (-np.sqrt(0.5), np.sqrt(0.5))
    y, v, rows = np.append(c.ravel(), 0.0), np.zeros(size), []
    for i in range(round(0.5 / step)):
        a1 = acceleration(y, v)
        v2 = v + 0.5 * step * a1
        a2 = acceleration(y + 0.5 * step * v, v2)
        v3 = v + 0.5 * step * a2
        a3 = acceleration(y + 0.5 * step * v2, v3)
        v4 = v + step * a3
        a4 = acceleration(y + step * v3, v4)
        y = y + step / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v = v + step / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        if (i + 1) % round(0.1 / step) == 0:
            c = y[:-1].reshape(-1, 2)
            rows.append((c[0, 0], c[-2, 1], *c[2 * (N // 2)], y[-1], elastic(c, green)[1]))
    return np.array(rows)


@pytest.mark.slow
def test_the_digest_has_the_strains_of_green():
    assert ellipsograph(green=True) == pytest.approx(DIGEST, abs=1e-6)


@pytest.mark.slow
def test_the_true_stretch_is_another_material_where_the_line_is_stretched():
    """Until 0.3 s the line is stretched by 1e-4 and the two agree; at 0.4 s by 0.8 %, and they do not."""
    apart = np.abs(ellipsograph(green=False) - DIGEST)
    assert np.max(apart[:3]) < 1e-6
    assert apart[3, 0] == pytest.approx(6.1e-5, abs=2e-6) and apart[3, 5] == pytest.approx(2.80e-3, abs=2e-5)
