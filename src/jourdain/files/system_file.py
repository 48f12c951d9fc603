"""System files: a system as YAML that a person can edit, and back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..basics.errors import CONTROL, ModelError, Problem
from ..basics.storage import atomic_write
from ..basics.value_types import INVALID
from ..basics.values import shown, suggestion
from ..describe.system import System
from .documents import FORMAT, TOP, open_source, parse
from .imports.system import IMPORTED, import_system
from .problems import ScenarioError
from .system_section import included, read_system
from .writing import Aside, plain, rotation_words, words_of
from .yaml import scalar

YAML = (".yaml", ".yml")


def _suffix(path: str | os.PathLike[str], word: str) -> str:
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    reads = word.endswith("load")
    if suffix in IMPORTED and not reads:
        raise ModelError.at(word, f"{IMPORTED[suffix]} files are read and not written; use a .yaml file")
    if suffix not in YAML and suffix not in IMPORTED:
        raise ModelError.at(word, f'got a file of type "{suffix}"; give .yaml' + (", .urdf or .xml" if reads else ""))
    return suffix


def load_system(
    path: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: bool | Collection[str] = False,
    free_base: bool = False,
    strict: bool = False,
) -> System:
    """The system of a file; see `System.load`."""
    suffix = _suffix(path, "System.load")
    if suffix in IMPORTED:
        return import_system(path, root, packages, ignore, free_base, strict)
    if packages or ignore or free_base or strict:
        raise ModelError.at("System.load", "packages, ignore, free_base and strict are for URDF and MJCF files")
    source, files = open_source(path, root)
    document, diagnostics = parse(source, files)
    for key in document.value:
        if key not in TOP:
            diagnostics.wrong_key(document, key, key, f'unknown section "{key}"; {suggestion(key, TOP)}')
    node = document.value.get("system")
    system: Any = INVALID
    if node is None:
        diagnostics.wrong(document, "system", "is missing; a system file has jourdain: 1 and a section system")
    else:
        name = document.get("name")
        whole = included(node, "system", diagnostics, (str(source.path),))
        title = name.value if name is not None and name.is_text else source.path.stem
        system = INVALID if whole is None else read_system(whole, "system", diagnostics, title)
    if diagnostics.mistakes:
        raise ScenarioError(
            sorted(diagnostics.mistakes, key=lambda one: (one.file != source.name, one.line, one.column))
        )
    return system


def save_system(system: System, path: str | os.PathLike[str]) -> Path:
    """Write a system; see `System.save`."""
    _suffix(path, "System.save")
    target = Path(path)
    beside: dict[str, Any] = {}
    document = {"jourdain": FORMAT, "system": system_words(system, target.stem, beside)}
    text = dump(document)
    for name, content in beside.items():
        with atomic_write(target.parent / name) as temporary:
            temporary.write_text(content, encoding="utf-8")
    with atomic_write(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return target


def system_words(system: System, stem: str, beside: dict[str, Any]) -> dict[str, Any]:
    """The section `system`; texts of further files go into `beside` by their names."""
    problems = [
        Problem(str(force.name), f'the force is the law "{force.law_name}", which is code; a file cannot hold it')
        for force in system.forces
        if force.is_code
    ]

    def aside(kind: str, thing: Any) -> str:
        ending, write = WRITERS[kind]
        text = write(thing)
        for name, other in beside.items():
            if other == text and name.endswith(ending):
                return name
        label = re.sub(r"[^A-Za-z0-9_-]+", "_", str(getattr(thing, "name", "mesh")))[:40] or "part"
        name, count = f"{stem}.{label}.{ending}", 1
        while name in beside:
            count += 1
            name = f"{stem}.{label}{count}.{ending}"
        beside[name] = text
        return name

    def said(address: str, thing: Any) -> Any:
        try:
            return words_of(thing, aside)
        except ModelError as error:
            problems.extend(Problem(address, one.message) for one in error.problems)
            return {}

    def law(address: str, thing: Any) -> Any:
        own = getattr(thing, "kind", None) == "own"
        if own:
            text = f'a user-defined contact law ("{thing.to_dict()["law"]}") is code; a file cannot hold it'
            problems.append(Problem(address, text))
        return {} if own else said(address, thing)

    out: dict[str, Any] = {"name": system.name}
    if system.gravity.any():
        out["gravity"] = plain(system.gravity, aside)
    if system.environment is not None:
        out["environment"] = said("environment", system.environment)
    out["bodies"] = []
    for item in system.attachments:
        entry = said(str(item.body.name), item.body.described) | {"joint": said(str(item.joint.name), item.joint)}
        entry |= {"to": item.to} if item.to != "world" else {}
        entry |= rotation_words(item.pose, aside)
        out["bodies"].append(entry | ({"at": item.at} if item.at != "origin" else {}))
    out["forces"] = [
        {
            "name": one.name,
            "at": one.at,
            "force": plain(one.force, aside) if one.law is None else said(one.name, one.law),
        }
        | ({"moment": plain(one.moment, aside)} if one.law is None else {})
        | ({"axes": one.axes} if one.axes != "world" else {})
        | ({"along": True} if one.along and one.law is None else {})
        for one in system.forces
        if not one.is_code
    ]
    out |= _contact_words(system, aside, law)
    out["connections"] = []
    for one in system.connections:
        entry = said(str(one.name), one.element) | {"first": one.first, "second": one.second}
        entry |= rotation_words(one.place, aside) | ({} if one.active else {"active": False})
        out["connections"].append(entry | ({} if one.moves is None else {"moves": plain(one.moves, aside)}))
    out["couplings"] = [
        {"name": one.name, "terms": plain(one.terms, aside)}
        | ({"value": plain(one.value, aside)} if one.value != 0.0 else {})
        | ({"rates": True} if one.rates else {})
        for one in system.couplings
    ]
    if problems:
        raise ModelError(problems)
    return {key: value for key, value in out.items() if value != []}


def _contact_words(system: System, aside: Aside, law: Callable[[str, Any], Any]) -> dict[str, list[dict[str, Any]]]:
    """Contacts, those by multipliers too, and piles; `law` says a law, whose contact has the name."""

    def laws(one: Any) -> dict[str, Any]:
        both = {"normal": one.normal, "friction": one.friction}
        return {word: law(str(one.name), it) for word, it in both.items() if it is not None}

    def side(one: Any) -> Any:
        return {"surface": f"{one.address}.{one.name}"} if one.placed is None else plain(one.placed, aside)

    def placed(one: Any, contact: Any) -> Any:
        """A shape, or the surface that a node is of, or that it meets."""
        if one.shape.kind == "skin":
            return {"surface": one.shape.surface}
        body = str(contact.surface).partition(".")[0]
        node = contact.surface is not None and str(one.address).startswith((f"{body}.node[", f"{body}.place["))
        return {"surface": contact.surface} if node else plain(one, aside)

    def lines(shapes: Any) -> list[Any]:
        """The shapes of a pile; the pieces of a cable are its surface."""
        bodies = [str(one.address).partition(".")[0] if one.shape.kind == "strand" else "" for one in shapes]
        stated = [
            {"surface": f"{body}.line"} if body else plain(one, aside) for one, body in zip(shapes, bodies, strict=True)
        ]
        return [one for k, one in enumerate(stated) if not bodies[k] or bodies[k] not in bodies[:k]]

    contacts, groups = [], set()
    for one in system.contacts:
        if one.group is not None and one.surface is not None:
            if one.group in groups:
                continue
            groups.add(one.group)
            one = replace(one, name=one.group, normal=one.law or one.normal)
        both = {"first": placed(one.first, one), "second": placed(one.second, one)}
        contacts.append({"name": one.name} | both | laws(one))
    contacts += [
        {"name": one.name, "first": side(one.first), "second": side(one.second)} | laws(one) for one in system.touching
    ]
    piles = [
        {"name": one.name, "shapes": lines(one.shapes), "broad": one.broad}
        | ({} if one.sites is None else {"sites": one.sites})
        | laws(one)
        for one in system.piles
    ]
    return {"contacts": contacts, "piles": piles}


def _part(body: Any) -> str:
    data = body.to_dict()
    return json.dumps({key: value for key, value in data.items() if key not in ("kind", "name")}, allow_nan=False)


def _nodes(mesh: Any) -> str:
    return json.dumps(mesh.to_dict(), allow_nan=False)


def _mesh(shape: Any) -> str:
    points = [f"v {x!r} {y!r} {z!r}" for x, y, z in shape.vertices.tolist()]
    faces = [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in shape.triangles.tolist()]
    return "\n".join([*points, *faces, ""])


WRITERS = {"part": ("json", _part), "mesh": ("obj", _mesh), "nodes": ("json", _nodes), "looks": ("json", _nodes)}
"""Ending and text of a file beside, by the kind of thing that it holds."""


def dump(document: Any) -> str:
    """YAML text that `read_yaml` reads as the same values; a `ModelError` of text that it would refuse."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        if CONTROL.search(value):
            raise ModelError.at(shown(value), "has a character that is no text; leave it out")
        style = "'" if not isinstance(scalar(value), str) or value.strip() != value or value == "<<" else None
        if any(not c.isprintable() for c in value):
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    return yaml.dump(document, Dumper=Dumper, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True)
