"""`jourdain export`: the model of a scenario as C code or as an FMU, to run without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..basics.errors import JourdainError
from .completion import scenario_files
from .exits import epilogue
from .imports import IGNORE, PACKAGES, ROOT, folders

EPILOGUE = epilogue(
    "jourdain export reach.yaml --c build/reach",
    "jourdain export reach.yaml --c build/reach --target aarch64 --step 0.002",
    "jourdain export reach.yaml --source build/source --marker fore.tip",
    "jourdain export press.yaml --fmu press.fmu --output payload.origin.x --output contact:touch.force",
    notes=(
        "Model, state, motions, controllers, method and step are those of the scenario; its section export: may have",
        "inputs, outputs, method and step too. One whose method chooses its steps needs a step. No events.",
        "Targets: x86-64, x86-64-v2, x86-64-v3, aarch64, armv7, riscv64,",
        "x86-64-windows, x86-64-windows-gnu, x86-64-macos, aarch64-macos, wasm64, native.",
    ),
)


def export(
    scenario: Annotated[
        Path, typer.Argument(metavar="SCENARIO.yaml", help="The scenario file.", autocompletion=scenario_files)
    ],
    c: Annotated[
        Path | None, typer.Option("--c", metavar="DIR", help="Folder for C: header, object code, libraries, example.")
    ] = None,
    fmu: Annotated[Path | None, typer.Option("--fmu", metavar="FILE", help="Functional mock-up unit to write.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="DIR", help="Folder for C source of the model's functions, without loops."),
    ] = None,
    markers: Annotated[
        list[str] | None,
        typer.Option("--marker", metavar="NAME", help="A frame whose motion and Jacobian --source writes."),
    ] = None,
    target: Annotated[str, typer.Option("--target", help="Processor and system that it is for.")] = "x86-64-v3",
    step: Annotated[float | None, typer.Option("--step", help="Step [s]; the scenario's by default.")] = None,
    method: Annotated[
        str | None, typer.Option("--method", help="euler, heun, rk3, rk4 or rk5; the scenario's by default.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input", metavar="NAME", help="An input, effort:elbow say; by default the efforts of all joints."
        ),
    ] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--output", metavar="NAME", help="An output, payload.origin.x say.")
    ] = None,
    version: Annotated[int, typer.Option("--fmi", help="Version of FMI, 2 or 3.")] = 3,
    root: ROOT = None,
    packages: PACKAGES = None,
    ignore: IGNORE = False,
) -> None:
    """Export a model as C code, as C source or as an FMU."""
    from ..export.c_export import c as export_c
    from ..export.c_source import source as export_source
    from ..export.fmu_archive import fmu as export_fmu
    from ..study.scenario.scenario_file import load_scenario

    if c is None and fmu is None and source is None:
        raise JourdainError("say what to write: --c DIR, --fmu FILE or --source DIR")
    one = load_scenario(scenario, root=root, packages=folders(packages), ignore=ignore)
    if source is not None:
        with one.errors_with_lines():
            typer.echo(export_source(one.model, source, markers=markers or ()))
    if c is None and fmu is None:
        return
    if one.events:
        names = ", ".join(f'"{event.name}"' for event in one.events)
        raise JourdainError(f"{scenario}: events are not exported ({names}); take them out of the scenario")
    stated = one.export
    length = next((given for given in (step, stated.get("step"), one.step) if given is not None), None)
    if length is None:
        raise JourdainError(
            f"{scenario}: its method chooses its steps, and an exported model takes fixed ones; give --step,"
            " or step under export:"
        )
    with one.errors_with_lines():
        options = {
            "state": one.state,
            "controller": one.controller,
            "motions": one.motions,
            "step": length,
            "method": method or stated.get("method") or (one.method if one.step is not None and one.method else "rk4"),
            "target": target,
            "inputs": inputs or stated.get("inputs"),
            "outputs": outputs or stated.get("outputs"),
        }
        if c is not None:
            typer.echo(export_c(one.model, c, **options))
        if fmu is not None:
            typer.echo(export_fmu(one.model, fmu, version=version, **options))
