"""URDF: links and joints as they are, rotors as armature, mimic joints as couplings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.values import suggestion
from ...describe.bodies import RigidBody
from ...describe.joints import Free, Joint, Planar, Prismatic, Revolute, Weld
from ...describe.system import System
from ..problems import one_line
from ..xml import Element
from .couplings import couple
from .imported import Imported, Transmission
from .inertia import possible
from .painted_surfaces import PaintedSurface, as_looks
from .reading import Ignore, Reader, tidy
from .urdf_shapes import UrdfShapes, drawn, origin

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
NOTHING = 1e-30
"""Inertia that a rounding left where zero was meant [kg m^2]."""
GRAVITY = (0.0, 0.0, -9.81)
"""Gravity of an imported URDF file, which says nothing of it [m/s^2]."""


def load_urdf(
    path: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: Ignore = False,
    free_base: bool = False,
    strict: bool = False,
) -> System:
    """The system of a URDF file; see `System.load`."""
    return _Urdf(Reader(path, root, packages, ignore, strict), free_base).system()


class _Urdf:
    def __init__(self, reader: Reader, free_base: bool) -> None:
        self.reader, self.free_base = reader, free_base
        self.document = reader.open(reader.path, reader.name)
        self.imported = Imported(reader.path.name, "urdf")
        self.links: dict[str, Element] = {}
        self.joints: dict[str, Element] = {}
        self.rotors: dict[str, Transmission] = {}
        self.shapes = UrdfShapes(reader)

    def system(self) -> System:
        reader, root = self.reader, self.document
        if root.tag != "robot":
            raise reader.stop(root, f"the root is <{one_line(root.tag)[:60]}>; a URDF file has <robot name=...>")
        name = reader.text(root, "name", reader.path.stem)
        root.used |= {"version", *(one for one in root.attributes if one.startswith("xmlns"))}
        reader.spare(root, "link", "joint", "material", "transmission")
        for material in root.every("material"):
            self.shapes.material(material)
        self._collect("link", self.links)
        self._collect("joint", self.joints)
        base, children = self._tree()
        for transmission in root.every("transmission"):
            self._transmission(transmission)
        self.imported.transmissions = dict(self.rotors)

        system = System(name.strip() or reader.path.stem, gravity=GRAVITY)
        fixed_world = base == "world" and not self.free_base and not self.links[base].children
        frames: dict[str, dict[str, Pose]] = {}
        for label, held_by in self.joints.items():
            frames.setdefault(self._end(held_by, "parent"), {})[label] = origin(reader, held_by)
        order: list[tuple[str, str | None]] = [(base, None)]
        couplings: list[tuple[str, Element]] = []
        while order:
            link, by = order.pop(0)
            own = "world_link" if link == "world" and not fixed_world else link
            if link == base and fixed_world:
                pass
            else:
                body = self._body(own, self.links[link], frames.get(link, {}))
                if by is None:
                    held: Joint = Free("root_joint") if self.free_base else Weld("root_joint")
                    system.add(body, held)
                else:
                    element = self.joints[by]
                    joint = self._joint(by, element)
                    parent = self._end(element, "parent")
                    if parent == base and fixed_world:
                        place = origin(reader, element)
                        system.add(body, joint, position=place.position, rotation=place.rotation)
                    else:
                        system.add(body, joint, to=f"{'world_link' if parent == 'world' else parent}.{by}")
                    mimic = element.first("mimic")
                    if mimic is not None:
                        couplings.append((by, mimic))
            order += [(self._end(self.joints[one], "child"), one) for one in children.get(link, ())]
        for by, mimic in couplings:
            self._mimic(system, by, mimic)
        return reader.complete(system, self.imported)

    def _collect(self, tag: str, into: dict[str, Element]) -> None:
        reader = self.reader
        for element in self.document.every(tag):
            name = reader.label(reader.text(element, "name"), element)
            if name in into:
                first = into[name].line
                reader.wrong(element, f'{tag} "{name}" is there already, in line {first}; rename one', "name")
                continue
            into[name] = element
            reader.places[name] = element
            reader.count_bodies(element, len(into))

    def _end(self, joint: Element, tag: str) -> str:
        """The link that a joint names as its parent or child."""
        found = joint.first(tag)
        if found is None:
            raise self.reader.stop(joint, f'<{tag} link="..."/> is missing; a joint needs parent and child')
        return self.reader.label(self.reader.text(found, "link"), found)

    def _tree(self) -> tuple[str, dict[str, list[str]]]:
        """The root link, and the joints on each link."""
        reader = self.reader
        if not self.links:
            raise reader.stop(self.document, "has no <link>; a robot needs one at least")
        children: dict[str, list[str]] = {}
        held: dict[str, str] = {}
        for label, joint in self.joints.items():
            parent, child = self._end(joint, "parent"), self._end(joint, "child")
            for what, link in (("parent", parent), ("child", child)):
                if link not in self.links:
                    hint = suggestion(link, self.links)
                    raise reader.stop(joint, f'there is no link "{one_line(link)[:60]}"; {hint}', what)
            if child in held:
                raise reader.stop(
                    joint, f'link "{child}" is the child of joint "{held[child]}" already; URDF has no loops', "child"
                )
            held[child] = label
            children.setdefault(parent, []).append(label)
        roots = [link for link in self.links if link not in held]
        if not roots:
            raise reader.stop(self.document, "every link is the child of a joint: the joints go in a circle")
        if len(roots) > 1:
            named = ", ".join(roots[:6])
            raise reader.stop(
                self.links[roots[1]], f"{len(roots)} links are the child of no joint ({named}); one root is due"
            )
        seen, waiting = set(), [roots[0]]
        while waiting:
            link = waiting.pop()
            seen.add(link)
            waiting += [self._end(self.joints[one], "child") for one in children.get(link, ())]
        lost = [link for link in self.links if link not in seen]
        if lost:
            raise reader.stop(
                self.links[lost[0]], f"joints go in a circle: {', '.join(lost[:6])}; hang one on the root"
            )
        return roots[0], children

    def _body(self, name: str, link: Element, frames: dict[str, Pose]) -> RigidBody:
        reader = self.reader
        link.used.add("type")
        reader.spare(link, "inertial", "visual", "collision")
        inertials = list(link.every("inertial"))
        for more in inertials[1:]:
            reader.wrong(more, f"a second <inertial> of link {name}; the first is in line {inertials[0].line}")
        mass, com, inertia = self._inertial(inertials[0]) if inertials else (0.0, np.zeros(3), np.zeros((3, 3)))
        looks: list[PaintedSurface] = []
        for visual in link.every("visual"):
            reader.spare(visual, "origin", "geometry", "material")
            visual.used.add("name")
            material = visual.first("material")
            paint = self.shapes.material(material) if material is not None else None
            looks += self.shapes.drawn(visual, paint)
            if paint is not None:
                self.imported.colours.setdefault(name, paint.colour)
        for collision in link.every("collision"):
            collision.used.add("name")
            reader.spare(collision, "origin", "geometry")
            for placed in self.shapes.read(collision, name):
                self.imported.shapes.setdefault(name, []).append(placed)
                label = collision.attributes.get("name")
                if label:
                    self.imported.named_shapes.setdefault(label, placed)
        if not looks:
            looks = [drawn(one) for one in self.imported.shapes.get(name, [])]
        try:
            return RigidBody(name, mass, com, inertia, frames, as_looks(looks))
        except ModelError as error:
            reader.mistakes += tidy(error, link)
            return RigidBody(name, 0.0, frames=frames)

    def _inertial(self, element: Element) -> tuple[float, np.ndarray, np.ndarray]:
        reader = self.reader
        reader.spare(element, "origin", "mass", "inertia")
        pose = origin(self.reader, element)
        mass, inertia = element.first("mass"), element.first("inertia")
        value, tensor = 0.0, np.zeros((3, 3))
        if mass is None:
            reader.wrong(element, '<mass value="..."/> is missing; an inertial has a mass')
        else:
            value = reader.number(mass, "value", least=0.0)
            reader.spare(mass)
        if inertia is not None:
            xx, xy, xz, yy, yz, zz = (
                float(reader.numbers(inertia, one, None, 1)[0]) for one in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
            )
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            reader.spare(inertia)
        if np.max(np.abs(tensor)) < NOTHING:
            tensor = np.zeros((3, 3))
        turned = pose.rotation @ tensor @ pose.rotation.T
        return value, pose.position, possible(reader, inertia or element, 0.5 * (turned + turned.T))

    def _joint(self, name: str, element: Element) -> Joint:
        reader = self.reader
        kind = reader.text(element, "type")
        known = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
        reader.spare(element, *known)
        for tag in known:
            found = list(element.every(tag))
            if len(found) > 1:
                reader.wrong(found[1], f"a second <{tag}> of joint {name}; the first is in line {found[0].line}")
        for end in (element.first("parent"), element.first("child")):
            if end is not None:
                reader.spare(end)
        if kind not in TYPES:
            raise reader.stop(element, f'got "{one_line(kind)[:40]}"; {suggestion(kind, TYPES)}', "type")
        if kind == "fixed":
            return Weld(name)
        if kind == "floating":
            return Free(name)
        axis_element, axis = element.first("axis"), np.array([1.0, 0.0, 0.0])
        if axis_element is not None:
            axis = reader.numbers(axis_element, "xyz", (1, 0, 0))
            reader.spare(axis_element)
            if not np.linalg.norm(axis) > 1e-9:
                raise reader.stop(axis_element, "has length 0; give a direction, such as 0 0 1", "xyz")
        if kind == "planar":
            return Planar(name, axis)
        options = self._dynamics(element)
        limit = element.first("limit")
        if limit is None:
            if kind != "continuous":
                reader.wrong(element, f"<limit> is missing; a {kind} joint has one (continuous turns without)")
        else:
            low, high = reader.number(limit, "lower", 0.0), reader.number(limit, "upper", 0.0)
            for attribute, into in (("effort", self.imported.effort_limits), ("velocity", self.imported.speed_limits)):
                if limit.get(attribute) is not None:
                    into[name] = reader.number(limit, attribute, least=0.0)
            reader.spare(limit)
            if kind != "continuous" and low < high:
                options["limits"] = (low, high)
            elif kind != "continuous" and low > high:
                reader.wrong(limit, f"lower is {low:g} and upper {high:g}; the low one comes first")
            elif kind != "continuous" and not (low == high == 0.0 and "lower" not in limit.attributes):
                reader.left(limit, "limit.lower=upper")
        rotor = self.rotors.get(name)
        if rotor is not None and rotor.rotor_inertia > 0.0:
            options["armature"] = rotor.reduction**2 * rotor.rotor_inertia
        make = Prismatic if kind == "prismatic" else Revolute
        return make(name, axis, **options)

    def _dynamics(self, element: Element) -> dict[str, Any]:
        dynamics = element.first("dynamics")
        if dynamics is None:
            return {}
        reader = self.reader
        out = {
            "damping": reader.number(dynamics, "damping", 0.0, least=0.0),
            "friction": reader.number(dynamics, "friction", 0.0, least=0.0),
        }
        if dynamics.get("spring_stiffness") is not None:
            out["stiffness"] = reader.number(dynamics, "spring_stiffness", 0.0, least=0.0)
        if dynamics.get("spring_reference") is not None:
            out["rest"] = reader.number(dynamics, "spring_reference", 0.0)
        reader.spare(dynamics)
        return out

    def _mimic(self, system: System, name: str, mimic: Element) -> None:
        reader = self.reader
        leader = reader.label(reader.text(mimic, "joint"), mimic)
        factor, offset = reader.number(mimic, "multiplier", 1.0), reader.number(mimic, "offset", 0.0)
        reader.spare(mimic)
        if leader not in self.joints:
            reader.wrong(
                mimic, f'there is no joint "{one_line(leader)[:60]}"; {suggestion(leader, self.joints)}', "joint"
            )
            return
        if leader == name:
            reader.wrong(mimic, f'joint "{name}" mimics itself; name another joint', "joint")
            return
        for one in (name, leader):
            if self.joints[one].attributes.get("type") not in ("revolute", "continuous", "prismatic"):
                reader.left(mimic, "mimic of a joint without one axis")
                return
        couple(system, reader, mimic, f"{name} mimics {leader}", {name: 1.0, leader: -factor}, offset)

    def _transmission(self, element: Element) -> None:
        """A motor behind a gear; of several actuators or joints nothing is carried over."""
        reader = self.reader
        joints, actuators = list(element.every("joint")), list(element.every("actuator"))
        plain = ("type", "joint", "actuator", "rotorInertia", "mechanicalReduction")
        simple = len(joints) == 1 and len(actuators) <= 1
        simple = simple and all(child.tag.rpartition(":")[2] in plain for child in element.children)
        if not simple:
            reader.left(element, "transmission")
            return
        name = reader.label(reader.text(joints[0], "name"), joints[0])
        if name not in self.joints:
            reader.wrong(
                joints[0], f'there is no joint "{one_line(name)[:60]}"; {suggestion(name, self.joints)}', "name"
            )
            return
        values = {"reduction": 1.0, "rotor": 0.0}
        kinds = {"mechanicalreduction": "reduction", "gear_ratio": "reduction", "rotorinertia": "rotor",
                 "rotor_inertia": "rotor"}  # fmt: skip
        for holder in (element, joints[0], *actuators):
            for child in holder.children:
                key = kinds.get(child.tag.rpartition(":")[2].lower())
                if key is not None:
                    text = child.text or child.attributes.get("value", "")
                    values[key] = float(reader.numbers(child, child.tag, None, 1, text=text)[0])
                    if key == "rotor" and values[key] < 0.0:
                        reader.wrong(child, f"got {values[key]:g}; a rotor's inertia is at least 0")
                elif child.tag not in ("type", "joint", "actuator", "hardwareInterface"):
                    reader.left(child, f"transmission.{child.tag}")
        self.rotors[name] = Transmission(name, values["reduction"], values["rotor"])
