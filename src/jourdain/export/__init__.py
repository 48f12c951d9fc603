"""A model out of Python: as C code, as C source, as an FMU."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.door import door as _door

_HOMES = {
    "export.folder": ("c",),
    "export.instance": ("Instance",),
    "export.mockup": ("fmu",),
    "export.written": ("source",),
}
__getattr__, __dir__, __all__ = _door(__name__, _HOMES)

if _TYPE_CHECKING:
    from .folder import c
    from .instance import Instance
    from .mockup import fmu
    from .written import source
