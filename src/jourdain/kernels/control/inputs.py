"""Inputs of an exported model, which whoever steps it sets between steps."""

from __future__ import annotations

from ..compiler import entry_point
from ..signatures import Vector


@entry_point
def applied(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Adds the parameters, as they are now, to the efforts; of a force to its moment and force."""
    for k in range(effort.size):
        effort[k] += p[k]
