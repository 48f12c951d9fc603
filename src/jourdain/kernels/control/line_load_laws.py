"""The package's own laws of forces along lines: a constant load a length, and the current of a circuit."""

from __future__ import annotations

from ..compiler import entry_point
from ..signatures import Vector


@entry_point
def uniform(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """A constant moment and force a length: p as (moment [N m/m], force [N/m])."""
    for k in range(6):
        effort[k] += p[k]


@entry_point
def conducted(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Current of a circuit [A]: a constant one p[0], and by Ohm's law p[1] (emf + p[2]), p[1] its conductance [1/ohm]
    and p[2] the voltage of a source in it [V]; the emf is the last that it senses."""
    effort[0] += p[0] + p[1] * (s[s.size - 1] + p[2])
