"""A correction with surfaces that touch where unknowns are parted: rows, and what forces do to gaps and slips.

With P = (P_r, P_e) the rows and the small matrix D of `kernels/integrate/partitioned/solver_layout.py`,

    P S^-1 P^T = P_e S_ee^-1 P_e^T + left D^-1 right,    left = (P_r - P_e S_ee^-1 C, -P_e S_ee^-1 U),
                                                         right = (P_r^T - B S_ee^-1 P_e^T, Q U^T S_ee^-1 P_e^T).
"""

from __future__ import annotations

from ..bodies.body_dispatch import has_sparse_mass, support, supported
from ..columns import EV, PARENT, STATION, N
from ..compiler import entry_point, kernel, outlined_kernel
from ..constraints.constraint_jacobian import push_station
from ..contact.contact_forces import place_shapes
from ..integrate.implicit_layout import JACOBIANS, METHOD_MU, METHOD_NU, METHOD_SPACING
from ..integrate.partitioned.matrix_updates import follow_deformation
from ..integrate.partitioned.partitioned_solver import (
    factorise_partition,
    partition_correction,
    partition_residual,
    solve_bodies,
    solve_partition,
)
from ..linalg.pivoted import substitute
from ..spatial import cross, dot, scale, sub, vec
from ..tree.articulated import articulated_accelerations
from ..tree.kinematics import kinematics
from .complementarity import settle, soften
from .gap_functions import lay_gaps, shape_marker
from .momentum_balance import still_turning
from .partitioned_layout import KEPT_MASS, KEPT_MU, KEPT_NU, KEPT_STEP, LAID_MU, LAID_NODES, LAID_NU, LAID_PARTIALS
from .saddle_point import (
    begin_step,
    changed,
    friction_power,
    gather,
    keep_force,
    last_entries,
    push_to_root,
    refused,
    turn_slip,
    unmet,
    used,
    without_forces,
)
from .surface_layout import (
    MORTAR,
    NO_ROOM,
    NO_STATES,
    NODE_FORCE,
    NODE_GAP,
    NODE_NORMAL,
    NODE_PAIR,
    NODE_POINT,
    NODE_SLIP,
    OPEN,
    PAIR_FORM,
    PAIR_SHAPE,
    REGION,
    REGION_BEFORE,
)

TURNED = 1e-4
"""Change of a row, over the largest number of rows, up to which what forces do is kept: changes of forces are found by
it, so that it decides about the convergence of the corrections only."""


@outlined_kernel
def take_entries(model, x, r, body, at):
    """Moves what the coordinates of a sparse body at a station have in x.row to the entries of row r.

    The result is 1 without room.
    """
    if not has_sparse_mass(model, body):
        return 0
    count, where = support(model, body, at)
    for j in range(count):
        k = model.table[body, EV] + supported(model, where, j)
        if x.row[k] != 0.0:
            if x.count[r] == x.entries.shape[1]:
                return 1
            x.entries[r, x.count[r]] = x.number[k]
            x.values[r, x.count[r]] = x.row[k]
            x.count[r] += 1
            x.row[k] = 0.0
    return 0


@outlined_kernel
def take_marker(model, x, r, m):
    """`take_entries` of all that moves a marker."""
    body = model.marker_index[m, 0]
    lost = take_entries(model, x, r, body, model.marker_index[m, 1]) if model.table[body, N] > 0 else 0
    while body > 0:
        p = model.table[body, PARENT]
        if model.table[p, N] > 0:
            lost += take_entries(model, x, r, p, model.table[body, STATION])
        body = p
    return lost


@outlined_kernel
def partitioned_row(run, i, which, r):
    """Row r: the derivative of node i's gap (which = 0) or slip, as `saddle_point.node_row`; 1 without room for
    entries."""
    model, ws, s, parts, q, v = run.model, run.ws, run.surfaces, run.partition, run.buffers.q, run.buffers.v
    x, none = parts.surfaces, (0.0, 0.0, 0.0)
    direction = vec(s.node, i, NODE_NORMAL + 3 * which)
    mortar = which == 0 and s.pairs[s.nodes[i, NODE_PAIR], PAIR_FORM] == MORTAR
    for k in range(s.points.size):
        w = s.weights[i, k]
        if w != 0.0:
            along = vec(s.arrows, i, 3 * k) if mortar else scale(w, direction)
            push_to_root(model, ws, s.points[k], q, v, none, along, x.row)
    row = s.pairs[s.nodes[i, NODE_PAIR], PAIR_SHAPE]
    if row >= 0:
        m = shape_marker(model, row)
        back = scale(-1.0, direction)
        place = push_station(model, ws, m, q, v, none, none, x.row, 0)
        arm = sub(vec(s.place, s.nodes[i, NODE_POINT], 0), place)
        push_to_root(model, ws, m, q, v, cross(arm, back), back, x.row)
    x.count[r] = 0
    lost = 0
    for k in range(s.points.size):
        if s.weights[i, k] != 0.0:
            lost += take_marker(model, x, r, s.points[k])
    if row >= 0:
        lost += take_marker(model, x, r, shape_marker(model, row))
    x.driven[r] = 0.0
    for l in range(parts.rest.size):
        k = parts.rest[l]
        x.rest[r, l] = x.row[k] if ws.known[k] == 0 else 0.0
        if ws.known[k] != 0:
            x.driven[r] += x.row[k] * (0.5 * (run.v[k] + v[k]) if s.by_impulse[0] == 1 else v[k])
        x.row[k] = 0.0
    return lost


