"""Surfaces of solids in the live viewer, coloured by a field, and the scale that says what a colour means."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.markup import Markup, escape
from .colouring import DRAWN, PRESSURE, SurfaceField, palette

if TYPE_CHECKING:
    from viser import ViserServer

    from .scene import Scene
    from .scene_parts import SurfacePart

NONE = "none"
PERIOD = 0.07
"""Least time between two paintings of a surface that moves [s]."""
BANDS = 24
"""Colours of a surface."""
DIMMED = 0.75
"""The lights of the viewer are bright: colours so much darker look like those of the scale."""


def choices(scene: Scene) -> list[str]:
    """Fields that a viewer of a scene offers, and none; [] where no surface has nodes."""
    if all(part.nodes is None for part in scene.parts):
        return []
    pressure = [PRESSURE] if any(one.darts for one in scene.arrows) else []
    return [*(label for label, _ in DRAWN.values()), *pressure, NONE]


def wanted(scene: Scene, label: str) -> SurfaceField | None:
    """The field of that name; None where it is zero throughout, or none is asked for."""
    return next((one for one in scene.fields if one.label == label), None)


def scale_html(field: SurfaceField | None) -> Markup:
    """The scale as markup: a bar of the colours, and numbers under it."""
    if field is None:
        return Markup()
    factor, unit = field.scale
    table = palette()[np.linspace(0, 255, 17).astype(int)]
    stops = ", ".join(f"rgb({r} {g} {b})" for r, g, b in table.tolist())
    marks = [factor * (field.low + s * (field.high - field.low)) for s in (0.0, 0.5, 1.0)]
    numbers = "".join(f"<span>{one:.3g}</span>" for one in marks)
    return Markup(
        '<div style="padding: 0 0.75em 0.5em; font-size: 0.8em">'
        f'<div style="height: 0.9em; border-radius: 0.2em; background: linear-gradient(to right, {stops})"></div>'
        f'<div style="display: flex; justify-content: space-between">{numbers}</div>'
        f"<div>{escape(field.label)} [{escape(unit)}], range of the run</div></div>"
    )


class Painted:
    """A surface in bands of even colour, a mesh each, which are cut anew whenever it has moved."""

    def __init__(self, server: ViserServer, name: str, part: SurfacePart) -> None:
        self.server, self.name, self.part = server, name, part
        self.at = 0.0
        self.bands: dict[int, Any] = {}

    def paint(self, vertices: np.ndarray, shares: np.ndarray, hurried: bool) -> None:
        """Vertices (n, 3) in world axes [m] and shares (nodes,) of the range; `hurried` where more are to come soon."""
        now = clock.perf_counter()
        if hurried and self.bands and now - self.at < PERIOD:
            return
        self.at = now
        cut = banded(vertices, self.part.faces, shares[self.part.columns], BANDS)
        for band in self.bands.keys() - cut.keys():
            self.bands.pop(band).remove()
        for band, corners in cut.items():
            colour = palette()[int(255.0 * (band + 0.5) / BANDS)] * DIMMED
            self.bands[band] = self.server.scene.add_mesh_simple(
                f"{self.name}/{band}", corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3),
                color=tuple(colour.astype(int).tolist()), flat_shading=True,
            )  # fmt: skip

    def clear(self) -> None:
        """Takes all away."""
        while self.bands:
            self.bands.popitem()[1].remove()


def banded(vertices: np.ndarray, faces: np.ndarray, shares: np.ndarray, bands: int) -> dict[int, np.ndarray]:
    """Triangles (m, 3, 3) of a surface cut along the lines of equal share, by the band that they are in.

    vertices    (n, 3)
    shares      of each, from 0 to 1, linear over a face

    With its corners in the order of their shares, a face between two levels a < b is the pentagon P(a) P(b) Q(b) M
    Q(a): P is on the side from the lowest to the highest corner, Q on the other two, and M is the corner between them
    where it is inside.
    """
    order = np.argsort(shares[faces], axis=1, kind="stable")
    # an odd exchange of corners turns a face inside out
    odd = np.isin(order @ [9, 3, 1], [9 * a + 3 * b + c for a, b, c in ((0, 2, 1), (1, 0, 2), (2, 1, 0))])
    sorted_faces = np.take_along_axis(faces, order, axis=1)
    x, s = np.asarray(vertices, float)[sorted_faces], bands * np.asarray(shares, float)[sorted_faces]
    s = np.minimum(s, bands * (1.0 - 1e-9))
    whole = np.floor(s[:, 0]) == np.floor(s[:, 2])  # in one band, level ones among them
    out = {}
    for band in range(int(s.min()), int(s.max()) + 1):
        inside = whole & (np.floor(s[:, 0]) == band)
        here = ~whole & (s[:, 0] < band + 1) & (s[:, 2] > band)
        pieces = np.concatenate([x[inside], *_slices(x[here], s[here], band)])
        # from low to high along P and back along Q is the other way round than the corners in their order
        turned = np.concatenate([odd[inside], *[~odd[here]] * 3])
        pieces[turned] = pieces[turned][:, ::-1]
        size = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1)
        if np.any(size > 0.0):
            out[band] = pieces[size > 1e-12 * size.max()]
    return out


def _slices(x: np.ndarray, s: np.ndarray, band: int) -> list[np.ndarray]:
    """The pentagons of faces (m, 3, 3) between two levels, as three lists of triangles (m, 3, 3)."""
    a, b = np.maximum(band, s[:, 0]), np.minimum(band + 1, s[:, 2])
    Pa, Pb = _between(x, s, 0, 2, a), _between(x, s, 0, 2, b)
    Qa, Qb = _chain(x, s, a), _chain(x, s, b)
    middle = _chain(x, s, np.clip(s[:, 1], a, b))
    return [np.stack(one, axis=1) for one in ((Pa, Pb, Qb), (Pa, Qb, middle), (Pa, middle, Qa))]


def _between(x: np.ndarray, s: np.ndarray, i: int, j: int, level: np.ndarray) -> np.ndarray:
    """Points (m, 3) on the sides from corner i to j where the share is `level` (m,)."""
    span = s[:, j] - s[:, i]
    part = np.clip((level - s[:, i]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
    return x[:, i] + part[:, None] * (x[:, j] - x[:, i])


def _chain(x: np.ndarray, s: np.ndarray, level: np.ndarray) -> np.ndarray:
    """As `_between`, on the two sides that meet in the middle corner."""
    low = (level < s[:, 1])[:, None]
    return np.where(low, _between(x, s, 0, 1, level), _between(x, s, 1, 2, level))
