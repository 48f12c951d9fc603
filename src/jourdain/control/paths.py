"""Paths of a frame in space: lines, circles, splines through points, and sequences of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.pose import Pose, as_rotation, matrix_from_quaternion, quaternion_from_matrix, rotation_vector
from ..basics.types import AxisLike, PlaceLike, RotationLike, VectorLike
from ..basics.values import as_array, as_axis, as_vector, axis_problems, numbers, shown, suggestion
from ..describe.joints import plane_axes
from ..describe.motions import Table
from ..model.selection import joint_entries

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

LAWS = {"trapezoidal": 0, "cycloidal": 1, "quintic": 2}
LINE, CIRCLE, SPLINE, SEQUENCE = 0, 1, 2, 3
SAME = 1e-9
"""How far apart two ends may lie and still be the same [m and rad]."""


@checked
class Path(ABC):
    """Where a frame is to be at every time [s]; held before the beginning and after the end.

    `code` and `numbers()` are what `jourdain.kernels.control.paths.path_motion` reads.
    """

    code: int

    @abstractmethod
    def numbers(self) -> np.ndarray:
        """The path as the kernels read it."""

    @property
    @abstractmethod
    def begin(self) -> float:
        """[s]"""

    @property
    @abstractmethod
    def end(self) -> float:
        """[s]"""

    def sample(self, times: ArrayLike) -> np.ndarray:
        """19 numbers at each time (..., 19): position, velocity, acceleration, quaternion, angular velocity, angular
        acceleration; world axes."""
        from ..kernels.control.paths import sample_path

        at = as_array(times, "times")
        out = np.empty((at.size, 19))
        sample_path(self.code, self.numbers(), np.ascontiguousarray(at.ravel()), out)
        return out.reshape(*at.shape, 19)

    def position(self, times: ArrayLike) -> np.ndarray:
        """(..., 3) [m]"""
        return self.sample(times)[..., :3]

    def velocity(self, times: ArrayLike) -> np.ndarray:
        """(..., 3) [m/s]"""
        return self.sample(times)[..., 3:6]

    def acceleration(self, times: ArrayLike) -> np.ndarray:
        """(..., 3) [m/s^2]"""
        return self.sample(times)[..., 6:9]

    def quaternion(self, times: ArrayLike) -> np.ndarray:
        """(..., 4), scalar first."""
        return self.sample(times)[..., 9:13]

    def angular_velocity(self, times: ArrayLike) -> np.ndarray:
        """(..., 3), world axes [rad/s]."""
        return self.sample(times)[..., 13:16]

    def angular_acceleration(self, times: ArrayLike) -> np.ndarray:
        """(..., 3), world axes [rad/s^2]."""
        return self.sample(times)[..., 16:]

    def pose(self, time: float) -> Pose:
        """Pose at a time."""
        found = self.sample(float(time))
        return Pose(found[:3], found[9:13] / np.linalg.norm(found[9:13]))

    @abstractmethod
    def ends(self) -> tuple[Pose, Pose]:
        """Poses at the beginning and at the end."""

    def joint_reference(
        self, model: Model, address: str, state: State, *, samples: int = 101, oriented: bool = False, **options: Any
    ) -> dict[str, Table]:
        """The path as motions of the joints, by `inverse_kinematics` at evenly spaced times, each from the one before.

        state       where the search for the first point begins; start a simulation from
                    `inverse_kinematics(model, address, path.pose(path.begin), state)` or set the first values
        samples     how many points; the error between them falls with the fourth power
        oriented    whether the orientation is followed too
        options     of `inverse_kinematics`

        Gives a `Table` for each joint that may move, held beyond its ends.
        """
        from .kinematics import inverse_kinematics

        if samples < 4:
            raise ModelError.at("samples", f"got {samples}; give 4 at least")
        moving = joint_entries(model, options.get("hold", ()))
        index = model.arrays.q_index[moving]
        if np.any(index < 0):
            name = model.owners[moving[int(np.argmin(index))]]
            raise ModelError.at(name, f'a rotation or free joint cannot follow a Table; hold it: hold=("{name}",)')
        times = np.linspace(self.begin, self.end, samples)
        values = np.empty((samples, len(moving)))
        for i, t in enumerate(times):
            target = self.pose(t) if oriented else self.position(t)
            try:
                state = inverse_kinematics(model, address, target, state, **options)
            except ModelError as error:
                raise ModelError.at(f"{address} at {t:.4g} s", error.problems[0].message) from None
            values[i] = state.q[index]
        return {model.names.v[k]: Table(times, values[:, c]) for c, k in enumerate(moving)}


@checked
class Segment(Path):
    """One segment."""

    def __init__(self, begin: float, duration: float, law: str, ramp: float, where: str) -> None:
        if law not in LAWS:
            raise ModelError.at(where, f"law is {shown(law)}; {suggestion(str(law), LAWS)}", "law")
        for what, value in (("begin", begin), ("duration", duration), ("ramp", ramp)):
            if not np.isfinite(value):
                raise ModelError.at(where, f"{what} is {value}; give a finite number", what)
        if duration <= 0.0:
            raise ModelError.at(where, f"duration is {duration:g} s; give more than zero", "duration")
        if not 0.0 < ramp <= 0.5:
            raise ModelError.at(where, f"ramp is {ramp:g}; give more than 0 and at most 0.5 of the duration", "ramp")
        self.segment: dict[str, Any] = dict.fromkeys("abcd", np.zeros(3)) | {
            "code": self.code, "law": LAWS[law], "begin": begin, "duration": duration, "ramp": ramp, "angle": 0.0,
        }  # fmt: skip

    def put(self, *vectors: np.ndarray, start: np.ndarray, turn: np.ndarray) -> None:
        """The numbers a, b, c, d of the segment, the rotation at its start and its rotation vector."""
        self.segment |= dict(zip("abcd", vectors, strict=False))
        self.segment |= {"start": quaternion_from_matrix(start), "turn": turn}

    def numbers(self) -> np.ndarray:
        from ..kernels.control.paths import PathSegment

        return PathSegment.packed(**self.segment)

    @property
    def begin(self) -> float:
        return float(self.segment["begin"])

    @property
    def end(self) -> float:
        return float(self.segment["begin"] + self.segment["duration"])

    def segments(self) -> list[dict[str, Any]]:
        """The segments of a sequence, by the names of `kernels.control.paths.PathSegment`."""
        return [self.segment]

    def ends(self) -> tuple[Pose, Pose]:
        a, b, c, d = (np.asarray(self.segment[one]) for one in "abcd")
        T, angle = self.segment["duration"], self.segment["angle"]
        first, last = {
            LINE: (a, a + b),
            CIRCLE: (a + b, a + np.cos(angle) * b + np.sin(angle) * c),
            SPLINE: (a, a + T * (b + T * (c + T * d))),
        }[self.code]
        R0 = matrix_from_quaternion(self.segment["start"])
        return Pose(first, R0), Pose(last, R0 @ _turned(np.asarray(self.segment["turn"])))


@checked
class Line(Segment):
    """A straight line between two poses; the orientation turns about one axis (slerp), by the same law.

    start, to    `Pose` or position (3,) [m]; a position has the other's orientation
    duration     [s]
    law          "trapezoidal", "cycloidal" or "quintic"
    begin        [s]
    ramp         part of the duration in which the trapezoidal law speeds up, and slows down
    """

    code = LINE

    def __init__(
        self,
        start: PlaceLike,
        to: PlaceLike,
        duration: float,
        law: str = "cycloidal",
        begin: float = 0.0,
        ramp: float = 0.25,
    ) -> None:
        super().__init__(begin, duration, law, ramp, "Line")
        here, there = _place(start, "start"), _place(to, "to")
        R0 = here.rotation if isinstance(start, Pose) or not isinstance(to, Pose) else there.rotation
        R1 = there.rotation if isinstance(to, Pose) else R0
        self.put(here.position, there.position - here.position, start=R0, turn=rotation_vector(R0.T @ R1))


@checked
class Circle(Segment):
    """An arc, right-handed about `normal` for a positive angle.

    centre      (3,) [m]
    normal      "x", "y", "z" or three numbers
    radius      [m]; None: that of `start`
    start       where it begins, position or `Pose`; None: on the first axis of the plane, at `radius`. One that is
                off the circle is an error
    angle       [rad], a whole turn unless given
    duration    [s]
    law         "trapezoidal", "cycloidal" or "quintic"
    begin       [s]
    ramp        as in `Line`
    rotation    orientation at the start, where `start` is no Pose; None is no rotation
    follow      whether the orientation turns with the circle
    """

    code = CIRCLE

    def __init__(
        self,
        centre: VectorLike,
        normal: AxisLike = "z",
        radius: float | None = None,
        *,
        duration: float,
        start: PlaceLike | None = None,
        angle: float = 2.0 * np.pi,
        law: str = "cycloidal",
        begin: float = 0.0,
        ramp: float = 0.25,
        rotation: RotationLike | None = None,
        follow: bool = False,
    ) -> None:
        super().__init__(begin, duration, law, ramp, "Circle")
        middle, axis = as_vector(centre, "centre"), as_axis(normal, "normal")
        problems = axis_problems(axis, "Circle", "normal")
        if problems:
            raise ModelError(problems)
        axis = axis / np.linalg.norm(axis)
        if not np.isfinite(angle):
            raise ModelError.at("Circle", f"angle is {angle}; give a finite number [rad]", "angle")
        if start is None:
            if radius is None:
                raise ModelError.at("Circle", "give radius or start")
            arm = float(radius) * plane_axes(axis)[0]
        else:
            arm = _place(start, "start").position - middle
            off = float(arm @ axis)
            reach = float(np.linalg.norm(arm))
            if abs(off) > SAME * max(reach, 1.0) or (
                radius is not None and abs(reach - radius) > SAME * max(reach, 1.0)
            ):
                wanted = (
                    "" if radius is None else f", and {reach:g} m from the centre, where the radius is {radius:g} m"
                )
                raise ModelError.at("Circle", f"start is {off:g} m off the plane{wanted}", "start")
        reach = float(np.linalg.norm(arm))
        if not (np.isfinite(reach) and reach > 0.0):
            raise ModelError.at("Circle", f"radius is {reach:g} m; give more than zero", "radius")
        self.segment["angle"] = angle
        R0 = start.rotation if isinstance(start, Pose) else as_rotation(rotation)
        turn = R0.T @ axis * angle if follow else np.zeros(3)
        self.put(middle, arm, np.cross(axis, arm), start=R0, turn=turn)


@checked
class Sequence(Path):
    """Paths one after the other, each beginning where and when the one before ends.

    The paths' own beginnings are shifted to the end of the one before; `pause` is the time at rest between two [s].
    """

    code = SEQUENCE

    def __init__(self, *paths: Path, pause: float = 0.0) -> None:
        if not paths:
            raise ModelError.at("Sequence", "it has no paths; give one at least")
        if not (np.isfinite(pause) and pause >= 0.0):
            raise ModelError.at("Sequence", f"pause is {pause} s; give zero or more", "pause")
        self._segments: list[dict[str, Any]] = []
        clock = paths[0].begin if isinstance(paths[0], Path) else 0.0
        for i, path in enumerate(paths):
            if not isinstance(path, Path):
                raise ModelError.at("Sequence", f"path {i} is {shown(path)}; give Line, Circle, Via or Sequence")
            if i:
                before, after = paths[i - 1].ends()[1], path.ends()[0]
                apart = after.position - before.position
                turned = rotation_vector(before.rotation.T @ after.rotation)
                if np.max(np.abs(apart)) > SAME or np.max(np.abs(turned)) > SAME:
                    text = f"path {i} begins {numbers(apart)} m and {numbers(turned)} rad from where path {i - 1} ends"
                    raise ModelError.at("Sequence", f"{text}; let it begin there", f"paths[{i}]")
            for one in path.segments():  # type: ignore[attr-defined]
                self._segments.append(one | {"begin": one["begin"] + (clock - path.begin)})
            clock += path.end - path.begin + pause
        self._ends = paths[0].ends()[0], paths[-1].ends()[1]

    def ends(self) -> tuple[Pose, Pose]:
        return self._ends

    def segments(self) -> list[dict[str, Any]]:
        """Those of all paths."""
        return self._segments

    def numbers(self) -> np.ndarray:
        from ..kernels.control.paths import PathSequence

        return PathSequence.packed(segments=self._segments)

    @property
    def begin(self) -> float:
        return float(self._segments[0]["begin"])

    @property
    def end(self) -> float:
        return float(self._segments[-1]["begin"] + self._segments[-1]["duration"])


@checked
class Via(Sequence):
    """A smooth path through points: a cubic spline, two continuous derivatives, at rest at both ends.

    points    positions (3,) or `Pose`s; orientations turn from one to the next by the quintic law, and rest at each
    times     [s], increasing, one a point
    """

    def __init__(self, points: Iterable[PlaceLike], times: ArrayLike) -> None:
        from scipy.interpolate import CubicSpline

        given = list(points)
        at = as_array(times, "times")
        if at.shape != (len(given),) or len(given) < 2:
            raise ModelError.at(
                "Via", f"{len(given)} points and times of shape {at.shape}; give one time a point, two at least"
            )
        if not (np.all(np.isfinite(at)) and np.all(np.diff(at) > 0.0)):
            raise ModelError.at("Via", f"times are {numbers(at)}; they must be finite and increase", "times")
        places = [_place(point, f"points[{i}]") for i, point in enumerate(given)]
        oriented = [isinstance(point, Pose) for point in given]
        if any(oriented) and not all(oriented):
            raise ModelError.at("Via", f"points[{oriented.index(False)}] has no orientation; give all or none")
        spline = CubicSpline(at, np.array([place.position for place in places]), bc_type="clamped")
        self._segments = []
        for i in range(len(given) - 1):
            piece = _Piece(float(at[i]), float(at[i + 1] - at[i]))
            R0, R1 = places[i].rotation, places[i + 1].rotation
            piece.put(*spline.c[::-1, i], start=R0, turn=rotation_vector(R0.T @ R1))
            self._segments.append(piece.segment)
        self._ends = places[0], places[-1]


class _Piece(Segment):
    """A cubic in time."""

    code = SPLINE

    def __init__(self, begin: float, duration: float) -> None:
        super().__init__(begin, duration, "quintic", 0.25, "Via")


def _turned(vector: np.ndarray) -> np.ndarray:
    """The rotation of a rotation vector (3, 3)."""
    angle = float(np.linalg.norm(vector))
    axis = vector / angle if angle > 0.0 else vector
    return matrix_from_quaternion([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])


def _place(value: Any, what: str) -> Pose:
    if isinstance(value, Pose):
        place = value
    else:
        array = as_array(value, what)
        if array.shape != (3,):
            raise ModelError.at(what, f"got {shown(value)}; give a Pose or a position, three numbers [m]")
        place = Pose(array)
    if not np.all(np.isfinite(place.position)):
        raise ModelError.at(what, f"position is {numbers(place.position)}; give finite numbers", "position")
    return place