@outlined_kernel
def partitioned_rows(run, count):
    """Rows of gaps and slips of the active nodes; 1 without room for their entries."""
    s, lost = run.surfaces, 0
    for c in range(count):
        i = s.active[c]
        for k in range(3):
            if used(s, c, k):
                lost += partitioned_row(run, i, k, 3 * c + k)
    return lost


@kernel
def row_times(parts, r, y, at):
    """Row r times y[at ...]."""
    x = parts.surfaces
    total = 0.0
    for l in range(parts.rest.size):
        total += x.rest[r, l] * y[at + parts.rest[l]]
    for j in range(x.count[r]):
        total += x.values[r, j] * y[at + x.dofs[x.entries[r, j]]]
    return total


@kernel
def add_row(parts, r, force, y, at):
    """Adds a force times row r to y[at ...]."""
    x = parts.surfaces
    for l in range(parts.rest.size):
        y[at + parts.rest[l]] += force * x.rest[r, l]
    for j in range(x.count[r]):
        y[at + x.dofs[x.entries[r, j]]] += force * x.values[r, j]


@outlined_kernel
def keep_column(model, parts, of_step, d):
    """Keeps what a unit force on coordinate d does to all others that may touch; 1 where there is no room."""
    x = parts.surfaces
    slots = x.step_slot if of_step == 1 else x.mass_slot
    columns = x.step_columns if of_step == 1 else x.mass_columns
    which = KEPT_STEP if of_step == 1 else KEPT_MASS
    if slots[d] >= 0:
        return 0
    at = int(x.kept[which])
    if at == columns.shape[0]:
        return 1
    x.unit[x.dofs[d]] = 1.0
    solve_bodies(model, parts, of_step, x.unit, x.answer)
    x.unit[x.dofs[d]] = 0.0
    for j in range(x.dofs.size):
        columns[at, j] = x.answer[x.dofs[j]]
    slots[d] = at
    x.kept[which] = at + 1.0
    return 0


@outlined_kernel
def keep_columns(run, of_step, count):
    """`keep_column` of all coordinates of the active rows; 1 where there is no room."""
    s, parts = run.surfaces, run.partition
    x, mu, nu = parts.surfaces, run.memory.numbers[METHOD_MU], run.memory.numbers[METHOD_NU]
    slots = x.step_slot if of_step == 1 else x.mass_slot
    if of_step == 1 and (x.kept[KEPT_MU] != mu or x.kept[KEPT_NU] != nu):
        for d in range(slots.size):
            slots[d] = -1
        x.kept[KEPT_STEP] = 0.0
        x.kept[KEPT_MU], x.kept[KEPT_NU] = mu, nu
    for _ in range(2):
        full = 0
        for c in range(count):
            for k in range(3):
                if used(s, c, k):
                    for j in range(x.count[3 * c + k]):
                        full += keep_column(run.model, parts, of_step, x.entries[3 * c + k, j])
        if full == 0:
            return 0
        for d in range(slots.size):  # those of nodes that touch no more make room
            slots[d] = -1
        x.kept[KEPT_STEP if of_step == 1 else KEPT_MASS] = 0.0
    return 1


