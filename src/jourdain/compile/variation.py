"""A model with other values of its parameters: the system is made of its description again, laws and all."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..basics.errors import ModelError
from ..describe.description import from_dict
from ..describe.parameters import write
from ..describe.system import Force, System
from ..model.topology_change import connected
from .model import compile_system

if TYPE_CHECKING:
    from ..model.model import Model


def described_system(model: Model, values: Mapping[str, float] | None = None) -> System:
    """The system that a model was compiled of, with its laws, and with other values of some parameters."""
    if model.absent_forces:
        raise ModelError.at(
            model.absent_forces[0],
            "this force was a law, which the model's file does not hold; compile the system anew",
        )
    described = {key: value for key, value in write(model.description, values or {}).items() if key != "closed"}
    system = from_dict(described, without_laws=True)
    laws = {force.name: force.given for force in model.law_forces}
    constant = {force.name: force for force in system.forces}
    system.forces = [
        constant[one["name"]] if one["name"] in constant else _law_force(one, laws[one["name"]])
        for one in described.get("forces", ())
    ]
    own = {law.name: law for law in (*model.contacts.normal_laws, *model.contacts.friction_laws)}
    system.contacts = [_with_own(one, own) for one in system.contacts]
    system.piles = [_with_own(one, own) for one in system.piles]
    return system


def with_parameters(model: Model, values: Mapping[str, float], checked: bool = False) -> Model:
    """The model with other values of parameters by address; a `ModelError` lists what is wrong with them.

    checked    leave out the checks of the whole system, where one with nearly the same values has passed them
    """
    made = compile_system(described_system(model, values), checked)
    if "closed" in model.description:
        made = connected(made, model.description["closed"])
    return made


def _law_force(described: Mapping[str, Any], law: Any) -> Force:
    """A force that is a law, as the description tells where it acts."""
    from ..basics.pose import as_vector

    zero = as_vector((0.0, 0.0, 0.0), described["name"])
    moment = as_vector(described["moment"], described["name"])
    along = described.get("along", False)
    return Force(described["name"], described["at"], zero, moment, described["axes"], law, along)


def _with_own(one: Any, own: Mapping[str, Any]) -> Any:
    """A contact with the user's own laws in the place of what a description has of them."""
    changed = {
        what: own[law.name]
        for what in ("normal", "friction")
        if (law := getattr(one, what)) is not None and law.kind == "own" and law.name in own
    }
    return dataclasses.replace(one, **changed) if changed else one
