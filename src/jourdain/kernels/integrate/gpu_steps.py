"""The fixed steps of one case on a GPU, where all kernels are one function without calls.

`loop.fixed_steps` evaluates rates in several places. Here there is one, and one more for what is recorded: a GPU reads
its code as slowly as its memory.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..signatures import Integers, Matrix
from .loop import status_of_state
from .loop_records import Loop
from .loop_status import OK
from .state_steps import advance_alone, begin, combine, evaluate, record


@kernel
def chained(A, stages):
    """Whether each stage follows from the one before it alone, as those of the classical method of fourth order."""
    for i in range(stages):
        for j in range(i - 1):
            if A[i, j] != 0.0:
                return False
    return stages > 1


@kernel
def follow(b, c):
    """The increment of a stage from the rates of the one before it, K[0]."""
    for k in range(b.y.size):
        b.y[k] = c * b.K[0, k]


@kernel
def gather(b, c, stage):
    """Adds the rates of a stage, K[0], to the increment of the whole step, K[1]."""
    for k in range(b.y.size):
        b.K[1, k] = c * b.K[0, k] + (b.K[1, k] if stage > 0 else 0.0)


@entry_point
def device_case(
    run: Loop, start: float, h: float, steps: int, every: int, q: Matrix, v: Matrix, z: Matrix, latched: Matrix,
    done: Integers,
) -> None:  # fmt: skip
    """`steps` explicit steps of size h of one case from time `start`; a row of the tape every `every` steps and at the
    end.

    q, v, z, latched    (1, n): its state, which is left as it is at the end
    done                (2,): how many steps it made, fewer than `steps` where it stopped being finite, left its
                        constraints, or sank; 1 + the contact whose shapes are too deep in each other, or 0
    """
    ws, table, b = run.ws, run.tableau, run.buffers
    for j in range(q.shape[1]):
        run.q[j] = q[0, j]
    for k in range(v.shape[1]):
        run.v[k] = v[0, k]
    for k in range(z.shape[1]):
        run.z[k] = z[0, k]
    for k in range(latched.shape[1]):
        run.latched[k] = latched[0, k]
    ws.ledger.step = h
    begin(run, start)
    if ws.flags.sampled == 0:
        # no instant of a controller ever comes: no time is later than not-a-number, and the optimiser knows that, so
        # that it leaves out what happens then; of infinity it does not know it
        ws.ledger.next_sample = math.nan
    last = table.sizes.step
    chain = chained(table.A, last)
    step, stage, row = 0, 0, 0
    while status_of_state(ws) == OK:
        t = start + step * h
        if chain:
            follow(b, h * table.A[stage, stage - 1] if stage > 0 else 0.0)
        else:
            combine(b.K, table.A[stage], stage, h, b.y)
        place = 0 if chain else stage
        # what is recorded has rates in a place of their own: with their energies wanted, poses and velocities would
        # have to wait for the end of every stage, in registers that are not there
        if stage == 0 and (step % every == 0 or step == steps):
            ws.flags.energies_wanted = True
            evaluate(run, run.stages, 0, t, run.q, run.v, run.z)
            record(run, t, run.q, run.v, run.z, row)
            row += 1
            if step == steps or status_of_state(ws) != OK:
                break
        else:
            ws.flags.energies_wanted = False
            evaluate(run, run.stages, place, t + table.c[stage] * h, run.q, run.v, run.z)
        if chain:
            gather(b, h * table.b[stage], stage)
        stage += 1
        if stage < last:
            continue
        # all of them known: the step itself
        if chain:
            for k in range(b.y.size):
                b.y[k] = b.K[1, k]
        else:
            combine(b.K, table.b, last, h, b.y)
        if not advance_alone(run, start + (step + 1) * h):
            break
        step += 1
        stage = 0
    done[0], done[1] = step, int(ws.flags.penetration_exceeded)
    for j in range(q.shape[1]):
        q[0, j] = run.q[j]
    for k in range(v.shape[1]):
        v[0, k] = run.v[k]
    for k in range(z.shape[1]):
        z[0, k] = run.z[k]
    for k in range(latched.shape[1]):
        latched[0, k] = run.latched[k]
