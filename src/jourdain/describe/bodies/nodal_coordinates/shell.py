"""`Shell`, `Plate` and `Membrane`: thin surfaces that bend, stretch and fold as far as they like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.composite_types import MappingOf, Union
from ....basics.errors import ModelError, Problem
from ....basics.value_types import Array, Number, Text, ValueType
from ....basics.values import as_array, as_number, number_problems, shown
from ...contact.materials import Material
from ...shells.shell_mesh import ShellMesh, sheet
from ..floating_frame.cross_section import DAMPING
from .shell_base import ELASTICITY, HELD, ShellBody, plane_matrix, thinness
from .shell_tables import ShellSection

SHELL_TYPES: dict[str, ValueType] = {
    "elasticity": Union(Text(ELASTICITY), Array(depth=2)),
    "damping": DAMPING,
    "tension": Union(Number(), Array(3)),
    "held": MappingOf(Text(HELD)),
    "frames": MappingOf(Array(3)),
}


@checked
class Shell(ShellBody):
    """A thin shell: a surface in space that bends and stretches without limit, folded and branched as its mesh is.

    Its coordinates are places, gradients and twists of nodes (absolute nodal coordinates; Dmitrotchenko 2003, Mikkola &
    Shabana 2003), displaced from the surface without deformation, in the axes of what it is welded to. Stretch and
    change of curvature are those of Koiter (1966), for strains that are small; turns may be large. Its mesh is bicubic,
    smooth over cells that continue each other; along an edge where they meet at an angle, or in another pattern than
    a grid, there is a spring.

    mesh          `jd.mesh.sheet`, `tube`, `grid`, several `joined`, or `jd.mesh.ShellMesh(points, cells)`
    thickness     [m]
    material      with a density
    elasticity    "plane-stress"; "solid" for the law in space without a change of thickness, which is stiffer by
                  (1 - nu)^2 / (1 - 2 nu); or the stiffness to (11, 22, shear 12) in its plane, (3, 3) [Pa], along its
                  own axes, of which 1 is the nearest to x
    damping       of Kelvin and Voigt: the time constant of the rates of strains [s]; a pair for stretch and curvature
    tension       without deformation, the same in all directions, or (11, 22, 12) [N/m]
    fold          stiffness of a folded edge, moment over turn and length [N]; None for E times thickness squared, 0 for
                  a hinge
    crease        angle between neighbours above which they are folded against each other, and not one smooth surface
                  [rad]
    held          names of regions and how the body's frame holds them: "clamped" (place and slope), "pinned" (place),
                  "supported" (place, along the normal only); none for a shell that flies
    regions       names and nodes: their numbers, two corners of a box that they are in, or a function of places (3, N)
    frames        names and places on it [m]; "origin" and nodes such as "node[3]" exist
    """

    kind: ClassVar[str] = "shell"
    field_types: ClassVar[Mapping[str, ValueType]] = SHELL_TYPES

    def __init__(
        self,
        name: str,
        mesh: ShellMesh,
        thickness: float,
        material: Material,
        elasticity: str | ArrayLike = "plane-stress",
        damping: float | tuple[float, float] = 0.0,
        tension: float | ArrayLike = 0.0,
        fold: float | None = None,
        crease: float = 0.7,
        held: Mapping[str, str] | None = None,
        regions: Mapping[str, Any] | None = None,
        frames: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        self._begin(name, mesh, thickness, material, damping, tension, held, regions, frames)
        self.elasticity = elasticity if isinstance(elasticity, str) else as_array(elasticity, f"{name}: elasticity")
        self.fold = None if fold is None else as_number(fold, f"{name}: fold")
        self.crease = as_number(crease, f"{name}: crease")

    def _own_problems(self, address: str) -> list[Problem]:
        problems = plane_problems(self.elasticity, address)
        if self.fold is not None and not (np.isfinite(self.fold) and self.fold >= 0.0):
            problems.append(
                Problem(address, f"fold is {self.fold:g}; give a stiffness over the length [N], not negative", "fold")
            )
        return problems + number_problems(self.crease, address, "crease [rad]", above=0.0)

    @cached_property
    def elastic(self) -> ShellSection:
        C, t = plane_matrix(self.material, self.elasticity), self.thickness
        fold = self.material.E * t**2 if self.fold is None else self.fold
        return ShellSection(
            float(self.material.density or 0.0) * t,
            t * C,
            t**3 / 12.0 * C,
            self.damping_pair,
            self.tension_three,
            (0.0, 0.0),
            fold,
            thinness(self.mesh, t),
        )

    def __repr__(self) -> str:
        return f'Shell("{self.name}", {self.mesh!r}, thickness={self.thickness:g})'


@checked
class Plate(ShellBody):
    """A flat rectangular `Shell` in the plane of its x and y, from (0, 0) to its size.

    size          along x and y [m]
    thickness     [m]
    material      with a density
    elements      how many along x and y
    elasticity    as of a `Shell`
    damping       as of a `Shell`
    tension       as of a `Shell`
    held          sides "x0", "x1", "y0", "y1" and how the body's frame holds them: "clamped", "pinned", "supported"
    frames        names and places (x, y) [m]; "origin", "root" and "tip", the middles of the sides x0 and x1, nodes
                  such as "node[3]" and pairs such as "0.25,0.5" exist
    """

    kind: ClassVar[str] = "plate"
    field_types: ClassVar[Mapping[str, ValueType]] = SHELL_TYPES | {"frames": MappingOf(Array(2))}

    def __init__(
        self,
        name: str,
        size: tuple[float, float],
        thickness: float,
        material: Material,
        elements: Sequence[int] = (8, 8),
        elasticity: str | ArrayLike = "plane-stress",
        damping: float | tuple[float, float] = 0.0,
        tension: float | ArrayLike = 0.0,
        held: Mapping[str, str] | None = None,
        frames: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        given = as_array(size, f"{name}: size")
        counts = np.atleast_1d(np.asarray(elements))
        if given.shape != (2,) or not np.all(np.isfinite(given)) or not np.all(given > 0.0):
            raise ModelError.at(f"{name}: size", f"got {shown(size)}; give its lengths along x and y [m], above 0")
        if counts.shape != (2,) or np.any(counts != np.floor(counts)) or np.any(counts < 1):
            raise ModelError.at(f"{name}: elements", f"got {shown(elements)}; give whole numbers along x and y")
        self.size: tuple[float, float] = (float(given[0]), float(given[1]))
        self.elements: tuple[int, int] = (int(counts[0]), int(counts[1]))
        mesh = sheet(self.size, self.elements)
        x, y = mesh.points[:, 0], mesh.points[:, 1]
        ends = {"x0": x == 0.0, "x1": x == x.max(), "y0": y == 0.0, "y1": y == y.max()}
        regions = {key: np.flatnonzero(mask) for key, mask in ends.items()}
        stated = {key: _flat_place(one, f"{name}.{key}") for key, one in (frames or {}).items()}
        self._begin(name, mesh, thickness, material, damping, tension, held, regions, stated)
        self.elasticity = elasticity if isinstance(elasticity, str) else as_array(elasticity, f"{name}: elasticity")

    def _own_problems(self, address: str) -> list[Problem]:
        return plane_problems(self.elasticity, address)

    @cached_property
    def elastic(self) -> ShellSection:
        C, t = plane_matrix(self.material, self.elasticity), self.thickness
        area = float(self.material.density or 0.0) * t
        share = thinness(self.mesh, t)
        return ShellSection(area, t * C, t**3 / 12.0 * C, self.damping_pair, self.tension_three, (0.0, 0.0), 0.0, share)

    def described_value(self, name: str) -> Any:
        if name == "frames":
            return {key: place[:2] for key, place in self.frames.items()}
        return super().described_value(name)

    @property
    def _named(self) -> dict[str, np.ndarray]:
        a, b = self.size
        return {"root": np.array([0.0, 0.5 * b, 0.0]), "tip": np.array([a, 0.5 * b, 0.0])}

    def _pair(self, name: str) -> np.ndarray | None:
        try:
            x, y = (float(one) for one in name.split(","))
        except ValueError:
            return None
        inside = 0.0 <= x <= self.size[0] * (1.0 + 1e-12) and 0.0 <= y <= self.size[1] * (1.0 + 1e-12)
        return np.array([x, y, 0.0]) if inside else None

    def __repr__(self) -> str:
        a, b = self.elements
        return f'Plate("{self.name}", size={self.size}, thickness={self.thickness:g}, {a} x {b} elements)'


@checked
class Membrane(ShellBody):
    """A `Shell` that does not resist bending: a sail, a blanket, a net seen from afar.

    mesh         as of a `Shell`
    thickness    [m]
    material     with a density
    tension      without deformation, the same in all directions, or (11, 22, 12) [N/m]
    wrinkles     whether it wrinkles under pressure (a tension field: Pipkin 1986, Steigmann 1990): then
                 it carries none, and is slack where it is not pulled at all. False: as a sheet that stays smooth
    damping      of Kelvin and Voigt [s]
    held, regions, frames    as of a `Shell`; it cannot be clamped
    """

    kind: ClassVar[str] = "membrane"
    field_types: ClassVar[Mapping[str, ValueType]] = SHELL_TYPES

    def __init__(
        self,
        name: str,
        mesh: ShellMesh,
        thickness: float,
        material: Material,
        tension: float | ArrayLike = 0.0,
        wrinkles: bool = True,
        damping: float = 0.0,
        held: Mapping[str, str] | None = None,
        regions: Mapping[str, Any] | None = None,
        frames: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        self._begin(name, mesh, thickness, material, damping, tension, held, regions, frames)
        self.wrinkles = bool(wrinkles)

    def _own_problems(self, address: str) -> list[Problem]:
        words = "which does not resist bending; give pinned or supported"
        return [
            Problem(f"{address}.{key}", f'"clamped" is the slope of a membrane, {words}')
            for key, word in self.held.items()
            if word == "clamped"
        ]

    @cached_property
    def elastic(self) -> ShellSection:
        C, t, nu = plane_matrix(self.material, "plane-stress"), self.thickness, self.material.nu
        young = (self.material.E * t, nu) if self.wrinkles else (0.0, 0.0)
        area = float(self.material.density or 0.0) * t
        return ShellSection(area, t * C, np.zeros((3, 3)), self.damping_pair, self.tension_three, young, 0.0, 1.0)

    def __repr__(self) -> str:
        return f'Membrane("{self.name}", {self.mesh!r}, thickness={self.thickness:g})'


def plane_problems(elasticity: Any, address: str) -> list[Problem]:
    """What is wrong with the law in the plane."""
    words = f"allowed are {', '.join(ELASTICITY)}, or a symmetric positive (3, 3) matrix [Pa]"
    if isinstance(elasticity, str):
        return (
            []
            if elasticity in ELASTICITY
            else [Problem(address, f"elasticity is {shown(elasticity)}; {words}", "elasticity")]
        )
    C = elasticity
    if C.shape != (3, 3) or not np.all(np.isfinite(C)) or np.max(np.abs(C - C.T)) > 1e-9 * np.max(np.abs(C)):
        return [Problem(address, f"elasticity is {shown(C)}; {words}", "elasticity")]
    if np.min(np.linalg.eigvalsh(C)) <= 0.0:
        return [Problem(address, f"elasticity is not positive, it would deform by itself; {words}", "elasticity")]
    return []


def _flat_place(given: Any, address: str) -> np.ndarray:
    place = as_array(given, address)
    if place.shape != (2,):
        raise ModelError.at(address, f"got {shown(given)}; give its place (x, y) on the plate [m]")
    return np.append(place, 0.0)
