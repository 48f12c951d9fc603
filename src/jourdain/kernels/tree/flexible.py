"""What the recursions do for bodies with internal coordinates, whatever their kind.

The equations of such a body are  M_rr a + M_re^T e'' + b_r = f,  M_re a + M_ee e'' + b_e = effort, and a child that
it carries at a marker with shapes phi = (theta, psi) adds  [1 | phi]^T I [1 | phi]  to them. Internal coordinates are
eliminated one by one, the last first, as the entries of a joint are; where M_ee is constant, by a factor made once
(Kim 1999, eq. 4.57, method 3, with the frame's six velocities in the place of its turning).
"""

from __future__ import annotations

from ..algebra import Mat3, Motion
from ..bodies.body_dispatch import (
    flexible_station,
    has_sparse_mass,
    internal_forces_at,
    mass_factor,
    support,
    supported,
    travelling_station,
)
from ..bodies.nodal_body import nodal_kinetic, nodal_mass_times
from ..columns import (
    ARM,
    BIAS_A,
    CARRIER_P,
    CARRIER_R,
    EV,
    FLEX,
    JOINT,
    OMEGA,
    PARENT,
    PHI,
    POS,
    ROT,
    STATION,
    VEL,
    D,
    N,
    Q,
    R,
    S,
    V,
)
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31, vec1
from ..kind_registry import RAIL
from ..spatial import add, cross, dot, inertia_times, mat, matmul, put3, rotate, scale, vec
from .joints import joint_motion, joint_pose
from .nodal_elimination import eliminate_nodal, keep_carried, nodal_accelerations


@optional_kernel("flexible")
def carried_kinematics(model, ws, i, q, v):
    """Kinematics of a body whose joint sits on a body with internal coordinates; phi goes to ws.flex."""
    table, data, work, flex = model.table, model.data, ws.work, ws.flex
    p = table[i, PARENT]
    n = table[p, N]
    R_WP = mat(work, p, ROT)
    omega_p = vec(work, p, OMEGA)
    rail = table[i, JOINT] == RAIL
    # the marker in the carrier's axes, then in the world's
    if rail:
        r, turn, u, w, a, alpha = travelling_station(model, ws, i, q, v)
    else:
        r, turn, u, w, a, alpha = flexible_station(model, ws, p, table[i, STATION], q, v)
    r = rotate(R_WP, r)
    u = rotate(R_WP, u)
    w = rotate(R_WP, w)
    R_WM = matmul(R_WP, matmul(turn, mat(data, i, CARRIER_R)))
    omega_m = add(omega_p, w)
    velocity = add(vec(work, p, VEL), add(cross(omega_p, r), u))
    bias = add(rotate(R_WP, alpha), cross(omega_p, w))
    bias_l = add(rotate(R_WP, a), cross(omega_p, add(cross(omega_p, r), scale(2.0, u))))

    # the joint on it
    R_WM = Mat3(R_WM)
    R_WB, p_MB = joint_pose(model, i, R_WM, q, ws.circle, table[i, Q])
    d = add(tuple(p_MB), rotate(R_WP, rotate(turn, vec(data, i, CARRIER_P))))
    V_MB, more = joint_motion(model, i, R_WM, R_WB, q, v, table[i, V], ws.dofs)
    w_j, u_j = tuple(V_MB.angular), tuple(V_MB.linear)
    if rail:
        s = rotate(R_WP, vec(ws.dof, table[i, V], S))
        ws.dofs[table[i, V]].S = Motion(s, add(rotate(R_WP, vec(ws.dof, table[i, V], S + 3)), cross(s, d)))
    swing = cross(omega_m, d)
    velocity = add(velocity, add(swing, u_j))
    bias_l = add(bias_l, add(cross(bias, d), add(cross(omega_m, add(swing, scale(2.0, u_j))), tuple(more.linear))))
    bias = add(bias, add(cross(omega_m, w_j), tuple(more.angular)))
    # what a unit rate of each of the carrier's coordinates makes at the origin of this body
    base = flex.size - 6 * n
    count, _ = support(model, p, table[i, STATION])
    for k in range(count):
        theta = rotate(R_WP, vec1(flex, base + 6 * k))
        psi = add(rotate(R_WP, vec1(flex, base + 6 * k + 3)), cross(theta, d))
        put31(flex, table[i, PHI] + 6 * k, theta)
        put31(flex, table[i, PHI] + 6 * k + 3, psi)
    # for the recursions
    r = add(r, d)
    ws.bodies[i].R_WB = R_WB
    put3(work, i, POS, add(vec(work, p, POS), r))
    put3(work, i, OMEGA, add(omega_m, w_j))
    put3(work, i, VEL, velocity)
    put3(work, i, ARM, r)
    put3(work, i, BIAS_A, bias)
    put3(work, i, BIAS_A + 3, bias_l)


