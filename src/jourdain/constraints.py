"""Constraints: what only connections can be, and how a run is kept on its constraints."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .describe.constraints.connections import NoSlip, Rod, Rolling, Spring
    from .describe.constraints.methods import (
        Baumgarte,
        ConjugateGradients,
        Momenta,
        NullSpace,
        Orthogonal,
        Partitioning,
        Projection,
        Unstabilised,
    )
    from .model.independent import reduce_to_independent
    from .run.constraint_start import ConstraintWarning
