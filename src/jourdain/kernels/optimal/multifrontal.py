"""Multifrontal LDL^T factorisation of symmetric indefinite matrices whose unknowns come in stages: each stage couples
to itself, the next and a common border.

They are the Karush-Kuhn-Tucker (KKT) systems of an optimal control problem.

Stages are eliminated one after another, each in a small dense matrix, its front, with the stage's own unknowns, those
of the next stage that it couples to, and the border: the multifrontal method (Duff & Reid 1983) on a chain. Pivots are
1x1 or 2x2, chosen within the stage by their size beside the rest of their rows (threshold pivoting; the test of 2x2
pivots as Duff & Reid 1996, section 2.3). Unknowns without such a pivot are delayed to the next front, to which the
remainder of the front (its Schur complement) is added. The signs of the pivots are those of the eigenvalues
(Sylvester's law of inertia).

Of a front only the upper triangle is stored, row by row, so that inner loops are contiguous. An eliminated row is
stored from its pivot on, before division by the pivot.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel
from ..signatures import Integers, Vector

THRESHOLD = 1e-6
"""A pivot must be larger than this fraction of the largest number in its row, which bounds the growth of the factor."""
NOTHING = 1e-15
"""A pivot below this fraction of the terms of which it is the sum counts as rounding."""
BALANCED = 0.6403882032022076
"""(1 + sqrt 17) / 8 of Bunch & Kaufman 1977, which balances the growth of 1x1 and 2x2 pivots."""


@entry_point
def factor_fronts(
    own: Integers, size: Integers, start: Integers, unknown: Integers, onward: Integers, entry_start: Integers,
    at_row: Integers, at_column: Integers, which: Integers, values: Vector, allowed: Integers, capacity: int,
    work: Vector, laid: Integers, order: Integers, double: Integers, rows: Vector,
) -> tuple[int, int]:  # fmt: skip
    """Factorises all stages; returns how many eigenvalues are negative, and how many pivots were only rounding.

    own           (stages,) unknowns of each
    size          (stages,) size of its front, without the unknowns delayed to it
    start         (stages,) where its unknowns begin in `unknown` and `onward`
    unknown       indices of the unknowns of every front: its own, then those that it leaves to the next
    onward        the place in the next front of each that it leaves
    entry_start   (stages + 1,) where the entries of a front begin in `at_row`, `at_column` and `which`
    at_row, at_column    places of an entry in its front, the row first
    which         which of the `values` it is
    allowed       (stages,) largest number of negative eigenvalues up to a stage; with more of them it ends at once
    room          largest front that is allowed
    work          (3 room^2 + 4 room,) for three fronts and four rows
    laid          (4 stages,) output, of every stage: where it begins in `order` and `double`, the size of its front,
                  its pivots, and where it begins in `rows`
    order         output: the unknowns of the fronts in the order of their pivots
    double        output: 1 for the first row of a 2x2 pivot, 2 for its second, 0 for a 1x1 pivot
    rows          output: the eliminated rows

    A pivot counts as rounding too where the capacity for delayed unknowns is exceeded.
    """
    negative, weak, left, row_at, past, stages = 0, 0, 0, 0, 0, own.size
    before, f, pivots, half = 0, 0, 0, capacity * capacity
    for s in range(stages):
        # assemble the front: delayed unknowns first, then the entries of the stage; extend-add of the last front
        old, width, first, begun = half * ((s + 1) % 2), f, pivots, before
        f, n, here = left + size[s], left + own[s], half * (s % 2)
        if f > capacity or past + f > order.size or row_at + n * f > rows.size:
            return negative, weak + 1
        for k in range(f * f):
            work[here + k] = 0.0
        for e in range(entry_start[s], entry_start[s + 1]):
            work[here + (left + at_row[e]) * f + left + at_column[e]] += values[which[e]]
        for i in range(left):
            order[past + i] = order[begun + first + i]
        for i in range(size[s]):
            order[past + left + i] = unknown[start[s] + i]
        if s > 0:
            _add(work, old, width, first, left, here, f, onward[start[s - 1] + own[s - 1] : start[s]])
        # eliminate; the last stage may not delay any unknown
        pivots, found, lost = _eliminate(
            work, here, f, n, order[past : past + f], double[past : past + f], s == stages - 1, work[2 * half :]
        )
        # with too many negative pivots the inertia of the KKT matrix is wrong, whatever follows
        negative += found
        weak += lost
        if negative > allowed[s]:
            return negative, weak
        laid[4 * s], laid[4 * s + 1], laid[4 * s + 2], laid[4 * s + 3] = past, f, pivots, row_at
        # store the eliminated rows, from their pivots on
        for i in range(pivots):
            for j in range(i, f):
                rows[row_at] = work[here + i * f + j]
                row_at += 1
        before, left = past, n - pivots
        past += f
    return negative, weak


@kernel
def _add(A, old, width, first, left, here, f, places):
    """Extend-add: adds the Schur complement of one front, behind its first rows, to the next: `left` delayed rows, then
    those with places.
    """
    count = left + places.size
    for i in range(count):
        p = i if i < left else left + places[i - left]
        row = old + (first + i) * width + first
        for j in range(i, count):
            q = j if j < left else left + places[j - left]
            if p <= q:
                A[here + p * f + q] += A[row + j]
            else:
                A[here + q * f + p] += A[row + j]


@entry_point
def solve_fronts(laid: Integers, order: Integers, double: Integers, rows: Vector, work: Vector, out: Vector) -> None:
    """out (unknowns,) = inverse of the factorised matrix times out; work is as large as the largest front."""
    stages = laid.size // 4
    for s in range(stages):
        # forward: L y = b, front by front
        past, f, pivots, row = laid[4 * s], laid[4 * s + 1], laid[4 * s + 2], laid[4 * s + 3]
        for j in range(f):
            work[j] = out[order[past + j]]
        for k in range(pivots):
            at = row - k  # where the first unknown of the front would be
            if double[past + k] == 0:
                t = work[k] / rows[row]
                for j in range(k + 1, f):
                    work[j] -= rows[at + j] * t
            elif double[past + k] == 1:
                next_at = row + f - 2 * k - 1
                t, u = _by_two(rows[row], rows[row + 1], rows[row + f - k], work[k], work[k + 1])
                for j in range(k + 2, f):
                    work[j] -= rows[at + j] * t + rows[next_at + j] * u
            row += f - k
        for j in range(f):
            out[order[past + j]] = work[j]
    for s in range(stages - 1, -1, -1):
        # backward: D L^T x = y
        past, f, pivots = laid[4 * s], laid[4 * s + 1], laid[4 * s + 2]
        row = laid[4 * s + 3] + pivots * f - pivots * (pivots - 1) // 2
        for j in range(f):
            work[j] = out[order[past + j]]
        for k in range(pivots - 1, -1, -1):
            row -= f - k
            at = row - k
            if double[past + k] == 0:
                work[k] = (work[k] - _dot(rows, at, work, k + 1, f)) / rows[row]
            elif double[past + k] == 1:
                next_at = row + f - 2 * k - 1
                t = work[k] - _dot(rows, at, work, k + 2, f)
                u = work[k + 1] - _dot(rows, next_at, work, k + 2, f)
                work[k], work[k + 1] = _by_two(rows[row], rows[row + 1], rows[row + f - k], t, u)
        for j in range(pivots):
            out[order[past + j]] = work[j]


@entry_point
def less_product(rows: Integers, columns: Integers, values: Vector, x: Vector, out: Vector) -> None:
    """out -= K x, of a symmetric matrix K by the coordinates of one of its triangles."""
    for k in range(rows.size):
        i, j = rows[k], columns[k]
        out[i] -= values[k] * x[j]
        if i != j:
            out[j] -= values[k] * x[i]


@kernel
def _by_two(a, b, c, t, u):
    """Solution of the 2x2 pivot (a, b; b, c) with the right-hand side (t, u)."""
    scale = a * c - b * b
    return (c * t - b * u) / scale, (a * u - b * t) / scale


@outlined_kernel
def _eliminate(A, b, f, n, order, double, forced, scratch):
    """Eliminates as many of the first n unknowns of a front of size f as pass the pivot test, all of them where
    `forced`.

    A row is updated when it is examined (left-looking): the contributions of earlier pivots are then subtracted. A row
    that is no pivot goes behind the others, which are examined again as long as pivots are found. Returns how many were
    eliminated, how many eigenvalues are negative, and how many pivots were only rounding. scratch has f^2 + 4 f
    numbers.
    """
    negative, weak = 0, 0
    row, other = scratch[:f], scratch[f : 2 * f]
    size, reach, parts = scratch[2 * f : 3 * f], scratch[3 * f : 4 * f], scratch[4 * f : 4 * f + f * f]
    k, end, begun, threshold = 0, n, 0, THRESHOLD
    while k < n:
        if k == end:
            # end of a round: another one, or without pivots in it a last one without threshold, or delay of the rest
            if begun == k:
                if not forced:
                    break
                threshold = 0.0
            end, begun = n, k
        # updated row k; first the cheap test |d| against the whole row, then the largest entry and its column r
        _bring_up(A, b, f, k, k, k, reach, parts, row)
        nothing = NOTHING * _summed(A, b, f, k, k, size, parts)
        d, own, r, paired = row[k], 0.0, -1, False
        large = abs(d) > nothing and threshold > 0.0 and _none_above(row, k + 1, f, abs(d) / THRESHOLD)
        if not large:
            most, own, r = _largest(row, k, n, f, k, -1)
            large = threshold == 0.0 and abs(d) >= BALANCED * own
        if large:
            # 1x1 pivot
            double[k] = 0
            if abs(d) <= nothing:
                weak += 1
                d = row[k] = nothing if nothing > 0.0 else 1.0
            if d < 0.0:
                negative += 1
            _keep(A, b, f, k, row, reach)
            size[k], inverse = abs(d), 1.0 / d
            for m in range(k + 1, f):
                parts[m * f + k] = row[m] * inverse
            k += 1
            continue
        if own > nothing:
            # 2x2 pivot with r: |inverse| times the largest entries beside it at most 1 / threshold (Duff & Reid 1996)
            _bring_up(A, b, f, k, r, k, reach, parts, other)
            e = other[r]
            rest, rest_other = _largest(row, k, n, f, k, r)[0], _largest(other, k, n, f, r, k)[0]
            scale = d * e - own * own
            bound = abs(scale) / max(threshold, 1e-300)
            paired = abs(e) * rest + own * rest_other <= bound and own * rest + abs(d) * rest_other <= bound
        if paired:
            # accept it: row r is swapped to k + 1; the determinant `scale` gives the signs of its eigenvalues
            double[k], double[k + 1] = 1, 2
            if scale < 0.0:
                negative += 1
            elif d < 0.0:
                negative += 2
            _keep(A, b, f, k, row, reach)
            _swap(A, b, f, k + 1, r, k, order, reach, parts)
            other[r], other[k + 1] = other[k + 1], other[r]
            _keep(A, b, f, k + 1, other, reach)
            at = b + k * f
            size[k], size[k + 1] = abs(d) + own, abs(e) + own
            for m in range(k + 2, f):
                t, u = _by_two(A[at + k], A[at + k + 1], A[at + f + k + 1], A[at + m], A[at + f + m])
                parts[m * f + k], parts[m * f + k + 1] = t, u
            k += 2
            end = max(end, k)
        else:
            end -= 1
            _swap(A, b, f, k, end, k, order, reach, parts)
    # Schur complement of the remaining rows, for the next front
    for i in range(k, f):
        _bring_up(A, b, f, k, i, i, reach, parts, row)
        for j in range(i, f):
            A[b + i * f + j] = row[j]
    return k, negative, weak


@outlined_kernel
def _bring_up(A, b, f, k, p, low, reach, parts, out):
    """out[low:f] = row p of a front less the contributions of k pivots, four of their rows at a time as far as they
    reach.

    parts    (f, f) multipliers: L_pj of every row p and pivot j
    """
    for m in range(low, p):
        out[m] = A[b + m * f + p]
    for m in range(p, f):
        out[m] = A[b + p * f + m]
    count, r0, r1, r2, t0, t1, t2, end = 0, b, b, b, 0.0, 0.0, 0.0, 0
    for j in range(k):
        t = parts[p * f + j]
        if t == 0.0:
            continue
        end = max(end, int(reach[j]))
        if count == 0:
            r0, t0 = b + j * f, t
        elif count == 1:
            r1, t1 = b + j * f, t
        elif count == 2:
            r2, t2 = b + j * f, t
        else:
            r3 = b + j * f
            for m in range(low, end):
                out[m] -= t0 * A[r0 + m] + t1 * A[r1 + m] + t2 * A[r2 + m] + t * A[r3 + m]
            end = 0
        count = (count + 1) % 4
    if count > 0:
        # remainder of at most three rows
        t1, t2 = t1 if count > 1 else 0.0, t2 if count > 2 else 0.0
        for m in range(low, end):
            out[m] -= t0 * A[r0 + m] + t1 * A[r1 + m] + t2 * A[r2 + m]


@kernel
def _summed(A, b, f, k, p, size, parts):
    """Sum of the absolute values of the terms of which the updated diagonal of row p is the sum."""
    even, odd, at = abs(A[b + p * f + p]), 0.0, p * f
    for j in range(0, k - 1, 2):
        even += parts[at + j] * parts[at + j] * size[j]
        odd += parts[at + j + 1] * parts[at + j + 1] * size[j + 1]
    if k % 2 == 1:
        even += parts[at + k - 1] * parts[at + k - 1] * size[k - 1]
    return even + odd


@kernel
def _keep(A, b, f, k, row, reach):
    """Stores a row as that of the pivot k, and its last non-zero column."""
    end = k + 1
    for j in range(k, f):
        A[b + k * f + j] = row[j]
        if row[j] != 0.0:
            end = j + 1
    reach[k] = end


@kernel
def _none_above(row, begin, end, bound):
    """Whether no entry of a row is larger than a bound in absolute value."""
    count = 0
    for j in range(begin, end):
        count += 1 if abs(row[j]) > bound else 0
    return count == 0


@kernel
def _largest(row, k, n, f, p, left_out):
    """Largest entry of row p from k on but for its diagonal and one more; that of those below n, and its column."""
    own, at = 0.0, -1
    for j in range(k, n):
        value = abs(row[j])
        if value > own and j != p and j != left_out:
            own, at = value, j
    most = own
    for j in range(n, f):
        most = max(most, abs(row[j]))
    return most, own, at


@kernel
def _swap(A, b, f, k, p, done, order, reach, parts):
    """Symmetric interchange of rows and columns k < p of a front, eliminated rows and `done` multipliers included."""
    if p > k:
        for j in range(k):
            A[b + j * f + k], A[b + j * f + p] = A[b + j * f + p], A[b + j * f + k]
            if A[b + j * f + p] != 0.0:
                reach[j] = max(reach[j], p + 1.0)
        for j in range(done):
            parts[k * f + j], parts[p * f + j] = parts[p * f + j], parts[k * f + j]
        A[b + k * f + k], A[b + p * f + p] = A[b + p * f + p], A[b + k * f + k]
        for j in range(k + 1, p):
            A[b + k * f + j], A[b + j * f + p] = A[b + j * f + p], A[b + k * f + j]
        for j in range(p + 1, f):
            A[b + k * f + j], A[b + p * f + j] = A[b + p * f + j], A[b + k * f + j]
        order[k], order[p] = order[p], order[k]


@kernel
def _dot(rows, at, x, begin, end):
    """Sum of rows[at + j] x[j], in four partial sums, which are independent."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    last = begin + (end - begin) // 4 * 4
    for j in range(begin, last, 4):
        a += rows[at + j] * x[j]
        b += rows[at + j + 1] * x[j + 1]
        c += rows[at + j + 2] * x[j + 2]
        d += rows[at + j + 3] * x[j + 3]
    for j in range(last, end):
        a += rows[at + j] * x[j]
    return (a + b) + (c + d)
