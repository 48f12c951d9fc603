"""Motions without inertia: where a mass matrix is singular whatever the configuration.

The kinetic energy is a sum over bodies of ``1/2 V^T M V`` with M positive semidefinite, so the mass matrix is
singular exactly where an articulated inertia ``S^T A S`` is (Featherstone 2008, section 7.3):

    A_i = M_i + sum over children X^T (A_c - A_c S (S^T A_c S)^+ S^T A_c) X

Bodies welded together count as one group. A group that has inertia of its own along every motion of its joint
cannot be singular there, whatever hangs on it. Only where this fails is A needed; it is then taken at a
generic configuration, because a matrix that is analytic in the coordinates and singular at a generic point is
singular everywhere. So a system that is singular in special configurations only, such as a stretched arm with all its
mass at the tip, is accepted.

A is carried as a factor, ``A = F^T F``, and the joint's motions are taken out of it by projection, ``F - U U^T F`` with
``F S = U s V^T``: differences of large inertias would hide a small one that is there, such as that of a short crank
without mass before a heavy and distant payload.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import Problem
from ..basics.pose import Pose, cross_matrix

if TYPE_CHECKING:
    from .system import Attachment, System

OWN_TOLERANCE = 1e-12
"""Inertia along a motion that counts as none, relative to the whole inertia of the group that moves."""

OUTBOARD_TOLERANCE = 1e-14
"""The same for the articulated inertia, relative to that of all outboard: where rounding in the dynamics begins."""

NO_INERTIA = 1e-13
"""Moment of inertia about the centre of mass that is rounding, relative to the whole one about the held frame."""


@dataclass
class _Link:
    """One attachment with what the recursion needs, in the frame that its joint holds."""

    item: Attachment
    parent: int
    sound: bool
    inertia: np.ndarray
    factor: np.ndarray
    motions: np.ndarray
    place: Pose
    armature: float = 0.0


def singular_problems(system: System, sound: set[int]) -> list[Problem]:
    """Joints with a motion to which nothing gives inertia.

    sound    ids of the attachments without problems of their own. The others are taken to have all the
             inertia they need, so that one mistake is not reported twice.
    """
    links = _links(system, sound)
    own = _welded(links)
    lacking = []
    for i, link in enumerate(links):
        if link.sound and link.motions.shape[1] and link.armature == 0.0:
            weighted = link.motions * _weights(own[i], link.motions)
            if np.linalg.eigvalsh(weighted.T @ own[i] @ weighted)[0] <= OWN_TOLERANCE:
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
            factor = _factor(data.mass, data.com, data.inertia)
            motions = item.joint.motion_subspace()
        else:
            inertia, factor, motions, place = np.eye(6), np.eye(6), np.zeros((6, 0)), Pose()
        armature = getattr(item.joint, "armature", 0.0) if good else 0.0
        links.append(_Link(item, parent, good, inertia, factor, motions, place, armature))
        waiting += [(child, len(links) - 1) for child in children.get(item.body.name, [])]
    return links


def _spatial_inertia(mass: float, com: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """6x6 about the frame's origin, rows (angular, linear); ``inertia`` is about that origin too."""
    moment = mass * cross_matrix(com)
    return np.block([[inertia, moment], [moment.T, mass * np.eye(3)]])


def _factor(mass: float, com: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """F (6, 6) with ``F^T F`` the spatial inertia: the velocity of the centre of mass, and the turning about it."""
    out = np.zeros((6, 6))
    out[:3] = np.sqrt(mass) * np.concatenate([-cross_matrix(com), np.eye(3)], axis=1)
    values, vectors = np.linalg.eigh(inertia + mass * cross_matrix(com) @ cross_matrix(com))
    values = np.where(values > NO_INERTIA * np.trace(inertia), values, 0.0)
    out[3:, :3] = np.sqrt(values)[:, None] * vectors.T
    return out


def _motion_transform(position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """X with ``V_inner = X V_outer``, for an inner frame at a pose in the outer one."""
    back = rotation.T
    return np.block([[back, np.zeros((3, 3))], [-back @ cross_matrix(position), back]])


def _exponential(column: np.ndarray, amount: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation after moving along one column of a joint whose axis is at its origin."""
    axis, slide = column[:3], column[3:]
    turn = (
        np.eye(3)
        + np.sin(amount) * cross_matrix(axis)
        + (1.0 - np.cos(amount)) * cross_matrix(axis) @ cross_matrix(axis)
    )
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


def _weights(reference: np.ndarray, motions: np.ndarray) -> np.ndarray:
    """What makes the inertia along each motion free of units, (nv,)."""
    scales = _scales(reference, motions)
    return np.where(scales > 0.0, 1.0 / np.sqrt(np.where(scales > 0.0, scales, 1.0)), 1.0)


def _names(link: _Link, vectors: np.ndarray) -> tuple[str, ...]:
    """Names of the velocities that take part in some motions of a joint, (nv, n)."""
    shares = np.sum(vectors**2, axis=1)
    return tuple(name for name, share in zip(link.item.joint.v_names(), shares, strict=True) if share > 1e-6)


def _eliminate(links: list[_Link]) -> list[tuple[str, ...]]:
    """Names of the velocities without inertia of each joint, by the articulated recursion in factors."""
    rows = [[link.factor] for link in links]
    composite = [link.inertia.copy() for link in links]
    nothing: list[tuple[str, ...]] = [()] * len(links)
    for i in reversed(range(len(links))):
        link = links[i]
        transform, motions = _moved(link, i)
        F = np.concatenate(rows[i])
        if len(F) > 6:
            F = np.linalg.qr(F).R
        if motions.shape[1]:
            weights = _weights(composite[i], motions)
            inertia = F @ (motions * weights)
            if link.armature > 0.0:  # one more square in the energy, of the joint's own rate
                F = np.concatenate([F, np.zeros((1, 6))])
                inertia = np.concatenate([inertia, np.sqrt(link.armature) * weights[None, :]])
            left, sizes, right = np.linalg.svd(inertia, full_matrices=False)
            kept = (sizes**2 > OUTBOARD_TOLERANCE) | (link.armature > 0.0)
            nothing[i] = _names(link, right[~kept].T)
            left = left[:, kept]
            F = F - left @ (left.T @ F)
        if link.parent >= 0:
            rows[link.parent].append(F @ transform)
            composite[link.parent] += transform.T @ composite[i] @ transform
    return nothing


def _problem(link: _Link, names: tuple[str, ...]) -> Problem:
    joint, body = link.item.joint, link.item.body
    motions = ", ".join(f'"{name}"' for name in names)
    what = f'the motion {motions} of the {joint.kind} joint "{joint.name}", which holds body "{body.name}"'
    remedy = f'give mass or inertia to "{body.name}" or to what hangs on it'
    return Problem(str(joint.name), f"nothing gives inertia to {what}, so the mass matrix is singular; {remedy}")
