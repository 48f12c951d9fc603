"""Vectors, matrices and spatial quantities, in the names of Featherstone 2008 and of Drake.

    R @ a, R.T @ a        a matrix and a vector
    a @ b, cross(a, b)    products of vectors
    I @ s                 the wrench that a body of inertia I takes for the acceleration s
    s @ f                 the power of a wrench along a motion

All are of real or of complex numbers, in kernels and in Python (`fixed_size.py`). A spatial quantity has an origin:
that of a body, mostly. `shift` takes it to the point at r of the same body, `shift_back` from there to the origin.
Sums are written in one order everywhere, so that results do not depend on where an expression stands.
"""

from __future__ import annotations

from typing import Any

from .fixed_size import CLASSES, FixedSize, number_property, operation


def _dot(a: Any, b: Any) -> Any:
    total = a[0] * b[0]
    for k in range(1, len(a)):
        total = total + a[k] * b[k]
    return total


class Vec2(FixedSize):
    """A vector (x, y) in a plane."""

    __slots__ = ()
    size = 2
    x, y = number_property(0), number_property(1)

    @classmethod
    def products(cls):
        """The scalar product."""
        return {Vec2: _dot}


class Vec3(FixedSize):
    """A vector (x, y, z)."""

    __slots__ = ()
    size = 3
    x, y, z = number_property(0), number_property(1), number_property(2)

    @classmethod
    def products(cls):
        """The scalar product."""
        return {Vec3: _dot}


class Mat3(FixedSize):
    """A 3 x 3 matrix, by rows."""

    __slots__ = ()
    size = 9
    members = {"x_row": (Vec3, 0), "y_row": (Vec3, 3), "z_row": (Vec3, 6)}

    @property
    def T(self):
        """Its transpose."""
        a = self.numbers
        return Mat3.of((a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]))

    @property
    def x_axis(self):
        """Its first column: of a rotation R_WB, the x axis of B in W."""
        return Vec3.of(self.numbers[0::3])

    @property
    def y_axis(self):
        """Its second column."""
        return Vec3.of(self.numbers[1::3])

    @property
    def z_axis(self):
        """Its third column."""
        return Vec3.of(self.numbers[2::3])

    @classmethod
    def products(cls):
        """With a vector or a matrix."""
        return {Vec3: _matrix_vector, Mat3: _matrix_matrix}


class Sym3(FixedSize):
    """A symmetric 3 x 3 matrix: xx, yy, zz, xy, xz, yz."""

    __slots__ = ()
    size = 6
    xx, yy, zz = number_property(0), number_property(1), number_property(2)
    xy, xz, yz = number_property(3), number_property(4), number_property(5)

    @classmethod
    def products(cls):
        """With a vector."""
        return {Vec3: _symmetric_vector}


class Quaternion(FixedSize):
    """A quaternion, scalar part first."""

    __slots__ = ()
    size = 4
    w, x, y, z = number_property(0), number_property(1), number_property(2), number_property(3)
    members = {"vector": (Vec3, 1)}

    @classmethod
    def products(cls):
        """Hamilton's product: of rotations, the right one first."""
        return {Quaternion: _quaternion_product}


class Motion(FixedSize):
    """A spatial velocity, acceleration or joint axis: of the body, and of the point at its origin."""

    __slots__ = ()
    size = 6
    members = {"angular": (Vec3, 0), "linear": (Vec3, 3)}

    @classmethod
    def products(cls):
        """The power of a wrench."""
        return {Wrench: _power}


class Wrench(FixedSize):
    """A spatial force: moment about the origin, force."""

    __slots__ = ()
    size = 6
    members = {"moment": (Vec3, 0), "force": (Vec3, 3)}

    @classmethod
    def products(cls):
        """The power along a motion."""
        return {Motion: _power}


class Inertia(FixedSize):
    """A spatial inertia [[J, H], [H^T, M]], rigid, articulated or composite, about the origin."""

    __slots__ = ()
    size = 21
    members = {"J": (Sym3, 0), "H": (Mat3, 6), "M": (Sym3, 15)}

    @classmethod
    def products(cls):
        """The wrench of a motion."""
        return {Motion: _inertia_motion}


CLASSES |= {one.__name__: one for one in (Vec2, Vec3, Mat3, Sym3, Quaternion, Motion, Wrench, Inertia)}


def _matrix_vector(R: Any, a: Any) -> Vec3:
    return Vec3.of([_dot(R.numbers[k : k + 3], a) for k in (0, 3, 6)])


def _matrix_matrix(A: Any, B: Any) -> Mat3:
    return Mat3.of([_dot(A.numbers[k : k + 3], B.numbers[j::3]) for k in (0, 3, 6) for j in range(3)])


def _symmetric_vector(S: Any, a: Any) -> Vec3:
    s = S.numbers
    return Vec3.of([_dot((s[i], s[j], s[k]), a) for i, j, k in ((0, 3, 4), (3, 1, 5), (4, 5, 2))])


