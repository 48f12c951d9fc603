"""The report: one file, nothing from outside, nothing unescaped, the verdict first."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.run import Record, Run
from jourdain.study.report import run_report
from jourdain.study.report.page import json_text, player, policy
from jourdain.study.report.run_report import write_report
from jourdain.study.scenario.limits import Limit, judge

EVIL = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts.append(data)
        elif self._inside != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def data(self) -> dict:
        return json.loads(self.scripts[0])


def read(path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def system(name="arm", body="upper", joint="elbow") -> jd.System:
    made = jd.System(name)
    made.add(jd.RigidBody("base", mass=5.0, inertia=(1, 1, 1), shape=jd.Box((1, 1, 1))), joint=jd.Free("free"))
    made.add(
        jd.RigidBody(body, mass=2.0, inertia=(1, 1, 1), frames={"tip": (1, 0, 0)}), joint=jd.Revolute(joint, axis="z")
    )
    return made


def history(model, nt: int = 41) -> Record:
    time = np.linspace(0.0, 2.0, nt)
    rng = np.random.default_rng(7)
    q = np.zeros((nt, len(model.names.q)))
    q[:, 3], q[:, 0], q[:, 7] = 1.0, 0.1 * time, np.sin(3.0 * time)
    energy = np.abs(rng.normal(size=(nt, 6)))
    energy[:, 4] = np.cumsum(energy[:, 4]) - energy[:1, 4]
    energy[:, 5] = energy[:, :4].sum(1) - energy[:1, :4].sum() + energy[:, 4]
    nv = len(model.names.v)
    return Record(time, q, rng.normal(size=(nt, nv)), np.zeros((nt, 0)), rng.normal(size=(nt, nv)), energy)


@pytest.fixture(scope="module")
def model():
    return system().compile()


@pytest.fixture(scope="module")
def run(model):
    return Run(model, history(model), {"method": "rk4", "step": 2e-4, "seed": 3})


@pytest.fixture(scope="module")
def path(run, tmp_path_factory):
    limits = [Limit("swing", "elbow", within=2.0), Limit("never", "v:elbow", at_least=9.0)]
    target = tmp_path_factory.mktemp("report") / "report.html"
    return write_report(run, target, notes="First look.", judgements=judge(run, limits), warnings=["step too large"])


@pytest.fixture(scope="module")
def page(path):
    return read(path)


def test_the_verdict_comes_first(page, run):
    text = page.text
    assert "1 of 2 limits broken" in text and "Worst:" in text and "at least 9 rad/s" in text
    assert text.index("limits broken") < text.index("First look.") < text.index("energy balance")
    assert "step too large" in text
    worst = float(np.min(run.record.v[:, 6]))
    assert f"{worst:.5g} rad/s" in text
    times = [float(a["data-time"]) for t, a in page.tags if t == "button" and "data-time" in a]
    assert run.record.time[int(np.argmin(run.record.v[:, 6]))] in times


def test_all_limits_kept(run, tmp_path):
    judged = judge(run, [Limit("swing", "elbow", within=2.0)])
    text = read(write_report(run, tmp_path / "r.html", judgements=judged)).text
    assert "The limit is kept" in text and "Pass" in text
    margin = 1.0 - np.max(np.abs(np.sin(3.0 * run.record.time))) / 2.0
    assert f"{100 * margin:.1f} %" in text


def test_key_numbers(page, run):
    for word in ("simulated time", "2 s", "samples", "41", "rk4"):
        assert word in page.text
    speeds = run.record.v[:, [0, 1, 2, 6]]
    peak = speeds.flat[np.argmax(np.abs(speeds))]
    assert f"{peak:.4g} rad/s" in page.text


def test_it_tells_the_system_and_how_to_reproduce(page, run):
    for word in ("upper", "revolute", run.model.hash, "numba", np.__version__, "0.0002", "seed"):
        assert word in page.text
    assert f"{run.record.q[-1, 7]:.9g}" in page.text


def test_it_is_self_contained(page, path):
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"link", "iframe", "object", "embed", "form", "base"}
    assert [a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"] == [policy()]
    assert "default-src 'none'" in policy() and "connect-src 'none'" in policy() and "unsafe" not in policy()
    for name, value in ((n, v) for _, attributes in page.tags for n, v in attributes.items()):
        assert not name.startswith("on") and name != "style"
        if name in ("src", "srcset", "href"):
            assert value.startswith("data:image/")
    text = path.read_text(encoding="utf-8")
    for tag in ("script", "style"):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(inside) == 1
        assert base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode() in policy()


def test_the_player_closes_no_tag():
    script, style = player()
    assert "</script" not in script.lower() and "<!--" not in script and "</style" not in style.lower()


def test_data_is_never_markup():
    text = json_text({"<\u2028&>": EVIL})
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"<\u2028&>": EVIL}
    with pytest.raises(ValueError):
        json_text(float("nan"))


def test_everything_from_outside_is_escaped(tmp_path):
    model = system(name=EVIL, body=f"a{EVIL}", joint=f"b{EVIL}").compile()
    scenario = {"name": EVIL, "task": EVIL, "variant": EVIL, "limits": [], "hash": EVIL, "file": EVIL, "text": EVIL}
    scenario |= {"figures": [{"title": EVIL, "quantities": [f"b{EVIL}"]}], "replay": {"camera": f"a{EVIL}.tip"}}
    run = Run(model, history(model), {"method": EVIL, EVIL: EVIL, "scenario": scenario}, versions={EVIL: EVIL})
    judged = judge(run, [Limit(EVIL, f"b{EVIL}", within=0.5)])
    path = write_report(run, tmp_path / "r.html", notes=[EVIL], ghosts={EVIL: run}, judgements=judged, warnings=[EVIL])
    text = path.read_text(encoding="utf-8")
    assert text.count("<script") == 3 and text.count("&lt;script&gt;") > 20
    assert [tag for tag, _ in Page(text).tags].count("script") == 3
    assert Page(text).data["scenes"][1]["name"] == EVIL


def test_plots_are_data_with_a_drawing_in_their_place(page, run):
    places = [a["id"] for t, a in page.tags if t == "div" and a.get("class") == "chart"]
    plots = page.data["plots"]
    assert [plot["id"] for plot in plots] == places
    labels = {series["label"] for plot in plots for series in plot["series"]}
    assert {"elbow", "free.x", "initial + work", "balance"} <= labels
    assert all(len({series["unit"] for series in plot["series"]}) == 1 for plot in plots)
    for image in (a for t, a in page.tags if t == "img"):
        assert base64.b64decode(image["src"].partition(",")[2])[:4] in (b"<svg", b"\x89PNG")


def test_a_users_own_figures(run, tmp_path):
    figures = {"mine": run.plot("elbow"), "panels": ["elbow", ["v:elbow", "free.x"]], "one": "upper.tip"}
    made = read(write_report(run, tmp_path / "r.html", figures=figures))
    assert [a["alt"] for t, a in made.tags if a.get("class") == "paper"] == ["mine"]
    drawn = [[series["label"] for series in plot["series"]] for plot in made.data["plots"][:-2]]
    assert drawn == [["elbow"], ["elbow"], ["free.x"], ["upper.tip x", "upper.tip y", "upper.tip z"]]


def test_limits_and_ghosts_are_in_the_plots(model, run, tmp_path):
    judged = judge(run, [Limit("swing", "elbow", within=2.0)])
    other = Run(model, history(model, 23))
    made = read(
        write_report(run, tmp_path / "r.html", figures={"e": "elbow"}, ghosts={"other": other}, judgements=judged)
    )
    plot = made.data["plots"][0]
    assert [limit["value"] for limit in plot["limits"]] == [2.0, -2.0]
    assert [(s["label"], s["ghost"]) for s in plot["series"]] == [("elbow", False), ("elbow · other", True)]
    assert [scene["ghost"] for scene in made.data["scenes"]] == [False, True]


def test_a_partial_run_says_so(model, tmp_path):
    record = history(model)
    record.v[-1] = np.nan
    text = read(write_report(Run(model, record, partial=True), tmp_path / "r.html")).text
    assert "did not reach its end" in text and "Stopped" in text


def test_a_system_at_rest(model, tmp_path):
    record = history(model, 1)
    for array in (record.v, record.effort, record.energy):
        array[:] = 0.0
    text = read(write_report(Run(model, record), tmp_path / "r.html")).text
    assert "0.0e+00" in text and "fastest" not in text


def test_the_same_run_gives_the_same_page(run, tmp_path):
    one = write_report(run, tmp_path / "one.html").read_bytes()
    assert write_report(run, tmp_path / "two.html").read_bytes() == one


def test_long_tables_are_folded(page):
    assert [int(n) for n in re.findall(r"(\d+) rows", page.text)] == [15]


def test_a_page_that_would_be_too_large_has_fewer_frames(run, tmp_path, monkeypatch):
    whole = read(write_report(run, tmp_path / "whole.html")).data["scenes"][0]["time"]["n"]
    monkeypatch.setattr(run_report, "LARGEST", 1)
    monkeypatch.setattr(run_report, "_FEWEST", (10, 20))
    least = read(write_report(run, tmp_path / "least.html")).data
    # 30 pictures a second over 2 s, and two moments between them
    assert whole == 63 and least["scenes"][0]["time"]["n"] == 10
