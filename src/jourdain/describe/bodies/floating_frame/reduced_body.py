"""Elastic parts of any shape, reduced from finite-element matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics import quaternions as Q
from ....basics.arguments import checked
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.types import ByName
from ....basics.values import as_array, as_number, expect_keys, expect_text, name_problems, numbers, readonly, shown
from ..appearance.bones import Skeleton, attached
from ..body import Body, BodyData, MarkerData
from .craig_bampton import ModalReduction, free_matrices, in_space, integrals, massive, reduce
from .interfaces import Group, interface_problems, node_lists
from .matrices import as_matrix, from_basis, massless_coordinate, matrix_problems, rigid_problems, unsupported_problems
from .modal_tables import ModalStation, natural_frequencies
from .reduced_part import ReducedPart
from .validity_limits import Excess, slope_excess

if TYPE_CHECKING:
    from ....model.model import Model
    from ....model.state import State

METHODS = ("craig-bampton", "guyan")
MODES = 6
"""Normal modes that a Craig-Bampton reduction keeps by default."""


@checked
@dataclass(frozen=True, eq=False)
class ReducedBody(Body):
    """An elastic part in a floating frame, reduced from its finite-element mass and stiffness matrices.

    mass_matrix         (N d, N d), dense or SciPy sparse, lumped or consistent [kg, m]; without supports
    stiffness_matrix    likewise [N, m, rad]
    nodes               their positions, (N, 3) [m]; of a plane model also (N, 2)
    interfaces          names and nodes: {"root": 0, "tip": [17, 18, 19]}; several nodes are tied rigidly to their mean
    modes               how many normal modes; None for 6, or all where there are fewer, and none with "guyan"
    method              "craig-bampton", or "guyan" for the static shapes of the interfaces alone
    held                interface that the inboard joint holds, "origin" of the body; the first one if not given
    damping             ratio of the modes of the held part, or Rayleigh's (alpha [1/s], beta [s]); see `Rayleigh`
    frames              more frames: a node, or several nodes, whose mean motion it follows without tying them
    dofs_per_node       d: 3 (displacements x, y, z), 6 (then rotations), or 2 (x, y: a plane model, which deforms in
                        its plane and moves in space); None to find it from the sizes

    Body axes are those of the nodes. The internal coordinates are, in this order,
    constraint[i]    what the interfaces other than `held` do, in the order given: displacement x, y, z [m], rotation
                     x, y, z [rad] of each; their shapes are static, so that loads there bend the part exactly
    mode[i]          normal modes with all interfaces fixed, slowest first, scaled to 1 m at the node that moves most
                     (to 1 rad where nodes only turn)
    `coordinates` lists them with their units. A single node with three degrees of freedom has no rotation: such an
    interface has three coordinates, and markers there do not turn; give three nodes or more instead. Of a plane model
    an edge is an interface too, with the displacements x and y and the rotation z.

    Displacements are linear in the coordinates; inertia is that of the deformed part, with all modal integrals.
    """

    kind: ClassVar[str] = "reduced"
    name: str
    mass_matrix: Any
    stiffness_matrix: Any
    nodes: Any
    interfaces: Any
    modes: int | None = None
    method: str = "craig-bampton"
    held: str = None  # type: ignore[assignment]
    damping: Any = 0.0
    frames: Any = None
    dofs_per_node: int = None  # type: ignore[assignment]
    _plane: ClassVar[bool] = False
    """Whether the model was a plane one; each body has its own."""
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            name: str,
            mass_matrix: Any,
            stiffness_matrix: Any,
            nodes: ArrayLike,
            interfaces: Mapping[str, int | Sequence[int] | np.ndarray],
            modes: int | None = None,
            method: str = "craig-bampton",
            held: str | None = None,
            damping: float | Sequence[float] = 0.0,
            frames: Mapping[str, int | Sequence[int] | np.ndarray] | None = None,
            dofs_per_node: int | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "mass_matrix", as_matrix(self.mass_matrix, f"{self.name}: mass_matrix"))
        put(self, "stiffness_matrix", as_matrix(self.stiffness_matrix, f"{self.name}: stiffness_matrix"))
        nodes = as_array(self.nodes, f"{self.name}: nodes")
        if nodes.ndim != 2 or nodes.shape[1] not in (2, 3) or not len(nodes):
            raise ModelError.at(f"{self.name}: nodes", f"got an array of shape {nodes.shape}; give (N, 3) positions")
        self._settle_plane(nodes)
        nodes = self.nodes
        put(self, "interfaces", node_lists(self.interfaces, str(self.name), "interfaces"))
        put(self, "frames", node_lists({} if self.frames is None else self.frames, str(self.name), "frames"))
        if self.held is None:
            put(self, "held", next(iter(self.interfaces), ""))
        if np.ndim(self.damping) == 0:
            put(self, "damping", as_number(self.damping, f"{self.name}: damping"))
        else:
            put(self, "damping", tuple(as_array(self.damping, f"{self.name}: damping").tolist()))
        if self.dofs_per_node is None:
            put(self, "dofs_per_node", 6 if self.mass_matrix.shape[0] == 6 * len(nodes) else 3)

    def _settle_plane(self, nodes: np.ndarray) -> None:
        """Takes a plane model into space: z behind x and y of every node."""
        put = object.__setattr__
        size, square = 2 * len(nodes), (self.mass_matrix.shape, self.stiffness_matrix.shape)
        plane = self.dofs_per_node == 2 or (self.dofs_per_node is None and square[0] == (size, size))
        if nodes.shape[1] == 2:
            if not plane:
                where, given = f"{self.name}: nodes", f"got an array of shape {nodes.shape}"
                raise ModelError.at(where, f"{given}; give (N, 3) positions, or a plane model with dofs_per_node=2")
            nodes = np.hstack([nodes, np.zeros((len(nodes), 1))])
        put(self, "nodes", readonly(nodes))
        put(self, "_plane", plane)
        if not plane:
            return
        if np.ptp(nodes[:, 2]) > 0.0:
            raise ModelError.at(
                f"{self.name}: nodes", "of a plane model, with dofs_per_node=2, must have one z; give them in a plane"
            )
        for what, shape in zip(("mass_matrix", "stiffness_matrix"), square, strict=True):
            if shape != (size, size):
                raise ModelError.at(
                    f"{self.name}: {what}",
                    f"has shape {shape}; {len(nodes)} nodes with 2 degrees of freedom each need {(size, size)}",
                )
        M, K = in_space(self.mass_matrix, self.stiffness_matrix)
        put(self, "mass_matrix", M)
        put(self, "stiffness_matrix", K)
        put(self, "dofs_per_node", 3)

    @classmethod
    def from_skfem(
        cls,
        name: str,
        basis: Any,
        mass_matrix: Any,
        stiffness_matrix: Any,
        interfaces: Mapping[str, Any],
        **options: Any,
    ) -> ReducedBody:
        """A part from scikit-fem: a basis of a vector element in two or three dimensions and its assembled matrices.

        interfaces    names and nodes, or functions of positions (3, N) that say which: {"root": lambda x: x[0] == 0.0}
        options       those of `ReducedBody`

        Nodes 0, 1, ... are the mesh's; those that quadratic elements add on edges, facets and inside come behind.
        """
        if not hasattr(basis, "nodal_dofs") or not hasattr(basis, "doflocs"):
            raise ModelError.at(f"{name}: basis", f"got {shown(basis)}; give the scikit-fem Basis of the matrices")
        if not isinstance(interfaces, Mapping):
            raise ModelError.at(f"{name}: interfaces", f"got {shown(interfaces)}; give a dict of names to nodes")
        nodes, M, K = from_basis(name, basis, mass_matrix, stiffness_matrix)
        chosen: dict[str, Any] = {
            key: np.flatnonzero(one(nodes.T)) if callable(one) else one for key, one in interfaces.items()
        }
        return cls(name, M, K, nodes, chosen, **options)

    def check(self) -> list[Problem]:
        return list(self._problems)

    @cached_property
    def _problems(self) -> tuple[Problem, ...]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        if self.mass_matrix is None:  # rebuilt from a description
            return tuple(problems)
        problems += self._option_problems(address)
        sizes = self._size_problems(address)
        problems += sizes
        if not sizes:
            problems += interface_problems(
                self.interfaces, self.frames, self.held, self.nodes, self.dofs_per_node, address, self._plane
            )
        if not problems:
            problems += matrix_problems(self.mass_matrix, address, "mass_matrix")
            problems += matrix_problems(self.stiffness_matrix, address, "stiffness_matrix")
        if not problems:
            problems += rigid_problems(self.mass_matrix, self.stiffness_matrix, self.nodes, self.dofs_per_node, address)
        if not problems:
            problems += self._held_problems(address)
        if not problems:
            problems += self._coordinate_problems(address)
        return tuple(problems)

    def _size_problems(self, address: str) -> list[Problem]:
        d, count = self.dofs_per_node, len(self.nodes)
        problems = []
        wrong = np.flatnonzero(~np.all(np.isfinite(self.nodes), axis=1))
        if len(wrong):
            place = numbers(self.nodes[wrong[0]])
            problems.append(Problem(address, f"node {wrong[0]} is at {place}; give finite positions [m]"))
        if isinstance(d, bool) or d not in (3, 6):
            problems.append(Problem(address, f"dofs_per_node is {shown(d)}; it must be 2, 3 or 6"))
            return problems
        for what in ("mass_matrix", "stiffness_matrix"):
            shape = getattr(self, what).shape
            if shape[0] != shape[1]:
                problems.append(Problem(address, f"{what} has shape {shape}; it must be square", what))
            elif shape[0] != d * count:
                problems.append(
                    Problem(
                        address,
                        f"{what} has shape {shape}; {count} nodes with {d} degrees of freedom each need "
                        f"{(d * count, d * count)}",
                        what,
                    )
                )
        return problems

    def _option_problems(self, address: str) -> list[Problem]:
        problems = []
        if self.method not in METHODS:
            problems.append(
                Problem(address, f"method is {shown(self.method)}; allowed are {', '.join(METHODS)}", "method")
            )
        modes = self.modes
        if modes is not None and (isinstance(modes, bool) or not isinstance(modes, int | np.integer) or modes < 0):
            problems.append(
                Problem(address, f"modes is {shown(modes)}; give a whole number, or None for {MODES}", "modes")
            )
        elif modes and self.method == "guyan":
            problems.append(Problem(address, f'modes is {modes}, but "guyan" keeps none; use "craig-bampton"', "modes"))
        return problems + self.damping_problems(address)

    @cached_property
    def _groups(self) -> dict[str, Group]:
        """The interfaces, the held one first."""
        names = [self.held, *(name for name in self.interfaces if name != self.held)]
        d, plane = self.dofs_per_node, self._plane
        return {name: Group.of(self.interfaces[name], self.nodes, d, plane) for name in names}

    @cached_property
    def _free(self) -> tuple[Any, Any, Any]:
        groups, d = list(self._groups.values()), self.dofs_per_node
        return free_matrices(self.mass_matrix, self.stiffness_matrix, groups, self.nodes, d, self._plane)

    @property
    def _constraints(self) -> int:
        return sum(group.coordinates for name, group in self._groups.items() if name != self.held)

    def _held_problems(self, address: str) -> list[Problem]:
        """Parts that nothing holds, and more modes than there are."""
        M, K, B = self._free
        problems = unsupported_problems(K, B, len(self.nodes), str(self.held), address)
        most = massive(M, self._constraints)
        if self.modes is not None and self.modes > most:
            problems.append(
                Problem(address, f"modes is {self.modes}; with its interfaces fixed the part has {most}", "modes")
            )
        return problems

    def _coordinate_problems(self, address: str) -> list[Problem]:
        k = massless_coordinate(self.parts.modal.M)
        if k is None:
            return []
        remedy = "keep fewer modes, or give mass to more nodes, rotary inertia included"
        what = f"({self.coordinates[k]}) moves no mass that the other coordinates do not; {remedy}"
        return [Problem(f"{address}.{self.parts.names[k]}", what)]

    @cached_property
    def reduction(self) -> ModalReduction:
        """Shapes of the coordinates at all nodes; a body rebuilt from a description has none."""
        if self.mass_matrix is None:
            raise ModelError.at(
                str(self.name),
                "a body rebuilt from a description holds the reduced part only; ask the body that was built from the "
                "matrices",
            )
        M, K, B = self._free
        b = self._constraints
        count = self.modes
        if self.method == "guyan":
            count = 0
        elif count is None:
            count = min(MODES, massive(M, b))
        return reduce(M, K, B, b, int(count), self.nodes, self.dofs_per_node)

    @cached_property
    def parts(self) -> ReducedPart:
        """The reduced part: all that a simulation needs."""
        d, shapes = self.dofs_per_node, self.reduction.shapes
        origin = self._groups[self.held].position
        modal = integrals(self.mass_matrix, self.stiffness_matrix, self.reduction, self.nodes - origin, d, self.damping)
        stations, at = {}, 0
        n = shapes.shape[1]
        for name, group in self._groups.items():
            unit = np.zeros((n, 6))
            if name != self.held:
                unit[np.arange(at, at + group.coordinates), list(group.directions)] = 1.0
                at += group.coordinates
            stations[name] = ModalStation(group.position - origin, unit[:, :3], unit[:, 3:])
        for name, nodes in self.frames.items():
            stations[name] = Group.of(nodes, self.nodes, d, self._plane).station(shapes, self.nodes, d, origin)
        interfaces = {name: group.directions for name, group in self._groups.items()}
        return ReducedPart(modal, stations, interfaces, self.reduction.mode_units)

    @property
    def mass(self) -> float:
        """Of the whole part [kg]."""
        return self.parts.modal.mass

    @property
    def com(self) -> np.ndarray:
        """Centre of mass of the undeformed part, from its origin (3,) [m]."""
        return self.parts.modal.moment / self.mass

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self._problems else self.parts.names

    @property
    def coordinates(self) -> tuple[str, ...]:
        """What each internal coordinate is: interface and direction, or the frequency of the normal mode; its unit."""
        return self.parts.coordinates

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies of the reduced part with its frame held, rising [rad/s]."""
        return natural_frequencies(self.parts.modal.M, self.parts.modal.K)

    def frame_names(self) -> tuple[str, ...]:
        if self.mass_matrix is None:
            return ("origin", *self.parts.stations)
        names = dict.fromkeys([self.held, *self.interfaces, *self.frames])
        return ("origin", *(name for name in names if name != "origin"))

    def frame(self, name: str) -> Pose:
        if name not in self.frame_names():
            raise self.unknown_frame(name)
        if self.can_be_held(name):
            return Pose()
        if self.mass_matrix is None:
            return Pose(self.parts.stations[name].position)
        nodes = list((self.frames | self.interfaces)[name])
        return Pose(self.nodes[nodes].mean(axis=0) - self.nodes[list(self.interfaces[self.held])].mean(axis=0))

    def can_be_held(self, name: str) -> bool:
        return name in ("origin", self.held)

    def data(self, held: Pose) -> BodyData:
        return self.parts.modal.data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        pose = self.frame(name)
        return MarkerData(
            held.inverse() @ pose, self.parts.stations[self.held if name == "origin" else name].numbers(held)
        )

    def recover(self, e: ArrayLike) -> np.ndarray:
        """Displacements of all nodes, (..., N, 3 or 6) [m, rad], in body axes relative to the held interface.

        e    the internal coordinates, (..., n): of a state, or of all samples of a run
        """
        if self._problems:
            raise ModelError(self._problems)
        e = as_array(e, f"{self.name}: e")
        shapes = self.reduction.shapes
        if e.shape[-1:] != (shapes.shape[1],):
            raise ModelError.at(f"{self.name}: e", f"got shape {e.shape}; give {shapes.shape[1]} coordinates")
        return (e @ shapes.T).reshape(*e.shape[:-1], len(self.nodes), self.dofs_per_node)

    def nodal_forces(self, e: ArrayLike) -> np.ndarray:
        """Elastic forces K u at all nodes, (..., N, 3 or 6) [N, N m], body axes: what holds the part so deformed."""
        u = self.recover(e)
        flat = u.reshape(-1, self.stiffness_matrix.shape[0])
        return (self.stiffness_matrix @ flat.T).T.reshape(u.shape)

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Rotations of its frames: displacements are linear in its coordinates."""
        turns = [np.linalg.norm(e @ one.theta, axis=1) for one in self.parts.stations.values()]
        if not turns or not self.internal:
            return []
        return [slope_excess(np.stack(turns, axis=1), False, "with displacements linear in the coordinates")]

    def undeformable(self) -> ModelError:
        """The error for a shape along the body: it has none."""
        return ModelError.at(
            str(self.name),
            "a reduced part has no axis to look along; run.frame follows its frames, and recover(...) of the body that "
            "was built from the matrices its nodes",
        )

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """A bone at every interface and frame; `surfaces` are rods from the held interface to them."""
        stations = self.parts.stations
        names = [name for name in stations if name != self.held]
        shape = (len(names), e.shape[1], 3)
        psi, theta = (np.reshape([getattr(stations[name], what) for name in names], shape) for what in ("psi", "theta"))
        places = np.array([stations[name].position for name in names]).reshape(-1, 3)
        turns = Q.exponential(np.einsum("tk,ska->tsa", e, theta))
        moved = places + np.einsum("tk,ska->tsa", e, psi)
        bones = {name: names.index(name) if name in names else -1 for name in self.frame_names()}
        return attached(places, np.concatenate([moved, turns], axis=-1), bones)

    def interface_loads(self, model: Model, state: State, acceleration: ByName | None = None) -> dict[str, np.ndarray]:
        """Moment and force (6,) that act on the part at each interface, in body axes, at the deformed place.

        acceleration    of all entries of v; None for those of forward dynamics without effort

        They follow from the equations of the reduced part, inertia and damping included, so that nothing but gravity
        may act elsewhere on it. An interface of a single node without rotations bears no moment.
        """
        if acceleration is None:
            acceleration = model.forward_dynamics(state)
        return self.parts.loads(str(self.name), model, state, np.asarray(acceleration, float))

    def to_dict(self) -> dict[str, Any]:
        """The reduced part, not the matrices: its size does not depend on the number of nodes."""
        if self._problems:
            raise ModelError(self._problems)
        return {"kind": self.kind, "name": self.name, "method": self.method} | self.parts.to_dict()

    @classmethod
    def from_dict(cls, data: Any, address: str = "body") -> ReducedBody:
        known = ("kind", "name", "method", "interfaces", "n", "units", "modal", "stations")
        data = expect_keys(data, address, known)
        parts = ReducedPart.from_dict(data, address)
        body = object.__new__(cls)
        vars(body).update(
            name=expect_text(data["name"], f"{address}.name"),
            method=expect_text(data["method"], f"{address}.method"),
            held=next(iter(parts.interfaces)),
            modes=len(parts.mode_units),
            mass_matrix=None,
            stiffness_matrix=None,
            nodes=None,
            interfaces=None,
            frames=None,
            damping=None,
            dofs_per_node=None,
            parts=parts,
        )
        return body

    def __repr__(self) -> str:
        return f'ReducedBody("{self.name}", {len(self.internal)} coordinates, {self.method})'
