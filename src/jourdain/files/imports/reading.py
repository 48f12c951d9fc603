"""What every import needs: files inside the root, numbers of attributes, and the list of what is not carried over."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.values import suggestion
from ...basics.warn import warn
from ...describe.system import System
from ..problems import Mistake, ScenarioError, one_line
from ..references import Files, read_bytes, reason, regular
from ..xml import MAX_BYTES, Element, read_xml
from .imported import Feature, Imported, LostMechanicsWarning, sort_of
from .painted_surfaces import LEAST, ROBOT
from .painted_surfaces import MOST as MOST_A_MESH

MOST = 50
"""Mistakes that are listed."""
LARGEST = 1e30
"""Largest number that is taken as meant."""
MOST_BODIES = 10_000
"""Bodies that are read."""
MOST_TRIANGLES = 20_000_000
"""Triangles of all meshes together, those of a mesh counted each time that it is used."""

Ignore = bool | Collection[str]


class Reader:
    """One import: what may be read, what was found wrong, and what is not carried over.

    path        the file that a user named
    root        folder that all files must lie in; None for that of the file
    packages    folders of ``package://NAME/``
    ignore      True to leave out whatever is not carried over; or names of such features
    strict      whether mechanics that are not carried over are refused, unless `ignore` names them; contacts too
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        root: str | os.PathLike[str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        ignore: Ignore = False,
        strict: bool = False,
    ) -> None:
        self.name = os.fspath(path)
        try:
            self.path = Path(os.path.realpath(self.name))
        except ValueError:
            raise ScenarioError.at(one_line(self.name), "is no name of a file") from None
        self.files = Files(self.path.parent if root is None else root, self.path.parent, os.path.dirname(self.name))
        self.given_root = root is not None
        self.packages = {str(name): Path(os.path.realpath(where)) for name, where in (packages or {}).items()}
        if root is not None and not self.path.is_relative_to(self.files.root):
            raise ScenarioError.at(self.name, f"lies outside the root {self.files.root.name!r}; give a root around it")
        self.ignore, self.strict = ignore, strict
        self.mistakes: list[Mistake] = []
        self.features: list[tuple[Feature, Element]] = []
        self.renamed: dict[str, str] = {}
        self.places: dict[str, Element] = {}
        self.triangles = self.drawn = 0
        self.lost: list[Feature] = []
        self.unmade: list[tuple[Feature, Element]] = []

    def open(self, path: Path, name: str) -> Element:
        """The root element of a file."""
        raw = read_bytes(path, name, MAX_BYTES)
        self.files.read[name] = raw.decode("utf-8", "replace")
        return read_xml(raw, name)

    def complete(self, system: System, imported: Imported) -> System:
        """The system with the record of its import; a `ScenarioError` with all that is wrong with either."""
        self.finish()
        imported.ignored, imported.renamed = self.ignored, dict(self.renamed)
        imported.files = dict(self.files.read)
        system.imported = imported
        self._warn(imported)
        try:
            self.place(system.check())
        except ModelError as error:
            self.place(error.problems)
        self.finish()
        return system

    def count_mesh(self, element: Element, triangles: np.ndarray) -> None:
        """Counts a mesh that is used; too many together are an error."""
        self.triangles += len(triangles)
        if self.triangles > MOST_TRIANGLES:
            raise self.stop(
                element, f"with it, meshes of more than {MOST_TRIANGLES} triangles are used; use coarser ones"
            )

    def drawn_most(self) -> int:
        """Triangles that the next mesh may be drawn with: fewer, the more are drawn already."""
        return max(LEAST, min(MOST_A_MESH, (ROBOT - self.drawn) // 8))

    def count_drawn(self, triangles: np.ndarray) -> None:
        """Counts what is drawn."""
        self.drawn += len(triangles)

    def count_bodies(self, element: Element, count: int) -> None:
        """Too many bodies are an error."""
        if count > MOST_BODIES:
            raise self.stop(element, f"there are more than {MOST_BODIES} bodies; at most so many are read")

    def wrong(self, element: Element, message: str, attribute: str = "") -> None:
        """Notes a mistake."""
        self.mistakes.append(element.mistake(message, attribute))

    def stop(self, element: Element, message: str, attribute: str = "") -> ScenarioError:
        """The error for a mistake that ends the reading, with all that were found before."""
        self.wrong(element, message, attribute)
        return ScenarioError(self.mistakes[:MOST])

    def left(self, element: Element, name: str | None = None) -> None:
        """Notes that an element, or what `name` says of it, is not carried over."""
        what = name or element.tag
        self.features.append((Feature(one_line(what)[:120], element.file, element.line), element))

    def lose(self, element: Element, name: str) -> None:
        """Notes mechanics that a user makes anew from what is carried over: refused where `strict`, else listed."""
        self.unmade.append((Feature(name, element.file, element.line), element))

    def _warn(self, imported: Imported) -> None:
        """Says which mechanics were left out, where it was not asked for by name."""
        if self.ignore is not True:
            return
        lost: dict[str, int] = {}
        for feature in imported.lost_mechanics:
            if feature.name != "contact":  # said where a model is made without any
                lost.setdefault(feature.name, feature.line)
        if lost:
            stated = ", ".join(f"{name} (line {line})" for name, line in list(lost.items())[:8])
            more = f" and {len(lost) - 8} more" if len(lost) > 8 else ""
            names = ", ".join(f'"{name}"' for name in list(lost)[:2])
            warn(
                f"{self.name}: mechanics are left out: {stated}{more}; imported.lost_mechanics has all of them, and "
                f"ignore=({names}, ...) leaves out by name, without this warning",
                LostMechanicsWarning,
            )

    def spare(self, element: Element, *allowed: str) -> None:
        """Notes attributes and children that nobody asked for as not carried over.

        allowed    tags of children that were looked at
        """
        for name in element.attributes:
            if name not in element.used:
                self.left(element, f"{element.tag}.{name}")
        for child in element.children:
            if child.tag not in allowed:
                self.left(child)

    def names(self, name: str) -> bool:
        """Whether `ignore` names a feature."""
        return not isinstance(self.ignore, bool) and name in self.ignore

    def skips(self, name: str) -> bool:
        """Whether a feature that is carried over is to be left out, because `ignore` names it."""
        return self.names(name)

    @property
    def ignored(self) -> tuple[Feature, ...]:
        """What is left out."""
        return (*(feature for feature, _ in (*self.features, *self.unmade)), *self.lost)

    def finish(self) -> None:
        """Raises everything that was found wrong, and what is not carried over and not ignored either."""
        refused: dict[str, list[tuple[Feature, Element]]] = {}
        if self.ignore is not True or self.strict:
            allowed = set(() if isinstance(self.ignore, bool) else self.ignore)
            for feature, element in (*self.features, *(self.unmade if self.strict else ())):
                if self.ignore is True and sort_of(feature) != "mechanics":
                    continue
                if feature.name not in allowed and feature.name.partition(".")[0] not in allowed:
                    refused.setdefault(feature.name, []).append((feature, element))
        for name, found in refused.items():
            feature, element = found[0]
            lines = sorted({one.line for one, _ in found if one.file == feature.file and one.line != feature.line})
            more = ", ".join(str(line) for line in lines[:12]) + (", ..." if len(lines) > 12 else "")
            also = f" (also in lines {more})" if lines else ""
            message = f"{name} is not carried over{also}; leave it out, or pass ignore=True (--ignore)"
            if self.strict:
                message = f'{name} is not carried over{also}; leave it out, or name it, ignore=("{name}",)'
            self.mistakes.append(Mistake(feature.file, feature.line, element.column, element.address, message))
        if self.mistakes:
            own = self.name
            self.mistakes.sort(key=lambda one: (one.file != own, one.file, one.line, one.column))
            raise ScenarioError(self.mistakes[:MOST])

    def place(self, problems: Iterable[Problem]) -> None:
        """Notes problems of the system at the elements that described what they speak of."""
        for problem in problems:
            name = str(problem.address)
            short = name.partition(":")[0].partition(".")[0]
            element = self.places.get(name) or self.places.get(short)
            if element is None:
                self.mistakes.append(Mistake(self.name, 1, 1, name, problem.message))
            else:
                self.mistakes.append(Mistake(element.file, element.line, element.column, name, problem.message))

    def label(self, name: str, element: Element) -> str:
        """A name that an address can have: dots become underscores, spaces around it go."""
        clean = name.strip().replace(".", "_")
        if clean != name:
            self.renamed[name] = clean
        if len(clean) > 200:
            self.wrong(element, f"a name of {len(clean)} characters; the longest that is read has 200", "name")
            clean = clean[:200]
        return clean

    def text(self, element: Element, name: str, default: str | None = None) -> str:
        """An attribute that must be there, unless there is a default."""
        found = element.get(name)
        if found is None or not found.strip():
            if default is None:
                raise self.stop(element, f'"{name}" is missing; <{element.tag}> needs it')
            return default
        return found.strip()

    def choice(self, element: Element, name: str, known: Collection[str], default: str) -> str:
        """An attribute that is one of some words."""
        found = self.text(element, name, default)
        if found not in known:
            self.wrong(element, f'got "{one_line(found)[:60]}"; {suggestion(found, known)}', name)
            return default
        return found

    def flag(self, element: Element, name: str, default: bool = False) -> bool:
        """An attribute that is "true" or "false"."""
        return self.choice(element, name, ("true", "false"), "true" if default else "false") == "true"

    def numbers(
        self,
        element: Element,
        name: str,
        default: Any = None,
        size: int | tuple[int, int] = 3,
        text: str | None = None,
    ) -> np.ndarray:
        """An attribute that is some finite numbers.

        default    what it is where it is not there; None where it must be
        size       how many numbers, or (least, most)
        text       the attribute's value, where it is known already
        """
        found = element.get(name) if text is None else text
        if found is None:
            if default is None:
                raise self.stop(element, f'"{name}" is missing; <{element.tag}> needs it')
            return np.array(default, float).reshape(-1)
        least, most = (size, size) if isinstance(size, int) else size
        wanted = f"{least}" if least == most else f"{least} to {most}"
        words = found.split()
        if not least <= len(words) <= most:
            got = f'{len(words)} in "{one_line(found)[:60]}"'
            raise self.stop(element, f"got {got}; give {wanted} number{'s' if wanted != '1' else ''}", name)
        values = []
        for word in words:
            try:
                value = float(word) if "_" not in word else math.nan
            except ValueError:
                value = math.nan
            if not math.isfinite(value) or abs(value) > LARGEST:
                raise self.stop(element, f'got "{one_line(word)[:60]}"; give a finite number', name)
            values.append(value)
        return np.array(values)

    def number(
        self,
        element: Element,
        name: str,
        default: float | None = None,
        *,
        least: float = -math.inf,
        above: float = -math.inf,
    ) -> float:
        """An attribute that is one finite number, at least ``least`` and more than ``above``."""
        value = float(self.numbers(element, name, None if default is None else [default], 1)[0])
        if value < least or value <= above:
            bound = f"at least {least:g}" if value < least else f"more than {above:g}"
            self.wrong(element, f"got {value:g}; it must be {bound}", name)
        return value

    def resolve(self, element: Element, attribute: str, name: str, folder: Path) -> Path:
        """The file that an attribute names, inside the root or a package; an error where it may not be read.

        folder    that relative names start from
        """
        shown = f'"{one_line(name)[:120]}"'
        root = self.files.root
        if "\0" in name or "\\" in name or not name.strip():
            raise self.stop(element, f"{shown} is no name of a file; write it with / between folders", attribute)
        if name.startswith("package://"):
            package, _, rest = name.removeprefix("package://").lstrip("/").partition("/")
            if package in self.packages:
                root = folder = self.packages[package]
            else:
                folder = self._package(element, attribute, package, shown)
            name = rest
        elif name.startswith("file://"):
            name = name.removeprefix("file://")
        if "://" in name or name.startswith("~"):
            raise self.stop(element, f"{shown} is no file in a folder here; nothing is fetched", attribute)
        if not name or os.path.isabs(name):
            raise self.stop(element, f"{shown} is not relative; name a file below the root", attribute)
        path = Path(os.path.realpath(folder / name))
        if not path.is_relative_to(root):
            stated = f"{shown} leads out of the folder {root.name!r}; only files below it are read"
            raise self.stop(element, f"{stated} (root=, --root gives another)", attribute)
        try:
            regular(path)
        except OSError as error:
            raise self.stop(element, f"{shown}: {reason(error)}", attribute) from None
        except ValueError:
            raise self.stop(element, f"{shown} is no name of a file", attribute) from None
        return path

    def picture(self, element: Element, attribute: str, name: str, folder: Path) -> bytes | None:
        """A picture that a surface is painted with; None where there is none to read, which is noted and no mistake."""
        known = len(self.mistakes)
        try:
            path = self.resolve(element, attribute, name, folder)
            return read_bytes(path, name, MAX_BYTES)
        except ScenarioError:
            del self.mistakes[known:]
            self.lost.append(Feature(f"texture {one_line(name)[:80]}", element.file, element.line))
            return None

    def _package(self, element: Element, attribute: str, package: str, shown: str) -> Path:
        """The folder of a package that was not given: the one of its name around the file, or below the root."""
        if package in ("", ".", ".."):
            raise self.stop(element, f"{shown} names no package; write package://NAME/...", attribute)
        for folder in (self.path.parent, *self.path.parent.parents):
            if not folder.is_relative_to(self.files.root):
                break
            if folder.name == package:
                return folder
            if (folder / package).is_dir():
                return folder / package
        raise self.stop(
            element, f'{shown}: the package "{package}" is not known; give packages={{"{package}": folder}} '
            f"(--package {package}=DIR), or a root that holds it", attribute
        )  # fmt: skip


def tidy(error: ModelError, element: Element) -> list[Mistake]:
    """What a constructor refused, as mistakes at the element that described it."""
    return [element.mistake(one.message, str(one.address)) for one in error.problems]
