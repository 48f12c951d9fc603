"""The body contract on the describing side: what every kind of body can say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import ModelError, Problem
from ..pose import Pose
from ..values import suggestion

RIGID = 0
"""Kind code of a rigid body, as the kernels know it."""


SLICED = 1
"""Kind code of a body that moves as rigid slices at stations."""


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


class Body(ABC):
    """A body with markers: a frame, internal coordinates, an inertia, an internal force and frames on it.

    name        unique in its system
    internal    names of the internal coordinates, such as ``"bending_y[0]"``; empty for a rigid body
    """

    name: str
    internal: tuple[str, ...] = ()

    @abstractmethod
    def frame_names(self) -> tuple[str, ...]:
        """Names of the frames that an address can end with; ``"origin"`` is the first."""

    @abstractmethod
    def frame(self, name: str) -> Pose:
        """Undeformed pose of a frame in the body's own axes; a `ModelError` lists what exists."""

    def can_be_held(self, name: str) -> bool:
        """Whether the inboard joint can hold this frame: there the shapes of the internal coordinates vanish."""
        return True

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies with the held frame fixed, rising [rad/s]; none for a rigid body."""
        return np.zeros(0)

    @abstractmethod
    def check(self) -> list[Problem]:
        """Everything wrong with the body's own data."""

    @abstractmethod
    def data(self, held: Pose) -> BodyData:
        """What the kernels read, ``held`` being the pose of the kernel frame in body axes."""

    @abstractmethod
    def marker(self, name: str, held: Pose) -> MarkerData:
        """A frame as a marker, ``held`` being the pose of the kernel frame in body axes."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, with the body's ``kind``."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Any, address: str = "body") -> Body:
        """The body that `to_dict` wrote."""

    def unknown_frame(self, name: str) -> ModelError:
        """The error for a frame that does not exist."""
        known = [f"{self.name}.{frame}" for frame in self.frame_names()]
        address = f"{self.name}.{name}"
        return ModelError.at(address, f'body "{self.name}" has no frame "{name}"; {suggestion(address, known)}')
