"""What a user says of geometry: solids with their volume, centre and inertia, put on bodies with `at`.

Kinds that were added later (`kernels.kind_registry.ADDED_SHAPES`) have modules of the same name; their
classes are found here without being named.
"""

# ruff: noqa: F401
from __future__ import annotations

from ...kernels.kind_registry import ADDED_SHAPES as _FIRST
from ...kernels.kind_registry import SHAPES as _WORDS
from .cable_segments import CableSegment, LineSurface
from .cells import Cell, Cells
from .deformable_facets import DeformableFacets
from .half_spaces import Edge, Plane
from .looks import Looks, Paint
from .meshes import ConvexMesh, Mesh
from .shape import SHAPES, Moved, Placed, Shape, placed_from_dict, shape_from_dict
from .solids import Box, Capsule, Cone, Cylinder, Point, Sphere

globals().update(SHAPES.bring(__name__, _WORDS[_FIRST:]))
