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
from results import Curve, Limit, seconds
from timing import in_turn, together

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "orbit"))
from orbiting_manipulator import manipulator  # noqa: E402

SIZES = (1, 2, 5, 10, 20, 40, 60, 80, 100)
STRAIGHT = 10.0
"""How far a time may lie off the straight line through all of them, over itself, from 10 units on [%]."""
COUNTED = ("units", "right-hand side", "off the line")


def off_the_line(*times: float) -> np.ndarray:
    """How far each time lies off the line a + b units through all of them, by relative distances [%]."""
    costs = np.array(times)
    columns = np.column_stack([np.ones(len(SIZES)), SIZES])
    line = columns @ np.linalg.lstsq(columns / costs[:, None], np.ones(len(SIZES)), rcond=None)[0]
    return 100.0 * (costs / line - 1.0)


def measure(rounds: int) -> tuple[list[tuple[str, ...]], Limit, Curve]:
    """Rows (units, time of an evaluation, distance from the line a + b units), the largest distance, and the curve."""
    runs = {}
    for size in SIZES:
        model = manipulator(size, base=30.0, lengths=4.0, payload=100.0, large=False).compile()
        angles = {f"slew{i}": 0.1 for i in range(1, size + 1)}
        runs[size] = RightHandSide(model, model.state(q=angles, v={"slew1": 0.01})).evaluate
    best = in_turn(runs, rounds)
    times = [best[size] for size in SIZES]
    off = off_the_line(*times)
    rows = [(str(size), seconds(best[size]), f"{x:+.1f} %") for size, x in zip(SIZES, off, strict=True)]
    large = np.array(SIZES) >= 10
    worst = together(lambda *costs: float(np.max(np.abs(off_the_line(*costs)[large]))), *times)
    limit = Limit("orbiting manipulator, 10 to 100 units: distance from a straight line", worst, "%", STRAIGHT)
    return rows, limit, Curve("right-hand side, an orbiting manipulator", SIZES, tuple(times), "units")
