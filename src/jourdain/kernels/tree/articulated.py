"""Forward dynamics by the articulated-body algorithm (ABA), O(N): Featherstone 2008, chapter 7; hybrid dynamics,
chapter 9.

A joint of several entries is eliminated entry by entry, the outermost first, which is the square-root-free Cholesky
factorisation of S^T I S, from its end, without forming it. An entry whose acceleration is known is not eliminated: it
adds its force, and the effort that it takes comes out on the way back.

World axes, about each body's own origin, and no coordinate transforms: `shift` moves a motion to another point,
`shift_back` a wrench (X^T f) or an inertia (X^T I X). Accelerations are classical, those of the origin, so that the
`bias` of a body has omega x (omega x r) besides the joint's part, which Featherstone's spatial c has not; gravity is
the upward acceleration of body 0 (`kinematics`).
"""

from __future__ import annotations

from ..algebra import (
    Motion,
    Wrench,
    about_centre,
    cross,
    dyad_subtracted,
    rigid_inertia_added,
    shift,
    shift_back,
    solve,
)
from ..compiler import kernel, scalar_kernel, separate_kernel
from ..flat_arrays import put_value, vector_at
from ..kind_registry import FREE, REVOLUTE
from .flexible import (
    carried_acceleration,
    eliminate_internal,
    internal_accelerations,
    load_flexible_parent,
    push_flexible_parent,
)


@kernel
def is_lone(tree, known, i):
    """Whether body i floats by itself: free in the world, rigid, carrying nothing, no acceleration of it known."""
    node = tree[i]
    if node.joint != FREE or node.parent != 0 or node.branches or node.ne > 0:
        return False
    if i + 1 < len(tree) and tree[i + 1].parent == i:
        return False
    k = node.v
    return known[k] + known[k + 1] + known[k + 2] + known[k + 3] + known[k + 4] + known[k + 5] == 0


@kernel
def lone_acceleration(model, ws, i, effort, acceleration):
    """Accelerations of a body that floats by itself, without elimination: Newton and Euler about its origin.

    With c the first moment of mass, J alpha + c x a = n and m a - c x alpha = f, so that
    (J - (|c|^2 - c c^T) / m) alpha = n - c x f / m.
    """
    body, k = ws.bodies[i], model.tree[i].v
    R_WB, c, J = body.R_WB, body.first_moment, body.inertia
    # applied wrench in world axes, less the bias force
    n = R_WB @ vector_at(effort, k) - body.bias_force.moment
    f = R_WB @ vector_at(effort, k + 3) - body.bias_force.force
    w = 1.0 / model.bodies[i].mass
    alpha = solve(about_centre(J, c, w), n - w * cross(c, f))
    a = w * (f + cross(c, alpha))
    body.acceleration = Motion(alpha, a)
    # coordinates: what the body does beyond its carrier, the world, in its own axes
    world = ws.bodies[0].acceleration
    put_value(acceleration, k, R_WB.T @ (alpha - world.angular - body.bias.angular))
    put_value(acceleration, k + 3, R_WB.T @ (a - shift(world, body.p_PB).linear - body.bias.linear))


@kernel
def is_plain(tree, known, i):
    """Whether body i is of the kind that most are: rigid on a rigid carrier, held by a revolute joint whose
    acceleration is not known, and carrying none but the next body."""
    node = tree[i]
    if node.joint != REVOLUTE or node.ne > 0 or node.branches or tree[node.parent].ne > 0:
        return False
    return known[node.v] == 0


@kernel
def with_own(model, ws, i, I, p):
    """Inertia and bias force of what hangs on body i, and its own, about its origin."""
    body = ws.bodies[i]
    return rigid_inertia_added(I, body.inertia, body.first_moment, model.bodies[i].mass), p + body.bias_force


@kernel
def handed_on(ws, i, I, p):
    """What body i hands to its carrier, about the origin of that: with the force of its velocity products."""
    r = ws.bodies[i].p_PB
    return shift_back(I, r), shift_back(p + I @ ws.bodies[i].bias, r)


@separate_kernel
def eliminate_joint(model, ws, i, I, p, effort, acceleration):
    """What body i hands to its carrier when its internal coordinates and the entries of its joint are eliminated.

    I and p are what the next body handed to it, about its origin. Leaves rows of ws.dofs for the way back.
    """
    node, body, known = model.tree[i], ws.bodies[i], ws.known
    # articulated inertia I^A and bias force p^A of the body with all that hangs on it
    I, p = with_own(model, ws, i, I, p)
    if node.branches:
        I += body.articulated
    if node.ne > 0:
        I, p = eliminate_internal(model, ws, i, I, p, effort, acceleration)
    # entries of the joint, the last first: a free one takes its share of inertia and force away
    for k in range(node.v + node.nv - 1, node.v - 1, -1):
        dof = ws.dofs[k]
        S = dof.S
        U = I @ S
        # of a known entry D = S^T U and u = S^T p stay; of a free one D is its inverse and u = tau - S^T p
        D, u = S @ U + model.bodies[i].armature, S @ p
        dof.U = U
        if known[k] == 0:
            D, u = 1.0 / D, effort[k] - u
            I, p = dyad_subtracted(I, U, D), p + (D * u) * U
        else:
            p += acceleration[k] * U
        dof.D, dof.u = D, u
    # what is left, about the origin of the carrier
    if node.parent == 0:
        return I, p
    if model.tree[node.parent].ne > 0:
        load_flexible_parent(model, ws, i, I)
        push_flexible_parent(model, ws, i, p + I @ body.bias)
    return handed_on(ws, i, I, p)


