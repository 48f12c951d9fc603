"""Packing of bodies made of cells, in the order of kernels/contact/overlap_volumes/overlap_layout.py, and their
scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import Problem
from .polyhedra import FLAT_TOGETHER, Polyhedron, area_of, shared_faces, trivalent

if TYPE_CHECKING:
    from ...kernels.contact.overlap_volumes.overlap_layout import OverlapScratch, SliceScratch
    from .cells import SolidCell

LEAST = 16
COVERED = 1e-6
"""Part of a face that may be left open where it is taken to lie wholly between two cells."""


def cells_data(cells: list[SolidCell], inner: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Integers and floats of a body of cells; with bits of the inner faces of each where they are asked for."""
    from ...kernels import kind_registry as C
    from ...kernels.contact.overlap_volumes import overlap_layout as L
    from ...kernels.rows import Table

    floats: list[float] = []
    rows: list[Any] = []
    links: list[np.ndarray] = []
    bores: list[tuple[int, int]] = []
    for cell in cells:
        row = L.Cell.made(floats=len(floats), edges=sum(map(len, links)), bore=len(bores), holes=len(cell.holes))
        planes = cell.planes
        if cell.solid is not None:
            vertices, edges = trivalent(cell.solid)
            row.kind, row.vertices, planes = C.CONVEX, len(vertices), cell.solid.planes
            floats += vertices.ravel().tolist()
            links.append(edges.ravel())
        elif cell.curved is not None:
            row.kind = cell.curved.shape.code
            floats += _pose_and_numbers(cell.curved)
        else:
            row.kind = C.PLANE if len(planes) == 1 else C.EDGE
        row.planes = len(planes)
        floats += planes.ravel().tolist()
        for hole in cell.holes:
            bores.append((len(hole.pieces), len(floats)))
            floats += [*hole.pose.rotation.ravel().tolist(), *hole.pose.position.tolist()]
            floats += hole.pieces.ravel().tolist()
        rows.append(row)

    at = len(floats)
    faces, polygons = _faces([cell.solid for cell in cells], at)
    for k, row in enumerate(rows):
        mine = [i for i, face in enumerate(faces) if face[0] == k]
        row.faces, row.face_count = (mine[0] if mine else 0), len(mine)
        solid = cells[k].solid
        if inner and mine and solid is not None:
            # over a hole in the other cell a face is the ground of it
            over = [faces[i] for i in mine if cells[k].holes or not cells[faces[i][1]].holes]
            shared = [np.reshape(polygons[p - at : p - at + 3 * c], (c, 3)) for _, _, c, p in over]
            row.holes |= inner_faces(solid, shared) << 1
    floats += polygons
    nodes, boxes = _tree([_box(cell) for cell in cells])
    at_boxes = len(floats)
    floats += boxes

    table = np.array([row.numbers for row in rows])
    blocks = [np.array(nodes).ravel(), table.ravel(), np.array([face[1:] for face in faces], np.int64).ravel()]
    blocks += [np.concatenate([np.zeros(0, np.int64), *links]), np.array(bores, np.int64).ravel()]
    starts = L.CellsHeader.size + np.cumsum([0] + [len(block) for block in blocks])
    index = Table(table, L.Cell).columns
    index.edges[:] += starts[3]
    index.bore[:] = starts[4] + 2 * index.bore
    blocks[1] = table.ravel()
    header = L.CellsHeader.made(
        cells=len(cells),
        nodes=len(nodes),
        tree=starts[0],
        table=starts[1],
        shared=starts[2],
        boxes=at_boxes,
        most_vertices=index.vertices.max(),
        most_planes=index.planes.max(),
    )
    integers = np.concatenate([header.numbers, *blocks]).astype(np.int64)
    return integers, np.array(floats, np.float64)


def _pose_and_numbers(moved: object) -> list[float]:
    shape, pose = moved.shape, moved.pose  # type: ignore[attr-defined]
    return [*pose.rotation.ravel().tolist(), *pose.position.tolist(), *shape.contact_data()[1].tolist()]


def _faces(solids: list[Polyhedron | None], at: int) -> tuple[list[tuple[int, int, int, int]], list[float]]:
    """Rows (cell, other cell, corners, place) of the faces between cells, those of one cell together, and corners."""
    found: list[tuple[int, int, int, int]] = []
    numbers: list[float] = []
    for i, j, polygon in shared_faces(solids):
        place = at + len(numbers)
        numbers += polygon.ravel().tolist()
        found += [(i, j, len(polygon), place), (j, i, len(polygon), place)]
    return sorted(found), numbers


def inner_faces(solid: Polyhedron, shared: list[np.ndarray]) -> int:
    """Bits of the faces of a cell that are covered by polygons which it shares with others: no surface of the body."""
    from ...kernels.contact.overlap_volumes import overlap_layout as L

    bits = 0
    for k, (plane, face) in enumerate(zip(solid.planes[: L.MOST_INNER], solid.faces, strict=False)):
        on = [one for one in shared if np.abs(one @ plane[:3] - plane[3]).max() < FLAT_TOGETHER * solid.size]
        if sum(map(area_of, on)) > (1.0 - COVERED) * area_of(solid.vertices[list(face)]):
            bits |= 1 << k
    return bits


def _box(cell: SolidCell) -> np.ndarray:
    """(low, high) of a cell; without end for half-spaces."""
    if cell.solid is not None:
        return np.array([cell.solid.vertices.min(axis=0), cell.solid.vertices.max(axis=0)])
    if cell.curved is None:
        return np.array([[-np.inf] * 3, [np.inf] * 3])
    shape, pose = cell.curved.shape, cell.curved.pose
    corners = shape.to_mesh(8)[0]
    half = np.abs(corners).max(axis=0)
    if shape.kind == "sphere":
        return np.array([pose.position - half.max(), pose.position + half.max()])
    half[:2] = half[:2].max()
    reach = np.abs(pose.rotation) @ half
    return np.array([pose.position - reach, pose.position + reach])


