"""The saddle point of an implicit step with surface contact, by the Schur complement of the contact forces.

With S the matrix of the correction (`linear_operator`) and P the derivatives of gaps and slips (Kim 1999,
eq. 4.15 to 4.18), the correction and the change of the forces meet

    dv = S^-1 (-r + P^T dp) / mu,    D = P S^-1 P^T / mu,

so that the factors of S do not change with the nodes that touch; D is the Delassus operator. Gaps are met by positions,
slips by velocities, both at the end of the step.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel
from ..contact.contact_forces import place_shapes
from ..flat_arrays import vector_at
from ..integrate.implicit_layout import AGAIN
from ..integrate.linear_operator import STEP_MATRIX
from ..integrate.loop_records import Loop
from ..linalg.leading import row_times as product
from ..tree.articulated import articulated_accelerations
from ..tree.kinematics import kinematics
from .complementarity import soften, solve_complementarity
from .contact_rows import add_row, lay_rows, row_times, used
from .contact_wrench import store_wrenches
from .gap_functions import lay_gaps
from .momentum_balance import still_turning, store_balance
from .stick_slip import slides
from .surface_layout import CAPACITY_EXCEEDED, NO_STATES, OPEN, SLIPPING, UNSETTLED, latched_node


@kernel
def gather(s):
    """The nodes that touch or may: those that touched at the last correction, and those whose gap is closed; how
    many, -1 where they are more than CLOSED_AT_MOST."""
    count = 0
    for i in range(len(s.nodes)):
        if s.state[i].region != OPEN or s.node[i].gap < 0.0:
            if count == s.active.size:
                return -1
            s.active[count] = i
            s.state[i].closed = 1
            count += 1
    return count


@kernel
def unmet(s, closed):
    """A node whose gap is to be met (closed, or else not open in the last correction), or that is inside, by more than
    is allowed; -1 where there is none."""
    found = -1
    for i in range(len(s.nodes)):
        gap = s.node[i].gap
        met = s.state[i].closed if closed else s.state[i].region_before
        off = abs(gap) if met != 0 else -gap
        if off > s.laws[s.nodes[i].pair].allowed:
            found = i
    return found


@kernel
def changed(s, count, off):
    """AGAIN and how many active nodes opened, began to stick or slide in this correction; AGAIN where none did but node
    `off` is to go on. The last of them is noted for messages."""
    changes = 0
    for c in range(count):
        i = s.active[c]
        if min(s.state[i].region, SLIPPING) != min(s.state[i].region_before, SLIPPING):
            changes += 1
            s.fault.node = i
    if changes == 0 and off >= 0:
        s.fault.node = off
        return AGAIN
    return AGAIN + changes if changes > 0 else 0


@kernel
def refused(s, why):
    """-1, with the reason noted for messages."""
    s.fault.reason = why
    if why == NO_STATES:
        s.fault.node = s.active[0]
    return -1


@outlined_kernel
def begin_step(run):
    """States and forces as they were at the start of the step."""
    s, latched = run.surfaces, run.latched
    s.fault.reason, s.fault.node = UNSETTLED, -1
    for i in range(len(s.nodes)):
        before = latched_node(latched, s.nodes[i].latched)
        s.state[i].region = s.state[i].region_start = before.region
        s.node[i].force, s.node[i].normal_start = before.force, before.normal
        s.node[i].side = s.node[i].side.zero
        if s.state[i].region == OPEN:
            s.node[i].push = 0.0


@outlined_kernel
def turn_slip(s):
    """Directions of sliding nodes, from the slip of the last evaluation."""
    for i in range(len(s.nodes)):
        s.state[i].region_before = s.state[i].region
        if not slides(s.state[i].region):
            continue
        slip, side = s.node[i].slip, s.node[i].side
        size = math.sqrt(slip @ slip)
        if size > 0.0 and (side @ slip > 0.0 or (side.x == 0.0 and side.y == 0.0)):
            s.node[i].side = slip / size


@outlined_kernel
def trial_gaps(run, first):
    """Gaps, slips and their directions at the trial; whether the momentum of its trees has not settled."""
    model, ws, b, s = run.model, run.ws, run.buffers, run.surfaces
    kinematics(model, ws, b.q, b.v)
    turning = still_turning(run, run.memory.integrator.spacing, first)
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    turn_slip(s)
    return turning


@outlined_kernel
def store_force(s, c, per):
    """The force of active node c in world axes, from its entries in s.force times `per`."""
    i = s.active[c]
    new = (per * s.force[3 * c]) * s.node[i].normal
    if used(s, c, 1):
        new += (per * s.force[3 * c + 1]) * s.node[i].along
        new += (per * s.force[3 * c + 2]) * s.node[i].across
    s.node[i].force = new


@outlined_kernel
def last_entries(s, count):
    """Forces of the last correction along normals and tangents, into s.force."""
    for c in range(count):
        f = s.node[s.active[c]].force
        for k in range(3):
            x = f @ vector_at(s.node[s.active[c]].axes, 3 * k)
            s.force[3 * c + k] = x if used(s, c, k) else 0.0


@outlined_kernel
def free_motion(run, count):
    """Gaps and slips as they would be without forces, after the correction of all else; the old forces are left in
    s.force."""
    co, s, nu, nv = run.memory, run.surfaces, run.memory.integrator.nu, run.ws.known.size
    last_entries(s, count)
    for r in range(3 * count):
        c, k, i = r // 3, r % 3, s.active[r // 3]
        s.free[r] = 0.0
        if used(s, c, k):
            if k == 0:
                s.free[r] = nu * (s.node[i].gap + row_times(s.rows, r, co.residual, 0))
            else:
                s.free[r] = s.node[i].rates[k] + row_times(s.rows, r, co.residual, nv)
    for r in range(3 * count):
        s.free[r] -= product(s.compliance, r, s.force, 0, 3 * count) if used(s, r // 3, r % 3) else 0.0


@outlined_kernel
def add_answer(run, sign, multipliers):
    """Adds s.answer, S^-1 of an effort, to the correction: velocities, the displacements that follow, integrated
    states, and multipliers of constraints where these are asked for (1)."""
    co, x, nv = run.memory, run.surfaces.answer, run.ws.known.size
    mu, nu = co.integrator.mu, co.integrator.nu
    states = co.integrator.states
    for j in range(nv):
        co.residual[nv + j] += sign * x[j]
        co.residual[j] += sign * x[j] / nu
    for j in range(nv, min(nv + states, x.size)):
        co.residual[nv + j] += sign * x[j]
    if co.integrator.form > 0 and multipliers == 1:
        for r in range(co.A.shape[0]):
            co.residual[co.scale.size + r] += sign * mu * x[nv + states + r]


@outlined_kernel
def take_forces(run, count):
    """Adds what the change of the forces does to the correction, and stores the new ones."""
    s, per = run.surfaces, 1.0 / run.memory.integrator.mu
    for j in range(s.effort.size):
        s.effort[j] = 0.0
    for c in range(count):
        f = s.node[s.active[c]].force
        for k in range(3):
            if used(s, c, k):
                dp = s.force[3 * c + k] - (f @ vector_at(s.node[s.active[c]].axes, 3 * k))
                if dp != 0.0:
                    add_row(s.rows, 3 * c + k, per * dp, s.effort, 0)
        store_force(s, c, 1.0)
    run.operator.solve(run, STEP_MATRIX, s.effort, s.answer)
    add_answer(run, 1.0, 1)


@outlined_kernel
def friction_power(run, count):
    """Adds the power of friction to the dissipation rate of the energy ledger."""
    b, s, nv = run.buffers, run.surfaces, run.ws.known.size
    power = 0.0
    for c in range(count):
        node = s.node[s.active[c]]
        power -= (node.force @ node.along) * node.slip.x
        power -= (node.force @ node.across) * node.slip.y
    b.K[1, 2 * nv + b.z.size - 1] += power


@outlined_kernel
def contact_generalised_forces(run, count, out, at, scaled):
    """Adds `scaled` P^T p, of the forces of the last correction, to out[at ...]; returns their power on what is
    prescribed [W]."""
    s, power = run.surfaces, 0.0
    for c in range(count):
        f = s.node[s.active[c]].force
        for k in range(3):
            if used(s, c, k):
                force = f @ vector_at(s.node[s.active[c]].axes, 3 * k)
                add_row(s.rows, 3 * c + k, scaled * force, out, at)
                power += force * s.rows.driven[3 * c + k]
    return power


@entry_point
def saddle_point_correction(run: Loop, t: float, first: int) -> int:
    """The correction of a trial with the contact of its surfaces, in memory.residual; first: 1 at the first one of a
    step. Returns what `changed` says, -1 where no states of nodes are found, or they are too many."""
    b, co, s, operator, nv = run.buffers, run.memory, run.surfaces, run.operator, run.ws.known.size
    if first == 1:
        begin_step(run)
    # gaps where the trial is, and the nodes that touch or may do so
    turning = trial_gaps(run, first)
    count = gather(s)
    if count < 0:
        return refused(s, CAPACITY_EXCEEDED)
    operator.refactor(run, first, count)
    if lay_rows(run, count, b.q, b.v) != 0:
        return refused(s, CAPACITY_EXCEEDED)
    off = -1 if first == 1 else unmet(s, False)
    if off < 0 and turning:
        off = 0
    friction_power(run, count)
    # the residual r - P^T p with the forces so far, and what moves prescribed entries against them
    power = operator.residual(run)
    power -= contact_generalised_forces(run, count, co.residual, nv, -1.0)
    co.residual[2 * nv + b.z.size - 2] -= power
    operator.correct(run)
    if count == 0:
        return changed(s, 0, off)
    # the Delassus operator, states of the nodes, and what the forces change
    made = operator.compliance(run, count)
    if made < 0:
        return refused(s, CAPACITY_EXCEEDED)
    if made == 1:
        soften(s, count)
    free_motion(run, count)
    if solve_complementarity(s, count) != 0:
        return refused(s, NO_STATES)
    take_forces(run, count)
    return changed(s, count, off)


@entry_point
def store_contact(run: Loop) -> None:
    """Remembers states, forces and normals of an accepted step."""
    s, latched = run.surfaces, run.latched
    for i in range(len(s.nodes)):
        stored, node = latched_node(latched, s.nodes[i].latched), s.node[i]
        stored.region, stored.normal = s.state[i].region, node.normal
        stored.force = node.force if s.state[i].region != OPEN else node.force.zero
    store_balance(s)
    store_wrenches(run.model, run.ws, s)


@entry_point
def resume_contact(run: Loop, t: float) -> None:
    """Adds M^-1 P^T p of the remembered forces to the accelerations in buffers.K[0], where a method begins anew: the
    difference of forward dynamics (articulated-body algorithm, ABA) with and without them."""
    model, ws, b, s, nv = run.model, run.ws, run.buffers, run.surfaces, run.ws.known.size
    begin_step(run)
    kinematics(model, ws, run.q, run.v)
    place_shapes(model, ws, run.q, run.v)
    lay_gaps(model, ws, s, run.q, run.v)
    count = 0
    for i in range(len(s.nodes)):
        if s.state[i].region != OPEN and count < s.active.size:
            s.active[count] = i
            count += 1
    if count == 0 or lay_rows(run, count, run.q, run.v) != 0:
        return
    for sign in range(-1, 2, 2):
        for k in range(nv):
            s.effort[k], b.acceleration[k] = 0.0, 0.0
        if sign == 1:
            contact_generalised_forces(run, count, s.effort, 0, 1.0)
            kinematics(model, ws, run.q, run.v)
        articulated_accelerations(model, ws, s.effort, b.acceleration)
        for k in range(nv):
            if ws.known[k] == 0:
                b.K[0, nv + k] += sign * b.acceleration[k]
