"""Derivatives of force laws and controllers, by differences over all columns.

A law is any code: which entries it reads is not known, so that every column takes the calls of a stencil. Its
generalised force is the effort of inverse dynamics without it less that with it. Sensed contact forces are held
constant meanwhile: laws are differentiated by these as well, and their own derivatives are known,

    dQ/dx = (dQ/dx at constant contact forces) + sum_k dQ/dfelt_k dfelt_k/dx,

so that no step depends on how deep or how fast a contact is.
"""

from __future__ import annotations

from ...algebra import rotation_matrix
from ...compiler import kernel, optional_kernel, outlined_kernel
from ...flat_arrays import put_value, quaternion_at, vector_at
from ...records import given
from ...tree.drives import limit_motors
from ...tree.joints import displace
from ...tree.kinematics import kinematics
from ...tree.newton_euler import newton_euler_efforts
from ...tree.path_coordinates import displace_without_velocity_scalar
from ...tree.right_hand_side import sense
from ...tree.tree_rows import SENSES_MARKER


@outlined_kernel
def move_along(model, ws, ap, q, k, by):
    """q displaced by entry k alone, into ap.q."""
    step = ap.v
    for j in range(step.size):
        step[j] = 0.0
    step[k] = by
    # the translation of a free joint is in the axes of its body
    for g in range(len(model.rotations)):
        joint = model.rotations[g]
        linear = joint.v + 3
        if joint.free and linear <= k < linear + 3:
            put_value(step, linear, rotation_matrix(quaternion_at(q, joint.q + 3)) @ vector_at(step, linear))
    for j in range(q.size):
        ap.q[j] = q[j]
    displace(model, q, step, ap.q)
    if model.paths.shape[0] > 0:
        kinematics(model, ws, q, step)
        displace_without_velocity_scalar(model, ws, q, step, ap.q)


@outlined_kernel
def law_force(model, task, stages, t, q, v, z, p, ws, ap):
    """Generalised force of all laws into ap.forces[1], the rates of their states into ap.dz; ws.contact_wrenches is
    unchanged."""
    rest, without, out = ap.forces[0], ap.forces[1], ap.forces[2]
    for k in range(v.size):
        rest[k] = 0.0
        ws.supplied[k] = 0.0
    kinematics(model, ws, q, v)
    # inverse dynamics at zero acceleration without laws, then with them
    newton_euler_efforts(model, ws, rest, without)
    kinematics(model, ws, q, v)
    for i in range(len(task.sensed_quantities)):
        sense(model, ws, task, i, q, v)
    stages.law(model, task, t, q, v, z, p, ws, ws.supplied, ap.dz)
    limit_motors(model, ws.known, ws.supplied)
    newton_euler_efforts(model, ws, rest, out)
    for k in range(v.size):
        without[k] += ws.supplied[k] - out[k]


@kernel
def note_law(ap, first, factor, force, rates, column):
    """Adds factor times forces and rates of laws to a column of `force` and, from their first state on, of `rates`."""
    for k in range(force.shape[0]):
        force[k, column] += factor * ap.forces[1, k]
    for k in range(first, rates.shape[0]):
        rates[k, column] += factor * ap.dz[k]


@kernel
def follow_wrenches(ap, first, c, j):
    """Chain rule: response of laws (ap.answer, to a unit) times the derivatives of sensed number j of contact c."""
    nv, nz = ap.scratch.shape[0], ap.rate_z.shape[0]
    answer, by_x, by_v, by_z = ap.answer, ap.wrench_by_x[c, j], ap.wrench_by_v[c, j], ap.wrench_by_z[c, j]
    for k in range(nv):
        for i in range(nv):
            ap.scratch[i, k] += answer[i] * by_x[k]
            ap.fast[i, k] += answer[i] * by_v[k]
        for i in range(first, nz):
            ap.rate_x[i, k] += answer[nv + i] * by_x[k]
            ap.rate_v[i, k] += answer[nv + i] * by_v[k]
    for k in range(nz):
        for i in range(nv):
            ap.by_state[i, k] += answer[i] * by_z[k]
        for i in range(first, nz):
            ap.rate_z[i, k] += answer[nv + i] * by_z[k]


@outlined_kernel
def wrench_partials(model, task, stages, t, q, v, z, p, ws, ap, first):
    """Adds the derivatives of laws through the contact forces that they sense to ap.scratch, ap.fast and those of
    states.

    A contact counts once, however many laws sense it; those by multipliers have the force of the last step.
    """
    nv = v.size
    sensed = task.sensed_quantities
    for i in range(len(sensed)):
        c, again = sensed[i].number, sensed[i].kind == SENSES_MARKER
        again = again or c >= len(model.contacts)
        for before in range(i):
            if sensed[before].kind != SENSES_MARKER and sensed[before].number == c:
                again = True
        if again:
            continue
        # response to each of the six numbers of the wrench, by differences
        for j in range(6):
            components = ws.contact_wrenches[c].components
            base = components[j]
            size = max(1.0, abs(base))
            for k in range(ap.answer.size):
                ap.answer[k] = 0.0
            for n in range(len(ap.stencil)):
                components[j] = base + size * ap.stencil[n].step
                law_force(model, task, stages, t, q, v, z, p, ws, ap)
                factor = ap.stencil[n].weight / size
                for k in range(nv):
                    ap.answer[k] += factor * ap.forces[1, k]
                for k in range(first, ap.rate_z.shape[0]):
                    ap.answer[nv + k] += factor * ap.dz[k]
            components[j] = base
            follow_wrenches(ap, first, c, j)


@optional_kernel("laws")
def law_partials(model, task, stages, t, q, v, z, latched, p, ws, ap, first, K, C):
    """Adds -dQ/dx to K, -dQ/dv to C, and derivatives of states to `ap`; `first` is the first state of a law."""
    points = len(ap.stencil)
    if given(stages.contact) and len(task.sensed_quantities) > 0:
        kinematics(model, ws, q, v)
        stages.contact(model, stages.touch, q, v, z, latched, ws, ap.dz)
        wrench_partials(model, task, stages, t, q, v, z, p, ws, ap, first)
    # by displacements, by velocities, by states of laws
    for k in range(v.size):
        for n in range(points):
            move_along(model, ws, ap, q, k, ap.stencil[n].step)
            law_force(model, task, stages, t, ap.q, v, z, p, ws, ap)
            note_law(ap, first, ap.stencil[n].weight, ap.scratch, ap.rate_x, k)
    for k in range(v.size):
        size = max(1.0, abs(v[k]))
        for n in range(points):
            for j in range(v.size):
                ap.v[j] = v[j]
            ap.v[k] = v[k] + size * ap.stencil[n].step
            law_force(model, task, stages, t, q, ap.v, z, p, ws, ap)
            note_law(ap, first, ap.stencil[n].weight / size, ap.fast, ap.rate_v, k)
    for k in range(first, ap.rate_z.shape[0]):
        base = z[k]
        size = max(1.0, abs(base))
        for n in range(points):
            z[k] = base + size * ap.stencil[n].step
            law_force(model, task, stages, t, q, v, z, p, ws, ap)
            note_law(ap, first, ap.stencil[n].weight / size, ap.by_state, ap.rate_z, k)
        z[k] = base
    for j in range(v.size):
        for k in range(v.size):
            K[j, k] -= ap.scratch[j, k]
            C[j, k] -= ap.fast[j, k]
