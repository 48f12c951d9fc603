"""Gravity of an orbit on the coordinates of a deploying body: its length and the amplitudes that follow it."""

from __future__ import annotations

from ..algebra import Vec3, rotated
from ..body_data import vectors_at
from ..compiler import optional_kernel
from .deployable_beam import GAUSS, slice_sums
from .deployable_layout import deployable_body, slice_at
from .lumped_beam_inertia import beam_axes_in_world
from .lumped_layout import dense_blocks


@optional_kernel("deploying")
def deploying_attraction(model, ws, i, q, v, G):
    """Takes int dr/dq_k . G r dm off the block b of body i, q_k its length and amplitudes, r as in `deploying`.

    A particle of a stretching beam keeps its fraction of the length, one of an emerging beam its distance from the
    tip; the stowed rod moves along x with the length. Places are continuous at the mouth, so that, other than in the
    kinetic energy, the limit of the integrals, which moves, adds nothing. The sections' own inertia is the same at
    every length, and is not taken to turn with them, as in the rest of their inertia.
    """
    n, e, ev, blocks = model.tree[i].ne, model.tree[i].e, model.tree[i].ev, dense_blocks(model, ws.flex, i)
    body, section = deployable_body(model, i)
    columns, b = vectors_at(blocks.scratch, 0), blocks.b
    # the gradient in the beam's axes
    G = rotated(beam_axes_in_world(model, ws, i).T, G)
    length, zero = q[e], 0.0 * ws.flex[0]
    inverse = 1.0 / length
    # slices of what is out: place and columns as in `deploying_inertia`
    for p in range(body.slices):
        own = slice_at(body, n - 1, p)
        a = section.emerges * (1.0 - own.xi) * inverse
        s = slice_sums(body, own, q, e + 1, v, ev + 1, columns, inverse)
        y, z, u, half = s.y, s.z, s.u, 0.5 * inverse
        along = own.xi + a * (length + u.y) - half * (a * (y.y * y.y + z.y * z.y) + s.c.x * inverse)
        columns[0] = Vec3(along, y.y * a, z.y * a)
        r = Vec3(own.xi * length + half * s.c.x + u.x, y.x, z.x)
        f = own.weight * (section.fixed_mass + section.density * length) * (G @ r)
        for k in range(n):
            b[k] -= columns[k] @ f
    # the stowed rod, by its two Gauss points
    if section.density > 0.0:
        stowed = section.total - length
        for k in range(2):
            r = Vec3(stowed * (-0.5 + (2 * k - 1) * GAUSS), zero, zero)
            b[0] += -0.5 * section.density * stowed * (G @ r).x
