"""The errors that Jourdain raises: what is wrong, where, and what would be right."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from enum import StrEnum
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

    address    the element it was found in, such as ``"upper.tip"`` or ``"shoulder"``; ``"shoulder: axis"`` where an
               argument of it is no value of its type
    message    what is wrong, what was given, and what would be right
    field      path of the argument of that element, or of an entry in it, that is wrong: "EI", "frames.tip"
    """

    address: str
    message: str
    field: str = ""

    def __str__(self) -> str:
        return visible(f"{self.address}: {self.message}")

    @property
    def argument(self) -> str:
        """The argument that is wrong, as `field` or the address says; "" where none does."""
        return self.field or str(self.address).partition(": ")[2]


def inside(field: str, problems: Iterable[Problem]) -> list[Problem]:
    """Problems of what a field holds."""
    return [one._replace(field=f"{field}.{one.field}" if one.field else field) for one in problems]


class ModelError(JourdainError, ValueError):
    """A description that cannot become a model; ``problems`` holds everything that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(Problem(*problem) for problem in problems)
        super().__init__(self.problems)

    @classmethod
    def at(cls, address: str, message: str, field: str = "") -> ModelError:
        """An error with a single problem."""
        return cls([Problem(address, message, field)])

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class StopReason(StrEnum):
    """Why a simulation stopped: `SimulationError.reason`."""

    NOT_FINITE = "the state is not finite"
    STEP_TOO_LONG = "the step is too long for a contact"
    PENETRATION = "shapes are too deep in each other"
    NOT_SOLVED = "the equations of a step could not be solved"
    CONSTRAINTS = "the constraints are not met"
    SINGULAR = "a singular configuration"
    CAPACITY = "more contact points than there is room for"
    EVENT = "an event that cannot happen"
    LAW = "an index outside its array in a user-defined law"
    CONTROLLER = "a controller"
    EXPORTED = "the exported model"
    COUPLING = "the exchange of data between coupled simulators"


class SimulationError(JourdainError, RuntimeError):
    """A simulation that cannot go on.

    time       simulated time at which it stopped [s]
    culprit    address of the body, joint or contact that is the cause
    partial    the Run up to that time, or None when there is none
    reason     why, a `StopReason`; None where no model stopped
    model      name of the model
    summary    what happened and what to do, without the name of the model
    """

    def __init__(
        self,
        summary: str,
        time: float,
        culprit: str = "",
        partial: Any = None,
        reason: StopReason | None = None,
        model: str = "",
    ) -> None:
        super().__init__(summary, float(time), culprit, partial, reason, model)
        self.summary, self.time, self.culprit, self.partial, self.reason, self.model = self.args

    def __str__(self) -> str:
        return self.described + (". Everything up to then is in error.partial" if self.partial is not None else "")

    @property
    def described(self) -> str:
        """The summary with the name of the model."""
        return f"{self.model}: {self.summary}" if self.model else self.summary


class OptimisationError(JourdainError, RuntimeError):
    """A search for an optimum that did not come to one.

    partial    what it ended with: a trajectory that is no optimum, and may not keep all limits
    """

    def __init__(self, message: str, partial: Any = None) -> None:
        super().__init__(message)
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.partial)


class LawIndexError(JourdainError, IndexError):
    """An index in a user's compiled function is outside its array.

    array       its name
    function    the function that has the index; `law` itself, or one that it calls
    file, line  where that is written
    index       as it was written, below zero where it counts from the end
    entries     how many the array has
    law         the law, condition, contact law or other function that was called
    time        simulated time [s], None where the law is not told it
    """

    REMEDIES = {
        "z": "give the law states=", "dz": "give the law states=", "p": "bind as many parameters",
        "s": "give the law markers= or contacts=",
    }  # fmt: skip

    def __init__(
        self,
        array: str,
        function: str,
        file: str,
        line: int,
        index: int,
        entries: int,
        law: str = "",
        time: float | None = None,
    ) -> None:
        super().__init__(array, function, file, line, index, entries, law, time)
        self.array, self.function, self.file, self.line = array, function, file, line
        self.index, self.entries, self.law, self.time = index, entries, law or function, time

    @property
    def reason(self) -> str:
        """What is wrong, without the time."""
        has = "no entries" if not self.entries else f"{self.entries} entr{'y' if self.entries == 1 else 'ies'}"
        allowed = f": {-self.entries} to {self.entries - 1}" if self.entries else ""
        place = f"line {self.line} of {os.path.basename(self.file)}"
        where = place if self.function == self.law else f"in {self.function}, {place}"
        missing = self.function == self.law and (not self.entries or (self.array == "p" and self.index > 0))
        remedy = self.REMEDIES.get(self.array, "") if missing else ""
        stated = f"index {self.index} is outside of {self.array}, which has {has}{allowed} ({where})"
        return stated + (f"; {remedy}" if remedy else "")

    def __str__(self) -> str:
        when = "" if self.time is None else f" at t = {self.time:.9g} s"
        return f"{self.law}{when}: {self.reason}"
