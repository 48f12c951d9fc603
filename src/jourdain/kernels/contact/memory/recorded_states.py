"""Contact forces at recorded states: for results and model functions."""

from __future__ import annotations

import math

from ...compiler import entry_point
from ...kind_registry import FOUNDATION, PILE, USER
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Cube, Matrix, Vector
from ...spatial import add, dot, put3, scale, sym, vec
from ...stage_functions import ContactFunctions, StageFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes, relative_velocity, stiffness_of
from ..contact_layout import (
    CONTACT_FIRST,
    CONTACT_SECOND,
    CONTACT_STATES,
    CONTACT_WRENCH,
    FAMILY,
    FRICTION_FLOATS,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    LATCHED,
    NORMAL_FLOATS,
    NORMAL_LAW,
    NORMAL_STATES,
    PATCH,
    ROLE,
    SITE_AREA,
    SITE_INERTIA,
    SITE_NORMAL,
    SITE_POINT,
    SITE_VOLUME,
    SLOT,
    SLOT_SPEED,
)
from ..laws.normal_and_friction import friction_damping, normal_force
from ..volumetric.patch_forces import foundation_rates


@entry_point
def contact_history(
    model: ModelArrays, stages: StageFunctions, q: Matrix, v: Matrix, z: Matrix, latched: Matrix, ws: Workspace,
    dz: Vector, out: Cube,
) -> float:  # fmt: skip
    """Forces of every contact at each state, one row of q, v, z and latched a state, into out (rows, contacts,
    CONTACT_WRENCH).

    With piles the list of near pairs must be up to date in ws. Returns the energy stored in sticking friction at the
    last state [J].
    """
    ws.flags.energies_wanted = True
    for i in range(q.shape[0]):
        ws.ledger.loss_rate, ws.ledger.contact, ws.ledger.held = 0.0, 0.0, 0.0
        kinematics(model, ws, q[i], v[i])
        stages.contact(model, stages.touch, q[i], v[i], z[i], latched[i], ws, dz)
        for c in range(out.shape[1]):
            for k in range(CONTACT_WRENCH):
                out[i, c, k] = ws.contact_wrenches[c, k]
    ws.flags.energies_wanted = False
    return ws.ledger.held


@entry_point
def patch_history(
    model: ModelArrays, stages: StageFunctions, q: Matrix, v: Matrix, z: Matrix, latched: Matrix, ws: Workspace,
    dz: Vector, out: Cube,
) -> None:  # fmt: skip
    """Results of every part of the volumetric contacts at each state, into out (rows, slots, PATCH)."""
    ws.flags.energies_wanted = True
    for i in range(q.shape[0]):
        kinematics(model, ws, q[i], v[i])
        stages.contact(model, stages.touch, q[i], v[i], z[i], latched[i], ws, dz)
        for s in range(out.shape[1]):
            for k in range(PATCH):
                out[i, s, k] = ws.patches[s, k]
    ws.flags.energies_wanted = False


@entry_point
def contact_sites(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, z: Vector, latched: Vector, ws: Workspace,
    dz: Vector, out: Matrix,
) -> int:  # fmt: skip
    """Sites of pairs in contact, a row of `out` each: contact, shapes (2), point (3), normal (3), stiffness and damping
    of the normal force, damping of friction. Returns how many.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    p = model.contact_floats
    count = 0
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE or row[NORMAL_LAW] >= USER:
            continue
        a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
        for s in range(find(model, touch, ws, c, latched)):
            slot = int(ws.sites[s, ROLE])
            if ws.sites[s, GAP] >= 0.0 or slot < 0 or count >= out.shape[0]:
                continue
            # relative motion at the site: rate along -n, slip across n
            at = row[LATCHED] + SLOT * slot
            i = row[CONTACT_STATES] + (row[NORMAL_STATES] + row[FRICTION_STATES]) * slot
            n, point = vec(ws.sites, s, SITE_NORMAL), vec(ws.sites, s, SITE_POINT)
            u = relative_velocity(ws.shapes, a, b, point)
            rate = -dot(u, n)
            slip = add(u, scale(rate, n))
            # normal law: load, stiffness and damping; then the damping of friction at this slip
            if row[NORMAL_LAW] == FOUNDATION:
                J, V, area = sym(ws.sites, s, SITE_INERTIA), ws.sites[s, SITE_VOLUME], ws.sites[s, SITE_AREA]
                stiffness, damping, load = foundation_rates(
                    p, row[NORMAL_FLOATS], V, area, J, n, rate, latched[at + SLOT_SPEED]
                )
            else:
                load, _, _, stiffness, damping = normal_force(
                    row[NORMAL_LAW], p, row[NORMAL_FLOATS], stiffness_of(model, c, a, b),
                    -ws.sites[s, GAP], rate, latched[at + SLOT_SPEED], True, z, i, dz,
                )  # fmt: skip
            out[count, 0], out[count, 1], out[count, 2] = float(c), float(a), float(b)
            put3(out, count, 3, point)
            put3(out, count, 6, n)
            out[count, 9], out[count, 10], out[count, 11] = stiffness, damping, 0.0
            nf = row[FRICTION_FLOATS]
            out[count, 11] = friction_damping(row[FRICTION_LAW], p, nf, load, math.sqrt(dot(slip, slip)))
            count += 1
    return count
