"""Rails: a marker that travels along a lumped body, its station a coordinate x of the joint that sits on it.

The shapes and the tables chi and xi of `slices` are piecewise polynomials of x, so that position and rotation of the
marker, and their first and second derivatives by x and by e, are of one function. With primes for derivatives by x,

    r = (x + u + 1/2 e^T chi e,  v,  w),   theta = (phi + 1/2 e^T xi e,  -w',  v'),

and the column of the joint is (T theta_x, r_x): a load that travels meets the slope under it, and what remains of its
acceleration holds 2 x' r_xe e' + x'^2 r_xx (Fryba 1999, section 1.2).

Floats: pieces, degree, where the first piece begins [m], 1 / length of a piece, coordinates of bending along y and z,
of stretch, of torsion, 1 if bending shortens the beam and 1 if it turns sections to second order; then for each piece,
in rising powers of t = -1 ... 1 along it: the functions of all coordinates, chi_kl (l <= k) of those that bend along y,
of those along z, and xi_kl (k along y, l along z).
"""

from __future__ import annotations

from ..columns import EV, FLOATS, PARENT, STATION, E, N, Q, S, V
from ..compiler import kernel
from ..flat_arrays import accumulate, get, put31, vec1
from ..spatial import add, put3, rotate, rotate_back, scale
from .lumped_beam import beam_axes
from .rotation_schemes import EXPONENTIAL, section_rotation

(
    PIECES,
    DEGREE,
    RAIL_START,
    RAIL_PER_PIECE,
    RAIL_BENDING_Y,
    RAIL_BENDING_Z,
    RAIL_AXIAL,
    RAIL_TORSION,
    SHORTENS,
    RAIL_TURNS,
) = range(10)
FUNCTIONS = 10


@kernel
def polynomial(floats, at, degree, t, slope):
    """Value and three derivatives by x of the polynomial in t whose coefficients begin at `at`; slope is dt / dx."""
    p = get(floats, at + degree) + 0.0 * t
    p1, p2, p3 = 0.0 * t, 0.0 * t, 0.0 * t
    for c in range(at + degree - 1, at - 1, -1):
        p3 = p3 * t + 3.0 * p2
        p2 = p2 * t + 2.0 * p1
        p1 = p1 * t + p
        p = p * t + get(floats, c)
    return p, p1 * slope, p2 * slope * slope, p3 * slope * slope * slope


@kernel
def pair_sums(floats, at, degree, t, slope, ek, el, vk, vl, sums):
    """Adds a pair of coordinates k, l to the sums of a quadratic form f = 1/2 e^T chi e.

    The sums are f, f_x, f_xx; along e' once, that and its derivative by x; along e' twice.
    """
    c, c1, c2, _ = polynomial(floats, at, degree, t, slope)
    product, mixed = ek * el, ek * vl + el * vk
    return c, (
        sums[0] + c * product,
        sums[1] + c1 * product,
        sums[2] + c2 * product,
        sums[3] + c * mixed,
        sums[4] + c1 * mixed,
        sums[5] + 2.0 * c * vk * vl,
    )


