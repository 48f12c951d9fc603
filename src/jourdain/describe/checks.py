"""Everything that can be wrong with a System, found in one pass and reported together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem, inside
from ..basics.values import finite_problems, name_problems, numbers, shown, suggestion
from .addresses import WORLD, address_problems, split_address
from .constraints.connections import Connection, Coupling
from .contact.granular import pile_problems
from .contact.multipliers import touching_problems
from .contact.pairs import contact_problems, site_names
from .force_elements import ForceElement
from .line_loads import line_problems
from .motions import Motion

if TYPE_CHECKING:
    from .system import Attachment, Force, System


def system_problems(system: System) -> list[Problem]:
    """All that keeps a system from being compiled, in the order in which it was described."""
    from .singular_mass import singular_problems

    address = str(system.name)
    problems = []
    if not isinstance(system.name, str) or not system.name.strip():
        problems.append(Problem(address, f"system name is {shown(system.name)}; give it a name"))
    problems += finite_problems(system.gravity, address, "gravity [m/s^2]")
    if system.environment is not None:
        problems += inside("environment", system.environment.check(address))
        if np.any(system.gravity != 0.0):
            problems.append(
                Problem(
                    address,
                    f"gravity is {numbers(system.gravity)} m/s^2 and there is an orbit; give gravity= or environment=",
                    "gravity",
                )
            )
    if not system.attachments:
        problems.append(Problem(address, "the system has no bodies; add one with add(body, joint)"))
    problems += _repeated("body", (item.body.name for item in system.attachments))
    problems += _repeated("joint", (item.joint.name for item in system.attachments))
    problems += _repeated("force", (force.name for force in system.forces))
    touch: list[Any] = [*system.contacts, *system.piles, *system.touching]
    problems += _repeated("contact", [one.name for one in touch])
    problems += _coordinate_problems(system)
    problems += _site_problems(system)

    sound: set[int] = set()
    for item in system.attachments:
        found = [*item.body.check(), *item.joint.check(str(item.joint.name)), *_place_problems(system, item)]
        problems += found
        if not found:
            sound.add(id(item))
    problems += _connection_problems(system)
    for force in system.forces:
        problems += _force_problems(system, force)
    for contact in system.contacts:
        problems += contact_problems(system, contact)
    for one in system.touching:
        problems += touching_problems(system, one)
    for pile in system.piles:
        problems += pile_problems(system, pile)
    problems += constraint_problems(system)
    return problems + singular_problems(system, sound)


def _repeated(what: str, names: Iterable[str]) -> list[Problem]:
    counts: dict[str, int] = {}
    for name in names:
        counts[str(name)] = counts.get(str(name), 0) + 1
    return [
        Problem(name, f'{what} name "{name}" is used {count} times; every {what} needs a name of its own', "name")
        for name, count in counts.items()
        if count > 1
    ]


def _coordinate_problems(system: System) -> list[Problem]:
    """Coordinates of joints and bodies share one set of names; joints of one name are reported elsewhere."""
    owners: dict[str, str] = {}
    problems = []
    for item in system.attachments:
        joint, body = f'joint "{item.joint.name}"', f'body "{item.body.name}"'
        names = [(str(name), joint) for name in item.joint.q_names()]
        if item.joint.drive is not None:
            names.append((f"{item.joint.name}.motor", joint))
        names += [(name, body) for name in item.body.coordinate_names()[item.body.lent :]]
        for name, owner in names:
            first = owners.setdefault(name, owner)
            if first != owner:
                problems.append(Problem(name, f'{first} and {owner} both have a coordinate "{name}"; rename one'))
    return problems


def _site_problems(system: System) -> list[Problem]:
    """Sites of contacts share one set of names; contacts of one name are reported elsewhere."""
    owners: dict[str, str] = {}
    problems = []
    for contact in system.contacts:
        for site in site_names(contact):
            first = owners.setdefault(site, str(contact.name))
            if first != str(contact.name):
                problems.append(
                    Problem(str(contact.name), f'contact "{first}" has a site "{site}" already; rename one')
                )
    return problems


def _place_problems(system: System, item: Attachment) -> list[Problem]:
    address = str(item.body.name)
    problems = item.pose.check(address)
    found = inside("to", address_problems(system, item.to, address, f'to="{item.to}"'))
    if not found and item.joint.travels:
        found = _rail_problems(system, item)
    problems += found
    known = item.body.frame_names()
    if item.at not in known:
        own = item.at.removeprefix(f"{item.body.name}.")
        near = f'write at="{own}"' if own in known else suggestion(item.at, known)
        problems.append(Problem(address, f'at="{item.at}": body "{address}" has no such frame; {near}', "at"))
    elif not item.body.check() and not item.body.can_be_held(item.at):
        held = ", ".join(f'"{frame}"' for frame in known if item.body.can_be_held(frame))
        problems.append(
            Problem(
                address,
                f'at="{item.at}": the body deforms there; its joint can hold {held}, where its shapes vanish',
                "at",
            )
        )
    elif not item.body.check() and not item.joint.check(str(item.joint.name)):
        wrong = item.body.joint_problem(item.joint)
        problems += [Problem(address, f'joint "{item.joint.name}": {wrong}', "joint")] if wrong else []
    return problems


def _rail_problems(system: System, item: Attachment) -> list[Problem]:
    """A rail needs a body that can bear it, and limits on that body."""
    from ..basics.pose import Pose

    name, frame = split_address(item.to)
    address, limits = str(item.joint.name), getattr(item.joint, "limits", None)
    if name == WORLD:
        return []
    if frame != "origin":
        return [Problem(address, f'to="{item.to}": a rail runs along the whole body; write to="{name}"', "to")]
    parent = system.body(name)
    if parent.check():
        return []
    try:
        rail = parent.rail(Pose())
    except ModelError as error:
        return [Problem(address, f'to="{item.to}": {one.message}', "to") for one in error.problems]
    if limits is not None and not (rail.low <= limits[0] and limits[1] <= rail.high):
        given = f"limits are {limits[0]:g} and {limits[1]:g} m"
        return [Problem(address, f'{given}; "{name}" reaches from {rail.low:g} to {rail.high:g} m', "limits")]
    return []


def _connection_problems(system: System) -> list[Problem]:
    """Cycles, and bodies whose way down never reaches the world."""
    parents: dict[str, str] = {}
    for item in system.attachments:
        parents.setdefault(item.body.name, item.parent)
    problems = []
    ends: dict[str, str] = {WORLD: WORLD}
    in_cycle: set[str] = set()
    for start in parents:
        path: list[str] = []
        on_path: set[str] = set()
        name = start
        while name in parents and name not in ends and name not in on_path:
            path.append(name)
            on_path.add(name)
            name = parents[name]
        if name in on_path:
            cycle = path[path.index(name) :]
            in_cycle.update(cycle)
            around = " -> ".join([*cycle, name])
            problems.append(
                Problem(cycle[0], f"bodies hang on each other in a cycle: {around}; add one of them to the world")
            )
            end = name
        else:
            end = ends.get(name, name)
        for passed in path:
            ends[passed] = end
    for name, parent in parents.items():
        end = ends[name]
        if end == WORLD or name in in_cycle:
            continue
        if end in in_cycle:
            why = f'it hangs on the cycle of "{end}"'
        elif parent == end:
            why = f'it is added to "{end}", which was never added'
        else:
            why = f'its chain ends at "{end}", which was never added'
        problems.append(Problem(str(name), f"the body hangs on nothing: {why}; its chain must reach the world"))
    return problems


def _force_problems(system: System, force: Force) -> list[Problem]:
    address = str(force.name)
    problems = name_problems(force.name, address, "force")
    if force.at == "world":
        problems.append(Problem(address, 'at="world": a force on the world moves nothing; name a body\'s frame', "at"))
    elif force.along:
        problems += line_problems(system, force)
    else:
        problems += inside("at", address_problems(system, force.at, address, f"at={shown(force.at)}"))
    if isinstance(force.law, ForceElement) and not force.along:
        problems += force.law.problems(address)
    problems += finite_problems(force.force, address, "force [N]")
    problems += finite_problems(force.moment, address, "moment [N m]")
    if force.law is not None and np.any(force.moment != 0.0):
        problems.append(Problem(address, "the law supplies moment and force; leave out moment=", "moment"))
    if force.axes not in ("world", "body"):
        problems.append(Problem(address, f'axes is {shown(force.axes)}; it must be "world" or "body"', "axes"))
    return problems


PASSIVE = ("stiffness", "damping", "friction", "rest", "limits", "drive")
"""What a joint of the tree may have and one that closes a loop may not."""


def constraint_problems(system: System) -> list[Problem]:
    """All that is wrong with a system's connections and couplings."""
    problems = _taken_names(system)
    for connection in system.connections:
        problems += _problems_of_connection(system, connection)
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


def _problems_of_connection(system: System, one: Connection) -> list[Problem]:
    from .addresses import address_problems

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
