"""Sliced bodies: a beam, or anything else that moves as small slices at stations in its floating frame.

At a station the internal coordinates e displace the slice by  u = sum psi_k e_k + d 1/2 sum chi_kl e_k e_l  and turn
it by theta = sum theta_k e_k + d 1/2 sum xi_kl e_k e_l (`rotations`). d is the body's axial direction, chi the
foreshortening -int (v_k' v_l' + w_k' w_l') dx of a bent beam (Kane, Ryan & Banerjee 1987), xi the turn about its own
axis that bending in two planes makes without elastic twist. The inertia is the sum over slices seen through their
stations, with all velocity terms; what does not depend on e is summed beforehand. The slices' own inertia about their
centres, tiny in a slender beam, turns with theta to first order: angular velocity omega + sum theta_k e_k'.

Integers: number of slices, of membrane points, inertia code, membrane code, rotation scheme, number of coordinates that
foreshorten (the first ones; their psi has no part along d).
Floats: d (3), axes (9), stiffness, damping, constant mass matrix (n x n each), the slices' own inertia: summed (6) and
times theta_k (3 n), the membrane points, the slices.
A membrane point: EA times its weight, u, v, w by x (3 n). A slice: mass, position (3), psi (3 n), chi (lower triangle).
A marker's station: position (3), for each k psi (3) and theta (3), then chi and xi, n (n + 1) / 2 each.
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

SLICES, POINTS, INERTIA_CODE, MEMBRANE_CODE, SCHEME, SHORTENING = 0, 1, 2, 3, 4, 5

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
def membrane_start(model, i):
    """Where the membrane points of body i begin in model.floats."""
    n = model.table[i, N]
    return model.table[i, FLOATS] + 12 + 3 * n * n + 6 + 3 * n


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
    at = membrane_start(model, i)
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


@kernel
def shortening(floats, at, d, nb, q, e, v, ev, flex, base):
    """Rows chi e of a slice into flex[base + k], its foreshortening, the rate of that, and what remains of its
    acceleration when e does not accelerate."""
    short, rate, bias = 0.0 * flex[0], 0.0 * flex[0], 0.0 * flex[0]
    for k in range(nb):
        row, row_rate = 0.0 * flex[0], 0.0 * flex[0]
        for l in range(nb):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            row += floats[at + j] * q[e + l]
            row_rate += floats[at + j] * v[ev + l]
        flex[base + k] = row
        short += 0.5 * row * q[e + k]
        rate += row * v[ev + k]
        bias += row_rate * v[ev + k]
    return short, rate, bias


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
    constant = damping + n * n
    spin_inertia = constant + n * n
    code = model.integers[own + INERTIA_CODE]
    nb = model.integers[own + SHORTENING]
    if code == UNDEFORMED:
        nb = 0
    g = 0.0 if code == UNDEFORMED else 1.0
    R = mat(work, i, ROT)
    omega = rotate_back(R, vec(work, i, OMEGA))
    d = vec1(floats, body)
    zero = 0.0 * flex[0]

    for k in range(n):
        elastic = zero
        for l in range(n):
            elastic += floats[stiffness + n * k + l] * q[e + l] + floats[damping + n * k + l] * v[ev + l]
            flex[ee + n * k + l] = floats[constant + n * k + l]
        flex[be + k] = elastic
    if model.integers[own + MEMBRANE_CODE] != NO_MEMBRANE:
        membrane_force(model, i, q, flex)

    # the slices' own inertia: momentum I omega + sum h_k e_k' about their centres, which only turns with the frame
    at = spin_inertia
    J = (floats[at], floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5])
    own_momentum = sym_times(J, omega)
    for k in range(n):
        h = vec1(floats, spin_inertia + 6 + 3 * k)
        own_momentum = add(own_momentum, scale(g * v[ev + k], h))
        put31(flex, o + 6 * k, (h[0] + zero, h[1] + zero, h[2] + zero))
        put31(flex, o + 6 * k + 3, (zero, zero, zero))
    moment = cross(omega, own_momentum)
    force = (zero, zero, zero)
    first = (zero, zero, zero)
    at = membrane_start(model, i) + model.integers[own + POINTS] * (1 + 3 * n)
    stored = model.integers[own + SHORTENING]
    for _ in range(model.integers[own + SLICES]):
        m = floats[at]
        psi0 = at + 4
        short, short_rate, short_bias = shortening(floats, psi0 + 3 * n, d, nb, q, e, v, ev, flex, base)
        r = add(vec1(floats, at + 1), scale(short, d))
        u = scale(short_rate, d)
        for k in range(n):
            psi = vec1(floats, psi0 + 3 * k)
            r = add(r, scale(g * q[e + k], psi))
            u = add(u, scale(g * v[ev + k], psi))
        a = add(cross(omega, add(cross(omega, r), scale(2.0, u))), scale(short_bias, d))
        f = scale(m, a)
        force = add(force, f)
        moment = add(moment, cross(r, f))
        if code == UNDEFORMED_MASS:
            r = vec1(floats, at + 1)
        mr = scale(m, r)
        first = add(first, mr)
        x, y, z = r
        J = (
            J[0] + y * mr[1] + z * mr[2],
            J[1] + x * mr[0] + z * mr[2],
            J[2] + x * mr[0] + y * mr[1],
            J[3] - x * mr[1],
            J[4] - x * mr[2],
            J[5] - y * mr[2],
        )
        for k in range(n):
            psi = vec1(floats, psi0 + 3 * k)
            if k < nb:
                row = flex[base + k]
                for l in range(k + 1):
                    flex[ee + n * k + l] += m * row * flex[base + l]
                psi = add(psi, scale(row, d))
            elif nb > 0:
                along = m * dot(psi, d)
                for l in range(nb):
                    flex[ee + n * k + l] += along * flex[base + l]
            flex[be + k] += dot(psi, f)
            t = o + 6 * k
            put31(flex, t, add(vec1(flex, t), cross(mr, psi)))
            put31(flex, t + 3, add(vec1(flex, t + 3), scale(m, psi)))
        at = psi0 + 3 * n + stored * (stored + 1) // 2

    for k in range(n):
        row = o + 6 * k
        put31(flex, row, rotate(R, vec1(flex, row)))
        put31(flex, row + 3, rotate(R, vec1(flex, row + 3)))
        for l in range(k):
            flex[ee + n * l + k] = flex[ee + n * k + l]
    put3(work, i, MC, rotate(R, first))
    put6(work, i, JW, rotate_sym(R, J))
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
    at = membrane_start(model, i)
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
