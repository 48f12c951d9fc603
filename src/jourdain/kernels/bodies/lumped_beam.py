"""Sliced bodies: a beam, or anything else that moves as small slices at stations in its floating frame.

A formulation in a floating frame of reference (FFR), its mass lumped at stations.

At a station the internal coordinates e displace the slice by  u = sum psi_k e_k + d 1/2 sum chi_kl e_k e_l  and turn
it by theta = t + s (t.d) t x d + d 1/2 sum xi_kl e_k e_l, t = sum theta_k e_k (`rotation_schemes`). d is the body's
axial direction, chi the foreshortening -int (v_k' v_l' + w_k' w_l') dx of a bent beam (Kane, Ryan & Banerjee 1987), xi
the turn about its own axis that bending in two planes makes without elastic twist, and s keeps the section across the
axis where the beam is bent and twisted at once. The inertia is the sum over slices seen through their stations, with
all velocity terms; what does not depend on e is summed beforehand. The slices' own inertia about their centres turns
with them where sections have rotary inertia (`sections`). If not, it is that of twisting: constant, its angular
velocity omega + sum theta_k e_k'.

The numbers of a body are named in `lumped_layout`. A membrane point: EA times its weight, u', v', w' (n each). A
coupling point: EI_a - EI_b times its weight, phi, v'', w'' (n each). A slice: mass, position (3), psi: one number for
those that bend, three for the others; then chi of those that bend along y and of those that bend along z, squares.
A marker's station: position (3), for each k psi (3) and theta (3), then chi and xi, n (n + 1) / 2 each, and which of
the body's path rotations, behind e in q, is its own (-1: none).
Inertia and slices are in the beam's axes, everything else in the body's kernel frame.
"""

from __future__ import annotations

from ..algebra import Quaternion, cross, rotation_matrix
from ..body_data import vectors_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import vector_at
from .lumped_layout import (
    FULL_MEMBRANE,
    NO_MEMBRANE,
    beam_axes_at,
    lumped_arrays,
    lumped_body,
    row_ranges,
    shapes_at,
)
from .rotation_schemes import INTEGRATED, section_rotation


