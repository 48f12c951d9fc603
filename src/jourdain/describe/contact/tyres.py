"""Roads, as heights along them or from a spectrum, and tyres that stand on them at a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.values import as_array, as_number, expect_text, random_from, shown
from ..force_elements import ForceElement
from ..laws import BoundLaw, ControlLaw

ISO_CLASSES = {letter: 16e-6 * 4.0**i for i, letter in enumerate("ABCDEFGH")}
"""Displacement spectra of ISO 8608 at 0.1 cycles/m, geometric means [m^3]."""
ISO_AT = 0.1
"""Spatial frequency at which they are given [1/m]."""


@checked
@dataclass(frozen=True, eq=False)
class Road(Described):
    """Heights along a straight road that repeats itself after its length, joined by a spline with two derivatives.

    spacing    between heights [m]
    heights    (n,) [m], 8 at least
    """

    spacing: float
    heights: ArrayLike

    def __post_init__(self) -> None:
        spacing = as_number(self.spacing, "spacing")
        if not np.isfinite(spacing) or spacing <= 0.0:
            raise ModelError.at("spacing", f"is {spacing:g} m; give a length above 0")
        heights = np.array(as_array(self.heights, "heights"), float)
        if heights.ndim != 1 or len(heights) < 8 or not np.all(np.isfinite(heights)):
            raise ModelError.at("heights", f"have the shape {heights.shape}; give 8 finite heights at least")
        heights.flags.writeable = False
        object.__setattr__(self, "spacing", spacing)
        object.__setattr__(self, "heights", heights)

    @property
    def length(self) -> float:
        """After which it repeats itself [m]."""
        return self.spacing * len(np.asarray(self.heights))

    @classmethod
    def from_spectrum(
        cls, roughness: str | float, length: float, spacing: float, *, waviness: float = 2.0, seed: int = 0
    ) -> Road:
        """A road with the one-sided displacement spectrum G(n) = roughness (n / 0.1)^-waviness [m^3], n in cycles/m.

        Each wave of the length has the amplitude sqrt(2 G dn), dn = 1 / length, and a random phase, so that the
        spectrum of the whole road is G line by line.

        roughness    [m^3] at 0.1 cycles/m, or a class of ISO 8608, "A" (smooth) to "H", by its geometric mean
        length       [m], and `spacing` of heights [m]: waves from `length` to twice the spacing are in it
        waviness     2 in ISO 8608; the spectrum a V / f^n of frequencies at a speed V is that of waviness n
        seed         of the phases
        """
        length, spacing = as_number(length, "length"), as_number(spacing, "spacing")
        if isinstance(roughness, str):
            if expect_text(roughness, "roughness") not in ISO_CLASSES:
                raise ModelError.at("roughness", f"got {shown(roughness)}; give A to H, or a number [m^3]")
            level = ISO_CLASSES[roughness]
        else:
            level = as_number(roughness, "roughness")
        count = round(length / spacing) if spacing > 0.0 else 0
        if level <= 0.0 or count < 8:
            raise ModelError.at("roughness", f"is {level:g} m^3 over {count} heights; give more than 0 over 8 at least")
        n = np.arange(1, (count + 1) // 2) / (count * spacing)
        amplitude = np.sqrt(2.0 * level * (n / ISO_AT) ** -as_number(waviness, "waviness") / (count * spacing))
        phase = random_from(seed).uniform(0.0, 2.0 * np.pi, len(n))
        spectrum = np.zeros(count // 2 + 1, complex)
        spectrum[1 : len(n) + 1] = 0.5 * count * amplitude * np.exp(1j * phase)
        return cls(spacing, np.fft.irfft(spectrum, count))

    def coefficients(self) -> np.ndarray:
        """Of the uniform cubic B-spline through the heights (n,)."""
        heights = np.asarray(self.heights)
        n = len(heights)
        weights = (4.0 + 2.0 * np.cos(2.0 * np.pi * np.arange(n // 2 + 1) / n)) / 6.0
        return np.fft.irfft(np.fft.rfft(heights) / weights, n)


@checked
@dataclass(frozen=True, eq=False)
class Tyre(ForceElement):
    """A tyre as a force on the frame of a wheel: ``system.force("tyre", at="wheel.origin", force=Tyre(road, ...))``.

    The road lies along the world's x, heights are its z. With d the depth of the road in the tyre under the middle of
    the wheel, the tyre pushes up with ``stiffness d + cubic d^3 + damping d'`` and never pulls.

    road         what it stands on
    radius       of the tyre without load [m]
    stiffness    [N/m]
    cubic        [N/m^3], what makes it stiffer the deeper it is
    damping      [N s/m]
    speed        at which the road passes under a wheel that stays where it is [m/s]; it adds to the wheel's own
    wheel        address of the frame in the middle of the wheel; None for the one that it acts at
    """

    road: Road
    radius: float
    stiffness: float
    cubic: float = 0.0
    damping: float = 0.0
    speed: float = 0.0
    wheel: str | None = None
    kind: ClassVar[str] = "tyre"

    def __post_init__(self) -> None:
        if not isinstance(self.road, Road):
            raise ModelError.at("road", f"got {shown(self.road)}; give jd.contact.Road(spacing, heights)")
        for name in ("radius", "stiffness", "cubic", "damping", "speed"):
            value = as_number(getattr(self, name), name)
            if name != "speed" and (value < 0.0 or (name == "stiffness" and value == 0.0)):
                raise ModelError.at(name, f"is {value:g}; it must not be negative, and the stiffness above 0")
            object.__setattr__(self, name, value)
        if self.wheel is not None:
            expect_text(self.wheel, "wheel")

    def law(self, name: str, at: str) -> BoundLaw:
        from ...kernels.control.tyres import TyreParameters, tyre

        parameters = TyreParameters.packed(
            radius=self.radius,
            stiffness=self.stiffness,
            cubic=self.cubic,
            damping=self.damping,
            speed=self.speed,
            spacing=self.road.spacing,
            road=self.road.coefficients(),
        )
        return BoundLaw(ControlLaw("tyre", tyre), parameters, markers=(self.wheel or at,))


@checked
def tyre(
    wheel: str,
    road: Road,
    *,
    radius: float,
    stiffness: float,
    cubic: float = 0.0,
    damping: float = 0.0,
    speed: float = 0.0,
) -> Tyre:
    """A `Tyre` whose wheel is named first, as `system.force("tyre", at=wheel, force=tyre(wheel, ...))` has it.

    wheel     address of the frame in the middle of the wheel
    road      what it stands on; the others as of a `Tyre`
    """
    return Tyre(road, radius, stiffness, cubic, damping, speed, expect_text(wheel, "wheel"))
