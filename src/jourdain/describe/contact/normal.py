"""Normal laws: how hard two shapes press each other apart."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem, inside
from ...basics.fields import Described
from ...basics.registry import Kinds
from ...basics.values import as_number, number_problems, shown
from ...kernels.kind_registry import KELVIN, POWER
from ..shapes import Shape
from .materials import Material


@lru_cache(maxsize=1024)
def damping_factor(restitution: float) -> float:
    """d / e of Gonthier 2007, eq. 3.23: k x^p (1 + (d / e) rate / v_i) gives a free impact exactly this restitution.

    (1 + d / e) / (1 - d) = exp(d (1 + 1 / e)), solved for L = ln(1 - d), which keeps its digits for small e.
    """
    e = float(restitution)
    if not 0.0 < e <= 1.0:
        raise ModelError.at("restitution", f"got {shown(restitution)}; give a number above 0 and at most 1")
    if e > 1.0 - 1e-6:
        return 1.5 * (1.0 - e) / e

    def left(L: float) -> float:
        d = -math.expm1(L)
        return (1.0 + 1.0 / e) * d + L - math.log1p(d / e)

    low, high = -(1.0 + 1.0 / e) - math.log1p(1.0 / e) - 5.0, math.log1p(-0.75 * (1.0 - e))
    for _ in range(200):
        middle = 0.5 * (low + high)
        if left(middle) < 0.0:
            low = middle
        else:
            high = middle
    return -math.expm1(0.5 * (low + high)) / e


@checked
class SiteLaw(Described, ABC):
    """A law of what happens at a site. It has states of its own.

    code    by which the kernels know it
    laws    the registry that it enters where it is defined
    """

    kind: ClassVar[str]
    code: ClassVar[int]
    laws: ClassVar[Kinds[Any]]
    complete: ClassVar[bool] = True

    def __init_subclass__(cls, known: bool = True, **options: Any) -> None:
        super().__init_subclass__(**options)
        if known:
            cls.laws.enter(cls)

    @abstractmethod
    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at `address`."""

    @property
    @abstractmethod
    def state_names(self) -> tuple[str, ...]:
        """One name for every state that a site has."""


NORMAL_LAWS: Kinds[NormalLaw] = Kinds("normal law")
"""Normal laws by their kind."""


@checked
class NormalLaw(SiteLaw):
    """A law of the normal force. It sees depth, rate and impact speed of a site.

    patches    whether it knows its shapes by the volume of their overlap
    """

    laws: ClassVar[Kinds[Any]] = NORMAL_LAWS
    code: ClassVar[int] = POWER
    patches: ClassVar[bool] = False

    @property
    def state_names(self) -> tuple[str, ...]:
        return () if getattr(self, "relaxation", None) is None else ("relaxation",)

    @abstractmethod
    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        """Parameters for the kernels, between these two shapes."""

    def over(self, area: float) -> NormalLaw:
        """The law of a node to which this area of a surface belongs [m^2]; one of forces does not ask for it."""
        return self


def as_numbers(law: Any, optional: tuple[str, ...] = (), others: tuple[str, ...] = ()) -> None:
    """Makes the fields of a law floats; those of `optional` may be None, and `others` are left alone."""
    for field in fields(law):
        value = getattr(law, field.name)
        if field.name in others or (value is None and field.name in optional):
            continue
        object.__setattr__(law, field.name, as_number(value, f"{type(law).__name__} {field.name}"))


def _as_switch(law: Any) -> None:
    if not isinstance(law.adhesive, bool):
        raise ModelError.at(f"{type(law).__name__} adhesive", f"got {shown(law.adhesive)}; give True or False")


def restitution_problems(value: Any, address: str) -> list[Problem]:
    """Restitution is above 0 and at most 1."""
    problems = number_problems(value, address, "restitution", above=0.0)
    if problems and value == 0:
        return [Problem(address, "restitution is 0; no finite damping stops a body dead: give 0.01", "restitution")]
    if not problems and value > 1.0:
        return [Problem(address, f"restitution is {value:g}; give at most 1, which loses nothing", "restitution")]
    return problems


