"""Warnings that point at the line of whoever called Jourdain, through however many of its functions."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

THROUGH = ("jourdain", "functools", "contextlib", "importlib")
"""Packages whose lines are not those of a user: our own, and those that call us back."""


def warn(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """`warnings.warn` at the nearest line outside of the package; a warning that is given has its own category."""
    frame = caller()
    kind = type(message) if isinstance(message, Warning) else category
    warnings.warn_explicit(
        message,
        kind,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__") or "<unknown>",
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def caller() -> FrameType:
    """The innermost frame that is not of the package; the outermost one where all are."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in THROUGH:
        frame = frame.f_back
    return frame


def from_outside() -> bool:
    """Whether the function that asks was called by a user, and not by another one of the package."""
    frame = sys._getframe(2).f_back
    while frame is not None and frame.f_globals.get("__name__") == "jourdain.basics.arguments":
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] != "jourdain"
