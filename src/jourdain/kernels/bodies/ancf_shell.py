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

from ..columns import EV, FLEX, E, N
from ..compiler import kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, accumulate31, get, put31, vec1
from ..scalar import root
from ..spatial import add, cross, dot, scale, sub
from .nodal_layout import (
    BENDING_HEAD,
    BENDING_POINTS,
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_NODES,
    NODAL_PLACES,
    OF_NODES,
    SHELL_A,
    SHELL_C,
    SHELL_CB,
    SHELL_D,
    SHELL_E0,
    SHELL_NU,
    SHELL_ROW,
    SHELL_TABLE,
    SHELL_WRINKLE,
    SHELLS,
    STATION_COUNT,
    STATION_ENTRY,
    STRETCH_HEAD,
    STRETCH_POINTS,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)
from .shell_folds import fold_dissipation, fold_energy, fold_forces
from .station_vectors import station_vectors


@kernel
def vector_of(model, first, ways, x, of, a):
    """The displacement of vector a for coordinates x[of ...]."""
    zero = 0.0 * get(x, of)
    u = (zero, zero, zero)
    for k in range(model.integers[first + a], model.integers[first + a + 1]):
        u = add(u, scale(get(x, of + k), vec1(model.floats, ways + 3 * k)))
    return u


@kernel
def relative_of(model, first, ways, places, vectors, count, x, of, j):
    """Vector j of an element, a place seen from the first one, which comes first: displacements are subtracted by
    themselves, so that no digits are lost far from the origin."""
    integers = model.integers
    a = integers[vectors + j]
    rest, moved = vec1(model.floats, places + 3 * a), vector_of(model, first, ways, x, of, a)
    if integers[vectors + count + j] == 1:
        a = integers[vectors]
        rest = sub(rest, vec1(model.floats, places + 3 * a))
        moved = sub(moved, vector_of(model, first, ways, x, of, a))
    return add(rest, moved)


@outlined_kernel
def gathered(model, i, vectors, count, x, of, flex, to):
    """The vectors of an element, as `relative_of`, into flex[to ...]."""
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    for j in range(count):
        put31(flex, to + 3 * j, relative_of(model, first, ways, places, vectors, count, x, of, j))


@kernel
def blended(floats, at, count, flex, x):
    """The sum of numbers floats[at + j] times vectors flex[x + 3 j]."""
    zero = 0.0 * flex[0]
    u = (zero, zero, zero)
    for j in range(count):
        u = add(u, scale(get(floats, at + j), vec1(flex, x + 3 * j)))
    return u


@kernel
def blended_at(model, floats, at, count, vectors, flex, x):
    """The same of vectors flex[x + 3 a], a the numbers of the vectors of an element."""
    zero = 0.0 * flex[0]
    u = (zero, zero, zero)
    for j in range(count):
        u = add(u, scale(get(floats, at + j), vec1(flex, x + 3 * model.integers[vectors + j])))
    return u


@kernel
def sym3_times(floats, at, x):
    """A symmetric 3 x 3 matrix, 11 22 33 12 13 23 from `at` on, times x."""
    a, b, c = get(floats, at), get(floats, at + 1), get(floats, at + 2)
    d, e, f = get(floats, at + 3), get(floats, at + 4), get(floats, at + 5)
    return (a * x[0] + d * x[1] + e * x[2], d * x[0] + b * x[1] + f * x[2], e * x[0] + f * x[1] + c * x[2])


@kernel
def stretched_by(floats, sheet, u, v):
    """(E_11, E_22, 2 E_12) with that of the pretension."""
    return (
        0.5 * (dot(u, u) - 1.0) + get(floats, sheet + SHELL_E0),
        0.5 * (dot(v, v) - 1.0) + get(floats, sheet + SHELL_E0 + 1),
        dot(u, v) + get(floats, sheet + SHELL_E0 + 2),
    )


