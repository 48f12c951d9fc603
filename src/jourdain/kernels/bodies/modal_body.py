"""Modal bodies: a floating frame with constant shapes, all of whose inertia is in precomputed integrals.

With m, c(e), J(e) the mass, first moment and inertia of the deformed body about its frame, P_k and H_k(e) the linear
and angular momentum of a unit rate of e_k, the kinetic energy in the velocity (v, omega) of the frame and e' is

    T = 1/2 m v^2 + v . (omega x c) + 1/2 omega . J omega + v . P e' + omega . H e' + 1/2 e' . M e',
    c = c0 + sum P_k e_k,   J = J0 + sum e_k (D_k + 1/2 sum B_kl e_l),   H_k = H0_k + sum nu_kl e_l,

and the equations of motion (Boltzmann & Hamel) are, a the acceleration of the frame's origin, alpha = omega',

    force    m a + alpha x c + P e'' + omega x (omega x c) + 2 omega x P e'
    moment   J alpha + c x a + H e'' + omega x J omega + J' omega + omega x H e'
    of e_k   P_k . a + H_k . alpha + M_k e'' - 1/2 omega . (dJ/de_k) omega + 2 omega . sum nu_kl e'_l + K_k e + C_k e'.

These are the modal integrals of Damaren & Sharf 1995, eq. 4 to 15, with the deformed c and J in the inertial forces of
the frame too: D_k = -(tau_k + tau_k^T), B_kl = -(Upsilon_kl + Upsilon_lk), and nu_kl theirs.

A body may leave some of this out (Kim 1999, sections 4.3.1 and 4.3.3). With a mass without deformation, c0, J0 and H0
stand in the mass matrix, that is by a, alpha and e'', and the deformed ones in the forces of velocities. Without the
forces of velocities on e_k its second line ends at M_k e'', but for K and C.

M does not depend on e, so that its factor is made once: row k has what is left of M_k when all coordinates behind k
have been eliminated, and the inverse of its last entry on the diagonal. `flexible.eliminate_internal` takes it where no
child adds to M.

Floats: stiffness K, damping C, mass M (n x n each); for each k: P (3), H0 (3), D (6); for each k, l: B (6), nu (3);
1 or 0 for a mass with or without deformation; 1 or 0 with or without forces of velocities on e; the factor (n x n).
A station: position (3), for each k psi (3) and theta (3). Everything in the body's kernel frame.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, FORCE, INERTIA, JW, MC, MOMENT, OMEGA, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import put31, vec1
from ..spatial import (
    add,
    add6,
    cross,
    dot,
    mat,
    put3,
    put6,
    rotate,
    rotate_back,
    rotate_sym,
    scale,
    sym,
    sym_product,
    sym_times,
    transpose,
    vec,
)
from .rotation_schemes import vector_rotation


@kernel
def sym1(a, i):
    return (a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5])


@kernel
def scale6(s, a):
    return (s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5])


@optional_kernel("modal", returns=(3, 9, 3, 3, 3, 3))
def modal_station(floats, at, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    Returns position, rotation, velocity, angular velocity, and the accelerations (linear, angular) that remain when
    those of e are zero. Displacement is linear in e; the rotation is the exponential of sum theta_k e_k.
    """
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    r = add(vec1(floats, at), none)
    u, theta, rate = none, none, none
    for k in range(n):
        psi = vec1(floats, at + 3 + 6 * k)
        turn = vec1(floats, at + 6 + 6 * k)
        ek, vk = q[e + k], v[ev + k]
        r = add(r, scale(ek, psi))
        u = add(u, scale(vk, psi))
        theta = add(theta, scale(ek, turn))
        rate = add(rate, scale(vk, turn))
    R, T, bias = vector_rotation(theta, rate)
    for k in range(n):
        put31(flex, base + 6 * k, rotate(T, vec1(floats, at + 6 + 6 * k)))
        put31(flex, base + 6 * k + 3, add(vec1(floats, at + 3 + 6 * k), none))
    return r, R, u, rotate(T, rate), none, bias


