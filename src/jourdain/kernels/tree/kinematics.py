"""Outward recursion: pose, velocity and velocity-product acceleration of every body, and its inertia, in world axes."""

from __future__ import annotations

from ..bodies.body_dispatch import flexible_inertia, rigid_inertia
from ..columns import (
    ACC,
    ARM,
    ART_J,
    BIAS_A,
    CARRIER_P,
    CARRIER_R,
    DOFS,
    FORCE,
    JOINT,
    LEDGER_BARE,
    OMEGA,
    PARENT,
    POS,
    ROT,
    SIDE,
    VEL,
    E,
    N,
    Q,
    V,
)
from ..compiler import kernel, optional_kernel, separate_kernel
from ..kind_registry import PRISMATIC, REVOLUTE
from ..scalar import circle
from ..spatial import add, cross, mat, matmul, put3, put9, rotate, scale, vec
from .articulated import is_lone
from .flexible import carried_kinematics
from .joints import column, joint_motion, joint_pose
from .orbit import attract_bodies, attract_internal, place_frame


@optional_kernel("flexible")
def circles_between(model, ws, q):
    """Sines and cosines of the coordinates of joints; internal ones are no angles."""
    begin = 0
    for f in range(model.flexible.size + 1):
        last = f == model.flexible.size
        i = 0 if last else model.flexible[f]
        circle(q, ws.circle, begin, q.size if last else model.table[i, E])
        begin = model.table[i, E] + model.table[i, N]


@kernel
def float_all(model, v):
    """Whether all joints are free ones."""
    count = model.groups.shape[0]
    if v.size != 6 * count:
        return False
    for g in range(count):
        if model.groups[g, 2] == 0:
            return False
    return True


@separate_kernel
def kinematics(model, ws, q, v):
    """Fills ws.work with poses, velocities and inertias, and ws.dof with the motion columns S.

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
    move_bodies(model, ws, q, v, 1, model.table.shape[0])


@kernel
def move_world(model, ws):
    """The row of the world, which gravity accelerates and an orbit turns."""
    ws.flex[0] = 0.0  # typed zeros are made of it: a trial step that failed must not leave its not-a-number there
    put3(ws.work, 0, ACC + 3, (-model.gravity[0], -model.gravity[1], -model.gravity[2]))
    if model.gravity.size > 3:
        place_frame(model, ws)


@kernel
def move_bodies(model, ws, q, v, first, last):
    """`kinematics` of the bodies from `first` to before `last`, whose carriers are among them or the world."""
    table, data, work, dof = model.table, model.data, ws.work, ws.dof
    for i in range(first, last):
        p = table[i, PARENT]
        if table[i, SIDE] == 1:
            for c in range(ART_J, FORCE):
                work[i, c] = 0.0
        # on a body that deforms, where the carrying marker moves too
        if table[p, N] > 0:
            carried_kinematics(model, ws, i, q, v)
            if table[i, N] > 0:
                flexible_inertia(model, ws, i, q, v)
            else:
                rigid_inertia(model, ws, i, mat(work, i, ROT), vec(work, i, OMEGA))
            continue
        kind = table[i, JOINT]
        k = table[i, V]
        R_WP = mat(work, p, ROT)
        omega_p = vec(work, p, OMEGA)

        # pose, and the arm from the origin of the parent
        R_WM = matmul(R_WP, mat(data, i, CARRIER_R))
        r = rotate(R_WP, vec(data, i, CARRIER_P))
        R_WB, d = joint_pose(model, i, R_WM, q, ws.circle, table[i, Q])
        r = add(r, d)
        coriolis = cross(omega_p, r)

        # velocity and bias acceleration; the common joints in few operations
        if kind == REVOLUTE:
            z = (R_WB[2], R_WB[5], R_WB[8])
            column(dof, k, z, scale(0.0, z))
            w = scale(v[k], z)
            omega = add(omega_p, w)
            velocity = add(vec(work, p, VEL), coriolis)
            bias = cross(omega_p, w)
            bias_l = cross(omega_p, coriolis)
        elif kind == PRISMATIC:
            z = (R_WB[2], R_WB[5], R_WB[8])
            column(dof, k, scale(0.0, z), z)
            u = scale(v[k], z)
            omega = omega_p
            velocity = add(add(vec(work, p, VEL), coriolis), u)
            bias = scale(0.0, z)
            bias_l = cross(omega_p, add(coriolis, scale(2.0, u)))
        elif table[i, DOFS] == 0:
            omega = omega_p
            velocity = add(vec(work, p, VEL), coriolis)
            bias = scale(0.0, r)
            bias_l = cross(omega_p, coriolis)
        elif ws.ledger[LEDGER_BARE].real == 1.0 and is_lone(table, ws.known, i):
            # a free joint whose columns nobody reads (`known_motion` of `joints`); omega_p is that of the world
            w, u = rotate(R_WB, (v[k], v[k + 1], v[k + 2])), rotate(R_WB, (v[k + 3], v[k + 4], v[k + 5]))
            omega = add(omega_p, w)
            velocity = add(add(vec(work, p, VEL), coriolis), u)
            bias = cross(omega_p, w)
            bias_l = add(cross(omega_p, add(coriolis, scale(2.0, u))), cross(w, u))
        else:
            # the joint says what moves, and what the motion of its columns adds
            w, u, more, more_l = joint_motion(model, i, R_WM, R_WB, q, v, k, dof)
            omega = add(omega_p, w)
            velocity = add(add(vec(work, p, VEL), coriolis), u)
            bias = add(cross(omega_p, w), more)
            bias_l = add(cross(omega_p, add(coriolis, scale(2.0, u))), more_l)

        # what the other recursions read of the body, and its inertia in world axes
        put9(work, i, ROT, R_WB)
        put3(work, i, POS, add(vec(work, p, POS), r))
        put3(work, i, OMEGA, omega)
        put3(work, i, VEL, velocity)
        put3(work, i, ARM, r)
        put3(work, i, BIAS_A, bias)
        put3(work, i, BIAS_A + 3, bias_l)
        if table[i, N] > 0:
            flexible_inertia(model, ws, i, q, v)
        else:
            rigid_inertia(model, ws, i, R_WB, omega)
    if model.gravity.size > 3:
        attract_bodies(model, ws, first, last)
        attract_internal(model, ws, q, v, first, last)
