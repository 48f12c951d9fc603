"""Derivatives of the force of one site, by displacements, velocities and the states of its slot.

The force is f = L n + r with the load L(depth, rate, state) and the friction r(L, slip, n, states). With g the gap and
u the relative velocity at the point of action,

    d depth = -dg,  d rate = -n . du - u . dn,  d slip = du + n d rate + rate dn,
    df = n dL + L dn + dr,

the built-in laws by contact/laws/law_derivatives.py, users' laws by differences over their own few arguments.
"""

from __future__ import annotations

from typing import NamedTuple

from ...algebra import Vec3
from ...compiler import kernel, optional_kernel, outlined_kernel
from ...contact.contact_forces import stiffness_of
from ...contact.contact_rows import friction_parameters, normal_parameters, site_memory
from ...contact.laws.law_derivatives import bristle_change, coulomb_change, normal_change
from ...contact.laws.normal_and_friction import normal_force
from ...contact.shape_motion import relative_velocity
from ...flat_arrays import put_value, vector_at
from ...kind_registry import BRISTLE, COULOMB, FRICTIONLESS, USER, USER_FRICTION
from ...stage_functions import FRICTION as OWN_FRICTION
from ...stage_functions import NORMAL as OWN_NORMAL

USER_STEP = 1e-6
"""Step of the differences of users' laws over the size of an argument [-]."""


class Site(NamedTuple):
    """Arguments of the contact laws at a site; `load` and `stiffness` of the normal law, `speed` as latched."""

    depth: float
    rate: float
    speed: float
    stiffness: float
    load: float
    touching: bool
    normal: Vec3
    slip: Vec3
    velocity: Vec3
    turning: Vec3


@kernel
def site_seen(model, touch, ws, ap, c, a, b, s, at, i, z, latched, dz):
    """Site s of ap.sites with its load."""
    row, p = model.contacts[c], model.contact_floats
    site, memory = ap.sites[s], site_memory(latched, at)
    n, depth = site.normal, -site.gap
    u = relative_velocity(ws.shapes, a, b, site.point)
    rate = -(u @ n)
    # impact speed: before touchdown at least the present rate
    speed, touching = memory.speed, memory.touching
    stiffness = stiffness_of(model, c, a, b)
    ni, nf = row.normal_floats, row.friction_floats
    zi = i + row.normal_states
    impact_rate = speed if touching else max(speed, rate)
    if row.normal_law >= USER:
        own_law = OWN_NORMAL(touch.normals[row.normal_law - USER])
        load = own_law(depth, rate, impact_rate, z[i:zi], p[ni:nf], dz[i:zi])
    else:
        law = normal_parameters(p, ni)
        load, _, _, _, _ = normal_force(row.normal_law, law, stiffness, depth, rate, impact_rate, touching, z, i, dz)
    slip = u + rate * n
    return Site(depth, rate, speed, stiffness, load, touching, n, slip, u, ws.shapes[b].omega)


@kernel
def step_of(x):
    """Step of a finite difference about x."""
    return USER_STEP * max(abs(x), 1e-3)


@optional_kernel("contact laws")
def user_normal_partials(model, touch, ap, c, site, i, z, dz):
    """Derivatives of a user's normal law into ap.user: column 0 by depth, 1 by rate, then by its states; row 0 the
    load, then the rates of its states.
    """
    row, p = model.contacts[c], model.contact_floats
    ni, nf, ns = row.normal_floats, row.friction_floats, row.normal_states
    law, end = OWN_NORMAL(touch.normals[row.normal_law - USER]), i + ns
    for column in range(2 + ns):
        for r in range(1 + ns):
            ap.user[r, column] = 0.0
        # central difference by depth, rate or a state; before touchdown the impact speed follows the rate
        base = site.depth if column == 0 else site.rate if column == 1 else z[i + column - 2]
        h = step_of(base)
        if column == 0:
            h = min(h, 0.1 * site.depth)
        for way in (-1.0, 1.0):
            depth = site.depth + (way * h if column == 0 else 0.0)
            rate = site.rate + (way * h if column == 1 else 0.0)
            impact_rate = site.speed if site.touching else max(site.speed, rate)
            if column >= 2:
                z[i + column - 2] = base + way * h
            for k in range(i, end):
                dz[k] = 0.0
            load = law(depth, rate, impact_rate, z[i:end], p[ni:nf], dz[i:end])
            if column >= 2:
                z[i + column - 2] = base
            ap.user[0, column] += way * load / (2.0 * h)
            for k in range(ns):
                ap.user[1 + k, column] += way * dz[i + k] / (2.0 * h)


