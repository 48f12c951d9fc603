"""What the drives of a machine do at its tool, at one configuration: speeds, forces, stiffness, accelerations.

With the task's velocities x' and the drives' s' = J x', virtual work gives the force of the drives on the task, J^T F.
Drives of stiffness k hold the task with K = J^T diag(k) J; it moves by M x'' + h = J^T F, M = R^T M R and h = R^T bias
on the null space R of the loops (Sika, Valasek, Bauma & Vampola 2002; Belda, Bohm & Valasek 2002, eq. 2). Where there
are more drives than degrees of freedom the forces that do not move anything are free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, suggestion

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State

TOLERANCE = 1e-10
"""Of closures [m, rad]."""
NEWTON = 20
SINGULAR = 1e-9
"""A singular value over the largest below which a task is out of the drives' hands."""
AXES = ("rx", "ry", "rz", "x", "y", "z")
"""What of the motion of a frame can be a task: turns and places along world axes."""


def velocities(model: Model, names: Sequence[str], what: str) -> list[int]:
    """Places of velocities by name, or of all of a joint."""
    out, problems = [], []
    for name in (names,) if isinstance(names, str) else names:
        own = [k for k, one in enumerate(model.names.v) if one == name or one.startswith(f"{name}.")]
        if not own:
            problems.append(Problem(f"{what} {name}", f"no such velocity; {suggestion(str(name), model.index.v)}"))
        out += own
    if problems:
        raise ModelError(problems)
    return out


def following(model: Model, q: np.ndarray, names: Sequence[str], time: float = 0.0) -> np.ndarray:
    """R (nv, n): velocities of everything by those named, of which all others follow."""
    free = velocities(model, names, "independent")
    others = [k for k in range(model.nv) if k not in free]
    A = model.constraints.jacobian(q, time) if model.constraints.rows else np.zeros((0, model.nv))
    rank = _rank(A[:, others])
    if rank < len(others) or _rank(A) > rank:
        text = (
            f"{len(free)} velocities ({', '.join(str(name) for name in names)}) of a machine of {model.nv - _rank(A)}"
        )
        raise ModelError.at(
            "independent", f"got {text} degrees of freedom here; name as many as there are, of which others follow"
        )
    R = np.zeros((model.nv, len(free)))
    R[free, range(len(free))] = 1.0
    if others:
        R[others] = -np.linalg.lstsq(A[:, others], A[:, free], rcond=SINGULAR)[0]
    return R


def _rank(A: np.ndarray) -> int:
    singular = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    return int(np.sum(singular > SINGULAR * max(1.0, float(np.max(singular, initial=0.0)))))


def closed(
    model: Model, q: np.ndarray, moved: np.ndarray, names: Sequence[str], time: float = 0.0
) -> np.ndarray | None:
    """Coordinates with the loops closed near q moved by `moved` (nv,), the named velocities' displacements as given.

    None where Newton's method does not close them.
    """
    from ...model.displacement import displaced

    q = displaced(model, q, moved)
    if not model.constraints.rows:
        return q
    free = velocities(model, names, "independent")
    others = [k for k in range(model.nv) if k not in free]
    last = np.inf
    for _ in range(NEWTON):
        gap = model.constraints.residual(q, time)
        size = float(np.max(np.abs(gap)))
        if size < TOLERANCE:
            return q
        if not np.isfinite(size) or size > 4.0 * last:
            return None
        last = size
        step = np.zeros(model.nv)
        step[others] = -np.linalg.lstsq(model.constraints.jacobian(q, time)[:, others], gap, rcond=SINGULAR)[0]
        if np.max(np.abs(step)) > 1.0:  # far beyond what a neighbouring point asks for
            return None
        q = displaced(model, q, step)
    return None


