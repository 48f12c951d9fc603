"""Shapes: solids, holes, half-spaces, meshes, and solids put together."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__, kinds=("describe.shapes:SHAPES",))

if _TYPE_CHECKING:
    from .describe.shapes import (
        Box,
        Capsule,
        Cell,
        Cells,
        Cone,
        ConvexMesh,
        Cylinder,
        Edge,
        Looks,
        Mesh,
        Paint,
        Plane,
        Point,
        Sphere,
    )
