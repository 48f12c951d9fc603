"""Several plants that one input steers: what is found is good for each of them.

States are those of the first, by their names, then those of the others; inputs are shared, so that derivatives are
blocks. Quantities are of the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import as_number, shown
from ...describe.parameters import addresses, find, read
from .numeric_problem import EndRows
from .plants import Nodes, Plant, PlantQuantity, direct

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


class PlantFamily(Plant):
    """Plants with the same inputs.

    plants    of one kind each; the first is the one that is meant
    peak      whether there is a parameter that bounds the efforts
    """

    def __init__(self, plants: Sequence[Plant], peak: bool = False) -> None:
        self.plants, self.name, self.inputs = list(plants), plants[0].name, plants[0].inputs
        names = [one.states if k == 0 else [f"{name} #{k}" for name in one.states] for k, one in enumerate(plants)]
        self.states = tuple(name for some in names for name in some)
        self.parameters = ("peak",) if peak else ()
        ends = np.cumsum([0, *(len(one.states) for one in plants)])
        self.parts = [slice(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]

    def nodes_of(self, k: int, nodes: Nodes) -> Nodes:
        """Nodes as the k-th plant takes them."""
        return Nodes(nodes.t, np.ascontiguousarray(nodes.X[:, self.parts[k]]), nodes.U, np.zeros(0))

    def widened(self, k: int, J: np.ndarray) -> np.ndarray:
        """Derivatives of the k-th plant (..., its own local) by the unknowns of all."""
        nx, nu, own = len(self.states), len(self.inputs), len(self.plants[k].states)
        out = np.zeros((*J.shape[:-1], nx + nu + len(self.parameters) + 1))
        out[..., self.parts[k]] = J[..., :own]
        out[..., nx : nx + nu] = J[..., own : own + nu]
        out[..., -1] = J[..., -1]
        return out

    @property
    def pattern(self) -> np.ndarray:
        nx = len(self.states)
        out = np.zeros((nx, nx + len(self.inputs)), bool)
        for part, one in zip(self.parts, self.plants, strict=True):
            found, own = one.pattern, len(one.states)
            out[part, part] = found[:, :own]
            out[part, nx:] = found[:, own:]
        return out

    @property
    def curved(self) -> list[int]:
        """Of states only: models are affine in efforts and in accelerations."""
        return list(range(len(self.states)))

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> np.ndarray | None:
        """Blocks of the plants, where each has its own."""
        out = np.zeros((len(nodes.t), nodes.local, nodes.local))
        for k, (part, one) in enumerate(zip(self.parts, self.plants, strict=True)):
            found = one.curvature(self.nodes_of(k, nodes), np.ascontiguousarray(weights[:, part]))
            if found is None:
                return None
            out += self.widened(k, self.widened(k, found).swapaxes(1, 2))
        return out

    def rates(self, nodes: Nodes) -> np.ndarray:
        return np.concatenate([one.rates(self.nodes_of(k, nodes)) for k, one in enumerate(self.plants)], axis=1)

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        found = [one.partials(self.nodes_of(k, nodes)) for k, one in enumerate(self.plants)]
        blocks = [self.widened(k, J) for k, (_, J) in enumerate(found)]
        return np.concatenate([one[0] for one in found], axis=1), np.concatenate(blocks, axis=1)

    def quantity(self, name: str) -> PlantQuantity:
        return self.of(0, self.plants[0].quantity(name))

    def of(self, k: int, one: PlantQuantity) -> PlantQuantity:
        """A quantity of the k-th plant as one of the family."""
        nx, own = len(self.states), len(self.plants[k].states)
        if one.column is not None:
            at = self.parts[k].start + one.column if one.column < own else nx + one.column - own
            return direct(one.name, one.unit, at)

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            found, J = one.partials(self.nodes_of(k, nodes))
            return found, self.widened(k, J)

        return replace(one, values=lambda nodes: one.values(self.nodes_of(k, nodes)), partials=partials)

    def rows_of(self, k: int, rows: EndRows) -> EndRows:
        """Equations of the last state of the k-th plant."""
        part, nx = self.parts[k], len(self.states)
        names = rows.names if k == 0 else tuple(f"{name} #{k}" for name in rows.names)

        def partials(state: np.ndarray) -> np.ndarray:
            out = np.zeros((len(names), nx))
            out[:, part] = rows.partials(state[part])
            return out

        return EndRows(names, lambda state: rows.values(state[part]), partials)

    def below_peak(self, one: PlantQuantity, sign: float) -> PlantQuantity:
        """A quantity less the peak (sign -1), or plus it."""
        at = len(self.states) + len(self.inputs)

        def values(nodes: Nodes) -> np.ndarray:
            return one.values(nodes) + sign * nodes.p[0]

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            found, J = one.partials(nodes)
            J = J.copy()
            J[:, at] += sign
            return found + sign * nodes.p[0], J

        return PlantQuantity(
            f"peak of {one.name}", one.unit, None, values, partials, smooth=one.column is None and one.smooth
        )

    def linear(self, k: int, name: str, row: np.ndarray, offset: float) -> PlantQuantity:
        """A quantity row . x - offset of the states of the k-th plant."""
        part = self.parts[k]

        def values(nodes: Nodes) -> np.ndarray:
            return nodes.X[:, part] @ row - offset

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            out = np.zeros((len(nodes.t), nodes.local))
            out[:, part] = row
            return values(nodes), out

        return PlantQuantity(name, "J^(1/2)", None, values, partials, smooth=False)


STIFFNESS = ("EI", "EA", "GJ", "E", "stiffness")
"""Arguments whose numbers, all multiplied alike, multiply every frequency by the root."""
PARTS = ("body", "joint", "drive", "spring")


def off_models(model: Model, state: State, held: tuple[str, ...], robust: Any, plants: int) -> list[Model]:
    """Models whose frequencies, or parameters, are evenly from `robust` below to `robust` above, without the middle.

    held      coordinates that do not vibrate
    robust    part by which all frequencies may be off, or parts of parameters by address
    plants    how many there are with the model itself: odd, 3 or more
    """
    from ...compile.variation import with_parameters

    if not isinstance(plants, int) or plants < 3 or plants % 2 == 0:
        raise ModelError.at("plants", f"got {shown(plants)}; give an odd number, 3 or more")
    sides = [one for one in np.linspace(-1.0, 1.0, plants) if abs(one) > 1e-9]
    places = addresses(model.description)
    if isinstance(robust, Mapping):
        parts = {str(at): _part(value, f"robust: {at}") for at, value in robust.items()}
        if not parts:
            raise ModelError.at("robust", "names no parameter; give addresses with parts, {'boom.EI': 0.2}")
        own = {at: read(model.description, find(model.description, at, places)) for at in parts}
        return [with_parameters(model, {at: own[at] * (1.0 + one * parts[at]) for at in parts}) for one in sides]
    part = _part(robust, "robust")
    own = {
        at: value
        for at, place in places.items()
        if place.kind[2] in STIFFNESS and place.kind[0] != "contact" and not at.endswith("]")
        if (value := read(model.description, place)) != 0.0
    }
    found = [with_parameters(model, {at: v * (1.0 + one * part) ** 2 for at, v in own.items()}) for one in sides]
    _check(model, found[0], state, held, part)
    return found


def _part(value: Any, what: str) -> float:
    number = as_number(value, what)
    if not 0.0 < number < 1.0:
        raise ModelError.at(what, f"got {shown(value)}; give a part between 0 and 1, such as 0.1 for 10 %")
    return number


def _check(model: Model, softer: Model, state: State, held: tuple[str, ...], part: float) -> None:
    """That the lowest frequency went down as it should."""
    hz = [float(np.min(one.frequencies(state, hold=held).hz, initial=np.inf)) for one in (model, softer)]
    if not np.isfinite(hz[0]):
        raise ModelError.at("robust", f"nothing of {model.name} vibrates while {', '.join(held)} is held; leave it out")
    if hz[1] > (1.0 - 0.5 * part) * hz[0]:
        text = f"the lowest frequency of {model.name} does not follow the stiffnesses that have an address"
        raise ModelError.at("robust", f"{text}; name parameters and their parts, {{'boom.EI': 0.2}}")
