"""`jd.sensitivity`: how what a run shows changes with parameters.

Slopes of quantities of a run by parameters.

Internal numerical differentiation (Bock 1981, Recent advances in parameter identification for ODE): the scheme of
integration itself is differentiated, by runs that take the same steps through the compiled loop. Their differences have
no error but rounding and the curvature in the parameter, and that is extrapolated away (Richardson 1911; Ridders 1982,
Adv. Eng. Software 4(2)): columns of a triangle are of order 2, 4, 6 in the step of the parameter, and two neighbours
estimate the error of the better one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, SimulationError
from ...basics.types import Controllers, Events, KeptBy
from ...describe.motions import Motion
from ...model.model import Model
from ...model.state import State
from .experiment import Drive, Experiment

if TYPE_CHECKING:
    import xarray as xr


SAMPLES = 200
"""Intervals of the times that are looked at, where none is given."""


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Derivatives of quantities of a run by parameters, at every time.

    time          (nt,) [s]
    quantities    names of what is differentiated
    parameters    addresses of what it is differentiated by, with their values
    values        (nt, ny) the quantities themselves
    derivatives   (nt, ny, np) their derivatives, in SI units of the quantity over those of the parameter
    errors        estimated error of the derivatives by each parameter, over the largest of them
    """

    time: np.ndarray
    quantities: tuple[str, ...]
    parameters: Mapping[str, float]
    values: np.ndarray
    derivatives: np.ndarray
    errors: Mapping[str, float]

    def __getitem__(self, pair: tuple[str, str]) -> np.ndarray:
        """The sensitivity (nt,) of a quantity by a parameter: ``found["payload.origin.z", "fore.EI"]``."""
        quantity, parameter = pair
        names = list(self.parameters)
        for what, one, known in (("quantity", quantity, self.quantities), ("parameter", parameter, names)):
            if one not in known:
                raise ModelError.at(str(one), f"is no {what} of this sensitivity; there are {', '.join(known)}")
        return self.derivatives[:, self.quantities.index(quantity), names.index(parameter)]

    def to_dataset(self) -> xr.Dataset:
        """Labelled: values (time, quantity) and derivatives (time, quantity, parameter)."""
        import xarray as xr

        names = {"time": self.time, "quantity": list(self.quantities), "parameter": list(self.parameters)}
        columns = {"value": (("time", "quantity"), self.values)}
        return xr.Dataset(columns | {"slope": (("time", "quantity", "parameter"), self.derivatives)}, names)

    def __repr__(self) -> str:
        lines = [f"Sensitivity at {self.time[-1]:g} s"]
        for i, quantity in enumerate(self.quantities):
            for k, name in enumerate(self.parameters):
                lines.append(f"  d {quantity} / d {name} = {self.derivatives[-1, i, k]:.6g}")
        return "\n".join(lines)


@checked
def sensitivity(
    model: Model,
    state: State,
    quantities: Sequence[str],
    parameters: Sequence[str],
    until: float,
    *,
    output: float | None = None,
    step: float | None = None,
    method: Any = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Controllers | None = None,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    max_step: float | None = None,
    events: Events | None = None,
    constraints: KeptBy | None = None,
) -> Sensitivity:
    """Derivatives of quantities of a run by parameters.

    quantities    names as `jd.quantity` knows them: ["payload.origin.z", "effort:elbow"]
    parameters    addresses: of `model.parameters`, "state.q.elbow", "state.v.elbow", or "LAW[0]" of a controller
    until         time at which the run ends [s]
    output        interval of the samples [s]; None for 200 of them
    The rest as `jd.simulate` takes it.

    The scheme of integration is differentiated through the compiled loop: all runs take the same steps, and what the
    curvature in a parameter adds is extrapolated away (`errors` says how well). Where contacts, events or digital
    controllers decide the steps, each run chooses its own, at tight tolerances. A state of a system with loops is
    assembled anew for each value, as little as possible of it moving.
    """
    for what, given in (("quantities", quantities), ("parameters", parameters)):
        if isinstance(given, str) or not len(given):
            raise ModelError.at(what, f"got {given!r}; give a list of names")
    start = state.time
    if not np.isfinite(until) or until <= start:
        raise ModelError.at("until", f"got {until!r}; give a time after {start:g} s")
    spacing = output if output is not None else step or (until - start) / SAMPLES
    count = max(1, round((until - start) / spacing))
    if abs(count * spacing - (until - start)) > 1e-6 * spacing:
        raise ModelError.at("output", f"{until - start:g} s is not a whole number of intervals of {spacing:g} s")
    times = start + spacing * np.arange(count + 1)
    times[-1] = until
    drive = Drive(step, method, motions, controller, rtol, atol, max_step, constraints, events)
    experiment = Experiment(model, state, times, drive)
    experiment.check(quantities)
    values = {name: experiment.value(name) for name in parameters}
    here, found, errors = partials(experiment, quantities, values)
    return Sensitivity(times, tuple(quantities), values, here, found, errors)


