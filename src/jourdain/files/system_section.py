"""The section `system` of a file: bodies, joints and places, forces, contacts, piles, connections and couplings."""

from __future__ import annotations

from typing import Any

from ..basics.composite_types import Converted, ListOf, MappingOf, Nullable, Union
from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..basics.units import bracketed
from ..basics.value_types import INVALID, Integer, Rotation, Text, ValueType, step
from ..basics.values import suggestion
from ..describe.constraints.connections import make_connection
from ..describe.joints import Joint
from ..describe.system import Attachment, System
from . import control_schema  # noqa: F401  (its entries are known then)
from .diagnostics import Diagnostics
from .import_section import KEYS, imported_system, names_import
from .problems import ScenarioError
from .references import read_source
from .schema_entry import UNFORESEEN, Keys, ObjectType, SchemaEntry, SingleObjectType
from .system_schema import ADDRESS, FLAG, NAME, NUMBER, ORBIT, PLACED, VECTOR
from .yaml import Node, read_yaml

PLACE: Keys = {
    "joint": (ObjectType("joint"), "what holds the body"),
    "to": (ADDRESS, 'address of the frame that the joint sits in; "world" unless given'),
    "position": (VECTOR, "of the joint in that frame [m]"),
    "rotation": (Rotation(), "of the joint in that frame"),
    "at": (
        Text(names="the name of one of the body's frames"),
        'name of the body\'s own frame by which the joint holds it; "origin" unless given',
    ),
}
"""What the entry of a body says besides the body itself."""
FORCE = SchemaEntry(
    "force",
    "files.adapters:force",
    {
        "at": ADDRESS,
        "force": Union(ObjectType("force element"), VECTOR),
        "moment": VECTOR,
        "axes": Text(("world", "body")),
    },
)
LAWS: dict[str, ValueType] = {"normal": ObjectType("normal law"), "friction": ObjectType("friction law")}
SURFACE = SingleObjectType(
    SchemaEntry("surface", "files.adapters:SurfaceOf", {"surface": Text(names="a body and one of its surfaces")})
)
TOUCHING: ValueType = Union(PLACED, SURFACE)
"""What can touch: a surface of a solid or cable, or a shape on a frame."""
CONTACT = SchemaEntry("contact", "files.adapters:ContactEntry", {"first": TOUCHING, "second": TOUCHING} | LAWS)
PILE = SchemaEntry(
    "pile",
    "files.adapters:PileEntry",
    {"shapes": ListOf(TOUCHING), "sites": Integer(1, 1_000_000)} | LAWS,
)
BETWEEN: Keys = {
    "first": (ADDRESS, "address of a frame; forces in results act on it"),
    "second": (ADDRESS, "address of the other frame"),
    "moves": (
        ListOf(Nullable(ObjectType("motion"))),
        "three motions, or null, that displace the origin of the second frame along its own axes",
    ),
    "position": (VECTOR, 'of the second frame in the one that "second" names [m]'),
    "rotation": (Rotation(), "of the second frame there"),
    "active": (FLAG, "false where nothing connects them until an event does"),
}
"""What the entry of a connection says besides what it is."""


def _connection(value: Any, node: Node, at: str, diagnostics: Diagnostics) -> Any:
    """What connects, and between which frames."""
    element, rest = value
    if element is INVALID or any(one is INVALID for one in rest.values()):
        return INVALID
    missing = [key for key in ("first", "second") if key not in rest]
    if missing:
        return diagnostics.wrong(node, at, f'"{missing[0]}" is missing; name the two frames that it connects')
    place = {key: rest[key] for key in ("moves", "position", "rotation", "active") if key in rest}
    return make_connection(element, rest["first"], rest["second"], **place)


CONNECTION = Converted(ObjectType("connection", BETWEEN), _connection)
COUPLING = SchemaEntry(
    "coupling",
    "files.adapters:coupling",
    {"terms": MappingOf(NUMBER), "value": Union(NUMBER, ObjectType("motion"))},
)
REST = ("forces", "contacts", "piles", "connections", "couplings")
"""Sections that are lists of things with names, besides the bodies."""
SECTIONS: Keys = {
    "name": (NAME, "for people; the scenario's name unless given"),
    "gravity": (VECTOR, "uniform, in world axes [m/s^2]; none unless given"),
    "environment": (SingleObjectType(ORBIT), "an orbit instead of gravity, on which the world then moves"),
    "bodies": (ListOf(ObjectType("body", PLACE)), "bodies, each with its joint and its place"),
    "forces": (
        ListOf(SingleObjectType(FORCE)),
        "constant forces and moments, at frames or along bodies, and force elements",
    ),
    "contacts": (ListOf(SingleObjectType(CONTACT)), "pairs of shapes that can touch"),
    "piles": (ListOf(SingleObjectType(PILE)), "many shapes that can all touch each other"),
    "connections": (ListOf(CONNECTION), "joints that close loops, rods, rolling, knife edges, and springs"),
    "couplings": (ListOf(SingleObjectType(COUPLING)), "gears and other couplings of coordinates or velocities"),
}
FILE_WORDS = "another file beside this one: a .yaml, whose section system is taken, a .urdf, or an .xml of MJCF"


