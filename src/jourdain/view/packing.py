"""Numbers for a page: arrays as one compressed block of bytes, time histories as quantised channels.

A channel is one number at every time. It is stored as ``low + step * code`` with codes of 16 bits, in differences from
one time to the next so that they compress; one that hardly moves as its middle alone; one that wanders so far that 16
bits are too coarse in 32. What this loses:

position of a bone         at most `POSITION` times the size of the scene along each axis
rotation of a bone         at most `ROTATION` [rad]
deflection of a bone       half of 1/65535 of its own range, or `FLOOR` times the size of the scene, if that is more:
                           elastic bones are stored in the axes of the bone that carries them, so that a picture with
                           magnified deflections magnifies no more than this

Of bodies of which there are many alike, rotations are stored no finer than what moves a vertex by as much as positions
may be off.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from .colouring import palette
from .forces import Arrow, highest_pressure
from .sampling import nearest

if TYPE_CHECKING:
    from .scene import Scene
    from .scene_parts import SurfacePart

POSITION = 1e-5
"""Largest error of a stored position along an axis, over the size of the scene."""
ROTATION = 6.2e-5
"""Largest error of a stored rotation [rad]: half a step of 2/65535 in each of four components, twice that in angle."""
FLOOR = 1e-8
"""Changes of position smaller than this, over the size of the scene, are not stored."""
_TURN_FLOOR = 1e-8
_MANY = 24
"""Bodies that look alike from which on they are drawn as copies of one."""
_BALL = 0.02
"""Steps of the quaternions of balls, which look alike however they are turned."""
_CODES = 65535
_LARGEST = float(np.finfo(np.float32).max)
_KINDS = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "f32": np.float32, "f64": np.float64}


class Packer:
    """Arrays, one behind the other; the same array is kept once."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._length = 0
        self._known: dict[bytes, dict[str, Any]] = {}

    def array(self, values: Any, kind: str) -> dict[str, Any]:
        """Where an array is: its first byte, how many numbers, of which kind ("u8", "u16", "u32", "f32", "f64")."""
        flat = np.ascontiguousarray(np.asarray(values), dtype=np.dtype(_KINDS[kind]).newbyteorder("<")).reshape(-1)
        data = flat.tobytes()
        key = hashlib.sha256(kind.encode() + data).digest()
        if key not in self._known:
            self._blocks.append(data + bytes(-len(data) % 8))
            self._known[key] = {"at": self._length, "n": len(flat), "kind": kind}
            self._length += len(self._blocks[-1])
        return self._known[key]

    def channels(self, values: np.ndarray, error: np.ndarray, floor: np.ndarray) -> dict[str, Any]:
        """Time histories (nt, n), each stored to within its `error` (n,), changes under its `floor` (n,) left out."""
        values = _finite(np.asarray(values, dtype=np.float64))
        low, high = values.min(axis=0), values.max(axis=0)
        spread = high - low
        still = spread <= floor
        narrow = ~still & (spread / _CODES <= 2.0 * error)
        wide = ~still & ~narrow
        step = np.where(narrow, np.maximum(spread / _CODES, floor), 0.0)
        step = np.where(wide, np.maximum(spread / (2.0**32 - 1), floor), step)
        low = np.where(still, low + 0.5 * spread, low)
        codes = [
            np.diff(np.rint((values[:, which] - low[which]) / step[which]).astype(np.int64), axis=0, prepend=0).T
            for which in (narrow, wide)
        ]
        return {
            "count": len(values),
            "low": self.array(low, "f64"),
            "step": self.array(step, "f64"),
            "bits": self.array(16 * narrow + 32 * wide, "u8"),
            "narrow": self.array(codes[0] % 2**16, "u16"),
            "wide": self.array(codes[1] % 2**32, "u32"),
        }

    def text(self) -> str:
        """All arrays, compressed, in base 64."""
        return base64.b64encode(zlib.compress(b"".join(self._blocks), 9)).decode("ascii")


