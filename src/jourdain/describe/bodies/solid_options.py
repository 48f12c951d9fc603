"""What can be wrong with the options of a solid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.fields import ByName, Either, Made, Many, Numbers, Sort, Text, Whole
from ...basics.values import as_array, as_number, shown
from ..contact.materials import Material
from ..solids.mesh import SolidMesh
from .references import ON_AXIS
from .section import DAMPING

if TYPE_CHECKING:
    from .solid import Solid


WORDS: dict[str, tuple[Any, ...]] = {
    "plane": (None, "stress", "strain", "axisymmetric"),
    "element": ("auto", "linear", "bbar", "quadratic"),
    "inertia": ("full", "rotated", "constant"),
    "gyroscopic": (True, False),
}
"""What some options may be."""
CHOSEN = ("plane", "element", "inertia")
SOLID_SORTS: dict[str, Sort] = {what: Text(tuple(filter(None, WORDS[what]))) for what in CHOSEN}
SOLID_SORTS |= {
    "mesh": Made(SolidMesh),
    "material": Made(Material),
    "modes": Whole(0, 300),
    "masters": Either(Text(), Many(Text())),
    "frames": ByName(Numbers(3)),
    "damping": DAMPING,
}
"""Sorts of the fields of a `Solid` whose annotations do not tell."""


def expect_words(at: str, **given: Any) -> None:
    """Refuses options that are none of those of `WORDS`."""
    for what, word in given.items():
        if word not in WORDS[what]:
            allowed = ", ".join(map(repr, WORDS[what]))
            raise ModelError.at(f"{at}: {what}", f"got {shown(word)}; allowed are {allowed}")


def as_damping(given: Any, where: str) -> Any:
    """A ratio, or a pair of Rayleigh's coefficients."""
    if given is None:
        return 0.0
    return as_number(given, where) if np.ndim(given) == 0 else tuple(as_array(given, where).tolist())


def option_problems(body: Solid, at: str) -> list[Problem]:
    """What is wrong with the options of a solid."""
    problems, d = body.material.check(at), body.mesh.dimensions
    if body.material.density is None:
        problems.append(Problem(at, "its material has no density; give jd.Material(E, nu, density=...) [kg/m^3]"))
    if body.material.nu > 0.4999 and body.plane != "stress":
        problems.append(
            Problem(at, f"Poisson's ratio is {body.material.nu:g}; a solid of displacements takes at most 0.4999")
        )
    if (body.plane is None) != (d == 3):
        problems.append(
            Problem(
                at,
                f"the mesh has {d} dimensions; give plane="
                + ("None" if d == 3 else '"stress", "strain" or "axisymmetric"'),
            )
        )
    if (body.thickness is None) != (body.plane not in ("stress", "strain")):
        words = 'thickness= [m] belongs to plane="stress" and "strain", and to nothing else; give both or none'
        problems.append(Problem(at, words))
    elif body.thickness is not None and not body.thickness > 0.0:
        problems.append(Problem(at, f"thickness is {body.thickness:g}; it must be positive"))
    if body.element == "bbar" and body.plane == "stress":
        words = 'element="bbar" is for changes of volume, which are free in plane stress; give "linear" or "quadratic"'
        problems.append(Problem(at, words))
    if body.plane == "axisymmetric" and d == 2:
        problems += radius_problems(body.mesh.points[:, 0], at)
    modes = body.modes
    if modes is not None and (isinstance(modes, bool) or not isinstance(modes, int | np.integer) or modes < 0):
        problems.append(Problem(at, f"modes is {shown(modes)}; give a whole number, or None"))
    damping = np.atleast_1d(body.damping)
    if not np.all(np.isfinite(damping)) or np.any(damping < 0.0) or len(damping) > 2:
        problems.append(Problem(at, f"damping is {shown(body.damping)}; give a ratio, or Rayleigh(...)"))
    return problems


def radius_problems(radii: np.ndarray, at: str) -> list[Problem]:
    """What is wrong with the radii of the half section of a body of revolution."""
    least = float(np.min(radii))
    if least < -ON_AXIS * float(np.ptp(radii)):
        words = (
            "x is the radius of the half section and must not be negative; mesh the half with x >= 0, about the y axis"
        )
        return [Problem(at, f"the mesh reaches x = {least:g}; {words}")]
    return []
