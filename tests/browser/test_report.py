"""The report in a real browser: it moves, it zooms, it jumps, and nothing leaves the page."""

import json

import numpy as np
import pytest
from browser.shown import check, same, shown, value

import jourdain as jd
from jourdain.results.run import Record, Run
from jourdain.study.report.comparison import write_comparison
from jourdain.study.report.run_report import write_report
from jourdain.study.scenario.limits import Limit, judge
from jourdain.view.scene import scene

READY = "document.documentElement.dataset.ready"
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><svg onload=alert(3)>",
    "\u202eevil",
)
ARRIVED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
PIXELS = """(() => {
  const { stage } = jourdain;
  stage.dirty = true; stage.pose(jourdain.clock.time); stage.render();
  const c = document.createElement("canvas"); c.width = 120; c.height = 80;
  const g = c.getContext("2d"); g.drawImage(stage.canvas, 0, 0, 120, 80);
  return [...g.getImageData(0, 0, 120, 80).data];
})()"""


def arm(name: str = "arm", tip: str = "tip") -> jd.System:
    system = jd.System(name, environment=jd.Orbit(altitude=400e3))
    base = jd.RigidBody("base", mass=50.0, inertia=(9, 9, 9), shape=jd.Box((1, 1, 1)), frames={"port": (0.5, 0, 0)})
    system.add(base, joint=jd.Free("free"))
    link = jd.Beam("link", 3.0, mass_per_length=1.0, EA=1e6, EI=4e3, GJ=1e3, modes=jd.Modes(bending=1))
    system.add(link, joint=jd.Revolute("elbow", axis="z"), to="base.port")
    system.add(
        jd.RigidBody(tip, mass=1.0, inertia=(1, 1, 1), shape=jd.Sphere(0.2)), joint=jd.Weld("grip"), to="link.tip"
    )
    wall = jd.Plane((0, -1, 0), offset=-2.0).at("world")
    system.contact("touch", jd.Sphere(0.2).at(f"{tip}.origin"), wall, normal=jd.contact.LinearContact(stiffness=1e3))
    return system


def swing(model: jd.Model, size: float, **options) -> Run:
    """The arm swings through the wall and back, bending; the record is written down, not simulated."""
    nt = 121
    time = np.linspace(0.0, 4.0, nt)
    q, v = np.zeros((nt, len(model.names.q))), np.zeros((nt, len(model.names.v)))
    q[:, model.index.q["free.qw"]] = 1.0
    q[:, model.index.q["elbow"]] = size * np.sin(np.pi * time / 4.0)
    q[:, model.index.q["link.bending_y[0]"]] = 0.05 * size * np.sin(np.pi * time)
    v[:, model.index.v["elbow"]] = size * np.pi / 4.0 * np.cos(np.pi * time / 4.0)
    z = np.zeros((nt, len(model.names.z)))
    return Run(model, Record(time, q, v, z, 10.0 * v, np.zeros((nt, 6))), {"method": "none", **options})


@pytest.fixture(scope="module")
def model():
    return arm().compile()


@pytest.fixture(scope="module")
def run(model):
    return swing(model, 1.0, scenario={"replay": {"camera": "link.tip"}})


