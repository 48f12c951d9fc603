"""`simulate(..., verify=True)`: the run again with half the step, or a tenth of the tolerances, and what that says.

Of a method of order p the error of a run with steps h is, to first order, 2^p / (2^p - 1) times what it differs by from
the run with h / 2 (Richardson; Hairer, Norsett & Wanner 1993, section II.4). With p = 1 this is twice the difference,
and at most twice the error of any higher order: that is what is told, as contact, events and limits take order away.
The error of a method that chooses its steps goes with its tolerances: it is 10/9 of what a tenth of them changes.

Coordinates are compared, each over how far it moves, which impacts that come a little earlier or later leave smooth.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..basics.errors import JourdainError, SimulationError
from ..model.model import Model
from ..results.run import Record, Run
from ..results.trust import TOLERANCE
from .plan import Plan

HALVED, TIGHTENED = "half the step", "a tenth of the tolerances"
SAMPLES = 200
"""Common times at which runs are compared that choose their steps and were not told an interval."""
SMALL = 1e-3
"""Part of how far the coordinates with the same unit move that the swing of one counts as at least."""
ROUNDING = 1e-9
"""Part of the largest value among them that it counts as at least."""


def verify(plan: Plan, run: Run, again: Callable[[Plan], Run]) -> dict[str, Any]:
    """What a finer run says of a run, for ``run.options["verification"]``.

    again    runs a plan
    """
    asked: dict[str, Any] = dict(vars(plan.asked))
    fixed, record = plan.fixed, run.record
    what, part = (HALVED, 2.0) if fixed else (TIGHTENED, 10.0 / 9.0)
    tolerance = plan.energy_tolerance if np.isfinite(plan.energy_tolerance) else TOLERANCE
    remedy = f"a step shorter than {0.5 * plan.step:.3g} s" if fixed else f"rtol={0.01 * plan.rtol:.0e}"
    verdict: dict[str, Any] = {"what": what, "allowed": tolerance, "remedy": remedy, "error": None, "failed": ""}
    finer: dict[str, Any] = {"output": plan.every * plan.step} if fixed else {"rtol": 0.1 * plan.rtol}
    step = 0.5 * plan.step if fixed else None
    if not fixed:
        finer |= {"atol": 0.1 * plan.atol, "output": plan.interval or (plan.until - plan.start) / SAMPLES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not fixed and not plan.interval:
                same = Plan(plan.base, plan.state, plan.until, None, **asked | {"output": finer["output"]})
                record = again(same).record
            other = again(Plan(plan.base, plan.state, plan.until, step, **asked | finer)).record
        except JourdainError as error:
            return verdict | {"failed": error.described if isinstance(error, SimulationError) else str(error)}
    apart, k, when = largest_difference(plan.base, record, other)
    return verdict | {"error": part * apart, "coordinate": plan.base.names.q[k] if k >= 0 else "", "time": when}


def largest_difference(model: Model, record: Record, other: Record) -> tuple[float, int, float]:
    """The largest difference of two runs in a coordinate, over how far it moves; which coordinate, and when [s]."""
    if not model.nq or len(record) != len(other):
        return (0.0 if not model.nq else np.inf), -1, float(record.time[-1])
    theirs = other.q.copy()
    for j in model.quaternions:  # a quaternion and its opposite are the same rotation
        flip = np.einsum("ti,ti->t", record.q[:, j : j + 4], theirs[:, j : j + 4]) < 0.0
        theirs[flip, j : j + 4] *= -1.0
    apart = np.abs(record.q - theirs)
    apart[~np.isfinite(apart)] = np.inf
    share = apart / _scales(model, record.q)
    at = np.unravel_index(int(np.argmax(share)), share.shape)
    return float(share[at]), int(at[1]), float(record.time[at[0]])


def _scales(model: Model, q: np.ndarray) -> np.ndarray:
    """How far each coordinate moves (nq,): at least a part of those with its unit, and more than rounding."""
    swing, largest = np.ptp(q, axis=0), np.max(np.abs(q), axis=0)
    out = np.empty(len(swing))
    units: dict[str, list[int]] = {}
    for k, unit in enumerate(model.units.q):
        units.setdefault(unit, []).append(k)
    for some in units.values():
        least = max(SMALL * float(np.max(swing[some])), ROUNDING * max(1.0, float(np.max(largest[some]))))
        out[some] = np.maximum(swing[some], least)
    return out