@kernel
def principal(strain):
    """E_1, E_2, the derivatives of E_1 by the strains, and a vector z so that its second derivatives are z z^T."""
    mean, d, s = 0.5 * (strain[0] + strain[1]), 0.5 * (strain[0] - strain[1]), 0.5 * strain[2]
    square = d * d + s * s
    if square.real <= 1e-300:
        zero = 0.0 * mean
        return mean, mean, (0.5 + zero, 0.5 + zero, zero), (zero, zero, zero)
    r = root(square)
    c, t = 0.5 * d / r, 0.5 * s / r
    x = 0.5 / (r * root(r))
    return mean + r, mean - r, (0.5 + c, 0.5 - c, t), (x * s, -x * s, -x * d)


@kernel
def tension_field(floats, sheet, strain):
    """2 taut, 1 wrinkled, 0 slack; with `principal` of the strain. Taut where nothing wrinkles."""
    one, two, slope, bend = principal(strain)
    if one.real <= 0.0:
        return 0, one, slope, bend
    return (2 if (two + floats[sheet + SHELL_NU] * one).real >= 0.0 else 1), one, slope, bend


@kernel
def stretch_forces(floats, sheet, strain):
    """(N_11, N_22, N_12) [N/m] of strains."""
    young = floats[sheet + SHELL_WRINKLE]
    if young > 0.0:
        taut, one, slope, _ = tension_field(floats, sheet, strain)
        if taut != 2:
            return scale(young * one * taut, slope)
    return sym3_times(floats, sheet + SHELL_A, strain)


@kernel
def stretch_derivative(floats, sheet, strain, rate):
    """What a change of the strains changes in the forces: dN/dE rate."""
    young = floats[sheet + SHELL_WRINKLE]
    if young > 0.0:
        taut, one, slope, bend = tension_field(floats, sheet, strain)
        if taut != 2:
            x = add(scale(dot(slope, rate), slope), scale(one * dot(bend, rate), bend))
            return scale(young * taut, x)
    return sym3_times(floats, sheet + SHELL_A, rate)


@kernel
def stretch_energy(floats, sheet, strain):
    """Energy of strains over the area [J/m^2]."""
    young = floats[sheet + SHELL_WRINKLE]
    if young > 0.0:
        taut, one, _, _ = tension_field(floats, sheet, strain)
        if taut != 2:
            return 0.5 * young * taut * one * one
    return 0.5 * dot(strain, sym3_times(floats, sheet + SHELL_A, strain))


@kernel
def stretch_rate(u, v, du, dv):
    """The rate of (E_11, E_22, 2 E_12)."""
    return (dot(u, du), dot(v, dv), dot(u, dv) + dot(v, du))


@kernel
def curved(floats, at, u, v, a, b, c):
    """n, J and (K_11, K_22, 2 K_12) of a point with curvatures at rest floats[at + 1 ...]."""
    x = cross(u, v)
    J = root(dot(x, x))
    n = scale(1.0 / J, x)
    return (
        n,
        J,
        (
            dot(n, a) - get(floats, at + 1),
            dot(n, b) - get(floats, at + 2),
            2.0 * (dot(n, c) - get(floats, at + 3)),
        ),
    )


@kernel
def curved_rate(n, J, u, v, a, b, c, du, dv, da, db, dc):
    """The rate of (K_11, K_22, 2 K_12)."""
    x = add(cross(du, v), cross(u, dv))
    x = scale(1.0 / J, sub(x, scale(dot(n, x), n)))
    return (dot(n, da) + dot(x, a), dot(n, db) + dot(x, b), 2.0 * (dot(n, dc) + dot(x, c)))


