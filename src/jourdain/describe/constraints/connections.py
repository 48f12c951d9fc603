"""What `System.connect` takes: joints that close loops, and links that only connections can be."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.composite_types import ListOf, ObjectOf, Union
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.pose import Pose, as_rotation, as_vector
from ...basics.registry import Kinds
from ...basics.types import AxisLike, Goal
from ...basics.value_types import Number, ValueType
from ...basics.values import as_axis, as_number, axis_problems, name_problems, number_problems, shown
from ...kernels.kind_registry import NO_SLIP, ROD, ROLLING
from ..joints import JOINTS, Joint, unit
from ..motions import MOTIONS, Motion

LINKS: Kinds[Link] = Kinds("link")
"""The kinds of what connects two frames and is no joint."""
PROFILE = Union(Number(), ObjectOf(MOTIONS))


@checked
class Link(Described, ABC):
    """What connects two frames and is no joint."""

    name: str
    kind: ClassVar[str]
    closes: ClassVar[bool] = False
    """Whether it is a joint that closes a loop."""
    rows: ClassVar[tuple[int, int]] = (0, 0)
    """How many rows of constraints it is, and how many of these are holonomic."""

    def __init_subclass__(cls, **stated: Any) -> None:
        super().__init_subclass__(**stated)
        LINKS.enter(cls)

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at ``address``."""
        return name_problems(self.name, address, self.kind)

    def closing(self, far: float) -> tuple[int, Any]:
        """Its code among constraints, and its numbers there; far: of the frames in the zero configuration [m]."""
        raise NotImplementedError(self.kind)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Link) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, self.name))


@checked
@dataclass(frozen=True, eq=False)
class Rod(Link):
    """Keeps the distance of two points; without mass.

    name      unique among joints and connections
    length    [m], or a profile such as `Sine` that changes it with time; None for what it is in the zero configuration.
              A profile that begins from "the state's value" begins from that length too
    """

    name: str
    length: float | Motion | None = None
    kind: ClassVar[str] = "rod"
    field_types: ClassVar[Mapping[str, ValueType]] = {"length": PROFILE}
    rows: ClassVar[tuple[int, int]] = (1, 1)

    def __post_init__(self) -> None:
        if self.length is not None and not isinstance(self.length, Motion):
            object.__setattr__(self, "length", as_number(self.length, f"{self.name}: length"))

    def closing(self, far: float) -> tuple[int, Any]:
        return ROD, [self.length if isinstance(self.length, float) else far]

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address)
        if isinstance(self.length, float):
            problems += number_problems(self.length, address, "length [m]", above=0.0)
        return problems


@checked
@dataclass(frozen=True, eq=False)
class Rolling(Link):
    """A disk or a ball on the first body rolls without slipping on the plane z = 0 of the second frame.

    The centre is the origin of the first frame, on the side of the plane that its z points to. One row keeps the
    height, two the velocity of the point that touches: these constrain velocities only.

    name      unique among joints and connections
    radius    [m]
    axis      of a disk, in the first frame: "x", "y", "z" or three numbers; None for a ball
    """

    name: str
    radius: float
    axis: AxisLike | None = None
    kind: ClassVar[str] = "rolling"
    rows: ClassVar[tuple[int, int]] = (3, 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", as_number(self.radius, f"{self.name}: radius"))
        if self.axis is not None:
            object.__setattr__(self, "axis", as_axis(self.axis, f"{self.name}: axis"))

    def closing(self, far: float) -> tuple[int, Any]:
        axis = np.zeros(3) if self.axis is None else unit(self.axis)
        return ROLLING, [self.radius, 0.0 if self.axis is None else 1.0, *axis]

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address) + number_problems(self.radius, address, "radius [m]", above=0.0)
        return problems if self.axis is None else problems + axis_problems(self.axis, address)


