"""Elastic solids: bodies of finite elements in a floating frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.composite_types import ListOf, MappingOf, ObjectOf, Union
from ....basics.errors import ModelError, Problem, inside
from ....basics.pose import Pose
from ....basics.value_types import Array, Integer, Text, ValueType
from ....basics.values import as_array, as_number, name_problems, shown, suggestion
from ....basics.warn import warn
from ...contact.materials import Material
from ...solids.assembly import matrices, strains_at_nodes, volume_of
from ...solids.contact_surfaces import SolidSurface
from ...solids.fe_mesh import SolidMesh
from ...solids.nodal_fields import field_of
from ...solids.outer_surface import skinned
from ...solids.reading import as_mesh
from ..appearance.bones import Skeleton, Surface
from ..body import Body, BodyData, MarkerData
from ..floating_frame.craig_bampton import ModalReduction, integrals, reduce
from ..floating_frame.craig_bampton import in_space as matrices_in_space
from ..floating_frame.cross_section import DAMPING
from ..floating_frame.matrices import factor, unsupported_problems
from ..floating_frame.modal_tables import Modal, ModalStation, natural_frequencies
from ..floating_frame.reference_conditions import ON_AXIS, ReferenceConditions, reference_of
from ..floating_frame.validity_limits import Excess, slope_excess, strain_excess
from .nodal_tables import NodalTables
from .node_places import NodalPlaces, Places, RevolvedPlaces

LARGEST = 300
"""Coordinates that a body with dense matrices may have: its inertia has as many entries squared, times nine."""
HEAVY = 1e7
"""A mass above this is more likely a wrong unit [kg]."""


class SolidWarning(UserWarning):
    """A solid that is probably not what was meant."""


WORDS: dict[str, tuple[Any, ...]] = {
    "plane": (None, "stress", "strain", "axisymmetric"),
    "element": ("auto", "linear", "bbar", "quadratic"),
    "inertia": ("full", "rotated", "constant"),
    "gyroscopic": (True, False),
    "matrices": ("auto", "dense", "sparse"),
}
"""What some options may be."""
CHOSEN = ("plane", "element", "inertia", "matrices")
SOLID_TYPES: dict[str, ValueType] = {what: Text(tuple(filter(None, WORDS[what]))) for what in CHOSEN}
SOLID_TYPES |= {
    "mesh": ObjectOf(SolidMesh),
    "modes": Integer(0, 300),
    "masters": Union(Text(), ListOf(Text())),
    "frames": MappingOf(Array(3)),
    "damping": DAMPING,
}
"""Sorts of the fields of a `Solid` whose annotations do not say."""


def expect_words(at: str, **given: Any) -> None:
    """Refuses options that are none of those of `WORDS`."""
    for what, word in given.items():
        if word not in WORDS[what]:
            allowed = ", ".join(map(repr, WORDS[what]))
            raise ModelError.at(f"{at}: {what}", f"got {shown(word)}; allowed are {allowed}")


def as_damping(given: Any, where: str) -> Any:
    """A ratio, or a pair of Rayleigh's coefficients."""
    if given is None:
        return 0.0
    return as_number(given, where) if np.ndim(given) == 0 else tuple(as_array(given, where).tolist())


def option_problems(body: Solid, at: str) -> list[Problem]:
    """What is wrong with the options of a solid."""
    problems, d = inside("material", body.material.check(at)), body.mesh.dimensions
    if body.material.density is None:
        problems.append(Problem(at, "its material has no density; give jd.Material(E, nu, density=...) [kg/m^3]"))
    if body.material.nu > 0.4999 and body.plane != "stress":
        words = 'a solid of displacements takes at most 0.4999; give that, and element="bbar" or "quadratic"'
        problems.append(Problem(at, f"Poisson's ratio is {body.material.nu:g}; {words}", "material.nu"))
    if (body.plane is None) != (d == 3):
        problems.append(
            Problem(
                at,
                f"the mesh has {d} dimensions; give plane="
                + ("None" if d == 3 else '"stress", "strain" or "axisymmetric"'),
            )
        )
    if (body.thickness is None) != (body.plane not in ("stress", "strain")):
        words = 'thickness= [m] belongs to plane="stress" and "strain", and to nothing else; give both or none'
        problems.append(Problem(at, words))
    elif body.thickness is not None and not body.thickness > 0.0:
        problems.append(Problem(at, f"thickness is {body.thickness:g}; it must be positive", "thickness"))
    if body.element == "bbar" and body.plane == "stress":
        words = 'element="bbar" is for changes of volume, which are free in plane stress; give "linear" or "quadratic"'
        problems.append(Problem(at, words))
    if body.plane == "axisymmetric" and d == 2:
        problems += radius_problems(body.mesh.points[:, 0], at)
    modes = body.modes
    if modes is not None and (isinstance(modes, bool) or not isinstance(modes, int | np.integer) or modes < 0):
        problems.append(Problem(at, f"modes is {shown(modes)}; give a whole number, or None", "modes"))
    return problems + body.damping_problems(at, "give a ratio, or Rayleigh(...)")


