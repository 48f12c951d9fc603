"""`jd.sensitivity`: how what a run shows changes with parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import Controllers, Events, KeptBy
from ...describe.motions import Motion
from ...model.model import Model
from ...model.state import State
from .experiment import Drive, Experiment
from .run_derivatives import partials

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
        """The slope (nt,) of a quantity by a parameter: ``slope["payload.origin.z", "fore.EI"]``."""
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
    curvature in a parameter adds is extrapolated away (`errors` tells how well). Where contacts, events or digital
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
