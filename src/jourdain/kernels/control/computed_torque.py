"""Feedback linearisation of joint coordinates with all others free, by hybrid dynamics of the control model, O(N).

Chen 1999, eqs. 5.1-5.5: Q_r = M v + F with M = M_rr - M_rf M_ff^-1 M_fr and F = F_r - M_rf M_ff^-1 F_f, which is what
the articulated recursion gives when the accelerations of the controlled entries are known.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block
from ..scalar import clip
from ..signatures import Vector
from .mapping import FollowingJoints, gather, hybrid_efforts, reference


class TorqueParameters(FollowingJoints):
    """Kp [1/s^2] and Kv [1/s] are kp and kd; entries of the control model that are free, of the quasi-open loop."""

    free_q: Block[int]
    free_v: Block[int]


@kernel
def error_acceleration(law, i, q, v, x, rate):
    """Kv e' + Kp e of joint i, whose reference is x at `rate`."""
    e = x - q[law.q[i]]
    de = rate - v[law.v[i]]
    return law.kd[i] * de + law.kp[i] * e


@kernel
def command(law, tau, effort):
    """Adds the efforts of the controlled entries to those of the plant, cut to their limits."""
    for i in range(len(law.v)):
        limit = law.limit[i]
        effort[law.v[i]] += clip(tau[law.controlled[i]], -limit, limit)


@entry_point
def computed_torque(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Quasi-closed loop: the model is evaluated where the plant is, its free coordinates too."""
    law = TorqueParameters(p)
    nq, nv = len(law.q_map), len(law.v_map)
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    gather(law, q, v, qc, vc)
    for k in range(nv):
        cws.known[k] = 0
    for i in range(len(law.controlled)):
        k = law.controlled[i]
        cws.known[k] = 1
        place, rate, wanted = reference(law.reference[i], t)
        acceleration[k] = wanted + error_acceleration(law, i, q, v, place, rate)
    hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
    command(law, tau, effort)


@entry_point
def computed_torque_open(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Quasi-open loop: the model is evaluated along the reference, its free coordinates being what it predicts itself.

    They are states z = (q_f, v_f) of the controller, moved by the reference alone:
    q_f'' = -M_ff^-1 (M_fr q_d'' + F_f). Only errors of the controlled joints are measured, and weighed with M there.
    """
    law = TorqueParameters(p)
    nq, nv = len(law.q_map), len(law.v_map)
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    n, free = len(law.controlled), len(law.free_v)
    for j in range(nq):
        qc[j] = law.q_rest[j]
    for k in range(nv):
        cws.known[k] = 0
    for i in range(n):
        k = law.controlled[i]
        cws.known[k] = 1
        qc[law.controlled_q[i]], vc[k], acceleration[k] = reference(law.reference[i], t)
    for i in range(free):
        qc[law.free_q[i]] = z[i]
        vc[law.free_v[i]] = z[free + i]
    for turn in range(2):  # the prediction, then the effort: one call site compiles once
        if turn == 1:
            for i in range(n):
                place, rate, wanted = reference(law.reference[i], t)
                wanted += error_acceleration(law, i, q, v, place, rate)
                acceleration[law.controlled[i]] = wanted
        hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
        if turn == 0:
            for i in range(free):
                dz[i] = z[free + i]
                dz[free + i] = acceleration[law.free_v[i]]
    command(law, tau, effort)
