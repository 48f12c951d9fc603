"""What identification gives back: estimates with their errors, and the laws that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import suggestion
from ...describe.contact.friction import BristleFriction
from ...describe.contact.normal import HertzContact

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Estimate:
    """A parameter of a contact.

    value       estimate; not-a-number where the record does not determine it
    error       standard error; 0 for a value that was given
    interval    95 % confidence interval
    unit        of all of these
    reason      why the record does not determine it, and what a record needs that does; empty where it does
    """

    name: str
    value: float
    error: float
    interval: tuple[float, float]
    unit: str
    reason: str = ""

    @property
    def determined(self) -> bool:
        """Whether there is a value."""
        return not self.reason

    def __str__(self) -> str:
        if self.reason:
            return f"{self.name:18} not determined: {self.reason}"
        unit = f" [{self.unit}]" if self.unit != "1" else ""
        if self.error == 0.0:
            return f"{self.name:18} {self.value:<12.6g} given{unit}"
        low, high = self.interval
        return f"{self.name:18} {self.value:<12.6g} +- {self.error:<9.2g} {low:.6g} ... {high:.6g}{unit}"


@dataclass(frozen=True)
class FittedChannel:
    """A measured quantity beside what the fit makes of it, (n,) each; `noise` is its standard deviation."""

    name: str
    unit: str
    measured: np.ndarray
    fitted: np.ndarray
    noise: Any

    @property
    def residuals(self) -> np.ndarray:
        """Measured less fitted, in standard deviations."""
        return (self.measured - self.fitted) / self.noise


@checked
@dataclass(frozen=True)
class Identification:
    """Parameters of a contact, identified from a record; `result["stiffness"].value`, and `print(result)` for all.

    parameters     estimates by name
    correlation    of the determined ones, {(name, name): value}
    channels       measured and fitted quantities
    time           of the samples [s]
    chi2           weighted sum of squares of all residuals
    freedom        what it is on average where the laws describe the record
    spacing        of the knots of the motions' splines, by part: "normal", "friction" [s]
    slow_speed     that the damping was identified with [m/s]
    converged      whether the search came to its end
    """

    parameters: Mapping[str, Estimate]
    correlation: Mapping[tuple[str, str], float]
    channels: tuple[FittedChannel, ...]
    time: np.ndarray
    chi2: float
    freedom: int
    spacing: Mapping[str, float] = field(default_factory=dict)
    slow_speed: float = 1e-3
    converged: bool = True

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.parameters:
            raise KeyError(f'no parameter "{name}"; {suggestion(name, self.parameters)}')
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    @property
    def undetermined(self) -> dict[str, str]:
        """Names of the parameters that the record does not determine, each with the reason."""
        return {name: one.reason for name, one in self.parameters.items() if one.reason}

    @property
    def probability(self) -> float:
        """How likely noise alone makes residuals this large; near zero, the laws do not describe the record."""
        from scipy.stats import chi2

        return float(chi2.sf(self.chi2, self.freedom))

    def __str__(self) -> str:
        lines = [str(one) for one in self.parameters.values()]
        return "\n".join([*lines, f"chi2 {self.chi2:.1f}, expected {self.freedom} +- {np.sqrt(2 * self.freedom):.0f}"])

    def _values(self, names: tuple[str, ...], given: Mapping[str, float], what: str) -> dict[str, float]:
        unknown = [name for name in given if name not in names]
        problems = [Problem(what, f'no parameter "{name}"; {suggestion(name, names)}') for name in unknown]
        values = {}
        for name in names:
            one = self.parameters.get(name)
            if name in given:
                values[name] = float(given[name])
            elif one is None:
                problems.append(Problem(what, f'"{name}" was not identified; give {name}='))
            elif one.reason:
                problems.append(Problem(what, f'the record does not determine "{name}": {one.reason}. Or give {name}='))
            else:
                values[name] = one.value
        if problems:
            raise ModelError(problems)
        return values

    def normal_law(self, **given: float) -> HertzContact:
        """The normal law with the estimates; what the record does not determine must be given by name."""
        values = self._values(("stiffness", "exponent", "restitution"), given, "normal_law")
        return HertzContact(
            stiffness=values["stiffness"],
            restitution=values["restitution"],
            slow_speed=self.slow_speed,
            exponent=values["exponent"],
        )

    def friction_law(self, **given: float) -> BristleFriction:
        """The friction law with the estimates; what the record does not determine must be given by name.

        A static friction that came out below the kinetic one, within its error, is set to that.
        """
        from .fitted_laws import FRICTION_NAMES, friction_law

        values = self._values(FRICTION_NAMES, given, "friction_law")
        values["static"] = max(values["static"], values["kinetic"])
        values["viscous"] = max(values["viscous"], 0.0)
        return friction_law(values)

    def plot(self) -> Figure:
        """Measured and fitted quantities on the left, residuals in standard deviations on the right."""
        import matplotlib.pyplot as plt

        n = len(self.channels)
        figure, axes = plt.subplots(n, 2, figsize=(11, 1.2 + 1.9 * n), sharex=True, squeeze=False, layout="constrained")
        for (left, right), one in zip(axes, self.channels, strict=True):
            left.plot(self.time, one.measured, ".", markersize=2, color="#7b8794", label="measured")
            left.plot(self.time, one.fitted, color="#d9792b", linewidth=1.2, label="fitted")
            left.set_ylabel(f"{one.name} [{one.unit}]")
            right.plot(self.time, one.residuals, ".", markersize=2, color="#2f6fb2")
            right.axhspan(-1.96, 1.96, color="#2f6fb2", alpha=0.12)
            right.set_ylabel("residual / noise")
        axes[0, 0].legend()
        for bottom in axes[-1]:
            bottom.set_xlabel("time [s]")
        return figure
