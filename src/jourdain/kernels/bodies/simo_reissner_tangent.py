"""The matrix of an implicit step of a rod, S = M + C / mu + K / (mu nu), and its sparse factor.

K is the exact second derivative of the energy (kernels/bodies/simo_reissner_beam.py), with the forces that damping
adds; C is
c B^T D B, B the derivatives of the strains. At a point the strains are of second and third degree in (u, a, b, a', b'),
and what forces contribute is a few skew matrices (`lay_point`). An element is laid in its directors first, then in the
gradients of its nodes, T the derivatives of these: T^T K T, and the second derivatives of directors along the forces on
them (`lay_second`). Where S is indefinite, under pressure, it is taken without what forces contribute to K, which is
positive.

The matrix of an element is worked out in `update`: (27, 27) by rows, then the 15 x 15 of a point, then T (3, 6, 6).
"""

from __future__ import annotations

from ..columns import EV, E, N
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put, vec1
from ..linalg.supernodal_cholesky import factorise_sparse, header_at
from ..model_arrays import ModelArrays
from ..signatures import Vector
from ..spatial import add, cross, dot, scale, sub
from .ancf_shell_tangent import scatter
from .nodal_layout import (
    NODAL_LINE,
    NODAL_PAIR_ROW,
    PAIRED,
    ROD_C,
    ROD_CB,
    ROD_D,
    ROD_N,
    ROD_NODES,
    ROD_POINT,
    ROD_SECTION,
    ROD_SLOPE,
    RODS,
    SHELL_ROW,
    SHELL_TABLE,
    STEP_FACTOR,
    STEP_TARGET,
    chosen,
    floats_of,
    integers_of,
)
from .simo_reissner_beam import (
    loads_at,
    point_forces,
    points_of_rod,
    rod_states,
    section_strains,
    stiffened,
    triad_changes,
    turning,
    vectors_of_rod,
)

ROD_STEP_WIDE, ROD_STEP_POINT, ROD_STEP_TURNS = 27, 729, 954
"""Width of the matrix of an element; where the matrix of a point begins, and the derivatives of directors."""


@kernel
def add_skew(update, at, x, scalar):
    """Adds the matrix that x times is, plus scalar times the unit, to the block of a point that begins at `at`."""
    accumulate(update, at, scalar)
    accumulate(update, at + 1, -x[2])
    accumulate(update, at + 2, x[1])
    accumulate(update, at + 15, x[2])
    accumulate(update, at + 16, scalar)
    accumulate(update, at + 17, -x[0])
    accumulate(update, at + 30, -x[1])
    accumulate(update, at + 31, x[0])
    accumulate(update, at + 32, scalar)


@kernel
def both(update, row, column, x, scalar):
    """Adds such a block at two vectors of a point, and its transpose at the others."""
    add_skew(update, ROD_STEP_POINT + 45 * row + 3 * column, x, scalar)
    add_skew(update, ROD_STEP_POINT + 45 * column + 3 * row, scale(-1.0, x), scalar)


@outlined_kernel
def add_strain(update, x, u, a, b, da, db):
    """Adds x times the square of the derivatives of a strain by u, a, b, a', b'."""
    g = u + a + b + da + db
    for i in range(15):
        y = x * g[i]
        for j in range(15):
            accumulate(update, ROD_STEP_POINT + 15 * i + j, y * g[j])


