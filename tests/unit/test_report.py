"""The report: one file, nothing from outside, nothing unescaped."""

import base64
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from jourdain.run import Run
from jourdain.study.report import POLICY, write_report

EVIL = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)


@pytest.fixture(scope="module")
def run(make_model, make_record):
    return Run(make_model(), make_record(), {"method": "rk4", "step": 2e-4})


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    path = write_report(run, tmp_path_factory.mktemp("report") / "report.html", notes="First look.")
    return Page(path.read_text(encoding="utf-8"))


def test_key_numbers_come_first(page, run):
    text = page.text
    for word in ("simulated time", "1 s", "samples", "11", "energy balance", "rk4", "First look."):
        assert word in text
    assert text.index("energy balance") < text.index("Figures")
    speeds = run.record.v[:, [0, 1, 2, 6]]
    peak = speeds.flat[np.argmax(np.abs(speeds))]
    assert f"{peak:.4g} rad/s" in text


def test_it_tells_the_system_and_how_to_reproduce(page, run):
    for word in ("upper", "revolute", "base.origin", run.model.hash, "numba", np.__version__, "0.0002"):
        assert word in page.text
    assert f"{run.record.q[-1, 7]:.9g}" in page.text


def test_it_is_self_contained(page):
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "link", "iframe", "object", "embed", "form", "base"}
    policy = [a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == [POLICY] == ["default-src 'none'; img-src data:; style-src 'unsafe-inline'"]
    for _, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("src", "srcset", "href"):
                assert value.startswith("data:image/")


def test_figures_are_drawn_for_light_and_dark(page):
    images = [a for t, a in page.tags if t == "img"]
    sources = [a for t, a in page.tags if t == "source"]
    assert len(images) == len(sources) == 2
    for image in images:
        assert base64.b64decode(image["src"].partition(",")[2]).startswith(b"<?xml")
    assert all("dark" in source["media"] for source in sources)


def test_everything_from_outside_is_escaped(make_model, make_record, tmp_path):
    model = make_model(name=EVIL, joint=f"a{EVIL}")
    model.hash = EVIL
    model.description["bodies"][0]["body"]["name"] = EVIL
    model.description[EVIL] = [EVIL]
    model.description["forces"] = [{"name": EVIL}]
    options = {"method": EVIL, EVIL: EVIL}
    run = Run(model, make_record(), options, versions={EVIL: EVIL})
    path = write_report(run, tmp_path / "r.html", title=EVIL, figures={f'"{EVIL}': [f"a{EVIL}"]}, notes=[EVIL])
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text and text.count("&lt;script&gt;") > 10
    tags = Page(text).tags
    assert "script" not in {tag for tag, _ in tags}
    assert [a["alt"] for t, a in tags if t == "img"][0] == f'"{EVIL}'


def test_a_users_own_figure(fake_run, tmp_path):
    figures = {"mine": fake_run.plot("elbow"), "panels": ["elbow", ["v:elbow", "v:slide"]], "one": "fore.tip"}
    text = write_report(fake_run, tmp_path / "r.html", figures=figures).read_text(encoding="utf-8")
    assert len([t for t, _ in Page(text).tags if t == "img"]) == 4


def test_a_partial_run_says_so(fake_model, make_record, tmp_path):
    record = make_record()
    record.v[-1] = np.nan
    run = Run(fake_model, record, partial=True)
    text = write_report(run, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "did not reach its end" in text


def test_a_system_at_rest(fake_model, make_record, tmp_path):
    record = make_record(1, nz=0)
    for array in (record.v, record.effort, record.energy):
        array[:] = 0.0
    text = write_report(Run(fake_model, record), tmp_path / "r.html").read_text(encoding="utf-8")
    assert "0.0e+00" in text and "fastest" not in text


def test_the_same_run_gives_the_same_page(fake_run, tmp_path):
    one = write_report(fake_run, tmp_path / "one.html", figures={}).read_bytes()
    two = write_report(fake_run, tmp_path / "two.html", figures={}).read_bytes()
    assert one == two


def test_long_tables_are_folded(page):
    rows = [int(n) for n in re.findall(r"(\d+) rows", page.text)]
    assert rows == [18]
