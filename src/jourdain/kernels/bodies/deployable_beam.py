"""Deploying bodies: a beam whose deployed length l is the first of its internal coordinates, its shapes following it.

Shapes are functions of xi = x / l. With e the amplitudes that follow l, a slice at xi is at

    r = (xi l + sum psi_a e_a + e^T chi e / 2 l,  sum phi_y e_y,  sum phi_z e_z),   chi = -int phi' phi' d xi,

and turned about x by sum tau e. Where the beam stretches, a particle keeps its xi (Chen 1999, eq. C.2). Where it
emerges from a guide, one keeps its distance s = l - x from the tip, xi' = (1 - xi) l' / l, and those with s > l are the
straight rod behind the guide's mouth, which moves along x. Everything else follows from the derivatives of r by e and
l, with a = d xi / d l and b = d^2 xi / d l^2: a = g (1 - xi) / l, b = -2 a / l, g = 1 if it emerges, 0 if it stretches.
The strain energy is  1/2 e^T K e / l^3  of bending (1 / l of stretch and twist), and l feels its derivative (digest of
Chen 1999, section 2.6).

The numbers of a body are named in `deployable_layout`. A marker's station: xi, for each amplitude its shape and slope,
then chi and xi of `lumped_beam` for l = 1, m (m + 1) / 2 each.
"""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Mat3, Sym3, Vec3, Wrench, cross
from ..body_data import vectors_at
from ..compiler import kernel, optional_kernel
from .deployable_layout import deployable_arrays, deployable_body, slice_at
from .deployable_twist import add_twist, at_the_mouth
from .lumped_beam import coupling_energy, coupling_force
from .lumped_beam_inertia import beam_axes_in_world, point_inertia, put_sums
from .lumped_layout import dense_blocks
from .rotation_schemes import EXPONENTIAL, section_rotation

GAUSS = 0.28867513459481287
"""Half the distance between the two Gauss points of a rod of unit length."""


@kernel
def add_slice(blocks, n, columns, m, r, f):
    """Adds a slice of mass m at r, its inertial force f at zero accelerations, to the blocks of a body.

    Its displacement by each coordinate is in `columns`; beam's axes.
    """
    mr = m * r
    for k in range(n):
        psi = columns[k]
        blocks.coupling[k] += Wrench(cross(mr, psi), m * psi)
        blocks.b[k] += psi @ f
        for l in range(k + 1):
            blocks.mass[n * k + l] += m * (psi @ columns[l])


@kernel
def plane_sums(shapes, chi, count, q, e, v, ev, columns, inverse, across):
    """What the `count` amplitudes that bend in one plane do at a slice; their displacements are written to `columns`.

    Returns value, slope and curvature by xi of the deflection, the same of its rate, and e chi e, e chi e', e' chi e'.
    """
    none = columns[0].zero
    y, rate, c = none, none, none
    for k in range(count):
        ek, vk, phi = q[e + k], v[ev + k], shapes[k]
        y += ek * phi
        rate += vk * phi
        rho, rho_rate = none.x, none.x
        for l in range(count):
            rho += chi[count * k + l] * q[e + l]
            rho_rate += chi[count * k + l] * v[ev + l]
        c += Vec3(rho * ek, rho * vk, rho_rate * vk)
        columns[k] = Vec3(inverse * rho, phi.x if across == 1 else 0.0, phi.x if across == 2 else 0.0)
    return y, rate, c


@kernel
def line_sums(shapes, count, q, e, v, ev):
    """Of amplitudes that only add up: value, slope and curvature by xi, and those of the rates."""
    y, rate = Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0)
    for k in range(count):
        y += q[e + k] * shapes[k]
        rate += v[ev + k] * shapes[k]
    return y, rate


class SliceSums(NamedTuple):
    """What the amplitudes do at a slice: value, slope and curvature by xi, and those of the rates."""

    y: Vec3
    z: Vec3
    u: Vec3
    y_rate: Vec3
    z_rate: Vec3
    u_rate: Vec3
    c: Vec3  # e chi e, e chi e', e' chi e'


