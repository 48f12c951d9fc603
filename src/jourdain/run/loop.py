"""From a plan to the record that the compiled loop runs on, and the list of what a run needs compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.run_stages import assemble, contact_finders, stage_kernels
from ..model.surface_contact import surfaces_of
from .partitioned import partition_of
from .surface_contact import operator_kernels

if TYPE_CHECKING:
    from .plan import Plan


def features(plan: Plan) -> frozenset[str]:
    """Of the model, "laws" where laws act, and "band" where the unknowns of a step lie near the diagonal."""
    from .implicit.memory import band_of

    found = {"laws"} if plan.has_laws else set()
    return plan.model.features | found | ({"band"} if band_of(plan) is not None else set())


def method_kernels(plan: Plan) -> dict[str, Any]:
    """Kernels of the run's method, by the fields of `kernels.integrate.loop_records.Method`."""
    if plan.implicit is not None:
        from .implicit.memory import method_kernels

        return method_kernels(plan, plan.implicit)
    from ..kernels.integrate.runge_kutta import explicit_attempt, explicit_between, explicit_finish, explicit_first

    found = {"attempt": explicit_attempt, "finish": explicit_finish}
    if not plan.fixed:
        found |= {"between": explicit_between, "first": explicit_first}
    if plan.threads > 1 and plan.by_trees and not len(plan.model.arrays.without_velocity):
        from ..kernels.parallel.phases import pool_attempt, pool_here, pool_shift

        found |= {"attempt": pool_attempt, "here": pool_here, "shift": pool_shift}
    return found


def thread_kernels(plan: Plan) -> list[Any]:
    """What the other threads of a run call, and what its loop calls to share its sparse bodies with them."""
    if plan.threads <= 1:
        return []
    if plan.by_trees:
        from ..kernels.parallel.phases import pool_thread

        return [pool_thread]
    from ..kernels.parallel import sparse_solve as shared

    found = [shared.mass_together, shared.nodes_together, shared.solving_thread]
    return found if plan.implicit is None else [shared.solve_together, shared.factor_together, *found]


def needed(plan: Plan) -> Any:
    """Everything of the package that the run and its results call, for `kernels.compiling.parallel_compilation`; of
    laws, which a plan has last, what is known of them."""
    model, laws = plan.model, getattr(plan, "laws", None)
    stages = stage_kernels(model, laws, plan.constraint_functions, plan.rates)
    found = [*stages.values(), *method_kernels(plan).values(), *operator_kernels(model).values(), plan.stepper]
    found += thread_kernels(plan)
    if plan.has_laws and laws is None:
        from ..kernels.law_table import apply_laws

        found.append(apply_laws)
    if model.contacts.names:
        from ..kernels.contact.memory.recorded_states import contact_history, contact_sites

        found += [*contact_finders(model), contact_history, contact_sites]
    if model.touching is not None:
        from ..kernels.surface_contact.contact_wrench import initial_wrenches
        from ..kernels.surface_contact.gap_functions import touching_gaps

        found.append(touching_gaps)
        if laws is not None and len(laws.sensors):
            found.append(initial_wrenches)
    has = features(plan)
    entries = [(one.entry(), has) for one in dict.fromkeys(one for one in found if one)]
    if laws is None:
        return entries
    bound = [one for piece in plan.laws.pieces for one in (piece.bound, piece.sampler and piece.sampler.law) if one]
    return entries + [found for one in bound for found in one.needed()]


def loop(plan: Plan, ws: Any, tape_rows: int = 0) -> Any:
    """The record of a run in the workspace ws, with a tape for so many rows of samples."""
    from ..kernels.compiling.parallel_compilation import prepare
    from ..kernels.integrate.implicit_layout import IntegratorState
    from ..kernels.integrate.linear_operator import LinearOperator
    from ..kernels.integrate.loop_records import Clock, Loop, Method, buffers, tape
    from ..kernels.integrate.tableaux import tableau

    prepare(needed(plan))
    model = plan.model
    has = features(plan)
    stages = assemble(model, plan.laws, plan.constraint_functions, plan.rates)
    free, table, memory, surfaces, parts = stages, None, None, None, None
    if plan.implicit is None:
        table = tableau(plan.method)
        rows = len(table.A)
        integrator = IntegratorState.made(
            restart=True, first_rates=True, adaptive=not plan.fixed, order=table.sizes.error_order
        )
    else:
        from .implicit.memory import index, memory_of

        memory = memory_of(plan, plan.implicit, ws)
        parts = partition_of(model, len(memory.A))
        rows, integrator = 4, memory.integrator
        if model.touching is not None:
            small = -1 if parts is None else len(parts.step.right)
            surfaces = surfaces_of(model, len(memory.right), len(memory.A), small)
        if surfaces is not None and len(plan.laws.sensors):
            from ..kernels.surface_contact.contact_wrench import initial_wrenches

            initial_wrenches.ready(has).python(model.arrays, ws, surfaces, plan.q, plan.v, plan.latched)
        if index(plan):
            free = stages._replace(adjust=None, constrain=None)

    def functions(cls: Any, kernels: dict[str, Any]) -> Any:
        return cls(**dict.fromkeys(cls.fields) | {name: one and one.ready(has) for name, one in kernels.items()})

    return Loop(
        model=model.arrays,
        task=plan.task(),
        stages=stages,
        free=free,
        ws=ws,
        buffers=buffers(rows, model.nq, model.nv, len(plan.z), len(model.arrays.paths)),
        method=functions(Method, method_kernels(plan)),
        tableau=table,
        memory=memory,
        surfaces=surfaces,
        operator=None if surfaces is None else functions(LinearOperator, operator_kernels(model)),
        partition=parts,
        integrator=integrator,
        clock=Clock.made(
            now=plan.start,
            start=plan.start,
            rtol=plan.rtol,
            atol=plan.atol,
            max_step=plan.max_step,
            interval=plan.interval,
        ),
        p=plan.laws.parameters,
        q=plan.q,
        v=plan.v,
        z=plan.z,
        latched=plan.latched,
        tape=tape(tape_rows, model.nq, model.nv, len(model.names.z) + plan.laws.states),
    )
