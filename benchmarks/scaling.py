"""Cost of forward dynamics against the number of bodies, on free chains."""

from __future__ import annotations

import dynamics
import models
from results import Curve, Limit, seconds
from timing import in_turn, together

SIZES = (5, 10, 20, 40, 80, 120, 160, 200)
FLAT_FROM = 20
FLATNESS = 15.0
"""How much the cost of a body may vary from 20 to 200 bodies [%]."""


def measure(rounds: int) -> tuple[list[tuple[str, ...]], Limit, Curve]:
    """Rows (bodies, time of a call, time a body), how flat the last column is, and the curve."""
    chains = {size: models.chain(size) for size in SIZES}
    runs = {size: dynamics.ours(model, models.state(model))["forward dynamics"] for size, model in chains.items()}
    best = in_turn(runs, rounds)
    cost = {size: best[size] / size for size in SIZES}
    flat = [cost[size] for size in SIZES if size >= FLAT_FROM]
    rows = [(str(size), seconds(best[size]), seconds(cost[size])) for size in SIZES]
    spread = together(lambda *costs: 100.0 * (max(costs) / min(costs) - 1.0), *flat)
    curve = Curve("forward dynamics, a free chain", SIZES, tuple(best[size] for size in SIZES), "bodies")
    return rows, Limit(f"variation of the cost a body, {FLAT_FROM} to {SIZES[-1]} bodies", spread, "%", FLATNESS), curve


SCALED = ("bodies", "forward dynamics", "a body")
