"""Every number of the sources is met, or differs for a reason that is written beside it; and the command that shows
them.

How many of each case are printed, re-run and theory, and met or not, is in docs/validation/published_counts.csv, which
the documentation adds up: each case is held against its lines there.
"""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jourdain.basics.errors import JourdainError
from jourdain.commands.cli import app
from jourdain.study import published
from jourdain.study.published import (
    DIFFERS,
    FAILED,
    KINDS,
    MET,
    OTHER,
    SEEDS,
    PublishedNumber,
    find_cases,
    paper,
    rerun,
    run_case,
    theory,
)
from jourdain.study.reproduction import count_lines, counted, run_cases

CASES = find_cases()
COUNTS = Path(__file__).resolve().parents[1] / "docs" / "validation" / "published_counts.csv"
TOLD = ("kim_contact: stick slip", "kim_contact: bar", "nato_machines: four bar", "nato_machines: slider crank",
        "nato_control: impedance")  # fmt: skip
"""Quick cases of examples that their own quick tests run and hold: here they are run by `make verify` only."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=() if case.quick and case.name not in TOLD else pytest.mark.slow)
        for case in CASES
    ],
)
def test_published_numbers(case):
    """By their own bounds, each with its verdict."""
    outcome = run_case(case)
    assert outcome.error == "" and outcome.rows
    assert [row for row in outcome.rows if row.verdict == FAILED] == []
    lines = [{name: str(value) for name, value in one.items()} for one in count_lines(outcome)]
    assert lines == [one for one in written() if one["case"] == case.name], (
        "its numbers of each kind are not those that the documentation counts; run `make reproduce` and copy "
        "out/reproduce/reproduce_counts.csv to docs/validation/published_counts.csv"
    )


def written() -> list[dict[str, str]]:
    """The lines of the documentation's table of counts."""
    with open(COUNTS, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_counts_are_of_the_cases_that_there_are():
    assert list(dict.fromkeys(one["case"] for one in written())) == [case.name for case in CASES]


WITHOUT_MODEL = PublishedNumber("x", "", 2.0, 2.01, "0.5 %", "printed")


def test_verdicts():
    assert WITHOUT_MODEL.verdict == MET
    assert replace(WITHOUT_MODEL, ours=2.02).verdict == FAILED
    assert replace(WITHOUT_MODEL, ours=2.02, within=0.01, reason="why", known=2.025).verdict == DIFFERS
    assert replace(WITHOUT_MODEL, ours=2.04, within=0.01, reason="why", known=2.025).verdict == FAILED
    assert replace(WITHOUT_MODEL, ours=math.nan, within=0.01, reason="why", known=2.025).verdict == FAILED
    assert replace(WITHOUT_MODEL, ours=math.nan).verdict == FAILED
    # of another case nothing is met, not even by chance
    assert replace(WITHOUT_MODEL, ours=2.0, other="another gait", known=2.001).verdict == OTHER
    assert replace(WITHOUT_MODEL, ours=2.0, other="another gait", known=2.1).verdict == FAILED


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "paper"}, "a number is one of printed, re-run, theory; got 'paper'"),
        ({"reason": "why"}, "come together: without the value that was found a change could not be seen"),
        ({"other": "another gait"}, "come together"),
        ({"known": 2.0}, "come together"),
        ({"reason": "why", "known": math.nan}, "give the value that was found"),
        ({"reason": "why", "other": "gait", "known": 2.0}, "not both"),
        ({"within": math.inf}, "give a bound that it can miss"),
        ({"within": -1.0}, "give a bound that it can miss"),
        ({"within": "half"}, 'a share is written as "0.5 %"'),
        ({"theirs": 0.0}, "of 0 is nothing"),
        ({"theirs": math.nan}, "leave out what the source does not give"),
    ],
)
def test_rows_that_could_not_fail_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        replace(WITHOUT_MODEL, **change)


def test_the_kind_cannot_be_left_out():
    with pytest.raises(TypeError, match="kind"):
        PublishedNumber("x", "", 2.0, 2.0, 0.1)


@given(st.floats(-1e6, 1e6), st.floats(0.0, 1e3), st.one_of(st.none(), st.floats(-1e6, 1e6)), st.floats(-1e3, 1e3))
def test_a_change_of_ours_makes_a_row_fail(theirs, within, known, off):
    """What is further from theirs, and from the value that is known, than is allowed."""
    more = {} if known is None else {"reason": "why", "known": known}
    row = PublishedNumber("x", "", theirs, theirs, within, "re-run", **more)
    places = [theirs] if known is None else [theirs, known]
    beyond = max(places) + within + 1e-3 + abs(off)
    assert replace(row, ours=beyond).verdict == FAILED
    assert replace(row, ours=min(places) - within - 1e-3 - abs(off)).verdict == FAILED
    assert replace(row, ours=theirs).verdict == MET


def test_rows_of_lists():
    rows = rerun("peak", "s", [1.0, 2.0], [1.0, 2.5], 0.1, at=("first", "second"))
    assert [row.quantity for row in rows] == ["peak, first", "peak, second"]
    assert [row.verdict for row in rows] == [MET, FAILED] and {row.kind for row in rows} == {"re-run"}
    assert paper("x", "", 1.0, 1.0, 0.1)[0].kind == "printed" and theory("x", "", 1.0, 1.0, 0.1)[0].kind == "theory"
    rows = paper("angle", "deg", [1.0, 2.0], [1.5, 2.5], 0.1, other="another gait", known=[1.5, 2.45])
    assert [row.verdict for row in rows] == [OTHER, OTHER]
    with pytest.raises(ValueError, match="2 numbers are published and 1 computed"):
        paper("peak", "s", [1.0, 2.0], [1.0], 0.1)
    with pytest.raises(TypeError, match="no why"):
        paper("peak", "s", 1.0, 1.0, 0.1, why="x")