@outlined_kernel
def stretch_at(model, i, sheet, at, count, vectors, x, rate, out, flex):
    """Adds the forces at a point of the stretch to vectors flex[out + 3 a]."""
    floats = model.floats
    s1 = at + STRETCH_HEAD
    s2 = s1 + count
    u, v = blended(floats, s1, count, flex, x), blended(floats, s2, count, flex, x)
    strain = stretched_by(floats, sheet, u, v)
    force = stretch_forces(floats, sheet, strain)
    if floats[sheet + SHELL_C] != 0.0:
        du = blended_at(model, floats, s1, count, vectors, flex, rate)
        dv = blended_at(model, floats, s2, count, vectors, flex, rate)
        more = stretch_derivative(floats, sheet, strain, stretch_rate(u, v, du, dv))
        force = add(force, scale(floats[sheet + SHELL_C], more))
    force = scale(get(floats, at), force)
    fu = add(scale(force[0], u), scale(force[2], v))
    fv = add(scale(force[1], v), scale(force[2], u))
    for j in range(count):
        f = add(scale(get(floats, s1 + j), fu), scale(get(floats, s2 + j), fv))
        accumulate31(flex, out + 3 * model.integers[vectors + j], f)


@kernel
def bent(model, sheet, at, count, vectors, x, rate, flex):
    """Slopes u, v and second derivatives a, b, c at a point of the curvature, its normal n, J = |u x v|, and the
    curvature that moments follow: with damping, plus c times its rate."""
    floats = model.floats
    s = at + BENDING_HEAD
    u, v = blended(floats, s, count, flex, x), blended(floats, s + count, count, flex, x)
    a, b = blended(floats, s + 2 * count, count, flex, x), blended(floats, s + 3 * count, count, flex, x)
    c = blended(floats, s + 4 * count, count, flex, x)
    n, J, K = curved(floats, at, u, v, a, b, c)
    if floats[sheet + SHELL_CB] != 0.0:
        du = blended_at(model, floats, s, count, vectors, flex, rate)
        dv = blended_at(model, floats, s + count, count, vectors, flex, rate)
        da = blended_at(model, floats, s + 2 * count, count, vectors, flex, rate)
        db = blended_at(model, floats, s + 3 * count, count, vectors, flex, rate)
        dc = blended_at(model, floats, s + 4 * count, count, vectors, flex, rate)
        K = add(K, scale(floats[sheet + SHELL_CB], curved_rate(n, J, u, v, a, b, c, du, dv, da, db, dc)))
    return u, v, a, b, c, n, J, K


@outlined_kernel
def bending_at(model, i, sheet, at, count, vectors, x, rate, out, flex):
    """Adds the forces at a point of the curvature to vectors flex[out + 3 a]."""
    floats = model.floats
    s = at + BENDING_HEAD
    u, v, a, b, c, n, J, K = bent(model, sheet, at, count, vectors, x, rate, flex)
    M = scale(get(floats, at), sym3_times(floats, sheet + SHELL_D, K))
    m = add(add(scale(M[0], a), scale(M[1], b)), scale(2.0 * M[2], c))
    p = scale(1.0 / J, sub(m, scale(dot(n, m), n)))
    fu, fv = cross(v, p), cross(p, u)
    for j in range(count):
        f = add(scale(get(floats, s + j), fu), scale(get(floats, s + count + j), fv))
        y = M[0] * get(floats, s + 2 * count + j) + M[1] * get(floats, s + 3 * count + j)
        y += 2.0 * M[2] * get(floats, s + 4 * count + j)
        accumulate31(flex, out + 3 * model.integers[vectors + j], add(f, scale(y, n)))


@optional_kernel("shell")
def shell_forces(model, i, q, flex, b):
    """Adds the elastic and damping forces of a shell to flex[b ...]; velocities of its vectors are in flex."""
    e, floats, integers = model.table[i, E], model.floats, model.integers
    nodes = chosen(model, i, NODAL_NODES)
    d = model.table[i, FLEX] + OF_NODES * model.table[i, N]
    rate, x, out = d + 6 * nodes, d + 12 * nodes, d + 15 * nodes
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    zero = 0.0 * flex[0]
    for a in range(nodes):
        put31(flex, out + 3 * a, (zero, zero, zero))
    for k in range(chosen(model, i, SHELLS)):
        row = rows + SHELL_ROW * k
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        gathered(model, i, vectors, count, q, e, flex, x)
        for _ in range(chosen(model, i, STRETCH_POINTS)):
            stretch_at(model, i, sheet, at, count, vectors, x, rate, out, flex)
            at += STRETCH_HEAD + 2 * count
        for _ in range(chosen(model, i, BENDING_POINTS)):
            bending_at(model, i, sheet, at, count, vectors, x, rate, out, flex)
            at += BENDING_HEAD + 5 * count
    fold_forces(model, i, q, e, flex, rate, out)
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    for a in range(nodes):
        for k in range(integers[first + a], integers[first + a + 1]):
            accumulate(flex, b + k, dot(vec1(floats, ways + 3 * k), vec1(flex, out + 3 * a)))


