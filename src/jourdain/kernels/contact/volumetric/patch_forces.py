"""Volumetric contact (elastic foundation): wrench of a contact patch from volume, centroid and volume inertia of its
overlap part.

Gonthier 2007, chapter 4, in the all-positive form: rate = -v_cn > 0 while the shapes press together, and a > 0. A is
the first shape and B the second; C is the centroid of the part, n the normal from B to A. Vectors are in world axes.
"""

from __future__ import annotations

import math

from ...algebra import Vec3, cross
from ...compiler import entry_point, kernel
from ...flat_arrays import put_value, vector_at
from ...kind_registry import BRISTLE, COULOMB
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL, POTENTIAL
from ..contact_results import add_energy
from ..contact_rows import contact_sums, foundation_parameters, foundation_states, friction_parameters, site_memory
from ..laws.contensou import ansatz, integrated
from ..laws.normal_and_friction import direction, saturated
from ..shape_motion import approach_rate, is_real, relative_velocity
from ..stiffness_peaks import note_peak


@kernel
def foundation_stiffness(law, gyration):
    """k_v [N/m^3]: constant, or proportional to 1 / r_gyr, which makes thin spherical caps obey the law of Hertz."""
    if law.following:
        return law.stiffness / gyration
    return law.stiffness


@kernel
def foundation_rates(law, site, rate, speed):
    """Stiffness k_v A [N/m], damping [N s/m] and load [N] of a part, for the check of the step size."""
    n, V = site.normal, site.volume
    k = foundation_stiffness(law, math.sqrt((n @ (site.inertia @ n)) / V))
    damping = k * V * law.damping / max(speed, law.slow_speed)
    return k * site.area, damping, max(k * V + damping * rate, 0.0)


@kernel
def factors(law, J, n, V, area, slip, speed, spin, turning, small):
    """Contensou factors (C_v, C_w), and the average surface velocity v_avg (Gonthier 2007, eq. 4.212) [m/s]."""
    average = math.sqrt(speed * speed + turning * turning)
    if law.integrated and average >= small:
        cv, cw = integrated(J, n, V, area, slip, spin)
    else:
        cv, cw = ansatz(speed, turning, max(average, small))
    return cv, cw, average


@kernel
def spin_direction(gyration, spin, small):
    """Sign of the spin, smooth through zero below the speed `small` at the radius of gyration."""
    return direction(Vec3(gyration * spin, 0.0, 0.0), small).x


@kernel
def bristle_patch(law, load, slip, normal, spin, turning, gyration, cv, cw, average, z, i, dz):
    """Bristle friction of a patch: force on A [N], spinning torque [N m], energies of deflection and torsion [J],
    stick.

    Gonthier 2007, eqs. 4.215 to 4.243. States from z[i] on: deflection z_sc in world axes (3) [m], torsion angle
    theta_n [rad], dwell s_dw. The deflection turns with B, whose angular velocity is `turning`, as in point contact.
    """
    s0, s1, vs, kinetic = law.stiffness, law.damping, law.stribeck, law.kinetic
    state = vector_at(z, i)
    twist = z[i + 3]
    # stick s, eq. 4.221; dwell s_dw and mu_max, eqs. 3.36 and 3.37; Contensou factors blended by stick, 4.223 and 4.235
    bent = state - (state @ normal) * normal
    stick = math.exp(-average * average / (vs * vs))
    dwell = stick
    if law.dwell > 0.0:
        dwell = z[i + 4]
        lag = law.dwell if stick >= dwell else s1 / s0
        dz[i + 4] = (stick - dwell) / lag
    most = kinetic + (law.static - kinetic) * dwell
    cv = stick + (1.0 - stick) * cv
    cw = stick + (1.0 - stick) * cw

    # rate of the deflection, eq. 4.227, saturated by eq. 4.229; omega_WB x z carries it round with B
    sliding = kinetic * cv / s1 * direction(slip, law.small_speed) - s0 / s1 * bent
    bending = stick * slip + (1.0 - stick) * sliding
    pull = s0 * bent + s1 * bending
    if pull @ pull > most * most * cv * cv:
        pull = saturated(pull, most * cv)
        bending = 1.0 / s1 * (pull - s0 * bent)
    put_value(dz, i, bending + cross(turning, state))

    # rate of the torsion angle, eqs. 4.239 and 4.242, with r_gyr as the arm
    way = spin_direction(gyration, spin, law.small_speed)
    turn = stick * spin + (1.0 - stick) * (kinetic * cw * way / (s1 * gyration) - s0 / s1 * twist)
    effort = s0 * twist + s1 * turn
    limit = most * cw / gyration
    if abs(effort) > limit:
        effort = limit if effort > 0.0 else -limit
        turn = (effort - s0 * twist) / s1
    dz[i + 3] = turn

    # force eq. 4.230, torque eq. 4.243; elastic energies per unit load
    force = -load * (pull + law.viscous * slip)
    torque = -load * gyration * gyration * (effort + law.viscous * spin)
    held = 0.5 * load * s0 * (bent @ bent)
    return force, torque, held, 0.5 * load * s0 * gyration * gyration * twist * twist, dwell


@kernel
def coulomb_patch(law, load, slip, spin, gyration, cv, cw):
    """Kinetic friction on A [N] and spinning torque [N m], smooth through zero (Gonthier 2007, eqs. 4.205, 4.208)."""
    small = law.small_speed
    mu = law.kinetic
    force = -load * mu * cv * direction(slip, small)
    turning = spin_direction(gyration, spin, small)
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
    J_w = J @ rolling
    across = J_w - (J_w @ n) * n
    size = rate * math.sqrt(across @ across)
    speed2 = rolling @ rolling
    most = load * math.sqrt(max(3.0 * (rolling @ J_w) / (V * speed2), 0.0)) if speed2 > 0.0 else 0.0
    return -rate * (most / size if size > most else 1.0) * across


