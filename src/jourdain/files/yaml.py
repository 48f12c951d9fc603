"""YAML read without trusting it: plain values with the line and column of every key and value, and nothing else.

A node is text, a number, true, false, null, a list or a mapping from text. Numbers are those of YAML 1.2 ("1e-3" is
one; "010", "1_000", "1:30" and dates are text). Tags, merge keys, several documents and keys that come twice are
refused; size, nesting, the number of nodes and what aliases make of them are bounded before anything is built.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..basics.errors import CONTROL
from .problems import Mistake, ScenarioError, one_line

MAX_BYTES = 4 * 2**20
"""Largest file that is read."""
MAX_DEPTH = 40
"""Deepest nesting that is read."""
MAX_NODES = 200_000
"""Most values that a file may have, those that aliases repeat counted each time."""
MAX_ALIASES = 1000
"""Most aliases that a file may have."""

INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
FLOAT = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?\Z")
WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(eq=False)
class Node:
    """A value of a file and where it stands.

    value      None, True, False, int, float, str, list[Node] or dict[str, Node]
    places     line and column of every key of a mapping
    size       how many values it holds, itself included
    """

    value: Any
    file: str
    line: int
    column: int
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    size: int = 1

    @property
    def is_map(self) -> bool:
        """Whether it is a mapping."""
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return isinstance(self.value, list)

    @property
    def is_text(self) -> bool:
        """Whether it is text."""
        return isinstance(self.value, str)

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return isinstance(self.value, int | float) and not isinstance(self.value, bool)

    def get(self, key: str) -> Node | None:
        """The value of a key; None where it is missing, null, or this is no mapping."""
        found = self.value.get(key) if self.is_map else None
        return None if found is None or found.value is None else found

    def key(self, key: str) -> Node:
        """A key of a mapping as a node, where it stands."""
        return Node(key, self.file, *self.places.get(key, (self.line, self.column)))

    def plain(self) -> Any:
        """The value without places: dictionaries, lists, text, numbers."""
        if self.is_map:
            return {key: one.plain() for key, one in self.value.items()}
        return [one.plain() for one in self.value] if self.is_list else self.value

    def walk(self) -> Iterator[Node]:
        """It and everything in it."""
        yield self
        inner = self.value.values() if self.is_map else self.value if self.is_list else ()
        for one in inner:
            yield from one.walk()

    def shown(self) -> str:
        """The value, short enough for a message."""
        if self.is_map:
            return f"a mapping of {', '.join(list(self.value)[:4]) or 'nothing'}"[:70]
        if self.is_list:
            return f"a list of {len(self.value)}"
        if self.is_text:
            return f'"{one_line(self.value)[:60]}"'
        if self.value is None:
            return "nothing"
        return str(self.value).lower() if isinstance(self.value, bool) else f"{self.value}"

    def mistake(self, address: str, message: str) -> Mistake:
        """A mistake at this place."""
        return Mistake(self.file, self.line, self.column, address, message)


def scalar(text: str) -> Any:
    """The value of an unquoted word: null, true, false, a finite number, or the text itself."""
    if text in WORDS:
        return WORDS[text]
    if INTEGER.match(text):
        return int(text)
    if len(text) <= 400 and FLOAT.match(text):
        number = float(text)
        if math.isfinite(number):
            return number
    return text


def decode(raw: bytes, file: str) -> str:
    """The text of a file, or an error that says why it has none."""
    if len(raw) > MAX_BYTES:
        raise ScenarioError.at(file, f"is larger than {MAX_BYTES} bytes; put meshes and tables into files of their own")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ScenarioError.at(file, "is written in UTF-16; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ScenarioError.at(file, "is not UTF-8 text; save it as UTF-8", line, 1) from None
    found = _CONTROL.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise ScenarioError.at(file, f"has the character {found.group()!r}, which is no text", line, column)
    if not text.strip():
        raise ScenarioError.at(file, "is empty; write a scenario, beginning with jourdain: 1")
    return text


def read_yaml(text: str, file: str) -> tuple[Node, list[Mistake]]:
    """The document of a text and the mistakes in its form that do not keep it from being read.

    file    its name in mistakes
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if "end of stream" in (error.problem or "") or "stream end" in (error.problem or ""):
            mark = error.context_mark or mark  # where it began is more use than where the file ends
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        why = error.problem or error.context or "it cannot be read"
        here = text.split("\n")[line - 1 : line]
        tab = bool(here) and "\t" in here[0][: column + 1]
        hint = "; indent with spaces, not tabs" if tab else "; look for a missing colon, quote or bracket"
        raise ScenarioError.at(file, f"not YAML: {why}{hint}", line, column) from None
    except yaml.YAMLError as error:
        raise ScenarioError.at(file, f"not YAML: {error}") from None
    if builder.root is None:
        raise ScenarioError.at(file, "is empty; write a scenario, beginning with jourdain: 1")
    return builder.root, builder.mistakes


