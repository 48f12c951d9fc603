"""A process that runs variants for another: tasks come in on stdin, results go out on stdout, until stdin ends."""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import subprocess
import sys
from typing import Any, BinaryIO

from ...basics.platforms import apart

_LENGTH = struct.Struct("<Q")
PATIENCE = 10.0
"""How long a process that has closed its pipe may take to end [s]."""

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from jourdain.study.sweeps.worker import serve; serve()"
)
"""What the process is started with: modules are found where this one finds them, and not in the current folder."""


def send(stream: BinaryIO, value: Any) -> None:
    """Write a value, its length first."""
    raw = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(raw)) + raw)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read a value; an `EOFError` where the other side is gone."""
    return pickle.loads(_exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    raw = bytearray()
    while len(raw) < size:
        more = stream.read(size - len(raw))
        if not more:
            raise EOFError
        raw += more
    return bytes(raw)


class Worker:
    """A process of this machine that runs variants; it ends when this one does, however that happens.

    bundle    what it runs rows with: the bundle of a study, or a function of what comes
    """

    def __init__(self, bundle: Any) -> None:
        places = json.dumps([place for place in sys.path if place])
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", START, places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"JOURDAIN_AHEAD": "off"},
            **apart(),  # Ctrl-C is for the main process, which ends its workers
        )
        send(self.process.stdin, bundle)  # type: ignore[arg-type]

    def call(self, rows: Any) -> Any:
        """Results of variants; an `EOFError` where the process died."""
        try:
            send(self.process.stdin, rows)  # type: ignore[arg-type]
            found = receive(self.process.stdout)  # type: ignore[arg-type]
        except OSError as error:
            raise EOFError from error
        if isinstance(found, BaseException):
            raise found
        return found

    def ended(self) -> int:
        """How a process that answers no more ended: its code, or less than zero for a signal.

        Its pipe is closed a moment before it is gone: it gets that moment, so that not our own signal is told.
        """
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        return self.kill()

    def kill(self) -> int:
        """End it at once; how it ended, by itself where it had."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()  # type: ignore[union-attr]
            except OSError:
                pass
        return self.process.wait()


def serve() -> None:
    """What the process does: the bundle comes first, then rows, until there are no more."""
    from .worker_tasks import run_bundle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed meanwhile is no answer
    questions = sys.stdin.buffer
    try:
        bundle = receive(questions)
        while True:
            rows = receive(questions)
            try:
                found: Any = bundle(rows) if callable(bundle) else run_bundle(bundle, rows)
            except Exception as error:
                found = error
            send(answers, found)
    except (EOFError, BrokenPipeError):
        os._exit(0)
