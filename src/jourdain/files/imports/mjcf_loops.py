"""Tendons and equalities of MJCF: springs between two sites, and what closes loops.

MuJoCo's equalities are slightly soft (solref, solimp); here they are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.pose import Pose
from ...basics.values import suggestion
from ...describe.constraints.connections import Spring
from ...describe.joints import Joint, Spherical, Weld
from ...describe.system import System
from ..problems import one_line
from ..xml import Element
from .couplings import couple

if TYPE_CHECKING:
    from .mjcf import Link, MjcfReading

WORLD = "world"


@dataclass
class Wire:
    """A connection to be made: the element, and the frames that it is between."""

    element: Any
    first: str
    second: str
    source: Element


class Loops:
    """Reads <tendon> and <equality> before the bodies are made, so that their frames are there."""

    def __init__(self, model: MjcfReading) -> None:
        self.model, self.reader = model, model.reader
        self.wires: list[Wire] = []
        self.couplings: list[tuple[Element, str, dict[str, float], float]] = []
        self.fixed: dict[str, dict[str, float]] = {}
        self.unused: dict[str, Element] = {}
        self.anchors: dict[str, Pose] = {}
        self.names: set[str] = set(model.joint_names)
        root = model.document.root
        for section in root.every("tendon"):
            for child in section.children:
                self._tendon(child)
        for section in root.every("equality"):
            for child in section.children:
                self._equality(child)
        for child in self.unused.values():
            self.reader.left(child, "tendon.fixed")

    def add(self, system: System) -> None:
        """Everything that was read, to a system whose bodies are there."""
        from ...describe.bodies import RigidBody

        for name, pose in self.anchors.items():
            system.add(
                RigidBody(name, mass=0.0), Weld(f"{name}_weld"), position=pose.position, rotation=pose.rotation
            )  # fmt: skip
        for wire in self.wires:
            system.connect(wire.element, wire.first, wire.second)
            self.reader.places.setdefault(wire.element.name, wire.source)
        for element, name, terms, value in self.couplings:
            couple(system, self.reader, element, name, terms, value)

    def _name(self, element: Element, kind: str) -> str:
        name = self.reader.label(element.get("name") or f"{kind}{len(self.wires) + len(self.couplings)}", element)
        while name in self.names:
            name += "_"
        self.names.add(name)
        return name

    def _site(self, element: Element, attribute: str, name: str) -> tuple[str, np.ndarray]:
        """Address of a site, and its place in the world where the springs of joints are at rest."""
        model = self.model
        if name in model.world_sites:
            pose = model.world_sites[name]
            return self._anchor(f"{name}_anchor", pose), pose.position
        if name not in model.sites:
            known = [*model.sites, *model.world_sites]
            raise self.reader.stop(
                element, f'there is no site "{one_line(name)[:60]}"; {suggestion(name, known)}', attribute
            )
        body, frame = model.sites[name]
        link = model.link(body)
        assert link is not None
        return f"{body}.{frame}", (model.place(link, at_rest=True) @ link.frames[frame]).position

    def _anchor(self, name: str, pose: Pose) -> str:
        """A frame fixed in the world: a body without mass, welded there."""
        name = name.replace(".", "_")
        while name in self.model.names or (name in self.anchors and self.anchors[name] != pose):
            name += "_"
        self.anchors[name] = pose
        return f"{name}.origin"

    def _body(self, element: Element, attribute: str) -> Link | None:
        """The body that an attribute names; None for the world."""
        reader = self.reader
        name = reader.label(reader.text(element, attribute, WORLD), element)
        if name == WORLD:
            return None
        found = self.model.link(name)
        if found is None:
            hint = suggestion(name, self.model.names)
            raise reader.stop(element, f'there is no body "{one_line(name)[:60]}"; {hint}', attribute)
        return found

    def _frame(self, link: Link | None, name: str, pose: Pose) -> str:
        """A frame on a body, or in the world."""
        if link is None:
            return self._anchor(name, pose)
        return f"{link.name}.{self.model.frame(link, name, pose)}"

    def _tendon(self, child: Element) -> None:
        reader, document = self.reader, self.model.document
        element = document.whole(child, "main", "tendon")
        given = element.attributes.get("name", "")
        if child.tag == "fixed":
            terms: dict[str, float] = {}
            for part in child.children:
                joint = reader.label(reader.text(part, "joint"), part)
                if self.model.joint_kinds.get(joint) not in ("hinge", "slide"):
                    hint = suggestion(joint, self.model.joint_names)
                    raise reader.stop(part, f'there is no joint of one axis "{one_line(joint)[:60]}"; {hint}', "joint")
                terms[joint] = terms.get(joint, 0.0) + reader.number(part, "coef")
            given = given or f"tendon{len(self.fixed)}"
            self.fixed[given], self.unused[given] = terms, child
            for name in ("width", "rgba", "material", "group", "limited", "range"):
                element.used.add(name)
            if element.attributes.get("limited") == "true" or "range" in element.attributes:
                reader.left(child, "tendon.range")
            reader.spare(element, "joint")
            return
        sites = [one for one in child.children if one.tag == "site"]
        stiffness = reader.number(element, "stiffness", 0.0, least=0.0)
        damping = reader.number(element, "damping", 0.0, least=0.0)
        acts = stiffness > 0.0 or damping > 0.0
        if child.tag != "spatial" or len(sites) != 2 or len(child.children) != 2 or not acts:
            reader.left(child, f"tendon.{child.tag}")
            return
        ends = [self._site(one, "site", reader.text(one, "site")) for one in sites]
        rest = reader.numbers(element, "springlength", (-1.0,), (1, 2))
        if len(rest) == 2 and rest[0] != rest[1]:
            reader.left(child, "tendon.springlength of two numbers")
        length = float(rest[0]) if rest[0] >= 0.0 else float(np.linalg.norm(ends[0][1] - ends[1][1]))
        for attribute in ("width", "rgba", "material", "group", "class"):
            element.used.add(attribute)
        reader.spare(element, "site")
        spring = Spring(self._name(element, "spring"), stiffness=stiffness, length=length, damping=damping)
        self.wires.append(Wire(spring, ends[0][0], ends[1][0], child))

    def _equality(self, child: Element) -> None:
        reader = self.reader
        element = self.model.document.whole(child, "main", "equality")
        if element.attributes.get("active", "true") == "false":
            reader.left(child, f"equality.{child.tag} that is not active")
            return
        element.used.add("active")
        if child.tag in ("connect", "weld"):
            self._closing(element, child)
        elif child.tag == "joint":
            self._polynomial(element, child, ("joint1", "joint2"))
        elif child.tag == "tendon":
            self._polynomial(element, child, ("tendon1", "tendon2"))
        else:
            reader.left(child, f"equality.{child.tag}")
            return
        reader.spare(element)

    def _closing(self, element: Element, child: Element) -> None:
        reader, model, kind = self.reader, self.model, child.tag
        name = self._name(element, kind)
        joint: Joint = Spherical(name) if kind == "connect" else Weld(name)
        if "site1" in element.attributes:
            ends = [self._site(child, one, reader.text(element, one))[0] for one in ("site1", "site2")]
            self.wires.append(Wire(joint, ends[0], ends[1], child))
            return
        first, second = self._body(element, "body1"), self._body(element, "body2")
        if first is second:
            raise reader.stop(child, "connects a body to itself; name two", "body2")
        here, there = model.place(first), model.place(second)
        between = here.inverse() @ there
        if kind == "connect":
            at = Pose(reader.numbers(element, "anchor"))
            one, other = at, there.inverse() @ here @ at
            other = Pose(other.position)
        else:
            reader.numbers(element, "anchor", (0, 0, 0))
            given = reader.numbers(element, "relpose", (0, 1, 0, 0, 0, 0, 0), 7)
            size = float(np.linalg.norm(given[3:]))
            one = between if size < 1e-12 else Pose(given[:3], given[3:] / size)
            other = Pose()
            if reader.number(element, "torquescale", 1.0) != 1.0:
                reader.left(child, "weld.torquescale")
        label = f"{name}_"
        self.wires.append(
            Wire(joint, self._frame(first, label + "1", one), self._frame(second, label + "2", other), child)
        )

    def _polynomial(self, element: Element, child: Element, attributes: tuple[str, str]) -> None:
        """y1 - y1_0 = a0 + a1 (y2 - y2_0), for joints or fixed tendons, y_0 those of the reference configuration."""
        reader, model = self.reader, self.model
        coefficients = reader.numbers(element, "polycoef", (0, 1, 0, 0, 0), (1, 5))
        if np.any(coefficients[2:] != 0.0):
            reader.left(child, f"equality.{child.tag} of higher degree")
            return
        a0, a1 = float(coefficients[0]), float(coefficients[1]) if len(coefficients) > 1 else 0.0
        total: dict[str, float] = {}
        value = a0
        for factor, attribute in zip((1.0, -a1), attributes, strict=True):
            name = element.get(attribute)
            if name is None:
                if attribute == attributes[0]:
                    raise reader.stop(child, f'"{attribute}" is missing; <{child.tag}> needs it')
                continue
            if child.tag == "tendon":
                if name not in self.fixed:
                    reader.left(child, "equality.tendon of a tendon that is not fixed")
                    return
                terms = self.fixed[name]
                self.unused.pop(name, None)
            else:
                joint = reader.label(name, child)
                if model.joint_kinds.get(joint) not in ("hinge", "slide"):
                    hint = suggestion(joint, model.joint_names)
                    raise reader.stop(
                        child, f'there is no joint of one axis "{one_line(joint)[:60]}"; {hint}', attribute
                    )
                terms = {joint: 1.0}
            for joint, weight in terms.items():
                total[joint] = total.get(joint, 0.0) + factor * weight
                value += factor * weight * model.references.get(joint, 0.0)
        self.couplings.append((child, self._name(element, "equality"), total, value))
