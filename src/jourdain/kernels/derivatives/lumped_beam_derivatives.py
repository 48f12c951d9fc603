"""Derivatives of the inertial and elastic forces of lumped floating-frame beams, in the axes of the beam.

Bodies of bodies/lumped_beam.py and lumped_beam_inertia.py. A slice of mass m at r moves by phi_k = psi_k + d chi_k e
for a unit of e_k. Its inertial force at a given motion of the frame is
F = m (a + alpha x r + omega x (omega x r + 2 u) + sum phi_k e_k'' + d sum chi_kl e_k' e_l'), so

    dF/de_l = m (alpha x phi_l + omega x (omega x phi_l + 2 d chi_l e') + d chi_l e''),
    dF/de_l' = 2 m (omega x phi_l + d chi_l e'),    d(phi_k . F)/de_l = phi_k . dF/de_l + chi_kl d . F.

Where the mass matrix is that of the undeformed body, alpha x r, and the moment of the terms by accelerations, have the
undeformed r.
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, Wrench, cross, full, skew, skew_product
from ..bodies.lumped_beam import point_sums
from ..bodies.lumped_beam_inertia import beam_axes_in_world, point_inertia, shortens_moving, slice_of
from ..bodies.lumped_layout import (
    FULL_MEMBRANE,
    NO_MEMBRANE,
    UNDEFORMED,
    UNDEFORMED_MASS,
    lumped_arrays,
    lumped_body,
)
from ..compiler import kernel, optional_kernel
from .rotary_inertia_derivatives import turned_partials


@kernel
def membrane_partials(model, i, q, K):
    """Adds the tangent stiffness of `membrane_force` to the block of body i."""
    node, body, points = model.tree[i], lumped_body(model, i), lumped_arrays(model, i).membrane
    n, ev, whole = node.ne, node.ev, body.membrane == FULL_MEMBRANE
    for p in range(body.membrane_points):
        point = points[p * (1 + 3 * n) :]
        u, v, w = point_sums(point, n, q, node.e)
        tension = u + 0.5 * (v * v + w * w) if whole else u
        # derivative by e_l of tension (v' v'_k + w' w'_k), with the full strain also of tension u'_k
        for k in range(n):
            uk, vk, wk = point[1 + k], point[1 + n + k], point[1 + 2 * n + k]
            slope = v * vk + w * wk
            for l in range(n):
                ul, vl, wl = point[1 + l], point[1 + n + l], point[1 + 2 * n + l]
                value = tension * (vk * vl + wk * wl) + slope * ul
                if whole:
                    value += (uk + slope) * (v * vl + w * wl)
                K[ev + k, ev + l] += point[0] * value


@kernel
def coupling_partials(model, i, q, K):
    """Adds the tangent stiffness of `coupling_force` to the block of body i."""
    node, body = model.tree[i], lumped_body(model, i)
    n, ev = node.ne, node.ev
    for p in range(body.coupling_points):
        # twist phi and curvatures v'', w'' at the coupling point
        point = body.coupling[p * (1 + 3 * n) :]
        phi, v, w = point_sums(point, n, q, node.e)
        f = point[0]
        for l in range(n):
            pl, vl, wl = point[1 + l], point[1 + n + l], point[1 + 2 * n + l]
            by_phi = f * ((w * w - v * v) * pl + (w - 2.0 * phi * v) * vl + (v + 2.0 * phi * w) * wl)
            by_v = f * ((w - 2.0 * phi * v) * pl - phi * phi * vl + phi * wl)
            by_w = f * ((v + 2.0 * phi * w) * pl + phi * vl + phi * phi * wl)
            for k in range(n):
                K[ev + k, ev + l] += by_phi * point[1 + k] + by_v * point[1 + n + k] + by_w * point[1 + 2 * n + k]


@kernel
def along(d, x):
    """d with x added along the beam."""
    return Vec3(d.x + x, d.y, d.z)


@kernel
def slice_shapes(own, n, ny, nb, shortens, q, e, v, ev, acceleration, stations):
    """Shapes of a slice and their rates into `stations`; returns its displacement, velocity, the acceleration by e'',
    and the rest of the acceleration along d.
    """
    none = Vec3(0.0, 0.0, 0.0)
    r, u, a = none, none, none
    bias, entry = 0.0, 0
    for k in range(n):
        ek, vk, ak = q[e + k], v[ev + k], acceleration[ev + k]
        row, row1, row2 = 0.0, 0.0, 0.0
        # bending: one transverse component, and foreshortening chi_k e along d with its rates
        if k < nb:
            across = own.shape[k]
            phi = Vec3(0.0, across, 0.0) if k < ny else Vec3(0.0, 0.0, across)
            if shortens:
                for l in range(0 if k < ny else ny, ny if k < ny else nb):
                    x = own.chi[entry]
                    row += x * q[e + l]
                    row1 += x * v[ev + l]
                    row2 += x * acceleration[ev + l]
                    entry += 1
        else:
            phi = own.psi[k - nb]
        r = along(r + ek * phi, 0.5 * row * ek)
        phi = along(phi, row)
        u += vk * phi
        a += ak * phi
        bias += row1 * vk
        stations[k].place_0, stations[k].along_1, stations[k].along_2 = phi, row1, row2
    return r, u, a, bias


@optional_kernel("lumped", returns=(Mat3, Mat3))
def lumped_partials(model, ws, sl, i, q, v, acceleration, K, C):
    """Fills the entries of body i and adds to its blocks of K and C; returns the rate matrices of moment and force."""
    node, body, arrays, stations = model.tree[i], lumped_body(model, i), lumped_arrays(model, i), sl.station_partials
    n, e, ev, code = node.ne, node.e, node.ev, body.inertia
    ny, moving = body.bending_y, body.moving
    nb, shortens = ny + body.bending_z, shortens_moving(body)
    # motion of the body frame in the axes of the beam
    R, A = beam_axes_in_world(model, ws, i), ws.bodies[i].acceleration
    omega, alpha, a = R.T @ ws.bodies[i].omega, R.T @ A.angular, R.T @ A.linear
    none = Vec3(0.0, 0.0, 0.0)
    # stiffness and damping of the coordinates, then membrane and coupling terms
    for k in range(n):
        for l in range(n):
            K[ev + k, ev + l] += arrays.stiffness[n * k + l]
            C[ev + k, ev + l] += arrays.damping[n * k + l]
    if body.membrane != NO_MEMBRANE:
        membrane_partials(model, i, q, K)
    coupling_partials(model, i, q, K)

    # inertia of the slices about their own centres, and its angular momentum by the rates of the shapes
    J = arrays.own[0]
    spin, first, momentum = none, none, none
    if code != UNDEFORMED:
        for k in range(n):
            h = arrays.momenta[k].angular
            spin += v[ev + k] * h
            sl.entry_efforts[ev + k].push_v = Wrench(cross(omega, h), none)
    stretch = skew(none)
    if body.sections > 0:
        stretch = turned_partials(model, ws, sl, i, q, v, acceleration, omega, alpha, K, C)
    # each slice is a mass point moved by the shapes; foreshortening makes its position quadratic in e
    for p in range(body.slices):
        own = slice_of(model, i, p)
        m, undeformed, entry = own.mass, own.place, 0
        r, u, more, bias = slice_shapes(own, moving, ny, nb, shortens, q, e, v, ev, acceleration, stations)
        if code == UNDEFORMED:
            r, u = none, none
        r = undeformed + r
        r_mass = undeformed if code == UNDEFORMED_MASS else r
        # sums for the whole body
        J = point_inertia(J, m, r)
        first += m * r
        momentum += m * u
        stretch += skew_product(r, -2.0 * m * u)
        drift = cross(omega, r) + 2.0 * u
        for l in range(moving):
            phi = stations[l].place_0
            sl.entry_efforts[ev + l].rate += m * (cross(drift, phi) - cross(r, cross(omega, phi)))
        if code == UNDEFORMED:
            continue
        # inertial force F of the slice: terms by accelerations, terms by velocities
        by_mass = m * (a + (cross(alpha, r_mass) + more))
        by_rates = m * along(cross(omega, drift), bias)
        axial = by_mass.x + by_rates.x
        # dF/de_l and dF/de_l': on the body frame (`push_q`, `push_v`), then on the coordinates (K, C)
        for l in range(moving):
            station, effort = stations[l], sl.entry_efforts[ev + l]
            phi, row1, row2 = station.place_0, station.along_1, station.along_2
            turn = cross(omega, phi)
            d_mass = m * along(none if code == UNDEFORMED_MASS else cross(alpha, phi), row2)
            d_rates = m * cross(omega, along(turn, 2.0 * row1))
            d_v = 2.0 * m * along(turn, row1)
            both = d_mass + d_rates
            moment = cross(r_mass, d_mass) + (cross(r, d_rates) + cross(phi, by_rates))
            if code != UNDEFORMED_MASS:
                moment += cross(phi, by_mass)
            effort.push_q += Wrench(moment, both)
            effort.push_v += Wrench(cross(r, d_v), d_v)
            for k in range(moving):
                phi = stations[k].place_0
                K[ev + k, ev + l] += phi @ both
                C[ev + k, ev + l] += phi @ d_v
        # chi_kl d . F: foreshortening under the axial force
        if shortens:
            for k in range(nb):
                for l in range(0 if k < ny else ny, ny if k < ny else nb):
                    K[ev + k, ev + l] += axial * own.chi[entry]
                    entry += 1
    # derivatives of moment and force by the angular velocity
    spin += J @ omega
    swing = cross(omega, first) + 2.0 * momentum
    return skew(-spin) + skew(omega) @ full(J) + stretch, skew(-swing) + skew(-omega) @ skew(first)
