"""Solids put together: a `Cell` is what shapes have in common, less its holes; `Cells` are a body of several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.composite_types import ListOf, ObjectOf
from ...basics.errors import ModelError, Problem, inside
from ...basics.pose import Pose
from ...basics.value_types import ValueType
from ...basics.values import shown
from .bores import Bore, bored, bores_of
from .cell_tables import cells_data
from .polyhedra import Polyhedron, bounded, box, hull
from .shape import Moved, Shape
from .triangles import half_width

CURVED = ("sphere", "cylinder", "cone", "capsule")
SEGMENTS = 96
"""Sides of the prism of equal section that stands for a curved hole where a Cell gives its volume and inertia."""
NONE = np.zeros((0, 4))
OVERLAPPING = 1e-9
"""Part of the smaller of two cells that may be in both."""


class SolidCell(NamedTuple):
    """One convex cell of a body, with the curved holes in it.

    solid     a bounded polyhedron in the body's axes; None for a curved shape and for half-spaces
    planes    (m, 4) of a half-space or wedge, or those that cut a curved shape: unit normal, offset [m]
    curved    a curved shape and its pose, or None
    holes     the round hole in it, where it has one, as long as the cell
    """

    solid: Polyhedron | None
    planes: np.ndarray
    curved: Moved | None
    holes: tuple[Bore, ...]


def solid_cells(shape: Shape, address: str = "shape", pose: Pose | None = None) -> list[SolidCell]:
    """The convex cells that a shape is made of, in the axes that the pose is given in; a ModelError where it has none.

    A Mesh must be convex: another is given as `Cells.from_mesh(mesh)`, so that what it is cut into can be seen.
    """
    pose = Pose() if pose is None else pose
    if isinstance(shape, (Cell, Cells)):
        return shape.solid_cells(address, pose)
    if getattr(shape, "inside", False):
        said = "a hole (inside=True) has no end by itself; put it in a Cell with the block that it is in"
        raise ModelError.at(address, said)
    if shape.kind in CURVED:
        return [SolidCell(None, NONE, Moved(shape, pose), ())]
    if shape.kind in ("plane", "edge"):
        return [SolidCell(None, _half_spaces(shape, pose), None, ())]
    return [SolidCell(_polyhedron(shape, address).moved(pose.rotation, pose.position), NONE, None, ())]


def _polyhedron(shape: Shape, address: str) -> Polyhedron:
    """The polyhedron that a box or a convex mesh is."""
    if shape.kind == "box":
        return box(shape.lengths)  # type: ignore[attr-defined]
    if not hasattr(type(shape), "triangle_surface"):
        raise ModelError.at(
            address, f"volumetric contact does not know a {shape.kind}; give ConvexMesh, or Cells of it"
        )
    from .meshes import convex_problems
    from .triangles import winding_problems

    vertices, triangles = shape.triangle_surface  # type: ignore[attr-defined]
    problems = shape.check(address)
    problems = problems or winding_problems(vertices, triangles, address)
    if not problems and shape.kind == "mesh" and convex_problems(vertices, triangles, address):
        stated = "mesh is not convex, and volumetric contact takes convex cells"
        problems = [Problem(address, f"{stated}; give Cells.from_mesh(mesh), which shows the cells it is cut into")]
    found = None if problems else hull(vertices)
    if found is None:
        raise ModelError(problems or [Problem(address, "mesh encloses no volume; give the surface of a solid")])
    return found


def _half_spaces(shape: Shape, pose: Pose) -> np.ndarray:
    numbers = shape.contact_data()[1]
    planes = np.array([numbers]) if shape.kind == "plane" else np.column_stack([numbers.reshape(2, 3), np.zeros(2)])
    planes[:, :3] = planes[:, :3] @ pose.rotation.T
    planes[:, 3] += planes[:, :3] @ pose.position
    return planes


def _moved(value: Any, address: str) -> Moved:
    if isinstance(value, Moved):
        return value
    if isinstance(value, Shape):
        return Moved(value, Pose())
    raise ModelError.at(address, f"got {shown(value)}; give a shape, or one with its place: shape.moved(position)")


@checked
class _Composed(Shape):
    """A shape made of others."""

    members: tuple[Moved, ...]
    coded_as: ClassVar[str] = "cell"
    rank: ClassVar[int] = 4
    field_types: ClassVar[Mapping[str, ValueType]] = {"members": ListOf(ObjectOf(Moved))}

    @abstractmethod
    def solid_cells(self, address: str, pose: Pose) -> list[SolidCell]:
        """The convex cells of the body, its own axes at the pose."""

    @cached_property
    def own_cells(self) -> list[SolidCell]:
        """The convex cells in the shape's own axes; a ModelError where something is wrong with them."""
        return self.solid_cells(type(self).__name__, Pose())

    @cached_property
    def _properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for sign, (v, c, J) in self._summands():
            volume += sign * v
            first += sign * v * c
            second += sign * (0.5 * np.trace(J) * np.eye(3) - J + v * np.outer(c, c))
        centre = first / volume
        second -= volume * np.outer(centre, centre)
        return volume, centre, np.trace(second) * np.eye(3) - second

    def _summands(self) -> list[tuple[float, tuple[float, np.ndarray, np.ndarray]]]:
        """Volumes, centres and inertias that add up to the body's, holes with a minus."""
        out: list[tuple[float, tuple[float, np.ndarray, np.ndarray]]] = []
        for cell in self.own_cells:
            if cell.solid is not None:
                out.append((1.0, cell.solid.properties))
                for solid in (one for hole in cell.holes for one in hole.solids(SEGMENTS)):
                    common = solid.common(cell.solid.planes)
                    if common is not None:
                        out.append((-1.0, common.properties))
            elif cell.curved is not None:
                shape, R = cell.curved.shape, cell.curved.pose.rotation
                out.append((1.0, (shape.volume, cell.curved.pose.apply(shape.centroid), R @ shape.inertia @ R.T)))
        return out

    @property
    def volume(self) -> float:
        """Enclosed volume [m^3]; where a curved hole is cut off by a slanting face, to 0.1 % of the hole."""
        return self._properties[0]

    @property
    def centroid(self) -> np.ndarray:
        return self._properties[1].copy()

    @property
    def inertia(self) -> np.ndarray:
        return self._properties[2].copy()

    @property
    def reach(self) -> float:
        """Distance of its farthest point from the origin [m], at most."""
        far = 0.0
        for cell in self.own_cells:
            if cell.solid is not None:
                far = max(far, float(np.linalg.norm(cell.solid.vertices, axis=1).max()))
            elif cell.curved is not None:
                far = max(far, float(np.linalg.norm(cell.curved.pose.position)) + cell.curved.shape.reach)
        return far

    @property
    def thickness(self) -> float:
        """The least of its cells [m]: twice volume over surface."""
        least = np.inf
        for cell in self.own_cells:
            if cell.solid is not None:
                a, b, c = np.moveaxis(cell.solid.vertices[cell.solid.triangles], 1, 0)
                area = 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
                least = min(least, 2.0 * cell.solid.volume / area)
            elif cell.curved is not None:
                least = min(least, cell.curved.shape.thickness)
        return least

    @property
    def half_thickness(self) -> float:
        """That of its thickest cell [m]: an overlap may reach over several of them."""
        most = 0.0
        for cell in self.own_cells:
            if cell.solid is not None:
                most = max(most, half_width(cell.solid.vertices, cell.solid.triangles))
            elif cell.curved is not None:
                most = max(most, cell.curved.shape.half_thickness)
        return most

    def check(self, address: str) -> list[Problem]:
        problems = []
        for k, member in enumerate(self.members):
            problems += inside(f"members[{k}]", member.check(f"{address}.{self.kind}[{k}]"))
        if problems:
            return problems
        try:
            cells = self.solid_cells(address, Pose())
        except ModelError as error:
            return list(error.problems)
        return overlap_problems(cells, address)

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return cells_data(self.own_cells)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        """The surfaces of all its cells; faces between two cells are among them."""
        vertices, triangles, before = [], [], 0
        for cell in self.own_cells:
            pieces = [] if cell.solid is None else [cell.solid]
            for solid in (one for hole in cell.holes for one in hole.solids(resolution)):
                pieces = [part for piece in pieces for part in piece.without(solid)]
            meshes = [(piece.vertices, piece.triangles) for piece in pieces]
            if cell.curved is not None:
                corners, faces = cell.curved.shape.to_mesh(resolution)
                meshes.append((cell.curved.pose.apply(corners), faces))
            for corners, faces in meshes:
                vertices.append(corners)
                triangles.append(faces + before)
                before += len(corners)
        return np.concatenate(vertices), np.concatenate(triangles)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.members == other.members

    def __hash__(self) -> int:
        return hash((self.kind, self.members))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; make another")


