"""Contensou effect: how slip and spin share the friction of a patch.

C_v is the friction force over the load times the coefficient, C_w the spinning torque over that and the radius of
gyration. The ansatz of Gonthier 2007 (eqs. 4.205 to 4.212) takes both from the average surface velocity; the exact
integrals of Coulomb friction over the patch differ by up to 30 % in C_v and a factor of 2 in C_w.
"""

from __future__ import annotations

import math

from ...algebra import Sym3, Vec3
from ...compiler import kernel
from ..volumetric.patch_normal import second_moments

RAYS = 64
COS, SIN = math.cos(2.0 * math.pi / RAYS), math.sin(2.0 * math.pi / RAYS)
# Gauss-Legendre points and weights of (0, 1)
GAUSS = (
    (0.04691007703066802, 0.11846344252809454), (0.23076534494715845, 0.23931433524968324),
    (0.5, 0.28444444444444444), (0.7692346550528415, 0.23931433524968324),
    (0.953089922969332, 0.11846344252809454),
)  # fmt: skip
EIGHTH, EIGHTH_SINE = math.cos(math.pi / 8.0), math.sin(math.pi / 8.0)
RECTANGLE = math.pi / 3.0 - 1.0  # by how much 4 pi sqrt(s_1 s_2) / (V area) of an even rectangle exceeds an ellipse's


@kernel
def ansatz(speed, turning, average):
    """(C_v, C_w) from slip speed, r_gyr times spin, and average surface velocity (Gonthier 2007, eq. 4.205 ff.)."""
    return speed / average, turning / average


@kernel
def about_centre(u, w, x, y, a, b, cap, square):
    """`mean_directions` where the centre of rotation (x, y) is inside the patch.

    In polar coordinates about it the direction of the velocity depends on the angle alone: rays are integrated in
    closed form, and over the angle, which is periodic, by the trapezoidal rule.
    """
    force, moment = 0.0 * w, 0.0 * w
    c, s = math.cos(math.pi / RAYS), math.sin(math.pi / RAYS)
    inside = 1.0 - (x / a) ** 2 - (y / b) ** 2
    for _ in range(RAYS):
        # length r of the ray to the boundary, and the integrals of p r dr (first) and p r^2 dr (second) along it
        if square:
            r = min((a - x) / c if c > 0.0 else (-a - x) / c, (b - y) / s if s > 0.0 else (-b - y) / s)
            first, second = 0.5 * r * r, r * r * r / 3.0
        else:
            C, B = (c / a) ** 2 + (s / b) ** 2, x * c / (a * a) + y * s / (b * b)
            r = (math.sqrt(B * B + C * inside) - B) / C
            r2 = r * r
            first = (1.0 - cap) * 0.5 * r2
            second = (1.0 - cap) * r2 * r / 3.0
            first += 2.0 * cap * r2 * (0.5 * inside - r * (2.0 / 3.0 * B + 0.25 * C * r))
            second += 2.0 * cap * r2 * r * (inside / 3.0 - r * (0.5 * B + 0.2 * C * r))
        force += (u[1] * c - u[0] * s) * first
        moment += (x * c + y * s) * first + second
        c, s = c * COS - s * SIN, s * COS + c * SIN
    share = 2.0 * math.pi / RAYS / (4.0 * a * b if square else math.pi * a * b)
    return share * force, share * moment


@kernel
def over_patch(u, w, a, b, cap, square):
    """`mean_directions` where the centre of rotation is outside: Gauss-Legendre points, for an ellipse in rings."""
    force, moment = 0.0 * w, 0.0 * w
    for i in range(5):
        f, weight = GAUSS[i]
        if not square:
            weight *= (1.0 - cap + 2.0 * cap * (1.0 - f)) / 16.0
        rho = math.sqrt(f)
        c, s = (1.0, 0.0) if i % 2 == 0 else (math.cos(math.pi / 16.0), math.sin(math.pi / 16.0))
        for k in range(5 if square else 16):
            if square:
                p, q = a * (2.0 * f - 1.0), b * (2.0 * GAUSS[k][0] - 1.0)
                share = weight * GAUSS[k][1]
            else:
                p, q = a * rho * c, b * rho * s
                share = weight
                c, s = c * EIGHTH - s * EIGHTH_SINE, s * EIGHTH + c * EIGHTH_SINE
            x, y = u[0] - w * q, u[1] + w * p
            share /= math.sqrt(x * x + y * y)
            force += share * (u[0] * x + u[1] * y)
            moment += share * (p * y - q * x)
    return force, moment


