"""Cables: a line of nodes with a place and a gradient each (absolute nodal coordinates), bending, stretching, damped.

Absolute nodal coordinate formulation (ANCF).

Between two nodes the line is the cubic r(s) = sum S_a(s) c_a of places and gradients c_a at its ends (Gerstmayr &
Shabana 2006, Nonlinear Dynamics 45, 109); its derivatives are those of the chord and the two gradients. With u = r',
w = r'', g = |u|, t = u / g, the strains are those of a line whose sections stay across it (Gerstmayr & Irschik 2008,
J. Sound and Vibration 318, 461): the stretch eps = g - 1 and the curvature in material measure, the vector
b = t' = P w / g with P = 1 - t t^T, so that no bending comes of stretching. The energy is
1/2 int EA (eps - eps_0)^2 + EI (|b| - kappa_0)^2 ds, and Kelvin and Voigt's damping adds c times the rates g' and P b',
the rate of b as an observer sees it that turns with the line. The forces in a section and what they do to u and w are

    n = EA (eps - eps_0 + c g') + N_0,               n t to u,
    m = EI ((1 - kappa_0 / |b|) b + c P b'),         m / g to w,   -(t (P w . m) / g + m (u . w) / g^2) / g to u,

which kernels/bodies/ancf_cable_forces.py sums over elements.

The mass is constant, and that of one direction has three diagonals beside the main one (`mass_answer`). Coordinates
and inertia are those of kernels/bodies/nodal_body.py, whose "nodes" are places and gradients in turn; forces are in the
axes of the coordinates, of which a place or a gradient has three, one (along x) or none.

A station: place (3), how many coordinates move it, of each its number, psi (3) and what it adds to the gradient (3);
then the direction of the line there without deformation (3), and the gradient (3).
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, cross, entrywise, outer, scaled_unit, skew
from ..body_data import vectors_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import add_value, put_value, vector_at
from ..scalar import root
from .nodal_layout import CABLE_SECTION, bending_points_at, nodal_body, station_of, stretch_points_at


@kernel
def entries_at(body, x, of, a):
    """The vector that the coordinates x[of ...] of place or gradient a are, zero along what is held."""
    k = of + body.first[a]
    count = of + body.first[a + 1] - k
    if count == 3:
        return vector_at(x, k)
    return Vec3(x[k] if count == 1 else 0.0 * x[of], 0.0, 0.0)


@kernel
def accumulate_at(body, x, of, a, y):
    """Adds the vector y to the entries x[of ...] of place or gradient a."""
    k = of + body.first[a]
    count = of + body.first[a + 1] - k
    if count == 3:
        add_value(x, k, y)
    elif count >= 1:
        x[k] += y.x


@kernel
def put_at(body, x, of, a, y):
    """Writes the vector y to the entries x[of ...] of place or gradient a."""
    k = of + body.first[a]
    count = of + body.first[a + 1] - k
    if count == 3:
        put_value(x, k, y)
    elif count >= 1:
        x[k] = y.x


@kernel
def behind_first(body):
    """Where the entries of place or gradient a, each three, begin less 3 a: of all but those of the first node."""
    return body.first[2] - 6


@kernel
def vector_of(body, x, of, a):
    """The entries x[of ...] of place or gradient a."""
    return entries_at(body, x, of, a) if a < 2 else vector_at(x, of + behind_first(body) + 3 * a)


@kernel
def put_vector(body, x, of, a, y):
    """Writes them."""
    if a < 2:
        put_at(body, x, of, a, y)
    else:
        put_value(x, of + behind_first(body) + 3 * a, y)


@kernel
def rests(model, i):
    """Whether cable i is welded to a world that does not turn and carries nothing: then only its forces and its weight
    matter."""
    if model.tree[i].parent != 0 or model.tree[i].nv != 0 or model.gravity.size > 3:
        return False
    for c in range(i + 1, len(model.tree)):
        if model.tree[c].parent == i:
            return False
    return True


@kernel
def points_of(body):
    """The points of the stretch, those of the curvature, and the vectors c_a without deformation."""
    stretch = stretch_points_at(body.line, CABLE_SECTION)
    bending = bending_points_at(stretch, body.stretch_points)
    return stretch, bending, vectors_at(bending, body.bending_points)


@kernel
def element_at(body, still, q, e, a):
    """Chord and gradients, a row each, of the element that begins at place a: differences of displacements, which lose
    no digits far from the origin."""
    moved = vector_of(body, q, e, a + 2) - vector_of(body, q, e, a)
    return Mat3(
        still[a + 2] - still[a] + moved,
        still[a + 1] + vector_of(body, q, e, a + 1),
        still[a + 3] + vector_of(body, q, e, a + 3),
    )


@kernel
def rates_at(body, v, ev, a):
    """The rates of what `element_at` gives."""
    chord = vector_of(body, v, ev, a + 2) - vector_of(body, v, ev, a)
    return Mat3(chord, vector_of(body, v, ev, a + 1), vector_of(body, v, ev, a + 3))


@kernel
def stretched(S_s, c, d):
    """Stretch g, direction t and rate g' at a point, for vectors c that change by d."""
    u = c.T @ S_s
    g = root(u @ u)
    t = 1.0 / g * u
    return g, t, t @ (d.T @ S_s)


