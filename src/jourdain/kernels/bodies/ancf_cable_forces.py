"""Elastic and damping forces of a cable, several elements at a time, and its inertia.

The equations are those of kernels/bodies/ancf_cable.py. Chord and gradients of `LANES` elements are laid so that the
same
number of all elements is together, and each point of quadrature is done for all of them before the next: loops that a
processor does two or four elements at a time. The scratch is rows of `LANES` numbers: chord and gradients
(9 rows), their rates (9), forces on them (9).
"""

from __future__ import annotations

from ..columns import EV, FLEX, FORCE, JW, MC, OMEGA, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate31, get, put, put31, vec1
from ..scalar import root
from ..spatial import add, add6, cross, dot, mat, put3, put6, rotate, rotate_back, rotate_sym, scale, sub, vec
from .ancf_cable import accumulate_at, entries_at, points_of, put_at, rests
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
    CABLE_MASS,
    CABLE_N0,
    ELEMENTS,
    LANES,
    NODAL_B,
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_NODES,
    NODAL_PLACES,
    NODAL_SHARES,
    NODE_BLOCK,
    OF_NODES,
    STRETCH_POINT,
    STRETCH_POINTS,
    STRETCH_REST,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)

CABLE_RATES, CABLE_FORCES = 9, 18
"""Rows of the scratch at which the rates of chord and gradients begin, and the forces on them."""


@kernel
def lane(flex, at, row):
    """Three rows of the scratch, of one element."""
    return (get(flex, at + LANES * row), get(flex, at + LANES * (row + 1)), get(flex, at + LANES * (row + 2)))


@kernel
def put_lane(flex, at, row, x):
    """Writes three rows of the scratch, of one element."""
    put(flex, at + LANES * row, x[0])
    put(flex, at + LANES * (row + 1), x[1])
    put(flex, at + LANES * (row + 2), x[2])


@kernel
def blend_lane(flex, at, row, s):
    """The sum of three numbers times chord and gradients, or their rates, of one element."""
    x = add(scale(s[0], lane(flex, at, row)), scale(s[1], lane(flex, at, row + 3)))
    return add(x, scale(s[2], lane(flex, at, row + 6)))


@kernel
def push_lane(flex, at, s, f, r, g):
    """Adds s_a f + r_a g to the forces on chord and gradients of one element."""
    x, y, z = lane(flex, at, CABLE_FORCES), lane(flex, at, CABLE_FORCES + 3), lane(flex, at, CABLE_FORCES + 6)
    put_lane(flex, at, CABLE_FORCES, add(x, add(scale(s[0], f), scale(r[0], g))))
    put_lane(flex, at, CABLE_FORCES + 3, add(y, add(scale(s[1], f), scale(r[1], g))))
    put_lane(flex, at, CABLE_FORCES + 6, add(z, add(scale(s[2], f), scale(r[2], g))))


@kernel
def pull_lane(flex, at, s, f):
    """Adds s_a f to the forces on chord and gradients of one element."""
    x, y, z = lane(flex, at, CABLE_FORCES), lane(flex, at, CABLE_FORCES + 3), lane(flex, at, CABLE_FORCES + 6)
    put_lane(flex, at, CABLE_FORCES, add(x, scale(s[0], f)))
    put_lane(flex, at, CABLE_FORCES + 3, add(y, scale(s[1], f)))
    put_lane(flex, at, CABLE_FORCES + 6, add(z, scale(s[2], f)))


@kernel
def vector_at(model, first, full, x, of, a):
    """The entries x[of ...] of place or gradient a; behind the first node each has three, from x[full + 3 a] on."""
    if a < 2:
        return entries_at(model, first, x, of, a)
    return vec1(x, full + 3 * a)


