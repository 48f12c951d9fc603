"""Volumetric contact (elastic foundation): wrench of a contact patch from volume, centroid and volume inertia of its
overlap part.

Gonthier 2007, chapter 4, in the all-positive form: rate = -v_cn > 0 while the shapes press together, and a > 0. A is
the first shape and B the second; C is the centroid of the part, n the normal from B to A. Vectors are in world axes.
"""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel
from ...kind_registry import BRISTLE, COULOMB
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import accumulate3, add, dot, put3, put6, scale, sub, sym, sym_times, vec
from ..contact_layout import (
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    CONTACT_FIRST,
    CONTACT_NORMAL,
    CONTACT_SECOND,
    DEPTH,
    DWELL,
    FOLLOWING,
    FRICTION_FLOATS,
    FRICTION_LAW,
    INERTIA_NORMAL,
    KINETIC_FRICTION,
    LAW_DAMPING,
    LAW_INTEGRATED,
    LAW_STIFFNESS,
    NORMAL_FLOATS,
    NORMAL_STATES,
    PATCH_AREA,
    PATCH_DEPTH,
    PATCH_ENERGY,
    PATCH_FORCE,
    PATCH_INERTIA,
    PATCH_LOAD,
    PATCH_NORMAL,
    PATCH_PEAK,
    PATCH_POINT,
    PATCH_PRESSURE,
    PATCH_SLIP,
    PATCH_SPIN,
    PATCH_STICK,
    PATCH_TORQUE,
    PATCH_VOLUME,
    PATCHES,
    POTENTIAL,
    RELAXATION,
    RELAXED,
    ROLE,
    SHAPE_OMEGA,
    SIGN,
    SITE_AREA,
    SITE_COUPLE,
    SITE_INERTIA,
    SITE_NORMAL,
    SITE_POINT,
    SITE_POTENTIAL,
    SITE_PUSH,
    SITE_VOLUME,
    SLOT_SPEED,
    SLOT_TOUCHING,
    SLOW_SPEED,
    SMALL_SPEED,
    SPIN_FACTOR,
    STATE_ELASTIC,
    STATE_OFFSET,
    STATIC,
    STRIBECK,
    SUMS,
    VISCOUS,
    WRENCH_DEPTH,
    WRENCH_LOAD,
    WRENCH_POINT,
    WRENCH_SITES,
    WRENCH_SLIP,
    WRENCH_STORED,
)
from ..laws.contensou import ansatz, integrated
from ..laws.normal_and_friction import direction, saturated
from ..shape_motion import approach_rate, is_real, relative_velocity
from ..stiffness_peaks import note_peak


@kernel
def foundation_stiffness(p, at, gyration):
    """k_v [N/m^3]: constant, or proportional to 1 / r_gyr, which makes thin spherical caps obey the law of Hertz."""
    if p[at + FOLLOWING] == 1.0:
        return p[at + LAW_STIFFNESS] / gyration
    return p[at + LAW_STIFFNESS]


@kernel
def foundation_rates(p, at, V, area, J, n, rate, speed):
    """Stiffness k_v A [N/m], damping [N s/m] and load [N] of a part, for the check of the step size."""
    k = foundation_stiffness(p, at, math.sqrt(dot(n, sym_times(J, n)) / V))
    damping = k * V * p[at + LAW_DAMPING] / max(speed, p[at + SLOW_SPEED])
    return k * area, damping, max(k * V + damping * rate, 0.0)


@kernel
def factors(p, at, J, n, V, area, slip, speed, spin, turning, small):
    """Contensou factors (C_v, C_w), and the average surface velocity v_avg (Gonthier 2007, eq. 4.212) [m/s]."""
    average = math.sqrt(speed * speed + turning * turning)
    if p[at + LAW_INTEGRATED] == 1.0 and average >= small:
        cv, cw = integrated(J, n, V, area, slip, spin)
    else:
        cv, cw = ansatz(speed, turning, max(average, small))
    return cv, cw, average


