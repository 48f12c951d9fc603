"""Rows of the table, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from timing import spread_of


@dataclass(frozen=True)
class Row:
    """One comparison. Times in seconds; ratio = peer / ours, so that above 1 ours is faster.

    target    the least ratio that the project wants, or None where it only reports
    """

    what: str
    peer: str
    ours: float
    theirs: float
    target: float | None = None

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return self.theirs / self.ours

    @property
    def spread(self) -> float | None:
        """How far the ratios of the parts of the rounds lie apart, over the ratio; None where it is not known."""
        return spread_of(self.ratio)

    @property
    def verdict(self) -> str:
        """Whether the target is met."""
        if self.target is None:
            return ""
        return "pass" if self.ratio >= self.target else "**fail**"

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        target = "" if self.target is None else f">= {self.target:g}"
        ratio = f"{self.ratio:.2f}{spread_text(self.spread)}"
        return self.what, seconds(self.ours), self.peer, seconds(self.theirs), ratio, target, self.verdict

    def stored(self) -> dict[str, Any]:
        """The row as it is stored."""
        return {
            "what": self.what,
            "peer": self.peer,
            "ours": float(self.ours),
            "theirs": float(self.theirs),
            "ratio": float(self.ratio),
            "spread": self.spread,
            "target": self.target,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Limit:
    """One number of ours against a limit; unit "s" is shown as a time, "%" as a percentage."""

    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def spread(self) -> float | None:
        """How far the parts of the rounds lie apart, over the value; None where it is not known."""
        return spread_of(self.value)

    @property
    def verdict(self) -> str:
        """Whether it stays below the limit."""
        if self.limit is None:
            return ""
        return "pass" if self.value <= self.limit else "**fail**"

    def _shown(self, value: float) -> str:
        return seconds(value) if self.unit == "s" else f"{value:.3g}{' ' * bool(self.unit)}{self.unit}"

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        limit = "" if self.limit is None else f"<= {self._shown(self.limit)}"
        return self.what, f"{self._shown(self.value)}{spread_text(self.spread)}", limit, self.verdict

    def stored(self) -> dict[str, Any]:
        """The number as it is stored."""
        return {
            "what": self.what,
            "value": float(self.value),
            "unit": self.unit,
            "spread": self.spread,
            "limit": self.limit,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Curve:
    """Cost against size, for a plot: sizes, and seconds of each."""

    what: str
    sizes: tuple[float, ...]
    seconds: tuple[float, ...]
    of: str

    def stored(self) -> dict[str, Any]:
        """The curve as it is stored."""
        sizes, costs = ([float(x) for x in one] for one in (self.sizes, self.seconds))
        return {"what": self.what, "of": self.of, "sizes": sizes, "seconds": costs}


def spread_text(spread: float | None) -> str:
    """A spread beside its number: half of it to either side, in percent."""
    return "" if spread is None else f" ± {50.0 * spread:.2g} %"


def seconds(value: float) -> str:
    """A time with three digits and a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table with its columns aligned."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths)) + " |" for row in [head, *rows]]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(lines)


COMPARED = ("what", "ours", "peer", "peer's", "ratio", "target", "")
LIMITED = ("what", "measured", "limit", "")
