"""Meshes of imported files: STL, OBJ, COLLADA, binary glTF and MuJoCo's own, read without trusting them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...basics.errors import ModelError
from ...describe.shapes import Paint
from ...describe.shapes.mesh_files import MAX_BYTES, parse_obj, read_mesh
from .collada import Collada, paired
from .gltf import read_glb
from .painted_surfaces import Open, PaintedSurface, joined, nothing
from .textures import small_picture

SUFFIXES = (".stl", ".obj", ".dae", ".glb", ".msh")

Triangles = tuple[np.ndarray, np.ndarray]


def read_any(path: Path) -> Triangles:
    """Vertices (n, 3) [m] and triangles (m, 3) of a mesh file; a `ModelError` says what is wrong with it."""
    found = read_drawn(path)
    return found.vertices, found.triangles


def read_drawn(path: Path, open: Open = nothing) -> PaintedSurface:
    """A mesh file with its colours and textures; a `ModelError` says what is wrong with it.

    open    reads the files that it names, pictures and libraries of materials
    """
    suffix = path.suffix.lower()
    if suffix == ".stl":
        found = PaintedSurface(*read_mesh(path))
    elif suffix in SUFFIXES:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ModelError.at(path.name, f"mesh file is larger than {MAX_BYTES} bytes; use a coarser mesh")
        if suffix == ".dae":
            found = Collada(raw, path.name, open).read()
        elif suffix == ".glb":
            found = read_glb(raw, path.name, open)
        else:
            found = _obj(raw, path.name, open) if suffix == ".obj" else _msh(raw, path.name)
    else:
        raise ModelError.at(path.name, f'mesh file of type "{path.suffix}"; give one of {", ".join(SUFFIXES)}')
    if len(found.triangles) == 0:
        raise ModelError.at(path.name, "mesh file holds no triangles")
    if not np.all(np.isfinite(found.vertices)) or np.max(np.abs(found.vertices), initial=0.0) > 1e12:
        raise ModelError.at(path.name, "mesh file has a vertex that is not finite; write it anew")
    return found


def _msh(raw: bytes, name: str) -> PaintedSurface:
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
    spots = np.frombuffer(raw, "<f4", 2 * texture, 16 + 12 * (vertices + normals)).reshape(-1, 2).astype(float)
    # pictures of MuJoCo begin in their upper left corner
    return PaintedSurface(
        points, corners, np.column_stack([spots[:, 0], 1.0 - spots[:, 1]]) if texture == vertices else None
    )


def _obj(raw: bytes, name: str, open: Open) -> PaintedSurface:
    """An OBJ file, and its materials from the libraries that it names."""
    found = parse_obj(raw, name)
    known: dict[str, Paint] = {}
    for library in found.libraries:
        text = open(library) if found.materials else None
        if text:
            known |= _mtl(text.decode("utf-8", "replace"), open)
    parts = []
    for i in (-1, *range(len(found.materials))):
        mine = found.material == i
        if not np.any(mine):
            continue
        corners, spotted = found.triangles[mine], found.spotted[mine]
        whole = len(found.spots) and np.all(spotted >= 0)
        part = (
            paired(found.vertices, corners, found.spots, spotted) if whole else PaintedSurface(found.vertices, corners)
        )
        parts.append(part.with_paint(known.get(found.materials[i]) if i >= 0 else None))
    # vertices that no face of a material names are copies of others
    return parts[0] if len(parts) == 1 else joined([_used(part) for part in parts])


def _used(part: PaintedSurface) -> PaintedSurface:
    """A surface without the vertices that it does not need."""
    used, corners = np.unique(part.triangles, return_inverse=True)
    uv = None if part.uv is None else part.uv[used]
    return part._replace(vertices=part.vertices[used], triangles=corners.reshape(-1, 3), uv=uv)


def _mtl(text: str, open: Open) -> dict[str, Paint]:
    """Materials of a library of an OBJ file: diffuse colour, opacity, shine and picture."""
    out: dict[str, Paint] = {}
    for block in re.split(r"(?m)^\s*newmtl\s+", text)[1:]:
        rows = [row.strip().split(None, 1) for row in block.splitlines()]
        said = {row[0].lower(): row[1].split("#")[0].strip() for row in rows[1:] if len(row) == 2}
        picture = ""
        if "map_kd" in said:
            file = said["map_kd"].split()[-1] if said["map_kd"].startswith("-") else said["map_kd"]
            raw = open(file.replace("\\", "/"))
            picture = small_picture(raw, file) if raw else ""
        colour = _levels(said.get("kd", ""), 3)
        if picture and (colour is None or not np.any(colour)):  # exporters write black under a picture
            colour = np.ones(3)
        colour = np.full(3, 0.7) if colour is None else colour
        opaque = _levels(said.get("d", ""), 1)
        shine = _levels(said.get("ns", ""), 1, 1000.0)
        rough = 0.5 if shine is None else float(np.sqrt(2.0 / (2.0 + shine[0])))
        values = (*colour.tolist(), 1.0 if opaque is None or opaque[0] == 0.0 else float(opaque[0]))
        out[" ".join(rows[0])] = Paint(values, roughness=round(min(max(rough, 0.2), 0.9), 3), picture=picture)
    return out


def _levels(text: str, count: int, most: float = 1.0) -> np.ndarray | None:
    """So many numbers within 0 and `most`; None where there are not."""
    try:
        values = np.array(text.split()[:count], float)
    except ValueError:
        return None
    return np.clip(values, 0.0, most) if len(values) == count and np.all(np.isfinite(values)) else None
