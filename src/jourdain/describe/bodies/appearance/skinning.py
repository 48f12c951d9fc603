"""Meshes that bend with the body that they are made for: a skin over the bones along a beam.

A vertex at x is carried by the two bones beside it, in the share of its distance from them (linear blend skinning,
Magnenat-Thalmann et al. 1988), so that it moves with the deflection and turns with the section. Edges that are long
along x are divided first: a box of twelve triangles would stay straight.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.values import shown
from ...shapes import Placed, Shape
from .bones import Surface, shape_surfaces

if TYPE_CHECKING:
    from ..body import Body

MOST = 200_000
"""Triangles above which edges are not divided any more."""


def as_placed(shape: Any, name: str) -> Placed | None:
    """A shape, a shape on a frame, or None, as a shape on a frame."""
    if isinstance(shape, Shape):
        return shape.at("origin")
    if shape is not None and not isinstance(shape, Placed):
        raise ModelError.at(f"{name}: shape", f"got {shown(shape)}; give a shape or shape.at(...)")
    return shape


def place_of(shape: Placed, body: Body) -> Pose:
    """Pose of a shape in body axes."""
    return body.frame(shape.address.removeprefix(f"{body.name}.")) @ shape.pose


def shape_problems(shape: Placed, body: Body) -> list[Problem]:
    """Everything wrong with a shape and its place on a body."""
    problems = shape.check(str(body.name))
    try:
        place_of(shape, body)
    except ModelError as error:
        problems += error.problems
    return problems


def carried_over(body: Body, place: Pose) -> Placed | None:
    """What a rigid body looks like, in the axes of the body that takes its place at a pose in it."""
    shape = getattr(body, "shape", None)
    if shape is None:
        return None
    return Placed(shape.shape, "origin", place.inverse() @ place_of(shape, body))


def skin(body: Body, shape: Placed, x: np.ndarray, size: float, first: int = 1) -> list[Surface]:
    """The surfaces of a shape, bound to bones that lie along x.

    x        of the bones, rising (m,) [m]; bone `first` is at x[0]
    size     side of what is drawn of a shape without end [m]
    """
    return [bound(one, x, first) for one in shape_surfaces(shape, place_of(shape, body), size)]


def bound(surface: Surface, x: np.ndarray, first: int = 1) -> Surface:
    """A surface that two of the bones along x carry at each vertex; beyond the ends the last one alone."""
    surface = divided(surface, float(np.max(np.diff(x))))
    here = np.clip(surface.vertices[:, 0], x[0], x[-1])
    left = np.clip(np.searchsorted(x, here, side="right") - 1, 0, len(x) - 2)
    share = (here - x[left]) / (x[left + 1] - x[left])
    bones = first + np.stack([left, left + 1], axis=1)
    return replace(surface, bones=bones, weights=np.stack([1.0 - share, share], axis=1))


def divided(surface: Surface, longest: float) -> Surface:
    """The same surface, no edge of which is longer along x than `longest` [m], as far as `MOST` triangles allow.

    An edge is halved or not for itself, so that triangles that share it stay joined.
    """
    vertices, faces, uv = surface.vertices, surface.faces, surface.uv
    while len(faces) < MOST:
        pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
        edges, which = np.unique(pairs, axis=0, return_inverse=True)
        long = np.abs(vertices[edges[:, 0], 0] - vertices[edges[:, 1], 0]) > longest * (1.0 + 1e-9)
        if not np.any(long):
            break
        middle = np.full(len(edges), -1)
        middle[long] = len(vertices) + np.arange(np.count_nonzero(long))
        vertices = np.concatenate([vertices, vertices[edges[long]].mean(axis=1)])
        uv = None if uv is None else np.concatenate([uv, uv[edges[long]].mean(axis=1)])
        faces = _halved(faces, middle[which.reshape(-1, 3)])
    n = len(vertices)
    return replace(
        surface,
        vertices=vertices,
        faces=faces,
        uv=uv,
        bones=np.zeros((n, 2), np.int64),
        weights=np.tile([1.0, 0.0], (n, 1)),
    )


def _halved(faces: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Triangles (m, 3) with new vertices in the middle of some edges (m, 3), -1 for none; edge k leaves corner k."""
    count = (middle >= 0).sum(axis=1)
    out = [faces[count == 0]]
    for k in range(3):  # corners and middles counted from the edge at hand
        a, b, c = (np.roll(faces, -k, axis=1)[:, i] for i in range(3))
        ab, bc, ca = (np.roll(middle, -k, axis=1)[:, i] for i in range(3))
        one = (count == 1) & (ab >= 0)
        out += [np.stack(three, axis=1)[one] for three in ((a, ab, c), (ab, b, c))]
        two = (count == 2) & (ca < 0)
        out += [np.stack(three, axis=1)[two] for three in ((ab, b, bc), (a, ab, bc), (a, bc, c))]
    a, b, c = faces[count == 3].T
    ab, bc, ca = middle[count == 3].T
    out += [np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return np.concatenate(out)
