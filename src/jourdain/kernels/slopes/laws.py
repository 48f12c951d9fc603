"""Derivatives of forces by laws and of controllers, by central differences over all columns.

A law is any code: which entries it reads is not known, so that every column takes two calls. What it does is found as
the efforts that the tree needs without it less those that it needs with it.
"""

from __future__ import annotations

from ..compiler import called, kernel, part
from ..drives import limit_motors
from ..joints import displace
from ..kinematics import kinematics
from ..newton_euler import newton_euler_efforts
from ..paths import displace_paths_straight
from ..rates import sense
from ..records import given
from ..spatial import quaternion_matrix, rotate

LAW_STEP = 1e-5
"""Step of the differences over the size of a variable, at least one [-]."""


@called
def move_along(model, ws, ap, q, k, by):
    """q displaced by entry k alone into ap.q."""
    step = ap.v
    for j in range(step.size):
        step[j] = 0.0
    step[k] = by
    for g in range(model.groups.shape[0]):
        j, first = model.groups[g, 0], model.groups[g, 1]
        if model.groups[g, 2] == 1 and first + 3 <= k < first + 6:
            R = quaternion_matrix(q[j + 3], q[j + 4], q[j + 5], q[j + 6])
            step[first + 3], step[first + 4], step[first + 5] = rotate(
                R, (step[first + 3], step[first + 4], step[first + 5])
            )
    for j in range(q.size):
        ap.q[j] = q[j]
    displace(model, q, step, ap.q)
    if model.paths.shape[0] > 0:
        kinematics(model, ws, q, step)
        displace_paths_straight(model, ws, q, step, ap.q)


@called
def law_force(model, task, stages, t, q, v, z, latched, p, ws, ap):
    """Generalised force of all laws into ap.forces[1], the rates of their states into ap.dz."""
    rest, without, out = ap.forces[0], ap.forces[1], ap.forces[2]
    for k in range(v.size):
        rest[k] = 0.0
        ws.supplied[k] = 0.0
    kinematics(model, ws, q, v)
    newton_euler_efforts(model, ws, rest, without)
    kinematics(model, ws, q, v)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, ap.dz)
    kinematics(model, ws, q, v)
    for i in range(task.sensors.shape[0]):
        sense(model, ws, task, i, q, v)
    stages.law(model, task, t, q, v, z, p, ws, ws.supplied, ap.dz)
    limit_motors(model, ws.known, ws.supplied)
    newton_euler_efforts(model, ws, rest, out)
    for k in range(v.size):
        without[k] += ws.supplied[k] - out[k]


@kernel
def note_law(ap, first, factor, force, rates, column):
    """Adds factor times what laws do to a column of `force` and, from their first state on, of `rates`."""
    for k in range(force.shape[0]):
        force[k, column] += factor * ap.forces[1, k]
    for k in range(first, rates.shape[0]):
        rates[k, column] += factor * ap.dz[k]


@part("laws")
def law_slopes(model, task, stages, t, q, v, z, latched, p, ws, ap, first, K, C):
    """Adds -dQ/dx to K, -dQ/dv to C, and to the arrays of `ap` what states do; `first` is the first state of a law."""
    for k in range(v.size):
        for way in (-1.0, 1.0):
            move_along(model, ws, ap, q, k, way * LAW_STEP)
            law_force(model, task, stages, t, ap.q, v, z, latched, p, ws, ap)
            note_law(ap, first, way / (2.0 * LAW_STEP), ap.scratch, ap.rate_x, k)
    for k in range(v.size):
        h = LAW_STEP * max(1.0, abs(v[k]))
        for way in (-1.0, 1.0):
            for j in range(v.size):
                ap.v[j] = v[j]
            ap.v[k] = v[k] + way * h
            law_force(model, task, stages, t, q, ap.v, z, latched, p, ws, ap)
            note_law(ap, first, way / (2.0 * h), ap.fast, ap.rate_v, k)
    for k in range(ap.rate_z.shape[0]):
        h = LAW_STEP * max(1.0, abs(z[k])) if k >= first else LAW_STEP * max(1e-3, abs(z[k]))
        base = z[k]
        for way in (-1.0, 1.0):
            z[k] = base + way * h
            law_force(model, task, stages, t, q, v, z, latched, p, ws, ap)
            note_law(ap, first, way / (2.0 * h), ap.by_state, ap.rate_z, k)
        z[k] = base
    for j in range(v.size):
        for k in range(v.size):
            K[j, k] -= ap.scratch[j, k]
            C[j, k] -= ap.fast[j, k]
