"""A model whose actuated joints are moved: inputs are the accelerations of these, and efforts follow.

With M^-1 of the tree, a its acceleration without efforts on the joints J that are moved, and w what these shall have,

    tau = (M^-1_JJ)^-1 (w - a_J),    dtau = (M^-1_JJ)^-1 (dw - da_J),    da = da|tau + M^-1_:J dtau,

where da|tau are the derivatives of forward dynamics at that effort (Featherstone 2008, section 9.2, hybrid dynamics).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .model_plant import ModelPlant
from .plants import Named, Nodes

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


class AccelerationPlant(ModelPlant):
    """A model without contacts, laws and loops, some of whose joints have the accelerations that are given."""

    def __init__(self, model: Model, state: State, inputs: Iterable[str] | None = None) -> None:
        super().__init__(model, state, inputs)
        self.inputs = tuple(f"acceleration:{model.names.v[k]}" for k in self.acting)

    def split(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities, and the efforts that the accelerations take."""
        q, v, wanted = super().split(nodes)
        J = self.acting
        without, _, _, inverse = self.forward(nodes.t, q, v, np.zeros_like(v))
        effort = np.zeros_like(v)
        effort[:, J] = np.linalg.solve(inverse[:, J][:, :, J], (wanted - without)[:, J, None])[:, :, 0]
        return q, v, effort

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        rates, J = super().partials(nodes)
        by_effort = J[:, :, self._inputs].copy()
        D = self._effort_partials(J)
        J[:, :, self._inputs] = 0.0
        J[:, :, :-1] += by_effort @ D
        return rates, J

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> None:
        """To be differenced: what the tree has is by efforts."""
        return None

    @property
    def _inputs(self) -> slice:
        first = len(self.states)
        return slice(first, first + len(self.acting))

    def _effort_partials(self, J: np.ndarray) -> np.ndarray:
        """Derivatives of the efforts (n, inputs, local less time) from those of the rates at given efforts."""
        rows = self.model.nq + np.array(self.acting)
        own = J[:, rows]
        right = -own[:, :, :-1]
        right[:, :, self._inputs] = np.eye(len(self.acting))
        return np.linalg.solve(own[:, :, self._inputs], right)

    def quantity(self, name: str) -> Named:
        kind, _, rest = str(name).partition(":")
        index = self.model.index.v
        if kind == "effort" and rest in index and index[rest] in self.acting:
            return self._effort(name, self.acting.index(index[rest]), self.model.units.effort[index[rest]])
        return super().quantity(name)

    def _effort(self, name: str, k: int, unit: str) -> Named:
        """The effort that a moved joint takes."""

        def values(nodes: Nodes) -> np.ndarray:
            return self.split(nodes)[2][:, self.acting[k]]

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            out = np.zeros((len(nodes.t), nodes.local))
            out[:, :-1] = self._effort_partials(ModelPlant.partials(self, nodes)[1])[:, k]
            return values(nodes), out

        return Named(name, unit, None, values, partials)
