"""Whole-run entries, compiled once for every model, method and law.

The right-hand side and its stages are first-class functions: pointers of one signature, handed to the stepper at run
time. So another model or another law compiles no stepper, and a stepper compiles no right-hand side.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import typeof, types

from . import ahead
from .constraints.gradients import constrain_gradients, settle_gradients
from .constraints.keeping import act, constrain, row_responses, settle
from .constraints.layout import CONSTRAINING, CONSTRAINT, ENTRY, STRUT
from .constraints.momenta import adjust_momenta, momentum_rates, settle_momenta
from .constraints.momenta_linked import adjust_linked, settle_linked
from .constraints.nullspace import constrain_nullspace
from .constraints.orthogonal import (
    adjust_orthogonal,
    adjust_unit,
    settle_orthogonal,
    settle_unit,
    settle_unit_velocity,
)
from .constraints.partitioning import adjust_choice, adjust_partition, settle_choice
from .constraints.partitions import chosen_entries, settle_partition
from .contact.balls import find_balls
from .contact.caps import find_caps
from .contact.flats import find_flats
from .contact.gaps import contact_gaps
from .contact.history import contact_history, contact_sites, patch_history
from .contact.holes import find_holes
from .contact.layout import CONTACT_TABLE, SHAPE_POSE, SHAPE_TABLE
from .contact.memory import accept_contacts, accept_nothing, change_nothing, changed_contacts
from .contact.meshes import find_meshes
from .contact.mixed import find_mixed
from .contact.piles import accept_piles, changed_piles, pile_rates
from .contact.points import find_points
from .contact.rolls import find_rolls
from .contact.round import find_round
from .contact.sites import Touch, contact_rates, find_no_parts, find_nothing, no_contact, no_friction, no_normal
from .contact.volumetric import foundation_wrench, no_wrench
from .derivatives_layout import slopes
from .ensemble import CaseTape, fixed_cases, plain_cases
from .implicit.alpha import alpha_attempt, alpha_between, alpha_finish
from .implicit.bdf import bdf_attempt, bdf_between, bdf_finish
from .implicit.driver import Scheme, implicit_fixed, implicit_steps
from .implicit.jacobians import Derivatives, difference_jacobian, no_applied, no_multipliers, tree_jacobian
from .implicit.layout import corrector
from .implicit.points import all_rows, no_rows
from .implicit.radau import radau_attempt, radau_between, radau_finish
from .layout import LEVELS, ModelArrays, Task, workspace
from .rates import (
    Stages,
    act_nothing,
    adjust_nothing,
    constrain_nothing,
    lawless_rates,
    loaded_rates,
    no_law,
    sample_nothing,
    settle_nothing,
    touching_rates,
    tree_rates,
    watch_nothing,
)
from .rows import rates_rows
from .slopes.applied import applied_slopes, multiplier_slopes
from .slopes.layout import applied
from .steppers import Buffers, Tape, adaptive_steps, fixed_steps
from .tableaux import tableau

VECTOR = types.float64[::1]
MATRIX = types.float64[:, ::1]


def _sample_arrays(flexible: int) -> ModelArrays:
    from .layout import DATA, DRIVE, SPRING, TABLE

    shapes: dict[str, tuple[tuple[int, ...], type]] = {
        "table": ((1, TABLE), np.int64),
        "data": ((1, DATA), np.float64),
        "integers": ((0,), np.int64),
        "floats": ((0,), np.float64),
        "q_index": ((0,), np.int64),
        "groups": ((0, 3), np.int64),
        "paths": ((0, 4), np.int64),
        "spring_index": ((0, 2), np.int64),
        "springs": ((0, SPRING), np.float64),
        "drive_index": ((0, 4), np.int64),
        "drives": ((0, DRIVE), np.float64),
        "marker_index": ((0, 2), np.int64),
        "marker_pose": ((0, 12), np.float64),
        "load_index": ((0, 2), np.int64),
        "loads": ((0, 6), np.float64),
        "gravity": ((3,), np.float64),
        "shape_index": ((0, SHAPE_TABLE), np.int64),
        "shape_pose": ((0, SHAPE_POSE), np.float64),
        "shape_floats": ((0,), np.float64),
        "shape_integers": ((0,), np.int64),
        "contact_index": ((0, CONTACT_TABLE), np.int64),
        "contact_floats": ((0,), np.float64),
        "constraint_index": ((0, CONSTRAINT), np.int64),
        "constraint_floats": ((0,), np.float64),
        "constraint_entries": ((0, ENTRY), np.int64),
        "strut_index": ((0, 2), np.int64),
        "struts": ((0, STRUT), np.float64),
    }
    arrays = LEVELS[flexible](**{name: np.zeros(*spec) for name, spec in shapes.items()})
    for array in arrays:
        array.flags.writeable = False
    return arrays


def task(
    motion_index: np.ndarray, motion_data: np.ndarray, sensors: np.ndarray, constraining: np.ndarray | None = None
) -> Task:
    """A Task with the dtypes and flags that the entries are compiled for."""
    arrays = Task(
        np.array(motion_index, np.int64).reshape(-1, 3),
        np.array(motion_data, np.float64),
        np.array(sensors, np.int64).reshape(-1, 3),
        np.zeros(CONSTRAINING) if constraining is None else np.array(constraining, np.float64),
    )
    for array in arrays:
        array.flags.writeable = False
    return arrays


def buffers(stages: int, nq: int, nv: int, nz: int, paths: int = 0) -> Buffers:
    """Scratch of a stepper; nz counts the states of the laws and the two of the bookkeeping."""
    n = 2 * nv + nz + 3 * paths
    return Buffers(
        np.zeros((stages, n)),
        np.zeros(n),
        np.zeros(nq),
        np.zeros(nv),
        np.zeros(nz),
        np.zeros(nv),
        np.zeros(nz),
    )


def tape(rows: int, nq: int, nv: int, nz: int) -> Tape:
    """Room for `rows` samples."""
    widths = (nq, nv, nz, nv, 6)
    return Tape(np.empty(rows), *(np.empty((rows, width)) for width in widths))


def case_tape(cases: int, rows: int, nq: int, nv: int, nz: int) -> CaseTape:
    """Room for `rows` samples of each case; not-a-number where nothing is written."""
    widths = (nq, nv, nz, nv, 6)
    return CaseTape(np.full((cases, rows), np.nan), *(np.full((cases, rows, width), np.nan) for width in widths))


@cache
def signatures(flexible: int = 0) -> dict[str, Any]:
    """Signatures of the first-class functions and of the entries, for models of a level (`layout.LEVELS`)."""
    model = typeof(_sample_arrays(flexible))
    run = typeof(task(np.zeros((0, 3)), np.zeros(0), np.zeros(0)))
    ws = typeof(workspace(_sample_arrays(flexible)))
    table = typeof(tableau("rk4"))
    scratch = typeof(buffers(1, 0, 0, 2))
    out = typeof(tape(1, 0, 0, 0))
    f, i, x, m = types.float64, types.int64, VECTOR, MATRIX
    law = types.void(model, f, x, x, x, x, x, ws, x, x)
    finder = i(model, ws, i, i)
    constants = types.Array(f, 1, "C", readonly=True)
    normal = f(i, f, f, f, x, constants, x)
    friction = types.UniTuple(f, 3)(i, f, types.UniTuple(f, 3), x, constants, x)
    parts = i(model, ws, i, x)
    wrench = types.UniTuple(f, 6)(model, ws, i, i, i, i, x, x, x)
    overlaps = (parts,) * 6
    touch = _of_functions(Touch, finder, finder, finder, *overlaps, wrench, normal, friction)
    contact = types.void(model, touch, x, x, x, x, ws, x)
    accept = types.void(model, touch, i, x, x, x, x, ws, x)
    changed = i(model, touch, x, x, x, ws)
    sample = i(model, f, x, x, x, x, x, ws)
    watch = i(model, f, x, x, x, x, x, ws, i)
    adjust = types.void(model, run, f, x, x, ws)
    constrain = types.void(model, run, f, x, x, ws, x, x)
    settle = i(model, run, f, x, x, x, ws)
    act = types.void(model, x, x, ws)
    kept = (adjust, constrain, settle, act)
    stages = _of_functions(Stages, law, contact, accept, changed, touch, sample, watch, *kept)
    rates = types.void(model, run, stages, f, x, x, x, x, x, ws, x, x)
    rates_type = types.FunctionType(rates)
    scratch_of_tree = typeof(slopes(_sample_arrays(flexible)))
    scratch_of_all = typeof(applied(_sample_arrays(flexible), workspace(_sample_arrays(flexible)), 0, 0))
    state = (x, x, x, x)
    head = (rates_type, stages, model, run)
    memory = typeof(
        corrector(_sample_arrays(flexible), workspace(_sample_arrays(flexible)), 2, 0, np.zeros((1, 1)), False)
    )
    constraint_rows = types.void(model, run, f, x, x, ws, memory)
    rows_type = types.FunctionType(constraint_rows)
    slope = types.void(rates_type, stages, model, run, rows_type, x, ws, scratch, memory, f, *state)
    acting = types.void(model, run, stages, f, x, x, x, x, x, ws, scratch_of_tree, scratch_of_all, i, m, m)
    closing = types.void(model, f, x, x, ws, scratch_of_tree, scratch_of_all, m, m)
    derivatives = _of_functions(Derivatives, slope, acting, closing)
    attempt = f(rates_type, stages, model, run, derivatives, rows_type, x, ws, scratch, memory, *state, f, f, f, f)
    between = types.void(model, memory, scratch, f, f)
    finish = f(model, memory, scratch, f, f)
    scheme = _of_functions(Scheme, attempt, between, finish, derivatives, constraint_rows, stages, memory)
    implicit = {name: attempt for name in ("alpha_attempt", "bdf_attempt", "radau_attempt")}
    implicit |= {name: between for name in ("alpha_between", "bdf_between", "radau_between")}
    implicit |= {name: finish for name in ("alpha_finish", "bdf_finish", "radau_finish")}
    implicit |= {"tree_jacobian": slope, "difference_jacobian": slope}
    implicit |= {"applied_slopes": acting, "no_applied": acting}
    implicit |= {"multiplier_slopes": closing, "no_multipliers": closing}
    implicit |= {"no_rows": constraint_rows, "all_rows": constraint_rows}
    return {
        **implicit,
        "implicit_fixed": types.UniTuple(i, 3)(*head, scheme, x, ws, scratch, *state, f, f, i, i, i, i, out, i),
        "implicit_steps": types.UniTuple(i, 2)(*head, scheme, x, ws, scratch, *state, x, f, f, f, f, f, i, out, i),
        "law": law,
        "sample": sample,
        "watch": watch,
        "adjust_nothing": adjust,
        "constrain_nothing": constrain,
        "settle_nothing": settle,
        "act_nothing": act,
        "constrain": constrain,
        "settle": settle,
        "act": act,
        "settle_partition": settle,
        "row_responses": types.void(model, run, f, x, x, ws, m, m),
        "chosen_entries": types.void(model, run, f, x, x, ws, types.int64[::1]),
        "adjust_momenta": adjust,
        "settle_momenta": settle,
        "momentum_rates": rates,
        "adjust_linked": adjust,
        "adjust_orthogonal": adjust,
        "adjust_unit": adjust,
        "adjust_choice": adjust,
        "adjust_partition": adjust,
        "constrain_nullspace": constrain,
        "constrain_gradients": constrain,
        "settle_linked": settle,
        "settle_orthogonal": settle,
        "settle_unit": settle,
        "settle_unit_velocity": settle,
        "settle_choice": settle,
        "settle_gradients": settle,
        "find_nothing": finder,
        "find_round": finder,
        "find_points": finder,
        "find_meshes": finder,
        "find_no_parts": parts,
        "find_caps": parts,
        "find_balls": parts,
        "find_rolls": parts,
        "find_flats": parts,
        "find_holes": parts,
        "find_mixed": parts,
        "foundation": wrench,
        "no_foundation": wrench,
        "no_normal": normal,
        "no_friction": friction,
        "contact": contact,
        "no_contact": contact,
        "accept": accept,
        "accept_nothing": accept,
        "changed": changed,
        "pile_contact": contact,
        "pile_accept": accept,
        "pile_changed": changed,
        "contact_sites": i(model, touch, x, x, x, x, ws, x, m),
        "contact_history": f(model, touch, types.FunctionType(contact), m, m, m, m, ws, x, types.Array(f, 3, "C")),
        "patch_history": types.void(
            model, touch, types.FunctionType(contact), m, m, m, m, ws, x, types.Array(f, 3, "C")
        ),
        "contact_gaps": i(model, touch, x, x, x, ws, m),
        "change_nothing": changed,
        "rates": rates,
        "lawless_rates": rates,
        "touching_rates": rates,
        "loaded_rates": rates,
        "rates_rows": types.void(*head, x, ws, f, m, m, m, x, m, m, m, types.Array(f, 3, "C")),
        "fixed_steps": types.UniTuple(i, 3)(*head, table, x, ws, scratch, *state, f, f, i, i, i, i, out, i),
        "adaptive_steps": types.UniTuple(i, 2)(*head, table, x, ws, scratch, *state, x, f, f, f, f, f, i, out, i),
        "fixed_cases": types.void(
            *head, table, m, ws, scratch, m, m, m, m, f, f, i, i, typeof(case_tape(1, 1, 0, 0, 0)), types.int64[::1]
        ),
        "plain_cases": types.void(
            stages,
            model,
            run,
            table,
            m,
            ws,
            scratch,
            m,
            m,
            m,
            m,
            f,
            f,
            i,
            i,
            typeof(case_tape(1, 1, 0, 0, 0)),
            types.int64[::1],
        ),
    }


def _of_functions(kind: type, *members: Any) -> Any:
    """The type of a NamedTuple whose members are first-class functions of these signatures, or such tuples."""
    wrapped = [one if isinstance(one, types.BaseTuple) else types.FunctionType(one) for one in members]
    return types.NamedTuple(wrapped, kind)


FUNCTIONS = {
    "law": no_law,
    "sample": sample_nothing,
    "watch": watch_nothing,
    "adjust_nothing": adjust_nothing,
    "constrain_nothing": constrain_nothing,
    "settle_nothing": settle_nothing,
    "act_nothing": act_nothing,
    "constrain": constrain,
    "settle": settle,
    "act": act,
    "settle_partition": settle_partition,
    "row_responses": row_responses,
    "chosen_entries": chosen_entries,
    "adjust_momenta": adjust_momenta,
    "settle_momenta": settle_momenta,
    "momentum_rates": momentum_rates,
    "adjust_linked": adjust_linked,
    "adjust_orthogonal": adjust_orthogonal,
    "adjust_unit": adjust_unit,
    "adjust_choice": adjust_choice,
    "adjust_partition": adjust_partition,
    "constrain_nullspace": constrain_nullspace,
    "constrain_gradients": constrain_gradients,
    "settle_linked": settle_linked,
    "settle_orthogonal": settle_orthogonal,
    "settle_unit": settle_unit,
    "settle_unit_velocity": settle_unit_velocity,
    "settle_choice": settle_choice,
    "settle_gradients": settle_gradients,
    "find_nothing": find_nothing,
    "find_round": find_round,
    "find_points": find_points,
    "find_meshes": find_meshes,
    "find_no_parts": find_no_parts,
    "find_caps": find_caps,
    "find_balls": find_balls,
    "find_rolls": find_rolls,
    "find_flats": find_flats,
    "find_holes": find_holes,
    "find_mixed": find_mixed,
    "foundation": foundation_wrench,
    "no_foundation": no_wrench,
    "no_normal": no_normal,
    "no_friction": no_friction,
    "contact": contact_rates,
    "no_contact": no_contact,
    "accept": accept_contacts,
    "accept_nothing": accept_nothing,
    "changed": changed_contacts,
    "pile_contact": pile_rates,
    "pile_accept": accept_piles,
    "pile_changed": changed_piles,
    "contact_sites": contact_sites,
    "contact_history": contact_history,
    "patch_history": patch_history,
    "contact_gaps": contact_gaps,
    "change_nothing": change_nothing,
    "rates": tree_rates,
    "lawless_rates": lawless_rates,
    "touching_rates": touching_rates,
    "loaded_rates": loaded_rates,
    "rates_rows": rates_rows,
    "applied_slopes": applied_slopes,
    "multiplier_slopes": multiplier_slopes,
    "fixed_steps": fixed_steps,
    "adaptive_steps": adaptive_steps,
    "fixed_cases": fixed_cases,
    "plain_cases": plain_cases,
    "alpha_attempt": alpha_attempt,
    "alpha_between": alpha_between,
    "alpha_finish": alpha_finish,
    "bdf_attempt": bdf_attempt,
    "bdf_between": bdf_between,
    "bdf_finish": bdf_finish,
    "radau_attempt": radau_attempt,
    "radau_between": radau_between,
    "radau_finish": radau_finish,
    "tree_jacobian": tree_jacobian,
    "difference_jacobian": difference_jacobian,
    "no_applied": no_applied,
    "no_multipliers": no_multipliers,
    "no_rows": no_rows,
    "all_rows": all_rows,
    "implicit_fixed": implicit_fixed,
    "implicit_steps": implicit_steps,
}


def ready(name: str, flexible: int = 0) -> bool:
    """Whether an entry is compiled in this process."""
    return signatures(flexible)[name].args in FUNCTIONS[name].overloads


def first_class(name: str, flexible: int = 0) -> Any:
    """One of the package's own functions, "rates" or an empty "law" say, compiled, as an argument for an entry."""
    dispatcher, signature = FUNCTIONS[name], signatures(flexible)[name]
    if not ready(name, flexible):
        ahead.wait(name, flexible)
        dispatcher.compile(signature)
        ahead.done(name, flexible)
    return dispatcher


def entry(name: str, flexible: int = 0) -> Any:
    """A whole-run entry, compiled; called without the overload resolution that a dispatcher makes."""
    return first_class(name, flexible).overloads[signatures(flexible)[name].args].entry_point
