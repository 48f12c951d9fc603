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

from ..columns import EV, E
from ..compiler import entry_point, kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31
from ..model_arrays import ModelArrays
from ..scalar import root
from ..signatures import Vector
from ..spatial import add, add6, dot, scale
from .ancf_cable import bent, element_at, entries_at, points_of, put_at, rates_at, stretched
from .nodal_layout import (
    BENDING_POINT,
    BENDING_POINTS,
    BENDING_REST,
    BENDING_STRETCH,
    BENDING_STRETCH_REST,
    CABLE_BLOCK,
    CABLE_C,
    CABLE_CB,
    CABLE_EA,
    CABLE_EI,
    CABLE_MASS,
    CABLE_N0,
    ELEMENTS,
    NODAL_FIRST,
    NODAL_LINE,
    STRETCH_POINT,
    STRETCH_POINTS,
    STRETCH_REST,
    chosen,
    floats_of,
    integers_of,
)
from .rotation_schemes import add_outer

OF_NODE = 36
"""Where the block of a node itself begins among its numbers."""


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
        accumulate31(values, to, (block[0], block[1], block[2]))
        accumulate31(values, to + 6, (block[3], block[4], block[5]))
        accumulate31(values, to + 12, (block[6], block[7], block[8]))
        return
    row, column = 3 * (a % 2), 3 * (b % 2)
    at += OF_NODE + column
    first, second, third = at + below(row, 0), at + below(row + 1, 0), at + below(row + 2, 0)
    accumulate31(values, third, (block[6], block[7], block[8]))
    accumulate(values, first, block[0])
    accumulate(values, second, block[3])
    accumulate(values, second + 1, block[4])
    if a != b:
        accumulate(values, first + 1, block[1])
        accumulate(values, first + 2, block[2])
        accumulate(values, second + 2, block[5])


@kernel
def stretch_matrix(floats, line, at, rest, c, d, of_c, of_k, forces):
    """Derivatives of the force on u by u at a point of the stretch, of_c times those of damping and of_k those of K."""
    EA, damped = floats[line + CABLE_EA], floats[line + CABLE_C]
    g, t, rate = stretched(floats, at, c, d)
    n = EA * (g - 1.0 - rest + damped * rate) + floats[line + CABLE_N0]
    geometric = forces * of_k * n / g
    material = EA * (of_k + of_c * damped) - geometric
    return add_outer(unit_times(geometric), scale(material, t), t)


@kernel
def bending_matrices(floats, line, at, c, of_c, of_k, forces):
    """Derivatives of the forces at a point of the curvature: of that on u by u, that on u by w, that on w by w."""
    EI, damped, rest = floats[line + CABLE_EI], floats[line + CABLE_CB], get(floats, at + BENDING_REST)
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
    floats = model.floats
    for a in range(4):
        for b in range(a + 1):
            lay_block(2 * k + a, 2 * k + b, unit_times(floats[line + CABLE_MASS + 4 * a + b]), values, at)
    for p in range(chosen(model, i, STRETCH_POINTS)):
        of = stretch + STRETCH_POINT * p
        uu = stretch_matrix(floats, line, of, get(floats, of + STRETCH_REST), c, d, of_c, of_k, forces)
        for a in range(4):
            for b in range(a + 1):
                x = get(floats, of) * share_of(floats, of + 1, a) * share_of(floats, of + 1, b)
                lay_block(2 * k + a, 2 * k + b, combined(x, uu, 0.0, uu), values, at)
    for p in range(chosen(model, i, BENDING_POINTS)):
        of = bending + BENDING_POINT * p
        uu, uw, ww = bending_matrices(floats, line, of, c, of_c, of_k, forces)
        along = stretch_matrix(floats, line, of, get(floats, of + BENDING_STRETCH_REST), c, d, of_c, of_k, forces)
        weight = get(floats, of)
        uu = combined(1.0, uu, get(floats, of + BENDING_STRETCH) / weight, along)
        wu = turned_over(uw)
        for a in range(4):
            xa, ya = weight * share_of(floats, of + 1, a), weight * share_of(floats, of + 4, a)
            # rows of a by u and by w
            left, right = combined(xa, uu, ya, wu), combined(xa, uw, ya, ww)
            for b in range(a + 1):
                block = combined(share_of(floats, of + 1, b), left, share_of(floats, of + 4, b), right)
                lay_block(2 * k + a, 2 * k + b, block, values, at)


