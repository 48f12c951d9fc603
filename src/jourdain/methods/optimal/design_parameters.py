"""A model whose parameters are among the unknowns: masses, stiffnesses, lengths by their addresses.

Derivatives by states and efforts are those of the model with the values at hand. Those by a parameter are central
differences of whole models, extrapolated twice (Richardson 1911): of sixth order, so that what is left is rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...describe.parameters import addresses, find, read
from .model_plant import ModelPlant
from .plants import Named, Nodes, direct

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State

KEPT = 64
"""Models with other values that are kept."""
STEP = 8e-3
"""Longest step of a parameter, over its size."""
WEIGHTS = {1.0: 1.0 / 45.0, 0.5: -20.0 / 45.0, 0.25: 64.0 / 45.0}
"""Of central differences over one, half and a quarter of the step: those of order two and four cancel."""


class DesignedPlant(ModelPlant):
    """A model without contacts, laws and loops, of which some numbers are to be found.

    parameters    their addresses
    values        that the model has
    """

    def __init__(self, model: Model, state: State, inputs: Iterable[str] | None, unknowns: Mapping[str, Any]) -> None:
        super().__init__(model, state, inputs)
        places = addresses(model.description)
        self.parameters = tuple(str(one) for one in unknowns)
        found = [find(model.description, one, places) for one in self.parameters]
        self.values = np.array([read(model.description, one) for one in found])
        self._models: dict[tuple[float, ...], ModelPlant] = {}

    def at(self, p: np.ndarray) -> ModelPlant:
        """The plant with these values of the parameters."""
        from ...compile.variation import with_parameters

        key = tuple(float(one) for one in p)
        if key not in self._models:
            while len(self._models) >= KEPT:
                del self._models[next(iter(self._models))]
            made = with_parameters(self.model, dict(zip(self.parameters, key, strict=True)), True)
            names = tuple(self.model.names.v[k] for k in self.acting)
            self._models[key] = ModelPlant(made, self.state, names)
        return self._models[key]

    @property
    def curved(self) -> list[int]:
        """Efforts enter affinely."""
        first = len(self.states) + len(self.inputs)
        return [*range(len(self.states)), *range(first, first + len(self.parameters))]

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> None:
        """To be differenced: what the tree has knows no parameters."""
        return None

    def rates(self, nodes: Nodes) -> np.ndarray:
        return self.at(nodes.p).rates(_inner(nodes))

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        rates, J = self.at(nodes.p).partials(_inner(nodes))
        return rates, self._widened(J, nodes, self.rates)

    def _widened(self, J: np.ndarray, nodes: Nodes, values: Callable[[Nodes], np.ndarray]) -> np.ndarray:
        """Derivatives (..., states, inputs, time) with those by the parameters before time."""
        first = len(self.states) + len(self.inputs)
        out = np.zeros((*J.shape[:-1], nodes.local))
        out[..., :first], out[..., -1] = J[..., :first], J[..., -1]
        for k, value in enumerate(nodes.p):
            size = STEP * (abs(value) or 1.0)
            for part, weight in WEIGHTS.items():
                h = part * size
                sides = [values(nodes.moved(first + k, sign * h)) for sign in (1.0, -1.0)]
                out[..., first + k] += weight * (sides[0] - sides[1]) / (2.0 * h)
        return out

    def quantity(self, name: str) -> Named:
        if name in self.parameters:
            k = self.parameters.index(name)
            return direct(name, "", len(self.states) + len(self.inputs) + k)
        one = super().quantity(name)
        if one.column is not None:
            return one

        def values(nodes: Nodes) -> np.ndarray:
            return self.at(nodes.p).quantity(name).values(_inner(nodes))

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            found, J = self.at(nodes.p).quantity(name).partials(_inner(nodes))
            return found, self._widened(J, nodes, values)

        return replace(one, values=values, partials=partials)


def _inner(nodes: Nodes) -> Nodes:
    """Nodes as a plain model takes them."""
    return Nodes(nodes.t, nodes.X, nodes.U, np.zeros(0))
