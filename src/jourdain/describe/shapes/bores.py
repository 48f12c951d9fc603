"""Round holes in a block: coaxial cylinders and cones as one profile along their axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from .polyhedra import Polyhedron, hull
from .shape import Moved

COAXIAL = 1e-9
"""Relative to its size: how far from the axis of a hole another may be and still be one with it."""
MOST_PIECES = 3


class Bore(NamedTuple):
    """A round hole: its axis is z of the pose, and its pieces, upwards, have the radius a + b z between two heights.

    pieces    (k, 4): a, b, z0, z1 [m]
    """

    pose: Pose
    pieces: np.ndarray

    def moved(self, pose: Pose) -> Bore:
        return Bore(pose @ self.pose, self.pieces)

    @property
    def ends(self) -> tuple[float, float]:
        """Heights of its ends [m]."""
        return float(self.pieces[0, 2]), float(self.pieces[-1, 3])

    def within(self, low: float, high: float) -> Bore:
        """Its pieces between two heights."""
        pieces = self.pieces.copy()
        pieces[:, 2], pieces[:, 3] = np.maximum(pieces[:, 2], low), np.minimum(pieces[:, 3], high)
        size = pieces[:, 3].max() - pieces[:, 2].min()
        return Bore(self.pose, pieces[pieces[:, 3] - pieces[:, 2] > COAXIAL * size])

    def solids(self, segments: int) -> list[Polyhedron]:
        """A frustum of so many sides for each piece, its sections of the same area as the round ones."""
        turn = 2.0 * np.pi * np.arange(segments) / segments
        circle = np.column_stack([np.cos(turn), np.sin(turn)]) * np.sqrt(2 * np.pi / segments / np.sin(turn[1]))
        out = []
        for a, b, z0, z1 in self.pieces:
            rings = [np.column_stack([(a + b * z) * circle, np.full(segments, z)]) for z in (z0, z1)]
            solid = hull(self.pose.apply(np.concatenate(rings)))
            if solid is not None:
                out.append(solid)
        return out


def _profile(hole: Moved) -> tuple[float, float, float, float]:
    """(a, b, z0, z1) of a cylinder or a cone along its own axis."""
    shape = hole.shape
    radius, half = shape.radius, 0.5 * shape.length  # type: ignore[attr-defined]
    if shape.kind == "cylinder":
        return radius, 0.0, -half, half
    return 0.5 * radius, -radius / shape.length, -half, half  # type: ignore[attr-defined]


def bores_of(holes: Sequence[Moved], address: str) -> list[Bore]:
    """Cylindrical and conical holes as bores, coaxial ones as one."""
    groups: list[tuple[Pose, list[tuple[float, float, float, float]]]] = []
    for hole in holes:
        if hole.shape.kind not in ("cylinder", "cone"):
            rule = f"a {hole.shape.kind} hole is not known; it may be a Cylinder, a Cone, a Box or a ConvexMesh"
            raise ModelError.at(address, rule)
        a, b, z0, z1 = _profile(hole)
        for pose, pieces in groups:
            there = pose.inverse() @ hole.pose
            size = max(abs(z0), abs(z1), abs(a)) + float(np.abs(there.position).max())
            way = there.rotation[2, 2]
            if abs(abs(way) - 1.0) < COAXIAL and np.hypot(*there.position[:2]) < COAXIAL * size:
                h, s = there.position[2], np.sign(way)
                low, high = sorted((h + s * z0, h + s * z1))
                pieces.append((a - b * s * h, b * s, low, high))
                break
        else:
            groups.append((hole.pose, [(a, b, z0, z1)]))
    return [Bore(pose, _widest(np.array(pieces))) for pose, pieces in groups]


def _widest(pieces: np.ndarray) -> np.ndarray:
    """The profile of the largest radius at every height, in pieces upwards."""
    breaks = set(pieces[:, 2:].ravel())
    for i, (a, b, _, _) in enumerate(pieces):
        for c, d, _, _ in pieces[i + 1 :]:
            if b != d:
                breaks.add((c - a) / (b - d))
    heights = np.array(sorted(z for z in breaks if pieces[:, 2].min() <= z <= pieces[:, 3].max()))
    out: list[list[float]] = []
    size = np.ptp(heights)
    for z0, z1 in zip(heights[:-1], heights[1:], strict=True):
        middle = 0.5 * (z0 + z1)
        here = pieces[(pieces[:, 2] <= middle) & (pieces[:, 3] >= middle)]
        if z1 - z0 <= COAXIAL * size or len(here) == 0:
            continue
        a, b = here[int(np.argmax(here[:, 0] + here[:, 1] * middle)), :2]
        if out and out[-1][3] >= z0 - COAXIAL * size and abs(out[-1][0] - a) + abs(out[-1][1] - b) < 1e-12:
            out[-1][3] = z1
        else:
            out.append([a, b, z0, z1])
    return np.array(out)


def bored(piece: Polyhedron, bores: Sequence[Bore], address: str) -> list[tuple[Polyhedron, tuple[Bore, ...]]]:
    """A block as cells of which each has at most one bore, as long as the cell: cut between bores and at their ends."""
    meeting = [bore for bore in bores if any(one.common(piece.planes) is not None for one in bore.solids(48))]
    if not meeting:
        return [(piece, ())]
    if len(meeting) > 1:
        one, other = meeting[:2]
        plane = _between(one, other)
        if plane is None:
            rule = "two round holes that are not coaxial meet, or no plane parts them; put them into cells of their own"
            raise ModelError.at(address, rule)
        halves = [piece.cut(sign * plane[:3], sign * plane[3]) for sign in (1.0, -1.0)]
        return [cell for half in halves if half is not None for cell in bored(half, meeting, address)]
    bore = meeting[0]
    axis, origin = bore.pose.rotation[:, 2], bore.pose.position
    low, high = bore.ends
    for sign, end in ((-1.0, low), (1.0, high)):
        offset = float(axis @ origin) + end
        beyond = piece.cut(-sign * axis, -sign * offset)
        if beyond is not None and beyond is not piece:
            rest = piece.cut(sign * axis, sign * offset)
            assert rest is not None
            return [(beyond, ()), *bored(rest, meeting, address)]
    heights = (piece.vertices - origin) @ axis
    here = bore.within(float(heights.min()), float(heights.max()))
    if len(here.pieces) > MOST_PIECES:
        rule = f"a round hole has {len(here.pieces)} pieces; contact takes {MOST_PIECES}: cut the block across it"
        raise ModelError.at(address, rule)
    return [(piece, (here,))]


def _between(one: Bore, other: Bore) -> np.ndarray | None:
    """A plane that parts two bores: across the shortest way between points of them, where that does."""
    points = [np.concatenate([s.vertices for s in bore.solids(48)]) for bore in (one, other)]
    ways = [np.eye(3)[k] for k in range(3)]
    ways += [points[1].mean(axis=0) - points[0].mean(axis=0)]
    for bore in (one, other):
        axis = bore.pose.rotation[:, 2]
        ways += [ways[3] - (ways[3] @ axis) * axis, axis]
    for way in ways[3:] + ways[:3]:
        if np.linalg.norm(way) == 0.0:
            continue
        n = way / np.linalg.norm(way)
        n = n if n @ ways[3] >= 0.0 else -n
        low, high = (points[0] @ n).max(), (points[1] @ n).min()
        if high >= low:
            return np.array([*n, 0.5 * (low + high)])
    return None
