"""Parameters of a system by address: every number of a description that has a name, read and set.

fore.EI  payload.mass               of a body: an argument of its constructor
payload.com.x  payload.inertia.xy   entries of vectors and of symmetric tensors
elbow.friction  elbow.drive.gear    of a joint, and of its drive
elbow.position.z                    where the joint sits in the frame that carries it
touch.normal.stiffness              of a contact's law; touch.friction.kinetic, touch.second.offset of its shapes
cable.stiffness                     of a spring or rod between frames; gear.wheel a coefficient of a coupling
push.force.x                        a constant force
gravity.z  environment.altitude     the world

A number that stands for several equal ones is the address of all of them ("fore.EI" of a beam that bends alike both
ways), and each has its own ("fore.EI[0]"). The state at the start has addresses too, "state.q.elbow" and
"state.v.elbow", and so have the numbers of a law, "spin[0]": `STATE` and `LAW` know them.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..basics.errors import ModelError, Problem
from ..basics.values import shown, suggestion

Path = tuple[str | int, ...]
LETTERS = ("x", "y", "z")
VECTORS = ("com", "position", "gravity", "force", "moment")
"""Lists of three whose entries are called x, y and z."""
SKIPPED = (
    "axis",
    "axes",
    "frames",
    "shape",
    "modes",
    "mesh",
    "pose",
    "rotation",
    "normal_axis",
    "name",
    "kind",
    "units",
)
"""Arguments that hold directions, places, meshes and names: not numbers to be varied one by one."""
STATE = re.compile(r"state\.(q|v)\.(.+)\Z")
"""An address of the state at the start: kind and name of the coordinate."""
LAW = re.compile(r"([A-Za-z_]\w*)\[([0-9]{1,4})\]\Z")
"""An address of a number of a law: name of the law, and which."""
MOST = 9
"""Entries of the longest list whose entries have addresses."""


class Address(NamedTuple):
    """Where a parameter stands in a description.

    paths    keys and places from the top, several where a number stands for several
    kind     (what it is an argument of, its kind, the argument): ("body", "beam", "EI"), for units
    """

    paths: tuple[Path, ...]
    kind: tuple[str, str, str]


def addresses(description: Mapping[str, Any]) -> dict[str, Address]:
    """All parameters of a description. One that a body and a joint of one name share is under "body:NAME.argument"."""
    found: dict[str, Address] = {}
    double: set[str] = set()
    for what, name, node, path in _named(description):
        for word, one in _words(node, path, (what, str(node.get("kind", what)) if isinstance(node, dict) else what)):
            plain = f"{name}.{word}" if name else word
            if plain in found or plain in double:
                other = found.pop(plain, None)
                double.add(plain)
                if other is not None:
                    found[f"{other.kind[0]}:{plain}"] = other
                found[f"{what}:{plain}"] = one
            else:
                found[plain] = one
    return found


def _named(description: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Path]]:
    """(what it is, name, its description, path) of everything with parameters."""
    for i, item in enumerate(description.get("bodies", ())):
        yield "body", item["body"]["name"], item["body"], ("bodies", i, "body")
        yield "joint", item["joint"]["name"], item["joint"], ("bodies", i, "joint")
        yield "place", item["joint"]["name"], {"position": item["pose"]["position"]}, ("bodies", i, "pose")
    for i, one in enumerate(description.get("forces", ())):
        plain = isinstance(one["force"], list)
        yield "force", one["name"], {k: one[k] for k in ("force", "moment") if plain}, ("forces", i)
    for section in ("contacts", "piles", "touching"):
        for i, one in enumerate(description.get(section, ())):
            if one.get("group") is not None:  # a node of a surface: its law follows from that of the surface
                continue
            for law in ("normal", "friction"):
                if isinstance(one.get(law), dict):
                    yield f"{law} law", f"{one['name']}.{law}", one[law], (section, i, law)
            for side in ("first", "second"):
                shape = one.get(side, {}).get("shape") if isinstance(one.get(side), dict) else None
                if isinstance(shape, dict):
                    stated = {k: v for k, v in shape.items() if isinstance(v, float) or k == "kind"}
                    yield "shape", f"{one['name']}.{side}", stated, (section, i, side, "shape")
    for i, one in enumerate(description.get("connections", ())):
        yield "connection", one["element"]["name"], one["element"], ("connections", i, "element")
    for i, one in enumerate(description.get("couplings", ())):
        if isinstance(one.get("terms"), dict):
            yield "coupling", one["name"], one["terms"], ("couplings", i, "terms")
    if isinstance(description.get("environment"), dict):
        yield "environment", "environment", description["environment"], ("environment",)
    else:
        yield "gravity", "", {"gravity": description.get("gravity", [])}, ()


def _words(node: Any, path: Path, kind: tuple[str, str], prefix: str = "") -> Iterator[tuple[str, Address]]:
    """(argument, address) of every number in a mapping."""
    if not isinstance(node, Mapping):
        return
    for key, value in node.items():
        if key in SKIPPED:
            continue
        word, at = f"{prefix}{key}", (*path, key)
        stated = (*kind, str(key))
        if isinstance(value, float):
            yield word, Address((at,), stated)
        elif isinstance(value, Mapping):
            inner = "drive" if key == "drive" else kind[0]
            yield from _words(value, at, (inner, str(value.get("kind", inner))), f"{word}.")
        elif isinstance(value, list):
            yield from _entries(value, word, at, stated)


def _entries(value: list[Any], word: str, at: Path, stated: tuple[str, str, str]) -> Iterator[tuple[str, Address]]:
    """(argument, address) of the entries of a vector, a symmetric tensor or a short list."""
    if 0 < len(value) <= MOST and all(isinstance(one, float) for one in value):
        if len(value) == 3 and stated[2] in VECTORS:
            for letter, i in zip(LETTERS, range(3), strict=True):
                yield f"{word}.{letter}", Address(((*at, i),), stated)
            return
        if len(set(value)) == 1:
            yield word, Address(tuple((*at, i) for i in range(len(value))), stated)
        if len(value) > 1:
            for i in range(len(value)):
                yield f"{word}[{i}]", Address(((*at, i),), stated)
    elif len(value) == 3 and all(isinstance(row, list) and len(row) == 3 for row in value):
        for i in range(3):
            for j in range(i, 3):
                pair = {(*at, i, j), (*at, j, i)}
                yield f"{word}.{LETTERS[i]}{LETTERS[j]}", Address(tuple(sorted(pair)), stated)


def find(description: Mapping[str, Any], address: str, known: Mapping[str, Address] | None = None) -> Address:
    """The place of a parameter; a `ModelError` says what is near."""
    known = addresses(description) if known is None else known
    found = known.get(address)
    if found is None:
        both = [one for one in known if one.partition(":")[2] == address]
        if both:
            raise ModelError.at(address, f"several parameters have this name; say {' or '.join(both)}")
        name, _, word = address.rpartition(".")
        own = [one for one in known if one.rpartition(".")[0] == name]
        if own and f"{address}[0]" in known:
            raise ModelError.at(address, f"its entries differ; say {address}[0], {address}[1] ...")
        hint = f"{name} has {', '.join(one.rpartition('.')[2] for one in own)}" if own else suggestion(address, known)
        raise ModelError.at(address, f"there is no such parameter with a value; {hint}")
    return found


def read(description: Mapping[str, Any], place: Address) -> float:
    """The value of a parameter."""
    node: Any = description
    for key in place.paths[0]:
        node = node[key]
    return float(node)


def write(description: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Any]:
    """The description with other values of parameters; what is not changed is shared with the old one."""
    known = addresses(description)
    out = dict(description)
    own: set[Path] = set()
    problems: list[Problem] = []
    for address, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            problems.append(Problem(address, f"got {shown(value)}; give a finite number"))
            continue
        try:
            place = find(description, address, known)
        except ModelError as error:
            problems += error.problems
            continue
        for path in place.paths:
            _put(out, path, float(value), own)
    if problems:
        raise ModelError(problems)
    return out


def _put(out: dict[str, Any], path: Path, value: float, own: set[Path]) -> None:
    """Sets an entry; the mappings and lists on the way are copied once."""
    node: Any = out
    for depth, key in enumerate(path[:-1], 1):
        if path[:depth] not in own:
            node[key] = copy.copy(node[key])
            own.add(path[:depth])
        node = node[key]
    node[path[-1]] = value
