"""Products with the mass matrix without forming it, and composite inertias: inverse dynamics of bodies at rest."""

from __future__ import annotations

from ..bodies.ancf_cable_forces import cable_mass_times
from ..bodies.body_dispatch import has_banded_mass, has_sparse_mass, own_inertia, support, supported
from ..bodies.nodal_body import nodal_mass_times
from ..columns import ARM, ARMATURE, ART_H, ART_J, ART_M, DOFS, EV, FLEX, JW, MASS, MC, PARENT, PHI, STATION, N, S, V
from ..compiler import optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, get, vec1
from ..spatial import (
    accumulate3,
    accumulate6,
    accumulate9,
    add,
    cross,
    dot,
    mat,
    put3,
    put6,
    put9,
    scale,
    shift_inertia,
    sym,
    sym_times,
    vec,
)
from .flexible import carried_acceleration
from .nodal_elimination import on_ground

INERTIAL_MOVES, INERTIAL_TAKES = 0, 6
"""Of a body: its acceleration (angular, linear), and the force (moment, force) that it takes."""


@optional_kernel("flexible", returns=(3, 3))
def internal_share(model, ws, i, x, out, w, u):
    """Efforts of the internal coordinates of body i, added to out; what their motion takes from the frame."""
    n, ev, o = model.table[i, N], model.table[i, EV], model.table[i, FLEX]
    zero = 0.0 * ws.flex[0]
    moment, force = (zero, zero, zero), (zero, zero, zero)
    sparse = has_sparse_mass(model, i)
    if sparse and has_banded_mass(model, i):
        cable_mass_times(model, i, x, ev, out, ev)
        if on_ground(model, i):
            return moment, force
    elif sparse:
        nodal_mass_times(model, ws, i, x, ev, out, ev)
    for k in range(n):
        t, f = vec1(ws.flex, o + 6 * k), vec1(ws.flex, o + 6 * k + 3)
        y = dot(t, w) + dot(f, u)
        if not sparse:
            for l in range(n):
                y += get(ws.flex, o + 6 * n + n * k + l) * get(x, ev + l)
        accumulate(out, ev + k, y)
        moment = add(moment, scale(get(x, ev + k), t))
        force = add(force, scale(get(x, ev + k), f))
    return moment, force


@optional_kernel("flexible")
def push_share(model, ws, i, moment, force, out):
    """Adds what the force that body i hands on does on the internal coordinates of its carrier."""
    p, phi = model.table[i, PARENT], model.table[i, PHI]
    count, where = support(model, p, model.table[i, STATION])
    for j in range(count):
        push = dot(vec1(ws.flex, phi + 6 * j), moment) + dot(vec1(ws.flex, phi + 6 * j + 3), force)
        accumulate(out, model.table[p, EV] + supported(model, where, j), push)


@outlined_kernel
def mass_times(model, ws, x, out, motion):
    """out = the mass matrix times x, right after `kinematics`; motion (nb, 12) is scratch."""
    table, work, dof = model.table, ws.work, ws.dof
    nb = table.shape[0]
    for k in range(out.size):
        out[k] = 0.0
    for c in range(12):
        motion[0, c] = 0.0
    for i in range(1, nb):
        p = table[i, PARENT]
        w = vec(motion, p, INERTIAL_MOVES)
        u = add(vec(motion, p, INERTIAL_MOVES + 3), cross(w, vec(work, i, ARM)))
        if table[p, N] > 0:
            d_w, d_u = carried_acceleration(model, ws, i, x)
            w, u = add(w, d_w), add(u, d_u)
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            w = add(w, scale(x[k], vec(dof, k, S)))
            u = add(u, scale(x[k], vec(dof, k, S + 3)))
        put3(motion, i, INERTIAL_MOVES, w)
        put3(motion, i, INERTIAL_MOVES + 3, u)
        c = vec(work, i, MC)
        n = add(sym_times(sym(work, i, JW), w), cross(c, u))
        f = add(scale(model.data[i, MASS], u), cross(w, c))
        if table[i, N] > 0:
            d_n, d_f = internal_share(model, ws, i, x, out, w, u)
            n, f = add(n, d_n), add(f, d_f)
        put3(motion, i, INERTIAL_TAKES, n)
        put3(motion, i, INERTIAL_TAKES + 3, f)
    for i in range(nb - 1, 0, -1):
        n, f = vec(motion, i, INERTIAL_TAKES), vec(motion, i, INERTIAL_TAKES + 3)
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            out[k] += dot(vec(dof, k, S), n) + dot(vec(dof, k, S + 3), f) + model.data[i, ARMATURE] * x[k]
        p = table[i, PARENT]
        if p > 0:
            if table[p, N] > 0:
                push_share(model, ws, i, n, f, out)
            accumulate3(motion, p, INERTIAL_TAKES, add(n, cross(vec(work, i, ARM), f)))
            accumulate3(motion, p, INERTIAL_TAKES + 3, f)


@outlined_kernel
def composite_inertias(model, ws):
    """Inertia of every body with all that it carries, as one rigid body, into ws.work; after `kinematics`."""
    table, work = model.table, ws.work
    for i in range(1, table.shape[0]):
        J, H, M = own_inertia(model, ws, i)
        put6(work, i, ART_J, J)
        put9(work, i, ART_H, H)
        put6(work, i, ART_M, M)
    for i in range(table.shape[0] - 1, 0, -1):
        p = table[i, PARENT]
        if p > 0:
            J, H, M = sym(work, i, ART_J), mat(work, i, ART_H), sym(work, i, ART_M)
            J, H, M = shift_inertia(J, H, M, vec(work, i, ARM))
            accumulate6(work, p, ART_J, J)
            accumulate9(work, p, ART_H, H)
            accumulate6(work, p, ART_M, M)
