"""Broad phase of bodies of cells: bounding-volume hierarchies (BVH) of boxes in the axes of each body."""

from __future__ import annotations

from ...compiler import kernel, outlined_kernel
from ...spatial import rotate, rotate_back, sub
from .overlap_layout import BODY_BOXES, BODY_TREE, CELL_A, CELL_B


@kernel
def boxes_apart(x, a, b, R, t):
    """Whether a face normal of one of two boxes, (centre, half lengths) from x[a] and x[b] on, is a separating axis.

    R, t    R_BA and p_BoAo_B: pose of the axes of the first in those of the second

    The separating-axis test without the nine cross products of edges: conservative.
    """
    m = rotate(R, (x[a], x[a + 1], x[a + 2]))
    c = (m[0] + t[0] - x[b], m[1] + t[1] - x[b + 1], m[2] + t[2] - x[b + 2])
    # face normals of B: centre distance c_B against half length plus projected half lengths of A
    for i in range(3):
        reach = x[b + 3 + i]
        for k in range(3):
            reach += abs(R[3 * i + k]) * x[a + 3 + k]
        if abs(c[i]) > reach:
            return True
    # face normals of A
    d = rotate_back(R, c)
    for k in range(3):
        reach = x[a + 3 + k]
        for i in range(3):
            reach += abs(R[3 * i + k]) * x[b + 3 + i]
        if abs(d[k]) > reach:
            return True
    return False


@outlined_kernel
def list_pairs(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, pairs, stack):
    """Pairs of cells whose boxes meet into the rows of `pairs`; returns how many, -1 where their capacity is exceeded.

    x, n      floats and integers of the shapes
    fa, ia    where those of the first body begin; fb, ib of the second
    R, p      their poses in the world

    Both hierarchies are descended at once, the larger box first, with an explicit stack of one entry a level of both.
    """
    # R_BA = R_WB^T R_WA, p_BoAo_B
    R = (
        R_b[0] * R_a[0] + R_b[3] * R_a[3] + R_b[6] * R_a[6],
        R_b[0] * R_a[1] + R_b[3] * R_a[4] + R_b[6] * R_a[7],
        R_b[0] * R_a[2] + R_b[3] * R_a[5] + R_b[6] * R_a[8],
        R_b[1] * R_a[0] + R_b[4] * R_a[3] + R_b[7] * R_a[6],
        R_b[1] * R_a[1] + R_b[4] * R_a[4] + R_b[7] * R_a[7],
        R_b[1] * R_a[2] + R_b[4] * R_a[5] + R_b[7] * R_a[8],
        R_b[2] * R_a[0] + R_b[5] * R_a[3] + R_b[8] * R_a[6],
        R_b[2] * R_a[1] + R_b[5] * R_a[4] + R_b[8] * R_a[7],
        R_b[2] * R_a[2] + R_b[5] * R_a[5] + R_b[8] * R_a[8],
    )
    t = rotate_back(R_b, sub(p_a, p_b))
    # tables of the two hierarchies; the stack holds pairs of nodes, the roots first
    boxes_a, boxes_b = fa + n[ia + BODY_BOXES], fb + n[ib + BODY_BOXES]
    tree_a, tree_b = ia + n[ia + BODY_TREE], ib + n[ib + BODY_TREE]
    count = 0
    stack[0, 0], stack[0, 1] = 0, 0
    depth = 1
    # descend both trees; separated boxes prune the branch, two leaves are a pair
    while depth > 0:
        depth -= 1
        u, w = stack[depth, 0], stack[depth, 1]
        a, b = boxes_a + 6 * u, boxes_b + 6 * w
        if boxes_apart(x, a, b, R, t):
            continue
        cell_a, cell_b = n[tree_a + 2 * u + 1], n[tree_b + 2 * w + 1]
        if cell_a >= 0 and cell_b >= 0:
            if count == pairs.shape[0]:
                return -1
            pairs[count, CELL_A], pairs[count, CELL_B] = cell_a, cell_b
            count += 1
            continue
        # split the larger box, or the one that is no leaf
        size_a = max(x[a + 3], x[a + 4], x[a + 5])
        size_b = max(x[b + 3], x[b + 4], x[b + 5])
        if depth + 2 > stack.shape[0]:
            return -1
        if cell_b >= 0 or (cell_a < 0 and size_a >= size_b):
            stack[depth, 0], stack[depth, 1] = n[tree_a + 2 * (u + 1)], w
            stack[depth + 1, 0], stack[depth + 1, 1] = u + 1, w
        else:
            stack[depth, 0], stack[depth, 1] = u, n[tree_b + 2 * (w + 1)]
            stack[depth + 1, 0], stack[depth + 1, 1] = u, w + 1
        depth += 2
    return count
