"""Meshes of imported files: STL, OBJ, COLLADA and MuJoCo's own, read without trusting them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...basics.errors import ModelError
from ...describe.shapes.mesh_files import MAX_BYTES, read_mesh
from ..mistakes import ScenarioError, one_line
from ..xml import Element, read_xml

FEW = 3000
"""Triangles up to which a mesh is drawn as it is; a larger one is drawn as its convex hull."""
MAX_NODES = 100_000
"""Nodes of a scene that are walked, those that others repeat counted each time."""
MAX_TRIANGLES = 10_000_000
"""Triangles that a mesh may have, those that nodes repeat counted each time."""
SUFFIXES = (".stl", ".obj", ".dae", ".msh")

Triangles = tuple[np.ndarray, np.ndarray]


def read_any(path: Path) -> Triangles:
    """Vertices (n, 3) [m] and triangles (m, 3) of a mesh file; a `ModelError` says what is wrong with it."""
    suffix = path.suffix.lower()
    if suffix in (".stl", ".obj"):
        found = read_mesh(path)
    elif suffix in (".dae", ".msh"):
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ModelError.at(path.name, f"mesh file is larger than {MAX_BYTES} bytes; use a coarser mesh")
        found = _collada(raw, path.name) if suffix == ".dae" else _msh(raw, path.name)
    else:
        raise ModelError.at(path.name, f'mesh file of type "{path.suffix}"; give one of {", ".join(SUFFIXES)}')
    vertices, triangles = found
    if len(triangles) == 0:
        raise ModelError.at(path.name, "mesh file holds no triangles")
    if not np.all(np.isfinite(vertices)) or np.max(np.abs(vertices), initial=0.0) > 1e12:
        raise ModelError.at(path.name, "mesh file has a vertex that is not finite; write it anew")
    return vertices, triangles


def coarse(vertices: np.ndarray, triangles: np.ndarray) -> Triangles:
    """What a mesh is drawn as."""
    if len(triangles) <= FEW:
        return vertices, triangles
    from ...describe.shapes import ConvexMesh

    hull = ConvexMesh(vertices)
    return (vertices, triangles[:FEW]) if hull.check("mesh") else hull.to_mesh()


def _msh(raw: bytes, name: str) -> Triangles:
    """MuJoCo's binary format: four counts, vertices, normals, texture coordinates, faces."""
    counts = np.frombuffer(raw[:16], "<i4") if len(raw) >= 16 else np.zeros(0)
    if len(counts) < 4 or np.any(counts < 0) or np.any(counts > 50_000_000):
        raise ModelError.at(name, "not a MSH file: its header says nothing sensible")
    vertices, normals, texture, faces = (int(one) for one in counts)
    size = 16 + 4 * (3 * vertices + 3 * normals + 2 * texture + 3 * faces)
    if len(raw) != size:
        raise ModelError.at(name, f"not a MSH file: its header asks for {size} bytes, it has {len(raw)}")
    points = np.frombuffer(raw, "<f4", 3 * vertices, 16).reshape(-1, 3).astype(float)
    corners = np.frombuffer(raw, "<i4", 3 * faces, size - 12 * faces).reshape(-1, 3).astype(np.int64)
    if len(corners) and (corners.min() < 0 or corners.max() >= vertices):
        raise ModelError.at(name, f"a face names a vertex beyond the {vertices} that there are")
    return points, corners


