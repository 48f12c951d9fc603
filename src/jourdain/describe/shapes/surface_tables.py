"""Packing of triangle surfaces for contact, in the order that kernels/contact/narrow_phase/sphere_mesh.py reads."""

from __future__ import annotations

import numpy as np

from ...basics.errors import ModelError, Problem
from .triangles import mass_properties, surface_problems

LEAF = 4
"""Most triangles in a leaf of the tree of boxes."""


def mesh_data(vertices: np.ndarray, triangles: np.ndarray, address: str = "mesh") -> tuple[np.ndarray, np.ndarray]:
    """Integers and floats of a closed surface, as the kernels read them.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, all winding outwards or all inwards
    address      of the shape, for errors

    The integers begin with the header of kernels/contact/narrow_phase/sphere_mesh.py: the numbers of vertices,
    triangles and nodes, where corners, twins and tree begin in the integers, and where normals, pseudonormals and boxes
    begin in the floats. The floats begin with the vertices.

    Triangles are put in the order of the tree. Corner k of triangle t is entry h = 3 t + k; the half-edge h runs from
    it to the next corner, and its twin is the same edge in the neighbour. A node of the tree is (node after all below
    it, first triangle, number of triangles: 0 unless it is a leaf), parents before children; its box is (low, high).
    """
    from ...kernels.contact.narrow_phase.sphere_mesh import MESH_HEADER

    vertices = np.array(vertices, dtype=np.float64)
    triangles = np.array(triangles, dtype=np.int64)
    problems = surface_problems(vertices, triangles, address)
    if problems:
        raise ModelError(problems)
    if mass_properties(vertices, triangles)[0] < 0.0:
        triangles = triangles[:, ::-1]

    order, nodes, boxes = _tree(vertices[triangles])
    triangles = np.ascontiguousarray(triangles[order])
    twins = _twins(triangles, len(vertices))
    normals = _normals(vertices[triangles], twins)
    tables = [triangles, twins, nodes]
    blocks = [vertices, normals, _pseudonormals(vertices, triangles, normals), boxes]
    starts = MESH_HEADER + np.cumsum([0] + [table.size for table in tables[:-1]])
    offsets = np.cumsum([block.size for block in blocks[:-1]])
    header = np.concatenate([[len(vertices), len(triangles), len(nodes)], starts, offsets])
    integers = np.concatenate([header, *(table.ravel() for table in tables)]).astype(np.int64)
    return integers, np.concatenate([block.ravel() for block in blocks])


def convex_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """Whether a closed surface is convex: it then encloses as much as its hull, to one part in a million."""
    from scipy.spatial import ConvexHull

    volume = abs(mass_properties(vertices, triangles)[0])
    hull = ConvexHull(vertices).volume
    if volume >= (1.0 - 1e-6) * hull:
        return []
    share = f"it encloses {volume:.6g} m^3 of the {hull:.6g} m^3 of its hull"
    return [Problem(address, f"is not convex: {share}; give it as Mesh, or give its convex parts")]


def _tree(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order of the triangles, nodes (n, 3) and boxes (n, 6) of a tree of boxes."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    order: list[np.ndarray] = []
    nodes: list[list[int]] = []
    boxes: list[np.ndarray] = []

    def grow(members: np.ndarray, first: int) -> None:
        node = [0, first, len(members)]
        nodes.append(node)
        boxes.append(np.concatenate([low[members].min(axis=0), high[members].max(axis=0)]))
        if len(members) <= LEAF:
            order.append(members)
        else:
            node[2] = 0
            left, right = _split(members, low[members], high[members])
            grow(left, first)
            grow(right, first + len(left))
        node[0] = len(nodes)

    grow(np.arange(len(corners)), 0)
    return np.concatenate(order), np.array(nodes), np.array(boxes)


def _split(members: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two parts along the axis and at the place where the sum of (area of the box) x (triangles in it) is least.

    The surface area heuristic (Goldsmith & Salmon, IEEE CG&A 7(5), 1987), which keeps the long triangles of flat faces
    apart from small ones; no part has less than an eighth, so that the tree is not deep.
    """
    n = len(members)
    sizes = np.arange(max(1, n // 8), n - max(1, n // 8) + 1)
    best, parts = np.inf, (members, members)
    for axis in range(3):
        order = np.argsort(low[:, axis] + high[:, axis], kind="stable")
        a, b = low[order], high[order]
        area = []
        for p, q in ((a, b), (a[::-1], b[::-1])):
            side = np.maximum.accumulate(q) - np.minimum.accumulate(p)
            area.append((side * np.roll(side, 1, axis=1)).sum(axis=1))
        cost = sizes * area[0][sizes - 1] + (n - sizes) * area[1][n - sizes - 1]
        least = int(cost.argmin())
        if cost[least] < best:
            best, parts = cost[least], (members[order[: sizes[least]]], members[order[sizes[least] :]])
    return parts


def _twins(triangles: np.ndarray, n: int) -> np.ndarray:
    """The half-edge that runs the other way, for every half-edge 3 t + k, corner k to corner k + 1 of triangle t."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    forward, backward = np.argsort(start * n + end), np.argsort(end * n + start)
    twins = np.empty_like(start)
    twins[forward] = backward
    return twins


def _normals(corners: np.ndarray, twins: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3); a triangle without area takes that of the neighbour across its longest edge."""
    edges = np.roll(corners, -1, axis=1) - corners
    area = np.cross(edges[:, 0], edges[:, 1])
    length = np.linalg.norm(edges, axis=2)
    size = np.linalg.norm(area, axis=1)
    sliver = size <= 1e-12 * length.max(axis=1) ** 2
    normals = area / np.where(sliver, 1.0, size)[:, None]
    longest = twins.reshape(-1, 3)[np.arange(len(corners)), length.argmax(axis=1)] // 3
    for _ in range(int(sliver.sum())):
        ready = sliver & ~sliver[longest]
        if not ready.any():
            break
        normals[ready] = normals[longest[ready]]
        sliver = sliver & ~ready
    return normals


def _pseudonormals(vertices: np.ndarray, triangles: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Normals of the triangles at a vertex, weighted by their angles there (n, 3), not made unit.

    Seen from the nearest vertex, the side of a point is the sign of its product with this vector: Baerentzen & Aanaes,
    Signed distance computation using the angle weighted pseudonormal, IEEE Trans. Visualization 11(3), 2005.
    """
    corners = vertices[triangles]
    out = np.zeros_like(vertices)
    for k in range(3):
        a, b = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.einsum("ij,ij->i", a, b))
        np.add.at(out, triangles[:, k], angle[:, None] * normals)
    return out
