"""The largest step for which an explicit method is stable, to explain a run that exploded."""

from __future__ import annotations

import cmath
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .model import Model

PARTS = (1.0, 2.0, 4.0, 5.0, 8.0)
"""By what steps are divided, and by ten, hundred ... times as much."""
MOST = 1e7
"""The greatest of these divisors that is tried."""


def divisors(least: float) -> Iterator[int]:
    """Whole numbers by which a step is divided, rising, from `least` on."""
    power = 1.0
    while power <= MOST:
        for part in PARTS:
            if part * power >= max(2.0, least):
                yield int(part * power)
        power *= 10.0


def divided(step: float, longest: float) -> str:
    """The step divided so that it is at most so long, and what a longer one divides is still divided by it."""
    k = next((k for k in divisors(1.0) if step / k <= longest), int(8.0 * MOST))
    return f"{step / k:.12g}"


def imaginary_limit(method: str) -> float:
    """Largest omega h of an undamped oscillation that a fixed-step method does not make grow; 0: it always does."""
    return _limit(method, 1j)


def real_limit(method: str) -> float:
    """Largest rate times h of a decay that a fixed-step method does not make grow."""
    return _limit(method, -1.0 + 0.0j)


@lru_cache(maxsize=16)
def contact_limit(method: str) -> float:
    """Largest omega h of an undamped impact: stable, or growing by 1 % in the half oscillation that it lasts."""
    stable = imaginary_limit(method)
    if stable > 0.0:
        return stable
    grid = np.geomspace(1e-3, 1.0, 200)
    growth = np.array([np.log(abs(_amplification(method, 1j * y))) * np.pi / y for y in grid])
    return float(grid[growth <= 0.01].max(initial=grid[0]))


@lru_cache(maxsize=64)
def _limit(method: str, direction: complex) -> float:
    """How far the stability region |R(z)| <= 1 reaches along a direction."""
    grid = np.linspace(0.01, 4.0, 400)
    for y in grid:
        if abs(_amplification(method, direction * y)) > 1.0 + 1e-9:
            return float(y - 0.01)
    return float(grid[-1])


def _amplification(method: str, z: complex) -> complex:
    """R(z) = 1 + z b^T (1 - z A)^-1 1 of a method (Hairer & Wanner 1996, section IV.2)."""
    from ..kernels.integrate.tableaux import tableau

    table = tableau(method)
    n = len(table.b)
    return 1.0 + z * table.b @ np.linalg.solve(np.eye(n) - z * table.A[:n, :n], np.ones(n))


class Fastest(NamedTuple):
    """The fastest mode of the bodies of a model, each with its frame held.

    body     its name; "" where all are rigid
    omega    its natural frequency [rad/s]
    damping  c of x'' + c x' + omega^2 x = 0 [1/s]
    """

    body: str
    omega: float
    damping: float

    @property
    def eigenvalues(self) -> tuple[complex, complex]:
        """Both roots of s^2 + c s + omega^2 [1/s]; far apart and real where it is damped beyond its critical rate."""
        root = cmath.sqrt(0.25 * self.damping**2 - self.omega**2)
        far = -0.5 * self.damping - root if root.real > 0.0 else -0.5 * self.damping + root
        return far, self.omega**2 / far

    def longest(self, method: str) -> float:
        """The longest step for which an explicit method is stable with it [s]; 0 where every step makes it grow."""
        return min(_limit(method, root / abs(root)) / abs(root) for root in self.eigenvalues)


_FASTEST: dict[str, Fastest] = {}


def fastest(model: Model) -> Fastest:
    """The mode of its flexible bodies that asks for the shortest steps: by its frequency, or by its damping."""
    if model.hash not in _FASTEST:
        from .bodies import body_of

        best, rate = Fastest("", 0.0, 0.0), 0.0
        for name in model.bodies:
            body = body_of(model, name)
            frequencies = np.zeros(0) if body is None else body.clamped_frequencies()
            if body is not None and len(frequencies) and frequencies[-1] > 0.0:
                omega = float(frequencies[-1])
                one = Fastest(name, omega, body.modal_damping(omega))
                if max(map(abs, one.eigenvalues)) > rate:
                    best, rate = one, max(map(abs, one.eigenvalues))
        _FASTEST[model.hash] = best
    return _FASTEST[model.hash]


def fastest_mode(model: Model) -> tuple[str, float]:
    """The body of the fastest mode, its frame held, and its natural frequency [rad/s]; ("", 0) when rigid."""
    return fastest(model)[:2]


class TooLong(NamedTuple):
    """Why a step is too long for the fastest mode of a flexible body, the longest stable one, and it."""

    why: str
    longest: float
    step: float

    @property
    def text(self) -> str:
        """With what to do about it."""
        return f"{self.why}; give step={divided(self.step, 0.9 * self.longest)}, fewer modes, or an adaptive method"


def too_long(model: Model, method: str, step: float) -> TooLong | None:
    """What to say of a step that is too long for the fastest mode of a flexible body, its frame held; else None.

    A payload lowers that frequency and a free root raises it, so this explains a run that failed and refuses none.
    """
    if not model.flexible:
        return None
    mode = fastest(model)
    longest = mode.longest(method) if mode.omega > 0.0 else 0.0
    if longest == 0.0 or step <= longest:
        return None
    hertz = mode.omega / (2.0 * np.pi)
    why = f'the fastest mode of "{mode.body}" has {mode.omega:.4g} rad/s ({hertz:.4g} Hz) with its frame held'
    if abs(mode.eigenvalues[0].imag) == 0.0:
        why += f", its damping makes it decay at {abs(mode.eigenvalues[0]):.3g}/s,"
    return TooLong(f'{why} and "{method}" then bears {longest:.2g} s', longest, step)
