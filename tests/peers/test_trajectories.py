"""Trajectories of RK4 against MuJoCo's own RK4, at the same step."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from peers.trees import state, tree

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")

from peers.with_mujoco import Mujoco  # noqa: E402

STEPS = 50


def both(model: jd.Model, at: jd.State, step: float) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's coordinates and velocities after 50 steps, by our steps and by its own."""
    other = Mujoco(model, step)
    other.set(at.q, at.v)
    mujoco.mj_step(other.model, other.data, nstep=STEPS)
    record = jd.simulate(model, at, until=STEPS * step, step=step, method="rk4", progress=False).record
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
    """The codes advance rotations differently, so they meet at the order of the coarser of the two, at least two."""
    model = tree(seed, ("revolute", "spherical", "free"), floating=True).compile()
    at = state(model, seed)
    at.v *= 0.2
    errors = []
    for step in (4e-4, 2e-4):
        ours, theirs = both(model, at, step)
        errors.append(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
    assert errors[0] < 1e-6
    assert errors[1] < 0.3 * errors[0] or errors[1] < 1e-11
