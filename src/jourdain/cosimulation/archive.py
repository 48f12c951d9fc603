"""An FMU as a file: a zip archive that is unpacked without trusting it.

Names that lead out of the folder, links, names that stand twice or within a file, passwords, and more bytes or files
than an FMU can need are refused before anything is written; bytes are counted again as they are written, because an
archive can say a wrong size. What a damaged archive raises, of whatever packing, is an `FmuError`. What an FMU has
besides its description, its binaries for this machine and its resources stays in the archive.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import stat
import struct
import sys
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from ..basics.errors import JourdainError

MAX_FILES = 20_000
"""Most files in an archive."""
MAX_BYTES = 2 * 2**30
"""Most bytes that are written."""
MAX_INDEX = 32 * 2**20
"""Most bytes of an archive's list of its files, all of which is in memory at once."""
MAX_DESCRIPTION = 32 * 2**20
"""Most bytes of modelDescription.xml."""
PIECE = 2**20
DESCRIPTION = "modelDescription.xml"


class FmuError(JourdainError, RuntimeError):
    """An FMU that cannot be used, or one that says that it cannot go on."""


def platforms() -> tuple[tuple[str, str], str]:
    """Names of this machine in FMUs of version 2 and of version 3, and how its libraries end."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    system, ending = {"win32": ("windows", ".dll"), "darwin": ("darwin", ".dylib")}.get(sys.platform, ("linux", ".so"))
    bits = "64" if sys.maxsize > 2**32 else "32"
    old = {"windows": "win", "darwin": "darwin", "linux": "linux"}[system] + bits
    return (old if machine in ("x86_64", "x86", "i686") else f"{machine}-{system}", f"{machine}-{system}"), ending


class Archive:
    """An FMU unpacked into a temporary folder, which goes when nothing holds this object any more.

    file      as it was named
    folder    where modelDescription.xml, binaries and resources are
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)
        if not self.file.is_file():
            raise FmuError(f"{self.file}: no such file; give an FMU")
        try:
            self._check_index()
            with zipfile.ZipFile(self.file) as packed:
                wanted = self._checked(packed)
                self.folder = Path(tempfile.mkdtemp(prefix="jourdain-fmu-"))
                self._gone = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
                self._unpack(packed, wanted)
        except FmuError:
            raise
        except Exception as error:  # zipfile raises what is in each of its ways of packing
            stated = " ".join(str(error).split())[:200] or type(error).__name__
            raise FmuError(f"{self.file}: not an FMU: {stated}; give a zip archive with {DESCRIPTION} in it") from error

    def _check_index(self) -> None:
        """An error where the list of files is longer than any FMU can need, before it is read."""
        with open(self.file, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 2**16 - 22))
            tail = file.read()
        found = [one.start() for one in re.finditer(rb"PK\x05\x06", tail)]
        sizes = [struct.unpack_from("<I", tail, at + 12)[0] for at in found if at + 16 <= len(tail)]
        if b"PK\x06\x07" in tail or max(sizes, default=0) > MAX_INDEX:
            raise FmuError(f"{self.file}: has more files, or bytes, than an FMU can need; refused")

    def _checked(self, packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
        """What is to be unpacked; an error where the archive asks for what no FMU needs."""
        infos = packed.infolist()
        if len(infos) > MAX_FILES:
            raise FmuError(f"{self.file}: has {len(infos)} files; an FMU with more than {MAX_FILES} is not read")
        seen: set[str] = set()
        self.binaries: set[str] = set()
        wanted = []
        for info in infos:
            name = info.filename
            parts = PurePosixPath(name).parts
            outside = not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in name or "\0" in name
            if outside or len(name) > 1000 or any(len(one.encode("utf-8", "replace")) > 255 for one in parts):
                raise FmuError(f"{self.file}: its file {name[:80]!r} would be written elsewhere; refused")
            if stat.S_ISLNK(info.external_attr >> 16):
                raise FmuError(f"{self.file}: its file {name[:80]!r} is a link; refused")
            if info.flag_bits & 1:
                raise FmuError(f"{self.file}: its file {name[:80]!r} has a password; refused")
            folded = name.rstrip("/").casefold()
            if folded in seen:
                raise FmuError(f"{self.file}: its file {name[:80]!r} is there twice; refused")
            seen.add(folded)
            if parts[0] == "binaries" and len(parts) > 2:
                self.binaries.add(parts[1])
            if not info.is_dir() and (name == DESCRIPTION or parts[0] in ("resources", "binaries")):
                wanted.append(info)
        whole = {info.filename.casefold() for info in wanted}
        for info in wanted:
            if any(str(one) in whole for one in PurePosixPath(info.filename.casefold()).parents):
                raise FmuError(f"{self.file}: its file {info.filename[:80]!r} lies within another file; refused")
        if DESCRIPTION.casefold() not in seen:
            raise FmuError(f"{self.file}: has no {DESCRIPTION}; give an FMU")
        mine, _ = platforms()
        wanted = [one for one in wanted if not one.filename.startswith("binaries/") or
                  one.filename.split("/")[1] in mine]  # fmt: skip
        if sum(one.file_size for one in wanted) > MAX_BYTES:
            raise FmuError(f"{self.file}: unpacks to more than {MAX_BYTES} bytes; refused")
        return wanted

    def _unpack(self, packed: zipfile.ZipFile, wanted: list[zipfile.ZipInfo]) -> None:
        left = MAX_BYTES
        for info in wanted:
            there = self.folder.joinpath(*PurePosixPath(info.filename).parts)
            limit = min(left, MAX_DESCRIPTION) if info.filename == DESCRIPTION else left
            count = 0
            with packed.open(info) as source, self._put(there) as put:
                while piece := source.read(PIECE):
                    count += len(piece)
                    if count > limit:
                        raise FmuError(f"{self.file}: {info.filename} is larger than {limit} bytes; refused")
                    put(piece)
            left -= count

    @contextmanager
    def _put(self, there: Path) -> Iterator[Callable[[bytes], None]]:
        """A new file: what is given to this function goes into it, or an error says why it cannot."""
        try:
            there.parent.mkdir(parents=True, exist_ok=True)
            target = open(there, "xb")
        except OSError as error:
            raise FmuError(f"{self.file}: cannot be unpacked to {there}: {error.strerror}") from error

        def put(piece: bytes) -> None:
            try:
                target.write(piece)
            except OSError as error:
                raise FmuError(f"{self.file}: cannot be unpacked to {there}: {error.strerror}") from error

        with target:
            yield put

    @property
    def description(self) -> bytes:
        """The content of modelDescription.xml."""
        return (self.folder / DESCRIPTION).read_bytes()

    def library(self, identifier: str) -> Path:
        """The library of this machine; an error says which there are."""
        mine, ending = platforms()
        for name in mine:
            found = self.folder / "binaries" / name / f"{identifier}{ending}"
            if found.is_file():
                return found
        there = ", ".join(sorted(self.binaries)) or "none at all"
        raise FmuError(
            f"{self.file}: has no library {identifier}{ending} for this machine ({' or '.join(dict.fromkeys(mine))}); "
            f"its binaries are for: {there}. Export it for this machine, or build it from its sources"
        )
