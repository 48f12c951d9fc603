"""Meshes that are not convex, cut into convex cells that a user can look at."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from .meshes import ConvexMesh
from .polyhedra import Polyhedron, area_of, box, clipped, hull, shared_faces
from .shape import Moved, Shape
from .triangles import intersection_problems, mass_properties, surface_problems, winding_problems

METHODS = ("exact", "approximate")
ON_PLANE = 1e-9
"""Distance within which a corner is on a plane, relative to the size of the mesh."""
CANDIDATES = 48
"""Planes that are tried before one is taken for a cut."""
SPARE = 4
"""Cells there may be, over the most allowed, before neighbours are put together."""
NOTHING = 1e-9
"""Part of the volume of a mesh below which a piece between approximate hulls is left out."""

Facet = tuple[int, np.ndarray]


def decompose(mesh: Shape, method: str, most: int, options: dict[str, Any]) -> tuple[list[Moved], float]:
    """`Cells.from_mesh`: the convex cells of a closed mesh, and how far their volume deviates from that of the mesh.

    mesh         `Mesh`: closed, winding outwards, not cutting through itself
    method       "exact": cut along the planes of its own faces where edges are hollow, so that the cells together are
                 the mesh. "approximate": hulls that follow the mesh to a threshold, by CoACD (the package coacd; Wei,
                 Liu, Ling & Su, ACM Trans. Graph. 41(4), 2022), which takes the options, such as threshold=0.05
    most         cells; more are an error, for a smooth hollow surface has no exact cells in a reasonable number

    The deviation of the result is volume of the cells over volume of the mesh, less one.
    """
    vertices, triangles = _sound(mesh)
    if method not in METHODS:
        raise ModelError.at("from_mesh", f"method is {method!r}; it must be one of {', '.join(METHODS)}", "method")
    if method == "exact":
        if options:
            raise ModelError.at("from_mesh", f'method "exact" takes no options; got {", ".join(options)}')
        solids = _merged(_exact(vertices, triangles, most))
    else:
        solids = _approximate(vertices, triangles, options)
    if len(solids) > most:
        raise ModelError.at("from_mesh", f"{len(solids)} cells are more than most={most}; {_remedy(method)}")
    members = [Moved(ConvexMesh(one.vertices, one.triangles), Pose()) for one in solids]
    volume = mass_properties(vertices, triangles)[0]
    return members, sum(one.volume for one in solids) / volume - 1.0


def _remedy(method: str) -> str:
    return 'allow more, or give method="approximate"' if method == "exact" else "allow more, or raise the threshold"


def _sound(mesh: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a mesh that encloses a solid; a ModelError that names the face where it does not."""
    if not isinstance(getattr(mesh, "triangles", None), np.ndarray):
        raise ModelError.at("from_mesh", f"got {mesh!r}; give a jd.Mesh")
    vertices, triangles = mesh.vertices, mesh.triangles  # type: ignore[attr-defined]
    problems = surface_problems(vertices, triangles, "from_mesh")
    problems = problems or winding_problems(vertices, triangles, "from_mesh")
    problems = problems or intersection_problems(vertices, triangles, "from_mesh")
    if problems:
        raise ModelError(problems)
    return vertices, triangles


def _exact(vertices: np.ndarray, triangles: np.ndarray, most: int) -> list[Polyhedron]:
    """Cells of a partition by planes of the faces: what is left behind all of them in a region is solid.

    Each plane parts a convex region, and the facets in it. Where none remain behind a plane, that part of the region is
    solid; where none remain before it, it is empty. Planes that cut few facets are taken first.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size = float(np.linalg.norm(high - low))
    block = box(1.5 * (high - low) + 0.1 * size).moved(np.eye(3), 0.5 * (low + high))
    planes, facets = _facets(vertices, triangles, size)
    cells: list[Polyhedron] = []
    waiting: list[tuple[Polyhedron, list[Facet]]] = [(block, facets)]
    while waiting:
        region, inside = waiting.pop()
        plane, behind, before = _best_cut(planes, inside, ON_PLANE * size)
        back, front = region.cut(plane[:3], plane[3]), region.cut(-plane[:3], -plane[3])
        if back is not None:
            if behind:
                waiting.append((back, behind))
            else:
                cells.append(back)
        if front is not None and before:
            waiting.append((front, before))
        if len(cells) + len(waiting) > SPARE * most:
            stated = f"the exact cells of the mesh are more than {SPARE * most} before they are put together"
            raise ModelError.at("from_mesh", f"{stated}; {_remedy('exact')}")
    return cells


def _facets(vertices: np.ndarray, triangles: np.ndarray, size: float) -> tuple[np.ndarray, list[Facet]]:
    """The different planes of the triangles, and for each triangle the number of its plane and its corners."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    keep = np.flatnonzero(areas > 1e-14 * size**2)
    planes: list[np.ndarray] = []
    facets: list[Facet] = []
    for k in keep[np.argsort(-areas[keep], kind="stable")]:
        n = normals[k] / areas[k]
        number = -1
        if planes:
            known = np.array(planes)
            away = np.abs(corners[k] @ known[:, :3].T - known[:, 3]).max(axis=0)
            same = np.flatnonzero((away < ON_PLANE * size) & (known[:, :3] @ n > 0.0))
            number = int(same[0]) if len(same) else -1
        if number < 0:
            number = len(planes)
            planes.append(np.array([*n, float((corners[k] @ n).mean())]))
        facets.append((number, corners[k]))
    return np.array(planes), facets


