"""Wheels on rails: profiles as curves, where they touch, and a wheelset on a straight track as a force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.values import as_array, as_number, expect_text, is_whole, shown
from ..force_elements import ForceElement
from ..laws import BoundLaw, ControlLaw
from .rolling import RollingPatch, rolling_patch

SEARCHED = 4001
"""Places across at which a gap is looked at before its least one is found."""


@checked
@dataclass(frozen=True, eq=False)
class Profile(Described):
    """The cross-section of a wheel or a rail as a curve: a spline through points, heights over places across.

    y    outward from the middle of the rail's head, increasing [m], 4 at least; a flange lies at negative y
    z    upward [m]; of a wheel its surface at the bottom, 0 at y = 0 where its radius is the nominal one
    """

    y: ArrayLike
    z: ArrayLike

    def __post_init__(self) -> None:
        y, z = (np.array(as_array(one, what), float) for one, what in ((self.y, "y"), (self.z, "z")))
        if (
            y.ndim != 1
            or y.shape != z.shape
            or len(y) < 4
            or not np.all(np.diff(y) > 0.0)
            or not np.all(np.isfinite(z))
        ):
            raise ModelError.at(
                "y", f"y has the shape {y.shape}, z {z.shape}; give 4 places at least, increasing, and heights", "y"
            )
        y.flags.writeable = z.flags.writeable = False
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "z", z)

    @classmethod
    def of(cls, height: Callable[[np.ndarray], Any], low: float, high: float, points: int = 401) -> Profile:
        """The profile of a function z(y) from `low` to `high` [m]."""
        y = np.linspace(low, high, points)
        return cls(y, np.asarray(height(y), float))

    @cached_property
    def _spline(self) -> Any:
        from scipy.interpolate import CubicSpline

        return CubicSpline(np.asarray(self.y), np.asarray(self.z))

    def height(self, y: ArrayLike, derivative: int = 0) -> np.ndarray:
        """z or a derivative of it at places across."""
        return self._spline(y, derivative)


class Touch(NamedTuple):
    """Where a wheel touches a rail.

    rail      place across the rail [m], and `wheel` that on the wheel's profile
    rise      of the wheel against the rail, from where its profile's own zero is on the rail's [m]
    slope     tangent of the contact angle
    gap       the gap around the place that touches, a function of the way across from there [m]
    """

    rail: float
    wheel: float
    rise: float
    slope: float
    gap: Callable[[np.ndarray], np.ndarray]


@checked
def find_contact(wheel: Profile, rail: Profile, shift: float = 0.0) -> Touch:
    """The place where a wheel that moved outward by `shift` [m] touches a rail: the least of their distances."""
    from scipy.optimize import minimize_scalar

    low = max(float(np.asarray(wheel.y)[0]) + shift, float(np.asarray(rail.y)[0]))
    high = min(float(np.asarray(wheel.y)[-1]) + shift, float(np.asarray(rail.y)[-1]))
    if low >= high:
        raise ModelError.at("shift", f"is {shift:g} m: the profiles do not face each other")

    def distance(y: Any) -> Any:
        return wheel.height(y - shift) - rail.height(y)

    y = np.linspace(low, high, SEARCHED)
    i = int(np.argmin(distance(y)))
    if i in (0, SEARCHED - 1):
        raise ModelError.at("shift", f"is {shift:g} m: the profiles touch at their end, {y[i]:g} m; give wider ones")
    found = minimize_scalar(distance, bracket=(y[i - 1], y[i], y[i + 1]), tol=1e-14)
    # a zero of the slope is found to more digits than a least value
    c = float(found.x)
    for _ in range(4):
        first = float(wheel.height(c - shift, 1) - rail.height(c, 1))
        second = float(wheel.height(c - shift, 2) - rail.height(c, 2))
        c = float(np.clip(c - first / second, y[i - 1], y[i + 1])) if second > 0.0 else c
    least = float(distance(c))
    return Touch(c, c - shift, -least, float(wheel.height(c - shift, 1)), lambda x: distance(c + np.asarray(x)) - least)


@checked
@dataclass(frozen=True, eq=False)
class Wheelset(ForceElement):
    """The forces of a straight track on a wheelset: ``system.force("track", at="axle.origin", force=Wheelset(...))``.

    The frame that it acts at, or `frame`, is in the middle of the wheelset, its y along the axle; the track is along
    the world's x, in the middle y = 0, and z is up. Contact points, rolling radii and contact angles follow the way of
    the wheelset across the track by the search for contacts; roll of the wheelset and yaw in that search are left out.
    The load on each wheel is given and always presses, the patch is that of the centred position, and creep forces are
    those of FASTSIM at every evaluation, rolling forwards or backwards. In results the wheels are the contacts
    "track.left" and "track.right": ``run.contact["track.left"].creepage``.

    wheel, rail   profiles of the left side; the right one mirrors them
    half_gauge    from the middle of the track to that of a rail's head [m]
    radius        of the wheels where their profiles have y = 0 [m]
    load          on each wheel [N]
    friction      coefficient
    reach         of tables, on both sides [m]; beyond it they go on as their last piece
    patch         `rolling_patch` of the centred position; None works it out for steel
    steps         of FASTSIM along a strip
    slow_speed    below which creepages have (V^2 + slow_speed^2) / 2 slow_speed for the speed V of rolling [m/s]: creep
                  is of steady rolling, and has no meaning without it. A wheelset that stands creeps under its load
    frame         address of the frame in the middle of the wheelset; None for the one that it acts at
    """

    wheel: Profile
    rail: Profile
    half_gauge: float
    radius: float
    load: float
    friction: float
    reach: float = 8e-3
    patch: RollingPatch | None = None
    steps: int = 20
    slow_speed: float = 0.1
    frame: str | None = None
    kind: ClassVar[str] = "wheelset"

    def __post_init__(self) -> None:
        for what in ("wheel", "rail"):
            if not isinstance(getattr(self, what), Profile):
                raise ModelError.at(what, f"got {shown(getattr(self, what))}; give jd.contact.Profile(y, z)")
        if self.patch is not None and not isinstance(self.patch, RollingPatch):
            raise ModelError.at("patch", f"got {shown(self.patch)}; give jd.contact.rolling_patch(...), or None")
        for what in ("half_gauge", "radius", "load", "friction", "reach", "slow_speed"):
            value = as_number(getattr(self, what), what)
            if not np.isfinite(value) or value <= 0.0:
                raise ModelError.at(what, f"is {value:g}; give a finite number above 0")
            object.__setattr__(self, what, value)
        if not is_whole(self.steps) or self.steps < 2:
            raise ModelError.at("steps", f"is {shown(self.steps)}; give 2 or more")
        if self.frame is not None:
            expect_text(self.frame, "frame")

    @cached_property
    def rolling(self) -> RollingPatch:
        """The patch of a wheel: the one given, or that of the centred position."""
        if self.patch is not None:
            return self.patch
        gap = find_contact(self.wheel, self.rail).gap
        return rolling_patch(gap, self.radius, self.load, within=(-0.02, 0.02), strips=12)

    @cached_property
    def parameters(self) -> np.ndarray:
        """What `kernels.control.wheelsets` reads."""
        from ...kernels.control.wheelsets import WheelsetParameters

        curves = [np.asarray(one).tobytes() for side in (self.wheel, self.rail) for one in (side.y, side.z)]
        step, tables = _tables(*curves, reach=self.reach)
        patch = self.rolling
        return WheelsetParameters.packed(
            half_gauge=self.half_gauge,
            radius=self.radius,
            load=self.load,
            steps=self.steps,
            first=-self.reach,
            step=step,
            slow_speed=self.slow_speed,
            patch=patch.numbers(self.friction),
            strips=patch.strips,
            radii=tables[0],
            slopes=tables[1],
        )

    def law(self, name: str, at: str) -> BoundLaw:
        from ...kernels.control.wheelsets import wheelset

        return BoundLaw(ControlLaw("wheelset", wheelset), self.parameters, markers=(self.frame or at,))

    def contacts(self, name: str) -> dict[str, int]:
        """Array of the wheels by the names of their contacts."""
        return {f"{name}.left": 0, f"{name}.right": 1}


@checked
def wheelset(
    frame: str,
    wheel: Profile,
    rail: Profile,
    *,
    half_gauge: float,
    radius: float,
    load: float,
    friction: float,
    reach: float = 8e-3,
    patch: RollingPatch | None = None,
    steps: int = 20,
    slow_speed: float = 0.1,
) -> Wheelset:
    """A `Wheelset` whose frame is named first, as `system.force("track", at=frame, force=wheelset(frame, ...))` has it.

    frame         address of the frame in the middle of the wheelset, its y along the axle
    wheel, rail   profiles of the left side; the others as of a `Wheelset`
    """
    at = expect_text(frame, "frame")
    numbers = (half_gauge, radius, load, friction, reach)
    made = Wheelset(wheel, rail, *numbers, patch=patch, steps=steps, slow_speed=slow_speed, frame=at)
    # profiles that do not fit each other are refused where they are given
    _ = made.parameters
    return made


@lru_cache(maxsize=16)
def _tables(wheel_y: bytes, wheel_z: bytes, rail_y: bytes, rail_z: bytes, reach: float) -> tuple[float, list[Any]]:
    """Step of the shifts across the track, and coefficients of the growth of the radius and of the slope over them."""
    wheel, rail = (Profile(np.frombuffer(y), np.frombuffer(z)) for y, z in ((wheel_y, wheel_z), (rail_y, rail_z)))
    shifts = np.linspace(-reach, reach, 81)
    found = [find_contact(wheel, rail, float(shift)) for shift in shifts]
    grown = np.array([-float(wheel.height(one.wheel)) for one in found])
    partials = np.array([one.slope for one in found])
    return float(shifts[1] - shifts[0]), [_coefficients(one) for one in (grown, partials)]


def _coefficients(values: np.ndarray) -> np.ndarray:
    """Of the uniform cubic B-spline (n + 2,) through values, without curvature at its ends."""
    n = len(values)
    A = np.zeros((n + 2, n + 2))
    A[0, :3] = A[-1, -3:] = 1.0, -2.0, 1.0
    for i in range(n):
        A[i + 1, i : i + 3] = 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0
    return np.linalg.solve(A, np.concatenate([[0.0], values, [0.0]]))
