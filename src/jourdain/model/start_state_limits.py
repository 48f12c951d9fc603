"""States that begin outside the limits of joints: their stops push back at once, which is rarely what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..basics.warn import from_outside, warn

if TYPE_CHECKING:
    from .model import Model
    from .state import State

ROUNDING = 1e-9
"""Part of the range between two limits by which a coordinate may be outside of them."""


class JointLimitWarning(UserWarning):
    """A state has a joint outside its limits."""


class Outside(NamedTuple):
    """A coordinate outside its limits: its name, its value and the limits [rad or m]."""

    name: str
    value: float
    low: float
    high: float


def outside_limits(model: Model, q: np.ndarray) -> list[Outside]:
    """The coordinates of q (nq,) that are outside the limits of their joints."""
    arrays = model.arrays
    found = []
    for i in np.flatnonzero(arrays.joint_springs.columns.limit_stiffness > 0.0):
        j, spring = arrays.spring_entries[i].q, arrays.joint_springs[i]
        low, high = float(spring.low), float(spring.high)
        slack = ROUNDING * (high - low)
        if not low - slack <= q[j] <= high + slack:
            found.append(Outside(model.names.q[j], float(q[j]), low, high))
    return found


def warn_of_given_state(model: Model, state: State, given: Iterable[str] | None) -> None:
    """Warns of what a user gave `model.state`: coordinates by name, None for all of them.

    The state remembers what was said, so that a run which begins from it says only what is new. States that the package
    makes itself are left alone: one at rest on a stop is a little outside its limit.
    """
    if not from_outside():
        return
    found = outside_limits(model, state.q)
    names = None if given is None else set(given)
    new = [one for one in found if names is None or one.name in names]
    state.warned_of = tuple(one.name for one in new)
    _warn(model, new, "")


def warn_of_start(model: Model, states: Iterable[State]) -> None:
    """Warns of the states that a user made, at the start of a run: of each coordinate once."""
    first: dict[str, Outside] = {}
    for state in states:
        if state.warned_of is not None:
            for one in outside_limits(model, np.asarray(state.q, float)):
                if one.name not in state.warned_of:
                    first.setdefault(one.name, one)
            state.warned_of = (*state.warned_of, *(name for name in first if name not in state.warned_of))
    _warn(model, list(first.values()), "at the start ")


def _warn(model: Model, found: list[Outside], when: str) -> None:
    for one in found:
        unit = model.units.q[model.index.q[one.name]]
        warn(
            f'{model.name}: {when}"{one.name}" is at {one.value:.6g} {unit}, outside its limits of {one.low:.6g} and '
            f"{one.high:.6g} {unit}, and its stop pushes back; give a value between them, or other limits=",
            JointLimitWarning,
        )
