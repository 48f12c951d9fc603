"""How a run is kept on its constraints: the objects that `simulate(..., constraints=...)` takes.

A method names its three stages (`kernels.stage_functions.StageFunctions`: adjust, constrain, settle), kernels of
`kernels.constraints`, and gives them their numbers (`RunTables.stabilization`) and the scratch memory that they need
besides that of the multipliers. Nothing else knows the methods. Some of them take the constraints out of the
equations, or solve for them in another way than by a factor of the Schur complement; what each costs is in
docs/simulate/constrained_dynamics.md, the equations in docs/simulate/constrained_reduction.md.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.values import suggestion

if TYPE_CHECKING:
    from ...kernels.constraints.constraint_layout import Stabilization
    from ...model.model import Model


BAUMGARTE_RATE = 20.0
"""Rate at which Baumgarte's method lets a violation die out, where a run does not say [1/s]."""
ROUNDING = 1e-13
"""Violations that projection leaves, over the size of the model."""
LEFT = 1e-6
"""Violation of any row, over the size of the model, with which a run that is brought back at every step has left its
constraints: a hundred times that with which it may begin, and ten times what an unfinished projection may leave."""
ADRIFT = 0.1
"""The same of a run that is not brought back: what it has then is another mechanism."""


Kernels = tuple[Any, Any, Any]
"""The kernels adjust, constrain and settle of a run, None for nothing to do."""


@checked
class ConstraintMethod(Described):
    """The base of every method.

    skips         whether it leaves out rows that follow from others (`redundancy`)
    drifts        whether violations of positions may grow, as nothing takes them out
    trees         whether it does something in models without constraints too
    kind          what a run file calls it
    """

    skips: ClassVar[bool] = False
    drifts: ClassVar[bool] = False
    trees: ClassVar[bool] = False
    kind: ClassVar[str]

    @property
    def rates(self) -> Any:
        """The right-hand side that it takes instead of the usual one, None for that."""
        return None

    def stages_of(self, model: Model) -> Kernels:
        """Its kernels in a run of `model`."""
        from ...kernels.constraints.stabilization import constrain

        return (None, constrain, None)

    def numbers(self, model: Model, q: np.ndarray) -> Stabilization:
        """RunTables.stabilization of a run that starts at q."""
        from ...kernels.constraints.constraint_layout import Stabilization

        out = Stabilization(np.zeros(Stabilization.size))
        size = model_size(model, q)
        out.tolerance = ROUNDING * size
        out.drift_limit = (ADRIFT if self.drifts else LEFT) * max(size, 0.1)
        out.rows_stale = self.stages_of(model)[2] is None
        return out

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """What its own part of Workspace.solve and of Workspace.solve_links begins with."""
        return np.zeros(0), np.zeros(0, np.int64)

    def check(self, model: Model) -> None:
        """Raises a `ModelError` where the method does not fit the model."""


@checked
@dataclass(frozen=True)
class Unstabilised(ConstraintMethod):
    """Multipliers alone: accelerations obey the constraints, and nothing brings back what rounding and the method's
    error let slip. The violation of positions grows as t^2 (its second derivative is what is kept at zero)."""

    skips: ClassVar[bool] = True
    drifts: ClassVar[bool] = True
    kind: ClassVar[str] = "unstabilised"


@checked
@dataclass(frozen=True)
class Baumgarte(ConstraintMethod):
    """Multipliers with feedback of the violation: g'' + 2 rate g' + rate^2 g = 0 (Baumgarte 1972), critically damped.

    rate    [1/s]; None for 20. A rate near 1 / step is the most that an explicit method takes.
            Rows of velocities that are not holonomic get g' + 2 rate g = 0, g the rate of the row
    """

    rate: float | None = None
    skips: ClassVar[bool] = True
    drifts: ClassVar[bool] = True
    kind: ClassVar[str] = "baumgarte"

    def __post_init__(self) -> None:
        if self.rate is not None and not (
            isinstance(self.rate, int | float | np.number) and math.isfinite(self.rate) and self.rate >= 0.0
        ):
            raise ModelError.at("Baumgarte", f"rate is {self.rate!r}; give a number not below zero [1/s]")

    def numbers(self, model: Model, q: np.ndarray) -> Stabilization:
        """Gains rate^2 and 2 rate."""
        rate = BAUMGARTE_RATE if self.rate is None else float(self.rate)
        out = super().numbers(model, q)
        out.value_gain, out.rate_gain = rate * rate, 2.0 * rate
        return out

    def described_value(self, name: str) -> Any:
        return BAUMGARTE_RATE if self.rate is None else float(self.rate)


@checked
@dataclass(frozen=True)
class Projection(ConstraintMethod):
    """Multipliers, and every accepted step brought back to the constraints, position and velocity, to rounding.

    partition    "mass": along M^-1 A^T, the nearest point in the metric of the kinetic energy;
                 "optimal": only dependent coordinates move, chosen so that the motion along the constraints is
                 disturbed least (Terze & Lefeber: the largest projections on the constrained directions);
                 or the names of the coordinates that are to move
    """

    partition: str | Sequence[str] = "mass"
    skips: ClassVar[bool] = True
    kind: ClassVar[str] = "projection"

    def __post_init__(self) -> None:
        if isinstance(self.partition, str):
            if self.partition not in ("mass", "optimal"):
                raise ModelError.at(
                    "Projection", f'partition is "{self.partition}"; give "mass", "optimal" or names of coordinates'
                )
        else:
            object.__setattr__(self, "partition", tuple(self.partition))

    def stages_of(self, model: Model) -> Kernels:
        from ...kernels.constraints.partition_selection import settle_partition
        from ...kernels.constraints.stabilization import constrain, settle

        return (None, constrain, settle if self.partition == "mass" else settle_partition)

    def check(self, model: Model) -> None:
        if isinstance(self.partition, str):
            return
        for name in self.partition:
            if name not in model.index.v:
                raise ModelError.at(
                    str(name), f"Projection: no such coordinate to move; {suggestion(str(name), model.index.v)}"
                )

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        if self.partition == "mass":
            return super().scratch(model)
        from ...kernels.constraints.partition_selection import partition_scratch

        fixed = None if isinstance(self.partition, str) else [model.index.v[name] for name in self.partition]
        return partition_scratch(model.arrays, fixed)


