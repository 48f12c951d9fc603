"""Elastic and damping forces of a cable, several elements at a time, and its inertia.

The equations are those of kernels/bodies/ancf_cable.py. Chord and gradients of `LANES` elements are laid so that the
same
number of all elements is together, and each point of quadrature is done for all of them before the next: loops that a
processor does two or four elements at a time. The scratch is rows of `LANES` numbers: chord and gradients
(9 rows), their rates (9), forces on them (9).
"""

from __future__ import annotations

from ..algebra import Mat3, Wrench, cross, outer, product_inertia, rotated
from ..body_data import numbers_at, vectors_at, wrenches_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import vector_at
from ..scalar import root
from .ancf_cable import accumulate_at, behind_first, entries_at, points_of, put_vector, rests, vector_of
from .nodal_layout import LANES, nodal_blocks, nodal_body

ROWS = 9 * LANES
"""Numbers of the scratch behind which the rates of chord and gradients begin, and behind as many the forces on them."""


@kernel
def lane(lanes, j):
    """Nine rows of the scratch, of element j: a matrix of three vectors by rows."""
    return Mat3(
        lanes[j], lanes[j + LANES], lanes[j + 2 * LANES],
        lanes[j + 3 * LANES], lanes[j + 4 * LANES], lanes[j + 5 * LANES],
        lanes[j + 6 * LANES], lanes[j + 7 * LANES], lanes[j + 8 * LANES],
    )  # fmt: skip


@kernel
def put_lane(lanes, j, x):
    """Writes them."""
    lanes[j], lanes[j + LANES], lanes[j + 2 * LANES] = x[0], x[1], x[2]
    lanes[j + 3 * LANES], lanes[j + 4 * LANES], lanes[j + 5 * LANES] = x[3], x[4], x[5]
    lanes[j + 6 * LANES], lanes[j + 7 * LANES], lanes[j + 8 * LANES] = x[6], x[7], x[8]


@kernel
def lay_lanes(body, k, still, q, e, v, ev, rates, lanes):
    """Chord and gradients of the elements from k on, and their rates where they are wanted; no forces yet. The last
    element stands in for those that are not there."""
    behind = behind_first(body)
    own, own_rates, none = vectors_at(q, e + behind), vectors_at(v, ev + behind), 0.0 * q[e]
    for j in range(LANES):
        a = 2 * min(k + j, body.elements - 1)
        chord = still[a + 2] - still[a] + (own[a + 2] - vector_of(body, q, e, a))
        put_lane(lanes, j, Mat3(chord, still[a + 1] + vector_of(body, q, e, a + 1), still[a + 3] + own[a + 3]))
        if rates:
            chord = own_rates[a + 2] - vector_of(body, v, ev, a)
            put_lane(lanes[ROWS:], j, Mat3(chord, vector_of(body, v, ev, a + 1), own_rates[a + 3]))
        put_lane(lanes[2 * ROWS :], j, Mat3(none, none, none, none, none, none, none, none, none))


@kernel
def pull_lane(lanes, j, s, f):
    """Adds s_a f to the forces on chord and gradients of one element."""
    put_lane(lanes[2 * ROWS :], j, lane(lanes[2 * ROWS :], j) + outer(s, f))


@kernel
def push_lane(lanes, j, s, f, r, g):
    """Adds s_a f + r_a g to the forces on chord and gradients of one element."""
    put_lane(lanes[2 * ROWS :], j, lane(lanes[2 * ROWS :], j) + (outer(s, f) + outer(r, g)))


@kernel
def stretch_lanes(cable, point, lanes):
    """Adds the forces of the stretch at a point."""
    EA, damped, N_0, rest, weight, s = cable.EA, cable.c, cable.N_0, point.eps_0, point.weight, point.S_s
    if damped != 0.0:
        for j in range(LANES):
            u = lane(lanes, j).T @ s
            per = 1.0 / root(u @ u)
            rate = per * (u @ (lane(lanes[ROWS:], j).T @ s))
            n = EA * (per * (u @ u) - 1.0 - rest + damped * rate) + N_0
            pull_lane(lanes, j, s, weight * n * per * u)
        return
    for j in range(LANES):
        u = lane(lanes, j).T @ s
        g = root(u @ u)
        pull_lane(lanes, j, s, weight * (EA * (g - 1.0 - rest) + N_0) / g * u)


