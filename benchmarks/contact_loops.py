"""The right-hand side of a run in a compiled loop, with contacts or without."""

from __future__ import annotations

import numba
import numpy as np

import jourdain as jd
from jourdain.contact.evaluation import accept
from jourdain.kernels.compiler import OPTIONS
from jourdain.kernels.entries import first_class, task
from jourdain.stages import assemble, gather

CHANGE = 1e-12


@numba.njit(_nrt=False, **OPTIONS)
def evaluate(rates, stages, model, work, q, v, z, latched, p, ws, acceleration, dz, times):
    """The right-hand side, `times` times; the last coordinate changes from call to call."""
    for _ in range(times):
        q[q.size - 1] += CHANGE
        rates(model, work, stages, 0.0, q, v, z, latched, p, ws, acceleration, dz)


class RightHandSide:
    """Right-hand side of a model without laws at a state, as the steppers call it."""

    def __init__(self, model: jd.Model, at: jd.State) -> None:
        laws = gather(model, None)
        z = np.concatenate([at.z[model.latched :], np.zeros(2)])
        latched = at.z[: model.latched].copy()
        q, v = at.q.copy(), at.v.copy()
        ws = accept(model, 1, q, v, z, latched) if model.contacts.names else jd.kernels.workspace(model.arrays)
        nothing = task(np.zeros((0, 3)), np.zeros(0), laws.sensors)
        name = "touching_rates" if model.contacts.names else "lawless_rates"
        self.out = np.zeros(model.nv)
        self.arguments = (
            first_class(name, model.flexible), assemble(model, laws), model.arrays, nothing,
            q, v, z, latched, np.zeros(0), ws, self.out, np.zeros_like(z),
        )  # fmt: skip

    def evaluate(self, times: int) -> None:
        """So many evaluations."""
        evaluate(*self.arguments, times)

    def acceleration(self) -> np.ndarray:
        """Accelerations."""
        self.evaluate(1)
        return self.out
