"""`jourdain compare` and `jourdain schema`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jourdain.commands.cli import app
from jourdain.commands.compare import labels
from jourdain.commands.exits import Exit
from jourdain.results.journal import Journal
from jourdain.study.scenario.scenario_file import load_scenario

SLIDE = """\
jourdain: 1
name: A block slides
system:
  bodies:
    - {kind: RigidBody, name: block, mass: 1.0, inertia: [0.1, 0.1, 0.1], joint: {kind: Prismatic, name: rail, axis: x}}
state: {v: {rail: 1.0}}
simulation: {until: 1.0, step: 0.01}
limits:
  - {name: how far, quantity: rail, at_most: 1.5}
  - {name: how fast, quantity: "v:rail", within: 3.0}
"""


@pytest.fixture
def jd(tmp_path, monkeypatch):
    """Calls the command line in a folder with two runs, a.nc and b.nc."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "slide.yaml"
    path.write_text(SLIDE, encoding="utf-8")
    for name, speed in (("a", "1.0"), ("b", "2.0")):
        load_scenario(path, overrides={"state.v.rail": speed}).simulate(save=tmp_path / f"{name}.nc")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], prog_name="jourdain")


def test_two_runs_in_one_page(jd, tmp_path):
    done = jd("compare", "a.nc", "b.nc", "--out", "deep/both.html")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[:3] == ["how far", "  a  pass  1 m at 1 s; at most 1.5 m", "  b  FAIL  2 m at 1 s; at most 1.5 m"]
    assert lines[-1] == str(Path("deep", "both.html")) and (tmp_path / lines[-1]).stat().st_size > 10_000
    told = json.loads(jd("compare", "a.nc", "b.nc", "--json").stdout)
    assert [[one["passed"] for one in run["limits"]] for run in told["runs"].values()] == [[True, True], [False, True]]
    assert told["files"] == {"report": "comparison.html"} and (tmp_path / "comparison.html").exists()


def test_a_killed_run_can_be_compared(jd, tmp_path):
    run = load_scenario(tmp_path / "slide.yaml").simulate()
    journal = Journal(tmp_path / "killed.nc", run.model, run.options)
    journal.append(run.record)
    journal.release()
    done = jd("compare", "a.nc", "killed.nc", "--json")
    assert done.exit_code == 0 and [one["partial"] for one in json.loads(done.stdout)["runs"].values()] == [False, True]


def test_what_cannot_be_compared(jd, tmp_path):
    (tmp_path / "c.nc").write_bytes(b"no")
    for words, code, told in (
        (["a.nc"], Exit.INPUT, "two run files or more"),
        (["a.nc", "c.nc"], Exit.INPUT, "not a run file"),
        (["a.nc", "d.nc"], Exit.INPUT, "no such file"),
        (["a.nc", "b.nc", "--out", "slide.yaml/x.html"], Exit.WRITING, "not a folder"),
    ):
        done = jd("compare", *words)
        assert done.exit_code == code and told in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.glob("**/*.html"))


@pytest.mark.parametrize(
    "paths, told",
    [
        (["out/reach/run.nc", "out/soft/run.nc"], ["reach", "soft"]),
        (["a/run.nc", "a/run-soft.nc", "a/run-hard.nc"], ["run", "run-soft", "run-hard"]),
        (["a/run.nc", "a/run.nc"], ["a/run.nc (A)", "a/run.nc (B)"]),
        (["a/run.nc", "a/b/run.nc"], ["a/run.nc", "b"]),
        (["a/b/run.nc", "c/b/end.nc"], ["a/b/run", "c/b/end"]),
    ],
)
def test_labels_tell_files_apart(paths, told):
    assert labels([Path(path) for path in paths]) == told


def test_the_schema(jd, tmp_path):
    text = jd("schema").stdout
    assert {"system", "limits", "variants"} <= set(json.loads(text)["properties"])
    done = jd("schema", "--out", "scenario.schema.json")
    assert done.exit_code == 0 and (tmp_path / "scenario.schema.json").read_text(encoding="utf-8") == text
    assert jd("schema", "--out", "none/scenario.schema.json").exit_code == Exit.WRITING
