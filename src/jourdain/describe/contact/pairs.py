"""Pairs of shapes that can touch, as a user names them and as the kernels know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...basics.composite_types import ObjectOf
from ...basics.errors import ModelError, Problem, inside
from ...basics.fields import Described
from ...basics.pose import Pose
from ...basics.registry import Kinds
from ...basics.value_types import ValueType
from ...basics.values import name_problems, shown
from ...kernels.kind_registry import (
    CORNERS_PLANE,
    CYLINDER_POLYHEDRON,
    MIXED_CELLS,
    PEG_HOLE,
    POLYHEDRON_POLYHEDRON,
    SPHERE_CAPSULE,
    SPHERE_PLANE,
    SPHERE_SOLID,
)
from ..shapes import DeformableFacets, Placed, Shape
from ..shapes.bores import Bore
from ..shapes.cells import SolidCell
from ..shapes.shape import TouchingShape
from .friction import FRICTION_LAWS, FrictionLaw
from .normal import NORMAL_LAWS, NormalLaw
from .user_laws import ContactLaw, OwnFriction, OwnNormal
from .volumetric import VolumetricContact

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


class LawReader(NamedTuple):
    """Reads back laws: those of a registry, and what is left of a user's own."""

    known: Kinds[Any]
    own: type[OwnNormal | OwnFriction]

    def from_dict(self, data: Any, address: str) -> Any:
        """The law that its `to_dict` wrote."""
        kind = data.get("kind") if isinstance(data, Mapping) else None
        law = self.own if kind == "own" else self.known.of(kind, address)
        return law.from_dict(data, address)


LAWS: dict[str, ValueType] = {
    "normal": ObjectOf(LawReader(NORMAL_LAWS, OwnNormal)),
    "friction": ObjectOf(LawReader(FRICTION_LAWS, OwnFriction)),
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
    ones, others = (one.touching() if hasattr(one, "touching") else [TouchingShape(one)] for one in (first, second))
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


SEVERAL = 16
"""Capacity of sub-contacts of shapes which are not convex."""
CORNERS = 8
"""Places where a box or a convex mesh can touch a round hole."""
JOINED = 1e-9
"""Of its radius: how far apart two pieces of a round hole may be where they meet."""
ROLLING = ("cylinder", "cone", "capsule")


def _hole(shape: Shape) -> bool:
    return bool(getattr(shape, "inside", False))


def _direct(first: Shape, second: Shape) -> tuple[int, int] | None:
    a, b = first.kind, second.kind
    if a == "sphere" and b in ("plane", "sphere"):
        return SPHERE_PLANE, 1
    if a == "sphere" and (b in (*ROLLING, "edge") or (b in ("box", "convex") and not _hole(second))):
        return SPHERE_SOLID, 1
    if a in ROLLING and not _hole(first) and b in ("plane", "edge", "box", "convex") and not _hole(second):
        return CYLINDER_POLYHEDRON, 1
    if b == "cylinder" and _hole(second) and not _hole(first):
        if a == "cylinder":
            return PEG_HOLE, 2
        if a in ("box", "convex"):
            return PEG_HOLE, CORNERS
    return None


def _by_cells(first: Shape, second: Shape, parts: int | None) -> tuple[int, int]:
    """The finder of two bodies of cells; a `ModelError` where it does not know them."""
    from ..shapes.cell_tables import is_flat, pair_problems
    from ..shapes.cells import solid_cells

    one, two = solid_cells(first, "the first shape"), solid_cells(second, "the second shape")
    if problems := pair_problems(one, two, "overlap"):
        raise ModelError(problems)
    convex = len(one) * len(two) == 1 and not one[0].holes and not two[0].holes
    return POLYHEDRON_POLYHEDRON if is_flat(one) and is_flat(two) else MIXED_CELLS, 1 if convex else parts or SEVERAL


def kind_of_overlap(first: Shape, second: Shape, parts: int | None, normal: str = "inertia") -> tuple[int, int, bool]:
    """(family, slots, whether the pair is taken the other way round); a `ModelError` where it is not known.

    The foundation is in the second of the pair: where both are bounded and it matters, in the one of larger volume.
    """
    for one, other, swapped in ((first, second, False), (second, first, True)):
        found = _direct(one, other)
        if found is not None:
            return (*found, swapped)
    endless = ("plane", "edge")
    if first.kind in endless and second.kind in endless:
        raise ModelError.at("overlap", "two half-spaces have no finite overlap; give one body a shape of finite size")
    swapped = first.kind in endless
    if normal == "conservative" and not swapped and second.kind not in endless:
        swapped = _volume(first) > _volume(second)
    pair = (second, first) if swapped else (first, second)
    return (*_by_cells(*pair, parts), swapped)


def _volume(shape: Shape) -> float:
    from ..shapes.cells import solid_cells

    solid_cells(shape, "overlap")  # refuses what encloses nothing
    return float(shape.volume)


def _has_potential(first: list[SolidCell], second: list[SolidCell]) -> bool:
    """Whether all overlaps of two bodies of cells have a potential.

    Those of balls and of flat faces have; those of other round cells with flat ones, and of cylinders in round holes,
    too, if no faces of these lie between two cells, on which a jump of the depth is not looked for; those of two
    cylinders, and of flat cells in round holes, have not.
    """
    from ..shapes.polyhedra import shared_faces

    plain = [not any(shared_faces([cell.solid for cell in body])) for body in (first, second)]
    return all(_potential(one, two, plain) for one in first for two in second)


def _joined(bore: Bore) -> bool:
    """Whether the pieces of a round hole go on without a step."""
    radii = [(below[0] + below[1] * below[3], above[0] + above[1] * above[2]) for below, above in pairwise(bore.pieces)]
    return all(abs(one - two) <= JOINED * one for one, two in radii)


def _potential(one: SolidCell, two: SolidCell, plain: list[bool]) -> bool:
    kinds = [None if cell.curved is None else cell.curved.shape.kind for cell in (one, two)]
    if "sphere" in kinds:
        return True
    if one.holes or two.holes:
        drilled = 0 if one.holes else 1
        return kinds[1 - drilled] == "cylinder" and plain[drilled] and _joined((one, two)[drilled].holes[0])
    if kinds == [None, None]:
        return True
    return None in kinds and plain[kinds.index(None)]


def pushing(first: Shape, second: Shape, parts: int | None, normal: str) -> int:
    """Which way the parts of an overlap push, as the kernels know it (`ContactEntries.normal_kind`)."""
    from ...kernels.contact import contact_layout as C
    from ..shapes.cells import solid_cells

    if normal == "inertia":
        return C.INERTIA_NORMAL
    family, _, _ = kind_of_overlap(first, second, parts, normal)
    if family == PEG_HOLE:
        return C.POTENTIAL if first.kind == second.kind == "cylinder" else C.CONSERVATIVE
    if family == MIXED_CELLS and not _has_potential(solid_cells(first), solid_cells(second)):
        return C.CONSERVATIVE
    return C.POTENTIAL
