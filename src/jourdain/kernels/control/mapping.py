"""From the plant's coordinates to those of a control model, and the control model's own dynamics there.

A law lays its numbers into p as a head, one entry a word, and blocks behind it: a head entry is a number or the place
where a block begins. Indices are kept as floats.
"""

from __future__ import annotations

from ..compiler import kernel
from ..tree.articulated import articulated_accelerations
from ..tree.joint_springs import passive_efforts
from ..tree.kinematics import kinematics
from ..tree.markers import apply_loads
from ..tree.motions import profile
from ..tree.newton_euler import newton_euler_efforts
from ..tree.struts import apply_struts


@kernel
def number(p, what, i):
    """Number i of one of the lists in p: `p[what]` says where it begins."""
    return p[int(p[what]) + i]


@kernel
def entry(p, what, i):
    """The same for a list of entries of q or v."""
    return int(p[int(p[what]) + i])


@kernel
def reference(p, table, i, t):
    """(value, rate, acceleration) of the i-th profile; p[table + 2 i] is its code, the next where its numbers begin."""
    return profile(int(p[table + 2 * i]), p, int(p[table + 2 * i + 1]), t)


@kernel
def gather(p, q_map, q_rest, v_map, q, v, qc, vc):
    """Coordinates of the control model: the plant's where it knows them, else at rest (index -1)."""
    for j in range(qc.size):
        k = int(p[q_map + j])
        qc[j] = q[k] if k >= 0 else p[q_rest + j]
    for j in range(vc.size):
        k = int(p[v_map + j])
        vc[j] = v[k] if k >= 0 else 0.0


@kernel
def hybrid_efforts(control, cws, q, v, acceleration, effort, passive):
    """Efforts of the entries with cws.known that give them their accelerations, and accelerations of the free ones.

    Springs, dampers, struts, gravity and constant loads of the control model act; friction does not.
    """
    kinematics(control, cws, q, v)
    apply_loads(control, cws, q, v)
    apply_struts(control, cws, q, v)
    for k in range(v.size):
        effort[k] = 0.0
    passive_efforts(control, q, v, q[:0], effort)
    for k in range(v.size):
        passive[k] = effort[k]
    articulated_accelerations(control, cws, effort, acceleration)
    for k in range(v.size):
        effort[k] -= passive[k]


@kernel
def bias_efforts(control, cws, q, v, nothing, passive, out):
    """Efforts at zero acceleration, after `kinematics`; `nothing` and `passive` are scratch."""
    apply_loads(control, cws, q, v)
    apply_struts(control, cws, q, v)
    for k in range(v.size):
        nothing[k] = 0.0
        passive[k] = 0.0
    newton_euler_efforts(control, cws, nothing, out)
    passive_efforts(control, q, v, q[:0], passive)
    for k in range(v.size):
        out[k] -= passive[k]
