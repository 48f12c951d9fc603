"""The errors that Jourdain raises: what is wrong, where, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

CONTROL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ufffe\\uffff]")
"""Characters that are no text: a terminal that a name with them is printed on does what they say."""


def visible(text: str) -> str:
    """Text for a terminal: what would move it is written as Python writes it."""
    return CONTROL.sub(lambda one: repr(one.group())[1:-1], text)


class JourdainError(Exception):
    """The base of every error that Jourdain raises on purpose."""


class Problem(NamedTuple):
    """One thing that is wrong with a description.

    address    the element it was found in, such as ``"upper.tip"`` or ``"shoulder"``
    message    what is wrong, what was given, and what would be right
    """

    address: str
    message: str

    def __str__(self) -> str:
        return visible(f"{self.address}: {self.message}")


class ModelError(JourdainError, ValueError):
    """A description that cannot become a model; ``problems`` holds everything that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(Problem(*problem) for problem in problems)
        super().__init__(self.problems)

    @classmethod
    def at(cls, address: str, message: str) -> ModelError:
        """An error with a single problem."""
        return cls([Problem(address, message)])

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class SimulationError(JourdainError, RuntimeError):
    """A simulation that cannot go on.

    time       simulated time at which it stopped [s]
    culprit    address of the body, joint or contact that is the cause
    partial    the Run up to that time, or None when there is none
    """

    def __init__(self, message: str, time: float, culprit: str = "", partial: Any = None) -> None:
        super().__init__(message)
        self.time = float(time)
        self.culprit = culprit
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.time, self.culprit, self.partial)


class OptimisationError(JourdainError, RuntimeError):
    """A search for an optimum that did not come to one.

    partial    what it ended with: a trajectory that is no optimum, and may not keep all limits
    """

    def __init__(self, message: str, partial: Any = None) -> None:
        super().__init__(message)
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.partial)
