"""Documents: a file of ours opened, read as YAML, and its version looked at."""

from __future__ import annotations

import os
from pathlib import Path

from .diagnostics import Diagnostics
from .problems import ScenarioError
from .references import Files, Source, read_source
from .yaml import Node, read_yaml

FORMAT = 1
"""Version of scenario and system files that is read and written."""
FIRST = "jourdain: 1"
TOP = (
    "jourdain",
    "name",
    "task",
    "system",
    "models",
    "state",
    "controller",
    "motions",
    "events",
    "optimise",
    "simulation",
    "outputs",
    "limits",
    "replay",
    "export",
    "variants",
)
"""Sections of a scenario, in the order in which they are best written."""


def open_source(path: str | os.PathLike[str], root: str | os.PathLike[str] | None) -> tuple[Source, Files]:
    """The text of a file that a user named, and what may be read with it."""
    name = os.fspath(path)
    try:
        real = Path(os.path.realpath(name))
    except ValueError:
        raise ScenarioError.at(name, "is no name of a file") from None
    source = read_source(real, name)
    return source, Files(real.parent if root is None else root, real.parent, os.path.dirname(name))


def parse(source: Source, files: Files) -> tuple[Node, Diagnostics]:
    """The document of a file, and diagnostics for what is wrong with it."""
    diagnostics = Diagnostics(files)
    diagnostics.folders[source.name] = source.path.parent
    root, mistakes = read_yaml(source.text, source.name)
    diagnostics.note(mistakes)
    if not root.is_map:
        raise ScenarioError.at(source.name, f"holds {root.shown()}; write sections, beginning with {FIRST}", 1, 1)
    version = root.value.get("jourdain")
    if version is None:
        diagnostics.wrong(root, "jourdain", f"is missing; begin the file with {FIRST}")
    elif isinstance(version.value, bool) or version.value != FORMAT:
        diagnostics.wrong(version, "jourdain", f"got {version.shown()}; this version of Jourdain reads format {FORMAT}")
    return root, diagnostics
