"""How the frame of a shell holds parts of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...shells.gradients import Gradients

ALIGNED = 0.99
"""Cosine of the angle between an edge of a region and an axis of a node, at which the gradient is that along it."""


def held_directions(
    gradients: Gradients, regions: Mapping[str, np.ndarray], words: Mapping[str, str]
) -> dict[int, np.ndarray]:
    """Of each vector that is held the directions in which it is, (k, 3).

    Along a held line the surface stays where it is, so that the gradients along it are held as the places are. The
    slope of a clamped line is held too: the part of all gradients and twists along the normal. Gradients in the
    plane of the surface, its stretch and shear, stay free.
    """
    whole: set[int] = set()
    across: dict[int, np.ndarray] = {}
    for key, nodes in regions.items():
        inside = set(nodes.tolist())
        for node in inside:
            first, axes = gradients.first[node], gradients.axes[node]
            normal = np.cross(axes[0], axes[1]) if len(axes) == 2 else None
            along = _lines(gradients, node, inside)
            held = [first, *(first + 1 + l for l in range(len(axes)) if along[l])]
            if words[key] == "supported" and normal is not None:
                across |= dict.fromkeys(held, normal)
            else:
                whole |= set(held)
            if words[key] == "clamped":
                more = [a for a in range(first + 1, _after(gradients, node)) if a not in held]
                if normal is None:  # folded: nothing turns
                    whole |= set(more)
                else:
                    across |= dict.fromkeys(more, normal)
    return {a: normal[None] for a, normal in across.items() if a not in whole} | dict.fromkeys(whole, np.eye(3))


def _after(gradients: Gradients, node: int) -> int:
    """The first vector behind those of a node."""
    return gradients.first[node + 1] if node + 1 < len(gradients.first) else len(gradients.values)


def _lines(gradients: Gradients, node: int, inside: set[int]) -> list[bool]:
    """Which axes of a node are along edges to other nodes inside."""
    ways = [way / np.linalg.norm(way) for other, way in gradients.leaving[node].items() if other in inside]
    return [any(abs(float(way @ axis)) > ALIGNED for way in ways) for axis in gradients.axes[node]]
