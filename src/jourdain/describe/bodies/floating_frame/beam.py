"""Slender elastic beams in a floating frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.composite_types import ListOf, ObjectOf, Union
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.types import Along
from ....basics.value_types import Array, Number, ValueType
from ....basics.values import as_array, as_number, name_problems, number_problems, shown
from ...shapes import Placed, Shape
from ..appearance.bones import (
    Skeleton,
    Surface,
    as_placed,
    attached,
    bending_tube,
    carried_over,
    section_radii,
    shape_problems,
    skin,
    stations_of,
)
from ..body import Body, BodyData, MarkerData, RailData, SlenderBody
from .beam_shapes import BeamShapes, Shapes, Strains, about_own_axes, dual, section_strains
from .beam_tables import ROTATIONS, BeamParts, beam_rail
from .cross_section import ALONG, DAMPING, DIRECTIONS, Modes, Section, inertia_problems, section_inertia
from .lumped_beam import Slice
from .modal_tables import natural_frequencies
from .quadrature import gauss
from .shape_functions import BASES, MOST, family
from .validity_limits import DIVIDE, SLOPE, Excess, slope_excess, strain_excess

FIDELITIES = ("ruthless", "inconsistent", "consistent", "exact")
AXIAL = ("auto", "dual", "modes")


def settle_words(beam: Any) -> None:
    """Checks modes, damping and frames of a beam of either kind, and turns them into plain numbers."""
    put = object.__setattr__
    if not isinstance(beam.modes, Modes):
        raise ModelError.at(f"{beam.name}: modes", f"got {shown(beam.modes)}; give jd.Modes(bending=2, torsion=1)")
    if np.ndim(beam.damping) == 0:
        put(beam, "damping", as_number(beam.damping, f"{beam.name}: damping"))
    else:
        put(beam, "damping", tuple(as_array(beam.damping, f"{beam.name}: damping").tolist()))
    frames = {} if beam.frames is None else beam.frames
    if not isinstance(frames, Mapping):
        raise ModelError.at(f"{beam.name}: frames", f"got {shown(frames)}; give names and fractions of the length")
    put(beam, "frames", {k: as_number(f, f"{beam.name}.{k}") for k, f in frames.items()})


@checked
@dataclass(frozen=True, eq=False)
class Beam(SlenderBody):
    """A slender beam along x that bends in two planes, stretches and twists: Euler-Bernoulli, in a floating frame.

    length               [m]
    mass_per_length      [kg/m]
    EA, GJ               stretch and torsional stiffness [N, N m^2]
    EI                   (a, b) [N m^2]: a resists deflection along y, b along z; one number for both
    modes                `Modes`; amplitudes of bending are metres at the largest deflection of the shape
    basis                "polynomial" (static tip shapes first), "clamped-free", "pinned-free", "free-free" (origin at
                         mid-length), "finite-element"
    fidelity             "exact", "consistent", "inconsistent", "ruthless": Damaren & Sharf 1995, section 3.1
    axial                "auto": bending shortens the beam, with no axial frequency but those of axial modes asked for;
                         "dual": the axial functions that bending needs as coordinates; "modes": rod modes only, and
                         sections turned to first order, as in the paper
    tip_rotation         "exponential", "none", "linear", "euler-321", "euler-123", or "integrated": a frame's angular
                         velocity is sum theta_k e_k' as it is, and its rotation a state, such as "boom.tip.qw"
    damping              modal damping ratio, or Rayleigh's (alpha [1/s], beta [s]); `Rayleigh` finds them from ratios
    inertia_per_length   about x, y and z [kg m], three numbers: it turns with the sections, as in a spinning shaft; or
                         one, about x; None for a homogeneous section, mass_per_length (a + b) / EA
    rotary_inertia       with one number or None: whether sections also have inertia about y and z, that about x divided
                         as b and a; if not, that about x acts on twisting only
    tip_mass             [kg], only shapes a clamped-free basis and adds no mass
    frames               names and fractions of the length; "origin", "root", "tip" and numbers, the place along it
                         from the root [m], such as "1.25", exist
    shape                what it looks like, which bends with it: a shape or ``shape.at("frame", position, rotation)``,
                         without mass; None for a tube with its EA and EI

    mass_per_length, EA, EI and GJ may vary along the beam: (fractions of the length, values).
    """

    kind: ClassVar[str] = "beam"
    name: str
    length: float
    mass_per_length: Any
    EA: Any
    EI: Any
    GJ: Any
    modes: Modes = field(default_factory=lambda: Modes(bending=3, torsion=1))
    basis: str = "polynomial"
    fidelity: str = "exact"
    axial: str = "auto"
    tip_rotation: str = "exponential"
    damping: Any = 0.0
    inertia_per_length: Any = None
    tip_mass: float | None = None
    frames: dict[str, float] = None  # type: ignore[assignment]
    rotary_inertia: bool = False
    shape: Any = None
    optional_fields: ClassVar[tuple[str, ...]] = ("shape",)
    field_types: ClassVar[Mapping[str, ValueType]] = dict.fromkeys(("mass_per_length", "EA", "GJ"), ALONG) | {
        "EI": Union(Number(), ListOf(ALONG)),
        "damping": DAMPING,
        "inertia_per_length": Union(Number(), ListOf(Union(Number(), Array()))),
        "shape": ObjectOf(Placed),
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
            modes: Modes = ...,
            basis: str = "polynomial",
            fidelity: str = "exact",
            axial: str = "auto",
            tip_rotation: str = "exponential",
            damping: float | Sequence[float] = 0.0,
            inertia_per_length: Along | tuple[Along, Along, Along] | None = None,
            tip_mass: float | None = None,
            frames: Mapping[str, float] | None = None,
            rotary_inertia: bool = False,
            shape: Shape | Placed | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "length", as_number(self.length, f"{self.name}: length"))
        for what in ("mass_per_length", "EA", "GJ"):
            put(self, what, Section(getattr(self, what), f"{self.name}: {what}"))
        pair = self.EI if isinstance(self.EI, tuple | list) and len(self.EI) == 2 else (self.EI, self.EI)
        put(self, "EI", tuple(Section(one, f"{self.name}: EI") for one in pair))
        if self.inertia_per_length is not None:
            put(
                self, "inertia_per_length", section_inertia(self.inertia_per_length, f"{self.name}: inertia_per_length")
            )
        put(self, "shape", as_placed(self.shape, self.name))
        settle_words(self)

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.check():
            return ()
        y, z, _, torsion = self.modes.counts()
        counts = (("bending_y", y), ("bending_z", z), ("axial", self.shape_functions.axial.count), ("torsion", torsion))
        return tuple(f"{what}[{i}]" for what, count in counts for i in range(count))

    @cached_property
    def paths(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.tip_rotation != "integrated" or self.fidelity == "ruthless" or not self.internal:
            return ()
        return tuple(name for name in self.frame_names() if not self.can_be_held(name))

    @cached_property
    def mass(self) -> float:
        """Of the whole beam [kg]."""
        f, m = self.mass_per_length.fractions, self.mass_per_length.values
        return self.length * float(m[0] if len(m) == 1 else np.sum(np.diff(f) * 0.5 * (m[1:] + m[:-1])))

    def unstiffened(self) -> Beam:
        return self if self.fidelity == "ruthless" else replace(self, fidelity="inconsistent")

    @property
    def start(self) -> float:
        """x of the root in the body frame [m]."""
        return -0.5 * self.length if self.basis == "free-free" else 0.0

    def _fraction(self, name: str) -> float:
        known = {"root": 0.0, "tip": 1.0, "origin": 0.5 if self.basis == "free-free" else 0.0} | self.frames
        if name in known:
            return known[name]
        try:
            fraction = float(name) / self.length
        except (ValueError, ZeroDivisionError):
            raise self.unknown_frame(name) from None
        if not 0.0 <= fraction <= 1.0 + 1e-12:
            raise self.unknown_frame(name)
        return min(fraction, 1.0)

    def has_frame(self, name: str) -> bool:
        try:
            self._fraction(name)
        except ModelError:
            return False
        return True

    def load_points(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Points of Gauss that are exact for products of two shapes."""
        shapes = self.shape_functions
        points = max(2, shapes.points(bending=2), shapes.points(bending=1, axial=1))
        x, weights = gauss(shapes.edges - self.start, points)
        return tuple(str(one) for one in x.tolist()), weights

    def frame(self, name: str) -> Pose:
        return Pose((self.start + self._fraction(name) * self.length, 0.0, 0.0))

    def can_be_held(self, name: str) -> bool:
        return float(self.frame(name).position[0]) == 0.0

    def check(self) -> list[Problem]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        problems += number_problems(self.length, address, "length [m]", above=0.0)
        for what in ("mass_per_length", "EA", "GJ"):
            problems += getattr(self, what).problems(address, what)
        for i, one in enumerate(self.EI):
            problems += one.problems(address, f"EI[{i}]")
        if self.inertia_per_length is not None:
            problems += inertia_problems(self.inertia_per_length, address)
        for what, value, allowed in (
            ("basis", self.basis, BASES),
            ("fidelity", self.fidelity, FIDELITIES),
            ("axial", self.axial, AXIAL),
            ("tip_rotation", self.tip_rotation, tuple(ROTATIONS)),
        ):
            if value not in allowed:
                problems.append(Problem(address, f'{what} is "{value}"; allowed are {", ".join(allowed)}', what))
        if self.basis in BASES:
            problems += self._mode_problems(address)
        problems += self.damping_problems(address)
        if self.tip_mass is not None:
            problems += number_problems(self.tip_mass, address, "tip_mass [kg]", least=0.0)
        problems += self.fraction_problems(address)
        return problems + ([] if self.shape is None else shape_problems(self.shape, self))

    def _mode_problems(self, address: str) -> list[Problem]:
        problems = []
        for what, count in zip(DIRECTIONS, self.modes.counts(), strict=True):
            most = MOST[self.basis]
            if not isinstance(count, int) or not 0 <= count <= most:
                problems.append(
                    Problem(
                        address,
                        f'modes: {what} is {count}; the basis "{self.basis}" gives 0 to {most}',
                        f"modes.{what}",
                    )
                )
            elif self.basis == "finite-element" and what.startswith("bending") and count % 2:
                problems.append(
                    Problem(
                        address,
                        f"modes: {what} is {count}; finite elements have two functions a node, give an even number",
                        f"modes.{what}",
                    )
                )
        return problems

    @cached_property
    def shape_functions(self) -> BeamShapes:
        y, z, axial, torsion = self.modes.counts()
        L, basis = self.length, self.basis
        mass = float(np.mean(self.mass_per_length(np.linspace(0, 1, 201)))) * L
        ratio = 0.0 if self.tip_mass is None else self.tip_mass / mass
        bending = family(basis, "bending", y, L, self.EI[0], ratio), family(basis, "bending", z, L, self.EI[1], ratio)
        stretch = family(basis, "axial", axial, L, self.EA, 0.0)
        if self.axial == "dual" and self.fidelity == "exact":
            stretch = dual(bending, stretch, self.start, L)
        return BeamShapes(self.start, L, bending, stretch, family(basis, "torsion", torsion, L, self.GJ, 0.0))

    def shapes(self, x: np.ndarray, derivative: int = 0) -> Shapes:
        """Derivatives of the shapes of all coordinates at points x of the body frame [m]."""
        return self.shape_functions.at(x, derivative)

    @cached_property
    def _evenly(self) -> tuple[Shapes, Shapes, Shapes]:
        """Shapes and their first and second derivatives at the points that are taken where none are asked for."""
        x = self._stations(None)
        return self.shapes(x), self.shapes(x, 1), self.shapes(x, 2)

    @cached_property
    def tables(self) -> BeamParts:
        return BeamParts(self, self.shape_functions)

    @property
    def slices(self) -> tuple[Slice, ...]:
        """Where the mass is taken to be, and sections without mass that hold their inertia about their centres."""
        return self.tables.slices

    @property
    def stiffness(self) -> np.ndarray:
        """Stiffness of the internal coordinates (n, n): int EA u'u' + EI_a v''v'' + EI_b w''w'' + GJ phi'phi' dx."""
        return self.tables.stiffness

    @property
    def mass_matrix(self) -> np.ndarray:
        """Mass matrix of the internal coordinates of the undeformed beam, its frame held (n, n)."""
        return self.tables.mass_matrix

    def clamped_frequencies(self) -> np.ndarray:
        return natural_frequencies(self.mass_matrix, self.stiffness)

    def data(self, held: Pose) -> BodyData:
        key = held.position.tobytes() + held.rotation.tobytes()
        if key not in self._data:
            self._data[key] = self.tables.lumped().data(held)
        return self._data[key]

    @cached_property
    def _data(self) -> dict[bytes, BodyData]:
        """By the frame that the joint holds: checks and the compiler both ask for it."""
        return {}

    def marker(self, name: str, held: Pose) -> MarkerData:
        pose = self.frame(name)
        station = self.tables.stations(pose.position[:1])[0]
        path = self.paths.index(name) if name in self.paths else -1
        return MarkerData(held.inverse() @ pose, replace(station, path=path).numbers(held))

    def rail(self, held: Pose) -> RailData:
        if not self.internal:
            return RailData(self.start, self.start + self.length)
        if self.tip_rotation != "exponential" or self.fidelity == "ruthless":
            given = f'fidelity "{self.fidelity}" and tip_rotation "{self.tip_rotation}"'
            raise ModelError.at(
                self.name, f'a Rail takes a beam whose sections turn by tip_rotation="exponential"; this has {given}'
            )
        return self._rail

    @cached_property
    def _rail(self) -> RailData:
        return beam_rail(self.tables)

    def _stations(self, x: ArrayLike | None) -> np.ndarray:
        """Points in the body frame [m]: those asked for, or 21 from root to tip."""
        if x is None:
            return np.linspace(self.start, self.start + self.length, 21)
        points = np.atleast_1d(as_array(x, f"{self.name}: x"))
        low, high, slack = self.start, self.start + self.length, 1e-9 * self.length
        if points.ndim != 1 or not np.all((points >= low - slack) & (points <= high + slack)):
            raise ModelError.at(f"{self.name}: x", f"got {shown(x)}; give places from {low:g} to {high:g} m")
        return np.clip(points, low, high)

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the axis, foreshortening included: sum psi_k e_k + x 1/2 e^T chi e."""
        if not self.internal:
            raise self.undeformable()
        points = self._stations(x)
        here = self.shapes(points)
        out = np.stack([e @ here.u, e @ here.v, e @ here.w], axis=-1)
        for i, station in enumerate(self.tables.stations(points)):
            out[:, i, 0] += 0.5 * np.einsum("tk,kl,tl->t", e, station.chi, e)
        return points, out

    def excesses(self, e: np.ndarray) -> list[Excess]:
        """Slopes of the axis; strains of it, and of points as far from it as the section's radius of gyration."""
        if not self.internal:
            return []
        first, f = self._evenly[1], np.linspace(0.0, 1.0, len(self._stations(None)))
        partials = np.hypot(e @ first.v, e @ first.w)
        found = self.strain(e)[1]
        across = [np.sqrt(one(f) / self.EA(f)) for one in (self.EI[1], self.EI[0])]
        strains = [found["axial"][0], found["kappa_y"][0] * across[0], found["kappa_z"][0] * across[1]]
        strains.append(found["twist"][0] * np.hypot(*across))
        exact = self.fidelity == "exact"
        remedy = DIVIDE if exact else f'give fidelity="exact", which holds up to {SLOPE:g} rad; or {DIVIDE}'
        why = f'with fidelity "{self.fidelity}"'
        return [slope_excess(partials, exact, why, remedy), strain_excess(np.concatenate(strains, axis=1))]

    def strain(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, Strains]:
        """Strains of the axis and the internal forces of an elastic section, those on the face towards the tip.

        axial = u' (and 1/2 (v'^2 + w'^2) where bending does not shorten the beam by itself), kappa_y = -w'',
        kappa_z = v'', twist = phi';  force = EA axial, moment_y = EI_b kappa_y, moment_z = EI_a kappa_z,
        torque = GJ twist. With fidelity "exact" the curvatures are about the twisted section's own axes.
        A beam without axial coordinates does not stretch: its axial force is then not in its strain.
        """
        if not self.internal:
            raise self.undeformable()
        points = self._stations(x)
        f = (points - self.start) / self.length
        here, first, second = self._evenly if x is None else (self.shapes(points, k) for k in range(3))
        axial, twist = e @ first.u, e @ first.twist
        if self.fidelity == "exact" and self.axial != "auto":
            axial = axial + 0.5 * ((e @ first.v) ** 2 + (e @ first.w) ** 2)
        about_y, about_z = -(e @ second.w), e @ second.v
        if self.fidelity == "exact":
            about_y, about_z = about_own_axes(e @ here.twist, about_y, about_z)
        stiffness = self.EA(f), self.EI[0](f), self.EI[1](f), self.GJ(f)
        return points, section_strains(axial, twist, about_y, about_z, stiffness)

    @cached_property
    def _bones(self) -> np.ndarray:
        """Fractions of the length at which bones are."""
        return stations_of([self._fraction(name) for name in self.frame_names()])

    @property
    def likeness(self) -> str:  # type: ignore[override]
        return "own" if self.shape is None or self.shape.shape.kind != "looks" else "mesh"

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """Its shape; without one a tube with the half axes of the solid elliptic section that has its EA and EI."""
        f = self._bones
        if self.shape is not None:
            return skin(self, self.shape, self.start + f * self.length, size)
        radii = section_radii(self.EA(f), (self.EI[0](f), self.EI[1](f)), self.length)
        return [bending_tube(self.start + f * self.length, radii)]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Bones at sections along the beam, displaced as `deflection` says and turned as markers there are."""
        x = self.start + self._bones * self.length
        displaced, quaternions = self.tables.moved(e, x)
        poses = np.concatenate([displaced, quaternions], axis=-1)
        poses[..., 0] += x
        bones = {name: int(np.argmin(np.abs(self._bones - self._fraction(name)))) for name in self.frame_names()}
        for name, quaternion in (turned or {}).items():
            poses[:, bones[name], 3:] = quaternion
        places = np.zeros((len(x), 3))
        places[:, 0] = x
        return attached(places, poses, bones)

    def in_place_of(self, body: Body, used: tuple[str, ...], along: tuple[str, str] | None = None) -> tuple[Body, Pose]:
        problems = replace(self, name=body.name).check()
        if problems:
            raise ModelError(problems)
        root = Pose() if along is None else root_between(body, along, self.length)
        own = {name: self._fraction(name) for name in self.frame_names()}
        frames = self.frames | fractions(body, root, self.length, own, used, along)
        place = root @ Pose((-self.start, 0.0, 0.0))
        shape = carried_over(body, place) if self.shape is None else self.shape
        return replace(self, name=body.name, frames=frames, shape=shape), place

    def __repr__(self) -> str:
        return f'Beam("{self.name}", length={self.length:g}, {len(self.internal)} coordinates, {self.fidelity})'


SLACK = 1e-6
"""How far off a frame may lie, as a fraction of the length."""


def root_between(body: Body, along: tuple[str, str], length: float) -> Pose:
    """Pose in the body's axes of a root at its first frame, with x towards the second; y and z by the shortest turn."""
    try:
        first, last = along
    except (TypeError, ValueError):
        raise ModelError.at(f"{body.name}: along", f"got {shown(along)}; give two frames of the body") from None
    start = body.frame(first).position
    way = body.frame(last).position - start
    distance = float(np.linalg.norm(way))
    if abs(distance - length) > SLACK * length:
        apart = f'"{first}" and "{last}" are {distance:g} m apart'
        raise ModelError.at(f"{body.name}: along", f"{apart}, the flexible body is {length:g} m long")
    x, y, z = way / distance
    if x < -1.0 + 1e-12:
        return Pose(start, np.diag([-1.0, -1.0, 1.0]))
    # R = 1 + w~ + w~^2 / (1 + c), with w = e_x cross (x, y, z) and c = x
    w = np.array([[0.0, -y, -z], [y, 0.0, 0.0], [z, 0.0, 0.0]])
    return Pose(start, np.eye(3) + w + w @ w / (1.0 + x))


