"""Methods that take the constraints out of the equations, or solve for them in another way than a factor of S.

Objects for `simulate(..., constraints=...)`, as those of `methods`; what each keeps and costs is in
docs/simulate/constrained_dynamics.md, the equations in docs/simulate/constrained_reduction.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.values import suggestion
from .methods import ConstraintMethod, Kernels

if TYPE_CHECKING:
    from ...model.model import Model

PRECISION = 1e-12
"""Residual that conjugate gradients leave, over the right side, where a run does not say."""
REFRESH = 50
"""Evaluations for which they keep a preconditioner, where a run does not say."""


def row_count(model: Model) -> int:
    """Rows of all constraints."""
    from ...kernels.constraints.constraint_layout import CONSTRAINT_ROWS

    return int(np.sum(model.arrays.constraint_index[:, CONSTRAINT_ROWS]))


@dataclass(frozen=True)
class Orthogonal(ConstraintMethod):
    """Orthogonal decomposition of velocities (Aghili & Piedboeuf 2002): at every evaluation v = P v - A+ c.

    weight     "mass": the split is orthogonal in kinetic energy, through the tree; "unit": in the plain sum of squares,
               as in the paper, with dense rows, O(rows^2 nv)
    correct    whether coordinates are brought back at accepted steps, eq. 21; without it their violation is the
               quadrature error of a velocity that obeys the constraints exactly
    """

    weight: str = "mass"
    correct: bool = True
    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "orthogonal"

    def __post_init__(self) -> None:
        if self.weight not in ("mass", "unit"):
            raise ModelError.at("Orthogonal", f'weight is {self.weight!r}; give "mass" or "unit"')

    def stages_of(self, model: Model) -> Kernels:
        from ...kernels.constraints import orthogonal_decomposition as own
        from ...kernels.constraints.stabilization import constrain, settle

        if self.weight == "mass":
            return own.adjust_orthogonal, constrain, settle if self.correct else own.settle_orthogonal
        return own.adjust_unit, constrain, own.settle_unit if self.correct else own.settle_unit_velocity

    @property
    def drifts(self) -> bool:  # type: ignore[override]
        """Without a correction of coordinates."""
        return not self.correct

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        if self.weight == "mass":
            return super().room(model)
        n = row_count(model)
        return np.zeros(n * (model.nv + n + 1)), np.zeros(0, np.int64)


@dataclass(frozen=True)
class Partitioning(ConstraintMethod):
    """Independent coordinates are integrated, dependent ones found of them at every evaluation (Wehage & Haug 1982).

    independent    names of velocities that are to be independent; None leaves the choice to the projective criterion.
                   Of the others as many as the constraints bind are dependent, chosen anew where their block of the
                   constraints' Jacobian has worn
    """

    independent: Sequence[str] | None = None
    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "partitioning"

    def stages_of(self, model: Model) -> Kernels:
        from ...kernels.constraints.coordinate_partitioning import adjust_partition, settle_choice
        from ...kernels.constraints.stabilization import constrain

        return (adjust_partition, constrain, settle_choice)

    def __post_init__(self) -> None:
        if self.independent is not None:
            given = (self.independent,) if isinstance(self.independent, str) else tuple(self.independent)
            object.__setattr__(self, "independent", given)

    def candidates(self, model: Model) -> list[int] | None:
        """Entries of v that may be dependent, None for all."""
        if self.independent is None:
            return None
        return [k for name, k in model.index.v.items() if name not in self.independent]

    def check(self, model: Model) -> None:
        problems = [
            Problem(str(name), f"Partitioning: no such velocity; {suggestion(str(name), model.index.v)}")
            for name in self.independent or ()
            if name not in model.index.v
        ]
        if problems:
            raise ModelError(problems)

    def numbers(self, model: Model, q: np.ndarray) -> np.ndarray:
        """As `ConstraintMethod.numbers`; refuses names of which the others do not follow at q."""
        candidates = self.candidates(model)
        if candidates is not None and row_count(model):
            A = model.constraints.jacobian(q)
            wanted, found = np.linalg.matrix_rank(A), np.linalg.matrix_rank(A[:, candidates])
            if found < wanted:
                free = model.nv - wanted
                named = ", ".join(f'"{name}"' for name in self.independent or ())
                raise ModelError.at(
                    "Partitioning",
                    f"with {named} independent the other velocities meet {found} of {wanted} constraints; the model "
                    f"has {free} degrees of freedom here: name as many, or others, or leave out independent=",
                )
        return super().numbers(model, q)

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.coordinate_partitioning import PIVOT
        from ...kernels.constraints.partition_selection import partition_room

        floats, integers = partition_room(model.arrays, self.candidates(model))
        return np.concatenate([floats, np.zeros(PIVOT)]), integers


@dataclass(frozen=True)
class NullSpace(ConstraintMethod):
    """Accelerations in the null space of the constraints, R^T M R u = R^T (f - M g), with R of a partition and a g that
    obeys A g + b = 0 (Belda, Bohm & Valasek 2002, eq. 2). Multipliers have no part in them: they follow afterwards, of
    the rows that the partition takes. Dense, O(nv^3). Accepted steps are brought back by the dependent coordinates and
    velocities."""

    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "null-space"

    def stages_of(self, model: Model) -> Kernels:
        from ...kernels.constraints.coordinate_partitioning import adjust_choice, settle_choice
        from ...kernels.constraints.null_space import constrain_nullspace

        return (adjust_choice, constrain_nullspace, settle_choice)

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        floats, integers = Partitioning().room(model)
        n, nv = row_count(model), model.nv
        more = n * nv + nv * nv + 3 * nv
        return np.concatenate([floats, np.zeros(more)]), np.concatenate([integers, np.zeros(n, np.int64)])


@dataclass(frozen=True)
class ConjugateGradients(ConstraintMethod):
    """Multipliers by preconditioned conjugate gradients, without the matrix S (Negrut 2002), and projection of accepted
    steps by the same: for very large systems.

    tolerance         residual that is left, over the right side
    refresh           evaluations for which a preconditioner is kept
    preconditioner    "factor": an old factor of S; "blocks": the blocks of S on its diagonal, one a constraint
    """

    tolerance: float = PRECISION
    refresh: int = REFRESH
    preconditioner: str = "factor"
    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "conjugate-gradients"

    def stages_of(self, model: Model) -> Kernels:
        from ...kernels.constraints.conjugate_gradient import constrain_gradients, settle_gradients

        return (None, constrain_gradients, settle_gradients)

    def __post_init__(self) -> None:
        problems = []
        if not (isinstance(self.tolerance, int | float | np.number) and 0.0 < self.tolerance < 1.0):
            problems.append(Problem("ConjugateGradients", f"tolerance is {self.tolerance!r}; give one between 0 and 1"))
        if not (isinstance(self.refresh, int | np.integer) and self.refresh >= 1):
            problems.append(Problem("ConjugateGradients", f"refresh is {self.refresh!r}; give evaluations, 1 or more"))
        if self.preconditioner not in ("factor", "blocks"):
            problems.append(
                Problem("ConjugateGradients", f'preconditioner is {self.preconditioner!r}; give "factor" or "blocks"')
            )
        if problems:
            raise ModelError(problems)

    def numbers(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Precision, refreshment, and which preconditioner."""
        from ...kernels.constraints.constraint_layout import BLOCKS, PRECISION, REFRESH

        out = super().numbers(model, q)
        out[PRECISION], out[REFRESH] = float(self.tolerance), float(self.refresh)
        out[BLOCKS] = 1.0 if self.preconditioner == "blocks" else 0.0
        return out

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.conjugate_gradient import BLOCK, GRADIENT_VECTORS

        arrays = model.arrays
        floats = GRADIENT_VECTORS + 4 * row_count(model) + 6 * len(arrays.table) + BLOCK * len(arrays.constraint_index)
        return np.zeros(floats), np.zeros(0, np.int64)


