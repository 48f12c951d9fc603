"""Wobbling masses: soft tissue that moves against its bone, on springs and dampers.

Wojtyra 2002 gives his walker wobbling masses, which take it from 21 to 46 degrees of freedom, and says no more of them
than the count. Here a part of a body's mass and inertia is a mass of its own at the same centre: it moves along three
axes and, where it tilts, about the two across the body's long axis, z. So five masses that tilt have 25 degrees of
freedom.

With the bone held every such freedom swings at the frequency and with the damping that are given; a body of which the
share phi wobbles, free by itself, at frequency / sqrt(1 - phi). As the frequency grows it becomes the rigid body.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown
from ...describe.bodies import RigidBody
from ...describe.joints import Prismatic, Revolute
from ...describe.system import System

SOFT = {"upper": 0.6, "thigh_l": 0.6, "thigh_r": 0.6, "shank_l": 0.6, "shank_r": 0.6}
"""Share of the mass that wobbles, by part of the walker (our choice): 25 degrees of freedom."""


@checked
def wobble(
    system: System,
    parts: Mapping[str, float] | None = None,
    *,
    frequency: float = 10.0,
    damping: float = 0.3,
    tilts: bool = True,
) -> list[str]:
    """Let part of the mass of rigid bodies wobble; names of the bodies that do.

    system       is changed: the bodies named keep the rest of their mass, and each gets a soft one, "NAME_soft"
    parts        share of the mass and inertia that wobbles, by body: ``{"thigh_l": 0.6}``; None: trunk, thighs and
                 shanks of `walker`
    frequency    with which it swings, the bone held [Hz]
    damping      share of critical damping, the bone held
    tilts        True: it tilts about x and y besides its moves along x, y and z

    Joints are "NAME_soft_x", "_y", "_z" [m], "_roll" and "_pitch" [rad]. Frames, joints, contacts and forces stay with
    the bone.
    """
    if not isinstance(system, System):
        raise ModelError.at("system", f"got {shown(system)}; give a System, such as jd.human.walker()")
    w, zeta = 2.0 * math.pi * _positive(frequency, "frequency"), as_number(damping, "damping")
    if not 0.0 <= zeta < math.inf:
        raise ModelError.at("damping", f"is {shown(damping)}; give a number from 0 on")
    shares = _shares(system, SOFT if parts is None else parts)
    added = []
    for name, share in shares.items():
        at = next(i for i, item in enumerate(system.attachments) if item.body.name == name)
        body = system.attachments[at].body
        assert isinstance(body, RigidBody)
        bone = replace(body, mass=(1.0 - share) * body.mass, inertia=(1.0 - share) * np.asarray(body.inertia))
        system.attachments[at] = replace(system.attachments[at], body=bone)
        added.append(_hang(system, body, share, (w, zeta), tilts))
    return added


def _hang(system: System, body: RigidBody, share: float, swing: tuple[float, float], tilts: bool) -> str:
    """The soft mass of a body, behind massless ones between its joints; its name."""
    name, mass, inertia = f"{body.name}_soft", share * body.mass, share * np.asarray(body.inertia)
    w, zeta = swing
    axes = {"x": ((1.0, 0.0, 0.0), mass), "y": ((0.0, 1.0, 0.0), mass), "z": ((0.0, 0.0, 1.0), mass)}
    if tilts:
        axes |= {"roll": ((1.0, 0.0, 0.0), inertia[0, 0]), "pitch": ((0.0, 1.0, 0.0), inertia[1, 1])}
    to, place = f"{body.name}.origin", body.com
    for i, (suffix, (axis, inert)) in enumerate(axes.items(), 1):
        kind = Prismatic if len(suffix) == 1 else Revolute
        joint = kind(f"{name}_{suffix}", axis=axis, stiffness=inert * w * w, damping=2.0 * zeta * w * inert)
        last = i == len(axes)
        one = RigidBody(name, mass, inertia=inertia) if last else RigidBody(f"{name}_{i}", 0.0)
        system.add(one, joint, to=to, position=place)
        to, place = f"{one.name}.origin", np.zeros(3)
    return name


def _shares(system: System, parts: Mapping[str, float]) -> dict[str, float]:
    """Shares of bodies that can wobble; nothing is changed before all of them are known to."""
    if not isinstance(parts, Mapping) or not parts:
        raise ModelError.at("parts", f'got {shown(parts)}; give shares of the mass by body, {{"thigh_l": 0.6}}')
    found = {}
    for name, share in parts.items():
        body = system.body(name)
        if not isinstance(body, RigidBody) or not body.mass > 0.0:
            raise ModelError.at(str(name), f"is {shown(body)}; give a rigid body that has a mass")
        if not 0.0 < as_number(share, f"{name}: share") < 1.0:
            raise ModelError.at(str(name), f"share is {shown(share)}; give a number between 0 and 1")
        if any(other.name == f"{name}_soft" for other in system.bodies):
            raise ModelError.at(str(name), "wobbles already")
        found[name] = float(share)
    return found


def _positive(value: float, what: str) -> float:
    number = as_number(value, what)
    if not 0.0 < number < math.inf:
        raise ModelError.at(what, f"is {shown(value)}; give a number above 0")
    return number
