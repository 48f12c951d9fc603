"""Run files: NetCDF-4 that carries the samples and all it takes to see them again.

Variables `time, q, v, z, effort, energy` with the names and units of their columns, the description of the
system and the options as JSON text, and as attributes the model's hash, versions, seeds and a format number.
Text is kept in character arrays, whose size is known before they are read. Laws are code and are not stored.

A run file is input like any other: `load` walks it before it reads, and refuses what a run file never holds. The
attribute `digest` is a SHA-256 of all that `load` reads, so that a damaged file is an error and not another run.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.storage import TEXT_LIMIT, atomic_write, from_json, plain, to_json
from ..basics.warn import warn
from .channels import ENERGY
from .metadata import FORMAT, metadata
from .run import Record, Run

if TYPE_CHECKING:
    import h5netcdf
    import h5py

    from ..model.model import Model

LIMIT = 4 * 2**30
"""Default bound on the bytes of a run that is loaded."""

_OBJECT_LIMIT = 1000
_LABELS = {"q": "coordinate", "v": "speed", "z": "internal", "effort": "speed", "energy": "term"}
_TEXTS = ("model_description", "options")
_UNITS = ("coordinate_units", "speed_units", "effort_units")
_SIZES = ("n_time", "n_q", "n_v", "n_z")
_READ = ("jourdain_format", "model_hash", "partial", "versions", *_SIZES)
"""Attributes that `load` reads."""


class RunFileError(JourdainError):
    """A run file that cannot be read; names the file and the culprit inside."""

    def __init__(self, path: str | Path, culprit: str, message: str) -> None:
        super().__init__(path, culprit, message)
        self.path = Path(path)
        self.culprit = culprit
        self.message = message

    def __str__(self) -> str:
        where = f": {self.culprit}" if self.culprit else ""
        return f"{self.path}{where}: {self.message}"


class RunFileWarning(UserWarning):
    """Something about a run file that the user should know; the run is usable."""


def rebuild_model(description: dict[str, Any]) -> Model:
    """The model of a stored description."""
    from ..model.model import Model

    return Model.from_description(description)


def save(run: Run, path: str | Path) -> Path:
    """Write a run to `path`: whole, or not at all; an old file there is replaced only by a whole new one.

    The file is made in memory first: HDF5 1.14 crashes the process when it closes a file after a write that failed.
    """
    import h5netcdf

    texts = {
        "model_description": to_json(run.model.description, f"description of {run.model.name!r}"),
        "options": to_json(plain(run.options), f"options of the run of {run.model.name!r}"),
    }
    units = {"coordinate": run.channels.q.units, "speed": run.channels.v.units, "effort": run.channels.effort.units}
    labels = {
        "coordinate": run.channels.q.names,
        "speed": run.channels.v.names,
        "internal": run.channels.z.names,
        "term": ENERGY,
    }
    image = io.BytesIO()
    attributes = metadata(run)
    stored: dict[str, np.ndarray] = {"time": run.record.time}
    with h5netcdf.File(image, "w") as file:
        file.dimensions["time"] = len(run)
        file.create_variable("time", ("time",), data=run.record.time).attrs["units"] = np.bytes_(b"s")
        for dim, names in labels.items():
            if names:
                file.dimensions[dim] = len(names)
                stored[dim] = _write_characters(file, dim, dim, names)
        for dim, column_units in units.items():
            if column_units:
                name = f"{dim}_units"
                stored[name] = _write_characters(file, name, "speed" if dim == "effort" else dim, column_units)
        for name, dim in _LABELS.items():
            if labels[dim]:
                stored[name] = getattr(run.record, name)
                variable = file.create_variable(name, ("time", dim), data=stored[name])
                if name == "energy":
                    variable.attrs["units"] = np.bytes_(b"J")
        for name, text in texts.items():
            stored[name] = np.frombuffer(text.encode(), dtype="S1")
            file.dimensions[f"{name}_length"] = len(stored[name])
            variable = file.create_variable(name, (f"{name}_length",), data=stored[name])
            variable.attrs["_Encoding"] = np.bytes_(b"utf-8")
        attributes["digest"] = digest(attributes, stored)
        file.attrs.update({name: _attribute_value(value) for name, value in attributes.items()})
    with atomic_write(path) as temporary, open(temporary, "wb") as stream:
        stream.write(image.getbuffer())
    run.path = Path(path)
    return run.path


def digest(attributes: dict[str, Any], stored: dict[str, np.ndarray]) -> str:
    """SHA-256 of what `load` reads of a run file: attributes by name, then variables by name, type, shape and bytes."""
    total = hashlib.sha256()
    for name in _READ:
        total.update(f"{name}={attributes[name]}\n".encode())
    for name in sorted(stored):
        array = np.asarray(stored[name])
        array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        total.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        total.update(array.data.cast("B"))
    return total.hexdigest()


def _attribute_value(value: int | str) -> Any:
    """Plain text of fixed length: a string of variable length sits in a heap, where damage can hang HDF5."""
    if isinstance(value, int):
        return np.int64(value)
    return np.bytes_(value.encode()) if value.isascii() and value else value


def _write_characters(file: h5netcdf.File, name: str, dim: str, strings: Iterable[str]) -> np.ndarray:
    encoded = [text.encode() for text in strings]
    width = max(1, *map(len, encoded))
    file.dimensions[f"{name}_length"] = width
    data = np.array(encoded, dtype=f"S{width}").view("S1").reshape(len(encoded), width)
    file.create_variable(name, (dim, f"{name}_length"), data=data).attrs["_Encoding"] = np.bytes_(b"utf-8")
    return data


def read(path: str | Path, *, limit: int = LIMIT) -> Run:
    """The run in a finished file; see `load`."""
    import h5py

    path = Path(path)
    if path.stat().st_size > limit + 2 * TEXT_LIMIT:
        raise RunFileError(path, "", f"{path.stat().st_size} bytes; at most {limit} are read: pass a larger limit")
    try:
        with h5py.File(path, "r") as file:
            _walk(file, path)
            facts, arrays, names = _read(file, path, limit)
    except RunFileError:
        raise
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError) as error:
        raise RunFileError(path, "", f"damaged, or not a run file ({error})") from error
    return assemble(path, facts, Record(**arrays), names)


def stopped_early(path: Path) -> bool:
    """Whether a run file says that its run did not reach its end; False of anything that cannot be read."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return bool(_integer(file, path, "partial"))
    except (RunFileError, OSError, RuntimeError, KeyError, ValueError, TypeError):
        return False


