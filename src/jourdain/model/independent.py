"""Velocities of all coordinates from those of independent ones, v = R u + r: Belda, Bohm & Valasek 2002, eq. 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.values import suggestion

if TYPE_CHECKING:
    from .model import Model
    from .state import State

SPAN = 4e-3
"""Time over which A is differenced along the motion, over that of a unit of motion: with two spans the error of its
rate is below 1e-10, half of it rounding."""


class Reduction(NamedTuple):
    """v = R u + r and dv/dt = R du/dt + R_rate u + r_rate, u being the velocities named.

    R         (nv, n) with A R = 0
    R_rate    (nv, n) its rate along the motion
    r         (nv,) velocity that constraints which move ask for with u = 0; zero where none does
    r_rate    (nv,)
    names     of the independent velocities
    """

    R: np.ndarray
    R_rate: np.ndarray
    r: np.ndarray
    r_rate: np.ndarray
    names: tuple[str, ...]


@checked
def reduce_to_independent(model: Model, state: State, names: Sequence[str]) -> Reduction:
    """The null space of the constraints in terms of independent velocities, and its rate.

    names    as many velocities as there are degrees of freedom, of which all others follow

    R^T M R du/dt + R^T M (R_rate u + r_rate) = R^T (effort - bias) are the equations of motion in them. Redundant rows
    do no harm.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    problems = [
        Problem(str(name), f"no such velocity; {suggestion(str(name), model.index.v)}")
        for name in names
        if name not in model.index.v
    ]
    if problems:
        raise ModelError(problems)
    free = [model.index.v[name] for name in names]
    others = [k for k in range(model.nv) if k not in free]
    A = model.constraints.jacobian(state.q, state.time)
    wanted, found = np.linalg.matrix_rank(A), np.linalg.matrix_rank(A[:, others])
    if found < wanted or len(others) != found:
        raise ModelError.at(
            "names",
            f"got {len(names)} velocities ({', '.join(names)}), and the other {len(others)} follow {found} independent "
            f"rows of {wanted}; name {model.nv - wanted} of which all others follow",
        )
    A_rate, c, c_rate = _rates(model, state)
    solve = np.linalg.pinv(A[:, others])
    R, R_rate = np.zeros((2, model.nv, len(free)))
    r, r_rate = np.zeros((2, model.nv))
    R[free] = np.eye(len(free))
    R[others] = -solve @ A[:, free]
    r[others] = -solve @ c
    R_rate[others] = -solve @ (A_rate @ R)
    r_rate[others] = -solve @ (A_rate @ r + c_rate)
    return Reduction(R, R_rate, r, r_rate, names)


def _rates(model: Model, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """dA/dt along the motion, c, and dc/dt = bias - dA/dt v."""
    from .derivatives import displacements
    from .displacement import displaced

    span = SPAN / max(1.0, float(np.max(np.abs(state.v), initial=0.0)))
    tangent = displacements(model, state.q) @ state.v
    increment = np.array(state.v, float)
    for j, k, free in model.arrays.rotations.array:
        if free:
            increment[k + 3 : k + 6] = tangent[j : j + 3]
    partials = []
    for x in (span, 0.5 * span):
        there = [model.constraints.jacobian(displaced(model, state.q, s * increment), state.time + s) for s in (x, -x)]
        partials.append((there[0] - there[1]) / (2.0 * x))
    A_rate = (4.0 * partials[1] - partials[0]) / 3.0
    A = model.constraints.jacobian(state.q, state.time)
    c = model.constraints.rate(state) - A @ state.v
    return A_rate, c, model.constraints.bias(state) - A_rate @ state.v
