"""The documentation is true: its Python runs, its names exist, its links lead somewhere."""

import importlib
import importlib.util
import re
import types
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import jourdain as jd
from jourdain.study.demo import shipped

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FOLDERS = ("start", "build", "simulate", "contact", "control", "orbit", "study", "reference", "decisions", "validation")
PAGES = [
    ROOT / "README.md",
    DOCS / "index.md",
    *(page for one in FOLDERS for page in sorted((DOCS / one).glob("*.md"))),
]
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^\.\. (currentmodule|auto(?:class|function|exception)):: ([\w.]+)$", re.MULTILINE)
RAN: dict[Path, dict] = {}
LINK = re.compile(r"\]\(([^)#\s]+)\)|<img src=\"([^\"]+)\"")


def address(page: Path) -> str:
    """Where a page is, for the names of tests: "contact/points"."""
    return str(page.relative_to(ROOT).with_suffix("")).removeprefix("docs/")


def snippets(page: Path) -> str:
    """All Python of a page as one program, in which line numbers are the page's own."""
    text = page.read_text(encoding="utf-8")
    program = ""
    for found in SNIPPET.finditer(text):
        program += "\n" * (text.count("\n", 0, found.start(1)) - program.count("\n")) + found.group(1)
    return program


@pytest.fixture
def run_page(tmp_path, monkeypatch):
    """Runs the Python of a page in an empty folder, once; gives the names that it leaves behind."""
    monkeypatch.chdir(tmp_path)

    def run(page: Path) -> dict:
        if page not in RAN:
            # laws are found again by their module: a page is run as if it were this one
            names = {"__name__": __name__}
            exec(compile(snippets(page), str(page), "exec"), names)
            plt.close("all")
            RAN[page] = names
        return RAN[page]

    return run


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=address)
def test_python_on_the_page_runs(page, run_page):
    run_page(page)


def test_the_pages_that_a_new_user_reads_have_python():
    assert snippets(ROOT / "README.md") and snippets(DOCS / "start" / "quickstart.md")


def test_the_readme_is_a_shipped_scenario(run_page):
    """The arm in Python and in a file: the same motion, the same efforts, from the same model functions."""
    readme, demo = run_page(ROOT / "README.md")["run"], shipped("floating_arm").simulate(progress=False)
    at = np.searchsorted(readme.record.time, demo.record.time - 1e-9)
    assert readme.record.time[at] == pytest.approx(demo.record.time, abs=1e-9)
    assert np.max(np.abs(readme.record.q[at] - demo.record.q)) < 1e-10
    assert np.max(np.abs(readme.record.effort[at] - demo.record.effort)) < 1e-10


def test_the_quickstart_says_what_happens(run_page):
    names = run_page(DOCS / "start" / "quickstart.md")
    assert np.max(np.abs(names["residual"])) < 1e-10
    assert names["again"].model.hash == names["model"].hash
    assert names["on"].record.time[0] == 10.0
    assert len(names["many"]) == 4 and names["many"].q["elbow"].dims == ("case", "time")
    assert float(names["run"].q["elbow"][-1]) == pytest.approx(1.57, abs=1e-12)


def test_the_contact_page_says_what_happens(run_page):
    names = run_page(DOCS / "contact" / "points.md")
    run, down = names["run"], names["down"]
    assert run.record.time[down] == pytest.approx(np.sqrt(2 * 0.4 / 9.81), abs=1e-9)
    assert names["model"].names.z[:3] == ("bounce.touching", "bounce.impact_speed", "bounce.mark.x")
    assert names["on"].record.time[0] == 0.5
    assert float(names["heat"].max()) > 0.0
    assert names["refusal"].culprit == "feet" and "give step=" in str(names["refusal"])