@kernel
def slice_sums(body, own, q, e, v, ev, columns, inverse):
    """The sums at slice `own` over amplitudes q[e ...]; their displacements of it are written to columns[1:]."""
    ny, nb = body.bending_y, body.bending_y + body.bending_z
    none = columns[0].zero
    y, y_rate, c = plane_sums(own.shapes, own.chi, ny, q, e, v, ev, columns[1:], inverse, 1)
    z, z_rate, more = plane_sums(
        own.shapes[ny:], own.chi[ny * ny :], nb - ny, q, e + ny, v, ev + ny, columns[1 + ny :], inverse, 2
    )
    u, u_rate = line_sums(own.shapes[nb:], body.axial, q, e + nb, v, ev + nb)
    # columns of stretch are along the axis; twist does not move the axis
    for k in range(nb, nb + body.axial):
        columns[1 + k] = Vec3(own.shapes[k].x, 0.0, 0.0)
    for k in range(nb + body.axial, nb + body.axial + body.torsion):
        columns[1 + k] = none
    return SliceSums(y=y, z=z, u=u, y_rate=y_rate, z_rate=z_rate, u_rate=u_rate, c=c + more)


@kernel
def elastic_forces(model, ws, i, q, v):
    """Begins the block b of body i with the forces of strain and damping, on the amplitudes and on the length."""
    body, section = deployable_body(model, i)
    arrays, b, powers = deployable_arrays(model, i), dense_blocks(model, ws.flex, i).b, section.exponents
    m, e, ev = model.tree[i].ne - 1, model.tree[i].e + 1, model.tree[i].ev + 1
    length = q[e - 1]
    inverse = 1.0 / length
    cube = inverse * inverse * inverse
    bending, other = 0.0 * length, 0.0 * length
    # bending strains go as 1 / l^2 and its energy as 1 / l^3, that of stretch and twist as 1 / l
    for k in range(m):
        elastic, first, second = 0.0 * length, 0.0 * length, 0.0 * length
        for l in range(m):
            elastic += arrays.stiffness[m * k + l] * q[e + l]
            first += arrays.damping[m * k + l] * v[ev + l]
            second += arrays.damping_more[m * k + l] * v[ev + l]
        bends = k < body.bending_y + body.bending_z
        c = 0 if bends else 1
        damping = first * length ** powers[c] + second * length ** powers[c + 2]
        if bends:
            bending += elastic * q[e + k]
            b[1 + k] = cube * elastic + damping
        else:
            other += elastic * q[e + k]
            b[1 + k] = inverse * elastic + damping
    # two unequal stiffnesses of bending, which the twist turns; the derivative of the energy by the length
    energy = coupling_force(body.coupling, body.coupling_points, m, q, e, cube, b[1:])
    b[0] = -inverse * (cube * (1.5 * bending + 3.0 * energy) + 0.5 * inverse * other)


