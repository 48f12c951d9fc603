"""Couplings of imported files: mimic joints, and equalities of joints and of fixed tendons."""

from __future__ import annotations

from ...describe.system import System
from ..xml import Element
from .reading import Reader


def couple(
    system: System, reader: Reader, element: Element, name: str, coefficients: dict[str, float], value: float
) -> None:
    """The sum of coefficient times coordinate is a value; terms of coefficient zero are left out."""
    label = reader.label(name, element)
    taken = {one.name for one in system.couplings} | {one.name for one in system.connections}
    while label in taken:
        label += "_"
    system.couple(label, {joint: factor for joint, factor in coefficients.items() if factor != 0.0}, value=value)
    reader.places.setdefault(label, element)
