"""Joints of two axes and more, of none, and those that turn freely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.types import AxisLike
from ...basics.values import as_axis, axis_problems, numbers, shown
from .joint import Joint, column, plane_axes, unit

if TYPE_CHECKING:
    from ...kernels.tree.tree_rows import BodyParameters


PARALLEL_TOLERANCE = 1e-9
"""Sine of the angle below which the two axes of a universal joint count as parallel."""


@checked
@dataclass(frozen=True, eq=False)
class Cylindrical(Joint):
    """Turns about an axis and slides along it. Coordinates: ``angle`` [rad], ``slide`` [m]."""

    name: str
    axis: AxisLike = "z"
    kind: ClassVar[str] = "cylindrical"
    axis_after: ClassVar[int | None] = 2
    q_suffixes: ClassVar[tuple[str, ...]] = (".angle", ".slide")
    v_suffixes: ClassVar[tuple[str, ...]] = (".angle", ".slide")

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", as_axis(self.axis, f"{self.name}: axis"))

    def kernel_axes(self, placed: np.ndarray) -> np.ndarray:
        z = unit(self.axis)
        return np.column_stack([*plane_axes(z), z])

    def motion_subspace(self) -> np.ndarray:
        axis = unit(self.axis)
        return np.column_stack([column(angular=axis), column(linear=axis)])

    def turned(self, rotation: np.ndarray) -> Joint:
        return replace(self, axis=rotation @ self.axis)

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + axis_problems(self.axis, address)


@checked
@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """Turns about a first axis, fixed in the frame it is added to, then about a second that turns with it.

    Coordinates: ``a`` and ``b`` [rad]. The rotation is ``R(axes[0], a) R(axes[1], b)``; the axes need not be
    perpendicular, but not parallel.
    """

    name: str
    axes: Sequence[AxisLike] = ("x", "y")
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

    def lay(self, body: BodyParameters) -> None:
        from ...kernels.algebra import Vec3

        body.first_axis, body.second_axis = (Vec3(*unit(axis)) for axis in self.axes)

    def closing(self, far: float) -> tuple[int, Any]:
        a, b = (unit(axis) for axis in self.axes)
        return self.code, [*a, *b, a @ b, 1.0 / np.linalg.norm(np.cross(a, b))]

    def motion_subspace(self) -> np.ndarray:
        return np.column_stack([column(angular=unit(axis)) for axis in self.axes])

    def turned(self, rotation: np.ndarray) -> Joint:
        return replace(self, axes=tuple(rotation @ axis for axis in self.axes))

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address)
        found = [*axis_problems(self.axes[0], address, "axes[0]"), *axis_problems(self.axes[1], address, "axes[1]")]
        if not found and np.linalg.norm(np.cross(unit(self.axes[0]), unit(self.axes[1]))) < PARALLEL_TOLERANCE:
            given = f"{numbers(self.axes[0])} and {numbers(self.axes[1])}"
            found.append(Problem(address, f"axes {given} are parallel; a universal joint takes two directions"))
        return problems + found


@checked
@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """Turns every way. q: a unit quaternion (qw, qx, qy, qz); v: angular velocity in body axes [rad/s]."""

    name: str
    kind: ClassVar[str] = "spherical"
    turns_freely: ClassVar[bool] = True
    q_suffixes: ClassVar[tuple[str, ...]] = (".qw", ".qx", ".qy", ".qz")
    v_suffixes: ClassVar[tuple[str, ...]] = (".wx", ".wy", ".wz")

    def motion_subspace(self) -> np.ndarray:
        return np.eye(6, 3)


@checked
@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """Slides in a plane and turns about its normal.

    Coordinates: ``x``, ``y`` [m], along `plane_axes` of the fixed side, and ``angle`` [rad].
    """

    name: str
    normal: AxisLike = "z"
    kind: ClassVar[str] = "planar"
    axis_after: ClassVar[int | None] = 1
    q_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".angle")
    v_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".angle")

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", as_axis(self.normal, f"{self.name}: normal"))

    def kernel_axes(self, placed: np.ndarray) -> np.ndarray:
        return np.column_stack([*plane_axes(self.normal), unit(self.normal)])

    def motion_subspace(self) -> np.ndarray:
        first, second = plane_axes(self.normal)
        turn = column(angular=unit(self.normal))
        return np.column_stack([column(linear=first), column(linear=second), turn])

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + axis_problems(self.normal, address, "normal")


@checked
@dataclass(frozen=True, eq=False)
class Free(Joint):
    """Moves every way.

    q: position ``x y z`` [m] and unit quaternion ``qw qx qy qz`` in the frame it is added to.
    v: angular velocity ``wx wy wz`` [rad/s] and velocity of the held frame's origin ``vx vy vz`` [m/s], both
    in the axes of the held frame.
    """

    name: str
    kind: ClassVar[str] = "free"
    closes: ClassVar[bool] = False
    turns_freely: ClassVar[bool] = True
    q_suffixes: ClassVar[tuple[str, ...]] = (".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz")
    v_suffixes: ClassVar[tuple[str, ...]] = (".wx", ".wy", ".wz", ".vx", ".vy", ".vz")

    def motion_subspace(self) -> np.ndarray:
        return np.eye(6)


@checked
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
