"""Forward dynamics by the articulated-body algorithm (ABA), O(N): Featherstone 2008, chapter 7; hybrid dynamics,
chapter 9.

A joint of several entries is eliminated entry by entry, the outermost first, which is the Cholesky factorisation of
S^T I S without forming it. An entry whose acceleration is known is not eliminated: it adds its force, and the
effort that it takes comes out on the way back.
"""

from __future__ import annotations

from ..columns import (
    ACC,
    ARM,
    ARMATURE,
    ART_H,
    ART_J,
    ART_M,
    BIAS_A,
    DOFS,
    FORCE,
    JOINT,
    JW,
    MASS,
    MC,
    PARENT,
    ROT,
    SIDE,
    D,
    N,
    R,
    S,
    U,
    V,
)
from ..compiler import kernel, scalar_kernel, separate_kernel
from ..kind_registry import FREE, REVOLUTE
from ..spatial import (
    accumulate3,
    accumulate6,
    accumulate9,
    add,
    add6,
    add9,
    cross,
    dot,
    inertia_times,
    mat,
    put3,
    rotate,
    rotate_back,
    scale,
    shift_inertia,
    sub,
    sym,
    sym_times,
    vec,
)
from .flexible import (
    carried_acceleration,
    eliminate_internal,
    internal_accelerations,
    load_flexible_parent,
    push_flexible_parent,
    reduced,
)


@kernel
def is_lone(table, known, i):
    """Whether body i floats by itself: free in the world, rigid, carrying nothing, no acceleration of it known."""
    if table[i, JOINT] != FREE or table[i, PARENT] != 0 or table[i, SIDE] == 1 or table[i, N] > 0:
        return False
    if i + 1 < table.shape[0] and table[i + 1, PARENT] == i:
        return False
    k = table[i, V]
    return known[k] + known[k + 1] + known[k + 2] + known[k + 3] + known[k + 4] + known[k + 5] == 0


@kernel
def lone_acceleration(model, ws, i, effort, acceleration):
    """Accelerations of a body that floats by itself, without elimination: Newton and Euler about its origin.

    With c the first moment of mass, J alpha + c x a = n and m a - c x alpha = f, so that
    (J - (|c|^2 - c c^T) / m) alpha = n - c x f / m.
    """
    work = ws.work
    k = model.table[i, V]
    R_WB, c = mat(work, i, ROT), vec(work, i, MC)
    moment = sub(rotate(R_WB, (effort[k], effort[k + 1], effort[k + 2])), vec(work, i, FORCE))
    force = sub(rotate(R_WB, (effort[k + 3], effort[k + 4], effort[k + 5])), vec(work, i, FORCE + 3))
    w = 1.0 / model.data[i, MASS]
    xx, yy, zz, xy, xz, yz = sym(work, i, JW)
    xx -= w * (c[1] * c[1] + c[2] * c[2])
    yy -= w * (c[0] * c[0] + c[2] * c[2])
    zz -= w * (c[0] * c[0] + c[1] * c[1])
    xy += w * c[0] * c[1]
    xz += w * c[0] * c[2]
    yz += w * c[1] * c[2]
    n = sub(moment, scale(w, cross(c, force)))
    A, B, C = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    inverse = 1.0 / (xx * A + xy * B + xz * C)
    E, F, G = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    alpha = scale(
        inverse,
        (
            A * n[0] + B * n[1] + C * n[2],
            B * n[0] + E * n[1] + F * n[2],
            C * n[0] + F * n[1] + G * n[2],
        ),
    )
    a = scale(w, add(force, cross(c, alpha)))
    put3(work, i, ACC, alpha)
    put3(work, i, ACC + 3, a)
    alpha_w = vec(work, 0, ACC)
    a_w = add(vec(work, 0, ACC + 3), cross(alpha_w, vec(work, i, ARM)))
    turning = rotate_back(R_WB, sub(sub(alpha, alpha_w), vec(work, i, BIAS_A)))
    moving = rotate_back(R_WB, sub(sub(a, a_w), vec(work, i, BIAS_A + 3)))
    acceleration[k], acceleration[k + 1], acceleration[k + 2] = turning
    acceleration[k + 3], acceleration[k + 4], acceleration[k + 5] = moving


@kernel
def is_plain(table, known, i):
    """Whether body i is of the kind that most are: rigid on a rigid carrier, held by a revolute joint whose
    acceleration is not known, and carrying none but the next body."""
    if table[i, JOINT] != REVOLUTE or table[i, N] > 0 or table[i, SIDE] == 1 or table[table[i, PARENT], N] > 0:
        return False
    return known[table[i, V]] == 0


