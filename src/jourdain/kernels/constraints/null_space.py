"""Accelerations in the null space of the constraints, without multipliers: Belda, Bohm & Valasek 2002, eq. 2 and 3.

With A R = 0 and any g such that A g + b = 0, b being what the tree's own accelerations a leave of the constraints,

    dv/dt = a + g + R u,    R^T M R u = -R^T M g.

R comes from a partition, R = [-A_d^-1 A_i; 1], so that v = R v_i and u belongs to the independent velocities. The
multipliers of the rows taken come out of it, A_d^T lambda = (M (g + R u))_d, for results. Dense, O(nv^3): for
mechanisms of some dozens of coordinates, and where rows are redundant or far apart in size.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put
from ..linalg.cholesky import factor_general, factor_symmetric, solve_general, solve_symmetric, solve_transposed
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .constraint_jacobian import lay_rows, row_accelerations
from .coordinate_partitioning import pivot_at, velocity_level
from .partition_selection import dense_jacobian, integers_of, numbers_of


@kernel
def reduced_at(model, ws):
    """Where R_d (rows, nv), R^T M R (nv, nv) and three vectors of nv numbers begin in Workspace.solve."""
    nv, nr = model.q_index.size, len(ws.constraint_rows)
    relation = pivot_at(model, ws) + 1
    matrix = relation + nr * nv
    g = matrix + nv * nv
    return relation, matrix, g, g + nv, g + 2 * nv


@kernel
def order_at(model, ws):
    """Where the order of the rows of a factor begins in Workspace.solve_links, behind the integers of the choice."""
    return ws.layout.own_links + model.q_index.size + 2 + 4 * len(ws.constraint_rows)


@outlined_kernel
def relate(model, ws):
    """R_d = -A_d^-1 A_i, a row for each dependent velocity, and g = -A_d^-1 b, b being ws.solve[right ...]."""
    links, solve, known = ws.solve_links, ws.solve, ws.known
    nv = model.q_index.size
    _, jacobian, columns, square, right = numbers_of(model, ws)
    _, number, taken, moving = integers_of(model, ws, velocity_level(model))
    relation, _, g, _, _ = reduced_at(model, ws)
    order, n = order_at(model, ws), links[number]
    for a in range(n):
        for b in range(n):
            put(solve, square + a * n + b, get(solve, jacobian + links[taken + a] * nv + links[moving + b]))
    factor_general(solve, square, n, links, order)
    for k in range(nv):
        put(solve, g + k, 0.0)
    for k in range(nv + 1):
        if k < nv and known[k] != 0:
            for a in range(n):
                put(solve, relation + a * nv + k, 0.0)
            continue
        for a in range(n):
            row = links[taken + a]
            put(solve, right + a, -get(solve, jacobian + row * nv + k if k < nv else ws.layout.right + row))
        solve_general(solve, square, n, links, order, solve, right, solve, columns)
        for a in range(n):
            if k < nv:
                put(solve, relation + a * nv + k, get(solve, columns + a))
            else:
                put(solve, g + links[moving + a], get(solve, columns + a))
    for a in range(n):
        for b in range(n):
            put(solve, relation + a * nv + links[moving + b], 0.0)


@kernel
def is_independent(ws, moving, n, k):
    """Whether an entry of v is neither dependent nor known."""
    if ws.known[k] != 0:
        return False
    for a in range(n):
        if ws.solve_links[moving + a] == k:
            return False
    return True


@outlined_kernel
def reduce_masses(model, ws):
    """Solves R^T M R u = -R^T M g and leaves g + R u in the place of g; M (nv, nv) as `numbers_of` has it."""
    links, solve = ws.solve_links, ws.solve
    nv = model.q_index.size
    mass, _, _, _, _ = numbers_of(model, ws)
    _, number, _, moving = integers_of(model, ws, velocity_level(model))
    relation, matrix, g, pushed, u = reduced_at(model, ws)
    n = links[number]
    # M g
    for k in range(nv):
        x = 0.0
        for j in range(nv):
            x += get(solve, mass + k * nv + j) * get(solve, g + j)
        put(solve, pushed + k, x)
    # -R^T M g: an independent velocity takes the dependent ones along, by `relation`
    i = 0
    for k in range(nv):
        if not is_independent(ws, moving, n, k):
            continue
        x = get(solve, pushed + k)
        for a in range(n):
            x += get(solve, relation + a * nv + k) * get(solve, pushed + links[moving + a])
        put(solve, u + i, -x)
        i += 1
    size = i
    # R^T M R, its lower triangle, a column M R at a time
    i = 0
    for k in range(nv):
        if not is_independent(ws, moving, n, k):
            continue
        for j in range(nv):
            x = get(solve, mass + j * nv + k)
            for a in range(n):
                x += get(solve, mass + j * nv + links[moving + a]) * get(solve, relation + a * nv + k)
            put(solve, pushed + j, x)
        j = 0
        for l in range(k + 1):
            if not is_independent(ws, moving, n, l):
                continue
            x = get(solve, pushed + l)
            for a in range(n):
                x += get(solve, relation + a * nv + l) * get(solve, pushed + links[moving + a])
            put(solve, matrix + i * size + j, x)
            j += 1
        i += 1
    # u, and with it all accelerations: g + R u
    factor_symmetric(solve, matrix, size, 0.0)
    solve_symmetric(solve, matrix, size, solve, u)
    i = 0
    for k in range(nv):
        if not is_independent(ws, moving, n, k):
            continue
        x = get(solve, u + i)
        put(solve, g + k, x)
        for a in range(n):
            accumulate(solve, g + links[moving + a], get(solve, relation + a * nv + k) * x)
        i += 1


@entry_point
def constrain_nullspace(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, effort: Vector,
    acceleration: Vector,
) -> None:  # fmt: skip
    """`StageFunctions.constrain` in the null space; multipliers of the rows that the choice has taken come out of
    it."""
    links, solve, nv = ws.solve_links, ws.solve, v.size
    lay_rows(model, ws, t, q, v)
    right = ws.layout.right
    row_accelerations(model, ws, q, v, acceleration, solve[right : right + len(ws.constraint_rows)])
    dense_jacobian(model, ws, q, v)
    relate(model, ws)
    mass, jacobian, columns, square, _ = numbers_of(model, ws)
    kinematics(model, ws, q, v)
    composite_mass_matrix(model, ws, solve[mass : mass + nv * nv].reshape(nv, nv))
    reduce_masses(model, ws)
    _, number, taken, moving = integers_of(model, ws, velocity_level(model))
    _, _, g, pushed, u = reduced_at(model, ws)
    n = links[number]
    for k in range(nv):
        x = 0.0
        for j in range(nv):
            x += get(solve, mass + k * nv + j) * get(solve, g + j)
        put(solve, pushed + k, x)
    for a in range(n):
        put(solve, u + a, get(solve, pushed + links[moving + a]))
    solve_transposed(solve, square, n, links, order_at(model, ws), solve, u, solve, columns)
    for r in range(len(ws.constraint_rows)):
        ws.constraint_rows[r].multiplier = 0.0
    for a in range(n):
        ws.constraint_rows[links[taken + a]].multiplier = get(solve, columns + a)
    for k in range(nv):
        if ws.known[k] == 0:
            acceleration[k] += get(solve, g + k)
        else:
            effort[k] += get(solve, pushed + k)
            for a in range(n):
                effort[k] -= get(solve, columns + a) * get(solve, jacobian + links[taken + a] * nv + k)
    for r in range(len(ws.constraint_rows)):
        ws.ledger.work_rate -= ws.constraint_rows[r].multiplier * ws.constraint_rows[r].drift
