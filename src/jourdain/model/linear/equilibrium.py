"""`model.equilibrium`: where a model rests, or moves steadily, and the efforts that it takes.

Newton's method on f(x) = h(q, v) - effort - Q = 0 in the tangent space, with K = df/dx of the tree and of all else that
acts (`tangent`). A step is shortened until the residual falls, in the sum of f_k^2 / M_kk, which has one unit for all
coordinates; of models with cables, rods and shells, which a long step across them stretches to second order, also until
the next step would be shorter (the natural test of Deuflhard 2004, section 3.3). Where Newton's method has no
direction, because nothing holds the model there, the model falls instead: (mu M + K) dx = -f with a mu that keeps the
step short (pseudo-transient continuation, Kelley & Keyes 1998), until springs, stops or contacts catch it.

In contacts that touch, relaxation has passed and bristles stick: they bend with the displacement on the way from the
state that was given, and their states are in the result. States of laws settle: their rates are zero in the
equilibrium. States of users' contact laws stay as they are.

With constraints f(x) = A^T lambda and Phi = 0 are solved together (Pogorelov 2002, equilibrium with cut joints): steps
are in the null space of A, with the stiffness -d(A^T lambda)/dx of the forces in the loops, and each is brought back
onto the constraints. Convergence stays quadratic.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ..derivatives import check_dense, tree_derivatives
from ..displacement import moved, relative_motion
from ..kernel_calls import checked_efforts
from ..selection import entries, motors
from .applied_forces import AppliedModel, Point, tree_efforts
from .constrained import constrained, geometric_stiffness
from .equilibrium_result import Equilibrium

if TYPE_CHECKING:
    from ..model import Model
    from ..state import State

LIMIT = 200
"""Iterations at most."""
TIGHT = 1e-12
"""Residual over the largest effort that counts as zero."""
ROUNDED = 1e-15
"""Residual over stiffness times displacement that is rounding."""
ROUGH = 1e-8
"""The same where rounding lets it fall no further."""
TURN = 1.0
"""The longest step of Newton's method [rad]."""
STRIDE = 0.1
"""The longest step while the model falls [rad, m]."""
CLOSED = 1e-12
"""How far a loop may be open [m, rad]."""
SINGULAR = 1e-11
"""Singular value over the largest one, in units of mass, below which a direction counts as free."""


class _Balance(NamedTuple):
    """What is out of balance at a point: efforts (nv,), the largest that acts where they are given, rates of laws, and
    the multipliers."""

    point: Point
    left: np.ndarray
    scale: float
    rates: np.ndarray
    multipliers: np.ndarray


def equilibrium(
    model: Model,
    state: State,
    effort: Any = None,
    hold: Iterable[str] = (),
    efforts: Iterable[str] | None = None,
    controller: Any = None,
) -> Equilibrium:
    """The equilibrium near a state; see `Model.equilibrium`."""
    check_dense(model, "equilibrium")
    return _Search(model, state, effort, hold, efforts, controller).run()


