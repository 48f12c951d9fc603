"""Hamilton's equations in canonical momenta, O(N): Lefeber, Naudet, Terze & Daerden, NATO ASI 2002, and for all joints.

p = M v, entry k being the motion S_k of its joint times the momentum P* = (angular about the joint's body, linear) of
all that hangs on it: p_k = S_k . P*. What changes P* is what acts outboard, W*, so that

    dp_k/dt = effort_k + S_k . W* - s_k . (v_O x L*) + dS_k/dt . P*,

L* the linear part of P*, v_O the velocity of the body's origin (their eq. 16; dS/dt and quasi-velocities are ours).
No acceleration occurs. The velocities of momenta are the accelerations of the same tree at rest, with p for efforts
(their eq. 20 to 23), so that articulated inertias serve both.

The inertia of internal coordinates depends on them in a way that only their bodies know, and so do the columns of a
rail on a body that deforms. Those entries keep their velocities in the place of momenta, as Routh's variables do, and
take accelerations; see `by_velocity`.
"""

from __future__ import annotations

from ..algebra import Motion, Wrench, cross, shift_back
from ..bodies.body_dispatch import internal_forces_at, own_inertia
from ..compiler import complex_entry_point, entry_point, kernel, optional_kernel
from ..flat_arrays import put
from ..joints.plugin_joints import MODULES, has_own_columns, keeps_velocity
from ..kind_dispatch import chain
from ..kind_registry import PLANAR, UNIVERSAL
from ..linalg.cholesky import method_scratch
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import given
from ..signatures import Vector
from ..stage_functions import StageFunctions
from ..tree.articulated import articulated_accelerations, is_lone
from ..tree.flexible import internal_momentum
from ..tree.joint_springs import passive_efforts
from ..tree.kinematics import kinematics
from ..tree.markers import apply_loads
from ..tree.motions import prescribe
from ..tree.newton_euler import newton_euler_efforts
from ..tree.right_hand_side import begin_forces, sense, supply
from ..tree.struts import apply_struts

OWN_VECTORS = 4
"""Of the method in Workspace.solve, `own_vectors`."""


@kernel
def own_vectors(model, ws):
    """(offset, weight, p, turn), (nv,) each: p are the momenta, which are integrated times a weight, so that a
    tolerance is one of velocities [1/kg, 1/(kg m^2)]; offset is weight times momentum, less velocity, at the last
    accepted state; turn is (dA/dt)^T mu of constraints (`constrained_momenta`), zero of a tree."""
    solve, at, nv = ws.solve, method_scratch(model, ws), ws.known.size
    return (
        solve[at : at + nv],
        solve[at + nv : at + 2 * nv],
        solve[at + 2 * nv : at + 3 * nv],
        solve[at + 3 * nv : at + 4 * nv],
    )


@optional_kernel("flexible")
def unload_internal(model, ws, i):
    """No force on the internal coordinates of body i."""
    be = internal_forces_at(model, i)
    for k in range(model.tree[i].ne):
        put(ws.flex, be + k, 0.0 * ws.flex[0])


@kernel
def unload(model, ws):
    """Nothing acts on the tree and nothing accelerates the world, after `kinematics` at rest."""
    ws.bodies[0].acceleration = ws.bodies[0].acceleration.zero
    for i in range(1, len(model.tree)):
        ws.bodies[i].bias_force = ws.bodies[i].bias_force.zero
        if model.tree[i].ne > 0:
            unload_internal(model, ws, i)


@kernel
def stand_still(model, ws, q):
    """The inertias of the tree at q, with nothing that moves or acts: its dynamics is its mass matrix alone."""
    for k in range(ws.effort.size):
        ws.effort[k] = 0.0
    kinematics(model, ws, q, ws.effort)
    unload(model, ws)


@kernel
def momenta_of(model, ws, q, v, p):
    """p = M v."""
    stand_still(model, ws, q)
    newton_euler_efforts(model, ws, v, p)


@kernel
def by_velocity(model):
    """Whether some entries keep their velocities: internal coordinates, rails on bodies that have some, tables."""
    for i in range(1, len(model.tree)):
        if model.tree[i].ne > 0 or has_own_columns(model.tree[i].joint):
            return True
    return False


@kernel
def mark_by_velocity(model, known, mark):
    """Adds `mark` to `known` in the entries that keep their velocities."""
    for i in range(1, len(model.tree)):
        node = model.tree[i]
        for k in range(node.ev, node.ev + node.ne):
            known[k] += mark
        if keeps_velocity(node.joint):
            for k in range(node.v, node.v + node.nv):
                known[k] += mark


