"""Surfaces that are only looked at."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.value_types import ValueType
from ...basics.values import as_array, as_number, shown
from .mesh_files import MAX_BYTES
from .meshes import TriangleSurface

FEW = 1200
"""Numbers up to which an array is a list in a description; more are text."""
PICTURES = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
"""How JPEG and PNG files begin."""
_FORMS = ("<u2", "<i4", "<f4", "<f8")


def packed(values: np.ndarray) -> str:
    """An array as text: its form, its rows, and its numbers in base 64, as short as they lose nothing."""
    form = next(one for one in _FORMS if np.array_equal(values.astype(one), values))
    return f"{form[1:]} {len(values)} {b64encode(values.astype(form).tobytes()).decode('ascii')}"


@dataclass(frozen=True)
class Packed(ValueType):
    """Numbers in rows of a width (0: just numbers), as lists or as the text that `packed` makes."""

    width: int

    def from_description(self, data: Any, address: str) -> Any:
        if not isinstance(data, str):
            return data
        try:
            form, rows, text = data.split(" ")
            flat = np.frombuffer(b64decode(text, validate=True), np.dtype(_FORMS[[f[1:] for f in _FORMS].index(form)]))
            shape = (int(rows), self.width) if self.width else (int(rows),)
            found = flat.reshape(shape)
        except ValueError:
            raise ModelError.at(address, "is no text of numbers; give lists of numbers") from None
        return found.astype(float if found.dtype.kind == "f" else np.int64)


@checked
@dataclass(frozen=True)
class Paint(Described):
    """What a surface is painted with.

    colour       red, green, blue and opacity, 0 to 1, as screens have them (sRGB)
    roughness    0 a mirror to 1 chalk
    metalness    0 or 1, or between them
    picture      a JPEG or PNG file in base 64, which `uv` of a surface points into, times the colour; "" for none
    """

    colour: tuple[float, float, float, float] = (0.7, 0.7, 0.7, 1.0)
    roughness: float = 0.5
    metalness: float = 0.25
    picture: str = ""
    optional_fields: ClassVar[tuple[str, ...]] = ("roughness", "metalness", "picture")

    def __post_init__(self) -> None:
        colour = as_array(self.colour, "Paint colour")
        if colour.shape != (4,) or not np.all((colour >= 0.0) & (colour <= 1.0)):
            raise ModelError.at("Paint colour", f"got {shown(self.colour)}; give four numbers from 0 to 1")
        object.__setattr__(self, "colour", tuple(colour.tolist()))
        for name in ("roughness", "metalness"):
            value = float(as_array(getattr(self, name), f"Paint {name}"))
            if not 0.0 <= value <= 1.0:
                raise ModelError.at(f"Paint {name}", f"got {value:g}; give a number from 0 to 1")
            object.__setattr__(self, name, value)

    @property
    def hex(self) -> str:
        """Its colour as pages write it."""
        return "#" + "".join(f"{round(255.0 * one):02x}" for one in self.colour[:3])

    def image(self) -> bytes:
        """The file of its picture; empty without one. It comes from wherever the model does: what is neither JPEG nor
        PNG is refused, as readers of pictures know kinds that are programs."""
        try:
            found = b64decode(self.picture, validate=True)
        except (ValueError, TypeError) as error:
            raise ModelError.at("Paint picture", f"is not in base 64: {error}") from None
        if found and not found.startswith(PICTURES):
            raise ModelError.at("Paint picture", "is neither a JPEG nor a PNG file; give one of them")
        return found


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Looks(TriangleSurface):
    """Triangles that a body is drawn with, and nothing else: they need not enclose anything, and nothing touches them.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, from 0
    paints       what it is painted with; none for a colour that a viewer chooses
    painted      (m,) which of the paints each triangle has, from 0; None for the first everywhere
    uv           (n, 2) places of the vertices in the picture of their paint, from its lower left corner; None for none
    """

    vertices: np.ndarray
    triangles: np.ndarray
    paints: tuple[Paint, ...] = ()
    painted: np.ndarray | None = None
    uv: np.ndarray | None = None
    kind: ClassVar[str] = "looks"
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "vertices": Packed(3),
        "triangles": Packed(3),
        "painted": Packed(0),
        "uv": Packed(2),
    }
    optional_fields: ClassVar[tuple[str, ...]] = ("paints", "painted", "uv")
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            vertices: ArrayLike,
            triangles: ArrayLike,
            paints: Sequence[Paint] = (),
            painted: ArrayLike | None = None,
            uv: ArrayLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "paints", tuple(self.paints))
        for name, rows, sides in (("painted", len(self.triangles), ()), ("uv", len(self.vertices), (2,))):
            if getattr(self, name) is not None:
                values = as_array(getattr(self, name), f"Looks {name}")
                if values.shape != (rows, *sides):
                    raise ModelError.at(f"Looks {name}", f"got shape {values.shape}; give {(rows, *sides)} numbers")
                values = values.astype(np.int64) if name == "painted" else values
                values.setflags(write=False)
                object.__setattr__(self, name, values)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], scale: float = 1.0) -> Looks:
        """A surface from an STL or OBJ file, as `Mesh.from_file`; or with its paint from a JSON file of its `to_dict`,
        which a saved system has beside it."""
        path = Path(path)
        if path.suffix.lower() != ".json":
            return super().from_file(path, scale)
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ModelError.at(path.name, f"is larger than {MAX_BYTES} bytes; use a coarser mesh")
        try:
            found = cls.from_dict(json.loads(raw), path.name)
        except (ValueError, RecursionError):
            raise ModelError.at(path.name, "is no JSON file of a surface") from None
        scaled = found.vertices * as_number(scale, "scale")
        return replace(found, vertices=scaled)

    def described_value(self, name: str) -> Any:
        value = super().described_value(name)
        if not isinstance(value, np.ndarray):
            return value
        return value.tolist() if value.size <= FEW else packed(value)

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        if same is not True or not isinstance(other, Looks):
            return same
        pairs = ((self.painted, other.painted), (self.uv, other.uv))
        stated = all((a is None) == (b is None) and (a is None or np.array_equal(a, b)) for a, b in pairs)  # type: ignore[arg-type]
        return stated and self.paints == other.paints

    __hash__ = TriangleSurface.__hash__

    def pieces(self) -> list[tuple[Paint, np.ndarray, np.ndarray | None]]:
        which = np.zeros(len(self.triangles), np.int64) if self.painted is None else self.painted
        found = [(paint, self.triangles[which == i]) for i, paint in enumerate(self.paints)]
        return [(one, faces, self.uv if one.picture else None) for one, faces in found if len(faces)]

    def _only(self) -> ModelError:
        return ModelError.at("Looks", "is only looked at and encloses nothing; give a solid, such as a Mesh")

    @property
    def code(self) -> int:
        raise self._only()

    @property
    def volume(self) -> float:
        raise self._only()

    @property
    def centroid(self) -> np.ndarray:
        raise self._only()

    @property
    def inertia(self) -> np.ndarray:
        raise self._only()

    @property
    def reach(self) -> float:
        return float(np.max(np.linalg.norm(self.vertices, axis=1), initial=0.0))

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        raise self._only()

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        assert self.triangles is not None
        return self.vertices.copy(), self.triangles.copy()

    def check(self, address: str) -> list[Problem]:
        if not np.all(np.isfinite(self.vertices)):
            return [Problem(address, "a vertex of its looks is not finite")]
        assert self.triangles is not None
        corners = self.triangles
        if len(corners) and (corners.min() < 0 or corners.max() >= len(self.vertices)):
            return [Problem(address, f"its looks name vertices beyond the {len(self.vertices)} that there are")]
        which = self.painted
        if which is not None and len(which) and (which.min() < 0 or which.max() >= len(self.paints)):
            return [Problem(address, f"its looks name paints beyond the {len(self.paints)} that there are")]
        return []


GRID = 2.0**20
"""Places of a surface along its longest side that are distinguished."""


class DecimatedSurface(NamedTuple):
    """A surface with fewer triangles.

    vertices     (n, 3) [m]
    triangles    (m, 3)
    labels       (m,) of the triangles
    uv           (n, 2) of the vertices; None where none were given
    error        within which every vertex is of the planes of the faces that it stands for [m]
    """

    vertices: np.ndarray
    triangles: np.ndarray
    labels: np.ndarray
    uv: np.ndarray | None
    error: float


def simplified(
    vertices: np.ndarray,
    triangles: np.ndarray,
    labels: np.ndarray | None = None,
    uv: np.ndarray | None = None,
    *,
    tolerance: float,
    most: int,
    furthest: float,
) -> DecimatedSurface:
    """A surface by fewer triangles, by collapse of edges (`kernels.mesh_decimation`).

    labels       (m,) of the triangles; a border between two labels stays where it is, within the tolerance
    uv           (n, 2) places of the vertices in a texture; vertices along its seams stay
    tolerance    error up to which edges collapse anyhow [m]
    most         triangles; where there are more, the error may be larger,
    furthest     up to this [m]
    """
    from ...kernels.mesh_decimation import simplify

    labels = np.zeros(len(triangles), np.int64) if labels is None else np.asarray(labels, np.int64)
    source, corners, fixed = welded(vertices, triangles, uv)
    whole = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    faces = np.ascontiguousarray(np.column_stack([corners, labels])[whole], np.int64)
    places = np.ascontiguousarray(vertices[source], np.float64)
    n, m = len(places), len(faces)
    moved = np.zeros((0, 2)) if uv is None else np.ascontiguousarray(uv[source], np.float64)
    middle = places.mean(axis=0) if n else np.zeros(3)  # squares of distances from afar would cancel
    places -= middle
    reached = np.zeros(1)
    count = simplify(
        places, moved, fixed, faces, float(tolerance), int(most), float(furthest), np.zeros(n + 1, np.int64),
        np.zeros(3 * m, np.int64), np.zeros((n, 10)), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(10),
        reached,
    )  # fmt: skip
    faces = faces[:count]
    used, corners = np.unique(faces[:, :3], return_inverse=True)
    kept = moved[used] if uv is not None else None
    return DecimatedSurface(places[used] + middle, corners.reshape(-1, 3), faces[:, 3], kept, float(reached[0]))


def welded(
    vertices: np.ndarray, triangles: np.ndarray, uv: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which vertex each of the welded ones copies (k,), triangles of these, and which are at a seam of a texture (k,).

    Vertices in one place become one; those that are in several places of a texture do not.
    """
    low = vertices.min(axis=0) if len(vertices) else np.zeros(3)
    side = float(np.max(vertices.max(axis=0) - low, initial=0.0)) or 1.0
    codes = np.rint((vertices - low) * (GRID / side)).astype(np.int64)
    place = (codes[:, 0] * 2**21 + codes[:, 1]) * 2**21 + codes[:, 2]
    _, where = np.unique(place, return_inverse=True)
    key = where.astype(np.int64)
    if uv is not None:
        spots = np.rint(np.clip(uv, -1e3, 1e3) * 2.0**13).astype(np.int64)
        _, spot = np.unique(spots[:, 0] * 2**26 + spots[:, 1], return_inverse=True)
        key = key * (int(spot.max(initial=0)) + 1) + spot
    _, source, which = np.unique(key, return_index=True, return_inverse=True)
    copies = np.bincount(where[source], minlength=int(where.max(initial=-1)) + 1)
    return source, which[triangles].reshape(-1, 3), (copies[where[source]] > 1).astype(np.int64)
