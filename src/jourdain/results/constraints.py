"""What constraints did during a run: their forces and gaps, worked out from the recorded states."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import JourdainError
from .named_results import NamedResults, history

if TYPE_CHECKING:
    import xarray as xr

    from ..kernels.rows import Table
    from ..model.model import Model
    from ..model.state import State

DEPENDENT = 1e-9
"""A singular value of A L^-T, rows of length one, below this over the largest is that of dependent rows."""


def multipliers(model: Model, state: State, effort: np.ndarray) -> tuple[np.ndarray, Table]:
    """Multipliers of smallest norm at a state under the efforts (nv,), and all rows.

    With M = L L^T and G = A L^-T, the multipliers solve G G^T x = -(A a + b), a being the accelerations of the tree.
    Where rows depend on each other, x is the solution of smallest norm by a complete orthogonal factorisation: with
    G^T P = Q T^T Z^T, T regular, x = -P Z T^-T T^-1 Z^T P^T (A a + b) (Golub & Van Loan, section 5.4.7).
    """
    from scipy.linalg import cholesky, solve_triangular

    A, rows = model.constraints.jacobian_and_table(state.q, state.v, state.time)
    free = model.forward_dynamics(state, effort)
    right = A @ free + rows.columns.bias
    G = solve_triangular(cholesky(model.mass_matrix(state), lower=True), A.T, lower=True)
    found = np.zeros(len(A))
    some = _acting(G)
    if some.any():
        found[some] = -_smallest(G[:, some], right[some])
    return found, rows


def _acting(G: np.ndarray) -> np.ndarray:
    """Rows that move something: the multiplier of another is zero in the solution of smallest norm."""
    length = np.linalg.norm(G, axis=0)
    return length > DEPENDENT * np.max(length, initial=0.0)


def _smallest(G: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution of smallest norm of G^T G x = right."""
    from scipy.linalg import qr, solve_triangular

    Q, R, order = qr(G, mode="economic", pivoting=True)
    steps = np.abs(np.diag(R))
    rank = int(np.sum(steps > DEPENDENT * steps[0]))
    out = np.empty(len(right))
    if rank == len(right):
        y = solve_triangular(R, right[order], trans="T")
        out[order] = solve_triangular(R, y)
        return out
    Z, T = qr(R[:rank].T, mode="economic")
    y = solve_triangular(T, Z.T @ right[order])
    out[order] = Z @ solve_triangular(T, y, trans="T")
    return out


class ConstraintHistory:
    """One constraint over time; forces act on the first body named, at its marker, in world axes.

    Where it is not connected its forces are zero, and its gap and slip are not numbers.
    """

    def __init__(self, family: ConstraintFamily, name: str) -> None:
        self.name = name
        self._family = family
        self._number = family.names.index(name)
        self._rows = family.rows(name)

    def _array(self, name: str, values: np.ndarray, unit: str, **labels: list) -> xr.DataArray:
        return history(self._family.run, f"{self.name}.{name}", values, unit, **labels)

    def _wrench(self, name: str, part: slice, unit: str) -> xr.DataArray:
        if self._couples:
            raise JourdainError(f"{self.name}: a coupling of coordinates has no {name}; it has effort and gap")
        acting, table = self._family.values
        parts = table[:, self._rows, part]
        values = np.einsum("tr,trk->tk", acting[:, self._rows], parts)
        return self._array(name, values, unit, axis=list("xyz"))

    def _connected(self, values: np.ndarray) -> np.ndarray:
        return np.where(self._family.there[:, self._number, None], values, np.nan)

    @property
    def connected(self) -> xr.DataArray:
        """Whether it was connected, (time,): events may close and open it."""
        return self._array("connected", self._family.there[:, self._number], "1")

    @property
    def _couples(self) -> bool:
        return bool(self._family.index[self._number].marker_A < 0)

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]."""
        return self._wrench("force", slice(3, 6), "N")

    @property
    def moment(self) -> xr.DataArray:
        """Moment on the first body about its marker, (time, axis) [N m]."""
        return self._wrench("moment", slice(0, 3), "N m")

    @property
    def effort(self) -> xr.DataArray:
        """Multiplier of a coupling: the effort on an entry is this times the entry's coefficient, (time,)."""
        if not self._couples:
            raise JourdainError(f"{self.name}: only couplings of coordinates have an effort; it has force and moment")
        return self._array("effort", self._family.values[0][:, self._rows.start], "N m, N")

    @property
    def gap(self) -> xr.DataArray:
        """How far each row is violated, (time, row) [m, rad]; zero for rows that constrain velocities only."""
        from ..kernels.constraints.constraint_layout import ConstraintRow

        values = self._connected(self._family.table[:, self._rows, ConstraintRow.columns.value])
        return self._array("gap", values, "m, rad", row=list(range(values.shape[1])))

    @property
    def slip(self) -> xr.DataArray:
        """Rate of each row's violation, (time, row) [m/s, rad/s]."""
        from ..kernels.constraints.constraint_layout import ConstraintRow

        values = self._connected(self._family.table[:, self._rows, ConstraintRow.columns.rate])
        return self._array("slip", values, "m/s, rad/s", row=list(range(values.shape[1])))

    def __repr__(self) -> str:
        return f"<constraint {self.name!r}: {'effort' if self._couples else 'force, moment'}, gap, slip>"


