"""Volume, centroid and volume-inertia tensor of overlap parts, and the raw moments that they are computed from.

A *part* is (V, c, J): volume [m^3], centroid [m], and the volume-inertia tensor about the centroid, Gonthier 2007,
eq. 4.36, J = integral of (r.r 1 - r r^T) dV as (xx, yy, zz, xy, xz, yz) [m^5]. Its *moments* about a point o are ten
additive numbers: (V, first moments (3), second moments (6)), the integrals of 1, r and r r^T with r taken from o.
Moments lose digits where o is far from the part, by the square of distance over size: o belongs in the overlap.
"""

from __future__ import annotations

from ...compiler import kernel
from ...spatial import add, add6, cross, dot, rotate, rotate_sym, scale, sub


@kernel
def inertia_of(C):
    """trace(C) 1 - C: the inertia tensor of second moments C, both as 6-tuples."""
    return (C[1] + C[2], C[0] + C[2], C[0] + C[1], -C[3], -C[4], -C[5])


@kernel
def second_moments_of(J):
    """trace(J) / 2 1 - J: the second moments of an inertia tensor."""
    h = 0.5 * (J[0] + J[1] + J[2])
    return (h - J[0], h - J[1], h - J[2], -J[3], -J[4], -J[5])


@kernel
def inertia_of_point(V, r):
    """V (r.r 1 - r r^T): inertia about the origin of a volume V at r (parallel-axis theorem)."""
    x, y, z = r
    return (V * (y * y + z * z), V * (x * x + z * z), V * (x * x + y * y), -V * x * y, -V * x * z, -V * y * z)


@kernel
def inertia_about(V, c, J, p):
    """Inertia of a part about the point p."""
    return add6(J, inertia_of_point(V, sub(c, p)))


@kernel
def add_moments(a, b):
    """Moments of two bodies together, both about the same point."""
    first = a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]
    second = a[4] + b[4], a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9]
    return first + second


@kernel
def tetrahedron_moments(a, b, c):
    """Moments about the origin of the tetrahedron (origin, a, b, c), with the sign of a . (b x c).

    Summed over the outward triangles of a closed surface they are those of the solid (Mirtich 1996, J. Graphics Tools
    1(2); Eberly, Polyhedral Mass Properties Revisited, 2002): V = d / 6, first moments d s / 24, second moments
    d (a a^T + b b^T + c c^T + s s^T) / 120, where d = a . (b x c) and s = a + b + c.
    """
    d = dot(a, cross(b, c))
    s = add(a, add(b, c))
    f = d / 24.0
    k = d / 120.0
    return (
        d / 6.0,
        f * s[0],
        f * s[1],
        f * s[2],
        k * (a[0] * a[0] + b[0] * b[0] + c[0] * c[0] + s[0] * s[0]),
        k * (a[1] * a[1] + b[1] * b[1] + c[1] * c[1] + s[1] * s[1]),
        k * (a[2] * a[2] + b[2] * b[2] + c[2] * c[2] + s[2] * s[2]),
        k * (a[0] * a[1] + b[0] * b[1] + c[0] * c[1] + s[0] * s[1]),
        k * (a[0] * a[2] + b[0] * b[2] + c[0] * c[2] + s[0] * s[2]),
        k * (a[1] * a[2] + b[1] * b[2] + c[1] * c[2] + s[1] * s[2]),
    )


@kernel
def part_of(m, o):
    """The part (V, c, J) of moments m about o; an empty part at o where the volume is not positive."""
    V = m[0]
    if not V.real > 0.0:
        zero = 0.0 * V
        return zero, add(o, (zero, zero, zero)), (zero, zero, zero, zero, zero, zero)
    r = (m[1] / V, m[2] / V, m[3] / V)
    C = (
        m[4] - m[1] * r[0],
        m[5] - m[2] * r[1],
        m[6] - m[3] * r[2],
        m[7] - m[1] * r[1],
        m[8] - m[1] * r[2],
        m[9] - m[2] * r[2],
    )
    return V, add(o, r), inertia_of(C)


@kernel
def moments_of(V, c, J, o):
    """Moments of a part about o."""
    r = sub(c, o)
    C = second_moments_of(J)
    return (
        V,
        V * r[0],
        V * r[1],
        V * r[2],
        C[0] + V * r[0] * r[0],
        C[1] + V * r[1] * r[1],
        C[2] + V * r[2] * r[2],
        C[3] + V * r[0] * r[1],
        C[4] + V * r[0] * r[2],
        C[5] + V * r[1] * r[2],
    )


@kernel
def join_parts(p, q):
    """Union of two disjoint parts (V, c, J); by the reduced volume, so that no digits are lost."""
    V = p[0] + q[0]
    if not V.real > 0.0:
        return p
    r = sub(q[1], p[1])
    J = add6(add6(p[2], q[2]), inertia_of_point(p[0] * q[0] / V, r))
    return V, add(p[1], scale(q[0] / V, r)), J


@kernel
def place_part(R, p, part):
    """A part given in axes with rotation R and origin p, in the axes in which R and p are given."""
    return part[0], add(p, rotate(R, part[1])), rotate_sym(R, part[2])


@kernel
def put_row(rows, i, V, c, J, N, key):
    """Writes a part into row i: volume, centroid, inertia, vector area, key; its springs are marked as not known."""
    rows[i, 0] = V
    for k in range(3):
        rows[i, 1 + k] = c[k]
        rows[i, 10 + k] = N[k]
    for k in range(6):
        rows[i, 4 + k] = J[k]
    rows[i, 13] = key
    rows[i, 20] = -1.0
