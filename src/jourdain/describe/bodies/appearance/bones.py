"""What a body looks like: surfaces bound to bones, and where its bones are.

A *bone* is a frame that carries what is drawn. Bone 0 is the body's own frame; the others follow its deformation.

Meshes that bend with the body that they are made for: a skin over the bones along a beam.

A vertex at x is carried by the two bones beside it, in the share of its distance from them (linear blend skinning,
Magnenat-Thalmann et al. 1988), so that it moves with the deflection and turns with the section. Edges that are long
along x are divided first: a box of twelve triangles would stay straight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....basics import quaternions as Q
from ....basics.errors import ModelError, Problem, inside
from ....basics.pose import Pose
from ....basics.values import shown
from ...shapes import Paint, Placed, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..body import Body


STATIONS = 15
"""Bones along a beam, besides those at its frames."""
SLENDEREST, THICKEST = 1.0 / 300.0, 1.0 / 12.0
"""Least and largest radius that a beam is drawn with, over its length: beams of papers may have any EA."""
ROD = 0.025
"""Radius of a rod that stands for a body without a shape, over the distance that it spans."""
WATER = 1000.0
"""Density of the ball that stands for a point mass [kg/m^3]."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle surface of the undeformed body, in its own axes.

    vertices    (n, 3) [m]
    faces       (m, 3) winding outwards
    bones       two of the body's bones that carry each vertex, (n, 2)
    weights     how much each does, (n, 2), their sum 1
    nodes       of a body of finite elements: the node that each vertex is (n,); None of others
    paint       what it is painted with; None for a colour that the viewer chooses
    uv          places of the vertices in the picture of the paint (n, 2); None for none
    """

    vertices: np.ndarray
    faces: np.ndarray
    bones: np.ndarray
    weights: np.ndarray
    nodes: np.ndarray | None = None
    paint: Paint | None = None
    uv: np.ndarray | None = None

    @classmethod
    def rigid(cls, vertices: np.ndarray, faces: np.ndarray, bone: int = 0) -> Surface:
        """A surface that one bone carries."""
        n = len(vertices)
        weights = np.tile([1.0, 0.0], (n, 1))
        return cls(np.asarray(vertices, float), np.asarray(faces, np.int64), np.full((n, 2), bone), weights)


class Skeleton(NamedTuple):
    """The bones of a body over time.

    rest       undeformed, each in the bone that carries it: position and quaternion (nb, 7)
    poses      in the body's own axes (nt, nb, 7)
    parent     bone that carries each, -1 for the first
    elastic    whether the bone departs from `rest` by deformation only, which a viewer may magnify
    frames     the bone of every frame of the body, by name
    bound      undeformed, in the body's own axes, where surfaces are bound (nb, 7)
    """

    rest: np.ndarray
    poses: np.ndarray
    parent: np.ndarray
    elastic: np.ndarray
    frames: dict[str, int]
    bound: np.ndarray


def one_bone(body: Body, samples: int) -> Skeleton:
    """The skeleton of a body that does not deform."""
    rest = Q.IDENTITY[None].copy()
    frames = dict.fromkeys(body.frame_names(), 0)
    return Skeleton(rest, np.tile(rest, (samples, 1, 1)), np.array([-1]), np.array([False]), frames, rest)


def attached(positions: np.ndarray, poses: np.ndarray, frames: Mapping[str, int]) -> Skeleton:
    """A skeleton of bones that the body's frame carries, behind bone 0.

    positions    undeformed (m, 3) [m]
    poses        in the body's own axes (nt, m, 7)
    frames       which of these m each frame has, -1 for the body's own
    """
    m = len(positions)
    rest = np.tile(Q.IDENTITY, (m + 1, 1))
    rest[1:, :3] = positions
    own = np.tile(Q.IDENTITY, (len(poses), 1, 1))
    return Skeleton(
        rest,
        np.concatenate([own, poses], axis=1),
        np.array([-1] + m * [0]),
        np.array([False] + m * [True]),
        {name: i + 1 for name, i in frames.items()},
        rest,
    )


def along_a_length(
    f: np.ndarray, length: np.ndarray, bound_length: float, bent: np.ndarray, frames: Mapping[str, int]
) -> Skeleton:
    """Two bones a place of a line whose length changes: on the straight line, and, carried by that, on the bent one.

    f               fractions of the length (m,)
    length          (nt, 1) [m]
    bound_length    where surfaces are bound [m]
    bent            poses (nt, m, 7) in the body's own axes
    frames          which of these m each frame has
    """
    m, nt = len(f), len(bent)
    straight = np.tile(Q.IDENTITY, (nt, m, 1))
    straight[..., 0] = f * length
    own = np.tile(Q.IDENTITY, (nt, 1, 1))
    poses = np.concatenate([own, np.stack([straight, bent], axis=2).reshape(nt, 2 * m, 7)], axis=1)
    bound = np.tile(Q.IDENTITY, (2 * m + 1, 1))
    bound[1:, 0] = np.repeat(f * bound_length, 2)
    rest = bound.copy()
    rest[2::2] = Q.IDENTITY
    parent = np.concatenate([[-1], np.stack([np.zeros(m, int), 1 + 2 * np.arange(m)], axis=1).ravel()])
    elastic = np.concatenate([[False], np.tile([False, True], m)])
    return Skeleton(rest, poses, parent, elastic, {name: 2 + 2 * i for name, i in frames.items()}, bound)


def section_turn(scheme: str, theta: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of the sections of a beam along x that are turned by theta (..., 3) [rad].

    The schemes are those of `kernels.bodies.rotation_schemes.section_rotation`; "integrated", whose rotation is a state
    where there is a frame, is the exponential elsewhere, which agrees with it to first order.
    """

    def about(axis: int) -> np.ndarray:
        only = np.zeros_like(theta)
        only[..., axis] = theta[..., axis]
        return Q.exponential(only)

    if scheme == "none":
        return np.broadcast_to(Q.IDENTITY[3:], (*theta.shape[:-1], 4)).copy()
    if scheme == "linear":
        return Q.normalised(np.concatenate([np.ones_like(theta[..., :1]), 0.5 * theta], axis=-1))
    if scheme == "euler-321":
        return Q.multiply(Q.multiply(about(2), about(1)), about(0))
    if scheme == "euler-123":
        return Q.multiply(Q.multiply(about(0), about(1)), about(2))
    bend = theta * np.array([0.0, 1.0, 1.0])
    return Q.multiply(Q.exponential(bend), about(0))


