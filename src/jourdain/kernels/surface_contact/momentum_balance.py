"""Momentum balance: steps with surface contact conserve the momentum of trees that float.

A step of generalized-alpha adds accelerations to velocities in the axes of joints, and pushes move what touches along:
the spatial momentum H of a tree, angular about the world's origin, follows what acts on it to the order of the step
only. So its root is given a velocity besides, at the end of the step, by which the balance is met (the momentum form
of the step; Simo & Tarnow 1992 and Hesch & Betsch 2009 have it for whole meshes):

    H(q', v') = H(q, v) + h ((1 - gamma) n + gamma n') + impulses of the surfaces,
    (1 - alpha_m) n' + alpha_m n = (1 - alpha_f) W' + alpha_f W,

W being the wrench of all that acts on the tree, and n its mean as the method takes that of accelerations. While a step
is corrected W' is dH/dt of the accelerations of the trial: what these lack of the equations of motion is left to the
correction, and what the root is given is the error of the step alone, which hardly changes from trial to trial. At the
end it is what acts, with the forces of surfaces: what two trees do to each other is taken at one place and one instant
and adds to zero, so that their momentum together is conserved to rounding. The tree moves as one rigid body by it:
nothing is strained.

Surfaces take energy and give none. Where a corner passes a corner within a step, though, a gap may be met on the wrong
side of it, and what is pushed back is strained by that. So a step of impulses in which energy rises is cut, too. Where
forces enter the accelerations they alternate about their mean, and energy goes up and down with them from step to step
(Chaudhary & Bathe 1986): there a rise within one step says nothing, and no step is cut for it.
"""

from __future__ import annotations

from ..algebra import Wrench, cross, shift_back
from ..bodies.body_dispatch import strain_energy
from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..flat_arrays import vector_at
from ..integrate.loop_records import Loop
from ..integrate.state_steps import peek
from ..linalg.pivoted import factorise, substitute
from ..records import given
from ..tree.flexible import internal_momentum
from ..tree.invariants import mechanical_energy
from ..tree.joint_springs import passive_energy
from ..tree.kinematics import kinematics
from ..tree.mass_products import composite_inertias
from ..tree.newton_euler import newton_euler_efforts
from ..tree.struts import strut_energy
from .gap_functions import shape_marker
from .surface_layout import MORTAR, OPEN

RISE = 1e-3
"""Part of the energy of motion and strain by which energy may rise in a step of impulses of surfaces. What the method
itself adds in a step that resolves the motion is of the order of the cube of step times frequency."""
SHORTEST = 1.0 / 32.0
"""Part of a step down to which it is cut where energy rises; what is left then is of two corners that meet."""


@kernel
def tree_of(model, s, i):
    """The row of s.trees to which body i belongs, -1 where that is none."""
    while i > 0 and model.tree[i].parent > 0:
        i = model.tree[i].parent
    for t in range(s.trees.size):
        if s.trees[t] == i:
            return t
    return -1


@outlined_kernel
def lay_momenta(model, ws, s, v):
    """Momentum of each tree into its `trial`, after `kinematics`."""
    for t in range(s.trees.size):
        s.balance[t].trial = s.balance[t].trial.zero
    for i in range(1, len(model.tree)):
        t = tree_of(model, s, i)
        if t < 0:
            continue
        body = ws.bodies[i]
        c, omega, velocity = body.first_moment, body.omega, body.velocity
        h = Wrench(body.inertia @ omega + cross(c, velocity), model.bodies[i].mass * velocity + cross(omega, c))
        if model.tree[i].ne > 0:
            h += internal_momentum(model, ws, i, v)
        s.balance[t].trial += shift_back(h, body.p_WB)


@outlined_kernel
def lay_wrenches(model, ws, s, rates):
    """What acts on each tree where its accelerations are in `rates` (nv + nv + ...), into its `trial_wrench`; right
    after `kinematics`, whose forces are not those of velocities any more afterwards."""
    nv = ws.known.size
    for k in range(nv):
        s.jump[3, k] = rates[nv + k]
    ws.bodies[0].acceleration = ws.bodies[0].acceleration.zero
    newton_euler_efforts(model, ws, s.jump[3], s.jump[2])
    for t in range(s.trees.size):
        root = ws.bodies[s.trees[t]]
        s.balance[t].trial_wrench = shift_back(root.bias_force, root.p_WB)


@kernel
def push_tree(model, s, m, x, f):
    """Adds a force at place x to what surfaces do to the tree of marker m."""
    t = tree_of(model, s, model.markers[m].body)
    if t >= 0:
        s.balance[t].surfaces += Wrench(cross(x, f), f)


