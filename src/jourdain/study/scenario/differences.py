"""What differs between two runs, by address: in the system, in the scenario, in the options."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...basics.storage import plain

if TYPE_CHECKING:
    from ...results.run import Run

_DEEPEST = 12
_FEW = 5
"""Entries of one list that are told one by one."""
_ENTRY = re.compile(r"\[\d+\]$")
_SHORT = 9
"""A list longer than this is compared entry by entry."""
_FOLLOWS = ("z_names", "events", "scenario", "command")
"""Options that follow from others, or are told elsewhere."""
ABSENT = "–"
"""What stands for a value that one of two does not have."""


def differences(first: Run, second: Run) -> list[tuple[str, str, str]]:
    """(address, value of the first, value of the second) of everything that is not the same."""
    one, other = (dict(_told(run)) for run in (first, second))
    found: dict[str, list[tuple[str, str, str]]] = {}
    for address in dict.fromkeys((*one, *other)):
        a, b = one.get(address, ABSENT), other.get(address, ABSENT)
        if a != b:
            found.setdefault(_ENTRY.sub("", address), []).append((address, a, b))
    out = []
    for base, rows in found.items():
        if len(rows) > _FEW:
            a, b = (f"{sum(_ENTRY.sub('', address) == base for address in told)} entries" for told in (one, other))
            rows = [(f"{base}: {len(rows)} entries", a, b)]
        out += rows
    return out


def text_difference(first: Run, second: Run) -> str:
    """The two scenario files as a unified diff; "" where they are the same or one is missing."""
    one, other = (str((run.options.get("scenario") or {}).get("text") or "") for run in (first, second))
    if not one or not other or one == other:
        return ""
    lines = difflib.unified_diff(one.splitlines(), other.splitlines(), lineterm="", n=2)
    return "\n".join(list(lines)[2:])


def _told(run: Run) -> Iterator[tuple[str, str]]:
    scenario = run.options.get("scenario")
    if isinstance(scenario, dict):
        yield "scenario.name", str(scenario.get("name"))
        yield "scenario.variant", str(scenario.get("variant") or ABSENT)
        for address, value in (scenario.get("overrides") or {}).items():
            yield from _leaves(value, f"changed: {address}", 0)
        for part in ("limits", "replay", "files"):
            yield from _leaves(scenario.get(part), f"scenario.{part}", 0)
    for key, value in plain(run.options).items():
        if key not in _FOLLOWS:
            yield from _leaves(value, f"options.{key}", 0)
    yield from _leaves(plain(run.model.description), "", 0)


def _leaves(value: Any, address: str, depth: int) -> Iterator[tuple[str, str]]:
    """(address, text) of every value in a description; items of lists go by their names, where they have one."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, item in value.items():
            yield from _leaves(item, f"{address}.{key}" if address else str(key), depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST and value and all(isinstance(item, dict) for item in value):
        for i, item in enumerate(value):
            name = item.get("name") or (item.get("body") or {}).get("name") if isinstance(item, dict) else None
            yield from _leaves(item, f"{address}[{name if isinstance(name, str) else i}]", depth + 1)
    elif isinstance(value, list) and len(value) > _SHORT and depth < _DEEPEST:
        for i, item in enumerate(value):
            yield from _leaves(item, f"{address}[{i}]", depth + 1)
    elif value is not None:
        text = f"{value:.9g}" if isinstance(value, float) else str(value)
        yield address, text if len(text) <= 200 else text[:197] + "..."