@checked
class Cell(_Composed):
    """What several shapes have in common, less the holes among them (`inside=True`): one block, drilled or pocketed.

    members    shapes, or shapes with a place: ``Cell(Box((0.2, 0.2, 0.05)), Cylinder(0.02, 0.1, inside=True))``,
               ``Cell(Box((1, 1, 1)), Box((0.4, 0.4, 2), inside=True).moved((0.1, 0, 0)))``

    The solids are boxes, convex meshes, planes and edges, which together must enclose something bounded, or a single
    curved shape. A hole is what is inside of its surface, so one that ends in the block is a pocket. Holes with flat
    faces are taken out exactly: the block is then several convex cells, which contact puts together again where they
    share a face. Cylinders and cones on one axis are one round hole, such as a bore with its chamfer; the block is cut
    between holes, and where one ends, so that each cell has one.
    """

    kind: ClassVar[str] = "cell"

    def __init__(self, *members: Shape | Moved) -> None:
        object.__setattr__(self, "members", tuple(_moved(one, f"Cell[{k}]") for k, one in enumerate(members)))

    @classmethod
    def _from_fields(cls, **values: Any) -> Cell:
        return cls(*values["members"])

    def __repr__(self) -> str:
        return f"Cell({', '.join(map(repr, self.members))})"

    def solid_cells(self, address: str, pose: Pose) -> list[SolidCell]:
        for k, member in enumerate(self.members):
            if isinstance(member.shape, (Cell, Cells)):
                raise ModelError.at(f"{address}.cell[{k}]", "is made of cells itself; put both into Cells([...])")
        holes = [one for one in self.members if getattr(one.shape, "inside", False)]
        solids = [one for one in self.members if not getattr(one.shape, "inside", False)]
        curved = [one for one in solids if one.shape.kind in CURVED]
        if curved:
            if len(self.members) > 1:
                kinds = ", ".join(one.shape.kind for one in self.members)
                stated = f"a cell of {kinds} is not known; a curved solid stands alone in its cell"
                raise ModelError.at(address, f"{stated}: put it into Cells([...]) beside the others")
            return [SolidCell(None, NONE, Moved(curved[0].shape, pose @ curved[0].pose), ())]
        pieces = [self._block(address, solids)]
        for k, member in enumerate(self.members):
            if getattr(member.shape, "inside", False) and member.shape.kind not in CURVED:
                hole = _polyhedron(member.shape, f"{address}.cell[{k}]")
                hole = hole.moved(member.pose.rotation, member.pose.position)
                pieces = [part for piece in pieces for part in piece.without(hole)]
        if not pieces:
            raise ModelError.at(address, "cell is empty: its holes leave nothing of it; make them smaller")
        bores = bores_of([one for one in holes if one.shape.kind in CURVED], address)
        return [
            SolidCell(solid.moved(pose.rotation, pose.position), NONE, None, tuple(bore.moved(pose) for bore in there))
            for piece in pieces
            for solid, there in bored(piece, bores, address)
        ]

    def _block(self, address: str, solids: list[Moved]) -> Polyhedron:
        """What the solids have in common."""
        if not solids:
            raise ModelError.at(address, "cell is unbounded: it has only holes; add the solid that they are in")
        planes = []
        for k, one in enumerate(solids):
            if one.shape.kind in ("plane", "edge"):
                planes.append(_half_spaces(one.shape, one.pose))
            else:
                solid = _polyhedron(one.shape, f"{address}.cell[{k}]")
                planes.append(solid.moved(one.pose.rotation, one.pose.position).planes)
        if len(solids) == 1 and solids[0].shape.kind not in ("plane", "edge"):
            only = solids[0]
            return _polyhedron(only.shape, address).moved(only.pose.rotation, only.pose.position)
        return bounded(np.concatenate(planes), address)


