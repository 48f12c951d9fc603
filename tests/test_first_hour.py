"""What a new user reads is followed to the letter: files, fragments and shell lines of the tutorial, README and how-to.

The quick tests run the lines in this process with short runs; the slow one makes a bare clone, `make demo` and all.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import start
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app
from jourdain.study.demo import SCENARIOS

ROOT = Path(__file__).resolve().parents[1]
TUTORIAL, README, HOWTO = (
    ROOT / "docs" / "start" / "tutorial.md",
    ROOT / "README.md",
    ROOT / "docs" / "start" / "howto.md",
)
BLOCK = re.compile(r"^```(yaml|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    ((?:jourdain|make) .*)$", re.MULTILINE)
PATIENCE = 600.0
"""How long to wait for something that must happen [s]."""


def steps(page: Path) -> Iterator[tuple[str, str]]:
    """What a page tells to write and to type, in order: ("yaml", text) and ("sh", line)."""
    text = page.read_text(encoding="utf-8")
    found = [(one.start(), one.group(1), one.group(2)) for one in BLOCK.finditer(text)]
    # in an indented line a description follows behind spaces, or a comment
    found += [(one.start(), "sh", re.split(r"\s{2,}|\s#", one.group(1))[0] + "\n") for one in INDENTED.finditer(text)]
    for _, kind, body in sorted(found):
        if kind == "yaml":
            yield kind, body
        else:
            yield from (("sh", line.strip()) for line in body.splitlines() if line.strip())


def write(folder: Path, text: str) -> None:
    """A file by the name in its first line; or the forearm that takes the place of another in press.yaml."""
    named = re.match(r"# (\w+\.yaml)\n", text)
    if named:
        (folder / named.group(1)).write_text(text, encoding="utf-8")
        return
    assert text.startswith("    - kind: Beam\n      name: fore\n"), text
    whole = (folder / "press.yaml").read_text(encoding="utf-8")
    head, tail = whole.index("    - kind: RigidBody\n      name: fore"), whole.index("  contacts:")
    (folder / "press.yaml").write_text(whole[:head] + text + whole[tail:], encoding="utf-8")


def with_sections(text: str, fragment: str) -> str:
    """A scenario with the sections of a fragment in place of its own."""
    for key in re.findall(r"^(\w+):", fragment, re.MULTILINE):
        text = re.sub(rf"^{key}:.*\n(?:[ #].*\n|\n(?=[ ]))*", "", text, flags=re.MULTILINE)
    return f"{text}\n{fragment}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the tutorial's files as they are before the forearm bends."""
    made = tmp_path_factory.mktemp("hour")
    for kind, text in steps(TUTORIAL):
        if kind == "yaml" and text.startswith("# "):
            write(made, text)
    return made


def test_the_pages_have_what_they_had():
    told = [line for kind, line in steps(TUTORIAL) if kind == "sh"]
    assert told[:2] == ["make demo", "source .venv/bin/activate"] and len(told) == 10
    assert sum(kind == "yaml" for kind, _ in steps(TUTORIAL)) == 3
    assert [line for _, line in steps(README)][:2] == ["make demo", "make test"] and len(list(steps(README))) == 8
    assert sum(kind == "yaml" for kind, _ in steps(HOWTO)) == 6


def test_every_line_of_the_pages_runs(tmp_path, monkeypatch):
    """In order, in one folder: no mistakes, no warnings, no trouble; runs are short, and so are not judged."""
    monkeypatch.chdir(tmp_path)
    looked = []
    monkeypatch.setattr("jourdain.view.viewer.show", lambda run, *_: looked.append(run))
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    bent, done = False, set()
    for page in (TUTORIAL, README, HOWTO):
        for kind, text in steps(page):
            if kind == "yaml":
                if page is TUTORIAL:
                    write(tmp_path, text)
                    bent = bent or not text.startswith("# ")
                continue
            if text in done and not bent:
                continue
            done.add(text)
            words = shlex.split(text)
            if words[0] == "make":
                assert words[1] in targets
                continue
            if words[0] == "source":
                continue
            assert words[0] == "jourdain"
            short = ["--set", "simulation.until=0.02", "--no-figures"] if words[1] == "run" else []
            short += ["--no-report"] if "press.yaml" in words else []
            if words[1] == "check":
                short = ["--quick"]
            told = CliRunner().invoke(app, [*words[1:], *short])
            assert told.exit_code in ((0, 1) if words[1] == "run" else (0,)), (page.name, text, told.output)
            assert "warning" not in told.stderr and "mistake" not in told.stderr, (page.name, text, told.stderr)
            if words[1] == "check":
                assert "no mistakes" in told.stdout and "`no mistakes`" in TUTORIAL.read_text(encoding="utf-8")
    assert bent and len(looked) >= 1


