"""Muscles as actuators between frames, with via points, a cylinder to go round, and activation as a state.

How muscles share a load: a quadratic program.

With activations a, F = S a + F_p and arms R (joints, muscles),

    minimise  1/2 sum (a_i - c)^2    such that  R (S a + F_p) = tau,  0 <= a <= 1,     S = diag(strength).

F_p are the passive forces, none unless given. A muscle of no strength can do nothing, and stays at c.

Its dual in the multipliers mu of the joints is smooth and piecewise quadratic: a = clip(c + S R^T mu, 0, 1), and
Newton's method with halved steps ends after finitely many of them. The last active set is then solved for exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.values import as_array, as_number, numbers, shown, suggestion
from ...basics.warn import warn
from ...control.controller import Controller
from ...control.parameters import motions, per_name, profiles
from ...describe.laws import BoundLaw, ControlLaw

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


class MuscleWarning(UserWarning):
    """A muscle whose fibres are too short to pull as its curves say."""


@checked
class MuscleForces(dict[str, float]):
    """Forces of muscles by name [N], that of passive stretch included, and what makes them.

    activations    0 to 1, by name: as excitations held they give these forces
    capacities     largest active forces at this length and speed [N], by name
    passive        forces of passive stretch [N], by name
    multipliers    of the joints' equations: what a unit of effort more costs
    cost           sqrt(sum (a - c)^2) over the muscles
    """

    activations: dict[str, float]
    capacities: dict[str, float]
    passive: dict[str, float]
    multipliers: np.ndarray
    cost: float


class MuscleLaw(BoundLaw):
    """The law of some muscles, bound to a model."""

    def __init__(self, muscles: Muscles, parameters: np.ndarray, start: np.ndarray, model: Model) -> None:
        from ...kernels.control.muscles import contract

        law = ControlLaw(muscles.name, contract)
        super().__init__(law, parameters, states=len(start), start=start, model=model, scratch=7 * model.nv + 13)
        self.muscles = muscles

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(f"{name}.activation" for name in self.muscles.names)

    @property
    def recorded(self) -> Mapping[str, Any]:
        return {"muscles": [self.muscles.to_dict()]}

    def with_parameters(self, parameters: Sequence[float] | np.ndarray) -> BoundLaw:
        assert self.model is not None
        return MuscleLaw(self.muscles, np.asarray(parameters, float), self.start, self.model)

    def check(self, model: Model, t: float, q: np.ndarray, v: np.ndarray, size: int) -> None:
        """Whether fibres are as long as the curves know them when a run begins."""
        self.muscles.check_lengths(model, q)

    def __reduce__(self) -> tuple[Any, ...]:
        return MuscleLaw, (self.muscles, self.parameters, self.start, self.model)


@checked
class Muscles(Controller):
    """Muscles that pull while a simulation runs: a controller, whose states are their activations.

    muscles       a list of them
    excitation    0 to 1, what activations follow: one for all, a list, or by name, 0 for those left out; numbers or
                  motions, which count as 0 below it and as 1 above
    activation    what they begin with: None for the excitations at the start

    Their whole work counts as supplied, that of passive stretch too. In a run ``run.muscle["biceps"]`` has what each of
    them did, and ``run.z["biceps.activation"]`` its state.
    """

    binds_at_once = True

    def __init__(
        self,
        muscles: Sequence[Muscle],
        excitation: Any = 0.0,
        *,
        activation: Mapping[str, float] | Sequence[float] | float | None = None,
        name: str = "muscles",
    ) -> None:
        self.name, self.muscles = name, tuple(muscles)
        if not self.muscles:
            raise ModelError.at(name, "the list of muscles is empty; give one or more")
        self.names = [one.name for one in self.muscles]
        if len(set(self.names)) < len(self.names):
            raise ModelError.at(name, f"muscles are {', '.join(self.names)}; give each a name of its own", "muscles")
        self.excitation = motions(excitation, self.names, np.zeros(len(self.names)), "excitation", name)
        self.activation = activation

    def bind(self, model: Model) -> BoundLaw:
        from ...kernels.control import muscles as k

        rows = []
        for one, excitation in zip(self.muscles, profiles(self.excitation), strict=True):
            wrap = one.wrap or Wrap(one.path[0], 0.0, behind=-1)
            row = {key: getattr(one, key) for key in ("strength", "optimal_length", "slack", "fastest", "rise", "fall")}
            row |= {"behind": wrap.behind, "cylinder": model.marker(wrap.at), "radius": wrap.radius, "way": wrap.way}
            points = [model.marker(address) for address in one.path]
            rows.append(row | {"points": points, "excitation": excitation})
        return MuscleLaw(self, k.MuscleParameters.packed(muscles=rows), self._begins(), model)

    def to_dict(self) -> dict[str, Any]:
        """What a run file holds of them: the muscles, and code and numbers of what excites each."""
        excitation = [[int(code), np.asarray(one, float).tolist()] for code, one in self.excitation]
        return {"name": self.name, "muscles": [one.to_dict() for one in self.muscles], "excitation": excitation}

    def _begins(self) -> np.ndarray:
        from ...kernels.tree.motions import profile

        if self.activation is None:
            start = [profile.py_func(code, numbers, 0, 0.0)[0] for code, numbers in self.excitation]
        else:
            start = per_name(self.activation, self.names, "activation", self.name).tolist()
        found = np.array(start, float)
        if not np.all((found >= 0.0) & (found <= 1.0)):
            raise ModelError.at(self.name, f"activations begin with {shown(found)}; give numbers from 0 to 1")
        return found

    def lengths(self, model: Model, state: State | np.ndarray) -> np.ndarray:
        """Lengths of the muscles with their tendons (muscles,) [m]."""
        return self._courses(model, state)[0]

    def moment_arms(self, model: Model, state: State | np.ndarray) -> np.ndarray:
        """Efforts of unit forces (nv, muscles) [m for turns, 1 for slides]: -dL/dq."""
        return -self._courses(model, state)[1].T

    def _courses(self, model: Model, state: State | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lengths, and their derivatives (muscles, nv)."""
        from ...kernels.algebra import Vec3
        from ...kernels.control import muscles as k

        lengths, partials = np.zeros(len(self.muscles)), np.zeros((len(self.muscles), model.nv))
        for i, one in enumerate(self.muscles):
            points = [model.pose(address, state).position for address in one.path]
            jacobians = [model.jacobian(address, state) for address in one.path]
            for j in range(len(points) - 1):
                a, b = points[j], points[j + 1]
                if one.wrap is not None and one.wrap.behind == j:
                    frame, J = model.pose(one.wrap.at, state), model.jacobian(one.wrap.at, state)
                    R, centre = frame.rotation, frame.position
                    inner, outer = R.T @ (a - centre), R.T @ (b - centre)
                    touches, meets, leaves, long = k.wrapped.py_func(
                        Vec3(*inner), Vec3(*outer), one.wrap.radius, one.wrap.way
                    )
                    if touches:
                        for Je, local, tip in ((jacobians[j], meets, a), (jacobians[j + 1], leaves, b)):
                            foot = centre + R @ np.array(local)
                            e = (tip - foot) / np.linalg.norm(tip - foot)
                            partials[i] += e @ Je[3:] - e @ J[3:] - np.cross(foot - centre, e) @ J[:3]
                        lengths[i] += long
                        continue
                e = b - a
                long = float(np.linalg.norm(e))
                lengths[i] += long
                if long > 1e-12:
                    partials[i] += (e / long) @ (jacobians[j + 1][3:] - jacobians[j][3:])
        return lengths, partials

    def check_lengths(self, model: Model, state: State | np.ndarray) -> None:
        """Refuses fibres so long that their passive force is more than their strength; warns of those too short to
        pull as their curves say."""
        from ...kernels.control import muscles as k

        problems, loose = [], []
        for one, length in zip(self.muscles, self.lengths(model, state), strict=True):
            low, high = (one.slack + part * one.optimal_length for part in (k.SHORTEST, k.LONGEST))
            fibre = length - one.slack
            if low <= length <= high:
                continue
            said = (
                f"is {length:.4g} m long from origin to insertion, its fibres {fibre:.4g} m of that: "
                f"{fibre / one.optimal_length:.3g} of their optimal length; with optimal_length={one.optimal_length:g} "
                f"and slack={one.slack:g} its curves hold from {low:.4g} to {high:.4g} m"
            )
            if length > high:
                slack = length - one.optimal_length
                remedy = f"give slack={slack:.4g}, other points of the path, or another state"
                problems.append(Problem(one.name, f"{said}; {remedy}"))
            else:
                loose.append(f"{self.name}: {one.name} {said}; give less slack, or a shorter optimal_length")
        if problems:
            raise ModelError(problems)
        for text in loose:
            warn(text, MuscleWarning)

    def capacities(self, model: Model, state: State | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Active forces at full activation, and passive forces, at the lengths and speeds of a state, (muscles,) each
        [N]: strength f_l f_v and strength f_p, as in a run."""
        from ...kernels.control import muscles as k

        lengths, partials = self._courses(model, state)
        rates = partials @ np.asarray(getattr(state, "v", np.zeros(model.nv)), float)
        active, passive = np.zeros(len(self.muscles)), np.zeros(len(self.muscles))
        for i, one in enumerate(self.muscles):
            l = (lengths[i] - one.slack) / one.optimal_length
            speed = rates[i] / (one.optimal_length * one.fastest)
            active[i] = one.strength * k.length_factor.py_func(l) * k.speed_factor.py_func(speed)
            passive[i] = one.strength * k.passive_factor.py_func(l)
        return active, passive

    def share(
        self, model: Model, state: State, efforts: Mapping[str, float], co_contraction: float = 0.0
    ) -> MuscleForces:
        """Forces [N] by muscle that give efforts by names of velocities, with the least sum of squared activations.

        `co_contraction` is what activations stay near, 0 to 1 (`share_load`). What a muscle can do is what its curves
        give at the length and speed of the state; its passive force is there anyway. ``.activations`` of what is
        returned give these forces and efforts in a run.
        """
        for name in efforts:
            if name not in model.index.v:
                raise ModelError.at(str(name), f"{self.name}: no such velocity; {suggestion(name, model.index.v)}")
        rows = [model.index.v[name] for name in efforts]
        arms = self.moment_arms(model, state)[rows]
        active, passive = self.capacities(model, state)
        try:
            found = share_load(arms, list(efforts.values()), active, co_contraction=co_contraction, passive=passive)
        except ModelError as error:
            idle = [name for name, most in zip(self.names, active, strict=True) if most == 0.0]
            if not idle:
                raise
            words = f"; {', '.join(idle)} cannot act here: fibres without length, or that shorten too fast"
            raise ModelError([one._replace(message=one.message + words) for one in error.problems]) from None
        out = MuscleForces(zip(self.names, found.forces.tolist(), strict=True))
        out.activations = dict(zip(self.names, found.activations.tolist(), strict=True))
        out.capacities = dict(zip(self.names, active.tolist(), strict=True))
        out.passive = dict(zip(self.names, passive.tolist(), strict=True))
        out.multipliers, out.cost = found.multipliers, found.cost
        return out


@checked
@dataclass(frozen=True)
class Wrap(Described):
    """A cylinder that a muscle goes round, where it is in its way.

    at        address of a frame whose z is the axis
    radius    [m]
    way       1: from x to y about z, on the way along the muscle; -1: the other way
    behind    number of the point of the path behind which the cylinder is met
    """

    at: str
    radius: float
    way: int = 1
    behind: int = 0


@checked
@dataclass(frozen=True)
class Muscle(Described):
    """A muscle with a tendon that does not stretch: F = strength (a f_l f_v + f_p).

    name              unique among the muscles
    path              addresses of frames from origin to insertion, via points in between
    strength          largest isometric force [N]
    optimal_length    of the fibres, where they pull most [m]
    slack             length of the tendon [m]
    fastest           largest speed of shortening [optimal lengths a second]
    rise, fall        time constants of activation and deactivation [s]
    wrap              a cylinder to go round

    Curves: f_l = exp(-(l - 1)^2 / 0.45) and the exponential f_p of Thelen 2003, Hill's hyperbola f_v of a / F = 0.25,
    which goes on to 1.4 in lengthening; rates of the activation a towards the excitation by Thelen 2003, eqs. 1, 2.
    Fibres are as long as the path less the slack. Below half of their optimal length f_l goes to zero at no length;
    above 1.6 of it f_p goes on along its tangent. A run that begins with fibres longer than that is refused.
    """

    name: str
    path: Sequence[str]
    strength: float
    optimal_length: float = 0.1
    slack: float = 0.0
    fastest: float = 10.0
    rise: float = 0.015
    fall: float = 0.050
    wrap: Wrap | None = None

    def __post_init__(self) -> None:
        if isinstance(self.path, str) or len(self.path) < 2:
            raise ModelError.at(self.name, f"path is {shown(self.path)}; give two addresses or more", "path")
        for what in ("strength", "optimal_length", "fastest", "rise", "fall"):
            given = as_number(getattr(self, what), f"{self.name}: {what}")
            if not math.isfinite(given) or given <= 0.0:
                raise ModelError.at(self.name, f"{what} is {shown(given)}; give a number above 0", what)
            object.__setattr__(self, what, given)
        slack = as_number(self.slack, f"{self.name}: slack")
        if not math.isfinite(slack) or slack < 0.0:
            raise ModelError.at(self.name, f"slack is {shown(slack)} m; give 0 or more", "slack")
        object.__setattr__(self, "slack", slack)
        if self.wrap is not None:
            last = len(self.path) - 2
            if self.wrap.way not in (1, -1) or not 0 <= self.wrap.behind <= last or not self.wrap.radius > 0.0:
                allowed = f"a radius above 0, way 1 or -1, behind 0 to {last}"
                raise ModelError.at(self.name, f"wrap is {shown(self.wrap)}; give {allowed}", "wrap")


STEPS = 200
"""Of Newton's method at most."""
TOLERANCE = 1e-12
"""Of the efforts, over the largest that the muscles can make together."""


@checked
class Shared(NamedTuple):
    """How a load is shared.

    forces         of the muscles [N]
    activations    forces less passive ones over strengths
    multipliers    of the joints' equations: what a unit of effort more costs
    cost           sqrt(sum (a - c)^2) over the muscles that are free (Benes 2002, eq. 1)
    """

    forces: np.ndarray
    activations: np.ndarray
    multipliers: np.ndarray
    cost: float


@checked
def share_load(
    arms: ArrayLike,
    efforts: ArrayLike,
    strength: ArrayLike,
    *,
    co_contraction: float = 0.0,
    held: Sequence[int] = (),
    passive: ArrayLike | None = None,
) -> Shared:
    """Muscle forces that make efforts with the least sum of squared activations beyond the co-contraction.

    arms              effort of a unit force (joints, muscles) [m]
    efforts           wanted (joints,) [N m]
    strength          largest active forces (muscles,) [N], 0 for those that cannot act
    co_contraction    c that activations stay near, 0 to 1
    held              numbers of muscles that stay at c: antagonists
    passive           forces without activation (muscles,) [N]; None for none
    """
    R = np.atleast_2d(as_array(arms, "arms"))
    tau, most = np.atleast_1d(as_array(efforts, "efforts")), np.atleast_1d(as_array(strength, "strength"))
    c = as_number(co_contraction, "co_contraction")
    if R.ndim != 2 or R.shape != (len(tau), len(most)):
        raise ModelError.at("arms", f"has shape {R.shape}; give ({len(tau)} joints, {len(most)} muscles)")
    if not np.all(np.isfinite(R)) or not np.all(np.isfinite(tau)) or not np.all((most >= 0.0) & np.isfinite(most)):
        raise ModelError.at(
            "strength", f"got {numbers(most)}; give finite arms and efforts, and strengths of 0 or more"
        )
    resting = np.zeros(len(most)) if passive is None else np.atleast_1d(as_array(passive, "passive"))
    if resting.shape != most.shape or not np.all(np.isfinite(resting)):
        raise ModelError.at("passive", f"got {numbers(resting)}; give {len(most)} finite forces, one a muscle")
    if not 0.0 <= c <= 1.0:
        raise ModelError.at("co_contraction", f"is {shown(c)}; give 0 to 1")
    free = np.ones(len(most), bool)
    free[list(held)] = False
    G = R * most
    wanted = tau - c * G[:, ~free].sum(axis=1) - R @ resting
    a = np.full(len(most), c)
    a[free], mu = _nearest(G[:, free], wanted, c)
    return Shared(most * a + resting, a, mu, float(np.linalg.norm(a[free] - c)))


def _nearest(G: np.ndarray, b: np.ndarray, c: float) -> tuple[np.ndarray, np.ndarray]:
    """The point of 0 <= a <= 1, G a = b that is nearest to c, and the multipliers."""
    scale = np.abs(G).sum(axis=1)
    if np.any((scale == 0.0) & (b != 0.0)):
        raise _cannot(G, b)
    scale[scale == 0.0] = 1.0
    G, b = G / scale[:, None], b / scale
    mu = np.zeros(len(b))

    def dual(m: np.ndarray) -> float:
        y = c + m @ G
        a = np.clip(y, 0.0, 1.0)
        return float(m @ b - (y @ a - 0.5 * a @ a))

    for _ in range(STEPS):
        y = c + mu @ G
        a = np.clip(y, 0.0, 1.0)
        left = b - G @ a
        if np.max(np.abs(left)) < TOLERANCE:
            return a, mu / scale
        inside = (y >= 0.0) & (y <= 1.0)
        H = G[:, inside] @ G[:, inside].T
        step = np.linalg.solve(H + (1e-12 + 1e-6 * np.linalg.norm(left)) * np.eye(len(b)), left)
        now, size = dual(mu), 1.0
        while size > 1e-10 and dual(mu + size * step) < now + 1e-4 * size * (step @ left) - 1e-15 * abs(now):
            size *= 0.5
        mu = mu + size * step
        if np.max(np.abs(mu)) > 1e12:
            break
    raise _cannot(G * scale[:, None], b * scale)


def _cannot(G: np.ndarray, b: np.ndarray) -> ModelError:
    """Says how much of the efforts the muscles can make."""
    from scipy.optimize import linprog

    n = G.shape[1]
    rows = np.hstack([G, -b[:, None]])
    found = linprog(
        np.append(np.zeros(n), -1.0), A_eq=rows, b_eq=np.zeros(len(b)), bounds=[(0, 1)] * n + [(None, None)]
    )
    part = f"; they can make {found.x[-1]:.4g} of it" if found.status == 0 else ""
    words = f"the muscles that are free cannot make {numbers(b)}{part}: give more strength, other arms or less load"
    return ModelError.at("efforts", words)
