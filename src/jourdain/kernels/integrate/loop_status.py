"""How a slice of the time loop ended."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What the loop returns; `run.runner` says what a run does then.

    OK                      all steps that were asked for are made
    TAPE_FULL               the tape has no room for the rows of the next step
    NOT_FINITE              the state stopped being finite
    STEP_TOO_SMALL          the step fell below the resolution of time
    CAPACITY_EXCEEDED       more pairs of shapes are near each other than there is room for
    INTERRUPTED             a Python controller raised
    EVENT                   the condition of an event is met
    CONSTRAINTS_OPEN        the constraints could not be met, or are open by more than is allowed
    NOT_CONVERGED           the corrections of an implicit step do not converge, however short it is
    PENETRATION_EXCEEDED    shapes are deeper in each other than their contact law holds for
    """

    OK = 0
    TAPE_FULL = 1
    NOT_FINITE = 2
    STEP_TOO_SMALL = 3
    CAPACITY_EXCEEDED = 4
    INTERRUPTED = 5
    EVENT = 6
    CONSTRAINTS_OPEN = 7
    NOT_CONVERGED = 8
    PENETRATION_EXCEEDED = 9


(
    OK,
    TAPE_FULL,
    NOT_FINITE,
    STEP_TOO_SMALL,
    CAPACITY,
    INTERRUPTED,
    EVENT,
    CONSTRAINTS_OPEN,
    NOT_CONVERGED,
    PENETRATION,
) = map(int, Status)
"""The same as plain integers, for kernels."""
