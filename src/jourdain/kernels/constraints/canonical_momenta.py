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

from ..bodies.body_dispatch import internal_forces_at, own_inertia
from ..columns import (
    ACC,
    ARM,
    ART_J,
    DOFS,
    EV,
    FORCE,
    JOINT,
    JW,
    MASS,
    MC,
    OMEGA,
    PARENT,
    SIDE,
    VEL,
    D,
    N,
    S,
    V,
)
from ..compiler import complex_entry_point, entry_point, kernel, optional_kernel
from ..flat_arrays import put
from ..joints.plugin_joints import MODULES, has_own_columns, keeps_velocity
from ..kind_dispatch import chain
from ..kind_registry import PLANAR, UNIVERSAL
from ..linalg.cholesky import method_scratch
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import given
from ..signatures import Vector
from ..spatial import accumulate3, add, cross, dot, put3, scale, sub, sym, sym_times, vec
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
from .constraint_layout import KEEP_MOVED

MOMENTUM = ART_J  # of a body and all that hangs on it: angular about its origin, linear
WRENCH = ART_J + 6  # what acts on them: moment about its origin, force
INERTIAL = ART_J + 12  # the part of FORCE that is not applied

# the method's own part of Workspace.solve, nv numbers each
MOMENTA_KEEP = 0  # weight times momentum, less velocity, at the last accepted state
MOMENTA_WEIGHT = 1  # a momentum is integrated times this, so that a tolerance is one of velocities [1/kg, 1/(kg m^2)]
MOMENTA = 2  # p
MOMENTA_TURN = 3  # (dA/dt)^T mu of constraints (`momenta_linked`), zero of a tree
MOMENTA_SHARES = 4


@optional_kernel("flexible")
def unload_internal(model, ws, i):
    """No force on the internal coordinates of body i."""
    be = internal_forces_at(model, i)
    for k in range(model.table[i, N]):
        put(ws.flex, be + k, 0.0 * ws.flex[0])


@kernel
def unload(model, ws):
    """Nothing acts on the tree and nothing accelerates the world, after `kinematics` at rest."""
    zero = 0.0 * ws.work[0, 0]
    none = (zero, zero, zero)
    put3(ws.work, 0, ACC, none)
    put3(ws.work, 0, ACC + 3, none)
    for i in range(1, model.table.shape[0]):
        put3(ws.work, i, FORCE, none)
        put3(ws.work, i, FORCE + 3, none)
        if model.table[i, N] > 0:
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
    for i in range(1, model.table.shape[0]):
        if model.table[i, N] > 0 or has_own_columns(model.table[i, JOINT]):
            return True
    return False


@kernel
def mark_by_velocity(model, known, mark):
    """Adds `mark` to `known` in the entries that keep their velocities."""
    for i in range(1, model.table.shape[0]):
        for k in range(model.table[i, EV], model.table[i, EV] + model.table[i, N]):
            known[k] += mark
        if keeps_velocity(model.table[i, JOINT]):
            for k in range(model.table[i, V], model.table[i, V] + model.table[i, DOFS]):
                known[k] += mark


@kernel
def velocities_of(model, ws, q, p, v):
    """v = M^-1 p; entries with ws.known or `by_velocity` keep the velocity they have, and p gets their momenta.

    The velocities of the bodies are left in ws.work[:, ACC].
    """
    stand_still(model, ws, q)
    mark_by_velocity(model, ws.known, 2)
    articulated_accelerations(model, ws, p, v)
    mark_by_velocity(model, ws.known, -2)


@kernel
def take_velocities(model, ws):
    """After `velocities_of` in a rigid tree: what `kinematics` would leave, but for velocity products."""
    work = ws.work
    zero = 0.0 * work[0, 0]
    put3(work, 0, ACC + 3, (-model.gravity[0], -model.gravity[1], -model.gravity[2]))
    for i in range(1, model.table.shape[0]):
        put3(work, i, OMEGA, vec(work, i, ACC))
        put3(work, i, VEL, vec(work, i, ACC + 3))
        put3(work, i, FORCE, (zero, zero, zero))
        put3(work, i, FORCE + 3, (zero, zero, zero))


