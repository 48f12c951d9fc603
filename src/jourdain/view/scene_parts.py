"""What a scene is made of: bones that carry surfaces, and surfaces that bodies and links are drawn by."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..describe.shapes import Paint
from ..describe.shapes.tessellation import creased

if TYPE_CHECKING:
    from ..describe.bodies.appearance.bones import Surface


@dataclass(frozen=True, eq=False)
class Bones:
    """The frames that carry what is drawn; bone 0 is the world.

    name       of each bone (nb)
    body       that it belongs to (nb)
    parent     the bone that carries it, -1 for the world's (nb,)
    elastic    whether it departs from `rest` by deformation only (nb,)
    rest       where an elastic bone is at rest, in its parent: position and quaternion (nb, 7)
    bound      where surfaces are bound to it, in the undeformed body's axes (nb, 7)
    poses      in world axes (nt, nb, 7)
    """

    name: list[str]
    body: list[str]
    parent: np.ndarray
    elastic: np.ndarray
    rest: np.ndarray
    bound: np.ndarray
    poses: np.ndarray


@dataclass(frozen=True, eq=False)
class SurfacePart:
    """A surface: vertices in the axes of its undeformed body, each carried by two bones.

    vertices    (n, 3) float32 [m], split where faces meet in an edge
    faces       (m, 3) int32, winding outwards
    bones       (n, 2) int32, of all bones of the scene
    weights     (n, 2) float32
    kind        "body", "contact" (a shape that touches, on a body), "link" (between bodies) or "world" (fixed)
    nodes       of a solid: those that are drawn, rising (k,), and None of others
    columns     of a solid: which of `nodes` every vertex is (n,)
    paint       what it is painted with, where that is more than a colour
    uv          places of the vertices in the picture of the paint (n, 2) float32
    shown       of a link that events connect: whether it is there, at the times of the scene (nt,); None for always
    first       the bone that those of its body are counted from
    """

    name: str
    body: str
    vertices: np.ndarray
    faces: np.ndarray
    bones: np.ndarray
    weights: np.ndarray
    colour: str
    opacity: float
    kind: str
    nodes: np.ndarray | None = None
    columns: np.ndarray | None = None
    paint: Paint | None = None
    uv: np.ndarray | None = None
    shown: np.ndarray | None = None
    first: int = 0


def by_paint(surfaces: list[Surface]) -> list[tuple[Paint | None, list[Surface]]]:
    """Surfaces that share a paint."""
    found: dict[Paint | None, list[Surface]] = {}
    for one in surfaces:
        found.setdefault(one.paint, []).append(one)
    return list(found.items())


def fingerprint(part: SurfacePart) -> bytes:
    """What distinguishes a surface, wherever its body is: carriers and places, rounded to what one can see."""
    size = float(np.ptp(part.vertices, axis=0).max()) or 1.0
    places = np.unique(np.rint(part.vertices / (1e-5 * size)).astype(np.int64), axis=0)
    return part.body.encode() + places.tobytes()


def alike(
    known: dict[bytes, SurfacePart], name: str, surfaces: list[Surface], first: int, colour: str, opacity: float
) -> SurfacePart:
    """The part of a body; of many that look alike one is made, and the others share its arrays but for the bones."""
    stated = hashlib.sha256()
    for one in surfaces:
        for array in (one.vertices, one.faces, one.bones, one.weights):
            stated.update(np.ascontiguousarray(array).tobytes())
    stated.update(str(opacity).encode())
    if any(one.paint is not None or one.nodes is not None for one in surfaces):
        return joined(name, name, surfaces, first, colour, opacity, "body")
    model = known.get(stated.digest())
    if model is None:
        return known.setdefault(stated.digest(), joined(name, name, surfaces, first, colour, opacity, "body"))
    own = model.bones + np.int32(first - model.first)
    return replace(model, name=name, body=name, colour=colour, bones=own, first=first)


def joined(
    name: str,
    body: str,
    surfaces: list[Surface],
    first: int,
    colour: str,
    opacity: float,
    kind: str,
    shown: np.ndarray | None = None,
) -> SurfacePart:
    """Surfaces joined, their bones counted from `first`, and split along edges."""
    vertices = np.concatenate([one.vertices for one in surfaces])
    starts = np.cumsum([0, *(len(one.vertices) for one in surfaces)])
    joined = np.concatenate([one.faces + start for one, start in zip(surfaces, starts, strict=False)])
    source, faces = creased(vertices, joined)
    bones = np.concatenate([one.bones for one in surfaces])[source] + first
    weights = np.concatenate([one.weights for one in surfaces])[source]
    nodes = columns = None
    if all(one.nodes is not None for one in surfaces):
        nodes, columns = np.unique(np.concatenate([one.nodes for one in surfaces])[source], return_inverse=True)
    return SurfacePart(
        name=name,
        body=body,
        vertices=vertices[source].astype(np.float32),
        faces=faces.astype(np.int32),
        bones=bones.astype(np.int32),
        weights=weights.astype(np.float32),
        colour=colour,
        opacity=opacity,
        kind=kind,
        nodes=nodes,
        columns=columns,
        paint=surfaces[0].paint,
        uv=None if surfaces[0].uv is None else np.concatenate([one.uv for one in surfaces])[source].astype(np.float32),
        shown=shown,
        first=first,
    )
