"""Geoms of MJCF: their shapes, and the mass and inertia that they give to their bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.values import suggestion
from ...describe.shapes import Box, Capsule, ConvexMesh, Cylinder, Paint, Plane, Shape, Sphere
from ..problems import one_line
from ..xml import Element
from .inertia import NOTHING, Part, mesh_part
from .mesh_readers import read_drawn
from .mjcf_document import Document, towards
from .painted_surfaces import PaintedSurface, simpler
from .textures import small_picture

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
NUMBERS = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
MESH_INERTIA = ("legacy", "exact", "convex", "shell")


@dataclass
class Geom:
    """A geom in the axes of its body.

    name       may be empty
    pose       of its shape
    shape      None where nothing stands for it in contact
    drawn      what is drawn, in the axes of its shape, or None
    part       mass, centre and inertia in the axes of the body
    solid      whether it takes part in contact
    group      number that `inertiagrouprange` goes by
    paint      or None
    masks      contype and conaffinity
    """

    name: str
    pose: Pose
    shape: Shape | None
    drawn: PaintedSurface | None
    part: Part
    solid: bool
    group: int
    paint: Paint | None
    masks: tuple[int, int] = (1, 1)


class Geoms:
    """Reads geoms, and the meshes that they name, each once."""

    def __init__(self, document: Document) -> None:
        self.document, self.reader = document, document.reader
        self.assets: dict[str, Element] = {}
        self.paints: dict[str, Paint] = {}
        self.pictures: dict[str, str] = {}
        self.meshes: dict[str, tuple[PaintedSurface, str]] = {}
        self.simple: dict[str, PaintedSurface] = {}
        for asset in document.root.every("asset"):
            self.reader.spare(asset, "mesh", "material", "texture")
            for element in asset.every("texture"):
                self._texture(document.whole(element, "main"))
            for element in asset.every("mesh"):
                self._asset(document.whole(element, "main"), element)
            for element in asset.every("material"):
                whole = document.whole(element, "main")
                self._material(whole)

    def _asset(self, mesh: Element, element: Element) -> None:
        name = element.attributes.get("name") or PurePosixPath(element.attributes.get("file", "")).stem
        if not name:
            self.reader.wrong(element, '"name" is missing; a mesh has a name or a file')
        elif name in self.assets:
            first = self.assets[name].line
            self.reader.wrong(element, f'mesh "{one_line(name)[:60]}" is there already, in line {first}', "name")
        else:
            self.assets[name] = mesh

    def _texture(self, element: Element) -> None:
        """A picture from a file; others, which are for skies and floors, are not carried over."""
        reader = self.reader
        if element.attributes.get("type", "cube") != "2d" or "file" not in element.attributes:
            reader.left(element)
            return
        file = reader.text(element, "file")
        name = element.attributes.get("name") or PurePosixPath(file).stem
        if self.document.compiler.strip_path:
            file = PurePosixPath(file).name
        element.used |= {"type", "name", "content_type", "colorspace", "hflip", "vflip", "nchannel"}
        reader.spare(element)
        raw = reader.picture(element, "file", file, self.document.texture_folder())
        try:
            self.pictures[name] = small_picture(raw, file) if raw else ""
        except ModelError as error:
            reader.wrong(element, f'"{one_line(file)[:80]}": {error.problems[0].message}', "file")

    def _material(self, element: Element) -> None:
        reader = self.reader
        colour = self._colour(element) if "rgba" in element.attributes else None
        picture = self.pictures.get(element.attributes.get("texture", ""), "")
        shine = [reader.number(element, name, -1.0) for name in ("roughness", "metallic")]
        rough, metal = (min(max(one, 0.0), 1.0) if one >= 0.0 else plain for one, plain in zip(shine, (0.5, 0.1)))
        if picture:
            element.used |= {"texture", "texuniform", "texrepeat"}
        if element.attributes.get("name") and (colour is not None or picture):
            paint = Paint(colour or (1.0, 1.0, 1.0, 1.0), rough, metal, picture)
            self.paints[element.attributes["name"]] = paint
        element.used |= {"specular", "shininess", "reflectance", "emission"}
        reader.spare(element)

    def _colour(self, element: Element) -> tuple[float, float, float, float]:
        rgba = np.clip(self.reader.numbers(element, "rgba", (0.5, 0.5, 0.5, 1), 4), 0.0, 1.0)
        red, green, blue, alpha = rgba.tolist()
        return red, green, blue, alpha

    def mesh(self, name: str, element: Element) -> tuple[PaintedSurface, str]:
        """A mesh [m], and how its inertia is counted."""
        if name not in self.assets:
            hint = suggestion(name, self.assets)
            raise self.reader.stop(element, f'there is no mesh "{one_line(name)[:60]}"; {hint}', "mesh")
        if name not in self.meshes:
            self.meshes[name] = self._read(self.assets[name])
        self.reader.count_mesh(element, self.meshes[name][0].triangles)
        return self.meshes[name]

    def _read(self, asset: Element) -> tuple[PaintedSurface, str]:
        reader, document = self.reader, self.document
        kind = reader.choice(asset, "inertia", MESH_INERTIA, "legacy")
        scale = reader.numbers(asset, "scale", (1, 1, 1))
        reference = reader.numbers(asset, "refpos", (0, 0, 0))
        turned = np.eye(3)
        if "refquat" in asset.attributes:
            quaternion = reader.numbers(asset, "refquat", None, 4)
            turned = Pose(rotation=quaternion / max(float(np.linalg.norm(quaternion)), 1e-300)).rotation
        for name in ("smoothnormal", "maxhullvert", "content_type"):
            asset.used.add(name)
        if "file" in asset.attributes:
            name = reader.text(asset, "file")
            if document.compiler.strip_path:
                name = PurePosixPath(name).name
            path = reader.resolve(asset, "file", name, document.mesh_folder())
            try:
                found = read_drawn(path, lambda other: reader.picture(asset, "file", other, path.parent))
            except ModelError as error:
                stated = f'"{one_line(name)[:80]}": {error.problems[0].message}'
                raise reader.stop(asset, stated, "file") from None
            except (ValueError, ArithmeticError, OSError, MemoryError) as error:
                stated = f'"{one_line(name)[:80]}" cannot be read: {one_line(str(error))[:120]}'
                raise reader.stop(asset, stated, "file") from None
        elif "vertex" in asset.attributes:
            values = reader.numbers(asset, "vertex", None, (12, 3_000_000))
            if len(values) % 3:
                raise reader.stop(asset, f"has {len(values)} numbers; give three for each vertex", "vertex")
            vertices = values.reshape(-1, 3)
            asset.used.add("texcoord")
            if "face" in asset.attributes:
                corners = reader.numbers(asset, "face", None, (12, 3_000_000))
                if len(corners) % 3 or np.any(corners != np.round(corners)):
                    raise reader.stop(asset, "gives three whole numbers for each face", "face")
                triangles = corners.astype(np.int64).reshape(-1, 3)
                if triangles.min() < 0 or triangles.max() >= len(vertices):
                    raise reader.stop(asset, f"names a vertex beyond the {len(vertices)} that there are", "face")
            else:
                hull = ConvexMesh(vertices)
                if hull.check("mesh"):
                    raise reader.stop(asset, "encloses no volume; give vertices that are not in one plane", "vertex")
                vertices, triangles = hull.to_mesh()
            found = PaintedSurface(vertices, triangles)
        else:
            raise reader.stop(asset, '"file" is missing; a mesh has a file or vertices')
        reader.spare(asset)
        stretch = np.diag(scale) @ turned.T
        return found.moved(stretch, -stretch @ reference), kind

    def read(self, element: Element, childclass: str, around: Pose) -> Geom | None:
        """A geom; None where nothing of it is carried over.

        around    pose in the body's axes of the frame that it stands in
        """
        reader, document = self.reader, self.document
        geom = document.whole(element, childclass)
        kind = reader.choice(geom, "type", TYPES, "mesh" if "mesh" in geom.attributes and "type" not in geom.attributes
                             else "sphere")  # fmt: skip
        group = int(reader.numbers(geom, "group", (0,), 1)[0])
        masks = reader.number(geom, "contype", 1.0), reader.number(geom, "conaffinity", 1.0)
        solid = any(masks)
        paint = self.paints.get(geom.attributes.get("material", ""))
        if "rgba" in geom.attributes:
            paint = Paint(self._colour(geom)) if paint is None else replace(paint, colour=self._colour(geom))
        geom.used |= {"material", "rgba"}
        if geom.attributes.get("shellinertia", "false") == "true":
            reader.wrong(geom, "shells are not read; give the body an <inertial>", "shellinertia")
        geom.used.add("shellinertia")
        if kind in ("hfield", "sdf"):
            reader.left(geom, f"geom.{kind}")
            return None
        if kind == "mesh":
            made = self._mesh(geom, around)
        else:
            made = self._primitive(geom, kind, around)
        density = reader.number(geom, "density", 1000.0, least=0.0)
        given = geom.attributes.get("mass")
        mass = None if given is None else reader.number(geom, "mass", least=0.0)
        reader.spare(geom)
        pose, shape, drawn, unit = made
        part = NOTHING
        if unit.mass > 0.0 and kind != "plane":
            factor = density if mass is None else mass / unit.mass
            com = pose.position + pose.rotation @ unit.com
            part = Part(factor * unit.mass, com, factor * pose.rotation @ unit.inertia @ pose.rotation.T)
        both = int(masks[0]), int(masks[1])
        return Geom(geom.attributes.get("name", ""), pose, shape, drawn, part, solid, group, paint, both)

    def _mesh(self, geom: Element, around: Pose) -> tuple[Pose, Shape | None, PaintedSurface | None, Part]:
        reader = self.reader
        name = reader.text(geom, "mesh")
        geom.used.add("size")
        pose = around @ self.document.pose(geom)
        if reader.skips("mesh"):
            reader.left(geom, "mesh")
            return pose, None, None, NOTHING
        mesh, kind = self.mesh(name, geom)
        hull = ConvexMesh(mesh.vertices)
        shape = None if hull.check("mesh") else ConvexMesh(*hull.to_mesh())
        unit = mesh_part(mesh.vertices, mesh.triangles, kind)
        if name not in self.simple:
            self.simple[name] = simpler(mesh, reader.drawn_most())
        reader.count_drawn(self.simple[name].triangles)
        return pose, shape, self.simple[name], unit

    def _primitive(
        self, geom: Element, kind: str, around: Pose
    ) -> tuple[Pose, Shape | None, PaintedSurface | None, Part]:
        reader = self.reader
        if "mesh" in geom.attributes:
            raise reader.stop(geom, f"a {kind} fitted to a mesh is not read; give the size, or type mesh", "mesh")
        if kind == "plane":
            geom.used.add("size")
            shape: Shape = Plane((0.0, 0.0, 1.0))
            return around @ self.document.pose(geom), shape, None, NOTHING
        size = reader.numbers(geom, "size", None, (1, 3))
        needed = NUMBERS[kind]
        if "fromto" in geom.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            ends = reader.numbers(geom, "fromto", None, 6)
            way = ends[3:] - ends[:3]
            length = float(np.linalg.norm(way))
            if length < 1e-12:
                raise reader.stop(geom, "begins where it ends; give two places", "fromto")
            geom.used |= {"pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"}
            # MuJoCo's z points from the end to the beginning
            pose = around @ Pose(0.5 * (ends[:3] + ends[3:]), towards(-way / length))
            size = np.array([size[0], size[0], 0.5 * length] if needed == 3 else [size[0], 0.5 * length])
        else:
            pose = around @ self.document.pose(geom)
        if len(size) < needed:
            raise reader.stop(geom, f"has {len(size)} numbers; a {kind} takes {needed}", "size")
        size = size[:needed]
        if np.any(size <= 0.0):
            raise reader.stop(geom, f"is {' '.join(f'{one:g}' for one in size)}; sizes are above 0", "size")
        r, h = float(size[0]), float(size[-1])
        if kind == "ellipsoid":
            mass = 4.0 / 3.0 * np.pi * float(np.prod(size))
            x, y, z = size**2
            ball = Sphere(1.0).to_mesh(16)
            unit = Part(mass, np.zeros(3), mass / 5.0 * np.diag([y + z, x + z, x + y]))
            hull = ConvexMesh(ball[0] * size, ball[1])
            return pose, hull, PaintedSurface(ball[0] * size, ball[1]), unit
        shape = {
            "sphere": lambda: Sphere(r),
            "capsule": lambda: Capsule(r, 2.0 * h),
            "cylinder": lambda: Cylinder(r, 2.0 * h),
            "box": lambda: Box(tuple((2.0 * size).tolist())),
        }[kind]()
        return pose, shape, PaintedSurface(*shape.to_mesh(24)), Part(shape.volume, np.zeros(3), shape.inertia)
