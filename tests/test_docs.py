"""The documentation is true: its Python runs, its names exist, its links lead somewhere."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import jourdain as jd
from jourdain.study.demo import demo_run

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^\.\. auto(?:class|function|exception):: (\w+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)\)|<img src=\"([^\"]+)\"")


def snippets(page: Path) -> str:
    """All Python of a page as one program, in which line numbers are the page's own."""
    text = page.read_text(encoding="utf-8")
    program = ""
    for found in SNIPPET.finditer(text):
        program += "\n" * (text.count("\n", 0, found.start(1)) - program.count("\n")) + found.group(1)
    return program


@pytest.fixture
def run_page(tmp_path, monkeypatch):
    """Runs the Python of a page in an empty folder; gives the names that it leaves behind."""
    monkeypatch.chdir(tmp_path)

    def run(page: Path) -> dict:
        # laws are found again by their module: a page is run as if it were this one
        names = {"__name__": __name__}
        exec(compile(snippets(page), str(page), "exec"), names)
        plt.close("all")
        return names

    return run


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=lambda page: page.stem)
def test_python_on_the_page_runs(page, run_page):
    run_page(page)


def test_the_pages_that_a_new_user_reads_have_python():
    assert snippets(ROOT / "README.md") and snippets(ROOT / "docs" / "quickstart.md")


def test_the_readme_is_the_demo(run_page):
    """`make demo` says "this arm": the same motion, the same efforts, from the same model functions."""
    readme, demo = run_page(ROOT / "README.md")["run"], demo_run()
    at = np.searchsorted(readme.record.time, demo.record.time - 1e-9)
    assert readme.record.time[at] == pytest.approx(demo.record.time, abs=1e-9)
    assert np.max(np.abs(readme.record.q[at] - demo.record.q)) < 1e-10
    assert np.max(np.abs(readme.record.effort[at] - demo.record.effort)) < 1e-10


def test_the_quickstart_says_what_happens(run_page):
    names = run_page(ROOT / "docs" / "quickstart.md")
    assert np.max(np.abs(names["residual"])) < 1e-10
    assert names["again"].model.hash == names["model"].hash
    assert names["on"].record.time[0] == 10.0
    assert len(names["many"]) == 4 and names["many"].q["elbow"].dims == ("case", "time")
    assert float(names["run"].q["elbow"][-1]) == pytest.approx(1.57, abs=1e-12)


def test_every_public_name_is_documented_and_every_documented_name_exists():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    documented = NAME.findall(text)
    assert len(documented) == len(set(documented))
    missing = [name for name in documented if name != "Ensemble" and name not in jd.__all__]
    assert not missing
    assert set(jd.__all__) - {"__version__", "kernels"} <= set(documented)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_links_and_pictures_exist(page):
    for pair in LINK.findall(page.read_text(encoding="utf-8")):
        target = pair[0] or pair[1]
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_files_named_in_the_documentation_exist():
    """Paths that the architecture and validation pages name are there; those of the architecture are the package's."""
    for page, homes in (("architecture", ("src/jourdain", "src/jourdain/kernels", "")), ("validation", ("tests", ""))):
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        for name in re.findall(r"`([\w./]+\.(?:py|md))`", text):
            if name not in ("simulate.py", "law.py"):  # named as names not taken
                assert any((ROOT / home / name).is_file() for home in homes), f"{page}: {name}"
        for name in re.findall(r"`(ex\d\d_\w+)`", text):
            assert list((ROOT / "examples").glob(f"*/{name}.py")), f"{page}: {name}"
