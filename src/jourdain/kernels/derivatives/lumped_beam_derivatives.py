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
from ..columns import ACC, EV, FLOATS, INTEGERS, OMEGA, ROT, TURNING, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, vec1
from ..linalg.row_matrices import full, skew, skew_product
from ..spatial import accumulate3, add, add9, cross, dot, mat, matmul, put3, rotate_back, scale, sub, sym_times, vec
from .derivative_layout import LOADED_RATE, P0, P1, P2, PUSH_Q, PUSH_V
from .rotary_inertia_derivatives import turned_partials


@kernel
def membrane_partials(model, i, q, K):
    """Adds the tangent stiffness of `membrane_force` to the block of body i."""
    table, floats = model.table, model.floats
    n, e, ev = table[i, N], table[i, E], table[i, EV]
    at = membrane_start(model, i)
    code = model.integers[table[i, INTEGERS] + MEMBRANE_CODE]
    for _ in range(model.integers[table[i, INTEGERS] + LUMPED_POINTS]):
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
    table, floats, own = model.table, model.floats, model.table[i, INTEGERS]
    n, e, ev = table[i, N], table[i, E], table[i, EV]
    at = table[i, FLOATS] + model.integers[own + LUMPED_COUPLING_AT]
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
def slice_shapes(floats, at, chi, n, ny, nb, shortens, q, e, v, ev, acceleration, st):
    """Shapes of a slice and their rates into st; returns its displacement, velocity, the acceleration by e'', and the
    rest of the acceleration along d.
    """
    none = (0.0, 0.0, 0.0)
    r, u, a = none, none, none
    bias = 0.0
    for k in range(n):
        ek, vk, ak = get(q, e + k), get(v, ev + k), get(acceleration, ev + k)
        row, row1, row2 = 0.0, 0.0, 0.0
        # bending: one transverse component, and foreshortening chi_k e along d with its rates
        if k < nb:
            across = get(floats, at + k)
            phi = (0.0, across, 0.0) if k < ny else (0.0, 0.0, across)
            if shortens:
                for l in range(0 if k < ny else ny, ny if k < ny else nb):
                    x = get(floats, chi)
                    row += x * get(q, e + l)
                    row1 += x * get(v, ev + l)
                    row2 += x * get(acceleration, ev + l)
                    chi += 1
        else:
            phi = vec1(floats, at + nb + 3 * (k - nb))
        r = add(r, scale(ek, phi))
        r = (r[0] + 0.5 * row * ek, r[1], r[2])
        phi = (phi[0] + row, phi[1], phi[2])
        u = add(u, scale(vk, phi))
        a = add(a, scale(ak, phi))
        bias += row1 * vk
        put3(st, k, P0, phi)
        st[k, P1], st[k, P2] = row1, row2
    return r, u, a, bias


