"""Updates of the matrices of a partition (`solver_layout`) by the deformation of sparse bodies, without a solution.

A sparse body's frame is fixed to a few nodes, so that next to nothing is left of its mass when the coordinates are
eliminated: A - B S^-1 C is a small difference of two large matrices, and errors of B and C grow by the mass of the body
over that near those nodes, the more the finer the mesh. Two things count. Let w be the way of coordinate k, omega the
rate at which a unit of the rest turns the frame, in body axes, and y = m d as in `nodal_body`.

1. Moments about the frame change as nodes move on which something acts. Inertia, weights and surfaces together act with
   -f, f being the force of stiffness and of damping in proportion to it on a node, so that to the row M_re = omega .
   (y x w) comes omega . (f x w) / (mu nu). f is that at the start of the step, which meets the equations of motion, as
   no trial does.
2. The mass follows the deformation. With u the displacement since the last time, dC = M (omega x u), and S^-1 dC is the
   field omega x u itself less S^-1 K (omega x u) / (mu nu), which is small for fields that are smooth over the way of a
   wave in a step. Answers take that field; the small matrix has its first order without an error, and its second order
   with this one. A mass without deformation follows nothing.
"""

from __future__ import annotations

import math

from ...algebra import cross
from ...bodies.nodal_layout import nodal_body
from ...bodies.shell_vectors import displacement
from ...compiler import optional_kernel, outlined_kernel
from ...linalg.pivoted import factorise
from ...tree.mass_products import inertial_motions, mass_times
from .partitioned_solver import inner, note_displacements

CHANGED = 1e-4
"""Change of the small matrix, over its diagonal, from which on it is factored anew."""


@optional_kernel("nodal")
def lay_forces(model, s, q, v, out):
    """Forces of stiffness, and of damping in proportion to it, on all sparse bodies at a state, into out (nv,)."""
    for j in range(s.bodies.size):
        i = s.bodies[j]
        body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
        for k in range(model.tree[i].ne):
            x = 0.0
            for l in range(body.pair_row[k], body.pair_row[k + 1]):
                m = body.pair_index[l]
                x += body.stiffness[l] * (q[e + m] + body.rayleigh.beta * v[ev + m])
            out[ev + k] = x


@optional_kernel("nodal")
def add_turned(model, ws, s, field, factor, out):
    """Adds factor omega x u of the nodes of all sparse bodies to out (nv,), u being their vectors in a field (nv,) and
    omega the angular velocity of the body in s.motion, in body axes."""
    for j in range(s.bodies.size):
        i = s.bodies[j]
        body, ev = nodal_body(model, i), model.tree[i].ev
        omega = factor * (ws.bodies[i].R_WB.T @ inertial_motions(s.motion)[i].acceleration.angular)
        if omega @ omega == 0.0 or not body.deformed:
            continue
        for a in range(body.nodes):
            u = cross(omega, displacement(body, field, ev, a))
            for k in range(body.first[a], body.first[a + 1]):
                out[ev + k] += u @ body.ways[k]


@optional_kernel("nodal")
def displacements(model, s, q, out):
    """The coordinates of all sparse bodies less those of `note_displacements`, into out (nv,)."""
    for j in range(s.bodies.size):
        i = s.bodies[j]
        for k in range(model.tree[i].ev, model.tree[i].ev + model.tree[i].ne):
            out[k] = q[model.tree[i].e + k - model.tree[i].ev] - s.placed[k]


@outlined_kernel
def lay_change(s, y, known, l, row, column):
    """Adds to y.change what a change of row l and of column l of the whole matrix does to the small one."""
    r = s.rest.size
    for c in range(y.right.size):
        if c >= r or known[s.rest[c]] == 0:
            y.change[l, c] -= inner(s.place, row, y.answer[c])
        if c < r and known[s.rest[c]] == 0:
            y.change[c, l] += column[s.rest[c]] - inner(s.place, y.back[c], column)


@outlined_kernel
def take_change(y):
    """Takes y.change into the small matrix; 0 where it is too small to count yet, and stays as it is."""
    size = y.right.size
    some = 0
    for l in range(size):
        for c in range(size):
            if abs(y.change[l, c]) > CHANGED * math.sqrt(abs(y.whole[l, l] * y.whole[c, c])):
                some = 1
    for l in range(size if some == 1 else 0):
        for c in range(size):
            y.whole[l, c] += y.change[l, c]
            y.small[l, c], y.change[l, c] = y.whole[l, c], 0.0
    if some == 1:
        factorise(y.small, y.pivots, y.sizes)
    return some


@outlined_kernel
def follow_one(run, y, l, both, column, row, more):
    """Row l of one matrix, with moments of forces where both > 0, its answers, and what both do to the small one.

    column    (nv,) that of the mass
    row       (nv,) scratch
    more      (nv,) by how much the column changed
    """
    model, ws, s, nv = run.model, run.ws, run.partition, run.ws.known.size
    for k in range(nv):
        row[k] = column[k]
    if both > 0.0:
        add_turned(model, ws, s, s.vectors[5], both, row)  # moments omega . (f x w) / (mu nu)
    for k in range(nv):
        row[k], y.row[l, k] = row[k] - y.row[l, k], row[k]
    # rows by answers of now, columns by those before: second orders of all pairs are taken once
    add_turned(model, ws, s, s.vectors[4], 1.0, y.answer[l])
    lay_change(s, y, ws.known, l, row, more)
    add_turned(model, ws, s, s.vectors[4], 1.0, y.back[l])


@outlined_kernel
def follow_deformation(run):
    """Takes into the matrices what has changed with the deformation, right after `kinematics`; 1 where that was
    worth it."""
    model, ws, s, known, integrator = run.model, run.ws, run.partition, run.ws.known, run.memory.integrator
    nv, both = known.size, 1.0 / (integrator.mu * integrator.nu)
    by_mass = s.at_hand.mass == s.at_hand.step
    unit, column, row, more = s.vectors[0], s.vectors[1], s.vectors[2], s.vectors[3]
    lay_forces(model, s, run.q, run.v, s.vectors[5])
    displacements(model, s, run.buffers.q, s.vectors[4])
    for k in range(nv):
        unit[k] = 0.0
    for l in range(s.rest.size):
        if known[s.rest[l]] != 0:
            continue
        unit[s.rest[l]] = 1.0
        mass_times(model, ws, unit, column, s.motion)
        unit[s.rest[l]] = 0.0
        for k in range(nv):
            more[k] = column[k] - s.mass[l, k]
            s.mass[l, k] = column[k]
        follow_one(run, s.step, l, both, column, row, more)
        if by_mass:
            follow_one(run, s.weight, l, 0.0, column, row, more)
    note_displacements(model, s, run.buffers.q)
    some = take_change(s.step)
    if by_mass:
        some = max(some, take_change(s.weight))
    return some
