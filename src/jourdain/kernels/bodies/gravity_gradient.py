"""Attraction of a body by a point mass, and by an oblate one, to second order in its size over the radius.

With r the place of the centre of mass from the attracting centre, m and J the mass and the inertia about the centre of
mass, U the potential of a unit mass, g = -grad U and G = grad g, the potential energy of the body is

    V = int U(r + rho) dm = m U - 1/2 G : P + ...,    P = int rho rho^T dm = 1/2 tr(J) 1 - J,

and since G has no trace, -1/2 G : P = 1/2 G : J. What is left out is of third order in size over radius. Force and
moment are the exact derivatives of this V, so that energy is kept to rounding:

    force = m g - 1/2 grad (G : J),        moment about the centre of mass = int rho x G rho dm.

For U = -mu / r these are the gravity-gradient force and torque (Hughes 1986, section 8.1), the latter
3 mu / r^3 u x J u with u = r / r. Chen 1999, eq. 2.24, has V about another point, with a misprint in its last term.

Places x are those of the centre of mass in the orbital frame: r = (R, 0, 0) + x.
"""

from __future__ import annotations

from ..algebra import Sym3, Vec3, Wrench, cross, operation, symmetric_product


@operation
def growth(R, x):
    """(r / R)^2 - 1 at r = (R, 0, 0) + x, without cancellation."""
    return (2.0 * R * x.x + x @ x) / (R * R)


@operation
def direction(R, x):
    """Unit vector u of (R, 0, 0) + x, and its length."""
    r = R * (1.0 + growth(R, x)) ** 0.5
    w = 1.0 / r
    return Vec3(w * (R + x.x), w * x.y, w * x.z), r


@operation
def dyad(k, a):
    """k a a^T as a symmetric matrix."""
    b = k * a
    return Sym3(b.x * a.x, b.y * a.y, b.z * a.z, b.x * a.y, b.x * a.z, b.y * a.z)


@operation
def trace(S):
    """Trace of a symmetric matrix."""
    return S.xx + S.yy + S.zz


@operation
def central_field(mu, R, x):
    """g at (R, 0, 0) + x less g at (R, 0, 0), without cancellation, and its gradient G.

    (1 + a)^(-3/2) - 1 = -a (3 + 3 a + a^2) / ((1 + s) s) with s = (1 + a)^(3/2).
    """
    a = growth(R, x)
    s = (1.0 + a) * (1.0 + a) ** 0.5
    f = -a * (3.0 + a * (3.0 + a)) / ((1.0 + s) * s)
    k = mu / (R * R * R)
    g = Vec3(-k * (x.x * (1.0 + f) + R * f), -k * x.y * (1.0 + f), -k * x.z * (1.0 + f))
    u, _ = direction(R, x)
    w = k / s
    G = dyad(3.0 * w, u)
    return g, Sym3(G.xx - w, G.yy - w, G.zz - w, G.xy, G.xz, G.yz)


@operation
def central_wrench(mu, R, x, m, J):
    """Moment about the centre of mass and force on a body at x, less m g of the frame's origin."""
    g, _ = central_field(mu, R, x)
    u, r = direction(R, x)
    w = mu / (r * r * r)
    Ju = J @ u
    second = (5.0 * (u @ Ju) - trace(J)) * u + -2.0 * Ju
    return Wrench(3.0 * w * cross(u, Ju), m * g + 1.5 * w / r * second)


@operation
def central_potential(mu, R, x, m, J):
    """Potential energy of `central_wrench`, zero for a particle at the frame's origin.

    Of a unit mass it is -mu/R (h - x^2 / 2 R^2), h = (1 + a)^(-1/2) - 1 + a/2 = a^2 (y + 2) / (2 y (1 + y)^2) with
    y = (1 + a)^(1/2): its terms linear in x, which cancel, are left out.
    """
    a = growth(R, x)
    y = (1.0 + a) ** 0.5
    h = a * a * (y + 2.0) / (2.0 * y * (1.0 + y) * (1.0 + y))
    _, G = central_field(mu, R, x)
    return -m * mu / R * (h - 0.5 * (x @ x) / (R * R)) + 0.5 * symmetric_product(G, J)


@operation
def oblate_field(strength, pole, R, x):
    """g and G of U = strength (3 s^2 - 1) / r^3 at (R, 0, 0) + x, s the sine of the latitude.

    strength    1/2 mu J2 times the square of the equatorial radius [m^5/s^2]
    pole        axis of the attracting body, unit vector
    """
    u, r = direction(R, x)
    s = u @ pole
    k = strength / (r * r * r * r)
    g = k * (15.0 * s * s - 3.0) * u + -6.0 * k * s * pole
    k = -k / r
    A = dyad(6.0 * k, pole) + dyad(k * (105.0 * s * s - 15.0), u)
    h = -30.0 * k * s
    one = k * (3.0 - 15.0 * s * s)
    return g, Sym3(
        A.xx + 2.0 * h * pole.x * u.x + one,
        A.yy + 2.0 * h * pole.y * u.y + one,
        A.zz + 2.0 * h * pole.z * u.z + one,
        A.xy + h * (pole.x * u.y + pole.y * u.x),
        A.xz + h * (pole.x * u.z + pole.z * u.x),
        A.yz + h * (pole.y * u.z + pole.z * u.y),
    )


@operation
def oblate_wrench(strength, pole, R, x, m, J):
    """Moment about the centre of mass and force on a body at x."""
    u, r = direction(R, x)
    s = u @ pole
    g, _ = oblate_field(strength, pole, R, x)
    Ju, Jp = J @ u, J @ pole
    pp, pu, uu, t = pole @ Jp, pole @ Ju, u @ Ju, trace(J)
    k = strength / (r * r * r * r * r)
    # 1/2 grad (J : grad grad U)
    along = -30.0 * pp + 420.0 * s * pu + (105.0 - 945.0 * s * s) * uu + (105.0 * s * s - 15.0) * t
    second = along * u + (-60.0 * pu + 210.0 * s * uu - 30.0 * s * t) * pole
    second = second + (-60.0 * s * Jp + (210.0 * s * s - 30.0) * Ju)
    moment = 6.0 * cross(Jp, pole) + -30.0 * s * (cross(Jp, u) + cross(Ju, pole))
    moment = moment + (105.0 * s * s - 15.0) * cross(Ju, u)
    return Wrench(k * moment, m * g + 0.5 * k / r * second)


@operation
def oblate_potential(strength, pole, R, x, m, J):
    """Potential energy of `oblate_wrench`, zero for a particle at the frame's origin, without cancellation.

    U = strength (3 z^2 / r^5 - 1 / r^3) with z the height over the equator, z^2 - z0^2 = pole . x (2 z0 + pole . x),
    and (1 + a)^(-5/2) - 1 = ((1 + a)^(-3/2) - 1 - a) / (1 + a).
    """
    a = growth(R, x)
    s = (1.0 + a) * (1.0 + a) ** 0.5
    third = -a * (3.0 + a * (3.0 + a)) / ((1.0 + s) * s)
    fifth = (third - a) / (1.0 + a)
    up = pole @ x
    squares = up * (2.0 * R * pole.x + up) / (R * R)
    difference = 3.0 * (squares * (1.0 + fifth) + pole.x * pole.x * fifth) - third
    _, G = oblate_field(strength, pole, R, x)
    return m * strength / (R * R * R) * difference + 0.5 * symmetric_product(G, J)