def test_the_guide_to_flexible_bodies_says_what_happens(run_page):
    names = run_page(DOCS / "build" / "flexible.md")
    assert names["modes"].hz == pytest.approx([0.216, 0.216, 2.66, 2.66, 3.55, 9.16, 9.16], rel=3e-3)
    assert 0.85 < -float(names["bent"].sel(axis="y").min()) < 1.0
    assert names["right_ones"] == pytest.approx([0.21562, 2.6549], rel=5e-5)
    static, eigen = names["errors"]["polynomial"], names["errors"]["clamped-free"]
    assert [one[0] for one in static[:3]] == pytest.approx([0.02, 0.007, 0.0005], rel=0.1)
    assert [one[1] for one in static[1:]] == pytest.approx([26.0, 0.18, 0.10], rel=0.1)
    assert [one[0] for one in eigen] == pytest.approx([1.2, 0.18, 0.06, 0.025], rel=0.1)
    assert [one[1] for one in eigen[1:]] == pytest.approx([3.0, 1.2, 0.63], rel=0.1)
    stiffens, sag = names["stiffens"], names["sag"]
    assert stiffens["exact"][-1] > 1.15 * stiffens["exact"][0] and stiffens["inconsistent"][-1] is None
    assert sag["default"][4] == pytest.approx(0.476, rel=1e-3) and sag["one rod mode"][4] < 0.3 * sag["default"][4]


def test_the_options_of_flexible_bodies_say_what_happens(run_page):
    names = run_page(DOCS / "build" / "flexible_options.md")
    assert names["truss"].check() == [] and names["e"].shape[1] == 10 == len(names["truss"].coordinates)
    assert names["moved"].shape == (len(names["e"]), 28, 3)
    assert float(names["run"].q["shoulder"][-1]) == pytest.approx(0.5, abs=0.05)
    assert np.max(np.abs(names["run"].effort["shoulder.motor"].values)) <= 0.5


def test_the_page_on_linear_models_says_what_happens(run_page):
    names = run_page(DOCS / "simulate" / "linearise.md")
    assert names["linear"].states == ("x:rail", "x:cable", "v:rail", "v:cable")
    assert names["seen"].controllable() and repr(names["seen"].observable()) == "<not observable:\n  0 rad/s: x:rail>"
    assert np.all(names["poles"].real < 0.0) and names["path"].A.shape == (9, 4, 4)
    assert names["trim"].effort == pytest.approx([0.0, 20.0 * 9.81 * 3.0 * np.sin(0.5)])
    assert names["free"].rigid == 1 and names["held"].rigid == 0 and names["worst"] < 1e-8


def test_the_page_on_constraints_says_what_happens(run_page):
    names = run_page(DOCS / "build" / "constraints.md")
    assert names["gap"] < 1e-13 and names["slip"] < 1e-11
    count = names["count"]
    assert (count.degrees, count.velocities, count.rank, count.redundant) == (1, 3, 2, ["pin"])
    assert names["message"].startswith(
        'pin: cannot be closed between "coupler.tip" and "rocker.tip" while "crank", "rocker" is held: 0.1886 m'
    )
    assert float(abs(names["pin"].gap).max()) < 1e-12
    force = np.linalg.norm(names["multipliers"][:3])
    assert float(np.linalg.norm(names["pin"].force[0])) == pytest.approx(force, rel=1e-9) and force > 1.0
    assert names["A"] @ names["acceleration"] + names["c"] == pytest.approx(0.0, abs=1e-10)
    assert names["turned"].q == pytest.approx([0.5, -1.5])
    assert names["foot_speed"] == pytest.approx([0.1 * np.pi, 0.0, 0.0], abs=1e-12)
    coin, rolling = names["coin"], names["rolling"]
    assert rolling.q[coin.index.q["coin.z"]] == pytest.approx(0.05, abs=1e-14)
    assert coin.velocity("coin.origin", rolling)[3:] == pytest.approx([0.2, 0.0, 0.0], abs=1e-13)
    assert coin.mobility(rolling).degrees == 3


def test_the_page_of_controllers_says_what_happens(run_page):
    names = run_page(DOCS / "control" / "laws.md")
    assert names["left"] == pytest.approx([0.0, 0.0], abs=1e-4)
    assert np.max(np.abs(names["off"])) < 0.05
    assert np.all(names["poles"].real < 0.0)