def fractions(
    body: Body,
    root: Pose,
    length: float,
    own: dict[str, float],
    used: tuple[str, ...],
    along: tuple[str, str] | None = None,
) -> dict[str, float]:
    """Fractions of the length at which the body's frames lie on its x axis from `root`, those in `own` left out.

    A frame among those used that does not lie there, or not where `own` has it, is an error, which says how to lay the
    flexible body through it.
    """
    found, problems = {}, []
    way = _way_out(body, length, used, along)
    for name in body.frame_names():
        x, y, z = (root.inverse() @ body.frame(name)).position
        fraction = min(max(float(x) / length, 0.0), 1.0)
        if np.hypot(y, z) > SLACK * length:
            why = f"is {np.hypot(y, z):g} m off the axis of the flexible body; {way}"
        elif abs(x - fraction * length) > SLACK * length:
            why = f"is {x:g} m along the flexible body, which is {length:g} m long; {way}"
        elif name in own and abs(fraction - own[name]) > SLACK:
            why = f'is at {fraction:g} of the length, the flexible body\'s own "{name}" at {own[name]:g}; rename one'
        else:
            if name not in own:
                found[name] = fraction
            continue
        if name in used:
            problems.append(Problem(f"{body.name}.{name}", f"something holds on to this frame, which {why}"))
    if problems:
        raise ModelError(problems)
    return found


def _way_out(body: Body, length: float, used: tuple[str, ...], along: tuple[str, str] | None) -> str:
    """Between which frames the flexible body would meet all those that are used; or what else there is to do."""
    apart = "put what holds on to it on a rigid body of its own, welded to a frame on the axis"
    if along is not None:
        return apart
    places = {name: body.frame(name).position for name in body.frame_names()}
    for first, start in places.items():
        for last, end in places.items():
            if first == last or abs(np.linalg.norm(end - start) - length) > SLACK * length:
                continue
            x = (end - start) / length
            arms = [places[name] - start for name in used]
            if all(
                np.linalg.norm(arm - (arm @ x) * x) <= SLACK * length and -SLACK <= arm @ x / length <= 1.0 + SLACK
                for arm in arms
            ):
                return f'it lies along x from the origin by default: give along=("{first}", "{last}")'
    return f"give along=(from, to), two frames {length:g} m apart between which it lies; or {apart}"