@kernel
def with_own(model, ws, i, J, H, M, n, f):
    """What hangs on body i and its own inertia and bias force, [[J, H], [H^T, M]] and (n, f), about its origin."""
    work = ws.work
    x, y, z = vec(work, i, MC)
    m = model.data[i, MASS]
    H = (H[0], H[1] - z, H[2] + y, H[3] + z, H[4], H[5] - x, H[6] - y, H[7] + x, H[8])
    M = (M[0] + m, M[1] + m, M[2] + m, M[3], M[4], M[5])
    return add6(J, sym(work, i, JW)), H, M, add(n, vec(work, i, FORCE)), add(f, vec(work, i, FORCE + 3))


@kernel
def handed_on(ws, i, J, H, M, n, f):
    """What body i hands to its carrier, about the origin of that: with the force of its velocity products."""
    cn, cf = inertia_times(J, H, M, vec(ws.work, i, BIAS_A), vec(ws.work, i, BIAS_A + 3))
    n, f = add(n, cn), add(f, cf)
    r = vec(ws.work, i, ARM)
    J, H, M = shift_inertia(J, H, M, r)
    return J, H, M, add(n, cross(r, f)), f


@separate_kernel
def eliminate_joint(model, ws, i, J, H, M, n, f, effort, acceleration):
    """What body i hands to its carrier when its internal coordinates and the entries of its joint are eliminated.

    J, H, M, n, f are what the next body handed to it, about its origin. Leaves rows of ws.dof for the way back.
    """
    table, work, dof, known = model.table, ws.work, ws.dof, ws.known
    # articulated inertia I^A and bias force p^A of the body with all that hangs on it
    J, H, M, n, f = with_own(model, ws, i, J, H, M, n, f)
    if table[i, SIDE] == 1:
        J, H, M = (
            add6(J, sym(work, i, ART_J)),
            add9(H, mat(work, i, ART_H)),
            add6(M, sym(work, i, ART_M)),
        )
    if table[i, N] > 0:
        J, H, M, n, f = eliminate_internal(model, ws, i, J, H, M, n, f, effort, acceleration)
    # entries of the joint, the last first: a free one takes its share of inertia and force away
    first = table[i, V]
    for k in range(first + table[i, DOFS] - 1, first - 1, -1):
        s = vec(dof, k, S)
        l = vec(dof, k, S + 3)
        a, b = inertia_times(J, H, M, s, l)
        inertia = dot(s, a) + dot(l, b) + model.data[i, ARMATURE]
        along = dot(s, n) + dot(l, f)
        put3(dof, k, U, a)
        put3(dof, k, U + 3, b)
        if known[k] == 0:
            inverse = 1.0 / inertia
            rest = effort[k] - along
            dof[k, D] = inverse
            dof[k, R] = rest
            J, H, M = reduced(J, H, M, a, b, inverse)
            n = add(n, scale(inverse * rest, a))
            f = add(f, scale(inverse * rest, b))
        else:
            dof[k, D] = inertia
            dof[k, R] = along
            n = add(n, scale(acceleration[k], a))
            f = add(f, scale(acceleration[k], b))
    # what is left, about the origin of the carrier
    p = table[i, PARENT]
    if p == 0:
        return J, H, M, n, f
    if table[p, N] > 0:
        cn, cf = inertia_times(J, H, M, vec(work, i, BIAS_A), vec(work, i, BIAS_A + 3))
        load_flexible_parent(model, ws, i, J, H, M)
        push_flexible_parent(model, ws, i, add(n, cn), add(f, cf))
    return handed_on(ws, i, J, H, M, n, f)


@kernel
def eliminate_revolute(model, ws, i, J, H, M, n, f, effort):
    """`eliminate_joint` of a plain body; the inertia along the axis s is s s^T : J, which need not wait for J s."""
    dof = ws.dof
    J, H, M, n, f = with_own(model, ws, i, J, H, M, n, f)
    k = model.table[i, V]
    s = vec(dof, k, S)
    a = sym_times(J, s)
    b = rotate_back(H, s)
    inertia = (model.data[i, ARMATURE] + s[0] * s[0] * J[0] + s[1] * s[1] * J[1] + s[2] * s[2] * J[2]) + 2.0 * (
        s[0] * s[1] * J[3] + s[0] * s[2] * J[4] + s[1] * s[2] * J[5]
    )
    inverse = 1.0 / inertia
    rest = effort[k] - dot(s, n)
    put3(dof, k, U, a)
    put3(dof, k, U + 3, b)
    dof[k, D] = inverse
    dof[k, R] = rest
    J, H, M = reduced(J, H, M, a, b, inverse)
    return handed_on(ws, i, J, H, M, add(n, scale(inverse * rest, a)), add(f, scale(inverse * rest, b)))