_SIZED: weakref.WeakKeyDictionary[Model, tuple[bytes, float]] = weakref.WeakKeyDictionary()
"""The size of a model where it was asked for last: a start asks several times."""


def model_size(model: Model, q: np.ndarray) -> float:
    """Largest distance of a marker of a constraint, or of an origin of a body, from the mean of all [m]; at least one
    hundredth, so that a model that is a point has a size."""
    place = np.asarray(q, float).tobytes()
    known = _SIZED.get(model)
    if known is not None and known[0] == place:
        return known[1]
    model.centre_of_mass(q)  # moves the bodies
    at = model.workspace().bodies.columns.p_WB[1:]
    if not len(at):
        return 1.0
    size = max(0.01, float(np.max(np.linalg.norm(at - at.mean(axis=0), axis=1))))
    _SIZED[model] = (place, size)
    return size


PRECISION = 1e-12
"""Residual that conjugate gradients leave, over the right side, where a run does not say."""
REFRESH = 50
"""Evaluations for which they keep a preconditioner, where a run does not say."""


def row_count(model: Model) -> int:
    """Rows of all constraints."""
    return int(np.sum(model.arrays.constraints.columns.rows))


@checked
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

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        if self.weight == "mass":
            return super().scratch(model)
        n = row_count(model)
        return np.zeros(n * (model.nv + n + 1)), np.zeros(0, np.int64)


@checked
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

    def numbers(self, model: Model, q: np.ndarray) -> Stabilization:
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

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.coordinate_partitioning import PIVOT
        from ...kernels.constraints.partition_selection import partition_scratch

        floats, integers = partition_scratch(model.arrays, self.candidates(model))
        return np.concatenate([floats, np.zeros(PIVOT)]), integers


@checked
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

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        floats, integers = Partitioning().scratch(model)
        n, nv = row_count(model), model.nv
        more = n * nv + nv * nv + 3 * nv
        return np.concatenate([floats, np.zeros(more)]), np.concatenate([integers, np.zeros(n, np.int64)])


@checked
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
            problems.append(
                Problem("ConjugateGradients", f"tolerance is {self.tolerance!r}; give one between 0 and 1", "tolerance")
            )
        if not (isinstance(self.refresh, int | np.integer) and self.refresh >= 1):
            problems.append(Problem("ConjugateGradients", f"refresh is {self.refresh!r}; give evaluations, 1 or more"))
        if self.preconditioner not in ("factor", "blocks"):
            problems.append(
                Problem("ConjugateGradients", f'preconditioner is {self.preconditioner!r}; give "factor" or "blocks"')
            )
        if problems:
            raise ModelError(problems)

    def numbers(self, model: Model, q: np.ndarray) -> Stabilization:
        """Precision, refreshment, and which preconditioner."""
        out = super().numbers(model, q)
        out.residual, out.refresh = float(self.tolerance), float(self.refresh)
        out.block_diagonal = self.preconditioner == "blocks"
        return out

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.conjugate_gradient import BLOCK, GradientState

        arrays = model.arrays
        floats = GradientState.size + 4 * row_count(model) + 6 * len(arrays.tree) + BLOCK * len(arrays.constraints)
        return np.zeros(floats), np.zeros(0, np.int64)


@checked
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

    def numbers(self, model: Model, q: np.ndarray) -> Stabilization:
        """Calls its stages in trees too, and says whether constraints move."""
        from ...kernels.kind_registry import COUPLING

        out = super().numbers(model, q)
        floats = model.arrays.constraint_floats
        out.in_trees, out.rheonomic = (
            True,
            any(
                one.motion >= 0 or (one.kind > COUPLING and floats[one.floats] != 0.0)
                for one in model.arrays.constraints
            ),
        )
        return out

    def scratch(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        from ...kernels.constraints.canonical_momenta import OWN_VECTORS

        return np.zeros(OWN_VECTORS * model.nv), np.zeros(0, np.int64)


REDUCTIONS: dict[str, type[ConstraintMethod]] = {
    one.kind: one for one in (Orthogonal, Partitioning, NullSpace, ConjugateGradients, Momenta)
}
"""These methods by name."""


WORDS: dict[str, type[ConstraintMethod]] = {
    kind.kind: kind for kind in (Projection, Baumgarte, Unstabilised)
} | REDUCTIONS
"""The methods by name."""


def as_method(given: Any) -> ConstraintMethod:
    """The method that a run asks for: an object, its name, or None for projection."""
    if given is None:
        return Projection()
    if isinstance(given, ConstraintMethod):
        return given
    if isinstance(given, str) and given in WORDS:
        return WORDS[given]()
    shown = f'"{given}"' if isinstance(given, str) else type(given).__name__
    raise ModelError.at(
        "constraints", f"got {shown}; {suggestion(str(given), WORDS)}, or an object such as jd.constraints.Baumgarte()"
    )
