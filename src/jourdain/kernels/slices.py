"""Sliced bodies: a beam, or anything else that moves as small rigid slices at stations in its floating frame.

At a station the internal coordinates e displace the slice by  u = sum psi_k e_k + d 1/2 sum chi_kl e_k e_l  and turn
it by theta = sum theta_k e_k + d 1/2 sum xi_kl e_k e_l (`rotations`). d is the body's axial direction, chi the
foreshortening -int (v_k' v_l' + w_k' w_l') dx of a bent beam (Kane, Ryan & Banerjee 1987), xi the turn about its own
axis that bending in two planes makes without elastic twist. The inertia is the sum over slices seen through their
stations, so that no term of it is left out or written twice; markers are stations too.

Integers: number of slices, of membrane points, inertia code, membrane code, rotation scheme.
Floats: d (3), axes (9), stiffness (n x n), damping (n x n), the membrane points, the slices.
A membrane point: EA times its weight, then u', v', w' (3 n). A slice: mass, inertia (6), station.
A station: position (3), for each k psi (3) and theta (3), then chi and xi, n (n + 1) / 2 each, lower triangle by rows.
Everything in the body's kernel frame.
"""

from __future__ import annotations

from .compiler import flexible_only, kernel
from .layout import (
    EV,
    FLEX,
    FLOATS,
    FORCE,
    INTEGERS,
    JW,
    MC,
    OMEGA,
    ROT,
    E,
    N,
)
from .rotations import section_rotation
from .spatial import (
    add,
    cross,
    dot,
    mat,
    put3,
    put6,
    rotate,
    rotate_back,
    rotate_sym,
    scale,
    sym_times,
    vec,
)

SLICES, POINTS, INERTIA_CODE, MEMBRANE_CODE, SCHEME = 0, 1, 2, 3, 4

# which inertia: of the deformed body; mass matrix of the undeformed one; undeformed throughout, rates left out
DEFORMED, UNDEFORMED_MASS, UNDEFORMED = 0, 1, 2
# which axial force stiffens bending: none (foreshortening does it); of the full strain; of the axial coordinates only
NO_MEMBRANE, FULL_MEMBRANE, AXIAL_LOAD = 0, 1, 2


@kernel
def vec1(a, i):
    return (a[i], a[i + 1], a[i + 2])


@kernel
def put31(a, i, x):
    a[i] = x[0]
    a[i + 1] = x[1]
    a[i + 2] = x[2]


@kernel
def station_size(n):
    return 3 + 6 * n + n * (n + 1)


@kernel
def beam_axes(floats, at):
    """The beam's x, y and z in the kernel frame, one behind the other."""
    return (
        floats[at + 3],
        floats[at + 4],
        floats[at + 5],
        floats[at + 6],
        floats[at + 7],
        floats[at + 8],
        floats[at + 9],
        floats[at + 10],
        floats[at + 11],
    )


