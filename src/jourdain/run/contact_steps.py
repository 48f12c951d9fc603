"""Whether the step of a run is short enough for its contacts.

A time step is stable with contact where it is small enough for stiffness and damping of what touches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.warn import warn
from ..model.contact_states import touching_sites
from ..model.stability import divided

if TYPE_CHECKING:
    from ..model.model import Model

MOST = 300
"""Velocities of a model beyond which sites are checked one by one only."""


CHECKS = ("refuse", "warn")
"""What is done about a step that is too large for the stiffness of a contact."""


class StepWarning(UserWarning):
    """A fixed step that is too large for the stiffness of a contact."""


OTHER_REMEDIES = "softer or less damped laws (slow_speed, stribeck), or an adaptive method"
"""What helps besides a shorter step."""


class StepRefused(Exception):
    """A fixed step that is too large for the stiffness of a contact, where such runs are to stop.

    contact    its name
    why        what it asks for
    longest    the step by which it is stable [s]
    step       what to give, as a text that says so
    """

    def __init__(self, contact: str, why: str, longest: float, step: str) -> None:
        super().__init__(contact, why, longest, step)
        self.contact, self.why, self.longest, self.step = contact, why, longest, step

    def __str__(self) -> str:
        return f'{self.why}; give {self.step}, {OTHER_REMEDIES}; step_check="warn" goes on all the same'


def check_step_check(value: Any) -> str:
    """A value of `step_check`, checked."""
    if value not in CHECKS:
        raise ModelError.at("step_check", f'got {value!r}; give "refuse", or "warn" to go on all the same')
    return str(value)


class StepCheck:
    """Whether the fixed steps of a run are short enough for its contacts; each contact is warned of once.

    A site with stiffness k, damping c and mobility w = n^T J M^-1 J^T n asks for sqrt(k w) h and c w h
    within the stability region of the method; friction asks the same along the surface. Sites that touch together ask
    for more than each alone: the largest eigenvalues of M^-1 J^T k J and M^-1 J^T c J over all of them. Stiffness and
    damping are the largest of all stages of all steps, so that contact within one step is seen.

    step_check    "refuse": a step that is too long raises `StepRefused`; "warn": it is a `StepWarning`
    tell          takes the text of a warning instead
    """

    def __init__(
        self,
        model: Model,
        method: str,
        step: float,
        held: Sequence[str] = (),
        step_check: str = "refuse",
        tell: Callable[[str], None] | None = None,
    ) -> None:
        from ..model.stability import contact_limit, real_limit

        self.model, self.method, self.step = model, method, step
        self.refuses = step_check == "refuse"
        self.tell = tell or _warn
        self.held = dict.fromkeys(held, 0.0)
        self.along, self.damped = contact_limit(method), real_limit(method)
        self.seen = np.zeros((len(model.contacts.names), 3))
        self.bound = mobility_bound(model)
        self.together = np.zeros(3)
        self.warned: set[int] = set()
        self.passed: set[int] = set()

    def check_state(self, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray, known: np.ndarray) -> None:
        """Warns where sites that touch in a state ask for shorter steps together; known: prescribed entries of v."""
        if self.model.nv > MOST or not all(np.all(np.isfinite(part)) for part in (q, v, z, latched)):
            return
        sites = touching_sites(self.model, q, v, z, latched)
        sums = sites[:, 9:12].sum(axis=0)
        if len(sites) < 2 or np.all(sums <= 1.05 * self.together):
            return
        self.together = np.maximum(self.together, sums)
        free = np.flatnonzero(known == 0)
        if not len(free):
            return
        J = np.array([directions(self.model, one[1:3], one[[3, 4, 5, 3, 4, 5]], one[6:9], q)[:, free] for one in sites])
        M = self.model.mass_matrix(q)[np.ix_(free, free)]
        asks = []
        for what, rows, weights, root in (
            ("normal stiffness", J[:, :1], sites[:, 9], True),
            ("normal damping", J[:, :1], sites[:, 10], False),
            ("damping of friction", J[:, 1:], sites[:, 11], False),
        ):
            rate, share = _largest(M, rows, weights)
            limit = self.along if root else self.damped
            asks.append((np.sqrt(rate) if root else rate, limit, what, int(sites[np.argmax(share), 0])))
        rate, limit, what, c = max(asks, key=lambda ask: ask[0] / ask[1])
        if rate * self.step > limit and c not in self.warned:
            self.warned.add(c)
            self.warn(c, f"its {what}, with all {len(sites)} sites that touch,", rate, limit)

    def check_peaks(self, peaks: np.ndarray, q: np.ndarray) -> None:
        """Warns of contacts whose stiffness or damping, now at their largest, ask for shorter steps."""
        if not np.all(np.isfinite(q)):
            return
        grown = np.any(peaks[:, :3] > 1.05 * self.seen, axis=1) & np.all(np.isfinite(peaks), axis=1)
        self.seen[grown] = peaks[grown, :3]
        first, second = peaks[grown, 4:6].astype(int).T
        with np.errstate(invalid="ignore"):  # infinity times nothing is no bound: checked
            most = (self.bound[first] + self.bound[second])[:, None] * peaks[grown, :3]
            most[:, 0] = np.sqrt(most[:, 0])
        stable = np.all(most * self.step <= [self.along, self.damped, self.damped], axis=1)
        for c in np.flatnonzero(grown)[~stable]:
            if c not in self.warned:
                self.check_site(int(c), peaks[c], q)

    def check_site(self, c: int, peak: np.ndarray, q: np.ndarray) -> None:
        """Warns of a contact whose one site asks for shorter steps."""
        normal, tangential = mobility(self.model, peak[4:6], *peak_now(self.model, peak, q), q, self.held)
        asks = [
            (np.sqrt(peak[0] * normal), self.along, f"normal stiffness {peak[0]:.3g} N/m"),
            (peak[1] * normal, self.damped, f"normal damping {peak[1]:.3g} N s/m"),
            (peak[2] * tangential, self.damped, f"damping of friction {peak[2]:.3g} N s/m"),
        ]
        worst = max(asks, key=lambda ask: ask[0] / ask[1])
        rate, limit, what = worst
        if rate * self.step > limit:
            self.warned.add(c)
            mass = 1.0 / (tangential if worst is asks[2] else normal)
            if worst is asks[2]:  # slip that stops within a step sticks then
                rate = max(rate, peak[3] * tangential)
                what = f"damping of friction {max(peak[2], peak[3]):.3g} N s/m"
            self.warn(c, f"its {what} on {mass:.3g} kg", rate, limit)

    def warn_of_tunnelling(self, flights: np.ndarray) -> None:
        """Warns of contacts whose shapes may have passed through each other within a step (tunnelling)."""
        from ..kernels.contact.contact_rows import Flight

        steps = flights[:, Flight.columns.step]
        for c in np.flatnonzero(steps > 0.0):
            if c not in self.passed:
                self.passed.add(int(c))
                name, enough = self.model.contacts.names[c], divided(self.step, float(steps[c]))
                self.tell(
                    f'{self.model.name}: the shapes of contact "{name}" may have passed through each other within a '
                    f"step of {self.step:.2g} s; give step={enough}, or an adaptive method"
                )

    def warn(self, c: int, what: str, rate: float, limit: float) -> None:
        """Says which contact, why, and which step would do; or refuses."""
        name = self.model.contacts.names[c]
        why = (
            f'contact "{name}" is too stiff for the step: {what} asks '
            f'"{self.method}" for steps below {limit / rate:.2g} s, and they are {self.step:.2g} s'
        )
        step = f"step={divided(self.step, 0.8 * limit / rate)}"
        if self.refuses:
            raise StepRefused(name, why, limit / rate, step)
        self.tell(f"{self.model.name}: {why}; give {step}, {OTHER_REMEDIES}")


def _warn(text: str) -> None:
    warn(text, StepWarning)


def mobility_bound(model: Model) -> np.ndarray:
    """Acceleration per force that a point of each shape has at most, in any direction [1/kg]: a bound of `mobility`.

    It is that of its body cut free, 1/m + r^2 / I, with r the greatest distance from the centre of mass and I the
    smallest principal inertia: joints, and what hangs on a body, only take from it. Infinite where there is no such
    number: shapes without end, and bodies that deform.
    """
    arrays = model.arrays
    marker, placed = arrays.shapes.columns.marker, arrays.shape_poses.columns
    body = arrays.markers.columns.body[marker]
    bodies = arrays.bodies.columns
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = bodies.mass[body]
        com = bodies.first_moment[body] / mass[:, None]
        xx, yy, zz, xy, xz, yz = bodies.inertia[body].T
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
        J = J - mass[:, None, None] * (
            np.sum(com**2, axis=1)[:, None, None] * np.eye(3) - com[:, :, None] * com[:, None, :]
        )
        smallest = np.linalg.eigvalsh(np.where(np.isfinite(J), J, 0.0))[:, 0]
        turn = arrays.marker_poses.columns.R_BM[marker].reshape(-1, 3, 3)
        at = arrays.marker_poses.columns.p_BM[marker] + np.einsum("nij,nj->ni", turn, placed.p_MS)
        far = np.linalg.norm(at - com, axis=1) + placed.ball
        out = 1.0 / mass + far**2 / smallest
    out[~(smallest > 0.0) | (arrays.tree.columns.ne[body] > 0) | ~np.isfinite(out)] = np.inf
    out[body == 0] = 0.0
    return out


def _largest(M: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Largest eigenvalue of M^-1 sum_s w_s J_s^T J_s, rows (sites, k, nv), and the share of each site in it."""
    from scipy.linalg import eigh

    form = np.einsum("s,ski,skj->ij", weights, rows, rows)
    n = len(M)
    value, vector = eigh(form, M, subset_by_index=(n - 1, n - 1))
    return max(float(value[0]), 0.0), weights * np.sum((rows @ vector[:, 0]) ** 2, axis=1)


