"""Pairs of shapes that can touch, as a user names them and as the kernels know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...basics.composite_types import ObjectOf
from ...basics.errors import ModelError, Problem, inside
from ...basics.fields import Described
from ...basics.pose import Pose
from ...basics.registry import Kinds
from ...basics.value_types import ValueType
from ...basics.values import name_problems, shown
from ...kernels.kind_registry import CORNERS_PLANE, SPHERE_CAPSULE
from ..shapes import DeformableFacets, Placed, Shape
from ..shapes.shape import Touching
from .friction import FRICTION_LAWS, FrictionLaw
from .normal import NORMAL_LAWS, NormalLaw
from .user_laws import ContactLaw, OwnFriction, OwnNormal
from .volumetric import VolumetricContact
from .volumetric_pairs import kind_of_overlap, pushing

if TYPE_CHECKING:
    from ..system import System


class PairKind(NamedTuple):
    """How a pair is found: its family, how many sites it can have, and whether it is named the other way round."""

    family: int
    slots: int
    swapped: bool


def _known(first: Shape, second: Shape) -> tuple[int, int] | None:
    if first.meets_as == "ball":
        return second.ball_sites()
    if first.meets_as == "capsule":
        return (SPHERE_CAPSULE, 2) if second.meets_capsules and not getattr(second, "inside", False) else None
    corners = first.corners() if second.kind == "plane" else 0
    return (CORNERS_PLANE, corners) if corners else None


def kind_of_pair(first: Shape, second: Shape) -> PairKind | None:
    """How the pair is found; None where point contact does not know it."""
    found = _known(first, second)
    if found is not None:
        return PairKind(*found, False)
    found = _known(second, first)
    return None if found is None else PairKind(*found, True)


class Laws(NamedTuple):
    """Reads back laws: those of a registry, and what is left of a user's own."""

    known: Kinds[Any]
    own: type[OwnNormal | OwnFriction]

    def from_dict(self, data: Any, address: str) -> Any:
        """The law that its `to_dict` wrote."""
        kind = data.get("kind") if isinstance(data, Mapping) else None
        law = self.own if kind == "own" else self.known.of(kind, address)
        return law.from_dict(data, address)


LAWS: dict[str, ValueType] = {
    "normal": ObjectOf(Laws(NORMAL_LAWS, OwnNormal)),
    "friction": ObjectOf(Laws(FRICTION_LAWS, OwnFriction)),
}
"""The two laws of a contact or a pile."""


@dataclass(frozen=True, eq=False)
class Contact(Described):
    """Two shapes that may touch, and how they then press and rub.

    group    the contact of a surface that it is a node of, None for one by itself
    area     of that surface which belongs to the node [m^2]
    surface  that surface, as "pad.face"
    law      its law, where that of the node follows from it and the area
    """

    name: str
    first: Placed
    second: Placed
    normal: NormalLaw
    friction: FrictionLaw | None
    group: str | None = None
    area: float | None = None
    surface: str | None = None
    law: NormalLaw | None = None
    field_types: ClassVar[Mapping[str, ValueType]] = LAWS | {"law": LAWS["normal"]}
    optional_fields: ClassVar[tuple[str, ...]] = ("group", "area", "surface", "law")

    @property
    def volumetric(self) -> bool:
        """Whether it knows its shapes by the volume of their overlap."""
        return self.normal.patches

    @property
    def pushing(self) -> int:
        """Which way the parts of a volumetric contact push, as the kernels know it."""
        assert isinstance(self.normal, VolumetricContact)
        return pushing(self.first.shape, self.second.shape, self.normal.parts, self.normal.normal)

    def found(self) -> PairKind | None:
        """How its sites are found; None where its law does not know the pair."""
        if isinstance(self.normal, VolumetricContact):
            try:
                return PairKind(
                    *kind_of_overlap(self.first.shape, self.second.shape, self.normal.parts, self.normal.normal)
                )
            except ModelError:
                return None
        return kind_of_pair(self.first.shape, self.second.shape)


def make_contact(name: str, first: Any, second: Any, normal: Any, friction: Any) -> Contact:
    """A contact of what `System.contact` was given; a `ModelError` where something is not what it should be."""
    for what, one in (("first", first), ("second", second)):
        if not isinstance(one, Placed):
            raise ModelError.at(
                str(name),
                f'contact: the {what} shape is {shown(one)}; give one such as Sphere(0.1).at("ball.origin")',
                "contact",
            )
    return Contact(name, first, second, *check_laws(name, "contact", normal, friction))


def make_contacts(name: str, first: Any, second: Any, normal: Any, friction: Any) -> list[Contact]:
    """The contacts of what `System.contact` was given: one, or one for each node of a surface of a solid."""
    ones, others = (one.touching() if hasattr(one, "touching") else [Touching(one)] for one in (first, second))
    if any(one.node is not None for one in ones) and any(one.node is not None for one in others):
        return _on_a_skin(name, first, second, normal, friction)
    out = []
    for one in ones:
        for other in others:
            node = one if one.node is not None else other
            if node.node is None:
                out.append(make_contact(name, one.placed, other.placed, normal, friction))
                continue
            law = normal.over(node.area) if hasattr(normal, "over") else normal
            made = make_contact(f"{name}[{node.node}]", one.placed, other.placed, law, friction)
            side = first if one.node is not None else second
            own = None if law is normal else normal
            out.append(replace(made, group=str(name), area=node.area, surface=f"{side.body}.{side.name}", law=own))
    return out


