"""Twist of a deploying beam, and what passes the mouth from which it emerges."""

from __future__ import annotations

from ..columns import FLOATS, INTEGERS, E, N
from ..compiler import kernel
from ..flat_arrays import accumulate, get, put
from .deployable_layout import DEPLOYED_AXIAL, DEPLOYED_BENDING_Y, DEPLOYED_BENDING_Z, MATRICES


@kernel
def add_twist(floats, flex, turns, t0, nt, before, n, o, twists, inertia, a, b, rate):
    """What the twist of a slice adds to the blocks of its body; returns its spin and the rate of it that is left over.

    turns      sums of `line_sums` over the nt coordinates that twist; `before` others stand before them
    inertia    of the slice about x [kg m^2]
    """
    _, t1, t2, td, t1d = turns
    ee = o + 6 * n
    be = ee + n * n
    put(flex, twists, t1 * a)
    for k in range(nt):
        put(flex, twists + 1 + k, get(floats, t0 + 3 * k) + 0.0 * flex[0])
    more = inertia * rate * (2.0 * a * t1d + rate * (t2 * a * a + t1 * b))
    for k in range(nt + 1):
        j = 0 if k == 0 else before + k
        turn = get(flex, twists + k)
        accumulate(flex, o + 6 * j, inertia * turn)
        accumulate(flex, be + j, turn * more)
        for l in range(k + 1):
            h = 0 if l == 0 else before + l
            accumulate(flex, ee + n * j + h, inertia * turn * get(flex, twists + l))
    return inertia * (td + t1 * a * rate), more


@kernel
def at_the_mouth(model, i, q, inverse):
    """Stretch and twist where the beam emerges.

    They begin there, and a particle that passes changes its velocity by l' times them: this is what
    d/dt (dT/dq') - dT/dq has besides the integrals, because their limit moves.
    """
    floats, integers = model.floats, model.integers
    body, own, e, m = model.table[i, FLOATS], model.table[i, INTEGERS], model.table[i, E], model.table[i, N] - 1
    nb = integers[own + DEPLOYED_BENDING_Y] + integers[own + DEPLOYED_BENDING_Z]
    na = integers[own + DEPLOYED_AXIAL]
    stretch, twist = 0.0 * q[0], 0.0 * q[0]
    at = body + MATRICES + 3 * m * m
    for k in range(nb, m):
        if k < nb + na:
            stretch += get(floats, at + k) * get(q, e + 1 + k) * inverse
        else:
            twist += get(floats, at + k) * get(q, e + 1 + k) * inverse
    return stretch, twist
