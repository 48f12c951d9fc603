"""What a run found, as files: RESULTS.md, results.json and plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reasons import why
from results import seconds, spread_text, table

IMAGES = "images"
HEAD = """# Benchmarks

Written by `python benchmarks/run.py{how}`, everything in one run of {minutes:.0f} minutes on one machine; only the
ratios carry over to another. `results.json` has the numbers, `make bench-compare` compares another run with them.

- {machine}; load {before:.1f} before and {after:.1f} after the run{busy}
- Python {python}, {versions}

Before anything is timed, the codes must agree: model functions to 1e-9 relative, trajectories to 1e-6 after 200
steps. Contestants then run in turn, many rounds, and the best round of each counts, because machines are shared. A
ratio above 1 means that ours is faster. The number behind ± is the machine's noise: rounds are dealt into up to five
parts, one after the other, and it is half of how far their results lie apart. Peers run in double precision on one
thread, with everything off that they do not need here (contact, constraints, sensors, files).

![ours against each peer]({images}/ratios.png)

![cost against size]({images}/sizes.png)

## Targets

{targets}
{failed}
"""
BUSY = 1.0
"""Load before a run from which the page says that the machine was busy."""


def cells(item: dict[str, Any]) -> tuple[str, str, str, str, str]:
    """A stored row or limit with a target: what, measured, wanted, verdict, and why where it is missed."""
    noise = spread_text(item["spread"])
    if "ratio" in item:
        claim, measured = f"{item['what']}, against {item['peer']}", f"{item['ratio']:.2f}{noise} times as fast"
        return claim, measured, f">= {item['target']:g}", item["verdict"], reason(claim, item)

    def shown(value: float) -> str:
        return seconds(value) if item["unit"] == "s" else f"{value:.3g} {item['unit']}".strip()

    measured, limit = shown(item["value"]) + noise, f"<= {shown(item['limit'])}"
    return item["what"], measured, limit, item["verdict"], reason(item["what"], item)


def reason(claim: str, item: dict[str, Any]) -> str:
    """Why a target is missed; nothing where it is met."""
    return "" if item["verdict"] == "pass" else why(claim)


def wanted(results: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows and limits that have a target."""
    out = []
    for section in results["sections"].values():
        out += [row for row in section["rows"] if row["target"] is not None]
        out += [limit for limit in section["limits"] if limit["limit"] is not None]
    return out


def missed(results: dict[str, Any]) -> int:
    """Targets that are not met, sections that failed among them."""
    failed = sum(section["failed"] is not None for section in results["sections"].values())
    return failed + sum(item["verdict"] != "pass" for item in wanted(results))


def document(results: dict[str, Any]) -> str:
    """The text of RESULTS.md."""
    sections = results["sections"]
    failures = [f"- **{one['title']}** failed: {one['failed']}" for one in sections.values() if one["failed"]]
    before, after = results["load"]
    parts = [
        HEAD.format(
            how=" --quick" if results["quick"] else "",
            minutes=results["seconds"] / 60.0,
            machine=results["machine"],
            before=before,
            after=after,
            busy=": **the machine was busy, these numbers are a look and not a result**" if before > BUSY else "",
            python=results["python"],
            versions=results["versions"],
            images=IMAGES,
            targets=table(("target", "measured", "wanted", "", "why"), [cells(item) for item in wanted(results)]),
            failed="\n".join(["\nSections that failed:\n", *failures]) if failures else "",
        )
    ]
    for one in sections.values():
        text = f"**This section failed: {one['failed']}.**" if one["failed"] else one["text"].strip()
        parts.append(f"## {one['title']}\n\n{text}\n\nTook {one['seconds']:.0f} s.\n")
    return "\n".join(parts)


def write(results: dict[str, Any], folder: Path) -> None:
    """RESULTS.md, results.json and the plots, into a folder."""
    from plots import draw

    folder.mkdir(parents=True, exist_ok=True)
    draw(results, folder / IMAGES)
    (folder / "RESULTS.md").write_text(document(results))
    kept = {name: {k: v for k, v in one.items() if k != "text"} for name, one in results["sections"].items()}
    (folder / "results.json").write_text(json.dumps(results | {"sections": kept}, indent=1) + "\n")
