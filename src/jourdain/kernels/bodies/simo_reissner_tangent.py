"""The matrix of an implicit step of a rod, S = M + C / mu + K / (mu nu), and its sparse factor.

K is the exact second derivative of the energy (kernels/bodies/simo_reissner_beam.py), with the forces that damping
adds; C is
c B^T D B, B the derivatives of the strains. At a point the strains are of second and third degree in (u, a, b, a', b'),
and what forces contribute is a few skew matrices (`lay_point`). An element is laid in its directors first, then in the
gradients of its nodes, T the derivatives of these: T^T K T, and the second derivatives of directors along the forces on
them (`lay_second`). Where S is indefinite, under pressure, it is taken without what forces contribute to K, which is
positive.

The matrix of an element is worked out in `update`, a `RodStepScratch`.
"""

from __future__ import annotations

from ..algebra import Vec3, cross, entrywise
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import vector_at
from ..linalg.supernodal_cholesky import factorise_sparse
from ..model_arrays import ModelArrays
from ..signatures import Vector
from .ancf_shell_tangent import begin_step, scatter
from .nodal_layout import (
    ROD_NODES,
    STEP_FACTOR,
    integers_of,
    nodal_body,
    rod_nodes_at,
    rod_points_at,
    rod_scratch_at,
)
from .shell_vectors import element_of
from .simo_reissner_beam import (
    RodVectors,
    loads_at,
    point_forces,
    point_states,
    rod_element,
    section_strains,
    spread_forces,
    triad_changes,
    turning,
    vectors_of_rod,
)

ROD_WIDE = 27
"""Width of the matrix of an element."""


@kernel
def add_skew(point, at, x, scalar):
    """Adds the matrix that x times is, plus scalar times the unit, to the block of a point that begins at `at`."""
    point[at] += scalar
    point[at + 1] -= x.z
    point[at + 2] += x.y
    point[at + 15] += x.z
    point[at + 16] += scalar
    point[at + 17] -= x.x
    point[at + 30] -= x.y
    point[at + 31] += x.x
    point[at + 32] += scalar


@kernel
def both(point, row, column, x, scalar):
    """Adds such a block at two vectors of a point, and its transpose at the others."""
    add_skew(point, 45 * row + 3 * column, x, scalar)
    add_skew(point, 45 * column + 3 * row, -x, scalar)


@outlined_kernel
def add_strain(update, x, u, a, b, da, db):
    """Adds x times the square of the derivatives of a strain by u, a, b, a', b'."""
    g, point = tuple(u) + tuple(a) + tuple(b) + tuple(da) + tuple(db), rod_scratch_at(update, 0).point
    for i in range(15):
        y = x * g[i]
        for j in range(15):
            point[15 * i + j] += y * g[j]


@outlined_kernel
def lay_point(model, i, k, j, s, n, m, stretch, bend, forces, update):
    """The matrix (15, 15) of point j of element k at state s: material, and what its forces n and moments m
    contribute."""
    own, point = rod_points_at(element_of(nodal_body(model, i), k).table, 0)[j], rod_scratch_at(update, 0).point
    u, a, b, da, db = s
    d, none = cross(a, b), u.zero
    for l in range(225):
        point[l] = 0.0
    x, y = own.weight * stretch * own.stretch, own.weight * bend * own.bending
    add_strain(update, x.x, d, cross(b, u), cross(u, a), none, none)
    add_strain(update, x.y, a, u, none, none, none)
    add_strain(update, x.z, b, none, u, none, none)
    add_strain(update, y.x, none, -0.5 * db, 0.5 * da, 0.5 * b, -0.5 * a)
    add_strain(update, y.y, none, cross(b, db), cross(db, a), none, d)
    add_strain(update, y.z, none, cross(da, b), cross(a, da), -d, none)
    if forces != 0.0:
        n, m = forces * n, forces * m
        both(point, 1, 2, -(n.x * u + m.y * db - m.z * da), 0.0)
        both(point, 0, 1, -n.x * b, n.y)
        both(point, 0, 2, n.x * a, n.z)
        both(point, 4, 1, -m.y * b, -0.5 * m.x)
        both(point, 4, 2, m.y * a, 0.0)
        both(point, 3, 1, m.z * b, 0.0)
        both(point, 3, 2, -m.z * a, 0.5 * m.x)


