"""What can be wrong with the options of a solid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...basics.errors import Problem
from ...basics.values import shown
from .references import ON_AXIS

if TYPE_CHECKING:
    from .solid import Solid


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