@kernel
def bent(point, c):
    """u . w / g^2, g, t and P w of the line at a point."""
    u, w = c.T @ point.S_s, c.T @ point.S_ss
    G = u @ u
    g = root(G)
    h = (u @ w) / G
    return h, g, 1.0 / g * u, w - h * u


@kernel
def bending_rate(u, w, h, g, t, across):
    """P b' at a point where u and w change by u and w, after `bent`."""
    stretch = t @ u
    w -= (t @ w) * t
    u -= stretch * t
    return 1.0 / g * (w - (stretch / g * across + h * u))


@optional_kernel("cable", returns=1)
def cable_strain(model, i, q):
    """Energy stored in a cable, zero without deformation [J]."""
    body, e = nodal_body(model, i), model.tree[i].e
    cable = body.cable
    stretch, bending, still = points_of(body)
    energy = 0.0 * q[e]
    for k in range(body.elements):
        c = element_at(body, still, q, e, 2 * k)
        for p in range(body.stretch_points):
            point = stretch[p]
            g, _, _ = stretched(point.S_s, c, c)
            eps = g - 1.0 - point.eps_0
            energy += point.weight * eps * (0.5 * cable.EA * eps + cable.N_0)
        for p in range(body.bending_points):
            point = bending[p]
            _, g, _, across = bent(point, c)
            eps = g - 1.0 - point.eps_0
            energy += point.stretch * (eps * (0.5 * cable.EA * eps + cable.N_0))
            square = across @ across / (g * g)
            if point.kappa_0 != 0.0:
                kappa = root(square) - point.kappa_0
                square = kappa * kappa
            energy += 0.5 * point.weight * cable.EI * square
    return energy


@optional_kernel("cable", returns=1)
def cable_dissipation(model, i, q, v):
    """Power dissipated in a cable, int EA c g'^2 + EI c |P b'|^2 ds [W]."""
    body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
    stretch, bending, still = points_of(body)
    along, across_it = body.cable.EA * body.cable.c, body.cable.EI * body.cable.c_bending
    power = 0.0 * q[e] * v[ev]
    if along == 0.0 and across_it == 0.0:
        return power
    for k in range(body.elements):
        c, d = element_at(body, still, q, e, 2 * k), rates_at(body, v, ev, 2 * k)
        for p in range(body.stretch_points):
            _, _, rate = stretched(stretch[p].S_s, c, d)
            power += stretch[p].weight * along * rate * rate
        for p in range(body.bending_points):
            point = bending[p]
            h, g, t, across = bent(point, c)
            turn = bending_rate(d.T @ point.S_s, d.T @ point.S_ss, h, g, t, across)
            rate = t @ (d.T @ point.S_s)
            power += point.stretch * along * rate * rate
            power += point.weight * across_it * (turn @ turn)
    return power


