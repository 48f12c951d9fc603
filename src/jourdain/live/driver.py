"""Controllers outside of a simulation: asked once a tick, with what was measured; and the safe hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from ..control.sampled import PythonFunction, Sampled
from ..describe.laws import BoundLaw, as_law
from ..export.variables import driven_entries
from ..model.functions import frame_reader
from ..model.model import Model

HOLD_BANDWIDTH = 2.0 * math.pi * 2.0
"""Of the safe hold [rad/s]: 2 Hz."""
LOOPED = 1e-9
"""Singular value of the joints' motions, over the largest, below which closed loops leave none."""


class TickedController:
    """A law that is asked at ticks, with effort that holds in between: what `jd.control.Sampled` is in a simulation.

    bound     the law
    every     ticks from one sample to the next
    period    the same [s]
    frames    that it senses, as functions of q and v; `rows` of its contacts among those that are measured
    """

    def __init__(self, bound: BoundLaw, every: int, period: float) -> None:
        self.bound, self.every, self.period = bound, every, period
        self.z, self.dz = bound.start.copy(), np.zeros(bound.states)
        self.call = None if isinstance(bound, PythonFunction) else bound.caller()
        self.effort = np.zeros(0)
        self.frames: list[Callable[[np.ndarray, np.ndarray], np.ndarray]] = []
        self.rows: list[int] = []
        self.sensed = np.zeros(0)

    def sense(self, q: np.ndarray, v: np.ndarray, contact_wrenches: np.ndarray) -> np.ndarray:
        """What it senses: 13 numbers of each of its frames, then 6 of each of its contacts."""
        at = 0
        for read in self.frames:
            self.sensed[at : at + 13] = read(q, v)
            at += 13
        for row in self.rows:
            self.sensed[at : at + 6] = contact_wrenches[row]
            at += 6
        return self.sensed

    def reset(self) -> None:
        """Back to its first states."""
        self.z[:] = self.bound.start

    def ask(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Efforts (nv,) at a tick of its own; its states go on to the next."""
        self.effort = np.zeros(len(v))
        if self.call is None:
            bound: Any = self.bound
            bound.given, bound.asked = ((q, v, s) if bound.senses else (q, v)), self.effort
            if bound.call(t):
                raise bound.error
            return self.effort
        self.dz[:] = 0.0
        self.call(t, q, v, self.z, s, self.effort, self.dz)
        if self.bound.law.discrete:
            self.z[:] = self.dz
        else:
            self.z += self.period * self.dz
        return self.effort


class ControlDriver:
    """All controllers of a task, for a model or for a robot.

    model       whose coordinates are measured
    contacts    whose forces must be measured with them, 6 numbers each
    """

    def __init__(self, model: Model, controller: Any, period: float) -> None:
        self.model, self.period = model, period
        given = [] if controller is None else controller
        self.laws = [self._ticked(one) for one in (given if isinstance(given, list | tuple) else [given])]
        self.contacts = tuple(dict.fromkeys(name for law in self.laws for name in law.bound.contacts))
        self.count = 0
        for law in self.laws:
            law.frames = [frame_reader(model, address) for address in law.bound.markers]
            law.rows = [self.contacts.index(name) for name in law.bound.contacts]
            law.sensed = np.zeros(13 * len(law.frames) + 6 * len(law.rows))

    def _ticked(self, one: Any) -> TickedController:
        period = self.period
        if isinstance(one, Sampled):
            period = one.period
            every = round(period / self.period)
            if every < 1 or abs(every * self.period - period) > 1e-6 * self.period:
                raise ModelError.at(
                    one.name,
                    f"its period of {period:g} s is no whole number of ticks of {self.period:g} s; give another --rate",
                )
            inner: Any = one.controller
            law = getattr(inner, "is_law", False) or hasattr(inner, "bind")
            bound = (
                as_law(inner, one.name, self.model)
                if law
                else PythonFunction(inner, self.model, one.markers, one.contacts)
            )
            return TickedController(bound, every, period)
        bound = as_law(one, "controller", self.model)
        if bound.outside or bound.inner is not None:
            raise ModelError.at(
                bound.name, "it needs a simulation around it, and does not run live; use another controller"
            )
        return TickedController(bound, 1, period)

    def reset(self) -> None:
        """As at the beginning."""
        self.count = 0
        for law in self.laws:
            law.reset()

    def ask(self, t: float, q: np.ndarray, v: np.ndarray, contact_wrenches: np.ndarray) -> np.ndarray:
        """Efforts (nv,) for what was measured: coordinates, velocities, forces of contacts (contacts, 6)."""
        effort = np.zeros(self.model.nv)
        for law in self.laws:
            if self.count % law.every == 0:
                law.ask(t, q, v, law.sense(q, v, contact_wrenches))
            effort += law.effort
        self.count += 1
        return effort


class SafeHold:
    """Joints stay where they are, each as if on a spring and a damper of its own, and gravity is carried.

    effort = bias(q0, 0) - L (w^2 (q - q0) + 2 w v) with w = 2 pi 2 Hz, for joints of one coordinate that nothing
    prescribes. L is the inertia of these at q0 with other joints free (a floating base, say) and bodies rigid,
    so that all of them come to rest with the same w, critically damped. What has no drive is not held.

    Closed loops leave the motions Z, A Z = 0. Gravity is then carried by the efforts with Z^T (bias - effort) = 0, or
    next to it, of least size, and L is the pseudo-inverse of what remains of Z (Z^T M Z)^-1 Z^T at these joints.
    """

    def __init__(self, model: Model, prescribed: tuple[int, ...] = ()) -> None:
        self.model = model
        index = model.arrays.q_index
        self.joints = np.array([k for k in driven_entries(model) if k not in prescribed], int)
        self.mine = np.array([i for i, k in enumerate(self.joints) if index[k] >= 0], int)
        self.entries = self.joints[self.mine] if len(self.joints) else self.joints
        self.places = np.array([index[k] for k in self.entries], int)
        self.engaged = False

    def engage(self, q: np.ndarray) -> None:
        """Holds from now on at q."""
        self.q0 = q[self.places].copy()
        M = self.model.mass_matrix(q)[np.ix_(self.joints, self.joints)]
        weight = self.model.bias(q, np.zeros(self.model.nv))
        if not len(self.model.constraints):
            self.inertia = np.linalg.inv(np.linalg.inv(M)[np.ix_(self.mine, self.mine)])
            self.weight = weight[self.entries]
        else:
            Z = self._left(q)
            moved = Z @ np.linalg.solve(Z.T @ M @ Z, Z.T)
            self.inertia = np.linalg.pinv(moved[np.ix_(self.mine, self.mine)], rcond=LOOPED, hermitian=True)
            self.weight = np.linalg.pinv(Z[self.mine].T, rcond=LOOPED) @ (Z.T @ weight[self.joints])
        self.engaged = True

    def _left(self, q: np.ndarray) -> np.ndarray:
        """Motions of the joints (joints, degrees of freedom) that closed loops leave near q, which is measured."""
        from ..run.redundancy import closed_near, independent_rows, scaled_rows

        place = closed_near(self.model, q)
        rows = scaled_rows(self.model, 0.0, q if place is None else place, ())
        rank = int(np.sum(independent_rows(rows, self.model.constraints.holonomic)))
        A = self.model.constraints.jacobian(q if place is None else place)
        return np.linalg.svd(A[:, self.joints])[2][rank:].T

    def release(self) -> None:
        """Lets go."""
        self.engaged = False

    def effort(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Efforts (nv,)."""
        out = np.zeros(self.model.nv)
        w = HOLD_BANDWIDTH
        pull = w * w * (q[self.places] - self.q0) + 2.0 * w * v[self.entries]
        out[self.entries] = self.weight - self.inertia @ pull
        return out
