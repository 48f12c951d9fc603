"""`jourdain version`."""

from __future__ import annotations

from typing import Annotated

import typer

from .exits import epilogue, print_json

EPILOGUE = epilogue("jourdain version", "jourdain version --json     with the versions that results depend on")


def version(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")] = False,
) -> None:
    """Print the version."""
    from ..basics.version import __version__

    if not as_json:
        typer.echo(__version__)
        return
    from ..results.metadata import installed_versions

    print_json(installed_versions() | {"jourdain": __version__})
