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

Integers and floats: `ale_cable_layout`; the first 12 floats are a direction and axes, as those of `slices`.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, OMEGA, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31, vec1
from ..scalar import root
from ..spatial import (
    add,
    cross,
    dot,
    mat,
    matmul,
    rotate_back,
    rotate_sym,
    scale,
    sub,
    sym_times,
    transpose,
    vec,
)
from .ale_cable_forces import elastic_forces, entry_of, in_line, node_of
from .ale_cable_layout import (
    ALE_STATION_PARTIALS,
    MASS_POINT,
    REEL_ARMATURE,
    REEL_AXIS,
    REEL_DENSITY,
    REEL_ELEMENTS,
    REEL_GRADIENTS,
    REEL_MASS_POINTS,
    REEL_MASSES,
    REEL_OUT,
    REEL_POINTS,
    REEL_RADIUS,
    REEL_SPIN,
    REEL_STORED,
    REEL_WHOLE,
    STATION_ELEMENT,
    STATION_FRACTION,
    STATION_SHAPES,
    STATION_TURNS,
)
from .lumped_beam import beam_axes
from .lumped_beam_inertia import beam_axes_in_world, point_inertia, put_sums


@kernel
def across(r, c):
    """r times the unit vector along axis c."""
    zero = 0.0 * r[0]
    if c == 0:
        return (zero, r[2], -r[1])
    if c == 1:
        return (-r[2], zero, r[0])
    return (r[1], -r[0], zero)


@kernel
def add_point(flex, n, o, held, j, floats, at, h, mass, r, psi, f):
    """Adds a point of element j, of a mass at r that theta moves by psi, with the inertial force f, to the blocks at o:
    all but the constant mass of nodes with nodes."""
    ee = o + 6 * n
    be = ee + n * n
    accumulate31(flex, o, scale(mass, cross(r, psi)))
    accumulate31(flex, o + 3, scale(mass, psi))
    accumulate(flex, ee, mass * dot(psi, psi))
    accumulate(flex, be, dot(psi, f))
    for a in range(4):
        k, count = entry_of(held, j, a)
        S = get(floats, at + a) * (h if a % 2 == 1 else 1.0)
        m = mass * S
        for c in range(count):
            accumulate31(flex, o + 6 * (k + c), scale(m, across(r, c)))
            accumulate(flex, o + 6 * (k + c) + 3 + c, m)
            accumulate(flex, ee + n * (k + c), m * psi[c])
            accumulate(flex, be + k + c, S * f[c])


@kernel
def add_masses(flex, n, ee, held, j, floats, masses, density, h):
    """Adds the mass of the nodes of element j with each other, below the diagonal: rho h int S_a S_b d eta."""
    for a in range(4):
        k, count = entry_of(held, j, a)
        for b in range(a + 1):
            l, others = entry_of(held, j, b)
            m = density * h * get(floats, masses + 4 * a + b)
            m *= (h if a % 2 == 1 else 1.0) * (h if b % 2 == 1 else 1.0)
            for c in range(min(count, others)):
                accumulate(flex, ee + n * (k + c) + l + c, m)


