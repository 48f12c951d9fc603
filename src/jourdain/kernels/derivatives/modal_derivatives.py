"""Derivatives of the inertial and elastic forces of modal bodies (bodies/modal_body.py), in the axes of the frame."""

from __future__ import annotations

from ..algebra import Mat3, Sym3, Vec3, Wrench, cross, full, skew
from ..compiler import optional_kernel
from ..flat_arrays import get, symmetric_at, vector_at


@optional_kernel("modal", returns=(Mat3, Mat3))
def modal_partials(model, ws, sl, i, q, v, acceleration, K, C):
    """Fills the entries of body i and adds to its blocks of K and C; returns the rate matrices of moment and force.

    From the equations of bodies/modal_body.py: with c_l = P_l, J_l = D_l + sum B_kl e_k and H_k,l = nu_kl the
    derivatives by e_l,

        force    alpha x P_l + omega x (omega x P_l);   by e_l'  2 omega x P_l
        moment   J_l alpha + P_l x a + omega x J_l omega + sum nu_kl e_k'' + B' omega + omega x sum nu_kl e_k';
                 by e_l'  J_l omega + omega x H_l,   B' = sum B_kl e_k'
        of e_k   nu_kl . alpha - 1/2 omega . B_kl omega + K_kl;   by e_l'  2 omega . nu_kl + C_kl.

    Terms by accelerations vanish with a mass matrix without deformation (`deformed` = 0), terms by velocities on e_k
    where these forces are left out (`coupling` = 0).
    """
    node, body, floats = model.tree[i], ws.bodies[i], model.floats
    n, e, ev, stiffness = node.ne, node.e, node.ev, node.floats
    damping = stiffness + n * n
    first = damping + 2 * n * n
    second = first + 12 * n
    deformed, coupling = floats[second + 9 * n * n], floats[second + 9 * n * n + 1]
    # motion of the body frame B in its own axes: omega_WB_B, alpha_WB_B, a_WBo_B
    R = body.R_WB
    omega, alpha = R.T @ body.omega, deformed * (R.T @ body.acceleration.angular)
    a = deformed * (R.T @ body.acceleration.linear)
    none, flat = Vec3(0.0, 0.0, 0.0), Sym3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    c, J, J_rate = model.bodies[i].first_moment, model.bodies[i].inertia, flat
    p_rate, h_rate = none, none
    # column l of each block, and sums over coordinates for the whole body
    for l in range(n):
        el, vl = get(q, e + l), get(v, ev + l)
        P, h = vector_at(floats, first + 12 * l), vector_at(floats, first + 12 * l + 3)
        D = symmetric_at(floats, first + 12 * l + 6)
        dJ, B_rate = D, flat
        by_rate, by_acceleration, coriolis = none, none, none
        for k in range(n):
            vk = get(v, ev + k)
            at = second + 9 * (n * k + l)
            B, nu = symmetric_at(floats, at), vector_at(floats, at + 6)
            other = vector_at(floats, second + 9 * (n * l + k) + 6)
            dJ += get(q, e + k) * B
            B_rate += vk * B
            by_rate += vk * nu
            by_acceleration += deformed * get(acceleration, ev + k) * nu
            coriolis += vk * other
            h += get(q, e + k) * other
            stiff = nu @ alpha - 0.5 * coupling * (omega @ (B @ omega)) + get(floats, stiffness + n * k + l)
            K[ev + k, ev + l] += stiff
            C[ev + k, ev + l] += 2.0 * coupling * (omega @ nu) + get(floats, damping + n * k + l)
        # moment and force by e_l and by e_l', as above
        effort, spun = sl.entry_efforts[ev + l], dJ @ omega
        moment = dJ @ alpha + (cross(P, a) + cross(omega, spun + by_rate))
        moment += by_acceleration + B_rate @ omega
        effort.push_q = Wrench(moment, cross(alpha, P) + cross(omega, cross(omega, P)))
        effort.push_v = Wrench(spun + cross(omega, h), 2.0 * cross(omega, P))
        effort.rate = coupling * (2.0 * coriolis - spun)
        # first moment, inertia and their rates
        c += el * P
        J += 0.5 * el * (D + dJ)
        J_rate += vl * dJ
        p_rate += vl * P
        h_rate += vl * h
    # derivatives of moment and force by the angular velocity
    spin = J @ omega + h_rate
    swing = cross(omega, c) + 2.0 * p_rate
    return skew(-spin) + skew(omega) @ full(J) + full(J_rate), skew(-swing) + skew(-omega) @ skew(c)
