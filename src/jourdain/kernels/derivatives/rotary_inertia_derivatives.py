"""Derivatives of the rotary inertia of the sections of a lumped beam (bodies/rotary_inertia.py), in the axes of the
beam.

A displacement of e_l turns a section by t = theta_l, so that J x changes by t x J x - J (t x x), and changes its
angular velocity and acceleration as in station_derivatives.py; theta_k . N changes with theta_k as well.
"""

from __future__ import annotations

from ..bodies.rotary_inertia import driven, first_section, section_motion
from ..bodies.rotation_schemes import EXPONENTIAL
from ..columns import EV, INTEGERS, TURNING, E, N
from ..compiler import kernel, optional_kernel
from ..linalg.row_matrices import full, skew
from ..spatial import accumulate3, add, add9, cross, dot, matmul, scale, sub, sym_times, vec
from .derivative_layout import D_ACC, D_ACC_V, D_VEL, LOADED_RATE, PARTIAL_SHAPE, PUSH_Q, PUSH_V
from .station_derivatives import lumped_station_partials


@kernel
def turned_product(J, t, x):
    """Change of J x as the section turns by t."""
    return sub(cross(t, sym_times(J, x)), sym_times(J, cross(t, x)))


@optional_kernel("sections", returns=(9, 3))
def turned_partials(model, ws, sl, i, q, v, acceleration, omega, alpha, K, C):
    """Adds the derivatives of the moments of the sections of body i to its entries and blocks; returns the rate matrix
    of the moment, and the moment.
    """
    entries, st = sl.entries, sl.station
    n, e, ev = model.table[i, N], model.table[i, E], model.table[i, EV]
    none = (0.0, 0.0, 0.0)
    rate, whole = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), none
    head, at, step = first_section(model, i)
    for _ in range(model.integers[model.table[i, INTEGERS] + TURNING]):
        J, w, bias = section_motion(model, ws, i, head, at, q, v)
        # N = J a + (omega + w) x J (omega + w), and its derivative by the angular velocity
        own = add(bias, driven(ws.flex, ws.flex.size - 6 * n, n, acceleration, ev))
        a = add(alpha, add(own, cross(omega, w)))
        spin = add(omega, w)
        L = sym_times(J, spin)
        moment = add(sym_times(J, a), cross(spin, L))
        whole = add(whole, moment)
        lumped_station_partials(
            model.floats, at + 3, head, EXPONENTIAL, 0.0, 1.0, n, q, e, v, ev, acceleration, st, none, moment, none, K
        )
        at += step
        rate = add9(rate, matmul(skew(spin), full(J)))
        rate = add9(rate, matmul(full(J), skew(scale(-1.0, w))))
        rate = add9(rate, skew(scale(-1.0, L)))
        # dN/de_l, dN/de_l', and the effort on e_l by the angular velocity
        for l in range(n):
            turn, dw = vec(st, l, PARTIAL_SHAPE), vec(st, l, D_VEL)
            by_e = add(turned_product(J, turn, a), sym_times(J, add(vec(st, l, D_ACC), cross(omega, dw))))
            swung = add(turned_product(J, turn, spin), sym_times(J, dw))
            by_e = add(by_e, add(cross(dw, L), cross(spin, swung)))
            inertial = sym_times(J, turn)
            by_v = add(sym_times(J, add(vec(st, l, D_ACC_V), cross(omega, turn))), cross(turn, L))
            by_v = add(by_v, cross(spin, inertial))
            by_omega = add(cross(w, inertial), add(cross(L, turn), sym_times(J, cross(turn, spin))))
            accumulate3(entries, ev + l, PUSH_Q, by_e)
            accumulate3(entries, ev + l, PUSH_V, by_v)
            accumulate3(entries, ev + l, LOADED_RATE, by_omega)
            for k in range(n):
                K[ev + k, ev + l] += dot(vec(st, k, PARTIAL_SHAPE), by_e)
                C[ev + k, ev + l] += dot(vec(st, k, PARTIAL_SHAPE), by_v)
    return rate, whole
