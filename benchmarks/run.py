"""Measures Jourdain against its peers on this machine, in one run of at most an hour, and writes what it found.

    python benchmarks/run.py [--quick] [--only SECTION ...] [--out FOLDER] [--patience FACTOR]

Writes RESULTS.md, results.json (every row with its spread) and plots into a folder, this one unless given another.
Each section runs in a process of its own with a number of rounds and a time that it may take, both in `sections.py`;
one that fails or takes longer says so in RESULTS.md, and the others go on. Codes are first checked to give the same
results; then they run in turn, on one thread each unless the row says otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests"))  # behind this folder: both have a module studies

import timing  # noqa: E402
import writing  # noqa: E402
from sections import SECTIONS, Section  # noqa: E402

PACKAGES = ("jourdain", "numpy", "numba", "pin", "mujoco", "exudyn", "drake")


def processor() -> str:
    """Name of the processor and number of cores that this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        name = names[0] if names else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores"


def versions() -> str:
    """What is compared, with its versions."""
    out = []
    for name in PACKAGES:
        try:
            out.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            out.append(f"no {name}")
    return ", ".join(out)


def load() -> float:
    """Processes that want a core, over the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def measure_here(section: Section, quick: bool, out: Path) -> None:
    """Run a section in this process and store what it found."""
    warnings.simplefilter("ignore", UserWarning)  # steps are as long as the peers', whatever a contact asks
    timing.budget = section.budget * (0.3 if quick else 1.0)
    found = section.run(section.rounds[1 if quick else 0], quick)
    stored = {
        "text": section.page(found),
        "rows": [row.stored() for row in found.rows],
        "limits": [limit.stored() for limit in found.limits],
        "curves": [curve.stored() for curve in found.curves],
    }
    out.write_text(json.dumps(stored))


def measure(section: Section, quick: bool, patience: float) -> dict[str, Any]:
    """Run a section in a process of its own; what it found, or why it failed, and how long it took."""
    begun = time.monotonic()
    found: dict[str, Any] = {"text": "", "rows": [], "limits": [], "curves": []}
    failed = None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "found.json"
        command = [sys.executable, str(Path(__file__).resolve()), "--inside", section.name, "--out", str(out)]
        try:
            done = subprocess.run(
                command + ["--quick"] * quick, capture_output=True, text=True, timeout=patience * section.limit
            )
            if out.exists():
                found = json.loads(out.read_text())
            else:
                lines = [line for line in done.stderr.splitlines() if line.strip()]
                failed = lines[-1] if lines else f"ended with status {done.returncode}"
        except subprocess.TimeoutExpired:
            failed = f"took longer than the {patience * section.limit:g} s that it may take"
    return found | {"title": section.title, "failed": failed, "seconds": time.monotonic() - begun}


def main() -> int:
    """Measure, write, and say whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter runs: a look, not a result")
    parser.add_argument("--only", nargs="+", choices=[one.name for one in SECTIONS], help="sections to run")
    parser.add_argument("--patience", type=float, default=1.0, help="times the time that a section may take")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        (section,) = (one for one in SECTIONS if one.name == options.inside)
        try:
            measure_here(section, options.quick, options.out)
        except Exception:
            traceback.print_exc()
            return 1
        return 0
    if options.only and options.out.resolve() == HERE:
        parser.error("RESULTS.md is of one whole run: give --out FOLDER with --only")
    before, begun, sections = load(), time.monotonic(), {}
    for section in SECTIONS:
        if options.only and section.name not in options.only:
            continue
        found = sections[section.name] = measure(section, options.quick, options.patience)
        outcome = f"failed: {found['failed']}" if found["failed"] else "measured"
        print(f"{section.title:20s} {found['seconds']:6.0f} s  {outcome}", flush=True)
        results = {
            "quick": options.quick,
            "machine": processor(),
            "python": platform.python_version(),
            "versions": versions(),
            "load": [before, load()],
            "seconds": time.monotonic() - begun,
            "sections": sections,
        }
        if options.out.resolve() != HERE or section is SECTIONS[-1]:
            writing.write(results, options.out)  # elsewhere after every section, so that a stopped run loses little
    missed = writing.missed(results)
    print(f"wrote RESULTS.md in {results['seconds'] / 60:.1f} min; " + (f"{missed} missed" if missed else "all met"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
