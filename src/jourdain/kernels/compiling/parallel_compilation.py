"""Compiling all that a run needs before it begins, on two cores where there are two.

What is needed follows from a list of kernels and the features of a model: these kernels, the separate ones that they
call, the optional ones that the features ask for. A helper process goes through the same list from its end; locks and
files show each process what the other does, and a helper that dies costs only its time. With JOURDAIN_AHEAD=off in the
environment there is none.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from ...basics.platforms import cores as usable_cores
from ..interpreter import INTERPRETED
from .compile_log import COMPILE_LOG
from .descriptors import overload_at, overload_of, store
from .disk_cache import POLL
from .numba_private import global_compiler_lock

WORTH = 4
"""Missing kernels from which a helper process pays."""

PATIENCE = 2.0
"""How long another process is waited for before it is said [s]."""

HELPER = """
import json, sys
given = json.load(sys.stdin)
sys.path[:] = given["path"]
from jourdain.kernels.compiling.parallel_compilation import help_with
help_with(given["needed"])
"""

Needed = list[tuple[Any, frozenset[str]]]
"""Kernels for types of arguments, and the features of the models that they are for."""


def prepare(needed: Needed) -> None:
    """Compiles what is missing of all that is needed, and says so; nothing where nothing is missing."""
    if INTERPRETED:
        return
    needed = [(one, features) for one, features in needed if features not in one.ready_for]
    if not needed:
        return
    with global_compiler_lock:
        missing = list(walk(needed, build=False))
        if not missing:
            return
        names = list(dict.fromkeys(one.kernel.__name__ for one in missing))
        with COMPILE_LOG.together(names):
            if len(missing) >= WORTH and cores() > 1:
                start_helper(needed)
            for one in walk(needed, build=True, report=COMPILE_LOG.expect):
                one.build()


def walk(needed: Needed, build: bool, report: Callable[[int], Any] = int) -> Iterable[Any]:
    """What is missing of all that is needed, one after the other; with `build` each must be compiled before the next is
    asked for, and those that another process compiles come last. `report` is given how many are left, as known."""
    waiting = [(one, features) for one, features in needed]
    seen = {one.symbol for one, _ in waiting}
    waited = 0.0
    while waiting:
        at = 0
        if build:
            free = (k for k, (one, _) in enumerate(waiting) if one.find() is not None or not store().locked(one.symbol))
            at = next(free, -1)
            if at < 0:
                time.sleep(POLL)
                waited += POLL
                if waited - POLL < PATIENCE <= waited:
                    COMPILE_LOG.wait(waiting[0][0].kernel.__name__)
                continue
        one, features = waiting.pop(at)
        if one.find() is None:
            report(1 + sum(other.unit is None for other, _ in waiting))
            yield one
            if one.unit is None:
                continue
        others = list(one.unit.separate)
        others += [other for other in one.unit.optional if overload_of(other).kernel.feature in features]
        for descriptor in others:
            if descriptor.symbol not in seen:
                seen.add(descriptor.symbol)
                waiting.append((overload_of(descriptor), features))


def every(needed: Needed) -> list[Any]:
    """All that is needed, as far as it is compiled."""
    all_of = {one.symbol: one for one, _ in needed}
    waiting = list(needed)
    while waiting:
        one, features = waiting.pop()
        if one.find() is None:
            continue
        others = [overload_of(descriptor) for descriptor in (*one.unit.separate, *one.unit.optional)]
        for other in others:
            if other.symbol not in all_of and (other.kernel.linkage != "optional" or other.kernel.feature in features):
                all_of[other.symbol] = other
                waiting.append((other, features))
    return list(all_of.values())


def cores() -> int:
    """Processor cores that this process may use."""
    if os.environ.get("JOURDAIN_AHEAD") == "off" or not sys.executable:
        return 1
    return usable_cores()


_HELPERS: list[subprocess.Popen[bytes]] = []


def start_helper(needed: Needed) -> None:
    """Lets another process compile from the end of the list; isolated from the current folder and its modules."""
    stop_helpers()
    listed = [(one.kernel.address, one.spelling, sorted(features)) for one, features in needed if one.cacheable]
    message = json.dumps({"path": [place for place in sys.path if place], "needed": listed[::-1]})
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        command = [sys.executable, "-I", "-c", HELPER]
        helper = subprocess.Popen(command, stdin=subprocess.PIPE, **quiet)  # type: ignore[call-overload]
        helper.stdin.write(message.encode())
        helper.stdin.close()
    except OSError:
        return
    if not _HELPERS:
        atexit.register(stop_helpers)
    _HELPERS.append(helper)


def stop_helpers() -> None:
    """Ends the helpers."""
    while _HELPERS:
        helper = _HELPERS.pop()
        if helper.poll() is None:
            helper.terminate()
        helper.wait()


def help_with(listed: list[tuple[str, str, list[str]]]) -> None:
    """What a helper does."""
    os.environ["JOURDAIN_AHEAD"] = "off"
    needed = [(overload_at(address, spelling), frozenset(features)) for address, spelling, features in listed]
    for one in walk(needed, build=True):
        one.build()