@optional_kernel("deploying")
def deploying_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a deploying body, into its row of ws.bodies and blocks of ws.flex."""
    node, flex, blocks = model.tree[i], ws.flex, dense_blocks(model, ws.flex, i)
    body, section = deployable_body(model, i)
    n, e, ev, o = node.ne, node.e, node.ev, node.flex
    columns = vectors_at(blocks.scratch, 0)
    nb, na, nt = body.bending_y + body.bending_z, body.axial, body.torsion
    R = beam_axes_in_world(model, ws, i)
    omega = R.T @ ws.bodies[i].omega
    none, zero = omega.zero, omega.zero.x
    length, rate = q[e], v[ev]
    inverse = 1.0 / length
    fixed, density, gyration = section.fixed_mass, section.density, section.gyration

    elastic_forces(model, ws, i, q, v)
    for k in range(o, o + 6 * n + n * n):
        flex[k] = zero
    # the sections' own inertia about x: momentum of the frame's turning and, added below, of the twist
    polar = gyration * (fixed + density * section.total)
    J = Sym3(polar, zero, zero, zero, zero, zero)
    spin, twisting = polar * omega.x, zero
    moment, force, first = none, none, none
    for p in range(body.slices):
        own = slice_at(body, n - 1, p)
        xi, mass = own.xi, own.weight * (fixed + density * length)
        # a particle of an emerging beam is at a fraction that changes with the length: a = dxi/dl, b = d^2xi/dl^2
        a = section.emerges * (1.0 - xi) * inverse
        b = -2.0 * a * inverse
        # bending in both planes, stretch, and the foreshortening e^T chi e of both with its rates
        s = slice_sums(body, own, q, e + 1, v, ev + 1, columns, inverse)
        y, z, u, yd, zd, ud = s.y, s.z, s.u, s.y_rate, s.z_rate, s.u_rate
        c, cd, cdd = s.c.x, s.c.y, s.c.z

        # foreshortening S = c / 2 l, c = e^T chi e: its derivatives by l (twice), and by l and e along e'
        c1 = -(y.y * y.y + z.y * z.y)
        c2 = -2.0 * (y.y * y.z + z.y * z.z)
        half = 0.5 * inverse
        S1 = half * (c1 * a - c * inverse)
        S2 = half * (c2 * a * a + c1 * b) - inverse * inverse * (c1 * a - c * inverse)
        S1d = -inverse * ((y.y * yd.y + z.y * zd.y) * a + cd * inverse)
        along = xi + length * a + S1 + u.y * a
        columns[0] = Vec3(along, y.y * a, z.y * a)
        r = Vec3(xi * length + half * c + u.x, y.x, z.x)
        velocity = Vec3(ud.x + inverse * cd + along * rate, yd.x + y.y * a * rate, zd.x + z.y * a * rate)
        bias = Vec3(
            inverse * cdd + rate * (2.0 * (S1d + ud.y * a) + rate * (S2 + u.z * a * a + u.y * b)),
            rate * (2.0 * a * yd.y + rate * (y.z * a * a + y.y * b)),
            rate * (2.0 * a * zd.y + rate * (z.z * a * a + z.y * b)),
        )
        # its force without accelerations of coordinates, and its share of the sums
        f = mass * (bias + cross(omega, cross(omega, r) + 2.0 * velocity))
        force += f
        moment += cross(r, f)
        J = point_inertia(J, mass, r)
        first += mass * r
        add_slice(blocks, n, columns, mass, r, f)
        if nt > 0:
            before = nb + na
            twist, turning = line_sums(own.shapes[before:], nt, q, e + 1 + before, v, ev + 1 + before)
            more_spin, more = add_twist(
                blocks, own.shapes[before:], twist, turning, nt, before, n, mass * gyration, a, b, rate
            )
            spin += more_spin
            twisting += more

    if density > 0.0:
        # the stowed rod, by its two Gauss points
        stowed = section.total - length
        mass = 0.5 * density * stowed
        for k in range(1, n):
            columns[k] = none
        columns[0] = Vec3(1.0, 0.0, 0.0)
        for k in range(2):
            r = Vec3(stowed * (-0.5 + (2 * k - 1) * GAUSS), zero, zero)
            f = mass * cross(omega, cross(omega, r) + Vec3(2.0 * rate, zero, zero))
            force += f
            moment += cross(r, f)
            J = point_inertia(J, mass, r)
            first += mass * r
            add_slice(blocks, n, columns, mass, r, f)
        # what passes the mouth
        stretch, twist_root = at_the_mouth(model, i, q, inverse)
        flow = density * rate * rate
        force += Vec3(flow * stretch, zero, zero)
        twisting += flow * gyration * twist_root
        blocks.b[0] += 0.5 * flow * (stretch * (2.0 + stretch) + gyration * twist_root * twist_root)

    moment += cross(omega, Vec3(spin, zero, zero)) + Vec3(twisting, zero, zero)
    put_sums(model, ws, i, R, first, J, moment, force)


@optional_kernel("deploying", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def deploying_station(model, i, at, q, v, flex, base):
    """Motion of the place at a fraction xi of the deployed length; as `slices.station`.

    With t = sum theta_k e_k at l = 1, its section is turned by (twist + e^T xi e / 2 l^2, t_y / l, t_z / l).
    """
    floats, n, shapes = model.floats, model.tree[i].ne, vectors_at(flex, base)
    body, section = deployable_body(model, i)
    m, e, ev = n - 1, model.tree[i].e + 1, model.tree[i].ev + 1
    ny, nz, na = body.bending_y, body.bending_z, body.axial
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
        psi, theta = Vec3(inverse * rho, zero, zero), Vec3(square * roll, zero, zero)
        # and what the amplitude is of: bending along y, along z, stretch or twist
        if k < ny:
            y += phi * ek
            yd += phi * vk
            y1 += slope * ek
            y1d += slope * vk
            psi, theta = Vec3(psi.x, phi, zero), Vec3(theta.x, zero, slope * inverse)
        elif k < ny + nz:
            z += phi * ek
            zd += phi * vk
            z1 += slope * ek
            z1d += slope * vk
            psi, theta = Vec3(psi.x, zero, phi), Vec3(theta.x, -slope * inverse, zero)
        elif k < ny + nz + na:
            u += phi * ek
            ud += phi * vk
            psi = Vec3(psi.x + phi, zero, zero)
        else:
            twist += phi * ek
            twist_rate += phi * vk
            theta = Vec3(theta.x + phi, zero, zero)
        shapes[2 * k + 2], shapes[2 * k + 3] = theta, psi
    # the length as a coordinate: the place at a fraction moves along with it
    along = floats[at] - 0.5 * square * c
    turning = Vec3(-square * inverse * x, square * z1, -square * y1)
    shapes[0], shapes[1] = turning, Vec3(along, zero, zero)
    # position and rotation vector, their rates, and their accelerations at constant rates
    r = Vec3(floats[at] * length + u + 0.5 * inverse * c, y, z)
    velocity = Vec3(ud + inverse * cd + along * rate, yd, zd)
    left = inverse * (cdd + inverse * rate * (inverse * rate * c - 2.0 * cd))
    theta = Vec3(twist + 0.5 * square * x, -inverse * z1, inverse * y1)
    spin = Vec3(twist_rate + square * xd, -inverse * z1d, inverse * y1d) + rate * turning
    slow = inverse * rate
    theta_left = Vec3(
        square * (xdd - 4.0 * slow * xd + 3.0 * slow * slow * x),
        2.0 * inverse * slow * (z1d - slow * z1),
        -2.0 * inverse * slow * (y1d - slow * y1),
    )
    # from rotation vector to rotation, in the axes of the body
    to_body = section.axes.T
    spin = to_body @ spin
    R, T, bias = section_rotation(EXPONENTIAL, section.axes, to_body @ theta, spin)
    bias += T @ (to_body @ theta_left)
    for k in range(n):
        shapes[2 * k], shapes[2 * k + 1] = T @ (to_body @ shapes[2 * k]), to_body @ shapes[2 * k + 1]
    return to_body @ r, R, to_body @ velocity, T @ spin, to_body @ Vec3(left, zero, zero), bias


@optional_kernel("deploying", returns=1)
def deploying_strain(model, i, q):
    """Strain energy [J]."""
    body, _ = deployable_body(model, i)
    m, e, stiffness = model.tree[i].ne - 1, model.tree[i].e + 1, deployable_arrays(model, i).stiffness
    inverse = 1.0 / q[e - 1]
    cube = inverse * inverse * inverse
    energy = cube * coupling_energy(body.coupling, body.coupling_points, m, q, e)
    for k in range(m):
        elastic = 0.0 * q[0]
        for l in range(m):
            elastic += stiffness[m * k + l] * q[e + l]
        energy += 0.5 * elastic * q[e + k] * (cube if k < body.bending_y + body.bending_z else inverse)
    return energy


@optional_kernel("deploying", returns=1)
def deploying_dissipation(model, i, q, v):
    """Power dissipated inside the body [W]."""
    body, section = deployable_body(model, i)
    arrays, powers = deployable_arrays(model, i), section.exponents
    m, ev, length = model.tree[i].ne - 1, model.tree[i].ev + 1, q[model.tree[i].e]
    power = 0.0 * v[0]
    for k in range(m):
        first, second = 0.0 * v[0], 0.0 * v[0]
        for l in range(m):
            first += arrays.damping[m * k + l] * v[ev + l]
            second += arrays.damping_more[m * k + l] * v[ev + l]
        c = 0 if k < body.bending_y + body.bending_z else 1
        power += (first * length ** powers[c] + second * length ** powers[c + 2]) * v[ev + k]
    return power
