"""Processes that run variants: how one ended is told as it was."""

import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from jourdain.study.sweeps import executors
from jourdain.study.sweeps.executors import Processes, VariantBatch
from jourdain.study.sweeps.worker import Worker

ENDS = {
    "with code 3": "import sys; sys.stdin.buffer.read(1); sys.exit(3)",
    "with code 0": "import sys; sys.stdin.buffer.read(1); sys.stdout.close(); import time; time.sleep(0.5)",
    "by signal 15": "import sys, os, signal; sys.stdin.buffer.read(1); os.kill(os.getpid(), signal.SIGTERM)",
}


def worker(program: str) -> Worker:
    """A worker whose process runs another program."""
    made = Worker.__new__(Worker)
    made.process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return made


@pytest.mark.parametrize("how", ENDS)
def test_a_worker_that_ends_by_itself_is_told_so(monkeypatch, how):
    """Not by the signal with which it is cleared away afterwards."""
    monkeypatch.setattr(executors, "Worker", lambda bundle: worker(ENDS[how]))
    staff = Processes.__new__(Processes)
    staff.bundle, staff.staff, staff.guard = None, {}, threading.Lock()
    staff.stopping = threading.Event()
    (result,) = staff.one(0, VariantBatch(0, [[1.0]])).results
    assert f"the process that ran it ended {how}, 3 times" in result.reason


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_worker_that_is_killed():
    one = worker("import time; time.sleep(60)")
    os.kill(one.process.pid, signal.SIGKILL)
    with pytest.raises(EOFError):
        one.call(SimpleNamespace())
    assert one.ended() == -signal.SIGKILL
