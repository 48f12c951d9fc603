"""Bodies, joints, shapes and laws as a file says them, so that reading them gives the same again to the last bit."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.fields import Described
from ..basics.pose import Pose
from ..basics.values import AXES
from ..describe.bodies.floating_frame.cross_section import Section
from ..describe.shapes import Moved, Placed, Shape
from ..describe.solids.fe_mesh import SolidMesh
from . import control_schema  # noqa: F401  (its entries are known then)
from .schema_entry import SchemaEntry, table
from .system_schema import FIXED, MODES

SMALL = 60
"""Vertices up to which a mesh is written into the file itself."""
CATEGORIES = ("body", "joint", "shape", "normal law", "friction law", "force element", "motion", "connection")
_FIXED = {entry.name: entry for entry in FIXED}

Aside = Callable[[str, Any], str]
"""Puts a thing into a file beside and gives that file's name: kind of file, thing."""


def plain(value: Any, aside: Aside) -> Any:
    """A value as numbers, text, lists and mappings."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise ModelError.at("", f"{value} cannot be written; a file holds finite numbers")
        return float(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, Section):
        return plain(value.plain(), aside)
    if isinstance(value, Pose):
        return _pose(value, aside)
    if isinstance(value, Moved):
        return words_of(value.shape, aside) | rotation_words(value.pose, aside)
    if isinstance(value, Placed):
        return words_of(value.shape, aside) | _place(value, aside)
    if isinstance(value, SolidMesh):
        return {"kind": "read", "path": aside("nodes", value)}
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), aside)
    if isinstance(value, list | tuple):
        return [plain(one, aside) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one, aside) for key, one in value.items()}
    return words_of(value, aside)


def words_of(thing: Any, aside: Aside) -> dict[str, Any]:
    """An object as a mapping with its `kind` and the arguments that differ from their defaults."""
    name = type(thing).__name__
    if name in _FIXED:
        return _arguments(thing, _FIXED[name], aside)
    entry = next((table(category)[name] for category in CATEGORIES if name in table(category)), None)
    if entry is None:
        known = [one for category in CATEGORIES for one in table(category)]
        raise ModelError.at("", f"a {name} is no word of a file; there are {', '.join(known)}")
    if "path" in entry.args:
        return {"kind": name, "name": thing.name, "path": aside("part", thing)}
    if isinstance(thing, Shape) and thing.pieces():
        return {"kind": f"{name}.from_file", "path": aside("looks", thing)}
    vertices = getattr(thing, "vertices", None)
    solid = isinstance(thing, Shape) and not getattr(thing, "inside", False)
    if solid and vertices is not None and len(vertices) > SMALL and thing.triangles is not None:
        return {"kind": f"{name}.from_file", "path": aside("mesh", thing)}
    return {"kind": name} | _arguments(thing, entry, aside)


def _arguments(thing: Any, entry: SchemaEntry, aside: Aside) -> dict[str, Any]:
    if entry is MODES:
        counts = dict(zip(("bending_y", "bending_z", "axial", "torsion"), thing.counts(), strict=True))
        return {what: count for what, count in counts.items() if count} or {"bending": 0}
    parameters = inspect.signature(entry.make).parameters
    out = {}
    for name in entry.args:
        stated = thing.described_value(name) if isinstance(thing, Described) else getattr(thing, name)
        value = _short(name, stated, aside)
        default = parameters[name].default
        if default is dataclasses.MISSING or type(default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
            default = inspect.Parameter.empty
        same = default is not inspect.Parameter.empty and repr(_short(name, default, aside)) == repr(value)
        if not same and value != {}:
            out[name] = value
    return out


def _short(name: str, value: Any, aside: Aside) -> Any:
    """A value as a person would write it, where that is exactly the same."""
    if name in ("axis", "normal", "direction") and isinstance(value, np.ndarray):
        for letter, axis in AXES.items():
            if value.tobytes() == np.array(axis).tobytes():
                return letter
    if name == "axes" and isinstance(value, tuple):
        return [_short("axis", one, aside) for one in value]
    if name == "inertia" and isinstance(value, np.ndarray) and value.shape == (3, 3):
        if np.diag(np.diag(value)).tobytes() == np.ascontiguousarray(value).tobytes():
            value = np.diag(value)
    if name == "stiffness" and isinstance(value, tuple):
        return ["rigid" if one == math.inf else plain(one, aside) for one in value]
    if name in ("com", "inertia") and isinstance(value, tuple):
        value = np.asarray(value, float)
    return plain(value, aside)


def rotation_words(pose: Pose, aside: Aside) -> dict[str, Any]:
    """Position and rotation, each where it is not none."""
    out: dict[str, Any] = {}
    if pose.position.tobytes() != np.zeros(3).tobytes():
        out["position"] = plain(pose.position, aside)
    if np.ascontiguousarray(pose.rotation).tobytes() != np.eye(3).tobytes():
        out["rotation"] = plain(pose.rotation, aside)
    return out


def _pose(pose: Pose, aside: Aside) -> Any:
    found = rotation_words(pose, aside)
    return found if "rotation" in found else plain(pose.position, aside)


def _place(placed: Placed, aside: Aside) -> dict[str, Any]:
    return {"at": placed.address} | rotation_words(placed.pose, aside)
