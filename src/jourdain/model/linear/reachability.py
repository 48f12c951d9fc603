"""Which modes of a linear system its inputs cannot move, or its outputs cannot show.

A mode lambda is out of reach where [A - lambda 1, B] loses rank (Popov, Belevitch, Hautus; Kailath 1980, section 2.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SMALL = 1e-9
"""Smallest singular value of [A - lambda, B], A balanced and B scaled to it, that counts as rank."""

TOGETHER = 1e-6
"""Difference of eigenvalues over the norm of A below which they may be one."""
ROUNDING = 1e-12
"""Entry of A over those of its row and column that counts as zero."""


class Mode(NamedTuple):
    """A mode that is not reached: its eigenvalue ([rad/s]; discrete: per sample), and the states that it is made of."""

    eigenvalue: complex
    states: tuple[str, ...]


class Reachability(NamedTuple):
    """True when every mode is controllable, or observable; `modes` are those that are not."""

    what: str
    modes: tuple[Mode, ...]

    def __bool__(self) -> bool:
        return not self.modes

    def __repr__(self) -> str:
        if self:
            return f"<all modes are {self.what}>"
        lines = [f"  {shown_mode(mode.eigenvalue)} rad/s: {', '.join(mode.states)}" for mode in self.modes]
        return f"<not {self.what}:\n" + "\n".join(lines) + ">"


def shown_mode(value: complex) -> str:
    """A real eigenvalue, or a conjugate pair."""
    least = 1e-9 * max(abs(value), 1e-3)
    real, imag = (0.0 if abs(x) < least else x for x in (value.real, value.imag))
    return f"{real:.4g}" if imag == 0.0 else f"{real:.4g} +- {abs(imag):.4g} i"


def unreached(A: np.ndarray, B: np.ndarray, names: Sequence[str], what: str, discrete: bool = False) -> Reachability:
    """Modes of A for which [A - lambda, B] lacks rank, one of each conjugate pair.

    A mode is named by the states that weigh most in w, w^H [A - lambda, B] = 0: for inputs the combination of states
    that they leave alone; for outputs, with A and C transposed, the states that move without being seen. A discrete A
    is taken from 1, which stands for rest there as 0 does else: [A - lambda, B] = [(A - 1) - (lambda - 1), B].
    """
    from scipy.linalg import matrix_balance

    n = len(A)
    if not n:
        return Reachability(what, ())
    rest = 1.0 if discrete else 0.0
    A = A - rest * np.eye(n)
    noise = ROUNDING * np.minimum(np.linalg.norm(A, axis=1)[:, None], np.linalg.norm(A, axis=0)[None])
    A = np.where(np.abs(A) > noise, A, 0.0)  # or balancing would take rounding for the slowest coupling of all
    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    size = max(float(np.linalg.norm(balanced, 2)), 1e-300)
    pushed = B / scale[:, None]
    lengths = np.linalg.norm(pushed, axis=0)
    pushed = pushed * np.where(lengths > 0.0, size / np.where(lengths > 0.0, lengths, 1.0), 0.0)
    values = np.linalg.eigvals(balanced)
    values = values[values.imag >= 0.0]
    if np.any(np.abs(values) <= TOGETHER * size):
        values = np.append(0.0, values)  # rounding scatters a multiple zero; a slow pole keeps its own turn
    found: list[Mode] = []
    seen: list[tuple[complex, np.ndarray]] = []
    for value in values:
        left, singular, _ = np.linalg.svd(np.hstack([balanced - value * np.eye(n), pushed]))
        for k in np.flatnonzero(singular <= SMALL * size):
            known = [w for other, w in seen if abs(other - value) <= TOGETHER * size]
            fresh = left[:, k] - sum((w * (w.conj() @ left[:, k]) for w in known), np.zeros(n))
            if np.linalg.norm(fresh) > 0.1:
                seen.append((value, fresh / np.linalg.norm(fresh)))
                found.append(Mode(complex(value) + rest, _largest(np.abs(left[:, k] / scale), names)))
    found.sort(key=lambda mode: abs(mode.eigenvalue - rest))
    return Reachability(what, tuple(found))


def _largest(weights: np.ndarray, names: Sequence[str]) -> tuple[str, ...]:
    order = np.argsort(-weights, kind="stable")
    return tuple(names[i] for i in order[:4] if weights[i] > 0.3 * weights[order[0]])
