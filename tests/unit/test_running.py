"""What `jourdain run` does when something goes wrong after, or beside, the simulation."""

import pytest

from jourdain import load
from jourdain.basics.storage import WriteError
from jourdain.commands.run import EXITS, summary
from jourdain.results.journal import journal_folder, reached, remove_journal
from jourdain.run import recording
from jourdain.study.progress import ProgressReporter
from jourdain.study.scenario import run_scenario as running
from jourdain.study.scenario.run_scenario import run_scenario, slug
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
variants:
  Sticky!: {system.bodies.block.joint.damping: 1.0e+9}
replay: {ghost: Sticky!}
"""
ALONE = {"replay.ghost": "null"}


@pytest.fixture
def scenario(tmp_path):
    """Reads the scenario, with other values at some addresses."""
    path = tmp_path / "slide.yaml"
    path.write_text(SLIDE, encoding="utf-8")
    return lambda **overrides: load_scenario(path, overrides={**ALONE, **overrides})


def test_a_report_that_cannot_be_written(scenario, tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise WriteError("report.html", "the disk is full")

    monkeypatch.setattr("jourdain.study.report.run_report.write_report", full)
    outcome = run_scenario(scenario(), tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    assert outcome.status == "unwritten" and EXITS[outcome.status] == 4
    assert "'report.html': the disk is full; " in outcome.message and outcome.judgements[0].passed
    assert load(tmp_path / "a" / "run.nc").record.time[-1] == 1.0 and "report" not in outcome.files


def test_a_variant_that_fails_is_a_warning(tmp_path, capsys):
    path = tmp_path / "slide.yaml"
    path.write_text(SLIDE, encoding="utf-8")
    outcome = run_scenario(load_scenario(path), tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    assert outcome.status == "passed" and not outcome.ghosts
    assert len(outcome.warnings) == 1 and "Sticky!" in outcome.warnings[0] and "stopped at t = " in outcome.warnings[0]
    assert outcome.warnings[0] in capsys.readouterr().err
    assert load(tmp_path / "a" / "run-sticky.nc").partial


def test_an_interrupt_after_the_simulation(scenario, tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "draw_figures", interrupt)
    outcome = run_scenario(scenario(), tmp_path / "a", reporter=ProgressReporter(quiet=True))
    assert outcome.status == "interrupted" and "run.nc is saved, not all of the rest" in outcome.message
    assert not load(tmp_path / "a" / "run.nc").partial
    assert summary(outcome)[0].startswith("STOPPED  A block slides: interrupted; ")


def test_an_interrupt_while_it_is_saved_leaves_the_journal(scenario, tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("jourdain.results.journal.save", interrupt)
    outcome = run_scenario(scenario(), tmp_path / "a", reporter=ProgressReporter(quiet=True))
    assert outcome.status == "interrupted" and outcome.run is None and "run.nc.journal keeps it" in outcome.message
    assert load(tmp_path / "a" / "run.nc").record.time[-1] == 1.0


def left_behind(scenario, tmp_path, monkeypatch):
    """The journal of a run that was killed while it was saved."""
    with monkeypatch.context() as patch:
        patch.setattr(recording, "JOURNAL_ROWS", 10)
        patch.setattr(
            "jourdain.results.journal.Journal.finish", lambda *a, **k: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        run_scenario(scenario(), tmp_path / "out", report=False, figures=False)
    folder = journal_folder(tmp_path / "out" / "run.nc")
    assert len(list(folder.iterdir())) > 2
    return folder


@pytest.mark.parametrize("damage", ["chunks", "header", "none"])
def test_a_damaged_journal_is_overwritten_when_the_new_run_is_whole(scenario, tmp_path, monkeypatch, capsys, damage):
    folder = left_behind(scenario, tmp_path, monkeypatch)
    for path in folder.glob({"chunks": "*.npz", "header": "*.json", "none": "nothing"}[damage]):
        path.write_bytes(path.read_bytes()[:40])

    def full(*args, **kwargs):
        raise WriteError("run.nc", "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("jourdain.results.journal.save", full)
        with pytest.raises(WriteError):
            run_scenario(scenario(), tmp_path / "out", report=False, figures=False, overwrite=True)
    assert journal_folder(tmp_path / "out" / "run-unfinished.nc").is_dir() and "is kept as" in capsys.readouterr().err
    remove_journal(folder)
    journal_folder(tmp_path / "out" / "run-unfinished.nc").rename(folder)
    outcome = run_scenario(scenario(), tmp_path / "out", report=False, figures=False, overwrite=True)
    assert outcome.status == "passed" and "removed what a run that was killed had left" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["run.nc"]


def test_the_journal_gets_what_there_is_now_and_then(scenario, tmp_path, monkeypatch):
    """A run that keeps few samples is on disk too when it is killed."""
    monkeypatch.setattr(recording, "JOURNAL_PAUSE", 0.0)
    monkeypatch.setattr(recording, "JOURNAL_ROWS", 10**9)
    path, on_disk = tmp_path / "run.nc", []
    long = scenario(**{"simulation.until": "10000.0", "simulation.output": "0.1"})
    long.simulate(save=path, progress=lambda time: on_disk.append(reached(journal_folder(path))))
    assert None not in on_disk and on_disk == sorted(on_disk) and len(set(on_disk)) > 2
    assert load(path).record.time[-1] == 10000.0


def test_overrides_are_kept_with_the_run(scenario, tmp_path):
    outcome = run_scenario(scenario(**{"limits[0].at_most": "0.5"}), tmp_path / "a", figures=False)
    assert outcome.status == "failed" and outcome.worst.margin == pytest.approx(-1.0)
    run = load(tmp_path / "a" / "run.nc")
    assert run.options["scenario"]["overrides"] == {**ALONE, "limits[0].at_most": "0.5"}
    assert "limits[0].at_most = 0.5" in (tmp_path / "a" / "report.html").read_text(encoding="utf-8")


def test_names_of_files():
    assert [slug(text) for text in ("Fast loop off", "../../etc", "über", "  ", "a" * 99)] == [
        "fast-loop-off",
        "etc",
        "ber",
        "unnamed",
        "a" * 60,
    ]
