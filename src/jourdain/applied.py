"""What acts on the tree besides the tree itself: contacts, forces by laws, controllers; and how that changes.

With Q the generalised forces of all that, M a + h(q, v) = effort + Q(t, q, v, z). The tree is M and h: inertia,
velocity terms, gravity, springs, friction and stops of the joints, drives, strain and constant loads. It has
derivatives of its own. Q is whatever else the right-hand side of a run holds: it is found as the effort that the tree
alone would need for the accelerations of the run, so that nothing can be forgotten here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .contact.checking import begin_contacts
from .contact.evaluation import accept
from .displacement import moved_along
from .errors import ModelError
from .functions import _qv, _run
from .model import State
from .stages import assemble, gather, tables, touch_of

if TYPE_CHECKING:
    from .model import Model

STEP = 1e-4
"""Step of the differences [rad, m, and rates] where nothing asks for a shorter one; fourth order."""
FINE = 1e-2
"""Step over the scale on which a contact changes: its depth, the speeds and deflections of its friction."""
SHORT = 1e-9
"""The shortest step that rounding allows [rad, m, and rates]."""


class Point(NamedTuple):
    """A state taken apart: latched values, and the states of contacts and laws that are integrated."""

    time: float
    q: np.ndarray
    v: np.ndarray
    latched: np.ndarray
    z: np.ndarray


class Acting(NamedTuple):
    """What acts at some states, a row each.

    forces      generalised forces (rows, nv), controllers' efforts included
    rates       of the integrated states (rows, nz)
    supplied    by controllers (rows, nv)
    felt        force on the first body of each contact and torque (rows, contacts, 6)
    """

    forces: np.ndarray
    rates: np.ndarray
    supplied: np.ndarray
    felt: np.ndarray


class Slopes(NamedTuple):
    """Derivatives of `Acting` by displacement x (tangent space), velocity v and the chosen states z."""

    forces: tuple[np.ndarray, np.ndarray, np.ndarray]
    rates: tuple[np.ndarray, np.ndarray, np.ndarray]
    felt: tuple[np.ndarray, np.ndarray, np.ndarray]


class Applied:
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
        self._calls: Any = None
        self._scratch: Any = None

    @cached_property
    def task(self) -> Any:
        """What kernels read of the laws, which are compiled here."""
        from .kernels.entries import task

        return task(sensors=self.laws.sensors, **tables(self.laws))

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
            room = np.concatenate([z, np.zeros(2)])
            begin_contacts(model, q, v, room, latched)
            z = room[:-2].copy()
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

    def _workspace(self, point: Point) -> Any:
        if self.model.contacts.piles:
            z = np.concatenate([point.z, np.zeros(2)])
            ws = accept(self.model, 0, point.q, point.v, z, point.latched.copy())
            own = self._own_workspace()
            return ws._replace(sensed=own.sensed, control=own.control, pilots=own.pilots).holding(own)
        return self._own_workspace()

    def _own_workspace(self) -> Any:
        from .kernels.layout import workspace

        if self._scratch is None:
            laws = self.laws
            pilots = [one.arrays for one in laws.pilots]
            self._scratch = workspace(self.model.arrays, sensed=laws.sensed, control=laws.control, pilots=pilots)
        return self._scratch

    def at(self, point: Point) -> Acting:
        """What acts at one point; arrays without the dimension of rows."""
        return Acting(*(array[0] for array in self.rows(point, point.q[None], point.v[None], point.z[None])))

    def rows(
        self, point: Point, q: np.ndarray, v: np.ndarray, z: np.ndarray, parameters: np.ndarray | None = None
    ) -> Acting:
        """What acts at each row of q, v and z, with the time and the latched values of `point`."""
        model = self.model
        count, nv, nc = len(q), model.nv, len(model.contacts.names)
        out = Acting(
            np.zeros((count, nv)), np.zeros((count, len(self.names))), np.zeros((count, nv)), np.zeros((count, nc, 6))
        )
        if self.nothing:
            return out
        from .kernels.entries import entry

        if self._calls is None:
            self._calls = entry("rates_rows", model.features).python, assemble(model, self.laws)
        go, stages = self._calls
        p = self.laws.parameters if parameters is None else parameters
        acceleration, dz = np.zeros((count, nv)), np.zeros((count, len(self.names) + 2))
        q, v = np.array(q, float, order="C"), np.array(v, float, order="C")
        states = np.zeros_like(dz)
        states[:, :-2] = z
        go(
            stages, model.arrays, self.task, p, self._workspace(point), point.time,
            q, v, states, point.latched, acceleration, dz, out.supplied, out.felt,
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
            from .kernels.contact.layout import (
                ELASTIC,
                FOUNDATION,
                FRICTION_STATES,
                NORMAL_FLOATS,
                NORMAL_LAW,
                NORMAL_STATES,
                OFFSET,
                RELAXATION,
                STATES,
            )

            for c, slot, _, _, gap, *_ in self.sites(point):
                row = model.arrays.contact_index[int(c)]
                if gap < 0.0 and slot >= 0:
                    size = row[NORMAL_STATES] + row[FRICTION_STATES]
                    own = np.arange(size)
                    if row[NORMAL_LAW] == FOUNDATION:  # nothing depends on the elastic work
                        relaxes = model.arrays.contact_floats[row[NORMAL_FLOATS] + RELAXATION] > 0.0
                        own = own[(own != ELASTIC) & (relaxes | (own != OFFSET))]
                    active.append(row[STATES] + size * int(slot) + own)
        return np.unique(np.concatenate(active)).astype(int)

    def sites(self, point: Point) -> np.ndarray:
        """All sites of contacts, touching or not, as `kernels.contact.gaps` writes them."""
        from .kernels.contact.gaps import GAP_ROW
        from .kernels.entries import entry

        model = self.model
        if not model.contacts.names:
            return np.zeros((0, GAP_ROW))
        ws, room = self._workspace(point), 64
        touch, go = touch_of(model), entry("contact_gaps", model.features).python
        while True:
            out = np.zeros((room, GAP_ROW))
            count = go(model.arrays, touch, point.q, point.v, point.latched, ws, out)
            if count <= room:
                return out[:count]
            room = count

    def slopes(self, point: Point, chosen: Sequence[int] | np.ndarray) -> Slopes:
        """Derivatives by fourth-order differences; `chosen` are the integrated states that count.

        A step stays far below the depth of every site that touches and the gap of every one that does not, so that
        nothing begins or ends to touch within it.
        """
        model, chosen = self.model, np.asarray(chosen, int)
        nv, nz, nc = model.nv, len(self.names), len(model.contacts.names)
        sizes = (nv, nv, len(chosen))
        shapes = ((nv,), (nz,), (nc, 6))
        if self.nothing:
            a, b, c = ([np.zeros((*shape, n)) for n in sizes] for shape in shapes)
            return Slopes((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))
        by = _Steps(self, point)
        q, v, z, steps = [], [], [], []
        for k in range(nv):
            for s in (-2, -1, 1, 2):
                q.append(moved_along(model, point.q, k, s * by.x[k]))
                v.append(point.v)
                z.append(point.z)
            steps.append(by.x[k])
        for k in range(nv):
            for s in (-2, -1, 1, 2):
                faster = point.v.copy()
                faster[k] += s * by.v[k]
                q.append(point.q)
                v.append(faster)
                z.append(point.z)
            steps.append(by.v[k])
        for k in chosen:
            for s in (-2, -1, 1, 2):
                other = point.z.copy()
                other[k] += s * by.z[k]
                q.append(point.q)
                v.append(point.v)
                z.append(other)
            steps.append(by.z[k])
        found = self.rows(point, np.array(q), np.array(v), np.array(z))

        def split(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            four = rows.reshape(len(rows) // 4, 4, *rows.shape[1:])
            wide = (8.0 * (four[:, 2] - four[:, 1]) - (four[:, 3] - four[:, 0])) / 12.0
            slope = np.moveaxis(wide / np.reshape(steps, (-1,) + (1,) * (rows.ndim - 1)), 0, -1)
            return slope[..., :nv], slope[..., nv : 2 * nv], slope[..., 2 * nv :]

        return Slopes(split(found.forces), split(found.rates), split(found.felt))


class _Steps:
    """Steps of the differences by displacement, velocity and integrated states at a point."""

    def __init__(self, applied: Applied, point: Point) -> None:
        from .kernels.contact import layout as C

        model = applied.model
        self.x, self.v = np.full(model.nv, STEP), np.full(model.nv, STEP)
        self.z = STEP * np.maximum(1.0, np.abs(point.z))
        floats = model.arrays.contact_floats
        for c, slot, a, b, gap, *where in applied.sites(point):
            row = model.arrays.contact_index[int(c)]
            reach = np.linalg.norm(relative_motion(model, point.q, int(a), int(b), np.array(where[:3])), axis=0)
            reach = np.maximum(reach, 1e-3)
            if gap >= 0.0 or slot < 0:
                self.x = np.minimum(self.x, np.maximum(0.25 * abs(gap) / reach, SHORT))
                continue
            first = row[C.STATES] + (row[C.NORMAL_STATES] + row[C.FRICTION_STATES]) * int(slot)
            second = first + row[C.NORMAL_STATES]
            depth = -gap
            if row[C.NORMAL_LAW] >= C.USER:
                self._own(point, first, second)
            elif row[C.NORMAL_LAW] == C.FOUNDATION:
                self.z[first + C.OFFSET] = max(1e-3 * abs(point.z[first + C.OFFSET]), 1e-6 * depth**3)
            elif row[C.NORMAL_STATES]:
                depth = max(depth - point.z[first], SHORT)
                self.z[first] = FINE * depth
            self.x = np.minimum(self.x, np.maximum(FINE * depth / reach, SHORT))
            p = floats[row[C.FRICTION_FLOATS] :]
            if row[C.FRICTION_LAW] == C.BRISTLE:
                speed = min(p[C.STRIBECK], p[C.SMALL_SPEED])
                bristles = 4 if row[C.NORMAL_LAW] == C.FOUNDATION else 3
                self.z[second : second + bristles] = FINE * p[C.KINETIC_FRICTION] / p[C.BRISTLE_STIFFNESS]
            elif row[C.FRICTION_LAW] == C.COULOMB:
                speed = p[C.SMALL_SPEED]
            else:
                speed = FINE
                self._own(point, second, second + row[C.FRICTION_STATES])
            self.v = np.minimum(self.v, np.maximum(FINE * speed / reach, SHORT))

    def _own(self, point: Point, first: int, end: int) -> None:
        """States of users' contact laws, of unknown scale."""
        self.z[first:end] = np.maximum(1e-3 * np.abs(point.z[first:end]), SHORT)


