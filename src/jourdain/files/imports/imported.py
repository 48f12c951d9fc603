"""What an imported system carries along besides bodies and joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ...basics.warn import warn
from ...describe.shapes import Placed

if TYPE_CHECKING:
    from .actuators import Actuator


class LostMechanicsWarning(UserWarning):
    """Mechanics of an imported file that are not carried over."""


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


APPEARANCE = (
    "light", "camera", "visual", "texture", "material", "skin", "statistic", "mesh", "site", "compiler.fitaabb",
    "geom.rgba", "geom.material", "geom.group", "geom.fitscale", "hfield",
)  # fmt: skip
"""Features that are looks, by their beginning."""
SETTINGS = (
    "option", "compiler", "size", "custom", "sensor", "extension", "keyframe", "flag", "joint.user", "geom.user",
    "body.user", "mujocoinclude", "user",
)  # fmt: skip
"""Features that say how the other program computes or what it measures."""
MECHANICAL = (
    "option.density", "option.viscosity", "option.wind", "flag.gravity", "flag.limit", "flag.actuation", "flag.passive",
    "flag.frictionloss", "flag.equality", "flag.spring", "flag.damper", "compiler.alignfree", "light on", "site on",
)  # fmt: skip
"""Those of the settings that are mechanics all the same."""


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
    colliding        (body, body) that touch in the source, by its masks, pairs and exclusions; no contacts are made of
                     them. `contacts_known` is true where `ignore` named "contact"
    effort_ranges    (low, high) of the sum of all actuators on a joint, by joint; `control` keeps it
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
    colliding: tuple[tuple[str, str], ...] = ()
    contacts_known: bool = False
    effort_ranges: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def lost_mechanics(self) -> tuple[Feature, ...]:
        """What was left out that moves, holds or stops something: of `ignored` what is neither looks nor settings."""
        return tuple(one for one in self.ignored if sort_of(one) == "mechanics")

    @property
    def lost_appearance(self) -> tuple[Feature, ...]:
        """What was left out of how it looks."""
        return tuple(one for one in self.ignored if sort_of(one) == "appearance")

    @property
    def lost_settings(self) -> tuple[Feature, ...]:
        """What was left out of how the other program computes, and what it measures."""
        return tuple(one for one in self.ignored if sort_of(one) == "settings")

    def untouched(self, name: str) -> None:
        """Warns that bodies touch each other in the source and nothing of it does in a model, unless that is known."""
        if not self.colliding or self.contacts_known:
            return
        first, second = self.colliding[0]
        more = f", {len(self.colliding)} pairs in all," if len(self.colliding) > 1 else ""
        warn(
            f'{name}: contacts of {self.source} are not carried over: "{first}" and "{second}"{more} touch there, and '
            "pass through each other here; make them of system.imported.shapes (system.collide, system.contact), or "
            'say that they are left out on purpose, ignore=("contact",)',
            LostMechanicsWarning,
        )

    def control(self, model: Any, values: Mapping[str, float]) -> Any:
        """A law by which the actuators act at constant commands, for ``simulate(controller=...)``.

        model     the compiled system
        values    commands by actuator; 0 for the others
        """
        from .actuators import actuator_law

        return actuator_law(self.actuators, model, values, self.effort_ranges)

    def __repr__(self) -> str:
        left = f", {len(self.ignored)} features ignored" if self.ignored else ""
        return f"Imported({self.source!r}{left})"


def sort_of(feature: Feature) -> str:
    """ "mechanics", "appearance" or "settings"."""

    def among(words: tuple[str, ...]) -> bool:
        return any(feature.name == one or feature.name.startswith((f"{one}.", f"{one} ")) for one in words)

    if among(MECHANICAL):
        return "mechanics"
    return "appearance" if among(APPEARANCE) else "settings" if among(SETTINGS) else "mechanics"
