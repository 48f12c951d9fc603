"""How time is taken: the contestants in turn, many rounds, the best of each.

Machines are shared: a slow moment hits whoever runs in it. In turn, everybody gets the same share of slow moments, and
the minimum over the rounds is the time that the code itself needs. Where all run on one thread, it is time of the
processor, which does not count while another program has it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Name = TypeVar("Name")

SAMPLE = 0.005
"""Time that one sample should take: long enough for the clock, short enough to fit between interruptions [s]."""


def repetitions(run: Callable[[int], object]) -> int:
    """How many calls fill a sample; `run(n)` makes n calls. The first may compile, and does not count."""
    run(1)
    n = 1
    while True:
        begun = time.process_time()
        run(n)
        taken = time.process_time() - begun
        if taken > 0.25 * SAMPLE:
            return max(1, round(n * SAMPLE / taken))
        n *= 4


def in_turn(
    contestants: Mapping[str, Callable[[int], object]], rounds: int, sample: float = SAMPLE
) -> dict[str, float]:
    """Seconds a call of each contestant, the minimum over `rounds`; a contestant called with n makes n calls."""
    counts = {name: repetitions(run) for name, run in contestants.items()}
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            begun = time.process_time()
            run(counts[name])
            best[name] = min(best[name], (time.process_time() - begun) / counts[name])
    return best


def whole_runs(
    contestants: Mapping[Name, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[Name, float]:
    """Seconds of one run of each contestant, the minimum over `rounds`."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            begun = clock()
            run()
            best[name] = min(best[name], clock() - begun)
    return best
