"""Derivatives of struts (spring-dampers between markers) by displacements and velocities.

Of f = k d + s d / l with s = c dl/dt + p - k l0, across the line (P = 1 - e e^T) and along it:

    df = k dd + s / l P dd + c e (u . P dd / l + e . du),

d from the first marker to the second and u its rate. The motion of the markers is in marker_columns.py.
"""

from __future__ import annotations

from ...compiler import kernel, optional_kernel
from ...tree.struts import strut_force, strut_line
from .marker_columns import path_columns, standing_wrench


@kernel
def strut_change(p, d, inverse, u, dd, du):
    """Change of the force on the first marker as d and its rate change by dd and du."""
    e = inverse * d
    along = p.damping * (e @ u) + p.pull - p.stiffness * p.length
    across = inverse * (dd - (e @ dd) * e)
    return p.stiffness * dd + along * across + p.damping * (u @ across + e @ du) * e


@optional_kernel("struts")
def strut_partials(model, ws, sl, q, v, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C, Q the generalised forces of all struts, after `kinematics`."""
    columns, entries = sl.marker_columns, sl.marker_entries
    for i in range(len(model.strut_parameters)):
        p = model.strut_parameters[i]
        d, _, inverse, u = strut_line(model, ws, i, q, v)
        force, _ = strut_force(p, d, inverse, u)
        none = d.zero
        first, second = model.strut_markers[i].first, model.strut_markers[i].second
        na = path_columns(model, ws, sl, 0, first, q, v)
        nb = path_columns(model, ws, sl, 1, second, q, v)
        # the constant force under displaced markers, then its change by the motion of both
        standing_wrench(model, ws, sl, 0, na, first, tuple(none), tuple(force), q, v, K)
        standing_wrench(model, ws, sl, 1, nb, second, tuple(none), tuple(-force), q, v, K)
        for b in range(na + nb):
            col, way = (b, -1.0) if b < na else (v.size + b - na, 1.0)
            column, k = columns[col], entries[col].v
            by_x = way * strut_change(p, d, inverse, u, column.displacement.linear, column.rate.linear)
            by_v = way * strut_change(p, d, inverse, u, none, column.S.linear)
            for a in range(na + nb):
                row, side = (a, 1.0) if a < na else (v.size + a - na, -1.0)
                t = columns[row].S.linear
                K[entries[row].v, k] -= side * (t @ by_x)
                C[entries[row].v, k] -= side * (t @ by_v)
