"""The package's own laws of forces along lines: a constant load a length, and the current of a circuit."""

from __future__ import annotations

from ..compiler import entry_point
from ..parameter_rows import Parameters
from ..signatures import Vector


class CircuitParameters(Parameters):
    """A conductor: a constant current, or a source and a resistance."""

    current: float  # [A]
    conductance: float  # [1/ohm]
    voltage: float  # of the source [V]


@entry_point
def uniform(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """A constant moment and force a length: p as (moment [N m/m], force [N/m])."""
    for k in range(6):
        effort[k] += p[k]


@entry_point
def conducted(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Current of a circuit [A], by Ohm's law where it has a resistance; the emf is the last that it senses."""
    law = CircuitParameters(p)
    effort[0] += law.current + law.conductance * (s[s.size - 1] + law.voltage)
