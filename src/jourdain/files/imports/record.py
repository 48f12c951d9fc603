"""What an imported system carries along besides bodies and joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ...describe.shapes import Placed

if TYPE_CHECKING:
    from .actuators import Actuator


class Feature(NamedTuple):
    """Something in a file that was not carried over.

    name    the element, or the element and the attribute: "camera", "geom.friction"
    file    where it stands
    line    from 1
    """

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}"


class Transmission(NamedTuple):
    """A motor behind a gear, as a file has it.

    joint            that it moves
    reduction        turns of the motor for one of the joint [1]
    rotor_inertia    on the motor's side [kg m^2], 0 where the file says nothing; in the joint's ``armature`` already
    """

    joint: str
    reduction: float
    rotor_inertia: float = 0.0


@dataclass
class Imported:
    """What a file says besides the mechanics; nothing of it acts until it is used. `System.imported` has it.

    source           name of the file
    kind             "urdf" or "mjcf"
    ignored          features that were left out, because `ignore` allowed it
    shapes           collision shapes on each body, for `System.contact` and `System.collide`
    effort_limits    the most that an actuator may give, by joint [N m], [N]
    speed_limits     by joint [rad/s], [m/s]
    transmissions    motors and gears, by joint
    actuators        of MJCF; `control` makes a law of them
    pairs            (geom, geom) that MJCF names for contact
    excluded         (body, body) that MJCF takes out of contact
    states           keyframes of MJCF: name to coordinates by name
    colours          (red, green, blue, alpha) of each body that the file gives one
    files            texts of the files that were read, by name
    renamed          names that an address cannot have, with those that were given instead
    """

    source: str
    kind: str
    ignored: tuple[Feature, ...] = ()
    shapes: dict[str, list[Placed]] = field(default_factory=dict)
    named_shapes: dict[str, Placed] = field(default_factory=dict)
    effort_limits: dict[str, float] = field(default_factory=dict)
    speed_limits: dict[str, float] = field(default_factory=dict)
    transmissions: dict[str, Transmission] = field(default_factory=dict)
    actuators: list[Actuator] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    excluded: list[tuple[str, str]] = field(default_factory=list)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    colours: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def control(self, model: Any, values: Mapping[str, float]) -> Any:
        """A law by which the actuators act at constant commands, for ``simulate(controller=...)``.

        model     the compiled system
        values    commands by actuator; 0 for the others
        """
        from .actuators import actuator_law

        return actuator_law(self.actuators, model, values)

    def __repr__(self) -> str:
        left = f", {len(self.ignored)} features ignored" if self.ignored else ""
        return f"Imported({self.source!r}{left})"