@checked
class Cells(_Composed):
    """A body of several cells, which do not overlap: convex shapes and whole `Cell` objects, each where it is.

    members    shapes, or shapes with a place: ``Cells([Box((1, 1, 0.1)), Sphere(0.1).moved((0, 0, 0.3))])``

    Where two cells with flat faces lie on each other, contact takes them for one: a table cut into cells is a table.
    """

    kind: ClassVar[str] = "cells"
    deviation: float = 0.0
    """Of cells cut from a mesh: their volume over that of the mesh, less one."""

    def __init__(self, members: Sequence[Shape | Moved]) -> None:
        if not isinstance(members, Sequence) or not members:
            raise ModelError.at("Cells", f"got {shown(members)}; give a list of shapes")
        object.__setattr__(self, "members", tuple(_moved(one, f"Cells[{k}]") for k, one in enumerate(members)))

    @classmethod
    def from_mesh(cls, mesh: Shape, method: str = "exact", most: int = 256, **options: Any) -> Cells:
        """A mesh that is not convex, cut into convex cells: see `decomposition.decompose`."""
        from .decomposition import decompose

        members, deviation = decompose(mesh, method, most, options)
        cells = cls(members)
        object.__setattr__(cells, "deviation", deviation)
        return cells

    def __repr__(self) -> str:
        return f"Cells({len(self.members)} members)"

    @property
    def volumes(self) -> np.ndarray:
        """Volume of each member [m^3]."""
        return np.array([member.shape.volume for member in self.members])

    def solid_cells(self, address: str, pose: Pose) -> list[SolidCell]:
        cells = []
        for k, member in enumerate(self.members):
            there = pose @ member.pose
            if member.shape.kind in ("plane", "edge"):
                stated = f"a {member.shape.kind} has no end; cut it with Cell(...), or give it as a shape of its own"
                raise ModelError.at(f"{address}.cells[{k}]", stated)
            cells += solid_cells(member.shape, f"{address}.cells[{k}]", there)
        return cells


