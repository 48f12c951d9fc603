"""Implicit methods, as objects with their own options, for `simulate(..., method=...)`."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .run.implicit import BDF, GeneralizedAlpha, Newmark, Radau
