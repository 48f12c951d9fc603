"""The matrix of an implicit step of a cable, S = M + C / mu + K / (mu nu), and its factor in a band.

K is the exact second derivative of the energy (kernels/bodies/cable.py), with the force that the damping adds to
the stretch; C = EA c t t^T and EI c B^T B, P b' = B (u', w'). The places and gradients of an element meet, twelve
coordinates at most, so that eleven diagonals lie below the main one: entry (i, j), i >= j, is values[12 j + i - j].
Where a line under pressure makes S indefinite, S is taken without what forces contribute to K, which is positive.
"""

from __future__ import annotations

import math

from ..columns import EV, E, N
from ..compiler import gate, kernel, part
from ..flat import accumulate, get, put
from ..scalar import root
from ..spatial import add, dot, scale
from .cable import bent, element_at, points_of, rates_at, stretched
from .nodal_layout import (
    BENDING_POINT,
    BENDING_POINTS,
    BENDING_REST,
    CABLE_BAND,
    ELEMENTS,
    FIRST,
    LINE,
    LINE_C,
    LINE_CB,
    LINE_EA,
    LINE_EI,
    LINE_MASS,
    LINE_N0,
    STRETCH_POINT,
    STRETCH_POINTS,
    STRETCH_REST,
    chosen,
    floats_of,
    integers_of,
)
from .rotations import add_outer


@kernel
def unit_times(x):
    """x times the unit matrix."""
    return (x, 0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, x)


@kernel
def combined(x, A, y, B):
    """x A + y B of matrices."""
    return (
        x * A[0] + y * B[0],
        x * A[1] + y * B[1],
        x * A[2] + y * B[2],
        x * A[3] + y * B[3],
        x * A[4] + y * B[4],
        x * A[5] + y * B[5],
        x * A[6] + y * B[6],
        x * A[7] + y * B[7],
        x * A[8] + y * B[8],
    )


@kernel
def turned_over(A):
    """The transpose."""
    return (A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8])


@kernel
def lay_block(model, first, a, b, block, values, at):
    """Adds the block of vectors a and b <= a of the line to the lower triangle in the band values[at ...]."""
    ka, kb = model.integers[first + a], model.integers[first + b]
    na, nb = model.integers[first + a + 1] - ka, model.integers[first + b + 1] - kb
    if na == 3 and nb == 3:
        to = at + CABLE_BAND * kb + ka - kb
        accumulate(values, to, block[0])
        accumulate(values, to + 1, block[3])
        accumulate(values, to + 2, block[6])
        to += CABLE_BAND - 1
        if a != b:
            accumulate(values, to, block[1])
        accumulate(values, to + 1, block[4])
        accumulate(values, to + 2, block[7])
        to += CABLE_BAND - 1
        if a != b:
            accumulate(values, to, block[2])
            accumulate(values, to + 1, block[5])
        accumulate(values, to + 2, block[8])
    elif nb == 1 and na >= 1:  # what is held but along x comes first
        to = at + CABLE_BAND * kb + ka - kb
        accumulate(values, to, block[0])
        if na == 3:
            accumulate(values, to + 1, block[3])
            accumulate(values, to + 2, block[6])


@kernel
def stretch_matrix(floats, line, at, c, d, of_c, of_k, forces):
    """Derivatives of the force on u by u at a point of the stretch, of_c times those of damping and of_k those of K."""
    EA, damped = floats[line + LINE_EA], floats[line + LINE_C]
    g, t, rate = stretched(floats, at, c, d)
    n = EA * (g - 1.0 - get(floats, at + STRETCH_REST) + damped * rate) + floats[line + LINE_N0]
    geometric = forces * of_k * n / g
    material = EA * (of_k + of_c * damped) - geometric
    return add_outer(unit_times(geometric), scale(material, t), t)