def test_the_scenarios_of_the_tutorial_keep_their_limits(folder):
    for name in ("reach", "press"):
        verdict = jd.study.judge(jd.load_scenario(folder / f"{name}.yaml").simulate(progress=False))
        assert verdict and all(one.passed for one in verdict), name


def test_a_mistake_is_told_as_the_page_says(folder, tmp_path):
    text = (folder / "reach.yaml").read_text(encoding="utf-8").replace("mass: 5", "mas: 5")
    (tmp_path / "reach.yaml").write_text(text, encoding="utf-8")
    mistakes = jd.study.check_scenario(tmp_path / "reach.yaml")
    line = text[: text.index("mas: 5")].count("\n") + 1
    assert any(one.line == line and 'did you mean "mass"' in one.message for one in mistakes), mistakes


def test_fragments_of_the_how_to_page_fit(folder, tmp_path):
    """Each takes the place of the sections of its name, in press.yaml or in the file of the boom."""
    mesh = tmp_path / "gripper.stl"
    mesh.write_text(
        "solid g\n"
        + "".join(
            f"facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n"
            for a, b, c in (
                ("0 0 0", "0 20 0", "20 0 0"),
                ("0 0 0", "20 0 0", "0 0 20"),
                ("0 0 0", "0 0 20", "0 20 0"),
                ("20 0 0", "0 20 0", "0 0 20"),
            )
        )
        + "endsolid g\n"
    )
    press = (folder / "press.yaml").read_text(encoding="utf-8")
    boom = (SCENARIOS / "flexible_arm.yaml").read_text(encoding="utf-8")
    seen = []
    for kind, fragment in steps(HOWTO):
        if kind != "yaml":
            continue
        key = re.match(r"\w+", fragment).group()
        seen.append(key)
        if key == "shape":
            shape = re.search(r"      shape: .*\n", press).group()
            text = press.replace(shape, f"      {fragment.split('  #')[0].rstrip()}\n", 1)
        else:
            text = with_sections(boom if "slew" in fragment else press, fragment)
            if key in ("variants", "controller", "models"):  # the variant "soft" is of the controller that was there
                text = re.sub(r"\nvariants:\n  soft.*\n", "\n", text).replace(", ghost: soft", "")
        path = tmp_path / f"{len(seen)}.yaml"
        path.write_text(text, encoding="utf-8")
        assert jd.study.check_scenario(path) == [], fragment
    assert seen == ["variants", "limits", "shape", "controller", "models", "motions"]


def test_what_make_installs_is_enough_for_every_command():
    """`jourdain view` takes viser and `jourdain sweep` zarr: every environment that make makes has them."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    installed = re.findall(r"\$\(PIP\) -e '\.\[([\w,$*]+)\]'", text)
    assert len(installed) == 2 == text.count("$(PIP) -e")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for some in installed:
        names = [one for extra in some.split(",") for one in extras.get(extra, [])]
        assert any(one.startswith("viser") for one in names) and any(one.startswith("zarr") for one in names)
    assert 'pip install -e ".[view,sweep]"' in TUTORIAL.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_bare_clone_is_followed_to_the_letter(tmp_path):
    """A clone, `make demo`, and every line of the tutorial in a shell of its own; `view` serves its page."""
    wheel = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(tmp_path / "pip"), "typer"]
    if shutil.which("make") is None or subprocess.run(wheel, capture_output=True).returncode:
        pytest.skip("make or a package index is missing here")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "JOURDAIN_A", "VIRTUAL"))}
    env["BROWSER"] = "true"  # which opens nothing
    env["PATH"] = os.pathsep.join([str(clone / ".venv" / "bin"), env["PATH"]])
    for kind, text in steps(clone / "docs" / "start" / "tutorial.md"):
        if kind == "yaml":
            write(clone, text)
        elif text.startswith("jourdain view"):
            assert "<html" in looked_at(shlex.split(text), clone, env)
        elif not text.startswith("source"):
            words = [*shlex.split(text), f"PYTHON={sys.executable}"] if text.startswith("make") else shlex.split(text)
            done = subprocess.run(words, cwd=clone, env=env, capture_output=True, text=True, timeout=2 * PATIENCE)
            assert done.returncode == 0, (text, done.stdout[-2000:], done.stderr[-2000:])
            assert "warning:" not in done.stderr.replace("DeprecationWarning:", ""), (text, done.stderr)


def looked_at(words: list[str], folder: Path, env: dict[str, str]) -> str:
    """The page that `jourdain view` serves."""
    os.environ["BROWSER"] = env["BROWSER"]
    process = start([shutil.which(words[0], path=env["PATH"]), *words[1:]], folder)
    try:
        end = time.monotonic() + PATIENCE
        told = ""
        while "http://" not in told:
            assert process.poll() is None and time.monotonic() < end, process.communicate()
            told += process.stdout.readline()
        with urllib.request.urlopen(re.search(r"http://\S+", told).group(), timeout=60) as answer:
            return answer.read().decode()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