def included(node: Node, at: str, diagnostics: Diagnostics, chain: tuple[str, ...]) -> Node | None:
    """The section itself where it names a file: {file: arm.yaml}; None where that cannot be read.

    chain    real paths of the files that led here, so that none includes itself
    """
    if not node.is_map or "file" not in node.value or names_import(node):
        return node
    file, where = node.value["file"], step(at, "file")
    for key in node.value:
        if key != "file":
            diagnostics.wrong_key(
                node, key, step(at, key), f'"{key}" beside "file"; the file describes the whole system'
            )
    if not file.is_text:
        diagnostics.wrong(file, where, f"got {file.shown()}; give the name of a file beside this one")
        return None
    try:
        path = diagnostics.files.resolve(file, diagnostics.folder(file), where)
        if str(path) in chain:
            names = " -> ".join([*(one.rpartition("/")[2] for one in chain), path.name])
            diagnostics.wrong(file, where, f"the file includes itself: {names}; describe the system in one of them")
            return None
        name = diagnostics.files.label(path)
        source = read_source(path, name)
        root, mistakes = read_yaml(source.text, name)
    except ScenarioError as error:
        diagnostics.note(error.problems)
        return None
    diagnostics.files.read[name] = source.text
    diagnostics.folders[name] = path.parent
    diagnostics.note(mistakes)
    inner = root.value.get("system") if root.is_map else None
    if inner is None or not inner.is_map:
        diagnostics.wrong(root, "system", f"is missing in {name}; a system file has jourdain: 1 and a section system")
        return None
    return included(inner, at, diagnostics, (*chain, str(path)))


def read_system(node: Node, at: str, diagnostics: Diagnostics, name: str) -> System | Any:
    """The system that a section describes, checked; `INVALID` where it has mistakes."""
    if not node.is_map:
        return diagnostics.wrong(node, at, f"got {node.shown()}; give a mapping with bodies")
    before = diagnostics.count
    values: dict[str, Any] = {}
    base = imported_system(node, at, diagnostics) if names_import(node) else None
    for key, one in node.value.items():
        if base is not None and (key in KEYS or key == "file"):
            continue
        if key not in SECTIONS:
            hint = suggestion(key, [*SECTIONS, "file", *(KEYS if base is not None else ())])
            diagnostics.wrong_key(node, key, step(at, key), f'unknown key "{key}" of a system; {hint}')
        elif one.value is not None and key != "bodies":
            with diagnostics.expecting(bracketed(SECTIONS[key][1])):
                values[key] = SECTIONS[key][0].read(one, step(at, key), diagnostics)
    attachments = _bodies(node, at, diagnostics) if base is None or "bodies" in node.value else []
    for what in REST:
        _register(node.get(what), step(at, what), diagnostics)
    if diagnostics.count > before:
        _check_each(attachments, diagnostics)
        return INVALID
    system = System(values.get("name", name)) if base is None else base
    try:
        system.name = values.get("name", system.name)
        system.gravity = values.get("gravity", system.gravity)
        system.environment = values.get("environment")
        system.attachments += [one for one, _, _ in attachments]
        for what in REST:
            given = values.get(what, [])
            if what in ("contacts", "piles"):
                for one in given:
                    one.put(system)
            else:
                setattr(system, what, [*getattr(system, what), *given])
        diagnostics.place(system.check(), node, at)
    except ModelError as error:
        diagnostics.place(error.problems, node, at)
    except UNFORESEEN as error:
        diagnostics.wrong(node, at, f"cannot be checked: {error}")
    return INVALID if diagnostics.count > before else system


