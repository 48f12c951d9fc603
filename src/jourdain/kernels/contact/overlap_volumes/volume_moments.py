"""Volume, centroid and volume-inertia tensor of overlap parts, and the moments that they are computed from.

Moments lose digits where the point o that they are about is far from the part, by the square of distance over size: o
belongs in the overlap.
"""

from __future__ import annotations

from ...algebra import Sym3, Vec3, cross, rotated
from ...compiler import kernel
from ...fixed_size import operation
from .overlap_values import Moments, Part, Springs


@operation
def no_moments():
    """Zero moments."""
    return Moments.of((0.0,) * 10)


@operation
def inertia_of(C):
    """trace(C) 1 - C: the inertia tensor of second moments C."""
    return Sym3(C.yy + C.zz, C.xx + C.zz, C.xx + C.yy, -C.xy, -C.xz, -C.yz)


@operation
def inertia_of_point(V, r):
    """V (r.r 1 - r r^T): inertia about the origin of a volume V at r (parallel-axis theorem)."""
    x, y, z = r
    return Sym3(V * (y * y + z * z), V * (x * x + z * z), V * (x * x + y * y), -V * x * y, -V * x * z, -V * y * z)


@operation
def tetrahedron_moments(a, b, c):
    """Moments about the origin of the tetrahedron (origin, a, b, c), with the sign of a . (b x c).

    Summed over the outward triangles of a closed surface they are those of the solid (Mirtich 1996, J. Graphics Tools
    1(2); Eberly, Polyhedral Mass Properties Revisited, 2002): V = d / 6, first moments d s / 24, second moments
    d (a a^T + b b^T + c c^T + s s^T) / 120, where d = a . (b x c) and s = a + b + c.
    """
    d = a @ cross(b, c)
    s = a + (b + c)
    k = d / 120.0
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    second = [k * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]) for i, j in pairs]
    return Moments(d / 6.0, d / 24.0 * s, *second)


@kernel
def part_of(m, o):
    """The part (V, c, J) of moments m about o; an empty part at o where the volume is not positive."""
    V, first, second = m.volume, m.first, m.second
    if not V.real > 0.0:
        return Part(0.0 * V, o, second.zero)
    r = first / V
    C = Sym3(
        second.xx - first.x * r.x,
        second.yy - first.y * r.y,
        second.zz - first.z * r.z,
        second.xy - first.x * r.y,
        second.xz - first.x * r.z,
        second.yz - first.y * r.z,
    )
    return Part(V, o + r, inertia_of(C))


@operation
def moments_of(part, o):
    """Moments of a part about o; its second moments about the centroid are trace(J) / 2 1 - J."""
    V, J, r = part.volume, part.inertia, part.centroid - o
    h = 0.5 * (J.xx + J.yy + J.zz)
    return Moments(
        V,
        V * r,
        h - J.xx + V * r.x * r.x,
        h - J.yy + V * r.y * r.y,
        h - J.zz + V * r.z * r.z,
        -J.xy + V * r.x * r.y,
        -J.xz + V * r.x * r.z,
        -J.yz + V * r.y * r.z,
    )


@kernel
def join_parts(p, q):
    """Union of two disjoint parts; by the reduced volume, so that no digits are lost."""
    V = p.volume + q.volume
    if not V.real > 0.0:
        return p
    r = q.centroid - p.centroid
    J = (p.inertia + q.inertia) + inertia_of_point(p.volume * q.volume / V, r)
    return Part(V, p.centroid + q.volume / V * r, J)


@operation
def place_part(R, p, part):
    """A part given in axes with rotation R and origin p, in the axes in which R and p are given."""
    return Part(part.volume, p + R @ part.centroid, rotated(R, part.inertia))


@kernel
def put_row(row, part, area, feature):
    """Writes a `SlicedPart`: a part and its vector area; its springs are marked as not known."""
    row.part, row.area, row.feature = part, area, feature
    row.springs = Springs(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0), -1.0)
