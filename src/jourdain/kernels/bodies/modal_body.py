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

from typing import NamedTuple

from ..algebra import Mat3, Sym3, Vec3, Wrench, cross, product_inertia, rotated, symmetric_product
from ..body_data import Values, numbers_at, values_at, vectors_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import vector_at
from ..rows import Row
from .lumped_layout import dense_blocks, shapes_at
from .rotation_schemes import vector_rotation


class ModalFirst(Row):
    """Integrals of first order of a coordinate."""

    P: Vec3
    H0: Vec3
    D: Sym3


class ModalSecond(Row):
    """Integrals of second order of two coordinates."""

    B: Sym3
    nu: Vec3


class ModalArrays(NamedTuple):
    """Arrays among the floats of a modal body."""

    stiffness: Values  # K (n, n)
    damping: Values  # C (n, n)
    mass: Values  # M (n, n)
    first: Values  # (n,) `ModalFirst`
    second: Values  # (n, n) `ModalSecond`
    deformed: float  # 1 for a mass with deformation
    gyroscopic: float  # 1 with forces of velocities on e


first_at, second_at = values_at(ModalFirst), values_at(ModalSecond)


@kernel
def modal_arrays(model, i):
    """The arrays of body i."""
    n = model.tree[i].ne
    stiffness = numbers_at(model.floats, model.tree[i].floats)
    first = stiffness[3 * n * n :]
    second = first[12 * n :]
    choices = second[9 * n * n :]
    return ModalArrays(
        stiffness, stiffness[n * n :], stiffness[2 * n * n :], first_at(first, 0), second_at(second, 0),
        choices[0], choices[1],
    )  # fmt: skip


@optional_kernel("modal", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def modal_station(floats, at, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    Returns position, rotation, velocity, angular velocity, and the accelerations (linear, angular) that remain when
    those of e are zero. Displacement is linear in e; the rotation is the exponential of sum theta_k e_k.
    """
    shapes, out, none = shapes_at(floats, at + 3), vectors_at(flex, base), vector_at(flex, 0).zero
    r, u, theta, rate = vector_at(floats, at) + none, none, none, none
    for k in range(n):
        psi, turn, ek, vk = shapes[k].psi, shapes[k].theta, q[e + k], v[ev + k]
        r += ek * psi
        u += vk * psi
        theta += ek * turn
        rate += vk * turn
    R, T, bias = vector_rotation(theta, rate)
    for k in range(n):
        out[2 * k], out[2 * k + 1] = T @ shapes[k].theta, shapes[k].psi
    return r, R, u, T @ rate, none, bias


@optional_kernel("modal")
def modal_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a modal body, into its row of ws.bodies and its blocks of ws.flex."""
    node, body, own = model.tree[i], ws.bodies[i], model.bodies[i]
    n, e, ev, R = node.ne, node.e, node.ev, body.R_WB
    arrays, blocks = modal_arrays(model, i), dense_blocks(model, ws.flex, i)
    omega = R.T @ body.omega
    none = omega.zero

    # first moment, inertia, their rates, and the blocks of every coordinate, about the origin in body axes
    c, J, J_rate = own.first_moment + none, own.inertia + product_inertia(none, none), product_inertia(none, none)
    p_rate, h_rate = none, none
    for k in range(n):
        ek, vk, integrals = q[e + k], v[ev + k], arrays.first[k]
        P, D = integrals.P, integrals.D
        h, dJ, coriolis, elastic = integrals.H0 + none, D + product_inertia(none, none), none, none.x
        # second-order integrals: inertia, coupling and Coriolis force for products of two coordinates
        for l in range(n):
            el, vl, kl = q[e + l], v[ev + l], n * k + l
            nu = arrays.second[kl].nu
            dJ += el * arrays.second[kl].B
            h += el * nu
            coriolis += vl * nu
            elastic += arrays.stiffness[kl] * el + arrays.damping[kl] * vl
            blocks.mass[kl] = arrays.mass[kl]
        # sums over the coordinate, and its own bias: elastic, Coriolis, centrifugal
        c += ek * P
        J += 0.5 * ek * (D + dJ)
        J_rate += vk * dJ
        p_rate += vk * P
        h_rate += vk * h
        blocks.b[k] = elastic + arrays.gyroscopic * (2.0 * (omega @ coriolis) - 0.5 * (omega @ (dJ @ omega)))
        blocks.coupling[k] = Wrench(R @ h, R @ P)

    # what the motion takes without accelerations of coordinates
    moment = cross(omega, J @ omega + h_rate) + J_rate @ omega
    force = cross(omega, cross(omega, c) + 2.0 * p_rate)
    if arrays.deformed == 0.0:  # a mass without deformation
        for k in range(n):
            blocks.coupling[k] = Wrench(R @ arrays.first[k].H0, R @ arrays.first[k].P)
        c, J = own.first_moment + none, own.inertia + product_inertia(none, none)
    body.first_moment, body.inertia = R @ c, rotated(R, J)
    body.bias_force = Wrench(R @ moment, R @ force)


@kernel
def modal_factor(model, i):
    """Where the factor of the mass of body i begins in model.floats."""
    n = model.tree[i].ne
    return model.tree[i].floats + 3 * n * n + 12 * n + 9 * n * n + 2


@optional_kernel("modal")
def modal_attraction(model, ws, i, q, G):
    """Takes int psi_k . G r dm = -1/2 G : dJ/de_k, G without trace, off the block b of body i."""
    n, e, arrays, b = model.tree[i].ne, model.tree[i].e, modal_arrays(model, i), dense_blocks(model, ws.flex, i).b
    G = rotated(ws.bodies[i].R_WB.T, G)
    for k in range(n):
        dJ = arrays.first[k].D + G.zero
        for l in range(n):
            dJ += q[e + l] * arrays.second[n * k + l].B
        b[k] += 0.5 * symmetric_product(G, dJ)


@optional_kernel("modal", returns=1)
def modal_strain(model, i, q):
    """Strain energy 1/2 e^T K e [J]."""
    n, e, stiffness = model.tree[i].ne, model.tree[i].e, modal_arrays(model, i).stiffness
    energy = 0.0 * q[0]
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * stiffness[n * k + l] * q[e + l]
    return energy


@optional_kernel("modal", returns=1)
def modal_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev, damping = model.tree[i].ne, model.tree[i].ev, modal_arrays(model, i).damping
    power = 0.0 * v[0]
    for k in range(n):
        for l in range(n):
            power += v[ev + k] * damping[n * k + l] * v[ev + l]
    return power
