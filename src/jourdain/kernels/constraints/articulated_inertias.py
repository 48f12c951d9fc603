"""Articulated inertias alone: the elimination of `articulated` without forces, of what multipliers can move."""

from __future__ import annotations

from ..bodies.body_dispatch import own_inertia
from ..columns import ARM, ARMATURE, ART_H, ART_J, ART_M, DOFS, PARENT, SIDE, D, N, S, U, V
from ..compiler import kernel, separate_kernel
from ..spatial import accumulate6, accumulate9, add6, add9, dot, inertia_times, mat, put3, shift_inertia, sym, vec
from ..tree.articulated import is_lone
from ..tree.flexible import eliminate_internal, load_flexible_parent, reduced
from .sparsity import SOLVE_BODIES, SOLVE_BODY_COUNT


@kernel
def eliminate_joint(model, ws, i, J, H, M):
    """Columns U and inverse inertias D of the entries of the joint of body i; returns the inertia that is left."""
    dof, table = ws.dof, model.table
    first = table[i, V]
    for k in range(first + table[i, DOFS] - 1, first - 1, -1):
        s, l = vec(dof, k, S), vec(dof, k, S + 3)
        a, b = inertia_times(J, H, M, s, l)
        inertia = dot(s, a) + dot(l, b) + model.data[i, ARMATURE]
        put3(dof, k, U, a)
        put3(dof, k, U + 3, b)
        if ws.known[k] == 0:
            dof[k, D] = 1.0 / inertia
            J, H, M = reduced(J, H, M, a, b, 1.0 / inertia)
        else:
            dof[k, D] = inertia
    return J, H, M


@kernel
def eliminate_lone(model, ws):
    """Eliminates the bodies with constraints that `articulated_accelerations` takes by themselves."""
    links = ws.solve_links
    for b in range(links[SOLVE_BODY_COUNT]):
        i = links[links[SOLVE_BODIES] + b]
        if is_lone(model.tree, ws.known, i):
            J, H, M = own_inertia(model, ws, i)
            eliminate_joint(model, ws, i, J, H, M)


@separate_kernel
def articulated_inertias(model, ws):
    """Leaves in ws.dof and ws.flex what `articulated_accelerations` leaves there of inertias, after `kinematics`."""
    table, work, links = model.table, ws.work, ws.solve_links
    zero = 0.0 * work[0, 0]
    none = (zero, zero, zero)
    for b in range(links[SOLVE_BODY_COUNT] - 1, -1, -1):
        i = links[links[SOLVE_BODIES] + b]
        J, H, M = own_inertia(model, ws, i)
        if table[i, SIDE] == 1 or (i + 1 < table.shape[0] and table[i + 1, PARENT] == i):
            J = add6(J, sym(work, i, ART_J))
            H = add9(H, mat(work, i, ART_H))
            M = add6(M, sym(work, i, ART_M))
        if table[i, N] > 0:
            J, H, M, _, _ = eliminate_internal(model, ws, i, J, H, M, none, none, ws.effort, ws.effort)
        J, H, M = eliminate_joint(model, ws, i, J, H, M)
        p = table[i, PARENT]
        if p > 0:
            if table[p, N] > 0:
                load_flexible_parent(model, ws, i, J, H, M)
            J, H, M = shift_inertia(J, H, M, vec(work, i, ARM))
            if table[p, SIDE] == 0 and p == i - 1:
                put_inertia(work, p, J, H, M)
            else:
                accumulate6(work, p, ART_J, J)
                accumulate9(work, p, ART_H, H)
                accumulate6(work, p, ART_M, M)


@kernel
def put_inertia(work, p, J, H, M):
    """Hands an inertia to a carrier of which nothing else hangs, whose sums `kinematics` does not clear."""
    for c in range(6):
        work[p, ART_J + c] = J[c]
        work[p, ART_M + c] = M[c]
    for c in range(9):
        work[p, ART_H + c] = H[c]