def _quaternion_product(p: Any, q: Any) -> Quaternion:
    return Quaternion.of((
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
    ))  # fmt: skip


def _power(a: Any, b: Any) -> Any:
    return _dot(a.numbers[:3], b.numbers[:3]) + _dot(a.numbers[3:], b.numbers[3:])


def _inertia_motion(I: Any, s: Any) -> Wrench:
    moment = I.J @ s.angular + I.H @ s.linear
    force = I.H.T @ s.angular + I.M @ s.linear
    return Wrench.of((*moment, *force))


@operation
def conjugate(q):
    """The inverse of a unit quaternion."""
    return Quaternion(q.w, -q.x, -q.y, -q.z)


@operation
def cross(a, b):
    """a x b."""
    return Vec3.of((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


@operation
def plane_cross(a, b):
    """a x b in a plane: the area of the parallelogram from a to b."""
    return a.x * b.y - a.y * b.x


@operation
def motion_cross(s, m):
    """s x m of motions."""
    return Motion(cross(s.angular, m.angular), cross(s.angular, m.linear) + cross(s.linear, m.angular))


@operation
def force_cross(s, f):
    """s x* f of a motion and a wrench."""
    return Wrench(cross(s.angular, f.moment) + cross(s.linear, f.force), cross(s.angular, f.force))


@operation
def skew(a):
    """The cross-product matrix a~: a~ x = a x x."""
    o = a.zero.x
    return Mat3(o, -a.z, a.y, a.z, o, -a.x, -a.y, a.x, o)


@operation
def skew_product(a, b):
    """The matrix of a x (b x .), a~ b~ = b a^T - (a . b) 1."""
    return Mat3(
        -a.y * b.y - a.z * b.z,
        b.x * a.y,
        b.x * a.z,
        b.y * a.x,
        -a.x * b.x - a.z * b.z,
        b.y * a.z,
        b.z * a.x,
        b.z * a.y,
        -a.x * b.x - a.y * b.y,
    )


@operation
def full(S):
    """A symmetric matrix by all of its entries."""
    return Mat3(S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz)


@operation
def shift(s, r):
    """The motion of the point at r, of a body that moves with s: (angular, linear + angular x r)."""
    return Motion(s.angular, s.linear + cross(s.angular, r))


@operation
def shift_back(f, r):
    """A wrench, or an inertia, about the origin, of one that is about the point at r.

    (n + r x f, f), and J - H r~ + r~ H^T - r~ M r~, H + r~ M, M: what a motion of the origin meets there.
    """
    if isinstance(f, Wrench):
        return Wrench(f.moment + cross(r, f.force), f.force)
    J, H, M = f.J, f.H, f.M
    x, y, z = r
    # N = H + r~ M, by columns of M
    N = Mat3(
        H[0] + y * M[4] - z * M[3],
        H[1] + y * M[5] - z * M[1],
        H[2] + y * M[2] - z * M[5],
        H[3] + z * M[0] - x * M[4],
        H[4] + z * M[3] - x * M[5],
        H[5] + z * M[4] - x * M[2],
        H[6] + x * M[3] - y * M[0],
        H[7] + x * M[1] - y * M[3],
        H[8] + x * M[5] - y * M[4],
    )
    # J' = J + r~ H^T - N r~; column k of H^T is row k of H, and -(N r~) takes rows of N cross r
    K = Sym3(
        J[0] + (y * H[2] - z * H[1]) + (y * N[2] - z * N[1]),
        J[1] + (z * H[3] - x * H[5]) + (z * N[3] - x * N[5]),
        J[2] + (x * H[7] - y * H[6]) + (x * N[7] - y * N[6]),
        J[3] + (y * H[5] - z * H[4]) + (z * N[0] - x * N[2]),
        J[4] + (y * H[8] - z * H[7]) + (x * N[1] - y * N[0]),
        J[5] + (z * H[6] - x * H[8]) + (x * N[4] - y * N[3]),
    )
    return Inertia(K, N, M)


@operation
def rigid_inertia(J, c, m):
    """The inertia of a rigid body: J about the origin, first moment of mass c, mass m."""
    o = c.zero.x
    return Inertia(J, Mat3(o, -c.z, c.y, c.z, o, -c.x, -c.y, c.x, o), Sym3(m, m, m, o, o, o))


@operation
def rigid_body_force(J, c, m, a):
    """What a rigid body takes for the acceleration a: (J alpha + c x a, m a + alpha x c), by Newton and Euler."""
    return Wrench(J @ a.angular + cross(c, a.linear), m * a.linear + cross(a.angular, c))


@operation
def rigid_inertia_added(I, J, c, m):
    """I and the inertia of a rigid body: J about the origin, first moment of mass c, mass m."""
    H, M = I.H, I.M
    return Inertia(
        I.J + J,
        Mat3(H[0], H[1] - c.z, H[2] + c.y, H[3] + c.z, H[4], H[5] - c.x, H[6] - c.y, H[7] + c.x, H[8]),
        Sym3(M[0] + m, M[1] + m, M[2] + m, M[3], M[4], M[5]),
    )


@operation
def dyad_subtracted(I, U, k):
    """I - k U U^T: what is left of an inertia when the motion whose wrench is U has been eliminated."""
    a, b = U.moment, U.force
    ka, kb = k * a, k * b
    H = Mat3.of([I.H[3 * i + j] - a[i] * kb[j] for i in range(3) for j in range(3)])
    return Inertia(_less_dyad(I.J, ka, a), H, _less_dyad(I.M, kb, b))


def _less_dyad(S: Any, u: Any, v: Any) -> Sym3:
    """S - u v^T, of parallel vectors."""
    return Sym3.of([S[n] - u[i] * v[j] for n, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))])


