"""An equilibrium that was found, and whether it is stable.

Whether the equilibrium is stable is asked of the equations to first order there (Lyapunov's first method): it is not
where an eigenvalue has a positive real part, and deviations then grow as the exponential of it. What neither grows nor
decays to first order, a conservative system at rest in a minimum of its energy say, counts as stable. Where the
stiffness of a motion is lost in rounding, whether it is stable cannot be told: `stable` is None then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import JourdainError

if TYPE_CHECKING:
    from ..model import Model
    from ..state import State
    from .modes import Frequencies


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """An equilibrium, or a steady motion.

    `stable`, `growth` and `leaving` say what becomes of a small deviation from it, with what was held still held.

    state         the State
    effort        all efforts (nv,): given, and found where asked for
    found         names of the efforts that were found
    residual      the largest effort left over [N m, N]
    iterations    how many
    history       largest effort left over before each iteration and at the end
    names         of the velocities, in the order of `effort`
    model         whose it is; `held` and `controller` as they were given
    multipliers   of the constraints (rows,), of least norm where they are redundant; those of one are
                  `multipliers[model.constraints.slice(name)]`
    """

    state: State
    effort: np.ndarray
    found: tuple[str, ...]
    residual: float
    iterations: int
    history: np.ndarray
    names: tuple[str, ...]
    model: Model
    held: tuple[str, ...] = ()
    controller: Any = None
    multipliers: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @cached_property
    def modes(self) -> Frequencies:
        """Modes of the motion near it; those that grow have a negative damping ratio."""
        from .modes import modes
        from .tangent import tangent

        return modes(tangent(self.model, self.state, self.effort, self.held, self.controller))

    @cached_property
    def _worst(self) -> int:
        """The mode that grows fastest, -1 where none does."""
        rates = self.modes.eigenvalues.real
        grows = rates > self.modes.noise
        return int(np.argmax(np.where(grows, rates, -np.inf))) if np.any(grows) else -1

    @property
    def stable(self) -> bool | None:
        """Whether no small deviation grows; None where that cannot be told, `doubt` says why."""
        if self._worst >= 0:
            return False
        return None if self.modes.undecided else True

    @property
    def doubt(self) -> str:
        """Why it cannot be told whether it is stable; "" where it can."""
        from .modes import hidden

        return hidden(self.modes) if self.stable is None else ""

    @property
    def growth(self) -> float:
        """How fast a deviation leaves: it grows by e in each 1 / growth; 0 where none does [1/s]."""
        return 0.0 if self._worst < 0 else float(self.modes.eigenvalues[self._worst].real)

    @property
    def leaving(self) -> tuple[str, ...]:
        """Velocities along which it leaves, those with most of the kinetic energy first."""
        if self._worst < 0:
            return ()
        shape = np.abs(np.nan_to_num(self.modes.shapes[:, self._worst]))
        part = shape * np.sqrt(np.diag(self.model.mass_matrix(self.state.q)))
        return tuple(self.names[k] for k in np.argsort(-part)[:4] if part[k] > 0.3 * np.max(part) > 0.0)

    def __repr__(self) -> str:
        efforts = ", ".join(f"{name} {self.effort[self.names.index(name)]:.6g}" for name in self.found[:6])
        said = f", efforts: {efforts}" if efforts else ""
        try:
            names = ", ".join(f'"{name}"' for name in self.leaving)
            fate = f"unstable, leaves along {names or 'its states'} at {self.growth:.4g} 1/s"
            if self._worst < 0:
                fate = f"cannot tell whether it is stable: {self.doubt}" if self.doubt else "stable"
        except JourdainError:
            fate = "whether it is stable is not known: its dynamics have no first order"
        return f"<Equilibrium: {fate}; {self.iterations} iterations, {self.residual:.3g} left over{said}>"