@optional_kernel("flexible")
def load_flexible_parent(model, ws, i, J, H, M):
    """Adds the inertia of child i, about its own origin, to the blocks M_re and M_ee of the body that carries it."""
    table, flex = model.table, ws.flex
    p = table[i, PARENT]
    n = table[p, N]
    o, phi = table[p, FLEX], table[i, PHI]
    ee = o + 6 * n
    r = vec(ws.work, i, ARM)
    if has_sparse_mass(model, p):
        keep_carried(model, ws, i, J, H, M)
        count, where = support(model, p, table[i, STATION])
        for j in range(count):
            k = supported(model, where, j)
            t, f = inertia_times(J, H, M, vec1(flex, phi + 6 * j), vec1(flex, phi + 6 * j + 3))
            accumulate31(flex, o + 6 * k, add(t, cross(r, f)))
            accumulate31(flex, o + 6 * k + 3, f)
        return
    for k in range(n):
        t, f = inertia_times(J, H, M, vec1(flex, phi + 6 * k), vec1(flex, phi + 6 * k + 3))
        accumulate31(flex, o + 6 * k, add(t, cross(r, f)))
        accumulate31(flex, o + 6 * k + 3, f)
        accumulate(flex, ee + n * k + k, dot(vec1(flex, phi + 6 * k), t) + dot(vec1(flex, phi + 6 * k + 3), f))
        for l in range(k):
            m = dot(vec1(flex, phi + 6 * l), t) + dot(vec1(flex, phi + 6 * l + 3), f)
            accumulate(flex, ee + n * k + l, m)
            accumulate(flex, ee + n * l + k, m)


@optional_kernel("flexible")
def push_flexible_parent(model, ws, i, moment, force):
    """Adds the force that child i transmits, about its own origin, to the equations of its carrier's coordinates."""
    table, flex = model.table, ws.flex
    p = table[i, PARENT]
    be, phi = internal_forces_at(model, p), table[i, PHI]
    count, where = support(model, p, table[i, STATION])
    for j in range(count):
        push = dot(vec1(flex, phi + 6 * j), moment) + dot(vec1(flex, phi + 6 * j + 3), force)
        accumulate(flex, be + supported(model, where, j), push)


@optional_kernel("flexible", returns=(3, 3))
def carried_acceleration(model, ws, i, acceleration):
    """What the internal accelerations of the carrier add to the acceleration of body i: angular, linear."""
    p = model.table[i, PARENT]
    zero = 0.0 * ws.flex[0]
    alpha = (zero, zero, zero)
    a = (zero, zero, zero)
    phi, ev = model.table[i, PHI], model.table[p, EV]
    count, where = support(model, p, model.table[i, STATION])
    for j in range(count):
        x = get(acceleration, ev + supported(model, where, j))
        alpha = add(alpha, scale(x, vec1(ws.flex, phi + 6 * j)))
        a = add(a, scale(x, vec1(ws.flex, phi + 6 * j + 3)))
    return alpha, a


