"""`jourdain run`: verdicts, files, and nothing lost however a run ends; in processes of its own where that counts."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from processes import start
from typer.testing import CliRunner

from jourdain import load
from jourdain.commands.cli import app
from jourdain.commands.exits import Exit
from jourdain.errors import RunFileWarning
from jourdain.results.journal import journal_folder

PENDULUM = """\
jourdain: 1
name: A pendulum
task: It swings <b>& must not</b> go too fast.
system:
  gravity: [0, 0, -9.81]
  bodies:
    - kind: RigidBody
      name: bob
      mass: 1.0
      com: [1.0, 0, 0]
      inertia: [0.01, 0.01, 0.01]
      joint: {kind: Revolute, name: pivot, axis: y}
state:
  q: {pivot: 0.3}
simulation: {until: 4.0, step: 0.001, output: 0.01}
limits:
  - {name: top speed, quantity: "v:pivot", within: 4.5}
  - {name: it swings, quantity: pivot, at_most: 4.0}
outputs:
  figures:
    Motion: [pivot, "v:pivot"]
"""
LONG = ("--set", "simulation.until=1e7", "--no-figures")
PATIENCE = 300.0
"""How long to wait for something that must happen; only a broken program takes so long [s]."""


@pytest.fixture
def scenario(tmp_path):
    """The file of a scenario."""
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM, encoding="utf-8")
    return path


@pytest.fixture
def jd(tmp_path, monkeypatch):
    """Calls `jourdain` in a folder of its own, within this process."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        done = CliRunner().invoke(app, [str(word) for word in words], prog_name="jourdain")
        return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)

    return call


@pytest.fixture
def apart(tmp_path):
    """Runs `jourdain` in a folder and a process of its own."""

    def call(*words, **how):
        command = [sys.executable, "-m", "jourdain", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, **how)

    return call


@pytest.fixture
def begin(tmp_path, scenario):
    """Starts a run that would take days, and waits until it has put something on disk."""
    started = []

    def call(out, *words):
        command = [sys.executable, "-m", "jourdain", "run", str(scenario), "--out", str(out), *LONG, *words]
        process = start(command, tmp_path)
        started.append(process)
        chunk = journal_folder(tmp_path / out / "run.nc") / "chunk-000002.npz"
        deadline = time.monotonic() + PATIENCE
        while not chunk.exists():
            assert process.poll() is None and time.monotonic() < deadline, process.communicate()
            time.sleep(0.02)
        return process

    yield call
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_run_that_passes(apart, tmp_path, scenario):
    done = apart("run", scenario)
    assert done.returncode == Exit.DONE, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first.startswith("PASS  A pendulum: margin ") and "top speed, " in first and " rad/s at " in first
    assert sum(line.startswith("  pass  ") for line in rest) == 2
    files = ["run.nc", "figures/energy.png", "figures/motion.png", "report.html"]
    assert rest[-4:] == [os.path.join("out", "pendulum", name) for name in files]
    out = tmp_path / "out" / "pendulum"
    run = load(out / "run.nc")
    assert not run.partial and run.record.time[-1] == 4.0 and run.options["scenario"]["name"] == "A pendulum"
    assert (out / "figures" / "motion.png").read_bytes().startswith(b"\x89PNG")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "A pendulum" in page and "<b>& must not</b>" not in page
    assert sorted(os.listdir(out)) == ["figures", "report.html", "run.nc"]


def test_limits_that_are_not_met_and_values_that_are_set(jd, tmp_path, scenario):
    done = jd("run", scenario, "--out", "a", "--no-report", "--no-figures", "--set", "limits[0].within=2", "--json")
    assert done.returncode == Exit.LIMITS, done.stderr
    told = json.loads(done.stdout)
    assert told["status"] == "failed" and told["passed"] is False and told["exit_code"] == 1
    assert told["worst"]["limit"]["name"] == "top speed" and told["worst"]["margin"] < 0.0
    assert [one["passed"] for one in told["limits"]] == [False, True]
    assert told["files"] == {"run": os.path.join("a", "run.nc")} and told["simulated"] == [0.0, 4.0]
    assert os.listdir(tmp_path / "a") == ["run.nc"]


@pytest.mark.parametrize(
    "words, told",
    [
        (["absent.yaml"], "absent.yaml"),
        (["pendulum.yaml", "--set", "simulation.untill=3"], "until"),
        (["pendulum.yaml", "--set", "until"], "ADDRESS=VALUE"),
        (["pendulum.yaml", "--variant", "fast"], 'there is no variant "fast"'),
    ],
)
def test_mistakes_are_exit_code_2_and_write_nothing(jd, tmp_path, scenario, words, told):
    done = jd("run", *words)
    assert done.returncode == Exit.INPUT and told in done.stderr and "Traceback" not in done.stderr
    assert os.listdir(tmp_path) == ["pendulum.yaml"]


