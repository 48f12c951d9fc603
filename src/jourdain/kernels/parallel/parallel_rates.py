"""The right-hand side of a run, and what contacts remember after a step, on several threads.

The same stages as in `tree.rates` and `contact.piles`, cut into phases where all threads wait for each other. What is
not divided, laws and constraints and contacts that are no piles, this thread does alone between them.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..contact.broad_phase import large_of, link_cells, list_large, list_pairs, margin_of
from ..contact.contact_forces import contact_forces_of_pairs
from ..contact.contact_layout import CELLS
from ..contact.granular import accept_pair, outgrown
from ..contact.memory.latches import accept_pairs
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import given, record_at
from ..rows import clear_row
from ..signatures import Vector
from ..stage_functions import ContactFunctions, StageFunctions
from ..tree.kinematics import circles_between, move_world
from ..tree.motions import prescribe
from ..tree.orbit import orbital_potential
from ..tree.right_hand_side import begin_efforts, end_rates, sense, supply
from .contact_phases import count_pairs, link_pairs, next_waiting, sum_up
from .phases import (
    DO_ACCELERATE,
    DO_ACCEPT,
    DO_CONTACT_FORCES,
    DO_COPY,
    DO_LIST,
    DO_LOAD,
    DO_LOAD_AND_ACCELERATE,
    DO_MOVE,
    DO_PLACE,
    DO_SEARCH,
    DO_SLOTS,
    together,
)


@kernel
def move_together(model, touch, ws, q, v, phase):
    """`kinematics` and `place_shapes`, by all threads; energies where they are wanted."""
    words = ws.pool.words
    if model.flexible.size > 0:
        circles_between(model, ws, q)
    move_world(model, ws)
    words.q, words.v = q, v
    together(model, touch, ws, phase)


@kernel
def energies_together(model, ws):
    """Kinetic energy and that of gravity, as the parts left them."""
    kinetic, gravity = 0.0, 0.0
    for part in range(len(ws.pool.bounds)):
        kinetic += ws.pool.sums[part].kinetic
        gravity += ws.pool.sums[part].gravity
    if model.gravity.size > 3:
        gravity += orbital_potential(model, ws)
    ws.ledger.kinetic, ws.ledger.gravity = kinetic, gravity


@kernel
def contact_forces_by_threads(model, touch, ws, z, latched, dz):
    """Lets contacts act on their shapes: pairs one after the other, piles by all threads."""
    pool = ws.pool
    contact_forces_of_pairs(model, touch, ws, z, latched, dz)
    for n in range(pool.piles.size):
        clear_row(ws.contact_wrenches[pool.piles[n]])
    count_pairs(ws, pool)
    pool.words.z, pool.words.latched = z, latched
    together(model, touch, ws, DO_CONTACT_FORCES)
    for part in range(len(pool.bounds)):
        sum_up(ws, pool, part)


@entry_point
def pool_rates(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, acceleration: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`tree_rates` by all threads."""
    touch, shared = stages.touch, ws.pool.words.shares_contact
    # motion of all bodies
    prescribe(model, task, t, q, v, acceleration)
    ws.ledger.time = t
    if len(model.constraints) > 0 and given(stages.adjust):
        stages.adjust(model, task, t, q, v, ws)
    ws.flags.brief = not ws.flags.energies_wanted
    if not (given(stages.law) or given(stages.constrain) or given(stages.adjust)):
        ws.flags.bare = ws.flags.brief
    ws.pool.words.rates = dz
    move_together(model, touch, ws, q, v, DO_MOVE)
    ws.flags.brief, ws.flags.bare = False, False
    if ws.flags.energies_wanted:
        energies_together(model, ws)
    # what acts on them
    begin_efforts(model, q, v, latched, ws)
    if shared:
        contact_forces_by_threads(model, touch, ws, z, latched, dz)
        if given(stages.law):
            together(model, touch, ws, DO_LOAD)
    elif given(stages.contact):
        stages.contact(model, touch, q, v, z, latched, ws, dz)
    for i in range(len(task.sensed_quantities)):
        sense(model, ws, task, i, q, v)
    if given(stages.law):
        supply(model, task, stages, t, q, v, z, p, ws, dz)
    # accelerations
    effort, supplied = ws.effort, ws.supplied
    for i in range(len(task.motions)):
        k = task.motions[i].v
        supplied[k] -= effort[k]
    ws.pool.words.acceleration = acceleration
    together(model, touch, ws, DO_LOAD_AND_ACCELERATE if shared and not given(stages.law) else DO_ACCELERATE)
    end_rates(model, task, stages, t, q, v, ws, acceleration, dz)


