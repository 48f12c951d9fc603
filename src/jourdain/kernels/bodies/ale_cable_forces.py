"""Strains of a cable on a winch: its elastic and damping forces, energy and dissipation.

Stretch and curvature are those of kernels/bodies/ancf_cable.py, of u = r_s and w = r_ss. At a point that keeps its
fraction
of an element they change with the length l as du/dl = -c / l and dw/dl = -(2 c2 + d2) / l, where c, c2 are the parts of
places and d2 that of gradients; a particle moves to other fractions besides, and has (1 - xi) w and (1 - xi) w' more.
The elastic force on the length is the derivative of the energy, whose weights h = l / N change with it; damping is by
the rates of particles.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, get, vec1
from ..scalar import root
from ..spatial import add, dot, scale, sub
from .ale_cable_layout import (
    MASS_POINT,
    REEL_C,
    REEL_CB,
    REEL_EA,
    REEL_EI,
    REEL_ELEMENTS,
    REEL_GRADIENTS,
    REEL_MASS_POINTS,
    REEL_OUT,
    REEL_POINTS,
    REEL_RADIUS,
    REEL_STRAIN_POINTS,
    STRAIN_POINT,
)


@kernel
def entry_of(held, j, a):
    """The first coordinate, and how many, of function a of element j: place and gradient at its first node, then at its
    second. The outlet holds its place, and lets one or all three (held) of its gradient move."""
    node = j + a // 2
    if node == 0:
        return 1, held * (a % 2)
    return 1 + held + 6 * (node - 1) + 3 * (a % 2), 3


@kernel
def node_of(x, of, held, node):
    """Place and gradient of a node, of the coordinates that begin at x[of]."""
    zero = 0.0 * get(x, of)
    none = (zero, zero, zero)
    if node == 0:
        if held == 3:
            return none, vec1(x, of + 1)
        return none, (get(x, of + 1), zero, zero)
    at = of + 1 + held + 6 * (node - 1)
    return vec1(x, at), vec1(x, at + 3)


@kernel
def in_line(floats, at, a, b):
    """a and b times numbers at `at` and two behind: places and gradients stand in turn."""
    x, y = get(floats, at), get(floats, at + 2)
    return (x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2])


@kernel
def strain_points(model, i):
    """Where the points of the strains begin, and how many there are."""
    own = model.table[i, INTEGERS]
    first = model.table[i, FLOATS] + REEL_POINTS + MASS_POINT * model.integers[own + REEL_MASS_POINTS]
    return first, model.integers[own + REEL_STRAIN_POINTS]


@kernel
def strained(floats, at, h, p0, g0, p1, g1):
    """Of vectors of nodes at a point of the strains: c, c2, d2, and u less its x, w."""
    c = scale(1.0 / h, in_line(floats, at + 3, p0, p1))
    c2 = scale(1.0 / (h * h), in_line(floats, at + 7, p0, p1))
    d2 = scale(1.0 / h, in_line(floats, at + 8, g0, g1))
    return c, c2, d2, add(c, in_line(floats, at + 4, g0, g1)), add(c2, d2)


@kernel
def third(floats, at, h, p0, g0, p1, g1):
    """r_sss at a point of the strains."""
    more = scale(1.0 / (h * h), in_line(floats, at + 12, g0, g1))
    return add(scale(1.0 / (h * h * h), in_line(floats, at + 11, p0, p1)), more)


@kernel
def bending(g, t, h, P, m):
    """What a moment m does to u and w: P = P w, h = u . w / g^2."""
    to_u = scale(-1.0 / g, add(scale(dot(P, m) / g, t), scale(h, m)))
    return to_u, scale(1.0 / g, m)


@kernel
def turning_rate(g, t, h, P, du, dw):
    """P b' of the curvature b = P w / g, where u and w change by du and dw."""
    stretch = dot(t, du)
    dw = sub(dw, scale(dot(t, dw), t))
    du = sub(du, scale(stretch, t))
    return scale(1.0 / g, sub(dw, add(scale(stretch / g, P), scale(h, du))))


@kernel
def line_at(u, w):
    """|u|, its direction t, h = u . w / g^2 and P w, for u and w of a line."""
    square = dot(u, u)
    g = root(square)
    h = dot(u, w) / square
    return g, scale(1.0 / g, u), h, sub(w, scale(h, u))


@kernel
def push(flex, be, held, j, floats, at, h, fu, fw):
    """Adds the forces fu and fw, on u and w at a point of element j, to the nodes."""
    for a in range(4):
        k, count = entry_of(held, j, a)
        first, second = get(floats, at + 3 + a), get(floats, at + 7 + a)
        x = first * (1.0 if a % 2 == 1 else 1.0 / h)
        y = second * (1.0 / h if a % 2 == 1 else 1.0 / (h * h))
        for c in range(count):
            accumulate(flex, be + k + c, x * fu[c] + y * fw[c])


