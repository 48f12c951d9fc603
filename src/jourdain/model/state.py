"""The state of a model: what changes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..basics.arguments import checked
from ..basics.html_tables import html_table


@checked
@dataclass
class State:
    """What changes.

    time    [s]
    q       (nq,) coordinates, as `model.names.q`
    v       (nv,) velocities, as `model.names.v`
    z       internal states: anchors of joint friction and what contacts remember, as `model.names.z`; then of laws
    """

    time: float
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray = field(default_factory=lambda: np.zeros(0))
    warned_of: tuple[str, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """Of a state that a user made: coordinates outside their limits that a warning was given of."""

    def copy(self) -> State:
        """A state of its own."""
        new = State(self.time, self.q.copy(), self.v.copy(), self.z.copy())
        new.warned_of = self.warned_of
        return new

    def _repr_html_(self) -> str:
        """A table of its numbers, for notebooks."""
        rows = [(what, i, float(x)) for what in ("q", "v", "z") for i, x in enumerate(getattr(self, what))]
        return html_table(f"State at {self.time:g} s", ("", "entry", "value"), rows)