@optional_kernel("cable", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def cable_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`; its axes are turned the shortest way from those without deformation.

    With t_0 the direction of the line there at first, b = t_0 x t and k = 1 / (1 + t_0 . t), R = (t_0 . t) 1 + b~ +
    k b b^T, and omega = t x t' - k t (b . t'): not where the line points back along t_0.
    """
    head, entries, end = station_of(floats, at)
    shapes, none = vectors_at(flex, base), vector_at(flex, 0).zero
    r, u, x, G, t0 = head.place + none, none, none, end.b + none, end.a
    # place, gradient G and their rates: what each coordinate moves, summed
    for j in range(head.count):
        psi, along, k = entries[j].psi, entries[j].theta, entries[j].k
        r += q[e + k] * psi
        u += v[ev + k] * psi
        G += q[e + k] * along
        x += v[ev + k] * along
    # the shortest turn from t_0 to the direction t of the gradient
    per = 1.0 / root(G @ G)
    t = per * G
    b, c = cross(t0, t), t0 @ t
    k = 1.0 / (1.0 + c)
    R = scaled_unit(c) + outer(k * b, b) + skew(b)
    # what a unit of each coordinate turns and moves the station by
    for j in range(head.count):
        y = per * entries[j].theta
        shapes[2 * j], shapes[2 * j + 1] = cross(t, y) - (k * (b @ y)) * t, entries[j].psi
    # the rate of the shapes times the rates: y' = -(t . x) y / |G|, t' across t
    x = per * x
    about = k * (b @ x)
    omega = cross(t, x) - about * t
    stretch = t @ x
    turn = x - stretch * t
    slope = cross(t0, turn) @ x - about * (t0 @ turn)
    alpha = cross(turn, x) - (about * turn + (k * slope) * t)
    return r, R, u, omega, none, alpha - stretch * omega


@optional_kernel("cable", returns=(Vec3, Vec3, Vec3))
def cable_point(floats, at, q, e, v, ev):
    """Place, velocity and gradient of the line at a station, in the body's axes: what `cable_station` gives without
    rotations and shapes."""
    head, entries, end = station_of(floats, at)
    u = (q[e] * v[ev]) * Vec3(0.0, 0.0, 0.0)
    r, G = head.place + u, end.b + u
    for j in range(head.count):
        entry = entries[j]
        x, psi = q[e + entry.k], entry.psi
        r, u = r + x * psi, u + v[ev + entry.k] * psi
        G += x * entry.theta
    return r, u, G


@optional_kernel("cable")
def push_point(floats, at, force, flex, be):
    """Takes what a force at a station, in the body's axes, does on the coordinates off flex[be ...]."""
    head, entries, _ = station_of(floats, at)
    for j in range(head.count):
        flex[be + entries[j].k] -= entries[j].psi @ force


@optional_kernel("cable", returns=1)
def cable_stretch(floats, at, q, e):
    """Length of the gradient of the line at a station: of the deformed line a length of that without deformation."""
    head, entries, end = station_of(floats, at)
    G = end.b + q[e] * Vec3(0.0, 0.0, 0.0)
    for j in range(head.count):
        G += q[e + entries[j].k] * entries[j].theta
    return root(G @ G)


@kernel
def factor_row(row, k):
    """Number k of a row of the factor of the mass, for x, y and z."""
    return Vec3(row.along[k], row.across[k], row.across[k])


@optional_kernel("cable")
def mass_answer(model, i, b, of, x, to):
    """x[to ...] = M_ee^-1 b[of ...] of a cable; b may be x. M_ee = L D L^T of each direction, three diagonals."""
    body = nodal_body(model, i)
    nodes, none = body.nodes, b[of] * Vec3(0.0, 0.0, 0.0)
    y1, y2, y3 = none, none, none
    for a in range(nodes):
        row = body.cable_factor[a]
        y = vector_of(body, b, of, a)
        y -= entrywise(factor_row(row, 2), y2) + entrywise(factor_row(row, 3), y3)
        y -= entrywise(factor_row(row, 1), y1)
        put_vector(body, x, to, a, y)
        y1, y2, y3 = y, y1, y2
    y1, y2, y3 = none, none, none
    for a in range(nodes - 1, -1, -1):
        row = body.cable_factor[a]
        y = entrywise(factor_row(row, 0), vector_of(body, x, to, a))
        if a + 3 < nodes:
            row = body.cable_factor[a + 3]
            y -= entrywise(factor_row(row, 3), y3)
        if a + 2 < nodes:
            row = body.cable_factor[a + 2]
            y -= entrywise(factor_row(row, 2), y2)
        if a + 1 < nodes:
            row = body.cable_factor[a + 1]
            y -= entrywise(factor_row(row, 1), y1)
        put_vector(body, x, to, a, y)
        y1, y2, y3 = y, y1, y2