def _on_a_skin(name: str, first: Any, second: Any, normal: Any, friction: Any) -> list[Contact]:
    """The contacts of the nodes of a surface with the facets of another one."""
    if first.body == second.body:
        why = f'both surfaces are of "{first.body}", and laws of force act between two bodies'
        raise ModelError.at(str(name), f"{why}; give normal=jd.contact.MultiplierContact(), which keeps it from itself")
    meeting = first.on_facets()
    for side, lacks in ((first, not meeting), (second, not second.facets)):
        if lacks:
            raise ModelError.at(str(name), side.no_facets)
    if first.facets and (len(first.facets[0]) == 2) != (len(second.facets[0]) == 2):
        raise ModelError.at(
            str(name), "one surface is of a plane solid, the other one of a solid in space; give two alike"
        )
    out = []
    address, home = f"{first.body}.{first.name}", f"{second.body}.{second.name}"
    for one in meeting:
        radius = getattr(one.placed.shape, "radius", 0.0)
        skin = Placed(
            DeformableFacets(one.placed.address, home, second.facets, radius), f"{second.body}.origin", Pose()
        )
        law = normal.over(one.area) if hasattr(normal, "over") else normal
        made = make_contact(f"{name}[{one.node}]", one.placed, skin, law, friction)
        own = None if law is normal else normal
        out.append(replace(made, group=str(name), area=one.area, surface=address, law=own))
    return out


def check_laws(name: str, word: str, normal: Any, friction: Any) -> tuple[NormalLaw, FrictionLaw | None]:
    """The two laws of a contact or a pile; a user's law without parameters may be given bare."""
    normal = normal() if isinstance(normal, ContactLaw) else normal
    friction = friction() if isinstance(friction, ContactLaw) else friction
    if not isinstance(normal, NormalLaw):
        raise ModelError.at(str(name), f"{word}: normal is {shown(normal)}; give a law such as HertzContact(...)")
    if friction is not None and not isinstance(friction, FrictionLaw):
        raise ModelError.at(
            str(name), f"{word}: friction is {shown(friction)}; give a law such as BristleFriction(...), or None"
        )
    return normal, friction


def contact_problems(system: System, contact: Contact) -> list[Problem]:
    """Everything wrong with a contact."""
    from ..addresses import address_problems

    address = str(contact.name)
    problems = name_problems(contact.name, address, "contact")
    found: list[Problem] = []
    for word, placed in (("first", contact.first), ("second", contact.second)):
        found += inside(word, placed.check(address))
        where = f"at({shown(placed.address)})"
        found += inside(f"{word}.at", address_problems(system, placed.address, address, where))
    bodies = {str(placed.address).partition(".")[0] for placed in (contact.first, contact.second)}
    if not found and len(bodies) == 1:
        found.append(Problem(address, f'both shapes are on "{bodies.pop()}"; a body does not touch itself'))
    if not found and contact.found() is None:
        kinds = f"{contact.first.shape.kind} with {contact.second.shape.kind}"
        found.append(
            Problem(address, f"volumetric contact does not know {kinds}: {_why_not(contact)}")
            if contact.volumetric
            else Problem(
                address,
                f"point contact does not know {kinds}; it knows a sphere with every shape, a capsule with a plane, "
                "capsule, box, cylinder or cone, and a box, cylinder, cone or convex mesh with a plane; put such "
                "shapes on the bodies, or give normal=VolumetricContact(...), which knows solids of any form",
            )
        )
    problems += found
    law = inside("normal", contact.normal.check(address))
    problems += law
    if not found and not law:
        try:
            contact.normal.numbers(contact.first.shape, contact.second.shape, address)
        except ModelError as error:
            problems += error.problems
    if contact.friction is not None:
        problems += inside("friction", contact.friction.check(address))
        if getattr(contact.friction, "static", None) is not None and contact.friction.kind == "coulomb":
            problems.append(
                Problem(address, "CoulombFriction(static=...) is for MultiplierContact; BristleFriction sticks")
            )
        if contact.volumetric and isinstance(contact.friction, OwnFriction):
            problems.append(
                Problem(
                    address,
                    "volumetric contact takes BristleFriction, CoulombFriction or None: a law of slip "
                    "says nothing of spin",
                )
            )
    return problems


def _why_not(contact: Contact) -> str:
    """What volumetric contact misses in a pair."""
    try:
        kind_of_overlap(contact.first.shape, contact.second.shape, None)
    except ModelError as error:
        return "; ".join(str(problem) for problem in error.problems)
    return ""


def site_names(contact: Contact) -> list[str]:
    """Names of the places where a contact can touch: its own, numbered where there are several."""
    kind = contact.found()
    if kind is None or kind.slots == 1:
        return [str(contact.name)]
    return [f"{contact.name}[{slot}]" for slot in range(kind.slots)]
