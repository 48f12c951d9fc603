"""Muscles as actuators between frames, with via points, a cylinder to go round, and activation as a state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import as_number, shown, suggestion
from ...control.base import Controller
from ...control.numbers import Numbers, motions, per_name
from ...describe.laws import BoundLaw, ControlLaw
from .sharing import share_load

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


@dataclass(frozen=True)
class Wrap:
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


@dataclass(frozen=True)
class Muscle:
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
            raise ModelError.at(self.name, f"path is {shown(self.path)}; give two addresses or more")
        for what in ("strength", "optimal_length", "fastest", "rise", "fall"):
            given = as_number(getattr(self, what), f"{self.name}: {what}")
            if not math.isfinite(given) or given <= 0.0:
                raise ModelError.at(self.name, f"{what} is {shown(given)}; give a number above 0")
        slack = as_number(self.slack, f"{self.name}: slack")
        if not math.isfinite(slack) or slack < 0.0:
            raise ModelError.at(self.name, f"slack is {shown(slack)} m; give 0 or more")
        if self.wrap is not None:
            last = len(self.path) - 2
            if self.wrap.way not in (1, -1) or not 0 <= self.wrap.behind <= last or not self.wrap.radius > 0.0:
                allowed = f"a radius above 0, way 1 or -1, behind 0 to {last}"
                raise ModelError.at(self.name, f"wrap is {shown(self.wrap)}; give {allowed}")


class Muscles(Controller):
    """Muscles that pull while a simulation runs: a controller, whose states are their activations.

    muscles       a list of them
    excitation    0 to 1, what activations follow: one for all, a list, or by name, 0 for those left out; numbers or
                  motions, which count as 0 below it and as 1 above
    activation    what they begin with: None for the excitations at the start

    Their whole work counts as supplied, that of passive stretch too.
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
            raise ModelError.at(name, f"muscles are {', '.join(self.names)}; give each a name of its own")
        self.excitation = motions(excitation, self.names, np.zeros(len(self.names)), "excitation", name)
        self.activation = activation

    def bind(self, model: Model) -> BoundLaw:
        from ...kernels.control import muscles as k

        numbers = Numbers(k.MUSCLE_HEAD)
        numbers.set(k.MUSCLE_COUNT, len(self.muscles))
        rows: list[float] = []
        points: list[float] = []
        at = k.MUSCLE_HEAD + k.MUSCLE_ROW * len(self.muscles)
        for one in self.muscles:
            wrap = one.wrap or Wrap(one.path[0], 0.0, behind=-1)
            row = [one.strength, one.optimal_length, one.slack, one.fastest, one.rise, one.fall, at + len(points)]
            rows += [*row, len(one.path), wrap.behind, model.marker(wrap.at), wrap.radius, wrap.way]
            points += [model.marker(address) for address in one.path]
        numbers.put(k.MUSCLE_TABLE, [*rows, *points])
        numbers.profiles(k.MUSCLE_EXCITATION, self.excitation)
        law = ControlLaw(self.name, "muscles.contract", uses_model=True)
        start = self._begins()
        return BoundLaw(law, numbers.array(), states=len(start), start=start, model=model, scratch=7 * model.nv + 13)

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
        from ...kernels.control import muscles as k

        lengths, slopes = np.zeros(len(self.muscles)), np.zeros((len(self.muscles), model.nv))
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
                        tuple(inner), tuple(outer), one.wrap.radius, one.wrap.way
                    )
                    if touches:
                        for Je, local, tip in ((jacobians[j], meets, a), (jacobians[j + 1], leaves, b)):
                            foot = centre + R @ np.array(local)
                            e = (tip - foot) / np.linalg.norm(tip - foot)
                            slopes[i] += e @ Je[3:] - e @ J[3:] - np.cross(foot - centre, e) @ J[:3]
                        lengths[i] += long
                        continue
                e = b - a
                long = float(np.linalg.norm(e))
                lengths[i] += long
                if long > 1e-12:
                    slopes[i] += (e / long) @ (jacobians[j + 1][3:] - jacobians[j][3:])
        return lengths, slopes

    def share(
        self, model: Model, state: State, efforts: Mapping[str, float], co_contraction: float = 0.0
    ) -> dict[str, float]:
        """Forces [N] by muscle that give efforts by names of velocities, with the least sum of squared activations.

        `co_contraction` is what activations stay near, 0 to 1 (`share_load`).
        """
        for name in efforts:
            if name not in model.index.v:
                raise ModelError.at(str(name), f"{self.name}: no such velocity; {suggestion(name, model.index.v)}")
        rows = [model.index.v[name] for name in efforts]
        arms = self.moment_arms(model, state)[rows]
        strength = np.array([one.strength for one in self.muscles])
        found = share_load(arms, list(efforts.values()), strength, co_contraction=co_contraction)
        return dict(zip(self.names, found.forces.tolist(), strict=True))
