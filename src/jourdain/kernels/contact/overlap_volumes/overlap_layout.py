"""Columns of the tables of overlap parts, of polyhedra during clipping, and of bodies made of convex cells."""

from __future__ import annotations

from typing import NamedTuple

from ...signatures import IntegerMatrix, Matrix, Vector

# A row of parts: one connected piece of the overlap of two shapes, world axes.
PART_VOLUME = 0  # [m^3]
CENTROID = 1
PART_INERTIA = 4  # about the centroid: xx, yy, zz, xy, xz, yz [m^5]
GUESS = 10  # unit, of the normal: the direction of the force on the first shape; zero where nothing is known
PART_AREA = 13  # of the second's surface in the first, projected along the guess [m^2]
VOLUME_PART_KEY = (
    14  # names the part: FEATURES * (cells of the second * cell of the first + cell of the second) + feature
)
PART_LARGEST = 15  # volume of the cell pair that the key names [m^3]
SPRING_PUSH = 16  # springs, see springs.py: force over k_v [m^3]
COUPLE = 19  # torque about the centroid over k_v [m^4]
PART_POTENTIAL = 22  # energy over k_v, negative where it is not known [m^4]
PART_SIZE = 23
FEATURES = 8  # places that one pair of cells can have parts at

# A row of pairs: two cells that overlap.
CELL_A = 0
CELL_B = 1
WITH = 2  # the part that their overlap belongs to; before that, an earlier row that it is connected to
PAIR_NAME = 3  # the key
PAIR_SIZE = 4

# A row of points: a vertex of the polyhedron that is being clipped.
DISTANCE = 3  # behind its position: how far it is inside of the last plane [m]
POINT_SIZE = 4

# A row of links: where its three edges lead. An edge k of vertex v is the number 4 v + k.
TAG = 3  # behind the three edges: the side that the face on the left of each belongs to, 0 or 1
PLACE = 6  # of the vertex once those that are cut away are gone, or -1
SEEN = 7  # edges passed, one bit each
LINK = 8

# Header of a body of cells: integers. Places are counted from where its integers, or its floats, begin.
CELLS = 0  # how many
BODY_NODES = 1  # of its tree of boxes
BODY_TREE = 2  # integers: a node is (node after all below it, its cell or -1)
BODY_TABLE = 3  # integers: the rows of its cells, CELL_ROW numbers each
SHARED = 4  # integers: the rows of faces between two cells, FACE numbers each, those of one cell together
BODY_BOXES = 5  # floats: of a node (middle, half lengths); infinite half lengths for half-spaces
MOST_VERTICES = 6  # of a cell
MOST_PLANES = 7  # of a cell
BODY_HEADER = 8

# A row of the table of cells.
CELL_KIND = 0  # a shape code of kind_registry; CONVEX is a polyhedron
CELL_NUMBERS = (
    1  # floats: pose in the body (rotation 9, position 3), then numbers as in contact_layout.py; of a polyhedron
)
# (vertices 3 each, then planes (unit normal out of it, offset)), in the axes of the body
CELL_VERTICES = 2  # of a polyhedron, each with three edges
PLANES = 3
EDGES = 4  # integers: where the edges of its vertices lead, 3 a vertex
CELL_FACES = 5  # its first row among the shared faces
FACE_COUNT = 6
CELL_HOLES = (
    7  # integers: (pieces, where in the floats) of the round hole in it: pose, then (a, b, z0, z1) of each piece,
)
# upwards: radius a + b z between two heights; 3 at most
HOLE_COUNT = 8  # 1 or 0; above that a bit for each of its planes that lies wholly between cells of the body, where a
# contact with springs asks for it
CELL_ROW = 9
MOST_INNER = 60  # planes of a cell of which that can be said

# A row of the shared faces of a cell.
OTHER = 0  # the cell on the other side
FACE_CORNERS = 1  # how many
POLYGON = 2  # floats: the corners
FACE = 3


class OverlapScratch(NamedTuple):
    """Scratch of the overlap of two bodies; valid within one call only."""

    points: Matrix  # (n, POINT_SIZE) of the polyhedron that is being clipped
    links: IntegerMatrix  # (n, LINK)
    parts: Matrix  # (m, PART_SIZE)
    pairs: IntegerMatrix  # (m, PAIR_SIZE) integers
    stack: IntegerMatrix  # (depth, 2) integers: nodes of two trees


class SliceScratch(NamedTuple):
    """Additional scratch for round cells and round holes."""

    planes: Matrix  # (m, 4)
    lines: Matrix  # (m, PANEL_LINE of revolution_polyhedron.py)
    breaks: Vector  # (BREAKS of revolution_polyhedron.py,)
    pieces: Matrix  # (2 m, PIECE of polyhedron_hole.py)
    gathered: Matrix  # (CORNER_CORNERS, GATHER of polyhedron_hole.py)
    polygon: Matrix  # (2 CROSSED_CORNERS, 2) of cylinder_cylinder.py
    rows: Matrix  # (FEATURES, 21): V, c, J, N, feature, springs (force, couple, potential)
    pairs: IntegerMatrix  # (k, PAIR_SIZE) integers: pairs of cells from the broad phase
    cell: Matrix  # (m, 4): planes around the points nearest to one face of a cell