@kernel
def keep_inertial(model, ws):
    """Remembers the part of FORCE that is inertia, before anything is applied."""
    for i in range(1, model.table.shape[0]):
        put3(ws.work, i, INERTIAL, vec(ws.work, i, FORCE))
        put3(ws.work, i, INERTIAL + 3, vec(ws.work, i, FORCE + 3))


@kernel
def known_rate(model, ws, i, k, v):
    """dS_k/dt of an entry of the joint of body i (angular, linear).

    Columns turn with the body, but for those that its carrier holds: x and y of a planar joint, and the first axis of
    a universal one.
    """
    omega = vec(ws.work, i, OMEGA)
    first = model.table[i, V]
    if model.table[i, JOINT] == PLANAR and k < first + 2:
        omega = sub(omega, scale(v[first + 2], vec(ws.dof, first + 2, S)))
    elif model.table[i, JOINT] == UNIVERSAL and k == first:
        omega = sub(omega, scale(v[first + 1], vec(ws.dof, first + 1, S)))
    return cross(omega, vec(ws.dof, k, S)), cross(omega, vec(ws.dof, k, S + 3))


column_rate = chain(
    "column_rate", "rate", "model, ws, i, k, v", f"model.table[i, {JOINT}]", MODULES, known_rate, __name__
)


@kernel
def momentum_sweep(model, ws, v, effort, out):
    """Rates of the momenta of joints under `effort` and all that is applied, inward (see the head of the file)."""
    table, work, dof = model.table, ws.work, ws.dof
    g = (model.gravity[0], model.gravity[1], model.gravity[2])
    nb = table.shape[0]
    for i in range(1, nb):
        c, m = vec(work, i, MC), model.data[i, MASS]
        omega, velocity = vec(work, i, OMEGA), vec(work, i, VEL)
        angular = add(sym_times(sym(work, i, JW), omega), cross(c, velocity))
        linear = add(scale(m, velocity), cross(omega, c))
        if table[i, N] > 0:
            h = internal_momentum(model, ws, i, v)
            angular, linear = add(angular, h.moment), add(linear, h.force)
        put3(work, i, MOMENTUM, angular)
        put3(work, i, MOMENTUM + 3, linear)
        put3(work, i, WRENCH, add(sub(vec(work, i, INERTIAL), vec(work, i, FORCE)), cross(c, g)))
        put3(work, i, WRENCH + 3, add(sub(vec(work, i, INERTIAL + 3), vec(work, i, FORCE + 3)), scale(m, g)))
    for i in range(nb - 1, 0, -1):
        angular, linear = vec(work, i, MOMENTUM), vec(work, i, MOMENTUM + 3)
        moment, force = vec(work, i, WRENCH), vec(work, i, WRENCH + 3)
        turned = sub(moment, cross(vec(work, i, VEL), linear))
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            s, l = column_rate(model, ws, i, k, v)
            out[k] = (
                effort[k]
                + dot(vec(dof, k, S), turned)
                + dot(vec(dof, k, S + 3), force)
                + dot(s, angular)
                + dot(l, linear)
            )
        p = table[i, PARENT]
        if p > 0:
            r = vec(work, i, ARM)
            accumulate3(work, p, MOMENTUM, add(angular, cross(r, linear)))
            accumulate3(work, p, MOMENTUM + 3, linear)
            accumulate3(work, p, WRENCH, add(moment, cross(r, force)))
            accumulate3(work, p, WRENCH + 3, force)


@kernel
def clear_sides(model, ws):
    """What articulated inertias expect where they add up: nothing."""
    for i in range(1, model.table.shape[0]):
        if model.table[i, SIDE] == 1:
            for c in range(ART_J, FORCE):
                ws.work[i, c] = 0.0


