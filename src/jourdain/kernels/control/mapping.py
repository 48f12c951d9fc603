"""From the plant's coordinates to those of a control model, and the control model's own dynamics there.

What a law is given of them are `ModelMap` and `Profile`, parts of its parameters.
"""

from __future__ import annotations

from ..compiler import kernel
from ..parameter_rows import Block, Parameters
from ..tree.articulated import articulated_accelerations
from ..tree.joint_springs import passive_efforts
from ..tree.kinematics import kinematics
from ..tree.markers import apply_loads
from ..tree.motions import profile
from ..tree.newton_euler import newton_euler_efforts
from ..tree.struts import apply_struts


class Profile(Parameters):
    """A function of time: its code and its data, as `tree.motions.profile` takes them."""

    code: int
    data: Block[float]


class ModelMap(Parameters):
    """Where the coordinates of a control model are in those of the plant."""

    q_map: Block[int]  # (nq,) of the control model: entry of the plant's q, -1 for none
    q_rest: Block[float]  # (nq,) values of those without one
    v_map: Block[int]  # (nv,) entry of the plant's v, -1 for none


class DrivenJoints(ModelMap):
    """Joints that a law drives."""

    q: Block[int]  # entries of the plant
    v: Block[int]
    controlled_q: Block[int]  # entries of the control model
    controlled: Block[int]  # its entries of v
    limit: Block[float]  # of the efforts [N m or N]


class ServoedJoints(DrivenJoints):
    """With gains of a servo."""

    kp: Block[float]
    kd: Block[float]


class FollowingJoints(ServoedJoints):
    """With references that they follow, and what is known of the closed loops of the control model."""

    reference: Block[Profile]
    rank: int  # of the loops of the control model: how many of their rows are independent
    scales: Block[float]  # what each of their rows is multiplied by where they are compared


@kernel
def reference(one, t):
    """(value, rate, acceleration) of a `Profile`."""
    return profile(one.code, one.data, 0, t)


@kernel
def gather(law, q, v, qc, vc):
    """Coordinates of the control model, by its `ModelMap`: the plant's where it knows them, else at rest."""
    for j in range(qc.size):
        k = law.q_map[j]
        qc[j] = q[k] if k >= 0 else law.q_rest[j]
    for j in range(vc.size):
        k = law.v_map[j]
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
