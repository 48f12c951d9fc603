"""What a study varies: parameters by address, and the design that says which of their values go together."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics import units
from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import is_list, shown, suggestion

METHODS = ("grid", "listed", "random", "latin-hypercube", "sobol", "saltelli")
"""How values of parameters are combined."""
SCALES = ("linear", "log")
MOST = 200_000
"""Most variants of a study."""


@checked
@dataclass(frozen=True)
class Parameter:
    """A value of a scenario that a study varies.

    at        its address in the scenario, or several that get the same value: "system.contacts.fit.friction.kinetic";
              its name unless given
    values    the values, listed: numbers, "2 mm", words, or lists and mappings as the file takes them there
    range     lowest and highest value instead; a grid takes `count` of them, a random design any
    count     how many values of the range there are, its ends among them
    scale     "linear", or "log" for ranges above zero whose values grow by factors
    normal    mean and standard deviation instead, for random designs
    name      of the variable in results

    Numbers are in SI, or have a unit, "2 mm" or "30 deg": then they are numbers in SI afterwards, `unit` is the unit
    that they were written in, and what stands at the address must have its dimension.
    """

    at: Any = None
    values: Sequence[Any] | None = None
    range: Sequence[float] | None = None
    count: int | None = None
    scale: str = "linear"
    normal: Sequence[float] | None = None
    name: str = ""
    unit: str = field(default="", init=False)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            at: str | Sequence[str] | None = None,
            values: Sequence[Any] | None = None,
            range: Sequence[float] | None = None,
            count: int | None = None,
            scale: str = "linear",
            normal: Sequence[float] | None = None,
            name: str = "",
        ) -> None: ...

    def __post_init__(self) -> None:
        if isinstance(self.at, str) or self.at is None:
            given = self.at or self.name
            addresses = (given,) if isinstance(given, str) else (None,)
        else:
            addresses = tuple(self.at) if is_list(self.at) else (None,)
            addresses = addresses or ((self.name,) if isinstance(self.name, str) else (None,))
        if not all(isinstance(one, str) and (one or not self.name) for one in addresses):
            raise ModelError.at("at", f"got {self.at!r}; give an address of the scenario, or a list of them")
        object.__setattr__(self, "at", addresses if addresses != ("",) else ())
        kinds = [what for what in ("values", "range", "normal") if getattr(self, what) is not None]
        if len(kinds) != 1:
            said = f"got {' and '.join(kinds)}" if kinds else "there are no values"
            raise ModelError.at("values", f"{said}; give one of values, range and normal")
        if self.scale not in SCALES:
            raise ModelError.at("scale", f"got {self.scale!r}; {suggestion(str(self.scale), SCALES)}")
        if self.count is not None and (self.range is None or not 2 <= self.count <= MOST):
            raise ModelError.at("count", f"got {self.count}; it says how many values a range has, 2 or more")
        if self.values is not None:
            self._listed()
        elif self.range is not None:
            self._ranged()
        else:
            mean, deviation = self._pair("normal")
            if not deviation > 0.0:
                raise ModelError.at("normal", f"got a deviation of {deviation:g}; give one above zero")
            object.__setattr__(self, "normal", (mean, deviation))

    def _listed(self) -> None:
        values = [_plain(one) for one in (() if self.values is None else self.values)]
        if not values:
            raise ModelError.at("values", "the list is empty; give one value at least")
        if all(_is_number(one) or units.quantity(one) is not None for one in values):
            values = self._measured(values, "values")
        for one in values:
            if _is_number(one) and not abs(one) <= sys.float_info.max:
                raise ModelError.at("values", f"got {shown(one)}; give finite numbers")
        if len({repr(one) for one in values}) < len(values):
            raise ModelError.at("values", "a value comes twice; leave one out")
        object.__setattr__(self, "values", tuple(values))

    def _measured(self, given: Sequence[Any], what: str) -> list[Any]:
        """Numbers of what was given, those with units all of one dimension; numbers alone stay as they are."""
        found = [units.quantity(one) for one in given]
        written = [one.unit for one in found if one is not None]
        for one in written:
            if units.unit(one).dimension != units.unit(written[0]).dimension:
                raise ModelError.at(what, f"got values in {written[0]} and in {one}; give all of them in one dimension")
        object.__setattr__(self, "unit", written[0] if written else "")
        return [value if one is None else one for value, one in zip(given, found, strict=True)]

    def written(self, value: Any) -> Any:
        """A value as a file says it where it has a unit: as it was given, else in SI units with all digits."""
        if not self.unit or not _is_number(value):
            return value
        for one in (*(self.values or ()), *(self.range or ())):
            if one == value and _is_number(one):
                return one.text if isinstance(one, units.Measured) else value
        return f"{float(value)!r} {units.in_si(self.unit)}"

    def _pair(self, what: str) -> tuple[float, float]:
        """Two numbers, with units or without."""
        value = getattr(self, what)
        try:
            low, high = (one if isinstance(one, units.Measured) else float(one) for one in self._measured(value, what))
        except (TypeError, ValueError) as error:
            if isinstance(error, ModelError):
                raise
            raise ModelError.at(what, f"got {shown(value)}; give two numbers") from None
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ModelError.at(what, f"got {shown(value)}; give finite numbers")
        return low, high

    def _ranged(self) -> None:
        low, high = self._pair("range")
        if not low < high:
            raise ModelError.at("range", f"got {low:g} to {high:g}; give the lower end first")
        if self.scale == "log" and not low > 0.0:
            raise ModelError.at("range", f"got {low:g} to {high:g}; a log scale begins above zero")
        object.__setattr__(self, "range", (low, high))

    @cached_property
    def choices(self) -> tuple[Any, ...] | None:
        """The values where they are a list: as given, or `count` of the range; None where there are any number."""
        if self.count is None or self.range is None:
            return None if self.values is None else tuple(_bare(one) for one in self.values)
        spaced = np.geomspace if self.scale == "log" else np.linspace
        low, high = self.range
        inner = [float(x) for x in spaced(low, high, self.count)[1:-1]]
        return (float(low), *inner, float(high))

    @property
    def given(self) -> tuple[Any, ...]:
        """What was given, of values and ends: those of them that runs have."""
        return tuple(_bare(one) for one in (self.values or self.range or ()))

    @property
    def listed(self) -> bool:
        """Whether its values are a list."""
        return self.choices is not None

    @property
    def numeric(self) -> bool:
        """Whether all its values are numbers."""
        return self.choices is None or all(_is_number(one) for one in self.choices)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value; of a normal distribution four deviations either way."""
        if self.range is not None:
            return float(self.range[0]), float(self.range[1])
        if self.normal is not None:
            mean, deviation = self.normal
            return mean - 4.0 * deviation, mean + 4.0 * deviation
        numbers = [float(one) for one in self.choices or () if _is_number(one)]
        return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)

    def value(self, u: float) -> Any:
        """The value at a place u of the unit interval, where all are as probable as the parameter says."""
        if self.choices is not None:
            return self.choices[min(int(u * len(self.choices)), len(self.choices) - 1)]
        if self.normal is not None:
            from scipy.special import ndtri

            mean, deviation = self.normal
            return float(mean + deviation * ndtri(min(max(u, 1e-12), 1.0 - 1e-12)))
        low, high = self.bounds
        if self.scale == "log":
            return float(low * (high / low) ** u)
        return float(low + u * (high - low))

    def _values(self, places: np.ndarray) -> list[Any]:
        """`value` at many places."""
        if self.choices is not None or self.normal is not None or self.scale == "log":
            return [self.value(u) for u in places]
        low, high = self.bounds
        return list((low + places * (high - low)).tolist())

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        stated = {"name": self.name, "at": list(self.at), "values": self.choices and list(self.choices),
                "range": self.range and [float(one) for one in self.range], "scale": self.scale,
                "normal": self.normal and [float(one) for one in self.normal]}  # fmt: skip
        return stated | ({"unit": self.unit} if self.unit else {})


