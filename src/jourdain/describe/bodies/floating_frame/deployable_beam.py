"""Beams whose deployed length changes.

Packing of deployable beams: slices, stations and matrices in the order that kernels/bodies/deployable_beam.py
reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.composite_types import Union
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.value_types import Array, Number, ValueType
from ....basics.values import (
    as_array,
    as_number,
    as_vector,
    finite_problems,
    name_problems,
    number_problems,
    numbers,
    shown,
)
from ....kernels.kind_registry import DEPLOYING
from ..appearance.bones import Skeleton, Surface, along_a_length, bending_tube, section_radii, stations_of
from ..body import BodyData, Ends, MarkerData, SlenderBody
from .beam import Beam, settle_words
from .beam_shapes import Strains, about_own_axes, section_strains
from .cross_section import DAMPING, DIRECTIONS, Modes
from .modal_tables import damping_matrix
from .quadrature import gauss
from .shape_functions import MOST
from .validity_limits import Excess, slope_excess, strain_excess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


BASES = ("polynomial", "clamped-free", "pinned-free")
DEPLOYMENTS = ("emerging", "stretch")


@checked
@dataclass(frozen=True, eq=False)
class DeployableBeam(SlenderBody):
    """A slender beam along x that bends while its deployed length changes, which is the coordinate "NAME.length" [m].

    length               (min, max) [m], min above zero. Stops push the length back beyond them
    mass_per_length      [kg/m] of the beam at its full length max, or give
    mass                 [kg], the whole, stowed part included
    EA, GJ               stretch and torsional stiffness [N, N m^2]
    EI                   (a, b) [N m^2]: a resists deflection along y, b along z; one number for both
    modes                `Modes`; shapes are functions of x over the deployed length, and follow it
    basis                "polynomial", "clamped-free" or "pinned-free", as for `Beam`
    damping              modal damping ratio, the same at every length; or Rayleigh's (alpha [1/s], beta [s])
    inertia_per_length   about x, at full length [kg m]; None for a homogeneous section
    tip_mass             [kg], only shapes a clamped-free basis by its ratio to the whole mass, and adds no mass
    frames               names and fractions of the deployed length; "origin", "root" and "tip" exist
    deployment           "emerging": comes out of a guide whose mouth is the root; what is not yet out is a straight
                         rod behind it, at x < 0, which moves with it. "stretch": a telescope, every particle at its
                         fraction of the length (Chen 1999, eq. C.2)
    limit_stiffness      of the stops [N/m]; None leaves it to `System.compile`
    limit_damping        of the stops [s/m], as Hunt and Crossley

    The inertia is that of the deformed beam with foreshortening, as `Beam` with fidelity "exact", and with all terms of
    the changing length; sections are even. A frame at a fraction below one of an emerging beam slides along it.
    """

    kind: ClassVar[str] = "deployable"
    name: str
    length: Any
    mass_per_length: float | None = None
    EA: float = None  # type: ignore[assignment]
    EI: Any = None
    GJ: float = None  # type: ignore[assignment]
    modes: Modes = field(default_factory=lambda: Modes(bending=3, torsion=1))
    basis: str = "polynomial"
    damping: Any = 0.0
    inertia_per_length: float | None = None
    tip_mass: float | None = None
    frames: dict[str, float] = None  # type: ignore[assignment]
    deployment: str = "emerging"
    mass: float | None = None
    limit_stiffness: float | None = None
    limit_damping: float | None = None
    station_unit: ClassVar[str] = "1"
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "length": Array(2),
        "EI": Union(Number(), Array(2)),
        "damping": DAMPING,
    }
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            name: str,
            length: ArrayLike,
            mass_per_length: float | None = None,
            EA: float = ...,
            EI: float | tuple[float, float] = ...,
            GJ: float = ...,
            modes: Modes = ...,
            basis: str = "polynomial",
            damping: float | Sequence[float] = 0.0,
            inertia_per_length: float | None = None,
            tip_mass: float | None = None,
            frames: Mapping[str, float] | None = None,
            deployment: str = "emerging",
            mass: float | None = None,
            limit_stiffness: float | None = None,
            limit_damping: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "length", tuple(as_vector(self.length, f"{self.name}: length", size=2).tolist()))
        if (self.mass is None) == (self.mass_per_length is None):
            raise ModelError.at(str(self.name), "give either mass_per_length [kg/m] at full length, or mass [kg]")
        for what in ("EA", "EI", "GJ"):
            if getattr(self, what) is None:
                raise ModelError.at(str(self.name), f"{what} is missing; a deployable beam takes EA, EI and GJ", what)
        for what in (
            "mass", "mass_per_length", "EA", "GJ", "inertia_per_length", "tip_mass", "limit_stiffness", "limit_damping"
        ):  # fmt: skip
            if getattr(self, what) is not None:
                put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        pair = self.EI if isinstance(self.EI, tuple | list) and len(self.EI) == 2 else (self.EI, self.EI)
        put(self, "EI", tuple(as_number(one, f"{self.name}: EI") for one in pair))
        settle_words(self)

    @property
    def whole_mass(self) -> float:
        """Mass of the beam, stowed part included [kg]."""
        return self.mass if self.mass is not None else self.mass_per_length * self.length[1]

    @property
    def emerges(self) -> bool:
        """Whether it comes out of a guide."""
        return self.deployment == "emerging"

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.check():
            return ()
        counted = zip(DIRECTIONS, self.modes.counts(), strict=True)
        return ("length", *(f"{what}[{i}]" for what, count in counted for i in range(count)))

    @property
    def ends(self) -> dict[str, Ends]:
        moved = self.whole_mass * (1.0 if self.emerges else 1.0 / 3.0)
        low, high = self.length
        return {"length": Ends(low, high, moved, self.limit_stiffness, self.limit_damping)}

    def _fraction(self, name: str) -> float:
        known = {"origin": 0.0, "root": 0.0, "tip": 1.0} | self.frames
        if name not in known:
            raise self.unknown_frame(name)
        return known[name]

    def frame(self, name: str) -> Pose:
        """Undeformed pose of a frame at the least length."""
        return Pose((self._fraction(name) * self.length[0], 0.0, 0.0))

    def can_be_held(self, name: str) -> bool:
        return self._fraction(name) == 0.0

    def check(self) -> list[Problem]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        low, high = self.length
        bad = finite_problems(np.array(self.length), address, "length [m]")
        problems += bad
        if not bad and not 0.0 < low < high:
            given = f"length is {numbers(self.length)} m"
            problems.append(Problem(address, f"{given}; give (min, max), min above zero and below max"))
        for what in ("mass", "mass_per_length", "EA", "GJ", "inertia_per_length", "limit_stiffness"):
            if getattr(self, what) is not None:
                problems += number_problems(getattr(self, what), address, what, above=0.0)
        for i, one in enumerate(self.EI):
            problems += number_problems(one, address, f"EI[{i}]", above=0.0)
        for what in ("tip_mass", "limit_damping"):
            if getattr(self, what) is not None:
                problems += number_problems(getattr(self, what), address, what, least=0.0)
        for what, value, allowed in (("basis", self.basis, BASES), ("deployment", self.deployment, DEPLOYMENTS)):
            if value not in allowed:
                problems.append(Problem(address, f'{what} is "{value}"; allowed are {", ".join(allowed)}', what))
        if self.basis in BASES:
            most = MOST[self.basis]
            for what, count in zip(DIRECTIONS, self.modes.counts(), strict=True):
                if not isinstance(count, int) or not 0 <= count <= most:
                    text = f'modes: {what} is {count}; the basis "{self.basis}" gives 0 to {most}'
                    problems.append(Problem(address, text))
        return problems + self.damping_problems(address) + self.fraction_problems(address)

    @cached_property
    def unit(self) -> Beam:
        """The beam at unit length and mass: shapes, stiffness and tables that the length only scales."""
        gyration = (self.EI[0] + self.EI[1]) / self.EA
        if self.inertia_per_length is not None:
            gyration = self.inertia_per_length * self.length[1] / self.whole_mass
        tip = None if self.tip_mass is None else self.tip_mass / self.whole_mass
        return Beam(
            self.name, 1.0, 1.0, self.EA, self.EI, self.GJ, self.modes, self.basis,
            inertia_per_length=gyration, tip_mass=tip,
        )  # fmt: skip

    @cached_property
    def tables(self) -> DeployableTables:
        return DeployableTables(self)

    def at_length(self, length: float) -> Beam:
        """The `Beam` that is out at a length [m], with the same shapes: what this one is while its length rests."""
        mass = self.whole_mass / (self.length[1] if self.emerges else length)
        return Beam(
            self.name, length, mass, self.EA, self.EI, self.GJ, self.modes, self.basis, damping=self.damping,
            inertia_per_length=self.unit.inertia_per_length(np.zeros(1))[0] * mass,
            tip_mass=None if self.tip_mass is None else self.tip_mass / self.whole_mass * mass * length,
            frames=self.frames,
        )  # fmt: skip

    def clamped_frequencies(self) -> np.ndarray:
        return self.at_length(self.length[0]).clamped_frequencies()

    def data(self, held: Pose) -> BodyData:
        return self.tables.data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        return MarkerData(held.inverse() @ self.frame(name), self.tables.station(self._fraction(name)))

    def _points(self, x: Any) -> np.ndarray:
        if x is None:
            return np.linspace(0.0, 1.0, 21)
        points = np.atleast_1d(as_array(x, f"{self.name}: x"))
        if points.ndim != 1 or not np.all((points >= -1e-9) & (points <= 1.0 + 1e-9)):
            raise ModelError.at(f"{self.name}: x", f"got {shown(x)}; give fractions of the deployed length, 0 to 1")
        return np.clip(points, 0.0, 1.0)

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the axis from the straight beam of the same length; x are fractions of that length."""
        points = self._points(x)
        here, inverse = self.unit.shapes(points), 1.0 / e[:, 0]
        a = e[:, 1:]
        out = np.stack([a @ here.u, a @ here.v, a @ here.w], axis=-1)
        for i, station in enumerate(self.unit.tables.stations(points)):
            out[:, i, 0] += 0.5 * inverse * np.einsum("tk,kl,tl->t", a, station.chi, a)
        return points, out

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Slopes of the axis, at fractions of the deployed length; strains as those of a `Beam`."""
        if not self.unit.internal:
            return []
        first = self.unit.shapes(self._points(None), 1)
        partials = np.hypot(e[:, 1:] @ first.v, e[:, 1:] @ first.w) / e[:, :1]
        found = self.strain(e)[1]
        across = [np.sqrt(one / self.EA) for one in (self.EI[1], self.EI[0])]
        strains = [found["axial"][0], found["kappa_y"][0] * across[0], found["kappa_z"][0] * across[1]]
        strains.append(found["twist"][0] * np.hypot(*across))
        return [slope_excess(partials, True, "while its bending shortens it"), strain_excess(np.hstack(strains))]

    @cached_property
    def _bones(self) -> np.ndarray:
        """Fractions of the deployed length at which bones are."""
        return stations_of([self._fraction(name) for name in self.frame_names()])

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """A tube as that of a `Beam`, at the least length; what is still stowed is not drawn."""
        f = self._bones
        EA, first, second = (np.full(len(f), one) for one in (self.EA, *self.EI))
        return [bending_tube(f * self.length[0], section_radii(EA, (first, second), self.length[1]), first=2, step=2)]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Two bones a place: on the straight beam of the same length, and, carried by that, on the deformed one."""
        f, length = self._bones, e[:, :1]
        bent = np.concatenate(self.unit.tables.moved(e[:, 1:], f, 1.0 / length), axis=-1)
        bent[..., 0] += f * length
        bones = {name: int(np.argmin(np.abs(f - self._fraction(name)))) for name in self.frame_names()}
        return along_a_length(f, length, self.length[0], bent, bones)

    def strain(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, Strains]:
        """Strains and internal forces as `Beam.strain` of the beam that is `at_length`; x are fractions of that length,
        of which the shapes are functions: each derivative divides by it."""
        if not self.unit.internal:
            raise self.unit.undeformable()
        points, a, inverse = self._points(x), e[:, 1:], 1.0 / e[:, :1]
        here, first, second = (self.unit.shapes(points, k) for k in range(3))
        about_y, about_z = -(a @ second.w) * inverse**2, a @ second.v * inverse**2
        about_y, about_z = about_own_axes(a @ here.twist, about_y, about_z)
        stiffness = self.EA, *self.EI, self.GJ
        return points, section_strains(a @ first.u * inverse, a @ first.twist * inverse, about_y, about_z, stiffness)

    def __repr__(self) -> str:
        low, high = self.length
        return (
            f'DeployableBeam("{self.name}", {low:g} to {high:g} m, {self.deployment}, {len(self.internal)} coordinates)'
        )


