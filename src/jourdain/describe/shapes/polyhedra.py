"""Convex polyhedra: from points, from half-spaces, cut, taken from each other, and the faces that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...basics.errors import ModelError
from .triangles import mass_properties

FLAT = 1e-10
"""Triangles of a hull whose planes differ by less than this, relative to its size, are one face."""
FLAT_TOGETHER = 1e-9
"""Faces that are nearer to each other than this, relative to the solids, lie on each other."""
TINY = 1e-12
"""A polyhedron thinner than this part of its size is none."""


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A convex solid with flat faces.

    vertices    (n, 3) [m]
    faces       for each face its vertices in order, seen from outside counter-clockwise
    planes      (m, 4) of each face: unit normal out of the solid, offset [m]; inside is normal . x <= offset
    """

    vertices: np.ndarray
    faces: tuple[tuple[int, ...], ...]
    planes: np.ndarray

    @cached_property
    def triangles(self) -> np.ndarray:
        """Its surface, (k, 3), winding outwards."""
        fans = [(f[0], f[i], f[i + 1]) for f in self.faces for i in range(1, len(f) - 1)]
        return np.array(fans, np.int64)

    @cached_property
    def properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Volume [m^3], centroid [m] and unit-density inertia about it [m^5]."""
        return mass_properties(self.vertices, self.triangles)

    @property
    def volume(self) -> float:
        return self.properties[0]

    @property
    def size(self) -> float:
        """Diagonal of its bounding box [m]."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0)))

    @property
    def edges(self) -> np.ndarray:
        """Pairs of vertices, each edge once, (e, 2)."""
        pairs = [(a, b) for f in self.faces for a, b in zip(f, f[1:] + f[:1], strict=True) if a < b]
        return np.array(pairs, np.int64)

    def moved(self, rotation: np.ndarray, position: np.ndarray) -> Polyhedron:
        """The same solid at a pose."""
        planes = self.planes.copy()
        planes[:, :3] = self.planes[:, :3] @ rotation.T
        planes[:, 3] += planes[:, :3] @ position
        return Polyhedron(self.vertices @ rotation.T + position, self.faces, planes)

    def cut(self, normal: np.ndarray, offset: float) -> Polyhedron | None:
        """What is below the plane normal . x = offset; None where nothing of any thickness is."""
        away = self.vertices @ normal - offset
        tolerance = TINY * self.size
        if away.max() <= tolerance:
            return self
        if away.min() >= -tolerance:
            return None
        a, b = self.edges.T
        crossed = (away[a] > tolerance) & (away[b] < -tolerance) | (away[a] < -tolerance) & (away[b] > tolerance)
        a, b = a[crossed], b[crossed]
        f = (away[a] / (away[a] - away[b]))[:, None]
        points = np.concatenate(
            [self.vertices[away <= tolerance], self.vertices[a] + f * (self.vertices[b] - self.vertices[a])]
        )
        return hull(points)

    def common(self, planes: np.ndarray) -> Polyhedron | None:
        """What is below all the planes (m, 4); None where nothing of any thickness is."""
        rest = self
        for plane in planes:
            below = rest.cut(plane[:3], plane[3])
            if below is None:
                return None
            rest = below
        return rest

    def without(self, other: Polyhedron) -> list[Polyhedron]:
        """Convex pieces that together are this solid without the other; a list of itself where they do not meet.

        Plane by plane of the other, what is above it is a piece, and what is below goes on.
        """
        rest: Polyhedron | None = self
        pieces = []
        for plane in _by_volume_above(self, other):
            assert rest is not None
            above = rest.cut(-plane[:3], -plane[3])
            if above is rest:
                return [self]
            rest = rest.cut(plane[:3], plane[3])
            if above is not None:
                pieces.append(above)
            if rest is None:
                return [self]
        return pieces


def _by_volume_above(solid: Polyhedron, other: Polyhedron) -> np.ndarray:
    """Planes of the other, those first that take the most away: fewer and larger pieces."""
    above = [solid.cut(-p[:3], -p[3]) for p in other.planes]
    taken = [0.0 if piece is None else piece.volume for piece in above]
    return other.planes[np.argsort(np.negative(taken), kind="stable")]


