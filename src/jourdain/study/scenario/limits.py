"""Acceptance limits of a run, and the verdict: passed or not, by how much, and when it was closest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics import units
from ...basics.arguments import checked
from ...basics.errors import JourdainError, ModelError
from ...basics.values import as_number, expect_keys, expect_text
from ...results.quantities import quantity, understand

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.run import Run

BOUNDS = ("at_most", "at_least", "within")
"""How a limit bounds its quantity: exactly one of them is given."""


@checked
@dataclass(frozen=True)
class Limit:
    """A bound on a quantity of a run.

    name        for people: "peak contact force"
    quantity    what is bounded, a name of `jourdain.results.quantities`: "contact:touch.force", "effort:elbow",
                "angle:tool.tip:port.origin", "distance:tool.tip:port.origin"
    at_most     the quantity never exceeds this [its SI unit]
    at_least    the quantity is never below this
    within      its magnitude never exceeds this, either way
    after       only times from here on count [s]; None: from the start
    before      only times up to here count [s]; None: to the end
    by          a deadline instead [s]: the bound need not always hold, it must first hold no later than this
    unit        in which bound and values are told to people, "deg" say; numbers are SI all the same. "" for SI
    """

    name: str
    quantity: str
    at_most: float | None = None
    at_least: float | None = None
    within: float | None = None
    after: float | None = None
    before: float | None = None
    by: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        for what in ("name", "quantity"):
            expect_text(getattr(self, what), f"limit: {what}")
        stated = next((getattr(self, what).unit for what in BOUNDS if hasattr(getattr(self, what), "unit")), "")
        object.__setattr__(self, "unit", self.unit or stated)
        if self.unit:
            try:
                units.unit(self.unit)
            except units.UnknownUnitError as error:
                raise ModelError.at(f"{self.name}: unit", str(error)) from None
        given = [what for what in BOUNDS if getattr(self, what) is not None]
        if len(given) != 1:
            said = f"got {' and '.join(given)}" if given else "there is none"
            raise ModelError.at(self.name, f"limit: {said}; give one of {', '.join(BOUNDS)}", "limit")
        for what in (*BOUNDS, "after", "before", "by"):
            value = getattr(self, what)
            if value is None:
                continue
            number = as_number(value, f"{self.name}: {what}")
            if not math.isfinite(number):
                raise ModelError.at(f"{self.name}: {what}", f"got {value}; give a finite number")
            object.__setattr__(self, what, number)
        if self.within is not None and self.within < 0.0:
            raise ModelError.at(f"{self.name}: within", f"got {self.within:g}; a magnitude is zero or more")
        if self.after is not None and self.before is not None and self.after > self.before:
            raise ModelError.at(
                f"{self.name}: after", f"got {self.after:g} s, behind before, {self.before:g} s; exchange them"
            )

    @property
    def bound(self) -> float:
        """The number that the quantity is held against."""
        return next(float(value) for what in BOUNDS if (value := getattr(self, what)) is not None)

    def margin(self, values: np.ndarray) -> np.ndarray:
        """How far values are from the bound, in their unit: negative where they break it."""
        if self.at_most is not None:
            return self.at_most - values
        if self.at_least is not None:
            return values - self.at_least
        return self.bound - np.abs(values)

    @property
    def words(self) -> str:
        """The bound as a person says it: "at most 25, from 14 s on"."""
        kind = next(what for what in BOUNDS if getattr(self, what) is not None)
        text = [f"{kind.replace('_', ' ')} {self.shown(self.bound):.6g}"]
        if self.after is not None:
            text.append(f"from {self.after:g} s on")
        if self.before is not None:
            text.append(f"up to {self.before:g} s")
        if self.by is not None:
            text.append(f"reached by {self.by:g} s")
        return ", ".join(text)

    def shown(self, value: float) -> float:
        """A value of the quantity in the unit of the limit."""
        return units.shown(value, self.unit) if self.unit else value

    def quantity_unit(self, model: Model) -> str | None:
        """The unit of the quantity; "" where it is not known without a run, None where there is no such quantity."""
        from ...results.channels import UnknownNameError

        try:
            return understand(model, self.quantity).unit
        except UnknownNameError:
            return None

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text, what is not given left out."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None and value != ""}

    @classmethod
    def from_dict(cls, data: Any, address: str = "limit") -> Limit:
        """The limit that `to_dict` wrote."""
        names = [one.name for one in fields(cls)]
        return cls(**expect_keys(data, address, names[:2], names[2:]))


@dataclass(frozen=True)
class Judgement:
    """What became of a limit.

    limit     the limit
    passed    whether it was kept
    value     of the quantity where it came closest to the bound, or broke it most; of a deadline the value at the time
              at which the bound was first kept, or where it came closest. Not-a-number where nothing could be judged
    margin    what was left, as a fraction of the bound, or of a deadline that was reached; negative where it failed
    time      of that moment [s]
    unit      of the value
    note      in a few words why it could not be judged; "" otherwise
    open      whether it is neither kept nor broken, because the run stopped before it could be said
    place     where on a body that was, in words: "node 17 of pad, at (0.02, 0, 0) m"; "" for what has no place
    """

    limit: Limit
    passed: bool
    value: float
    margin: float
    time: float
    unit: str
    note: str = ""
    open: bool = False
    place: str = ""

    @property
    def broken(self) -> bool:
        """Whether the run went past it; what could not be judged is not broken."""
        return not (self.passed or self.open)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text; None where there is no number."""
        numbers = {what: getattr(self, what) for what in ("value", "margin", "time")}
        plain = {what: x if math.isfinite(x) else None for what, x in numbers.items()}
        head = {"limit": self.limit.to_dict(), "words": self.limit.words, "passed": self.passed}
        where = {"place": self.place} if self.place else {}
        return head | plain | {"unit": self.unit, "note": self.note, "open": self.open} | where


