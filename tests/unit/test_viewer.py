"""The viewer without a browser: who may talk to it, and what it makes of a run."""

from __future__ import annotations

import asyncio
import builtins
import http.client
import socket

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import JourdainError
from jourdain.results.run import Record, Run
from jourdain.view.local_server import HOST, refusal

PORT = 4321
OWN = f"127.0.0.1:{PORT}"


@pytest.mark.parametrize(
    ("host", "origin", "upgrade", "welcome"),
    [
        ([OWN], [], False, True),
        ([f"localhost:{PORT}"], [], False, True),
        ([OWN], [f"http://{OWN}"], True, True),
        ([OWN], [f"http://localhost:{PORT}"], True, True),
        ([OWN], [], True, False),
        ([OWN], ["null"], True, False),
        ([OWN], ["http://example.org"], True, False),
        ([OWN], [f"https://{OWN}"], True, False),
        ([OWN], [f"http://{OWN}.example.org"], True, False),
        ([OWN], ["http://127.0.0.1:9999"], True, False),
        ([OWN], [f"http://{OWN}", "http://example.org"], True, False),
        ([OWN], ["http://example.org"], False, False),
        (["example.org"], [], False, False),
        ([f"example.org:{PORT}"], [f"http://{OWN}"], True, False),
        (["127.0.0.1"], [], False, False),
        ([], [], False, False),
        ([OWN, OWN], [], False, False),
    ],
)
def test_who_is_let_in(host, origin, upgrade, welcome):
    assert (refusal(host, origin, upgrade, PORT) is None) == welcome


def test_without_viser_one_line_says_how_to_get_it(monkeypatch, fake_run):
    real = builtins.__import__

    def missing(name, *rest, **more):
        if name == "viser":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(JourdainError, match=r'pip install "jourdain\[view\]"') as caught:
        fake_run.view()
    assert "\n" not in str(caught.value)


def pendulum() -> jd.Model:
    system = jd.System("pendulum <b>{1}</b>", gravity=(0, 0, -9.81))
    shape = jd.Capsule(0.05, 0.8).at("origin", (0, 0, -0.4))
    system.add(jd.RigidBody.from_shape("rod", shape, mass=1.0, frames={"tip": (0, 0, -0.8)}), jd.Revolute("hinge"))
    return system.compile()


@pytest.fixture(scope="module")
def run() -> Run:
    """Samples of a swing, made up."""
    model = pendulum()
    time = np.linspace(0.0, 2.0, 101)
    q, v = np.sin(3.0 * time)[:, None], 3.0 * np.cos(3.0 * time)[:, None]
    return Run(model, Record(time, q, v, np.zeros((101, 0)), 0.0 * v, np.zeros((101, 6))))


@pytest.fixture(scope="module")
def viewer(run):
    pytest.importorskip("viser", reason='pip install "jourdain[view]"')
    found = run.view(open_browser=False, block=False)
    yield found
    found.stop()