@optional_kernel("lumped", returns=(9, 9))
def lumped_partials(model, ws, sl, i, q, v, acceleration, K, C):
    """Fills the entries of body i and adds to its blocks of K and C; returns the rate matrices of moment and force."""
    table, floats, integers, entries, st = model.table, model.floats, model.integers, sl.entries, sl.station
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev = table[i, E], table[i, EV]
    code = integers[own + INERTIA_CODE]
    ny, nz, moving = integers[own + LUMPED_BENDING_Y], integers[own + LUMPED_BENDING_Z], integers[own + MOVING]
    nb = ny + nz
    squares = ny * ny + nz * nz if integers[own + SHORTENING] == 1 else 0
    shortens = squares > 0 and code != UNDEFORMED
    # motion of the body frame in the axes of the beam
    R = beam_axes_in_world(mat(ws.work, i, ROT), floats, body)
    omega, alpha = rotate_back(R, vec(ws.work, i, OMEGA)), rotate_back(R, vec(ws.work, i, ACC))
    a = rotate_back(R, vec(ws.work, i, ACC + 3))
    none = (0.0, 0.0, 0.0)
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
    J = (
        get(floats, at),
        get(floats, at + 1),
        get(floats, at + 2),
        get(floats, at + 3),
        get(floats, at + 4),
        get(floats, at + 5),
    )
    spin, first, momentum = none, none, none
    if code != UNDEFORMED:
        for k in range(n):
            h = vec1(floats, at + 6 + 6 * k)
            spin = add(spin, scale(get(v, ev + k), h))
            put3(entries, ev + k, PUSH_V, cross(omega, h))
    stretch = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if integers[own + TURNING] > 0:
        stretch, _ = turned_partials(model, ws, sl, i, q, v, acceleration, omega, alpha, K, C)
    at = membrane_start(model, i) + integers[own + LUMPED_POINTS] * (1 + 3 * n)
    # each slice is a mass point moved by the shapes; foreshortening makes its position quadratic in e
    for _ in range(integers[own + SLICES]):
        m = get(floats, at)
        undeformed = vec1(floats, at + 1)
        shape = at + 4
        chi = shape + nb + 3 * (moving - nb)
        at = chi + squares
        r, u, more, bias = slice_shapes(floats, shape, chi, moving, ny, nb, shortens, q, e, v, ev, acceleration, st)
        if code == UNDEFORMED:
            r, u = none, none
        r = add(undeformed, r)
        r_mass = undeformed if code == UNDEFORMED_MASS else r
        # sums for the whole body
        J = point_inertia(J, m, r)
        first = add(first, scale(m, r))
        momentum = add(momentum, scale(m, u))
        stretch = add9(stretch, skew_product(r, scale(-2.0 * m, u)))
        swing = cross(omega, r)
        drift = add(swing, scale(2.0, u))
        for l in range(moving):
            phi = vec(st, l, P0)
            inertial = sub(cross(drift, phi), cross(r, cross(omega, phi)))
            accumulate3(entries, ev + l, LOADED_RATE, scale(m, inertial))
        if code == UNDEFORMED:
            continue
        # inertial force F of the slice: terms by accelerations, terms by velocities
        by_mass = scale(m, add(a, add(cross(alpha, r_mass), more)))
        by_rates = cross(omega, drift)
        by_rates = scale(m, (by_rates[0] + bias, by_rates[1], by_rates[2]))
        axial = by_mass[0] + by_rates[0]
        # dF/de_l and dF/de_l': on the body frame (PUSH_Q, PUSH_V), then on the coordinates (K, C)
        for l in range(moving):
            phi, row1, row2 = vec(st, l, P0), st[l, P1], st[l, P2]
            turn = cross(omega, phi)
            d_mass = none if code == UNDEFORMED_MASS else cross(alpha, phi)
            d_mass = scale(m, (d_mass[0] + row2, d_mass[1], d_mass[2]))
            d_rates = scale(m, cross(omega, (turn[0] + 2.0 * row1, turn[1], turn[2])))
            d_v = scale(2.0 * m, (turn[0] + row1, turn[1], turn[2]))
            both = add(d_mass, d_rates)
            moment = add(cross(r_mass, d_mass), add(cross(r, d_rates), cross(phi, by_rates)))
            if code != UNDEFORMED_MASS:
                moment = add(moment, cross(phi, by_mass))
            accumulate3(entries, ev + l, PUSH_Q, moment)
            accumulate3(entries, ev + l, PUSH_Q + 3, both)
            accumulate3(entries, ev + l, PUSH_V, cross(r, d_v))
            accumulate3(entries, ev + l, PUSH_V + 3, d_v)
            for k in range(moving):
                phi = vec(st, k, P0)
                K[ev + k, ev + l] += dot(phi, both)
                C[ev + k, ev + l] += dot(phi, d_v)
        # chi_kl d . F: foreshortening under the axial force
        if shortens:
            for k in range(nb):
                for l in range(0 if k < ny else ny, ny if k < ny else nb):
                    K[ev + k, ev + l] += axial * get(floats, chi)
                    chi += 1
    # derivatives of moment and force by the angular velocity
    spin = add(spin, sym_times(J, omega))
    rate_n = add9(skew(scale(-1.0, spin)), matmul(skew(omega), full(J)))
    rate_n = add9(rate_n, stretch)
    swing = add(cross(omega, first), scale(2.0, momentum))
    rate_f = add9(skew(scale(-1.0, swing)), matmul(skew(scale(-1.0, omega)), skew(first)))
    return rate_n, rate_f
