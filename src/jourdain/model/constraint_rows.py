"""`model.constraints`: the rows of a model's constraints on NumPy arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import as_number, suggestion
from .kernel_calls import call, checked_q, checked_qv, checked_vector

if TYPE_CHECKING:
    from ..kernels.rows import Table
    from .model import Model


NOTHING = 1e-13
"""Length of the rows of a constraint, over the longest of all, below which they do nothing."""


class Constraints:
    """The constraints of a model. A holonomic row is a residual; all rows are A v + c = 0.

    names    of the constraints, connections first, then couplings
    rows     how many rows they have in all
    """

    def __init__(self, model: Model, names: tuple[str, ...]) -> None:
        self.model = model
        self.names = names

    @cached_property
    def rows(self) -> int:
        """How many rows they have in all."""
        return int(np.sum(self.model.arrays.constraints.columns.rows))

    def slice(self, name: str) -> slice:
        """The rows of a constraint."""
        if name not in self.names:
            raise ModelError.at(str(name), f"no such constraint; {suggestion(str(name), self.names)}")
        one = self.model.arrays.constraints[self.names.index(name)]
        return slice(one.row, one.row + one.rows)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The constraint that each row belongs to."""
        counts = self.model.arrays.constraints.columns.rows
        return tuple(name for name, count in zip(self.names, counts, strict=True) for _ in range(count))

    @cached_property
    def units(self) -> np.ndarray:
        """What makes one of metres and radians, (rows,): of a row that a moment m and a force f of unit size act by,
        |m| + |f| times the size of the model, in the square. The rows of couplings count as they are."""
        from ..describe.constraints.methods import model_size

        q = self.model.neutral
        wrenches = self.table(q, np.zeros(self.model.nv), 0.0).columns.on_A
        moment, force = (np.sum(wrenches[:, i : i + 3] ** 2, axis=1) for i in (0, 3))
        square = moment + model_size(self.model, q) ** 2 * force
        return np.where(square > 0.0, np.sqrt(square), 1.0)

    def lengths(self, rows: np.ndarray, least: float = 1e-13) -> np.ndarray:
        """What rows (rows, n) are to be divided by to compare: that of the longest row of their constraint, in `units`.

        Not their own: a row that vanishes at a place would count there by the direction of rounding. Infinite where a
        row is shorter than `least` of that, or the whole constraint than NOTHING of all: it does nothing.
        """
        length = np.linalg.norm(rows, axis=1) / self.units
        if not len(length):
            return length
        longest = np.zeros(len(length))
        for name in self.names:
            part = self.slice(name)
            longest[part] = np.max(length[part], initial=0.0)
        acts = (length > least * longest) & (longest > NOTHING * np.max(longest))
        return np.where(acts, self.units * longest, np.inf)

    @cached_property
    def holonomic(self) -> np.ndarray:
        """Which rows constrain places, (rows,) bool; the others constrain velocities only."""
        parts = [np.arange(one.rows) < one.holonomic for one in self.model.arrays.constraints]
        found = np.concatenate([np.zeros(0, bool), *parts])
        found.flags.writeable = False
        return found

    def table(self, q: Any, v: Any, time: float) -> Table:
        """All rows (`kernels.constraints.constraint_layout.ConstraintRow`)."""
        from ..kernels.constraints.constraint_layout import ConstraintRow
        from ..kernels.constraints.entry_points import constraint_rows
        from ..kernels.rows import Table

        out = np.empty((self.rows, ConstraintRow.size))
        call(constraint_rows, self.model, float(time), *self._given(q, v), out)
        return Table(out, ConstraintRow)

    def residual(self, q: Any, time: float | None = None) -> np.ndarray:
        """How far the rows are violated (rows,) [m, rad]; zero for rows that constrain velocities only."""
        return self.table(q, np.zeros(self.model.nv), _time(q, time)).columns.value

    def jacobian(self, q: Any, time: float | None = None) -> np.ndarray:
        """A (rows, nv): what velocities do to the rows."""
        return self.jacobian_and_table(q, np.zeros(self.model.nv), _time(q, time))[0]

    def jacobian_and_table(self, q: Any, v: Any, time: float) -> tuple[np.ndarray, Table]:
        """A and `table` in one."""
        from ..kernels.constraints.constraint_layout import ConstraintRow
        from ..kernels.constraints.entry_points import constraint_jacobian
        from ..kernels.rows import Table

        out, flat = np.empty((self.rows, ConstraintRow.size)), np.empty(self.rows * self.model.nv)
        call(constraint_jacobian, self.model, float(time), *self._given(q, v), out, flat)
        return flat.reshape(self.rows, self.model.nv), Table(out, ConstraintRow)

    def rate(self, state: Any) -> np.ndarray:
        """A v + c (rows,) [m/s, rad/s]."""
        return self.table(*checked_qv(self.model, state), state.time).columns.rate

    def drift(self, time: float, q: Any) -> np.ndarray:
        """c (rows,): what time does to the rows [m/s, rad/s]."""
        return self.table(q, np.zeros(self.model.nv), time).columns.drift

    def bias(self, state: Any) -> np.ndarray:
        """What the rows accelerate by besides A dv/dt, (rows,) [m/s^2, rad/s^2]."""
        return self.table(*checked_qv(self.model, state), state.time).columns.bias

    def transposed(self, q: Any, force: Any, time: float | None = None) -> np.ndarray:
        """A^T force (nv,): efforts of given multipliers."""
        from ..kernels.constraints.entry_points import constraint_transposed

        out = np.empty(self.model.nv)
        where, still = self._given(q, np.zeros(self.model.nv))
        given = checked_vector(self.model, force, "force", self.rows)
        call(constraint_transposed, self.model, float(_time(q, time)), where, still, given, out)
        return out

    def _given(self, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
        return checked_q(self.model, q), checked_vector(self.model, v, "v", self.model.nv)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"{len(self.names)} constraints, {self.rows} rows: {', '.join(self.names)}"


def _time(q: Any, time: float | None) -> float:
    return as_number(getattr(q, "time", 0.0) if time is None else time, "time")