def _bodies(node: Node, at: str, diagnostics: Diagnostics) -> list[tuple[Attachment, Node, str]]:
    where = step(at, "bodies")
    bodies = node.get("bodies")
    if bodies is None:
        diagnostics.wrong(node, at, '"bodies" is missing; a system needs a body at least')
        return []
    if not bodies.is_list:
        diagnostics.wrong(bodies, where, f"got {bodies.shown()}; give a list of bodies, each line beginning with -")
        return []
    _register(bodies, where, diagnostics)
    found = []
    for i, entry in enumerate(bodies.value):
        place = step(where, i, entry)
        if not entry.is_map:
            diagnostics.wrong(entry, place, f"got {entry.shown()}; give a mapping with kind:, name: and joint:")
            continue
        joint = entry.get("joint")
        if joint is not None:
            _register_one(joint, step(place, "joint"), diagnostics)
        body, rest = ObjectType("body", PLACE).read(entry, place, diagnostics)
        if "joint" not in rest:
            diagnostics.wrong(
                entry, place, '"joint" is missing; say what holds the body, such as {kind: Weld, name: grip}'
            )
            continue
        if body is INVALID or any(one is INVALID for one in rest.values()):
            continue
        joint_made: Joint = rest["joint"]
        to = rest.get("to", "world")
        if joint_made.kind == "rail" and to != "world" and "." not in to:
            to = f"{to}.origin"
        pose = Pose(rest.get("position", (0.0, 0.0, 0.0)), rest.get("rotation"))
        try:
            found.append((Attachment(body, joint_made, to, pose, rest.get("at", "origin")), entry, place))
        except ModelError as error:  # a joint that cannot hold this body
            diagnostics.place(list(error.problems), entry, place)
    return found


def _check_each(attachments: list[tuple[Attachment, Node, str]], diagnostics: Diagnostics) -> None:
    """What is wrong with bodies and joints by themselves, where the system as a whole cannot be checked."""
    for one, node, where in attachments:
        try:
            diagnostics.place([*one.body.check(), *one.joint.check(str(one.joint.name))], node, where)
        except UNFORESEEN as error:
            diagnostics.wrong(node, where, f"cannot be checked: {error}")


def _register(node: Node | None, at: str, diagnostics: Diagnostics) -> None:
    if node is not None and node.is_list:
        for i, one in enumerate(node.value):
            _register_one(one, step(at, i, one), diagnostics)


def _register_one(node: Node, at: str, diagnostics: Diagnostics) -> None:
    name = node.get("name")
    if name is not None and name.is_text:
        diagnostics.name(name.value, node, at)


def without_bodies(node: Node, names: list[str]) -> Node:
    """A section `system` without some bodies, what hangs on them, and the forces and contacts on either."""
    gone = set(names)
    bodies = node.get("bodies")
    entries = bodies.value if bodies is not None and bodies.is_list else []
    grown = True
    while grown:
        grown = False
        for one in entries:
            name, to = _text(one, "name"), (_text(one, "to") or "world").partition(".")[0]
            if name is not None and name not in gone and to in gone:
                gone.add(name)
                grown = True

    def on(one: Node | None) -> bool:
        place = None if one is None else _text(one, "at") or _text(one, "surface")
        return (place or "").partition(".")[0] in gone

    joints = {
        name
        for one in entries
        if _text(one, "name") in gone and one.get("joint") is not None
        for name in [_text(one.get("joint"), "name")]
    }

    def coupled(one: Node) -> bool:
        terms = one.get("terms")
        names = terms.value if terms is not None and terms.is_map else {}
        return any(str(name).partition(".")[0] in gone | joints for name in names)

    keep = {
        "bodies": lambda one: _text(one, "name") not in gone,
        "forces": lambda one: not on(one),
        "contacts": lambda one: not (on(one.get("first")) or on(one.get("second"))),
        "connections": lambda one: (
            not {(_text(one, key) or "").partition(".")[0] for key in ("first", "second")} & gone
        ),
        "couplings": lambda one: not coupled(one),
    }
    value = dict(node.value)
    for what, kept in keep.items():
        section = node.get(what)
        if section is not None and section.is_list:
            value[what] = _with(section, [one for one in section.value if kept(one)])
    piles = node.get("piles")
    if piles is not None and piles.is_list:
        value["piles"] = _with(piles, [_thinned(one, on) for one in piles.value])
    return _with(node, value)


def _thinned(pile: Node, on: Any) -> Node:
    shapes = pile.get("shapes")
    if shapes is None or not shapes.is_list:
        return pile
    return _with(pile, pile.value | {"shapes": _with(shapes, [one for one in shapes.value if not on(one)])})


def _with(node: Node, value: Any) -> Node:
    return Node(value, node.file, node.line, node.column, node.places, node.size)


def _text(node: Node, key: str) -> str | None:
    found = node.get(key)
    return found.value if found is not None and found.is_text else None
