"""The memory of an implicit run, and the kernels of its method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..partitioned import is_partitioned
from ..surface_contact import contact_kernels
from .methods import ImplicitMethod

if TYPE_CHECKING:
    from ..plan import Plan

NARROW = 2
"""How many times the width of a band, with what pivoting fills, must go into the number of unknowns."""


def memory_of(plan: Plan, method: ImplicitMethod, ws: Any) -> Any:
    """The memory of a run in the workspace ws."""
    from ...kernels.integrate import implicit_layout

    model = plan.model
    form = index(plan)
    partitioned = is_partitioned(model)
    memory = implicit_layout.corrector(
        model.arrays, ws, len(plan.z), form, method.table(), method.family == "radau", partitioned
    )
    stated = method.settings()
    stated |= {"adaptive": not plan.fixed, "first_rates": method.every, "first_order": method.first_order}
    stated["tolerance"] = (
        (0.01 if method.every else 0.1) if plan.fixed else max(1e-15 / plan.rtol, min(0.03, plan.rtol**0.5))
    )
    stated["laws"] = len(model.names.z) - model.latched if plan.laws.pieces else -1
    for name, value in stated.items():
        setattr(memory.integrator, name, value)
    if partitioned:
        return memory
    return structured(plan, memory, derivatives(plan, method, form)[0])


def method_kernels(plan: Plan, method: ImplicitMethod) -> dict[str, Any]:
    """Its kernels, by the fields of `kernels.integrate.loop_records.Method`."""
    from ...kernels.integrate.newton import implicit_first
    from ...kernels.integrate.step_points import all_rows

    form = index(plan)
    found = dict(zip(("attempt", "between", "finish"), method.kernels(), strict=True))
    found |= {"first": implicit_first, "rows": all_rows if form else None}
    if not is_partitioned(plan.model):
        found |= dict(zip(("slope", "applied", "closing"), derivatives(plan, method, form), strict=True))
    else:
        from ...kernels.integrate.partitioned.correction import partitioned_correction, partitioned_loop_correction
        from ...kernels.integrate.partitioned.partitioned_solver import partitioned_jacobian

        correct = partitioned_loop_correction if form else partitioned_correction
        found |= {"slope": partitioned_jacobian, "correct": correct}
    return found | contact_kernels(plan.model)


def index(plan: Plan) -> int:
    """3 or 2 where the multipliers of constraints are unknowns of a step, else 0."""
    if not len(plan.model.arrays.constraints):
        return 0
    return {"index-3": 3, "index-2": 2, "index-1": 0}[plan.form or "index-3"]


def has_structure(plan: Plan) -> bool:
    """Whether it is known what depends on what.

    Not where laws act, which may read anything, where there are integrated states, nor where the multipliers are
    eliminated: all entries of a loop then depend on one another.
    """
    model = plan.model
    moving = bool(model.features & {"deploying", "rail", "ale"})
    eliminated = index(plan) == 0 and len(model.arrays.constraints)
    return not (len(model.names.z) > model.latched or plan.has_laws or moving or eliminated or is_partitioned(model))


def band_of(plan: Plan) -> tuple[Any, int, int] | None:
    """The order of the unknowns by which they lie near the diagonal, and how many below and above; None where they do
    not."""
    from ...model.coupling_structure import ordering, with_multipliers

    if plan.implicit is None or not has_structure(plan):
        return None
    model = plan.model
    rows = len(model.workspace().constraint_rows) if index(plan) else 0
    found = model.scratch.__dict__.setdefault("orderings", {})
    if rows not in found:
        found[rows] = ordering(with_multipliers(model, rows))
    order, below, above = found[rows]
    return (order, below, above) if NARROW * (2 * below + above + 1) < len(order) else None


def structured(plan: Plan, memory: Any, slope: Any) -> Any:
    """The memory of a run with what its structure allows: a band where unknowns, well ordered, lie near the diagonal,
    and groups of entries that share a difference."""
    import numpy as np

    from ...kernels.integrate.implicit_layout import with_band
    from ...kernels.integrate.newton_jacobian import difference_jacobian
    from ...model.coupling_structure import groups, sparsity

    if not has_structure(plan):
        return memory
    if slope is difference_jacobian:
        pattern = sparsity(plan.model)
        memory = memory._replace(group=groups(pattern).astype(np.int64), pattern=pattern.astype(np.int8))
    band = band_of(plan)
    return memory if band is None else with_band(memory, *band)


def derivatives(plan: Plan, method: ImplicitMethod, form: int) -> tuple[Any, Any, Any]:
    """Kernels that take the derivatives of a run: analytical where they are known."""
    from ...kernels.integrate.newton_jacobian import difference_jacobian, tree_jacobian
    from ...model.derivatives import analytical

    model = plan.model
    accelerations = len(model.arrays.constraints) > 0 and form == 0
    momenta = plan.constraint_functions is not None and plan.constraints.rates is not None
    if method.differences or accelerations or momenta or not analytical(model):
        return difference_jacobian, None, None
    from ...kernels.derivatives.applied.all_applied import applied_partials, multiplier_partials

    forces = bool(plan.has_laws or model.contacts.names)
    return tree_jacobian, applied_partials if forces else None, multiplier_partials if form else None


def statistics(memory: Any) -> dict[str, int]:
    """What a run took: steps, rejected ones, corrections, derivatives, factorisations, evaluations."""
    return {name: getattr(memory.counts, name) for name in memory.counts.fields}


def restart(memory: Any) -> None:
    """Lets a method forget the steps before something that is not smooth."""

    memory.integrator.restart = memory.integrator.aged = True
