"""What acts on the tree besides the tree itself: contacts, forces by laws, controllers; and how that changes.

With Q the generalised forces of all that, M a + h(q, v) = effort + Q(t, q, v, z). The tree is M and h: inertia,
velocity terms, gravity, springs, friction and stops of the joints, drives, strain and constant loads. It has
derivatives of its own. Q is whatever else the right-hand side of a run holds: it is found as the effort that the tree
alone would need for the accelerations of the run, so that nothing can be forgotten here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ...kernels.kind_registry import BRISTLE, FOUNDATION
from ..contact_start import begin_contacts
from ..contact_states import accept
from ..derivatives import analytical, applied_force_partials
from ..kernel_calls import call, checked_qv
from ..run_stages import assemble, gather, tables, touch_of
from ..state import State
from .differences import differenced

if TYPE_CHECKING:
    from ...kernels.contact.contact_rows import ContactEntries
    from ..model import Model


class Point(NamedTuple):
    """A state taken apart: latched values, and the states of contacts and laws that are integrated."""

    time: float
    q: np.ndarray
    v: np.ndarray
    latched: np.ndarray
    z: np.ndarray


class AppliedForces(NamedTuple):
    """What acts at some states, a row each.

    forces      generalised forces (rows, nv), controllers' efforts included
    rates       of the integrated states (rows, nz)
    supplied    by controllers (rows, nv)
    contact_wrenches        force on the first body of each contact and torque (rows, contacts, 6)
    """

    forces: np.ndarray
    rates: np.ndarray
    supplied: np.ndarray
    contact_wrenches: np.ndarray


class ForceDerivatives(NamedTuple):
    """Derivatives of `AppliedForces` by displacement x (tangent space), velocity v and the chosen states z."""

    forces: tuple[np.ndarray, np.ndarray, np.ndarray]
    rates: tuple[np.ndarray, np.ndarray, np.ndarray]
    contact_wrenches: tuple[np.ndarray, np.ndarray, np.ndarray]


class AppliedModel:
    """All that acts on a model besides its tree, under a controller.

    names    of the integrated states: those of contacts, then of laws
    """

    def __init__(self, model: Model, controller: Any = None) -> None:
        self.model = model
        self.laws = gather(model, controller)
        if self.laws.sampled:
            name = next(law.name for piece, law in zip(self.laws.pieces, self.laws.bound) if piece.sampler is not None)
            raise ModelError.at(
                name, "it is digital and has no rate of change between its samples; give the controller without Sampled"
            )
        self.names = (*model.names.z[model.latched :], *self.laws.names)
        self.contact_states = len(model.names.z) - model.latched
        self._scratch: Any = None

    @cached_property
    def task(self) -> Any:
        """What kernels read of the laws, which are compiled here."""
        from ...kernels.law_table import run_tables

        return run_tables(sensors=self.laws.sensors, **tables(self.laws))

    @cached_property
    def _stages(self) -> Any:
        return assemble(self.model, self.laws)

    @cached_property
    def _rates(self) -> Any:
        from ...kernels.tree.batch_right_hand_side import rates_rows

        return rates_rows.ready(self.model.features).python

    @property
    def nothing(self) -> bool:
        """Whether only the tree acts, whatever the state."""
        return not self.laws.pieces and not self.model.contacts.names

    def begin(self, state: State) -> Point:
        """A state as a run begins from it: what touches is latched. States of laws that it lacks are as they start."""
        model = self.model
        check_state(model, state)
        own = len(model.names.z)
        given = np.asarray(state.z, float)
        if len(given) < own:
            raise ModelError.at("z", f"the state has {len(given)} internal states; this model has {own}")
        latched = given[: model.latched].copy()
        z = np.concatenate([np.zeros(self.contact_states), self.laws.start])
        kept = given[model.latched :][: len(z)]
        z[: len(kept)] = kept
        q, v = np.array(state.q, float), np.array(state.v, float)
        if model.contacts.names:
            extended = np.concatenate([z, np.zeros(2)])
            begin_contacts(model, q, v, extended, latched)
            z = extended[:-2].copy()
        for piece, law in zip(self.laws.pieces, self.laws.bound, strict=True):
            law.check(model, state.time, q, v, model.nv if piece.marker < 0 else 6)
        return Point(float(state.time), q, v, latched, z)

    def state(self, point: Point) -> State:
        """The state of a point."""
        return State(point.time, point.q, point.v, np.concatenate([point.latched, point.z]))

    def latch(self, point: Point) -> Point:
        """Lets the contacts of a point remember, as after an accepted step."""
        if not self.model.contacts.names:
            return point
        latched, z = point.latched.copy(), np.concatenate([point.z, np.zeros(2)])
        accept(self.model, 1, point.q, point.v, z, latched)
        return point._replace(latched=latched, z=z[:-2].copy())

    def settled(self, point: Point) -> Point:
        """A point with its contacts latched and their relaxation passed."""
        from ...kernels.contact.contact_rows import FoundationStates

        point = self.latch(point)
        z = point.z.copy()
        for row, firsts in self._slots():
            if row.normal_law == FOUNDATION:
                z[firsts + FoundationStates.columns.offset] = 0.0
            elif row.normal_law < FOUNDATION and row.normal_states == 1:
                z[firsts] = 0.0
        return point._replace(z=z)

    def bristles(self) -> np.ndarray:
        """Integrated states that are deflections of bristles."""
        out: list[int] = []
        for row, firsts in self._slots():
            if row.friction_law == BRISTLE:
                count = 4 if row.normal_law == FOUNDATION else 3
                for first in firsts + row.normal_states:
                    out += range(first, first + count)
        return np.array(out, int)

    def _slots(self) -> Iterator[tuple[ContactEntries, np.ndarray]]:
        """The row of each contact, and where the states of each of its slots begin among the integrated ones."""
        for row in self.model.arrays.contacts:
            size = row.normal_states + row.friction_states
            yield row, row.states + size * np.arange(row.slots)

    def _workspace(self, point: Point) -> Any:
        if self.model.contacts.piles:
            z = np.concatenate([point.z, np.zeros(2)])
            ws = accept(self.model, 0, point.q, point.v, z, point.latched.copy())
            own = self._own_workspace()
            return ws._replace(
                sensed=own.sensed, control=own.control, control_workspaces=own.control_workspaces
            ).holding(own)
        return self._own_workspace()

    def _own_workspace(self) -> Any:
        from ...kernels.model_arrays import workspace

        if self._scratch is None:
            laws = self.laws
            control_workspaces = [one.arrays for one in laws.control_workspaces]
            self._scratch = workspace(
                self.model.arrays, sensed=laws.sensed, control=laws.control, control_workspaces=control_workspaces,
                surfaces=len(self.model.description.get("touching", ())),
            )  # fmt: skip
        return self._scratch

    def at(self, point: Point) -> AppliedForces:
        """What acts at one point; arrays without the dimension of rows."""
        return AppliedForces(*(array[0] for array in self.rows(point, point.q[None], point.v[None], point.z[None])))

    def rows(
        self, point: Point, q: np.ndarray, v: np.ndarray, z: np.ndarray, parameters: np.ndarray | None = None
    ) -> AppliedForces:
        """What acts at each row of q, v and z, with the time and the latched values of `point`."""
        model = self.model
        count, nv, nc = len(q), model.nv, len(model.contacts.names)
        out = AppliedForces(
            np.zeros((count, nv)), np.zeros((count, len(self.names))), np.zeros((count, nv)), np.zeros((count, nc, 6))
        )
        if self.nothing:
            return out
        p = self.laws.parameters if parameters is None else parameters
        acceleration, dz = np.zeros((count, nv)), np.zeros((count, len(self.names) + 2))
        q, v = np.array(q, float, order="C"), np.array(v, float, order="C")
        states = np.zeros_like(dz)
        states[:, :-2] = z
        self._rates(
            self._stages, model.arrays, self.task, p, self._workspace(point), point.time,
            q, v, states, point.latched, acceleration, dz, out.supplied, out.contact_wrenches,
        )  # fmt: skip
        for i in range(count):
            out.forces[i] = tree_efforts(model, State(point.time, q[i], v[i], point.latched), acceleration[i])
        out.rates[:] = dz[:, :-2]
        return out

    def entering(self, point: Point) -> np.ndarray:
        """Which integrated states move: those of contacts that touch, and of laws (indices)."""
        model = self.model
        active = [np.arange(self.contact_states, len(self.names))]
        if self.contact_states:
            from ...kernels.contact.contact_rows import FoundationStates, normal_parameters

            place = FoundationStates.columns

            for c, slot, _, _, gap, *_ in self.sites(point):
                row = model.arrays.contacts[int(c)]
                if gap < 0.0 and slot >= 0:
                    size = row.normal_states + row.friction_states
                    own = np.arange(size)
                    if row.normal_law == FOUNDATION:  # nothing depends on the elastic work
                        relaxes = normal_parameters(model.arrays.contact_floats, row.normal_floats).relaxation > 0.0
                        own = own[(own != place.elastic) & (relaxes | (own != place.offset))]
                    active.append(row.states + size * int(slot) + own)
        return np.unique(np.concatenate(active)).astype(int)

    def sites(self, point: Point) -> np.ndarray:
        """All sites of contacts, touching or not, as `kernels.contact.narrow_phase.separation` writes them."""
        from ...kernels.contact.narrow_phase.separation import ShapeGap, contact_gaps

        model = self.model
        if not model.contacts.names:
            return np.zeros((0, ShapeGap.size))
        ws, capacity = self._workspace(point), 64
        touch, go = touch_of(model), contact_gaps.ready(model.features).python
        while True:
            out = np.zeros((capacity, ShapeGap.size))
            count = go(model.arrays, touch, point.q, point.v, point.latched, ws, out)
            if count <= capacity:
                return out[:count]
            capacity = count

    def partials(self, point: Point, chosen: Sequence[int] | np.ndarray) -> ForceDerivatives:
        """Derivatives; `chosen` are the integrated states that count.

        They are the compiled ones that implicit methods use, and differences of all that acts where those do not cover
        the model (`derivatives.analytical`).
        """
        model, chosen = self.model, np.asarray(chosen, int)
        if self.nothing:
            shapes, sizes = ((model.nv,), (0,), (0, 6)), (model.nv, model.nv, 0)
            return ForceDerivatives(*(tuple(np.zeros((*shape, n)) for n in sizes) for shape in shapes))  # type: ignore[arg-type]
        if not analytical(model):
            return ForceDerivatives(*differenced(self, point, chosen))
        laws = self.contact_states if self.laws.pieces else -1
        by_x, by_v, ap = applied_force_partials(
            model, self._stages, self.task, laws, point, self.laws.parameters, self._workspace(point)
        )
        return ForceDerivatives(
            (by_x, by_v, ap.by_state[:, chosen]),
            (ap.rate_x, ap.rate_v, ap.rate_z[:, chosen]),
            (ap.wrench_by_x, ap.wrench_by_v, ap.wrench_by_z[..., chosen]),
        )


def check_state(model: Model, state: Any) -> None:
    """A state of this model, with finite numbers, or an error that says what is wrong."""
    if not isinstance(state, State):
        raise ModelError.at("state", f"got {type(state).__name__}; give a State, from model.state(...)")
    for what, values, names in (("q", state.q, model.names.q), ("v", state.v, model.names.v)):
        if np.shape(values) != (len(names),):
            raise ModelError.at("state", f"{what} has {np.shape(values)} numbers; this model has ({len(names)},)", what)
        if not np.all(np.isfinite(values)):
            bad = names[int(np.argmin(np.isfinite(values)))]
            raise ModelError.at("state", f"{what} of {bad} is not a finite number; give finite coordinates", what)


def tree_efforts(model: Model, state: State, acceleration: np.ndarray) -> np.ndarray:
    """Efforts (nv,) that the tree alone needs for an acceleration: what `tree_derivatives` differentiates."""
    from ...kernels.tree import model_functions as kernels

    q, v = checked_qv(model, state)
    out = np.empty(model.nv)
    call(kernels.inverse_state, model, q, v, np.ascontiguousarray(acceleration), _latched(model, state), out)
    return out


def tree_accelerations(
    model: Model, state: State, effort: np.ndarray, held: Sequence[int] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (nv,) of the tree alone under `effort`, zero for the `held`, and the efforts that this takes."""
    from ...kernels.tree import model_functions as kernels

    q, v = checked_qv(model, state)
    ws, out = model.workspace(), np.zeros(model.nv)
    ws.known[:] = 0
    ws.known[list(held)] = 1
    try:
        call(kernels.forward_state, model, q, v, np.ascontiguousarray(effort), _latched(model, state), out)
        return out, ws.supplied.copy()
    finally:
        ws.known[:] = 0


def _latched(model: Model, state: State) -> np.ndarray:
    return np.ascontiguousarray(state.z[: model.latched], float)
