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

from ..columns import DOFS, EV, PARENT, E
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, get, put, put31, vec1
from ..scalar import root
from ..spatial import add, cross, dot, scale, sub
from .nodal_layout import (
    BENDING_POINT,
    BENDING_POINTS,
    BENDING_REST,
    BENDING_STRETCH,
    BENDING_STRETCH_REST,
    CABLE_C,
    CABLE_CB,
    CABLE_EA,
    CABLE_EI,
    CABLE_FACTOR,
    CABLE_N0,
    CABLE_POINTS,
    ELEMENTS,
    FACTORED,
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_NODES,
    STATION_COUNT,
    STATION_ENTRY,
    STRETCH_POINT,
    STRETCH_POINTS,
    STRETCH_REST,
    chosen,
    floats_of,
    integers_of,
)


@kernel
def entries_at(model, first, x, of, a):
    """The vector that the coordinates x[of ...] of place or gradient a are, zero along what is held."""
    k = model.integers[first + a]
    count = model.integers[first + a + 1] - k
    zero = 0.0 * get(x, of)
    if count == 3:
        return vec1(x, of + k)
    return (get(x, of + k) if count == 1 else zero, zero, zero)


@kernel
def accumulate_at(model, first, x, of, a, y):
    """Adds the vector y to the entries x[of ...] of place or gradient a."""
    k = model.integers[first + a]
    count = model.integers[first + a + 1] - k
    if count >= 1:
        accumulate(x, of + k, y[0])
    if count == 3:
        accumulate(x, of + k + 1, y[1])
        accumulate(x, of + k + 2, y[2])


@kernel
def put_at(model, first, x, of, a, y):
    """Writes the vector y to the entries x[of ...] of place or gradient a."""
    k = model.integers[first + a]
    count = model.integers[first + a + 1] - k
    if count >= 1:
        put(x, of + k, y[0])
    if count == 3:
        put(x, of + k + 1, y[1])
        put(x, of + k + 2, y[2])


@kernel
def rests(model, i):
    """Whether cable i is welded to a world that does not turn and carries nothing: then only its forces and its weight
    matter."""
    table = model.table
    if table[i, PARENT] != 0 or table[i, DOFS] != 0 or model.gravity.size > 3:
        return False
    for c in range(i + 1, table.shape[0]):
        if table[c, PARENT] == i:
            return False
    return True


@kernel
def blend(floats, at, c):
    """The sum of three numbers from `at` on times three vectors."""
    x = add(scale(get(floats, at), c[0]), scale(get(floats, at + 1), c[1]))
    return add(x, scale(get(floats, at + 2), c[2]))


@kernel
def points_of(model, i):
    """Where the points of the stretch, those of the curvature, and the vectors c_a without deformation begin."""
    stretch = floats_of(model, i, NODAL_LINE) + CABLE_POINTS
    bending = stretch + STRETCH_POINT * chosen(model, i, STRETCH_POINTS)
    return stretch, bending, bending + BENDING_POINT * chosen(model, i, BENDING_POINTS)


@kernel
def element_at(model, first, still, q, e, a):
    """Chord and gradients of the element that begins at place a: differences of displacements, which lose no digits far
    from the origin."""
    floats = model.floats
    moved = sub(entries_at(model, first, q, e, a + 2), entries_at(model, first, q, e, a))
    return (
        add(sub(vec1(floats, still + 3 * a + 6), vec1(floats, still + 3 * a)), moved),
        add(vec1(floats, still + 3 * a + 3), entries_at(model, first, q, e, a + 1)),
        add(vec1(floats, still + 3 * a + 9), entries_at(model, first, q, e, a + 3)),
    )


@kernel
def rates_at(model, first, v, ev, a):
    """The rates of what `element_at` gives."""
    return (
        sub(entries_at(model, first, v, ev, a + 2), entries_at(model, first, v, ev, a)),
        entries_at(model, first, v, ev, a + 1),
        entries_at(model, first, v, ev, a + 3),
    )


@kernel
def stretched(floats, at, c, d):
    """Stretch g, direction t and rate g' at a point, for vectors c that change by d."""
    u = blend(floats, at + 1, c)
    g = root(dot(u, u))
    t = scale(1.0 / g, u)
    return g, t, dot(t, blend(floats, at + 1, d))


@kernel
def bent(floats, at, c):
    """u . w / g^2, g, t and P w of the line at a point."""
    u, w = blend(floats, at + 1, c), blend(floats, at + 4, c)
    G = dot(u, u)
    g = root(G)
    h = dot(u, w) / G
    return h, g, scale(1.0 / g, u), sub(w, scale(h, u))


@kernel
def bending_rate(floats, at, d, h, g, t, across):
    """P b' at a point, for vectors that change by d, after `bent`."""
    u, w = blend(floats, at + 1, d), blend(floats, at + 4, d)
    stretch = dot(t, u)
    w = sub(w, scale(dot(t, w), t))
    u = sub(u, scale(stretch, t))
    return scale(1.0 / g, sub(w, add(scale(stretch / g, across), scale(h, u))))


