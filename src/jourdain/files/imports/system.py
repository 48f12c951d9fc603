"""Systems from the files of other codes, told apart by the ending of the file."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from ...basics.errors import ModelError
from ...describe.system import System

IMPORTED = {".urdf": "URDF", ".xml": "MJCF", ".mjcf": "MJCF"}
"""Endings that are known, with the formats that they stand for."""


def import_system(
    path: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: bool | Collection[str] = False,
    free_base: bool = False,
    strict: bool = False,
) -> System:
    """The system of a URDF or MJCF file, told apart by its ending."""
    if os.path.splitext(os.fspath(path))[1].lower() == ".urdf":
        from .urdf import load_urdf

        return load_urdf(path, root, packages, ignore, free_base, strict)
    from .mjcf import load_mjcf

    if free_base:
        raise ModelError.at("System.load", "free_base is for URDF; MJCF says itself what is free (<freejoint/>)")
    return load_mjcf(path, root, packages, ignore, strict)
