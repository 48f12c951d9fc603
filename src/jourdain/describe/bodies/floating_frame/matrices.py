"""Finite-element matrices as they are given, and what can be wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....basics.errors import ModelError, Problem
from ....basics.values import as_array, shown
from .interfaces import DIRECTIONS, rigid_motions

SYMMETRY = 1e-8
"""How far from symmetric a matrix may be, relative to its largest entry."""
SEMIDEFINITE = 1e-9
"""How negative an eigenvalue may be, all diagonal entries scaled to 1."""
DENSE = 200
"""Up to this size eigenvalues are computed all at once."""


def as_matrix(value: Any, what: str) -> Any:
    """A SciPy sparse matrix, by columns, from a dense or sparse one; a `ModelError` where it is none."""
    from scipy.sparse import csc_array, issparse

    if issparse(value):
        if value.dtype.kind not in "iuf":
            raise ModelError.at(what, f"got a sparse matrix of {value.dtype}; give real numbers")
        return csc_array(value, dtype=np.float64, copy=True)
    array = as_array(value, what)
    if array.ndim != 2:
        raise ModelError.at(what, f"got {shown(value)}, of shape {array.shape}; give a square matrix")
    return csc_array(array)


def matrix_problems(A: Any, address: str, what: str) -> list[Problem]:
    """Whether a square matrix is finite, symmetric and positive semi-definite."""
    if not np.all(np.isfinite(A.data)):
        at = A.tocoo()
        k = int(np.flatnonzero(~np.isfinite(at.data))[0])
        return [Problem(address, f"{what}: entry ({at.row[k]}, {at.col[k]}) is {at.data[k]:g}; give finite numbers")]
    skew = (A - A.T).tocoo()
    largest = float(np.max(np.abs(A.data), initial=0.0))
    if skew.nnz and np.max(np.abs(skew.data)) > SYMMETRY * largest:
        k = int(np.argmax(np.abs(skew.data)))
        i, j = int(skew.row[k]), int(skew.col[k])
        return [
            Problem(
                address,
                f"{what} is not symmetric: entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}; "
                "give the whole matrix, not a triangle of it",
                what,
            )
        ]
    least = negative_eigenvalue(0.5 * (A + A.T))
    if least is None:
        return []
    which = f"its least eigenvalue is {least:.3g}" if np.isfinite(least) else "it has negative eigenvalues"
    return [
        Problem(
            address,
            f"{what} is not positive semi-definite: {which}, its largest entry is {largest:.3g}; check signs, units "
            "and the order of the degrees of freedom",
            what,
        )
    ]


def negative_eigenvalue(A: Any) -> float | None:
    """The least eigenvalue of a symmetric matrix if it is negative beyond rounding, else None.

    Not a number where it is negative and does not converge.
    """
    diagonal = A.diagonal()
    empty = diagonal == 0.0
    indefinite = bool(np.any(diagonal < 0.0)) or bool(empty.any() and abs(A[empty]).sum() > 0.0)
    if not indefinite and not _pivots_turn(scaled(A[~empty][:, ~empty])[0], SEMIDEFINITE):
        return None
    if A.shape[0] <= DENSE:
        return float(np.linalg.eigvalsh(A.toarray())[0])
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    try:
        return float(eigsh(A, k=1, which="SA", tol=1e-2, maxiter=2000, v0=generic(A.shape[0]))[0][0])
    except ArpackNoConvergence:
        return float("nan")


def generic(size: int) -> np.ndarray:
    """The same vector each time, with a share in every direction."""
    return np.random.default_rng(7).standard_normal(size)


def scaled(A: Any) -> tuple[Any, np.ndarray]:
    """A matrix with its diagonal scaled to 1 from both sides, and the scales."""
    from scipy.sparse import diags_array

    scale = 1.0 / np.sqrt(A.diagonal())
    return (diags_array(scale) @ A @ diags_array(scale)).tocsc(), scale


def factor(A: Any) -> Any:
    """Sparse factors of a symmetric matrix, pivots on the diagonal while they can be."""
    from scipy.sparse.linalg import splu

    options = {"SymmetricMode": True}
    return splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def _pivots_turn(S: Any, shift: float) -> bool:
    """Whether S + shift 1 has a negative eigenvalue: as many as negative pivots (Sylvester's law of inertia)."""
    from scipy.sparse import eye_array

    if not S.shape[0]:
        return False
    try:
        lu = factor(S + shift * eye_array(S.shape[0], format="csc"))
    except RuntimeError:
        return True
    return bool(np.any(lu.perm_r != lu.perm_c) or np.any(lu.U.diagonal() < 0.0))


ISOTROPY = 1e-6
"""How far the total mass may differ by direction."""
UNSUPPORTED = 1e-14
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


def unsupported_problems(K: Any, B: Any, nodes: int, held: str, address: str, by: Any = factor) -> list[Problem]:
    """Parts that nothing holds, K and B being those of `reduction.free_matrices`; by: what factors a matrix."""
    if not K.shape[0]:
        return []
    value, motion = unsupported_motion(K, by)
    if value >= UNSUPPORTED:
        return []
    moved = np.max(np.abs((B @ motion).reshape(nodes, -1)), axis=1)
    unsupported = np.flatnonzero(moved > 1e-3 * np.max(moved))
    listed = ", ".join(map(str, unsupported[:6])) + (
        f", ... ({len(unsupported)} in all)" if len(unsupported) > 6 else ""
    )
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


def unsupported_motion(K: Any, by: Any = factor) -> tuple[float, np.ndarray]:
    """The weakest motion of a stiffness: its scaled eigenvalue, and displacements of largest entry 1."""
    from scipy.sparse import eye_array

    diagonal = K.diagonal()
    if np.any(diagonal <= 0.0):
        return 0.0, (diagonal <= 0.0).astype(float)
    S, scale = scaled(K)
    x = generic(S.shape[0])
    try:
        lu = by(S + 0.1 * UNSUPPORTED * eye_array(S.shape[0], format="csc"))
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


def from_basis(name: str, basis: Any, mass_matrix: Any, stiffness_matrix: Any) -> tuple[np.ndarray, Any, Any]:
    """Nodes (N, 3) of a basis of a vector element, and its matrices with the degrees of freedom of each together.

    Nodes 0, 1, ... are the mesh's; those that quadratic elements add on edges, facets and inside come behind.
    """
    order, places = [], []
    for dofs in (basis.nodal_dofs, basis.edge_dofs, basis.facet_dofs, basis.interior_dofs):
        if dofs is None or not dofs.size:
            continue
        d = len(basis.doflocs)
        if d not in (2, 3) or len(dofs) % d:
            raise ModelError.at(
                f"{name}: basis",
                f"has {len(dofs)} degrees of freedom at a place in {d} dimensions; give a vector element in two or "
                "three, such as ElementVector(ElementTetP1())",
            )
        each = dofs.reshape(-1, d, dofs.shape[1]).transpose(2, 0, 1).reshape(-1, d)
        order.append(each.ravel())
        places.append(basis.doflocs[:, each[:, 0]].T)
    index = np.concatenate(order)
    given = {"mass_matrix": mass_matrix, "stiffness_matrix": stiffness_matrix}
    for what, matrix in given.items():
        given[what] = as_matrix(matrix, f"{name}: {what}")
        if given[what].shape != (len(index), len(index)):
            raise ModelError.at(
                f"{name}: {what}",
                f"has shape {given[what].shape}; the basis has {len(index)} degrees of freedom: assemble it there",
            )
    M, K = (matrix[index][:, index] for matrix in given.values())
    nodes = np.concatenate(places)
    if nodes.shape[1] == 2:
        nodes = np.hstack([nodes, np.zeros((len(nodes), 1))])
    return nodes, M, K