@outlined_kernel
def lay_point(floats, at, p, n, m, stretch, bend, forces, update):
    """The matrix (15, 15) of a point: material, and what its forces n and moments m contribute."""
    u, a, b, da, db = p
    d, zero = cross(a, b), 0.0 * u[0]
    none = (zero, zero, zero)
    for j in range(225):
        put(update, ROD_STEP_POINT + j, 0.0)
    weight = get(floats, at)
    x, y = weight * stretch, weight * bend
    D = at + ROD_D
    add_strain(update, x * get(floats, D), d, cross(b, u), cross(u, a), none, none)
    add_strain(update, x * get(floats, D + 1), a, u, none, none, none)
    add_strain(update, x * get(floats, D + 2), b, none, u, none, none)
    h = 0.5
    add_strain(update, y * get(floats, D + 3), none, scale(-h, db), scale(h, da), scale(h, b), scale(-h, a))
    add_strain(update, y * get(floats, D + 4), none, cross(b, db), cross(db, a), none, d)
    less = scale(-1.0, d)
    add_strain(update, y * get(floats, D + 5), none, cross(da, b), cross(a, da), less, none)
    if forces != 0.0:
        n, m = scale(forces, n), scale(forces, m)
        y = sub(add(scale(n[0], u), scale(m[1], db)), scale(m[2], da))
        both(update, 1, 2, scale(-1.0, y), zero)
        both(update, 0, 1, scale(-n[0], b), n[1])
        both(update, 0, 2, scale(n[0], a), n[2])
        both(update, 4, 1, scale(-m[1], b), -0.5 * m[0])
        both(update, 4, 2, scale(m[1], a), zero)
        both(update, 3, 1, scale(m[2], b), zero)
        both(update, 3, 2, scale(-m[2], a), 0.5 * m[0])


@outlined_kernel
def spread_point(floats, at, update):
    """Adds the matrix of a point to that of its element, in places and directors of its nodes."""
    for A in range(3):
        n, s = get(floats, at + ROD_N + A), get(floats, at + ROD_SLOPE + A)
        for B in range(3):
            o, z = get(floats, at + ROD_N + B), get(floats, at + ROD_SLOPE + B)
            for i in range(3):
                row, u = ROD_STEP_WIDE * (9 * A + i) + 9 * B, ROD_STEP_POINT + 15 * i
                for j in range(3):
                    accumulate(update, row + j, s * z * get(update, u + j))
                for j in range(6):
                    accumulate(update, row + 3 + j, s * (o * get(update, u + 3 + j) + z * get(update, u + 9 + j)))
            for i in range(6):
                row, f, g = (
                    ROD_STEP_WIDE * (9 * A + 3 + i) + 9 * B,
                    ROD_STEP_POINT + 15 * (3 + i),
                    ROD_STEP_POINT + 15 * (9 + i),
                )
                for j in range(3):
                    accumulate(update, row + j, z * (n * get(update, f + j) + s * get(update, g + j)))
                for j in range(6):
                    x = o * get(update, f + 3 + j) + z * get(update, f + 9 + j)
                    y = o * get(update, g + 3 + j) + z * get(update, g + 9 + j)
                    accumulate(update, row + 3 + j, n * x + s * y)


@kernel
def unit_of(j, first):
    """The unit vector along direction j - first, zero for another j."""
    return (1.0 * (j == first), 1.0 * (j == first + 1), 1.0 * (j == first + 2))


@outlined_kernel
def lay_turns(update, node, t):
    """T of a node: how its directors change with its gradients, a column for each of the six directions."""
    for j in range(6):
        w = turning(t, unit_of(j, 0), unit_of(j, 3))
        x, y = cross(w, t[1]), cross(w, t[2])
        at = ROD_STEP_TURNS + 36 * node + j
        for r in range(3):
            put(update, at + 6 * r, x[r])
            put(update, at + 6 * (r + 3), y[r])


@outlined_kernel
def turn_matrix(update):
    """T^T K T of an element."""
    for node in range(3):
        T, c = ROD_STEP_TURNS + 36 * node, 9 * node + 3
        for i in range(ROD_STEP_WIDE):
            row = ROD_STEP_WIDE * i + c
            x0, x1, x2 = vec1(update, row)
            x3, x4, x5 = vec1(update, row + 3)
            for j in range(6):
                y = x0 * get(update, T + j) + x1 * get(update, T + 6 + j) + x2 * get(update, T + 12 + j)
                y += x3 * get(update, T + 18 + j) + x4 * get(update, T + 24 + j) + x5 * get(update, T + 30 + j)
                put(update, row + j, y)
        for i in range(ROD_STEP_WIDE):
            at = ROD_STEP_WIDE * c + i
            x0, x1, x2 = get(update, at), get(update, at + ROD_STEP_WIDE), get(update, at + 2 * ROD_STEP_WIDE)
            x3, x4, x5 = (
                get(update, at + 3 * ROD_STEP_WIDE),
                get(update, at + 4 * ROD_STEP_WIDE),
                get(update, at + 5 * ROD_STEP_WIDE),
            )
            for j in range(6):
                y = x0 * get(update, T + j) + x1 * get(update, T + 6 + j) + x2 * get(update, T + 12 + j)
                y += x3 * get(update, T + 18 + j) + x4 * get(update, T + 24 + j) + x5 * get(update, T + 30 + j)
                put(update, at + ROD_STEP_WIDE * j, y)


