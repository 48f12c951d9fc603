"""Rows of bodies made of convex cells, of overlap parts, and of the scratch for clipping and slicing."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...algebra import Mat3, Sym3, Vec3
from ...compiler import kernel
from ...rows import Row, row_at, table_of
from ...signatures import IntegerMatrix, Matrix, Vector
from .overlap_values import Moments, Part, Springs, Wall

FEATURES = 8  # places that one pair of cells can have parts at
MOST_INNER = 60  # planes of a cell of which can be said that they lie wholly between cells


# ---------------------------------------------------------------------- bodies of cells


class CellsHeader(Row):
    """How the integers of a body of cells begin. Places are counted from where its integers, or its floats, begin."""

    cells: int  # how many
    nodes: int  # of its tree of boxes
    tree: int  # integers: a `CellNode` for each
    table: int  # integers: a `Cell` for each
    shared: int  # integers: a `SharedFace` for each face between two cells, those of one cell together
    boxes: int  # floats: a `CellBox` for each node
    most_vertices: int  # of a cell
    most_planes: int  # of a cell


class Cell(Row):
    """A convex cell of a body."""

    kind: int  # a shape code of kind_registry; CONVEX is a polyhedron
    floats: int  # of a round cell a `RoundCell`; of others the vertices, then planes, in the axes of the body
    vertices: int  # of a polyhedron, each with three edges
    planes: int
    edges: int  # integers: where the edges of its vertices lead, 3 a vertex
    faces: int  # its first row among the shared faces
    face_count: int
    bore: int  # integers: a `Bore`, the round hole in it
    # 1 or 0; above that a bit for each of its planes that lies wholly between cells of the body, where a contact with
    # springs asks for it
    holes: int


class SharedFace(Row):
    """A face between two cells, in the list of one of them."""

    other: int  # the cell on the other side
    corners: int  # how many
    polygon: int  # floats: the corners


class CellNode(Row):
    """A node of the tree of boxes, parents first."""

    after: int  # the node after all below it
    cell: int  # or -1


class CellBox(Row):
    """The box of a node."""

    middle: Vec3
    half: Annotated[np.ndarray, 3]  # half lengths, infinite for half-spaces


class HalfSpace(Row):
    """normal . x <= offset."""

    normal: Vec3  # unit normal out of the solid
    offset: float


class Axes(Row):
    """Pose of a round cell, or of a round hole, in its body; behind that of a hole are its pieces, upwards."""

    R: Mat3
    p: Vec3


class RoundCell(Axes):
    """Numbers of a round cell."""

    radius: float
    length: float  # or half length, of all but a sphere


class Bore(Row):
    """A round hole in a cell."""

    pieces: int  # 3 at most
    floats: int  # its `Axes`


class BorePiece(Row):
    """A piece of a round hole."""

    wall: Wall


class CellBody(NamedTuple):
    """A body of cells at a pose, and its tables."""

    count: Any
    cells: Any
    faces: Any
    nodes: Any
    boxes: Any
    integers: Any
    floats: Any
    R: Any
    p: Any


header_at, bore_at, axes_at, round_at = row_at(CellsHeader), row_at(Bore), row_at(Axes), row_at(RoundCell)
cell_rows, face_rows, node_rows, box_rows = map(table_of, (Cell, SharedFace, CellNode, CellBox))
half_spaces, bore_pieces = table_of(HalfSpace), table_of(BorePiece)
AXES = Axes.size


@kernel
def cell_body(x, n, f, i, R, p):
    """The body of cells whose floats begin at x[f], its integers at n[i]."""
    floats, integers = x[f:], n[i:]
    head = header_at(integers, 0)
    return CellBody(
        count=head.cells,
        cells=cell_rows(integers, head.table),
        faces=face_rows(integers, head.shared),
        nodes=node_rows(integers, head.tree),
        boxes=box_rows(floats, head.boxes),
        integers=integers,
        floats=floats,
        R=R,
        p=p,
    )


@kernel
def planes_of(body, cell):
    """Half-spaces of a cell with flat faces, in the axes of its body."""
    return half_spaces(body.floats, cell.floats + 3 * cell.vertices)


# ---------------------------------------------------------------------- parts


class OverlapPart(Row):
    """One connected piece of the overlap of two shapes, world axes."""

    volume: float  # [m^3]
    centroid: Vec3  # [m]
    inertia: Sym3  # about the centroid [m^5]
    guess: Vec3  # unit, of the normal: the direction of the force on the first shape; zero where nothing is known
    area: float  # of the second's surface in the first, projected along the guess [m^2]
    key: int  # its name: FEATURES * (cells of the second * cell of the first + cell of the second) + feature
    largest: float  # volume of the cell pair that the key names [m^3]
    springs: Springs
    part: Annotated[Part, "volume"]  # the first three


class CellPair(Row):
    """Two cells that overlap."""

    first: int
    second: int
    part: int  # the part that their overlap belongs to; before that, an earlier row that it is connected to
    key: int


class NodePair(Row):
    """Nodes of two trees that are still to be compared."""

    first: int
    second: int


# ---------------------------------------------------------------------- scratch


class ClipPoint(Row):
    """Place of a vertex of the polyhedron, or polygon, that is being clipped."""

    place: Vec3
    distance: float  # how far it is inside of the last plane [m]


class ClipVertex(Row):
    """Where its three edges lead: edge k of vertex v is the number 4 v + k."""

    edges: Annotated[np.ndarray, 3, int]
    sides: Annotated[np.ndarray, 3, int]  # the side that the face on the left of each belongs to, 0 or 1
    place: int  # of the vertex once those that are cut away are gone, or -1
    seen: int  # edges passed, one bit each


class SliceLine(Row):
    """A half-plane in slices across an axis, ux x + uy y <= d + slope z, and the half-space that it is a slice of."""

    ux: float
    uy: float
    d: float
    slope: float
    angle: float  # of (ux, uy), by which lines are sorted
    normal: Vec3
    offset: float


class SidePiece(Row):
    """A piece of a polygon's side that is outside of a disc."""

    start_x: float
    start_y: float
    end_x: float
    end_y: float
    leaves_circle: bool  # whether it starts on the circle
    meets_circle: bool  # whether it ends there
    line: int