@dataclass(frozen=True)
class Momenta(ConstraintMethod):
    """Hamilton's equations in canonical momenta, O(N) (Lefeber, Naudet, Terze & Daerden 2002), also for trees.

    Momenta are integrated instead of velocities, and no accelerations are solved for; constraints are met by the
    velocities of momenta, index 2. Internal coordinates, and rails on bodies that deform, keep their velocities, as
    Routh's variables do, and take accelerations.
    """

    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "momenta"
    trees: ClassVar[bool] = True

    @property
    def rates(self) -> Any:
        from ...kernels.constraints.canonical_momenta import momentum_rates

        return momentum_rates

    def stages_of(self, model: Model) -> Kernels:
        """Its kernels in a model: those of a tree know nothing of rows."""
        from ...kernels.constraints.canonical_momenta import adjust_momenta, settle_momenta
        from ...kernels.constraints.constrained_momenta import adjust_linked, settle_linked
        from ...kernels.constraints.stabilization import constrain

        if row_count(model):
            return adjust_linked, constrain, settle_linked
        return adjust_momenta, None, settle_momenta

    def check(self, model: Model) -> None:
        if model.in_orbit:
            raise ModelError.at(
                model.name,
                "Momenta: the world is an orbital frame, which turns, and M v is then no canonical momentum; "
                "leave out constraints=, or use jd.constraints.Projection()",
            )
        neglected = model.rotations_neglected()
        if neglected:
            raise ModelError.at(
                neglected[0],
                'Momenta: it carries a body and its tip rotation is "none": what it carries turns without its axes, '
                "and there is no momentum of that; give another tip_rotation, or use jd.constraints.Projection()",
            )
        if row_count(model) and model.flexible:
            raise ModelError.at(
                model.constraints.names[0],
                "Momenta: constraints and bodies that deform at once need momenta of internal coordinates, whose "
                "inertia only their bodies know; use jd.constraints.Projection()",
            )

    def numbers(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Calls its stages in trees too, and says whether constraints move."""
        from ...kernels.constraints.constraint_layout import (
            CODE,
            CONSTRAINT_FLOATS,
            CONSTRAINT_MOTION,
            COUPLING,
            GOAL,
            KEEP_ACTING,
            KEEP_MOVED,
        )

        out = super().numbers(model, q)
        index, floats = model.arrays.constraint_index, model.arrays.constraint_floats
        moving = any(
            row[CONSTRAINT_MOTION] >= 0 or (row[CODE] > COUPLING and floats[row[CONSTRAINT_FLOATS] + GOAL] != 0.0)
            for row in index
        )
        out[KEEP_ACTING], out[KEEP_MOVED] = 1.0, 1.0 if moving else 0.0
        return out

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.canonical_momenta import MOMENTA_SHARES

        return np.zeros(MOMENTA_SHARES * model.nv), np.zeros(0, np.int64)


REDUCTIONS: dict[str, type[ConstraintMethod]] = {
    one.kind: one for one in (Orthogonal, Partitioning, NullSpace, ConjugateGradients, Momenta)
}
"""These methods by their words."""