def radius_problems(radii: np.ndarray, at: str) -> list[Problem]:
    """What is wrong with the radii of the half section of a body of revolution."""
    least = float(np.min(radii))
    if least < -ON_AXIS * float(np.ptp(radii)):
        words = (
            "x is the radius of the half section and must not be negative; mesh the half with x >= 0, about the y axis"
        )
        return [Problem(at, f"the mesh reaches x = {least:g}; {words}")]
    return []


def solid_problems(body: Solid, at: str) -> tuple[Problem, ...]:
    """Everything wrong with a solid; warns of a mass that is probably a wrong unit."""
    problems = name_problems(body.name, at, "body") + option_problems(body, at)
    for key in (*body.regions, *body.frames):
        problems += name_problems(key, f"{at}.{key}", "frame")
        if key == "origin":
            problems.append(Problem(f"{at}.{key}", '"origin" is the body\'s own; choose another name'))
    for key in set(body.regions) & set(body.frames):
        problems.append(Problem(f"{at}.{key}", "is a surface and a frame; choose another name"))
    problems += inside("mesh", body.mesh.check(at))
    if problems:
        return tuple(problems)
    try:
        reference = body.fixed_to
    except ModelError as error:
        return tuple(error.problems)
    by = body.nodal.factor if body.sparse else factor
    problems += unsupported_problems(*body.free_matrices(reference)[1:], len(body.mesh.points), "the reference", at, by)
    count = body.count_of(reference)
    if not problems:
        problems += sparse_problems(body, count, at)
    if not problems and not count:
        few = "its masters are too few: the reference holds them all; give more of them, modes=, or a RigidBody"
        none = "has no coordinates left; give modes=, or a RigidBody"
        problems.append(Problem(at, few if body.masters else none))
    if not problems and body.mass > HEAVY:
        warn(
            f'solid "{body.name}" weighs {body.mass:.3g} kg and measures '
            f"{np.max(np.ptp(body.mesh.points, axis=0)):.3g} m; is the mesh in millimetres? mesh.scaled(0.001)",
            SolidWarning,
        )
    return tuple(problems)


def sparse_problems(body: Solid, count: int, at: str) -> list[Problem]:
    """Why the matrices of a solid with so many coordinates cannot be dense, or cannot be sparse."""
    ratio = body.damping if not isinstance(body.damping, tuple) else 0.0
    if body.sparse:
        if ratio > 0.0:
            words = "is the ratio of every mode, which sparse matrices do not know; give jd.Rayleigh(...)"
            return [Problem(at, f"damping={ratio:g} {words}", "damping")]
        return []
    if count > LARGEST:
        why = ", or fewer masters="
        if body.full:
            why = {"axisymmetric": ": a body of revolution has dense matrices"}.get(str(body.plane), "")
            if body.reference == "mean":
                why = ', or reference="nodes": mean axes tie all nodes to each other'
            elif body.matrices == "dense":
                why = ', or matrices="sparse"'
        return [Problem(at, f"has {count} coordinates, and {LARGEST} are the most that may be dense; give modes={why}")]
    if body.matrices == "sparse":
        words = 'takes all nodes as coordinates, so no modes=, no masters=, no plane="axisymmetric" and no '
        return [Problem(at, f'matrices="sparse" {words}reference="mean"; leave matrices= out', "matrices")]
    return []


PIECE = 4_000_000
"""Strains that are in memory at once."""


