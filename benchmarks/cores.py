"""Ensembles against the number of cores, beside what the machine itself gives: `python benchmarks/cores.py`.

The control is a chain of multiplications and additions in registers, without memory: its efficiency is that of the
machine, whose threads share cores, and whose clock falls with the number of cores that work. A case of an ensemble
cannot do better; what it loses beside the control is ours.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import models
import numba

import jourdain as jd

CASES, STEPS, ROUNDS = 2048, 500, 4


@numba.njit(nogil=True)
def spin(n: int) -> float:
    """Eight chains of fused products at once, as many as keep a core's unit of floating point busy."""
    a = b = c = d = e = f = g = h = 0.5
    for _ in range(n):
        a, b, c, d = a * 0.999 + 1e-3, b * 0.999 + 1e-3, c * 0.999 + 1e-3, d * 0.999 + 1e-3
        e, f, g, h = e * 0.999 + 1e-3, f * 0.999 + 1e-3, g * 0.999 + 1e-3, h * 0.999 + 1e-3
    return a + b + c + d + e + f + g + h


def control(workers: int) -> float:
    """64 equal pieces of work without memory, shared out [s]."""
    with ThreadPoolExecutor(workers) as pool:
        began = time.perf_counter()
        list(pool.map(spin, [10_000_000] * 64))
        return time.perf_counter() - began


def main() -> None:
    """Prints time and efficiency of both for 1, 2, 4, ... workers, in turn."""
    model = models.arm()
    states = [models.state(model, seed) for seed in range(CASES)]

    def ensemble(workers: int) -> float:
        began = time.perf_counter()
        jd.simulate_many(model, states, until=STEPS * 1e-3, step=1e-3, method="rk4", workers=workers)
        return time.perf_counter() - began

    spin(10), ensemble(1)
    most = os.cpu_count() or 1
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= most]
    best: dict[tuple[str, int], float] = {}
    runs: dict[str, Callable[[int], float]] = {"control": control, "ensemble": ensemble}
    for _ in range(ROUNDS):
        for n in counts:
            for name, run in runs.items():
                best[name, n] = min(best.get((name, n), 1e9), run(n))
    print("| workers | control [s] | efficiency | ensemble [s] | efficiency | ensemble over control |\n|" + "---|" * 6)
    for n in counts:
        shares = {name: best[name, 1] / best[name, n] / n for name in runs}
        cells = [f"{best[name, n]:.3f} | {shares[name]:.2f}" for name in runs]
        print(f"| {n} | " + " | ".join(cells) + f" | {shares['ensemble'] / shares['control']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
