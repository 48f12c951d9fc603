"""Piles: all pairs among many shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.errors import ModelError, Problem, inside
from ...basics.fields import Described
from ...basics.value_types import ValueType
from ...basics.values import name_problems, shown
from ...kernels.kind_registry import SPHERE_CAPSULE
from ..shapes import Placed
from .friction import FrictionLaw
from .normal import NormalLaw
from .pairs import LAWS, check_laws, kind_of_pair

if TYPE_CHECKING:
    from ..system import System

MARGIN, LARGE = 0.25, 8.0
"""Margin of the lists, and least size of large shapes, over the typical size of the shapes in a pile."""
BROAD = ("cells", "sweep", "lists")


@dataclass(frozen=True, eq=False)
class Pile(Described):
    """Shapes that may all touch each other, and how they then press and rub."""

    name: str
    shapes: tuple[Placed, ...]
    normal: NormalLaw
    friction: FrictionLaw | None
    broad: str
    sites: int | None
    field_types: ClassVar[Mapping[str, ValueType]] = LAWS

    @property
    def slots(self) -> int:
        """How many sites it can have at once."""
        return 4 * len(self.shapes) + 32 if self.sites is None else self.sites

    def classes(self) -> tuple[list[Placed], list[int]]:
        """A shape of each kind, and of each size where stiffness follows from it, and the class of every shape."""
        sized = getattr(self.normal, "material", None) is not None
        found: dict[Any, int] = {}
        examples: list[Placed] = []
        numbers = []
        for placed in self.shapes:
            shape = placed.shape
            key = shape if sized else (shape.kind, getattr(shape, "inside", False))
            if key not in found:
                found[key] = len(examples)
                examples.append(placed)
            numbers.append(found[key])
        return examples, numbers

    def meetings(self) -> list[tuple[Placed, Placed]]:
        """A pair of each two classes that may touch: planes do not touch planes, nor fixed shapes each other."""
        examples, numbers = self.classes()
        count = np.bincount(numbers, minlength=len(examples))
        moving = [False] * len(examples)
        last = list(examples)
        for placed, number in zip(self.shapes, numbers, strict=True):
            moving[number] |= not placed.address.startswith("world")
            last[number] = placed
        return [
            (one, examples[j] if i != j else last[i])
            for i, one in enumerate(examples)
            for j in range(i + 1)
            if (i != j or count[i] > 1) and (moving[i] or moving[j])
        ]

    def sizes(self) -> tuple[float, float]:
        """How near shapes are listed before they touch, and the radius above which one is tried against all [m].

        Both are parts of the geometric mean of the balls that hold the shapes, which a few huge or tiny shapes hardly
        change. A small margin asks for many lists, a large one makes them long.
        """
        balls = np.array([placed.shape.reach for placed in self.shapes])
        typical = float(np.exp(np.mean(np.log(balls[np.isfinite(balls)]))))
        return MARGIN * typical, LARGE * typical

    def families(self) -> set[int]:
        """The finders that it needs."""
        kinds = (kind_of_pair(a.shape, b.shape) for a, b in self.meetings())
        return {SPHERE_CAPSULE} | {kind.family for kind in kinds if kind is not None}


def make_pile(name: str, shapes: Any, normal: Any, friction: Any, broad: str, sites: int | None) -> Pile:
    """A pile of what `System.collide` was given."""
    if not isinstance(shapes, Sequence) or not all(hasattr(one, "touching") for one in shapes):
        raise ModelError.at(
            str(name),
            f"collide: shapes is {shown(shapes)}; give a list such as "
            '[Sphere(0.1).at("ball.origin"), rope.surface(), ...]',
            "shapes",
        )
    normal, friction = check_laws(name, "collide", normal, friction)
    found = tuple(touching.placed for one in shapes for touching in one.touching())
    return Pile(name, found, normal, friction, broad, sites)


def pile_problems(system: System, pile: Pile) -> list[Problem]:
    """Everything wrong with a pile."""
    from ..addresses import address_problems

    address = str(pile.name)
    problems = name_problems(pile.name, address, "contact")
    if len(pile.shapes) < 2:
        problems.append(Problem(address, f"has {len(pile.shapes)} shapes; give at least two"))
    if pile.broad not in BROAD:
        problems.append(
            Problem(address, f"broad is {shown(pile.broad)}; it must be one of {', '.join(BROAD)}", "broad")
        )
    if pile.sites is not None and (not isinstance(pile.sites, int) or pile.sites < 1):
        problems.append(
            Problem(address, f"sites is {shown(pile.sites)}; give a whole number above 0, or None", "sites")
        )
    known = {body.name: set(body.frame_names()) for body in system.bodies}
    for k, placed in enumerate(pile.shapes):
        body, _, frame = placed.address.partition(".")
        problems += inside(f"shapes[{k}]", placed.check(address))
        if placed.address != "world" and frame not in known.get(body, ()):
            missing = address_problems(system, placed.address, address, f'at "{placed.address}"')
            problems += inside(f"shapes[{k}].at", missing)
    if pile.normal.patches:
        text = "a pile is of point contacts; name the pairs of a VolumetricContact with contact(...)"
        problems.append(Problem(address, text))
    problems += inside("normal", pile.normal.check(address))
    if pile.friction is not None:
        problems += inside("friction", pile.friction.check(address))
    if problems:
        return problems
    meetings = pile.meetings()
    if not meetings:
        problems.append(Problem(address, "no two of its shapes can touch: all are fixed; put some on bodies"))
    for one, other in meetings:
        if kind_of_pair(one.shape, other.shape) is None:
            kinds = f"{one.shape.kind} ({one.address}) with {other.shape.kind} ({other.address})"
            problems.append(
                Problem(
                    address,
                    f"point contact does not know {kinds}; leave one out, or name the pairs with "
                    "contact(..., normal=VolumetricContact(...))",
                )
            )
            continue
        try:
            pile.normal.numbers(one.shape, other.shape, address)
        except ModelError as error:
            problems += error.problems
    return problems
