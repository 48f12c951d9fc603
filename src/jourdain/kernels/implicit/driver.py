"""The loop of an implicit run, at fixed steps or with error control and dense output.

The same as that of the explicit methods (`steppers`): samples, contacts, conditions and prescribed motions are dealt
with between steps. What differs is how a step is made, and that a method which remembers earlier steps begins anew
after what is not smooth: a contact that begins or ends, an event, a sample of a digital controller.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..compiler import called, gate, kernel
from ..constraints.layout import FORCE
from ..layout import CROWDED, DUE, NEAR, STEP, STOPPED, UNCLOSED, UNSEEN, WANTED, WATCHED
from ..steppers import (
    CONTACTS,
    EVENTS,
    EVENTS_AGAIN,
    FULL,
    HAPPENED,
    INTERRUPTED,
    NO_ROOM,
    NOT_FINITE,
    OK,
    OPEN,
    STUCK,
    TOO_SMALL,
    advance,
    begin,
    evaluate,
    peek,
    record,
    watching,
)
from .layout import (
    AGED,
    CALLS,
    EVERY,
    FAILED,
    FIRST_ORDER,
    FORM,
    ORDER,
    REJECTED,
    RESTART,
    STATES,
    STEPS,
    STUCK_AT,
    UNCONVERGED,
    Corrector,
)
from .newton import size_of, weigh

HALVINGS = 12
"""How often a fixed step is halved where its corrections do not converge."""


class Scheme(NamedTuple):
    """An implicit method and what it needs: first-class functions, and its memory.

    attempt    tries a step and returns its error
    between    dense output
    finish     remembers an accepted step
    slope      derivatives of all that acts
    rows       rows of the constraints
    free       the stages of the run without the forces of constraints
    """

    attempt: Any
    between: Any
    finish: Any
    slope: Any
    rows: Any
    free: Any
    memory: Corrector


@called
def start_rates(rates, stages, model, task, p, ws, buffers, co, t, q, v, z, latched):
    """Rates of the motion at a state into buffers.K[0]; multipliers as they are there."""
    for k in range(buffers.y.size):
        buffers.y[k] = 0.0
    evaluate(rates, stages, model, task, p, ws, buffers, 0, t, q, v, z, latched)
    co.counts[CALLS] += 1
    if co.numbers[RESTART] == 1.0 and co.numbers[FORM] > 0.0:
        for r in range(co.force.shape[1]):
            co.force[0, r] = ws.rows[r, FORCE]


@called
def move(rates, stages, model, task, located, t, q, v, z, latched, p, ws, buffers, co):
    """`advance`, and a restart where contacts changed their states; False where something is not finite."""
    nv = v.size
    scratch = co.right
    states = int(co.numbers[STATES])
    for k in range(states):
        scratch[k] = z[k] + buffers.y[2 * nv + k]
    fine = advance(rates, stages, model, task, located, t, q, v, z, latched, p, ws, buffers)
    for k in range(states):
        if z[k] != scratch[k]:
            co.numbers[RESTART] = 1.0
    if located == 1:
        co.numbers[RESTART] = 1.0
    if co.numbers[RESTART] == 1.0:
        co.numbers[AGED] = 1.0
    return fine


@gate
def implicit_fixed(
    rates, stages, model, task, scheme, p, ws, buffers, q, v, z, latched,
    start, h, first, last, steps, every, tape, row,
):  # fmt: skip
    """`fixed_steps` for an implicit method. A step whose corrections do not converge is made in parts."""
    co = scheme.memory
    ws.books[STEP] = h
    if first == 0:
        begin(rates, stages, model, task, start, q, v, z, latched, p, ws, buffers)
        if ws.books[CROWDED] != 0.0:
            return NO_ROOM, 0, row
        if ws.books[STOPPED] != 0.0:
            return INTERRUPTED, 0, row
    for step in range(first, last):
        t = start + step * h
        due = step % every == 0
        if due or co.numbers[RESTART] == 1.0 or co.numbers[EVERY] == 1.0:
            ws.books[WANTED] = 1.0 if due else 0.0
            start_rates(rates, stages, model, task, p, ws, buffers, co, t, q, v, z, latched)
            ws.books[WANTED] = 0.0
        if due:
            record(ws, t, q, v, z, latched, tape, row)
            row += 1
        left, part, parts = h, h, 0
        while left > 0.0:
            instant = ws.books[DUE]
            error = scheme.attempt(
                rates, scheme.free, model, task, scheme.slope, scheme.rows, p, ws, buffers, co, q, v, z, latched,
                start + (step + 1) * h - left, part, 1e-9, 1e-11,
            )  # fmt: skip
            if not error >= 0.0:
                co.counts[UNCONVERGED] += 1
                co.numbers[AGED] = 1.0
                part *= 0.5
                parts += 1
                if parts > HALVINGS:
                    return STUCK, step, row
                continue
            scheme.finish(model, co, buffers, part, 0.0)
            co.counts[STEPS] += 1
            left -= part
            if left < 1e-9 * h:
                left = 0.0
            t = start + (step + 1) * h - left
            if not move(rates, stages, model, task, 0, t, q, v, z, latched, p, ws, buffers, co):
                return NOT_FINITE, step, row
            part = min(left, part)
        if instant != ws.books[DUE]:
            co.numbers[RESTART], co.numbers[AGED] = 1.0, 1.0
        if ws.books[UNCLOSED] != 0.0:
            return OPEN, step + 1, row
        if ws.books[CROWDED] != 0.0:
            return NO_ROOM, step + 1, row
        if ws.books[STOPPED] != 0.0:
            return INTERRUPTED, step + 1, row
        if ws.books[WATCHED] > 0.0:
            t = start + (step + 1) * h
            if watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, 1) > 0:
                return HAPPENED, step + 1, row
    if last == steps:
        ws.books[WANTED] = 1.0
        start_rates(rates, stages, model, task, p, ws, buffers, co, start + steps * h, q, v, z, latched)
        record(ws, start + steps * h, q, v, z, latched, tape, row)
        row += 1
    return OK, last, row


@called
def first_implicit_step(rates, stages, model, task, p, ws, buffers, co, q, v, z, latched, t, rtol, atol):
    """Size of a first step: Hairer, Norsett & Wanner 1993, section II.4. K[0] must hold the rates at the start."""
    nv = v.size
    n = 2 * nv + int(co.numbers[STATES])
    K, y = buffers.K, buffers.y
    weigh(co, model, ws, q, v, z, rtol, atol)
    d0 = 0.0
    for k in range(n):
        y[k] = 1.0
        if k >= 2 * nv:
            y[k] = z[k - 2 * nv]
        elif k >= nv:
            y[k] = v[k - nv]
        elif model.q_index[k] >= 0:
            y[k] = q[model.q_index[k]]
    d0 = size_of(co, y, n, 1.0)
    d1 = size_of(co, K[0], n, 1.0)
    h = 1e-6
    if d0 > 1e-5 and d1 > 1e-5:
        h = 0.01 * d0 / d1
    for k in range(y.size):
        y[k] = h * K[0, k]
    evaluate(rates, stages, model, task, p, ws, buffers, 1, t + h, q, v, z, latched)
    co.counts[CALLS] += 1
    for k in range(n):
        y[k] = K[1, k] - K[0, k]
    slope = max(d1, size_of(co, y, n, 1.0) / h)
    order = co.numbers[FIRST_ORDER] + 1.0
    h1 = (0.01 / slope) ** (1.0 / order) if slope > 1e-15 else max(1e-6, 1e-3 * h)
    return min(100.0 * h, h1)


@kernel
def time_of_change(rates, stages, model, task, scheme, p, ws, buffers, t, h, kind, q, v, z, latched):
    """Fraction of the step just after which something changes, and how much does, as the explicit methods find it."""
    low, high = 0.0, 1.001 if kind == EVENTS_AGAIN else 1.0
    found = 0
    for i in range(34 if kind == CONTACTS else 53):
        x = high if i == 52 else 0.5 * (low + high)
        scheme.between(model, scheme.memory, buffers, x, h)
        peek(model, q, v, z, buffers)
        if kind == CONTACTS:
            found = stages.changed(model, stages.touch, buffers.q, buffers.v, latched, ws)
        else:
            mark = 1 if kind == EVENTS_AGAIN and i == 52 else 0
            found = watching(
                rates, stages, model, task, t + x * h, buffers.q, buffers.v, buffers.z, latched, p, ws, buffers, mark
            )
        if found > 0:
            high = x
        else:
            low = x
    return high, found


@gate
def implicit_steps(
    rates, stages, model, task, scheme, p, ws, buffers, q, v, z, latched,
    clock, until, rtol, atol, largest, interval, trials, tape, row,
):  # fmt: skip
    """`adaptive_steps` for an implicit method; clock[4] is as there."""
    co = scheme.memory
    capacity = tape.time.size
    for _ in range(trials):
        t = clock[0]
        if clock[2] == 0.0 and clock[4] == 0.0:
            ws.books[STEP] = 0.0
            begin(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers)
            if ws.books[CROWDED] != 0.0:
                return NO_ROOM, row
            if ws.books[STOPPED] != 0.0:
                return INTERRUPTED, row
        if clock[4] <= 0.0:
            wanted_row = clock[2] == 0.0 or clock[4] < 0.0
            if wanted_row or co.numbers[RESTART] == 1.0 or co.numbers[EVERY] == 1.0:
                ws.books[WANTED] = 1.0
                start_rates(rates, stages, model, task, p, ws, buffers, co, t, q, v, z, latched)
                ws.books[WANTED] = 0.0
            if wanted_row:
                record(ws, t, q, v, z, latched, tape, row)
                row += 1
                clock[2] += 1.0
            clock[4] = 1.0
        if co.numbers[RESTART] == 1.0 and clock[1] == 0.0:
            ws.books[NEAR] = 0.0
            clock[1] = first_implicit_step(
                rates, stages, model, task, p, ws, buffers, co, q, v, z, latched, t, rtol, atol
            )
        wanted = min(clock[1], largest)
        h = wanted
        if model.contact_index.shape[0] > 0:
            h = min(h, max(1.001 * ws.books[NEAR], 1e-3 * h))
        instant = ws.books[DUE]
        tick = instant < until and t + (1.0 + 1e-9) * h >= instant
        if tick:
            h = instant - t
        near = h < wanted
        final = t + (1.0 + 1e-9) * h >= until
        if final:
            h = until - t
        if not h > 4e-16 * abs(t):
            return STUCK if co.numbers[STUCK_AT] > 0.0 else TOO_SMALL, row
        room = 1
        if interval > 0.0:
            room = int((t + h - clock[3]) / interval) - int(clock[2]) + 3
        if row + room > capacity:
            return FULL, row

        error = scheme.attempt(
            rates, scheme.free, model, task, scheme.slope, scheme.rows, p, ws, buffers, co, q, v, z, latched,
            t, h, rtol, atol,
        )  # fmt: skip
        if not error >= 0.0:
            co.counts[UNCONVERGED] += 1
            co.numbers[REJECTED] = 1.0
            co.numbers[STUCK_AT] += 1.0
            clock[1] = 0.5 * h
            if h < 1e-13 * max(1.0, abs(t)):
                return STUCK, row
            continue
        co.numbers[STUCK_AT] = 0.0
        if not error <= 1.0:
            co.counts[FAILED] += 1
            co.numbers[REJECTED] = 1.0
            clock[5] = 2.0
            if not math.isfinite(error):
                clock[1] = 0.1 * h
                if h < 1e-13 * max(1.0, abs(t)):
                    return NOT_FINITE, row
            else:
                clock[1] = h * max(0.2, 0.9 * error ** (-1.0 / (co.numbers[ORDER] + 1.0)))
            continue

        located, met = 0, 0
        unseen, lost = False, False
        for kind in range(3):
            found = met
            if kind == CONTACTS:
                if model.contact_index.shape[0] == 0:
                    continue
                peek(model, q, v, z, buffers)
                found = stages.changed(model, stages.touch, buffers.q, buffers.v, latched, ws)
                unseen = h > ws.books[UNSEEN]
            elif ws.books[WATCHED] == 0.0:
                break
            elif kind == EVENTS:
                scheme.between(model, co, buffers, 1.0, h)
                peek(model, q, v, z, buffers)
                found = watching(
                    rates, stages, model, task, t + h, buffers.q, buffers.v, buffers.z, latched, p, ws, buffers, 0
                )
            if unseen or lost or (kind != CONTACTS and found == 0):
                break
            if found > 0:
                x, met = time_of_change(
                    rates, stages, model, task, scheme, p, ws, buffers, t, h, kind, q, v, z, latched
                )
                if kind == CONTACTS:
                    met = 0
                h = max(h * x, min(h, 1e-14 * max(1.0, abs(t))))  # time must go on
                located = 1 if kind == CONTACTS else 0
                final = False
                tick = False
                shorter = scheme.attempt(
                    rates, scheme.free, model, task, scheme.slope, scheme.rows, p, ws, buffers, co, q, v, z, latched,
                    t, h, rtol, atol,
                )  # fmt: skip
                lost = not shorter >= 0.0
        if lost:
            co.counts[UNCONVERGED] += 1
            co.numbers[STUCK_AT] += 1.0
            clock[1] = 0.5 * h
            continue
        if unseen:
            clock[1] = h * max(0.1, 0.9 * ws.books[UNSEEN] / h)
            clock[5] = 2.0
            co.counts[FAILED] += 1
            continue

        slack = -1e-9 * interval if met > 0 else 1e-9 * interval
        if interval > 0.0:
            while True:
                due = clock[3] + clock[2] * interval
                if due > t + h + slack or (final and due >= until - 1e-9 * interval):
                    break
                scheme.between(model, co, buffers, min((due - t) / h, 1.0), h)
                peek(model, q, v, z, buffers)
                ws.books[WANTED] = 1.0
                rates(
                    model, task, stages, due, buffers.q, buffers.v, buffers.z, latched, p, ws,
                    buffers.acceleration, buffers.dz,
                )  # fmt: skip
                co.counts[CALLS] += 1
                ws.books[WANTED] = 0.0
                record(ws, due, buffers.q, buffers.v, buffers.z, latched, tape, row)
                row += 1
                clock[2] += 1.0
        scheme.between(model, co, buffers, 1.0, h)
        grow = scheme.finish(model, co, buffers, h, error)
        co.counts[STEPS] += 1
        t = until if final else instant if tick else t + h
        if not move(rates, stages, model, task, located, t, q, v, z, latched, p, ws, buffers, co):
            return NOT_FINITE, row
        clock[0] = t
        if ws.books[UNCLOSED] != 0.0:
            return OPEN, row
        if ws.books[CROWDED] != 0.0:
            return NO_ROOM, row
        if co.numbers[REJECTED] == 1.0:
            grow = min(grow, 1.0)
        co.numbers[REJECTED] = 0.0
        clock[5] = error
        clock[1] = h * max(grow, 0.2)
        if tick or met > 0:
            co.numbers[RESTART], co.numbers[AGED] = 1.0, 1.0
        if co.numbers[RESTART] == 1.0:
            clock[1] = 0.0 if co.numbers[EVERY] == 0.0 else max(clock[1], wanted)
        elif near and not final:
            clock[1] = max(clock[1], min(2.0 * wanted, until - t))
        clock[4] = 0.0
        if ws.books[WATCHED] > 0.0:
            met += watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, 1)
            if met > 0:
                if interval <= 0.0:
                    clock[4] = -1.0
                return INTERRUPTED if ws.books[STOPPED] != 0.0 else HAPPENED, row
        if interval <= 0.0 or (final and clock[3] + (clock[2] - 1.0) * interval < until - 1e-9 * interval):
            ws.books[WANTED] = 1.0
            start_rates(rates, stages, model, task, p, ws, buffers, co, t, q, v, z, latched)
            ws.books[WANTED] = 0.0
            if interval <= 0.0:
                clock[4] = 1.0
                clock[2] += 1.0
            record(ws, t, q, v, z, latched, tape, row)
            row += 1
        if ws.books[STOPPED] != 0.0:
            return INTERRUPTED, row
        if final:
            return OK, row
    return OK, row
