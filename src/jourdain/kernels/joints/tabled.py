"""Joints from tables: pose and motion of a frame that cubic splines of one or two inputs place.

Seven channels, position p and a quaternion Q that need not have length one, are tensor products of B-splines. With
n = |Q|^2 and * for the conjugate, in the axes of the carrier,

    R = R(Q / |Q|),   w = 2 vec(Q' Q*) / n,   dw/dt = 2 vec(Q'' Q*) / n - w n' / n

for any motion of Q (vec(Q' Q'*) is zero), so that nothing is singular wherever Q turns to; Q' = Q_i z_i' and, without
accelerations of the inputs, Q'' = Q_ij z_i' z_j' (Tobolar 2003, eqs. 6 to 8).

A compliant joint has a wrench s of six entries in q, behind its inputs, that no entry of v drives: channels are
then c(z) + c_j(z) s_j, `layers` of splines over the first one (eq. 3), and s changes only at samples (tree/giving.py).

Floats: pieces of the first and of the second input (0 where there is none), layers over the first one (0 or 6), where
pieces begin and end for each input, of each input's pieces four cubic polynomials, rising powers of the way from the
beginning of the piece, then the coefficients (1 + layers, n1, n2, 7), n being 3 more than pieces.
"""

from __future__ import annotations

from ..algebra import Motion
from ..compiler import kernel, optional_kernel
from ..spatial import add, cross, quaternion_matrix, scale, sub

PER_PIECE = 16
"""Numbers of a piece of a basis."""
CHANNELS = 7


@kernel
def cubic(floats, at, s):
    """Value and two derivatives of a cubic polynomial."""
    a, b, c, d = floats[at], floats[at + 1], floats[at + 2], floats[at + 3]
    return a + s * (b + s * (c + s * d)), b + s * (2.0 * c + 3.0 * d * s), 2.0 * c + 6.0 * d * s


@kernel
def find_piece(floats, at, pieces, x):
    """The piece that x lies in, by bisection; the first and the last one go on beyond the ends."""
    low, high = 0, pieces
    while high - low > 1:
        middle = (low + high) // 2
        if x >= floats[at + middle]:
            low = middle
        else:
            high = middle
    return low


@kernel
def basis(floats, at, s):
    """The four functions of a piece: values, first and second derivatives."""
    a, a1, a2 = cubic(floats, at, s)
    b, b1, b2 = cubic(floats, at + 4, s)
    c, c1, c2 = cubic(floats, at + 8, s)
    d, d1, d2 = cubic(floats, at + 12, s)
    return (a, b, c, d), (a1, b1, c1, d1), (a2, b2, c2, d2)


@kernel
def sum4(b, x, y, z, w):
    return b[0] * x + b[1] * y + b[2] * z + b[3] * w


@kernel
def four(floats, at, layers, q):
    """Four coefficients of a channel that follow each other, of all layers; layers: their number, how many numbers one
    has, and where the wrench begins in q."""
    a, b = floats[at], floats[at + CHANNELS]
    c, d = floats[at + 2 * CHANNELS], floats[at + 3 * CHANNELS]
    count, size, s = layers
    for j in range(count):
        w, o = q[s + j], at + (j + 1) * size
        a, b = a + w * floats[o], b + w * floats[o + CHANNELS]
        c, d = c + w * floats[o + 2 * CHANNELS], d + w * floats[o + 3 * CHANNELS]
    return a, b, c, d


@kernel
def along(b, f):
    """Sum of four coefficients."""
    return sum4(b, f[0], f[1], f[2], f[3])


@kernel
def places(floats, at, q, k):
    """Where the inputs are: the first coefficient, entries between rows, and the basis of each input."""
    m, n = int(floats[at]), int(floats[at + 1])
    first = at + 3
    second = first + m + 1
    polynomials = second + (n + 1 if n > 0 else 0)
    coefficients = polynomials + PER_PIECE * (m + n)
    i = find_piece(floats, first, m, q[k].real)
    B = basis(floats, polynomials + PER_PIECE * i, q[k] - floats[first + i])
    if n == 0:
        return coefficients + CHANNELS * i, 0, B, B
    j = find_piece(floats, second, n, q[k + 1].real)
    C = basis(floats, polynomials + PER_PIECE * (m + j), q[k + 1] - floats[second + j])
    return coefficients + CHANNELS * (i * (n + 3) + j), CHANNELS * (n + 3), B, C


@kernel
def layering(floats, at, k):
    """Layers over the first one, as `four` takes them; k: first entry of the inputs in q."""
    m, n = int(floats[at]), int(floats[at + 1])
    size = CHANNELS * (m + 3) * (n + 3 if n > 0 else 1)
    return int(floats[at + 2]), size, k + (2 if n > 0 else 1)


