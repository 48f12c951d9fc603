"""Shells: a surface of nodes with a place, gradients and a twist each (absolute nodal coordinates).

In an element the surface is bicubic, r = sum S_a c_a of places, gradients r_x, r_y and twists r_xy at its corners
(Dmitrotchenko 2003; the slope transform of Mikkola & Shabana 2003, eq. 4 to 9, is in the numbers S_a already). With
u = r,1 and v = r,2 the derivatives along two axes that are orthonormal without deformation and n = u x v / |u x v|, the
strains are those of Koiter (1966): stretch E_ab = (r,a . r,b - delta_ab) / 2 and change of curvature
K_ab = n . r,ab - B_ab. The energy is 1/2 int E^T A E + K^T D K over the surface, with (E_11, E_22, 2 E_12), A = t C,
D = t^3 C / 12. With N = A E, M = D K, J = |u x v|, m = M_11 r,11 + M_22 r,22 + 2 M_12 r,12 and p = (m - n n . m) / J,

    N_11 u + N_12 v + v x p  to u,   N_22 v + N_12 u + p x u  to v,   M_11 n, M_22 n, 2 M_12 n  to r,11, r,22, r,12.

Kelvin and Voigt's damping adds c times the rates of the strains. A membrane has no D, and one that wrinkles takes the
relaxed energy of a tension field (Pipkin 1986; Steigmann 1990): with principal strains E_1 >= E_2 it is as above while
E_2 >= -nu E_1, Y E_1^2 / 2 while only E_1 > 0, Y = E t, and nothing else.

Where elements meet at an angle, or with twists of their own, the edge has a spring between the two tangents across it:
k (1 - cos(phi - phi_0)) over its length (`shell_folds.py`).

A station: place (3), how many coordinates move it, of each its number, its direction (3) and how much of it place, u
and v have; then u and v without deformation (3 each), orthonormal. Its x follows u, its z the normal.
"""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Mat3, Vec3, cross, outer
from ..body_data import Values, numbers_at, vectors_at
from ..compiler import kernel, optional_kernel, outlined_kernel
from ..flat_arrays import vector_at
from ..scalar import root
from .nodal_layout import nodal_blocks, nodal_body, station_of
from .shell_folds import fold_dissipation, fold_energy, fold_forces
from .shell_vectors import displacement, element_of
from .station_vectors import station_vectors


@kernel
def relative_of(body, own, x, of, j):
    """Vector j of an element, a place seen from the first one, which comes first: displacements are subtracted by
    themselves, so that no digits are lost far from the origin."""
    a, first = own.vectors[j], own.vectors[0]
    rest, moved = body.places[a], displacement(body, x, of, a)
    if own.vectors[own.n + j] == 1:
        rest -= body.places[first]
        moved -= displacement(body, x, of, first)
    return rest + moved


@outlined_kernel
def gathered(model, i, k, x, of, flex, to):
    """The vectors of element k, as `relative_of`, into flex[to ...]."""
    body, vectors = nodal_body(model, i), vectors_at(flex, to)
    own = element_of(body, k)
    for j in range(own.n):
        vectors[j] = relative_of(body, own, x, of, j)


class ShellPoint(NamedTuple):
    """A point of an element of a shell."""

    weight: float  # [m^2]
    B: Vec3  # curvature at rest [1/m]
    S: Values  # of each vector S_1, then S_2; at a point of the curvature also S_11, S_22 and S_12


@kernel
def stretch_point(own, p):
    """Point p of the stretch of an element."""
    numbers = own.table[p * (1 + 2 * own.n) :]
    return ShellPoint(numbers[0], Vec3(0.0, 0.0, 0.0), numbers[1:])


@kernel
def bending_point(body, own, p):
    """Point p of its curvature."""
    numbers = own.table[body.stretch_points * (1 + 2 * own.n) + p * (4 + 5 * own.n) :]
    return ShellPoint(numbers[0], vectors_at(numbers, 1)[0], numbers[4:])


@kernel
def surface_gradients(S, own, x, by_number):
    """r,1 and r,2 of vectors x of an element, or of all vectors x, by their numbers."""
    u, v = x[0].zero, x[0].zero
    for j in range(own.n):
        y = x[own.vectors[j]] if by_number else x[j]
        u += S[j] * y
        v += S[own.n + j] * y
    return u, v


