"""What is known while a file is read: the mistakes so far, who has which name, and what may be made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import Problem
from .mistakes import Mistake
from .references import Files
from .yaml_reader import Node


class _Wrong:
    """What stands for a value that could not be read; the mistake is in the book."""

    def __repr__(self) -> str:
        return "WRONG"


WRONG = _Wrong()


class Reference(NamedTuple):
    """A name in a file that must exist in the model: what it is a name of, and where it stands."""

    kind: str
    name: str
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


class Book:
    """Mistakes, names and references of the files that are being read.

    files     what may be read
    folders   folder of each file, by its name in messages
    quick     True: nothing is made that would take compiled kernels
    models    for controllers
    state     state of the plant at the start, or None
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self.folders: dict[str, Path] = {}
        self.mistakes: list[Mistake] = []
        self.references: list[Reference] = []
        self.places: dict[str, list[tuple[Node, str]]] = {}
        self.models = Models()
        self.state: Any = None
        self.quick = True

    def wrong(self, node: Node, address: str, message: str) -> _Wrong:
        """Notes a mistake at a node."""
        found = node.mistake(address, message)
        if found not in self.mistakes:
            self.mistakes.append(found)
        return WRONG

    def wrong_key(self, owner: Node, key: str, address: str, message: str) -> _Wrong:
        """Notes a mistake at the key of a mapping."""
        line, column = owner.places.get(key, (owner.line, owner.column))
        return self.wrong(Node(key, owner.file, line, column), address, message)

    def note(self, mistakes: Iterable[Mistake]) -> None:
        """Takes over mistakes that were found elsewhere."""
        self.mistakes += [one for one in mistakes if one not in self.mistakes]

    def name(self, name: str, node: Node, address: str) -> None:
        """Remembers where an element of that name is described."""
        self.places.setdefault(name, []).append((node, address))

    def refer(self, kind: str, name: str, node: Node, address: str) -> None:
        """Remembers that a name must exist."""
        self.references.append(Reference(kind, name, node, address))

    def folder(self, node: Node) -> Path:
        """The folder of the file that a node is of."""
        return self.folders.get(node.file, self.files.root)

    def place(self, problems: Iterable[Problem], node: Node, address: str, inside: bool = False) -> None:
        """Notes problems that were found while the element at `node` was made or checked.

        inside    look for it in this element only

        The place is that of the part that a problem names: an argument of the element, one of its values or keys, or
        another element of that name; else the element itself.
        """
        for problem in problems:
            if inside:
                at, where = _named(node, str(problem.address), address) or _part(node, problem, address)
            else:
                at, where = self._find(problem, node, address)
            name = str(problem.address)
            known = name in where or name == "" or name == str(at.value)
            self.wrong(at, where, problem.message if known else f"{name}: {problem.message}")

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


def step(address: str, key: str | int, node: Node | None = None) -> str:
    """The address of a part: of an item of a list its name where it has one."""
    if isinstance(key, int):
        name = node.get("name") if node is not None else None
        if name is None or not name.is_text:
            return f"{address}[{key}]"
        key = name.value
    return f"{address}.{key}" if address else str(key)


def _part(node: Node, problem: Problem, address: str) -> tuple[Node, str]:
    """The argument that a problem speaks of: "link1: EI", or a message that begins with its name."""
    if not node.is_map:
        return node, address
    tail = str(problem.address).rpartition(": ")[2]
    said = problem.message.partition(" ")[0].partition("[")[0].partition("=")[0].rstrip(":,;")
    second = problem.message.partition(": ")[2].partition(" ")[0].partition("[")[0]
    for word in (tail, tail.rpartition(".")[2], said, second):
        if word in node.value and word not in ("name", "kind"):
            return node.value[word], step(address, word)
    return node, address


def _named(node: Node, name: str, address: str) -> tuple[Node, str] | None:
    """The first value or key inside a node that is this name."""
    if node.is_text and node.value == name:
        return node, address
    if node.is_map:
        for key, one in node.value.items():
            if key == name:
                line, column = node.places[key]
                return Node(key, node.file, line, column), step(address, key)
            found = _named(one, name, step(address, key))
            if found is not None and key not in ("name", "kind"):
                return found
    elif node.is_list:
        for i, one in enumerate(node.value):
            found = _named(one, name, step(address, i, one))
            if found is not None:
                return found
    return None
