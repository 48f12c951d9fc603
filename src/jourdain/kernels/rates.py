"""The right-hand side of a run: everything that acts on the tree, then its accelerations and the power bookkeeping."""

from __future__ import annotations

from .articulated import articulated_accelerations
from .bodies import internal_dissipation, strain_energy
from .compiler import gate, kernel
from .drives import limit_motors
from .invariants import mechanical_energy
from .kinematics import kinematics
from .layout import CONTACT, GRAVITY, HELD, KINETIC, LOSS_RATE, STRAIN, WANTED, WORK_RATE
from .markers import apply_loads, marker_state
from .motions import prescribe
from .passive import friction_energy, passive_efforts, passive_energy


@gate
def no_law(model, t, q, v, z, s, p, ws, effort, dz):
    """The stage of a run without laws."""


@kernel
def begin_rates(model, task, t, q, v, anchor, ws, acceleration):
    """Motion of all bodies, energies where they are wanted, passive efforts and constant loads."""
    prescribe(model, task, t, q, v, acceleration)
    kinematics(model, ws, q, v)
    if ws.books[WANTED] == 1.0:
        ws.books[KINETIC], ws.books[GRAVITY] = mechanical_energy(model, ws, v)
        ws.books[STRAIN] = passive_energy(model, q, anchor) + strain_energy(model, q)
        ws.books[CONTACT] = 0.0
        ws.books[HELD] = friction_energy(model, q, anchor)
    for k in range(v.size):
        ws.effort[k] = 0.0
        ws.supplied[k] = 0.0
    ws.books[LOSS_RATE] = passive_efforts(model, q, v, anchor, ws.effort) + internal_dissipation(model, v)
    ws.books[WORK_RATE] = apply_loads(model, ws, q, v)


@kernel
def finish_rates(model, task, v, ws, acceleration, dz):
    """Accelerations, the efforts that motions take, and the rates of the bookkeeping."""
    effort, supplied = ws.effort, ws.supplied
    for i in range(task.motion_index.shape[0]):
        k = task.motion_index[i, 0]
        supplied[k] -= effort[k]
    articulated_accelerations(model, ws, effort, acceleration)
    for i in range(task.motion_index.shape[0]):
        k = task.motion_index[i, 0]
        supplied[k] += effort[k]
        ws.books[WORK_RATE] += supplied[k] * v[k]
    dz[dz.size - 2] = ws.books[WORK_RATE]
    dz[dz.size - 1] = ws.books[LOSS_RATE]


@gate
def tree_rates(model, task, law, t, q, v, z, anchor, p, ws, acceleration, dz):
    """Accelerations and rates of the internal states, with laws.

    z holds the states of the laws, then the work done and the energy dissipated so far. Prescribed entries of
    q and v are overwritten with their profiles. ws.supplied is left with what controllers and motions supply, and
    ws.books with the powers and, where they are wanted, the energies.
    """
    begin_rates(model, task, t, q, v, anchor, ws, acceleration)
    for i in range(task.sensors.size):
        marker_state(model, ws, task.sensors[i], q, v, ws.sensed, 13 * i)
    law(model, t, q, v, z, ws.sensed, p, ws, ws.supplied, dz)
    limit_motors(model, ws.known, ws.supplied)
    for k in range(v.size):
        ws.effort[k] += ws.supplied[k]
        if ws.known[k] == 0:
            ws.books[WORK_RATE] += ws.supplied[k] * v[k]
    finish_rates(model, task, v, ws, acceleration, dz)


@gate
def lawless_rates(model, task, law, t, q, v, z, anchor, p, ws, acceleration, dz):
    """`tree_rates` of a run without laws: a call saved, which a small model feels."""
    begin_rates(model, task, t, q, v, anchor, ws, acceleration)
    finish_rates(model, task, v, ws, acceleration, dz)