def test_every_source_has_cases_and_a_wrong_one_is_refused():
    assert {case.seed for case in CASES} == set(SEEDS)
    with pytest.raises(JourdainError, match="there is no seed 'newton'; there are gonthier"):
        find_cases("newton")
    with pytest.raises(JourdainError, match="no case"):
        find_cases(word="nothing of the kind")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder of examples with one example, which has numbers, one that breaks off and one that ends its process."""
    (tmp_path / "GALLERY_HEADER.rst").write_text("x\n")
    (tmp_path / "nato").mkdir()
    (tmp_path / "nato" / "ex99_story.py").write_text(
        "import os\nQUICK = ('numbers',)\n"
        "def numbers():\n    '''Somebody 2002: an example.'''\n    yield 'x', 'm', 1.0, 1.01, 0.1, 'printed'\n"
        "    yield 'y', 'm', 2.0, 3.0, 0.1, 'printed', 'it is <known>', 3.0\n"
        "    yield 'u', 'm', 2.0, 2.0, 0.1, 'theory'\n"
        "    yield 'w', 'm', 2.0, 2.0, 0.1, 'printed', '', 2.0, 'another gait'\n"
        "def numbers_broken():\n    '''Somebody 2002: breaks.'''\n    yield 'z', '', 1.0, 1.0, 0.1, 're-run'\n"
        "    raise ValueError('lost')\n"
        "def numbers_gone():\n    '''Somebody 2002: is gone.'''\n    os._exit(3)\n"
    )
    monkeypatch.setattr(published, "examples_folder", lambda: tmp_path)
    return tmp_path


def test_a_story_enters_by_its_numbers(own):
    first, *others = find_cases()
    assert first.seed == "nato" and first.quick and not any(one.quick for one in others)
    assert (first.source, first.title) == ("Somebody 2002", "an example")
    assert [row.verdict for row in run_case(first).rows] == [MET, DIFFERS, MET, OTHER]


def test_whose_numbers_they_are_is_said(own):
    (own / "nato" / "ex98_mute.py").write_text("def numbers():\n    yield 'x', 'm', 1.0, 1.0, 0.1, 'theory'\n")
    with pytest.raises(JourdainError, match="the docstring of numbers begins with whose numbers they are"):
        find_cases()


def test_kinds_are_counted_apart(own):
    outcome = run_case(find_cases()[0])
    counts = counted([outcome])
    assert list(counts) == list(KINDS)
    assert counts["printed"] == {MET: 1, DIFFERS: 1, OTHER: 1, FAILED: 0}
    assert counts["theory"] == {MET: 1, DIFFERS: 0, OTHER: 0, FAILED: 0} and not sum(counts["re-run"].values())
    assert [one["kind"] for one in count_lines(outcome)] == ["printed", "theory"]


def test_a_case_that_fails_does_not_stop_the_others(own):
    found = {one.case.function: one for one in run_cases(find_cases(), workers=1)}
    assert not found["numbers"].failed and len(found["numbers"].rows) == 4
    assert "ValueError: lost (ex99_story.py, line 12)" in found["numbers_broken"].error
    assert len(found["numbers_broken"].rows) == 1  # what came before is kept
    assert found["numbers_gone"].error == "its process ended (3)"


def test_the_command(own, tmp_path):
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["reproduce", "nato", "--quick", "--out", str(out)])
    assert done.exit_code == 0
    assert "printed in a source: 1 met, 1 differ, 1 of another case, 0 failed" in done.stdout
    assert "independent re-runs: 0 met, 0 differ, 0 failed" in done.stdout
    assert "theory: 1 met, 0 differ, 0 failed" in done.stdout
    page = (out / "reproduce.html").read_text()
    assert "Printed in a source: 1 met, 1 differ, 1 of another case, 0 failed" in page and "it is &lt;known&gt;" in page
    assert "Another case: another gait" in page and "Theory: 1 met, 0 differ, 0 failed." in page
    told = json.loads((out / "reproduce.json").read_text())
    assert told["verdicts"]["printed"] == {MET: 1, DIFFERS: 1, OTHER: 1, FAILED: 0}
    assert [one["kind"] for one in told["numbers"]] == ["printed", "printed", "theory", "printed"]
    assert len((out / "reproduce.csv").read_text().splitlines()) == 5
    assert (out / "reproduce_counts.csv").read_text().splitlines()[1] == "nato,ex99_story,printed,1,1,1,0"
    done = CliRunner().invoke(app, ["reproduce", "--word", "breaks", "--out", str(out), "--json"])
    told = json.loads(done.stdout)
    assert done.exit_code == 1 and told["broken"] == 1 and told["verdicts"]["re-run"][MET] == 1
    assert "1 case broke off" in (out / "reproduce.html").read_text()
    assert "ex99_story: gone" in CliRunner().invoke(app, ["reproduce", "--list"]).stdout