def _collada(raw: bytes, name: str) -> Triangles:
    """Geometry of a COLLADA file at the places of its scene, in metres, in the file's own axes.

    Its up axis is left alone, as the readers of URDF do.
    """
    try:
        root = read_xml(raw, name, MAX_BYTES)
    except ScenarioError as error:
        raise ModelError.at(name, error.problems[0].message) from None
    ids: dict[str, Element] = {}
    parents: list[Element] = [root]
    while parents:
        element = parents.pop()
        element.tag = element.tag.rpartition(":")[2]
        if "id" in element.attributes:
            ids[element.attributes["id"]] = element
        parents += element.children
    asset = root.first("asset")
    unit = asset.first("unit") if asset is not None else None
    scale = _number(unit, "meter", 1.0, name) if unit is not None else 1.0
    if not 0.0 < scale < 1e12:
        raise ModelError.at(name, f"<unit> has meter={scale:g}; a unit is longer than 0")
    pieces: list[Triangles] = []
    known: dict[int, list[Triangles]] = {}
    walked = total = 0

    def refer(element: Element, key: str = "url") -> Element | None:
        return ids.get(element.attributes.get(key, "").lstrip("#"))

    def parts(geometry: Element) -> list[Triangles]:
        nonlocal total
        if id(geometry) not in known:
            known[id(geometry)] = _geometry(geometry, ids, name)
        total += sum(len(vertices) + len(triangles) for vertices, triangles in known[id(geometry)])
        if total > 2 * MAX_TRIANGLES:
            raise ModelError.at(name, f"nodes of the scene make more than {MAX_TRIANGLES} triangles; write fewer")
        return known[id(geometry)]

    def walk(node: Element, at: np.ndarray, depth: int) -> None:
        nonlocal walked
        walked += 1
        if depth > 50:
            raise ModelError.at(name, "nodes of the scene are nested more than 50 deep, or name each other in a circle")
        if walked > MAX_NODES:
            raise ModelError.at(name, f"the scene has more than {MAX_NODES} nodes, those that others name counted")
        at = at @ _transform(node, name)
        for child in node.children:
            target = refer(child)
            if child.tag in ("instance_geometry", "instance_controller") and target is not None:
                if target.tag == "controller":
                    skin = target.first("skin")
                    target = None if skin is None else refer(skin, "source")
                if target is not None:
                    for vertices, triangles in parts(target):
                        pieces.append((vertices @ at[:3, :3].T + at[:3, 3], triangles))
            elif child.tag == "node":
                walk(child, at, depth + 1)
            elif child.tag == "instance_node" and target is not None:
                walk(target, at, depth + 1)

    scenes = root.first("library_visual_scenes")
    for scene in scenes.every("visual_scene") if scenes is not None else ():
        walk(scene, np.eye(4), 0)
    if not pieces:
        library = root.first("library_geometries")
        for geometry in library.every("geometry") if library is not None else ():
            pieces += parts(geometry)
    if not pieces:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in pieces)])
    points = np.concatenate([vertices for vertices, _ in pieces]) * scale
    return points, np.concatenate([corners + at for (_, corners), at in zip(pieces, offsets, strict=False)])


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
        told = f'<{element.tag[:40]}> has {attribute}="{one_line(text or "")[:40]}"'
        raise ModelError.at(name, f"{told} in the COLLADA file; a number is due there")
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


def _geometry(geometry: Element, ids: dict[str, Element], name: str) -> list[Triangles]:
    mesh = geometry.first("mesh")
    out: list[Triangles] = []
    for part in mesh.children if mesh is not None else ():
        if part.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = [one for one in part.children if one.tag == "input"]
        offsets = [int(_number(one, "offset", 0.0, name)) for one in inputs]
        stride = max(offsets, default=0) + 1
        found = next(((i, one) for i, one in enumerate(inputs) if one.attributes.get("semantic") == "VERTEX"), None)
        if found is None:
            continue
        if not 0 <= min(offsets) <= stride <= 64:
            raise ModelError.at(name, f"<{part.tag}> has an offset of {max(offsets, key=abs)}; they are 0 to 63")
        points = _points(found[1], ids, name)
        lists = [_indices(one.text, name) for one in part.every("p")]
        if part.tag == "polylist":
            counts = part.first("vcount")
            lengths = _indices(counts.text, name) if counts is not None else np.zeros(0, np.int64)
            whole = lists[0] if lists else np.zeros(0, np.int64)
            if np.any(lengths < 0) or len(whole) != stride * int(lengths.sum()):
                raise ModelError.at(name, "a polylist has other numbers than its vcount says")
            lists = np.split(whole, np.cumsum(stride * lengths)[:-1]) if len(lengths) else []
        triangles = []
        for one in lists:
            corners = one.reshape(-1, stride)[:, offsets[found[0]]] if len(one) % stride == 0 else one[:0]
            if part.tag == "triangles":
                triangles.append(corners[: 3 * (len(corners) // 3)].reshape(-1, 3))
            elif len(corners) >= 3:
                fan = np.column_stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]])
                triangles.append(fan)
        every = np.concatenate([np.zeros((0, 3), np.int64), *triangles])
        if len(every) and (every.min() < 0 or every.max() >= len(points)):
            raise ModelError.at(name, f"a face names a vertex beyond the {len(points)} that there are")
        out.append((points, every))
    return out


def _points(vertex: Element, ids: dict[str, Element], name: str) -> np.ndarray:
    """The positions (n, 3) that an input names, through <vertices>."""
    target = ids.get(vertex.attributes.get("source", "").lstrip("#"))
    for _ in range(2):
        if target is not None and target.tag == "vertices":
            inner = next((one for one in target.children if one.attributes.get("semantic") == "POSITION"), None)
            target = None if inner is None else ids.get(inner.attributes.get("source", "").lstrip("#"))
    array = target.first("float_array") if target is not None else None
    if array is None:
        raise ModelError.at(name, "a mesh names positions that are not in the file")
    values = _floats(array.text, name)
    return values[: 3 * (len(values) // 3)].reshape(-1, 3)
