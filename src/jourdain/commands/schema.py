"""`jourdain schema`: the JSON Schema of scenario and study files, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .exits import epilogue

EPILOGUE = epilogue(
    "jourdain schema > scenario.schema.json",
    "jourdain schema --out scenario.schema.json",
    "jourdain schema --study --out study.schema.json",
    notes=(
        "In an editor with the YAML language server, make this the first line of a scenario file:",
        "  # yaml-language-server: $schema=scenario.schema.json",
        "It then completes the keys of the file and marks mistakes as you type.",
    ),
)


def schema(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it to this file instead of stdout.")
    ] = None,
    study: Annotated[bool, typer.Option("--study", help="That of study files, for `jourdain sweep`.")] = False,
) -> None:
    """Print the JSON Schema of scenario or study files."""
    from ..basics.storage import atomic_write
    from ..study.schema import scenario_schema, study_schema

    text = json.dumps(study_schema() if study else scenario_schema(), indent=2, ensure_ascii=False)
    if out is None:
        typer.echo(text)
        return
    with atomic_write(out) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    typer.echo(out)