@kernel
def surface_derivatives(S, own, x, by_number):
    """The same and r,11 r,22 r,12."""
    none, n = x[0].zero, own.n
    u, v, a, b, c = none, none, none, none, none
    for j in range(n):
        y = x[own.vectors[j]] if by_number else x[j]
        u += S[j] * y
        v += S[n + j] * y
        a += S[2 * n + j] * y
        b += S[3 * n + j] * y
        c += S[4 * n + j] * y
    return u, v, a, b, c


@kernel
def stretched_by(shell, u, v):
    """(E_11, E_22, 2 E_12) with that of the pretension."""
    E_0 = shell.E_0
    return Vec3(0.5 * (u @ u - 1.0) + E_0.x, 0.5 * (v @ v - 1.0) + E_0.y, u @ v + E_0.z)


@kernel
def principal(strain):
    """E_1, E_2, the derivatives of E_1 by the strains, and a vector z so that its second derivatives are z z^T."""
    mean, d, s = 0.5 * (strain.x + strain.y), 0.5 * (strain.x - strain.y), 0.5 * strain.z
    square = d * d + s * s
    if square.real <= 1e-300:
        return mean, mean, strain.zero + Vec3(0.5, 0.5, 0.0), strain.zero
    r = root(square)
    c, t = 0.5 * d / r, 0.5 * s / r
    x = 0.5 / (r * root(r))
    return mean + r, mean - r, Vec3(0.5 + c, 0.5 - c, t), Vec3(x * s, -x * s, -x * d)


@kernel
def tension_field(shell, strain):
    """2 taut, 1 wrinkled, 0 slack; with `principal` of the strain. Taut where nothing wrinkles."""
    one, two, slope, bend = principal(strain)
    if one.real <= 0.0:
        return 0, one, slope, bend
    return (2 if (two + shell.nu * one).real >= 0.0 else 1), one, slope, bend


@kernel
def stretch_forces(shell, strain):
    """(N_11, N_22, N_12) [N/m] of strains."""
    if shell.Et > 0.0:
        taut, one, slope, _ = tension_field(shell, strain)
        if taut != 2:
            return shell.Et * one * taut * slope
    return shell.A @ strain


@kernel
def stretch_derivative(shell, strain, rate):
    """What a change of the strains changes in the forces: dN/dE rate."""
    if shell.Et > 0.0:
        taut, one, slope, bend = tension_field(shell, strain)
        if taut != 2:
            return shell.Et * taut * ((slope @ rate) * slope + one * (bend @ rate) * bend)
    return shell.A @ rate


@kernel
def stretch_energy(shell, strain):
    """Energy of strains over the area [J/m^2]."""
    if shell.Et > 0.0:
        taut, one, _, _ = tension_field(shell, strain)
        if taut != 2:
            return 0.5 * shell.Et * taut * one * one
    return 0.5 * (strain @ (shell.A @ strain))


@kernel
def stretch_rate(u, v, du, dv):
    """The rate of (E_11, E_22, 2 E_12)."""
    return Vec3(u @ du, v @ dv, u @ dv + v @ du)


@kernel
def curved(B, u, v, a, b, c):
    """n, J and (K_11, K_22, 2 K_12) of a point with the curvature B at rest."""
    x = cross(u, v)
    J = root(x @ x)
    n = 1.0 / J * x
    return n, J, Vec3(n @ a - B.x, n @ b - B.y, 2.0 * (n @ c - B.z))


@kernel
def curved_rate(n, J, u, v, a, b, c, du, dv, da, db, dc):
    """The rate of (K_11, K_22, 2 K_12)."""
    x = cross(du, v) + cross(u, dv)
    x = 1.0 / J * (x - (n @ x) * n)
    return Vec3(n @ da + x @ a, n @ db + x @ b, 2.0 * (n @ dc + x @ c))


@kernel
def stretch_state(shell, point, own, x, rates):
    """u, v, the strain and the forces at a point of the stretch, with those of damping."""
    u, v = surface_gradients(point.S, own, x, False)
    strain = stretched_by(shell, u, v)
    force = stretch_forces(shell, strain)
    if shell.c != 0.0:
        du, dv = surface_gradients(point.S, own, rates, True)
        force += shell.c * stretch_derivative(shell, strain, stretch_rate(u, v, du, dv))
    return u, v, strain, force


