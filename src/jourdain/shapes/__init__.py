"""What a user says of geometry: solids with their volume, centre and inertia, put on bodies with `at`."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from ..errors import ModelError, Problem
from ..pose import Pose
from ..values import expect_keys, shown
from .base import Moved, Placed, Shape
from .cells import Cell, Cells
from .half_spaces import Edge, Plane
from .looks import Looks
from .meshes import ConvexMesh, Mesh
from .solids import Box, Capsule, Cone, Cylinder, Sphere

__all__ = [
    "KINDS",
    "Box",
    "Capsule",
    "Cell",
    "Cells",
    "Cone",
    "ConvexMesh",
    "Cylinder",
    "Edge",
    "Looks",
    "Mesh",
    "Moved",
    "Placed",
    "Plane",
    "Shape",
    "Sphere",
    "placed_from_dict",
    "shape_from_dict",
]

KINDS: dict[str, type[Shape]] = {
    shape.kind: shape
    for shape in (Sphere, Box, Cylinder, Cone, Capsule, ConvexMesh, Mesh, Looks, Plane, Edge, Cell, Cells)
}


def shape_from_dict(data: Any, address: str = "shape") -> Shape:
    """The shape that its `to_dict` wrote."""
    kind = data.get("kind") if isinstance(data, dict) else data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError.at(address, f"kind is {shown(kind)}; it must be one of {', '.join(KINDS)}")
    cls = KINDS[kind]
    if cls in (Cell, Cells):
        return cls.from_dict(data, address)  # type: ignore[attr-defined]
    known = fields(cls)  # type: ignore[arg-type]
    data = expect_keys(
        data,
        address,
        ["kind", *(field.name for field in known if field.default is MISSING)],
        [field.name for field in known if field.default is not MISSING],
    )
    try:
        return cls(**{name: value for name, value in data.items() if name != "kind"})
    except ModelError as error:
        found = [Problem(address, str(problem)) for problem in error.problems]
        raise ModelError(found) from None


def placed_from_dict(data: Any, address: str = "shape") -> Placed:
    """The placed shape that its `to_dict` wrote."""
    data = expect_keys(data, address, ("shape", "address", "pose"))
    if not isinstance(data["address"], str):
        raise ModelError.at(f"{address}.address", f"got {shown(data['address'])}; give text")
    pose = Pose.from_dict(data["pose"], f"{address}.pose")
    return Placed(shape_from_dict(data["shape"], f"{address}.shape"), data["address"], pose)
