"""How far a run was from its constraints, and how near to a singular configuration, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.warn import warn
from ..describe.constraints.methods import model_size
from ..model.displacement import moved
from ..results.trust_checks import OPEN
from .constraint_start import ConstraintWarning
from .redundancy import SINGULAR, Roles, closed_near, loops_losing, weighted_rows

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Plan


AROUND = 0.6
"""How far along the motion from its nearest accepted state a singular configuration is looked for [rad, m]."""
FAR = 0.8
"""Least singular value, over what it is where nothing is singular, of a state from which none is that near."""
NAMED = 4
"""Constraints that a warning names at most."""
LOOKS = 3
"""States of small pivots around which one is looked for at most."""


class Gap(NamedTuple):
    """The largest violation of a row at the accepted steps of a run [m, rad], when [s], and whose row."""

    largest: float
    time: float
    constraint: str


def largest_gap(model: Model, ws: Any) -> Gap | None:
    """Of the run in a workspace; None without constraints."""
    from ..kernels.constraints.sparsity import worst_at

    if not len(model.arrays.constraints):
        return None
    worst = worst_at(ws.solve, ws.layout.worst)[0]
    return Gap(float(worst.value), float(worst.time), str(model.constraints.owners[worst.row]))


def largest_of(plan: Plan, ws: Any) -> Gap | None:
    """Of a whole run, also before its connections changed."""
    gaps = [one for one in (plan.past_gap, largest_gap(plan.model, ws)) if one is not None]
    return max(gaps, key=lambda one: one.largest, default=None)


class SingularPoint(NamedTuple):
    """A singular configuration that a run passed: when [s], the constraints whose rows lose rank there, and the least
    singular value of the rows, over what it is where nothing is singular."""

    time: float
    constraints: tuple[str, ...]
    least: float


def passed_singular(model: Model, roles: Roles | None, ws: Any, held: Iterable[int]) -> SingularPoint | None:
    """A singular configuration that the run in a workspace passed; None where it passed none, or it cannot be told.

    Looked for along the motion from the accepted states of the smallest pivots, as far as steps reach there. Large
    models are told by these states alone.
    """
    from ..kernels.constraints.row_selection import CLOSE, NEARNESS
    from ..kernels.constraints.sparsity import Nearness as NearPlace
    from ..kernels.constraints.sparsity import nearness_at

    if roles is None or not len(model.arrays.constraints):
        return None
    layout, nr, width = ws.layout, len(roles.roles), ws.layout.near_width
    first = layout.near + 1
    table = ws.solve[first : first + width * layout.place_count].reshape(-1, width)
    held = list(held)
    for place in np.argsort(table[:, NearPlace.columns.ratio])[:LOOKS]:
        near = nearness_at(ws.solve, first + width * int(place))[0]
        ratio, t = float(near.ratio), float(near.time)
        if not ratio < CLOSE:
            break
        if near.most == 0.0:  # no row has been there
            continue
        if width == NEARNESS:  # a large model
            if ratio < SINGULAR**2:
                r = int(np.flatnonzero(ws.solve_links[layout.places : layout.places + nr] == place)[0])
                return SingularPoint(t, (str(model.constraints.owners[r]),), float(np.sqrt(max(ratio, 0.0))))
            continue
        q, v = np.split(table[place, NEARNESS:], [model.nq])
        found = _look_around(Nearness(model, roles, layout.rank, (t, q, v), held), 2.0 * float(near.step))
        if found is not None:
            return found
    return None


def _look_around(near: Nearness, reach: float) -> SingularPoint | None:
    """A singular configuration within a time of a state."""
    t, _, v = near.state
    reach = min(reach, AROUND / max(float(np.max(np.abs(v))), 1e-300))
    here = near.least(0.0)
    if here > FAR:
        return None
    places = reach * np.linspace(-1.0, 1.0, 5)
    values = [here if dt == 0.0 else near.least(dt) for dt in places]
    i = int(np.argmin(values))
    ends = max(i - 1, 0), min(i + 1, 4)
    dt = _vanishing(near.least, *((float(places[j]), values[j]) for j in ends))
    if dt is None:
        return None
    return SingularPoint(t + dt, loops_losing(near.model, near.rows(dt), near.rank), near.least(dt))


class Nearness:
    """How near places along a motion, on the constraints, are to a singular configuration.

    state    time, coordinates and velocities
    rank     of the rows
    held     entries of v whose motion is prescribed
    """

    def __init__(
        self, model: Model, roles: Roles, rank: int, state: tuple[float, np.ndarray, np.ndarray], held: list[int]
    ) -> None:
        self.model, self.rank, self.state, self.held = model, rank, state, held
        self.scale = np.sqrt(roles.weights)
        usual = np.linalg.eigvalsh(roles.mobility * np.outer(self.scale, self.scale))[-rank]
        self.usual = float(np.sqrt(max(usual, 0.0)))

    def rows(self, dt: float) -> np.ndarray:
        """Rows a time dt further, weighted by masses."""
        t, q, v = self.state
        place = moved(self.model, q, dt * v)
        found = closed_near(self.model, place, t + dt, self.held)
        place = place if found is None else found
        return self.scale[:, None] * weighted_rows(self.model, t + dt, place, self.held)

    def least(self, dt: float) -> float:
        """Their least singular value, over what it is where nothing is singular."""
        return float(np.linalg.svd(self.rows(dt), compute_uv=False)[self.rank - 1]) / self.usual


def _vanishing(value: Callable[[float], float], low: tuple[float, float], high: tuple[float, float]) -> float | None:
    """Where a function that falls and rises like |x - x_0| comes below SINGULAR; None where it does not.

    low, high    places on both sides, and its values there
    """
    before = 2.0 * max(low[1], high[1])
    for _ in range(5):
        width = high[0] - low[0]
        x = low[0] + width * low[1] / max(low[1] + high[1], 1e-300)
        found = value(x)
        if found < SINGULAR:
            return x
        if found > 0.5 * before:  # it is rounded off there
            return None
        before = found
        low, high = ((end, value(end)) for end in (x - 0.1 * width, x + 0.1 * width))
    return None


def singular_of(plan: Plan, ws: Any) -> SingularPoint | None:
    """Of a whole run, also before its connections changed: the first."""
    return plan.past_singular or passed_singular(plan.model, plan.roles, ws, plan.events.profiles)


def warn_singular(model: Model, point: SingularPoint | None) -> None:
    """A `ConstraintWarning` where a run point a singular configuration."""
    if point is None:
        return
    names = ", ".join(f'"{name}"' for name in point.constraints[:NAMED])
    if len(point.constraints) > NAMED:
        names += f" and {len(point.constraints) - NAMED} more"
    warn(
        f"{model.name}: near t = {point.time:.6g} s the run passes a singular configuration: the rows of {names} lose "
        "rank there, the motion may go on in more than one way, and the run takes the one straight on; start so that "
        "it is not met where that is not meant",
        ConstraintWarning,
    )


def warn_open(plan: Plan, ws: Any) -> None:
    """A `ConstraintWarning` where the loops of a run opened visibly."""
    gap = largest_of(plan, ws)
    if gap is None or gap.largest <= OPEN * model_size(plan.model, plan.q):
        return
    warn(
        f'{plan.model.name}: "{gap.constraint}" was open by {gap.largest:.3g} m or rad at t = {gap.time:.6g} s, as '
        f'"{plan.constraints.kind}" does not bring a run back to its constraints; give constraints="projection", a '
        "shorter step or tighter tolerances",
        ConstraintWarning,
    )
