"""LDL^T and LU factorisations of small dense matrices in flat arrays, for the constraint reductions, and constraint
rows as a dense matrix.
"""

from __future__ import annotations

from ..compiler import kernel, outlined_kernel
from ..constraints.constraint_jacobian import row_jacobian
from ..flat_arrays import get, put

NOTHING = 1e-22
"""Squared lengths of rows below this, over the largest, count as rounding."""


@kernel
def method_scratch(model, ws):
    """Where the method's own numbers begin in Workspace.solve."""
    return ws.layout.own if len(model.constraints) > 0 else 0


@outlined_kernel
def dense_rows(model, ws, q, v, at):
    """A (rows, nv) into ws.solve from `at` on, after `lay_rows`; columns of prescribed entries are zero."""
    nv = v.size
    for r in range(len(ws.constraint_rows)):
        row_jacobian(model, ws, r, q, v, ws.solve, at + r * nv)
        for k in range(nv):
            if ws.known[k] != 0:
                put(ws.solve, at + r * nv + k, 0.0)


@outlined_kernel
def factor_symmetric(a, at, n, tolerance):
    """LDL^T factorisation of the symmetric n x n matrix from a[at] on, in place: L below, inverse pivots on the
    diagonal.

    A pivot below `tolerance` times its diagonal gets a zero for its inverse: its row depends on those before it. So
    does one whose diagonal is negligible beside the largest.
    """
    largest = 0.0
    for i in range(n):
        largest = max(largest, get(a, at + i * n + i))
    for i in range(n):
        row = at + i * n
        diagonal = get(a, row + i)
        # row i: first (L D)_ij, then L_ij and the pivot
        for j in range(i):
            x = get(a, row + j)
            for k in range(j):
                x -= get(a, row + k) * get(a, at + j * n + k)
            put(a, row + j, x)
        pivot = diagonal
        for j in range(i):
            x = get(a, row + j)
            l = x * get(a, at + j * n + j)
            pivot -= x * l
            put(a, row + j, l)
        taken = pivot > tolerance * diagonal and diagonal > NOTHING * largest
        put(a, row + i, 1.0 / pivot if taken else 0.0)


@outlined_kernel
def solve_symmetric(a, at, n, b, to):
    """Solves with the factor of `factor_symmetric`; b[to : to + n] is the right-hand side, then the solution."""
    for i in range(n):
        x = get(b, to + i)
        for j in range(i):
            x -= get(a, at + i * n + j) * get(b, to + j)
        put(b, to + i, x)
    for i in range(n):
        put(b, to + i, get(b, to + i) * get(a, at + i * n + i))
    for i in range(n - 1, -1, -1):
        x = get(b, to + i)
        if get(a, at + i * n + i) == 0.0:
            continue
        for j in range(i):
            if get(a, at + j * n + j) != 0.0:
                put(b, to + j, get(b, to + j) - get(a, at + i * n + j) * x)


@outlined_kernel
def factor_general(a, at, n, order, first):
    """LU factorisation P A = L U with partial pivoting of the n x n matrix from a[at] on, in place; order[first : first
    + n] gets which row of A each row of the factor is. Returns the smallest pivot over the largest entry, 0.0 if
    singular.
    """
    largest = 0.0
    for i in range(n * n):
        largest = max(largest, abs(get(a, at + i)))
    for i in range(n):
        order[first + i] = i
    smallest = 1.0
    for k in range(n):
        # partial pivoting with interchange of whole rows
        best = k
        for i in range(k + 1, n):
            if abs(get(a, at + i * n + k)) > abs(get(a, at + best * n + k)):
                best = i
        if best != k:
            order[first + k], order[first + best] = order[first + best], order[first + k]
            for j in range(n):
                x = get(a, at + k * n + j)
                put(a, at + k * n + j, get(a, at + best * n + j))
                put(a, at + best * n + j, x)
        pivot = get(a, at + k * n + k)
        smallest = min(smallest, abs(pivot) / largest if largest > 0.0 else 0.0)
        if pivot == 0.0:
            return 0.0
        # column of L and update of the remaining rows
        for i in range(k + 1, n):
            l = get(a, at + i * n + k) / pivot
            put(a, at + i * n + k, l)
            if l != 0.0:
                for j in range(k + 1, n):
                    put(a, at + i * n + j, get(a, at + i * n + j) - l * get(a, at + k * n + j))
    return smallest


@outlined_kernel
def solve_general(a, at, n, order, first, b, to, out, place):
    """Solves A x = b with the factor of `factor_general`: b[to : to + n] into out[place : place + n], another place."""
    for i in range(n):
        x = get(b, to + order[first + i])
        for j in range(i):
            x -= get(a, at + i * n + j) * get(out, place + j)
        put(out, place + i, x)
    for i in range(n - 1, -1, -1):
        x = get(out, place + i)
        for j in range(i + 1, n):
            x -= get(a, at + i * n + j) * get(out, place + j)
        put(out, place + i, x / get(a, at + i * n + i))


@outlined_kernel
def solve_transposed(a, at, n, order, first, b, to, out, place):
    """Solves A^T x = b with the same factor; b is overwritten."""
    for i in range(n):
        x = get(b, to + i)
        for j in range(i):
            x -= get(a, at + j * n + i) * get(b, to + j)
        put(b, to + i, x / get(a, at + i * n + i))
    for i in range(n - 1, -1, -1):
        x = get(b, to + i)
        for j in range(i + 1, n):
            x -= get(a, at + j * n + i) * get(b, to + j)
        put(b, to + i, x)
    for i in range(n):
        put(out, place + order[first + i], get(b, to + i))