@outlined_kernel
def lay_pushes(model, s, none):
    """Wrenches of the forces that nodes have, at the places of the last correction; none: there are no such forces."""
    for t in range(s.trees.size):
        s.balance[t].surfaces = s.balance[t].surfaces.zero
    if none:
        return
    for i in range(len(s.nodes)):
        if s.state[i].region == OPEN:
            continue
        f, n, pair = s.node[i].force, s.node[i].normal, s.pairs[s.nodes[i].pair]
        along = f - (f @ n) * n
        for k in range(s.points.size):
            w = s.weights[i, k]
            if w == 0.0:
                continue
            part = w * f
            if pair.form == MORTAR:
                part = (f @ n) * vector_at(s.arrows[i], 3 * k) + w * along
            push_tree(model, s, s.points[k], s.place[k].position, part)
        if pair.shape >= 0:
            push_tree(model, s, shape_marker(model, pair.shape), s.place[s.nodes[i].point].position, -f)


@outlined_kernel
def turn_root(run, t):
    """Changes the velocity that the root of tree t is given, s.turn, by what brings it the momentum in its `trial`,
    after `composite_inertias`; the size of the change over the tolerances. A root that is moved along a profile is left
    alone."""
    model, ws, s, nv = run.model, run.ws, run.surfaces, run.ws.known.size
    root = ws.bodies[s.trees[t]]
    first, count = model.tree[s.trees[t]].v, model.tree[s.trees[t]].nv
    for a in range(count):
        if ws.known[first + a] != 0:
            return 0.0
    h, I = shift_back(s.balance[t].trial, -root.p_WB), root.articulated
    for a in range(6):
        s.root_right[a] = 0.0
        for b in range(6):
            s.root[a, b] = 1.0 if a == b else 0.0
    for a in range(count):
        S = ws.dofs[first + a].S
        s.root_right[a] = S @ h
        for b in range(count):
            s.root[a, b] = S @ (I @ ws.dofs[first + b].S)
    factorise(s.root, s.root_pivots, s.root_sizes)
    substitute(s.root, s.root_pivots, s.root_right)
    size = 0.0
    for a in range(count):
        s.turn[t, a] += s.root_right[a]
        size = max(size, run.memory.scale[nv + first + a] * abs(s.root_right[a]))
    return size


@outlined_kernel
def energies(run, q, v):
    """Kinetic, potential and elastic energy at a state, after `kinematics` [J]."""
    kinetic, potential = mechanical_energy(run.model, run.ws, v)
    elastic = passive_energy(run.model, q, run.latched) + strain_energy(run.model, q)
    return kinetic, potential, elastic + strut_energy(run.model, run.ws, q, v)


@outlined_kernel
def rises(run, h):
    """Whether the energy at the state in the buffers, after `kinematics`, is more than that at the start of the step
    and the work done in it, by more than RISE, while surfaces touch by impulses: those only take. Elastic energy of
    other contacts is not known here; with those it is not asked."""
    s, b, touch = run.surfaces, run.buffers, 0
    if s.by_impulse[0] == 0:
        return False
    for i in range(len(s.nodes)):
        touch += s.state[i].region
    short = h < 1.5 * SHORTEST * run.ws.ledger.step
    if touch == 0 or len(run.model.contacts) > 0 or short or run.integrator.eased:
        return False
    kinetic, potential, elastic = energies(run, b.q, b.v)
    work = b.y[2 * run.v.size + run.z.size - 2]
    return kinetic + potential + elastic - s.energy[0] - work > RISE * s.energy[1]


@entry_point
def begin_balance(run: Loop, fresh: int, ratio: float) -> None:
    """Energy and momentum at the start of a step; fresh: 1 where the method begins anew, with the rates in
    buffers.K[0]; ratio of the step to the last one."""
    model, ws, s = run.model, run.ws, run.surfaces
    kinematics(model, ws, run.q, run.v)
    kinetic, potential, elastic = energies(run, run.q, run.v)
    s.energy[0], s.energy[1] = kinetic + potential + elastic, kinetic + elastic
    lay_momenta(model, ws, s, run.v)
    if fresh == 1:
        lay_wrenches(model, ws, s, run.buffers.K[0])
    for t in range(s.trees.size):
        tree = s.balance[t]
        tree.momentum = tree.trial
        if fresh == 1:
            tree.wrench = tree.mean = tree.trial_wrench
        elif ratio != 1.0:
            tree.mean = tree.wrench + (tree.mean - tree.wrench) * ratio