@kernel
def velocities_of(model, ws, q, p, v):
    """v = M^-1 p; entries with ws.known or `by_velocity` keep the velocity they have, and p gets their momenta.

    The velocities of the bodies are left where their accelerations are else.
    """
    stand_still(model, ws, q)
    mark_by_velocity(model, ws.known, 2)
    articulated_accelerations(model, ws, p, v)
    mark_by_velocity(model, ws.known, -2)


@kernel
def take_velocities(model, ws):
    """After `velocities_of` in a rigid tree: what `kinematics` would leave, but for velocity products."""
    ws.bodies[0].acceleration = Motion(ws.bodies[0].acceleration.angular, -model.orbit.gravity)
    for i in range(1, len(model.tree)):
        body = ws.bodies[i]
        V = body.acceleration
        body.omega, body.velocity, body.bias_force = V.angular, V.linear, body.bias_force.zero


@kernel
def keep_inertial(model, ws):
    """Remembers the part of the bias force that is inertia, before anything is applied."""
    for i in range(1, len(model.tree)):
        ws.bodies[i].inertial = ws.bodies[i].bias_force


@kernel
def known_rate(model, ws, i, k, v):
    """dS_k/dt of an entry of the joint of body i.

    Columns turn with the body, but for those that its carrier holds: x and y of a planar joint, and the first axis of
    a universal one.
    """
    node, omega, S = model.tree[i], ws.bodies[i].omega, ws.dofs[k].S
    first = node.v
    if node.joint == PLANAR and k < first + 2:
        omega -= v[first + 2] * ws.dofs[first + 2].S.angular
    elif node.joint == UNIVERSAL and k == first:
        omega -= v[first + 1] * ws.dofs[first + 1].S.angular
    return Motion(cross(omega, S.angular), cross(omega, S.linear))


column_rate = chain("column_rate", "rate", "model, ws, i, k, v", "model.tree[i].joint", MODULES, known_rate, __name__)


@kernel
def momentum_sweep(model, ws, v, effort, out):
    """Rates of the momenta of joints under `effort` and all that is applied, inward (see the head of the file)."""
    tree, g = model.tree, model.orbit.gravity
    for i in range(1, len(tree)):
        body, c, m = ws.bodies[i], ws.bodies[i].first_moment, model.bodies[i].mass
        omega, velocity = body.omega, body.velocity
        momentum = Wrench(body.inertia @ omega + cross(c, velocity), m * velocity + cross(omega, c))
        if tree[i].ne > 0:
            momentum += internal_momentum(model, ws, i, v)
        body.momentum = momentum
        body.load = body.inertial - body.bias_force + Wrench(cross(c, g), m * g)
    for i in range(len(tree) - 1, 0, -1):
        node, body = tree[i], ws.bodies[i]
        P, f = body.momentum, body.load
        turned = f.moment - cross(body.velocity, P.force)
        for k in range(node.v, node.v + node.nv):
            S, dS = ws.dofs[k].S, column_rate(model, ws, i, k, v)
            out[k] = effort[k] + S.angular @ turned + S.linear @ f.force + dS.angular @ P.moment + dS.linear @ P.force
        if node.parent > 0:
            carrier = ws.bodies[node.parent]
            carrier.momentum += shift_back(P, body.p_PB)
            carrier.load += shift_back(f, body.p_PB)


@kernel
def clear_sides(model, ws):
    """What articulated inertias expect where they add up: nothing."""
    for i in range(1, len(model.tree)):
        if model.tree[i].branches:
            ws.bodies[i].articulated = ws.bodies[i].articulated.zero


@kernel
def weigh(model, ws, weight):
    """Inverse inertias that the entries feel, after `velocities_of`; one where a velocity is kept."""
    for k in range(weight.size):
        weight[k] = 1.0
    for i in range(1, len(model.tree)):
        node = model.tree[i]
        if keeps_velocity(node.joint):
            continue
        lone = is_lone(model.tree, ws.known, i)
        I = own_inertia(model, ws, i)
        for k in range(node.v, node.v + node.nv):
            if lone:
                weight[k] = 1.0 / (ws.dofs[k].S @ (I @ ws.dofs[k].S))
            elif ws.known[k] == 0:
                weight[k] = ws.dofs[k].D


@kernel
def read_momenta(model, v, ws):
    """Momenta from what a stage holds of v: velocity + weight (momentum - momentum at the start of its step)."""
    offset, weight, p, _ = own_vectors(model, ws)
    mark_by_velocity(model, ws.known, 2)
    for k in range(v.size):
        if ws.known[k] == 0:
            p[k] = (v[k] + offset[k]) / weight[k]
    mark_by_velocity(model, ws.known, -2)


