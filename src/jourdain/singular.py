"""Motions without inertia: where a mass matrix is singular whatever the configuration.

The kinetic energy is a sum over bodies of ``1/2 V^T M V`` with M positive semidefinite, so the mass matrix is
singular exactly where an articulated inertia ``S^T A S`` is (Featherstone 2008, section 7.3):

    A_i = M_i + sum over children X^T (A_c - A_c S (S^T A_c S)^+ S^T A_c) X

Bodies welded together count as one group. A group that has inertia of its own along every motion of its joint
cannot be singular there, whatever hangs on it. Only where this fails is A needed; it is then taken at a
generic configuration, because a matrix that is analytic in the coordinates and singular at a generic point is
singular everywhere. So a system that is singular in special configurations only, such as a stretched arm with
all its mass at the tip, is accepted.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .errors import Problem
from .pose import Pose

if TYPE_CHECKING:
    from .system import Attachment, System

OWN_TOLERANCE = 1e-12
"""Inertia along a motion that counts as none, relative to the whole inertia of the group that moves."""

OUTBOARD_TOLERANCE = 1e-10
"""The same for the inertia of what hangs on a group, which has lost digits in the elimination."""


@dataclass
class _Link:
    """One attachment with what the recursion needs, in the frame that its joint holds."""

    item: Attachment
    parent: int
    sound: bool
    inertia: np.ndarray
    motions: np.ndarray
    place: Pose


def singular_problems(system: System, sound: set[int]) -> list[Problem]:
    """Joints with a motion to which nothing gives inertia.

    sound    ids of the attachments without problems of their own. The others are taken to have all the
             inertia they need, so that one mistake is not reported twice.
    """
    links = _links(system, sound)
    own = _welded(links)
    lacking = []
    for i, link in enumerate(links):
        if link.sound and link.motions.shape[1]:
            least = _principal(own[i], own[i], link.motions)[0][0]
            if least <= OWN_TOLERANCE:
                lacking.append(i)
    if not lacking:
        return []
    nothing = _eliminate(links)
    return [_problem(links[i], nothing[i]) for i in lacking if nothing[i]]


def _links(system: System, sound: set[int]) -> list[_Link]:
    """The attachments that hang on the world, parents first."""
    children: dict[str, list[Attachment]] = {}
    for item in system.attachments:
        children.setdefault(item.parent, []).append(item)
    links: list[_Link] = []
    held: list[Pose] = []
    seen: set[str] = set()
    waiting = deque((item, -1) for item in children.get("world", []))
    while waiting:
        item, parent = waiting.popleft()
        if item.body.name in seen:
            continue
        seen.add(item.body.name)
        good = id(item) in sound
        held.append(item.body.frame(item.at) if good else Pose())
        place = item.pose
        if parent >= 0 and links[parent].sound and good:
            place = held[parent].inverse() @ links[parent].item.body.frame(item.to.partition(".")[2]) @ place
        if good:
            data = item.body.data(held[-1])
            inertia = _spatial_inertia(data.mass, data.com, data.inertia)
            motions = item.joint.motion_subspace()
        else:
            inertia, motions, place = np.eye(6), np.zeros((6, 0)), Pose()
        links.append(_Link(item, parent, good, inertia, motions, place))
        waiting += [(child, len(links) - 1) for child in children.get(item.body.name, [])]
    return links


def _spatial_inertia(mass: float, com: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """6x6 about the frame's origin, rows (angular, linear); ``inertia`` is about that origin too."""
    moment = mass * _cross(com)
    return np.block([[inertia, moment], [moment.T, mass * np.eye(3)]])


