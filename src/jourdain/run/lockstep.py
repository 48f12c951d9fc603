"""Runs in step: the steps that an adaptive method chose for one run, taken again by others with other numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import SimulationError, StopReason
from ..results.run import Record, Run
from .error_reporting import failed_law, index_error
from .loop import features, loop

if TYPE_CHECKING:
    from .plan import Plan


def may_lock(plan: Plan) -> bool:
    """Whether the steps of a run can be given: explicit, and nothing happens between steps but steps."""
    quiet = not plan.model.contacts.names and plan.model.touching is None and not plan.events.events
    return quiet and plan.implicit is None and not plan.laws.sampled and not plan.laws.watched


def in_step(plan: Plan, times: np.ndarray, kept: np.ndarray) -> Run:
    """The run of a plan with steps from each time to the next; the samples are where `kept` is true."""
    from ..kernels.integrate.lockstep import given_steps
    from ..kernels.integrate.loop_records import tape
    from ..kernels.integrate.loop_status import Status

    model = plan.model
    made = loop(plan, plan.workspace())
    made.integrator.adaptive = False
    out = tape(int(np.sum(kept)), model.nq, model.nv, len(model.names.z) + plan.laws.states)
    made = made._replace(tape=out)
    for piece in plan.laws.pieces:
        piece.bound.begin(plan.start, plan.z[slice(*piece.z)])
    go = given_steps.ready(features(plan)).python
    try:
        status, done, _ = go(made, np.ascontiguousarray(times, float), np.ascontiguousarray(kept, np.int64))
    except IndexError as error:
        raise index_error(model.name, error, *failed_law(error, made.ws)) from error
    if status != Status.OK:
        raise SimulationError(
            f"stopped at {times[done]:g} s: the state left its constraints or stopped being finite",
            times[done],
            reason=StopReason.NOT_FINITE,
            model=model.name,
        )
    record = Record(*(np.asarray(getattr(out, name)) for name in ("time", "q", "v", "z", "effort", "energy")))
    return Run(model, record, plan.options())