def _marker_of(model: Model, shape: int) -> str | None:
    """Address of the marker that a shape is on; None for the world."""
    m = model.arrays.shapes[int(shape)].marker
    if model.arrays.markers.columns.body[m] == 0:
        return None
    return next(address for address, number in model.markers.items() if number == m)


def peak_now(model: Model, peak: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the places of the two shapes are now at which a peak was noted, (2, 3), and the normal there.

    The shapes have moved on since; a point of the world would lie beside them.
    """
    points, normal = np.zeros((2, 3)), peak[9:12]
    for end in (1, 0):
        address = _marker_of(model, peak[4 + end])
        if address is None:
            continue
        pose, shape = model.pose(address, q), model.arrays.shape_poses.array[int(peak[4 + end])]
        own = shape[:9].reshape(3, 3)
        at = 6 + 6 * end
        points[end] = pose.position + pose.rotation @ (shape[9:12] + own @ peak[at : at + 3])
        normal = pose.rotation @ (own @ peak[at + 3 : at + 6])
    return points, normal


def directions(model: Model, shapes: np.ndarray, points: np.ndarray, normal: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Rows (3, nv) that make of v the velocity of the first shape over the second: along the normal, and across.

    points    of the first shape and of the second, (2, 3) in the world
    """
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    axes = np.array([normal, first, np.cross(normal, first)])
    out = np.zeros((3, model.nv))
    for shape, point, sign in zip(shapes, np.reshape(points, (2, 3)), (1.0, -1.0), strict=True):
        address = _marker_of(model, shape)
        if address is not None:
            J = model.jacobian(address, q)
            arm = point - model.pose(address, q).position
            out += sign * (axes @ J[3:] + np.cross(arm, axes) @ J[:3])
    return out


def mobility(
    model: Model, shapes: np.ndarray, points: np.ndarray, normal: np.ndarray, q: np.ndarray, held: Mapping[str, float]
) -> tuple[float, float]:
    """Acceleration per force between points of two shapes [1/kg]: along the normal, across it at most.

    held    prescribed coordinates, whose accelerations no force changes: all zero here
    """
    efforts = directions(model, shapes, points, normal, q)
    state = model.state(q)
    state.z[: model.latched] = 0.0
    still = model.hybrid_dynamics(state, None, held).acceleration
    response = np.array([model.hybrid_dynamics(state, effort, held).acceleration - still for effort in efforts])
    W = efforts @ response.T
    return float(max(W[0, 0], 0.0)), float(max(np.linalg.eigvalsh(0.5 * (W + W.T)[1:, 1:])[-1], 0.0))
