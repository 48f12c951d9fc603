"""`jd.export.c`: a model as a folder that a C program is built from."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..basics.arguments import checked
from ..basics.errors import JourdainError, ModelError
from ..basics.storage import atomic_write, make_folder
from ..basics.types import Controllers, KeptBy
from ..describe.motions import Motion
from ..model.model import Model
from ..model.state import State
from .c_interface import FUNCTIONS, Interface, applied_laws
from .export_model import ExportModel, prepare
from .header import HeaderData, cmake, example, header, readme
from .memory_image import Image
from .object_code import NATIVE, Linker, ResidentLinker, Target, compiler, here, target_named
from .wasm import module

PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")


class ObjectFiles(NamedTuple):
    """Object code of a model, what its texts contain, addresses of what it calls of this process, and its object files
    where it is in several."""

    code: bytes
    sheet: HeaderData
    exported: set[str]
    imported: dict[str, int]
    files: dict[str, bytes]


def object_of(
    what: ExportModel,
    target: Target,
    prefix: str,
    linearize: bool = False,
    sloped: bool = False,
    functions: Collection[str] = FUNCTIONS,
    resident: bool = False,
    apart: bool = False,
) -> ObjectFiles:
    """The object code of what was prepared, for a target.

    sloped       with derivatives of all rates
    functions    model functions that it has
    resident     whether it stays in this process, and calls what is in memory already
    apart        in several object files, for a linker that makes a shared library of them
    """
    features = what.features if applied_laws(what) else what.features - {"laws"}  # of these only derivatives care
    linker = ResidentLinker(target, features) if resident else Linker(target, features)
    image = Image(linker, what.functions)
    identity = f"{what.model.hash} {target.key} {what.step!r} {what.plan.method} {what.states}".encode()
    writer = Interface(what, image, prefix, identity)
    writer.linearised, writer.sloped, writer.functions = linearize, sloped, functions
    variables = writer.write()
    files = linker.apart(writer.text()) if apart else {}
    code = b"" if apart else linker.object_code(writer.text(), writer.exported)
    sheet = HeaderData(what, target, prefix, variables, image.size, linearize, sloped)
    return ObjectFiles(code, sheet, writer.exported, getattr(linker, "imported", {}), files)


@checked
def c(
    model: Model,
    folder: str | os.PathLike[str],
    *,
    state: State | None = None,
    controller: Controllers | None = None,
    method: str = "rk4",
    step: float = 1e-3,
    target: str = "x86-64-v3",
    motions: Mapping[str, Motion] | None = None,
    constraints: KeptBy | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    linearize: bool = False,
    prefix: str = "jd",
) -> Path:
    """Write a model as C code that runs without Python, and return the folder.

    The folder has model.h (plain C99, with all names and units), model.o, a static and a shared library where this
    machine can link for the target, CMakeLists.txt, example.c and a README. It is the machine code of the simulations:
    on the same processor its numbers are theirs to the last bit.

    folder        to write into; made where it does not exist
    state         that an instance begins in; None for model.state()
    controller    a law, or a list of laws, that acts in the loop; Python functions cannot be exported
    method        "euler", "heun", "rk3", "rk4" or "rk5"
    step          [s]
    target        "x86-64", "x86-64-v2", "x86-64-v3", "aarch64", "armv7", "riscv64" (Linux, or no system at all),
                  "x86-64-windows", "x86-64-windows-gnu", "x86-64-macos", "aarch64-macos"; "wasm64" for browsers, with
                  model.wasm; "native" for the processor of this machine
    motions       profiles that prescribe coordinates, as in `jd.simulate`
    constraints   how the run is kept on its constraints, as in `jd.simulate`
    inputs        what `jd_step` takes: "effort:elbow" [N m], a force at a frame, "payload.origin.fx" [N], or what a
                  controller takes as commands, "pilot.tip.vx". None: the efforts of all joints; () for none
    outputs       what `jd_get` has besides states, accelerations, efforts, energies and contacts: "payload.origin.x"
    linearize     whether derivatives of forward dynamics are exported too
    prefix        of all names in C, so that several models can be in one program
    """
    aim = target_named(target)
    check_prefix(prefix)
    if linearize:
        _check_derivatives(model)
    what = prepare(model, state, controller, method, step, motions, inputs, outputs, constraints)
    made = object_of(what, aim, prefix, linearize)
    out = make_folder(Path(folder))
    name = "model.obj" if "windows" in aim.triple else "model.o"
    files: dict[str, Any] = {name: made.code, "model.h": header(made.sheet), "example.c": example(made.sheet)}
    files["CMakeLists.txt"] = cmake(made.sheet).replace("model.o", name)
    for file, content in files.items():
        write(out / file, content)
    linked = link(out, name, aim)
    if aim.triple.startswith("wasm"):
        write(out / "model.wasm", module(made.code, made.exported)[0])
        linked.append("model.wasm")
    write(out / "README.md", readme(made.sheet, [*files, *linked]).replace("example.c model.o", f"example.c {name}"))
    return out


def _check_derivatives(model: Model) -> None:
    from ..model.derivatives import analytical

    if not analytical(model):
        raise ModelError.at(
            "linearize",
            "the analytical derivatives do not cover deploying bodies, rails, orbits and beams whose tips do not turn; "
            "leave it out",
        )


def check_prefix(prefix: object) -> None:
    """An error where a prefix of names cannot be one in C."""
    if not isinstance(prefix, str) or not PREFIX.fullmatch(prefix):
        raise ModelError.at("prefix", f"got {prefix!r}; give letters, digits and underscores, a letter first")


def write(path: Path, content: bytes | str) -> None:
    """Writes a file that is the old one or the whole new one."""
    with atomic_write(path) as temporary:
        if isinstance(content, bytes):
            temporary.write_bytes(content)
        else:
            temporary.write_text(content, encoding="utf-8")


def link(folder: Path, name: str, target: Target) -> list[str]:
    """A static and a shared library of the object, where this machine has what it takes; their names."""
    cc = compiler()
    if cc is None or not (target.name == NATIVE or here(target)) or sys.platform == "win32":
        return []
    shared = "libmodel.dylib" if sys.platform == "darwin" else "libmodel.so"
    made = []
    (folder / "libmodel.a").unlink(missing_ok=True)
    for command, result in (
        ([*_archiver(cc), "libmodel.a", name], "libmodel.a"),
        ([cc, "-shared", "-o", shared, name, "-lm"], shared),
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise JourdainError(f"{' '.join(command)}: {done.stderr.strip().splitlines()[-1:] or 'failed'}")
        made.append(result)
    return made


def _archiver(cc: str) -> list[str]:
    import shutil

    return [shutil.which("ar") or f"{cc}-ar", "rcs"]
