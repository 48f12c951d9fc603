"""The kernels of curved overlaps, callable from Python, and what they are compared with."""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numba.extending import overload

from jourdain.kernels.algebra import Mat3, Vec3
from jourdain.kernels.contact.overlap_volumes import (
    capsule_overlap,
    polyhedron_hole,
    revolution_polyhedron,
    sphere_overlap,
    spherical_caps,
)
from jourdain.kernels.contact.overlap_volumes import cone_plane as cones
from jourdain.kernels.contact.overlap_volumes import cylinder_cylinder as crossed
from jourdain.kernels.contact.overlap_volumes import cylinder_plane as cylinders
from jourdain.kernels.contact.overlap_volumes import overlap_layout as rows_of
from jourdain.kernels.contact.overlap_volumes import peg_hole as pegs
from jourdain.kernels.contact.overlap_volumes.overlap_values import Revolved, Wall

AXES = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)


class Part(NamedTuple):
    """An overlap part; N is area times mean normal of the second's surface in the first."""

    V: float
    c: np.ndarray
    J: np.ndarray
    N: np.ndarray
    key: int = 0


def part(found) -> Part:
    """Of what a kernel returned."""
    return Part(found[0], *map(np.array, found[1:]))


def flat(rotation) -> tuple[float, ...]:
    """A rotation matrix, or three numbers, as kernels take them."""
    return tuple(float(x) for x in np.asarray(rotation, float).ravel())


def _walls(holes):
    """Pieces of a hole (a, b, z0, z1) as kernels take them."""
    return tuple(map(Wall, holes))


def _revolved_pieces(holes):
    """The same of pieces (a, b, c, z0, z1)."""
    return tuple(map(Revolved, holes))


def _each(holes, kind):
    """A function that makes values of one or more pieces, whose number Numba knows."""
    body = ", ".join(f"{kind}(holes[{k}])" for k in range(len(holes)))
    made: dict = {}
    exec(f"def of_pieces(holes):\n    return ({body},)\n", {"Wall": Wall, "Revolved": Revolved}, made)  # noqa: S102
    return made["of_pieces"]


@numba.njit
def _numbers(part, N):
    return part.volume, tuple(part.centroid), tuple(part.inertia), tuple(N)


@numba.njit
def _sphere_plane(centre, radius, n, offset):
    return _numbers(spherical_caps.sphere_plane(Vec3(centre), radius, Vec3(n), offset), Vec3(n))


@numba.njit
def _sphere_sphere(a, ra, b, rb):
    return _numbers(*spherical_caps.sphere_sphere(Vec3(a), ra, Vec3(b), rb))


@numba.njit
def _cylinder_plane(R, p, radius, half, n, offset):
    return _numbers(cylinders.cylinder_plane(Mat3(R), Vec3(p), radius, half, Vec3(n), offset), Vec3(n))


@numba.njit
def _cone_plane(R, p, radius, length, n, offset):
    return _numbers(cones.cone_plane(Mat3(R), Vec3(p), radius, length, Vec3(n), offset), Vec3(n))


@numba.njit
def _sphere_polyhedron(centre, radius, planes, lines, breaks):
    found = rows_of.half_spaces(planes)
    return _numbers(
        *sphere_overlap.sphere_polyhedron(Vec3(centre), radius, found, len(planes), rows_of.slice_lines(lines), breaks)
    )


@numba.njit
def _revolved(R, p, solid, planes, lines, breaks):
    found, lines = rows_of.half_spaces(planes), rows_of.slice_lines(lines)
    return _numbers(
        *revolution_polyhedron.revolved_polyhedron(Mat3(R), Vec3(p), Revolved(solid), found, len(planes), lines, breaks)
    )


@numba.njit
def _cone_polyhedron(R, p, radius, length, planes, lines, breaks):
    found, lines = rows_of.half_spaces(planes), rows_of.slice_lines(lines)
    return _numbers(
        *revolution_polyhedron.cone_polyhedron(Mat3(R), Vec3(p), radius, length, found, len(planes), lines, breaks)
    )


@numba.njit
def _capsule_polyhedron(R, p, radius, half, planes, lines, breaks):
    found, lines = rows_of.half_spaces(planes), rows_of.slice_lines(lines)
    return _numbers(
        *capsule_overlap.capsule_polyhedron(Mat3(R), Vec3(p), radius, half, found, len(planes), lines, breaks)
    )


@numba.njit
def _box_planes(R, p, half, planes):
    return revolution_polyhedron.box_planes(Mat3(R), Vec3(p), half, rows_of.half_spaces(planes))


@numba.njit
def _sphere_cylinder(R, p, wide, half, hole, centre, radius):
    return _numbers(*sphere_overlap.sphere_cylinder(Mat3(R), Vec3(p), wide, half, hole, Vec3(centre), radius))


