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

Integers: number of slices, of membrane points, inertia code, membrane code, rotation scheme, 1 if the coordinates that
bend also foreshorten, how many bend along y and along z (the first ones), one past the last that moves slices, twice s,
number of coupling points and where they begin in the floats, number of sections that turn and where they
begin in the floats, and for each k where its row of stiffness, damping and
constant mass begins and ends, without the zeros around it.
Floats: d (3), axes (9), stiffness, damping, constant mass matrix (n x n each), the slices' own inertia summed (6), for
each k that inertia times theta_k (3) and the mass times psi_k (3), the membrane points, the slices, coupling points and
sections that turn.
A membrane point: EA times its weight, u', v', w' (n each). A coupling point: EI_a - EI_b times its weight, phi, v'',
w'' (n each). A slice: mass, position (3), psi: one number for those that bend, three for the others; then chi of those
that bend along y and of those that bend along z, squares.
A marker's station: position (3), for each k psi (3) and theta (3), then chi and xi, n (n + 1) / 2 each, and which of
the body's path rotations, behind e in q, is its own (-1: none).
Inertia and slices are in the beam's axes, everything else in the body's kernel frame.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, put31, vec1
from ..spatial import add, cross, dot, quaternion_matrix, rotate, rotate_back, scale
from .rotation_schemes import INTEGRATED, section_rotation

SLICES, LUMPED_POINTS, INERTIA_CODE, MEMBRANE_CODE, SCHEME, SHORTENING, LUMPED_BENDING_Y, LUMPED_BENDING_Z, MOVING = (
    range(9)
)
TANGENT, LUMPED_COUPLING, LUMPED_COUPLING_AT = range(9, 12)
RANGES = 14  # behind TURNING and TURNING_AT of layout.py

# which inertia: of the deformed body; mass matrix of the undeformed one; undeformed throughout, own rates left out
DEFORMED, UNDEFORMED_MASS, UNDEFORMED = 0, 1, 2
# which axial force stiffens bending: none (foreshortening does it); of the full strain; of the axial coordinates only
NO_MEMBRANE, FULL_MEMBRANE, AXIAL_LOAD = 0, 1, 2


@kernel
def membrane_start(model, i):
    """Where the membrane points of body i begin in model.floats."""
    n = model.table[i, N]
    return model.table[i, FLOATS] + 12 + 3 * n * n + 6 + 6 * n


@kernel
def beam_axes(floats, at):
    """The beam's x, y and z in the kernel frame, one behind the other."""
    return (
        floats[at + 3],
        floats[at + 4],
        floats[at + 5],
        floats[at + 6],
        floats[at + 7],
        floats[at + 8],
        floats[at + 9],
        floats[at + 10],
        floats[at + 11],
    )


