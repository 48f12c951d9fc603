"""Files that other files name: relative, inside one folder, plain files of bounded size."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from .problems import ScenarioError
from .yaml import MAX_BYTES, Node, decode


class Source(NamedTuple):
    """A file that was read: its real path, its name in messages, and its text."""

    path: Path
    name: str
    text: str


class Files:
    """What may be read: files below one folder.

    root      the folder; links that lead out of it are refused
    folder    of the file that names others; None for the root
    shown     that folder as the user named it, for messages
    packages  folders of ``package://NAME/`` in URDF files, and
    ignore    whether what imports do not carry over is left out: both as the user said, not the file

    `read` has names and texts of what was read, `used` the paths of all files that were named.
    """

    def __init__(self, root: str | os.PathLike[str], folder: Path | None = None, shown: str = "") -> None:
        self.packages: dict[str, str | os.PathLike[str]] = {}
        self.ignore: bool | Collection[str] = False
        self.root = Path(os.path.realpath(root))
        self.main = self.root if folder is None else folder
        self.shown = shown
        self.read: dict[str, str] = {}
        self.used: set[Path] = set()

    def label(self, path: Path) -> str:
        """A file's name in messages, as seen from where the user is."""
        return os.path.normpath(os.path.join(self.shown, os.path.relpath(path, self.main)))

    def resolve(self, node: Node, beside: Path, address: str) -> Path:
        """The file that a text names, seen from the folder `beside`; an error where it may not be read."""
        name = str(node.value)

        def refuse(message: str) -> ScenarioError:
            return ScenarioError([node.mistake(address, message)])

        if "\\" in name or "\0" in name or not name.strip():
            raise refuse(f"{node.shown()} is no name of a file; write it with / between folders")
        if os.path.isabs(name) or name.startswith("~") or ":" in name:
            raise refuse(f"{node.shown()} is not relative; name a file in or below the folder of this one")
        path = Path(os.path.realpath(beside / name))
        if not path.is_relative_to(self.root):
            raise refuse(f"{node.shown()} leads out of the folder {self.root.name!r}; only files below it are read")
        try:
            regular(path)
        except OSError as error:
            raise refuse(f"{node.shown()}: {reason(error)}") from None
        self.used.add(path)
        return path


def regular(path: Path) -> os.stat_result:
    """The state of a plain file; an `OSError` where it is a folder, a device or a pipe, which could be read forever."""
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(21, "is a folder; name a file in it")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(22, "is not a plain file")
    return found


def reason(error: OSError) -> str:
    """Why a file cannot be read, in words."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "it may not be read (permission denied)"
    return str(error.strerror or error)


def read_bytes(path: Path, name: str, most: int) -> bytes:
    """What is in a file that a user named: `most` bytes, and one more where it is too large."""
    try:
        regular(path)
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise ScenarioError.at(name, reason(error)) from None
    except ValueError:
        raise ScenarioError.at(name, "is no name of a file") from None


def read_source(path: Path, name: str) -> Source:
    """The text of a file that a user named."""
    return Source(path, name, decode(read_bytes(path, name, MAX_BYTES), name))
