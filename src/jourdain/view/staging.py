"""How a scene is looked at: what the picture holds, which way is up, where the camera, the sun and the floor are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .scene import Scene
    from .scene_parts import SurfacePart

_FLAT = 0.2
"""A scene is flat where its smallest extent is less than this over the middle one."""
_WANDERS = 2.5
"""A scene that covers so many times its own size in a run is followed by the camera, where that helps."""
_HELPED = 0.5
"""Following helps where what is seen beside the followed frame is smaller than this part of the whole."""
_VIEW = np.deg2rad(34.0)
"""Vertical angle of view of the camera, that of the player."""
_MARGIN = 1.08
"""Of the picture around what it holds, that of the player."""
_MANY = 100_000
"""Vertices above which only the outermost of each part are looked at."""
_LOOKS = 16
"""At how many times a scene's extent is looked at."""


def visible(scene: Scene) -> Scene:
    """The scene without what would hide it: faces without end that a body carries, where the body itself is drawn."""
    drawn = {part.body for part in scene.parts if part.kind == "body"}
    extent = [float(np.ptp(part.vertices, axis=0).max(initial=0.0)) for part in scene.parts]
    reach = max((size for size, part in zip(extent, scene.parts) if part.kind == "body"), default=0.0)
    kept = [
        part
        for size, part in zip(extent, scene.parts)
        if part.kind != "contact" or part.body not in drawn or size <= reach
    ]
    return replace(scene, parts=kept)


def stage(scenes: Sequence[Scene], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the player needs to know before it draws, as JSON can hold it.

    settings    of `jourdain.study.scenario.scenario.Replay`: camera, magnify, earth, follow
    """
    first = scenes[0]
    up = np.asarray(first.up, float)
    clouds = [_cloud(scene) for scene in scenes]
    boxes = np.array([[cloud.min(axis=(0, 1)), cloud.max(axis=(0, 1))] for cloud in clouds])
    box = np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    start = np.array([clouds[0][0].min(axis=0), clouds[0][0].max(axis=0)])
    frames = {frame.name: frame.bone for frame in first.frames}
    followed = frames.get(str(settings.get("follow")), -1)
    root = followed if followed >= 0 else min(1, len(first.bones.name) - 1)
    beside = clouds[0] - first.bones.poses[_looks(first), root, None, :3]
    seen = _size(np.array([beside.min(axis=(0, 1)), beside.max(axis=(0, 1))]))
    helped = followed >= 0 or seen < _HELPED * _size(box)
    endless = not np.isfinite(_size(box))  # of a run that left all numbers its start is shown
    wanders = endless or (helped and _size(box) > _WANDERS * _size(start))
    if wanders:
        box, followed = start, root
    size = _size(box)
    middle = box.mean(axis=0)
    front, side, view = _directions(clouds[0] - clouds[0].mean(axis=(0, 1)), up, first.orbit is not None)
    orbit = first.orbit if settings.get("earth", True) else None
    fixed = any(part.kind == "world" for part in first.parts)
    depth = float(np.max((clouds[0].reshape(-1, 3) - middle) @ -up))
    sun = 0.75 * front + 0.45 * up - 0.5 * side if orbit else 0.6 * front + up - 0.45 * side
    return {
        "up": up.tolist(),
        "front": front.tolist(),
        "view": view.tolist(),
        "sun": (sun / np.linalg.norm(sun)).tolist(),
        "box": box.tolist(),
        "points": _extremes(clouds[0][0] if wanders else np.concatenate([cloud.reshape(-1, 3) for cloud in clouds])),
        "size": size,
        "home": first.bones.poses[0, max(followed, 0), :3].tolist(),
        "floor": None if orbit or fixed else (middle - (1.02 * depth + 0.01 * size) * up).tolist(),
        "orbit": orbit,
        "camera": settings.get("camera"),
        "magnify": float(settings.get("magnify") or 1.0),
        "follow": followed,
    }


class Camera(NamedTuple):
    """Where a picture is taken from.

    axes        rows: to the right, upwards and towards the camera, in world axes (3, 3)
    middle      what it looks at (3,) [m]
    distance    from there to the camera [m]
    slope       half of the picture's height over the distance
    """

    axes: np.ndarray
    middle: np.ndarray
    distance: float
    slope: float


def camera(staged: Mapping[str, Any], aspect: float) -> Camera:
    """The camera that the player begins with, in a picture `aspect` times as wide as high."""
    towards, up = np.array(staged["view"]), np.array(staged["up"])
    right = np.cross(up, towards)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(towards, right), towards])
    points = np.array(staged["points"])
    middle = points.mean(axis=0)
    slope = float(np.tan(_VIEW / 2))
    reach = (points - middle) @ axes.T
    far, sideways = _fit(reach[:, 0], reach[:, 2], slope * aspect / _MARGIN)
    away, upwards = _fit(reach[:, 1], reach[:, 2], slope / _MARGIN)
    return Camera(axes, middle + sideways * axes[0] + upwards * axes[1], max(far, away), slope)


def _fit(across: np.ndarray, depth: np.ndarray, slope: float) -> tuple[float, float]:
    """How far away, and how far aside, a camera sees all points between lines of this slope."""
    high, low = float(np.max(across + slope * depth)), float(np.max(-across + slope * depth))
    return (high + low) / (2.0 * slope), (high - low) / 2.0


def _size(box: np.ndarray) -> float:
    return float(np.linalg.norm(box[1] - box[0])) or 1.0


def _looks(scene: Scene) -> np.ndarray:
    """Numbers of the samples at which a scene's extent is looked at."""
    return np.unique(np.linspace(0, len(scene.time) - 1, _LOOKS).astype(int))


def _cloud(scene: Scene) -> np.ndarray:
    """Points of the bodies (some times, some vertices, 3) in world axes."""
    poses = scene.bones.poses[_looks(scene)]
    parts = [part for part in scene.parts if part.kind in ("body", "link")] or scene.parts
    if sum(len(part.vertices) for part in parts) > _MANY:
        parts = _outermost(parts)
    clouds = [scene.skinned(part, poses) for part in parts if len(part.vertices)]
    if not clouds:
        return poses[:, :, :3]
    return np.nan_to_num(np.concatenate(clouds, axis=1))


def _outermost(parts: list[SurfacePart]) -> list[SurfacePart]:
    """Parts of which only the vertices farthest out in some directions are left."""
    ways = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], float)
    known: dict[int, np.ndarray] = {}
    out = []
    for part in parts:
        if id(part.vertices) not in known:  # bodies that look alike share their vertices
            known[id(part.vertices)] = np.unique(np.argmax(part.vertices @ ways.T, axis=0))
        kept = known[id(part.vertices)]
        out.append(replace(part, vertices=part.vertices[kept], bones=part.bones[kept], weights=part.weights[kept]))
    return out


