"""What constraints did during a run: their forces and gaps, worked out from the recorded states."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import JourdainError
from .family import Family

if TYPE_CHECKING:
    import xarray as xr

    from ..model.model import Model
    from ..model.state import State

DEPENDENT = 1e-9
"""A singular value of A L^-T, rows of length one, below this over the largest is that of dependent rows."""


def multipliers(model: Model, state: State, effort: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers of smallest norm at a state under the efforts (nv,), and the numbers of all rows.

    With M = L L^T and G = A L^-T, the multipliers solve G G^T x = -(A a + b), a being the accelerations of the tree.
    Where rows depend on each other, x is the solution of smallest norm by a complete orthogonal factorisation: with
    G^T P = Q T^T Z^T, T regular, x = -P Z T^-T T^-1 Z^T P^T (A a + b) (Golub & Van Loan, section 5.4.7).
    """
    from scipy.linalg import cholesky, solve_triangular

    from ..kernels.constraints.layout import BIAS

    A, rows = model.constraints.jacobian_and_table(state.q, state.v, state.time)
    free = model.forward_dynamics(state, effort)
    right = A @ free + rows[:, BIAS]
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
    """One constraint over time; forces act on the first body named, at its marker, in world axes."""

    def __init__(self, family: ConstraintFamily, name: str) -> None:
        self.name = name
        self._family = family
        self._rows = family.run.model.constraints.slice(name)

    def _array(self, name: str, values: np.ndarray, dims: tuple[str, ...], labels: list, unit: str) -> xr.DataArray:
        import xarray as xr

        coords: dict = {"time": self._family.run.time}
        if len(dims) > 1:
            coords[dims[1]] = labels
        attrs = {"units": unit} | ({"axes": "world"} if dims[-1] == "axis" else {})
        return xr.DataArray(values, dims=dims, coords=coords, name=f"{self.name}.{name}", attrs=attrs)

    def _wrench(self, name: str, first: int, unit: str) -> xr.DataArray:
        if self._couples:
            raise JourdainError(f"{self.name}: a coupling of coordinates has no {name}; it has effort and gap")
        acting, table = self._family.values
        parts = table[:, self._rows, first : first + 3]
        values = np.einsum("tr,trk->tk", acting[:, self._rows], parts)
        return self._array(name, values, ("time", "axis"), list("xyz"), unit)

    @property
    def _couples(self) -> bool:
        from ..kernels.constraints.layout import CONSTRAINT_FIRST

        model = self._family.run.model
        number = model.constraints.names.index(self.name)
        return bool(model.arrays.constraint_index[number, CONSTRAINT_FIRST] < 0)

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]."""
        from ..kernels.constraints.layout import ON_FIRST

        return self._wrench("force", ON_FIRST + 3, "N")

    @property
    def moment(self) -> xr.DataArray:
        """Moment on the first body about its marker, (time, axis) [N m]."""
        from ..kernels.constraints.layout import ON_FIRST

        return self._wrench("moment", ON_FIRST, "N m")

    @property
    def effort(self) -> xr.DataArray:
        """Multiplier of a coupling: the effort on an entry is this times the entry's coefficient, (time,)."""
        if not self._couples:
            raise JourdainError(f"{self.name}: only couplings of coordinates have an effort; it has force and moment")
        return self._array("effort", self._family.values[0][:, self._rows.start], ("time",), [], "N m, N")

    @property
    def gap(self) -> xr.DataArray:
        """How far each row is violated, (time, row) [m, rad]; zero for rows that constrain velocities only."""
        from ..kernels.constraints.layout import VALUE

        values = self._family.table[:, self._rows, VALUE]
        return self._array("gap", values, ("time", "row"), list(range(values.shape[1])), "m, rad")

    @property
    def slip(self) -> xr.DataArray:
        """Rate of each row's violation, (time, row) [m/s, rad/s]."""
        from ..kernels.constraints.layout import ROW_RATE

        values = self._family.table[:, self._rows, ROW_RATE]
        return self._array("slip", values, ("time", "row"), list(range(values.shape[1])), "m/s, rad/s")

    def __repr__(self) -> str:
        return f"<constraint {self.name!r}: {'effort' if self._couples else 'force, moment'}, gap, slip>"


class ConstraintFamily(Family):
    """The constraints of a run by name: ``run.constraint["pin"].force``."""

    one = "constraint"

    @property
    def names(self) -> tuple[str, ...]:
        return self.run.model.constraints.names

    @cached_property
    def table(self) -> np.ndarray:
        """(nt, rows, numbers of a row), worked out when first looked at."""
        record, constraints = self.run.record, self.run.model.constraints
        states = zip(record.time, record.q, record.v, strict=True)
        return np.array([constraints.table(q, v, float(t)) for t, q, v in states])

    @cached_property
    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Multipliers (nt, rows) and `table`, worked out when first looked at."""
        run = self.run
        run.expect_all_forces("the forces of constraints")
        found = [multipliers(run.model, run.state(i), run.record.effort[i])[0] for i in range(len(run))]
        return np.array(found), self.table

    def part(self, name: str) -> ConstraintHistory:
        return ConstraintHistory(self, name)