@pytest.fixture(scope="module")
def written(run, model, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    judged = judge(run, [Limit("swing", "elbow", within=2.0), Limit("speed", "v:elbow", at_most=0.1)])
    figures = {"Angle": "elbow", "Effort": "effort:elbow", "Force": "contact:touch.force"}
    return write_report(run, path, figures=figures, ghosts={"less": swing(model, 0.7)}, judgements=judged)


@pytest.fixture(scope="module")
def page(chromium, written):
    page = chromium.page(500, 420, scale=0.5)
    page.open(written)
    page.wait_for(READY)
    return page


@pytest.fixture(autouse=True)
def _quiet(request):
    """Whatever a test does, the page says no errors and asks for nothing."""
    yield
    if "page" in request.fixturenames:
        page = request.getfixturevalue("page")
        page.pump()
        assert page.errors == [] and page.outside == [] and page.dialogs == []


def seek(page, time: float) -> list[int]:
    """Go to a time; the picture there."""
    page.evaluate(f"jourdain.clock.play(false), jourdain.clock.seek({time})")
    return np.array(page.evaluate(PIXELS))


def apart(one, other) -> float:
    """Share of the picture that differs."""
    return float(np.mean(np.abs(one.reshape(-1, 4) - other.reshape(-1, 4)).max(axis=1) > 12))


def test_the_replay_moves(page):
    first, later = seek(page, 0.0), seek(page, 2.0)
    assert len(np.unique(first.reshape(-1, 4) @ (65536, 256, 1, 0))) > 100, "the canvas is blank"
    assert apart(first, later) > 0.01
    assert apart(later, seek(page, 2.0)) < 0.001


def test_it_plays_with_the_space_bar_and_pauses(page):
    seek(page, 0.5)
    page.evaluate("document.activeElement.blur()")
    page.keys(" ")
    page.wait_for("jourdain.clock.playing && jourdain.clock.time > 0.55")
    page.click("#play")
    assert page.evaluate("jourdain.clock.playing") is False
    page.evaluate("document.getElementById('scrub').value = 5000")
    page.evaluate("document.getElementById('scrub').dispatchEvent(new Event('input'))")
    assert page.evaluate("jourdain.clock.time") == pytest.approx(2.0)
    assert page.evaluate("document.getElementById('time').textContent") == "2.000 / 4.000 s"


def test_the_plots_draw_and_their_cursor_follows_the_clock(page):
    assert page.evaluate("document.querySelectorAll('.uplot canvas').length") == 5
    inked = "(() => { const c = document.querySelector('#plot-0 canvas'); const d = c.getContext('2d')"
    inked += ".getImageData(0, 0, c.width, c.height).data; return new Set(new Uint32Array(d.buffer)).size; })()"
    assert page.evaluate(inked) > 20
    place = "new DOMMatrix(document.querySelector('#plot-0 .now').style.transform).e"
    seek(page, 1.0)
    one = page.evaluate(place)
    seek(page, 2.0)
    assert page.evaluate(place) == pytest.approx(2.0 * one, rel=1e-3)
    assert page.evaluate("document.querySelector('#plot-0 .u-legend').textContent").count("1 rad") == 1


def test_labels_of_ticks_are_where_they_say(page):
    """Every tick of every axis is labelled with its own number, whatever its spacing."""
    found = []
    for span in (1.2, 1.6, 1.8, 2.0, 2.2, 2.5, 4.0):
        page.evaluate(f"jourdain.plots.zoom(0.0, {span})")
        page.evaluate(ARRIVED)
        found += page.evaluate("""jourdain.plots.all.flatMap(({ u }) => u.axes.map((axis) => {
          const values = axis._values, splits = axis._splits;
          return splits.map((v, i) => [v, values[i]]).filter(([, text]) => text);
        }))""")
    for axis in found:
        step = axis[1][0] - axis[0][0]
        for place, text in axis:
            assert abs(value(text) - place) <= 2e-3 * step, (place, text)
    assert "0.25 s" in [text for axis in found for _, text in axis]


def test_curves_are_not_pulled_to_pixels(page):
    """uPlot's path of a smooth curve has places between pixels."""
    assert page.evaluate("jourdain.plots.all.every(({ u }) => u.series.slice(1).every((s) => s.pxAlign === 0))")


def test_drag_zooms_all_plots_and_a_double_click_resets(page):
    ranges = "jourdain.plots.all.map(({ u }) => [u.scales.x.min, u.scales.x.max])"
    x, y, width, height = page.box("#plot-0 .u-over")
    page.drag((x + 0.25 * width, y + height / 2), (x + 0.5 * width, y + height / 2))
    page.evaluate(ARRIVED)
    zoomed = np.array(page.evaluate(ranges))
    np.testing.assert_allclose(zoomed, [[1.0, 2.0]] * len(zoomed), atol=0.05)
    assert np.ptp(zoomed, axis=0).max() == 0.0
    page.click("#plot-0 .u-over", count=2)
    page.evaluate(ARRIVED)
    np.testing.assert_allclose(page.evaluate(ranges), [[0.0, 4.0]] * len(zoomed))


def test_clicks_on_peaks_jump_there(page, run):
    peak = float(run.record.time[int(np.argmax(run.q.column("elbow")))])
    seek(page, 0.0)
    x, y, _, _ = page.box("#plot-0 .u-over")
    at = page.evaluate(
        "(({ u, peaks }) => [u.valToPos(peaks[0].time, 'x'), u.valToPos(peaks[0].value, 'y')])(jourdain.plots.all[0])"
    )
    page.click((x + at[0] + 4, y + at[1] + 3))
    assert page.evaluate("jourdain.clock.time") == peak
    page.click(".limits tr:last-child .jump")
    assert page.evaluate("jourdain.clock.time") == 0.0
    page.click(".moments li:last-child .jump")
    last = page.evaluate("Number(document.querySelector('.moments li:last-child .jump').dataset.time)")
    assert page.evaluate("jourdain.clock.time") == last > 0.0


def test_deflections_are_magnified_as_the_scene_says(page, run):
    before = seek(page, 0.5)
    page.evaluate("document.getElementById('magnify').value = 1")
    page.evaluate("document.getElementById('magnify').dispatchEvent(new Event('input'))")
    assert apart(before, seek(page, 0.5)) > 0.003
    shown = np.array(page.evaluate("[...jourdain.stage.actors[0].poses.shown]")).reshape(-1, 7)
    whole = scene(run)
    i = int(np.argmin(np.abs(whole.time - 0.5)))
    assert whole.time[i] == pytest.approx(0.5)
    wanted = whole.magnified(10.0)[i]
    np.testing.assert_allclose(shown[:, :3], wanted[:, :3], atol=2e-3)
    assert np.abs(wanted[:, :3] - whole.bones.poses[i, :, :3]).max() > 0.1
    page.evaluate("document.getElementById('magnify').value = 0")
    page.evaluate("document.getElementById('magnify').dispatchEvent(new Event('input'))")
    assert apart(before, seek(page, 0.5)) < 0.001


@pytest.mark.parametrize("what", ["ghost", "inset", "forces", "frames"])
def test_parts_of_the_picture_toggle(page, what):
    before = seek(page, 2.4)
    page.click(f'[data-show="{what}"]')
    assert apart(before, seek(page, 2.4)) > 0.0005
    page.click(f'[data-show="{what}"]')
    assert apart(before, seek(page, 2.4)) < 0.0005


def test_views_and_dragging_turn_the_camera(page):
    before = seek(page, 1.0)
    page.click('[data-view="Top"]')
    page.pump(0.3)
    top = seek(page, 1.0)
    assert apart(before, top) > 0.02
    x, y, width, height = page.box("#stage")
    page.drag((x + 0.3 * width, y + 0.8 * height), (x + 0.5 * width, y + 0.6 * height))
    assert apart(top, seek(page, 1.0)) > 0.02
    page.click('[data-view="Overview"]')


def test_the_page_is_small_and_paper_gets_a_still(page, written):
    assert written.stat().st_size < 5_000_000
    before = page.evaluate("document.getElementById('still').src.length")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.getElementById('still').src.length") != before
    page.media(printing=True)
    assert page.evaluate("getComputedStyle(document.getElementById('still')).display") == "block"
    page.media()
    assert page.evaluate("getComputedStyle(document.getElementById('still')).display") == "none"


def test_light_and_dark(page):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) != light
    page.click("#theme")
    assert page.evaluate(ground) == light