def test_the_page_of_studies_says_what_happens(run_page):
    pytest.importorskip("zarr", reason="results are kept by zarr")
    names = run_page(DOCS / "study" / "studies.md")
    assert names["data"].sizes["variant"] == 12 and names["grid"]["end"].shape == (4, 3)
    assert names["ranked"]["rank"].values.min() >= 1 and names["priorities"].ratio < 0.04
    best = names["found"].sel(variant=names["found"].attrs["best"])
    assert float(best["end"]) == names["found"]["end"].values.min()


def test_commands_in_the_documentation_exist():
    from jourdain.commands.cli import app

    known = {one.name or one.callback.__name__ for one in app.registered_commands}
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for name in re.findall(r"^jourdain (\w+)", block, re.MULTILINE):
                assert name in known, f"{page.name}: jourdain {name}"


def test_the_how_to_page_says_what_happens(run_page):
    names = run_page(DOCS / "start" / "howto.md")
    assert names["hz"][0] == pytest.approx(0.112, abs=2e-3)
    assert names["on"].record.time[0] == 12.0 and names["many"].q["slew"].shape[0] == 3
    assert abs(float(names["held"].q["slew"][-1])) < 0.1
    assert 0.01 < names["largest"] < 1.0


@pytest.mark.parametrize("page", PAGES, ids=address)
def test_a_page_draws_the_figures_that_it_shows(page):
    """docs/figures.py runs the pages; those of the README are the demonstration's and an example's, those of
    the viewer and of the trainer are pictures of the screen, and that of errors against time is measured."""
    text = page.read_text(encoding="utf-8")
    other = {"flagship.png", "two_units.png", "viewer.png", "trainer.png", "precision.png"}
    shown = set(re.findall(r"images/(\w+\.png)", text)) - other
    assert shown == set(re.findall(r'savefig\("(\w+\.png)"', snippets(page)))


def documented() -> list[tuple[str, str]]:
    """(module, name) of every name on the pages of the API, in their order."""
    found, module = [], ""
    for page in sorted((DOCS / "reference").glob("api_*.md")):
        for directive, name in NAME.findall(page.read_text(encoding="utf-8")):
            if directive == "currentmodule":
                module = name
            else:
                found.append((module, name))
    return found


def identity(module: str, name: str) -> tuple[str, str]:
    """What a name stands for, whichever door shows it."""
    value = getattr(importlib.import_module(module), name)
    return value.__module__, value.__name__


def test_every_public_name_is_documented_and_every_documented_name_exists():
    found = [identity(*one) for one in documented()]
    assert len(found) == len(set(found))
    shelves = [name for name in jd.__all__ if isinstance(getattr(jd, name), types.ModuleType)]
    assert set(shelves) >= {"contact", "constraints", "control", "study"}
    public = {("jourdain", name) for name in set(jd.__all__) - set(shelves)}
    public |= {(f"jourdain.{shelf}", name) for shelf in shelves for name in getattr(jd, shelf).__all__}
    assert not {one for one in public if identity(*one) not in found}


def test_every_name_is_documented_at_its_door():
    """At `jourdain` what is in `jd`, at its shelf what is there; the rest are classes that functions return."""
    doors = {"jourdain"} | {f"jourdain.{name}" for name in jd.__all__}
    for module, name in documented():
        if module in doors:
            assert name in importlib.import_module(module).__all__, f"{module}.{name}"
            assert module == "jourdain" or name not in jd.__all__, f"{module}.{name}: it is jd.{name}"