def box(lengths: Sequence[float]) -> Polyhedron:
    """A box about the origin, of these full lengths [m]."""
    half = 0.5 * np.asarray(lengths, float)
    vertices = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    planes = [(*(s * np.eye(3)[i]), half[i]) for i in range(3) for s in (-1, 1)]
    return Polyhedron(vertices, faces, np.array(planes))


def bounded(planes: np.ndarray, address: str) -> Polyhedron:
    """The polyhedron below all the planes (m, 4); a ModelError at ``address`` where it is empty or has no end.

    The largest ball inside shows whether there is anything, six more linear programs whether it is bounded.
    """
    from scipy.optimize import linprog
    from scipy.spatial import HalfspaceIntersection

    normals, offsets = planes[:, :3], planes[:, 3]
    scale = max(1e-300, float(np.abs(offsets).max()))
    rows = np.column_stack([normals, np.ones(len(planes))])
    ball = linprog([0, 0, 0, -1.0], rows, offsets / scale, bounds=[(None, None)] * 3 + [(None, 1.0)])
    if ball.status != 0 or ball.x[3] <= 1e-9:
        raise ModelError.at(address, "cell is empty: its shapes have nothing in common; move or enlarge them")
    for axis, name in enumerate("xyz"):
        for sign in (-1.0, 1.0):
            far = linprog(-sign * np.eye(3)[axis], normals, offsets / scale, bounds=[(None, None)] * 3)
            if far.status != 0:
                way = f"{'+' if sign > 0 else '-'}{name}"
                raise ModelError.at(
                    address, f"cell is unbounded: it has no end towards {way}; add a shape that ends it"
                )
    corners = HalfspaceIntersection(np.column_stack([normals, -offsets / scale]), ball.x[:3]).intersections
    found = hull(corners * scale)
    if found is None:
        raise ModelError.at(address, "cell encloses no volume; move or enlarge its shapes")
    return found


def hull(points: np.ndarray) -> Polyhedron | None:
    """The convex hull of points (n, 3); None where they enclose nothing. Triangles in one plane are one face."""
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 4:
        return None
    middle = points.mean(axis=0)
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    if size == 0.0:
        return None
    scaled = (points - middle) / size
    if np.linalg.svd(scaled, compute_uv=False)[-1] < TINY:
        return None
    try:
        found = ConvexHull(scaled)
    except QhullError:
        return None
    group = _coplanar(found.equations, found.neighbors)
    loops = {}
    for g in np.unique(group):
        members = np.flatnonzero(group == g)
        normal = found.equations[members[0], :3]
        loop = _outline(scaled, found.simplices[members], normal)
        if loop is not None:
            loops[g] = loop
    count = np.bincount(np.concatenate(list(loops.values())), minlength=len(points))
    kept = np.flatnonzero(count >= 3)
    place = np.full(len(points), -1)
    place[kept] = np.arange(len(kept))
    faces, planes = [], []
    for g, loop in loops.items():
        face = tuple(int(place[v]) for v in loop if place[v] >= 0)
        if len(face) >= 3:
            equation = found.equations[np.flatnonzero(group == g)[0]]
            faces.append(face)
            planes.append((*equation[:3], -equation[3] * size + equation[:3] @ middle))
    return Polyhedron(points[kept], tuple(faces), np.array(planes))


