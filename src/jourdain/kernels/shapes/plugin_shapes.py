"""Shapes that have a file of their own in this folder.

A file, named by the word of the shape in `kind_registry.SHAPES`, defines under that word

    @optional_kernel("WORD", returns=(1, Vec3))
    def distance(model, row, p)      (signed distance [m], unit outward normal) of a point p, in the shape's axes; its
                                     numbers begin at model.shape_floats[model.shapes[row].floats]
"""

from __future__ import annotations

from ..kind_dispatch import plugin_modules
from ..kind_registry import ADDED_SHAPES, SHAPES

MODULES = plugin_modules(__package__, SHAPES, ADDED_SHAPES, ("distance",))
