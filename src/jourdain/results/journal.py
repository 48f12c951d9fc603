"""The journal of a long run: chunks on disk as it goes, so that a killed run loses at most the chunk in hand.

`run.nc.journal/` holds `header.json` (the model's description, options, versions, and a digest of them) and
`chunk-000001.npz` and so on, whose arrays have a checksum each, as every zip archive does. Every file is written beside
its place and renamed into it. When the run ends, `finish` merges the chunks, makes `run.nc` by rename and removes the
folder; if it never ends, `jourdain.load("run.nc")` reads the folder. While the run goes on its process holds a lock on
the header, which ends with it, however it ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.platforms import try_lock
from ..basics.storage import TEXT_LIMIT, WriteError, atomic_write, flush_folder, from_json, plain, to_json
from ..basics.warn import warn
from .metadata import installed_versions
from .run import Record, Run
from .run_file import LIMIT, RunFileError, RunFileWarning, assemble, save, stopped_early, text_table

if TYPE_CHECKING:
    from ..model.model import Model

FORMAT = 2
"""The format number of a journal; those of format 1 have no digest, and are read with a warning."""

HEADER = "header.json"
_CHUNK = re.compile(r"chunk-(\d{6,})\.npz")
_OURS = re.compile(r"header\.json|chunk-\d{6,}\.npz|\.(header\.json|chunk-\d{6,}\.npz)\.[0-9a-f]+\.tmp")


def journal_folder(path: str | Path) -> Path:
    """Where the journal of the run file `path` is: `run.nc.journal` beside `run.nc`."""
    path = Path(path)
    return path.with_name(path.name + ".journal")


def last_change(folder: Path) -> int:
    """When the last chunk of a journal was written [ns since the epoch]; 0 when there is none."""
    chunks = (entry for entry in folder.iterdir() if _CHUNK.fullmatch(entry.name))
    return max((entry.stat().st_mtime_ns for entry in chunks), default=0)


def going_on(folder: Path) -> bool:
    """Whether the process that writes this journal is alive (where the system has locks; elsewhere False)."""
    with suppress(OSError), open(folder / HEADER, "rb") as file:
        return try_lock(file.fileno()) is False
    return False


def reached(folder: Path) -> float | None:
    """The simulated time that a journal reaches [s]; None when it holds no whole chunk."""
    with suppress(OSError, RunFileError):
        for path in reversed(_chunk_paths(folder)):
            with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
                with zipfile.ZipFile(path) as archive:
                    return float(_read_member(archive, archive.getinfo("time.npy"), path, LIMIT)[-1])
    return None


def set_aside(path: str | Path) -> Path | None:
    """Move the journal that an earlier run of `path` left, so that a new run can begin; nothing is lost.

    The name under which `load` finds it now, such as `run-unfinished.nc`; None when there was nothing to keep.
    """
    path = Path(path)
    folder = journal_folder(path)
    if not folder.is_dir():
        return None
    if going_on(folder):
        raise JourdainError(f"{path}: another run is writing there now; wait for it, or give another folder")
    if not any(_CHUNK.fullmatch(entry.name) for entry in folder.iterdir()):
        remove_journal(folder)
        return None
    for number in range(1, 1000):
        name = f"{path.stem}-unfinished{'' if number == 1 else f'-{number}'}{path.suffix}"
        kept = path.with_name(name)
        if not kept.exists() and not journal_folder(kept).exists():
            try:
                folder.rename(journal_folder(kept))
            except OSError as error:
                raise WriteError.because(journal_folder(kept), error) from error
            flush_folder(path.parent)
            return kept
    raise JourdainError(f"{path.parent} holds 999 unfinished runs; look at them, and remove those not wanted")


def digest(header: dict[str, Any]) -> str:
    """SHA-256 of what a header says."""
    content = {key: value for key, value in header.items() if key != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class Journal:
    """The journal of one run that is going on.

    path       the run file that `finish` will make
    options    what `simulate` was told
    overwrite  True replaces the journal of an earlier run that did not finish, which is set aside now and removed when
               the new run is whole; otherwise that is an error
    """

    def __init__(
        self, path: str | Path, model: Model, options: dict[str, Any] | None = None, *, overwrite: bool = False
    ) -> None:
        self.path = Path(path)
        self.model = model
        self.options = dict(options or {})
        self.folder = journal_folder(self.path)
        self._count = 0
        self._last = -np.inf
        self._nz: int | None = None
        self._lock: int | None = None
        header = {
            "journal_format": FORMAT,
            "system": model.name,
            "model_hash": model.hash,
            "names": {"q": list(model.names.q), "v": list(model.names.v)},
            "versions": installed_versions(),
            "options": plain(self.options),
            "model_description": model.description,
        }
        what = f"journal of the run of {model.name!r}"
        header = from_json(to_json(header, what).encode(), what)
        text = to_json(header | {"digest": digest(header)}, what)
        if not self.folder.parent.is_dir():
            raise WriteError(self.path, "its folder does not exist; make it first")
        self._replaced: Path | None = None
        if overwrite and self.folder.exists():
            _check_ours(self.folder)
            self._replaced = set_aside(self.path)
        try:
            self.folder.mkdir()
        except FileExistsError:
            raise JourdainError(
                f"{self.folder} is there already: the journal of a run that did not finish or still goes on; "
                f"load({str(self.path)!r}) shows it; overwrite=True removes it"
            ) from None
        except OSError as error:
            raise WriteError.because(self.folder, error) from error
        try:
            with atomic_write(self.folder / HEADER) as temporary:
                temporary.write_text(text, encoding="utf-8")
            self._lock = os.open(self.folder / HEADER, os.O_RDONLY)
            try_lock(self._lock)
        except OSError as error:
            self.discard()
            raise error if isinstance(error, WriteError) else WriteError.because(self.folder, error) from error
        flush_folder(self.folder.parent)

    def append(self, chunk: Record) -> None:
        """Put samples on disk; they must follow those already there. An empty chunk writes nothing."""
        if not len(chunk):
            return
        problem = chunk.problem(len(self.model.names.q), len(self.model.names.v), self._nz)
        if problem is None and chunk.time[0] <= self._last:
            problem = f"time {chunk.time[0]} does not come after {self._last}, the last in the journal"
        if problem:
            raise JourdainError(f"journal of the run of {self.model.name!r}, chunk {self._count + 1}: {problem}")
        with atomic_write(self.folder / f"chunk-{self._count + 1:06d}.npz") as temporary, open(temporary, "wb") as file:
            np.savez(file, **{field.name: getattr(chunk, field.name) for field in fields(Record)})
        self._count += 1
        self._last = float(chunk.time[-1])
        self._nz = chunk.z.shape[1]

    def finish(self, options: dict[str, Any] | None = None, *, partial: bool = False) -> Run:
        """Merge the chunks into the run file, remove the journal, and return the run; `run.path` says where it is.

        options  replace those given at the start, where more is known at the end
        partial  True when the simulation stopped before its end. Such a run does not take the place of a whole one:
                 where there is one it goes beside it, into `run-partial.nc`
        """
        if not self._count:
            raise JourdainError(f"{self.folder}: nothing was appended, so there is no run to finish")
        sizes = (len(self.model.names.q), len(self.model.names.v))
        chunks = [_read_chunk(path, *sizes, LIMIT) for path in _chunk_paths(self.folder)]
        run = Run(self.model, Record.concatenate(chunks), self.options if options is None else options, partial=partial)
        beside = partial and self.path.exists() and not stopped_early(self.path)
        save(run, self.path.with_name(f"{self.path.stem}-partial{self.path.suffix}") if beside else self.path)
        self.discard()
        if self._replaced is not None and not partial:
            remove_journal(journal_folder(self._replaced))
        return run

    def discard(self) -> None:
        """Remove the journal."""
        self.release()
        remove_journal(self.folder)

    def release(self) -> None:
        """Leave the journal as it is; `load` finds it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __del__(self) -> None:
        if getattr(self, "_lock", None) is not None:
            self.release()

    def __repr__(self) -> str:
        return f"<Journal {str(self.folder)!r}: {self._count} chunks>"


