"""Deploying bodies: a beam whose deployed length l is the first of its internal coordinates, its shapes following it.

Shapes are functions of xi = x / l. With e the amplitudes that follow l, a slice at xi is at

    r = (xi l + sum psi_a e_a + e^T chi e / 2 l,  sum phi_y e_y,  sum phi_z e_z),   chi = -int phi' phi' d xi,

and turned about x by sum tau e. Where the beam stretches, a particle keeps its xi (Chen 1999, eq. C.2). Where it
emerges from a guide, one keeps its distance s = l - x from the tip, xi' = (1 - xi) l' / l, and those with s > l are the
straight rod behind the guide's mouth, which moves along x. Everything else follows from the derivatives of r by e and
l, with a = d xi / d l and b = d^2 xi / d l^2: a = g (1 - xi) / l, b = -2 a / l, g = 1 if it emerges, 0 if it stretches.
The strain energy is  1/2 e^T K e / l^3  of bending (1 / l of stretch and twist), and l feels its derivative (digest of
Chen 1999, section 2.6).

Integers: slices, coordinates of bending along y and z, of stretch, of torsion, coupling points, and where the slices
and the coupling points begin in the floats.
Floats: d (3) and axes (9) as in `slices`; mass of slices at fixed xi, mass a length of those that emerge, g, the whole
length, squared radius of gyration about x, exponents of l in the two damping matrices (bending, others; twice); then
for m = n - 1 amplitudes stiffness and the two damping matrices at l = 1 (m x m each), slope of each shape at the root
(m), slices, coupling points.
A slice: xi, weight, for each amplitude its shape and two derivatives by xi, chi of those that bend along y and along
z, squares. A coupling point as in `slices`, for l = 1. A marker's station: xi, for each amplitude its shape and slope,
then chi and xi of `slices` for l = 1, m (m + 1) / 2 each.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, OMEGA, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31, vec1
from ..spatial import add, cross, dot, mat, rotate, rotate_back, scale, vec
from .deployable_layout import (
    DEPLOYED_AXIAL,
    DEPLOYED_BENDING_Y,
    DEPLOYED_BENDING_Z,
    DEPLOYED_COUPLING,
    DEPLOYED_COUPLING_AT,
    DEPLOYED_TORSION,
    EMERGES,
    EXPONENTS,
    FIXED_MASS,
    GYRATION,
    MASS_A_LENGTH,
    MATRICES,
    SLICES,
    SLICES_AT,
    WHOLE,
)
from .deployable_twist import add_twist, at_the_mouth
from .lumped_beam import beam_axes
from .lumped_beam_inertia import beam_axes_in_world, point_inertia, put_sums
from .rotation_schemes import EXPONENTIAL, section_rotation

GAUSS = 0.28867513459481287
"""Half the distance between the two Gauss points of a rod of unit length."""


@kernel
def add_slice(flex, n, o, columns, m, r, f):
    """Adds a slice of mass m at r, its inertial force f at zero accelerations, to the blocks that begin at o.

    Its displacement by each coordinate is in flex[columns + 3 k]; beam's axes.
    """
    ee = o + 6 * n
    be = ee + n * n
    mr = scale(m, r)
    for k in range(n):
        psi = vec1(flex, columns + 3 * k)
        accumulate31(flex, o + 6 * k, cross(mr, psi))
        accumulate31(flex, o + 6 * k + 3, scale(m, psi))
        accumulate(flex, be + k, dot(psi, f))
        for l in range(k + 1):
            accumulate(flex, ee + n * k + l, m * dot(psi, vec1(flex, columns + 3 * l)))


@kernel
def plane_sums(floats, shape, chi, count, q, e, v, ev, flex, rows, inverse, across):
    """What the `count` amplitudes that bend in one plane do at a slice; their displacements go to flex[rows + 3 k].

    Returns the deflection, its slope and curvature by xi; the same of the rates (two); e chi e, e chi e', e' chi e'.
    """
    zero = 0.0 * flex[0]
    y, p, p2, yd, pd, c, cd, cdd = zero, zero, zero, zero, zero, zero, zero, zero
    for k in range(count):
        ek, vk = get(q, e + k), get(v, ev + k)
        phi, slope = get(floats, shape + 3 * k), get(floats, shape + 3 * k + 1)
        y += phi * ek
        p += slope * ek
        p2 += get(floats, shape + 3 * k + 2) * ek
        yd += phi * vk
        pd += slope * vk
        rho, rho_rate = zero, zero
        for l in range(count):
            rho += get(floats, chi + l) * get(q, e + l)
            rho_rate += get(floats, chi + l) * get(v, ev + l)
        chi += count
        c += rho * ek
        cd += rho * vk
        cdd += rho_rate * vk
        put(flex, rows + 3 * k, inverse * rho)
        put(flex, rows + 3 * k + 1, phi + zero if across == 1 else zero)
        put(flex, rows + 3 * k + 2, phi + zero if across == 2 else zero)
    return y, p, p2, yd, pd, c, cd, cdd


@kernel
def line_sums(floats, shape, count, q, e, v, ev, zero):
    """Of amplitudes that only add up: value, slope and curvature by xi; value and slope of the rates."""
    y, p, p2, yd, pd = zero, zero, zero, zero, zero
    for k in range(count):
        ek, vk = get(q, e + k), get(v, ev + k)
        phi, slope = get(floats, shape + 3 * k), get(floats, shape + 3 * k + 1)
        y += phi * ek
        p += slope * ek
        p2 += get(floats, shape + 3 * k + 2) * ek
        yd += phi * vk
        pd += slope * vk
    return y, p, p2, yd, pd


@kernel
def coupling_sums(model, i, at, q):
    """Twist and the two curvatures of a coupling point of body i, at l = 1."""
    m, e = model.table[i, N] - 1, model.table[i, E] + 1
    phi, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
    for k in range(m):
        phi += model.floats[at + 1 + k] * q[e + k]
        v += model.floats[at + 1 + m + k] * q[e + k]
        w += model.floats[at + 1 + 2 * m + k] * q[e + k]
    return phi, v, w


@kernel
def elastic_forces(model, ws, i, q, v):
    """Begins the block b of body i with the forces of strain and damping, on the amplitudes and on the length."""
    floats, own, flex = model.floats, model.table[i, INTEGERS], ws.flex
    n, body = model.table[i, N], model.table[i, FLOATS]
    m = n - 1
    e, ev = model.table[i, E] + 1, model.table[i, EV] + 1
    be = model.table[i, FLEX] + 6 * n + n * n
    nb = model.integers[own + DEPLOYED_BENDING_Y] + model.integers[own + DEPLOYED_BENDING_Z]
    length = q[e - 1]
    inverse = 1.0 / length
    cube = inverse * inverse * inverse
    K = body + MATRICES
    bending, other = 0.0 * length, 0.0 * length
    # bending strains go as 1 / l^2 and its energy as 1 / l^3, that of stretch and twist as 1 / l
    for k in range(m):
        elastic, first, second = 0.0 * length, 0.0 * length, 0.0 * length
        for l in range(m):
            elastic += floats[K + m * k + l] * q[e + l]
            first += floats[K + m * (m + k) + l] * v[ev + l]
            second += floats[K + m * (2 * m + k) + l] * v[ev + l]
        c = body + EXPONENTS + (0 if k < nb else 1)
        damping = first * length ** floats[c] + second * length ** floats[c + 2]
        if k < nb:
            bending += elastic * q[e + k]
            flex[be + 1 + k] = cube * elastic + damping
        else:
            other += elastic * q[e + k]
            flex[be + 1 + k] = inverse * elastic + damping
    # two unequal stiffnesses of bending, which the twist turns
    energy = 0.0 * length
    at = body + model.integers[own + DEPLOYED_COUPLING_AT]
    for _ in range(model.integers[own + DEPLOYED_COUPLING]):
        phi, y, z = coupling_sums(model, i, at, q)
        f = floats[at]
        energy += f * phi * (y * z + 0.5 * phi * (z * z - y * y))
        by_phi = cube * f * (y * z + phi * (z * z - y * y))
        by_y = cube * f * phi * (z - phi * y)
        by_z = cube * f * phi * (y + phi * z)
        for k in range(m):
            flex[be + 1 + k] += (
                by_phi * floats[at + 1 + k] + by_y * floats[at + 1 + m + k] + by_z * floats[at + 1 + 2 * m + k]
            )
        at += 1 + 3 * m
    # the derivative of the energy by the length
    flex[be] = -inverse * (cube * (1.5 * bending + 3.0 * energy) + 0.5 * inverse * other)


@optional_kernel("deploying")
def deploying_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a deploying body, into its rows of ws.work and blocks of ws.flex."""
    table, floats, integers, work, flex = model.table, model.floats, model.integers, ws.work, ws.flex
    n, body, own = table[i, N], table[i, FLOATS], table[i, INTEGERS]
    e, ev, o = table[i, E], table[i, EV], table[i, FLEX]
    m, ee = n - 1, o + 6 * n
    be = ee + n * n
    columns = flex.size - 6 * n
    twists = columns + 3 * n
    ny, nz = integers[own + DEPLOYED_BENDING_Y], integers[own + DEPLOYED_BENDING_Z]
    na, nt = integers[own + DEPLOYED_AXIAL], integers[own + DEPLOYED_TORSION]
    nb = ny + nz
    R = beam_axes_in_world(mat(work, i, ROT), floats, body)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    length, rate = q[e], v[ev]
    inverse = 1.0 / length
    fixed, density, g = floats[body + FIXED_MASS], floats[body + MASS_A_LENGTH], floats[body + EMERGES]
    gyration = floats[body + GYRATION]

    elastic_forces(model, ws, i, q, v)
    for k in range(o, be):
        put(flex, k, zero)
    # the sections' own inertia about x: momentum of the frame's turning and, added below, of the twist
    polar = gyration * (fixed + density * floats[body + WHOLE])
    J = (polar + zero, zero, zero, zero, zero, zero)
    spin, twisting = polar * omega[0], zero
    moment, force, first = none, none, none
    at = body + integers[own + SLICES_AT]
    for _ in range(integers[own + SLICES]):
        xi, weight = get(floats, at), get(floats, at + 1)
        mass = weight * (fixed + density * length)
        # a particle of an emerging beam is at a fraction that changes with the length: a = dxi/dl, b = d^2xi/dl^2
        a = g * (1.0 - xi) * inverse
        b = -2.0 * a * inverse
        shape = at + 2
        chi = shape + 3 * m
        at = chi + ny * ny + nz * nz
        # bending in both planes, stretch, and the foreshortening e^T chi e of both with its rates
        y, y1, y2, yd, y1d, c, cd, cdd = plane_sums(
            floats, shape, chi, ny, q, e + 1, v, ev + 1, flex, columns + 3, inverse, 1
        )
        z, z1, z2, zd, z1d, k0, k1, k2 = plane_sums(
            floats,
            shape + 3 * ny,
            chi + ny * ny,
            nz,
            q,
            e + 1 + ny,
            v,
            ev + 1 + ny,
            flex,
            columns + 3 + 3 * ny,
            inverse,
            2,
        )
        c, cd, cdd = c + k0, cd + k1, cdd + k2
        u, u1, u2, ud, u1d = line_sums(floats, shape + 3 * nb, na, q, e + 1 + nb, v, ev + 1 + nb, zero)
        # columns of stretch are along the axis; twist does not move the axis
        for k in range(na):
            put31(flex, columns + 3 * (1 + nb + k), (get(floats, shape + 3 * (nb + k)) + zero, zero, zero))
        for k in range(nt):
            put31(flex, columns + 3 * (1 + nb + na + k), none)

        # foreshortening S = c / 2 l, c = e^T chi e: its derivatives by l (twice), and by l and e along e'
        c1 = -(y1 * y1 + z1 * z1)
        c2 = -2.0 * (y1 * y2 + z1 * z2)
        s = 0.5 * inverse
        S1 = s * (c1 * a - c * inverse)
        S2 = s * (c2 * a * a + c1 * b) - inverse * inverse * (c1 * a - c * inverse)
        S1d = -inverse * ((y1 * y1d + z1 * z1d) * a + cd * inverse)
        along = xi + length * a + S1 + u1 * a
        put31(flex, columns, (along, y1 * a, z1 * a))
        r = (xi * length + s * c + u, y, z)
        velocity = (ud + inverse * cd + along * rate, yd + y1 * a * rate, zd + z1 * a * rate)
        bias = (
            inverse * cdd + rate * (2.0 * (S1d + u1d * a) + rate * (S2 + u2 * a * a + u1 * b)),
            rate * (2.0 * a * y1d + rate * (y2 * a * a + y1 * b)),
            rate * (2.0 * a * z1d + rate * (z2 * a * a + z1 * b)),
        )
        # its force without accelerations of coordinates, and its share of the sums
        f = scale(mass, add(bias, cross(omega, add(cross(omega, r), scale(2.0, velocity)))))
        force = add(force, f)
        moment = add(moment, cross(r, f))
        J = point_inertia(J, mass, r)
        first = add(first, scale(mass, r))
        add_slice(flex, n, o, columns, mass, r, f)
        if nt > 0:
            t0, first_turn = shape + 3 * (nb + na), e + 1 + nb + na
            turns = line_sums(floats, t0, nt, q, first_turn, v, ev + 1 + nb + na, zero)
            more_spin, more = add_twist(floats, flex, turns, t0, nt, nb + na, n, o, twists, mass * gyration, a, b, rate)
            spin += more_spin
            twisting += more

    if density > 0.0:
        # the stowed rod, by its two Gauss points
        stowed = floats[body + WHOLE] - length
        mass = 0.5 * density * stowed
        for k in range(1, n):
            put31(flex, columns + 3 * k, none)
        put31(flex, columns, (1.0 + zero, zero, zero))
        for k in range(2):
            r = (stowed * (-0.5 + (2 * k - 1) * GAUSS), zero, zero)
            f = scale(mass, cross(omega, add(cross(omega, r), (2.0 * rate, zero, zero))))
            force = add(force, f)
            moment = add(moment, cross(r, f))
            J = point_inertia(J, mass, r)
            first = add(first, scale(mass, r))
            add_slice(flex, n, o, columns, mass, r, f)
        # what passes the mouth
        stretch, twist = at_the_mouth(model, i, q, inverse)
        flow = density * rate * rate
        force = add(force, (flow * stretch, zero, zero))
        twisting += flow * gyration * twist
        accumulate(flex, be, 0.5 * flow * (stretch * (2.0 + stretch) + gyration * twist * twist))

    moment = add(moment, add(cross(omega, (spin, zero, zero)), (twisting, zero, zero)))
    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("deploying", returns=(3, 9, 3, 3, 3, 3))
