"""COLLADA files: geometry at the places of its scene, with colours and textures, read without trusting them."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote

import numpy as np

from ...basics.errors import ModelError
from ...describe.shapes import Paint
from ...describe.shapes.mesh_files import MAX_BYTES
from ..problems import ScenarioError, one_line
from ..xml import Element, read_xml
from .painted_surfaces import Open, PaintedSurface, joined
from .textures import small_picture

MAX_NODES = 100_000
"""Nodes of a scene that are walked, those that others repeat counted each time."""
MAX_TRIANGLES = 10_000_000
"""Triangles that a mesh may have, those that nodes repeat counted each time."""
SHADERS = ("phong", "lambert", "blinn", "constant")


class Collada:
    """One file.

    raw     its bytes
    name    for messages
    open    reads the pictures that it names
    """

    def __init__(self, raw: bytes, name: str, open: Open) -> None:
        self.name, self.open = name, open
        try:
            self.root = read_xml(raw, name, MAX_BYTES)
        except ScenarioError as error:
            raise ModelError.at(name, error.problems[0].message) from None
        self.ids: dict[str, Element] = {}
        parents: list[Element] = [self.root]
        while parents:
            element = parents.pop()
            element.tag = element.tag.rpartition(":")[2]
            if "id" in element.attributes:
                self.ids[element.attributes["id"]] = element
            parents += element.children
        self.known: dict[int, list[tuple[PaintedSurface, str]]] = {}
        self.paints: dict[str, Paint | None] = {}
        self.walked = self.total = 0
        self.pieces: list[PaintedSurface] = []

    def read(self) -> PaintedSurface:
        """All geometry [m], in the file's own axes: its up axis is left alone, as the readers of URDF do."""
        asset = self.root.first("asset")
        unit = asset.first("unit") if asset is not None else None
        scale = _number(unit, "meter", 1.0, self.name) if unit is not None else 1.0
        if not 0.0 < scale < 1e12:
            raise ModelError.at(self.name, f"<unit> has meter={scale:g}; a unit is longer than 0")
        scenes = self.root.first("library_visual_scenes")
        for scene in scenes.every("visual_scene") if scenes is not None else ():
            self._walk(scene, np.eye(4), 0)
        if not self.pieces:
            library = self.root.first("library_geometries")
            for geometry in library.every("geometry") if library is not None else ():
                self.pieces += [part for part, _ in self._parts(geometry)]
        whole = joined(self.pieces)
        return whole._replace(vertices=whole.vertices * scale)

    def _refer(self, element: Element, key: str = "url") -> Element | None:
        return self.ids.get(element.attributes.get(key, "").lstrip("#"))

    def _parts(self, geometry: Element) -> list[tuple[PaintedSurface, str]]:
        if id(geometry) not in self.known:
            self.known[id(geometry)] = self._geometry(geometry)
        self.total += sum(len(one.vertices) + len(one.triangles) for one, _ in self.known[id(geometry)])
        if self.total > 2 * MAX_TRIANGLES:
            raise ModelError.at(self.name, f"nodes of the scene make more than {MAX_TRIANGLES} triangles; write fewer")
        return self.known[id(geometry)]

    def _walk(self, node: Element, at: np.ndarray, depth: int) -> None:
        name = self.name
        self.walked += 1
        if depth > 50:
            raise ModelError.at(name, "nodes of the scene are nested more than 50 deep, or name each other in a circle")
        if self.walked > MAX_NODES:
            raise ModelError.at(name, f"the scene has more than {MAX_NODES} nodes, those that others name counted")
        at = at @ _transform(node, name)
        for child in node.children:
            target = self._refer(child)
            if child.tag in ("instance_geometry", "instance_controller") and target is not None:
                if target.tag == "controller":
                    skin = target.first("skin")
                    target = None if skin is None else self._refer(skin, "source")
                if target is not None:
                    bound = self._bound(child)
                    for part, symbol in self._parts(target):
                        paint = self._paint(bound.get(symbol, symbol))
                        self.pieces.append(part.moved(at[:3, :3], at[:3, 3]).with_paint(paint))
            elif child.tag == "node":
                self._walk(child, at, depth + 1)
            elif child.tag == "instance_node" and target is not None:
                self._walk(target, at, depth + 1)

    def _bound(self, instance: Element) -> dict[str, str]:
        """Materials by the symbols that geometry knows them by."""
        binding = instance.first("bind_material")
        common = binding.first("technique_common") if binding is not None else None
        found = common.every("instance_material") if common is not None else ()
        return {one.attributes.get("symbol", ""): one.attributes.get("target", "").lstrip("#") for one in found}

    def _paint(self, material: str) -> Paint | None:
        """What a material looks like, by its id."""
        if material not in self.paints:
            self.paints[material] = self._read_paint(material) if material else None
        return self.paints[material]

    def _read_paint(self, material: str) -> Paint | None:
        target = self.ids.get(material)
        instance = target.first("instance_effect") if target is not None else None
        effect = self._refer(instance) if instance is not None else None
        profile = effect.first("profile_COMMON") if effect is not None else None
        technique = profile.first("technique") if profile is not None else None
        shader = (
            next((one for one in technique.children if one.tag in SHADERS), None) if technique is not None else None
        )
        if profile is None or shader is None:
            return None
        diffuse = shader.first("diffuse") or shader.first("emission")
        colour = diffuse.first("color") if diffuse is not None else None
        texture = diffuse.first("texture") if diffuse is not None else None
        picture = self._picture(profile, texture) if texture is not None else ""
        values = np.clip(_floats(colour.text, self.name), 0.0, 1.0) if colour is not None else np.ones(3)
        if len(values) < 3 or not np.all(np.isfinite(values)):
            values = np.full(3, 0.7)
        # the fourth number of a diffuse colour says nothing of opacity, which <transparent> would
        red, green, blue = values[:3].round(4).tolist()
        return Paint((red, green, blue, 1.0), picture=picture)

    def _picture(self, profile: Element, texture: Element) -> str:
        """The picture behind a texture: by way of <newparam> sampler and surface, or by its own id."""
        params = {one.attributes.get("sid", ""): one for one in profile.every("newparam")}
        name = texture.attributes.get("texture", "")
        for _ in range(2):
            inner = params[name].children if name in params else []
            for one in inner:
                source = one.first("source") or one.first("init_from") or one.first("instance_image")
                if source is not None:
                    name = source.text.strip() or source.attributes.get("url", "").lstrip("#")
        image = self.ids.get(name)
        start = image.first("init_from") if image is not None else None
        if start is None:
            return ""
        inner_text = start.first("ref")
        file = unquote((inner_text.text if inner_text is not None else start.text).strip())
        raw = self.open(str(PurePosixPath(file.removeprefix("file://").removeprefix("./"))))
        return small_picture(raw, file) if raw else ""

    def _geometry(self, geometry: Element) -> list[tuple[PaintedSurface, str]]:
        """Its parts, and the symbol of the material of each."""
        mesh, name = geometry.first("mesh"), self.name
        out: list[tuple[PaintedSurface, str]] = []
        for part in mesh.children if mesh is not None else ():
            if part.tag not in ("triangles", "polylist", "polygons"):
                continue
            inputs = [one for one in part.children if one.tag == "input"]
            offsets = [int(_number(one, "offset", 0.0, name)) for one in inputs]
            stride = max(offsets, default=0) + 1
            by_use = {one.attributes.get("semantic"): i for i, one in reversed(list(enumerate(inputs)))}
            if "VERTEX" not in by_use:
                continue
            if not 0 <= min(offsets) <= stride <= 64:
                raise ModelError.at(name, f"<{part.tag}> has an offset of {max(offsets, key=abs)}; they are 0 to 63")
            points = self._points(inputs[by_use["VERTEX"]], 3)
            rows = _fans(part, stride, name)
            corners = rows[:, :, offsets[by_use["VERTEX"]]]
            if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
                raise ModelError.at(name, f"a face names a vertex beyond the {len(points)} that there are")
            drawn = PaintedSurface(points, corners)
            if "TEXCOORD" in by_use:
                spots = self._points(inputs[by_use["TEXCOORD"]], 2)
                which = rows[:, :, offsets[by_use["TEXCOORD"]]]
                if len(spots) and len(which) and which.min() >= 0 and which.max() < len(spots):
                    drawn = paired(points, corners, spots, which)
            out.append((drawn, part.attributes.get("material", "")))
        return out

    def _points(self, given: Element, width: int) -> np.ndarray:
        """The places (n, width) that an input names, through <vertices>."""
        target = self._refer(given, "source")
        for _ in range(2):
            if target is not None and target.tag == "vertices":
                inner = next((one for one in target.children if one.attributes.get("semantic") == "POSITION"), None)
                target = None if inner is None else self._refer(inner, "source")
        array = target.first("float_array") if target is not None else None
        if target is None or array is None:
            raise ModelError.at(self.name, "a mesh names positions that are not in the file")
        common = target.first("technique_common")
        accessor = common.first("accessor") if common is not None else None
        step = int(_number(accessor, "stride", float(width), self.name)) if accessor is not None else width
        step = step if width <= step <= 16 else width
        values = _floats(array.text, self.name)
        return values[: step * (len(values) // step)].reshape(-1, step)[:, :width]


def paired(points: np.ndarray, corners: np.ndarray, spots: np.ndarray, which: np.ndarray) -> PaintedSurface:
    """Triangles whose corners name points and places in a picture apart: a vertex for each pair."""
    key = corners.astype(np.int64) * len(spots) + which
    pairs, triangles = np.unique(key, return_inverse=True)
    return PaintedSurface(points[pairs // len(spots)], triangles.reshape(-1, 3), spots[pairs % len(spots)])


def _fans(part: Element, stride: int, name: str) -> np.ndarray:
    """Triangles (m, 3, stride) of indices; polygons become fans."""
    lists = [_indices(one.text, name) for one in part.every("p")]
    if part.tag == "polylist":
        counts = part.first("vcount")
        lengths = _indices(counts.text, name) if counts is not None else np.zeros(0, np.int64)
        whole = lists[0] if lists else np.zeros(0, np.int64)
        if np.any(lengths < 0) or len(whole) != stride * int(lengths.sum()):
            raise ModelError.at(name, "a polylist has other numbers than its vcount says")
        if len(lengths) and np.all(lengths == 3):
            return whole.reshape(-1, 3, stride)
        lists = np.split(whole, np.cumsum(stride * lengths)[:-1]) if len(lengths) else []
    triangles = []
    for one in lists:
        corners = one.reshape(-1, stride) if len(one) % stride == 0 else one[:0].reshape(-1, stride)
        if part.tag == "triangles":
            triangles.append(corners[: 3 * (len(corners) // 3)].reshape(-1, 3, stride))
        elif len(corners) >= 3:
            first = np.broadcast_to(corners[:1], (len(corners) - 2, stride))
            triangles.append(np.stack([first, corners[1:-1], corners[2:]], axis=1))
    return np.concatenate([np.zeros((0, 3, stride), np.int64), *triangles])


def _floats(text: str, name: str) -> np.ndarray:
    try:
        return np.array(text.split(), float)
    except ValueError:
        raise ModelError.at(name, f'"{text.strip()[:40]}" in the COLLADA file; numbers are due there') from None


def _number(element: Element, attribute: str, default: float, name: str) -> float:
    """An attribute that is one finite number."""
    text = element.attributes.get(attribute)
    values = _floats(text, name) if text is not None else np.array([default])
    if values.shape != (1,) or not np.isfinite(values[0]):
        stated = f'<{element.tag[:40]}> has {attribute}="{one_line(text or "")[:40]}"'
        raise ModelError.at(name, f"{stated} in the COLLADA file; a number is due there")
    return float(values[0])


def _indices(text: str, name: str) -> np.ndarray:
    """Whole numbers; others, and those beyond any index, are refused."""
    values = _floats(text, name)
    if not np.all((np.abs(values) < 2**53) & (values == np.round(values))):
        raise ModelError.at(name, "an index in the COLLADA file is not a whole number")
    return values.astype(np.int64)


def _transform(node: Element, name: str) -> np.ndarray:
    """The product (4, 4) of what moves a node, in the order of the file."""
    out = np.eye(4)
    for child in node.children:
        one = np.eye(4)
        sizes = {"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}
        if child.tag not in sizes:
            continue
        values = _floats(child.text, name)
        if len(values) != sizes[child.tag]:
            raise ModelError.at(name, f"<{child.tag}> has {len(values)} numbers; it takes {sizes[child.tag]}")
        if child.tag == "matrix":
            one = values.reshape(4, 4)
        elif child.tag == "translate":
            one[:3, 3] = values
        elif child.tag == "scale":
            one[:3, :3] = np.diag(values)
        else:
            one[:3, :3] = turn(values[:3], np.deg2rad(values[3]))
        out = out @ one
    return out


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation (3, 3) about an axis of any length (Rodrigues)."""
    length = float(np.linalg.norm(axis))
    if length == 0.0:
        return np.eye(3)
    x, y, z = axis / length
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
