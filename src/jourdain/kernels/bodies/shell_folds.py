"""Edges along which a shell is folded: a spring between the two elements, over the length of the edge.

With t the tangent along the edge and v_1, v_2 the tangents across it in the two elements, w_i = v_i less its part along
t, and phi the angle about t from w_1 to w_2, the energy over the length is k (1 - cos(phi - phi_0)) and the moment
k sin(phi - phi_0). The angle of w_i changes by (m_i . v_i' - (v_i . t) m_i . t' / |t|^2) / |w_i|, m_i = t x w_i /
|t x w_i|, and what is common to both cancels.
"""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Vec3, cross
from ..body_data import Values, values_at, vectors_at
from ..compiler import kernel, outlined_kernel
from ..scalar import root
from .nodal_layout import FOLD_POINTS, FoldPoint, nodal_blocks, nodal_body
from .shell_vectors import displacement, element_of

fold_points_at, FOLD_HEAD = values_at(FoldPoint), FoldPoint.size


class Fold(NamedTuple):
    """A point of a fold."""

    weight: float  # [m]
    cosine: float  # of the angle at rest
    sine: float
    S: Values  # of each vector what it adds to t, then to v_1, then to v_2


@kernel
def fold_point(own, p):
    """Point p of a fold."""
    numbers = own.table[p * (FOLD_HEAD + 3 * own.n) :]
    head = fold_points_at(numbers, 0)[0]
    return Fold(head.weight, head.cosine, head.sine, numbers[FOLD_HEAD:])


@kernel
def side_of(t, g, v):
    """w / |w|, m, 1 / |w| and v . t / |t| of a tangent v across an edge with the direction t and |tangent| = g."""
    along = v @ t
    w = v - along * t
    per = 1.0 / root(w @ w)
    w = per * w
    return w, cross(t, w), per, along / g


@kernel
def folded(point, t, v1, v2):
    """sin(phi - phi_0), cos(phi - phi_0), and the derivatives of phi by t, v1 and v2."""
    g = root(t @ t)
    t = 1.0 / g * t
    w1, m1, per1, along1 = side_of(t, g, v1)
    w2, m2, per2, along2 = side_of(t, g, v2)
    c, s, c0, s0 = w1 @ w2, t @ cross(w1, w2), point.cosine, point.sine
    by1, by2 = -per1 * m1, per2 * m2
    by_t = -along1 * by1 + -along2 * by2
    return s * c0 - c * s0, c * c0 + s * s0, by_t, by1, by2


@kernel
def edge_rates(own, S, rates):
    """The rates of t, v1 and v2 for velocities of all vectors."""
    t, v1, v2 = rates[0].zero, rates[0].zero, rates[0].zero
    for j in range(own.n):
        y = rates[own.vectors[j]]
        t += S[j] * y
        v1 += S[own.n + j] * y
        v2 += S[2 * own.n + j] * y
    return t, v1, v2


@outlined_kernel
def edge_of(model, i, k, p, x, of, whole):
    """t, v1 and v2 at point p of element k, a fold, straight from coordinates x[of ...]; whole: 0 for rates."""
    body = nodal_body(model, i)
    own, none = element_of(body, k), x[of] * Vec3(0.0, 0.0, 0.0)
    t, v1, v2, S = none, none, none, fold_point(own, p).S
    for j in range(own.n):
        a = own.vectors[j]
        y = 1.0 * whole * body.places[a] + displacement(body, x, of, a)
        t += S[j] * y
        v1 += S[own.n + j] * y
        v2 += S[2 * own.n + j] * y
    return t, v1, v2


@kernel
def fold_forces(model, i, q, e, flex):
    """Adds the forces of the folds to those on its vectors, whose velocities are known."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    rates, out, damped = vectors_at(flex, at.rates), vectors_at(flex, at.more), body.shell.c_bending
    for k in range(body.shells, body.shells + body.folds):
        own = element_of(body, k)
        for p in range(FOLD_POINTS):
            point, n = fold_point(own, p), own.n
            t, v1, v2 = edge_of(model, i, k, p, q, e, 1)
            moment, _, by_t, by1, by2 = folded(point, t, v1, v2)
            if damped != 0.0:
                dt, d1, d2 = edge_rates(own, point.S, rates)
                moment += damped * (by_t @ dt + by1 @ d1 + by2 @ d2)
            moment *= body.shell.fold * point.weight
            for j in range(n):
                f = point.S[j] * by_t + point.S[n + j] * by1 + point.S[2 * n + j] * by2
                out[own.vectors[j]] += moment * f


@kernel
def fold_energy(model, i, q, e):
    """Energy in the folds [J]."""
    body, energy = nodal_body(model, i), 0.0 * q[e]
    for k in range(body.shells, body.shells + body.folds):
        own = element_of(body, k)
        for p in range(FOLD_POINTS):
            point = fold_point(own, p)
            t, v1, v2 = edge_of(model, i, k, p, q, e, 1)
            sine, cosine, _, _, _ = folded(point, t, v1, v2)
            # 1 - cos without the loss of digits where the angle is small
            less = sine * sine / (1.0 + cosine) if cosine.real > 0.0 else 1.0 - cosine
            energy += body.shell.fold * point.weight * less
    return energy


@kernel
def fold_dissipation(model, i, q, e, v, ev):
    """Power dissipated in the folds [W]."""
    body, power = nodal_body(model, i), 0.0 * q[e] * v[ev]
    for k in range(body.shells, body.shells + body.folds):
        own = element_of(body, k)
        for p in range(FOLD_POINTS):
            point = fold_point(own, p)
            t, v1, v2 = edge_of(model, i, k, p, q, e, 1)
            dt, d1, d2 = edge_of(model, i, k, p, v, ev, 0)
            _, _, by_t, by1, by2 = folded(point, t, v1, v2)
            rate = by_t @ dt + by1 @ d1 + by2 @ d2
            power += body.shell.fold * body.shell.c_bending * point.weight * rate * rate
    return power
