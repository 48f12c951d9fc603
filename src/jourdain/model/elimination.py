"""What a direct solution for the multipliers costs, counted before anything is computed: Negrut, NATO ASI 2002.

Bodies in Cartesian coordinates, joints between them. Two joints are neighbours where they share a body that moves; the
reduced matrix has a block for each joint and for each pair of neighbours. To eliminate a joint is to join all its
neighbours that are left to each other. With d of them and f new pairs (summed over the joints in their order)

    multiplications  sum of d (d + 1) / 2 + 2 d,    fill-in  F = sum of f,    additions  multiplications - F,
    inversions  blocks + F,    blocks = joints + pairs.

The paper prints counts and no rule; this one gives all rows of its Table 2 their relations and both rows of Table 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from ..basics.errors import ModelError

Pair = tuple[Hashable, Hashable]
GROUND = "world"


class BlockOperations(NamedTuple):
    """Operations on blocks, one a joint, that an elimination takes, and blocks of the upper triangle before it."""

    additions: int
    multiplications: int
    inversions: int
    fill_in: int
    blocks: int


def joint_neighbours(joints: Sequence[Pair], ground: Hashable = GROUND) -> list[set[int]]:
    """For each joint (a pair of bodies) the joints that share a moving body with it; the ground couples nothing."""
    on: dict[Hashable, list[int]] = {}
    for j, pair in enumerate(joints):
        for body in pair:
            if body != ground:
                on.setdefault(body, []).append(j)
    return [{k for body in pair if body != ground for k in on[body]} - {j} for j, pair in enumerate(joints)]


def topology_index(joints: Sequence[Pair], ground: Hashable = GROUND) -> int:
    """The most joints that one moving body has."""
    bodies = [body for pair in joints for body in pair if body != ground]
    return max((bodies.count(body) for body in set(bodies)), default=0)


def block_operations(near: Sequence[set[int]], order: Sequence[int]) -> BlockOperations:
    """What an elimination of the joints in this order takes; `near` are the neighbours of each."""
    if sorted(order) != list(range(len(near))):
        raise ModelError.at("order", f"got {list(order)}; give every joint from 0 to {len(near) - 1} once")
    left = [set(some) for some in near]
    blocks = len(left) + sum(len(some) for some in left) // 2
    multiplications = fill = 0
    for j in order:
        d = len(left[j])
        multiplications += d * (d + 1) // 2 + 2 * d
        fill += _eliminate(left, j)
    return BlockOperations(multiplications - fill, multiplications, blocks + fill, fill, blocks)


def minimum_degree(near: Sequence[set[int]]) -> list[int]:
    """An order that eliminates the joint with the fewest neighbours left, the first of them (Rose 1972)."""
    left = [set(some) for some in near]
    waiting = set(range(len(left)))
    order = []
    while waiting:
        j = min(waiting, key=lambda i: (len(left[i]), i))
        _eliminate(left, j)
        waiting.discard(j)
        order.append(j)
    return order


def _eliminate(left: list[set[int]], j: int) -> int:
    """Takes joint j out and joins its neighbours to each other; returns how many pairs are new."""
    new = 0
    for k in left[j]:
        left[k].discard(j)
        fresh = left[j] - left[k] - {k}
        new += len(fresh)
        left[k] |= fresh
    left[j] = set()
    return new // 2


def split_body(joints: Sequence[Pair], body: Hashable, most: int = 3) -> list[Pair]:
    """The joints of a mechanism whose body `body` is a row of parts, welded each to the next, of `most` joints each.

    Parts are called (body, 0), (body, 1) ...; their welds come behind the other joints. More multipliers, but a matrix
    with less fill-in: a star becomes linear in its arms, not cubic.
    """
    if most < 3:
        raise ModelError.at(str(body), f"parts of {most} joints; a part in a row has two welds, so give 3 or more")
    mine = [j for j, pair in enumerate(joints) if body in pair]
    if len(mine) <= most:
        return list(joints)
    part: dict[int, int] = {}
    at, remaining = 0, most - 1
    for i, j in enumerate(mine):
        if remaining == 0:
            at += 1
            remaining = most - 1 if len(mine) - i <= most - 1 else most - 2
        part[j] = at
        remaining -= 1
    out: list[Pair] = []
    for j, (first, second) in enumerate(joints):
        a = (body, part[j]) if first == body else first
        b = (body, part[j]) if second == body else second
        out.append((a, b))
    return out + [((body, i), (body, i + 1)) for i in range(at)]
