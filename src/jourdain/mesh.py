"""Finite-element meshes for `jd.Solid`, and meshes of surfaces for `jd.Shell` and `jd.Membrane`."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .describe.shells.shell_mesh import ShellMesh, grid, sheet, tube
    from .describe.solids.fe_mesh import SolidMesh
    from .describe.solids.mesh_generators import ball, block, disc, half_ball, half_disc, polygon, rectangle
    from .describe.solids.reading import read
