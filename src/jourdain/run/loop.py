"""From a plan to the record that the compiled loop runs on, and the list of what a run needs compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.run_stages import assemble, contact_finders, stage_names
from ..model.surface_contact import surfaces_of
from .partitioned import partition_of
from .surface_contact import operator_names

if TYPE_CHECKING:
    from .plan import Plan

EXPLICIT = ("explicit_attempt", "explicit_between", "explicit_finish", "explicit_first")
POOL = ("pool_attempt", "pool_here", "pool_shift")
SOLVING = ("solve_together", "factor_together", "mass_together", "nodes_together", "solving_thread")
CONTACT_RESULTS = ("contact_history", "contact_sites")


def features(plan: Plan) -> frozenset[str]:
    """Of the model, and "laws" where laws act."""
    return plan.model.features | ({"laws"} if plan.has_laws else set())


def method_names(plan: Plan) -> dict[str, str | None]:
    """Names of the functions of the run's method, by the fields of `kernels.integrate.loop_records.Method`."""
    if plan.implicit is not None:
        from .implicit.memory import method_names

        return method_names(plan, plan.implicit)
    shared = plan.threads > 1 and plan.by_trees and not len(plan.model.arrays.loose)
    attempt, here, shift = POOL if shared else (EXPLICIT[0], None, None)
    between, finish, first = EXPLICIT[1:]
    adaptive = {} if plan.fixed else {"between": between, "first": first}
    return {"attempt": attempt, "finish": finish, "here": here, "shift": shift, **adaptive}


def needed(plan: Plan) -> Any:
    """Everything of the package that the run and its results call, for `kernels.compiling.parallel_compilation`; of
    laws, which a plan
    has last, what is known of them."""
    from ..kernels.entries import overload

    model, laws = plan.model, getattr(plan, "laws", None)
    stages = stage_names(model, laws, plan.constraint_functions, plan.rates)
    if plan.has_laws and laws is None:
        stages.append("apply_laws")
    found = [*stages, *method_names(plan).values(), *operator_names(model).values(), plan.stepper]
    if plan.threads > 1:
        found += ["pool_thread"] if plan.by_trees else SOLVING if plan.implicit is not None else SOLVING[2:]
    if model.contacts.names:
        found += [*contact_finders(model), *CONTACT_RESULTS]
    if model.touching is not None:
        found.append("touching_gaps")
        if laws is not None and len(laws.sensors):
            found.append("initial_wrenches")
    has = features(plan)
    entries = [(overload(name), has) for name in dict.fromkeys(name for name in found if name)]
    if laws is None:
        return entries
    bound = [one for piece in plan.laws.pieces for one in (piece.bound, piece.sampler and piece.sampler.law) if one]
    return entries + [found for one in bound for found in one.needed()]


def loop(plan: Plan, ws: Any, tape_rows: int = 0) -> Any:
    """The record of a run in the workspace ws, with a tape for so many rows of samples."""
    from ..kernels.compiling.parallel_compilation import prepare
    from ..kernels.entries import entry
    from ..kernels.integrate.implicit_layout import ADAPTS, EVERY, METHOD_ORDER, NUMBERS, RESTART
    from ..kernels.integrate.linear_operator import LinearOperator
    from ..kernels.integrate.loop_records import Loop, Method, buffers, clock, tape
    from ..kernels.integrate.tableaux import tableau

    prepare(needed(plan))
    model = plan.model
    has = features(plan)
    stages = assemble(model, plan.laws, plan.constraint_functions, plan.rates)
    free, table, memory, surfaces, parts = stages, None, None, None, None
    if plan.implicit is None:
        table = tableau(plan.method)
        rows = len(table.A)
        numbers = np.zeros(NUMBERS)
        numbers[[RESTART, EVERY]] = 1.0
        numbers[ADAPTS], numbers[METHOD_ORDER] = float(not plan.fixed), float(table.numbers[2])
    else:
        from .implicit.memory import index, memory_of

        memory = memory_of(plan, plan.implicit, ws)
        parts = partition_of(model, len(memory.A))
        rows, numbers = 4, memory.numbers
        if model.touching is not None:
            small = -1 if parts is None else len(parts.step.right)
            surfaces = surfaces_of(model, len(memory.right), len(memory.A), small)
        if surfaces is not None and len(plan.laws.sensors):
            entry("initial_wrenches", has).python(model.arrays, ws, surfaces, plan.q, plan.v, plan.latched)
        if index(plan):
            free = stages._replace(adjust=None, constrain=None)

    def functions(cls: Any, names: dict[str, str | None]) -> Any:
        found = {field: names.get(field) for field in cls.fields}
        return cls(**{field: name and entry(name, has) for field, name in found.items()})

    return Loop(
        model=model.arrays,
        task=plan.task(),
        stages=stages,
        free=free,
        ws=ws,
        buffers=buffers(rows, model.nq, model.nv, len(plan.z), len(model.arrays.paths)),
        method=functions(Method, method_names(plan)),
        tableau=table,
        memory=memory,
        surfaces=surfaces,
        operator=None if surfaces is None else functions(LinearOperator, operator_names(model)),
        partition=parts,
        numbers=numbers,
        clock=clock(plan.start, plan.rtol, plan.atol, plan.max_step, plan.interval),
        p=plan.laws.parameters,
        q=plan.q,
        v=plan.v,
        z=plan.z,
        latched=plan.latched,
        tape=tape(tape_rows, model.nq, model.nv, len(model.names.z) + plan.laws.states),
    )
