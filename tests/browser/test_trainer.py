"""The trainer in a real browser: lessons flown by a pilot made of rules, scored, kept and flown again."""

from __future__ import annotations

import functools
import http.server
import json
import os
import threading
from pathlib import Path

import pytest
from browser.driver import Chromium, Page

import jourdain as jd
from jourdain.train.bundle import write_folder
from jourdain.train.server import Trainer

pytestmark = pytest.mark.slow
READY = "document.documentElement.dataset.ready"
PILOT = (Path(__file__).parent / "scripted_pilot.js").read_text(encoding="utf-8")
FLYING = "trainer.flying && trainer.state && trainer.state.time > 1"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Trainer(tmp_path_factory.mktemp("flights")) as trainer:
        yield trainer


@pytest.fixture(scope="module")
def page(chromium: Chromium, served: Trainer):
    page = chromium.page(1280, 720, paced=False)
    page.open(served.address)
    page.wait_for(READY, 180)
    page.evaluate(PILOT)
    yield page
    page.close()


def flown(page: Page, served: Trainer, lesson: str, timeout: float) -> dict:
    """Fly a lesson to its end; what the server made of it."""
    count = len(served.kept)
    page.evaluate(f"trainer.outcome = null; trainer.keptAs = null; fly({json.dumps(lesson)})")
    page.wait_for(FLYING, 600)  # the first time the model is compiled
    page.wait_for("trainer.outcome && trainer.keptAs", timeout)
    assert page.errors == [] and len(served.kept) == count + 1
    return served.kept[-1]


def agrees(page: Page, kept: dict) -> None:
    """The page and the run that was flown again say the same, to rounding."""
    shown = page.evaluate("trainer.outcome.score")
    assert kept["difference"] < 1e-9
    assert kept["outcome"] == shown["outcome"]
    for name, value in shown["measures"].items():
        assert kept["measures"][name] == pytest.approx(value, rel=1e-6, abs=1e-9), name
    assert kept["total"] == pytest.approx(shown["total"], abs=1e-6)
    run = jd.load(Path(kept["folder"]) / "run.nc")
    assert run.trusted and run.options["score"]["total"] == pytest.approx(kept["total"])
    assert float(run.time[-1]) == pytest.approx(kept["measures"]["time"])
    assert (Path(kept["folder"]) / "report.html").stat().st_size > 100_000


def test_lesson_one_is_flown_to_a_scored_end(page, served, record_property):
    """Model time is wall time to 1 %: what it is late by is told. With nothing else on the machine it is not late, and
    there are thirty pictures a second in software."""
    idle = os.getloadavg()[0] < 0.5 * (os.cpu_count() or 1)
    kept = flown(page, served, "approach", 400)
    agrees(page, kept)
    assert kept["outcome"] == "done" and kept["total"] > 80.0
    told = page.evaluate("flown")
    wall, model = (told["to"] - told["from"]) / 1000.0, told["last"] - told["time"]
    late, rate = told["lateEnd"] - told["late"], (told["drawn"] - told["pictures"]) / wall
    for name, value in {"wall": wall, "model": model, "late": late, "pictures": rate, "idle": idle}.items():
        record_property(name, value)
    assert model + late == pytest.approx(wall, rel=0.01)
    if idle:
        assert late < 0.01 * wall
        assert rate >= 30.0


def test_the_satellite_is_captured(page, served):
    kept = flown(page, served, "capture", 400)
    agrees(page, kept)
    assert kept["outcome"] == "done" and kept["measures"]["collisions"] == 0
    assert 10.0 < kept["measures"]["force"] < 400.0
    run = jd.load(Path(kept["folder"]) / "run.nc")
    assert [event.name for event in run.events] == ["grapple closed"]
    apart = jd.quantity(run, "distance:hand.tip:target.fixture").values
    assert apart[-1] < 0.02 < apart[0]


def test_keys_and_modes_move_what_they_say(page, served):
    """In the modes for joints and for the craft the keys go to other commands; a key that is let go stops."""
    page.evaluate("trainer.outcome = null; trainer.keptAs = null; trainer.start('capture')")
    page.wait_for(FLYING, 200)
    hold = "dispatchEvent(new KeyboardEvent('{}', {{ code: '{}' }}))"
    rows = "Array.from({ length: 60 }, () => trainer.pilot.row(0.02)).at(-1).map((x) => Number(x.toFixed(4)))"
    found = {}
    for mode in ("hand", "joints", "craft"):
        page.evaluate(f"trainer.pilot.choose('{mode}')")
        page.evaluate(hold.format("keydown", "KeyW"))
        found[mode] = {i: x for i, x in enumerate(page.evaluate(rows)) if x}
        page.evaluate(hold.format("keyup", "KeyW"))
        assert not any(page.evaluate(rows))
    assert found == {"hand": {3: 0.12}, "joints": {13: 0.06}, "craft": {9: 100}}
    # a trigger far from the pin closes on nothing, and the flight goes on
    page.evaluate(hold.format("keydown", "Space"))
    page.pump(0.5)
    page.evaluate("trainer.leave()")
    page.wait_for("trainer.outcome && trainer.keptAs", 60)
    assert page.evaluate("trainer.outcome.misses") == 1
    assert served.kept[-1]["outcome"] == "left"


