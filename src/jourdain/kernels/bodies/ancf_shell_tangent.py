"""The matrix of an implicit step of a shell, S = M + C / mu + K / (mu nu), and its sparse factor.

K is the exact second derivative of the energy of the elements (kernels/bodies/ancf_shell.py), with the forces that
damping
adds; C = c B^T D B, B the derivatives of the strains. Of G = n . m, m held, with N = u x v, P = 1 - n n^T, p = P m / J,
the second derivatives by N are Z = -(n (P m)^T + (P m) n^T + (n . m) P) / J^2, N' = u' x v + u x v', and u' x v'
counts p . (u' x v') besides. Of folds K has the stiffness along phi, without what the moment contributes. Where S is
indefinite, under pressure, it is taken without what forces contribute to K, which is positive.

The matrix of an element is worked out in `update` (3 P, 3 P), by rows, the lower triangle of blocks only.
"""

from __future__ import annotations

from ..columns import EV, FLEX, E, N
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put, put31, vec1
from ..linalg.supernodal_cholesky import factorise_sparse, header_at
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..spatial import add, cross, dot, matmul, scale, sub
from .ancf_cable_tangent import combined, turned_over, unit_times
from .ancf_shell import (
    bent,
    blended,
    blended_at,
    gathered,
    stretch_derivative,
    stretch_forces,
    stretch_rate,
    stretched_by,
    sym3_times,
    vector_of,
)
from .nodal_layout import (
    BENDING_HEAD,
    BENDING_POINTS,
    FOLD_HEAD,
    FOLD_POINTS,
    FOLDS,
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_NODES,
    NODAL_PAIR_ROW,
    OF_NODES,
    PAIRED,
    SHELL_C,
    SHELL_CB,
    SHELL_D,
    SHELL_FOLD,
    SHELL_ROW,
    SHELL_TABLE,
    SHELLS,
    STEP_FACTOR,
    STEP_TARGET,
    STRETCH_HEAD,
    STRETCH_POINTS,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)
from .rotation_schemes import add_outer
from .shell_folds import edge_of, folded


@kernel
def add_block(update, width, a, b, block):
    """Adds a block to rows 3 a and columns 3 b."""
    at = width * 3 * a + 3 * b
    for r in range(3):
        for c in range(3):
            accumulate(update, at + width * r + c, block[3 * r + c])


@kernel
def stretch_blocks(floats, sheet, u, v, strain, force, of_c, of_k, forces):
    """Derivatives of the forces at a point of the stretch: of that on u by u, that on u by v, that on v by v."""
    x = of_k + of_c * floats[sheet + SHELL_C]
    c1 = stretch_derivative(floats, sheet, strain, (1.0, 0.0, 0.0))
    c2 = stretch_derivative(floats, sheet, strain, (0.0, 1.0, 0.0))
    c3 = stretch_derivative(floats, sheet, strain, (0.0, 0.0, 1.0))
    # E' = (u . u', v . v', u . v' + v . u'); on u: (u, 0, v), on v: (0, v, u)
    x1, x2, x3 = forces * of_k * force[0], forces * of_k * force[1], forces * of_k * force[2]
    uu, uv, vv = unit_times(x1), unit_times(x3), unit_times(x2)
    uu = add_outer(uu, scale(x, u), add(scale(c1[0], u), scale(c3[0], v)))
    uu = add_outer(uu, scale(x, v), add(scale(c1[2], u), scale(c3[2], v)))
    uv = add_outer(uv, scale(x, u), add(scale(c2[0], v), scale(c3[0], u)))
    uv = add_outer(uv, scale(x, v), add(scale(c2[2], v), scale(c3[2], u)))
    vv = add_outer(vv, scale(x, v), add(scale(c2[1], v), scale(c3[1], u)))
    vv = add_outer(vv, scale(x, u), add(scale(c2[2], v), scale(c3[2], u)))
    return uu, uv, vv


@outlined_kernel
def lay_stretch(model, sheet, at, count, vectors, x, rate, of_c, of_k, forces, flex, update):
    """Adds a point of the stretch to the matrix of an element."""
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
    uu, uv, vv = stretch_blocks(floats, sheet, u, v, strain, force, of_c, of_k, forces)
    vu, weight = turned_over(uv), get(floats, at)
    for a in range(count):
        sa, ta = weight * get(floats, s1 + a), weight * get(floats, s2 + a)
        left, right = combined(sa, uu, ta, vu), combined(sa, uv, ta, vv)
        for b in range(a + 1):
            block = combined(get(floats, s1 + b), left, get(floats, s2 + b), right)
            add_block(update, 3 * count, a, b, block)


