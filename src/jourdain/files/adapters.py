"""Constructors for files where Python's own take what a file cannot give: files, or any number of arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..basics.errors import JourdainError, ModelError
from ..basics.storage import from_json
from ..basics.values import suggestion
from ..describe.bodies import Body, body_from_dict
from ..describe.constraints.connections import Coupling, make_coupling
from ..describe.system import Force, System

PART_BYTES = 64 * 2**20
"""Largest file of a reduced part that is read."""


def reduced_body(name: str, path: Path) -> Body:
    """A reduced finite-element part, as `System.save` wrote it.

    path    JSON file with the integrals of the part, its frames and its coordinates
    """
    with path.open("rb") as file:
        raw = file.read(PART_BYTES + 1)
    if len(raw) > PART_BYTES:
        raise ModelError.at("path", f"{path.name} is larger than {PART_BYTES} bytes")
    try:
        data = from_json(raw, path.name)
    except JourdainError as error:
        raise ModelError.at("path", str(error)) from None
    return body_from_dict(data | {"kind": "reduced", "name": name}, path.name)


def force(
    name: str,
    at: str,
    force: Any = (0, 0, 0),
    moment: Any = (0, 0, 0),
    axes: str = "world",
    along: bool = False,
) -> Force:
    """A force [N] and a moment [N m] that act on a frame, or along a body.

    at        address of the frame that they act on, or the name of the body
    force     three numbers [N], or a force element
    moment    three numbers [N m]
    axes      "world" or "body"
    along     true where they act along the whole body, and are a length of it [N/m, N m/m]
    """
    one = System("force")
    one.force(name, at, force, moment, axes, along)
    return one.forces[0]


@dataclass(frozen=True)
class SurfaceOf:
    """A surface of a solid, whose nodes touch, or of a cable, whose segments do.

    surface    its address: the solid's name, a dot, a name among its surfaces; a cable's name and ".line"
    """

    surface: str


def _found(one: Any, address: str, system: System, field: str) -> Any:
    """What a file lets touch: a shape, or the surface of a body that it names."""
    if not isinstance(one, SurfaceOf):
        return one
    body, _, name = one.surface.partition(".")
    bodies = {str(item.body.name): item.body for item in system.attachments}
    if body not in bodies:
        wrong = f'no body is called "{body}"; {suggestion(body, bodies)}'
    elif (regions := getattr(bodies[body], "regions", None)) is None:
        wrong = f"a {type(bodies[body]).__name__} has no surfaces; a Solid or Cable has, or give a shape"
    elif name not in regions:
        known = suggestion(name, regions) if regions else f"name some in surfaces: of {body}"
        wrong = f'{body} has no surface "{name}"; {known}'
    else:
        return bodies[body].surface(name)  # type: ignore[attr-defined]
    raise ModelError.at(address, f"surface {one.surface}: {wrong}", f"{field}.surface")


@dataclass(frozen=True)
class ContactEntry:
    """Two shapes that can touch.

    first, second    shapes on frames, or surfaces of solids and cables, {surface: pad.face}. Forces in results act on
                     the body of the first
    normal           law of the normal force
    friction         law of friction; leave it out for none
    """

    name: str
    first: Any
    second: Any
    normal: Any
    friction: Any = None

    def put(self, system: System) -> None:
        """Adds it to a system that has its bodies."""
        first, second = (_found(getattr(self, side), self.name, system, side) for side in ("first", "second"))
        system.contact(self.name, first, second, self.normal, self.friction)


@dataclass(frozen=True)
class PileEntry:
    """Many shapes that can all touch each other.

    shapes      shapes on frames, and surfaces of cables, {surface: rope.line}
    normal      law of the normal force
    friction    law of friction; leave it out for none
    broad       how pairs near each other are found: "cells", "sweep" or "lists"
    sites       how many places can touch at once; 4 a shape unless given
    """

    name: str
    shapes: Sequence[Any]
    normal: Any
    friction: Any = None
    broad: str = "cells"
    sites: int | None = None

    def put(self, system: System) -> None:
        """Adds it to a system that has its bodies."""
        shapes = [_found(one, self.name, system, f"shapes[{k}]") for k, one in enumerate(self.shapes)]
        system.collide(self.name, shapes, self.normal, self.friction, self.broad, self.sites)


def coupling(name: str, terms: Any, value: Any = 0.0, rates: bool = False) -> Coupling:
    """Coordinates that are coupled: sum of coefficient times coordinate = value.

    terms    coefficients by the names of coordinates
    value    a number, or a motion that it follows; zero unless given
    rates    true where velocities are coupled, and value is a rate
    """
    return make_coupling(name, terms, value, rates)


def cell(members: Sequence[Any]) -> Any:
    """What several shapes have in common, less the holes among them (inside: true).

    members    shapes, each with its position and rotation in the cell where it has one
    """
    from ..describe.shapes import Cell

    return Cell(*members)


def sequence(paths: Sequence[Any], pause: float = 0.0) -> Any:
    """Paths one after the other, each beginning where and when the one before ends.

    paths    Line, Circle, Via or Sequence
    pause    time at rest between two [s]
    """
    from ..control.paths import Sequence as Paths

    return Paths(*paths, pause=pause)


def shaped(
    motion: Any,
    frequency: Any,
    damping: Any = 0.0,
    shaper: str = "ZV",
    vibration: float = 0.05,
    value: float = 0.0,
    until: float | None = None,
) -> Any:
    """A motion shaped so that the vibration of a mode, or of several, cancels.

    motion       the profile
    frequency    natural frequency of the mode [Hz]; several for several modes
    damping      its ratio, one for each frequency or one for all
    shaper       "ZV", "ZVD" or "EI"
    vibration    residual that "EI" allows
    value        of the coordinate where the motion begins [rad or m]
    until        how long the motion itself lasts [s]
    """
    from ..control.shaping import Shaper

    return Shaper(frequency, damping, shaper, vibration).shape(motion, value, until)
