"""Files that survive a crash, and text that may be hostile: what run files, journals and reports share."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from .errors import JourdainError
from .platforms import long_path

TEXT_LIMIT = 64 * 2**20
"""Largest JSON text that is read [bytes]."""

DEPTH_LIMIT = 64
"""Deepest nesting of JSON that is read."""

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space, or write to another folder",
    errno.EDQUOT: "your share of the disk is full; free some space, or write to another folder",
    errno.EFBIG: "the file would be larger than is allowed here; write to another folder",
    errno.EACCES: "no permission to write there; write to another folder",
    errno.EPERM: "no permission to write there; write to another folder",
    errno.EROFS: "nothing can be written on that disk (it is read-only); write to another folder",
    errno.ENOTDIR: "a part of its path is a file, not a folder; write to another folder",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|\Z)', re.DOTALL)


class WriteError(JourdainError, OSError):
    """A file or a folder that cannot be written: which one, why, and what to do.

    path     what was to be written
    partial  the Run in memory when it was a simulation that could not be saved, otherwise None
    """

    def __init__(self, path: str | Path, reason: str, partial: Any = None) -> None:
        super().__init__(f"cannot write {str(path)!r}: {reason}")
        self.path = Path(path)
        self.reason = reason
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.reason, self.partial)

    @classmethod
    def because(cls, path: str | Path, error: OSError) -> WriteError:
        """The same in words, of what the system said."""
        text = error.strerror or str(error)
        return cls(path, _REASONS.get(error.errno or 0, f"{text}; see that the folder is there and can be written"))


def make_folder(path: str | Path) -> Path:
    """Make a folder, with those above it, and see that files can be written in it."""
    folder = long_path(path, extra=20)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".{secrets.token_hex(6)}.tmp"
        os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        probe.unlink()
    except FileExistsError:
        raise WriteError(folder, "it is a file, not a folder; give another name") from None
    except OSError as error:
        raise WriteError.because(folder, error) from error
    return folder


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Give a temporary file beside `path` to write; put it in the place of `path` when the block ends well.

    The rename is atomic, so at any moment `path` is the old file or the whole new one. When the block raises,
    the temporary file is removed and the old one is untouched. A full disk is a `WriteError`.
    """
    target = long_path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise WriteError(path, "its folder does not exist; make it first")
    if target.is_dir():
        raise WriteError(path, "it is a folder; give the name of a file")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        yield temporary
        _flush(temporary)
        os.replace(temporary, target)
        flush_folder(target.parent)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, JourdainError) and _ours(error, temporary):
            raise WriteError.because(path, error) from error
        raise


def _ours(error: OSError, temporary: Path) -> bool:
    """Whether an error of the system is about the file being written, not about one that was read meanwhile."""
    return error.filename is None or str(error.filename) == str(temporary)


def _flush(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Make a rename in this folder durable, where the system can (Windows cannot open folders)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def to_json(value: Any, what: str) -> str:
    """JSON text of a description, refused where `from_json` would refuse it."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise JourdainError(f"{what} cannot be saved as JSON: {error}") from error
    from_json(text.encode(), what)
    return text


def from_json(raw: bytes, what: str) -> dict[str, Any]:
    """A JSON object from bytes of unknown origin."""
    value = json_value(raw, what)
    if not isinstance(value, dict):
        raise JourdainError(f"{what}: a JSON object was expected, got {type(value).__name__}")
    return value


def json_value(raw: bytes, what: str) -> Any:
    """What JSON bytes of unknown origin say: bounded in size and depth before they are parsed."""
    if len(raw) > TEXT_LIMIT:
        raise JourdainError(f"{what}: {len(raw)} bytes of JSON; at most {TEXT_LIMIT} are read")
    if raw.count(b"[") + raw.count(b"{") > DEPTH_LIMIT:
        depth = _depth(raw)
        if depth > DEPTH_LIMIT:
            raise JourdainError(f"{what}: JSON nested {depth} deep; at most {DEPTH_LIMIT} is read")
    try:
        return json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise JourdainError(f"{what}: not valid JSON ({error})") from error


def _depth(raw: bytes) -> int:
    bare = np.frombuffer(_STRING.sub(b"", raw), dtype=np.uint8)
    opening = (bare == ord("[")) | (bare == ord("{"))
    closing = (bare == ord("]")) | (bare == ord("}"))
    level = np.cumsum(opening.astype(np.int64) - closing)
    return int(level.max(initial=0))


def plain(value: Any) -> Any:
    """Options as JSON can hold them: an array becomes a list, an object (a law, a controller) its name."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return [plain(item) for item in items]
    if isinstance(value, Path):
        return str(value)
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    kind = type(value).__name__
    return f"{kind} {name}" if isinstance(name, str) else kind