def pack_scene(
    scene: Scene,
    packer: Packer,
    size: float,
    *,
    name: str = "",
    ghost: bool = False,
    tint: str | None = None,
    carriers: Mapping[str, int] | None = None,
    samples: np.ndarray | None = None,
) -> dict[str, Any]:
    """A scene as JSON can hold it, its arrays in `packer`.

    size        of the scene, that errors are relative to [m]
    name        for people, where there are several
    ghost       drawn translucent
    tint        colour that its own are drawn towards
    carriers    contact -> the bone that its arrow moves with when deflections are magnified
    samples     times of the numbers that the page shows, its plots' too [s]; None: those of the pictures
    """
    bones = scene.bones
    stored = bones.poses.copy()
    elastic = np.asarray(bones.elastic, bool) & (bones.parent >= 0)
    stored[:, elastic] = Q.relative(bones.poses[:, bones.parent[elastic]], bones.poses[:, elastic])
    _continue(stored)
    nt, nb, _ = stored.shape
    turns = np.tile([False, False, False, True, True, True, True], nb)
    error = np.where(turns, 1.0 / _CODES, POSITION * size)
    floor = np.where(turns, _TURN_FLOOR, FLOOR * size)
    for bone, turn in _many(scene, size).items():
        floor[7 * bone : 7 * bone + 7] = [2.0 * POSITION * size] * 3 + [turn] * 4
    carriers = carriers or {}
    samples = scene.time if samples is None else samples
    return {
        "name": name,
        "ghost": ghost,
        "tint": tint,
        "time": packer.array(scene.time, "f64"),
        "samples": packer.array(samples, "f64"),
        "bones": {
            "parent": [int(i) for i in bones.parent],
            "elastic": [bool(i) for i in elastic],
            "rest": packer.array(bones.rest, "f64"),
            "bound": packer.array(bones.bound, "f64"),
            "poses": packer.channels(stored.reshape(nt, -1), error, floor),
        },
        "parts": _gathered(_parts(scene, packer, ghost), packer),
        "arrows": [
            _arrow(arrow, packer, size, carriers.get(arrow.name, -1), samples)
            | (_patches(arrow, packer, size, samples, highest_pressure(scene.arrows)) if arrow.patches else {})
            for arrow in scene.arrows
        ],
        "frames": {
            "name": [frame.name for frame in scene.frames],
            "bone": [int(frame.bone) for frame in scene.frames],
            "pose": packer.array([frame.pose for frame in scene.frames], "f64"),
        },
    } | ({} if ghost or not scene.fields else _fields(scene, packer))


def _fields(scene: Scene, packer: Packer) -> dict[str, Any]:
    """What surfaces can be coloured by, and the colours."""
    stated = [
        {
            "label": one.label,
            "unit": one.scale[1],
            "low": one.scale[0] * one.low,
            "high": one.scale[0] * one.high,
            "time": packer.array(scene.time[one.samples], "f64"),
        }
        for one in scene.fields
    ]
    return {"fields": stated, "palette": packer.array(palette(), "u8")}


def _coloured(part: SurfacePart, scene: Scene, packer: Packer) -> dict[str, Any]:
    """Values of the fields over a surface: a byte a node from low to high, in differences from time to time."""
    if part.columns is None or part.nodes is None or not scene.fields:
        return {}
    coded = []
    for one in scene.fields:
        shares = (one.values[part.body] - one.low) / (one.high - one.low)
        codes = np.rint(255.0 * np.clip(shares, 0.0, 1.0)).astype(np.int64)
        coded.append(packer.array(np.diff(codes, axis=0, prepend=0).T % 256, "u8"))
    kind = "u16" if len(part.nodes) <= 2**16 else "u32"
    return {"nodes": len(part.nodes), "columns": packer.array(part.columns, kind), "fields": coded}


def _many(scene: Scene, size: float) -> dict[int, float]:
    """Bones of bodies of which there are many alike, and the steps that their quaternions are stored in.

    Positions of these are in steps of twice `POSITION`, and a turn by a step moves no vertex farther; that of a ball
    about its middle cannot be seen.
    """
    groups: dict[int, list[SurfacePart]] = {}
    for part in scene.parts:
        groups.setdefault(id(part.vertices), []).append(part)
    few = {int(b) for some in groups.values() if len(some) < _MANY for part in some for b in np.unique(part.bones)}
    out: dict[int, float] = {}
    for some in groups.values():
        if len(some) < _MANY or not np.all(some[0].bones == some[0].bones[0, 0]):
            continue
        away = np.linalg.norm(some[0].vertices - scene.bones.bound[some[0].bones[0, 0], :3], axis=1)
        ball = float(np.ptp(away)) < 2e-3 * float(away.max())
        step = _BALL if ball else min(2.0 * POSITION * size / max(float(away.max()), 1e-12), _BALL)
        for part in some:
            bone = int(part.bones[0, 0])
            if bone not in few:
                out[bone] = min(step, out.get(bone, step))
    return out


