"""Forward dynamics by articulated inertias, O(N): Featherstone 2008, chapter 7; hybrid dynamics, chapter 9.

A joint of several entries is eliminated entry by entry, the outermost first, which is the Cholesky factorisation of
S^T I S without forming it. An entry whose acceleration is known is not eliminated: it adds its force, and the
effort that it takes comes out on the way back.
"""

from __future__ import annotations

from .bodies import own_inertia
from .compiler import kernel
from .flexible import (
    carried_acceleration,
    eliminate_internal,
    internal_accelerations,
    load_flexible_parent,
    push_flexible_parent,
    reduced,
)
from .layout import (
    ACC,
    ARM,
    ART_H,
    ART_J,
    ART_M,
    BIAS_A,
    DOFS,
    FORCE,
    JOINT,
    MC,
    PARENT,
    REVOLUTE,
    SIDE,
    D,
    N,
    R,
    S,
    U,
    V,
)
from .spatial import (
    accumulate3,
    accumulate6,
    accumulate9,
    add,
    add6,
    add9,
    cross,
    dot,
    inertia_times,
    mat,
    put3,
    rotate_back,
    scale,
    shift_inertia,
    sym,
    sym_times,
    vec,
)


@kernel
def articulated_accelerations(model, ws, effort, acceleration):
    """Accelerations of all entries of v, after `kinematics`; entries with ws.known keep the one they have,
    and the effort that this takes is written into `effort`."""
    table, work, dof, known = model.table, ws.work, ws.dof, ws.known
    nb = table.shape[0]
    # what the next body handed to this one, kept in registers: in a chain nothing goes through memory
    J, H, M = own_inertia(model, ws, 0)
    J_next, H_next, M_next = J, H, M
    n_next, f_next = vec(work, 0, MC), vec(work, 0, MC)
    handed = False
    for i in range(nb - 1, 0, -1):
        J, H, M = own_inertia(model, ws, i)
        n = vec(work, i, FORCE)
        f = vec(work, i, FORCE + 3)
        if handed:
            J, H, M = add6(J, J_next), add9(H, H_next), add6(M, M_next)
            n, f = add(n, n_next), add(f, f_next)
        if table[i, SIDE] == 1:
            J, H, M = (
                add6(J, sym(work, i, ART_J)),
                add9(H, mat(work, i, ART_H)),
                add6(M, sym(work, i, ART_M)),
            )
        if table[i, N] > 0:
            J, H, M, n, f = eliminate_internal(model, ws, i, J, H, M, n, f, effort, acceleration)
        revolute = table[i, JOINT] == REVOLUTE
        first = table[i, V]
        for k in range(first + table[i, DOFS] - 1, first - 1, -1):
            s = vec(dof, k, S)
            l = vec(dof, k, S + 3)
            if revolute:
                a = sym_times(J, s)
                b = rotate_back(H, s)
                inertia = dot(s, a)
                along = dot(s, n)
            else:
                a, b = inertia_times(J, H, M, s, l)
                inertia = dot(s, a) + dot(l, b)
                along = dot(s, n) + dot(l, f)
            put3(dof, k, U, a)
            put3(dof, k, U + 3, b)
            if known[k] == 0:
                inverse = 1.0 / inertia
                rest = effort[k] - along
                dof[k, D] = inverse
                dof[k, R] = rest
                J, H, M = reduced(J, H, M, a, b, inverse)
                n = add(n, scale(inverse * rest, a))
                f = add(f, scale(inverse * rest, b))
            else:
                dof[k, D] = inertia
                dof[k, R] = along
                n = add(n, scale(acceleration[k], a))
                f = add(f, scale(acceleration[k], b))
        p = table[i, PARENT]
        if p > 0:
            c = vec(work, i, BIAS_A)
            c_l = vec(work, i, BIAS_A + 3)
            cn, cf = inertia_times(J, H, M, c, c_l)
            n = add(n, cn)
            f = add(f, cf)
            if table[p, N] > 0:
                load_flexible_parent(model, ws, i, J, H, M)
                push_flexible_parent(model, ws, i, n, f)
            r = vec(work, i, ARM)
            J, H, M = shift_inertia(J, H, M, r)
            n = add(n, cross(r, f))
            handed = p == i - 1
            if handed:
                J_next, H_next, M_next = J, H, M
                n_next, f_next = n, f
            else:
                accumulate6(work, p, ART_J, J)
                accumulate9(work, p, ART_H, H)
                accumulate6(work, p, ART_M, M)
                accumulate3(work, p, FORCE, n)
                accumulate3(work, p, FORCE + 3, f)
        else:
            handed = False

    for i in range(1, nb):
        p = table[i, PARENT]
        alpha = vec(work, p, ACC)
        a = add(vec(work, p, ACC + 3), cross(alpha, vec(work, i, ARM)))
        if table[p, N] > 0:
            d_alpha, d_a = carried_acceleration(model, ws, i, acceleration)
            alpha = add(alpha, d_alpha)
            a = add(a, d_a)
        alpha = add(alpha, vec(work, i, BIAS_A))
        a = add(a, vec(work, i, BIAS_A + 3))
        first = table[i, V]
        for k in range(first, first + table[i, DOFS]):
            felt = dot(vec(dof, k, U), alpha) + dot(vec(dof, k, U + 3), a)
            if known[k] == 0:
                acceleration[k] = dof[k, D] * (dof[k, R] - felt)
            else:
                effort[k] = felt + dof[k, D] * acceleration[k] + dof[k, R]
            alpha = add(alpha, scale(acceleration[k], vec(dof, k, S)))
            a = add(a, scale(acceleration[k], vec(dof, k, S + 3)))
        put3(work, i, ACC, alpha)
        put3(work, i, ACC + 3, a)
        if table[i, N] > 0:
            internal_accelerations(model, ws, i, alpha, a, effort, acceleration)
