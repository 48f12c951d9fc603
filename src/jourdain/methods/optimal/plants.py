"""Plants of optimal control: rates of states under inputs at many nodes, with derivatives, and quantities by name.

Local unknowns y of a node are its states, its inputs, then the parameters of the whole problem, then time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, suggestion


class Nodes(NamedTuple):
    """Points of a trajectory: times (n,) [s], states (n, nx), inputs (n, nu), parameters (np,)."""

    t: np.ndarray
    X: np.ndarray
    U: np.ndarray
    p: np.ndarray

    @property
    def local(self) -> int:
        """How many local unknowns there are, time among them."""
        return self.X.shape[1] + self.U.shape[1] + len(self.p) + 1

    def moved(self, j: int, by: np.ndarray | float) -> Nodes:
        """The same with the j-th local unknown changed."""
        nx, nu = self.X.shape[1], self.U.shape[1]
        t, X, U, p = self.t, self.X, self.U, self.p
        if j < nx:
            X = X.copy()
            X[:, j] += by
        elif j < nx + nu:
            U = U.copy()
            U[:, j - nx] += by
        elif j < nx + nu + len(p):
            p = p.copy()
            p[j - nx - nu] += by
        else:
            t = t + by
        return Nodes(t, X, U, p)


@dataclass(frozen=True)
class PlantQuantity:
    """A quantity of a plant.

    name      as it was asked for
    unit      "" where it is not known
    column    of the local unknown that it is, None where it is computed
    values    of nodes (n,)
    partials  values (n,) and derivatives (n, local)
    smooth    whether its curvature is worth taking by differences of the gradients
    """

    name: str
    unit: str
    column: int | None
    values: Callable[[Nodes], np.ndarray]
    partials: Callable[[Nodes], tuple[np.ndarray, np.ndarray]]
    smooth: bool = True


def direct(name: str, unit: str, column: int) -> PlantQuantity:
    """A quantity that is one of the local unknowns."""

    def values(nodes: Nodes) -> np.ndarray:
        nx, nu = nodes.X.shape[1], nodes.U.shape[1]
        if column < nx:
            return nodes.X[:, column]
        if column < nx + nu:
            return nodes.U[:, column - nx]
        return np.full(len(nodes.t), nodes.p[column - nx - nu])

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        out = np.zeros((len(nodes.t), nodes.local))
        out[:, column] = 1.0
        return values(nodes), out

    return PlantQuantity(name, unit, column, values, partials)


def differenced(name: str, unit: str, values: Callable[[Nodes], np.ndarray], columns: Iterable[int]) -> PlantQuantity:
    """A quantity whose derivatives by some local unknowns are central differences, over all nodes at once."""
    wanted = tuple(columns)

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        n, h = len(nodes.t), 6e-6
        moved = [nodes, *(nodes.moved(j, sign * h) for j in wanted for sign in (1.0, -1.0))]
        t, X, U = (np.concatenate([getattr(one, part) for one in moved]) for part in "tXU")
        rows = values(Nodes(t, X, U, nodes.p))
        out = np.zeros((n, nodes.local))
        sides = rows[n:].reshape(len(wanted), 2, n)
        out[:, wanted] = ((sides[:, 0] - sides[:, 1]) / (2.0 * h)).T
        return rows[:n], out

    return PlantQuantity(name, unit, None, values, partials, smooth=False)


@checked
class Plant(ABC):
    """A plant: what is controlled.

    name            in errors
    states          names of its states
    inputs          names of its inputs
    parameters      names of parameters that may be unknowns
    """

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def pattern(self) -> np.ndarray:
        """Which derivatives of the rates by states and inputs may differ from zero (nx, nx + nu)."""
        return np.ones((len(self.states), len(self.states) + len(self.inputs)), bool)

    @property
    def curved(self) -> list[int]:
        """Local unknowns in which the rates are not affine, the others taken two at a time."""
        return list(range(len(self.states) + len(self.inputs) + len(self.parameters) + 1))

    @property
    def bent(self) -> np.ndarray:
        """Which second derivatives of the rates by states and inputs may differ from zero (nx + nu, nx + nu)."""
        one = np.isin(np.arange(len(self.states) + len(self.inputs)), self.curved)
        return one[:, None] | one

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> np.ndarray | None:
        """Second derivatives (n, local, local) of the sums of weights (n, nx) times rates; None: to be differenced."""
        return None

    @abstractmethod
    def rates(self, nodes: Nodes) -> np.ndarray:
        """Rates (n, nx) of the states."""

    @abstractmethod
    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        """Rates (n, nx), and their derivatives (n, nx, local)."""

    @abstractmethod
    def quantity(self, name: str) -> PlantQuantity:
        """A quantity by its name; an error says what exists."""


@checked
class Ode(Plant):
    """A system of ordinary differential equations: dx/dt = f(t, x, u, p).

    rates         f(t, x, u, p, dx), which writes into dx: ordinary Python on numbers and arrays, compiled. Functions
                  of NumPy (np.sin) are known for complex numbers too, so that derivatives are exact; with those of
                  `math` they are differences
    states        their names
    inputs        their names
    parameters    names of p with their values; a problem may make unknowns of them
    outputs       g(t, x, u, p, y), which writes further quantities into y; None for none
    output_names  their names
    units         of any of the names
    """

    def __init__(
        self,
        rates: Callable,
        states: Sequence[str],
        inputs: Sequence[str],
        parameters: Mapping[str, float] | None = None,
        outputs: Callable | None = None,
        output_names: Sequence[str] = (),
        units: Mapping[str, str] | None = None,
        name: str = "system",
    ) -> None:
        self.name, self.units = name, dict(units or {})
        self.states, self.inputs, self.output_names = tuple(states), tuple(inputs), tuple(output_names)
        given = {key: as_number(value, f"parameters: {key}") for key, value in (parameters or {}).items()}
        self.parameters, self.values = tuple(given), np.array(list(given.values()), float)
        names = [*self.states, *self.inputs, *self.parameters, *self.output_names]
        doubled = [one for one in names if names.count(one) > 1]
        if doubled or not self.states:
            text = f"{doubled[0]!r} is there twice" if doubled else "there are no states"
            raise ModelError.at(name, f"{text}; give every state, input, parameter and output a name of its own")
        if (outputs is None) != (not self.output_names):
            raise ModelError.at(name, "outputs and output_names come together; give both, or neither")
        self._rates, self._outputs = rates, outputs

    @cached_property
    def compiled_functions(self) -> dict[str, tuple[Any, int]]:
        """Records of the functions, and how many numbers each writes."""
        out = {"rates": (_plain(self._rates, self.name), len(self.states))}
        if self._outputs is not None:
            out["outputs"] = (_plain(self._outputs, self.name), len(self.output_names))
        return out

    def _values(self, which: str, nodes: Nodes) -> np.ndarray:
        from ...kernels.optimal.user_ode import ode_rows

        plain, size = self.compiled_functions[which]
        out = np.zeros((len(nodes.t), size))
        ode_rows.ready().python(plain, *_floats(nodes), out)
        return out

    def _partials(self, which: str, nodes: Nodes) -> np.ndarray:
        from ...kernels.optimal.user_ode import ode_jacobian_rows

        plain, size = self.compiled_functions[which]
        out = np.zeros((len(nodes.t), size, nodes.local))
        scratch = [np.zeros(size, complex), np.zeros(size), np.zeros(size)]
        copies = [np.zeros(k, complex) for k in (nodes.X.shape[1], nodes.U.shape[1], len(nodes.p))]
        ode_jacobian_rows.ready().python(plain, *_floats(nodes), *scratch, *copies, out)
        return out

    def rates(self, nodes: Nodes) -> np.ndarray:
        return self._values("rates", nodes)

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        return self._values("rates", nodes), self._partials("rates", nodes)

    def quantity(self, name: str) -> PlantQuantity:
        unit = self.units.get(name, "")
        plain = [*self.states, *self.inputs, *self.parameters]
        if name in plain:
            return direct(name, unit, plain.index(name))
        if name in self.output_names:
            k = self.output_names.index(name)
            return PlantQuantity(
                name,
                unit,
                None,
                lambda nodes: self._values("outputs", nodes)[:, k],
                lambda nodes: (self._values("outputs", nodes)[:, k], self._partials("outputs", nodes)[:, k]),
            )
        raise ModelError.at(
            str(name), f"no such quantity of {self.name}; {suggestion(str(name), [*plain, *self.output_names])}"
        )

    def __repr__(self) -> str:
        return f"<Ode {self.name!r}: states {', '.join(self.states)}; inputs {', '.join(self.inputs)}>"


def _floats(nodes: Nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    t, X, U, p = (np.ascontiguousarray(one, np.float64) for one in nodes)
    return t, X, U, p.copy()


def _plain(function: Callable, name: str) -> Any:
    """The record of a user's function; of complex numbers too where it compiles for them."""
    from numba.core.errors import NumbaError

    from ...kernels.optimal.user_ode import UserOde
    from ...kernels.user_functions import plain_function

    try:
        value = plain_function(function, False)
    except NumbaError as error:
        text = f"{function.__name__} does not compile; it may use numbers, arrays and NumPy's functions of them only"
        raise ModelError.at(name, f"{text}.\n{error}") from error
    try:
        return UserOde(value, plain_function(function, True))
    except NumbaError:
        return UserOde(value, None)
