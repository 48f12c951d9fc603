"""Derivatives of all that acts on the tree besides the tree: contacts and laws; what an implicit step needs.

With M a + h(q, v) = effort + Q(t, q, v, z) and dz/dt = g(t, q, v, z), K and C get -dQ/dx and -dQ/dv added, and
`Applied` has dQ/dz, dg/dx, dg/dv and dg/dz. Derivatives of the tree itself, of struts, springs, drives and loads among
it, are those of `derivatives.inverse_derivatives`.
"""

from __future__ import annotations

from ..compiler import gate
from ..kinematics import kinematics
from .constraints import constraint_slopes
from .contacts import contact_slopes
from .laws import law_slopes


@gate
def applied_slopes(model, task, stages, t, q, v, z, latched, p, ws, sl, ap, laws, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C (nv, nv), and fills by_state, rate_x, rate_v and rate_z of `ap`.

    sl      scratch of the tree's derivatives, `derivatives_layout.slopes`
    ap      `layout.applied`
    laws    the first state of a law in z, -1 where there is no law

    Latched values are frozen; of the sums that volumetric contacts keep (work of relaxation, of parts that vanished),
    on which nothing depends, no derivatives are taken.
    """
    for array in (ap.by_state, ap.rate_x, ap.rate_v, ap.rate_z):
        for j in range(array.shape[0]):
            for k in range(array.shape[1]):
                array[j, k] = 0.0
    if model.contact_index.shape[0] > 0:
        kinematics(model, ws, q, v)
        contact_slopes(model, stages.touch, ws, sl, ap, q, v, z, latched, K, C)
    if laws >= 0:
        for j in range(v.size):
            for k in range(v.size):
                ap.scratch[j, k] = 0.0
                ap.fast[j, k] = 0.0
        law_slopes(model, task, stages, t, q, v, z, latched, p, ws, ap, laws, K, C)


@gate
def multiplier_slopes(model, t, q, v, ws, sl, ap, K, rate_x):
    """Adds -d(A^T lambda)/dx to K (nv, nv) and d(A v + c)/dx to `rate_x` (rows, nv), lambda in ws.rows[:, FORCE]."""
    kinematics(model, ws, q, v)
    constraint_slopes(model, ws, sl, ap, t, q, v, K, rate_x)