@checked
@dataclass(frozen=True)
class HertzContact(NormalLaw):
    """k depth^1.5 with damping that gives a free impact exactly the restitution asked for (Gonthier 2007, eq. 3.19).

    stiffness      k [N/m^1.5] of a site, or
    material       (first, second) `Material` of the two shapes, from which Hertz's stiffness follows
    restitution    above 0 and at most 1
    slow_speed     the smallest impact speed that the damping is set for [m/s]
    relaxation     time constant with which the depth found at touchdown decays [s], long beside an impact; None for off
    adhesive       whether the force may pull while the shapes part
    exponent       of the depth
    """

    stiffness: float | None = None
    material: Sequence[Material] | None = None
    restitution: float = 0.5
    slow_speed: float = 1e-3
    relaxation: float | None = None
    adhesive: bool = False
    exponent: float = 1.5
    kind: ClassVar[str] = "hertz"

    def __post_init__(self) -> None:
        as_numbers(self, ("stiffness", "relaxation"), ("material", "adhesive"))
        _as_switch(self)
        if isinstance(self.material, list):
            object.__setattr__(self, "material", tuple(self.material))

    def factor(self) -> float:
        """Damping times impact speed, a v_i, without unit."""
        return damping_factor(float(self.restitution))

    def check(self, address: str) -> list[Problem]:
        problems = restitution_problems(self.restitution, address)
        if (self.stiffness is None) == (self.material is None):
            problems.append(
                Problem(address, "give stiffness= [N/m^1.5] or material=(first, second), one of them", "stiffness")
            )
        if self.stiffness is not None:
            problems += number_problems(self.stiffness, address, "stiffness [N/m^p]", above=0.0)
        problems += _material_problems(self.material, address)
        problems += number_problems(self.slow_speed, address, "slow_speed [m/s]", above=0.0)
        problems += number_problems(self.exponent, address, "exponent", least=1.0)
        if self.relaxation is not None:
            problems += number_problems(self.relaxation, address, "relaxation [s]", above=0.0)
        return problems

    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        from ...kernels.contact.contact_rows import NormalParameters

        stiffness = self.stiffness
        if stiffness is None:
            from .hertz import hertz_stiffness

            assert self.material is not None
            one, other = self.material
            try:
                stiffness = hertz_stiffness(first, second, one, other)
            except ModelError as error:
                raise ModelError([Problem(address, problem.message) for problem in error.problems]) from None
        row = NormalParameters(np.zeros(NormalParameters.size))
        row.stiffness, row.exponent, row.damping = stiffness, self.exponent, self.factor()
        row.slow_speed, row.relaxation, row.adhesive = self.slow_speed, self.relaxation or 0.0, self.adhesive
        row.deepest = self._deepest(first, second)
        return row.numbers

    def _deepest(self, first: Shape, second: Shape) -> float:
        """Depth up to which the stiffness of materials holds [m]; infinite where the stiffness was given.

        Hertz takes the surfaces for paraboloids, wide beside the patch. At depth R / 4 the radius of the patch is half
        of R, and a ball is 7 % deeper than its paraboloid there.
        """
        if self.stiffness is not None:
            return math.inf
        return 0.25 * min(getattr(shape, "radius", math.inf) for shape in (first, second))


@checked
@dataclass(frozen=True)
class HuntCrossleyContact(HertzContact):
    """`HertzContact` with the damping of Hunt & Crossley 1975, 3/2 (1 - e) k / v_i: right only near restitution 1."""

    kind: ClassVar[str] = "hunt-crossley"

    def factor(self) -> float:
        return 1.5 * (1.0 - self.restitution)


@checked
@dataclass(frozen=True)
class LankaraniNikraveshContact(HertzContact):
    """`HertzContact` with the damping of Lankarani & Nikravesh 1990, 3/4 (1 - e^2) k / v_i: right only near 1."""

    kind: ClassVar[str] = "lankarani-nikravesh"

    def factor(self) -> float:
        return 0.75 * (1.0 - self.restitution**2)


@checked
@dataclass(frozen=True)
class LinearContact(NormalLaw):
    """A spring and a dashpot, k depth + c rate, that never pulls unless it is adhesive.

    stiffness     k [N/m]
    damping       c [N s/m]
    relaxation    time constant with which the depth found at touchdown decays [s], long beside an impact; None for off
    adhesive      whether the force may pull while the shapes part
    """

    stiffness: float
    damping: float = 0.0
    relaxation: float | None = None
    adhesive: bool = False
    kind: ClassVar[str] = "linear"
    code: ClassVar[int] = KELVIN

    def __post_init__(self) -> None:
        as_numbers(self, ("relaxation",), ("adhesive",))
        _as_switch(self)

    def check(self, address: str) -> list[Problem]:
        problems = number_problems(self.stiffness, address, "stiffness [N/m]", above=0.0)
        problems += number_problems(self.damping, address, "damping [N s/m]", least=0.0)
        if self.relaxation is not None:
            problems += number_problems(self.relaxation, address, "relaxation [s]", above=0.0)
        return problems

    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        from ...kernels.contact.contact_rows import NormalParameters

        row = NormalParameters(np.zeros(NormalParameters.size))
        row.stiffness, row.exponent, row.damping = self.stiffness, 1.0, self.damping
        row.relaxation, row.adhesive, row.deepest = self.relaxation or 0.0, self.adhesive, math.inf
        return row.numbers


@checked
@dataclass(frozen=True)
class PressureContact(NormalLaw):
    """Pressure in proportion to depth on the surface of a `Solid`: a bed of springs and dashpots.

    stiffness    pressure a depth [Pa/m]: some hundred times that of the solid itself, Young's modulus over its size,
                 lets surfaces hardly overlap
    damping      pressure a speed [Pa s/m]
    """

    stiffness: float
    damping: float = 0.0
    kind: ClassVar[str] = "pressure"
    code: ClassVar[int] = KELVIN

    def __post_init__(self) -> None:
        as_numbers(self)

    def check(self, address: str) -> list[Problem]:
        problems = number_problems(self.stiffness, address, "stiffness [Pa/m]", above=0.0)
        return problems + number_problems(self.damping, address, "damping [Pa s/m]", least=0.0)

    def over(self, area: float) -> NormalLaw:
        return LinearContact(self.stiffness * area, self.damping * area)

    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        raise ModelError.at(address, "PressureContact acts on a surface of a solid: give body.surface(...) first")


def _material_problems(material: Any, address: str) -> list[Problem]:
    from .materials import Material

    if material is None:
        return []
    if (
        not isinstance(material, tuple | list)
        or len(material) != 2
        or not all(isinstance(one, Material) for one in material)
    ):
        return [
            Problem(
                address, f"material is {shown(material)}; give (jd.Material(E, nu), jd.Material(E, nu))", "material"
            )
        ]
    return inside("material", (problem for one in material for problem in one.check(address)))
