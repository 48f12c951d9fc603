"""Craig-Bampton and Guyan reduction of finite-element matrices, and the modal integrals of what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .interfaces import Group, rigid_motions
from .matrices import DENSE, factor, generic
from .modal_tables import Modal, axial, damping_matrix


@dataclass(frozen=True, eq=False)
class ModalReduction:
    """Shapes of a reduced part.

    shapes       nodal displacements for a unit of each coordinate, constraint modes first, (N dofs, n)
    constraints  how many are constraint modes
    squares      of the natural frequencies of the normal modes, all interfaces fixed [rad^2/s^2]
    mode_units   of the normal modes: "m", or "rad" where nodes only turn
    """

    shapes: np.ndarray
    constraints: int
    squares: np.ndarray
    mode_units: tuple[str, ...]


def free_matrices(
    M: Any, K: Any, groups: Sequence[Group], positions: np.ndarray, dofs: int, plane: bool = False
) -> tuple[Any, Any, Any]:
    """Mass and stiffness with the first group clamped and the others tied, and the map to all degrees of freedom.

    The columns of the map are the coordinates of the groups, then the degrees of freedom of all other nodes; of a plane
    part, which stays in its plane, without those along z.
    """
    from scipy.sparse import coo_array, csc_array, hstack

    size = M.shape[0]
    inside = np.ones(size, bool)
    if plane:
        inside[2::dofs] = False
    blocks = []
    for k, group in enumerate(groups):
        rows = group.rows(dofs)
        inside[rows] = False
        if k:
            tie = coo_array(group.tie(positions, dofs))
            blocks.append(csc_array((tie.data, (rows[tie.row], tie.col)), shape=(size, group.coordinates)))
    rows = np.flatnonzero(inside)
    unit = csc_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(size, len(rows)))
    B = hstack([*blocks, unit], format="csc")
    return (B.T @ M @ B).tocsc(), (B.T @ K @ B).tocsc(), B


def in_space(M: Any, K: Any) -> tuple[Any, Any]:
    """Matrices of a plane part, x and y of each node, with z behind them: as heavy along z, and without stiffness."""
    from scipy.sparse import coo_array, csc_array

    out = []
    size = M.shape[0] // 2
    for k, matrix in enumerate((M, K)):
        A = coo_array(matrix)
        row, column, data = (A.row // 2 * 3 + A.row % 2, A.col // 2 * 3 + A.col % 2, A.data)
        if k == 0:
            Z = coo_array(0.5 * (csc_array(matrix)[0::2, 0::2] + csc_array(matrix)[1::2, 1::2]))
            row, column = np.append(row, 3 * Z.row + 2), np.append(column, 3 * Z.col + 2)
            data = np.append(data, Z.data)
        out.append(csc_array((data, (row, column)), shape=(3 * size, 3 * size)))
    return out[0], out[1]


def massive(M: Any, constraints: int) -> int:
    """How many normal modes there are: degrees of freedom behind the constraints that have mass."""
    return int(np.count_nonzero(M.diagonal()[constraints:] > 0.0))


def reduce(M: Any, K: Any, B: Any, constraints: int, modes: int, positions: np.ndarray, dofs: int) -> ModalReduction:
    """Craig-Bampton: static shapes of the interfaces, and normal modes with all interfaces fixed (Craig & Bampton
    1968, AIAA J. 6, 1313); without normal modes it is Guyan's reduction.

    M, K, B      of `free_matrices`
    """
    inner = K.shape[0] - constraints
    whole = np.zeros((K.shape[0], constraints + modes))
    whole[:constraints, :constraints] = np.eye(constraints)
    squares = np.zeros(0)
    if inner:
        K_ii, M_ii = K[constraints:, constraints:], M[constraints:, constraints:]
        lu = factor(K_ii)
        if constraints:
            whole[constraints:, :constraints] = -lu.solve(K[constraints:, :constraints].toarray())
        if modes:
            squares, vectors = normal_modes(M_ii, K_ii, lu, modes)
            whole[constraints:, constraints:] = vectors
    shapes = B @ whole
    units = []
    for k in range(constraints, shapes.shape[1]):
        scale, unit = mode_scale(shapes[:, k], positions, dofs)
        shapes[:, k] *= scale
        units.append(unit)
    return ModalReduction(shapes, constraints, squares, tuple(units))


def normal_modes(M: Any, K: Any, lu: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest modes of K x = s M x, rising: s and x (size, count). M may be singular, K not."""
    size = K.shape[0]
    if size <= DENSE or 3 * count > size:
        from scipy.linalg import eigh

        inverse, vectors = eigh(M.toarray(), K.toarray(), subset_by_index=(size - count, size - 1))
        return 1.0 / inverse[::-1], vectors[:, ::-1]
    from scipy.sparse.linalg import LinearOperator, eigsh

    solve = LinearOperator((size, size), matvec=lu.solve, dtype=np.float64)
    squares, vectors = eigsh(K, k=count, M=M, sigma=0.0, OPinv=solve, v0=generic(size))
    order = np.argsort(squares)
    return squares[order], vectors[:, order]


