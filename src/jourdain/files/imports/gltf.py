"""Binary glTF files (GLB), with colours and textures, read without trusting them.

Khronos, glTF 2.0 specification. Its axes are left alone, as those of other mesh files are.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...describe.shapes import Paint
from .collada import MAX_NODES, MAX_TRIANGLES
from .painted_surfaces import Open, PaintedSurface, joined
from .textures import small_picture

KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization")


class _Glb:
    """One file."""

    def __init__(self, raw: bytes, name: str, open: Open) -> None:
        self.name, self.open = name, open
        self.data, self.block = self._chunks(raw)
        needs = [one for one in self.list("extensionsRequired") if one in PACKED]
        if needs:
            raise self.wrong(f"needs {needs[0]}, which is not read; write it without")
        self.paints: dict[int, Paint] = {}
        self.parts: list[PaintedSurface] = []
        self.walked = self.total = 0

    def wrong(self, message: str) -> ModelError:
        return ModelError.at(self.name, message)

    def _chunks(self, raw: bytes) -> tuple[dict[str, Any], bytes]:
        if raw[:4] != b"glTF" or len(raw) < 20 or int.from_bytes(raw[4:8], "little") != 2:
            raise self.wrong("is not a binary glTF file of version 2")
        at = 12
        found: dict[bytes, bytes] = {}
        while at + 8 <= len(raw):
            size, kind = int.from_bytes(raw[at : at + 4], "little"), raw[at + 4 : at + 8]
            found.setdefault(kind, raw[at + 8 : at + 8 + size])
            at += 8 + size
        try:
            data = json.loads(found.get(b"JSON", b""))
        except (ValueError, RecursionError):
            raise self.wrong("has no description that can be read") from None
        if not isinstance(data, dict):
            raise self.wrong("has no description that can be read")
        return data, found.get(b"BIN\0", b"")

    def list(self, key: str) -> list[Any]:
        found = self.data.get(key, [])
        return found if isinstance(found, list) else []

    def item(self, key: str, index: Any) -> dict[str, Any]:
        """One of a list of things, by its number."""
        found = self.list(key)
        if not isinstance(index, int) or not 0 <= index < len(found) or not isinstance(found[index], dict):
            raise self.wrong(f"names one of its {key} that is not there")
        return found[index]

    def view(self, index: Any) -> tuple[bytes, int]:
        """Bytes of a buffer view, and its stride."""
        view = self.item("bufferViews", index)
        buffer = self.item("buffers", view.get("buffer"))
        if view["buffer"] != 0 or "uri" in buffer:
            raise self.wrong("keeps numbers in another file; write one binary file")
        start, size = _whole(view.get("byteOffset", 0)), _whole(view.get("byteLength", 0))
        if start + size > len(self.block):
            raise self.wrong("ends before its numbers do")
        return self.block[start : start + size], _whole(view.get("byteStride", 0))

    def numbers(self, index: Any) -> np.ndarray:
        """An accessor's numbers (n, width)."""
        one = self.item("accessors", index)
        kind, width, count = KINDS.get(one.get("componentType", 0)), WIDTHS.get(one.get("type", "")), one.get("count")
        if kind is None or width is None or "sparse" in one or "bufferView" not in one:
            raise self.wrong("has numbers of a kind that is not read")
        data, stride = self.view(one["bufferView"])
        dtype = np.dtype(kind)
        start, count = _whole(one.get("byteOffset", 0)), _whole(count)
        stride = stride or width * dtype.itemsize
        if stride < width * dtype.itemsize or (
            count and start + stride * (count - 1) + width * dtype.itemsize > len(data)
        ):
            raise self.wrong("ends before its numbers do")
        found = np.ndarray((count, width), dtype, data, start, (stride, dtype.itemsize)).astype(float)
        if one.get("normalized") and dtype.kind in "iu":
            found = np.maximum(found / np.iinfo(dtype).max, -1.0)
        return found

    def paint(self, index: Any) -> Paint | None:
        """A material; its colour is linear in the file, and as screens have it here."""
        if index is None:
            return None
        if index not in self.paints:
            stated = self.item("materials", index)
            look = stated.get("pbrMetallicRoughness", {})
            values = np.array(look.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0)), float)
            values = np.clip(np.nan_to_num(values), 0.0, 1.0) if values.shape == (4,) else np.ones(4)
            screen = np.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1 / 2.4) - 0.055)
            opacity = float(values[3]) if stated.get("alphaMode") == "BLEND" else 1.0
            colour = (*np.clip(screen[:3], 0.0, 1.0).round(4).tolist(), opacity)
            rough, metal = (
                min(max(float(look.get(key, 1.0)), 0.0), 1.0) for key in ("roughnessFactor", "metallicFactor")
            )
            texture = look.get("baseColorTexture", {}).get("index")
            self.paints[index] = Paint(colour, rough, metal, "" if texture is None else self.picture(texture))
        return self.paints[index]

    def picture(self, texture: Any) -> str:
        image = self.item("images", self.item("textures", texture).get("source"))
        uri = image.get("uri")
        if isinstance(uri, str) and uri.startswith("data:"):
            try:
                raw: bytes | None = base64.b64decode(uri.partition(",")[2], validate=True)
            except (binascii.Error, ValueError):
                raise self.wrong("has a picture that is not in base 64") from None
        else:
            raw = self.open(uri) if isinstance(uri, str) else self.view(image.get("bufferView"))[0]
        return small_picture(raw, self.name) if raw else ""

    def walk(self, index: Any, at: np.ndarray, depth: int) -> None:
        node = self.item("nodes", index)
        self.walked += 1
        if depth > 50:
            raise self.wrong("nodes of the scene are nested more than 50 deep, or name each other in a circle")
        if self.walked > MAX_NODES:
            raise self.wrong(f"the scene has more than {MAX_NODES} nodes, those that others name counted")
        at = at @ _place(node)
        if "mesh" in node:
            for one in self.item("meshes", node["mesh"]).get("primitives", []):
                part = self.primitive(one)
                if part is not None:
                    self.parts.append(part.moved(at[:3, :3], at[:3, 3]))
        for child in node.get("children", []):
            self.walk(child, at, depth + 1)

    def primitive(self, one: dict[str, Any]) -> PaintedSurface | None:
        """Triangles of a primitive; points and lines are not drawn."""
        if one.get("mode", 4) != 4:
            return None
        places = one.get("attributes", {})
        points = self.numbers(places.get("POSITION"))
        which = self.numbers(one["indices"])[:, 0] if "indices" in one else np.arange(len(points))
        corners = which[: 3 * (len(which) // 3)].astype(np.int64).reshape(-1, 3)
        self.total += len(corners) + len(points)
        if self.total > 2 * MAX_TRIANGLES:
            raise self.wrong(f"nodes of the scene make more than {MAX_TRIANGLES} triangles; write fewer")
        if points.shape[1] != 3 or (len(corners) and corners.max() >= len(points)):
            raise self.wrong(f"a face names a vertex beyond the {len(points)} that there are")
        uv = self.numbers(places["TEXCOORD_0"])[:, :2] if "TEXCOORD_0" in places else None
        if uv is not None:
            uv = np.column_stack([uv[:, 0], 1.0 - uv[:, 1]]) if len(uv) == len(points) else None
        return PaintedSurface(points, corners, uv).with_paint(self.paint(one.get("material")))


def read_glb(raw: bytes, name: str, open: Open) -> PaintedSurface:
    """All meshes of the scene, in the file's own axes [m]."""
    file = _Glb(raw, name, open)
    try:
        scenes = file.list("scenes")
        scene = file.item("scenes", file.data.get("scene", 0)) if scenes else {"nodes": range(len(file.list("nodes")))}
        for node in scene.get("nodes", []):
            file.walk(node, np.eye(4), 0)
        return joined(file.parts)
    except (TypeError, KeyError, AttributeError, ValueError, IndexError) as error:
        raise file.wrong(f"is not what glTF says: {type(error).__name__}") from None


def _whole(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**40:
        raise ValueError("a count is due")
    return value


def _place(node: dict[str, Any]) -> np.ndarray:
    """Pose of a node in its parent (4, 4): a matrix by columns, or shift, turn (x, y, z, w) and stretch."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    out = np.eye(4)
    x, y, z, w = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), float)
    length = float(np.linalg.norm((w, x, y, z)))
    turned = Pose(rotation=np.array([w, x, y, z]) / length).rotation if length > 0.0 else np.eye(3)
    out[:3, :3] = turned * np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    out[:3, 3] = np.array(node.get("translation", (0.0, 0.0, 0.0)), float)
    return out
