"""Mass matrix by composite inertias: Walker & Orin 1982, method 3; Featherstone 2008, chapter 6."""

from __future__ import annotations

from .compiler import flexible_only, kernel
from .flexible import load_flexible_parent
from .layout import ARM, ART_H, ART_J, ART_M, DOFS, EV, FLEX, PARENT, PHI, N, S, V
from .slices import vec1
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
def inboard_entries(model, ws, i, k, n, f, out):
    """Entries of column k with all coordinates inboard of body i, from the force (n, f) about its origin."""
    table, work, dof = model.table, ws.work, ws.dof
    b = i
    while table[b, PARENT] > 0:
        p = table[b, PARENT]
        phi = table[b, PHI]
        for j in range(table[p, N]):
            m = dot(vec1(ws.flex, phi + 6 * j), n) + dot(vec1(ws.flex, phi + 6 * j + 3), f)
            out[table[p, EV] + j, k] = m
            out[k, table[p, EV] + j] = m
        n = add(n, cross(vec(work, b, ARM), f))
        b = p
        start = table[b, V]
        for j in range(start, start + table[b, DOFS]):
            m = dot(vec(dof, j, S), n) + dot(vec(dof, j, S + 3), f)
            out[j, k] = m
            out[k, j] = m


@flexible_only()
def internal_entries(model, ws, i, out):
    """Entries of the internal coordinates of body i: with each other, with its joint, and with all inboard of it."""
    table, flex, dof = model.table, ws.flex, ws.dof
    size, ev, o = table[i, N], table[i, EV], table[i, FLEX]
    first = table[i, V]
    for k in range(size):
        n = vec1(flex, o + 6 * k)
        f = vec1(flex, o + 6 * k + 3)
        for j in range(size):
            out[ev + j, ev + k] = flex[o + 6 * size + size * j + k]
        for j in range(first, first + table[i, DOFS]):
            m = dot(vec(dof, j, S), n) + dot(vec(dof, j, S + 3), f)
            out[j, ev + k] = m
            out[ev + k, j] = m
        inboard_entries(model, ws, i, ev + k, n, f, out)


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
            inboard_entries(model, ws, i, k, n, f, out)
        if table[i, N] > 0:
            internal_entries(model, ws, i, out)
        p = table[i, PARENT]
        if p > 0:
            if table[p, N] > 0:
                load_flexible_parent(model, ws, i, J, H, M)
            J, H, M = shift_inertia(J, H, M, vec(work, i, ARM))
            accumulate6(work, p, ART_J, J)
            accumulate9(work, p, ART_H, H)
            accumulate6(work, p, ART_M, M)
