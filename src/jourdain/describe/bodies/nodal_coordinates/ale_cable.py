"""A cable on a winch: what is out of it, as `Winch` makes it of a `Cable`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from ....basics import quaternions as Q
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.types import VectorLike
from ....basics.values import as_number
from ....kernels.kind_registry import ALE
from ...joints.joint import unit
from ...joints.winch import Winch
from ..appearance.bones import Skeleton, Surface, along_a_length, bending_tube
from ..body import BodyData, MarkerData
from ..floating_frame.validity_limits import STRAIN
from .cable import Cable
from .cable_tables import HELD, element_mass, hermite, stretch_rule
from .line_body import BONES

SHORTEST = 0.01
"""Least share of a cable that stays out, where none is given."""
MASS_POINTS = 4
"""Points of Gauss of an element that integrate its mass exactly."""
WIDE = 1.5
"""Width of a drum that is drawn, over its radius."""


class AleCable(Cable):
    """A `Cable` on a `Winch`; `System.add` makes it. Its first coordinate is the angle of the drum, and places along it
    are fractions of the length that is out.

    cable    as it was described; its length is the whole one
    winch    that winds it
    """

    station_unit: ClassVar[str] = "1"
    lent: ClassVar[int] = 1
    cable: Cable
    winch: Winch

    def __init__(self, cable: Cable, winch: Winch) -> None:
        put = object.__setattr__
        for one in fields(Cable):
            put(self, one.name, getattr(cable, one.name))
        put(self, "winch", winch)
        put(self, "cable", getattr(cable, "cable", cable))

    @property
    def described(self) -> Cable:
        return self.cable

    def to_dict(self) -> dict[str, Any]:
        return self.described.to_dict()

    # ------------------------------------------------------------------ lengths

    @cached_property
    def deployed(self) -> float:
        """Length that is out where the drum's angle is zero [m]."""
        return self.length if self.winch.deployed is None else float(self.winch.deployed)

    @cached_property
    def shortest(self) -> float:
        """Least length that stays out [m]."""
        given = self.winch.shortest
        return min(SHORTEST * self.length, self.deployed) if given is None else float(given)

    @property
    def reach(self) -> tuple[float, float]:
        radius = self.lent_arm
        return (self.shortest - self.deployed) / radius, (self.length - self.deployed) / radius

    @property
    def lent_arm(self) -> float:
        return float(self.winch.radius)

    @property
    def lent_inertia(self) -> float:
        return float(self.winch.inertia)

    def out(self, e: np.ndarray) -> np.ndarray:
        """Length that is out (nt,) for coordinates (nt, n) [m]."""
        return self.deployed + self.lent_arm * np.asarray(e)[:, 0]

    # ------------------------------------------------------------------ what is wrong with it

    def check(self) -> list[Problem]:
        problems = super().check()
        address, winch = str(self.name), self.winch
        if problems or winch.check(""):
            return problems
        if self.root == "free":
            problems.append(Problem(address, 'its root is free; a winch takes root="clamped" or "pinned"'))
        for what, unit_ in (("pretension", "N"), ("rest_curvature", "1/m")):
            if getattr(self, what) != 0.0:
                given = f"{what} is {getattr(self, what):g} {unit_}"
                problems.append(Problem(address, f"{given}; what comes off a drum has none, leave it out"))
        if not self.shortest <= self.deployed <= self.length:
            rule = f"deployed is {self.deployed:g} m of a cable of {self.length:g} m"
            problems.append(
                Problem(str(winch.name), f"{rule}; give {self.shortest:g} m (shortest) to {self.length:g} m")
            )
        elif winch.limits is not None:
            low, high = self.reach
            slack = 1e-9 * (high - low)
            if winch.limits[0] < low - slack or winch.limits[1] > high + slack:
                given = f"limits are {winch.limits[0]:g} and {winch.limits[1]:g} rad"
                rule = f"between {self.shortest:g} and {self.length:g} m of cable are out from {low:g} to {high:g} rad"
                problems.append(Problem(str(winch.name), f"{given}; {rule}"))
        return problems

    def load_points(self) -> tuple[tuple[str, ...], np.ndarray]:
        raise ModelError.at(
            str(self.name),
            "is on a winch, and forces along a cable whose length changes are not there; let them act at its tip",
        )

    def surface(self, name: str = "line") -> NoReturn:
        raise ModelError.at(
            str(self.name),
            "is on a winch and moves through its nodes, so that contacts would not know how fast it slides; let the "
            "body at its tip touch, or wind a cable without a winch round a drum that it touches",
        )

    # ------------------------------------------------------------------ coordinates and frames

    @cached_property
    def internal(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self.check() else ("turn", *self.cable.internal)

    def coordinate_names(self) -> tuple[str, ...]:
        return (str(self.winch.name), *(f"{self.name}.{one}" for one in self.internal[1:]))

    def _fraction(self, name: str) -> float | None:
        """Where a frame is, as a share of the length that is out; None for no frame. Numbers are none here."""
        known = {"root": 0.0, "tip": 1.0} | self.frames
        if name in known:
            return known[name]
        s = None if name[:1].isdigit() or name[:1] in "+-." else self._place(name)
        return None if s is None else s / self.length

    def has_frame(self, name: str) -> bool:
        return name == "origin" or self._fraction(name) is not None

    def frame(self, name: str) -> Pose:
        """Undeformed pose of a frame where the drum's angle is zero."""
        f = 0.0 if name == "origin" else self._fraction(name)
        if f is None:
            raise self.unknown_frame(name)
        return Pose((f * self.deployed, 0.0, 0.0))

    def can_be_held(self, name: str) -> bool:
        return name == "origin"

    def marker(self, name: str, held: Pose) -> MarkerData:
        f = float(self._fraction(name) or 0.0)
        turns = name != "origin" and not name.startswith("place[")
        k, share = self._element(np.array([f]))
        shapes = [hermite(share, 1.0, d)[0] for d in (0, 1)]
        return MarkerData(held.inverse() @ self.frame(name), np.concatenate([k, share, [float(turns)], *shapes]))

    def _element(self, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Elements in which fractions of the whole lie, and fractions of these."""
        k = np.minimum((f * self.elements).astype(int), self.elements - 1)
        share = f * self.elements - k
        return k, np.where(np.abs(share - np.round(share)) < 1e-12, np.round(share), share)

    def laid(self, curve: Callable[[float], ArrayLike], turn: float = 0.0) -> dict[str, float]:
        """As `Cable.laid`, of what is out where the drum is turned by an angle; s runs from the outlet.

        turn    angle of the drum [rad]
        """
        angle = as_number(turn, f"{self.name}: turn")
        length = float(self.out(np.array([[angle]]))[0])
        return {str(self.winch.name): angle} | replace(self.cable, length=length).laid(curve)

    def taut(self, end: VectorLike, most: float = STRAIN, turn: float = 0.0) -> dict[str, float]:
        """As `Cable.taut`, of what is out where the drum is turned by an angle [rad]."""
        angle = as_number(turn, f"{self.name}: turn")
        out = replace(self.cable, length=float(self.out(np.array([[angle]]))[0]))
        return {str(self.winch.name): angle} | out.taut(end, most)

    # ------------------------------------------------------------------ what the kernels read

    def clamped_frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency of what is out at the angle zero [rad/s]."""
        return replace(self.cable, length=self.deployed).clamped_frequencies()

    def _matrices(self, held: Pose) -> BodyData:
        from ....kernels.bodies.ale_cable_layout import AleBody

        winch, R = self.winch, held.rotation
        rho, l, axes = self.mass_per_length, self.deployed, held.rotation.T
        axis = unit(winch.axis)
        damping = (self.damping, self.damping) if isinstance(self.damping, float) else tuple(self.damping)
        damping = damping if len(damping) == 2 else damping * 2
        f, weights = np.polynomial.legendre.leggauss(MASS_POINTS)
        f, weights = 0.5 * (f + 1.0), 0.5 * weights
        mass = np.column_stack([f, weights, *(hermite(f, 1.0, d) for d in (0, 1, 2))])
        part = self.length / self.elements
        (x, w), (y, along, across) = stretch_rule(part, self.EA, self.EI)
        f = np.concatenate([x, y])
        stretch, bend = np.concatenate([w, along]) / part, np.concatenate([0.0 * w, across]) / part
        strain = np.column_stack([f, stretch, bend, *(hermite(f, 1.0, d) for d in (1, 2, 3))])
        head = [winch.radius, rho, self.length, l, winch.inertia, winch.armature, *axis, self.EA, self.EI, *damping]
        head.append(float(winch.stored))
        numbers = [R.T[:, 0], R.ravel(), head, element_mass(1.0).ravel(), mass.ravel(), strain.ravel()]
        gradient = 6 - HELD[self.root] if HELD[self.root] == 5 else 3
        header = AleBody.made(elements=self.elements, held=gradient, mass_points=len(mass), strain_points=len(strain))
        spin = winch.inertia + rho * (self.length - l) * winch.radius**2 * winch.stored
        inertia = np.diag([0.0, 1.0, 1.0]) * rho * l**3 / 3.0 + spin * np.outer(axis, axis)
        com = np.array([0.5 * l * l / self.length, 0.0, 0.0])
        floats = np.concatenate([np.asarray(one, float) for one in numbers])
        return BodyData(ALE, rho * self.length, axes @ com, axes @ inertia @ axes.T, header.numbers, floats)

    # ------------------------------------------------------------------ results

    @property
    def line_end(self) -> float:
        return 1.0

    def metres(self, e: np.ndarray, x: np.ndarray) -> np.ndarray:
        return self.out(e)[:, None] * x

    def along(self, e: np.ndarray, x: np.ndarray, derivative: int = 0, whole: bool = True) -> np.ndarray:
        """The line, or a derivative of it along its length, at fractions x (m,) of what is out: (nt, m, 3), body axes.

        whole    False leaves out the straight line
        """
        k, share = self._element(np.asarray(x, float))
        free = np.zeros((self.elements + 1, 6), bool)
        free.ravel()[:] = self._chain.free.ravel()
        full = np.zeros((len(e), free.size))
        full[:, free.ravel()] = e[:, 1:]
        h = self.out(e)[:, None] / self.elements
        S = hermite(share, 1.0, derivative)
        vectors = full.reshape(len(e), -1, 3)[:, 2 * k[:, None] + np.arange(4)]
        scaled = S * np.where(np.arange(4) % 2 == 1, h[:, :, None], 1.0) / (h**derivative)[:, :, None]
        line = np.einsum("tma,tmac->tmc", scaled, vectors)
        if whole and derivative < 2:
            line[..., 0] += self.out(e)[:, None] * x if derivative == 0 else 1.0
        return line

    def _stretch(self, e: np.ndarray, points: np.ndarray, rate: np.ndarray | None = None) -> np.ndarray:
        """Of a `Cable`; its rate is that of the particles that are at the places."""
        at = 0.5 * (1.0 + np.array([-1.0, 1.0]) / np.sqrt(3.0))
        k = self._element(points)[0]
        values = []
        for one in at:
            f = (k + one) / self.elements
            slope = self.along(e, f, 1)
            g = np.linalg.norm(slope, axis=-1)
            if rate is None:
                values.append(g - 1.0)
                continue
            speed, length = self.lent_arm * rate[:, :1, None], self.out(e)[:, None, None]
            places = np.concatenate([e[:, :1], self._places_only(e)], axis=1)
            change = np.concatenate([e[:, :1], rate[:, 1:]], axis=1)
            own = self.along(change, f, 1, whole=False) - speed / length * self.along(places, f, 1, whole=False)
            own = own + speed * (1.0 - f)[:, None] * self.along(e, f, 2)
            values.append(np.sum(slope * own, axis=-1) / g)
        share = (points * self.elements - k - at[0]) / (at[1] - at[0])
        return (1.0 - share) * values[0] + share * values[1]

    def _places_only(self, e: np.ndarray) -> np.ndarray:
        """Coordinates (nt, n - 1) of the nodes without those of gradients."""
        gradient = np.array([name.startswith("d") for name in self.internal[1:]])
        return np.where(gradient, 0.0, e[:, 1:])

    # ------------------------------------------------------------------ looks

    @cached_property
    def _bones(self) -> np.ndarray:
        """Fractions of what is out at which bones are."""
        even = np.linspace(0.0, 1.0, min(BONES, 3 * self.elements) + 1)
        return np.unique(np.concatenate([even, [self._fraction(name) or 0.0 for name in self.frame_names()]]))

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """A tube along what is out, and the drum, on the last bone."""
        from ...shapes.tessellation import rod

        f, radius = self._bones, self._drawn_radius()
        tube = bending_tube(f * self.deployed, np.full((len(f), 2), radius), first=2, step=2)
        centre, axis = self._drum()
        half = 0.5 * WIDE * self.lent_arm * axis
        return [tube, Surface.rigid(*rod(centre - half, centre + half, self.lent_arm), bone=2 * len(f) + 1)]

    def skeleton(self, e: np.ndarray, turned: Mapping[str, np.ndarray] | None = None) -> Skeleton:
        """Bones along the line, turned as markers there are, on bones of the straight line; the drum's is the last."""
        f = self._bones
        place, slope = (self.along(e, f, k) for k in (0, 1))
        t = slope / np.linalg.norm(slope, axis=-1, keepdims=True)
        none = np.zeros_like(t[..., :1])
        half = np.concatenate([1.0 + t[..., :1], none, -t[..., 2:], t[..., 1:2]], axis=-1)
        bent = np.concatenate([place, Q.normalised(half)], axis=-1)
        bones = {name: int(np.argmin(np.abs(f - (self._fraction(name) or 0.0)))) for name in self.frame_names()}
        found = along_a_length(f, self.out(e)[:, None], self.deployed, bent, bones)
        # the drum turns about its axis, which does not pass through the outlet
        centre, axis = self._drum()
        turn = Q.exponential(e[:, :1] * axis)
        drum = np.concatenate([np.tile(centre, (len(e), 1)), turn], axis=1)[:, None]
        still = np.concatenate([centre, Q.IDENTITY[3:]])[None]
        return Skeleton(
            np.concatenate([found.rest, still]),
            np.concatenate([found.poses, drum], axis=1),
            np.append(found.parent, 0),
            np.append(found.elastic, False),
            found.frames | {"origin": 0},
            np.concatenate([found.bound, still]),
        )

    def _drum(self) -> tuple[np.ndarray, np.ndarray]:
        """Centre and axis of the drum in body axes: its rim moves along x at the outlet, where it lets cable out."""
        axis = unit(self.winch.axis)
        return -self.lent_arm * np.cross([1.0, 0.0, 0.0], axis), axis

    def __repr__(self) -> str:
        return f'Cable("{self.name}", {self.length:g} m on winch "{self.winch.name}", {self.elements} elements)'


Cable.wound_as = AleCable