@outlined_kernel
def stretch_at(model, i, k, p, flex):
    """Adds the forces at point p of the stretch of element k to its vectors."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    out, own = vectors_at(flex, at.more), element_of(body, k)
    point = stretch_point(own, p)
    u, v, _, force = stretch_state(body.shell, point, own, vectors_at(flex, at.moved), vectors_at(flex, at.rates))
    force = point.weight * force
    fu, fv = force.x * u + force.z * v, force.y * v + force.z * u
    for j in range(own.n):
        out[own.vectors[j]] += point.S[j] * fu + point.S[own.n + j] * fv


@kernel
def bent(shell, point, own, x, rates):
    """Slopes u, v and second derivatives a, b, c at a point of the curvature, its normal n, J = |u x v|, and the
    curvature that moments follow: with damping, plus c times its rate."""
    u, v, a, b, c = surface_derivatives(point.S, own, x, False)
    n, J, K = curved(point.B, u, v, a, b, c)
    if shell.c_bending != 0.0:
        du, dv, da, db, dc = surface_derivatives(point.S, own, rates, True)
        K += shell.c_bending * curved_rate(n, J, u, v, a, b, c, du, dv, da, db, dc)
    return u, v, a, b, c, n, J, K


@kernel
def moment_share(S, count, j, M):
    """What vector j adds to m = M_11 r,11 + M_22 r,22 + 2 M_12 r,12."""
    return (M.x * S[2 * count + j] + M.y * S[3 * count + j]) + 2.0 * M.z * S[4 * count + j]


@outlined_kernel
def bending_at(model, i, k, p, flex):
    """Adds the forces at point p of the curvature of element k to its vectors."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    out, own = vectors_at(flex, at.more), element_of(body, k)
    point = bending_point(body, own, p)
    u, v, a, b, c, n, J, K = bent(body.shell, point, own, vectors_at(flex, at.moved), vectors_at(flex, at.rates))
    M = point.weight * (body.shell.D @ K)
    m = M.x * a + M.y * b + 2.0 * M.z * c
    pulled = 1.0 / J * (m - (n @ m) * n)
    fu, fv = cross(v, pulled), cross(pulled, u)
    for j in range(own.n):
        f = point.S[j] * fu + point.S[own.n + j] * fv
        out[own.vectors[j]] += f + moment_share(point.S, own.n, j, M) * n


@optional_kernel("shell")
def shell_forces(model, i, q, flex, b):
    """Adds the elastic and damping forces of a shell to flex[b ...]; velocities of its vectors are in flex."""
    body, at, e = nodal_body(model, i), nodal_blocks(model, i), model.tree[i].e
    out, forces = vectors_at(flex, at.more), numbers_at(flex, b)
    for a in range(body.nodes):
        out[a] = out[a].zero
    for k in range(body.shells):
        gathered(model, i, k, q, e, flex, at.moved)
        for p in range(body.stretch_points):
            stretch_at(model, i, k, p, flex)
        for p in range(body.bending_points):
            bending_at(model, i, k, p, flex)
    fold_forces(model, i, q, e, flex)
    for a in range(body.nodes):
        for k in range(body.first[a], body.first[a + 1]):
            forces[k] += body.ways[k] @ out[a]


@outlined_kernel
def five(model, i, k, S, kinds, x, of, whole):
    """r,1 r,2 and, of kinds = 5, r,11 r,22 r,12 of coordinates x[of ...], straight from these; whole: 0 for rates.
    S is where the numbers of the point begin in the table of element k."""
    body = nodal_body(model, i)
    own, none = element_of(body, k), x[of] * Vec3(0.0, 0.0, 0.0)
    u, v, a, b, c, n, S = none, none, none, none, none, own.n, own.table[S:]
    for j in range(n):
        y = relative_of(body, own, x, of, j) if whole == 1 else displacement(body, x, of, own.vectors[j])
        u += S[j] * y
        v += S[n + j] * y
        if kinds == 5:
            a += S[2 * n + j] * y
            b += S[3 * n + j] * y
            c += S[4 * n + j] * y
    return u, v, a, b, c


