"""What the recursions do for bodies with internal coordinates, whatever their kind.

The equations of such a body are  M_rr a + M_re^T e'' + b_r = f,  M_re a + M_ee e'' + b_e = effort, and a child that
it carries at a marker with shapes phi = (theta, psi) adds  [1 | phi]^T I [1 | phi]  to them. Internal coordinates are
eliminated one by one, the last first, as the entries of a joint are; where M_ee is constant, by a factor made once
(Kim 1999, eq. 4.57, method 3, with the frame's six velocities in the place of its turning).
"""

from __future__ import annotations

from ..algebra import Inertia, Motion, Wrench, cross, dyad_subtracted, shift_back
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
from ..compiler import optional_kernel
from ..flat_arrays import accumulate, add_value, get, motion_at, put, put_value, vector_at, wrench_at
from ..kind_registry import RAIL
from .joints import joint_motion, joint_pose
from .nodal_elimination import eliminate_nodal, keep_carried, nodal_accelerations


@optional_kernel("flexible")
def carried_kinematics(model, ws, i, q, v):
    """Kinematics of a body B whose joint sits on a body P with internal coordinates; phi goes to ws.flex."""
    node, body, own, flex = model.tree[i], ws.bodies[i], model.bodies[i], ws.flex
    parent, p = ws.bodies[node.parent], node.parent
    n = model.tree[p].ne
    R_WP, omega_P = parent.R_WB, parent.omega
    rail = node.joint == RAIL
    # the marker M in the carrier's axes, then in the world's
    if rail:
        r, turn, u, w, a, alpha = travelling_station(model, ws, i, q, v)
    else:
        r, turn, u, w, a, alpha = flexible_station(model, ws, p, node.station, q, v)
    r, u, w = R_WP @ r, R_WP @ u, R_WP @ w
    R_WM = R_WP @ (turn @ own.R_PM)
    omega_M = omega_P + w
    velocity = parent.velocity + (cross(omega_P, r) + u)
    bias = R_WP @ alpha + cross(omega_P, w)
    bias_l = R_WP @ a + cross(omega_P, cross(omega_P, r) + 2.0 * u)

    # the joint on it
    R_WB, d = joint_pose(model, i, R_WM, q, ws.circle, node.q)
    d += R_WP @ (turn @ own.p_PM)
    V_MB, more = joint_motion(model, i, R_WM, R_WB, q, v, node.v, ws.dofs)
    if rail:
        S = ws.dofs[node.v].S
        s = R_WP @ S.angular
        ws.dofs[node.v].S = Motion(s, R_WP @ S.linear + cross(s, d))
    swing = cross(omega_M, d)
    velocity += swing + V_MB.linear
    bias_l += cross(bias, d) + (cross(omega_M, swing + 2.0 * V_MB.linear) + more.linear)
    bias += cross(omega_M, V_MB.angular) + more.angular
    # what a unit rate of each of the carrier's coordinates makes at the origin of this body
    base = flex.size - 6 * n
    count, _ = support(model, p, node.station)
    for k in range(count):
        theta = R_WP @ vector_at(flex, base + 6 * k)
        psi = R_WP @ vector_at(flex, base + 6 * k + 3) + cross(theta, d)
        put_value(flex, node.phi + 6 * k, Motion(theta, psi))
    # for the recursions
    r += d
    body.R_WB, body.p_WB, body.p_PB = R_WB, parent.p_WB + r, r
    body.omega, body.velocity, body.bias = omega_M + V_MB.angular, velocity, Motion(bias, bias_l)


@optional_kernel("flexible")
def load_flexible_parent(model, ws, i, I):
    """Adds the inertia of child i, about its own origin, to the blocks M_re and M_ee of the body that carries it."""
    flex, phi = ws.flex, model.tree[i].phi
    p = model.tree[i].parent
    n, o = model.tree[p].ne, model.tree[p].flex
    ee, r = o + 6 * n, ws.bodies[i].p_PB
    if has_sparse_mass(model, p):
        keep_carried(model, ws, i, I)
        count, where = support(model, p, model.tree[i].station)
        for j in range(count):
            f = I @ motion_at(flex, phi + 6 * j)
            add_value(flex, o + 6 * supported(model, where, j), shift_back(f, r))
        return
    for k in range(n):
        f = I @ motion_at(flex, phi + 6 * k)
        add_value(flex, o + 6 * k, shift_back(f, r))
        accumulate(flex, ee + n * k + k, motion_at(flex, phi + 6 * k) @ f)
        for l in range(k):
            m = motion_at(flex, phi + 6 * l) @ f
            accumulate(flex, ee + n * k + l, m)
            accumulate(flex, ee + n * l + k, m)


@optional_kernel("flexible")
def push_flexible_parent(model, ws, i, f):
    """Adds the force that child i transmits, about its own origin, to the equations of its carrier's coordinates."""
    flex, node = ws.flex, model.tree[i]
    be = internal_forces_at(model, node.parent)
    count, where = support(model, node.parent, node.station)
    for j in range(count):
        accumulate(flex, be + supported(model, where, j), motion_at(flex, node.phi + 6 * j) @ f)


@optional_kernel("flexible", returns=Motion)
def carried_acceleration(model, ws, i, acceleration):
    """What the internal accelerations of the carrier add to the acceleration of body i."""
    node, a = model.tree[i], ws.bodies[i].acceleration.zero
    ev = model.tree[node.parent].ev
    count, where = support(model, node.parent, node.station)
    for j in range(count):
        a += get(acceleration, ev + supported(model, where, j)) * motion_at(ws.flex, node.phi + 6 * j)
    return a


@optional_kernel("modal", returns=(Inertia, Wrench))
def eliminate_factored(model, ws, i, I, p, effort, factor):
    """`eliminate_internal` with the factor of M_ee at model.floats[factor]; leaves its rows where that would."""
    floats, flex, node = model.floats, ws.flex, model.tree[i]
    n, ev, o = node.ne, node.ev, node.flex
    ee = o + 6 * n
    be = ee + n * n
    zero = 0.0 * flex[0]
    for k in range(n - 1, -1, -1):
        U = wrench_at(flex, o + 6 * k)
        inverse = get(floats, factor + n * k + k)
        rest = get(effort, ev + k) - get(flex, be + k)
        ws.dofs[ev + k].D, ws.dofs[ev + k].u = inverse, rest
        I = dyad_subtracted(I, U, inverse)
        for l in range(k):
            left = get(floats, factor + n * k + l)
            put(flex, ee + n * k + l, left + zero)
            if left == 0.0:  # normal modes do not move each other
                continue
            x = inverse * left
            add_value(flex, o + 6 * l, -x * U)
            accumulate(flex, be + l, x * rest)
        p += (inverse * rest) * U
    return I, p


@optional_kernel("flexible", returns=(Inertia, Wrench))
def eliminate_internal(model, ws, i, I, p, effort, acceleration):
    """What is left of a body's inertia and bias force when its internal coordinates are eliminated."""
    flex, node = ws.flex, model.tree[i]
    n, ev, o = node.ne, node.ev, node.flex
    ee = o + 6 * n
    be = ee + n * n
    if has_sparse_mass(model, i):
        return eliminate_nodal(model, ws, i, I, p, effort)
    # a constant mass matrix was factored before the run, unless entries are prescribed
    factor = mass_factor(model, i)
    for k in range(n):
        if get(ws.known, ev + k) != 0:
            factor = -1
    if factor >= 0:
        return eliminate_factored(model, ws, i, I, p, effort, factor)
    # coordinate by coordinate, the last first: Cholesky's factorisation of the block without forming it
    for k in range(n - 1, -1, -1):
        U, dof = wrench_at(flex, o + 6 * k), ws.dofs[ev + k]
        row = ee + n * k
        inertia = get(flex, row + k)
        if get(ws.known, ev + k) == 0:
            inverse = 1.0 / inertia
            rest = get(effort, ev + k) - get(flex, be + k)
            dof.D, dof.u = inverse, rest
            I = dyad_subtracted(I, U, inverse)
            step = inverse * rest
            for l in range(k):
                x = inverse * get(flex, row + l)
                if x == 0.0:  # normal modes do not move each other
                    continue
                add_value(flex, o + 6 * l, -x * U)
                for m in range(l + 1):
                    accumulate(flex, ee + n * l + m, -x * get(flex, row + m))
                accumulate(flex, be + l, x * rest)
        else:
            # its acceleration is known: it adds its force
            step = get(acceleration, ev + k)
            dof.D, dof.u = inertia, get(flex, be + k)
            for l in range(k):
                accumulate(flex, be + l, get(flex, row + l) * step)
        p += step * U
    return I, p


@optional_kernel("flexible")
def internal_accelerations(model, ws, i, a, effort, acceleration):
    """Accelerations of the internal coordinates of body i, or their efforts, from the acceleration of its frame."""
    flex, node = ws.flex, model.tree[i]
    n, ev, o = node.ne, node.ev, node.flex
    ee = o + 6 * n
    if has_sparse_mass(model, i):
        nodal_accelerations(model, ws, i, a, effort, acceleration)
        return
    for k in range(n):
        inertial = wrench_at(flex, o + 6 * k) @ a
        for l in range(k):
            inertial += get(flex, ee + n * k + l) * get(acceleration, ev + l)
        dof = ws.dofs[ev + k]
        if get(ws.known, ev + k) == 0:
            put(acceleration, ev + k, dof.D * (dof.u - inertial))
        else:
            put(effort, ev + k, inertial + dof.D * get(acceleration, ev + k) + dof.u)


@optional_kernel("flexible", returns=Wrench)
def internal_efforts(model, ws, i, a, acceleration):
    """Inverse dynamics of the internal coordinates of body i, into its block b; returns the wrench that their
    accelerations put on its frame."""
    flex, node = ws.flex, model.tree[i]
    n, ev, o = node.ne, node.ev, node.flex
    ee, be = o + 6 * n, internal_forces_at(model, i)
    f = ws.bodies[i].bias_force.zero
    sparse = has_sparse_mass(model, i)
    if sparse:
        nodal_mass_times(model, ws, i, acceleration, ev, flex, be)
    for k in range(n):
        U = wrench_at(flex, o + 6 * k)
        needed = get(flex, be + k) + U.moment @ a.angular + U.force @ a.linear
        if not sparse:
            for l in range(n):
                needed += get(flex, ee + n * k + l) * get(acceleration, ev + l)
        put(flex, be + k, needed)
        f += get(acceleration, ev + k) * U
    return f


@optional_kernel("flexible", returns=Wrench)
def internal_momentum(model, ws, i, v):
    """What the rates of the internal coordinates add to the momentum of body i: angular about the origin, linear."""
    node, h = model.tree[i], ws.bodies[i].bias_force.zero
    for k in range(node.ne):
        h += v[node.ev + k] * wrench_at(ws.flex, node.flex + 6 * k)
    return h


@optional_kernel("flexible", returns=1)
def internal_kinetic(model, ws, i, v):
    """1/2 e'^T M_ee e' [J]."""
    n, ev = model.tree[i].ne, model.tree[i].ev
    ee = model.tree[i].flex + 6 * n
    energy = 0.0 * ws.flex[0]
    if has_sparse_mass(model, i):
        return nodal_kinetic(model, ws, i)
    for k in range(n):
        for l in range(n):
            energy += 0.5 * v[ev + k] * ws.flex[ee + n * k + l] * v[ev + l]
    return energy
