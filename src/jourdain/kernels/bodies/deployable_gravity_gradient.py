"""Gravity of an orbit on the coordinates of a deploying body: its length and the amplitudes that follow it."""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, get, put31, vec1
from ..spatial import dot, mat, rotate_sym, scale, sym_times, transpose
from .deployable_beam import GAUSS, line_sums, plane_sums
from .deployable_layout import (
    DEPLOYED_AXIAL,
    DEPLOYED_BENDING_Y,
    DEPLOYED_BENDING_Z,
    DEPLOYED_TORSION,
    EMERGES,
    FIXED_MASS,
    MASS_A_LENGTH,
    SLICES,
    SLICES_AT,
    WHOLE,
)
from .lumped_beam_inertia import beam_axes_in_world


@kernel
def pulled(flex, n, be, columns, f):
    """Takes the force f on a slice, whose displacements are in flex[columns + 3 k], off the block that begins at be."""
    for k in range(n):
        accumulate(flex, be + k, -dot(vec1(flex, columns + 3 * k), f))


@optional_kernel("deploying")
def deploying_attraction(model, ws, i, q, v, G):
    """Takes int dr/dq_k . G r dm off the block b of body i, q_k its length and amplitudes, r as in `deploying`.

    A particle of a stretching beam keeps its fraction of the length, one of an emerging beam its distance from the
    tip; the stowed rod moves along x with the length. Places are continuous at the mouth, so that, other than in the
    kinetic energy, the limit of the integrals, which moves, adds nothing. The sections' own inertia is the same at
    every length, and is not taken to turn with them, as in the rest of their inertia.
    """
    table, floats, integers, flex = model.table, model.floats, model.integers, ws.flex
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev = table[i, E], table[i, EV]
    m, be = n - 1, table[i, FLEX] + 6 * n + n * n
    columns = flex.size - 6 * n
    ny, nz = integers[own + DEPLOYED_BENDING_Y], integers[own + DEPLOYED_BENDING_Z]
    na, nt = integers[own + DEPLOYED_AXIAL], integers[own + DEPLOYED_TORSION]
    nb = ny + nz
    # the gradient in the beam's axes
    G = rotate_sym(transpose(beam_axes_in_world(mat(ws.work, i, ROT), floats, body)), G)
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    length = q[e]
    inverse = 1.0 / length
    fixed, density, g = floats[body + FIXED_MASS], floats[body + MASS_A_LENGTH], floats[body + EMERGES]
    for k in range(nt):
        put31(flex, columns + 3 * (1 + nb + na + k), none)
    at = body + integers[own + SLICES_AT]
    # slices of what is out: place and columns as in `deploying_inertia`
    for _ in range(integers[own + SLICES]):
        xi, weight = get(floats, at), get(floats, at + 1)
        a = g * (1.0 - xi) * inverse
        shape = at + 2
        chi = shape + 3 * m
        at = chi + ny * ny + nz * nz
        y, y1, _, _, _, c, _, _ = plane_sums(floats, shape, chi, ny, q, e + 1, v, ev + 1, flex, columns + 3, inverse, 1)
        shape += 3 * ny
        z, z1, _, _, _, more, _, _ = plane_sums(
            floats, shape, chi + ny * ny, nz, q, e + 1 + ny, v, ev + 1 + ny, flex, columns + 3 + 3 * ny, inverse, 2
        )
        c += more
        shape += 3 * nz
        u, u1, _, _, _ = line_sums(floats, shape, na, q, e + 1 + nb, v, ev + 1 + nb, zero)
        for k in range(na):
            put31(flex, columns + 3 * (1 + nb + k), (get(floats, shape + 3 * k) + zero, zero, zero))
        s = 0.5 * inverse
        along = xi + a * (length + u1) - s * (a * (y1 * y1 + z1 * z1) + c * inverse)
        put31(flex, columns, (along, y1 * a, z1 * a))
        r = (xi * length + s * c + u, y, z)
        pulled(flex, n, be, columns, scale(weight * (fixed + density * length), sym_times(G, r)))
    # the stowed rod, by its two Gauss points
    if density > 0.0:
        stowed = floats[body + WHOLE] - length
        for k in range(2):
            r = (stowed * (-0.5 + (2 * k - 1) * GAUSS), zero, zero)
            accumulate(flex, be, -0.5 * density * stowed * sym_times(G, r)[0])