def deploying_station(model, i, at, q, v, flex, base):
    """Motion of the place at a fraction xi of the deployed length; as `slices.station`.

    With t = sum theta_k e_k at l = 1, its section is turned by (twist + e^T xi e / 2 l^2, t_y / l, t_z / l).
    """
    floats, own, body = model.floats, model.table[i, INTEGERS], model.table[i, FLOATS]
    n = model.table[i, N]
    m, e, ev = n - 1, model.table[i, E] + 1, model.table[i, EV] + 1
    ny, nz = model.integers[own + DEPLOYED_BENDING_Y], model.integers[own + DEPLOYED_BENDING_Z]
    na = model.integers[own + DEPLOYED_AXIAL]
    zero = 0.0 * flex[0]
    length, rate = q[e - 1], v[ev - 1]
    inverse = 1.0 / length
    square = inverse * inverse
    y, z, u, twist, yd, zd, ud, twist_rate = zero, zero, zero, zero, zero, zero, zero, zero
    y1, z1, y1d, z1d = zero, zero, zero, zero
    c, cd, cdd, x, xd, xdd = zero, zero, zero, zero, zero, zero
    chi = at + 1 + 2 * m
    turn = chi + m * (m + 1) // 2
    # sums over amplitudes, and the shapes of each: foreshortening and roll are quadratic in them
    for k in range(m):
        # rows k of chi and xi (symmetric, kept as triangles) times amplitudes and rates
        rho, rho_rate, roll, roll_rate = zero, zero, zero, zero
        for l in range(m):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            rho += floats[chi + j] * q[e + l]
            rho_rate += floats[chi + j] * v[ev + l]
            roll += floats[turn + j] * q[e + l]
            roll_rate += floats[turn + j] * v[ev + l]
        ek, vk = q[e + k], v[ev + k]
        c += rho * ek
        cd += rho * vk
        cdd += rho_rate * vk
        x += roll * ek
        xd += roll * vk
        xdd += roll_rate * vk
        # displacement and turn of the section: along by foreshortening, about the axis by roll
        phi, slope = floats[at + 1 + 2 * k], floats[at + 2 + 2 * k]
        psi = (inverse * rho, zero, zero)
        theta = (square * roll, zero, zero)
        # and what the amplitude is of: bending along y, along z, stretch or twist
        if k < ny:
            y += phi * ek
            yd += phi * vk
            y1 += slope * ek
            y1d += slope * vk
            psi = (psi[0], phi + zero, zero)
            theta = (theta[0], zero, slope * inverse)
        elif k < ny + nz:
            z += phi * ek
            zd += phi * vk
            z1 += slope * ek
            z1d += slope * vk
            psi = (psi[0], zero, phi + zero)
            theta = (theta[0], -slope * inverse, zero)
        elif k < ny + nz + na:
            u += phi * ek
            ud += phi * vk
            psi = (psi[0] + phi, zero, zero)
        else:
            twist += phi * ek
            twist_rate += phi * vk
            theta = (theta[0] + phi, zero, zero)
        put31(flex, base + 6 * (k + 1), theta)
        put31(flex, base + 6 * (k + 1) + 3, psi)
    # the length as a coordinate: the place at a fraction moves along with it
    along = floats[at] - 0.5 * square * c
    turning = (-square * inverse * x, square * z1, -square * y1)
    put31(flex, base, turning)
    put31(flex, base + 3, (along, zero, zero))
    # position and rotation vector, their rates, and their accelerations at constant rates
    r = (floats[at] * length + u + 0.5 * inverse * c, y, z)
    velocity = (ud + inverse * cd + along * rate, yd, zd)
    left = inverse * (cdd + inverse * rate * (inverse * rate * c - 2.0 * cd))
    theta = (twist + 0.5 * square * x, -inverse * z1, inverse * y1)
    spin = add((twist_rate + square * xd, -inverse * z1d, inverse * y1d), scale(rate, turning))
    slow = inverse * rate
    theta_left = (
        square * (xdd - 4.0 * slow * xd + 3.0 * slow * slow * x),
        2.0 * inverse * slow * (z1d - slow * z1),
        -2.0 * inverse * slow * (y1d - slow * y1),
    )
    # from rotation vector to rotation, in the axes of the body
    axes = beam_axes(floats, body)
    spin = rotate_back(axes, spin)
    R, T, bias = section_rotation(EXPONENTIAL, axes, rotate_back(axes, theta), spin)
    bias = add(bias, rotate(T, rotate_back(axes, theta_left)))
    for k in range(n):
        put31(flex, base + 6 * k, rotate(T, rotate_back(axes, vec1(flex, base + 6 * k))))
        put31(flex, base + 6 * k + 3, rotate_back(axes, vec1(flex, base + 6 * k + 3)))
    return (
        rotate_back(axes, r),
        R,
        rotate_back(axes, velocity),
        rotate(T, spin),
        rotate_back(axes, (left, zero, zero)),
        bias,
    )


