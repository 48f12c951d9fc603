"""The tour for newcomers: every step is a command that exists, on files that are right."""

import pytest
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands import tour
from jourdain.commands.cli import app


@pytest.fixture
def typed(monkeypatch):
    """What the tour would run; the commands themselves have tests of their own."""
    found = []
    monkeypatch.setattr(tour, "run_words", lambda context, words: found.append(words) or 0)
    return found


def test_it_runs_changes_compares_and_sweeps(typed, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(tour, "open_page", opened.append)
    done = CliRunner().invoke(app, ["tour", "--out", str(tmp_path / "a tour")], input="\n" * 4)
    assert done.exit_code == 0, done.output
    assert [words[0] for words in typed] == ["run", "run", "compare", "sweep"]
    assert [page.relative_to(tmp_path / "a tour").as_posix() for page in opened] == [one.page for one in tour.STEPS]
    assert str(tmp_path / "a tour" / "flagship.yaml") in typed[0]  # a folder with a space is one word
    assert "jourdain train" in done.output


def test_its_files_are_right(typed, tmp_path):
    CliRunner().invoke(app, ["tour", "--yes", "--no-browser", "--out", str(tmp_path)])
    assert jd.study.check_scenario(tmp_path / "flagship.yaml") == []
    assert jd.study.check_study(tmp_path / "gains.yaml") == []
    assert jd.study.load_study(tmp_path / "gains.yaml").size == 9
    change = next(word for word in typed[1] if word.startswith("controller"))
    jd.study.load_scenario(tmp_path / "flagship.yaml", overrides=dict([change.split("=")]))


def test_it_ends_where_a_step_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(tour, "run_words", lambda context, words: 4)
    done = CliRunner().invoke(app, ["tour", "--yes", "--no-browser", "--out", str(tmp_path)])
    assert done.exit_code == 4 and "ended with exit code 4" in done.output


def test_commands_run_as_if_typed(tmp_path):
    @app.command("words-of-a-test", hidden=True)
    def words(context: tour.typer.Context) -> None:
        assert tour.run_words(context, ["check", str(tmp_path / "none.yaml")]) == 2
        assert tour.run_words(context, ["version"]) == 0

    try:
        done = CliRunner().invoke(app, ["words-of-a-test"])
        assert done.exit_code == 0, (done.output, done.exception)
    finally:
        app.registered_commands.pop()
