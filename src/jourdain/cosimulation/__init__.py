"""Models, FMUs and other programs that run together and exchange forces and motions."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .archive import FmuError
    from .coupling import Coupling, Spring
    from .master import CoupledRun, Master
    from .participants import FmuPart, ModelPart, Part
