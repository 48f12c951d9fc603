"""Compiling all that a run needs before it begins, on two cores where there are two.

What is needed follows from a list of kernels and the features of a model: their units, the units that these call, the
parts that the features ask for. A helper process goes through the same list from its end; locks and files tell each
process what the other does, and a helper that dies costs only its time. With JOURDAIN_AHEAD=off in the environment
there is none.
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
from .compile_log import TELLING
from .descriptors import named, store, unit_of
from .disk_cache import POLL
from .numba_private import global_compiler_lock

WORTH = 4
"""Missing units from which a helper is worth its start."""

PATIENCE = 2.0
"""How long another process is waited for before it is said [s]."""

HELPER = """
import json, sys
told = json.load(sys.stdin)
sys.path[:] = told["path"]
from jourdain.kernels.compiling.parallel_compilation import help_with
help_with(told["needed"])
"""

Needed = list[tuple[Any, frozenset[str]]]
"""Kernels for types of arguments, and the features of the models that they are for."""


def prepare(needed: Needed) -> None:
    """Compiles what is missing of all that is needed, and says so; nothing where nothing is missing."""
    if INTERPRETED:
        return
    needed = [(one, features) for one, features in needed if features not in one.filled]
    if not needed:
        return
    with global_compiler_lock:
        missing = list(walk(needed, build=False))
        if not missing:
            return
        names = list(dict.fromkeys(one.kernel.__name__ for one in missing))
        with TELLING.together(names):
            if len(missing) >= WORTH and cores() > 1:
                start_helper(needed)
            for one in walk(needed, build=True, tell=TELLING.expect):
                one.build()


def walk(needed: Needed, build: bool, tell: Callable[[int], None] = int) -> Iterable[Any]:
    """What is missing of all that is needed, one after the other; with `build` each must be compiled before the next is
    asked for, and those that another process is at come last. `tell` hears how many are left, as far as is known."""
    waiting = [(one, features) for one, features in needed]
    seen = {one.symbol for one, _ in waiting}
    waited = 0.0
    while waiting:
        at = 0
        if build:
            free = (k for k, (one, _) in enumerate(waiting) if one.find() is not None or not store().held(one.symbol))
            at = next(free, -1)
            if at < 0:
                time.sleep(POLL)
                waited += POLL
                if waited - POLL < PATIENCE <= waited:
                    TELLING.wait(waiting[0][0].kernel.__name__)
                continue
        one, features = waiting.pop(at)
        if one.find() is None:
            tell(1 + sum(other.stored is None for other, _ in waiting))
            yield one
            if one.stored is None:
                continue
        others = list(one.stored.units)
        others += [told for told in one.stored.parts if unit_of(told).kernel.feature in features]
        for told in others:
            if told[2] not in seen:
                seen.add(told[2])
                waiting.append((unit_of(told), features))


def every(needed: Needed) -> list[Any]:
    """All that is needed, as far as it is compiled."""
    all_of = {one.symbol: one for one, _ in needed}
    waiting = list(needed)
    while waiting:
        one, features = waiting.pop()
        if one.find() is None:
            continue
        others = [unit_of(told) for told in (*one.stored.units, *one.stored.parts)]
        for other in others:
            if other.symbol not in all_of and (other.kernel.way != "part" or other.kernel.feature in features):
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
    told = [(one.kernel.address, one.spelling, sorted(features)) for one, features in needed if one.kept]
    message = json.dumps({"path": [place for place in sys.path if place], "needed": told[::-1]})
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


def help_with(told: list[tuple[str, str, list[str]]]) -> None:
    """What a helper does."""
    os.environ["JOURDAIN_AHEAD"] = "off"
    needed = [(named(address, spelling), frozenset(features)) for address, spelling, features in told]
    for one in walk(needed, build=True):
        one.build()