@outlined_kernel
def constraint_wrenches(run):
    """Adds what constraints do to the roots, where their multipliers are unknowns and the rates are without them."""
    model, ws, s, co = run.model, run.ws, run.surfaces, run.memory
    for t in range(s.trees.size):
        node, root = model.tree[s.trees[t]], ws.bodies[s.trees[t]]
        for k in range(node.v, node.v + node.nv):
            effort = 0.0
            for r in range(co.rows.shape[0]):
                effort += co.rows[r, k] * co.force[1, r]
            # the columns of a root are at right angles, of unit length, and either turn or move it
            S = ws.dofs[k].S
            s.balance[t].trial_wrench += shift_back(Wrench(effort * S.angular, effort * S.linear), root.p_WB)


@outlined_kernel
def turn_roots(run, h, pushed):
    """Gives the roots what the momentum of their trees lacks, with the wrenches at hand; right after `kinematics` at
    the state in the buffers. pushed: the wrenches have the forces of surfaces, where these are part of accelerations.
    The largest change over the tolerances."""
    model, ws, s, b, co = run.model, run.ws, run.surfaces, run.buffers, run.memory
    am, af, gamma = co.integrator.alpha_m, co.integrator.alpha_f, co.integrator.gamma
    by_impulse = s.by_impulse[0] == 1
    composite_inertias(model, ws)
    lay_momenta(model, ws, s, b.v)
    size = 0.0
    for t in range(s.trees.size):
        tree = s.balance[t]
        ahead, mean, surfaces = tree.trial_wrench, tree.mean, tree.surfaces
        if not by_impulse and not pushed:
            ahead += surfaces
        after = ((1.0 - af) * ahead + af * tree.wrench - am * mean) / (1.0 - am)
        supplied = h * ((1.0 - gamma) * mean + gamma * after)
        if by_impulse:
            supplied += h * surfaces
        tree.trial_mean = after
        tree.trial = tree.momentum + supplied - tree.trial
        size = max(size, turn_root(run, t))
    return size


@separate_kernel
def follow_momentum(run, h, first):
    """What a correction does for the momentum of the trees, after `kinematics` at the trial and before gaps are laid:
    s.turn is changed, which the next trial has; the size of the change over the tolerances."""
    model, ws, s = run.model, run.ws, run.surfaces
    if s.trees.size == 0:
        return 0.0
    lay_pushes(model, s, first == 1 or s.by_impulse[0] == 0)
    lay_wrenches(model, ws, s, run.memory.trial[0])
    return turn_roots(run, h, True)


@outlined_kernel
def still_turning(run, h, first):
    """`follow_momentum`, and whether what the roots are given has not settled: with a partition, as of corrections
    (`newton.judge`), the rest of a geometric series counts, else and of a first change the change itself."""
    tolerance, before = run.memory.integrator.tolerance, run.surfaces.turned_by[0]
    size = follow_momentum(run, h, first)
    run.surfaces.turned_by[0] = size
    if first == 1 or not size < before or not given(run.partition):
        return size > tolerance
    return size * size > tolerance * (before - size)


@outlined_kernel
def applied_wrenches(run):
    """What acts on the trees at the last trial: its accelerations without surfaces are those of the rates there."""
    model, ws, s, b, co = run.model, run.ws, run.surfaces, run.buffers, run.memory
    for k in range(b.y.size):
        co.trial[5, k] = b.y[k]
        b.y[k] = co.trial[2, k]
    peek(run, run.q, run.v, run.z)
    kinematics(model, ws, b.q, b.v)
    lay_wrenches(model, ws, s, b.K[1])
    if co.integrator.form > 0:
        constraint_wrenches(run)
    lay_pushes(model, s, False)
    for k in range(b.y.size):
        b.y[k] = co.trial[5, k]


@entry_point
def balance(run: Loop, h: float) -> int:
    """Adds to the increments of velocities in buffers.y what the momentum of the trees still lacks at the end of a step
    that has converged; what acts is that of the last correction, where two trees do the same to each other.

    Returns 1 where energy rises, so that the step is to be cut, else 0.
    """
    model, ws, s, b = run.model, run.ws, run.surfaces, run.buffers
    nv = ws.known.size
    if s.trees.size > 0:
        applied_wrenches(run)
    peek(run, run.q, run.v, run.z)
    kinematics(model, ws, b.q, b.v)
    if rises(run, h):
        return 1
    for t in range(s.trees.size):
        for a in range(6):
            s.turned[t, a] = s.turn[t, a]
    turn_roots(run, h, False)
    for t in range(s.trees.size):
        node = model.tree[s.trees[t]]
        for a in range(node.nv):
            b.y[nv + node.v + a] += s.turn[t, a] - s.turned[t, a]
        if s.by_impulse[0] == 0:
            s.balance[t].trial_wrench += s.balance[t].surfaces
    return 0


@kernel
def store_balance(s):
    """Remembers what acted at the end of an accepted step."""
    for t in range(s.trees.size):
        s.balance[t].wrench, s.balance[t].mean = s.balance[t].trial_wrench, s.balance[t].trial_mean