@outlined_kernel
def lay_second(update, node, t, a, b, f2, f3, x):
    """Adds x times the second derivatives of f2 . t_2 + f3 . t_3, forces held, by the gradients of a node."""
    moment = add(cross(t[1], f2), cross(t[2], f3))
    m1, m2, m3 = dot(t[0], moment), dot(t[1], moment), dot(t[2], moment)
    (a2, b2), (a3, b3), (w2, w3), (h, J) = t[3], t[4], t[5], t[6]
    p, q, m = (a3 * m2 + b3 * m3) / J, (a2 * m2 + b2 * m3) / J, m1 / h
    for j in range(6):
        d1, d2, d3, (c2, e2), (c3, e3), (dh, dJ) = triad_changes(t, a, b, unit_of(j, 0), unit_of(j, 3))
        change = add(cross(d2, f2), cross(d3, f3))
        y1, y2 = dot(d1, moment) + dot(t[0], change), dot(d2, moment) + dot(t[1], change)
        y3 = dot(d3, moment) + dot(t[2], change)
        dp = (c3 * m2 + a3 * y2 + e3 * m3 + b3 * y3 - p * dJ) / J
        dq = (c2 * m2 + a2 * y2 + e2 * m3 + b2 * y3 - q * dJ) / J
        dm = (y1 - m * dh) / h
        on_a = sub(scale(w2, add(scale(dm, t[2]), scale(m, d3))), add(scale(dp, t[0]), scale(p, d1)))
        on_b = sub(add(scale(dq, t[0]), scale(q, d1)), scale(w3, add(scale(dm, t[1]), scale(m, d2))))
        at = ROD_STEP_WIDE * (9 * node + 3) + 9 * node + 3 + j
        for r in range(3):
            accumulate(update, at + ROD_STEP_WIDE * r, x * on_a[r])
            accumulate(update, at + ROD_STEP_WIDE * (r + 3), x * on_b[r])


@outlined_kernel
def lay_section(floats, rod, at, update, node, a, b, da, db, of_c, of_k, forces):
    """Adds the strained section of a node, whose three stiffnesses begin at `at`."""
    x = of_k + of_c * floats[rod + ROD_C]
    none = (0.0, 0.0, 0.0)
    held = stiffened(floats, at, section_strains(floats, rod, a, b, da, db))
    held = scale(forces * of_k, held)
    for k in range(3):
        f = a + none if k == 0 else (none + b if k == 1 else b + a)
        y = x * get(floats, at + k)
        for i in range(6):
            to = ROD_STEP_WIDE * (9 * node + 3 + i) + 9 * node + 3
            for j in range(6):
                accumulate(update, to + j, y * f[i] * f[j])
    to = ROD_STEP_WIDE * (9 * node + 3) + 9 * node + 3
    for i in range(3):
        accumulate(update, to + (ROD_STEP_WIDE + 1) * i, held[0])
        accumulate(update, to + (ROD_STEP_WIDE + 1) * (i + 3), held[1])
        accumulate(update, to + ROD_STEP_WIDE * i + i + 3, held[2])
        accumulate(update, to + ROD_STEP_WIDE * (i + 3) + i, held[2])


