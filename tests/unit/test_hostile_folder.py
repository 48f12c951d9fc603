"""A folder may hold anything: a scenario from elsewhere, and beside it modules named as those that Jourdain imports.

None of them runs, whatever command is given there: the hostile folder has a module for every name that could be
imported, plug-ins that claim to be installed, and settings that name a module.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from processes import start
from studies import write
from typer.main import get_command

import jourdain
from jourdain.commands.cli import app

COMMANDS = {
    "check": ["check", "pendulum.yaml"],
    "run": ["run", "pendulum.yaml", "--out", "out"],
    "compare": ["compare", "out/run.nc", "out/run.nc", "--out", "both"],
    "sweep": ["sweep", "study.yaml", "--out", "swept", "--no-report"],
    "examples": ["examples", "dynamics/heavy_top", "--out", "figures"],
    "schema": ["schema"],
    "version": ["version", "--json"],
    "view": ["view", "out/run.nc", "--no-browser"],
    "demo": ["demo", "--out", "demo"],
    "tour": ["tour", "--yes", "--no-browser", "--out", "tour"],
    "warmup": ["warmup"],
    "export": ["export"],
    "live": ["live", "pendulum.yaml", "--for", "0.1"],
    "train": ["train", "--out", "page"],
    "reproduce": ["reproduce", "kim", "--quick", "--word", "reach", "--out", "numbers"],
}
"""What each command is tried with, in this order."""
QUICK = ("check", "run", "sweep", "version")
"""Commands that are tried whenever tests run; they start all that others do."""
EVIL = "import os\nopen(os.path.join({folder!r}, 'ran'), 'a').write(__name__ + '\\n')\nraise SystemExit(99)\n"
PLUGINS = ("numba_extensions", "xarray.backends", "zarr.codecs", "zarr.array", "matplotlib.backend", "typer.plugins")
OURS = Path(jourdain.__file__).resolve().parents[1]
PATIENCE = 300.0
"""How long to wait for something that must happen; only a broken program takes so long [s]."""


@cache
def installed() -> set[str]:
    """Names of all packages that can be imported."""
    return {name for name in packages_distributions() if name.isidentifier()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A pendulum and a study of it among hostile modules."""
    hostile = tmp_path_factory.mktemp("hostile")
    write(hostile)
    for name in (*sys.stdlib_module_names, *installed(), "sitecustomize", "usercustomize", "evil", "jourdain"):
        (hostile / f"{name}.py").write_text(EVIL.format(folder=str(hostile)))
    info = hostile / "evil-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("".join(f"[{group}]\nevil = evil:run\n" for group in PLUGINS))
    (hostile / "matplotlibrc").write_text("backend: module://evil\n")
    return hostile


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> list[str]:
    """The command `jourdain` as an installed script, which lies in a folder of its own."""
    path = tmp_path_factory.mktemp("bin") / "jourdain"
    path.write_text("import sys\nfrom jourdain.commands.cli import app\nsys.exit(app())\n")
    return [sys.executable, str(path)]


def ran(folder: Path) -> list[str]:
    """Names of the hostile modules that ran since the last look."""
    path = folder / "ran"
    names = path.read_text().split() if path.exists() else []
    path.unlink(missing_ok=True)
    return names


def environment() -> dict[str, str]:
    """Of a user who set nothing, but for where Jourdain is and its kernels are."""
    mine = {name: value for name, value in os.environ.items() if name not in ("MPLBACKEND", "PYTHONPATH")}
    return mine | {"PYTHONPATH": str(OURS)}


def look(command: list[str], folder: Path) -> str:
    """Serves a run until its address is known, then ends it; what it printed."""
    process = start(command, folder, env=environment())
    printed = []
    for line in process.stdout:
        printed.append(line)
        if re.search(r"http://127\.0\.0\.1:\d+", line):
            process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    return "".join(printed)


def test_every_command_is_tried():
    assert set(COMMANDS) == set(get_command(app).commands)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in COMMANDS])
def test_no_module_of_the_current_folder_runs(folder, script, name):
    how = {"cwd": folder, "env": environment(), "timeout": PATIENCE, "capture_output": True, "text": True}
    if name in ("compare", "view") and not (folder / "out").exists():
        subprocess.run([*script, *COMMANDS["run"]], check=True, **how)
    if name == "view":
        pytest.importorskip("viser")
        assert "http://" in look([*script, *COMMANDS[name]], folder)
        assert ran(folder) == []
        return
    if name == "sweep":
        pytest.importorskip("zarr")
    done = subprocess.run([*script, *COMMANDS[name]], check=False, **how)
    assert ran(folder) == []
    assert done.returncode == (2 if name == "export" else 0), done.stderr


def test_a_folder_on_the_path_is_caught(folder):
    """The trap works: with the current folder on the path, the first import springs it."""
    subprocess.run([sys.executable, "-c", "import numba"], cwd=folder, env=environment(), check=False)
    assert ran(folder)


def test_python_m_leaves_the_current_folder_out_before_it_imports(folder, tmp_path):
    """Python itself looks there for its own library until Jourdain begins; what Jourdain imports is found elsewhere."""
    for name in installed() - {"jourdain"}:
        (tmp_path / f"{name}.py").write_text(EVIL.format(folder=str(tmp_path)))
    write(tmp_path)
    command = [sys.executable, "-m", "jourdain", "check", "pendulum.yaml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ran(tmp_path) == []


CHILDREN = {
    "worker": "from jourdain.study.sweeps.worker import Worker; p = Worker(None).process; p.stdin.close(); p.wait()",
    "helper": "import jourdain.kernels.compiling.parallel_compilation as p; p.start_helper([]); p._HELPERS[0].wait()",
}


@pytest.mark.parametrize("child", CHILDREN)
def test_children_are_isolated(folder, script, child):
    """A child does not look into the current folder, although its parent may: as in an interactive session, or with an
    empty entry in PYTHONPATH."""
    loaded = "import jourdain.kernels.compiler, jourdain.study.sweeps.worker, os"
    code = f"{loaded}\nos.chdir({str(folder)!r})\n{CHILDREN[child]}\n"
    more = {"PYTHONPATH": str(OURS) + os.pathsep, "JOURDAIN_AHEAD": "off"}
    home = Path(script[1]).parent
    done = subprocess.run([sys.executable, "-c", code], cwd=home, env=environment() | more, check=False)
    assert done.returncode == 0
    assert ran(folder) == []
