"""`jd.optimise_design`: the values of parameters with which a run costs least and keeps its limits.

Cost and limits are numbers of one run; their gradients come from runs in step through the compiled loop
(`methods/identification/sensitivity.py` says why these have no noise). SciPy's SLSQP (Kraft 1988) or trust-constr
(Byrd,
Hribar & Nocedal 1999) does the search, in numbers that go from 0 to 1 between the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import JourdainError, ModelError
from ...basics.types import Controllers, KeptBy
from ...basics.values import shown
from ...describe.motions import Motion
from ...methods.identification.experiment import Drive, Experiment
from ...methods.identification.sensitivity import QUICK
from ...model.model import Model
from ...model.state import State
from ...results.quantities import quantity
from ...results.run import Run
from ..scenario.limits import Limit
from .criteria import Criterion

METHODS = ("SLSQP", "trust-constr")
SAMPLES = 400
KEPT = 1e-4
"""Part of a bound by which a limit may be missed and still counts as kept."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """A design.

    values       of the parameters by address
    cost         of its run; `began` that of the values that the search began with
    margins      by limit: how far it is kept, over its bound; negative where it is not
    gradient     of the cost by each parameter
    run          with these values, and `model` made of them
    converged    whether the search came to its end with all limits kept; `message` says how it ended
    history      (values, cost) of every point that was looked at
    """

    values: dict[str, float]
    cost: float
    began: float
    margins: dict[str, float]
    gradient: dict[str, float]
    run: Run
    converged: bool
    message: str
    history: list[tuple[dict[str, float], float]] = field(default_factory=list)

    @property
    def model(self) -> Model:
        """The model with the values."""
        return self.run.model

    def __str__(self) -> str:
        lines = [f"{name:28} {value:.6g}" for name, value in self.values.items()]
        lines.append(f"cost {self.began:.6g} -> {self.cost:.6g}")
        lines += [f"{name}: {100 * x:+.2f} % of its bound left" for name, x in self.margins.items()]
        return "\n".join([*lines, self.message])


Cost = Criterion | Callable[[Any], float]


class _Design:
    """Cost and margins of a run as functions of numbers between 0 and 1."""

    def __init__(
        self, experiment: Experiment, bounds: Mapping[str, tuple[float, float]], cost: list[tuple[float, Cost]],
        limits: Sequence[Limit],
    ) -> None:  # fmt: skip
        self.experiment, self.cost, self.limits = experiment, cost, list(limits)
        self.names = list(bounds)
        self.low, self.high = np.array(list(bounds.values()), float).T
        self.history: list[tuple[dict[str, float], float]] = []
        self._points: dict[bytes, np.ndarray] = {}
        self._partials: dict[bytes, np.ndarray] = {}

    def values(self, u: np.ndarray) -> dict[str, float]:
        x = self.low + np.asarray(u) * (self.high - self.low)
        return {name: float(one) for name, one in zip(self.names, x, strict=True)}

    def numbers(self, u: np.ndarray, checked: bool = False) -> np.ndarray:
        """Cost, then the margins of the limits."""
        run = self.experiment.run(self.values(u), checked)
        total = sum(weight * _cost_of(one, run) for weight, one in self.cost)
        return np.array([total, *(_margin(limit, run) for limit in self.limits)])

    def at(self, u: np.ndarray) -> np.ndarray:
        key = np.asarray(u, float).tobytes()
        if key not in self._points:
            self.experiment.lock(self.values(u))
            self._points[key] = self.numbers(u)
            self.history.append((self.values(u), float(self._points[key][0])))
        return self._points[key]

    def partials(self, u: np.ndarray) -> np.ndarray:
        """(1 + limits, parameters): central differences of runs in step, one-sided at a bound."""
        key = np.asarray(u, float).tobytes()
        if key not in self._partials:
            self.experiment.lock(self.values(u))
            columns = []
            for k in range(len(u)):
                ends = np.array([min(u[k] + QUICK, 1.0), max(u[k] - QUICK, 0.0)])
                moved = [np.array(u), np.array(u)]
                moved[0][k], moved[1][k] = ends
                columns.append((self.numbers(moved[0], True) - self.numbers(moved[1], True)) / (ends[0] - ends[1]))
            self._partials[key] = np.column_stack(columns)
        return self._partials[key]


def _cost_of(one: Cost, run: Run) -> float:
    value = one.of(run)[0] if isinstance(one, Criterion) else float(one(run))
    if not np.isfinite(value):
        raise ModelError.at("cost", "is no finite number; its window has no samples, or the function gave none")
    return value


def _margin(limit: Limit, run: Run) -> float:
    """How far a limit is kept, over its bound."""
    found = quantity(run, limit.quantity)
    low = -np.inf if limit.after is None else limit.after
    high = np.inf if limit.before is None else limit.before
    values = found.values[(found.time >= low - 1e-9) & (found.time <= high + 1e-9)]
    if not len(values):
        raise ModelError.at(limit.name, "its window has no samples")
    if limit.at_most is not None:
        return float(limit.at_most - np.max(values)) / (abs(limit.at_most) or 1.0)
    if limit.at_least is not None:
        return float(np.min(values) - limit.at_least) / (abs(limit.at_least) or 1.0)
    assert limit.within is not None
    return float(limit.within - np.max(np.abs(values))) / (limit.within or 1.0)


def _costs(given: Any) -> list[tuple[float, Cost]]:
    some = given if isinstance(given, list | tuple) else [given]
    out = []
    for one in some:
        weight, what = one if isinstance(one, tuple) and len(one) == 2 else (1.0, one)
        if not isinstance(what, Criterion) and not callable(what):
            raise ModelError.at(
                "cost", f"got {shown(what)}; give a Criterion, a function of a run, or (weight, either)"
            )
        out.append((float(weight), what))
    if not out:
        raise ModelError.at("cost", "there is none")
    return out


@checked
def optimise_design(
    model: Model,
    state: State,
    until: float,
    parameters: Mapping[str, Sequence[float]],
    cost: Any,
    limits: Sequence[Limit] = (),
    *,
    method: str = "SLSQP",
    output: float | None = None,
    step: float | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Controllers | None = None,
    constraints: KeptBy | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    max_step: float | None = None,
    iterations: int = 60,
) -> Optimum:
    """The values of parameters with which a run costs least and keeps its limits.

    parameters    addresses with bounds: {"fore.EI": (100, 5000)}, as `jd.sensitivity` takes them; the search begins at
                  the model's own values
    cost          a `jd.study.Criterion`, a function of a run, or a list of these or of (weight, one)
    limits        a list of `jd.study.Limit`, without deadlines
    method        "SLSQP" or "trust-constr"
    output        interval of the samples that cost and limits look at [s]; None for 400 of them
    The rest as `jd.simulate` takes it.

    The search is local. Where no design keeps all limits, `converged` is false and the message names those that it
    does not keep.
    """
    if method not in METHODS:
        raise ModelError.at("method", f"got {method!r}; allowed are {', '.join(METHODS)}")
    if not isinstance(parameters, Mapping) or not parameters:
        raise ModelError.at("parameters", f"got {shown(parameters)}; give addresses with bounds")
    for limit in limits:
        if not isinstance(limit, Limit) or limit.by is not None:
            raise ModelError.at("limits", f"got {shown(limit)}; give a jd.study.Limit without a deadline (by=)")
    bounds = {name: _pair(name, pair) for name, pair in parameters.items()}
    if not until > state.time:
        raise ModelError.at("until", f"got {until!r}; give a time after {state.time:g} s")
    count = SAMPLES if output is None else max(1, round((until - state.time) / output))
    times = np.linspace(state.time, until, count + 1)
    drive = Drive(step, None, motions, controller, rtol, atol, max_step, constraints)
    experiment = Experiment(model, state, times, drive)
    experiment.check([limit.quantity for limit in limits])
    design = _Design(experiment, bounds, _costs(cost), limits)
    start = np.array([experiment.value(name) for name in bounds])
    u = np.clip((start - design.low) / (design.high - design.low), 0.0, 1.0)
    began = float(design.at(u)[0])
    return _finished(design, *_search(design, u, method, iterations), began)


def _pair(name: str, given: Any) -> tuple[float, float]:
    try:
        low, high = (float(one) for one in given)
    except (TypeError, ValueError):
        raise ModelError.at(name, f"got {shown(given)}; give (lowest, highest)") from None
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ModelError.at(name, f"got {low:g} to {high:g}; give finite bounds, the lower one first")
    return low, high


def _search(design: _Design, u: np.ndarray, method: str, iterations: int) -> tuple[np.ndarray, bool, str]:
    from scipy.optimize import NonlinearConstraint, minimize

    scale = abs(float(design.at(u)[0])) or 1.0

    def cost(x: np.ndarray) -> float:
        try:
            return float(design.at(x)[0]) / scale
        except JourdainError:
            return 1e6  # a design that cannot be run

    def slope(x: np.ndarray) -> np.ndarray:
        return design.partials(x)[0] / scale

    box = [(0.0, 1.0)] * len(u)
    more: Any = ()
    if design.limits and method == "SLSQP":
        more = [{"type": "ineq", "fun": lambda x: design.at(x)[1:], "jac": lambda x: design.partials(x)[1:]}]
    elif design.limits:
        more = [NonlinearConstraint(lambda x: design.at(x)[1:], 0.0, np.inf, jac=lambda x: design.partials(x)[1:])]
    options = {"maxiter": iterations} | ({"ftol": 1e-9} if method == "SLSQP" else {"gtol": 1e-7, "xtol": 1e-8})
    made = minimize(cost, u, jac=slope, bounds=box, constraints=more, method=method, options=options)
    fine = bool(made.success) or (method == "trust-constr" and made.status in (1, 2))
    return np.clip(made.x, 0.0, 1.0), fine, str(made.message)


def _finished(design: _Design, u: np.ndarray, fine: bool, message: str, began: float) -> Optimum:
    stated = design.at(u)
    margins = {limit.name: float(x) for limit, x in zip(design.limits, stated[1:], strict=True)}
    broken = [name for name, x in margins.items() if x < -KEPT]
    if broken:
        words = ", ".join(f"{name} is missed by {-100 * margins[name]:.3g} % of its bound" for name in broken)
        message = f"no design within the bounds was found that keeps all limits: {words}"
    gradient = dict(zip(design.names, design.partials(u)[0] / (design.high - design.low), strict=True))
    run = design.experiment.run(design.values(u))
    stated_gradient = {name: float(x) for name, x in gradient.items()}
    done = fine and not broken
    return Optimum(
        values=design.values(u),
        cost=float(stated[0]),
        began=began,
        margins=margins,
        gradient=stated_gradient,
        run=run,
        converged=done,
        message=message,
        history=design.history,
    )
