"""What every method does with a state: rates at an increment from it, moving it, and what changes once it is
accepted."""

from __future__ import annotations

import math

from ..compiler import kernel, outlined_kernel
from ..contact.volumetric.overlap_cache import forget_parts
from ..records import given
from ..tree.joint_springs import move_anchors
from ..tree.joints import displace, tangent_rate
from ..tree.motions import prescribe
from ..tree.path_coordinates import displace_without_velocity, path_rates

STRETCH = 1024
"""Entries of long vectors that are summed at a time, so that they stay in the nearest cache."""


@kernel
def record(run, t, q, v, z, row):
    """Writes one row: the state, the supplied efforts and the energies that the last evaluation left in ws."""
    tape, ws, latched = run.tape, run.ws, run.latched
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
    tape.energy[row, 0], tape.energy[row, 1] = ws.ledger.kinetic, ws.ledger.gravity
    tape.energy[row, 2], tape.energy[row, 3] = ws.ledger.strain, ws.ledger.contact
    # z has all that went into friction; what sticking friction still holds is not lost
    tape.energy[row, 4] = z[z.size - 1] - ws.ledger.held
    tape.energy[row, 5] = z[z.size - 2]


@kernel
def combine(K, coefficients, stages, h, y):
    """y = h sum_i coefficients[i] K_i."""
    combine_entries(K, coefficients, stages, h, y, 0, y.size)


@kernel
def combine_entries(K, coefficients, stages, h, y, begin, end):
    """`combine` of the entries from `begin` to before `end`."""
    for first in range(begin, end, STRETCH):
        last = min(first + STRETCH, end)
        begun = False
        for i in range(stages):
            c = h * coefficients[i]
            if c != 0.0:
                if begun:
                    for k in range(first, last):
                        y[k] += c * K[i, k]
                else:
                    for k in range(first, last):
                        y[k] = c * K[i, k]
                    begun = True
        if not begun:
            for k in range(first, last):
                y[k] = 0.0


@kernel
def peek(run, q, v, z):
    """The state at the increment buffers.y from (q, v, z), into the buffers."""
    b = run.buffers
    nv, y = v.size, b.y
    displace(run.model, q, y, b.q)
    displace_without_velocity(run.model, q, y, b.q)
    for k in range(nv):
        b.v[k] = v[k] + y[nv + k]
    for k in range(z.size):
        b.z[k] = z[k] + y[2 * nv + k]


@kernel
def rates_at(run, stages, t, q, v, z):
    """Accelerations and rates of z at a state, into the buffers."""
    b = run.buffers
    stages.rates(run.model, run.task, stages, t, q, v, z, run.latched, run.p, run.ws, b.acceleration, b.dz)


@kernel
def evaluate(run, stages, stage, t, q, v, z):
    """Rates of stage `stage` at the increment buffers.y from (q, v, z), into row `stage` of K."""
    b = run.buffers
    K, y, nv = b.K, b.y, v.size
    peek(run, q, v, z)
    row = K[stage]
    rates_at(run, stages, t, b.q, b.v, b.z)
    tangent_rate(run.model, b.q, b.v, y, row)
    path_rates(run.model, run.ws, b.q, b.v, y, row)
    for k in range(nv):
        row[nv + k] = b.acceleration[k]
    for k in range(z.size):
        row[2 * nv + k] = b.dz[k]


@outlined_kernel
def start_rates(run, t):
    """Rates of the motion at the state into K[0]; multipliers as they are there."""
    rates_here(run, t)
    if run.integrator.implicit and run.integrator.restart:
        remember_multipliers(run)


@kernel
def rates_here(run, t):
    """Rates of the motion at the state into K[0]."""
    if given(run.method.here):
        run.method.here(run, t)
        return
    y = run.buffers.y
    for k in range(y.size):
        y[k] = 0.0
    evaluate(run, run.stages, 0, t, run.q, run.v, run.z)
    if run.integrator.implicit:
        run.memory.counts.evaluations += 1


@kernel
def remember_multipliers(run):
    """Multipliers of the last evaluation are those that corrections begin with."""
    if run.integrator.form > 0:
        for r in range(run.memory.force.shape[1]):
            run.memory.force[0, r] = run.ws.constraint_rows[r].multiplier


@kernel
def sampling(run, t):
    """Digital controllers whose instant is t look at the state and choose what they hold."""
    ws = run.ws
    ws.ledger.next_sample = t
    rates_at(run, run.stages, t, run.q, run.v, run.z)
    b = run.buffers
    if given(run.stages.transmit):
        run.stages.transmit(
            run.model, run.task, run.stages, t, run.q, run.v, run.z, run.latched, run.p, ws, b.acceleration, b.dz
        )
    ws.ledger.next_sample = math.inf
    if run.stages.sample(run.model, run.task, t, run.q, run.v, run.z, run.p, ws) != 0:
        ws.flags.stopped = True


@outlined_kernel
def watching(run, t, q, v, z, mark):
    """How many conditions are met at time t that were not at the last accepted step; mark is 1 to remember it."""
    prescribe(run.model, run.task, t, q, v, run.buffers.acceleration)
    if run.ws.flags.watched == 2:
        rates_at(run, run.stages, t, q, v, z)
    return run.stages.watch(run.model, run.task, t, q, v, z, run.p, run.ws, mark)


