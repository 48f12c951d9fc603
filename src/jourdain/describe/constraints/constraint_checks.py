"""Everything that can be wrong with connections and couplings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...basics.errors import ModelError, Problem, inside
from ...basics.values import name_problems, shown, suggestion
from ..motions import Motion
from .connections import Connection
from .couplings import Coupling

if TYPE_CHECKING:
    from ..system import System

PASSIVE = ("stiffness", "damping", "friction", "rest", "limits", "drive")
"""What a joint of the tree may have and one that closes a loop may not."""


def constraint_problems(system: System) -> list[Problem]:
    """All that is wrong with a system's connections and couplings."""
    problems = _taken_names(system)
    for connection in system.connections:
        problems += _connection_problems(system, connection)
    for coupling in system.couplings:
        problems += _coupling_problems(system, coupling)
    return problems


def _taken_names(system: System) -> list[Problem]:
    """Joints, connections and couplings share one set of names; joints of one name are reported elsewhere."""
    owners: dict[str, str] = {str(item.joint.name): "joint" for item in system.attachments}
    named = [("connection", str(one.name)) for one in system.connections]
    named += [("coupling", str(one.name)) for one in system.couplings]
    problems = []
    for what, name in named:
        if name in owners:
            taken = f'there is a {owners[name]} "{name}" already'
            problems.append(Problem(name, f"{taken}; give the {what} a name of its own"))
        owners.setdefault(name, what)
    return problems


def _connection_problems(system: System, one: Connection) -> list[Problem]:
    from ..addresses import address_problems

    e, where = one.element, str(one.name)
    problems = e.check(where)
    if e.kind == "free":
        problems.append(Problem(where, "a Free joint constrains nothing; leave the connection out"))
    elif e.kind == "rail":
        problems.append(
            Problem(
                where, "a Rail follows a body that bends and closes no loop; add the traveller on it, or use Prismatic"
            )
        )
    elif e.kind == "winch":
        problems.append(Problem(where, "a Winch holds a cable and closes no loop; add the cable on it"))
    elif e.closes:
        given = [what for what in PASSIVE if getattr(e, what, None) not in (None, 0.0)]
        if given:
            problems.append(
                Problem(
                    where,
                    f"a joint that closes a loop has no coordinate for {', '.join(given)}; put it on a joint of the "
                    "tree (cut the loop elsewhere), or connect a Spring",
                )
            )
    if one.moves is not None and not e.closes and e.kind != "rod":
        text = f"moves= is for joints that close loops and for rods; this is a {e.kind}: move a body's joint instead"
        problems.append(Problem(where, text))
    elif one.moves is not None and not one.active:
        problems.append(Problem(where, "has moves= and active=False; a connection that an event closes stands still"))
    elif one.moves is not None and isinstance(getattr(e, "length", None), Motion):
        problems.append(Problem(where, "has moves= and a length that changes; give one of them"))
    profiles = [*(one.moves or ()), getattr(e, "length", None)]
    for profile in profiles:
        problems += _profile_problems(profile, where)
    found = inside("first", address_problems(system, one.first, where, f'first="{one.first}"'))
    found += inside("second", address_problems(system, one.second, where, f'second="{one.second}"'))
    problems += found
    if found:
        return problems
    if one.first == one.second:
        return [*problems, Problem(where, f'connects "{one.first}" with itself; name two frames')]
    problems += one.place.check(where)
    bodies = [address.partition(".")[0] for address in (one.first, one.second)]
    if bodies[1] != "world" and np.any(one.place.position) and system.body(bodies[1]).internal:
        problems.append(
            Problem(
                where,
                f'position= is beside "{one.second}" of a body that deforms; give the body a frame there',
                "position",
            )
        )
    if bodies[0] == bodies[1] and (bodies[0] == "world" or not system.body(bodies[0]).internal):
        problems.append(
            Problem(where, f'both frames are on "{bodies[0]}" and never move against each other; name two bodies')
        )
    return problems


def _profile_problems(profile: object, where: str) -> list[Problem]:
    if not isinstance(profile, Motion):
        return []
    try:
        profile.numbers(0.0, where)
    except ModelError as error:
        return list(error.problems)
    return []


def _coordinates(system: System, rates: bool) -> tuple[set[str], set[str]]:
    """Names that can be coupled, and names that exist and cannot."""
    known: set[str] = set()
    others: set[str] = set()
    for item in system.attachments:
        names = item.joint.v_names() if rates else item.joint.q_names()
        turning = item.joint.turns_freely and not rates
        (others if turning else known).update(str(name) for name in names)
        motor = item.joint.motor_name()
        known.update([] if motor is None else [motor])
        known.update(item.body.coordinate_names())
    return known, others


def _coupling_problems(system: System, one: Coupling) -> list[Problem]:
    where = str(one.name)
    problems = name_problems(one.name, where, "coupling")
    known, others = _coordinates(system, one.rates)
    word = "velocity" if one.rates else "coordinate"
    for name, k in one.terms.items():
        if name in others:
            problems.append(
                Problem(
                    where,
                    f'"{name}" is one of the coordinates of a rotation or of a free body, which do not couple one by '
                    "one; couple velocities with rates=True, or connect two frames",
                    f"terms.{name}",
                )
            )
        elif name not in known:
            problems.append(Problem(where, f'there is no {word} "{name}"; {suggestion(name, known)}', f"terms.{name}"))
        if not math.isfinite(k):
            problems.append(
                Problem(where, f'the coefficient of "{name}" is {k}; give a finite number', f"terms.{name}")
            )
        elif k == 0.0:
            problems.append(
                Problem(
                    where, f'the coefficient of "{name}" is 0, which couples nothing; leave it out', f"terms.{name}"
                )
            )
    if isinstance(one.value, float) and not math.isfinite(one.value):
        problems.append(Problem(where, f"value is {shown(one.value)}; give a finite number or a profile", "value"))
    return problems + _profile_problems(one.value, where)
