"""How a run is kept on its constraints: the objects that `simulate(..., constraints=...)` takes.

A method names its three stages (`kernels.stage_functions.Stages`: adjust, constrain, settle), functions of
`kernels.constraints`, and gives them their numbers (Task.constraining) and the room that they need besides that of the
multipliers. Nothing else knows the methods.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.values import suggestion

if TYPE_CHECKING:
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

    def numbers(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Task.constraining of a run that starts at q."""
        from ...kernels.constraints.constraint_layout import CONSTRAINING, KEEP_LOOKS, KEEP_TOLERANCE, OPENING

        out = np.zeros(CONSTRAINING)
        size = model_size(model, q)
        out[KEEP_TOLERANCE] = ROUNDING * size
        out[OPENING] = (ADRIFT if self.drifts else LEFT) * max(size, 0.1)
        out[KEEP_LOOKS] = 1.0 if self.stages_of(model)[2] is None else 0.0
        return out

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """What its own part of Workspace.solve and of Workspace.solve_links begins with."""
        return np.zeros(0), np.zeros(0, np.int64)

    def check(self, model: Model) -> None:
        """Raises a `ModelError` where the method does not fit the model."""


@dataclass(frozen=True)
class Unstabilised(ConstraintMethod):
    """Multipliers alone: accelerations obey the constraints, and nothing brings back what rounding and the method's
    error let slip. The violation of positions grows as t^2 (its second derivative is what is kept at zero)."""

    skips: ClassVar[bool] = True
    drifts: ClassVar[bool] = True
    kind: ClassVar[str] = "unstabilised"


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

    def numbers(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Gains rate^2 and 2 rate."""
        from ...kernels.constraints.constraint_layout import GAIN_RATE, GAIN_VALUE

        rate = BAUMGARTE_RATE if self.rate is None else float(self.rate)
        out = super().numbers(model, q)
        out[GAIN_VALUE], out[GAIN_RATE] = rate * rate, 2.0 * rate
        return out

    def _told(self, name: str) -> Any:
        return BAUMGARTE_RATE if self.rate is None else float(self.rate)


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

    def room(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        if self.partition == "mass":
            return super().room(model)
        from ...kernels.constraints.partition_selection import partition_room

        fixed = None if isinstance(self.partition, str) else [model.index.v[name] for name in self.partition]
        return partition_room(model.arrays, fixed)


_SIZED: weakref.WeakKeyDictionary[Model, tuple[bytes, float]] = weakref.WeakKeyDictionary()
"""The size of a model where it was asked for last: a start asks several times."""


def model_size(model: Model, q: np.ndarray) -> float:
    """Largest distance of a marker of a constraint, or of an origin of a body, from the mean of all [m]; at least one
    hundredth, so that a model that is a point has a size."""
    from ...kernels.columns import POS

    place = np.asarray(q, float).tobytes()
    known = _SIZED.get(model)
    if known is not None and known[0] == place:
        return known[1]
    model.mass_matrix(q)
    at = model.workspace().work[1:, POS : POS + 3]
    if not len(at):
        return 1.0
    size = max(0.01, float(np.max(np.linalg.norm(at - at.mean(axis=0), axis=1))))
    _SIZED[model] = (place, size)
    return size