class _Search:
    """Newton's method from a state."""

    def __init__(
        self,
        model: Model,
        state: State,
        effort: Any,
        hold: Iterable[str],
        efforts: Iterable[str] | None,
        controller: Any,
    ) -> None:
        self.model, self.applied, self.controller = model, AppliedModel(model, controller), controller
        held = self.held = sorted(entries(model, hold, "hold"))
        wanted = self._with_motors(held) if efforts is None else entries(model, efforts, "efforts")
        if len(set(wanted)) != len(held):
            raise ModelError.at(
                "efforts", f"{len(set(wanted))} are to be found and {len(held)} coordinates are held; name as many"
            )
        self.found = sorted(set(wanted))
        self.x = np.setdiff1d(np.arange(model.nv), held)
        self.rows = np.setdiff1d(np.arange(model.nv), self.found)
        self.given = checked_efforts(model, effort)
        self.given[self.found] = 0.0
        point = self.applied.begin(state)
        v = np.zeros(model.nv)
        v[held] = point.v[held]
        units = model.units.v
        self.angular = np.array([units[k] == "rad/s" for k in self.x], bool)
        self.laws = np.arange(self.applied.contact_states, len(self.applied.names))
        self.loops = constrained(model)
        self.slender = bool(model.features & {"cable", "rod", "shell"})
        self.weight = np.ones(model.nv)
        if self.loops:
            self.weight = np.sqrt(np.maximum(np.diag(model.mass_matrix(point.q)), 1e-300))
            point = self._on_the_loops(point._replace(v=v))
        self.balance = self._at(self.applied.settled(point._replace(v=v)))

    def _on_the_loops(self, point: Point) -> Point:
        """The point with its loops closed, what is held being held; an error where that cannot be."""
        model = self.model
        q = self._closed(point.q, point.time)
        if q is None:
            left = np.abs(model.constraints.residual(point.q, time=point.time))
            name = model.constraints.owners[int(np.argmax(left))]
            raise ModelError.at(
                name, f"the loops do not close near this state, {np.max(left):.3g} is open; begin nearer, or hold less"
            )
        point = point._replace(q=q)
        rate = np.abs(model.constraints.rate(self.applied.state(point)))
        if np.max(rate, initial=0.0) > 1e-9 * max(1.0, float(np.max(np.abs(point.v), initial=0.0))):
            name = model.constraints.owners[int(np.argmax(rate))]
            raise ModelError.at(
                name, "the held velocities, or its own motion in time, move the loop: that is no equilibrium; simulate"
            )
        return point

    def _closed(self, q: np.ndarray, time: float) -> np.ndarray | None:
        """q brought onto the constraints by the shortest way, in the sum of M_kk x_k^2; None where that fails."""
        rows = self.model.constraints
        for _ in range(30):
            gap = rows.residual(q, time=time)
            if not np.all(np.isfinite(gap)):
                return None
            if np.max(np.abs(gap), initial=0.0) < CLOSED:
                return q
            A = rows.jacobian(q, time=time)[:, self.x] / self.weight[self.x]
            x = np.zeros(self.model.nv)
            x[self.x] = np.linalg.lstsq(A, -gap, rcond=1e-10)[0] / self.weight[self.x]
            x /= max(1.0, float(np.max(np.abs(x))))
            q = moved(self.model, q, x)
        return None

    def _with_motors(self, held: list[int]) -> list[int]:
        """The held entries; of a joint with a drive whose motor is free to turn, the motor."""
        driven = {joint: motor for motor, (joint, _) in motors(self.model).items()}
        return [driven[k] if k in driven and driven[k] not in held else k for k in held]

    def _at(self, point: Point) -> _Balance:
        model = self.model
        tree = tree_efforts(model, self.applied.state(point), np.zeros(model.nv))
        acting = self.applied.at(point)
        left = tree - self.given - acting.forces
        sides = [tree, acting.forces, self.given]
        multipliers = np.zeros(0)
        if self.loops:
            A = model.constraints.jacobian(point.q, time=point.time)
            scaled = A[:, self.rows] / self.weight[self.rows]
            multipliers = np.linalg.lstsq(scaled.T, left[self.rows] / self.weight[self.rows], rcond=1e-10)[0]
            left = left - A.T @ multipliers
            sides.append(A.T @ multipliers)
        scale = max(float(np.max(np.abs(one[self.rows]), initial=0.0)) for one in sides)
        return _Balance(point, left, scale, acting.rates[self.laws], multipliers)

    def _derivatives(self) -> None:
        """Jacobian, and the mass that measures residuals and steps."""
        applied, point = self.applied, self.balance.point
        K, _, M = tree_derivatives(self.model, applied.state(point), np.zeros(self.model.nv))
        entering = applied.entering(point)
        partials = applied.partials(point, entering)
        K = K - partials.forces[0]
        if self.loops:
            K = K - geometric_stiffness(self.model, applied.state(point), self.balance.multipliers)
        bristles = np.flatnonzero(np.isin(entering, applied.bristles()))
        follow = partials.rates[1][entering[bristles]]
        K = K - partials.forces[2][:, bristles] @ follow
        self.follow = (entering[bristles], follow[:, self.x])
        laws = np.flatnonzero(entering >= applied.contact_states)
        rates = [partials.rates[0][self.laws][:, self.x], partials.rates[2][self.laws][:, laws]]
        J = np.block([[K[np.ix_(self.rows, self.x)], -partials.forces[2][self.rows][:, laws]], rates])
        if not np.all(np.isfinite(J)):
            raise ModelError.at("state", "its forces are not finite numbers; begin from another state")
        ones = np.ones(len(self.laws))
        mass = self.weight if self.loops else np.sqrt(np.maximum(np.diag(M), 1e-300))
        self.row_scale = np.concatenate([mass[self.rows], ones])
        self.column_scale = np.concatenate([mass[self.x], ones])
        self.mass = M[np.ix_(self.rows, self.x)] / np.outer(mass[self.rows], mass[self.x])
        self.J = J / np.outer(self.row_scale, self.column_scale)
        self.onto, self.into = np.eye(len(self.row_scale)), np.eye(len(self.column_scale))
        if self.loops:
            A = self.model.constraints.jacobian(point.q, time=point.time)
            self.onto = self._null(A[:, self.rows] / mass[self.rows])
            self.into = self._null(A[:, self.x] / mass[self.x])
            if self.onto.shape != self.into.shape:
                raise ModelError.at(
                    "efforts", "those to be found and the loops leave the equilibrium open; find others"
                )
            n, m = self.into.shape[1] - len(ones), len(self.x)
            self.mass = self.onto[:m, :n].T @ self.mass @ self.into[:m, :n]
            self.J = self.onto.T @ self.J @ self.into

    def _null(self, A: np.ndarray) -> np.ndarray:
        """Basis of the null space of A; states of laws are coordinates of their own in it."""
        _, singular, V = np.linalg.svd(A)
        rank = int(np.sum(singular > 1e-10 * max(float(np.max(singular, initial=0.0)), 1e-300)))
        n, laws = A.shape[1], len(self.laws)
        return np.block([[V[rank:].T, np.zeros((n, laws))], [np.zeros((laws, n - rank)), np.eye(laws)]])

    def _residual(self, balance: _Balance) -> np.ndarray:
        return np.concatenate([balance.left[self.rows], balance.rates]) / self.row_scale

    def _moved(self, step: np.ndarray) -> _Balance | None:
        """What is out of balance after a step, given times sqrt(M_kk); None where the loops do not close there."""
        point = self.balance.point
        step = self.into @ step / self.column_scale
        x = np.zeros(self.model.nv)
        x[self.x] = step[: len(self.x)]
        q = moved(self.model, point.q, x)
        if self.loops:
            closed = self._closed(q, point.time)
            if closed is None:
                return None
            q = closed
        z = point.z.copy()
        z[self.laws] += step[len(self.x) :]
        at, follow = self.follow
        z[at] += follow @ step[: len(self.x)]
        return self._at(self.applied.settled(point._replace(q=q, z=z)))

    def _largest(self) -> float:
        return float(np.max(np.abs(self.balance.left[self.rows]), initial=0.0))

    def run(self) -> Equilibrium:
        history = [self._largest()]
        self.first = self.balance.scale
        for _ in range(LIMIT):
            if self._tiny(history, TIGHT) or self._settled(history):
                break
            self._derivatives()
            r = self._residual(self.balance)
            better = self._newton(r)
            if better is None:
                if self._tiny(history, ROUGH) or self._rounding(history):
                    break
                better = self._fall(r)
            self.balance = better
            history.append(self._largest())
            if not np.isfinite(history[-1]):
                break
        if not self._tiny(history, ROUGH) and not self._rounding(history):
            raise self._failure(len(history) - 1)
        return self._result(history)

    def _tiny(self, history: list[float], part: float) -> bool:
        """Whether what is left over is small beside what acts; where rounding is the limit, beside what acted first."""
        scale = max(self.balance.scale, self.first if part == ROUGH else 0.0)
        still = float(np.max(np.abs(self.balance.rates), initial=0.0)) <= part * max(1.0, scale)
        return history[-1] <= part * scale and still

    def _settled(self, history: list[float]) -> bool:
        """Whether what is left over in a cable, rod or shell is small and falls no more: it is rounding then."""
        if not self.slender or len(history) < 2 or history[-1] < 0.5 * history[-2] or not self._tiny(history, ROUGH):
            return False
        return history[-1] <= ROUGH * self.balance.scale or self._rounding(history)

    def _rounding(self, history: list[float]) -> bool:
        """Whether what is left over in a cable, rod or shell is rounding of its own forces, stiffness times
        displacement, which add up to nothing where it rests."""
        if not self.slender or not history[-1] < np.inf:
            return False
        point = self.balance.point
        K = tree_derivatives(self.model, self.applied.state(point), np.zeros(self.model.nv))[0]
        far = max(1.0, float(np.max(np.abs(point.q), initial=0.0)))
        return history[-1] <= ROUNDED * far * float(np.max(np.sum(np.abs(K), axis=1), initial=0.0))

    def _newton(self, r: np.ndarray) -> _Balance | None:
        """The balance after a Newton step, shortened until the residual falls; None where no such step is found."""
        U, singular, V = np.linalg.svd(self.J)
        keep = singular > SINGULAR * max(singular[0], 1e-300) if len(singular) else np.zeros(0, bool)
        along = U.T @ (self.onto.T @ r)
        if np.linalg.norm(along[~keep]) > ROUGH * np.linalg.norm(r):
            return None
        step = -V.T @ np.where(keep, along / np.where(keep, singular, 1.0), 0.0)
        angles = np.abs(self.into @ step / self.column_scale)[: len(self.x)][self.angular]
        step /= max(1.0, float(np.max(angles, initial=0.0)) / TURN)
        size = np.linalg.norm(r)
        for halvings in range(12):
            part = 0.5**halvings
            trial = self._moved(part * step)
            if trial is None:
                continue
            left = self._residual(trial)
            if np.linalg.norm(left) < (1.0 - 1e-4 * part) * size:
                return trial
            if self.slender:
                along = U.T @ (self.onto.T @ left)
                next_step = np.where(keep, along / np.where(keep, singular, 1.0), 0.0)
                if np.linalg.norm(next_step) < (1.0 - 0.25 * part) * np.linalg.norm(step):
                    return trial
        return None

    def _fall(self, r: np.ndarray) -> _Balance:
        """The balance after a short step of the motion that the residual would cause against a viscous drag."""
        n, r = len(self.mass), self.onto.T @ r
        J = self.J.copy()
        pull = np.linalg.lstsq(self.mass, r[:n], rcond=None)[0]
        acceleration = self.into[: len(self.x), :n] @ pull / self.column_scale[: len(self.x)]
        lowest = float(np.min(np.linalg.eigvalsh(0.5 * (J[:n, :n] + J[:n, :n].T)), initial=0.0))
        mu = max(np.max(np.abs(acceleration), initial=0.0) / STRIDE, -2.0 * lowest, 1e-300)
        J[:n, :n] += mu * self.mass
        step = np.linalg.lstsq(J, -r, rcond=None)[0]
        step = self._until_touch(step) * step
        for _ in range(20):
            found = self._moved(step)
            if found is not None:
                return found
            step = 0.5 * step
        raise self._failure(0)

    def _until_touch(self, step: np.ndarray) -> float:
        """Part of a step after which no shapes are farther inside each other than a hundredth of the way there, or than
        a hundred times as far as they were: a contact that has just begun hardly resists yet."""
        x = np.zeros(self.model.nv)
        x[self.x] = (self.into @ step / self.column_scale)[: len(self.x)]
        part = 1.0
        for _, _, a, b, gap, *where in self.applied.sites(self.balance.point):
            point, normal = np.array(where[:3]), np.array(where[3:])
            closing = -normal @ relative_motion(self.model, self.balance.point.q, int(a), int(b), point) @ x
            if closing > 0.0:
                far = 1.01 * gap + 1e-9 if gap > 0.0 else max(0.01 * closing, -100.0 * gap)
                part = min(part, far / closing)
        return part

    def _failure(self, iterations: int) -> ModelError:
        model = self.model
        worst = int(np.argmax(np.abs(self._residual(self.balance)[: len(self.rows)])))
        name = model.names.v[self.rows[worst]]
        left = self.balance.left[self.rows[worst]]
        text = f'no equilibrium after {iterations} iterations: "{name}" is left with {left:.4g} out of balance'
        U, singular, V = np.linalg.svd(self.J)
        loose = singular <= SINGULAR * max(singular[0], 1e-300)
        if np.any(loose):
            pushed = V[loose].T @ (U.T @ (self.onto.T @ self._residual(self.balance)))[loose]
            way = np.abs(self.into @ pushed / self.column_scale)[: len(self.x)]
            order = [i for i in np.argsort(-way) if way[i] > 0.3 * np.max(way)][:4]
            names = ", ".join(f'"{model.names.v[self.x[i]]}"' for i in order)
            return ModelError.at(
                name, f"{text}, and nothing holds the model along {names}; hold it, support it, or give its effort"
            )
        return ModelError.at(name, f"{text}; begin from a state nearer to the equilibrium, or hold it")

    def _result(self, history: list[float]) -> Equilibrium:
        point = self.balance.point
        effort = self.given.copy()
        effort[self.found] = self.balance.left[self.found]
        latched = point.latched.copy()
        springs = self.model.arrays.joint_springs
        for i in np.flatnonzero(springs.columns.friction > 0.0):
            reach = springs[i].friction / springs[i].friction_stiffness
            x = point.q[self.model.arrays.spring_entries[i].q]
            latched[i] = np.clip(latched[i], x - reach, x + reach)
        return Equilibrium(
            state=self.applied.state(point._replace(latched=latched)),
            effort=effort,
            found=tuple(self.model.names.v[k] for k in self.found),
            residual=history[-1],
            iterations=len(history) - 1,
            history=np.array(history),
            names=self.model.names.v,
            model=self.model,
            held=tuple(self.model.names.v[k] for k in self.held),
            controller=self.controller,
            multipliers=self.balance.multipliers,
        )
