"""Compiled kernels on disk: one file each, checked before it is used, never half written.

A file is a line of JSON (its symbol, and what the code depends on), then its code, and in front the hash of both, so
that a damaged or a foreign file, or one under another's name, is detected and compiled again. Files lie in a folder
that is named by a hash of how kernels are compiled, and a symbol has the hash of its module and of all that it imports:
a changed line compiles those kernels again that may see it. What comes with the package is looked up first.

A hash shows damage, not who wrote a file, and what is read is run. So code is taken only from the package itself, and
from a cache that nobody but this user and root can write, files and folders alike (`PrivateFolder`).
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...basics.platforms import PrivateFolder, UntrustedError, long_path, named_folder, try_lock, user_cache
from ...basics.version import __version__

KERNELS = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^ *from (\.+)([\w.]*) import \(?([\w, ]*)", re.MULTILINE)
MAGIC = b"jourdain unit 3\n"
SHIPPED = KERNELS / "shipped"
"""Where a wheel has compiled kernels."""
PLUGINS = "plugin_"
"""How the name of a file begins that imports all of its folder (`kernels.kind_dispatch`)."""
POLL = 0.02
"""How often a kernel that another process compiles is looked for [s]."""


class Descriptor(NamedTuple):
    """How a file names a kernel for types of arguments.

    address     module and name
    spelling    of the types (`type_strings`)
    symbol      of its machine code
    """

    address: str
    spelling: str
    symbol: str


class Unit(NamedTuple):
    """A compilation unit: the machine code of a separate kernel and of all that is linked into it.

    code        of an object file
    exported    symbols that it defines
    imported    symbols of the process that it uses
    separate    kernels that it calls by their symbols
    optional    kernels that it calls where a model has their feature
    returns     type of its result
    """

    code: bytes
    exported: list[str]
    imported: list[str]
    separate: list[Descriptor]
    optional: list[Descriptor]
    returns: str


class LoweredKernel(NamedTuple):
    """A kernel as Numba lowered it.

    code        its own LLVM IR, as bitcode
    inlined     kernels that are linked in with it
    external    separate and optional kernels that it calls
    returns     type of its result
    """

    code: bytes
    inlined: list[Descriptor]
    external: list[Descriptor]
    returns: str


DESCRIBED = ("separate", "optional", "inlined", "external")
"""Fields of both that are lists of descriptors."""


@cache
def _text(path: Path) -> bytes:
    """What is in a file, lines ending alike everywhere."""
    return path.read_bytes().replace(b"\r\n", b"\n")


@cache
def _digest(path: Path) -> bytes:
    """Hash of a file and its name."""
    return hashlib.sha256(path.relative_to(KERNELS.parent).as_posix().encode() + _text(path)).digest()


def _hashed(paths: Iterable[Path]) -> str:
    """Hash of files of the kernels, and of the version of the package."""
    return hashlib.sha256(__version__.encode() + b"".join(map(_digest, sorted(paths)))).hexdigest()[:16]


@cache
def _imported(path: Path) -> frozenset[Path]:
    """Files of the kernels that a file imports."""
    found: set[Path] = set()
    for dots, module, names in IMPORT.findall(_text(path).decode()):
        base = path.parents[len(dots) - 1].joinpath(*module.split("."))
        places = [base, *(base / one.split()[0] for one in names.split(",") if one.strip())]
        found |= {one.with_suffix(".py") for one in places} | {one / "__init__.py" for one in places}
    if path.name.startswith(PLUGINS):
        found |= {one for one in _sources() if one.parent == path.parent}
    return frozenset(found & _sources())


@cache
def _sources() -> frozenset[Path]:
    """All files of the kernels."""
    return frozenset(KERNELS.rglob("*.py"))


def transitive_imports(path: Path) -> set[Path]:
    """A file of the kernels, and all that it imports."""
    found, left = {path}, [path]
    while left:
        more = _imported(left.pop()) - found
        found |= more
        left += more
    return found


@cache
def source_hash() -> str:
    """Hash of how kernels are compiled."""
    return _hashed({*(KERNELS / "compiling").rglob("*.py"), *transitive_imports(KERNELS / "compiler.py")})


@cache
def module_hash(module: str) -> str:
    """Hash of a module of the kernels, by its name within them, and of all that it imports; "" of another one."""
    path = KERNELS / Path(*module.split(".")).with_suffix(".py")
    return _hashed(transitive_imports(path)) if path.is_file() else ""


@cache
def toolchain() -> str:
    """Versions that decide what a kernel is compiled to."""
    import llvmlite
    import numba
    import numpy

    numpy_major = numpy.__version__.split(".")[0]
    python = f"{sys.implementation.name}{sys.version_info[0]}{sys.version_info[1]}"
    return f"{sys.platform}-{python}-numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{numpy_major}"


CACHE = "JOURDAIN_CACHE_DIR"


def root() -> Path:
    """`JOURDAIN_CACHE_DIR`, or `jourdain` in the user's cache directory where that is unset, empty or relative."""
    folder = named_folder(CACHE) or user_cache() / "jourdain"
    given = os.environ.get(CACHE)
    if given and named_folder(CACHE) is None:
        _warn_once(f"{CACHE} is {given!r}, which is no absolute path and is not used; kernels are cached in {folder}")
    return long_path(folder, extra=150)


