"""Shapes of URDF files: visuals, collisions, their meshes and colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...describe.shapes import Box, Capsule, ConvexMesh, Cylinder, Paint, Placed, Shape, Sphere
from ..problems import ScenarioError, one_line
from ..xml import Element
from .collada import turn
from .mesh_readers import read_drawn
from .painted_surfaces import PaintedSurface, simpler
from .reading import Reader
from .textures import small_picture


def rpy(angles: np.ndarray) -> np.ndarray:
    """The rotation (3, 3) of fixed-axis roll, pitch, yaw: R_z(yaw) R_y(pitch) R_x(roll)."""
    x, y, z = np.eye(3)
    return turn(z, angles[2]) @ turn(y, angles[1]) @ turn(x, angles[0])


def origin(reader: Reader, element: Element) -> Pose:
    """The pose that <origin> in an element says."""
    found = element.first("origin")
    if found is None:
        return Pose()
    place = reader.numbers(found, "xyz", (0, 0, 0))
    if "rpy" in found.attributes or "quat_xyzw" not in found.attributes:
        rotation = rpy(reader.numbers(found, "rpy", (0, 0, 0)))
    else:
        x, y, z, w = reader.numbers(found, "quat_xyzw", None, 4)
        length = float(np.linalg.norm((w, x, y, z)))
        if length < 1e-9:
            raise reader.stop(found, "a quaternion of length 0; give a unit quaternion", "quat_xyzw")
        rotation = Pose(rotation=np.array([w, x, y, z]) / length).rotation
    reader.spare(found)
    return Pose(place, rotation)


class UrdfShapes:
    """Reads geometries, and the meshes that they name, each once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.meshes: dict[str, PaintedSurface] = {}
        self.simple: dict[tuple[str, tuple[float, ...]], PaintedSurface] = {}
        self.paints: dict[str, Paint] = {}

    def material(self, element: Element) -> Paint | None:
        """The paint that a material is or names."""
        reader = self.reader
        name = element.get("name") or ""
        colour, texture = element.first("color"), element.first("texture")
        reader.spare(element, "color", "texture")
        if colour is not None or texture is not None:
            rgba = reader.numbers(colour, "rgba", None, 4) if colour is not None else np.ones(4)
            red, green, blue, alpha = np.clip(rgba, 0.0, 1.0).tolist()
            self.paints[name] = Paint((red, green, blue, alpha), picture=self._picture(texture))
        return self.paints.get(name)

    def _picture(self, texture: Element | None) -> str:
        """The picture that a texture names; exporters write empty ones beside a colour."""
        if texture is None:
            return ""
        reader = self.reader
        if not texture.attributes:
            reader.spare(texture)
            return ""
        name = reader.text(texture, "filename")
        reader.spare(texture)
        raw = reader.picture(texture, "filename", name, reader.path.parent)
        try:
            return small_picture(raw, name) if raw else ""
        except ModelError as error:
            raise reader.stop(texture, f'"{one_line(name)[:80]}": {error.problems[0].message}', "filename") from None

    def read(self, element: Element, link: str) -> list[Placed]:
        """The shapes of a collision, on the link's own axes."""
        shape = self._shape(element)
        made = self._solid(shape) if shape.tag == "mesh" else self._primitive(shape)
        place = origin(self.reader, element)
        return [] if made is None else [made.at(f"{link}.origin", place.position, place.rotation)]

    def drawn(self, element: Element, paint: Paint | None) -> list[PaintedSurface]:
        """What a visual looks like, in the axes of its link; what has no paint of its own gets that of the visual."""
        shape = self._shape(element)
        if shape.tag == "mesh":
            found = self._surface(shape)
        else:
            made = self._primitive(shape)
            found = None if made is None else PaintedSurface(*made.to_mesh(24))
        place = origin(self.reader, element)
        return [] if found is None else [found.with_paint(paint).moved(place.rotation, place.position)]

    def _shape(self, element: Element) -> Element:
        geometry = element.first("geometry")
        if geometry is None:
            raise self.reader.stop(element, f"<geometry> is missing in a {element.tag}")
        if len(geometry.children) != 1:
            raise self.reader.stop(geometry, f"has {len(geometry.children)} shapes; give one in each <geometry>")
        return geometry.children[0]

    def _primitive(self, shape: Element) -> Shape | None:
        reader = self.reader
        made: Shape | None = None
        if shape.tag == "box":
            lengths = reader.numbers(shape, "size")
            if np.any(lengths < 0.0):
                raise reader.stop(shape, "has a negative length; give three lengths above 0", "size")
            made = Box(tuple(lengths.tolist())) if np.all(lengths > 0.0) else None
        elif shape.tag == "sphere":
            radius = reader.number(shape, "radius", least=0.0)
            made = Sphere(radius) if radius > 0.0 else None
        elif shape.tag in ("cylinder", "capsule"):
            radius, length = reader.number(shape, "radius", least=0.0), reader.number(shape, "length", least=0.0)
            make = Cylinder if shape.tag == "cylinder" else Capsule
            made = make(radius, length) if radius > 0.0 and length > 0.0 else None
        else:
            reader.left(shape)
            return None
        reader.spare(shape)
        return made

    def _mesh(self, element: Element) -> tuple[Path, np.ndarray] | None:
        """The file of a mesh and its scale; None where meshes are left out."""
        reader = self.reader
        name = reader.text(element, "filename")
        scale = reader.numbers(element, "scale", (1, 1, 1))
        reader.spare(element)
        if reader.skips("mesh"):
            reader.left(element)
            return None
        return reader.resolve(element, "filename", name, reader.path.parent), scale

    def _solid(self, element: Element) -> Shape | None:
        """The convex hull of a mesh."""
        stated = self._mesh(element)
        if stated is None:
            return None
        path, scale = stated
        with self._refusing(element):
            hull = ConvexMesh(self._file(element, path).vertices * scale)
            return None if hull.check(path.name) else ConvexMesh(*hull.to_mesh())

    def _surface(self, element: Element) -> PaintedSurface | None:
        """A mesh as it is drawn."""
        stated = self._mesh(element)
        if stated is None:
            return None
        path, scale = stated
        key = (str(path), tuple(scale.tolist()))
        with self._refusing(element):
            whole = self._file(element, path)
            if key not in self.simple:
                self.simple[key] = simpler(whole.moved(np.diag(scale), np.zeros(3)), self.reader.drawn_most())
            self.reader.count_drawn(self.simple[key].triangles)
            return self.simple[key]

    def _file(self, element: Element, path: Path) -> PaintedSurface:
        reader = self.reader
        if str(path) not in self.meshes:
            opened = lambda name: reader.picture(element, "filename", name, path.parent)  # noqa: E731
            self.meshes[str(path)] = read_drawn(path, opened)
        reader.count_mesh(element, self.meshes[str(path)].triangles)
        return self.meshes[str(path)]

    @contextmanager
    def _refusing(self, element: Element) -> Iterator[None]:
        """What is wrong with a mesh is said at the element that names it."""
        name = f'"{one_line(element.attributes.get("filename", ""))[:80]}"'
        try:
            yield
        except ModelError as error:
            raise self.reader.stop(element, f"{name}: {error.problems[0].message}", "filename") from None
        except ScenarioError:
            raise
        except (ValueError, ArithmeticError, RuntimeError, MemoryError) as error:
            raise self.reader.stop(element, f"{name} cannot be read: {one_line(str(error))[:120]}") from None


def drawn(placed: Placed) -> PaintedSurface:
    """What a shape is drawn with, in the axes of its body."""
    return PaintedSurface(*placed.shape.to_mesh(16)).moved(placed.pose.rotation, placed.pose.position)
