"""What a user says of geometry: solids with their volume, centre and inertia, put on bodies with `at`.

Kinds that were added later (`kernels.codes.ADDED_SHAPES`) have modules that are named by their word; their classes are
found here without being named.
"""

from __future__ import annotations

from ...kernels.codes import ADDED_SHAPES as _FIRST
from ...kernels.codes import SHAPES as _WORDS
from .base import SHAPES, Moved, Placed, Shape, placed_from_dict, shape_from_dict
from .cells import Cell, Cells
from .half_spaces import Edge, Plane
from .looks import Looks, Paint
from .meshes import ConvexMesh, Mesh
from .skins import Skin
from .solids import Box, Capsule, Cone, Cylinder, Point, Sphere
from .strands import LineSurface, Strand

__all__ = [
    "SHAPES",
    "Box",
    "Capsule",
    "Cell",
    "Cells",
    "Cone",
    "ConvexMesh",
    "Cylinder",
    "Edge",
    "LineSurface",
    "Looks",
]
__all__ += [
    "Mesh",
    "Moved",
    "Paint",
    "Placed",
    "Plane",
    "Point",
    "Shape",
    "Skin",
    "Sphere",
    "Strand",
    "placed_from_dict",
    "shape_from_dict",
]
globals().update(SHAPES.bring(__name__, _WORDS[_FIRST:]))