def tightest(judgements: Iterable[Judgement]) -> Judgement | None:
    """The limit that decides: of those broken the one missed by most, else one that is open, else the least margin."""

    def closeness(one: Judgement) -> tuple[int, float]:
        return 0 if one.broken else 1 if one.open else 2, one.margin if math.isfinite(one.margin) else -math.inf

    return min(judgements, key=closeness, default=None)


@checked
def judge(run: Run, limits: Iterable[Limit] | None = None) -> list[Judgement]:
    """The verdict on a run; limits None: those that its scenario had, in ``run.options["scenario"]``.

    Nothing is passed by a run whose energy balance does not close (`Run.trusted`).
    """
    if limits is None:
        stated = run.options.get("scenario") or {}
        given = stated.get("limits", []) if isinstance(stated, dict) else None
        if not isinstance(given, list):
            raise JourdainError(f"the run of {run.model.name!r} has limits that are not a list; give limits=")
        limits = [Limit.from_dict(one, f"limits[{i}]") for i, one in enumerate(given)]
    judged = [_placed(run, _judge(run, limit)) for limit in limits]
    if not run.trusted:
        judged = [replace(one, passed=False, note=one.note or "the run is not trusted") for one in judged]
    return judged


def _placed(run: Run, one: Judgement) -> Judgement:
    """A judgement with the place of its value, where it has one."""
    if not math.isfinite(one.time):
        return one
    sample = int(np.argmin(np.abs(run.record.time - one.time)))
    return replace(one, place=understand(run.model, one.limit.quantity).place(run, sample))


def _judge(run: Run, limit: Limit) -> Judgement:
    found = quantity(run, limit.quantity)
    time, values = _reached(run, found.time, found.values)
    if not len(time):
        return _unknown(limit, found.unit, "the run stopped before the first number")
    low = -math.inf if limit.after is None else limit.after
    high = math.inf if limit.before is None else limit.before
    slack = 1e-9 * max(1.0, float(time[-1]))
    stopped = _stopped(run, time)
    inside = (time >= low - slack) & (time <= high + slack)
    if not np.any(inside):
        if stopped and low > time[-1]:
            return _unknown(limit, found.unit, f"{stopped}, before {low:g} s")
        note = f"the run has no samples {limit.words.partition(', ')[2] or 'there'}"
        return Judgement(limit, False, math.nan, math.nan, math.nan, found.unit, note)
    time, values = time[inside], values[inside]
    broken = ~np.isfinite(values)
    if np.any(broken):
        at = int(np.argmax(broken))
        return Judgement(limit, False, math.nan, math.nan, float(time[at]), found.unit, "it is not a finite number")
    margins = limit.margin(values)
    if limit.by is not None:
        return _deadline(limit, time, values, margins, found.unit, stopped)
    at = int(np.argmin(margins))
    kept = bool(margins[at] >= 0.0)
    missing = f"{stopped}, before its end" if stopped and kept and time[-1] < _end(run, high) - slack else ""
    margin = float(margins[at]) / _scale(limit.bound, values)
    value, when = float(values[at]), float(time[at])
    return Judgement(limit, kept and not missing, value, margin, when, found.unit, missing, bool(missing))


def _unknown(limit: Limit, unit: str, note: str) -> Judgement:
    """On a limit that the run never came to."""
    return Judgement(limit, False, math.nan, math.nan, math.nan, unit, note, True)


def _reached(run: Run, time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The samples that count: a run that failed may end with some that are no numbers."""
    known = np.flatnonzero(np.isfinite(values))
    count = (int(known[-1]) + 1 if len(known) else 0) if run.partial else len(time)
    return time[:count], values[:count]


def _stopped(run: Run, time: np.ndarray) -> str:
    """Where a run ended that did not reach its end; "" for a whole one."""
    return f"the run stopped at {time[-1]:.6g} s" if run.partial else ""


def _end(run: Run, until: float) -> float:
    """The time to which a bound must hold [s]."""
    stated = run.options.get("until")
    return min(until, float(stated)) if isinstance(stated, int | float) else until


def _deadline(
    limit: Limit, time: np.ndarray, values: np.ndarray, margins: np.ndarray, unit: str, stopped: str
) -> Judgement:
    by = float(limit.by)  # type: ignore[arg-type]
    kept = np.flatnonzero(margins >= 0.0)
    if not len(kept):
        at = int(np.argmax(margins))
        if stopped and time[-1] < by:
            note = f"{stopped}, before {by:g} s, and had not reached it"
            return Judgement(limit, False, float(values[at]), math.nan, float(time[at]), unit, note, True)
        note = f"it was never reached, up to {time[-1]:.6g} s"
        margin = float(margins[at]) / _scale(limit.bound, values)
        return Judgement(limit, False, float(values[at]), margin, float(time[at]), unit, note)
    at = int(kept[0])
    return Judgement(
        limit, bool(time[at] <= by), float(values[at]), (by - float(time[at])) / _scale(by, time), float(time[at]), unit
    )


def _scale(bound: float, values: np.ndarray) -> float:
    """What margins are fractions of: the bound; where that is zero the largest magnitude, or one."""
    return abs(bound) or float(np.max(np.abs(values))) or 1.0
