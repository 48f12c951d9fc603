"""Options of every command that reads systems from URDF and MJCF files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ROOT = Annotated[
    Path | None,
    typer.Option("--root", metavar="DIR", help="Folder that all files must lie in; the scenario's own by default."),
]
PACKAGES = Annotated[
    list[str] | None,
    typer.Option(
        "--package", metavar="NAME=DIR", help="Folder of package://NAME/ in URDF; may be given more than once."
    ),
]
IGNORE = Annotated[
    bool, typer.Option("--ignore", help="Leave out what a URDF or MJCF file has and is not carried over.")
]


def folders(given: list[str] | None) -> dict[str, Path]:
    """Names and folders of options --package."""
    out = {}
    for text in given or []:
        name, equals, folder = text.partition("=")
        if not equals or not name.strip() or not folder.strip():
            raise typer.BadParameter(f"got {text!r}; give NAME=DIR", param_hint="--package")
        if not Path(folder).is_dir():
            raise typer.BadParameter(f"{folder!r} is no folder", param_hint="--package")
        out[name.strip()] = Path(folder)
    return out
