"""What bodies along a line have in common: who holds their root, frames by fraction, node and number, stations."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.errors import ModelError, Problem
from ....basics.pose import Pose
from ....basics.values import as_array, as_number, number_problems, shown
from ..body import BodyData, SlenderBody

BONES = 60
"""Bones along a line at most, besides those at its frames."""
ROOTS = ("clamped", "pinned", "free")
MAYBE = {"radius": "m", "wavelength": "m", "sharpest": "1/m"}
"""Numbers that need not be given, and their units."""
TURN = 0.6
"""How far an element may be curved without deformation [rad]: its curve is then 1e-5 of its length off a circle."""


@checked
class LineBody(SlenderBody):
    """A line of nodes; see `Cable` and `NodalBeam`."""

    length: float
    elements: int
    root: str
    damping: Any
    wavelength: float | None
    sharpest: float | None

    @property
    def spans(self) -> int:
        """Spaces between its nodes."""
        return self.elements

    @property
    def line_end(self) -> float:
        """The last place along it: its length [m]."""
        return self.length

    def metres(self, e: np.ndarray, x: np.ndarray) -> np.ndarray:
        """How far stations x (m,) are along it [m] for coordinates (nt, n): (nt, m)."""
        return np.tile(x, (len(e), 1))

    def _settle(self) -> None:
        """Makes plain numbers of damping, frames and what need not be given."""
        put = object.__setattr__
        stated = as_array(self.damping, f"{self.name}: damping")
        put(self, "damping", tuple(stated.ravel().tolist()) if stated.ndim else float(stated))
        for what in MAYBE:
            if getattr(self, what, None) is not None:
                put(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))
        given = {} if self.frames is None else dict(self.frames)
        put(self, "frames", {str(key): as_number(one, f"{self.name}.{key}") for key, one in given.items()})

    # ------------------------------------------------------------------ what is wrong with it

    def _line_problems(self, address: str) -> list[Problem]:
        """With elements, root, damping, frames and what need not be given."""
        problems = []
        for what, unit in MAYBE.items():
            if getattr(self, what, None) is not None:
                problems += number_problems(getattr(self, what), address, f"{what} [{unit}]", above=0.0)
        if isinstance(self.elements, bool) or not isinstance(self.elements, int | np.integer) or self.elements < 1:
            problems.append(
                Problem(address, f"elements is {shown(self.elements)}; give a whole number of 1 or more", "elements")
            )
        if self.root not in ROOTS:
            problems.append(Problem(address, f"root is {shown(self.root)}; allowed are {', '.join(ROOTS)}", "root"))
        return problems + self.damping_problems(address) + self.fraction_problems(address)

    def _length_problems(self, address: str, curvature: float, wave: float) -> list[Problem]:
        """Elements too long for what is expected; wave: wave number times the length of an element, at most."""
        problems = []
        for what, most in (("rest_curvature", curvature), ("sharpest", self.sharpest or 0.0)):
            turn = abs(most) * self.length
            if turn > self.elements * TURN:
                words = f"turns by {turn / self.elements:.3g} rad in each of its elements ({what}), and {TURN:g} are"
                least = int(np.ceil(turn / TURN))
                problems.append(Problem(address, f"{words} the most; give elements={least} or more"))
        if self.wavelength is not None:
            least = int(np.ceil(2.0 * np.pi * self.length / (self.wavelength * wave)))
            if self.elements < least:
                words = f"has {self.elements} elements, too few for a wave of {self.wavelength:g} m"
                problems.append(Problem(address, f"{words}; give elements={least} or more"))
        return problems

    # ------------------------------------------------------------------ frames

    def _place(self, name: str) -> float | None:
        """Where a frame is along the line [m], None for no frame."""
        known = {"root": 0.0, "tip": 1.0} | self.frames
        if name in known:
            return known[name] * self.length
        number = name[5:-1] if name.startswith("node[") and name.endswith("]") else ""
        if number.isdecimal() and int(number) <= self.spans:
            return self.length * int(number) / self.spans
        try:
            s = float(name)
        except ValueError:
            return None
        return s if 0.0 <= s <= self.length * (1.0 + 1e-12) else None

    def has_frame(self, name: str) -> bool:
        return name == "origin" or self._place(name) is not None

    def can_be_held(self, name: str) -> bool:
        return name == "origin" or (name == "root" and self.root == "clamped")

    def joint_problem(self, joint: Any) -> str:
        if self.root == "clamped" or not joint.motion_subspace().shape[1]:
            return ""
        return f'has a root that is {self.root}, and moves by itself; give jd.Weld(...), or root="clamped"'

    # ------------------------------------------------------------------ data, stations, bones

    def _matrices(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        raise NotImplementedError

    def data(self, held: Pose) -> BodyData:
        key = held.position.tobytes() + held.rotation.tobytes()
        if key not in self._data:
            self._data[key] = self._matrices(held)
        return self._data[key]

    @cached_property
    def _data(self) -> dict[bytes, BodyData]:
        """By the frame that the joint holds: checks and the compiler both ask for it."""
        return {}

    def _stations(self, x: ArrayLike | None) -> np.ndarray:
        """Places along the line [m]: those asked for, or 21 from root to tip."""
        end = self.line_end
        if x is None:
            return np.linspace(0.0, end, 21)
        points = np.atleast_1d(as_array(x, f"{self.name}: x"))
        slack = 1e-9 * end
        if points.ndim != 1 or not np.all((points >= -slack) & (points <= end + slack)):
            unit = "" if self.station_unit == "1" else f" {self.station_unit}"
            raise ModelError.at(f"{self.name}: x", f"got {shown(x)}; give places from 0 to {end:g}{unit}")
        return np.clip(points, 0.0, end)

    @cached_property
    def _bones(self) -> np.ndarray:
        """Places along the line at which bones are [m]."""
        even = np.linspace(0.0, self.length, min(BONES, 3 * self.elements) + 1)
        named = [self._place(name) or 0.0 for name in self.frame_names()]
        return np.unique(np.concatenate([even, named]))

    def _bone_frames(self) -> dict[str, int]:
        """Which bone each frame has, -1 for the body's own."""
        s = self._bones
        bones = {name: int(np.argmin(np.abs(s - (self._place(name) or 0.0)))) for name in self.frame_names()}
        return bones | {"origin": -1}
