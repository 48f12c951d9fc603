"""Multipliers through the tree: sweeps against dense algebra, cut joints, methods, checks, results."""

from __future__ import annotations

import numpy as np
import pytest
from closed_trees import branched, random_state

import jourdain as jd
from jourdain.kernels.entries import entry, task
from jourdain.kernels.layout import workspace


def responses(model: jd.Model, state: jd.State, known: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """S and M^-1 A^T as the sweeps have them."""
    rows = model.constraints.rows
    ws = workspace(model.arrays)
    ws.known[known] = 1
    S, response = np.zeros((rows, rows)), np.zeros((model.nv, rows))
    entry("row_responses", model.flexible)(
        model.arrays, task(np.zeros((0, 3)), np.zeros(0), np.zeros(0)), state.time, state.q, state.v, ws, S, response
    )
    return S, response


@pytest.mark.parametrize("flexible", [False, True], ids=["rigid", "flexible"])
@pytest.mark.parametrize("seed", range(3))
def test_sweeps_are_dense_algebra(flexible: bool, seed: int):
    one = branched(seed, flexible)
    one.connect(jd.Revolute("pin", axis=(1.0, 2.0, -0.5)), "a2.tip", "b2.tip")
    one.connect(jd.Rod("rod"), "a1.tip", "world")
    one.connect(jd.Rod("strut"), "base.tip", "b1.origin")
    model = one.compile()
    state = random_state(model, seed)
    M, A = model.mass_matrix(state.q), model.constraints.jacobian(state)
    for known in ([], [int(model.nv) - 1, 1]):
        free = np.setdiff1d(np.arange(model.nv), known)
        wanted = np.zeros((model.nv, len(A)))
        wanted[free] = np.linalg.solve(M[np.ix_(free, free)], A[:, free].T)
        S, response = responses(model, state, known)
        np.testing.assert_allclose(response, wanted, rtol=1e-9, atol=1e-9 * np.max(np.abs(wanted)))
        np.testing.assert_allclose(S, A @ wanted, rtol=1e-9, atol=1e-9 * np.max(np.abs(A @ wanted)))
