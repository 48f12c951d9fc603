"""Shapes of URDF files: visuals, collisions, their meshes and colours."""

from __future__ import annotations

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...describe.shapes import Box, Capsule, ConvexMesh, Cylinder, Looks, Placed, Shape, Sphere
from ..mistakes import ScenarioError, one_line
from ..xml import Element
from .meshes import coarse, read_any, turn
from .reading import Reader


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
        self.meshes: dict[tuple[str, tuple[float, ...]], tuple[np.ndarray, np.ndarray]] = {}
        self.colours: dict[str, tuple[float, float, float, float]] = {}

    def material(self, element: Element) -> tuple[float, float, float, float] | None:
        """The colour that a material has or names."""
        reader = self.reader
        name = element.get("name") or ""
        colour = element.first("color")
        reader.spare(element, "color")
        if colour is not None:
            red, green, blue, alpha = reader.numbers(colour, "rgba", None, 4)
            self.colours[name] = (red, green, blue, alpha)
        return self.colours.get(name)

    def read(self, element: Element, link: str, solid: bool = False) -> list[Placed]:
        """The shapes of a visual or collision, on the link's own axes."""
        reader = self.reader
        geometry = element.first("geometry")
        if geometry is None:
            raise reader.stop(element, f"<geometry> is missing in a {element.tag}")
        if len(geometry.children) != 1:
            raise reader.stop(geometry, f"has {len(geometry.children)} shapes; give one in each <geometry>")
        shape = geometry.children[0]
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
        elif shape.tag == "mesh":
            made = self._mesh(shape, solid)
        else:
            reader.left(shape)
            return []
        reader.spare(shape)
        place = origin(reader, element)
        return (
            []
            if made is None
            else [made.at("origin" if not solid else f"{link}.origin", place.position, place.rotation)]
        )

    def _mesh(self, element: Element, solid: bool) -> Shape | None:
        reader = self.reader
        name = reader.text(element, "filename")
        scale = reader.numbers(element, "scale", (1, 1, 1))
        if reader.skips("mesh"):
            reader.left(element)
            return None
        path = reader.resolve(element, "filename", name, reader.path.parent)
        key = (str(path), tuple(scale.tolist()))
        try:
            if key not in self.meshes:
                vertices, triangles = read_any(path)
                self.meshes[key] = vertices * scale, triangles
            vertices, triangles = self.meshes[key]
            reader.count_mesh(element, triangles)
            if not solid:
                return Looks(*coarse(vertices, triangles))
            hull = ConvexMesh(vertices)
            return None if hull.check(name) else ConvexMesh(*hull.to_mesh())
        except ModelError as error:
            raise reader.stop(element, f'"{one_line(name)[:80]}": {error.problems[0].message}', "filename") from None
        except ScenarioError:
            raise
        except (ValueError, ArithmeticError, RuntimeError, MemoryError) as error:
            raise reader.stop(
                element, f'"{one_line(name)[:80]}" cannot be read: {one_line(str(error))[:120]}'
            ) from None


def drawn(placed: Placed) -> tuple[np.ndarray, np.ndarray]:
    """What a shape is drawn with, in the axes of its body."""
    vertices, triangles = placed.shape.to_mesh(16)
    return placed.pose.apply(vertices), triangles


def merged(parts: list[tuple[np.ndarray, np.ndarray]]) -> Looks | None:
    """All that a body is drawn with, as one surface."""
    if not parts:
        return None
    at = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    corners = [triangles + start for (_, triangles), start in zip(parts, at, strict=False)]
    return Looks(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(corners))
