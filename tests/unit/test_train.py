"""The trainer without a browser: lessons, the referee, flights that come from outside, the server's door."""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import struct
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.train import bundle, plant, server
from jourdain.train.lesson import lesson, lessons
from jourdain.train.referee import Samples, collisions, grapple_force, relation, score, scored, within
from jourdain.train.server import CONNECTIONS, FLIGHTS, Trainer
from jourdain.train.session import FORMAT, LIMITS, FlightError, fly_again, keep, read_flight

WIDTH = len(LIMITS)
STILL = [0.0] * WIDTH


def told(key: str = "approach", rows=None, end: float = 1.0, **more) -> dict:
    rows = [[round(end / plant.PERIOD), *STILL]] if rows is None else rows
    return {"format": FORMAT, "version": 1, "lesson": key, "rows": rows, "connected": [], "end": end, **more}


def flight(*arguments, **more):
    return read_flight(json.dumps(told(*arguments, **more)))


# lessons


def test_there_are_four_lessons_each_worth_a_hundred_points():
    assert list(lessons()) == ["approach", "track", "capture", "berth"]
    for one in lessons().values():
        assert one.done + sum(marks.points for marks in one.marks.values()) == 100.0
        assert all(marks.bad > marks.good for marks in one.marks.values())


@pytest.mark.parametrize("key", ["approach", "track", "capture", "berth"])
def test_a_lesson_compiles_and_begins_outside_of_its_goal(key):
    one = lesson(key)
    model, state = one.model(), one.state()
    first, second = plant.GRAPPLES[one.goal.pair]
    place = [model.frame_path(address, state.q[None], state.v[None]) for address in (first, second)]
    distance, *_ = relation(*place)
    assert distance[0] > one.goal.distance[1]
    if "lock" in one.closed:  # what is held is held without a force
        held = [model.frame_path(address, state.q[None], state.v[None]) for address in plant.GRAPPLES["lock"]]
        assert grapple_force("lock", *held)[0] < 1e-9


def test_an_unknown_lesson_is_named():
    with pytest.raises(jd.JourdainError, match="berth"):
        lesson("birth")


# the referee


def samples(n: int = 501, **given) -> Samples:
    time = plant.PERIOD * np.arange(n)
    values = {"distance": 1.0, "aside": 0.0, "angle": 2.0, "speed": 0.0, "force": 0.0, "touching": 0.0, "thrust": 0.0}
    return Samples(
        time, **{name: np.broadcast_to(given.get(name, x), (n,)).astype(float) for name, x in values.items()}
    )


def test_holding_counts_at_once_or_in_all():
    once, sum_of = lesson("approach"), lesson("track")
    apart = np.ones(501)
    apart[100:110] = 5.0  # 2 s within, then away, then 7.8 s within
    assert score(once, samples(distance=apart), None).outcome == "done"
    assert (
        score(once, replace(samples(distance=apart), time=plant.PERIOD * np.arange(501)), None).measures["time"] == 10.0
    )
    broken = np.where(np.arange(501) % 150 == 149, 5.0, 1.0)  # never longer than 3 s
    assert score(once, samples(distance=broken), None).outcome == "left"
    assert (
        score(sum_of, samples(1101, distance=np.where(np.arange(1101) % 150 == 149, 5.0, 1.0)), None).outcome == "done"
    )


def test_every_condition_of_a_goal_counts():
    one = lesson("approach")
    assert within(one, samples(1))[0]
    for name, value in {"distance": 2.0, "aside": 0.4, "angle": 9.0, "speed": 0.05}.items():
        assert not within(one, samples(1, **{name: value}))[0]
    assert not within(one, samples(1, distance=0.5))[0]


def test_a_grapple_that_closes_on_nothing_does_not_count():
    one = lesson("capture")
    near = samples(301, distance=0.05)
    assert score(one, near, 2.0).outcome == "done"
    assert score(one, samples(301, distance=0.3), 2.0).outcome == "left"
    assert score(one, near, None).outcome == "left"
    assert score(one, near, 4.0).outcome == "left"  # it did not hold for three seconds


def test_points_fall_from_good_to_bad():
    one = lesson("capture")
    best = scored(one, "done", {"time": 10, "force": 0, "angle": 0, "fuel": 0, "collisions": 0})
    assert best.total == pytest.approx(100.0)
    middle = scored(one, "done", {"time": 110, "force": 330, "angle": 4.5, "fuel": 0.5, "collisions": 1})
    assert middle.total == pytest.approx(40.0 + 30.0)
    worst = scored(one, "done", {"time": 999, "force": 1e9, "angle": 99, "fuel": 9, "collisions": 9})
    assert worst.total == pytest.approx(40.0)
    assert scored(one, "time", {"time": 10, "force": 0, "angle": 0, "fuel": 0, "collisions": 0}).total == 17.5


