"""Finite-element matrices as they are given, and what can be wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....basics.errors import ModelError, Problem
from ....basics.values import as_array, shown

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
