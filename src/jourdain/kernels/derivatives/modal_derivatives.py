"""Derivatives of the inertial and elastic forces of modal bodies (bodies/modal_body.py), in the axes of the frame."""

from __future__ import annotations

from ..bodies.modal_body import scale6, sym1
from ..columns import ACC, EV, FLOATS, INERTIA, MOMENT, OMEGA, ROT, E, N
from ..compiler import optional_kernel
from ..flat_arrays import get, vec1
from ..linalg.row_matrices import full, skew
from ..spatial import add, add6, add9, cross, dot, mat, matmul, put3, rotate_back, scale, sub, sym, sym_times, vec
from .derivative_layout import LOADED_RATE, PUSH_Q, PUSH_V


@optional_kernel("modal", returns=(9, 9))
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
    table, floats, entries = model.table, model.floats, sl.entries
    n, e, ev = table[i, N], table[i, E], table[i, EV]
    stiffness = table[i, FLOATS]
    damping = stiffness + n * n
    first = damping + 2 * n * n
    second = first + 12 * n
    deformed, coupling = floats[second + 9 * n * n], floats[second + 9 * n * n + 1]
    # motion of the body frame B in its own axes: omega_WB_B, alpha_WB_B, a_WBo_B
    R = mat(ws.work, i, ROT)
    omega, alpha = rotate_back(R, vec(ws.work, i, OMEGA)), scale(deformed, rotate_back(R, vec(ws.work, i, ACC)))
    a = scale(deformed, rotate_back(R, vec(ws.work, i, ACC + 3)))
    none = (0.0, 0.0, 0.0)
    flat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    c, J, J_rate = vec(model.data, i, MOMENT), sym(model.data, i, INERTIA), flat
    p_rate, h_rate = none, none
    # column l of each block, and sums over coordinates for the whole body
    for l in range(n):
        el, vl = get(q, e + l), get(v, ev + l)
        P, h, D = vec1(floats, first + 12 * l), vec1(floats, first + 12 * l + 3), sym1(floats, first + 12 * l + 6)
        dJ, B_rate = D, flat
        by_rate, by_acceleration, coriolis = none, none, none
        for k in range(n):
            vk = get(v, ev + k)
            at = second + 9 * (n * k + l)
            B, nu = sym1(floats, at), vec1(floats, at + 6)
            other = vec1(floats, second + 9 * (n * l + k) + 6)
            dJ = add6(dJ, scale6(get(q, e + k), B))
            B_rate = add6(B_rate, scale6(vk, B))
            by_rate = add(by_rate, scale(vk, nu))
            by_acceleration = add(by_acceleration, scale(deformed * get(acceleration, ev + k), nu))
            coriolis = add(coriolis, scale(vk, other))
            h = add(h, scale(get(q, e + k), other))
            stiff = (
                dot(nu, alpha) - 0.5 * coupling * dot(omega, sym_times(B, omega)) + get(floats, stiffness + n * k + l)
            )
            K[ev + k, ev + l] += stiff
            C[ev + k, ev + l] += 2.0 * coupling * dot(omega, nu) + get(floats, damping + n * k + l)
        # moment and force by e_l and by e_l', as above
        spun = sym_times(dJ, omega)
        moment = add(sym_times(dJ, alpha), add(cross(P, a), cross(omega, add(spun, by_rate))))
        moment = add(moment, add(by_acceleration, sym_times(B_rate, omega)))
        put3(entries, ev + l, PUSH_Q, moment)
        put3(entries, ev + l, PUSH_Q + 3, add(cross(alpha, P), cross(omega, cross(omega, P))))
        put3(entries, ev + l, PUSH_V, add(spun, cross(omega, h)))
        put3(entries, ev + l, PUSH_V + 3, scale(2.0, cross(omega, P)))
        put3(entries, ev + l, LOADED_RATE, scale(coupling, sub(scale(2.0, coriolis), spun)))
        # first moment, inertia and their rates
        c = add(c, scale(el, P))
        J = add6(J, scale6(0.5 * el, add6(D, dJ)))
        J_rate = add6(J_rate, scale6(vl, dJ))
        p_rate = add(p_rate, scale(vl, P))
        h_rate = add(h_rate, scale(vl, h))
    # derivatives of moment and force by the angular velocity
    spin = add(sym_times(J, omega), h_rate)
    rate_n = add9(add9(skew(scale(-1.0, spin)), matmul(skew(omega), full(J))), full(J_rate))
    swing = add(cross(omega, c), scale(2.0, p_rate))
    rate_f = add9(skew(scale(-1.0, swing)), matmul(skew(scale(-1.0, omega)), skew(c)))
    return rate_n, rate_f