@outlined_kernel
def lay_sides(run, of_step, count):
    """left and right of the active rows."""
    s, parts = run.surfaces, run.partition
    x, y = parts.surfaces, (parts.step if of_step == 1 else parts.weight)
    r, known = parts.rest.size, run.ws.known
    for c in range(count):
        for k in range(3):
            row = 3 * c + k
            if not used(s, c, k):
                continue
            for l in range(y.right.size):
                through, back = 0.0, 0.0
                for j in range(x.count[row]):
                    entry = x.dofs[x.entries[row, j]]
                    through += x.values[row, j] * y.answer[l, entry]
                    if l < r:
                        back += x.values[row, j] * y.back[l, entry]
                x.left[row, l] = (x.rest[row, l] if l < r else 0.0) - through
                y.right[l] = x.rest[row, l] - back if l < r else 0.0
                y.sizes[l] = through
            for port in range(parts.ports.size):
                for j in range(6):
                    for l in range(6):
                        q = parts.inertia[6 * port + j, l]
                        y.right[r + 6 * port + l] += q * y.sizes[r + 6 * port + j]
            for l in range(r):
                if known[parts.rest[l]] != 0:
                    y.right[l] = 0.0
            substitute(y.small, y.pivots, y.right)
            for l in range(y.right.size):
                x.right[row, l] = y.right[l]


