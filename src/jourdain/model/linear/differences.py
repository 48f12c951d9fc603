"""Derivatives by differences of fourth order, for what has no formula; see `derivatives.analytical`.

Of all that acts besides the tree the steps suit the contacts: each stays far below the depth of every site that touches
and the gap of every one that does not, so that nothing begins or ends to touch within it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...kernels.kind_registry import BRISTLE, COULOMB, FOUNDATION, USER
from ..displacement import moved_along, relative_motion

if TYPE_CHECKING:
    from ..model import Model
    from .applied_forces import AppliedModel, Point

SMOOTH = 1e-3
"""Step of differences of smooth functions [rad, m, s]."""
STEP = 1e-4
"""Step of differences of forces [rad, m, and rates], where no contact asks for a shorter one."""
FINE = 1e-2
"""Step over the scale on which a contact changes: its depth, the speeds and deflections of its friction."""
SHORT = 1e-9
"""The shortest step that rounding allows [rad, m, and rates]."""
POINTS = (-2, -1, 1, 2)

Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


def along(of: Callable[[float], np.ndarray], size: float = 1.0) -> np.ndarray:
    """Derivative at zero of a function that is smooth over `size`."""
    step = SMOOTH * size
    far, near, nearer, farther = (of(s * step) for s in POINTS)
    return (8.0 * (nearer - near) - (farther - far)) / (12.0 * step)


def by_place(model: Model, q: np.ndarray, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Derivative of a smooth function of the coordinates by displacement (..., nv)."""

    def column(k: int) -> np.ndarray:
        return along(lambda s: of(moved_along(model, q, k, s)))

    return np.stack([column(k) for k in range(model.nv)], axis=-1)


def differenced(applied: AppliedModel, point: Point, chosen: np.ndarray) -> tuple[Triple, Triple, Triple]:
    """Derivatives of forces, rates and what contacts do by displacement, velocity and the `chosen` states.

    For models that the compiled slopes do not cover, and to check those.
    """
    model, nv = applied.model, applied.model.nv
    by = _Steps(applied, point)
    q, v, z = [], [], []
    for k in range(nv):
        q += [moved_along(model, point.q, k, s * by.x[k]) for s in POINTS]
    for k in range(nv):
        v += [point.v + s * by.v[k] * np.eye(1, nv, k)[0] for s in POINTS]
    for k in chosen:
        z += [point.z + s * by.z[k] * np.eye(1, len(point.z), k)[0] for s in POINTS]
    steps = np.concatenate([by.x, by.v, by.z[chosen]])
    rows = 4 * len(steps)

    def spread(base: np.ndarray, first: int, changed: list[np.ndarray]) -> np.ndarray:
        out = np.tile(base, (rows, 1))
        if changed:
            out[first : first + len(changed)] = changed
        return out

    found = applied.rows(point, spread(point.q, 0, q), spread(point.v, 4 * nv, v), spread(point.z, 8 * nv, z))

    def split(values: np.ndarray) -> Triple:
        four = values.reshape(len(steps), 4, *values.shape[1:])
        wide = (8.0 * (four[:, 2] - four[:, 1]) - (four[:, 3] - four[:, 0])) / 12.0
        slope = np.moveaxis(wide / np.reshape(steps, (-1,) + (1,) * (values.ndim - 1)), 0, -1)
        return slope[..., :nv], slope[..., nv : 2 * nv], slope[..., 2 * nv :]

    return split(found.forces), split(found.rates), split(found.contact_wrenches)


class _Steps:
    """Steps of the differences by displacement, velocity and integrated states at a point."""

    def __init__(self, applied: AppliedModel, point: Point) -> None:
        from ...kernels.contact.contact_rows import FoundationStates, friction_parameters

        model = applied.model
        self.x, self.v = np.full(model.nv, STEP), np.full(model.nv, STEP)
        self.z = STEP * np.maximum(1.0, np.abs(point.z))
        floats = model.arrays.contact_floats
        for c, slot, a, b, gap, *where in applied.sites(point):
            row = model.arrays.contacts[int(c)]
            reach = np.linalg.norm(relative_motion(model, point.q, int(a), int(b), np.array(where[:3])), axis=0)
            reach = np.maximum(reach, 1e-3)
            if gap >= 0.0 or slot < 0:
                self.x = np.minimum(self.x, np.maximum(0.25 * abs(gap) / reach, SHORT))
                continue
            first = row.states + (row.normal_states + row.friction_states) * int(slot)
            second = first + row.normal_states
            depth = -gap
            if row.normal_law >= USER:
                self._own(point, first, second)
            elif row.normal_law == FOUNDATION:
                offset = first + FoundationStates.columns.offset
                self.z[offset] = max(1e-3 * abs(point.z[offset]), 1e-6 * depth**3)
            elif row.normal_states:
                depth = max(depth - point.z[first], SHORT)
                self.z[first] = FINE * depth
            self.x = np.minimum(self.x, np.maximum(FINE * depth / reach, SHORT))
            p = friction_parameters(floats, row.friction_floats)
            if row.friction_law == BRISTLE:
                speed = min(p.stribeck, p.small_speed)
                bristles = 4 if row.normal_law == FOUNDATION else 3
                self.z[second : second + bristles] = FINE * p.kinetic / p.stiffness
            elif row.friction_law == COULOMB:
                speed = p.small_speed
            else:
                speed = FINE
                self._own(point, second, second + row.friction_states)
            self.v = np.minimum(self.v, np.maximum(FINE * speed / reach, SHORT))

    def _own(self, point: Point, first: int, end: int) -> None:
        """States of users' contact laws, of unknown scale."""
        self.z[first:end] = np.maximum(1e-3 * np.abs(point.z[first:end]), SHORT)
