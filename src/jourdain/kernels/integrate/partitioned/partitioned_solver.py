"""Solutions with the matrix of a correction by its partition (`solver_layout`): no matrix is (nv, nv)."""

from __future__ import annotations

from ...bodies.ancf_cable import mass_answer
from ...bodies.ancf_cable_tangent import factorise_cable, step_answer
from ...bodies.ancf_shell_tangent import factorise_shell
from ...bodies.body_dispatch import has_banded_mass, is_cable, is_rod, is_shell, support, supported
from ...bodies.nodal_layout import FACTORED, MASS_FACTOR, STEP_FACTOR, floats_of, integers_of, nodal_body
from ...bodies.simo_reissner_tangent import factorise_rod
from ...compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ...constraints.constraint_jacobian import lay_rows, rows_transposed
from ...flat_arrays import put_value
from ...linalg.pivoted import factorise, substitute
from ...linalg.supernodal_cholesky import factorise_sparse, header_at, substitute_sparse
from ...records import given
from ...signatures import Vector
from ...tree.articulated import articulated_accelerations
from ...tree.joints import displace, tangent_rate
from ...tree.kinematics import kinematics
from ...tree.mass_products import composite_inertias, mass_times
from ...tree.nodal_elimination import unit_motion
from ..lie_group import to_displacement
from ..loop_records import Loop
from ..state_steps import rates_at
from .cable_forces import force_residual

STEP = 1e-8
"""Step of the forward differences by displacements and velocities, over their size or one [rad, m, and rates]."""


@optional_kernel("nodal")
def lay_ports(model, ws, s):
    """Shapes and inertia of the ports, after `kinematics`."""
    composite_inertias(model, ws)
    for port in range(s.ports.size):
        c = s.ports[port]
        node, I = model.tree[c], ws.bodies[c].articulated
        count, where = support(model, node.parent, node.station)
        for j in range(6):
            row = 6 * port + j
            for k in range(s.shapes.shape[1]):
                s.shapes[row, k] = 0.0
            for k in range(count):
                entry = model.tree[node.parent].ev + supported(model, where, k)
                s.shapes[row, entry] = ws.flex[node.phi + 6 * k + j]
            put_value(s.inertia[row], 0, I @ unit_motion(j))


@outlined_kernel
def moved_rest(run, q, v, k, kind):
    """Displaces entry k of v (kind 0), or changes its velocity (1), in the buffers; returns by how much."""
    model, b, scratch = run.model, run.buffers, run.partition.vectors
    for j in range(q.size):
        b.q[j] = q[j]
    for j in range(v.size):
        b.v[j] = v[j]
    if kind == 1:
        step = STEP * max(1.0, abs(v[k]))
        b.v[k] += step
        return step
    j = model.q_index[k]
    step = STEP * max(1.0, abs(q[j])) if j >= 0 else STEP
    for i in range(v.size):
        scratch[0, i], scratch[1, i], scratch[2, i] = 0.0, 0.0, 0.0
    scratch[0, k] = step
    tangent_rate(model, q, scratch[0], scratch[1], scratch[2])
    displace(model, q, scratch[2], b.q)
    return step


