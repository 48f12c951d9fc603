"""What becomes of measured times: spreads, the page that is written, and the comparison with a stored run."""

from __future__ import annotations

import copy
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
NAMES = ("compare", "plots", "precision", "reasons", "results", "sections", "timing", "writing")


@pytest.fixture
def bench(monkeypatch):
    """The modules that time nothing by themselves."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return SimpleNamespace(**{name: importlib.import_module(name) for name in NAMES})


def stored(bench, scale: float = 1.0, spread: float = 0.02) -> dict:
    """A run of two sections, one of which failed; ours takes `scale` times as long."""
    ours = bench.timing.Measured(1e-3 * scale, (1e-3 * scale, 1e-3 * scale * (1.0 + spread)))
    theirs = bench.timing.Measured(3e-3, (3e-3, 3e-3))
    row = bench.results.Row("a run", "MuJoCo", ours, theirs, 2.0)
    limit = bench.results.Limit("a call", ours, "s", 1e-2)
    curve = bench.results.Curve("a chain", (10, 100), (1e-6, 1e-5), "bodies")
    good = {"title": "Runs", "failed": None, "seconds": 2.0, "text": "A table of runs."}
    good |= {"rows": [row.stored()], "limits": [limit.stored()], "curves": [curve.stored()]}
    bad = {"title": "Loops", "failed": "no module named peer", "seconds": 0.5, "text": ""}
    bad |= {"rows": [], "limits": [], "curves": []}
    return {
        "quick": False,
        "machine": "a processor, 2 cores",
        "python": "3.11",
        "versions": "jourdain 1",
        "load": [0.1, 1.0],
        "seconds": 120.0,
        "sections": {"runs": good, "loops": bad},
    }


def test_numbers_carry_the_spread_of_their_parts(bench):
    measured = bench.timing.measured
    one, other = measured([4.0, 2.0, 2.2, 2.1, 2.0, 2.0]), measured([1.0] * 6)
    assert float(one) == 2.0 and len(one.parts) == bench.timing.PARTS
    ratio = one / other
    assert float(ratio) == 2.0 and ratio.spread == pytest.approx(1.0)  # the first part has 4, over 2
    assert float((one - other) / 4) == 0.25
    assert (2.0 * one).parts == tuple(2.0 * x for x in one.parts)
    assert float(1.0 / one) == 0.5 and (1.0 / one).parts[0] == 0.25
    assert (one / measured([1.0])).spread is None  # not of the same rounds
    assert bench.timing.together(lambda *x: max(x) / min(x), one, other).parts == (one / other).parts
    assert bench.timing.measured([3.0]).spread is None
    assert bench.timing.together(lambda x: 1.0 / (x - 4.0), one).spread is None  # of a part it cannot be taken


def test_rounds_end_when_there_is_no_time(bench, monkeypatch):
    calls = []
    monkeypatch.setattr(bench.timing, "budget", -1.0)
    found = bench.timing.in_rounds({"one": lambda: calls.append(1) or 1.0}, 50)
    assert len(calls) == bench.timing.FEWEST and float(found["one"]) == 1.0


def test_sections_fit_an_hour_and_their_texts_their_tables(bench):
    sections = bench.sections.SECTIONS
    assert sum(section.limit for section in sections) <= 3600.0
    assert len({section.name for section in sections}) == len(sections)


def test_page_tells_targets_and_failures(bench, tmp_path):
    results = stored(bench)
    bench.writing.write(results, tmp_path)
    text = (tmp_path / "RESULTS.md").read_text()
    assert "a run, against MuJoCo" in text and "3.00 ± " in text and ">= 2" in text
    assert "**This section failed: no module named peer.**" in text and "A table of runs." in text
    assert "busy" not in text and "Took 2 s." in text
    assert {path.name for path in (tmp_path / "images").iterdir()} == {"ratios.png", "sizes.png"}
    kept = json.loads((tmp_path / "results.json").read_text())
    assert kept["sections"]["runs"]["rows"][0]["spread"] == pytest.approx(0.02, rel=0.05)
    assert bench.writing.missed(results) == 1
    slow = stored(bench, 2.0)
    page = bench.writing.document(slow)
    assert "**fail**" in page and bench.reasons.UNKNOWN in page and bench.reasons.UNKNOWN not in text
    slow["sections"]["runs"]["rows"][0]["what"] = "a peg into a hole, 1.3 s"
    assert "evaluates its flats once a step" in bench.writing.document(slow)
    assert "busy" in bench.writing.document(results | {"load": [6.0, 6.0]})


def test_comparison_flags_what_is_slower_than_the_noise(bench):
    old = stored(bench)
    old["sections"]["loops"]["failed"] = None
    new = stored(bench, 1.3)
    new["sections"]["loops"]["failed"] = None
    text, good = bench.compare.report(old, new)
    assert not good and text.count("**slower**") == 2 and "1.30" in text
    text, good = bench.compare.report(new, old)
    assert good and text.count("faster") == 2
    noisy = stored(bench, 1.3, spread=0.4)
    noisy["sections"]["loops"]["failed"] = None
    assert bench.compare.report(old, noisy)[1]
    # another machine: the ratio counts, the time does not
    text, good = bench.compare.report(old, new | {"machine": "another"})
    assert not good and text.count("**slower**") == 1 and "Another machine" in text


def test_comparison_names_what_only_one_run_has(bench):
    old, new = stored(bench), copy.deepcopy(stored(bench))
    new["sections"]["runs"]["rows"] = []
    text, good = bench.compare.report(old, new)
    assert "gone: runs: a run, against MuJoCo" in text
    assert not good and "failed: loops: no module named peer" in text


def test_points_of_error_against_time(bench):
    """A method that fails leaves a word and no number; the table has the fastest run of a code within the target."""
    Series, Problem = bench.precision.Series, bench.precision.Problem

    def fails(setting):
        raise ValueError("no such law")

    series = [
        Series("Jourdain", "rk4", lambda step: [1.0 + step], (1e-2, 1e-5)),
        Series("Drake", "radau3", lambda step: [1.0 + 10.0 * step], (1e-2, 1e-5)),
        Series("MuJoCo", "RK4", fails, (1e-2,)),
    ]
    problem = Problem("one", "One", [1.0], "Known.", 0.0, 2e-5, "m", series, {"Exudyn": "no such body"})
    found = bench.precision.measure(problem)
    assert [point.get("failed") for point in found["points"]].count("ValueError: no such law") == 1
    assert bench.precision.fastest(found, "Drake") is None
    assert bench.precision.best_error(found, "Drake") == pytest.approx(1e-4)
    assert bench.precision.fastest(found, "Jourdain")[1] == "rk4"
    text = bench.precision.tables({"one": found})
    assert "no such body" in text and "1.0e-04 m at best" in text and "does not run it" in text


def test_the_gpu_benchmark_needs_one_file_of_the_package():
    code = "import gpu, sys; cuda = gpu.driver(); print(cuda.DeviceArray.__name__, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["DeviceArray", "False"]