def assemble(path: Path, facts: dict[str, Any], record: Record, names: dict[str, list[str]]) -> Run:
    """A run from what was read of it: rebuild the model and see that all agrees."""
    try:
        model = rebuild_model(facts["model_description"])
    except Exception as error:
        raise RunFileError(path, "model_description", f"no model can be made of it: {error}") from error
    for kind, stored in names.items():
        built = list(getattr(model.names, kind))
        if built != stored:
            odd = next((n for n in stored if n not in built), f"{len(stored)} entries")
            raise RunFileError(
                path, _LABELS[kind], f"{odd!r} does not fit the description, which gives {len(built)}: {built[:8]}"
            )
    try:
        run = Run(model, record, facts["options"], partial=facts["partial"], versions=facts["versions"])
        run.path = path
    except JourdainError as error:
        raise RunFileError(path, "", str(error)) from error
    if model.hash != facts["model_hash"]:
        text = (
            f"{path}: the model rebuilt from the description has another hash ({model.hash[:12]}) than "
            f"the one that was run ({facts['model_hash'][:12]}): another version of Jourdain, or edited"
        )
        warn(RunFileWarning(text))
    return run


def _walk(file: h5py.File, path: Path) -> None:
    """Look at every link, object, type and storage before any data is read."""
    import h5py

    _check_attributes(file.id, path, "/")
    if len(file) > _OBJECT_LIMIT:
        raise RunFileError(path, "/", f"{len(file)} objects; a run file has at most {_OBJECT_LIMIT}")
    for name in file:
        link = file.get(name, getlink=True)
        if not isinstance(link, h5py.HardLink):
            out = isinstance(link, h5py.ExternalLink)
            kind = f"an external link into {link.filename!r}" if out else "a soft link"
            raise RunFileError(path, name, f"is {kind} to {link.path!r}; a run file holds its own data only")
        item = file[name]
        if not isinstance(item, h5py.Dataset):
            raise RunFileError(path, name, f"is a {type(item).__name__.lower()}; a run file holds variables only")
        _check_dataset(item, path, name)
        _check_attributes(item.id, path, name)