@optional_kernel("modal", returns=(6, 9, 6, 3, 3))
def eliminate_factored(model, ws, i, J, H, M, moment, force, effort, factor):
    """`eliminate_internal` with the factor of M_ee at model.floats[factor]; leaves its rows where that would."""
    floats, flex, dof = model.floats, ws.flex, ws.dof
    n = model.table[i, N]
    ev, o = model.table[i, EV], model.table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    zero = 0.0 * flex[0]
    for k in range(n - 1, -1, -1):
        a = vec1(flex, o + 6 * k)
        b = vec1(flex, o + 6 * k + 3)
        inverse = get(floats, factor + n * k + k)
        rest = get(effort, ev + k) - get(flex, be + k)
        dof[ev + k, D] = inverse
        dof[ev + k, R] = rest
        J, H, M = reduced(J, H, M, a, b, inverse)
        for l in range(k):
            left = get(floats, factor + n * k + l)
            put(flex, ee + n * k + l, left + zero)
            if left == 0.0:  # normal modes do not move each other
                continue
            x = inverse * left
            accumulate31(flex, o + 6 * l, scale(-x, a))
            accumulate31(flex, o + 6 * l + 3, scale(-x, b))
            accumulate(flex, be + l, x * rest)
        moment = add(moment, scale(inverse * rest, a))
        force = add(force, scale(inverse * rest, b))
    return J, H, M, moment, force


@optional_kernel("flexible", returns=(6, 9, 6, 3, 3))
def eliminate_internal(model, ws, i, J, H, M, moment, force, effort, acceleration):
    """What is left of a body's inertia and bias force when its internal coordinates are eliminated."""
    table, flex, dof = model.table, ws.flex, ws.dof
    n = table[i, N]
    ev, o = table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    if has_sparse_mass(model, i):
        return eliminate_nodal(model, ws, i, J, H, M, moment, force, effort)
    # a constant mass matrix was factored before the run, unless entries are prescribed
    factor = mass_factor(model, i)
    for k in range(n):
        if get(ws.known, ev + k) != 0:
            factor = -1
    if factor >= 0:
        return eliminate_factored(model, ws, i, J, H, M, moment, force, effort, factor)
    # coordinate by coordinate, the last first: Cholesky's factorisation of the block without forming it
    for k in range(n - 1, -1, -1):
        a = vec1(flex, o + 6 * k)
        b = vec1(flex, o + 6 * k + 3)
        row = ee + n * k
        inertia = get(flex, row + k)
        if get(ws.known, ev + k) == 0:
            inverse = 1.0 / inertia
            rest = get(effort, ev + k) - get(flex, be + k)
            dof[ev + k, D] = inverse
            dof[ev + k, R] = rest
            J, H, M = reduced(J, H, M, a, b, inverse)
            step = inverse * rest
            for l in range(k):
                x = inverse * get(flex, row + l)
                if x == 0.0:  # normal modes do not move each other
                    continue
                accumulate31(flex, o + 6 * l, scale(-x, a))
                accumulate31(flex, o + 6 * l + 3, scale(-x, b))
                for m in range(l + 1):
                    accumulate(flex, ee + n * l + m, -x * get(flex, row + m))
                accumulate(flex, be + l, x * rest)
        else:
            # its acceleration is known: it adds its force
            step = get(acceleration, ev + k)
            dof[ev + k, D] = inertia
            dof[ev + k, R] = get(flex, be + k)
            for l in range(k):
                accumulate(flex, be + l, get(flex, row + l) * step)
        moment = add(moment, scale(step, a))
        force = add(force, scale(step, b))
    return J, H, M, moment, force


@optional_kernel("flexible")
def internal_accelerations(model, ws, i, alpha, a, effort, acceleration):
    """Accelerations of the internal coordinates of body i, or their efforts, from the acceleration of its frame."""
    table, flex, dof = model.table, ws.flex, ws.dof
    n = table[i, N]
    ev, o = table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    if has_sparse_mass(model, i):
        nodal_accelerations(model, ws, i, alpha, a, effort, acceleration)
        return
    for k in range(n):
        felt = dot(vec1(flex, o + 6 * k), alpha) + dot(vec1(flex, o + 6 * k + 3), a)
        for l in range(k):
            felt += get(flex, ee + n * k + l) * get(acceleration, ev + l)
        if get(ws.known, ev + k) == 0:
            put(acceleration, ev + k, dof[ev + k, D] * (dof[ev + k, R] - felt))
        else:
            put(effort, ev + k, felt + dof[ev + k, D] * get(acceleration, ev + k) + dof[ev + k, R])


