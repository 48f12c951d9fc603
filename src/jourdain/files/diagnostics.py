"""What is known while a file is read: the mistakes so far, who has which name, and what may be made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..basics.errors import Problem
from ..basics.units import Unit
from ..basics.value_types import INVALID, step
from .problems import Mistake
from .references import Files
from .yaml import Node


class Reference(NamedTuple):
    """A name in a file that must exist in the model: what it is a name of, and where it stands."""

    kind: str
    name: str
    node: Node
    address: str


class Measure(NamedTuple):
    """A number with a unit that must be that of a coordinate: its name, the unit, and where it stands."""

    name: str
    unit: Unit
    node: Node
    address: str


class Models:
    """Models that controllers may name; `get` gives one, None where it could not be made."""

    def names(self) -> list[str]:
        """Names that exist."""
        return []

    def get(self, name: str) -> Any:
        """The compiled model of that name, or None."""
        return None


class Diagnostics:
    """Mistakes, names and references of the files that are being read.

    files     what may be read
    folders   folder of each file, by its name in messages
    quick     True: nothing is made that would take compiled kernels
    count     how often something was found wrong, also what another reading of the same lines found before
    models    for controllers
    state     state of the plant at the start, or None
    compiled  models by their hashes, where several documents are read that mostly have the same; None: none are kept
    expected  units that a number may have which is read now; () where it has none
    coordinate  the one that such a number is of; "" where it is of none
    misfits   addresses of values that are not of their type
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self.folders: dict[str, Path] = {}
        self.found: dict[Mistake, Mistake] = {}
        self.reported: set[tuple[str, int, int]] = set()
        self.count = 0
        self.references: list[Reference] = []
        self.places: dict[str, list[tuple[Node, str]]] = {}
        self.models = Models()
        self.state: Any = None
        self.quick = True
        self.compiled: dict[str, Any] | None = None
        self.expected: tuple[str, ...] = ()
        self.coordinate = ""
        self.measures: list[Measure] = []
        self.misfits: set[str] = set()

    def wrong(self, node: Node, address: str, message: str) -> Any:
        """Notes a mistake at a node; of one text or number only what is found first."""
        self.count += 1
        place = (node.file, node.line, node.column)
        whole = node.is_map or node.is_list
        if whole or place not in self.reported:
            self.note([node.mistake(address, message)])
        if not whole:
            self.reported.add(place)
        return INVALID

    def misfit(self, node: Node, address: str, message: str) -> Any:
        """Notes that a value is not of its type: of another form or dimension, whatever else stands in the file."""
        self.misfits.add(address)
        return self.wrong(node, address, message)

    def wrong_key(self, owner: Node, key: str, address: str, message: str) -> Any:
        """Notes a mistake at the key of a mapping."""
        return self.wrong(owner.key(key), address, message)

    def note(self, mistakes: Iterable[Mistake]) -> None:
        """Takes over mistakes; one at the same place with the same words is the same."""
        for one in mistakes:
            self.count += 1
            self.found.setdefault(one._replace(address=""), one)

    @property
    def mistakes(self) -> list[Mistake]:
        """What was found, in the order of finding."""
        return list(self.found.values())

    def beside(self) -> Diagnostics:
        """Diagnostics with names of their own, for another document of the same files; mistakes come into both."""
        other = Diagnostics(self.files)
        other.folders, other.found, other.reported = self.folders, self.found, self.reported
        other.compiled, other.misfits = self.compiled, self.misfits
        return other

    def name(self, name: str, node: Node, address: str) -> None:
        """Remembers where an element of that name is described."""
        self.places.setdefault(name, []).append((node, address))

    def refer(self, kind: str, name: str, node: Node, address: str) -> None:
        """Remembers that a name must exist."""
        self.references.append(Reference(kind, name, node, address))

    def measure(self, name: str, unit: Unit, node: Node, address: str) -> None:
        """Remembers that a coordinate must have the dimension of a unit."""
        self.measures.append(Measure(name, unit, node, address))

    @contextmanager
    def expecting(self, units: tuple[str, ...], coordinate: str = "") -> Iterator[None]:
        """Numbers that are read meanwhile may have these units, and are of this coordinate."""
        before = self.expected, self.coordinate
        self.expected, self.coordinate = units, coordinate
        try:
            yield
        finally:
            self.expected, self.coordinate = before

    def folder(self, node: Node) -> Path:
        """The folder of the file that a node is of."""
        return self.folders.get(node.file, self.files.root)

    def place(self, problems: Iterable[Problem], node: Node, address: str, inside: bool = False) -> Any:
        """Notes problems that were found while the element at `node` was made or checked.

        inside    look for it in this element only

        The place is that of the part that a problem names: an argument of the element, one of its values or keys, or
        another element of that name; else the element itself.
        """
        for problem in problems:
            if inside:
                found = _named(node, str(problem.address), address) or (node, address)
                at, where = _part(found[0], problem, found[1])
            else:
                at, where = self._find(problem, node, address)
            name = str(problem.address)
            known = name in where or name == "" or name == str(at.value)
            self.wrong(at, where, problem.message if known else f"{name}: {problem.message}")
        return INVALID

    def _find(self, problem: Problem, node: Node, address: str) -> tuple[Node, str]:
        name = str(problem.address)
        own = name in self.places and any(one is node for one, _ in self.places[name])
        if name in self.places and not own:
            node, address = self.places[name][-1]
        elif not own:
            inner = _named(node, name, address)
            if inner is not None:
                return inner
            body = name.partition(":")[0].partition(".")[0]
            if body in self.places and not any(one is node for one, _ in self.places[body]):
                node, address = self.places[body][-1]
        return _part(node, problem, address)