@optional_kernel("ale")
def ale_inertia(model, ws, i, q, v):
    """Inertia, bias and elastic forces of a cable on a winch, into its rows of ws.work and its blocks of ws.flex."""
    table, floats, work, flex = model.table, model.floats, ws.work, ws.flex
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    points = model.integers[own + REEL_MASS_POINTS]
    radius, density = floats[body + REEL_RADIUS], floats[body + REEL_DENSITY]
    R = beam_axes_in_world(mat(work, i, ROT), floats, body)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    length = floats[body + REEL_OUT] + radius * q[e]
    turn, rate = v[ev], radius * v[ev]
    h = length / elements
    # blocks and forces begin at zero; what is elastic comes first
    for k in range(o, be + n):
        put(flex, k, zero)
    elastic_forces(model, ws, i, q, v, length, rate)

    # inertia of what is out, mass point by mass point of each element
    J, moment, force, first = (zero, zero, zero, zero, zero, zero), none, none, none
    for j in range(elements):
        p0, g0 = node_of(q, e, held, j)
        p1, g1 = node_of(q, e, held, j + 1)
        w0, x0 = node_of(v, ev, held, j)
        w1, x1 = node_of(v, ev, held, j + 1)
        add_masses(flex, n, ee, held, j, floats, body + REEL_MASSES, density, h)
        for k in range(points):
            at = body + REEL_POINTS + MASS_POINT * k
            xi = (j + floats[at]) / elements
            left = 1.0 - xi
            mass = density * h * floats[at + 1]
            # the line there, its slope, and what their rates make of both
            b, c = in_line(floats, at + 3, g0, g1), scale(1.0 / h, in_line(floats, at + 6, p0, p1))
            bd = in_line(floats, at + 3, x0, x1)
            slope = add(add(c, in_line(floats, at + 7, g0, g1)), (1.0 + zero, zero, zero))
            second = add(in_line(floats, at + 10, p0, p1), scale(h, in_line(floats, at + 11, g0, g1)))
            slope_rate = add(scale(1.0 / h, in_line(floats, at + 6, w0, w1)), in_line(floats, at + 7, x0, x1))
            r = add(add(in_line(floats, at + 2, p0, p1), scale(h, b)), (xi * length, zero, zero))
            by_length = add(add(scale(1.0 / elements, b), scale(left, slope)), (xi + zero, zero, zero))
            u = add(add(in_line(floats, at + 2, w0, w1), scale(h, bd)), scale(rate, by_length))
            # its acceleration where no coordinate accelerates, and its force
            twice = sub(scale(left / (h * h), second), scale(2.0 / length, c))
            bias = scale(2.0 * rate, add(scale(1.0 / elements, bd), scale(left, slope_rate)))
            bias = add(bias, scale(rate * rate * left, twice))
            f = scale(mass, add(bias, cross(omega, add(cross(omega, r), scale(2.0, u)))))
            force = add(force, f)
            moment = add(moment, cross(r, f))
            J = point_inertia(J, mass, r)
            first = add(first, scale(mass, r))
            add_point(flex, n, o, held, j, floats, at + 2, h, mass, r, scale(radius, by_length), f)
    # what passes the outlet
    _, g0 = node_of(q, e, held, 0)
    slope = add(g0, (1.0 + zero, zero, zero))
    flow = density * rate * rate
    force = add(force, scale(flow, slope))
    accumulate(flex, be, 0.5 * radius * flow * dot(slope, slope))
    # the drum and what is on it
    axis = vec1(floats, body + REEL_AXIS)
    stored = density * floats[body + REEL_STORED] * radius * radius
    spin = floats[body + REEL_SPIN] + stored * (floats[body + REEL_WHOLE] - length)
    lost = -stored * radius
    about = dot(omega, axis)
    J = (
        J[0] + spin * axis[0] * axis[0],
        J[1] + spin * axis[1] * axis[1],
        J[2] + spin * axis[2] * axis[2],
        J[3] + spin * axis[0] * axis[1],
        J[4] + spin * axis[0] * axis[2],
        J[5] + spin * axis[1] * axis[2],
    )
    accumulate31(flex, o, scale(spin, axis))
    accumulate(flex, ee, spin + floats[body + REEL_ARMATURE])
    accumulate(flex, be, 0.5 * lost * (turn * turn - about * about))
    moment = add(moment, scale(turn + about, add(scale(lost * turn, axis), scale(spin, cross(omega, axis)))))
    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("ale", returns=(3, 9, 3, 3, 3, 3))
def ale_station(model, i, at, q, v, flex, base):
    """Motion of the place at a fraction of the length that is out; its axes turn as those of `cable_station` do.

    The gradient G has the shapes (sum S') / h and T', and by the length -c / l, c = (sum S' u) / h.
    """
    floats, own, body = model.floats, model.table[i, INTEGERS], model.table[i, FLOATS]
    n, e, ev = model.table[i, N], model.table[i, E], model.table[i, EV]
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    zero = 0.0 * flex[0]
    none, x = (zero, zero, zero), (1.0 + zero, zero, zero)
    radius = floats[body + REEL_RADIUS]
    length, rate = floats[body + REEL_OUT] + radius * q[e], radius * v[ev]
    h, j = length / elements, int(floats[at + STATION_ELEMENT])
    xi, turns = (j + floats[at + STATION_FRACTION]) / elements, floats[at + STATION_TURNS]
    shape, slope = at + STATION_SHAPES, at + ALE_STATION_PARTIALS
    # nodes of the element, position and gradient, and their rates; place and velocity by Hermite shapes
    p0, g0 = node_of(q, e, held, j)
    p1, g1 = node_of(q, e, held, j + 1)
    w0, x0 = node_of(v, ev, held, j)
    w1, x1 = node_of(v, ev, held, j + 1)
    b, bd = in_line(floats, shape + 1, g0, g1), in_line(floats, shape + 1, x0, x1)
    c, cd = scale(1.0 / h, in_line(floats, slope, p0, p1)), scale(1.0 / h, in_line(floats, slope, w0, w1))
    r = add(add(in_line(floats, shape, p0, p1), scale(h, b)), scale(xi * length, x))
    by_length = add(scale(1.0 / elements, b), scale(xi, x))
    u = add(add(in_line(floats, shape, w0, w1), scale(h, bd)), scale(rate, by_length))
    bias = scale(2.0 * rate / elements, bd)
    # the gradient, its rate, and its acceleration at constant rates; G is x where axes do not turn
    G = add(x, scale(turns, add(c, in_line(floats, slope + 1, g0, g1))))
    y = scale(turns, sub(add(cd, in_line(floats, slope + 1, x0, x1)), scale(rate / length, c)))
    more = scale(turns * 2.0 * rate / length, sub(scale(rate / length, c), cd))

    # shapes of all coordinates: theta, then the two nodes
    per = 1.0 / root(dot(G, G))
    t = scale(per, G)
    axes = beam_axes(floats, body)
    for k in range(6 * n):
        put(flex, base + k, zero)
    put31(flex, base, rotate_back(axes, turned(t, scale(-turns * per * radius / length, c))))
    put31(flex, base + 3, rotate_back(axes, scale(radius, by_length)))
    for a in range(4):
        k, count = entry_of(held, j, a)
        S = floats[shape + a] * (h if a % 2 == 1 else 1.0)
        T = turns * per * floats[slope + a] * (1.0 if a % 2 == 1 else 1.0 / h)
        for d in range(count):
            unit = (1.0 * (d == 0) + zero, 1.0 * (d == 1) + zero, 1.0 * (d == 2) + zero)
            put31(flex, base + 6 * (k + d), rotate_back(axes, turned(t, scale(T, unit))))
            put31(flex, base + 6 * (k + d) + 3, rotate_back(axes, scale(S, unit)))
    # rotation and its rates, from x to t the shortest way
    R = shortest(t)
    y, more = scale(per, y), scale(per, more)
    spin = turned(t, y)
    stretch = dot(t, y)
    swing = sub(y, scale(stretch, t))
    k = 1.0 / (1.0 + t[0])
    about = -t[2] * y[1] + t[1] * y[2]
    tilt = -swing[2] * y[1] + swing[1] * y[2] - k * about * swing[0]
    alpha = sub(cross(swing, y), add(scale(k * about, swing), scale(k * tilt, t)))
    alpha = add(sub(alpha, scale(stretch, spin)), turned(t, more))
    R = matmul(transpose(axes), matmul(R, axes))
    return (
        rotate_back(axes, r),
        R,
        rotate_back(axes, u),
        rotate_back(axes, spin),
        rotate_back(axes, bias),
        rotate_back(axes, add(alpha, none)),
    )


