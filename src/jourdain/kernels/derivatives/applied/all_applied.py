"""Derivatives of all applied forces: contacts, force laws, controllers and constraints.

With M a + h(q, v) = effort + Q(t, q, v, z) and dz/dt = g(t, q, v, z), -dQ/dx and -dQ/dv are added to K and C, and
`AppliedDerivatives` has dQ/dz, dg/dx, dg/dv and dg/dz. Derivatives of the tree itself, including struts, springs,
drives and loads, are those of `inverse_derivatives` (dynamics_derivatives.py). Implicit integration and linear models
use the same.

Analytical are the motions of bodies and markers, the built-in laws of point contacts, and the geometry of spheres and
capsules on planes, pairs of spheres, and corners on planes. By differences, each over its own few arguments, are

    forces by laws, controllers        force_laws.py: all coordinates, velocities, own states and sensed contact forces
    users' contact laws                contact_points.py: depth, rate, load, slip, own states
    geometry of other pairs            contact_geometry.py: six displacements of one shape
    parts of volumetric contacts       overlap_parts.py: the same, six motions, own states
    rows of constraints                constraint_forces.py: six displacements of one frame

For which models all this is available: `model.derivatives.analytical`.
"""

from __future__ import annotations

from ...compiler import entry_point
from ...model_arrays import ModelArrays, RunTables, Workspace
from ...signatures import Matrix, Vector
from ...stage_functions import StageFunctions
from ...tree.kinematics import kinematics
from ..derivative_layout import DerivativeScratch
from .applied_layout import AppliedDerivatives
from .constraint_forces import constraint_partials
from .contact_pairs import contact_partials
from .force_laws import law_partials
from .marker_columns import path_columns


@entry_point
def applied_partials(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, sl: DerivativeScratch, ap: AppliedDerivatives, laws: int, K: Matrix,
    C: Matrix,
) -> None:  # fmt: skip
    """Adds -dQ/dx to K and -dQ/dv to C (nv, nv), and fills by_state, rate_x, rate_v, rate_z and felt_... of `ap`.

    sl      scratch of the tree's derivatives, `partials` of derivative_layout.py
    ap      scratch, `applied` of applied_layout.py
    laws    the first state of a law in z, -1 where there is no law

    Latched values are frozen; the sums of volumetric contacts (work of relaxation, of parts that vanished), on which
    nothing depends, are not differentiated.
    """
    for array in (ap.by_state, ap.rate_x, ap.rate_v, ap.rate_z):
        for j in range(array.shape[0]):
            for k in range(array.shape[1]):
                array[j, k] = 0.0
    for c in range(ap.wrench_by_x.shape[0]):
        for j in range(6):
            for k in range(v.size):
                ap.wrench_by_x[c, j, k] = 0.0
                ap.wrench_by_v[c, j, k] = 0.0
            for k in range(ap.wrench_by_z.shape[2]):
                ap.wrench_by_z[c, j, k] = 0.0
    if len(model.contacts) > 0:
        kinematics(model, ws, q, v)
        contact_partials(model, stages.touch, ws, sl, ap, q, v, z, latched, K, C)
    if laws >= 0:
        for j in range(v.size):
            for k in range(v.size):
                ap.scratch[j, k] = 0.0
                ap.fast[j, k] = 0.0
        law_partials(model, task, stages, t, q, v, z, latched, p, ws, ap, laws, K, C)


@entry_point
def multiplier_partials(
    model: ModelArrays, t: float, q: Vector, v: Vector, ws: Workspace, sl: DerivativeScratch, ap: AppliedDerivatives,
    K: Matrix, rate_x: Matrix,
) -> None:  # fmt: skip
    """Adds -d(A^T lambda)/dx to K (nv, nv) and d(A v + c)/dx to `rate_x` (rows, nv); lambda is in
    ws.constraint_rows[:].multiplier.
    """
    kinematics(model, ws, q, v)
    constraint_partials(model, ws, sl, ap, t, q, v, K, rate_x)


@entry_point
def marker_partials(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, m: int, q: Vector, v: Vector, out: Matrix
) -> None:
    """Derivatives of the velocity (angular, linear) of marker m by displacements, into out (6, nv)."""
    kinematics(model, ws, q, v)
    for j in range(6):
        for k in range(v.size):
            out[j, k] = 0.0
    for row in range(path_columns(model, ws, sl, 0, m, q, v)):
        k, rate = sl.marker_entries[row].v, tuple(sl.marker_columns[row].rate)
        for j in range(6):
            out[j, k] += rate[j]
