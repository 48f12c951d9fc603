"""Inertia and bias forces of lumped bodies: the sums over the slices, in the beam's axes (data in `slices`).

A coordinate that bends along y moves a slice by (rho, v, 0), one that bends along z by (rho, 0, w): v and w are its
shape, rho = chi e the foreshortening that it makes. Products with the zeros are left out. All others, if they move
slices at all, do it by a constant psi.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, FORCE, INTEGERS, JW, MC, OMEGA, ROT, TURNING, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31, vec1
from ..spatial import (
    add,
    add6,
    cross,
    dot,
    mat,
    put3,
    put6,
    rotate,
    rotate_back,
    rotate_sym,
    scale,
    sym_times,
    transpose,
    vec,
)
from .lumped_beam import (
    INERTIA_CODE,
    LUMPED_BENDING_Y,
    LUMPED_BENDING_Z,
    LUMPED_POINTS,
    MEMBRANE_CODE,
    MOVING,
    NO_MEMBRANE,
    RANGES,
    SHORTENING,
    SLICES,
    UNDEFORMED,
    UNDEFORMED_MASS,
    coupling_force,
    membrane_force,
    membrane_start,
)
from .rotary_inertia import turned_attraction, turned_inertia


@kernel
def beam_axes_in_world(R, floats, body):
    """The beam's axes as columns, in world axes."""
    x = rotate(R, vec1(floats, body + 3))
    y = rotate(R, vec1(floats, body + 6))
    z = rotate(R, vec1(floats, body + 9))
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def begin_blocks(model, ws, i, q, v):
    """What the blocks of body i begin with: elastic and damping forces, and the sums that do not depend on e."""
    floats, flex = model.floats, ws.flex
    n = model.table[i, N]
    e, ev, o = model.table[i, E], model.table[i, EV], model.table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    stiffness = model.table[i, FLOATS] + 12
    damping = stiffness + n * n
    constant = damping + n * n
    momentum = constant + n * n + 6
    zero = 0.0 * flex[0]
    ranges = model.table[i, INTEGERS] + RANGES
    for k in range(n):
        elastic, viscous = zero, zero
        for l in range(n):
            put(flex, ee + l, zero)
        for l in range(get(model.integers, ranges), get(model.integers, ranges + 1)):
            elastic += get(floats, stiffness + l) * get(q, e + l)
            viscous += get(floats, damping + l) * get(v, ev + l)
            put(flex, ee + l, get(floats, constant + l))
        put(flex, be + k, elastic + viscous)
        for c in range(6):
            put(flex, o + c, get(floats, momentum + c))
        stiffness, damping, constant, ee = stiffness + n, damping + n, constant + n, ee + n
        momentum, o, ranges = momentum + 6, o + 6, ranges + 2


@kernel
def bent(floats, shape, chi, count, shortens, q, e, v, ev, flex, row, zero):
    """Motion of a slice by the `count` coordinates that bend in one plane; their rho go to flex[row + k] if it
    shortens the beam.

    Returns the deflection and its velocity, the foreshortening, its velocity, and what remains of its acceleration
    when e does not accelerate.
    """
    y, u, short, short_rate, bias = zero, zero, zero, zero, zero
    for k in range(count):
        ek, vk = get(q, e + k), get(v, ev + k)
        y += get(floats, shape + k) * ek
        u += get(floats, shape + k) * vk
        if shortens:
            rho, rho_rate = zero, zero
            for l in range(count):
                rho += get(floats, chi + l) * get(q, e + l)
                rho_rate += get(floats, chi + l) * get(v, ev + l)
            chi += count
            put(flex, row + k, rho)
            short += 0.5 * rho * ek
            short_rate += rho * vk
            bias += rho_rate * vk
    return y, u, short, short_rate, bias


