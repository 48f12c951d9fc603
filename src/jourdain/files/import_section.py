"""The section `system` where it names a URDF or MJCF file, and what may stand beside that."""

from __future__ import annotations

from typing import Any

from ..basics.composite_types import ListOf, Union
from ..basics.errors import ModelError
from ..basics.value_types import INVALID, Boolean, Text, ValueType, step
from ..describe.bodies.body import Body
from ..describe.system import System
from .diagnostics import Diagnostics
from .problems import ScenarioError
from .schema_entry import Keys, ObjectType
from .yaml import Node

ENDINGS = (".urdf", ".xml", ".mjcf")


class Flexible(ValueType):
    """Flexible bodies that take the places of imported ones of the same names."""

    def words(self, python: bool = False) -> str:
        return "a list of flexible bodies, each with the name of the link that it replaces and along: [from, to]"

    def fits(self, node: Node) -> bool:
        return node.is_list

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        found = []
        for i, one in enumerate(node.value):
            where = step(at, i, one)
            if not one.is_map:
                diagnostics.wrong(one, where, f"got {one.shown()}; give a mapping with kind: and name:")
                continue
            body, rest = ObjectType("body", {"along": (ListOf(Text()), "names of two frames")}).read(
                one, where, diagnostics
            )
            if body is not INVALID and INVALID not in rest.values():
                found.append((body, rest.get("along"), one, where))
        return found

    def schema(self) -> dict[str, Any]:
        body = {"type": "object", "properties": {"kind": {"type": "string"}, "name": {"type": "string"}}}
        return {"type": "array", "items": body | {"required": ["kind", "name"]}}


KEYS: Keys = {
    "ignore": (
        Union(Boolean(), ListOf(Text())),
        "true to leave out what is not carried over, or names of what to leave out; else such things are refused",
    ),
    "free_base": (Boolean(), "true where the root link of a URDF file moves freely, on the joint root_joint"),
    "flexible": (Flexible(), "flexible bodies in the place of links of the same names, each with along: [from, to]"),
}
"""What may stand beside `file` where that is an import, besides what any system has."""


def names_import(node: Node) -> bool:
    """Whether a section `system` names a URDF or MJCF file."""
    file = node.value.get("file") if node.is_map else None
    return file is not None and file.is_text and file.value.lower().endswith(ENDINGS)


def imported_system(node: Node, at: str, diagnostics: Diagnostics) -> System | Any:
    """The system of the file that a section names, links made flexible where it says so; `INVALID` where that has
    mistakes."""
    from .imports.system import import_system

    file, before = node.value["file"], diagnostics.count
    values = {key: KEYS[key][0].read(one, step(at, key), diagnostics) for key, one in node.value.items() if key in KEYS}
    if INVALID in values.values():
        return INVALID
    try:
        path = diagnostics.files.resolve(file, diagnostics.folder(file), step(at, "file"))
        name = diagnostics.files.label(path)
        ignore = values.get("ignore", False) or diagnostics.files.ignore
        free = values.get("free_base", False)
        system = import_system(name, diagnostics.files.root, diagnostics.files.packages, ignore, free)
    except ScenarioError as error:
        diagnostics.note(error.problems)
        return INVALID
    except ModelError as error:
        return diagnostics.wrong(file, step(at, "file"), error.problems[0].message)
    if system.imported is not None:
        diagnostics.files.read |= system.imported.files
    for body, along, one, where in values.get("flexible", []):
        make_flexible(system, body, along, one, where, diagnostics)
    return system if diagnostics.count == before else INVALID


def make_flexible(system: System, body: Body, along: Any, node: Node, at: str, diagnostics: Diagnostics) -> None:
    """Put one flexible body in its place."""
    try:
        system.make_flexible(body.name, body, along=None if along is None else tuple(along))
    except ModelError as error:
        diagnostics.place(error.problems, node, at)
