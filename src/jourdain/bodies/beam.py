"""Slender elastic beams in a floating frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import ModelError, Problem
from ..pose import Pose
from ..values import (
    as_array,
    as_number,
    expect_keys,
    expect_text,
    name_problems,
    number_problems,
    readonly,
    shown,
)
from .base import Body, BodyData, MarkerData
from .basis import BASES, MOST, Family, family
from .placing import fractions, root_between
from .sliced import Slice, Sliced, Station

FIDELITIES = ("ruthless", "inconsistent", "consistent", "exact")
AXIAL = ("auto", "dual", "modes")
ROTATIONS = {"exponential": 0, "none": 1, "linear": 2, "euler-321": 3, "euler-123": 4}

TWIST = {
    "exponential": (0.5, 0.5),
    "none": (0.0, 0.0),
    "linear": (0.5, 0.5),
    "euler-321": (1.0, 0.0),
    "euler-123": (0.0, 1.0),
}
"""Elastic twist phi' + p w' v'' - q v' w'' of a section turned by each scheme, to second order."""


@dataclass(frozen=True)
class Modes:
    """How many shape functions a beam has in each direction.

    bending       in each of the two planes, or set apart by
    bending_y     deflection along y
    bending_z     deflection along z
    axial         stretch
    torsion       twist
    """

    bending: int | None = None
    bending_y: int | None = None
    bending_z: int | None = None
    axial: int = 0
    torsion: int = 0

    def counts(self) -> tuple[int, int, int, int]:
        """bending_y, bending_z, axial, torsion."""
        both = 0 if self.bending is None else self.bending
        y = both if self.bending_y is None else self.bending_y
        z = both if self.bending_z is None else self.bending_z
        return y, z, self.axial, self.torsion


