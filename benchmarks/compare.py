"""Compares a run with the stored one, and flags what became slower by more than the noise of both.

    python benchmarks/compare.py NEW.json [OLD.json]

Rows beside a peer are compared by their ratios, which carry over to another machine; times of ours alone are compared
only where processor and versions are the same. Ends with status 1 where something became slower.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from results import table

HERE = Path(__file__).resolve().parent
LEAST = 0.05
"""Noise below which no difference counts, whatever the spreads say: another layout of memory makes as much."""
UNKNOWN = 0.25
"""Noise of a number that was measured but once."""
TIMES = ("s", "")
"""Units of limits that are times, or ratios and powers of such."""


@dataclass(frozen=True)
class Change:
    """One row of both runs.

    factor    how many times as slow as before; 1 for as fast
    noise     how far it may be from 1
    """

    section: str
    what: str
    before: float
    after: float
    factor: float
    noise: float

    @property
    def verdict(self) -> str:
        """slower, faster, or nothing within the noise."""
        if self.factor > 1.0 + self.noise:
            return "**slower**"
        return "faster" if self.factor < 1.0 / (1.0 + self.noise) else ""

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        numbers = f"{self.before:.4g}", f"{self.after:.4g}", f"{self.factor:.2f}", f"{100 * self.noise:.0f} %"
        return (self.section, self.what, *numbers, self.verdict)


def numbers(results: dict[str, Any]) -> dict[tuple[str, str], tuple[float, float | None, bool]]:
    """By section and row: a number that grows with our time, its spread, and whether it is relative to a peer."""
    out = {}
    for name, section in results["sections"].items():
        for row in section["rows"]:
            out[name, f"{row['what']}, against {row['peer']}"] = (1.0 / row["ratio"], row["spread"], True)
        for limit in section["limits"]:
            if limit["unit"] in TIMES and limit["value"] > 0.0:
                out[name, limit["what"]] = (limit["value"], limit["spread"], limit["unit"] != "s")
    return out


def same_machine(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether times themselves can be compared."""
    return all(old[key] == new[key] for key in ("machine", "python"))


def compare(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Every row that both runs have and that can be compared."""
    before, after, alike = numbers(old), numbers(new), same_machine(old, new)
    out = []
    for key in before:
        if key not in after or not (alike or before[key][2]):
            continue
        (first, spread, _), (second, other, _) = before[key], after[key]
        noise = sum(UNKNOWN / 2 if one is None else one for one in (spread, other))
        out.append(Change(*key, first, second, second / first, max(LEAST, noise)))
    return out


def unmatched(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What only one of the runs has, sections that failed among it."""
    before, after = numbers(old), numbers(new)
    lines = [f"gone: {section}: {what}" for section, what in before if (section, what) not in after]
    lines += [f"new: {section}: {what}" for section, what in after if (section, what) not in before]
    failed = ((name, one["failed"]) for name, one in new["sections"].items() if one["failed"])
    return lines + [f"failed: {name}: {why}" for name, why in failed]


def report(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, bool]:
    """The comparison as text, and whether nothing became slower and no section failed."""
    changes = sorted(compare(old, new), key=lambda change: -change.factor)
    shown = [change for change in changes if change.verdict]
    head = ("section", "what", "before", "after", "times as slow", "noise", "")
    lines = [f"{len(changes)} rows compared, {len(changes) - len(shown)} as before within the noise."]
    if not same_machine(old, new):
        lines.append("Another machine: only ratios are compared.")
    if old["quick"] != new["quick"]:
        lines.append("One run was quick and the other was not.")
    if shown:
        lines += ["", table(head, [change.cells() for change in shown])]
    lines += ["", *unmatched(old, new)]
    bad = any(change.verdict == "**slower**" for change in shown) or any(
        one["failed"] for one in new["sections"].values()
    )
    return "\n".join(lines).strip(), not bad


def main() -> int:
    """Compare two files."""
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    stored = Path(sys.argv[2]) if len(sys.argv) == 3 else HERE / "results.json"
    if not stored.exists():
        print(f"no stored run at {stored.name}: `make bench` writes one")
        return 2
    old, new = (json.loads(path.read_text()) for path in (stored, Path(sys.argv[1])))
    text, good = report(old, new)
    print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
