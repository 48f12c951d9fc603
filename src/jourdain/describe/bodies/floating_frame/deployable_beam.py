"""Beams whose deployed length changes."""

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
from ..appearance.bones import Skeleton, along_a_length, bending_tube, section_radii, stations_of
from ..body import Body, BodyData, Ends, MarkerData
from .beam import Beam, settle_words
from .beam_shapes import Strains, about_own_axes, section_strains
from .cross_section import DAMPING, DIRECTIONS, Modes
from .deployable_tables import DeployableTables
from .shape_functions import MOST
from .validity_limits import Excess, slope_excess, strain_excess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..appearance.bones import Surface

BASES = ("polynomial", "clamped-free", "pinned-free")
DEPLOYMENTS = ("emerging", "stretch")


@checked
@dataclass(frozen=True, eq=False)
class DeployableBeam(Body):
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

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", "root", "tip", *(name for name in self.frames if name not in ("origin", "root", "tip")))

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
        for what, value, allowed in (
            ("basis", self.basis, BASES),
            ("deployment", self.deployment, DEPLOYMENTS),
        ):
            if value not in allowed:
                problems.append(Problem(address, f'{what} is "{value}"; allowed are {", ".join(allowed)}', what))
        if self.basis in BASES:
            most = MOST[self.basis]
            for what, count in zip(DIRECTIONS, self.modes.counts(), strict=True):
                if not isinstance(count, int) or not 0 <= count <= most:
                    text = f'modes: {what} is {count}; the basis "{self.basis}" gives 0 to {most}'
                    problems.append(Problem(address, text))
        damping = np.atleast_1d(self.damping)
        if not np.all(np.isfinite(damping)) or np.any(damping < 0.0) or len(damping) > 2:
            problems.append(
                Problem(
                    address,
                    f"damping is {shown(self.damping)}; give a ratio, or (alpha, beta), none negative",
                    "damping",
                )
            )
        for key, fraction in self.frames.items():
            problems += name_problems(key, f"{address}.{key}", "frame")
            if key in ("origin", "root", "tip"):
                problems.append(Problem(f"{address}.{key}", f'"{key}" is the beam\'s own; choose another name'))
            if not 0.0 <= fraction <= 1.0:
                problems.append(Problem(f"{address}.{key}", f"is at {fraction} of the length; give 0 to 1"))
        return problems

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
    def _parts(self) -> DeployableTables:
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
        return self._parts.data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        return MarkerData(held.inverse() @ self.frame(name), self._parts.station(self._fraction(name)))

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
        for i, station in enumerate(self.unit._parts.stations(points)):
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
        bent = np.concatenate(self.unit._parts.moved(e[:, 1:], f, 1.0 / length), axis=-1)
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
