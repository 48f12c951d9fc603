"""Surfaces of mesh files with their paint, before and after they are made fit to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...describe.shapes import Looks, Paint
from ...describe.shapes.looks import simplified

FEW = 300
"""Triangles up to which a mesh is drawn as it is."""
TOLERANCE = 1e-3
"""Error up to which a mesh is drawn with fewer triangles, over the diagonal of its box."""
MOST = 5000
"""Triangles that a mesh is drawn with; where there are more, the error may be larger,"""
FURTHEST = 5e-3
"""up to this, over the diagonal."""
ROBOT = 120_000
"""Triangles that all meshes of an import are drawn with together: those that come late get fewer,"""
LEAST = 300
"""but so many at least."""
GRID = 2.0**16
"""Places along the diagonal that vertices are kept to, and along the sides of a picture: exact in single precision."""

Open = Callable[[str], bytes | None]
"""Reads the file that a mesh file names; None where there is none."""


def nothing(name: str) -> bytes | None:
    """Where no other file may be read."""
    return None


class PaintedSurface(NamedTuple):
    """A surface and its paint.

    vertices     (n, 3) [m]
    triangles    (m, 3)
    uv           (n, 2) places in pictures; None for none
    painted      (m,) which of the paints each triangle has, -1 for none; None for none at all
    paints       that it is painted with
    """

    vertices: np.ndarray
    triangles: np.ndarray
    uv: np.ndarray | None = None
    painted: np.ndarray | None = None
    paints: tuple[Paint, ...] = ()

    def moved(self, rotation: np.ndarray, position: np.ndarray) -> PaintedSurface:
        """The surface, turned (or stretched) and shifted; a mirror image still winds outwards."""
        inside_out = float(np.linalg.det(rotation)) < 0.0
        triangles = self.triangles[:, ::-1] if inside_out else self.triangles
        return self._replace(vertices=self.vertices @ rotation.T + position, triangles=triangles)

    def with_paint(self, paint: Paint | None) -> PaintedSurface:
        """What has no paint of its own painted with this."""
        if paint is None:
            return self
        which = np.full(len(self.triangles), -1) if self.painted is None else self.painted
        if not np.any(which < 0):
            return self
        return self._replace(paints=(*self.paints, paint), painted=np.where(which < 0, len(self.paints), which))


def joined(parts: Sequence[PaintedSurface]) -> PaintedSurface:
    """Several surfaces as one; equal paints become one."""
    paints: dict[Paint, int] = {}
    vertices, triangles, uv, painted = [], [], [], []
    start = 0
    for part in parts:
        known = np.array([paints.setdefault(paint, len(paints)) for paint in part.paints] + [-1], np.int64)
        which = np.full(len(part.triangles), -1) if part.painted is None else part.painted
        vertices.append(part.vertices)
        triangles.append(part.triangles + start)
        uv.append(np.zeros((len(part.vertices), 2)) if part.uv is None else part.uv)
        painted.append(known[which])
        start += len(part.vertices)
    if not parts:
        return PaintedSurface(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    textured = any(part.uv is not None for part in parts)
    return PaintedSurface(
        np.concatenate(vertices),
        np.concatenate(triangles),
        np.concatenate(uv) if textured else None,
        np.concatenate(painted) if paints else None,
        tuple(paints),
    )


def simpler(drawn: PaintedSurface, most: int = MOST) -> PaintedSurface:
    """A surface with as few triangles as its looks allow."""
    pictures = np.array([bool(paint.picture) for paint in drawn.paints] + [False])
    painted = np.full(len(drawn.triangles), -1) if drawn.painted is None else drawn.painted
    # places in a picture matter only where there is one
    uv = drawn.uv if drawn.uv is not None and np.any(pictures[painted]) else None
    size = float(np.linalg.norm(np.ptp(drawn.vertices, axis=0))) if len(drawn.vertices) else 0.0
    if not size > 0.0 or len(drawn.triangles) <= FEW:
        return drawn._replace(uv=uv)
    found = simplified(
        drawn.vertices,
        drawn.triangles,
        painted + 1,
        uv,
        tolerance=TOLERANCE * size,
        most=most,
        furthest=FURTHEST * size,
    )
    fine = 2.0 ** np.round(np.log2(GRID / size))
    vertices = np.round(found.vertices * fine) / fine
    spots = None if found.uv is None else np.round(found.uv * GRID) / GRID
    return PaintedSurface(
        vertices, found.triangles, spots, None if drawn.painted is None else found.labels - 1, drawn.paints
    )


def as_looks(parts: Sequence[PaintedSurface]) -> Looks | None:
    """All that a body is drawn with, as one surface; None for nothing."""
    whole = joined(parts)
    if not len(whole.triangles):
        return None
    if whole.painted is not None:
        whole = whole.with_paint(Paint())
    return Looks(whole.vertices, whole.triangles, whole.paints, whole.painted, whole.uv)
