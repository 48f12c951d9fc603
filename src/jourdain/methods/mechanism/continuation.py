"""Pseudo-arclength continuation of closures: through turning points, and onto other branches at bifurcations.

The curve Phi(q, t) = 0 is followed in (q, t) by a predictor along its unit tangent s and the Moore-Penrose corrector
(Fraczek 2002, eqs. 9 to 11),

    J = [Phi_q Phi_t; e_k],    Phi^+ = (I - s s^T) (J^-1)_N

with e_k the unit vector of the largest entry of the tangent, kept for a stretch (local parameterisation). det Phi_q
changes its sign where time turns back, zeta = det [Phi_q Phi_t; s] only where branches cross. Either is located on the
curve, then refined by the system that has it as a regular solution. Where an even
number of rows lose rank at once zeta keeps its sign: these crossings are found as minima of the smallest singular
value.

Turning points and bifurcations to the last digit, and the tangents of the branches that cross.

A turning point is a regular solution of  Phi(q, t) = 0, Phi_q h = 0, h_k = 1  (Fraczek 2002, eq. 12), with unknowns q,
t and h. A crossing of two branches is not: there this system is singular. It is a regular solution of

    Phi(y) + mu u = 0,    Phi_y^T u = 0,    u . u = 1

with y = (q, t) and mu = 0 in the end (Moore 1980). Its tangents follow from the branching equation: in the basis (a, b)
of the null space of Phi_y, with u the left null vector, c = alpha a + beta b such that u . Phi_yy[c, c] = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import Drivers
from ...basics.values import shown
from ...model.state import State
from .curve import Closure, Curve, dofs_error, have_worn, independent_rows, rank_of

if TYPE_CHECKING:
    from ...model.model import Model


TOLERANCE = 1e-11
"""Of closures [m, rad]."""
ANGLE = 0.3
"""Largest turn of the tangent in a step [rad]."""
SHORTEST = 1e-9
"""Shortest step over the first one."""
GIVEN_WAY = 1e-6
"""Smallest singular value of the rows, over the largest, at which branches cross."""
STRETCH = 0.4
"""Entry of the tangent, over its largest, below which another local parameter is taken."""


@checked
@dataclass(frozen=True, eq=False)
class PathEvent:
    """Where a curve turns back in time, or crosses another.

    kind        "turning" or "bifurcation"
    time        the parameter there
    q           the coordinates there (nq,)
    tangents    unit tangents (branches, displacements + 1), the last entry that of time; the first is the branch that
                was followed. At a bifurcation a branch for each root of the branching equation; one where more than
                two branches meet
    dofs        directions in which the loops are open to first order
    after       number of the point of the path before it
    """

    kind: str
    time: float
    q: np.ndarray
    tangents: np.ndarray
    dofs: int
    after: int
    _curve: Curve = field(repr=False)
    _rows: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.time:.8g}, {len(self.tangents)} branches, {self.dofs} degrees of freedom>"


@checked
@dataclass(frozen=True, eq=False)
class Path:
    """A curve of closures.

    time        the parameter (points,)
    q           coordinates (points, nq)
    tangents    unit tangents (points, displacements + 1), the last entry that of time
    length      arclength from the start (points,)
    det, zeta   the test functions (points,), of as many independent rows as there are displacements
    events      turning points and bifurcations, in order
    stopped     why it ends: "until", "length", "closed" or "stuck"
    names       of the displacements
    """

    time: np.ndarray
    q: np.ndarray
    tangents: np.ndarray
    length: np.ndarray
    det: np.ndarray
    zeta: np.ndarray
    events: tuple[PathEvent, ...]
    stopped: str
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{one.kind} at {one.time:.6g}" for one in self.events)
        ends = f"{self.time[0]:g} to {self.time[-1]:g}"
        return f"<Path: {len(self)} points, {ends}, stopped by {self.stopped}; {kinds or 'no events'}>"


@checked
def trace(
    model: Model | Curve,
    drivers: Drivers | None = None,
    start: State | tuple[np.ndarray, float] | None = None,
    until: float | tuple[float, float] | None = None,
    length: float = 20.0,
    step: float = 0.05,
    longest: float | None = None,
    direction: int = 1,
) -> Path:
    """Follow the closures of a mechanism as its drivers' time goes on, and back where it must.

    model        a Model, or any `Curve`
    drivers      as in `positions`; one freedom less than that is left over by the loops is refused
    start        a State, near which the loops close at its time; of a `Curve` (q, t)
    until        where the parameter is to end, or (low, high) between which it must stay; None for no end
    length       of the curve at most [rad, m, s: the norm of all]
    step         the first, [the same]
    longest      step; None for four times the first
    direction    1 or -1: which way time goes at first
    """
    if isinstance(model, Curve):
        curve: Curve = model
        if start is None:
            raise ModelError.at("start", "a Curve has no zero configuration; give (q, t) or a State")
        q, t = (start.q, start.time) if isinstance(start, State) else start
    else:
        if start is not None and not isinstance(start, State):
            raise ModelError.at("start", f"got {shown(start)}; give a State of the model")
        start = model.state() if start is None else start
        curve = Closure(model, drivers, None, start)
        q, t = start.q, start.time
    if direction not in (1, -1):
        raise ModelError.at("direction", f"got {shown(direction)}; give 1 or -1")
    tracer = _Tracer(curve, until, length, step, longest)
    q = tracer.begin(np.array(q, float), float(t))
    tangent = tracer.tangent(q, float(t), None)
    if tangent[-1] != 0.0:
        tangent = tangent * np.sign(tangent[-1]) * direction
    return tracer.follow(q, float(t), tangent)


@checked
def switch_branch(
    event: PathEvent,
    branch: int = 1,
    direction: int = 1,
    until: float | tuple[float, float] | None = None,
    length: float = 20.0,
    step: float = 0.05,
    longest: float | None = None,
) -> Path:
    """Follow another branch from where two cross; its first point is the crossing.

    event        a bifurcation of a `Path`
    branch       number of the tangent in `event.tangents`; 0 is the branch that was followed
    direction    1 along the tangent, -1 against it

    The others are as in `trace`.
    """
    if event.kind != "bifurcation" or not 0 <= branch < len(event.tangents):
        raise ModelError.at(
            "branch", f"got {shown(branch)} at a {event.kind} with {len(event.tangents)} branches; give one of those"
        )
    tracer = _Tracer(event._curve, until, length, step, longest)
    tracer.rows, tracer.t_start = event._rows, event.time
    tangent = direction * event.tangents[branch]
    h = step
    while h > SHORTEST * step:
        found = tracer.corrected(*tracer.ahead(event.q, event.time, h * tangent), plane=tangent)
        if found is not None:
            way = np.append(tracer.curve.apart(event.q, found[0]), found[1] - event.time)
            if way @ tangent > 0.9 * np.linalg.norm(way):
                return tracer.follow(*found, tracer.tangent(*found, tangent), crossing=(event.q, event.time, tangent))
        h *= 0.5
    raise ModelError.at("branch", "no closure was found along the tangent; give a shorter step")


class _Tracer:
    """One continuation."""

    def __init__(self, curve: Curve, until: Any, length: float, step: float, longest: float | None) -> None:
        self.curve, self.limit, self.step = curve, float(length), float(step)
        self.longest = 4.0 * self.step if longest is None else float(longest)
        if not (self.limit > 0.0 and self.step > 0.0 and self.longest >= self.step):
            raise ModelError.at("step", f"length {length}, step {step}, longest {longest}; all must be above zero")
        self.until = until
        self.rows = np.zeros(0, int)
        self.kept = -1
        self.t_start = 0.0

    def begin(self, q: np.ndarray, t: float) -> np.ndarray:
        """The closure nearest to a guess at time t, and the independent rows there."""
        curve = self.curve
        for _ in range(60):
            left = curve.residual(q, t)
            if np.max(np.abs(left), initial=0.0) < TOLERANCE:
                break
            q = curve.moved(q, np.linalg.lstsq(curve.partials(q, t)[:, :-1], -left, rcond=1e-10)[0])
        else:
            worst = float(np.max(np.abs(left)))
            raise ModelError.at(
                "start", f"the loops do not close there, {worst:.3g} stays open; begin nearer to a closure"
            )
        partials = curve.partials(q, t)
        spare = curve.size - rank_of(partials)
        if spare > 0:
            raise dofs_error(curve, partials, spare)
        self.rows, self.t_start = independent_rows(partials, curve.size), t
        return q

    def partials(self, q: np.ndarray, t: float) -> np.ndarray:
        return self.curve.partials(q, t)[self.rows]

    def ahead(self, q: np.ndarray, t: float, y: np.ndarray) -> tuple[np.ndarray, float]:
        return self.curve.moved(q, y[:-1]), t + float(y[-1])

    def tangent(self, q: np.ndarray, t: float, before: np.ndarray | None) -> np.ndarray:
        """The unit tangent, on the side of the one before."""
        tangent = np.linalg.svd(self.partials(q, t))[2][-1]
        if before is not None and tangent @ before < 0.0:
            tangent = -tangent
        return tangent

    def tests(self, q: np.ndarray, t: float, tangent: np.ndarray) -> tuple[float, float]:
        """det Phi_q and zeta."""
        partials = self.partials(q, t)
        return float(np.linalg.det(partials[:, :-1])), float(np.linalg.det(np.vstack([partials, tangent])))

    def corrected(self, q: np.ndarray, t: float, plane: np.ndarray | None = None) -> tuple[np.ndarray, float] | None:
        """The closure near a prediction by the Moore-Penrose corrector, or in a plane; None without convergence."""
        for _ in range(8):
            left = self.curve.residual(q, t)
            if not np.all(np.isfinite(left)):
                return None
            if np.max(np.abs(left), initial=0.0) < TOLERANCE:
                return q, t
            partials = self.partials(q, t)
            if plane is None:
                y = self._moore_penrose(partials, left[self.rows])
            else:
                y = np.linalg.lstsq(np.vstack([partials, plane]), -np.append(left[self.rows], 0.0), rcond=1e-12)[0]
            q, t = self.ahead(q, t, y)
        return None

    def _moore_penrose(self, partials: np.ndarray, left: np.ndarray) -> np.ndarray:
        n = len(left)
        local = np.zeros(n + 1)
        local[self._parameter(partials)] = 1.0
        right = np.zeros((n + 1, 2))
        right[:n, 0], right[n, 1] = -left, 1.0
        try:
            both = np.linalg.solve(np.vstack([partials, local]), right)
        except np.linalg.LinAlgError:
            return np.linalg.lstsq(partials, -left, rcond=1e-12)[0]
        tangent = both[:, 1] / np.linalg.norm(both[:, 1])
        return both[:, 0] - tangent * (tangent @ both[:, 0])

    def _parameter(self, partials: np.ndarray) -> int:
        """The local parameter: as before while its entry of the tangent is large enough."""
        if self.kept < 0:
            self.kept = int(np.argmax(np.abs(np.linalg.svd(partials)[2][-1])))
        return self.kept

    def follow(
        self, q: np.ndarray, t: float, tangent: np.ndarray, crossing: tuple[np.ndarray, float, np.ndarray] | None = None
    ) -> Path:
        points, events = [], []
        if crossing is not None:
            points.append((*crossing, 0.0, *self.tests(*crossing)))
            way = np.append(self.curve.apart(crossing[0], q), t - crossing[1])
            points.append((q, t, tangent, float(np.linalg.norm(way)), *self.tests(q, t, tangent)))
        else:
            points.append((q, t, tangent, 0.0, *self.tests(q, t, tangent)))
        first, h, stopped = points[0], self.step, "length"
        low, fresh = [float(np.linalg.svd(self.partials(*one[:2]), compute_uv=False)[-1]) for one in points], False
        while points[-1][3] < self.limit:
            q, t, tangent, so_far, det, zeta = points[-1]
            self._keep(tangent)
            found = self._step(q, t, tangent, h)
            if found is None:
                h *= 0.5
                if h < SHORTEST * self.step:
                    stopped = "stuck"
                    break
                continue
            after, used = found
            point = (*after, so_far + used, *self.tests(*after))
            kind = "bifurcation" if zeta * point[5] < 0.0 else "turning" if det * point[4] < 0.0 else ""
            end = self._end(t, after[1])
            event = None
            if kind:
                event = self._located(kind, q, t, tangent, used, len(points) - 1)
            low.append(float(np.linalg.svd(self.partials(*after[:2]), compute_uv=False)[-1]))
            if event is None and len(low) > 2 and low[-2] <= min(low[-3], low[-1]) and not fresh:
                event = self._touched(points[-2:], used, len(points) - 2)
            fresh = kind == "bifurcation"
            if event is not None and not (end is not None and (event.time - end) * (after[1] - end) > 0.0):
                events.append(event)
            if end is not None:
                points.append(self._landed(points[-1], point, end))
                stopped = "until"
                break
            points.append(point)
            if self._returned(first, points):
                stopped = "closed"
                break
            self._rechosen(points)
            turn = float(np.arccos(np.clip(tangent @ after[2], -1.0, 1.0)))
            h = min(self.longest, used * min(2.0, max(0.5, 0.5 * ANGLE / max(turn, 1e-3))))
        columns = list(zip(*points, strict=True))
        places, times, tangents, length, dets, zetas = (np.array(one) for one in columns)
        return Path(times, places, tangents, length, dets, zetas, tuple(events), stopped, self.curve.names)

    def _keep(self, tangent: np.ndarray) -> None:
        size = np.abs(tangent)
        if self.kept < 0 or size[self.kept] < STRETCH * np.max(size):
            self.kept = int(np.argmax(size))

    def _step(
        self, q: np.ndarray, t: float, tangent: np.ndarray, h: float
    ) -> tuple[tuple[np.ndarray, float, np.ndarray], float] | None:
        """The next point and the step that led there; None where the step is too long."""
        found = self.corrected(*self.ahead(q, t, h * tangent))
        if found is None:
            return None
        way = np.append(self.curve.apart(q, found[0]), found[1] - t)
        used = float(np.linalg.norm(way))
        after = self.tangent(*found, tangent)
        if not (0.5 * h < used < 2.0 * h) or way @ tangent < np.cos(ANGLE) * used or after @ tangent < np.cos(ANGLE):
            return None
        return (*found, after), used

    def _end(self, t0: float, t1: float) -> float | None:
        """The end of the parameter that a step goes past."""
        if self.until is None:
            return None
        for end in np.atleast_1d(np.asarray(self.until, float)):
            if (t0 - end) * (t1 - end) <= 0.0 and t1 != t0 and t0 != end:
                return float(end)
        return None

    def _landed(self, before: tuple[Any, ...], point: tuple[Any, ...], end: float) -> tuple[Any, ...]:
        """The point where the parameter is at its end."""
        q, t, tangent, so_far = before[:4]
        part = (end - t) / (point[1] - t)
        way = self.curve.apart(q, point[0])
        at_end = np.zeros(self.curve.size + 1)
        at_end[-1] = 1.0
        found = self.corrected(self.curve.moved(q, part * way), end, plane=at_end)
        if found is None:
            return point
        after = self.tangent(*found, tangent)
        used = float(np.linalg.norm(np.append(self.curve.apart(q, found[0]), end - t)))
        return (*found, after, so_far + used, *self.tests(*found, after))

    def _located(
        self, kind: str, q: np.ndarray, t: float, tangent: np.ndarray, h: float, after: int
    ) -> PathEvent | None:
        from scipy.optimize import brentq

        def value(s: float) -> float:
            found = self.corrected(*self.ahead(q, t, s * tangent))
            if found is None:
                raise ModelError.at("trace", "lost on the way to an event")
            here = self.tangent(*found, tangent)
            partials = self.partials(*found)
            matrix = partials[:, :-1] if kind == "turning" else np.vstack([partials, here])
            return float(np.linalg.slogdet(matrix)[0] * np.linalg.svd(matrix, compute_uv=False)[-1])

        try:
            s = brentq(value, 0.0, h, xtol=1e-12 * max(1.0, h))
            found = self.corrected(*self.ahead(q, t, s * tangent))
        except (ModelError, ValueError):
            return None
        if found is None or have_worn(self.curve.partials(*found), self.rows):  # other rows hold on there
            return None
        return self._event(kind, *found, tangent, after)

    def _touched(self, points: list[tuple[Any, ...]], used: float, number: int) -> PathEvent | None:
        """A crossing at which an even number of rows lose rank, around a point; None where the rows do not lose
        rank."""
        from scipy.optimize import minimize_scalar

        (q0, t0, s0, l0, *_), (q1, t1, s1, l1, *_) = points
        back = l1 - l0

        def place(s: float) -> tuple[np.ndarray, float] | None:
            q, t, way = (q0, t0, (s + back) * s0) if s < 0.0 else (q1, t1, s * s1)
            return self.corrected(*self.ahead(q, t, way))

        def nearness(s: float) -> float:
            found = place(s)
            return np.inf if found is None else float(np.linalg.svd(self.partials(*found), compute_uv=False)[-1])

        best = minimize_scalar(
            nearness, bounds=(-back, used), method="bounded", options={"xatol": 1e-10, "maxiter": 80}
        )
        found = place(best.x)
        top = float(np.linalg.norm(self.partials(q1, t1), 2))
        if found is None or best.fun > GIVEN_WAY * top or have_worn(self.curve.partials(*found), self.rows):
            return None
        return self._event("bifurcation", *found, s1, number)

    def _event(self, kind: str, q: np.ndarray, t: float, tangent: np.ndarray, after: int) -> PathEvent:
        singular = np.linalg.svd(self.partials(q, t), compute_uv=False)
        found = (q, t)
        if kind == "turning":
            found = refined_turning(self.curve, self.rows, q, t)
        elif int(np.sum(singular < 1e-4 * singular[0])) <= 1:
            found = refined_bifurcation(self.curve, self.rows, q, t)
        singular = np.linalg.svd(self.partials(*found), compute_uv=False)
        dofs = 1 + int(np.sum(singular < 1e-6 * singular[0]))
        if kind == "turning":
            tangents = self.tangent(*found, tangent)[None]
        else:
            tangents = branch_tangents(self.curve, self.rows, *found, tangent)
        return PathEvent(kind, found[1], found[0], tangents, dofs, after, self.curve, self.rows)

    def _returned(self, first: tuple[Any, ...], points: list[tuple[Any, ...]]) -> bool:
        """Whether the curve has come back to where it began."""
        if len(points) < 4:
            return False
        q, t, tangent = points[-1][:3]
        q0, t0 = points[-2][:2]
        gap = np.append(self.curve.apart(q, first[0]), first[1] - t)
        back = np.append(self.curve.apart(q0, first[0]), first[1] - t0)
        used = points[-1][3] - points[-2][3]
        near = np.linalg.norm(gap) < 1.01 * used and np.linalg.norm(back) < 1.01 * used
        return bool(near and tangent @ first[2] > 0.9)

    def _rechosen(self, points: list[tuple[Any, ...]]) -> None:
        """Takes other rows where those in use have become nearly dependent and others have not."""
        q, t, tangent = points[-1][:3]
        whole = self.curve.partials(q, t)
        if have_worn(whole, self.rows):
            self.rows = independent_rows(whole, len(self.rows))
            points[-1] = (*points[-1][:4], *self.tests(q, t, tangent))


STEP = 1e-5
"""Of the differences of Jacobians [rad, m, s]."""


def refined_turning(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float) -> tuple[np.ndarray, float]:
    """The turning point near a point of the curve, by Newton's method."""
    n = len(rows)
    h = np.linalg.svd(curve.partials(q, t)[rows, :-1])[2][-1]
    k = int(np.argmax(np.abs(h)))
    h = h / h[k]
    for _ in range(6):
        partials = curve.partials(q, t)[rows]
        left = np.concatenate([curve.residual(q, t)[rows], partials[:, :-1] @ h])
        if np.max(np.abs(left)) < 1e-13:
            break
        second = _differences(curve, rows, q, t, _Along(h))
        J = np.zeros((2 * n + 1, 2 * n + 1))
        J[:n, : n + 1], J[n : 2 * n, : n + 1], J[n : 2 * n, n + 1 :] = partials, second, partials[:, :-1]
        J[2 * n, n + 1 + k] = 1.0
        step = np.linalg.lstsq(J, -np.append(left, 0.0), rcond=1e-13)[0]
        if np.linalg.norm(step[: n + 1]) > 0.1:
            break
        q, t, h = curve.moved(q, step[:n]), t + float(step[n]), h + step[n + 1 :]
    return q, t