@kernel
def bending_matrices(floats, line, at, c, of_c, of_k, forces):
    """Derivatives of the forces at a point of the curvature: of that on u by u, that on u by w, that on w by w."""
    EI, damped, rest = floats[line + LINE_EI], floats[line + LINE_CB], get(floats, at + BENDING_REST)
    h, g, t, across = bent(floats, at, c)
    # P b' = B_u u' + B_w w',  B_w = P / g,  B_u = -(P w t^T / g + h P) / g
    P = add_outer(unit_times(1.0), scale(-1.0, t), t)
    x = EI * (of_c * damped + (1.0 - forces) * of_k) / (g * g)
    square = dot(across, across)
    uu = combined(x * h * h, P, 0.0, P)
    uu = add_outer(uu, scale(x * square / (g * g), t), t)
    uu = add_outer(add_outer(uu, scale(x * h / g, t), across), scale(x * h / g, across), t)
    uw = add_outer(combined(-x * h, P, 0.0, P), scale(-x / g, t), across)
    ww = combined(x, P, 0.0, P)
    if forces == 0.0:
        return uu, uw, ww
    # the second derivatives of 1/2 b . b = (W / G - H^2 / G^2) / 2, W = w . w, H = u . w, G = u . u
    y = of_k * EI
    u, w = scale(g, t), add(across, scale(h * g, t))
    per = 1.0 / (g * g)
    W = dot(w, w)
    by_u, by_w = scale(4.0 * h * per, u), scale(4.0 * h * per, w)
    F_u = add(scale(per * (2.0 * h * h - W * per), u), scale(-h * per, w))
    F_w = scale(per, across)
    if rest != 0.0:
        kappa = root(square * per)
        y *= 1.0 - rest / kappa
        z = of_k * EI * rest / (kappa * kappa * kappa)
        uu = add_outer(uu, scale(z, F_u), F_u)
        uw = add_outer(uw, scale(z, F_u), F_w)
        ww = add_outer(ww, scale(z, F_w), F_w)
    alpha, beta = per * (2.0 * h * h - W * per), -h * per
    uu = combined(1.0, uu, y * alpha, unit_times(1.0))
    slope = add(scale(2.0 * per * (2.0 * W * per - 6.0 * h * h) * per, u), scale(per, by_w))
    uu = add_outer(add_outer(uu, scale(y, u), slope), scale(y * per, w), add(by_u, scale(-per, w)))
    # by w: alpha' = -2 w / G^2 + 4 H u / G^3, beta' = -u / G^2
    uw = combined(1.0, uw, y * beta, unit_times(1.0))
    slope = add(scale(-2.0 * per * per, w), scale(per, by_u))
    uw = add_outer(add_outer(uw, scale(y, u), slope), scale(-y * per * per, w), u)
    ww = add_outer(combined(1.0, ww, y * per, unit_times(1.0)), scale(-y * per * per, u), u)
    return uu, uw, ww


@kernel
def share_of(floats, at, a):
    """What vector a (0 to 3) of an element has of three numbers of its chord and gradients from `at` on."""
    if a == 0:
        return -get(floats, at)
    return get(floats, at + 1) if a == 1 else (get(floats, at) if a == 2 else get(floats, at + 2))