def test_without_webgl_a_still_picture(plain_chromium, written):
    page = plain_chromium.page(500, 420, scale=0.5)
    page.open(written)
    page.wait_for(READY)
    assert page.evaluate("document.getElementById('no-webgl').hidden") is False
    assert page.evaluate(
        "(({ naturalWidth, offsetWidth }) => naturalWidth * offsetWidth)(document.getElementById('still'))"
    )
    page.click(".limits tr:first-child .jump")
    assert page.evaluate("jourdain.clock.time") == 2.0
    assert page.errors == [] and page.outside == []
    page.close()


def test_without_scripts_there_are_pictures(chromium, written):
    page = chromium.page(500, 420, scale=0.5)
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(written)
    shown = "[...document.images].filter((one) => one.naturalWidth && one.offsetWidth).length"
    assert page.evaluate(shown) == 6
    assert "Scripts are off" in page.evaluate("document.body.innerText") and page.outside == []
    page.close()


def test_the_replay_shows_the_recorded_numbers_of_the_plots(page, run, rng):
    """At any time both show the sample that is nearest: no arrow before the touch, the whole peak at its time."""
    names = {"plot-0": ["elbow"], "plot-1": ["effort:elbow"], "plot-2": ["contact:touch.force"]}
    force = np.linalg.norm(run.contact["touch"].force.values, axis=1)
    first, top = int(np.argmax(force > 0.0)), int(np.argmax(force))
    time = run.record.time
    assert check(page, run, names, [*rng.uniform(0.0, 4.0, 30), time[top]]) > 5
    before, at_touch, at_peak = (
        shown(page, t)["arrows"][0] for t in (time[first] - 0.01 - 1e-3, time[first], time[top])
    )
    assert not before["shown"] or time[first] - time[first - 1] > 0.02
    assert at_touch["value"] == pytest.approx(force[first], rel=1e-6)
    assert same(at_peak["text"], force.max())