def _check_dataset(item: h5py.Dataset, path: Path, name: str) -> None:
    from h5py import h5d, h5t, h5z

    plan = item.id.get_create_plist()
    if plan.get_layout() == h5d.VIRTUAL:
        raise RunFileError(path, name, "is a virtual dataset, made of other files; a run file holds its own data only")
    if plan.get_external_count():
        raise RunFileError(path, name, "keeps its data in an external file; a run file holds its own data only")
    if item.id.get_type().get_class() not in (h5t.INTEGER, h5t.FLOAT, h5t.STRING):
        raise RunFileError(path, name, f"has the type {item.dtype}; only numbers and strings are read")
    known = (h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32)
    for i in range(plan.get_nfilters()):
        if plan.get_filter(i)[0] not in known:
            raise RunFileError(path, name, "is compressed by an unknown filter; only deflate and shuffle are read")


def _check_attributes(identity: Any, path: Path, owner: str) -> None:
    from h5py import h5a, h5t

    count = h5a.get_num_attrs(identity)
    if count > _OBJECT_LIMIT:
        raise RunFileError(path, owner, f"{count} attributes; at most {_OBJECT_LIMIT} are read")
    for i in range(count):
        attribute = h5a.open(identity, index=i)
        # NetCDF's own bookkeeping of dimensions: lists of references, never followed here.
        if attribute.name in (b"DIMENSION_LIST", b"REFERENCE_LIST"):
            continue
        if attribute.get_type().get_class() not in (h5t.INTEGER, h5t.FLOAT, h5t.STRING):
            name = attribute.name.decode("utf-8", "replace")
            raise RunFileError(path, f"{owner}@{name}", "only numbers and strings are read as attributes")


def _read(
    file: h5py.File, path: Path, limit: int
) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, list[str]]]:
    header, stored = _gather(file, path, limit)
    _check_digest(file, path, header, stored)
    arrays = {name: stored.get(name, np.zeros(shape)) for name, shape in _shapes(header).items()}
    names = {kind: _strings(stored[_LABELS[kind]]) if header[f"n_{kind}"] else [] for kind in ("q", "v")}
    facts: dict[str, Any] = {"partial": bool(header["partial"]), "model_hash": header["model_hash"]}
    facts["versions"] = text_table(path, "versions", header["versions"].encode())
    try:
        facts |= {name: from_json(stored[name].tobytes(), name) for name in _TEXTS}
    except JourdainError as error:
        raise RunFileError(path, "", str(error)) from error
    return facts, arrays, names


