"""Runs as MCAP files: quantities, joints and moving frames, as Foxglove and other players of robots' logs open them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.storage import atomic_write
from .data_frames import columns

if TYPE_CHECKING:
    from .run import Run

HINT = 'to_mcap writes with mcap: pip install "jourdain[logs]"'
_TIME = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}
_NUMBERS = {"type": "array", "items": {"type": "number"}}
_NAMES = {"type": "array", "items": {"type": "string"}}
_XYZ = {"type": "object", "properties": {one: {"type": "number"} for one in "xyz"}}
_XYZW = {"type": "object", "properties": {one: {"type": "number"} for one in "xyzw"}}
JOINTS = {"timestamp": _TIME, "name": _NAMES, "position": _NUMBERS, "velocity": _NUMBERS, "effort": _NUMBERS}
TRANSFORM = {
    "timestamp": _TIME,
    "parent_frame_id": {"type": "string"},
    "child_frame_id": {"type": "string"},
    "translation": _XYZ,
    "rotation": _XYZW,
}
TRANSFORMS = {"transforms": {"type": "array", "items": {"type": "object", "properties": TRANSFORM}}}


def to_mcap(run: Run, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
    """Write three topics, as JSON with their schemas, stamped with the time of the run:

    /quantities      what `to_csv` writes, by name; units are the channel's metadata
    /joint_states    name, position, velocity and effort of the joints that have one coordinate
    /tf              foxglove.FrameTransforms: the frame of every body in the world
    """
    try:
        from mcap.writer import CompressionType, Writer
    except ImportError:
        raise JourdainError(HINT) from None
    found = columns(run, quantities)
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start(profile="", library="jourdain")

        def channel(topic: str, name: str, properties: dict[str, Any], metadata: dict[str, str]) -> int:
            schema = {"type": "object", "title": name, "properties": properties}
            known = writer.register_schema(name, "jsonschema", json.dumps(schema).encode())
            return writer.register_channel(topic, "json", known, metadata)

        units = {f"unit:{one.name}": one.unit for one in found if one.unit}
        table = channel("/quantities", "jourdain.Quantities", {one.name: {"type": "number"} for one in found}, units)
        joints = channel("/joint_states", "jourdain.JointStates", JOINTS, {})
        frames = channel("/tf", "foxglove.FrameTransforms", TRANSFORMS, {})
        values = np.column_stack([one.values for one in found]) if found else np.zeros((len(run), 0))
        states, moved = _joints(run), _frames(run)
        for i, t in enumerate(run.record.time):
            stamp = round(float(t - min(run.record.time[0], 0.0)) * 1e9)
            when = {"sec": stamp // 10**9, "nsec": stamp % 10**9}
            stated = {one.name: x for one, x in zip(found, values[i].tolist()) if x == x}
            for where, message in ((table, stated), (joints, states(i, when)), (frames, moved(i, when))):
                data = json.dumps(message, allow_nan=False).encode()
                writer.add_message(where, stamp, data, stamp, sequence=i)
        writer.finish()
    return Path(path)


def _joints(run: Run) -> Any:
    """A function (sample, stamp) -> message of the joints with one coordinate."""
    model = run.model
    single = [name for name in model.names.v if name in model.index.q]
    q = [model.index.q[name] for name in single]
    v = [model.index.v[name] for name in single]
    effort = (
        np.stack([run.channels.effort.column(name) for name in single], axis=1) if single else np.zeros((len(run), 0))
    )
    record = run.record

    def message(i: int, when: dict[str, int]) -> dict[str, Any]:
        rows = {"position": record.q[i, q], "velocity": record.v[i, v], "effort": effort[i]}
        return {"timestamp": when, "name": single} | {key: np.nan_to_num(x).tolist() for key, x in rows.items()}

    return message


def _frames(run: Run) -> Any:
    """A function (sample, stamp) -> message of the frames of all bodies."""
    bodies = list(run.model.bodies)
    found = [run.frame(f"{name}.origin") for name in bodies]
    poses = [(one.position.values, one.quaternion.values) for one in found]

    def message(i: int, when: dict[str, int]) -> dict[str, Any]:
        out = []
        for name, (positions, turns) in zip(bodies, poses, strict=True):
            x, y, z = positions[i].tolist()
            w, a, b, c = turns[i].tolist()
            out.append(
                {
                    "timestamp": when,
                    "parent_frame_id": "world",
                    "child_frame_id": name,
                    "translation": {"x": x, "y": y, "z": z},
                    "rotation": {"x": a, "y": b, "z": c, "w": w},
                }
            )
        return {"transforms": out}

    return message
