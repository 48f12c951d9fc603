"""The sections of a scenario file besides its system: what each may hold, and what it means."""

from __future__ import annotations

import re
from typing import Any

from ...basics.composite_types import Converted, ListOf, MappingOf, Union
from ...basics.errors import ModelError
from ...basics.value_types import Array, Number, Text
from ...files.control_schema import ADDRESS, CONTROLLER, COORDINATES, JOINTS
from ...files.diagnostics import Diagnostics
from ...files.documents import FORMAT
from ...files.schema_entry import Keys, ObjectType, SchemaEntry, SingleObjectType
from ...files.system_schema import ANGLE, NAME, NUMBER
from ...files.yaml import Node, scalar

QUANTITY = Text(refers="quantity", names='the name of a quantity, such as "effort:elbow"')
PROFILES = MappingOf(ObjectType("motion"), refers="coordinate")
_NUMBER = r"(\S+(?:\s*[A-Za-z°/]+)?)"
_WHEN = re.compile(rf"\s*(\S+)\s*([<>])\s*{_NUMBER}\s*\Z")
_PAIR = re.compile(rf"\s*(\S+)\s+to\s+(\S+)\s*([<>]|\bslower\b|\bfaster\b)\s*{_NUMBER}\s*\Z")
_TOUCH = re.compile(r"\s*(\S.*?)\s+(touches|parts)\s*\Z")


def _when(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """ "elbow > 90 deg" as Python has it: ("elbow", ">", 1.57); so with "hand.tip to payload.handle < 1 cm", with
    "hand.tip to payload.handle slower 1 mm/s" and with "touch touches"."""
    touch, pair, found = _TOUCH.match(value), _PAIR.match(value), _WHEN.match(value)
    if touch is not None:
        diagnostics.refer("contact", touch.group(1), node, at)
        return touch.groups()
    if pair is not None:
        first, second, word, number = pair.groups()
        for address in (first, second):
            diagnostics.refer("address", address, node, at)
        with diagnostics.expecting(("m",) if word in "<>" else ("m/s",)):
            limit = NUMBER.read(Node(scalar(number), node.file, node.line, node.column), at, diagnostics)
        return limit if not isinstance(limit, float) else ((first, second), word, limit)
    if found is None:
        raise ModelError.at(
            "",
            f'got {node.shown()}; give a coordinate, > or <, and a number: "elbow > 90 deg"; two frames: "hand.tip to '
            'payload.handle < 1 cm", or slower, or faster; or a contact: "touch touches", "touch parts"',
        )
    name, sign, number = found.groups()
    diagnostics.refer("position", name, node, at)
    there = Node(scalar(number), node.file, node.line, node.column)
    with diagnostics.expecting(("rad", "m"), name):
        limit = ANGLE.read(there, at, diagnostics)
    return limit if not isinstance(limit, float) else (name, sign, limit)


BOUND = Number(any_unit=True)
"""A bound of a limit: its unit is checked against the quantity's when that is known, and kept for reports."""
CONNECTIONS = ListOf(Text(refers="connection"), single=True)
EVENT = SchemaEntry(
    "Event",
    "describe.events",
    {
        "when": Converted(Text(), _when, 'a condition, such as "elbow > 90 deg"'),
        "lock": JOINTS,
        "release": JOINTS,
        "motions": PROFILES,
        "connect": CONNECTIONS,
        "disconnect": CONNECTIONS,
    },
)
LIMIT = SchemaEntry(
    "Limit",
    "study.scenario.limits",
    {"quantity": QUANTITY} | dict.fromkeys(("at_most", "at_least", "within"), BOUND) | {"unit": None},
)
REPLAY = SchemaEntry("Replay", "study.scenario.scenario", {"camera": ADDRESS, "follow": ADDRESS})
VELOCITIES = MappingOf(Union(ANGLE, Array(angle=True)), refers="entry")

STATE: Keys = {
    "q": (COORDINATES, "coordinates by name [rad or m]; all others are at rest in the zero configuration"),
    "v": (VELOCITIES, "velocities by name [rad/s or m/s]"),
    "time": (NUMBER, "at which the run begins [s]"),
}
SIMULATION: Keys = {
    "until": (NUMBER, "time at which it ends [s]"),
    "step": (NUMBER, "of the fixed-step methods [s]"),
    "method": (NAME, "rk4 or the like at a fixed step; dop853, dopri5, bdf or radau choose their steps"),
    "output": (NUMBER, "interval of what is kept [s]"),
    "rtol": (NUMBER, "relative tolerance of the methods that choose their steps"),
    "atol": (NUMBER, "absolute tolerance"),
    "max_step": (NUMBER, "the longest step that they may take [s]"),
    "step_check": (
        NAME,
        "refuse, or warn: what is done about a fixed step that is too large for the stiffness of a contact",
    ),
    "energy_tolerance": (NUMBER, "part of the energy that the balance may be off by; beyond it nothing is passed"),
}
OUTPUTS: Keys = {
    "figures": (MappingOf(ListOf(QUANTITY, single=True)), "titles, each with the quantities that it shows"),
    "frames": (ListOf(ADDRESS, single=True), "addresses whose motion is listed"),
}
EXPORT: Keys = {
    "inputs": (
        ListOf(Text(), single=True),
        "what the exported model takes, such as effort:elbow; all efforts unless given",
    ),
    "outputs": (ListOf(QUANTITY, single=True), "quantities that it gives, such as payload.origin.x"),
    "step": (NUMBER, "of the exported model [s]; that of the simulation unless given"),
    "method": (NAME, "euler, heun, rk3, rk4 or rk5; that of the simulation unless given"),
}
SECTIONS: Keys = {
    "motions": (PROFILES, "profiles that prescribe coordinates"),
    "events": (
        ListOf(SingleObjectType(EVENT)),
        "coordinates locked, released or taken over, connections closed or opened",
    ),
    "limits": (ListOf(SingleObjectType(LIMIT)), "what the run is judged by"),
    "replay": (SingleObjectType(REPLAY), "how the moving picture is shown at first"),
    "controller": (Union(CONTROLLER, ListOf(CONTROLLER)), "a controller, or a list of them"),
}
MODEL: Keys = {
    "from": (NAME, 'the model that it is a copy of; "plant" unless given'),
    "without": (ListOf(NAME, single=True), "bodies that are left out, with what hangs on them and touches them"),
    "file": (NAME, "a system file instead of a copy"),
}
MEANINGS = {
    "jourdain": f"version of this format: {FORMAT}",
    "name": "title of the scenario",
    "task": "what is to be done, in plain text",
    "system": "bodies, joints, environment, forces and contacts; or file: and the name of a file that has them",
    "models": "models that controllers may have besides the plant: changed copies of it, or other files",
    "state": "where the system is at the start",
    "simulation": "how long, and by which method",
    "outputs": "what the report shows",
    "export": "what jourdain export gives the model as inputs and outputs",
    "optimise": "a slew or a trajectory that is planned before it is simulated",
    "variants": "the same with other values: names, each with addresses and values",
}
