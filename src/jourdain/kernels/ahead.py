"""Compiling on a second core: a helper process puts entries into the cache, from which this process then loads them.

A cold run compiles for a minute or so on one core. Entries are kept on disk one by one, so another process can make
some of them meanwhile. It leaves a mark for each; whoever needs one that is on its way waits for the mark, and compiles
it after all where the helper ended without. With JOURDAIN_AHEAD=off in the environment no helper is started.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

POLL = 0.05
"""How often a mark is looked for [s]."""

_helpers: list[tuple[subprocess.Popen[bytes], set[Path]]] = []


def mark(name: str, level: int) -> Path:
    """File that says that an entry for models of a level is in the cache."""
    from .compiler import cache_folder

    return cache_folder() / "entries" / f"{name}-{int(level)}"


def done(name: str, level: int) -> None:
    """Leaves the mark."""
    with suppress(OSError):
        mark(name, level).parent.mkdir(parents=True, exist_ok=True)
        mark(name, level).touch()


def missing(names: Iterable[str], level: int) -> list[str]:
    """Those that are not in the cache, as far as marks tell."""
    return [name for name in names if not mark(name, level).exists()]


def start(names: Iterable[str], level: int) -> bool:
    """Lets a helper compile entries, in this order; False where none is missing or there is no core for it."""
    wanted = [name for name in missing(names, level) if not _under_way(mark(name, level))]
    if not wanted or not sys.executable or _cores() < 2:
        return False
    command = [sys.executable, "-m", "jourdain.kernels.ahead", str(int(level)), *wanted]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        helper = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
    except OSError:
        return False
    if not _helpers:
        atexit.register(stop)
    _helpers.append((helper, {mark(name, level) for name in wanted}))
    return True


def wait(name: str, level: int) -> None:
    """Until an entry that a helper compiles is in the cache, or the helper has ended."""
    place = mark(name, level)
    while _under_way(place) and not place.exists():
        time.sleep(POLL)


def stop() -> None:
    """Ends the helpers."""
    while _helpers:
        helper, _ = _helpers.pop()
        if helper.poll() is None:
            helper.terminate()
        helper.wait()


def _under_way(place: Path) -> bool:
    return any(place in places and helper.poll() is None for helper, places in _helpers)


def _cores() -> int:
    if os.environ.get("JOURDAIN_AHEAD") == "off":
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main(level: int, names: Iterable[str]) -> None:
    """Compiles entries into the cache."""
    from .entries import first_class

    for name in names:
        first_class(name, level)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