def mode_scale(shape: np.ndarray, positions: np.ndarray, dofs: int) -> tuple[float, str]:
    """What scales a shape to 1 at its largest displacement, or rotation where nothing else moves, positive there; and
    the unit, "m" or "rad"."""
    moved = shape.reshape(-1, dofs)
    length = float(np.linalg.norm(np.ptp(positions, axis=0)))
    part, unit = moved[:, :3], "m"
    if dofs == 6 and np.max(np.abs(part)) < 1e-6 * length * np.max(np.abs(moved[:, 3:])):
        part, unit = moved[:, 3:], "rad"
    size = np.linalg.norm(part, axis=1)
    # of equal nodes, to rounding, always the same
    row = part[int(np.flatnonzero(size > (1.0 - 1e-6) * size.max())[0])]
    leading = row[int(np.flatnonzero(np.abs(row) > (1.0 - 1e-6) * np.max(np.abs(row)))[0])]
    return float(np.sign(leading) / size.max()), unit


def integrals(M: Any, K: Any, reduction: ModalReduction, arms: np.ndarray, dofs: int, damping: Any) -> Modal:
    """Modal integrals by products with the nodal mass matrix, about the point that the arms to the nodes start at.

    Mass, first moment, inertia, P, H and the mass of the coordinates take the whole matrix, rotary inertia and the
    coupling of rotations with displacements included. What depends on the deformed shape, int r psi^T and
    int psi psi^T, takes the scalar mass M_s of pairs of nodes, a third of the trace of their 3 x 3 block of
    displacements: exact where the mass couples equal directions only, as in solid elements and lumped masses; for
    beam and shell elements the difference goes with the square of their size.
    """
    shapes, b = reduction.shapes, reduction.constraints
    n = shapes.shape[1]
    motions = rigid_motions(arms, dofs)
    momentum = M @ motions
    rigid = motions.T @ momentum
    M_s = sum(M[a::dofs, a::dofs] for a in range(3)) / 3.0
    nodes = len(arms)
    psi = shapes.reshape(nodes, dofs, n)[:, :3]
    weighted = (M_s @ psi.reshape(nodes, 3 * n)).reshape(nodes, 3, n)
    first = np.tensordot(weighted, arms, (0, 0)).transpose(1, 2, 0)
    second = (psi.reshape(nodes, 3 * n).T @ weighted.reshape(nodes, 3 * n)).reshape(3, n, 3, n).transpose(1, 3, 0, 2)
    M_r = shapes.T @ (M @ shapes)
    K_r = shapes.T @ (K @ shapes)
    M_r, K_r = 0.5 * (M_r + M_r.T), 0.5 * (K_r + K_r.T)
    K_r[:b, b:] = K_r[b:, :b] = 0.0  # static shapes do no work on shapes that vanish at the interfaces
    return Modal(
        mass=float(np.trace(rigid[:3, :3])) / 3.0,
        moment=0.5 * axial(rigid[:3, 3:]),  # v . (omega x c) = -v^T c~ omega
        inertia=0.5 * (rigid[3:, 3:] + rigid[3:, 3:].T),
        P=shapes.T @ momentum[:, :3],
        H=shapes.T @ momentum[:, 3:],
        first=first,
        second=0.5 * (second + second.transpose(1, 0, 3, 2)),
        M=M_r,
        K=K_r,
        C=damping_matrix(M_r, K_r, damping),
    )
