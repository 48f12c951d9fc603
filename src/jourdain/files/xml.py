"""XML read without trusting it: elements with their attributes, texts and lines, and nothing else.

Document types, entities, processing instructions that pull in others and everything that could name another file are
refused where they stand; size, nesting, the number of elements, of attributes and the length of a value are bounded
while the file is read, not afterwards. Nothing is fetched and no other file is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .problems import Mistake, ScenarioError, one_line

MAX_BYTES = 32 * 2**20
"""Largest file that is read."""
MAX_DEPTH = 200
"""Deepest nesting that is read: a chain of bodies nests once for each of them."""
MAX_ELEMENTS = 200_000
"""Most elements that a file may have."""
MAX_ATTRIBUTES = 64
"""Most attributes that an element may have."""
MAX_VALUE = 4 * 2**20
"""Longest attribute or text."""
MAX_NAME = 200
"""Longest name of an element or attribute."""
ENCODINGS = ("utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1")
"""Encodings that a file may say it has."""


@dataclass(eq=False)
class Element:
    """An element of a file.

    tag           its name, with a prefix where it has one
    attributes    values by name
    file, line    where it begins; column from 1
    children      the elements in it
    text          what stands in it besides, without white space around
    used          names of the attributes that were asked for
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    used: set[str] = field(default_factory=set)

    def get(self, name: str) -> str | None:
        """An attribute, or None."""
        self.used.add(name)
        return self.attributes.get(name)

    def first(self, tag: str) -> Element | None:
        """The first child of that name, or None."""
        return next(self.every(tag), None)

    def every(self, tag: str) -> Iterator[Element]:
        """The children of that name."""
        return (one for one in self.children if one.tag == tag)

    @property
    def address(self) -> str:
        """What it is called in mistakes: its tag, and its name where it has one."""
        name = self.attributes.get("name")
        return one_line(f"{self.tag} {name}" if name else self.tag)[:120]

    def mistake(self, message: str, attribute: str = "") -> Mistake:
        """What is wrong with it, or with one of its attributes."""
        address = f"{self.address}: {attribute}" if attribute else self.address
        return Mistake(self.file, self.line, self.column, address, message)


def read_xml(raw: bytes, file: str, longest: int = MAX_VALUE) -> Element:
    """The root element of a file's content; a `ScenarioError` says what is wrong with it, and where.

    file       its name in mistakes
    longest    most characters of an attribute, and of all texts together
    """
    if len(raw) > max(MAX_BYTES, longest):
        raise ScenarioError.at(file, f"is larger than {MAX_BYTES} bytes; put meshes into files of their own")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in raw[:4]:
        raise ScenarioError.at(file, "is written in UTF-16 or UTF-32; save it as UTF-8")
    if not raw.strip():
        raise ScenarioError.at(file, "is empty; give a URDF or MJCF file")
    said = re.match(rb"""\s*(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{0,60})["']""", raw)
    if said and said.group(1).decode("ascii", "replace").lower() not in ENCODINGS:
        what = one_line(said.group(1).decode("ascii", "replace"))
        raise ScenarioError.at(file, f'encoding "{what}" is not read; save it as UTF-8', 1, 1)
    return _Builder(file, longest).read(raw)


class _Builder:
    """Makes elements of the parser's events, on a stack of its own, and counts as it goes."""

    def __init__(self, file: str, longest: int) -> None:
        from xml.parsers import expat

        self.file, self.longest = file, longest
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.texts: list[list[str]] = []
        self.count = 0
        self.length = 0
        self.error = expat.ExpatError
        parser = self.parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.entity
        parser.UnparsedEntityDeclHandler = self.entity
        parser.ExternalEntityRefHandler = self.entity
        parser.SkippedEntityHandler = self.entity
        parser.ProcessingInstructionHandler = self.instruction

    def read(self, raw: bytes) -> Element:
        try:
            # in pieces, so that a file with no end of a tag is refused before it is whole in memory twice
            for at in range(0, len(raw), 65536):
                self.parser.Parse(raw[at : at + 65536], False)
            self.parser.Parse(b"", True)
        except self.error as error:
            from xml.parsers.expat import ErrorString

            why = ErrorString(error.code)
            hint = {
                "mismatched tag": f"; </{self.stack[-1].tag}> is due here" if self.stack else "",
                "no element found": f"; <{self.stack[-1].tag}> of line {self.stack[-1].line} has no end"
                if self.stack
                else "",
                "undefined entity": "; write the character itself: entities are not read",
                "not well-formed (invalid token)": '; look for a missing quote, a stray < or & (write "&lt;", "&amp;")',
            }.get(why, "")
            raise ScenarioError.at(self.file, f"not XML: {why}{hint}", error.lineno, error.offset + 1) from None
        except ScenarioError:  # a refusal of ours, with its place
            raise
        except (ValueError, LookupError) as error:  # of text, or of the encoding that it names
            stated = one_line(str(error))[:200]
            raise ScenarioError.at(self.file, f"not XML: {stated}; save it as UTF-8", *self.place()) from None
        if self.root is None:
            raise ScenarioError.at(self.file, "holds no element; give a URDF or MJCF file")
        return self.root

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def stop(self, message: str) -> None:
        raise ScenarioError.at(self.file, message, *self.place())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            self.stop(f"has more than {MAX_ELEMENTS} elements; nothing here needs that")
        if len(self.stack) >= MAX_DEPTH:
            self.stop(f"is nested more than {MAX_DEPTH} deep; nothing here needs that")
        if len(attributes) > MAX_ATTRIBUTES:
            self.stop(
                f"<{one_line(tag)[:60]}> has more than {MAX_ATTRIBUTES} attributes; none that is read has so many"
            )
        if len(tag) > MAX_NAME or any(len(name) > MAX_NAME for name in attributes):
            self.stop(f"has a name longer than {MAX_NAME} characters; none that is read is so long")
        if any(len(value) > self.longest for value in attributes.values()):
            self.stop(
                f"<{one_line(tag)[:60]}> has an attribute longer than {self.longest} characters; use a file for it"
            )
        element = Element(tag, dict(attributes), self.file, *self.place())
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        self.stack.pop().text = "".join(self.texts.pop()).strip()

    def characters(self, text: str) -> None:
        self.length += len(text)
        if self.length > self.longest:
            self.stop(f"has more than {self.longest} characters between its tags; nothing here needs that")
        self.texts[-1].append(text)

    def doctype(self, name: str, *rest: object) -> None:
        self.stop("a document type (<!DOCTYPE ...>) is refused: it can pull in other files; leave it out")

    def entity(self, *what: object) -> int:
        self.stop("an entity is refused: it can stand for any amount of text, or for a file; write the text itself")
        return 0

    def instruction(self, target: str, data: str) -> None:
        self.stop(
            f'the instruction "<?{one_line(target)[:40]} ...?>" is refused: files hold descriptions; leave it out'
        )