@kernel
def bristle_patch(p, at, load, slip, normal, spin, turning, gyration, cv, cw, average, z, i, dz):
    """Bristle friction of a patch: force on A [N], spinning torque [N m], energies of deflection and torsion [J],
    stick.

    Gonthier 2007, eqs. 4.215 to 4.243. States from z[i] on: deflection z_sc in world axes (3) [m], torsion angle
    theta_n [rad], dwell s_dw. The deflection turns with B, whose angular velocity is `turning`, as in point contact.
    """
    s0, s1, vs = p[at + BRISTLE_STIFFNESS], p[at + BRISTLE_DAMPING], p[at + STRIBECK]
    kinetic = p[at + KINETIC_FRICTION]
    state = (z[i], z[i + 1], z[i + 2])
    twist = z[i + 3]
    # stick s, eq. 4.221; dwell s_dw and mu_max, eqs. 3.36 and 3.37; Contensou factors blended by stick, 4.223 and 4.235
    bent = sub(state, scale(dot(state, normal), normal))
    stick = math.exp(-average * average / (vs * vs))
    dwell = stick
    if p[at + DWELL] > 0.0:
        dwell = z[i + 4]
        lag = p[at + DWELL] if stick >= dwell else s1 / s0
        dz[i + 4] = (stick - dwell) / lag
    most = kinetic + (p[at + STATIC] - kinetic) * dwell
    cv = stick + (1.0 - stick) * cv
    cw = stick + (1.0 - stick) * cw

    # rate of the deflection, eq. 4.227, saturated by eq. 4.229; omega_WB x z carries it round with B
    sliding = sub(scale(kinetic * cv / s1, direction(slip, p[at + SMALL_SPEED])), scale(s0 / s1, bent))
    bending = add(scale(stick, slip), scale(1.0 - stick, sliding))
    pull = add(scale(s0, bent), scale(s1, bending))
    if dot(pull, pull) > most * most * cv * cv:
        pull = saturated(pull, most * cv)
        bending = scale(1.0 / s1, sub(pull, scale(s0, bent)))
    dz[i] = bending[0] + turning[1] * state[2] - turning[2] * state[1]
    dz[i + 1] = bending[1] + turning[2] * state[0] - turning[0] * state[2]
    dz[i + 2] = bending[2] + turning[0] * state[1] - turning[1] * state[0]

    # rate of the torsion angle, eqs. 4.239 and 4.242, with r_gyr as the arm
    way = direction((gyration * spin, 0.0, 0.0), p[at + SMALL_SPEED])[0]
    turn = stick * spin + (1.0 - stick) * (kinetic * cw * way / (s1 * gyration) - s0 / s1 * twist)
    effort = s0 * twist + s1 * turn
    limit = most * cw / gyration
    if abs(effort) > limit:
        effort = limit if effort > 0.0 else -limit
        turn = (effort - s0 * twist) / s1
    dz[i + 3] = turn

    # force eq. 4.230, torque eq. 4.243; elastic energies per unit load
    force = scale(-load, add(pull, scale(p[at + VISCOUS], slip)))
    torque = -load * gyration * gyration * (effort + p[at + VISCOUS] * spin)
    held = 0.5 * load * s0 * dot(bent, bent)
    return force, torque, held, 0.5 * load * s0 * gyration * gyration * twist * twist, dwell


@kernel
def coulomb_patch(p, at, load, slip, spin, gyration, cv, cw):
    """Kinetic friction on A [N] and spinning torque [N m], smooth through zero (Gonthier 2007, eqs. 4.205, 4.208)."""
    small = p[at + SMALL_SPEED]
    mu = p[at + KINETIC_FRICTION]
    force = scale(-load * mu * cv, direction(slip, small))
    turning = direction((gyration * spin, 0.0, 0.0), small)[0]
    return force, -load * mu * gyration * cw * turning


@kernel
def rolling_resistance(J, n, V, rolling, rate, load):
    """Torque on A that opposes rolling [N m], `rate` being the damping of the pressure, k_v a (Gonthier 2007,
    eq. 4.183).

    rolling    relative angular velocity across the normal, world axes [rad/s]
    load       normal force [N]

    The equation integrates the pressure k_v f (1 + a v), which becomes negative on part of the patch where rolling is
    fast beside the impact speed for which a is set. That tension is not physical, and the torque would remain where the
    load has vanished. A pressure without tension has its centre within the patch; so the torque is limited to the load
    times the half width of an even strip with these moments, sqrt(3) radii of gyration.
    """
    J_w = sym_times(J, rolling)
    across = sub(J_w, scale(dot(J_w, n), n))
    size = rate * math.sqrt(dot(across, across))
    speed2 = dot(rolling, rolling)
    most = load * math.sqrt(max(3.0 * dot(rolling, J_w) / (V * speed2), 0.0)) if speed2 > 0.0 else 0.0
    return scale(-rate * (most / size if size > most else 1.0), across)