class ConstraintFamily(NamedResults):
    """The constraints of a run by name: ``run.constraint["pin"].force``."""

    one = "constraint"

    @property
    def names(self) -> tuple[str, ...]:
        return self.run.model.connections.names

    @property
    def index(self) -> Table:
        """All constraints, those too that are not connected."""
        from ..kernels.constraints.constraint_layout import Constraint
        from ..kernels.rows import Table

        return Table(self.run.model.connections.constraints, Constraint)

    def rows(self, name: str) -> slice:
        """The rows of a constraint among those of all."""
        one = self.index[self.names.index(name)]
        return slice(one.row, one.row + one.rows)

    def _phases(self) -> Iterator[tuple[slice, Model, list[int]]]:
        """Samples, the model that they have in common, and its rows among those of all constraints."""
        begins = [first for first, _ in self.run.phases]
        for (first, model), last in zip(self.run.phases, [*begins[1:], len(self.run)], strict=True):
            rows = [self.rows(name) for name in model.constraints.names]
            yield slice(first, last), model, [r for one in rows for r in range(one.start, one.stop)]

    @cached_property
    def there(self) -> np.ndarray:
        """(nt, constraints) whether each was connected."""
        out = np.zeros((len(self.run), len(self.names)), bool)
        for samples, model, _ in self._phases():
            out[samples] = [name in model.constraints.names for name in self.names]
        return out

    @cached_property
    def table(self) -> np.ndarray:
        """(nt, rows, numbers of a row), worked out when first looked at; zeros of what is not connected."""
        from ..kernels.constraints.constraint_layout import ConstraintRow

        record = self.run.record
        out = np.zeros((len(self.run), int(np.sum(self.index.columns.rows)), ConstraintRow.size))
        for samples, model, rows in self._phases():
            for i in range(samples.start, samples.stop) if rows else ():
                out[i, rows] = model.constraints.table(record.q[i], record.v[i], float(record.time[i])).array
        return out

    @cached_property
    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Multipliers (nt, rows) and `table`, worked out when first looked at."""
        run = self.run
        run.expect_all_forces("the forces of constraints")
        found = np.zeros(self.table.shape[:2])
        for samples, model, rows in self._phases():
            for i in range(samples.start, samples.stop) if rows else ():
                found[i, rows] = multipliers(model, run.state(i), run.record.effort[i])[0]
        return found, self.table

    def part(self, name: str) -> ConstraintHistory:
        return ConstraintHistory(self, name)
