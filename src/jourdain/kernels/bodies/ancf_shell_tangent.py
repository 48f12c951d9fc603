"""The matrix of an implicit step of a shell, S = M + C / mu + K / (mu nu), and its sparse factor.

K is the exact second derivative of the energy of the elements (kernels/bodies/ancf_shell.py), with the forces that
damping adds; C = c B^T D B, B the derivatives of the strains. Of G = n . m, m held, with N = u x v, P = 1 - n n^T, p =
P m / J, the second derivatives by N are Z = -(n (P m)^T + (P m) n^T + (n . m) P) / J^2, N' = u' x v + u x v', and u' x
v' counts p . (u' x v') besides. Of folds K has the stiffness along phi, without what the moment contributes. Where S is
indefinite, under pressure, it is taken without what forces contribute to K, which is positive.

The matrix of an element is worked out in `update` (3 P, 3 P), by rows, the lower triangle of blocks only.
"""

from __future__ import annotations

from ..algebra import Vec3, cross, outer, scaled_unit, skew
from ..body_data import vectors_at
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import add_value, vector_at
from ..linalg.supernodal_cholesky import factorise_sparse, header_at
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from .ancf_shell import (
    bending_point,
    bent,
    gathered,
    moment_share,
    stretch_derivative,
    stretch_point,
    stretch_state,
)
from .nodal_layout import FOLD_POINTS, STEP_FACTOR, integers_of, nodal_blocks, nodal_body
from .shell_folds import edge_of, fold_point, folded
from .shell_vectors import displacement, element_of


@kernel
def add_block(update, width, a, b, block):
    """Adds a block to rows 3 a and columns 3 b."""
    at = width * 3 * a + 3 * b
    add_value(update, at, block.x_row)
    add_value(update, at + width, block.y_row)
    add_value(update, at + 2 * width, block.z_row)


@kernel
def stretch_blocks(shell, u, v, strain, force, of_c, of_k, forces):
    """Derivatives of the forces at a point of the stretch: of that on u by u, that on u by v, that on v by v."""
    x = of_k + of_c * shell.c
    c1 = stretch_derivative(shell, strain, Vec3(1.0, 0.0, 0.0))
    c2 = stretch_derivative(shell, strain, Vec3(0.0, 1.0, 0.0))
    c3 = stretch_derivative(shell, strain, Vec3(0.0, 0.0, 1.0))
    # E' = (u . u', v . v', u . v' + v . u'); on u: (u, 0, v), on v: (0, v, u)
    y = forces * of_k * force
    uu = scaled_unit(y.x) + outer(x * u, c1.x * u + c3.x * v) + outer(x * v, c1.z * u + c3.z * v)
    uv = scaled_unit(y.z) + outer(x * u, c2.x * v + c3.x * u) + outer(x * v, c2.z * v + c3.z * u)
    vv = scaled_unit(y.y) + outer(x * v, c2.y * v + c3.y * u) + outer(x * u, c2.z * v + c3.z * u)
    return uu, uv, vv


@outlined_kernel
def lay_stretch(model, i, k, p, rate, of_c, of_k, forces, flex, update):
    """Adds point p of the stretch to the matrix of element k."""
    body, x = nodal_body(model, i), vectors_at(flex, nodal_blocks(model, i).moved)
    own = element_of(body, k)
    point, count = stretch_point(own, p), own.n
    u, v, strain, force = stretch_state(body.shell, point, own, x, vectors_at(flex, rate))
    uu, uv, vv = stretch_blocks(body.shell, u, v, strain, force, of_c, of_k, forces)
    S = point.S
    for a in range(count):
        sa, ta = point.weight * S[a], point.weight * S[count + a]
        left, right = sa * uu + ta * uv.T, sa * uv + ta * vv
        for b in range(a + 1):
            add_block(update, 3 * count, a, b, S[b] * left + S[count + b] * right)


