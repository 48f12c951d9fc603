"""Mistakes in files: what is wrong, and where, in one line each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..basics.errors import JourdainError

LONGEST = 600
"""Characters of a message that are shown."""


def one_line(text: str) -> str:
    """Text of unknown origin on one line: no line ends and no control characters, cut where it is very long."""
    clean = "".join(c if c.isprintable() else " " if c in "\n\r\t" else f"\\x{ord(c):02x}" for c in str(text))
    clean = " ".join(clean.split(" "))
    return clean if len(clean) <= LONGEST else clean[: LONGEST - 3] + "..."


class Mistake(NamedTuple):
    """One thing that is wrong with a file.

    file       as it was named
    line       from 1; 0 where the file as a whole is meant
    column     from 1
    address    the element inside the file, such as "system.bodies.link1.EI"
    message    what is wrong, what was given, and what would be right
    """

    file: str
    line: int
    column: int
    address: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        address = f"{self.address}: " if self.address else ""
        return one_line(f"{place}: {address}{self.message}")


class ScenarioError(JourdainError, ValueError):
    """A file that cannot be used; ``problems`` holds every mistake that was found, and the text has a line for each."""

    def __init__(self, problems: Iterable[Mistake]) -> None:
        self.problems: list[Mistake] = [Mistake(*one) for one in problems]
        super().__init__(self.problems)

    @classmethod
    def at(cls, file: str, message: str, line: int = 0, column: int = 0, address: str = "") -> ScenarioError:
        """An error with a single mistake."""
        return cls([Mistake(file, line, column, address, message)])

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