@outlined_kernel
def spread_point(model, i, k, j, update):
    """Adds the matrix of point j of element k to that of its element, in places and directors of its nodes."""
    own, scratch = rod_points_at(element_of(nodal_body(model, i), k).table, 0)[j], rod_scratch_at(update, 0)
    N, N_s, K, point = own.each, own.each_s, scratch.element, scratch.point
    for A in range(3):
        n, s = N[A], N_s[A]
        for B in range(3):
            o, z = N[B], N_s[B]
            for r in range(3):
                row, u = ROD_WIDE * (9 * A + r) + 9 * B, 15 * r
                for c in range(3):
                    K[row + c] += s * z * point[u + c]
                for c in range(6):
                    K[row + 3 + c] += s * (o * point[u + 3 + c] + z * point[u + 9 + c])
            for r in range(6):
                row, f, g = ROD_WIDE * (9 * A + 3 + r) + 9 * B, 15 * (3 + r), 15 * (9 + r)
                for c in range(3):
                    K[row + c] += z * (n * point[f + c] + s * point[g + c])
                for c in range(6):
                    x = o * point[f + 3 + c] + z * point[f + 9 + c]
                    y = o * point[g + 3 + c] + z * point[g + 9 + c]
                    K[row + 3 + c] += n * x + s * y


@kernel
def unit_of(j, first):
    """The unit vector along direction j - first, zero for another j."""
    return Vec3(1.0 * (j == first), 1.0 * (j == first + 1), 1.0 * (j == first + 2))


@outlined_kernel
def lay_turns(update, node, T):
    """T of a node: how its directors change with its gradients, a column for each of the six directions."""
    turns = rod_scratch_at(update, 0).turns
    for j in range(6):
        w = turning(T, unit_of(j, 0), unit_of(j, 3))
        x, y, at = cross(w, T.t.y_row), cross(w, T.t.z_row), 36 * node + j
        turns[at], turns[at + 6], turns[at + 12] = x.x, x.y, x.z
        turns[at + 18], turns[at + 24], turns[at + 30] = y.x, y.y, y.z


@kernel
def turned_six(turns, T, j, x, y):
    """Six numbers times column j of T."""
    z = x.x * turns[T + j] + x.y * turns[T + 6 + j] + x.z * turns[T + 12 + j]
    return z + (y.x * turns[T + 18 + j] + y.y * turns[T + 24 + j] + y.z * turns[T + 30 + j])


@outlined_kernel
def turn_matrix(update):
    """T^T K T of an element."""
    scratch = rod_scratch_at(update, 0)
    K, turns = scratch.element, scratch.turns
    for node in range(3):
        T, c = 36 * node, 9 * node + 3
        for i in range(ROD_WIDE):
            row = ROD_WIDE * i + c
            x, y = vector_at(K, row), vector_at(K, row + 3)
            for j in range(6):
                K[row + j] = turned_six(turns, T, j, x, y)
        for i in range(ROD_WIDE):
            at = ROD_WIDE * c + i
            x = Vec3(K[at], K[at + ROD_WIDE], K[at + 2 * ROD_WIDE])
            y = Vec3(K[at + 3 * ROD_WIDE], K[at + 4 * ROD_WIDE], K[at + 5 * ROD_WIDE])
            for j in range(6):
                K[at + ROD_WIDE * j] = turned_six(turns, T, j, x, y)


@kernel
def add_column(K, at, x):
    """Adds a vector to a column of the matrix of an element."""
    K[at] += x.x
    K[at + ROD_WIDE] += x.y
    K[at + 2 * ROD_WIDE] += x.z


@outlined_kernel
def lay_second(update, node, T, a, b, f2, f3, x):
    """Adds x times the second derivatives of f2 . t_2 + f3 . t_3, forces held, by the gradients of a node."""
    K, t1, t2, t3 = rod_scratch_at(update, 0).element, T.t.x_row, T.t.y_row, T.t.z_row
    moment = cross(t2, f2) + cross(t3, f3)
    m1, m2, m3 = t1 @ moment, t2 @ moment, t3 @ moment
    p, q, m = (T.a3 * m2 + T.b3 * m3) / T.J, (T.a2 * m2 + T.b2 * m3) / T.J, m1 / T.h
    for j in range(6):
        D = triad_changes(T, a, b, unit_of(j, 0), unit_of(j, 3))
        d1, d2, d3 = D.t.x_row, D.t.y_row, D.t.z_row
        change = cross(d2, f2) + cross(d3, f3)
        y1, y2, y3 = d1 @ moment + t1 @ change, d2 @ moment + t2 @ change, d3 @ moment + t3 @ change
        dp = (D.a3 * m2 + T.a3 * y2 + D.b3 * m3 + T.b3 * y3 - p * D.J) / T.J
        dq = (D.a2 * m2 + T.a2 * y2 + D.b2 * m3 + T.b2 * y3 - q * D.J) / T.J
        dm = (y1 - m * D.h) / T.h
        at = ROD_WIDE * (9 * node + 3) + 9 * node + 3 + j
        add_column(K, at, x * (T.w2 * (dm * t3 + m * d3) - (dp * t1 + p * d1)))
        add_column(K, at + 3 * ROD_WIDE, x * (dq * t1 + q * d1 - T.w3 * (dm * t2 + m * d2)))