@operation
def about_centre(J, c, w):
    """J - w (|c|^2 - c c^T): about the centre of mass, of the first moment c and the inverse mass w."""
    return Sym3(
        J.xx - w * (c.y * c.y + c.z * c.z),
        J.yy - w * (c.x * c.x + c.z * c.z),
        J.zz - w * (c.x * c.x + c.y * c.y),
        J.xy + w * c.x * c.y,
        J.xz + w * c.x * c.z,
        J.yz + w * c.y * c.z,
    )


@operation
def solve(S, b):
    """x of S x = b, S symmetric, by cofactors."""
    xx, yy, zz, xy, xz, yz = S
    A, B, C = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    E, F, G = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return 1.0 / (xx * A + xy * B + xz * C) * (Sym3(A, E, G, B, C, F) @ b)


@operation
def symmetric_part_subtracted(I, f, s):
    """I less the symmetric part of f s^T, f a wrench and s as many numbers; summed up, a sum that is symmetric."""
    a, b, x, y = f.moment, f.force, s.moment, s.force
    H = Mat3.of([I.H[3 * i + j] - a[i] * y[j] for i in range(3) for j in range(3)])
    return Inertia(_less_symmetric(I.J, a, x), H, _less_symmetric(I.M, b, y))


def _less_symmetric(S: Any, a: Any, x: Any) -> Sym3:
    return Sym3(
        S.xx - a.x * x.x,
        S.yy - a.y * x.y,
        S.zz - a.z * x.z,
        S.xy - 0.5 * (a.x * x.y + a.y * x.x),
        S.xz - 0.5 * (a.x * x.z + a.z * x.x),
        S.yz - 0.5 * (a.y * x.z + a.z * x.y),
    )


@operation
def symmetric_product(A, B):
    """A : B of symmetric matrices."""
    return A[0] * B[0] + A[1] * B[1] + A[2] * B[2] + 2.0 * (A[3] * B[3] + A[4] * B[4] + A[5] * B[5])


@operation
def rotated(R, S):
    """R S R^T of a symmetric S."""
    x, y, z = R.x_row, R.y_row, R.z_row
    a, b, c = S @ x, S @ y, S @ z
    return Sym3(x @ a, y @ b, z @ c, y @ a, z @ a, z @ b)


@operation
def turned_z(R, s, c):
    """R times the rotation about z by an angle of sine s and cosine c."""
    return Mat3(
        c * R[0] + s * R[1],
        c * R[1] - s * R[0],
        R[2],
        c * R[3] + s * R[4],
        c * R[4] - s * R[3],
        R[5],
        c * R[6] + s * R[7],
        c * R[7] - s * R[6],
        R[8],
    )


@operation
def rodrigues(a, s, c):
    """Rotation about the unit axis a by an angle of sine s and cosine c, Rodrigues' formula."""
    k = 1.0 - c
    return Mat3(
        c + k * a[0] * a[0],
        k * a[0] * a[1] - s * a[2],
        k * a[0] * a[2] + s * a[1],
        k * a[0] * a[1] + s * a[2],
        c + k * a[1] * a[1],
        k * a[1] * a[2] - s * a[0],
        k * a[0] * a[2] - s * a[1],
        k * a[1] * a[2] + s * a[0],
        c + k * a[2] * a[2],
    )


@operation
def rotation_matrix(q):
    """Rotation matrix of a quaternion, which need not be of exactly unit length."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return Mat3(
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


@operation
def outer(a, b):
    """a b^T of vectors."""
    return Mat3.of([x * y for x in a for y in b])


@operation
def scaled_unit(x):
    """x times the unit matrix."""
    return Mat3(x, 0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, x)


@operation
def entrywise(a, b):
    """The products of the entries of two vectors."""
    return Vec3(a.x * b.x, a.y * b.y, a.z * b.z)


@operation
def product_inertia(d, y):
    """(d . y) 1 - (d y^T + y d^T) / 2."""
    return Sym3(
        d.y * y.y + d.z * y.z,
        d.x * y.x + d.z * y.z,
        d.x * y.x + d.y * y.y,
        -0.5 * (d.x * y.y + d.y * y.x),
        -0.5 * (d.x * y.z + d.z * y.x),
        -0.5 * (d.y * y.z + d.z * y.y),
    )