@optional_kernel("shell", returns=1)
def shell_strain(model, i, q):
    """Energy stored in a shell, zero without deformation [J]."""
    body, e = nodal_body(model, i), model.tree[i].e
    shell, energy = body.shell, 0.0 * q[e]
    for k in range(body.shells):
        own = element_of(body, k)
        at, step = 1, 1 + 2 * own.n
        for p in range(body.stretch_points):
            u, v, _, _, _ = five(model, i, k, at + p * step, 2, q, e, 1)
            more = stretch_energy(shell, stretched_by(shell, u, v))
            energy += own.table[p * step] * (more - stretch_energy(shell, shell.E_0))
        for p in range(body.bending_points):
            point = bending_point(body, own, p)
            at = body.stretch_points * step + p * (4 + 5 * own.n) + 4
            u, v, a, b, c = five(model, i, k, at, 5, q, e, 1)
            _, _, K = curved(point.B, u, v, a, b, c)
            energy += 0.5 * point.weight * (K @ (shell.D @ K))
    return energy + fold_energy(model, i, q, e)


@optional_kernel("shell", returns=1)
def shell_dissipation(model, i, q, v):
    """Power dissipated in a shell [W]."""
    body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
    shell, power = body.shell, 0.0 * q[e] * v[ev]
    if shell.c == 0.0 and shell.c_bending == 0.0:
        return power
    for k in range(body.shells):
        own = element_of(body, k)
        step = 1 + 2 * own.n
        for p in range(body.stretch_points):
            r, t, _, _, _ = five(model, i, k, 1 + p * step, 2, q, e, 1)
            dr, dt, _, _, _ = five(model, i, k, 1 + p * step, 2, v, ev, 0)
            rate = stretch_rate(r, t, dr, dt)
            more = stretch_derivative(shell, stretched_by(shell, r, t), rate)
            power += own.table[p * step] * shell.c * (rate @ more)
        for p in range(body.bending_points):
            point = bending_point(body, own, p)
            at = body.stretch_points * step + p * (4 + 5 * own.n) + 4
            r, t, a, b, c = five(model, i, k, at, 5, q, e, 1)
            dr, dt, da, db, dc = five(model, i, k, at, 5, v, ev, 0)
            n, J, _ = curved(point.B, r, t, a, b, c)
            rate = curved_rate(n, J, r, t, a, b, c, dr, dt, da, db, dc)
            power += point.weight * shell.c_bending * (rate @ (shell.D @ rate))
    return power + fold_dissipation(model, i, q, e, v, ev)


@kernel
def turned_by(g, triad, s, c, du, dv):
    """The angular velocity, in the axes e1 e2 e3, of the frame along u, v for their rates; g = |u|, v = s e1 + c e2."""
    e2, e3 = triad.y_row, triad.z_row
    across = (e3 @ du) / g
    return Vec3((e3 @ dv - s * across) / c, -across, (e2 @ du) / g)


@optional_kernel("shell", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def shell_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`: e1 = u / |u|, e3 the normal, e2 = e3 x e1, R = sum e_i e_i0^T."""
    head, entries, end = station_of(floats, at)
    shapes, none, u0, v0 = vectors_at(flex, base), vector_at(flex, 0).zero, end.a, end.b
    r, velocity, u, du, w, dw = station_vectors(floats, at, q, e, v, ev, none)
    # axes along u, across both and along the normal, beside those at rest
    g = root(u @ u)
    e1 = 1.0 / g * u
    e3 = cross(u, w)
    e3 = 1.0 / root(e3 @ e3) * e3
    e2 = cross(e3, e1)
    s, c = w @ e1, w @ e2
    R = outer(e1, u0) + outer(e2, v0) + outer(e3, cross(u0, v0))
    # what each coordinate turns and moves the axes by
    triad = Mat3(e1, e2, e3)
    for j in range(head.count):
        entry = entries[j]
        about = turned_by(g, triad, s, c, entry.a * entry.psi, entry.b * entry.psi)
        shapes[2 * j], shapes[2 * j + 1] = triad.T @ about, entry.place * entry.psi
    about = turned_by(g, triad, s, c, du, dw)
    omega = triad.T @ about
    # the rate of the shapes times the rates
    d1, d2, d3, longer = cross(omega, e1), cross(omega, e2), cross(omega, e3), e1 @ du
    across = e3 @ du / g
    faster = d3 @ du / g - across * longer / g
    ds, dc = dw @ e1 + w @ d1, dw @ e2 + w @ d2
    a1 = (d3 @ dw - ds * across - s * faster - about.x * dc) / c
    a3 = d2 @ du / g - about.z * longer / g
    alpha = triad.T @ Vec3(a1, -faster, a3)
    return r, R, velocity, omega, none, alpha
