"""The right-hand side of a run: everything that acts on the tree, then its accelerations and the power bookkeeping."""

from __future__ import annotations

from .articulated import articulated_accelerations
from .compiler import gate
from .kinematics import kinematics
from .markers import apply_loads, clear_wrenches, marker_state
from .motions import prescribe
from .passive import passive_efforts


@gate
def no_law(model, t, q, v, z, s, p, ws, effort, dz):
    """The stage of a run without laws."""


@gate
def tree_rates(model, task, law, t, q, v, z, anchor, p, ws, acceleration, dz):
    """Accelerations and rates of the internal states.

    z holds the states of the laws, then the work done and the energy dissipated so far. Prescribed entries of
    q and v are overwritten with their profiles. ws.supplied is left with what controllers and motions supply.
    """
    prescribe(model, task, t, q, v, acceleration)
    kinematics(model, ws, q, v)
    clear_wrenches(ws)
    nv = v.size
    effort, supplied = ws.effort, ws.supplied
    for k in range(nv):
        effort[k] = 0.0
        supplied[k] = 0.0
    ws.power[0] = 0.0
    ws.power[1] = passive_efforts(model, q, v, anchor, effort)
    ws.power[0] += apply_loads(model, ws)
    for i in range(task.sensors.size):
        marker_state(model, ws, task.sensors[i], ws.sensed, 13 * i)
    law(model, t, q, v, z, ws.sensed, p, ws, supplied, dz)
    for k in range(nv):
        effort[k] += supplied[k]
    for i in range(task.motion_index.shape[0]):
        k = task.motion_index[i, 0]
        supplied[k] -= effort[k]
    articulated_accelerations(model, ws, effort, acceleration)
    for i in range(task.motion_index.shape[0]):
        k = task.motion_index[i, 0]
        supplied[k] += effort[k]
    for k in range(nv):
        ws.power[0] += supplied[k] * v[k]
    dz[dz.size - 2] = ws.power[0]
    dz[dz.size - 1] = ws.power[1]
