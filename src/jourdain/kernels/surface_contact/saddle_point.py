"""A correction of an implicit step with surfaces that touch: the saddle point by the Schur complement of its forces.

With the factors S of the correction at hand, and P the derivatives of gaps and slips (Kim 1999, eq. 4.15 to 4.18),

    dv = S^-1 (-r + P^T dp),    D = P S^-1 P^T,

so that the factors of the system do not change with the nodes that touch. Gaps are met by positions, slips by
velocities, both at the end of the step.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..constraints.constraint_jacobian import push_joint, push_station
from ..contact.contact_forces import place_shapes
from ..integrate.banded_newton import substitute_band
from ..integrate.implicit_layout import AGAIN, BANDED, FORM, METHOD_MU, METHOD_NU, METHOD_SPACING, STATES, TOLERANCE
from ..integrate.loop_records import Loop
from ..integrate.newton import correct_real, forget_factors
from ..integrate.step_points import residual
from ..linalg.leading import row_times
from ..linalg.pivoted import factorise, substitute
from ..spatial import add, cross, dot, put3, scale, sub, vec
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .complementarity import settle, soften
from .contact_wrench import feel_forces
from .gap_functions import lay_gaps, shape_marker
from .momentum_balance import follow_momentum, keep_balance
from .stick_slip import slides
from .surface_layout import (
    ALLOWED,
    CLOSED,
    FAULT,
    FAULT_NODE,
    MORTAR,
    NO_ROOM,
    NO_STATES,
    NODE_ACROSS,
    NODE_ALONG,
    NODE_FORCE,
    NODE_GAP,
    NODE_LATCHED,
    NODE_NORMAL,
    NODE_PAIR,
    NODE_POINT,
    NODE_PUSH,
    NODE_SEEN,
    NODE_SIDE,
    NODE_SLIP,
    OPEN,
    PAIR_FORM,
    PAIR_FRICTION,
    PAIR_SHAPE,
    REGION,
    REGION_BEFORE,
    REGION_START,
    SLIPPING,
    UNSETTLED,
)


@kernel
def push_to_root(model, ws, m, q, v, moment, force, out):
    """Adds what a wrench at marker m does to all coordinates that carry it."""
    point = push_station(model, ws, m, q, v, moment, force, out, 0)
    i = model.marker_index[m, 0]
    while i > 0:
        i = push_joint(model, ws, i, point, moment, force, out, 0)


@outlined_kernel
def node_row(model, ws, s, i, q, v, k, out):
    """The derivative of node i's gap (k = 0) or of its slip along one of the tangents, by all displacements."""
    direction = vec(s.node, i, NODE_NORMAL + 3 * k)
    mortar = k == 0 and s.pairs[s.nodes[i, NODE_PAIR], PAIR_FORM] == MORTAR
    for j in range(out.size):
        out[j] = 0.0
    none = (0.0, 0.0, 0.0)
    for j in range(s.points.size):
        w = s.weights[i, j]
        if w != 0.0:
            along = vec(s.arrows, i, 3 * j) if mortar else scale(w, direction)
            push_to_root(model, ws, s.points[j], q, v, none, along, out)
    row = s.pairs[s.nodes[i, NODE_PAIR], PAIR_SHAPE]
    if row >= 0:
        # the shape is pushed where the node is: both forces have one line
        m = shape_marker(model, row)
        back = scale(-1.0, direction)
        place = push_station(model, ws, m, q, v, none, none, out, 0)
        arm = sub(vec(s.place, s.nodes[i, NODE_POINT], 0), place)
        push_to_root(model, ws, m, q, v, cross(arm, back), back, out)


@kernel
def gather(s):
    """The nodes that touch or may: those that touched at the last correction, and those whose gap is closed; how
    many, -1 where there is no room for them."""
    count = 0
    for i in range(s.nodes.shape[0]):
        if s.state[i, REGION] != OPEN or s.node[i, NODE_GAP] < 0.0:
            if count == s.active.size:
                return -1
            s.active[count] = i
            s.state[i, CLOSED] = 1
            count += 1
    return count


@kernel
def unmet(s, column):
    """A node whose gap is to be met, by a column of its states, or that is inside, by more than is allowed; -1 where
    there is none."""
    found = -1
    for i in range(s.nodes.shape[0]):
        gap = s.node[i, NODE_GAP]
        off = abs(gap) if s.state[i, column] != 0 else -gap
        if off > s.numbers[s.nodes[i, NODE_PAIR], ALLOWED]:
            found = i
    return found