@kernel
def mean_directions(u, w, a, b, cap, square):
    """Means, weighted by pressure, of the component of the direction of the surface velocity along the slip, times the
    slip, and of its moment.

    u         slip along and across the first axis of the patch [m/s]
    w         spin, above zero [rad/s]
    a, b      semi-axes of an ellipse, or half the sides of a rectangle [m]
    cap       share of the load with the pressure of a thin spherical cap, 1 - rho^2; the rest is uniform
    square    whether the patch is a rectangle, under uniform pressure
    """
    x, y = -u[1] / w, u[0] / w
    inside = abs(x) < a and abs(y) < b
    if not square:
        inside = (x / a) ** 2 + (y / b) ** 2 < 1.0
    if inside:
        return about_centre(u, w, x, y, a, b, cap, square)
    return over_patch(u, w, a, b, cap, square)


@kernel
def integrated(J, n, V, area, slip, spin):
    """(C_v, C_w) by integration over an ellipse or a rectangle with the second moments and the area of the part.

    X = 4 pi sqrt(s_1 s_2) / (V area) is 2/3 for a thin cap, 1 for an ellipse and pi / 3 for a rectangle under uniform
    pressure. In between, two of them are mixed by shares of the load.
    """
    _, s1, s2 = second_moments(J, n)
    speed, gyration = math.sqrt(slip @ slip), math.sqrt((s1 + s2) / V)
    if abs(spin) * gyration <= 1e-9 * speed:
        return 1.0, 0.0
    s2 = max(s2, 1e-12 * s1)
    # shape of the patch from X; slip in its principal axes
    X = 4.0 * math.pi * math.sqrt(s1 * s2) / (V * area)
    along = long_axis(J, n, s1, s2)
    x = slip @ along
    u = (x, math.sqrt(max(speed * speed - x * x, 0.0)))
    cap = min(max(3.0 * (1.0 - X), 0.0), 1.0)
    even = min(max((X - 1.0) / RECTANGLE, 0.0), 1.0)
    # ellipse and rectangle with the second moments s_1 and s_2 of the part
    k = 1.0 / (0.25 * (1.0 - cap) + cap / 6.0)
    force, moment = 0.0 * V, 0.0 * V
    if even < 1.0:
        force, moment = mean_directions(u, abs(spin), math.sqrt(k * s1 / V), math.sqrt(k * s2 / V), cap, False)
    if even > 0.0:
        F, M = mean_directions(u, abs(spin), math.sqrt(3.0 * s1 / V), math.sqrt(3.0 * s2 / V), 0.0, True)
        force, moment = force + even * (F - force), moment + even * (M - moment)
    return max(force, 0.0) / speed if speed > 0.0 else 0.0, max(moment, 0.0) / gyration


@kernel
def long_axis(J, n, s1, s2):
    """Unit vector across n along the larger second moment; any where both are equal."""
    half = 0.5 * (J.xx + J.yy + J.zz)
    # S - s_2 I keeps only the component along the longer axis
    S = Sym3(half - J.xx - s2, half - J.yy - s2, half - J.zz - s2, -J.xy, -J.xz, -J.yz)
    best, longest = n.zero, 0.0 * s1
    for k in range(3):
        e = Vec3(1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        y = S @ (e - (e @ n) * n)
        y -= (y @ n) * n
        length = y @ y
        if length > longest:
            longest, best = length, y
    if longest > 1e-24 * s1 * s1:
        return 1.0 / math.sqrt(longest) * best
    t = Vec3(-n.y, n.x, 0.0) if n.z * n.z < 0.5 else Vec3(0.0, -n.z, n.y)
    return 1.0 / math.sqrt(t @ t) * t
