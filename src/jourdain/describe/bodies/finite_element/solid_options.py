"""What can be wrong with the options of a solid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....basics.composite_types import ListOf, MappingOf, ObjectOf, Union
from ....basics.errors import ModelError, Problem, inside
from ....basics.value_types import Array, Integer, Text, ValueType
from ....basics.values import as_array, as_number, name_problems, shown
from ....basics.warn import warn
from ...solids.fe_mesh import SolidMesh
from ..floating_frame.cross_section import DAMPING
from ..floating_frame.matrices import factor
from ..floating_frame.matrix_checks import loose_problems
from ..floating_frame.reference_conditions import ON_AXIS

if TYPE_CHECKING:
    from .solid import Solid

LARGEST = 300
"""Coordinates that a body with dense matrices may have: its inertia has as many entries squared, times nine."""
HEAVY = 1e7
"""A mass above this is more likely a wrong unit [kg]."""


class SolidWarning(UserWarning):
    """A solid that is probably not what was meant."""


WORDS: dict[str, tuple[Any, ...]] = {
    "plane": (None, "stress", "strain", "axisymmetric"),
    "element": ("auto", "linear", "bbar", "quadratic"),
    "inertia": ("full", "rotated", "constant"),
    "gyroscopic": (True, False),
    "matrices": ("auto", "dense", "sparse"),
}
"""What some options may be."""
CHOSEN = ("plane", "element", "inertia", "matrices")
SOLID_TYPES: dict[str, ValueType] = {what: Text(tuple(filter(None, WORDS[what]))) for what in CHOSEN}
SOLID_TYPES |= {
    "mesh": ObjectOf(SolidMesh),
    "modes": Integer(0, 300),
    "masters": Union(Text(), ListOf(Text())),
    "frames": MappingOf(Array(3)),
    "damping": DAMPING,
}
"""Value types of the fields of a `Solid` whose annotations do not say them."""


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
    problems, d = inside("material", body.material.check(at)), body.mesh.dimensions
    if body.material.density is None:
        problems.append(Problem(at, "its material has no density; give jd.Material(E, nu, density=...) [kg/m^3]"))
    if body.material.nu > 0.4999 and body.plane != "stress":
        words = 'a solid of displacements takes at most 0.4999; give that, and element="bbar" or "quadratic"'
        problems.append(Problem(at, f"Poisson's ratio is {body.material.nu:g}; {words}", "material.nu"))
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
        problems.append(Problem(at, f"thickness is {body.thickness:g}; it must be positive", "thickness"))
    if body.element == "bbar" and body.plane == "stress":
        words = 'element="bbar" is for changes of volume, which are free in plane stress; give "linear" or "quadratic"'
        problems.append(Problem(at, words))
    if body.plane == "axisymmetric" and d == 2:
        problems += radius_problems(body.mesh.points[:, 0], at)
    modes = body.modes
    if modes is not None and (isinstance(modes, bool) or not isinstance(modes, int | np.integer) or modes < 0):
        problems.append(Problem(at, f"modes is {shown(modes)}; give a whole number, or None", "modes"))
    damping = np.atleast_1d(body.damping)
    if not np.all(np.isfinite(damping)) or np.any(damping < 0.0) or len(damping) > 2:
        problems.append(Problem(at, f"damping is {shown(body.damping)}; give a ratio, or Rayleigh(...)", "damping"))
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


def solid_problems(body: Solid, at: str) -> tuple[Problem, ...]:
    """Everything wrong with a solid; warns of a mass that is probably a wrong unit."""
    problems = name_problems(body.name, at, "body") + option_problems(body, at)
    for key in (*body.regions, *body.frames):
        problems += name_problems(key, f"{at}.{key}", "frame")
        if key == "origin":
            problems.append(Problem(f"{at}.{key}", '"origin" is the body\'s own; choose another name'))
    for key in set(body.regions) & set(body.frames):
        problems.append(Problem(f"{at}.{key}", "is a surface and a frame; choose another name"))
    problems += inside("mesh", body.mesh.check(at))
    if problems:
        return tuple(problems)
    try:
        reference = body._reference
    except ModelError as error:
        return tuple(error.problems)
    by = body.nodal.factor if body.sparse else factor
    problems += loose_problems(*body._free(reference)[1:], len(body.mesh.points), "the reference", at, by)
    count = body._count(reference)
    if not problems:
        problems += sparse_problems(body, count, at)
    if not problems and not count:
        few = "its masters are too few: the reference holds them all; give more of them, modes=, or a RigidBody"
        none = "has no coordinates left; give modes=, or a RigidBody"
        problems.append(Problem(at, few if body.masters else none))
    if not problems and body.mass > HEAVY:
        warn(
            f'solid "{body.name}" weighs {body.mass:.3g} kg and measures '
            f"{np.max(np.ptp(body.mesh.points, axis=0)):.3g} m; is the mesh in millimetres? mesh.scaled(0.001)",
            SolidWarning,
        )
    return tuple(problems)


def sparse_problems(body: Solid, count: int, at: str) -> list[Problem]:
    """Why the matrices of a solid with so many coordinates cannot be dense, or cannot be sparse."""
    ratio = body.damping if not isinstance(body.damping, tuple) else 0.0
    if body.sparse:
        if ratio > 0.0:
            words = "is the ratio of every mode, which sparse matrices do not know; give jd.Rayleigh(...)"
            return [Problem(at, f"damping={ratio:g} {words}", "damping")]
        return []
    if count > LARGEST:
        why = ", or fewer masters="
        if body.full:
            why = {"axisymmetric": ": a body of revolution has dense matrices"}.get(str(body.plane), "")
            if body.reference == "mean":
                why = ', or reference="nodes": mean axes tie all nodes to each other'
            elif body.matrices == "dense":
                why = ', or matrices="sparse"'
        return [Problem(at, f"has {count} coordinates, and {LARGEST} are the most that may be dense; give modes={why}")]
    if body.matrices == "sparse":
        words = 'takes all nodes as coordinates, so no modes=, no masters=, no plane="axisymmetric" and no '
        return [Problem(at, f'matrices="sparse" {words}reference="mean"; leave matrices= out', "matrices")]
    return []
