"""Joints of one axis: their springs, dampers, dry friction, stops and drives."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem, inside
from ...basics.types import AxisLike
from ...basics.values import (
    as_axis,
    as_number,
    as_vector,
    axis_problems,
    finite_problems,
    number_problems,
    numbers,
    shown,
)
from ..drives import Drive
from .joint import Joint, column, plane_axes, unit

if TYPE_CHECKING:
    from ...kernels.tree.tree_rows import BodyParameters


@checked
@dataclass(frozen=True, eq=False)
class OneAxis(Joint):
    """The one coordinate's spring, damper, dry friction and limits, which all one-axis joints take."""

    name: str
    axis: AxisLike = "z"
    _: KW_ONLY
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    friction: float = 0.0
    limits: tuple[float, float] | None = None
    limit_stiffness: float | None = None
    limit_damping: float | None = None
    friction_stiffness: float | None = None
    armature: float = 0.0
    drive: Drive | None = None
    q_suffixes: ClassVar[tuple[str, ...]] = ("",)
    v_suffixes: ClassVar[tuple[str, ...]] = ("",)

    def kernel_axes(self, placed: np.ndarray) -> np.ndarray:
        z = unit(self.axis)
        return np.column_stack([*plane_axes(z), z])

    def lay(self, body: BodyParameters) -> None:
        body.armature = self.armature

    def __post_init__(self) -> None:
        if self.drive is not None and not isinstance(self.drive, Drive):
            raise ModelError.at(self.name, f"drive is {shown(self.drive)}; give jd.Drive(...)", "drive")
        put = object.__setattr__
        put(self, "axis", as_axis(self.axis, f"{self.name}: axis"))
        for what in ("stiffness", "damping", "rest", "friction", "armature"):
            put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        for what in ("limit_stiffness", "limit_damping", "friction_stiffness"):
            if getattr(self, what) is not None:
                put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        if self.limits is not None:
            low, high = as_vector(self.limits, f"{self.name}: limits", size=2).tolist()
            put(self, "limits", (low, high))

    def turned(self, rotation: np.ndarray) -> Joint:
        return replace(self, axis=rotation @ self.axis)

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address) + axis_problems(self.axis, address)
        for what in ("stiffness", "damping", "friction", "armature"):
            problems += number_problems(getattr(self, what), address, what, least=0.0)
        problems += number_problems(self.rest, address, "rest")
        if self.limits is not None:
            low, high = self.limits
            problems += finite_problems(np.array(self.limits), address, "limits")
            if low >= high:
                problems.append(
                    Problem(address, f"limits are {numbers(self.limits)}; the low one must come first", "limits")
                )
        for what in ("limit_stiffness", "limit_damping", "friction_stiffness"):
            value = getattr(self, what)
            if value is not None:
                above = -math.inf if what == "limit_damping" else 0.0
                problems += number_problems(value, address, what, least=-math.inf if above == 0.0 else 0.0, above=above)
                if what.startswith("limit") and self.limits is None:
                    problems.append(Problem(address, f"{what} is given without limits; give limits=(low, high)", what))
        return problems if self.drive is None else problems + inside("drive", self.drive.check(address))


_EXTRAS = """
    stiffness             of the spring {spring}, which pulls towards ``rest``
    damping               {damping}
    rest                  {unit}
    friction              dry friction {effort}, the most it can hold
    limits                (low, high) {unit}
    limit_stiffness       {spring}; None leaves it to `System.compile`
    limit_damping         [s/{per}], as Hunt and Crossley: pressed by a depth d the limit pushes back with
                          ``limit_stiffness * d * (1 + limit_damping * d')`` and never pulls
    friction_stiffness    {spring} while friction sticks; None leaves it to `System.compile`
    armature              {mass}, inertia of this coordinate's rate alone: a rotor behind a stiff gear of ratio
                          n adds n^2 times its own, the turning of its carrier left out
    drive                 `Drive`, a motor behind a gear and a spring; its angle is the coordinate "NAME.motor"
"""
TURNING = _EXTRAS.format(
    spring="[N m/rad]", damping="[N m s/rad]", unit="[rad]", effort="[N m]", per="rad", mass="[kg m^2]"
)
_SLIDING = _EXTRAS.format(spring="[N/m]", damping="[N s/m]", unit="[m]", effort="[N]", per="m", mass="[kg]")