@optional_kernel("cable", returns=1)
def cable_strain(model, i, q):
    """Energy stored in a cable, zero without deformation [J]."""
    floats, e = model.floats, model.table[i, E]
    first, line = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_LINE)
    stretch, bending, still = points_of(model, i)
    energy = 0.0 * get(q, e)
    for k in range(chosen(model, i, ELEMENTS)):
        c = element_at(model, first, still, q, e, 2 * k)
        for p in range(chosen(model, i, STRETCH_POINTS)):
            at = stretch + STRETCH_POINT * p
            g, _, _ = stretched(floats, at, c, c)
            eps = g - 1.0 - floats[at + STRETCH_REST]
            energy += floats[at] * eps * (0.5 * floats[line + CABLE_EA] * eps + floats[line + CABLE_N0])
        for p in range(chosen(model, i, BENDING_POINTS)):
            at = bending + BENDING_POINT * p
            _, g, _, across = bent(floats, at, c)
            eps = g - 1.0 - floats[at + BENDING_STRETCH_REST]
            work = eps * (0.5 * floats[line + CABLE_EA] * eps + floats[line + CABLE_N0])
            energy += floats[at + BENDING_STRETCH] * work
            square = dot(across, across) / (g * g)
            if floats[at + BENDING_REST] != 0.0:
                kappa = root(square) - floats[at + BENDING_REST]
                square = kappa * kappa
            energy += 0.5 * floats[at] * floats[line + CABLE_EI] * square
    return energy


@optional_kernel("cable", returns=1)
def cable_dissipation(model, i, q, v):
    """Power dissipated in a cable, int EA c g'^2 + EI c |P b'|^2 ds [W]."""
    floats, e, ev = model.floats, model.table[i, E], model.table[i, EV]
    first, line = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_LINE)
    stretch, bending, still = points_of(model, i)
    along, across_it = (
        floats[line + CABLE_EA] * floats[line + CABLE_C],
        floats[line + CABLE_EI] * floats[line + CABLE_CB],
    )
    power = 0.0 * get(q, e) * get(v, ev)
    if along == 0.0 and across_it == 0.0:
        return power
    for k in range(chosen(model, i, ELEMENTS)):
        c, d = element_at(model, first, still, q, e, 2 * k), rates_at(model, first, v, ev, 2 * k)
        for p in range(chosen(model, i, STRETCH_POINTS)):
            at = stretch + STRETCH_POINT * p
            _, _, rate = stretched(floats, at, c, d)
            power += floats[at] * along * rate * rate
        for p in range(chosen(model, i, BENDING_POINTS)):
            at = bending + BENDING_POINT * p
            h, g, t, across = bent(floats, at, c)
            turn = bending_rate(floats, at, d, h, g, t, across)
            rate = dot(t, blend(floats, at + 1, d))
            power += floats[at + BENDING_STRETCH] * along * rate * rate
            power += floats[at] * across_it * dot(turn, turn)
    return power


