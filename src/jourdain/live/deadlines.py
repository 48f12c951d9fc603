"""How well ticks keep to the clock: latencies, times of work, misses, in histograms of a fixed size."""

from __future__ import annotations

import json
import math
import time
from typing import Any, Protocol

BINS = 24
"""Bins of a histogram: below 1 us, 1 to 2, 2 to 4 ... us."""


class Clock(Protocol):
    """A clock: reads the time and waits for a time."""

    def now(self) -> float:
        """[s], from anywhere, never backwards."""

    def wait_until(self, t: float) -> None:
        """Comes back at a time, or a little later."""


class WallClock:
    """The clock of the machine.

    spin    how long before the time it stops to sleep and looks at the clock all the time [s]: sharper, and a core is
            busy meanwhile
    """

    def __init__(self, spin: float = 0.0) -> None:
        self.spin = spin

    def now(self) -> float:
        """[s]."""
        return time.perf_counter()

    def wait_until(self, t: float) -> None:
        """Sleeps, then spins."""
        left = t - self.spin - time.perf_counter()
        if left > 0.0:
            time.sleep(left)
        while self.spin and time.perf_counter() < t:
            pass


class Histogram:
    """Counts of times by powers of two of a microsecond."""

    def __init__(self) -> None:
        self.counts = [0] * BINS
        self.count, self.sum, self.worst = 0, 0.0, 0.0

    def note(self, seconds: float) -> None:
        """Counts a time [s]."""
        k = int(seconds * 1e6).bit_length()
        self.counts[k if k < BINS else BINS - 1] += 1
        self.count += 1
        self.sum += seconds
        if seconds > self.worst:
            self.worst = seconds

    @property
    def mean(self) -> float:
        """[s]."""
        return self.sum / self.count if self.count else 0.0

    def below(self, part: float) -> float:
        """The edge of the bin below which that part of all times lies [s]."""
        left = part * self.count
        for k, count in enumerate(self.counts):
            left -= count
            if left <= 0:
                return 1e-6 * 2.0**k
        return math.inf

    def rows(self) -> list[str]:
        """Lines of text, from the first bin that is not empty to the last."""
        used = [k for k, count in enumerate(self.counts) if count]
        if not used:
            return []
        most = max(self.counts)
        out = []
        for k in range(used[0], used[-1] + 1):
            bar = "#" * round(40 * self.counts[k] / most)
            out.append(
                f"  {'below' if k == 0 else f'{2 ** (k - 1):>7d} to':>10} {2**k:>8d} us {self.counts[k]:>10d}  {bar}"
            )
        return out


class Deadlines:
    """Statistics of a session.

    period     of the ticks [s]
    late       how long after its time a tick began
    work       how long it took
    misses     ticks that were not done when the next one was due
    slips      how often the clock was restarted, because ticks were behind by more than could be caught up
    """

    def __init__(self, period: float) -> None:
        self.period = period
        self.late, self.work, self.response = Histogram(), Histogram(), Histogram()
        self.misses = self.slips = 0

    def note(self, due: float, began: float, ended: float) -> None:
        """Counts a tick."""
        self.late.note(max(0.0, began - due))
        self.work.note(ended - began)
        self.response.note(ended - due)
        self.misses += ended - due > self.period

    @property
    def ticks(self) -> int:
        """How many there were."""
        return self.work.count

    def text(self) -> str:
        """A table for people."""
        part = 100.0 * self.misses / max(1, self.ticks)
        lines = [
            f"{self.ticks} ticks of {1e3 * self.period:g} ms; deadlines missed: {self.misses} ({part:.3g} %), "
            f"clock restarted: {self.slips}",
            f"{'':<24}{'mean':>10}{'99 % below':>13}{'99.9 % below':>14}{'worst':>12}   [us]",
        ]
        for name, one in (
            ("late at the start", self.late),
            ("work", self.work),
            ("done after it was due", self.response),
        ):
            numbers = (one.mean, one.below(0.99), one.below(0.999), one.worst)
            lines.append(
                f"{name:<24}" + "".join(f"{1e6 * x:>{w}.1f}" for x, w in zip(numbers, (10, 13, 14, 12), strict=True))
            )
        return "\n".join([*lines, "done after it was due:", *self.response.rows()])

    def json(self) -> str:
        """The same for programs."""
        facts: dict[str, Any] = {
            "period": self.period,
            "ticks": self.ticks,
            "misses": self.misses,
            "slips": self.slips,
        }
        for name in ("late", "work", "response"):
            one = getattr(self, name)
            facts[name] = {"mean": one.mean, "p99": one.below(0.99), "p999": one.below(0.999), "worst": one.worst,
                          "bins_us": [2**k for k in range(BINS)], "counts": one.counts}  # fmt: skip
        return json.dumps(facts, indent=1)
