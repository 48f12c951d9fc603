"""Contact by multipliers: surfaces of solids whose nodes meet what they touch, instead of pressing into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.composite_types import ObjectOf
from ...basics.errors import ModelError, Problem, inside
from ...basics.fields import Described
from ...basics.value_types import Integer, Text, ValueType
from ...basics.values import expect_keys, expect_list, expect_text, name_problems, number_problems, shown
from ...kernels import kind_registry
from ..shapes import SHAPES, Placed
from .friction import FRICTION_LAWS, CoulombFriction

if TYPE_CHECKING:
    from ..system import System

FORMS = ("node", "mortar")
SCHEMES = ("impulse", "acceleration")


@checked
@dataclass(frozen=True)
class MultiplierContact(Described):
    """Nodes that touch meet a surface exactly; their forces are multipliers that cannot pull (Kim 1999, chapter 2).

    form      "node": each node of the first surface meets the nearest facet of the second, or a rigid shape; "mortar":
              gaps are integrals over the first surface, so that a constant pressure passes between meshes that do
              not match. For surfaces of solids against each other
    passes    1, or 2: the nodes of the second surface meet the first one too
    scheme    "impulse": every step has impulses of its own (Bruels, Acary & Cardona 2014); forces are smooth, and a
              node that lands loses its speed along the normal. "acceleration": forces enter the accelerations that the
              method remembers (Chaudhary & Bathe 1986); with Newmark(0.5, 0.5) energy is kept, while forces change
              about their mean from step to step. One for all contacts of a system
    tolerance gap that may be left, or how deep a node may be inside, at the end of a step [m]; None for 1e-6 of the
              size of the facets. A step goes on until all gaps are met within it

    For `newmark` and `generalized-alpha` at fixed steps, with `CoulombFriction` or none.
    """

    form: str = "node"
    passes: int = 1
    scheme: str = "impulse"
    tolerance: float | None = None
    kind: ClassVar[str] = "multiplier"
    optional_fields: ClassVar[tuple[str, ...]] = ("tolerance",)
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "form": Text(FORMS),
        "passes": Integer(1, 2),
        "scheme": Text(SCHEMES),
    }

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at `address`."""
        problems = []
        for what, given, known in (("form", self.form, FORMS), ("scheme", self.scheme, SCHEMES)):
            if given not in known:
                allowed = " or ".join(f'"{one}"' for one in known)
                problems.append(Problem(address, f"{what} is {shown(given)}; give {allowed}", what))
        if self.passes not in (1, 2) or isinstance(self.passes, bool):
            problems.append(Problem(address, f"passes is {shown(self.passes)}; give 1 or 2", "passes"))
        if self.tolerance is not None:
            problems += number_problems(self.tolerance, address, "tolerance", above=0.0)
        return problems


@dataclass(frozen=True, eq=False)
class Side:
    """What takes part in a contact by multipliers: a surface of a solid, or a shape on a body.

    address   of the body, or of the frame that carries the shape
    nodes     of a surface, (k,); none of a shape
    areas     that belong to them, (k,) [m^2]
    facets    of a surface, of its nodes
    placed    the shape; None of a surface
    name      of the surface
    rings     whether it is that of a body of revolution which touches another one: facets are segments of the half
              section, and forces of nodes are those of whole rings
    """

    address: str
    nodes: np.ndarray
    areas: np.ndarray
    facets: tuple[tuple[int, ...], ...]
    placed: Placed | None = None
    name: str = ""
    rings: bool = False

    @property
    def points(self) -> list[str]:
        """Addresses of the places that can touch something: nodes, or the centre of a ball."""
        if self.placed is not None:
            return [self.placed.address] if self.placed.shape.meets_as == "ball" else []
        return [self.frame(node) for node in self.nodes.tolist()]

    def frame(self, node: int) -> str:
        """Address of the place of a node."""
        return f"{self.address}.{'ring' if self.rings else 'node'}[{node}]"

    @property
    def radius(self) -> float:
        """Of the ball around such a place [m]."""
        return 0.0 if self.placed is None or self.placed.shape.kind == "point" else float(self.placed.shape.reach)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        if self.placed is not None:
            return self.placed.to_dict()
        data: dict[str, Any] = {
            "body": self.address,
            "surface": self.name,
            "nodes": self.nodes.tolist(),
            "areas": self.areas.tolist(),
            "facets": [list(one) for one in self.facets],
        }
        return data | ({"rings": True} if self.rings else {})

    @classmethod
    def from_dict(cls, data: Any, address: str) -> Side:
        """The side that `to_dict` wrote."""
        if not isinstance(data, dict) or "surface" not in data:
            placed = Placed.from_dict(data, address)
            return cls(placed.address, np.zeros(0, int), np.zeros(0), (), placed)
        data = expect_keys(data, address, ("body", "surface", "nodes", "areas", "facets"), ("rings",))
        facets = tuple(tuple(int(k) for k in one) for one in expect_list(data["facets"], f"{address}.facets"))
        nodes, areas = np.array(data["nodes"], int), np.array(data["areas"], float)
        body, rings = expect_text(data["body"], f"{address}.body"), bool(data.get("rings", False))
        return cls(body, nodes, areas, facets, None, str(data["surface"]), rings)