def _parts(scene: Scene, packer: Packer, ghost: bool) -> list[dict[str, Any]]:
    """All parts; those that share their arrays are laid down once."""
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    out = []
    for part in scene.parts:
        key = (id(part.vertices), part.kind, part.opacity, part.shown is None)
        if key in known and "bone" in known[key] and part.shown is None and part.paint is None:
            own = {"name": part.name, "body": part.body, "colour": part.colour, "bone": int(part.bones[0, 0])}
            out.append(known[key] | own)
            continue
        ordered = _in_order(part)
        known[key] = _part(ordered, packer) | (_coloured(ordered, scene, packer) if not ghost else {})
        out.append(known[key])
    return out


def _part(part: SurfacePart, packer: Packer) -> dict[str, Any]:
    """A surface: vertices to within half of 1/65535 of its own extent along each axis, numbers as differences from
    one to the next, which compress; bones and weights of one that a single bone carries not at all."""
    wide, kind = (2**32, "u32") if len(part.vertices) > 2**16 else (2**16, "u16")
    out = {
        "name": part.name,
        "body": part.body,
        "kind": part.kind,
        "colour": part.colour,
        "opacity": float(part.opacity),
        "vertices": _quantised(part.vertices, packer),
        "faces": packer.array(np.mod(np.diff(part.faces.ravel().astype(np.int64), prepend=0), wide), kind),
    }
    if len(part.bones) and np.all(part.bones == part.bones[0, 0]):
        out["bone"] = int(part.bones[0, 0])
    else:
        out["bones"] = packer.array(part.bones, "u16")
        out["weights"] = packer.array(np.rint(np.clip(part.weights[:, 0], 0.0, 1.0) * _CODES), "u16")
    if part.shown is not None:
        out["shown"] = packer.array(part.shown, "u8")
    if part.paint is not None:
        out |= {"roughness": part.paint.roughness, "metalness": part.paint.metalness}
        if part.uv is not None and part.paint.picture:
            image = part.paint.image()
            out["uv"] = _quantised(part.uv, packer)
            out["picture"] = packer.array(np.frombuffer(image, np.uint8), "u8")
            out["type"] = "image/png" if image[:4] == b"\x89PNG" else "image/jpeg"
    return out


def _gathered(parts: list[dict[str, Any]], packer: Packer) -> list[dict[str, Any]]:
    """The parts of a page; those of many bodies that look alike but for their colour as one, with its copies."""
    own = ("name", "body", "bone", "colour")
    alike: dict[str, list[dict[str, Any]]] = {}
    for i, part in enumerate(parts):
        shared = {key: value for key, value in part.items() if key not in own}
        single = "bone" in part and "picture" not in part and part["kind"] != "world"
        alike.setdefault(json.dumps(shared, sort_keys=True) if single else str(i), []).append(part)
    out = []
    for group in alike.values():
        if len(group) < _MANY:
            out += group
            continue
        colours = sorted({part["colour"] for part in group})
        copies = {
            "bodies": [part["body"] for part in group],
            "bones": packer.array([part["bone"] for part in group], "u32"),
            "colours": colours,
            "tones": packer.array([colours.index(part["colour"]) for part in group], "u8"),
        }
        out.append({key: group[0][key] for key in group[0] if key not in ("name", "body")} | {"copies": copies})
    return out


def _in_order(part: SurfacePart) -> SurfacePart:
    """The same surface, its vertices in the order in which faces first name them: small differences."""
    count = len(part.vertices)
    first = np.full(count, part.faces.size, np.int64)
    np.minimum.at(first, part.faces.ravel(), np.arange(part.faces.size))
    order = np.argsort(first, kind="stable")
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    return replace(
        part,
        vertices=part.vertices[order],
        faces=place[part.faces],
        bones=part.bones[order],
        weights=part.weights[order],
        columns=None if part.columns is None else part.columns[order],
        uv=None if part.uv is None else part.uv[order],
    )


def _quantised(values: np.ndarray, packer: Packer) -> dict[str, Any]:
    """Numbers (n, k) as codes of 16 bits, axis by axis, in differences from one to the next."""
    values = np.asarray(values, float)
    low = values.min(axis=0) if len(values) else np.zeros(values.shape[1])
    step = (values.max(axis=0) - low) / _CODES if len(values) else low
    codes = np.rint((values - low) / np.where(step > 0.0, step, 1.0)).astype(np.int64)
    return {
        "low": low.tolist(),
        "step": step.tolist(),
        "codes": packer.array(np.diff(codes, axis=0, prepend=0).T % 2**16, "u16"),
    }


