"""The compiled functions and the memory that an implicit run hands to its loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .methods import ImplicitMethod

if TYPE_CHECKING:
    from ..plan import Plan


def scheme(plan: Plan, method: ImplicitMethod, stages: Any) -> Any:
    """A `Scheme` for a run."""
    from ..kernels.entries import first_class
    from ..kernels.implicit import layout
    from ..kernels.implicit.driver import Scheme

    model = plan.model
    memory = layout.corrector(model.arrays, len(plan.z), 0, method.table(), method.kernel == "radau")
    told = method.numbers()
    told |= {"ADAPTS": float(not plan.fixed), "EVERY": float(method.every), "FIRST_ORDER": float(method.first_order)}
    told["TOLERANCE"] = 0.1 if plan.fixed else max(1e-15 / plan.rtol, min(0.03, plan.rtol**0.5))
    for name, value in told.items():
        memory.numbers[getattr(layout, name)] = value
    names = [f"{method.kernel}_{what}" for what in ("attempt", "between", "finish")]
    names += [jacobian(plan), "no_rows"]
    return Scheme(*(first_class(name, model.flexible) for name in names), stages, memory)


def jacobian(plan: Plan) -> str:
    """The entry that takes the derivatives of a run."""
    from ..derivatives import analytical

    tree_alone = plan.rates == "lawless_rates" and len(plan.model.arrays.strut_index) == 0
    return "tree_jacobian" if tree_alone and analytical(plan.model) else "difference_jacobian"


def statistics(memory: Any) -> dict[str, int]:
    """What a run took: steps, rejected ones, corrections, derivatives, factorisations, evaluations."""
    from ..kernels.implicit.layout import COUNT_NAMES

    return {name: int(count) for name, count in zip(COUNT_NAMES, memory.counts, strict=True)}


def restart(memory: Any) -> None:
    """Lets a method forget the steps before something that is not smooth."""
    from ..kernels.implicit.layout import AGED, RESTART

    memory.numbers[RESTART] = memory.numbers[AGED] = 1.0