@checked
@dataclass(frozen=True, eq=False)
class NoSlip(Link):
    """The origin of the first frame does not move sideways over the second body: a knife edge, a blade, a wheel's axle.

    name         unique among joints and connections
    direction    along which its velocity is zero, in the first frame: "x", "y", "z" or three numbers
    """

    name: str
    direction: AxisLike = "y"
    kind: ClassVar[str] = "no-slip"
    rows: ClassVar[tuple[int, int]] = (1, 0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", as_axis(self.direction, f"{self.name}: direction"))

    def closing(self, far: float) -> tuple[int, Any]:
        return NO_SLIP, unit(self.direction)

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + axis_problems(self.direction, address, "direction")


@checked
@dataclass(frozen=True, eq=False)
class Spring(Link):
    """A spring and damper along the line between two points: a force, not a constraint.

    It pulls its ends together with ``stiffness * (distance - length) + damping * rate of the distance + force``.

    name         unique among joints and connections
    stiffness    [N/m]
    length       free length [m]; None for the distance in the zero configuration
    damping      [N s/m]
    force        constant pull [N]; a push where it is negative
    """

    name: str
    _: KW_ONLY
    stiffness: float = 0.0
    length: float | None = None
    damping: float = 0.0
    force: float = 0.0
    kind: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        for what in ("stiffness", "damping", "force"):
            object.__setattr__(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        if self.length is not None:
            object.__setattr__(self, "length", as_number(self.length, f"{self.name}: length"))

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address)
        for what, per in (("stiffness", "N/m"), ("damping", "N s/m")):
            problems += number_problems(getattr(self, what), address, f"{what} [{per}]", least=0.0)
        problems += number_problems(self.force, address, "force [N]")
        if self.length is not None:
            problems += number_problems(self.length, address, "length [m]", least=0.0)
        return problems


class _Elements:
    """Reads back what a connection may be: a joint or a link."""

    @staticmethod
    def from_dict(data: Any, address: str) -> Any:
        """The joint or the link that its `to_dict` wrote."""
        linked = isinstance(data, Mapping) and data.get("kind") in LINKS
        return (LINKS if linked else JOINTS).from_dict(data, address)


@dataclass(frozen=True, eq=False)
class Connection(Described):
    """Two frames and what is between them.

    element         a joint that closes a loop, or a `Rod`, `Rolling`, `NoSlip` or `Spring`
    first, second   addresses; forces in results act on the first
    moves           profiles (or None) along the axes of the second frame that displace its origin with time; None
    place           of the second frame in the one that ``second`` names
    active          False where an event is to connect it
    """

    element: Any
    first: str
    second: str
    moves: tuple[Motion | None, ...] | None = None
    place: Pose = Pose()
    active: bool = True
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "element": ObjectOf(_Elements),
        "moves": ListOf(ObjectOf(MOTIONS)),
    }
    optional_fields: ClassVar[tuple[str, ...]] = ("place", "active")

    @property
    def name(self) -> str:
        """That of its element."""
        return self.element.name

    @property
    def constrains(self) -> bool:
        """Whether it is a constraint: all but springs are."""
        return self.element.kind != "spring"

    @classmethod
    def _from_fields(cls, **values: Any) -> Connection:
        place = values.pop("place", Pose())
        return make_connection(**values, position=place.position, rotation=place.rotation)

    @property
    def way(self) -> str:
        """What is found out where an event connects it: "pose" of a joint, which closes where the frames are, "length"
        of a rod or a spring without one, "" of others, which are as given."""
        if self.element.closes:
            return "pose"
        return "length" if self.element.kind in ("rod", "spring") and self.element.length is None else ""

    @property
    def placed(self) -> bool:
        """Whether the second frame is elsewhere than the one that ``second`` names."""
        return self.place != Pose()


def make_connection(
    element: Any,
    first: Any,
    second: Any,
    moves: Any = None,
    position: Any = (0.0, 0.0, 0.0),
    rotation: Any = None,
    active: Any = True,
) -> Connection:
    """A connection of what `System.connect` was given; a `ModelError` where something is not what it should be."""
    if not isinstance(element, (Joint, Link)):
        raise ModelError.at(
            "connect", f"got {shown(element)}; give a joint, such as Revolute(...), or a Rod, Rolling, NoSlip or Spring"
        )
    where = str(element.name)
    for what, address in (("first", first), ("second", second)):
        if not isinstance(address, str):
            raise ModelError.at(where, f'{what} is {shown(address)}; give an address, "body.frame" or "world"', what)
    place = Pose(as_vector(position, f"{where}: position"), as_rotation(rotation, f"{where}: rotation"))
    if not isinstance(active, bool):
        raise ModelError.at(
            where, f"active is {shown(active)}; give True, or False for what an event is to connect", "active"
        )
    if moves is None:
        return Connection(element, first, second, place=place, active=active)
    try:
        profiles = tuple(moves)
    except TypeError:
        profiles = ()
    if len(profiles) != 3 or not all(one is None or isinstance(one, Motion) for one in profiles):
        raise ModelError.at(
            where, f"moves is {shown(moves)}; give three profiles, such as (None, Sine(0.01, 2.0), None)", "moves"
        )
    return Connection(element, first, second, profiles if any(profiles) else None, place, active)


@dataclass(frozen=True, eq=False)
class Coupling(Described):
    """sum of coefficient times coordinate = value.

    name     unique among joints, connections and couplings
    terms    coefficients by names of coordinates, of velocities where ``rates``
    value    a number or a profile
    rates    whether it couples velocities
    """

    name: str
    terms: dict[str, float]
    value: Goal = 0.0
    rates: bool = False
    field_types: ClassVar[Mapping[str, ValueType]] = {"value": PROFILE}

    @classmethod
    def _from_fields(cls, **values: Any) -> Coupling:
        return make_coupling(**values)


def make_coupling(name: Any, terms: Any, value: Any = 0.0, rates: Any = False) -> Coupling:
    """A coupling of what `System.couple` was given; a `ModelError` where something is not what it should be."""
    where = str(name)
    if not isinstance(terms, Mapping) or not terms:
        raise ModelError.at(
            where, f'couple: got {shown(terms)}; give coefficients by name: {{"wheel": 1.0, "pinion": -3}}'
        )
    numbers = {str(key): as_number(one, f"{where}: coefficient of {key}") for key, one in terms.items()}
    if not isinstance(value, Motion):
        value = as_number(value, f"{where}: value")
    if not isinstance(rates, bool):
        raise ModelError.at(where, f"rates is {shown(rates)}; give True for velocities, False for coordinates", "rates")
    return Coupling(name, numbers, value, rates)
