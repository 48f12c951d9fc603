"""`Cable`: a line that bends and stretches as far as it likes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....basics import quaternions as Q
from ....basics.arguments import checked
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.types import VectorLike
from ....basics.value_types import Text, ValueType
from ....basics.values import as_array, as_number, as_vector, name_problems, number_problems, shown
from ...shapes.cable_segments import LineSurface
from ..appearance.bones import SLENDEREST, THICKEST, Skeleton, Surface, attached, bending_tube
from ..body import BodyData, MarkerData
from ..floating_frame.cross_section import DAMPING
from ..floating_frame.quadrature import gauss
from ..floating_frame.validity_limits import STRAIN
from .cable_tables import HELD, Chain, curvature, hermite
from .line_body import LineBody


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Cable(LineBody):
    """A cable, strip or string along its x: a line that bends and stretches without limit, and has no twist.

    Its coordinates are places and gradients of nodes (absolute nodal coordinates, Gerstmayr & Shabana 2006), displaced
    from the line without deformation, in the axes of what it is welded to; bending is by the true curvature and
    stretching by the true length (Gerstmayr & Irschik 2008). Its frames follow the line: their x is along it, and they
    are turned the shortest way from where they were without deformation.

    length             without deformation [m]
    mass_per_length    [kg/m]
    EA                 stiffness to stretching [N]
    EI                 stiffness to bending, the same all around [N m^2]; 0 for a string
    elements           how many, each with a node at its end
    damping            of Kelvin and Voigt: the time constant c of EA (eps + c eps') and EI (kappa + c kappa') [s]; a
                       pair for the two
    pretension         tension without deformation [N]
    radius             that it is drawn with, and that contacts along it have [m]; None for one that can be seen
    root               what holds its first node: "clamped" (place and direction), "pinned" (place), or "free": then the
                       cable flies, and its coordinates are in the axes of what it is welded to
    rest_curvature     of the line without deformation, towards y [1/m]
    wavelength         the shortest wave that it shall carry, with 1 % of its frequency [m]; too few elements for it are
                       refused, with how many it takes
    sharpest           the largest curvature that is expected [1/m], the same
    frames             names and fractions of the length; "origin", "root", "tip", nodes such as "node[3]" and numbers,
                       the place along it [m], such as "1.25", exist; "place[3]" is a node whose axes do not turn
    """

    damped_by_rates: ClassVar[bool] = True
    kind: ClassVar[str] = "cable"
    called: ClassVar[str] = "cable"
    has_tension: ClassVar[bool] = True
    name: str
    length: float
    mass_per_length: float
    EA: float
    EI: float
    elements: int = 20
    damping: Any = 0.0
    pretension: float = 0.0
    radius: float | None = None
    root: str = "clamped"
    rest_curvature: float = 0.0
    frames: dict[str, float] = None  # type: ignore[assignment]
    wavelength: float | None = None
    sharpest: float | None = None
    optional_fields: ClassVar[tuple[str, ...]] = ("wavelength", "sharpest")
    field_types: ClassVar[Mapping[str, ValueType]] = {"damping": DAMPING, "root": Text(tuple(HELD))}
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            name: str,
            length: float,
            mass_per_length: float,
            EA: float,
            EI: float,
            elements: int = 20,
            damping: float | tuple[float, float] = 0.0,
            pretension: float = 0.0,
            radius: float | None = None,
            root: str = "clamped",
            rest_curvature: float = 0.0,
            frames: Mapping[str, float] | None = None,
            wavelength: float | None = None,
            sharpest: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        for what in ("length", "mass_per_length", "EA", "EI", "pretension", "rest_curvature"):
            put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        self._settle()

    # ------------------------------------------------------------------ what is wrong with it

    def check(self) -> list[Problem]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        for what, unit in (("length", "m"), ("mass_per_length", "kg/m"), ("EA", "N")):
            problems += number_problems(getattr(self, what), address, f"{what} [{unit}]", above=0.0)
        problems += number_problems(self.EI, address, "EI [N m^2]", least=0.0)
        problems += number_problems(self.pretension, address, "pretension [N]")
        problems += number_problems(self.rest_curvature, address, "rest_curvature [1/m]")
        problems += self._line_problems(address)
        return problems + (self._bending_problems(address) if not problems else [])

    def _bending_problems(self, address: str) -> list[Problem]:
        """What takes stiffness to bending that is not there, or elements that are too long.

        Cubic functions make the frequency of a bending wave of wave number k too high by (k l)^4 / 1440 of itself
        (Strang & Fix 1973, section 6.3: twice that of its square); of waves of tension they are better.
        """
        problems = []
        if self.EI == 0.0:
            words = ""
            if self.rest_curvature != 0.0:
                words = "has a rest_curvature, but EI 0 does not keep it; give EI [N m^2] above 0"
            elif self.pretension < 0.0:
                words = f"is under pressure ({self.pretension:g} N) and EI 0 does not keep it straight"
                words += "; give EI [N m^2] above 0, or a pretension of 0 or more"
            elif self.root == "clamped":
                words = 'has a clamped root, but EI 0 resists no direction; give EI [N m^2] above 0, or root="pinned"'
            problems += [Problem(address, words)] if words else []
        return problems + self._length_problems(address, self.rest_curvature, WAVE)

    # ------------------------------------------------------------------ the line

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.check():
            return ()
        words = [f"{one}[{k}]" for k in range(self.elements + 1) for one in ("x", "y", "z", "dx", "dy", "dz")]
        return tuple(np.array(words)[self._chain.free.ravel()].tolist())

    @cached_property
    def _chain(self) -> Chain:
        s = np.linspace(0.0, self.length, self.elements + 1)
        k = self.rest_curvature
        place, along = np.zeros((2, len(s), 3))
        place[:, 0] = s * np.sinc(k * s / np.pi)
        place[:, 1] = s * 0.5 * k * s * np.sinc(0.5 * k * s / np.pi) ** 2
        along[:, 0], along[:, 1] = np.cos(k * s), np.sin(k * s)
        vectors = np.stack([place, along], axis=1).reshape(-1, 3)
        damping = (self.damping, self.damping) if isinstance(self.damping, float) else tuple(self.damping)
        stiffness = (self.EA, self.EI)
        part = self.length / self.elements
        bends = k != 0.0
        return Chain(vectors, part, self.mass_per_length, stiffness, damping, self.pretension, self.root, bends)

    @property
    def nodal(self) -> Chain:
        """Its matrices."""
        return self._chain

    @property
    def mass(self) -> float:
        """[kg]"""
        return self.mass_per_length * self.length

    def clamped_frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency [rad/s]."""
        return self._chain.frequencies()

    def _matrices(self, held: Pose) -> BodyData:
        return self._chain.data(held)

    # ------------------------------------------------------------------ frames

    def _place(self, name: str) -> float | None:
        """As of every line; a place, whose axes do not turn, is where the node of its number is."""
        return super()._place(f"node{name.removeprefix('place')}" if name.startswith("place[") else name)

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        s = self._place(name)
        if s is None:
            raise self.unknown_frame(name)
        angle = self.rest_curvature * s
        c, d = np.cos(angle), np.sin(angle)
        return Pose(self._chain.station(s)[0].position, rotation=np.array([[c, -d, 0.0], [d, c, 0.0], [0.0, 0.0, 1.0]]))

    def node_places(self) -> np.ndarray:
        return np.array([self.frame(f"place[{k}]").position for k in range(self.elements + 1)])

    def marker(self, name: str, held: Pose) -> MarkerData:
        R = held.rotation
        if name == "origin":
            none = np.zeros((0, 3))
            x = np.array([1.0, 0.0, 0.0])
            numbers = np.concatenate([R.T @ -held.position, [0.0], none.ravel(), x @ R, x @ R])
            return MarkerData(held.inverse() @ Pose(), numbers)
        station, slope = self._chain.station(float(self._place(name) or 0.0))
        direction = slope / np.linalg.norm(slope)
        if name.startswith("place["):
            station = station._replace(theta=0.0 * station.theta)
        numbers = np.concatenate([station.numbers(held), direction @ R, slope @ R])
        return MarkerData(held.inverse() @ self.frame(name), numbers)

    def load_points(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Three points of Gauss in each element: exact for the product of its functions and the slope of its line."""
        x, weights = gauss(np.linspace(0.0, self.length, self.elements + 1), 3)
        return tuple(str(one) for one in x.tolist()), weights

    def laid(self, curve: Callable[[float], ArrayLike]) -> dict[str, float]:
        """Coordinates by name, for ``model.state(q=...)``, that lay its nodes on a curve.

        curve    place for a place s along the cable [m], in the axes that it is held in; |curve'(s)| is its stretch.
                 It must begin as the root holds it. Gradients are differences over 1e-4 of an element
        """
        chain, s = self._chain, np.linspace(0.0, self.length, self.elements + 1)
        step = 1e-4 * chain.length
        ends = [(max(x - step, 0.0), min(x + step, self.length)) for x in s]
        place = np.array([as_array(curve(float(x)), f"{self.name}: curve") for x in s])
        along = [(np.asarray(curve(float(b))) - np.asarray(curve(float(a)))) / (b - a) for a, b in ends]
        if place.shape != (len(s), 3):
            raise ModelError.at(f"{self.name}: curve", f"gave {shown(place[0])}; give three numbers for a place s [m]")
        moved = (np.stack([place, np.array(along)], axis=1).reshape(-1, 3) - chain.nodes).ravel()
        held = ~chain.free.ravel()
        if np.max(np.abs(moved[held]), initial=0.0) > 1e-3:
            words = f"its root is {self.root} at {shown(chain.nodes[0])}, along x where it is clamped"
            raise ModelError.at(f"{self.name}: curve", f"begins at {shown(place[0])}, and {words}")
        return {f"{self.name}.{name}": float(x) for name, x in zip(self.internal, moved[~held], strict=True)}

    def taut(self, end: VectorLike, most: float = STRAIN) -> dict[str, float]:
        """Coordinates by name, for ``model.state(q=...)``, that stretch it straight from its root to a place.

        end     where its tip is, in the axes that it is held in [m]
        most    largest strain that is meant; a cable too short for that, and one that would be slack, is refused
        """
        place, most = as_vector(end, f"{self.name}: end"), as_number(most, f"{self.name}: most")
        span = float(np.linalg.norm(place))
        strain = span / self.length - 1.0
        stated = f"its ends are to be {span:g} m apart and it is {self.length:g} m long"
        if strain < -1e-12:
            words = f"give {span:g} m of cable, or lay it on a curve with laid(...)"
            raise ModelError.at(str(self.name), f"{stated}: it would be slack; {words}")
        if strain > most:
            words = f"a strain of {strain:.3g} and a tension of {self.EA * strain + self.pretension:.3g} N"
            remedy = f"give a length of {span / (1.0 + most):.4g} m or more, or most={strain:.2g} if that is meant"
            raise ModelError.at(str(self.name), f"{stated}: that takes {words}, and {most:g} is the most; {remedy}")
        return self.laid(lambda s: s / self.length * place)

    # ------------------------------------------------------------------ contact

    @property
    def regions(self) -> dict[str, tuple[int, ...]]:
        """Surfaces that it has: one."""
        return {LineSurface.name: ()}

    def surface(self, name: str = LineSurface.name) -> LineSurface:
        """Its surface, for `System.collide` and `System.contact`: a capsule of its radius along each element."""
        if name != LineSurface.name:
            raise ModelError.at(str(self.name), f'has no surface {shown(name)}; its only one is "{LineSurface.name}"')
        if self.radius is None:
            raise ModelError.at(str(self.name), "shall touch and has no radius; give radius= [m]")
        return LineSurface(str(self.name), self.radius, self.length, self.elements)

    # ------------------------------------------------------------------ results

    def along(self, e: np.ndarray, x: np.ndarray, derivative: int = 0, whole: bool = True) -> np.ndarray:
        """The line, or a derivative of it along s, at places x (m,) for coordinates e (nt, n): (nt, m, 3), body axes.

        whole    False leaves out the line without deformation, for rates
        """
        chain = self._chain
        full = np.zeros((len(e), chain.free.size))
        full[:, chain.free.ravel()] = e
        vectors = full.reshape(len(e), -1, 3) + (chain.nodes if whole else 0.0)
        k = np.minimum((x / chain.length).astype(int), self.elements - 1)
        S = hermite(x / chain.length - k, chain.length, derivative)
        return np.einsum("ma,tmac->tmc", S, vectors[:, 2 * k[:, None] + np.arange(4)])

    def deflection(self, e: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the line from where it is without deformation."""
        points = self._stations(x)
        return points, self.along(e, points, whole=False)

    def strain(
        self, e: np.ndarray, x: ArrayLike | None = None
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str, str]]]:
        """Stretch and curvature, and force and moment of an elastic section: EA axial + pretension, EI curvature.

        axial = |r'| - 1, as `_stretch` has it, curvature = |r' x r''| / |r'|^2 less the rest curvature.
        """
        points = self._stations(x)
        slope, second = (self.along(e, points, k) for k in (1, 2))
        axial = self._stretch(e, points)
        kappa = curvature(slope, second) - abs(self.rest_curvature)
        return points, {
            "axial": (axial, "", "stretch of the line"),
            "curvature": (kappa, "1/m", "curvature of the line, less that at rest"),
            "force": (self.EA * axial + self.pretension, "N", "force along the line"),
            "moment": (self.EI * kappa, "N m", "bending moment"),
        }

    def tension(self, e: np.ndarray, rate: np.ndarray, x: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Force along the line with that of damping, N = EA (eps + c eps') + pretension, (nt, m) [N]."""
        points = self._stations(x)
        stretch = self._stretch(e, points) + np.atleast_1d(self.damping)[0] * self._stretch(e, points, rate)
        return points, self.EA * stretch + self.pretension

    def _stretch(self, e: np.ndarray, points: np.ndarray, rate: np.ndarray | None = None) -> np.ndarray:
        """Stretch of the line at places (nt, m), or its rate: straight through its values at the two points of Gauss of
        an element, where it is taken (`chain.stretch_rule`). Between these a limp cable has next to no stiffness
        against a stretch as 1 - 6 s + 6 s^2, so that |r'| - 1 itself is no tension anywhere else."""
        part = self.length / self.elements
        k = np.minimum((points / part).astype(int), self.elements - 1)
        at = 0.5 * (1.0 + np.array([-1.0, 1.0]) / np.sqrt(3.0))
        values = []
        for one in at:
            slope = self.along(e, (k + one) * part, 1)
            g = np.linalg.norm(slope, axis=-1)
            if rate is None:
                values.append(g - 1.0)
            else:
                values.append(np.sum(slope * self.along(rate, (k + one) * part, 1, whole=False), axis=-1) / g)
        share = (points / part - k - at[0]) / (at[1] - at[0])
        return (1.0 - share) * values[0] + share * values[1]

    # ------------------------------------------------------------------ looks

    def _drawn_radius(self) -> float:
        """Its radius, or that of a round section with its EA and EI, within what can be drawn [m]."""
        if self.radius is not None:
            return self.radius
        return float(np.clip(2.0 * np.sqrt(self.EI / self.EA), SLENDEREST * self.length, THICKEST * self.length))

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """A tube with the radius that it is drawn with."""
        radius, s = self._drawn_radius(), self._bones
        flat = bending_tube(s, np.full((len(s), 2), radius))
        k = flat.bones[:, 0] - 1
        rest, angle = self.along(np.zeros((1, len(self.internal))), s)[0][k], self.rest_curvature * s[k]
        vertices = rest + np.stack(
            [-np.sin(angle) * flat.vertices[:, 1], np.cos(angle) * flat.vertices[:, 1], flat.vertices[:, 2]], axis=1
        )
        return [Surface(vertices, flat.faces, flat.bones, flat.weights)]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Bones along the line, turned as markers there are."""
        s = self._bones
        still = np.zeros((1, len(self.internal)))
        rest, before = (self.along(still, s, k)[0] for k in (0, 1))
        place, slope = (self.along(e, s, k) for k in (0, 1))
        t0 = before / np.linalg.norm(before, axis=-1, keepdims=True)
        t = slope / np.linalg.norm(slope, axis=-1, keepdims=True)
        half = np.concatenate([1.0 + np.sum(t0 * t, axis=-1, keepdims=True), np.cross(t0, t)], axis=-1)
        poses = np.concatenate([place, Q.normalised(half)], axis=-1)
        return attached(rest, poses, self._bone_frames())

    def __repr__(self) -> str:
        return f'Cable("{self.name}", length={self.length:g}, {self.elements} elements, {self.root})'


WAVE = (1440.0 * 0.01) ** 0.25
"""Wave number times the length of an element, at most: 1 % of the frequency."""
