"""Struts: springs, dampers and constant pulls between two markers, along the line through them.

With d from the first marker to the second, l its length and e = d / l, the first marker is pulled by

    f = (k (l - l0) + c dl/dt + p) e = k d + (c dl/dt + p - k l0) e

and the second by -f. Where the markers coincide (l below SHORTEST) the line has no direction, and the part along e is
left out: the force is then k d, which is right to the last digit for a spring of length zero, and for any other the
mean over all directions.
"""

from __future__ import annotations

from ..columns import POS
from ..compiler import kernel, separate_kernel
from ..constraints.constraint_layout import STRUT_DAMPING, STRUT_LENGTH, STRUT_PULL, STRUT_STIFFNESS
from ..spatial import add, dot, scale, sub, vec
from .markers import apply_wrench, marker_frame

SHORTEST = 1e-12
"""Distance of two markers below which they have no line [m]."""


@kernel
def strut_line(model, ws, i, q, v):
    """(d, l, 1 / l, u) of strut i: from its first marker to its second, the length, and the relative velocity.

    1 / l is 0 where the markers coincide.
    """
    a, b = model.strut_index[i, 0], model.strut_index[i, 1]
    ra, _, _, ua = marker_frame(model, ws, a, q, v)
    pa = add(vec(ws.work, model.marker_index[a, 0], POS), ra)
    rb, _, _, ub = marker_frame(model, ws, b, q, v)
    d = sub(add(vec(ws.work, model.marker_index[b, 0], POS), rb), pa)
    length = dot(d, d) ** 0.5
    inverse = 1.0 / length if length.real > SHORTEST else 0.0 * length
    return d, length, inverse, sub(ub, ua)


@kernel
def strut_force(p, d, inverse, u):
    """Force on the first marker [N], and the rate of the length [m/s]; p are the numbers of the strut."""
    rate = dot(d, u) * inverse
    along = (p[STRUT_DAMPING] * rate + p[STRUT_PULL] - p[STRUT_STIFFNESS] * p[STRUT_LENGTH]) * inverse
    return scale(p[STRUT_STIFFNESS] + along, d), rate


@separate_kernel
def pull_struts(model, ws, q, v):
    """`apply_struts` of a model that has some."""
    supplied = 0.0 * ws.work[0, 0]
    dissipated = supplied
    for i in range(model.struts.shape[0]):
        p = model.struts[i]
        d, _, inverse, u = strut_line(model, ws, i, q, v)
        force, rate = strut_force(p, d, inverse, u)
        none = scale(0.0, force)
        apply_wrench(model, ws, model.strut_index[i, 0], q, v, none, force)
        apply_wrench(model, ws, model.strut_index[i, 1], q, v, none, scale(-1.0, force))
        supplied -= p[STRUT_PULL] * rate
        dissipated += p[STRUT_DAMPING] * rate * rate
    return supplied, dissipated


@kernel
def apply_struts(model, ws, q, v):
    """Lets all struts act, after `kinematics`. Returns the power that their constant pulls supply, and the power that
    their dampers dissipate [W]."""
    if model.struts.shape[0] > 0:
        return pull_struts(model, ws, q, v)
    return 0.0 * ws.work[0, 0], 0.0 * ws.work[0, 0]


@separate_kernel
def stored_in_struts(model, ws, q, v):
    """`strut_energy` of a model that has some."""
    energy = 0.0 * ws.work[0, 0]
    for i in range(model.struts.shape[0]):
        _, length, _, _ = strut_line(model, ws, i, q, v)
        energy += 0.5 * model.struts[i, STRUT_STIFFNESS] * (length - model.struts[i, STRUT_LENGTH]) ** 2
    return energy


@kernel
def strut_energy(model, ws, q, v):
    """Energy stored in the springs of all struts [J], after `kinematics`."""
    if model.struts.shape[0] > 0:
        return stored_in_struts(model, ws, q, v)
    return 0.0 * ws.work[0, 0]