def test_hostile_text_stays_text(chromium, plain_chromium, tmp_path):
    evil, image, quotes, turned = HOSTILE
    model = arm(name=evil, tip=f"t{image}").compile()
    about = {
        "name": evil,
        "task": image,
        "text": evil,
        "file": quotes,
        "variant": turned,
        "replay": {"camera": f"t{image}.origin"},
    }
    run = swing(model, 1.0, scenario=about, **{evil: quotes})
    judged = judge(run, [Limit(image, "elbow", within=2.0)])
    figures = {evil: "elbow", image: f"t{image}.origin"}
    more = {"notes": HOSTILE, "warnings": HOSTILE, "judgements": judged, "figures": figures}
    paths = [write_report(run, tmp_path / "r.html", ghosts={evil: run}, **more)]
    paths.append(write_comparison({evil: run, image: run, turned: run}, tmp_path / "c.html"))
    for browser, path in zip((chromium, plain_chromium), paths):
        page = browser.page(500, 420, scale=0.5)
        page.open(path)
        page.wait_for(READY)
        page.evaluate("document.querySelectorAll('.chip, .jump').forEach((one) => one.click())")
        page.pump(0.5)
        assert page.dialogs == [] and page.errors == [] and page.outside == []
        assert page.evaluate("document.querySelectorAll('script').length") == 3
        assert page.evaluate("[...document.images].every((one) => one.src.startsWith('data:image/'))")
        assert json.dumps(evil)[1:-1] in json.dumps(page.evaluate("document.body.innerText"))
        page.close()


def test_the_policy_stops_what_would_slip_through(plain_chromium, written):
    page = plain_chromium.page(500, 420, scale=0.5)
    page.open(written)
    page.wait_for(READY)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    page.evaluate("fetch('http://127.0.0.1:9/x').then(() => 'sent', () => 'refused')")
    page.pump(0.3)
    assert page.dialogs == [] and any("Content Security Policy" in one for one in page.errors)
    page.close()