@kernel
def value(floats, at, row, B, C, layers, q):
    """A channel: `row` is how many numbers lie between two rows of coefficients, 0 where there is one input."""
    first = four(floats, at, layers, q)
    if row == 0:
        return along(B[0], first)
    c = C[0]
    return sum4(
        B[0],
        along(c, first),
        along(c, four(floats, at + row, layers, q)),
        along(c, four(floats, at + 2 * row, layers, q)),
        along(c, four(floats, at + 3 * row, layers, q)),
    )


@kernel
def partials(floats, at, row, B, C, x, y, layers, q):
    """A channel with its derivatives by both inputs, and what its second ones make of their rates x and y."""
    r0 = four(floats, at, layers, q)
    if row == 0:
        f = along(B[0], r0)
        return f, along(B[1], r0), 0.0 * f, along(B[2], r0) * x * x
    r1, r2 = four(floats, at + row, layers, q), four(floats, at + 2 * row, layers, q)
    r3 = four(floats, at + 3 * row, layers, q)
    a, b, c = C
    f0, f1, f2, f3 = along(a, r0), along(a, r1), along(a, r2), along(a, r3)
    g0, g1, g2, g3 = along(b, r0), along(b, r1), along(b, r2), along(b, r3)
    h = sum4(B[0], along(c, r0), along(c, r1), along(c, r2), along(c, r3))
    second = sum4(B[2], f0, f1, f2, f3) * x * x + 2.0 * sum4(B[1], g0, g1, g2, g3) * x * y + h * y * y
    return sum4(B[0], f0, f1, f2, f3), sum4(B[1], f0, f1, f2, f3), sum4(B[0], g0, g1, g2, g3), second


@optional_kernel("tabled", returns=(9, 3))
def table_pose(model, i, q, k):
    """Rotation and position of the frame of body i in its carrier; k: first entry of the inputs in q."""
    floats, table = model.floats, model.bodies[i].table
    at, row, B, C = places(floats, table, q, k)
    layers = layering(floats, table, k)
    a = value(floats, at, row, B, C, layers, q)
    b = value(floats, at + 1, row, B, C, layers, q)
    c = value(floats, at + 2, row, B, C, layers, q)
    w = value(floats, at + 3, row, B, C, layers, q)
    x = value(floats, at + 4, row, B, C, layers, q)
    y = value(floats, at + 5, row, B, C, layers, q)
    z = value(floats, at + 6, row, B, C, layers, q)
    per = 1.0 / (w * w + x * x + y * y + z * z) ** 0.5
    return quaternion_matrix(w * per, x * per, y * per, z * per), (a, b, c)


@kernel
def turning(Q, D, per):
    """2 vec(D Q*) / |Q|^2: the angular velocity where Q changes by D."""
    q, d = (Q[1], Q[2], Q[3]), (D[1], D[2], D[3])
    return scale(2.0 * per, sub(sub(scale(Q[0], d), scale(D[0], q)), cross(d, q)))


@optional_kernel("tabled", returns=(3, 3, 3, 3))
def table_motion(model, i, q, v, j, k, dofs):
    """Velocity (angular, linear) of the frame of body i against its carrier and their rates without accelerations of
    the inputs, carrier's axes; the columns go to `dofs`. j, k: first entries of the inputs in q and in v."""
    floats, table = model.floats, model.bodies[i].table
    at, row, B, C = places(floats, table, q, j)
    layers = layering(floats, table, j)
    x = v[k]
    y = 0.0 * x if row == 0 else v[k + 1]
    a, a1, a2, aa = partials(floats, at, row, B, C, x, y, layers, q)
    b, b1, b2, bb = partials(floats, at + 1, row, B, C, x, y, layers, q)
    c, c1, c2, cc = partials(floats, at + 2, row, B, C, x, y, layers, q)
    d, d1, d2, dd = partials(floats, at + 3, row, B, C, x, y, layers, q)
    e, e1, e2, ee = partials(floats, at + 4, row, B, C, x, y, layers, q)
    f, f1, f2, ff = partials(floats, at + 5, row, B, C, x, y, layers, q)
    g, g1, g2, gg = partials(floats, at + 6, row, B, C, x, y, layers, q)
    per = 1.0 / (d * d + e * e + f * f + g * g)
    Q = (d, e, f, g)
    s1, l1 = turning(Q, (d1, e1, f1, g1), per), (a1, b1, c1)
    dofs[k].S = Motion(s1, l1)
    w, u = scale(x, s1), scale(x, l1)
    if row > 0:
        s2, l2 = turning(Q, (d2, e2, f2, g2), per), (a2, b2, c2)
        dofs[k + 1].S = Motion(s2, l2)
        w, u = add(w, scale(y, s2)), add(u, scale(y, l2))
    # n' / n, by which a quaternion that grows would seem to turn faster
    growth = d * (d1 * x + d2 * y) + e * (e1 * x + e2 * y) + f * (f1 * x + f2 * y) + g * (g1 * x + g2 * y)
    left = sub(turning(Q, (dd, ee, ff, gg), per), scale(2.0 * growth * per, w))
    return w, u, left, (aa, bb, cc)