@kernel
def station(floats, at, body, scheme, g, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    g is 1, or 0 for the undeformed body. Returns position, rotation, velocity, angular velocity, and the accelerations
    (linear, angular) that remain when those of e are zero.
    """
    d = vec1(floats, body)
    zero = 0.0 * flex[0]
    r = vec1(floats, at)
    theta = (zero, zero, zero)
    rate = (zero, zero, zero)
    u = (zero, zero, zero)
    short, short_bias, twist, twist_rate, twist_bias = zero, zero, zero, zero, zero
    c = at + 3 + 6 * n
    x = c + n * (n + 1) // 2
    for k in range(n):
        row, row_rate, turn_row, turn_rate = zero, zero, zero, zero
        for l in range(n):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            row += floats[c + j] * q[e + l]
            row_rate += floats[c + j] * v[ev + l]
            turn_row += floats[x + j] * q[e + l]
            turn_rate += floats[x + j] * v[ev + l]
        ek, vk = g * q[e + k], g * v[ev + k]
        short += 0.5 * row * ek
        short_bias += row_rate * vk
        twist += 0.5 * turn_row * ek
        twist_rate += turn_row * vk
        twist_bias += turn_rate * vk
        psi = vec1(floats, at + 3 + 6 * k)
        turn = vec1(floats, at + 6 + 6 * k)
        r = add(r, scale(ek, psi))
        theta = add(theta, scale(ek, turn))
        rate = add(rate, scale(vk, turn))
        psi = add(psi, scale(g * row, d))
        u = add(u, scale(vk, psi))
        put31(flex, base + 6 * k, add(turn, scale(g * turn_row, d)))
        put31(flex, base + 6 * k + 3, psi)
    r = add(r, scale(short, d))
    theta = add(theta, scale(twist, d))
    rate = add(rate, scale(twist_rate, d))
    R, T, bias = section_rotation(scheme, beam_axes(floats, body), theta, rate)
    bias = add(bias, rotate(T, scale(twist_bias, d)))
    for k in range(n):
        put31(flex, base + 6 * k, rotate(T, vec1(flex, base + 6 * k)))
    return r, R, u, rotate(T, rate), scale(short_bias, d), bias


@kernel
def membrane_force(model, i, q, flex):
    """Adds the forces of the axial strain that bending makes, or bears, to the block b of body i.

    Full: strain s = u' + 1/2 (v'^2 + w'^2), energy 1/2 int EA s^2, less the quadratic part that the stiffness holds.
    Axial load: K_G of the axial force EA u' on bending only (Damaren & Sharf 1995, end of section 2.3.1).
    """
    table, floats = model.table, model.floats
    n, e = table[i, N], table[i, E]
    at = table[i, FLOATS] + 12 + 2 * n * n
    be = table[i, FLEX] + 6 * n + n * n
    code = model.integers[table[i, INTEGERS] + MEMBRANE_CODE]
    for _ in range(model.integers[table[i, INTEGERS] + POINTS]):
        u, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            u += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        bend = 0.5 * (v * v + w * w)
        for k in range(n):
            slope = v * floats[at + 1 + n + k] + w * floats[at + 1 + 2 * n + k]
            if code == FULL_MEMBRANE:
                flex[be + k] += floats[at] * (bend * floats[at + 1 + k] + (u + bend) * slope)
            else:
                flex[be + k] += floats[at] * u * slope
        at += 1 + 3 * n


@flexible_only()
def sliced_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a sliced body, into its rows of ws.work and its blocks of ws.flex."""
    table, floats, work, flex = model.table, model.floats, ws.work, ws.flex
    n = table[i, N]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    base = flex.size - 6 * n
    body, own = table[i, FLOATS], table[i, INTEGERS]
    stiffness = body + 12
    damping = stiffness + n * n
    code = model.integers[own + INERTIA_CODE]
    scheme = model.integers[own + SCHEME]
    R = mat(work, i, ROT)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]

    for k in range(o, be):
        flex[k] = zero
    for k in range(n):
        elastic = zero
        for l in range(n):
            elastic += floats[stiffness + n * k + l] * q[e + l] + floats[damping + n * k + l] * v[ev + l]
        flex[be + k] = elastic
    if model.integers[own + MEMBRANE_CODE] != NO_MEMBRANE:
        membrane_force(model, i, q, flex)

    first = (zero, zero, zero)
    J = (zero, zero, zero, zero, zero, zero)
    moment = (zero, zero, zero)
    force = (zero, zero, zero)
    at = damping + n * n + model.integers[own + POINTS] * (1 + 3 * n)
    g = 0.0 if code == UNDEFORMED else 1.0
    for _ in range(model.integers[own + SLICES]):
        m = floats[at]
        section = (floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5], floats[at + 6])
        r, turn, u, w, a_bias, alpha_bias = station(floats, at + 7, body, scheme, g, n, q, e, v, ev, flex, base)
        turned = rotate_sym(turn, section)
        a_bias = add(a_bias, cross(omega, add(cross(omega, r), scale(2.0, u))))
        alpha_bias = add(alpha_bias, cross(omega, w))
        spin = add(omega, w)
        f = scale(m, a_bias)
        t = add(sym_times(turned, alpha_bias), cross(spin, sym_times(turned, spin)))
        force = add(force, f)
        moment = add(moment, add(t, cross(r, f)))
        for k in range(n):
            flex[be + k] += dot(vec1(flex, base + 6 * k + 3), f) + dot(vec1(flex, base + 6 * k), t)
        if code == UNDEFORMED_MASS:
            r, turn, _, _, _, _ = station(floats, at + 7, body, scheme, 0.0, n, q, e, v, ev, flex, base)
            turned = section
        first = add(first, scale(m, r))
        x, y, z = r
        J = (
            J[0] + turned[0] + m * (y * y + z * z),
            J[1] + turned[1] + m * (x * x + z * z),
            J[2] + turned[2] + m * (x * x + y * y),
            J[3] + turned[3] - m * x * y,
            J[4] + turned[4] - m * x * z,
            J[5] + turned[5] - m * y * z,
        )
        for k in range(n):
            p = scale(m, vec1(flex, base + 6 * k + 3))
            h = sym_times(turned, vec1(flex, base + 6 * k))
            row = o + 6 * k
            put31(flex, row, add(vec1(flex, row), add(h, cross(r, p))))
            put31(flex, row + 3, add(vec1(flex, row + 3), p))
            for l in range(k + 1):
                flex[ee + n * k + l] += dot(vec1(flex, base + 6 * l + 3), p) + dot(vec1(flex, base + 6 * l), h)
        at += 7 + station_size(n)

    for k in range(n):
        row = o + 6 * k
        put31(flex, row, rotate(R, vec1(flex, row)))
        put31(flex, row + 3, rotate(R, vec1(flex, row + 3)))
        for l in range(k):
            flex[ee + n * l + k] = flex[ee + n * k + l]
    c = rotate(R, first)
    J = rotate_sym(R, J)
    put3(work, i, MC, c)
    put6(work, i, JW, J)
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))


@kernel
def sliced_strain(model, i, q):
    """Strain energy [J]: 1/2 e^T K e, and what `membrane_force` derives from."""
    table, floats = model.table, model.floats
    n, e, own = table[i, N], table[i, E], table[i, INTEGERS]
    at = table[i, FLOATS] + 12
    energy = 0.0 * q[0]
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * floats[at + n * k + l] * q[e + l]
    if model.integers[own + MEMBRANE_CODE] == NO_MEMBRANE:
        return energy
    at += 2 * n * n
    for _ in range(model.integers[own + POINTS]):
        u, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            u += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        bend = 0.5 * (v * v + w * w)
        if model.integers[own + MEMBRANE_CODE] == FULL_MEMBRANE:
            energy += floats[at] * bend * (u + 0.5 * bend)
        else:
            energy += floats[at] * bend * u
        at += 1 + 3 * n
    return energy


@kernel
def sliced_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev = model.table[i, N], model.table[i, EV]
    c0 = model.table[i, FLOATS] + 12 + n * n
    power = 0.0 * v[0]
    for k in range(n):
        for l in range(n):
            power += v[ev + k] * model.floats[c0 + n * k + l] * v[ev + l]
    return power
