"""Closed triangle surfaces: what they enclose, what is wrong with them, and surfaces of revolution."""

from __future__ import annotations

import numpy as np

from ...basics.errors import Problem


def mass_properties(vertices: np.ndarray, triangles: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Signed volume [m^3], centroid [m] and unit-density inertia about it [m^5] of a closed surface.

    Sum over the tetrahedra (o, a, b, c) of every triangle with a point o, each with the sign of
    ``d = a . (b x c)``, a, b, c being taken from o (the divergence theorem for polynomials up to degree two:
    Mirtich 1996, J. Graphics Tools 1(2); Eberly, Polyhedral Mass Properties Revisited, 2002):

        volume            = sum d / 6
        volume * centroid = sum d (a + b + c) / 24
        second moments C  = sum d (a a^T + b b^T + c c^T + s s^T) / 120,    s = a + b + c
        inertia           = trace(C) 1 - C

    o is the middle of the vertices, so that a surface far from its origin loses no digits. The volume is
    negative when the triangles wind inwards; centroid and inertia are those of the solid either way.
    """
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    a, b, c = np.moveaxis((vertices - middle)[triangles], 1, 0)
    d = np.einsum("ij,ij->i", a, np.cross(b, c))
    s = a + b + c
    volume = float(d.sum() / 6.0)
    if volume == 0.0:
        return 0.0, middle, np.zeros((3, 3))
    centre = d @ s / (24.0 * volume)
    second = sum((x * d[:, None]).T @ x for x in (a, b, c, s)) / 120.0
    second = np.sign(volume) * (second - volume * np.outer(centre, centre))
    second = 0.5 * (second + second.T)
    return volume, middle + centre, np.trace(second) * np.eye(3) - second


def half_width(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """Half the least extent of a convex solid across one of its faces [m]; vertices (n, 3), triangles (m, 3)."""
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals[lengths > 0.0] / lengths[lengths > 0.0, None]
    least = np.inf
    for some in np.array_split(normals, 1 + len(normals) // 256):
        if len(some):
            least = min(least, float(np.ptp(vertices @ some.T, axis=0).min()))
    return 0.5 * least


def surface_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """Everything that keeps a triangle surface from enclosing a solid.

    Every edge must be shared by exactly two triangles, which run along it in opposite senses.
    """
    if len(vertices) < 4 or len(triangles) < 4:
        got = f"{len(vertices)} vertices and {len(triangles)} triangles"
        return [Problem(address, f"mesh has {got}; a closed surface takes at least 4 of each", "mesh")]
    bad_rows = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(bad_rows):
        return [Problem(address, f"mesh vertex {bad_rows[0]} is not finite ({len(bad_rows)} such vertices)")]
    outside = np.flatnonzero(((triangles < 0) | (triangles >= len(vertices))).any(axis=1))
    if len(outside):
        named = f"mesh triangle {outside[0]} is {tuple(triangles[outside[0]].tolist())}"
        return [Problem(address, f"{named}, but vertices are numbered 0 to {len(vertices) - 1}")]

    start, end = triangles[:, [0, 1, 2]].ravel(), triangles[:, [1, 2, 0]].ravel()
    collapsed = np.flatnonzero((start == end).reshape(-1, 3).any(axis=1))
    if len(collapsed):
        named = f"mesh triangle {collapsed[0]} names a vertex twice"
        return [Problem(address, f"{named} ({len(collapsed)} such triangles); leave such triangles out")]

    problems = []
    low, high = np.minimum(start, end), np.maximum(start, end)
    edges, which, count = np.unique(low * len(vertices) + high, return_inverse=True, return_counts=True)
    sense = np.bincount(which, weights=np.where(start < end, 1.0, -1.0))

    def edge(index: int) -> str:
        return f"edge {tuple(int(v) for v in divmod(int(edges[index]), len(vertices)))}"

    open_edges = "is not closed: {edge} belongs to one triangle only ({n} open edges); close the holes"
    crowded = "is not manifold: {edge} belongs to more than two triangles ({n} such edges); split it there"
    against = "winds inconsistently: both triangles at {edge} run the same way ({n} such edges); turn one of them"
    wrongs = ((count == 1, open_edges), (count > 2, crowded), ((count == 2) & (sense != 0), against))
    for wrong, what in wrongs:
        found = np.flatnonzero(wrong)
        if len(found):
            problems.append(Problem(address, "mesh " + what.format(edge=edge(found[0]), n=len(found))))
    if not problems:
        volume = mass_properties(vertices, triangles)[0]
        a, b, c = np.moveaxis(vertices[triangles], 1, 0)
        area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
        size = np.linalg.norm(vertices.max(axis=0) - vertices.min(axis=0))
        if abs(volume) <= 1e-12 * area * size:
            problems.append(Problem(address, "mesh encloses no volume; give the surface of a solid"))
    return problems


def revolve(profile: list[tuple[float, float]], resolution: int) -> tuple[np.ndarray, np.ndarray]:
    """The closed surface of a profile turned about z: vertices (n, 3) [m], triangles (m, 3) winding outwards.

    profile       points (radius, z) from the lower end of the axis to the upper, both ends at radius zero
    resolution    segments of a full turn, at least 3
    """
    angles = 2.0 * np.pi * np.arange(resolution) / resolution
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = [np.column_stack([r * circle, np.full(resolution, z)]) for r, z in profile[1:-1]]
    poles = np.array([[0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]])
    here = np.arange(resolution)
    there = (here + 1) % resolution
    faces = [np.column_stack([np.zeros_like(here), 2 + there, 2 + here])]
    for ring in range(len(rings) - 1):
        low, high = 2 + ring * resolution, 2 + (ring + 1) * resolution
        faces.append(np.column_stack([low + here, low + there, high + there]))
        faces.append(np.column_stack([low + here, high + there, high + here]))
    last = 2 + (len(rings) - 1) * resolution
    faces.append(np.column_stack([np.ones_like(here), last + here, last + there]))
    return np.concatenate([poles, *rings]), np.concatenate(faces).astype(np.int64)


BLOCK = 2_000_000
"""Pairs of triangles looked at together."""
MARGIN = 1e-9
"""Relative to an edge: how far inside an edge and a triangle must be of each other to cut."""


def winding_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """A closed surface whose triangles all wind inwards."""
    if mass_properties(vertices, triangles)[0] >= 0.0:
        return []
    text = f"mesh is inside out: triangle 0, {tuple(triangles[0].tolist())}, winds inwards as all do"
    return [Problem(address, f"{text}; turn them with triangles[:, ::-1]")]


def intersection_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """Two triangles of a closed surface that cut through each other, where there are any."""
    found = crossing(vertices, triangles)
    if found is None:
        return []
    i, j = found
    stated = f"mesh cuts through itself: triangles {i} and {j} cross"
    return [Problem(address, f"{stated}; repair it, for instance with trimesh or manifold3d")]


def crossing(vertices: np.ndarray, triangles: np.ndarray) -> tuple[int, int] | None:
    """The first two triangles found of which an edge of one goes through the inside of the other, or None."""
    corners = vertices[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = np.argsort(low[:, 0], kind="stable")
    last = np.searchsorted(low[order, 0], high[order, 0], side="right")
    first: list[np.ndarray] = []
    second: list[np.ndarray] = []
    waiting = 0
    for k, i in enumerate(order):
        others = order[k + 1 : last[k]]
        near = (low[others, 1:] <= high[i, 1:]).all(axis=1) & (high[others, 1:] >= low[i, 1:]).all(axis=1)
        others = others[near]
        first.append(np.full(len(others), i))
        second.append(others)
        waiting += len(others)
        if waiting > BLOCK or k == len(order) - 1:
            a, b = np.concatenate(first), np.concatenate(second)
            for one, other in ((a, b), (b, a)):
                hit = _pierced(corners, triangles, one, other)
                if hit is not None:
                    return hit
            first, second, waiting = [], [], 0
    return None


def _pierced(corners: np.ndarray, triangles: np.ndarray, one: np.ndarray, other: np.ndarray) -> tuple[int, int] | None:
    """A pair in which an edge of `one` goes through the inside of `other` (Moeller & Trumbore 1997)."""
    a, b, c = np.moveaxis(corners[other], 1, 0)
    u, v = b - a, c - a
    normal = np.cross(u, v)
    for k in range(3):
        p, q = corners[one, k], corners[one, (k + 1) % 3]
        ends = triangles[one][:, [k, (k + 1) % 3]]
        apart = (ends[:, :, None] != triangles[other][:, None, :]).all(axis=(1, 2))
        way = q - p
        across = np.einsum("ij,ij->i", normal, way)
        steep = apart & (np.abs(across) > MARGIN * np.linalg.norm(normal, axis=1) * np.linalg.norm(way, axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            r = a - p
            t = np.einsum("ij,ij->i", normal, r) / across
            n = np.cross(way, r)
            s1 = -np.einsum("ij,ij->i", v, n) / across
            s2 = np.einsum("ij,ij->i", u, n) / across
            inside = (t > MARGIN) & (t < 1.0 - MARGIN) & (s1 > MARGIN) & (s2 > MARGIN) & (s1 + s2 < 1.0 - MARGIN)
        hits = np.flatnonzero(steep & inside)
        if len(hits):
            pair = sorted((int(one[hits[0]]), int(other[hits[0]])))
            return pair[0], pair[1]
    return None
