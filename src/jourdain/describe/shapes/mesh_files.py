"""Triangle meshes from STL and OBJ files, read without trusting them."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

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


def _obj(content: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces; polygons become fans. Normals, groups and materials say nothing of the solid."""
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(_lines(content, name), start=1):
        words = line.split(b"#", 1)[0].split()
        if not words:
            continue
        if words[0] == b"v":
            points.append(_three(words[1:4], name, number))
        elif words[0] == b"f":
            corners = [_index(word, len(points), name, number) for word in words[1:]]
            if len(corners) < 3:
                raise ModelError.at(name, f"line {number}: a face of {len(corners)} corners; it takes three or more")
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    vertices = np.array(points, dtype=np.float64).reshape(-1, 3)
    return vertices, np.array(triangles, dtype=np.int64).reshape(-1, 3)


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