def test_touches_within_half_a_second_are_one_collision():
    touching = np.zeros(501)
    touching[[100, 110, 120, 200, 400]] = 5.0
    assert collisions(samples(touching=touching)) == 3
    assert collisions(samples(touching=0.5)) == 0


def test_two_frames_seen_from_each_other():
    half = np.radians(15.0)
    first = np.array([[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0.1, 0, 0]], float)
    second = np.array([[3.0, 4.0, 0, np.cos(half), 0, 0, np.sin(half), 0, 0, 0, 0.1, 0.2, 0]])
    distance, aside, angle, speed = (one[0] for one in relation(first, second))
    along = 3.0 * np.cos(2 * half) + 4.0 * np.sin(2 * half)
    assert (distance, angle, speed) == pytest.approx((5.0, 30.0, 0.2))
    assert aside == pytest.approx(np.sqrt(25.0 - along**2))


# flights


def test_a_flight_is_flown_again_with_its_grapple():
    one = flight("capture", end=1.6, connected=[["grapple", 1.0]], score=12.0, final=[0.0] * 24)
    run, found, away = fly_again(one)
    assert [event.name for event in run.events] == ["grapple closed"]
    assert found.outcome == "left" and found.measures["time"] == pytest.approx(1.6)
    assert away > 0.0 and run.options["score"]["total"] == found.total
    # the force of the grapple is what it adds to the satellite's acceleration, times its mass
    model, closed = plant.model(()), plant.model(("grapple",))
    state = model.state(q=run.record.q[-1], v=run.record.v[-1])
    rows = slice(model.index.v["target.vx"], model.index.v["target.vz"] + 1)
    added = closed.forward_dynamics(closed.state(q=state.q, v=state.v)) - model.forward_dynamics(state)
    motion = [model.frame_path(address, state.q[None], state.v[None]) for address in plant.GRAPPLES["grapple"]]
    assert 700.0 * np.linalg.norm(added[rows]) == pytest.approx(grapple_force("grapple", *motion)[0], rel=1e-9)


def test_fuel_and_commands_are_those_that_were_given():
    push = [*STILL[:9], 100.0, *STILL[10:]]
    run, found, _ = fly_again(flight(rows=[[10, *STILL], [40, *push]], end=1.0))
    assert found.measures["fuel"] == pytest.approx(100.0 * 0.8 / (220.0 * 9.80665))
    mass = 1600.0 + 25.0 + 2 * 27.0 + 12.0 + 12.0 + 22.0
    gained = np.linalg.norm(run.frame("craft.origin").velocity.values[-1])
    assert gained == pytest.approx(80.0 / mass, rel=0.05)  # the arm follows by its servos


def test_a_kept_flight_is_a_run_that_can_be_loaded(tmp_path):
    text = json.dumps(told(end=0.4))
    answer = keep(read_flight(text), text, tmp_path / "one")
    run = jd.load(tmp_path / "one" / "run.nc")
    assert run.options["score"]["outcome"] == answer["outcome"] == "left"
    assert "Score" in run.options["scenario"]["task"]
    page = (tmp_path / "one" / "report.html").read_text()
    assert "Trainer: Approach" in page
    assert json.loads((tmp_path / "one" / "score.json").read_text())["summary"] == answer["summary"]