@kernel
def point_inertia(J, m, r):
    """J and the inertia of a mass m at r."""
    x, y, z = r
    mx, my, mz = scale(m, r)
    return (
        J[0] + y * my + z * mz,
        J[1] + x * mx + z * mz,
        J[2] + x * mx + y * my,
        J[3] - x * my,
        J[4] - x * mz,
        J[5] - y * mz,
    )


@kernel
def put_sums(model, ws, i, R, first, J, moment, force):
    """The sums over body i into its rows, turned from the beam's axes to the world's: first moment, inertia, bias
    moment and force, the columns of the internal coordinates in ws.flex; the half above their diagonal is filled."""
    n, o, flex, work = model.table[i, N], model.table[i, FLEX], ws.flex, ws.work
    ee = o + 6 * n
    for k in range(n):
        at = o + 6 * k
        put31(flex, at, rotate(R, vec1(flex, at)))
        put31(flex, at + 3, rotate(R, vec1(flex, at + 3)))
        for l in range(k):
            put(flex, ee + n * l + k, get(flex, ee + n * k + l))
    put3(work, i, MC, rotate(R, first))
    put6(work, i, JW, rotate_sym(R, J))
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))


@optional_kernel("lumped")
def lumped_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a lumped body, into its rows of ws.work and its blocks of ws.flex."""
    table, floats, integers, work, flex = model.table, model.floats, model.integers, ws.work, ws.flex
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    rho = flex.size - 6 * n
    code = integers[own + INERTIA_CODE]
    ny, nz, moving = integers[own + LUMPED_BENDING_Y], integers[own + LUMPED_BENDING_Z], integers[own + MOVING]
    nb = ny + nz
    squares = ny * ny + nz * nz if integers[own + SHORTENING] == 1 else 0
    shortens = squares > 0 and code != UNDEFORMED
    R = beam_axes_in_world(mat(work, i, ROT), floats, body)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)

    # elastic forces
    begin_blocks(model, ws, i, q, v)
    if integers[own + MEMBRANE_CODE] != NO_MEMBRANE:
        membrane_force(model, i, q, flex)
    coupling_force(model, i, q, flex)

    # the slices' own inertia: momentum J omega + sum h_k e_k' about their centres
    at = body + 12 + 3 * n * n
    J = (
        get(floats, at) + zero,
        get(floats, at + 1) + zero,
        get(floats, at + 2) + zero,
        get(floats, at + 3) + zero,
        get(floats, at + 4) + zero,
        get(floats, at + 5) + zero,
    )
    spin = sym_times(J, omega)
    if code != UNDEFORMED:
        for k in range(n):
            spin = add(spin, scale(get(v, ev + k), vec1(floats, at + 6 + 6 * k)))
    moment = cross(omega, spin)
    if integers[own + TURNING] > 0:
        turned, more = turned_inertia(model, ws, i, q, v, omega)
        J, moment = add6(J, turned), add(moment, more)
    force = none
    first = none
    at = membrane_start(model, i) + integers[own + LUMPED_POINTS] * (1 + 3 * n)
    # each slice is a mass point at r that moves with u; foreshortening is along x
    for _ in range(integers[own + SLICES]):
        m = get(floats, at)
        r = add(vec1(floats, at + 1), none)
        undeformed = r
        u = none
        bias = zero
        shape = at + 4
        psi = shape + nb
        chi = psi + 3 * (moving - nb)
        at = chi + squares
        if code != UNDEFORMED:
            y, uy, s, us, more = bent(floats, shape, chi, ny, shortens, q, e, v, ev, flex, rho, zero)
            z, uz, t, ut, bias = bent(
                floats, shape + ny, chi + ny * ny, nz, shortens, q, e + ny, v, ev + ny, flex, rho + ny, zero
            )
            bias += more
            r = add(r, (s + t, y, z))
            u = (us + ut, uy, uz)
            for k in range(moving - nb):
                along = vec1(floats, psi + 3 * k)
                r = add(r, scale(get(q, e + nb + k), along))
                u = add(u, scale(get(v, ev + nb + k), along))
        # its force without accelerations of coordinates
        f = scale(m, cross(omega, add(cross(omega, r), scale(2.0, u))))
        f = (f[0] + m * bias, f[1], f[2])
        force = add(force, f)
        moment = add(moment, cross(r, f))
        if code == UNDEFORMED_MASS:
            r = undeformed
        J = point_inertia(J, m, r)
        mr = scale(m, r)
        mx, my, mz = mr
        first = add(first, mr)

        # blocks of bending: a shape moves across and, by foreshortening, along the beam
        for k in range(nb):
            along, across = get(flex, rho + k) if shortens else zero, get(floats, shape + k)
            a = o + 6 * k
            if k < ny:
                accumulate(flex, be + k, along * f[0] + across * f[1])
                accumulate31(flex, a, (-across * mz, along * mz, across * mx - along * my))
            else:
                accumulate(flex, be + k, along * f[0] + across * f[2])
                accumulate31(flex, a, (across * my, along * mz - across * mx, -along * my))
            if shortens:
                accumulate(flex, a + 3, m * along)
                for l in range(k + 1):
                    accumulate(flex, ee + n * k + l, m * along * get(flex, rho + l))
        # blocks of stretch, and of stretch with foreshortening
        for k in range(nb, moving):
            along = vec1(floats, psi + 3 * (k - nb))
            accumulate(flex, be + k, dot(along, f))
            accumulate31(flex, o + 6 * k, cross(mr, along))
            if shortens:
                for l in range(nb):
                    accumulate(flex, ee + n * k + l, m * along[0] * get(flex, rho + l))

    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("lumped")
def lumped_attraction(model, ws, i, q, v, G):
    """Takes int psi_k . G r dm off the block b of body i."""
    table, floats, integers, flex = model.table, model.floats, model.integers, ws.flex
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev = table[i, E], table[i, EV]
    be = table[i, FLEX] + 6 * n + n * n
    rho = flex.size - 6 * n
    code = integers[own + INERTIA_CODE]
    ny, nz, moving = integers[own + LUMPED_BENDING_Y], integers[own + LUMPED_BENDING_Z], integers[own + MOVING]
    nb = ny + nz
    squares = ny * ny + nz * nz if integers[own + SHORTENING] == 1 else 0
    shortens = squares > 0 and code != UNDEFORMED
    G = rotate_sym(transpose(beam_axes_in_world(mat(ws.work, i, ROT), floats, body)), G)
    if integers[own + TURNING] > 0:
        turned_attraction(model, ws, i, q, v, G)
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    at = membrane_start(model, i) + integers[own + LUMPED_POINTS] * (1 + 3 * n)
    for _ in range(integers[own + SLICES]):
        m = get(floats, at)
        r = add(vec1(floats, at + 1), none)
        shape = at + 4
        psi = shape + nb
        chi = psi + 3 * (moving - nb)
        at = chi + squares
        if code != UNDEFORMED:
            y, _, s, _, _ = bent(floats, shape, chi, ny, shortens, q, e, v, ev, flex, rho, zero)
            z, _, t, _, _ = bent(
                floats, shape + ny, chi + ny * ny, nz, shortens, q, e + ny, v, ev + ny, flex, rho + ny, zero
            )
            r = add(r, (s + t, y, z))
            for k in range(moving - nb):
                r = add(r, scale(get(q, e + nb + k), vec1(floats, psi + 3 * k)))
        f = scale(m, sym_times(G, r))
        for k in range(nb):
            along = get(flex, rho + k) if shortens else zero
            accumulate(flex, be + k, -along * f[0] - get(floats, shape + k) * (f[1] if k < ny else f[2]))
        for k in range(nb, moving):
            accumulate(flex, be + k, -dot(vec1(floats, psi + 3 * (k - nb)), f))
