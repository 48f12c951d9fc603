"""How time is taken: the contestants in turn, many rounds, the best of each, and how far that can be trusted.

Machines are shared: a slow moment hits whoever runs in it. In turn, everybody gets the same share of slow moments, and
the minimum over the rounds is the time that the code itself needs. Where all run on one thread, it is time of the
processor, which does not count while another program has it.

The rounds are also dealt into parts, one after the other in time, and the best of each part is kept. Whatever is
computed from the times is computed from each part as well, and how far these lie apart is the spread of the result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Name = TypeVar("Name")

SAMPLE = 0.005
"""Time that one sample should take: long enough for the clock, short enough to fit between interruptions [s]."""
PARTS = 5
"""Into how many parts the rounds are dealt, at most."""
FEWEST = 3
"""Rounds that are made, in time or not; fewer only where fewer are asked for."""

budget = float("inf")
"""Time on the wall that one comparison may take before it stops making rounds [s]; `run.py` sets it for a section."""


class Measured(float):
    """A time, or a number computed from times, with what each part of the rounds gave for it."""

    parts: tuple[float, ...]

    def __new__(cls, value: float, parts: tuple[float, ...] = ()) -> Measured:
        out = super().__new__(cls, value)
        out.parts = tuple(parts)
        return out

    @property
    def spread(self) -> float | None:
        """How far the parts lie apart over the value; None where there was but one, or the value is 0."""
        if len(self.parts) < 2 or float(self) == 0.0:
            return None
        return (max(self.parts) - min(self.parts)) / abs(float(self))

    def __add__(self, other: float) -> Measured:
        return together(lambda a, b: a + b, self, other)

    def __sub__(self, other: float) -> Measured:
        return together(lambda a, b: a - b, self, other)

    def __mul__(self, other: float) -> Measured:
        return together(lambda a, b: a * b, self, other)

    def __truediv__(self, other: float) -> Measured:
        return together(lambda a, b: a / b, self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: float) -> Measured:
        return together(lambda a, b: b / a, self, other)


def together(function: Callable[..., float], *numbers: float) -> Measured:
    """A function of times, and of each part of them; without parts where these are not of the same rounds."""
    counts = {len(x.parts) for x in numbers if isinstance(x, Measured)}
    value = function(*(float(x) for x in numbers))
    if len(counts) != 1:
        return Measured(value)
    each = [[x.parts[k] if isinstance(x, Measured) else x for x in numbers] for k in range(next(iter(counts)))]
    try:
        parts = tuple(function(*some) for some in each)
    except (ValueError, ArithmeticError):  # a difference of short runs that noise made negative has no logarithm
        return Measured(value)
    return Measured(value, parts if all(math.isfinite(x) for x in parts) else ())


def spread_of(value: float) -> float | None:
    """Spread of a number, None where it is not known."""
    return value.spread if isinstance(value, Measured) else None


def measured(samples: list[float]) -> Measured:
    """The best of samples that were taken one after the other, and the best of each part of them."""
    count = min(PARTS, len(samples))
    cuts = [round(k * len(samples) / count) for k in range(count + 1)]
    return Measured(min(samples), tuple(min(samples[a:b]) for a, b in zip(cuts, cuts[1:])))


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


def in_rounds(contestants: Mapping[Name, Callable[[], float]], rounds: int) -> dict[Name, Measured]:
    """The best of what each contestant says that it took, called in turn while there is time."""
    samples: dict[Name, list[float]] = {name: [] for name in contestants}
    begun = time.monotonic()
    for k in range(rounds):
        if k >= FEWEST and time.monotonic() - begun > budget:
            break
        for name, run in contestants.items():
            samples[name].append(run())
    return {name: measured(found) for name, found in samples.items()}


def in_turn(contestants: Mapping[Name, Callable[[int], object]], rounds: int) -> dict[Name, Measured]:
    """Seconds a call of each contestant, the best of `rounds`; a contestant called with n makes n calls."""

    def timed(run: Callable[[int], object], count: int) -> Callable[[], float]:
        def once() -> float:
            begun = time.process_time()
            run(count)
            return (time.process_time() - begun) / count

        return once

    return in_rounds({name: timed(run, repetitions(run)) for name, run in contestants.items()}, rounds)


def whole_runs(
    contestants: Mapping[Name, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[Name, Measured]:
    """Seconds of one run of each contestant, the best of `rounds`."""

    def timed(run: Callable[[], Any]) -> Callable[[], float]:
        def once() -> float:
            begun = clock()
            run()
            return clock() - begun

        return once

    return in_rounds({name: timed(run) for name, run in contestants.items()}, rounds)
