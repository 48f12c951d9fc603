"""Rails: a marker that travels along a lumped body, its station a coordinate x of the joint that sits on it.

The shapes and the tables chi and xi of `slices` are piecewise polynomials of x, so that position and rotation of the
marker, and their first and second derivatives by x and by e, are of one function. With primes for derivatives by x,

    r = (x + u + 1/2 e^T chi e,  v,  w),   theta = (phi + 1/2 e^T xi e,  -w',  v'),

and the column of the joint is (T theta_x, r_x): a load that travels meets the slope under it, and what remains of its
acceleration holds 2 x' r_xe e' + x'^2 r_xx (Fryba 1999, section 1.2).

The floats are a `RailHead`, then for each piece, in rising powers of t = -1 ... 1 along it: the functions of all
coordinates, chi_kl (l <= k) of those that bend along y, of those along z, and xi_kl (k along y, l along z).
"""

from __future__ import annotations

from ..algebra import Motion, Vec3
from ..body_data import numbers_at, vectors_at
from ..compiler import kernel
from ..fixed_size import CLASSES, FixedSize, number_property
from ..rows import Row, row_at
from .lumped_layout import beam_axes_at
from .rotation_schemes import EXPONENTIAL, section_rotation


class RailHead(Row):
    """What the floats of a rail begin with."""

    pieces: int
    degree: int
    start: float  # where the first piece begins [m]
    per_piece: float  # 1 / length of a piece [1/m]
    bending_y: int  # coordinates of bending along y
    bending_z: int
    axial: int
    torsion: int
    shortens: bool  # whether bending shortens the beam
    turns: bool  # whether it turns sections to second order


class Taylor(FixedSize):
    """A function of x and its derivatives."""

    __slots__ = ()
    size = 4
    f, x, xx, xxx = number_property(0), number_property(1), number_property(2), number_property(3)


CLASSES["Taylor"] = Taylor


rail_at = row_at(RailHead)
FUNCTIONS = RailHead.size


@kernel
def polynomial(coefficients, degree, t, slope):
    """The polynomial in t of these coefficients; slope is dt / dx."""
    p = coefficients[degree] + 0.0 * t
    p1, p2, p3 = 0.0 * t, 0.0 * t, 0.0 * t
    for c in range(degree - 1, -1, -1):
        p3 = p3 * t + 3.0 * p2
        p2 = p2 * t + 2.0 * p1
        p1 = p1 * t + p
        p = p * t + coefficients[c]
    return Taylor(p, p1 * slope, p2 * slope * slope, p3 * slope * slope * slope)


@kernel
def pair_sums(c, ek, el, vk, vl, sums):
    """Adds a pair of coordinates k, l to the sums of a quadratic form f = 1/2 e^T chi e: along e twice, along e and e',
    along e' twice."""
    return sums[0] + (ek * el) * c, sums[1] + (ek * vl + el * vk) * c, sums[2] + (2.0 * vk * vl) * c