@outlined_kernel
def five(model, first, ways, places, vectors, count, s, kinds, x, of, whole):
    """r,1 r,2 and, of kinds = 5, r,11 r,22 r,12 of coordinates x[of ...], straight from these; whole: 0 for rates."""
    zero = 0.0 * get(x, of)
    none = (zero, zero, zero)
    u, v, a, b, c = none, none, none, none, none
    floats = model.floats
    for j in range(count):
        if whole == 1:
            y = relative_of(model, first, ways, places, vectors, count, x, of, j)
        else:
            y = vector_of(model, first, ways, x, of, model.integers[vectors + j])
        u = add(u, scale(get(floats, s + j), y))
        v = add(v, scale(get(floats, s + count + j), y))
        if kinds == 5:
            a = add(a, scale(get(floats, s + 2 * count + j), y))
            b = add(b, scale(get(floats, s + 3 * count + j), y))
            c = add(c, scale(get(floats, s + 4 * count + j), y))
    return u, v, a, b, c


@optional_kernel("shell", returns=1)
def shell_strain(model, i, q):
    """Energy stored in a shell, zero without deformation [J]."""
    e, floats, integers = model.table[i, E], model.floats, model.integers
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    energy = 0.0 * get(q, e)
    still = vec1(floats, sheet + SHELL_E0)
    for k in range(chosen(model, i, SHELLS)):
        row = rows + SHELL_ROW * k
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for _ in range(chosen(model, i, STRETCH_POINTS)):
            u, v, _, _, _ = five(model, first, ways, places, vectors, count, at + STRETCH_HEAD, 2, q, e, 1)
            more = stretch_energy(floats, sheet, stretched_by(floats, sheet, u, v))
            energy += floats[at] * (more - stretch_energy(floats, sheet, still))
            at += STRETCH_HEAD + 2 * count
        for _ in range(chosen(model, i, BENDING_POINTS)):
            u, v, a, b, c = five(model, first, ways, places, vectors, count, at + BENDING_HEAD, 5, q, e, 1)
            _, _, K = curved(floats, at, u, v, a, b, c)
            energy += 0.5 * floats[at] * dot(K, sym3_times(floats, sheet + SHELL_D, K))
            at += BENDING_HEAD + 5 * count
    return energy + fold_energy(model, i, q, e)


@optional_kernel("shell", returns=1)
def shell_dissipation(model, i, q, v):
    """Power dissipated in a shell [W]."""
    e, ev, floats, integers = model.table[i, E], model.table[i, EV], model.floats, model.integers
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    power = 0.0 * get(q, e) * get(v, ev)
    if floats[sheet + SHELL_C] == 0.0 and floats[sheet + SHELL_CB] == 0.0:
        return power
    for k in range(chosen(model, i, SHELLS)):
        row = rows + SHELL_ROW * k
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for _ in range(chosen(model, i, STRETCH_POINTS)):
            s = at + STRETCH_HEAD
            r, t, _, _, _ = five(model, first, ways, places, vectors, count, s, 2, q, e, 1)
            dr, dt, _, _, _ = five(model, first, ways, places, vectors, count, s, 2, v, ev, 0)
            rate = stretch_rate(r, t, dr, dt)
            more = stretch_derivative(floats, sheet, stretched_by(floats, sheet, r, t), rate)
            power += floats[at] * floats[sheet + SHELL_C] * dot(rate, more)
            at += STRETCH_HEAD + 2 * count
        for _ in range(chosen(model, i, BENDING_POINTS)):
            s = at + BENDING_HEAD
            r, t, a, b, c = five(model, first, ways, places, vectors, count, s, 5, q, e, 1)
            dr, dt, da, db, dc = five(model, first, ways, places, vectors, count, s, 5, v, ev, 0)
            n, J, _ = curved(floats, at, r, t, a, b, c)
            rate = curved_rate(n, J, r, t, a, b, c, dr, dt, da, db, dc)
            power += floats[at] * floats[sheet + SHELL_CB] * dot(rate, sym3_times(floats, sheet + SHELL_D, rate))
            at += BENDING_HEAD + 5 * count
    return power + fold_dissipation(model, i, q, e, v, ev)