@kernel
def turned(t, y):
    """Angular velocity of the shortest turn from x to t, where t changes by y: t x y - k t (b . y), with b = x x t and
    k = 1 / (1 + x . t)."""
    about = (-t[2] * y[1] + t[1] * y[2]) / (1.0 + t[0])
    return sub(cross(t, y), scale(about, t))


@kernel
def shortest(t):
    """Rotation from x to t the shortest way."""
    k = 1.0 / (1.0 + t[0])
    return (
        t[0],
        -t[1],
        -t[2],
        t[1],
        t[0] + k * t[2] * t[2],
        -k * t[1] * t[2],
        t[2],
        -k * t[1] * t[2],
        t[0] + k * t[1] * t[1],
    )


@optional_kernel("ale")
def ale_attraction(model, ws, i, q, G):
    """Takes int dr/dq_k . G r dm off the block b of body i. What is on the drum is at the outlet, and turns about the
    drum's axis: its potential J axis . G axis / 2 changes with the length."""
    table, floats, flex = model.table, model.floats, ws.flex
    n, body, own, e = table[i, N], table[i, FLOATS], table[i, INTEGERS], table[i, E]
    be = table[i, FLEX] + 6 * n + n * n
    elements, held = model.integers[own + REEL_ELEMENTS], model.integers[own + REEL_GRADIENTS]
    G = rotate_sym(transpose(beam_axes_in_world(mat(ws.work, i, ROT), floats, body)), G)
    zero = 0.0 * flex[0]
    radius, density = floats[body + REEL_RADIUS], floats[body + REEL_DENSITY]
    length = floats[body + REEL_OUT] + radius * q[e]
    h = length / elements
    for j in range(elements):
        p0, g0 = node_of(q, e, held, j)
        p1, g1 = node_of(q, e, held, j + 1)
        for k in range(model.integers[own + REEL_MASS_POINTS]):
            at = body + REEL_POINTS + MASS_POINT * k
            xi = (j + floats[at]) / elements
            b = in_line(floats, at + 3, g0, g1)
            slope = add(scale(1.0 / h, in_line(floats, at + 6, p0, p1)), in_line(floats, at + 7, g0, g1))
            r = add(add(in_line(floats, at + 2, p0, p1), scale(h, b)), (xi * length, zero, zero))
            by_length = add(add(scale(1.0 / elements, b), scale(1.0 - xi, slope)), (1.0 + zero, zero, zero))
            f = scale(density * h * floats[at + 1], sym_times(G, r))
            accumulate(flex, be, -radius * dot(by_length, f))
            for a in range(4):
                first, count = entry_of(held, j, a)
                S = floats[at + 2 + a] * (h if a % 2 == 1 else 1.0)
                for c in range(count):
                    accumulate(flex, be + first + c, -S * f[c])
    axis = vec1(floats, body + REEL_AXIS)
    stored = density * floats[body + REEL_STORED] * radius * radius * radius
    accumulate(flex, be, -0.5 * stored * dot(axis, sym_times(G, axis)))