def _tree(boxes: list[np.ndarray]) -> tuple[list[list[int]], list[float]]:
    """Nodes (node after all below it, cell or -1), parents first, and their boxes (middle, half lengths)."""
    nodes: list[list[int]] = []
    numbers: list[list[float]] = []

    def grow(members: list[int]) -> None:
        node = [0, members[0] if len(members) == 1 else -1]
        nodes.append(node)
        low = np.min([boxes[m][0] for m in members], axis=0)
        high = np.max([boxes[m][1] for m in members], axis=0)
        finite = np.isfinite(low) & np.isfinite(high)
        middle = np.where(finite, 0.5 * (np.where(finite, low, 0.0) + np.where(finite, high, 0.0)), 0.0)
        half = np.where(finite, 0.5 * (np.where(finite, high, 0.0) - np.where(finite, low, 0.0)), np.inf)
        numbers.append([*middle, *half])
        if len(members) > 1:
            axis = int(np.argmax(half))
            order = sorted(members, key=lambda m: boxes[m][0][axis] + boxes[m][1][axis])
            grow(order[: len(order) // 2])
            grow(order[len(order) // 2 :])
        node[0] = len(nodes)

    grow(list(range(len(boxes))))
    return nodes, [float(number) for row in numbers for number in row]


def scratch_capacity(first: np.ndarray, second: np.ndarray) -> tuple[int, int, int]:
    """Rows of points and links, of parts and pairs, and of the stack, for two bodies given by their integers.

    A polyhedron of f planes cut by g has at most 2 (f + g) vertices, and as many edges are cut at once; faces between
    cells are clipped in the same rows, in two halves. Of the pairs of cells of two large bodies only some meet at once.
    """
    from ...kernels.contact.overlap_volumes import overlap_layout as L

    one, two = L.CellsHeader(first), L.CellsHeader(second)
    planes, vertices = one.most_planes + two.most_planes, max(one.most_vertices, two.most_vertices)
    a, b = one.cells, two.cells
    pairs = min(a * b, 64 + 8 * (a + b)) + L.FEATURES
    depth = 2 + int(np.ceil(np.log2(max(a, 1)))) + int(np.ceil(np.log2(max(b, 1))))
    return max(4 * planes, vertices + 2 * planes) + LEAST, pairs, depth + 2


def make_scratch(points: int, pairs: int, depth: int) -> OverlapScratch:
    """Scratch of so many rows; give the largest of all pairs of bodies that share it."""
    from ...kernels.contact.overlap_volumes import overlap_layout as L

    return L.OverlapScratch(
        np.zeros((points, L.ClipPoint.size)),
        np.zeros((points, L.ClipVertex.size), np.int64),
        np.zeros((pairs, L.OverlapPart.size)),
        np.zeros((pairs, L.CellPair.size), np.int64),
        np.zeros((depth, L.NodePair.size), np.int64),
    )


def slices_for(first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
    """Rows of planes and of near pairs for two bodies with round cells or holes, given by their integers."""
    from ...kernels.contact.overlap_volumes import overlap_layout as L

    planes = L.CellsHeader(first).most_planes + L.CellsHeader(second).most_planes
    return planes + LEAST, scratch_capacity(first, second)[1]


def make_slices(planes: int, pairs: int) -> SliceScratch:
    """Scratch of so many rows."""
    from ...kernels.contact.overlap_volumes import cylinder_cylinder, polyhedron_hole, revolution_polyhedron
    from ...kernels.contact.overlap_volumes import overlap_layout as L

    return L.SliceScratch(
        np.zeros((planes, L.HalfSpace.size)),
        np.zeros((planes, L.SliceLine.size)),
        np.zeros(revolution_polyhedron.BREAKS),
        np.zeros((2 * planes, L.SidePiece.size)),
        np.zeros((polyhedron_hole.GATHERED_MOST, L.GatheredPart.size)),
        np.zeros((2 * cylinder_cylinder.CROSSED_CORNERS, 2)),
        np.zeros((L.FEATURES, L.SlicedPart.size)),
        np.zeros((pairs, L.CellPair.size), np.int64),
        np.zeros((planes, L.HalfSpace.size)),
    )


def is_flat(cells: list[SolidCell]) -> bool:
    """Whether all cells of a body have flat faces and no round holes."""
    return all(cell.curved is None and not cell.holes for cell in cells)


def pair_problems(first: list[SolidCell], second: list[SolidCell], address: str) -> list[Problem]:
    """A pair of cells of two bodies whose overlap is not known, where there is one."""
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            stated = _unknown(one, other)
            if stated:
                return [Problem(address, f"cell {i} of the first and cell {j} of the second: {stated}")]
    return []


def _unknown(one: SolidCell, other: SolidCell) -> str:
    kinds = [None if cell.curved is None else cell.curved.shape.kind for cell in (one, other)]
    if one.holes and other.holes:
        return "two blocks with round holes are not known; give one of them flat holes, or none"
    if one.holes or other.holes:
        kind = kinds[1] if one.holes else kinds[0]
        return "" if kind in (None, "sphere", "cylinder") else f"a {kind} in a round hole is not known"
    if None in kinds or "sphere" in kinds or kinds == ["cylinder", "cylinder"]:
        return ""
    return f"a {kinds[0]} with a {kinds[1]} is not known"