@checked
@dataclass(frozen=True)
class Design:
    """Which values of the parameters go together.

    method     "grid" (every combination of listed values), "listed" (the first values of all, then the second ...),
               "random", "latin-hypercube", "sobol" (scrambled), or "saltelli" (for Sobol indices: samples times the
               number of parameters plus two)
    samples    how many combinations; grids and lists have their own number
    seed       of all but grids and lists
    """

    method: str = "grid"
    samples: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ModelError.at("method", f"got {self.method!r}; {suggestion(str(self.method), METHODS)}")
        if self.counted and self.samples is not None:
            raise ModelError.at("samples", f"a {self.method} has the number of its values; leave samples out")
        if not self.counted and self.samples is None:
            raise ModelError.at("samples", f"are missing; say how many a {self.method} design has")
        if self.samples is not None and not 1 <= self.samples <= MOST:
            raise ModelError.at("samples", f"got {self.samples}; give 1 to {MOST}")
        if self.method in ("sobol", "saltelli") and self.samples and self.samples & (self.samples - 1):
            near = 1 << (self.samples.bit_length() - 1)
            raise ModelError.at("samples", f"got {self.samples}; a {self.method} design takes {near} or {2 * near}")

    @property
    def counted(self) -> bool:
        """Whether the values alone say how many combinations there are."""
        return self.method in ("grid", "listed")

    def problems(self, parameters: Sequence[Parameter]) -> list[tuple[str, str]]:
        """Why parameters do not fit the design: (name, message) each."""
        out = []
        for one in parameters:
            if self.counted and not one.listed:
                what = "count, the number of values" if one.range is not None else "values"
                out.append((one.name, f"a {self.method} design takes {what}; or name a random design"))
        if out:
            return out
        lengths = {one.name: len(one.choices or ()) for one in parameters if self.counted}
        if self.method == "listed" and len(set(lengths.values())) > 1:
            text = ", ".join(f"{name} {n}" for name, n in lengths.items())
            out.append((parameters[0].name, f"a listed design takes as many values of each; there are {text}"))
        total = self.size(parameters)
        if total > MOST:
            out.append((parameters[0].name, f"the design has {total} variants; at most {MOST} are run"))
        return out

    def size(self, parameters: Sequence[Parameter]) -> int:
        """How many variants there are."""
        if self.method == "grid":
            return math.prod(len(one.choices or ()) for one in parameters)
        if self.method == "listed":
            return len(parameters[0].choices or ())
        samples = int(self.samples or 0)
        return samples * (len(parameters) + 2) if self.method == "saltelli" else samples

    def rows(self, parameters: Sequence[Parameter]) -> list[tuple[Any, ...]]:
        """The values of every variant, in the order of the parameters; the last one of a grid runs fastest."""
        if self.method == "grid":
            return list(itertools.product(*(one.choices or () for one in parameters)))
        if self.method == "listed":
            return list(zip(*(one.choices or () for one in parameters), strict=True))
        columns = zip(parameters, self.places(len(parameters)).T)
        return list(zip(*(one._values(places) for one, places in columns), strict=True))

    def places(self, size: int) -> np.ndarray:
        """Places of the variants in the unit cube, (variants, size)."""
        from scipy.stats import qmc

        samples = int(self.samples or 0)
        if self.method == "random":
            return np.random.default_rng(self.seed).random((samples, size))
        if self.method == "latin-hypercube":
            return qmc.LatinHypercube(size, rng=self.seed).random(samples)
        if self.method == "sobol":
            return qmc.Sobol(size, rng=self.seed).random(samples)
        both = qmc.Sobol(2 * size, rng=self.seed).random(samples)
        first, second = both[:, :size], both[:, size:]
        mixed = []
        for i in range(size):
            one = first.copy()
            one[:, i] = second[:, i]
            mixed.append(one)
        return np.concatenate([first, second, *mixed])

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"method": self.method, "samples": self.samples, "seed": None if self.counted else self.seed}


def _plain(value: Any) -> Any:
    """Numbers of NumPy as Python's own; lists for tuples and arrays."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _bare(value: Any) -> Any:
    """A number without the unit that it was written in."""
    return float(value) if isinstance(value, units.Measured) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
