"""Sections of a lumped body whose inertia turns with them, in the beam's axes.

A section is a rigid slice without mass at a station of `slices`, turned by R = exp(b) exp(phi d) whatever the rotation
scheme of the body's frames. With theta_k its shapes, w its angular velocity relative to the frame and J = R J0 R^T, it
takes the moment

    N = J a + (omega + w) x J (omega + w),    a = alpha + omega x w + theta_k e_k'' + (what is left of w'),

and of e_k the effort theta_k . N: nothing is expanded, so that the mass matrix stays positive however the beam bends.
The gyroscopic forces of a spinning shaft are in it.

The floats begin with the axes of the beam in its own axes, as `station` reads them; then the sections, each its inertia
about x, y and z (3) and its station.
"""

from __future__ import annotations

from ..algebra import Sym3, Vec3, cross, full, product_inertia, rotated
from ..body_data import motions_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import add_value, vector_at
from .lumped_beam import station
from .lumped_layout import dense_blocks, lumped_body
from .rotation_schemes import EXPONENTIAL


@kernel
def first_section(model, i):
    """Where the head of the sections of body i and the first one begin in model.floats, and how long each is."""
    n = model.tree[i].ne
    head = model.tree[i].floats + lumped_body(model, i).section_head
    return head, head + 12, 7 + 6 * n + n * (n + 1)


@kernel
def section_motion(model, ws, i, head, at, q, v):
    """Inertia of the section at model.floats[at] in the beam's axes, its angular velocity relative to the frame, and
    the acceleration that is left where e does not accelerate; shapes as `station`."""
    node, flex = model.tree[i], ws.flex
    n, base = node.ne, flex.size - 6 * node.ne
    _, R, _, w, _, bias = station(
        model.floats, at + 3, head, EXPONENTIAL, 0.0, 1.0, n, q, node.e, v, node.ev, flex, base
    )
    J = vector_at(model.floats, at)
    return rotated(R, Sym3(J.x, J.y, J.z, 0.0, 0.0, 0.0)), w, bias


@optional_kernel("sections", returns=(Sym3, Vec3))
def turned_inertia(model, ws, i, q, v, omega):
    """Adds the sections of body i to its blocks. Returns their inertia and the moment that they take without
    accelerations."""
    n, o, blocks = model.tree[i].ne, model.tree[i].flex, dense_blocks(model, ws.flex, i)
    shapes, moment = motions_at(blocks.scratch, 0), omega.zero
    J = product_inertia(moment, moment)
    head, at, step = first_section(model, i)
    for _ in range(lumped_body(model, i).sections):
        own, w, bias = section_motion(model, ws, i, head, at, q, v)
        at += step
        spin = omega + w
        taken = own @ (bias + cross(omega, w)) + cross(spin, own @ spin)
        J += own
        moment += taken
        for k in range(n):
            turn = shapes[k].angular
            inertial = own @ turn
            add_value(ws.flex, o + 6 * k, inertial)
            blocks.b[k] += turn @ taken
            for l in range(k + 1):
                blocks.mass[n * k + l] += inertial @ shapes[l].angular
    return J, moment


@optional_kernel("sections")
def turned_attraction(model, ws, i, q, v, G):
    """Takes theta_k . int rho x G rho dm off the block b of body i, G without trace and in the beam's axes.

    With int rho rho^T dm = 1/2 tr(J) - J the moment is that of the skew part of J G, its sign changed.
    """
    blocks, columns = dense_blocks(model, ws.flex, i), full(G)
    shapes = motions_at(blocks.scratch, 0)
    head, at, step = first_section(model, i)
    for _ in range(lumped_body(model, i).sections):
        own, _, _ = section_motion(model, ws, i, head, at, q, v)
        at += step
        x, y, z = own @ columns.x_row, own @ columns.y_row, own @ columns.z_row  # columns of J G
        inertial = Vec3(z.y - y.z, x.z - z.x, y.x - x.y)
        for k in range(model.tree[i].ne):
            blocks.b[k] += shapes[k].angular @ inertial


@kernel
def driven(flex, theta, n, acceleration, ev):
    """sum theta_k e_k''."""
    shapes, a = motions_at(flex, theta), vector_at(flex, 0).zero
    for k in range(n):
        a += acceleration[ev + k] * shapes[k].angular
    return a
