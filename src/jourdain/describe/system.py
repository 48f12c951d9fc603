"""System: what a person edits. Forgiving to build, checked as a whole, compiled into a Model."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.lazy_import import above
from ..basics.markup import escape
from ..basics.pose import Pose, as_rotation, as_vector
from ..basics.types import Goal, RotationLike, VectorLike
from ..basics.values import numbers, shown, suggestion
from .addresses import WORLD
from .bodies.body import Body
from .constraints.connections import Connection, Coupling, Link, make_connection, make_coupling
from .contact.friction import FrictionLaw
from .contact.granular import Pile, make_pile
from .contact.multipliers import MultiplierContact, Touching, make_touching
from .contact.normal import NormalLaw
from .contact.pairs import Contact, make_contacts
from .contact.user_laws import ContactLaw
from .environment import Orbit
from .force_elements import ForceElement
from .joints import Joint
from .laws import BoundLaw, Law
from .motions import Motion
from .shapes import Placed
from .shapes.cable_segments import LineSurface
from .solids.contact_surfaces import SolidSurface

if TYPE_CHECKING:
    from ..files.imports.imported import Imported
    from ..model.model import Model
    from ..view.posing import PoseViewer


@dataclass(frozen=True, eq=False)
class Attachment:
    """A body in its place: the joint sits at ``pose`` in the frame ``to`` and holds the body at ``at``."""

    body: Body
    joint: Joint
    to: str
    pose: Pose
    at: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", self.joint.holds(self.body))

    @property
    def parent(self) -> str:
        """Name of the body that it hangs on, or ``"world"``."""
        return self.to.partition(".")[0]


@dataclass(frozen=True, eq=False)
class Force:
    """A force and moment that act on a frame.

    name      unique among the forces
    at        address of the frame that they act on
    force     [N], (3,), zero when there is a law
    moment    [N m], (3,), zero when there is a law
    axes      "world", or "body" for the own axes of the body that ``at`` is on
    law       what supplies all six numbers (moment, force) while the simulation runs, a `ForceElement`, or None
    along     whether they act along the whole body that ``at`` names, numbers and laws being a length of it
    """

    name: str
    at: str
    force: np.ndarray
    moment: np.ndarray
    axes: str
    law: Any = None
    along: bool = False

    @property
    def body(self) -> str:
        """Name of the body that it acts on."""
        return self.at.partition(".")[0]

    @property
    def is_code(self) -> bool:
        """Whether a law gives it that no file can hold."""
        return self.law is not None and bool(getattr(self.law, "is_code", True))

    @property
    def law_name(self) -> str | None:
        """Name of the law, or None when the force is constant."""
        if self.law is None:
            return None
        return str(getattr(self.law, "name", None) or getattr(self.law, "__name__", type(self.law).__name__))


@checked
class System:
    """A multibody system as it is described: bodies, the joints that hold them, and the forces on them.

    name           for people
    gravity        uniform, in world axes [m/s^2]
    environment    an `Orbit` instead of gravity, on which the world then moves; None for a world at rest
    """

    def __init__(self, name: str, gravity: VectorLike = (0.0, 0.0, 0.0), environment: Orbit | None = None) -> None:
        self.name = name
        self.gravity = gravity
        self.environment = environment
        self.attachments: list[Attachment] = []
        self.forces: list[Force] = []
        self.contacts: list[Contact] = []
        self.touching: list[Touching] = []
        self.piles: list[Pile] = []
        self.connections: list[Connection] = []
        self.couplings: list[Coupling] = []
        self.imported: Imported | None = None

    @property
    def gravity(self) -> np.ndarray:
        """Uniform gravity in world axes, (3,), read-only [m/s^2]."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        self._gravity = as_vector(value, f"{self.name}: gravity")

    @property
    def environment(self) -> Orbit | None:
        """The orbit that the world moves on, or None."""
        return self._environment

    @environment.setter
    def environment(self, value: Orbit | None) -> None:
        if value is not None and not isinstance(value, Orbit):
            raise ModelError.at(f"{self.name}: environment", f"got {shown(value)}; give an Orbit, or None")
        self._environment = value

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, in the order in which they were added."""
        return tuple(attachment.body for attachment in self.attachments)

    def body(self, name: str) -> Body:
        """The body of that name; a `ModelError` lists what exists."""
        for body in self.bodies:
            if body.name == name:
                return body
        known = (body.name for body in self.bodies)
        raise ModelError.at(str(name), f'there is no body "{name}"; {suggestion(name, known)}')

    def add(
        self,
        body: Body,
        joint: Joint,
        to: str = WORLD,
        position: VectorLike = (0.0, 0.0, 0.0),
        rotation: RotationLike | None = None,
        at: str = "origin",
    ) -> Body:
        """Add a body and return it; a `Winch` makes of a cable one that it winds.

        joint       what holds it
        to          address of the frame that the joint sits in; the body it names may be added later. A `Rail` takes
                    the body that it travels along
        position    of the joint in that frame [m]
        rotation    of the joint in that frame: a quaternion (w, x, y, z), a 3x3 or a SciPy ``Rotation``
        at          name of the body's own frame by which the joint holds it
        """
        if not isinstance(body, Body):
            raise ModelError.at(self.name, f"add: body is {shown(body)}; give a body, such as RigidBody(...)")
        if not isinstance(joint, Joint):
            raise ModelError.at(
                str(body.name), f"add: joint is {shown(joint)}; give a joint, such as Revolute(...)", "joint"
            )
        place = as_vector(position, f"{body.name}: position")
        turn = as_rotation(rotation, f"{body.name}: rotation")
        if not isinstance(to, str):
            raise ModelError.at(str(body.name), f'to={shown(to)}; give an address, "body.frame" or "world"', "to")
        if not isinstance(at, str):
            raise ModelError.at(str(body.name), f"at={shown(at)}; give the name of one of the body's frames", "at")
        if joint.travels and to != WORLD and "." not in to:
            to = f"{to}.origin"
        self.attachments.append(Attachment(body, joint, to, Pose(place, turn), at))
        return self.attachments[-1].body

    def force(
        self,
        name: str,
        at: str,
        force: VectorLike | Law | BoundLaw | ForceElement = (0.0, 0.0, 0.0),
        moment: VectorLike = (0.0, 0.0, 0.0),
        axes: str = "world",
        along: bool = False,
    ) -> None:
        """Let a force [N] and a moment [N m] act on the frame ``at``.

        force     three numbers, or a law that supplies all six (moment, force) while the simulation runs; or
                  a force element: `Electrodynamic`, which acts along the body, or `jd.contact.wheelset(...)`
        moment    three numbers; leave it alone when ``force`` is a law
        axes      "world", or "body" for the own axes of the body that ``at`` is on
        along     True: they act along the whole cable or beam that ``at`` names, and are forces [N/m] and moments
                  [N m/m] a length of it without deformation
        """
        torque = as_vector(moment, f"{name}: moment")
        if getattr(force, "is_law", False) or isinstance(force, ForceElement):
            along = bool(along) or bool(getattr(force, "along", False))
            self.forces.append(Force(name, at, as_vector((0, 0, 0), name), torque, axes, force, along))
        else:
            self.forces.append(Force(name, at, as_vector(force, f"{name}: force"), torque, axes, along=bool(along)))

    def check(self) -> list[Problem]:
        """Everything wrong with the system, each with its address; an empty list when it can be compiled."""
        from .checks import system_problems

        return system_problems(self)

    def compile(self) -> Model:
        """The model: flat arrays that the kernels read. A `ModelError` lists all that stands in the way."""
        return above("compile.model:compile_system")(self)

    def connect(
        self,
        element: Joint | Link,
        first: str,
        second: str,
        moves: Sequence[Motion | None] | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        rotation: RotationLike | None = None,
        active: bool = True,
    ) -> None:
        """Connect two frames of bodies that are there, or of a body and the world: close a loop, or stretch a spring.

        element    a joint without springs, limits or drive, whose axis is in the axes of both frames; a `Rod` of fixed
                   length, `Rolling` or `NoSlip`; or a `Spring`, which is a force and no constraint
        first      address of a frame; forces in results act on it
        second     address of the other
        moves      three profiles, such as ``(None, Sine(0.01, 2.0), None)``, that displace the origin of the second
                   frame along its own axes with time; joints and rods of fixed length
        position   of the second frame in the one that ``second`` names [m]: ``"world", position=(1.0, 0.0, 0.0)``
        rotation   of the second frame there: a quaternion (w, x, y, z), a 3x3 or a SciPy ``Rotation``
        active     False where nothing connects them until an event does: ``jd.Event(..., connect="latch")``. A joint is
                   then closed where the frames are, and a rod or a spring without a length gets that of the moment

        A joint that closes a loop has no coordinates. See docs/build/constraints.md.
        """
        self.connections.append(make_connection(element, first, second, moves, position, rotation, active))

    def couple(self, name: str, terms: Mapping[str, float], value: Goal = 0.0, rates: bool = False) -> None:
        """Couple coordinates, as gears do: sum of coefficient times coordinate = value.

        terms    coefficients by name: ``{"wheel": 1.0, "pinion": -3.0}``
        value    a number, or a profile that it follows
        rates    True: velocities are coupled, and value is a rate
        """
        self.couplings.append(make_coupling(name, terms, value, rates))

    def contact(
        self,
        name: str,
        first: Placed | SolidSurface | LineSurface,
        second: Placed | SolidSurface | LineSurface,
        normal: NormalLaw | ContactLaw | MultiplierContact,
        friction: FrictionLaw | ContactLaw | None = None,
    ) -> None:
        """Let two shapes touch.

        first, second    shapes on bodies: ``Sphere(0.1).at("payload.origin")``; one of them may be a surface of a
                         `Solid`, ``pad.surface("face")``, whose nodes then touch, or both, where the nodes of the
                         first touch the facets of the second; or the surface of a `Cable`, ``rope.surface()``. Forces
                         in results act on the first
        normal           law of the normal force, such as `HertzContact`, or a user-defined one (`normal_law`), or
                         `MultiplierContact`, by which nothing goes into each other
        friction         law of friction, such as `BristleFriction`, or a user-defined one (`friction_law`); None for
                         none
        """
        if isinstance(normal, MultiplierContact):
            self.touching.append(make_touching(name, first, second, normal, friction))
            return
        self.contacts += make_contacts(name, first, second, normal, friction)

    def collide(
        self,
        name: str,
        shapes: Sequence[Placed | LineSurface],
        normal: NormalLaw | ContactLaw,
        friction: FrictionLaw | ContactLaw | None = None,
        broad: str = "cells",
        sites: int | None = None,
    ) -> None:
        """Let many shapes touch each other, all pairs but those of one body or of bodies that a joint connects.

        shapes      shapes on bodies, and surfaces of cables: ``[Sphere(0.1).at("ball.origin"), rope.surface(), ...]``;
                    a cable touches itself too
        normal      law of the normal force; with materials, each pair has the stiffness of its radii
        friction    law of friction, None for none
        broad       how pairs near each other are found: "cells", "sweep" (sorted along x) or "lists" (all tried)
        sites       how many places can touch at once; None for 4 a shape
        """
        self.piles.append(make_pile(name, shapes, normal, friction, broad, sites))

    def make_flexible(self, name: str, body: Body, along: tuple[str, str] | None = None) -> Body:
        """Put a flexible body, such as a `Beam`, in the place of a rigid one; returns it under the old name.

        name     of the rigid body. Its joint, its place, and all that is fixed to it or acts on it stay
        body     the flexible one; its own name does not matter, and its frames are added to those of the rigid body
                 that lie on it. These are then places on the flexible body, in the axes of its sections
        along    (from, to): frames of the rigid body between which a beam lies, y and z by the shortest turn from the
                 body's own; None for the rigid body's x axis from its origin

        A frame that something is fixed to, or acts on, and that does not lie on the flexible body is an error; a mass
        that differs by more than a tenth is a warning.
        """
        from .replacement import replace_body

        return replace_body(self, name, body, along)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        root: str | os.PathLike[str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        ignore: bool | Collection[str] = False,
        free_base: bool = False,
        strict: bool = False,
    ) -> System:
        """Read a system from a YAML file, from the section `system` of a scenario, or from URDF (``.urdf``) or MJCF
        (``.xml``, ``.mjcf``).

        root         folder that files named in it must lie in, links followed; None for that of the file itself
        packages     folders of ``package://NAME/`` in URDF; those around the file, inside the root, are found by name
        ignore       of URDF and MJCF: True leaves out what is not carried over, or names of what to leave out, such as
                     ("gazebo", "geom.friction"); all else that is not carried over is refused by name and line.
                     `system.imported.ignored` lists what was left out, `lost_mechanics` what of it is mechanics
        free_base    True: the root link of a URDF file moves freely, on the joint "root_joint"
        strict       True: mechanics that are not carried over are refused unless `ignore` names them, contacts too

        A `ScenarioError` has every mistake that was found, with its line.
        """
        return above("files.system_file:load_system")(path, root, packages, ignore, free_base, strict)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the system to a YAML file that `load` reads back as the same system.

        Large meshes, those of solids and reduced parts go into files beside it, which it names. Laws are code and
        cannot be written: a `ModelError` names them.
        """
        return above("files.system_file:save_system")(self, path)

    def view(self, **given: Any) -> PoseViewer:
        """Look at the system in the browser and move its joints; takes what `Model.view` takes besides the state."""
        return self.compile().view(**given)

    def _repr_html_(self) -> str:
        """Its tree, for notebooks."""
        return f"<pre>{escape(repr(self))}</pre>"

    def __repr__(self) -> str:
        where = f"gravity {numbers(self.gravity)} m/s^2" if self.environment is None else f"in {self.environment}"
        lines = [f'System("{self.name}"), {where}', WORLD]
        children: dict[str, list[Attachment]] = {}
        for attachment in self.attachments:
            children.setdefault(attachment.parent, []).append(attachment)
        shown_already: set[int] = set()

        # A stack, not recursion: a chain of a thousand bodies is a system too.
        stack = [(attachment, "") for attachment in reversed(children.get(WORLD, []))]
        last = {id(group[-1]) for group in children.values()}
        while stack:
            item, indent = stack.pop()
            if id(item) in shown_already:
                continue
            shown_already.add(id(item))
            end = id(item) in last
            where = "" if item.to == WORLD else f" at {item.to}"
            held = f"{item.body.name} on {item.joint.name} ({item.joint.kind}){where}"
            lines.append(f"{indent}{'└─' if end else '├─'} {held}")
            below = indent + ("   " if end else "│  ")
            stack += [(child, below) for child in reversed(children.get(item.body.name, []))]
        for item in self.attachments:
            if id(item) not in shown_already:
                lines.append(f"not connected to the world: {item.body.name}, added to {item.to}")
        lines += [f"force {force.name} {'along' if force.along else 'at'} {force.at}" for force in self.forces]
        for contact in self.contacts:
            sides = [f"{one.shape.kind} on {one.address}" for one in (contact.first, contact.second)]
            lines.append(f"contact {contact.name}: {sides[0]} with {sides[1]}")
        lines += [f"contact {one.name}: {one.first.address} with {one.second.address}" for one in self.touching]
        lines += [f"contact {pile.name}: {len(pile.shapes)} shapes with each other" for pile in self.piles]
        for one in self.connections:
            word = "connection" if one.constrains else "spring"
            kind = f" ({one.element.kind})" if one.constrains else ""
            later = "" if one.active else ", not until an event connects it"
            lines.append(f"{word} {one.name}{kind}: {one.first} with {one.second}{later}")
        for coupling in self.couplings:
            terms = " + ".join(f"{k:g} {name}{chr(39) * coupling.rates}" for name, k in coupling.terms.items())
            goal = f"{coupling.value:g}" if isinstance(coupling.value, float) else type(coupling.value).__name__
            lines.append(f"coupling {coupling.name}: {terms} = {goal}".replace("+ -", "- "))
        return "\n".join(lines)
