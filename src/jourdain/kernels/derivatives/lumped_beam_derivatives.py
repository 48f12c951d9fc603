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

from ..algebra import Mat3, Sym3, Vec3, Wrench, cross, full, skew, skew_product
from ..bodies.lumped_beam import (
    FULL_MEMBRANE,
    INERTIA_CODE,
    LUMPED_BENDING_Y,
    LUMPED_BENDING_Z,
    LUMPED_COUPLING,
    LUMPED_COUPLING_AT,
    LUMPED_POINTS,
    MEMBRANE_CODE,
    MOVING,
    NO_MEMBRANE,
    SHORTENING,
    SLICES,
    UNDEFORMED,
    UNDEFORMED_MASS,
    membrane_start,
)
from ..bodies.lumped_beam_inertia import beam_axes_in_world, point_inertia
from ..columns import TURNING
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, symmetric_at, vector_at
from .rotary_inertia_derivatives import turned_partials


@kernel
def membrane_partials(model, i, q, K):
    """Adds the tangent stiffness of `membrane_force` to the block of body i."""
    node, floats = model.tree[i], model.floats
    n, e, ev = node.ne, node.e, node.ev
    at = membrane_start(model, i)
    code = model.integers[node.integers + MEMBRANE_CODE]
    for _ in range(model.integers[node.integers + LUMPED_POINTS]):
        # u', v', w' at the membrane point
        u, v, w = 0.0, 0.0, 0.0
        for k in range(n):
            u += get(floats, at + 1 + k) * get(q, e + k)
            v += get(floats, at + 1 + n + k) * get(q, e + k)
            w += get(floats, at + 1 + 2 * n + k) * get(q, e + k)
        stiff = get(floats, at)
        whole = code == FULL_MEMBRANE
        tension = u + 0.5 * (v * v + w * w) if whole else u
        # derivative by e_l of tension (v' v'_k + w' w'_k), with the full strain also of tension u'_k
        for k in range(n):
            uk, vk, wk = get(floats, at + 1 + k), get(floats, at + 1 + n + k), get(floats, at + 1 + 2 * n + k)
            slope = v * vk + w * wk
            for l in range(n):
                ul, vl, wl = get(floats, at + 1 + l), get(floats, at + 1 + n + l), get(floats, at + 1 + 2 * n + l)
                other = v * vl + w * wl
                value = tension * (vk * vl + wk * wl) + slope * ul
                if whole:
                    value += (uk + slope) * other
                K[ev + k, ev + l] += stiff * value
        at += 1 + 3 * n


@kernel
def coupling_partials(model, i, q, K):
    """Adds the tangent stiffness of `coupling_force` to the block of body i."""
    node, floats, own = model.tree[i], model.floats, model.tree[i].integers
    n, e, ev = node.ne, node.e, node.ev
    at = node.floats + model.integers[own + LUMPED_COUPLING_AT]
    for _ in range(model.integers[own + LUMPED_COUPLING]):
        # twist phi and curvatures v'', w'' at the coupling point
        phi, v, w = 0.0, 0.0, 0.0
        for k in range(n):
            phi += get(floats, at + 1 + k) * get(q, e + k)
            v += get(floats, at + 1 + n + k) * get(q, e + k)
            w += get(floats, at + 1 + 2 * n + k) * get(q, e + k)
        f = get(floats, at)
        for l in range(n):
            pl, vl, wl = get(floats, at + 1 + l), get(floats, at + 1 + n + l), get(floats, at + 1 + 2 * n + l)
            by_phi = f * ((w * w - v * v) * pl + (w - 2.0 * phi * v) * vl + (v + 2.0 * phi * w) * wl)
            by_v = f * ((w - 2.0 * phi * v) * pl - phi * phi * vl + phi * wl)
            by_w = f * ((v + 2.0 * phi * w) * pl + phi * vl + phi * phi * wl)
            for k in range(n):
                K[ev + k, ev + l] += (
                    by_phi * get(floats, at + 1 + k)
                    + by_v * get(floats, at + 1 + n + k)
                    + by_w * get(floats, at + 1 + 2 * n + k)
                )
        at += 1 + 3 * n


@kernel
def along(d, x):
    """d with x added along the beam."""
    return Vec3(d.x + x, d.y, d.z)