@kernel
def turned_by(g, e1, e2, e3, s, c, du, dv):
    """The angular velocity, in the axes e1 e2 e3, of the frame along u, v for their rates; g = |u|, v = s e1 + c e2."""
    across = dot(e3, du) / g
    return ((dot(e3, dv) - s * across) / c, -across, dot(e2, du) / g)


@optional_kernel("shell", returns=(3, 9, 3, 3, 3, 3))
def shell_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`: e1 = u / |u|, e3 the normal, e2 = e3 x e1, R = sum e_i e_i0^T."""
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    behind = first + STATION_ENTRY * count
    u0, v0 = vec1(floats, behind), vec1(floats, behind + 3)
    r, velocity, u, du, w, dw = station_vectors(floats, at, q, e, v, ev, none)
    # axes along u, across both and along the normal, beside those at rest
    g = root(dot(u, u))
    e1 = scale(1.0 / g, u)
    e3 = cross(u, w)
    e3 = scale(1.0 / root(dot(e3, e3)), e3)
    e2 = cross(e3, e1)
    s, c = dot(w, e1), dot(w, e2)
    n0 = cross(u0, v0)
    R = (
        e1[0] * u0[0] + e2[0] * v0[0] + e3[0] * n0[0],
        e1[0] * u0[1] + e2[0] * v0[1] + e3[0] * n0[1],
        e1[0] * u0[2] + e2[0] * v0[2] + e3[0] * n0[2],
        e1[1] * u0[0] + e2[1] * v0[0] + e3[1] * n0[0],
        e1[1] * u0[1] + e2[1] * v0[1] + e3[1] * n0[1],
        e1[1] * u0[2] + e2[1] * v0[2] + e3[1] * n0[2],
        e1[2] * u0[0] + e2[2] * v0[0] + e3[2] * n0[0],
        e1[2] * u0[1] + e2[2] * v0[1] + e3[2] * n0[1],
        e1[2] * u0[2] + e2[2] * v0[2] + e3[2] * n0[2],
    )
    # what each coordinate turns and moves the axes by
    for j in range(count):
        entry = first + STATION_ENTRY * j
        way = vec1(floats, entry + 1)
        x = turned_by(g, e1, e2, e3, s, c, scale(floats[entry + 5], way), scale(floats[entry + 6], way))
        put31(flex, base + 6 * j, add(add(scale(x[0], e1), scale(x[1], e2)), scale(x[2], e3)))
        put31(flex, base + 6 * j + 3, add(scale(floats[entry + 4], way), none))
    w1, w2, w3 = turned_by(g, e1, e2, e3, s, c, du, dw)
    omega = add(add(scale(w1, e1), scale(w2, e2)), scale(w3, e3))
    # the rate of the shapes times the rates
    d1, d2, d3, longer = cross(omega, e1), cross(omega, e2), cross(omega, e3), dot(e1, du)
    across = dot(e3, du) / g
    faster = dot(d3, du) / g - across * longer / g
    ds, dc = dot(dw, e1) + dot(w, d1), dot(dw, e2) + dot(w, d2)
    a1 = (dot(d3, dw) - ds * across - s * faster - w1 * dc) / c
    a3 = dot(d2, du) / g - w3 * longer / g
    alpha = add(add(scale(a1, e1), scale(-faster, e2)), scale(a3, e3))
    return r, R, velocity, omega, none, alpha