def _cross(v: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def _motion_transform(position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """X with ``V_inner = X V_outer``, for an inner frame at a pose in the outer one."""
    back = rotation.T
    return np.block([[back, np.zeros((3, 3))], [-back @ _cross(position), back]])


def _exponential(column: np.ndarray, amount: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation after moving along one column of a joint whose axis is at its origin."""
    axis, slide = column[:3], column[3:]
    turn = np.eye(3) + np.sin(amount) * _cross(axis) + (1.0 - np.cos(amount)) * _cross(axis) @ _cross(axis)
    return amount * slide, turn


def _moved(link: _Link, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Transform from the parent's frame and motions of a joint at a generic configuration.

    The joint's columns are gone through one after the other, each by its own amount: such a product of
    exponentials (Brockett 1984) reaches a generic configuration of every kind of joint.
    """
    transform = _motion_transform(link.place.position, link.place.rotation)
    motions = np.zeros((6, 0))
    for i, column in enumerate(link.motions.T):
        amount = 0.4 + 2.2 * ((0.6180339887498949 * (1 + number) + 0.7548776662466927 * (1 + i)) % 1.0)
        step = _motion_transform(*_exponential(column, amount))
        motions = np.column_stack([step @ motions, column])
        transform = step @ transform
    # Most joints keep their span of motions as they move; then their own columns keep the names right.
    if np.linalg.matrix_rank(np.column_stack([motions, link.motions])) == motions.shape[1]:
        motions = link.motions
    return transform, motions


def _welded(links: list[_Link]) -> list[np.ndarray]:
    """Inertia of each body together with all that is welded to it outboard, (6, 6) each."""
    total = [link.inertia.copy() for link in links]
    for i in reversed(range(len(links))):
        link = links[i]
        if link.parent >= 0 and link.motions.shape[1] == 0:
            transform = _motion_transform(link.place.position, link.place.rotation)
            total[link.parent] += transform.T @ total[i] @ transform
    return total


def _scales(reference: np.ndarray, motions: np.ndarray) -> np.ndarray:
    """How much inertia each motion could have, given the mass and the size of what moves, (nv,)."""
    turning, sliding = np.trace(reference[:3, :3]), np.trace(reference[3:, 3:]) / 3.0
    return np.sum(motions[:3] ** 2, axis=0) * turning + np.sum(motions[3:] ** 2, axis=0) * sliding


def _principal(
    inertia: np.ndarray, reference: np.ndarray, motions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of ``S^T A S``, made free of units, and the scale of each motion."""
    scales = _scales(reference, motions)
    weights = np.where(scales > 0.0, 1.0 / np.sqrt(np.where(scales > 0.0, scales, 1.0)), 1.0)
    values, vectors = np.linalg.eigh(weights[:, None] * (motions.T @ inertia @ motions) * weights)
    return values, vectors, weights


def _names(link: _Link, vectors: np.ndarray) -> tuple[str, ...]:
    """Names of the velocities that take part in some motions of a joint, (nv, n)."""
    shares = np.sum(vectors**2, axis=1)
    return tuple(name for name, share in zip(link.item.joint.v_names(), shares, strict=True) if share > 1e-6)


def _eliminate(links: list[_Link]) -> list[tuple[str, ...]]:
    """Names of the velocities without inertia of each joint, by the articulated recursion."""
    articulated = [link.inertia.copy() for link in links]
    composite = [link.inertia.copy() for link in links]
    nothing: list[tuple[str, ...]] = [()] * len(links)
    for i in reversed(range(len(links))):
        link = links[i]
        transform, motions = _moved(link, i)
        inertia = articulated[i]
        if motions.shape[1]:
            values, vectors, weights = _principal(inertia, composite[i], motions)
            none = values <= OUTBOARD_TOLERANCE
            nothing[i] = _names(link, vectors[:, none])
            kept = weights[:, None] * vectors[:, ~none] / np.sqrt(values[~none])
            through = inertia @ motions @ kept
            inertia = inertia - through @ through.T
        if link.parent >= 0:
            articulated[link.parent] += transform.T @ inertia @ transform
            composite[link.parent] += transform.T @ composite[i] @ transform
    return nothing


def _problem(link: _Link, names: tuple[str, ...]) -> Problem:
    joint, body = link.item.joint, link.item.body
    motions = ", ".join(f'"{name}"' for name in names)
    what = f'the motion {motions} of the {joint.kind} joint "{joint.name}", which holds body "{body.name}"'
    remedy = f'give mass or inertia to "{body.name}" or to what hangs on it'
    return Problem(str(joint.name), f"nothing gives inertia to {what}, so the mass matrix is singular; {remedy}")
