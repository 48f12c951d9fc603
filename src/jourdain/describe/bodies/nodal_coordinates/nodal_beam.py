"""`NodalBeam`: a beam that stretches, shears, bends and twists as far as it likes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.composite_types import ListOf, Union
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.types import Along
from ....basics.value_types import Array, Number, Text, ValueType
from ....basics.values import as_array, as_number, name_problems, number_problems, shown
from ..appearance.bones import Skeleton, Surface, attached, bending_tube, section_radii
from ..body import BodyData, MarkerData
from ..floating_frame.cross_section import ALONG, DAMPING, Section, inertia_problems, section_inertia
from ..floating_frame.quadrature import gauss
from ..floating_frame.validity_limits import Excess, strain_excess
from .beam_tables import BeamTables, Fibre, triads
from .line_body import ROOTS, LineBody

SHEAR = (5.0 / 6.0) / (2.0 * (1.0 + 0.3))
"""GA over EA of a solid rectangle of Poisson's ratio 0.3, 5/6 its shear coefficient."""
WAVE = (0.01 * 480.0) ** 0.25
"""Wave number times the length of an element, at most: a bending wave is too fast by (k l)^4 / 480, here 1 %."""
STEEP = 1.0
"""How far the sections of neighbouring nodes may be turned against each other [rad]."""