@kernel
def bending_lanes(cable, point, lanes):
    """Adds the forces of stretch and curvature at a point without damping of the curvature and without a curvature at
    rest. With h = u . w / g^2, m = EI P w / g^2 in weight: m to w, -(t (P w . m) / g + h m) to u."""
    EA, EI, damped, N_0 = cable.EA, cable.EI, cable.c, cable.N_0
    s, r, weight, along, rest = point.S_s, point.S_ss, point.weight, point.stretch, point.eps_0
    for j in range(LANES):
        c = lane(lanes, j)
        u, w = c.T @ s, c.T @ r
        per2 = 1.0 / (u @ u)
        h = (u @ w) * per2
        across = w - h * u
        m = weight * EI * per2 * across
        g = root(u @ u)
        n = along * (EA * (g - 1.0 - rest) + N_0) * (g * per2)
        push_lane(lanes, j, s, (n - (across @ m) * per2) * u - h * m, r, m)
    if damped != 0.0:
        for j in range(LANES):
            u = lane(lanes, j).T @ s
            pull_lane(lanes, j, s, along * EA * damped * (u @ (lane(lanes[ROWS:], j).T @ s)) / (u @ u) * u)


@kernel
def bent_lanes(cable, point, lanes):
    """Adds what a curvature at rest and damping of the curvature make of the forces at a point."""
    EI, damped, kappa, s, r = cable.EI, cable.c_bending, point.kappa_0, point.S_s, point.S_ss
    for j in range(LANES):
        c = lane(lanes, j)
        u, w = c.T @ s, c.T @ r
        G = u @ u
        g = root(G)
        h = (u @ w) / G
        t, across = 1.0 / g * u, w - h * u
        m = across.zero
        if kappa != 0.0:
            m = -EI * kappa / root(across @ across) * across
        if damped != 0.0:
            d = lane(lanes[ROWS:], j)
            x, y = d.T @ s, d.T @ r
            stretch = t @ x
            y -= (t @ y) * t
            x -= stretch * t
            m += EI * damped * (1.0 / g * (y - (stretch / g * across + h * x)))
        m = point.weight / g * m
        push_lane(lanes, j, s, -(across @ m) / g * t - h * m, r, m)


@kernel
def lay_forces(body, flex, to, a, up, over, more):
    """Writes the forces on place a and on the gradient behind it, or adds them where there are more."""
    if more:
        up += vector_of(body, flex, to, a)
        over += vector_of(body, flex, to, a + 1)
    put_vector(body, flex, to, a, up)
    put_vector(body, flex, to, a + 1, over)


@optional_kernel("cable")
def cable_forces(model, i, q, v, flex, to, more):
    """The elastic and damping forces of a cable, flex[to ...]: added to what is there where there is more."""
    body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
    cable, lanes = body.cable, numbers_at(flex, nodal_blocks(model, i).lanes)
    stretch, bending, still = points_of(body)
    pulled, turned = vector_at(flex, 0).zero, vector_at(flex, 0).zero
    for k in range(0, body.elements, LANES):
        lay_lanes(body, k, still, q, e, v, ev, cable.c != 0.0 or cable.c_bending != 0.0, lanes)
        for p in range(body.stretch_points):
            stretch_lanes(cable, stretch[p], lanes)
        for p in range(body.bending_points):
            bending_lanes(cable, bending[p], lanes)
            if bending[p].kappa_0 != 0.0 or cable.c_bending != 0.0:
                bent_lanes(cable, bending[p], lanes)
        for j in range(min(LANES, body.elements - k)):
            f = lane(lanes[2 * ROWS :], j)
            lay_forces(body, flex, to, 2 * (k + j), pulled - f.x_row, turned + f.y_row, more)
            pulled, turned = f.x_row, f.z_row
    lay_forces(body, flex, to, 2 * body.elements, pulled, turned, more)


@kernel
def lay_node(body, axes, x, of, a, whole, d):
    """The vector of place or gradient a in the body's axes, with where it is without deformation or as a rate."""
    own = axes.T @ vector_of(body, x, of, a)
    if whole:
        own += body.places[a]
    d[a] = own
    return own


@kernel
def mass_row(mass, a, p0, g0, p1, g1):
    """Row a of the mass of an element times its four vectors."""
    return (mass[4 * a] * p0 + mass[4 * a + 1] * g0) + (mass[4 * a + 2] * p1 + mass[4 * a + 3] * g1)


@kernel
def lay_masses(body, axes, x, of, whole, d, y):
    """Vectors d of all places and gradients, and y, what the mass makes of them."""
    mass = body.cable.mass
    p0, g0 = lay_node(body, axes, x, of, 0, whole, d), lay_node(body, axes, x, of, 1, whole, d)
    y0, y1 = p0.zero, p0.zero
    for k in range(body.elements):
        p1 = lay_node(body, axes, x, of, 2 * k + 2, whole, d)
        g1 = lay_node(body, axes, x, of, 2 * k + 3, whole, d)
        y[2 * k] = y0 + mass_row(mass, 0, p0, g0, p1, g1)
        y[2 * k + 1] = y1 + mass_row(mass, 1, p0, g0, p1, g1)
        y0, y1 = mass_row(mass, 2, p0, g0, p1, g1), mass_row(mass, 3, p0, g0, p1, g1)
        p0, g0 = p1, g1
    y[2 * body.elements], y[2 * body.elements + 1] = y0, y1