def refined_bifurcation(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float) -> tuple[np.ndarray, float]:
    """The crossing near a point of the curve, by Newton's method; the point itself where that does not converge."""
    n, start = len(rows), (q, t)
    u = np.linalg.svd(curve.partials(q, t)[rows])[0][:, -1]
    mu = 0.0
    for _ in range(8):
        partials = curve.partials(q, t)[rows]
        left = np.concatenate([curve.residual(q, t)[rows] + mu * u, partials.T @ u, [u @ u - 1.0]])
        if np.max(np.abs(left)) < 1e-13:
            break
        J = np.zeros((2 * n + 2, 2 * n + 2))
        J[:n, : n + 1], J[:n, n + 1], J[:n, n + 2 :] = partials, u, mu * np.eye(n)
        J[n : 2 * n + 1, : n + 1] = _differences(curve, rows, q, t, _Across(u))
        J[n : 2 * n + 1, n + 2 :] = partials.T
        J[2 * n + 1, n + 2 :] = 2.0 * u
        step = np.linalg.lstsq(J, -left, rcond=1e-12)[0]
        if np.linalg.norm(step[: n + 1]) > 0.1:
            return start
        q, t, mu, u = curve.moved(q, step[:n]), t + float(step[n]), mu + float(step[n + 1]), u + step[n + 2 :]
    return (q, t) if abs(mu) < 1e-9 else start