@kernel
def begin(run, t):
    """The start of a run: contacts look at its first state, and list which shapes of piles are near each other."""
    ws, stages, model = run.ws, run.stages, run.model
    ws.lists.built = False
    flags = ws.flags
    flags.capacity_exceeded, flags.unclosed, flags.penetration_exceeded, flags.cached = 0, 0, 0, -1
    for c in range(len(model.contacts)):
        flight, peak = ws.flights[c], ws.peaks[c]
        flight.gap, flight.step = -1.0, 0.0
        peak.stiffness, peak.damping, peak.friction = 0.0, 0.0, 0.0
    if len(ws.found) > 0:
        forget_parts(model, ws)
    if given(stages.closure):
        if stages.closure(model, run.task, t, run.q, run.v, ws, 1) != 0:
            ws.flags.unclosed = 2
    if given(stages.accept):
        stages.accept(model, stages.touch, 0, run.q, run.v, run.z, run.latched, ws, run.buffers.dz)
    ws.ledger.next_sample, ws.flags.stopped = math.inf, False
    if ws.flags.sampled > 0:
        sampling(run, t)
    if ws.flags.watched > 0:
        watching(run, t, run.q, run.v, run.z, 1)


@kernel
def move_state(run, t):
    """Moves the state by buffers.y to time t, prescribed entries to their profiles. False where it is not finite."""
    if given(run.method.shift):
        return run.method.shift(run, t) == 1
    return move_state_alone(run, t)


@kernel
def move_state_alone(run, t):
    """`move_state` by this thread."""
    q, v, z, b = run.q, run.v, run.z, run.buffers
    y, nv = b.y, v.size
    displace(run.model, q, y, b.q)
    displace_without_velocity(run.model, q, y, b.q)
    for j in range(q.size):
        q[j] = b.q[j]
    finite = 0.0
    for k in range(nv):
        v[k] += y[nv + k]
        finite += v[k] - v[k]
    for k in range(z.size):
        z[k] += y[2 * nv + k]
        finite += z[k] - z[k]
    prescribe(run.model, run.task, t, q, v, b.acceleration)
    return finite == 0.0


@kernel
def advance(run, located, t):
    """Moves the state by buffers.y to time t; what is latched or sampled changes here. False where it is not finite.

    located is 1 where the step ends at a touchdown or a lift-off.
    """
    finite = move_state(run, t)
    arrive(run, located, t)
    return finite


@kernel
def advance_alone(run, t):
    """`advance` of an explicit method at fixed steps, by this thread: no function is handed the record of the run, so
    that a GPU's compiler knows all of it."""
    run.integrator.restart = False
    finite = move_state_alone(run, t)
    arrive(run, 0, t)
    return finite


@kernel
def arrive(run, located, t):
    """What is latched or sampled once the state has moved to time t."""
    model, stages, ws = run.model, run.stages, run.ws
    if given(stages.settle):
        if stages.settle(model, run.task, t, run.q, run.v, run.z, ws) != 0:
            ws.flags.unclosed = 1
    if given(stages.closure) and ws.flags.unclosed == 0:
        if stages.closure(model, run.task, t, run.q, run.v, ws, 0) != 0:
            ws.flags.unclosed = 2
    move_anchors(model, run.q, run.latched)
    if given(stages.accept):
        stages.accept(model, stages.touch, located, run.q, run.v, run.z, run.latched, ws, run.buffers.dz)
    if ws.ledger.next_sample <= t + 1e-6 * ws.ledger.step + 4e-15 * abs(t):
        sampling(run, t)


@outlined_kernel
def move(run, located, t):
    """`advance`; a method that remembers earlier steps begins anew where contacts changed what is integrated.

    Where none began or ended they did not: bristles were laid into the surface, which takes nothing from their force.
    """
    if not run.integrator.implicit:
        run.integrator.restart = 1.0 * located
        return advance(run, located, t)
    co, z, nv = run.memory, run.z, run.v.size
    states = run.integrator.states
    before = co.right
    for k in range(states):
        before[k] = z[k] + run.buffers.y[2 * nv + k]
    fine = advance(run, located, t)
    if not given(run.stages.accept) or run.ws.flags.contact_changed:
        for k in range(states):
            if z[k] != before[k]:
                run.integrator.restart = True
    if located == 1:
        run.integrator.restart = True
    if given(run.stages.closure) and run.ws.layout.changed:
        # the same forces by other rows
        rates_here(run, t)
        remember_multipliers(run)
        run.ws.layout.changed = False
        run.integrator.aged = True
    if run.integrator.restart:
        run.integrator.aged = True
    return fine


@kernel
def changes(run, t):
    """How many contacts begin or end at the increments buffers.y, at time t; the state there is in the buffers."""
    peek(run, run.q, run.v, run.z)
    if run.task.stabilization.in_trees:
        run.stages.adjust(run.model, run.task, t, run.buffers.q, run.buffers.v, run.ws)
    return run.stages.changed(run.model, run.stages.touch, run.buffers.q, run.buffers.v, run.latched, run.ws)


@kernel
def met_there(run, t, mark):
    """How many conditions are newly met at the increments buffers.y, at time t."""
    peek(run, run.q, run.v, run.z)
    return watching(run, t, run.buffers.q, run.buffers.v, run.buffers.z, mark)
