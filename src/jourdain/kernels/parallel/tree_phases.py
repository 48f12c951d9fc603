"""A part's share of the tree: motion of its bodies, frames of its shapes, accelerations, and the vectors of a step."""

from __future__ import annotations

from ..compiler import kernel, scalar_kernel, separate_kernel
from ..contact.contact_forces import load_body, place_shape
from ..integrate.state_steps import combine_entries
from ..rows import copy_row
from ..scalar import circle
from ..tree.articulated import accelerate_bodies
from ..tree.invariants import energy_of_bodies
from ..tree.joints import displace_entries, tangent_rates
from ..tree.kinematics import float_all, move_bodies
from .contact_phases import gather_forces


@kernel
def begin_part(ws, mine):
    """The ledger and flags of a part say what those of all say."""
    copy_row(mine.ledger, ws.ledger)
    copy_row(mine.flags, ws.flags)


@separate_kernel
def move_part(model, ws, mine, pool, part, q, v):
    """Motion of the bodies of a part and frames of their shapes; energies where they are wanted."""
    begin_part(ws, mine)
    row = pool.bounds[part]
    if model.flexible.size == 0 and not float_all(model, v):
        circle(q, ws.circle, row.q.start, row.q.stop)
    move_bodies(model, mine, q, v, row.bodies.start, row.bodies.stop)
    if ws.flags.energies_wanted:
        kinetic, gravity = energy_of_bodies(model, mine, v, row.bodies.start, row.bodies.stop)
        pool.sums[part].kinetic, pool.sums[part].gravity = kinetic, gravity
    if pool.words.shares_contact:
        for j in range(row.shapes.start, row.shapes.stop):
            place_shape(model, mine, pool.order[j], q, v)


@kernel
def clear_part(ws, pool, part, dz):
    """Efforts and rates of a part before anything acts."""
    row = pool.bounds[part]
    for k in range(row.v.start, row.v.stop):
        ws.effort[k] = 0.0
        ws.supplied[k] = 0.0
    for k in range(row.z.start, row.z.stop):
        dz[k] = 0.0


@kernel
def note_motion(model, ws, pool, part):
    """How far and how fast shapes of the part have moved since the pairs were listed, squared, pile by pile."""
    row = pool.bounds[part]
    for n in range(pool.piles.size):
        pile = model.contacts[pool.piles[n]]
        far, fast = 0.0, 0.0
        for j in range(row.shapes.start, row.shapes.stop):
            i = pool.order[j]
            if pile.first <= i < pile.second:
                moved, u = ws.shapes[i].p_WS - ws.listed[i].p_WS, ws.shapes[i].velocity
                far, fast = max(far, moved @ moved), max(fast, u @ u)
        motion = pool.motions[part * pool.piles.size + n]
        motion.far, motion.fast = far, fast


@kernel
def load_part(model, ws, mine, pool, part, q, v):
    """Hands what acts on the shapes of a part to its bodies."""
    begin_part(ws, mine)
    row = pool.bounds[part]
    for j in range(max(row.shapes.start, pool.words.world_shapes), row.shapes.stop):
        gather_forces(mine, pool, pool.order[j])
        load_body(model, mine, pool.order[j], q, v)


@scalar_kernel
def accelerate_part(model, mine, pool, part, effort, acceleration):
    """Accelerations of the bodies of a part."""
    row = pool.bounds[part]
    accelerate_bodies(model, mine, effort, acceleration, row.bodies.start, row.bodies.stop)


@kernel
def increments_part(run, pool, part, coefficients, stages, h):
    """The increments of a part, as `combine` of `steps` makes them."""
    b, row = run.buffers, pool.bounds[part]
    nv = b.v.size
    combine_entries(b.K, coefficients, stages, h, b.y, row.v.start, row.v.stop)
    combine_entries(b.K, coefficients, stages, h, b.y, nv + row.v.start, nv + row.v.stop)
    combine_entries(b.K, coefficients, stages, h, b.y, 2 * nv + row.z.start, 2 * nv + row.z.stop)


@kernel
def stage_part(run, pool, part, stage, h):
    """The state of a stage, as far as it is of a part: increments, then `peek` of `steps`."""
    increments_part(run, pool, part, run.tableau.A[stage], stage, h)
    b, row = run.buffers, pool.bounds[part]
    q, v, z, nv, y = run.q, run.v, run.z, b.v.size, b.y
    first, last, begin, end = row.v.start, row.v.stop, row.z.start, row.z.stop
    displace_entries(run.model, q, y, b.q, first, last, row.rotations.start, row.rotations.stop)
    for k in range(first, last):
        b.v[k] = v[k] + y[nv + k]
    for k in range(begin, end):
        b.z[k] = z[k] + y[2 * nv + k]


@kernel
def rates_part(run, pool, part, stage):
    """The rates of a stage into K, as far as they are of a part: the end of `evaluate` of `steps`."""
    b, row = run.buffers, pool.bounds[part]
    nv, rates = b.v.size, b.K[stage]
    first, last = row.v.start, row.v.stop
    tangent_rates(run.model, b.q, b.v, b.y, rates, first, last, row.rotations.start, row.rotations.stop)
    for k in range(first, last):
        rates[nv + k] = b.acceleration[k]
    for k in range(row.z.start, row.z.stop):
        rates[2 * nv + k] = b.dz[k]


@kernel
def shift_part(run, pool, part):
    """Moves the state of a part by its increments, as `move_state` of `steps`."""
    b, row = run.buffers, pool.bounds[part]
    q, v, z, y, nv = run.q, run.v, run.z, b.y, run.v.size
    displace_entries(run.model, q, y, b.q, row.v.start, row.v.stop, row.rotations.start, row.rotations.stop)
    for j in range(row.q.start, row.q.stop):
        q[j] = b.q[j]
    finite = 0.0
    for k in range(row.v.start, row.v.stop):
        v[k] += y[nv + k]
        finite += v[k] - v[k]
    for k in range(row.z.start, row.z.stop):
        z[k] += y[2 * nv + k]
        finite += z[k] - z[k]
    pool.found[part].finite = finite
