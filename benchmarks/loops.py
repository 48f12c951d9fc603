"""Compiled loops over the model functions, as compiled user code would call them.

The last coordinate and an effort change from call to call, so that nothing can be taken out of the loop.
"""

from __future__ import annotations

from jourdain import kernels
from jourdain.kernels import entry_point

CHANGE = 1e-9


@entry_point
def forward(model, ws, q, v, effort, out, times):
    """Forward dynamics, `times` times."""
    for i in range(times):
        q[q.size - 1] += CHANGE
        effort[0] = CHANGE * i
        kernels.forward_dynamics(model, ws, q, v, effort, out)


@entry_point
def inverse(model, ws, q, v, acceleration, out, times):
    """Inverse dynamics, `times` times."""
    for i in range(times):
        q[q.size - 1] += CHANGE
        acceleration[0] = CHANGE * i
        kernels.inverse_dynamics(model, ws, q, v, acceleration, out)


@entry_point
def mass(model, ws, q, out, times):
    """Mass matrix, `times` times."""
    for _ in range(times):
        q[q.size - 1] += CHANGE
        kernels.mass_matrix(model, ws, q, out)
