"""A System as plain dictionaries, lists and numbers, and back: what run files carry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..basics.errors import ModelError, Problem
from ..basics.pose import Pose
from ..basics.values import as_vector, expect_keys, expect_list, expect_text, shown
from . import line_loads  # noqa: F401  (its force elements are known then)
from .bodies import body_from_dict
from .constraints.connections import Connection, Coupling
from .contact import tyres, wheel_rail  # noqa: F401  (their force elements are known then)
from .contact.granular import Pile
from .contact.multipliers import Touching
from .contact.pairs import Contact
from .contact.user_laws import OwnFriction, OwnNormal
from .environment import Orbit
from .force_elements import FORCE_ELEMENTS
from .joints import joint_from_dict
from .system import Force, System

T = TypeVar("T", Contact, Pile)
FORMAT = 1
"""Version of what `to_dict` writes."""


def to_dict(system: System) -> dict[str, Any]:
    """The system as dictionaries, lists, numbers and text, which JSON can hold without loss.

    A law cannot be written: a force that is one is recorded by the law's name, as ``{"law": name}``.
    """
    return {
        "format": FORMAT,
        "name": system.name,
        "gravity": system.gravity.tolist(),
        "environment": None if system.environment is None else system.environment.to_dict(),
        "bodies": [
            {
                "body": item.body.described.to_dict(),
                "joint": item.joint.to_dict(),
                "to": item.to,
                "pose": item.pose.to_dict(),
                "at": item.at,
            }
            for item in system.attachments
        ],
        "forces": [
            {
                "name": force.name,
                "at": force.at,
                "force": _force_words(force),
                "moment": force.moment.tolist(),
                "axes": force.axes,
            }
            | ({"along": True} if force.along else {})
            for force in system.forces
        ],
        "contacts": [contact.to_dict() for contact in system.contacts],
        "piles": [pile.to_dict() for pile in system.piles],
        "connections": [one.to_dict() for one in system.connections],
        "couplings": [one.to_dict() for one in system.couplings],
    } | ({"touching": [one.to_dict() for one in system.touching]} if system.touching else {})


def from_dict(data: Any, without_laws: bool = False) -> System:
    """The system that `to_dict` wrote. Unknown keys, other versions and wrong types are refused.

    without_laws    leave out the forces that were laws; otherwise such a force is an error, because the law
                    itself was not written
    """
    version = data.get("format") if isinstance(data, dict) else None
    if version != FORMAT or isinstance(version, bool):
        got = shown(version) if isinstance(data, dict) else shown(data)
        raise ModelError.at("format", f"got {got}; this version of Jourdain reads format {FORMAT}")
    more = ("environment", "forces", "contacts", "piles", "connections", "couplings", "touching")
    data = expect_keys(data, "description", ("format", "name", "gravity", "bodies"), more)
    system = System(expect_text(data["name"], "name"), gravity=as_vector(data["gravity"], "gravity"))
    problems: list[Problem] = []

    def each(key: str, take: Callable[[Any, str], None]) -> None:
        """Takes in every entry of a list, and notes what is wrong with it."""
        for i, entry in enumerate(expect_list(data.get(key, []), key)):
            try:
                take(entry, f"{key}[{i}]")
            except ModelError as error:
                problems.extend(error.problems)

    if data.get("environment") is not None:
        try:
            system.environment = Orbit.from_dict(data["environment"])
        except ModelError as error:
            problems += error.problems
    each("bodies", lambda entry, at: _add_body(system, entry, at))
    each("forces", lambda entry, at: _add_force(system, entry, at, without_laws))
    each("contacts", lambda entry, at: system.contacts.append(_with_laws(Contact, entry, at, without_laws)))
    each("touching", lambda entry, at: system.touching.append(Touching.from_dict(entry, at)))
    each("piles", lambda entry, at: system.piles.append(_with_laws(Pile, entry, at, without_laws)))
    each("connections", lambda entry, at: system.connections.append(Connection.from_dict(entry, at)))
    each("couplings", lambda entry, at: system.couplings.append(Coupling.from_dict(entry, at)))
    if problems:
        raise ModelError(problems)
    return system


def _force_words(force: Force) -> Any:
    """What a description has of the numbers of a force, or of its law."""
    if force.law is None:
        return force.force.tolist()
    return {"law": force.law_name} if force.is_code else force.law.to_dict()


def _with_laws(cls: type[T], entry: Any, address: str, without_laws: bool) -> T:
    """A contact or a pile; a user's law in it is an error where it must be whole."""
    made = cls.from_dict(entry, address)
    for what in ("normal", "friction"):
        law = getattr(made, what)
        if isinstance(law, OwnNormal | OwnFriction) and not without_laws:
            raise ModelError.at(
                f"{address}.{what}", f'the law "{law.name}" is not in a description; read it with without_laws=True'
            )
    return made


def _add_body(system: System, entry: Any, address: str) -> None:
    entry = expect_keys(entry, address, ("body", "joint"), ("to", "pose", "at"))
    body = body_from_dict(entry["body"], f"{address}.body")
    joint = joint_from_dict(entry["joint"], f"{address}.joint")
    pose = Pose.from_dict(entry["pose"], f"{address}.pose") if "pose" in entry else Pose()
    to = expect_text(entry.get("to", "world"), f"{address}.to")
    at = expect_text(entry.get("at", "origin"), f"{address}.at")
    system.add(body, joint, to=to, position=pose.position, rotation=pose.rotation, at=at)


def _add_force(system: System, entry: Any, address: str, without_laws: bool) -> None:
    entry = expect_keys(entry, address, ("name", "at"), ("force", "moment", "axes", "along"))
    name = expect_text(entry["name"], f"{address}.name")
    at = expect_text(entry["at"], f"{address}.at")
    axes = expect_text(entry.get("axes", "world"), f"{address}.axes")
    moment = as_vector(entry.get("moment", (0.0, 0.0, 0.0)), f"{address}.moment")
    force = entry.get("force", (0.0, 0.0, 0.0))
    along = entry.get("along", False) is True
    if isinstance(force, dict) and "kind" in force:
        system.force(name, at, FORCE_ELEMENTS.from_dict(force, f"{address}.force"), moment, axes, along)
        return
    if isinstance(force, dict):
        law = expect_text(expect_keys(force, f"{address}.force", ("law",))["law"], f"{address}.force.law")
        if not without_laws:
            raise ModelError.at(
                f"{address}.force",
                f'force "{name}" was the law "{law}", which a description does not hold; read it with '
                "without_laws=True and add the force again",
            )
        return
    system.force(name, at, as_vector(force, f"{address}.force"), moment, axes, along)
