"""What joints transmit during a run: forces and moments on the bodies that they hold, worked out from recorded states.

Newton and Euler: what a joint does to the body that it holds is the rate of change of the momentum of all that is
outboard less everything else that acts there (gravity, forces, contacts, loops). Luh, Walker & Paul 1980, inward sweep.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import JourdainError
from ..model.batch import States, applied_rows
from .named_results import NamedResults, history

if TYPE_CHECKING:
    import xarray as xr

    from ..model.model import Model


class ReactionHistory:
    """What one joint does to the body that it holds, all together: what it constrains, and what motors, springs,
    dampers, friction and stops do along its axes. World axes; at the body's own frame that the joint holds (`at`)."""

    def __init__(self, family: ReactionFamily, name: str) -> None:
        self.name = name
        self._family = family

    def _array(self, name: str, first: int, unit: str) -> xr.DataArray:
        run = self._family.run
        values = self._family.values[:, run.model.joints[self.name][1], first : first + 3]
        return history(run, f"{self.name}.{name}", values, unit, axis=list("xyz"))

    @property
    def force(self) -> xr.DataArray:
        """Force on the outboard body, (time, axis) [N]."""
        return self._array("force", 3, "N")

    @property
    def moment(self) -> xr.DataArray:
        """Moment on the outboard body about the frame that the joint holds, (time, axis) [N m]."""
        return self._array("moment", 0, "N m")

    def __repr__(self) -> str:
        return f"<reaction of joint {self.name!r}: force, moment, {len(self._family.run)} samples>"


class ReactionFamily(NamedResults):
    """The joints of a run by name: ``run.reaction["shoulder"].force``."""

    one = "joint"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.run.model.joints)

    @cached_property
    def values(self) -> np.ndarray:
        """(nt, bodies + 1, 6), (moment, force) on each body by its row; worked out when first looked at."""
        run = self.run
        run.expect_all_forces("what joints transmit")
        out = np.zeros((len(run), len(run.model.arrays.tree), 6))
        begins = [first for first, _ in run.phases]
        for (first, model), last in zip(run.phases, [*begins[1:], len(run)], strict=True):
            effort, markers, wrenches = self._closing(model, slice(first, last))
            mine, all_of = out[first:last], run.states
            rows = States(*(getattr(all_of, name)[first:last] for name in ("time", "q", "v", "z")))
            self._phase(model, rows, effort, markers, wrenches, mine)
        return out

    def _phase(
        self, model: Model, rows: States, effort: np.ndarray, markers: np.ndarray, wrenches: np.ndarray, out: np.ndarray
    ) -> None:
        """The samples of one phase, into out."""
        from ..kernels.tree.batch import reaction_rows

        applied_rows(
            model,
            reaction_rows,
            rows,
            lambda a, b: (effort[a:b], markers, wrenches[a:b], np.zeros(model.nv), out[a:b]),
        )

    def _closing(self, model: Model, samples: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Efforts of the run and of couplings (nt, nv), and what closes loops: markers, (moment, force) at each."""
        from ..kernels.constraints.constraint_layout import ConstraintRow

        run = self.run
        arrays, effort = model.arrays, run.record.effort[samples].copy()
        markers: list[int] = []
        wrenches = [np.zeros((len(effort), 0))]
        if len(arrays.constraints):
            multipliers, table = (one[samples] for one in run.constraint.values)
        for one, name in zip(arrays.constraints, model.constraints.names, strict=True):
            rows = run.constraint.rows(name)
            if one.marker_A < 0:
                for j in range(one.entry, one.entry + one.entries):
                    entry = arrays.coupled_entries[j]
                    effort[:, entry.v] += arrays.constraint_floats[entry.coefficient] * multipliers[:, rows.start]
                continue
            columns = ConstraintRow.columns
            for marker, wrench in ((one.marker_A, columns.on_A), (one.marker_B, columns.on_B)):
                markers.append(marker)
                wrenches.append(np.einsum("tr,trk->tk", multipliers[:, rows], table[:, rows, wrench]))
        return effort, np.array(markers, np.int64), np.ascontiguousarray(np.hstack(wrenches))

    def part(self, name: str) -> ReactionHistory:
        return ReactionHistory(self, name)

    def __getitem__(self, name: str) -> ReactionHistory:
        if name not in self and name in self.run.constraint.names:
            raise JourdainError(f'{name}: it closes a loop; its force is run.constraint["{name}"].force')
        return super().__getitem__(name)

    def __repr__(self) -> str:
        return f"<reactions of {self.run.model.name!r}: {', '.join(self)}>"
