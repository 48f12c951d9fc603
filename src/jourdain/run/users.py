"""Laws of a user's that fail in a compiled slice: which it was, and when."""

from __future__ import annotations

import math
from typing import Any

from ..basics.errors import LawIndexError, SimulationError

STOPPED = -1
"""In the place of the steps that a case of an ensemble made: a user's law failed in it."""


def failed_law(error: Exception, ws: Any) -> tuple[str, float]:
    """The law that an error comes from, "" where it comes from none, and the time of it [s].

    ws    the workspace of the run: a contact law is not told the time, which is that of the last evaluation
    """
    from ..kernels.user_errors import last_stopped

    stopped = getattr(error, "stopped", None) or last_stopped()
    if stopped is None:
        return "", math.nan
    return stopped.law, float(ws.ledger.time) if math.isnan(stopped.time) else stopped.time


def reason(error: Exception) -> str:
    """What an error of a law says, without law and time."""
    if isinstance(error, LawIndexError):
        return error.reason
    return str(error) if isinstance(error, IndexError) else f"{type(error).__name__}: {error}"


def outside(model: str, error: IndexError, law: str, t: float, partial: Any = None) -> SimulationError:
    """What a run raises that stopped because an index of a law is outside its array."""
    kept = ". Everything up to then is in error.partial" if partial is not None else ""
    return SimulationError(
        f'{model}: stopped at t = {t:.9g} s at "{law}": {reason(error)}{kept}', time=t, culprit=law, partial=partial
    )
