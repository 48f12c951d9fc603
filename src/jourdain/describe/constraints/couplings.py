"""Couplings of coordinates and of velocities: gears, differentials, cables, a coordinate that follows a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...basics.errors import ModelError
from ...basics.types import Goal
from ...basics.values import as_number, expect_keys, expect_text, shown
from ..motions import Motion, motion_from_dict
from .connections import plain


@dataclass(frozen=True, eq=False)
class Coupling:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, numbers and text."""
        return {"name": self.name, "terms": dict(self.terms), "value": plain(self.value), "rates": self.rates}


def make_coupling(name: Any, terms: Any, value: Any, rates: Any) -> Coupling:
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
        raise ModelError.at(where, f"rates is {shown(rates)}; give True for velocities, False for coordinates")
    return Coupling(name, numbers, value, rates)


def coupling_from_dict(data: Any, address: str) -> Coupling:
    """The coupling that its `to_dict` wrote."""
    data = expect_keys(data, address, ("name", "terms"), ("value", "rates"))
    value = data.get("value", 0.0)
    if isinstance(value, dict):
        value = motion_from_dict(value, f"{address}.value")
    return make_coupling(expect_text(data["name"], f"{address}.name"), data["terms"], value, data.get("rates", False))
