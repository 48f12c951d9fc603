"""Many runs of one model in one compiled loop, each from its own state and with its own parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiler import gate
from .layout import WANTED
from .passive import move_anchors
from .rates import plain_rates
from .steppers import Tape, combine, evaluate, fixed_steps, move_state, record


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


@gate
def plain_cases(stages, model, task, tableau, p, ws, buffers, q, v, z, latched, start, h, steps, every, tapes, done):
    """`fixed_cases` of runs on which no contacts, laws and constraints act.

    The right-hand side is inlined, in one place: handing it the arrays of model and workspace at every evaluation took
    an eighth of the time of a 7-axis arm.
    """
    count = tableau.numbers[0]
    for c in range(q.shape[0]):
        tape = Tape(tapes.time[c], tapes.q[c], tapes.v[c], tapes.z[c], tapes.effort[c], tapes.energy[c])
        row = 0
        done[c] = steps
        for step in range(steps + 1):
            last = step == steps
            t = start + step * h
            due = last or step % every == 0
            ws.books[WANTED] = 1.0 if due else 0.0
            for s in range(1 if last else count):
                combine(buffers.K, tableau.A[s], s, h, buffers.y)
                at = t + tableau.c[s] * h
                evaluate(plain_rates, stages, model, task, p[c], ws, buffers, s, at, q[c], v[c], z[c], latched[c])
                if s == 0 and due:
                    record(ws, t, q[c], v[c], z[c], latched[c], tape, row)
                    row += 1
                    ws.books[WANTED] = 0.0
            if last:
                break
            combine(buffers.K, tableau.b, count, h, buffers.y)
            if not move_state(model, task, start + (step + 1) * h, q[c], v[c], z[c], buffers):
                done[c] = step
                break
            move_anchors(model, q[c], latched[c])
