"""Crawling on a rough plane without inertia: masses at the ends of links that are turned infinitely slowly.

Figurina 2002 (NATO ASI): massless links join a centre A0 with end points A1 ... An; every point carries a mass and rubs
on the plane. With weight and coefficient of friction taken out of the forces,

    F_i = -m_i v_i / |v_i| where a point moves,  |F_i| <= m_i where it rests,
    sum F_i = 0,  sum r_i x F_i = 0.

These are the conditions under which the velocities make sum m_i |v_i|, the power lost, least among all that have the
given joint rates: a convex problem in three unknowns, the velocity of the centre and a common rate of turn. It is
solved with |v| rounded off to sqrt(v^2 + e^2), e falling, by Newton's method; then the points that rest are held, and
the others solved for without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, is_whole, shown

ROUNDING = 10.0 ** -np.arange(1.0, 10.0)
"""Speeds at which |v| is rounded off, one after the other, over the largest speed of a link's end."""
RESTS = 1e-6
"""Speed below which a point is taken to rest, over the same; the solution says whether it does."""
NEWTON = 60
"""Iterations at most at each rounding."""


@checked
@dataclass(frozen=True, eq=False)
class Slide:
    """How a crawler moves at an instant.

    velocity    of the centre and of the ends (points, 2) [m/s]
    turn        rate at which all links turn besides their joints [rad/s]
    force       of friction (points, 2), in units of weight times coefficient of friction over mass
    moves       which points do not rest (points,)
    """

    velocity: np.ndarray
    turn: float
    force: np.ndarray
    moves: np.ndarray


@checked
@dataclass(frozen=True, eq=False)
class Crawl:
    """The way of a crawler.

    angles      of the links relative to the first (times, links - 1) [rad]
    points      places of the centre and of the ends (times, points, 2) [m]
    heading     of the first link (times,) [rad]
    moves       which points moved on the way to each time (times, points); of the first, from there on
    """

    angles: np.ndarray
    points: np.ndarray
    heading: np.ndarray
    moves: np.ndarray


