"""Inertia and bias forces of lumped bodies: the sums over the slices, in the beam's axes (data in `slices`).

A coordinate that bends along y moves a slice by (rho, v, 0), one that bends along z by (rho, 0, w): v and w are its
shape, rho = chi e the foreshortening that it makes. Products with the zeros are left out. All others, if they move
slices at all, do it by a constant psi.
"""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Sym3, Vec3, Wrench, cross, operation, rotated
from ..body_data import Values, vectors_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import add_value
from .lumped_beam import coupling_force, membrane_force
from .lumped_layout import (
    NO_MEMBRANE,
    UNDEFORMED,
    UNDEFORMED_MASS,
    beam_axes_at,
    dense_blocks,
    lumped_arrays,
    lumped_body,
    row_ranges,
)
from .rotary_inertia import turned_attraction, turned_inertia


@kernel
def beam_axes_in_world(model, ws, i):
    """The axes of beam i as columns, in world axes."""
    return ws.bodies[i].R_WB @ beam_axes_at(model.floats, model.tree[i].floats).axes.T


@kernel
def begin_blocks(model, ws, i, q, v):
    """What the blocks of body i begin with: elastic and damping forces, and the sums that do not depend on e."""
    n, e, ev = model.tree[i].ne, model.tree[i].e, model.tree[i].ev
    arrays, blocks, ranges = lumped_arrays(model, i), dense_blocks(model, ws.flex, i), row_ranges(model, i)
    zero = 0.0 * ws.flex[0]
    for k in range(n):
        elastic, viscous, row = zero, zero, n * k
        for l in range(n):
            blocks.mass[row + l] = zero
        for l in range(ranges[k].begin, ranges[k].end):
            elastic += arrays.stiffness[row + l] * q[e + l]
            viscous += arrays.damping[row + l] * v[ev + l]
            blocks.mass[row + l] = arrays.mass[row + l]
        blocks.b[k] = elastic + viscous
        momentum = arrays.momenta[k]
        blocks.coupling[k] = Wrench(momentum.angular, momentum.linear)


@kernel
def bent(shape, chi, count, shortens, q, e, v, ev, rho):
    """Motion of a slice by the `count` coordinates that bend in one plane; their rho are written if it shortens the
    beam.

    Returns the deflection and its velocity, the foreshortening, its velocity, and what remains of its acceleration
    when e does not accelerate.
    """
    y, u, short, short_rate, bias = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        ek, vk = q[e + k], v[ev + k]
        y += shape[k] * ek
        u += shape[k] * vk
        if shortens:
            row, row_rate = 0.0, 0.0
            for l in range(count):
                row += chi[count * k + l] * q[e + l]
                row_rate += chi[count * k + l] * v[ev + l]
            rho[k] = row
            short += 0.5 * row * ek
            short_rate += row * vk
            bias += row_rate * vk
    return y, u, short, short_rate, bias


@operation
def point_inertia(J, m, r):
    """J and the inertia of a mass m at r."""
    x, y, z = r
    mx, my, mz = m * r
    return Sym3(
        J.xx + y * my + z * mz,
        J.yy + x * mx + z * mz,
        J.zz + x * mx + y * my,
        J.xy - x * my,
        J.xz - x * mz,
        J.yz - y * mz,
    )


@kernel
def put_sums(model, ws, i, R, first, J, moment, force):
    """The sums over body i into its row, turned from the beam's axes to the world's: first moment, inertia, bias
    moment and force, the columns of the internal coordinates in ws.flex; the half above their diagonal is filled."""
    n, body, blocks = model.tree[i].ne, ws.bodies[i], dense_blocks(model, ws.flex, i)
    for k in range(n):
        U = blocks.coupling[k]
        blocks.coupling[k] = Wrench(R @ U.moment, R @ U.force)
        for l in range(k):
            blocks.mass[n * l + k] = blocks.mass[n * k + l]
    body.first_moment, body.inertia = R @ first, rotated(R, J)
    body.bias_force = Wrench(R @ moment, R @ force)


class SliceArrays(NamedTuple):
    """Numbers of a slice."""

    mass: float
    place: Vec3
    shape: Values  # of each coordinate that bends its displacement across
    psi: Values  # displacement by each other coordinate, vectors
    chi: Values  # of those that bend along y, then along z, squares


@kernel
def slice_of(model, i, p):
    """Slice p of body i."""
    body = lumped_body(model, i)
    ny, nz = body.bending_y, body.bending_z
    shape, axial = 4 + ny + nz, 3 * (body.moving - ny - nz)
    size = shape + axial + (ny * ny + nz * nz if body.shortens else 0)
    numbers = lumped_arrays(model, i).slices[p * size :]
    place, psi, chi = vectors_at(numbers, 1)[0], vectors_at(numbers, shape), numbers[shape + axial :]
    return SliceArrays(numbers[0], place, numbers[4:], psi, chi)


@kernel
def shortens_moving(body):
    """Whether bending displaces slices along the beam."""
    return body.shortens and body.inertia != UNDEFORMED and body.bending_y + body.bending_z > 0