def load_journal(folder: str | Path, *, limit: int = LIMIT) -> Run:
    """What the journal of a run that did not finish holds: a run with `partial` True.

    A last chunk that is not whole is left out with a warning; a bad one before it is an error.
    """
    folder = Path(folder)
    header = _read_header(folder)
    names = header["names"]
    paths = _chunk_paths(folder)
    total = sum(path.stat().st_size for path in paths)
    if total > limit:
        raise RunFileError(folder, "", f"{total} bytes of chunks; at most {limit} are read: pass a larger limit")
    chunks: list[Record] = []
    for path in paths:
        try:
            chunk = _read_chunk(path, len(names["q"]), len(names["v"]), limit)
            if chunks:
                _check_sequel(path, chunks[-1], chunk)
        except RunFileError as error:
            if path != paths[-1]:
                raise
            warn(RunFileWarning(f"{error}; this last chunk is left out"))
        else:
            chunks.append(chunk)
    if not chunks:
        raise RunFileError(folder, "", "holds no whole chunk, so there is nothing to show of this run")
    return assemble(folder, header | {"partial": True}, Record.concatenate(chunks), names)


def _read_header(folder: Path) -> dict[str, Any]:
    path = folder / HEADER
    if not path.is_file() or path.is_symlink():
        raise RunFileError(folder, HEADER, "is missing; the run was killed before it began")
    if path.stat().st_size > TEXT_LIMIT:
        raise RunFileError(folder, HEADER, f"{path.stat().st_size} bytes; at most {TEXT_LIMIT} are read")
    try:
        header = from_json(path.read_bytes(), HEADER)
    except JourdainError as error:
        raise RunFileError(folder, "", str(error)) from error
    if header.get("journal_format") not in (1, FORMAT):
        got = header.get("journal_format")
        raise RunFileError(folder, HEADER, f"journal_format is {got!r}; this version of Jourdain reads {FORMAT}")
    if header.get("journal_format") == 1 and "digest" not in header:
        text = f"{folder}: was written before journals had a digest, so that damage to it would not be noticed"
        warn(RunFileWarning(text))
    elif header.get("digest") != digest(header):
        raise RunFileError(folder, HEADER, "is not what was written: damaged, or changed")
    kinds = {"model_hash": str, "names": dict, "versions": dict, "options": dict, "model_description": dict}
    for key, kind in kinds.items():
        if not isinstance(header.get(key), kind):
            raise RunFileError(folder, HEADER, f"{key} is missing or not a {kind.__name__}")
    for key in ("q", "v"):
        listed = header["names"].get(key)
        if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
            raise RunFileError(folder, HEADER, f"names of {key} must be a list of texts")
    versions = text_table(folder, "versions", json.dumps(header["versions"]).encode())
    names = {key: header["names"][key] for key in ("q", "v")}
    return header | {"versions": versions, "names": names}


