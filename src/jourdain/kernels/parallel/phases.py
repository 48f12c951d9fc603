"""The phases of a step, what a thread does with a part in each of them, and the threads themselves."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, separate_kernel
from ..integrate.loop_records import Loop
from ..integrate.runge_kutta import error_norm
from ..integrate.state_steps import combine, rates_at
from ..records import record_at
from ..tree.motions import prescribe
from .contact_phases import accept_part, contact_forces_of_part, copy_part, list_part, search_part, slots_part
from .thread_pool import HELP, fails, finished, give_up, hand_out, hand_out_pairs, look, take, tell
from .tree_phases import (
    accelerate_part,
    clear_part,
    increments_part,
    load_part,
    move_part,
    note_motion,
    rates_part,
    shift_part,
    stage_part,
)

DO_MOVE, DO_PLACE, DO_CONTACT_FORCES, DO_LOAD, DO_ACCELERATE, DO_LOAD_AND_ACCELERATE = range(6)
DO_LIST, DO_SEARCH, DO_COPY, DO_SLOTS, DO_ACCEPT = range(6, 11)
DO_STATE, DO_SHIFT, DO_RATES, DO_RATES_AND_STATE, DO_RATES_AND_STEP = range(11, 16)


@separate_kernel
def do_part(model, touch, ws, part):
    """What the phase of now asks of a part."""
    pool = ws.pool
    words, phase = pool.words, pool.words.phase
    mine = record_at(ws, pool.workspaces[part, 0])
    if phase == DO_MOVE or phase == DO_PLACE:
        move_part(model, ws, mine, pool, part, words.q, words.v)
        if phase == DO_MOVE:
            clear_part(ws, pool, part, words.rates)
        else:
            note_motion(model, ws, pool, part)
    elif phase == DO_CONTACT_FORCES:
        contact_forces_of_part(model, touch, ws, mine, pool, part, words.z, words.latched, words.rates)
    elif phase <= DO_LOAD_AND_ACCELERATE:
        if phase != DO_ACCELERATE:
            load_part(model, ws, mine, pool, part, words.q, words.v)
        if phase != DO_LOAD:
            accelerate_part(model, mine, pool, part, ws.effort, words.acceleration)
    elif phase == DO_LIST:
        list_part(model, ws, pool, part)
    elif phase == DO_SEARCH:
        search_part(model, record_at(ws, pool.workspaces[part, 1]), pool, part)
    elif phase == DO_COPY:
        copy_part(ws, record_at(ws, pool.workspaces[part, 1]), pool, part)
    elif phase == DO_SLOTS:
        slots_part(model, ws, pool, part, words.z, words.latched)
    else:
        accept_part(model, touch, ws, mine, pool, part, words.z, words.latched, words.rates)


@kernel
def together(model, touch, ws, phase):
    """A phase of the tree, by all threads; this one is the first of them."""
    pool, parts, looks = ws.pool, len(ws.pool.bounds), 0
    if phase == DO_CONTACT_FORCES or phase == DO_ACCEPT:
        hand_out_pairs(pool, phase, pool.first_pair)
    else:
        hand_out(pool, phase, parts)
    while look(pool.words.finished) < parts:
        part, done = take(pool, 0, looks), 0
        while part >= 0:
            do_part(model, touch, ws, part)
            done += 1
            part = take(pool, 0, looks)
        if look(pool.words.broken) != 0:
            give_up()
        looks = finished(pool, done, looks)


@separate_kernel
def do_stage(run, part):
    """What the phase of now asks of a part of the vectors of a step."""
    pool, table = run.ws.pool, run.tableau
    phase, stage, h = pool.words.phase, pool.words.stage, pool.numbers.step
    if phase == DO_STATE:
        stage_part(run, pool, part, stage, h)
    elif phase == DO_SHIFT:
        shift_part(run, pool, part)
    else:
        rates_part(run, pool, part, stage)
        if phase == DO_RATES_AND_STATE:
            stage_part(run, pool, part, stage + 1, h)
        elif phase == DO_RATES_AND_STEP:
            increments_part(run, pool, part, table.b, table.sizes.step, h)


@kernel
def stage_together(run, phase, stage, h):
    """A phase of the vectors of a step, by all threads."""
    pool, looks = run.ws.pool, 0
    parts = len(pool.bounds)
    pool.words.stage, pool.numbers.step = stage, h
    hand_out(pool, phase, parts)
    while look(pool.words.finished) < parts:
        part, done = take(pool, 0, looks), 0
        while part >= 0:
            do_stage(run, part)
            done += 1
            part = take(pool, 0, looks)
        looks = finished(pool, done, looks)


@entry_point
def pool_here(run: Loop, t: float) -> None:
    """`rates_here` of `steps` by all threads."""
    b = run.buffers
    stage_together(run, DO_STATE, 0, 0.0)
    rates_at(run, run.stages, t, b.q, b.v, b.z)
    stage_together(run, DO_RATES, 0, 0.0)


@entry_point
def pool_shift(run: Loop, t: float) -> int:
    """`move_state` of `steps` by all threads; 0 where the state is not finite."""
    pool = run.ws.pool
    stage_together(run, DO_SHIFT, 0, 0.0)
    finite = 0.0
    for part in range(len(pool.bounds)):
        finite += pool.found[part].finite
    prescribe(run.model, run.task, t, run.q, run.v, run.buffers.acceleration)
    return 1 if finite == 0.0 else 0


@entry_point
def pool_attempt(run: Loop, t: float, h: float) -> float:
    """`explicit_attempt` by all threads."""
    table, b = run.tableau, run.buffers
    run.integrator.restart, run.clock.dense = False, False
    last = table.sizes.error - 1
    stage_together(run, DO_STATE, min(1, last), h)
    for s in range(1, last + 1):
        rates_at(run, run.stages, t + table.c[s] * h, b.q, b.v, b.z)
        stage_together(run, DO_RATES_AND_STATE if s < last else DO_RATES_AND_STEP, s, h)
    if last == 0:
        combine(b.K, table.b, table.sizes.step, h, b.y)
    if not run.integrator.adaptive:
        return 0.0
    error = error_norm(run.model, table, b.K, h, run.q, run.v, run.z, b.y, run.clock.rtol, run.clock.atol)
    return error if error == error else math.inf


@entry_point
def pool_thread(run: Loop, thread: int) -> None:
    """What one of the other threads does until the crew is closed."""
    pool, words = run.ws.pool, run.ws.pool.words
    seen, looks = 0, 0
    while look(words.open) == 1:
        number, done = look(words.round), 0
        looks = 0 if number != seen else looks
        if number != seen or looks == HELP:
            seen, part = number, take(pool, thread, looks)
            while part >= 0:
                if words.phase >= DO_STATE:
                    do_stage(run, part)
                elif fails(do_part, run.model, run.stages.touch, run.ws, part):
                    tell(words.broken, 1)
                    do_part(run.model, run.stages.touch, run.ws, part)  # this time Python hears of it
                done += 1
                part = take(pool, thread, looks)
        looks = finished(pool, done, looks)