def relative_motion(model: Model, q: np.ndarray, a: int, b: int, where: np.ndarray) -> np.ndarray:
    """Velocity of shape a relative to shape b at a point of the world, by unit velocities: (3, nv)."""
    from .kernels.contact.layout import MARKER

    out = np.zeros((3, model.nv))
    for shape, sign in ((a, 1.0), (b, -1.0)):
        marker = int(model.arrays.shape_index[shape, MARKER])
        J, motion = np.empty((6, model.nv)), np.empty(13)
        _run("jacobian", model, marker, q, J)
        _run("marker_motion", model, marker, q, np.zeros(model.nv), motion)
        out += sign * (J[3:] + np.cross(J[:3], where - motion[:3], axis=0))
    return out


def check_state(model: Model, state: Any) -> None:
    """A state of this model, with finite numbers, or an error that says what is wrong."""
    if not isinstance(state, State):
        raise ModelError.at("state", f"got {type(state).__name__}; give a State, from model.state(...)")
    for what, values, names in (("q", state.q, model.names.q), ("v", state.v, model.names.v)):
        if np.shape(values) != (len(names),):
            raise ModelError.at("state", f"{what} has {np.shape(values)} numbers; this model has ({len(names)},)")
        if not np.all(np.isfinite(values)):
            bad = names[int(np.argmin(np.isfinite(values)))]
            raise ModelError.at("state", f"{what} of {bad} is not a finite number; give finite coordinates")


def tree_efforts(model: Model, state: State, acceleration: np.ndarray) -> np.ndarray:
    """Efforts (nv,) that the tree alone needs for an acceleration: what `tree_derivatives` differentiates."""
    q, v = _qv(model, state)
    out = np.empty(model.nv)
    _run("inverse_state", model, q, v, np.ascontiguousarray(acceleration), _latched(model, state), out)
    return out


def tree_accelerations(
    model: Model, state: State, effort: np.ndarray, held: Sequence[int] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (nv,) of the tree alone under `effort`, zero for the `held`, and the efforts that this takes."""
    q, v = _qv(model, state)
    ws, out = model.workspace(), np.zeros(model.nv)
    ws.known[:] = 0
    ws.known[list(held)] = 1
    try:
        _run("forward_state", model, q, v, np.ascontiguousarray(effort), _latched(model, state), out)
        return out, ws.supplied.copy()
    finally:
        ws.known[:] = 0


def _latched(model: Model, state: State) -> np.ndarray:
    return np.ascontiguousarray(state.z[: model.latched], float)
