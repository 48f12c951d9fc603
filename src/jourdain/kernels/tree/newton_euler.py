"""Inverse dynamics by the recursive Newton-Euler algorithm (RNEA), O(N): Luh, Walker & Paul 1980; Featherstone 2008,
chapter 5."""

from __future__ import annotations

from ..bodies.body_dispatch import internal_forces_at
from ..columns import ACC, ARM, ARMATURE, BIAS_A, DOFS, EV, FORCE, JW, MASS, MC, PARENT, N, S, V
from ..compiler import scalar_kernel
from ..spatial import accumulate3, add, cross, dot, put3, scale, sym, sym_times, vec
from .flexible import carried_acceleration, internal_efforts, push_flexible_parent


@scalar_kernel
def newton_euler_efforts(model, ws, acceleration, effort):
    """Efforts that give the accelerations, against the applied wrenches, after `kinematics`."""
    table, work, dof = model.table, ws.work, ws.dof
    nb = table.shape[0]
    # outward: accelerations, and the wrench that each body takes
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
            alpha = add(alpha, scale(acceleration[k], vec(dof, k, S)))
            a = add(a, scale(acceleration[k], vec(dof, k, S + 3)))
        put3(work, i, ACC, alpha)
        put3(work, i, ACC + 3, a)
        # Newton and Euler about the body's origin: n = J alpha + c x a, f = m a + alpha x c
        c = vec(work, i, MC)
        n = add(sym_times(sym(work, i, JW), alpha), cross(c, a))
        f = add(scale(model.data[i, MASS], a), cross(alpha, c))
        if table[i, N] > 0:
            d_n, d_f = internal_efforts(model, ws, i, alpha, a, acceleration)
            n = add(n, d_n)
            f = add(f, d_f)
        accumulate3(work, i, FORCE, n)
        accumulate3(work, i, FORCE + 3, f)
    # inward: what a joint bears is that of all bodies behind it
    for i in range(nb - 1, 0, -1):
        n = vec(work, i, FORCE)
        f = vec(work, i, FORCE + 3)
        first = table[i, V]
        for k in range(first, first + table[i, DOFS]):
            effort[k] = dot(vec(dof, k, S), n) + dot(vec(dof, k, S + 3), f) + model.data[i, ARMATURE] * acceleration[k]
        if table[i, N] > 0:
            be = internal_forces_at(model, i)
            for k in range(table[i, N]):
                effort[table[i, EV] + k] = ws.flex[be + k]
        p = table[i, PARENT]
        if p > 0:
            if table[p, N] > 0:
                push_flexible_parent(model, ws, i, n, f)
            accumulate3(work, p, FORCE, add(n, cross(vec(work, i, ARM), f)))
            accumulate3(work, p, FORCE + 3, f)
