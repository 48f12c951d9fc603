"""Worksites of space robotics as shapes for volumetric contact: what goes in, and what it goes into."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .methods.worksites import BatteryBox, Capture, Docking, PegInHole, battery_box, docking, grapple, peg_in_hole
