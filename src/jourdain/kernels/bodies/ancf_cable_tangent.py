"""The matrix of an implicit step of a cable, S = M + C / mu + K / (mu nu), and its factor in blocks of nodes.

K is the exact second derivative of the energy (kernels/bodies/ancf_cable.py), with the force that the damping adds to
the stretch; C = EA c t t^T and EI c B^T B, P b' = B (u', w'). Where a line under pressure makes S indefinite, S is
taken without what forces contribute to K, which is positive. Only neighbouring nodes meet, so that S is of blocks of
6 by 6, those S_kk of nodes and B_k = S_(k,k-1); its factor is W_k = B_k D_(k-1)^-1 and the inverse of D_k = S_kk -
W_k B_k^T. A node has 57 numbers: B_k or W_k by rows, then of S_kk or the inverse of D_k, which are symmetric, the rows
up to the diagonal: every correction walks through all of them twice, and the fewer they are, the longer the cables
whose factor stays in the second cache. What of the first node is held has one on the diagonal.
"""

from __future__ import annotations

from ..algebra import Motion, Wrench, outer, scaled_unit
from ..compiler import entry_point, kernel, optional_kernel
from ..flat_arrays import add_value, motion_at, put_value, wrench_at
from ..model_arrays import ModelArrays
from ..scalar import root
from ..signatures import Vector
from .ancf_cable import behind_first, bent, element_at, entries_at, points_of, put_at, rates_at, stretched
from .nodal_layout import CABLE_BLOCK, OF_NODE, nodal_body


@kernel
def below(row, column):
    """Where an entry on or below the diagonal is among the numbers of a symmetric matrix."""
    return row * (row + 1) // 2 + column


@kernel
def either(row, column):
    """`below` of an entry or of its transpose."""
    return below(row, column) if column <= row else below(column, row)


