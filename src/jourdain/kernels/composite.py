"""Mass matrix by composite inertias: Walker & Orin 1982, method 3; Featherstone 2008, chapter 6."""

from __future__ import annotations

from .compiler import kernel
from .layout import ARM, ART_H, ART_J, ART_M, DOFS, PARENT, S, V
from .spatial import (
    accumulate6,
    accumulate9,
    add,
    cross,
    dot,
    inertia_times,
    mat,
    shift_inertia,
    sym,
    vec,
)


@kernel
def composite_mass_matrix(model, ws, out):
    """Mass matrix (nv, nv), after `kinematics`. Branches that share no ancestor joint stay exactly zero."""
    table, work, dof = model.table, ws.work, ws.dof
    out[:, :] = 0.0
    for i in range(table.shape[0] - 1, 0, -1):
        J = sym(work, i, ART_J)
        H = mat(work, i, ART_H)
        M = sym(work, i, ART_M)
        first = table[i, V]
        for k in range(first, first + table[i, DOFS]):
            n, f = inertia_times(J, H, M, vec(dof, k, S), vec(dof, k, S + 3))
            for j in range(first, k + 1):
                m = dot(vec(dof, j, S), n) + dot(vec(dof, j, S + 3), f)
                out[j, k] = m
                out[k, j] = m
            b = i
            while table[b, PARENT] > 0:
                n = add(n, cross(vec(work, b, ARM), f))
                b = table[b, PARENT]
                start = table[b, V]
                for j in range(start, start + table[b, DOFS]):
                    m = dot(vec(dof, j, S), n) + dot(vec(dof, j, S + 3), f)
                    out[j, k] = m
                    out[k, j] = m
        p = table[i, PARENT]
        if p > 0:
            J, H, M = shift_inertia(J, H, M, vec(work, i, ARM))
            accumulate6(work, p, ART_J, J)
            accumulate9(work, p, ART_H, H)
            accumulate6(work, p, ART_M, M)
