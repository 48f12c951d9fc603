"""State and scratch of the integrators.

All methods solve, at one or more points of a step, for a correction (dx, dv, dz, dl) of displacements of the tangent
space, velocities, integrated states and multipliers:

    nu dx - dv = -r_x,    mu M dv + C dv + K dx - F_z dz - A^T dl = -r_v,    mu dz - Z_x dx - Z_v dv - Z_z dz = -r_z,

and A dx = -g (index 3) or A dv + G dx = -g' (index 2, and rows that are not holonomic). M, C, K are derivatives of
inverse dynamics less all that acts; they do not depend on the step, so that another step size takes another
factorisation and no function call (Fuchs & Arnold 2003, eq. 15). Displacements are eliminated: dx = (dv - r_x) / nu.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..derivatives.applied.applied_layout import AppliedDerivatives, applied
from ..derivatives.derivative_layout import DerivativeScratch, partials
from ..model_arrays import ModelArrays, Workspace
from ..records import NestedRecord, Record, c128, f64, i8, i64, row
from ..rows import Row


class IntegratorState(Row):
    """`Loop.integrator` of any method, and `Corrector.integrator` of an implicit one, which are the same."""

    form: int  # 0 without multipliers, else the index: 2 or 3
    restart: bool  # where what was remembered of earlier steps is not of this motion
    mu: float  # of the real factorisation
    nu: float
    mu_re: float  # of the complex factorisation
    mu_im: float
    aged: bool  # where derivatives are to be taken anew before the next step
    fresh: bool  # where they were taken for this step
    stuck: int  # trials in a row whose corrections did not converge
    last_step: float  # the step taken last [s]
    last_error: float  # and its error
    tolerance: float  # of the corrections, over that of the error
    order: int  # of the error estimate
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    top_order: int  # the highest order that BDF may take
    fixed_order: bool  # where BDF keeps it
    spacing: float  # of the differences that BDF remembers [s]
    equal_steps: int  # steps at this spacing and order
    iterations: int  # of the last correction
    steps: int  # since the restart
    rejected: bool  # where the last trial was rejected
    adaptive: bool  # where the error is wanted
    states: int  # how many integrated states count
    first_rates: bool  # where a method needs the rates at the start of every step
    first_order: int  # order by which the first step is chosen
    laws: int  # the first integrated state of a law, -1 where there is no law
    below: int  # diagonals of the band below the main one
    above: int
    banded: bool  # where the factors at hand are those of the band
    banded_c: bool
    implicit: bool  # methods that have a `Corrector`
    base: int  # corrections of the first step with the derivatives at hand, 0 where there was none yet
    spent: int  # corrections beyond that of all steps since
    eased: bool  # where a step is taken although energy rises in it: shorter ones cannot be made
    forces_asked: bool  # where points of corrections are asked for forces instead of accelerations


class CorrectorCounts(Row):
    """`Corrector.counts`: what a run took."""

    steps: int
    rejected: int
    iterations: int
    jacobians: int
    factorisations: int
    evaluations: int
    unconverged: int
    differences: int  # evaluations that took derivatives
    banded: int  # factorisations of a band


HISTORY = 12
"""Rows that a method may remember."""


class Corrector(Record, name="C"):
    """Scratch and memory of an implicit method."""

    integrator = row(IntegratorState)
    counts = row(CorrectorCounts)
    table = f64(1)  # coefficients of the method
    history = f64(2)  # (HISTORY, n) what the method remembers, n = nv + nv + nz + three a path
    trial = f64(2)  # (HISTORY, n) what it is working on
    residuals = f64(2)  # (4, n + nr)
    residual = f64(1)  # (n + nr) of one system, then its correction
    residual_c = c128(1)  # complex
    right = f64(1)  # (m,) right side, m = nv + states + nr
    right_c = c128(1)  # complex
    scale = f64(1)  # (n,) one over the tolerance of each entry; 0 where it does not count
    M = f64(2)  # (nv, nv)
    C = f64(2)
    K = f64(2)
    force_z = f64(2)  # (nv, states) force by integrated states
    z_x = f64(2)  # (states, nv) their rates by displacement
    z_v = f64(2)  # by velocity
    z_z = f64(2)  # (states, states)
    coupled = i64(1)  # (1 + states,) int64: how many states something depends on, and which
    A = f64(2)  # (nr, nv) rows of the constraints, at the last derivatives
    rate_x = f64(2)  # (nr, nv) their rates by displacement
    by_velocity = f64(1)  # (nr,) 1 where a row is met by velocities, 0 by positions
    rows = f64(2)  # (nr, nv) rows of the constraints, at the last evaluation
    mass = f64(2)  # (nv, nv) at the last evaluation of a constrained system
    gap = f64(2)  # (2, nr) violation and its rate
    force = f64(2)  # (5, nr) multipliers: at the start, and of up to four points
    matrix = f64(2)  # (m, m)
    pivots = i64(1)  # (m,) int64
    matrix_c = c128(2)  # (m, m) complex
    pivots_c = i64(1)  # (m,) int64
    order = i64(1)  # (m,) int64: the unknown at each place of the band; empty where it is not used
    band = f64(2)  # (m, 2 below + above + 1), see `banded`; its rows are scaled
    band_c = c128(2)  # complex
    band_scale = f64(2)  # (2, m) what the rows of both were divided by
    placed = f64(1)  # (m,) right side in the order of the band
    placed_c = c128(1)  # complex
    group = i64(1)  # (nv,) int64: entries of one group share a difference; rising from 0
    pattern = i8(2)  # (nv, nv) int8: 1 where an effort may depend on an entry
    q = f64(1)  # a state at which derivatives are taken
    v = f64(1)
    z = f64(1)
    partials = NestedRecord(DerivativeScratch)  # of the tree
    applied = NestedRecord(AppliedDerivatives)  # of all else that acts


def corrector(
    arrays: ModelArrays,
    ws: Workspace,
    nz: int,
    form: int,
    table: np.ndarray,
    complex_too: bool,
    partitioned: bool = False,
) -> Corrector:
    """The record of a run; nz counts the integrated states and the two of the bookkeeping, form is the index or 0.

    Without a band, each entry in a group of its own. A run whose unknowns are partitioned has no matrices here.
    """
    nv = len(arrays.q_index)
    nq = arrays.nq
    rows = len(ws.constraint_rows) if form else 0
    # index 3 asks for positions of holonomic rows; all other rows are of velocities
    by_velocity = np.ones(rows)
    for one in arrays.constraints if form == 3 else ():
        by_velocity[one.row : one.row + one.holonomic] = 0.0
    n = 2 * nv + nz + 3 * len(arrays.paths)
    states = nz - 2
    m = nv + states + rows
    mc, wide, square = m if complex_too else 0, 0 if partitioned else nv, 0 if partitioned else m
    # a run begins with a restart and a matrix to be made
    integrator = IntegratorState.made(restart=True, aged=True, implicit=True, states=states, form=form)
    # vectors of a system, square matrices of it; those of bands get their size when a band is found
    shapes: dict[str, Any] = {
        "counts": CorrectorCounts.size,
        "history": (HISTORY, n),
        "trial": (HISTORY, n),
        "scale": n,
    }
    shapes |= {"residuals": (4, n + rows), "residual": n + rows, "residual_c": n + rows, "right": m, "right_c": m}
    shapes |= dict.fromkeys(("M", "C", "K", "mass"), (nv, wide)) | dict.fromkeys(("A", "rate_x", "rows"), (rows, nv))
    shapes |= {"gap": (2, rows), "force": (5, rows), "matrix": (square, square), "pivots": square}
    shapes |= {"matrix_c": (mc, mc), "pivots_c": mc, "band_scale": (2, 0), "q": nq, "v": nv, "z": nz}
    shapes |= dict.fromkeys(("order", "placed", "placed_c"), 0) | dict.fromkeys(("band", "band_c"), (0, 0))
    forces = None if partitioned else applied(arrays, ws, states, nq)
    if forces is None:
        by_states: dict[str, np.ndarray] = {}
        shapes |= {"force_z": (nv, states), "z_x": (states, nv), "z_v": (states, nv), "z_z": (states, states)}
    else:
        by_states = {"force_z": forces.by_state, "z_x": forces.rate_x, "z_v": forces.rate_v, "z_z": forces.rate_z}
    return Corrector.zeros(
        shapes,
        **by_states,
        integrator=integrator,
        table=np.ascontiguousarray(table, float),
        coupled=np.array([states, *range(states)], np.int64),
        by_velocity=by_velocity,
        group=np.arange(nv),
        pattern=np.ones((nv, wide), np.int8),
        partials=None if partitioned else partials(arrays),
        applied=forces,
    )


def with_band(co: Corrector, order: np.ndarray, below: int, above: int) -> Corrector:
    """The same with matrices of a band: `order` is the unknown at each of its places."""
    m, mc = len(co.matrix), len(co.matrix_c)
    width = 2 * below + above + 1
    co.integrator.below, co.integrator.above = below, above
    return co._replace(
        order=np.ascontiguousarray(order, np.int64),
        band=np.zeros((m, width)),
        band_c=np.zeros((mc, width), complex),
        band_scale=np.zeros((2, m)),
        placed=np.zeros(m),
        placed_c=np.zeros(mc, complex),
    )


AGAIN = 1
"""What a correction with surfaces that touch says where nodes keep their states, but another one is to follow."""
