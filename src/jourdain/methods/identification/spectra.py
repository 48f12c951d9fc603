"""What fits in the frequency domain share: unknowns of a model, found by least squares, with what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...basics.errors import ModelError
from ...compile.variation import with_parameters
from ...model.model import Model
from ...model.state import State
from .experiment import Drive, Experiment
from .output_error import HELD, SearchResult
from .sensitivity import QUICK
from .statistics import Combination, worth
from .unknowns import Unknowns


class LeastSquaresProblem(Protocol):
    """Residuals over their errors, (n,), as functions of the numbers of a search (m,), and their Jacobian (n, m)."""

    def residuals(self, x: np.ndarray) -> np.ndarray: ...

    def jacobian(self, x: np.ndarray) -> np.ndarray: ...


class LeastSquaresSolution(NamedTuple):
    """What was found.

    values            by address; not-a-number where the record does not determine it
    errors            standard errors
    intervals         95 % confidence intervals
    unidentifiable    combinations that nothing shows
    undetermined      addresses without a value, each with the reason
    parameters        by address, those without a value as they were at the end
    x                 the numbers of the search
    chi2              sum of squares over the errors
    freedom           residuals that are not used up by unknowns
    """

    values: dict[str, float]
    errors: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    unidentifiable: tuple[Combination, ...]
    undetermined: dict[str, str]
    parameters: dict[str, float]
    x: np.ndarray
    chi2: float
    freedom: int
    converged: bool

    def shared(self, model: Model) -> dict[str, Any]:
        """The fields of a `SpectralFit`, for the model with unknowns as they were."""
        names = ("values", "errors", "intervals", "unidentifiable", "undetermined", "chi2", "freedom", "converged")
        return {name: getattr(self, name) for name in names} | {"model": with_parameters(model, self.parameters)}


@dataclass(frozen=True, eq=False)
class SpectralFit:
    """Unknowns from what was measured in the frequency domain.

    values            by address, in the unit of the parameter; not-a-number where the record does not determine it
    errors            standard errors, from those of what was measured
    intervals         95 % confidence intervals
    unidentifiable    combinations that nothing shows
    undetermined      addresses without a value, each with the reason
    chi2              sum of squares over the errors; near `freedom` where the model describes the record
    model             with the values
    """

    values: dict[str, float]
    errors: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    unidentifiable: tuple[Combination, ...]
    undetermined: dict[str, str]
    chi2: float
    freedom: int
    converged: bool
    model: Model

    def lines(self) -> list[str]:
        """A line for each unknown."""
        stated = []
        for name, value in self.values.items():
            why = self.undetermined.get(name)
            said = f"not determined: {why}" if why else f"{value:<12.6g} +- {self.errors[name]:.2g}"
            stated.append(f"{name:28} {said}")
        return stated


def numbers_of(
    model: Model,
    state: State,
    unknowns: Sequence[str] | Mapping[str, Any],
    start: Mapping[str, float] | None,
    what: str,
) -> Unknowns:
    """The unknowns of a search; a `ModelError` where one is no parameter of the model."""
    probe = Experiment(model, state, [state.time + 1.0], Drive())
    numbers = Unknowns(unknowns, [probe], [], start)
    foreign = [name for name in numbers.names if name not in probe.places]
    if foreign:
        raise ModelError.at(foreign[0], f"{what} tell parameters of the model only")
    return numbers


def differences(numbers: Unknowns, x: np.ndarray, of: Any) -> np.ndarray:
    """Jacobian of a vector `of(x)` by central differences."""
    columns = []
    for k in range(len(x)):
        h = np.zeros(len(x))
        h[k] = QUICK * numbers.scale[k]
        columns.append((of(x + h) - of(x - h)) / (2.0 * h[k]))
    return np.column_stack(columns)


def solve(problem: LeastSquaresProblem, numbers: Unknowns) -> LeastSquaresSolution:
    """Least squares within the bounds, from the numbers' own start."""
    from scipy.optimize import least_squares
    from scipy.stats import norm

    held = HELD / numbers.scale
    made = least_squares(
        lambda x: np.concatenate([problem.residuals(x), held * (x - numbers.start)]), numbers.start,
        lambda x: np.vstack([problem.jacobian(x), np.diag(held)]), (numbers.low, numbers.high), x_scale=numbers.scale,
    )  # fmt: skip
    x = made.x
    residuals = problem.residuals(x)
    found = SearchResult(
        x, problem.jacobian(x), residuals, len(residuals), {}, int(made.njev), bool(made.status > 0), ""
    )
    worthy = worth(problem, found)  # type: ignore[arg-type]
    reported = {name: float(value) for name, value in zip(numbers.names, numbers.reported(x), strict=True)}
    lost = worthy.undetermined
    values = {name: np.nan if name in lost else value for name, value in reported.items()}
    errors = dict(zip(numbers.names, (float(one) for one in worthy.errors), strict=True))
    k = float(norm.ppf(0.975))
    intervals = {name: (values[name] - k * errors[name], values[name] + k * errors[name]) for name in values}
    intervals |= {name: (np.nan, np.nan) for name in lost}
    freedom = len(residuals) - len(x) + len(lost)
    chi2 = float(residuals @ residuals)
    return LeastSquaresSolution(
        values=values,
        errors=errors,
        intervals=intervals,
        unidentifiable=worthy.unidentifiable,
        undetermined=lost,
        parameters=reported,
        x=x,
        chi2=chi2,
        freedom=freedom,
        converged=found.converged,
    )
