"""The right-hand side of a run: everything that acts on the tree, then its accelerations and the power bookkeeping."""

from __future__ import annotations

from ..bodies.body_dispatch import internal_dissipation, strain_energy
from ..compiler import entry_point, kernel
from ..flat_arrays import put_value
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import given
from ..signatures import Vector
from ..stage_functions import StageFunctions
from .articulated import articulated_accelerations
from .drives import limit_motors
from .invariants import frame_power, mechanical_energy
from .joint_springs import friction_energy, passive_efforts, passive_energy
from .kinematics import kinematics
from .markers import apply_loads, marker_state
from .motions import prescribe
from .newton_euler import newton_euler_efforts
from .struts import apply_struts, strut_energy
from .tree_rows import SENSES_MARKER


@kernel
def sense(model, ws, task, i, q, v):
    """Lays what sensor i feels into ws.sensed: 13 numbers of a marker, or 6 of a contact."""
    what = task.sensed_quantities[i]
    if what.kind == SENSES_MARKER:
        marker_state(model, ws, what.number, q, v, ws.sensed, what.first)
    else:
        result = ws.contact_wrenches[what.number]
        put_value(ws.sensed, what.first, result.force)
        put_value(ws.sensed, what.first + 3, result.torque)


@kernel
def begin_rates(model, task, stages, t, q, v, latched, ws, acceleration):
    """Motion of all bodies, energies where they are wanted, passive efforts, struts and constant loads."""
    prescribe(model, task, t, q, v, acceleration)
    ws.ledger.time = t
    if len(model.constraints) > 0 and given(stages.adjust):
        stages.adjust(model, task, t, q, v, ws)
    ws.flags.brief = not ws.flags.energies_wanted
    if not (given(stages.law) or given(stages.constrain) or given(stages.adjust)):
        ws.flags.bare = ws.flags.brief
    kinematics(model, ws, q, v)
    ws.flags.brief, ws.flags.bare = False, False
    begin_forces(model, q, v, latched, ws)


@kernel
def begin_forces(model, q, v, latched, ws):
    """Energies where they are wanted, passive efforts and constant loads, of bodies whose motion is known."""
    if ws.flags.energies_wanted:
        ws.ledger.kinetic, ws.ledger.gravity = mechanical_energy(model, ws, v)
    for k in range(v.size):
        ws.effort[k] = 0.0
        ws.supplied[k] = 0.0
    begin_efforts(model, q, v, latched, ws)


@kernel
def begin_efforts(model, q, v, latched, ws):
    """`begin_forces` where the kinetic energy and that of gravity are known, and efforts are zero."""
    if ws.flags.energies_wanted:
        ws.ledger.strain = passive_energy(model, q, latched) + strain_energy(model, q) + strut_energy(model, ws, q, v)
        ws.ledger.contact = 0.0
        ws.ledger.held = friction_energy(model, q, latched)
    ws.ledger.loss_rate = passive_efforts(model, q, v, latched, ws.effort) + internal_dissipation(model, q, v)
    ws.ledger.work_rate = apply_loads(model, ws, q, v)
    pulling, lost = apply_struts(model, ws, q, v)
    ws.ledger.work_rate += pulling
    ws.ledger.loss_rate += lost
    if model.gravity.size > 3:
        ws.ledger.work_rate += frame_power(model, ws, v)


@kernel
def supply(model, task, stages, t, q, v, z, p, ws, dz):
    """What laws supply, into ws.supplied, onto the efforts and into the ledger, after contacts have acted."""
    stages.law(model, task, t, q, v, z, p, ws, ws.supplied, dz)
    limit_motors(model, ws.known, ws.supplied)
    for k in range(v.size):
        ws.effort[k] += ws.supplied[k]
        if ws.known[k] == 0:
            ws.ledger.work_rate += ws.supplied[k] * v[k]


@kernel
def finish_rates(model, task, stages, t, q, v, ws, acceleration, dz):
    """Accelerations, the efforts that motions take, and the rates of the bookkeeping."""
    effort, supplied = ws.effort, ws.supplied
    for i in range(len(task.motions)):
        k = task.motions[i].v
        supplied[k] -= effort[k]
    articulated_accelerations(model, ws, effort, acceleration)
    end_rates(model, task, stages, t, q, v, ws, acceleration, dz)


@kernel
def end_rates(model, task, stages, t, q, v, ws, acceleration, dz):
    """`finish_rates` where the accelerations of the tree are known."""
    effort, supplied = ws.effort, ws.supplied
    if given(stages.constrain):
        stages.constrain(model, task, t, q, v, ws, effort, acceleration)
    for i in range(len(task.motions)):
        k = task.motions[i].v
        supplied[k] += effort[k]
        ws.ledger.work_rate += supplied[k] * v[k]
    dz[dz.size - 2] = ws.ledger.work_rate
    dz[dz.size - 1] = ws.ledger.loss_rate


@entry_point
def tree_rates(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, acceleration: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Accelerations and rates of the internal states, with contacts and laws.

    z holds the states of the contacts and of the laws, then the work done and the energy dissipated so far.
    Prescribed entries of q and v are overwritten with their profiles. ws.supplied is left with what controllers and
    motions supply, and ws.ledger with the powers and, where they are wanted, the energies.
    """
    begin_rates(model, task, stages, t, q, v, latched, ws, acceleration)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, dz)
    for i in range(len(task.sensed_quantities)):
        sense(model, ws, task, i, q, v)
    if given(stages.law):
        supply(model, task, stages, t, q, v, z, p, ws, dz)
    finish_rates(model, task, stages, t, q, v, ws, acceleration, dz)


@entry_point
def transmitted(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, acceleration: Vector, dz: Vector,
) -> None:  # fmt: skip
    """After the rates: what each joint transmits, ws.bodies[i].bias_force.

    That is the wrench (moment about the origin of body i, force) of its carrier on body i, world axes: all inertia
    forces outboard less all that is applied there.
    """
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, dz)
    for k in range(v.size):
        ws.effort[k] = ws.supplied[k]
    stages.law(model, task, t, q, v, z, p, ws, ws.effort, dz)
    if given(stages.act):
        stages.act(model, q, v, ws)
    newton_euler_efforts(model, ws, acceleration, ws.effort)
