"""`jd.export.fmu`: a model as a functional mock-up unit, FMI 2.0 or 3.0, for model exchange and co-simulation."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import JourdainError, ModelError
from ..basics.types import Controllers, KeptBy
from ..describe.motions import Motion
from ..model.derivatives import analytical
from ..model.model import Model
from ..model.state import State
from .c_export import ObjectFiles, object_of, write
from .description import FmuVariables, description
from .export_model import ExportModel, prepare
from .header import header, readme
from .object_code import compiler, here, target_named

SHARED = ("core.h", "directional_derivatives.h", "exchange.h", "fmu_state.h")
"""Sources that both versions of FMI have."""
FUNCTIONS = ("jacobian", "marker_motion")
"""Model functions that they call."""
STAMP = (1980, 1, 1, 0, 0, 0)
"""Time of every file in an FMU, so that the same model makes the same bytes."""


@checked
def fmu(
    model: Model,
    file: str | os.PathLike[str],
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    version: int = 3,
    state: State | None = None,
    controller: Controllers | None = None,
    method: str = "rk4",
    step: float = 1e-3,
    target: str = "x86-64-v3",
    motions: Mapping[str, Motion] | None = None,
    constraints: KeptBy | None = None,
) -> Path:
    """Write a model as an FMU, and return its path.

    In co-simulation the FMU takes steps of `step` by `method`, with the numbers of `jd.simulate`; a communication step
    is a whole number of them. Model exchange, for the importer's own solver, is there for trees with contacts and
    continuous laws; models with loops, piles or digital controllers have co-simulation only.

    inputs     "effort:elbow" [N m], or a force at a frame, "payload.origin.fx" [N]. None: the efforts of all joints
    outputs    "payload.origin.x", "contact:touch.force", "energy:total", ..., as `jd.quantity` has them. None: all
               coordinates
    version    of FMI, 2 or 3
    target     whose library it holds; the others are those of `jd.export.c`
    """
    if version not in (2, 3):
        raise ModelError.at("version", f"got {version!r}; FMUs are of version 2 or 3")
    aim = target_named(target)
    place = aim.fmi[version - 2]
    if not place:
        raise ModelError.at("target", f'FMI {version}.0 has no name for "{target}"; use jd.export.c')
    cc = compiler()
    if cc is None or not here(aim):
        raise JourdainError(f'an FMU for "{target}" takes a C compiler for it, and there is none here; use jd.export.c')
    asked = list(model.names.q) if outputs is None else list(outputs)
    what = prepare(model, state, controller, method, step, motions, inputs, asked, constraints)
    made = object_of(what, aim, "jd", sloped=sloped(what), functions=FUNCTIONS, apart=True)
    stated = described(made, asked, version)
    library = _library(made, stated, version, cc)
    path = Path(file)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (
            ("modelDescription.xml", description(stated, version)),
            ("documentation/index.html", _page(made, stated)),
            (f"binaries/{place}/{stated.name}.so", library),
        ):
            archive.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, data.getvalue())
    return path


def exchanged(what: ExportModel) -> bool:
    """Whether others can integrate the model: nothing moves its state at accepted steps but contacts and friction."""
    plan = what.plan
    return plan.constraint_functions is None and plan.laws.sampled == 0 and not what.model.contacts.piles


def sloped(what: ExportModel) -> bool:
    """Whether the derivatives of all rates have formulas."""
    return exchanged(what) and analytical(what.model) and not len(what.model.arrays.paths)


def described(made: ObjectFiles, asked: Sequence[str], version: int) -> FmuVariables:
    """What an FMU says of an exported model."""
    what = made.sheet.what
    name = re.sub(r"\W+", "_", what.model.name).strip("_") or "model"
    if name[0].isdigit():
        name = f"m_{name}"
    names = {one.name for one in made.sheet.variables}
    shown = [one.removeprefix("effort:") if one in names else one for one in asked]
    meant = [one if one in names else one.replace("effort:", "supplied:") for one in shown]
    wide = [one.name for one in made.sheet.variables for word in meant if one.name.startswith(f"{word}.")]
    token = "{" + str(uuid.uuid5(uuid.NAMESPACE_URL, f"{what.model.hash} {made.sheet.variables} {version}")) + "}"
    exchange = exchanged(what)
    return FmuVariables(made.sheet, [*meant, *wide], token, exchange, indicators(what) if exchange else [], name)


def stops(model: Model) -> list[tuple[int, int, float]]:
    """Stops of coordinates: the entry of q, 1 for the upper and -1 for the lower one, where it is."""
    rows = zip(model.arrays.spring_entries, model.arrays.joint_springs, strict=True)
    limited = [(entry.q, row) for entry, row in rows if row.limit_stiffness > 0.0]
    both = [(j, side, float(limit)) for j, row in limited for side, limit in ((-1, row.low), (1, row.high))]
    return [one for one in both if np.isfinite(one[2])]


def indicators(what: ExportModel) -> list[tuple[str, str, str]]:
    """Event indicators of a model: name, unit, meaning."""
    model = what.model
    found = [(f"contact:{name}.change", "m", "negative while the contact is to begin or to end")
             for name in model.contacts.names]  # fmt: skip
    for j, side, limit in stops(model):
        name, unit, which = model.names.q[j], model.units.q[j], "upper" if side > 0 else "lower"
        found.append((f"stop:{name}.{which}", unit, f"negative while {name} is beyond its {which} stop, {limit!r}"))
    return found


def _library(made: ObjectFiles, stated: FmuVariables, version: int, cc: str) -> bytes:
    """The shared library: the exported model with the functions of FMI around it."""
    sources = files("jourdain.export") / "fmi"
    with tempfile.TemporaryDirectory() as folder:
        folder_path = Path(folder)
        for name, code in made.files.items():
            (folder_path / name).write_bytes(code)
        texts: dict[str, Any] = {"model.h": header(made.sheet), "fmu.h": _config(made, stated)}
        texts |= {name: (sources / name).read_text(encoding="utf-8") for name in (*SHARED, f"fmi{version}.c")}
        for name, text in texts.items():
            (folder_path / name).write_text(text, encoding="utf-8")
        flags = ["-std=c99", "-O2", "-fPIC", "-fvisibility=hidden", "-shared"]
        command = [cc, *flags, "-o", "model.so", f"fmi{version}.c", *made.files, "-lm"]
        done = subprocess.run(command, cwd=folder_path, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise JourdainError(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
        return (folder_path / "model.so").read_bytes()


def _config(made: ObjectFiles, stated: FmuVariables) -> str:
    """fmu.h: what the functions of FMI are to know of the model."""
    what = made.sheet.what
    markers = list(dict.fromkeys(one.where for one in what.outputs if one.kind.startswith("motion")))
    ways = {"effort": "EFFORT", "wrench": "WRENCH"}
    inputs = [f"{{{ways.get(one.kind, 'OTHER')}, {one.where}, {one.part}}}" for one in what.inputs]
    kinds = {"dv": "ACCELERATION", "motion": "MOTION", "motion magnitude": "LENGTH"}
    shown = {one.name: one for one in what.outputs}
    outputs = []
    for variable in made.sheet.variables:
        if variable.kind == "output":
            one = shown[variable.name]
            where = markers.index(one.where) if one.kind.startswith("motion") else one.where
            outputs.append(f"{{{kinds.get(one.kind, 'OTHER')}, {where}, {one.part}}}")
    contacts = len(what.model.contacts.names) if stated.exchange else 0
    ends = [f"{{{j}, {side}, {limit!r}}}" for j, side, limit in (stops(what.model) if stated.exchange else [])]
    tables = [
        f"#define FMU_STOPS ((const double[][3]){{{', '.join([*ends, '{0, 0, 0}'])}}})",
        f"#define FMU_INPUTS ((const int[][3]){{{', '.join([*inputs, '{0, 0, 0}'])}}})",
        f"#define FMU_OUTPUTS ((const int[][3]){{{', '.join([*outputs, '{0, 0, 0}'])}}})",
        f"#define FMU_MARKER ((const int[]){{{', '.join(map(str, [*markers, 0]))}}})",
    ]
    numbers = {
        "TOKEN": f'"{stated.token}"', "EXCHANGE": int(stated.exchange), "INDICATORS": len(stated.indicators),
        "CONTACTS": contacts, "PARTIALS": int(made.sheet.sloped), "LATCHED": len(what.loop.latched),
        "MARKERS": len(markers),
    }  # fmt: skip
    return "\n".join([*(f"#define FMU_{name} {value}" for name, value in numbers.items()), *tables, ""])


def _page(made: ObjectFiles, stated: FmuVariables) -> str:
    from ..basics.markup import code_span, escape, markdown

    text = readme(made.sheet, [])
    if stated.indicators:
        rows = "\n".join(
            f"| {i} | {code_span(name)} | {markdown(unit)} | {markdown(what)} |"
            for i, (name, unit, what) in enumerate(stated.indicators)
        )
        text += f"\n| event indicator | name | unit | |\n|---|---|---|---|\n{rows}\n"
    return f"<!DOCTYPE html><meta charset='utf-8'><pre>{escape(text)}</pre>\n"