class DeployableTables:
    """The parts of a deployable beam, of unit length; the length scales them while it runs."""

    def __init__(self, beam: DeployableBeam) -> None:
        self.beam, self.unit = beam, beam.unit
        self.shapes, self.parts = beam.unit.shape_functions, beam.unit.tables
        self.m = self.parts.n
        y, z, _, _ = beam.modes.counts()
        self.bending = np.arange(self.m) < y + z

    @property
    def points(self) -> int:
        """Gauss points of the mass.

        Particles of a stretching beam stay at them, so that whatever they are is a body, and as few as `Beam` has will
        do. Those of an emerging one pass by: the sums must be integrals, of the square of the foreshortening too.
        """
        count = max(self.shapes.slice_points(True), self.shapes.points(torsion=2))
        if not self.beam.emerges:
            return count
        return max(count, self.shapes.points(bending=4, derivatives=2), self.shapes.points(bending=2, axial=1))

    def functions(self, xi: np.ndarray, derivative: int) -> np.ndarray:
        """Shapes of all amplitudes, each in its own direction, (m, points)."""
        here = self.shapes.at(xi, derivative)
        return here.u + here.v + here.w + here.twist

    @cached_property
    def damping(self) -> tuple[np.ndarray, np.ndarray, list[float]]:
        """Two damping matrices at unit length, and the exponents of the length that scale them: those of bending and
        of the others for the first, then for the second.

        A modal ratio is kept at every length, C ~ sqrt(M K): mass is as l^p, p = 1 if the beam emerges and 0 if it
        stretches, stiffness as l^-3 (bending) or l^-1. Rayleigh's alpha M and beta K scale as M and K do.
        """
        p = 1.0 if self.beam.emerges else 0.0
        M = self.unit.mass_matrix * self.beam.whole_mass / (self.beam.length[1] if self.beam.emerges else 1.0)
        K, given = self.unit.stiffness, self.beam.damping
        if isinstance(given, tuple):
            alpha, beta = given
            return alpha * M, beta * K, [p, p, -3.0, -1.0]
        C = damping_matrix(M, K, given)
        C[self.bending[:, None] != self.bending] = 0.0
        return C, np.zeros_like(C), [0.5 * (p - 3.0), 0.5 * (p - 1.0), 0.0, 0.0]

    def station(self, xi: float) -> np.ndarray:
        """What the kernels read of a marker at a fraction of the deployed length."""
        at = np.array([xi])
        one = self.parts.stations(at)[0]
        shapes = np.stack([self.functions(at, 0)[:, 0], self.functions(at, 1)[:, 0]], axis=1)
        rows = [matrix[k, : k + 1] for matrix in (one.chi, one.xi) for k in range(self.m)]
        return np.concatenate([[xi], shapes.ravel(), *rows])

    def slices(self) -> np.ndarray:
        """Rows of the slices: fraction, weight, shapes and two derivatives, foreshortening."""
        y, z, _, _ = self.beam.modes.counts()
        xi, weights = gauss(np.array([0.0, 1.0]), self.points)
        shapes = np.stack([self.functions(xi, d) for d in range(3)], axis=-1)
        rows: list[np.ndarray] = []
        for i, station in enumerate(self.parts.stations(xi)):
            chi = station.chi
            head = np.array([xi[i], weights[i]])
            parts = [head, shapes[:, i].ravel(), chi[:y, :y].ravel(), chi[y : y + z, y : y + z].ravel()]
            rows.append(np.concatenate(parts))
        return np.array(rows)

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame; mass centre and inertia at the least length, undeformed."""
        from ....kernels.bodies.deployable_layout import DeployableBody

        b, mass = self.beam, self.beam.whole_mass
        low, high = b.length
        axes = held.rotation.T
        gyration = float(self.unit.inertia_per_length(np.zeros(1))[0])
        first, second, exponents = self.damping
        slices, coupling = self.slices(), self.parts.coupling()
        coupling = np.zeros((0, 1)) if coupling is None else coupling
        fixed, density = (0.0, mass / high) if b.emerges else (mass, 0.0)
        head = np.array([fixed, density, float(b.emerges), high, gyration, *exponents])
        K = self.unit.stiffness
        root = self.functions(np.zeros(1), 1)[:, 0]
        numbers = [axes[:, 0], axes.T.ravel(), head, K.ravel(), first.ravel(), second.ravel(), root]
        before = sum(len(part) for part in numbers)
        floats = np.concatenate([*numbers, slices.ravel(), coupling.ravel()])
        y, z, axial, torsion = b.modes.counts()
        header = DeployableBody.made(
            slices=len(slices), bending_y=y, bending_z=z, axial=axial, torsion=torsion, coupling_points=len(coupling),
            slice=before, coupling=before + slices.size,
        )  # fmt: skip
        # a rod from low - high (stowed) or 0 to low
        start = low - high if b.emerges else 0.0
        com = 0.5 * (start + low)
        across = mass * (low**3 - start**3) / (3.0 * (low - start))
        inertia = np.diag([mass * gyration, across, across])
        return BodyData(
            DEPLOYING, mass, axes @ np.array([com, 0.0, 0.0]), axes @ inertia @ axes.T, header.numbers, floats
        )
