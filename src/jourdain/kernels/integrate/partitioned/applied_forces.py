"""Applied forces on sparse bodies, of contacts, springs and laws: the low-rank part of the matrix of a correction.

Their derivatives by the coordinates that move the places where they act are differences; Woodbury's formula
(`solver_layout`) brings them into the solution."""

from __future__ import annotations

from ...bodies.body_dispatch import has_sparse_mass, support, supported
from ...compiler import kernel, outlined_kernel
from ...flat_arrays import vector_at
from ...linalg.pivoted import factorise
from ...tree.kinematics import kinematics
from ...tree.markers import marker_kinematics
from ...tree.mass_products import mass_times
from ..state_steps import rates_at
from .partitioned_solver import solve_plain

STEP = 1e-8
"""How far a coordinate is displaced [m]; its velocity is changed by what a step makes of that."""


@kernel
def take(s, k):
    """Takes entry k of v among the coordinates, unless they are MOST_APPLIED already."""
    applied = s.applied
    if applied.mark[k] == 0 and applied.count[0] < applied.entries.size:
        applied.mark[k] = 1
        applied.entries[applied.count[0]] = k
        applied.count[0] += 1


@outlined_kernel
def take_marker(model, ws, s, q, v, m):
    """Takes the coordinates of sparse bodies that displace marker m."""
    i = model.markers[m].body
    node, flex = model.tree[i], ws.flex
    if node.ne > 0 and has_sparse_mass(model, i):
        marker_kinematics(model, ws, m, q, v)
        count, where = support(model, i, model.markers[m].station)
        for j in range(count):
            psi = vector_at(flex, flex.size - 6 * node.ne + 6 * j + 3)
            if psi.x != 0.0 or psi.y != 0.0 or psi.z != 0.0:
                take(s, node.ev + supported(model, where, j))
    while i > 0:
        p = model.tree[i].parent
        if model.tree[p].ne > 0 and has_sparse_mass(model, p):
            count, where = support(model, p, model.tree[i].station)
            for j in range(count):
                some = False
                for c in range(6):
                    some = some or flex[model.tree[i].phi + 6 * j + c] != 0.0
                if some:
                    take(s, model.tree[p].ev + supported(model, where, j))
        i = p


@outlined_kernel
def find_entries(run):
    """Which coordinates displace places where something acts at the trial, which was evaluated last."""
    model, ws, b, s = run.model, run.ws, run.buffers, run.partition
    applied = s.applied
    for j in range(applied.count[0]):
        applied.mark[applied.entries[j]] = 0
    applied.count[0] = 0
    for j in range(applied.always.size):
        take_marker(model, ws, s, b.q, b.v, applied.always[j])
    for j in range(applied.shapes.size):
        i = applied.shapes[j]
        force = ws.shapes[i].force
        if force @ force > 0.0:
            take_marker(model, ws, s, b.q, b.v, model.shapes[i].marker)


@outlined_kernel
def lay_applied_forces(run, t):
    """Z and the factors of the small matrix at the trial, whose rates are in row 1 of buffers.K and which is left."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.partition
    applied, nv = s.applied, run.ws.known.size
    kinematics(model, ws, b.q, b.v)
    find_entries(run)
    if applied.count[0] == 0:
        return
    per, unit, column, answer = 1.0 / co.integrator.mu, s.vectors[0], s.vectors[1], s.vectors[2]
    # the trial is put by: all of it is displaced in the buffers
    for k in range(co.q.size):
        co.q[k] = b.q[k]
    for k in range(nv):
        co.v[k] = b.v[k]
    # column by column, by differences: rates where one entry is displaced
    for j in range(applied.count[0]):
        entry = applied.entries[j]
        b.q[model.q_index[entry]] += STEP
        b.v[entry] += STEP * co.integrator.nu
        rates_at(run, run.free, t, b.q, b.v, b.z)
        co.counts.evaluations += 1
        co.counts.differences += 1
        for k in range(nv):
            moved = (b.K[1, nv + k] - b.acceleration[k]) / (STEP * co.integrator.nu)
            applied.columns[j, k] = per * moved if ws.known[k] == 0 else 0.0
        b.q[model.q_index[entry]] = co.q[model.q_index[entry]]
        b.v[entry] = co.v[entry]
    # as forces, and with the mass of the coordinate itself
    kinematics(model, ws, b.q, b.v)
    for j in range(applied.count[0]):
        for k in range(nv):
            unit[k] = applied.columns[j, k]
        unit[applied.entries[j]] += 1.0
        mass_times(model, ws, unit, column, s.motion)
        solve_plain(model, s, ws.known, 1, column, answer)
        for k in range(nv):
            applied.columns[j, k] = answer[k]
    for r in range(applied.right.size):
        for c in range(applied.right.size):
            inside = r < applied.count[0] and c < applied.count[0]
            applied.small[r, c] = applied.columns[c, applied.entries[r]] if inside else 1.0 * (r == c)
    for j in range(applied.count[0]):
        applied.columns[j, applied.entries[j]] -= 1.0
    factorise(applied.small, applied.pivots, applied.sizes)