@numba.njit
def _sphere_cone(R, p, wide, length, hole, centre, radius):
    return _numbers(*sphere_overlap.sphere_cone(Mat3(R), Vec3(p), wide, length, hole, Vec3(centre), radius))


@numba.njit
def _sphere_capsule(R, p, wide, half, centre, radius):
    return _numbers(*sphere_overlap.sphere_capsule(Mat3(R), Vec3(p), wide, half, Vec3(centre), radius))


@numba.njit
def _cylinder_cylinder(R, p, ra, ha, Q, q, rb, hb, polygon, breaks):
    return _numbers(*crossed.cylinder_cylinder(Mat3(R), Vec3(p), ra, ha, Mat3(Q), Vec3(q), rb, hb, polygon, breaks))


@overload(_walls)
def _walls_of(holes):
    return _each(holes, "Wall")


@overload(_revolved_pieces)
def _revolved_pieces_of(holes):
    return _each(holes, "Revolved")


@numba.njit
def _peg_hole(R, p, holes, Q, q, radius, half, rows):
    walls, found = _walls(holes), rows_of.sliced_parts(rows)
    return pegs.peg_hole(Mat3(R), Vec3(p), walls, (True, True), Mat3(Q), Vec3(q), radius, half, found, (1, 1), True)


@numba.njit
def _polyhedron_hole(R, p, holes, Q, q, planes, lines, breaks, pieces, parts, rows):
    return polyhedron_hole.polyhedron_hole(
        Mat3(R),
        Vec3(p),
        _revolved_pieces(holes),
        (True, True),
        Mat3(Q),
        Vec3(q),
        rows_of.half_spaces(planes),
        len(planes),
        rows_of.slice_lines(lines),
        breaks,
        rows_of.side_pieces(pieces),
        rows_of.gathered_parts(parts),
        rows_of.sliced_parts(rows),
    )


def box_planes(R, p, half) -> np.ndarray:
    """Rows (normal, offset) of a box."""
    planes = np.zeros((6, 4))
    _box_planes(flat(R), flat(p), flat(half), planes)
    return planes


def _scratch(planes):
    return planes, np.zeros((len(planes), rows_of.SliceLine.size)), np.zeros(revolution_polyhedron.BREAKS)


def sphere_plane(centre, radius, n, offset) -> Part:
    """Of a ball and a half-space."""
    return part(_sphere_plane(flat(centre), radius, flat(n), offset))


def sphere_sphere(a, ra, b, rb) -> Part:
    """Of two balls."""
    return part(_sphere_sphere(flat(a), ra, flat(b), rb))


def cylinder_plane(R, p, radius, half, n, offset) -> Part:
    """Of a cylinder and a half-space."""
    return part(_cylinder_plane(flat(R), flat(p), radius, half, flat(n), offset))


def cone_plane(R, p, radius, length, n, offset) -> Part:
    """Of a cone and a half-space."""
    return part(_cone_plane(flat(R), flat(p), radius, length, flat(n), offset))


def sphere_polyhedron(centre, radius, planes) -> Part:
    """Of a ball and a convex polyhedron."""
    return part(_sphere_polyhedron(flat(centre), radius, *_scratch(planes)))


def sphere_along(R, centre, radius, planes) -> Part:
    """The same in slices across the z axis of R."""
    solid = (radius**2, 0.0, -1.0, -radius, radius)
    return part(_revolved(flat(R), flat(centre), solid, *_scratch(planes)))


def cylinder_polyhedron(R, p, radius, half, planes) -> Part:
    """Of a cylinder and a convex polyhedron."""
    return part(_revolved(flat(R), flat(p), (radius**2, 0.0, 0.0, -half, half), *_scratch(planes)))


def cone_polyhedron(R, p, radius, length, planes) -> Part:
    """Of a cone and a convex polyhedron."""
    return part(_cone_polyhedron(flat(R), flat(p), radius, length, *_scratch(planes)))


def capsule_polyhedron(R, p, radius, half, planes) -> Part:
    """Of a capsule and a convex polyhedron, or a half-space."""
    return part(_capsule_polyhedron(flat(R), flat(p), radius, half, *_scratch(planes)))


def sphere_cylinder(R, p, wide, half, hole, centre, radius) -> Part:
    """Of a ball and a cylinder, or the slab around such a hole."""
    return part(_sphere_cylinder(flat(R), flat(p), wide, half, hole, flat(centre), radius))


def sphere_cone(R, p, wide, length, hole, centre, radius) -> Part:
    """Of a ball and a cone, or all around such a hole."""
    return part(_sphere_cone(flat(R), flat(p), wide, length, hole, flat(centre), radius))