@outlined_kernel
def lay_bending(model, sheet, at, count, vectors, x, rate, of_c, of_k, forces, flex, update):
    """Adds a point of the curvature to the matrix of an element."""
    floats = model.floats
    s = at + BENDING_HEAD
    u, v, a, b, c, n, J, K = bent(model, sheet, at, count, vectors, x, rate, flex)
    weight = get(floats, at)
    M = scale(forces * of_k * weight, sym3_times(floats, sheet + SHELL_D, K))
    # the derivatives of n . a, n . b and 2 n . c by u and v; by a, b and 2 c they are n
    per = 1.0 / J
    pa, pb = scale(per, sub(a, scale(dot(n, a), n))), scale(per, sub(b, scale(dot(n, b), n)))
    pc = scale(2.0 * per, sub(c, scale(dot(n, c), n)))
    ua, ub, uc = cross(v, pa), cross(v, pb), cross(v, pc)
    va, vb, vc = cross(pa, u), cross(pb, u), cross(pc, u)
    # what forces contribute: second derivatives of n . m by u and v, and by one of these and m
    m = add(add(scale(M[0], a), scale(M[1], b)), scale(2.0 * M[2], c))
    across = sub(m, scale(dot(n, m), n))
    less, square = scale(-per * per, n), per * per * dot(n, m)
    Z = add_outer(add_outer(unit_times(-square), less, across), across, less)
    Z = add_outer(Z, scale(square, n), n)
    by_u, by_v = skew(v), skew(scale(-1.0, u))  # transposes of N' by u and by v
    zu, zv = matmul(Z, turned_over(by_u)), matmul(Z, turned_over(by_v))
    uu, uv, vv = matmul(by_u, zu), matmul(by_u, zv), matmul(by_v, zv)
    uv = combined(1.0, uv, -per, skew(across))
    P = add_outer(unit_times(per), scale(-per, n), n)
    um, vm = matmul(by_u, P), matmul(by_v, P)
    mu, mv, vu = turned_over(um), turned_over(vm), turned_over(uv)
    stiff = weight * (of_k + of_c * floats[sheet + SHELL_CB])
    for k in range(count):
        sk, tk = get(floats, s + k), get(floats, s + count + k)
        x1, x2, x3 = strain_by(floats, s, count, k, n, ua, ub, uc, va, vb, vc)
        # D times the derivatives of the strains by vector k, a row for each direction
        y1, y2, y3 = stiff_rows(floats, sheet, stiff, x1, x2, x3)
        mk = moment_share(floats, s, count, k, M)
        left = combined(1.0, combined(sk, uu, tk, vu), mk, mu)
        middle = combined(1.0, combined(sk, uv, tk, vv), mk, mv)
        right = combined(sk, um, tk, vm)
        for l in range(k + 1):
            z1, z2, z3 = strain_by(floats, s, count, l, n, ua, ub, uc, va, vb, vc)
            block = combined(get(floats, s + l), left, get(floats, s + count + l), middle)
            block = combined(1.0, block, moment_share(floats, s, count, l, M), right)
            block = add_outer(add_outer(add_outer(block, y1, z1), y2, z2), y3, z3)
            add_block(update, 3 * count, k, l, block)


@kernel
def moment_share(floats, s, count, k, M):
    """What vector k adds to m = M_11 r,11 + M_22 r,22 + 2 M_12 r,12."""
    x = M[0] * get(floats, s + 2 * count + k) + M[1] * get(floats, s + 3 * count + k)
    return x + 2.0 * M[2] * get(floats, s + 4 * count + k)


@kernel
def strain_by(floats, s, count, k, n, ua, ub, uc, va, vb, vc):
    """Derivatives of K_11, K_22 and 2 K_12 by vector k."""
    x, y = get(floats, s + k), get(floats, s + count + k)
    return (
        add(add(scale(x, ua), scale(y, va)), scale(get(floats, s + 2 * count + k), n)),
        add(add(scale(x, ub), scale(y, vb)), scale(get(floats, s + 3 * count + k), n)),
        add(add(scale(x, uc), scale(y, vc)), scale(2.0 * get(floats, s + 4 * count + k), n)),
    )


@kernel
def stiff_rows(floats, sheet, x, x1, x2, x3):
    """x D times three vectors."""
    D = sheet + SHELL_D
    a, b, c = x * get(floats, D), x * get(floats, D + 1), x * get(floats, D + 2)
    d, e, f = x * get(floats, D + 3), x * get(floats, D + 4), x * get(floats, D + 5)
    return (
        add(add(scale(a, x1), scale(d, x2)), scale(e, x3)),
        add(add(scale(d, x1), scale(b, x2)), scale(f, x3)),
        add(add(scale(e, x1), scale(f, x2)), scale(c, x3)),
    )


@kernel
def skew(a):
    """The matrix that a x is."""
    zero = 0.0 * a[0]
    return (zero, -a[2], a[1], a[2], zero, -a[0], -a[1], a[0], zero)


