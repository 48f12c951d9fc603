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

from ..algebra import Mat3, Motion, Quaternion, Vec3, cross, rotation_matrix
from ..compiler import kernel, optional_kernel
from ..fixed_size import CLASSES, FixedSize
from ..flat_arrays import quaternion_at, vector_at

PER_PIECE = 16
"""Numbers of a piece of a basis."""


class Channels(FixedSize):
    """Position and quaternion, or coefficients and derivatives of them."""

    __slots__ = ()
    size = 7
    members = {"position": (Vec3, 0), "quaternion": (Quaternion, 3)}


CLASSES |= {"Channels": Channels}
CHANNELS = Channels.size


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
def total(b, f):
    """Sum of four values, each times its function."""
    return b[0] * f[0] + b[1] * f[1] + b[2] * f[2] + b[3] * f[3]


@kernel
def channels_at(floats, at):
    """Coefficients of all channels."""
    return Channels(vector_at(floats, at), quaternion_at(floats, at + 3))


@kernel
def four(floats, at, layers, q):
    """Four coefficients that follow each other, of all layers; layers: their number, how many numbers one has, and
    where the wrench begins in q."""
    a, b = channels_at(floats, at), channels_at(floats, at + CHANNELS)
    c, d = channels_at(floats, at + 2 * CHANNELS), channels_at(floats, at + 3 * CHANNELS)
    count, size, s = layers
    for j in range(count):
        w, o = q[s + j], at + (j + 1) * size
        a, b = a + w * channels_at(floats, o), b + w * channels_at(floats, o + CHANNELS)
        c, d = c + w * channels_at(floats, o + 2 * CHANNELS), d + w * channels_at(floats, o + 3 * CHANNELS)
    return a, b, c, d


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
    """The channels: `row` is how many numbers lie between two rows of coefficients, 0 where there is one input."""
    first = four(floats, at, layers, q)
    if row == 0:
        return total(B[0], first)
    c = C[0]
    r1, r2 = four(floats, at + row, layers, q), four(floats, at + 2 * row, layers, q)
    r3 = four(floats, at + 3 * row, layers, q)
    return total(B[0], (total(c, first), total(c, r1), total(c, r2), total(c, r3)))


@kernel
def partials(floats, at, row, B, C, x, y, layers, q):
    """The channels with their derivatives by both inputs, and what the second ones make of their rates x and y."""
    r0 = four(floats, at, layers, q)
    if row == 0:
        f = total(B[0], r0)
        return f, total(B[1], r0), 0.0 * f, total(B[2], r0) * x * x
    r1, r2 = four(floats, at + row, layers, q), four(floats, at + 2 * row, layers, q)
    r3 = four(floats, at + 3 * row, layers, q)
    a, b, c = C
    f = (total(a, r0), total(a, r1), total(a, r2), total(a, r3))
    g = (total(b, r0), total(b, r1), total(b, r2), total(b, r3))
    h = total(B[0], (total(c, r0), total(c, r1), total(c, r2), total(c, r3)))
    second = total(B[2], f) * x * x + 2.0 * total(B[1], g) * x * y + h * y * y
    return total(B[0], f), total(B[1], f), total(B[0], g), second


@optional_kernel("tabled", returns=(Mat3, Vec3))
def table_pose(model, i, q, k):
    """Rotation and position of the frame of body i in its carrier; k: first entry of the inputs in q."""
    floats, table = model.floats, model.bodies[i].table
    at, row, B, C = places(floats, table, q, k)
    f = value(floats, at, row, B, C, layering(floats, table, k), q)
    Q = f.quaternion
    per = 1.0 / (Q.w * Q.w + Q.x * Q.x + Q.y * Q.y + Q.z * Q.z) ** 0.5
    return rotation_matrix(Q * per), f.position


@kernel
def turning(Q, D, per):
    """2 vec(D Q*) / |Q|^2: the angular velocity where Q changes by D."""
    q, d = Q.vector, D.vector
    return 2.0 * per * (Q.w * d - D.w * q - cross(d, q))


@optional_kernel("tabled", returns=(Motion, Motion))
def table_motion(model, i, q, v, j, k, dofs):
    """Velocity of the frame of body i against its carrier and its rate without accelerations of the inputs, carrier's
    axes; the columns go to `dofs`. j, k: first entries of the inputs in q and in v."""
    floats, table = model.floats, model.bodies[i].table
    at, row, B, C = places(floats, table, q, j)
    x = v[k]
    y = 0.0 * x if row == 0 else v[k + 1]
    f, f1, f2, second = partials(floats, at, row, B, C, x, y, layering(floats, table, j), q)
    Q = f.quaternion
    per = 1.0 / (Q.w * Q.w + Q.x * Q.x + Q.y * Q.y + Q.z * Q.z)
    S = Motion(turning(Q, f1.quaternion, per), f1.position)
    dofs[k].S = S
    V = x * S
    if row > 0:
        S = Motion(turning(Q, f2.quaternion, per), f2.position)
        dofs[k + 1].S = S
        V += y * S
    # n' / n, by which a quaternion that grows would seem to turn faster
    D = f1.quaternion * x + f2.quaternion * y
    growth = Q.w * D.w + Q.x * D.x + Q.y * D.y + Q.z * D.z
    return V, Motion(turning(Q, second.quaternion, per) - 2.0 * growth * per * V.angular, second.position)
