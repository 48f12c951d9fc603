"""Volumetric contact: a foundation of springs over the surface of contact, known by the volume of the overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.composite_types import ListOf, ObjectOf, Union
from ...basics.errors import ModelError, Problem
from ...basics.value_types import Array, Integer, Number, Text, ValueType
from ...basics.values import as_number, number_problems, shown
from ...kernels.kind_registry import FOUNDATION
from ..shapes import Shape
from .materials import Material
from .normal import NormalLaw, damping_factor, restitution_problems

HERTZ = 4.0 * math.sqrt(6.0) / (9.0 * math.pi)
"""k_v r_gyr / E*: with it a thin spherical cap, V = pi R d^2 and r_gyr^2 = 2 R d / 3, gives 4/3 E* R^1/2 d^3/2."""
CONTENSOU = ("ansatz", "integrated")
NORMALS = ("conservative", "inertia")


def confined_modulus(material: Material) -> float:
    """Modulus of a layer that cannot yield sideways, E (1 - nu) / ((1 + nu) (1 - 2 nu)), Johnson 1985, 4.3 [Pa]."""
    return material.E * (1.0 - material.nu) / ((1.0 + material.nu) * (1.0 - 2.0 * material.nu))


def in_series(first: float, second: float) -> float:
    """Stiffness of two foundations on each other; infinite for a rigid one (Gonthier 2007, eq. 4.132)."""
    return 1.0 / (1.0 / first + 1.0 / second)


@checked
@dataclass(frozen=True)
class VolumetricContact(NormalLaw):
    """Contact from the volume of interference (Gonthier 2007, chapter 4): normal force, rolling resistance, and with a
    friction law slip and spin; for shapes of any form that touch over nearly flat patches.

    stiffness      k_v of the foundation [N/m^3]: of both bodies together, or a pair (first, second), inf for rigid; or
    material       (first, second) `Material`, None for a rigid one, from which the stiffness follows
    depth          of the foundation of both bodies, or a pair (first, second) [m]; with `material`. The stiffness of
                   each is that of a confined layer, E (1 - nu) / ((1 + nu) (1 - 2 nu)) / depth
    hertz          True for a stiffness that follows the size of the patch, 0.3465 E* / r_gyr, with `material` and
                   without `depth`: thin spherical caps then obey Hertz; other forms come near
    restitution    above 0 and at most 1: that of a free impact
    slow_speed     the smallest impact speed that the damping is set for [m/s]
    relaxation     time constant with which the volume found at touchdown decays [s], long beside an impact; None: off
    contensou      how slip and spin share friction: "ansatz" of the thesis, or "integrated" over the patch
    spin_factor    factor of the spinning torque; 0.65 in the thesis's modified tippe-top
    normal         "conservative": the elastic force and its line of action are the gradient of one potential of the
                   overlap, against a plane along its normal; or "inertia", the principal axis of the volume inertia of
                   the thesis, which leans by up to 21 degrees for corners and pushes sideways without friction
    parts          the capacity of sub-contacts; None for one between convex shapes, 16 between others

    A part of an overlap is one sub-contact, with an impact speed, a normal and bristles of its own.
    """

    stiffness: Any = None
    material: Any = None
    depth: Any = None
    hertz: bool = False
    restitution: float = 0.5
    slow_speed: float = 1e-3
    relaxation: float | None = None
    contensou: str = "ansatz"
    spin_factor: float = 1.0
    parts: int | None = None
    normal: str = "conservative"
    kind: ClassVar[str] = "volumetric"
    code: ClassVar[int] = FOUNDATION
    patches: ClassVar[bool] = True
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "material": ListOf(ObjectOf(Material)),
        "stiffness": Union(Number(), Array(2)),
        "depth": Union(Number(), Array(2)),
        "contensou": Text(CONTENSOU),
        "parts": Integer(1, 10_000),
        "normal": Text(NORMALS),
    }
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            stiffness: float | Sequence[float] | None = None,
            material: Sequence[Material | None] | None = None,
            depth: float | Sequence[float] | None = None,
            hertz: bool = False,
            restitution: float = 0.5,
            slow_speed: float = 1e-3,
            relaxation: float | None = None,
            contensou: str = "ansatz",
            spin_factor: float = 1.0,
            parts: int | None = None,
            normal: str = "conservative",
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("restitution", "slow_speed", "relaxation", "spin_factor"):
            value = getattr(self, name)
            if value is not None or name != "relaxation":
                object.__setattr__(self, name, as_number(value, f"VolumetricContact {name}"))
        for name in ("stiffness", "depth"):
            value = getattr(self, name)
            what = f"VolumetricContact {name}"
            if isinstance(value, tuple | list):
                object.__setattr__(self, name, tuple(as_number(one, what) for one in value))
            elif value is not None:
                object.__setattr__(self, name, as_number(value, what))
        if isinstance(self.material, list):
            object.__setattr__(self, "material", tuple(self.material))
        if not isinstance(self.hertz, bool):
            raise ModelError.at("VolumetricContact hertz", f"got {shown(self.hertz)}; give True or False")

    def to_dict(self) -> dict[str, Any]:
        """What descriptions hold; those from before there was a choice of the normal say nothing of it: "inertia"."""
        data = super().to_dict()
        return data if self.normal != "inertia" else {name: data[name] for name in data if name != "normal"}

    @classmethod
    def from_dict(cls, data: Any, address: str = "") -> VolumetricContact:
        """What `to_dict` wrote, now or before."""
        if isinstance(data, Mapping) and "normal" not in data:
            data = {**data, "normal": "inertia"}
        return super().from_dict(data, address)

    def check(self, address: str) -> list[Problem]:
        problems = restitution_problems(self.restitution, address)
        problems += number_problems(self.slow_speed, address, "slow_speed [m/s]", above=0.0)
        problems += number_problems(self.spin_factor, address, "spin_factor", least=0.0)
        if self.relaxation is not None:
            problems += number_problems(self.relaxation, address, "relaxation [s]", above=0.0)
        if self.parts is not None and (not isinstance(self.parts, int) or self.parts < 1):
            text = f"parts is {shown(self.parts)}; give a whole number above 0, or None"
            problems.append(Problem(address, text))
        if self.contensou not in CONTENSOU:
            one_of = ", ".join(CONTENSOU)
            problems.append(
                Problem(address, f"contensou is {shown(self.contensou)}; it must be one of {one_of}", "contensou")
            )
        if self.normal not in NORMALS:
            one_of = ", ".join(NORMALS)
            problems.append(Problem(address, f"normal is {shown(self.normal)}; it must be one of {one_of}", "normal"))
        if (self.stiffness is None) == (self.material is None):
            problems.append(
                Problem(address, "give stiffness= [N/m^3] or material=(first, second), one of them", "stiffness")
            )
        elif self.stiffness is not None:
            problems += self._stiffness_problems(address)
        else:
            problems += self._material_problems(address)
        return problems

    def _stiffness_problems(self, address: str) -> list[Problem]:
        problems = []
        if self.depth is not None or self.hertz:
            word = "depth" if self.depth is not None else "hertz"
            problems.append(Problem(address, f"{word} goes with material=; stiffness= says it all already", word))
        if not isinstance(self.stiffness, tuple):
            return problems + number_problems(self.stiffness, address, "stiffness [N/m^3]", above=0.0)
        if len(self.stiffness) != 2 or not all(one > 0.0 for one in self.stiffness) or math.inf == min(self.stiffness):
            problems.append(
                Problem(
                    address,
                    f"stiffness is {self.stiffness}; give two numbers above 0, at most one of them inf",
                    "stiffness",
                )
            )
        return problems

    def _material_problems(self, address: str) -> list[Problem]:
        pair = self.material
        if (
            not isinstance(pair, tuple)
            or len(pair) != 2
            or not all(one is None or isinstance(one, Material) for one in pair)
            or pair == (None, None)
        ):
            what = "give (jd.Material(E, nu), jd.Material(E, nu)), one of them None for a rigid body"
            return [Problem(address, f"material is {shown(pair)}; {what}", "material")]
        problems = [problem for one in pair if one is not None for problem in one.check(address)]
        if self.hertz:
            if self.depth is not None:
                problems.append(Problem(address, "hertz=True needs no depth: the stiffness follows the patch", "hertz"))
            return problems
        if self.depth is None:
            return [*problems, Problem(address, "give depth= of the foundation [m], or hertz=True")]
        if isinstance(self.depth, tuple) and len(self.depth) != 2:
            return [*problems, Problem(address, f"depth is {self.depth}; give one number or two [m]", "depth")]
        for one, depth in zip(pair, self._depths(), strict=True):
            if one is None:
                continue
            problems += number_problems(depth, address, "depth [m]", above=0.0)
            if one.nu > 0.49:
                text = f"Poisson's ratio {one.nu:g} makes a confined layer rigid; give stiffness= [N/m^3]"
                problems.append(Problem(address, text))
        return problems

    def _depths(self) -> tuple[float, float]:
        return self.depth if isinstance(self.depth, tuple) else (self.depth, self.depth)

    def foundation(self) -> float:
        """k_v of both bodies together [N/m^3]; with ``hertz`` k_v r_gyr [N/m^2]."""
        if self.stiffness is not None:
            return in_series(*self.stiffness) if isinstance(self.stiffness, tuple) else float(self.stiffness)
        if self.hertz:
            return HERTZ * in_series(*(math.inf if one is None else one.plane_modulus for one in self.material))
        each = (
            math.inf if one is None else confined_modulus(one) / depth
            for one, depth in zip(self.material, self._depths(), strict=True)
        )
        return in_series(*each)

    @property
    def state_names(self) -> tuple[str, ...]:
        return ("elastic", "offset")

    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        from ...kernels.contact.contact_rows import FoundationParameters

        row = FoundationParameters(np.zeros(FoundationParameters.size))
        row.stiffness, row.following, row.damping = (
            self.foundation(),
            self.hertz,
            damping_factor(self.restitution),
        )
        row.slow_speed, row.relaxation = self.slow_speed, self.relaxation or 0.0
        row.spin_factor, row.integrated = self.spin_factor, self.contensou == "integrated"
        row.deepest = self._deepest()
        return row.numbers

    def _deepest(self) -> float:
        """Depth up to which the law holds [m]: that of the foundations together; infinite where they have none."""
        if self.depth is None:
            return math.inf
        return sum(depth for one, depth in zip(self.material, self._depths(), strict=True) if one is not None)
