"""Explicit Runge-Kutta steps on the group, at a fixed step or with error control and dense output.

Within a step every configuration is the starting one displaced by an increment in its tangent space (Munthe-Kaas
1999), so a method is a plain Runge-Kutta method on y = (increment, v, z), and keeps its order on rotations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .compiler import called, gate, kernel
from .constraints.layout import ACTING
from .contact.layout import BUILT, FLIGHT_GAP, FLIGHT_STEP
from .joints import displace, tangent_rate
from .layout import CROWDED, DUE, HELD, KEPT, KINETIC, NEAR, SAMPLED, STEP, STOPPED, UNCLOSED, UNSEEN, WANTED, WATCHED
from .motions import prescribe
from .passive import move_anchors
from .paths import displace_paths, path_rates

OK, FULL, NOT_FINITE, TOO_SMALL, NO_ROOM, INTERRUPTED, HAPPENED, OPEN, STUCK = 0, 1, 2, 3, 4, 5, 6, 7, 8


class Buffers(NamedTuple):
    """Scratch of a stepper: stage rates K (stages, nv + nv + nz + three a path), and the state of a stage."""

    K: np.ndarray
    y: np.ndarray  # (nv + nv + nz + three a path) combination of the stages
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    acceleration: np.ndarray
    dz: np.ndarray


class Tape(NamedTuple):
    """What a run keeps, row by row."""

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    effort: np.ndarray
    energy: np.ndarray  # kinetic, gravity, strain, contact, dissipated, work


@kernel
def record(ws, t, q, v, z, latched, tape, row):
    """Writes one row: the state, the supplied efforts and the energies that the last evaluation left in ws."""
    tape.time[row] = t
    for j in range(q.size):
        tape.q[row, j] = q[j]
    for k in range(v.size):
        tape.v[row, k] = v[k]
        tape.effort[row, k] = ws.supplied[k]
    for j in range(latched.size):
        tape.z[row, j] = latched[j]
    for j in range(z.size - 2):
        tape.z[row, latched.size + j] = z[j]
    for j in range(4):
        tape.energy[row, j] = ws.books[KINETIC + j]
    # z has all that went into friction; what sticking friction still holds is not lost
    tape.energy[row, 4] = z[z.size - 1] - ws.books[HELD]
    tape.energy[row, 5] = z[z.size - 2]


@kernel
def evaluate(rates, stages, model, task, p, ws, buffers, stage, t, q, v, z, latched):
    """Rates of stage `stage` at the increment buffers.y from (q, v, z), into row `stage` of K."""
    K, y = buffers.K, buffers.y
    nv, nz = v.size, z.size
    displace(model, q, y, buffers.q)
    displace_paths(model, q, y, buffers.q)
    for k in range(nv):
        buffers.v[k] = v[k] + y[nv + k]
    for k in range(nz):
        buffers.z[k] = z[k] + y[2 * nv + k]
    rates(model, task, stages, t, buffers.q, buffers.v, buffers.z, latched, p, ws, buffers.acceleration, buffers.dz)
    tangent_rate(model, buffers.q, buffers.v, y, K[stage])
    path_rates(model, ws, buffers.q, buffers.v, y, K[stage])
    for k in range(nv):
        K[stage, nv + k] = buffers.acceleration[k]
    for k in range(nz):
        K[stage, 2 * nv + k] = buffers.dz[k]


@kernel
def combine(K, coefficients, stages, h, y):
    """y = h sum_i coefficients[i] K_i."""
    n = y.size
    for k in range(n):
        y[k] = 0.0
    for i in range(stages):
        c = h * coefficients[i]
        if c != 0.0:
            for k in range(n):
                y[k] += c * K[i, k]


@kernel
def sampling(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers):
    """Digital controllers whose instant is t look at the state and choose what they hold."""
    ws.books[DUE] = t
    rates(model, task, stages, t, q, v, z, latched, p, ws, buffers.acceleration, buffers.dz)
    ws.books[DUE] = math.inf
    if stages.sample(model, t, q, v, z, ws.sensed, p, ws) != 0:
        ws.books[STOPPED] = 1.0


@called
def watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, mark):
    """How many conditions are met at time t that were not at the last accepted step; mark is 1 to remember it."""
    prescribe(model, task, t, q, v, buffers.acceleration)
    if ws.books[WATCHED] == 2.0:
        rates(model, task, stages, t, q, v, z, latched, p, ws, buffers.acceleration, buffers.dz)
    return stages.watch(model, t, q, v, z, ws.sensed, p, ws, mark)


@kernel
def begin(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers):
    """The start of a run: contacts look at its first state, and list which shapes of piles are near each other."""
    ws.lists[BUILT] = 0
    ws.books[CROWDED], ws.books[UNCLOSED], ws.books[KEPT] = 0.0, 0.0, -1.0
    for c in range(model.contact_index.shape[0]):
        ws.flights[c, FLIGHT_GAP], ws.flights[c, FLIGHT_STEP] = -1.0, 0.0
    if model.contact_index.shape[0] > 0:
        stages.accept(model, stages.touch, 0, q, v, z, latched, ws, buffers.dz)
    ws.books[DUE], ws.books[STOPPED] = math.inf, 0.0
    if ws.books[SAMPLED] > 0.0:
        sampling(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers)
    if ws.books[WATCHED] > 0.0:
        watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, 1)


@kernel
def move_state(model, task, t, q, v, z, buffers):
    """Moves the state by buffers.y to time t, prescribed entries to their profiles. False where it is not finite."""
    y = buffers.y
    nv = v.size
    displace(model, q, y, buffers.q)
    displace_paths(model, q, y, buffers.q)
    for j in range(q.size):
        q[j] = buffers.q[j]
    finite = 0.0
    for k in range(nv):
        v[k] += y[nv + k]
        finite += v[k] - v[k]
    for k in range(z.size):
        z[k] += y[2 * nv + k]
        finite += z[k] - z[k]
    prescribe(model, task, t, q, v, buffers.acceleration)
    return finite == 0.0


@kernel
def advance(rates, stages, model, task, located, t, q, v, z, latched, p, ws, buffers):
    """Moves the state by buffers.y to time t; what is latched or sampled changes here. False where it is not finite.

    located is 1 where the step ends at a touchdown or a lift-off.
    """
    finite = move_state(model, task, t, q, v, z, buffers)
    if model.constraint_index.shape[0] > 0 or task.constraining[ACTING] != 0.0:
        if stages.settle(model, task, t, q, v, z, ws) != 0:
            ws.books[UNCLOSED] = 1.0
    move_anchors(model, q, latched)
    if model.contact_index.shape[0] > 0:
        stages.accept(model, stages.touch, located, q, v, z, latched, ws, buffers.dz)
    if ws.books[DUE] <= t + 1e-6 * ws.books[STEP] + 4e-15 * abs(t):
        sampling(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers)
    return finite


@gate
def fixed_steps(
    rates,
    stages,
    model,
    task,
    tableau,
    p,
    ws,
    buffers,
    q,
    v,
    z,
    latched,
    start,
    h,
    first,
    last,
    steps,
    every,
    tape,
    row,
):
    """Steps number `first` to `last` of `steps` of size h from time `start`, a row of the tape at every `every`-th.

    Returns (status, steps done, rows written): HAPPENED where conditions were met at the end of a step. The state at
    the end of all steps is recorded too.
    """
    count = tableau.numbers[0]
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
        ws.books[WANTED] = 1.0 if due else 0.0
        for s in range(count):
            combine(buffers.K, tableau.A[s], s, h, buffers.y)
            evaluate(rates, stages, model, task, p, ws, buffers, s, t + tableau.c[s] * h, q, v, z, latched)
            if s == 0 and due:
                record(ws, t, q, v, z, latched, tape, row)
                row += 1
                ws.books[WANTED] = 0.0
        combine(buffers.K, tableau.b, count, h, buffers.y)
        if not advance(rates, stages, model, task, 0, start + (step + 1) * h, q, v, z, latched, p, ws, buffers):
            return NOT_FINITE, step, row
        if ws.books[UNCLOSED] != 0.0:
            return OPEN, step + 1, row
        if ws.books[CROWDED] != 0.0:
            return NO_ROOM, step + 1, row
        if ws.books[STOPPED] != 0.0:
            return INTERRUPTED, step + 1, row
        if ws.books[WATCHED] > 0.0:
            t = start + (step + 1) * h
            if watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, 1) > 0:
                ws.books[KEPT] = 0.0
                return HAPPENED, step + 1, row
    if last == steps:
        t = start + steps * h
        ws.books[WANTED] = 1.0
        combine(buffers.K, tableau.A[0], 0, h, buffers.y)
        evaluate(rates, stages, model, task, p, ws, buffers, 0, t, q, v, z, latched)
        record(ws, t, q, v, z, latched, tape, row)
        row += 1
    return OK, last, row


@kernel
def error_norm(model, tableau, K, h, q, v, z, y, rtol, atol):
    """Root mean square of the error estimate over atol + rtol |y|; work and dissipation do not count.

    A rotation counts as of size one. The two estimates of dop853 are blended as in Hairer's code.
    """
    nv = v.size
    n = 2 * nv + z.size - 2
    stages = tableau.numbers[1]
    fine, coarse = 0.0, 0.0
    for k in range(n):
        a, b = 0.0, 0.0
        for i in range(stages):
            a += tableau.error[0, i] * K[i, k]
            b += tableau.error[1, i] * K[i, k]
        if k < nv:
            j = model.q_index[k]
            size = max(abs(q[j]), abs(q[j] + y[k])) if j >= 0 else 1.0
        elif k < 2 * nv:
            size = max(abs(v[k - nv]), abs(v[k - nv] + y[k]))
        else:
            size = max(abs(z[k - 2 * nv]), abs(z[k - 2 * nv] + y[k]))
        scale = 1.0 / (atol + rtol * size)
        fine += (a * scale) ** 2
        coarse += (b * scale) ** 2
    if fine == 0.0 and coarse == 0.0:
        return 0.0
    return abs(h) * fine / math.sqrt((fine + 0.01 * coarse) * n)


@kernel
def first_step(rates, stages, model, task, tableau, p, ws, buffers, q, v, z, latched, t, rtol, atol):
    """Size of the first step: Hairer, Norsett & Wanner 1993, section II.4. K[0] must hold the rates at the start."""
    nv = v.size
    n = 2 * nv + z.size - 2
    K, y = buffers.K, buffers.y
    d0, d1 = 0.0, 0.0
    for k in range(n):
        x = 1.0
        if k >= 2 * nv:
            x = z[k - 2 * nv]
        elif k >= nv:
            x = v[k - nv]
        elif model.q_index[k] >= 0:
            x = q[model.q_index[k]]
        scale = atol + rtol * abs(x)
        d0 += (x / scale) ** 2
        d1 += (K[0, k] / scale) ** 2
    h = 1e-6
    if d0 > 1e-10 and d1 > 1e-10:
        h = 0.01 * math.sqrt(d0 / d1)
    for k in range(y.size):
        y[k] = h * K[0, k]
    evaluate(rates, stages, model, task, p, ws, buffers, 1, t + h, q, v, z, latched)
    d2 = 0.0
    for k in range(n):
        x = 1.0
        if k >= 2 * nv:
            x = z[k - 2 * nv]
        elif k >= nv:
            x = v[k - nv]
        elif model.q_index[k] >= 0:
            x = q[model.q_index[k]]
        d2 += ((K[1, k] - K[0, k]) / (atol + rtol * abs(x))) ** 2
    slope = max(math.sqrt(d1 / max(n, 1)), math.sqrt(d2 / max(n, 1)) / h)
    order = tableau.numbers[2] + 1.0
    h1 = (0.01 / slope) ** (1.0 / order) if slope > 1e-15 else max(1e-6, 1e-3 * h)
    return min(100.0 * h, h1)


@kernel
def peek(model, q, v, z, buffers):
    """The state at the increment buffers.y, into the buffers."""
    nv, y = v.size, buffers.y
    displace(model, q, y, buffers.q)
    displace_paths(model, q, y, buffers.q)
    for k in range(nv):
        buffers.v[k] = v[k] + y[nv + k]
    for k in range(z.size):
        buffers.z[k] = z[k] + y[2 * nv + k]


@kernel
def more_stages(rates, stages, model, task, tableau, p, ws, buffers, t, h, q, v, z, latched):
    """The stages that only dense output needs."""
    for s in range(tableau.numbers[1], tableau.A.shape[0]):
        combine(buffers.K, tableau.A[s], s, h, buffers.y)
        evaluate(rates, stages, model, task, p, ws, buffers, s, t + tableau.c[s] * h, q, v, z, latched)


@kernel
def between(tableau, K, x, h, y):
    """Dense output: the increment at the fraction x of a step of size h."""
    for k in range(y.size):
        y[k] = 0.0
    for i in range(tableau.A.shape[0]):
        c = 0.0
        for j in range(tableau.dense.shape[1] - 1, -1, -1):
            c = (c + tableau.dense[i, j]) * x
        c *= h
        if c != 0.0:
            for k in range(y.size):
                y[k] += c * K[i, k]


CONTACTS, EVENTS, EVENTS_AGAIN = 0, 1, 2


@kernel
def time_of_change(rates, stages, model, task, tableau, p, ws, buffers, t, h, kind, q, v, z, latched):
    """Fraction of the step just after which something changes, by bisection of dense output, and how much does.

    CONTACTS        a contact begins or ends
    EVENTS          a condition is met
    EVENTS_AGAIN    the same in a step that ends there but for the error of dense output; it is remembered
    """
    low, high = 0.0, 1.001 if kind == EVENTS_AGAIN else 1.0
    found = 0
    for i in range(34 if kind == CONTACTS else 53):
        x = high if i == 52 else 0.5 * (low + high)
        between(tableau, buffers.K, x, h, buffers.y)
        peek(model, q, v, z, buffers)
        if kind == CONTACTS:
            if task.constraining[ACTING] != 0.0:
                stages.adjust(model, task, t + x * h, buffers.q, buffers.v, ws)
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
def adaptive_steps(
    rates, stages, model, task, tableau, p, ws, buffers, q, v, z, latched,
    clock, until, rtol, atol, largest, interval, trials, tape, row,
):  # fmt: skip
    """Error-controlled steps from clock[0] towards `until`, at most `trials` of them.

    clock = (time, step to try next or 0, outputs written so far, time of the start, 1 if K[0] is at hand and -1 if the
    state is to be a row, last error).
    With interval > 0 rows are dense output at multiples of it, and the end; else every accepted step is a row, the
    first state included. Returns (status, rows written): FULL where the tape has no room left for a step's rows,
    HAPPENED at the time at which a condition is met; the state there is not a row, so that it may change first.
    """
    K, y = buffers.K, buffers.y
    step_stages, error_stages, order = tableau.numbers[0], tableau.numbers[1], tableau.numbers[2]
    power = -1.0 / (order + 1.0)
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
            for k in range(y.size):
                y[k] = 0.0
            ws.books[KEPT] = min(ws.books[KEPT], 0.0)
            ws.books[WANTED] = 1.0
            evaluate(rates, stages, model, task, p, ws, buffers, 0, t, q, v, z, latched)
            ws.books[WANTED] = 0.0
            if clock[2] == 0.0 or clock[4] < 0.0:
                record(ws, t, q, v, z, latched, tape, row)
                row += 1
                clock[2] += 1.0
            clock[4] = 1.0
            if clock[1] == 0.0:
                ws.books[NEAR] = 0.0
                clock[1] = first_step(
                    rates, stages, model, task, tableau, p, ws, buffers, q, v, z, latched, t, rtol, atol
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
            return TOO_SMALL, row
        room = 1
        if interval > 0.0:
            room = int((t + h - clock[3]) / interval) - int(clock[2]) + 3
        if row + room > capacity:
            return FULL, row

        for s in range(1, error_stages):
            combine(K, tableau.A[s], s, h, y)
            evaluate(rates, stages, model, task, p, ws, buffers, s, t + tableau.c[s] * h, q, v, z, latched)
        combine(K, tableau.b, step_stages, h, y)
        error = error_norm(model, tableau, K, h, q, v, z, y, rtol, atol)
        if not error <= 1.0:
            clock[5] = 2.0
            if not math.isfinite(error):
                clock[1] = 0.1 * h
                if h < 1e-13 * max(1.0, abs(t)):
                    return NOT_FINITE, row
            else:
                clock[1] = h * max(0.2, 0.9 * error**power)
            continue

        ready = False
        located, met = 0, 0
        unseen = False
        for kind in range(3):
            found = met
            if kind == CONTACTS:
                if model.contact_index.shape[0] == 0:
                    continue
                peek(model, q, v, z, buffers)
                if task.constraining[ACTING] != 0.0:
                    stages.adjust(model, task, t + h, buffers.q, buffers.v, ws)
                found = stages.changed(model, stages.touch, buffers.q, buffers.v, latched, ws)
                unseen = h > ws.books[UNSEEN]
            elif ws.books[WATCHED] == 0.0:
                break
            elif kind == EVENTS:
                if located == 1:
                    combine(K, tableau.b, step_stages, h, y)
                peek(model, q, v, z, buffers)
                found = watching(
                    rates, stages, model, task, t + h, buffers.q, buffers.v, buffers.z, latched, p, ws, buffers, 0
                )
            if unseen or (kind != CONTACTS and found == 0):
                break
            if found > 0:
                more_stages(rates, stages, model, task, tableau, p, ws, buffers, t, h, q, v, z, latched)
                x, met = time_of_change(
                    rates, stages, model, task, tableau, p, ws, buffers, t, h, kind, q, v, z, latched
                )
                if kind == CONTACTS:
                    met = 0
                h = max(h * x, min(h, 1e-14 * max(1.0, abs(t))))  # time must go on
                located = 1 if kind == CONTACTS else 0
                final = False
                tick = False
                for s in range(1, error_stages):
                    combine(K, tableau.A[s], s, h, y)
                    evaluate(rates, stages, model, task, p, ws, buffers, s, t + tableau.c[s] * h, q, v, z, latched)
        if unseen:
            clock[1] = h * max(0.1, 0.9 * ws.books[UNSEEN] / h)
            clock[5] = 2.0
            continue

        slack = -1e-9 * interval if met > 0 else 1e-9 * interval
        if interval > 0.0:
            while True:
                due = clock[3] + clock[2] * interval
                if due > t + h + slack or (final and due >= until - 1e-9 * interval):
                    break
                if not ready:
                    more_stages(rates, stages, model, task, tableau, p, ws, buffers, t, h, q, v, z, latched)
                    ready = True
                between(tableau, K, min((due - t) / h, 1.0), h, y)
                peek(model, q, v, z, buffers)
                if model.constraint_index.shape[0] > 0 and task.constraining[ACTING] == 0.0:
                    prescribe(model, task, due, buffers.q, buffers.v, buffers.acceleration)
                    stages.settle(model, task, due, buffers.q, buffers.v, buffers.z, ws)
                ws.books[WANTED] = 1.0
                rates(
                    model, task, stages, due, buffers.q, buffers.v, buffers.z, latched, p, ws,
                    buffers.acceleration, buffers.dz,
                )  # fmt: skip
                ws.books[WANTED] = 0.0
                record(ws, due, buffers.q, buffers.v, buffers.z, latched, tape, row)
                row += 1
                clock[2] += 1.0
        combine(K, tableau.b, step_stages, h, y)

        t = until if final else instant if tick else t + h
        if not advance(rates, stages, model, task, located, t, q, v, z, latched, p, ws, buffers):
            return NOT_FINITE, row
        clock[0] = t
        if ws.books[UNCLOSED] != 0.0:
            return OPEN, row
        if ws.books[CROWDED] != 0.0:
            return NO_ROOM, row
        grow = 10.0 if error == 0.0 else min(10.0, 0.9 * error**power)
        if clock[5] > 1.0:
            grow = min(grow, 1.0)
        clock[5] = error
        clock[1] = h * max(grow, 0.2)
        if located == 1 or met > 0:  # contact or an event cut it short, not the error
            clock[1] = max(clock[1], wanted)
        elif near and not final:
            clock[1] = max(clock[1], min(2.0 * wanted, until - t))
        clock[4] = 0.0
        if ws.books[WATCHED] > 0.0:
            met += watching(rates, stages, model, task, t, q, v, z, latched, p, ws, buffers, 1)
            if met > 0:
                if interval <= 0.0:
                    clock[4] = -1.0
                return INTERRUPTED if ws.books[STOPPED] != 0.0 else HAPPENED, row
        if interval <= 0.0:
            for k in range(y.size):
                y[k] = 0.0
            ws.books[WANTED] = 1.0
            evaluate(rates, stages, model, task, p, ws, buffers, 0, t, q, v, z, latched)
            ws.books[WANTED] = 0.0
            clock[4] = 1.0
            record(ws, t, q, v, z, latched, tape, row)
            row += 1
            clock[2] += 1.0
        elif final and clock[3] + (clock[2] - 1.0) * interval < until - 1e-9 * interval:
            for k in range(y.size):
                y[k] = 0.0
            ws.books[WANTED] = 1.0
            evaluate(rates, stages, model, task, p, ws, buffers, 0, t, q, v, z, latched)
            ws.books[WANTED] = 0.0
            record(ws, t, q, v, z, latched, tape, row)
            row += 1
        if ws.books[STOPPED] != 0.0:
            return INTERRUPTED, row
        if final:
            return OK, row
    return OK, row
