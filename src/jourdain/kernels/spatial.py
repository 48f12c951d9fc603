"""Small fixed-size algebra on tuples: LLVM keeps all of it in registers, and it reads like the paper.

A vector is a 3-tuple; a 3x3 a 9-tuple by rows; a symmetric 3x3 a 6-tuple (xx, yy, zz, xy, xz, yz); a
quaternion a 4-tuple, scalar first. `vec`, `mat` and `sym` read them from row i of a table, from column c on;
`put3` and `put6` write them.
"""

from __future__ import annotations

from .compiler import kernel
from .scalar import sinc, sine_cosine


@kernel
def vec(table, i, c):
    return (table[i, c], table[i, c + 1], table[i, c + 2])


@kernel
def sym(table, i, c):
    return (table[i, c], table[i, c + 1], table[i, c + 2], table[i, c + 3], table[i, c + 4], table[i, c + 5])


@kernel
def mat(table, i, c):
    return (
        table[i, c],
        table[i, c + 1],
        table[i, c + 2],
        table[i, c + 3],
        table[i, c + 4],
        table[i, c + 5],
        table[i, c + 6],
        table[i, c + 7],
        table[i, c + 8],
    )


@kernel
def put3(table, i, c, a):
    table[i, c] = a[0]
    table[i, c + 1] = a[1]
    table[i, c + 2] = a[2]


@kernel
def put6(table, i, c, a):
    table[i, c] = a[0]
    table[i, c + 1] = a[1]
    table[i, c + 2] = a[2]
    table[i, c + 3] = a[3]
    table[i, c + 4] = a[4]
    table[i, c + 5] = a[5]


@kernel
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def add6(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@kernel
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def rotate(R, a):
    """R a."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@kernel
def rotate_back(R, a):
    """R^T a."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@kernel
def matmul(A, B):
    """A B."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@kernel
def quaternion_matrix(w, x, y, z):
    """Rotation matrix of a quaternion, which need not be of exactly unit length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@kernel
def matrix_quaternion(R):
    """Unit quaternion of a rotation matrix, scalar part not negative (Shepperd 1978: the largest pivot)."""
    trace = R[0] + R[4] + R[8]
    a, b, c, t = R[0].real, R[4].real, R[8].real, trace.real
    if t >= a and t >= b and t >= c:
        w, x, y, z = 1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1]
    elif a >= b and a >= c:
        w, x, y, z = R[7] - R[5], 1.0 + 2.0 * R[0] - trace, R[1] + R[3], R[2] + R[6]
    elif b >= c:
        w, x, y, z = R[2] - R[6], R[1] + R[3], 1.0 + 2.0 * R[4] - trace, R[5] + R[7]
    else:
        w, x, y, z = R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 + 2.0 * R[8] - trace
    k = (w * w + x * x + y * y + z * z) ** -0.5
    if w.real < 0.0:
        k = -k
    return (k * w, k * x, k * y, k * z)


@kernel
def quaternion_increment(w, x, y, z, theta):
    """q exp(theta), theta a rotation vector in the body's axes; the result has unit length."""
    h2 = 0.25 * dot(theta, theta)
    c = sine_cosine(h2**0.5)[1]
    s = 0.5 * sinc(h2)
    a, b, d = s * theta[0], s * theta[1], s * theta[2]
    w2 = w * c - x * a - y * b - z * d
    x2 = w * a + x * c + y * d - z * b
    y2 = w * b - x * d + y * c + z * a
    z2 = w * d + x * b - y * a + z * c
    k = (w2 * w2 + x2 * x2 + y2 * y2 + z2 * z2) ** -0.5
    return (k * w2, k * x2, k * y2, k * z2)


@kernel
def sym_times(S, a):
    """S a for a symmetric S."""
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@kernel
def rotate_sym(R, S):
    """R S R^T for a symmetric S."""
    a = sym_times(S, (R[0], R[1], R[2]))
    b = sym_times(S, (R[3], R[4], R[5]))
    c = sym_times(S, (R[6], R[7], R[8]))
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * b[0] + R[4] * b[1] + R[5] * b[2],
        R[6] * c[0] + R[7] * c[1] + R[8] * c[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
        R[6] * b[0] + R[7] * b[1] + R[8] * b[2],
    )
