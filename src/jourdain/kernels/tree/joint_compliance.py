"""Compliance of joints from tables: the frame moves by compliance times the wrench of the sample before.

p = p(z) + c_j(z) s_j with the wrench s that the body put on the joint at the last sample, so that nothing is iterated
(Tobolar 2003, eqs. 2, 3 and 9). s is part of q and constant between samples. Rows of `model.loose` behind those of the
paths: body, and where its wrench begins in q.
"""

from __future__ import annotations

from ..columns import FORCE, ROT, Q
from ..compiler import kernel, optional_kernel
from ..joints.tabled import table_pose
from ..spatial import mat, matmul, rotate_back, transpose, vec
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
    for n in range(model.paths.shape[0], model.loose.shape[0]):
        i, s = model.loose[n, 0], model.loose[n, 1]
        R_MB, _ = table_pose(model, i, q, model.table[i, Q])
        R_WM = matmul(mat(ws.work, i, ROT), transpose(R_MB))
        # ws.work has the wrench of the carrier on the body; the joint feels the opposite
        moment, force = rotate_back(R_WM, vec(ws.work, i, FORCE)), rotate_back(R_WM, vec(ws.work, i, FORCE + 3))
        for c in range(3):
            q[s + c] -= share * (q[s + c] + moment[c])
            q[s + 3 + c] -= share * (q[s + 3 + c] + force[c])
    kinematics(model, ws, q, v)
    if taken > 0.0:
        z[z.size - 2] += mechanical(model, ws, q, v) - before