@kernel
def momenta_held(model, q, v, ws):
    """From what a stage holds of v to momenta and velocities; v is that of a new state unless ws.flags.cached is 1."""
    _, weight, p, _ = own_vectors(model, ws)
    if ws.flags.cached <= 0:
        momenta_of(model, ws, q, v, p)
        velocities_of(model, ws, q, p, v)
        weigh(model, ws, weight)
        keep_momenta(model, v, ws)
        return
    read_momenta(model, v, ws)
    velocities_of(model, ws, q, p, v)


@kernel
def keep_momenta(model, v, ws):
    """Remembers what velocities and momenta differ by at a state that steps begin from."""
    offset, weight, p, _ = own_vectors(model, ws)
    mark_by_velocity(model, ws.known, 2)
    for k in range(v.size):
        offset[k] = 0.0 if ws.known[k] != 0 else weight[k] * p[k] - v[k]
    mark_by_velocity(model, ws.known, -2)
    ws.flags.cached = 1


@entry_point
def adjust_momenta(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` of a run in momenta: velocities in the place of what a stage holds."""
    momenta_held(model, q, v, ws)


@entry_point
def settle_momenta(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """`StageFunctions.settle` of a run in momenta."""
    momenta_held(model, q, v, ws)
    keep_momenta(model, v, ws)
    return 0


@entry_point
def momentum_rates(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, acceleration: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`right_hand_side.tree_rates` of a run in momenta: `acceleration` gets their rates, times their weights.

    v comes as the stage holds it and goes as velocities. Accelerations are solved for only where a motion is given,
    whose effort or work they make, or where internal coordinates are.
    """
    nv = v.size
    prescribe(model, task, t, q, v, acceleration)
    ws.ledger.time = t
    stages.adjust(model, task, t, q, v, ws)
    # accelerations are needed only where motions, velocities or rows take them as given
    accelerated = len(task.motions) > 0 or by_velocity(model) or task.stabilization.rheonomic
    if accelerated or len(model.constraints) > 0:
        kinematics(model, ws, q, v)
    else:
        take_velocities(model, ws)
    keep_inertial(model, ws)
    # forces: springs and loads, contacts, then laws with what they sense
    begin_forces(model, q, v, latched, ws)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, dz)
    for i in range(len(task.sensed_quantities)):
        sense(model, ws, task, i, q, v)
    if given(stages.law):
        supply(model, task, stages, t, q, v, z, p, ws, dz)
    # rates of the canonical momenta, inward (Lefeber et al. 2002)
    _, weight, rate, turn = own_vectors(model, ws)
    momentum_sweep(model, ws, v, ws.effort, rate)
    # given motions: what their efforts and multipliers add, and the work they do
    if accelerated:
        for i in range(len(task.motions)):
            k = task.motions[i].v
            ws.supplied[k] -= ws.effort[k]
        clear_sides(model, ws)
        articulated_accelerations(model, ws, ws.effort, acceleration)
        if given(stages.constrain):
            stages.constrain(model, task, t, q, v, ws, ws.effort, acceleration)
        for i in range(len(task.motions)):
            k = task.motions[i].v
            ws.supplied[k] += ws.effort[k]
            ws.ledger.work_rate += ws.supplied[k] * v[k]
    # entries kept by momenta get p' less what their column's own turning takes
    mark_by_velocity(model, ws.known, 2)
    for k in range(nv):
        if ws.known[k] == 0:
            acceleration[k] = weight[k] * (rate[k] - turn[k])
    mark_by_velocity(model, ws.known, -2)
    dz[dz.size - 2] = ws.ledger.work_rate
    dz[dz.size - 1] = ws.ledger.loss_rate


@complex_entry_point
def momenta(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, p: Vector) -> None:
    """p = M v (nv,)."""
    momenta_of(model, ws, q, v, p)


@entry_point
def velocities(model: ModelArrays, ws: Workspace, q: Vector, p: Vector, v: Vector) -> None:
    """v = M^-1 p (nv,) of all entries, internal coordinates included."""
    stand_still(model, ws, q)
    articulated_accelerations(model, ws, p, v)


@entry_point
def begin_momentum_rates(model: ModelArrays, ws: Workspace, q: Vector, v: Vector) -> None:
    """Motion of all bodies at (q, v), constant loads and struts applied; wrenches may then be added."""
    kinematics(model, ws, q, v)
    keep_inertial(model, ws)
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)


@entry_point
def finish_momentum_rates(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, effort: Vector, latched: Vector, out: Vector
) -> None:
    """Rates of the momenta of joints under `effort` and what acts since `begin_momentum_rates`."""
    for k in range(v.size):
        ws.effort[k] = effort[k]
    passive_efforts(model, q, v, latched, ws.effort)
    momentum_sweep(model, ws, v, ws.effort, out)
