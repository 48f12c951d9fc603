"""The compiled functions and the memory that an implicit run hands to its loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .methods import ImplicitMethod

if TYPE_CHECKING:
    from ..plan import Plan


def scheme(plan: Plan, method: ImplicitMethod, stages: Any, ws: Any) -> Any:
    """A `Scheme` for a run in the workspace ws."""
    from ..kernels.entries import first_class
    from ..kernels.implicit import layout
    from ..kernels.implicit.driver import Scheme

    model = plan.model
    form = index(plan)
    memory = layout.corrector(model.arrays, ws, len(plan.z), form, method.table(), method.kernel == "radau")
    told = method.numbers()
    told |= {"ADAPTS": float(not plan.fixed), "EVERY": float(method.every), "FIRST_ORDER": float(method.first_order)}
    told["TOLERANCE"] = 0.1 if plan.fixed else max(1e-15 / plan.rtol, min(0.03, plan.rtol**0.5))
    told["LAWS"] = float(len(model.names.z) - model.latched) if plan.laws.pieces else -1.0
    for name, value in told.items():
        memory.numbers[getattr(layout, name)] = value
    names = [f"{method.kernel}_{what}" for what in ("attempt", "between", "finish")]
    names += [jacobian(plan, form), "all_rows" if form else "no_rows"]
    free = stages
    if form:
        free = stages._replace(
            adjust=first_class("adjust_nothing", model.flexible),
            constrain=first_class("constrain_nothing", model.flexible),
        )
    return Scheme(*(first_class(name, model.flexible) for name in names), free, memory)


def index(plan: Plan) -> int:
    """3 or 2 where the multipliers of constraints are unknowns of a step, else 0."""
    if not len(plan.model.arrays.constraint_index):
        return 0
    return {"index-3": 3, "index-2": 2, "index-1": 0}[plan.form or "index-3"]


def jacobian(plan: Plan, form: int) -> str:
    """The entry that takes the derivatives of a run: analytical where they are known."""
    from ..derivatives import analytical

    model = plan.model
    accelerations = len(model.arrays.constraint_index) > 0 and form == 0
    if accelerations or not analytical(model) or plan.kept is not None and plan.constraints.rates is not None:
        return "difference_jacobian"
    acting = bool(plan.laws.pieces or model.contacts.names)
    if form:
        return "whole_jacobian" if acting else "closed_jacobian"
    return "acting_jacobian" if acting else "tree_jacobian"


def statistics(memory: Any) -> dict[str, int]:
    """What a run took: steps, rejected ones, corrections, derivatives, factorisations, evaluations."""
    from ..kernels.implicit.layout import COUNT_NAMES

    return {name: int(count) for name, count in zip(COUNT_NAMES, memory.counts, strict=True)}


def restart(memory: Any) -> None:
    """Lets a method forget the steps before something that is not smooth."""
    from ..kernels.implicit.layout import AGED, RESTART

    memory.numbers[RESTART] = memory.numbers[AGED] = 1.0
