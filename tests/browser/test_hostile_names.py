"""Names that are markup, script or links, on every page and panel: they are shown as text, and nothing of them runs."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from installed import needs
from studies import STUDY, write

import jourdain as jd
from jourdain.export import fmu_archive
from jourdain.results.run import Record, Run
from jourdain.study.fit.logs import Log
from jourdain.study.published import SEEDS, Case, CaseOutcome, PublishedNumber
from jourdain.study.report.comparison import write_comparison
from jourdain.study.report.fit_report import write_fit_report
from jourdain.study.report.log_comparison import write_log_comparison
from jourdain.study.report.run_report import write_report
from jourdain.study.reproduction import write_reproduction
from jourdain.study.scenario.limits import Limit, judge

SOURCE = Path(jd.__file__).parent
READY = "document.documentElement.dataset.ready"
PARTS = (
    "<script>alert(1)</script>",
    '<iframe srcdoc="<script>alert(2)</script>"></iframe>',
    "\"'><img src=x onerror=alert(3)>",
    "<svg/onload=alert(4)>",
    "[x](javascript:alert(5))",
    "![x](x onerror=alert(6))",
    "<javascript:alert(7)>",
    "</script></pre></textarea></title><img src=x onerror=alert(8)>",
    "&lt;img src=x onerror=alert(9)&gt;",
    "\n```\n<img src=x onerror=alert(10)>\n",
    "{alert(11)} ${alert(12)} `${alert(13)}`",
    "<a href='javascript:alert(14)' onmouseover=alert(15)>a</a>",
)
EVIL = " ".join(PARTS)
ALIVE = """[...document.querySelectorAll('*')].filter((one) =>
  [...one.attributes].some((a) => a.name.startsWith('on') && a.value.includes('alert')
    || ['href', 'src', 'action'].includes(a.name) && /^\\s*javascript:/i.test(a.value)
    || a.name === 'src' && /^(x$|x onerror)/.test(a.value))
  || one.localName === 'script' && one.textContent.startsWith('alert')
  || one.localName === 'iframe' && (one.srcdoc || '').startsWith('<script>')
).map((one) => one.outerHTML.slice(0, 200))"""
"""Elements that a name has become."""


def named(word: str) -> str:
    """A hostile name that a part of a model may have."""
    return f"{word} {EVIL}"


def quantity(word: str) -> str:
    """One that a quantity may have too, where a colon follows its kind."""
    return f"{word} {' '.join(one for one in PARTS if ':' not in one)}"


@pytest.fixture(scope="module")
def model() -> jd.Model:
    """Two rods joined by a third that is a constraint, and a ball that rests on a floor; every name is hostile."""
    system = jd.System(PARTS[2], gravity=(0, 0, -9.81))
    crank, rocker, ball, tip = named("crank"), named("rocker"), named("ball"), named("tip")
    for name, joint, place in ((crank, quantity("drive"), 0.0), (rocker, quantity("rock"), 1.0)):
        rod = jd.RigidBody(name, mass=1.0, inertia=(1, 1, 1), frames={tip: (0.3, 0, 0)}, shape=jd.Sphere(0.05))
        system.add(rod, joint=jd.Revolute(joint, axis="z"), position=(place, 0, 0))
    body = jd.RigidBody.from_shape(ball, jd.Sphere(0.2), mass=1.0)
    system.add(body, joint=jd.Prismatic(quantity("lift"), axis="z"), position=(0.5, 1.0, 0.19))
    floor = jd.Plane((0, 0, 1), 0.0).at("world")
    system.contact(quantity("touch"), jd.Sphere(0.2).at(f"{ball}.origin"), floor, jd.HertzContact(1e5, restitution=0.5))
    system.connect(jd.constraints.Rod(named("coupler"), length=1.0), f"{crank}.{tip}", f"{rocker}.{tip}")
    return system.compile()


@pytest.fixture(scope="module")
def run(model) -> Run:
    """Samples made up, in which everything moves a little."""
    t = np.linspace(0.0, 1.0, 21)
    q = np.outer(np.sin(t), 0.1 * np.ones(model.nq))
    v = np.outer(np.cos(t), 0.1 * np.ones(model.nv))
    z = np.zeros((21, len(model.names.z)))
    told = {"name": EVIL, "task": EVIL, "text": EVIL, "file": EVIL, "variant": EVIL, "hash": EVIL}
    replay = {"replay": {"camera": next(one for one in model.frame_names if one.startswith("crank"))}}
    options = {"method": EVIL, "command": EVIL, EVIL: EVIL, "scenario": told | replay}
    return Run(model, Record(t, q, v, z, 10.0 * v, np.zeros((21, 6))), options)


def watched(page, texts=(PARTS[0],)) -> None:
    """Nothing of a page is more than text, and the texts are there."""
    page.pump(0.5)
    assert page.dialogs == [], page.dialogs
    assert page.evaluate(ALIVE) == []
    shown = page.evaluate("document.body.textContent")
    for text in texts:
        assert text in shown, f"{text} is not on the page"


def opened(browser, path, ready=READY, **size):
    page = browser.page(**{"width": 500, "height": 420, "scale": 0.5, **size})
    page.open(path)
    page.wait_for(ready, 60)
    return page


def pages(model, run, folder: Path) -> dict[str, Path]:
    """Every page that is a file."""
    judged = judge(run, [Limit(EVIL, quantity("drive"), within=2.0), Limit(EVIL + "2", quantity("lift"), at_most=1e-3)])
    figures = {EVIL: quantity("drive"), EVIL + "2": f"contact:{quantity('touch')}.force"}
    more = {"notes": PARTS, "warnings": PARTS, "judgements": judged, "figures": figures}
    found = {"report": write_report(run, folder / "r.html", ghosts={EVIL: run}, **more)}
    found["comparison"] = write_comparison({EVIL: run, "b": run, PARTS[0]: run}, folder / "c.html")
    time = run.record.time
    log = Log({quantity("drive"): (time, run.q.column(quantity("drive")) + 0.01)}, {quantity("drive"): "rad"}, EVIL)
    found["logs"] = write_log_comparison(run, {EVIL: log}, folder / "l.html", label=EVIL)
    cases = [
        CaseOutcome(Case(Path(f"{EVIL.replace('/', '|')}.py"), "numbers", seed, EVIL, True), [row], EVIL, 1.0)
        for seed in SEEDS
        for row in [
            PublishedNumber(EVIL, EVIL, 1.0, 2.0, "1 %", "theory", EVIL, 2.0),
            PublishedNumber(EVIL, EVIL, 1.0, 2.0, 0.1, "re-run", known=2.0, other=EVIL),
        ]
    ]
    found["reproduce"] = write_reproduction(cases, folder / "n")["html"]
    found["fit"] = write_fit_report(fit(run), folder / "f.html")
    return found


def fit(run: Run) -> SimpleNamespace:
    """What a page of an identification is made of."""
    line = np.sin(run.record.time)
    channel = SimpleNamespace(measured=line, fitted=line, residuals=line, unit=EVIL)
    white = SimpleNamespace(white=False, probability=0.0)
    one = SimpleNamespace(
        record=EVIL, name=EVIL, time=run.record.time, channel=channel, rms=0.1, explained=0.5, whiteness=white
    )
    names = [EVIL, PARTS[0]]
    return SimpleNamespace(
        model=run.model, comparisons=[one], validation=[one], names=names, undetermined={PARTS[0]: EVIL},
        values={EVIL: 1.0}, errors={EVIL: 0.1}, intervals={EVIL: (0.8, 1.2)}, unit=lambda name: EVIL, hints=[EVIL],
        noise={EVIL: 0.1}, unidentifiable=(EVIL,), correlation={(EVIL, PARTS[0]): 0.1}, at_bounds=[EVIL],
        converged=False,
    )  # fmt: skip


def test_pages_that_are_files(plain_chromium, model, run, tmp_path):
    for name, path in pages(model, run, tmp_path).items():
        page = opened(plain_chromium, path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.evaluate("document.querySelectorAll('.chip, .jump').forEach((one) => one.click())")
        watched(page)
        assert page.errors == [] and page.outside == [], name
        assert page.evaluate("document.querySelectorAll('script').length") == 3, name
        page.close()


def test_the_page_of_a_study(plain_chromium, tmp_path):
    needs("zarr", reason="results are kept by zarr")
    quoted = EVIL.replace("'", "''").replace("\n", " ")
    text = STUDY.replace("name: Pendulums", f"name: '{quoted}'").replace("  end:", f"  'c {quoted}':")
    text = text.replace("task: How fast do they get?", f"task: '{quoted}'").replace("  mass:", f"  'p {quoted}':")
    path = write(tmp_path, text)
    jd.sweep(path, out=tmp_path / "out", mode="threads", progress=False)
    from jourdain.study.report.study_report import write_study_report

    study = jd.study.load_study(path)
    data = jd.sweep(path, out=tmp_path / "out", mode="threads", progress=False)
    page = opened(plain_chromium, write_study_report(study, data, tmp_path / "out" / "report.html"))
    watched(page)
    assert page.errors == [] and page.outside == []
    page.close()


def test_what_a_notebook_shows(plain_chromium, model, run, tmp_path):
    system = jd.System(EVIL)
    system.add(jd.RigidBody(named("b"), 1.0, inertia=(1, 1, 1)), jd.Revolute(named("hinge"), axis="z", stiffness=1.0))
    small = system.compile()
    text = STUDY.replace("name: Pendulums", f"name: '{PARTS[0]}'")
    shown = (
        system, small, small.state(), small.frequencies(small.state()), small.linearize(small.state()), model,
        run, run.q, run.v, jd.study.load_study(write(tmp_path, text)),
    )  # fmt: skip
    for i, one in enumerate(shown):
        path = tmp_path / f"{i}.html"
        path.write_text("<!doctype html><meta charset=utf-8><p>" + one._repr_html_(), encoding="utf-8")
        page = opened(plain_chromium, path, "document.readyState === 'complete'")
        watched(page, () if one is run or i in (2, 3) else (PARTS[0],))  # these two are numbers
        page.close()


def test_the_documentation_of_an_fmu(plain_chromium, monkeypatch, tmp_path):
    monkeypatch.setattr(fmu_archive, "readme", lambda sheet, names: EVIL)
    path = tmp_path / "index.html"
    text = fmu_archive._page(SimpleNamespace(sheet=None), SimpleNamespace(indicators=[(EVIL, EVIL, EVIL)]))
    path.write_text(text, encoding="utf-8")
    page = opened(plain_chromium, path, "document.readyState === 'complete'")
    watched(page)
    page.close()


CHOICES = """document.querySelectorAll('input, [role=combobox], button[aria-haspopup]').forEach((one) => {
  if (one.type !== 'range') { one.focus(); one.click(); } })"""
"""Opens every list that one may choose from."""


def seen(page, texts) -> None:
    """A page of the viewer, with every list open."""
    for text in texts:
        page.wait_for(f"document.body.textContent.includes({text!r})", 60)
    page.evaluate(CHOICES)
    page.keys("Escape")
    watched(page, texts)
    own = [one for one in page.requests if not one.startswith(("data:", "blob:"))]
    assert all(re.match(r"(http|ws)://127\.0\.0\.1:\d+", one) for one in own), own
    page.close()


def test_the_page_of_a_pose(chromium, model):
    """Sliders, what touches, loops that stay open: a name was rendered as markup here."""
    needs("viser", reason='pip install "jourdain[view]"')
    poser = model.view(model.assemble(model.state()), open_browser=False, block=False)
    try:
        poser._axes.value = poser._names.value = True
        poser.open = named("a loop")
        poser._moved = True
        poser._wake()
        page = opened(chromium, poser.address, "document.querySelector('canvas') !== null", width=900, height=600)
        seen(page, [f"Touching: touch {PARTS[0]}", f"Loops stay open: a loop {PARTS[0]}", f"drive {PARTS[0]}"])
    finally:
        poser.stop()


@pytest.mark.slow
def test_the_page_of_a_replay(chromium, model, run):
    """Plots, lists of frames and of quantities, labels of frames in the scene."""
    needs("viser", reason='pip install "jourdain[view]"')
    viewer = run.view(open_browser=False, block=False)
    try:
        viewer._axes.value = viewer._names.value = True
        page = opened(chromium, viewer.address, "document.querySelector('canvas') !== null", width=900, height=600)
        page.wait_for("document.querySelector('.u-title') !== null", 60)
        seen(page, [PARTS[0]])
    finally:
        viewer.stop()


@pytest.mark.slow
def test_markdown_of_the_viewer_would_run_it(chromium):
    """The trap works: viser's Markdown renders what these names say, and this test sees it."""
    needs("viser", reason='pip install "jourdain[view]"')
    from jourdain.view.local_server import address_of, local_server, stop

    server = local_server()
    try:
        server.gui.add_markdown(f"Touching: {PARTS[2]}")
        page = chromium.page(600, 400, scale=0.5)
        page.open(address_of(server))
        page.wait_for("document.body.textContent.includes('Touching')", 60)
        page.pump(1.0)
        assert page.dialogs or page.evaluate(ALIVE)
        page.close()
    finally:
        stop(server)


def calls(text: str) -> set[str]:
    """Names of the attributes that a file uses, and of the modules that it imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module)
    return found


def test_text_is_escaped_in_one_place():
    """One file imports the module that escapes, one gives HTML to viser, none gives it Markdown."""
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    using = {name: calls(text) for name, text in texts.items() if re.search(r"\bhtml\b|add_html|add_markdown", text)}
    assert [name for name, used in using.items() if "html" in used] == ["basics/markup.py"]
    assert [name for name, used in using.items() if "add_html" in used] == ["view/local_server.py"]
    assert [name for name, used in using.items() if "add_markdown" in used] == []


def test_scripts_of_pages_set_text_as_text():
    """Ours, not what they are built from: no way from text to markup or to code."""
    scripts = [path for name in ("view/player/src", "train/page/src") for path in (SOURCE / name).glob("*.js")]
    assert len(scripts) > 20
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|setHTML|\beval\(|new Function|javascript:"
    assert [path.name for path in scripts if re.search(ways, path.read_text(encoding="utf-8"))] == []