def stations_of(fractions: Iterable[float]) -> np.ndarray:
    """Fractions of a beam's length with a bone each: evenly from end to end, and where its frames are."""
    even = np.linspace(0.0, 1.0, STATIONS)
    places = np.unique(np.concatenate([even, np.fromiter(fractions, float)]))
    frames = set(np.fromiter(fractions, float).tolist()) | {0.0, 1.0}
    keep = [f for f in places.tolist() if f in frames or min(abs(f - g) for g in frames) > 0.25 / (STATIONS - 1)]
    return np.array(keep)


def section_radii(EA: np.ndarray, EI: tuple[np.ndarray, np.ndarray], length: float) -> np.ndarray:
    """Half axes along y and z (m, 2) of the solid elliptic section with these stiffnesses, within what can be drawn.

    Of an ellipse I_z / A = a_y^2 / 4, so a_y = 2 sqrt(EI_a / EA), where a resists deflection along y.
    """
    radii = 2.0 * np.sqrt(np.stack([EI[0] / EA, EI[1] / EA], axis=-1))
    return np.clip(radii, SLENDEREST * length, THICKEST * length)


def bending_tube(x: np.ndarray, radii: np.ndarray, first: int = 1, step: int = 1) -> Surface:
    """A tube along x whose ring at station i is carried by bone ``first + step i`` alone."""
    from ...shapes.tessellation import tube

    segments = 16
    vertices, faces = tube(x, radii, segments)
    station = np.concatenate([np.repeat(np.arange(len(x)), segments), [0, len(x) - 1]])
    bones = np.repeat((first + step * station)[:, None], 2, axis=1)
    return Surface(vertices, faces, bones, np.tile([1.0, 0.0], (len(vertices), 1)))


def bending_rod(start: np.ndarray, end: np.ndarray, radius: float, bones: tuple[int, int]) -> Surface:
    """A rod from one bone to another that leaves each as a clamped one does.

    With weights 3 s^2 - 2 s^3 of the second bone its ends have the bones' slopes.
    """
    from ...shapes.tessellation import rod

    stations, segments = 12, 12
    vertices, faces = rod(start, end, radius, stations, segments)
    s = np.concatenate([np.repeat(np.linspace(0.0, 1.0, stations), segments), [0.0, 1.0]])
    w = s * s * (3.0 - 2.0 * s)
    return Surface(vertices, faces, np.tile(bones, (len(vertices), 1)), np.stack([1.0 - w, w], axis=1))