BAD = {
    "no JSON": "{",
    "another thing": json.dumps([1, 2]),
    "another format": json.dumps(told() | {"format": "x"}),
    "another version": json.dumps(told() | {"version": 2}),
    "no lesson": json.dumps(told() | {"lesson": "../../etc"}),
    "no rows": json.dumps(told() | {"rows": []}),
    "a short row": json.dumps(told(rows=[[50, *STILL[1:]]])),
    "half a count": json.dumps(told(rows=[[0.5, *STILL]])),
    "too many rows": json.dumps(told(rows=[[10**9, *STILL]])),
    "not a number": json.dumps(told(rows=[[50, float("nan"), *STILL[1:]]])),
    "a text": json.dumps(told(rows=[[50, "1", *STILL[1:]]])),
    "beyond the sticks": json.dumps(told(rows=[[50, 9.0, *STILL[1:]]])),
    "an end beyond the rows": json.dumps(told() | {"end": 1.5}),
    "an end between rows": json.dumps(told() | {"end": 0.41}),
    "a truth": json.dumps(told() | {"end": True}),
    "no grapple": json.dumps(told(connected=[["rope", 0.5]])),
    "twice": json.dumps(told(connected=[["grapple", 0.4], ["grapple", 0.5]])),
    "later than its end": json.dumps(told(connected=[["grapple", 7.0]])),
    "closed already": json.dumps(told("berth", connected=[["lock", 0.5]])),
    "a long end": json.dumps(told(final=[0.0] * 3)),
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("what", list(BAD))
def test_a_bad_flight_is_refused_in_words(what):
    with pytest.raises(FlightError) as error:
        read_flight(BAD[what])
    assert len(str(error.value)) < 300


# the page and its server


def test_the_scripts_are_those_that_were_built():
    for line in (bundle.PAGE / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((bundle.PAGE / name).read_bytes()).hexdigest() == digest


def test_every_bone_of_the_page_follows_a_body_or_stays_with_the_world():
    """The grapples are drawn as links in replays; this page has hands of its own for them."""
    told = bundle.data()
    live, bodies = told["scene"]["live"], lesson("approach").model().bodies
    assert {one["body"] for one in live} == {-1, *range(len(bodies))}


def test_the_page_loads_nothing_from_elsewhere():
    text = bundle.page("token").decode()
    assert 'content="token"' in text and "default-src 'none'" in text
    assert "http" not in text.replace("http-equiv", "")
    assert (
        "@import" not in (bundle.PAGE / "trainer.css").read_text()
        and "url(" not in (bundle.PAGE / "trainer.css").read_text()
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Trainer(tmp_path_factory.mktemp("flights")) as trainer:
        yield trainer


def ask(trainer: Trainer, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", trainer.port, timeout=30)
    line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    content = answer.read()
    line.close()
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    return answer.status, content


def test_the_server_gives_out_the_page_and_nothing_else(served):
    assert served.address.startswith("http://127.0.0.1:")
    status, text = ask(served, "GET", "/")
    assert status == 200 and served.token.encode() in text
    assert ask(served, "GET", "/trainer.js")[0] == 200
    for path in ("/../server.py", "/src/main.js", "/%2e%2e/server.py", "/flight"):
        assert ask(served, "GET", path)[0] == 404


def test_strangers_are_turned_away_and_counted(served):
    own, before = f"http://127.0.0.1:{served.port}", served.refused
    good = {"Origin": own, "X_Jourdain_Token": served.token}
    tries = [
        (("GET", "/"), {"Host": "evil.example"}),
        (("GET", "/"), {"Origin": "http://evil.example"}),
        (("POST", "/flight", "{}"), {"X_Jourdain_Token": served.token}),
        (("POST", "/flight", "{}"), good | {"Origin": "http://evil.example"}),
        (("POST", "/flight", "{}"), good | {"X_Jourdain_Token": "guess"}),
        (("POST", "/other", "{}"), good),
        (("POST", "/flight", ""), good),
    ]
    codes = [ask(served, *asked, **headers)[0] for asked, headers in tries]
    assert codes == [403, 403, 403, 403, 403, 403, 413]
    for text in BAD.values():
        status, content = ask(served, "POST", "/flight", text, **good)
        assert status == 400 and "error" in json.loads(content)
    assert served.refused == before + len(tries) + len(BAD)
    assert served.kept == [] and not list(Path(served.folder).iterdir())


def test_a_flight_of_the_page_is_kept(served):
    headers = {"Origin": f"http://127.0.0.1:{served.port}", "X_Jourdain_Token": served.token}
    status, content = ask(served, "POST", "/flight", json.dumps(told(end=0.4)), **headers)
    assert status == 200, content
    folder = Path(json.loads(content)["folder"])
    assert folder.parent == Path(served.folder) and (folder / "run.nc").exists()


def raw(trainer: Trainer, text: bytes, patience: float = 20.0) -> bytes:
    """What comes back for bytes of a connection."""
    with socket.create_connection(("127.0.0.1", trainer.port), timeout=patience) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        out = b""
        while more := line.recv(65536):
            out += more
        return out


def head(trainer: Trainer, **headers: str) -> bytes:
    own = {"Host": f"127.0.0.1:{trainer.port}", "Origin": f"http://127.0.0.1:{trainer.port}"}
    own["X-Jourdain-Token"] = trainer.token
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (own | headers).items()]
    return ("POST /flight HTTP/1.0\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode()


def test_lengths_that_are_no_lengths(served, capfd):
    for length in ("9" * 5000, "-1", "1e3", "٣", "0", "", "8000001", "+5", "0x10"):
        answer = raw(served, head(served, Content_Length=length) + b"{}")
        assert answer.startswith(b"HTTP/1.0 413") or answer.startswith(b"HTTP/1.0 4"), (length, answer[:100])
    assert capfd.readouterr().err == ""


def test_numbers_that_are_no_numbers(served, capfd):
    whole = told(end=0.4)
    bad = [
        whole | {"end": 10**400},
        whole | {"rows": [[10**400, *STILL]]},
        whole | {"rows": [[20, *STILL[1:], 10**400]]},
        whole | {"score": 10**400},
        whole | {"final": [10**400]},
        whole | {"version": 10**4000},
        whole | {"connected": [[[], 0.1]]},
        whole | {"connected": [[{}, 0.1]]},
        whole | {"connected": [["hand", 10**400]]},
        whole | {"lesson": ["approach"]},
    ]
    for one in bad:
        text = json.dumps(one).encode()
        answer = raw(served, head(served, Content_Length=str(len(text))) + text)
        assert answer.startswith(b"HTTP/1.0 400"), (one, answer[:300])
        assert len(answer) < 2000
    text = json.dumps(whole).encode().replace(b"0.4", b"4" * 5000)
    assert raw(served, head(served, Content_Length=str(len(text))) + text).startswith(b"HTTP/1.0 400")
    assert capfd.readouterr().err == ""


def test_a_page_that_is_closed_while_it_loads(served, capfd):
    """The other side is gone before the answer is written; a connection says nothing, or half of a request."""
    for text in (b"GET /trainer.js HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n" % served.port, b"", b"GET /tra"):
        for _ in range(5):
            line = socket.create_connection(("127.0.0.1", served.port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed by a reset
            line.sendall(text)
            line.close()
    assert ask(served, "GET", "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_what_is_no_page_that_was_closed_is_a_line(served, capfd, monkeypatch):
    monkeypatch.setattr(served, "file", lambda name: 1 // 0)
    assert raw(served, b"GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n" % served.port) == b""
    assert capfd.readouterr().err == (
        "jourdain: the trainer's server: ZeroDivisionError: integer division or modulo by zero\n"
    )


def test_connections_are_bounded(tmp_path):
    """A thousand that say nothing: no more than so many threads, and who asks is answered."""
    with Trainer(tmp_path) as trainer:
        before, lines = threading.active_count(), []
        try:
            for _ in range(300):
                lines.append(socket.create_connection(("127.0.0.1", trainer.port), timeout=20.0))
            assert ask(trainer, "GET", "/")[0] == 200
            ended = time.monotonic() + 5.0  # a thread that has made room is counted until it is gone
            while threading.active_count() - before > CONNECTIONS and time.monotonic() < ended:
                time.sleep(0.01)
            assert threading.active_count() - before <= CONNECTIONS
            assert trainer.refused >= 300 - CONNECTIONS
        finally:
            for line in lines:
                line.close()
        assert ask(trainer, "GET", "/")[0] == 200


def test_a_page_loads_while_a_flight_is_kept(tmp_path, monkeypatch):
    begun, over = threading.Event(), threading.Event()

    def slow(flight, text, folder):
        begun.set()
        assert over.wait(60.0)
        return {"folder": str(folder), "summary": ""}

    monkeypatch.setattr(server, "keep", slow)
    with Trainer(tmp_path) as trainer:
        text = json.dumps(told(end=0.4)).encode()
        whole = head(trainer, Content_Length=str(len(text))) + text
        answers = []
        team = [threading.Thread(target=lambda: answers.append(raw(trainer, whole, 60.0))) for _ in range(FLIGHTS)]
        for one in team:
            one.start()
        try:
            assert begun.wait(60.0)
            for name in ("/", "/trainer.js", "/trainer.css", "/data.json"):
                assert ask(trainer, "GET", name)[0] == 200
            while trainer._waiting._value:  # all of them have come
                time.sleep(0.01)
            assert raw(trainer, whole).startswith(b"HTTP/1.0 503")
        finally:
            over.set()
            for one in team:
                one.join()
        assert len(answers) == FLIGHTS and all(one.startswith(b"HTTP/1.0 200") for one in answers)


def test_a_file_that_is_made_does_not_keep_the_others(tmp_path):
    begun, over = threading.Event(), threading.Event()

    def slow():
        begun.set()
        assert over.wait(60.0)
        return b"made"

    with Trainer(tmp_path) as trainer:
        trainer._files["data.json"] = ("application/json", slow)
        one = threading.Thread(target=ask, args=(trainer, "GET", "/data.json"))
        one.start()
        try:
            assert begun.wait(60.0) and ask(trainer, "GET", "/trainer.css")[0] == 200
        finally:
            over.set()
            one.join()
