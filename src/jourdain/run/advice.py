"""Shorter steps tried before they are advised: a run that failed is made again to where it failed, and a bit further.

Steps divide that of the run, so that times of events, samples and controllers stay between steps, and have few digits.
The step that is advised is the one after the longest that got on, as the border of stability lies above that one.
"""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import JourdainError, ModelError, SimulationError
from ..model.stability import divisors
from ..results.channels import Energy
from ..results.check import rounding_energy
from ..results.trust import TOLERANCE, opening
from .partitioned import check_partitioned
from .plan import WITH_IMPLICIT_METHODS, Plan, Timing
from .surface_contact import check_touching

if TYPE_CHECKING:
    from ..results.run import Run

BUDGET = 2.0
"""Processor time that may be spent on finding a step [s]."""
SHORT = 0.15
"""Part of it where an estimate is good already."""
BEYOND = 0.2
"""Part of the time to the failure by which a trial goes beyond it."""
LEAST = 1000
"""Steps that a trial has at least, so that what grows by two in a hundred a step is seen."""
SAMPLES = 64
"""Samples that a trial keeps, by which its energy balance is judged."""
SAME = 3
"""Trials that fail where the run failed, after which the step is not the reason."""
NEAR = 0.02
"""Part of the time to the failure within which a trial fails where the run failed."""


class OutOfTime(Exception):
    """A trial took longer than is worth it."""


class Advice(NamedTuple):
    """What became of the trials.

    step     a step that got on [s]; 0 where none was found
    reached  the time that it got to [s]
    same     whether shorter steps fail at the same time, so that the step is not the reason
    """

    step: float = 0.0
    reached: float = 0.0
    same: bool = False


def can_be_tried(plan: Plan) -> bool:
    """Whether the run can be made again unasked: nothing in it is a user's Python function, a device or a file."""
    laws = [one for law in plan.laws.bound for one in (law, law.inner) if one is not None]
    return plan.fixed and not any(one.outside for one in laws)


def implicit_method_for(plan: Plan) -> str:
    """An implicit method that takes the model, as an argument of `simulate`; "" where there is none."""
    kind = plan.constraints.kind
    if len(plan.model.arrays.constraints) and kind not in WITH_IMPLICIT_METHODS:
        return ""
    for name, step in (("radau", None), ("generalized-alpha", plan.step)):
        try:
            timing = Timing(plan.start, plan.until, step, name)
            check_touching(plan.model, timing)
            check_partitioned(plan.model, timing)
        except ModelError:
            continue
        return f'the implicit method="{name}"' + ("" if step is None else f" with step={step:g}")
    return ""


def find_step(
    plan: Plan, run: Callable[[Plan, Callable[[float], None]], Run], failed: float, least: float, part: float = 1.0
) -> Advice:
    """A step with which the run gets beyond the time at which it failed, its energy balance closed.

    run      runs a plan, and calls what it is given with the simulated time now and then
    least    by how much the step has to be divided at least, as far as that is known
    part     of the processor time that may be spent
    """
    steps = max(1, round((failed - plan.start) / plan.step))
    steps += max(2, int(BEYOND * steps))
    end = clock.process_time() + part * BUDGET
    same, good = 0, Advice()
    for k in divisors(least):
        try:
            last = min(plan.steps, max(steps, LEAST // k))
            stopped = _stops(plan, run, last, k, end)
        except OutOfTime:
            break
        if stopped is None:
            if good.step:
                return Advice(plan.step / k, plan.start + last * plan.step)
            good = Advice(plan.step / k, plan.start + last * plan.step)
            continue
        good = Advice()
        same += stopped > failed - NEAR * (failed - plan.start) and stopped - failed <= plan.step
        if same >= SAME and k > 8:
            return Advice(same=True)
    return good


def _stops(
    plan: Plan, run: Callable[[Plan, Callable[[float], None]], Run], steps: int, k: int, end: float
) -> float | None:
    """When the run stops, or its energy balance opens, with a step divided by k; None where it gets to the end."""
    asked: dict[str, Any] = dict(vars(plan.asked))
    until, count = plan.start + steps * plan.step, steps * k
    asked["output"] = max(1, count // SAMPLES) * plan.step / k
    if asked["events"]:
        asked["events"] = [event for event in asked["events"] if event.at is None or event.at <= until]

    def look(_: float) -> None:
        if clock.process_time() > end:
            raise OutOfTime

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            done = run(Plan(plan.base, plan.state, until, plan.step / k, **asked), look)
        except SimulationError as error:
            return float(error.time)
        except JourdainError:
            return plan.start
    record = done.record
    if not all(np.all(np.isfinite(column)) for column in (record.q, record.v, record.energy)):
        return float(record.time[-1])
    tolerance = plan.energy_tolerance if np.isfinite(plan.energy_tolerance) else TOLERANCE
    first = opening(Energy(record.energy, record.time), tolerance, rounding_energy(plan.base))
    return None if first is None else float(record.time[first])
