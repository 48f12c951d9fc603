"""The live viewer in a real browser: its page loads, draws, follows its controls, and asks nothing of the network."""

from __future__ import annotations

import io
import json
import time

import numpy as np
import pytest
from installed import needs

import jourdain as jd
from jourdain.results.run import Record, Run

needs("viser", reason='pip install "jourdain[view]"')
SCALE = 0.5
"""Pixels of a picture to one of the page."""


@pytest.fixture(scope="module")
def run() -> Run:
    """A flexible boom that swings and bends, with a ball at its end that meets a floor: samples made up."""
    system = jd.System("boom <b>{1}</b>", gravity=(0, 0, -9.81))
    boom = jd.Beam("boom", 2.0, 1.0, 1e6, 3e3, 1e3, modes=jd.Modes(bending=1, torsion=0))
    system.add(boom, jd.Revolute("hinge", axis=(0, 1, 0)))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.2), mass=1.0), jd.Weld("grip"), to="boom.tip")
    law = jd.HertzContact(stiffness=1e5, restitution=0.9)
    system.contact("floor", jd.Sphere(0.2).at("ball.origin"), jd.Plane((0, 0, 1), -1.0).at("world"), law)
    model = system.compile()
    t = np.linspace(0.0, 2.0, 81)
    q = np.zeros((81, model.nq))
    q[:, model.index.q["hinge"]] = -0.7 + 1.13 * np.sin(0.25 * np.pi * t) ** 2
    q[:, model.index.q["boom.bending_z[0]"]] = 0.1 * np.sin(6.0 * t)
    zero = np.zeros((81, model.nv))
    z = np.zeros((81, len(model.names.z)))
    return Run(model, Record(t, q, zero, z, zero, np.zeros((81, 6))))


@pytest.fixture(scope="module")
def viewer(run):
    found = run.view(open_browser=False, block=False)
    found.playing = False
    yield found
    found.stop()


@pytest.fixture(scope="module")
def page(viewer, chromium):
    viewer.seek(0.0)
    found = chromium.page(900, 600, scale=SCALE)
    found.open(viewer.address)
    found.wait_for("document.querySelector('canvas') !== null", 60)
    settled(found)
    return found


def picture(page) -> np.ndarray:
    """The left part of the page, free of controls, (height, width, 3)."""
    from PIL import Image

    image = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)
    return image[int(150 * SCALE) :, : int(560 * SCALE)]


def colours(image: np.ndarray) -> int:
    """How many different ones it has."""
    return len(np.unique(image @ (65536, 256, 1)))


def changed(a: np.ndarray, b: np.ndarray, least: int = 24) -> int:
    """How many pixels of the page differ by more than `least` of 255 in a colour, which the eye sees at once."""
    return int(np.count_nonzero(np.abs(a - b).max(axis=2) > least) / SCALE**2)


DRAWN = "new Promise(f => { let n = 3; const one = () => --n ? requestAnimationFrame(one) : f(true); one(); })"
"""True after several pictures have been drawn: where that is done in software, a second may not be enough for one."""


def settled(page, timeout: float = 240.0) -> np.ndarray:
    """The picture when three in a row are equal: the page fades in, and takes up changes one after the other."""
    end = time.monotonic() + timeout
    last, alike = picture(page), 0
    while True:
        page.evaluate(DRAWN, timeout)
        now = picture(page)
        same = changed(now, last, 1) == 0 and colours(now) > 50
        alike = alike + 1 if same else 0
        if alike == 2:
            return now
        last = now
        assert time.monotonic() < end, "the picture does not come to rest"


def becomes(page, other: np.ndarray, *, differing: int, timeout: float = 120.0) -> np.ndarray:
    """The picture once more pixels than `differing` are other than those of another."""
    end = time.monotonic() + timeout
    while True:
        now = picture(page)
        count = changed(other, now)
        if count > differing:
            return now
        assert time.monotonic() < end, f"{count} pixels differ"
        page.pump(0.3)


def there_and_back(page, change, undo, differing: int) -> None:
    """A change is seen, and is gone when it is undone. What came before may still have been on its way to the page when
    the first picture was taken; then once more."""
    for _ in range(3):
        before = settled(page)
        change()
        becomes(page, before, differing=differing)
        undo()
        if changed(before, settled(page)) < 150:
            return
    raise AssertionError("the picture does not come back")


