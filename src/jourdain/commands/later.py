"""Commands that are promised and not there yet: they say so in one line."""

from __future__ import annotations

import typer

from ..basics.errors import JourdainError

ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def export(ctx: typer.Context) -> None:
    """Export a model as C or FMU; not there yet."""
    raise JourdainError("`jourdain export` is not there yet; model functions can be called from Python")
