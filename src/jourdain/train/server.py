"""The trainer's page on this machine: its files, and a place that takes flights and keeps them as runs.

It listens on 127.0.0.1. Every request must name that address as its host (a name that is made to point here is
refused), a flight must come from the page itself, with the token that the page was given, and the page may ask for
nothing elsewhere. What is refused is counted.

Connections are bounded: where there are too many, the one that has waited longest for its request goes. Files of the
page and flights have locks of their own, so that the page loads while a flight is kept.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ..basics.errors import JourdainError
from ..view.local_server import HOST, refusal
from .bundle import POLICY, files
from .session import MOST, FlightError, keep, read_flight

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


CONNECTIONS = 32
"""Connections at a time."""
FLIGHTS = 4
"""Flights at a time, one that is kept and others that wait; the page sends one."""
WAIT = 20.0
"""How long a connection may say nothing [s]."""
PATIENCE = 5.0
"""How long a new connection waits for the thread of one that was ended to make room [s]."""


class Trainer:
    """A server of the page.

    address    to open in the browser
    folder     that flights are kept in, a folder each
    kept       what became of the flights that came
    refused    how many requests were turned away or could not be read
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.kept, self.refused = folder, list[dict[str, Any]](), 0
        self.token = secrets.token_urlsafe(24)
        self._files = files(self.token)
        self._made: dict[str, bytes] = {}
        self._making = {name: threading.Lock() for name in self._files}
        self._keeping, self._waiting = threading.Lock(), threading.BoundedSemaphore(FLIGHTS)
        try:
            self._server = _Server((HOST, port), _Handler, self)
        except (OSError, OverflowError) as error:
            raise JourdainError(f"port {port} of {HOST} cannot be had ({error}); give another, or 0 for any") from error
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="trainer", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return f"http://{HOST}:{self.port}/"

    def file(self, name: str) -> tuple[str, bytes] | None:
        """Type and content of a file of the page; None where there is none."""
        if name not in self._files:
            return None
        kind, make = self._files[name]
        if name not in self._made:
            with self._making[name]:
                if name not in self._made:
                    self._made[name] = make()
        return kind, self._made[name]

    def keep(self, text: bytes) -> dict[str, Any]:
        """A flight as a run, in a folder of its own; one after the other."""
        flight = read_flight(text)
        with self._keeping:
            stamp = time.strftime("%Y%m%d-%H%M%S")
            folder = self.folder / f"{flight.lesson.key}-{stamp}"
            for i in range(2, 1000):
                if not folder.exists():
                    break
                folder = self.folder / f"{flight.lesson.key}-{stamp}-{i}"
            stated = keep(flight, text, folder)
        self.kept.append(stated)
        return stated

    def take(self, text: bytes) -> dict[str, Any] | None:
        """As `keep`; None where as many flights wait as may."""
        if not self._waiting.acquire(blocking=False):
            return None
        try:
            return self.keep(text)
        finally:
            self._waiting.release()

    def stop(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)

    def __enter__(self) -> Trainer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], trainer: Trainer) -> None:
        self.trainer = trainer
        self._asking: dict[socket.socket, None] = {}
        self._open, self._guard = 0, threading.Condition()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for a connection; where there are too many, one that has not said what it wants is closed."""
        with self._guard:
            full = self._open >= CONNECTIONS
            oldest = next(iter(self._asking), None) if full else None
            if oldest is not None:
                self._asking.pop(oldest)
                _end(oldest)
            if full:
                self.trainer.refused += 1
            if full and (oldest is None or not self._guard.wait_for(lambda: self._open < CONNECTIONS, PATIENCE)):
                self.shutdown_request(request)
                return
            self._open += 1
            self._asking[request] = None
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the system has no thread left
            with self._guard:
                self._open -= 1
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        """The end of a connection."""
        self.heard(request)
        super().shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """What a thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._guard:
                self._open -= 1
                self._guard.notify()

    def heard(self, request: Any) -> None:
        """A connection has said what it wants."""
        self._asking.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed while it loaded is no fault; anything else is a line."""
        error = sys.exception()
        if not isinstance(error, OSError):
            print(f"jourdain: the trainer's server: {type(error).__name__}: {error}", file=sys.stderr)


def _end(connection: socket.socket) -> None:
    """Lets a thread that waits for a connection go on."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # it has gone
        pass


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version, sys_version = "jourdain", ""
    timeout = WAIT

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _refuse(self, status: int, why: str) -> None:
        self.server.trainer.refused += 1
        self.close_connection = True
        self._answer(status, "application/json", json.dumps({"error": why}).encode())

    def parse_request(self) -> bool:
        """The head of a request."""
        self.server.heard(self.connection)
        return super().parse_request()

    def _stranger(self, origin_wanted: bool) -> bool:
        """Whether the request was turned away, because of who asks."""
        hosts, origins = self.headers.get_all("Host", []), self.headers.get_all("Origin", [])
        why = refusal(hosts, origins, origin_wanted, self.server.trainer.port)
        if why is not None:
            self._refuse(403, why.replace("viewer", "trainer"))
        return why is not None

    def do_GET(self) -> None:
        """A file of the page."""
        if self._stranger(origin_wanted=False):
            return
        name = self.path.partition("?")[0].lstrip("/") or "index.html"
        try:
            found = self.server.trainer.file(name)
        except JourdainError as error:
            self._refuse(500, str(error))
            return
        if found is None:
            self._refuse(404, "there is no such file")
        else:
            self._answer(200, *found)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """A flight, to be kept."""
        if self._stranger(origin_wanted=True):
            return
        trainer, stated = self.server.trainer, self.headers.get("X-Jourdain-Token", "")
        if self.path != "/flight" or not hmac.compare_digest(stated.encode(), trainer.token.encode()):
            self._refuse(403, "this trainer takes flights of its own page only")
            return
        length = self.headers.get("Content-Length", "")
        digits = length.isascii() and length.isdigit() and len(length) <= 9
        if not digits or not 0 < int(length) <= MOST:
            self._refuse(413, f"a flight has a length, of at most {MOST} bytes")
            return
        try:
            answer = trainer.take(self.rfile.read(int(length)))
        except FlightError as error:
            self._refuse(400, str(error))
        except (JourdainError, OSError) as error:
            self._refuse(500, str(error))
        else:
            if answer is None:
                self._refuse(503, f"{FLIGHTS} flights are being kept; send it when they are")
                return
            self._answer(200, "application/json", json.dumps(answer).encode())
