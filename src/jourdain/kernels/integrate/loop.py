"""The loop of a run, at fixed steps or with error control and dense output, for every method.

Samples, contacts, conditions and prescribed motions are dealt with here, between steps. A method says how a step is
tried, interpolated and remembered (`loop_records.Method`). One that remembers earlier steps begins anew after what is
not smooth: a contact that begins or ends, an event, a sample of a digital controller."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..records import given
from ..signatures import Integers, Matrix
from ..tree.motions import prescribe
from .loop_records import Loop
from .loop_status import (
    CAPACITY,
    CONSTRAINTS_OPEN,
    EVENT,
    INTERRUPTED,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    PENETRATION,
    STEP_TOO_SMALL,
    TAPE_FULL,
)
from .state_steps import begin, changes, met_there, move, peek, rates_at, record, start_rates, watching

CONTACTS, EVENTS, EVENTS_AGAIN = 0, 1, 2
HALVINGS = 12
"""How often a fixed step is halved where it cannot be made."""
BETTER_SHORTER = -2.0
"""What an attempt returns that could be made, but should be shorter."""


@kernel
def status_of_state(ws):
    """Why a run cannot go on from an accepted state: OPEN, PENETRATION, CAPACITY or INTERRUPTED; OK where it can."""
    if ws.flags.unclosed != 0:
        return CONSTRAINTS_OPEN
    if ws.flags.penetration_exceeded != 0:
        return PENETRATION
    if ws.flags.capacity_exceeded != 0:
        return CAPACITY
    if ws.flags.stopped:
        return INTERRUPTED
    return OK


@kernel
def reject(run):
    """A step whose error is too large, or that is too long for what touches."""
    run.integrator.rejected = True
    if run.integrator.implicit:
        run.memory.counts.rejected += 1


@entry_point
def fixed_steps(
    run: Loop, start: float, h: float, first: int, last: int, steps: int, every: int, row: int
) -> tuple[int, int, int]:
    """Steps number `first` to `last` of `steps` of size h from time `start`, a row of the tape at every `every`-th.

    Returns (status, steps done, rows written): EVENT where conditions were met at the end of a step. The state at
    the end of all steps is recorded too. A step that a method cannot make is made in parts.
    """
    ws, integrator = run.ws, run.integrator
    # start of the run: contact memory, first samples of digital controllers
    ws.ledger.step = h
    if first == 0:
        begin(run, start)
        if status_of_state(ws) != OK:
            return status_of_state(ws), 0, row
    for step in range(first, last):
        t = start + step * h
        end = start + (step + 1) * h
        due = step % every == 0
        # rates at the start, where they are to be recorded or the method needs them
        if due or integrator.restart or integrator.first_rates:
            ws.flags.energies_wanted = due
            start_rates(run, t)
            ws.flags.energies_wanted = False
        if due:
            record(run, t, run.q, run.v, run.z, row)
            row += 1
        # a step that fails is made in halves, and these in halves
        left, part, parts, better = h, h, 0, 0.0
        instant = ws.ledger.next_sample
        integrator.eased = False
        while left > 0.0:
            made = run.method.attempt(run, end - left, part)
            if not made >= 0.0:
                if run.integrator.implicit:
                    run.memory.counts.unconverged += 1
                integrator.aged = True
                if made == BETTER_SHORTER:
                    better = max(better, part)
                    part *= 0.5
                    continue
                if better > part:  # halves that would be better cannot be made: the step as it was
                    part, parts, better, integrator.eased = min(better, left), 0, 0.0, True
                    continue
                part *= 0.5
                parts += 1
                if parts > HALVINGS:
                    return NOT_CONVERGED, step, row
                continue
            run.method.finish(run, part, 0.0)
            if run.integrator.implicit:
                run.memory.counts.steps += 1
            left -= part
            if left < 1e-9 * h:
                left = 0.0
            if not move(run, 0, end - left):
                return NOT_FINITE, step, row
            part = min(left, part)
        # a controller was sampled: what the method remembers ends there
        if instant != ws.ledger.next_sample:
            integrator.restart, integrator.aged = True, True
        if status_of_state(ws) != OK:
            return status_of_state(ws), step + 1, row
        # event detection at the end of a fixed step
        if ws.flags.watched > 0:
            if watching(run, end, run.q, run.v, run.z, 1) > 0:
                ws.flags.cached = 0
                return EVENT, step + 1, row
    # the final state is a row, whatever the interval
    if last == steps:
        t = start + steps * h
        ws.flags.energies_wanted = True
        start_rates(run, t)
        record(run, t, run.q, run.v, run.z, row)
        row += 1
    return OK, last, row


@kernel
def time_of_change(run, t, h, kind):
    """Fraction of the step just after which something changes, by bisection of dense output, and how much does.

    CONTACTS        a contact begins or ends
    EVENTS          a condition is met
    EVENTS_AGAIN    the same in a step that ends there but for the error of dense output; it is remembered
    """
    low, high = 0.0, 1.001 if kind == EVENTS_AGAIN else 1.0
    found = 0
    for i in range(34 if kind == CONTACTS else 53):
        x = high if i == 52 else 0.5 * (low + high)
        run.method.between(run, t, x, h)
        if kind == CONTACTS:
            found = changes(run, t + x * h)
        else:
            found = met_there(run, t + x * h, 1 if kind == EVENTS_AGAIN and i == 52 else 0)
        if found > 0:
            high = x
        else:
            low = x
    return high, found


@kernel
def shorten(run, t, h):
    """Ends a step that was tried where contacts or conditions change within it, and tries the shorter one.

    Returns (step, 1 where a contact changes at its end, how many conditions are met there, 1 where it was shortened,
    status): OK, STEP_TOO_SMALL where shapes may have passed through each other unseen, NOT_CONVERGED where the shorter
    step could not be made.
    """
    ws = run.ws
    located, met, cut = 0, 0, 0
    for kind in range(3):
        found = met
        if kind == CONTACTS:
            if not given(run.stages.changed):
                continue
            found = changes(run, t + h)
            if h > ws.ledger.max_safe_step:
                return h, located, met, cut, STEP_TOO_SMALL
        elif ws.flags.watched == 0:
            break
        elif kind == EVENTS:
            run.method.between(run, t, 1.0, h)
            found = met_there(run, t + h, 0)
        if kind != CONTACTS and found == 0:
            break
        if found > 0:
            x, met = time_of_change(run, t, h, kind)
            if kind == CONTACTS:
                met = 0
            h = max(h * x, min(h, 1e-14 * max(1.0, abs(t))))  # time must go on
            located = 1 if kind == CONTACTS else 0
            cut = 1
            if not run.method.attempt(run, t, h) >= 0.0:
                return h, located, met, cut, NOT_CONVERGED
    return h, located, met, cut, OK


@kernel
def write_rows(run, t, h, until, final, met, row):
    """Rows at their interval within an accepted step, by dense output; returns how many there are now."""
    ws, clock, b = run.ws, run.clock, run.buffers
    interval = clock.interval
    slack = -1e-9 * interval if met > 0 else 1e-9 * interval
    while True:
        due = clock.start + clock.outputs * interval
        if due > t + h + slack or (final and due >= until - 1e-9 * interval):
            return row
        run.method.between(run, t, min((due - t) / h, 1.0), h)
        peek(run, run.q, run.v, run.z)
        if not run.integrator.implicit and given(run.stages.settle) and not run.task.stabilization.in_trees:
            prescribe(run.model, run.task, due, b.q, b.v, b.acceleration)
            run.stages.settle(run.model, run.task, due, b.q, b.v, b.z, ws)
        ws.flags.energies_wanted = True
        rates_at(run, run.stages, due, b.q, b.v, b.z)
        if run.integrator.implicit:
            run.memory.counts.evaluations += 1
        ws.flags.energies_wanted = False
        record(run, due, b.q, b.v, b.z, row)
        row += 1
        clock.outputs += 1


@kernel
def write_state(run, t, row):
    """The state as a row; its rates are then at hand."""
    run.ws.flags.energies_wanted = True
    start_rates(run, t)
    run.ws.flags.energies_wanted = False
    record(run, t, run.q, run.v, run.z, row)


@kernel
def prepare_step(run, t, row):
    """Rates at the start of a step, its size where it is to be chosen, and the state as a row where it is to be one.

    Returns how many rows there are now.
    """
    ws, clock, integrator = run.ws, run.clock, run.integrator
    if clock.ready <= 0:
        if not integrator.implicit:
            ws.flags.cached = min(ws.flags.cached, 0)
        due = clock.outputs == 0 or clock.ready < 0
        if due or integrator.restart or integrator.first_rates:
            ws.flags.energies_wanted = True
            start_rates(run, t)
            ws.flags.energies_wanted = False
        if due:
            record(run, t, run.q, run.v, run.z, row)
            row += 1
            clock.outputs += 1
        clock.ready = 1
    if integrator.restart and clock.next_step == 0.0:
        ws.ledger.time_to_contact = 0.0
        clock.next_step = run.method.first(run, t)
    return row


@kernel
def choose_next(run, grown, h, wanted, near, changed, left):
    """How long the next step may be, after one of length h that was accepted and may grow to `grown`.

    near       whether something ahead, not the error, made it shorter than `wanted`
    changed    whether the equations did: a method that remembers begins anew
    """
    clock, integrator = run.clock, run.integrator
    if integrator.rejected:
        grown = min(grown, h)
    integrator.rejected = False
    clock.next_step = max(grown, 0.2 * h)
    if changed:
        integrator.restart, integrator.aged = True, True
    if integrator.restart:  # contact or an event cut it short, not the error
        clock.next_step = 0.0 if not integrator.first_rates else max(clock.next_step, wanted)
    elif near:
        clock.next_step = max(clock.next_step, min(2.0 * wanted, left))


@entry_point
def adaptive_steps(run: Loop, until: float, trials: int, row: int) -> tuple[int, int]:
    """Error-controlled steps from clock.now towards `until`, at most `trials` of them.

    With an interval rows are dense output at multiples of it, and the end; else every accepted step is a row, the
    first state included. Returns (status, rows written): TAPE_FULL where the tape has no room left for a step's rows,
    EVENT at the time at which a condition is met; the state there is not a row, so that it may change first.
    """
    ws, clock, integrator = run.ws, run.clock, run.integrator
    interval, capacity = clock.interval, run.tape.time.size
    for _ in range(trials):
        t = clock.now
        # start of the run, and rates at the start of the step
        if clock.outputs == 0 and clock.ready == 0:
            ws.ledger.step = 0.0
            begin(run, t)
            if status_of_state(ws) != OK:
                return status_of_state(ws), row
        row = prepare_step(run, t, row)

        # how long a step: not beyond a touchdown, a sample of a controller, or the end
        wanted = min(clock.next_step, clock.max_step)
        h = wanted
        if given(run.stages.changed):
            h = min(h, max(1.001 * ws.ledger.time_to_contact, 1e-3 * h))
        instant = ws.ledger.next_sample
        tick = instant < until and t + (1.0 + 1e-9) * h >= instant
        if tick:
            h = instant - t
        near = h < wanted
        final = t + (1.0 + 1e-9) * h >= until
        if final:
            h = until - t
        if not h > 4e-16 * abs(t):
            return NOT_CONVERGED if integrator.stuck > 0 else STEP_TOO_SMALL, row
        # the tape must hold all rows that this step may write
        rows_ahead = 1
        if interval > 0.0:
            rows_ahead = int((t + h - clock.start) / interval) - clock.outputs + 3
        if row + rows_ahead > capacity:
            return TAPE_FULL, row

        # error control, Hairer, Norsett & Wanner 1993, eq. II.4.13: a step without convergence is halved, a rejected
        # one shortened by 0.9 err^(-1 / (order + 1))
        error = run.method.attempt(run, t, h)
        if not error >= 0.0:
            if run.integrator.implicit:
                run.memory.counts.unconverged += 1
            integrator.rejected = True
            integrator.stuck += 1
            clock.next_step = 0.5 * h
            if h < 1e-13 * max(1.0, abs(t)):
                return NOT_CONVERGED, row
            continue
        integrator.stuck = 0
        if not error <= 1.0:
            reject(run)
            if not math.isfinite(error):
                clock.next_step = 0.1 * h
                if h < 1e-13 * max(1.0, abs(t)):
                    return NOT_FINITE, row
            else:
                clock.next_step = h * max(0.2, 0.9 * error ** (-1.0 / (integrator.order + 1.0)))
            continue

        # event location: the step ends where a contact or a condition changes
        h, located, met, cut, refused = shorten(run, t, h)
        if cut == 1:
            final = False
            tick = False
        if refused == NOT_CONVERGED:
            if run.integrator.implicit:
                run.memory.counts.unconverged += 1
            integrator.stuck += 1
            clock.next_step = 0.5 * h
            continue
        if refused == STEP_TOO_SMALL:
            clock.next_step = h * max(0.1, 0.9 * ws.ledger.max_safe_step / h)
            reject(run)
            continue

        # accepted: dense output within the step, the state moves to its end, the size of the next step
        if interval > 0.0:
            row = write_rows(run, t, h, until, final, met, row)
        run.method.between(run, t, 1.0, h)
        grow = run.method.finish(run, h, error)
        if run.integrator.implicit:
            run.memory.counts.steps += 1
        t = until if final else instant if tick else t + h
        if not move(run, located, t):
            return NOT_FINITE, row
        clock.now = t
        status = status_of_state(ws)
        if status != OK and status != INTERRUPTED:
            return status, row
        changed = met > 0 or (tick and integrator.implicit)
        choose_next(run, h * grow, h, wanted, near and not final, changed, until - t)
        clock.ready = 0
        # conditions, then rows of the tape
        if ws.flags.watched > 0:
            met += watching(run, t, run.q, run.v, run.z, 1)
            if met > 0:
                if interval <= 0.0:
                    clock.ready = -1
                return INTERRUPTED if ws.flags.stopped else EVENT, row
        if interval <= 0.0:
            write_state(run, t, row)
            clock.ready = 1
            clock.outputs += 1
            row += 1
        elif final and clock.start + (clock.outputs - 1) * interval < until - 1e-9 * interval:
            write_state(run, t, row)
            row += 1
        if ws.flags.stopped:
            return INTERRUPTED, row
        if final:
            return OK, row
    return OK, row


@entry_point
def fixed_cases(
    run: Loop, start: float, h: float, steps: int, every: int, p: Matrix, q: Matrix, v: Matrix, z: Matrix,
    latched: Matrix, rows: int, done: Integers,
) -> None:  # fmt: skip
    """`steps` fixed steps of every case; row c of p, q, v, z and latched belongs to case c, as do `rows` rows of the
    tape.

    done[c] becomes the number of steps that case c made before it stopped being finite or left its constraints,
    `steps` if it never did; rows that were not reached are left as they are.
    """
    for c in range(q.shape[0]):
        load(run, p, q, v, z, latched, c)
        status, made, _ = fixed_steps(run, start, h, 0, steps, steps, every, rows * c)
        done[c] = made if status == OK else min(made, steps - 1)
        for j in range(q.shape[1]):
            q[c, j] = run.q[j]
        for k in range(v.shape[1]):
            v[c, k] = run.v[k]
        for k in range(z.shape[1]):
            z[c, k] = run.z[k]
        for k in range(latched.shape[1]):
            latched[c, k] = run.latched[k]


@kernel
def load(run, p, q, v, z, latched, c):
    """Lets a run begin from the state of case c."""
    for k in range(p.shape[1]):
        run.p[k] = p[c, k]
    for j in range(q.shape[1]):
        run.q[j] = q[c, j]
    for k in range(v.shape[1]):
        run.v[k] = v[c, k]
    for k in range(z.shape[1]):
        run.z[k] = z[c, k]
    for k in range(latched.shape[1]):
        run.latched[k] = latched[c, k]