@kernel
def lay_step(model, i, q, v, mu, nu, forces, factorised, values, at):
    """Lays S in blocks values[at ...]; forces: 1 with what they contribute to K, 0 without. Where it is to be
    factorised, each block is as soon as it is complete, while it is still in the nearest cache; returns 1 where S is
    not positive."""
    e, ev = model.table[i, E], model.table[i, EV]
    first, line = integers_of(model, i, NODAL_FIRST), floats_of(model, i, NODAL_LINE)
    stretch, bending, still = points_of(model, i)
    elements = chosen(model, i, ELEMENTS)
    of_c, of_k = 1.0 / mu, 1.0 / (mu * nu)
    for k in range(CABLE_BLOCK):
        put(values, at + k, 0.0)
    for k in range(elements):
        own = at + CABLE_BLOCK * k
        for j in range(CABLE_BLOCK):
            put(values, own + CABLE_BLOCK + j, 0.0)
        c, d = element_at(model, first, still, q, e, 2 * k), rates_at(model, first, v, ev, 2 * k)
        lay_element(model, i, k, line, stretch, bending, c, d, of_c, of_k, forces, values, at)
        if k == 0:
            hold_first(model, first, values, at)
        if factorised and factorise_block(values, own, k > 0) != 0:
            return 1
    if factorised:
        return factorise_block(values, at + CABLE_BLOCK * elements, True)
    return 0


@kernel
def hold_first(model, first, values, at):
    """What of the first node is held does not move."""
    for a in range(2):
        count = model.integers[first + a + 1] - model.integers[first + a]
        for k in range(3 * a + count, 3 * a + 3):
            for j in range(6):
                put(values, at + OF_NODE + either(k, j), 0.0)
                put(values, at + CABLE_BLOCK + 6 * j + k, 0.0)
            put(values, at + OF_NODE + below(k, k), 1.0)


@kernel
def invert_six(values, at):
    """The inverse of a symmetric matrix of six rows in its place, by sweeps; 1 where a pivot is not positive."""
    for p in range(6):
        pivot = get(values, at + below(p, p))
        if not pivot > 0.0:
            return 1
        inverse = 1.0 / pivot
        for r in range(6):
            if r != p:
                x = inverse * get(values, at + either(r, p))
                for c in range(r + 1):
                    if c != p:
                        accumulate(values, at + below(r, c), -x * get(values, at + either(p, c)))
        for c in range(6):
            if c != p:
                put(values, at + either(p, c), inverse * get(values, at + either(p, c)))
        put(values, at + below(p, p), -inverse)
    for k in range(21):
        put(values, at + k, -get(values, at + k))
    return 0


@kernel
def vec6(values, at):
    """Six entries."""
    return (
        get(values, at),
        get(values, at + 1),
        get(values, at + 2),
        get(values, at + 3),
        get(values, at + 4),
        get(values, at + 5),
    )


@kernel
def put6(values, at, x):
    """Writes six entries."""
    put31(values, at, (x[0], x[1], x[2]))
    put31(values, at + 3, (x[3], x[4], x[5]))


@kernel
def scale6(a, x):
    """a x."""
    return (a * x[0], a * x[1], a * x[2], a * x[3], a * x[4], a * x[5])


@kernel
def sub6(x, y):
    """x - y."""
    return (x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3], x[4] - y[4], x[5] - y[5])


@kernel
def dot6(x, y):
    """x . y."""
    return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5])


@kernel
def block_times(values, at, x):
    """A matrix of six rows, values[at ...], times x."""
    return (
        dot6(vec6(values, at), x),
        dot6(vec6(values, at + 6), x),
        dot6(vec6(values, at + 12), x),
        dot6(vec6(values, at + 18), x),
        dot6(vec6(values, at + 24), x),
        dot6(vec6(values, at + 30), x),
    )


