"""Derivatives of all that acts on the tree besides the tree: contacts, laws, constraints.

With M a + h(q, v) = effort + Q(t, q, v, z) and dz/dt = g(t, q, v, z), K and C get -dQ/dx and -dQ/dv added, and
`Applied` has dQ/dz, dg/dx, dg/dv and dg/dz. Derivatives of the tree itself, of struts, springs, drives and loads among
it, are those of `derivatives.inverse_derivatives`. Implicit steps and linear models take them from here alike.

There are formulas for how bodies and markers move, for the built-in laws of point contacts, for balls and capsules on
planes, pairs of balls, and corners on planes. Without one, and so differenced, each over its own few arguments, are

    forces by laws, controllers        `laws`: all coordinates, velocities, own states and sensed contact forces
    users' contact laws                `sites`: depth, rate, load, slip, own states
    places where other pairs touch     `geometry`: six displacements of one shape
    parts of volumetric contacts       `parts`: the same, six motions, own states
    rows of constraints                `constraints`: six displacements of one frame

Of which models all this holds is said by `model.derivatives.analytical`.
"""

from __future__ import annotations

from ...compiler import entry_point
from ...tree.kinematics import kinematics
from ..derivative_layout import PATH_ENTRY, PATH_R
from .constraint_forces import constraint_partials
from .contact_pairs import contact_partials
from .force_laws import law_partials
from .marker_columns import path_columns


@entry_point
def applied_partials(model, task, stages, t, q, v, z, latched, p, ws, sl, ap, laws, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C (nv, nv), and fills by_state, rate_x, rate_v, rate_z and felt_... of `ap`.

    sl      scratch of the tree's derivatives, `derivatives_layout.partials`
    ap      `layout.applied`
    laws    the first state of a law in z, -1 where there is no law

    Latched values are frozen; of the sums that volumetric contacts keep (work of relaxation, of parts that vanished),
    on which nothing depends, no derivatives are taken.
    """
    for array in (ap.by_state, ap.rate_x, ap.rate_v, ap.rate_z):
        for j in range(array.shape[0]):
            for k in range(array.shape[1]):
                array[j, k] = 0.0
    for c in range(ap.felt_x.shape[0]):
        for j in range(6):
            for k in range(v.size):
                ap.felt_x[c, j, k] = 0.0
                ap.felt_v[c, j, k] = 0.0
            for k in range(ap.felt_z.shape[2]):
                ap.felt_z[c, j, k] = 0.0
    if model.contact_index.shape[0] > 0:
        kinematics(model, ws, q, v)
        contact_partials(model, stages.touch, ws, sl, ap, q, v, z, latched, K, C)
    if laws >= 0:
        for j in range(v.size):
            for k in range(v.size):
                ap.scratch[j, k] = 0.0
                ap.fast[j, k] = 0.0
        law_partials(model, task, stages, t, q, v, z, latched, p, ws, ap, laws, K, C)


@entry_point
def multiplier_partials(model, t, q, v, ws, sl, ap, K, rate_x):
    """Adds -d(A^T lambda)/dx to K (nv, nv) and d(A v + c)/dx to `rate_x` (rows, nv), lambda in ws.rows[:, FORCE]."""
    kinematics(model, ws, q, v)
    constraint_partials(model, ws, sl, ap, t, q, v, K, rate_x)


@entry_point
def marker_partials(model, ws, sl, m, q, v, out):
    """Velocity (angular, linear) of marker m by displacements, into out (6, nv)."""
    kinematics(model, ws, q, v)
    for j in range(6):
        for k in range(v.size):
            out[j, k] = 0.0
    for row in range(path_columns(model, ws, sl, 0, m, q, v)):
        for j in range(6):
            out[j, sl.path_index[row, PATH_ENTRY]] += sl.path[row, PATH_R + j]
