"""Elastic solids: bodies of finite elements in a floating frame."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics import quaternions as Q
from ...basics.errors import ModelError, Problem
from ...basics.pose import Pose
from ...basics.values import as_array, as_number, expect_keys, expect_text, name_problems, shown, suggestion
from ..contact.materials import Material
from ..solids.assembly import matrices, strains_at_nodes
from ..solids.fields import field_of
from ..solids.mesh import SolidMesh
from ..solids.reading import as_mesh
from ..solids.skin import boundary, skinned, spread
from .appearance import Skeleton, Surface, attached
from .base import Body, BodyData, MarkerData
from .interfaces import Group
from .limits import Excess, slope_excess, strain_excess
from .modal import Modal, Station, natural_frequencies
from .reduction import Reduction, integrals, reduce
from .reduction import in_space as matrices_in_space
from .references import Reference, reference_of
from .solid_options import option_problems
from .soundness import loose_problems

if TYPE_CHECKING:
    from ..solids.surfaces import SolidSurface

PLANES = (None, "stress", "strain")
ELEMENTS = ("auto", "linear", "quadratic")
LARGEST = 300
"""Coordinates that a body of the tree may have: its inertia has as many entries squared, times nine."""
HEAVY = 1e7
"""A mass above this is more likely a wrong unit [kg]."""
BONES = 80
"""Places that carry what is drawn of a solid."""


class SolidWarning(UserWarning):
    """A solid that is probably not what was meant."""


class Solid(Body):
    """An elastic body from a mesh: large rigid motion, small strains.

    mesh         `jd.mesh.block(...)` and its like, (points, cells), a file that meshio reads, a mesh of scikit-fem [m]
    material     with its density
    plane        None for a body in space; "stress" or "strain" for one that a plane mesh describes, which deforms in
                 its plane and moves in space
    thickness    of a plane one [m]
    element      "linear", or "quadratic", which "auto" is: linear elements are too stiff in bending
    modes        how many of its normal modes are coordinates; None for none, or all
    masters      nodes, or names of surfaces, whose displacements are coordinates, the others following statically
    reference    what the body's frame is fixed to: "nodes" (three nodes, of which the one nearest to the origin does
                 not move), the name of a surface or frame, which is held rigidly, or "mean", the axes in which its
                 deformation has no momentum, for a body that floats. "auto" is "mean" with modes and without masters,
                 and "nodes" otherwise
    surfaces     names and nodes of parts of the surface: a function of positions (3, N) that tells which, the lowest
                 and highest corner of a box that they are in, or their numbers
    frames       names and places in the axes of the mesh [m]; carried by the nearest node and those around it
    damping      ratio of the modes, or `Rayleigh`

    Body axes and origin are those of the mesh. Coordinates are `node[i].x` of masters [m], behind them `mode[i]`,
    scaled to 1 m at the node that moves most. Without modes and masters all nodes are coordinates, which is for small
    meshes. Displacements are linear in the coordinates; inertia is that of the deformed body.
    """

    kind: ClassVar[str] = "solid"

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
    ) -> None:
        at = str(name)
        if not isinstance(material, Material):
            raise ModelError.at(f"{at}: material", f"got {shown(material)}; give jd.Material(E, nu, density)")
        for what, given, known in (("plane", plane, PLANES), ("element", element, ELEMENTS)):
            if given not in known:
                raise ModelError.at(f"{at}: {what}", f"got {shown(given)}; allowed are {', '.join(map(repr, known))}")
        if not all(one is None or isinstance(one, Mapping) for one in (surfaces, frames)):
            raise ModelError.at(at, 'surfaces and frames are given by name: {"face": ...}')
        if not isinstance(reference, str):
            raise ModelError.at(f"{at}: reference", f"got {shown(reference)}; give a word, see Solid")
        self.name, self.material, self.plane, self.modes, self.reference = name, material, plane, modes, reference
        self.mesh = _with_elements(as_mesh(mesh, at), element)
        self.thickness = None if thickness is None else as_number(thickness, f"{at}: thickness")
        self.damping = _damping(damping, f"{at}: damping")
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
        at = str(self.name)
        problems = name_problems(self.name, at, "body") + option_problems(self, at)
        for key in (*self.regions, *self.frames):
            problems += name_problems(key, f"{at}.{key}", "frame")
            if key == "origin":
                problems.append(Problem(f"{at}.{key}", '"origin" is the body\'s own; choose another name'))
        for key in set(self.regions) & set(self.frames):
            problems.append(Problem(f"{at}.{key}", "is a surface and a frame; choose another name"))
        problems += self.mesh.check(at)
        if problems:
            return tuple(problems)
        try:
            reference = self._reference
        except ModelError as error:
            return tuple(error.problems)
        problems += loose_problems(*self._free(reference)[1:], len(self.mesh.points), "the reference", at)
        most = LARGEST
        count = self._count(reference)
        if not problems and count > most:
            problems.append(
                Problem(
                    at, f"has {count} coordinates, and {most} are the most in a tree; give modes=, or fewer masters="
                )
            )
        if not problems and not count:
            problems.append(Problem(at, "has no coordinates left; give modes=, or a RigidBody"))
        if not problems and self.mass > HEAVY:
            warnings.warn(
                f'solid "{self.name}" weighs {self.mass:.3g} kg and measures '
                f"{np.max(np.ptp(self.mesh.points, axis=0)):.3g} m; is the mesh in millimetres? mesh.scaled(0.001)",
                SolidWarning,
                stacklevel=2,
            )
        return tuple(problems)

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
        M, K = matrices(self.mesh, self.material, self.material.density, self.plane, self.thickness or 1.0)
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
    def _reference(self) -> Reference:
        word = self.reference
        if word == "auto":
            word = "mean" if self.modes is not None and self.masters is None else "nodes"
        held = self.regions.get(word)
        if held is None and word in self.frames:
            held = tuple(self._around(word).tolist())
        return reference_of(word, held, self.nodes, self.plane is not None, f"{self.name}: reference", self.regions)

    def _free(self, reference: Reference) -> tuple[Any, Any, Any]:
        """Mass, stiffness and map of what can move, masters first."""
        M, K = self._matrices
        B, _ = reference.columns(self.masters or (), len(self.nodes), self.plane is not None)
        if reference.word == "mean":  # any support will do to find what is loose
            B, _ = reference_of("nodes", None, self.nodes, self.plane is not None, "", {}).columns(
                (), len(self.nodes), self.plane is not None
            )
        return (B.T @ M @ B).tocsc(), (B.T @ K @ B).tocsc(), B

    def _count(self, reference: Reference) -> int:
        """How many coordinates it has."""
        _, names = reference.columns(self.masters or (), len(self.nodes), self.plane is not None)
        if self.modes is None and self.masters is None:
            return len(names)
        return sum(name != "" for name in names) + (self.modes or 0) if self.masters else int(self.modes or 0)

    @cached_property
    def _reduced(self) -> tuple[Reduction, tuple[str, ...]]:
        reference, plane = self._reference, self.plane is not None
        if reference.word == "mean":
            return reference.floating(*self._matrices, self.nodes, int(self.modes or 0), plane)
        masters = range(len(self.nodes)) if self.modes is None and self.masters is None else (self.masters or ())
        B, names = reference.columns(masters, len(self.nodes), plane)
        b = sum(name != "" for name in names)
        M, K = ((B.T @ one @ B).tocsc() for one in self._matrices)
        count = min(int(self.modes or 0), K.shape[0] - b)
        found = reduce(M, K, B, b, count, self.nodes, 3)
        return found, (*names[:b], *(f"mode[{i}]" for i in range(count)))

    @property
    def shapes(self) -> np.ndarray:
        """Displacements of all nodes for a unit of each coordinate, (3 N, n)."""
        return self._reduced[0].shapes

    @cached_property
    def modal(self) -> Modal:
        """The integrals of its inertia."""
        M, K = self._matrices
        found = integrals(M, K, self._reduced[0], self.nodes, 3, self.damping)
        b = self._reduced[0].constraints
        for matrix in (found.M, found.K, found.C):  # normal modes are orthogonal: what is left is rounding
            matrix[b:, b:] = np.diag(np.diag(matrix)[b:])
        return found

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.material.density or 0.0) * self.mesh.volume * (self.thickness or 1.0)

    @property
    def com(self) -> np.ndarray:
        """Centre of mass of the undeformed body (3,) [m]."""
        return self.modal.moment / self.modal.mass

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self._problems else self._reduced[1]

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies with its frame held, rising [rad/s]."""
        return natural_frequencies(self.modal.M, self.modal.K)

    # ------------------------------------------------------------------ frames

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", *self.regions, *self.frames)

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        if name in self.regions:
            return Pose(self.nodes[list(self.regions[name])].mean(axis=0))
        if name in self.frames:
            return Pose(self.frames[name])
        node = self._node(name)
        if node is not None:
            return Pose(self.nodes[node])
        raise self.unknown_frame(name)

    def surface(self, name: str) -> SolidSurface:
        """A named part of its surface, for `System.contact`: its nodes touch what it is paired with."""
        from ..solids.surfaces import surface_of

        return surface_of(self, name, self.regions.get(name))

    def _node(self, name: str) -> int | None:
        """The node that a frame `node[17]` is, None for another name."""
        number = name[5:-1] if name.startswith("node[") and name.endswith("]") else ""
        return int(number) if number.isdecimal() and int(number) < len(self.nodes) else None

    def has_frame(self, name: str) -> bool:
        return name in self.frame_names() or self._node(name) is not None

    def can_be_held(self, name: str) -> bool:
        return name == "origin" or name == self._reference.word

    def _around(self, name: str) -> np.ndarray:
        """Nodes that carry a frame: those of the cells that have the nearest one."""
        nearest = int(np.argmin(np.linalg.norm(self.nodes - self.frames[name], axis=1)))
        return np.unique(self.mesh.cells[np.any(self.mesh.cells == nearest, axis=1)])

    @cached_property
    def _stations(self) -> dict[str, Station]:
        plane, n = self.plane is not None, self.shapes.shape[1]
        out = {"origin": Station(np.zeros(3), np.zeros((n, 3)), np.zeros((n, 3)))}
        for name in self.frame_names()[1:]:
            out[name] = out["origin"]._replace(position=self.frame(name).position)
            if self.can_be_held(name):
                continue
            nodes = list(self.regions[name]) if name in self.regions else self._around(name)
            mean = Group.of(nodes, self.nodes, 3, plane).station(self.shapes, self.nodes, 3, np.zeros(3))
            place = self.frame(name).position
            psi = mean.psi + np.cross(mean.theta, place - mean.position)
            nearest = np.linalg.norm(self.nodes - place, axis=1)
            if np.min(nearest) < 1e-9 * np.max(np.ptp(self.nodes, axis=0)):  # the node itself
                psi = self.shapes.reshape(-1, 3, n)[int(np.argmin(nearest))].T
            out[name] = Station(place, psi, mean.theta)
        return out

    def data(self, held: Pose) -> BodyData:
        return self.modal.data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        node = self._node(name)
        if node is None:
            return MarkerData(held.inverse() @ self.frame(name), self._stations[name].numbers(held))
        n = self.shapes.shape[1]
        psi = self.shapes.reshape(-1, 3, n)[node].T
        station = Station(self.nodes[node], psi, np.zeros((n, 3)))  # a point does not turn
        return MarkerData(held.inverse() @ self.frame(name), station.numbers(held))

    # ------------------------------------------------------------------ fields

    def recover(self, e: ArrayLike) -> np.ndarray:
        """Displacements of all nodes, (..., N, 3) [m], body axes, for coordinates (..., n)."""
        if self._problems:
            raise ModelError(self._problems)
        e = as_array(e, f"{self.name}: e")
        if e.shape[-1:] != (self.shapes.shape[1],):
            raise ModelError.at(f"{self.name}: e", f"got shape {e.shape}; give {self.shapes.shape[1]} coordinates")
        return (e @ self.shapes.T).reshape(*e.shape[:-1], len(self.nodes), 3)

    @cached_property
    def _strains(self) -> np.ndarray:
        """Strains of all nodes for a unit of each coordinate, (N, strains, n)."""
        shapes = self.shapes if self.plane is None else self.shapes[np.arange(len(self.shapes)) % 3 != 2]
        return (strains_at_nodes(self.mesh) @ shapes).reshape(len(self.nodes), -1, self.shapes.shape[1])

    def field(self, e: np.ndarray, what: str) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
        """A field over its nodes: values (nt, N) or (nt, N, components), unit, a few words, names of components."""
        return field_of(self.name, what, e, self.recover, lambda: self._strains, self.material, self.plane)

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Strains at the nodes, and turns of the places that carry what is drawn."""
        if not self.internal:
            return []
        strain = np.einsum("tk,nsk->tns", e, self._strains, optimize=True)
        turns = np.linalg.norm(np.einsum("tk,bka->tba", e, self._skin[2]), axis=2)
        return [
            strain_excess(np.max(np.abs(strain), axis=2)),
            slope_excess(turns, False, "with displacements linear in the coordinates"),
        ]

    def volume_mesh(self) -> tuple[np.ndarray, np.ndarray, str]:
        return self.nodes, self.mesh.cells, self.mesh.element.vtk

    # ------------------------------------------------------------------ looks

    @cached_property
    def _skin(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes that carry what is drawn, how they move, and how they turn, for a unit of each coordinate."""
        outside = self.mesh.surface_nodes if self.plane is None else np.arange(len(self.nodes))
        chosen = spread(self.nodes[outside], BONES)
        nodes = outside[chosen]
        n = self.shapes.shape[1]
        psi = self.shapes.reshape(-1, 3, n)[nodes].transpose(0, 2, 1)
        theta = np.zeros_like(psi)
        for i, node in enumerate(nodes):
            around = np.unique(self.mesh.cells[np.any(self.mesh.cells == node, axis=1)])
            theta[i] = (
                Group.of(around, self.nodes, 3, self.plane is not None)
                .station(self.shapes, self.nodes, 3, np.zeros(3))
                .theta
            )
        return nodes, psi, theta

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """Its surface, every vertex between the two nearest places that carry it."""
        return [skinned(*boundary(self.mesh, self.nodes, self.thickness or 0.0), self.nodes[self._skin[0]])]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """A bone at nodes of its surface, and one at every frame."""
        nodes, psi, theta = self._skin
        named = [name for name in self.frame_names() if not self.can_be_held(name)]
        more = [self._stations[name] for name in named]
        if more:
            psi = np.concatenate([psi, [one.psi for one in more]])
            theta = np.concatenate([theta, [one.theta for one in more]])
        places = np.vstack([self.nodes[nodes], *(one.position[None] for one in more)])
        moved = places + np.einsum("tk,ska->tsa", e, psi)
        turns = Q.exponential(np.einsum("tk,ska->tsa", e, theta))
        bones = {name: len(nodes) + named.index(name) if name in named else -1 for name in self.frame_names()}
        return attached(places, np.concatenate([moved, turns], axis=-1), bones)

    # ------------------------------------------------------------------ files

    def to_dict(self) -> dict[str, Any]:
        """The mesh, the material and all choices: what a body is made from again."""
        return {
            "kind": self.kind,
            "name": self.name,
            "mesh": self.mesh.to_dict(),
            "material": self.material.to_dict(),
            "plane": self.plane,
            "thickness": self.thickness,
            "modes": self.modes,
            "masters": None if self.masters is None else list(self.masters),
            "reference": self.reference,
            "surfaces": {name: list(nodes) for name, nodes in self.regions.items()},
            "frames": {name: place.tolist() for name, place in self.frames.items()},
            "damping": list(self.damping) if isinstance(self.damping, tuple) else self.damping,
        }

    @classmethod
    def from_dict(cls, data: Any, address: str = "body") -> Solid:
        known = ("kind", "name", "mesh", "material", "plane", "thickness", "modes", "masters", "reference", "surfaces",
                 "frames", "damping")  # fmt: skip
        data = expect_keys(data, address, known)
        mesh = expect_keys(data["mesh"], f"{address}.mesh", ("points", "cells"))
        given = {key: data[key] for key in known[4:]}
        made = SolidMesh(mesh["points"], np.asarray(mesh["cells"]))
        linear = not made.element.edges
        return cls(
            expect_text(data["name"], f"{address}.name"),
            made,
            Material.from_dict(data["material"], f"{address}.material"),
            element="linear" if linear else "quadratic",
            **given,
        )

    def __repr__(self) -> str:
        return f'Solid("{self.name}", {self.mesh!r}, {len(self.internal)} coordinates)'


def _with_elements(mesh: SolidMesh, element: str) -> SolidMesh:
    """A mesh with the elements that were asked for."""
    return mesh.linear() if element == "linear" else mesh.quadratic()


def _damping(given: Any, where: str) -> Any:
    """A ratio, or a pair of Rayleigh's coefficients."""
    if given is None:
        return 0.0
    return as_number(given, where) if np.ndim(given) == 0 else tuple(as_array(given, where).tolist())
