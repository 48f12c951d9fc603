"""What files say of loops: mimic joints, equalities and springs between places, as constraints of the system."""

from __future__ import annotations

from ..formats.xml_reader import Element
from ..system import System
from .reading import Reader


def couple(
    system: System, reader: Reader, element: Element, name: str, coefficients: dict[str, float], value: float
) -> None:
    """The sum of coefficient times coordinate is a value."""
    make = getattr(system, "couple", None)
    if make is None:
        reader.left(element)
        return
    make(name, coefficients, value=value)
