"""Outward pass: the columns of each entry of v, and the own part of every composite quantity.

With V, A the velocity and acceleration just inboard of an entry, S its motion, and x the cross product of motions, a
displacement of the entry turns all that is outboard by S; relative to that, velocities change by V x S, and
accelerations by A x S + V x (V x S) less the product of the body's own velocity with V x S (Singh, Russo & Wensing
2022; S^a and Pi^a of Pogorelov, whose sums over the path this point of view absorbs). The entries of a joint follow one
another; those of a ball joint and of a free joint are one, and their columns turn with the body.
"""

from __future__ import annotations

from ..algebra import Mat3, Motion, Sym3, Vec3, cross, motion_cross, shift
from ..compiler import kernel
from ..joints.plugin_joints import turns_with_body
from .body_derivatives import own_partials
from .internal_at_markers import carried_columns


@kernel
def column_partials(sl, row, S, V, A, V_after):
    """Writes the column of an entry with motion S, outboard of velocity V and acceleration A.

    V_after is the velocity of the body in whose axes the column is constant. Returns the rate of the column in the axes
    inboard of it, V x S.
    """
    column, rate = sl.entry_columns[row], motion_cross(V, S)
    column.S, column.rate, column.turn = S, rate.angular, S.angular
    column.second = motion_cross(A, S) + motion_cross(V, rate)
    column.mixed = rate + motion_cross(V_after, S)
    return rate


@kernel
def joint_columns(model, ws, sl, i, v, acceleration, V, A):
    """Columns of the joint of body i, from the motion of its carrier; returns that of the body, both at REF."""
    node, x = model.tree[i], sl.composites[i].reference - ws.bodies[i].p_WB
    first, last = node.v, node.v + node.nv
    # ball and free joints: all entries together, their columns are constant in the body
    if turns_with_body(node.joint):
        V_after, A_after = V, A
        for k in range(first, last):
            S = shift(ws.dofs[k].S, x)
            V_after += v[k] * S
            A_after += acceleration[k] * S
        for k in range(first, last):
            A_after += v[k] * column_partials(sl, k, shift(ws.dofs[k].S, x), V, A, V_after)
        return V_after, A_after
    # other joints: entry by entry, each column constant in what is inboard of it
    for k in range(first, last):
        S = shift(ws.dofs[k].S, x)
        rate = column_partials(sl, k, S, V, A, V)
        A += v[k] * rate + acceleration[k] * S
        V += v[k] * S
    return V, A


@kernel
def inertia_about(m, c, J, y):
    """First moment and inertia about a point at -y, of a mass m with c and J about its own point."""
    two = 2.0 * (c @ y) + m * (y @ y)
    # c y^T + y c^T + m y y^T, by its six entries
    e, f = c + 0.5 * m * y, y
    return c + m * y, Sym3(
        J.xx + two - 2.0 * e.x * f.x,
        J.yy + two - 2.0 * e.y * f.y,
        J.zz + two - 2.0 * e.z * f.z,
        J.xy - e.x * f.y - e.y * f.x,
        J.xz - e.x * f.z - e.z * f.x,
        J.yz - e.y * f.z - e.z * f.y,
    )


@kernel
def rigid_rates(m, c, J, V):
    """Derivatives of the force on a rigid body by its angular velocity: 3x3 of the moment, 3x3 of the force.

    The force is 2 d omega x (m u + omega x c); the moment omega~ (2 J - tr J) d omega + 2 c x (d omega x u), with the
    acceleration changed as in `column_partials`: 2 B of Singh, Russo & Wensing 2022, which takes no linear part.
    """
    w, u = V.angular, V.linear
    p = 2.0 * (m * u + cross(w, c))
    t = J.xx + J.yy + J.zz
    x = cross(w, Vec3(2.0 * J.xx - t, 2.0 * J.xy, 2.0 * J.xz))
    y = cross(w, Vec3(2.0 * J.xy, 2.0 * J.yy - t, 2.0 * J.yz))
    z = cross(w, Vec3(2.0 * J.xz, 2.0 * J.yz, 2.0 * J.zz - t))
    cu, g = 2.0 * (c @ u), -2.0 * u
    return Mat3(
        x.x + g.x * c.x + cu,
        y.x + g.x * c.y,
        z.x + g.x * c.z,
        x.y + g.y * c.x,
        y.y + g.y * c.y + cu,
        z.y + g.y * c.z,
        x.z + g.z * c.x,
        y.z + g.z * c.y,
        z.z + g.z * c.z + cu,
    ), Mat3(0.0, p.z, -p.y, -p.z, 0.0, p.x, p.y, -p.x, 0.0)


@kernel
def columns_outward(model, ws, sl, q, v, acceleration, K, C, M):
    """Columns of all entries and the own part of every composite, after `newton_euler_efforts`."""
    tree, world = model.tree, ws.bodies[0]
    loaded = len(model.constant_loads) > 0
    for i in range(1, len(tree)):
        p, body, sums = tree[i].parent, ws.bodies[i], sl.composites[i]
        # motion of the parent as a spatial motion at the reference point; the first body of a tree sets that
        if p == 0:
            ref = body.p_WB
            x, V = ref - world.p_WB, Motion(world.omega, world.velocity)
            A = shift(world.acceleration, x)
            A = Motion(A.angular, A.linear - cross(V.angular, V.linear))
            V = shift(V, x)
        else:
            ref, V, A = sl.composites[p].reference, sl.composites[p].velocity, sl.composites[p].acceleration
        sums.reference = ref
        if tree[p].ne > 0:
            V, A = carried_columns(model, ws, sl, i, q, v, acceleration, K)
        V, A = joint_columns(model, ws, sl, i, v, acceleration, V, A)
        sums.velocity, sums.acceleration = V, A
        # mass, first moment and inertia of the body about the reference point, and its rate matrices
        m = model.bodies[i].mass
        c, J = inertia_about(m, body.first_moment, body.inertia, body.p_WB - ref)
        sums.mass, sums.first_moment, sums.inertia = m, c, J
        if loaded:
            none = sums.moment_turn.zero
            sums.moment_turn, sums.force_turn = none, none
        if tree[i].ne > 0:
            own_partials(model, ws, sl, i, q, v, acceleration, K, C, M)
        else:
            sums.moment_rate, sums.force_rate = rigid_rates(m, c, J, V)
