"""Meshes from files and from other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import JourdainError, ModelError
from ...basics.storage import TEXT_LIMIT, from_json
from ...basics.values import shown
from .elements import ELEMENTS
from .fe_mesh import SolidMesh

LARGEST = 200e6
"""Files above this size are not read [bytes]."""
FLAT = 1e-9
"""Points whose z differ by less than this, over their extent, lie in a plane."""
_FROM_SKFEM = {"MeshTri": "tri3", "MeshQuad": "quad4", "MeshTet": "tet4", "MeshHex": "hex8"}


@checked
def read(path: Any, scale: float = 1.0) -> SolidMesh:
    """A mesh from a file of Gmsh, Abaqus, VTK, Nastran and others, by meshio, or one that `System.save` wrote.

    path     of the file; the kind of file follows from its ending, .json of those of `System.save`
    scale    length of its unit [m]: 0.001 for millimetres

    Of several kinds of cells, those of most dimensions are taken; there must be one kind of them.
    """
    where = str(path)
    file = Path(path)
    if file.suffix.lower() == ".json":
        return _saved(file, where).scaled(scale)
    try:
        import meshio
    except ImportError:
        raise ModelError.at(where, 'reading meshes takes meshio: pip install "jourdain[solids]"') from None
    if not file.is_file():
        raise ModelError.at(where, "there is no such file")
    if file.stat().st_size > LARGEST:
        raise ModelError.at(
            where, f"the file has {file.stat().st_size / 1e6:.0f} MB; at most {LARGEST / 1e6:.0f} are read"
        )
    try:
        found = meshio.read(file)
    except (Exception, SystemExit) as error:  # meshio ends the process on files that it does not know
        raise ModelError.at(where, f"meshio cannot read it: {error or type(error).__name__}") from None
    return from_meshio(found, where).scaled(scale)


def _saved(file: Path, where: str) -> SolidMesh:
    """A mesh as `System.save` writes it: points and cells, in JSON."""
    try:
        with file.open("rb") as stream:
            data = from_json(stream.read(TEXT_LIMIT + 1), file.name)
    except OSError as error:
        raise ModelError.at(where, f"cannot be read: {error.strerror}") from None
    except JourdainError as error:
        raise ModelError.at(where, str(error)) from None
    return SolidMesh.from_dict(data, where)


def from_meshio(found: Any, where: str) -> SolidMesh:
    """The cells of most dimensions of a mesh of meshio."""
    known = {one.vtk: one for one in ELEMENTS.values()}
    blocks = [(known[block.type], np.asarray(block.data)) for block in found.cells if block.type in known]
    if not blocks:
        kinds = ", ".join(sorted({block.type for block in found.cells})) or "none"
        raise ModelError.at(where, f"has cells of these kinds: {kinds}; a solid takes {', '.join(known)}")
    most = max(one.dimensions for one, _ in blocks)
    blocks = [(one, data) for one, data in blocks if one.dimensions == most]
    names = sorted({one.name for one, _ in blocks})
    if len(names) > 1:
        raise ModelError.at(where, f"mixes {' and '.join(names)}; a solid takes one kind of cell")
    points = np.asarray(found.points, float)
    if most == 2 and points.shape[1] == 3:
        if np.ptp(points[:, 2]) > FLAT * np.max(np.ptp(points, axis=0)):
            raise ModelError.at(where, "is a surface in space; a solid takes cells with a volume, or a plane mesh")
        points = points[:, :2]
    return SolidMesh(points, np.concatenate([data for _, data in blocks])).tidied()


def from_foreign(given: Any) -> SolidMesh | None:
    """A mesh of scikit-fem or meshio, None where it is neither."""
    if hasattr(given, "points") and hasattr(given, "cells_dict"):
        return from_meshio(given, "mesh")
    kind = next((name for name in _FROM_SKFEM if type(given).__name__.startswith(name)), None)
    if kind is None or not hasattr(given, "p") or not hasattr(given, "t"):
        return None
    element = ELEMENTS[_FROM_SKFEM[kind]]
    corners = np.asarray(given.t)[: len(element.corners)].T
    if kind == "MeshHex":
        # the corners of a cube in scikit-fem's order, by their places in the unit cube
        unit = np.asarray(given.elem.refdom.p).T
        place = {tuple(row): i for i, row in enumerate(np.round(2.0 * unit - 1.0).astype(int).tolist())}
        corners = corners[:, [place[tuple(row)] for row in element.corners.astype(int).tolist()]]
    return SolidMesh(np.asarray(given.p, float).T, corners).tidied().turned()


def as_mesh(given: Any, address: str) -> SolidMesh:
    """A mesh from one, from (points, cells), a file that meshio reads, or a mesh of scikit-fem or meshio."""
    if isinstance(given, SolidMesh):
        return given
    if isinstance(given, str) or hasattr(given, "__fspath__"):
        return read(given)
    if isinstance(given, Sequence) and len(given) == 2:
        return SolidMesh(*given)
    found = from_foreign(given)
    if found is None:
        raise ModelError.at(
            f"{address}: mesh",
            f"got {shown(given)}; give jd.mesh.block(...), (points, cells), a file, or a mesh of scikit-fem",
        )
    return found
