"""The files of the page: what is drawn, the lessons, and the model compiled to WebAssembly.

What the page draws: the bodies of a model in colour, and how their surfaces follow from its coordinates.

A surface is carried by *bones*. Those of a rigid body stand still in it; those along a boom move with its elastic
coordinates, small as they are, in proportion. So the page needs the poses of the bodies and the coordinates, and no
more of what a body is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..basics import quaternions as Q
from ..basics.errors import JourdainError
from ..basics.markup import escape
from ..control.sampled import Sampled
from ..describe.shapes import Box, Cone, Cylinder, Shape
from ..describe.shapes.tessellation import creased, mesh_of
from ..export.c_export import object_of
from ..export.export_model import ExportModel, prepare
from ..export.object_code import target_named
from ..export.wasm import module
from ..model.model import Model
from ..model.state import State
from ..results.run import Record, Run
from ..view.packing import Packer, pack_scene
from ..view.scene import Scene, scene
from ..view.scene_parts import SurfacePart
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
from .session import LIMITS

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
    from ..export.c_export import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JourdainError(f"{folder}: {error.strerror}; give a folder that can be written") from error
    for name, (_, make) in files().items():
        say(name)
        write(folder / name, make())
    return list(files())


SMALL = 1e-3
"""Of the elastic coordinates that surfaces are bent by, to see how they move."""
FOIL, PANEL, METAL, DARK, WHITE, RED, GREEN = (
    "#c9a45c",
    "#2b4a8f",
    "#aab3bf",
    "#3a424e",
    "#e8ebef",
    "#d2483c",
    "#3f9d6b",
)
COLOURS = {
    "shoulder": METAL, "upper": WHITE, "fore": WHITE, "wrist": METAL, "knuckle": METAL, "hand": WHITE,
}  # fmt: skip
ALONG = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
"""Quaternion that turns z to x."""
UPRIGHT = (1.0, 0.0, 0.0, 0.0)

Look = tuple[str, Shape, tuple[float, float, float], tuple[float, ...], str]
LOOKS: list[Look] = [
    ("craft", Box((2.6, 1.8, 1.8)), (0.0, 0.0, 0.0), UPRIGHT, FOIL),
    ("craft", Box((0.06, 1.3, 1.3)), (1.32, 0.0, 0.0), UPRIGHT, DARK),
    ("craft", Box((1.4, 4.0, 0.04)), (-0.4, 3.1, 0.0), UPRIGHT, PANEL),
    ("craft", Box((1.4, 4.0, 0.04)), (-0.4, -3.1, 0.0), UPRIGHT, PANEL),
    ("craft", Box((0.1, 0.4, 0.1)), (-0.4, 1.0, 0.0), UPRIGHT, METAL),
    ("craft", Box((0.1, 0.4, 0.1)), (-0.4, -1.0, 0.0), UPRIGHT, METAL),
    ("craft", Box((3.8, 0.24, 0.16)), (3.2, 0.0, -0.1), UPRIGHT, METAL),
    ("craft", Box((0.6, 0.6, 0.08)), (4.9, 0.0, 0.02), UPRIGHT, DARK),
    ("craft", Box((0.5, 0.06, 0.02)), (4.9, 0.0, 0.07), UPRIGHT, GREEN),
    ("craft", Box((0.06, 0.5, 0.02)), (4.9, 0.0, 0.07), UPRIGHT, GREEN),
    ("craft", Cone(0.55, 0.7), (-1.65, 0.0, 0.0), ALONG, DARK),
    ("craft", Cylinder(0.26, 0.12), (0.6, 0.0, 0.95), UPRIGHT, DARK),
    ("hand", Cylinder(0.17, 0.1), (0.53, 0.0, 0.0), ALONG, DARK),
    ("hand", Box((0.14, 0.1, 0.1)), (0.4, 0.0, 0.19), UPRIGHT, DARK),
    ("hand", Box((0.2, 0.03, 0.012)), (0.3, 0.0, 0.135), UPRIGHT, RED),
    ("target", Box((1.6, 1.6, 1.6)), (0.0, 0.0, 0.0), UPRIGHT, METAL),
    ("target", Box((0.04, 2.6, 1.2)), (0.2, 2.2, 0.0), UPRIGHT, PANEL),
    ("target", Box((0.04, 2.6, 1.2)), (0.2, -2.2, 0.0), UPRIGHT, PANEL),
    ("target", Box((0.08, 0.2, 0.08)), (0.2, 0.86, 0.0), UPRIGHT, DARK),
    ("target", Box((0.08, 0.2, 0.08)), (0.2, -0.86, 0.0), UPRIGHT, DARK),
    ("target", Cylinder(0.34, 0.03), (-0.815, 0.0, 0.0), ALONG, WHITE),
    ("target", Box((0.012, 0.6, 0.025)), (-0.835, 0.0, 0.0), UPRIGHT, DARK),
    ("target", Box((0.012, 0.025, 0.6)), (-0.835, 0.0, 0.0), UPRIGHT, DARK),
    ("target", Box((0.014, 0.1, 0.1)), (-0.835, 0.0, 0.24), UPRIGHT, RED),
    ("target", Cylinder(0.04, 0.22), (-0.94, 0.0, 0.0), ALONG, RED),
    ("target", Cylinder(0.3, 0.1), (0.0, 0.0, -0.85), UPRIGHT, GREEN),
    ("target", Box((0.7, 0.7, 0.03)), (0.0, 0.0, 0.81), UPRIGHT, FOIL),
    ("target", Cylinder(0.06, 0.5), (0.5, 0.5, 1.05), UPRIGHT, WHITE),
]  # fmt: skip
"""What the craft, the hand and the satellite are drawn as, in the axes of each, with colours."""


def picture(model: Model, state: State, packer: Packer) -> dict[str, Any]:
    """A scene as `view.packing` packs it, with "live": how each bone follows from bodies and coordinates."""
    elastic = [k for k, name in enumerate(model.names.q) if "[" in name]
    rows = np.tile(state.q, (len(elastic) + 1, 1))
    for row, k in enumerate(elastic, 1):
        rows[row, k] += SMALL
    nt, nz = len(rows), len(model.names.z)
    zeros = np.zeros((nt, model.nv))
    record = Record(np.arange(nt, dtype=float), rows, zeros, np.zeros((nt, nz)), zeros.copy(), np.zeros((nt, 6)))
    bent = scene(Run(model, record, {"method": "none"}), frames_per_second=1.0)
    drawn = {one[0] for one in LOOKS} - {"hand"}
    parts = [_coloured(part) for part in bent.parts if part.kind == "body" and part.body not in drawn]
    alike: dict[tuple[str, str], list[SurfacePart]] = {}
    for look in LOOKS:
        alike.setdefault((look[0], look[-1]), []).append(_part(bent, *look))
    parts += [_joined(some) for some in alike.values()]
    whole = Scene(
        name=bent.name,
        time=bent.time[:1],
        bones=_first(bent),
        parts=parts,
        arrows=[],
        frames=bent.frames,
        up=bent.up,
        orbit=bent.orbit,
    )
    stated = pack_scene(whole, packer, 20.0)
    return stated | {"live": [_followed(bent, model, state, b, elastic) for b in range(len(bent.bones.name))]}


def _first(bent: Scene) -> Any:
    return replace(bent.bones, poses=bent.bones.poses[:1])


def _coloured(part: SurfacePart) -> SurfacePart:
    return replace(part, colour=COLOURS.get(part.body, METAL))


def _part(bent: Scene, body: str, shape: Shape, place: Any, turn: Any, colour: str) -> SurfacePart:
    """A shape on a rigid body."""
    vertices, faces = mesh_of(shape, 1.0)
    source, faces = creased(vertices, faces)
    points = Q.rotate(np.asarray(turn, float), vertices[source]) + np.asarray(place)
    bone = bent.bones.name.index(body)
    n = len(points)
    weights = np.tile([1.0, 0.0], (n, 1)).astype(np.float32)
    return SurfacePart(
        name=body,
        body=body,
        vertices=points.astype(np.float32),
        faces=faces.astype(np.int32),
        bones=np.full((n, 2), bone, np.int32),
        weights=weights,
        colour=colour,
        opacity=1.0,
        kind="body",
    )


def _joined(parts: list[SurfacePart]) -> SurfacePart:
    """Parts of one body and one colour as one, which is drawn at once."""
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return replace(
        parts[0],
        vertices=np.concatenate([part.vertices for part in parts]),
        faces=np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]).astype(np.int32),
        bones=np.concatenate([part.bones for part in parts]),
        weights=np.concatenate([part.weights for part in parts]),
    )


def _followed(bent: Scene, model: Model, state: State, bone: int, elastic: list[int]) -> dict[str, Any]:
    """Of a bone: the body that carries it, its pose there at rest, and how position and rotation vector move with each
    elastic coordinate. Bones of links between bodies, which this page does not draw, stay with the world."""
    bones, body = bent.bones, bent.bones.body[bone]
    if body not in model.bodies:
        return {"body": -1, "rest": Q.IDENTITY.tolist(), "gain": []}
    q = np.tile(state.q, (len(elastic) + 1, 1))
    for row, k in enumerate(elastic, 1):
        q[row, k] += SMALL
    origin = model.frame_path(f"{body}.origin", q, np.zeros((len(q), model.nv)))[:, :7]
    local = Q.relative(origin, bones.poses[:, bone])
    gain = []
    for row in range(1, len(q)):
        move = (local[row, :3] - local[0, :3]) / SMALL
        turn = Q.logarithm(Q.multiply(Q.conjugate(local[0, 3:]), local[row, 3:])) / SMALL
        gain.append([*move.round(9).tolist(), *turn.round(9).tolist()])
    return {"body": model.bodies.index(body), "rest": local[0].tolist(), "gain": gain if np.any(gain) else []}