def _gather(file: h5py.File, path: Path, limit: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Attributes and variables as they are stored, of the sizes and types that a run has."""
    number = _integer(file, path, "jourdain_format")
    if number not in (1, FORMAT):
        raise RunFileError(path, "jourdain_format", f"is {number}; this version of Jourdain reads format {FORMAT}")
    header: dict[str, Any] = {name: _integer(file, path, name) for name in ("jourdain_format", "partial", *_SIZES)}
    header |= {name: _text_attribute(file, path, name) for name in ("model_hash", "versions")}
    shapes = _shapes(header)
    total = 8 * sum(math.prod(shape) for shape in shapes.values())
    if header["n_time"] < 1 or total > limit:
        text = f"{header['n_time']} samples, {total} bytes; 1 sample to {limit} bytes are read"
        raise RunFileError(path, "n_time", text)
    stored = {name: _numbers(file, path, name, shape) for name, shape in shapes.items() if 0 not in shape}
    counts = {"coordinate": header["n_q"], "speed": header["n_v"]}
    stored |= {name: _characters(file, path, name, n) for name, n in counts.items() if n}
    stored |= {name: _characters(file, path, name) for name in ("internal", "term", *_UNITS) if name in file}
    return header, stored | {name: _text(file, path, name) for name in _TEXTS}


def _shapes(header: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    nt, nq, nv, nz = (header[name] for name in _SIZES)
    return {"time": (nt,), "q": (nt, nq), "v": (nt, nv), "z": (nt, nz), "effort": (nt, nv), "energy": (nt, len(ENERGY))}


def _check_digest(file: h5py.File, path: Path, header: dict[str, Any], stored: dict[str, np.ndarray]) -> None:
    """Whether what was read is what was written; a file of format 1 cannot tell."""
    if header["jourdain_format"] == 1 and "digest" not in file.attrs:
        text = f"{path}: was written before run files had a digest, so that damage to it would not be noticed"
        warn(RunFileWarning(text))
        return
    if _text_attribute(file, path, "digest") != digest(header, stored):
        raise RunFileError(
            path, "digest", "what the file holds is not what was written: damaged, or changed; take another copy of it"
        )


def text_table(path: Path, name: str, raw: bytes) -> dict[str, str]:
    """A flat JSON object of strings, such as the versions."""
    try:
        return {str(key): str(value) for key, value in from_json(raw, name).items()}
    except JourdainError as error:
        raise RunFileError(path, "", str(error)) from error


def _dataset(file: h5py.File, path: Path, name: str) -> h5py.Dataset:
    if name not in file:
        raise RunFileError(path, name, "is missing; the file is not a run, or not whole")
    return file[name]


def _stored(data: h5py.Dataset, path: Path, name: str) -> np.ndarray:
    """Read a dataset whose bytes are really there: a tiny file must not make a huge array of fill values."""
    if data.chunks is not None and data.dtype.itemsize * math.prod(data.chunks) > max(2**20, 4 * data.nbytes):
        raise RunFileError(path, name, f"is stored in chunks of {data.chunks}")
    if not data.id.get_create_plist().get_nfilters() and data.id.get_storage_size() < data.nbytes:
        raise RunFileError(path, name, f"declares {data.nbytes} bytes but stores {data.id.get_storage_size()}")
    return data[()]


def _numbers(file: h5py.File, path: Path, name: str, shape: tuple[int, ...]) -> np.ndarray:
    data = _dataset(file, path, name)
    if data.shape != shape or data.dtype.kind != "f" or data.dtype.itemsize != 8:
        raise RunFileError(path, name, f"is {data.dtype} of shape {data.shape}; it must be float64 of shape {shape}")
    return _stored(data, path, name)


def _characters(file: h5py.File, path: Path, name: str, count: int | None = None) -> np.ndarray:
    data = _dataset(file, path, name)
    rows = data.shape[0] if count is None and data.ndim == 2 else count
    if data.dtype != np.dtype("S1") or data.ndim != 2 or data.shape[0] != rows or data.nbytes > TEXT_LIMIT:
        raise RunFileError(path, name, f"is {data.dtype} of shape {data.shape}; it must be {rows} rows of characters")
    return np.ascontiguousarray(_stored(data, path, name))


def _text(file: h5py.File, path: Path, name: str) -> np.ndarray:
    data = _dataset(file, path, name)
    if data.dtype != np.dtype("S1") or data.ndim != 1 or data.nbytes > TEXT_LIMIT:
        raise RunFileError(path, name, f"must be at most {TEXT_LIMIT} characters, got {data.dtype} {data.shape}")
    return _stored(data, path, name)


def _strings(rows: np.ndarray) -> list[str]:
    return [row.tobytes().rstrip(b"\0").decode("utf-8") for row in rows]


def _integer(file: h5py.File, path: Path, name: str) -> int:
    from h5py import h5t

    if _attribute_id(file, path, name).get_type().get_class() != h5t.INTEGER:
        raise RunFileError(path, name, "must be a whole number")
    value = int(np.asarray(file.attrs[name]).reshape(-1)[0])
    if value < 0:
        raise RunFileError(path, name, f"is {value}; it must be 0 or more")
    return value


def _text_attribute(file: h5py.File, path: Path, name: str) -> str:
    from h5py import h5t

    kind = _attribute_id(file, path, name).get_type()
    if kind.get_class() != h5t.STRING or kind.is_variable_str():
        raise RunFileError(path, name, "must be a text of fixed length")
    return bytes(file.attrs[name]).decode("ascii")


def _attribute_id(file: h5py.File, path: Path, name: str) -> h5py.h5a.AttrID:
    if name not in file.attrs:
        raise RunFileError(path, name, "is missing; the file is not a run of Jourdain")
    identity = file.attrs.get_id(name)
    if identity.get_space().get_simple_extent_npoints() != 1:
        raise RunFileError(path, name, "must be a single value")
    return identity
