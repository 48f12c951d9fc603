"""What the page draws: the bodies of a model in colour, and how their surfaces follow from its coordinates.

A surface is carried by *bones*. Those of a rigid body stand still in it; those along a boom move with its elastic
coordinates, small as they are, in proportion. So the page needs the poses of the bodies and the coordinates, and no
more of what a body is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..describe.shapes import Box, Cone, Cylinder, Shape
from ..describe.shapes.tessellation import creased, mesh_of
from ..results.run import Record, Run
from ..view.packing import Packer, pack_scene
from ..view.scene import Scene, scene
from ..view.scene_parts import SurfacePart

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

SMALL = 1e-3
"""Of the elastic coordinates that surfaces are bent by, to see how they move."""
FOIL, PANEL, METAL, DARK, WHITE, RED, GREEN = (
    "#c9a45c",
    "#2b4a8f",
    "#aab3bf",
    "#3a424e",
    "#e8ebef",
    "#d2483c",
    "#3f9d6b",
)
COLOURS = {
    "shoulder": METAL, "upper": WHITE, "fore": WHITE, "wrist": METAL, "knuckle": METAL, "hand": WHITE,
}  # fmt: skip
ALONG = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
"""Quaternion that turns z to x."""
UPRIGHT = (1.0, 0.0, 0.0, 0.0)

Look = tuple[str, Shape, tuple[float, float, float], tuple[float, ...], str]
LOOKS: list[Look] = [
    ("craft", Box((2.6, 1.8, 1.8)), (0.0, 0.0, 0.0), UPRIGHT, FOIL),
    ("craft", Box((0.06, 1.3, 1.3)), (1.32, 0.0, 0.0), UPRIGHT, DARK),
    ("craft", Box((1.4, 4.0, 0.04)), (-0.4, 3.1, 0.0), UPRIGHT, PANEL),
    ("craft", Box((1.4, 4.0, 0.04)), (-0.4, -3.1, 0.0), UPRIGHT, PANEL),
    ("craft", Box((0.1, 0.4, 0.1)), (-0.4, 1.0, 0.0), UPRIGHT, METAL),
    ("craft", Box((0.1, 0.4, 0.1)), (-0.4, -1.0, 0.0), UPRIGHT, METAL),
    ("craft", Box((3.8, 0.24, 0.16)), (3.2, 0.0, -0.1), UPRIGHT, METAL),
    ("craft", Box((0.6, 0.6, 0.08)), (4.9, 0.0, 0.02), UPRIGHT, DARK),
    ("craft", Box((0.5, 0.06, 0.02)), (4.9, 0.0, 0.07), UPRIGHT, GREEN),
    ("craft", Box((0.06, 0.5, 0.02)), (4.9, 0.0, 0.07), UPRIGHT, GREEN),
    ("craft", Cone(0.55, 0.7), (-1.65, 0.0, 0.0), ALONG, DARK),
    ("craft", Cylinder(0.26, 0.12), (0.6, 0.0, 0.95), UPRIGHT, DARK),
    ("hand", Cylinder(0.17, 0.1), (0.53, 0.0, 0.0), ALONG, DARK),
    ("hand", Box((0.14, 0.1, 0.1)), (0.4, 0.0, 0.19), UPRIGHT, DARK),
    ("hand", Box((0.2, 0.03, 0.012)), (0.3, 0.0, 0.135), UPRIGHT, RED),
    ("target", Box((1.6, 1.6, 1.6)), (0.0, 0.0, 0.0), UPRIGHT, METAL),
    ("target", Box((0.04, 2.6, 1.2)), (0.2, 2.2, 0.0), UPRIGHT, PANEL),
    ("target", Box((0.04, 2.6, 1.2)), (0.2, -2.2, 0.0), UPRIGHT, PANEL),
    ("target", Box((0.08, 0.2, 0.08)), (0.2, 0.86, 0.0), UPRIGHT, DARK),
    ("target", Box((0.08, 0.2, 0.08)), (0.2, -0.86, 0.0), UPRIGHT, DARK),
    ("target", Cylinder(0.34, 0.03), (-0.815, 0.0, 0.0), ALONG, WHITE),
    ("target", Box((0.012, 0.6, 0.025)), (-0.835, 0.0, 0.0), UPRIGHT, DARK),
    ("target", Box((0.012, 0.025, 0.6)), (-0.835, 0.0, 0.0), UPRIGHT, DARK),
    ("target", Box((0.014, 0.1, 0.1)), (-0.835, 0.0, 0.24), UPRIGHT, RED),
    ("target", Cylinder(0.04, 0.22), (-0.94, 0.0, 0.0), ALONG, RED),
    ("target", Cylinder(0.3, 0.1), (0.0, 0.0, -0.85), UPRIGHT, GREEN),
    ("target", Box((0.7, 0.7, 0.03)), (0.0, 0.0, 0.81), UPRIGHT, FOIL),
    ("target", Cylinder(0.06, 0.5), (0.5, 0.5, 1.05), UPRIGHT, WHITE),
]  # fmt: skip
"""What the craft, the hand and the satellite are drawn as, in the axes of each, with colours."""


def picture(model: Model, state: State, packer: Packer) -> dict[str, Any]:
    """A scene as `view.packing` packs it, with "live": how each bone follows from bodies and coordinates."""
    elastic = [k for k, name in enumerate(model.names.q) if "[" in name]
    rows = np.tile(state.q, (len(elastic) + 1, 1))
    for row, k in enumerate(elastic, 1):
        rows[row, k] += SMALL
    nt, nz = len(rows), len(model.names.z)
    zeros = np.zeros((nt, model.nv))
    record = Record(np.arange(nt, dtype=float), rows, zeros, np.zeros((nt, nz)), zeros.copy(), np.zeros((nt, 6)))
    bent = scene(Run(model, record, {"method": "none"}), frames_per_second=1.0)
    drawn = {one[0] for one in LOOKS} - {"hand"}
    parts = [_coloured(part) for part in bent.parts if part.kind == "body" and part.body not in drawn]
    alike: dict[tuple[str, str], list[SurfacePart]] = {}
    for look in LOOKS:
        alike.setdefault((look[0], look[-1]), []).append(_part(bent, *look))
    parts += [_joined(some) for some in alike.values()]
    whole = Scene(bent.name, bent.time[:1], _first(bent), parts, [], bent.frames, bent.up, bent.orbit)
    told = pack_scene(whole, packer, 20.0)
    return told | {"live": [_followed(bent, model, state, b, elastic) for b in range(len(bent.bones.name))]}


def _first(bent: Scene) -> Any:
    return replace(bent.bones, poses=bent.bones.poses[:1])


def _coloured(part: SurfacePart) -> SurfacePart:
    return replace(part, colour=COLOURS.get(part.body, METAL))


def _part(bent: Scene, body: str, shape: Shape, place: Any, turn: Any, colour: str) -> SurfacePart:
    """A shape on a rigid body."""
    vertices, faces = mesh_of(shape, 1.0)
    source, faces = creased(vertices, faces)
    points = Q.rotate(np.asarray(turn, float), vertices[source]) + np.asarray(place)
    bone = bent.bones.name.index(body)
    n = len(points)
    weights = np.tile([1.0, 0.0], (n, 1)).astype(np.float32)
    return SurfacePart(
        body, body, points.astype(np.float32), faces.astype(np.int32), np.full((n, 2), bone, np.int32), weights, colour,
        1.0, "body",
    )  # fmt: skip


def _joined(parts: list[SurfacePart]) -> SurfacePart:
    """Parts of one body and one colour as one, which is drawn at once."""
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return replace(
        parts[0],
        vertices=np.concatenate([part.vertices for part in parts]),
        faces=np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]).astype(np.int32),
        bones=np.concatenate([part.bones for part in parts]),
        weights=np.concatenate([part.weights for part in parts]),
    )


def _followed(bent: Scene, model: Model, state: State, bone: int, elastic: list[int]) -> dict[str, Any]:
    """Of a bone: the body that carries it, its pose there at rest, and how position and rotation vector move with each
    elastic coordinate. Bones of links between bodies, which this page does not draw, stay with the world."""
    bones, body = bent.bones, bent.bones.body[bone]
    if body not in model.bodies:
        return {"body": -1, "rest": Q.IDENTITY.tolist(), "gain": []}
    q = np.tile(state.q, (len(elastic) + 1, 1))
    for row, k in enumerate(elastic, 1):
        q[row, k] += SMALL
    origin = model.frame_path(f"{body}.origin", q, np.zeros((len(q), model.nv)))[:, :7]
    local = Q.relative(origin, bones.poses[:, bone])
    gain = []
    for row in range(1, len(q)):
        move = (local[row, :3] - local[0, :3]) / SMALL
        turn = Q.logarithm(Q.multiply(Q.conjugate(local[0, 3:]), local[row, 3:])) / SMALL
        gain.append([*move.round(9).tolist(), *turn.round(9).tolist()])
    return {"body": model.bodies.index(body), "rest": local[0].tolist(), "gain": gain if np.any(gain) else []}
