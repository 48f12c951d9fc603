"""Ends that are no plain numbers: orientations, and staying where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.derivatives import inverse_dynamics_derivatives
from ...model.state import State
from .numeric_problem import EndRows

if TYPE_CHECKING:
    from ...model.model import Model


def rotation_end(model: Model, name: str, given: Any) -> tuple[dict[int, float], EndRows] | None:
    """Of a joint with a rotation: its place as values of states, its quaternion as three equations; None of others.

    The equations are the vector part of the conjugate of the wanted quaternion times the one that is there.
    """
    for j, k, free in model.arrays.groups:
        if model.owners[k] != name:
            continue
        at = int(j + 3 * free)
        wanted = model.state(q={name: given}).q
        w, x, y, z = wanted[at : at + 4]
        rows = np.zeros((3, model.nq + model.nv))
        rows[:, at : at + 4] = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
        place = {int(i): float(wanted[i]) for i in range(j, at)}
        names = tuple(f"end: {name}.{axis}" for axis in "xyz")
        return place, EndRows(names, rows.__matmul__, lambda state, rows=rows: rows)  # type: ignore[misc]
    return None


def still_rows(plant: Any) -> EndRows | None:
    """That entries on which no input acts take no effort to stay where they are; None where inputs act on all.

    Where no force acts on some entry wherever it is (a free base without gravity), it has no equation.
    """
    model, acting = plant.model, set(plant.acting)
    left = [k for k in range(model.nv) if k not in acting]

    def at(state: np.ndarray) -> State:
        q = state[: model.nq].copy()
        for j in model._quaternions:
            q[j : j + 4] /= np.linalg.norm(q[j : j + 4])
        return State(plant.state.time, q, np.zeros(model.nv), plant.state.z)

    def stiffness(state: np.ndarray) -> np.ndarray:
        found = inverse_dynamics_derivatives(model, at(state)).dq[left]
        return found @ plant.tangent(state[None, : model.nq])[0]

    rng = np.random.default_rng(0)
    probe = np.concatenate([plant.state.q, plant.state.v])
    moved = probe + np.concatenate([1e-2 * rng.normal(size=model.nq), np.zeros(model.nv)])
    felt = np.max(np.abs(stiffness(moved)), axis=1, initial=0.0) > 1e-12
    if not np.any(felt):
        return None
    left = [k for k, one in zip(left, felt, strict=True) if one]

    def size() -> np.ndarray:
        found = np.abs(stiffness(moved)).max(axis=1)
        return np.maximum(found, 1e-12)

    scale = size()

    def values(state: np.ndarray) -> np.ndarray:
        return np.asarray(model.inverse_dynamics(at(state)))[left] / scale

    def partials(state: np.ndarray) -> np.ndarray:
        out = np.zeros((len(left), model.nq + model.nv))
        out[:, : model.nq] = stiffness(state) / scale[:, None]
        return out

    return EndRows(tuple(f"rest: {model.names.v[k]}" for k in left), values, partials)