@optional_kernel("cable", returns=(3, 9, 3, 3, 3, 3))
def cable_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`; its axes are turned the shortest way from those without deformation.

    With t_0 the direction of the line there at first, b = t_0 x t and k = 1 / (1 + t_0 . t), R = (t_0 . t) 1 + b~ +
    k b b^T, and omega = t x t' - k t (b . t'): not where the line points back along t_0.
    """
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    behind = first + STATION_ENTRY * count
    r, u, x = add(vec1(floats, at), none), none, none
    G, t0 = add(vec1(floats, behind + 3), none), vec1(floats, behind)
    # place, gradient G and their rates: what each coordinate moves, summed
    for j in range(count):
        entry = first + STATION_ENTRY * j
        k = int(floats[entry])
        psi, along = vec1(floats, entry + 1), vec1(floats, entry + 4)
        r = add(r, scale(q[e + k], psi))
        u = add(u, scale(v[ev + k], psi))
        G = add(G, scale(q[e + k], along))
        x = add(x, scale(v[ev + k], along))
    # the shortest turn from t_0 to the direction t of the gradient
    per = 1.0 / root(dot(G, G))
    t = scale(per, G)
    b, c = cross(t0, t), dot(t0, t)
    k = 1.0 / (1.0 + c)
    R = (
        c + k * b[0] * b[0],
        k * b[0] * b[1] - b[2],
        k * b[0] * b[2] + b[1],
        k * b[0] * b[1] + b[2],
        c + k * b[1] * b[1],
        k * b[1] * b[2] - b[0],
        k * b[0] * b[2] - b[1],
        k * b[1] * b[2] + b[0],
        c + k * b[2] * b[2],
    )
    # what a unit of each coordinate turns and moves the station by
    for j in range(count):
        entry = first + STATION_ENTRY * j
        y = add(scale(per, vec1(floats, entry + 4)), none)
        put31(flex, base + 6 * j, sub(cross(t, y), scale(k * dot(b, y), t)))
        put31(flex, base + 6 * j + 3, add(vec1(floats, entry + 1), none))
    # the rate of the shapes times the rates: y' = -(t . x) y / |G|, t' across t
    x = scale(per, x)
    omega = sub(cross(t, x), scale(k * dot(b, x), t))
    stretch = dot(t, x)
    turn = sub(x, scale(stretch, t))
    slope = dot(cross(t0, turn), x) - k * dot(b, x) * dot(t0, turn)
    alpha = sub(cross(turn, x), add(scale(k * dot(b, x), turn), scale(k * slope, t)))
    return r, R, u, omega, none, sub(alpha, scale(stretch, omega))


@optional_kernel("cable", returns=(3, 3, 3))
def cable_point(floats, at, q, e, v, ev):
    """Place, velocity and gradient of the line at a station, in the body's axes: what `cable_station` gives without
    rotations and shapes."""
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    zero = 0.0 * get(q, e) * get(v, ev)
    u = (zero, zero, zero)
    r, G = add(vec1(floats, at), u), add(vec1(floats, first + STATION_ENTRY * count + 3), u)
    for j in range(count):
        entry = first + STATION_ENTRY * j
        k = int(floats[entry])
        x, psi = get(q, e + k), vec1(floats, entry + 1)
        r, u = add(r, scale(x, psi)), add(u, scale(get(v, ev + k), psi))
        G = add(G, scale(x, vec1(floats, entry + 4)))
    return r, u, G


@optional_kernel("cable")
def push_point(floats, at, force, flex, be):
    """Takes what a force at a station, in the body's axes, does on the coordinates off flex[be ...]."""
    first = at + STATION_COUNT + 1
    for j in range(int(floats[at + STATION_COUNT])):
        entry = first + STATION_ENTRY * j
        accumulate(flex, be + int(floats[entry]), -dot(vec1(floats, entry + 1), force))


@optional_kernel("cable", returns=1)
def cable_stretch(floats, at, q, e):
    """Length of the gradient of the line at a station: of the deformed line a length of that without deformation."""
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    G = add(vec1(floats, first + STATION_ENTRY * count + 3), scale(0.0 * get(q, e), vec1(floats, at)))
    for j in range(count):
        entry = first + STATION_ENTRY * j
        G = add(G, scale(q[e + int(floats[entry])], vec1(floats, entry + 4)))
    return root(dot(G, G))


@kernel
def times(a, b):
    """Products entry by entry."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@kernel
def factor_row(floats, at, k):
    """Number k of a row of the factor of the mass, for x, y and z."""
    across = get(floats, at + 4 + k)
    return (get(floats, at + k), across, across)


@optional_kernel("cable")
def mass_answer(model, i, b, of, x, to):
    """x[to ...] = M_ee^-1 b[of ...] of a cable; b may be x. M_ee = L D L^T of each direction, three diagonals."""
    floats, first, factor = model.floats, integers_of(model, i, NODAL_FIRST), floats_of(model, i, FACTORED)
    zero = 0.0 * get(b, of)
    none = (zero, zero, zero)
    y1, y2, y3 = none, none, none
    nodes = chosen(model, i, NODAL_NODES)
    behind = model.integers[first + 2] - 6  # all vectors but those of the first node have three entries
    for a in range(nodes):
        at = factor + CABLE_FACTOR * a
        y = entries_at(model, first, b, of, a) if a < 2 else vec1(b, of + behind + 3 * a)
        y = sub(y, add(times(factor_row(floats, at, 2), y2), times(factor_row(floats, at, 3), y3)))
        y = sub(y, times(factor_row(floats, at, 1), y1))
        if a < 2:
            put_at(model, first, x, to, a, y)
        else:
            put31(x, to + behind + 3 * a, y)
        y1, y2, y3 = y, y1, y2
    y1, y2, y3 = none, none, none
    for a in range(nodes - 1, -1, -1):
        at = factor + CABLE_FACTOR * a
        y = entries_at(model, first, x, to, a) if a < 2 else vec1(x, to + behind + 3 * a)
        y = times(factor_row(floats, at, 0), y)
        if a + 3 < nodes:
            y = sub(y, times(factor_row(floats, at + 3 * CABLE_FACTOR, 3), y3))
        if a + 2 < nodes:
            y = sub(y, times(factor_row(floats, at + 2 * CABLE_FACTOR, 2), y2))
        if a + 1 < nodes:
            y = sub(y, times(factor_row(floats, at + CABLE_FACTOR, 1), y1))
        if a < 2:
            put_at(model, first, x, to, a, y)
        else:
            put31(x, to + behind + 3 * a, y)
        y1, y2, y3 = y, y1, y2
