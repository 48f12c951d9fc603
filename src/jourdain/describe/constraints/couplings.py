"""Couplings of coordinates and of velocities: gears, differentials, cables, a coordinate that follows a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.types import Goal
from ...basics.value_types import ValueType
from ...basics.values import as_number, shown
from ..motions import Motion
from .connections import PROFILE


@dataclass(frozen=True, eq=False)
class Coupling(Described):
    """sum of coefficient times coordinate = value.

    name     unique among joints, connections and couplings
    terms    coefficients by names of coordinates, of velocities where ``rates``
    value    a number or a profile
    rates    whether it couples velocities
    """

    name: str
    terms: dict[str, float]
    value: Goal = 0.0
    rates: bool = False
    field_types: ClassVar[Mapping[str, ValueType]] = {"value": PROFILE}

    @classmethod
    def _from_fields(cls, **values: Any) -> Coupling:
        return make_coupling(**values)


def make_coupling(name: Any, terms: Any, value: Any = 0.0, rates: Any = False) -> Coupling:
    """A coupling of what `System.couple` was given; a `ModelError` where something is not what it should be."""
    where = str(name)
    if not isinstance(terms, Mapping) or not terms:
        raise ModelError.at(
            where, f'couple: got {shown(terms)}; give coefficients by name: {{"wheel": 1.0, "pinion": -3}}'
        )
    numbers = {str(key): as_number(one, f"{where}: coefficient of {key}") for key, one in terms.items()}
    if not isinstance(value, Motion):
        value = as_number(value, f"{where}: value")
    if not isinstance(rates, bool):
        raise ModelError.at(where, f"rates is {shown(rates)}; give True for velocities, False for coordinates", "rates")
    return Coupling(name, numbers, value, rates)
