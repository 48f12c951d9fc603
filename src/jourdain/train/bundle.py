"""The files of the page: what is drawn, the lessons, and the model compiled to WebAssembly."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.markup import escape
from ..control.sampled import Sampled
from ..export.c_folder import object_of
from ..export.export_model import ExportModel, prepare
from ..export.targets import target_named
from ..export.wasm import module
from ..view.packing import Packer
from .lesson import Lesson, lessons, phase_name
from .plant import (
    CONTACTS,
    DEPTH,
    GRAPPLES,
    JOINTS,
    PERIOD,
    STEP,
    STRUTS,
    ends,
    hand_controller,
    model,
    ring,
    strut_length,
)
from .referee import APART, IMPULSE, TOUCH
from .scene import picture
from .session import LIMITS

if TYPE_CHECKING:
    from ..model.model import Model

PAGE = Path(__file__).parent / "page"
WATCHED = ("hand.tip", "hand.camera", "target.fixture", "target.port", "craft.cradle", "craft.nose")
"""Frames whose motion the page gets, behind the origins of all bodies."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


@cache
def prepared(lesson: Lesson, closed: tuple[str, ...]) -> ExportModel:
    """A lesson's start, ready to be exported with these grapples closed; the commands are its inputs."""
    state = lesson.state()
    own = model(closed)
    law = Sampled(hand_controller(state), period=STEP)
    inputs = list(law.bind(own).inputs)
    return prepare(own, own.state(q=state.q, v=state.v), [law], "rk4", STEP, None, inputs, None)


@cache
def machine(closed: tuple[str, ...]) -> tuple[bytes, dict[str, Any]]:
    """The model with these grapples closed as a module of WebAssembly, and where in an instance what lies."""
    what = prepared(next(iter(lessons().values())), closed)
    made = object_of(what, target_named("wasm64"), "jd")
    code, imported = module(made.code, made.exported)
    strange = [name for name in imported if name not in MATHEMATICS]
    if strange:
        raise JourdainError(f"the model calls {', '.join(strange)}, which a browser does not have")
    return code, _layout(what, made.sheet.variables)


MATHEMATICS = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 fmod hypot log log10 log1p log2 pow sin sinh tan "
    "tanh".split()
)
"""Functions of C that the page has."""


def _layout(what: ExportModel, variables: Any) -> dict[str, Any]:
    """Where in an instance coordinates, velocities, states and inputs lie, and the numbers of outputs and markers."""
    own: Model = what.model
    names = [one.name for one in variables]
    latched = len(what.loop.latched)
    found: dict[str, Any] = {"nq": own.nq, "nv": own.nv, "nz": len(what.loop.z) - 2, "latched": latched}
    for kind in ("q", "v", "z"):
        offsets = [one.offset for one in variables if one.kind == kind]
        if kind == "z":
            found["latched_at"], offsets = (offsets[0] if latched else 0), offsets[latched:]
        found[f"{kind}_at"] = offsets[0]
        if np.any(np.diff(offsets) != 8):
            raise JourdainError(f"the numbers of {kind} do not lie one behind the other")
    found["contacts"] = [names.index(f"contact:{name}.force") for name in CONTACTS]
    found["efforts"] = [names.index(f"supplied:{name}") for name in JOINTS]
    found["bodies"] = [own.marker(f"{name}.origin") for name in own.bodies]
    found["frames"] = {name: own.marker(name) for name in WATCHED}
    found["elastic"] = [k for k, name in enumerate(own.names.q) if "[" in name]
    found["inputs"] = len(what.inputs)
    return found


def _start(lesson: Lesson) -> dict[str, Any]:
    """The numbers that a lesson begins with."""
    what = prepared(lesson, lesson.closed)
    loop = what.loop
    return {"q": loop.q.tolist(), "v": loop.v.tolist(), "z": loop.z[:-2].tolist(), "latched": loop.latched.tolist()}


@cache
def data() -> dict[str, Any]:
    """All that the page knows, as JSON can hold it."""
    packer = Packer()
    first = next(iter(lessons().values()))
    scene = picture(first.model(), first.state(), packer)
    phases = {phase_name(closed) for one in lessons().values() for closed in one.phases()}
    return {
        "lessons": [one.to_dict() | {"start": _start(one)} for one in lessons().values()],
        "scene": scene,
        "numbers": packer.text(),
        "orbit": scene_orbit(),
        "phases": sorted(phases),
        "joints": list(JOINTS),
        "contacts": list(CONTACTS),
        "limits": LIMITS.tolist(),
        "rules": {
            "step": STEP, "period": PERIOD, "impulse": IMPULSE, "touch": TOUCH, "apart": APART, "struts": STRUTS,
            "length": strut_length(), "ends": ends(),
            "tops": [one.tolist() for one in ring(DEPTH, 0.0)],
            "bases": [one.tolist() for one in ring(0.0, np.pi / 3.0)],
            "grapples": {name: list(frames) for name, frames in GRAPPLES.items()},
        },
    }  # fmt: skip


def scene_orbit() -> dict[str, Any]:
    """Where the Earth is."""
    return {"altitude": 400e3, "earth_radius": 6378137.0, "direction": [-1.0, 0.0, 0.0]}


def page(token: str = "") -> bytes:
    """index.html; the token lets the page send flights back to its server, and none that it keeps them."""
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    return text.replace("{token}", escape(token)).replace("{policy}", POLICY).encode()


def _closed(name: str) -> tuple[str, ...]:
    return {phase_name(closed): closed for one in lessons().values() for closed in one.phases()}[name]


def files(token: str = "") -> dict[str, tuple[str, Callable[[], bytes]]]:
    """Every file of the page: its type, and what makes it when it is asked for."""
    script, plain, style = "text/javascript; charset=utf-8", "application/json", "text/css; charset=utf-8"
    found: dict[str, tuple[str, Callable[[], bytes]]] = {
        "index.html": ("text/html; charset=utf-8", lambda: page(token)),
        "data.json": (plain, lambda: json.dumps(data()).encode()),
        "trainer.css": (style, (PAGE / "trainer.css").read_bytes),
    }
    for name in ("trainer.js", "worker.js"):
        found[name] = (script, (PAGE / name).read_bytes)
    for phase in sorted({phase_name(closed) for one in lessons().values() for closed in one.phases()}):
        found[f"{phase}.wasm"] = ("application/wasm", lambda phase=phase: machine(_closed(phase))[0])  # type: ignore[misc]
        found[f"{phase}.json"] = (plain, lambda phase=phase: json.dumps(machine(_closed(phase))[1]).encode())  # type: ignore[misc]
    return found


def write_folder(folder: Path, say: Callable[[str], None] = lambda text: None) -> list[str]:
    """Writes all files of the page into a folder that any web server can give out; their names."""
    from ..export.c_folder import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JourdainError(f"{folder}: {error.strerror}; give a folder that can be written") from error
    for name, (_, make) in files().items():
        say(name)
        write(folder / name, make())
    return list(files())