def _coplanar(equations: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Number of the face that each triangle of a hull belongs to."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(equations)
    a, b = np.repeat(np.arange(n), neighbours.shape[1]), neighbours.ravel()
    same = np.abs(equations[a] - equations[b]).max(axis=1) < FLAT
    graph = coo_matrix((np.ones(same.sum()), (a[same], b[same])), shape=(n, n))
    return connected_components(graph, directed=False)[1]


def _outline(points: np.ndarray, triangles: np.ndarray, normal: np.ndarray) -> list[int] | None:
    """The boundary of triangles in one plane, counter-clockwise about the normal."""
    following: dict[int, int] = {}
    sides = set()
    for t in triangles:
        a, b, c = points[t]
        order = t if np.cross(b - a, c - a) @ normal >= 0.0 else t[::-1]
        sides |= {(int(order[i]), int(order[(i + 1) % 3])) for i in range(3)}
    following = {a: b for a, b in sides if (b, a) not in sides}
    if len(following) < 3:
        return None
    loop = [next(iter(following))]
    while len(loop) <= len(following):
        step = following.get(loop[-1])
        if step is None or step == loop[0]:
            break
        loop.append(step)
    return loop


def trivalent(solid: Polyhedron) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3), each with three edges, and where these lead: edge m of vertex w is the number 4 w + m.

    A vertex of more edges becomes a chain of vertices at one place. Come in by edge k, leave by the next: that goes
    round a face, seen from outside counter-clockwise.
    """
    after: list[dict[int, int]] = [{} for _ in solid.vertices]
    for face in solid.faces:
        for i, b in enumerate(face):
            after[b][face[i - 1]] = face[(i + 1) % len(face)]
    points: list[np.ndarray] = []
    home: dict[tuple[int, int], int] = {}
    links: list[list[int]] = []
    for b, turn in enumerate(after):
        ring = [next(iter(turn))]
        while len(ring) < len(turn):
            ring.append(turn[ring[-1]])
        at, n = len(points), len(ring)
        points += [solid.vertices[b]] * (n - 2)
        links += [[-1, -1, -1] for _ in range(n - 2)]
        home[b, ring[0]] = 4 * at
        home[b, ring[-1]] = 4 * (at + n - 3) + 2
        for i in range(1, n - 1):
            home[b, ring[i]] = 4 * (at + i - 1) + 1
        for i in range(n - 3):
            links[at + i][2], links[at + i + 1][0] = 4 * (at + i + 1), 4 * (at + i) + 2
    for (a, b), h in home.items():
        links[h >> 2][h & 3] = home[b, a]
    return np.array(points), np.array(links, np.int64)


def shared_faces(solids: Sequence[Polyhedron | None]) -> Iterator[tuple[int, int, np.ndarray]]:
    """Pairs of solids and the polygons (k, 3) in which their faces lie on each other, from opposite sides."""
    there = [(k, solid) for k, solid in enumerate(solids) if solid is not None]
    if not there:
        return
    low = np.array([solid.vertices.min(axis=0) for _, solid in there])
    high = np.array([solid.vertices.max(axis=0) for _, solid in there])
    sizes = np.linalg.norm(high - low, axis=1)
    for at, (i, one) in enumerate(there):
        slack = FLAT_TOGETHER * np.maximum(sizes[at], sizes[at + 1 :])
        near = (low[at + 1 :] <= high[at] + slack[:, None]).all(axis=1)
        near &= (high[at + 1 :] >= low[at] - slack[:, None]).all(axis=1)
        for k in np.flatnonzero(near):
            j, other = there[at + 1 + k]
            for polygon in _on_each_other(one, other, float(slack[k])):
                yield i, j, polygon


def _on_each_other(one: Polyhedron, other: Polyhedron, slack: float) -> Iterator[np.ndarray]:
    opposite = np.abs(one.planes[:, None, :3] + other.planes[None, :, :3]).max(axis=2) < FLAT_TOGETHER
    opposite &= np.abs(one.planes[:, None, 3] + other.planes[None, :, 3]) < slack
    for i, j in zip(*np.nonzero(opposite), strict=True):
        polygon = one.vertices[list(one.faces[i])]
        for k, plane in enumerate(other.planes):
            if k != j and len(polygon):
                polygon = clipped(polygon, plane[:3], plane[3])
        if len(polygon) >= 3 and area_of(polygon) > FLAT_TOGETHER * min(one.size, other.size) ** 2:
            yield polygon


def clipped(polygon: np.ndarray, normal: np.ndarray, offset: float) -> np.ndarray:
    """What of a convex polygon (k, 3) is below a plane."""
    away = polygon @ normal - offset
    out = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if away[i] <= 0.0:
            out.append(polygon[i])
        if (away[i] <= 0.0) != (away[j] <= 0.0):
            out.append(polygon[i] + away[i] / (away[i] - away[j]) * (polygon[j] - polygon[i]))
    return np.array(out).reshape(-1, 3)


def area_of(polygon: np.ndarray) -> float:
    """Area of a flat polygon (k, 3) [m^2]."""
    spokes = polygon[1:] - polygon[0]
    return 0.5 * float(np.linalg.norm(np.cross(spokes[:-1], spokes[1:]).sum(axis=0)))
