"""An MJCF document: files included, defaults resolved, the compiler's settings and frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...basics.pose import Pose
from ...basics.values import suggestion
from ..problems import one_line
from ..xml import MAX_ELEMENTS, Element
from .collada import turn
from .reading import Reader

ACTUATORS = ("general", "motor", "position", "velocity", "damper", "intvelocity", "cylinder", "muscle", "adhesion")
DEFAULTED = ("joint", "geom", "site", "camera", "light", "mesh", "material", "equality", "tendon", "pair")
"""What default classes speak of besides actuators, as it is read."""
SHARED = ("gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited")
"""Attributes that all kinds of actuators have in common, so that a default of one is a default of all."""
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
MOST_DEFAULTS = 2_000_000
"""Values that default classes may have from those around them."""


def include(reader: Reader) -> Element:
    """The document with all included files in their places."""
    root = reader.open(reader.path, reader.name)
    if root.tag != "mujoco":
        raise reader.stop(root, f"the root is <{one_line(root.tag)[:60]}>; an MJCF file has <mujoco>")
    seen = {str(reader.path)}
    total = 0

    def walk(element: Element, depth: int) -> list[Element]:
        nonlocal total
        out: list[Element] = []
        for child in element.children:
            total += 1
            if total > MAX_ELEMENTS:
                raise reader.stop(child, f"with its includes has more than {MAX_ELEMENTS} elements")
            if child.tag != "include":
                child.children = walk(child, depth)
                out.append(child)
                continue
            name = reader.text(child, "file")
            path = reader.resolve(child, "file", name, reader.path.parent)
            if str(path) in seen:
                shown = one_line(name)[:80]
                raise reader.stop(child, f'"{shown}" is included already, or includes itself; once is enough', "file")
            if depth > 20:
                raise reader.stop(child, "files include each other more than 20 deep", "file")
            seen.add(str(path))
            inner = reader.open(path, reader.files.label(path))
            if inner.tag not in ("mujoco", "mujocoinclude"):
                raise reader.stop(inner, f"the root is <{one_line(inner.tag)[:60]}>; an included file has <mujoco>")
            inner.children = walk(inner, depth + 1)
            out += inner.children
        return out

    root.children = walk(root, 0)
    return root


@dataclass
class Compiler:
    """The settings of <compiler> that mean something here."""

    degrees: bool = True
    sequence: str = "xyz"
    autolimits: bool = True
    inertia_from_geoms: str = "auto"
    groups: tuple[int, int] = (0, 5)
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    balance: bool = False
    mesh_folder: str = ""
    texture_folder: str = ""
    strip_path: bool = False


@dataclass
class Class:
    """A default class: attributes by tag, those of its parent included."""

    name: str
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)


class Document:
    """The whole document, with what its elements mean by default."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.root = include(reader)
        self.compiler = Compiler()
        for element in self.root.every("compiler"):
            self._compiler(element)
        self.copied = 0
        self.classes: dict[str, Class] = {"main": Class("main")}
        for element in self.root.every("default"):
            name = element.get("class") or "main"
            if name != "main" and len(self.classes) == 1 and "main" not in self.classes:
                reader.wrong(element, "the outermost default class is main")
            self._default(element, None)

    def _compiler(self, element: Element) -> None:
        reader, c = self.reader, self.compiler
        flags = ("true", "false")
        if "angle" in element.attributes:
            c.degrees = reader.choice(element, "angle", ("degree", "radian"), "degree") == "degree"
        if "eulerseq" in element.attributes:
            c.sequence = reader.text(element, "eulerseq")
            if len(c.sequence) != 3 or set(c.sequence) - set("xyzXYZ"):
                raise reader.stop(element, f'got "{one_line(c.sequence)[:20]}"; give three of xyzXYZ', "eulerseq")
        if "autolimits" in element.attributes:
            c.autolimits = reader.flag(element, "autolimits", True)
        if "inertiafromgeom" in element.attributes:
            c.inertia_from_geoms = reader.choice(element, "inertiafromgeom", (*flags, "auto"), "auto")
        if "inertiagrouprange" in element.attributes:
            low, high = reader.numbers(element, "inertiagrouprange", (0, 5), 2)
            c.groups = int(low), int(high)
        c.least_mass = reader.number(element, "boundmass", c.least_mass, least=0.0)
        c.least_inertia = reader.number(element, "boundinertia", c.least_inertia, least=0.0)
        c.total_mass = reader.number(element, "settotalmass", c.total_mass)
        c.balance = reader.flag(element, "balanceinertia", c.balance)
        c.strip_path = reader.flag(element, "strippath", c.strip_path)
        c.mesh_folder = element.get("meshdir") or element.get("assetdir") or c.mesh_folder
        c.texture_folder = element.get("texturedir") or element.get("assetdir") or c.texture_folder
        if reader.choice(element, "coordinate", ("local", "global"), "local") == "global":
            reader.wrong(element, "global coordinates are not read; save the model with local ones", "coordinate")
        for name in ("assetdir", "texturedir", "discardvisual", "fusestatic", "usethread", "alignfree", "saveinertial"):
            element.used.add(name)
        if element.attributes.get("alignfree") == "true":
            reader.left(element, "compiler.alignfree")
        reader.spare(element)

    def _default(self, element: Element, parent: Class | None) -> None:
        reader = self.reader
        given = element.get("class")
        if given is None and parent is not None:
            raise reader.stop(element, '"class" is missing; a default inside another has a name')
        name = given or "main"
        if parent is None:
            own = self.classes["main"]
            if name != "main":
                self.classes[name] = own
        elif name in self.classes:
            raise reader.stop(
                element, f'the default class "{one_line(name)[:60]}" is there already; rename one', "class"
            )
        else:
            self.copied += sum(1 + len(found) for found in parent.attributes.values())
            if self.copied > MOST_DEFAULTS:
                raise reader.stop(element, f"default classes inherit more than {MOST_DEFAULTS} values; write fewer")
            own = self.classes[name] = Class(name, {tag: dict(found) for tag, found in parent.attributes.items()})
        reader.spare(element, *(child.tag for child in element.children))
        for child in element.children:
            if child.tag not in DEFAULTED and child.tag not in ACTUATORS and child.tag != "default":
                reader.left(child, f"default.{child.tag}")
            if child.tag != "default":
                own.attributes.setdefault(child.tag, {}).update(child.attributes)
                if child.tag in ACTUATORS:
                    shared = {key: value for key, value in child.attributes.items() if key in SHARED}
                    own.attributes.setdefault("actuators", {}).update(shared)
        for child in element.children:
            if child.tag == "default":
                self._default(child, own)

    def known(self, name: str, element: Element, attribute: str) -> str:
        """A default class that must exist."""
        if name not in self.classes:
            hint = suggestion(name, self.classes)
            raise self.reader.stop(element, f'there is no default class "{one_line(name)[:60]}"; {hint}', attribute)
        return name

    def whole(self, element: Element, childclass: str, tag: str | None = None) -> Element:
        """An element with its defaults: those of its own class, or of the class of the bodies around it.

        tag    under which defaults have it, where that is not its own: "equality", "tendon"
        """
        own = element.get("class")
        chosen = self.classes[childclass if own is None else self.known(own, element, "class")].attributes
        defaults = dict(chosen.get(tag or element.tag, {}))
        if element.tag in ACTUATORS:
            defaults = {**chosen.get("actuators", {}), **defaults}
        if any(name in element.attributes for name in ORIENTATIONS):
            defaults = {key: value for key, value in defaults.items() if key not in ORIENTATIONS}
        merged = defaults | element.attributes
        full = Element(element.tag, merged, element.file, element.line, element.column, element.children, element.text)
        full.used = {"class", "name"}
        return full

    def angle(self, value: Any) -> Any:
        """An angle of the file in radians."""
        return np.deg2rad(value) if self.compiler.degrees else value

    def pose(self, element: Element) -> Pose:
        """Where an element's frame is."""
        return Pose(self.reader.numbers(element, "pos", (0, 0, 0)), self.rotation(element))

    def rotation(self, element: Element) -> np.ndarray:
        """How an element's frame is turned, (3, 3)."""
        reader = self.reader
        given = [name for name in ORIENTATIONS if name in element.attributes]
        element.used.update(ORIENTATIONS)
        if not given:
            return np.eye(3)
        if len(given) > 1:
            raise reader.stop(element, f"is turned by {' and '.join(given)}; give one of them")
        kind = given[0]
        values = reader.numbers(element, kind, None, {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(kind, 3))
        if kind == "euler":
            out = np.eye(3)
            for letter, angle in zip(self.compiler.sequence, self.angle(values), strict=True):
                one = turn(np.eye(3)["xyz".index(letter.lower())], angle)
                out = out @ one if letter.islower() else one @ out
            return out
        if kind == "xyaxes":
            x = self._unit(element, kind, values[:3])
            y = self._unit(element, kind, values[3:] - x * (x @ values[3:]))
            return np.column_stack([x, y, np.cross(x, y)])
        if kind == "axisangle":
            return turn(self._unit(element, kind, values[:3]), self.angle(values[3]))
        if kind == "quat":
            return Pose(rotation=self._unit(element, kind, values)).rotation
        return towards(self._unit(element, kind, values))

    def _unit(self, element: Element, name: str, vector: np.ndarray) -> np.ndarray:
        length = float(np.linalg.norm(vector))
        if length < 1e-12:
            raise self.reader.stop(element, "has length 0, or is parallel to the first; give a direction", name)
        return vector / length

    def mesh_folder(self) -> Path:
        """The folder that mesh files are looked for in."""
        return self.reader.path.parent / self.compiler.mesh_folder

    def texture_folder(self) -> Path:
        """The folder that pictures are looked for in."""
        return self.reader.path.parent / self.compiler.texture_folder


def towards(z: np.ndarray) -> np.ndarray:
    """The shortest turn (3, 3) of the z axis into a direction."""
    axis = np.array([-z[1], z[0], 0.0])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-10:
        return np.eye(3) if z[2] > 0.0 else np.diag([1.0, -1.0, -1.0])
    return turn(axis / sine, float(np.arctan2(sine, z[2])))