@optional_kernel("modal")
def modal_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a modal body, into its rows of ws.work and its blocks of ws.flex."""
    table, floats, work, flex = model.table, model.floats, ws.work, ws.flex
    n = table[i, N]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    stiffness = table[i, FLOATS]
    damping = stiffness + n * n
    mass = damping + n * n
    first = mass + n * n
    second = first + 12 * n
    choices = second + 9 * n * n
    coupling = floats[choices + 1]
    R = mat(work, i, ROT)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)

    # first moment, inertia, their rates, and the blocks of every coordinate, about the origin in body axes
    c = add(vec(model.data, i, MOMENT), none)
    J = add6(sym(model.data, i, INERTIA), (zero, zero, zero, zero, zero, zero))
    J_rate = (zero, zero, zero, zero, zero, zero)
    p_rate, h_rate = none, none
    for k in range(n):
        ek, vk = q[e + k], v[ev + k]
        at = first + 12 * k
        P = vec1(floats, at)
        h = add(vec1(floats, at + 3), none)
        D = sym1(floats, at + 6)
        dJ = add6(D, (zero, zero, zero, zero, zero, zero))
        coriolis = none
        elastic = zero
        # second-order integrals: inertia, coupling and Coriolis force for products of two coordinates
        at = second + 9 * n * k
        for l in range(n):
            el, vl = q[e + l], v[ev + l]
            nu = vec1(floats, at + 6)
            dJ = add6(dJ, scale6(el, sym1(floats, at)))
            h = add(h, scale(el, nu))
            coriolis = add(coriolis, scale(vl, nu))
            elastic += floats[stiffness + n * k + l] * el + floats[damping + n * k + l] * vl
            flex[ee + n * k + l] = floats[mass + n * k + l] + zero
            at += 9
        # sums over the coordinate, and its own bias: elastic, Coriolis, centrifugal
        c = add(c, scale(ek, P))
        J = add6(J, scale6(0.5 * ek, add6(D, dJ)))
        J_rate = add6(J_rate, scale6(vk, dJ))
        p_rate = add(p_rate, scale(vk, P))
        h_rate = add(h_rate, scale(vk, h))
        flex[be + k] = elastic + coupling * (2.0 * dot(omega, coriolis) - 0.5 * dot(omega, sym_times(dJ, omega)))
        put31(flex, o + 6 * k, rotate(R, h))
        put31(flex, o + 6 * k + 3, rotate(R, P))

    # what the motion takes without accelerations of coordinates
    moment = add(cross(omega, add(sym_times(J, omega), h_rate)), sym_times(J_rate, omega))
    force = cross(omega, add(cross(omega, c), scale(2.0, p_rate)))
    if floats[choices] == 0.0:  # a mass without deformation
        for k in range(n):
            put31(flex, o + 6 * k, rotate(R, add(vec1(floats, first + 12 * k + 3), none)))
        c = add(vec(model.data, i, MOMENT), none)
        J = add6(sym(model.data, i, INERTIA), (zero, zero, zero, zero, zero, zero))
    put3(work, i, MC, rotate(R, c))
    put6(work, i, JW, rotate_sym(R, J))
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))


@kernel
def modal_factor(model, i):
    """Where the factor of the mass of body i begins in model.floats."""
    n = model.table[i, N]
    return model.table[i, FLOATS] + 3 * n * n + 12 * n + 9 * n * n + 2


@optional_kernel("modal")
def modal_attraction(model, ws, i, q, G):
    """Takes int psi_k . G r dm = -1/2 G : dJ/de_k, G without trace, off the block b of body i."""
    floats = model.floats
    n, e = model.table[i, N], model.table[i, E]
    be = model.table[i, FLEX] + 6 * n + n * n
    first = model.table[i, FLOATS] + 3 * n * n
    second = first + 12 * n
    G = rotate_sym(transpose(mat(ws.work, i, ROT)), G)
    for k in range(n):
        dJ = add6(sym1(floats, first + 12 * k + 6), scale6(0.0, G))
        for l in range(n):
            dJ = add6(dJ, scale6(q[e + l], sym1(floats, second + 9 * (n * k + l))))
        ws.flex[be + k] += 0.5 * sym_product(G, dJ)


@optional_kernel("modal", returns=1)
def modal_strain(model, i, q):
    """Strain energy 1/2 e^T K e [J]."""
    n, e, at = model.table[i, N], model.table[i, E], model.table[i, FLOATS]
    energy = 0.0 * q[0]
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * model.floats[at + n * k + l] * q[e + l]
    return energy


@optional_kernel("modal", returns=1)
def modal_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev = model.table[i, N], model.table[i, EV]
    at = model.table[i, FLOATS] + n * n
    power = 0.0 * v[0]
    for k in range(n):
        for l in range(n):
            power += v[ev + k] * model.floats[at + n * k + l] * v[ev + l]
    return power