def status(port: int, path: str = "/", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    try:
        connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_the_page_is_given_to_this_machine_only(viewer):
    port = viewer.server.get_port()
    assert viewer.address == f"http://127.0.0.1:{port}"
    code, headers, body = status(port, Host=f"127.0.0.1:{port}")
    assert code == 200 and b"<html" in body
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "http:" not in policy.split("connect-src")[0]
    for host in ("example.org", f"example.org:{port}", "127.0.0.1"):
        assert status(port, Host=host)[0] == 403
    assert status(port, Host=f"127.0.0.1:{port}", Origin="http://example.org")[0] == 403
    assert status(port, "/../pyproject.toml", Host=f"127.0.0.1:{port}")[0] in (400, 404)
    for address in {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
        if not address.startswith("127."):
            with pytest.raises(OSError), socket.create_connection((address, port), timeout=5):
                pass


def test_a_websocket_of_another_page_is_refused(viewer):
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    port = viewer.server.get_port()

    async def talk(origin: str | None) -> int:
        protocols = ["viser-v" + __import__("viser").__version__]
        try:
            async with connect(f"ws://127.0.0.1:{port}", origin=origin, subprotocols=protocols) as socket:
                return len(await asyncio.wait_for(socket.recv(), 20))
        except InvalidStatus as error:
            return -error.response.status_code

    assert asyncio.run(talk("http://example.org")) == -403
    assert asyncio.run(talk(f"http://127.0.0.1:{port + 1}")) == -403
    assert asyncio.run(talk(None)) == -403
    assert asyncio.run(talk(f"http://127.0.0.1:{port}")) > 0


def test_nobody_can_ask_for_a_shared_address(viewer):
    from viser import _messages

    handlers = viewer.server._websock_server._incoming_handlers
    assert not handlers.get(_messages.ShareUrlRequest) and not handlers.get(_messages.ShareUrlDisconnect)


def test_websockets_are_served_by_others_as_before(viewer):
    from websockets.asyncio import server

    assert server.serve.__module__ == "websockets.asyncio.server"


def test_a_port_that_is_taken_is_said(viewer, run):
    with pytest.raises(JourdainError, match=f"port {viewer.server.get_port()} of 127.0.0.1 is in use"):
        run.view(port=viewer.server.get_port(), open_browser=False, block=False)
    with pytest.raises(JourdainError, match="give 0 to 65535"):
        run.view(port=70000, open_browser=False, block=False)


def drawn(viewer, t: float):
    """The pose that the rod's surface has on the page when time t is shown."""
    viewer.playing = False
    viewer.seek(t)
    for _ in range(200):
        if viewer._shown and viewer._shown[0] == viewer.time:
            break
        viewer._over.wait(0.02)
    handle = viewer.actors.surfaces[0][1].handle
    return np.concatenate([handle.position, handle.wxyz])


def test_what_is_on_the_page_is_the_run_at_that_time(viewer, run):
    for i in (0, 37, 100):
        pose = run.model.frame_path("rod.origin", run.record.q, run.record.v)[i, :7]
        assert drawn(viewer, run.record.time[i]) == pytest.approx(pose, abs=2e-3)
    drawn(viewer, 1.0)
    assert viewer._slider.value == pytest.approx(1.0)
    viewer.step(1)
    assert viewer.time == pytest.approx(viewer.scene.time[31]) and not viewer.playing
    viewer.forward()
    assert viewer.time == 2.0
    viewer.toggle()
    assert viewer.playing and viewer.time < 2.0


def test_the_plot_has_a_line_at_the_time_that_is_shown(viewer):
    drawn(viewer, 1.3)
    trace = next(one for one in viewer.traces if one.name == "hinge")
    time, values, line = trace.plot.data
    here = np.flatnonzero(np.isfinite(line))
    assert len(here) == 2 and time[here] == pytest.approx(1.3) and np.all(np.diff(time) >= 0.0)
    assert values[here] == pytest.approx(np.sin(3.9), abs=2e-3)


def test_samples_are_shown_as_they_come():
    pytest.importorskip("viser", reason='pip install "jourdain[view]"')
    from jourdain.view.live import watch

    model = pendulum()
    state = model.state(q={"hinge": 0.5})
    chunks = []
    plain = jd.simulate(model, state, until=0.5, step=1e-3, progress=False)
    with watch(model, open_browser=False, say=False) as live:

        def both(chunk):
            chunks.append(chunk)
            live(chunk)

        run = jd.simulate(model, state, until=0.5, step=1e-3, progress=False, watch=both)
        live.finish(run)
        assert live.viewer is not None
        for _ in range(300):
            if not live.viewer.live:
                break
            live.viewer._over.wait(0.02)
        assert not live.viewer.live and live.viewer.scene.time[-1] == 0.5
    assert np.array_equal(run.record.q, plain.record.q)
    assert np.array_equal(Record.concatenate(chunks).q, run.record.q)