@kernel
def lay_lanes(model, i, k, elements, still, first, q, v, rates, flex, scratch):
    """Chord and gradients of the elements from k on, and their rates where they are wanted; no forces yet. The last
    element stands in for those that are not there."""
    floats, e, ev = model.floats, model.table[i, E], model.table[i, EV]
    behind = model.integers[first + 2] - 6
    none = (0.0 * get(q, e), 0.0 * get(q, e), 0.0 * get(q, e))
    for j in range(LANES):
        a, at = 2 * min(k + j, elements - 1), scratch + j
        rest = still + 3 * a
        moved = sub(vec1(q, e + behind + 3 * a + 6), vector_at(model, first, e + behind, q, e, a))
        put_lane(flex, at, 0, add(sub(vec1(floats, rest + 6), vec1(floats, rest)), moved))
        put_lane(flex, at, 3, add(vec1(floats, rest + 3), vector_at(model, first, e + behind, q, e, a + 1)))
        put_lane(flex, at, 6, add(vec1(floats, rest + 9), vec1(q, e + behind + 3 * a + 9)))
        if rates:
            moved = sub(vec1(v, ev + behind + 3 * a + 6), vector_at(model, first, ev + behind, v, ev, a))
            put_lane(flex, at, CABLE_RATES, moved)
            put_lane(flex, at, CABLE_RATES + 3, vector_at(model, first, ev + behind, v, ev, a + 1))
            put_lane(flex, at, CABLE_RATES + 6, vec1(v, ev + behind + 3 * a + 9))
        put_lane(flex, at, CABLE_FORCES, none)
        put_lane(flex, at, CABLE_FORCES + 3, none)
        put_lane(flex, at, CABLE_FORCES + 6, none)


@kernel
def stretch_lanes(floats, line, at, weight, rest, flex, scratch):
    """Adds the forces of the stretch at a point whose first derivatives begin at floats[at + 1]."""
    EA, damped, N0 = floats[line + CABLE_EA], floats[line + CABLE_C], floats[line + CABLE_N0]
    s = vec1(floats, at + 1)
    if damped != 0.0:
        for j in range(LANES):
            u = blend_lane(flex, scratch + j, 0, s)
            per = 1.0 / root(dot(u, u))
            rate = per * dot(u, blend_lane(flex, scratch + j, CABLE_RATES, s))
            n = EA * (per * dot(u, u) - 1.0 - rest + damped * rate) + N0
            f = scale(weight * n * per, u)
            pull_lane(flex, scratch + j, s, f)
        return
    for j in range(LANES):
        u = blend_lane(flex, scratch + j, 0, s)
        g = root(dot(u, u))
        f = scale(weight * (EA * (g - 1.0 - rest) + N0) / g, u)
        pull_lane(flex, scratch + j, s, f)


@kernel
def bending_lanes(floats, line, at, flex, scratch):
    """Adds the forces of stretch and curvature at a point without damping of the curvature and without a curvature at
    rest. With h = u . w / g^2, m = EI P w / g^2 in weight: m to w, -(t (P w . m) / g + h m) to u."""
    EA, EI, damped, N0 = (
        floats[line + CABLE_EA],
        floats[line + CABLE_EI],
        floats[line + CABLE_C],
        floats[line + CABLE_N0],
    )
    s, r = vec1(floats, at + 1), vec1(floats, at + 4)
    weight, along, rest = floats[at], floats[at + BENDING_STRETCH], floats[at + BENDING_STRETCH_REST]
    for j in range(LANES):
        u, w = blend_lane(flex, scratch + j, 0, s), blend_lane(flex, scratch + j, 0, r)
        per2 = 1.0 / dot(u, u)
        h = dot(u, w) * per2
        across = sub(w, scale(h, u))
        m = scale(weight * EI * per2, across)
        g = root(dot(u, u))
        n = along * (EA * (g - 1.0 - rest) + N0) * (g * per2)
        f = sub(scale(n - dot(across, m) * per2, u), scale(h, m))
        push_lane(flex, scratch + j, s, f, r, m)
    if damped != 0.0:
        for j in range(LANES):
            u = blend_lane(flex, scratch + j, 0, s)
            f = scale(along * EA * damped * dot(u, blend_lane(flex, scratch + j, CABLE_RATES, s)) / dot(u, u), u)
            pull_lane(flex, scratch + j, s, f)