@kernel
def station(floats, at, body, scheme, s, g, n, q, e, v, ev, flex, base):
    """Motion of a station in the body's frame; its shapes (theta, psi) go to flex[base + 6 k].

    s as in the head of this file; g is 1, or 0 for the undeformed body, which moves at the rates of e all the same.
    Returns position, rotation, velocity, angular velocity, and the accelerations (linear, angular) that remain when
    those of e are zero.
    """
    d = vec1(floats, body)
    zero = 0.0 * flex[0]
    r = vec1(floats, at)
    theta = (zero, zero, zero)
    rate = (zero, zero, zero)
    u = (zero, zero, zero)
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
        psi = vec1(floats, at + 3 + 6 * k)
        turn = vec1(floats, at + 6 + 6 * k)
        r = add(r, scale(ek, psi))
        theta = add(theta, scale(ek, turn))
        rate = add(rate, scale(vk, turn))
        psi = add(psi, scale(g * row, d))
        u = add(u, scale(vk, psi))
        put31(flex, base + 6 * k, add(turn, scale(g * turn_row, d)))
        put31(flex, base + 6 * k + 3, psi)
    # bent, then twisted: the bending turns with the twist, by s
    r = add(r, scale(short, d))
    roll, side = s * dot(theta, d), scale(s, cross(theta, d))
    roll_rate, swing = dot(rate, d), cross(rate, d)
    theta = add(theta, add(scale(twist, d), scale(dot(theta, d), side)))
    rate = add(rate, add(scale(twist_rate, d), add(scale(roll_rate, side), scale(roll, swing))))
    R, T, bias = section_rotation(scheme, beam_axes(floats, body), theta, rate)
    bias = add(bias, rotate(T, add(scale(twist_bias, d), scale(2.0 * s * roll_rate, swing))))
    # from rates of the rotation vector to angular velocities
    for k in range(n):
        turn = vec1(floats, at + 6 + 6 * k)
        more = add(scale(g * dot(turn, d), side), scale(g * roll, cross(turn, d)))
        put31(flex, base + 6 * k, rotate(T, add(vec1(flex, base + 6 * k), more)))
    # a rotation that is integrated is a state
    path = int(floats[x + n * (n + 1) // 2])
    if scheme == INTEGRATED and path >= 0:
        j = e + n + 4 * path
        axis = rotate_back(beam_axes(floats, body), (q[j + 1], q[j + 2], q[j + 3]))
        R = quaternion_matrix(q[j], axis[0], axis[1], axis[2])
    return r, R, u, rotate(T, rate), scale(short_bias, d), bias


@kernel
def membrane_force(model, i, q, flex):
    """Adds the forces of the axial strain that bending makes, or bears, to the block b of body i.

    Full: strain s = u' + 1/2 (v'^2 + w'^2), energy 1/2 int EA s^2, less the quadratic part that the stiffness holds.
    Axial load: K_G of the axial force EA u' on bending only (Damaren & Sharf 1995, end of section 2.3.1).
    """
    table, floats = model.table, model.floats
    n, e = table[i, N], table[i, E]
    at = membrane_start(model, i)
    be = table[i, FLEX] + 6 * n + n * n
    code = model.integers[table[i, INTEGERS] + MEMBRANE_CODE]
    for _ in range(model.integers[table[i, INTEGERS] + LUMPED_POINTS]):
        u, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            u += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        bend = 0.5 * (v * v + w * w)
        for k in range(n):
            slope = v * floats[at + 1 + n + k] + w * floats[at + 1 + 2 * n + k]
            if code == FULL_MEMBRANE:
                flex[be + k] += floats[at] * (bend * floats[at + 1 + k] + (u + bend) * slope)
            else:
                flex[be + k] += floats[at] * u * slope
        at += 1 + 3 * n


@kernel
def coupling_force(model, i, q, flex):
    """Adds the forces of the energy  sum f (phi v'' w'' + 1/2 phi^2 (w''^2 - v''^2))  to the block b of body i.

    f is EI_a - EI_b times the weight of a point: bending in two planes of unequal stiffness twists the beam.
    """
    table, floats, own = model.table, model.floats, model.table[i, INTEGERS]
    n, e = table[i, N], table[i, E]
    at = table[i, FLOATS] + model.integers[own + LUMPED_COUPLING_AT]
    be = table[i, FLEX] + 6 * n + n * n
    for _ in range(model.integers[own + LUMPED_COUPLING]):
        phi, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            phi += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        f = floats[at]
        by_phi = f * (v * w + phi * (w * w - v * v))
        by_v = f * phi * (w - phi * v)
        by_w = f * phi * (v + phi * w)
        for k in range(n):
            flex[be + k] += (
                by_phi * floats[at + 1 + k] + by_v * floats[at + 1 + n + k] + by_w * floats[at + 1 + 2 * n + k]
            )
        at += 1 + 3 * n


@kernel
def coupling_energy(model, i, q):
    """What `coupling_force` derives from [J]."""
    table, floats, own = model.table, model.floats, model.table[i, INTEGERS]
    n, e = table[i, N], table[i, E]
    at = table[i, FLOATS] + model.integers[own + LUMPED_COUPLING_AT]
    energy = 0.0 * q[0]
    for _ in range(model.integers[own + LUMPED_COUPLING]):
        phi, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            phi += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        energy += floats[at] * phi * (v * w + 0.5 * phi * (w * w - v * v))
        at += 1 + 3 * n
    return energy


@optional_kernel("lumped", returns=1)
def lumped_strain(model, i, q):
    """Strain energy [J]: 1/2 e^T K e, and what `membrane_force` and `coupling_force` derive from."""
    table, floats = model.table, model.floats
    n, e, own = table[i, N], table[i, E], table[i, INTEGERS]
    at = table[i, FLOATS] + 12
    energy = coupling_energy(model, i, q)
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[e + k] * floats[at + n * k + l] * q[e + l]
    if model.integers[own + MEMBRANE_CODE] == NO_MEMBRANE:
        return energy
    at = membrane_start(model, i)
    for _ in range(model.integers[own + LUMPED_POINTS]):
        u, v, w = 0.0 * q[0], 0.0 * q[0], 0.0 * q[0]
        for k in range(n):
            u += floats[at + 1 + k] * q[e + k]
            v += floats[at + 1 + n + k] * q[e + k]
            w += floats[at + 1 + 2 * n + k] * q[e + k]
        bend = 0.5 * (v * v + w * w)
        if model.integers[own + MEMBRANE_CODE] == FULL_MEMBRANE:
            energy += floats[at] * bend * (u + 0.5 * bend)
        else:
            energy += floats[at] * bend * u
        at += 1 + 3 * n
    return energy


@optional_kernel("lumped", returns=1)
def lumped_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T C e' [W]."""
    n, ev = model.table[i, N], model.table[i, EV]
    c0, ranges = model.table[i, FLOATS] + 12 + n * n, model.table[i, INTEGERS] + RANGES
    power = 0.0 * v[0]
    for k in range(n):
        force = 0.0 * v[0]
        for l in range(get(model.integers, ranges + 2 * k), get(model.integers, ranges + 2 * k + 1)):
            force += get(model.floats, c0 + n * k + l) * get(v, ev + l)
        power += force * get(v, ev + k)
    return power
