"""The constraint methods of a run by name."""

from __future__ import annotations

from typing import Any

from ...basics.errors import ModelError
from ...basics.values import suggestion
from .methods import Baumgarte, ConstraintMethod, Projection, Unstabilised
from .reductions import REDUCTIONS

WORDS: dict[str, type[ConstraintMethod]] = {one.kind: one for one in (Projection, Baumgarte, Unstabilised)} | REDUCTIONS
"""The methods by name."""


def as_method(given: Any) -> ConstraintMethod:
    """The method that a run asks for: an object, its name, or None for projection."""
    if given is None:
        return Projection()
    if isinstance(given, ConstraintMethod):
        return given
    if isinstance(given, str) and given in WORDS:
        return WORDS[given]()
    shown = f'"{given}"' if isinstance(given, str) else type(given).__name__
    raise ModelError.at(
        "constraints", f"got {shown}; {suggestion(str(given), WORDS)}, or an object such as jd.constraints.Baumgarte()"
    )
