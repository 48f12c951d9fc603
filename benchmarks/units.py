"""Cost of the right-hand side against the number of units of an orbiting manipulator: Chen 1999, section 4.3.

A unit is a rotor and a flexible module on an elastic joint; all hang on a flexible platform in orbit. The thesis has
two to six bodies, and an increase of 53 minutes from three to six on a 350 MHz processor, for a run whose length it
does not say; so only the straightness carries over.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from contact_loops import RightHandSide
from results import Limit, seconds
from timing import in_turn

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "chen"))
from system import manipulator  # noqa: E402

SIZES = (1, 2, 5, 10, 20, 40, 60, 80, 100)
STRAIGHT = 10.0
"""How far a time may lie off the straight line through all of them, over itself, from 10 units on [%]."""
COUNTED = ("units", "right-hand side", "off the line")


def measure(rounds: int) -> tuple[list[tuple[str, ...]], Limit]:
    """Rows (units, time of an evaluation, distance from the line a + b units), and the largest distance."""
    runs = {}
    for size in SIZES:
        model = manipulator(size, base=30.0, lengths=4.0, payload=100.0, large=False).compile()
        angles = {f"slew{i}": 0.1 for i in range(1, size + 1)}
        runs[size] = RightHandSide(model, model.state(q=angles, v={"slew1": 0.01})).evaluate
    best = in_turn(runs, rounds)
    times = np.array([best[size] for size in SIZES])
    weights = 1.0 / times  # relative distances count
    columns = np.column_stack([np.ones(len(SIZES)), SIZES]) * weights[:, None]
    line = np.column_stack([np.ones(len(SIZES)), SIZES]) @ np.linalg.lstsq(columns, times * weights, rcond=None)[0]
    off = 100.0 * (times / line - 1.0)
    rows = [(str(size), seconds(best[size]), f"{x:+.1f} %") for size, x in zip(SIZES, off, strict=True)]
    worst = float(np.max(np.abs(off[np.array(SIZES) >= 10])))
    return rows, Limit("orbiting manipulator, 10 to 100 units: distance from a straight line", worst, "%", STRAIGHT)
