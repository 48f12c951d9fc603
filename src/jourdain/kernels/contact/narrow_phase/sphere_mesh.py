"""Narrow phase: a sphere with a triangle mesh; one site for a convex mesh, one site per connected patch for any other.

The distance from the centre of the sphere to the surface has its minima at *feet*: inside a triangle, on an edge or at
a vertex. A foot is coded 8 t + f: triangle t, and f = 0 for its face, 1 + k for its edge from corner k to the next,
4 + k for its corner k. The search for the foot runs in real numbers; gap and normal then follow from the feature alone,
so that a complex step differentiates them. The triangles are in a bounding-volume hierarchy (BVH) of boxes, which are
axis-aligned in the mesh; all points are in the axes of the mesh.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...algebra import Vec3, cross
from ...compiler import entry_point, kernel
from ...flat_arrays import vector_at
from ...kind_registry import MESH
from ...model_arrays import ModelArrays, Workspace
from ...rows import Row, row_at, table_of

# Cosine of 30 degrees, with some tolerance. Faces that turn by less count as a tessellated smooth surface, of twelve
# segments or more a turn, and have one site, the deepest; in a sharper valley the sphere rests on both sides.
MESH_SMOOTH = 0.86

# Relative lengths: a shift into the triangle, so that a path starts in a definite one of several that share a foot, and
# what counts as zero. Both far above rounding and far below any size of a mesh.
NUDGE = 1e-6
TINY = 1e-9


class MeshHeader(Row):
    """How the integers of a mesh begin: how many there are, where its tables begin in its integers, or its floats.

    The floats begin with the vertices.
    """

    vertices: int
    triangles: int
    nodes: int
    corners: int  # integers: the vertex at which each half-edge begins
    twins: int  # integers: the half-edge of the neighbour for each half-edge
    tree: int  # integers: a `MeshNode` for each node
    normals: int  # floats: of the triangles
    pseudonormals: int  # floats: of the vertices
    boxes: int  # floats: a `MeshBox` for each node


class MeshNode(Row):
    """A node of the BVH, parents first."""

    after: int  # the node after all below it
    first: int  # triangle
    count: int  # of triangles, 0 unless it is a leaf


class MeshBox(Row):
    """The box of a node."""

    low: Vec3
    high: Vec3


class MeshTables(NamedTuple):
    """The tables of a mesh, and its floats."""

    head: Any
    nodes: Any
    boxes: Any
    corners: Any
    twins: Any
    floats: Any


header_at, node_rows, box_rows = row_at(MeshHeader), table_of(MeshNode), table_of(MeshBox)


@kernel
def mesh_tables(x, n, fo, io):
    """The mesh whose floats begin at x[fo], its integers at n[io]."""
    floats, integers = x[fo:], n[io:]
    head = header_at(integers, 0)
    nodes, boxes = node_rows(integers, head.tree), box_rows(floats, head.boxes)
    return MeshTables(head, nodes, boxes, integers[head.corners :], integers[head.twins :], floats)


@kernel
def corner(mesh, h):
    """Position of the corner at which half-edge h begins."""
    return vector_at(mesh.floats, 3 * mesh.corners[h])


@kernel
def twin(mesh, h):
    return mesh.twins[h]


@kernel
def following(h):
    """The next half-edge of the same triangle."""
    return h - 2 if h % 3 == 2 else h + 1


@kernel
def face_normal(mesh, t):
    return vector_at(mesh.floats, mesh.head.normals + 3 * t)


@kernel
def outside(x, low, high):
    """Squared distance of a number from an interval."""
    if low - x > 0.0:
        return (low - x) * (low - x)
    return (x - high) * (x - high) if x - high > 0.0 else 0.0


@kernel
def box_distance(mesh, node, c):
    """Squared distance from c to the box of a BVH node [m^2]."""
    low, high = mesh.boxes[node].low, mesh.boxes[node].high
    return outside(c.x, low.x, high.x) + outside(c.y, low.y, high.y) + outside(c.z, low.z, high.z)


@kernel
def middle_distance(mesh, node, c):
    """Squared distance from c to the centre of the box of a BVH node [m^2]."""
    r = c - 0.5 * (mesh.boxes[node].low + mesh.boxes[node].high)
    return r @ r


@kernel
def triangle_foot(mesh, t, c):
    """Squared distance from c to triangle t [m^2], and the code of the nearest point.

    Projected along the normal, c is inside all three edges, or the nearest point is on an edge that it is beyond.
    """
    normal = face_normal(mesh, t)
    h = normal @ (c - corner(mesh, 3 * t))
    least = h * h
    code = 8 * t
    for k in range(3):
        a = corner(mesh, 3 * t + k)
        e = corner(mesh, following(3 * t + k)) - a
        r = c - a
        if r @ cross(e, normal) > 0.0:
            # beyond edge k: the nearest point of the edge, inside it or at one of its ends
            u = r @ e
            e2 = e @ e
            feature = 1 + k
            if u <= 0.0:
                feature = 4 + k
            elif u >= e2:
                feature = 4 + (k + 1) % 3
                r -= e
            else:
                r -= u / e2 * e
            d2 = r @ r
            if code == 8 * t or d2 < least:
                least = d2
                code = 8 * t + feature
    return least, code


@kernel
def foot(mesh, code, c):
    """Foot of c on a feature, and the pseudonormal there, not normalised (Baerentzen & Aanaes 2005)."""
    t = code // 8
    f = code % 8
    normal = face_normal(mesh, t)
    if f == 0:
        a = corner(mesh, 3 * t)
        return c - (normal @ (c - a)) * normal, normal
    if f < 4:
        h = 3 * t + f - 1
        a = corner(mesh, h)
        e = corner(mesh, following(h)) - a
        other = face_normal(mesh, twin(mesh, h) // 3)
        return a + ((c - a) @ e) / (e @ e) * e, normal + other
    v = mesh.corners[3 * t + f - 4]
    zero = 0.0 * c
    return vector_at(mesh.floats, 3 * v) + zero, vector_at(mesh.floats, mesh.head.pseudonormals + 3 * v)


@kernel
def nearest(mesh, c):
    """Squared distance from c to the surface [m^2], and the code of the nearest point, by branch and bound on the BVH.

    One descent, always into the nearer box, or at equal distance into the one with the nearer centre, gives an upper
    bound; then all nodes in order, except those beyond it.
    """
    nodes = mesh.nodes
    # upper bound from the leaf of the nearer boxes
    node = 0
    while nodes[node].count == 0:
        left = node + 1
        right = nodes[left].after
        ahead = box_distance(mesh, right, c) - box_distance(mesh, left, c)
        if ahead == 0.0:
            ahead = middle_distance(mesh, right, c) - middle_distance(mesh, left, c)
        node = left if ahead >= 0.0 else right
    least, code = nearest_triangle(mesh, nodes[node], c, math.inf, -1)
    # all nodes in preorder; a box beyond the bound skips its subtree
    node = 0
    while node < mesh.head.nodes:
        if box_distance(mesh, node, c) >= least:
            node = nodes[node].after
            continue
        least, code = nearest_triangle(mesh, nodes[node], c, least, code)
        node += 1
    return least, code


@kernel
def nearest_triangle(mesh, leaf, c, least, code):
    """Squared distance and code of the nearest point, of those of a leaf and the nearest one so far."""
    for t in range(leaf.first, leaf.first + leaf.count):
        d2, candidate = triangle_foot(mesh, t, c)
        if d2 < least:
            least, code = d2, candidate
    return least, code


@kernel
def is_minimum(mesh, code, c, d):
    """Whether the distance from c has a local minimum at this foot, to rounding; d is the distance [m].

    On an edge the other triangle must not lead towards c. At a vertex no edge may: directions into a triangle are
    combinations of its edges.
    """
    t = code // 8
    f = code % 8
    if f == 0:
        return True
    h = 3 * t + (f - 1) % 3
    a = corner(mesh, h)
    r = c - a
    if f < 4:
        e = corner(mesh, following(h)) - a
        into = cross(e, face_normal(mesh, twin(mesh, h) // 3))
        return r @ into <= TINY * d * (e @ e) ** 0.5
    # around the vertex by half-edges
    spoke = h
    for _ in range(mesh.head.triangles):
        e = corner(mesh, following(spoke)) - a
        if r @ e > TINY * d * (e @ e) ** 0.5:
            return False
        spoke = twin(mesh, following(following(spoke)))
        if spoke == h:
            return True
    return True


@kernel
def is_ridge(mesh, h):
    """Whether the surface is convex at half-edge h."""
    opposite = corner(mesh, following(following(twin(mesh, h))))
    return face_normal(mesh, h // 3) @ (opposite - corner(mesh, h)) <= 0.0


@kernel
def crossing(mesh, h, c, plane):
    """Point where half-edge h crosses a plane through c with normal `plane`, relative to c."""
    r = corner(mesh, h) - c
    s = corner(mesh, following(h)) - c
    u = plane @ r
    return r + u / (u - plane @ s) * (s - r)


@kernel
def segment_distance(a, b):
    """Squared distance from the origin to the segment from a to b [m^2]."""
    e = b - a
    u = -(a @ e)
    e2 = e @ e
    if u <= 0.0:
        return a @ a
    if u >= e2:
        return b @ b
    r = a + u / e2 * e
    return r @ r


@kernel
def nudged(mesh, t, p):
    """p, shifted slightly towards the centre of triangle t."""
    a = corner(mesh, 3 * t)
    b = corner(mesh, 3 * t + 1)
    m = 1.0 / 3.0 * (a + b + corner(mesh, 3 * t + 2))
    return p + NUDGE * (m - p)


@kernel
def is_joined(mesh, c, radius, code, p, n_p, other, q, n_q):
    """Whether two feet p and q of c belong to one contact patch; n_p and n_q are the pseudonormals there.

    They do where the section of the surface by the plane through both feet and c leads from one to the other, in either
    direction, without a sharp valley. Between two minima the distance has a maximum, which is not on a face nor on a
    ridge; so ridges inside the sphere do not matter. Where the path is outside the sphere, as between two facets of a
    bore, the surface must not turn by more than a tessellated one does between facets (MESH_SMOOTH): a sphere larger
    than a fillet rests on both sides of it, a smaller one in it. Feet whose normals are more than a right angle apart
    are never one patch: a sphere that fills its bore is held from all sides.

    Every corner of the mesh counts as on one side of the plane or the other; a triangle with corners on both sides has
    two edges that cross, so that the path is a closed loop and always continues.
    """
    # same foot; or opposed normals
    gap = p - q
    if gap @ gap <= (TINY * radius) ** 2:
        return True
    if n_p @ n_q <= 0.0:
        return False
    # plane through c and both feet, shifted into their triangles
    start = code // 8
    goal = other // 8
    a = nudged(mesh, start, p) - c
    b = nudged(mesh, goal, q) - c
    plane = cross(a, b)
    for way in range(2):
        # half-edge by which the path leaves the triangle of p, in this direction
        h = -1
        for k in range(3):
            here = plane @ (corner(mesh, 3 * start + k) - c) >= 0.0
            there = plane @ (corner(mesh, following(3 * start + k)) - c) >= 0.0
            if here != there and here == (way == 0):
                h = 3 * start + k
        if h < 0:
            return False
        normal = face_normal(mesh, start)  # of the last triangle that the path went through inside the sphere
        inside = True
        # walk from triangle to triangle; a sharp turn ends it, except over a ridge inside the sphere
        for _ in range(mesh.head.triangles):
            now = face_normal(mesh, twin(mesh, h) // 3)
            if normal @ now < MESH_SMOOTH and not (inside and is_ridge(mesh, h)):
                break
            entry = crossing(mesh, h, c, plane)
            h = twin(mesh, h)
            if h // 3 == goal:
                return True
            if h // 3 == start:
                break
            # h now runs against the path; of the other two edges one has its ends on different sides
            side = plane @ (corner(mesh, following(following(h))) - c) >= 0.0
            h = following(h) if side == (way == 1) else following(following(h))
            inside = segment_distance(entry, crossing(mesh, h, c, plane)) <= radius * radius
            if inside:
                normal = now
    return False


@kernel
def next_minimum(mesh, c, radius, sites, count):
    """Code of the nearest foot of c within the radius that is in no patch found so far, or -1.

    Only feet whose surface faces c: what lies behind the solid is not touched.
    """
    nodes = mesh.nodes
    least = radius * radius
    best = -1
    node = 0
    while node < mesh.head.nodes:
        if box_distance(mesh, node, c) >= least:
            node = nodes[node].after
            continue
        leaf = nodes[node]
        for t in range(leaf.first, leaf.first + leaf.count):
            d2, code = triangle_foot(mesh, t, c)
            if d2 >= least or not is_minimum(mesh, code, c, d2**0.5):
                continue
            # the foot must face c
            p, out = foot(mesh, code, c)
            if out @ (c - p) < 0.0:
                continue
            # and must not be connected to a foot already found
            new = True
            for k in range(count):
                if new:
                    known = sites[k].role
                    q, out_q = foot(mesh, known, c)
                    new = not is_joined(mesh, c, radius, code, p, out, known, q, out_q)
            if new:
                least = d2
                best = code
        node += 1
    return best


@kernel
def signed_distance(mesh, code, c, radius):
    """Distance of c from its foot on a feature, negative inside [m], and the unit outward normal there.

    On a face the normal is that of the face; elsewhere it is along the distance, or the pseudonormal at zero.
    """
    p, out = foot(mesh, code, c)
    w = c - p
    if code % 8 == 0:
        a = corner(mesh, 3 * (code // 8))
        return out @ (c - a), out + 0.0 * c
    d2 = w @ w
    if d2.real <= (TINY * radius) ** 2:
        unit = (out @ out) ** -0.5 * out + 0.0 * c
        return unit @ w, unit
    d = d2**0.5
    if (out @ w).real < 0.0:
        d = -d
    return d, 1.0 / d * w


@entry_point
def find_sphere_mesh(model: ModelArrays, ws: Workspace, a: int, b: int) -> int:
    """Sites of a sphere A on a triangle mesh B, the deepest first; returns how many.

    A convex mesh has one site. Any other has one for each connected patch inside the sphere (`is_joined`), at the foot
    nearest to the centre, so that it does not matter how a surface is triangulated. Where the sphere does not touch, or
    its centre is inside the solid, the first site is at the nearest point of all.
    """
    x, second = model.shape_floats, model.shapes[b]
    mesh, radius = mesh_tables(x, model.shape_integers, second.floats, second.integers), x[model.shapes[a].floats]
    # centre C of the sphere in the axes of the mesh, p_BoC_B; its real part drives the search
    R_WB, p_WA = ws.shapes[b].R_WS, ws.shapes[a].p_WS
    centre = R_WB.T @ (p_WA - ws.shapes[b].p_WS)
    c = Vec3(centre.x.real, centre.y.real, centre.z.real)
    d2, code = nearest(mesh, c)
    ws.sites[0].role = code
    count = 1
    several = second.code == MESH
    if several and d2 < radius * radius:
        while count < len(ws.sites):
            code = next_minimum(mesh, c, radius, ws.sites, count)
            if code < 0:
                break
            ws.sites[count].role = code
            count += 1
    # gap and normal of each foot; complex-safe
    for k in range(count):
        site = ws.sites[k]
        d, normal = signed_distance(mesh, site.role, centre, radius)
        normal = R_WB @ normal
        site.role = -1 if several else 0
        site.gap, site.normal, site.point = d - radius, normal, p_WA - radius * normal
    return count