@optional_kernel("cable")
def cable_mass_times(model, i, x, of, out, to):
    """out[to ...] += the mass of the coordinates of cable i times x[of ...]."""
    body = nodal_body(model, i)
    mass, behind = body.cable.mass, behind_first(body)
    own, answer = vectors_at(x, of + behind), vectors_at(out, to + behind)
    p0, g0 = entries_at(body, x, of, 0), entries_at(body, x, of, 1)
    y0, y1 = p0.zero, p0.zero
    for k in range(body.elements):
        p1, g1 = own[2 * k + 2], own[2 * k + 3]
        y0 += mass_row(mass, 0, p0, g0, p1, g1)
        y1 += mass_row(mass, 1, p0, g0, p1, g1)
        if k == 0:
            accumulate_at(body, out, to, 0, y0)
            accumulate_at(body, out, to, 1, y1)
        else:
            answer[2 * k] += y0
            answer[2 * k + 1] += y1
        y0, y1 = mass_row(mass, 2, p0, g0, p1, g1), mass_row(mass, 3, p0, g0, p1, g1)
        p0, g0 = p1, g1
    answer[2 * body.elements] += y0
    answer[2 * body.elements + 1] += y1


@kernel
def coordinate_axes(body):
    """The axes of the coordinates in the body's axes, a row each: those of the first vector that has three."""
    k = body.first[2]
    return Mat3(body.ways[k], body.ways[k + 1], body.ways[k + 2])


@optional_kernel("cable")
def cable_accelerations(model, ws, i, a, effort, acceleration):
    """Of a cable that rests on the world: what acts on its coordinates, with its weight, to the accelerations' place;
    a is the acceleration that stands for gravity."""
    body, ev, b = nodal_body(model, i), model.tree[i].ev, numbers_at(ws.flex, nodal_blocks(model, i).b)
    pull = coordinate_axes(body) @ (ws.bodies[i].R_WB.T @ a)
    for c in range(body.nodes):
        k, share = body.first[c], body.shares[c]
        count = body.first[c + 1] - k
        if count >= 1:
            acceleration[ev + k] = effort[ev + k] - b[k] - share * pull.x
        if count == 3:
            acceleration[ev + k + 1] = effort[ev + k + 1] - b[k + 1] - share * pull.y
            acceleration[ev + k + 2] = effort[ev + k + 2] - b[k + 2] - share * pull.z


@optional_kernel("cable")
def cable_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a cable, as `nodal_inertia` of a body with any matrices; of one that
    rests on the world, while only accelerations are wanted, the forces alone."""
    body, at, flex, state = nodal_body(model, i), nodal_blocks(model, i), ws.flex, ws.bodies[i]
    # on a world at rest accelerations ask for the forces alone
    if rests(model, i) and ws.flags.brief:
        cable_forces(model, i, q, v, flex, at.b, False)
        return
    d, y, rates, z = vectors_at(flex, at.d), vectors_at(flex, at.y), vectors_at(flex, at.rates), vectors_at(flex, at.z)
    coupling, b, R = wrenches_at(flex, at.coupling), numbers_at(flex, at.b), state.R_WB
    omega = R.T @ state.omega
    turns = omega.x != 0.0 or omega.y != 0.0 or omega.z != 0.0
    # places d of the nodes and M d = y, then their rates and M times those, in body axes
    none, axes = omega.zero, coordinate_axes(body)
    world = R @ axes.T
    lay_masses(body, axes, q, model.tree[i].e, True, d, y)
    lay_masses(body, axes, v, model.tree[i].ev, False, rates, z)
    c, force, moment, J = none, none, none, product_inertia(none, none)
    # first moment sum m d, inertia sum of d and y, and what centrifugal and Coriolis accelerations take
    for a in range(body.nodes):
        da, ya, share = d[a], y[a], body.shares[a]
        c += share * da
        J += product_inertia(da, ya)
        G = none
        if turns:
            G = cross(omega, cross(omega, ya)) + 2.0 * cross(omega, z[a])
            force += share * rates[a]
            moment += cross(da, G)
        # the rows of M that couple a node's own coordinates with the frame, and their bias
        ya, bias, k = R @ ya, axes @ G, body.first[a]
        count = body.first[a + 1] - k
        if count >= 1:
            b[k], coupling[k] = bias.x, Wrench(cross(ya, world.x_axis), share * world.x_axis)
        if count == 3:
            b[k + 1], coupling[k + 1] = bias.y, Wrench(cross(ya, world.y_axis), share * world.y_axis)
            b[k + 2], coupling[k + 2] = bias.z, Wrench(cross(ya, world.z_axis), share * world.z_axis)
    cable_forces(model, i, q, v, flex, at.b, True)
    # bias of the frame: omega x (omega x c + 2 c')
    state.first_moment, state.inertia = R @ c, rotated(R, J)
    state.bias_force = Wrench(R @ moment, R @ cross(omega, cross(omega, c) + 2.0 * force))
