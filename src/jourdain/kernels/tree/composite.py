"""Mass matrix by the composite rigid body algorithm (CRBA): Walker & Orin 1982, method 3; Featherstone 2008, chapter
6."""

from __future__ import annotations

from ..bodies.body_dispatch import has_sparse_mass, own_inertia, support, supported
from ..bodies.nodal_body import nodal_entries
from ..columns import (
    ARM,
    ARMATURE,
    ART_H,
    ART_J,
    ART_M,
    DOFS,
    EV,
    FLEX,
    FORCE,
    PARENT,
    PHI,
    POS,
    SIDE,
    STATION,
    N,
    S,
    U,
    V,
)
from ..compiler import kernel, optional_kernel, separate_kernel
from ..flat_arrays import vec1
from ..spatial import (
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
    shift_inertia,
    sub,
    sym,
    vec,
)
from .flexible import load_flexible_parent
from .nodal_elimination import carried_entries


@kernel
def about_root(ws, i, root, n, f):
    """Moment about the origin of body `root` of a force (n, f) about that of body i."""
    return add(n, cross(sub(vec(ws.work, i, POS), vec(ws.work, root, POS)), f))


@kernel
def inboard_entries(model, ws, i, run, k, n, f, out):
    """Entries of column k with its own joint and all coordinates inboard of body i, from the force (n, f) about the
    origin of its root. Columns of joints are referred to that point too (U of ws.dof), so that an entry is one product.
    Bodies from `run` to i have their entries in a row (`run_of`).
    """
    table, work, dof = model.table, ws.work, ws.dof
    b, first, end = run, table[run, V], table[i, V] + table[i, DOFS]
    while b > 0:
        for j in range(first, end):
            m = dot(vec(dof, j, S), n) + dot(vec(dof, j, U), f)
            out[j, k] = m
            out[k, j] = m
        p = table[b, PARENT]
        if table[p, N] > 0:
            phi = table[b, PHI]
            root = root_of(model, b)
            about_b = add(n, cross(sub(vec(work, root, POS), vec(work, b, POS)), f))
            count, where = support(model, p, table[b, STATION])
            for s in range(count):
                m = dot(vec1(ws.flex, phi + 6 * s), about_b) + dot(vec1(ws.flex, phi + 6 * s + 3), f)
                j = table[p, EV] + supported(model, where, s)
                out[j, k] = m
                out[k, j] = m
        b = p
        first, end = table[b, V], table[b, V] + table[b, DOFS]


@kernel
def run_of(model, i):
    """The first of the rigid bodies before body i that carry each other up to it, their entries of v in a row."""
    table = model.table
    while table[i, PARENT] == i - 1 and i > 1 and table[i - 1, N] == 0:
        if table[i, V] != table[i - 1, V] + table[i - 1, DOFS]:
            break
        i -= 1
    return i


@kernel
def root_of(model, i):
    """The body on the world that body i hangs on."""
    while model.table[i, PARENT] > 0:
        i = model.table[i, PARENT]
    return i


@optional_kernel("flexible")
def internal_entries(model, ws, i, root, out):
    """Entries of the internal coordinates of body i: with each other, with its joint, and with all inboard of it."""
    table, flex = model.table, ws.flex
    size, ev, o, run = table[i, N], table[i, EV], table[i, FLEX], run_of(model, i)
    sparse = has_sparse_mass(model, i)
    if sparse:
        nodal_entries(model, i, out)
    for k in range(size):
        if not sparse:
            for j in range(size):
                out[ev + j, ev + k] = flex[o + 6 * size + size * j + k]
        f = vec1(flex, o + 6 * k + 3)
        n = about_root(ws, i, root, vec1(flex, o + 6 * k), f)
        inboard_entries(model, ws, i, run, ev + k, n, f, out)


@separate_kernel
def composite_mass_matrix(model, ws, out):
    """Mass matrix (nv, nv), after `kinematics`. Branches that share no ancestor joint stay exactly zero."""
    table, work, dof = model.table, ws.work, ws.dof
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = 0.0
    # columns of the joints about the root of their tree, so that pairs of entries are one product each
    root = 0
    for i in range(1, table.shape[0]):
        if table[i, SIDE] == 1:
            for c in range(ART_J, FORCE):
                work[i, c] = 0.0
        if table[i, PARENT] != i - 1 or table[i, PARENT] == 0:
            root = root_of(model, i)
        r = sub(vec(work, root, POS), vec(work, i, POS))
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            put3(dof, k, U, add(vec(dof, k, S + 3), cross(vec(dof, k, S), r)))
    # what hangs on a body: the next one hands it over, others leave it in its row
    zero = 0.0 * work[0, POS]
    none6 = (zero, zero, zero, zero, zero, zero)
    none9 = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
    J, H, M = none6, none9, none6
    run = table.shape[0]
    for i in range(table.shape[0] - 1, 0, -1):
        # the body's own inertia and that of what it carries
        own_J, own_H, own_M = own_inertia(model, ws, i)
        J, H, M = add6(J, own_J), add9(H, own_H), add6(M, own_M)
        if table[i, SIDE] == 1:
            J, H, M = add6(J, sym(work, i, ART_J)), add9(H, mat(work, i, ART_H)), add6(M, sym(work, i, ART_M))
        if i == table.shape[0] - 1 or table[i + 1, PARENT] != i:
            root, run = root_of(model, i), run_of(model, i)
        elif i < run:
            run = run_of(model, i)
        # rows of its joint against all that is inboard
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            n, f = inertia_times(J, H, M, vec(dof, k, S), vec(dof, k, S + 3))
            inboard_entries(model, ws, i, run, k, about_root(ws, i, root, n, f), f, out)
            out[k, k] += model.data[i, ARMATURE]
        if table[i, N] > 0:
            internal_entries(model, ws, i, root, out)
        # handed inward
        p = table[i, PARENT]
        if p == 0:
            J, H, M = none6, none9, none6
            continue
        if table[p, N] > 0:
            load_flexible_parent(model, ws, i, J, H, M)
            if has_sparse_mass(model, p):
                carried_entries(model, ws, i, J, H, M, out)
        J, H, M = shift_inertia(J, H, M, vec(work, i, ARM))
        if p != i - 1:
            accumulate6(work, p, ART_J, J)
            accumulate9(work, p, ART_H, H)
            accumulate6(work, p, ART_M, M)
            J, H, M = none6, none9, none6