@outlined_kernel
def under_rows(run, t):
    """Adds what the multipliers at the start of the step do to the accelerations in the buffers, which were evaluated
    last: derivatives of their forces are then among the differences."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.partition
    if co.integrator.form == 0:
        return
    none, efforts, answer = s.vectors[0], s.vectors[1], s.vectors[2]
    kinematics(model, ws, b.q, b.v)
    lay_rows(model, ws, t, b.q, b.v)
    for r in range(co.force.shape[1]):
        ws.constraint_rows[r].multiplier = co.force[0, r]
    for k in range(efforts.size):
        none[k], efforts[k] = 0.0, 0.0
    rows_transposed(model, ws, b.q, b.v, efforts)
    for sign in range(2):
        for k in range(efforts.size):
            answer[k] = 0.0
        articulated_accelerations(model, ws, none if sign == 0 else efforts, answer)
        for k in range(efforts.size):
            if ws.known[k] == 0:
                b.acceleration[k] += answer[k] if sign == 1 else -answer[k]
        kinematics(model, ws, b.q, b.v)


@entry_point
def partitioned_jacobian(run: Loop, t: float, q: Vector, v: Vector, z: Vector) -> None:
    """Columns of mass, damping and stiffness of the rest, by differences of the accelerations, and the ports."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.partition
    nv = v.size
    if s.rest.size + s.ports.size == 0:
        return
    # accelerations with a coordinate, then a velocity, of the rest moved
    base = s.vectors[3]
    under_rows(run, t)
    for k in range(nv):
        base[k] = b.acceleration[k]
    for r in range(s.rest.size):
        for kind in range(2):
            column = s.stiffness[r] if kind == 0 else s.damping[r]
            if ws.known[s.rest[r]] != 0:
                for k in range(nv):
                    column[k] = 0.0
                continue
            step = moved_rest(run, q, v, s.rest[r], kind)
            rates_at(run, run.free, t, b.q, b.v, z)
            under_rows(run, t)
            co.counts.evaluations += 1
            co.counts.differences += 1
            for k in range(nv):
                column[k] = (base[k] - b.acceleration[k]) / step if ws.known[k] == 0 else 0.0
    # back to the state of now
    for j in range(q.size):
        b.q[j] = q[j]
    for k in range(nv):
        b.v[k] = v[k]
        b.acceleration[k] = base[k]
    kinematics(model, ws, q, v)
    # forces are M times accelerations, by recursion; columns of M itself likewise, of these displacements
    unit = s.vectors[0]
    note_displacements(model, s, q)
    for k in range(nv):
        unit[k] = 0.0
    for r in range(s.rest.size):
        for kind in range(2):
            column = s.stiffness[r] if kind == 0 else s.damping[r]
            mass_times(model, ws, column, s.vectors[1], s.motion)
            for k in range(nv):
                column[k] = s.vectors[1, k]
        unit[s.rest[r]] = 1.0
        mass_times(model, ws, unit, s.mass[r], s.motion)
        unit[s.rest[r]] = 0.0
    lay_ports(model, ws, s)


@optional_kernel("nodal")
def note_displacements(model, s, q):
    """Remembers the coordinates of the sparse bodies, whose mass is at hand."""
    for j in range(s.bodies.size):
        i = s.bodies[j]
        node = model.tree[i]
        for k in range(node.ne):
            s.placed[node.ev + k] = q[node.e + k]


@optional_kernel("nodal")
def assemble_step(model, s, i, mu, nu):
    """Lays S = M + (alpha M + beta K) / mu + K / (mu nu) of body i where its factor goes."""
    body, at = nodal_body(model, i), s.value_at[i]
    of_mass, of_stiffness = 1.0 + body.rayleigh.alpha / mu, body.rayleigh.beta / mu + 1.0 / (mu * nu)
    for k in range(header_at(model.integers, integers_of(model, i, STEP_FACTOR)).values):
        s.values[at + k] = 0.0
    for j in range(body.pair_row[model.tree[i].ne]):
        to = body.step_target[j]
        if to >= 0:
            s.values[at + to] += of_mass * body.mass[j] + of_stiffness * body.stiffness[j]


@optional_kernel("nodal")
def solve_bodies(model, s, of_step, b, x):
    """x_e = S^-1 b_e, or M_ee^-1 b_e, of all sparse bodies; b may be x."""
    if given(s.answer):
        s.answer(model, s, of_step, b, x)
        return
    for j in range(s.bodies.size):
        i = s.bodies[j]
        ev = model.tree[i].ev
        if has_banded_mass(model, i):
            if of_step == 1:
                step_answer(model, i, s.values, s.value_at[i], b, ev, x, ev)
            else:
                mass_answer(model, i, b, ev, x, ev)
        elif of_step == 1:
            at = integers_of(model, i, STEP_FACTOR)
            substitute_sparse(model.integers, at, s.values, s.value_at[i], b, ev, x, ev, s.spare, 0)
        else:
            at, values = integers_of(model, i, MASS_FACTOR), floats_of(model, i, FACTORED)
            substitute_sparse(model.integers, at, model.floats, values, b, ev, x, ev, s.spare, 0)