def _part(node: Node, problem: Problem, address: str) -> tuple[Node, str]:
    """What a problem is about inside an element: where its field leads, or the last step of its address, as "tip" of
    "link1.tip"; the element itself where neither is in it."""
    tail = str(problem.address).rpartition(".")[2]
    return _along(node, problem.argument, address) or _along(node, tail, address) or (node, address)


def _along(node: Node, path: str, address: str) -> tuple[Node, str] | None:
    """Where a path, "modes.bending_y" or "EI[0]", leads as far as it goes; None where it does not begin in the node. It
    may begin deeper, where there is only one such key."""
    first = re.split(r"[.\[]", path, maxsplit=1)[0]
    if not (node.is_map and first):
        return None
    if path in node.value:
        return node.value[path], step(address, path)
    if first in node.value:
        here, where, rest = node.value[first], step(address, first), path[len(first) :]
    else:
        deeper = [] if first in COMMON else list(_keyed(node, first, address))
        if len(deeper) != 1:
            return None
        (here, where), rest = deeper[0], path[len(first) :]
    for index, key in re.findall(r"\[(\d+)\]|\.([^.\[]+)", rest):
        inner = _along(here, key, where) if key else None
        if index and here.is_list and int(index) < len(here.value):
            inner = here.value[int(index)], step(where, int(index), here.value[int(index)])
        if inner is None:
            break
        here, where = inner
    return here, where


COMMON = ("name", "kind", "at", "to", "is", "position", "rotation", "normal")
"""Keys that are too common to tell a place by."""


def _keyed(node: Node, key: str, address: str) -> Iterator[tuple[Node, str]]:
    """All values under a key, anywhere in a node."""
    if node.is_map:
        for own, one in node.value.items():
            if own == key:
                yield one, step(address, own)
            yield from _keyed(one, key, step(address, own))
    elif node.is_list:
        for i, one in enumerate(node.value):
            yield from _keyed(one, key, step(address, i, one))


def _named(node: Node, name: str, address: str) -> tuple[Node, str] | None:
    """The first element, value or key inside a node that has this name."""
    if node.is_text and node.value == name:
        return node, address
    if node.is_map:
        own = node.get("name")
        if own is not None and own.value == name:
            return node, address
        for key, one in node.value.items():
            if key == name:
                return node.key(key), step(address, key)
            found = _named(one, name, step(address, key))
            if found is not None and key not in ("name", "kind"):
                return found
    elif node.is_list:
        for i, one in enumerate(node.value):
            found = _named(one, name, step(address, i, one))
            if found is not None:
                return found
    return None