@checked
class Crawler:
    """Links from a centre, with masses in the centre and at their ends, on a plane with dry friction.

    lengths    of the links [m]
    masses     of the centre, then of the ends [kg]
    """

    def __init__(self, lengths: Sequence[float] | np.ndarray, masses: Sequence[float] | np.ndarray) -> None:
        self.lengths, self.masses = as_array(lengths, "lengths"), as_array(masses, "masses")
        if self.lengths.ndim != 1 or len(self.lengths) < 2:
            raise ModelError.at("lengths", f"got {shown(lengths)}; give those of two links or more")
        if self.masses.shape != (len(self.lengths) + 1,):
            wanted = f"give {len(self.lengths) + 1}: that of the centre, then of the ends"
            raise ModelError.at("masses", f"got {shown(masses)}; {wanted}")
        for what, given in (("lengths", self.lengths), ("masses", self.masses)):
            if not np.all(np.isfinite(given)) or np.any(given <= 0.0):
                raise ModelError.at(what, f"got {shown(given)}; give numbers above 0")

    def points(self, centre: ArrayLike, directions: ArrayLike) -> np.ndarray:
        """Places (points, 2) of centre and ends, links pointing along directions [rad]."""
        arms = self.lengths[:, None] * _unit(as_array(directions, "directions"))
        return as_array(centre, "centre") + np.vstack([np.zeros(2), arms])

    def slide(self, directions: ArrayLike, rates: ArrayLike, near: Slide | None = None) -> Slide:
        """The motion while links turn.

        directions    of the links, from the centre outwards [rad]
        rates         at which the joints turn the links, up to a common one, which is found [rad/s]
        near          a motion that is likely to be near: its resting points are tried first

        Where several motions are possible (Figurina's star with a light centre) the one is taken to which the rounded
        problem tends.
        """
        angles, turning = (as_array(one, what) for one, what in ((directions, "directions"), (rates, "rates")))
        for what, given in (("directions", angles), ("rates", turning)):
            if given.shape != self.lengths.shape or not np.all(np.isfinite(given)):
                raise ModelError.at(what, f"got {shown(given)}; give {len(self.lengths)} finite numbers, one a link")
        across = np.stack([-np.sin(angles), np.cos(angles)], axis=1) * self.lengths[:, None]
        n = len(self.masses)
        A = np.zeros((n, 2, 3))
        A[:, 0, 0] = A[:, 1, 1] = 1.0
        A[1:, :, 2] = across
        b = np.vstack([np.zeros(2), turning[:, None] * across])
        scale = float(np.max(np.linalg.norm(b, axis=1)))
        if scale == 0.0:
            return Slide(np.zeros((n, 2)), 0.0, np.zeros((n, 2)), np.zeros(n, bool))
        if near is not None:
            rests = ~near.moves
            x = self._exact(A, b, np.array([*near.velocity[0], near.turn]), rests)
            found = self._motion(A, b, x, rests)
            if _holds(found, A, self.masses, scale):
                return found
        x = np.array([0.0, 0.0, -np.mean(turning)])
        for rounding in ROUNDING:
            x = _least(A, b, self.masses, x, rounding * scale)
        rests = np.linalg.norm(A @ x + b, axis=1) < RESTS * scale
        return self._motion(A, b, self._exact(A, b, x, rests), rests)

    def _exact(self, A: np.ndarray, b: np.ndarray, x: np.ndarray, rests: np.ndarray) -> np.ndarray:
        """The solution with some points held."""
        free = np.eye(3)
        if np.any(rests):
            held = A[rests].reshape(-1, 3)
            x = x - np.linalg.pinv(held) @ (held @ x + b[rests].ravel())
            values, V = np.linalg.svd(held)[1:]
            free = V[int(np.sum(values > 1e-9 * values[0])) :].T
        if free.shape[1] and not np.all(rests):
            moved, tiny = A[~rests], 1e-6 * RESTS * float(np.max(np.linalg.norm(b, axis=1)))
            y = _least(moved @ free, moved @ x + b[~rests], self.masses[~rests], np.zeros(free.shape[1]), tiny)
            x = x + free @ y
        return x

    def _motion(self, A: np.ndarray, b: np.ndarray, x: np.ndarray, rests: np.ndarray) -> Slide:
        """The motion x, with the forces of friction."""
        w = A @ x + b
        w[rests] = 0.0
        force = np.zeros_like(w)
        speeds = np.linalg.norm(w[~rests], axis=1)
        force[~rests] = -self.masses[~rests, None] * w[~rests] / np.maximum(speeds, 1e-300)[:, None]
        if np.any(rests):  # the least forces of the points at rest that balance the others
            load = -np.einsum("nij,ni->j", A, force)
            held = np.linalg.lstsq(A[rests].reshape(-1, 3).T, load, rcond=None)[0]
            force[rests] = held.reshape(-1, 2)
        return Slide(w, float(x[2]), force, ~rests)

    def crawl(self, gait: ArrayLike, *, steps: int = 100, centre: ArrayLike = (0, 0), heading: float = 0.0) -> Crawl:
        """The way while the joints go through a gait.

        gait       angles of the other links relative to the first (stations, links - 1) [rad]; straight in between
        steps      between two stations; the midpoint rule, so that errors fall with their square
        centre     where it begins [m]
        heading    of the first link there [rad]
        """
        stations = as_array(gait, "gait")
        links = len(self.lengths)
        if stations.ndim != 2 or stations.shape[1] != links - 1 or len(stations) < 2:
            wanted = f"give (stations, {links - 1}), two stations or more"
            raise ModelError.at("gait", f"has shape {stations.shape}; {wanted}")
        if not is_whole(steps) or steps < 1:
            raise ModelError.at("steps", f"got {shown(steps)}; give a whole number, 1 or more")
        place, turned = as_array(centre, "centre"), float(heading)
        angles, places, headings, moves = [stations[0]], [place], [turned], []
        now: Slide | None = None
        for first, last in zip(stations[:-1], stations[1:], strict=True):
            rates = np.append(0.0, (last - first) / steps)
            for k in range(steps):
                relative = np.append(0.0, first) + k * rates
                begun = self.slide(turned + relative, rates, now if k else None)
                now = self.slide(turned + 0.5 * begun.turn + relative + 0.5 * rates, rates, begun)
                place, turned = place + now.velocity[0], turned + now.turn
                angles.append(first + (k + 1) * rates[1:])
                places.append(place)
                headings.append(turned)
                moves.append(now.moves)
        ways = [
            self.points(where, way + np.append(0.0, bend))
            for where, way, bend in zip(places, headings, angles, strict=True)
        ]
        return Crawl(np.array(angles), np.array(ways), np.array(headings), np.array([moves[0], *moves]))


def _unit(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _holds(found: Slide, A: np.ndarray, masses: np.ndarray, scale: float) -> bool:
    """Whether forces are in balance, none is above what friction can do, and points that move do so."""
    left = np.einsum("nij,ni->j", A, found.force)
    speeds, loads = np.linalg.norm(found.velocity, axis=1), np.linalg.norm(found.force, axis=1)
    balanced = bool(np.max(np.abs(left)) < 1e-9 * np.sum(masses))
    return balanced and bool(np.all(loads <= masses * (1 + 1e-9))) and bool(np.all(speeds[found.moves] > RESTS * scale))


def _least(A: np.ndarray, b: np.ndarray, masses: np.ndarray, x: np.ndarray, rounding: float) -> np.ndarray:
    """The x that makes sum m sqrt(|A x + b|^2 + rounding^2) least, by Newton's method with halved steps."""

    def lost(w: np.ndarray) -> float:
        return float(masses @ np.sqrt(np.sum(w * w, axis=1) + rounding**2))

    w = A @ x + b
    now = lost(w)
    for _ in range(NEWTON):
        speed = np.sqrt(np.sum(w * w, axis=1) + rounding**2)
        along = np.einsum("nij,ni->nj", A, w / speed[:, None])
        slope = masses @ along
        if np.max(np.abs(slope)) < 1e-13 * np.sum(masses):
            return x
        bent = np.einsum("nij,nik->njk", A, A) - along[:, :, None] * along[:, None, :]
        H = np.einsum("n,njk->jk", masses / speed, bent)
        step = -np.linalg.lstsq(H, slope, rcond=1e-14)[0]
        size = 1.0
        while size > 1e-12:
            then = A @ (x + size * step) + b
            if lost(then) <= now * (1.0 + 1e-15):
                break
            size *= 0.5
        else:
            return x
        x, w, now = x + size * step, then, lost(then)
    return x