@scalar_kernel
def articulated_accelerations(model, ws, effort, acceleration):
    """Accelerations of all entries of v, after `kinematics`; entries with ws.known keep the one they have,
    and the effort that this takes is written into `effort`."""
    accelerate_bodies(model, ws, effort, acceleration, 1, model.table.shape[0])


@kernel
def accelerate_bodies(model, ws, effort, acceleration, begin, end):
    """`articulated_accelerations` of the bodies from `begin` to before `end`, whose carriers are among them or the
    world."""
    table, work, dof, known = model.table, ws.work, ws.dof, ws.known
    # what the next body handed to this one, kept in registers: in a chain nothing goes through memory
    zero = 0.0 * work[0, MC]
    none, none6 = (zero, zero, zero), (zero, zero, zero, zero, zero, zero)
    none9 = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
    J, H, M, n, f = none6, none9, none6, none, none
    left = False  # whether there are bodies for the way outward
    for i in range(end - 1, begin - 1, -1):
        if is_plain(table, known, i):
            J, H, M, n, f = eliminate_revolute(model, ws, i, J, H, M, n, f, effort)
        elif is_lone(table, known, i):
            lone_acceleration(model, ws, i, effort, acceleration)
            continue
        else:
            J, H, M, n, f = eliminate_joint(model, ws, i, J, H, M, n, f, effort, acceleration)
        left = True
        # at the end of a chain what is left goes to the parent through memory
        p = table[i, PARENT]
        if p != i - 1 or p == 0:
            if p > 0:
                accumulate6(work, p, ART_J, J)
                accumulate9(work, p, ART_H, H)
                accumulate6(work, p, ART_M, M)
                accumulate3(work, p, FORCE, n)
                accumulate3(work, p, FORCE + 3, f)
            J, H, M, n, f = none6, none9, none6, none, none

    if not left:
        return
    # outward: accelerations of coordinates from those of the parent
    alpha, a, last = vec(work, 0, ACC), vec(work, 0, ACC + 3), 0
    for i in range(begin, end):
        if is_lone(table, known, i):
            continue
        p = table[i, PARENT]
        if p != last:
            alpha, a = vec(work, p, ACC), vec(work, p, ACC + 3)
        last = i
        r, c, c_l = vec(work, i, ARM), vec(work, i, BIAS_A), vec(work, i, BIAS_A + 3)
        first = table[i, V]
        if is_plain(table, known, i):
            # U . (c + what the carrier does), put so that only the last sum waits for the carrier
            u, w, d = vec(dof, first, U), vec(dof, first, U + 3), dof[first, D]
            u_p, w_p = scale(d, add(u, cross(r, w))), scale(d, w)
            x = d * (dof[first, R] - (dot(u, c) + dot(w, c_l))) - (dot(u_p, alpha) + dot(w_p, a))
            acceleration[first] = x
            a = add(a, add(cross(alpha, r), c_l))
            alpha = add(add(alpha, c), scale(x, vec(dof, first, S)))
            put3(work, i, ACC, alpha)
            put3(work, i, ACC + 3, a)
            continue
        # any other body: what its carrier, internal coordinates and all, does to its frame
        a = add(a, cross(alpha, r))
        if table[p, N] > 0:
            d_alpha, d_a = carried_acceleration(model, ws, i, acceleration)
            alpha = add(alpha, d_alpha)
            a = add(a, d_a)
        alpha = add(alpha, c)
        a = add(a, c_l)
        # entry by entry outward; of a known one the effort follows instead
        for k in range(first, first + table[i, DOFS]):
            felt = dot(vec(dof, k, U), alpha) + dot(vec(dof, k, U + 3), a)
            if known[k] == 0:
                acceleration[k] = dof[k, D] * (dof[k, R] - felt)
            else:
                effort[k] = felt + dof[k, D] * acceleration[k] + dof[k, R]
            alpha = add(alpha, scale(acceleration[k], vec(dof, k, S)))
            a = add(a, scale(acceleration[k], vec(dof, k, S + 3)))
        put3(work, i, ACC, alpha)
        put3(work, i, ACC + 3, a)
        if table[i, N] > 0:
            internal_accelerations(model, ws, i, alpha, a, effort, acceleration)