@kernel
def inner(place, x, y):
    """x . y over the coordinates of the sparse bodies."""
    total = 0.0
    for k in range(place.size):
        if place[k] < 0:
            total += x[k] * y[k]
    return total


@outlined_kernel
def by_ports(s, x, right, first):
    """right[first ...] = Q U^T x_e."""
    for port in range(s.ports.size):
        for j in range(6):
            right[first + 6 * port + j] = 0.0
        for j in range(6):
            moved = inner(s.place, s.shapes[6 * port + j], x)
            for l in range(6):
                right[first + 6 * port + l] += s.inertia[6 * port + j, l] * moved


@outlined_kernel
def lay_answers(model, s, known, of_step, per, both):
    """Answers of the step or of the mass, and the factors of the small matrix."""
    y = s.step if of_step == 1 else s.weight
    r, nv, column = s.rest.size, s.place.size, s.vectors[0]
    for c in range(r):
        for k in range(nv):
            column[k] = s.mass[c, k]
            y.row[c, k] = column[k]
        solve_bodies(model, s, of_step, column, y.back[c])
        for k in range(nv):
            column[k] += per * s.damping[c, k] + both * s.stiffness[c, k]
        solve_bodies(model, s, of_step, column, y.answer[c])
    for c in range(6 * s.ports.size):
        solve_bodies(model, s, of_step, s.shapes[c], y.answer[r + c])
    for c in range(y.answer.shape[0]):
        by_ports(s, y.answer[c], y.right, r)
        for l in range(r, y.right.size):
            y.small[l, c] = y.right[l] + (1.0 if l == c else 0.0)
        for l in range(r):
            x = -inner(s.place, y.row[l], y.answer[c])
            if c < r:
                k = s.rest[l]
                x += s.mass[c, k] + per * s.damping[c, k] + both * s.stiffness[c, k]
            y.small[l, c] = x
    for l in range(r):
        if known[s.rest[l]] != 0:  # nothing moves a prescribed entry, and it moves nothing
            for c in range(y.right.size):
                y.small[l, c], y.small[c, l] = 0.0, 0.0
            y.small[l, l] = 1.0
    for l in range(y.right.size):
        for c in range(y.right.size):
            y.whole[l, c], y.change[l, c] = y.small[l, c], 0.0
    factorise(y.small, y.pivots, y.sizes)


@outlined_kernel
def factorise_partition(run):
    """The factors for the mu and nu of the step, unless they are at hand; 1 where they were made."""
    model, co, s = run.model, run.memory, run.partition
    mu, nu = co.integrator.mu, co.integrator.nu
    fresh = s.at_hand.mu == mu and s.at_hand.nu == nu
    if fresh and s.at_hand.step == co.counts.jacobians:
        return 0
    for j in range(s.bodies.size):
        i = s.bodies[j]
        if is_cable(model, i):  # whose stiffness depends on the state
            factorise_cable(model, i, run.buffers.q, run.buffers.v, mu, nu, s.values, s.value_at[i])
        elif is_shell(model, i):
            q, v, flex = run.buffers.q, run.buffers.v, run.ws.flex
            factorise_shell(model, i, q, v, mu, nu, flex, s.values, s.value_at[i], s.links, s.update)
        elif is_rod(model, i):
            q, v = run.buffers.q, run.buffers.v
            factorise_rod(model, i, q, v, mu, nu, s.values, s.value_at[i], s.links, s.update)
        elif not fresh:
            assemble_step(model, s, i, mu, nu)
            if given(s.factor):
                s.factor(model, s, i)
            else:
                at = integers_of(model, i, STEP_FACTOR)
                factorise_sparse(model.integers, at, s.values, s.value_at[i], s.links, s.update)
    s.at_hand.mu, s.at_hand.nu = mu, nu
    lay_answers(model, s, run.ws.known, 1, 1.0 / mu, 1.0 / (mu * nu))
    s.at_hand.step = co.counts.jacobians
    return 1


