"""What every joint can say of itself, to a user and to the compiler."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.registry import Kinds
from ...basics.values import name_problems
from ...kernels import kind_registry
from ..drives import Drive

if TYPE_CHECKING:
    from ...kernels.tree.tree_rows import BodyParameters
    from ..bodies.body import Body


def unit(vector: ArrayLike) -> np.ndarray:
    """The vector at length one."""
    given = np.asarray(vector)
    return given / np.linalg.norm(given)


def plane_axes(normal: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """The x and y directions of a plane, right-handed with its normal, (3,) each.

    x is the coordinate axis that follows the one closest to the normal, laid into the plane: normal z gives
    (x, y), normal x gives (y, z) and normal y gives (z, x).
    """
    n = unit(normal)
    following = np.eye(3)[(int(np.argmax(np.abs(n))) + 1) % 3]
    first = unit(following - n * (n @ following))
    return first, np.cross(n, first)


def column(angular: Any = (0.0, 0.0, 0.0), linear: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    return np.concatenate([angular, linear])


JOINTS: Kinds[Joint] = Kinds("joint")
"""The kinds of joints."""


@checked
class Joint(Described, ABC):
    """What lets a body move against the frame that it is added to."""

    name: str
    kind: ClassVar[str]
    q_suffixes: ClassVar[tuple[str, ...]]
    v_suffixes: ClassVar[tuple[str, ...]]
    turns_freely: ClassVar[bool] = False
    """Whether a quaternion is among its coordinates."""
    travels: ClassVar[bool] = False
    """Whether it moves along the x of its parent, from end to end."""
    closes: ClassVar[bool] = True
    """Whether it can close a loop."""
    axis_after: ClassVar[int | None] = None
    """Where it closes a loop and its axis keeps its direction: how many rows come before those two of the direction."""
    drive: Drive | None = None
    optional_fields: ClassVar[tuple[str, ...]] = ("drive",)

    def __init_subclass__(cls, **stated: Any) -> None:
        super().__init_subclass__(**stated)
        JOINTS.enter(cls)

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

    def holds(self, body: Body) -> Body:
        """What it makes of a body that is added on it: that body, but a winch makes of a cable one that it winds."""
        return body

    @property
    def code(self) -> int:
        """Its code in the kernels."""
        return kind_registry.JOINTS.index(self.kind)

    def kernel_axes(self, placed: np.ndarray) -> np.ndarray:
        """Rotation from its kernel frame to its own: there z is the axis of a one-axis joint, x and y are a plane's.

        placed    rotation of the joint where it was added
        """
        return np.eye(3)

    def lay(self, body: BodyParameters) -> None:  # noqa: B027  (most have none)
        """Puts its own numbers into the row of its body, `ModelArrays.bodies`."""

    @property
    def along_axis(self) -> tuple[float, float]:
        """Of a joint of one axis, by a unit of its coordinate: how far it turns about the axis, and slides along it
        [m]; springs and stops of coordinates that do neither find no stiffness by themselves."""
        return 0.0, 0.0

    def floats(self) -> np.ndarray:
        """Numbers of its own that are too many for that row; where they begin in `ModelArrays.floats` is TABLE_AT."""
        return np.zeros(0)

    @property
    def rows(self) -> tuple[int, int]:
        """Where it closes a loop: how many rows of constraints it is, and how many of these are holonomic."""
        return 6 - len(self.v_suffixes), 6 - len(self.v_suffixes)

    def closing(self, far: float) -> tuple[int, Any]:
        """Where it closes a loop: its code among constraints, and its numbers there.

        far    distance of the two frames in the zero configuration [m]
        """
        return self.code, self.kernel_axes(np.eye(3)).ravel()

    def turned(self, rotation: np.ndarray) -> Joint:
        """The same joint in other axes, to which ``rotation`` takes components; its coordinates keep their meaning, and
        a `ModelError` says where they cannot."""
        raise ModelError.at(
            self.name, f"the coordinates of a {self.kind} joint are those of its own axes, which cannot be turned"
        )

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the joint, reported at ``address``."""
        return name_problems(self.name, address, "joint")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Joint):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.kind, self.name))


def joint_from_dict(data: Any, address: str = "joint") -> Joint:
    """The joint that its `to_dict` wrote."""
    return JOINTS.from_dict(data, address)