@outlined_kernel
def lay_fold(model, i, at, count, vectors, q, e, of_c, of_k, update):
    """Adds a point of a fold to the matrix of its vectors."""
    floats, sheet, s = model.floats, floats_of(model, i, NODAL_LINE), at + FOLD_HEAD
    t, v1, v2 = edge_of(model, i, vectors, count, s, q, e, 1)
    _, cosine, by_t, by1, by2 = folded(floats, at, t, v1, v2)
    x = floats[sheet + SHELL_FOLD] * get(floats, at) * (of_k * max(cosine, 0.0) + of_c * floats[sheet + SHELL_CB])
    for k in range(count):
        y = turn_share(floats, s, count, k, by_t, by1, by2)
        for l in range(k + 1):
            block = add_outer(unit_times(0.0), scale(x, y), turn_share(floats, s, count, l, by_t, by1, by2))
            add_block(update, 3 * count, k, l, block)


@kernel
def turn_share(floats, s, count, k, by_t, by1, by2):
    """The derivative of the angle of a fold by vector k."""
    x = add(scale(get(floats, s + k), by_t), scale(get(floats, s + count + k), by1))
    return add(x, scale(get(floats, s + 2 * count + k), by2))


@outlined_kernel
def scatter(model, i, row, update, values, at):
    """Adds the matrix of an element to the coordinates' in values[at ...], laid as the sparse factor is."""
    integers, floats, rows = model.integers, model.floats, integers_of(model, i, SHELL_TABLE)
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    begin, target = integers_of(model, i, NODAL_PAIR_ROW), integers_of(model, i, STEP_TARGET)
    count, vectors, pairs = integers[row + 1], rows + integers[row + 2], rows + integers[row + 3]
    width = 3 * count
    for j in range(count):
        a = integers[vectors + j]
        for h in range(j + 1):
            b, block = integers[vectors + h], width * 3 * j + 3 * h
            column = integers[pairs + count * j + h]
            back = integers[pairs + count * h + j]
            for k in range(integers[first + a], integers[first + a + 1]):
                w = vec1(floats, ways + 3 * k)
                for l in range(integers[first + b], integers[first + b + 1]):
                    y = vec1(floats, ways + 3 * l)
                    x = 0.0
                    for r in range(3):
                        x += w[r] * dot(vec1(update, block + width * r), y)
                    to = integers[target + integers[begin + k] + column + l - integers[first + b]]
                    if to >= 0:
                        accumulate(values, at + to, x)
                    if j != h:  # the other triangle, whichever the order of elimination has below
                        to = integers[target + integers[begin + l] + back + k - integers[first + a]]
                        if to >= 0:
                            accumulate(values, at + to, x)


@outlined_kernel
def lay_shell(model, i, q, v, mu, nu, forces, flex, values, at, update):
    """Lays S where its factor goes, values[at ...]; forces: 1 with what they contribute to K, 0 without."""
    e, integers, floats = model.table[i, E], model.integers, model.floats
    nodes = chosen(model, i, NODAL_NODES)
    d = model.table[i, FLEX] + OF_NODES * model.table[i, N]
    x, rate = d + 12 * nodes, d + 15 * nodes
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    of_c, of_k = 1.0 / mu, 1.0 / (mu * nu)
    for a in range(nodes):
        put31(flex, rate + 3 * a, vector_of(model, first, ways, v, model.table[i, EV], a))
    for k in range(header_at(integers, integers_of(model, i, STEP_FACTOR)).values):
        put(values, at + k, 0.0)
    begin, target, paired = (
        integers_of(model, i, NODAL_PAIR_ROW),
        integers_of(model, i, STEP_TARGET),
        floats_of(model, i, PAIRED),
    )
    for j in range(integers[begin + model.table[i, N]]):
        if integers[target + j] >= 0:
            accumulate(values, at + integers[target + j], get(floats, paired + j))
    for k in range(chosen(model, i, SHELLS) + chosen(model, i, FOLDS)):
        row = rows + SHELL_ROW * k
        point, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for j in range(9 * count * count):
            put(update, j, 0.0)
        if k < chosen(model, i, SHELLS):
            gathered(model, i, vectors, count, q, e, flex, x)
            for _ in range(chosen(model, i, STRETCH_POINTS)):
                lay_stretch(model, sheet, point, count, vectors, x, rate, of_c, of_k, forces, flex, update)
                point += STRETCH_HEAD + 2 * count
            for _ in range(chosen(model, i, BENDING_POINTS)):
                lay_bending(model, sheet, point, count, vectors, x, rate, of_c, of_k, forces, flex, update)
                point += BENDING_HEAD + 5 * count
        else:
            for _ in range(FOLD_POINTS):
                lay_fold(model, i, point, count, vectors, q, e, of_c, of_k, update)
                point += FOLD_HEAD + 3 * count
        scatter(model, i, row, update, values, at)


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
