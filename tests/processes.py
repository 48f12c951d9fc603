"""Processes that tests start and interrupt."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path


def start(command: Sequence[str], folder: Path, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """A process that answers to Ctrl-C: one started by a job in the background of a shell would inherit that it does
    not."""
    heed = (lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) if os.name == "posix" else None
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, preexec_fn=heed, env=env)
