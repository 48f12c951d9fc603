"""Actuators of MJCF files that are affine and act on a joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...basics.values import suggestion
from ..problems import one_line
from ..xml import Element
from .actuators import Actuator

if TYPE_CHECKING:
    from .mjcf import MjcfReading


def read_actuators(model: MjcfReading, section: Element) -> None:
    """What the section <actuator> says, into the record of the import."""
    reader, document = model.reader, model.document
    for child in section.children:
        if child.tag not in ("motor", "position", "velocity", "general"):
            reader.left(child)
            continue
        element = document.whole(child, "main")
        joint = element.get("joint") or element.get("jointinparent")
        if joint is None:
            reader.left(child, f"{child.tag} on a tendon, site or body")
            continue
        joint = reader.label(joint, element)
        if joint not in model.joint_names:
            hint = suggestion(joint, model.joint_names)
            reader.wrong(child, f'there is no joint "{one_line(joint)[:60]}"; {hint}', "joint")
            continue
        if model.joint_kinds[joint] not in ("hinge", "slide"):
            reader.left(child, f"{child.tag} on a {model.joint_kinds[joint]} joint")
            continue
        found = _affine(model, element, joint)
        reader.spare(element)
        if found is not None:
            model.imported.actuators.append(found)


def _affine(model: MjcfReading, element: Element, joint: str) -> Actuator | None:
    """An actuator that is affine; None where it is another."""
    reader = model.reader
    name = element.attributes.get("name") or f"actuator{len(model.imported.actuators)}"
    gear = float(reader.numbers(element, "gear", (1.0,), (1, 6))[0])
    gain, bias = 1.0, [0.0, 0.0, 0.0]
    if element.tag == "position":
        gain = reader.number(element, "kp", 1.0, least=0.0)
        bias = [0.0, -gain, -reader.number(element, "kv", 0.0, least=0.0)]
        if reader.number(element, "dampratio", 0.0) != 0.0:
            reader.left(element, "position.dampratio")
        if reader.number(element, "timeconst", 0.0) != 0.0:
            reader.left(element, "position.timeconst")
            return None
    elif element.tag == "velocity":
        gain = reader.number(element, "kv", 1.0, least=0.0)
        bias = [0.0, 0.0, -gain]
    elif element.tag == "general":
        plain = (
            element.get("dyntype") or "none",
            element.get("gaintype") or "fixed",
            element.get("biastype") or "none",
        )
        if plain[0] != "none" or plain[1] != "fixed" or plain[2] not in ("none", "affine"):
            reader.left(element, f"general ({', '.join(plain)})")
            element.used |= set(element.attributes)
            return None
        gain = float(reader.numbers(element, "gainprm", (1.0,), (1, 10))[0])
        given = reader.numbers(element, "biasprm", (0.0, 0.0, 0.0), (1, 10))
        if plain[2] == "affine":
            bias = [*given[:3].tolist(), *(3 - len(given[:3])) * [0.0]]
    ranges = {}
    for what in ("ctrl", "force"):
        word = reader.choice(element, f"{what}limited", ("true", "false", "auto"), "auto")
        if f"{what}range" in element.attributes and word != "false":
            low, high = reader.numbers(element, f"{what}range", None, 2)
            if not low < high:
                reader.wrong(element, f"is {low:g} to {high:g}; the low one comes first", f"{what}range")
            ranges[what] = (float(low), float(high))
    return Actuator(name, joint, gear, gain, tuple(bias), ranges.get("ctrl"), ranges.get("force"))  # type: ignore[arg-type]