def test_every_page_is_on_its_shelf():
    """Two clicks from the start to any page: the start lists the shelves, a shelf has a sentence about each page."""
    assert sorted(DOCS.glob("*.md")) == [DOCS / "index.md"]
    start = (DOCS / "index.md").read_text(encoding="utf-8")
    for shelf in FOLDERS:
        assert f"\n{shelf}/index\n" in start and f"]({shelf}/index.md)" in start
        index = (DOCS / shelf / "index.md").read_text(encoding="utf-8")
        for page in (DOCS / shelf).glob("*.md"):
            if page.stem != "index":
                assert f"\n{page.stem}\n" in index, f"{address(page)} is not in the table of contents"
                assert re.search(rf"^- \[.*\]\({page.name}\): \S", index, re.MULTILINE), (
                    f"{address(page)} has no sentence"
                )


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=address)
def test_links_and_pictures_exist(page):
    for pair in LINK.findall(page.read_text(encoding="utf-8")):
        target = pair[0] or pair[1]
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_summary_of_validation_counts_the_numbers_of_the_pages():
    """`python docs/validation_table.py` writes it."""
    spec = importlib.util.spec_from_file_location("validation_table", DOCS / "validation_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    without = ("index", "numbers", "nato", "precision", "published", "themes")  # times of a machine are held by no test
    assert sorted(module.PAGES) == sorted(
        page.stem for page in (DOCS / "validation").glob("*.md") if page.stem not in without
    )
    written = (DOCS / "validation" / "index.md").read_text(encoding="utf-8").partition(module.MARK)[2]
    assert written.strip() == module.summary().strip()
    rows = module.data()
    assert len(rows) > 1000
    for row in rows:
        assert len(row) == 8 and row[3] and row[7], row


def test_counts_of_published_numbers_are_those_of_the_cases():
    """`python docs/published_table.py` writes them; each case is held against its counts by tests/test_published.py."""
    spec = importlib.util.spec_from_file_location("published_table", DOCS / "published_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = module.PAGE.read_text(encoding="utf-8").partition(module.MARK)[2].partition(module.END)[0]
    assert page.strip() == module.table().strip()
    assert module.sentence() in " ".join(module.README.read_text(encoding="utf-8").split())
    found = module.sums()
    for kind in module.KINDS:
        parts = [found[seed, kind] for seed in module.SOURCES if (seed, kind) in found]
        assert found["", kind] == [sum(column) for column in zip(*parts, strict=True)]
        assert found["", kind][-1] == 0, "no number fails"


def test_files_named_in_the_documentation_exist():
    """Paths that the architecture and validation pages name are there; those of the architecture are the package's."""
    pages = [("reference/architecture", ("src/jourdain", ""))]
    pages += [(address(page), ("tests", "src/jourdain", "")) for page in sorted((DOCS / "validation").glob("*.md"))]
    for page, homes in pages:
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        for name in re.findall(r"`([\w./]+(?:\.py|\.md|/))`", text):
            assert any((ROOT / home / name).exists() for home in homes), f"{page}: {name}"


def test_examples_named_in_the_documentation_exist():
    """On every page, and in the changelog: examples are named by their file, or by its folder."""
    for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        if "_build" in page.parts:
            continue
        for name in re.findall(r"(?<![\w/.])examples/[\w/]+(?:\.\w+)?", page.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def test_the_table_of_layers_has_every_sub_package():
    """Of the architecture page."""
    text = (DOCS / "reference" / "architecture.md").read_text(encoding="utf-8")
    source = Path(jd.__file__).parent
    layers = re.findall(r"^\| `(\w+)/` \|", text.partition("## Layers")[2].partition("##")[0], re.MULTILINE)
    packages = {path.parent.name for path in source.glob("*/__init__.py")}
    assert sorted(layers) == sorted(packages)


def test_a_card_of_the_gallery_has_a_film_and_a_still():
    """Where motion is not wanted the style sheet shows the still; a second pass over a page changes nothing."""
    spec = importlib.util.spec_from_file_location("gallery_pages", DOCS / "_ext" / "gallery_pages.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    name = "gallery/flexible/images/thumb/sphx_glr_arrow_film.webp"
    still = name.replace("_film.webp", "_thumb.png")
    card = f".. only:: html\n\n  .. image:: /{still}\n    :alt:\n\n  :doc:`x`\n"
    both = pages.with_film(card, name)
    assert re.findall(r":: /\S+_(film|thumb)\.\w+\n    :alt:\n    :class: (\w+)", both) == [
        ("film", "film"),
        ("thumb", "still"),
    ]
    assert pages.with_film(both, name) == both and both.endswith("\n  :doc:`x`\n")
    style = (DOCS / "_static" / "jourdain.css").read_text()
    assert "prefers-reduced-motion: reduce" in style and "img.still" in style
