"""Error against processor time on five problems, beside MuJoCo, Drake, Exudyn and Pinocchio with SciPy.

    python benchmarks/precision.py [PROBLEM ...]

Every code runs each problem with each of its methods at a row of steps or tolerances, the same for all: decades of
tolerances and halved steps, until a run takes LONGEST. The error is the largest of the
answer's entries at the end against the reference, which is exact or converged as the problem says. Time is that of the
processor for the whole call, compiled and with the model made beforehand, in turn, the best of three rounds (one where
a run takes more than a second). Writes `benchmarks/precision.json`, `docs/images/precision.png` and the tables of
`docs/validation/precision.md`.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests"))

import numpy as np  # noqa: E402
from results import seconds, table  # noqa: E402
from timing import whole_runs  # noqa: E402

STORED = HERE / "precision.json"
DOCS = HERE.parent / "docs"
ROUNDS, LONG = 3, 1.0
"""Rounds, and how long a run may take that is made more than once [s]."""
LONGEST = 10.0
"""A method makes no finer runs once one has taken so long [s]."""
CODES = {
    "Jourdain": "#000000",
    "MuJoCo": "#0072b2",
    "Drake": "#cc79a7",
    "Exudyn": "#d55e00",
    "Pinocchio with SciPy": "#009e73",
}
MARKS = "os^Dv<>*"


@dataclass(frozen=True)
class Series:
    """One method of one code: `run(setting)` gives the answer; settings are steps or tolerances, the coarsest first."""

    code: str
    method: str
    run: Callable[[float], np.ndarray]
    settings: tuple[float, ...]


@dataclass(frozen=True)
class Problem:
    """A problem.

    exact      the answer
    known      how the answer is known
    trust      how far a second way to it was off; errors below it are not distinguished
    target     error at which times are given in the table
    absent     codes that cannot model it, and why
    """

    name: str
    title: str
    exact: np.ndarray
    known: str
    trust: float
    target: float
    unit: str
    series: list[Series]
    absent: dict[str, str] = field(default_factory=dict)


def tolerances(first: int, last: int) -> tuple[float, ...]:
    """Powers of ten from 10^-first to 10^-last."""
    return tuple(10.0**-k for k in range(first, last + 1))


def halved(step: float, count: int) -> tuple[float, ...]:
    """Steps, each half of the one before."""
    return tuple(step / 2.0**k for k in range(count))


def measure(problem: Problem) -> dict[str, Any]:
    """Every point of a problem, as it is stored."""
    points: list[dict[str, Any]] = []
    calls = {}
    for series in problem.series:
        compiled = False
        for setting in series.settings:
            point = {"code": series.code, "method": series.method, "setting": setting}
            try:
                if not compiled:
                    series.run(setting)
                    compiled = True
                begun = time.process_time()
                found = series.run(setting)
                point["seconds"] = time.process_time() - begun
            except Exception as error:
                points.append(point | {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:120]})
                continue
            error = float(np.max(np.abs(np.asarray(found) - problem.exact)))
            if not np.isfinite(error):
                points.append(point | {"failed": "not finite"})
                continue
            points.append(point | {"error": error})
            print(
                f"  {series.code}, {series.method}, {setting:g}: {error:.2e} in {seconds(point['seconds'])}", flush=True
            )
            if point["seconds"] < LONG:
                calls[len(points) - 1] = lambda series=series, setting=setting: series.run(setting)
            elif point["seconds"] > LONGEST:
                break
    for k, taken in whole_runs(calls, ROUNDS, time.process_time).items():
        points[k]["seconds"] = min(points[k]["seconds"], float(taken))
    head = {key: getattr(problem, key) for key in ("title", "known", "trust", "target", "unit", "absent")}
    return head | {"points": points}


def fastest(found: dict[str, Any], code: str) -> tuple[float, str, float] | None:
    """(time, method, error) of the fastest run of a code within the target."""
    good = [
        (point["seconds"], point["method"], point["error"])
        for point in found["points"]
        if point["code"] == code and "error" in point and point["error"] <= found["target"]
    ]
    return min(good) if good else None


def best_error(found: dict[str, Any], code: str) -> float | None:
    """The smallest error that a code reached."""
    errors = [point["error"] for point in found["points"] if point["code"] == code and "error" in point]
    return min(errors) if errors else None


def tables(stored: dict[str, Any]) -> str:
    """A table a problem: the fastest run of each code within the target."""
    parts = []
    for found in stored.values():
        rows = []
        mine = fastest(found, "Jourdain")
        for code in CODES:
            best, least = fastest(found, code), best_error(found, code)
            if best is not None:
                ratio = f"{best[0] / mine[0]:.3g}" if mine else ""
                rows.append((code, best[1], seconds(best[0]), f"{best[2]:.1e} {found['unit']}", ratio))
            elif least is not None:
                rows.append((code, "none", "", f"{least:.1e} {found['unit']} at best", ""))
            else:
                rows.append((code, found["absent"].get(code, "does not run it"), "", "", ""))
        head = ("code", "method", "time", "error", "times ours")
        text = f"{found['known']} Fastest within {found['target']:.0e} {found['unit']}:"
        parts.append(f"### {found['title']}\n\n{text}\n\n{table(head, rows)}")
    same = "Every code has the same tolerances, a decade apart, and the same steps, each half of the one before."
    return "\n\n".join([same, *parts])


def draw(stored: dict[str, Any], path: Path) -> None:
    """All problems in one figure."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(3, 2, figsize=(13, 17), layout="constrained")
    for axes, found in zip(grid.flat, stored.values(), strict=False):
        count: dict[str, int] = {}
        for code, method in dict.fromkeys((point["code"], point["method"]) for point in found["points"]):
            own = [p for p in found["points"] if (p["code"], p["method"]) == (code, method) and "error" in p]
            k = count[code] = count.get(code, -1) + 1
            if own:
                axes.loglog(
                    [p["seconds"] for p in own],
                    [max(p["error"], 1e-16) for p in own],
                    marker=MARKS[k % len(MARKS)],
                    ls="-" if k == 0 else "--",
                    color=CODES[code],
                    ms=5,
                    lw=1,
                    alpha=0.85,
                    label=f"{code}, {method}",
                )
        if found["trust"] > 0.0:
            axes.axhspan(1e-17, found["trust"], color="grey", alpha=0.15)
        errors = [p["error"] for p in found["points"] if "error" in p]
        axes.set_ylim(0.3 * max(min(errors), 1e-15), 3.0 * min(max(errors), 10.0))
        axes.set_title(found["title"], fontsize=10)
        axes.set_xlabel("processor time of the whole call [s]")
        axes.set_ylabel(f"error at the end [{found['unit']}]")
        axes.grid(which="major", alpha=0.3)
        axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncol=2, frameon=False)
    for axes in list(grid.flat)[len(stored) :]:
        axes.axis("off")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=75)
    plt.close(figure)


def write(stored: dict[str, Any]) -> None:
    """Points, figure, and the tables between the marks of the page."""
    STORED.write_text(json.dumps(stored, indent=1) + "\n")
    draw(stored, DOCS / "images" / "precision.png")
    page = DOCS / "validation" / "precision.md"
    before, _, rest = page.read_text().partition("<!-- tables -->\n")
    after = rest.partition("<!-- end of tables -->\n")[2]
    page.write_text(f"{before}<!-- tables -->\n\n{tables(stored)}\n\n<!-- end of tables -->\n{after}")


def main() -> None:
    """Measure some problems, or all."""
    import precision_contact
    import precision_flexible
    import precision_rigid

    warnings.simplefilter("ignore")
    problems = {
        "chain": precision_rigid.chain,
        "slew": precision_flexible.slew,
        "impacts": precision_contact.impacts,
        "loop": precision_rigid.loop,
        "rolling": precision_contact.rolling,
    }
    asked = sys.argv[1:] or list(problems)
    stored = json.loads(STORED.read_text()) if STORED.exists() and sys.argv[1:] else {}
    for name in asked:
        print(name, flush=True)
        stored[name] = measure(problems[name]())
    write({name: stored[name] for name in problems if name in stored})


if __name__ == "__main__":
    main()