@checked
@dataclass(frozen=True, eq=False)
class Transmission:
    """Drives and task of a machine at one configuration.

    J         (drives, n) velocities of the drives by those of the task
    M         (n, n) mass seen from the task
    h         (n,) force that the task asks for at rest, of gravity and springs
    turns     (n,) bool: which entries of the task are angles
    drives    names
    task      names of its entries
    """

    J: np.ndarray
    M: np.ndarray
    h: np.ndarray
    turns: np.ndarray
    drives: tuple[str, ...]
    task: tuple[str, ...]

    def scaled(self, length: float = 1.0) -> np.ndarray:
        """J for a task whose angles count as ways on a circle of radius `length` [m]."""
        return self.J / np.where(self.turns, length, 1.0)

    def dexterity(self, length: float = 1.0) -> float:
        """1 / cond(J): 1 where all directions are alike, 0 where it is singular."""
        values = np.linalg.svd(self.scaled(length), compute_uv=False)
        return float(values[-1] / values[0]) if len(self.J) >= len(self.task) else 0.0

    def hold(self, length: float = 1.0) -> float:
        """Smallest singular value of J: where it is zero the tool moves though all drives stand still."""
        return float(np.linalg.svd(self.scaled(length), compute_uv=False)[-1]) if len(self.J) >= len(self.task) else 0.0

    def stiffness(self, stiffness: ArrayLike) -> np.ndarray:
        """K = J^T diag(k) J of drives with these stiffnesses (n, n) [N/m, N m/rad]."""
        return self.J.T @ (self._each(stiffness, "stiffness")[:, None] * self.J)

    def least_stiffness(self, stiffness: ArrayLike, length: float = 1.0) -> float:
        """In the softest direction [N/m], angles as in `scaled`."""
        scale = np.where(self.turns, length, 1.0)
        return float(np.linalg.eigvalsh(self.stiffness(stiffness) / np.outer(scale, scale))[0])

    def frequencies(self, stiffness: ArrayLike) -> np.ndarray:
        """Natural frequencies of the machine on its drives [Hz], lowest first."""
        from scipy.linalg import eigh

        return np.sqrt(np.maximum(eigh(self.stiffness(stiffness), self.M, eigvals_only=True), 0.0)) / (2.0 * np.pi)

    def forces(self, load: ArrayLike | None = None) -> np.ndarray:
        """Forces of the drives (drives,) of least norm that hold the machine still.

        load    (n,) that acts on the task besides
        """
        acting = np.zeros(len(self.task)) if load is None else _row(load, len(self.task), "load")
        return np.linalg.lstsq(self.J.T, self.h - acting, rcond=SINGULAR)[0]

    def speed(self, direction: ArrayLike, limit: ArrayLike) -> float:
        """How fast the task moves along a unit direction, no drive faster than its limit [m/s, rad/s]."""
        rates = np.abs(self.J @ _row(direction, len(self.task), "direction"))
        with np.errstate(divide="ignore"):
            return float(np.min(np.where(rates > 0.0, self._each(limit, "limit") / rates, np.inf)))

    def accelerations(self, directions: ArrayLike, limit: ArrayLike) -> np.ndarray:
        """Largest acceleration from rest along unit directions (k, n), no drive beyond its force.

        Below zero where the drives cannot even hold it. What drives of bounded force can do is the zonotope of the
        columns g_i of J^T. Its facets have normals w across n - 1 of these, and along d the way to it is the least of
        (sum |w . g_i| F_i - w . h) / (w . M d).
        """
        d = np.array(
            [_row(one, len(self.task), "directions") for one in np.atleast_2d(as_array(directions, "directions"))]
        )
        limit = self._each(limit, "limit")
        count, n = self.J.shape
        if count < n:
            return np.zeros(len(d))
        picked = np.array(list(combinations(range(count), n - 1)))
        unit = self.J / np.maximum(np.linalg.norm(self.J, axis=1), 1e-300)[:, None]
        normals = np.linalg.svd(unit[picked])[2][:, -1, :] if n > 1 else np.ones((1, 1))
        normals = np.concatenate([normals, -normals])
        reach = np.abs(normals @ self.J.T) @ limit - normals @ self.h
        along = normals @ self.M @ d.T
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = np.where(along > 1e-12 * np.max(np.abs(along)), reach[:, None] / along, np.inf)
        return np.min(ways, axis=0)

    def _each(self, values: ArrayLike, what: str) -> np.ndarray:
        out = np.broadcast_to(np.asarray(values, float), (len(self.drives),))
        if not np.all(np.isfinite(out)) or not np.all(out > 0.0):
            raise ModelError.at(
                what, f"got {values!r}; give a positive number, or one for each of {len(self.drives)} drives"
            )
        return out


@checked
def transmission(
    model: Model, state: State, drives: Sequence[str], task: str | Sequence[str], axes: Sequence[str] = ("x", "y", "z")
) -> Transmission:
    """What the drives do at the task, at a state; loops must be closed there.

    drives    names of velocities that are driven, as many as there are degrees of freedom or more
    task      names of velocities of which all others follow, or of their joint ("platform"); or the address of a
              frame, "hand.tip"
    axes      of such a frame: which of its world axes are the task, of "x", "y", "z", "rx", "ry", "rz"
    """
    return transmission_at(model, state.q, state.time, drives, task, axes)


def transmission_at(
    model: Model, q: np.ndarray, time: float, drives: Sequence[str], task: str | Sequence[str], axes: Sequence[str]
) -> Transmission:
    driven = velocities(model, drives, "drive")
    address = isinstance(task, str) and task in model.markers
    if address:
        A = model.constraints.jacobian(q, time) if model.constraints.rows else np.zeros((0, model.nv))
        R = np.linalg.svd(A)[2][_rank(A) :].T if A.size else np.eye(model.nv)
        unknown = [one for one in axes if one not in AXES]
        if unknown:
            raise ModelError.at("axes", f"got {unknown[0]!r}; give some of {', '.join(AXES)}")
        out = (model.jacobian(str(task), q) @ R)[[AXES.index(one) for one in axes]]
        if out.shape[0] != out.shape[1]:
            text = f"{len(axes)} axes of {task} for {out.shape[1]} degrees of freedom"
            raise ModelError.at("axes", f"got {text}; give as many axes as degrees of freedom")
        back = np.linalg.pinv(out, rcond=SINGULAR)
        R, names, turns = R @ back, tuple(axes), np.array([one.startswith("r") for one in axes])
    else:
        R = following(model, q, task, time)
        own = velocities(model, task, "task")
        names, turns = tuple(model.names.v[k] for k in own), np.array([_turns(model, k) for k in own])
    bias = model.bias(q, np.zeros(model.nv))
    M = R.T @ model.mass_matrix(q) @ R
    return Transmission(R[driven], M, R.T @ bias, turns, tuple(model.names.v[k] for k in driven), names)


def _row(values: ArrayLike, size: int, what: str) -> np.ndarray:
    out = as_array(values, what)
    if out.shape != (size,):
        raise ModelError.at(what, f"got shape {out.shape}; give {size} numbers, one for each entry of the task")
    return out


def _turns(model: Model, k: int) -> bool:
    """Whether a velocity is that of an angle."""
    return model.units.v[k].startswith("rad")