@optional_kernel("lumped")
def lumped_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a lumped body, into its row of ws.bodies and its blocks of ws.flex."""
    n, e, ev, flex = model.tree[i].ne, model.tree[i].e, model.tree[i].ev, ws.flex
    body, arrays, blocks = lumped_body(model, i), lumped_arrays(model, i), dense_blocks(model, ws.flex, i)
    o, rho, b, mass = model.tree[i].flex, blocks.scratch, blocks.b, blocks.mass
    ny, nz, moving = body.bending_y, body.bending_z, body.moving
    nb, shortens, deformed = ny + nz, shortens_moving(body), body.inertia != UNDEFORMED
    R = beam_axes_in_world(model, ws, i)
    omega = R.T @ ws.bodies[i].omega
    none, zero = omega.zero, omega.zero.x

    # elastic forces
    begin_blocks(model, ws, i, q, v)
    if body.membrane != NO_MEMBRANE:
        membrane_force(model, i, q, b)
    coupling_force(body.coupling, body.coupling_points, n, q, e, 1.0, b)

    # the slices' own inertia: momentum J omega + sum h_k e_k' about their centres
    J = arrays.own[0]
    spin = J @ omega
    if deformed:
        for k in range(n):
            spin += v[ev + k] * arrays.momenta[k].angular
    moment = cross(omega, spin)
    if body.sections > 0:
        turned, more = turned_inertia(model, ws, i, q, v, omega)
        J, moment = J + turned, moment + more
    force, first = none, none
    # each slice is a mass point at r that moves with u; foreshortening is along x
    for p in range(body.slices):
        own = slice_of(model, i, p)
        m, shape, psi = own.mass, own.shape, own.psi
        r, u, bias = own.place, none, zero
        if deformed:
            y, uy, s, us, more = bent(shape, own.chi, ny, shortens, q, e, v, ev, rho)
            z, uz, t, ut, bias = bent(shape[ny:], own.chi[ny * ny :], nz, shortens, q, e + ny, v, ev + ny, rho[ny:])
            bias += more
            r += Vec3(s + t, y, z)
            u = Vec3(us + ut, uy, uz)
            for k in range(moving - nb):
                r += q[e + nb + k] * psi[k]
                u += v[ev + nb + k] * psi[k]
        # its force without accelerations of coordinates
        f = m * cross(omega, cross(omega, r) + 2.0 * u)
        f = Vec3(f.x + m * bias, f.y, f.z)
        force += f
        moment += cross(r, f)
        if body.inertia == UNDEFORMED_MASS:
            r = own.place
        J = point_inertia(J, m, r)
        mr = m * r
        first += mr

        # blocks of bending: a shape moves across and, by foreshortening, along the beam
        for k in range(nb):
            along, across, a = rho[k] if shortens else zero, shape[k], o + 6 * k
            if k < ny:
                b[k] += along * f.x + across * f.y
                add_value(flex, a, Vec3(-across * mr.z, along * mr.z, across * mr.x - along * mr.y))
            else:
                b[k] += along * f.x + across * f.z
                add_value(flex, a, Vec3(across * mr.y, along * mr.z - across * mr.x, -along * mr.y))
            if shortens:
                flex[a + 3] += m * along
                for l in range(k + 1):
                    mass[n * k + l] += m * along * rho[l]
        # blocks of stretch, and of stretch with foreshortening
        for k in range(nb, moving):
            along = psi[k - nb]
            b[k] += along @ f
            add_value(flex, o + 6 * k, cross(mr, along))
            if shortens:
                for l in range(nb):
                    mass[n * k + l] += m * along.x * rho[l]

    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("lumped")
def lumped_attraction(model, ws, i, q, v, G):
    """Takes int psi_k . G r dm off the block b of body i."""
    e, ev, body, blocks = model.tree[i].e, model.tree[i].ev, lumped_body(model, i), dense_blocks(model, ws.flex, i)
    rho, b = blocks.scratch, blocks.b
    ny, nz, moving = body.bending_y, body.bending_z, body.moving
    nb, shortens = ny + nz, shortens_moving(body)
    G = rotated(beam_axes_in_world(model, ws, i).T, G)
    if body.sections > 0:
        turned_attraction(model, ws, i, q, v, G)
    zero = 0.0 * ws.flex[0]
    for p in range(body.slices):
        own = slice_of(model, i, p)
        shape, psi = own.shape, own.psi
        r = own.place
        if body.inertia != UNDEFORMED:
            y, _, s, _, _ = bent(shape, own.chi, ny, shortens, q, e, v, ev, rho)
            z, _, t, _, _ = bent(shape[ny:], own.chi[ny * ny :], nz, shortens, q, e + ny, v, ev + ny, rho[ny:])
            r += Vec3(s + t, y, z)
            for k in range(moving - nb):
                r += q[e + nb + k] * psi[k]
        f = own.mass * (G @ r)
        for k in range(nb):
            along = rho[k] if shortens else zero
            b[k] += -along * f.x - shape[k] * (f.y if k < ny else f.z)
        for k in range(nb, moving):
            b[k] -= psi[k - nb] @ f