@kernel
def springs_of(row, sites, s, V, n):
    """Springs of part s over k_v: force along n [m^3], couple about C [m^4], potential [m^4] or -1 for none."""
    if row[CONTACT_NORMAL] == INERTIA_NORMAL:
        return V, (0.0, 0.0, 0.0), -1.0
    potential = sites[s, SITE_POTENTIAL] if row[CONTACT_NORMAL] == POTENTIAL else -1.0
    return dot(vec(sites, s, SITE_PUSH), n), vec(sites, s, SITE_COUPLE), potential


@entry_point
def foundation_wrench(
    model: ModelArrays, ws: Workspace, c: int, s: int, at: int, i: int, z: Vector, latched: Vector, dz: Vector
) -> tuple[float, float, float, float, float, float]:
    """Wrench of part s of contact c on A: torque about the centroid C and force, world axes [N m, N].

    Also adds powers and energies to ws.ledger and results to ws.contact_wrenches and ws.patches. Latched values from
    `at` on, states from z[i] on. Gonthier 2007: normal force eq. 4.178, rolling resistance eq. 4.183, friction eqs.
    4.227 to 4.243. Instead of V along a principal axis the contact may use the springs of the part
    (overlap_volumes/springs.py): a force and a couple that derive from a potential, with one damping for both.
    """
    row, p, sites = model.contact_index[c], model.contact_floats, ws.sites
    a, b, ni, nf = row[CONTACT_FIRST], row[CONTACT_SECOND], row[NORMAL_FLOATS], row[FRICTION_FLOATS]
    V, J, n, point = (
        sites[s, SITE_VOLUME],
        sym(sites, s, SITE_INERTIA),
        vec(sites, s, SITE_NORMAL),
        vec(sites, s, SITE_POINT),
    )
    area = sites[s, SITE_AREA]
    # relative motion of A to B at C: v_BC_W = rate along -n and slip across n; spin along n and rolling across n;
    # where the springs have a couple, rate is the velocity conjugate to the whole spring wrench
    u = relative_velocity(ws.shapes, a, b, point)
    turning = vec(ws.shapes, b, SHAPE_OMEGA)
    omega = sub(vec(ws.shapes, a, SHAPE_OMEGA), turning)
    rate = -dot(u, n)
    slip = add(u, scale(rate, n))
    push, couple, potential = springs_of(row, sites, s, V, n)
    if push > 0.0:
        couple = scale(1.0 / push, couple)
        rate -= dot(couple, omega)
    spin = dot(omega, n)
    rolling = sub(omega, scale(spin, n))
    gyration = math.sqrt(dot(n, sym_times(J, n)) / V)

    # impact speed v_n^i: latched at touchdown, before that the present one
    touching = latched[at + SLOT_TOUCHING] == 1.0
    speed = latched[at + SLOT_SPEED]
    slot = int(sites[s, ROLE])
    if not touching or not is_real(row, slot, latched):
        speed = approach_rate(ws, row, slot, latched, point, n)
    if not touching:
        speed = max(speed, rate)
    # normal force, eq. 4.178; with relaxation V_r = V - V_ro, dV_ro/dt = -V_ro / tau_r (section 4.5)
    k = foundation_stiffness(p, ni, gyration)
    strain, relaxing = V, 0.0
    if p[ni + RELAXATION] > 0.0:
        dz[i + STATE_OFFSET] = -z[i + STATE_OFFSET] / p[ni + RELAXATION]
        strain = max(V - z[i + STATE_OFFSET], 0.0) if touching else 0.0
        relaxing = -k * strain * dz[i + STATE_OFFSET] / area
    damping = p[ni + LAW_DAMPING] / max(speed, p[ni + SLOW_SPEED])
    elastic = k * strain
    if row[CONTACT_NORMAL] != INERTIA_NORMAL:
        elastic *= push / V
    load = max(elastic * (1.0 + damping * rate), 0.0)
    # elastic energy: the potential k_v U where it is known, else the integral of the elastic power, a state
    stored = 0.0
    if potential >= 0.0 and p[ni + FOLLOWING] == 0.0 and p[ni + RELAXATION] == 0.0:
        stored = k * potential
    else:
        dz[i + STATE_ELASTIC] = elastic * rate + relaxing
    dz[row[SUMS] + RELAXED] += relaxing
    ws.ledger.loss_rate += load * rate - (elastic * rate + relaxing)
    if ws.ledger.step > 0.0:
        note_peak(model, ws, c, a, b, s, k * area, elastic * damping, load, slip)

    force, torque = scale(load, n), (0.0, 0.0, 0.0)
    held, stick = 0.0, 0.0
    if load > 0.0:
        slowing = rolling_resistance(J, n, V, rolling, k * damping, load)
        law, zi = row[FRICTION_LAW], i + row[NORMAL_STATES]
        rub, about = (0.0, 0.0, 0.0), 0.0
        # friction shared between slip and spin by the Contensou factors, eqs. 4.227 to 4.243
        if law == BRISTLE or law == COULOMB:
            slipping = math.sqrt(dot(slip, slip))
            small = p[nf + SMALL_SPEED]
            cv, cw, average = factors(p, ni, J, n, V, area, slip, slipping, spin, gyration * abs(spin), small)
            if law == BRISTLE:
                rub, about, held, wound, stick = bristle_patch(
                    p, nf, load, slip, n, spin, turning, gyration, cv, cw, average, z, zi, dz
                )
                held += p[ni + SPIN_FACTOR] * wound
            else:
                rub, about = coulomb_patch(p, nf, load, slip, spin, gyration, cv, cw)
            about *= p[ni + SPIN_FACTOR]
        torque = add(slowing, scale(about, n))
        force = add(force, rub)
        ws.ledger.loss_rate -= dot(rub, slip) + dot(torque, omega)

    # the couple of the springs, scaled from k_v to the load; then energies and sums of the contact
    torque = add(torque, scale(load, couple))
    if ws.flags.energies_wanted:
        ws.ledger.contact += stored + held
        ws.ledger.held += held
        accumulate3(ws.contact_wrenches, c, WRENCH_POINT, scale(load, point))
        ws.contact_wrenches[c, WRENCH_LOAD] += load
        ws.contact_wrenches[c, WRENCH_DEPTH] = max(ws.contact_wrenches[c, WRENCH_DEPTH], sites[s, DEPTH])
        ws.contact_wrenches[c, WRENCH_SLIP] = max(ws.contact_wrenches[c, WRENCH_SLIP], math.sqrt(dot(slip, slip)))
        ws.contact_wrenches[c, WRENCH_SITES] += 1.0
        ws.contact_wrenches[c, WRENCH_STORED] += stored + held
        # results of the patch, on the body that the user named first
        row_of = row[PATCHES] + slot
        sign = float(row[SIGN])
        patch = ws.patches
        put3(patch, row_of, PATCH_FORCE, scale(sign, force))
        put3(patch, row_of, PATCH_TORQUE, scale(sign, torque))
        put3(patch, row_of, PATCH_POINT, point)
        put3(patch, row_of, PATCH_NORMAL, scale(sign, n))
        patch[row_of, PATCH_VOLUME] = V
        patch[row_of, PATCH_AREA] = area
        patch[row_of, PATCH_DEPTH] = sites[s, DEPTH]
        patch[row_of, PATCH_LOAD] = load
        patch[row_of, PATCH_PRESSURE] = load / area
        patch[row_of, PATCH_PEAK] = load / V * sites[s, DEPTH]
        patch[row_of, PATCH_STICK] = stick
        patch[row_of, PATCH_SLIP] = math.sqrt(dot(slip, slip))
        patch[row_of, PATCH_SPIN] = spin
        patch[row_of, PATCH_ENERGY] = z[i + STATE_ELASTIC] + stored + held
        put6(patch, row_of, PATCH_INERTIA, J)
    return (torque[0], torque[1], torque[2], force[0], force[1], force[2])
