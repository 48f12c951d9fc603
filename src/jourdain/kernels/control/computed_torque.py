"""Feedback linearisation of joint coordinates with all others free, by hybrid dynamics of the control model, O(N).

Chen 1999, eqs. 5.1-5.5: Q_r = M v + F with M = M_rr - M_rf M_ff^-1 M_fr and F = F_r - M_rf M_ff^-1 F_f, which is what
the articulated recursion gives when the accelerations of the controlled entries are known.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..scalar import clip
from ..signatures import Vector
from .mapping import entry, gather, hybrid_efforts, number, reference

# head of p
(
    TORQUE_COUNT,
    TORQUE_Q,
    TORQUE_V,
    TORQUE_KP,
    TORQUE_KD,
    TORQUE_MOST,
    TORQUE_REFERENCE,
    TORQUE_NQ,
    TORQUE_NV,
    TORQUE_Q_MAP,
    TORQUE_Q_REST,
    TORQUE_V_MAP,
    TORQUE_CONTROLLED,
    TORQUE_CONTROLLED_Q,
) = range(14)
FREE_COUNT, FREE_Q, FREE_V = range(14, 17)
TORQUE_HEAD = 17


@kernel
def error_acceleration(p, i, q, v, x, rate):
    """Kv e' + Kp e of joint i, whose reference is x at `rate`."""
    e = x - q[entry(p, TORQUE_Q, i)]
    de = rate - v[entry(p, TORQUE_V, i)]
    return number(p, TORQUE_KD, i) * de + number(p, TORQUE_KP, i) * e


@kernel
def command(p, tau, effort):
    """Adds the efforts of the controlled entries to those of the plant, cut to their limits."""
    for i in range(int(p[TORQUE_COUNT])):
        limit = number(p, TORQUE_MOST, i)
        effort[entry(p, TORQUE_V, i)] += clip(tau[entry(p, TORQUE_CONTROLLED, i)], -limit, limit)


@entry_point
def computed_torque(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Quasi-closed loop: the model is evaluated where the plant is, its free coordinates too."""
    nq, nv = int(p[TORQUE_NQ]), int(p[TORQUE_NV])
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    gather(p, int(p[TORQUE_Q_MAP]), int(p[TORQUE_Q_REST]), int(p[TORQUE_V_MAP]), q, v, qc, vc)
    for k in range(nv):
        cws.known[k] = 0
    for i in range(int(p[TORQUE_COUNT])):
        k = entry(p, TORQUE_CONTROLLED, i)
        cws.known[k] = 1
        place, rate, wanted = reference(p, int(p[TORQUE_REFERENCE]), i, t)
        acceleration[k] = wanted + error_acceleration(p, i, q, v, place, rate)
    hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
    command(p, tau, effort)


@entry_point
def computed_torque_open(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Quasi-open loop: the model is evaluated along the reference, its free coordinates being what it predicts itself.

    They are states z = (q_f, v_f) of the controller, moved by the reference alone:
    q_f'' = -M_ff^-1 (M_fr q_d'' + F_f). Only errors of the controlled joints are measured, and weighed with M there.
    """
    nq, nv = int(p[TORQUE_NQ]), int(p[TORQUE_NV])
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    n, free = int(p[TORQUE_COUNT]), int(p[FREE_COUNT])
    for j in range(nq):
        qc[j] = number(p, TORQUE_Q_REST, j)
    for k in range(nv):
        cws.known[k] = 0
    for i in range(n):
        k = entry(p, TORQUE_CONTROLLED, i)
        cws.known[k] = 1
        qc[entry(p, TORQUE_CONTROLLED_Q, i)], vc[k], acceleration[k] = reference(p, int(p[TORQUE_REFERENCE]), i, t)
    for i in range(free):
        qc[entry(p, FREE_Q, i)] = z[i]
        vc[entry(p, FREE_V, i)] = z[free + i]
    for turn in range(2):  # the prediction, then the effort: one call site compiles once
        if turn == 1:
            for i in range(n):
                place, rate, wanted = reference(p, int(p[TORQUE_REFERENCE]), i, t)
                wanted += error_acceleration(p, i, q, v, place, rate)
                acceleration[entry(p, TORQUE_CONTROLLED, i)] = wanted
        hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
        if turn == 0:
            for i in range(free):
                dz[i] = z[free + i]
                dz[free + i] = acceleration[entry(p, FREE_V, i)]
    command(p, tau, effort)
