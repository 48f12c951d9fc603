"""Inverse dynamics by the recursive Newton-Euler algorithm (RNEA), O(N): Luh, Walker & Paul 1980; Featherstone 2008,
chapter 5. World axes, about each body's own origin, classical accelerations: as in `articulated`."""

from __future__ import annotations

from ..algebra import rigid_body_force, shift, shift_back
from ..bodies.body_dispatch import internal_forces_at
from ..compiler import scalar_kernel
from .flexible import carried_acceleration, internal_efforts, push_flexible_parent


@scalar_kernel
def newton_euler_efforts(model, ws, acceleration, effort):
    """Efforts that give the accelerations, against the applied wrenches, after `kinematics`.

    A body's `bias_force` becomes f_i, what its joint transmits: `kinematics` comes before each call.
    """
    # outward: accelerations, and the wrench that each body takes
    for i in range(1, len(model.tree)):
        node, body = model.tree[i], ws.bodies[i]
        a = shift(ws.bodies[node.parent].acceleration, body.p_PB)
        if model.tree[node.parent].ne > 0:
            a += carried_acceleration(model, ws, i, acceleration)
        a += body.bias
        for k in range(node.v, node.v + node.nv):
            a += acceleration[k] * ws.dofs[k].S
        body.acceleration = a
        # Newton and Euler about the body's origin
        f = rigid_body_force(body.inertia, body.first_moment, model.bodies[i].mass, a)
        if node.ne > 0:
            f += internal_efforts(model, ws, i, a, acceleration)
        body.bias_force += f
    # inward: what a joint bears is that of all bodies behind it
    for i in range(len(model.tree) - 1, 0, -1):
        node, f = model.tree[i], ws.bodies[i].bias_force
        for k in range(node.v, node.v + node.nv):
            effort[k] = ws.dofs[k].S @ f + model.bodies[i].armature * acceleration[k]
        if node.ne > 0:
            be = internal_forces_at(model, i)
            for k in range(node.ne):
                effort[node.ev + k] = ws.flex[be + k]
        if node.parent > 0:
            if model.tree[node.parent].ne > 0:
                push_flexible_parent(model, ws, i, f)
            ws.bodies[node.parent].bias_force += shift_back(f, ws.bodies[i].p_PB)
