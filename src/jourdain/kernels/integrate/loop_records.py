"""What the loop holds, as one record, and the functions by which a method takes part in it."""

from __future__ import annotations

import numpy as np

from ..derivatives.applied.applied_layout import AppliedDerivatives
from ..derivatives.derivative_layout import DerivativeScratch
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import Function, NestedRecord, Record, f64, row
from ..rows import Row
from ..stage_functions import StageFunctions, f, i, m, none, x
from ..surface_contact.surface_records import SurfaceContact
from .implicit_layout import Corrector, IntegratorState
from .linear_operator import LinearOperator
from .partitioned.solver_layout import Partition
from .tableaux import Tableau


class Clock(Row):
    """`Loop.clock`: times of a run with error control."""

    now: float  # time of the state [s]
    next_step: float  # step to try next, 0 where it is to be chosen [s]
    outputs: int  # rows written since the start of the run
    start: float  # time at which the run began [s]
    ready: int  # 1 where the rates at the state are at hand, -1 where the state is to be a row
    dense: bool  # where the step that was tried last can be interpolated at once
    rtol: float
    atol: float
    max_step: float  # the longest step allowed [s]
    interval: float  # of the rows, 0 for every step [s]


class Buffers(Record, name="B"):
    """Scratch of a method: stage rates K (stages, nv + nv + nz + three a path), and the state of a stage."""

    K = f64(2)
    y = f64(1)  # (nv + nv + nz + three a path) increments
    q = f64(1)
    v = f64(1)
    z = f64(1)
    acceleration = f64(1)
    dz = f64(1)


class Tape(Record, name="O"):
    """What a run keeps, row by row."""

    time = f64(1)
    q = f64(2)
    v = f64(2)
    z = f64(2)
    effort = f64(2)
    energy = f64(2)  # kinetic, gravity, strain, contact, dissipated, work


ATTEMPT = Function(f, "L", f, f)
BETWEEN = Function(none, "L", f, f, f)
FINISH = Function(f, "L", f, f)
FIRST = Function(f, "L", f)
SLOPE = Function(none, "L", f, x, x, x)
APPLIED = Function(
    none,
    ModelArrays,
    RunTables,
    StageFunctions,
    f,
    x,
    x,
    x,
    x,
    x,
    Workspace,
    DerivativeScratch,
    AppliedDerivatives,
    i,
    m,
    m,
)
CLOSING = Function(none, ModelArrays, f, x, x, Workspace, DerivativeScratch, AppliedDerivatives, m, m)
ROWS = Function(none, ModelArrays, RunTables, f, x, x, Workspace, Corrector)
CORRECT = Function(i, "L", f, i)
STORE = Function(none, "L")
RESUME = Function(none, "L", f)
BEGIN = Function(none, "L", i, f)
BALANCE = Function(i, "L", f)
HERE = Function(none, "L", f)
SHIFT = Function(i, "L", f)


class Method(Record, name="H"):
    """A method of integration.

    attempt    attempt(run, t, h) tries a step from time t: its increments are left in buffers.y, its error over the
               tolerance is returned, -1 where it could not be made, -2 where it could but should be shorter
    between    between(run, t, x, h) puts the increments at the fraction x of that step into buffers.y
    finish     finish(run, h, error) remembers an accepted step and returns how much longer the next may be
    first      first(run, t): size of a first step
    slope      of implicit methods: derivatives of the tree, or of all that acts by differences
    applied     adds those of contacts and laws, None where the first has them
    closing    adds those of the forces of constraints
    rows       rows of the constraints, None without multipliers
    correct    correct(run, t, first): the correction of a trial with surface contact or partitioned unknowns, None
               without both
    store      store(run) remembers contact forces of surfaces
    resume     resume(run, t) lets these act at the start of a method
    begin      begin(run, fresh, ratio) remembers the momentum at the start of a step with surfaces that touch
    balance    balance(run, h) gives their trees the momentum that they lack at its end; 1 where it is to be cut
    here       of several threads: here(run, t) puts the rates at the state into K[0]
    shift      of several threads: shift(run, t) moves the state by buffers.y; 0 where it is not finite
    """

    attempt = ATTEMPT
    between = BETWEEN
    finish = FINISH
    first = FIRST
    slope = SLOPE
    applied = APPLIED
    closing = CLOSING
    rows = ROWS
    correct = CORRECT
    store = STORE
    resume = RESUME
    begin = BEGIN
    balance = BALANCE
    here = HERE
    shift = SHIFT


class Loop(Record, name="L"):
    """All that a run is made of.

    free       the stages without the forces of constraints, which an implicit method may have as unknowns
    tableau    of an explicit method
    memory     of an implicit one
    integrator  what a method remembers of a step
    surfaces   that touch by multipliers
    operator   the linear system of their corrections
    partition  of the unknowns of an implicit step of sparse bodies
    """

    model = NestedRecord(ModelArrays)
    task = NestedRecord(RunTables)
    stages = NestedRecord(StageFunctions)
    free = NestedRecord(StageFunctions)
    ws = NestedRecord(Workspace)
    buffers = NestedRecord(Buffers)
    method = NestedRecord(Method)
    tableau = NestedRecord(Tableau)
    memory = NestedRecord(Corrector)
    surfaces = NestedRecord(SurfaceContact)
    operator = NestedRecord(LinearOperator)
    partition = NestedRecord(Partition)
    integrator = row(IntegratorState)
    clock = row(Clock)
    p = f64(1)  # parameters of the laws
    q = f64(1)
    v = f64(1)
    z = f64(1)  # integrated states, the work done and the energy dissipated
    latched = f64(1)
    tape = NestedRecord(Tape)


def buffers(stages: int, nq: int, nv: int, nz: int, paths: int = 0) -> Buffers:
    """Scratch of a method; nz counts the states of the laws and the two of the bookkeeping."""
    n = 2 * nv + nz + 3 * paths
    return Buffers.zeros({"K": (stages, n), "y": n, "q": nq, "v": nv, "z": nz, "acceleration": nv, "dz": nz})


def tape(rows: int, nq: int, nv: int, nz: int) -> Tape:
    """Room for `rows` samples."""
    widths = {"q": nq, "v": nv, "z": nz, "effort": nv, "energy": 6}
    return Tape(time=np.empty(rows), **{name: np.empty((rows, width)) for name, width in widths.items()})