@kernel
def lay_element(model, i, k, line, stretch, bending, c, d, of_c, of_k, forces, values, at):
    """Adds what element k contributes to S."""
    floats, first = model.floats, integers_of(model, i, FIRST)
    for a in range(4):
        for b in range(a + 1):
            m = floats[line + LINE_MASS + 4 * a + b]
            lay_block(model, first, 2 * k + a, 2 * k + b, unit_times(m), values, at)
    for p in range(chosen(model, i, STRETCH_POINTS)):
        of = stretch + STRETCH_POINT * p
        uu = stretch_matrix(floats, line, of, c, d, of_c, of_k, forces)
        for a in range(4):
            for b in range(a + 1):
                x = get(floats, of) * share_of(floats, of + 1, a) * share_of(floats, of + 1, b)
                lay_block(model, first, 2 * k + a, 2 * k + b, combined(x, uu, 0.0, uu), values, at)
    for p in range(chosen(model, i, BENDING_POINTS)):
        of = bending + BENDING_POINT * p
        uu, uw, ww = bending_matrices(floats, line, of, c, of_c, of_k, forces)
        wu = turned_over(uw)
        weight = get(floats, of)
        for a in range(4):
            xa, ya = weight * share_of(floats, of + 1, a), weight * share_of(floats, of + 4, a)
            # rows of a by u and by w
            left, right = combined(xa, uu, ya, wu), combined(xa, uw, ya, ww)
            for b in range(a + 1):
                block = combined(share_of(floats, of + 1, b), left, share_of(floats, of + 4, b), right)
                lay_block(model, first, 2 * k + a, 2 * k + b, block, values, at)


@kernel
def lay_step(model, i, q, v, mu, nu, forces, values, at):
    """Lays S in the band values[at ...]; forces: 1 with what they contribute to K, 0 without."""
    e, ev = model.table[i, E], model.table[i, EV]
    first, line = integers_of(model, i, FIRST), floats_of(model, i, LINE)
    stretch, bending, still = points_of(model, i)
    for k in range(CABLE_BAND * model.table[i, N]):
        put(values, at + k, 0.0)
    for k in range(chosen(model, i, ELEMENTS)):
        c, d = element_at(model, first, still, q, e, 2 * k), rates_at(model, first, v, ev, 2 * k)
        of_c, of_k = 1.0 / mu, 1.0 / (mu * nu)
        lay_element(model, i, k, line, stretch, bending, c, d, of_c, of_k, forces, values, at)


@kernel
def factorise_band(values, at, n):
    """S = L L^T in place, 1 where a pivot is not positive."""
    for j in range(n):
        own = at + CABLE_BAND * j
        pivot = get(values, own)
        if not pivot > 0.0:
            return 1
        pivot = math.sqrt(pivot)
        put(values, own, pivot)
        inverse = 1.0 / pivot
        last = min(CABLE_BAND, n - j)
        for i in range(1, last):
            put(values, own + i, inverse * get(values, own + i))
        for c in range(1, last):
            x = get(values, own + c)
            to = own + CABLE_BAND * c - c
            for i in range(c, last):
                accumulate(values, to + i, -x * get(values, own + i))
    return 0


@part("cable")
def factorise_cable(model, i, q, v, mu, nu, values, at):
    """The factor of S of cable i, in values[at ...]."""
    n = model.table[i, N]
    lay_step(model, i, q, v, mu, nu, 1.0, values, at)
    if factorise_band(values, at, n) != 0:
        lay_step(model, i, q, v, mu, nu, 0.0, values, at)
        factorise_band(values, at, n)


@part("cable")
def step_answer(model, i, values, at, b, of, x, to):
    """x[to ...] = S^-1 b[of ...] by the factor in values[at ...]; b may be x."""
    n = model.table[i, N]
    for k in range(n):
        put(x, to + k, get(b, of + k))
    for j in range(n):
        own = at + CABLE_BAND * j
        y = get(x, to + j) / get(values, own)
        put(x, to + j, y)
        for i in range(1, min(CABLE_BAND, n - j)):
            accumulate(x, to + j + i, -y * get(values, own + i))
    for j in range(n - 1, -1, -1):
        own = at + CABLE_BAND * j
        y = get(x, to + j)
        for i in range(1, min(CABLE_BAND, n - j)):
            y -= get(values, own + i) * get(x, to + j + i)
        put(x, to + j, y / get(values, own))


@gate
def cable_step_matrix(model, i, q, v, mu, nu, forces, values):
    """S of cable i in the band values (12 n,), for Python."""
    lay_step(model, i, q, v, mu, nu, forces, values, 0)