@kernel
def lay_block(a, b, block, values, at):
    """Adds the block of vectors a and b <= a of the line to the blocks of nodes, values[at ...]; of a symmetric one
    what is not above the diagonal."""
    at += CABLE_BLOCK * (a // 2)
    if a // 2 != b // 2:
        to = at + 18 * (a % 2) + 3 * (b % 2)
        add_value(values, to, block.x_row)
        add_value(values, to + 6, block.y_row)
        add_value(values, to + 12, block.z_row)
        return
    row, column = 3 * (a % 2), 3 * (b % 2)
    at += OF_NODE + column
    first, second, third = at + below(row, 0), at + below(row + 1, 0), at + below(row + 2, 0)
    add_value(values, third, block.z_row)
    values[first] += block[0]
    values[second] += block[3]
    values[second + 1] += block[4]
    if a != b:
        values[first + 1] += block[1]
        values[first + 2] += block[2]
        values[second + 2] += block[5]


@kernel
def stretch_matrix(cable, S_s, rest, c, d, of_c, of_k, forces):
    """Derivatives of the force on u by u at a point of the stretch, of_c times those of damping and of_k those of K."""
    EA, damped = cable.EA, cable.c
    g, t, rate = stretched(S_s, c, d)
    n = EA * (g - 1.0 - rest + damped * rate) + cable.N_0
    geometric = forces * of_k * n / g
    material = EA * (of_k + of_c * damped) - geometric
    return scaled_unit(geometric) + outer(material * t, t)


@kernel
def bending_matrices(cable, point, c, of_c, of_k, forces):
    """Derivatives of the forces at a point of the curvature: of that on u by u, that on u by w, that on w by w."""
    EI, damped, rest = cable.EI, cable.c_bending, point.kappa_0
    h, g, t, across = bent(point, c)
    # P b' = B_u u' + B_w w',  B_w = P / g,  B_u = -(P w t^T / g + h P) / g
    P = scaled_unit(1.0) - outer(t, t)
    x = EI * (of_c * damped + (1.0 - forces) * of_k) / (g * g)
    square = across @ across
    uu = x * h * h * P + outer(x * square / (g * g) * t, t)
    uu = uu + outer(x * h / g * t, across) + outer(x * h / g * across, t)
    uw = -x * h * P - outer(x / g * t, across)
    ww = x * P
    if forces == 0.0:
        return uu, uw, ww
    # the second derivatives of 1/2 b . b = (W / G - H^2 / G^2) / 2, W = w . w, H = u . w, G = u . u
    y = of_k * EI
    u, w = g * t, across + h * g * t
    per = 1.0 / (g * g)
    W = w @ w
    by_u, by_w = 4.0 * h * per * u, 4.0 * h * per * w
    F_u = per * (2.0 * h * h - W * per) * u + -h * per * w
    F_w = per * across
    if rest != 0.0:
        kappa = root(square * per)
        y *= 1.0 - rest / kappa
        z = of_k * EI * rest / (kappa * kappa * kappa)
        uu += outer(z * F_u, F_u)
        uw += outer(z * F_u, F_w)
        ww += outer(z * F_w, F_w)
    alpha, beta = per * (2.0 * h * h - W * per), -h * per
    uu += y * alpha * scaled_unit(1.0)
    slope = 2.0 * per * (2.0 * W * per - 6.0 * h * h) * per * u + per * by_w
    uu = uu + outer(y * u, slope) + outer(y * per * w, by_u + -per * w)
    # by w: alpha' = -2 w / G^2 + 4 H u / G^3, beta' = -u / G^2
    uw += y * beta * scaled_unit(1.0)
    slope = -2.0 * per * per * w + per * by_u
    uw = uw + outer(y * u, slope) + outer(-y * per * per * w, u)
    ww = ww + y * per * scaled_unit(1.0) + outer(-y * per * per * u, u)
    return uu, uw, ww


@kernel
def share_of(S, a):
    """What vector a (0 to 3) of an element has of three numbers of its chord and gradients."""
    if a == 0:
        return -S.x
    return S.y if a == 1 else (S.x if a == 2 else S.z)


@kernel
def lay_element(body, k, stretch, bending, c, d, of_c, of_k, forces, values, at):
    """Adds what element k contributes to S."""
    cable = body.cable
    for a in range(4):
        for b in range(a + 1):
            lay_block(2 * k + a, 2 * k + b, scaled_unit(cable.mass[4 * a + b]), values, at)
    for p in range(body.stretch_points):
        weight, s = stretch[p].weight, stretch[p].S_s
        uu = stretch_matrix(cable, s, stretch[p].eps_0, c, d, of_c, of_k, forces)
        for a in range(4):
            for b in range(a + 1):
                lay_block(2 * k + a, 2 * k + b, weight * share_of(s, a) * share_of(s, b) * uu, values, at)
    for p in range(body.bending_points):
        point = bending[p]
        weight, s, r = point.weight, point.S_s, point.S_ss
        uu, uw, ww = bending_matrices(cable, point, c, of_c, of_k, forces)
        uu += point.stretch / weight * stretch_matrix(cable, s, point.eps_0, c, d, of_c, of_k, forces)
        for a in range(4):
            xa, ya = weight * share_of(s, a), weight * share_of(r, a)
            # rows of a by u and by w
            left, right = xa * uu + ya * uw.T, xa * uw + ya * ww
            for b in range(a + 1):
                lay_block(2 * k + a, 2 * k + b, share_of(s, b) * left + share_of(r, b) * right, values, at)


@kernel
def lay_step(model, i, q, v, mu, nu, forces, factorised, values, at):
    """Lays S in blocks values[at ...]; forces: 1 with what they contribute to K, 0 without. Where it is to be
    factorised, each block is as soon as it is complete, while it is still in the nearest cache; returns 1 where S is
    not positive."""
    body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
    stretch, bending, still = points_of(body)
    of_c, of_k = 1.0 / mu, 1.0 / (mu * nu)
    for k in range(CABLE_BLOCK):
        values[at + k] = 0.0
    for k in range(body.elements):
        own = at + CABLE_BLOCK * k
        for j in range(CABLE_BLOCK):
            values[own + CABLE_BLOCK + j] = 0.0
        c, d = element_at(body, still, q, e, 2 * k), rates_at(body, v, ev, 2 * k)
        lay_element(body, k, stretch, bending, c, d, of_c, of_k, forces, values, at)
        if k == 0:
            hold_first(body, values, at)
        if factorised and factorise_block(values, own, k > 0) != 0:
            return 1
    if factorised:
        return factorise_block(values, at + CABLE_BLOCK * body.elements, True)
    return 0


@kernel
def hold_first(body, values, at):
    """What of the first node is held does not move."""
    for a in range(2):
        count = body.first[a + 1] - body.first[a]
        for k in range(3 * a + count, 3 * a + 3):
            for j in range(6):
                values[at + OF_NODE + either(k, j)] = 0.0
                values[at + CABLE_BLOCK + 6 * j + k] = 0.0
            values[at + OF_NODE + below(k, k)] = 1.0


@kernel
def invert_six(values, at):
    """The inverse of a symmetric matrix of six rows in its place, by sweeps; 1 where a pivot is not positive."""
    for p in range(6):
        pivot = values[at + below(p, p)]
        if not pivot > 0.0:
            return 1
        inverse = 1.0 / pivot
        for r in range(6):
            if r != p:
                x = inverse * values[at + either(r, p)]
                for c in range(r + 1):
                    if c != p:
                        values[at + below(r, c)] -= x * values[at + either(p, c)]
        for c in range(6):
            if c != p:
                values[at + either(p, c)] = inverse * values[at + either(p, c)]
        values[at + below(p, p)] = -inverse
    for k in range(21):
        values[at + k] = -values[at + k]
    return 0


@kernel
def block_times(values, at, x):
    """A matrix of six rows, values[at ...], times x."""
    return Wrench(
        motion_at(values, at) @ x,
        motion_at(values, at + 6) @ x,
        motion_at(values, at + 12) @ x,
        motion_at(values, at + 18) @ x,
        motion_at(values, at + 24) @ x,
        motion_at(values, at + 30) @ x,
    )


@kernel
def symmetric_row(values, at, r):
    """Row r of a symmetric matrix of six rows."""
    return Motion(
        values[at + either(r, 0)],
        values[at + either(r, 1)],
        values[at + either(r, 2)],
        values[at + either(r, 3)],
        values[at + either(r, 4)],
        values[at + either(r, 5)],
    )


@kernel
def symmetric_times(values, at, x):
    """A symmetric matrix of six rows times x."""
    return Wrench(
        symmetric_row(values, at, 0) @ x,
        symmetric_row(values, at, 1) @ x,
        symmetric_row(values, at, 2) @ x,
        symmetric_row(values, at, 3) @ x,
        symmetric_row(values, at, 4) @ x,
        symmetric_row(values, at, 5) @ x,
    )


@kernel
def block_over_times(values, at, x):
    """The transpose of a matrix of six rows times x."""
    y = x[0] * wrench_at(values, at) + x[1] * wrench_at(values, at + 6)
    z = x[2] * wrench_at(values, at + 12) + x[3] * wrench_at(values, at + 18)
    w = x[4] * wrench_at(values, at + 24) + x[5] * wrench_at(values, at + 30)
    return y + z + w


@kernel
def factorise_block(values, own, follows):
    """W_k = B_k D_(k-1)^-1 and the inverse of D_k = S_kk - W_k B_k^T in place, of the node whose numbers begin at
    `own`; 1 where S is not positive."""
    if follows:
        before = own - CABLE_BLOCK + OF_NODE
        for r in range(6):
            to = own + 6 * r
            x = values[to] * symmetric_row(values, before, 0)
            for c in range(1, 6):
                x += values[to + c] * symmetric_row(values, before, c)
            # D_k is symmetric, and rows of B_k that are to come are still there
            for c in range(r, 6):
                values[own + OF_NODE + below(c, r)] -= x @ wrench_at(values, own + 6 * c)
            put_value(values, to, x)
    return invert_six(values, own + OF_NODE)


@optional_kernel("cable")
def factorise_cable(model, i, q, v, mu, nu, values, at):
    """The factor of S of cable i, in values[at ...]: with what forces contribute to K, and where that is not positive
    without."""
    for attempt in range(2):
        if lay_step(model, i, q, v, mu, nu, 1.0 - attempt, True, values, at) == 0:
            return


@optional_kernel("cable")
def step_answer(model, i, values, at, b, of, x, to):
    """x[to ...] = S^-1 b[of ...] by the factor in values[at ...]; b may be x."""
    body = nodal_body(model, i)
    elements, behind = body.elements, behind_first(body)
    p, g = entries_at(body, b, of, 0), entries_at(body, b, of, 1)
    y = Wrench(p, g)
    put_at(body, x, to, 0, p)
    put_at(body, x, to, 1, g)
    for k in range(1, elements + 1):
        y = wrench_at(b, of + behind + 6 * k) - block_times(values, at + CABLE_BLOCK * k, y)
        put_value(x, to + behind + 6 * k, y)
    more = y.zero
    for k in range(elements, 0, -1):
        own = at + CABLE_BLOCK * k
        y = symmetric_times(values, own + OF_NODE, wrench_at(x, to + behind + 6 * k)) - more
        put_value(x, to + behind + 6 * k, y)
        more = block_over_times(values, own, y)
    first = Wrench(entries_at(body, x, to, 0), entries_at(body, x, to, 1))
    y = symmetric_times(values, at + OF_NODE, first) - more
    put_at(body, x, to, 0, y.moment)
    put_at(body, x, to, 1, y.force)


@entry_point
def cable_step_matrix(
    model: ModelArrays, i: int, q: Vector, v: Vector, mu: float, nu: float, forces: float, values: Vector
) -> None:
    """S of cable i in blocks values (57 nodes,), for Python."""
    lay_step(model, i, q, v, mu, nu, forces, False, values, 0)
