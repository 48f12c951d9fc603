"""Tools of the replay in a real browser: bodies, section, measuring, frames, links, pictures; plots that are saved."""

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

import jourdain as jd
from jourdain.describe.shapes import Looks, Paint
from jourdain.results.run import Record, Run
from jourdain.study.report.run_report import write_report

READY = "document.documentElement.dataset.ready"
COUNT = 30
CATCH = """(() => { window.saved = []; const own = URL.createObjectURL;
  URL.createObjectURL = (blob) => { saved.push(blob); return own.call(URL, blob); };
  HTMLAnchorElement.prototype.click = function () { window.named = this.download; }; })()"""
MIDDLE = """(() => { const { stage } = jourdain; stage.dirty = true; stage.pose(jourdain.clock.time); stage.render();
  const c = document.createElement("canvas"); c.width = 90; c.height = 60;
  const g = c.getContext("2d"); g.drawImage(stage.canvas, 0, 0, 90, 60);
  return [...g.getImageData(0, 0, 90, 60).data]; })()"""


def halves() -> str:
    """A picture, red on the left and blue on the right."""
    out = io.BytesIO()
    Image.fromarray(np.repeat(np.array([[[250, 10, 10], [10, 10, 250]]], np.uint8), 8, axis=1)).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A cube of 1 m with a picture on it, 30 balls and 30 dice in rows behind it, a spring between two balls; the
    cube turns about z by 1 rad."""
    system = jd.System("=cube, and more")
    vertices, faces = jd.Box((1, 1, 1)).to_mesh()
    uv = np.column_stack([vertices[:, 0] + 0.5, vertices[:, 2] + 0.5])
    looks = Looks(vertices, faces, [Paint((1, 1, 1, 1), picture=halves())], None, uv)
    system.add(
        jd.RigidBody("cube", 1.0, inertia=(1, 1, 1), shape=looks, frames={"corner": (0.5, 0.5, 0.5)}), jd.Revolute("j")
    )
    for i in range(COUNT):
        place = 0.25 * (i - COUNT / 2)
        for name, shape, y in (("ball", jd.Sphere(0.1), 1.0), ("die", jd.Box((0.2, 0.2, 0.2)), 1.5)):
            body = jd.RigidBody(f"{name}{i}", 1.0, inertia=(1, 1, 1), shape=shape)
            system.add(body, jd.Prismatic(f"{name} {i}", axis="z"), position=(place, y, 0))
    system.connect(jd.constraints.Spring("coil", stiffness=1.0), "ball0.origin", "ball1.origin")
    model = system.compile()
    time = np.linspace(0.0, 1.0, 11)
    q, v = np.zeros((11, model.nq)), np.zeros((11, model.nv))
    q[:, model.index.q["j"]] = time
    run = Run(model, Record(time, q, v, np.zeros((11, 0)), 10.0 * v, np.zeros((11, 6))), {"method": "none"})
    path = tmp_path_factory.mktemp("tools") / "report.html"
    return write_report(run, path, figures={"Angle": "j"})


@pytest.fixture(scope="module")
def page(chromium, written):
    page = chromium.page(390, 640)  # a telephone
    page.open(written)
    page.wait_for(READY, 120)
    page.evaluate(CATCH)
    page.evaluate("document.querySelector('.tools').open = true")
    page.evaluate("Promise.all(jourdain.stage.actors[0].pictures).then(() => true)")
    return page


@pytest.fixture(autouse=True)
def _quiet(page):
    yield
    page.pump()
    assert page.errors == [] and page.outside == []


def picture(page) -> np.ndarray:
    """The picture (60, 90, 3), on white."""
    found = np.array(page.evaluate(MIDDLE), float).reshape(60, 90, 4)
    clear = found[..., 3:] / 255.0
    return clear * found[..., :3] + (1.0 - clear) * 255.0


def aim(page, eye, to=(0, 0, 0)):
    place = "jourdain.stage.camera.position.clone().fromArray"
    page.evaluate(f"jourdain.stage.aim({place}({json.dumps(eye)}), {place}({json.dumps(to)}))")


def test_it_fits_a_telephone(page):
    wide = "document.querySelector('.time').textContent = '10.00000 / 20.00000 s'; "
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(f"{wide} document.documentElement.scrollWidth <= innerWidth")
    buttons = "[...document.querySelectorAll('.tools button')]"
    assert page.evaluate(f"{buttons}.every((b) => b.offsetWidth > 20 && b.textContent)")


def test_pictures_are_on_surfaces(page):
    """From -y the left half of the cube is red, the right one blue."""
    aim(page, (0, -4, 0))
    shown = picture(page)
    left, right = shown[25:35, 35:42].reshape(-1, 3), shown[25:35, 48:55].reshape(-1, 3)
    assert np.all(left[:, 0] > left[:, 2] + 60) and np.all(right[:, 2] > right[:, 0] + 60)


def test_bodies_are_hidden_and_clear(page):
    aim(page, (0, -4, 0))
    whole = picture(page)
    page.click('[data-body="cube"] [data-state="hidden"]')
    gone = picture(page)
    page.click('[data-body="cube"] [data-state="clear"]')
    clear = picture(page)
    assert (
        page.evaluate("""document.querySelector('[data-body="cube"] [data-state="hidden"]').ariaPressed""") == "false"
    )
    middle = (slice(25, 35), slice(36, 42), 0)
    faint = np.abs(clear[middle] - gone[middle]).mean()
    assert 3 < faint < 0.8 * np.abs(whole[middle] - gone[middle]).mean()
    page.click('[data-body="cube"] [data-state="clear"]')
    assert np.abs(picture(page) - whole).mean() < 0.5


def test_many_alike_are_drawn_as_copies(page):
    piles = "jourdain.stage.actors[0].piles.map((p) => [p.names.length, Boolean(p.places)])"
    assert sorted(page.evaluate(piles)) == [[COUNT, False], [COUNT, True]]
    aim(page, (0, 1.0, 3.0), (0, 1.0, 0))
    page.evaluate("document.querySelector('.tools input[type=search]').value = 'ball15'")
    page.evaluate("document.querySelector('.tools input[type=search]').dispatchEvent(new Event('input'))")
    assert page.evaluate("document.querySelectorAll('.bodies li').length") == 1
    whole = picture(page)
    page.click('[data-body="ball15"] [data-state="hidden"]')
    gone = np.abs(picture(page) - whole).max(axis=2)
    assert gone[28:32, 43:47].max() > 40  # ball 15 is in the middle, from above
    assert gone[:, :30].max() < 12
    page.click('[data-body="ball15"] [data-state="hidden"]')
    page.evaluate("document.querySelector('.tools input[type=search]').value = ''")
    page.evaluate("document.querySelector('.tools input[type=search]').dispatchEvent(new Event('input'))")


def test_balls_that_play_look_as_at_rest(page):
    """Thousands of balls are painted by the script while they play: the same to the eye, only those that are seen, and
    behind what is in front of them."""
    page.evaluate("jourdain.stage.addHeap(true)")
    hurry = "jourdain.stage.heap.piles.forEach((p) => p.hurry(%s)), jourdain.stage.redraw()"
    aim(page, (0, 1.0, 3.0), (0, 1.0, 0))
    still = picture(page)
    page.evaluate(hurry % "true")
    quick = picture(page)
    assert np.abs(quick - still).mean() < 2.0 and np.abs(quick - still).max() > 0.0
    assert 0 < page.evaluate("jourdain.stage.heap.count") < COUNT  # the row is longer than the picture is wide
    aim(page, (-20.0, 1.0, 0), (0, 1.0, 0))  # along the row: the first hides the others
    picture(page)
    assert 1 <= page.evaluate("jourdain.stage.heap.count") <= 3
    aim(page, (0, -4, 0), (0, 1.0, 0))  # the cube is before the row
    hidden = picture(page)
    page.evaluate(hurry % "false")
    assert np.abs(picture(page) - hidden).mean() < 2.0
    page.evaluate(hurry % "true")
    page.evaluate("jourdain.stage.actors[0].look('ball3', 'clear')")
    assert not page.evaluate("jourdain.stage.heap.piles.some((p) => p.quick)")
    page.evaluate("jourdain.stage.actors[0].look('ball3', '')")
    page.evaluate(hurry % "false")


def test_balls_that_play_are_where_their_bones_are(page):
    """While they play, balls have places without frames: the same places, shaken here as they stand still, and few
    other bones than those that others need."""
    page.evaluate("void (jourdain.stage.heap ?? jourdain.stage.addHeap(true))")
    posed = """((quick) => { const { stage } = jourdain, [actor] = stage.actors, { piles } = stage.heap;
      stage.hurried = quick; piles.forEach((p) => p.hurry(quick)); stage.stale = true; stage.pose(0.55);
      return [[...piles[0].places.array], actor.some?.length ?? actor.bones.length]; })(%s)"""
    shake = "jourdain.stage.actors[0].poses.stored.forEach((one, k, all) => (all[k] = one %s 0.1 * Math.sin(k)))"
    page.evaluate(shake % "+")
    (quick, few), (slow, all_) = page.evaluate(posed % "true"), page.evaluate(posed % "false")
    page.evaluate(shake % "-")
    assert np.ptp(np.reshape(slow, (-1, 3))[:, 2]) > 0.05
    assert np.allclose(quick, slow, atol=1e-6) and all_ - COUNT <= few < all_ - COUNT / 2


def test_points_are_measured_and_go_with_their_bodies(page):
    page.evaluate("jourdain.clock.seek(0)")
    aim(page, (0, -4, 0))
    picture(page)
    page.click("#measure")
    x, y, width, height = page.box("#stage canvas")
    page.click((x + width / 2 - 10, y + height / 2))
    page.evaluate("document.querySelector('#stage canvas').focus()")
    page.keys("Enter")  # the middle of the picture
    told = page.evaluate("document.getElementById('told').textContent").splitlines()
    assert told[0].startswith("cube: (-0.") and told[1] == "cube: (0, -0.5, 0) m", told
    first = float(told[0].split("(")[1].split(",")[0])
    assert told[2].startswith("distance") and float(told[2].split()[1]) == pytest.approx(-first, rel=1e-3)
    page.evaluate("jourdain.clock.seek(1), jourdain.stage.pose(1)")
    told = page.evaluate("document.getElementById('told').textContent").splitlines()
    place = [float(one) for one in told[1].split("(")[1].split(")")[0].split(",")]
    assert place == pytest.approx([0.5 * np.sin(1), -0.5 * np.cos(1), 0], abs=1e-4)
    page.click("#measure")


def test_a_frame_is_read_out(page):
    page.evaluate("document.getElementById('frame-choice').value = 'cube.corner'")
    page.evaluate("document.getElementById('frame-choice').dispatchEvent(new Event('change'))")
    page.evaluate("jourdain.clock.seek(1), jourdain.stage.pose(1)")
    told = page.evaluate("document.getElementById('told').textContent").splitlines()[-1]
    place = [float(one) for one in told.split("(")[1].split(")")[0].split(",")]
    c, s = np.cos(1), np.sin(1)
    assert place == pytest.approx([0.5 * (c - s), 0.5 * (c + s), 0.5], abs=1e-4)
    assert float(told.rsplit(",", 1)[1].split(")")[0]) == pytest.approx(np.degrees(1), abs=0.01)


def test_a_section_takes_away_what_is_in_front(page):
    page.evaluate("jourdain.clock.seek(0)")
    aim(page, (0, -4, 0))
    whole = picture(page)
    page.evaluate(
        "document.getElementById('cut').value = 'x', document.getElementById('cut').dispatchEvent(new Event('change'))"
    )
    change = np.abs(picture(page) - whole).max(axis=2)  # what is right of the middle is gone
    assert change[25:35, 48:55].min() > 40 and change[25:35, 36:41].max() < 12
    page.evaluate(
        "document.getElementById('cut').value = '', document.getElementById('cut').dispatchEvent(new Event('change'))"
    )
    assert np.abs(picture(page) - whole).mean() < 0.5


def test_the_address_keeps_the_view(page, chromium, written):
    page.evaluate("jourdain.clock.play(false), jourdain.clock.seek(0.5)")
    aim(page, (1, -3, 2), (0.1, 0.2, 0.3))
    page.click('[data-body="cube"] [data-state="clear"]')
    page.click("#bookmark")
    hash = page.evaluate("location.hash")
    assert "eye=1%2C-3%2C2" in hash and "clear=cube" in hash and "t=0.5" in hash and "frame=cube.corner" in hash
    page.click('[data-body="cube"] [data-state="clear"]')
    aim(page, (0, -4, 0))
    page.evaluate("location.hash = '#'")
    page.evaluate(f"location.hash = {json.dumps(hash)}")
    page.wait_for("jourdain.stage.controls.target.x > 0.09")
    assert page.evaluate("jourdain.stage.camera.position.toArray()") == pytest.approx([1, -3, 2], abs=1e-5)
    assert page.evaluate("""document.querySelector('[data-body="cube"] [data-state="clear"]').ariaPressed""") == "true"
    page.evaluate("location.hash = '#eye=1,2&to=x&cut=%3Cimg%3E&frame=none'")  # nonsense changes nothing
    assert page.evaluate("jourdain.clock.time") == 0.5


def test_links_can_be_hidden(page):
    seen = """(() => { const { stage } = jourdain; stage.pose(jourdain.clock.time); stage.render();
      return stage.actors[0].links.map(([mesh]) => mesh.visible); })()"""
    assert page.evaluate(seen) == [True]
    page.click('[data-show="links"]')
    assert page.evaluate(seen) == [False]
    page.click('[data-show="links"]')
    page.evaluate("jourdain.stage.actors[0].look('coil', 'hidden'); jourdain.stage.stale = true")
    assert page.evaluate(seen) == [False]
    page.evaluate("jourdain.stage.actors[0].look('coil', '')")
    span = page.evaluate("jourdain.stage.actors[0].links[0][0].skeleton.bones.map((b) => b.matrixWorld.elements[12])")
    assert span[1] - span[0] == pytest.approx(0.25, abs=1e-4)


def test_the_picture_is_saved(page):
    page.evaluate("saved.length = 0")
    page.click("#shoot")
    page.wait_for("saved.length === 1")
    raw = page.evaluate(
        "saved[0].arrayBuffer().then((b) => btoa(String.fromCharCode(...new Uint8Array(b).slice(0, 26))))"
    )
    assert base64.b64decode(raw)[:4] == b"\x89PNG" and page.evaluate("named.endsWith('.png')")


def test_plots_are_saved(page):
    page.evaluate("saved.length = 0")
    page.click('.saves [data-save="CSV"]')
    page.wait_for("saved.length === 1")
    rows = page.evaluate("saved[0].text()").split("\r\n")
    assert rows[0] == "time [s],j [rad]" and len(rows) == 13 and page.evaluate("named") == "Angle.csv"
    assert [float(one) for one in rows[6].split(",")] == pytest.approx([0.5, 0.5], abs=1e-6)
    page.click('.saves [data-save="SVG"]')
    page.wait_for("saved.length === 2")
    text = page.evaluate("saved[1].text()")
    parsed = f"new DOMParser().parseFromString({json.dumps(text)}, 'image/svg+xml')"
    assert page.evaluate(f"{parsed}.querySelector('parsererror')") is None
    d = page.evaluate(f"{parsed}.querySelector('path').getAttribute('d')")
    points = np.array([[float(x) for x in one.split()] for one in d[1:].split("L")])
    assert len(points) == 11 and np.ptp(np.diff(points, axis=0), axis=0) == pytest.approx([0, 0], abs=0.03)
    page.click('.saves [data-save="PNG"]')
    page.wait_for("saved.length === 3")
    size = page.evaluate("createImageBitmap(saved[2]).then((one) => [one.width, one.height])")
    assert size[0] > 200 and size[1] > 150
    assert page.evaluate("document.querySelectorAll('.saves').length") == page.evaluate(
        "document.querySelectorAll('.uplot').length"
    )