@cache
def _warn_once(text: str) -> None:
    print(f"jourdain: {text}", file=sys.stderr)


def name_of(processor: str) -> str:
    """Name of the folder of kernels compiled for a processor, by this toolchain, from this source."""
    mine = hashlib.sha256(f"{toolchain()} {processor}".encode()).hexdigest()[:8]
    return f"{source_hash()}-{mine}"


def folder_of(processor: str) -> Path:
    """Folder of the kernels compiled for a processor."""
    return root() / name_of(processor)


def shipped_for(processor: str) -> Path | None:
    """Folder of the kernels that came with the package, compiled for a processor; None where there is none, or where
    it is of other versions."""
    folder = SHIPPED / name_of(processor)
    return folder if folder.is_dir() else None


def packed(symbol: str, entry: Unit | LoweredKernel) -> bytes:
    """The bytes of a file."""
    head = json.dumps(entry._asdict() | {"code": symbol}).encode() + b"\n"
    body = head + zlib.compress(entry.code, 1)
    return MAGIC + hashlib.sha256(body).digest() + body


def unpacked(data: bytes, symbol: str, kind: Any) -> Any:
    """What a file holds; None where it is damaged, or of another symbol."""
    start = len(MAGIC) + 32
    if data[: len(MAGIC)] != MAGIC or hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        return None
    head, _, code = data[start:].partition(b"\n")
    try:
        fields: dict[str, Any] = json.loads(head)
        if fields.keys() != set(kind._fields) or fields["code"] != symbol:
            return None
        described = {name: [Descriptor(*one) for one in fields[name]] for name in DESCRIBED if name in fields}
        return kind(**(fields | described | {"code": zlib.decompress(code)}))
    except (ValueError, TypeError, AttributeError, zlib.error):
        return None


