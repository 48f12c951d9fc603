"""Every published number is met, or differs for a reason that is written beside it; and the command that shows them."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from jourdain.basics.errors import JourdainError
from jourdain.commands.cli import app
from jourdain.study import published
from jourdain.study.published import DIFFERS, FAILED, MET, SEEDS, Number, find_cases, paper, rerun, run_case
from jourdain.study.reproduction import run_cases

CASES = find_cases()
TOLD = ("kim_stories: stick slip", "kim_stories: bar", "nato_machines: four bar", "nato_machines: slider crank",
        "nato_control: impedance")  # fmt: skip
"""Quick cases of stories that their own quick tests run and hold: here they are run by `make verify` only."""


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


def test_verdicts():
    assert Number("x", "", 2.0, 2.01, "0.5 %").verdict == MET
    assert Number("x", "", 2.0, 2.02, "0.5 %").verdict == FAILED
    assert Number("x", "", 2.0, 2.02, 0.01, "why").verdict == DIFFERS
    assert Number("x", "", 2.0, 2.02, 0.01, "why", known=2.025).verdict == DIFFERS
    assert Number("x", "", 2.0, 2.04, 0.01, "why", known=2.025).verdict == FAILED
    assert Number("x", "", 2.0, math.nan, 0.01, "why").verdict == FAILED


def test_rows_of_lists():
    rows = rerun("peak", "s", [1.0, 2.0], [1.0, 2.5], 0.1, at=("first", "second"))
    assert [row.quantity for row in rows] == ["peak, first", "peak, second"]
    assert [row.verdict for row in rows] == [MET, FAILED] and rows[0].whose == "re-run"
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
    """A folder of examples with one story, which has numbers, one that breaks off and one that ends its process."""
    (tmp_path / "GALLERY_HEADER.rst").write_text("x\n")
    (tmp_path / "nato").mkdir()
    (tmp_path / "nato" / "ex99_story.py").write_text(
        "import os\nQUICK = ('numbers',)\n"
        "def numbers():\n    '''Somebody 2002: a story.'''\n    yield 'x', 'm', 1.0, 1.01, 0.1\n"
        "    yield 'y', 'm', 2.0, 3.0, 0.1, 'it is <known>'\n"
        "def numbers_broken():\n    yield 'z', '', 1.0, 1.0, 0.1\n    raise ValueError('lost')\n"
        "def numbers_gone():\n    os._exit(3)\n"
    )
    monkeypatch.setattr(published, "examples_folder", lambda: tmp_path)
    return tmp_path


def test_a_story_enters_by_its_numbers(own):
    first, *others = find_cases()
    assert first.seed == "nato" and first.quick and not any(one.quick for one in others)
    assert (first.source, first.title) == ("Somebody 2002", "a story")
    assert [row.verdict for row in run_case(first).rows] == [MET, DIFFERS]


def test_a_case_that_fails_does_not_stop_the_others(own):
    found = {one.case.function: one for one in run_cases(find_cases(), workers=1)}
    assert not found["numbers"].failed and len(found["numbers"].rows) == 2
    assert "ValueError: lost (ex99_story.py, line 9)" in found["numbers_broken"].error
    assert len(found["numbers_broken"].rows) == 1  # what came before is kept
    assert found["numbers_gone"].error == "its process ended (3)"


def test_the_command(own, tmp_path):
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["reproduce", "nato", "--quick", "--out", str(out)])
    assert done.exit_code == 0 and "2 numbers: 1 met, 1 differ, 0 failed" in done.stdout
    page = (out / "reproduce.html").read_text()
    assert "1 of 2 published numbers are met" in page and "it is &lt;known&gt;" in page
    told = json.loads((out / "reproduce.json").read_text())
    assert told["verdicts"] == {"met": 1, "differs": 1, "failed": 0}
    assert len((out / "reproduce.csv").read_text().splitlines()) == 3
    done = CliRunner().invoke(app, ["reproduce", "--word", "broken", "--out", str(out), "--json"])
    assert done.exit_code == 1 and json.loads(done.stdout)["verdicts"]["failed"] == 1
    assert "ex99_story: gone" in CliRunner().invoke(app, ["reproduce", "--list"]).stdout
