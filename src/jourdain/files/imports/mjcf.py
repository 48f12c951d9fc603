"""MJCF: bodies, joints, geoms, sites and actuators as they are; several joints of a body as a chain without mass."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.values import suggestion
from ...describe.bodies import RigidBody
from ...describe.joints import Free, Joint, Prismatic, Revolute, Spherical, Weld
from ...describe.system import System
from ..problems import one_line
from ..xml import Element
from .collada import turn
from .imported import Imported
from .inertia import NOTHING, Part, possible, together
from .mjcf_actuators import read_actuators
from .mjcf_contacts import colliding
from .mjcf_document import Document
from .mjcf_geoms import Geom, Geoms
from .mjcf_loops import Loops
from .painted_surfaces import PaintedSurface, as_looks
from .reading import Ignore, Reader, tidy

JOINTS = ("hinge", "slide", "ball", "free")
SECTIONS = ("compiler", "option", "default", "asset", "worldbody", "contact", "equality", "tendon", "actuator")


def load_mjcf(
    path: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: Ignore = False,
    strict: bool = False,
) -> System:
    """The system of an MJCF file; see `System.load`."""
    return MjcfReading(Reader(path, root, packages, ignore, strict)).system()


SHOWN = 2
"""The last group of geoms that MuJoCo shows at first."""


@dataclass
class Link:
    """A body of the file while it is read."""

    name: str
    element: Element
    parent: Link | None
    pose: Pose
    joints: list[Element] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    frames: dict[str, Pose] = field(default_factory=dict)
    inertial: Element | None = None
    part: Part = NOTHING
    rests: list[tuple[Pose, np.ndarray]] = field(default_factory=list)


class MjcfReading:
    """One MJCF file being read."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.document = Document(reader)
        self.geoms = Geoms(self.document)
        self.imported = Imported(reader.path.name, "mjcf")
        self.links: list[Link] = []
        self.names: dict[str, Element] = {}
        self.joint_names: dict[str, Element] = {}
        self.joint_kinds: dict[str, str] = {}
        self.sites: dict[str, tuple[str, str]] = {}
        self.world_sites: dict[str, Pose] = {}
        self.references: dict[str, float] = {}
        self.grouped = False
        self.colliders: dict[tuple[str, tuple[int, int]], Element] = {}
        self.touches = True

    def system(self) -> System:
        """The system that the file describes."""
        reader, root = self.reader, self.document.root
        name = reader.text(root, "model", "MuJoCo Model")
        reader.spare(root, *SECTIONS)
        system = System(name, gravity=(0.0, 0.0, -9.81))
        for option in root.every("option"):
            if "gravity" in option.attributes:
                system.gravity = reader.numbers(option, "gravity")
            for flag in option.every("flag"):
                if reader.choice(flag, "gravity", ("enable", "disable"), "enable") == "disable":
                    system.gravity = np.zeros(3)
                self.touches = self.touches and flag.attributes.get("contact") != "disable"
                for attribute in flag.attributes:
                    if attribute not in ("gravity", "contact"):
                        reader.left(flag, f"flag.{attribute}")
            reader.spare(option, "flag")
        for world in root.every("worldbody"):
            reader.spare(world, *(child.tag for child in world.children))
            self._contents(world, None, "main", Pose(), 0)
        if not self.links:
            raise reader.stop(root, "has no <body>; a system needs one at least")
        self._masses()
        joints = {link.name: self._joints(link) for link in self.links}
        loops = Loops(self)
        for link in self.links:
            self._add(system, link, joints[link.name])
        loops.add(system)
        for section in root.every("actuator"):
            read_actuators(self, section)
        self._contact()
        lost = colliding(self) if self.touches else {}
        self.imported.colliding = tuple(lost)
        self.imported.contacts_known = reader.names("contact")
        for element in list(lost.values())[:1]:
            reader.lose(element, "contact")
        return reader.complete(system, self.imported)

    def _contents(self, element: Element, link: Link | None, childclass: str, around: Pose, depth: int) -> None:
        """What stands in a body, in the world or in a frame.

        link      the body; None for the world
        around    pose of the frame in the body's axes
        """
        reader, document = self.reader, self.document
        for child in element.children:
            if child.tag == "body":
                self._body(child, link, childclass, around, depth + 1)
            elif child.tag == "frame":
                inner = child.get("childclass")
                inner = childclass if inner is None else document.known(inner, child, "childclass")
                pose = around @ document.pose(child)
                child.used.add("name")
                reader.spare(child, *(one.tag for one in child.children))
                self._contents(child, link, inner, pose, depth + 1)
            elif child.tag == "geom":
                geom = self.geoms.read(child, childclass, around)
                if geom is not None:
                    self._geom(geom, link)
                    if geom.solid and geom.shape is not None:
                        self.colliders.setdefault(("world" if link is None else link.name, geom.masks), child)
            elif child.tag == "site":
                self._site(document.whole(child, childclass), link, around)
            elif child.tag in ("joint", "freejoint") and link is not None:
                if around != Pose():
                    raise reader.stop(child, "a joint inside a <frame> is not read; put it into the body itself")
                link.joints.append(document.whole(child, childclass) if child.tag == "joint" else child)
            elif child.tag == "inertial" and link is not None:
                if link.inertial is not None:
                    reader.wrong(child, f"a second <inertial>; the first is in line {link.inertial.line}")
                if around != Pose():
                    raise reader.stop(child, "an inertial inside a <frame> is not read; put it into the body itself")
                link.inertial = child
            elif child.tag in ("joint", "freejoint", "inertial"):
                reader.wrong(child, f"<{child.tag}> in the world, which does not move; put it into a body")
            else:
                reader.left(child)

    def _body(self, element: Element, parent: Link | None, childclass: str, around: Pose, depth: int) -> None:
        reader, document = self.reader, self.document
        reader.count_bodies(element, len(self.links) + 1)
        given = element.get("name")
        label = f"body{len(self.links) + 1}" if given is None else reader.label(given, element)
        if label == "world":
            reader.renamed["world"] = label = "world_body"
        if label in self.names:
            first = self.names[label].line
            reader.wrong(element, f'body "{label[:60]}" is there already, in line {first}; rename one', "name")
            label = f"{label} {len(self.links)}"
        inner = element.get("childclass")
        inner = childclass if inner is None else document.known(inner, element, "childclass")
        link = Link(label, element, parent, around @ document.pose(element))
        self.names[label] = reader.places[label] = element
        if element.get("mocap") == "true":
            reader.left(element, "body.mocap")
        reader.spare(element, *(child.tag for child in element.children))
        self.links.append(link)
        if parent is not None:
            self.frame(parent, label, link.pose)
        self._contents(element, link, inner, Pose(), depth)

    def link(self, name: str) -> Link | None:
        """The body of that name, or None."""
        return next((one for one in self.links if one.name == name), None)

    def place(self, link: Link | None, at_rest: bool = False) -> Pose:
        """Pose of a body in the world at the reference configuration; None is the world.

        at_rest    where the springs of all joints are at rest (springref) instead
        """
        if link is None:
            return Pose()
        pose = self.place(link.parent, at_rest) @ link.pose
        for turned, anchor in link.rests if at_rest else ():
            pose = pose @ Pose(anchor) @ turned @ Pose(-anchor)
        return pose

    def frame(self, link: Link, name: str, pose: Pose) -> str:
        """A frame on a body under a name that is free there."""
        while name in link.frames or name == "origin":
            name += "_"
        link.frames[name] = pose
        return name

    def _geom(self, geom: Geom, link: Link | None) -> None:
        body = "world" if link is None else link.name
        if link is not None:
            link.geoms.append(geom)
            self.grouped = self.grouped or (geom.group <= SHOWN and geom.drawn is not None)
        if geom.paint is not None:
            self.imported.colours.setdefault(body, geom.paint.colour)
        if geom.solid and geom.shape is not None:
            address = "world" if link is None else f"{body}.origin"
            placed = geom.shape.at(address, geom.pose.position, geom.pose.rotation)
            self.imported.shapes.setdefault(body, []).append(placed)
            if geom.name:
                self.imported.named_shapes.setdefault(geom.name, placed)

    def _site(self, site: Element, link: Link | None, around: Pose) -> None:
        reader = self.reader
        if "fromto" in site.attributes:
            ends = reader.numbers(site, "fromto", None, 6)
            pose = around @ Pose(0.5 * (ends[:3] + ends[3:]))
        else:
            pose = around @ self.document.pose(site)
        for name in ("size", "type", "rgba", "material", "group"):
            site.used.add(name)
        reader.spare(site)
        given = site.attributes.get("name", f"site{len(self.sites) + len(self.world_sites)}")
        if given in self.sites or given in self.world_sites:
            reader.wrong(site, f'site "{one_line(given)[:60]}" is there already; rename one', "name")
        elif link is None:
            self.world_sites[given] = pose
        else:
            self.sites[given] = link.name, self.frame(link, reader.label(given, site), pose)

    def _masses(self) -> None:
        """Mass and inertia of every body, as <inertial> or its geoms have it, and as <compiler> changes it."""
        reader, c = self.reader, self.document.compiler
        for link in self.links:
            parts = [one.part for one in link.geoms if c.groups[0] <= one.group <= c.groups[1]]
            if link.inertial is not None and c.inertia_from_geoms != "true":
                part = self._inertial(link.inertial)
            elif c.inertia_from_geoms == "false":
                part = NOTHING
            else:
                part = together(parts)
            if part.mass > 0.0 or c.least_mass > 0.0 or c.least_inertia > 0.0:
                moments, axes = np.linalg.eigh(part.inertia)
                changed = np.maximum(moments, c.least_inertia)
                low, middle, high = changed
                if high > low + middle + 1e-12 * high and c.balance:
                    changed = np.full(3, changed.mean())
                inertia = part.inertia
                if not np.array_equal(changed, moments) and (c.least_inertia > 0.0 or c.balance):
                    inertia = axes @ np.diag(changed) @ axes.T
                part = Part(max(part.mass, c.least_mass), part.com, inertia)
            link.part = part
        total = sum(link.part.mass for link in self.links)
        if c.total_mass > 0.0 and total > 0.0:
            for link in self.links:
                k = c.total_mass / total
                link.part = Part(k * link.part.mass, link.part.com, k * link.part.inertia)
        for link in self.links:
            inertia = possible(reader, link.inertial or link.element, 0.5 * (link.part.inertia + link.part.inertia.T))
            link.part = Part(link.part.mass, link.part.com, inertia)

    def _inertial(self, element: Element) -> Part:
        reader = self.reader
        place = reader.numbers(element, "pos", (0, 0, 0))
        rotation = self.document.rotation(element)
        mass = reader.number(element, "mass", least=0.0)
        if "fullinertia" in element.attributes:
            if "diaginertia" in element.attributes:
                reader.wrong(element, "has fullinertia and diaginertia; give one of them")
            xx, yy, zz, xy, xz, yz = reader.numbers(element, "fullinertia", None, 6)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(reader.numbers(element, "diaginertia", (0, 0, 0)))
        element.used.add("diaginertia")
        reader.spare(element)
        return Part(mass, place, rotation @ tensor @ rotation.T)

    def _joints(self, link: Link) -> list[tuple[Joint, np.ndarray, Pose]]:
        """The joints of a body, each with its anchor and its reference position."""
        joints = [self._joint(link, one, i) for i, one in enumerate(link.joints)]
        if len(joints) > 1 and any(joint.kind == "free" for joint, _, _ in joints):
            raise self.reader.stop(link.joints[0], "a free joint beside others; it moves every way by itself")
        return joints or [(Weld(f"{link.name}_weld"), np.zeros(3), Pose())]

    def _add(self, system: System, link: Link, joints: list[tuple[Joint, np.ndarray, Pose]]) -> None:
        """The body on its joints; of several, all but the last hold bodies without mass."""
        reader = self.reader
        to = "world" if link.parent is None else self._address(link)
        pose = link.pose if link.parent is None else Pose()
        for i, (joint, anchor, shift) in enumerate(joints):
            last = i == len(joints) - 1
            name = link.name if last else f"{link.name}/{joint.name}"
            at, frames = "origin", dict(link.frames) if last else {}
            if np.any(anchor != 0.0):
                at = joint.name
                while at in frames or at == "origin":
                    at += "_"
                frames[at] = Pose(anchor)
            place = pose @ Pose(anchor) @ shift
            try:
                if last:
                    looks = as_looks([one for geom in link.geoms for one in self._drawn(geom)])
                    body = RigidBody(name, link.part.mass, link.part.com, link.part.inertia, frames, looks)
                else:
                    body = RigidBody(name, 0.0, frames=frames)
            except ModelError as error:
                reader.mistakes += tidy(error, link.element)
                return
            reader.places.setdefault(name, link.element)
            system.add(body, joint, to=to, position=place.position, rotation=place.rotation, at=at)
            to, pose = f"{name}.origin", Pose()

    def _drawn(self, geom: Geom) -> list[PaintedSurface]:
        """What is drawn of a geom: as in MuJoCo groups 0 to 2, where there are such; what is clear is not."""
        if geom.drawn is None or (geom.group > SHOWN and self.grouped) or (geom.paint and geom.paint.colour[3] == 0.0):
            return []
        found = geom.drawn if geom.paint is None else geom.drawn._replace(painted=None, paints=())
        return [found.with_paint(geom.paint).moved(geom.pose.rotation, geom.pose.position)]

    def _address(self, link: Link) -> str:
        assert link.parent is not None
        frame = next(key for key, pose in link.parent.frames.items() if pose is link.pose)
        return f"{link.parent.name}.{frame}"

    def _joint(self, link: Link, element: Element, number: int) -> tuple[Joint, np.ndarray, Pose]:
        """A joint, its anchor in the body's axes, and what its reference position takes off."""
        reader, document = self.reader, self.document
        kind = "free" if element.tag == "freejoint" else reader.choice(element, "type", JOINTS, "hinge")
        given = element.get("name")
        suffix = f"_{number}" if len(link.joints) > 1 else ""
        label = f"{link.name}_joint{suffix}" if given is None else reader.label(given, element)
        if label in self.joint_names:
            first = self.joint_names[label].line
            reader.wrong(element, f'joint "{label[:60]}" is there already, in line {first}; rename one', "name")
            label = f"{label} {len(self.joint_names)}"
        self.joint_names[label] = element
        self.joint_kinds[label] = kind
        reader.places.setdefault(label, element)
        element.used.add("group")
        anchor = reader.numbers(element, "pos", (0, 0, 0)) if kind != "free" else np.zeros(3)
        element.used.add("pos")
        values = {
            name: reader.number(element, name, 0.0, least=0.0)
            for name in ("stiffness", "damping", "frictionloss", "armature")
        }
        if kind in ("free", "ball"):
            for name, value in values.items():
                if value != 0.0:
                    reader.left(element, f"joint.{name} of a {kind} joint")
            element.used |= {"axis", "limited", "ref", "springref"}
            if kind == "free":
                element.used |= {"range", "align"}
                if link.parent is not None:
                    raise reader.stop(element, "a free joint holds a body of the world only; take it out of its parent")
            if kind == "ball" and self._limited(element):
                reader.left(element, "joint.range of a ball joint")
            element.used.add("range")
            reader.spare(element)
            return (Free if kind == "free" else Spherical)(label), anchor, Pose()
        axis = reader.numbers(element, "axis", (0, 0, 1))
        if not np.linalg.norm(axis) > 1e-9:
            raise reader.stop(element, "has length 0; give a direction, such as 0 0 1", "axis")
        axis = axis / np.linalg.norm(axis)

        def angle(value: Any) -> Any:
            return document.angle(value) if kind == "hinge" else value

        options: dict[str, Any] = {
            "stiffness": values["stiffness"], "damping": values["damping"], "friction": values["frictionloss"],
            "armature": values["armature"],
        }  # fmt: skip
        rest = angle(reader.number(element, "springref", 0.0))
        if values["stiffness"] > 0.0:
            options["rest"] = float(rest)
        if self._limited(element):
            low, high = angle(reader.numbers(element, "range", None, 2))
            if low < high:
                options["limits"] = (float(low), float(high))
            else:
                reader.wrong(element, f"is {low:g} to {high:g}; the low one comes first", "range")
        element.used.add("range")
        limited = element.attributes.get("actuatorfrclimited", "auto")
        if "actuatorfrcrange" in element.attributes and limited != "false":
            low, high = reader.numbers(element, "actuatorfrcrange", None, 2)
            self.imported.effort_ranges[label] = (float(low), float(high))
            self.imported.effort_limits[label] = float(max(abs(low), abs(high)))
        element.used.add("actuatorfrclimited")
        reference = self.references[label] = float(angle(reader.number(element, "ref", 0.0)))
        reader.spare(element)
        away = float(rest) - reference
        link.rests.append((Pose(rotation=turn(axis, away)) if kind == "hinge" else Pose(away * axis), anchor))
        if kind == "hinge":
            return Revolute(label, axis, **options), anchor, Pose(rotation=turn(axis, -reference))
        return Prismatic(label, axis, **options), anchor, Pose(-reference * axis)

    def _limited(self, element: Element) -> bool:
        word = self.reader.choice(element, "limited", ("true", "false", "auto"), "auto")
        given = "range" in element.attributes
        if word == "true" and not given:
            self.reader.wrong(element, "is limited and has no range; give two numbers", "range")
            return False
        return word == "true" or (word == "auto" and given and self.document.compiler.autolimits)

    def _contact(self) -> None:
        reader = self.reader
        for section in self.document.root.every("contact"):
            for child in section.children:
                if child.tag == "pair":
                    pair = reader.text(child, "geom1"), reader.text(child, "geom2")
                    child.used |= {"name", "class"}
                    reader.spare(child)
                    self.imported.pairs.append(pair)
                elif child.tag == "exclude":
                    bodies = reader.text(child, "body1"), reader.text(child, "body2")
                    child.used.add("name")
                    for attribute, body in zip(("body1", "body2"), bodies, strict=True):
                        if reader.label(body, child) not in self.names and body != "world":
                            hint = suggestion(body, self.names)
                            reader.wrong(child, f'there is no body "{one_line(body)[:60]}"; {hint}', attribute)
                    reader.spare(child)
                    self.imported.excluded.append(bodies)
                else:
                    reader.left(child)