def branch_tangents(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float, along: np.ndarray) -> np.ndarray:
    """Unit tangents of the branches at a crossing, the nearest to `along` first, time going the same way in all."""
    U, singular, V = np.linalg.svd(curve.partials(q, t)[rows])
    if int(np.sum(singular < 1e-6 * singular[0])) != 1:
        return along[None]
    u, a, b = U[:, -1], V[-2], V[-1]

    def form(c: np.ndarray) -> float:
        return float(u @ curve.curvature(q, t, c)[rows])

    aa, bb = form(a), form(b)
    ab = 0.5 * (form(a + b) - aa - bb)
    size = max(abs(aa), abs(bb), abs(ab))
    inside = ab * ab - aa * bb
    if size == 0.0 or inside <= 1e-12 * size**2:
        return along[None]
    # each root in the form that has no cancellation
    large = ab + np.copysign(np.sqrt(inside), ab)
    pairs = [(-large, aa), (-bb, large)]
    found = [x * a + y * b for x, y in pairs]
    found = [one / np.linalg.norm(one) for one in found]
    sides = [one[-1] * along[-1] if abs(one[-1] * along[-1]) > 1e-6 else one @ along for one in found]
    found = [one if side >= 0.0 else -one for one, side in zip(found, sides, strict=True)]
    return np.array(sorted(found, key=lambda one: -abs(one @ along)))


class _Along:
    """Phi_q h of Jacobians."""

    def __init__(self, h: np.ndarray) -> None:
        self.h = h

    def __call__(self, partials: np.ndarray) -> np.ndarray:
        return partials[:, :-1] @ self.h


class _Across:
    """Phi_y^T u of Jacobians."""

    def __init__(self, u: np.ndarray) -> None:
        self.u = u

    def __call__(self, partials: np.ndarray) -> np.ndarray:
        return partials.T @ self.u


def _differences(
    curve: Curve, rows: np.ndarray, q: np.ndarray, t: float, of: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """A function of the Jacobians by displacements and by t, central differences."""
    columns = []
    for k in range(curve.size + 1):
        x = np.zeros(curve.size)
        if k < curve.size:
            x[k] = STEP
        late = STEP if k == curve.size else 0.0
        up = of(curve.partials(curve.moved(q, x), t + late)[rows])
        down = of(curve.partials(curve.moved(q, -x), t - late)[rows])
        columns.append((up - down) / (2.0 * STEP))
    return np.column_stack(columns)
