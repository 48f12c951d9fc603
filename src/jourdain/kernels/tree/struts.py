"""Struts: springs, dampers and constant pulls between two markers, along the line through them.

With d from the first marker to the second, l its length and e = d / l, the first marker is pulled by

    f = (k (l - l0) + c dl/dt + p) e = k d + (c dl/dt + p - k l0) e

and the second by -f. Where the markers coincide (l below SHORTEST) the line has no direction, and the part along e is
left out: the force is then k d, which is right to the last digit for a spring of length zero, and for any other the
mean over all directions.
"""

from __future__ import annotations

from ..compiler import kernel, optional_kernel
from .markers import apply_wrench, marker_kinematics

SHORTEST = 1e-12
"""Distance of two markers below which they have no line [m]."""


@kernel
def strut_line(model, ws, i, q, v):
    """(d, l, 1 / l, u) of strut i: from its first marker to its second, the length, and the relative velocity.

    1 / l is 0 where the markers coincide.
    """
    ends = model.strut_markers[i]
    a, b = ends.first, ends.second
    r_a, _, V_a = marker_kinematics(model, ws, a, q, v)
    p_a = ws.bodies[model.markers[a].body].p_WB + r_a
    r_b, _, V_b = marker_kinematics(model, ws, b, q, v)
    d = ws.bodies[model.markers[b].body].p_WB + r_b - p_a
    length = (d @ d) ** 0.5
    inverse = 1.0 / length if length.real > SHORTEST else 0.0 * length
    return d, length, inverse, V_b.linear - V_a.linear


@kernel
def strut_force(p, d, inverse, u):
    """Force on the first marker [N], and the rate of the length [m/s]; p is the row of the strut."""
    rate = (d @ u) * inverse
    along = (p.damping * rate + p.pull - p.stiffness * p.length) * inverse
    return (p.stiffness + along) * d, rate


@optional_kernel("struts", returns=(1, 1))
def pull_struts(model, ws, q, v):
    """`apply_struts` of a model that has some."""
    supplied = dissipated = ws.bodies[0].p_WB.zero.x
    for i in range(len(model.strut_parameters)):
        p, ends = model.strut_parameters[i], model.strut_markers[i]
        d, _, inverse, u = strut_line(model, ws, i, q, v)
        force, rate = strut_force(p, d, inverse, u)
        apply_wrench(model, ws, ends.first, q, v, force.zero, force)
        apply_wrench(model, ws, ends.second, q, v, force.zero, -force)
        supplied -= p.pull * rate
        dissipated += p.damping * rate * rate
    return supplied, dissipated


@kernel
def apply_struts(model, ws, q, v):
    """Lets all struts act, after `kinematics`. Returns the power that their constant pulls supply, and the power that
    their dampers dissipate [W]."""
    if len(model.strut_parameters) > 0:
        return pull_struts(model, ws, q, v)
    return ws.bodies[0].p_WB.zero.x, ws.bodies[0].p_WB.zero.x


@optional_kernel("struts", returns=1)
def stored_in_struts(model, ws, q, v):
    """`strut_energy` of a model that has some."""
    energy = ws.bodies[0].p_WB.zero.x
    for i in range(len(model.strut_parameters)):
        _, length, _, _ = strut_line(model, ws, i, q, v)
        energy += 0.5 * model.strut_parameters[i].stiffness * (length - model.strut_parameters[i].length) ** 2
    return energy


@kernel
def strut_energy(model, ws, q, v):
    """Energy stored in the springs of all struts [J], after `kinematics`."""
    if len(model.strut_parameters) > 0:
        return stored_in_struts(model, ws, q, v)
    return ws.bodies[0].p_WB.zero.x