@kernel
def slice_shapes(floats, at, chi, n, ny, nb, shortens, q, e, v, ev, acceleration, stations):
    """Shapes of a slice and their rates into `stations`; returns its displacement, velocity, the acceleration by e'',
    and the rest of the acceleration along d.
    """
    none = Vec3(0.0, 0.0, 0.0)
    r, u, a = none, none, none
    bias = 0.0
    for k in range(n):
        ek, vk, ak = get(q, e + k), get(v, ev + k), get(acceleration, ev + k)
        row, row1, row2 = 0.0, 0.0, 0.0
        # bending: one transverse component, and foreshortening chi_k e along d with its rates
        if k < nb:
            across = get(floats, at + k)
            phi = Vec3(0.0, across, 0.0) if k < ny else Vec3(0.0, 0.0, across)
            if shortens:
                for l in range(0 if k < ny else ny, ny if k < ny else nb):
                    x = get(floats, chi)
                    row += x * get(q, e + l)
                    row1 += x * get(v, ev + l)
                    row2 += x * get(acceleration, ev + l)
                    chi += 1
        else:
            phi = vector_at(floats, at + nb + 3 * (k - nb))
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
    node, floats, integers, stations = model.tree[i], model.floats, model.integers, sl.station_partials
    n, body, own, e, ev = node.ne, node.floats, node.integers, node.e, node.ev
    code = integers[own + INERTIA_CODE]
    ny, nz, moving = integers[own + LUMPED_BENDING_Y], integers[own + LUMPED_BENDING_Z], integers[own + MOVING]
    nb = ny + nz
    squares = ny * ny + nz * nz if integers[own + SHORTENING] == 1 else 0
    shortens = squares > 0 and code != UNDEFORMED
    # motion of the body frame in the axes of the beam
    R, A = Mat3(beam_axes_in_world(ws.bodies[i].R_WB, floats, body)), ws.bodies[i].acceleration
    omega, alpha, a = R.T @ ws.bodies[i].omega, R.T @ A.angular, R.T @ A.linear
    none = Vec3(0.0, 0.0, 0.0)
    # stiffness and damping of the coordinates, then membrane and coupling terms
    for k in range(n):
        for l in range(n):
            K[ev + k, ev + l] += get(floats, body + 12 + n * k + l)
            C[ev + k, ev + l] += get(floats, body + 12 + n * n + n * k + l)
    if integers[own + MEMBRANE_CODE] != NO_MEMBRANE:
        membrane_partials(model, i, q, K)
    coupling_partials(model, i, q, K)

    # inertia of the slices about their own centres, and its angular momentum by the rates of the shapes
    at = body + 12 + 3 * n * n
    J = symmetric_at(floats, at)
    spin, first, momentum = none, none, none
    if code != UNDEFORMED:
        for k in range(n):
            h = vector_at(floats, at + 6 + 6 * k)
            spin += get(v, ev + k) * h
            sl.entry_efforts[ev + k].push_v = Wrench(cross(omega, h), none)
    stretch = skew(none)
    if integers[own + TURNING] > 0:
        stretch = turned_partials(model, ws, sl, i, q, v, acceleration, omega, alpha, K, C)
    at = membrane_start(model, i) + integers[own + LUMPED_POINTS] * (1 + 3 * n)
    # each slice is a mass point moved by the shapes; foreshortening makes its position quadratic in e
    for _ in range(integers[own + SLICES]):
        m = get(floats, at)
        undeformed = vector_at(floats, at + 1)
        shape = at + 4
        chi = shape + nb + 3 * (moving - nb)
        at = chi + squares
        r, u, more, bias = slice_shapes(
            floats, shape, chi, moving, ny, nb, shortens, q, e, v, ev, acceleration, stations
        )  # fmt: skip
        if code == UNDEFORMED:
            r, u = none, none
        r = undeformed + r
        r_mass = undeformed if code == UNDEFORMED_MASS else r
        # sums for the whole body
        J = Sym3(point_inertia(J, m, tuple(r)))
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
                    K[ev + k, ev + l] += axial * get(floats, chi)
                    chi += 1
    # derivatives of moment and force by the angular velocity
    spin += J @ omega
    swing = cross(omega, first) + 2.0 * momentum
    return skew(-spin) + skew(omega) @ full(J) + stretch, skew(-swing) + skew(-omega) @ skew(first)
