"""Pictures on surfaces, for what draws without a browser."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError

if TYPE_CHECKING:
    from .scene_parts import SurfacePart

MOST_PIXELS = 64 * 2**20
"""Pixels of a picture that is drawn."""


def picture_of(part: SurfacePart) -> Any | None:
    """The picture (of PIL) that a surface is painted with; None without one."""
    if part.paint is None or part.uv is None or not part.paint.picture:
        return None
    from PIL import Image

    raw = part.paint.image()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = Image.open(io.BytesIO(raw), formats=("JPEG", "PNG"))
            if found.width * found.height <= MOST_PIXELS:
                return found.convert("RGB")
    except Exception as error:  # what a broken picture makes its reader raise is documented nowhere
        raise ModelError.at("Paint picture", f"cannot be read: {type(error).__name__}") from None
    raise ModelError.at("Paint picture", f"has more than {MOST_PIXELS} pixels; make it smaller")


def vertex_colours(part: SurfacePart, own: np.ndarray) -> np.ndarray:
    """Colours 0 to 255 of the vertices (n, 3): those of the picture there, times the surface's own (3,); without a
    picture just this."""
    found = picture_of(part)
    if found is None:
        return own
    assert part.uv is not None
    pixels = np.asarray(found, float)
    high, wide = pixels.shape[:2]
    u, v = (np.asarray(part.uv, float) % 1.0).T
    rows = np.minimum(((1.0 - v) * high).astype(int), high - 1)
    return pixels[rows, np.minimum((u * wide).astype(int), wide - 1)] * own / 255.0
