"""Many runs of one model in one compiled loop, each from its own state and with its own parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiler import gate
from .steppers import Tape, fixed_steps


class CaseTape(NamedTuple):
    """The tapes of many runs: as `Tape`, with the case as the first dimension."""

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    effort: np.ndarray
    energy: np.ndarray


@gate
def fixed_cases(
    rates, stages, model, task, tableau, p, ws, buffers, q, v, z, latched, start, h, steps, every, tapes, done
):
    """`steps` fixed steps of every case; row c of p, q, v, z and latched belongs to case c.

    done[c] becomes the number of steps that case c made before it stopped being finite, `steps` if it never did;
    rows that were not reached are left as they are.
    """
    for c in range(q.shape[0]):
        tape = Tape(tapes.time[c], tapes.q[c], tapes.v[c], tapes.z[c], tapes.effort[c], tapes.energy[c])
        _, done[c], _ = fixed_steps(
            rates, stages, model, task, tableau, p[c], ws, buffers,
            q[c], v[c], z[c], latched[c], start, h, 0, steps, steps, every, tape, 0,
        )  # fmt: skip
