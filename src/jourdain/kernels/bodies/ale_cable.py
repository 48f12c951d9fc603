"""Cables on a winch: the length l that is out changes with the angle of the drum, and with it which part is out.

Arbitrary Lagrangian-Eulerian (ALE) description of a cable.

The line is that of kernels/bodies/ancf_cable.py, cubics between nodes with a place and a gradient each, but its nodes
are at
fractions xi of the length that is out, and cable passes through them: an arbitrary Lagrangian-Eulerian description
(Hong & Ren 2011, Multibody System Dynamics 26, 91; Escalona 2017, Mechanism and Machine Theory 112, 1). With N
elements of the length h = l / N, x the direction at rest, u and g displacements of places and gradients,

    r = xi l x + sum S u + h sum T g,    r_s = x + (sum S' u) / h + sum T' g,    l = l_0 + R theta,

theta being the first coordinate. A particle keeps its distance from the tip, d xi / d l = (1 - xi) / l, so that

    dr/dl = xi x + (sum T g) / N + (1 - xi) r_s,    d2r/dl2 = (1 - xi) ((1 - xi) r_ss - 2 (sum S' u) / (h l)).

Every particle has its inertial force along its own displacements, as in kernels/bodies/deployable_beam.py. What is on
the
drum is a mass rho (L - l) at the outlet, the frame's origin, and turns with the drum: the inertia
J = I + rho (L - l) R^2 about the drum's axis has the kinetic energy J (theta' + omega . axis)^2 / 2. What passes the
outlet changes from the speed l' of the drum's rim to l' |r_s|, and its momentum by rho l'^2 r_s a second: Lagrange's
equations of energies whose limits move give that as the force rho l'^2 r_s on the frame, and R rho l'^2 |r_s|^2 / 2 on
theta. What is on the drum is not strained, so that theta also feels the strain energy of what leaves it: in a straight
cable under the tension n its effort is R n (1 + eps / 2), a configurational force (Bigoni et al. 2015, Mechanics of
Materials 80, 368). Where the cable goes on to another winch, as over a pulley, what is not out does not turn with the
drum: J = I.

The numbers of a body are named in `ale_cable_layout`.
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, Wrench, cross, rotated
from ..body_data import vectors_at
from ..compiler import kernel, optional_kernel
from ..fixed_size import operation
from ..flat_arrays import add_value
from ..scalar import root
from .ale_cable_forces import elastic_forces
from .ale_cable_layout import (
    ale_cable,
    ale_section,
    ale_station_at,
    component,
    element_of,
    entry_of,
    of_gradients,
    of_places,
)
from .gravity_gradient import dyad
from .lumped_beam_inertia import beam_axes_in_world, point_inertia, put_sums
from .lumped_layout import dense_blocks


@kernel
def unit(c):
    """The unit vector along axis c."""
    return Vec3(1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))


@kernel
def add_point(blocks, n, held, j, point, h, mass, r, psi, f):
    """Adds a point of element j, of a mass at r that theta moves by psi, with the inertial force f, to the blocks of a
    body: all but the constant mass of nodes with nodes."""
    blocks.coupling[0] += Wrench(mass * cross(r, psi), mass * psi)
    blocks.mass[0] += mass * (psi @ psi)
    blocks.b[0] += psi @ f
    for a in range(4):
        k, count = entry_of(held, j, a)
        S = point.each[a] * (h if a % 2 == 1 else 1.0)
        m = mass * S
        for c in range(count):
            blocks.coupling[k + c] += Wrench(m * cross(r, unit(c)), m * unit(c))
            blocks.mass[n * (k + c)] += m * component(psi, c)
            blocks.b[k + c] += S * component(f, c)


@kernel
def add_masses(mass, n, held, j, masses, density, h):
    """Adds the mass of the nodes of element j with each other, below the diagonal: rho h int S_a S_b d eta."""
    for a in range(4):
        k, count = entry_of(held, j, a)
        for b in range(a + 1):
            l, others = entry_of(held, j, b)
            m = density * h * masses[4 * a + b]
            m *= (h if a % 2 == 1 else 1.0) * (h if b % 2 == 1 else 1.0)
            for c in range(min(count, others)):
                mass[n * (k + c) + l + c] += m


@optional_kernel("ale")
def ale_inertia(model, ws, i, q, v):
    """Inertia, bias and elastic forces of a cable on a winch, into its row of ws.bodies and its blocks of ws.flex."""
    node, flex, blocks = model.tree[i], ws.flex, dense_blocks(model, ws.flex, i)
    section, cable = ale_section(model, i), ale_cable(model, i, q)
    n, e, ev, o, held, h = node.ne, node.e, node.ev, node.flex, cable.held, cable.h
    radius, density, length, elements = section.radius, section.density, cable.length, cable.elements
    R = beam_axes_in_world(model, ws, i)
    omega = R.T @ ws.bodies[i].omega
    none = omega.zero
    x, turn, rate = none + Vec3(1.0, 0.0, 0.0), v[ev], radius * v[ev]
    # blocks and forces begin at zero; what is elastic comes first
    for k in range(o, o + 6 * n + n * n + n):
        flex[k] = 0.0
    elastic_forces(model, ws, i, q, v)

    # inertia of what is out, mass point by mass point of each element
    J, moment, force, first = dyad(none.x, none), none, none, none
    for j in range(elements):
        nodes, rates = element_of(q, e, held, j), element_of(v, ev, held, j)
        add_masses(blocks.mass, n, held, j, section.masses, density, h)
        for k in range(cable.mass_count):
            point = cable.mass_points[k]
            xi = (j + point.fraction) / elements
            left, mass = 1.0 - xi, density * h * point.weight
            # the line there, its slope, and what their rates make of both
            b, c = of_gradients(point.S, nodes), 1.0 / h * of_places(point.S_x, nodes)
            bd = of_gradients(point.S, rates)
            slope = c + of_gradients(point.S_x, nodes) + x
            second = of_places(point.S_xx, nodes) + h * of_gradients(point.S_xx, nodes)
            slope_rate = 1.0 / h * of_places(point.S_x, rates) + of_gradients(point.S_x, rates)
            r = of_places(point.S, nodes) + h * b + xi * length * x
            by_length = 1.0 / elements * b + left * slope + xi * x
            u = of_places(point.S, rates) + h * bd + rate * by_length
            # its acceleration where no coordinate accelerates, and its force
            twice = left / (h * h) * second - 2.0 / length * c
            bias = 2.0 * rate * (1.0 / elements * bd + left * slope_rate) + rate * rate * left * twice
            f = mass * (bias + cross(omega, cross(omega, r) + 2.0 * u))
            force += f
            moment += cross(r, f)
            J = point_inertia(J, mass, r)
            first += mass * r
            add_point(blocks, n, held, j, point, h, mass, r, radius * by_length, f)
    # what passes the outlet
    slope, flow = element_of(q, e, held, 0).g0 + x, density * rate * rate
    force += flow * slope
    blocks.b[0] += 0.5 * radius * flow * (slope @ slope)
    # the drum and what is on it
    axis, stored = section.axis, density * section.stored * radius * radius
    spin, lost, about = section.spin + stored * (section.total - length), -stored * radius, omega @ axis
    J += dyad(spin, axis)
    add_value(flex, o, spin * axis)
    blocks.mass[0] += spin + section.armature
    blocks.b[0] += 0.5 * lost * (turn * turn - about * about)
    moment += (turn + about) * (lost * turn * axis + spin * cross(omega, axis))
    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("ale", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def ale_station(model, i, at, q, v, flex, base):
    """Motion of the place at a fraction of the length that is out; its axes turn as those of `cable_station` do.

    The gradient G has the shapes (sum S' u) / h and T', and by the length -c / l, c = (sum S' u) / h.
    """
    node, station = model.tree[i], ale_station_at(model.floats, at)
    section, cable = ale_section(model, i), ale_cable(model, i, q)
    held, length, h, j, turns = cable.held, cable.length, cable.h, station.element, station.turns
    shapes, radius = vectors_at(flex, base), section.radius
    none = shapes[0].zero
    x, rate, xi = none + Vec3(1.0, 0.0, 0.0), radius * v[node.ev], (j + station.fraction) / cable.elements
    # nodes of the element, position and gradient, and their rates; place and velocity by Hermite shapes
    nodes, rates = element_of(q, node.e, held, j), element_of(v, node.ev, held, j)
    b, bd = of_gradients(station.S, nodes), of_gradients(station.S, rates)
    c, cd = 1.0 / h * of_places(station.S_x, nodes), 1.0 / h * of_places(station.S_x, rates)
    r = of_places(station.S, nodes) + h * b + xi * length * x
    by_length = 1.0 / cable.elements * b + xi * x
    u = of_places(station.S, rates) + h * bd + rate * by_length
    bias = 2.0 * rate / cable.elements * bd
    # the gradient, its rate, and its acceleration at constant rates; G is x where axes do not turn
    G = x + turns * (c + of_gradients(station.S_x, nodes))
    y = turns * (cd + of_gradients(station.S_x, rates) - rate / length * c)
    more = turns * 2.0 * rate / length * (rate / length * c - cd)

    # shapes of all coordinates: theta, then the two nodes
    per = 1.0 / root(G @ G)
    t = per * G
    to_body = section.axes.T
    for k in range(2 * node.ne):
        shapes[k] = none
    shapes[0] = to_body @ turned(t, -turns * per * radius / length * c)
    shapes[1] = to_body @ (radius * by_length)
    for a in range(4):
        k, count = entry_of(held, j, a)
        S = station.each[a] * (h if a % 2 == 1 else 1.0)
        T = turns * per * station.each_x[a] * (1.0 if a % 2 == 1 else 1.0 / h)
        for d in range(count):
            shapes[2 * (k + d)] = to_body @ turned(t, T * unit(d))
            shapes[2 * (k + d) + 1] = to_body @ (S * unit(d))
    # rotation and its rates, from x to t the shortest way
    y, more = per * y, per * more
    spin, stretch = turned(t, y), t @ y
    swing = y - stretch * t
    k = 1.0 / (1.0 + t.x)
    about = -t.z * y.y + t.y * y.z
    tilt = -swing.z * y.y + swing.y * y.z - k * about * swing.x
    alpha = cross(swing, y) - (k * about * swing + k * tilt * t) - stretch * spin + turned(t, more)
    R = to_body @ (shortest(t) @ section.axes)
    return to_body @ r, R, to_body @ u, to_body @ spin, to_body @ bias, to_body @ alpha


@operation
def turned(t, y):
    """Angular velocity of the shortest turn from x to t, where t changes by y: t x y - k t (b . y), with b = x x t and
    k = 1 / (1 + x . t)."""
    return cross(t, y) - (-t.z * y.y + t.y * y.z) / (1.0 + t.x) * t


@operation
def shortest(t):
    """Rotation from x to t the shortest way."""
    k = 1.0 / (1.0 + t.x)
    yz = -k * t.y * t.z
    return Mat3(t.x, -t.y, -t.z, t.y, t.x + k * t.z * t.z, yz, t.z, yz, t.x + k * t.y * t.y)


@optional_kernel("ale")
def ale_attraction(model, ws, i, q, G):
    """Takes int dr/dq_k . G r dm off the block b of body i. What is on the drum is at the outlet, and turns about the
    drum's axis: its potential J axis . G axis / 2 changes with the length."""
    section, cable, b = ale_section(model, i), ale_cable(model, i, q), dense_blocks(model, ws.flex, i).b
    G = rotated(beam_axes_in_world(model, ws, i).T, G)
    radius, density, h, x = section.radius, section.density, cable.h, Vec3(1.0, 0.0, 0.0)
    for j in range(cable.elements):
        nodes = element_of(q, model.tree[i].e, cable.held, j)
        for p in range(cable.mass_count):
            point = cable.mass_points[p]
            xi = (j + point.fraction) / cable.elements
            gradients = of_gradients(point.S, nodes)
            slope = 1.0 / h * of_places(point.S_x, nodes) + of_gradients(point.S_x, nodes)
            r = of_places(point.S, nodes) + h * gradients + xi * cable.length * x
            by_length = 1.0 / cable.elements * gradients + (1.0 - xi) * slope + x
            f = density * h * point.weight * (G @ r)
            b[0] -= radius * (by_length @ f)
            for a in range(4):
                k, count = entry_of(cable.held, j, a)
                S = point.each[a] * (h if a % 2 == 1 else 1.0)
                for c in range(count):
                    b[k + c] -= S * component(f, c)
    stored = density * section.stored * radius * radius * radius
    b[0] -= 0.5 * stored * (section.axis @ (G @ section.axis))