def test_the_page_draws_and_asks_nothing_of_the_network(page, viewer):
    image = settled(page)
    assert colours(image) > 100
    port = viewer.server.get_port()
    own = (f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}")
    asked = [one for one in page.requests if not one.startswith(("data:", "blob:"))]
    assert asked and all(one.startswith(own) for one in asked), asked
    assert page.errors == [] and page.dialogs == []


def slider(page, label: str) -> str:
    """Selects the thumb of the slider beside a label."""
    return page.evaluate(
        f"""(() => {{
            const all = [...document.querySelectorAll('[role=slider]')];
            const near = e => {{ let p = e; for (let i = 0; i < 8 && p; i++, p = p.parentElement)
                if (p.textContent.includes({label!r})) return i; return 99; }};
            all.sort((a, b) => near(a) - near(b))[0].id = 'wanted';
            return '#wanted';
        }})()"""
    )


def test_the_slider_moves_the_scene_and_the_plots(page, viewer):
    settled(page)
    plots = "Object.values(window.__viserTestpoints.uplots).map(u => u.chart.data[0].join())"
    lines = page.evaluate(plots)
    page.evaluate(f"document.querySelector({slider(page, 'time [s]')!r}).focus()")

    def press(key: str, value: str) -> None:
        page.keys(key)
        page.wait_for(f"document.querySelector('#wanted').getAttribute('aria-valuenow') === '{value}'")

    def to_the_end() -> None:
        press("End", "2")
        page.wait_for(f"{plots}.some((one, i) => one !== {json.dumps(lines)}[i])")
        assert viewer.time == pytest.approx(2.0, abs=2e-3)

    there_and_back(page, to_the_end, lambda: press("Home", "0"), 1500)


def test_a_bending_link_is_drawn_bent(page, viewer):
    """The same sample, its deflection magnified."""
    start = settled(page)
    viewer.seek(0.25)
    becomes(page, start, differing=500)
    settled(page)

    def magnify(factor: float) -> None:
        viewer._magnify.value = factor

    there_and_back(page, lambda: magnify(6.0), lambda: magnify(1.0), 700)


def test_forces_frames_and_names_are_shown_on_demand(page, viewer):
    start = settled(page)
    viewer.seek(1.3)
    becomes(page, start, differing=500)
    settled(page)

    def show(on: bool) -> None:
        viewer._axes.value = viewer._names.value = on

    there_and_back(page, lambda: show(True), lambda: show(False), 150)
    free = settled(page)
    arrow = viewer.scene.arrows[0]
    touching = arrow.time[np.argmax(np.linalg.norm(arrow.force, axis=1))]
    viewer.seek(float(touching))
    becomes(page, free, differing=1000)
    pressed = settled(page)
    assert viewer.actors.arrows[0].visible
    viewer._force.value = 0.0
    becomes(page, pressed, differing=100)
    viewer._force.value = 1.0


def test_the_camera_rides_on_a_frame(page, viewer):
    viewer.seek(0.0)
    beside = settled(page)
    viewer._camera.value = "boom.tip"
    becomes(page, beside, differing=8000)
    client = next(iter(viewer.server.get_clients().values()))
    mark = next(one for one in viewer.scene.frames if one.name == "boom.tip")
    assert client.camera.position == pytest.approx(viewer.scene.frame_poses(mark)[0, :3], abs=1e-6)
    viewer._camera.value = "free"


def test_the_space_key_plays(page, viewer):
    viewer.seek(0.0)
    settled(page)
    page.click((300, 400))
    page.keys(" ")
    end = time.monotonic() + 20.0
    while not viewer.playing or viewer.time < 0.1:
        page.pump(0.1)
        assert time.monotonic() < end
    page.keys(" ")
    while viewer.playing:
        page.pump(0.1)
        assert time.monotonic() < end


def test_another_page_cannot_reach_the_viewer(page, viewer, chromium):
    """A page of another origin in the same browser opens a websocket to it, and asks for its page."""
    other = chromium.page(400, 300)
    other.open("data:text/html,<title>other</title>")
    told = other.evaluate(
        f"""new Promise(done => {{
            const socket = new WebSocket('ws://127.0.0.1:{viewer.server.get_port()}', 'viser-v1.1.1');
            socket.onopen = () => done('open');
            socket.onerror = () => done('refused');
            setTimeout(() => done('nothing'), 15000);
        }})"""
    )
    assert told == "refused"
    fetched = other.evaluate(f"fetch('{viewer.address}/').then(() => 'read', () => 'refused')")
    assert fetched == "refused"
    other.close()
