"""The command line: help that teaches, errors in words, exit codes, examples by name, completion."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import jourdain
from jourdain.basics.errors import JourdainError, ModelError, Problem, SimulationError
from jourdain.basics.storage import WriteError
from jourdain.commands.cli import app
from jourdain.commands.exits import MEANINGS, Exit, explain
from jourdain.study.gallery import FORMER, example, examples_folder, find_examples

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = get_command(app).commands


@pytest.fixture
def jd(tmp_path, monkeypatch):
    """Calls the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], prog_name="jourdain")


def test_help_teaches(jd):
    text = jd("--help").stdout
    for name, command in COMMANDS.items():
        assert (f"\n  {name} " in text) is not command.hidden, name
    for code, meaning in MEANINGS.items():
        assert f"{code.value:>3}  {meaning}" in text
    assert "..." not in text.partition("Examples:")[0].partition("Commands:")[2]
    assert text.strip() in jd().output


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if not command.hidden])
def test_every_command_has_examples_in_its_help(jd, name):
    done = jd(name, "--help")
    assert done.exit_code == 0 and f"Examples:\n    jourdain {name}" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120


def test_the_version(jd):
    for words in (("version",), ("--version",)):
        done = jd(*words)
        assert done.exit_code == 0 and done.stdout.strip() == jourdain.__version__
    assert json.loads(jd("version", "--json").stdout)["jourdain"] == jourdain.__version__


@pytest.mark.parametrize("words", [("nothing",), ("run",), ("version", "--loud"), ("examples", "--out", "x")])
def test_wrong_usage_is_exit_code_2(jd, words):
    done = jd(*words)
    assert done.exit_code == Exit.INPUT and "Usage:" in done.stderr and not done.stdout


def test_export_says_what_it_lacks(jd, tmp_path):
    from jourdain.study.demo import SCENARIOS

    given = str(SCENARIOS / "floating_arm.yaml")
    done = jd("export", given)
    assert done.exit_code == Exit.INPUT and "--c DIR" in done.stderr
    done = jd("export", str(SCENARIOS / "deployment.yaml"), "--c", str(tmp_path))
    assert done.exit_code == Exit.INPUT and "give --step" in done.stderr
    done = jd("export", given, "--c", str(tmp_path), "--target", "z80")
    assert done.exit_code == Exit.INPUT and "x86-64-v3" in done.stderr and not list(tmp_path.iterdir())


ERRORS = [
    (JourdainError("no"), Exit.INPUT, "no"),
    (ModelError([Problem("arm", "a"), Problem("leg", "b")]), Exit.INPUT, "arm: a\nleg: b"),
    (SimulationError("stopped at t = 1 s", 1.0), Exit.SIMULATION, "stopped at t = 1 s"),
    (WriteError("run.nc", "the disk is full"), Exit.WRITING, "cannot write 'run.nc': the disk is full"),
    (FileNotFoundError(2, "No such file or directory", "a.nc"), Exit.INPUT, "a.nc: No such file or directory"),
    (MemoryError(), Exit.SIMULATION, "there is not enough memory"),
    (KeyboardInterrupt(), Exit.INTERRUPTED, "interrupted"),
    (ZeroDivisionError("division by zero"), Exit.INTERNAL, "a fault in Jourdain: ZeroDivisionError: division by zero"),
]


