"""What one check of a run has found, and what rounding alone may do to energies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..model.model import Model

STILL = 1e-13
"""Energy for each kilogram that counts as rounding, where nothing moves at all [J/kg]."""
LEDGER = "energy balance"
"""The check that every run has."""


@dataclass(frozen=True)
class Check:
    """What one check of a run has found.

    name       "energy balance", "constraints", "rates of constraints", "linear momentum", "angular momentum",
               "mortar gaps", "half the step" or "a tenth of the tolerances"
    error      the largest that it found, in `unit`
    allowed    the largest that is allowed
    unit       "" for a part of what moves in the run
    time       when it was largest, or from when on the balance is open [s]; not-a-number where that is not known
    said       what is wrong and what to do about it, in a sentence; "" where nothing is
    """

    name: str
    error: float
    allowed: float
    unit: str = ""
    time: float = math.nan
    said: str = ""

    def __bool__(self) -> bool:
        return not self.said

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None where there is no number."""
        return {
            "name": self.name,
            "passed": bool(self),
            "error": plain_number(self.error),
            "allowed": plain_number(self.allowed),
            "unit": self.unit,
            "time": plain_number(self.time),
        }

    def __str__(self) -> str:
        return f"{self.name} within {self.error:.1e}" + (f" {self.unit}" if self.unit else "")


def plain_number(x: float) -> float | None:
    """A number as JSON has it."""
    return x if math.isfinite(x) else None


def rounding_energy(model: Model) -> float:
    """What a balance may always be off by [J]."""
    return STILL * float(np.sum(model.arrays.bodies.columns.mass))
