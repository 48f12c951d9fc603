"""How slip and spin share the friction of a patch: the Contensou factors.

C_v is the friction force over the load times the coefficient, C_w the spinning torque over that and the radius of
gyration. The thesis's ansatz (Gonthier 2007, eqs. 4.205 to 4.212) takes both from the average surface velocity; the
integrals of Coulomb friction over the patch differ by up to 30 % in C_v and a factor of 2 in C_w.
"""

from __future__ import annotations

import math

from ..compiler import kernel
from ..spatial import dot
from .patch_normal import second_moments

ANGLES = 24
# Gauss-Legendre points and weights of (0, 1)
GAUSS = (
    (0.04691007703066802, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.5, 0.28444444444444444),
    (0.7692346550528415, 0.23931433524968324),
    (0.953089922969332, 0.11846344252809454),
)


@kernel
def ansatz(speed, turning, average):
    """(C_v, C_w) from the slip speed, r_gyr times the spin, and the average surface velocity."""
    return speed / average, turning / average


@kernel
def mean_directions(u, w, a, b, m):
    """Means over an ellipse of the direction of the surface velocity along the slip, and of its moment over r_gyr.

    u       slip along and across the first axis of the ellipse
    w       spin
    a, b    semi-axes
    m       the pressure goes as (1 - rho^2)^m: 0 even, 1 that of a spherical cap
    """
    speed = math.sqrt(u[0] * u[0] + u[1] * u[1])
    force, moment = 0.0, 0.0
    total = 0.0
    for g in range(5):
        x, weight = GAUSS[g]
        rho = math.sqrt(x)
        weight *= (1.0 - x) ** m
        total += weight
        for k in range(ANGLES):
            angle = (k + 0.5 * (g % 2)) * (2.0 * math.pi / ANGLES)
            p, q = a * rho * math.cos(angle), b * rho * math.sin(angle)
            vx, vy = u[0] - w * q, u[1] + w * p
            length = math.sqrt(vx * vx + vy * vy)
            if length > 0.0:
                share = weight / (ANGLES * length)
                if speed > 0.0:
                    force += share * (u[0] * vx + u[1] * vy) / speed
                moment += share * (p * vy - q * vx)
    gyration = math.sqrt((a * a + b * b) / (2.0 * m + 4.0))
    return force / total, moment / (total * gyration)


@kernel
def integrated(J, n, V, area, slip, spin):
    """(C_v, C_w) by integration over an ellipse with the second moments and the area of the part.

    Of pressures (1 - rho^2)^m on an ellipse, 4 pi sqrt(s_1 s_2) / (V area) = 2 / (m + 2), which gives m.
    """
    _, s1, s2 = second_moments(J, n)
    m = 0.0 * V
    if s2 > 0.0:
        m = min(max(V * area / (2.0 * math.pi * math.sqrt(s1 * s2)) - 2.0, 0.0), 1.0)
    a, b = math.sqrt((2.0 * m + 4.0) * s1 / V), math.sqrt((2.0 * m + 4.0) * s2 / V)
    along = long_axis(J, n, s1, s2)
    x = dot(slip, along)
    y = math.sqrt(max(dot(slip, slip) - x * x, 0.0))
    force, moment = mean_directions((x, y), abs(spin), a, b, m)
    return max(force, 0.0), max(moment, 0.0)


@kernel
def long_axis(J, n, s1, s2):
    """Unit direction across n of the larger second moment; any where both are equal."""
    half = 0.5 * (J[0] + J[1] + J[2])
    best = (0.0 * s1, 0.0 * s1, 0.0 * s1)
    longest = 0.0 * s1
    for k in range(3):
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        d = dot(e, n)
        t = (e[0] - d * n[0], e[1] - d * n[1], e[2] - d * n[2])
        # (S - s2) t has only the part along the longer axis
        y = (
            (half - J[0] - s2) * t[0] - J[3] * t[1] - J[4] * t[2],
            -J[3] * t[0] + (half - J[1] - s2) * t[1] - J[5] * t[2],
            -J[4] * t[0] - J[5] * t[1] + (half - J[2] - s2) * t[2],
        )
        d = dot(y, n)
        y = (y[0] - d * n[0], y[1] - d * n[1], y[2] - d * n[2])
        length = dot(y, y)
        if length > longest:
            longest, best = length, y
    if longest > 1e-24 * s1 * s1:
        k = 1.0 / math.sqrt(longest)
        return (k * best[0], k * best[1], k * best[2])
    t = (-n[1], n[0], 0.0 * n[0]) if n[2] * n[2] < 0.5 else (0.0 * n[0], -n[2], n[1])
    k = 1.0 / math.sqrt(dot(t, t))
    return (k * t[0], k * t[1], k * t[2])