def _arrow(arrow: Arrow, packer: Packer, size: float, bone: int, samples: np.ndarray) -> dict[str, Any]:
    """The force at the page's samples, of which most are the run's own; none where the run has not begun, or ended."""
    force = _finite(np.asarray(arrow.force, dtype=np.float64))
    active = np.asarray(arrow.active, bool)
    sizes = np.linalg.norm(force, axis=1)
    shown = sizes[active & (sizes > 0.0)]
    inside = (samples >= arrow.time[0]) & (samples <= arrow.time[-1])
    here = nearest(arrow.time, samples)
    at = np.column_stack([np.interp(samples, arrow.time, one) for one in force.T])
    return {
        "name": arrow.name,
        "bone": bone,
        "reference": float(np.percentile(shown, 90)) if len(shown) else 1.0,
        "point": packer.channels(arrow.point[here], np.full(3, POSITION * size), np.full(3, FLOOR * size)),
        "force": packer.array(np.clip(at, -_LARGEST, _LARGEST), "f32"),
        "size": packer.array(np.minimum(np.interp(samples, arrow.time, sizes), _LARGEST), "f32"),
        "active": packer.array(active[here] & inside, "u8"),
    } | ({"darts": _darts(arrow, packer, size, samples)} if arrow.darts else {})


def _darts(arrow: Arrow, packer: Packer, size: float, samples: np.ndarray) -> dict[str, Any]:
    """The forces on the parts of a surface, to within 1/2000 of the largest; zero without contact."""
    here = nearest(arrow.time, samples)
    force = np.concatenate(
        [np.where(one.active[:, None], _finite(one.force), 0.0)[here] for one in arrow.darts], axis=1
    )
    point = np.concatenate([one.point[here] for one in arrow.darts], axis=1)
    largest = float(np.linalg.norm(force.reshape(-1, 3), axis=1).max()) or 1.0
    n = force.shape[1]
    return {
        "bones": [int(one.bone) for one in arrow.darts],
        "reference": largest,
        "point": packer.channels(point, np.full(n, POSITION * size), np.full(n, 1e-4 * size)),
        "force": packer.channels(force, np.full(n, 5e-4 * largest), np.full(n, 5e-4 * largest)),
    }


def _patches(arrow: Arrow, packer: Packer, size: float, samples: np.ndarray, highest: float) -> dict[str, Any]:
    """The surfaces of the parts of a volumetric contact; pressure as a byte, from none to the highest of the run."""
    here = nearest(arrow.time, samples)
    inside = (samples >= arrow.time[0]) & (samples <= arrow.time[-1])
    point = np.concatenate([one.point[here] for one in arrow.patches], axis=1)
    normal = np.concatenate([one.normal[here] for one in arrow.patches], axis=1)
    radius = np.stack([np.where(inside, one.radius[here], 0.0) for one in arrow.patches], axis=1)
    along = np.concatenate([one.along[here] for one in arrow.patches], axis=1)
    shares = np.stack([one.share(highest)[here] for one in arrow.patches], axis=1)
    n = point.shape[1]
    stated = {
        "count": len(arrow.patches),
        "highest": highest,
        "palette": packer.array(palette(), "u8"),
        "point": packer.channels(point, np.full(n, POSITION * size), np.full(n, FLOOR * size)),
        "normal": packer.channels(normal, np.full(n, 1e-4), np.full(n, 1e-6)),
        "radius": packer.array(radius, "f32"),
        "along": packer.channels(along, np.full(n, 1e-2 * float(radius.max())), np.full(n, 1e-3 * float(radius.max()))),
        "tone": packer.array(np.rint(255.0 * shares), "u8"),
    }
    return {"patches": stated}


def _continue(poses: np.ndarray) -> None:
    """Choose the signs of quaternions (nt, nb, 7) so that each changes little from one time to the next."""
    quaternions = poses[:, :, 3:]
    turned = np.einsum("tbi,tbi->tb", quaternions[1:], quaternions[:-1]) < 0.0
    quaternions[1:][np.cumsum(turned, axis=0) % 2 == 1] *= -1.0


def _finite(values: np.ndarray) -> np.ndarray:
    """Values (nt, n) with those that are no numbers taken from the last time that had one, or zero."""
    bad = ~np.isfinite(values)
    if not bad.any():
        return values
    last = np.maximum.accumulate(np.where(bad, -1, np.arange(len(values))[:, None]), axis=0)
    filled = np.take_along_axis(values, np.maximum(last, 0), axis=0)
    return np.where(last < 0, 0.0, filled)