@checked
@dataclass(frozen=True, eq=False)
class Revolute(OneAxis):
    __doc__ = f"""Turns about an axis; the coordinate is the angle [rad].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers{TURNING}"""
    kind: ClassVar[str] = "revolute"
    axis_after: ClassVar[int | None] = 3
    along_axis = (1.0, 0.0)

    def motion_subspace(self) -> np.ndarray:
        return column(angular=unit(self.axis))[:, None]


@checked
@dataclass(frozen=True, eq=False)
class Prismatic(OneAxis):
    __doc__ = f"""Slides along an axis; the coordinate is the displacement [m].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers{_SLIDING}"""
    kind: ClassVar[str] = "prismatic"
    along_axis = (0.0, 1.0)

    def motion_subspace(self) -> np.ndarray:
        return column(linear=unit(self.axis))[:, None]


@checked
@dataclass(frozen=True, eq=False)
class Rail(OneAxis):
    __doc__ = f"""Travels along the x axis of a parent that may bend under it; the coordinate is the place x [m].

    ``to`` names the parent: a `Beam`, whose deflection and slope the joint follows and which carries what travels,
    or a rigid body, along which it slides straight. x is that of the parent's own axes, from its origin. The joint's
    ``position`` and ``rotation`` are in the section that it stands on.

    name                  unique in its system; it is also the coordinate's name{_SLIDING}
    limits are the ends of the beam where they are not given; stops push back there, and states and profiles must lie
    between. A rail takes no drive."""
    axis: AxisLike = field(default="x", init=False, repr=False)
    drive: Drive | None = field(default=None, init=False, repr=False)
    kind: ClassVar[str] = "rail"
    travels: ClassVar[bool] = True
    closes: ClassVar[bool] = False
    along_axis = (0.0, 1.0)

    def kernel_axes(self, placed: np.ndarray) -> np.ndarray:
        """A rail runs along the x of its parent, whatever that is in the axes in which it was added."""
        return np.column_stack([*plane_axes(placed[0]), placed[0]])

    def motion_subspace(self) -> np.ndarray:
        return column(linear=unit(self.axis))[:, None]

    def turned(self, rotation: np.ndarray) -> Joint:
        return self


@checked
@dataclass(frozen=True, eq=False)
class Screw(OneAxis):
    __doc__ = f"""Turns about an axis and advances by ``pitch`` a radian; the coordinate is the angle [rad].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers
    pitch                 [m/rad], not zero{TURNING}"""
    pitch: float = None  # type: ignore[assignment]
    kind: ClassVar[str] = "screw"
    axis_after: ClassVar[int | None] = 2

    @property
    def along_axis(self) -> tuple[float, float]:
        return 1.0, self.pitch

    def lay(self, body: BodyParameters) -> None:
        super().lay(body)
        body.pitch = self.pitch

    def closing(self, far: float) -> tuple[int, Any]:
        code, axes = super().closing(far)
        return code, [*axes, self.pitch]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pitch is None:
            raise ModelError.at(self.name, "a screw takes pitch= [m/rad], its advance for each radian")
        object.__setattr__(self, "pitch", as_number(self.pitch, f"{self.name}: pitch"))

    def motion_subspace(self) -> np.ndarray:
        axis = unit(self.axis)
        return column(axis, self.pitch * axis)[:, None]

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address) + number_problems(self.pitch, address, "pitch [m/rad]")
        if self.pitch == 0.0:
            problems.append(Problem(address, "pitch is 0 m/rad, which is no screw; use Revolute", "pitch"))
        return problems