def overlap_problems(cells: list[SolidCell], address: str) -> list[Problem]:
    """Cells with flat faces that are in each other: what is in both would press twice."""
    flat = [(k, cell.solid) for k, cell in enumerate(cells) if cell.solid is not None]
    if not flat:
        return []
    low = np.array([solid.vertices.min(axis=0) for _, solid in flat])
    high = np.array([solid.vertices.max(axis=0) for _, solid in flat])
    for at, (k, one) in enumerate(flat):
        near = (low[at + 1 :] < high[at]).all(axis=1) & (high[at + 1 :] > low[at]).all(axis=1)
        for j, other in (flat[at + 1 + m] for m in np.flatnonzero(near)):
            common = one.common(other.planes)
            if common is not None and common.volume > OVERLAPPING * min(one.volume, other.volume):
                stated = f"cells {k} and {j} have {common.volume:.3g} m^3 in common, which would press twice"
                return [Problem(address, f"{stated}; cut one of them, as with Cell(..., Box(..., inside=True))")]
    return []


def volume_data(shape: Shape, address: str = "shape", inner: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Integers and floats of any shape as a body of cells; a ModelError where volumetric contact cannot take it.

    inner    whether they say which faces lie wholly between two cells
    """
    return cells_data(solid_cells(shape, address), inner)
