"""Supernodal Cholesky factorisation of sparse symmetric positive definite matrices.

A = P^T L L^T P. Columns of L with one pattern form a supernode, a dense panel. The structure of L is found once, in
Python (`describe/bodies/finite_element/nested_dissection.py`), and is a block of integers; its values are a block of
floats, so that one structure serves all matrices of one pattern, such as M + C / mu + K / (mu nu) for any step. The
factorisation is left-looking (Ng & Peyton 1993, SIAM J. Sci. Comput. 14, 1034): a panel collects the updates of all
panels before it, then is factorised by itself. Panels are stored column by column.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put
from ..rows import Row, row_at
from ..signatures import Integers, Vector


class FactorHeader(Row):
    """The first integers of the structure of L; its arrays begin at the places stated here, from its beginning on."""

    n: int  # rows of the matrix
    panels: int
    values: int  # how many numbers L has
    widest: int  # size of the largest update of a panel by another, numbers
    order: int  # (n,) the unknown at each place
    start: int  # (panels + 1,) first column of each panel
    row_at: int  # (panels + 1,) where its rows begin in `rows`
    value_at: int  # (panels + 1,) where its values begin
    member: int  # (n,) panel of each place
    rows: int  # row indices of all panels, ascending; the first ones of a panel are its columns


header_at = row_at(FactorHeader)


@kernel
def panel(integers, at, j):
    """First column of panel j, how many it has, where its values and its rows begin, and how many rows it has."""
    f = header_at(integers, at)
    start, row = at + f.start + j, at + f.row_at + j
    low, first = integers[start], integers[row]
    height = integers[row + 1] - first
    return low, integers[start + 1] - low, integers[at + f.value_at + j], at + f.rows + first, height


@kernel
def outer_update(values, own, m, w, first, last, out, at):
    """out[at ...] (m - first, last - first), by columns, = the rows from `first` on of a panel times the transpose of
    its rows first ... last: the update L_1 L_2^T of another panel.
    """
    rows = m - first
    for c in range(last - first):
        to = at + c * rows
        for i in range(c, rows):
            put(out, to + i, 0.0)
        k = 0
        while k + 3 < w:
            a, b = own + k * m + first, own + (k + 1) * m + first
            d, e = own + (k + 2) * m + first, own + (k + 3) * m + first
            xa, xb, xd, xe = get(values, a + c), get(values, b + c), get(values, d + c), get(values, e + c)
            for i in range(c, rows):
                x = xa * get(values, a + i) + xb * get(values, b + i)
                accumulate(out, to + i, x + xd * get(values, d + i) + xe * get(values, e + i))
            k += 4
        while k < w:
            a = own + k * m + first
            x = get(values, a + c)
            for i in range(c, rows):
                accumulate(out, to + i, x * get(values, a + i))
            k += 1


@kernel
def factor_panel(values, own, m, w):
    """Dense Cholesky factorisation of a panel of w columns and m rows; 1 where a pivot is not positive."""
    for c in range(w):
        column = own + c * m
        pivot = get(values, column + c)
        if not pivot > 0.0:
            return 1
        pivot = math.sqrt(pivot)
        put(values, column + c, pivot)
        inverse = 1.0 / pivot
        for i in range(c + 1, m):
            put(values, column + i, get(values, column + i) * inverse)
        for d in range(c + 1, w):
            x = get(values, column + d)
            to = own + d * m
            if x != 0.0:
                for i in range(d, m):
                    accumulate(values, to + i, -x * get(values, column + i))
    return 0


@outlined_kernel
def factorise_sparse(integers, at, values, first, links, update):
    """Factorises the matrix whose lower triangle is in values[first ...], in place; returns 1 if it is not positive
    definite.

    integers    the structure begins at `at`
    links       (3 panels + n,) integers, scratch
    update      (widest,) scratch
    """
    panels, member = header_at(integers, at).panels, at + header_at(integers, at).member
    # linked lists of panels by the next panel that each of them updates; `place` is the row where that begins
    head, following, place, local = 0, panels, 2 * panels, 3 * panels
    for j in range(panels):
        links[head + j] = -1
    for j in range(panels):
        low, w, own, mine, m = panel(integers, at, j)
        # position of every row index within this panel
        for i in range(m):
            links[local + integers[mine + i]] = i
        k = links[head + j]
        # all panels k that update this one: rows p ... last of k are columns of this panel
        while k >= 0:
            _, wk, other, theirs, mk = panel(integers, at, k)
            p = links[place + k]
            last = p
            while last < mk and integers[theirs + last] < low + w:
                last += 1
            outer_update(values, first + other, mk, wk, p, last, update, 0)
            # subtract L_1 L_2^T, scattered by row index
            for c in range(last - p):
                to = first + own + (integers[theirs + p + c] - low) * m
                column = c * (mk - p)
                for i in range(c, mk - p):
                    accumulate(values, to + links[local + integers[theirs + p + i]], -get(update, column + i))
            # panel k moves on to the next panel that it updates
            after = links[following + k]
            links[place + k] = last
            if last < mk:
                other = integers[member + integers[theirs + last]]
                links[following + k] = links[head + other]
                links[head + other] = k
            k = after
        # all updates are collected: factorise the panel, and link it to the first panel that it updates
        if factor_panel(values, first + own, m, w) != 0:
            return 1
        if w < m:
            other = integers[member + integers[mine + w]]
            links[place + j] = w
            links[following + j] = links[head + other]
            links[head + other] = j
    return 0


@kernel
def forward_panel(values, own, m, w, x, at):
    """Forward substitution with a panel: x[at ... at + w] = L^-1 x for its own rows, and minus L times that added to
    the m - w rows below; four columns at a time, so that x goes through memory a quarter as often.
    """
    c = 0
    while c + 3 < w:
        p = own + c * m
        q, r, s = p + m, p + 2 * m, p + 3 * m
        # triangular system of four columns, then their products with the rows below
        y = get(x, at + c) / get(values, p + c)
        z = (get(x, at + c + 1) - y * get(values, p + c + 1)) / get(values, q + c + 1)
        u = get(x, at + c + 2) - y * get(values, p + c + 2) - z * get(values, q + c + 2)
        u /= get(values, r + c + 2)
        v = get(x, at + c + 3) - y * get(values, p + c + 3) - z * get(values, q + c + 3) - u * get(values, r + c + 3)
        v /= get(values, s + c + 3)
        put(x, at + c, y)
        put(x, at + c + 1, z)
        put(x, at + c + 2, u)
        put(x, at + c + 3, v)
        for i in range(c + 4, m):
            more = y * get(values, p + i) + z * get(values, q + i)
            accumulate(x, at + i, -(more + u * get(values, r + i) + v * get(values, s + i)))
        c += 4
    while c < w:
        p = own + c * m
        y = get(x, at + c) / get(values, p + c)
        put(x, at + c, y)
        for i in range(c + 1, m):
            accumulate(x, at + i, -y * get(values, p + i))
        c += 1


@kernel
def column_times(values, p, x, at, first, m, zero):
    """Rows first ... m of a column times those of x, in four partial sums, which are independent."""
    a, b, c, d = zero, zero, zero, zero
    i = first
    while i + 3 < m:
        a += get(values, p + i) * get(x, at + i)
        b += get(values, p + i + 1) * get(x, at + i + 1)
        c += get(values, p + i + 2) * get(x, at + i + 2)
        d += get(values, p + i + 3) * get(x, at + i + 3)
        i += 4
    while i < m:
        a += get(values, p + i) * get(x, at + i)
        i += 1
    return (a + b) + (c + d)


@kernel
def backward_panel(values, own, m, w, x, at, zero):
    """Back substitution with a panel: x[at ... at + w] = L^-T x for its own rows, the m - w rows below being known;
    four columns at a time, with four partial sums each, since a sum that waits for the last one takes longer than
    memory.
    """
    # remainder modulo four: single columns
    c = w - 1
    while (c + 1) % 4 != 0:
        p = own + c * m
        put(x, at + c, (get(x, at + c) - column_times(values, p, x, at, c + 1, m, zero)) / get(values, p + c))
        c -= 1
    c -= 3
    while c >= 0:
        p = own + c * m
        q, r, s = p + m, p + 2 * m, p + 3 * m
        # products with all rows known already, in sixteen partial sums
        a0, a1, a2, a3, b0, b1, b2, b3 = zero, zero, zero, zero, zero, zero, zero, zero
        c0, c1, c2, c3, d0, d1, d2, d3 = zero, zero, zero, zero, zero, zero, zero, zero
        i = c + 4
        while i + 3 < m:
            x0, x1, x2, x3 = get(x, at + i), get(x, at + i + 1), get(x, at + i + 2), get(x, at + i + 3)
            a0 += get(values, p + i) * x0
            a1 += get(values, p + i + 1) * x1
            a2 += get(values, p + i + 2) * x2
            a3 += get(values, p + i + 3) * x3
            b0 += get(values, q + i) * x0
            b1 += get(values, q + i + 1) * x1
            b2 += get(values, q + i + 2) * x2
            b3 += get(values, q + i + 3) * x3
            c0 += get(values, r + i) * x0
            c1 += get(values, r + i + 1) * x1
            c2 += get(values, r + i + 2) * x2
            c3 += get(values, r + i + 3) * x3
            d0 += get(values, s + i) * x0
            d1 += get(values, s + i + 1) * x1
            d2 += get(values, s + i + 2) * x2
            d3 += get(values, s + i + 3) * x3
            i += 4
        # remainder modulo four of the rows
        while i < m:
            x0 = get(x, at + i)
            a0 += get(values, p + i) * x0
            b0 += get(values, q + i) * x0
            c0 += get(values, r + i) * x0
            d0 += get(values, s + i) * x0
            i += 1
        # triangular system of the four columns, the last one first
        v = (get(x, at + c + 3) - ((d0 + d1) + (d2 + d3))) / get(values, s + c + 3)
        u = get(x, at + c + 2) - ((c0 + c1) + (c2 + c3)) - get(values, r + c + 3) * v
        u /= get(values, r + c + 2)
        z = get(x, at + c + 1) - ((b0 + b1) + (b2 + b3)) - get(values, q + c + 2) * u - get(values, q + c + 3) * v
        z /= get(values, q + c + 1)
        y = get(x, at + c) - ((a0 + a1) + (a2 + a3)) - get(values, p + c + 1) * z - get(values, p + c + 2) * u
        y = (y - get(values, p + c + 3) * v) / get(values, p + c)
        put(x, at + c, y)
        put(x, at + c + 1, z)
        put(x, at + c + 2, u)
        put(x, at + c + 3, v)
        c -= 4


@outlined_kernel
def substitute_sparse(integers, at, values, first, b, of, x, to, spare, free):
    """x[to ...] = A^-1 b[of ...], by the factor in values[first ...]; spare[free ...] is scratch (2 n,)."""
    f = header_at(integers, at)
    n, panels, order = f.n, f.panels, at + f.order
    sums = free + n
    for i in range(n):
        put(spare, free + i, get(b, of + integers[order + i]))
    zero = 0.0 * get(spare, free)
    # forward: L y = P b, panel by panel
    for j in range(panels):
        low, w, own, mine, m = panel(integers, at, j)
        some = False
        for c in range(w):
            y = get(spare, free + low + c)
            some |= y != 0.0
            put(spare, sums + c, y)
        if not some:  # a panel without right-hand side, as most where b is sparse
            continue
        for i in range(w, m):
            put(spare, sums + i, zero)
        forward_panel(values, first + own, m, w, spare, sums)
        for c in range(w):
            put(spare, free + low + c, get(spare, sums + c))
        for i in range(w, m):
            accumulate(spare, free + integers[mine + i], get(spare, sums + i))
    # backward: L^T P x = y
    for j in range(panels - 1, -1, -1):
        low, w, own, mine, m = panel(integers, at, j)
        for i in range(m):
            put(spare, sums + i, get(spare, free + integers[mine + i]))
        backward_panel(values, first + own, m, w, spare, sums, zero)
        for c in range(w):
            put(spare, free + low + c, get(spare, sums + c))
    for i in range(n):
        put(x, to + integers[order + i], get(spare, free + i))


@entry_point
def factor_sparse(integers: Integers, at: int, values: Vector, first: int, links: Integers, update: Vector) -> int:
    """`factorise_sparse` for Python."""
    return factorise_sparse(integers, at, values, first, links, update)


@entry_point
def solve_sparse(integers: Integers, at: int, values: Vector, first: int, b: Vector, x: Vector, spare: Vector) -> None:
    """x = A^-1 b for Python; spare (2 n,) is scratch."""
    substitute_sparse(integers, at, values, first, b, 0, x, 0, spare, 0)


@kernel
def sparse_times(integers, row_at, index, values, first, x, of, k):
    """Row k of a compressed-row matrix (CSR) times x[of ...]; row_at and index say where its integers begin."""
    y = 0.0 * get(x, of)
    for j in range(integers[row_at + k], integers[row_at + k + 1]):
        y += get(values, first + j) * get(x, of + integers[index + j])
    return y
