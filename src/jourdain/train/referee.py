"""What a flight was worth: the same rules as in the page, over the samples of a run.

Everything is looked at every `plant.PERIOD`, when the pilot's commands change: where the two frames of the goal are to
each other, the greatest force, thrust, and whether anything touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from .lesson import Lesson
from .plant import CONTACTS, DEPTH, GRAPPLES, PERIOD, STRUTS, ends, ring, strut_length

if TYPE_CHECKING:
    from ..results.run import Run

IMPULSE = 220.0 * 9.80665
"""Of a kilogram of fuel: a specific impulse of 220 s [N s/kg]."""
TOUCH = 1.0
"""A contact with less force is none [N]."""
APART = 0.5
"""Contacts that follow each other within this time are one collision [s]."""


@dataclass(frozen=True)
class Samples:
    """What is looked at, every `PERIOD`, one row each.

    distance, aside, angle, speed    of the two frames of the goal [m, m, deg, m/s]
    force       the greatest of all contacts and of what a closed grapple pulls with [N]
    touching    force of the contacts alone [N]
    thrust      sum of the magnitudes of the craft's thrusters [N]
    """

    time: np.ndarray
    distance: np.ndarray
    aside: np.ndarray
    angle: np.ndarray
    speed: np.ndarray
    force: np.ndarray
    touching: np.ndarray
    thrust: np.ndarray


@dataclass(frozen=True)
class Score:
    """What came of a flight.

    outcome     "done", "time" (it ran out) or "left" (ended by the pilot)
    measures    by name, as `lesson.MEASURES`
    points      by name, and for having done it: "done"
    total       of 100
    """

    outcome: str
    measures: dict[str, float]
    points: dict[str, float]
    total: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"outcome": self.outcome, "measures": self.measures, "points": self.points, "total": self.total}


def relation(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Distance, distance from the axis of the second, angle [deg] and speed of two frames (nt, 13)."""
    apart = second[:, :3] - first[:, :3]
    axis = Q.rotate(second[:, 3:7], np.array([1.0, 0.0, 0.0]))
    along = np.einsum("ij,ij->i", apart, axis)
    aside = np.linalg.norm(apart - along[:, None] * axis, axis=1)
    turn = np.linalg.norm(Q.logarithm(Q.multiply(Q.conjugate(first[:, 3:7]), second[:, 3:7])), axis=1)
    speed = np.linalg.norm(second[:, 10:] - first[:, 10:], axis=1)
    return np.linalg.norm(apart, axis=1), aside, np.degrees(np.minimum(turn, 2.0 * np.pi - turn)), speed


def grapple_force(name: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Force [N] (nt,) with which the six struts of a closed grapple draw frames (nt, 13) together."""
    stiffness, damping = STRUTS[name]
    tops, bases = ring(DEPTH, 0.0), ring(0.0, np.pi / 3.0)
    total = np.zeros((len(first), 3))
    for i, j in ends():
        points, rates = [], []
        for frame, place in ((first, tops[i]), (second, bases[j])):
            arm = Q.rotate(frame[:, 3:7], place)
            points.append(frame[:, :3] + arm)
            rates.append(frame[:, 10:] + np.cross(frame[:, 7:10], arm))
        apart = points[1] - points[0]
        length = np.linalg.norm(apart, axis=1)
        way = apart / length[:, None]
        rate = np.einsum("ij,ij->i", rates[1] - rates[0], way)
        total += (stiffness * (length - strut_length()) + damping * rate)[:, None] * way
    return np.linalg.norm(total, axis=1)


def samples_of(run: Run, lesson: Lesson, closed: dict[str, float], commands: np.ndarray) -> Samples:
    """What the referee looks at, from a run whose samples are `PERIOD` apart.

    closed      grapples that were closed, and since when [s]
    commands    (rows, 18) that it was flown with
    """
    time = np.asarray(run.time)
    first, second = (_motion(run, address) for address in GRAPPLES[lesson.goal.pair])
    touching = np.max([np.linalg.norm(run.contact[name].force.values, axis=1) for name in CONTACTS], axis=0)
    force = touching.copy()
    for name, since in closed.items():
        pulled = grapple_force(name, *(_motion(run, address) for address in GRAPPLES[name]))
        force = np.where(time >= since - 1e-9, np.maximum(force, pulled), force)
    rows = np.minimum((time / PERIOD + 0.5).astype(int), len(commands) - 1)
    thrust = np.abs(commands[rows, 9:12]).sum(axis=1)
    return Samples(time, *relation(first, second), force, touching, thrust)


def _motion(run: Run, address: str) -> np.ndarray:
    """Position, quaternion, angular velocity and velocity (nt, 13) of a frame."""
    one = run.frame(address)
    parts = (one.position, one.quaternion, one.angular_velocity, one.velocity)
    return np.concatenate([np.asarray(part) for part in parts], axis=1)


def within(lesson: Lesson, samples: Samples) -> np.ndarray:
    """Whether the frames are to each other as the goal wants them (nt,)."""
    goal = lesson.goal
    least, greatest = goal.distance
    near = (samples.distance >= least) & (samples.distance <= greatest) & (samples.aside <= goal.aside)
    return near & (samples.angle <= goal.angle) & (samples.speed <= goal.speed)


def collisions(samples: Samples) -> int:
    """How often something touched that had been free for `APART`."""
    times = samples.time[samples.touching > TOUCH]
    return 0 if not len(times) else 1 + int(np.sum(np.diff(times) > APART))


def score(lesson: Lesson, samples: Samples, connected: float | None) -> Score:
    """What a flight is worth.

    connected   when the goal's grapple was closed [s]; None where it was not
    """
    good, goal, time = within(lesson, samples), lesson.goal, samples.time
    finished, angle = False, float(samples.angle[-1])
    if goal.kind == "connect":
        if connected is not None:
            at = int(np.searchsorted(time, connected - 1e-9))
            finished = bool(good[at] and time[-1] >= connected + goal.seconds - 1e-9)
            angle = float(samples.angle[at])
    else:
        held = 0.0
        for one in good[1:]:
            held = held + PERIOD if one else 0.0 if goal.at_once else held
        finished = held >= goal.seconds - 1e-9
        angle = float(samples.angle[good].mean()) if good.any() else angle
    measures = {
        "time": float(time[-1]),
        "force": float(samples.force.max()),
        "angle": angle,
        "fuel": float(samples.thrust[:-1].sum()) * PERIOD / IMPULSE,
        "collisions": float(collisions(samples)),
    }
    outcome = "done" if finished else "time" if time[-1] >= lesson.limit - 1e-9 else "left"
    return scored(lesson, outcome, measures)


def scored(lesson: Lesson, outcome: str, measures: dict[str, float]) -> Score:
    """Points for measures; who has not done the task gets those for force, fuel and collisions at half."""
    share = 1.0 if outcome == "done" else 0.5
    points = {"done": lesson.done if outcome == "done" else 0.0}
    for name, marks in lesson.marks.items():
        lost = outcome != "done" and name in ("time", "angle")
        points[name] = 0.0 if lost else share * marks.of(measures[name])
    return Score(outcome, measures, points, sum(points.values()))
