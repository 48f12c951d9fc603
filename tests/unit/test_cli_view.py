"""`jourdain view` in a process of its own: it says its address, serves this machine, and ends with Ctrl-C."""

import re
import signal
import sys
import urllib.request

import pytest
from installed import needs
from processes import start
from typer.testing import CliRunner

from jourdain.commands.cli import app
from jourdain.commands.exits import Exit

needs("viser")
PATIENCE = 300.0
"""How long to wait for something that must happen; only a broken program takes so long [s]."""
FALL = """\
jourdain: 1
name: A ball falls
system:
  gravity: [0, 0, -9.81]
  bodies:
    - {kind: RigidBody, name: ball, mass: 1.0, inertia: [0.1, 0.1, 0.1], joint: {kind: Prismatic, name: drop, axis: z}}
simulation: {until: 1.0, step: 0.001, output: 0.01}
"""


@pytest.fixture
def scenario(tmp_path):
    """The file of a scenario."""
    path = tmp_path / "fall.yaml"
    path.write_text(FALL, encoding="utf-8")
    return path


@pytest.fixture
def begin(tmp_path):
    """Starts `jourdain view`, and gives the process and the address that it says."""
    started = []

    def call(*words):
        command = [sys.executable, "-m", "jourdain", "view", *map(str, words), "--no-browser"]
        process = start(command, tmp_path)
        started.append(process)
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                return process, found.group()
        raise AssertionError(process.communicate())

    yield call
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_run_file_is_served_until_ctrl_c(begin, tmp_path, scenario):
    words = ["run", str(scenario), "--out", str(tmp_path / "a"), "--no-report", "--no-figures", "--quiet"]
    assert CliRunner().invoke(app, words, prog_name="jourdain").exit_code == Exit.DONE
    process, address = begin("a/run.nc")
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == Exit.DONE and "Traceback" not in err


def test_a_scenario_is_shown_while_it_runs(begin, scenario):
    scenario.write_text(FALL.replace("until: 1.0", "until: 1.0e+6"))
    process, address = begin(scenario, "--live")
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
    for line in process.stderr:
        if "simulated" in line:
            break
    process.send_signal(signal.SIGINT)
    for line in process.stderr:
        if "Ctrl-C again ends the page" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == Exit.DONE and "Traceback" not in err


def test_what_cannot_be_viewed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.nc").write_bytes(b"not a run")
    for words, told in ((["a.nc"], "not a run file"), (["b.nc"], "no such file"), (["a.nc", "--live"], "--live")):
        done = CliRunner().invoke(app, ["view", *words], prog_name="jourdain")
        assert done.exit_code == Exit.INPUT and told in done.stderr and "Traceback" not in done.stderr


def test_a_scenario_is_posed_without_running_it(begin, scenario):
    process, address = begin(scenario, "--pose")
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