class GatheredPart(Row):
    """A part in a round hole while slices are added to it."""

    moments: Moments  # about its origin
    origin: Vec3
    area: Vec3  # vector area of the wall
    slice: int  # that it was last in, with its range of angle and faces (a bit each) there
    angle: float
    span: float
    faces: int
    angle_before: float  # the same in the slice before
    span_before: float
    faces_before: int


class SlicedPart(Row):
    """A part as slices find it."""

    part: Part
    area: Vec3  # area of the second's surface in the first times its mean normal [m^2]
    feature: int
    springs: Springs


clip_points, clip_vertices, overlap_parts, cell_pairs = map(table_of, (ClipPoint, ClipVertex, OverlapPart, CellPair))
node_pairs, slice_lines, side_pieces = map(table_of, (NodePair, SliceLine, SidePiece))
gathered_parts, sliced_parts = table_of(GatheredPart), table_of(SlicedPart)
POINT, VERTEX, PART, PAIR = ClipPoint.size, ClipVertex.size, OverlapPart.size, CellPair.size
LINE, PIECE, GATHERED, SLICED = SliceLine.size, SidePiece.size, GatheredPart.size, SlicedPart.size


class OverlapScratch(NamedTuple):
    """Scratch of the overlap of two bodies; valid within one call only."""

    points: Matrix  # ClipPoint
    vertices: IntegerMatrix  # ClipVertex
    parts: Matrix  # OverlapPart
    pairs: IntegerMatrix  # CellPair
    stack: IntegerMatrix  # NodePair


class SliceScratch(NamedTuple):
    """Additional scratch for round cells and round holes."""

    planes: Matrix  # HalfSpace
    lines: Matrix  # SliceLine
    breaks: Vector  # (BREAKS of revolution_polyhedron.py,)
    pieces: Matrix  # SidePiece, two for each line
    gathered: Matrix  # GatheredPart
    polygon: Matrix  # (2 CROSSED_CORNERS, 2) of cylinder_cylinder.py
    rows: Matrix  # SlicedPart
    pairs: IntegerMatrix  # CellPair, from the broad phase
    cell: Matrix  # HalfSpace, around the points nearest to one face of a cell


@kernel
def overlap_tables(scratch):
    """Scratch of an overlap by the names of its rows."""
    return OverlapScratch(
        clip_points(scratch.points),
        clip_vertices(scratch.vertices),
        overlap_parts(scratch.parts),
        cell_pairs(scratch.pairs),
        node_pairs(scratch.stack),
    )


@kernel
def slice_tables(scratch):
    """The same of the additional scratch."""
    return SliceScratch(
        planes=half_spaces(scratch.planes),
        lines=slice_lines(scratch.lines),
        breaks=scratch.breaks,
        pieces=side_pieces(scratch.pieces),
        gathered=gathered_parts(scratch.gathered),
        polygon=scratch.polygon,
        rows=sliced_parts(scratch.rows),
        pairs=cell_pairs(scratch.pairs),
        cell=half_spaces(scratch.cell),
    )