def _extremes(cloud: np.ndarray) -> list[list[float]]:
    """The points (n, 3) of a cloud that are farthest out in any of many directions: those that a picture must hold."""
    flat = cloud.reshape(-1, 3)
    steps = np.array(
        [(x, y, z) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) for z in (-2, -1, 0, 1, 2)], float
    )
    found = np.unique([int(np.argmax(flat @ step)) for step in steps])
    return np.round(flat[found], 6).tolist()


def _directions(points: np.ndarray, up: np.ndarray, orbit: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions towards the camera: front, side, and the view that shows most; a flat scene is seen from its face."""
    flat = points.reshape(-1, 3)
    spread, axes = np.linalg.eigh(flat.T @ flat / len(flat))
    normal = axes[:, 0]
    level = normal - (normal @ up) * up
    is_flat = spread[0] <= _FLAT**2 * spread[1]
    lies = is_flat and np.linalg.norm(level) < 0.5
    if is_flat and not lies:
        front = level
    else:
        front = np.array([0.0, -1.0, 0.0]) if abs(up[1]) < 0.9 else np.array([0.0, 0.0, 1.0])
        front = front - (front @ up) * up
    front = front / np.linalg.norm(front)
    # the same side for the same scene, whatever sign the eigenvector has
    if front @ np.array([0.31, -0.9, 1.0]) < 0.0:
        front = -front
    side = np.cross(up, front)
    elevation, azimuth = (0.95, 0.35) if lies else (0.24, 0.42) if orbit else (0.38, 0.5)
    level = np.cos(azimuth) * front + np.sin(azimuth) * side
    return front, side, np.cos(elevation) * level + np.sin(elevation) * up
