"""Whether mass and stiffness matrices are those of one elastic part: free, in one piece, with mass where it moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....basics.errors import Problem
from .interfaces import DIRECTIONS, rigid_motions
from .matrices import factor, generic, scaled

ISOTROPY = 1e-6
"""How far the total mass may differ by direction."""
LOOSE = 1e-14
"""Least eigenvalue of a clamped stiffness, scaled likewise, that still counts as held."""
GROUNDED = 1e-6
"""Energy of a rigid motion, relative to that of the same displacements without their signs."""
SINGULAR = 1e-12
"""Least eigenvalue of the mass matrix of the coordinates, its diagonal scaled to 1."""


def rigid_problems(M: Any, K: Any, nodes: np.ndarray, dofs: int, address: str) -> list[Problem]:
    """Total mass, and whether mass and stiffness know rigid motions as those of a free body do."""
    motions = rigid_motions(nodes - nodes.mean(axis=0), dofs)
    rigid = motions.T @ (M @ motions)
    mass = float(np.trace(rigid[:3, :3])) / 3.0
    if not mass > 0.0:
        return [Problem(address, f"mass_matrix holds a mass of {mass:g} kg; it must be positive")]
    size = float(np.linalg.norm(np.ptp(nodes, axis=0))) or 1.0
    coupling = rigid[:3, 3:] + rigid[:3, 3:].T
    off = max(np.max(np.abs(rigid[:3, :3] - mass * np.eye(3))), np.max(np.abs(coupling)) / size)
    if off > ISOTROPY * mass:
        return [
            Problem(
                address,
                "mass_matrix does not move as the mass of one body: along x, y, z it holds "
                f"{rigid[0, 0]:.6g}, {rigid[1, 1]:.6g}, {rigid[2, 2]:.6g} kg; keep all degrees of freedom, node by "
                "node, and leave out supports",
            )
        ]
    held = grounded_motion(K, motions)
    if held is not None:
        return [
            Problem(
                address,
                f"stiffness_matrix resists the rigid {DIRECTIONS[held]} of the whole part; leave out supports, and "
                "give nodes in the order and the unit of the matrices",
            )
        ]
    return []


def loose_problems(K: Any, B: Any, nodes: int, held: str, address: str, by: Any = factor) -> list[Problem]:
    """Parts that nothing holds, K and B being those of `craig_bampton.free_matrices`; by: what factors a matrix."""
    if not K.shape[0]:
        return []
    value, motion = loose_motion(K, by)
    if value >= LOOSE:
        return []
    moved = np.max(np.abs((B @ motion).reshape(nodes, -1)), axis=1)
    loose = np.flatnonzero(moved > 1e-3 * np.max(moved))
    listed = ", ".join(map(str, loose[:6])) + (f", ... ({len(loose)} in all)" if len(loose) > 6 else "")
    return [
        Problem(
            address,
            f'stiffness_matrix is singular with "{held}" held: node {listed} can move without resistance; join loose '
            "parts, or leave out what has no stiffness",
        )
    ]


def massless_coordinate(M: np.ndarray) -> int | None:
    """A coordinate that makes its mass matrix singular, or None."""
    if not len(M):
        return None
    diagonal = M.diagonal()
    if np.any(diagonal <= 0.0):
        return int(np.argmin(diagonal))
    scale = 1.0 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(scale[:, None] * M * scale)
    return None if values[0] > SINGULAR else int(np.argmax(np.abs(vectors[:, 0])))


def loose_motion(K: Any, by: Any = factor) -> tuple[float, np.ndarray]:
    """The weakest motion of a stiffness: its scaled eigenvalue, and displacements of largest entry 1."""
    from scipy.sparse import eye_array

    diagonal = K.diagonal()
    if np.any(diagonal <= 0.0):
        return 0.0, (diagonal <= 0.0).astype(float)
    S, scale = scaled(K)
    x = generic(S.shape[0])
    try:
        lu = by(S + 0.1 * LOOSE * eye_array(S.shape[0], format="csc"))
        for _ in range(4):
            x = lu.solve(x)
            x /= np.linalg.norm(x)
    except RuntimeError:
        return 0.0, np.ones(S.shape[0])
    moved = scale * x
    return float(x @ (S @ x)), moved / np.max(np.abs(moved))


def grounded_motion(K: Any, motions: np.ndarray) -> int | None:
    """The first of some rigid motions, the columns, that a stiffness resists, or None: a free part resists none."""
    energy = np.sum(motions * (K @ motions), axis=0)
    gross = np.sum(np.abs(motions) * (abs(K) @ np.abs(motions)), axis=0)
    held = np.flatnonzero(np.abs(energy) > GROUNDED * gross)
    return int(held[0]) if len(held) else None
