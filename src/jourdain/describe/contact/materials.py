"""Elastic materials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.values import as_number, number_problems


@checked
@dataclass(frozen=True)
class Material(Described):
    """An isotropic elastic material.

    E          Young's modulus [Pa]
    nu         Poisson's ratio, above -1 and at most 0.5
    density    [kg/m^3]; contacts do not need it, a `Solid` does
    """

    E: float
    nu: float
    density: float | None = None
    optional_fields: ClassVar[tuple[str, ...]] = ("density",)

    def __post_init__(self) -> None:
        for name in ("E", "nu", "density"):
            if name != "density" or self.density is not None:
                object.__setattr__(self, name, as_number(getattr(self, name), f"Material {name}"))
        if problems := self.check("Material"):
            raise ModelError(problems)

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the material, reported at ``address``."""
        problems = number_problems(self.E, address, "Young's modulus E [Pa]", above=0.0)
        problems += number_problems(self.nu, address, "Poisson's ratio nu", above=-1.0)
        if self.nu > 0.5:
            problems.append(Problem(address, f"Poisson's ratio nu is {self.nu:g}; it must be at most 0.5", "nu"))
        if self.density is not None:
            problems += number_problems(self.density, address, "density [kg/m^3]", above=0.0)
        return problems

    @property
    def plane_modulus(self) -> float:
        """Plane-strain modulus E / (1 - nu^2) [Pa]."""
        return self.E / (1.0 - self.nu**2)


def contact_modulus(a: Material, b: Material) -> float:
    """E* of two materials, 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b, Johnson 1985, eq. 4.20 [Pa]."""
    return 1.0 / (1.0 / a.plane_modulus + 1.0 / b.plane_modulus)
