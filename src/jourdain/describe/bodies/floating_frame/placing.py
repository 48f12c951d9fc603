"""Where a straight flexible body lies in a rigid one whose place it takes."""

from __future__ import annotations

import numpy as np

from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.values import shown
from ..body import Body

SLACK = 1e-6
"""How far off a frame may lie, as a fraction of the length."""


def root_between(body: Body, along: tuple[str, str], length: float) -> Pose:
    """Pose in the body's axes of a root at its first frame, with x towards the second; y and z by the shortest turn."""
    try:
        first, last = along
    except (TypeError, ValueError):
        raise ModelError.at(f"{body.name}: along", f"got {shown(along)}; give two frames of the body") from None
    start = body.frame(first).position
    way = body.frame(last).position - start
    distance = float(np.linalg.norm(way))
    if abs(distance - length) > SLACK * length:
        apart = f'"{first}" and "{last}" are {distance:g} m apart'
        raise ModelError.at(f"{body.name}: along", f"{apart}, the flexible body is {length:g} m long")
    x, y, z = way / distance
    if x < -1.0 + 1e-12:
        return Pose(start, np.diag([-1.0, -1.0, 1.0]))
    # R = 1 + w~ + w~^2 / (1 + c), with w = e_x cross (x, y, z) and c = x
    w = np.array([[0.0, -y, -z], [y, 0.0, 0.0], [z, 0.0, 0.0]])
    return Pose(start, np.eye(3) + w + w @ w / (1.0 + x))


def fractions(
    body: Body,
    root: Pose,
    length: float,
    own: dict[str, float],
    used: tuple[str, ...],
    along: tuple[str, str] | None = None,
) -> dict[str, float]:
    """Fractions of the length at which the body's frames lie on its x axis from `root`, those in `own` left out.

    A frame among those used that does not lie there, or not where `own` has it, is an error, which says how to lay the
    flexible body through it.
    """
    found, problems = {}, []
    way = _way_out(body, length, used, along)
    for name in body.frame_names():
        x, y, z = (root.inverse() @ body.frame(name)).position
        fraction = min(max(float(x) / length, 0.0), 1.0)
        if np.hypot(y, z) > SLACK * length:
            why = f"is {np.hypot(y, z):g} m off the axis of the flexible body; {way}"
        elif abs(x - fraction * length) > SLACK * length:
            why = f"is {x:g} m along the flexible body, which is {length:g} m long; {way}"
        elif name in own and abs(fraction - own[name]) > SLACK:
            why = f'is at {fraction:g} of the length, the flexible body\'s own "{name}" at {own[name]:g}; rename one'
        else:
            if name not in own:
                found[name] = fraction
            continue
        if name in used:
            problems.append(Problem(f"{body.name}.{name}", f"something holds on to this frame, which {why}"))
    if problems:
        raise ModelError(problems)
    return found


def _way_out(body: Body, length: float, used: tuple[str, ...], along: tuple[str, str] | None) -> str:
    """Between which frames the flexible body would meet all those that are used; or what else there is to do."""
    apart = "put what holds on to it on a rigid body of its own, welded to a frame on the axis"
    if along is not None:
        return apart
    places = {name: body.frame(name).position for name in body.frame_names()}
    for first, start in places.items():
        for last, end in places.items():
            if first == last or abs(np.linalg.norm(end - start) - length) > SLACK * length:
                continue
            x = (end - start) / length
            arms = [places[name] - start for name in used]
            if all(
                np.linalg.norm(arm - (arm @ x) * x) <= SLACK * length and -SLACK <= arm @ x / length <= 1.0 + SLACK
                for arm in arms
            ):
                return f'it lies along x from the origin by default: give along=("{first}", "{last}")'
    return f"give along=(from, to), two frames {length:g} m apart between which it lies; or {apart}"
