"""What a user says of joints: their axes, springs, dampers, dry friction, limits and drives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from .drives import Drive
from .errors import ModelError, Problem
from .values import (
    as_axis,
    as_number,
    as_vector,
    axis_problems,
    expect_keys,
    expect_text,
    finite_problems,
    name_problems,
    number_problems,
    numbers,
    shown,
)

PARALLEL_TOLERANCE = 1e-9
"""Sine of the angle below which the two axes of a universal joint count as parallel."""


def unit(vector: np.ndarray) -> np.ndarray:
    """The vector at length one."""
    return vector / np.linalg.norm(vector)


def plane_axes(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The x and y directions of a plane, right-handed with its normal, (3,) each.

    x is the coordinate axis that follows the one closest to the normal, laid into the plane: normal z gives
    (x, y), normal x gives (y, z) and normal y gives (z, x).
    """
    n = unit(normal)
    following = np.eye(3)[(int(np.argmax(np.abs(n))) + 1) % 3]
    first = unit(following - n * (n @ following))
    return first, np.cross(n, first)


def _column(angular: Any = (0.0, 0.0, 0.0), linear: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    return np.concatenate([angular, linear])


class Joint(ABC):
    """What lets a body move against the frame that it is added to."""

    name: str
    kind: ClassVar[str]
    q_suffixes: ClassVar[tuple[str, ...]]
    v_suffixes: ClassVar[tuple[str, ...]]
    drive: Drive | None = None

    def q_names(self) -> tuple[str, ...]:
        """Names of its position coordinates."""
        return tuple(self.name + suffix for suffix in self.q_suffixes)

    def v_names(self) -> tuple[str, ...]:
        """Names of its velocity coordinates; efforts have the same."""
        return tuple(self.name + suffix for suffix in self.v_suffixes)

    def neutral(self) -> np.ndarray:
        """Position coordinates of the zero configuration: zeros, and the identity quaternion."""
        return np.array([1.0 if suffix == ".qw" else 0.0 for suffix in self.q_suffixes])

    def motor_name(self) -> str | None:
        """Name of its motor's coordinate, in q, in v and among the efforts; None without a drive."""
        return None if self.drive is None else f"{self.name}.motor"

    @abstractmethod
    def motion_subspace(self) -> np.ndarray:
        """The motions it allows at its zero configuration, in its own axes: (6, nv), rows (angular, linear).

        Column i is the spatial velocity of the held frame against the fixed one, for a unit rate of
        ``v_names()[i]``.
        """

    def turned(self, rotation: np.ndarray) -> Joint:
        """The same joint in other axes, to which ``rotation`` takes components; its coordinates keep their meaning, and
        a `ModelError` says where they cannot."""
        raise ModelError.at(
            self.name, f"the coordinates of a {self.kind} joint are those of its own axes, which cannot be turned"
        )

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the joint, reported at ``address``."""
        return name_problems(self.name, address, "joint")

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, with the joint's ``kind``."""
        data: dict[str, Any] = {"kind": self.kind}
        for one in fields(self):  # type: ignore[arg-type]
            data[one.name] = _plain(getattr(self, one.name))
        if data.pop("drive", None) is not None:
            data["drive"] = self.drive.to_dict()  # type: ignore[union-attr]
        return data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Joint):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.kind, self.name))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@dataclass(frozen=True, eq=False)
class _OneAxis(Joint):
    """The one coordinate's spring, damper, dry friction and limits, which all one-axis joints take."""

    name: str
    axis: Any = "z"
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

    def __post_init__(self) -> None:
        if self.drive is not None and not isinstance(self.drive, Drive):
            raise ModelError.at(self.name, f"drive is {shown(self.drive)}; give jd.Drive(...)")
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
                problems.append(Problem(address, f"limits are {numbers(self.limits)}; the low one must come first"))
        for what, bound in (
            ("limit_stiffness", {"above": 0.0}),
            ("limit_damping", {"least": 0.0}),
            ("friction_stiffness", {"above": 0.0}),
        ):
            value = getattr(self, what)
            if value is not None:
                problems += number_problems(value, address, what, **bound)
                if what.startswith("limit") and self.limits is None:
                    problems.append(Problem(address, f"{what} is given without limits; give limits=(low, high)"))
        return problems if self.drive is None else problems + self.drive.check(address)


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
    armature              {mass}, inertia that only this coordinate's rate feels: a rotor behind a stiff gear of ratio
                          n adds n^2 times its own, the turning of its carrier left out
    drive                 `Drive`, a motor behind a gear and a spring; its angle is the coordinate "NAME.motor"
