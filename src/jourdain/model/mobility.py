"""`model.mobility`: how many ways a mechanism can move, and which of its constraints say the same or contradict.

The structural count is Gruebler's and Kutzbach's, velocities less rows. The numeric one is velocities less the rank of
A, measured with the mass matrix so that metres and radians compare: B = A L^-T, M = L L^T, rows scaled to length one.
A row that lies in the span of those before it is redundant; redundant rows whose right sides do not follow from the
others conflict: for y with y^T A = 0, a rate y^T c that is not zero, or at the closest configuration a gap y^T g.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import functions

if TYPE_CHECKING:
    from .model import Model
    from .state import State

RANK = 1e-9
"""What counts as nothing: the rest of a row of length one, or a singular value over the largest."""


@dataclass(frozen=True)
class Mobility:
    """How a mechanism can move at a state.

    degrees        velocities less rank: in how many ways it can move
    velocities     of the tree
    rows           of all constraints
    rank           of these rows at the state
    redundant      names of constraints with rows that follow from others before them
    conflicting    names of constraints that contradict each other
    text           the same in words
    """

    degrees: int
    velocities: int
    rows: int
    rank: int
    redundant: list[str]
    conflicting: list[str]
    text: str

    def __repr__(self) -> str:
        return f"<Mobility: {self.text}>"


def scaled_rows(model: Model, q: np.ndarray, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A L^-T with rows that compare (zero where a row can move nothing), and what they were divided by."""
    if not A.size:
        return A.copy(), np.zeros(len(A))
    L = np.linalg.cholesky(functions.mass_matrix(model, q))
    B = np.linalg.solve(L, A.T).T
    size = model.constraints.lengths(B, RANK)
    size[~np.isfinite(size)] = 0.0
    return np.where(size[:, None] > 0.0, B / np.where(size > 0.0, size, 1.0)[:, None], 0.0), size


def dependent_rows(B: np.ndarray) -> np.ndarray:
    """Which rows lie in the span of those before them, (rows,) bool, by orthogonalisation in their order."""
    basis = np.zeros((0, B.shape[1]))
    out = np.zeros(len(B), bool)
    for r, row in enumerate(B):
        left = row - basis.T @ (basis @ row)
        left -= basis.T @ (basis @ left)
        size = np.linalg.norm(left)
        if size <= RANK:
            out[r] = True
        else:
            basis = np.vstack([basis, left / size])
    return out


def contradictions(B: np.ndarray, size: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The part (rows,) of a right side, scaled as the rows of `scaled_rows`, that no motion changes."""
    scaled = right / np.where(size > 0.0, size, 1.0)
    if not len(B):
        return scaled
    U, singular, _ = np.linalg.svd(B, full_matrices=False)
    reach = U[:, singular > RANK * max(float(np.max(singular, initial=0.0)), 1e-300)]
    left = scaled - reach @ (reach.T @ scaled)
    return left * np.where(size > 0.0, size, 1.0)


def mobility(model: Model, state: State) -> Mobility:
    """In how many ways the model can move at a state, and which of its constraints are redundant or conflict.

    state    a `State`, best one that `assemble` has closed; profiles count at its time
    """
    from .assembly import OPEN_GAP, closest, size_of

    c = model.constraints
    A, table = c.jacobian_and_table(state.q, state.v, state.time)
    B, size = scaled_rows(model, state.q, A)
    singular = np.linalg.svd(B, compute_uv=False) if B.size else np.zeros(0)
    rank = int(np.sum(singular > RANK * max(float(np.max(singular, initial=0.0)), 1e-300)))
    dependent = dependent_rows(B)
    owners = c.owners
    redundant = list(dict.fromkeys(owners[r] for r in np.flatnonzero(dependent)))
    rate = np.abs(contradictions(B, size, table.columns.drift))
    clash = rate > OPEN_GAP * max(float(np.max(np.abs(table.columns.drift), initial=0.0)), 1e-300)
    length = size_of(model, state.q)
    if np.max(np.abs(table.columns.value), initial=0.0) > OPEN_GAP * length:
        q = closest(model, state.q, state.time)
        A, table = c.jacobian_and_table(q, np.zeros(model.nv), state.time)
        B, size = scaled_rows(model, q, A)
        clash |= np.abs(contradictions(B, size, table.columns.value)) > OPEN_GAP * length
    conflicting = list(dict.fromkeys(owners[r] for r in np.flatnonzero(clash)))
    counted = {name: sum(dependent[r] for r in range(c.rows) if owners[r] == name) for name in redundant}
    return Mobility(
        degrees=model.nv - rank,
        velocities=model.nv,
        rows=c.rows,
        rank=rank,
        redundant=redundant,
        conflicting=conflicting,
        text=_text(model, rank, counted, conflicting),
    )


def _text(model: Model, rank: int, redundant: dict[str, int], conflicting: list[str]) -> str:
    nv, rows = model.nv, model.constraints.rows
    count = f"{nv} velocities - rank {rank} of {rows} rows = mobility {nv - rank}"
    if nv - rows != nv - rank:
        count += f" (structural count {nv - rows})"
    parts = [count]
    if redundant:
        parts.append("redundant rows: " + ", ".join(f"{count} of {name}" for name, count in redundant.items()))
    if conflicting:
        parts.append(f"in conflict: {', '.join(conflicting)}")
    return "; ".join(parts)