@kernel
def bent_lanes(floats, line, at, flex, scratch):
    """Adds what a curvature at rest and damping of the curvature make of the forces at a point."""
    EI, damped, kappa = floats[line + CABLE_EI], floats[line + CABLE_CB], floats[at + BENDING_REST]
    s, r, weight = vec1(floats, at + 1), vec1(floats, at + 4), floats[at]
    for j in range(LANES):
        u, w = blend_lane(flex, scratch + j, 0, s), blend_lane(flex, scratch + j, 0, r)
        G = dot(u, u)
        g = root(G)
        h = dot(u, w) / G
        t, across = scale(1.0 / g, u), sub(w, scale(h, u))
        m = scale(0.0, across)
        if kappa != 0.0:
            m = scale(-EI * kappa / root(dot(across, across)), across)
        if damped != 0.0:
            x, y = blend_lane(flex, scratch + j, CABLE_RATES, s), blend_lane(flex, scratch + j, CABLE_RATES, r)
            stretch = dot(t, x)
            y = sub(y, scale(dot(t, y), t))
            x = sub(x, scale(stretch, t))
            turn = scale(1.0 / g, sub(y, add(scale(stretch / g, across), scale(h, x))))
            m = add(m, scale(EI * damped, turn))
        m = scale(weight / g, m)
        push_lane(flex, scratch + j, s, sub(scale(-dot(across, m) / g, t), scale(h, m)), r, m)


@kernel
def lay_forces(model, first, flex, to, full, a, up, over, more):
    """Writes the forces on place a and on the gradient behind it, or adds them where there are more."""
    if a == 0 and more:
        accumulate_at(model, first, flex, to, 0, up)
        accumulate_at(model, first, flex, to, 1, over)
    elif a == 0:
        put_at(model, first, flex, to, 0, up)
        put_at(model, first, flex, to, 1, over)
    elif more:
        accumulate31(flex, full + 3 * a, up)
        accumulate31(flex, full + 3 * a + 3, over)
    else:
        put31(flex, full + 3 * a, up)
        put31(flex, full + 3 * a + 3, over)


@optional_kernel("cable")
def cable_forces(model, i, q, v, flex, to, more):
    """The elastic and damping forces of a cable, flex[to ...]: added to what is there where there is more."""
    floats, first, line = model.floats, integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_LINE)
    stretch, bending, still = points_of(model, i)
    elements, nodes = chosen(model, i, ELEMENTS), chosen(model, i, NODAL_NODES)
    scratch = model.table[i, FLEX] + OF_NODES * model.table[i, N] + NODE_BLOCK * nodes
    full = to + model.integers[first + 2] - 6
    rates = floats[line + CABLE_C] != 0.0 or floats[line + CABLE_CB] != 0.0
    zero = 0.0 * get(q, model.table[i, E]) * get(v, model.table[i, EV])
    pulled, turned = (zero, zero, zero), (zero, zero, zero)
    for k in range(0, elements, LANES):
        lay_lanes(model, i, k, elements, still, first, q, v, rates, flex, scratch)
        for p in range(chosen(model, i, STRETCH_POINTS)):
            at = stretch + STRETCH_POINT * p
            stretch_lanes(floats, line, at, floats[at], floats[at + STRETCH_REST], flex, scratch)
        for p in range(chosen(model, i, BENDING_POINTS)):
            at = bending + BENDING_POINT * p
            bending_lanes(floats, line, at, flex, scratch)
            if floats[at + BENDING_REST] != 0.0 or floats[line + CABLE_CB] != 0.0:
                bent_lanes(floats, line, at, flex, scratch)
        for j in range(min(LANES, elements - k)):
            a, f = 2 * (k + j), lane(flex, scratch + j, CABLE_FORCES)
            up = sub(pulled, f)
            over = add(turned, lane(flex, scratch + j, CABLE_FORCES + 3))
            lay_forces(model, first, flex, to, full, a, up, over, more)
            pulled, turned = f, lane(flex, scratch + j, CABLE_FORCES + 6)
    lay_forces(model, first, flex, to, full, 2 * elements, pulled, turned, more)


@kernel
def lay_node(model, i, first, full, axes, places, x, of, a, whole, flex, to):
    """The vector of place or gradient a in the body's axes, with where it is without deformation or as a rate."""
    e = vector_at(model, first, full, x, of, a)
    d = add(add(scale(e[0], axes[0]), scale(e[1], axes[1])), scale(e[2], axes[2]))
    if whole:
        d = add(d, vec1(model.floats, places + 3 * a))
    put31(flex, to + 3 * a, d)
    return d