class Section:
    """A property along the beam: a number, or (fractions of the length, values) with straight lines between."""

    def __init__(self, value: Any, what: str) -> None:
        if isinstance(value, Section):
            self.fractions, self.values = value.fractions, value.values
            return
        if np.ndim(value) == 0:
            self.fractions, self.values = readonly([0.0]), readonly([as_number(value, what)])
            return
        table = as_array(value, what)
        if table.ndim != 2 or len(table) != 2:
            raise ModelError.at(what, f"got {shown(value)}; give a number, or (fractions of the length, values)")
        self.fractions, self.values = readonly(table[0]), readonly(table[1])

    def __call__(self, fraction: np.ndarray) -> np.ndarray:
        return np.interp(fraction, self.fractions, self.values)

    def problems(self, address: str, what: str) -> list[Problem]:
        """Not positive, not a number, fractions out of order."""
        if not np.all(np.isfinite(self.values)) or np.any(self.values <= 0.0):
            return [Problem(address, f"{what} is {shown(self.plain())}; give numbers above zero")]
        f = self.fractions
        if len(f) > 1 and (f[0] != 0.0 or f[-1] != 1.0 or not np.all(np.diff(f) > 0.0)):
            return [Problem(address, f"{what} is given at fractions {shown(f.tolist())}; they must rise from 0 to 1")]
        return []

    def plain(self) -> Any:
        """As numbers and lists."""
        if len(self.values) == 1:
            return float(self.values[0])
        return [self.fractions.tolist(), self.values.tolist()]


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shape functions of all n coordinates at points along a beam: (n, points) each; zero where not theirs."""

    u: np.ndarray
    v: np.ndarray
    w: np.ndarray
    twist: np.ndarray


@dataclass(frozen=True, eq=False)
class Beam(Body):
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
                         "dual": the axial functions that bending needs as coordinates; "modes": rod modes only
    tip_rotation         "exponential", "none", "linear", "euler-321", "euler-123"
    damping              modal damping ratio, or Rayleigh's (alpha [1/s], beta [s])
    inertia_per_length   about x [kg m]; None for a homogeneous section, mass_per_length (a + b) / EA
    rotary_inertia       whether sections resist turning about y and z, as those of a homogeneous beam do
    tip_mass             [kg], only shapes a clamped-free basis and adds no mass
    frames               names and fractions of the length; "origin", "root" and "tip" exist

    mass_per_length, EA, EI and GJ may vary along the beam: (fractions of the length, values).
    """

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

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "length", as_number(self.length, f"{self.name}: length"))
        for what in ("mass_per_length", "EA", "GJ"):
            put(self, what, Section(getattr(self, what), f"{self.name}: {what}"))
        pair = self.EI if isinstance(self.EI, tuple | list) and len(self.EI) == 2 else (self.EI, self.EI)
        put(self, "EI", tuple(Section(one, f"{self.name}: EI") for one in pair))
        if self.inertia_per_length is not None:
            put(self, "inertia_per_length", Section(self.inertia_per_length, f"{self.name}: inertia_per_length"))
        if not isinstance(self.modes, Modes):
            raise ModelError.at(f"{self.name}: modes", f"got {shown(self.modes)}; give jd.Modes(bending=2, torsion=1)")
        if np.ndim(self.damping) == 0:
            put(self, "damping", as_number(self.damping, f"{self.name}: damping"))
        else:
            put(self, "damping", tuple(as_array(self.damping, f"{self.name}: damping").tolist()))
        frames = {} if self.frames is None else self.frames
        if not isinstance(frames, Mapping):
            raise ModelError.at(f"{self.name}: frames", f"got {shown(frames)}; give names and fractions of the length")
        put(self, "frames", {k: as_number(f, f"{self.name}.{k}") for k, f in frames.items()})

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.check():
            return ()
        y, z, _, torsion = self.modes.counts()
        counts = (("bending_y", y), ("bending_z", z), ("axial", self._families[2].count), ("torsion", torsion))
        return tuple(f"{what}[{i}]" for what, count in counts for i in range(count))

    @property
    def start(self) -> float:
        """x of the root in the body frame [m]."""
        return -0.5 * self.length if self.basis == "free-free" else 0.0

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", "root", "tip", *(name for name in self.frames if name not in ("origin", "root", "tip")))

    def _fraction(self, name: str) -> float:
        known = {"root": 0.0, "tip": 1.0, "origin": 0.5 if self.basis == "free-free" else 0.0} | self.frames
        if name not in known:
            raise self.unknown_frame(name)
        return known[name]

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
            problems += self.inertia_per_length.problems(address, "inertia_per_length")
        for what, value, allowed in (
            ("basis", self.basis, BASES),
            ("fidelity", self.fidelity, FIDELITIES),
            ("axial", self.axial, AXIAL),
            ("tip_rotation", self.tip_rotation, tuple(ROTATIONS)),
        ):
            if value not in allowed:
                problems.append(Problem(address, f'{what} is "{value}"; allowed are {", ".join(allowed)}'))
        if self.basis in BASES:
            problems += self._mode_problems(address)
        damping = np.atleast_1d(self.damping)
        if not np.all(np.isfinite(damping)) or np.any(damping < 0.0) or len(damping) > 2:
            problems.append(
                Problem(address, f"damping is {shown(self.damping)}; give a ratio, or (alpha, beta), none negative")
            )
        if self.tip_mass is not None:
            problems += number_problems(self.tip_mass, address, "tip_mass [kg]", least=0.0)
        for key, fraction in self.frames.items():
            problems += name_problems(key, f"{address}.{key}", "frame")
            if key in ("origin", "root", "tip"):
                problems.append(Problem(f"{address}.{key}", f'"{key}" is the beam\'s own; choose another name'))
            if not 0.0 <= fraction <= 1.0:
                problems.append(Problem(f"{address}.{key}", f"is at {fraction} of the length; give 0 to 1"))
        return problems

    def _mode_problems(self, address: str) -> list[Problem]:
        problems = []
        names = ("bending_y", "bending_z", "axial", "torsion")
        for what, count in zip(names, self.modes.counts(), strict=True):
            most = MOST[self.basis]
            if not isinstance(count, int) or not 0 <= count <= most:
                problems.append(
                    Problem(address, f'modes: {what} is {count}; the basis "{self.basis}" gives 0 to {most}')
                )
            elif self.basis == "finite-element" and what.startswith("bending") and count % 2:
                problems.append(
                    Problem(
                        address,
                        f"modes: {what} is {count}; finite elements have two functions a node, give an even number",
                    )
                )
        return problems

    @cached_property
    def _families(self) -> tuple[Family, Family, Family, Family]:
        y, z, axial, torsion = self.modes.counts()
        L, basis = self.length, self.basis
        mass = float(np.mean(self.mass_per_length(np.linspace(0, 1, 201)))) * L
        ratio = 0.0 if self.tip_mass is None else self.tip_mass / mass
        bending = [family(basis, "bending", n, L, EI, ratio) for n, EI in zip((y, z), self.EI, strict=True)]
        stretch = family(basis, "axial", axial, L, self.EA, 0.0)
        if self.axial == "dual" and self.fidelity == "exact":
            stretch = self._dual(bending, stretch)
        return bending[0], bending[1], stretch, family(basis, "torsion", torsion, L, self.GJ, 0.0)

    def _dual(self, bending: list[Family], stretch: Family) -> Family:
        """Axial functions that can follow foreshortening, int f_k' f_l' dx, and those asked for, made independent."""
        pairs = [(f, k, m) for f in bending for k in range(f.count) for m in range(k + 1)]
        grid = np.linspace(self.start, self.start + self.length, 4001)
        slopes = [f.at(grid, 1)[k] * f.at(grid, 1)[m] for f, k, m in pairs]
        slopes += list(stretch.at(grid, 1))
        if not slopes:
            return stretch
        step = grid[1] - grid[0]
        table = np.array(slopes)
        left, size, _ = np.linalg.svd(table / np.linalg.norm(table, axis=1)[:, None], full_matrices=False)
        keep = size > 1e-6 * size[0]
        mix = (left[:, keep] / size[keep]).T / np.linalg.norm(table, axis=1)

        def slope(x: np.ndarray) -> np.ndarray:
            rows = [f.at(x, 1)[k] * f.at(x, 1)[m] for f, k, m in pairs] + list(stretch.at(x, 1))
            return mix @ np.array(rows)

        derivative = slope(grid)
        middle = slope(0.5 * (grid[1:] + grid[:-1]))
        values = np.cumsum(step / 6.0 * (derivative[:, 1:] + 4.0 * middle + derivative[:, :-1]), axis=1)
        values = np.concatenate([np.zeros((len(mix), 1)), values], axis=1)
        values -= np.array([np.interp(0.0, grid, row) for row in values])[:, None]
        largest = np.max(np.abs(values), axis=1)[:, None]
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(grid, values / largest, axis=1)
        return Family(len(mix), lambda x, d: spline(x) if d == 0 else slope(x) / largest)

    def shapes(self, x: np.ndarray, derivative: int = 0) -> Shapes:
        """Derivatives of the shapes of all coordinates at points x of the body frame [m]."""
        x = np.atleast_1d(np.asarray(x, float))
        values = [f.at(x, derivative) for f in self._families]
        n, points = sum(len(value) for value in values), len(x)
        parts, at = [], 0
        for value in values:
            whole = np.zeros((n, points))
            whole[at : at + len(value)] = value
            parts.append(whole)
            at += len(value)
        v, w, u, twist = parts
        return Shapes(u, v, w, twist)

    def quadrature(self, points: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Gauss points x in the body frame and weights [m], element by element for a finite-element basis."""
        counts = self.modes.counts()
        elements = 1
        if self.basis == "finite-element":
            elements = max(1, counts[0] // 2, counts[1] // 2, counts[2], counts[3])
        if points is None:
            most = max(counts[0], counts[1])
            # polynomials of degree p = most + 1: shapes times foreshortening, of degree 3 p - 1, are exact
            points = 4 if elements > 1 else max(4, -(-3 * (most + 1) // 2), *((0, counts[2] + 1, counts[3] + 1)))
            if self.basis not in ("polynomial", "finite-element"):
                points = max(6, 2 * max(counts) + 4)
        xi, weight = np.polynomial.legendre.leggauss(points)
        h = self.length / elements
        x = np.concatenate([self.start + h * (j + 0.5 * (xi + 1.0)) for j in range(elements)])
        return x, np.tile(0.5 * h * weight, elements)

    def _fraction_at(self, x: np.ndarray) -> np.ndarray:
        return (x - self.start) / self.length

    @property
    def _foreshortens(self) -> bool:
        return self.fidelity == "exact" and self.axial == "auto"

    def _quadratic(self, x: float) -> tuple[np.ndarray, np.ndarray]:
        """chi and xi at x: what bending does to second order, from the frame's origin to x.

        chi_kl = -int (v_k' v_l' + w_k' w_l') dx. A section turned by exp(phi, -w', v') has the elastic twist
        phi' + 1/2 (w' v'' - v' w'') to second order (3-2-1 angles: phi' + w' v'', 1-2-3: phi' - v' w''), so without
        elastic twist phi = 1/2 e^T xi e = -int (p w' v'' - q v' w'') dx, with (p, q) of the scheme.
        """
        n = len(self.internal)
        if not self._foreshortens or x == 0.0:
            return np.zeros((n, n)), np.zeros((n, n))
        xi, weight = np.polynomial.legendre.leggauss(24)
        pieces = 4 if self.basis != "finite-element" else max(4, len(self.quadrature()[0]))
        edges = np.linspace(0.0, x, pieces + 1)
        h = edges[1] - edges[0]
        points = (edges[:-1, None] + h * 0.5 * (xi + 1.0)).ravel()
        weights = np.tile(0.5 * h * weight, pieces)
        first, second = self.shapes(points, 1), self.shapes(points, 2)
        chi = -(first.v * weights) @ first.v.T - (first.w * weights) @ first.w.T
        p, q = TWIST[self.tip_rotation]
        turn = q * (second.w * weights) @ first.v.T - p * (first.w * weights) @ second.v.T
        return chi, turn + turn.T

    def station(self, x: float) -> Station:
        """How the coordinates move the section at x of the body frame."""
        here, slope = self.shapes(np.array([x])), self.shapes(np.array([x]), 1)
        psi = np.stack([here.u[:, 0], here.v[:, 0], here.w[:, 0]], axis=1)
        theta = np.stack([here.twist[:, 0], -slope.w[:, 0], slope.v[:, 0]], axis=1)
        return Station(np.array([x, 0.0, 0.0]), psi, theta, *self._quadratic(x))

    @cached_property
    def _slices(self) -> tuple[Slice, ...]:
        x, weight = self.quadrature()
        f = self._fraction_at(x)
        mass = self.mass_per_length(f) * weight
        EA = self.EA(f)
        about_y = mass * self.EI[1](f) / EA  # rho I of the section that resists w
        about_z = mass * self.EI[0](f) / EA
        polar = about_y + about_z if self.inertia_per_length is None else self.inertia_per_length(f) * weight
        if not self.rotary_inertia:
            about_y, about_z = np.zeros_like(mass), np.zeros_like(mass)
        return tuple(
            Slice(float(m), np.diag([p, iy, iz]), self.station(float(at)))
            for m, p, iy, iz, at in zip(mass, polar, about_y, about_z, x, strict=True)
        )

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Stiffness of the internal coordinates (n, n): int EA u'u' + EI_a v''v'' + EI_b w''w'' + GJ phi'phi' dx."""
        x, weight = self.quadrature(None if self.basis == "finite-element" else 40)
        f = self._fraction_at(x)
        first, second = self.shapes(x, 1), self.shapes(x, 2)
        K = (first.u * (weight * self.EA(f))) @ first.u.T + (first.twist * (weight * self.GJ(f))) @ first.twist.T
        K += (second.v * (weight * self.EI[0](f))) @ second.v.T + (second.w * (weight * self.EI[1](f))) @ second.w.T
        return 0.5 * (K + K.T)

    @cached_property
    def mass_matrix(self) -> np.ndarray:
        """Mass matrix of the internal coordinates of the undeformed beam, its frame held (n, n)."""
        n = len(self.internal)
        M = np.zeros((n, n))
        for one in self._slices:
            s = one.station
            M += one.mass * s.psi @ s.psi.T + s.theta @ one.inertia @ s.theta.T
        return M

    def clamped_frequencies(self) -> np.ndarray:
        """Natural frequencies with the frame held, rising [rad/s]."""
        from scipy.linalg import eigh

        if not self.internal:
            return np.zeros(0)
        return np.sqrt(np.maximum(eigh(self.stiffness, self.mass_matrix, eigvals_only=True), 0.0))

    @cached_property
    def damping_matrix(self) -> np.ndarray:
        """Damping matrix (n, n): alpha M + beta K, or M V diag(2 ratio omega) V^T M with the clamped modes V."""
        from scipy.linalg import eigh

        M, K = self.mass_matrix, self.stiffness
        if not len(M):
            return np.zeros((0, 0))
        if isinstance(self.damping, tuple):
            alpha, beta = self.damping
            return alpha * M + beta * K
        if self.damping == 0.0:
            return np.zeros_like(M)
        squares, V = eigh(K, M)
        MV = M @ V
        return (MV * (2.0 * self.damping * np.sqrt(np.maximum(squares, 0.0)))) @ MV.T

    def _membrane(self) -> np.ndarray | None:
        if self.fidelity not in ("exact", "consistent") or self._foreshortens:
            return None
        x, weight = self.quadrature(None if self.basis == "finite-element" else 16)
        slope = self.shapes(x, 1)
        EA = self.EA(self._fraction_at(x)) * weight
        return np.concatenate([EA[:, None], slope.u.T, slope.v.T, slope.w.T], axis=1)

    def data(self, held: Pose) -> BodyData:
        codes = {"exact": (0, 1), "inconsistent": (0, 0), "consistent": (1, 2), "ruthless": (2, 0)}
        inertia, membrane = codes[self.fidelity]
        if not self.internal:
            inertia = 0
        return Sliced(
            self._slices,
            np.eye(3),
            self.stiffness,
            self.damping_matrix,
            self._membrane(),
            inertia,
            0 if self._foreshortens else membrane,
            ROTATIONS["none" if self.fidelity == "ruthless" else self.tip_rotation],
        ).data(held)

    def marker(self, name: str, held: Pose) -> MarkerData:
        pose = self.frame(name)
        return MarkerData(held.inverse() @ pose, self.station(float(pose.position[0])).numbers(held))

    def _stations(self, x: np.ndarray | None) -> np.ndarray:
        """Points in the body frame [m]: those asked for, or 21 from root to tip."""
        if x is None:
            return np.linspace(self.start, self.start + self.length, 21)
        points = np.atleast_1d(as_array(x, f"{self.name}: x"))
        low, high, slack = self.start, self.start + self.length, 1e-9 * self.length
        if points.ndim != 1 or not np.all((points >= low - slack) & (points <= high + slack)):
            raise ModelError.at(f"{self.name}: x", f"got {shown(x)}; give places from {low:g} to {high:g} m")
        return np.clip(points, low, high)

    def deflection(self, e: np.ndarray, x: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Displacement of the axis, foreshortening included: sum psi_k e_k + x 1/2 e^T chi e."""
        if not self.internal:
            raise self.undeformable()
        points = self._stations(x)
        here = self.shapes(points)
        out = np.stack([e @ here.u, e @ here.v, e @ here.w], axis=-1)
        for i, at in enumerate(points):
            out[:, i, 0] += 0.5 * np.einsum("tk,kl,tl->t", e, self._quadratic(float(at))[0], e)
        return points, out

    def strain(
        self, e: np.ndarray, x: np.ndarray | None = None
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str, str]]]:
        """Strains of the axis and the internal forces of an elastic section, those on the face towards the tip.

        axial = u' (and 1/2 (v'^2 + w'^2) where bending does not shorten the beam by itself), kappa_y = -w'',
        kappa_z = v'', twist = phi';  force = EA axial, moment_y = EI_b kappa_y, moment_z = EI_a kappa_z,
        torque = GJ twist. A beam without axial coordinates does not stretch: its axial force is then not in its strain.
        """
        if not self.internal:
            raise self.undeformable()
        points = self._stations(x)
        f = self._fraction_at(points)
        first, second = self.shapes(points, 1), self.shapes(points, 2)
        axial, twist = e @ first.u, e @ first.twist
        if self.fidelity == "exact" and not self._foreshortens:
            axial = axial + 0.5 * ((e @ first.v) ** 2 + (e @ first.w) ** 2)
        about_y, about_z = -(e @ second.w), e @ second.v
        return points, {
            "axial": (axial, "1", "axial strain"),
            "kappa_y": (about_y, "1/m", "curvature about y"),
            "kappa_z": (about_z, "1/m", "curvature about z"),
            "twist": (twist, "rad/m", "twist a length"),
            "force": (self.EA(f) * axial, "N", "axial force"),
            "moment_y": (self.EI[1](f) * about_y, "N m", "bending moment about y"),
            "moment_z": (self.EI[0](f) * about_z, "N m", "bending moment about z"),
            "torque": (self.GJ(f) * twist, "N m", "torque about x"),
        }

    def in_place_of(self, body: Body, used: tuple[str, ...], along: tuple[str, str] | None = None) -> tuple[Body, Pose]:
        problems = replace(self, name=body.name).check()
        if problems:
            raise ModelError(problems)
        root = Pose() if along is None else root_between(body, along, self.length)
        own = {name: self._fraction(name) for name in self.frame_names()}
        frames = self.frames | fractions(body, root, self.length, own, used)
        return replace(self, name=body.name, frames=frames), root @ Pose((-self.start, 0.0, 0.0))

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "beam",
            "name": self.name,
            "length": self.length,
            "mass_per_length": self.mass_per_length.plain(),
            "EA": self.EA.plain(),
            "EI": [one.plain() for one in self.EI],
            "GJ": self.GJ.plain(),
            "modes": dict(zip(("bending_y", "bending_z", "axial", "torsion"), self.modes.counts(), strict=True)),
            "basis": self.basis,
            "fidelity": self.fidelity,
            "axial": self.axial,
            "tip_rotation": self.tip_rotation,
            "damping": list(self.damping) if isinstance(self.damping, tuple) else self.damping,
            "inertia_per_length": None if self.inertia_per_length is None else self.inertia_per_length.plain(),
            "tip_mass": self.tip_mass,
            "frames": dict(self.frames),
            "rotary_inertia": self.rotary_inertia,
        }

    @classmethod
    def from_dict(cls, data: Any, address: str = "body") -> Beam:
        needed = ("kind", "name", "length", "mass_per_length", "EA", "EI", "GJ")
        optional = ("modes", "basis", "fidelity", "axial", "tip_rotation", "damping", "inertia_per_length", "tip_mass")
        data = dict(expect_keys(data, address, needed, (*optional, "frames", "rotary_inertia")))
        del data["kind"]
        data["name"] = expect_text(data["name"], f"{address}.name")
        directions = ("bending_y", "bending_z", "axial", "torsion")
        if "modes" in data:
            data["modes"] = Modes(**expect_keys(data["modes"], f"{address}.modes", (), directions))
        return cls(**data)

    def __repr__(self) -> str:
        return f'Beam("{self.name}", length={self.length:g}, {len(self.internal)} coordinates, {self.fidelity})'