@kernel
def changed(s, count, off):
    """AGAIN and how many active nodes opened, began to stick or slide in this correction; AGAIN where none did but node
    `off` is to go on. The last of them is kept for messages."""
    changes = 0
    for c in range(count):
        i = s.active[c]
        if min(s.state[i, REGION], SLIPPING) != min(s.state[i, REGION_BEFORE], SLIPPING):
            changes += 1
            s.fault[FAULT_NODE] = i
    if changes == 0 and off >= 0:
        s.fault[FAULT_NODE] = off
        return AGAIN
    return AGAIN + changes if changes > 0 else 0


@kernel
def refused(s, why):
    """-1, with the reason kept."""
    s.fault[FAULT] = why
    if why == NO_STATES:
        s.fault[FAULT_NODE] = s.active[0]
    return -1


@separate_kernel
def lay_active(run, count, q, v):
    """Derivatives of gaps and slips of the active nodes by what is not prescribed, and their rates by the rest: with
    the mean velocity of a step of impulses."""
    known, s = run.ws.known, run.surfaces
    for r in range(3 * count):
        row, rate = s.rows[r], 0.0
        node_row(run.model, run.ws, s, s.active[r // 3], q, v, r % 3, row)
        for j in range(row.size):
            if known[j] != 0:
                rate += row[j] * (0.5 * (run.v[j] + v[j]) if s.by_impulse[0] == 1 else v[j])
                row[j] = 0.0
        s.driven[r] = rate


@kernel
def used(s, c, k):
    """Whether row k of active node c is needed: slip only where there is friction."""
    return k == 0 or s.pairs[s.nodes[s.active[c], NODE_PAIR], PAIR_FRICTION] == 1


@outlined_kernel
def begin_step(run):
    """States and forces as they were at the start of the step."""
    s, latched = run.surfaces, run.latched
    s.fault[FAULT], s.fault[FAULT_NODE] = UNSETTLED, -1
    for i in range(s.nodes.shape[0]):
        at = s.nodes[i, NODE_LATCHED]
        s.state[i, REGION] = int(latched[at])
        s.state[i, REGION_START] = s.state[i, REGION]
        put3(s.node, i, NODE_FORCE, (latched[at + 1], latched[at + 2], latched[at + 3]))
        put3(s.node, i, NODE_SEEN, (latched[at + 4], latched[at + 5], latched[at + 6]))
        s.node[i, NODE_SIDE], s.node[i, NODE_SIDE + 1] = 0.0, 0.0
        if s.state[i, REGION] == OPEN:
            s.node[i, NODE_PUSH] = 0.0


@outlined_kernel
def turn_slip(s):
    """Directions of sliding nodes, from the slip of the last evaluation."""
    for i in range(s.nodes.shape[0]):
        s.state[i, REGION_BEFORE] = s.state[i, REGION]
        if not slides(s.state[i, REGION]):
            continue
        x, y = s.node[i, NODE_SLIP], s.node[i, NODE_SLIP + 1]
        size = math.sqrt(x * x + y * y)
        side = s.node[i, NODE_SIDE] * x + s.node[i, NODE_SIDE + 1] * y
        fresh = s.node[i, NODE_SIDE] == 0.0 and s.node[i, NODE_SIDE + 1] == 0.0
        if size > 0.0 and (side > 0.0 or fresh):
            s.node[i, NODE_SIDE], s.node[i, NODE_SIDE + 1] = x / size, y / size


@outlined_kernel
def columns_of(co, s, count, known):
    """What a unit of each force does to the unknowns of a correction, and to gaps and slips."""
    nv = co.M.shape[0]
    m = co.right.size
    per = 1.0 / co.numbers[METHOD_MU]
    for c in range(count):
        for k in range(3):
            r = 3 * c + k
            for j in range(3 * count):
                s.compliance[j, r] = 0.0
            if not used(s, c, k):
                continue
            for i in range(m):
                co.right[i] = per * s.rows[r, i] if i < nv and known[i] == 0 else 0.0
            if co.numbers[BANDED] == 1.0:
                substitute_band(co, co.band, co.pivots, co.band_scale[0], co.right, co.placed)
            else:
                substitute(co.matrix, co.pivots, co.right)
            for i in range(m):
                s.columns[r, i] = co.right[i]
            for other in range(count):
                for d in range(3):
                    if used(s, other, d):
                        x = 0.0
                        for i in range(nv):
                            x += s.rows[3 * other + d, i] * co.right[i]
                        s.compliance[3 * other + d, r] = x


@outlined_kernel
def free_motion(co, s, count):
    """Gaps and slips as they would be without forces, after the correction of all else; the old forces are left in
    s.force."""
    nv, nu = co.M.shape[0], co.numbers[METHOD_NU]
    last_entries(s, count)
    for c in range(count):
        i = s.active[c]
        for k in range(3):
            r = 3 * c + k
            s.free[r] = 0.0
            if not used(s, c, k):
                continue
            x = nu * s.node[i, NODE_GAP] if k == 0 else s.node[i, NODE_SLIP + k - 1]
            for j in range(nv):
                x += s.rows[r, j] * (nu * co.residual[j] if k == 0 else co.residual[nv + j])
            s.free[r] = x
    without_forces(s, count)


@outlined_kernel
def add_forces(co, s, count, ws):
    """Takes P^T p off the residual."""
    nv = co.M.shape[0]
    for c in range(count):
        i = s.active[c]
        f = vec(s.node, i, NODE_FORCE)
        for k in range(3):
            x = dot(f, vec(s.node, i, NODE_NORMAL + 3 * k))
            if x != 0.0:
                for j in range(nv):
                    co.residual[nv + j] -= s.rows[3 * c + k, j] * x


@outlined_kernel
def keep_force(s, c, per):
    """The force of active node c in world axes, from its entries in s.force times `per`."""
    i = s.active[c]
    new = scale(per * s.force[3 * c], vec(s.node, i, NODE_NORMAL))
    if used(s, c, 1):
        new = add(new, scale(per * s.force[3 * c + 1], vec(s.node, i, NODE_ALONG)))
        new = add(new, scale(per * s.force[3 * c + 2], vec(s.node, i, NODE_ACROSS)))
    put3(s.node, i, NODE_FORCE, new)


@outlined_kernel
def last_entries(s, count):
    """Forces of the last correction along normals and tangents, into s.force."""
    for c in range(count):
        f = vec(s.node, s.active[c], NODE_FORCE)
        for k in range(3):
            x = dot(f, vec(s.node, s.active[c], NODE_NORMAL + 3 * k))
            s.force[3 * c + k] = x if used(s, c, k) else 0.0


@outlined_kernel
def without_forces(s, count):
    """Takes what the forces in s.force do off the gaps and slips in s.free."""
    for r in range(3 * count):
        s.free[r] -= row_times(s.compliance, r, s.force, 0, 3 * count) if used(s, r // 3, r % 3) else 0.0


@outlined_kernel
def take_forces(co, s, count, n):
    """Adds what the change of the forces does to the correction, and keeps the new ones."""
    nv, nu, mu, states = co.M.shape[0], co.numbers[METHOD_NU], co.numbers[METHOD_MU], int(co.numbers[STATES])
    rows = co.A.shape[0] if co.numbers[FORM] > 0.0 else 0
    for c in range(count):
        i = s.active[c]
        f = vec(s.node, i, NODE_FORCE)
        for k in range(3):
            r = 3 * c + k
            if not used(s, c, k):
                continue
            dp = s.force[r] - dot(f, vec(s.node, i, NODE_NORMAL + 3 * k))
            if dp == 0.0:
                continue
            for j in range(nv):
                x = s.columns[r, j] * dp
                co.residual[nv + j] += x
                co.residual[j] += x / nu
            for j in range(states):
                co.residual[2 * nv + j] += s.columns[r, nv + j] * dp
            for j in range(rows):
                co.residual[n + j] += mu * s.columns[r, nv + states + j] * dp
        keep_force(s, c, 1.0)


@outlined_kernel
def friction_power(run, count):
    """Adds the power of friction to the rates of the ledger."""
    b, s, nv = run.buffers, run.surfaces, run.ws.known.size
    power = 0.0
    for c in range(count):
        i = s.active[c]
        f = vec(s.node, i, NODE_FORCE)
        for k in range(2):
            power -= dot(f, vec(s.node, i, NODE_ALONG + 3 * k)) * s.node[i, NODE_SLIP + k]
    b.K[1, 2 * nv + b.z.size - 1] += power


@outlined_kernel
def moving_power(run, count):
    """Adds to the residual of the ledger the power of what moves prescribed entries against the forces of nodes. A
    trial's rates are without these: what the efforts miss is M (a' - a) - P^T f, of the prescribed entries."""
    b, co, s, nv, power = run.buffers, run.memory, run.surfaces, run.ws.known.size, 0.0
    for i in range(nv):
        if run.ws.known[i] == 0:
            continue
        x = 0.0
        for j in range(nv if co.numbers[FORM] == 0.0 else 0):  # with constraints `residual` has this part
            x += co.mass[i, j] * b.acceleration[j]
        power += x * b.v[i]
    for r in range(3 * count):
        i = s.active[r // 3]
        power -= s.driven[r] * dot(vec(s.node, i, NODE_FORCE), vec(s.node, i, NODE_NORMAL + 3 * (r % 3)))
    co.residual[2 * nv + b.z.size - 2] -= power


@entry_point
def press(run: Loop, t: float, first: int) -> int:
    """The correction of a trial with what its surfaces do, in co.residual; first: 1 at the first one of a step.

    Returns what `changed` says, -1 where states of nodes cannot be found, or there is no room for them.
    """
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.surfaces
    nv, n = ws.known.size, b.y.size
    if first == 1:
        begin_step(run)
    # gaps where the trial is, and the nodes that touch or may do so
    kinematics(model, ws, b.q, b.v)
    turned = follow_momentum(run, co.numbers[METHOD_SPACING], first) > co.numbers[TOLERANCE]
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    turn_slip(s)
    if co.numbers[FORM] == 0.0:
        composite_mass_matrix(model, ws, co.mass)
    count = gather(s)
    if count < 0:
        return refused(s, NO_ROOM)
    off = -1 if first == 1 else unmet(s, REGION_BEFORE)
    off = max(off, 0) if turned else off
    lay_active(run, count, b.q, b.v)
    friction_power(run, count)
    residual(run, 1, b.y, co.trial[0], co.force[1], co.residual)
    if co.numbers[FORM] == 0.0:  # the mass at this state: forces are compared, not accelerations alone
        for i in range(nv):
            x = 0.0
            if ws.known[i] == 0:
                for j in range(nv):
                    x += co.mass[i, j] * b.acceleration[j]
            co.residual[nv + i] = x
    add_forces(co, s, count, ws)
    moving_power(run, count)
    correct_real(co)
    if count == 0:
        return changed(s, 0, off)
    # compliance of the nodes, their states, and what the forces change
    columns_of(co, s, count, ws.known)
    soften(s, count)
    free_motion(co, s, count)
    if settle(s, count) != 0:
        return refused(s, NO_STATES)
    take_forces(co, s, count, n)
    return changed(s, count, off)


@entry_point
def keep_forces(run: Loop) -> None:
    """Remembers states, forces and normals of an accepted step."""
    s, latched = run.surfaces, run.latched
    for i in range(s.nodes.shape[0]):
        at = s.nodes[i, NODE_LATCHED]
        region = s.state[i, REGION]
        latched[at] = float(region)
        for k in range(3):
            latched[at + 1 + k] = s.node[i, NODE_FORCE + k] if region != OPEN else 0.0
            latched[at + 4 + k] = s.node[i, NODE_NORMAL + k]
    keep_balance(s)
    feel_forces(run.model, run.ws, s)


@entry_point
def resume(run: Loop, t: float) -> None:
    """Adds to the accelerations in buffers.K[0] what the forces that are remembered do, where a method begins anew."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.surfaces
    nv = ws.known.size
    begin_step(run)
    kinematics(model, ws, run.q, run.v)
    place_shapes(model, ws, run.q, run.v)
    lay_gaps(model, ws, s, run.q, run.v)
    count = 0
    for i in range(s.nodes.shape[0]):
        if s.state[i, REGION] != OPEN and count < s.active.size:
            s.active[count] = i
            count += 1
    if count == 0:
        return
    lay_active(run, count, run.q, run.v)
    composite_mass_matrix(model, ws, co.mass)
    m = co.right.size
    for i in range(m):
        co.right[i] = 0.0
        for j in range(m):
            co.matrix[i, j] = 1.0 if i == j else 0.0
    for i in range(nv):
        for j in range(nv):
            if ws.known[i] == 0 and ws.known[j] == 0:
                co.matrix[i, j] = co.mass[i, j]
    for c in range(count):
        f = vec(s.node, s.active[c], NODE_FORCE)
        for k in range(3):
            x = dot(f, vec(s.node, s.active[c], NODE_NORMAL + 3 * k))
            for j in range(nv):
                co.right[j] += s.rows[3 * c + k, j] * x
    factorise(co.matrix, co.pivots, co.residual)
    substitute(co.matrix, co.pivots, co.right)
    forget_factors(co)
    for j in range(nv):
        b.K[0, nv + j] += co.right[j]