@dataclass(frozen=True, eq=False)
class Touching(Described):
    """Two sides that touch by multipliers."""

    name: str
    first: Side
    second: Side
    normal: MultiplierContact
    friction: CoulombFriction | None = None
    field_types: ClassVar[Mapping[str, ValueType]] = {"friction": ObjectOf(FRICTION_LAWS)}

    def roles(self) -> list[tuple[Side, Side]]:
        """(the side whose nodes touch, what they touch), one for each pass."""
        a, b = (self.first, self.second) if self.first.points else (self.second, self.first)
        both = self.normal.passes == 2 and bool(b.points)
        return [(a, b), (b, a)] if both else [(a, b)]


def side_of(given: Any, name: str, rings: bool = False) -> Side:
    """A side of what `System.contact` was given; rings: both are surfaces of bodies of revolution."""
    none = np.zeros(0)
    if isinstance(given, Placed):
        return Side(given.address, none.astype(int), none, (), given)
    if rings:
        return Side(given.body, given.nodes, given.areas, given.rings, None, given.name, True)
    if hasattr(given, "facets"):
        return Side(given.body, given.nodes, given.areas, given.facets, None, given.name)
    raise ModelError.at(
        str(name),
        f'contact: got {shown(given)}; give pad.surface("face"), or a shape such as Plane().at("world")',
        "contact",
    )


def make_touching(name: str, first: Any, second: Any, normal: MultiplierContact, friction: Any) -> Touching:
    """A contact by multipliers of what `System.contact` was given."""
    if friction is not None and not isinstance(friction, CoulombFriction):
        raise ModelError.at(
            str(name),
            f"contact: friction is {shown(friction)}; MultiplierContact takes CoulombFriction(...), or None",
            "friction",
        )
    rings = all(getattr(one, "rings", ()) for one in (first, second))
    return Touching(str(name), side_of(first, name, rings), side_of(second, name, rings), normal, friction)


def touching_problems(system: System, one: Touching) -> list[Problem]:
    """Everything wrong with a contact by multipliers."""
    from ..addresses import address_problems

    at = one.name
    problems = name_problems(one.name, at, "contact") + inside("normal", one.normal.check(at))
    if one.friction is not None:
        problems += inside("friction", one.friction.check(at))
    sides = (one.first, one.second)
    for word, side in zip(("first", "second"), sides, strict=True):
        if side.placed is not None:
            problems += inside(word, side.placed.check(at))
        where = side.address if side.placed is not None else f"{side.address}.origin"
        problems += inside(f"{word}.at", address_problems(system, where, at, f"at({shown(side.address)})"))
    if problems:
        return problems
    if not any(side.points for side in sides):
        kinds = " with ".join(side.placed.shape.kind for side in sides if side.placed is not None)
        return [Problem(at, f"{kinds} has no nodes that could touch; give a surface of a Solid, a Point or a Sphere")]
    for _, touched in one.roles():
        shape = None if touched.placed is None else touched.placed.shape
        touchable = [word for word in kind_registry.SHAPES if SHAPES[word].by_distance]
        if shape is not None and (shape.kind not in touchable or getattr(shape, "inside", False)):
            known = ", ".join(touchable)
            problems.append(Problem(at, f"nodes cannot touch a {shape.kind} by multipliers; they can a {known}"))
        if shape is None and not touched.facets:
            why = f'"{touched.address}" is a body of revolution, which touches planes across its axis'
            problems.append(Problem(at, f"{why}, and others on that axis; give one of these, or a solid in space"))
        elif one.normal.form == "mortar" and touched.rings:
            why = 'form="mortar" integrates over flat surfaces, not over rings'
            problems.append(Problem(at, f'{why}; give form="node"'))
        elif one.normal.form == "mortar" and any(side.placed is not None for side in sides):
            problems.append(
                Problem(
                    at,
                    'form="mortar" is for two surfaces of solids; give form="node", which is exact with a shape',
                    "form",
                )
            )
    flat = {len(side.facets[0]) == 2 for side in sides if side.facets}
    if len(flat) == 2:
        problems.append(
            Problem(at, "one surface is of a plane solid, the other one of a solid in space; give two alike")
        )
    bodies = [side.address.partition(".")[0] for side in sides]
    if bodies[0] == bodies[1] and any(side.placed is not None for side in sides):
        why = f'both sides are on "{bodies[0]}"; give two surfaces for a solid that touches itself'
        problems.append(Problem(at, why))
    return problems
