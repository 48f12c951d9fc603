"""Where the results of a study are kept: one Zarr store, written as they come.

A folder `results.zarr` holds plain numbers: `parameters`, `values`, `status`, and `reason` as UTF-8 bytes. A variant
counts as done when its `status` is written, which is the last thing; every chunk is put in place whole. So whatever
kills the program leaves a store that a later call completes. Every chunk carries a checksum, and the attributes a
digest of all that is said of the arrays: a damaged store is an error, not other results.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.errors import JourdainError
from ...basics.platforms import try_lock
from ...basics.storage import WriteError, from_json
from ...basics.values import shown

if TYPE_CHECKING:
    from .study import Study

FORMAT = 2
STORE = "results.zarr"
REPLACED = "results-replaced.zarr"
"""Where the results are that a sweep with `overwrite` replaces, until it is through."""
WAITING, DONE, FAILED, UNTRUSTED = 0, 1, 2, 3
"""Status of a variant: not run yet, run, failed with a reason, or run and not to be trusted, with a reason."""
BAD = (FAILED, UNTRUSTED)
REASON = 480
"""Bytes of a reason that are kept."""
FILES = 2000
"""Chunks of one array at most: large studies have several variants in one."""
TYPES = {"parameters": "float64", "places": "float64", "values": "float64", "status": "int8", "reason": "uint8"}
CODECS = ["bytes", "crc32c"]
"""Codecs of every array: numbers as they are, with a checksum. None can hold an object, or more than its file does."""


AGAIN = "give another folder (--out), or begin again (--overwrite)"
"""The way out of a store that cannot be gone on with."""


class Result(NamedTuple):
    """What became of a variant: its status, its variables, and why it failed."""

    status: int
    values: Sequence[float]
    reason: str = ""


class Memory:
    """Results that are not written anywhere."""

    def __init__(self, study: Study) -> None:
        n, p, c = study.size, len(study.parameters), len(study.columns)
        self.units: list[str] = []
        self.arrays: dict[str, Any] = {
            "parameters": np.full((n, p), np.nan),
            "places": np.full((n, p), np.nan),
            "values": np.full((n, c), np.nan),
            "status": np.zeros(n, np.int8),
            "reason": np.zeros((n, REASON), np.uint8),
        }

    def put_units(self, units: Sequence[str]) -> None:
        """Keep the units of the variables."""
        self.units = list(units)

    def put(self, name: str, first: int, values: np.ndarray) -> None:
        """Keep rows of an array, from `first` on."""
        self.arrays[name][first : first + len(values)] = values

    def get(self, name: str) -> np.ndarray:
        """A whole array."""
        return np.asarray(self.arrays[name][:])

    def keep(self, first: int, results: Sequence[Result]) -> None:
        """Keep results of variants that follow each other; their status last."""
        values = np.full((len(results), self.arrays["values"].shape[1]), np.nan)
        reasons = np.zeros((len(results), REASON), np.uint8)
        for i, one in enumerate(results):
            if len(one.values):
                values[i] = one.values
            if one.reason:
                raw = one.reason.encode("utf-8", "replace")[:REASON]
                raw = raw.decode("utf-8", "ignore").encode()
                reasons[i, : len(raw)] = np.frombuffer(raw, np.uint8)
        self.put("values", first, values)
        if reasons.any():
            self.put("reason", first, reasons)
        self.put("status", first, np.array([one.status for one in results], np.int8))

    def settle(self) -> None:
        """Everything is done: what these results replace may go."""

    def close(self) -> None:
        """Let go of it."""


class ResultStore(Memory):
    """Results in a folder.

    folder       of the study; the store is `results.zarr` in it
    overwrite    begin again, whatever is there; it is set aside, and removed by `settle`
    """

    def __init__(self, study: Study, folder: Path, overwrite: bool = False) -> None:
        zarr = need_zarr()
        self.folder, self.path = folder, folder / STORE
        self.units = []
        self.lock = _lock(folder)
        try:
            begin = overwrite or not self.path.exists()
            try:
                self.group = self._create(zarr, study) if begin else self._open(zarr, study)
            except OSError as error:
                if isinstance(error, JourdainError):
                    raise
                raise WriteError.because(self.path, error) from error
            self.arrays = {name: self.group[name] for name in TYPES}
            self.units = list(self.group.attrs.get("units", []))
            if not begin:
                self._check_results(study)
        except BaseException:
            self.close()
            raise

    def _create(self, zarr: Any, study: Study) -> Any:
        """A new store: made beside its place and then put there, so that it is never half there."""
        making = self.path.with_name(f".{STORE}.making")
        if making.exists():
            _remove(making)
        group = zarr.open_group(str(making), mode="w", zarr_format=3)
        for name, (shape, chunks) in shapes(study).items():
            group.create_array(
                name,
                shape=shape,
                chunks=chunks,
                dtype=TYPES[name],
                fill_value=np.nan if TYPES[name] == "float64" else 0,
                dimension_names=_dims(name),
                compressors=[zarr.codecs.Crc32cCodec()],
            )
        group.attrs.update(
            {
                "format": FORMAT,
                "study": study.hash,
                "name": study.name,
                "variables": [one.name for one in study.columns],
                "about": [one.about for one in study.columns],
                "parameters": [one.to_dict() for one in study.parameters],
                "units": [],
            }
        )
        group.attrs["digest"] = digest(making)
        self._replace(making)
        return zarr.open_group(str(self.path), mode="r+", zarr_format=3)

    def _replace(self, making: Path) -> None:
        """Put a new store in its place. What was there stays until `settle`; a store that itself has not outlived what
        it replaces goes first."""
        old = self.path.with_name(REPLACED)
        if self.path.exists():
            if old.exists():
                _remove(self.path)
            else:
                os.rename(self.path, old)
        os.rename(making, self.path)

    def settle(self) -> None:
        """Everything is done: what these results replace goes."""
        old = self.path.with_name(REPLACED)
        if old.exists():
            _remove(old)

    def _check_results(self, study: Study) -> None:
        """Whether every variant that is done has its results and its parameters."""
        status = self.get("status")
        done = status == DONE
        lost = np.isnan(self.get("values")[:, 0]) & done
        if study.search is None:
            lost |= np.isnan(self.get("parameters")[:, 0]) & (status != WAITING) if study.parameters else False
        if np.any(lost):
            raise JourdainError(
                f"{self.path}: variant {int(np.argmax(lost))} is done, but its results are gone: damaged; {AGAIN}"
            )

    def get(self, name: str) -> np.ndarray:
        """A whole array; an error where its checksums do not fit."""
        try:
            return super().get(name)
        except (ValueError, TypeError, RuntimeError, KeyError) as error:
            raise JourdainError(f"{self.path / name}: damaged ({' '.join(str(error).split())}); {AGAIN}") from error

    def _open(self, zarr: Any, study: Study) -> Any:
        found = check_store(self.path)
        if found[""]["attributes"].get("study") != study.hash:
            raise JourdainError(
                f"{self.path} has the results of another study, or of this one before it was changed; {AGAIN}"
            )
        for name, (shape, chunks) in shapes(study).items():
            grid = {"name": "regular", "configuration": {"chunk_shape": list(chunks)}}
            if found[name].get("shape") != list(shape) or found[name].get("chunk_grid") != grid:
                raise JourdainError(f"{self.path / name}: has not the shape that this study has, {shape}; {AGAIN}")
        return zarr.open_group(str(self.path), mode="r+", zarr_format=3)

    def put_units(self, units: Sequence[str]) -> None:
        """Keep the units of the variables."""
        super().put_units(units)
        stated = self.group.attrs.asdict() | {"units": list(units)}
        self.group.attrs.update({"units": list(units), "digest": digest(self.path, stated)})

    def put(self, name: str, first: int, values: np.ndarray) -> None:
        """Keep rows of an array, from `first` on."""
        try:
            self.arrays[name][first : first + len(values)] = values
        except OSError as error:
            raise WriteError.because(self.path / name, error) from error

    def close(self) -> None:
        """Let go of the folder."""
        if self.lock is not None:
            self.lock.close()
            self.lock = None


def shapes(study: Study) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Shapes of the arrays of a study, and of their chunks."""
    n, p, c = study.size, len(study.parameters), len(study.columns)
    rows = -(-n // FILES)
    whole = {name: ((n, p), (n, p)) for name in ("parameters", "places")}
    return whole | {"values": ((n, c), (rows, c)), "status": ((n,), (rows,)), "reason": ((n, REASON), (rows, REASON))}


def digest(path: Path, attributes: dict[str, Any] | None = None) -> str:
    """SHA-256 of what a store says of itself: its attributes (those on disk unless given) and those of its arrays."""
    stated = {name: _stated(path / name / "zarr.json") for name in ("", *TYPES)}
    about = dict(stated[""].get("attributes", {}) if attributes is None else attributes)
    about.pop("digest", None)
    stated[""]["attributes"] = about
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()


def _stated(file: Path) -> dict[str, Any]:
    with file.open("rb") as stream:
        return from_json(stream.read(2**24), str(file))


def check_store(path: Path) -> dict[str, dict[str, Any]]:
    """What a store says of itself and its arrays, by their names. What is no store of ours is refused: other arrays,
    types or codecs, links; nothing of it is decoded before."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("", *TYPES):
        file = path / name / "zarr.json"
        if not file.is_file() or file.is_symlink() or (path / name).is_symlink():
            raise JourdainError(f"{path} is no store of a study: {file} is missing; give another folder (--out)")
        stated = found[name] = _stated(file)
        if stated.get("zarr_format") != 3 or stated.get("node_type") != ("array" if name else "group"):
            raise JourdainError(f"{file}: is no part of a Zarr store of format 3; give another folder (--out)")
        if not name:
            if not isinstance(stated.get("attributes"), dict) or stated["attributes"].get("format") != FORMAT:
                raise JourdainError(f"{file}: is not of format {FORMAT}: of an older Jourdain, or damaged; {AGAIN}")
            continue
        if stated.get("data_type") != TYPES[name]:
            raise JourdainError(f"{file}: has the type {stated.get('data_type')!r}; {name} is {TYPES[name]}")
        codecs = stated.get("codecs")
        listed = codecs if isinstance(codecs, list) else []
        names = [one.get("name") if isinstance(one, dict) else one for one in listed]
        if names != CODECS:
            raise JourdainError(f"{file}: has the codecs {shown(names)}; {' and '.join(CODECS)} are read")
        if stated.get("storage_transformers"):
            raise JourdainError(f"{file}: has storage transformers, which are not read")
    extra = sorted(one.name for one in path.iterdir() if one.name not in (*TYPES, "zarr.json"))
    if extra:
        raise JourdainError(f"{path}: has {extra[0]!r}, which is no part of a study; give another folder (--out)")
    if digest(path) != found[""]["attributes"].get("digest"):
        raise JourdainError(f"{path}: what it says of itself is not what was written: damaged, or changed; {AGAIN}")
    return found


def need_zarr() -> Any:
    """Zarr, or an error that says how to get it."""
    try:
        import zarr
    except ImportError:
        raise JourdainError('results are kept by zarr; install it: pip install "jourdain[sweep]"') from None
    return zarr


def reason_text(raw: np.ndarray) -> str:
    """The reason that bytes of a store say."""
    return raw.tobytes().rstrip(b"\0").decode("utf-8", "replace")


def _dims(name: str) -> tuple[str, ...]:
    second = {"parameters": "parameter", "places": "parameter", "values": "variable", "reason": "byte"}.get(name)
    return ("variant",) if second is None else ("variant", second)


def _lock(folder: Path) -> Any:
    """Hold a folder against another sweep into it; the system lets go of it when the program ends, however it does."""
    stream = (folder / ".lock").open("a")
    if try_lock(stream.fileno()) is False:
        stream.close()
        raise JourdainError(f"another sweep is writing into {folder}; wait for it, or give another folder")
    return stream


def _remove(path: Path) -> None:
    import shutil

    if path.is_symlink() or not path.is_dir():
        path.unlink()
    else:
        shutil.rmtree(path)
