"""Trajectories of RK4 against MuJoCo's own RK4, at the same step."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from peers.trees import state, tree

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")

from peers.with_mujoco import Mujoco  # noqa: E402


def both(model: jd.Model, at: jd.State, step: float, steps: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's coordinates and velocities after some steps, by our steps and by its own."""
    other = Mujoco(model, step)
    other.set(at.q, at.v)
    mujoco.mj_step(other.model, other.data, nstep=steps)
    record = jd.simulate(model, at, until=steps * step, step=step, method="rk4", progress=False).record
    q, v = record.q[-1], record.v[-1]
    ours = np.concatenate([other.coordinates.position(q), other.coordinates.map(q) @ v])
    return ours, np.concatenate([other.data.qpos, other.data.qvel])


@pytest.mark.parametrize("seed", range(5))
def test_where_coordinates_are_numbers_the_methods_are_the_same(seed: int) -> None:
    model = tree(seed, ("revolute", "prismatic", "cylindrical", "universal", "planar", "weld"), springs=True).compile()
    ours, theirs = both(model, state(model, seed), 1e-3)
    assert np.max(np.abs(ours - theirs)) <= 1e-9 * np.max(np.abs(theirs))


@pytest.mark.parametrize("seed", range(5))
def test_rotations_converge_to_each_other(seed: int) -> None:
    """The codes advance rotations differently, each at order four: halving the step brings them 16 times closer."""
    model = tree(seed, ("revolute", "spherical", "free"), floating=True).compile()
    at = state(model, seed)
    at.v *= 0.2
    errors = []
    for steps in (10, 20, 40):
        ours, theirs = both(model, at, 0.4 / steps, steps)
        for j, _, free in model.arrays.rotations.array:
            quaternion = slice(j + 3 * free, j + 3 * free + 4)
            if ours[quaternion] @ theirs[quaternion] < 0.0:  # q and -q are one rotation
                ours[quaternion] *= -1.0
        errors.append(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.all(np.abs(orders - 4.0) < 0.3), (errors, orders)