@outlined_kernel
def lay_bending(model, i, k, p, rate, of_c, of_k, forces, flex, update):
    """Adds point p of the curvature to the matrix of element k."""
    body, x = nodal_body(model, i), vectors_at(flex, nodal_blocks(model, i).moved)
    own, shell = element_of(body, k), body.shell
    point, count = bending_point(body, own, p), own.n
    u, v, a, b, c, n, J, K = bent(shell, point, own, x, vectors_at(flex, rate))
    S, weight = point.S, point.weight
    M = forces * of_k * weight * (shell.D @ K)
    # the derivatives of n . a, n . b and 2 n . c by u and v; by a, b and 2 c they are n
    per = 1.0 / J
    pa, pb, pc = per * (a - (n @ a) * n), per * (b - (n @ b) * n), 2.0 * per * (c - (n @ c) * n)
    ua, ub, uc = cross(v, pa), cross(v, pb), cross(v, pc)
    va, vb, vc = cross(pa, u), cross(pb, u), cross(pc, u)
    # what forces contribute: second derivatives of n . m by u and v, and by one of these and m
    m = M.x * a + M.y * b + 2.0 * M.z * c
    across = m - (n @ m) * n
    less, square = -per * per * n, per * per * (n @ m)
    Z = scaled_unit(-square) + outer(less, across) + outer(across, less) + outer(square * n, n)
    by_u, by_v = skew(v), skew(-u)  # transposes of N' by u and by v
    zu, zv = Z @ by_u.T, Z @ by_v.T
    uu, uv, vv = by_u @ zu, by_u @ zv, by_v @ zv
    uv -= per * skew(across)
    P = scaled_unit(per) + outer(-per * n, n)
    um, vm = by_u @ P, by_v @ P
    mu, mv, vu = um.T, vm.T, uv.T
    stiff = weight * (of_k + of_c * shell.c_bending)
    D = stiff * shell.D
    for k in range(count):
        sk, tk, mk = S[k], S[count + k], moment_share(S, count, k, M)
        x1, x2, x3 = strain_by(S, count, k, n, ua, ub, uc, va, vb, vc)
        # D times the derivatives of the strains by vector k, a row for each direction
        y1 = D.xx * x1 + D.xy * x2 + D.xz * x3
        y2 = D.xy * x1 + D.yy * x2 + D.yz * x3
        y3 = D.xz * x1 + D.yz * x2 + D.zz * x3
        left = sk * uu + tk * vu + mk * mu
        middle = sk * uv + tk * vv + mk * mv
        right = sk * um + tk * vm
        for l in range(k + 1):
            z1, z2, z3 = strain_by(S, count, l, n, ua, ub, uc, va, vb, vc)
            block = S[l] * left + S[count + l] * middle + moment_share(S, count, l, M) * right
            add_block(update, 3 * count, k, l, block + outer(y1, z1) + outer(y2, z2) + outer(y3, z3))


@kernel
def strain_by(S, count, k, n, ua, ub, uc, va, vb, vc):
    """Derivatives of K_11, K_22 and 2 K_12 by vector k."""
    x, y = S[k], S[count + k]
    return (
        x * ua + y * va + S[2 * count + k] * n,
        x * ub + y * vb + S[3 * count + k] * n,
        x * uc + y * vc + 2.0 * S[4 * count + k] * n,
    )


@outlined_kernel
def lay_fold(model, i, k, p, q, e, of_c, of_k, update):
    """Adds point p of fold k to the matrix of its vectors."""
    body = nodal_body(model, i)
    own, shell = element_of(body, k), body.shell
    point, count = fold_point(own, p), own.n
    t, v1, v2 = edge_of(model, i, k, p, q, e, 1)
    _, cosine, by_t, by1, by2 = folded(point, t, v1, v2)
    x = shell.fold * point.weight * (of_k * max(cosine, 0.0) + of_c * shell.c_bending)
    for a in range(count):
        y = x * turn_share(point.S, count, a, by_t, by1, by2)
        for b in range(a + 1):
            add_block(update, 3 * count, a, b, outer(y, turn_share(point.S, count, b, by_t, by1, by2)))


@kernel
def turn_share(S, count, k, by_t, by1, by2):
    """The derivative of the angle of a fold by vector k."""
    return S[k] * by_t + S[count + k] * by1 + S[2 * count + k] * by2


