"""Random overconstrained single loops of eight families, and their motion through every configuration of a turn.

A linkage is a `linkages.Linkage`: n hinges of a closed pose. What it does follows from closure and energy alone
(`Way`): no equation of motion, no row of a constraint and no choice of coordinates is in it, and hinges may stop on the
way. The start is so fast that gravity does not turn it back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from linkages import G, Linkage, bennett_frames, cross_matrix, linkage, rotation
from scipy.optimize import least_squares

import jourdain as jd

LONGEST = 0.2
"""Length of a segment of a path at most [rad]."""
TURN = 0.97
"""Cosine of the angle that the tangent of a path turns by in a segment at most."""
MOST = 4000
"""Segments of a path at most."""


class Singular(Exception):
    """A path that branches, or does not come back."""


@dataclass(frozen=True)
class Round:
    """A linkage and its way round.

    one     the linkage, its own `speed` being a factor on the speed that gravity cannot stop
    weld    whether the loop is closed by a weld of all six rows behind the last hinge, and not by that hinge
    turn    of the frames in which the rows of the closure are laid, about the axis of the last hinge [rad]
    """

    one: Linkage
    weld: bool = False
    turn: float = 0.0

    @property
    def name(self) -> str:
        return self.one.name

    def system(self) -> jd.System:
        """The linkage by itself."""
        system = jd.System(self.name, gravity=tuple(G))
        self.add_to(system)
        return system

    def add_to(self, system: jd.System, prefix: str = "") -> None:
        """Adds a tree of its hinges and what closes it, the names with a prefix."""
        before, to = np.zeros(3), "world"
        links, places, axes = self.one.links, self.one.places, self.one.axes
        if self.weld:
            links = [*links, (0.5, places[-1] + 0.1 * axes[-1], 0.01 * np.eye(3))]
        frame = self._frame()
        for i, (mass, com, J) in enumerate(links):
            at = places[i]
            inertia = (*np.diag(J), J[0, 1], J[0, 2], J[1, 2])
            end = places[i + 1] if i + 1 < len(places) else places[-1]
            frames = {"end": tuple(end - at), "close": jd.Pose(tuple(places[-1] - at), frame)}
            body = jd.RigidBody(f"{prefix}link{i + 1}", mass, tuple(com - at), inertia, frames=frames)
            joint = jd.Revolute(f"{prefix}hinge{i + 1}", axis=tuple(axes[i]))
            system.add(body, joint=joint, to=to, position=tuple(at - before) if i == 0 else (0, 0, 0))
            before, to = end, f"{prefix}link{i + 1}.end"
        closes = jd.Weld(f"{prefix}closure") if self.weld else jd.Revolute(f"{prefix}closure", axis="z")
        last = f"{prefix}link{len(links)}.close"
        system.connect(closes, last, "world", position=tuple(places[-1]), rotation=frame)

    def _frame(self) -> np.ndarray:
        """Axes of the rows: z along the last hinge, x along the last link where nothing turns it, so that rows vanish
        where a linkage is stretched out along it."""
        z = self.one.axes[-1]
        x = self.one.places[-2] - self.one.places[-1]
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x) if np.linalg.norm(x) > 1e-6 else np.linalg.svd(z[None])[2][1]
        return np.column_stack([x, np.cross(z, x), z]) @ rotation(np.array([0.0, 0.0, 1.0]), self.turn)

    @property
    def velocities(self) -> dict[str, float]:
        """Of the hinges in the closed pose."""
        s = self.way.tangent * self.way.speed
        return {f"hinge{i + 1}": s[i] for i in range(self.way.count)}

    def start(self, model: jd.Model) -> jd.State:
        """The closed pose, moving."""
        return model.state(v=self.velocities)

    @cached_property
    def way(self) -> Way:
        return Way(self.one, len(self.one.places) - (0 if self.weld else 1))


class Way:
    """The motion of a linkage once round the curve of its configurations: path by closure alone, time by energy alone.

    The curve is cut into segments. Beyond a point q_k with the tangent s_k, the configuration at the distance h is that
    with (q - q_k) . s_k = h in the angles that a run has, found by Newton's method on the closure; and with
    q' = s w, |s| = 1, the time to get there is the integral of dh / (s . s_k) / w, where m(q) w^2 / 2 + V(q) stays what
    it is at the start. Segments are so short that ten points of Gauss and Legendre leave rounding.

    until       when it is back at its start [s]
    regular     least of the singular values of the screws along it but that of the motion
    """

    def __init__(self, one: Linkage, angles: int) -> None:
        self.one, self.count = one, angles
        n = len(one.places)
        self.J = np.array([self._inertia(mass, com, J) for mass, com, J in one.links])
        at = np.zeros((1, n))
        s = self._tangents(at)[0][0]
        self.tangent = s if s[0] >= 0.0 else -s
        m, V = self._energies(at, self.tangent[None])
        reach = sum(np.linalg.norm(one.places[i + 1] - one.places[i]) for i in range(n - 1)) + 0.1
        most = sum(mass for mass, _, _ in one.links) * np.linalg.norm(G) * 2.0 * reach
        self.speed = one.speed * np.sqrt(2.0 * most / m[0])
        self.energy = 0.5 * m[0] * self.speed**2 + V[0]
        self.regular = np.inf
        self.points, self.tangents, self.lengths, self.times = [at[0]], [self.tangent], [], [0.0]
        while not self._back():
            self._extend()
        self.until = self.times[-1]

    def _back(self) -> bool:
        """Whether the last point is the start, which the last segment ends at."""
        return len(self.lengths) > 3 and bool(np.max(np.abs(wrapped(self.points[-1]))) < 1e-9)

    def _extend(self) -> None:
        """The next segment, which ends at the start where it would pass by it."""
        q, s = self.points[-1], self.tangents[-1]
        h = min(LONGEST, 2.0 * self.lengths[-1]) if self.lengths else LONGEST
        over = -self._along(wrapped(q), s)
        if len(self.lengths) > 3 and 0.0 < over < h and np.max(np.abs(wrapped(q))) < 2.0 * h and s @ self.tangent > 0.0:
            h = over
        while True:
            found = self._segment(q, s, h * np.linspace(0.2, 1.0, 5))
            if found is not None and np.min(found[1] @ s) > TURN and self._is_smooth(q, s, h, found):
                lasts = self._duration(q, s, h)
                if lasts is not None:
                    break
            h *= 0.5
            if h < 1e-7:
                raise Singular(f"{self.one.name}: no way on at {q}")
        if len(self.points) > MOST:
            raise Singular(f"{self.one.name}: no way back")
        self.times.append(self.times[-1] + lasts)
        self.lengths.append(h)
        self.points.append(found[0][-1])
        self.tangents.append(found[1][-1])

    @staticmethod
    def _is_smooth(q: np.ndarray, s: np.ndarray, h: float, found: tuple[np.ndarray, np.ndarray]) -> bool:
        """Whether points at equal distances are those of one curve: chords are along their tangents, to second order in
        the angle that these turn by."""
        points = np.vstack([q, found[0]])
        tangents = np.vstack([s, found[1]])
        chords = np.diff(points, axis=0)
        chords /= np.linalg.norm(chords, axis=1)[:, None]
        middle = tangents[1:] + tangents[:-1]
        middle /= np.linalg.norm(middle, axis=1)[:, None]
        return bool(np.min(np.sum(chords * middle, axis=1)) > 1.0 - 0.1 * (1.0 - TURN))

    def _along(self, change: np.ndarray, s: np.ndarray) -> np.ndarray:
        """(q - q_k) . s_k in the angles that a run has, s_k of length one in them."""
        u = s[: self.count]
        return change[..., : self.count] @ (u / np.linalg.norm(u))

    def _segment(self, q: np.ndarray, s: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Points (k, n) at the distances h (k,), and tangents; None where Newton's method does not get there."""
        n, u = len(q), np.zeros(len(q))
        u[: self.count] = s[: self.count] / np.linalg.norm(s[: self.count])
        x = q + np.outer(h, s) / (u @ s)
        for _ in range(12):
            S, gap = self._closure(x)
            rows = np.concatenate([np.swapaxes(S, 1, 2), np.broadcast_to(u, (len(h), 1, n))], axis=1)
            right = np.concatenate([gap, ((x - q) @ u - h)[:, None]], axis=1)
            step = np.linalg.pinv(rows, rcond=1e-7) @ right[:, :, None]
            x = x - step[:, :, 0]
            if np.max(np.abs(step)) < 1e-14:
                break
        else:
            if np.max(np.abs(step)) > 1e-11:
                return None
        tangents, least = self._tangents(x)
        self.regular = min(self.regular, least)
        return x, tangents * np.sign(tangents @ s)[:, None]

    def _duration(self, q: np.ndarray, s: np.ndarray, h: float) -> float | None:
        """Time [s] for the first h of a segment; None where Newton's method fails there."""
        nodes, weights = np.polynomial.legendre.leggauss(10)
        found = self._segment(q, s, 0.5 * h * (1.0 + nodes))
        if found is None:
            return None
        m, V = self._energies(*found)
        speed = np.sqrt(2.0 * (self.energy - V) / m)
        return float(0.5 * h * np.sum(weights / (self._along(found[1], s) * speed)))

    def error(self, times: np.ndarray, angles: np.ndarray) -> float:
        """Largest error of the angles (times, angles) of a run: off the curve, and along it [rad]."""
        worst = 0.0
        for t, q in zip(times, angles, strict=True):
            k = int(np.clip(np.searchsorted(self.times, t) - 1, 0, len(self.lengths) - 1))
            h = float(self._along(q - self.points[k][: self.count], self.tangents[k]))
            found = self._segment(self.points[k], self.tangents[k], np.array([h]))
            if found is None:
                return np.inf
            m, V = self._energies(*found)
            lasts = self._duration(self.points[k], self.tangents[k], h)
            if lasts is None:
                return np.inf
            late = self.times[k] + lasts - t
            v = found[1][0] * np.sqrt(2.0 * (self.energy - V[0]) / m[0])
            off = np.abs(found[0][0] - np.append(q, found[0][0][self.count :])) + np.abs(v * late)
            worst = max(worst, float(np.max(off[: self.count])))
        return worst

    def off(self, k: int, q: np.ndarray) -> float:
        """How far angles (angles,) beyond point k are from the curve [rad]."""
        h = float(self._along(q - self.points[k][: self.count], self.tangents[k]))
        found = self._segment(self.points[k], self.tangents[k], np.array([h]))
        return np.inf if found is None else float(np.max(np.abs(found[0][0][: self.count] - q)))

    @staticmethod
    def _inertia(mass: float, com: np.ndarray, J: np.ndarray) -> np.ndarray:
        """About the world's origin in the closed pose (6, 6), of twists."""
        tilde = cross_matrix(com)
        return np.block([[J - mass * tilde @ tilde, mass * tilde], [-mass * tilde, mass * np.eye(3)]])

    def _screws(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """At angles (k, n): screws (k, n, 6), and rotations (n, k, 3, 3) and places of the frames behind the hinges."""
        R, p = np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3))
        S, turns, places = [], [], []
        for i, (place, axis) in enumerate(zip(self.one.places, self.one.axes, strict=True)):
            a = R @ axis
            S.append(np.concatenate([a, np.cross(R @ place + p, a)], axis=1))
            tilde = cross_matrix(axis)
            turn = np.eye(3) + np.multiply.outer(np.sin(q[:, i]), tilde)
            turn = turn + np.multiply.outer(1.0 - np.cos(q[:, i]), tilde @ tilde)
            p = p + np.einsum("kij,kj->ki", R, place - turn @ place)
            R = R @ turn
            turns.append(R)
            places.append(p)
        return np.stack(S, axis=1), np.array(turns), np.array(places)

    def _closure(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Screws, and how far the frame behind the last hinge is from where it is to be, as a twist (k, 6)."""
        S, turns, places = self._screws(q)
        R = turns[-1]
        turned = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
        return S, np.concatenate([turned, places[-1]], axis=1)

    def _tangents(self, q: np.ndarray) -> tuple[np.ndarray, float]:
        """Directions (k, n) of the motion, and the least singular value but theirs."""
        n = q.shape[1]
        _, d, Vt = np.linalg.svd(np.swapaxes(self._screws(q)[0], 1, 2))
        return Vt[:, n - 1], float(np.min(d[:, n - 2]))

    def _energies(self, q: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """m (k,) of the kinetic energy m w^2 / 2 in motion along s (k, n), and the potential energy V."""
        S, turns, places = self._screws(q)
        moved = np.cumsum(S * s[:, :, None], axis=1)
        m, V = np.zeros(len(q)), np.zeros(len(q))
        for b, (mass, com, _) in enumerate(self.one.links):
            R, p, twist = turns[b], places[b], moved[:, b]
            # the link's twist, seen from the closed pose
            angular = np.einsum("kji,kj->ki", R, twist[:, :3])
            linear = np.einsum("kji,kj->ki", R, twist[:, 3:] + np.cross(twist[:, :3], p))
            own = np.concatenate([angular, linear], axis=1)
            m += np.einsum("ki,ij,kj->k", own, self.J[b], own)
            V -= mass * (R @ com + p) @ G
        return m, V


def wrapped(angles: np.ndarray) -> np.ndarray:
    """Between -pi and pi."""
    return (angles + np.pi) % (2.0 * np.pi) - np.pi


def line_symmetric(rng: np.random.Generator) -> tuple[list, list]:
    """Bricard's line-symmetric linkage: three hinges and their images under a half-turn (Bricard 1897)."""
    places, axes = rng.uniform(-1.0, 1.0, (3, 3)), unit_rows(rng, 3)
    places[:, 0] += 1.0
    half = np.diag([-1.0, -1.0, 1.0])
    return [*places, *(places @ half)], [*axes, *(axes @ half)]


def plane_symmetric(rng: np.random.Generator) -> tuple[list, list]:
    """Bricard's plane-symmetric linkage: two hinges in a plane, two beside it, and their images in it."""
    mirror = np.diag([1.0, -1.0, 1.0])
    places, axes = rng.uniform(-1.0, 1.0, (4, 3)), unit_rows(rng, 4)
    places[[0, 3], 1] = axes[[0, 3], 1] = 0.0
    places[[1, 2], 1] = rng.uniform(0.3, 1.2, 2)
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    # of mirrored hinges the turn has the other sense, which the sign of an axis does not matter to
    return [*places, places[2] @ mirror, places[1] @ mirror], [*axes, axes[2] @ mirror, axes[1] @ mirror]


def trihedral(rng: np.random.Generator) -> tuple[list, list]:
    """Bricard's trihedral linkage: twists 90 and 270 degrees in turn, no offsets, and the squares of every other
    length of one sum."""
    while True:
        a = rng.uniform(0.4, 1.0, 6)
        last = a[0] ** 2 + a[2] ** 2 + a[4] ** 2 - a[1] ** 2 - a[3] ** 2
        if not 0.1 < last < 1.5:
            continue
        a[5] = np.sqrt(last)
        found = closed(a, np.radians([90.0, 270.0] * 3), rng)
        if found is not None:
            return found


def closed(lengths: np.ndarray, twists: np.ndarray, rng: np.random.Generator) -> tuple[list, list] | None:
    """A closed pose of hinges with Denavit & Hartenberg's lengths and twists, no offsets; None where none is found."""

    def frames(q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        R, p, out = np.eye(3), np.zeros(3), []
        for angle, length, twist in zip(q, lengths, twists, strict=True):
            out.append((R, p))
            R = R @ rotation(np.array([0.0, 0.0, 1.0]), angle)
            p = p + R @ [length, 0.0, 0.0]
            R = R @ rotation(np.array([1.0, 0.0, 0.0]), twist)
        return [*out, (R, p)]

    def gap(q: np.ndarray) -> np.ndarray:
        R, p = frames(q)[-1]
        return np.concatenate([(R - np.eye(3)).ravel(), p])

    for _ in range(30):
        found = least_squares(gap, rng.uniform(-np.pi, np.pi, len(lengths)), xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if np.max(np.abs(found.fun)) < 1e-13:
            hinges = frames(found.x)[:-1]
            return [p for _, p in hinges], [R[:, 2] for R, _ in hinges]
    return None


def bennett(rng: np.random.Generator) -> tuple[list, list]:
    """Bennett's linkage."""
    alpha, beta = np.radians(rng.uniform(15.0, 85.0)), np.radians(rng.uniform(15.0, 165.0))
    a = rng.uniform(0.3, 1.0)
    frames = bennett_frames(a, a * np.sin(beta) / np.sin(alpha), alpha, beta, rng.uniform(-3.0, 3.0))
    return [p for _, p in frames], [R[:, 2] for R, _ in frames]


def goldberg(rng: np.random.Generator) -> tuple[list, list]:
    """Goldberg's linkage of five hinges, of two of Bennett's that share a link (`linkages.goldberg`)."""
    alpha, beta, gamma = np.radians(rng.uniform((20.0, 15.0, 15.0), (85.0, 165.0, 165.0)))
    a = rng.uniform(0.3, 1.0)
    one = bennett_frames(a, a * np.sin(beta) / np.sin(alpha), alpha, beta, rng.uniform(0.3, 2.8))
    two = bennett_frames(a, a * np.sin(gamma) / np.sin(alpha), alpha, gamma, rng.uniform(-2.8, -0.3))
    ends = [frames[1][1] - frames[0][1] for frames in (one, two)]
    bases = []
    for frames, end in zip((one, two), ends, strict=True):
        x, z = end / np.linalg.norm(end), frames[0][0][:, 2]
        bases.append(np.column_stack([x, np.cross(z, x), z]))
    turn = bases[0] @ bases[1].T
    moved = [(turn @ R, one[0][1] + turn @ (p - two[0][1])) for R, p in two]
    hinges = [one[3], moved[3], moved[2], one[1], one[2]]
    return [p for _, p in hinges], [R[:, 2] for R, _ in hinges]


def sarrus(rng: np.random.Generator) -> tuple[list, list]:
    """Sarrus' linkage: a crank that turns round in one leg, and a leg that never straightens."""
    r, l = rng.uniform(0.15, 0.3), rng.uniform(0.6, 0.9)
    angle = rng.uniform(-np.pi, np.pi)
    height = r * np.sin(angle) + np.sqrt(l**2 - (r * np.cos(angle)) ** 2)
    # the other leg reaches all heights from l - r to l + r
    m, n = rng.uniform(0.62, 0.7, 2) * (l + r)
    corner = np.array([np.sqrt(max(m**2 - ((height**2 + m**2 - n**2) / (2.0 * height)) ** 2, 0.0)),
                       (height**2 + m**2 - n**2) / (2.0 * height)])  # fmt: skip
    lean = rng.uniform(0.5, 2.6)
    u, w = np.array([1.0, 0.0, 0.0]), np.array([np.cos(lean), np.sin(lean), 0.0])
    z = np.array([0.0, 0.0, 1.0])
    at = rng.uniform(0.2, 0.6, 2)
    foot, knee = at[0] * u, at[0] * u + r * (np.cos(angle) * u + np.sin(angle) * z)
    other = at[1] * w
    places = [foot, knee, foot + height * z, other + height * z, other + corner[0] * w + corner[1] * z, other]
    across, along = np.cross(z, u), np.cross(z, w)
    return places, [across] * 3 + [along] * 3


def spherical(rng: np.random.Generator) -> tuple[list, list]:
    """A spherical four-bar: all axes meet in a point, hinges anywhere along them."""
    axes = unit_rows(rng, 4)
    return list(axes * rng.uniform(0.4, 1.0, (4, 1))), list(axes)


def planar(rng: np.random.Generator) -> tuple[list, list]:
    """A planar four-bar, turned somehow, hinges anywhere along their axes."""
    flat = np.zeros((4, 3))
    flat[:, :2] = rng.uniform(-0.8, 0.8, (4, 2))
    flat[:, 2] = rng.uniform(-0.2, 0.2, 4)
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return list(flat @ R.T), [R[:, 2]] * 4


def unit_rows(rng: np.random.Generator, n: int) -> np.ndarray:
    rows = rng.normal(size=(n, 3))
    return rows / np.linalg.norm(rows, axis=1)[:, None]


FAMILIES: dict[str, Callable[[np.random.Generator], tuple[list, list]]] = {
    "Bennett": bennett,
    "line-symmetric": line_symmetric,
    "plane-symmetric": plane_symmetric,
    "trihedral": trihedral,
    "Goldberg": goldberg,
    "Sarrus": sarrus,
    "spherical": spherical,
    "planar": planar,
}


def random_linkage(family: str, number: int) -> Round:
    """Linkage `number` of a family: half of them closed by a weld, half with rows along the last link."""
    rng = np.random.default_rng([sorted(FAMILIES).index(family), number])
    places, axes = FAMILIES[family](rng)
    first = int(rng.integers(len(places)))
    places, axes = (np.roll(np.array(x), -first, axis=0) for x in (places, axes))
    one = linkage(f"{family} {number}", places, axes, float(rng.uniform(1.05, 1.6)))
    return Round(one, weld=number % 4 == 3, turn=0.0 if number % 2 == 0 else float(rng.uniform(0.0, np.pi)))