@checked
@dataclass(frozen=True, eq=False, repr=False)
class NodalBeam(LineBody):
    """A beam along its x that stretches, shears, bends in two planes and twists without limit (Simo 1985, Reissner).

    Its coordinates are places of nodes and two gradients across them each (absolute nodal coordinates), displaced from
    the beam without deformation, in the axes of what it is welded to: the mass is constant, and sections are turned by
    the gradients. Its frames turn with the sections. See `kernels/bodies/simo_reissner_beam.py` for strains and
    sources.

    length               without deformation [m]
    mass_per_length      [kg/m]
    EA, GJ               stiffness to stretching and torsion [N, N m^2]
    EI                   (a, b) [N m^2]: a resists deflection along y, b along z; one number for both
    GA                   (y, z) stiffness to shear along y and along z, shear coefficient included [N]; one number for
                         both; None for 0.32 EA, a solid rectangle with Poisson's ratio 0.3
    elements             how many, each with nodes at its middle and its end
    damping              of Kelvin and Voigt: the time constant of the rates of strains [s]; a pair for stretch and
                         shear, and for bending and twist
    inertia_per_length   about x, y and z [kg m], that about x the sum of the others; or one number, about x, divided
                         as b and a; None for a homogeneous section, mass_per_length (a + b) / EA
    root                 what holds its first node: "clamped" (place and section), "pinned" (place), or "free": then the
                         beam flies, and its coordinates are in the axes of what it is welded to
    rest_curvature       without deformation: towards y, or about x, y and z of its sections [1/m]
    rigidity             sections that turn at a rate w are strained by (w / rigidity omega)^2, omega the frequency of
                         shear, sqrt(GA over inertia_per_length): raise it where that is not small
    wavelength           the shortest bending wave that it shall carry, with 1 % of its frequency [m]; too few elements
                         for it are refused, with how many it takes
    sharpest             the largest curvature that is expected [1/m], the same
    frames               names and fractions of the length; "origin", "root", "tip", nodes such as "node[3]" and
                         numbers, the place along it [m], such as "1.25", exist

    mass_per_length, EA, EI, GJ, GA and inertia_per_length may vary along it: (fractions of the length, values).
    """

    damped_by_rates: ClassVar[bool] = True
    kind: ClassVar[str] = "nodal-beam"
    has_tension: ClassVar[bool] = True
    name: str
    length: float
    mass_per_length: Any
    EA: Any
    EI: Any
    GJ: Any
    GA: Any = None
    elements: int = 10
    damping: Any = 0.0
    inertia_per_length: Any = None
    root: str = "clamped"
    rest_curvature: Any = 0.0
    frames: dict[str, float] = None  # type: ignore[assignment]
    rigidity: float = 1.0
    wavelength: float | None = None
    sharpest: float | None = None
    optional_fields: ClassVar[tuple[str, ...]] = ("rigidity", "wavelength", "sharpest")
    field_types: ClassVar[Mapping[str, ValueType]] = dict.fromkeys(("mass_per_length", "EA", "GJ"), ALONG) | {
        "EI": Union(Number(), ListOf(ALONG)),
        "GA": Union(Number(), ListOf(ALONG)),
        "damping": DAMPING,
        "inertia_per_length": Union(Number(), ListOf(Union(Number(), Array()))),
        "root": Text(ROOTS),
        "rest_curvature": Union(Number(), Array(3)),
    }
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            name: str,
            length: float,
            mass_per_length: Along,
            EA: Along,
            EI: Along | tuple[Along, Along],
            GJ: Along,
            GA: Along | tuple[Along, Along] | None = None,
            elements: int = 10,
            damping: float | tuple[float, float] = 0.0,
            inertia_per_length: Along | tuple[Along, Along, Along] | None = None,
            root: str = "clamped",
            rest_curvature: float | ArrayLike = 0.0,
            frames: Mapping[str, float] | None = None,
            rigidity: float = 1.0,
            wavelength: float | None = None,
            sharpest: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        for what in ("length", "rigidity"):
            put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        for what in ("mass_per_length", "EA", "GJ"):
            put(self, what, Section(getattr(self, what), f"{self.name}: {what}"))
        for what in ("EI", "GA"):
            given = getattr(self, what)
            if given is not None:
                pair = given if isinstance(given, tuple | list) and len(given) == 2 else (given, given)
                put(self, what, tuple(Section(one, f"{self.name}: {what}") for one in pair))
        if self.inertia_per_length is not None:
            where = f"{self.name}: inertia_per_length"
            put(self, "inertia_per_length", section_inertia(self.inertia_per_length, where))
        bent = as_array(self.rest_curvature, f"{self.name}: rest_curvature")
        put(self, "rest_curvature", tuple(bent.ravel().tolist()) if bent.ndim else float(bent))
        self._settle()

    # ------------------------------------------------------------------ what is wrong with it

    def check(self) -> list[Problem]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        problems += number_problems(self.length, address, "length [m]", above=0.0)
        problems += number_problems(self.rigidity, address, "rigidity", above=0.0)
        for what in ("mass_per_length", "EA", "GJ"):
            problems += getattr(self, what).problems(address, what)
        for what in ("EI", "GA"):
            for i, one in enumerate(getattr(self, what) or ()):
                problems += one.problems(address, f"{what}[{i}]")
        if self.inertia_per_length is not None:
            problems += inertia_problems(self.inertia_per_length, address) or self._flat_problems(address)
        if np.shape(self.rest_curvature) not in ((), (3,)) or not np.all(np.isfinite(self.rest_curvature)):
            words = "give a number, towards y, or three, about x, y and z [1/m]"
            problems.append(
                Problem(address, f"rest_curvature is {shown(self.rest_curvature)}; {words}", "rest_curvature")
            )
        problems += self._line_problems(address)
        if problems:
            return problems
        return self._length_problems(address, float(np.linalg.norm(self._bent)), WAVE)

    def _flat_problems(self, address: str) -> list[Problem]:
        """A section is flat: about x it has what it has about y and z."""
        if isinstance(self.inertia_per_length, Section):
            return []
        places = np.unique(np.concatenate([np.array([0.0, 1.0]), *(one.fractions for one in self.inertia_per_length)]))
        x, y, z = (one(places) for one in self.inertia_per_length)
        j = int(np.argmax(np.abs(x - y - z) / x))
        if abs(x[j] - y[j] - z[j]) <= 1e-6 * x[j]:
            return []
        stated = f"inertia_per_length is ({x[j]:g}, {y[j]:g}, {z[j]:g}) kg m"
        return [Problem(address, f"{stated}; a section is flat, give {y[j] + z[j]:g} about x, the sum of the others")]

    # ------------------------------------------------------------------ the beam

    @property
    def spans(self) -> int:
        return 2 * self.elements

    @property
    def _bent(self) -> np.ndarray:
        """Curvature without deformation about x, y and z [1/m]."""
        given = self.rest_curvature
        return np.array([0.0, 0.0, given] if np.ndim(given) == 0 else given, float)

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.check():
            return ()
        words = [
            f"{axis}{one}[{k}]" for k in range(self.spans + 1) for one in ("", "_dy", "_dz") for axis in ("x", "y", "z")
        ]
        strand = self.nodal
        return tuple(words[3 * a + k] for a in dict.fromkeys(strand.owner.tolist()) for k in range(3))

    def _stiffness(self, f: np.ndarray) -> np.ndarray:
        """EA, GA_y, GA_z, GJ, EI about y, EI about z at fractions f of the length, (m, 6)."""
        EA = self.EA(f)
        GA = [SHEAR * EA, SHEAR * EA] if self.GA is None else [one(f) for one in self.GA]
        return np.stack([EA, *GA, self.GJ(f), self.EI[1](f), self.EI[0](f)], axis=1)

    def _inertia(self, f: np.ndarray) -> np.ndarray:
        """Mass, and mass times y^2 and z^2 over sections, over the length, at fractions f, (m, 3) [kg/m, kg m]."""
        mass, a, b = self.mass_per_length(f), self.EI[0](f), self.EI[1](f)
        given = self.inertia_per_length
        if isinstance(given, tuple):
            return np.stack([mass, given[2](f), given[1](f)], axis=1)
        about_x = mass * (a + b) / self.EA(f) if given is None else given(f)
        return np.stack([mass, about_x * a / (a + b), about_x * b / (a + b)], axis=1)

    @cached_property
    def nodal(self) -> BeamTables:
        """Its matrices."""
        stated = [self.mass_per_length, self.EA, self.GJ, *self.EI, *(self.GA or ())]
        given = self.inertia_per_length
        stated += list(given) if isinstance(given, tuple) else [given] if given is not None else []
        even = all(len(one.values) == 1 for one in stated)
        pair = np.atleast_1d(self.damping)
        fibre = Fibre(self._stiffness, self._inertia, (float(pair[0]), float(pair[-1])), self.rigidity, even)
        return BeamTables(self.length, self.elements, self._bent, fibre, self.root)

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.nodal.masses[0::3, 0::3].sum())

    def clamped_frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency [rad/s]."""
        return self.nodal.frequencies()

    def natural_frequencies(self, count: int = 10) -> np.ndarray:
        """The lowest ones without deformation, with the body's frame held, rising [rad/s]; zero for free motions."""
        problems = self.check()
        if problems:
            raise ModelError(problems)
        return self.nodal.natural_frequencies(count)

    def _matrices(self, held: Pose) -> BodyData:
        return self.nodal.data(held)

    # ------------------------------------------------------------------ frames

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        s = self._place(name)
        if s is None:
            raise self.unknown_frame(name)
        station, u, v = self.nodal.station(s)
        return Pose(station.position, rotation=np.stack([np.cross(u, v), u, v], axis=1))

    def marker(self, name: str, held: Pose) -> MarkerData:
        R = held.rotation
        if name == "origin":
            tail = [*(np.eye(3)[1:] @ R).ravel(), 0.5, 0.5]
            return MarkerData(held.inverse() @ Pose(), np.concatenate([R.T @ -held.position, [0.0], tail]))
        s = float(self._place(name) or 0.0)
        station, u, v = self.nodal.station(s)
        rows = np.concatenate([station.entries[:, None], station.psi @ R, station.theta], axis=1)
        head = np.append(R.T @ (station.position - held.position), len(rows))
        weights = self.nodal.weights_at(np.array([s / self.length]))[0]
        numbers = np.concatenate([head, rows.ravel(), u @ R, v @ R, weights])
        return MarkerData(held.inverse() @ self.frame(name), numbers)

    def load_points(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Two points of Gauss in each element: exact for the product of its parabolas and the slope of its line."""
        x, weights = gauss(np.linspace(0.0, self.length, self.elements + 1), 2)
        return tuple(str(one) for one in x.tolist()), weights

    # ------------------------------------------------------------------ results

    def vectors(self, e: np.ndarray, whole: bool = True) -> np.ndarray:
        """Places and gradients of all nodes for coordinates (nt, n): (nt, V, 3), body axes; whole: False for rates."""
        moved = np.asarray(e @ self.nodal.shapes.T).reshape(len(e), -1, 3)
        return moved + self.nodal.nodes if whole else moved

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the line from where it is without deformation."""
        points = self._stations(x)
        return points, self.nodal.along(self.vectors(e, whole=False), points)[:, :, 0]

    def _along(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Values (nt, elements, 2, ...) at the points of Gauss, by straight lines through each two, at places x [m]."""
        k = np.minimum((x / self.nodal.length).astype(int), self.elements - 1)
        f = 0.5 + np.sqrt(3.0) * (x / self.nodal.length - k - 0.5)
        f = f.reshape(-1, *(1,) * (values.ndim - 3))
        return (1.0 - f) * values[:, k, 0] + f * values[:, k, 1]

    def strain(
        self, e: np.ndarray, x: ArrayLike | None = None
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str, str]]]:
        """Stretch, shears, twist and curvatures less those at rest, about the sections' own axes, and the forces and
        moments of an elastic section, those on the face towards the tip."""
        points = self._stations(x)
        found = self._along(self.nodal.taken(self.vectors(e)) - self.nodal.rest, points)
        forces = found * self._stiffness(points / self.length)
        return points, {
            name: (np.ascontiguousarray(values[..., i]), unit, words)
            for values, table in ((found, STRAINS), (forces, FORCES))
            for i, (name, unit, words) in enumerate(table)
        }

    def tension(self, e: np.ndarray, rate: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Force along the beam with that of damping, EA (Gamma_1 + c Gamma_1'), (nt, m) [N]."""
        points = self._stations(x)
        vectors = self.vectors(e)
        stretch = self.nodal.taken(vectors)[..., 0] - self.nodal.rest[..., 0]
        faster = self.nodal.taken(vectors, self.vectors(rate, whole=False))[..., 0]
        return points, self.EA(points / self.length) * self._along(
            stretch + self.nodal.fibre.damping[0] * faster, points
        )

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Strains of the line and as far from it as the radius of gyration; turns from node to node."""
        if not self.internal:
            return []
        x = np.linspace(0.0, self.length, 2 * self.elements + 1)
        found, D = self.strain(e, x)[1], self._stiffness(x / self.length)
        y, z = np.sqrt(D[:, 5] / D[:, 0]), np.sqrt(D[:, 4] / D[:, 0])
        far = {"kappa_y": z, "kappa_z": y, "twist": np.hypot(y, z)}
        parts = [found[name][0] * far.get(name, 1.0) for name, *_ in STRAINS]
        nodes = self.vectors(e).reshape(len(e), -1, 3, 3)
        axes = triads(nodes[:, :, 1], nodes[:, :, 2], self.nodal.weights)
        trace = np.einsum("tkij,tkij->tk", axes[:, 1:], axes[:, :-1])
        turns = np.max(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0)), axis=1)
        remedy = "give more elements"
        why = "between neighbouring nodes of its parabolas"
        return [strain_excess(np.concatenate(parts, axis=1)), Excess("turn", turns, STEEP, " rad", why, remedy)]

    # ------------------------------------------------------------------ looks

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """A tube with the half axes of the solid elliptic section that has its EA and EI."""
        s = self._bones
        f = s / self.length
        flat = bending_tube(s, section_radii(self.EA(f), (self.EI[0](f), self.EI[1](f)), self.length))
        k = flat.bones[:, 0] - 1
        rest = self.nodal.along(self.nodal.nodes[None], s)[0][k]
        vertices = rest[:, 0] + flat.vertices[:, 1:2] * rest[:, 1] + flat.vertices[:, 2:3] * rest[:, 2]
        return [Surface(vertices, flat.faces, flat.bones, flat.weights)]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Bones along the beam, turned as its sections are."""
        from scipy.spatial.transform import Rotation

        s = self._bones
        rest = self.nodal.along(self.nodal.nodes[None], s)[0]
        here = self.nodal.along(self.vectors(e), s)
        weights = self.nodal.weights_at(s / self.length)
        before = triads(rest[:, 1], rest[:, 2], weights)
        turns = triads(here[:, :, 1], here[:, :, 2], weights) @ np.swapaxes(before, 1, 2)
        quaternions = Rotation.from_matrix(turns.reshape(-1, 3, 3)).as_quat()[:, [3, 0, 1, 2]]
        poses = np.concatenate([here[:, :, 0], quaternions.reshape(*turns.shape[:2], 4)], axis=-1)
        return attached(rest[:, 0], poses, self._bone_frames())

    def __repr__(self) -> str:
        return f'NodalBeam("{self.name}", length={self.length:g}, {self.elements} elements, {self.root})'


STRAINS = (
    ("axial", "1", "stretch"),
    ("shear_y", "1", "shear along y"),
    ("shear_z", "1", "shear along z"),
    ("twist", "rad/m", "twist a length"),
    ("kappa_y", "1/m", "curvature about y"),
    ("kappa_z", "1/m", "curvature about z"),
)
FORCES = (
    ("force", "N", "axial force"),
    ("force_y", "N", "shear force along y"),
    ("force_z", "N", "shear force along z"),
    ("torque", "N m", "torque about x"),
    ("moment_y", "N m", "bending moment about y"),
    ("moment_z", "N m", "bending moment about z"),
)