@outlined_kernel
def lay_section(model, i, k, node, update, a, b, da, db, of_c, of_k, forces):
    """Adds the strained section of a node of element k."""
    body, K = nodal_body(model, i), rod_scratch_at(update, 0).element
    own, c = rod_nodes_at(element_of(body, k).table, ROD_NODES)[node], body.rod.c
    none, x = (0.0, 0.0, 0.0), of_k + of_c * c
    held = forces * of_k * entrywise(own.C, section_strains(c, a, b, da, db))
    for l in range(3):
        f = tuple(a) + none if l == 0 else (none + tuple(b) if l == 1 else tuple(b) + tuple(a))
        y = x * own.each[l]
        for r in range(6):
            to = ROD_WIDE * (9 * node + 3 + r) + 9 * node + 3
            for j in range(6):
                K[to + j] += y * f[r] * f[j]
    to = ROD_WIDE * (9 * node + 3) + 9 * node + 3
    for r in range(3):
        K[to + (ROD_WIDE + 1) * r] += held.x
        K[to + (ROD_WIDE + 1) * (r + 3)] += held.y
        K[to + ROD_WIDE * r + r + 3] += held.z
        K[to + ROD_WIDE * (r + 3) + r] += held.z


@outlined_kernel
def lay_element(model, i, k, q, v, of_c, of_k, forces, update):
    """The matrix of element k, in the gradients of its nodes."""
    body = nodal_body(model, i)
    rod, table, K = body.rod, element_of(body, k).table, rod_scratch_at(update, 0).element
    points, nodes = rod_points_at(table, 0), rod_nodes_at(table, ROD_NODES)
    x, y = vectors_of_rod(body, k, q, model.tree[i].e, 1.0), vectors_of_rod(body, k, v, model.tree[i].ev, 0.0)
    s, none = rod_element(nodes, x, y), x.r.zero
    stretch, bend = of_k + of_c * rod.c, of_k + of_c * rod.c_bending
    f = RodVectors(none, none, none)
    for j in range(ROD_WIDE * ROD_WIDE):
        K[j] = 0.0
    for j in range(2):
        p, r = point_states(points[j], s)
        n, m = loads_at(rod, points[j], p, r)
        lay_point(model, i, k, j, p, n, m, stretch, bend, forces * of_k, update)
        spread_point(model, i, k, j, update)
        f = spread_forces(points[j], point_forces(n, m, p), f)
    lay_turns(update, 0, s.first)
    lay_turns(update, 1, s.second)
    lay_turns(update, 2, s.third)
    turn_matrix(update)
    a, b, da, db = x.a, x.b, y.a, y.b
    if forces != 0.0:
        z = forces * of_k
        lay_second(update, 0, s.first, a.x_row, b.x_row, f.a.x_row, f.b.x_row, z)
        lay_second(update, 1, s.second, a.y_row, b.y_row, f.a.y_row, f.b.y_row, z)
        lay_second(update, 2, s.third, a.z_row, b.z_row, f.a.z_row, f.b.z_row, z)
    lay_section(model, i, k, 0, update, a.x_row, b.x_row, da.x_row, db.x_row, of_c, of_k, forces)
    lay_section(model, i, k, 1, update, a.y_row, b.y_row, da.y_row, db.y_row, of_c, of_k, forces)
    lay_section(model, i, k, 2, update, a.z_row, b.z_row, da.z_row, db.z_row, of_c, of_k, forces)


@outlined_kernel
def lay_rod(model, i, q, v, mu, nu, forces, values, at, update):
    """Lays S where its factor goes, values[at ...]; forces: 1 with what they contribute to K, 0 without."""
    begin_step(model, i, values, at)
    for k in range(nodal_body(model, i).rods):
        lay_element(model, i, k, q, v, 1.0 / mu, 1.0 / (mu * nu), forces, update)
        scatter(model, i, k, update, values, at)


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
