"""Steps of an explicit method at times that are given: the same for runs that are to be compared.

Differences of runs whose steps are chosen anew have the noise of that choice; those of runs in step have only rounding
(Bock 1981, "internal numerical differentiation").
"""

from __future__ import annotations

from ..compiler import entry_point
from ..signatures import Integers, Vector
from .loop import status_of_state
from .loop_records import Loop
from .loop_status import NOT_FINITE, OK
from .state_steps import begin, move, record, start_rates


@entry_point
def given_steps(run: Loop, times: Vector, kept: Integers) -> tuple[int, int, int]:
    """Steps from each time to the next, a row of the tape where `kept` is 1, one entry a time.

    Returns (status, steps done, rows written). The method must not judge its errors (`IntegratorState.adaptive`).
    """
    ws = run.ws
    row, steps = 0, times.size - 1
    ws.ledger.step = 0.0
    begin(run, times[0])
    if status_of_state(ws) != OK:
        return status_of_state(ws), 0, row
    for step in range(steps + 1):
        t = times[step]
        ws.flags.energies_wanted = kept[step] != 0
        start_rates(run, t)
        ws.flags.energies_wanted = False
        if kept[step] == 1:
            record(run, t, run.q, run.v, run.z, row)
            row += 1
        if step == steps:
            break
        h = times[step + 1] - t
        run.method.attempt(run, t, h)
        if not move(run, 0, times[step + 1]):
            return NOT_FINITE, step, row
        if status_of_state(ws) != OK:
            return status_of_state(ws), step + 1, row
    return OK, steps, row
