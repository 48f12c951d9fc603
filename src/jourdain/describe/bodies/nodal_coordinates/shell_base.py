"""What shells, plates and membranes have in common: who holds them, frames on them, results and looks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.errors import ModelError, Problem, inside
from ....basics.pose import Pose
from ....basics.values import as_array, as_number, name_problems, number_problems, shown
from ....basics.warn import warn
from ...contact.materials import Material
from ...shells.element_tables import ENDS, Elements, SurfacePoint, located, nearest
from ...shells.gradients import Gradients
from ...shells.shell_mesh import ShellMesh
from ...solids.fe_mesh import MeshWarning
from ...solids.outer_surface import skinned, spread
from ..appearance.bones import Skeleton, Surface, attached
from ..body import Body, BodyData, MarkerData
from ..finite_element.node_places import BONES
from ..floating_frame.validity_limits import Excess, strain_excess
from .shell_fields import ShellFields, field_of_shell, strains_of_shell
from .shell_tables import ShellSection, ShellTables

OFF = 0.01
"""Part of the area that a shell stands for which may be missing without a warning."""
HELD = ("clamped", "pinned", "supported")
ELASTICITY = ("plane-stress", "solid")


@checked
class ShellBody(Body):
    """A surface with a thickness; see `Shell`."""

    damped_by_rates: ClassVar[bool] = True

    mesh: ShellMesh
    crease: float = 0.7

    @cached_property
    def elastic(self) -> ShellSection:
        """What it is made of."""
        raise NotImplementedError

    @property
    def _named(self) -> dict[str, np.ndarray]:
        """Places of frames that it has by itself [m]."""
        return {}

    def _begin(
        self,
        name: str,
        mesh: Any,
        thickness: float,
        material: Any,
        damping: Any,
        tension: Any,
        held: Mapping[str, str] | None,
        regions: Mapping[str, Any] | None,
        frames: Mapping[str, ArrayLike] | None,
    ) -> None:
        at = str(name)
        if not isinstance(mesh, ShellMesh):
            words = "give jd.mesh.sheet(...), tube(...), grid(...) or jd.mesh.ShellMesh(points, cells)"
            raise ModelError.at(f"{at}: mesh", f"got {shown(mesh)}; {words}")
        if not isinstance(material, Material):
            raise ModelError.at(f"{at}: material", f"got {shown(material)}; give jd.Material(E, nu, density)")
        if not all(one is None or isinstance(one, Mapping) for one in (held, regions, frames)):
            raise ModelError.at(at, 'held, regions and frames are given by name: {"rim": ...}')
        self.name, self.mesh, self.material = name, mesh, material
        self.thickness = as_number(thickness, f"{at}: thickness")
        stated = as_array(damping, f"{at}: damping")
        self.damping: Any = tuple(stated.tolist()) if stated.ndim else float(stated)
        pull = as_array(tension, f"{at}: tension")
        self.tension: Any = tuple(pull.tolist()) if pull.ndim else float(pull)
        self.held = {str(key): word for key, word in (held or {}).items()}
        self.regions = {
            str(key): tuple(mesh.nodes_where(one, f"{at}.{key}").tolist()) for key, one in (regions or {}).items()
        }
        self.frames = {str(key): as_array(one, f"{at}.{key}") for key, one in (frames or {}).items()}

    # ------------------------------------------------------------------ what is wrong with it

    def check(self) -> list[Problem]:
        return list(self._problems)

    @cached_property
    def _problems(self) -> tuple[Problem, ...]:
        at = str(self.name)
        problems = name_problems(self.name, at, "body")
        problems += number_problems(self.thickness, at, "thickness [m]", above=0.0)
        problems += inside("material", self.material.check(at))
        if self.material.density is None:
            problems.append(Problem(at, "its material has no density; give jd.Material(E, nu, density=...) [kg/m^3]"))
        problems += self.damping_problems(at)
        if np.shape(self.tension) not in ((), (3,)) or not np.all(np.isfinite(self.tension)):
            problems.append(
                Problem(at, f"tension is {shown(self.tension)}; give a number or (11, 22, 12) [N/m]", "tension")
            )
        for key, word in self.held.items():
            if key not in self.regions:
                known = ", ".join(self.regions) or "none: give regions="
                problems.append(Problem(f"{at}.{key}", f"is held, but no region has that name; known are {known}"))
            if word not in HELD:
                problems.append(Problem(f"{at}.{key}", f"is held {shown(word)}; allowed are {', '.join(HELD)}"))
        problems += inside("mesh", self.mesh.check(at))
        problems += self._own_problems(at)
        if not problems and abs(self.mesh.missing) > OFF:
            part = 100.0 / (1.0 + self.mesh.missing)
            warn(
                f'shell "{at}": edges of its cells are straight within the surface, and its rim is a curve: it has '
                f"some {part:.3g} % of the area and of the mass of what it stands for; give more cells along the rim",
                MeshWarning,
            )
        return tuple(problems or self._frame_problems(at))

    def _own_problems(self, address: str) -> list[Problem]:
        return []

    def _frame_problems(self, address: str) -> list[Problem]:
        problems = []
        for key, place in self.frames.items():
            problems += name_problems(key, f"{address}.{key}", "frame")
            if key in ("origin", *self._named):
                problems.append(Problem(f"{address}.{key}", f'"{key}" is the body\'s own; choose another name'))
            if place.shape != (3,) or not np.all(np.isfinite(place)):
                problems.append(Problem(f"{address}.{key}", f"is at {shown(place)}; give its place [m]"))
            else:
                found = nearest(self.surface, place)
                if found.apart > 0.01 * found.size:
                    words = f"is {found.apart:.3g} m off the surface; the nearest place of it is"
                    problems.append(Problem(f"{address}.{key}", f"{words} {tuple(np.round(found.place, 6).tolist())}"))
        return problems

    # ------------------------------------------------------------------ the surface

    @cached_property
    def surface(self) -> Elements:
        """Its elements."""
        return Elements(Gradients(self.mesh, self.crease))

    @cached_property
    def _held_directions(self) -> dict[int, np.ndarray]:
        regions = {key: np.array(self.regions[key]) for key in self.held}
        return held_directions(self.surface.gradients, regions, self.held)

    @cached_property
    def nodal(self) -> ShellTables:
        """Its matrices."""
        return ShellTables(self.surface, self.elastic, self._held_directions)

    @property
    def damping_pair(self) -> tuple[float, float]:
        """Of stretch and curvature [s]."""
        pair = np.atleast_1d(self.damping)
        return float(pair[0]), float(pair[-1])

    @property
    def tension_three(self) -> np.ndarray:
        """(11, 22, 12) [N/m]."""
        return np.array([self.tension, self.tension, 0.0]) if np.ndim(self.tension) == 0 else np.array(self.tension)

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self._problems:
            return ()
        sheet, grads = self.nodal, self.surface.gradients
        out = []
        for k, a in enumerate(sheet.owner):
            way = sheet.ways[k]
            axis = int(np.argmax(np.abs(way)))
            letter = "xyz"[axis] if abs(way[axis]) > 1.0 - 1e-12 else "stu"[k - int(np.searchsorted(sheet.owner, a))]
            out.append(f"{letter}{grads.names[a]}[{grads.nodes[a]}]")
        return tuple(out)

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.nodal.masses[self.surface.placing][:, self.surface.placing].sum())

    def clamped_frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency [rad/s]."""
        return self.nodal.frequencies()

    def natural_frequencies(self, count: int = 10) -> np.ndarray:
        """The lowest ones without deformation, with the body's frame held, rising [rad/s]; zero for free motions."""
        if self._problems:
            raise ModelError(self._problems)
        return self.nodal.natural_frequencies(count)

    @property
    def loose(self) -> bool:
        """Whether it can move as a rigid body beside its frame."""
        from ..floating_frame.interfaces import rigid_motions

        sheet = self.nodal
        motions = rigid_motions(sheet.nodes, 3)
        motions[:, :3] *= np.repeat(sheet.carried, 3)[:, None]
        rows = [one @ motions[3 * a : 3 * a + 3] for a, one in self._held_directions.items()]
        if not rows:
            return True
        singular = np.linalg.svd(np.concatenate(rows), compute_uv=False)
        return bool(singular[-1] < 1e-9 * singular[0]) or len(np.concatenate(rows)) < 6

    def data(self, held: Pose) -> BodyData:
        key = held.position.tobytes() + held.rotation.tobytes()
        if key not in self._data:
            self._data[key] = self.nodal.data(held)
        return self._data[key]

    @cached_property
    def _data(self) -> dict[bytes, BodyData]:
        """By the frame that the joint holds: checks and the compiler both ask for it."""
        return {}

    # ------------------------------------------------------------------ frames

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", *self._named, *self.frames)

    def _pair(self, name: str) -> np.ndarray | None:
        """The place that a name made of numbers has."""
        return None

    @cached_property
    def _located(self) -> dict[str, SurfacePoint]:
        return {}

    def _station(self, name: str) -> SurfacePoint | None:
        """Where a frame is, None for no frame."""
        if name not in self._located:
            number = name[5:-1] if name.startswith("node[") and name.endswith("]") else ""
            if number.isdecimal() and int(number) < len(self.mesh.points):
                k, c = np.argwhere(self.mesh.cells == int(number))[0]
                self._located[name] = located(self.surface, int(k), *map(float, ENDS[c]))
            else:
                place = (self._named | self.frames).get(name)
                place = self._pair(name) if place is None else place
                if place is None:
                    return None
                self._located[name] = nearest(self.surface, place)
        return self._located[name]

    def has_frame(self, name: str) -> bool:
        return name == "origin" or self._station(name) is not None

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        found = self._station(name)
        if found is None:
            raise self.unknown_frame(name)
        return Pose(found.place, rotation=found.rotation)

    def can_be_held(self, name: str) -> bool:
        return name == "origin"

    def joint_problem(self, joint: Any) -> str:
        if not joint.motion_subspace().shape[1] or not self.loose:
            return ""
        return "is not held by its frame, and moves by itself; give jd.Weld(...), or held= so that it cannot"

    def marker(self, name: str, held: Pose) -> MarkerData:
        R = held.rotation
        found = None if name == "origin" else self._station(name)
        if found is None:
            axes = np.eye(3)[:2] @ R
            return MarkerData(held.inverse() @ Pose(), np.concatenate([R.T @ -held.position, [0.0], axes.ravel()]))
        station, one, two = self.nodal.station(found.cell, found.x, found.y)
        rows = np.concatenate([station.entries[:, None], station.psi @ R, station.theta], axis=1)
        head = np.append(R.T @ (station.position - held.position), len(rows))
        return MarkerData(held.inverse() @ self.frame(name), np.concatenate([head, rows.ravel(), one @ R, two @ R]))

    # ------------------------------------------------------------------ results

    station_unit = ""

    def vectors(self, e: np.ndarray, whole: bool = True) -> np.ndarray:
        """Places, gradients and twists of all nodes for coordinates (nt, n): (nt, V, 3), body axes."""
        moved = np.asarray(e @ self.nodal.shapes.T).reshape(len(e), -1, 3)
        return moved + self.nodal.nodes if whole else moved

    @cached_property
    def strain_fields(self) -> ShellFields:
        return ShellFields(self.surface)

    def _numbered(self, x: ArrayLike | None) -> np.ndarray:
        """Numbers of nodes: those asked for, or all."""
        last = len(self.mesh.points) - 1
        if x is None:
            return np.arange(last + 1)
        nodes = np.atleast_1d(as_array(x, f"{self.name}: x"))
        if nodes.ndim != 1 or np.any(nodes != np.floor(nodes)) or np.any((nodes < 0) | (nodes > last)):
            raise ModelError.at(f"{self.name}: x", f"got {shown(x)}; give numbers of nodes, 0 to {last}")
        return nodes.astype(np.int64)

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of nodes, x their numbers."""
        nodes = self._numbered(x)
        return nodes.astype(float), self.vectors(e, whole=False)[:, np.array(self.surface.gradients.first)[nodes]]

    def strain(
        self, e: np.ndarray, x: ArrayLike | None = None
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str, str]]]:
        """Stretch, curvature, and elastic forces and moments over the length of a section, at nodes x, along the axes
        1 and 2 of the shell."""
        nodes = self._numbered(x)
        found = strains_of_shell(self.strain_fields, self.elastic, self.vectors(e))
        return nodes.astype(float), {key: (one[:, nodes], *words) for key, (one, *words) in found.items()}

    def volume_mesh(self) -> tuple[np.ndarray, np.ndarray, str]:
        return self.mesh.points, self.mesh.cells, "quad"

    def field(self, e: np.ndarray, what: str) -> tuple[np.ndarray, str, str, tuple[str, ...]]:
        """A field over its nodes, as `Body.field`."""
        displacement = self.deflection(e)[1]
        return field_of_shell(self, what, displacement, self.vectors(e))

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Strains at the nodes."""
        if not self.internal:
            return []
        some = max(1, 200_000 // len(self.mesh.cells))
        pieces = [
            self.strain_fields.largest(self.vectors(e[k : k + some]), self.thickness) for k in range(0, len(e), some)
        ]
        return [strain_excess(np.concatenate([np.zeros(0), *pieces])[:, None])]

    # ------------------------------------------------------------------ looks

    @cached_property
    def _bones(self) -> tuple[np.ndarray, list[SurfacePoint]]:
        """Nodes that carry what is drawn, and where frames are."""
        nodes = spread(self.mesh.points, BONES)
        places = [self._station(f"node[{k}]") for k in nodes]
        places += [self._station(name) for name in self.frame_names()[1:]]
        return nodes, [one for one in places if one is not None]

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """Both its faces, every vertex between the two nearest nodes that carry it."""
        cells, count = self.mesh.cells, len(self.mesh.points)
        normal = np.zeros((count, 3))
        np.add.at(normal, cells.ravel(), self.mesh.corner_normals.reshape(-1, 3))
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        normal = np.where(length > 1e-9, normal / np.where(length > 1e-9, length, 1.0), 0.0)
        half = 0.5 * max(self.thickness, 1e-4 * float(np.max(np.ptp(self.mesh.points, axis=0))))
        vertices = np.concatenate([self.mesh.points + half * normal, self.mesh.points - half * normal])
        top = np.concatenate([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])
        faces = np.concatenate([top, top[:, ::-1] + count])
        return [skinned(vertices, faces, np.tile(np.arange(count), 2), self.mesh.points[self._bones[0]])]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """A bone at some nodes, and one at every frame."""
        nodes, every = self._bones
        vectors = self.vectors(e)
        poses = np.stack([one.pose(self.surface, vectors) for one in every], axis=1)
        names = self.frame_names()[1:]
        number = {name: len(nodes) + i for i, name in enumerate(names)} | {"origin": -1}
        return attached(np.array([one.place for one in every]), poses, number)


def plane_matrix(material: Material, elasticity: Any) -> np.ndarray:
    """Stresses (11, 22, 12) of strains (11, 22, shear), (3, 3) [Pa].

    "plane-stress": E / (1 - nu^2) [[1, nu], [nu, 1]]; "solid": that of space with no strain across, as the plain
    element of Mikkola & Shabana (2003) has it in bending; both with G = E / (2 (1 + nu)).
    """
    if not isinstance(elasticity, str):
        return np.asarray(elasticity, float)
    E, nu = material.E, material.nu
    C = np.diag([0.0, 0.0, 0.5 * E / (1.0 + nu)])
    if elasticity == "plane-stress":
        C[:2, :2] = E / (1.0 - nu**2) * np.array([[1.0, nu], [nu, 1.0]])
    else:
        C[:2, :2] = E / ((1.0 + nu) * (1.0 - 2.0 * nu)) * np.array([[1.0 - nu, nu], [nu, 1.0 - nu]])
    return C


def thinness(mesh: ShellMesh, thickness: float) -> float:
    """Share of the rule that sees all of the stretch: thickness over side squared of the largest element, so that the
    motions that the other rule leaves out are stiffer than bending of an element is."""
    from ...shells.element_tables import LEAST

    x = mesh.points[mesh.cells]
    side = float(np.max(np.linalg.norm(np.roll(x, -1, axis=1) - x, axis=2)))
    return float(np.clip((thickness / side) ** 2, LEAST, 1.0))


ALIGNED = 0.99
"""Cosine of the angle between an edge of a region and an axis of a node, at which the gradient is that along it."""


def held_directions(
    gradients: Gradients, regions: Mapping[str, np.ndarray], words: Mapping[str, str]
) -> dict[int, np.ndarray]:
    """Of each vector that is held the directions in which it is, (k, 3).

    Along a held line the surface stays where it is, so that the gradients along it are held as the places are. The
    slope of a clamped line is held too: the part of all gradients and twists along the normal. Gradients in the
    plane of the surface, its stretch and shear, stay free.
    """
    whole: set[int] = set()
    across: dict[int, np.ndarray] = {}
    for key, nodes in regions.items():
        inside = set(nodes.tolist())
        for node in inside:
            first, axes = gradients.first[node], gradients.axes[node]
            normal = np.cross(axes[0], axes[1]) if len(axes) == 2 else None
            along = _lines(gradients, node, inside)
            held = [first, *(first + 1 + l for l in range(len(axes)) if along[l])]
            if words[key] == "supported" and normal is not None:
                across |= dict.fromkeys(held, normal)
            else:
                whole |= set(held)
            if words[key] == "clamped":
                more = [a for a in range(first + 1, _after(gradients, node)) if a not in held]
                if normal is None:  # folded: nothing turns
                    whole |= set(more)
                else:
                    across |= dict.fromkeys(more, normal)
    return {a: normal[None] for a, normal in across.items() if a not in whole} | dict.fromkeys(whole, np.eye(3))


def _after(gradients: Gradients, node: int) -> int:
    """The first vector behind those of a node."""
    return gradients.first[node + 1] if node + 1 < len(gradients.first) else len(gradients.values)


def _lines(gradients: Gradients, node: int, inside: set[int]) -> list[bool]:
    """Which axes of a node are along edges to other nodes inside."""
    ways = [way / np.linalg.norm(way) for other, way in gradients.leaving[node].items() if other in inside]
    return [any(abs(float(way @ axis)) > ALIGNED for way in ways) for axis in gradients.axes[node]]