@checked
class Solid(Body):
    """An elastic body from a mesh: large rigid motion, small strains.

    mesh         `jd.mesh.block(...)` and its like, (points, cells), a file that meshio reads, a mesh of scikit-fem [m]
    material     with its density
    plane        None for a body in space; "stress" or "strain" for one that a plane mesh describes, which deforms in
                 its plane and moves in space; "axisymmetric" for a body of revolution, whose half section is the mesh:
                 x is the radius, and y runs along the axis
    thickness    of a plane one in stress or strain [m]
    element      "quadratic", which "auto" is; "linear", too stiff in bending and where Poisson's ratio is nearly a
                 half; or "bbar", linear ones whose change of volume is averaged, which cures the latter
    modes        how many of its normal modes are coordinates; None for none, or all
    masters      nodes, or names of surfaces, whose displacements are coordinates, the others following statically
    reference    what the body's frame is fixed to: "nodes" (three nodes, of which the one nearest to the origin does
                 not move), the name of a surface or frame, which is held rigidly, or "mean", the axes in which its
                 deformation has no momentum, for a body that floats. "auto" is "mean" with modes and without masters,
                 and "nodes" otherwise
    surfaces     names and nodes of parts of the surface: a function of positions (3, N) that says which, the lowest
                 and highest corner of a box that they are in, or their numbers
    frames       names and places in the axes of the mesh [m]; carried by the nearest node and those around it
    damping      ratio of the modes, or `Rayleigh`
    matrices     of a body without modes and masters, all of whose nodes are coordinates: "dense", for at most 300;
                 "sparse", for thousands; "auto" is "dense" where that can be. See the documentation for what sparse
                 ones cannot do
    inertia      "full": the mass matrix is that of the deformed body; "rotated" is the thesis's name for how that is
                 inverted here, with a constant factor; "constant": that of the undeformed one, in error by the order
                 of displacements over lengths, while forces of velocities stay those of the deformed body
    gyroscopic   whether centrifugal and Coriolis forces act on the coordinates; without them it does not grow when it
                 spins

    Body axes and origin are those of the mesh. Coordinates are `node[i].x` of masters [m], behind them `mode[i]`,
    scaled to 1 m at the node that moves most. Without modes and masters all nodes are coordinates. Displacements are
    linear in the coordinates; inertia is that of the deformed body.

    A body of revolution moves in space as any other, and deforms symmetrically about its axis. Then a node is a circle:
    its frame `node[i]`, and that of a surface, is on the axis at the height of the node or of the mean of the nodes,
    and moves along the axis. A frame of `frames` is a point of the body, wherever it is around the axis. Fields are
    those of the section: xx radial, yy along the axis, zz round it.
    """

    kind: ClassVar[str] = "solid"
    field_types: ClassVar[Mapping[str, ValueType]] = SOLID_TYPES
    optional_fields: ClassVar[tuple[str, ...]] = ("matrices",)

    def __init__(
        self,
        name: str,
        mesh: Any,
        material: Material,
        plane: str | None = None,
        thickness: float | None = None,
        element: str = "auto",
        modes: int | None = None,
        masters: str | Sequence[str] | ArrayLike | None = None,
        reference: str = "auto",
        surfaces: Mapping[str, Any] | None = None,
        frames: Mapping[str, ArrayLike] | None = None,
        damping: float | Sequence[float] | None = None,
        inertia: str = "full",
        gyroscopic: bool = True,
        matrices: str = "auto",
    ) -> None:
        at = str(name)
        if not isinstance(material, Material):
            raise ModelError.at(f"{at}: material", f"got {shown(material)}; give jd.Material(E, nu, density)")
        expect_words(at, plane=plane, element=element, inertia=inertia, gyroscopic=gyroscopic, matrices=matrices)
        if not all(one is None or isinstance(one, Mapping) for one in (surfaces, frames)):
            raise ModelError.at(at, 'surfaces and frames are given by name: {"face": ...}')
        if not isinstance(reference, str):
            raise ModelError.at(f"{at}: reference", f"got {shown(reference)}; give one of those of Solid")
        self.name, self.material, self.plane, self.modes, self.reference = name, material, plane, modes, reference
        self.mesh = _with_elements(as_mesh(mesh, at), element)
        self.element = "quadratic" if element == "auto" else element
        self.inertia, self.gyroscopic, self.matrices = inertia, bool(gyroscopic), matrices
        self.keeps_momentum = inertia != "constant" and self.gyroscopic
        self.thickness = None if thickness is None else as_number(thickness, f"{at}: thickness")
        self.damping = as_damping(damping, f"{at}: damping")
        self.regions: dict[str, tuple[int, ...]] = {
            str(key): tuple(self.mesh.nodes_where(one, f"{at}.{key}").tolist()) for key, one in (surfaces or {}).items()
        }
        """Nodes of the named parts of its surface."""
        self.frames = {str(key): self._place(one, f"{at}.{key}") for key, one in (frames or {}).items()}
        self.masters = self._masters(masters)

    def _place(self, given: Any, address: str) -> np.ndarray:
        place = as_array(given, address)
        if (
            place.shape not in ((3,), (2,))
            or (len(place) == 2 and self.plane is None)
            or not np.all(np.isfinite(place))
        ):
            raise ModelError.at(address, f"got {shown(given)}; give its place (x, y, z) in the axes of the mesh [m]")
        return np.append(place, np.zeros(3 - len(place)))

    def _masters(self, masters: Any) -> tuple[int, ...] | None:
        """Nodes whose displacements are coordinates."""
        if masters is None:
            return None
        nodes: list[int] = []
        for one in [masters] if isinstance(masters, str) else list(masters):
            if isinstance(one, str):
                if one not in self.regions:
                    where = f"{self.name}: masters"
                    raise ModelError.at(where, f'no surface is called "{one}"; {suggestion(one, self.regions)}')
                nodes += self.regions[one]
            else:
                nodes += self.mesh.nodes_where(one, f"{self.name}: masters").tolist()
        return tuple(sorted(set(nodes)))

    # ------------------------------------------------------------------ what can be wrong

    def check(self) -> list[Problem]:
        return list(self._problems)

    @cached_property
    def _problems(self) -> tuple[Problem, ...]:
        return solid_problems(self, str(self.name))

    # ------------------------------------------------------------------ matrices and coordinates

    @cached_property
    def nodes(self) -> np.ndarray:
        """Places of all nodes, (N, 3) [m]."""
        x = self.mesh.points
        return x if x.shape[1] == 3 else np.hstack([x, np.zeros((len(x), 1))])

    @cached_property
    def _matrices(self) -> tuple[Any, Any]:
        """Mass and stiffness of all nodes in space."""
        assert self.material.density is not None
        M, K = matrices(
            self.mesh, self.material, self.material.density, self.plane, self.thickness or 1.0, self.element == "bbar"
        )
        return (M, K) if self.plane is None else matrices_in_space(M, K)

    @property
    def mass_matrix(self) -> Any:
        """Of all nodes, x, y and z of each behind each other, sparse (3 N, 3 N)."""
        return self._matrices[0]

    @property
    def stiffness_matrix(self) -> Any:
        """As `mass_matrix`."""
        return self._matrices[1]

    @cached_property
    def fixed_to(self) -> ReferenceConditions:
        word = self.reference
        if word == "auto":
            word = "mean" if self.modes is not None and self.masters is None else "nodes"
        held = self.regions.get(word)
        if held is None and word in self.frames:
            held = tuple(self._places.around(self.frames[word]).tolist())
        return reference_of(word, held, self.nodes, self.plane, f"{self.name}: reference", self.regions)

    def free_matrices(self, reference: ReferenceConditions) -> tuple[Any, Any, Any]:
        """Mass, stiffness and map of what can move, masters first."""
        if reference.word == "mean":  # any support will do to find what is unsupported
            reference = reference_of("nodes", None, self.nodes, self.plane, "", {})
        B, _ = reference.columns(self.masters or (), len(self.nodes))
        M, K = ((B.T @ one @ B).tocsc() for one in self._matrices)
        return M, K, B

    def count_of(self, reference: ReferenceConditions) -> int:
        """How many coordinates it has."""
        _, names = reference.columns(self.masters or (), len(self.nodes))
        if self.full:
            return len(names) - (len(reference.freedom.rigid) if reference.word == "mean" else 0)
        return sum(name != "" for name in names) + (self.modes or 0) if self.masters else int(self.modes or 0)

    @property
    def full(self) -> bool:
        """Whether all its nodes are coordinates."""
        return self.modes is None and self.masters is None

    @cached_property
    def sparse(self) -> bool:
        """Whether its matrices are sparse."""
        if not self.full or self.plane == "axisymmetric" or self.fixed_to.word == "mean":
            return False
        return self.matrices == "sparse" or (self.matrices == "auto" and self.count_of(self.fixed_to) > LARGEST)

    @cached_property
    def nodal(self) -> NodalTables:
        """The matrices of a body all of whose nodes are coordinates."""
        B, _ = self.fixed_to.columns(range(len(self.nodes)), len(self.nodes))
        damping = self.damping if isinstance(self.damping, tuple) else (0.0, 0.0)
        return NodalTables(*self._matrices, B, self.nodes, damping, self.inertia != "constant", self.gyroscopic)

    @cached_property
    def _reduced(self) -> tuple[ModalReduction, tuple[str, ...]]:
        reference = self.fixed_to
        if reference.word == "mean":
            modes = self.count_of(reference) if self.modes is None else int(self.modes)
            return reference.floating(*self._matrices, self.nodes, modes)
        masters = range(len(self.nodes)) if self.full else (self.masters or ())
        B, names = reference.columns(masters, len(self.nodes))
        b = sum(name != "" for name in names)
        M, K = ((B.T @ one @ B).tocsc() for one in self._matrices)
        count = min(int(self.modes or 0), K.shape[0] - b)
        found = reduce(M, K, B, b, count, self.nodes, 3)
        return found, (*names[:b], *(f"mode[{i}]" for i in range(count)))

    @property
    def shapes(self) -> Any:
        """Displacements of all nodes for a unit of each coordinate, (3 N, n); sparse where its matrices are."""
        return self.nodal.shapes if self.sparse else self._reduced[0].shapes

    @cached_property
    def modal(self) -> Modal:
        """The integrals of its inertia."""
        M, K = self._matrices
        found = self._places.inertia(integrals(M, K, self._reduced[0], self.nodes, 3, self.damping))
        b = self._reduced[0].constraints
        for matrix in (found.M, found.K, found.C):  # normal modes are orthogonal: what is left is rounding
            matrix[b:, b:] = np.diag(np.diag(matrix)[b:])
        return replace(found, deformed=self.inertia != "constant", gyroscopic=self.gyroscopic)

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.material.density or 0.0) * volume_of(self.mesh, self.plane, self.thickness or 1.0)

    @property
    def com(self) -> np.ndarray:
        """Centre of mass of the undeformed body (3,) [m]."""
        return self.nodal.data(Pose()).com if self.sparse else self.modal.moment / self.modal.mass

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self._problems:
            return ()
        if self.sparse:
            return tuple(self.fixed_to.columns(range(len(self.nodes)), len(self.nodes))[1])
        return self._reduced[1]

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies with its frame held, rising [rad/s]; the lowest and the highest of sparse matrices."""
        if self.sparse:
            return self.nodal.frequencies()
        return natural_frequencies(self.modal.M, self.modal.K)

    # ------------------------------------------------------------------ frames

    @cached_property
    def _places(self) -> Places:
        if self.sparse:
            return NodalPlaces(self)
        return RevolvedPlaces(self) if self.plane == "axisymmetric" else Places(self)

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", *self.regions, *self.frames)

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        if name in self.regions:
            return Pose(self._places.middle(self.regions[name]))
        if name in self.frames:
            return Pose(self.frames[name])
        node, ring = self._node(name), self._node(name, "ring")
        if node is not None:
            return Pose(self._places.middle((node,)))
        if ring is not None:
            return Pose(self.nodes[ring])
        raise self.unknown_frame(name)

    def surface(self, name: str) -> SolidSurface:
        """A named part of its surface, for `System.contact`: its nodes touch what it is paired with."""
        from ...solids.contact_surfaces import surface_of

        return surface_of(self, name, self.regions.get(name))

    def areas(self, sides: np.ndarray) -> np.ndarray:
        """Areas (N,) [m^2] of sides of its mesh, rows of `mesh.sides`, that belong to each node."""
        return self._places.areas(sides)

    def _node(self, name: str, word: str = "node") -> int | None:
        """The node that a frame `node[17]` is, or `ring[17]`, the point of a body of revolution at the node of its half
        section; None for another name."""
        number = name[5:-1] if name.startswith(f"{word}[") and name.endswith("]") else ""
        if word == "ring" and self.plane != "axisymmetric":
            return None
        return int(number) if number.isdecimal() and int(number) < len(self.nodes) else None

    def has_frame(self, name: str) -> bool:
        return name in self.frame_names() or self._node(name) is not None or self._node(name, "ring") is not None

    def can_be_held(self, name: str) -> bool:
        return name == "origin" or name == self.fixed_to.word

    @cached_property
    def _stations(self) -> dict[str, ModalStation]:
        out = {}
        for name in self.frame_names():
            if self.can_be_held(name):
                out[name] = self._places.still(self.frame(name).position)
            elif name in self.regions:
                out[name] = self._places.mean(self.regions[name])
            else:
                out[name] = self._places.point(self.frames[name])
        return out

    def data(self, held: Pose) -> BodyData:
        return self.nodal.data(held) if self.sparse else self.modal.data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        node, ring = self._node(name), self._node(name, "ring")
        if ring is not None:
            station = self._places.ring(ring)
        else:
            station = self._stations[name] if node is None else self._places.node(node)
        return MarkerData(held.inverse() @ self.frame(name), station.numbers(held))

    # ------------------------------------------------------------------ fields

    def recover(self, e: ArrayLike) -> np.ndarray:
        """Displacements of all nodes, (..., N, 3) [m], body axes, for coordinates (..., n)."""
        if self._problems:
            raise ModelError(self._problems)
        e = as_array(e, f"{self.name}: e")
        if e.shape[-1:] != (self.shapes.shape[1],):
            raise ModelError.at(f"{self.name}: e", f"got shape {e.shape}; give {self.shapes.shape[1]} coordinates")
        return np.asarray(e @ self.shapes.T).reshape(*e.shape[:-1], len(self.nodes), 3)

    @cached_property
    def _strains(self) -> Any:
        """Strains of all nodes for a unit of each coordinate, (N strains, n); sparse where its matrices are."""
        rows = np.arange(self.shapes.shape[0])
        shapes = self.shapes if self.plane is None else self.shapes[rows % 3 != 2]
        return strains_at_nodes(self.mesh, self.plane, self.element == "bbar") @ shapes

    def strains(self, e: np.ndarray) -> np.ndarray:
        """Strains of all nodes, (nt, N, strains), for coordinates (nt, n)."""
        return np.asarray(e @ self._strains.T).reshape(len(e), len(self.nodes), -1)

    def field(self, e: np.ndarray, what: str) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
        """A field over its nodes: values (nt, N) or (nt, N, components), unit, label, names of components."""
        return field_of(self.name, what, e, self.recover, self.strains, self.material, self.plane)

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Strains at the nodes, and turns of the places that carry what is drawn."""
        if not self.internal:
            return []
        some = max(1, PIECE // (6 * len(self.nodes)))
        pieces = [np.abs(self.strains(e[k : k + some])).max(axis=(1, 2)) for k in range(0, len(e), some)]
        turns = np.linalg.norm(self._places.turns(e), axis=2)
        return [
            strain_excess(np.concatenate([np.zeros(0), *pieces])[:, None]),
            slope_excess(turns, False, "with displacements linear in the coordinates"),
        ]

    def volume_mesh(self) -> tuple[np.ndarray, np.ndarray, str]:
        return self.nodes, self.mesh.cells, self.mesh.element.vtk

    # ------------------------------------------------------------------ looks

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """Its surface, every vertex between the two nearest places that carry it."""
        return [skinned(*self._places.boundary(), self._places.bone_places())]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """A bone at places of its surface, and one at every frame."""
        unsupported = {name: self._stations[name] for name in self.frame_names() if not self.can_be_held(name)}
        return self._places.skeleton(e, unsupported, self.frame_names())

    def described_value(self, name: str) -> Any:
        return self.regions if name == "surfaces" else getattr(self, name)

    def __repr__(self) -> str:
        return f'Solid("{self.name}", {self.mesh!r}, {len(self.internal)} coordinates)'


def _with_elements(mesh: SolidMesh, element: str) -> SolidMesh:
    """A mesh with the elements that were asked for."""
    return mesh.linear() if element in ("linear", "bbar") else mesh.quadratic()
