"""Contact forces at recorded states: for results and model functions."""

from __future__ import annotations

import math

from ...compiler import entry_point
from ...flat_arrays import put_value
from ...kind_registry import FOUNDATION, PILE, USER
from ...model_arrays import ModelArrays, Workspace
from ...rows import copy_row, table_of
from ...signatures import Cube, Matrix, Vector
from ...stage_functions import ContactFunctions, StageFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes, relative_velocity, stiffness_of
from ..contact_rows import (
    ContactResult,
    PatchResult,
    foundation_parameters,
    friction_parameters,
    memory_of,
    normal_parameters,
)
from ..laws.normal_and_friction import friction_damping, normal_force
from ..volumetric.patch_forces import foundation_rates

contact_results, patch_results = table_of(ContactResult), table_of(PatchResult)


@entry_point
def contact_history(
    model: ModelArrays, stages: StageFunctions, q: Matrix, v: Matrix, z: Matrix, latched: Matrix, ws: Workspace,
    dz: Vector, out: Cube,
) -> float:  # fmt: skip
    """Forces of every contact at each state, one row of q, v, z and latched a state, into out (rows, contacts,
    ContactResult.size).

    With piles the list of near pairs must be up to date in ws. Returns the energy stored in sticking friction at the
    last state [J].
    """
    ws.flags.energies_wanted = True
    for i in range(q.shape[0]):
        ws.ledger.loss_rate, ws.ledger.contact, ws.ledger.held = 0.0, 0.0, 0.0
        kinematics(model, ws, q[i], v[i])
        stages.contact(model, stages.touch, q[i], v[i], z[i], latched[i], ws, dz)
        results = contact_results(out[i])
        for c in range(len(results)):
            copy_row(results[c], ws.contact_wrenches[c])
    ws.flags.energies_wanted = False
    return ws.ledger.held


@entry_point
def patch_history(
    model: ModelArrays, stages: StageFunctions, q: Matrix, v: Matrix, z: Matrix, latched: Matrix, ws: Workspace,
    dz: Vector, out: Cube,
) -> None:  # fmt: skip
    """Results of every part of the volumetric contacts at each state, into out (rows, slots, PatchResult.size)."""
    ws.flags.energies_wanted = True
    for i in range(q.shape[0]):
        kinematics(model, ws, q[i], v[i])
        stages.contact(model, stages.touch, q[i], v[i], z[i], latched[i], ws, dz)
        results = patch_results(out[i])
        for s in range(len(results)):
            copy_row(results[s], ws.patches[s])
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
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family == PILE or row.normal_law >= USER:
            continue
        a, b = row.first, row.second
        for s in range(find(model, touch, ws, c, latched)):
            site = ws.sites[s]
            slot = site.role
            if site.gap >= 0.0 or slot < 0 or count >= out.shape[0]:
                continue
            # relative motion at the site: rate along -n, slip across n
            speed = memory_of(row, slot, latched).speed
            i = row.states + (row.normal_states + row.friction_states) * slot
            n, point = site.normal, site.point
            u = relative_velocity(ws.shapes, a, b, point)
            rate = -(u @ n)
            slip = u + rate * n
            # normal law: load, stiffness and damping; then the damping of friction at this slip
            at = row.normal_floats
            if row.normal_law == FOUNDATION:
                stiffness, damping, load = foundation_rates(foundation_parameters(p, at), site, rate, speed)
            else:
                load, _, _, stiffness, damping = normal_force(
                    row.normal_law, normal_parameters(p, at), stiffness_of(model, c, a, b),
                    -site.gap, rate, speed, True, z, i, dz,
                )  # fmt: skip
            rubbing = friction_parameters(p, row.friction_floats)
            out[count, 0], out[count, 1], out[count, 2] = float(c), float(a), float(b)
            put_value(out[count], 3, point)
            put_value(out[count], 6, n)
            out[count, 9], out[count, 10] = stiffness, damping
            out[count, 11] = friction_damping(row.friction_law, rubbing, load, math.sqrt(slip @ slip))
            count += 1
    return count
