"""Where a search begins: a guess of the whole trajectory, and the sizes that its unknowns have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown
from .schemes import TimeMesh
from .transcription import DecisionVariables

if TYPE_CHECKING:
    from .problem import Problem

SMALL = 1e-12
"""What is not larger than this in the guess says nothing of how large it will be."""


def first_guess(problem: Problem, mesh: TimeMesh, guess: Any) -> DecisionVariables:
    """States, inputs, final time and parameters at the nodes of a mesh.

    Without a guess states go from the beginning to the end, straight where velocities are states of a system's own and
    by a smooth step for the coordinates of a model, whose inputs are then those of its inverse dynamics.
    """
    if guess is not None:
        return _given(problem, mesh, guess)
    own = problem.guessed(mesh)
    if own is not None:
        return own
    task = problem.task
    T = _middle(task.duration)
    start = problem.start
    end = np.array([_nearest(pair, value) for pair, value in zip(task.x_end, start, strict=True)])
    p = np.array([_middle(pair) for pair in task.p])
    if problem.model is not None:
        return DecisionVariables(*_smooth(problem, mesh, start, end, T), T, p)
    X = start + mesh.times[:, None] * (end - start)
    X = np.clip(X, task.x[:, 0], task.x[:, 1])
    U = np.tile([_middle(pair) for pair in task.u], (mesh.size, 1)).reshape(mesh.size, task.nu)
    return DecisionVariables(X, U, T, p)


def _smooth(
    problem: Problem, mesh: TimeMesh, start: np.ndarray, end: np.ndarray, T: float
) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of a model by a step without jumps of acceleration, and what its inputs take for it."""
    plant: Any = problem.plant
    model, s = plant.model, mesh.times
    step = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    rate = 30.0 * s**2 * (1.0 - s) ** 2 / T
    second = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / T**2
    q0, q1 = start[: model.nq], end[: model.nq]
    q = q0 + step[:, None] * (q1 - q0)
    for j in model.quaternions:
        q[:, j : j + 4] /= np.linalg.norm(q[:, j : j + 4], axis=1)[:, None]
    v, a = np.zeros((len(s), model.nv)), np.zeros((len(s), model.nv))
    for k, j in enumerate(model.arrays.q_index):
        if j >= 0:
            v[:, k], a[:, k] = rate * (q1 - q0)[j], second * (q1 - q0)[j]
    states = model.states(q, v)
    U = np.asarray(model.inverse_dynamics(states, a))[:, plant.actuated]
    low, high = problem.task.u.T
    return np.concatenate([q, v], axis=1), np.clip(U, low, high)


def _given(problem: Problem, mesh: TimeMesh, guess: Any) -> DecisionVariables:
    task = problem.task
    if hasattr(guess, "point"):
        X, U = guess.sample(guess.problem.task.begin + guess.point.T * mesh.times)
        if X.shape[1] != task.nx or U.shape[1] != task.nu:
            raise ModelError.at("guess", "has other states or inputs than the problem; give one of the same plant")
        return DecisionVariables(X, U, float(np.clip(guess.point.T, *task.duration)), guess.point.p)
    if hasattr(guess, "record") and problem.model is not None:
        plant: Any = problem.plant
        record = guess.record
        T = float(np.clip(record.time[-1] - record.time[0], *task.duration))
        at = record.time[0] + mesh.times * (record.time[-1] - record.time[0])
        columns = np.concatenate([record.q, record.v, record.effort[:, plant.actuated]], axis=1)
        if columns.shape[1] != task.nx + task.nu:
            raise ModelError.at("guess", "is a run of another model; give one of the same")
        found = np.stack([np.interp(at, record.time, column) for column in columns.T], axis=1)
        return DecisionVariables(found[:, : task.nx], found[:, task.nx :], T, np.zeros(0))
    raise ModelError.at("guess", f"got {shown(guess)}; give a trajectory, or a run of the model")


def sizes(problem: Problem, mesh: TimeMesh, point: DecisionVariables) -> np.ndarray:
    """What an unknown of one stands for: the span of its limits where it has both, or else of the guess."""
    task = problem.task
    x = np.array([_size(pair, column) for pair, column in zip(task.x, point.X.T, strict=True)])
    u = np.array([_size(pair, column) for pair, column in zip(task.u, point.U.T, strict=True)]).reshape(task.nu)
    p = np.array([_size(pair, np.array([value])) for pair, value in zip(task.p, point.p, strict=True)])
    inner = np.tile(np.concatenate([x, u]), mesh.size)
    return np.concatenate([inner, [max(point.T, 1e-6)], p.reshape(-1)])


def _size(pair: np.ndarray, values: np.ndarray) -> float:
    span = max(abs(pair[0]), abs(pair[1])) if np.all(np.isfinite(pair)) else 0.0
    guessed = float(np.max(np.abs(values), initial=0.0))
    found = max(span, guessed if guessed > SMALL else 0.0)
    return float(found) if found > 0.0 else 1.0


def _middle(pair: np.ndarray) -> float:
    low, high = pair
    if np.isfinite(low) and np.isfinite(high):
        return float(0.5 * (low + high))
    return float(low if np.isfinite(low) and low > 0.0 else high if np.isfinite(high) and high < 0.0 else 0.0)


def _nearest(pair: np.ndarray, value: float) -> float:
    return float(np.clip(value, *pair))
