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

from ..compiler import kernel
from ..spatial import add, cross, dot, scale, sym_product, sym_times


@kernel
def growth(R, x):
    """(r / R)^2 - 1 at r = (R, 0, 0) + x, without cancellation."""
    return (2.0 * R * x[0] + dot(x, x)) / (R * R)


@kernel
def direction(R, x):
    """Unit vector u of (R, 0, 0) + x, and its length."""
    r = R * (1.0 + growth(R, x)) ** 0.5
    w = 1.0 / r
    return (w * (R + x[0]), w * x[1], w * x[2]), r


@kernel
def dyad(k, a):
    """k a a^T as a symmetric matrix."""
    ka = scale(k, a)
    return (ka[0] * a[0], ka[1] * a[1], ka[2] * a[2], ka[0] * a[1], ka[0] * a[2], ka[1] * a[2])


@kernel
def trace(S):
    """Trace of a symmetric matrix."""
    return S[0] + S[1] + S[2]


@kernel
def central_field(mu, R, x):
    """g at (R, 0, 0) + x less g at (R, 0, 0), without cancellation, and its gradient G.

    (1 + a)^(-3/2) - 1 = -a (3 + 3 a + a^2) / ((1 + s) s) with s = (1 + a)^(3/2).
    """
    a = growth(R, x)
    s = (1.0 + a) * (1.0 + a) ** 0.5
    f = -a * (3.0 + a * (3.0 + a)) / ((1.0 + s) * s)
    k = mu / (R * R * R)
    g = (-k * (x[0] * (1.0 + f) + R * f), -k * x[1] * (1.0 + f), -k * x[2] * (1.0 + f))
    u, _ = direction(R, x)
    w = k / s
    xx, yy, zz, xy, xz, yz = dyad(3.0 * w, u)
    return g, (xx - w, yy - w, zz - w, xy, xz, yz)


@kernel
def central_wrench(mu, R, x, m, J):
    """Moment about the centre of mass and force on a body at x, less m g of the frame's origin."""
    g, _ = central_field(mu, R, x)
    u, r = direction(R, x)
    w = mu / (r * r * r)
    Ju = sym_times(J, u)
    second = add(scale(5.0 * dot(u, Ju) - trace(J), u), scale(-2.0, Ju))
    return scale(3.0 * w, cross(u, Ju)), add(scale(m, g), scale(1.5 * w / r, second))


@kernel
def central_potential(mu, R, x, m, J):
    """Potential energy of `central_wrench`, zero for a particle at the frame's origin.

    Of a unit mass it is -mu/R (h - x^2 / 2 R^2), h = (1 + a)^(-1/2) - 1 + a/2 = a^2 (y + 2) / (2 y (1 + y)^2) with
    y = (1 + a)^(1/2): its terms linear in x, which cancel, are left out.
    """
    a = growth(R, x)
    y = (1.0 + a) ** 0.5
    h = a * a * (y + 2.0) / (2.0 * y * (1.0 + y) * (1.0 + y))
    _, G = central_field(mu, R, x)
    return -m * mu / R * (h - 0.5 * dot(x, x) / (R * R)) + 0.5 * sym_product(G, J)


@kernel
def oblate_field(strength, pole, R, x):
    """g and G of U = strength (3 s^2 - 1) / r^3 at (R, 0, 0) + x, s the sine of the latitude.

    strength    1/2 mu J2 times the square of the equatorial radius [m^5/s^2]
    pole        axis of the attracting body, unit vector
    """
    u, r = direction(R, x)
    s = dot(u, pole)
    k = strength / (r * r * r * r)
    g = add(scale(k * (15.0 * s * s - 3.0), u), scale(-6.0 * k * s, pole))
    k = -k / r
    xx, yy, zz, xy, xz, yz = dyad(6.0 * k, pole)
    a, b, c, d, e, f = dyad(k * (105.0 * s * s - 15.0), u)
    h = -30.0 * k * s
    one = k * (3.0 - 15.0 * s * s)
    return g, (
        xx + a + 2.0 * h * pole[0] * u[0] + one,
        yy + b + 2.0 * h * pole[1] * u[1] + one,
        zz + c + 2.0 * h * pole[2] * u[2] + one,
        xy + d + h * (pole[0] * u[1] + pole[1] * u[0]),
        xz + e + h * (pole[0] * u[2] + pole[2] * u[0]),
        yz + f + h * (pole[1] * u[2] + pole[2] * u[1]),
    )


@kernel
def oblate_wrench(strength, pole, R, x, m, J):
    """Moment about the centre of mass and force on a body at x."""
    u, r = direction(R, x)
    s = dot(u, pole)
    g, _ = oblate_field(strength, pole, R, x)
    Ju, Jp = sym_times(J, u), sym_times(J, pole)
    pp, pu, uu, t = dot(pole, Jp), dot(pole, Ju), dot(u, Ju), trace(J)
    k = strength / (r * r * r * r * r)
    # 1/2 grad (J : grad grad U)
    along = -30.0 * pp + 420.0 * s * pu + (105.0 - 945.0 * s * s) * uu + (105.0 * s * s - 15.0) * t
    second = add(scale(along, u), scale(-60.0 * pu + 210.0 * s * uu - 30.0 * s * t, pole))
    second = add(second, add(scale(-60.0 * s, Jp), scale(210.0 * s * s - 30.0, Ju)))
    force = add(scale(m, g), scale(0.5 * k / r, second))
    moment = scale(6.0, cross(Jp, pole))
    moment = add(moment, scale(-30.0 * s, add(cross(Jp, u), cross(Ju, pole))))
    moment = add(moment, scale(105.0 * s * s - 15.0, cross(Ju, u)))
    return scale(k, moment), force


@kernel
def oblate_potential(strength, pole, R, x, m, J):
    """Potential energy of `oblate_wrench`, zero for a particle at the frame's origin, without cancellation.

    U = strength (3 z^2 / r^5 - 1 / r^3) with z the height over the equator, z^2 - z0^2 = pole . x (2 z0 + pole . x),
    and (1 + a)^(-5/2) - 1 = ((1 + a)^(-3/2) - 1 - a) / (1 + a).
    """
    a = growth(R, x)
    s = (1.0 + a) * (1.0 + a) ** 0.5
    third = -a * (3.0 + a * (3.0 + a)) / ((1.0 + s) * s)
    fifth = (third - a) / (1.0 + a)
    up = dot(pole, x)
    squares = up * (2.0 * R * pole[0] + up) / (R * R)
    difference = 3.0 * (squares * (1.0 + fifth) + pole[0] * pole[0] * fifth) - third
    _, G = oblate_field(strength, pole, R, x)
    return m * strength / (R * R * R) * difference + 0.5 * sym_product(G, J)