@pytest.mark.parametrize("error, code, words", ERRORS, ids=lambda value: type(value).__name__)
def test_errors_are_words_and_an_exit_code(jd, monkeypatch, error, code, words):
    def fail(*args):
        raise error

    monkeypatch.setattr("jourdain.study.gallery.find_examples", fail)
    assert explain(error)[0] == code
    done = jd("examples")
    assert done.exit_code == code and not done.stdout and "Traceback" not in done.stderr
    assert words in done.stderr.replace("jourdain: ", "")
    done = jd("--debug", "examples")
    assert done.exit_code == code and "Traceback" in done.stderr and type(error).__name__ in done.stderr
    done = jd("examples", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == told["exit_code"] == code and told["error"]["kind"] == type(error).__name__
    if isinstance(error, ModelError):
        assert told["error"]["problems"][1] == {"address": "leg", "message": "b"}


def test_every_example_is_listed(jd):
    text = jd("examples").stdout
    for path in sorted((ROOT / "examples").glob("*/*.py")):
        if path.parent.name == "published":  # cases of `jourdain reproduce`
            continue
        used = any(f"from {path.stem} import" in other.read_text() for other in path.parent.glob("*.py"))
        name = f"{path.parent.name}/{path.stem}"
        assert (f"  {name} " in text) is not used, name
    listed = json.loads(jd("examples", "--json").stdout)["examples"]
    assert [one["name"] for one in listed] == [one.name for one in find_examples()]
    assert all(Path(one["file"]).is_file() and one["summary"] for one in listed)
    assert any(one["picture"] and Path(one["picture"]).is_file() for one in listed)
    assert examples_folder() == ROOT / "examples"


def test_an_example_is_found_by_less_than_its_name():
    wanted = example("dynamics/heavy_top")
    assert example("heavy_top") == example("heavy_top.py") == wanted
    with pytest.raises(JourdainError, match="did you mean"):
        example("heavy_tip")


@pytest.mark.parametrize("former", ["nato/b19_critical_speed", "b19_critical_speed", "b19_critical_speed.py"])
def test_an_example_is_found_by_its_former_name_with_a_hint(jd, former):
    with pytest.warns(UserWarning, match="b19_critical_speed is now vehicles/critical_speed"):
        assert example(former).name == "vehicles/critical_speed"
    done = jd("examples", former, "--copy", "mine")
    assert done.exit_code == 0 and "is now vehicles/critical_speed" in done.stderr and "is now" not in done.stdout


def test_former_names_lead_to_examples():
    """By whole names, and by what is left of those without folder and number; a name of now is no former one."""
    names = {one.name for one in find_examples()}
    assert set(FORMER.values()) <= names and not names & set(FORMER)
    with pytest.warns(UserWarning, match="the example parametric is now orbit/parametric_study"):
        assert example("parametric").name == "orbit/parametric_study"
    with pytest.raises(JourdainError, match="there is no example 'stick_slip'"):  # there were two
        example("stick_slip")


def test_an_example_that_two_folders_have_needs_its_folder(monkeypatch):
    one = example("heavy_top")
    twice = [one, type(one)("mine/heavy_top", one.path, one.summary, None)]
    monkeypatch.setattr("jourdain.study.gallery.find_examples", lambda: twice)
    with pytest.raises(JourdainError, match="dynamics/heavy_top or mine/heavy_top; give the folder"):
        example("heavy_top")
    assert example("mine/heavy_top") is twice[1]


def test_an_example_runs_and_saves_its_figure(jd, tmp_path):
    import matplotlib.pyplot as plt

    plt.close("all")  # those of other tests would be saved, too
    done = jd("examples", "dzhanibekov", "--out", "mine", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["files"] == [os.path.join("mine", "dzhanibekov.png")]
    assert (tmp_path / "mine" / "dzhanibekov.png").read_bytes().startswith(b"\x89PNG")


def test_the_source_of_an_example_is_copied_with_what_it_needs(jd, tmp_path):
    assert jd("examples", "two_units", "--copy", "mine").exit_code == 0
    assert sorted(os.listdir(tmp_path / "mine")) == ["orbiting_manipulator.py", "two_units.py"]
    (tmp_path / "mine" / "orbiting_manipulator.py").write_text("changed")
    done = jd("examples", "arm_deployment", "--copy", "mine")
    assert done.exit_code == Exit.WRITING and "orbiting_manipulator.py': it is there already" in done.stderr
    assert sorted(os.listdir(tmp_path / "mine")) == ["orbiting_manipulator.py", "two_units.py"]
    assert (tmp_path / "mine" / "orbiting_manipulator.py").read_text() == "changed"


def complete(words: str, folder: Path) -> list[str]:
    """What the shell is offered at the end of a line."""
    env = os.environ | {
        "_JOURDAIN_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(re.findall(r"\s+", words))),
    }
    done = subprocess.run([sys.executable, "-m", "jourdain"], env=env, cwd=folder, capture_output=True, text=True)
    assert not done.stderr
    return done.stdout.split()


def test_the_shell_completes_commands_files_and_examples(tmp_path):
    for name in ("reach.yaml", "reach.nc", "notes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "arm.yml").touch()
    assert complete("jourdain exa", tmp_path) == ["examples"]
    assert complete("jourdain examples dynamics/heavy", tmp_path) == ["dynamics/heavy_top"]
    assert complete("jourdain run ", tmp_path) == ["reach.yaml", "deep/"]
    assert complete("jourdain check deep/", tmp_path) == ["deep/arm.yml"]
    assert complete("jourdain compare r", tmp_path) == ["reach.nc"]


def options(command) -> set[str]:
    """The long and short options of a command."""
    return {name for one in command.params for name in one.opts if name.startswith("-")} - {"--help"}


def test_the_page_lists_every_command_and_option():
    page = (ROOT / "docs" / "study" / "command_line.md").read_text(encoding="utf-8")
    first, *sections = re.split(r"^## `jourdain (\w+)`$", page, flags=re.MULTILINE)
    told = dict(zip(sections[::2], sections[1::2]))
    assert sorted(told) == sorted(name for name, command in COMMANDS.items() if not command.hidden)
    for name, text in told.items():
        cells = " ".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `-"))
        assert set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", cells)) == options(COMMANDS[name]), name
    assert set(re.findall(r"^\| `(--[\w-]+)`", first, flags=re.MULTILINE)) - {"--help"} == options(get_command(app))
    assert {int(code): words for code, words in re.findall(r"^\| (\d+) \| (.*) \|$", first, flags=re.MULTILINE)} == {
        code.value: words for code, words in MEANINGS.items()
    }