@kernel
def station(floats, at, body, scheme, s, g, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    s as in the head of this file; g is 1, or 0 for the undeformed body, which moves at the rates of e all the same.
    Returns position, rotation, velocity, angular velocity, and the accelerations (linear, angular) that remain when
    those of e are zero.
    """
    head, shapes, out = beam_axes_at(floats, body), shapes_at(floats, at + 3), vectors_at(flex, base)
    d, r = head.d, vector_at(floats, at)
    zero, none = 0.0 * flex[0], vector_at(flex, 0).zero
    theta, rate, u = none, none, none
    short, short_bias, twist, twist_rate, twist_bias = zero, zero, zero, zero, zero
    c = at + 3 + 6 * n
    x = c + n * (n + 1) // 2
    # displacement and rotation vector are linear in e but for foreshortening and roll, which are quadratic
    for k in range(n):
        row, row_rate, turn_row, turn_rate = zero, zero, zero, zero
        for l in range(n):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            row += floats[c + j] * q[e + l]
            row_rate += floats[c + j] * v[ev + l]
            turn_row += floats[x + j] * q[e + l]
            turn_rate += floats[x + j] * v[ev + l]
        ek, vk = g * q[e + k], v[ev + k]
        short += 0.5 * row * ek
        short_bias += row_rate * vk
        twist += 0.5 * turn_row * ek
        twist_rate += turn_row * vk
        twist_bias += turn_rate * vk
        psi, turn = shapes[k].psi, shapes[k].theta
        r += ek * psi
        theta += ek * turn
        rate += vk * turn
        psi += g * row * d
        u += vk * psi
        out[2 * k], out[2 * k + 1] = turn + g * turn_row * d, psi
    # bent, then twisted: the bending turns with the twist, by s
    r += short * d
    roll, side = s * (theta @ d), s * cross(theta, d)
    roll_rate, swing = rate @ d, cross(rate, d)
    theta += twist * d + (theta @ d) * side
    rate += twist_rate * d + (roll_rate * side + roll * swing)
    R, T, bias = section_rotation(scheme, head.axes, theta, rate)
    bias += T @ (twist_bias * d + 2.0 * s * roll_rate * swing)
    # from rates of the rotation vector to angular velocities
    for k in range(n):
        turn = shapes[k].theta
        out[2 * k] = T @ (out[2 * k] + (g * (turn @ d) * side + g * roll * cross(turn, d)))
    # a rotation that is integrated is a state
    path = int(floats[x + n * (n + 1) // 2])
    if scheme == INTEGRATED and path >= 0:
        j = e + n + 4 * path
        axis = head.axes.T @ vector_at(q, j + 1)
        R = rotation_matrix(Quaternion(q[j], axis.x, axis.y, axis.z))
    return r, R, u, T @ rate, short_bias * d, bias


@kernel
def point_sums(point, n, q, e):
    """The three sums over coordinates q[e ...] at a membrane or coupling point."""
    u, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
    for k in range(n):
        u += point[1 + k] * q[e + k]
        v += point[1 + n + k] * q[e + k]
        w += point[1 + 2 * n + k] * q[e + k]
    return u, v, w


@kernel
def membrane_force(model, i, q, b):
    """Adds the forces of the axial strain that bending makes, or bears, to the block b of body i.

    Full: strain s = u' + 1/2 (v'^2 + w'^2), energy 1/2 int EA s^2, less the quadratic part that the stiffness holds.
    Axial load: K_G of the axial force EA u' on bending only (Damaren & Sharf 1995, end of section 2.3.1).
    """
    n, e, body = model.tree[i].ne, model.tree[i].e, lumped_body(model, i)
    points = lumped_arrays(model, i).membrane
    for p in range(body.membrane_points):
        point = points[p * (1 + 3 * n) :]
        u, v, w = point_sums(point, n, q, e)
        bend = 0.5 * (v * v + w * w)
        for k in range(n):
            slope = v * point[1 + n + k] + w * point[1 + 2 * n + k]
            if body.membrane == FULL_MEMBRANE:
                b[k] += point[0] * (bend * point[1 + k] + (u + bend) * slope)
            else:
                b[k] += point[0] * u * slope


@kernel
def coupling_force(points, count, n, q, e, factor, b):
    """Adds the forces of the energy  sum f (phi v'' w'' + 1/2 phi^2 (w''^2 - v''^2)), times a factor, to a block b;
    returns that energy without the factor [J].

    f is EI_a - EI_b times the weight of a point: bending in two planes of unequal stiffness twists the beam.
    """
    energy = 0.0 * q[0]
    for p in range(count):
        point = points[p * (1 + 3 * n) :]
        phi, v, w = point_sums(point, n, q, e)
        f = factor * point[0]
        energy += point[0] * phi * (v * w + 0.5 * phi * (w * w - v * v))
        by_phi = f * (v * w + phi * (w * w - v * v))
        by_v = f * phi * (w - phi * v)
        by_w = f * phi * (v + phi * w)
        for k in range(n):
            b[k] += by_phi * point[1 + k] + by_v * point[1 + n + k] + by_w * point[1 + 2 * n + k]
    return energy


@kernel
def coupling_energy(points, count, n, q, e):
    """What `coupling_force` derives from [J]."""
    energy = 0.0 * q[0]
    for p in range(count):
        point = points[p * (1 + 3 * n) :]
        phi, v, w = point_sums(point, n, q, e)
        energy += point[0] * phi * (v * w + 0.5 * phi * (w * w - v * v))
    return energy


@optional_kernel("lumped", returns=1)
def lumped_strain(model, i, q):
    """Strain energy [J]: 1/2 e^T K e, and what `membrane_force` and `coupling_force` derive from."""
    n, e, body, arrays = model.tree[i].ne, model.tree[i].e, lumped_body(model, i), lumped_arrays(model, i)
    energy = coupling_energy(body.coupling, body.coupling_points, n, q, e)
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * arrays.stiffness[n * k + l] * q[e + l]
    for p in range(body.membrane_points if body.membrane != NO_MEMBRANE else 0):
        point = arrays.membrane[p * (1 + 3 * n) :]
        u, v, w = point_sums(point, n, q, e)
        bend = 0.5 * (v * v + w * w)
        energy += point[0] * bend * (u + 0.5 * bend if body.membrane == FULL_MEMBRANE else u)
    return energy


@optional_kernel("lumped", returns=1)
def lumped_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev, damping, ranges = model.tree[i].ne, model.tree[i].ev, lumped_arrays(model, i).damping, row_ranges(model, i)
    power = 0.0 * v[0]
    for k in range(n):
        force = 0.0 * v[0]
        for l in range(ranges[k].begin, ranges[k].end):
            force += damping[n * k + l] * v[ev + l]
        power += force * v[ev + k]
    return power