@kernel
def springs_of(row, site):
    """Springs of a part over k_v: force along n [m^3], couple about C [m^4], potential [m^4] or -1 for none."""
    couple = site.couple
    if row.normal_kind == INERTIA_NORMAL:
        return site.volume, couple.zero, -1.0
    return site.push @ site.normal, couple, site.potential if row.normal_kind == POTENTIAL else -1.0


@kernel
def store_patch(patch, site, sign, force, torque, load, slip, spin, stick, energy):
    """Results of a part, on the body that the user named first."""
    V, area, depth = site.volume, site.area, site.depth
    patch.force, patch.torque = sign * force, sign * torque
    patch.point, patch.normal, patch.inertia = site.point, sign * site.normal, site.inertia
    patch.volume, patch.area, patch.depth, patch.load = V, area, depth, load
    patch.pressure, patch.peak_pressure = load / area, load / V * depth
    patch.stick, patch.slip, patch.spin, patch.energy = stick, math.sqrt(slip @ slip), spin, energy


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
    row, site = model.contacts[c], ws.sites[s]
    a, b = row.first, row.second
    law = foundation_parameters(model.contact_floats, row.normal_floats)
    V, J, n, point, area = site.volume, site.inertia, site.normal, site.point, site.area
    # relative motion of A to B at C: v_BC_W = rate along -n and slip across n; spin along n and rolling across n;
    # where the springs have a couple, rate is the velocity conjugate to the whole spring wrench
    u = relative_velocity(ws.shapes, a, b, point)
    turning = ws.shapes[b].omega
    omega = ws.shapes[a].omega - turning
    rate = -(u @ n)
    slip = u + rate * n
    push, couple, potential = springs_of(row, site)
    if push > 0.0:
        couple = 1.0 / push * couple
        rate -= couple @ omega
    spin = omega @ n
    rolling = omega - spin * n
    gyration = math.sqrt((n @ (J @ n)) / V)

    # impact speed v_n^i: latched at touchdown, before that the present one
    memory = site_memory(latched, at)
    touching, speed, slot = memory.touching, memory.speed, site.role
    if not touching or not is_real(row, slot, latched):
        speed = approach_rate(ws, row, slot, latched, point, n)
    if not touching:
        speed = max(speed, rate)
    # normal force, eq. 4.178; with relaxation V_r = V - V_ro, dV_ro/dt = -V_ro / tau_r (section 4.5)
    k = foundation_stiffness(law, gyration)
    strain, relaxing = V, 0.0
    states, rates = foundation_states(z, i), foundation_states(dz, i)
    if law.relaxation > 0.0:
        rates.offset = -states.offset / law.relaxation
        strain = max(V - states.offset, 0.0) if touching else 0.0
        relaxing = -k * strain * rates.offset / area
    damping = law.damping / max(speed, law.slow_speed)
    elastic = k * strain
    if row.normal_kind != INERTIA_NORMAL:
        elastic *= push / V
    load = max(elastic * (1.0 + damping * rate), 0.0)
    # elastic energy: the potential k_v U where it is known, else the integral of the elastic power, a state
    stored = 0.0
    if potential >= 0.0 and not law.following and law.relaxation == 0.0:
        stored = k * potential
    else:
        rates.elastic = elastic * rate + relaxing
    contact_sums(dz, row.sums).relaxed += relaxing
    ws.ledger.loss_rate += load * rate - (elastic * rate + relaxing)
    if ws.ledger.step > 0.0:
        note_peak(model, ws, c, a, b, s, k * area, elastic * damping, load, slip)

    force, torque = load * n, Vec3(0.0, 0.0, 0.0)
    held, stick = 0.0, 0.0
    if load > 0.0:
        slowing = rolling_resistance(J, n, V, rolling, k * damping, load)
        code, zi = row.friction_law, i + row.normal_states
        rub, about = Vec3(0.0, 0.0, 0.0), 0.0
        # friction shared between slip and spin by the Contensou factors, eqs. 4.227 to 4.243
        if code == BRISTLE or code == COULOMB:
            own = friction_parameters(model.contact_floats, row.friction_floats)
            slipping, small = math.sqrt(slip @ slip), own.small_speed
            cv, cw, average = factors(law, J, n, V, area, slip, slipping, spin, gyration * abs(spin), small)
            if code == BRISTLE:
                rub, about, held, wound, stick = bristle_patch(
                    own, load, slip, n, spin, turning, gyration, cv, cw, average, z, zi, dz
                )
                held += law.spin_factor * wound
            else:
                rub, about = coulomb_patch(own, load, slip, spin, gyration, cv, cw)
            about *= law.spin_factor
        torque = slowing + about * n
        force += rub
        ws.ledger.loss_rate -= rub @ slip + torque @ omega

    # the couple of the springs, scaled from k_v to the load; then energies and sums of the contact
    torque += load * couple
    if ws.flags.energies_wanted:
        add_energy(ws, c, load, site.depth, slip, point, stored, held)
        energy = states.elastic + stored + held
        store_patch(
            ws.patches[row.patches + slot], site, float(row.sign), force, torque, load, slip, spin, stick, energy
        )
    return (torque[0], torque[1], torque[2], force[0], force[1], force[2])