@kernel
def lumped_rail(model, ws, i, q, v):
    """Motion of the marker that carries the rail joint of body i, as `lumped_beam.station`, the joint's own motion
    included.

    Its shapes (theta, psi) are the last 6 n numbers of ws.flex; the joint's column, parent's frame, goes to ws.dofs.
    """
    node, flex = model.tree[i], ws.flex
    p, rail = node.parent, rail_at(model.floats, node.station)
    n, e, ev = model.tree[p].ne, model.tree[p].e, model.tree[p].ev
    base = flex.size - 6 * n
    x, rate, shapes = q[node.q], v[node.v], vectors_at(flex, base)
    zero, none = 0.0 * flex[0], shapes[0].zero
    # the piece of the beam that the joint is on, and its place in it, -1 to 1
    ny, nz, na, degree = rail.bending_y, rail.bending_z, rail.axial, rail.degree
    nb, size = ny + nz, degree + 1
    place = (x - rail.start) * rail.per_piece
    piece = min(max(int(place.real), 0), rail.pieces - 1)
    t, slope = 2.0 * (place - piece) - 1.0, 2.0 * rail.per_piece
    chi_count = (ny * (ny + 1) + nz * (nz + 1)) // 2 if rail.shortens else 0
    xi_count = ny * nz if rail.turns else 0
    functions = numbers_at(model.floats, node.station + FUNCTIONS + piece * (n + chi_count + xi_count) * size)

    # value and derivatives by x of u, v, w, phi, and of their rates
    still = Taylor(zero, zero, zero, zero)
    u, ud, y, yd, z, zd, w, wd = still, still, still, still, still, still, still, still
    for k in range(n):
        f = polynomial(functions[k * size :], degree, t, slope)
        ek, vk = q[e + k], v[ev + k]
        theta, psi = none, none
        # bending along y and z, stretch, twist; the shapes turn the section by the slope
        if k < ny:
            y, yd = y + ek * f, yd + vk * f
            theta, psi = Vec3(zero, zero, f.x), Vec3(zero, f.f, zero)
        elif k < nb:
            z, zd = z + ek * f, zd + vk * f
            theta, psi = Vec3(zero, -f.x, zero), Vec3(zero, zero, f.f)
        elif k < nb + na:
            u, ud = u + ek * f, ud + vk * f
            psi = Vec3(f.f, zero, zero)
        else:
            w, wd = w + ek * f, wd + vk * f
            theta = Vec3(f.f, zero, zero)
        shapes[2 * k], shapes[2 * k + 1] = theta, psi

    # foreshortening and roll, quadratic in the coordinates, with their derivatives by x
    short, roll, at = (still, still, still), (still, still, still), n * size
    for k in range(nb if chi_count > 0 else 0):
        for l in range(0 if k < ny else ny, k + 1):
            half = 0.5 if l == k else 1.0
            ek, el, vk, vl = q[e + k], q[e + l], v[ev + k], v[ev + l]
            f = polynomial(functions[at:], degree, t, slope)
            short = pair_sums(f, half * ek, el, half * vk, vl, short)
            at += size
            flex[base + 6 * k + 3] += f.f * el
            if l < k:
                flex[base + 6 * l + 3] += f.f * ek
    for k in range(ny if xi_count > 0 else 0):
        for l in range(ny, nb):
            ek, el, vk, vl = q[e + k], q[e + l], v[ev + k], v[ev + l]
            f = polynomial(functions[at:], degree, t, slope)
            roll = pair_sums(f, ek, el, vk, vl, roll)
            at += size
            flex[base + 6 * k] += f.f * el
            flex[base + 6 * l] += f.f * ek

    # position: along the beam it changes with x and by the rates of e, so that both mix in the bias
    s, sd, sdd = short
    r = Vec3(x + u.f + s.f, y.f, z.f)
    along = Vec3(1.0 + u.x + s.x, y.x, z.x)
    velocity = Vec3(ud.f + sd.f, yd.f, zd.f) + rate * along
    left = Vec3(
        sdd.f + rate * (2.0 * (ud.x + sd.x) + rate * (u.xx + s.xx)),
        rate * (2.0 * yd.x + rate * y.xx),
        rate * (2.0 * zd.x + rate * z.xx),
    )
    # rotation vector, likewise
    s, sd, sdd = roll
    theta = Vec3(w.f + s.f, -z.x, y.x)
    turning = Vec3(w.x + s.x, -z.xx, y.xx)
    spin = Vec3(wd.f + sd.f, -zd.x, yd.x) + rate * turning
    theta_left = Vec3(
        sdd.f + rate * (2.0 * (wd.x + sd.x) + rate * (w.xx + s.xx)),
        -rate * (2.0 * zd.xx + rate * z.xxx),
        rate * (2.0 * yd.xx + rate * y.xxx),
    )
    # in the axes of the body; the column of the joint is the derivative by x
    to_body = beam_axes_at(model.floats, model.tree[p].floats).axes.T
    spin = to_body @ spin
    R, T, bias = section_rotation(EXPONENTIAL, to_body.T, to_body @ theta, spin)
    bias += T @ (to_body @ theta_left)
    for k in range(n):
        shapes[2 * k], shapes[2 * k + 1] = T @ (to_body @ shapes[2 * k]), to_body @ shapes[2 * k + 1]
    ws.dofs[node.v].S = Motion(T @ (to_body @ turning), to_body @ along)
    return to_body @ r, R, to_body @ velocity, T @ spin, to_body @ left, bias
