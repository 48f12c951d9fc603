"""Derivatives of struts (spring-dampers between markers) by displacements and velocities.

Of f = k d + s d / l with s = c dl/dt + p - k l0, across the line (P = 1 - e e^T) and along it:

    df = k dd + s / l P dd + c e (u . P dd / l + e . du),

d from the first marker to the second and u its rate. The motion of the markers is in marker_columns.py.
"""

from __future__ import annotations

from ...compiler import kernel, outlined_kernel
from ...spatial import add, dot, scale, sub, vec
from ...tree.struts import strut_force, strut_line
from ..derivative_layout import PATH_D, PATH_ENTRY, PATH_R, PATH_S
from .marker_columns import path_columns, standing_wrench


@kernel
def strut_change(p, d, inverse, u, dd, du):
    """Change of the force on the first marker as d and its rate change by dd and du."""
    e = scale(inverse, d)
    damping = p.damping
    along = damping * dot(e, u) + p.pull - p.stiffness * p.length
    across = scale(inverse, sub(dd, scale(dot(e, dd), e)))
    df = add(scale(p.stiffness, dd), scale(along, across))
    return add(df, scale(damping * (dot(u, across) + dot(e, du)), e))


@outlined_kernel
def strut_partials(model, ws, sl, q, v, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C, Q the generalised forces of all struts, after `kinematics`."""
    path, index, none = sl.path, sl.path_index, (0.0, 0.0, 0.0)
    for i in range(len(model.strut_parameters)):
        p = model.strut_parameters[i]
        d, _, inverse, u = strut_line(model, ws, i, q, v)
        force, _ = strut_force(p, d, inverse, u)
        d, u, force = tuple(d), tuple(u), tuple(force)
        first, second = model.strut_markers[i].first, model.strut_markers[i].second
        na = path_columns(model, ws, sl, 0, first, q, v)
        nb = path_columns(model, ws, sl, 1, second, q, v)
        # the constant force under displaced markers, then its change by the motion of both
        standing_wrench(model, ws, sl, 0, na, first, none, force, q, v, K)
        standing_wrench(model, ws, sl, 1, nb, second, none, scale(-1.0, force), q, v, K)
        for b in range(na + nb):
            col, way = (b, -1.0) if b < na else (v.size + b - na, 1.0)
            k = index[col, PATH_ENTRY]
            dd, du = vec(path, col, PATH_D + 3), vec(path, col, PATH_R + 3)
            by_x = scale(way, strut_change(p, d, inverse, u, dd, du))
            by_v = scale(way, strut_change(p, d, inverse, u, none, vec(path, col, PATH_S + 3)))
            for a in range(na + nb):
                row, side = (a, 1.0) if a < na else (v.size + a - na, -1.0)
                t = vec(path, row, PATH_S + 3)
                K[index[row, PATH_ENTRY], k] -= side * dot(t, by_x)
                C[index[row, PATH_ENTRY], k] -= side * dot(t, by_v)
