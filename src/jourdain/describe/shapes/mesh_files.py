"""Triangle meshes from STL and OBJ files, read without trusting them."""

from __future__ import annotations

import math
import os
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...basics.errors import ModelError

MAX_BYTES = 256 * 2**20
"""Largest mesh file that is read: about five million triangles of binary STL."""

MAX_LINES = 16_000_000
"""Lines that a mesh file of text may have."""


def read_mesh(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3), in the file's unit, and triangles (m, 3) of an ``.stl`` or ``.obj`` file."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".stl", ".obj"):
        raise ModelError.at(path.name, f'mesh file of type "{path.suffix}"; give .stl or .obj')
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError.at(path.name, f"cannot read the mesh file: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise ModelError.at(path.name, f"mesh file is larger than {MAX_BYTES} bytes; use a coarser mesh")
    vertices, triangles = _obj(content, path.name) if suffix == ".obj" else _stl(content, path.name)
    if len(triangles) == 0:
        raise ModelError.at(path.name, "mesh file holds no triangles")
    return vertices, triangles


def _stl(content: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Binary when its size is what its count of triangles says, since a binary header may say "solid" too."""
    count = int.from_bytes(content[80:84], "little") if len(content) >= 84 else -1
    if len(content) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(content, record, count, 84)["corners"].astype(np.float64)
    elif content.lstrip()[:5].lower() == b"solid":
        corners = _ascii_stl(content, name)
    else:
        says = f"its header says {count} triangles, which is not its size of {len(content)} bytes"
        raise ModelError.at(name, f'not an STL file: it does not begin with "solid" and {says}')
    points, which = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = which.reshape(-1, 3).astype(np.int64)
    a, b, c = triangles.T
    return points, triangles[(a != b) & (b != c) & (c != a)]


def _ascii_stl(content: bytes, name: str) -> np.ndarray:
    points = []
    for number, line in enumerate(_lines(content, name), start=1):
        words = line.split()
        if words and words[0].lower() == b"vertex":
            points.append(_three(words[1:], name, number))
    if len(points) % 3:
        raise ModelError.at(name, f"text STL has {len(points)} vertices, which is not three for every facet")
    return np.array(points, dtype=np.float64).reshape(-1, 3, 3)


class Obj(NamedTuple):
    """What an OBJ file says; polygons are fans.

    vertices     (n, 3)
    triangles    (m, 3)
    spots        (k, 2) places in a picture
    spotted      (m, 3) which of them each corner has, -1 for none
    material     (m,) of the triangles, counted in `materials`, -1 for none
    materials    names
    libraries    names of the files that say what these are
    """

    vertices: np.ndarray
    triangles: np.ndarray
    spots: np.ndarray
    spotted: np.ndarray
    material: np.ndarray
    materials: list[str]
    libraries: list[str]


def parse_obj(content: bytes, name: str) -> Obj:
    """The faces of an OBJ file, with what paints them."""
    points: list[tuple[float, float, float]] = []
    spots: list[tuple[float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    spotted: list[tuple[int, int, int]] = []
    material: list[int] = []
    names: dict[str, int] = {}
    libraries: list[str] = []
    now = -1
    for number, line in enumerate(_lines(content, name), start=1):
        words = line.split(b"#", 1)[0].split()
        if not words:
            continue
        if words[0] == b"v":
            points.append(_three(words[1:4], name, number))
        elif words[0] == b"vt":
            spots.append(_spot(words[1:3]))
        elif words[0] == b"f":
            corners = [_index(word, len(points), name, number) for word in words[1:]]
            if len(corners) < 3:
                raise ModelError.at(name, f"line {number}: a face of {len(corners)} corners; it takes three or more")
            places = [_second(word, len(spots)) for word in words[1:]]
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
            spotted += [(places[0], b, c) for b, c in pairwise(places[1:])]
            material += [now] * (len(corners) - 2)
        elif words[0] == b"usemtl":
            now = names.setdefault(b" ".join(words[1:]).decode("utf-8", "replace"), len(names))
        elif words[0] == b"mtllib":
            libraries.append(line.split(None, 1)[1].strip().decode("utf-8", "replace") if len(words) > 1 else "")
    return Obj(
        np.array(points, dtype=np.float64).reshape(-1, 3),
        np.array(triangles, dtype=np.int64).reshape(-1, 3),
        np.array(spots, dtype=np.float64).reshape(-1, 2),
        np.array(spotted, dtype=np.int64).reshape(-1, 3),
        np.array(material, dtype=np.int64),
        list(names),
        libraries,
    )


def _obj(content: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces. Normals, groups and materials say nothing of the solid."""
    found = parse_obj(content, name)
    return found.vertices, found.triangles


def _spot(words: list[bytes]) -> tuple[float, float]:
    """A place in a picture; one that says nothing is its corner."""
    try:
        u, v = (float(word) for word in words)
    except ValueError:
        return 0.0, 0.0
    return (u, v) if math.isfinite(u) and math.isfinite(v) else (0.0, 0.0)


def _second(word: bytes, count: int) -> int:
    """The place in a picture of a face's corner, -1 for none."""
    parts = word.split(b"/")
    try:
        value = int(parts[1]) if len(parts) > 1 and parts[1] else 0
    except ValueError:
        return -1
    index = value - 1 if value > 0 else count + value
    return index if value and 0 <= index < count else -1


def _lines(content: bytes, name: str) -> list[bytes]:
    if content.count(b"\n") + content.count(b"\r") > MAX_LINES:
        raise ModelError.at(name, f"mesh file has more than {MAX_LINES} lines; use a coarser mesh")
    return content.splitlines()


def _three(words: list[bytes], name: str, line: int) -> tuple[float, float, float]:
    try:
        x, y, z = (float(word) for word in words)
    except ValueError:
        got = b" ".join(words).decode("ascii", "replace")[:60]
        raise ModelError.at(name, f'line {line}: vertex "{got}"; it takes three numbers') from None
    return x, y, z


def _index(word: bytes, count: int, name: str, line: int) -> int:
    """A face's corner, ``v``, ``v/vt`` or ``v/vt/vn``: from 1, or negative from the latest backwards."""
    try:
        value = int(word.split(b"/", 1)[0])
    except ValueError:
        value = 0
    index = value - 1 if value > 0 else count + value
    if value == 0 or not 0 <= index < count:
        got = word.decode("ascii", "replace")[:30]
        raise ModelError.at(name, f'line {line}: face corner "{got}", where {count} vertices are known so far')
    return index
