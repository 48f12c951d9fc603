"""A model out of Python: as C code, as C source, as an FMU."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .c_export import c
    from .c_source import source
    from .fmu_archive import fmu
    from .instance import Instance
