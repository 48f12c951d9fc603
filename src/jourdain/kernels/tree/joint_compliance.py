"""Compliance of joints from tables: the frame moves by compliance times the wrench of the sample before.

p = p(z) + c_j(z) s_j with the wrench s that the body put on the joint at the last sample, so that nothing is iterated
(Tobolar 2003, eqs. 2, 3 and 9). s is part of q and constant between samples. Rows of
`model.without_velocity` behind those of the paths: body, and where its wrench begins in q.
"""

from __future__ import annotations

from ..algebra import Wrench
from ..compiler import kernel, optional_kernel
from ..flat_arrays import put_value, wrench_at
from ..joints.tabled import table_pose
from .invariants import mechanical_energy
from .kinematics import kinematics
from .struts import strut_energy


@kernel
def mechanical(model, ws, q, v):
    """Kinetic and potential energy, and that of springs between markers: what a compliant frame changes [J]."""
    kinetic, potential = mechanical_energy(model, ws, v)
    return kinetic + potential + strut_energy(model, ws, q, v)


@optional_kernel("lagged")
def give_way(model, ws, q, v, z, share, taken):
    """Moves the wrench of each such joint by `share` towards the one that it transmits, after `transmitted`.

    The energy that bodies gain as their frames comply is booked as work; at the first sample of a run, before which
    `taken` is 0, it is that with which the run begins.
    """
    before = mechanical(model, ws, q, v)
    for n in range(model.paths.shape[0], model.without_velocity.shape[0]):
        i, s = model.without_velocity[n, 0], model.without_velocity[n, 1]
        R_MB, _ = table_pose(model, i, q, model.tree[i].q)
        R_WM = ws.bodies[i].R_WB @ R_MB.T
        # ws.bodies has the wrench of the carrier on the body; the joint feels the opposite
        f = ws.bodies[i].bias_force
        had, taken_now = wrench_at(q, s), Wrench(R_WM.T @ f.moment, R_WM.T @ f.force)
        put_value(q, s, had - share * (had + taken_now))
    kinematics(model, ws, q, v)
    if taken > 0.0:
        z[z.size - 2] += mechanical(model, ws, q, v) - before