@kernel
def search_together(model, touch, ws):
    """Lists the pairs of all piles anew; False where the lists of the parts had no room for them."""
    pool, words = ws.pool, ws.pool.words
    words.pairs = 0
    for n in range(pool.piles.size):
        c = pool.piles[n]
        row = model.contacts[c]
        if row.sign != CELLS:
            return False
        words.pile = c
        together(model, touch, ws, DO_LIST)
        large, margin = large_of(model, c), margin_of(model, c)
        grid = pool.numbers
        grid.cells, grid.along, grid.across = link_cells(model, ws, row.first, row.second, large, margin)
        together(model, touch, ws, DO_SEARCH)
        count, most = words.pairs, 0
        for part in range(len(pool.bounds)):
            count += pool.found[part].listed
            most = max(most, pool.found[part].listed)
        if most > record_at(ws, pool.workspaces[0, 1]).pairs.shape[0] or count > ws.pairs.shape[0]:
            return False
        together(model, touch, ws, DO_COPY)
        words.pairs = list_large(model, ws, c, large, margin, count)
        if words.pairs > ws.pairs.shape[0]:
            return False
    ws.lists.built, ws.lists.count = True, words.pairs
    ws.lists.number += 1
    return True


@kernel
def renew_together(model, touch, ws, z, latched):
    """`renew_lists` by all threads; the motion of the parts is known."""
    pool = ws.pool
    needed = not ws.lists.built
    near = math.inf
    for n in range(pool.piles.size):
        far, fast = 0.0, 0.0
        for part in range(len(pool.bounds)):
            motion = pool.motions[part * pool.piles.size + n]
            far, fast = max(far, motion.far), max(fast, motion.fast)
        too_far, soon = outgrown(model, ws, pool.piles[n], math.sqrt(far), math.sqrt(fast))
        needed = needed or too_far
        near = min(near, soon)
    if not needed:
        return near
    pool.words.z, pool.words.latched = z, latched
    if search_together(model, touch, ws):
        link_pairs(ws, pool)
        together(model, touch, ws, DO_SLOTS)
        return near
    list_pairs(model, ws, z, latched)
    if ws.lists.count > ws.pairs.shape[0]:
        ws.flags.capacity_exceeded = 1
    return near


@entry_point
def pool_accept(
    model: ModelArrays, touch: ContactFunctions, located: int, q: Vector, v: Vector, z: Vector, latched: Vector,
    ws: Workspace, scratch: Vector,
) -> None:  # fmt: skip
    """`accept_piles` by all threads; pairs whose slots come or go take their turns, in the order of the list."""
    pool, words = ws.pool, ws.pool.words
    ws.flags.bare = True
    move_together(model, touch, ws, q, v, DO_PLACE)
    ws.flags.bare = False
    near = accept_pairs(model, touch, ws, located, z, latched, scratch)
    near = min(near, renew_together(model, touch, ws, z, latched))
    words.located = located
    count_pairs(ws, pool)
    words.z, words.latched, words.rates = z, latched, scratch
    together(model, touch, ws, DO_ACCEPT)
    for part in range(len(pool.bounds)):
        sum_up(ws, pool, part)
        near = min(near, pool.found[part].near)
    k = next_waiting(pool)
    while k >= 0:
        near = min(near, accept_pair(model, touch, ws, k, located, z, latched, scratch))
        k = next_waiting(pool)
    ws.ledger.time_to_contact = near
