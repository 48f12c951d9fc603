"""The right-hand side of a run in a compiled loop, with contacts or without."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.kernels import entry_point
from jourdain.kernels.law_table import run_tables
from jourdain.kernels.tree.right_hand_side import tree_rates
from jourdain.model.contact_states import accept
from jourdain.model.run_stages import assemble, gather

CHANGE = 1e-12


@entry_point
def evaluate(stages, model, work, q, v, z, latched, p, ws, acceleration, dz, times):
    """The right-hand side, `times` times; the last coordinate changes from call to call."""
    for _ in range(times):
        q[q.size - 1] += CHANGE
        stages.rates(model, work, stages, 0.0, q, v, z, latched, p, ws, acceleration, dz)


class RightHandSide:
    """Right-hand side of a model without laws at a state, as the loop calls it."""

    def __init__(self, model: jd.Model, at: jd.State) -> None:
        laws = gather(model, None)
        z = np.concatenate([at.z[model.latched :], np.zeros(2)])
        latched = at.z[: model.latched].copy()
        q, v = at.q.copy(), at.v.copy()
        ws = accept(model, 1, q, v, z, latched) if model.contacts.names else jd.kernels.workspace(model.arrays)
        tree_rates.ready(model.features)
        self.out = np.zeros(model.nv)
        self.arguments = (
            assemble(model, laws), model.arrays, run_tables(sensors=laws.sensors),
            q, v, z, latched, np.zeros(0), ws, self.out, np.zeros_like(z),
        )  # fmt: skip

    def evaluate(self, times: int) -> None:
        """So many evaluations."""
        evaluate(*self.arguments, times)

    def acceleration(self) -> np.ndarray:
        """Accelerations."""
        self.evaluate(1)
        return self.out