@optional_kernel("deploying", returns=1)
def deploying_strain(model, i, q):
    """Strain energy [J]."""
    floats, own, body = model.floats, model.table[i, INTEGERS], model.table[i, FLOATS]
    m, e = model.table[i, N] - 1, model.table[i, E] + 1
    nb = model.integers[own + DEPLOYED_BENDING_Y] + model.integers[own + DEPLOYED_BENDING_Z]
    inverse = 1.0 / q[e - 1]
    cube = inverse * inverse * inverse
    energy = 0.0 * q[0]
    for k in range(m):
        elastic = 0.0 * q[0]
        for l in range(m):
            elastic += floats[body + MATRICES + m * k + l] * q[e + l]
        energy += 0.5 * elastic * q[e + k] * (cube if k < nb else inverse)
    at = body + model.integers[own + DEPLOYED_COUPLING_AT]
    for _ in range(model.integers[own + DEPLOYED_COUPLING]):
        phi, v, w = coupling_sums(model, i, at, q)
        energy += cube * floats[at] * phi * (v * w + 0.5 * phi * (w * w - v * v))
        at += 1 + 3 * m
    return energy


@optional_kernel("deploying", returns=1)
def deploying_dissipation(model, i, q, v):
    """Power dissipated inside the body [W]."""
    floats, own, body = model.floats, model.table[i, INTEGERS], model.table[i, FLOATS]
    m, ev = model.table[i, N] - 1, model.table[i, EV] + 1
    nb = model.integers[own + DEPLOYED_BENDING_Y] + model.integers[own + DEPLOYED_BENDING_Z]
    length = q[model.table[i, E]]
    power = 0.0 * v[0]
    for k in range(m):
        first, second = 0.0 * v[0], 0.0 * v[0]
        for l in range(m):
            first += floats[body + MATRICES + m * (m + k) + l] * v[ev + l]
            second += floats[body + MATRICES + m * (2 * m + k) + l] * v[ev + l]
        c = body + EXPONENTS + (0 if k < nb else 1)
        power += (first * length ** floats[c] + second * length ** floats[c + 2]) * v[ev + k]
    return power
