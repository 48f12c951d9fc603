"""A flexible body in the place of a rigid one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..basics.values import numbers, shown
from ..basics.warn import warn
from .bodies.body import Body
from .constraints.connections import Connection

if TYPE_CHECKING:
    from .system import Attachment, Force, System

MASS_TOLERANCE = 0.1
"""Difference of mass, relative to the old one, beyond which a warning says so."""


def replace_body(system: System, name: str, body: Body, along: tuple[str, str] | None = None) -> Body:
    """`System.make_flexible`: nothing of the system changes unless all of it can."""
    if not isinstance(body, Body):
        raise ModelError.at(str(name), f"make_flexible: got {shown(body)}; give a flexible body, such as jd.Beam(...)")
    old = system.body(name)
    held = next(item for item in system.attachments if item.body is old)
    used = [item.to for item in system.attachments if item.parent == name]
    used += [force.at for force in system.forces if force.at.partition(".")[0] == name]
    connected = [
        (one, at) for one in system.connections for at in (one.first, one.second) if at.partition(".")[0] == name
    ]
    used += [at for _, at in connected]
    new, place = body.in_place_of(old, tuple(dict.fromkeys(at.partition(".")[2] or "origin" for at in used)), along)

    attachments = []
    for item in system.attachments:
        if item is held:
            item = _held(item, new, place)
        elif item.parent == name:
            frame = item.to.partition(".")[2]
            turn = (place @ new.frame(frame)).inverse() @ old.frame(frame)
            item = replace(item, pose=Pose(rotation=turn.rotation) @ item.pose)
        attachments.append(item)
    for one, at in connected:
        _same_axes(one, old, at, place)
    forces = [_turned(force, place) if force.at.partition(".")[0] == name else force for force in system.forces]
    system.attachments, system.forces = attachments, forces

    before, after = (one.data(Pose()).mass for one in (old, new))
    if abs(after - before) > MASS_TOLERANCE * before:
        warn(f"{name}: the flexible body weighs {after:g} kg, the rigid one {before:g} kg")
    return new


def _held(item: Attachment, new: Body, place: Pose) -> Attachment:
    """The attachment of the body itself: its joint where it was, in the axes of the new body."""
    there = item.body.frame(item.at)
    seen = place.inverse() @ there
    if not np.allclose(seen.position, 0.0, atol=1e-6):
        raise ModelError.at(
            f"{new.name}.{item.at}",
            f"the joint holds the body here, at {numbers(seen.position)} m from where the flexible body can be held; "
            "give along=(from, to)",
        )
    if np.allclose(seen.rotation, np.eye(3), atol=1e-12):
        return replace(item, body=new, at="origin")
    joint = item.joint.turned(seen.rotation)
    return replace(item, body=new, joint=joint, pose=item.pose @ Pose(rotation=seen.rotation.T), at="origin")


def _same_axes(one: Connection, old: Body, at: str, place: Pose) -> None:
    """Whether a connection means the same in the axes of the new body's sections."""
    if one.element.kind in ("spherical", "rod", "spring"):
        return
    seen = place.inverse() @ old.frame(at.partition(".")[2])
    if not np.allclose(seen.rotation, np.eye(3), atol=1e-9):
        raise ModelError.at(
            one.name,
            f'its axes are those of "{at}", which the flexible body does not have there; connect after make_flexible',
        )


def _turned(force: Force, place: Pose) -> Force:
    """A force given in the axes of the body, in those of the new one."""
    if force.axes == "world" or np.allclose(place.rotation, np.eye(3), atol=1e-12):
        return force
    if force.law is not None:
        raise ModelError.at(
            force.name, "the law gives a force in the rigid body's axes, which the flexible body does not have"
        )
    back = place.rotation.T
    return replace(force, force=back @ force.force, moment=back @ force.moment)