def test_check_names_every_mistake_with_its_line(jd, scenario):
    done = jd("check", scenario)
    said = [line for line in done.stderr.splitlines() if not line.startswith("jourdain: compiling ")]
    assert (done.returncode, said) == (0, []) and "no mistakes" in done.stdout
    scenario.write_text(PENDULUM.replace("mass: 1.0", "mas: 1.0").replace("within: 4.5", "within: fast"))
    done = jd("check", "pendulum.yaml")
    assert done.returncode == Exit.INPUT and not done.stdout
    assert "pendulum.yaml:9:" in done.stderr and "pendulum.yaml:17:" in done.stderr
    told = json.loads(jd("check", "pendulum.yaml", "--json").stdout)
    assert not told["ok"] and {9, 17} <= {one["line"] for one in told["mistakes"]}
    again = jd("run", "pendulum.yaml", "--json")
    assert again.returncode == Exit.INPUT and json.loads(again.stdout)["error"]["problems"] == told["mistakes"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_what_there_is_of_it(begin, tmp_path, number):
    process = begin("a")
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == Exit.INTERRUPTED, err
    assert out.startswith("STOPPED  A pendulum: interrupted at ") and "(partial" in out and "Traceback" not in err
    assert out.count("\n  open  ") == 2
    run = load(tmp_path / "a" / "run.nc")
    assert run.partial and 0.0 < run.record.time[-1] < 1e7
    assert sorted(os.listdir(tmp_path / "a")) == ["report.html", "run.nc"]
    assert "interrupted at" in (tmp_path / "a" / "report.html").read_text(encoding="utf-8").lower()


def test_an_interrupted_run_does_not_replace_a_whole_one(jd, begin, tmp_path, scenario):
    assert jd("run", scenario, "--out", "a", "--no-figures").returncode == Exit.DONE
    before = contents(tmp_path / "a")
    process = begin("a", "--json")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    told = json.loads(out)
    assert told["status"] == "interrupted" and told["partial"] and told["exit_code"] == process.returncode == 130
    assert told["files"]["run"].endswith("run-partial.nc") and "interrupted at" in err
    after = contents(tmp_path / "a")
    assert sorted(after) == ["report-partial.html", "report.html", "run-partial.nc", "run.nc"]
    assert all(after[name] == before[name] for name in before)


def test_what_a_killed_run_left_is_kept_and_said(jd, begin, tmp_path, scenario):
    process = begin("a")
    process.kill()
    process.communicate()
    assert os.listdir(tmp_path / "a") == ["run.nc.journal"]
    left = load(tmp_path / "a" / "run.nc")
    assert left.partial and left.record.time[-1] > 0.0
    short = ("--out", "a", "--no-report", "--no-figures")
    done = jd("run", scenario, *short)
    kept = os.path.join("a", "run-unfinished.nc")
    assert done.returncode == Exit.DONE and f"up to {left.record.time[-1]:.6g} s; kept as {kept}" in done.stderr
    assert len(load(tmp_path / kept)) == len(left) and not load(tmp_path / "a" / "run.nc").partial
    process = begin("a")
    process.kill()
    process.communicate()
    done = jd("run", scenario, *short, "--overwrite")
    assert done.returncode == Exit.DONE and "removed what a run that was killed had left" in done.stderr
    assert sorted(os.listdir(tmp_path / "a")) == ["run-unfinished.nc.journal", "run.nc"]


def test_two_runs_into_one_folder_are_refused(jd, begin, scenario):
    begin("a")
    done = jd("run", scenario, "--out", "a", "--overwrite")
    assert done.returncode == Exit.INPUT and "another run is writing there now" in done.stderr


@pytest.mark.parametrize(
    "out, words", [("pendulum.yaml", "it is a file"), ("pendulum.yaml/a", "is a file, not a folder")]
)
def test_a_folder_that_cannot_be_written(jd, tmp_path, scenario, out, words):
    done = jd("run", scenario, "--out", out, "--json")
    assert done.returncode == Exit.WRITING and words in done.stderr and "Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["kind"] == "WriteError"
    assert scenario.read_text(encoding="utf-8") == PENDULUM


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(jd, tmp_path, scenario):
    (tmp_path / "a").mkdir(mode=0o500)
    done = jd("run", scenario, "--out", "a")
    assert done.returncode == Exit.WRITING and "no permission to write there" in done.stderr


def test_a_file_larger_than_allowed(jd, apart, tmp_path, scenario):
    """The operating system refuses the bytes, as it does when a disk is full, at the end of a run and within."""
    assert jd("run", scenario, "--out", "a", "--no-figures").returncode == Exit.DONE
    before = contents(tmp_path / "a")
    small = len(before["run.nc"]) // 2

    resource = pytest.importorskip("resource")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (small, small))

    for words in ((), LONG):
        done = apart("run", scenario, "--out", "a", "--no-figures", *words, preexec_fn=limited)
        assert done.returncode == Exit.WRITING and "larger than is allowed" in done.stderr
        assert "A pendulum was simulated up to" in done.stderr and "Traceback" not in done.stderr
        assert contents(tmp_path / "a") == before
    assert jd("run", scenario, "--out", "a", "--no-figures").returncode == Exit.DONE