@kernel
def lumped_rail(model, ws, i, q, v):
    """Motion of the marker that carries the rail joint of body i, as `slices.station`, the joint's own motion included.

    Its shapes (theta, psi) are the last 6 n numbers of ws.flex; the joint's column, parent's frame, goes to ws.dof.
    """
    table, floats, flex = model.table, model.floats, ws.flex
    p = table[i, PARENT]
    n, e, ev = table[p, N], table[p, E], table[p, EV]
    base = flex.size - 6 * n
    at = table[i, STATION]
    x, rate = q[table[i, Q]], v[table[i, V]]
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    # the piece of the beam that the joint is on, and its place in it, -1 to 1
    pieces, degree = int(floats[at + PIECES]), int(floats[at + DEGREE])
    ny, nz = int(floats[at + RAIL_BENDING_Y]), int(floats[at + RAIL_BENDING_Z])
    na, nb = int(floats[at + RAIL_AXIAL]), ny + nz
    place = (x - floats[at + RAIL_START]) * floats[at + RAIL_PER_PIECE]
    piece = min(max(int(place.real), 0), pieces - 1)
    t = 2.0 * (place - piece) - 1.0
    slope = 2.0 * floats[at + RAIL_PER_PIECE]
    size = degree + 1
    chi_count = (ny * (ny + 1) + nz * (nz + 1)) // 2 if floats[at + SHORTENS] == 1.0 else 0
    xi_count = ny * nz if floats[at + RAIL_TURNS] == 1.0 else 0
    c = at + FUNCTIONS + piece * (n + chi_count + xi_count) * size

    # value and derivatives by x of u, v, w, phi, and of their rates
    u, u1, u2, ud, u1d = zero, zero, zero, zero, zero
    y, y1, y2, y3, yd, y1d, y2d = zero, zero, zero, zero, zero, zero, zero
    z, z1, z2, z3, zd, z1d, z2d = zero, zero, zero, zero, zero, zero, zero
    w, w1, w2, wd, w1d = zero, zero, zero, zero, zero
    for k in range(n):
        f, f1, f2, f3 = polynomial(floats, c, degree, t, slope)
        c += size
        ek, vk = get(q, e + k), get(v, ev + k)
        theta, psi = none, none
        # bending along y and z, stretch, twist; the shapes turn the section by the slope
        if k < ny:
            y, y1, y2, y3 = y + f * ek, y1 + f1 * ek, y2 + f2 * ek, y3 + f3 * ek
            yd, y1d, y2d = yd + f * vk, y1d + f1 * vk, y2d + f2 * vk
            theta, psi = (zero, zero, f1 + zero), (zero, f + zero, zero)
        elif k < nb:
            z, z1, z2, z3 = z + f * ek, z1 + f1 * ek, z2 + f2 * ek, z3 + f3 * ek
            zd, z1d, z2d = zd + f * vk, z1d + f1 * vk, z2d + f2 * vk
            theta, psi = (zero, -f1 + zero, zero), (zero, zero, f + zero)
        elif k < nb + na:
            u, u1, u2 = u + f * ek, u1 + f1 * ek, u2 + f2 * ek
            ud, u1d = ud + f * vk, u1d + f1 * vk
            psi = (f + zero, zero, zero)
        else:
            w, w1, w2 = w + f * ek, w1 + f1 * ek, w2 + f2 * ek
            wd, w1d = wd + f * vk, w1d + f1 * vk
            theta = (f + zero, zero, zero)
        put31(flex, base + 6 * k, theta)
        put31(flex, base + 6 * k + 3, psi)

    # foreshortening and roll, quadratic in the coordinates, with their derivatives by x
    short = (zero, zero, zero, zero, zero, zero)
    roll = (zero, zero, zero, zero, zero, zero)
    if chi_count > 0:
        for k in range(nb):
            for l in range(0 if k < ny else ny, k + 1):
                half = 0.5 if l == k else 1.0
                ek, el, vk, vl = get(q, e + k), get(q, e + l), get(v, ev + k), get(v, ev + l)
                f, short = pair_sums(floats, c, degree, t, slope, half * ek, el, half * vk, vl, short)
                c += size
                accumulate(flex, base + 6 * k + 3, f * el)
                if l < k:
                    accumulate(flex, base + 6 * l + 3, f * ek)
    if xi_count > 0:
        for k in range(ny):
            for l in range(ny, nb):
                ek, el, vk, vl = get(q, e + k), get(q, e + l), get(v, ev + k), get(v, ev + l)
                f, roll = pair_sums(floats, c, degree, t, slope, ek, el, vk, vl, roll)
                c += size
                accumulate(flex, base + 6 * k, f * el)
                accumulate(flex, base + 6 * l, f * ek)

    # position: along the beam it changes with x and by the rates of e, so that both mix in the bias
    r = (x + u + short[0], y, z)
    along = (1.0 + u1 + short[1], y1, z1)
    velocity = add((ud + short[3], yd, zd), scale(rate, along))
    left = (
        short[5] + rate * (2.0 * (u1d + short[4]) + rate * (u2 + short[2])),
        rate * (2.0 * y1d + rate * y2),
        rate * (2.0 * z1d + rate * z2),
    )
    # rotation vector, likewise
    theta = (w + roll[0], -z1, y1)
    turning = (w1 + roll[1], -z2, y2)
    spin = add((wd + roll[3], -z1d, y1d), scale(rate, turning))
    theta_left = (
        roll[5] + rate * (2.0 * (w1d + roll[4]) + rate * (w2 + roll[2])),
        -rate * (2.0 * z2d + rate * z3),
        rate * (2.0 * y2d + rate * y3),
    )
    # in the axes of the body; the column of the joint is the derivative by x
    axes = beam_axes(floats, table[p, FLOATS])
    spin = rotate_back(axes, spin)
    R, T, bias = section_rotation(EXPONENTIAL, axes, rotate_back(axes, theta), spin)
    bias = add(bias, rotate(T, rotate_back(axes, theta_left)))
    for k in range(n):
        put31(flex, base + 6 * k, rotate(T, rotate_back(axes, vec1(flex, base + 6 * k))))
        put31(flex, base + 6 * k + 3, rotate_back(axes, vec1(flex, base + 6 * k + 3)))
    put3(ws.dof, table[i, V], S, rotate(T, rotate_back(axes, turning)))
    put3(ws.dof, table[i, V], S + 3, rotate_back(axes, along))
    return rotate_back(axes, r), R, rotate_back(axes, velocity), rotate(T, spin), rotate_back(axes, left), bias