@kernel
def symmetric_row(values, at, r):
    """Row r of a symmetric matrix of six rows."""
    return (
        get(values, at + either(r, 0)),
        get(values, at + either(r, 1)),
        get(values, at + either(r, 2)),
        get(values, at + either(r, 3)),
        get(values, at + either(r, 4)),
        get(values, at + either(r, 5)),
    )


@kernel
def symmetric_times(values, at, x):
    """A symmetric matrix of six rows times x."""
    return (
        dot6(symmetric_row(values, at, 0), x),
        dot6(symmetric_row(values, at, 1), x),
        dot6(symmetric_row(values, at, 2), x),
        dot6(symmetric_row(values, at, 3), x),
        dot6(symmetric_row(values, at, 4), x),
        dot6(symmetric_row(values, at, 5), x),
    )


@kernel
def block_over_times(values, at, x):
    """Its transpose times x."""
    y = add6(scale6(x[0], vec6(values, at)), scale6(x[1], vec6(values, at + 6)))
    z = add6(scale6(x[2], vec6(values, at + 12)), scale6(x[3], vec6(values, at + 18)))
    w = add6(scale6(x[4], vec6(values, at + 24)), scale6(x[5], vec6(values, at + 30)))
    return add6(add6(y, z), w)


@kernel
def factorise_block(values, own, follows):
    """W_k = B_k D_(k-1)^-1 and the inverse of D_k = S_kk - W_k B_k^T in place, of the node whose numbers begin at
    `own`; 1 where S is not positive."""
    if follows:
        before = own - CABLE_BLOCK + OF_NODE
        for r in range(6):
            b, to = vec6(values, own + 6 * r), own + 6 * r
            x = scale6(b[0], symmetric_row(values, before, 0))
            x = add6(x, scale6(b[1], symmetric_row(values, before, 1)))
            x = add6(x, scale6(b[2], symmetric_row(values, before, 2)))
            x = add6(x, scale6(b[3], symmetric_row(values, before, 3)))
            x = add6(x, scale6(b[4], symmetric_row(values, before, 4)))
            x = add6(x, scale6(b[5], symmetric_row(values, before, 5)))
            # D_k is symmetric, and rows of B_k that are to come are still there
            for c in range(r, 6):
                y = dot6(x, vec6(values, own + 6 * c))
                accumulate(values, own + OF_NODE + below(c, r), -y)
            put6(values, to, x)
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
    first, elements = integers_of(model, i, NODAL_FIRST), chosen(model, i, ELEMENTS)
    behind = model.integers[first + 2] - 6
    p, g = entries_at(model, first, b, of, 0), entries_at(model, first, b, of, 1)
    y = (p[0], p[1], p[2], g[0], g[1], g[2])
    put_at(model, first, x, to, 0, p)
    put_at(model, first, x, to, 1, g)
    for k in range(1, elements + 1):
        y = sub6(vec6(b, of + behind + 6 * k), block_times(values, at + CABLE_BLOCK * k, y))
        put6(x, to + behind + 6 * k, y)
    more = scale6(0.0, y)
    for k in range(elements, 0, -1):
        own = at + CABLE_BLOCK * k
        y = sub6(symmetric_times(values, own + OF_NODE, vec6(x, to + behind + 6 * k)), more)
        put6(x, to + behind + 6 * k, y)
        more = block_over_times(values, own, y)
    p, g = entries_at(model, first, x, to, 0), entries_at(model, first, x, to, 1)
    y = sub6(symmetric_times(values, at + OF_NODE, (p[0], p[1], p[2], g[0], g[1], g[2])), more)
    put_at(model, first, x, to, 0, (y[0], y[1], y[2]))
    put_at(model, first, x, to, 1, (y[3], y[4], y[5]))


@entry_point
def cable_step_matrix(
    model: ModelArrays, i: int, q: Vector, v: Vector, mu: float, nu: float, forces: float, values: Vector
) -> None:
    """S of cable i in blocks values (57 nodes,), for Python."""
    lay_step(model, i, q, v, mu, nu, forces, False, values, 0)
