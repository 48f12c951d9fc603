"""Sliced bodies: a beam, or anything else that moves as small rigid slices at stations in its floating frame.

At a station the internal coordinates e displace the slice by  u = sum psi_k e_k + 1/2 d sum chi_kl e_k e_l  and turn
it by exp(theta), theta = sum theta_k e_k; d is the body's axial direction and chi the foreshortening
-int (v_k' v_l' + w_k' w_l') dx of a bent beam (Kane, Ryan & Banerjee 1987). The inertia is the sum over slices seen
through their stations, so that no term of it is left out or written twice; markers are stations too.

Floats of a body: direction d (3), stiffness (n x n), damping (n x n), then the slices: mass, inertia (6), station.
A station: position (3), for each k psi (3) and theta (3), then chi, n (n + 1) / 2 by rows of the lower triangle.
Integers: number of slices. Everything in the body's kernel frame.
"""

from __future__ import annotations

from .compiler import flexible_only, kernel
from .layout import (
    ART_H,
    ART_J,
    ART_M,
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
from .scalar import tangent_factors
from .spatial import (
    add,
    cross,
    dot,
    exponential,
    mat,
    put3,
    put6,
    put9,
    rotate,
    rotate_back,
    rotate_sym,
    scale,
    sym_times,
    vec,
)


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
    return 3 + 6 * n + n * (n + 1) // 2


@kernel
def station(floats, at, d, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    Returns position r, rotation vector theta, velocity u, angular velocity w, and the accelerations
    that remain when those of e are zero: linear, angular. Angular velocity of exp(theta): w = T(theta) dtheta/dt,
    T = 1 + a theta~ + b theta~^2, a = (1 - cos) / theta^2, b = (theta - sin) / theta^3.
    """
    zero = 0.0 * flex[0]
    r = vec1(floats, at)
    theta = (zero, zero, zero)
    rate = (zero, zero, zero)
    u = (zero, zero, zero)
    short = zero
    short_bias = zero
    c = at + 3 + 6 * n
    for k in range(n):
        row = zero
        row_rate = zero
        start = c + k * (k + 1) // 2
        for l in range(k + 1):
            row += floats[start + l] * q[e + l]
            row_rate += floats[start + l] * v[ev + l]
        for l in range(k + 1, n):
            x = floats[c + l * (l + 1) // 2 + k]
            row += x * q[e + l]
            row_rate += x * v[ev + l]
        short += 0.5 * row * q[e + k]
        short_bias += row_rate * v[ev + k]
        psi = vec1(floats, at + 3 + 6 * k)
        turn = vec1(floats, at + 6 + 6 * k)
        r = add(r, scale(q[e + k], psi))
        theta = add(theta, scale(q[e + k], turn))
        rate = add(rate, scale(v[ev + k], turn))
        psi = add(psi, scale(row, d))
        u = add(u, scale(v[ev + k], psi))
        put31(flex, base + 6 * k + 3, psi)
    r = add(r, scale(short, d))
    a, b, da, db = tangent_factors(dot(theta, theta))
    t = cross(theta, rate)
    w = add(rate, add(scale(a, t), scale(b, cross(theta, t))))
    slope = 2.0 * dot(theta, rate)
    bias = add(scale(da * slope, t), add(scale(db * slope, cross(theta, t)), scale(b, cross(rate, t))))
    for k in range(n):
        turn = vec1(floats, at + 6 + 6 * k)
        t = cross(theta, turn)
        put31(flex, base + 6 * k, add(turn, add(scale(a, t), scale(b, cross(theta, t)))))
    return r, theta, u, w, scale(short_bias, d), bias


@flexible_only()
def sliced_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a sliced body: overwrites what a rigid body would have."""
    table, floats, work, flex = model.table, model.floats, ws.work, ws.flex
    n = table[i, N]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    base = flex.size - 6 * n
    at = table[i, FLOATS]
    d = vec1(floats, at)
    stiffness = at + 3
    damping = stiffness + n * n
    size = station_size(n)
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

    mass = zero
    first = (zero, zero, zero)
    J = (zero, zero, zero, zero, zero, zero)
    moment = (zero, zero, zero)
    force = (zero, zero, zero)
    at = damping + n * n
    for _ in range(model.integers[table[i, INTEGERS]]):
        m = floats[at]
        own = (floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5], floats[at + 6])
        r, theta, u, w, a_bias, alpha_bias = station(floats, at + 7, d, n, q, e, v, ev, flex, base)
        turned = rotate_sym(exponential(theta), own)
        a_bias = add(a_bias, cross(omega, add(cross(omega, r), scale(2.0, u))))
        alpha_bias = add(alpha_bias, cross(omega, w))
        spin = add(omega, w)
        f = scale(m, a_bias)
        t = add(sym_times(turned, alpha_bias), cross(spin, sym_times(turned, spin)))
        force = add(force, f)
        moment = add(moment, add(t, cross(r, f)))
        mass += m
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
            turn = vec1(flex, base + 6 * k)
            psi = vec1(flex, base + 6 * k + 3)
            p = scale(m, psi)
            h = sym_times(turned, turn)
            flex[be + k] += dot(psi, f) + dot(turn, t)
            row = o + 6 * k
            put31(flex, row, add(vec1(flex, row), add(h, cross(r, p))))
            put31(flex, row + 3, add(vec1(flex, row + 3), p))
            for l in range(k + 1):
                flex[ee + n * k + l] += dot(vec1(flex, base + 6 * l + 3), p) + dot(vec1(flex, base + 6 * l), h)
        at += 7 + size

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
    put6(work, i, ART_J, J)
    put9(work, i, ART_H, (zero, -c[2], c[1], c[2], zero, -c[0], -c[1], c[0], zero))
    put6(work, i, ART_M, (mass, mass, mass, zero, zero, zero))
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))


@flexible_only(lambda model, i, q: 0.0 * q[0])
def sliced_strain(model, i, q):
    """Strain energy 1/2 e^T K e [J]."""
    n, e, k0 = model.table[i, N], model.table[i, E], model.table[i, FLOATS] + 3
    energy = 0.0 * q[0]
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * model.floats[k0 + n * k + l] * q[e + l]
    return energy


@flexible_only(lambda model, i, v: 0.0 * v[0])
def sliced_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev = model.table[i, N], model.table[i, EV]
    c0 = model.table[i, FLOATS] + 3 + n * n
    power = 0.0 * v[0]
    for k in range(n):
        for l in range(n):
            power += v[ev + k] * model.floats[c0 + n * k + l] * v[ev + l]
    return power
