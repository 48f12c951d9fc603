"""A flexible body's own part of the derivatives, by its kind: efforts on and forces by its internal coordinates.

A kind gives, in axes of its own (columns of R in the world), the derivatives of the force on its frame by e, e' and the
angular velocity, and those of the efforts; here they are moved to the common reference point as entries and composites.
A change d of the angular velocity comes with a change of the acceleration, by -omega x d and 2 d x v, v the velocity of
the origin (see motion_columns.py), so that inertias contribute to both.
"""

from __future__ import annotations

from ..bodies.lumped_beam_inertia import beam_axes_in_world
from ..columns import EV, FLEX, FLOATS, JW, KIND, MASS, MC, OMEGA, POS, ROT, VEL, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, vec1
from ..kind_registry import MODAL
from ..linalg.row_matrices import full, skew, turned
from ..spatial import add, add9, cross, mat, matmul, put3, put9, rotate, scale, sub, sym, vec
from .derivative_layout import C_RATE_F, C_RATE_N, LOADED_RATE, LOADED_TURN, PARTIAL_LOADED, PUSH_Q, PUSH_V, REF
from .lumped_beam_derivatives import lumped_partials
from .modal_derivatives import modal_partials


@kernel
def clear_entries(model, ws, sl, i, M):
    """Initialises the entries of body i with its own inertia alone, about its own origin, and M with its block."""
    n, ev, o = model.table[i, N], model.table[i, EV], model.table[i, FLEX]
    none = (0.0, 0.0, 0.0)
    for k in range(n):
        put3(sl.entries, ev + k, PARTIAL_LOADED, vec1(ws.flex, o + 6 * k))
        put3(sl.entries, ev + k, PARTIAL_LOADED + 3, vec1(ws.flex, o + 6 * k + 3))
        put3(sl.entries, ev + k, LOADED_RATE, none)
        put3(sl.entries, ev + k, LOADED_TURN, none)
        put3(sl.entries, ev + k, PUSH_Q, none)
        put3(sl.entries, ev + k, PUSH_Q + 3, none)
        put3(sl.entries, ev + k, PUSH_V, none)
        put3(sl.entries, ev + k, PUSH_V + 3, none)
        for l in range(n):
            M[ev + k, ev + l] = get(ws.flex, o + 6 * n + n * k + l)


@optional_kernel("flexible")
def own_partials(model, ws, sl, i, q, v, acceleration, K, C, M):
    """Entries of the internal coordinates of body i, its rate matrices, and its own blocks of K, C and M."""
    table, work, entries = model.table, ws.work, sl.entries
    n, ev = table[i, N], table[i, EV]
    clear_entries(model, ws, sl, i, M)
    R = mat(work, i, ROT)
    if table[i, KIND] == MODAL:
        rate_n, rate_f = modal_partials(model, ws, sl, i, q, v, acceleration, K, C)
    else:
        rate_n, rate_f = lumped_partials(model, ws, sl, i, q, v, acceleration, K, C)
        R = beam_axes_in_world(R, model.floats, table[i, FLOATS])
    omega, vel = vec(work, i, OMEGA), vec(work, i, VEL)
    # from the origin Bo to the reference point: y = p_RefBo_W moves moments, y x f
    y = sub(vec(work, i, POS), vec(sl.bodies, i, REF))
    for k in range(ev, ev + n):
        a, b = vec(entries, k, PARTIAL_LOADED), vec(entries, k, PARTIAL_LOADED + 3)
        inertial = add(cross(omega, a), scale(2.0, cross(vel, b)))
        put3(entries, k, LOADED_RATE, add(rotate(R, vec(entries, k, LOADED_RATE)), inertial))
        put3(entries, k, PARTIAL_LOADED, add(a, cross(y, b)))
        for place in (PUSH_Q, PUSH_V):
            f = rotate(R, vec(entries, k, place + 3))
            put3(entries, k, place, add(rotate(R, vec(entries, k, place)), cross(y, f)))
            put3(entries, k, place + 3, f)
    # rate matrices of the rigid motion, then moved to the reference point
    m, c, J = model.data[i, MASS], vec(work, i, MC), sym(work, i, JW)
    spin, drift = skew(omega), skew(scale(-2.0, vel))
    first = skew(c)
    # -J omega~ - 2 c~ v~ of the moment, c~ omega~ - 2 m v~ of the force
    rate_n = add9(turned(R, rate_n), matmul(full(J), skew(scale(-1.0, omega))))
    rate_n = add9(rate_n, matmul(first, drift))
    rate_f = add9(turned(R, rate_f), matmul(first, spin))
    rate_f = add9(rate_f, skew(scale(-2.0 * m, vel)))
    put9(sl.bodies, i, C_RATE_N, add9(rate_n, matmul(skew(y), rate_f)))
    put9(sl.bodies, i, C_RATE_F, rate_f)
