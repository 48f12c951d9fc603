"""The same model with frequencies, or other parameters, that are a little off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import as_number, shown
from ...describe.parameters import addresses, find, read

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State

STIFFNESS = ("EI", "EA", "GJ", "E", "stiffness")
"""Arguments whose numbers, all multiplied alike, multiply every frequency by the root."""
PARTS = ("body", "joint", "drive", "spring")


def off_models(model: Model, state: State, held: tuple[str, ...], robust: Any, plants: int) -> list[Model]:
    """Models whose frequencies, or parameters, are evenly from `robust` below to `robust` above, without the middle.

    held      coordinates that do not vibrate
    robust    part by which all frequencies may be off, or parts of parameters by address
    plants    how many there are with the model itself: odd, 3 or more
    """
    from ...compile.variation import with_parameters

    if not isinstance(plants, int) or plants < 3 or plants % 2 == 0:
        raise ModelError.at("plants", f"got {shown(plants)}; give an odd number, 3 or more")
    sides = [one for one in np.linspace(-1.0, 1.0, plants) if abs(one) > 1e-9]
    places = addresses(model.description)
    if isinstance(robust, Mapping):
        parts = {str(at): _part(value, f"robust: {at}") for at, value in robust.items()}
        if not parts:
            raise ModelError.at("robust", "names no parameter; give addresses with parts, {'boom.EI': 0.2}")
        own = {at: read(model.description, find(model.description, at, places)) for at in parts}
        return [with_parameters(model, {at: own[at] * (1.0 + one * parts[at]) for at in parts}) for one in sides]
    part = _part(robust, "robust")
    own = {
        at: value
        for at, place in places.items()
        if place.kind[2] in STIFFNESS and place.kind[0] != "contact" and not at.endswith("]")
        if (value := read(model.description, place)) != 0.0
    }
    found = [with_parameters(model, {at: v * (1.0 + one * part) ** 2 for at, v in own.items()}) for one in sides]
    _check(model, found[0], state, held, part)
    return found


def _part(value: Any, what: str) -> float:
    number = as_number(value, what)
    if not 0.0 < number < 1.0:
        raise ModelError.at(what, f"got {shown(value)}; give a part between 0 and 1, such as 0.1 for 10 %")
    return number


def _check(model: Model, softer: Model, state: State, held: tuple[str, ...], part: float) -> None:
    """That the lowest frequency went down as it should."""
    hz = [float(np.min(one.frequencies(state, hold=held).hz, initial=np.inf)) for one in (model, softer)]
    if not np.isfinite(hz[0]):
        raise ModelError.at("robust", f"nothing of {model.name} vibrates while {', '.join(held)} is held; leave it out")
    if hz[1] > (1.0 - 0.5 * part) * hz[0]:
        told = f"the lowest frequency of {model.name} does not follow the stiffnesses that have an address"
        raise ModelError.at("robust", f"{told}; name parameters and their parts, {{'boom.EI': 0.2}}")
