"""The body contract on the describing side: what every kind of body can say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.pose import Pose
from ...basics.registry import Kinds
from ...basics.values import name_problems, shown, suggestion
from .appearance.bones import Skeleton, Surface
from .floating_frame.validity_limits import Excess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _no_integers() -> np.ndarray:
    return np.zeros(0, dtype=np.int64)


def _no_floats() -> np.ndarray:
    return np.zeros(0, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class BodyData:
    """What the kernels read of one body, in its *kernel frame*: the frame that the inboard joint holds.

    kind        code of the kind of body, `RIGID` for a rigid one
    mass        [kg]
    com         centre of mass, undeformed, (3,) [m]
    inertia     about the origin of the kernel frame, in its axes, undeformed, (3, 3) [kg m^2]
    integers    whole numbers that the kind needs besides, empty for a rigid body
    floats      numbers that the kind needs besides, empty for a rigid body
    """

    kind: int
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    integers: np.ndarray = field(default_factory=_no_integers)
    floats: np.ndarray = field(default_factory=_no_floats)


@dataclass(frozen=True, eq=False)
class MarkerData:
    """A marker of a body in its kernel frame.

    pose       undeformed pose in the kernel frame
    station    what the kind of body needs to follow its deformation there, empty for a rigid body
    """

    pose: Pose
    station: np.ndarray = field(default_factory=_no_floats)


@dataclass(frozen=True)
class Ends:
    """Where an internal coordinate ends: stops push it back there, and states and profiles must lie between.

    low, high    [m]
    inertia      that it moves of its own body, to choose the stiffness of the stops by [kg]
    stiffness    of the stops [N/m]; None leaves it to `System.compile`
    damping      of the stops [s/m], as `limit_damping` of joints
    """

    low: float
    high: float
    inertia: float
    stiffness: float | None = None
    damping: float | None = None


@dataclass(frozen=True, eq=False)
class RailData:
    """What a joint needs that travels along the x of a body.

    low, high    where the body begins and ends, x in its own axes [m]; infinite for a rigid body
    floats       what the kernels read of it, empty for a body that does not deform
    """

    low: float
    high: float
    floats: np.ndarray = field(default_factory=_no_floats)


BODIES: Kinds[Body] = Kinds("body")
"""The kinds of bodies."""
OWN_FRAMES = ("origin", "root", "tip")
"""Frames that every body along a line has."""


@checked
class Body(Described, ABC):
    """A body with markers: a frame, internal coordinates, an inertia, an internal force and frames on it.

    name        unique in its system
    internal    names of the internal coordinates, such as ``"bending_y[0]"``; empty for a rigid body
    paths       frames whose rotation depends on the way the body deformed: a quaternion each, behind the internal
                coordinates in q, at the rate that the frame's marker has
    """

    name: str
    internal: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    station_unit: ClassVar[str] = "m"
    """Unit of the stations of `deflection` and `strain`."""
    lent: ClassVar[int] = 0
    """How many of its first internal coordinates are those of its joint, which names them: the angle of a winch."""
    wound_as: ClassVar[Callable[[Any, Any], Body] | None] = None
    """What a winch makes of it, of the body and the winch; None where it cannot be wound."""
    keeps_momentum: bool = False
    """Whether its forces of velocities are exactly those by which its momentum is kept, nothing left out."""

    def __init_subclass__(cls, **stated: Any) -> None:
        super().__init_subclass__(**stated)
        BODIES.enter(cls)

    @property
    def described(self) -> Body:
        """What descriptions and files hold of it: itself, unless its joint made another body of it."""
        return self

    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the internal coordinates in q and v."""
        return tuple(f"{self.name}.{one}" for one in self.internal)

    @property
    def lent_arm(self) -> float:
        """How far a unit of the coordinate that its joint lends it moves what the body carries [m]."""
        return 0.0

    @property
    def lent_inertia(self) -> float:
        """Inertia that turns with that coordinate [kg m^2]."""
        return 0.0

    @property
    def reach(self) -> tuple[float, float] | None:
        """Where the coordinate ends that its joint lends it, None for nowhere."""
        return None

    @abstractmethod
    def frame_names(self) -> tuple[str, ...]:
        """Names of the frames that an address can end with; ``"origin"`` is the first."""

    def has_frame(self, name: str) -> bool:
        """Whether an address may end with a name: one of `frame_names`, or a node of a mesh."""
        return name in self.frame_names()

    @abstractmethod
    def frame(self, name: str) -> Pose:
        """Undeformed pose of a frame in the body's own axes; a `ModelError` lists what exists."""

    def can_be_held(self, name: str) -> bool:
        """Whether the inboard joint can hold this frame: there the shapes of the internal coordinates vanish."""
        return True

    def joint_problem(self, joint: Any) -> str:
        """What is wrong with a joint that holds it, "" if nothing is."""
        return ""

    def unstiffened(self) -> Body:
        """The same body with shapes linear in its internal coordinates, so that stresses do not stiffen it."""
        return self

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies with the held frame fixed, rising [rad/s]; none for a rigid body."""
        return np.zeros(0)

    damped_by_rates: ClassVar[bool] = False
    """Whether `damping` is Kelvin's and Voigt's, time constants [s]; else a ratio, or Rayleigh's two coefficients."""

    def modal_damping(self, omega: float) -> float:
        """c of x'' + c x' + omega^2 x = 0 for a natural frequency [1/s], from the argument `damping`."""
        given = getattr(self, "damping", None)
        numbers = np.atleast_1d(0.0 if given is None else np.asarray(given, float))
        if self.damped_by_rates:
            return float(np.max(numbers)) * omega**2
        if len(numbers) == 2:
            return float(numbers[0] + numbers[1] * omega**2)
        return 2.0 * float(numbers[0]) * omega

    def damping_problems(
        self, address: str, words: str = "give a ratio, or (alpha, beta), none negative"
    ) -> list[Problem]:
        """What is wrong with the argument `damping`: one number or two, none negative."""
        given = getattr(self, "damping", 0.0)
        damping = np.atleast_1d(given)
        if self.damped_by_rates:
            words = "give a time constant [s], or one of the stretch and one of the curvature, none negative"
        if np.all(np.isfinite(damping)) and np.all(damping >= 0.0) and len(damping) in (1, 2):
            return []
        return [Problem(address, f"damping is {shown(given)}; {words}", "damping")]

    @property
    def ends(self) -> dict[str, Ends]:
        """Internal coordinates that have ends, by name; the others are zero in the zero configuration, these `low`."""
        return {}

    def rail(self, held: Pose) -> RailData:
        """What a `Rail` along this body needs, ``held`` as in `data`; a `ModelError` says why it can bear none."""
        raise ModelError.at(
            str(self.name), f"nothing can travel along a {type(self).__name__}; a Rail takes a Beam or a rigid body"
        )

    @abstractmethod
    def check(self) -> list[Problem]:
        """Everything wrong with the body's own data."""

    @abstractmethod
    def data(self, held: Pose) -> BodyData:
        """What the kernels read, ``held`` being the pose of the kernel frame in body axes."""

    @abstractmethod
    def marker(self, name: str, held: Pose) -> MarkerData:
        """A frame as a marker, ``held`` being the pose of the kernel frame in body axes."""

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Where the body is displaced to by its internal coordinates.

        e    (nt, n)
        x    stations (m,) along the body, in its own axes [m]; None for some that show its shape

        Returns the stations and the displacements (nt, m, 3) from the undeformed body, in its own axes [m].
        """
        raise self.undeformable()

    def strain(
        self, e: np.ndarray, x: ArrayLike | None = None
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str, str]]]:
        """Strains and the internal forces that they make: the stations, as in `deflection`, and by name values (nt, m),
        unit and a few words."""
        raise self.undeformable()

    def load_points(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Frames along its line from root to tip, x their tangent, and the length that each stands for (m,) [m]: a load
        a length on them does what it does on the whole line. A `ModelError` where it is no line."""
        raise ModelError.at(
            str(self.name),
            f"a {type(self).__name__} has no length that a force could act along; give a Cable, a Beam or a NodalBeam",
        )

    has_tension: ClassVar[bool] = False
    """Whether it is a line that is under tension."""

    def tension(self, e: np.ndarray, rate: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The stations, as in `deflection`, and the force along a line (nt, m) [N], for coordinates and their rates."""
        raise ModelError.at(str(self.name), f"a {type(self).__name__} has no tension; a jd.Cable has")

    def volume_mesh(self) -> tuple[np.ndarray, np.ndarray, str]:
        """Nodes (N, 3) in body axes [m], cells (m, k), and VTK's name of these, of a body of finite elements."""
        raise ModelError.at(str(self.name), f"a {type(self).__name__} has no mesh; a jd.Solid has")

    def node_places(self) -> np.ndarray:
        """Where its nodes are, undeformed and in body axes, (N, 3) [m]."""
        return self.volume_mesh()[0]

    def field(self, e: np.ndarray, what: str) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
        """A field over the nodes of its mesh for internal coordinates (nt, n): values (nt, N) or (nt, N, components),
        unit, a few words, names of the components."""
        raise ModelError.at(str(self.name), f"a {type(self).__name__} has no field of nodes; a jd.Solid has")

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """What internal coordinates (nt, n) ask of the body's model, and the most that it holds for."""
        return []

    likeness: ClassVar[str] = "own"
    """How it is drawn: "own" by its geometry, "mesh" by one that was made for it, "none" by what stands for it."""

    def stand_in(self, radius: float) -> list[Surface]:
        """What stands for it among bodies that are drawn by meshes, where nothing else says how it looks."""
        return []

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """What the body looks like, undeformed and in its own axes, bound to the bones of `skeleton`.

        size    side of what is drawn of a shape without end [m]
        """
        from .appearance.bones import rods_to_frames

        return rods_to_frames(self)

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Where the bones are that carry its surfaces, for internal coordinates e (nt, n).

        turned    quaternions (nt, 4) in body axes of the frames in `paths`, by name
        """
        from .appearance.bones import one_bone

        return one_bone(self, len(e))

    def in_place_of(self, body: Body, used: tuple[str, ...], along: tuple[str, str] | None = None) -> tuple[Body, Pose]:
        """This body under the name of a rigid one, with frames where that one has them; `System.make_flexible`.

        used     frames of the other body that must exist on this one; a `ModelError` names those that cannot
        along    frames of the other body between which this one lies; None for its x from its origin

        Returns the body, and the pose of its own axes in those of the other.
        """
        raise ModelError.at(body.name, f"a {type(self).__name__} cannot take its place; give a jd.Beam(...)")

    def undeformable(self) -> ModelError:
        """The error for a body that has no shape to ask for."""
        return ModelError.at(str(self.name), "the body is rigid, it does not deform; ask for a flexible body")

    def unknown_frame(self, name: str) -> ModelError:
        """The error for a frame that does not exist."""
        known = [f"{self.name}.{frame}" for frame in self.frame_names()]
        address = f"{self.name}.{name}"
        return ModelError.at(address, f'body "{self.name}" has no frame "{name}"; {suggestion(address, known)}')


@checked
class SlenderBody(Body):
    """A body along its x, with frames at fractions of its length: "origin", "root", "tip", and those of `frames`."""

    called: ClassVar[str] = "beam"
    """What it is called in messages."""
    frames: dict[str, float]

    def frame_names(self) -> tuple[str, ...]:
        return (*OWN_FRAMES, *(name for name in self.frames if name not in OWN_FRAMES))

    def fraction_problems(self, address: str) -> list[Problem]:
        """What is wrong with the names and fractions of its frames."""
        problems = []
        for key, fraction in self.frames.items():
            problems += name_problems(key, f"{address}.{key}", "frame")
            if key in OWN_FRAMES:
                words = f'"{key}" is the {self.called}\'s own; choose another name'
                problems.append(Problem(f"{address}.{key}", words))
            if not 0.0 <= fraction <= 1.0:
                problems.append(Problem(f"{address}.{key}", f"is at {fraction} of the length; give 0 to 1"))
        return problems


def body_from_dict(data: Any, address: str = "body") -> Body:
    """The body that its `to_dict` wrote."""
    return BODIES.from_dict(data, address)