@kernel
def mass_row(floats, at, p0, g0, p1, g1):
    """Row of the mass of an element times its four vectors."""
    x = add(scale(get(floats, at), p0), scale(get(floats, at + 1), g0))
    return add(x, add(scale(get(floats, at + 2), p1), scale(get(floats, at + 3), g1)))


@kernel
def lay_masses(model, i, axes, x, of, whole, flex, d, y):
    """Vectors of all places and gradients into flex[d ...], and what the mass makes of them into flex[y ...]."""
    first, places = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_PLACES)
    mass = floats_of(model, i, NODAL_LINE) + CABLE_MASS
    full = of + model.integers[first + 2] - 6
    p0 = lay_node(model, i, first, full, axes, places, x, of, 0, whole, flex, d)
    g0 = lay_node(model, i, first, full, axes, places, x, of, 1, whole, flex, d)
    zero = 0.0 * p0[0]
    y0, y1 = (zero, zero, zero), (zero, zero, zero)
    elements = chosen(model, i, ELEMENTS)
    for k in range(elements):
        p1 = lay_node(model, i, first, full, axes, places, x, of, 2 * k + 2, whole, flex, d)
        g1 = lay_node(model, i, first, full, axes, places, x, of, 2 * k + 3, whole, flex, d)
        put31(flex, y + 6 * k, add(y0, mass_row(model.floats, mass, p0, g0, p1, g1)))
        put31(flex, y + 6 * k + 3, add(y1, mass_row(model.floats, mass + 4, p0, g0, p1, g1)))
        y0 = mass_row(model.floats, mass + 8, p0, g0, p1, g1)
        y1 = mass_row(model.floats, mass + 12, p0, g0, p1, g1)
        p0, g0 = p1, g1
    put31(flex, y + 6 * elements, y0)
    put31(flex, y + 6 * elements + 3, y1)


@optional_kernel("cable")
def cable_mass_times(model, i, x, of, out, to):
    """out[to ...] += the mass of the coordinates of cable i times x[of ...]."""
    first, mass = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_LINE) + CABLE_MASS
    behind = model.integers[first + 2] - 6
    p0, g0 = entries_at(model, first, x, of, 0), entries_at(model, first, x, of, 1)
    zero = 0.0 * p0[0]
    y0, y1 = (zero, zero, zero), (zero, zero, zero)
    for k in range(chosen(model, i, ELEMENTS)):
        p1, g1 = vec1(x, of + behind + 6 * k + 6), vec1(x, of + behind + 6 * k + 9)
        y0 = add(y0, mass_row(model.floats, mass, p0, g0, p1, g1))
        y1 = add(y1, mass_row(model.floats, mass + 4, p0, g0, p1, g1))
        if k == 0:
            accumulate_at(model, first, out, to, 0, y0)
            accumulate_at(model, first, out, to, 1, y1)
        else:
            accumulate31(out, to + behind + 6 * k, y0)
            accumulate31(out, to + behind + 6 * k + 3, y1)
        y0 = mass_row(model.floats, mass + 8, p0, g0, p1, g1)
        y1 = mass_row(model.floats, mass + 12, p0, g0, p1, g1)
        p0, g0 = p1, g1
    last = to + behind + 6 * chosen(model, i, ELEMENTS)
    accumulate31(out, last, y0)
    accumulate31(out, last + 3, y1)


@optional_kernel("cable")
def cable_accelerations(model, ws, i, a, effort, acceleration):
    """Of a cable that rests on the world: what acts on its coordinates, with its weight, to the accelerations' place;
    a is the acceleration that stands for gravity."""
    n, o, ev = model.table[i, N], model.table[i, FLEX], model.table[i, EV]
    b, first, shares = o + NODAL_B * n, integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_SHARES)
    ways = floats_of(model, i, WAYS) + 3 * model.integers[first + 2]
    a = rotate_back(mat(ws.work, i, ROT), a)
    floats = model.floats
    pull = (dot(vec1(floats, ways), a), dot(vec1(floats, ways + 3), a), dot(vec1(floats, ways + 6), a))
    for c in range(chosen(model, i, NODAL_NODES)):
        k = model.integers[first + c]
        count, share = model.integers[first + c + 1] - k, floats[shares + c]
        if count >= 1:
            put(acceleration, ev + k, get(effort, ev + k) - get(ws.flex, b + k) - share * pull[0])
        if count == 3:
            k += 1
            put(acceleration, ev + k, get(effort, ev + k) - get(ws.flex, b + k) - share * pull[1])
            k += 1
            put(acceleration, ev + k, get(effort, ev + k) - get(ws.flex, b + k) - share * pull[2])