@outlined_kernel
def solve_plain(model, s, known, of_step, b, x):
    """`solve_partition` without what acts on sparse bodies."""
    y = s.step if of_step == 1 else s.weight
    r = s.rest.size
    solve_bodies(model, s, of_step, b, x)
    by_ports(s, x, y.right, r)
    for l in range(r):
        k = s.rest[l]
        y.right[l] = b[k] - inner(s.place, y.row[l], x) if known[k] == 0 else 0.0
    substitute(y.small, y.pivots, y.right)
    for l in range(r):
        x[s.rest[l]] = y.right[l]
    for c in range(y.right.size):
        factor = y.right[c]
        if factor != 0.0:
            for k in range(x.size):
                if s.place[k] < 0:
                    x[k] -= factor * y.answer[c, k]


@outlined_kernel
def solve_partition(model, s, known, of_step, b, x):
    """x = the matrix of the step, or the mass, to the power -1 times b, all (nv,)."""
    solve_plain(model, s, known, of_step, b, x)
    applied = s.applied
    if of_step == 0 or applied.count[0] == 0:
        return
    for j in range(applied.right.size):
        applied.right[j] = x[applied.entries[j]] if j < applied.count[0] else 0.0
    substitute(applied.small, applied.pivots, applied.right)
    for j in range(applied.count[0]):
        for k in range(x.size):
            x[k] -= applied.right[j] * applied.columns[j, k]


@outlined_kernel
def partition_residual(run, out):
    """out = how far the trial is from the rates of its last point, as forces: M (a' - a) at that state."""
    ws, b, co, s = run.ws, run.buffers, run.memory, run.partition
    nv, n, rate, K = ws.known.size, b.y.size, co.trial[0], b.K
    for k in range(2 * nv, n):
        out[k] = rate[k] - K[1, k]
    if co.integrator.forces_asked:
        force_residual(run.model, s, rate, K, out)
        return
    for k in range(nv):
        moves = ws.known[k] == 0
        out[k] = rate[k] - K[1, k] if moves else 0.0
        b.acceleration[k] = rate[nv + k] - K[1, nv + k] if moves else 0.0
    to_displacement(run.model, b.q, b.y, out)
    mass_times(run.model, ws, b.acceleration, s.vectors[5], s.motion)
    for k in range(nv):
        out[nv + k] = s.vectors[5, k] if ws.known[k] == 0 else 0.0


@outlined_kernel
def free_correction(run):
    """Velocities by which the forces in co.residual are answered, into s.vectors[4]; the right side in s.vectors[3]."""
    co, s, nv = run.memory, run.partition, run.ws.known.size
    per, b = 1.0 / co.integrator.mu, s.vectors[3]
    for k in range(nv):
        b[k] = -per * co.residual[nv + k]
    solve_partition(run.model, s, run.ws.known, 1, b, s.vectors[4])


@outlined_kernel
def place_velocities(run):
    """Puts the correction whose velocities are in s.vectors[4] in the place of the residual; displacements need none of
    their own."""
    co, x, nv = run.memory, run.partition.vectors[4], run.ws.known.size
    per, turn = 1.0 / co.integrator.mu, 1.0 / co.integrator.nu
    for k in range(nv):
        co.residual[nv + k] = x[k]
        co.residual[k] = turn * (x[k] - co.residual[k])
    for k in range(2 * nv, co.scale.size):
        co.residual[k] = -per * co.residual[k]


@kernel
def partition_correction(run):
    """The correction for the forces in co.residual, in its place."""
    free_correction(run)
    place_velocities(run)


@outlined_kernel
def mass_answers(run):
    """The answers of the mass, unless they are those of the last derivatives."""
    s, co = run.partition, run.memory
    if s.at_hand.mass != co.counts.jacobians:
        lay_answers(run.model, s, run.ws.known, 0, 0.0, 0.0)
        s.at_hand.mass = co.counts.jacobians
