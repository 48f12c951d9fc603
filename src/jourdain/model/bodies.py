"""The bodies that a model was described with, built once: shapes and finite elements take longer than short runs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from ..describe.bodies import Body
    from .model import Model

_places: WeakKeyDictionary[Model, dict[str, int]] = WeakKeyDictionary()
_built: WeakKeyDictionary[Model, dict[str, Body | None]] = WeakKeyDictionary()


def body_of(model: Model, name: str) -> Body | None:
    """A body of a model; None of a user's own kind, which descriptions cannot make again."""
    from ..describe.bodies import BODIES, body_from_dict
    from ..describe.joints import JOINTS, joint_from_dict

    found = _built.setdefault(model, {})
    if name not in found:
        places = _places.get(model)
        if places is None:
            places = {item["body"]["name"]: i for i, item in enumerate(model.description["bodies"])}
            _places[model] = places
        item = model.description["bodies"][places[name]]
        known = item["body"].get("kind") in BODIES
        found[name] = made = body_from_dict(item["body"], name) if known else None
        if made is not None and item["joint"].get("kind") in JOINTS:
            found[name] = joint_from_dict(item["joint"], name).holds(made)
    return found[name]