def sphere_capsule(R, p, wide, half, centre, radius) -> Part:
    """Of a ball and a capsule."""
    return part(_sphere_capsule(flat(R), flat(p), wide, half, flat(centre), radius))


def cylinder_cylinder(R, p, ra, ha, Q, q, rb, hb) -> Part:
    """Of two cylinders."""
    scratch = np.zeros((2 * crossed.CROSSED_CORNERS, 2)), np.zeros(64)
    return part(_cylinder_cylinder(flat(R), flat(p), ra, ha, flat(Q), flat(q), rb, hb, *scratch))


def _rows(rows) -> list[Part]:
    return [Part(r[0], r[1:4].copy(), r[4:10].copy(), r[10:13].copy(), int(r[13])) for r in rows]


def peg_hole(holes, Q, q, radius, half, R=AXES, p=ORIGIN) -> list[Part]:
    """Parts of a peg and the solid around a hole of pieces (a, b, z0, z1)."""
    rows = np.zeros((2, rows_of.SlicedPart.size))
    return _rows(rows[: _peg_hole(flat(R), flat(p), holes, flat(Q), flat(q), radius, half, rows)])


def box_hole(holes, Q, q, half, R=AXES, p=ORIGIN) -> list[Part]:
    """Parts of a box and the solid around a hole of pieces (a, b, c, z0, z1)."""
    planes = box_planes(Q, q, half)
    scratch = (
        np.zeros((12, rows_of.SidePiece.size)),
        np.zeros((polyhedron_hole.GATHERED_MOST, rows_of.GatheredPart.size)),
        np.zeros((8, rows_of.SlicedPart.size)),
    )
    count = _polyhedron_hole(flat(R), flat(p), holes, flat(Q), flat(q), *_scratch(planes), *scratch)
    return _rows(scratch[-1][:count])


def second_moments(J) -> np.ndarray:
    """The matrix of second moments about the centroid of an inertia."""
    xx, yy, zz, xy, xz, yz = J
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return 0.5 * np.trace(tensor) * np.eye(3) - tensor


def moments(parts: list[Part]) -> np.ndarray:
    """Ten moments about the origin of some parts together: they add."""
    total = np.zeros(10)
    for p in parts:
        M = second_moments(p.J) + p.V * np.outer(p.c, p.c)
        total += [p.V, *(p.V * p.c), M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]]
    return total


def solid_part(volume, inertia, rotation=AXES, place=ORIGIN, centroid=ORIGIN) -> Part:
    """A whole solid, from its volume, inertia and centroid in its own axes."""
    rotation = np.reshape(rotation, (3, 3))
    J = rotation @ np.asarray(inertia) @ rotation.T
    six = np.array([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
    return Part(volume, np.asarray(place) + rotation @ np.asarray(centroid), six, np.zeros(3))


def mesh_moments(manifold) -> np.ndarray:
    """Ten moments about the origin of a manifold3d solid."""
    mesh = manifold.to_mesh64()
    v, f = np.array(mesh.vert_properties, float)[:, :3], np.array(mesh.tri_verts)
    if len(f) == 0:
        return np.zeros(10)
    a, b, c = (v[f[:, i]] for i in range(3))
    d, s = np.einsum("ij,ij->i", a, np.cross(b, c)), a + b + c
    M = sum(np.einsum("i,ij,ik->jk", d, x, x) for x in (a, b, c, s)) / 120.0
    first = (d[:, None] * s).sum(0) / 24.0
    return np.array([d.sum() / 6.0, *first, M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]])


def refined(build, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Moments of `build(n)`, a solid of n segments a turn, extrapolated to infinitely many, and the last correction.

    A chord misses its arc by 1 / n^2, so two meshes give it to 1 / n^4.
    """
    coarse, fine = mesh_moments(build(n)), mesh_moments(build(2 * n))
    return fine + (fine - coarse) / 3.0, np.abs(fine - coarse)


def placed(manifold, rotation, position):
    """A manifold3d solid at a pose."""
    return manifold.transform(np.hstack([np.asarray(rotation).reshape(3, 3), np.reshape(position, (3, 1))]))


def slope(function, step: float = 1e-5) -> float:
    """Derivative at 0 by central differences of fourth order."""
    return (8.0 * (function(step) - function(-step)) - function(2 * step) + function(-2 * step)) / (12.0 * step)


def lune(r: float, R: float, e: float) -> float:
    """Area of a disc of radius r, e off the middle of a disc of radius R, that is outside of it; they cross."""
    d = (e * e + R * R - r * r) / (2.0 * e)
    h = math.sqrt(R * R - d * d)
    common = R * R * math.atan2(h, d) + r * r * math.atan2(h, e - d) - e * h
    return math.pi * r * r - common
