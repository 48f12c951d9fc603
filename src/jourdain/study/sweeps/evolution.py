"""An evolutionary search over the parameters of a study, on the same farm of workers and in the same store.

The farm hands out parameters and collects numbers, and knows nothing of what a worker simulates (A. Müller's task farm,
where a genetic algorithm tunes the gains of a measuring machine). Every generation follows from the seed and from the
results of those before it, so that a search that was killed goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import is_number, shown

if TYPE_CHECKING:
    from .designs import Parameter


@checked
@dataclass(frozen=True)
class Search:
    """A search for the best values of parameters by evolution.

    minimise       the variable that is to become small, or several with weights: {overshoot: 1, settling: 0.2}
    maximise       the same of what is to become large; one of both is given
    population     individuals of a generation
    generations    at most
    seed           of everything that is random
    elite          best individuals that live on unchanged, and are not run again
    crossover      probability that two parents mix
    mutation       probability that a parameter of a child changes by chance; 1 over their number unless given
    spread         standard deviation of such a change, of the parameter's range; it shrinks with the generations
    goal           the search ends when the best individual is as good as this
    """

    minimise: str | Mapping[str, float] | None = None
    maximise: str | Mapping[str, float] | None = None
    population: int = 24
    generations: int = 20
    seed: int = 1
    elite: int = 2
    crossover: float = 0.9
    mutation: float | None = None
    spread: float = 0.2
    goal: float | None = None

    def __post_init__(self) -> None:
        if (self.minimise is None) == (self.maximise is None):
            raise ModelError.at("minimise", "give a variable to minimise or to maximise, one of both")
        given = self.maximise if self.minimise is None else self.minimise
        if not isinstance(given, str) and not (isinstance(given, Mapping) and all(map(is_number, given.values()))):
            text = f"got {shown(given)}; give the name of a variable, or a dict from names to weights"
            raise ModelError.at("minimise" if self.maximise is None else "maximise", text)
        if not self.weights:
            raise ModelError.at("minimise", "names no variable; give one at least")
        if not 1 <= self.elite < self.population:
            raise ModelError.at("elite", f"got {self.elite} of a population of {self.population}; give fewer")
        for what in ("crossover", "mutation"):
            value = getattr(self, what)
            if value is not None and not 0.0 <= value <= 1.0:
                raise ModelError.at(what, f"got {value:g}; a probability is from 0 to 1")
        if not 0.0 < self.spread <= 1.0:
            raise ModelError.at("spread", f"got {self.spread:g}; give a part of the range, above 0 and at most 1")

    @property
    def weights(self) -> dict[str, float]:
        """Variables of the cost with their weights; what is maximised has negative ones."""
        given, sign = (self.minimise, 1.0) if self.minimise is not None else (self.maximise, -1.0)
        some = {given: 1.0} if isinstance(given, str) else dict(given or {})
        return {str(name): sign * float(weight) for name, weight in some.items()}

    @property
    def variables(self) -> list[str]:
        """Names of the variables of the cost."""
        return list(self.weights)

    @property
    def size(self) -> int:
        """Runs of a whole search."""
        return self.population + (self.generations - 1) * self.children

    @property
    def children(self) -> int:
        """New individuals of every generation but the first."""
        return self.population - self.elite

    def generation(self, number: int) -> slice:
        """The runs of a generation, from 0."""
        if number == 0:
            return slice(0, self.population)
        first = self.population + (number - 1) * self.children
        return slice(first, first + self.children)

    def cost(self, results: Mapping[str, np.ndarray]) -> np.ndarray:
        """What is minimised; infinite where a run failed or a number is missing."""
        total = sum(weight * np.asarray(results[name], float) for name, weight in self.weights.items())
        return np.where(np.isfinite(total), total, np.inf)

    def reached(self, cost: float) -> bool:
        """Whether the goal is reached; a goal is given as the variable itself has it."""
        if self.goal is None:
            return False
        return cost <= (self.goal if self.minimise is not None else -self.goal)

    def places(self, number: int, size: int, before: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Places in the unit cube of the individuals of a generation.

        before    (runs, size) places of all runs so far
        costs     (runs,) what they cost
        """
        rng = np.random.default_rng([self.seed, number])
        if number == 0:
            from scipy.stats import qmc

            return qmc.LatinHypercube(size, rng=np.random.default_rng([self.seed, 0])).random(self.population)
        order = np.argsort(costs, kind="stable")[: self.population]
        parents, cost = before[order], costs[order]
        mutation = 1.0 / size if self.mutation is None else self.mutation
        spread = self.spread * (1.0 - 0.9 * number / max(1, self.generations))
        return offspring(rng, parents, cost, self.children, (self.crossover, mutation, spread))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return dict(vars(self))


def offspring(
    rng: np.random.Generator, parents: np.ndarray, cost: np.ndarray, count: int, chances: tuple[float, float, float]
) -> np.ndarray:
    """Children (count, size) of parents in the unit cube, by tournaments of two, blend crossover and mutation.

    cost       (parents,) the smaller wins a tournament
    chances    probability of crossover, that of a change, and the standard deviation of a change
    """
    crossover, mutation, spread = chances
    size = parents.shape[1]
    children = np.empty((count, size))
    for i in range(count):
        a, b = (parents[_tournament(rng, cost)] for _ in range(2))
        child = a.copy()
        if rng.random() < crossover:
            # blend crossover: anywhere between the parents, and half as far beyond either
            child = a + (b - a) * rng.uniform(-0.5, 1.5, size)
        changed = rng.random(size) < mutation
        child = child + np.where(changed, rng.normal(0.0, spread, size), 0.0)
        children[i] = _reflected(child)
    return children


def _tournament(rng: np.random.Generator, cost: np.ndarray) -> int:
    """The better of two that are drawn by chance."""
    a, b = rng.integers(0, len(cost), 2)
    return int(a if cost[a] <= cost[b] else b)


def _reflected(places: np.ndarray) -> np.ndarray:
    """Places brought back into the unit cube as a mirror would."""
    folded = np.mod(places, 2.0)
    return np.where(folded > 1.0, 2.0 - folded, folded)


def place_rows(parameters: Sequence[Parameter], places: np.ndarray) -> list[tuple[Any, ...]]:
    """Values of the parameters at places in the unit cube."""
    return [tuple(one.value(float(u)) for one, u in zip(parameters, row)) for row in places]