FIRST = 2e-3
"""First step of a parameter, over its scale."""
ROWS = 6
"""Most halvings of it."""
ENOUGH = 3e-11
"""Error over the largest sensitivity at which halving ends."""
FAINT, STRONG = 1e-4, 0.1
"""Changes of the quantities, over their size, between which a first step may be."""
WIDENED = 4
"""How often it is made ten times as long or as short."""
LITTLE = 1e-6
"""Size of a quantity, in its own unit, below which sensitivities count less in the estimate of the error."""
QUICK = 1e-4
"""Step of a single central difference, over the scale of the parameter."""


class Slope(NamedTuple):
    """A derivative with an estimate of its error, over the largest entry of its column."""

    values: np.ndarray
    error: float


def scale_of(value: float, width: float | None = None) -> float:
    """The size of a parameter: its magnitude, or a tenth of the width of its bounds where it is near zero."""
    size = abs(value)
    if width is not None and np.isfinite(width):
        size = max(size, 0.1 * width)
    return size if size > 0.0 else 1.0


def extrapolated(function: Callable[[float], np.ndarray], scale: float, size: np.ndarray) -> Slope:
    """The derivative at zero of a function of a displacement, by central differences, or one-sided ones where it is
    refused on one side.

    size    of the function's columns, below which derivatives do not count: a column of zeros has an error of zero
    """
    first = _first(function, scale, size)
    side = _side(function, first)
    start = function(0.0) if side else None
    triangle: list[list[np.ndarray]] = []
    best = Slope(np.zeros(0), np.inf)
    for i in range(ROWS):
        h = first * 0.5**i
        if start is None:
            rough = (function(h) - function(-h)) / (2.0 * h)
        else:
            rough = side * (function(side * h) - start) / h
        row = [rough]
        for j, left in enumerate(triangle[-1] if triangle else ()):
            power = 4.0 ** (j + 1) if start is None else 2.0 ** (j + 1)
            row.append((power * row[-1] - left) / (power - 1.0))
        if triangle:
            floor = np.max(np.abs(row[-1]), axis=0) + 1e-7 * (size + LITTLE) / max(scale, first)
            apart = max(
                float(np.max(np.max(np.abs(row[-1] - other), axis=0) / floor)) for other in (row[-2], triangle[-1][-1])
            )
            if apart < best.error:
                best = Slope(row[-1], apart)
            elif apart > 4.0 * best.error:
                break
            if best.error < ENOUGH:
                break
        triangle.append(row)
    return best


def _first(function: Callable[[float], np.ndarray], scale: float, size: np.ndarray) -> float:
    """A step of the parameter that changes the function by a little: neither lost in rounding nor far from straight."""
    h = FIRST * scale
    for _ in range(WIDENED):
        try:
            changed = float(np.max(np.abs(function(h) - function(0.0)) / (size + LITTLE)))
        except (ModelError, SimulationError):
            return h
        if FAINT < changed < STRONG:
            break
        wider = h * (10.0 if changed <= FAINT else 0.1)
        try:
            function(wider)
        except (ModelError, SimulationError):
            break
        h = wider
    return h


def _side(function: Callable[[float], np.ndarray], h: float) -> float:
    """0 where the function exists on both sides, else the side on which it does."""
    for side in (1.0, -1.0):
        try:
            function(side * h)
        except (ModelError, SimulationError):
            try:
                function(-side * h)
            except (ModelError, SimulationError):
                raise ModelError.at("parameter", "neither a larger nor a smaller value gives a model") from None
            return -side
    return 0.0


def partials(
    experiment: Experiment,
    quantities: Sequence[str],
    values: Mapping[str, float],
    scales: Mapping[str, float] | None = None,
    exact: bool = True,
) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Quantities (nt, ny) at values of parameters, their sensitivities (nt, ny, np), and the estimated errors of these.

    scales    sizes of the parameters; their magnitudes unless given
    exact     False: a single central difference each, to about 1e-7, for the steps of a fit
    """
    experiment.lock(values)
    here = experiment.outputs(values, quantities)
    size = np.max(np.abs(here), axis=0) if len(here) else np.zeros(len(quantities))
    out = np.empty((*here.shape, len(values)))
    errors = {}
    kept: dict[float, np.ndarray] = {}
    for k, (name, value) in enumerate(values.items()):
        kept.clear()

        def moved(by: float, name: str = name, value: float = value) -> np.ndarray:
            if by not in kept:
                kept[by] = (
                    here if by == 0.0 else experiment.outputs({**values, name: value + by}, quantities, checked=True)
                )
            return kept[by]

        scale = scale_of(value) if scales is None else scales[name]
        if exact:
            out[:, :, k], errors[name] = extrapolated(moved, scale, size)
            continue
        h = QUICK * scale
        try:
            out[:, :, k] = (moved(h) - moved(-h)) / (2.0 * h)
        except (ModelError, SimulationError):
            side = _side(moved, h)
            out[:, :, k] = side * (4.0 * moved(side * 0.5 * h) - moved(side * h) - 3.0 * here) / h
        errors[name] = np.nan
    return here, out, errors
