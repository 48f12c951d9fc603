"""Fields over the nodes of a solid: displacements, strains, stresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import suggestion
from .assembly import hooke, in_space, von_mises

if TYPE_CHECKING:
    from ..contact.materials import Material

FIELDS = {
    "displacement": ("m", "displacement of the nodes, body axes"),
    "stress": ("Pa", "xx, yy, zz, xy, yz, zx, body axes"),
    "strain": ("1", "xx, yy, zz, and the angles xy, yz, zx, body axes"),
    "von_mises": ("Pa", "equivalent stress"),
}
"""Fields on the nodes of a solid: unit, and label."""
_SIX = ("xx", "yy", "zz", "xy", "yz", "zx")
COMPONENTS = {"displacement": ("x", "y", "z"), "stress": _SIX, "strain": _SIX}
"""Names of their components."""


def field_of(
    name: str,
    what: str,
    e: np.ndarray,
    recover: Callable[[np.ndarray], np.ndarray],
    strains: Callable[[np.ndarray], np.ndarray],
    material: Material,
    plane: str | None,
) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
    """A field for coordinates (nt, n), as `Body.field`.

    recover    displacements (nt, N, 3) of coordinates [m]
    strains    strains (nt, N, strains) of coordinates
    """
    if what not in FIELDS:
        raise ModelError.at(name, f'has no field "{what}"; {suggestion(what, FIELDS)}')
    unit, words = FIELDS[what]
    if what == "displacement":
        return recover(e), unit, words, COMPONENTS[what]
    strain = strains(e)
    if what == "strain":
        values = in_space(strain, plane)
        if plane == "stress":
            values[..., 2] = -material.nu / (1.0 - material.nu) * (strain[..., 0] + strain[..., 1])
        return values, unit, words, COMPONENTS[what]
    stress = in_space(strain @ hooke(material, plane), plane)
    return (stress, unit, words, COMPONENTS[what]) if what == "stress" else (von_mises(stress), unit, words, ())