@kernel
def eliminate_revolute(model, ws, i, I, p, effort):
    """`eliminate_joint` of a plain body; the inertia along the axis s is s s^T : J, which need not wait for J s."""
    I, p = with_own(model, ws, i, I, p)
    k = model.tree[i].v
    dof = ws.dofs[k]
    s, J = dof.S.angular, I.J
    U = Wrench(J @ s, I.H.T @ s)
    D = 1.0 / (
        (model.bodies[i].armature + s.x * s.x * J.xx + s.y * s.y * J.yy + s.z * s.z * J.zz)
        + 2.0 * (s.x * s.y * J.xy + s.x * s.z * J.xz + s.y * s.z * J.yz)
    )
    u = effort[k] - s @ p.moment
    dof.U, dof.D, dof.u = U, D, u
    return handed_on(ws, i, dyad_subtracted(I, U, D), p + (D * u) * U)


@scalar_kernel
def articulated_accelerations(model, ws, effort, acceleration):
    """Accelerations of all entries of v, after `kinematics`; entries with ws.known keep the one they have,
    and the effort that this takes is written into `effort`.

    Forces are summed in the bodies' `bias_force`, inertias in `articulated`: `kinematics` comes before each call.
    """
    accelerate_bodies(model, ws, effort, acceleration, 1, len(model.tree))


@kernel
def accelerate_bodies(model, ws, effort, acceleration, begin, end):
    """`articulated_accelerations` of the bodies from `begin` to before `end`, whose carriers are among them or the
    world."""
    tree, known = model.tree, ws.known
    # what the next body handed to this one, kept in registers: in a chain nothing goes through memory
    no_inertia, no_force = ws.bodies[0].articulated.zero, ws.bodies[0].bias_force.zero
    I, p = no_inertia, no_force
    left = False  # whether there are bodies for the way outward
    for i in range(end - 1, begin - 1, -1):
        if is_plain(tree, known, i):
            I, p = eliminate_revolute(model, ws, i, I, p, effort)
        elif is_lone(tree, known, i):
            lone_acceleration(model, ws, i, effort, acceleration)
            continue
        else:
            I, p = eliminate_joint(model, ws, i, I, p, effort, acceleration)
        left = True
        # at the end of a chain what is left goes to the parent through memory
        parent = tree[i].parent
        if parent != i - 1 or parent == 0:
            if parent > 0:
                ws.bodies[parent].articulated += I
                ws.bodies[parent].bias_force += p
            I, p = no_inertia, no_force

    if not left:
        return
    # outward: accelerations of coordinates from those of the parent
    a, last = ws.bodies[0].acceleration, 0
    for i in range(begin, end):
        if is_lone(tree, known, i):
            continue
        node, body = tree[i], ws.bodies[i]
        if node.parent != last:
            a = ws.bodies[node.parent].acceleration
        last = i
        r, c, first = body.p_PB, body.bias, node.v
        if is_plain(tree, known, i):
            # x = D (u - U . (X a + c)), put so that only the last sum waits for the carrier's acceleration a
            dof = ws.dofs[first]
            U, D = dof.U, dof.D
            x = D * (dof.u - c @ U) - a @ Wrench(D * (U.moment + cross(r, U.force)), D * U.force)
            acceleration[first] = x
            linear = a.linear + (cross(a.angular, r) + c.linear)
            a = Motion((a.angular + c.angular) + x * dof.S.angular, linear)
            body.acceleration = a
            continue
        # any other body: what its carrier, internal coordinates and all, does to its frame
        a = shift(a, r)
        if tree[node.parent].ne > 0:
            a += carried_acceleration(model, ws, i, acceleration)
        a += c
        # entry by entry outward; of a known one the effort follows instead
        for k in range(first, first + node.nv):
            dof = ws.dofs[k]
            inertial = dof.U @ a
            if known[k] == 0:
                acceleration[k] = dof.D * (dof.u - inertial)
            else:
                effort[k] = inertial + dof.D * acceleration[k] + dof.u
            a += acceleration[k] * dof.S
        body.acceleration = a
        if node.ne > 0:
            internal_accelerations(model, ws, i, a, effort, acceleration)