def remove(path: Path) -> None:
    """Removes a file or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


ENDINGS = {Unit: ".unit", LoweredKernel: ".bc"}


class Store:
    """What is compiled, in a folder, and what came with the package."""

    def __init__(self, folder: Path, shipped: Path | None = None) -> None:
        self.folder, self.shipped = folder, shipped
        self.complaint = ""
        self.discarded: set[Path] = set()

    def __contains__(self, symbol: str) -> bool:
        return any((place / f"{symbol}.unit").exists() for place in self._places())

    def own(self, *inner: str, make: bool = False) -> PrivateFolder:
        """The folder, or one in it, open; an `UntrustedError` where it, or the whole cache, is not this user's own."""
        return PrivateFolder(self.folder.joinpath(*inner), own=2 + len(inner), make=make)

    def _places(self) -> list[Path]:
        """Folders that are read from."""
        places = [] if self.shipped is None else [self.shipped]
        with suppress(OSError), self.own():
            places.append(self.folder)
        return places

    def read(self, symbol: str, kind: type) -> Any:
        """A `Unit` or a `LoweredKernel`, None where it is not there; a damaged file is removed, with a message."""
        name = f"{symbol}{ENDINGS[kind]}"
        for place, bytes_of in ((self.shipped, self._from_package), (self.folder, self._from_cache)):
            data = None if place is None or place / name in self.discarded else bytes_of(name)
            if data is None:
                continue
            found = unpacked(data, symbol, kind)
            if found is not None:
                return found
            self.discard(place / name, symbol)  # type: ignore[operator]
        return None

    def _from_package(self, name: str) -> bytes | None:
        """A file of the package, which is as trusted as the source beside it."""
        path = self.shipped / name  # type: ignore[operator]
        try:
            return path.read_bytes()
        except OSError:
            return b"" if path.exists() and not path.is_file() else None

    def _from_cache(self, name: str) -> bytes | None:
        """A file of the cache; nothing of one that others could have written, b"" of what is no file."""
        try:
            with self.own() as folder:
                try:
                    return folder.read(name)
                except IsADirectoryError:
                    return b""
                except OSError as error:
                    if error.errno == errno.ELOOP:  # a link
                        return b""
                    raise
        except UntrustedError as error:
            self.refuse(error)
        except OSError:
            pass
        return None

    def refuse(self, error: UntrustedError) -> None:
        """Says, once, why nothing is taken from a folder or a file, and what to do."""
        if self.complaint:
            return
        if error.path.suffix in ENDINGS.values():  # what is compiled takes its place
            self.complaint = f"{error}: no machine code is taken from it, nor from others like it"
        else:
            advice = f"set {CACHE} to a folder of your own"
            if "belongs" not in error.why:
                advice = f"chmod go-w {shlex.quote(str(error.path))}, or {advice}"
            self.complaint = f"{error}: no machine code is taken from there, nor cached there ({advice})"
        print(f"jourdain: {self.complaint}; kernels are compiled anew", file=sys.stderr)

    def discard(self, path: Path, symbol: str) -> None:
        """Removes what cannot be used, with a message; what came with the package is only ignored."""
        print(f"jourdain: {path} is damaged, or of another program; {symbol} is compiled again", file=sys.stderr)
        if path.parent == self.shipped:
            self.discarded.add(path)
            return
        with suppress(OSError):
            remove(path)

    def forget(self, symbol: str, kind: type) -> bool:
        """Removes what was read and turned out to be no code of this machine; whether there was anything."""
        found = [place / f"{symbol}{ENDINGS[kind]}" for place in self._places()]
        found = [path for path in found if path.exists() and path not in self.discarded]
        for path in found:
            self.discard(path, symbol)
        return bool(found)

    def write(self, symbol: str, entry: Unit | LoweredKernel) -> None:
        """Writes it to the cache; where that is not possible, says so once."""
        try:
            with self.own(make=True) as folder:
                folder.write(f"{symbol}{ENDINGS[type(entry)]}", packed(symbol, entry))
        except UntrustedError as error:
            self.refuse(error)
        except OSError as error:
            if not self.complaint:
                self.complaint = f"compiled kernels cannot be cached in {self.folder} ({error.strerror})"
                print(f"jourdain: {self.complaint}; every process compiles them anew", file=sys.stderr)

    def locked(self, symbol: str) -> bool:
        """Whether another process is compiling a kernel now."""
        with suppress(OSError), self.own("locks") as locks, open(locks.open(symbol, os.O_RDONLY)) as lock:
            return try_lock(lock.fileno(), shared=True) is False
        return False

    @contextmanager
    def exclusive(self, symbol: str) -> Iterator[None]:
        """While a kernel is compiled: other processes that need it wait for the file; a process that dies lets go."""
        lock = None
        try:
            with self._locks() as locks:
                lock = open(locks.open(symbol, os.O_WRONLY | os.O_CREAT), "w")
            while try_lock(lock.fileno()) is False:
                time.sleep(POLL)
        except OSError:
            pass  # without locks two processes may compile the same, and the last one's file stays
        try:
            yield
        finally:
            if lock is not None:
                lock.close()

    def _locks(self) -> PrivateFolder:
        """The folder of locks; what is in its place goes."""
        with suppress(UntrustedError), self.own(make=True):
            place = self.folder / "locks"
            if place.is_symlink() or (place.exists() and not place.is_dir()):
                remove(place)
        return self.own("locks", make=True)