@outlined_kernel
def scatter(model, i, element, update, values, at):
    """Adds the matrix of an element to the coordinates' in values[at ...], laid as the sparse factor is."""
    body = nodal_body(model, i)
    own, pairs, first = element_of(body, element), body.table[body.rows[element].pairs :], body.first
    count, width = own.n, 3 * own.n
    for j in range(count):
        a = own.vectors[j]
        for h in range(j + 1):
            b, block = own.vectors[h], width * 3 * j + 3 * h
            column, back = pairs[count * j + h], pairs[count * h + j]
            x_row, y_row = vector_at(update, block), vector_at(update, block + width)
            z_row = vector_at(update, block + 2 * width)
            for k in range(first[a], first[a + 1]):
                w = body.ways[k]
                for l in range(first[b], first[b + 1]):
                    y = body.ways[l]
                    x = w @ Vec3(x_row @ y, y_row @ y, z_row @ y)
                    to = body.step_target[body.pair_row[k] + column + l - first[b]]
                    if to >= 0:
                        values[at + to] += x
                    if j != h:  # the other triangle, whichever the order of elimination has below
                        to = body.step_target[body.pair_row[l] + back + k - first[a]]
                        if to >= 0:
                            values[at + to] += x


@kernel
def begin_step(model, i, values, at):
    """Writes the mass of the coordinates where the factor goes, values[at ...]."""
    body = nodal_body(model, i)
    for k in range(header_at(model.integers, integers_of(model, i, STEP_FACTOR)).values):
        values[at + k] = 0.0
    for j in range(body.pair_row[model.tree[i].ne]):
        if body.step_target[j] >= 0:
            values[at + body.step_target[j]] += body.mass[j]


@outlined_kernel
def lay_shell(model, i, q, v, mu, nu, forces, flex, values, at, update):
    """Lays S where its factor goes, values[at ...]; forces: 1 with what they contribute to K, 0 without."""
    body, blocks, e, ev = nodal_body(model, i), nodal_blocks(model, i), model.tree[i].e, model.tree[i].ev
    rates, of_c, of_k = vectors_at(flex, blocks.more), 1.0 / mu, 1.0 / (mu * nu)
    for a in range(body.nodes):
        rates[a] = displacement(body, v, ev, a)
    begin_step(model, i, values, at)
    for k in range(body.shells + body.folds):
        count = body.rows[k].count
        for j in range(9 * count * count):
            update[j] = 0.0
        if k < body.shells:
            gathered(model, i, k, q, e, flex, blocks.moved)
            for p in range(body.stretch_points):
                lay_stretch(model, i, k, p, blocks.more, of_c, of_k, forces, flex, update)
            for p in range(body.bending_points):
                lay_bending(model, i, k, p, blocks.more, of_c, of_k, forces, flex, update)
        else:
            for p in range(FOLD_POINTS):
                lay_fold(model, i, k, p, q, e, of_c, of_k, update)
        scatter(model, i, k, update, values, at)


@optional_kernel("shell")
def factorise_shell(model, i, q, v, mu, nu, flex, values, at, links, update):
    """The factor of S of shell i, in values[at ...]; links and update are scratch."""
    structure = integers_of(model, i, STEP_FACTOR)
    lay_shell(model, i, q, v, mu, nu, 1.0, flex, values, at, update)
    if factorise_sparse(model.integers, structure, values, at, links, update) != 0:
        lay_shell(model, i, q, v, mu, nu, 0.0, flex, values, at, update)
        factorise_sparse(model.integers, structure, values, at, links, update)


@entry_point
def shell_step_matrix(
    model: ModelArrays, ws: Workspace, i: int, q: Vector, v: Vector, mu: float, nu: float, forces: float,
    values: Vector, update: Vector,
) -> None:  # fmt: skip
    """S of shell i as its factor is laid, into all of its values, for Python; update is scratch."""
    lay_shell(model, i, q, v, mu, nu, forces, ws.flex, values, 0, update)