def _best_cut(planes: np.ndarray, facets: list[Facet], near: float) -> tuple[np.ndarray, list[Facet], list[Facet]]:
    """A plane among those of the facets that cuts few of them, and the facets behind it and before it."""
    numbers, first = np.unique([number for number, _ in facets], return_index=True)
    numbers = numbers[np.argsort(first)][:CANDIDATES]
    points = np.concatenate([polygon for _, polygon in facets])
    ends = np.cumsum([len(polygon) for _, polygon in facets])[:-1]
    starts = np.concatenate([[0], ends])
    away = points @ planes[numbers, :3].T - planes[numbers, 3]
    most, least = np.maximum.reduceat(away, starts), np.minimum.reduceat(away, starts)
    cut = ((most > near) & (least < -near)).sum(axis=0)
    plane = planes[numbers[int(np.argmin(cut))]]
    behind, before = [], []
    for number, polygon in facets:
        height = polygon @ plane[:3] - plane[3]
        if height.max() <= near and height.min() >= -near:
            continue
        if height.max() <= near:
            behind.append((number, polygon))
        elif height.min() >= -near:
            before.append((number, polygon))
        else:
            behind.append((number, clipped(polygon, plane[:3], plane[3])))
            before.append((number, clipped(polygon, -plane[:3], -plane[3])))
    return plane, behind, before


def _merged(cells: list[Polyhedron]) -> list[Polyhedron]:
    """The same with cells put together that share a face and are convex together, largest face first."""
    cells = list(cells)
    refused: set[tuple[int, int]] = set()
    names = list(range(len(cells)))
    while True:
        pairs = [(i, j, area_of(polygon)) for i, j, polygon in shared_faces(cells)]
        for i, j, _ in sorted(pairs, key=lambda pair: -pair[2]):
            if (names[i], names[j]) in refused:
                continue
            whole = hull(np.concatenate([cells[i].vertices, cells[j].vertices]))
            volume = cells[i].volume + cells[j].volume
            if whole is not None and abs(whole.volume - volume) <= 1e-10 * volume:
                names = [n for k, n in enumerate(names) if k not in (i, j)] + [max(names) + 1]
                cells = [c for k, c in enumerate(cells) if k not in (i, j)] + [whole]
                break
            refused.add((names[i], names[j]))
        else:
            return cells


def _approximate(vertices: np.ndarray, triangles: np.ndarray, options: dict[str, Any]) -> list[Polyhedron]:
    """Hulls found by CoACD, each without what earlier ones have: cells that do not overlap."""
    try:
        import coacd
    except ImportError:
        raise ModelError.at(
            "from_mesh", 'method "approximate" needs the package coacd: pip install "jourdain[decompose]"'
        ) from None
    coacd.set_log_level("error")
    parts = coacd.run_coacd(coacd.Mesh(vertices, triangles), **options)
    solids: list[Polyhedron] = []
    for points, _ in parts:
        whole = hull(np.asarray(points, float))
        pieces = [] if whole is None else [whole]
        for other in list(solids):
            pieces = [part for piece in pieces for part in piece.without(other)]
        solids += pieces
    least = NOTHING * mass_properties(vertices, triangles)[0]
    return _merged([one for one in solids if one.volume > least])