@kernel
def product_inertia(d, y):
    """(d . y) 1 - (d y^T + y d^T) / 2, as xx yy zz xy xz yz."""
    return (
        d[1] * y[1] + d[2] * y[2],
        d[0] * y[0] + d[2] * y[2],
        d[0] * y[0] + d[1] * y[1],
        -0.5 * (d[0] * y[1] + d[1] * y[0]),
        -0.5 * (d[0] * y[2] + d[2] * y[0]),
        -0.5 * (d[1] * y[2] + d[2] * y[1]),
    )


@kernel
def lay_coordinate(flex, o, b, k, bias, y, share, w):
    """The blocks of coordinate k, which moves along w: its coupling with the frame, and the bias force."""
    put(flex, b + k, bias)
    put31(flex, o + 6 * k, cross(y, w))
    put31(flex, o + 6 * k + 3, scale(share, w))


@optional_kernel("cable")
def cable_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a cable, as `nodal_inertia` of a body with any matrices; of one that
    rests on the world, while only accelerations are wanted, the forces alone."""
    floats, integers, work, flex = model.floats, model.integers, ws.work, ws.flex
    n, o = model.table[i, N], model.table[i, FLEX]
    nodes, b = chosen(model, i, NODAL_NODES), o + NODAL_B * n
    d = o + OF_NODES * n
    y, rate, z = d + 3 * nodes, d + 6 * nodes, d + 9 * nodes
    first, shares = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_SHARES)
    ways = floats_of(model, i, WAYS) + 3 * integers[first + 2]
    R = mat(work, i, ROT)
    omega = rotate_back(R, vec(work, i, OMEGA))
    turns = omega[0] != 0.0 or omega[1] != 0.0 or omega[2] != 0.0
    zero = 0.0 * flex[0]
    # on a world at rest accelerations ask for the forces alone
    if rests(model, i) and ws.flags.brief:
        cable_forces(model, i, q, v, flex, b, False)
        return
    # places d of the nodes and M d = y, then their rates and M times those, in body axes
    none, six = (zero, zero, zero), (zero, zero, zero, zero, zero, zero)
    axes = (vec1(floats, ways), vec1(floats, ways + 3), vec1(floats, ways + 6))
    world = (rotate(R, axes[0]), rotate(R, axes[1]), rotate(R, axes[2]))
    lay_masses(model, i, axes, q, model.table[i, E], True, flex, d, y)
    lay_masses(model, i, axes, v, model.table[i, EV], False, flex, rate, z)
    c, force, moment, J = none, none, none, six
    # first moment sum m d, inertia sum of d and y, and what centrifugal and Coriolis accelerations take
    for a in range(nodes):
        da, ya, share = vec1(flex, d + 3 * a), vec1(flex, y + 3 * a), floats[shares + a]
        c = add(c, scale(share, da))
        J = add6(J, product_inertia(da, ya))
        G = none
        if turns:
            G = add(cross(omega, cross(omega, ya)), scale(2.0, cross(omega, vec1(flex, z + 3 * a))))
            force = add(force, scale(share, vec1(flex, rate + 3 * a)))
            moment = add(moment, cross(da, G))
        # the rows of M that couple a node's own coordinates with the frame, and their bias
        ya = rotate(R, ya)
        k = integers[first + a]
        count = integers[first + a + 1] - k
        if count >= 1:
            lay_coordinate(flex, o, b, k, dot(axes[0], G), ya, share, world[0])
        if count == 3:
            lay_coordinate(flex, o, b, k + 1, dot(axes[1], G), ya, share, world[1])
            lay_coordinate(flex, o, b, k + 2, dot(axes[2], G), ya, share, world[2])
    cable_forces(model, i, q, v, flex, b, True)
    # bias of the frame: omega x (omega x c + 2 c')
    force = cross(omega, add(cross(omega, c), scale(2.0, force)))
    put3(work, i, MC, rotate(R, c))
    put6(work, i, JW, rotate_sym(R, J))
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))