class _Builder:
    """Makes nodes of the parser's events, on a stack of its own, and counts as it goes."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.mistakes: list[Mistake] = []
        self.stack: list[tuple[Node, str | None]] = []
        self.key: Node | None = None
        self.anchors: dict[str, Node | None] = {}
        self.open: list[str | None] = []
        self.documents = self.count = self.aliases = 0

    def stop(self, mark: Any, message: str) -> None:
        raise ScenarioError.at(self.file, message, mark.line + 1, mark.column + 1)

    def note(self, mark: Any, message: str, address: str = "") -> None:
        self.mistakes.append(Mistake(self.file, mark.line + 1, mark.column + 1, address, message))

    def take(self, event: Any) -> None:
        """One event of the parser."""
        name = type(event).__name__
        mark = event.start_mark
        if name == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                self.stop(mark, "a second document begins here; one file is one document, leave out the ---")
        elif name == "ScalarEvent":
            plain = event.implicit[0] and not event.style
            self._tag(event, mark, plain or event.implicit[1])
            if not plain and (strange := CONTROL.search(event.value)):
                self.note(mark, f"has the character {strange.group()!r}, which is no text but moves a terminal")
            node = self._node(scalar(event.value) if plain else event.value, mark)
            self._anchor(event.anchor, node)
            self._put(node, mark, event.value if plain else None)
        elif name == "AliasEvent":
            self._alias(event, mark)
        elif name in ("SequenceStartEvent", "MappingStartEvent"):
            self._tag(event, mark, event.implicit)
            if len(self.stack) >= MAX_DEPTH:
                self.stop(mark, f"is nested more than {MAX_DEPTH} deep; nothing here needs that")
            node = self._node([] if name.startswith("S") else {}, mark)
            if event.anchor is not None:
                self.anchors[event.anchor] = None
            self.open.append(event.anchor)
            self.stack.append((node, self._take_key(node, mark)))
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            node, key = self.stack.pop()
            anchor = self.open.pop()
            if anchor is not None:
                self.anchors[anchor] = node
            self._attach(node, key)

    def _node(self, value: Any, mark: Any) -> Node:
        self._grow(1, mark)
        return Node(value, self.file, mark.line + 1, mark.column + 1)

    def _grow(self, count: int, mark: Any) -> None:
        self.count += count
        if self.count > MAX_NODES:
            self.stop(mark, f"has more than {MAX_NODES} values, aliases counted; put tables into files of their own")

    def _tag(self, event: Any, mark: Any, implicit: bool) -> None:
        if event.tag is not None and not (implicit and event.tag in ("!",)):
            shown = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.note(mark, f'tag "{shown}" is refused: files hold values, and no code or types; leave it out')

    def _anchor(self, name: str | None, node: Node) -> None:
        if name is not None:
            self.anchors[name] = node

    def _alias(self, event: Any, mark: Any) -> None:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self.stop(mark, f"more than {MAX_ALIASES} aliases; write the values out")
        if event.anchor not in self.anchors:
            self.stop(mark, f'alias "*{event.anchor}" names nothing above it; write "&{event.anchor}" before a value')
        found = self.anchors[event.anchor]
        if found is None:
            self.stop(mark, f'alias "*{event.anchor}" stands inside the value that it names, which has no end')
        assert found is not None
        self._grow(found.size, mark)
        self._put(found, mark, None)

    def _put(self, node: Node, mark: Any, plain: str | None) -> None:
        """A finished scalar or alias: a key where one is due, else a value."""
        if self.stack and self.stack[-1][0].is_map and self.key is None:
            if node.is_map or node.is_list:
                self.stop(mark, "a list or mapping as a key; a key is a name")
            text = plain if plain is not None else str(node.value)
            if plain == "<<":
                self.note(mark, "merge key << is not read; write the keys out, or use an alias for the whole value")
            self.key = Node(text, self.file, mark.line + 1, mark.column + 1)
            return
        self._attach(node, self._take_key(node, mark))

    def _take_key(self, node: Node, mark: Any) -> str | None:
        """The key that a value belongs to, in a mapping."""
        if not self.stack or not self.stack[-1][0].is_map:
            return None
        if self.key is None:
            self.stop(mark, "a list or mapping as a key; a key is a name")
        assert self.key is not None
        key, place = self.key.value, (self.key.line, self.key.column)
        self.key = None
        owner = self.stack[-1][0]
        if key in owner.places:
            first = owner.places[key][0]
            message = f'key "{one_line(key)}" is there already, in line {first}; leave one out'
            self.mistakes.append(Mistake(self.file, *place, key, message))
        else:
            owner.places[key] = place
        return key

    def _attach(self, node: Node, key: str | None) -> None:
        if not self.stack:
            self.root = node
            return
        owner = self.stack[-1][0]
        owner.size += node.size
        if owner.is_list:
            owner.value.append(node)
        elif key != "<<":
            owner.value.setdefault(key, node)