def shape_surfaces(placed: Placed, pose: Pose, size: float) -> list[Surface]:
    """A shape put at a pose in body axes, a surface for each of its paints; `size` as in
    `jourdain.describe.shapes.tessellation.mesh_of`."""
    from ...shapes.tessellation import mesh_of

    vertices, faces = mesh_of(placed.shape, size)
    vertices = pose.apply(vertices)
    pieces = placed.shape.pieces()
    out = [] if pieces else [Surface.rigid(vertices, faces)]
    for paint, triangles, uv in pieces:
        used, corners = np.unique(triangles, return_inverse=True)
        spots = None if uv is None else uv[used]
        out.append(replace(Surface.rigid(vertices[used], corners.reshape(-1, 3)), paint=paint, uv=spots))
    return out


def small_ball(place: np.ndarray, radius: float) -> list[Surface]:
    """What stands for a body without a shape among others that are drawn as they are."""
    from ...shapes import Sphere

    vertices, faces = Sphere(radius).to_mesh(12)
    return [Surface.rigid(vertices + place, faces)]


def box_of_inertia(mass: float, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Edge lengths (3,) [m] and axes (3, 3) of the homogeneous box with a mass and an inertia about its centre.

    a^2 = 6 (I_y + I_z - I_x) / m and so on for the principal moments; None for a point mass. Edges are drawn at least
    a twenty-fifth as long as the longest.
    """
    if not mass > 0.0:
        return None
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    lengths = np.sqrt(np.maximum(6.0 * (moments.sum() - 2.0 * moments) / mass, 0.0))
    if not lengths.max() > 0.0:
        return None
    return np.maximum(lengths, 0.04 * lengths.max()), axes


def surfaces_of_inertia(mass: float, com: np.ndarray, inertia: np.ndarray, places: list[np.ndarray]) -> list[Surface]:
    """What stands for a body without a shape: the homogeneous box with its inertia, and rods out to its frames.

    A point mass is a ball as one of water would be, no larger than a tenth of what the rods span.
    """
    from ...shapes import Sphere
    from ...shapes.tessellation import box, rod

    reach = max((float(np.linalg.norm(place - com)) for place in places), default=0.0)
    found = box_of_inertia(mass, inertia)
    if found is None:
        radius = float(np.cbrt(3.0 * max(mass, 1e-9) / (4.0 * np.pi * WATER)))
        radius = min(radius, 0.1 * reach) if reach > 0.0 else radius
        vertices, faces = Sphere(radius).to_mesh(16)
        out = [Surface.rigid(vertices + com, faces)]
        lengths, axes = np.full(3, 2.0 * radius), np.eye(3)
    else:
        lengths, axes = found
        out = [Surface.rigid(*box(lengths, com, axes))]
    for place in places:
        span = float(np.linalg.norm(place - com))
        beyond = np.abs((place - com) @ axes) > 0.5 * lengths * 1.02
        if span > 0.0 and np.any(beyond):
            out.append(Surface.rigid(*rod(com, place, ROD * reach)))
    return out


def rods_to_frames(body: Body) -> list[Surface]:
    """Rods from a body's origin to its frames, each following the bone of its frame."""
    from ...shapes import Sphere
    from ...shapes.tessellation import rod

    bones = body.skeleton(np.zeros((1, len(body.internal)))).frames
    places = {name: body.frame(name).position for name in body.frame_names()}
    reach = max(float(np.linalg.norm(place)) for place in places.values())
    if not reach > 0.0:
        return [Surface.rigid(*Sphere(0.05).to_mesh(16))]
    out, seen = [], set()
    for name, place in places.items():
        key = tuple(place.tolist())
        if not np.any(place) or key in seen:
            continue
        seen.add(key)
        if bones[name]:
            out.append(bending_rod(np.zeros(3), place, ROD * reach, (0, bones[name])))
        else:
            out.append(Surface.rigid(*rod(np.zeros(3), place, ROD * reach)))
    return out


MOST = 200_000
"""Triangles above which edges are not divided any more."""


def as_placed(shape: Any, name: str) -> Placed | None:
    """A shape, a shape on a frame, or None, as a shape on a frame."""
    if isinstance(shape, Shape):
        return shape.at("origin")
    if shape is not None and not isinstance(shape, Placed):
        raise ModelError.at(f"{name}: shape", f"got {shown(shape)}; give a shape or shape.at(...)")
    return shape


def place_of(shape: Placed, body: Body) -> Pose:
    """Pose of a shape in body axes."""
    return body.frame(shape.address.removeprefix(f"{body.name}.")) @ shape.pose


def shape_problems(shape: Placed, body: Body) -> list[Problem]:
    """Everything wrong with a shape and its place on a body."""
    problems = inside("shape", shape.check(str(body.name)))
    try:
        place_of(shape, body)
    except ModelError as error:
        problems += error.problems
    return problems


def carried_over(body: Body, place: Pose) -> Placed | None:
    """What a rigid body looks like, in the axes of the body that takes its place at a pose in it."""
    shape = getattr(body, "shape", None)
    if shape is None:
        return None
    return Placed(shape.shape, "origin", place.inverse() @ place_of(shape, body))


def skin(body: Body, shape: Placed, x: np.ndarray, size: float, first: int = 1) -> list[Surface]:
    """The surfaces of a shape, bound to bones that lie along x.

    x        of the bones, rising (m,) [m]; bone `first` is at x[0]
    size     side of what is drawn of a shape without end [m]
    """
    return [bound(one, x, first) for one in shape_surfaces(shape, place_of(shape, body), size)]


def bound(surface: Surface, x: np.ndarray, first: int = 1) -> Surface:
    """A surface that two of the bones along x carry at each vertex; beyond the ends the last one alone."""
    surface = divided(surface, float(np.max(np.diff(x))))
    here = np.clip(surface.vertices[:, 0], x[0], x[-1])
    left = np.clip(np.searchsorted(x, here, side="right") - 1, 0, len(x) - 2)
    share = (here - x[left]) / (x[left + 1] - x[left])
    bones = first + np.stack([left, left + 1], axis=1)
    return replace(surface, bones=bones, weights=np.stack([1.0 - share, share], axis=1))


def divided(surface: Surface, longest: float) -> Surface:
    """The same surface, no edge of which is longer along x than `longest` [m], as far as `MOST` triangles allow.

    An edge is halved or not for itself, so that triangles that share it stay joined.
    """
    vertices, faces, uv = surface.vertices, surface.faces, surface.uv
    while len(faces) < MOST:
        pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
        edges, which = np.unique(pairs, axis=0, return_inverse=True)
        long = np.abs(vertices[edges[:, 0], 0] - vertices[edges[:, 1], 0]) > longest * (1.0 + 1e-9)
        if not np.any(long):
            break
        middle = np.full(len(edges), -1)
        middle[long] = len(vertices) + np.arange(np.count_nonzero(long))
        vertices = np.concatenate([vertices, vertices[edges[long]].mean(axis=1)])
        uv = None if uv is None else np.concatenate([uv, uv[edges[long]].mean(axis=1)])
        faces = _halved(faces, middle[which.reshape(-1, 3)])
    n = len(vertices)
    return replace(
        surface,
        vertices=vertices,
        faces=faces,
        uv=uv,
        bones=np.zeros((n, 2), np.int64),
        weights=np.tile([1.0, 0.0], (n, 1)),
    )


def _halved(faces: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Triangles (m, 3) with new vertices in the middle of some edges (m, 3), -1 for none; edge k leaves corner k."""
    count = (middle >= 0).sum(axis=1)
    out = [faces[count == 0]]
    for k in range(3):  # corners and middles counted from the edge at hand
        a, b, c = (np.roll(faces, -k, axis=1)[:, i] for i in range(3))
        ab, bc, ca = (np.roll(middle, -k, axis=1)[:, i] for i in range(3))
        one = (count == 1) & (ab >= 0)
        out += [np.stack(three, axis=1)[one] for three in ((a, ab, c), (ab, b, c))]
        two = (count == 2) & (ca < 0)
        out += [np.stack(three, axis=1)[two] for three in ((ab, b, bc), (a, ab, bc), (a, bc, c))]
    a, b, c = faces[count == 3].T
    ab, bc, ca = middle[count == 3].T
    out += [np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return np.concatenate(out)