@kernel
def weigh(model, ws, weight):
    """Inverse inertias that the entries feel, after `velocities_of`; one where a velocity is kept."""
    table = model.table
    for k in range(weight.size):
        weight[k] = 1.0
    for i in range(1, table.shape[0]):
        if keeps_velocity(table[i, JOINT]):
            continue
        lone = is_lone(model.tree, ws.known, i)
        I = own_inertia(model, ws, i)
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            if lone:
                weight[k] = 1.0 / (ws.dofs[k].S @ (I @ ws.dofs[k].S))
            elif ws.known[k] == 0:
                weight[k] = ws.dof[k, D]


@kernel
def read_momenta(model, v, ws):
    """Momenta from what a stage holds of v: velocity + weight (momentum - momentum at the start of its step)."""
    nv = v.size
    at = method_scratch(model, ws)
    mark_by_velocity(model, ws.known, 2)
    for k in range(nv):
        if ws.known[k] == 0:
            ws.solve[at + 2 * nv + k] = (v[k] + ws.solve[at + k]) / ws.solve[at + nv + k]
    mark_by_velocity(model, ws.known, -2)


@kernel
def momenta_held(model, q, v, ws):
    """From what a stage holds of v to momenta and velocities; v is that of a new state unless ws.flags.cached is 1."""
    nv = v.size
    at = method_scratch(model, ws)
    p = ws.solve[at + 2 * nv : at + 3 * nv]
    if ws.flags.cached <= 0:
        momenta_of(model, ws, q, v, p)
        velocities_of(model, ws, q, p, v)
        weigh(model, ws, ws.solve[at + nv : at + 2 * nv])
        keep_momenta(model, v, ws)
        return
    read_momenta(model, v, ws)
    velocities_of(model, ws, q, p, v)


@kernel
def keep_momenta(model, v, ws):
    """Remembers what velocities and momenta differ by at a state that steps begin from."""
    nv = v.size
    at = method_scratch(model, ws)
    mark_by_velocity(model, ws.known, 2)
    for k in range(nv):
        kept = ws.known[k] != 0
        ws.solve[at + k] = 0.0 if kept else ws.solve[at + nv + k] * ws.solve[at + 2 * nv + k] - v[k]
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
    accelerated = task.motion_index.shape[0] > 0 or by_velocity(model) or task.constraining[KEEP_MOVED] != 0.0
    if accelerated or model.constraint_index.shape[0] > 0:
        kinematics(model, ws, q, v)
    else:
        take_velocities(model, ws)
    keep_inertial(model, ws)
    # forces: springs and loads, contacts, then laws with what they sense
    begin_forces(model, q, v, latched, ws)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, dz)
    for i in range(task.sensors.shape[0]):
        sense(model, ws, task, i, q, v)
    if given(stages.law):
        supply(model, task, stages, t, q, v, z, p, ws, dz)
    # rates of the canonical momenta, inward (Lefeber et al. 2002)
    at = method_scratch(model, ws)
    weight, rate = ws.solve[at + nv : at + 2 * nv], ws.solve[at + 2 * nv : at + 3 * nv]
    momentum_sweep(model, ws, v, ws.effort, rate)
    # given motions: what their efforts and multipliers add, and the work they do
    if accelerated:
        for i in range(task.motion_index.shape[0]):
            k = task.motion_index[i, 0]
            ws.supplied[k] -= ws.effort[k]
        clear_sides(model, ws)
        articulated_accelerations(model, ws, ws.effort, acceleration)
        if given(stages.constrain):
            stages.constrain(model, task, t, q, v, ws, ws.effort, acceleration)
        for i in range(task.motion_index.shape[0]):
            k = task.motion_index[i, 0]
            ws.supplied[k] += ws.effort[k]
            ws.ledger.work_rate += ws.supplied[k] * v[k]
    # entries kept by momenta get p' less what their column's own turning takes
    mark_by_velocity(model, ws.known, 2)
    for k in range(nv):
        if ws.known[k] == 0:
            acceleration[k] = weight[k] * (rate[k] - ws.solve[at + MOMENTA_TURN * nv + k])
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