@outlined_kernel
def lay_compliance(run, of_step, count, out):
    """out = what a unit of each force does to gaps and slips; 1 where there is no room."""
    s, parts = run.surfaces, run.partition
    x = parts.surfaces
    if keep_columns(run, of_step, count) != 0:
        return 1
    lay_sides(run, of_step, count)
    slots = x.step_slot if of_step == 1 else x.mass_slot
    columns = x.step_columns if of_step == 1 else x.mass_columns
    for r in range(3 * count):
        for j in range(r + 1):
            total = 0.0
            if used(s, r // 3, r % 3) and used(s, j // 3, j % 3):
                for a in range(x.count[r]):
                    column = slots[x.entries[r, a]]
                    part = 0.0
                    for b in range(x.count[j]):
                        part += x.values[j, b] * columns[column, x.entries[j, b]]
                    total += x.values[r, a] * part
                small, other = 0.0, 0.0
                for l in range(x.left.shape[1]):
                    small += x.left[j, l] * x.right[r, l]
                    other += x.left[r, l] * x.right[j, l]
                out[j, r], out[r, j] = total + small, total + other
            else:
                out[j, r], out[r, j] = 0.0, 0.0
    return 0


@outlined_kernel
def rows_stay(run, count, turned):
    """Whether what forces do was laid for the same nodes and for rows that differ from these by `turned` at most, over
    the largest number; those at hand are noted if not."""
    numbers, s, x = run.memory.numbers, run.surfaces, run.partition.surfaces
    partials = float(run.memory.counts[JACOBIANS])
    same = x.kept[LAID_NODES] == count and x.kept[LAID_PARTIALS] == partials
    same &= x.kept[LAID_MU] == numbers[METHOD_MU] and x.kept[LAID_NU] == numbers[METHOD_NU]
    largest, change = 0.0, 0.0
    for c in range(count):
        same = same and x.laid_node[c] == s.active[c]
        for k in range(3):
            r = 3 * c + k
            if not same or not used(s, c, k):
                continue
            same &= x.laid_count[r] == x.count[r]
            for j in range(x.count[r]):
                same &= x.laid_entries[r, j] == x.entries[r, j]
                largest = max(largest, abs(x.values[r, j]))
                change = max(change, abs(x.values[r, j] - x.laid_values[r, j]))
            for l in range(x.rest.shape[1]):
                change = max(change, abs(x.rest[r, l] - x.laid_rest[r, l]))
    if same and change <= turned * largest:
        return True
    x.kept[LAID_NODES], x.kept[LAID_PARTIALS] = count, partials
    x.kept[LAID_MU], x.kept[LAID_NU] = numbers[METHOD_MU], numbers[METHOD_NU]
    for c in range(count):
        x.laid_node[c] = s.active[c]
        for r in range(3 * c, 3 * c + 3):
            x.laid_count[r] = x.count[r]
            for j in range(x.count[r]):
                x.laid_entries[r, j], x.laid_values[r, j] = x.entries[r, j], x.values[r, j]
            for l in range(x.rest.shape[1]):
                x.laid_rest[r, l] = x.rest[r, l]
    return False


@outlined_kernel
def partitioned_free_motion(run, count):
    """As `saddle_point.free_motion`."""
    co, s, nv, nu = run.memory, run.surfaces, run.ws.known.size, run.memory.numbers[METHOD_NU]
    last_entries(s, count)
    for c in range(count):
        i = s.active[c]
        for k in range(3):
            r = 3 * c + k
            s.free[r] = 0.0
            if used(s, c, k):
                if k == 0:
                    s.free[r] = nu * (s.node[i, NODE_GAP] + row_times(run.partition, r, co.residual, 0))
                else:
                    s.free[r] = s.node[i, NODE_SLIP + k - 1] + row_times(run.partition, r, co.residual, nv)
    without_forces(s, count)


@outlined_kernel
def partitioned_take_forces(run, count):
    """As `saddle_point.take_forces`."""
    co, s, parts, nv = run.memory, run.surfaces, run.partition, run.ws.known.size
    x, per = parts.surfaces, 1.0 / co.numbers[METHOD_MU]
    for k in range(nv):
        x.more[k] = 0.0
    for c in range(count):
        i = s.active[c]
        f = vec(s.node, i, NODE_FORCE)
        for k in range(3):
            if used(s, c, k):
                dp = s.force[3 * c + k] - dot(f, vec(s.node, i, NODE_NORMAL + 3 * k))
                if dp != 0.0:
                    add_row(parts, 3 * c + k, per * dp, x.more, 0)
        keep_force(s, c, 1.0)
    solve_partition(run.model, parts, run.ws.known, 1, x.more, x.answer)
    for k in range(nv):
        co.residual[nv + k] += x.answer[k]
        co.residual[k] += x.answer[k] / co.numbers[METHOD_NU]


@entry_point
def press_partitioned(run, t, first):
    """`press` of a run whose unknowns are parted."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.surfaces
    nv = ws.known.size
    if first == 1:
        begin_step(run)
    made = factorise_partition(run)
    # gaps where the trial is, and the nodes that touch or may do so
    kinematics(model, ws, b.q, b.v)
    if (first == 1 or made == 1) and follow_deformation(run) == 1:
        run.partition.surfaces.kept[LAID_PARTIALS] = -1.0
    turned = still_turning(run, co.numbers[METHOD_SPACING], first, run.partition.surfaces.kept)
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    turn_slip(s)
    count = gather(s)
    if count < 0 or partitioned_rows(run, count) != 0:
        return refused(s, NO_ROOM)
    off = -1 if first == 1 else unmet(s, REGION_BEFORE)
    if off < 0 and turned:
        off = 0
    friction_power(run, count)
    # the residual with the forces so far, and the correction without new ones; what moves prescribed entries is as in
    # `press.moving_power`
    partition_residual(run, co.residual)
    power = 0.0
    for k in range(nv):
        if ws.known[k] != 0:
            power += run.partition.vectors[5, k] * b.v[k]
    for c in range(count):
        f = vec(s.node, s.active[c], NODE_FORCE)
        for k in range(3):
            if used(s, c, k):
                force = dot(f, vec(s.node, s.active[c], NODE_NORMAL + 3 * k))
                add_row(run.partition, 3 * c + k, -force, co.residual, nv)
                power -= force * run.partition.surfaces.driven[3 * c + k]
    co.residual[2 * nv + b.z.size - 2] -= power
    partition_correction(run)
    if count == 0:
        return changed(s, 0, off)
    # compliance of the nodes, their states, and what the forces change
    if not rows_stay(run, count, TURNED):
        if lay_compliance(run, 1, count, s.compliance) != 0:
            return refused(s, NO_ROOM)
        per = 1.0 / co.numbers[METHOD_MU]
        for r in range(3 * count):
            for j in range(3 * count):
                s.compliance[r, j] *= per
        soften(s, count)
    partitioned_free_motion(run, count)
    if settle(s, count) != 0:
        return refused(s, NO_STATES)
    partitioned_take_forces(run, count)
    return changed(s, count, off)


@entry_point
def resume_partitioned(run, t):
    """`resume` of a run whose unknowns are parted: M^-1 P^T f is what forward dynamics makes of more efforts."""
    model, ws, b, s, parts = run.model, run.ws, run.buffers, run.surfaces, run.partition
    x, nv = parts.surfaces, ws.known.size
    begin_step(run)
    for j in range(run.q.size):
        b.q[j] = run.q[j]
    for k in range(nv):
        b.v[k], x.more[k], x.answer[k], b.acceleration[k], parts.vectors[0, k] = run.v[k], 0.0, 0.0, 0.0, 0.0
    kinematics(model, ws, b.q, b.v)
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    count = 0
    for i in range(s.nodes.shape[0]):
        if s.state[i, REGION] != OPEN and count < s.active.size:
            s.active[count] = i
            count += 1
    if count == 0 or partitioned_rows(run, count) != 0:
        return
    for c in range(count):
        f = vec(s.node, s.active[c], NODE_FORCE)
        for k in range(3):
            if used(s, c, k):
                add_row(parts, 3 * c + k, dot(f, vec(s.node, s.active[c], NODE_NORMAL + 3 * k)), x.more, 0)
    articulated_accelerations(model, ws, parts.vectors[0], b.acceleration)
    kinematics(model, ws, b.q, b.v)
    articulated_accelerations(model, ws, x.more, x.answer)
    for k in range(nv):
        if ws.known[k] == 0:
            b.K[0, nv + k] += x.answer[k] - b.acceleration[k]
