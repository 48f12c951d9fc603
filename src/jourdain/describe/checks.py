"""Everything that can be wrong with a System, found in one pass and reported together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem, inside
from ..basics.values import finite_problems, name_problems, numbers, shown, suggestion
from .addresses import WORLD, address_problems, split_address
from .constraints.constraint_checks import constraint_problems
from .contact.granular import pile_problems
from .contact.multipliers import touching_problems
from .contact.pairs import contact_problems, site_names
from .force_elements import ForceElement
from .line_loads import line_problems

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