@optional_kernel("contact laws")
def user_friction_partials(model, touch, ap, c, site, i, z, dz):
    """Derivatives of a user's friction law into ap.user behind those of `user_normal_partials`: see `friction_at`."""
    row, p = model.contacts[c], model.contact_floats
    nf, ns, first = row.friction_floats, row.friction_states, friction_at(model, c)
    law, end = OWN_FRICTION(touch.frictions[row.friction_law - USER_FRICTION]), i + ns
    sign = -1.0 if row.sign < 0 else 1.0
    for column in range(4 + ns):
        for r in range(3 + ns):
            ap.user[r + first[0], column + first[1]] = 0.0
        # column 0 by the load, 1 to 3 by the slip, then by its states; central differences
        load, slip = site.load, tuple(sign * site.slip)
        base = load if column == 0 else slip[column - 1] if column < 4 else z[i + column - 4]
        h = step_of(base)
        for way in (-1.0, 1.0):
            x = way * h
            if column >= 4:
                z[i + column - 4] = base + x
            for k in range(i, end):
                dz[k] = 0.0
            impact_rate = (
                slip[0] + (x if column == 1 else 0.0),
                slip[1] + (x if column == 2 else 0.0),
                slip[2] + (x if column == 3 else 0.0),
            )
            f = law(load + (x if column == 0 else 0.0), impact_rate, z[i:end], p[nf : row.floats_end], dz[i:end])
            if column >= 4:
                z[i + column - 4] = base
            for k in range(3):
                ap.user[first[0] + k, first[1] + column] += sign * way * f[k] / (2.0 * h)
            for k in range(ns):
                ap.user[first[0] + 3 + k, first[1] + column] += way * dz[i + k] / (2.0 * h)


@kernel
def friction_at(model, c):
    """Where the derivatives of a user's friction law begin in ap.user: row, column."""
    if model.contacts[c].normal_law >= USER:
        ns = model.contacts[c].normal_states
        return 1 + ns, 2 + ns
    return 0, 0


@outlined_kernel
def site_change(model, ap, c, site, i, z, d_gap, d_normal, d_velocity, d_turning, state, out):
    """Change of the force of a site (3, returned), and of the rates of its states, from out[0] on.

    state    the one that changes by a unit, counted from 0 in its slot; -1 for none
    """
    row, p = model.contacts[c], model.contact_floats
    ni, nf, ns, nt = row.normal_floats, row.friction_floats, row.normal_states, row.friction_states
    n, u = site.normal, site.velocity
    d_rate = -(n @ d_velocity) - u @ d_normal
    for k in range(ns + nt):
        out[k] = 0.0
    # change of the load dL: a user's law by its table of differences
    if row.normal_law >= USER:
        d_load = -ap.user[0, 0] * d_gap + ap.user[0, 1] * d_rate
        for k in range(ns):
            out[k] = -ap.user[1 + k, 0] * d_gap + ap.user[1 + k, 1] * d_rate
        if 0 <= state < ns:
            d_load += ap.user[0, 2 + state]
            for k in range(ns):
                out[k] += ap.user[1 + k, 2 + state]
    else:
        # built-in laws by their formulas
        law = normal_parameters(p, ni)
        relaxed = z[i] if ns > 0 else 0.0
        d_relaxed = 1.0 if state == 0 and ns > 0 else 0.0
        code, k, depth, touching = row.normal_law, site.stiffness, site.depth, site.touching
        change = (relaxed, -d_gap, d_rate, d_relaxed)
        d_load = normal_change(code, law, k, depth, site.rate, site.speed, touching, *change)
        if ns > 0:
            out[0] = -d_relaxed / law.relaxation
    # n dL + L dn
    force = d_load * n + site.load * d_normal
    if row.friction_law == FRICTIONLESS or site.load <= 0.0:
        return force
    friction = friction_parameters(p, nf)
    # d slip = du + n d rate + rate dn
    d_slip = d_velocity + (d_rate * n + site.rate * d_normal)
    if row.friction_law == COULOMB:
        return force + coulomb_change(friction, site.load, site.slip, d_load, d_slip)
    # bristle friction: also by its own states, deflection and dwell
    zi, own = i + ns, state - ns
    if row.friction_law == BRISTLE:
        d_state = Vec3(1.0 if own == 0 else 0.0, 1.0 if own == 1 else 0.0, 1.0 if own == 2 else 0.0)
        dwells = friction.dwell > 0.0
        bent, dwell, d_dwell = vector_at(z, zi), z[zi + 3] if dwells else 0.0, 1.0 if own == 3 else 0.0
        present = (site.load, site.slip, n, site.turning, bent, dwell)
        change = (d_load, d_slip, d_normal, d_turning, d_state, d_dwell)
        rub, bent, rest = bristle_change(friction, *present, *change)
        put_value(out, ns, bent)
        if dwells:
            out[ns + 3] = rest
        return force + rub
    # a user's law by its table of differences; its slip has the order in which the shapes were named
    r, column = friction_at(model, c)
    sign = -1.0 if row.sign < 0 else 1.0
    by = (d_load, sign * d_slip.x, sign * d_slip.y, sign * d_slip.z)
    x, y, w = 0.0, 0.0, 0.0
    for j in range(4):
        x += by[j] * ap.user[r, column + j]
        y += by[j] * ap.user[r + 1, column + j]
        w += by[j] * ap.user[r + 2, column + j]
        for k in range(nt):
            out[ns + k] += by[j] * ap.user[r + 3 + k, column + j]
    if 0 <= own < nt:
        x += ap.user[r, column + 4 + own]
        y += ap.user[r + 1, column + 4 + own]
        w += ap.user[r + 2, column + 4 + own]
        for k in range(nt):
            out[ns + k] += ap.user[r + 3 + k, column + 4 + own]
    return force + Vec3(x, y, w)
