"""Solids in a real browser: report and viewer colour them by a field, with a scale and arrows of their surface."""

import io

import numpy as np
import pytest
from pressed_pad import HEIGHT, E, press, pressed

from jourdain.study.report.run_report import write_report

READY = "document.documentElement.dataset.ready"
SHARES = """(() => {
  const { stage, clock } = jourdain;
  clock.play(false); clock.seek(%r); stage.stale = true; stage.pose(clock.time);
  return stage.actors[0].coloured.map((one) => [...one.uv.array].filter((_, i) => i %% 2 === 0));
})()"""
DARTS = """(() => {
  const { stage, clock } = jourdain;
  clock.play(false); clock.seek(%r); stage.stale = true; stage.pose(clock.time);
  const [item] = stage.arrows[0].items;
  return [item.darts.meshes.filter((one) => one.visible).length, item.label.textContent];
})()"""
CHOOSE = """(() => {
  const choice = document.querySelector("#field");
  choice.value = %r; choice.dispatchEvent(new Event("change"));
  return [document.querySelector(".scale .title")?.textContent, document.querySelector(".scale").hidden,
    [...document.querySelectorAll(".scale .marks span")].map((one) => one.textContent)];
})()"""


@pytest.fixture(scope="module")
def run():
    return pressed(press())


def test_the_report_colours_a_solid_and_says_what_colours_mean(chromium, run, tmp_path):
    page = chromium.page(700, 560, scale=0.5)
    page.open(write_report(run, tmp_path / "report.html"))
    page.wait_for(READY, 60)
    stress = E * 1e-3 / HEIGHT
    title, hidden, marks = page.evaluate(CHOOSE % "0")
    assert title == "von Mises stress [kPa]" and not hidden
    assert [float(one) for one in marks] == pytest.approx([1e-3 * stress * s for s in (1.0, 0.75, 0.5, 0.25, 0.0)])
    # a share s is the middle of pixel 255 s of 256
    for time, share in ((0.5, 1.0), (0.0, 0.0)):
        (found,) = page.evaluate(SHARES % time)
        assert np.array(found) == pytest.approx((255.0 * share + 0.5) / 256.0, abs=1.0 / 256.0)
    assert page.evaluate(CHOOSE % "1")[0] == "displacement [mm]"
    (found,) = page.evaluate(SHARES % 0.5)
    assert min(found) < 1.0 / 256.0 and max(found) == pytest.approx(255.5 / 256.0)
    assert page.evaluate(CHOOSE % "-1")[1]
    count, label = page.evaluate(DARTS % 0.5)
    assert count == 9 and label == "1000 N" and page.evaluate(DARTS % 0.0)[0] == 0
    assert page.errors == [] and page.outside == []


@pytest.mark.slow
def test_the_viewer_colours_a_solid(chromium, run):
    from PIL import Image

    viewer = run.view(open_browser=False, block=False)
    try:
        viewer.playing = False
        viewer.seek(0.5)
        page = chromium.page(900, 600, scale=0.5)
        page.open(viewer.address)
        page.wait_for("document.querySelector('canvas') !== null", 60)

        def yellowish() -> float:
            """Share of the pixels of the scene in the colour of the highest values."""
            image = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)[75:, :280]
            return float(np.mean((image[..., 1] > image[..., 2] + 60) & (image[..., 0] > image[..., 2] + 40)))

        page.wait_for("document.body.textContent.includes('von Mises stress [kPa], range of the run')", 60)
        found = [yellowish() for _ in range(6)]
        assert max(found) > 0.02, found
        assert viewer.actors.painted and not viewer.actors.surfaces[1][1].handle.visible
        viewer._field.value = "none"
        viewer._wake()
        page.wait_for("!document.body.textContent.includes('range of the run')", 60)
        assert page.errors == []
    finally:
        viewer.stop()