@kernel
def elastic_forces(model, ws, i, q, v, length, rate):
    """Adds the forces of strains and of damping to the block b of body i."""
    floats, flex = model.floats, ws.flex
    n, body, own = model.table[i, N], model.table[i, FLOATS], model.table[i, INTEGERS]
    e, ev, be = model.table[i, E], model.table[i, EV], model.table[i, FLEX] + 6 * n + n * n
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    EA, EI = floats[body + REEL_EA], floats[body + REEL_EI]
    along, around = EA * floats[body + REEL_C], EI * floats[body + REEL_CB]
    points, count = strain_points(model, i)
    h = length / elements
    zero = 0.0 * length
    none, x = (zero, zero, zero), (1.0 + zero, zero, zero)
    feels = zero
    for j in range(elements):
        p0, g0 = node_of(q, e, held, j)
        p1, g1 = node_of(q, e, held, j + 1)
        w0, x0 = node_of(v, ev, held, j)
        w1, x1 = node_of(v, ev, held, j + 1)
        for k in range(count):
            at = points + STRAIN_POINT * k
            left = 1.0 - (j + floats[at]) / elements
            stretch, curve = h * floats[at + 1], h * floats[at + 2]
            c, c2, d2, moved, w = strained(floats, at, h, p0, g0, p1, g1)
            g, t, slant, P = line_at(add(x, moved), w)
            # |u| - 1 without a difference of numbers near 1
            eps = dot(moved, add(moved, scale(2.0, x))) / (g + 1.0)
            b = scale(1.0 / g, P)
            by_u, by_w = scale(-1.0 / length, c), scale(-1.0 / length, add(scale(2.0, c2), d2))
            # elastic: forces on u and w, and the derivative of the energy by the length
            fu, fw = scale(stretch * EA * eps, t), none
            if floats[at + 2] > 0.0:
                mu, fw = bending(g, t, slant, P, scale(curve * EI, b))
                fu = add(fu, mu)
            density = 0.5 * (floats[at + 1] * EA * eps * eps + floats[at + 2] * EI * dot(b, b))
            feels += dot(fu, by_u) + dot(fw, by_w) + density / elements
            # damping: rates of particles
            if along > 0.0 or around > 0.0:
                du = add(by_u, scale(left, w))
                dw = add(by_w, scale(left, third(floats, at, h, p0, g0, p1, g1)))
                _, _, _, u_rate, w_rate = strained(floats, at, h, w0, x0, w1, x1)
                u_rate, w_rate = add(u_rate, scale(rate, du)), add(w_rate, scale(rate, dw))
                du_force, dw_force = scale(stretch * along * dot(t, u_rate), t), none
                if floats[at + 2] > 0.0:
                    m = scale(curve * around, turning_rate(g, t, slant, P, u_rate, w_rate))
                    mu, dw_force = bending(g, t, slant, P, m)
                    du_force = add(du_force, mu)
                feels += dot(du_force, du) + dot(dw_force, dw)
                fu, fw = add(fu, du_force), add(fw, dw_force)
            push(flex, be, held, j, floats, at, h, fu, fw)
    accumulate(flex, be, floats[body + REEL_RADIUS] * feels)


@optional_kernel("ale", returns=1)
def ale_strain(model, i, q):
    """Energy stored in what is out of a cable on a winch [J]."""
    floats, body, own, e = model.floats, model.table[i, FLOATS], model.table[i, INTEGERS], model.table[i, E]
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    points, count = strain_points(model, i)
    h = (floats[body + REEL_OUT] + floats[body + REEL_RADIUS] * q[e]) / elements
    energy = 0.0 * q[e]
    x = (1.0 + energy, energy, energy)
    for j in range(elements):
        p0, g0 = node_of(q, e, held, j)
        p1, g1 = node_of(q, e, held, j + 1)
        for k in range(count):
            at = points + STRAIN_POINT * k
            _, _, _, moved, w = strained(floats, at, h, p0, g0, p1, g1)
            g, _, _, P = line_at(add(x, moved), w)
            eps = dot(moved, add(moved, scale(2.0, x))) / (g + 1.0)
            bent = floats[at + 2] * floats[body + REEL_EI] * dot(P, P) / (g * g)
            energy += 0.5 * h * (floats[at + 1] * floats[body + REEL_EA] * eps * eps + bent)
    return energy


@optional_kernel("ale", returns=1)
def ale_dissipation(model, i, q, v):
    """Power dissipated in it, int EA c g'^2 + EI c |P b'|^2 ds of the rates of particles [W]."""
    floats, body, own = model.floats, model.table[i, FLOATS], model.table[i, INTEGERS]
    e, ev = model.table[i, E], model.table[i, EV]
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    along, around = (
        floats[body + REEL_EA] * floats[body + REEL_C],
        floats[body + REEL_EI] * floats[body + REEL_CB],
    )
    power = 0.0 * q[e] * v[ev]
    if along == 0.0 and around == 0.0:
        return power
    points, count = strain_points(model, i)
    radius = floats[body + REEL_RADIUS]
    length, rate = floats[body + REEL_OUT] + radius * q[e], radius * v[ev]
    h = length / elements
    x = (1.0 + 0.0 * power, 0.0 * power, 0.0 * power)
    for j in range(elements):
        p0, g0 = node_of(q, e, held, j)
        p1, g1 = node_of(q, e, held, j + 1)
        w0, x0 = node_of(v, ev, held, j)
        w1, x1 = node_of(v, ev, held, j + 1)
        for k in range(count):
            at = points + STRAIN_POINT * k
            left = 1.0 - (j + floats[at]) / elements
            c, c2, d2, moved, w = strained(floats, at, h, p0, g0, p1, g1)
            g, t, slant, P = line_at(add(x, moved), w)
            du = sub(scale(left, w), scale(1.0 / length, c))
            dw = sub(scale(left, third(floats, at, h, p0, g0, p1, g1)), scale(1.0 / length, add(scale(2.0, c2), d2)))
            _, _, _, u_rate, w_rate = strained(floats, at, h, w0, x0, w1, x1)
            u_rate, w_rate = add(u_rate, scale(rate, du)), add(w_rate, scale(rate, dw))
            stretching, turning = dot(t, u_rate), turning_rate(g, t, slant, P, u_rate, w_rate)
            power += h * floats[at + 1] * along * stretching * stretching
            power += h * floats[at + 2] * around * dot(turning, turning)
    return power