def _chunk_paths(folder: Path) -> list[Path]:
    """The chunks in order; a gap in their numbers is an error."""
    numbered = sorted((int(match[1]), entry) for entry in folder.iterdir() if (match := _CHUNK.fullmatch(entry.name)))
    for expected, (number, entry) in enumerate(numbered, start=1):
        if number != expected:
            raise RunFileError(folder, entry.name, f"follows a gap: chunk {expected} is missing")
    return [entry for _, entry in numbered]


def _read_chunk(path: Path, nq: int, nv: int, limit: int) -> Record:
    """One chunk; its size is checked against the file's before NumPy reads it."""
    if path.is_symlink() or not path.is_file():
        raise RunFileError(path.parent, path.name, "is not a regular file")
    wanted = {f"{field.name}.npy" for field in fields(Record)}
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sorted(member.filename for member in members) != sorted(wanted):
                raise RunFileError(path.parent, path.name, f"must hold {sorted(wanted)} and nothing else")
            arrays = {m.filename.removesuffix(".npy"): _read_member(archive, m, path, limit) for m in members}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise RunFileError(path.parent, path.name, f"is truncated or damaged ({error})") from error
    record = Record(**arrays)
    problem = record.problem(nq, nv)
    if problem:
        raise RunFileError(path.parent, path.name, problem)
    return record


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, limit: int) -> np.ndarray:
    if member.compress_type != zipfile.ZIP_STORED or member.file_size > min(limit, path.stat().st_size):
        raise RunFileError(path.parent, path.name, f"{member.filename} is compressed or larger than the file")
    with archive.open(member) as stream:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise RunFileError(path.parent, path.name, f"{member.filename} is not of the NumPy format 1.0")
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        count = int(np.prod(shape, dtype=object))
        if dtype != np.dtype(np.float64) or 8 * count != member.file_size - stream.tell():
            raise RunFileError(path.parent, path.name, f"{member.filename} is {dtype} of shape {shape}")
    with archive.open(member) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def _check_sequel(path: Path, before: Record, chunk: Record) -> None:
    if chunk.time[0] <= before.time[-1]:
        message = f"time {chunk.time[0]} does not come after {before.time[-1]}, the last of the chunk before"
        raise RunFileError(path.parent, path.name, message)
    if chunk.z.shape[1] != before.z.shape[1]:
        message = f"has {chunk.z.shape[1]} internal states, the chunk before {before.z.shape[1]}"
        raise RunFileError(path.parent, path.name, message)


def _check_ours(folder: Path) -> list[Path]:
    """The files of a journal; an error where there is anything else."""
    if folder.is_symlink() or not folder.is_dir():
        raise JourdainError(f"{folder} is not a folder, so it is no journal; it is left alone")
    entries = list(folder.iterdir())
    strange = [entry.name for entry in entries if not _OURS.fullmatch(entry.name) or entry.is_dir()]
    if strange:
        raise JourdainError(
            f"{folder} holds {strange[0]!r}, which no journal does; it is left alone: look, and remove it"
        )
    return entries


def remove_journal(folder: Path) -> None:
    """Remove a journal, and nothing but a journal."""
    # The header goes last: a folder with chunks always says whose they are.
    for entry in sorted(_check_ours(folder), key=lambda e: e.name == HEADER):
        entry.unlink()
    folder.rmdir()