@kernel
def less_dyad(S, u, a):
    """The symmetric S less the dyad u a^T, u along a."""
    return (
        S[0] - u[0] * a[0],
        S[1] - u[1] * a[1],
        S[2] - u[2] * a[2],
        S[3] - u[0] * a[1],
        S[4] - u[0] * a[2],
        S[5] - u[1] * a[2],
    )


@kernel
def reduced(J, H, M, a, b, k):
    """Spatial inertia less k times the dyad of (a, b): what is left when one motion has been eliminated."""
    ka = scale(k, a)
    kb = scale(k, b)
    H = (
        H[0] - a[0] * kb[0],
        H[1] - a[0] * kb[1],
        H[2] - a[0] * kb[2],
        H[3] - a[1] * kb[0],
        H[4] - a[1] * kb[1],
        H[5] - a[1] * kb[2],
        H[6] - a[2] * kb[0],
        H[7] - a[2] * kb[1],
        H[8] - a[2] * kb[2],
    )
    return less_dyad(J, ka, a), H, less_dyad(M, kb, b)


@optional_kernel("flexible", returns=(3, 3))
def internal_efforts(model, ws, i, alpha, a, acceleration):
    """Inverse dynamics of the internal coordinates of body i, into its block b; returns the moment and the force that
    their accelerations put on its frame."""
    table, flex = model.table, ws.flex
    n = table[i, N]
    ev, o = table[i, EV], table[i, FLEX]
    ee, be = o + 6 * n, internal_forces_at(model, i)
    zero = 0.0 * flex[0]
    moment = (zero, zero, zero)
    force = (zero, zero, zero)
    sparse = has_sparse_mass(model, i)
    if sparse:
        nodal_mass_times(model, ws, i, acceleration, ev, flex, be)
    for k in range(n):
        t = vec1(flex, o + 6 * k)
        f = vec1(flex, o + 6 * k + 3)
        needed = get(flex, be + k) + dot(t, alpha) + dot(f, a)
        if not sparse:
            for l in range(n):
                needed += get(flex, ee + n * k + l) * get(acceleration, ev + l)
        put(flex, be + k, needed)
        moment = add(moment, scale(get(acceleration, ev + k), t))
        force = add(force, scale(get(acceleration, ev + k), f))
    return moment, force


@optional_kernel("flexible", returns=(3, 3))
def internal_momentum(model, ws, i, v):
    """What the rates of the internal coordinates add to the momentum (angular about the origin, linear) of body i."""
    ev, o = model.table[i, EV], model.table[i, FLEX]
    zero = 0.0 * ws.flex[0]
    angular = (zero, zero, zero)
    linear = (zero, zero, zero)
    for k in range(model.table[i, N]):
        angular = add(angular, scale(v[ev + k], vec1(ws.flex, o + 6 * k)))
        linear = add(linear, scale(v[ev + k], vec1(ws.flex, o + 6 * k + 3)))
    return angular, linear


@optional_kernel("flexible", returns=1)
def internal_kinetic(model, ws, i, v):
    """1/2 e'^T M_ee e' [J]."""
    n, ev = model.table[i, N], model.table[i, EV]
    ee = model.table[i, FLEX] + 6 * n
    energy = 0.0 * ws.flex[0]
    if has_sparse_mass(model, i):
        return nodal_kinetic(model, ws, i)
    for k in range(n):
        for l in range(n):
            energy += 0.5 * v[ev + k] * ws.flex[ee + n * k + l] * v[ev + l]
    return energy