def test_a_full_disk(jd, tmp_path, scenario):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        words = ("run", scenario, "--out", "disk", "--no-figures", "--no-report")
        assert jd(*words).returncode == Exit.DONE
        before = contents(disk)
        done = jd(*words, *LONG)
        assert done.returncode == Exit.WRITING and "the disk is full" in done.stderr and not done.stdout
        assert contents(disk) == before
        with pytest.warns(RunFileWarning, match="of a run that did not finish"):
            held = load(disk / "run.nc")
        assert held.partial and "keeps what was written before" in done.stderr
        assert not load(disk / "run.nc", partial=False).partial
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_simulation_that_fails_keeps_what_there_is(jd, tmp_path, scenario):
    stiff = PENDULUM.replace("axis: y}", "axis: y, damping: 1.0e6}")
    scenario.write_text(stiff.replace("output: 0.01", "output: 0.001"))
    done = jd("run", scenario, "--out", "a", "--no-figures")
    assert done.returncode == Exit.SIMULATION and "A pendulum: stopped at t = " in done.stdout and "step" in done.stdout
    assert load(tmp_path / "a" / "run.nc").partial and (tmp_path / "a" / "report.html").exists()


def test_variants_run_and_appear_as_ghosts(jd, tmp_path, scenario):
    text = PENDULUM + 'variants:\n  "low start": {state.q.pivot: 1.0}\nreplay: {ghost: low start}\n'
    scenario.write_text(text)
    done = jd("run", scenario, "--no-figures", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == Exit.DONE and told["files"]["run-low-start"].endswith("run-low-start.nc")
    out = tmp_path / "out" / "pendulum"
    assert load(out / "run-low-start.nc").record.q[0, 0] == 1.0 and load(out / "run.nc").record.q[0, 0] == 0.3
    done = jd("run", scenario, "--variant", "low start", "--no-figures", "--json")
    told = json.loads(done.stdout)
    assert told["variant"] == "low start" and Path(told["files"]["run"]).parent.name == "pendulum-low-start"


def test_warnings_are_lines_and_go_into_the_report(apart, tmp_path, scenario):
    scenario.write_text(PENDULUM + 'events:\n  - {name: never, when: "pivot > 99", lock: pivot}\n')
    done = apart("run", scenario, "--out", "a", "--no-figures", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == Exit.DONE and len(told["warnings"]) == 1
    assert 'event "never" never happened' in told["warnings"][0]
    assert f"jourdain: warning: {told['warnings'][0]}\n" in done.stderr
    assert "never happened" in (tmp_path / "a" / "report.html").read_text(encoding="utf-8")


def test_a_run_is_made_again_with_half_the_step(scenario, jd):
    done = jd("run", scenario, "--verify", "--quiet", "--no-figures", "--no-report")
    assert done.returncode == Exit.DONE and done.stdout.startswith("PASS")
    assert "checked: energy balance within " in done.stdout and ", half the step within " in done.stdout
    kept = load(scenario.parent / "out" / "pendulum" / "run.nc")
    assert [one.name for one in kept.trusted.checks] == ["energy balance", "half the step"]
    coarse = ("--set", "simulation.step=0.1", "--set", "simulation.output=0.1", "--set", "simulation.method=heun")
    tight = ("--set", "simulation.energy_tolerance=0.02")
    done = jd("run", scenario, "--verify", "--json", "--quiet", "--no-figures", "--no-report", *coarse, *tight)
    told = json.loads(done.stdout)
    assert done.returncode == Exit.UNTRUSTED and told["trust"]["checks"][-1]["name"] == "half the step"
