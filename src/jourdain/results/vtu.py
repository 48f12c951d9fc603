"""Solids of a run as files for ParaView: VTK's unstructured grids, one a sample, and a list of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np

from ..basics.errors import JourdainError
from ..basics.quaternions import rotate

if TYPE_CHECKING:
    from .run import Run

FIELDS = ("displacement", "von_mises", "stress")
_VTK = {"triangle": 5, "quad": 9, "tetra": 10, "hexahedron": 12, "triangle6": 22, "quad8": 23, "tetra10": 24,
        "hexahedron20": 25}  # fmt: skip
"""Codes of the kinds of cells."""


def write(run: Run, path: str | Path, bodies: Sequence[str] | None, every: int) -> list[Path]:
    """See `Run.to_vtu`."""
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise JourdainError(f"every is {every!r}; give a whole number above zero")
    names = _meshed(run) if bodies is None else [bodies] if isinstance(bodies, str) else list(bodies)
    if not names:
        raise JourdainError(f"{run.model.name!r} has no body with a mesh; jd.Solid has one")
    return [_body(run, Path(path), name, every) for name in names]


def _meshed(run: Run) -> list[str]:
    """Names of the bodies that have a mesh."""
    from ..model.bodies import body_of

    out = []
    for name in run.model.bodies:
        body = body_of(run.model, name)
        if body is not None and body.internal:
            try:
                body.volume_mesh()
            except JourdainError:
                continue
            out.append(name)
    return out


def _body(run: Run, path: Path, name: str, every: int) -> Path:
    """Writes one body; returns its list of files."""
    body, e = run.deformation_of(name)
    nodes, cells, kind = body.volume_mesh()
    samples = np.arange(0, len(run), every)
    fields = {what: body.field(e[samples], what)[0] for what in FIELDS}
    path_of = run.frame(f"{name}.origin").path[samples]
    position, quaternion = path_of[:, :3], path_of[:, 3:7]
    folder = path.with_name(f"{path.name}_{name}")
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for i, k in enumerate(samples):
        world = position[i] + rotate(quaternion[i], nodes + fields["displacement"][i])
        file = folder / f"{i:04d}.vtu"
        file.write_text(_grid(world, cells, kind, {what: values[i] for what, values in fields.items()}))
        where = quoteattr(f"{folder.name}/{file.name}")
        lines.append(f'    <DataSet timestep="{float(run.record.time[k]):.17g}" part="0" file={where}/>')
    listing = path.with_name(f"{path.name}_{name}.pvd")
    listing.write_text(
        '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n  <Collection>\n'
        + "\n".join(lines)
        + "\n  </Collection>\n</VTKFile>\n"
    )
    return listing


def _grid(points: np.ndarray, cells: np.ndarray, kind: str, fields: dict[str, np.ndarray]) -> str:
    """An unstructured grid with fields on its nodes."""
    m, k = cells.shape
    parts = [
        "<PointData>", *(_array(name, values) for name, values in fields.items()), "</PointData>",
        "<Points>", _array("points", points), "</Points>",
        "<Cells>", _array("connectivity", cells.astype(np.int64).ravel()),
        _array("offsets", np.arange(k, k * (m + 1), k, dtype=np.int64)),
        _array("types", np.full(m, _VTK[kind], np.uint8)), "</Cells>",
    ]  # fmt: skip
    return (
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        f'header_type="UInt64">\n<UnstructuredGrid>\n<Piece NumberOfPoints="{len(points)}" NumberOfCells="{m}">\n'
        + "\n".join(parts)
        + "\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"
    )


def _array(name: str, values: np.ndarray) -> str:
    """Numbers in base 64, behind the number of their bytes."""
    kind = {"f": "Float64", "i": "Int64", "u": "UInt8"}[values.dtype.kind]
    width = values.shape[1] if values.ndim == 2 else 1
    raw = np.ascontiguousarray(values).tobytes()
    text = b64encode(np.uint64(len(raw)).tobytes() + raw).decode()
    return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{width}" format="binary">{text}</DataArray>'
