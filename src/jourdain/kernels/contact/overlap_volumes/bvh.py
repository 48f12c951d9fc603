"""Broad phase of bodies of cells: bounding-volume hierarchies (BVH) of boxes in the axes of each body."""

from __future__ import annotations

from ...compiler import kernel, outlined_kernel


@kernel
def boxes_apart(one, other, R, t):
    """Whether a face normal of one of two boxes is a separating axis.

    R, t    R_BA and p_BoAo_B: pose of the axes of the first in those of the second

    The separating-axis test without the nine cross products of edges: conservative.
    """
    half_a, half_b = one.half, other.half
    c = (R @ one.middle + t) - other.middle
    entries, away, own = tuple(R), tuple(c), tuple(R.T @ c)
    # face normals of B: centre distance c_B against half length plus projected half lengths of A
    for i in range(3):
        reach = half_b[i]
        for k in range(3):
            reach += abs(entries[3 * i + k]) * half_a[k]
        if abs(away[i]) > reach:
            return True
    # face normals of A
    for k in range(3):
        reach = half_a[k]
        for i in range(3):
            reach += abs(entries[3 * i + k]) * half_b[i]
        if abs(own[k]) > reach:
            return True
    return False


@kernel
def push_nodes(stack, depth, first, second):
    """Puts a pair of nodes on the stack."""
    stack[depth].first, stack[depth].second = first, second


@outlined_kernel
def list_pairs(A, B, pairs, stack):
    """Pairs of cells of two bodies whose boxes meet into the rows of `pairs`; returns how many, -1 where their capacity
    is exceeded.

    Both hierarchies are descended at once, the larger box first, with an explicit stack of one entry a level of both.
    """
    # R_BA = R_WB^T R_WA, p_BoAo_B
    R, t = B.R.T @ A.R, B.R.T @ (A.p - B.p)
    count = 0
    push_nodes(stack, 0, 0, 0)
    depth = 1
    # descend both trees; separated boxes prune the branch, two leaves are a pair
    while depth > 0:
        depth -= 1
        u, w = stack[depth].first, stack[depth].second
        box_a, box_b = A.boxes[u], B.boxes[w]
        if boxes_apart(box_a, box_b, R, t):
            continue
        cell_a, cell_b = A.nodes[u].cell, B.nodes[w].cell
        if cell_a >= 0 and cell_b >= 0:
            if count == len(pairs):
                return -1
            pairs[count].first, pairs[count].second = cell_a, cell_b
            count += 1
            continue
        # split the larger box, or the one that is no leaf
        half_a, half_b = box_a.half, box_b.half
        larger = max(half_a[0], half_a[1], half_a[2]) >= max(half_b[0], half_b[1], half_b[2])
        if depth + 2 > len(stack):
            return -1
        if cell_b >= 0 or (cell_a < 0 and larger):
            push_nodes(stack, depth, A.nodes[u + 1].after, w)
            push_nodes(stack, depth + 1, u + 1, w)
        else:
            push_nodes(stack, depth, u, B.nodes[w + 1].after)
            push_nodes(stack, depth + 1, u, w + 1)
        depth += 2
    return count
