"""Where the results of a study are kept: one Zarr store, written as they come.

A folder `results.zarr` holds plain numbers: `parameters`, `values`, `status`, and `reason` as UTF-8 bytes. A variant
counts as done when its `status` is written, which is the last thing; every chunk is put in place whole. So whatever
kills the program leaves a store that a later call completes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import JourdainError
from ..storage import WriteError, from_json

if TYPE_CHECKING:
    from .study import Study

FORMAT = 1
STORE = "results.zarr"
WAITING, DONE, FAILED, UNTRUSTED = 0, 1, 2, 3
"""Status of a variant: not run yet, run, failed with a reason, or run and not to be trusted, with a reason."""
BAD = (FAILED, UNTRUSTED)
REASON = 480
"""Bytes of a reason that are kept."""
FILES = 2000
"""Chunks of one array at most: large studies have several variants in one."""
TYPES = {"parameters": "float64", "places": "float64", "values": "float64", "status": "int8", "reason": "uint8"}
CODECS = ("bytes", "zstd", "crc32c")
"""Codecs that a store may have: numbers as they are, compressed or checked. None of them can hold an object."""


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
            raw = one.reason.encode("utf-8", "replace")[:REASON]
            raw = raw.decode("utf-8", "ignore").encode()
            reasons[i, : len(raw)] = np.frombuffer(raw, np.uint8)
        self.put("values", first, values)
        if reasons.any():
            self.put("reason", first, reasons)
        self.put("status", first, np.array([one.status for one in results], np.int8))

    def close(self) -> None:
        """Let go of it."""


class Store(Memory):
    """Results in a folder.

    folder       of the study; the store is `results.zarr` in it
    overwrite    begin again, whatever is there
    """

    def __init__(self, study: Study, folder: Path, overwrite: bool = False) -> None:
        zarr = need_zarr()
        self.folder, self.path = folder, folder / STORE
        self.units = []
        self.lock = _lock(folder)
        try:
            if overwrite and self.path.exists():
                _remove(self.path)
            try:
                self.group = self._open(zarr, study) if self.path.exists() else self._create(zarr, study)
            except OSError as error:
                if isinstance(error, JourdainError):
                    raise
                raise WriteError.because(self.path, error) from error
            self.arrays = {name: self.group[name] for name in TYPES}
            self.units = list(self.group.attrs.get("units", []))
        except BaseException:
            self.close()
            raise

    def _create(self, zarr: Any, study: Study) -> Any:
        """A new store: made beside its place and then put there, so that it is never half there."""
        n, p, c = study.size, len(study.parameters), len(study.columns)
        making = self.path.with_name(f".{STORE}.making")
        if making.exists():
            _remove(making)
        group = zarr.open_group(str(making), mode="w", zarr_format=3)
        rows = -(-n // FILES)
        for name, shape, fill in (
            ("parameters", (n, p), np.nan),
            ("places", (n, p), np.nan),
            ("values", (n, c), np.nan),
            ("status", (n,), 0),
            ("reason", (n, REASON), 0),
        ):
            whole = name in ("parameters", "places")
            chunks = (n if whole else rows, *shape[1:])
            group.create_array(
                name, shape=shape, chunks=chunks, dtype=TYPES[name], fill_value=fill, dimension_names=_dims(name)
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
        os.rename(making, self.path)
        return zarr.open_group(str(self.path), mode="r+", zarr_format=3)

    def _open(self, zarr: Any, study: Study) -> Any:
        check_store(self.path)
        group = zarr.open_group(str(self.path), mode="r+", zarr_format=3)
        if group.attrs.get("study") != study.hash:
            raise JourdainError(
                f"{self.path} has the results of another study, or of this one before it was changed; "
                "give another folder (--out), or begin again (--overwrite)"
            )
        return group

    def put_units(self, units: Sequence[str]) -> None:
        """Keep the units of the variables."""
        super().put_units(units)
        self.group.attrs["units"] = list(units)

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


def check_store(path: Path) -> None:
    """Refuse what is no store of ours: other arrays, types or codecs, links; nothing of it is decoded before."""
    for name in ("", *TYPES):
        file = path / name / "zarr.json"
        if not file.is_file() or file.is_symlink() or (path / name).is_symlink():
            raise JourdainError(f"{path} is no store of a study: {file} is missing; give another folder (--out)")
        with file.open("rb") as stream:
            told = from_json(stream.read(2**24), str(file))
        if told.get("zarr_format") != 3 or told.get("node_type") != ("array" if name else "group"):
            raise JourdainError(f"{file}: is no part of a Zarr store of format 3; give another folder (--out)")
        if not name:
            continue
        if told.get("data_type") != TYPES[name]:
            raise JourdainError(f"{file}: has the type {told.get('data_type')!r}; {name} is {TYPES[name]}")
        codecs = told.get("codecs")
        for codec in codecs if isinstance(codecs, list) else [codecs]:
            known = codec.get("name") if isinstance(codec, dict) else codec
            if known not in CODECS:
                raise JourdainError(f"{file}: has the codec {known!r}, which is not read; {', '.join(CODECS)} are")
        if told.get("storage_transformers"):
            raise JourdainError(f"{file}: has storage transformers, which are not read")
    extra = sorted(one.name for one in path.iterdir() if one.name not in (*TYPES, "zarr.json"))
    if extra:
        raise JourdainError(f"{path}: has {extra[0]!r}, which is no part of a study; give another folder (--out)")


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
    try:
        import fcntl
    except ImportError:
        return None
    stream = (folder / ".lock").open("a")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stream.close()
        raise JourdainError(f"another sweep is writing into {folder}; wait for it, or give another folder") from None
    return stream


def _remove(path: Path) -> None:
    import shutil

    if path.is_symlink() or not path.is_dir():
        path.unlink()
    else:
        shutil.rmtree(path)