"""
_TURNING = _EXTRAS.format(
    spring="[N m/rad]", damping="[N m s/rad]", unit="[rad]", effort="[N m]", per="rad", mass="[kg m^2]"
)
_SLIDING = _EXTRAS.format(spring="[N/m]", damping="[N s/m]", unit="[m]", effort="[N]", per="m", mass="[kg]")


@dataclass(frozen=True, eq=False)
class Revolute(_OneAxis):
    __doc__ = f"""Turns about an axis; the coordinate is the angle [rad].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers{_TURNING}"""
    kind: ClassVar[str] = "revolute"

    def motion_subspace(self) -> np.ndarray:
        return _column(angular=unit(self.axis))[:, None]


@dataclass(frozen=True, eq=False)
class Prismatic(_OneAxis):
    __doc__ = f"""Slides along an axis; the coordinate is the displacement [m].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers{_SLIDING}"""
    kind: ClassVar[str] = "prismatic"

    def motion_subspace(self) -> np.ndarray:
        return _column(linear=unit(self.axis))[:, None]


@dataclass(frozen=True, eq=False)
class Rail(_OneAxis):
    __doc__ = f"""Travels along the x axis of a parent that may bend under it; the coordinate is the place x [m].

    ``to`` names the parent: a `Beam`, whose deflection and slope the joint follows and which feels what travels on it,
    or a rigid body, along which it slides straight. x is that of the parent's own axes, from its origin. The joint's
    ``position`` and ``rotation`` are in the section that it stands on.

    name                  unique in its system; it is also the coordinate's name{_SLIDING}
    limits are the ends of the beam where they are not given; stops push back there, and states and profiles must lie
    between. A rail takes no drive."""
    axis: Any = field(default="x", init=False, repr=False)
    drive: Drive | None = field(default=None, init=False, repr=False)
    kind: ClassVar[str] = "rail"

    def motion_subspace(self) -> np.ndarray:
        return _column(linear=unit(self.axis))[:, None]

    def turned(self, rotation: np.ndarray) -> Joint:
        return self

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        del data["axis"]
        return data


@dataclass(frozen=True, eq=False)
class Screw(_OneAxis):
    __doc__ = f"""Turns about an axis and advances by ``pitch`` a radian; the coordinate is the angle [rad].

    name                  unique in its system; it is also the coordinate's name
    axis                  "x", "y", "z" or three numbers
    pitch                 [m/rad], not zero{_TURNING}"""
    pitch: float = None  # type: ignore[assignment]
    kind: ClassVar[str] = "screw"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pitch is None:
            raise ModelError.at(self.name, "a screw takes pitch= [m/rad], its advance for each radian")
        object.__setattr__(self, "pitch", as_number(self.pitch, f"{self.name}: pitch"))

    def motion_subspace(self) -> np.ndarray:
        axis = unit(self.axis)
        return _column(axis, self.pitch * axis)[:, None]

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address) + number_problems(self.pitch, address, "pitch [m/rad]")
        if self.pitch == 0.0:
            problems.append(Problem(address, "pitch is 0 m/rad, which is no screw; use Revolute"))
        return problems


@dataclass(frozen=True, eq=False)
class Cylindrical(Joint):
    """Turns about an axis and slides along it. Coordinates: ``angle`` [rad], ``slide`` [m]."""

    name: str
    axis: Any = "z"
    kind: ClassVar[str] = "cylindrical"
    q_suffixes: ClassVar[tuple[str, ...]] = (".angle", ".slide")
    v_suffixes: ClassVar[tuple[str, ...]] = (".angle", ".slide")

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", as_axis(self.axis, f"{self.name}: axis"))

    def motion_subspace(self) -> np.ndarray:
        axis = unit(self.axis)
        return np.column_stack([_column(angular=axis), _column(linear=axis)])

    def turned(self, rotation: np.ndarray) -> Joint:
        return replace(self, axis=rotation @ self.axis)

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + axis_problems(self.axis, address)


@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """Turns about a first axis, fixed in the frame it is added to, then about a second that turns with it.

    Coordinates: ``a`` and ``b`` [rad]. The rotation is ``R(axes[0], a) R(axes[1], b)``; the axes need not be
    perpendicular, but not parallel.
    """

    name: str
    axes: Any = ("x", "y")
    kind: ClassVar[str] = "universal"
    q_suffixes: ClassVar[tuple[str, ...]] = (".a", ".b")
    v_suffixes: ClassVar[tuple[str, ...]] = (".a", ".b")

    def __post_init__(self) -> None:
        try:
            first, second = self.axes
        except (TypeError, ValueError):
            raise ModelError.at(f"{self.name}: axes", f"got {shown(self.axes)}; give two axes") from None
        axes = as_axis(first, f"{self.name}: axes[0]"), as_axis(second, f"{self.name}: axes[1]")
        object.__setattr__(self, "axes", axes)

    def motion_subspace(self) -> np.ndarray:
        return np.column_stack([_column(angular=unit(axis)) for axis in self.axes])

    def turned(self, rotation: np.ndarray) -> Joint:
        return replace(self, axes=tuple(rotation @ axis for axis in self.axes))

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address)
        found = [
            *axis_problems(self.axes[0], address, "axes[0]"),
            *axis_problems(self.axes[1], address, "axes[1]"),
        ]
        if not found and np.linalg.norm(np.cross(unit(self.axes[0]), unit(self.axes[1]))) < PARALLEL_TOLERANCE:
            given = f"{numbers(self.axes[0])} and {numbers(self.axes[1])}"
            found.append(Problem(address, f"axes {given} are parallel; a universal joint takes two directions"))
        return problems + found


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """Turns every way. q: a unit quaternion (qw, qx, qy, qz); v: angular velocity in body axes [rad/s]."""

    name: str
    kind: ClassVar[str] = "spherical"
    q_suffixes: ClassVar[tuple[str, ...]] = (".qw", ".qx", ".qy", ".qz")
    v_suffixes: ClassVar[tuple[str, ...]] = (".wx", ".wy", ".wz")

    def motion_subspace(self) -> np.ndarray:
        return np.eye(6, 3)


@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """Slides in a plane and turns about its normal.

    Coordinates: ``x``, ``y`` [m], along `plane_axes` of the fixed side, and ``angle`` [rad].
    """

    name: str
    normal: Any = "z"
    kind: ClassVar[str] = "planar"
    q_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".angle")
    v_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".angle")

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", as_axis(self.normal, f"{self.name}: normal"))

    def motion_subspace(self) -> np.ndarray:
        first, second = plane_axes(self.normal)
        turn = _column(angular=unit(self.normal))
        return np.column_stack([_column(linear=first), _column(linear=second), turn])

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + axis_problems(self.normal, address, "normal")


@dataclass(frozen=True, eq=False)
class Free(Joint):
    """Moves every way.

    q: position ``x y z`` [m] and unit quaternion ``qw qx qy qz`` in the frame it is added to.
    v: angular velocity ``wx wy wz`` [rad/s] and velocity of the held frame's origin ``vx vy vz`` [m/s], both
    in the axes of the held frame.
    """

    name: str
    kind: ClassVar[str] = "free"
    q_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz")
    v_suffixes: ClassVar[tuple[str, ...]] = (".wx", ".wy", ".wz", ".vx", ".vy", ".vz")

    def motion_subspace(self) -> np.ndarray:
        return np.eye(6)


@dataclass(frozen=True, eq=False)
class Weld(Joint):
    """Does not move; it has no coordinates."""

    name: str
    kind: ClassVar[str] = "weld"
    q_suffixes: ClassVar[tuple[str, ...]] = ()
    v_suffixes: ClassVar[tuple[str, ...]] = ()

    def motion_subspace(self) -> np.ndarray:
        return np.zeros((6, 0))

    def turned(self, rotation: np.ndarray) -> Joint:
        return self


KINDS: dict[str, type[Joint]] = {
    joint.kind: joint
    for joint in (Revolute, Prismatic, Rail, Screw, Cylindrical, Universal, Spherical, Planar, Free, Weld)
}


def joint_from_dict(data: Any, address: str = "joint") -> Joint:
    """The joint that its `to_dict` wrote."""
    kind = data.get("kind") if isinstance(data, dict) else data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError.at(address, f"kind is {shown(kind)}; it must be one of {', '.join(KINDS)}")
    cls = KINDS[kind]
    names = [one.name for one in fields(cls) if one.init and one.name != "name"]  # type: ignore[arg-type]
    data = {key: value for key, value in expect_keys(data, address, ("kind", "name"), names).items() if key != "kind"}
    expect_text(data["name"], f"{address}.name")
    if data.get("drive") is not None:
        data["drive"] = Drive.from_dict(data["drive"], f"{address}.drive")
    return cls(**data)
