"""What a beam is made of along its length, and how many shapes it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ....basics.arguments import checked
from ....basics.composite_types import Union
from ....basics.errors import ModelError, Problem
from ....basics.fields import Described
from ....basics.value_types import Array, Integer, Number, ValueType
from ....basics.values import as_array, as_number, readonly, shown

DIRECTIONS = ("bending_y", "bending_z", "axial", "torsion")
"""Ways in which a beam deforms, in the order of its coordinates."""
ALONG = Union(Number(), Array(depth=2))
"""A property along a beam: see `Section`."""
DAMPING = Union(Number(), Array(2))
"""A ratio, or Rayleigh's coefficients."""


@checked
@dataclass(frozen=True)
class Modes(Described):
    """How many shape functions a beam has in each direction.

    bending       in each of the two planes, or set apart by
    bending_y     deflection along y
    bending_z     deflection along z
    axial         stretch
    torsion       twist
    """

    bending: int | None = None
    bending_y: int | None = None
    bending_z: int | None = None
    axial: int = 0
    torsion: int = 0
    field_types: ClassVar[Mapping[str, ValueType]] = dict.fromkeys(("bending", *DIRECTIONS), Integer(0, 100))

    def counts(self) -> tuple[int, int, int, int]:
        """bending_y, bending_z, axial, torsion."""
        both = 0 if self.bending is None else self.bending
        y = both if self.bending_y is None else self.bending_y
        z = both if self.bending_z is None else self.bending_z
        return y, z, self.axial, self.torsion

    def to_dict(self) -> dict[str, int]:
        """The counts by direction."""
        return dict(zip(DIRECTIONS, self.counts(), strict=True))


class Section:
    """A property along the beam: a number, or (fractions of the length, values) with straight lines between."""

    fractions: np.ndarray
    values: np.ndarray

    def __init__(self, value: Any, what: str) -> None:
        if isinstance(value, Section):
            self.fractions, self.values = value.fractions, value.values
            return
        if np.ndim(value) == 0:
            self.fractions, self.values = readonly([0.0]), readonly([as_number(value, what)])
            return
        table = as_array(value, what)
        if table.ndim != 2 or len(table) != 2:
            raise ModelError.at(what, f"got {shown(value)}; give a number, or (fractions of the length, values)")
        self.fractions, self.values = readonly(table[0]), readonly(table[1])

    def __call__(self, fraction: np.ndarray) -> np.ndarray:
        return np.interp(fraction, self.fractions, self.values)

    def problems(self, address: str, what: str) -> list[Problem]:
        """Not positive, not a number, fractions out of order."""
        if not np.all(np.isfinite(self.values)) or np.any(self.values <= 0.0):
            return [Problem(address, f"{what} is {shown(self.plain())}; give numbers above zero", what)]
        f = self.fractions
        if len(f) > 1 and (f[0] != 0.0 or f[-1] != 1.0 or not np.all(np.diff(f) > 0.0)):
            return [
                Problem(address, f"{what} is given at fractions {shown(f.tolist())}; they must rise from 0 to 1", what)
            ]
        return []

    def plain(self) -> Any:
        """As numbers and lists."""
        if len(self.values) == 1:
            return float(self.values[0])
        return [self.fractions.tolist(), self.values.tolist()]


def section_inertia(value: Any, what: str) -> Section | tuple[Section, ...]:
    """Inertia a length about x, or about x, y and z."""
    if isinstance(value, tuple | list | np.ndarray) and len(value) == 3:
        return tuple(Section(one, what) for one in value)
    try:
        return Section(value, what)
    except ModelError:
        wanted = "give one number, about x, or three, about x, y and z; or tables of (fractions of the length, values)"
        raise ModelError.at(what, f"got {shown(value)}; {wanted}") from None


def inertia_problems(given: Section | tuple[Section, ...], address: str) -> list[Problem]:
    """As those of sections; and no axis may have more than the other two together, for there is no such mass."""
    if isinstance(given, Section):
        return given.problems(address, "inertia_per_length")
    problems = [one for i, part in enumerate(given) for one in part.problems(address, f"inertia_per_length[{i}]")]
    if problems:
        return problems
    places = np.unique(np.concatenate([np.array([0.0, 1.0]), *(part.fractions for part in given)]))
    values = np.stack([part(places) for part in given])
    excess = 2.0 * values - np.sum(values, axis=0)
    if np.any(excess > 1e-9 * np.sum(values, axis=0)):
        i, j = np.unravel_index(int(np.argmax(excess)), excess.shape)
        sizes = ", ".join(f"{value:g}" for value in values[:, j])
        rule = "no axis can have more than the other two together; a flat section has about x what y and z have in sum"
        return [
            Problem(
                address,
                f"inertia_per_length is ({sizes}) kg m, too much about {'xyz'[i]}: {rule}",
                "inertia_per_length",
            )
        ]
    return []
