"""Outward recursion: pose, velocity and velocity-product acceleration of every body, and its inertia, in world axes."""

from __future__ import annotations

from ..algebra import Motion, cross
from ..bodies.body_dispatch import flexible_inertia, move_rigid_inertia
from ..compiler import kernel, optional_kernel, separate_kernel
from ..flat_arrays import vector_at
from ..kind_registry import FREE, PRISMATIC, REVOLUTE
from ..scalar import circle
from .articulated import is_lone
from .flexible import carried_kinematics
from .joints import free_columns, joint_motion, joint_pose
from .orbit import attract_bodies, attract_internal, place_frame


@optional_kernel("flexible")
def circles_between(model, ws, q):
    """Sines and cosines of the coordinates of joints; internal ones are no angles."""
    begin = 0
    for f in range(model.flexible.size + 1):
        last = f == model.flexible.size
        i = 0 if last else model.flexible[f]
        circle(q, ws.circle, begin, q.size if last else model.tree[i].e)
        begin = model.tree[i].e + model.tree[i].ne


@kernel
def float_all(model, v):
    """Whether all joints are free ones."""
    count = len(model.rotations)
    if v.size != 6 * count:
        return False
    for g in range(count):
        if not model.rotations[g].free:
            return False
    return True


@separate_kernel
def kinematics(model, ws, q, v):
    """Fills ws.bodies with poses, velocities and inertias, and ws.dofs with the motion columns S.

    With omega, v of the parent, r the arm from its origin to the body's, and w, u the joint's relative velocity:
    omega' = omega + w,  v' = v + omega x r + u, and the accelerations that remain without accelerations of
    coordinates are omega x w and omega x (omega x r) + 2 omega x u, plus what `joint_motion` adds. In an orbit the
    world itself turns (`orbit`), and gravity acts on each body at its place.
    """
    if float_all(model, v):
        pass  # no coordinate is an angle
    elif model.flexible.size == 0:
        circle(q, ws.circle, 0, q.size)
    else:
        circles_between(model, ws, q)
    move_world(model, ws)
    move_bodies(model, ws, q, v, 1, len(model.tree))


@kernel
def move_world(model, ws):
    """The row of the world, which gravity accelerates and an orbit turns."""
    ws.flex[0] = 0.0  # typed zeros are made of it: a trial step that failed must not leave its not-a-number there
    ws.bodies[0].acceleration = Motion(ws.bodies[0].acceleration.angular, -model.orbit.gravity)
    if model.gravity.size > 3:
        place_frame(model, ws)


@kernel
def body_inertia(model, ws, i, q, v):
    """Inertia and bias force of body i, in world axes."""
    if model.tree[i].ne > 0:
        flexible_inertia(model, ws, i, q, v)
    else:
        move_rigid_inertia(model, ws, i)


@kernel
def move_bodies(model, ws, q, v, first, last):
    """`kinematics` of the bodies from `first` to before `last`, whose carriers are among them or the world."""
    for i in range(first, last):
        node, body = model.tree[i], ws.bodies[i]
        if node.branches:
            body.articulated = body.articulated.zero
        # on a body that deforms, where the carrying marker moves too
        if model.tree[node.parent].ne > 0:
            carried_kinematics(model, ws, i, q, v)
            body_inertia(model, ws, i, q, v)
            continue
        parent, own, k = ws.bodies[node.parent], model.bodies[i], node.v
        R_WP, omega_P = parent.R_WB, parent.omega

        # pose, and the arm from the origin of the parent
        R_WM = R_WP @ own.R_PM
        R_WB, d = joint_pose(model, i, R_WM, q, ws.circle, node.q)
        r = R_WP @ own.p_PM + d
        coriolis = cross(omega_P, r)
        carried = parent.velocity + coriolis

        # velocity and bias acceleration; the common joints in few operations
        z, o = R_WB.z_axis, r.zero
        if node.joint == REVOLUTE:
            ws.dofs[k].S = Motion(z, o)
            w = v[k] * z
            omega, velocity = omega_P + w, carried
            bias = Motion(cross(omega_P, w), cross(omega_P, coriolis))
        elif node.joint == PRISMATIC:
            ws.dofs[k].S = Motion(o, z)
            u = v[k] * z
            omega, velocity = omega_P, carried + u
            bias = Motion(o, cross(omega_P, coriolis + 2.0 * u))
        elif node.nv == 0:
            omega, velocity = omega_P, carried
            bias = Motion(o, cross(omega_P, coriolis))
        elif node.joint == FREE:
            # the columns turn with the body; nobody reads those of one that floats by itself
            if not (ws.flags.bare and is_lone(model.tree, ws.known, i)):
                free_columns(ws.dofs, k, R_WB)
            w, u = R_WB @ vector_at(v, k), R_WB @ vector_at(v, k + 3)
            omega, velocity = omega_P + w, carried + u
            bias = Motion(cross(omega_P, w), cross(omega_P, coriolis + 2.0 * u) + cross(w, u))
        else:
            # the joint says what moves, and what the motion of its columns adds
            V_MB, more = joint_motion(model, i, R_WM, R_WB, q, v, k, ws.dofs)
            w, u = V_MB.angular, V_MB.linear
            omega, velocity = omega_P + w, carried + u
            bias = Motion(cross(omega_P, w), cross(omega_P, coriolis + 2.0 * u)) + more

        # what the other recursions read of the body, and its inertia in world axes
        body.R_WB, body.p_WB, body.p_PB = R_WB, parent.p_WB + r, r
        body.omega, body.velocity, body.bias = omega, velocity, bias
        body_inertia(model, ws, i, q, v)
    if model.gravity.size > 3:
        attract_bodies(model, ws, first, last)
        attract_internal(model, ws, q, v, first, last)