ROWS = "Array.from({ length: 60 }, () => trainer.pilot.row(0.02)).at(-1).map((x) => Number(x.toFixed(4)))"
PAD = """{
const up = { pressed: false, value: 0 };
window.pad = { connected: true, axes: [0, 0, 0, 0], buttons: new Array(17).fill(up) };
navigator.getGamepads = () => [null, window.pad];
window.press = (i, value) => { window.pad.buttons[i] = { pressed: value > 0, value }; };
}"""


def moving(page: Page) -> dict[int, float]:
    """Commands that are not zero once the sticks have come to where they are wanted."""
    return {i: x for i, x in enumerate(page.evaluate(ROWS)) if x}


def test_a_gamepad_and_a_mouse_steer(page, served):
    """Rates of the hand are 0.12 m/s and 0.08 rad/s at the end of a stick; the mouse is one of 160 pixels."""
    page.evaluate("trainer.outcome = null; trainer.keptAs = null; trainer.start('capture')")
    page.wait_for(FLYING, 200)
    page.evaluate("trainer.pilot.choose('hand')")
    page.evaluate(PAD)
    for change, back, expected in (
        ("pad.axes = [0.5, 0, 0, 0]", "pad.axes = [0, 0, 0, 0]", {4: -0.06}),
        ("pad.axes = [0, -1, 0, 0]", "pad.axes = [0, 0, 0, 0]", {5: 0.12}),
        ("pad.axes = [0, 0, 0.5, 0.25]", "pad.axes = [0, 0, 0, 0]", {1: 0.02, 2: -0.04}),
        ("pad.axes = [0.1, -0.1, 0.1, 0.1]", "pad.axes = [0, 0, 0, 0]", {}),  # a stick at rest is never quite at zero
        ("press(7, 0.5)", "press(7, 0)", {3: 0.06}),
        ("press(4, 1)", "press(4, 0)", {0: -0.08}),
    ):
        page.evaluate(change)
        assert moving(page) == expected, change
        page.evaluate(back)
        assert moving(page) == {}, change
    page.evaluate("press(1, 1)")  # the next mode, once for as long as the button is held
    page.evaluate(ROWS)
    assert page.evaluate("trainer.pilot.mode") == "joints"
    page.evaluate("press(1, 0); navigator.getGamepads = () => []; trainer.pilot.choose('hand')")
    page.evaluate("trainer.stage.main === 'hand' || trainer.swap()")
    x, y, width, height = page.box("canvas")
    at = x + 0.5 * width, y + 0.6 * height
    page._mouse("mousePressed", *at, button="left", clickCount=1)
    page._mouse("mouseMoved", at[0] + 80.0, at[1] - 40.0, button="left", buttons=1)
    page.wait_for("trainer.pilot.drag && trainer.pilot.drag.dx === 80", 10)
    assert moving(page) == {1: -0.02, 2: -0.04}
    page._mouse("mouseReleased", at[0] + 80.0, at[1] - 40.0, button="left", clickCount=1)
    page.wait_for("!trainer.pilot.drag", 10)
    assert moving(page) == {}
    turn = "trainer.stage.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))"
    ahead = page.evaluate(f"{turn}; Array.from({{ length: 10 }}, () => trainer.pilot.row(0.02)).at(-1)[3]")
    assert ahead == pytest.approx(0.06, abs=0.02)
    page.evaluate("trainer.leave()")
    page.wait_for("trainer.outcome && trainer.keptAs", 60)
    assert page.errors == []


def test_bad_messages_are_ignored_and_counted(page, served):
    page.evaluate("trainer.outcome = null; trainer.keptAs = null; trainer.start('approach')")
    page.wait_for(FLYING, 200)
    before = page.evaluate("trainer.state.ignored")
    page.evaluate(
        "[null, 1, 'x', {}, { kind: 'constructor' }, { kind: 'nonsense' }, { kind: 'command' },"
        " { kind: 'command', row: [1, 2] }, { kind: 'command', row: new Array(18).fill(NaN) },"
        " { kind: 'command', row: new Array(18).fill('1') }]"
        ".forEach((one) => trainer.worker.postMessage(one))"
    )
    page.wait_for(f"trainer.state.ignored === {before + 10}", 30)
    page.evaluate("trainer.leave()")
    page.wait_for("trainer.outcome && trainer.keptAs", 60)
    assert served.kept[-1]["difference"] < 1e-9


def test_nothing_leaves_the_machine(page, served):
    assert page.outside and all(one.startswith(served.address) for one in page.outside)


def test_a_folder_of_files_is_enough(chromium, tmp_path):
    write_folder(tmp_path / "site")
    handler = functools.partial(_Quiet, directory=str(tmp_path / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.page(1280, 720)
        page.open(f"http://127.0.0.1:{server.server_address[1]}/#approach")
        page.wait_for(READY + " && " + FLYING, 180)
        page.evaluate("trainer.leave()")
        page.wait_for("trainer.outcome", 60)
        assert page.evaluate("trainer.outcome.flight.lesson") == "approach" and page.errors == []
        page.close()
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass
