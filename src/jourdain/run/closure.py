"""How far a run was from its constraints at accepted steps, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..basics.warn import warn
from ..describe.constraints.methods import model_size
from .constraint_start import ConstraintWarning

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Plan

OPEN = 1e-3
"""Violation, over the size of the model, of which a run that is not brought back to its constraints warns."""


class Gap(NamedTuple):
    """The largest violation of a row at the accepted steps of a run [m, rad], when [s], and whose row."""

    largest: float
    time: float
    constraint: str


def largest_gap(model: Model, ws: Any) -> Gap | None:
    """Of the run in a workspace; None without constraints."""
    from ..kernels.constraints.structure import GAP_AT

    if not len(model.arrays.constraint_index):
        return None
    at = ws.solve_links[GAP_AT]
    gap, time, row = (float(x) for x in ws.solve[at : at + 3])
    return Gap(gap, time, str(model.constraints.owners[int(row)]))


def largest_of(plan: Plan, ws: Any) -> Gap | None:
    """Of a whole run, also before its connections changed."""
    gaps = [one for one in (plan.past_gap, largest_gap(plan.model, ws)) if one is not None]
    return max(gaps, key=lambda one: one.largest, default=None)


def warn_open(plan: Plan, ws: Any) -> None:
    """A `ConstraintWarning` where the loops of a run opened visibly."""
    gap = largest_of(plan, ws)
    if gap is None or gap.largest <= OPEN * model_size(plan.model, plan.q):
        return
    warn(
        f'{plan.model.name}: "{gap.constraint}" was open by {gap.largest:.3g} m or rad at t = {gap.time:.6g} s, as '
        f'"{plan.constraints.kind}" does not bring a run back to its constraints; give constraints="projection", a '
        "shorter step or tighter tolerances",
        ConstraintWarning,
    )
