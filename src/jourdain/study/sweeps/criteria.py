"""What a study keeps of a run: its limits, and numbers taken of quantities."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import NameOrNames
from ...basics.values import is_list, suggestion
from ...results.quantities import quantity

if TYPE_CHECKING:
    from ...results.run import Run
    from ..scenario.limits import Limit

TAKES = ("max", "min", "peak", "final", "mean", "rms", "range", "overshoot", "settling")
"""How a quantity becomes a number."""
SUCCESS, MARGIN = "success", "margin"
OWN = (SUCCESS, MARGIN)
"""Variables that every study has."""


@checked
@dataclass(frozen=True)
class Criterion:
    """A number taken of a quantity over time.

    quantity    a name of `quantities`: "contact:fit.force"; of several the largest number counts, with "min"
                the smallest
    take        "max", "min", "peak" (the largest magnitude), "final", "mean", "rms" (both over time), "range" (highest
                less lowest), "overshoot" (how far beyond `target` it goes, from where it was at first), or
                "settling" (when it was last outside `band` about `target`) [s]
    after       only times from here on count [s]
    before      only times up to here count [s]
    target      of overshoot and settling; the last value unless given
    band        of settling: half its width; 2 % of the way from the first value to the target unless given
    name        of the variable in results
    """

    quantity: NameOrNames
    take: str = "peak"
    after: float | None = None
    before: float | None = None
    target: float | None = None
    band: float | None = None
    name: str = ""

    def __post_init__(self) -> None:
        names: tuple[str, ...] = (self.quantity,) if isinstance(self.quantity, str) else ()
        if is_list(self.quantity):
            names = tuple(self.quantity)
        if not names or not all(isinstance(one, str) and one for one in names):
            raise ModelError.at("quantity", f"got {self.quantity!r}; give the name of a quantity, or several")
        object.__setattr__(self, "quantity", names)
        if self.take not in TAKES:
            raise ModelError.at("take", f"got {self.take!r}; {suggestion(str(self.take), TAKES)}")
        for what in ("after", "before", "target", "band"):
            value = getattr(self, what)
            if value is not None and not math.isfinite(value):
                raise ModelError.at(what, f"got {value}; give a finite number")
        if self.after is not None and self.before is not None and self.after > self.before:
            raise ModelError.at("after", f"got {self.after:g} s, behind before, {self.before:g} s; exchange them")
        if self.target is not None and self.take not in ("overshoot", "settling"):
            raise ModelError.at("target", f'belongs to overshoot and settling, not to "{self.take}"; leave it out')
        if self.band is not None and (self.take != "settling" or not self.band > 0.0):
            raise ModelError.at("band", f"got {self.band:g}; it is a width above zero, of settling only")

    def of(self, run: Run) -> tuple[float, str]:
        """The number of a run and its unit; not-a-number where no samples count."""
        numbers = [self._of(run, name) for name in self.quantity]
        most = min if self.take == "min" else max
        known = [value for value, _ in numbers if value == value]
        return (most(known) if len(known) == len(numbers) else math.nan), numbers[0][1]

    def _of(self, run: Run, name: str) -> tuple[float, str]:
        found = quantity(run, name)
        time, values = found.time, found.values
        if self.after is not None or self.before is not None:
            low = -math.inf if self.after is None else self.after
            high = math.inf if self.before is None else self.before
            slack = 1e-9 * max(1.0, abs(float(time[-1])))
            inside = (time >= low - slack) & (time <= high + slack)
            time, values = time[inside], values[inside]
        value = _take(self, time, values) if len(time) else math.nan
        return value, "s" if self.take == "settling" else found.unit

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return dict(vars(self)) | {"quantity": list(self.quantity)}


def _take(one: Criterion, time: np.ndarray, values: np.ndarray) -> float:
    simple: dict[str, Callable[[np.ndarray], Any]] = {
        "max": np.max,
        "min": np.min,
        "peak": lambda y: np.max(np.abs(y)),
        "final": lambda y: y[-1],
        "range": np.ptp,
    }
    if one.take in simple:
        return float(simple[one.take](values))
    span = float(time[-1] - time[0])
    if one.take in ("mean", "rms"):
        power = values if one.take == "mean" else values**2
        mean = float(np.trapezoid(power, time)) / span if span > 0.0 else float(power[0])
        return mean if one.take == "mean" else math.sqrt(mean)
    target = float(values[-1]) if one.target is None else one.target
    way = target - float(values[0])
    if one.take == "overshoot":
        beyond = (values - target) * (math.copysign(1.0, way) if way else 1.0)
        return max(0.0, float(np.max(beyond)))
    band = one.band if one.band is not None else 0.02 * abs(way)
    outside = np.flatnonzero(np.abs(values - target) > band)
    return float(time[outside[-1]]) if len(outside) else float(time[0])


class Column(NamedTuple):
    """A variable of the results: its name, and what it is in a few words."""

    name: str
    about: str


def columns(limits: Sequence[Limit], criteria: Sequence[Criterion]) -> list[Column]:
    """The variables that a study has: verdict and worst margin, value and margin of each limit, the criteria."""
    out = [
        Column(SUCCESS, "1 where the run reached its end and every limit was kept"),
        Column(MARGIN, "the smallest margin of all limits, as a fraction of the bound"),
    ]
    for limit in limits:
        out.append(Column(limit.name, f"{limit.quantity}, {limit.words}"))
        out.append(Column(f"{limit.name}: margin", f"of {limit.name}, as a fraction of the bound"))
    return out + [Column(one.name, f"{one.take} of {', '.join(one.quantity)}") for one in criteria]


def measure(run: Run, limits: Sequence[Limit], criteria: Sequence[Criterion]) -> tuple[list[float], list[str]]:
    """The variables of a run in the order of `columns`, and their units."""
    from ..scenario.limits import judge

    judged = judge(run, limits)
    margins = [one.margin for one in judged]
    worst = math.nan if not margins or any(one != one for one in margins) else min(margins)
    values, units = [float(not run.partial and all(one.passed for one in judged)), worst], ["", ""]
    for one in judged:
        values += [one.value, one.margin]
        units += [one.unit, ""]
    for criterion in criteria:
        value, unit = criterion.of(run)
        values.append(value)
        units.append(unit)
    return values, units