@outlined_kernel
def lay_element(model, i, k, q, v, of_c, of_k, forces, update):
    """The matrix of element k, in the gradients of its nodes."""
    floats, rod = model.floats, floats_of(model, i, NODAL_LINE)
    table = rod + model.integers[integers_of(model, i, SHELL_TABLE) + SHELL_ROW * k]
    x = vectors_of_rod(model, i, k, q, model.table[i, E], 1.0)
    y = vectors_of_rod(model, i, k, v, model.table[i, EV], 0.0)
    s = rod_states(floats, table, x, y)
    stretch, bend = of_k + of_c * floats[rod + ROD_C], of_k + of_c * floats[rod + ROD_CB]
    none = (0.0, 0.0, 0.0)
    a0, b0, a1, b1, a2, b2 = none, none, none, none, none, none
    for j in range(ROD_STEP_WIDE * ROD_STEP_WIDE):
        put(update, j, 0.0)
    for j in range(2):
        at = table + ROD_POINT * j
        p, r = points_of_rod(floats, at, x, y, s)
        n, m = loads_at(floats, rod, at, p, r)
        lay_point(floats, at, p, n, m, stretch, bend, forces * of_k, update)
        spread_point(floats, at, update)
        _, fa, fb, ga, gb = point_forces(n, m, p[0], p[1], p[2], p[3], p[4])
        n0, n1, n2 = vec1(floats, at + ROD_N)
        s0, s1, s2 = vec1(floats, at + ROD_SLOPE)
        a0, b0 = add(a0, add(scale(n0, fa), scale(s0, ga))), add(b0, add(scale(n0, fb), scale(s0, gb)))
        a1, b1 = add(a1, add(scale(n1, fa), scale(s1, ga))), add(b1, add(scale(n1, fb), scale(s1, gb)))
        a2, b2 = add(a2, add(scale(n2, fa), scale(s2, ga))), add(b2, add(scale(n2, fb), scale(s2, gb)))
    lay_turns(update, 0, s[0])
    lay_turns(update, 1, s[1])
    lay_turns(update, 2, s[2])
    turn_matrix(update)
    if forces != 0.0:
        z = forces * of_k
        lay_second(update, 0, s[0], x[2], x[3], a0, b0, z)
        lay_second(update, 1, s[1], x[4], x[5], a1, b1, z)
        lay_second(update, 2, s[2], x[6], x[7], a2, b2, z)
    at = table + ROD_NODES
    lay_section(floats, rod, at, update, 0, x[2], x[3], y[2], y[3], of_c, of_k, forces)
    lay_section(floats, rod, at + ROD_SECTION, update, 1, x[4], x[5], y[4], y[5], of_c, of_k, forces)
    lay_section(floats, rod, at + 2 * ROD_SECTION, update, 2, x[6], x[7], y[6], y[7], of_c, of_k, forces)


@outlined_kernel
def lay_rod(model, i, q, v, mu, nu, forces, values, at, update):
    """Lays S where its factor goes, values[at ...]; forces: 1 with what they contribute to K, 0 without."""
    integers, floats = model.integers, model.floats
    for k in range(header_at(integers, integers_of(model, i, STEP_FACTOR)).values):
        put(values, at + k, 0.0)
    begin, target = integers_of(model, i, NODAL_PAIR_ROW), integers_of(model, i, STEP_TARGET)
    paired, rows = floats_of(model, i, PAIRED), integers_of(model, i, SHELL_TABLE)
    for j in range(integers[begin + model.table[i, N]]):
        if integers[target + j] >= 0:
            accumulate(values, at + integers[target + j], get(floats, paired + j))
    for k in range(chosen(model, i, RODS)):
        lay_element(model, i, k, q, v, 1.0 / mu, 1.0 / (mu * nu), forces, update)
        scatter(model, i, rows + SHELL_ROW * k, update, values, at)


@optional_kernel("rod")
def factorise_rod(model, i, q, v, mu, nu, values, at, links, update):
    """The factor of S of rod i, in values[at ...]; links and update are scratch."""
    structure = integers_of(model, i, STEP_FACTOR)
    lay_rod(model, i, q, v, mu, nu, 1.0, values, at, update)
    if factorise_sparse(model.integers, structure, values, at, links, update) != 0:
        lay_rod(model, i, q, v, mu, nu, 0.0, values, at, update)
        factorise_sparse(model.integers, structure, values, at, links, update)


@entry_point
def rod_step_matrix(
    model: ModelArrays, i: int, q: Vector, v: Vector, mu: float, nu: float, forces: float, values: Vector,
    update: Vector,
) -> None:  # fmt: skip
    """S of rod i as its factor is laid, into all of its values, for Python; update is scratch."""
    lay_rod(model, i, q, v, mu, nu, forces, values, 0, update)
