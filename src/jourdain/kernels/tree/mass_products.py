"""Products with the mass matrix without forming it, and composite inertias: inverse dynamics of bodies at rest."""

from __future__ import annotations

from ..algebra import Motion, Wrench, rigid_body_force, shift, shift_back
from ..bodies.ancf_cable_forces import cable_mass_times
from ..bodies.body_dispatch import has_banded_mass, has_sparse_mass, own_inertia, support, supported
from ..bodies.nodal_body import nodal_mass_times
from ..compiler import optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, get, motion_at, wrench_at
from ..rows import Row, table_of
from .flexible import carried_acceleration
from .nodal_elimination import on_ground


class InertialMotion(Row):
    """Of a body in a product with the mass matrix: its acceleration, and the force that it takes."""

    acceleration: Motion
    force: Wrench


inertial_motions = table_of(InertialMotion)


@optional_kernel("flexible", returns=Wrench)
def internal_share(model, ws, i, x, out, a):
    """Efforts of the internal coordinates of body i, added to out; what their motion takes from the frame."""
    node, f = model.tree[i], ws.bodies[i].bias_force.zero
    n, ev, o = node.ne, node.ev, node.flex
    sparse = has_sparse_mass(model, i)
    if sparse and has_banded_mass(model, i):
        cable_mass_times(model, i, x, ev, out, ev)
        if on_ground(model, i):
            return f
    elif sparse:
        nodal_mass_times(model, ws, i, x, ev, out, ev)
    for k in range(n):
        U = wrench_at(ws.flex, o + 6 * k)
        y = U @ a
        if not sparse:
            for l in range(n):
                y += get(ws.flex, o + 6 * n + n * k + l) * get(x, ev + l)
        accumulate(out, ev + k, y)
        f += get(x, ev + k) * U
    return f


@optional_kernel("flexible")
def push_share(model, ws, i, f, out):
    """Adds what the force that body i hands on does on the internal coordinates of its carrier."""
    node = model.tree[i]
    count, where = support(model, node.parent, node.station)
    for j in range(count):
        push = motion_at(ws.flex, node.phi + 6 * j) @ f
        accumulate(out, model.tree[node.parent].ev + supported(model, where, j), push)


@outlined_kernel
def mass_times(model, ws, x, out, motion):
    """out = the mass matrix times x, right after `kinematics`; motion (nb, 12) is scratch."""
    tree, moving = model.tree, inertial_motions(motion)
    for k in range(out.size):
        out[k] = 0.0
    moving[0].acceleration = moving[0].acceleration.zero
    # outward: accelerations, and the force that each body takes
    for i in range(1, len(tree)):
        node, body = tree[i], ws.bodies[i]
        a = shift(moving[node.parent].acceleration, body.p_PB)
        if tree[node.parent].ne > 0:
            a += carried_acceleration(model, ws, i, x)
        for k in range(node.v, node.v + node.nv):
            a += x[k] * ws.dofs[k].S
        moving[i].acceleration = a
        f = rigid_body_force(body.inertia, body.first_moment, model.bodies[i].mass, a)
        if node.ne > 0:
            f += internal_share(model, ws, i, x, out, a)
        moving[i].force = f
    # inward: what the joints bear
    for i in range(len(tree) - 1, 0, -1):
        node, f = tree[i], moving[i].force
        for k in range(node.v, node.v + node.nv):
            out[k] += ws.dofs[k].S @ f + model.bodies[i].armature * x[k]
        if node.parent > 0:
            if tree[node.parent].ne > 0:
                push_share(model, ws, i, f, out)
            moving[node.parent].force += shift_back(f, ws.bodies[i].p_PB)


@outlined_kernel
def composite_inertias(model, ws):
    """Inertia of every body with all that it carries, as one rigid body, into ws.bodies; after `kinematics`."""
    for i in range(1, len(model.tree)):
        ws.bodies[i].articulated = own_inertia(model, ws, i)
    for i in range(len(model.tree) - 1, 0, -1):
        p = model.tree[i].parent
        if p > 0:
            ws.bodies[p].articulated += shift_back(ws.bodies[i].articulated, ws.bodies[i].p_PB)
