"""Twist of a deploying beam, and what passes the mouth from which it emerges."""

from __future__ import annotations

from ..algebra import Wrench
from ..compiler import kernel
from .deployable_layout import deployable_arrays, deployable_body


@kernel
def add_twist(blocks, shapes, twist, turning, nt, before, n, inertia, a, b, rate):
    """What the twist of a slice adds to the blocks of its body; returns its spin and the rate of it that is left over.

    twist, turning    `line_sums` over the nt coordinates that twist; `before` others stand before them
    inertia           of the slice about x [kg m^2]
    """
    twists = blocks.scratch[3 * n :]
    twists[0] = twist.y * a
    for k in range(nt):
        twists[1 + k] = shapes[k].x
    more = inertia * rate * (2.0 * a * turning.y + rate * (twist.z * a * a + twist.y * b))
    for k in range(nt + 1):
        j, turn = 0 if k == 0 else before + k, twists[k]
        blocks.coupling[j] += Wrench(inertia * turn, 0.0, 0.0, 0.0, 0.0, 0.0)
        blocks.b[j] += turn * more
        for l in range(k + 1):
            h = 0 if l == 0 else before + l
            blocks.mass[n * j + h] += inertia * turn * twists[l]
    return inertia * (turning.x + twist.y * a * rate), more


@kernel
def at_the_mouth(model, i, q, inverse):
    """Stretch and twist where the beam emerges.

    They begin there, and a particle that passes changes its velocity by l' times them: this is what
    d/dt (dT/dq') - dT/dq has besides the integrals, because their limit moves.
    """
    body, _ = deployable_body(model, i)
    root, e, nb = deployable_arrays(model, i).root, model.tree[i].e + 1, body.bending_y + body.bending_z
    stretch, twist = 0.0 * q[0], 0.0 * q[0]
    for k in range(nb, model.tree[i].ne - 1):
        if k < nb + body.axial:
            stretch += root[k] * q[e + k] * inverse
        else:
            twist += root[k] * q[e + k] * inverse
    return stretch, twist
